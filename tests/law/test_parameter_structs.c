/* Parameters of the built-in laws: each struct of fender/laws.h is what the law's own table of fields says. */
/* items: C025 */
#include "check.h"
#include <fender/laws.h>
#include <string.h>

typedef struct member {
    const char *name;
    size_t offset;
} member;

typedef struct typed {
    const char *law;
    size_t size;
    int count;
    const member *members;
    fender_status (*fill)(void *parameters, fender_error *error);
} typed;

#define M(member)                    \
    {                                \
#member, offsetof(T, member) \
    }

#define T fender_spring_damper_parameters
static const member spring_damper[] = {M(stiffness), M(damping), M(mu), M(slip_speed), M(sense)};
static fender_status fill_spring_damper(void *p, fender_error *e)
{
    return fender_spring_damper_parameters_default(p, e);
}
#undef T

#define T fender_jeod_spring_parameters
static const member jeod_spring[] = {M(stiffness), M(damping), M(mu), M(sense)};
static fender_status fill_jeod_spring(void *p, fender_error *e) { return fender_jeod_spring_parameters_default(p, e); }
#undef T

#define T fender_coulomb_parameters
static const member coulomb[] = {M(mu), M(slip_speed)};
static fender_status fill_coulomb(void *p, fender_error *e) { return fender_coulomb_parameters_default(p, e); }
#undef T

#define T fender_coulomb_static_kinetic_parameters
static const member coulomb_static_kinetic[] = {M(mu_static), M(mu_kinetic),  M(stiffness),
                                                M(damping),   M(stick_speed), M(restick)};
static fender_status fill_coulomb_static_kinetic(void *p, fender_error *e)
{
    return fender_coulomb_static_kinetic_parameters_default(p, e);
}
#undef T

#define T fender_smooth_spring_damper_parameters
static const member smooth_spring_damper[] = {M(stiffness), M(damping), M(transition_width)};
static fender_status fill_smooth_spring_damper(void *p, fender_error *e)
{
    return fender_smooth_spring_damper_parameters_default(p, e);
}
#undef T

#define T fender_smooth_stick_slip_parameters
static const member smooth_stick_slip[] = {M(mu_static), M(mu_dynamic), M(critical_velocity)};
static fender_status fill_smooth_stick_slip(void *p, fender_error *e)
{
    return fender_smooth_stick_slip_parameters_default(p, e);
}
#undef T

#define T fender_hunt_crossley_parameters
static const member hunt_crossley[] = {M(stiffness),   M(exponent),    M(dissipation),
                                       M(restitution), M(least_speed), M(formula)};
static fender_status fill_hunt_crossley(void *p, fender_error *e)
{
    return fender_hunt_crossley_parameters_default(p, e);
}
#undef T

#define T fender_impact_parameters
static const member impact[] = {M(stiffness), M(exponent), M(damping), M(full_depth)};
static fender_status fill_impact(void *p, fender_error *e) { return fender_impact_parameters_default(p, e); }
#undef T

#define T fender_hertz_parameters
static const member hertz[] = {M(modulus),     M(young),       M(poisson),        M(young_b),
                               M(poisson_b),   M(radius),      M(largest_radius), M(dissipation),
                               M(restitution), M(least_speed), M(formula)};
static fender_status fill_hertz(void *p, fender_error *e) { return fender_hertz_parameters_default(p, e); }
#undef T

#define T fender_elastic_plastic_parameters
static const member elastic_plastic[] = {M(stiffness), M(crush_force), M(hardening),
                                         M(stroke),    M(dissipation), M(remember)};
static fender_status fill_elastic_plastic(void *p, fender_error *e)
{
    return fender_elastic_plastic_parameters_default(p, e);
}
#undef T

#define T fender_soil_parameters
static const member soil[] = {M(cohesive_modulus), M(frictional_modulus), M(exponent), M(width), M(area),
                              M(unloading),        M(dissipation),        M(remember)};
static fender_status fill_soil(void *p, fender_error *e) { return fender_soil_parameters_default(p, e); }
#undef T

#define T fender_janosi_parameters
static const member janosi[] = {M(cohesion), M(friction_angle), M(shear_displacement), M(area)};
static fender_status fill_janosi(void *p, fender_error *e) { return fender_janosi_parameters_default(p, e); }
#undef T

#define T fender_jkr_parameters
static const member jkr[] = {M(modulus), M(young),          M(poisson), M(young_b),    M(poisson_b),
                             M(radius),  M(largest_radius), M(work),    M(dissipation)};
static fender_status fill_jkr(void *p, fender_error *e) { return fender_jkr_parameters_default(p, e); }
#undef T

#define T fender_dmt_parameters
static const member dmt[] = {M(modulus), M(young),          M(poisson), M(young_b),    M(poisson_b),
                             M(radius),  M(largest_radius), M(work),    M(dissipation)};
static fender_status fill_dmt(void *p, fender_error *e) { return fender_dmt_parameters_default(p, e); }
#undef T

#define T fender_adhesion_parameters
static const member adhesion[] = {M(stiffness), M(damping), M(pull), M(range)};
static fender_status fill_adhesion(void *p, fender_error *e) { return fender_adhesion_parameters_default(p, e); }
#undef T

#define T fender_pull_off_spring_parameters
static const member pull_off_spring[] = {M(stiffness), M(damping), M(pull_off)};
static fender_status fill_pull_off_spring(void *p, fender_error *e)
{
    return fender_pull_off_spring_parameters_default(p, e);
}
#undef T

#define T fender_default_contact_parameters
static const member default_contact[] = {M(K), M(B), M(Error)};
static fender_status fill_default_contact(void *p, fender_error *e)
{
    return fender_default_contact_parameters_default(p, e);
}
#undef T

#define T fender_spring_contact_parameters
static const member spring_contact[] = {M(K),       M(B),     M(X_Limit), M(Y_Limit),
                                        M(Z_Limit), M(Error), M(along),   M(fixed_to)};
static fender_status fill_spring_contact(void *p, fender_error *e)
{
    return fender_spring_contact_parameters_default(p, e);
}
#undef T

#define T fender_stribeck_parameters
static const member stribeck[] = {M(mu_static), M(mu_kinetic), M(stribeck_speed), M(viscous), M(slip_speed)};
static fender_status fill_stribeck(void *p, fender_error *e) { return fender_stribeck_parameters_default(p, e); }
#undef T

#define T fender_dahl_parameters
static const member dahl[] = {M(mu), M(amplitude), M(damping)};
static fender_status fill_dahl(void *p, fender_error *e) { return fender_dahl_parameters_default(p, e); }
#undef T

#define T fender_lugre_parameters
static const member lugre[] = {M(mu_static), M(mu_kinetic), M(amplitude), M(damping), M(viscous), M(stribeck_speed)};
static fender_status fill_lugre(void *p, fender_error *e) { return fender_lugre_parameters_default(p, e); }
#undef T

#define T fender_cundall_strack_parameters
static const member cundall_strack[] = {M(mu), M(stiffness), M(damping)};
static fender_status fill_cundall_strack(void *p, fender_error *e)
{
    return fender_cundall_strack_parameters_default(p, e);
}
#undef T

#define T fender_mindlin_parameters
static const member mindlin[] = {M(mu),        M(modulus),      M(young),   M(poisson), M(young_b),
                                 M(poisson_b), M(damping_time), M(history), M(radius),  M(largest_radius)};
static fender_status fill_mindlin(void *p, fender_error *e) { return fender_mindlin_parameters_default(p, e); }
#undef T

#define T fender_anisotropic_parameters
static const member anisotropic[] = {M(mu_along), M(mu_across), M(along), M(fixed_to), M(slip_speed)};
static fender_status fill_anisotropic(void *p, fender_error *e) { return fender_anisotropic_parameters_default(p, e); }
#undef T

#define T fender_claw_parameters
static const member claw[] = {M(stiffness),
                              M(damping),
                              M(tangential_stiffness),
                              M(tangential_damping),
                              M(pull),
                              M(fixed_to),
                              M(limit),
                              M(lateral_limit),
                              M(angle),
                              M(mu),
                              M(slip_speed)};
static fender_status fill_claw(void *p, fender_error *e) { return fender_claw_parameters_default(p, e); }
#undef T

#define T fender_rolling_resistance_parameters
static const member rolling_resistance[] = {M(arm), M(roll_rate)};
static fender_status fill_rolling_resistance(void *p, fender_error *e)
{
    return fender_rolling_resistance_parameters_default(p, e);
}
#undef T

#define T fender_rolling_stick_parameters
static const member rolling_stick[] = {M(arm), M(stiffness), M(damping), M(rest_rate)};
static fender_status fill_rolling_stick(void *p, fender_error *e)
{
    return fender_rolling_stick_parameters_default(p, e);
}
#undef T

#define T fender_torsional_parameters
static const member torsional[] = {M(mu), M(radius), M(pressure), M(twist_rate)};
static fender_status fill_torsional(void *p, fender_error *e) { return fender_torsional_parameters_default(p, e); }
#undef T

#define T fender_torsional_stick_parameters
static const member torsional_stick[] = {M(mu), M(radius), M(pressure), M(stiffness), M(damping), M(rest_rate)};
static fender_status fill_torsional_stick(void *p, fender_error *e)
{
    return fender_torsional_stick_parameters_default(p, e);
}
#undef T

#define T fender_capture_parameters
static const member capture[] = {M(stiffness),      M(damping),      M(capture_force),          M(connection),
                                 M(hold_stiffness), M(hold_damping), M(hold_angular_stiffness), M(hold_angular_damping),
                                 M(limit),          M(angular_limit)};
static fender_status fill_capture(void *p, fender_error *e) { return fender_capture_parameters_default(p, e); }
#undef T

#define T fender_expression_parameters
static const member expression[] = {M(depth_range), M(speed_range), M(least_speed), M(supplied)};
static fender_status fill_expression(void *p, fender_error *e) { return fender_expression_parameters_default(p, e); }
#undef T

#define T fender_friction_expression_parameters
static const member friction_expression[] = {M(slip_speed), M(speed_range), M(least_speed)};
static fender_status fill_friction_expression(void *p, fender_error *e)
{
    return fender_friction_expression_parameters_default(p, e);
}
#undef T

static const typed all[] = {
    {"spring_damper", sizeof(fender_spring_damper_parameters), 5, spring_damper, fill_spring_damper},
    {"jeod_spring", sizeof(fender_jeod_spring_parameters), 4, jeod_spring, fill_jeod_spring},
    {"coulomb", sizeof(fender_coulomb_parameters), 2, coulomb, fill_coulomb},
    {"coulomb_static_kinetic", sizeof(fender_coulomb_static_kinetic_parameters), 6, coulomb_static_kinetic,
     fill_coulomb_static_kinetic},
    {"smooth_spring_damper", sizeof(fender_smooth_spring_damper_parameters), 3, smooth_spring_damper,
     fill_smooth_spring_damper},
    {"smooth_stick_slip", sizeof(fender_smooth_stick_slip_parameters), 3, smooth_stick_slip, fill_smooth_stick_slip},
    {"hunt_crossley", sizeof(fender_hunt_crossley_parameters), 6, hunt_crossley, fill_hunt_crossley},
    {"impact", sizeof(fender_impact_parameters), 4, impact, fill_impact},
    {"hertz", sizeof(fender_hertz_parameters), 11, hertz, fill_hertz},
    {"elastic_plastic", sizeof(fender_elastic_plastic_parameters), 6, elastic_plastic, fill_elastic_plastic},
    {"soil", sizeof(fender_soil_parameters), 8, soil, fill_soil},
    {"janosi", sizeof(fender_janosi_parameters), 4, janosi, fill_janosi},
    {"jkr", sizeof(fender_jkr_parameters), 9, jkr, fill_jkr},
    {"dmt", sizeof(fender_dmt_parameters), 9, dmt, fill_dmt},
    {"adhesion", sizeof(fender_adhesion_parameters), 4, adhesion, fill_adhesion},
    {"pull_off_spring", sizeof(fender_pull_off_spring_parameters), 3, pull_off_spring, fill_pull_off_spring},
    {"DefaultContact", sizeof(fender_default_contact_parameters), 3, default_contact, fill_default_contact},
    {"SpringContact", sizeof(fender_spring_contact_parameters), 8, spring_contact, fill_spring_contact},
    {"stribeck", sizeof(fender_stribeck_parameters), 5, stribeck, fill_stribeck},
    {"dahl", sizeof(fender_dahl_parameters), 3, dahl, fill_dahl},
    {"lugre", sizeof(fender_lugre_parameters), 6, lugre, fill_lugre},
    {"cundall_strack", sizeof(fender_cundall_strack_parameters), 3, cundall_strack, fill_cundall_strack},
    {"mindlin", sizeof(fender_mindlin_parameters), 10, mindlin, fill_mindlin},
    {"anisotropic", sizeof(fender_anisotropic_parameters), 5, anisotropic, fill_anisotropic},
    {"claw", sizeof(fender_claw_parameters), 11, claw, fill_claw},
    {"rolling_resistance", sizeof(fender_rolling_resistance_parameters), 2, rolling_resistance,
     fill_rolling_resistance},
    {"rolling_stick", sizeof(fender_rolling_stick_parameters), 4, rolling_stick, fill_rolling_stick},
    {"torsional", sizeof(fender_torsional_parameters), 4, torsional, fill_torsional},
    {"torsional_stick", sizeof(fender_torsional_stick_parameters), 6, torsional_stick, fill_torsional_stick},
    {"capture", sizeof(fender_capture_parameters), 10, capture, fill_capture},
    {"expression", sizeof(fender_expression_parameters), 4, expression, fill_expression},
    {"friction_expression", sizeof(fender_friction_expression_parameters), 3, friction_expression,
     fill_friction_expression},
};
enum { TYPED = sizeof all / sizeof all[0] };

static void structs_are_tables(void **state)
{
    (void)state;
    for (int i = 0; i < TYPED; i++) {
        const fender_law *law = fender_law_find(NULL, all[i].law);
        assert_non_null(law);
        const fender_field_table *table = &law->parameters;
        if (all[i].size != table->size)
            fail_msg("%s has %d bytes here, %d in the library", all[i].law, (int)all[i].size, (int)table->size);
        assert_int_equal(all[i].count, table->count);
        for (int k = 0; k < all[i].count; k++) {
            const fender_field *field = fender_field_find(table, all[i].members[k].name);
            if (!field || field->offset != all[i].members[k].offset)
                fail_msg("%s.%s is not where the law reads it", all[i].law, all[i].members[k].name);
        }
    }
}

/* No law with parameters goes without a struct. */
static void every_law_is_typed(void **state)
{
    (void)state;
    for (int i = 0; fender_law_at(NULL, i); i++) {
        const fender_law *law = fender_law_at(NULL, i);
        bool found = law->parameters.count == 0;
        for (int k = 0; k < TYPED; k++) found |= strcmp(all[k].law, law->name) == 0;
        if (!found) fail_msg("%s has no struct in fender/laws.h", law->name);
    }
}

static void defaults(void **state)
{
    (void)state;
    for (int i = 0; i < TYPED; i++) {
        union {
            double align;
            unsigned char bytes[4096];
        } typed_one, plain;
        fender_error fault = {0};
        const fender_law *law = fender_law_find(NULL, all[i].law);
        memset(&typed_one, 0x5a, sizeof typed_one);
        memset(&plain, 0x5a, sizeof plain);
        assert_int_equal(all[i].fill(&typed_one, &fault), FENDER_STATUS_OK);
        assert_int_equal(fender_law_parameters_default(law, &plain, sizeof plain, &fault), FENDER_STATUS_OK);
        assert_memory_equal(&typed_one, &plain, sizeof plain);
        /* another size is another version, smaller or larger */
        for (int more = -8; more <= 8; more += 16) {
            memset(&typed_one, 0x5a, sizeof typed_one);
            assert_int_equal(fender_law_typed_default(all[i].law, &typed_one, all[i].size + (size_t)more, &fault),
                             FENDER_STATUS_ARGUMENT);
            assert_int_equal(typed_one.bytes[0], 0x5a);
        }
    }
    double one;
    assert_int_equal(fender_law_typed_default("no_law", &one, sizeof one, NULL), FENDER_STATUS_NAME);
    assert_int_equal(fender_law_typed_default("coulomb", NULL, 16, NULL), FENDER_STATUS_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(structs_are_tables), cmocka_unit_test(every_law_is_typed),
                                       cmocka_unit_test(defaults)};
    return cmocka_run_group_tests_name("parameter structs", tests, NULL, NULL);
}
