/* Fast bodies and a plate of a mesh 1 cm thick: a step that would take them over to its other side ends before it. */
#include "check.h"
#include <string.h>

typedef enum flier { BALL, BOX, POINT, FLIERS, FEET, STANDING_FEET } flier;
static const char *const names[FLIERS] = {"ball", "box", "point"};
static const double leg = 0.3; /* m; from the centre down to the four feet */

typedef struct flight {
    double lowest, end_z, end_speed;
    int steps;
} flight;

static fender_geometry *plate(const fender_env *env)
{
    static const fender_vec3 v[8] = {{-1, -1, -0.005}, {1, -1, -0.005}, {1, 1, -0.005}, {-1, 1, -0.005},
                                     {-1, -1, 0.005},  {1, -1, 0.005},  {1, 1, 0.005},  {-1, 1, 0.005}};
    static const int32_t t[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    fender_mesh_def mesh = {v, 8, &t[0][0], 12};
    return fender_geometry_mesh(env, &mesh, NULL);
}

static fender_geometry *feet(const fender_env *env)
{
    const fender_vec3 points[4] = {{0.2, 0.2, -leg}, {-0.2, 0.2, -leg}, {0.2, -0.2, -leg}, {-0.2, -0.2, -leg}};
    return fender_geometry_cloud(env, points, 4, NULL);
}

static void shape_of(fender_world *world, fender_body_id body, fender_geometry *geometry)
{
    fender_shape_def shape = fender_shape_def_default();
    fender_shape_id id;
    shape.name = "shape";
    shape.geometry = geometry;
    check_ok(fender_shape_create(world, body, &shape, &id, &error));
    fender_geometry_release(geometry);
}

static fender_world *range(flier kind, double speed, double spin, double height, double stiffness, double step,
                           fender_body_id *id)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_RK4;
    def.step = step;
    def.gravity = (fender_gravity){FENDER_GRAVITY_NONE, {0, 0, 0}, 0, {0, 0, 0}};
    fender_error none = {0};
    fender_world *world = fender_world_create(&env, &def, &none);
    assert_non_null(world);
    fender_body_def body = fender_body_def_default();
    fender_body_id ground;
    body.name = "plate";
    body.motion = FENDER_MOTION_FIXED;
    if (kind == STANDING_FEET) { /* the plate comes */
        body.motion = FENDER_MOTION_DYNAMIC;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        body.state.velocity.z = speed;
    }
    check_ok(fender_body_create(world, &body, &ground, &error));
    shape_of(world, ground, plate(&env));
    body = fender_body_def_default();
    body.name = "flier";
    body.mass_properties.mass = 1;
    body.mass_properties.inertia = fender_mat3_diagonal(1e-3, 1e-3, 1e-3);
    body.state.position = fender_vec3_make(0.013, 0.021, height);
    body.state.velocity = fender_vec3_make(0, 0, -speed);
    body.state.angular_velocity = fender_vec3_make(spin, 0, 0);
    if (kind == STANDING_FEET) {
        body.motion = FENDER_MOTION_FIXED;
        body.state.velocity.z = 0;
    }
    check_ok(fender_body_create(world, &body, id, &error));
    shape_of(world, *id,
             kind == BALL   ? fender_geometry_sphere(&env, 0.03, NULL)
             : kind == BOX  ? fender_geometry_box(&env, fender_vec3_make(0.04, 0.03, 0.03), NULL)
             : kind >= FEET ? feet(&env)
                            : fender_geometry_point(&env, NULL));
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    union {
        double align;
        char bytes[256];
    } p;
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), p.bytes, 0, stiffness);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .normal = law, .normal_parameters = p.bytes};
    fender_contact_type_id type_id;
    check_ok(fender_contact_type_create(world, &type, &type_id, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id};
    fender_rule_id rule_id;
    check_ok(fender_rule_create(world, &rule, &rule_id, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static flight fly(flier kind, double speed, double height, double stiffness, double step)
{
    fender_body_id id;
    fender_world *world = range(kind, speed, 0, height, stiffness, step, &id);
    flight f = {.lowest = INFINITY};
    for (; f.steps < 60; f.steps++) {
        check_ok(fender_world_step(world, &error));
        fender_body_data data;
        assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
        f.lowest = data.position.z < f.lowest ? data.position.z : f.lowest;
        f.end_z = data.position.z;
        f.end_speed = data.velocity.z;
    }
    fender_world_destroy(world);
    return f;
}

static void nothing_passes(void **state)
{
    (void)state;
    for (int kind = 0; kind < FLIERS; kind++)
        for (int n = 0; n < 8; n++) {
            /* steps of 4.8 cm for a body of 6 cm, 7.5 mm for a point; the longest that the stiffness bears are 1.3
             * times as long. The contact holds: speed / frequency is 2.1 cm, 2.5 mm. */
            bool point = kind == POINT;
            double height = point ? 0.02 + 0.85e-3 * n : 0.12 + 6e-3 * n;
            flight f = fly((flier)kind, point ? 50 : 30, height, point ? 4e8 : 2e6, point ? 1.35e-4 : 1.6e-3);
            print_message("%-5s from %.4f m: ends at %.3g m with %.3g m/s, lowest %.3g m\n", names[kind], height,
                          f.end_z, f.end_speed, f.lowest);
            /* back on its own side, and the middle never beyond the plate */
            assert_true(f.end_z > 0.1 && f.end_speed > 0 && f.lowest > -0.005);
        }
}

/* Each point of a cloud is followed, not the origin of its axes. As the point above, with a fourth of its stiffness
 * each. */
static void feet_hold(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++) {
        flight f = fly(FEET, 50, leg + 0.02 + 0.85e-3 * n, 1e8, 1.35e-4);
        print_message("feet from %.4f m: end at %.3g m with %.3g m/s, lowest %.3g m\n", 0.02 + 0.85e-3 * n,
                      f.end_z - leg, f.end_speed, f.lowest - leg);
        assert_true(f.end_z - leg > 0.1 && f.end_speed > 0 && f.lowest - leg > -0.005);
    }
}

/* Feet that fall on a plate in a step 20 times as long as the plate is thick have met it, and so have feet that stand
 * where the plate comes from below: no step is taken from one side to the other without a contact. */
static void feet_are_seen(void **state)
{
    (void)state;
    for (int n = 0; n < 16; n++) {
        fender_body_id id; /* the contact is too weak to change the way */
        fender_world *world = range(n < 8 ? FEET : STANDING_FEET, 2000, 0, leg + 0.1 + 0.023 * (n % 8), 1, 1e-4, &id);
        check_ok(fender_world_advance(world, 20, &error));
        assert_int_equal(fender_world_event_count(world, FENDER_EVENT_BEGIN), 4);
        fender_world_destroy(world);
    }
}

/* What turns too fast to be followed ends the run with its names and its speed; what turns as fast far off does not. */
static void too_fast(void **state)
{
    (void)state;
    fender_body_id id;
    fender_error found = {0};
    fender_world *world = range(BOX, 0, 1e9, 0.12, 2e6, 1.6e-3, &id);
    assert_int_equal(fender_world_step(world, &found), FENDER_STATUS_INTEGRATOR);
    assert_non_null(strstr(found.message, "'flier.shape' and 'plate.shape' approach at up to 5.8"));
    assert_non_null(strstr(found.message, "e+07 m/s"));
    assert_non_null(strstr(found.suggestion, "a shorter integrator.step"));
    fender_world_destroy(world);
    world = range(BOX, 0, 1e4, 0.12, 2e6, 1.6e-3, &id);
    check_ok(fender_world_advance(world, 20, &error));
    fender_world_destroy(world);
}

/* What is switched on while it flies is held from then on. */
static void switched(void **state)
{
    (void)state;
    fender_body_id id;
    fender_shape_id shape;
    fender_body_data data;
    for (int n = 0; n < 8; n++) { /* as above, two steps before */
        fender_world *world = range(BALL, 30, 0, 0.216 + 6e-3 * n, 2e6, 1.6e-3, &id);
        check_ok(fender_shape_find(world, id, "shape", &shape));
        check_ok(fender_shape_set_active(world, shape, false));
        check_ok(fender_world_advance(world, 2, &error));
        check_ok(fender_shape_set_active(world, shape, true));
        check_ok(fender_world_advance(world, 40, &error));
        check_ok(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data));
        assert_true(data.position.z > 0.1 && data.velocity.z > 0);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_passes), cmocka_unit_test(feet_hold),
                                       cmocka_unit_test(feet_are_seen), cmocka_unit_test(too_fast),
                                       cmocka_unit_test(switched)};
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
