/* The laws soil and janosi where the area is that of a shape: the side of a wheel, and round shapes. */
#include "law_test.h"

static const double R = 0.2, L = 0.1, K_PHI = 8.2e5, K_U = 1e8;

/* The strip below a side, of the weight 1. */
static double strip(double depth) { return 4.0 / 3 * L * sqrt(2 * R * depth); }

static fender_contact_surface side(void)
{
    return (fender_contact_surface){.b = {1 / R, 0, {1, 0}},
                                    .relative = {1 / R, 0, {1, 0}},
                                    .radius = INFINITY,
                                    .R_CA = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                    .R_CB = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}}; /* its axis along y */
}

/* Bekker's wheel, 4/3 b k z sqrt(2 R z); unloading along the line of the area at the deepest place, and the energy
 * stored there is that of the line. */
static void a_wheel_unloads_by_its_deepest_strip(void **state)
{
    (void)state;
    lone_law l = law_named("soil");
    law_set(&l, "frictional_modulus", K_PHI);
    law_set(&l, "unloading", K_U);
    const fender_contact_surface surface = side();
    unsigned char memory[64] = {0};
    const double deepest = 0.01, most = K_PHI * strip(deepest) * deepest, line = K_U * strip(deepest);
    assert_true(l.law->memory_size <= sizeof memory);
    for (int i = 0; i <= 10; i++) {
        const double depth = deepest - i * 5e-6;
        const fender_contact_input in = {
            .depth = depth, .weight = 0.25, .area = 0.25 * strip(depth), .surface = &surface};
        fender_contact_output out = {0};
        fender_contact_change change = {0};
        l.law->force(l.parameters.bytes, &in, memory, &out);
        const double force = most - line * (deepest - depth);
        check_near(out.force.z, force, 1e-9 * most);
        l.law->update(l.parameters.bytes, &in, &out, memory, &change);
        check_near(l.law->stored_energy(l.parameters.bytes, &in, memory), 0.5 * force * force / line,
                   1e-9 * most * deepest);
    }
}

/* A round shape cuts 2 pi R z out of the ground, which holds by its cohesion; a wheel its strip, a pad its area. */
static void cohesion_holds_what_is_cut(void **state)
{
    (void)state;
    const double c = 1e4, phi = 0.6, load = 100, depth = 0.01, radius = 0.02;
    const fender_contact_surface wheel = side(), ball = {.radius = radius};
    for (int i = 0; i < 4; i++) {
        lone_law l = law_named("janosi");
        law_set(&l, "friction_angle", phi);
        law_set(&l, "shear_displacement", 0.01);
        law_set(&l, "cohesion", i == 3 ? 0 : c);
        double states[2] = {0, 0}, strength = 0;
        const fender_contact_input in = {.normal_force = load,
                                         .depth = depth,
                                         .weight = i == 0 ? 1 : 0.25,
                                         .area = i == 1   ? 0.25 * strip(depth)
                                                 : i == 2 ? 0.25 * 1e-3
                                                          : 0,
                                         .surface = i == 1 ? &wheel : &ball,
                                         .states = states};
        const double area = i == 0 ? 2 * 3.14159265358979324 * radius * depth : i == 1 ? strip(depth) : 1e-3;
        fender_contact_output out = {0};
        fender_contact_change change = {.states = states};
        l.law->update(l.parameters.bytes, &in, &out, &strength, &change);
        check_near(strength, load * tan(phi) + (i == 3 ? 0 : c * area), 1e-12 * (load + c * area));
        assert_int_equal(l.law->reads_surface(l.parameters.bytes), i < 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_wheel_unloads_by_its_deepest_strip),
                                       cmocka_unit_test(cohesion_holds_what_is_cut)};
    return cmocka_run_group_tests_name("soil", tests, NULL, NULL);
}
