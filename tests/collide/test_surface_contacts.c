/* Everything against grids and meshes: flat ones behave like planes wherever their triangles meet, spheres in valleys
 * do not depend on how the valley is divided, distances are those of brute force, corners and edges of a mesh push the
 * way out. */
#include "check.h"
#include "collide/pair_table.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

static fender_env env;

/* A geometry around a surface, as constructors make it. */
static fender_geometry *wrap(fender_geometry_type type, fnd_surface *s)
{
    assert_non_null(s);
    fender_geometry *g = calloc(1, sizeof *g);
    g->type = type;
    g->surface = s;
    g->env = env;
    g->patch_area = INFINITY;
    for (int i = 0; i < s->vertex_count; i++)
        g->bounding_radius = larger(g->bounding_radius, fender_vec3_length(s->vertices[i]));
    return g;
}
static void unwrap(fender_geometry *g)
{
    fnd_surface_release(&env, g->surface);
    free(g);
}

/* A square raster; its first line along both axes is at `lower`. */
static fnd_surface *grid_of(int side, double lower, fender_vec2 spacing, const double *heights)
{
    const fender_grid_def def = {
        .count_x = side, .count_y = side, .lower = {lower, lower}, .spacing = spacing, .heights = heights};
    return fnd_surface_of_grid(&env, &def, NULL);
}

/* A level floor of 12 x 12 m at z = 0 of triangles of every shape, turned by R; edges run everywhere. */
static fender_geometry *floor_of_triangles(random_stream *r, const fender_mat3 *R, int cells)
{
    enum { MOST = 40 };
    static fender_vec3 v[(MOST + 1) * (MOST + 1)];
    static int32_t t[2 * MOST * MOST][3];
    int n = 0;
    for (int j = 0; j <= cells; j++)
        for (int i = 0; i <= cells; i++) {
            bool inner = i > 0 && j > 0 && i < cells && j < cells;
            double x = i + (inner ? random_between(r, -0.2, 0.2) : 0),
                   y = j + (inner ? random_between(r, -0.2, 0.2) : 0);
            v[j * (cells + 1) + i] = fender_mat3_times(R, fender_vec3_make(12 * x / cells - 6, 12 * y / cells - 6, 0));
        }
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            int32_t a = j * (cells + 1) + i, b = a + 1, c = a + cells + 2, d = a + cells + 1;
            const int32_t one[2][3] = {{a, b, c}, {a, c, d}}, other[2][3] = {{a, b, d}, {b, c, d}};
            memcpy(t[n], random_below(r, 2) ? one : other, sizeof one);
            n += 2;
        }
    return wrap(FENDER_GEOMETRY_MESH, fnd_surface_create(&env, v, (cells + 1) * (cells + 1), &t[0][0], n));
}

typedef struct answer {
    fender_separation items[4096];
    int count;
    double energy;
    fender_vec3 force, torque; /* on b, about the origin of a; unit stiffness, linear law */
} answer;

static answer *ask(const fnd_posed *a, const fnd_posed *b, fnd_query_kind kind, double reach)
{
    static answer answers[4];
    static int turn;
    answer *found = &answers[turn++ % 4];
    fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    assert_non_null((void *)(uintptr_t)entry.function);
    fnd_manifold out = {.items = found->items, .capacity = 4096};
    fnd_query query = {kind, reach, NULL, NULL, 0};
    fnd_pair_evaluate(&entry, a, b, &query, &out);
    assert_false(out.failed);
    found->count = out.count;
    found->energy = 0;
    found->force = found->torque = fender_vec3_make(0, 0, 0);
    for (int i = 0; i < out.count; i++) {
        const fender_separation *s = &found->items[i];
        assert_true(isfinite(s->distance) && fender_vec3_is_finite(s->point_a) && fender_vec3_is_finite(s->point_b));
        check_near(fender_vec3_length(s->normal), 1, 1e-15);
        assert_true(s->weight >= 0 && s->weight < 1e6);
        double size = 1 + fender_vec3_length(s->point_a) + fabs(s->distance);
        check_vector(s->point_b, fender_vec3_add_scaled(s->point_a, s->distance, s->normal), 1e-14 * size);
        for (int k = 0; k < i; k++) assert_true(found->items[k].feature != s->feature);
        if (!(s->distance < 0)) continue;
        fender_vec3 f = fender_vec3_scale(-s->weight * s->distance, s->normal);
        fender_vec3 at = fender_vec3_scale(0.5, fender_vec3_add(s->point_a, s->point_b));
        found->energy += 0.5 * s->weight * s->distance * s->distance;
        found->force = fender_vec3_add(found->force, f);
        found->torque = fender_vec3_add(found->torque, fender_vec3_cross(at, f));
    }
    return found;
}

enum { SOLIDS = 10 };
static fender_geometry *solid_of_kind(int kind)
{
    static const fender_vec3 wedge[] = {{-0.4, -0.3, 0}, {0.4, -0.3, 0}, {0, 0.5, 0}, {0, 0, 0.7}, {0, 0, -0.5}};
    switch (kind) {
    case 0: return fender_geometry_sphere(&env, 0.5, NULL);
    case 1: return fender_geometry_capsule(&env, 0.3, 0.6, NULL);
    case 2: return fender_geometry_box(&env, fender_vec3_make(0.5, 0.3, 0.2), NULL);
    case 3: return fender_geometry_cylinder(&env, 0.5, 0.4, NULL);
    case 4: return fender_geometry_cone(&env, 0.5, 0.4, NULL);
    case 5: return fender_geometry_ellipsoid(&env, fender_vec3_make(0.5, 0.3, 0.2), NULL);
    case 6: return fender_geometry_disk(&env, 0.5, NULL);
    case 7: return fender_geometry_hull(&env, wedge, 5, NULL);
    case 8: {
        fender_geometry *box = fender_geometry_box(&env, fender_vec3_make(0.4, 0.3, 0.2), NULL);
        fender_geometry *rounded = fender_geometry_rounded(box, 0.1, NULL);
        fender_geometry_release(box);
        return rounded;
    }
    default: return fender_geometry_point(&env, NULL);
    }
}

/* Sliding over seams of a flat mesh or grid is like sliding on a plane. */
static void seams(void **state)
{
    (void)state;
    fender_geometry *plane = fender_geometry_plane(&env, NULL);
    int poses = 0, contacts = 0;
    double worst_distance = 0, worst_normal = 0, worst_force = 0, worst_torque = 0, worst_round = 0;
    for (int kind = 0; kind < SOLIDS; kind++) {
        bool round = kind == 1 || kind == 3 || kind == 4 || kind == 6; /* on planes they have formulas of their own */
        fender_geometry *solid = solid_of_kind(kind);
        for (uint64_t n = 0; n < 16; n++) {
            random_stream r = random_of_case(820 + (uint64_t)kind, n);
            fender_mat3 R = n % 2 ? fender_quaternion_matrix(random_rotation(&r)) : fender_mat3_identity();
            fender_geometry *mesh = NULL;
            if (n % 4 == 0) {
                double heights[49] = {0};
                mesh = wrap(FENDER_GEOMETRY_GRID, grid_of(7, -6, (fender_vec2){2, 2}, heights));
            } else mesh = floor_of_triangles(&r, &R, 3 + random_below(&r, 30));
            fender_quaternion q = random_rotation(&r);
            if (n % 3 == 0) q = (fender_quaternion){0.6, 0, 0, 0.8}; /* flat */
            if (n % 3 == 1) q = (fender_quaternion){sqrt(0.5), sqrt(0.5), 0, 0};
            fender_mat3 turned = fender_quaternion_matrix(q);
            turned = fender_mat3_product(&R, &turned);
            fender_geometry *coarse = floor_of_triangles(&r, &R, 1);
            fnd_posed a = {mesh, {7, 8, 9}, fender_mat3_identity()}, whole = {coarse, {7, 8, 9}, a.R_WG},
                      level = {plane, {7, 8, 9}, R};
            fender_vec3 center, half;
            fender_mat3 R_PB = fender_mat3_transpose(&R);
            R_PB = fender_mat3_product(&R_PB, &turned);
            fnd_geometry_box(solid, &R_PB, &center, &half);
            double depth = random_magnitude(&r, 1e-6, 0.1);
            for (int step = 0; step < 12; step++) {
                fender_vec3 p = {-2 + 0.331 * step, 1 - 0.212 * step, half.z - center.z - depth};
                fnd_posed b = {solid, fender_vec3_add(a.p_WG, fender_mat3_times(&R, p)), turned};
                answer *on_mesh = ask(&a, &b, FND_QUERY_DISTANCE, 0),
                       *on_plane = ask(&level, &b, FND_QUERY_DISTANCE, 0);
                assert_true(on_mesh->count == 1 && on_plane->count == 1);
                worst_distance = larger(worst_distance, fabs(on_mesh->items[0].distance - on_plane->items[0].distance));
                worst_normal = larger(worst_normal, fender_vec3_length(fender_vec3_sub(on_mesh->items[0].normal,
                                                                                       on_plane->items[0].normal)));
                on_mesh = ask(&a, &b, FND_QUERY_PATCH, 0);
                on_plane = ask(round ? &whole : &level, &b, FND_QUERY_PATCH, 0);
                if (kind == 0 || kind == 5 || kind == 9) assert_int_equal(on_mesh->count, 1);
                double force = fender_vec3_length(fender_vec3_sub(on_mesh->force, on_plane->force));
                double torque = fender_vec3_length(fender_vec3_sub(on_mesh->torque, on_plane->torque));
                if (round) worst_round = larger(worst_round, force + torque);
                else worst_force = larger(worst_force, force);
                if (!round) worst_torque = larger(worst_torque, torque);
                contacts += on_mesh->count;
                poses++;
            }
            unwrap(mesh);
            unwrap(coarse);
        }
        fender_geometry_release(solid);
    }
    fender_geometry_release(plane);
    printf("round solids on two triangles or many: force and torque within %.2g\n", worst_round);
    assert_true(worst_round < 1e-9); /* the rule of Gauss along the axis, and levers of 10 m */
    printf("seams: %d poses, %d contacts; against a plane: distance %.2g, normal %.2g, force %.2g, torque %.2g\n",
           poses, contacts, worst_distance, worst_normal, worst_force, worst_torque);
    /* a few dozen roundings of coordinates of 10 m, and of angles */
    assert_true(worst_distance < 1e-13 && worst_normal < 1e-13 && worst_force < 1e-13 && worst_torque < 1e-12);
}

/* ---- a sphere in valleys ---- */

/* Two sides that rise from the line x = 0 at the angle of 90 degrees less `half_opening`, divided at random. */
static fender_geometry *valley(random_stream *r, double half_opening, int columns, int rows, bool ridge)
{
    static fender_vec3 v[2000];
    static int32_t t[4000][3];
    double sine = sin(half_opening), cosine = cos(half_opening) * (ridge ? -1 : 1), along[64], across[64];
    for (int i = 0; i <= columns; i++)
        across[i] = i * 4.0 / columns + (i && i < columns ? random_between(r, -0.1, 0.1) : 0);
    for (int j = 0; j <= rows; j++) along[j] = -4 + j * 8.0 / rows + (j && j < rows ? random_between(r, -0.1, 0.1) : 0);
    int n = 0, width = 2 * columns + 1;
    for (int j = 0; j <= rows; j++)
        for (int i = -columns; i <= columns; i++) {
            double x = across[abs(i)];
            v[j * width + i + columns] = fender_vec3_make(i < 0 ? -x * sine : x * sine, along[j], x * cosine);
        }
    for (int j = 0; j < rows; j++)
        for (int i = 0; i + 1 < width; i++) {
            int32_t a = j * width + i, b = a + 1, c = b + width, d = a + width;
            const int32_t one[2][3] = {{a, b, c}, {a, c, d}}, other[2][3] = {{a, b, d}, {b, c, d}};
            memcpy(t[n], random_below(r, 2) ? one : other, sizeof one);
            n += 2;
        }
    return wrap(FENDER_GEOMETRY_MESH, fnd_surface_create(&env, v, width * (rows + 1), &t[0][0], n));
}

/* Force of the rule that the header of mesh_touch.c states, for two planes. */
static fender_vec3 valley_force(double half_opening, double radius, fender_vec3 p)
{
    double s = sin(half_opening), c = cos(half_opening), coupling = c * c * -1 + s * s; /* of the two normals */
    fender_vec3 n[2] = {{c, 0, s}, {-c, 0, s}};
    double d[2] = {radius - fender_vec3_dot(n[0], p), radius - fender_vec3_dot(n[1], p)}, l[2];
    coupling = coupling > 0 ? coupling : 0;
    for (int k = 0; k < 2; k++) l[k] = (d[k] - coupling * d[1 - k]) / (1 - coupling * coupling);
    for (int k = 0; k < 2; k++) {
        if (d[k] <= 0 || l[k] <= 0) {
            l[k] = 0;
            l[1 - k] = d[1 - k] > 0 ? d[1 - k] : 0;
        }
    }
    return fender_vec3_add(fender_vec3_scale(l[0], n[0]), fender_vec3_scale(l[1], n[1]));
}

static void valleys(void **state)
{
    (void)state;
    int poses = 0, pairs = 0, kinks = 0;
    double worst = 0, slope = 0;
    fender_geometry *ball = fender_geometry_sphere(&env, 0.7, NULL);
    for (uint64_t n = 0; n < 60; n++) {
        random_stream r = random_of_case(840, n);
        double half_opening = random_between(&r, 0.2, 1.55);
        fender_geometry *mesh = valley(&r, half_opening, 1 + random_below(&r, 8), 1 + random_below(&r, 12), false);
        for (int i = 0; i < 40; i++) {
            double along = random_between(&r, -0.3, 0.3) * 0.7,
                   down = 0.7 / sin(half_opening) - random_magnitude(&r, 1e-6, 0.2);
            fender_vec3 p = {along * 0.2, random_between(&r, -3, 3), down};
            fnd_posed a = {mesh, {1, 2, 3}, fender_mat3_identity()},
                      b = {ball, fender_vec3_add(a.p_WG, p), fender_mat3_identity()};
            fender_vec3 local = fender_vec3_sub(b.p_WG, a.p_WG);
            answer *found = ask(&a, &b, FND_QUERY_PATCH, 0);
            assert_true(found->count <= 2);
            pairs += found->count == 2;
            worst = larger(worst,
                           fender_vec3_length(fender_vec3_sub(found->force, valley_force(half_opening, 0.7, local))));
            fender_vec3 force = found->force;
            int count = found->count;
            for (int k = 0; k < 3; k++) { /* the force is the slope of the energy */
                double h = 1e-5, e[2];
                bool kink = false; /* a side begins to count within the step */
                for (int side = 0; side < 2; side++) {
                    fender_vec3 step = {k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
                    b.p_WG = fender_vec3_add_scaled(fender_vec3_add(a.p_WG, p), side ? 1 : -1, step);
                    found = ask(&a, &b, FND_QUERY_PATCH, 0);
                    e[side] = found->energy;
                    kink = kink || found->count != count;
                }
                kinks += kink;
                if (kink) continue;
                slope = larger(slope, fabs((e[0] - e[1]) / (2 * h) - (k == 0 ? force.x : k == 1 ? force.y : force.z)));
            }
            poses++;
        }
        unwrap(mesh);
    }
    fender_geometry_release(ball);
    printf("valleys: %d poses, %d on both sides; force off by %.2g, slope of the energy by %.2g\n", poses, pairs, worst,
           slope);
    /* the energy is a quadratic in both sides: central differences have its rounding over their step */
    assert_true(worst < 1e-13 && slope < 1e-9 && pairs > 200 && kinks < 20);
}

/* ---- a table: a box of triangles ---- */

static fender_geometry *table(int cells)
{
    static fender_vec3 v[6 * 400];
    static int32_t t[6 * 800][3];
    int count = 0, n = 0;
    for (int side = 0; side < 6; side++) /* corners are shared below */
        for (int j = 0; j < cells; j++)
            for (int i = 0; i < cells; i++) {
                int32_t corner[4];
                for (int k = 0; k < 4; k++) {
                    double p[3];
                    int axis = side / 2;
                    p[axis] = side % 2 ? 1 : -1;
                    double x = -1 + 2.0 * (i + (k == 1 || k == 2)) / cells, y = -1 + 2.0 * (j + (k >= 2)) / cells;
                    p[(axis + 1) % 3] = side % 2 ? x : y;
                    p[(axis + 2) % 3] = side % 2 ? y : x;
                    fender_vec3 one = {p[0], p[1], p[2]};
                    int at = 0;
                    while (at < count && memcmp(&v[at], &one, sizeof one) != 0) at++;
                    if (at == count) v[count++] = one;
                    corner[k] = at;
                }
                const int32_t two[2][3] = {{corner[0], corner[1], corner[2]}, {corner[0], corner[2], corner[3]}};
                memcpy(t[n], two, sizeof two);
                n += 2;
            }
    return wrap(FENDER_GEOMETRY_MESH, fnd_surface_create(&env, v, count, &t[0][0], n));
}

/* Solids at the edge of the table, over its corner, beside it: as against a box of the same size, which the table of
 * pairs knows by other means. */
static void tables(void **state)
{
    (void)state;
    fender_geometry *box = fender_geometry_box(&env, fender_vec3_make(1, 1, 1), NULL);
    int poses = 0, deep = 0, buried = 0;
    double worst[2] = {0, 0}, excess = 0;
    for (int kind = 0; kind < SOLIDS; kind++) {
        fender_geometry *solid = solid_of_kind(kind);
        bool curved = kind >= 3 && kind <= 6;
        for (uint64_t n = 0; n < 6; n++) {
            random_stream r = random_of_case(850 + (uint64_t)kind, n);
            fender_geometry *mesh = table(1 + (int)n % 3);
            for (int i = 0; i < 30; i++) {
                fnd_posed a = {mesh, {4, 5, 6}, fender_quaternion_matrix(random_rotation(&r))}, as_box = a;
                as_box.geometry = box;
                fnd_posed b = {solid, fender_vec3_add(a.p_WG, random_in_ball(&r, 2.5)),
                               fender_quaternion_matrix(random_rotation(&r))};
                fender_separation got = ask(&a, &b, FND_QUERY_DISTANCE, 0)->items[0];
                fender_separation want = ask(&as_box, &b, FND_QUERY_DISTANCE, 0)->items[0];
                (void)ask(&a, &b, FND_QUERY_PATCH, 0);
                if (want.distance > 0) {
                    worst[curved] = larger(worst[curved], fabs(got.distance - want.distance));
                } else { /* every triangle must be left: that may take longer than to leave the box as a whole */
                    deep++;
                    buried += got.distance >= 0;
                    if (want.distance > -0.05) excess = larger(excess, want.distance - got.distance);
                }
                poses++;
            }
            unwrap(mesh);
        }
        fender_geometry_release(solid);
    }
    fender_geometry_release(box);
    printf(
        "tables: %d poses, %d overlap; distance apart off by %.2g, of curved solids by %.2g; shallow overlaps deeper "
        "than the box's by %.2g; %d missed\n",
        poses, deep, worst[0], worst[1], excess, buried);
    assert_true(worst[0] < 1e-13 && worst[1] < 1e-8 && buried == 0 && deep > 300 && excess < 0.02);
}

/* ---- energy of a sphere over any ground ---- */

/* Hills, pits, ridges: force is the slope of the stored energy, energy has no steps. */
static void rough_ground(void **state)
{
    (void)state;
    int slopes = 0, steps = 0, several = 0;
    double worst_slope = 0, worst_step = 0, most = 0;
    fender_geometry *ball = fender_geometry_sphere(&env, 0.5, NULL);
    for (uint64_t n = 0; n < 12; n++) {
        random_stream r = random_of_case(860, n);
        double heights[225], height = random_between(&r, 0.05, 0.3);
        for (int i = 0; i < 225; i++) heights[i] = random_between(&r, -height, height);
        fender_geometry *grid = wrap(FENDER_GEOMETRY_GRID, grid_of(15, -3, (fender_vec2){0.43, 0.43}, heights));
        fnd_posed a = {grid, {0, 0, 0}, fender_mat3_identity()}, b = {ball, {0, 0, 0}, fender_mat3_identity()};
        for (int path = 0; path < 6; path++) {
            fender_vec3 p = {-2, random_between(&r, -2, 2), 0}, along = {0.01, random_between(&r, -0.003, 0.003), 0};
            double lift = random_between(&r, 0.05, 0.45), last = 0;
            for (int i = 0; i < 400; i++) {
                p = fender_vec3_add(p, along);
                b.p_WG = fender_vec3_make(p.x, p.y, height + lift);
                answer *found = ask(&a, &b, FND_QUERY_PATCH, 0);
                several += found->count > 1;
                fender_vec3 force = found->force;
                double energy = found->energy, h = 1e-6, slope[3];
                most = larger(most, energy);
                for (int k = 0; k < 3; k++) {
                    fender_vec3 at = b.p_WG;
                    double e[2];
                    for (int side = 0; side < 2; side++) {
                        b.p_WG = fender_vec3_add_scaled(at, side ? h : -h, fender_vec3_make(k == 0, k == 1, k == 2));
                        e[side] = ask(&a, &b, FND_QUERY_PATCH, 0)->energy;
                    }
                    b.p_WG = at;
                    slope[k] = (e[0] - e[1]) / (2 * h);
                }
                double off = fender_vec3_length(fender_vec3_sub(force, fender_vec3_make(slope[0], slope[1], slope[2])));
                if (off > 1e-6) slopes++; /* a facet begins to touch within the difference */
                else worst_slope = larger(worst_slope, off);
                if (i > 0) worst_step = larger(worst_step, fabs(energy - last));
                last = energy;
                steps++;
            }
        }
        unwrap(grid);
    }
    fender_geometry_release(ball);
    printf("rough ground: %d places, %d with several contacts; force against the slope of the energy: %.2g, but for %d "
           "places; "
           "largest change of energy in a step of 1 cm %.3g of %.3g\n",
           steps, several, worst_slope, slopes, worst_step, most);
    /* rounding of the energy over the step of 1e-6 m, and its square */
    assert_true(slopes <= 3 && worst_slope < 1e-6 && several > 2000);
}

/* ---- planes, and solids below ---- */

static void planes_and_below(void **state)
{
    (void)state;
    fender_geometry *plane = fender_geometry_plane(&env, NULL), *mesh = table(4);
    int poses = 0;
    for (uint64_t n = 0; n < 200; n++) {
        random_stream r = random_of_case(870, n);
        fnd_posed a = {mesh, random_in_ball(&r, 2), fender_quaternion_matrix(random_rotation(&r))};
        fnd_posed b = {plane, random_in_ball(&r, 1), fender_quaternion_matrix(random_rotation(&r))};
        fender_vec3 normal = fender_mat3_column(&b.R_WG, 2);
        double least = INFINITY, energy = 0;
        for (int i = 0; i < mesh->surface->vertex_count; i++) {
            fender_vec3 v = fender_vec3_add(a.p_WG, fender_mat3_times(&a.R_WG, mesh->surface->vertices[i]));
            double d = fender_vec3_dot(normal, fender_vec3_sub(v, b.p_WG));
            least = d < least ? d : least;
        }
        check_near(ask(&a, &b, FND_QUERY_DISTANCE, 0)->items[0].distance, least, 1e-14);
        check_near(ask(&b, &a, FND_QUERY_DISTANCE, 0)->items[0].distance, least, 1e-14);
        answer *found = ask(&a, &b, FND_QUERY_PATCH, 0);
        double weights = 0;
        for (int i = 0; i < found->count; i++)
            energy += found->items[i].weight, assert_true(found->items[i].distance <= 0);
        answer *all = ask(&a, &b, FND_QUERY_PATCH, 100);
        for (int i = 0; i < all->count; i++) weights += all->items[i].weight;
        check_near(weights, 1, 1e-14); /* the whole surface below */
        assert_true(energy <= 1 && (least > 0) == (found->count == 0));
        poses++;
    }
    for (int kind = 0; kind < SOLIDS; kind++) { /* wholly below level ground, between and beside its borders */
        fender_geometry *solid = solid_of_kind(kind);
        double heights[49] = {0};
        fender_geometry *grid = wrap(FENDER_GEOMETRY_GRID, grid_of(7, -6, (fender_vec2){2, 2}, heights));
        for (uint64_t n = 0; n < 20; n++) {
            random_stream r = random_of_case(871, n);
            fender_pose pose = {{1.3, 2.1, random_between(&r, 0, 2)}, random_rotation(&r)}; /* the ground is at 3 */
            fnd_posed a = {grid, {1, 2, 3}, fender_mat3_identity()};
            fnd_posed b = {solid, pose.p, fender_quaternion_matrix(pose.q)};
            fender_separation below = ask(&a, &b, FND_QUERY_DISTANCE, 0)->items[0];
            check_near(below.distance, fender_geometry_bounds(solid, &pose).lower.z - 3, 1e-13);
            check_vector(below.normal, fender_vec3_make(0, 0, 1), 1e-15);
            assert_true(ask(&a, &b, FND_QUERY_PATCH, 0)->count >= 1);
            b.p_WG.x = 9.5; /* beside */
            assert_true(ask(&a, &b, FND_QUERY_DISTANCE, 0)->items[0].distance > 0);
            poses++;
        }
        unwrap(grid);
        fender_geometry_release(solid);
    }
    unwrap(mesh);
    fender_geometry_release(plane);
    printf("planes and below: %d poses\n", poses);
}

/* An ellipsoid that is pressed into a face of a block, so deep that it meets the faces beside it, touches where it
 * reaches lowest. The way out along the other faces is as short, to rounding, but has no place of its own. */
static void one_place_in_a_face(void **state)
{
    (void)state;
    const fender_vec3 half = {0.14, 0.09, 0.08}, axes = {0.105, 0.1, 0.11};
    fender_geometry *box = fender_geometry_box(&env, half, NULL), *solid = fender_geometry_ellipsoid(&env, axes, NULL);
    int32_t triangles[36];
    int count;
    const fender_vec3 *corners = fender_geometry_vertices(box, &count);
    assert_int_equal(fender_geometry_triangles(box, triangles, 36), 36);
    const fender_mesh_def def = {corners, count, triangles, 12};
    fender_geometry *block = fender_geometry_mesh(&env, &def, NULL);
    assert_non_null(block);
    for (int n = 0; n < repeats(400); n++) {
        random_stream r = random_of_case(515, (uint64_t)n);
        const fender_mat3 R = fender_quaternion_matrix(random_rotation(&r));
        const fender_vec3 row = {R.m[0][0] * axes.x, R.m[0][1] * axes.y, R.m[0][2] * axes.z};
        const double reach = fender_vec3_length(row); /* along x */
        const fender_vec3 scaled = {row.x * axes.x / reach, row.y * axes.y / reach, row.z * axes.z / reach};
        const fender_vec3 lowest = fender_vec3_scale(-1, fender_mat3_times(&R, scaled));
        const fender_vec3 at = {half.x + reach - random_between(&r, 0.05, 0.07),
                                random_between(&r, -0.03, 0.03) - lowest.y, random_between(&r, -0.02, 0.02) - lowest.z};
        const fnd_posed a = {block, {0, 0, 0}, fender_mat3_identity()}, b = {solid, at, R};
        for (int kind = FND_QUERY_DISTANCE; kind <= FND_QUERY_SINGLE; kind++) {
            const answer *found = ask(&a, &b, (fnd_query_kind)kind, 0);
            assert_int_equal(found->count, 1);
            check_near(found->items[0].distance, at.x - reach - half.x, 1e-9);
            check_vector(found->items[0].point_b, fender_vec3_add(at, lowest), 1e-6);
        }
    }
    fender_geometry_release(block);
    fender_geometry_release(solid);
    fender_geometry_release(box);
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seams),        cmocka_unit_test(valleys),          cmocka_unit_test(tables),
        cmocka_unit_test(rough_ground), cmocka_unit_test(planes_and_below), cmocka_unit_test(one_place_in_a_face),
    };
    return cmocka_run_group_tests_name("surface contacts", tests, NULL, NULL);
}
