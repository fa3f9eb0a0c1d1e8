/* Adaptive steps of seconds end at the first touch, whatever falls on whatever: nothing is stepped over, for the first
 * contact is looked for from far away. */
/* items: M027 */
#include "check.h"

typedef struct faller {
    const char *name;
    fender_geometry *geometry;
    double lowest; /* below its origin, m */
} faller;

static fender_env env;

static fender_geometry *flat_mesh(void)
{
    static const fender_vec3 corners[] = {{-20, -20, 0}, {20, -20, 0}, {20, 20, 0}, {-20, 20, 0}, {1, 2, 0}};
    static const int32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return fender_geometry_mesh(&env, &(fender_mesh_def){corners, 5, triangles, 4}, NULL);
}

static fender_geometry *flat_grid(void)
{
    static const double heights[81];
    return fender_geometry_grid(&env, &(fender_grid_def){9, 9, {-20, -20}, {5, 5}, heights}, NULL);
}

static void add_shape(fender_world *world, fender_body_id body, fender_geometry *geometry)
{
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    def.name = "shape";
    def.geometry = geometry;
    if (fender_geometry_type_of(geometry) == FENDER_GEOMETRY_PROBE) /* its line of sight, z, looks down */
        def.X_SG.q = (fender_quaternion){0, 1, 0, 0};
    check_ok(fender_shape_create(world, body, &def, &id, &error));
}

static fender_world *build(fender_geometry *ground, fender_geometry *solid, double height,
                           fender_integrator_method method)
{
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = 1;
    def.relative_tolerance = 1e-10;
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -1.62}, 0, {0, 0, 0}};
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_body_def body = fender_body_def_default();
    fender_body_id id;
    body.name = "ground";
    body.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(world, &body, &id, &error));
    add_shape(world, id, ground);
    body = fender_body_def_default();
    body.name = "faller";
    body.mass_properties = (fender_mass_properties){10, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
    body.state.position = fender_vec3_make(0.3, -0.2, height);
    check_ok(fender_body_create(world, &body, &id, &error));
    add_shape(world, id, solid);
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    union {
        double align;
        char bytes[128];
    } p;
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), p.bytes, 0, 1e4);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .law = law, .law_parameters = p.bytes};
    fender_contact_type_id type_id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(world, &type, &type_id, &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id}, &rule,
        &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Fallen height h: touch at sqrt(2 h / g), found to rounding of the time and of the place. */
static void first_touch(void **state)
{
    (void)state;
    static const fender_vec3 feet[] = {{0, 0, -0.1}, {0.2, 0, 0}, {0, 0.2, 0.1}};
    faller fallers[] = {{"point", fender_geometry_point(&env, NULL), 0},
                        {"cloud", fender_geometry_cloud(&env, feet, 3, NULL), 0.1},
                        {"probe", fender_geometry_probe(&env, 0.8, 0.1, NULL), 0.1},
                        {"sphere", fender_geometry_sphere(&env, 0.2, NULL), 0.2},
                        {"capsule", fender_geometry_capsule(&env, 0.1, 0.3, NULL), 0.4},
                        {"box", fender_geometry_box(&env, fender_vec3_make(0.2, 0.3, 0.1), NULL), 0.1},
                        {"cylinder", fender_geometry_cylinder(&env, 0.2, 0.3, NULL), 0.3}};
    fender_geometry *grounds[] = {fender_geometry_plane(&env, NULL), flat_mesh(), flat_grid()};
    static const char *const names[] = {"plane", "mesh", "grid"};
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_DOPRI5, FENDER_INTEGRATOR_DOP853};
    double worst = 0, longest = 0;
    for (size_t f = 0; f < sizeof fallers / sizeof fallers[0]; f++)
        for (int g = 0; g < 3; g++)
            for (int m = 0; m < 2; m++)
                for (int h = 0; h < 3; h++) {
                    static const double heights[] = {0.7, 5, 60};
                    fender_world *world = build(grounds[g], fallers[f].geometry, heights[h] + fallers[f].lowest,
                                                methods[m]);
                    double expected = sqrt(2 * heights[h] / 1.62), touch = NAN, before = 0;
                    for (int n = 0; n < 1000 && isnan(touch); n++) {
                        check_ok(fender_world_step(world, &error));
                        longest = larger(longest, fender_world_time(world) - before);
                        before = fender_world_time(world);
                        int count;
                        const fender_event *events = fender_world_events(world, &count);
                        for (int i = 0; i < count; i++)
                            if (events[i].kind == FENDER_EVENT_BEGIN) touch = events[i].time;
                        if (before > expected + 1) break;
                    }
                    if (!(fabs(touch - expected) <= 1e-9))
                        print_error("%s on the %s from %g m: touch at %.17g, not %.17g\n", fallers[f].name, names[g],
                                    heights[h], touch, expected);
                    check_near(touch, expected, 1e-9); /* tolerance 1e-10 of the integration */
                    worst = larger(worst, fabs(touch - expected));
                    fender_world_destroy(world);
                }
    print_message("touch found to %.1e s in steps of up to %.1f s\n", worst, longest);
    assert_true(longest > 1);
    for (size_t f = 0; f < sizeof fallers / sizeof fallers[0]; f++) fender_geometry_release(fallers[f].geometry);
    for (int g = 0; g < 3; g++) fender_geometry_release(grounds[g]);
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_touch)};
    return cmocka_run_group_tests_name("long steps", tests, NULL, NULL);
}
