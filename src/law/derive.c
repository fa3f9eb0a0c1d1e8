/* Parameters of laws from what is wanted of a contact, by the rows of their tables (docs/models/sizing.md). */
#include "law/derive.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* ---- What may be wanted */

#define SPEC(name, unit, doc, flags, maximum)                                                                 \
    {                                                                                                         \
#name, unit, doc, FENDER_FIELD_REAL, offsetof(fender_sizing_spec, name), flags, 0, maximum, NAN, NULL \
    }
static const fender_field spec_fields[] = {
    SPEC(sink, "m", "Depth to which the contact sinks under `weight`.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(weight, "N", "Load that the contact carries.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(modulus, "Pa", "E* of both materials, 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b.", FENDER_FIELD_ABOVE_MINIMUM,
         INFINITY),
    SPEC(radius, "m", "R of both surfaces, 1/R = 1/R_a + 1/R_b.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(ratio, "1", "Part of critical damping.", 0, INFINITY),
    SPEC(restitution, "1", "Speed after an impact over speed before.", FENDER_FIELD_ABOVE_MINIMUM, 1),
    SPEC(mass, "kg", "Effective mass of the contact.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(speed, "m/s", "Speed of approach.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
};
static const fender_field_table spec_table = FENDER_FIELD_TABLE("sizing_spec", spec_fields, fender_sizing_spec);

fender_sizing_spec fender_sizing_spec_none(void)
{
    return (fender_sizing_spec){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}
const fender_field_table *fender_sizing_spec_fields(void) { return &spec_table; }

/* ---- Rows that springs have in common */

double fnd_derive_sink(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return fender_stiffness_of_sink(spec->weight, spec->sink);
}

double fnd_derive_hertz_load(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return fender_hertz_linear_at_load(spec->modulus, spec->radius, spec->weight);
}

double fnd_derive_hertz_impact(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return fender_hertz_linear_at_impact(spec->modulus, spec->radius, spec->mass, spec->speed);
}

double fnd_derive_ratio(const void *parameters, const fender_sizing_spec *spec)
{
    const double *stiffness = parameters;
    assert(stiffness);
    return fender_damping_of_ratio(spec->ratio, spec->mass, *stiffness);
}

double fnd_derive_restitution(double stiffness, const fender_sizing_spec *spec, bool clipped)
{
    return fender_damping_of_ratio(fender_ratio_of_restitution(spec->restitution, clipped), spec->mass, stiffness);
}

/* ---- Which row of a law's table a sizing specification fits, and what is amiss */

typedef struct fit {
    int wanted, missing, idle; /* members: said and used; needed and not said; said and not used */
    const fender_field *first_missing, *first_idle;
} fit;

/* The word of `from` at *at; false at its end. *optional: a question mark follows. */
static bool next_member(const char *from, size_t *at, size_t *start, size_t *length, bool *optional)
{
    *at += strspn(from + *at, " ");
    *start = *at;
    *length = strcspn(from + *at, " ?");
    *at += *length;
    *optional = from[*at] == '?';
    if (*optional) ++*at;
    return *length > 0;
}

static bool row_uses(const fender_derivation *row, const char *name, bool *optional)
{
    size_t at = 0, start, length;
    while (next_member(row->from, &at, &start, &length, optional))
        if (strlen(name) == length && memcmp(row->from + start, name, length) == 0) return true;
    return false;
}

/* How the specification and a row agree: a row serves when nothing is missing and nothing idle. */
static fit fit_of(const fender_derivation *row, const fender_sizing_spec *spec)
{
    assert(row && spec);
    fit f = {0};
    for (int i = 0; i < spec_table.count; i++) {
        const fender_field *member = fender_field_at(&spec_table, i);
        bool said = !isnan(fender_field_get(member, spec, 0)), optional = false;
        bool used = row_uses(row, member->name, &optional);
        f.wanted += said && used;
        if (used && !optional && !said) f.first_missing = f.missing++ ? f.first_missing : member;
        if (said && !used) f.first_idle = f.idle++ ? f.first_idle : member;
    }
    assert((f.missing > 0) == (f.first_missing != NULL) && (f.idle > 0) == (f.first_idle != NULL));
    return f;
}

/* "{sink, weight} or {modulus, radius, weight}"; what may be missing stands in brackets. */
static void list_rows(const fender_law *law, const char *name, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (const fender_derivation *row = law->derivations; row && row->parameter; row++) {
        size_t at = 0, start, length;
        bool optional, first = true;
        if (strcmp(row->parameter, name) != 0) continue;
        if (used < size) used += (size_t)snprintf(text + used, size - used, used ? " or {" : "{");
        while (next_member(row->from, &at, &start, &length, &optional)) {
            if (used < size)
                used += (size_t)snprintf(text + used, size - used, "%s%s%.*s%s", first ? "" : ", ", optional ? "[" : "",
                                         (int)length, row->from + start, optional ? "]" : "");
            first = false;
        }
        if (used < size) used += (size_t)snprintf(text + used, size - used, "}");
    }
}

static fender_status refuse(fender_error *error, fender_status status, const char *path, const char *message,
                            const char *found, const char *expected, const char *suggestion)
{
    return fnd_fail(error, status, path, message, found, expected, suggestion);
}

static fender_status refuse_row(const fender_law *law, const char *name, const fit *f, fender_error *error)
{
    char message[200], expected[240], suggestion[320];
    assert(f->first_missing || f->first_idle);
    list_rows(law, name, expected, sizeof expected);
    if (f->first_missing) {
        const char *unit = f->first_missing->unit;
        snprintf(message, sizeof message, "'%.60s' cannot be derived without '%s'", name, f->first_missing->name);
        snprintf(suggestion, sizeof suggestion, "add '%s'%s%s%s; '%.40s' follows from %.200s", f->first_missing->name,
                 strcmp(unit, "1") ? " [" : "", strcmp(unit, "1") ? unit : "", strcmp(unit, "1") ? "]" : "", name,
                 expected);
        return refuse(error, FENDER_STATUS_ARGUMENT, f->first_missing->name, message, "nothing", expected, suggestion);
    }
    snprintf(message, sizeof message, "'%s' has no part in deriving '%.60s'", f->first_idle->name, name);
    snprintf(suggestion, sizeof suggestion, "remove '%s'; '%.40s' follows from %.200s", f->first_idle->name, name,
             expected);
    return refuse(error, FENDER_STATUS_ARGUMENT, f->first_idle->name, message, f->first_idle->name, expected,
                  suggestion);
}

/* Why no value does what is wanted; a restitution can be too much for what the law loses anyway. */
static fender_status refuse_value(const fender_law *law, const void *parameters, const fender_derivation *row,
                                  const fender_sizing_spec *spec, fender_error *error)
{
    char message[200], found[64] = "no value", expected[240], suggestion[160];
    const fender_field *radius = fender_field_find(&law->parameters, "radius");
    bool optional, round = row_uses(row, "radius", &optional) && radius;
    double most = NAN;
    snprintf(message, sizeof message, "no '%.60s' of law '%.60s' does what is wanted here", row->parameter, law->name);
    snprintf(expected, sizeof expected, "%.200s", row->doc);
    snprintf(suggestion, sizeof suggestion, "are the other parameters of the law as they should be?");
    if (round && !(spec->radius > 0) && !(fender_field_get(radius, parameters, 0) > 0)) {
        snprintf(message, sizeof message, "'%.60s' cannot be derived without 'radius'", row->parameter);
        snprintf(suggestion, sizeof suggestion, "add 'radius' [m], R of both surfaces, here or to the law");
    } else if (row_uses(row, "restitution", &optional)) {
        most = fnd_rebound_without(law, parameters, row->parameter, spec);
    }
    if (most < spec->restitution) {
        snprintf(message, sizeof message, "without any '%.40s' law '%.40s' gives back less than the restitution %g",
                 row->parameter, law->name, spec->restitution);
        snprintf(found, sizeof found, "%.6g at %g m/s, undamped", most, spec->speed);
        snprintf(suggestion, sizeof suggestion,
                 "ask for less than %.6g, or give the law other parameters, of which less is lost", most);
    }
    return refuse(error, FENDER_STATUS_VALUE, row->parameter, message, found, expected, suggestion);
}

/* The row that uses most of what is said; of several the one with the smallest gap, which then is told. */
fender_status fender_law_derive(const fender_law *law, const void *parameters, const char *name,
                                const fender_sizing_spec *spec, double *value, const fender_derivation **row,
                                fender_error *error)
{
    const fender_derivation *best = NULL;
    fit best_fit = {0};
    char message[200];
    for (const fender_derivation *r = law->derivations; r && r->parameter; r++) {
        if (strcmp(r->parameter, name) != 0) continue;
        fit f = fit_of(r, spec);
        int gap = f.missing + f.idle, best_gap = best_fit.missing + best_fit.idle;
        if (best && !(f.wanted > best_fit.wanted || (f.wanted == best_fit.wanted && gap < best_gap))) continue;
        best = r;
        best_fit = f;
    }
    if (!best) {
        snprintf(message, sizeof message, "law '%.60s' does not derive '%.60s'", law->name, name);
        return refuse(error, FENDER_STATUS_ARGUMENT, name, message, "a derived value", "a number", "give a number");
    }
    if (best_fit.missing || best_fit.idle) return refuse_row(law, name, &best_fit, error);
    double derived = best->value(parameters, spec);
    if (!isfinite(derived)) return refuse_value(law, parameters, best, spec, error);
    *value = derived;
    if (row) *row = best;
    return FENDER_STATUS_OK;
}
