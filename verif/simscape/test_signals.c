/* S042 to S046, S062 to S073: the eleven signals of scripted motions against closed forms, for each class of pair. */
/* items: S042 S043 S045 S059 S062 S063 S064 S065 S066 S067 S068 S069 S070 S071 S072 S073 */
#include "scripted.h"

enum { CASES = 40, STEPS = 60 };

/* ---- something flat as the base: what matters of the follower is its lowest point */

typedef enum flat_kind { FLAT_PLANE, FLAT_BOX, FLAT_HULL, FLAT_GRID, FLAT_MESH, FLAT_KINDS } flat_kind;
static const double FLAT_HALF = 5; /* m; half width of those that end, and how far below the top their centre is */

static fender_geometry *flat_geometry(flat_kind kind, double *top)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    const double h = FLAT_HALF;
    *top = kind == FLAT_BOX || kind == FLAT_HULL ? h : 0;
    if (kind == FLAT_PLANE) return fender_geometry_plane(&env, &error);
    if (kind == FLAT_BOX) return fender_geometry_box(&env, fender_vec3_make(h, h, h), &error);
    if (kind == FLAT_HULL) {
        fender_vec3 corners[8];
        for (int i = 0; i < 8; i++) corners[i] = fender_vec3_make(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h);
        return fender_geometry_hull(&env, corners, 8, &error);
    }
    if (kind == FLAT_GRID) {
        static const double heights[9] = {0};
        return fender_geometry_grid(&env, &(fender_grid_def){3, 3, {-h, -h}, {h, h}, heights}, &error);
    }
    fender_vec3 vertices[] = {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    return fender_geometry_mesh(&env, &(fender_mesh_def){vertices, 4, triangles, 2}, &error);
}

typedef struct follower {
    fender_geometry_type type;
    double radius, half_length;
    fender_vec3 size;
    fender_vec3 points[SCRIPTED_POINTS];
} follower;

static follower follower_random(random_stream *r, fender_geometry_type type)
{
    follower f = {.type = type};
    double *const lengths[] = {&f.radius, &f.half_length, &f.size.x, &f.size.y, &f.size.z};
    for (int i = 0; i < 5; i++) *lengths[i] = random_between(r, 0.1, 0.3);
    for (int i = 0; i < SCRIPTED_POINTS; i++) f.points[i] = random_in_ball(r, 0.3);
    return f;
}

static fender_geometry *follower_geometry(const follower *f)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    switch (f->type) {
    case FENDER_GEOMETRY_POINT: return fender_geometry_point(&env, &error);
    case FENDER_GEOMETRY_CLOUD: return fender_geometry_cloud(&env, f->points, SCRIPTED_POINTS, &error);
    case FENDER_GEOMETRY_SPHERE: return fender_geometry_sphere(&env, f->radius, &error);
    case FENDER_GEOMETRY_CAPSULE: return fender_geometry_capsule(&env, f->radius, f->half_length, &error);
    case FENDER_GEOMETRY_DISK: return fender_geometry_disk(&env, f->radius, &error);
    case FENDER_GEOMETRY_BOX: return fender_geometry_box(&env, f->size, &error);
    case FENDER_GEOMETRY_CYLINDER: return fender_geometry_cylinder(&env, f->radius, f->half_length, &error);
    case FENDER_GEOMETRY_CONE: return fender_geometry_cone(&env, f->radius, f->half_length, &error);
    case FENDER_GEOMETRY_ELLIPSOID: return fender_geometry_ellipsoid(&env, f->size, &error);
    default: return fender_geometry_hull(&env, f->points, SCRIPTED_POINTS, &error);
    }
}

static double sign(double x) { return x < 0 ? -1 : 1; }

/* The farthest point along a unit vector, in G. */
static fender_vec3 farthest(const follower *f, fender_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    fender_vec3 rim = fender_vec3_make(f->radius * d.x / across, f->radius * d.y / across, 0), best = f->points[0];
    switch (f->type) {
    case FENDER_GEOMETRY_POINT: return fender_vec3_make(0, 0, 0);
    case FENDER_GEOMETRY_SPHERE: return fender_vec3_scale(f->radius, d);
    case FENDER_GEOMETRY_CAPSULE:
        return fender_vec3_add_scaled(fender_vec3_make(0, 0, sign(d.z) * f->half_length), f->radius, d);
    case FENDER_GEOMETRY_DISK: return rim;
    case FENDER_GEOMETRY_CYLINDER: return fender_vec3_make(rim.x, rim.y, sign(d.z) * f->half_length);
    case FENDER_GEOMETRY_CONE:
        if (d.z * f->half_length > f->radius * across - d.z * f->half_length)
            return fender_vec3_make(0, 0, f->half_length);
        return fender_vec3_make(rim.x, rim.y, -f->half_length);
    case FENDER_GEOMETRY_BOX:
        return fender_vec3_make(sign(d.x) * f->size.x, sign(d.y) * f->size.y, sign(d.z) * f->size.z);
    case FENDER_GEOMETRY_ELLIPSOID: {
        fender_vec3 u = {f->size.x * d.x, f->size.y * d.y, f->size.z * d.z};
        double length = fender_vec3_length(u);
        return fender_vec3_make(f->size.x * u.x / length, f->size.y * u.y / length, f->size.z * u.z / length);
    }
    default:
        for (int i = 1; i < SCRIPTED_POINTS; i++)
            if (fender_vec3_dot(f->points[i], d) > fender_vec3_dot(best, d)) best = f->points[i];
        return best;
    }
}

static closed_form above_flat(fender_pose X_WA, double top, fender_vec3 point)
{
    fender_vec3 normal = fender_quaternion_rotate(X_WA.q, fender_vec3_make(0, 0, 1));
    double distance = fender_vec3_dot(fender_vec3_sub(point, X_WA.p), normal) - top;
    return (closed_form){normal, fender_vec3_add_scaled(point, -distance / 2, normal), distance};
}

static fender_vec3 placed(fender_pose X, fender_vec3 point)
{
    return fender_vec3_add(X.p, fender_quaternion_rotate(X.q, point));
}

/* The point of the follower that counts: the lowest, or point i of a cloud. */
static fender_vec3 counting_point(const follower *f, fender_pose X_WA, fender_pose X_WB, int i)
{
    if (f->type == FENDER_GEOMETRY_CLOUD) return placed(X_WB, f->points[i]);
    fender_vec3 down = fender_quaternion_rotate(X_WA.q, fender_vec3_make(0, 0, -1));
    return placed(X_WB, farthest(f, fender_quaternion_rotate(fender_quaternion_conjugate(X_WB.q), down)));
}

typedef struct tally {
    int states, contacts, beginnings;
    double worst;
    tolerance allowed;
} tally;

static void check_both_orders(const scripted *s, const closed_form *forms, int count, const script *base,
                              const script *other, double t, bool *touching, tally *sum)
{
    fender_contact_signals signals[SCRIPTED_POINTS], turned[SCRIPTED_POINTS], alone;
    int found = -1;
    assert_int_equal(fender_contact_sense(s->world, s->base, s->follower, signals, SCRIPTED_POINTS, &found), 0);
    assert_int_equal(found, count);
    assert_int_equal(fender_contact_sense(s->world, s->follower, s->base, turned, SCRIPTED_POINTS, &found), 0);
    assert_int_equal(found, count);
    for (int i = 0; i < count; i++) {
        check_signals(&signals[i], &forms[i], base, other, t, sum->allowed, &sum->worst);
        closed_form mirror = turned_round(forms[i]);
        check_signals(&turned[i], &mirror, other, base, t, sum->allowed, &sum->worst);
        assert_int_equal(fender_contact_sense_point(s->world, s->base, s->follower, i, &alone), 0);
        check_near(alone.separation_distance, signals[i].separation_distance, 0);
        check_vector(alone.base_translation, signals[i].base_translation, 0);
        sum->states++;
        sum->contacts += signals[i].contact;
        sum->beginnings += signals[i].contact && !touching[i];
        touching[i] = signals[i].contact;
    }
}

static tally flat_pairs(flat_kind kind, fender_geometry_type type)
{
    tally sum = {.allowed = TO_ROUNDING};
    for (uint64_t n = 0; n < CASES; n++) {
        random_stream r = random_of_case(900 + (uint64_t)kind * 20 + (uint64_t)type, n);
        double top;
        fender_geometry *flat = flat_geometry(kind, &top);
        follower f = follower_random(&r, type);
        fender_geometry *geometry = follower_geometry(&f);
        assert_true(flat && geometry);
        script base = script_random(&r, 1, 0.5, 0.3), other = script_random(&r, 1, 0, 3);
        /* a little above, or in it, somewhere within the border; moving so that it comes or goes within the test */
        fender_pose X_WA = script_pose(&base, 0);
        double x = random_between(&r, -3, 3), y = random_between(&r, -3, 3);
        fender_pose X_AB = {{x, y, top}, random_rotation(&r)};
        fender_pose X_WB = fender_pose_product(X_WA, X_AB);
        double gap = random_between(&r, -0.02, 0.03);
        closed_form form = above_flat(X_WA, top, counting_point(&f, X_WA, X_WB, 0));
        X_WB.p = fender_vec3_add_scaled(X_WB.p, gap - form.distance, form.normal);
        script_place(&other, X_WB);
        fender_vec3 at_place = script_velocity(&base, 0, X_WB.p);
        fender_vec3 rise = fender_vec3_scale(-40 * gap * random_between(&r, 0.3, 1), form.normal);
        other.v = fender_vec3_add(fender_vec3_add(at_place, rise), random_in_ball(&r, n % 2 ? 1 : 0.05));
        scripted s = scripted_build(&base, flat, &other, geometry, n % 4 == 3, FENDER_CONTACT_POINTS_SINGLE);
        bool touching[SCRIPTED_POINTS] = {false};
        int count = type == FENDER_GEOMETRY_CLOUD ? SCRIPTED_POINTS : 1;
        for (int i = 0; i <= STEPS; i++) {
            double t = i * SCRIPTED_STEP;
            closed_form forms[SCRIPTED_POINTS];
            X_WA = script_pose(&base, t), X_WB = script_pose(&other, t);
            for (int k = 0; k < count; k++) forms[k] = above_flat(X_WA, top, counting_point(&f, X_WA, X_WB, k));
            check_both_orders(&s, forms, count, &base, &other, t, touching, &sum);
            check_ok(fender_world_step(s.world, &error));
        }
        fender_world_destroy(s.world);
        fender_geometry_release(flat);
        fender_geometry_release(geometry);
    }
    return sum;
}

static void on_something_flat(void **state)
{
    (void)state;
    static const fender_geometry_type bases[] = {FENDER_GEOMETRY_PLANE, FENDER_GEOMETRY_BOX, FENDER_GEOMETRY_HULL,
                                                 FENDER_GEOMETRY_GRID, FENDER_GEOMETRY_MESH};
    static const fender_geometry_type others[] = {
        FENDER_GEOMETRY_POINT,     FENDER_GEOMETRY_CLOUD, FENDER_GEOMETRY_SPHERE,   FENDER_GEOMETRY_CAPSULE,
        FENDER_GEOMETRY_DISK,      FENDER_GEOMETRY_BOX,   FENDER_GEOMETRY_CYLINDER, FENDER_GEOMETRY_CONE,
        FENDER_GEOMETRY_ELLIPSOID, FENDER_GEOMETRY_HULL};
    int checked = 0;
    for (int b = 0; b < FLAT_KINDS; b++)
        for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
            const char *one = fender_geometry_type_name(bases[b]), *other = fender_geometry_type_name(others[o]);
            if (!fender_geometry_pair_supported(bases[b], others[o])) {
                print_message("%5s, %-9s: no contact function\n", one, other);
                continue;
            }
            tally t = flat_pairs((flat_kind)b, others[o]);
            print_message("%5s, %-9s: %d states, %d in contact, %d beginnings, off by %.1e of what is allowed\n", one,
                          other, t.states, t.contacts, t.beginnings, t.worst);
            assert_true(t.contacts > t.states / 10 && t.contacts < t.states && t.beginnings > 0);
            checked++;
        }
    assert_true(checked > 0);
}

/* ---- two round shapes */

static closed_form between_points(fender_vec3 p, double radius_p, fender_vec3 q, double radius_q)
{
    fender_vec3 way = fender_vec3_sub(q, p);
    double length = fender_vec3_length(way), distance = length - radius_p - radius_q;
    fender_vec3 normal = fender_vec3_scale(1 / length, way);
    return (closed_form){normal, fender_vec3_add_scaled(p, radius_p + distance / 2, normal), distance};
}

/* Nearest point of the axis of a capsule (a point: half length 0). */
static fender_vec3 on_axis(fender_pose X, double half_length, fender_vec3 point)
{
    fender_vec3 axis = fender_quaternion_rotate(X.q, fender_vec3_make(0, 0, 1));
    double along = fender_vec3_dot(fender_vec3_sub(point, X.p), axis);
    along = along > half_length ? half_length : along < -half_length ? -half_length : along;
    return fender_vec3_add_scaled(X.p, along, axis);
}

static void round_shapes(void **state)
{
    (void)state;
    static const char *const names[] = {"sphere", "capsule", "cloud"};
    for (int kind = 0; kind < 3; kind++) { /* a sphere as the base; the other's kind */
        if (kind == 2 && !fender_geometry_pair_supported(FENDER_GEOMETRY_SPHERE, FENDER_GEOMETRY_CLOUD)) continue;
        tally sum = {.allowed = TO_ROUNDING};
        fender_env env = fender_env_default();
        for (uint64_t n = 0; n < CASES; n++) {
            random_stream r = random_of_case(1200 + (uint64_t)kind, n);
            follower f = follower_random(&r, FENDER_GEOMETRY_CLOUD);
            double radius = random_between(&r, 0.2, 0.5), other_radius = kind == 2 ? 0 : f.radius;
            double half_length = kind == 1 ? f.half_length : 0;
            fender_error none = {0};
            fender_geometry *ball = fender_geometry_sphere(&env, radius, &none);
            fender_geometry *geometry = kind == 0   ? fender_geometry_sphere(&env, other_radius, &none)
                                        : kind == 1 ? fender_geometry_capsule(&env, other_radius, half_length, &none)
                                                    : follower_geometry(&f);
            script base = script_random(&r, 1, 0.5, 2), other = script_random(&r, 1, 0, 2);
            fender_pose X_WA = script_pose(&base, 0);
            fender_vec3 way = random_direction(&r);
            double far = radius + other_radius + random_between(&r, -0.03, 0.05);
            fender_pose X_WB = {fender_vec3_add_scaled(X_WA.p, far, way), random_rotation(&r)};
            script_place(&other, X_WB);
            fender_vec3 come = fender_vec3_scale(random_between(&r, -1, 0.3), way);
            other.v = fender_vec3_add(fender_vec3_add(script_velocity(&base, 0, X_WB.p), come),
                                      random_in_ball(&r, 0.3));
            scripted s = scripted_build(&base, ball, &other, geometry, n % 2, FENDER_CONTACT_POINTS_SINGLE);
            bool touching[SCRIPTED_POINTS] = {false};
            int count = kind == 2 ? SCRIPTED_POINTS : 1;
            for (int i = 0; i <= STEPS; i++) {
                double t = i * SCRIPTED_STEP;
                closed_form forms[SCRIPTED_POINTS];
                X_WA = script_pose(&base, t), X_WB = script_pose(&other, t);
                for (int k = 0; k < count; k++) {
                    fender_vec3 core = kind == 2 ? placed(X_WB, f.points[k]) : on_axis(X_WB, half_length, X_WA.p);
                    forms[k] = between_points(X_WA.p, radius, core, other_radius);
                }
                check_both_orders(&s, forms, count, &base, &other, t, touching, &sum);
                check_ok(fender_world_step(s.world, &error));
            }
            fender_world_destroy(s.world);
            fender_geometry_release(ball);
            fender_geometry_release(geometry);
        }
        print_message("sphere, %-8s: %d states, %d in contact, %d beginnings, off by %.1e of what is allowed\n",
                      names[kind], sum.states, sum.contacts, sum.beginnings, sum.worst);
        assert_true(sum.contacts > sum.states / 10 && sum.contacts < sum.states && sum.beginnings > 0);
    }
}

/* A box that comes down on a plane with its whole face: one signal for the pair, whatever its contacts. Their weights
 * add up to one, so that the forces are those of one contact with the whole stiffness. */
static void a_face_on_a_plane(void **state)
{
    (void)state;
    tally sum = {.allowed = TO_ROUNDING};
    fender_env env = fender_env_default();
    int largest = 0;
    for (uint64_t n = 0; n < CASES; n++) {
        random_stream r = random_of_case(1250, n);
        fender_error none = {0};
        follower f = follower_random(&r, FENDER_GEOMETRY_BOX);
        f.size.z = 0.1; /* so that it is a largest face, which the stiffness is of */
        fender_geometry *plane = fender_geometry_plane(&env, &none), *box = follower_geometry(&f);
        script base = script_random(&r, 1, 0.5, 0), other = script_random(&r, 1, 0, 0);
        fender_pose X_WA = script_pose(&base, 0);
        double gap = random_between(&r, -0.02, 0.03), angle = random_between(&r, -1, 1);
        fender_pose X_AB = {{random_between(&r, -1, 1), random_between(&r, -1, 1), f.size.z + gap},
                            {cos(angle), 0, 0, sin(angle)}};
        script_place(&other, fender_pose_product(X_WA, X_AB));
        fender_vec3 down = fender_quaternion_rotate(
            X_WA.q, fender_vec3_make(random_between(&r, -0.1, 0.1), random_between(&r, -0.1, 0.1), -37 * gap));
        other.v = fender_vec3_add(base.v, down);
        scripted s = scripted_build(&base, plane, &other, box, n % 2, FENDER_CONTACT_POINTS_PATCH);
        bool touching[1] = {false};
        for (int i = 0; i <= STEPS; i++) {
            double t = i * SCRIPTED_STEP;
            X_WA = script_pose(&base, t);
            fender_pose X_WB = script_pose(&other, t);
            closed_form form = above_flat(X_WA, 0, placed(X_WB, fender_vec3_make(0, 0, -f.size.z)));
            check_both_orders(&s, &form, 1, &base, &other, t, touching, &sum);
            int contacts = fender_contact_count(s.world, FENDER_CLOCK_COMMITTED);
            if (contacts > largest) largest = contacts;
            check_ok(fender_world_step(s.world, &error));
        }
        fender_world_destroy(s.world);
        fender_geometry_release(plane);
        fender_geometry_release(box);
    }
    print_message(
        "face of a box on a plane: %d states, %d in contact, up to %d contacts, off by %.1e of what is allowed\n",
        sum.states, sum.contacts, largest, sum.worst);
    assert_true(sum.contacts > sum.states / 10 && sum.contacts < sum.states && largest == 4);
}

static void misuse(void **state)
{
    (void)state;
    random_stream r = random_of_case(1300, 0);
    fender_env env = fender_env_default();
    fender_error none = {0};
    fender_geometry *ball = fender_geometry_sphere(&env, 1, &none), *plane = fender_geometry_plane(&env, &none);
    script base = script_random(&r, 1, 0, 0), other = script_random(&r, 5, 0, 0);
    scripted s = scripted_build(&base, ball, &other, ball, false, FENDER_CONTACT_POINTS_PATCH);
    fender_contact_signals signals[2];
    int count = -7;
    fender_shape_id no_shape = {9, 1, 1};
    assert_int_equal(fender_contact_sense(s.world, s.base, no_shape, signals, 2, &count), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_contact_sense(s.world, s.base, s.base, signals, 2, &count), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_contact_sense(s.world, s.base, s.follower, NULL, 2, &count), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_contact_sense(s.world, s.base, s.follower, signals, -1, &count), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_contact_sense_point(s.world, s.base, s.follower, 1, signals), FENDER_STATUS_ARGUMENT);
    assert_int_equal(count, -7);
    assert_int_equal(fender_contact_sense(s.world, s.base, s.follower, NULL, 0, &count), FENDER_STATUS_OK);
    assert_int_equal(count, 1);
    fender_world_destroy(s.world);
    s = scripted_build(&base, plane, &other, plane, false, FENDER_CONTACT_POINTS_PATCH);
    assert_int_equal(fender_contact_sense(s.world, s.base, s.follower, signals, 2, &count),
                     FENDER_STATUS_NO_PAIR_FUNCTION);
    fender_world_destroy(s.world);
    fender_geometry_release(ball);
    fender_geometry_release(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_something_flat),
        cmocka_unit_test(round_shapes),
        cmocka_unit_test(a_face_on_a_plane),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
