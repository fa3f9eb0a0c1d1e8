/* Hulls of few vertices, thin and sharp: no facet pushes that is far behind others, and force and torque are the slope
 * of the energy. */
#include "potential.h"

static fender_geometry *irregular(random_stream *r)
{
    fender_vec3 points[15];
    const int count = 6 + (int)(random_between(r, 0, 9.999));
    for (int i = 0; i < count; i++) {
        const fender_vec3 d = random_direction(r);
        points[i] = fender_vec3_make(d.x * random_between(r, 0.15, 0.3), d.y * random_between(r, 0.15, 0.3),
                                     d.z * random_between(r, 0.15, 0.3));
    }
    return fender_geometry_hull(&potential_env, points, count, NULL);
}

/* Those that touch, with more than a speck of force. */
static int try_hulls(uint64_t n)
{
    random_stream r = random_of_case(9400, n);
    potential_exponent = n % 4 == 3 ? 1.5 : 1;
    const fnd_posed a = {irregular(&r), {0, 0, 0}, random_matrix(&r)};
    fnd_posed b = {irregular(&r), random_direction(&r), random_matrix(&r)};
    const double depth = random_magnitude(&r, 1e-3, 0.03), force = pow(depth, potential_exponent);
    potential_settle(&a, &b, depth);
    const patch_sum here = potential_ask(&a, &b);
    const bool pushes = fender_vec3_length(here.force) > 1e-3 * force;
    /* That of a face in full at the depth of the shortest way out; of parts about as deep, and as large, a few times
     * that. Facets behind others had 16 to 19,000 times. */
    check_below(here.energy, 4 * force * depth / (potential_exponent + 1));
    if (pushes) check_below(potential_off(&a, &b, &here), 1e-6); /* the error of the difference */
    fender_geometry_release((fender_geometry *)(uintptr_t)a.geometry);
    fender_geometry_release((fender_geometry *)(uintptr_t)b.geometry);
    return pushes;
}

static void no_facet_far_behind_others(void **state)
{
    (void)state;
    static const uint64_t some[] = {313, 693, 2295, 2455, 4393, 4671, 5631, 5813, 6355, 6804, 7064};
    int pushed = 0;
    potential_env = fender_env_default();
    for (uint64_t n = 0; n < repeats(400); n++) pushed += try_hulls(n);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) pushed += try_hulls(some[i]);
    assert_true(pushed > (int)repeats(400) / 5);
}

/* Two hulls 0.24 m thick that overlap by 10 mm, on ways on which a facet of the far side had to lose its weight: 147 mm
 * deep, it had nearly all of the energy, 2e-5 rad before it had none. */
static void energy_is_continuous(void **state)
{
    (void)state;
    static const fender_vec3 one[] = {
        {0.0690, -0.1033, -0.1508},  {0.1328, -0.1035, -0.0850}, {0.0663, -0.1873, -0.0123},
        {-0.1599, -0.0617, -0.0646}, {-0.0921, 0.0021, 0.1683},  {-0.0824, 0.1217, 0.1280},
        {-0.1717, 0.0397, -0.0394},  {-0.0550, 0.0187, 0.1860},  {-0.0096, -0.0539, -0.1889},
        {-0.1054, -0.1609, -0.0276}, {-0.0262, 0.0587, -0.1857}, {0.0520, 0.1820, 0.0636},
        {-0.0450, -0.1607, 0.1084},  {-0.1209, 0.0319, -0.1413}, {0.0550, -0.0538, -0.1794}};
    static const fender_vec3 other[] = {
        {-0.0818, -0.0129, -0.2491}, {-0.0319, 0.0451, -0.2659}, {0.1272, -0.1163, -0.0116}, {-0.0136, 0.0363, 0.2736},
        {-0.1441, -0.0828, 0.0893},  {0.0676, 0.1519, -0.0374},  {0.0880, -0.1409, -0.0534}, {0.0317, 0.1599, 0.0557},
        {-0.1006, -0.0891, -0.1766}, {0.1029, 0.1284, -0.0738}};
    potential_env = fender_env_default();
    potential_exponent = 1;
    const fender_quaternion q_a = {0.7732930, -0.5027081, -0.2083371, -0.3254200},
                            q_b = {0.7018559, 0.6809615, -0.1199819, -0.1711549};
    fender_geometry *solids[2] = {fender_geometry_hull(&potential_env, one, sizeof one / sizeof *one, NULL),
                                  fender_geometry_hull(&potential_env, other, sizeof other / sizeof *other, NULL)};
    const fnd_posed a = {solids[0],
                         {-0.0026700, 0.0164860, 0.0992513},
                         fender_quaternion_matrix(fender_quaternion_normalized(q_a))},
                    b = {solids[1],
                         {-0.2279463, 0.0691465, -0.0641214},
                         fender_quaternion_matrix(fender_quaternion_normalized(q_b))};
    for (int axis = 3; axis < 6; axis++) {
        double before = 0;
        for (int i = -20; i < 20; i++) {
            const fnd_posed at = moved(&b, axis, 1e-4 * (i + 0.5));
            const double depth = -potential_deepest(&a, &at).distance, energy = potential_ask(&a, &at).energy;
            check_near(depth, 0.01, 1e-3);
            check_below(energy, 0.01 * 0.5 * depth * depth); /* an edge on an edge: a small part of a face */
            if (i > -20) check_near(energy, before, 0.05 * before);
            before = energy;
        }
    }
    for (int i = 0; i < 2; i++) fender_geometry_release(solids[i]);
}

/* Pads that have gone through the border of a plate with beveled edges, about twice as deep as it is to the border:
 * they fade with both. */
static void fading_is_the_slope_too(void **state)
{
    (void)state;
    static const double sizes[3] = {0.5, 0.5, 0.499}, heights[3] = {-0.004, 0.003, 0.004};
    fender_vec3 corners[12];
    for (int i = 0; i < 12; i++)
        corners[i] = fender_vec3_make(i & 1 ? sizes[i / 4] : -sizes[i / 4], i & 2 ? sizes[i / 4] : -sizes[i / 4],
                                      heights[i / 4]);
    potential_env = fender_env_default();
    double most = 0;
    for (uint64_t n = 0; n < repeats(200); n++) {
        random_stream r = random_of_case(9500, n);
        potential_exponent = n % 2 ? 1.5 : 1;
        const double over = random_between(&r, 0.01, 0.02), deep = over * random_between(&r, 1.6, 1.9);
        const fnd_posed plate = {
            fender_geometry_hull(&potential_env, corners, 12, NULL), {0, 0, 0}, fender_mat3_identity()};
        const fender_quaternion turn = {1, random_between(&r, -0.002, 0.002), random_between(&r, -0.002, 0.002),
                                        random_between(&r, -0.002, 0.002)};
        const fnd_posed pad = {fender_geometry_box(&potential_env, fender_vec3_make(0.1, 0.08, 0.2), NULL),
                               {0.6 - over, random_between(&r, -0.3, 0.3), 0.204 - deep},
                               fender_quaternion_matrix(fender_quaternion_normalized(turn))};
        const patch_sum here = potential_ask(&plate, &pad);
        assert_true(fender_vec3_length(here.force) > 1e-3 * pow(deep, potential_exponent));
        most = larger(most, potential_off(&plate, &pad, &here));
        fender_geometry_release((fender_geometry *)(uintptr_t)plate.geometry);
        fender_geometry_release((fender_geometry *)(uintptr_t)pad.geometry);
    }
    check_below(most, 1e-6); /* the error of the difference */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_facet_far_behind_others),
                                       cmocka_unit_test(energy_is_continuous),
                                       cmocka_unit_test(fading_is_the_slope_too)};
    return cmocka_run_group_tests_name("sharp hulls", tests, NULL, NULL);
}
