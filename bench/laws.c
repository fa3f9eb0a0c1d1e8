/* Cost of one evaluation of each law: its force at many states, in nanoseconds and, where Valgrind is at hand, in
 * instructions. usage: fender_bench_laws; fender_bench_laws LAW CALLS calls the law so often and prints nothing. */
#include "bench.h"
#include <fender/law.h>
#include <math.h>
#include <string.h>

enum { STATES = 256, CALLS = 200000 };

typedef struct subject {
    const fender_law *law;
    union {
        double align;
        char bytes[512];
    } parameters, memory;
    double states[FENDER_LAW_STATE_CAPACITY];
    fender_contact_surface surface;
    fender_contact_input inputs[STATES];
} subject;

/* Of the size that such parameters have in contacts of machines. */
static double usual(const char *unit)
{
    static const struct {
        const char *unit;
        double value;
    } rows[] = {{"N/m", 1e5}, {"1", 0.4},   {"m", 1e-3}, {"Pa", 1e9},      {"N", 100},
                {"rad", 0.5}, {"m/s", 0.1}, {"s/m", 1},  {"N*s/m", 100.0}, {"J/m^2", 0.1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].unit, unit) == 0) return rows[i].value;
    return 1e6;
}

static void prepare(subject *s, const fender_law *law)
{
    memset(s, 0, sizeof *s);
    s->law = law;
    if (law->parameters.size > sizeof s->parameters || law->memory_size > sizeof s->memory) bench_fail(law->name);
    (void)fender_field_initialize(&law->parameters, s->parameters.bytes, sizeof s->parameters.bytes, NULL);
    for (int i = 0; i < law->parameters.count; i++) {
        const fender_field *field = fender_field_at(&law->parameters, i);
        double value = usual(field->unit);
        if (field->type == FENDER_FIELD_REAL && (field->flags & FENDER_FIELD_REQUIRED))
            fender_field_set(field, s->parameters.bytes, 0, value > field->maximum ? field->maximum : value);
    }
    static const char *const also[][2] = {{"young", "Pa"}, {"crush_force", "N"}, {"frictional_modulus", ""}};
    for (int i = 0; i < 3; i++) {
        const fender_field *field = fender_field_find(&law->parameters, also[i][0]);
        if (field) fender_field_set(field, s->parameters.bytes, 0, usual(also[i][1]));
    }
    /* an ellipse, the dearer case */
    s->surface = (fender_contact_surface){.relative = {20, 10, {1, 0}}, .radius = 1 / sqrt(200)};
    s->surface.R_CA = s->surface.R_CB = fender_mat3_identity();
    for (int i = 0; i < STATES; i++)
        s->inputs[i] = (fender_contact_input){.depth = 1e-5 * (1 + i % 101),
                                              .depth_rate = 0.01 * (i % 37 - 18),
                                              .approach_speed = 0.2,
                                              .slip = {1e-3 * (i % 29 - 14), 2e-3 * (i % 23 - 11)},
                                              .spin = {0.1 * (i % 7), 0.2, 0.3 * (i % 5)},
                                              .normal_force = 50 + i,
                                              .weight = 1,
                                              .area = 0.01,
                                              .states = law->state_count > 0 ? s->states : NULL,
                                              .surface = law->needs & FENDER_LAW_NEEDS_SURFACE ? &s->surface : NULL};
    if (law->begin) law->begin(s->parameters.bytes, &s->inputs[0], s->memory.bytes);
}

static double call(const subject *s, int calls)
{
    double sum = 0;
    for (int i = 0; i < calls; i++) {
        fender_contact_output out;
        memset(&out, 0, sizeof out);
        s->law->force(s->parameters.bytes, &s->inputs[i % STATES], s->memory.bytes, &out);
        sum += out.force.z + out.force.x;
    }
    return sum;
}

/* By Valgrind, of this program with so many calls; -1 without it. */
static double counted(const char *program, const char *law, int calls)
{
    char line[512];
    double instructions = -1;
    snprintf(line, sizeof line, "valgrind --tool=callgrind --callgrind-out-file=/dev/null %s %s %d 2>&1", program, law,
             calls);
    FILE *run = popen(line, "r");
    while (run && fgets(line, sizeof line, run)) {
        const char *at = strstr(line, "Collected : ");
        if (at) instructions = strtod(at + strlen("Collected : "), NULL);
    }
    if (run) pclose(run);
    return instructions;
}

int main(int argc, char **argv)
{
    static subject s;
    volatile double sink = 0;
    if (argc == 3) {
        const fender_law *law = fender_law_find(NULL, argv[1]);
        if (!law) bench_fail("no such law");
        prepare(&s, law);
        sink = call(&s, atoi(argv[2]));
        return isnan(sink) ? 1 : 0;
    }
    printf("%-24s %10s %18s %14s\n", "law", "ns", "(least, most)", "instructions");
    for (int i = 0; fender_law_at(NULL, i); i++) {
        const fender_law *law = fender_law_at(NULL, i);
        bench_sample sample = {{0}, 0};
        prepare(&s, law);
        for (int k = 0; k < BENCH_REPEATS; k++) {
            double start = bench_now();
            sink = sink + call(&s, CALLS);
            bench_add(&sample, 1e9 * (bench_now() - start) / CALLS);
        }
        double few = counted(argv[0], law->name, 10000), many = counted(argv[0], law->name, 20000);
        printf("%-24s %10.1f %9.1f %8.1f", law->name, bench_median(&sample), bench_least(&sample), bench_most(&sample));
        if (few > 0 && many > few) printf(" %14.0f\n", (many - few) / 10000);
        else printf(" %14s\n", "-");
        fflush(stdout);
    }
    return 0;
}
