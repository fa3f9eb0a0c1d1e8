/* What must hold for any scene: Newton's third law, power balance, momentum, the same physics in every frame and in
 * every order of creation. verif/mutation shows that each of these tests fails when a sign or a frame is broken. */
/* items: C009 C014 C019 C020 C021 C022 C024 M015 S042 S046 */
#include "check.h"
#include "scene.h"
#include <string.h>

static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;

static fender_vec3 to_world(const fender_body_data *body, fender_vec3 v_S)
{
    return fender_quaternion_rotate(body->attitude, v_S);
}

static fender_body_data body_of(const fender_world *world, fender_shape_id shape)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, fender_shape_body(world, shape), FENDER_CLOCK_COMMITTED, &data), 0);
    return data;
}

static scene crowd(uint64_t test, uint64_t number)
{
    random_stream r = random_of_case(test, number);
    scene s = scene_random(&r, 2, 6, every_law);
    scene_crowd(&s, &r);
    return s;
}

/* ---- Newton's third law ---- */

static void third_law(void **state)
{
    (void)state;
    int contacts = 0;
    double worst = 0;
    for (uint64_t n = 0; n < repeats(2000); n++) {
        scene s = crowd(11, n);
        fender_world *world = scene_build(&s);
        fender_vec3 sums[SCENE_BODIES], torques[SCENE_BODIES];
        memset(sums, 0, sizeof sums);
        memset(torques, 0, sizeof torques);
        double sizes = 1;
        for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
            fender_contact_data c;
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), 0);
            fender_body_data a = body_of(world, c.a), b = body_of(world, c.b);
            fender_vec3 on_a = to_world(&a, c.force_on_a), on_b = to_world(&b, c.force_on_b);
            double size = fender_vec3_length(c.force);
            check_vector(fender_vec3_add(on_a, on_b), fender_vec3_make(0, 0, 0), 1e-13 * size);
            check_vector(on_b, c.force, 1e-13 * size);
            /* both moments about the origin of the world, each through its own centre of mass */
            fender_vec3 moment_a = fender_vec3_add(to_world(&a, c.torque_on_a),
                                                   fender_vec3_cross(a.center_position, on_a));
            fender_vec3 moment_b = fender_vec3_add(to_world(&b, c.torque_on_b),
                                                   fender_vec3_cross(b.center_position, on_b));
            double gap = fender_vec3_length(fender_vec3_add(moment_a, moment_b)) / (size > 0 ? size : 1);
            worst = larger(worst, gap);
            check_below(gap, 1e-13);
            check_vector(moment_b, fender_vec3_add(c.torque, fender_vec3_cross(c.point, c.force)), 1e-12 * size);
            /* the same point on both */
            check_vector(fender_vec3_add(a.position, to_world(&a, c.point_on_a)), c.point, 1e-14);
            check_vector(fender_vec3_add(b.position, to_world(&b, c.point_on_b)), c.point, 1e-14);
            int at_a = (int)fender_shape_body(world, c.a).index1 - 1,
                at_b = (int)fender_shape_body(world, c.b).index1 - 1;
            sums[at_a] = fender_vec3_add(sums[at_a], c.force_on_a);
            sums[at_b] = fender_vec3_add(sums[at_b], c.force_on_b);
            torques[at_a] = fender_vec3_add(torques[at_a], c.torque_on_a);
            torques[at_b] = fender_vec3_add(torques[at_b], c.torque_on_b);
            sizes += size;
            contacts++;
        }
        for (int i = 0; i < s.body_count; i++) { /* what the contacts say is what the bodies feel */
            fender_body_data d;
            assert_int_equal(fender_body_get(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED, &d), 0);
            check_vector(d.contact_force, sums[i], 1e-13 * sizes);
            check_vector(d.contact_torque, torques[i], 1e-13 * sizes);
        }
        fender_world_destroy(world);
    }
    printf("third law: %d contacts, sum of moments at most %.1e m times the force\n", contacts, worst);
    assert_true(contacts > repeats(5000));
}

/* The normal shows the way out: b moved along it by a micrometre lies that much further away, and the depth rate is the
 * rate at which the depth changes while both bodies move on. */
static void normal_and_rate(void **state)
{
    (void)state;
    const double step = 1e-7;
    int contacts = 0;
    for (uint64_t n = 0; n < repeats(300); n++) {
        scene s = crowd(12, n);
        fender_world *world = scene_build(&s);
        scene later = s;
        for (int i = 0; i < s.body_count; i++) {
            fender_body_state *state_of = &later.bodies[i].state;
            fender_vec3 w = fender_quaternion_rotate(state_of->attitude, state_of->angular_velocity);
            fender_quaternion turn = {1, 0.5 * step * w.x, 0.5 * step * w.y, 0.5 * step * w.z};
            state_of->position = fender_vec3_add_scaled(state_of->position, step, state_of->velocity);
            state_of->attitude = fender_quaternion_normalized(fender_quaternion_product(turn, state_of->attitude));
        }
        fender_world *moved = scene_build(&later);
        for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
            fender_contact_data c, d;
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), 0);
            assert_int_equal(fender_contact_between(moved, fender_shape_at(moved, (int)c.a.index1 - 1),
                                                    fender_shape_at(moved, (int)c.b.index1 - 1), &d),
                             0);
            /* where the normal is about to turn to another side a difference says nothing */
            if (fender_vec3_length(fender_vec3_sub(c.normal, d.normal)) > 1e-4) continue;
            check_near((c.separation - d.separation) / step, c.depth_rate, 2e-4);
            check_near(c.separation, -c.depth, 0);
            assert_true(c.touching == (c.depth > 0));
            contacts++;
        }
        for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
            fender_contact_data c, d;
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), 0);
            scene apart = s;
            int index = (int)fender_shape_body(world, c.b).index1 - 1;
            apart.bodies[index].state.position = fender_vec3_add_scaled(apart.bodies[index].state.position, 1e-6,
                                                                        c.normal);
            fender_world *further = scene_build(&apart);
            assert_int_equal(fender_contact_between(further, fender_shape_at(further, (int)c.a.index1 - 1),
                                                    fender_shape_at(further, (int)c.b.index1 - 1), &d),
                             0);
            check_near(d.separation - c.separation, 1e-6, 2e-11);
            fender_world_destroy(further);
            if (i == 1) break;
        }
        fender_world_destroy(moved);
        fender_world_destroy(world);
    }
    assert_true(contacts > repeats(800));
}

/* ---- the contact at a glance ---- */

/* Twenty members say what the whole data say, and the force is theirs in all axes. */
static void at_a_glance(void **state)
{
    (void)state;
    int contacts = 0;
    for (uint64_t n = 0; n < repeats(100); n++) {
        scene s = crowd(14, n);
        fender_world *world = scene_build(&s);
        for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
            fender_contact_data d;
            fender_contact c;
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &d), 0);
            assert_int_equal(fender_contact_get(world, FENDER_CLOCK_COMMITTED, i, &c), 0);
            assert_true(c.a.index1 == d.a.index1 && c.b.index1 == d.b.index1 && c.feature == d.feature);
            assert_true(c.depth == d.depth && c.normal_force == d.normal_force && c.mode == d.mode);
            const fender_vec3 world_axes = fender_contact_force_in(world, &c, FENDER_CONTACT_AXES_WORLD);
            const fender_vec3 own = fender_contact_force_in(world, &c, FENDER_CONTACT_AXES_CONTACT);
            const fender_vec3 on_b = fender_contact_force_in(world, &c, FENDER_CONTACT_AXES_BODY_B);
            const fender_vec3 on_a = fender_contact_force_in(world, &c, FENDER_CONTACT_AXES_BODY_A);
            const double slack = 1e-13 * (1 + fender_vec3_length(d.force));
            assert_true(fender_vec3_length(fender_vec3_sub(world_axes, d.force)) == 0);
            assert_true(fender_vec3_length(fender_vec3_sub(own, d.contact_force)) <= slack);
            assert_true(fender_vec3_length(fender_vec3_sub(on_b, d.force_on_b)) <= slack);
            assert_true(fender_vec3_length(fender_vec3_add(on_a, d.force_on_a)) <= slack);
            const fender_vec3 torque = fender_contact_torque_in(world, &c, FENDER_CONTACT_AXES_CONTACT);
            assert_true(fender_vec3_length(fender_vec3_sub(torque, d.contact_torque)) <= slack);
            contacts++;
        }
        fender_contact c;
        assert_int_equal(fender_contact_get(world, FENDER_CLOCK_COMMITTED, 100000, &c), FENDER_STATUS_ARGUMENT);
        fender_world_destroy(world);
    }
    assert_true(contacts > repeats(100));
}

/* ---- power ---- */

/* What contacts take from the motion is stored or lost: sum of F.v + T.w over bodies + d(stored)/dt + losses = 0. */
static void power_balance(void **state)
{
    (void)state;
    int contacts = 0;
    double worst = 0, friction = 0;
    for (uint64_t n = 0; n < repeats(2000); n++) {
        scene s = crowd(13, n);
        for (int i = 0; i < s.type_count; i++) s.types[i].stiffness = 2000; /* k of any contact */
        fender_world *world = scene_build(&s);
        for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
            fender_contact_data c;
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), 0);
            const fender_body_data bodies[2] = {body_of(world, c.a), body_of(world, c.b)};
            const fender_vec3 forces[2] = {c.force_on_a, c.force_on_b}, torques[2] = {c.torque_on_a, c.torque_on_b};
            double power = 0, scale = 0;
            for (int k = 0; k < 2; k++) {
                double part = fender_vec3_dot(to_world(&bodies[k], forces[k]), bodies[k].center_velocity);
                double turning = fender_vec3_dot(torques[k], bodies[k].angular_velocity);
                power += part + turning;
                scale += fabs(part) + fabs(turning);
            }
            check_near(c.stored_energy, 1000 * c.depth * c.depth, 1e-9 * (1 + c.stored_energy));
            power += 2000 * c.depth * c.depth_rate + c.damping_power + c.friction_power;
            worst = larger(worst, fabs(power) / (1 + scale));
            friction += c.friction_power;
            check_below(fabs(power), 1e-12 * (1 + scale));
            assert_true(c.friction_power >= 0);
            contacts++;
        }
        fender_world_destroy(world);
    }
    printf("power: %d contacts, at most %.1e of its terms not accounted for\n", contacts, worst);
    assert_true(contacts > repeats(5000) && friction > 0);
}

/* ---- the same in every frame ---- */

typedef struct comparison {
    int contacts, skipped;
    double force, depth; /* largest deviation: of forces relative to their allowance; m */
} comparison;

static double radius_of(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    assert_int_equal(fender_shape_get_def(world, shape, &def), 0);
    return fender_geometry_radius(def.geometry);
}

/* Compares all contacts of two worlds whose scenes differ by the frame X (and perhaps by the order of creation).
 * `position` and `velocity` are what a coordinate of either may be off by. */
static void compare(const fender_world *world, const fender_world *moved, fender_quaternion q, double position,
                    double velocity, comparison *result)
{
    for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
        fender_contact_data c, d;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), 0);
        fender_shape_id shapes[2];
        const fender_shape_id here[2] = {c.a, c.b};
        for (int k = 0; k < 2; k++) {
            fender_body_id body;
            assert_int_equal(fender_body_find(moved, fender_body_name(world, fender_shape_body(world, here[k])), &body),
                             0);
            assert_int_equal(fender_shape_find(moved, body, fender_shape_name(world, here[k]), &shapes[k]), 0);
        }
        if (c.depth < 8 * position) continue; /* may just not touch there */
        assert_int_equal(fender_contact_between(moved, shapes[0], shapes[1], &d), 0);
        double sign = shapes[0].index1 < shapes[1].index1 ? 1 : -1; /* a and b changed places? */
        fender_vec3 turned = fender_quaternion_rotate(q, c.normal);
        /* two points of three coordinates each are subtracted: a vector between cores is off by up to 2 sqrt 3 times
         * `position`, the normal by that over the distance of the cores */
        double core = radius_of(world, c.a) + radius_of(world, c.b) - c.depth;
        double off = 4 * position, bend = off / core + 2e-15, rate = 4 * velocity + 6 * off + 6 * bend;
        if (core < 0.01 || fender_vec3_length(fender_vec3_sub(turned, fender_vec3_scale(sign, d.normal))) > 10 * bend) {
            result->skipped++; /* deep overlaps of capsules have two ways out that are equally long */
            continue;
        }
        double size = fender_vec3_length(c.force);
        /* k times the depth's error, c times the rate's, the normal's turn, and the slope of regularised friction:
         * at most mu N over its slip speed, 0.5 N / 0.01 m/s, times the error of the slip */
        double allowed = 5000 * off + 50 * rate + size * bend + 50 * size * rate + 1e-14 * (1 + size);
        check_near(d.depth, c.depth, off + 1e-15);
        fender_vec3 force = fender_quaternion_rotate(q, c.force);
        double gap = fender_vec3_length(fender_vec3_sub(force, fender_vec3_scale(sign, d.force)));
        result->force = larger(result->force, gap / allowed);
        result->depth = larger(result->depth, fabs(d.depth - c.depth));
        check_below(gap, allowed);
        check_near(d.normal_force, c.normal_force, allowed);
        check_near(d.friction_force, c.friction_force, allowed);
        const fender_vec3 on_c[2] = {c.force_on_a, c.force_on_b};
        const fender_vec3 on_d[2] = {sign > 0 ? d.force_on_a : d.force_on_b, sign > 0 ? d.force_on_b : d.force_on_a};
        const fender_vec3 torque_c[2] = {c.torque_on_a, c.torque_on_b};
        const fender_vec3 torque_d[2] = {sign > 0 ? d.torque_on_a : d.torque_on_b,
                                         sign > 0 ? d.torque_on_b : d.torque_on_a};
        for (int k = 0; k < 2; k++) { /* in structure axes nothing turns at all */
            check_vector(on_d[k], on_c[k], allowed);
            check_vector(torque_d[k], torque_c[k], 3 * allowed);
        }
        check_near(d.damping_power, c.damping_power, 20 * allowed);
        check_near(d.friction_power, c.friction_power, 20 * allowed);
        result->contacts++;
    }
}

static void frame_invariance(const char *name, uint64_t test, double distance, double boost)
{
    comparison result = {0, 0, 0, 0};
    for (uint64_t n = 0; n < repeats(1000); n++) {
        random_stream r = random_of_case(test + 100, n);
        scene s = crowd(test, n);
        fender_pose X = {fender_vec3_scale(distance, random_direction(&r)), random_rotation(&r)};
        scene moved = scene_moved(&s, X, fender_vec3_scale(boost, random_direction(&r)));
        fender_world *one = scene_build(&s), *other = scene_build(&moved);
        /* half a unit in the last place of a coordinate (1.9e-9 m at 1e7 m: 0.93e-9), and rounding of the transform */
        compare(one, other, X.q, distance * 0x1p-53 * 2 + 1e-15, boost * 0x1p-53 * 2 + 1e-14, &result);
        fender_world_destroy(one);
        fender_world_destroy(other);
    }
    printf("%s: %d contacts, depth off by at most %.1e m, force by at most %.2f of what rounding allows\n", name,
           result.contacts, result.depth, result.force);
    assert_true(result.contacts > repeats(2000) && 100 * result.skipped < result.contacts);
}

static void turned_and_moved(void **state)
{
    (void)state;
    frame_invariance("turned, moved by 10 m", 14, 10, 0);
}
static void boosted(void **state)
{
    (void)state;
    frame_invariance("turned, moved by 10 m, boosted by 100 m/s", 15, 10, 100);
}
static void far_away(void **state)
{
    (void)state;
    frame_invariance("turned, moved by 1e7 m, boosted by 7500 m/s", 16, 1e7, 7500);
}

/* Two seconds of flight and impacts, there and here. Impacts of spheres and capsules magnify differences; over one
 * impact of each scene they stay within a few powers of ten of rounding. */
static double trajectory_gap(double distance, double boost, uint64_t n, int *touches)
{
    random_stream r = random_of_case(17, n);
    scene s = scene_random(&r, 2, 4, every_law);
    fender_pose X = {fender_vec3_scale(distance, random_direction(&r)), random_rotation(&r)};
    fender_vec3 v = fender_vec3_scale(boost, random_direction(&r));
    scene moved = scene_moved(&s, X, v);
    fender_world *one = scene_build(&s), *other = scene_build(&moved);
    double worst = 0;
    for (int i = 0; i < 500; i++) {
        check_ok(fender_world_step(one, &error));
        check_ok(fender_world_step(other, &error));
    }
    for (int i = 0; i < s.body_count; i++) {
        fender_body_data a = scene_body_data(one, i), b = scene_body_data(other, i);
        fender_vec3 p = fender_vec3_add(fender_vec3_add_scaled(X.p, fender_world_time(one), v),
                                        fender_quaternion_rotate(X.q, a.position));
        fender_vec3 velocity = fender_vec3_add(v, fender_quaternion_rotate(X.q, a.velocity));
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(p, b.position)));
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(velocity, b.velocity)));
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(a.angular_velocity, b.angular_velocity)));
    }
    *touches += (int)fender_world_event_count(one, FENDER_EVENT_BEGIN);
    fender_world_destroy(one);
    fender_world_destroy(other);
    return worst;
}

/* The median: a touch that comes one step later in one of the two worlds sets them apart by far more than rounding, and
 * honestly so. */
static void trajectories(void **state)
{
    (void)state;
    enum { COUNT = repeats(101) };
    for (int far = 0; far < 2; far++) {
        double gaps[COUNT];
        int touches = 0;
        for (uint64_t n = 0; n < COUNT; n++) {
            double gap = trajectory_gap(far ? 1e7 : 10, far ? 100 : 5, n, &touches);
            int at = (int)n;
            for (; at > 0 && gaps[at - 1] > gap; at--) gaps[at] = gaps[at - 1];
            gaps[at] = gap;
        }
        printf("trajectories over 1 s %s: %d touches, median gap %.1e, nine tenths below %.1e m, m/s, rad/s\n",
               far ? "1e7 m away" : "10 m away", touches, gaps[COUNT / 2], gaps[COUNT * 9 / 10]);
        assert_true(touches > COUNT / 2);
        check_below(gaps[COUNT / 2], far ? 2e-6 : 1e-11);
        check_below(gaps[COUNT * 9 / 10], far ? 2e-3 : 1e-9);
    }
}

/* ---- a and b ---- */

static void order_of_creation(void **state)
{
    (void)state;
    comparison result = {0, 0, 0, 0};
    for (uint64_t n = 0; n < repeats(2000); n++) {
        scene s = crowd(18, n), reversed = scene_reversed(&s);
        fender_world *one = scene_build(&s), *other = scene_build(&reversed);
        compare(one, other, fender_quaternion_identity(), 1e-15, 1e-15, &result);
        fender_world_destroy(one);
        fender_world_destroy(other);
    }
    printf(
        "created in the other order: %d contacts, depth off by at most %.1e m, force by at most %.2f of what rounding "
        "allows\n",
        result.contacts, result.depth, result.force);
    assert_true(result.contacts > repeats(5000));
}

/* ---- momentum ---- */

static void momentum(void **state)
{
    (void)state;
    double linear = 0, angular = 0;
    int64_t touches = 0;
    for (uint64_t n = 0; n < repeats(900); n++) {
        random_stream r = random_of_case(19, n);
        scene s = scene_random(&r, 2, 6, every_law);
        static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                           FENDER_INTEGRATOR_VELOCITY_VERLET};
        s.world.method = methods[n / 3 % 3];
        if (n % 3 == 0) scene_crowd(&s, &r);
        fender_world *world = scene_build(&s);
        double linear_scale = 0, angular_scale = 0;
        for (int k = 0; k < 2; k++) { /* sizes of the terms at the start and at the end */
            if (k == 1) check_ok(fender_world_advance(world, 500, &error));
            fender_ledger ledger;
            fender_world_ledger(world, &ledger);
            for (int i = 0; i < s.body_count; i++) {
                fender_body_data d = scene_body_data(world, i);
                double p = fender_vec3_length(d.linear_momentum);
                fender_vec3 arm = fender_vec3_sub(d.center_position, ledger.momentum_origin);
                linear_scale += p;
                angular_scale += p * fender_vec3_length(arm) + fender_vec3_length(d.angular_momentum);
            }
            if (k == 0) continue;
            linear = larger(linear, ledger.linear_drift / linear_scale);
            angular = larger(angular, ledger.angular_drift / angular_scale);
            check_below(ledger.linear_drift, 1e-12 * linear_scale);
            check_below(ledger.angular_drift, 1e-12 * angular_scale);
        }
        touches += fender_world_event_count(world, FENDER_EVENT_BEGIN);
        fender_world_destroy(world);
    }
    printf(
        "momentum over 1 s, fixed-step methods: %lld touches, drift at most %.1e linear, %.1e angular of the sizes of "
        "its terms\n",
        (long long)touches, linear, angular);
    assert_true(touches > repeats(500));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(third_law),     cmocka_unit_test(normal_and_rate),  cmocka_unit_test(at_a_glance),
        cmocka_unit_test(power_balance), cmocka_unit_test(turned_and_moved), cmocka_unit_test(boosted),
        cmocka_unit_test(far_away),      cmocka_unit_test(trajectories),     cmocka_unit_test(order_of_creation),
        cmocka_unit_test(momentum),
    };
    return cmocka_run_group_tests_name("properties of random scenes", tests, NULL, NULL);
}
