/* One potential: every pair of solids in a few random poses; the slow tier has the hundreds. */
#include "potential.h"

static void try_exponent(double exponent, int poses, int steps, int far_part, int steep_paths)
{
    int far, steep, all_poses, all_steps;
    potential_env = fender_env_default();
    potential_exponent = exponent;
    printf("force depth^%g\n", exponent);
    potential_try_all(poses, steps, &far, &steep, &all_poses, &all_steps);
    assert_true(all_poses > 50 * poses);
    /* The difference tells 1e-9 of the force. What is off are ellipsoids that share the force between an edge and a
     * facet, rims of which almost nothing touches, and cylinders against a wall of a mesh; for powers a capsule whose
     * end lies in a valley of a mesh, by 1 %. What is steep are faces that lie along the border of two cells. */
    assert_true(far <= all_poses / far_part);
    assert_true(steep <= steep_paths * steps);
}

static void force_is_slope_and_nothing_jumps(void **state)
{
    (void)state;
    try_exponent(1, repeats(8), 60, 50, 1);
}

static void force_of_a_power_is_slope_and_nothing_jumps(void **state)
{
    (void)state;
    try_exponent(1.5, repeats(6), 20, 50, 2);
    try_exponent(2.2, repeats(6), 20, 50, 2);
}

/* Lines of round solids on a plane, level and lifting: their far end is up to three depths above it. */
static void lines_that_lift(void **state)
{
    (void)state;
    const potential_kind kinds[] = {CAPSULE, CONE, CYLINDER, WHEEL};
    double worst = 0;
    int lifted = 0;
    potential_env = fender_env_default();
    for (uint64_t n = 0; n < repeats(400); n++) {
        random_stream r = random_of_case(9900, n);
        const potential_kind kind = kinds[n % 4];
        potential_exponent = n % 3 == 0 ? 1 : n % 3 == 1 ? 1.5 : 2.2;
        const fnd_posed plane = {potential_solid(PLANE, &r), {0, 0, 0}, fender_mat3_identity()};
        fnd_posed solid = {potential_solid(kind, &r), {0, 0, 0}, fender_mat3_identity()};
        const double depth = random_magnitude(&r, 1e-3, 0.03), rise = depth * random_between(&r, -4, 4);
        /* about y until the axis, or the side of the cone, is level, and a bit more; then about z */
        const double lying = kind == CONE ? atan2(0.4, 0.5) : 0, length = kind == WHEEL ? 0.1 : 0.5;
        const double half = 0.5 * (1.5707963267948966 + lying + rise / length), turn = random_between(&r, -1.5, 1.5);
        solid.R_WG = fender_quaternion_matrix(fender_quaternion_product(
            (fender_quaternion){cos(turn), 0, 0, sin(turn)}, (fender_quaternion){cos(half), 0, sin(half), 0}));
        solid.p_WG.z = 1;
        solid.p_WG.z -= depth + potential_deepest(&plane, &solid).distance;
        const patch_sum here = potential_ask(&plane, &solid);
        worst = larger(worst, potential_off(&plane, &solid, &here));
        lifted += fabs(rise) > depth && fabs(rise) < 1.5 * depth;
        fender_geometry_release((fender_geometry *)(uintptr_t)plane.geometry);
        fender_geometry_release((fender_geometry *)(uintptr_t)solid.geometry);
    }
    print_message("%d of them between level and lifted: off by at most %.1e\n", lifted, worst);
    assert_true(lifted > (int)repeats(400) / 20);
    check_below(worst, 1e-8); /* the rounding of the differences, and the rule of the integrals */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(force_is_slope_and_nothing_jumps),
                                       cmocka_unit_test(force_of_a_power_is_slope_and_nothing_jumps),
                                       cmocka_unit_test(lines_that_lift)};
    return cmocka_run_group_tests_name("one potential", tests, NULL, NULL);
}
