/* Force over stiffness and depth, of every solid on every ground. */
#include "check.h"
#include "random_numbers.h"
#include <fender/geometry.h>

static fender_env env;

enum { DEPTHS = 5, GROUNDS = 6, SIDE = 81 };
static const double depths[DEPTHS] = {0.005, 0.01, 0.02, 0.05, 0.1};
static const char *const ground_names[GROUNDS] = {"plane", "box", "grid", "mesh", "rough grid", "rough mesh"};

enum { RUGGED_GRID = GROUNDS, RUGGED_MESH };

static fender_geometry *ground_of(int kind)
{
    const double noise = kind < 4 ? 0 : kind < GROUNDS ? 4e-4 : 0.01;
    static double heights[SIDE * SIDE];
    static fender_vec3 vertices[SIDE * SIDE];
    static int32_t triangles[6 * (SIDE - 1) * (SIDE - 1)];
    random_stream r = random_of_case(77, 0);
    int n = 0;
    if (kind == 0) return fender_geometry_plane(&env, NULL);
    if (kind == 1) return fender_geometry_box(&env, fender_vec3_make(2, 2, 1), NULL);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int at = j * SIDE + i;
            heights[at] = noise > 0 ? random_between(&r, -noise, noise) : 0;
            vertices[at] = fender_vec3_make(-2 + 0.05 * i, -2 + 0.05 * j, heights[at]);
            if (i + 1 == SIDE || j + 1 == SIDE) continue;
            const int32_t corners[6] = {at, at + 1, at + SIDE + 1, at, at + SIDE + 1, at + SIDE};
            for (int k = 0; k < 6; k++) triangles[n++] = corners[k];
        }
    fender_grid_def grid = {SIDE, SIDE, {-2, -2}, {0.05, 0.05}, heights};
    fender_mesh_def mesh = {vertices, SIDE * SIDE, triangles, n / 3};
    return kind % 2 ? fender_geometry_mesh(&env, &mesh, NULL) : fender_geometry_grid(&env, &grid, NULL);
}

typedef struct stand {
    const char *name;
    fender_geometry *solid;
    double tilt, height; /* about y; of the origin when it touches a plane */
    bool face;           /* is the whole stiffness meant? */
} stand;

/* `sides`: corners of the rim. */
static fender_geometry *prism(double radius, double half_length, int sides)
{
    fender_vec3 points[128];
    for (int i = 0; i < sides; i++) {
        double angle = i * 6.28318530717958647693 / sides;
        points[2 * i] = fender_vec3_make(radius * cos(angle), radius * sin(angle), -half_length);
        points[2 * i + 1] = fender_vec3_make(radius * cos(angle), radius * sin(angle), half_length);
    }
    return fender_geometry_hull(&env, points, 2 * sides, NULL);
}

static fender_geometry *rounded(fender_geometry *core)
{
    fender_geometry *result = fender_geometry_rounded(core, 0.05, NULL);
    fender_geometry_release(core);
    return result;
}

static fender_geometry *closed_mesh(void)
{
    fender_geometry *box = fender_geometry_box(&env, fender_vec3_make(0.5, 0.4, 0.3), NULL);
    int count;
    const fender_vec3 *vertices = fender_geometry_vertices(box, &count);
    int32_t indices[36];
    int triangles = fender_geometry_triangles(box, indices, 36) / 3;
    fender_mesh_def def = {vertices, count, indices, triangles};
    fender_geometry *mesh = fender_geometry_mesh(&env, &def, NULL);
    fender_geometry_release(box);
    return mesh;
}

static double stiffness(const fender_geometry *ground, double top, const stand *s, double depth)
{
    static fender_separation contacts[8192];
    const fender_pose at = {{0, 0, 0}, {1, 0, 0, 0}};
    fender_pose pose = {{0.013, 0.027, top + s->height - depth}, {cos(0.5 * s->tilt), 0, sin(0.5 * s->tilt), 0}};
    int count;
    assert_int_equal(
        fender_geometry_contacts(ground, &at, s->solid, &pose, FENDER_CONTACT_POINTS_PATCH, 0, contacts, 8192, &count),
        FENDER_STATUS_OK);
    assert_true(count <= 8192);
    double force = 0;
    for (int i = 0; i < count; i++)
        if (contacts[i].distance < 0) force -= contacts[i].weight * contacts[i].distance * contacts[i].normal.z;
    return force / depth;
}

static void table(void **state)
{
    (void)state;
    env = fender_env_default();
    const double half = 1.57079632679489661923;
    stand stands[] = {
        {"box", fender_geometry_box(&env, fender_vec3_make(0.5, 0.4, 0.3), NULL), 0, 0.3, true},
        {"rounded box", rounded(fender_geometry_box(&env, fender_vec3_make(0.45, 0.35, 0.25), NULL)), 0, 0.3, true},
        {"hull, 32-sided prism", prism(0.4, 0.2, 32), 0, 0.2, true},
        {"closed mesh", closed_mesh(), 0, 0.3, true},
        {"cylinder", fender_geometry_cylinder(&env, 0.3, 0.5, NULL), 0, 0.5, true},
        {"cylinder, 1 m high", fender_geometry_cylinder(&env, 0.2, 0.5, NULL), 0, 0.5, true},
        {"cylinder, 6 cm high", fender_geometry_cylinder(&env, 0.3, 0.03, NULL), 0, 0.03, true},
        {"disk", fender_geometry_disk(&env, 0.4, NULL), 0, 0, true},
        {"rounded cylinder", rounded(fender_geometry_cylinder(&env, 0.35, 0.15, NULL)), 0, 0.2, true},
        {"cone on its base", fender_geometry_cone(&env, 0.4, 0.5, NULL), 0, 0.5, true},
        {"ball", fender_geometry_sphere(&env, 0.4, NULL), 0, 0.4, true},
        {"ellipsoid", fender_geometry_ellipsoid(&env, fender_vec3_make(0.5, 0.35, 0.25), NULL), 0, 0.25, true},
        {"cylinder on its side", fender_geometry_cylinder(&env, 0.3, 0.5, NULL), half, 0.3, false},
        {"wheel, 20 cm wide", fender_geometry_cylinder(&env, 0.4, 0.1, NULL), half, 0.4, false},
        {"rounded wheel", rounded(fender_geometry_cylinder(&env, 0.35, 0.05, NULL)), half, 0.4, false},
        {"disk on its rim", fender_geometry_disk(&env, 0.4, NULL), half, 0.4, false},
        {"rounded disk upright", rounded(fender_geometry_disk(&env, 0.35, NULL)), half, 0.4, false},
        {"capsule on its side", fender_geometry_capsule(&env, 0.3, 0.5, NULL), half, 0.3, false},
        {"capsule on its end", fender_geometry_capsule(&env, 0.3, 0.5, NULL), 0, 0.8, false},
    };
    for (int kind = 0; kind < GROUNDS; kind++) {
        fender_geometry *ground = ground_of(kind);
        printf("on a %s, at 5, 10, 20, 50, 100 mm\n", ground_names[kind]);
        for (size_t i = 0; i < sizeof stands / sizeof stands[0]; i++) {
            printf("  %-22s", stands[i].name);
            for (int d = 0; d < DEPTHS; d++) {
                double found = stiffness(ground, kind == 1, &stands[i], depths[d]);
                printf(" %.3f", found);
                /* Faces take the mean of the heights below them, a sphere the one height where it touches. */
                fender_geometry_type type = fender_geometry_type_of(stands[i].solid);
                bool ball = type == FENDER_GEOMETRY_SPHERE || type == FENDER_GEOMETRY_ELLIPSOID;
                double rough = ball ? 4e-4 / depths[d] : 0.05;
                if (stands[i].face) check_near(found, 1, kind < 4 || rough < 0.01 ? 0.01 : rough);
                if (!stands[i].face) assert_true(found > 0.3 && found < 1.05);
                /* on flat ground that is not a plane the sides of cylinders and disks, rounded or not, are alike */
                const bool side = !stands[i].face && type != FENDER_GEOMETRY_CAPSULE;
                if (side && kind > 0 && kind < 4) check_near(found, 1 - 0.5 * depths[d] / stands[i].height, 0.01);
            }
            printf("\n");
        }
        fender_geometry_release(ground);
    }
    for (size_t i = 0; i < sizeof stands / sizeof stands[0]; i++) fender_geometry_release(stands[i].solid);
}

/* The side of wheels and disks on a rounded box has the pressure of a radius that has both roundings. */
static void on_a_rounded_box(void **state)
{
    (void)state;
    env = fender_env_default();
    const double half = 1.57079632679489661923;
    const stand sides[] = {{"", fender_geometry_cylinder(&env, 0.4, 0.1, NULL), half, 0.4, false},
                           {"", rounded(fender_geometry_cylinder(&env, 0.35, 0.05, NULL)), half, 0.4, false},
                           {"", fender_geometry_disk(&env, 0.4, NULL), half, 0.4, false}};
    fender_geometry *box = rounded(fender_geometry_box(&env, fender_vec3_make(2, 2, 1), NULL));
    for (int i = 0; i < 3; i++) {
        for (int d = 0; d < DEPTHS; d++)
            check_near(stiffness(box, 1.05, &sides[i], depths[d]), 1 - 0.5 * depths[d] / (0.4 + 0.05), 1e-3);
        fender_geometry_release(sides[i].solid);
    }
    fender_geometry_release(box);
}

/* On facets of 20 to 30 degrees a round pad has the force of a hull of 64 sides, whose theory knows no pressure within
 * the solid. 3 %: the rim's columns, and the borders of its 64 sides. */
static void rugged(void **state)
{
    (void)state;
    env = fender_env_default();
    for (int kind = RUGGED_GRID; kind <= RUGGED_MESH; kind++) {
        fender_geometry *ground = ground_of(kind);
        for (double half = 0.1; half <= 0.5; half += 0.4) {
            const stand pads[2] = {{"cylinder", fender_geometry_cylinder(&env, 0.3, half, NULL), 0, half, true},
                                   {"hull", prism(0.3, half, 64), 0, half, true}};
            for (int d = 0; d < DEPTHS; d++) {
                double round = stiffness(ground, 0, &pads[0], depths[d]),
                       hull = stiffness(ground, 0, &pads[1], depths[d]);
                printf("  %g m high, %g mm: cylinder %.4f, hull %.4f\n", 2 * half, 1e3 * depths[d], round, hull);
                check_near(round, hull, 0.03 * hull);
            }
            for (int i = 0; i < 2; i++) fender_geometry_release(pads[i].solid);
        }
        fender_geometry_release(ground);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table), cmocka_unit_test(on_a_rounded_box),
                                       cmocka_unit_test(rugged)};
    return cmocka_run_group_tests_name("stiffness of solids", tests, NULL, NULL);
}
