/* Surfaces of one body that touch along a border, and those that do not: apart, across, closed, of other bodies. */
#include "check.h"
#include <fender/advice.h>

static fender_geometry *grid(double x, double width, int columns)
{
    double heights[40] = {0};
    const fender_env env = fender_env_default();
    const fender_grid_def def = {columns, 2, {x, -1}, {width / (columns - 1), 2}, heights};
    return fender_geometry_grid(&env, &def, NULL);
}

/* A sheet from x on, or upright across it. */
static fender_geometry *sheet(double x, bool upright)
{
    const fender_env env = fender_env_default();
    const fender_vec3 flat[4] = {{x, -1, 0}, {x + 2, -1, 0}, {x + 2, 1, 0}, {x, 1, 0}};
    const fender_vec3 across[4] = {{x, -0.5, -1}, {x, 0.5, -1}, {x, 0.5, 1}, {x, -0.5, 1}};
    static const int32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const fender_mesh_def def = {upright ? across : flat, 4, &triangles[0][0], 2};
    return fender_geometry_mesh(&env, &def, NULL);
}

static fender_geometry *block(double x)
{
    const fender_env env = fender_env_default();
    const fender_vec3 v[4] = {{x, -1, 0}, {x + 2, -1, 0}, {x, 1, 0}, {x, -1, -1}};
    static const int32_t triangles[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    const fender_mesh_def def = {v, 4, &triangles[0][0], 4};
    return fender_geometry_mesh(&env, &def, NULL);
}

static fender_geometry *plane(void)
{
    const fender_env env = fender_env_default();
    return fender_geometry_plane(&env, NULL);
}

static void borders(void **state)
{
    (void)state;
    const struct {
        fender_geometry *a, *b;
        fender_vec3 shift; /* of b */
        bool other_body, adjoin;
        const char *what;
    } cases[] = {
        {grid(-2, 2, 3), grid(0, 2, 3), {0, 0, 0}, false, true, "grids side by side"},
        {grid(-2, 2, 3), grid(0, 2, 5), {0, 0.3, 0}, false, true, "grids that are shifted along the border"},
        {grid(-2, 2, 3), grid(-0.5, 2, 3), {0.5, 0, 0}, false, true, "grids that are placed side by side"},
        {grid(-2, 2, 3), sheet(0, false), {0, 0, 0}, false, true, "a grid and a mesh"},
        {sheet(-2, false), sheet(0, false), {0, 0, 0}, false, true, "meshes"},
        {sheet(-2, false), sheet(-1, false), {0, 0, 0}, false, true, "meshes that overlap"},
        {grid(-2, 2, 3), grid(0, 2, 3), {0.001, 0, 0}, false, false, "grids 1 mm apart"},
        {grid(-2, 2, 3), grid(0, 2, 3), {0, 0, 0.001}, false, false, "grids with a step of 1 mm"},
        {grid(-2, 2, 3), grid(0, 2, 3), {0, 2, 0}, false, false, "grids that share a corner"},
        {sheet(-2, false), sheet(-1, true), {0, 0, 0}, false, false, "a sheet across another"},
        {block(-2), block(-2), {0, 0, 0}, false, false, "closed solids"},
        {grid(-2, 2, 3), grid(0, 2, 3), {0, 0, 0}, true, false, "grids of two bodies"},
        {grid(-2, 2, 3), plane(), {0, 0, 0}, false, false, "a plane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fender_env env = fender_env_default();
        const fender_world_def def = fender_world_def_default();
        fender_world *world = fender_world_create(&env, &def, NULL);
        fender_body_id bodies[2];
        fender_shape_id shapes[2];
        for (int k = 0; k < 2; k++) {
            fender_body_def body = fender_body_def_default();
            body.name = k == 0 ? "ground" : "other";
            body.motion = FENDER_MOTION_FIXED;
            check_ok(fender_body_create(world, &body, &bodies[k], &error));
        }
        for (int k = 0; k < 2; k++) {
            fender_shape_def shape = fender_shape_def_default();
            shape.name = k == 0 ? "a" : "b";
            shape.geometry = k == 0 ? cases[i].a : cases[i].b;
            assert_non_null(shape.geometry);
            if (k == 1) shape.X_SG.p = cases[i].shift;
            check_ok(fender_shape_create(world, bodies[k == 1 && cases[i].other_body], &shape, &shapes[k], &error));
            fender_geometry_release(shape.geometry);
        }
        if (fender_shapes_adjoin(world, shapes[0], shapes[1]) != cases[i].adjoin ||
            fender_shapes_adjoin(world, shapes[1], shapes[0]) != cases[i].adjoin)
            fail_msg("%s", cases[i].what);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(borders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
