/* Attached bodies that move along a prescribed path: closed forms, an independent quadrature, momentum, energy. */
/* items: B001 */
#include "moving_parts.h"

/* ---- closed forms ---- */

/* A mass slides by s along a rail through the centre of a free body: the common centre goes on, and the body is moved
 * by -m2 / (m1 + m2) s. The motor's work is the kinetic energy of the relative motion, mu s'^2 / 2. */
static void mass_on_a_rail(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5,
                                                FENDER_INTEGRATOR_DOP853};
    for (int k = 0; k < 3; k++) {
        fender_world *world = empty(methods[k], 0.01);
        fender_body_state start = at_rest();
        start.velocity = fender_vec3_make(0.1, 0.2, -0.3);
        const fender_body_id hull = add_body(world, "hull", 10, fender_vec3_make(0, 0, 0),
                                             fender_mat3_diagonal(2, 3, 4), start);
        const fender_body_id slug = add_body(world, "slug", 2, fender_vec3_make(0, 0, 0),
                                             fender_mat3_diagonal(0.1, 0.2, 0.2), at_rest());
        attach(world, slug, hull, (fender_pose){{-0.5, 0, 0}, {1, 0, 0, 0}});
        move_between(world, slug, 0.5, 2.5, fender_vec3_make(1.5, 0, 0), fender_vec3_make(0, 0, 0),
                     fender_vec3_make(0, 0, 0), 0);
        check_ok(fender_world_initialize(world, &error));
        const fender_vec3 center = data_of(world, hull).center_position;
        for (int i = 1; i <= 30; i++) {
            const double t = 0.1 * i, u = (t - 0.5) / 2, s = 1.5 * blend(u), rate = 0.75 * blend_rate(u);
            check_ok(fender_world_advance_to(world, t, &error));
            const fender_body_data h = data_of(world, hull), g = data_of(world, slug);
            const fender_vec3 gone = fender_vec3_scale(t, start.velocity);
            check_vector(h.center_position, fender_vec3_add(center, gone), 1e-13);
            check_near(h.position.x - gone.x, -2.0 / 12 * s, 1e-13);
            check_near(h.velocity.x - 0.1, -2.0 / 12 * rate, 1e-13);
            check_near(g.position.x - h.position.x, -0.5 + s, 1e-13);
            check_near(g.velocity.x - h.velocity.x, rate, 1e-13);
            const double relative = 0.5 * (10.0 * 2 / 12) * rate * rate;
            check_near(h.kinetic_energy, 0.5 * 12 * 0.14 + relative, 1e-13);
            check_near(ledger_of(world).motor, relative, 1e-6);
            fender_inertial_ledger seen;
            fender_world_inertial_ledger(world, &seen);
            check_near(seen.kinetic, h.kinetic_energy, 1e-13); /* the world is inertial */
            check_near(g.linear_momentum.x, 2 * g.velocity.x, 1e-13);
        }
        const fender_ledger ledger = ledger_of(world);
        check_below(fabs(ledger.residual), 1e-6); /* adaptive steps are as long as the motion allows */
        check_below(ledger.linear_drift, 1e-13);
        check_below(ledger.angular_drift, 1e-13);
        fender_world_destroy(world);
    }
}

/* A wheel is turned by several turns about the common axis: the body is turned back by I2 / (I1 + I2) of it. */
static void wheel_is_turned(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 0.01);
    const fender_body_id hull = add_body(world, "hull", 10, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(2, 3, 4),
                                         at_rest());
    const fender_body_id wheel = add_body(world, "wheel", 1, fender_vec3_make(0, 0, 0),
                                          fender_mat3_diagonal(0.3, 0.3, 0.5), at_rest());
    attach(world, wheel, hull, at_origin);
    const double angle = 20; /* rad */
    move_between(world, wheel, 0, 4, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 2), fender_vec3_make(0, 0, 0),
                 angle);
    check_ok(fender_world_initialize(world, &error));
    for (int i = 1; i <= 50; i++) {
        check_ok(fender_world_advance(world, 10, &error));
        const double u = 0.025 * i, back = -0.5 / 4.5 * angle * blend(u);
        const fender_body_data h = data_of(world, hull), w = data_of(world, wheel);
        check_near(h.attitude.w * sin(0.5 * back) - h.attitude.z * cos(0.5 * back), 0, 1e-9);
        check_near(h.angular_velocity.z, -0.5 / 4.5 * angle / 4 * blend_rate(u), 1e-12);
        check_near(w.angular_velocity.z, (1 - 0.5 / 4.5) * angle / 4 * blend_rate(u), 1e-12);
        check_near(w.angular_momentum.z, 0.5 * w.angular_velocity.z, 1e-12);
        check_vector(h.angular_momentum, fender_vec3_make(0, 0, 0), 1e-15);
    }
    check_below(fabs(ledger_of(world).residual), 1e-8);
    fender_world_destroy(world);
}

/* ---- an independent quadrature ---- */

/* Two bodies, one of which folds about a hinge, as masses with inertias whose velocities are summed without any formula
 * for the tree: the angular velocity is solved from the angular momentum about the common centre. */
typedef struct folding {
    double m[2];
    fender_mat3 I[2];             /* in own axes */
    fender_vec3 hinge, arm, axis; /* in the first body; hinge to the second's centre, unfolded; unit */
    double angle, duration;
    fender_vec3 L; /* W */
} folding;

static fender_vec3 turn(fender_vec3 axis, double angle, fender_vec3 v)
{
    const fender_vec3 across = fender_vec3_cross(axis, v);
    fender_vec3 r = fender_vec3_add_scaled(v, sin(angle), across);
    return fender_vec3_add_scaled(r, 1 - cos(angle), fender_vec3_cross(axis, across));
}

/* R I R^T x with R the fold. */
static fender_vec3 inertia_times(const folding *f, int body, double angle, fender_vec3 x)
{
    if (body == 0) return fender_mat3_times(&f->I[0], x);
    return turn(f->axis, angle, fender_mat3_times(&f->I[1], turn(f->axis, -angle, x)));
}

/* Angular momentum about the common centre when the first body turns by w, all in its axes. */
static fender_vec3 momentum(const folding *f, double t, fender_vec3 w)
{
    const double u = t / f->duration, angle = f->angle * blend(u), rate = f->angle * blend_rate(u) / f->duration;
    const fender_vec3 arm = turn(f->axis, angle, f->arm), r = fender_vec3_add(f->hinge, arm);
    const fender_vec3 spin = fender_vec3_add_scaled(w, rate, f->axis);
    const fender_vec3 v = fender_vec3_add(fender_vec3_cross(w, f->hinge), fender_vec3_cross(spin, arm));
    const double reduced = f->m[0] * f->m[1] / (f->m[0] + f->m[1]);
    fender_vec3 L = fender_vec3_scale(reduced, fender_vec3_cross(r, v));
    L = fender_vec3_add(L, inertia_times(f, 0, angle, w));
    return fender_vec3_add(L, inertia_times(f, 1, angle, spin));
}

/* By Cramer's rule: momentum is linear in w. */
static fender_vec3 angular_velocity(const folding *f, double t, fender_quaternion q)
{
    const fender_vec3 zero = {0, 0, 0}, h = momentum(f, t, zero);
    const fender_vec3 right = fender_vec3_sub(fender_quaternion_rotate(fender_quaternion_conjugate(q), f->L), h);
    const fender_vec3 a = fender_vec3_sub(momentum(f, t, fender_vec3_make(1, 0, 0)), h);
    const fender_vec3 b = fender_vec3_sub(momentum(f, t, fender_vec3_make(0, 1, 0)), h);
    const fender_vec3 c = fender_vec3_sub(momentum(f, t, fender_vec3_make(0, 0, 1)), h);
    const double d = fender_vec3_dot(a, fender_vec3_cross(b, c));
    return fender_vec3_make(fender_vec3_dot(right, fender_vec3_cross(b, c)) / d,
                            fender_vec3_dot(a, fender_vec3_cross(right, c)) / d,
                            fender_vec3_dot(a, fender_vec3_cross(b, right)) / d);
}

static fender_quaternion attitude_rate(const folding *f, double t, fender_quaternion q)
{
    const fender_vec3 w = angular_velocity(f, t, q);
    return fender_quaternion_product(q, (fender_quaternion){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
}

static fender_quaternion plus(fender_quaternion a, double s, fender_quaternion b)
{
    return (fender_quaternion){a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* A panel folds by a right angle while the vehicle tumbles: angular momentum is kept, and attitude and angular velocity
 * agree with the quadrature; with body axes of their own and an eccentric centre of the vehicle. */
static void panel_folds(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 0.005);
    const fender_vec3 center = {0.1, -0.2, 0.05}, hinge_S = {0.5, 0.4, 0.3}, arm = {0.2, 0.6, -0.1};
    folding f = {{8, 3},
                 {fender_mat3_diagonal(1.0, 1.5, 2.0), {{{0.5, 0.02, 0.01}, {0.02, 0.2, 0.03}, {0.01, 0.03, 0.6}}}},
                 fender_vec3_sub(hinge_S, center),
                 arm,
                 {0.6, 0, 0.8},
                 1.5707963267948966,
                 2,
                 {0, 0, 0}};
    fender_body_state start = at_rest();
    start.angular_velocity = fender_vec3_make(0.3, -0.5, 0.7);
    const fender_body_id hull = add_body(world, "hull", f.m[0], center, f.I[0], start);
    /* the panel's structure frame is away from its hinge, which is the pivot */
    const fender_vec3 pivot = {-0.3, 0.1, 0.2};
    const fender_body_id panel = add_body(world, "panel", f.m[1], fender_vec3_add(pivot, arm), f.I[1], at_rest());
    attach(world, panel, hull, (fender_pose){fender_vec3_sub(hinge_S, pivot), {1, 0, 0, 0}});
    move_between(world, panel, 0, f.duration, fender_vec3_make(0, 0, 0), fender_vec3_scale(3, f.axis), pivot, f.angle);
    check_ok(fender_world_initialize(world, &error));
    f.L = momentum(&f, 0, start.angular_velocity);
    check_vector(data_of(world, hull).angular_momentum, f.L, 1e-13);
    fender_quaternion q = {1, 0, 0, 0};
    const double h = 1e-3;
    for (int i = 0; i < 3000; i++) {
        const double t = h * i;
        const fender_quaternion k1 = attitude_rate(&f, t, q), k2 = attitude_rate(&f, t + h / 2, plus(q, h / 2, k1));
        const fender_quaternion k3 = attitude_rate(&f, t + h / 2, plus(q, h / 2, k2));
        const fender_quaternion k4 = attitude_rate(&f, t + h, plus(q, h, k3));
        q = plus(plus(plus(plus(q, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
        if (i % 250 != 249) continue;
        check_ok(fender_world_advance_to(world, t + h, &error));
        const fender_body_data d = data_of(world, hull);
        check_vector(d.angular_velocity, angular_velocity(&f, t + h, q), 1e-9);
        const double sign = d.attitude.w * q.w + d.attitude.x * q.x + d.attitude.y * q.y + d.attitude.z * q.z;
        check_near(fabs(sign), 1, 1e-13);
        check_near(plus(d.attitude, sign > 0 ? -1 : 1, q).x, 0, 1e-9);
        check_near(plus(d.attitude, sign > 0 ? -1 : 1, q).y, 0, 1e-9);
        check_vector(d.angular_momentum, f.L, 1e-14);
        check_near(d.kinetic_energy, ledger_of(world).kinetic, 1e-13);
    }
    const fender_ledger ledger = ledger_of(world);
    check_below(ledger.angular_drift, 1e-12);
    check_below(fabs(ledger.residual), 1e-10);
    check_below(0.01, fabs(ledger.motor));
    fender_world_destroy(world);
}

/* ---- a chain of parts ---- */

typedef struct arm_world {
    fender_world *world;
    fender_body_id hull, upper, fore;
    fender_point_id tip;
} arm_world;

/* A hull with an arm of two parts that bend and extend at overlapping times; `X` and `boost`: of the observer. */
static arm_world arm(fender_integrator_method method, double step, fender_pose X, fender_vec3 boost)
{
    arm_world a = {.world = empty(method, step)};
    fender_body_state start = at_rest();
    start.position = X.p;
    start.attitude = X.q;
    start.velocity = boost;
    start.angular_velocity = fender_vec3_make(0.2, 0.4, -0.3);
    a.hull = add_body(a.world, "hull", 5, fender_vec3_make(0.1, 0, 0.2), fender_mat3_diagonal(0.8, 1.1, 0.9), start);
    a.upper = add_body(a.world, "upper", 2, fender_vec3_make(0.4, 0, 0), fender_mat3_diagonal(0.02, 0.1, 0.1),
                       at_rest());
    a.fore = add_body(a.world, "fore", 1, fender_vec3_make(0.3, 0.1, 0), fender_mat3_diagonal(0.02, 0.05, 0.06),
                      at_rest());
    attach(a.world, a.upper, a.hull, (fender_pose){{0.5, 0.2, 0}, {0.8, 0, 0.6, 0}});
    attach(a.world, a.fore, a.upper, (fender_pose){{0.8, 0, 0}, {0.6, 0, 0, 0.8}});
    check_ok(
        fender_point_create(a.world, a.fore, "tip", (fender_pose){{0.6, 0.1, -0.1}, {0.8, 0.6, 0, 0}}, &a.tip, &error));
    move_between(a.world, a.upper, 0.1, 1.1, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 1, 0.5),
                 fender_vec3_make(0, 0, 0), 1.2);
    const double times[4] = {0, 0.3, 0.7, 1.2}, angles[4] = {0, -0.5, 0.4, 0.9};
    const fender_vec3 positions[4] = {{0, 0, 0}, {0.1, 0, 0}, {0.2, 0.1, 0}, {0.1, 0, 0.1}};
    fender_part_motion motion = fender_part_motion_default();
    motion.times = times;
    motion.positions = positions;
    motion.angles = angles;
    motion.axis = fender_vec3_make(0, 0, 1);
    motion.count = 4;
    motion.between = FENDER_PART_SMOOTH;
    check_ok(fender_body_set_part_motion(a.world, a.fore, &motion, &error));
    check_ok(fender_world_initialize(a.world, &error));
    return a;
}

static void chain_keeps_momentum(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5};
    for (int k = 0; k < 2; k++) {
        arm_world a = arm(methods[k], 0.002, at_origin, fender_vec3_make(0, 0, 0));
        const fender_body_data before = data_of(a.world, a.hull);
        check_ok(fender_world_advance_to(a.world, 1.5, &error));
        const fender_body_data d = data_of(a.world, a.hull);
        check_vector(d.angular_momentum, before.angular_momentum, 1e-15);
        check_vector(d.linear_momentum, before.linear_momentum, 1e-13);
        check_vector(d.center_position, fender_vec3_add_scaled(before.center_position, 1.5, before.center_velocity),
                     1e-13);
        const fender_ledger ledger = ledger_of(a.world);
        check_below(fabs(ledger.residual), k == 0 ? 1e-8 : 1e-6);
        check_below(1e-3, fabs(ledger.motor));
        check_near(ledger.kinetic, d.kinetic_energy, 1e-13);
        fender_world_destroy(a.world);
    }
}

/* Another observer, turned, moved and with a constant velocity, sees the same. */
static void observer_makes_no_difference(void **state)
{
    (void)state;
    const fender_pose X = {{3, -2, 1}, fender_quaternion_normalized((fender_quaternion){0.3, 0.5, -0.4, 0.7})};
    const fender_vec3 boost = {2, 1, -3};
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.005, at_origin, fender_vec3_make(0, 0, 0));
    arm_world b = arm(FENDER_INTEGRATOR_RK4, 0.005, X, boost);
    check_ok(fender_world_advance(a.world, 200, &error));
    check_ok(fender_world_advance(b.world, 200, &error));
    const fender_body_id of_a[3] = {a.hull, a.upper, a.fore}, of_b[3] = {b.hull, b.upper, b.fore};
    for (int i = 0; i < 3; i++) {
        const fender_body_data one = data_of(a.world, of_a[i]), other = data_of(b.world, of_b[i]);
        const fender_vec3 p = fender_vec3_add_scaled(fender_vec3_add(X.p, fender_quaternion_rotate(X.q, one.position)),
                                                     1, boost);
        check_vector(other.position, p, 1e-12);
        check_vector(other.velocity, fender_vec3_add(boost, fender_quaternion_rotate(X.q, one.velocity)), 1e-12);
        check_vector(other.angular_velocity, one.angular_velocity, 1e-12);
        check_vector(other.acceleration, fender_quaternion_rotate(X.q, one.acceleration), 1e-11);
    }
    check_near(ledger_of(a.world).motor, ledger_of(b.world).motor, 1e-12);
    fender_world_destroy(a.world);
    fender_world_destroy(b.world);
}

static fender_vec3 difference(fender_vec3 later, fender_vec3 earlier, double span)
{
    return fender_vec3_scale(1 / span, fender_vec3_sub(later, earlier));
}

/* Velocities, accelerations and the load through an attachment against differences of positions and momenta. */
static void sensors_see_the_motion(void **state)
{
    (void)state;
    const double h = 1e-4;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, h, at_origin, fender_vec3_make(0, 0, 0));
    const fender_body_frame tip = {FENDER_BODY_FRAME_POINT, {0}, a.tip};
    fender_body_state at[3];
    fender_body_data fore[3], upper[3];
    fender_inertial_data imu = {0};
    fender_interface_data load = {0};
    check_ok(fender_world_advance(a.world, 5499, &error));
    for (int i = 0; i < 3; i++) {
        check_ok(fender_body_frame_state(a.world, tip, &at[i], &error));
        fore[i] = data_of(a.world, a.fore);
        upper[i] = data_of(a.world, a.upper);
        if (i == 1) {
            const fender_body_frame frame = {FENDER_BODY_FRAME_STRUCTURE, a.fore, {0}};
            assert_int_equal(fender_body_frame_inertial(a.world, tip, &imu), FENDER_STATUS_OK);
            assert_int_equal(fender_body_get_interface(a.world, frame, a.upper, &load), FENDER_STATUS_OK);
        }
        if (i < 2) check_ok(fender_world_advance(a.world, 1, &error));
    }
    check_vector(at[1].velocity, difference(at[2].position, at[0].position, 2 * h), 1e-6);
    const fender_vec3 felt = fender_quaternion_rotate(at[1].attitude, imu.specific_force);
    check_vector(felt, difference(at[2].velocity, at[0].velocity, 2 * h), 1e-5);
    check_vector(imu.inertial_rate, at[1].angular_velocity, 1e-13);
    check_vector(imu.angular_acceleration, difference(at[2].angular_velocity, at[0].angular_velocity, 2 * h), 1e-5);
    check_vector(fore[1].velocity, difference(fore[2].position, fore[0].position, 2 * h), 1e-6);
    check_vector(fore[1].acceleration, difference(fore[2].center_velocity, fore[0].center_velocity, 2 * h), 1e-5);
    check_vector(upper[1].acceleration, difference(upper[2].center_velocity, upper[0].center_velocity, 2 * h), 1e-6);
    check_vector(upper[1].center_velocity, difference(upper[2].center_position, upper[0].center_position, 2 * h), 1e-6);
    /* the upper arm alone moves the fore arm */
    const fender_vec3 force = fender_quaternion_rotate(fore[1].attitude, load.joint_force);
    check_vector(force, difference(fore[2].linear_momentum, fore[0].linear_momentum, 2 * h), 1e-6);
    const fender_vec3 lever = fender_vec3_sub(fore[1].position, fore[1].center_position);
    fender_vec3 torque = fender_quaternion_rotate(fore[1].attitude, load.joint_torque);
    torque = fender_vec3_add(torque, fender_vec3_cross(lever, force));
    check_vector(torque, difference(fore[2].angular_momentum, fore[0].angular_momentum, 2 * h), 1e-6);
    fender_world_destroy(a.world);
}

/* Snapshots within the motion, and calls of any length, go on with the same bits. */
static void bits_are_kept(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    arm_world b = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 43, &error));
    for (int i = 0; i < 43; i++) check_ok(fender_world_step(b.world, &error));
    assert_true(fender_world_hash(a.world) == fender_world_hash(b.world));
    fender_snapshot *snapshot = fender_snapshot_take(a.world, NULL);
    assert_non_null(snapshot);
    check_ok(fender_body_move_part(a.world, a.upper, fender_vec3_make(0, 0, 0), 0.3, 0.4, &error));
    fender_snapshot *told = fender_snapshot_take(a.world, NULL);
    check_ok(fender_world_advance(a.world, 60, &error));
    const uint64_t after_command = fender_world_hash(a.world);
    check_ok(fender_world_advance(b.world, 60, &error));
    const uint64_t after = fender_world_hash(b.world);
    assert_true(after != after_command);
    check_ok(fender_snapshot_restore(b.world, told, &error));
    check_ok(fender_world_advance(b.world, 60, &error));
    assert_true(fender_world_hash(b.world) == after_command);
    check_ok(fender_snapshot_restore(a.world, snapshot, &error));
    const fender_body_data d = data_of(a.world, a.fore);
    check_ok(fender_world_advance(a.world, 60, &error));
    assert_true(fender_world_hash(a.world) == after);
    /* a proposed step changes nothing that can be read */
    check_ok(fender_snapshot_restore(a.world, snapshot, &error));
    fender_proposal proposal;
    const fender_pose before = fender_body_pose_in_parent(a.world, a.fore);
    check_ok(fender_world_propose(a.world, INFINITY, &proposal, &error));
    const fender_pose proposed = fender_body_pose_in_parent(a.world, a.fore);
    assert_memory_equal(&before, &proposed, sizeof before);
    const fender_body_data e = data_of(a.world, a.fore);
    assert_memory_equal(&d.position, &e.position, sizeof d.position);
    assert_memory_equal(&d.velocity, &e.velocity, sizeof d.velocity);
    fender_snapshot_destroy(snapshot);
    fender_snapshot_destroy(told);
    fender_world_destroy(a.world);
    fender_world_destroy(b.world);
}

/* A command takes the part over with its velocity and acceleration, and it rests where it was told. */
static void command_is_smooth(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 45, &error));
    fender_part_state before, after;
    assert_int_equal(fender_body_get_part(a.world, a.fore, &before), FENDER_STATUS_OK);
    const fender_body_data d = data_of(a.world, a.hull);
    check_ok(fender_body_move_part(a.world, a.fore, fender_vec3_make(0.3, 0, 0), 0.2, 0.5, &error));
    assert_int_equal(fender_body_get_part(a.world, a.fore, &after), FENDER_STATUS_OK);
    assert_memory_equal(&before, &after, sizeof before);
    const fender_body_data e = data_of(a.world, a.hull);
    assert_memory_equal(&d.angular_velocity, &e.angular_velocity, sizeof d.angular_velocity);
    check_ok(fender_world_advance(a.world, 80, &error));
    assert_int_equal(fender_body_get_part(a.world, a.fore, &after), FENDER_STATUS_OK);
    check_vector(after.position, fender_vec3_make(0.3, 0, 0), 0);
    check_near(after.angle, 0.2, 0);
    check_near(after.angular_velocity, 0, 0);
    check_below(fabs(ledger_of(a.world).residual), 1e-5 * ledger_of(a.world).scale);
    fender_world_destroy(a.world);
}

/* ---- trees ---- */

/* Where a motion ends, the tree is what reattaching makes of it. */
static void end_is_that_of_reattaching(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    arm_world b = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 150, &error));
    const fender_body_id moved_a[2] = {a.upper, a.fore}, moved_b[2] = {b.upper, b.fore};
    for (int i = 0; i < 2; i++)
        check_ok(
            fender_body_reattach(b.world, moved_b[i], fender_body_pose_in_parent(a.world, moved_a[i]), NULL, &error));
    const fender_body_data one = data_of(a.world, a.hull), other = data_of(b.world, b.hull);
    check_vector(one.center_of_mass, other.center_of_mass, 1e-15);
    for (int i = 0; i < 9; i++) check_near((&one.inertia.m[0][0])[i], (&other.inertia.m[0][0])[i], 1e-14);
    check_vector(one.angular_momentum, other.angular_momentum, 1e-14);
    /* with reattached bodies the tree is rigid again, and goes on */
    check_ok(fender_world_advance(b.world, 150, &error));
    check_vector(data_of(b.world, b.hull).angular_momentum, other.angular_momentum, 1e-14);
    check_below(fabs(ledger_of(b.world).residual), 1e-9);
    fender_world_destroy(a.world);
    fender_world_destroy(b.world);
}

/* A part that is let go in motion keeps its velocity; momentum and energy of both together are what they were. */
static void part_is_let_go(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 50, &error));
    const fender_body_data upper = data_of(a.world, a.upper), fore = data_of(a.world, a.fore);
    const fender_body_data hull = data_of(a.world, a.hull);
    const fender_ledger before = ledger_of(a.world);
    check_ok(fender_body_detach(a.world, a.upper, (fender_body_id){0}, FENDER_DETACH_TREE, NULL, &error));
    const fender_body_data now = data_of(a.world, a.upper), tip = data_of(a.world, a.fore);
    check_vector(now.velocity, upper.velocity, 1e-13);
    check_vector(now.angular_velocity, upper.angular_velocity, 1e-13);
    check_vector(tip.velocity, fore.velocity, 1e-13); /* still moves relative to the upper arm */
    check_vector(tip.angular_velocity, fore.angular_velocity, 1e-13);
    check_vector(data_of(a.world, a.hull).velocity, hull.velocity, 1e-13);
    check_near(ledger_of(a.world).kinetic, before.kinetic, 1e-13);
    check_ok(fender_world_advance(a.world, 100, &error));
    const fender_ledger after = ledger_of(a.world);
    check_vector(after.angular_momentum, before.angular_momentum, 1e-13);
    check_vector(after.linear_momentum, before.linear_momentum, 1e-13);
    check_below(fabs(after.residual), 1e-5 * after.scale);
    fender_world_destroy(a.world);
}

/* ---- changes of a tree whose parts move ---- */

/* Setting the state that is there, or the mass that is there, changes nothing; another mass of a moving part keeps the
 * velocities of all bodies. */
static void changes_keep_the_motion(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0.3, 0, 0));
    check_ok(fender_world_advance(a.world, 50, &error));
    const fender_body_data hull = data_of(a.world, a.hull), fore = data_of(a.world, a.fore);
    const fender_body_state same = {hull.position, hull.attitude, hull.velocity, hull.angular_velocity};
    check_ok(fender_body_set_state(a.world, a.hull, &same, &error));
    check_vector(data_of(a.world, a.hull).angular_momentum, hull.angular_momentum, 1e-13);
    check_vector(data_of(a.world, a.hull).linear_momentum, hull.linear_momentum, 1e-13);
    const fender_mass_properties heavy = {3, {0.2, 0, 0.1}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
    check_ok(fender_body_set_mass(a.world, a.fore, &heavy, &error));
    const fender_body_data after = data_of(a.world, a.hull), tip = data_of(a.world, a.fore);
    check_vector(after.velocity, hull.velocity, 1e-13);
    check_vector(after.angular_velocity, hull.angular_velocity, 1e-13);
    check_vector(after.position, hull.position, 1e-13);
    check_vector(tip.velocity, fore.velocity, 1e-13);
    const fender_mass_flow flow = {-1, {0, 0, 0}, fender_mat3_diagonal(-0.03, -0.03, -0.03), 2.5};
    check_ok(fender_body_set_mass_flow(a.world, a.fore, &flow, &error));
    check_ok(fender_world_advance(a.world, 100, &error));
    const fender_ledger ledger = ledger_of(a.world);
    check_near(data_of(a.world, a.fore).core_mass, 2.5, 1e-12);
    check_below(ledger.linear_drift, 1e-12);
    check_below(ledger.angular_drift, 1e-12);
    check_below(fabs(ledger.residual), 1e-3 * ledger.scale); /* masses are those at the middle of a step */
    fender_world_destroy(a.world);
}

/* A body that is attached to a moving arm: both momenta are added, and the arm goes on as told. */
static void body_joins_a_moving_tree(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    fender_body_state start = at_rest();
    start.position = fender_vec3_make(5, 1, 0);
    start.velocity = fender_vec3_make(-1, 0.5, 0.2);
    start.angular_velocity = fender_vec3_make(0, 1, 0);
    const fender_body_id guest = add_body(a.world, "guest", 4, fender_vec3_make(0, 0.1, 0),
                                          fender_mat3_diagonal(0.3, 0.4, 0.5), start);
    /* others may come and be attached before the world goes on */
    for (int i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "other%d", i);
        const fender_body_id other = add_body(a.world, name, 1, fender_vec3_make(0, 0, 0),
                                              fender_mat3_diagonal(1, 1, 1), start);
        if (i % 2) attach(a.world, other, guest, (fender_pose){{1, 0, i}, {1, 0, 0, 0}});
    }
    check_ok(fender_world_initialize(a.world, &error));
    check_ok(fender_world_advance(a.world, 50, &error));
    const fender_ledger before = ledger_of(a.world);
    fender_attach_def def = fender_attach_def_default();
    def.child = guest;
    def.parent = a.fore;
    def.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(a.world, &def, NULL, &error));
    check_ok(fender_world_advance(a.world, 100, &error));
    const fender_ledger after = ledger_of(a.world);
    check_vector(after.linear_momentum, before.linear_momentum, 1e-12);
    check_vector(after.angular_momentum, before.angular_momentum, 1e-12);
    check_below(fabs(after.residual), 1e-4 * after.scale);
    fender_part_state part;
    assert_int_equal(fender_body_get_part(a.world, a.fore, &part), FENDER_STATUS_OK);
    check_near(part.angle, 0.9, 0);
    fender_world_destroy(a.world);
}

/* On a prescribed root, velocities are those of the positions. */
static void part_on_a_prescribed_root(void **state)
{
    (void)state;
    const double h = 1e-4;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, h);
    fender_body_def base_def = fender_body_def_default();
    base_def.name = "base";
    base_def.motion = FENDER_MOTION_PRESCRIBED;
    base_def.state.velocity = fender_vec3_make(0.5, 0, 0.1);
    base_def.state.angular_velocity = fender_vec3_make(0, 0.7, 0.3);
    fender_body_id base;
    check_ok(fender_body_create(world, &base_def, &base, &error));
    const fender_body_id rod = add_body(world, "rod", 1, fender_vec3_make(0.5, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                        at_rest());
    attach(world, rod, base, (fender_pose){{1, 0, 0}, {0.6, 0.8, 0, 0}});
    move_between(world, rod, 0, 1, fender_vec3_make(0, 0.5, 0), fender_vec3_make(0, 1, 0), fender_vec3_make(0, 0, 0.2),
                 2);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 3000, &error));
    const fender_body_data before = data_of(world, rod);
    check_ok(fender_world_advance(world, 1, &error));
    const fender_body_data now = data_of(world, rod);
    check_ok(fender_world_advance(world, 1, &error));
    const fender_body_data after = data_of(world, rod);
    check_vector(now.velocity, difference(after.position, before.position, 2 * h), 1e-6);
    check_vector(now.acceleration, difference(after.center_velocity, before.center_velocity, 2 * h), 1e-5);
    check_near(ledger_of(world).motor, 0, 0); /* masses on an immovable root have no energy in the ledger */
    fender_world_destroy(world);
}

/* A host that integrates by itself gets the rates of the moving tree: its own Runge-Kutta steps are those of the world.
 */
static void host_integrates(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    arm_world b = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    enum { N = FENDER_STATE_PER_BODY };
    assert_int_equal(fender_world_state_count(b.world), N);
    const double h = 0.001;
    for (int i = 0; i < 1000; i++) {
        double y[N], k[4][N], trial[N];
        const double t = h * i, part[4] = {0, 0.5, 0.5, 1};
        fender_world_get_state(b.world, y);
        for (int s = 0; s < 4; s++) {
            for (int n = 0; n < N; n++) trial[n] = y[n] + (s > 0 ? part[s] * h * k[s - 1][n] : 0);
            check_ok(fender_world_set_state(b.world, t + part[s] * h, trial, &error));
            check_ok(fender_world_derivative(b.world, k[s], &error));
        }
        for (int n = 0; n < N; n++) y[n] += h / 6 * (k[0][n] + 2 * k[1][n] + 2 * k[2][n] + k[3][n]);
        check_ok(fender_world_set_state(b.world, h * (i + 1), y, &error));
        check_ok(fender_world_commit(b.world, &error));
    }
    check_ok(fender_world_advance_to(a.world, 1, &error));
    const fender_body_data one = data_of(a.world, a.fore), other = data_of(b.world, b.fore);
    check_vector(other.position, one.position, 1e-7);
    check_vector(other.velocity, one.velocity, 1e-6);
    check_below(ledger_of(b.world).angular_drift, 1e-13);
    check_below(fabs(ledger_of(b.world).residual), 1e-4);
    /* the evaluated clock is at the host's trial, the committed one where it was */
    double y[N];
    fender_world_get_state(b.world, y);
    check_ok(fender_world_set_state(b.world, 1.1, y, &error));
    check_ok(fender_world_evaluate(b.world, &error));
    const fender_body_data still = data_of(b.world, b.fore);
    assert_memory_equal(&still.position, &other.position, sizeof still.position);
    fender_body_data trial;
    assert_int_equal(fender_body_get(b.world, b.fore, FENDER_CLOCK_EVALUATED, &trial), FENDER_STATUS_OK);
    check_below(1e-3, fender_vec3_length(fender_vec3_sub(trial.position, still.position)));
    fender_world_destroy(a.world);
    fender_world_destroy(b.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_on_a_rail),
        cmocka_unit_test(wheel_is_turned),
        cmocka_unit_test(panel_folds),
        cmocka_unit_test(chain_keeps_momentum),
        cmocka_unit_test(observer_makes_no_difference),
        cmocka_unit_test(sensors_see_the_motion),
        cmocka_unit_test(bits_are_kept),
        cmocka_unit_test(command_is_smooth),
        cmocka_unit_test(end_is_that_of_reattaching),
        cmocka_unit_test(part_is_let_go),
        cmocka_unit_test(changes_keep_the_motion),
        cmocka_unit_test(body_joins_a_moving_tree),
        cmocka_unit_test(part_on_a_prescribed_root),
        cmocka_unit_test(host_integrates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
