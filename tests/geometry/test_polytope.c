/* Convex hulls: every table of a polytope against what it must be, over clouds of every bad kind. */
#include "check.h"
#include "geometry/polytope.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

static double largest_coordinate(const fender_vec3 *p, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = larger(most, larger(fabs(p[i].x), larger(fabs(p[i].y), fabs(p[i].z))));
    return most;
}

/* What was seen over all hulls of a test. */
static struct {
    int hulls, faces, triangles;
    double outside, off_plane, reflex; /* in units of the rounding that the header grants */
} seen;

static void check_tables(const fnd_polytope *p)
{
    assert_int_equal(p->neighbour_start[p->vertex_count], 2 * p->edge_count);
    assert_true(p->padded_count % 8 == 0 && p->padded_count >= p->vertex_count &&
                p->padded_count < p->vertex_count + 8);
    for (int i = 0; i < p->padded_count; i++) {
        fender_vec3 v = p->vertices[i < p->vertex_count ? i : p->vertex_count - 1];
        assert_true(v.x == p->x[i] && v.y == p->y[i] && v.z == p->z[i]);
    }
    for (int e = 0; e < p->edge_count; e++) {
        const fnd_polytope_edge *edge = &p->edges[e];
        for (int side = 0; side < 2; side++) {
            int32_t from = edge->vertex[side], to = edge->vertex[1 - side];
            int found = 0;
            for (int n = p->neighbour_start[from]; n < p->neighbour_start[from + 1]; n++)
                found += p->neighbours[n] == to;
            assert_int_equal(found, 1);
            if (p->face_count == 0) {
                assert_int_equal(edge->face[side], -1);
                continue;
            }
            int32_t f = edge->face[side];
            found = 0;
            for (int n = p->face_start[f]; n < p->face_start[f + 1]; n++) {
                int32_t next = p->face_vertices[n + 1 < p->face_start[f + 1] ? n + 1 : p->face_start[f]];
                found += p->face_vertices[n] == from && next == to;
            }
            assert_int_equal(found, 1);
        }
    }
    if (p->face_count == 0) {
        assert_int_equal(p->edge_count, p->vertex_count - 1);
        return;
    }
    assert_int_equal(p->face_start[p->face_count], 2 * p->edge_count);
    assert_int_equal(p->vertex_count - p->edge_count + p->face_count, 2);
    for (int i = 0; i < p->vertex_count; i++)
        assert_true(p->neighbour_start[i + 1] - p->neighbour_start[i] >= (p->face_count == 2 ? 2 : 3));
}

static void check_faces(const fnd_polytope *p, const fender_vec3 *points, int count)
{
    double unit = largest_coordinate(points, count) * FND_POLYTOPE_ROUNDING;
    for (int f = 0; f < p->face_count; f++) {
        const int32_t *corner = p->face_vertices + p->face_start[f];
        int size = p->face_start[f + 1] - p->face_start[f];
        fender_vec3 n = p->face_normals[f];
        assert_true(size >= 3);
        check_near(fender_vec3_length(n), 1, 4e-16);
        assert_true(p->face_areas[f] > 0);
        for (int i = 0; i < count; i++) {
            double height = (fender_vec3_dot(n, points[i]) - p->face_offsets[f]) / unit;
            seen.outside = larger(seen.outside, height);
        }
        for (int i = 0; i < size; i++) {
            fender_vec3 a = p->vertices[corner[i]], b = p->vertices[corner[(i + 1) % size]];
            fender_vec3 edge = fender_vec3_sub(b, a), inward = fender_vec3_cross(n, edge);
            seen.off_plane = larger(seen.off_plane, fabs(fender_vec3_dot(n, a) - p->face_offsets[f]) / unit);
            double length = fender_vec3_length(inward);
            assert_true(length > 0);
            for (int k = 0; k < size; k++) {
                double beyond = -fender_vec3_dot(inward, fender_vec3_sub(p->vertices[corner[k]], a)) / length / unit;
                seen.reflex = larger(seen.reflex, beyond);
            }
        }
    }
    seen.hulls++;
    seen.faces += p->face_count;
    seen.triangles += p->face_count > 2 ? 2 * p->vertex_count - 4 - p->face_count : 0; /* merged away */
}

/* Makes, checks, and gives the counts. */
static fnd_polytope *make(const fender_vec3 *points, int count)
{
    fender_env env = fender_env_default();
    fnd_polytope *p = fnd_polytope_of_points(&env, points, count);
    assert_non_null(p);
    check_tables(p);
    check_faces(p, points, count);
    int at = 0; /* vertices are points, in their order */
    for (int i = 0; i < p->vertex_count; i++) {
        while (at < count && memcmp(&points[at], &p->vertices[i], sizeof *points) != 0) at++;
        assert_true(at < count);
    }
    return p;
}

static void make_and_expect(const fender_vec3 *points, int count, int vertices, int edges, int faces)
{
    fender_env env = fender_env_default();
    fnd_polytope *p = make(points, count);
    if (p->vertex_count != vertices || p->edge_count != edges || p->face_count != faces)
        print_error("%d vertices %d edges %d faces for %d %d %d\n", p->vertex_count, p->edge_count, p->face_count,
                    vertices, edges, faces);
    assert_int_equal(p->vertex_count, vertices);
    assert_int_equal(p->edge_count, edges);
    assert_int_equal(p->face_count, faces);
    fnd_polytope_release(&env, p);
}

static void report(const char *what)
{
    printf("%s: %d hulls, %d faces, %d triangles merged; in units of the rounding: points outside %.3g, corners off "
           "their plane %.3g, reflex %.3g\n",
           what, seen.hulls, seen.faces, seen.triangles, seen.outside, seen.off_plane, seen.reflex);
    /* The tolerance is 1 unit where a triangle joins a face; later ones turn its plane, and a corner that was left out
     * is off by as much again. */
    assert_true(seen.outside < 4 && seen.off_plane < 4 && seen.reflex < 4);
    memset(&seen, 0, sizeof seen);
}

/* ---- the clouds ---- */

enum { MOST = 4000 };
static fender_vec3 cloud[MOST];

static fender_vec3 on_lattice(random_stream *r, int steps)
{
    return fender_vec3_make(random_below(r, steps + 1), random_below(r, steps + 1), random_below(r, steps + 1));
}

static int cloud_of_kind(random_stream *r, int kind)
{
    int count = 4 + random_below(r, kind % 2 ? 300 : 12);
    fender_quaternion turn = random_rotation(r);
    fender_vec3 sizes = {random_magnitude(r, 0.01, 1), random_magnitude(r, 0.01, 1), 1};
    for (int i = 0; i < count; i++) {
        fender_vec3 p = random_direction(r);
        switch (kind / 2) {
        case 0: break;                                                       /* ball */
        case 1: p = random_in_ball(r, 1); break;                             /* inside too */
        case 2: p = on_lattice(r, 4); break;                                 /* coplanar, collinear, repeated */
        case 3: p = fender_quaternion_rotate(turn, on_lattice(r, 4)); break; /* the same, rounded */
        case 4: p.z *= 1e-13; break;                                         /* nearly flat */
        case 5: p = fender_quaternion_rotate(turn, fender_vec3_make(p.x, p.y, p.z * 1e-15)); break;
        case 6: p = fender_quaternion_rotate(turn, fender_vec3_make(p.x, p.y * 1e-15, p.z * 1e-14)); break;
        case 7: p = fender_vec3_add(fender_vec3_make(1e6, -2e6, 3e6), p); break; /* far away */
        case 8: p.z = p.z > 0 ? 1 : -1; break; /* prism with many points on its ends */
        case 9: p.z = p.z > 0 ? 1 : -1, p = fender_quaternion_rotate(turn, p); break;
        case 10: p = fender_vec3_make(p.x * sizes.x, p.y * sizes.y, p.z); break; /* ellipsoid */
        default: p = i ? fender_vec3_add_scaled(cloud[i - 1], random_magnitude(r, 1e-18, 1), p) : p; break; /* walk */
        }
        cloud[i] = p;
    }
    return count;
}

static void random_clouds(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int kind = 0; kind < 24; kind++) {
        for (uint64_t n = 0; n < 60; n++) {
            random_stream r = random_of_case(700 + (uint64_t)kind, n);
            int count = cloud_of_kind(&r, kind);
            fnd_polytope_release(&env, make(cloud, count));
        }
        char name[24];
        snprintf(name, sizeof name, "kind %d", kind);
        report(name);
    }
}

/* ---- against all planes through three points ---- */

static int64_t whole(double x) { return (int64_t)x; }

/* Lattice points: everything is whole numbers, the planes of faces are those with all points on one side. */
static void brute_force(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int faces = 0, vertices = 0;
    for (uint64_t n = 0; n < 300; n++) {
        random_stream r = random_of_case(801, n);
        int count = 4 + random_below(&r, 12), planes = 0, steps = 1 + random_below(&r, 12);
        for (int i = 0; i < count; i++) cloud[i] = on_lattice(&r, steps);
        int64_t plane[500][4];
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++)
                for (int c = 0; c < count; c++) {
                    fender_vec3 m = fender_vec3_cross(fender_vec3_sub(cloud[b], cloud[a]),
                                                      fender_vec3_sub(cloud[c], cloud[a]));
                    int64_t k[3] = {whole(m.x), whole(m.y), whole(m.z)}, g = 0;
                    for (int j = 0; j < 3; j++)
                        for (int64_t u = llabs(k[j]), v; u; u = v) v = g % u, g = u;
                    if (g == 0) continue;
                    bool supports = true, solid = false;
                    for (int i = 0; i < count && supports; i++) {
                        double height = fender_vec3_dot(m, fender_vec3_sub(cloud[i], cloud[a]));
                        supports = height <= 0;
                        solid |= height < 0;
                    }
                    if (!supports || !solid) continue;
                    int64_t one[4] = {k[0] / g, k[1] / g, k[2] / g, 0};
                    one[3] = one[0] * whole(cloud[a].x) + one[1] * whole(cloud[a].y) + one[2] * whole(cloud[a].z);
                    bool known = false;
                    for (int i = 0; i < planes; i++) known |= memcmp(plane[i], one, sizeof one) == 0;
                    if (!known) memcpy(plane[planes++], one, sizeof one);
                }
        if (planes == 0) continue; /* flat: another test */
        int corners = 0;           /* points on three planes, repeated ones once */
        for (int i = 0; i < count; i++) {
            bool repeated = false;
            for (int k = 0; k < i; k++) repeated |= memcmp(&cloud[i], &cloud[k], sizeof *cloud) == 0;
            int on = 0;
            for (int k = 0; k < planes; k++)
                on += plane[k][0] * whole(cloud[i].x) + plane[k][1] * whole(cloud[i].y) +
                          plane[k][2] * whole(cloud[i].z) ==
                      plane[k][3];
            corners += on >= 3 && !repeated;
        }
        fnd_polytope *p = make(cloud, count);
        assert_int_equal(p->face_count, planes);
        assert_int_equal(p->vertex_count, corners);
        for (int f = 0; f < p->face_count; f++) {
            int matches = 0;
            for (int k = 0; k < planes; k++) {
                fender_vec3 m = {(double)plane[k][0], (double)plane[k][1], (double)plane[k][2]};
                double l = fender_vec3_length(m);
                matches += fender_vec3_length(fender_vec3_sub(fender_vec3_scale(1 / l, m), p->face_normals[f])) <
                               1e-14 &&
                           fabs((double)plane[k][3] / l - p->face_offsets[f]) < 1e-13;
            }
            assert_int_equal(matches, 1);
        }
        faces += p->face_count;
        vertices += p->vertex_count;
        fnd_polytope_release(&env, p);
    }
    printf("against all planes through three points: %d faces, %d vertices, all the same\n", faces, vertices);
    assert_true(faces > 3000);
    report("lattices");
}

/* ---- known shapes ---- */

static int cube_grid(int steps, fender_quaternion turn, double size)
{
    int count = 0;
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= steps; j++)
            for (int k = 0; k <= steps; k++) {
                fender_vec3 p = {(double)i / steps - 0.5, (double)j / steps - 0.5, (double)k / steps - 0.5};
                cloud[count++] = fender_vec3_scale(size, fender_quaternion_rotate(turn, p));
            }
    return count;
}

static void known_shapes(void **state)
{
    (void)state;
    const double sizes[] = {1, 1e-100, 1e100, 3e-7};
    for (int s = 0; s < 4; s++) {
        for (uint64_t n = 0; n < 12; n++) {
            random_stream r = random_of_case(802, n);
            fender_quaternion turn = n ? random_rotation(&r) : fender_quaternion_identity();
            int count = cube_grid(1 + (int)n, turn, sizes[s]);
            make_and_expect(cloud, count, 8, 12, 6);
            for (int i = 0; i < count; i++) { /* flattened in axes of its own */
                fender_vec3 p = fender_quaternion_rotate(fender_quaternion_conjugate(turn), cloud[i]);
                p.z = 0.3 * sizes[s];
                cloud[i] = fender_quaternion_rotate(turn, p);
            }
            make_and_expect(cloud, count, 4, 4, 2);
            for (int i = 0; i < count; i++) {
                fender_vec3 p = fender_quaternion_rotate(fender_quaternion_conjugate(turn), cloud[i]);
                p.z = p.y = 0.3 * sizes[s];
                cloud[i] = fender_quaternion_rotate(turn, p);
            }
            make_and_expect(cloud, count, 2, 1, 0);
            for (int i = 1; i < count; i++) cloud[i] = cloud[0];
            make_and_expect(cloud, count, 1, 0, 0);
        }
    }
    /* prisms: ends of many corners, exact and turned */
    for (int sides = 3; sides <= 400; sides += sides < 20 ? 1 : 95) {
        for (uint64_t n = 0; n < 4; n++) {
            random_stream r = random_of_case(803, n);
            fender_quaternion turn = n ? random_rotation(&r) : fender_quaternion_identity();
            for (int i = 0; i < 2 * sides; i++) {
                double angle = 2 * acos(-1) * (i / 2) / sides;
                cloud[i] = fender_quaternion_rotate(turn, fender_vec3_make(cos(angle), sin(angle), i % 2));
            }
            make_and_expect(cloud, 2 * sides, 2 * sides, 3 * sides, sides + 2);
        }
    }
    cloud[0] = fender_vec3_make(0, 0, 0);
    make_and_expect(cloud, 1, 1, 0, 0);
    report("known shapes");
}

static void boxes(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int flat = 0; flat < 8; flat++) {
        fender_vec3 h = {flat & 1 ? 0 : 1, flat & 2 ? 0 : 2, flat & 4 ? 0 : 3};
        fnd_polytope *p = fnd_polytope_of_box(&env, h);
        assert_non_null(p);
        check_tables(p);
        check_faces(p, p->vertices, p->vertex_count);
        const int zeros = (flat & 1) + (flat >> 1 & 1) + (flat >> 2);
        const int vertices[] = {8, 4, 2, 1}, edges[] = {12, 4, 1, 0}, faces[] = {6, 2, 0, 0};
        assert_int_equal(p->vertex_count, vertices[zeros]);
        assert_int_equal(p->edge_count, edges[zeros]);
        assert_int_equal(p->face_count, faces[zeros]);
        for (int f = 0; f < p->face_count; f++) { /* what Newell's sum would say */
            const int32_t *c = p->face_vertices + p->face_start[f];
            fender_vec3 n = fender_vec3_cross(fender_vec3_sub(p->vertices[c[1]], p->vertices[c[0]]),
                                              fender_vec3_sub(p->vertices[c[2]], p->vertices[c[0]]));
            check_near(fender_vec3_dot(n, p->face_normals[f]), p->face_areas[f], 1e-15);
            check_near(fender_vec3_length(n), p->face_areas[f], 1e-15);
        }
        fnd_polytope_release(&env, p);
    }
    fnd_polytope *thin = fnd_polytope_of_box(&env, fender_vec3_make(1e100, 1e-100, 1e-100));
    assert_true(thin && thin->vertex_count == 8 && thin->face_normals[5].z == 1 && thin->face_areas[5] > 0);
    fnd_polytope_release(&env, thin);
    report("boxes");
}

/* Every allocation fails once. */
static int allocations_left;
static void *failing_allocate(void *ctx, size_t size, size_t alignment)
{
    (void)ctx, (void)alignment;
    return allocations_left-- > 0 ? malloc(size) : NULL;
}
static void failing_release(void *ctx, void *memory, size_t size)
{
    (void)ctx, (void)size;
    free(memory);
}

static void without_memory(void **state)
{
    (void)state;
    fender_env env = {{failing_allocate, failing_release, NULL}, NULL, NULL};
    for (int shape = 0; shape < 3; shape++) {
        int count = cube_grid(3, fender_quaternion_identity(), 1), failed = 0;
        if (shape == 1)
            for (int i = 0; i < count; i++) cloud[i].z = 0;
        if (shape == 2) count = 1;
        for (int left = 0;; left++) {
            allocations_left = left;
            fnd_polytope *p = fnd_polytope_of_points(&env, cloud, count);
            if (p) {
                fnd_polytope_release(&env, p);
                break;
            }
            failed++;
        }
        assert_true(failed > 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_clouds), cmocka_unit_test(brute_force),    cmocka_unit_test(known_shapes),
        cmocka_unit_test(boxes),         cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests_name("polytope", tests, NULL, NULL);
}
