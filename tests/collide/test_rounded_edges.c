/* Rounded solids meet with edges and corners: nothing is stored at true touch, force and torque are the slope of the
 * energy, and an edge has the force of its round surface. */
#include "potential.h"
#include <string.h>

typedef enum edged_kind { EDGED_BOX, EDGED_HULL, EDGED_PYRAMID, EDGED_CYLINDER, EDGED_CONE, EDGED_KINDS } edged_kind;

static fender_geometry *solid(edged_kind kind, double rounding)
{
    const fender_env *env = &potential_env;
    const fender_vec3 pyramid[5] = {
        {0.2, 0.2, -0.1}, {-0.2, 0.2, -0.1}, {-0.2, -0.2, -0.1}, {0.2, -0.2, -0.1}, {0, 0, 0.2}};
    fender_vec3 points[24];
    fender_geometry *core = NULL;
    for (int i = 0; i < 24; i++) {
        const double z = 1 - 2 * (i + 0.5) / 24, angle = 2.39996 * i, across = sqrt(1 - z * z);
        points[i] = fender_vec3_make(0.25 * across * cos(angle), 0.2 * across * sin(angle), 0.22 * z);
    }
    switch (kind) {
    case EDGED_BOX: core = fender_geometry_box(env, fender_vec3_make(0.2, 0.2, 0.2), NULL); break;
    case EDGED_HULL: core = fender_geometry_hull(env, points, 24, NULL); break;
    case EDGED_PYRAMID: core = fender_geometry_hull(env, pyramid, 5, NULL); break;
    case EDGED_CYLINDER: core = fender_geometry_cylinder(env, 0.2, 0.2, NULL); break;
    case EDGED_CONE: core = fender_geometry_cone(env, 0.2, 0.2, NULL); break;
    case EDGED_KINDS: break;
    }
    return rounding > 0 ? potential_rounded(core, rounding) : core;
}

static void release(const fnd_posed *posed) { fender_geometry_release((fender_geometry *)(uintptr_t)posed->geometry); }

/* Touching to 1 nm. */
static void meet(const fnd_posed *a, fnd_posed *b, random_stream *r)
{
    double low = 0, high = 3;
    b->R_WG = random_matrix(r);
    const fender_vec3 up = random_direction(r);
    for (int i = 0; i < 45; i++) {
        const double middle = 0.5 * (low + high);
        b->p_WG = fender_vec3_scale(middle, up);
        if (potential_deepest(a, b).distance < 0) low = middle;
        else high = middle;
    }
    potential_settle(a, b, 1e-9);
}

/* Worst of poses: energy at touch over stiffness times the square of the roundings, and force and torque against the
 * slope, at a depth. */
typedef struct rounded_worst {
    double at_touch, off;
    int poses;
} rounded_worst;

static void try_pose(const fnd_posed *a, fnd_posed *b, random_stream *r, double rounding, double tolerance,
                     rounded_worst *worst)
{
    meet(a, b, r);
    worst->at_touch = larger(worst->at_touch, potential_ask(a, b).energy / (rounding * rounding));
    const double depth = random_magnitude(r, 1e-3, 0.03);
    potential_settle(a, b, depth);
    const patch_sum here = potential_ask(a, b);
    if (!(fender_vec3_length(here.force) > 1e-3 * depth)) return;
    worst->poses++;
    worst->off = larger(worst->off, potential_off(a, b, &here) * tolerance);
}

/* Over stiffness times the square of the roundings. The facets of a rounded edge are at most 0.5 % of the rounding
 * outside, those of a vertex 3 %: sharp edges had 2e-4 to 2e-2 here. */
static void nothing_is_stored_at_touch(void **state)
{
    (void)state;
    const double roundings[3][2] = {{0, 0.05}, {0.04, 0}, {0.04, 0.05}};
    rounded_worst worst = {0};
    potential_env = fender_env_default();
    potential_exponent = 1;
    for (int of_a = 0; of_a < EDGED_KINDS; of_a++)
        for (int of_b = 0; of_b < EDGED_KINDS; of_b++)
            for (uint64_t n = 0; n < 3; n++) {
                random_stream r = random_of_case(4100 + (uint64_t)(of_a * EDGED_KINDS + of_b), n);
                const double *rounding = roundings[n % 3];
                fnd_posed a = {solid((edged_kind)of_a, rounding[0]), {0, 0, 0}, fender_mat3_identity()};
                fnd_posed b = {solid((edged_kind)of_b, rounding[1]), {0, 0, 0}, fender_mat3_identity()};
                const bool prism = (of_a == EDGED_CYLINDER || of_b == EDGED_CYLINDER);
                try_pose(&a, &b, &r, rounding[0] + rounding[1], prism ? 1e-2 : 1, &worst);
                release(&a);
                release(&b);
            }
    print_message("energy at touch %.1e k r^2; slope off by %.1e in %d poses\n", worst.at_touch, worst.off,
                  worst.poses);
    assert_true(worst.poses > 40);
    check_below(worst.at_touch, 5e-6);
    check_below(worst.off, 1e-8); /* the rounding of the differences; cylinders: of the rule for the side's pressure */
}

static fender_geometry *stone(int count, double size, double rounding)
{
    fender_vec3 points[400];
    for (int i = 0; i < count; i++) {
        const double z = 1 - 2 * (i + 0.5) / count, angle = 2.39996 * i, across = sqrt(1 - z * z);
        points[i] = fender_vec3_make(0.25 * size * across * cos(angle), 0.2 * size * across * sin(angle),
                                     0.22 * size * z);
    }
    return potential_rounded(fender_geometry_hull(&potential_env, points, count, NULL), rounding);
}

/* Of hulls of many points with roundings of several of their edges: more vertices are near than fans are kept, and the
 * vertices are more than have bits. Before, an edge had both ends at one vertex in 1 of 15 poses, and 4e-4 were stored
 * at touch. */
static void stones_store_nothing_at_touch(void **state)
{
    (void)state;
    rounded_worst worst = {0};
    potential_env = fender_env_default();
    potential_exponent = 1;
    const int counts[4] = {128, 32, 65, 400};
    for (uint64_t n = 0; n < 60; n++) {
        random_stream r = random_of_case(77, n);
        const int small = counts[n % 3], large = counts[n % 12 == 11 ? 3 : 0];
        fnd_posed a = {stone(large, 1, 0.05), {0, 0, 0}, fender_mat3_identity()};
        fnd_posed b = {stone(small, 0.9, 0.03), {0, 0, 0}, fender_mat3_identity()};
        try_pose(&a, &b, &r, 0.08, 1, &worst);
        release(&a);
        release(&b);
    }
    print_message("stones: energy at touch %.1e k r^2; slope off by %.1e in %d poses\n", worst.at_touch, worst.off,
                  worst.poses);
    assert_true(worst.poses > 20);
    check_below(worst.at_touch, 5e-6);
    check_below(worst.off, 1e-7); /* the rounding of the differences */
}

/* The area of the face, over a quarter of the largest one, that has only one point; 0: not a face with one point. */
static double area_of_one(const fnd_polytope *p, const fender_separation *s)
{
    const uint64_t bits = ((uint64_t)1 << 26) - 1;
    const uint64_t triangle = s->feature >> 34 & bits, of_all = s->feature >> 8 & bits;
    if (of_all != bits || triangle >= (uint64_t)p->face_count) return 0;
    double most = 0;
    for (int i = 0; i < p->face_count; i++) most = larger(most, p->face_areas[i]);
    return 4 * p->face_areas[triangle] / most;
}

/* A face has four points if it is larger than a quarter of the largest. Before, the borders towards vertices that were
 * near were taken for corners of it, and it had one. */
static void large_faces_have_four_points(void **state)
{
    (void)state;
    potential_env = fender_env_default();
    double worst = 0;
    int points = 0;
    for (uint64_t n = 0; n < 40; n++) {
        random_stream r = random_of_case(78, n);
        fnd_posed a = {stone(32, 1, 0.05), {0, 0, 0}, fender_mat3_identity()};
        fnd_posed b = {stone(32, 1, 0), {0, 0, 0}, fender_mat3_identity()};
        meet(&a, &b, &r);
        potential_settle(&a, &b, 0.01);
        fender_separation items[512];
        fnd_manifold found = {.items = items, .capacity = 512};
        const fnd_pair_entry entry = fnd_pair_find(a.geometry, b.geometry);
        const fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
        fnd_pair_evaluate(&entry, &a, &b, &query, &found);
        points += found.count;
        for (int i = 0; i < found.count; i++) worst = larger(worst, area_of_one(b.geometry->polytope, &items[i]));
        release(&a);
        release(&b);
    }
    print_message("largest face with one point: %.4f of a quarter, %d points in all\n", worst, points);
    assert_true(points > 400);
    check_below(worst, 1);
}

/* Two steps of 40 cm, 1 m wide, closed; its sides are bent inwards. */
static fender_geometry *stairs(void)
{
    static const double profile[6][2] = {{-0.6, -0.4}, {0.6, -0.4}, {0.6, 0}, {0, 0}, {0, 0.4}, {-0.6, 0.4}};
    static const int32_t side[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
    fender_vec3 vertices[12];
    int32_t triangles[20][3];
    for (int i = 0; i < 12; i++)
        vertices[i] = fender_vec3_make(profile[i % 6][0], i < 6 ? -0.5 : 0.5, profile[i % 6][1]);
    for (int i = 0; i < 6; i++) {
        const int next = (i + 1) % 6;
        const int32_t two[2][3] = {{i, 6 + next, next}, {i, 6 + i, 6 + next}};
        memcpy(triangles[2 * i], two, sizeof two);
    }
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) triangles[12 + i][k] = i < 4 ? side[i][k] : 6 + side[i - 4][2 - k];
    const fender_mesh_def def = {vertices, 12, &triangles[0][0], 20};
    fender_geometry *made = fender_geometry_mesh(&potential_env, &def, NULL);
    assert_non_null(made);
    return made;
}

/* A grid of pyramids of 40 cm on 1 m. */
static fender_geometry *pyramids(void)
{
    static double heights[81];
    for (int i = 0; i < 81; i++) heights[i] = i % 9 % 2 && i / 9 % 2 ? 0.4 : 0;
    const fender_grid_def grid = {9, 9, {-2, -2}, {0.5, 0.5}, heights};
    return fender_geometry_grid(&potential_env, &grid, NULL);
}

/* From above, touching to 1 nm. */
static void lower(const fnd_posed *a, fnd_posed *b, random_stream *r)
{
    double low = -1, high = 3;
    b->R_WG = random_matrix(r);
    b->p_WG.x = random_between(r, -0.5, 0.5);
    b->p_WG.y = random_between(r, -0.5, 0.5);
    for (int i = 0; i < 45; i++) {
        b->p_WG.z = 0.5 * (low + high);
        if (potential_deepest(a, b).distance < 0) low = b->p_WG.z;
        else high = b->p_WG.z;
    }
    b->p_WG.z = high - 1e-9;
}

/* Of stairs, pyramids and rough ground, as a grid and as a mesh. With sharp edges 1e-3 were stored at touch. */
static void edges_of_meshes_are_round(void **state)
{
    (void)state;
    potential_env = fender_env_default();
    potential_exponent = 1;
    double at_touch = 0, off = 0;
    int poses = 0;
    for (uint64_t n = 0; n < 160; n++) {
        random_stream r = random_of_case(4300, n);
        fender_geometry *ground = n % 4 == 0 ? stairs() : n % 4 == 1 ? pyramids() : potential_ground(&r, n % 4 == 3);
        const fnd_posed a = {ground, {0, 0, 0}, fender_mat3_identity()};
        fender_geometry *small = n % 8 < 4 ? stone(24, 0.8, 0.05) : potential_solid(ROUNDED_BOX, &r);
        fnd_posed b = {small, {0, 0, 0}, fender_mat3_identity()};
        lower(&a, &b, &r);
        at_touch = larger(at_touch, potential_ask(&a, &b).energy / (0.05 * 0.05));
        const double depth = random_magnitude(&r, 1e-3, 0.03);
        b.p_WG.z -= depth;
        const patch_sum here = potential_ask(&a, &b);
        if (fender_vec3_length(here.force) > 1e-3 * depth) {
            poses++;
            off = larger(off, potential_off(&a, &b, &here));
        }
        release(&a);
        release(&b);
    }
    print_message("on meshes: energy at touch %.1e k r^2; slope off by %.1e in %d poses\n", at_touch, off, poses);
    assert_true(poses > 80);
    check_below(at_touch, 5e-6);
    check_below(off, 1e-8); /* the rounding of the differences */
}

/* Force, torque and energy of a box given as a mesh, over the force. With sharp edges up to 40 times the force. */
static void mesh_of_a_box_is_the_box(void **state)
{
    (void)state;
    potential_env = fender_env_default();
    potential_exponent = 1;
    const fender_vec3 half = {0.6, 0.5, 0.4};
    const fnd_posed box = {fender_geometry_box(&potential_env, half, NULL), {0, 0, 0}, fender_mat3_identity()};
    const fnd_posed mesh = {
        potential_mesh_of(fender_geometry_box(&potential_env, half, NULL)), {0, 0, 0}, fender_mat3_identity()};
    double differ = 0;
    for (uint64_t n = 0; n < 60; n++) {
        random_stream r = random_of_case(4301, n);
        fnd_posed b = {stone(24, 0.8, 0.05), {0, 0, 0}, fender_mat3_identity()};
        meet(&box, &b, &r);
        potential_settle(&box, &b, random_magnitude(&r, 1e-3, 0.02));
        const patch_sum one = potential_ask(&box, &b), two = potential_ask(&mesh, &b);
        const double force = fender_vec3_length(one.force);
        const double of_force = fender_vec3_length(fender_vec3_sub(one.force, two.force)),
                     of_torque = fender_vec3_length(fender_vec3_sub(one.torque, two.torque));
        differ = larger(differ, (of_force + of_torque + fabs(one.energy - two.energy)) / (force + 1e-9));
        release(&b);
    }
    print_message("box and mesh differ by %.1e of the force\n", differ);
    check_below(differ, 1e-9); /* rounding of coordinates over the depth */
    release(&box);
    release(&mesh);
}

/* Where a solid slides past the edges of stairs, and no part of its core overlaps them, no single contact of full
 * weight takes the place of its patches. */
static void no_contact_of_full_weight_beside_edges(void **state)
{
    (void)state;
    potential_env = fender_env_default();
    const uint64_t numbers[2] = {46, 137}; /* of 300 poses, those where it did */
    const fnd_posed a = {stairs(), {0, 0, 0}, fender_mat3_identity()};
    for (int n = 0; n < 2; n++) {
        random_stream r = random_of_case(505, numbers[n]);
        fender_geometry *core = fender_geometry_cylinder(&potential_env, 0.15, 0.1, NULL);
        fnd_posed b = {potential_rounded(core, 0.05), {0, 0, 0}, random_matrix(&r)};
        const fender_vec3 up = random_direction(&r);
        double low = 0, high = 3;
        for (int i = 0; i < 45; i++) {
            const double middle = 0.5 * (low + high);
            b.p_WG = fender_vec3_scale(middle, up);
            if (potential_deepest(&a, &b).distance < 0) low = middle;
            else high = middle;
        }
        b.p_WG = fender_vec3_scale(high - random_magnitude(&r, 1e-3, 0.03), up);
        const fender_vec3 way = random_direction(&r);
        for (int i = 0; i < 100; i++) {
            const patch_sum found = potential_ask(&a, &b);
            assert_true(potential_deepest(&a, &b).distance > -0.05);
            assert_true(found.count != 1 || found.weight < 0.9);
            b.p_WG = fender_vec3_add_scaled(b.p_WG, 1e-4, way);
        }
        release(&b);
    }
    release(&a);
}

/* The force of a level face on a cylinder, per half of its length, or on a sphere, over the stiffness per area: the
 * slope of the integral of down times depth^2 / 2, by a sum. */
static double force_of_round(double radius, double depth, bool sphere)
{
    const double height = radius - depth, widest = 1.01 * sqrt(radius * radius - height * height), step = 1e-5;
    const int steps = 2000;
    double energy[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const double z = height + (k ? -step : step);
        for (int i = 0; i < steps; i++) {
            const double x = (i + 0.5) / steps * widest, from = sqrt(x * x + z * z), below = radius - from;
            const double area = widest / steps * (sphere ? 2 * 3.141592653589793 * x : 1);
            if (below > 0) energy[k] += 0.5 * area * z / from * below * below;
        }
    }
    return (energy[1] - energy[0]) / (2 * step);
}

/* A wide box with a rounding of 5 cm, turned, below the face of a smaller one. */
static void on_round_one(const fender_mat3 *turn, double top, bool sphere, double tolerance)
{
    potential_env = fender_env_default();
    potential_exponent = 1;
    const double rounding = 0.05, side = 0.2, area = 4 * side * side, length = sphere ? 1 : 4 * side;
    fender_geometry *wide = fender_geometry_box(&potential_env, fender_vec3_make(0.3, 0.3, 0.3), NULL);
    fnd_posed a = {potential_rounded(wide, rounding), {0, 0, 0}, *turn};
    fnd_posed b = {solid(EDGED_BOX, 0), {0, 0, 0}, fender_mat3_identity()};
    for (int i = 1; i <= 3; i++) {
        const double depth = 0.005 * i, expected = length / area * force_of_round(rounding, depth, sphere);
        b.p_WG.z = top + rounding + side - depth;
        const patch_sum found = potential_ask(&a, &b);
        print_message("depth %g m: %.6f of k depth, round %.6f\n", depth, found.force.z / depth, expected / depth);
        assert_true(fabs(found.force.z - expected) < tolerance * expected);
    }
    release(&a);
    release(&b);
}

/* Within what facets of an eighth of a right angle differ from a cylinder. */
static void edge_below_a_face_is_a_cylinder(void **state)
{
    (void)state;
    const double root = sqrt(0.5);
    const fender_mat3 turn = {{{1, 0, 0}, {0, root, -root}, {0, root, root}}};
    on_round_one(&turn, 0.3 * sqrt(2), false, 0.02);
}

/* Within what the facets of a vertex, which are wider, differ from a sphere. */
static void vertex_below_a_face_is_a_sphere(void **state)
{
    (void)state;
    const double two = 1 / sqrt(2), six = 1 / sqrt(6), three = 1 / sqrt(3);
    const fender_mat3 turn = {{{two, -two, 0}, {six, six, -2 * six}, {three, three, three}}};
    on_round_one(&turn, 0.3 * sqrt(3), true, 0.1);
}

/* Faces of the same size lie on each other, up to their edges, with the stiffness of the full face. */
static void faces_on_faces_have_the_full_stiffness(void **state)
{
    (void)state;
    potential_env = fender_env_default();
    potential_exponent = 1;
    const fnd_posed a = {solid(EDGED_BOX, 0.03), {0, 0, 0}, fender_mat3_identity()};
    fnd_posed b = {solid(EDGED_BOX, 0.05), {0, 0, 0}, fender_mat3_identity()};
    for (int i = 1; i <= 10; i++) {
        const double depth = 0.003 * i;
        b.p_WG.z = 0.48 - depth;
        const patch_sum found = potential_ask(&a, &b);
        assert_int_equal(found.count, 4); /* no facet of an edge takes part */
        assert_true(fabs(found.energy - 0.5 * depth * depth) < 1e-12 * depth * depth);
        assert_true(fabs(found.force.z - depth) < 1e-12 * depth); /* rounding of coordinates over the depth */
    }
    release(&a);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_stored_at_touch),
                                       cmocka_unit_test(stones_store_nothing_at_touch),
                                       cmocka_unit_test(large_faces_have_four_points),
                                       cmocka_unit_test(edges_of_meshes_are_round),
                                       cmocka_unit_test(mesh_of_a_box_is_the_box),
                                       cmocka_unit_test(no_contact_of_full_weight_beside_edges),
                                       cmocka_unit_test(edge_below_a_face_is_a_cylinder),
                                       cmocka_unit_test(vertex_below_a_face_is_a_sphere),
                                       cmocka_unit_test(faces_on_faces_have_the_full_stiffness)};
    return cmocka_run_group_tests_name("rounded edges", tests, NULL, NULL);
}
