/* No law of friction, rolling or twisting gives what was not put into it: every one of the registry, with random
 * parameters, on random histories of slip, turning and load. */
#include "check.h"
#include "law_history.h"
#include <string.h>

enum { CASES = 60, STEPS = 3000 };
static const uint32_t KINDS = FENDER_LAW_FRICTION | FENDER_LAW_ROLLING | FENDER_LAW_TWISTING;

/* Forces from outside are nobody's own; formulas are judged one by one, at load (tests/law/test_formulas.c). */
static bool is_left_out(const fender_law *law)
{
    return strcmp(law->name, "input") == 0 || strcmp(law->name, "friction_expression") == 0;
}

/* Histories of `mindlin` that make energy, and say so as supplied power: tests/law/test_mindlin.c. */
static void leave_out_histories(const fender_law *law, void *parameters)
{
    const fender_field *field = strcmp(law->name, "mindlin") == 0 ? fender_field_find(&law->parameters, "history")
                                                                  : NULL;
    if (field) fender_field_set(field, parameters, 0, 0);
}

static void every_law(void **state)
{
    (void)state;
    int laws = 0;
    const fender_law *law;
    for (int i = 0; (law = fender_law_at(NULL, i)) != NULL; i++) {
        if (!(law->kinds & KINDS) || is_left_out(law)) continue;
        double worst = 0, residual = 0, least = 0, given = 0, worked = 0;
        for (uint64_t n = 0; n < CASES; n++) {
            random_stream r = random_of_case(907, n);
            union {
                double align;
                char bytes[256];
            } p;
            assert_true(law_history_parameters(law, &r, p.bytes));
            leave_out_histories(law, p.bytes);
            law_history h = law_history_run(law, p.bytes, &r, STEPS);
            double scale = h.most_worked + 1e-30;
            worst = larger(worst, h.worst / scale);
            residual = larger(residual, h.residual / scale);
            if (h.least_power < least) least = h.least_power;
            if (h.least_given / scale < given) given = h.least_given / scale;
            worked += h.most_worked;
        }
        print_message("%-24s from nowhere %8.1e, residual %8.1e of the work; least power lost %8.1e\n", law->name,
                      worst, residual, least);
        assert_true(worked > 0 || strcmp(law->name, "none") == 0);
        check_below(-least, 1e-12); /* power that a law says it loses: rounding alone is below nothing */
        check_below(-given, 1e-10); /* of all the work: rounding of stiff springs */
        check_below(worst, 1e-5);
        /* The sums of steps that pass a kink. Steps in which the depth vanishes: Mindlin's spring loses what it holds
         * there at a rate that steps cannot follow. */
        check_below(residual, strcmp(law->name, "mindlin") == 0 ? 0.03 : 1e-4);
        laws++;
    }
    assert_true(laws >= 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_law)};
    return cmocka_run_group_tests_name("passivity of friction", tests, NULL, NULL);
}
