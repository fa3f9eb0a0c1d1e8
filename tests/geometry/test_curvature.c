/* Curvature: how the outward normal turns from nearest point to nearest point, which knows nothing of closed forms. */
#include "check.h"
#include "geometry/support.h"
#include "random_numbers.h"

enum { SHAPES = 12 };

static fender_geometry *rounded(fender_geometry *sharp, double radius)
{
    fender_geometry *g = fender_geometry_rounded(sharp, radius, NULL);
    fender_geometry_release(sharp);
    return g;
}

static fender_geometry *make(int i)
{
    fender_env env = fender_env_default();
    switch (i) {
    case 0: return fender_geometry_sphere(&env, 0.7, NULL);
    case 1: return fender_geometry_capsule(&env, 0.4, 0.8, NULL);
    case 2: return fender_geometry_cylinder(&env, 0.9, 0.6, NULL);
    case 3: return fender_geometry_cone(&env, 0.8, 0.7, NULL);
    case 4: return fender_geometry_ellipsoid(&env, fender_vec3_make(1.2, 0.5, 0.8), NULL);
    case 5: return fender_geometry_box(&env, fender_vec3_make(0.5, 0.3, 0.9), NULL);
    case 6: return rounded(make(2), 0.2);
    case 7: return rounded(make(3), 0.3);
    case 8: return rounded(make(4), 0.25);
    case 9: return rounded(make(5), 0.4);
    case 10: return rounded(fender_geometry_disk(&env, 0.8, NULL), 0.15);
    default: return rounded(fender_geometry_point(&env, NULL), 0.3);
    }
}

/* The derivative of the outward normal along t at a place above the surface; false: the place is too near the border
 * between two faces. */
static bool turning(const fender_geometry *g, fender_vec3 place, fender_vec3 t, fender_vec3 *rate)
{
    const double h = 1e-5;
    fender_vec3 normals[3];
    for (int i = 0; i < 3; i++) {
        fender_nearest nearest;
        fender_pose X = fender_pose_identity();
        fender_vec3 p = fender_vec3_add_scaled(place, (i - 1) * h, t);
        check_ok(fender_geometry_nearest_point(g, &X, p, INFINITY, &nearest));
        normals[i] = nearest.normal;
    }
    fender_vec3 ahead = fender_vec3_sub(normals[2], normals[1]), behind = fender_vec3_sub(normals[1], normals[0]);
    *rate = fender_vec3_scale(0.5 / h, fender_vec3_add(ahead, behind));
    return fender_vec3_length(fender_vec3_sub(ahead, behind)) < 1e-8;
}

/* Above the surface by s a principal curvature k is k / (1 + k s). Sharp edges are flat across by the rule of the
 * header: there the derivative is 1 / s, and only that along the edge is compared. */
static void turns_with_the_normal(void **state)
{
    (void)state;
    const fender_pose X = fender_pose_identity();
    int compared[SHAPES] = {0}, bent[SHAPES] = {0};
    for (int i = 0; i < SHAPES; i++) {
        fender_geometry *g = make(i);
        bool sharp = g->rounding == 0 && (g->type == FENDER_GEOMETRY_CYLINDER || g->type == FENDER_GEOMETRY_CONE ||
                                          g->type == FENDER_GEOMETRY_BOX);
        random_stream r = random_of_case(5, (uint64_t)i);
        for (int k = 0; k < 300; k++) {
            fender_vec3 place = fender_vec3_scale(2.5, random_direction(&r));
            fender_nearest near;
            check_ok(fender_geometry_nearest_point(g, &X, place, INFINITY, &near));
            fnd_curvature c = fnd_geometry_curvature(g, near.point, near.normal);
            assert_true(c.first >= c.second);
            check_near(fender_vec3_length(c.direction), 1, 1e-14);
            check_near(fender_vec3_dot(c.direction, near.normal), 0, 1e-14);
            fender_vec3 across = fender_vec3_cross(near.normal, c.direction), rate;
            const double s = near.distance, curvatures[2] = {c.first, c.second};
            const fender_vec3 ways[2] = {c.direction, across};
            for (int w = 0; w < 2; w++) {
                if (!turning(g, place, ways[w], &rate)) continue;
                double found = fender_vec3_dot(rate, ways[w]);
                if (sharp && fabs(found - 1 / s) < 1e-6) {
                    assert_true(curvatures[w] <= 1 / g->half_length + 1 / g->radius || g->radius == 0);
                    continue;
                }
                fender_vec3 expected = fender_vec3_scale(curvatures[w] / (1 + curvatures[w] * s), ways[w]);
                check_vector(rate, expected, 2e-8);
                compared[i]++;
                if (curvatures[w] > 0) bent[i]++;
            }
        }
        fender_geometry_release(g);
        assert_true(compared[i] > 150);
        assert_true(bent[i] > 50 || i == 5);
    }
}

/* Poles, where directions are not unique, and what has no curvature. */
static void poles_and_planes(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const fender_vec3 up = fender_vec3_make(0, 0, 1);
    fender_geometry *g = make(4);
    fnd_curvature c = fnd_geometry_curvature(g, fender_vec3_make(0, 0, 0.8), up); /* c / a^2 and c / b^2 */
    check_near(c.first, 0.8 / 0.25, 1e-14);
    check_near(c.second, 0.8 / 1.44, 1e-14);
    check_vector(c.direction, fender_vec3_make(0, c.direction.y < 0 ? -1 : 1, 0), 1e-14);
    fender_geometry_release(g);
    g = make(7);
    c = fnd_geometry_curvature(g, fender_vec3_make(0, 0, 1), up); /* the rounded apex */
    check_near(c.first, 1 / 0.3, 1e-14);
    check_near(c.second, 1 / 0.3, 1e-14);
    c = fnd_geometry_curvature(g, fender_vec3_make(0.1, 0, -1), fender_vec3_negate(up));
    check_near(c.first, 0, 0);
    fender_geometry_release(g);
    g = make(9);
    c = fnd_geometry_curvature(g, fender_vec3_make(0, 0, 1.3), up);
    check_near(c.first, 0, 0);
    fender_geometry_release(g);
    fender_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    fender_geometry *flat[] = {fender_geometry_plane(&env, NULL), fender_geometry_point(&env, NULL),
                               fender_geometry_cloud(&env, points, 4, NULL),
                               fender_geometry_hull(&env, points, 4, NULL), fender_geometry_probe(&env, 1, 0.1, NULL)};
    for (int i = 0; i < 5; i++) {
        c = fnd_geometry_curvature(flat[i], fender_vec3_make(0, 0, 0), up);
        check_near(c.first, 0, 0);
        check_near(c.second, 0, 0);
        check_near(fender_vec3_length(c.direction), 1, 1e-15);
        fender_geometry_release(flat[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(turns_with_the_normal), cmocka_unit_test(poles_and_planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
