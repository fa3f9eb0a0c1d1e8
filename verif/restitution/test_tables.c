/* The tables of restitution and damping: linear spring and damper, raw and clipped, and the damper that grows with the
 * force, under every law that has the one or the other. */
/* items: P003 */
#include <fender/sizing.h>

#include "impact.h"
#include "verified.h"

/* Figures are tabulated to six decimals; the engine is within 1e-9 of the relation behind them (test_restitution.c). */
static const double LAST_DIGIT = 0.51e-6;
static const double MASS = 2, SPEED = 1.5, STIFFNESS = 2e4;

typedef struct bearer {
    const char *law, *damping;
    impact_parameter more[3];
    double critical; /* of its damping; 0: D, to be divided by the speed */
} bearer;

static double run(const bearer *b, double damping)
{
    impact_case c = {.law = b->law,
                     .parameters = {{b->damping, b->critical > 0 ? damping * b->critical : damping / SPEED},
                                    b->more[0],
                                    b->more[1],
                                    b->more[2]},
                     .radius = 0.1,
                     .mass = MASS,
                     .speed = SPEED,
                     .method = FENDER_INTEGRATOR_DOP853,
                     .step = 1e-3,
                     .tolerance = 1e-12};
    return impact_run(&c).restitution;
}

static void verify(const bearer *b, const char *asked, double value, double found, double expected)
{
    char quantity[80];
    snprintf(quantity, sizeof quantity, "restitution at %s %g", asked, value);
    check_verified(b->law, quantity, "1", "tabulated, 6 digits", found, expected, LAST_DIGIT);
}

/* 2 sqrt(k m) */
#define CRITICAL 400
static const bearer clipped[] = {
    {"spring_damper", "damping", {{"stiffness", 2e4}}, CRITICAL},
    {"DefaultContact", "B", {{"K", 2e4}}, CRITICAL},
    {"adhesion", "damping", {{"stiffness", 2e4}, {"pull", 0}}, CRITICAL},
    {"pull_off_spring", "damping", {{"stiffness", 2e4}, {"pull_off", 0}}, CRITICAL},
    {"smooth_spring_damper", "damping", {{"stiffness", 2e4}, {"transition_width", 0}}, CRITICAL},
};
enum { CLIPPED = sizeof clipped / sizeof clipped[0] };
static const bearer raw = {"jeod_spring", "damping", {{"stiffness", 2e4}}, CRITICAL};

static void of_damping_ratio(void **state)
{
    static const struct {
        double ratio, raw, clipped;
    } rows[] = {{.01, .969071, .969265}, {.05, .854468, .858758}, {.1, .729248, .744079},
                {.2, .526621, .571740},  {.3, .372326, .450975},  {.5, .163034, .298436}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        verify(&raw, "damping ratio", rows[i].ratio, run(&raw, rows[i].ratio), rows[i].raw);
        for (int b = 0; b < CLIPPED; b++)
            verify(&clipped[b], "damping ratio", rows[i].ratio, run(&clipped[b], rows[i].ratio), rows[i].clipped);
    }
}

/* The inverse: the ratio is that of the table, and its impact gives back what was wanted. 0.1 needs more than critical
 * damping where the force is clipped. */
static void of_wanted_restitution(void **state)
{
    static const struct {
        double wanted, raw, clipped;
    } rows[] = {{.9, .033518, .034265}, {.8, .070850, .074355}, {.7, .112808, .122215},
                {.5, .215454, .255276}, {.3, .357857, .497239}, {.1, .591155, NAN}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double r = fender_ratio_of_restitution(rows[i].wanted, false);
        double c = fender_ratio_of_restitution(rows[i].wanted, true);
        char quantity[80];
        snprintf(quantity, sizeof quantity, "damping ratio for the restitution %g", rows[i].wanted);
        check_verified(raw.law, quantity, "1", "tabulated, 6 digits", r, rows[i].raw, LAST_DIGIT);
        check_near(run(&raw, r), rows[i].wanted, 1e-9);
        if (isnan(rows[i].clipped)) assert_true(c > 1);
        else check_verified(clipped[0].law, quantity, "1", "tabulated, 6 digits", c, rows[i].clipped, LAST_DIGIT);
        for (int b = 0; b < CLIPPED; b++) check_near(run(&clipped[b], c), rows[i].wanted, 1e-9);
    }
    check_verified(clipped[0].law, "restitution at damping ratio 1", "1", "e^-2", run(&clipped[0], 1),
                   0.13533528323661270, 1e-9);
}

/* c = D v. hertz by its modulus; elastic_plastic where nothing is crushed yet. */
static const bearer grown[] = {
    {"hunt_crossley", "dissipation", {{"stiffness", 2e6}}, 0},
    {"hertz", "dissipation", {{"modulus", 1e8}}, 0},
    {"elastic_plastic", "dissipation", {{"stiffness", 2e4}, {"crush_force", 1e9}}, 0},
};
enum { GROWN = sizeof grown / sizeof grown[0] };

static void of_growing_damper(void **state)
{
    static const struct {
        double wanted, damping;
    } rows[] = {{.99, .015151}, {.95, .078927}, {.9, .166482},  {.8, .373146},  {.7, .634828}, {.6, .974872},
                {.5, 1.432751}, {.4, 2.082498}, {.3, 3.087082}, {.2, 4.919167}, {.1, 9.998159}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double c = fender_hunt_crossley_damping(rows[i].wanted);
        char quantity[80];
        snprintf(quantity, sizeof quantity, "D v for the restitution %g", rows[i].wanted);
        check_verified("hunt_crossley", quantity, "1", "tabulated, 6 digits", c, rows[i].damping, LAST_DIGIT);
        for (int b = 0; b < GROWN; b++) {
            snprintf(quantity, sizeof quantity, "restitution at D v = %g", rows[i].damping);
            check_verified(grown[b].law, quantity, "1", "c (1 + e) = ln((1 + c) / (1 - e c))", run(&grown[b], c),
                           rows[i].wanted, 1e-9);
        }
    }
}

/* What c = 1.5 (1 - e) gives in truth (Hunt and Crossley's own approximation); the other two formulas are those of
 * test_restitution.c. */
static void of_first_order(void **state)
{
    static const double rows[][2] = {{.95, .9524}, {.9, .9090}, {.8, .8329}, {.7, .7680},
                                     {.5, .6630},  {.3, .5813}, {.1, .5158}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char quantity[80];
        snprintf(quantity, sizeof quantity, "restitution at D v = 1.5 (1 - %g)", rows[i][0]);
        for (int b = 0; b < GROWN; b++)
            check_verified(grown[b].law, quantity, "1", "tabulated, 4 digits", run(&grown[b], 1.5 * (1 - rows[i][0])),
                           rows[i][1], 5.1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_damping_ratio), cmocka_unit_test(of_wanted_restitution),
                                       cmocka_unit_test(of_growing_damper), cmocka_unit_test(of_first_order)};
    assert_true(fabs(2 * sqrt(STIFFNESS * MASS) - CRITICAL) < 1e-12);
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
