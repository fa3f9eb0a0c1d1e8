/* Surfaces of one body that touch along a border, solids with flush faces, and those that do not: apart, across,
 * closed, tilted, of other bodies. */
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

/* Half extents of 1 m, 1 m, 0.5 m. */
static fender_geometry *slab(void)
{
    const fender_env env = fender_env_default();
    return fender_geometry_box(&env, (fender_vec3){1, 1, 0.5}, NULL);
}

static fender_geometry *rounded_slab(void)
{
    fender_geometry *core = slab(), *rounded = fender_geometry_rounded(core, 0.1, NULL);
    fender_geometry_release(core);
    return rounded;
}

/* The slab in five corners: its top ends in a line on the side of x = -1. */
static fender_geometry *wedge(void)
{
    const fender_env env = fender_env_default();
    const fender_vec3 v[6] = {{-1, -1, 0.5}, {-1, 1, 0.5},    {-1, -1, -0.5},
                              {-1, 1, -0.5}, {1, -0.9, -0.5}, {1, 0.9, -0.5}};
    return fender_geometry_hull(&env, v, 6, NULL);
}

static fender_shape_id place(fender_world *world, const char *name, fender_body_id body, fender_geometry *geometry,
                             fender_pose X_SG)
{
    fender_shape_id id;
    fender_shape_def def = fender_shape_def_default();
    assert_non_null(geometry);
    def.name = name;
    def.geometry = geometry;
    def.X_SG = X_SG;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

static void flush(void **state)
{
    (void)state;
    const fender_quaternion straight = {1, 0, 0, 0};
    const fender_quaternion quarter = {sqrt(0.5), 0, 0, sqrt(0.5)}, tilted = {cos(0.05), 0, sin(0.05), 0};
    const struct {
        fender_geometry *a, *b;
        fender_pose X_b;
        bool other_body, flush;
        const char *what;
    } cases[] = {
        {slab(), slab(), {{2, 0, 0}, straight}, false, true, "boxes side by side"},
        {slab(), slab(), {{2, 0.3, 0}, straight}, false, true, "boxes that are shifted along the joint"},
        {slab(), slab(), {{2, 0.3, 0}, quarter}, false, true, "a box that is turned by a quarter"},
        {slab(), slab(), {{1, 0.3, 0}, straight}, false, true, "boxes that overlap"},
        {slab(), wedge(), {{2, 0.3, 0}, straight}, false, true, "a hull that has only an edge in the plane"},
        {slab(), slab(), {{2.001, 0, 0}, straight}, false, false, "boxes 1 mm apart"},
        {slab(), slab(), {{2, 0.3, 0.001}, straight}, false, false, "boxes with a step of 1 mm"},
        {wedge(), slab(), {{2, 0, -0.3}, straight}, false, false, "a box that stands out beyond the face of a hull"},
        {slab(), slab(), {{2, 2, 0}, straight}, false, false, "boxes that share an upright edge"},
        {slab(), slab(), {{1.9, 0.3, 0}, tilted}, false, false, "a box that is tilted"},
        {slab(), slab(), {{2, 0, 0}, straight}, true, false, "boxes of two bodies"},
        {rounded_slab(), slab(), {{2, 0, 0}, straight}, false, false, "a rounded box"},
        {slab(), plane(), {{0, 0, 0.5}, straight}, false, false, "a plane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fender_env env = fender_env_default();
        const fender_world_def def = fender_world_def_default();
        fender_world *world = fender_world_create(&env, &def, NULL);
        fender_body_id bodies[2];
        fender_body_def body = fender_body_def_default();
        body.motion = FENDER_MOTION_FIXED;
        for (int k = 0; k < 2; k++) {
            body.name = k == 0 ? "ground" : "other";
            check_ok(fender_body_create(world, &body, &bodies[k], &error));
        }
        const fender_pose origin = {{0, 0, 0}, straight};
        const fender_shape_id a = place(world, "a", bodies[0], cases[i].a, origin);
        const fender_shape_id b = place(world, "b", bodies[cases[i].other_body], cases[i].b, cases[i].X_b);
        if (fender_shapes_flush(world, a, b) != cases[i].flush || fender_shapes_flush(world, b, a) != cases[i].flush)
            fail_msg("%s", cases[i].what);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(borders), cmocka_unit_test(flush)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
