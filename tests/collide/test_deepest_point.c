/* The deepest point that a patch reports, against the way out of two convex solids (their nearest points). */
#include "potential.h"

static double deepest_of(const fnd_posed *a, const fnd_posed *b, double *force)
{
    static fender_separation items[4096];
    fnd_manifold found = {.items = items, .capacity = 4096};
    const fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    const fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
    fnd_pair_evaluate(&entry, a, b, &query, &found);
    *force = 0;
    for (int i = 0; i < found.count; i++) *force += found.items[i].weight * fmax(-found.items[i].distance, 0);
    return found.has_deepest ? -found.deepest.distance : 0;
}

/* A rod, a box and an upright disk that lie across a block, narrower than they are: 0.1 mm deep. */
static void across_a_narrow_block(void **state)
{
    (void)state;
    const fender_env env = potential_env = fender_env_default();
    const fender_vec3 half = {0.02, 0.015, 0.025};
    fender_geometry *blocks[] = {fender_geometry_box(&env, half, NULL),
                                 potential_mesh_of(fender_geometry_box(&env, half, NULL))};
    const struct {
        fender_geometry *geometry;
        double height; /* of its axis, above the block */
        bool lies;     /* its axis along the block's x */
    } solids[] = {{fender_geometry_cylinder(&env, 0.02, 0.03, NULL), 0.02, true},
                  {fender_geometry_box(&env, fender_vec3_make(0.03, 0.03, 0.02), NULL), 0.02, false},
                  {fender_geometry_disk(&env, 0.04, NULL), 0.04, true}};
    for (int i = 0; i < 12; i++) {
        const int k = i % 3;
        const fnd_posed block = {blocks[i / 3 % 2], {0, 0, -half.z}, fender_mat3_identity()};
        const double turn = sqrt(0.5);
        const fender_quaternion q = {solids[k].lies ? turn : 1, 0, solids[k].lies ? turn : 0, 0};
        const fnd_posed solid = {solids[k].geometry, {0, 0, solids[k].height - 1e-4}, fender_quaternion_matrix(q)};
        double force, deepest = i < 6 ? deepest_of(&block, &solid, &force) : deepest_of(&solid, &block, &force);
        assert_true(force > 0);
        check_near(deepest, 1e-4, 5e-6); /* a disk that carries the cells is a polygon: 0.03 of that */
    }
    for (int k = 0; k < 3; k++) fender_geometry_release(solids[k].geometry);
    for (int k = 0; k < 2; k++) fender_geometry_release(blocks[k]);
}

/* Random poses of all convex pairs, up to 2 mm deep. */
static void never_far_beyond_the_way_out(void **state)
{
    (void)state;
    static const potential_kind kinds[] = {BOX, PLATE, HULL, CYLINDER, WHEEL, CONE};
    potential_env = fender_env_default();
    double worst = 0, strongest = 0;
    int looked = 0;
    for (int n = 0; n < (int)repeats(8000); n++) {
        random_stream r = random_of_case(5500, (uint64_t)n);
        const potential_kind kind_a = kinds[n % 6], kind_b = kinds[n / 6 % 6];
        fnd_posed a = {potential_solid(kind_a, &r), {0, 0, 0}, fender_mat3_identity()};
        fnd_posed b = {potential_solid(kind_b, &r), {0, 0, 0}, random_matrix(&r)};
        b.p_WG = fender_vec3_scale(2, random_direction(&r));
        const double depth = random_magnitude(&r, 1e-4, 2e-3);
        potential_settle(&a, &b, depth);
        const double way = -potential_deepest(&a, &b).distance;
        double force = 0;
        const double deepest = way > 0 ? deepest_of(&a, &b, &force) : 0;
        if (way > 0) strongest = larger(strongest, force / way);
        if (deepest > 0 && force > 0) {
            worst = larger(worst, deepest / way);
            looked++;
        }
        fender_geometry_release((fender_geometry *)(uintptr_t)a.geometry);
        fender_geometry_release((fender_geometry *)(uintptr_t)b.geometry);
    }
    print_message("%d poses, at most %.3g of the way out; force up to %.3g k times the way out\n", looked, worst,
                  strongest);
    assert_true(looked > (int)repeats(8000) / 4);
    check_below(strongest, 0.2); /* 11 where the other face of a thin plate counts */
    assert_true(worst < 20);     /* corners of small areas, beside a face that leans */
}

/* An edge of a box goes down on a block, 0.5 mm beside its edge: on the border between the cells of the block's top and
 * side both are as deep, and the way that the box came is that of the top. */
static void an_edge_beside_an_edge_came_from_above(void **state)
{
    (void)state;
    const fender_env env = potential_env = fender_env_default();
    fender_geometry *box = fender_geometry_box(&env, fender_vec3_make(0.05, 0.05, 0.15), NULL);
    const fender_vec3 half = {0.2, 0.07, 0.1};
    fender_geometry *blocks[] = {fender_geometry_box(&env, half, NULL),
                                 potential_mesh_of(fender_geometry_box(&env, half, NULL))};
    for (int n = 0; n < 400; n++) {
        random_stream r = random_of_case(5600, (uint64_t)n);
        const fender_mat3 leans = fender_quaternion_matrix(fender_quaternion_normalized(
            (fender_quaternion){1, -random_between(&r, 4e-3, 2e-2), random_between(&r, 1e-3, 1e-2), 0}));
        const fender_vec3 lowest = fender_mat3_times(&leans, fender_vec3_make(0.05, -0.05, -0.15));
        const fnd_posed block = {blocks[n % 2], {0, -half.y, -half.z}, fender_mat3_identity()};
        const fender_vec3 corner = {random_between(&r, -0.1, 0.1), -5e-4, -random_between(&r, 1e-5, 3e-4)};
        const fnd_posed solid = {box, fender_vec3_sub(corner, lowest), leans};
        static fender_separation items[64];
        fnd_manifold found = {.items = items, .capacity = 64};
        const fnd_pair_entry entry = fnd_pair_find(blocks[n % 2], box);
        fnd_pair_evaluate(&entry, &block, &solid, &(fnd_query){FND_QUERY_PATCH, 0, NULL, NULL, 0}, &found);
        assert_true(found.has_deepest);
        check_below(0.999, found.deepest.normal.z);
    }
    for (int k = 0; k < 2; k++) fender_geometry_release(blocks[k]);
    fender_geometry_release(box);
}

/* A cube as a closed mesh goes down into flat terrain, its lowest corner first: the separation is that of the corner,
 * whatever the order of the two, and so is that of the patch. */
static void the_lowest_corner_of_a_mesh(void **state)
{
    (void)state;
    const fender_env env = potential_env = fender_env_default();
    const fender_vec3 half = {0.4, 0.4, 0.4};
    fender_geometry *cube = potential_mesh_of(fender_geometry_box(&env, half, NULL));
    double heights[11 * 11] = {0};
    const fender_grid_def def = {11, 11, {-2, -2}, {0.4, 0.4}, heights};
    fender_geometry *flat = fender_geometry_grid(&env, &def, NULL);
    const fender_quaternion lean = fender_quaternion_normalized((fender_quaternion){0.99, 0.05, 0.08, 0.03});
    const fender_pose ground = fender_pose_identity();
    for (int n = 0; n < 20; n++) {
        const fender_pose at = {{0.07, 0.03, 0.45 - 0.0125 * n}, lean};
        double lowest = INFINITY;
        for (int k = 0; k < 8; k++) {
            const fender_vec3 corner = {k & 1 ? 0.4 : -0.4, k & 2 ? 0.4 : -0.4, k & 4 ? 0.4 : -0.4};
            lowest = fmin(lowest, fender_vec3_add(at.p, fender_quaternion_rotate(lean, corner)).z);
        }
        fender_separation s, mirrored;
        assert_int_equal(fender_geometry_separation(flat, &ground, cube, &at, &s), FENDER_STATUS_OK);
        assert_int_equal(fender_geometry_separation(cube, &at, flat, &ground, &mirrored), FENDER_STATUS_OK);
        check_near(s.distance, lowest, 1e-12); /* rounding */
        check_near(s.normal.z, 1, 1e-12);
        check_near(s.point_b.z, lowest, 1e-12);
        check_near(s.point_a.z, 0, 1e-12);
        check_near(mirrored.distance, lowest, 1e-12);
        check_near(mirrored.normal.z, -1, 1e-12);
        check_near(s.weight, 1, 0);
        const fnd_posed a = {flat, ground.p, fender_mat3_identity()}, b = {cube, at.p, fender_quaternion_matrix(at.q)};
        double force;
        check_near(deepest_of(&a, &b, &force), -lowest, 1e-12);
    }
    fender_geometry_release(cube);
    fender_geometry_release(flat);
}

/* Two cubes as meshes, up to 5 cm deep in random attitudes: the separation is that of the deepest point of their patch,
 * where a corner is far behind a face across the other cube, too. */
static void two_meshes_and_their_patch(void **state)
{
    (void)state;
    const fender_env env = potential_env = fender_env_default();
    fender_geometry *large = potential_mesh_of(fender_geometry_box(&env, fender_vec3_make(0.5, 0.5, 0.5), NULL));
    fender_geometry *small = potential_mesh_of(fender_geometry_box(&env, fender_vec3_make(0.4, 0.4, 0.4), NULL));
    int looked = 0;
    for (int n = 0; n < 2000; n++) {
        random_stream r = random_of_case(5700, (uint64_t)n);
        const fender_pose at_a = fender_pose_identity();
        const fender_vec3 way = random_direction(&r);
        const double far = random_between(&r, 0.8, 1.3);
        fender_quaternion q = {1, 0, 0, 0};
        q.x = random_between(&r, -1, 1);
        q.y = random_between(&r, -1, 1);
        q.z = random_between(&r, -1, 1);
        const fender_pose at_b = {fender_vec3_scale(far, way), fender_quaternion_normalized(q)};
        static fender_separation items[4096];
        fnd_manifold found = {.items = items, .capacity = 4096};
        const fnd_posed a = {large, at_a.p, fender_mat3_identity()};
        const fnd_posed b = {small, at_b.p, fender_quaternion_matrix(at_b.q)};
        const fnd_pair_entry entry = fnd_pair_find(large, small);
        fnd_pair_evaluate(&entry, &a, &b, &(fnd_query){FND_QUERY_PATCH, 0, NULL, NULL, 0}, &found);
        fender_separation s;
        assert_int_equal(fender_geometry_separation(large, &at_a, small, &at_b, &s), FENDER_STATUS_OK);
        if (!found.has_deepest || s.distance < -0.05) continue;
        double most = 0;
        for (int i = 0; i < found.count; i++) most = fmax(most, -items[i].distance);
        looked++;
        check_near(found.deepest.distance, s.distance, 1e-12); /* rounding */
        check_below(0.75 * most, -s.distance);                 /* points are tilted, which makes them deeper */
    }
    print_message("%d poses of two cubes\n", looked);
    assert_true(looked > 200);
    fender_geometry_release(large);
    fender_geometry_release(small);
}

/* A plate with a spike, as a closed mesh on flat terrain: the plate is 0.1 mm deep and has most of the force, the tip
 * is 5 mm deep. The depth is that of a point of the spike, not of the first one. */
static void a_spike_below_a_plate(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    fender_vec2 outline[] = {{-0.5, 0}, {0.199, 0}, {0.2, -0.0049}, {0.201, 0}, {0.5, 0}, {0.5, 0.2}, {-0.5, 0.2}};
    int corners = 7;
    const fender_profile profile = {outline, &corners, 1};
    fender_geometry *plate = fender_geometry_extruded(&env, &profile, 0.2, NULL);
    double heights[4] = {0};
    const fender_grid_def def = {2, 2, {-2, -2}, {4, 4}, heights};
    fender_geometry *flat = fender_geometry_grid(&env, &def, NULL);
    const fender_pose ground = fender_pose_identity();
    const fender_pose at = {{0, 0, -1e-4}, {sqrt(0.5), sqrt(0.5), 0, 0}}; /* y of the outline upwards */
    static fender_separation items[4096];
    fnd_manifold found = {.items = items, .capacity = 4096};
    const fnd_posed a = {flat, ground.p, fender_mat3_identity()}, b = {plate, at.p, fender_quaternion_matrix(at.q)};
    const fnd_pair_entry entry = fnd_pair_find(flat, plate);
    fnd_pair_evaluate(&entry, &a, &b, &(fnd_query){FND_QUERY_PATCH, 0, NULL, NULL, 0}, &found);
    double most = 0;
    for (int i = 0; i < found.count; i++) most = fmax(most, -items[i].distance);
    fender_separation s;
    assert_int_equal(fender_geometry_separation(flat, &ground, plate, &at, &s), FENDER_STATUS_OK);
    check_below(30, found.count);
    check_near(found.deepest.distance, -most, 1e-12); /* rounding */
    check_near(found.deepest.distance, -5e-3, 1e-4);  /* points are tilted: 1 % */
    check_near(s.distance, -5e-3, 1e-12);
    fender_geometry_release(plate);
    fender_geometry_release(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(across_a_narrow_block),       cmocka_unit_test(an_edge_beside_an_edge_came_from_above),
        cmocka_unit_test(the_lowest_corner_of_a_mesh), cmocka_unit_test(a_spike_below_a_plate),
        cmocka_unit_test(two_meshes_and_their_patch),  cmocka_unit_test(never_far_beyond_the_way_out)};
    return cmocka_run_group_tests_name("deepest points", tests, NULL, NULL);
}
