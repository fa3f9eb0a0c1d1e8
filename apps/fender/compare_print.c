/* What `fender compare` found, as a table and as JSON. */
#include "compare.h"

#include <stdio.h>
#include <string.h>

#include "support/number.h"

enum { WIDEST_NAME = 60, UNIT = 8, NUMBER = 12, NAMES_SHOWN = 8 };

static void put_cell(fnd_app_stream *to, const char *text, size_t width)
{
    fnd_app_put_clean(to, text);
    fnd_app_put_padding(to, strlen(text), width);
}

static void put_number(fnd_app_stream *to, double value, int digits, size_t width)
{
    char text[FND_NUMBER_SIZE];
    fnd_number_format_digits(value == 0 ? 0.0 : value, digits, text, sizeof text);
    put_cell(to, isnan(value) ? "-" : text, width);
}

static size_t name_width(const fender_comparison *found, bool differing)
{
    size_t width = sizeof "channel";
    for (int i = 0; i < found->count; i++) {
        size_t length = strlen(found->items[i].a->name);
        if (length > WIDEST_NAME || (differing && found->items[i].same)) continue;
        if (length + 1 > width) width = length + 1;
    }
    return width;
}

static void put_row(fnd_app_stream *to, const fender_compared_channel *c, size_t width)
{
    size_t length = strlen(c->a->name);
    fnd_app_put(to, " ");
    fnd_app_put_clean(to, c->a->name);
    if (length >= width) fnd_app_put(to, "\n ");
    fnd_app_put_padding(to, length >= width ? 0 : length, width);
    put_cell(to, c->a->unit[0] ? c->a->unit : "-", UNIT);
    put_number(to, c->rows > 0 ? c->largest : NAN, 3, NUMBER);
    put_number(to, c->rows > 0 && c->largest > 0 ? c->time : NAN, 9, NUMBER);
    put_number(to, c->rms, 3, NUMBER);
    put_number(to, c->allowed, 3, NUMBER);
    fnd_app_put(to, c->same ? "same" : "differs");
    if (c->alone_a > 0) fnd_app_print(to, "; %zu rows of A without B", c->alone_a);
    if (c->alone_b > 0) fnd_app_print(to, "; %zu rows of B without A", c->alone_b);
    if (strcmp(c->a->name, c->b->name) != 0) {
        fnd_app_put(to, "; with ");
        fnd_app_put_clean(to, c->b->name);
    }
    fnd_app_put(to, "\n");
}

static void put_names(fnd_app_stream *to, const char *label, const char *const *names, int count)
{
    if (count == 0) return;
    fnd_app_put(to, label);
    for (int i = 0; i < count && i < NAMES_SHOWN; i++) {
        fnd_app_put(to, " ");
        fnd_app_put_clean(to, names[i]);
    }
    if (count > NAMES_SHOWN) fnd_app_print(to, " and %d more", count - NAMES_SHOWN);
    fnd_app_put(to, "\n");
}

static void put_recording(fnd_app_stream *to, const char *label, const fender_recording *recording)
{
    fnd_app_print(to, " %s  ", label);
    fnd_app_put_clean(to, recording->name);
    for (int i = 0; i < recording->table_count; i++) {
        const fender_recording_table *table = &recording->tables[i];
        const char *slash = strrchr(table->file, '/'), *name = slash ? slash + 1 : table->file;
        fnd_app_put(to, i == 0 ? "   " : ", ");
        if (strcmp(table->file, recording->name) != 0) {
            fnd_app_put_clean(to, name);
            fnd_app_put(to, " ");
        }
        fnd_app_print(to, "(%zu %s)", table->row_count, fnd_app_plural((long long)table->row_count, "row", "rows"));
    }
    fnd_app_put(to, "\n");
}

void fnd_app_compare_text(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found)
{
    fnd_app_stream *to = &app->out;
    size_t width = name_width(found, app->quiet);
    if (!app->quiet) {
        put_recording(to, "A", def->a);
        put_recording(to, "B", def->b);
        fnd_app_put(to, "\n");
    }
    if (!app->quiet || found->different > 0) {
        fnd_app_put(to, " ");
        put_cell(to, "channel", width);
        put_cell(to, "unit", UNIT);
        fnd_app_put(to, "largest     at time     rms         allowed\n");
    }
    for (int i = 0; i < found->count; i++)
        if (!app->quiet || !found->items[i].same) put_row(to, &found->items[i], width);
    if (!app->quiet || def->all) {
        put_names(to, " only in A:", found->only_a, found->only_a_count);
        put_names(to, " only in B:", found->only_b, found->only_b_count);
    }
    if (!app->quiet) fnd_app_put(to, "\n");
    if (found->different > 0) {
        fnd_app_print(to, " %d of %d %s %s\n", found->different, found->count,
                      fnd_app_plural(found->count, "channel", "channels"),
                      fnd_app_plural(found->different, "differs", "differ"));
    } else if (!found->same) {
        fnd_app_put(to, " the recordings do not have the same channels\n");
    } else if (!app->quiet) {
        fnd_app_print(to, " %d %s the same\n", found->count,
                      fnd_app_plural(found->count, "channel is", "channels are"));
    }
}

static void put_json_names(fnd_app_json *json, const char *key, const char *const *names, int count)
{
    fnd_app_json_array(json, key);
    for (int i = 0; i < count; i++) fnd_app_json_text(json, NULL, names[i]);
    fnd_app_json_end(json);
}

void fnd_app_compare_json(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found)
{
    fnd_app_json json;
    fnd_app_json_open(&json, &app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "a", def->a->name);
    fnd_app_json_text(&json, "b", def->b->name);
    fnd_app_json_bool(&json, "same", found->same);
    fnd_app_json_integer(&json, "different", found->different);
    fnd_app_json_array(&json, "channels");
    for (int i = 0; i < found->count; i++) {
        const fender_compared_channel *c = &found->items[i];
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "channel", c->a->name);
        fnd_app_json_text(&json, "channel_b", c->b->name);
        fnd_app_json_text(&json, "unit", c->a->unit);
        fnd_app_json_text(&json, "unit_b", c->b->unit);
        fnd_app_json_integer(&json, "rows", (int64_t)c->rows);
        fnd_app_json_integer(&json, "alone_a", (int64_t)c->alone_a);
        fnd_app_json_integer(&json, "alone_b", (int64_t)c->alone_b);
        fnd_app_json_number(&json, "largest", c->largest);
        fnd_app_json_number(&json, "time", c->time);
        fnd_app_json_number(&json, "value_a", c->value_a);
        fnd_app_json_number(&json, "value_b", c->value_b);
        fnd_app_json_number(&json, "rms", c->rms);
        fnd_app_json_number(&json, "allowed", c->allowed);
        fnd_app_json_bool(&json, "same", c->same);
        fnd_app_json_end(&json);
    }
    fnd_app_json_end(&json);
    put_json_names(&json, "only_in_a", found->only_a, found->only_a_count);
    put_json_names(&json, "only_in_b", found->only_b, found->only_b_count);
    fnd_app_json_end(&json);
}
