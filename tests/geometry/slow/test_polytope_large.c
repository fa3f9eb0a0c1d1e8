/* Hulls of 100,000 points: on a sphere, in a box, on a lattice, on the ends of prisms with very many sides. */
#include "check.h"
#include "geometry/polytope.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <time.h>

enum { COUNT = 100000 };

/* Convex at every edge, which is convex as a whole for a closed polyhedron, and as far as the points in every
 * direction. */
static void check(const fnd_polytope *p, const fender_vec3 *points, int count, random_stream *r, const char *what,
                  clock_t begun)
{
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC, reflex = 0, beyond = 0;
    assert_int_equal(p->vertex_count - p->edge_count + p->face_count, 2);
    assert_int_equal(p->face_start[p->face_count], 2 * p->edge_count);
    for (int e = 0; e < p->edge_count; e++) {
        for (int side = 0; side < 2; side++) {
            int32_t f = p->edges[e].face[side], other = p->edges[e].face[1 - side];
            for (int i = p->face_start[other]; i < p->face_start[other + 1]; i += 1 + i % 37) {
                fender_vec3 v = p->vertices[p->face_vertices[i]];
                reflex = larger(reflex, fender_vec3_dot(p->face_normals[f], v) - p->face_offsets[f]);
            }
        }
    }
    for (int i = 0; i < 300; i++) {
        fender_vec3 n = random_direction(r);
        double all = -INFINITY, hull = -INFINITY;
        for (int k = 0; k < count; k++) all = larger(all, fender_vec3_dot(n, points[k]));
        for (int k = 0; k < p->vertex_count; k++) hull = larger(hull, fender_vec3_dot(n, p->vertices[k]));
        beyond = larger(beyond, all - hull);
    }
    printf("%s: %d vertices, %d faces in %.2f s; reflex edges %.2g, points beyond %.2g\n", what, p->vertex_count,
           p->face_count, seconds, reflex, beyond);
    assert_true(reflex < 1e-14 && beyond < 1e-14); /* FND_POLYTOPE_ROUNDING is 3.6e-15 */
}

static void large(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_vec3 *points = malloc(COUNT * sizeof *points);
    assert_non_null(points);
    static const char *const names[] = {"ball", "box", "lattice", "turned lattice", "prism", "turned prism"};
    for (int kind = 0; kind < 6; kind++) {
        random_stream r = random_of_case(880, (uint64_t)kind);
        fender_quaternion turn = random_rotation(&r);
        const int sides = COUNT / 2, steps = 46;
        int count = kind == 2 || kind == 3 ? steps * steps * steps : COUNT;
        for (int i = 0; i < count; i++) {
            fender_vec3 p = random_direction(&r);
            if (kind == 1)
                p = fender_vec3_make(random_between(&r, -1, 1), random_between(&r, -1, 1), random_between(&r, -1, 1));
            if (kind == 2 || kind == 3) p = fender_vec3_make(i % steps, i / steps % steps, i / steps / steps);
            if (kind == 2 || kind == 3) p = fender_vec3_scale(1.0 / 64, p);
            if (kind >= 4)
                p = fender_vec3_make(cos(i / 2 * (2 * acos(-1) / sides)), sin(i / 2 * (2 * acos(-1) / sides)), i % 2);
            points[i] = kind == 3 || kind == 5 ? fender_quaternion_rotate(turn, p) : p;
        }
        clock_t begun = clock();
        fnd_polytope *p = fnd_polytope_of_points(&env, points, count);
        assert_non_null(p);
        check(p, points, count, &r, names[kind], begun);
        if (kind == 2 || kind == 3) assert_true(p->vertex_count == 8 && p->face_count == 6);
        if (kind >= 4) assert_true(p->vertex_count == COUNT && p->face_count == sides + 2);
        fnd_polytope_release(&env, p);
    }
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large)};
    return cmocka_run_group_tests_name("large polytopes", tests, NULL, NULL);
}
