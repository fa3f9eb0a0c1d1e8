/* `fender info laws`, `info links` and `info loads`: laws of contacts and of links, kinds of loads, and the parameters
 * of one. */
#include <stdio.h>
#include <string.h>

#include <fender/plugin.h>

#include "describe.h"
#include "info.h"

static const char *const kind_names[] = {"whole", "normal", "friction", "rolling", "twisting"};
enum { KIND_COUNT = sizeof kind_names / sizeof kind_names[0] };

static bool is_of_kind(const fender_law *law, int kind) { return (law->kinds >> kind & 1) != 0; }

/* "whole, normal" */
static const char *kinds_text(char text[48], const fender_law *law)
{
    int length = 0;
    for (int i = 0; i < KIND_COUNT; i++)
        if (is_of_kind(law, i))
            length += snprintf(text + length, 48 - (size_t)length, "%s%s", length > 0 ? ", " : "", kind_names[i]);
    return text;
}

static void put_number(fnd_app_stream *to, double value)
{
    char text[FND_APP_NUMBER_SIZE];
    fnd_app_put(to, fnd_app_number(text, value));
}

/* "> 0", ">= 0, <= 1", "any"; the words of a choice */
static void put_range(fnd_app_stream *to, const fender_field *field)
{
    bool low = !isinf(field->minimum), high = !isinf(field->maximum);
    if (field->type == FENDER_FIELD_BOOL || field->type == FENDER_FIELD_ENUM) {
        if (field->type == FENDER_FIELD_BOOL) fnd_app_put(to, "true, false");
        for (int i = 0; field->type == FENDER_FIELD_ENUM && field->choices[i] != NULL; i++)
            fnd_app_print(to, "%s%s", i == 0 ? "" : ", ", field->choices[i]);
        return;
    }
    if (low) {
        fnd_app_put(to, field->flags & FENDER_FIELD_ABOVE_MINIMUM ? "> " : ">= ");
        put_number(to, field->minimum);
    }
    if (high) {
        fnd_app_put(to, low ? ", <= " : "<= ");
        put_number(to, field->maximum);
    }
    if (!low && !high) fnd_app_put(to, "any");
    if (field->flags & FENDER_FIELD_NONE_ALLOWED) fnd_app_put(to, " or none");
}

/* Default value of a field in a scenario. */
static void put_default(fnd_app_stream *to, const fender_field *field)
{
    if (field->flags & FENDER_FIELD_REQUIRED) {
        fnd_app_put(to, "required");
    } else if (field->type == FENDER_FIELD_BOOL) {
        fnd_app_put(to, field->initial != 0 ? "true" : "false");
    } else if (field->type == FENDER_FIELD_ENUM) {
        int index = (int)field->initial, count = 0;
        while (field->choices[count] != NULL && count < index) count++;
        fnd_app_put(to, field->choices[count] != NULL ? field->choices[count] : "?");
    } else if (isinf(field->initial)) {
        fnd_app_put(to, "none");
    } else {
        put_number(to, field->initial);
    }
}

/* The parts of a row are composed first, so that columns are as wide as what stands in them. */
static size_t composed_width(void (*put)(fnd_app_stream *to, const fender_field *field), const fender_field *field)
{
    fnd_app_stream scratch;
    fnd_app_stream_open(&scratch, -1);
    put(&scratch, field);
    return scratch.used;
}

static void print_parameters(fnd_app_stream *to, const fender_field_table *table)
{
    size_t name = 9, unit = 4, range = 5, initial = 7;
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        size_t range_width = composed_width(put_range, field), initial_width = composed_width(put_default, field);
        if (strlen(field->name) > name) name = strlen(field->name);
        if (strlen(field->unit) > unit) unit = strlen(field->unit);
        if (range_width > range) range = range_width;
        if (initial_width > initial) initial = initial_width;
    }
    fnd_app_print(to, "  %-*s  %-*s  %-*s  %-*s  meaning\n", (int)name, "parameter", (int)unit, "unit", (int)initial,
                  "default", (int)range, "range");
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        fnd_app_print(to, "  %-*s  %-*s  ", (int)name, field->name, (int)unit, field->unit);
        put_default(to, field);
        fnd_app_put_padding(to, composed_width(put_default, field), initial + 2);
        put_range(to, field);
        fnd_app_put_padding(to, composed_width(put_range, field), range + 2);
        fnd_app_put(to, field->doc);
        fnd_app_put(to, "\n");
    }
}

/* "{restitution, mass, [speed]}": what may be missing stands in brackets. */
static size_t put_members(fnd_app_stream *to, const char *from)
{
    size_t width = 2;
    fnd_app_put(to, "{");
    for (const char *at = from; *at;) {
        size_t length = strcspn(at, " ?");
        bool optional = at[length] == '?';
        fnd_app_print(to, optional ? "[%.*s]" : "%.*s", (int)length, at);
        width += length + (optional ? 2 : 0);
        at += length + (optional ? 1 : 0);
        at += strspn(at, " ");
        if (!*at) break;
        fnd_app_put(to, ", ");
        width += 2;
    }
    fnd_app_put(to, "}");
    return width;
}

static void print_derivations(fnd_app_stream *to, const fender_law *law)
{
    if (law->derivations == NULL) return;
    fnd_app_put(to, "\n  in place of a number\n");
    for (const fender_derivation *row = law->derivations; row->parameter != NULL; row++) {
        fnd_app_print(to, "  %s: ", row->parameter);
        size_t width = strlen(row->parameter) + 4;
        width += put_members(to, row->from);
        fnd_app_put_padding(to, width, 52);
        fnd_app_print(to, "%s\n", row->doc);
    }
}

static void print_law(fnd_app_stream *to, const fender_law *law)
{
    char kinds[48];
    fnd_app_print(to, "%s (%s)\n  ", law->name, kinds_text(kinds, law));
    fnd_app_put(to, law->doc);
    fnd_app_put(to, "\n\n");
    print_parameters(to, &law->parameters);
    print_derivations(to, law);
    if (law->mode_names == NULL) return;
    fnd_app_put(to, "\n  modes: ");
    for (int i = 0; law->mode_names[i] != NULL; i++) fnd_app_print(to, "%s%s", i > 0 ? ", " : "", law->mode_names[i]);
    fnd_app_put(to, "\n");
}

static void write_derivations(fnd_app_json *json, const fender_law *law)
{
    fnd_app_json_array(json, "derivations");
    for (const fender_derivation *row = law->derivations; row != NULL && row->parameter != NULL; row++) {
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "parameter", row->parameter);
        fnd_app_json_text(json, "from", row->from);
        fnd_app_json_text(json, "relation", row->doc);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

static void write_parameters(fnd_app_json *json, const fender_field_table *table)
{
    fnd_app_json_array(json, "parameters");
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        bool required = (field->flags & FENDER_FIELD_REQUIRED) != 0;
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "name", field->name);
        fnd_app_json_text(json, "unit", field->unit);
        fnd_app_json_text(json, "doc", field->doc);
        fnd_app_json_bool(json, "required", required);
        fnd_app_json_number(json, "default", required ? INFINITY : field->initial);
        fnd_app_json_number(json, "minimum", field->minimum);
        fnd_app_json_bool(json, "above_minimum", (field->flags & FENDER_FIELD_ABOVE_MINIMUM) != 0);
        fnd_app_json_number(json, "maximum", field->maximum);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

static void write_law(fnd_app_json *json, const fender_law *law)
{
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", law->name);
    fnd_app_json_text(json, "doc", law->doc);
    fnd_app_json_array(json, "kinds");
    for (int i = 0; i < KIND_COUNT; i++)
        if (is_of_kind(law, i)) fnd_app_json_text(json, NULL, kind_names[i]);
    fnd_app_json_end(json);
    write_parameters(json, &law->parameters);
    write_derivations(json, law);
    fnd_app_json_array(json, "modes");
    for (int i = 0; law->mode_names != NULL && law->mode_names[i] != NULL; i++)
        fnd_app_json_text(json, NULL, law->mode_names[i]);
    fnd_app_json_end(json);
    fnd_app_json_end(json);
}

static void list_laws(fnd_app *app, const fender_registry *registry)
{
    size_t width = 0;
    char kinds[48];
    const fender_law *law;
    for (int i = 0; (law = fender_law_at(registry, i)) != NULL; i++)
        if (strlen(law->name) > width) width = strlen(law->name);
    for (int i = 0; (law = fender_law_at(registry, i)) != NULL; i++) {
        fnd_app_print(&app->out, "  %-*s  %-16s  ", (int)width, law->name, kinds_text(kinds, law));
        fnd_app_put(&app->out, law->doc);
        fnd_app_put(&app->out, "\n");
    }
    fnd_app_put(&app->out, "\n`law: NAME` selects a whole law; `normal: {law: NAME}` and `friction: {law: NAME}` "
                           "select its parts. Beside\n"
                           "either `rolling: {law: NAME}` and `twisting: {law: NAME}`;\n"
                           "`fender info laws NAME` shows the parameters of one\n");
}

static int show_laws(fnd_app *app, const fender_registry *registry, const char *name)
{
    const fender_law *law = name != NULL ? fender_law_find(registry, name) : NULL;
    fnd_app_json json;
    if (name != NULL && law == NULL) {
        fnd_nearest search = fnd_nearest_begin(name, strlen(name));
        for (int i = 0; (law = fender_law_at(registry, i)) != NULL; i++) fnd_nearest_offer(&search, law->name);
        return fnd_app_info_unknown(app, "law", name, &search, "fender info laws");
    }
    if (!app->json) {
        if (law != NULL) {
            print_law(&app->out, law);
        } else {
            list_laws(app, registry);
        }
        return FND_APP_OK;
    }
    fnd_app_json_open(&json, &app->out);
    if (law == NULL) {
        fnd_app_json_array(&json, NULL);
        for (int i = 0; (law = fender_law_at(registry, i)) != NULL; i++) write_law(&json, law);
        fnd_app_json_end(&json);
    } else {
        write_law(&json, law);
    }
    return FND_APP_OK;
}

/* The built-in laws and those of the plug-ins that the command line names; NULL after an error. */
static fender_registry *load_plugins(fnd_app *app, fender_error *error)
{
    fender_registry *registry = fender_registry_create(&app->env, error);
    fender_status status = registry != NULL ? FENDER_STATUS_OK : FENDER_STATUS_MEMORY;
    for (int i = 0; status == FENDER_STATUS_OK && i < app->given_count; i++)
        if (strcmp(app->command->options[app->given[i].option].name, "--plugin") == 0)
            status = fender_registry_load(registry, app->given[i].value, error);
    if (status == FENDER_STATUS_OK) return registry;
    fender_registry_destroy(registry);
    return NULL;
}

int fnd_app_info_laws(fnd_app *app, const char *name)
{
    fender_error error = {0};
    int errors_before = app->error_count;
    fender_registry *registry = load_plugins(app, &error);
    if (registry == NULL) return fnd_app_fail(app, &error, errors_before, "");
    int code = show_laws(app, registry, name);
    fender_registry_destroy(registry);
    return code;
}

/* ---- links */

static void print_link_law(fnd_app_stream *to, fender_link_law law)
{
    fnd_app_print(to, "%s (link)\n  ", fender_link_law_name(law));
    fnd_app_put(to, fender_link_law_doc(law));
    fnd_app_put(to, "\n\n");
    print_parameters(to, fender_link_law_parameters(law));
}

static void write_link_law(fnd_app_json *json, fender_link_law law)
{
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", fender_link_law_name(law));
    fnd_app_json_text(json, "doc", fender_link_law_doc(law));
    write_parameters(json, fender_link_law_parameters(law));
    fnd_app_json_end(json);
}

int fnd_app_info_links(fnd_app *app, const char *name)
{
    int count = 0, chosen = -1;
    fnd_nearest search = fnd_nearest_begin(name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    for (; fender_link_law_name((fender_link_law)count) != NULL; count++) {
        const char *known = fender_link_law_name((fender_link_law)count);
        fnd_nearest_offer(&search, known);
        if (name != NULL && strcmp(known, name) == 0) chosen = count;
    }
    if (name != NULL && chosen < 0)
        return fnd_app_info_unknown(app, "law of links", name, &search, "fender info links");
    fnd_app_json json;
    if (app->json) {
        fnd_app_json_open(&json, &app->out);
        if (chosen < 0) fnd_app_json_array(&json, NULL);
        for (int i = 0; i < count; i++)
            if (chosen < 0 || i == chosen) write_link_law(&json, (fender_link_law)i);
        if (chosen < 0) fnd_app_json_end(&json);
        return FND_APP_OK;
    }
    if (chosen >= 0) {
        print_link_law(&app->out, (fender_link_law)chosen);
        return FND_APP_OK;
    }
    for (int i = 0; i < count; i++) {
        fnd_app_print(&app->out, "  %-20s  ", fender_link_law_name((fender_link_law)i));
        fnd_app_put(&app->out, fender_link_law_doc((fender_link_law)i));
        fnd_app_put(&app->out, "\n");
    }
    fnd_app_put(&app->out, "\nvalues of `law` under `links`; `fender info links NAME` shows the parameters of one\n");
    return FND_APP_OK;
}

/* ---- loads */

static void print_load_kind(fnd_app_stream *to, fender_load_kind kind)
{
    fnd_app_print(to, "%s (load)\n  ", fender_load_kind_name(kind));
    fnd_app_put(to, fender_load_kind_doc(kind));
    fnd_app_put(to, "\n\n");
    print_parameters(to, fender_load_parameters(kind));
}

static void write_load_kind(fnd_app_json *json, fender_load_kind kind)
{
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", fender_load_kind_name(kind));
    fnd_app_json_text(json, "doc", fender_load_kind_doc(kind));
    write_parameters(json, fender_load_parameters(kind));
    fnd_app_json_end(json);
}

/* The kinds that have parameters: all but `given`. */
int fnd_app_info_loads(fnd_app *app, const char *name)
{
    int count = FENDER_LOAD_GIVEN + 1, chosen = -1;
    fnd_nearest search = fnd_nearest_begin(name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    for (; fender_load_kind_name((fender_load_kind)count) != NULL; count++) {
        const char *known = fender_load_kind_name((fender_load_kind)count);
        fnd_nearest_offer(&search, known);
        if (name != NULL && strcmp(known, name) == 0) chosen = count;
    }
    if (name != NULL && chosen < 0)
        return fnd_app_info_unknown(app, "kind of loads", name, &search, "fender info loads");
    fnd_app_json json;
    if (app->json) {
        fnd_app_json_open(&json, &app->out);
        if (chosen < 0) fnd_app_json_array(&json, NULL);
        for (int i = FENDER_LOAD_GIVEN + 1; i < count; i++)
            if (chosen < 0 || i == chosen) write_load_kind(&json, (fender_load_kind)i);
        if (chosen < 0) fnd_app_json_end(&json);
        return FND_APP_OK;
    }
    if (chosen >= 0) {
        print_load_kind(&app->out, (fender_load_kind)chosen);
        return FND_APP_OK;
    }
    for (int i = FENDER_LOAD_GIVEN + 1; i < count; i++) {
        fnd_app_print(&app->out, "  %-20s  ", fender_load_kind_name((fender_load_kind)i));
        fnd_app_put(&app->out, fender_load_kind_doc((fender_load_kind)i));
        fnd_app_put(&app->out, "\n");
    }
    fnd_app_put(&app->out, "\nvalues of `kind` under `loads`; `fender info loads NAME` shows the parameters of one\n");
    return FND_APP_OK;
}
