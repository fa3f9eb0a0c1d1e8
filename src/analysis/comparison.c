/* Comparing two recordings: which channels belong together, their units, the rows of one time, the largest difference.
 */
#include "analysis/comparison.h"
#include "analysis/alias.h"

#include "support/io_error.h"
#include "support/number.h"
#include "tables/recording.h"

#include <assert.h>
#include <fender/comparison.h>
#include <fender/units.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- units of two channels: the factor and offset between them */

static fender_status fail_units(const fender_recording_channel *a, const fender_recording_channel *b,
                                const char *remedy, fender_error *error)
{
    char message[320], found[160], expected[160];
    snprintf(message, sizeof message, "'%.90s' is in [%.30s] in %.60s, but in [%.30s] in %.60s", a->name, a->unit,
             a->table->file, b->unit, b->table->file);
    snprintf(found, sizeof found, "[%.30s] and [%.30s]", a->unit, b->unit);
    snprintf(expected, sizeof expected, "units of one dimension");
    return FND_IO_FAIL(error, .status = FENDER_STATUS_UNIT, .source = b->table->file, .message = message,
                       .found = found, .expected = expected, .suggestion = remedy);
}

fender_status fender_recording_convert(const fender_recording_channel *a, const fender_recording_channel *b,
                                       double *factor, double *offset, fender_error *error)
{
    fender_unit to, from;
    fender_error why = {0};
    *factor = 1;
    *offset = 0;
    if (!a->unit[0] || !b->unit[0] || strcmp(a->unit, b->unit) == 0) return FENDER_STATUS_OK;
    if (fender_unit_parse(a->unit, strlen(a->unit), &to, &why) != FENDER_STATUS_OK ||
        fender_unit_parse(b->unit, strlen(b->unit), &from, &why) != FENDER_STATUS_OK)
        return fail_units(a, b, why.message, error);
    if (!fender_unit_compatible(&to, &from))
        return fail_units(a, b, "compare others with --channel, or match the right names with --map", error);
    if (to.scale == from.scale && to.offset == from.offset) return FENDER_STATUS_OK;
    *factor = from.scale / to.scale;
    *offset = *factor * from.offset - to.offset;
    return FENDER_STATUS_OK;
}

/* ---- values of B at the times of A */

/* Value of the column at `time`, that of the k-th row of that very time, else between its neighbours; false outside. */
static bool value_at(const double *times, const double *values, size_t count, double slop, double time, size_t k,
                     bool between, size_t *cursor, double *value)
{
    assert(count == 0 || (times && values));
    size_t i = *cursor;
    while (i < count && times[i] < time - slop) i++;
    *cursor = i;
    if (i < count && times[i] <= time + slop) {
        /* of several rows of one time, before and after a jump, the k-th is meant */
        while (k > 0 && i + 1 < count && times[i + 1] <= time + slop) {
            i++;
            k--;
        }
        *value = values[i];
        return k == 0 || between;
    }
    if (!between || i == 0 || i == count) return false;
    double part = (time - times[i - 1]) / (times[i] - times[i - 1]);
    *value = values[i - 1] + part * (values[i] - values[i - 1]);
    return true;
}

/* Times are the same when they differ by a billionth of a step, or by rounding. */
static double slop_of(const double *times, size_t count)
{
    double span = times[count - 1] - times[0], size = fabs(times[0]) + fabs(times[count - 1]);
    return (count > 1 ? 1e-9 * span / (double)(count - 1) : 0) + 8 * DBL_EPSILON * size;
}

static bool inside(const fender_comparison_def *def, double time, double slop)
{
    return time >= def->from - slop && time <= def->until + slop;
}

/* ---- difference */

static double difference(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return isfinite(a) && isfinite(b) ? fabs(b - a) : INFINITY;
}

static void take(fender_compared_channel *c, double time, double a, double b, double *scale, double *sum)
{
    double d = difference(a, b);
    if (c->rows == 0 || d > c->largest) {
        c->largest = d;
        c->time = time;
        c->value_a = a;
        c->value_b = b;
    }
    if (isfinite(a) && fabs(a) > *scale) *scale = fabs(a);
    *sum += d * d;
    c->rows++;
}

/* Fills rows, differences and verdict of *c. times_b, values_b: in A's units, `count` rows of B without lapses. The
 * rows of two contacts pair by their times: between them the contact may not be there. */
static void compare_values(const fender_comparison_def *def, const double *times_b, const double *values_b,
                           size_t count, double absolute, double relative, fender_compared_channel *c)
{
    const fender_recording_table *a = c->a->table;
    const double *times = fender_recording_times(a), *values = a->columns[c->a->column].values;
    const bool exact = def->exact || (fnd_recording_is_contact(a) && fnd_recording_is_contact(c->b->table));
    double slop = slop_of(times_b, count), scale = 0, sum = 0, value = NAN;
    size_t cursor = 0, k = 0, inside_b = 0;
    for (size_t i = 0; i < a->row_count; i++) {
        k = i > 0 && times[i] == times[i - 1] ? k + 1 : 0;
        if (!inside(def, times[i], slop) || fnd_recording_is_lapse(a, i)) continue;
        if (value_at(times_b, values_b, count, slop, times[i], k, !exact, &cursor, &value))
            take(c, times[i], values[i], value, &scale, &sum);
        else c->alone_a++;
    }
    for (size_t i = 0; exact && i < count; i++) inside_b += inside(def, times_b[i], slop);
    c->alone_b = inside_b > c->rows ? inside_b - c->rows : 0;
    c->rms = c->rows > 0 ? sqrt(sum / (double)c->rows) : NAN;
    c->allowed = absolute + relative * scale;
    c->same = c->rows > 0 && c->largest <= c->allowed && c->alone_a == 0 && c->alone_b == 0;
}

/* ---- channels that belong together ---- */

/* ---- names */

static const char *equals_of(const char *text) { return strchr(text, '='); }

enum { STARS = 8 };
typedef struct capture {
    const char *text[STARS];
    size_t length[STARS];
    int count;
} capture;

/* Fits pattern (up to `end`) to the whole text and notes what each star took. */
static bool fit_stars(const char *pattern, const char *end, const char *text, capture *taken)
{
    while (pattern < end && *pattern != '*') {
        if (*pattern != *text) return false;
        pattern++;
        text++;
    }
    if (pattern == end) return *text == '\0';
    if (taken->count == STARS) return false;
    int star = taken->count++;
    for (size_t length = 0;; length++) {
        taken->text[star] = text;
        taken->length[star] = length;
        taken->count = star + 1;
        if (fit_stars(pattern + 1, end, text + length, taken)) return true;
        if (text[length] == '\0') return false;
    }
}

bool fnd_map_name(const char *map, const char *name, char *to, size_t size)
{
    const char *equals = equals_of(map);
    capture taken = {.count = 0};
    size_t used = 0;
    int star = 0;
    if (!equals || !fit_stars(map, equals, name, &taken)) return false;
    for (const char *c = equals + 1; *c; c++) {
        const char *text = c;
        size_t length = 1;
        if (*c == '*') {
            if (star == taken.count) return false;
            text = taken.text[star];
            length = taken.length[star++];
        }
        if (length >= size - used) return false;
        memcpy(to + used, text, length);
        used += length;
    }
    to[used] = '\0';
    return used > 0;
}

/* By the names of another program, which either recording may have. *factor: of the value in B. */
static const fender_recording_channel *named_alike(const fender_comparison_def *def, const char *name, double *factor)
{
    char mapped[512];
    for (int k = 0; fnd_alias_channel(def->names, name, k, mapped, sizeof mapped, factor); k++) {
        const fender_recording_channel *found = fender_recording_find(def->b, mapped);
        if (found) return found;
    }
    for (int i = 0; i < def->b->channel_count; i++)
        for (int k = 0; fnd_alias_channel(def->names, def->b->channels[i].name, k, mapped, sizeof mapped, factor); k++)
            if (strcmp(mapped, name) == 0) return &def->b->channels[i];
    return NULL;
}

static const fender_recording_channel *partner(const fender_comparison_def *def, const char *name, double *factor)
{
    char mapped[512];
    *factor = 1;
    for (int i = def->map_count - 1; i >= 0; i--)
        if (fnd_map_name(def->maps[i], name, mapped, sizeof mapped)) return fender_recording_find(def->b, mapped);
    const fender_recording_channel *same = fender_recording_find(def->b, name);
    if (same || !def->names) return same;
    same = named_alike(def, name, factor);
    if (!same) *factor = 1;
    return same;
}

static bool is_wanted(const fender_comparison_def *def, const char *name)
{
    for (int i = 0; i < def->channel_count; i++)
        if (fender_recording_fits(def->channels[i], name)) return true;
    return def->channel_count == 0;
}

/* A name that was given must be there, a pattern must fit something. */
static fender_status check_names(const fender_comparison_def *def, fender_error *error)
{
    char mapped[512];
    double unused;
    if (def->names && !fender_alias_at(def->names, 0)) {
        char message[160];
        snprintf(message, sizeof message, "no names of '%.80s' are known", def->names);
        return FND_IO_FAIL(error, .status = FENDER_STATUS_NAME, .message = message, .found = def->names,
                           .expected = "jeod", .suggestion = "match single names with --map");
    }
    for (int i = 0; i < def->channel_count; i++) {
        bool found = false;
        for (int k = 0; k < def->a->channel_count && !found; k++)
            found = fender_recording_fits(def->channels[i], def->a->channels[k].name);
        if (!found) return fender_recording_fail_name(def->a, def->channels[i], error);
        if (!fender_recording_find(def->a, def->channels[i]) || partner(def, def->channels[i], &unused)) continue;
        return fender_recording_fail_name(def->b, def->channels[i], error);
    }
    for (int i = 0; i < def->map_count; i++) {
        const char *equals = equals_of(def->maps[i]);
        bool fits = false;
        for (int k = 0; equals && k < def->a->channel_count && !fits; k++)
            fits = fnd_map_name(def->maps[i], def->a->channels[k].name, mapped, sizeof mapped) &&
                   fender_recording_find(def->b, mapped);
        if (fits) continue;
        char message[320], suggestion[160];
        snprintf(message, sizeof message,
                 equals ? "the map '%.200s' matches no channel of A with one of B" : "'%.200s' is not a map",
                 def->maps[i]);
        snprintf(suggestion, sizeof suggestion,
                 "a map is NAME_IN_A=NAME_IN_B; channels of A: %.40s ..., of B: %.40s ...", def->a->channels[0].name,
                 def->b->channels[0].name);
        return FND_IO_FAIL(error, .status = FENDER_STATUS_NAME, .message = message, .found = def->maps[i],
                           .expected = "NAME_IN_A=NAME_IN_B", .suggestion = suggestion);
    }
    return FENDER_STATUS_OK;
}

/* ---- tolerances */

static fender_status fail_tolerance(const char *text, const char *why, fender_error *error)
{
    char message[320];
    snprintf(message, sizeof message, "'%.200s' is not a tolerance", text);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .message = message, .found = text,
                       .expected = "VALUE or PATTERN=VALUE, not negative", .suggestion = why);
}

/* The number behind the pattern, in the unit of the channel. */
static fender_status read_tolerance(const fender_tolerance *t, const fender_recording_channel *channel, double *value,
                                    fender_error *error)
{
    const char *equals = equals_of(t->text), *text = equals ? equals + 1 : t->text;
    size_t length = strlen(text), used = 0;
    fender_unit own, given;
    if (!fnd_number_parse(text, length, value, &used) || !(*value >= 0))
        return fail_tolerance(t->text, "for example --abs 1e-6, --abs 'bodies.*.position=1 mm'", error);
    while (text[used] == ' ') used++;
    if (used == length) return FENDER_STATUS_OK;
    if (t->relative) return fail_tolerance(t->text, "a relative tolerance is a plain number", error);
    if (!channel->unit[0] || fender_unit_parse(channel->unit, strlen(channel->unit), &own, NULL) != FENDER_STATUS_OK ||
        fender_unit_parse(text + used, length - used, &given, NULL) != FENDER_STATUS_OK ||
        !fender_unit_compatible(&own, &given)) {
        char why[240];
        snprintf(why, sizeof why,
                 "channel %.120s is in [%.40s]; give the tolerance in that unit, or for fewer channels", channel->name,
                 channel->unit);
        return fail_tolerance(t->text, why, error);
    }
    *value *= given.scale / own.scale;
    return FENDER_STATUS_OK;
}

static fender_status find_tolerances(const fender_comparison_def *def, const fender_recording_channel *channel,
                                     double *absolute, double *relative, fender_error *error)
{
    char pattern[512];
    *absolute = *relative = 0;
    for (int i = 0; i < def->tolerance_count; i++) {
        const fender_tolerance *t = &def->tolerances[i];
        const char *equals = equals_of(t->text);
        if (equals) {
            snprintf(pattern, sizeof pattern, "%.*s", (int)(equals - t->text), t->text);
            if (!fender_recording_fits(pattern, channel->name)) continue;
        }
        fender_status status = read_tolerance(t, channel, t->relative ? relative : absolute, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}

/* ---- all of them */

/* Of all rows but those of lapses, whose number is *count. */
static double *converted(fnd_arena *arena, const fender_recording_table *table, int column, double factor,
                         double offset, size_t *count)
{
    const double *values = table->columns[column].values;
    double *out = FND_ARENA_NEW_ARRAY(arena, double, table->row_count);
    bool same = factor == 1 && offset == 0;
    *count = 0;
    for (size_t i = 0; out && i < table->row_count; i++)
        if (!fnd_recording_is_lapse(table, i)) out[(*count)++] = same ? values[i] : factor * values[i] + offset;
    return out;
}

/* `sign`: of the value in B, by its name. */
static fender_status compare_one(const fender_comparison_def *def, fnd_arena *arena, double sign,
                                 fender_compared_channel *c, fender_error *error)
{
    const fender_recording_table *a = c->a->table, *b = c->b->table;
    double absolute, relative, unused;
    fender_recording_channel time_a = fender_recording_time_channel(a), time_b = fender_recording_time_channel(b);
    fender_status status = fnd_recording_check_times(a, error);
    if (status == FENDER_STATUS_OK) status = fnd_recording_check_times(b, error);
    if (status == FENDER_STATUS_OK) status = fender_recording_convert(c->a, c->b, &c->factor, &c->offset, error);
    c->factor *= sign;
    c->offset *= sign;
    if (status == FENDER_STATUS_OK)
        status = fender_recording_convert(&time_a, &time_b, &c->time_factor, &unused, error);
    if (status == FENDER_STATUS_OK) status = find_tolerances(def, c->a, &absolute, &relative, error);
    if (status != FENDER_STATUS_OK) return status;
    c->time = c->largest = c->value_a = c->value_b = NAN;
    if (b->row_count == 0) {
        c->alone_a = a->row_count;
        c->rms = NAN;
        c->same = a->row_count == 0;
        return status;
    }
    fnd_arena passing = fnd_arena_open(&arena->allocator, 0);
    size_t count;
    double *times = converted(&passing, b, b->time, c->time_factor, 0, &count);
    double *values = converted(&passing, b, c->b->column, c->factor, c->offset, &count);
    if (times && values) compare_values(def, times, values, count, absolute, relative, c);
    fnd_arena_close(&passing);
    return times && values ? status : fnd_io_fail_memory(error, "the comparison of two channels");
}

static fender_status fail_nothing(const fender_comparison_def *def, fender_error *error)
{
    char message[320], suggestion[320];
    snprintf(message, sizeof message, "%.120s and %.120s have no channel in common", def->a->name, def->b->name);
    snprintf(suggestion, sizeof suggestion, "match names with --map, for example --map '%.100s=%.100s'",
             def->a->channels[0].name, def->b->channels[0].name);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_NAME, .message = message, .found = "no common name",
                       .expected = "channels with the same names", .suggestion = suggestion);
}

/* True if there is a list of contacts, also an empty one. */
static bool has_contacts(const fender_recording *recording)
{
    for (int i = 0; i < recording->table_count; i++)
        if (fnd_recording_is_contact(&recording->tables[i]) || fnd_recording_contact_column(&recording->tables[i]) >= 0)
            return true;
    return false;
}

/* Compares channels of both; lists those of A alone. used: by channel of B. *lists_differ: a contact is alone. */
static fender_status compare_pairs(fender_comparison *result, const fender_comparison_def *def, bool *used,
                                   bool *lists_differ, fender_error *error)
{
    const bool in_list = has_contacts(def->b);
    for (int i = 0; i < def->a->channel_count; i++) {
        double sign;
        const fender_recording_channel *a = &def->a->channels[i];
        if (!is_wanted(def, a->name)) continue;
        const fender_recording_channel *b = partner(def, a->name, &sign);
        if (!b) {
            result->only_a[result->only_a_count++] = a->name;
            *lists_differ = *lists_differ || (in_list && fnd_recording_is_contact(a->table));
            continue;
        }
        used[b - def->b->channels] = true;
        fender_compared_channel *c = &result->items[result->count++];
        *c = (fender_compared_channel){.a = a, .b = b};
        fender_status status = compare_one(def, result->memory, sign, c, error);
        if (status != FENDER_STATUS_OK) return status;
        result->different += !c->same;
    }
    return FENDER_STATUS_OK;
}

/* The same of B. */
static void list_alone(fender_comparison *result, const fender_comparison_def *def, const bool *used,
                       bool *lists_differ)
{
    const bool in_list = has_contacts(def->a);
    for (int i = 0; i < def->b->channel_count; i++) {
        const fender_recording_channel *b = &def->b->channels[i];
        if (used[i] || !is_wanted(def, b->name)) continue;
        result->only_b[result->only_b_count++] = b->name;
        *lists_differ = *lists_differ || (in_list && fnd_recording_is_contact(b->table));
    }
}

fender_status fender_compare(fender_comparison *result, const fender_env *env, const fender_comparison_def *def,
                             fender_error *error)
{
    memset(result, 0, sizeof *result);
    result->memory = fnd_arena_create(&env->allocator);
    if (!result->memory) return fnd_io_fail_memory(error, "the comparison of two recordings");
    fender_status status = check_names(def, error);
    if (status != FENDER_STATUS_OK) return status;
    size_t count_a = (size_t)def->a->channel_count, count_b = (size_t)def->b->channel_count;
    bool lists_differ = false, *used = FND_ARENA_NEW_ARRAY(result->memory, bool, count_b);
    result->items = FND_ARENA_NEW_ARRAY(result->memory, fender_compared_channel, count_a);
    result->only_a = FND_ARENA_NEW_ARRAY(result->memory, const char *, count_a);
    result->only_b = FND_ARENA_NEW_ARRAY(result->memory, const char *, count_b);
    if (result->memory->failed) return fnd_io_fail_memory(error, "the comparison of two recordings");
    status = compare_pairs(result, def, used, &lists_differ, error);
    if (status != FENDER_STATUS_OK) return status;
    list_alone(result, def, used, &lists_differ);
    if (result->count == 0 && !lists_differ) return fail_nothing(def, error);
    result->same = result->different == 0 && !lists_differ &&
                   !(def->all && result->only_a_count + result->only_b_count > 0);
    return status;
}

void fender_comparison_close(fender_comparison *result) { fnd_arena_destroy(result->memory); }
