/* Data of a report page: numbers of tables, the model. */
#include "report/page.h"

#include "support/json.h"
#include "support/number.h"

#include <string.h>

/* ---- numbers */

/* Shorter lists stay as they are: they can be read. */
enum { LEAST_PACKED_NUMBERS = 3000 };

/* ---- base64 of little-endian words */

typedef struct packer {
    fnd_buffer *to;
    unsigned char bytes[3];
    int count;
} packer;

static void flush_bytes(packer *p)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (p->count == 0) return;
    for (int i = p->count; i < 3; i++) p->bytes[i] = 0;
    const unsigned group = (unsigned)p->bytes[0] << 16 | (unsigned)p->bytes[1] << 8 | p->bytes[2];
    const char text[4] = {digits[group >> 18], digits[group >> 12 & 63], p->count > 1 ? digits[group >> 6 & 63] : '=',
                          p->count > 2 ? digits[group & 63] : '='};
    fnd_buffer_append(p->to, text, sizeof text);
    p->count = 0;
}

static void pack_word(packer *p, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        p->bytes[p->count++] = (unsigned char)(word >> 8 * i & 255);
        if (p->count == 3) flush_bytes(p);
    }
}

static uint32_t bits_of(double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* ---- lists */

/* Reads one number of a list and the comma behind it, at the closing bracket nothing more. False at its end. */
static bool next_number(const char **at, const char *end, double *value)
{
    size_t used;
    if (*at >= end || **at == ']' || !fnd_number_parse(*at, (size_t)(end - *at), value, &used)) return false;
    *at += used;
    if (*at < end && **at == ',') (*at)++;
    return true;
}

typedef struct list {
    bool points; /* else indices */
    size_t count;
    double low[3], high[3];  /* of each third number */
    const char *first, *end; /* behind the opening bracket, at the closing one; end NULL: nothing to pack */
} list;

/* The list of the key that begins at `at`. */
static list list_at(const char *at, const char *end)
{
    static const char points[] = "\"vertices\":[", indices[] = "\"triangles\":[";
    list l = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    double value;
    const size_t left = (size_t)(end - at);
    l.points = left > sizeof points && memcmp(at, points, sizeof points - 1) == 0;
    if (!l.points && !(left > sizeof indices && memcmp(at, indices, sizeof indices - 1) == 0)) return l;
    l.first = at + (l.points ? sizeof points : sizeof indices) - 1;
    for (at = l.first; next_number(&at, end, &value); l.count++) {
        const size_t k = l.count % 3;
        if (value < l.low[k]) l.low[k] = value;
        if (value > l.high[k]) l.high[k] = value;
    }
    const bool whole = at < end && *at == ']' && l.count >= LEAST_PACKED_NUMBERS && l.count % 3 == 0;
    const bool index = l.low[0] >= 0 && l.low[1] >= 0 && l.low[2] >= 0;
    if (whole && (l.points || index)) l.end = at;
    return l;
}

/* Points less the middle of their box: single precision then tells apart what lies apart. */
static void pack_points(fnd_buffer *page, const list *l)
{
    const char *at = l->first;
    double origin[3], value;
    for (int k = 0; k < 3; k++) origin[k] = 0.5 * l->low[k] + 0.5 * l->high[k];
    fnd_buffer_append_text(page, "{\"origin\":[");
    for (int k = 0; k < 3; k++) {
        fnd_json_comma(page);
        fnd_buffer_append_number(page, origin[k]);
    }
    fnd_buffer_append_text(page, "],\"float32\":\"");
    packer p = {.to = page};
    for (size_t i = 0; next_number(&at, l->end, &value); i++) pack_word(&p, bits_of(value - origin[i % 3]));
    flush_bytes(&p);
    fnd_buffer_append_text(page, "\"}");
}

static void pack_indices(fnd_buffer *page, const list *l)
{
    const char *at = l->first;
    double value;
    packer p = {.to = page};
    fnd_buffer_append_text(page, "{\"uint32\":\"");
    while (next_number(&at, l->end, &value)) pack_word(&p, (uint32_t)value);
    flush_bytes(&p);
    fnd_buffer_append_text(page, "\"}");
}

void fnd_page_append_json(fnd_buffer *page, const char *text, size_t length)
{
    const char *at = text, *end = text + length, *kept = text;
    while (at < end) {
        if (*at == '<') {
            fnd_buffer_append(page, kept, (size_t)(at - kept));
            fnd_buffer_append_text(page, "\\u003c");
            kept = ++at;
            continue;
        }
        /* Inside a string a quote has a backslash before it: a key and its bracket are found outside alone. */
        const list l = *at == '"' ? list_at(at, end) : (list){.count = 0};
        if (!l.end) {
            at++;
            continue;
        }
        fnd_buffer_append(page, kept, (size_t)(l.first - 1 - kept));
        if (l.points) pack_points(page, &l);
        else pack_indices(page, &l);
        kept = at = l.end + 1;
    }
    fnd_buffer_append(page, kept, (size_t)(end - kept));
}

/* ---- the model */

/* ---- parameters */

static void append_parameters(fnd_buffer *to, const fender_field_table *table, const void *object)
{
    fnd_json_begin(to, "parameters", '[');
    for (int i = 0; object && i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        fnd_json_begin(to, NULL, '{');
        fnd_json_put_text(to, "name", field->name);
        fnd_json_put_text(to, "unit", strcmp(field->unit, "1") == 0 ? "" : field->unit);
        fnd_json_put_text(to, "doc", field->doc);
        fnd_json_put_field(to, "value", field, object);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- bodies */

static void append_bodies(fnd_buffer *to, const fender_world *world)
{
    fnd_json_begin(to, "bodies", '[');
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_def def;
        if (fender_body_get_def(world, fender_body_at(world, i), &def) != FENDER_STATUS_OK) continue;
        const fender_mass_properties *m = &def.mass_properties;
        if (!(m->mass > 0)) continue;
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "name", def.name);
        fnd_json_put_number(to, "mass", m->mass);
        fnd_json_put_vector(to, "center_of_mass", m->center_of_mass);
        fnd_json_put_numbers(to, "inertia", &m->inertia.m[0][0], 9);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- contact types */

static void append_law(fnd_buffer *to, const char *part, const fender_law *law, const void *parameters)
{
    if (!law) return;
    fnd_json_begin(to, NULL, '{');
    fnd_json_put_text(to, "part", part);
    fnd_json_put_text(to, "law", law->name);
    fnd_json_put_text(to, "doc", law->doc);
    fnd_json_begin(to, "modes", '[');
    for (int i = 0; law->mode_names && law->mode_names[i]; i++) {
        fnd_json_comma(to);
        fnd_json_text(to, law->mode_names[i]);
    }
    fnd_buffer_append_char(to, ']');
    append_parameters(to, &law->parameters, parameters);
    fnd_buffer_append_char(to, '}');
}

static void append_contact_types(fnd_buffer *to, const fender_world *world)
{
    fnd_json_begin(to, "contact_types", '[');
    for (int i = 0; i < fender_contact_type_count(world); i++) {
        fender_contact_type_def def = fender_contact_type_def_default();
        (void)fender_contact_type_get_def(world, fender_contact_type_at(world, i), &def);
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "name", def.name);
        fnd_json_begin(to, "laws", '[');
        append_law(to, "law", def.law, def.law_parameters);
        append_law(to, "normal", def.normal, def.normal_parameters);
        append_law(to, "friction", def.friction, def.friction_parameters);
        append_law(to, "rolling", def.rolling, def.rolling_parameters);
        append_law(to, "twisting", def.twisting, def.twisting_parameters);
        fnd_buffer_append_text(to, "]}");
    }
    fnd_buffer_append_char(to, ']');
}

static void append_shape(fnd_buffer *to, const fender_world *world, const char *key, fender_shape_id shape)
{
    const char *body = fender_body_name(world, fender_shape_body(world, shape)),
               *name = fender_shape_name(world, shape);
    fnd_buffer text = fnd_buffer_open(&to->allocator);
    if (body && name) fnd_buffer_appendf(&text, "%s.%s", body, name);
    fnd_json_put_text(to, key, fnd_buffer_text(&text));
    to->failed = to->failed || text.failed;
    fnd_buffer_close(&text);
}

static void append_rules(fnd_buffer *to, const fender_world *world)
{
    static const char *const kinds[] = {"shapes", "bodies", "materials", "default"};
    fnd_json_begin(to, "rules", '[');
    for (int i = 0; i < fender_rule_count(world); i++) {
        fender_rule_def def;
        fender_contact_type_def type;
        memset(&def, 0, sizeof def);
        memset(&type, 0, sizeof type);
        (void)fender_rule_get_def(world, fender_rule_at(world, i), &def);
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "kind", kinds[def.kind]);
        if (def.kind == FENDER_RULE_SHAPES) {
            append_shape(to, world, "a", def.shape_a);
            append_shape(to, world, "b", def.shape_b);
        } else if (def.kind == FENDER_RULE_BODIES) {
            fnd_json_put_text(to, "a", fender_body_name(world, def.body_a));
            fnd_json_put_text(to, "b", fender_body_name(world, def.body_b));
        } else if (def.kind == FENDER_RULE_MATERIALS) {
            fnd_json_put_text(to, "a", fender_material_name(world, def.material_a));
            fnd_json_put_text(to, "b", fender_material_name(world, def.material_b));
        }
        /* no use: these never touch */
        if (def.use.index1 && fender_contact_type_get_def(world, def.use, &type) == FENDER_STATUS_OK)
            fnd_json_put_text(to, "use", type.name);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- links */

static void append_links(fnd_buffer *to, const fender_world *world)
{
    fnd_json_begin(to, "links", '[');
    for (int i = 0; i < fender_link_count(world); i++) {
        fender_link_def def = fender_link_def_default();
        (void)fender_link_get_def(world, fender_link_at(world, i), &def);
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "name", def.name);
        fnd_json_put_text(to, "law", fender_link_law_name(def.law));
        append_parameters(to, fender_link_law_parameters(def.law), def.parameters);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- */

void fnd_page_append_model(fnd_buffer *to, const fender_env *env, const char *run_directory)
{
    fender_env quiet = *env;
    fender_error error = {0};
    quiet.report = NULL;
    fender_scenario *scenario = fender_scenario_load_run(&quiet, NULL, run_directory, &error);
    fender_world *world = scenario ? fender_scenario_build(scenario, &quiet, &error) : NULL;
    fnd_buffer_append_text(to, "{\"format\":\"fender-model\",\"version\":1");
    if (world) {
        append_bodies(to, world);
        append_contact_types(to, world);
        append_rules(to, world);
        append_links(to, world);
    } else {
        fnd_json_put_text(to, "missing", error.message);
        if (error.status == FENDER_STATUS_MEMORY) to->failed = true;
    }
    fnd_buffer_append_char(to, '}');
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}
