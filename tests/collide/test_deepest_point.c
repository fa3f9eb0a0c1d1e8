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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(across_a_narrow_block),
                                       cmocka_unit_test(an_edge_beside_an_edge_came_from_above),
                                       cmocka_unit_test(never_far_beyond_the_way_out)};
    return cmocka_run_group_tests_name("deepest points", tests, NULL, NULL);
}
