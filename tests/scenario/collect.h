/* What a load reports, kept for comparison; and loading of a text in one call. */
#ifndef TESTS_SCENARIO_COLLECT_H
#define TESTS_SCENARIO_COLLECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fender/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"

#define COLLECT_CAPACITY 64

typedef struct collected {
    fender_severity severity;
    fender_status status;
    int line, column, length;
    char file[512], excerpt[512], message[512], found[512], expected[512], suggestion[512];
} collected;

typedef struct collection {
    collected list[COLLECT_CAPACITY];
    int count, errors;
} collection;

static inline void collect(void *ctx, const fender_diagnostic *d)
{
    collection *c = ctx;
    if (d->severity == FENDER_SEVERITY_ERROR) c->errors++;
    if (c->count == COLLECT_CAPACITY) return;
    collected *to = &c->list[c->count++];
    to->severity = d->severity;
    to->status = d->status;
    to->line = d->line;
    to->column = d->column;
    to->length = d->length;
    snprintf(to->file, sizeof to->file, "%s", d->file);
    snprintf(to->excerpt, sizeof to->excerpt, "%s", d->excerpt);
    snprintf(to->message, sizeof to->message, "%s", d->message);
    snprintf(to->found, sizeof to->found, "%s", d->found);
    snprintf(to->expected, sizeof to->expected, "%s", d->expected);
    snprintf(to->suggestion, sizeof to->suggestion, "%s", d->suggestion);
}

static inline fender_env collecting_env(collection *c)
{
    fender_env env = fender_env_default();
    memset(c, 0, sizeof *c);
    env.report = collect;
    env.report_ctx = c;
    return env;
}

static inline void print_collection(const collection *c)
{
    for (int i = 0; i < c->count; i++) {
        const collected *d = &c->list[i];
        printf("  %s:%d:%d (%d): %s\n    found '%s' expected '%s'\n    %s\n", d->file, d->line, d->column, d->length,
               d->message, d->found, d->expected, d->suggestion);
    }
}

/* NULL with the diagnostics in *c. */
static inline fender_scenario *parse_with(const char *text, const fender_override *overrides, int count, collection *c)
{
    fender_env env = collecting_env(c);
    return fender_scenario_parse(&env, NULL, "text", text, strlen(text), overrides, count, NULL);
}

/* Expects success. */
static inline fender_scenario *parse(const char *text)
{
    collection c;
    fender_scenario *scenario = parse_with(text, NULL, 0, &c);
    if (!scenario) {
        print_collection(&c);
        fail_msg("the text was refused:\n%s", text);
    }
    return scenario;
}

#define HEAD   "fender: 1\nrun: {until: 1 s}\n"
#define BODY_A HEAD "bodies:\n  a:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"

#endif
