/* Solids slide over the seams of coplanar facets: normal and force are those of the plane, without ripple.
 *
 * A flat mesh of irregular triangles and a flat grid, level and tilted, stand beside a plane in the same pose. Each
 * solid is moved along lines that cross edges at all angles, pass through vertices and run along an edge; at every
 * place its contacts' forces (weight times depth along the normal, stiffness 1 N/m) are summed and compared with those
 * of the plane. Bound: 1e-12 of the plane's force, a few thousand roundings of a sum over at most some tens of
 * contacts. */
#include "check.h"
#include "random_numbers.h"

#include <stdlib.h>

enum { CELLS = 16, SIDE = CELLS + 1, PLACES = 1500 };

static fender_env env;
static fender_vec3 vertices[SIDE * SIDE];
static int32_t triangles[2 * 3 * CELLS * CELLS];
static double heights[SIDE * SIDE];
static fender_geometry *plane, *mesh, *grid, *facet; /* facet: a mesh of one large triangle */

/* 4 m x 4 m about the origin; inner vertices are moved within the plane, diagonals fall either way. */
static int set_up(void **state)
{
    (void)state;
    env = fender_env_default();
    const double cell = 4.0 / CELLS;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            random_stream r = random_of_case(1, (uint64_t)(j * SIDE + i));
            bool inner = i > 0 && j > 0 && i < CELLS && j < CELLS;
            double x = inner ? random_between(&r, -0.3, 0.3) : 0, y = inner ? random_between(&r, -0.3, 0.3) : 0;
            vertices[j * SIDE + i] = fender_vec3_make((i + x) * cell - 2, (j + y) * cell - 2, 0);
        }
    int used = 0;
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            random_stream r = random_of_case(2, (uint64_t)(j * CELLS + i));
            int a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            const int one[6] = {a, b, d, a, d, c}, other[6] = {a, b, c, b, d, c};
            const int *chosen = random_below(&r, 2) ? one : other;
            for (int k = 0; k < 6; k++) triangles[used++] = chosen[k];
        }
    plane = fender_geometry_plane(&env, NULL);
    mesh = fender_geometry_mesh(&env, &(fender_mesh_def){vertices, SIDE * SIDE, triangles, 2 * CELLS * CELLS}, NULL);
    grid = fender_geometry_grid(&env, &(fender_grid_def){SIDE, SIDE, {-2, -2}, {cell, cell}, heights}, NULL);
    const fender_vec3 wide[3] = {{-30, -20, 0}, {30, -20, 0}, {0, 40, 0}};
    const int32_t one[3] = {0, 1, 2};
    facet = fender_geometry_mesh(&env, &(fender_mesh_def){wide, 3, one, 1}, NULL);
    return !plane || !mesh || !grid || !facet;
}

static int tear_down(void **state)
{
    (void)state;
    fender_geometry_release(plane);
    fender_geometry_release(mesh);
    fender_geometry_release(grid);
    fender_geometry_release(facet);
    return 0;
}

typedef struct push {
    fender_vec3 force, torque; /* on the solid, torque about its origin */
    double tilt;               /* largest |normal - the plane's| */
    int count;
} push;

static push push_of(const fender_geometry *ground, const fender_pose *X_WA, const fender_geometry *solid,
                    const fender_pose *X_WB)
{
    fender_separation contacts[256];
    int count = 0;
    assert_int_equal(
        fender_geometry_contacts(ground, X_WA, solid, X_WB, FENDER_CONTACT_POINTS_PATCH, 0, contacts, 256, &count),
        FENDER_STATUS_OK);
    assert_true(count <= 256);
    push sum = {{0, 0, 0}, {0, 0, 0}, 0, count};
    fender_vec3 up = fender_quaternion_rotate(X_WA->q, fender_vec3_make(0, 0, 1));
    fender_vec3 arm = fender_vec3_sub(X_WA->p, X_WB->p);
    for (int i = 0; i < count; i++) {
        const fender_separation *c = &contacts[i];
        if (!(c->distance < 0)) continue;
        fender_vec3 force = fender_vec3_scale(-c->weight * c->distance, c->normal);
        fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(c->point_a, c->point_b));
        sum.force = fender_vec3_add(sum.force, force);
        sum.torque = fender_vec3_add(sum.torque, fender_vec3_cross(fender_vec3_add(middle, arm), force));
        sum.tilt = larger(sum.tilt, fender_vec3_length(fender_vec3_sub(c->normal, up)));
    }
    return sum;
}

typedef struct slider {
    const char *name;
    fender_geometry *geometry;
    fender_quaternion q; /* in the ground's frame */
    double height;       /* of its origin above the ground */
    bool pressed;        /* has a pressure within it */
} slider;

static fender_quaternion turn(double x, double y, double z, double angle)
{
    double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    return (fender_quaternion){cos(0.5 * angle), s * x, s * y, s * z};
}

/* Worst relative ripple of a slider on a ground in one pose. */
static void slide(const fender_geometry *ground, const fender_pose *X_WA, const slider *s, double worst[3])
{
    for (int n = 0; n < PLACES; n++) {
        random_stream r = random_of_case(3, (uint64_t)(n / 50)); /* thirty lines of fifty places */
        double along = -0.9 + 1.8 * (n % 50) / 49, angle = random_between(&r, 0, 3.14),
               off = random_between(&r, -0.6, 0.6);
        fender_vec3 at = {along * cos(angle) - off * sin(angle), along * sin(angle) + off * cos(angle), s->height};
        if (n < 100) { /* through a vertex, and along an edge of the grid */
            const fender_vec3 *v = &vertices[(CELLS / 2) * SIDE + CELLS / 2];
            at = n < 50 ? (fender_vec3){v->x + (n - 25) * 1e-3, v->y + (n - 25) * 2e-3, s->height}
                        : (fender_vec3){0.03 * (n - 75), 0, s->height};
        }
        fender_pose X_AB = {at, s->q}, X_WB = fender_pose_product(*X_WA, X_AB);
        /* A capsule has its pressure in the ground, which a plane has not; on one large facet it knows no seams. */
        const fender_geometry *whole = s->pressed ? facet : plane;
        push expected = push_of(whole, X_WA, s->geometry, &X_WB), found = push_of(ground, X_WA, s->geometry, &X_WB);
        double force = fender_vec3_length(expected.force);
        assert_true(force > 0 && found.count > 0);
        worst[0] = larger(worst[0], found.tilt);
        worst[1] = larger(worst[1], fender_vec3_length(fender_vec3_sub(found.force, expected.force)) / force);
        /* levers of up to half a metre */
        worst[2] = larger(worst[2], fender_vec3_length(fender_vec3_sub(found.torque, expected.torque)) / (0.5 * force));
    }
}

static void no_ripple(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    slider sliders[] = {
        {"point", fender_geometry_point(&env, NULL), {1, 0, 0, 0}, -3e-3, false},
        {"probe", fender_geometry_probe(&env, 0.3, 0.05, NULL), turn(1, 0.2, 0, pi - 0.3), 0.02, false},
        {"sphere", fender_geometry_sphere(&env, 0.25, NULL), turn(1, 2, 3, 1), 0.24, false},
        {"capsule, lying", fender_geometry_capsule(&env, 0.1, 0.3, NULL), turn(0, 1, 0, 0.5 * pi), 0.095, true},
        {"capsule, tilted", fender_geometry_capsule(&env, 0.1, 0.3, NULL), turn(0.3, 1, 0, 1.2), 0.2, true},
        {"box on its face", fender_geometry_box(&env, fender_vec3_make(0.3, 0.2, 0.15), NULL), turn(0, 0, 1, 0.4),
         0.148, false},
        {"box on an edge", fender_geometry_box(&env, fender_vec3_make(0.3, 0.2, 0.15), NULL), turn(1, 0, 0, 0.5), 0.22,
         false},
        {"box on a corner", fender_geometry_box(&env, fender_vec3_make(0.3, 0.2, 0.15), NULL), turn(1, 0.7, 0.2, 0.6),
         0.26, false},
    };
    const fender_pose poses[] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{0.3, -0.2, 0.1}, turn(1, 0.5, 0.3, 0.35)}};
    const fender_geometry *const grounds[] = {mesh, grid};
    static const char *const names[] = {"mesh", "grid"};
    for (size_t i = 0; i < sizeof sliders / sizeof sliders[0]; i++) {
        assert_non_null(sliders[i].geometry);
        for (int g = 0; g < 2; g++) {
            double worst[3] = {0, 0, 0};
            for (int p = 0; p < 2; p++) slide(grounds[g], &poses[p], &sliders[i], worst);
            print_message("%-16s on the %s, %d places: normal %.1e, force %.1e, torque %.1e\n", sliders[i].name,
                          names[g], 2 * PLACES, worst[0], worst[1], worst[2]);
            check_below(worst[0], 1e-12);
            check_below(worst[1], sliders[i].pressed ? 1e-9 : 1e-12); /* the rule of Gauss along the axis */
            check_below(worst[2], sliders[i].pressed ? 1e-9 : 1e-12);
        }
        fender_geometry_release(sliders[i].geometry);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_ripple)};
    return cmocka_run_group_tests_name("seams of coplanar facets", tests, set_up, tear_down);
}
