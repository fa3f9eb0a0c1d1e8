/* Searches of a mesh before a surface: nothing is left out that is behind it, or nearest to it. Asked of all triangles
 * one by one. */
#include "check.h"
#include "collide/mesh_search.h"
#include "geometry/geometry.h"
#include "patch_test.h"
#include "random_numbers.h"

#include <string.h>

enum { AROUND = 24, DOWN = 12, SIDE = 21 };

/* A closed surface with hollows, of a radius; no two triangles in one plane. */
static fender_geometry *make_rock(double radius)
{
    static fender_vec3 vertices[AROUND * (DOWN - 1) + 2];
    static int32_t triangles[2 * AROUND * (DOWN - 1)][3];
    int count = 0, last = AROUND * (DOWN - 1) + 1;
    vertices[0] = fender_vec3_make(0, 0, radius);
    vertices[last] = fender_vec3_make(0, 0, -radius);
    for (int i = 1; i < DOWN; i++)
        for (int j = 0; j < AROUND; j++) {
            double t = 3.14159265358979323846 * i / DOWN, p = 2 * 3.14159265358979323846 * j / AROUND;
            double r = radius * (1 + 0.12 * sin(3 * p) * sin(4 * t));
            vertices[1 + (i - 1) * AROUND + j] = fender_vec3_make(r * sin(t) * cos(p), r * sin(t) * sin(p), r * cos(t));
        }
    for (int j = 0; j < AROUND; j++) {
        int next = (j + 1) % AROUND;
        for (int i = 0; i < DOWN; i++) {
            int a = 1 + (i - 1) * AROUND + j, b = a + AROUND, c = b - j + next, d = a - j + next;
            const int32_t lower[3] = {i == 0 ? 0 : a, b, c}, upper[3] = {a, i == DOWN - 1 ? last : c, d};
            if (i < DOWN - 1) memcpy(triangles[count++], lower, sizeof lower);
            if (i > 0) memcpy(triangles[count++], upper, sizeof upper);
        }
    }
    fender_env env = fender_env_default();
    fender_mesh_def mesh = {vertices, last + 1, &triangles[0][0], count};
    fender_geometry *g = fender_geometry_mesh(&env, &mesh, NULL);
    assert_non_null(g);
    assert_true(g->surface->closed);
    return g;
}

static fender_geometry *make_ground(random_stream *r)
{
    static double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = random_between(r, -0.2, 0.2);
    fender_env env = fender_env_default();
    fender_grid_def raster = {SIDE, SIDE, {-2, -2}, {0.2, 0.2}, heights};
    fender_geometry *g = fender_geometry_grid(&env, &raster, NULL);
    assert_non_null(g);
    return g;
}

/* Two rocks, a rock on a box and on a raster; the second one is close to the first one's border. */
enum { ROCK, BOX, GROUND, PLACES };
static fender_geometry *make_carrier(random_stream *r, int place)
{
    fender_env env = fender_env_default();
    if (place == ROCK) return make_rock(1);
    if (place == GROUND) return make_ground(r);
    fender_geometry *g = fender_geometry_box(&env, fender_vec3_make(1, 0.7, 0.4), NULL);
    assert_non_null(g);
    return g;
}

static void place_mesh(random_stream *r, int place, const fender_geometry *a, const fender_geometry *b, fnd_posed *pa,
                       fnd_posed *pb)
{
    const double overlap = random_between(r, -0.3, 0.3), size = b->bounding_radius;
    fender_vec3 at = fender_vec3_scale(1 + size - overlap, random_direction(r));
    if (place == BOX) at = fender_vec3_make(random_between(r, -0.5, 0.5), 0.2, 0.2 + size - overlap);
    if (place == GROUND) at = fender_vec3_make(random_between(r, -2, 2), random_between(r, -2, 2), size - overlap);
    const fender_mat3 R_WA = fender_quaternion_matrix(random_rotation(r));
    *pa = (fnd_posed){a, random_in_ball(r, 2), R_WA};
    *pb = (fnd_posed){b, fender_vec3_add(pa->p_WG, fender_mat3_times(&R_WA, at)),
                      fender_quaternion_matrix(random_rotation(r))};
}

static fender_vec3 place_of(random_stream *r, const fnd_surface *s, int32_t t, int i)
{
    double u = random_between(r, 0, 1), v = random_between(r, 0, 1 - u);
    if (i < 3) u = i == 1, v = i == 2;
    fender_vec3 c = fnd_surface_corner(s, t, 0);
    fender_vec3 x = fender_vec3_add_scaled(c, u, fender_vec3_sub(fnd_surface_corner(s, t, 1), c));
    return fender_vec3_add_scaled(x, v, fender_vec3_sub(fnd_surface_corner(s, t, 2), c));
}

static bool holds(const fender_box *box, fender_vec3 x)
{
    const double slack = 1e-9;
    return x.x >= box->lower.x - slack && x.x <= box->upper.x + slack && x.y >= box->lower.y - slack &&
           x.y <= box->upper.y + slack && x.z >= box->lower.z - slack && x.z <= box->upper.z + slack;
}

/* Of a triangle that is certainly behind the surface with some place; *way: the longest way back that was found. */
static bool is_behind(random_stream *r, const fnd_surface_view *view, const fnd_behind *b, int32_t t, double *way)
{
    bool is = false;
    *way = 0;
    for (int i = 0; i < 10; i++) {
        const fender_vec3 p = place_of(r, view->b->geometry->surface, t, i);
        const fender_vec3 x = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, p));
        const fnd_surface_closest place = fnd_surface_nearest(view->surface, x, INFINITY);
        if (!fnd_surface_is_behind(view->surface, x, &place)) continue;
        is = true;
        *way = place.distance > *way ? place.distance : *way;
        assert_true(holds(&b->of_mesh, p));
        assert_true(holds(&b->of_surface, x));
    }
    return is;
}

static void all_that_is_behind_is_found(void **state)
{
    (void)state;
    for (int place = 0; place < PLACES; place++) {
        random_stream r = random_of_case(1181, (uint64_t)place);
        long hidden = 0, listed = 0, looked_at = 0;
        fender_geometry *a = make_carrier(&r, place), *b = make_rock(0.5);
        for (int n = 0; n < 60; n++) {
            fnd_posed pa, pb;
            fnd_surface_view view;
            static fnd_behind behind;
            place_mesh(&r, place, a, b, &pa, &pb);
            fnd_surface_view_make(&view, &pa, &pb);
            fnd_mesh_behind(&view, INFINITY, &behind);
            assert_true(behind.listed || behind.count == FND_BEHIND_LISTED);
            int at = 0;
            double farthest = 0;
            int32_t order[FND_BEHIND_LISTED];
            for (int i = 0; i < behind.count; i++) order[i] = behind.triangles[i].triangle;
            for (int32_t t = 0; t < b->surface->triangle_count; t++) {
                double way;
                bool is = is_behind(&r, &view, &behind, t, &way);
                for (at = 0; at < behind.count && order[at] != t; at++) {}
                if (is && behind.listed) assert_true(at < behind.count);
                if (is && behind.listed) assert_true(way <= behind.triangles[at].farthest);
                farthest = way > farthest ? way : farthest;
                hidden += is;
                looked_at++;
            }
            assert_true(farthest <= behind.farthest);
            if (place != GROUND) check_below(behind.farthest, farthest + 0.25); /* a triangle's size; borders: more */
            listed += behind.count;
        }
        print_message("of %ld triangles %ld are behind, %ld were listed\n", looked_at, hidden, listed);
        assert_true(hidden > 1000 && listed < 3 * hidden);
        fender_geometry_release(a);
        fender_geometry_release(b);
    }
}

static void an_open_mesh_hides_anything(void **state)
{
    (void)state;
    const fender_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const int32_t one[3] = {0, 1, 2};
    const fender_mesh_def def = {corners, 3, one, 1};
    fender_env env = fender_env_default();
    fender_geometry *a = fender_geometry_mesh(&env, &def, NULL), *b = make_rock(0.5);
    const fnd_posed pa = {a, {0, 0, 0}, fender_mat3_identity()}, pb = {b, {5, 5, 5}, fender_mat3_identity()};
    fnd_surface_view view;
    static fnd_behind behind;
    fnd_surface_view_make(&view, &pa, &pb);
    fnd_mesh_behind(&view, INFINITY, &behind);
    assert_false(behind.listed);
    assert_true(isinf(behind.farthest));
    assert_memory_equal(&behind.of_mesh, &b->bounds, sizeof b->bounds);
    fender_geometry_release(a);
    fender_geometry_release(b);
}

/* All triangles one by one. */
static double least_distance(const fnd_surface_view *view)
{
    double least = INFINITY;
    for (int32_t t = 0; t < view->b->geometry->surface->triangle_count; t++) {
        fnd_surface_solid solid;
        fnd_surface_solid_triangle(&solid, view->b->geometry->surface, t, fender_vec3_make(0, 0, 0));
        solid.geometry.bounds = (fender_box){solid.vertices[0], solid.vertices[0]};
        for (int k = 1; k < 3; k++) {
            const fender_vec3 v = solid.vertices[k];
            fender_box *box = &solid.geometry.bounds;
            box->lower = fender_vec3_make(fmin(box->lower.x, v.x), fmin(box->lower.y, v.y), fmin(box->lower.z, v.z));
            box->upper = fender_vec3_make(fmax(box->upper.x, v.x), fmax(box->upper.y, v.y), fmax(box->upper.z, v.z));
        }
        const fnd_posed posed = {&solid.geometry, view->b->p_WG, view->b->R_WG};
        fnd_surface_view one;
        fnd_surface_view_make(&one, view->a, &posed);
        least = fmin(least, fnd_surface_convex_nearest(&one, INFINITY).distance);
    }
    return least;
}

static void the_nearest_is_found(void **state)
{
    (void)state;
    for (int place = 0; place < PLACES; place++) {
        random_stream r = random_of_case(1182, (uint64_t)place);
        fender_geometry *a = make_carrier(&r, place), *b = make_rock(0.5);
        int apart = 0;
        for (int n = 0; n < 12; n++) {
            fnd_posed pa, pb;
            fnd_surface_view view;
            place_mesh(&r, place, a, b, &pa, &pb);
            fnd_surface_view_make(&view, &pa, &pb);
            const double least = least_distance(&view), found = fnd_mesh_nearest(&view, INFINITY).distance;
            if (least > 0) assert_true(found == least);
            else assert_true(found <= 0);
            if (!(least > 0)) continue;
            apart++;
            assert_true(fnd_mesh_nearest(&view, 1.0001 * least).distance == least);
            assert_true(fnd_mesh_nearest(&view, 0.9999 * least).distance >= least); /* or left out */
        }
        print_message("%d of 12 apart\n", apart);
        assert_true(apart >= 2);
        fender_geometry_release(a);
        fender_geometry_release(b);
    }
}

/* ---- A brick of many triangles ---- */

enum { PARTS = 6, LATTICE = (PARTS + 1) * (PARTS + 1) * (PARTS + 1) };
static int32_t brick_corner(const fender_vec3 *half, int32_t *names, fender_vec3 *vertices, int *count, const int at[3])
{
    int32_t *name = &names[(at[0] * (PARTS + 1) + at[1]) * (PARTS + 1) + at[2]];
    if (*name >= 0) return *name;
    vertices[*count] = fender_vec3_make(half->x * (2.0 * at[0] / PARTS - 1), half->y * (2.0 * at[1] / PARTS - 1),
                                        half->z * (2.0 * at[2] / PARTS - 1));
    return *name = (*count)++;
}

static fender_geometry *make_brick(fender_vec3 half)
{
    static fender_vec3 vertices[LATTICE];
    static int32_t names[LATTICE], triangles[12 * PARTS * PARTS][3];
    int corners = 0, count = 0;
    for (int i = 0; i < LATTICE; i++) names[i] = -1;
    for (int face = 0; face < 6 * PARTS * PARTS; face++) {
        const int axis = face % 3, up = face / 3 % 2, i = face / 6 % PARTS, j = face / 6 / PARTS;
        int32_t square[4];
        for (int k = 0; k < 4; k++) {
            int at[3];
            at[axis] = up ? PARTS : 0;
            at[(axis + 1) % 3] = i + (k == 1 || k == 2);
            at[(axis + 2) % 3] = j + (k > 1);
            square[up ? k : 3 - k] = brick_corner(&half, names, vertices, &corners, at);
        }
        const int32_t two[2][3] = {{square[0], square[1], square[2]}, {square[0], square[2], square[3]}};
        memcpy(triangles[count], two, sizeof two);
        count += 2;
    }
    fender_env env = fender_env_default();
    fender_mesh_def mesh = {vertices, corners, &triangles[0][0], count};
    fender_geometry *g = fender_geometry_mesh(&env, &mesh, NULL);
    assert_non_null(g);
    assert_true(g->surface->closed);
    return g;
}

static fender_geometry *make_hills(random_stream *r)
{
    static double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = random_between(r, -0.01, 0.01);
    fender_env env = fender_env_default();
    fender_grid_def raster = {SIDE, SIDE, {-1.3, -1.3}, {0.13, 0.13}, heights};
    fender_geometry *g = fender_geometry_grid(&env, &raster, NULL);
    assert_non_null(g);
    return g;
}

static patch_sum sum_of(const fnd_posed *ground, const fnd_posed *solid)
{
    const fender_env env = fender_env_default();
    fnd_manifold out = {.env = &env};
    const fnd_pair_entry entry = fnd_pair_find(ground->geometry, solid->geometry);
    const fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
    fnd_pair_evaluate(&entry, ground, solid, &query, &out);
    assert_false(out.failed);
    const patch_sum sum = patch_sum_of(&out, fender_vec3_sub(solid->p_WG, ground->p_WG));
    fnd_manifold_release(&out);
    return sum;
}

/* Every part of a face below the ground is in one cell, whatever triangles the face consists of: a brick whose faces
 * are of many has force, torque and energy of a box, which is looked for in another way. */
static void a_brick_is_a_box(void **state)
{
    (void)state;
    random_stream r = random_of_case(11, 0);
    fender_env env = fender_env_default();
    const fender_vec3 half = {0.5, 0.4, 0.2};
    fender_geometry *brick = make_brick(half), *box = fender_geometry_box(&env, half, NULL);
    for (int pose = 0; pose < 40; pose++) {
        fender_geometry *ground = make_hills(&r);
        const fnd_posed lies = {ground, {0, 0, 0}, fender_mat3_identity()};
        fnd_posed solid = {box, {0, 0, 0}, fender_mat3_identity()};
        for (int axis = 3; axis < 5; axis++) solid = moved(&solid, axis, random_between(&r, -0.05, 0.05));
        solid = moved(&solid, 5, random_between(&r, -3, 3));
        solid.p_WG = fender_vec3_make(random_between(&r, -0.4, 0.4), random_between(&r, -0.4, 0.4),
                                      half.z - random_between(&r, 0, 0.05));
        const patch_sum of_box = sum_of(&lies, &solid);
        solid.geometry = brick;
        const patch_sum of_brick = sum_of(&lies, &solid);
        assert_true(of_box.energy > 0);
        check_near(of_brick.energy, of_box.energy, 1e-9 * of_box.energy);
        const double force = fender_vec3_length(of_box.force);
        check_near(fender_vec3_length(fender_vec3_sub(of_brick.force, of_box.force)), 0, 1e-9 * force);
        check_near(fender_vec3_length(fender_vec3_sub(of_brick.torque, of_box.torque)), 0, 1e-9 * force);
        fender_geometry_release(ground);
    }
    fender_geometry_release(box);
    fender_geometry_release(brick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_is_behind_is_found),
        cmocka_unit_test(an_open_mesh_hides_anything),
        cmocka_unit_test(the_nearest_is_found),
        cmocka_unit_test(a_brick_is_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
