/* A study file becomes a checked study. */
#include "scenario/geometry_cache.h"
#include "scenario/section.h"
#include "study/random.h"
#include "study/reading.h"
#include "support/file.h"
#include "support/io_error.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool refuse(fnd_reader *reader, const fnd_node *node, const char *message, const char *found,
                   const char *expected, const char *remedy)
{
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE, message, found, expected, remedy);
    return false;
}

/* SQLite does not tell columns apart by the case of their letters. */
static bool same_column(const char *a, const char *b)
{
    for (;; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b - 'A' + 'a') : *b;
        if (x != y || !x) return x == y;
    }
}

static bool is_used(const fender_study *s, const char *name)
{
    for (int i = 0; i < s->variable_count; i++)
        if (s->variables[i].id.name && same_column(s->variables[i].id.name, name)) return true;
    for (int i = 0; i < s->kept_count; i++)
        if (s->kept[i].id.name && same_column(s->kept[i].id.name, name)) return true;
    for (int i = 0; i < s->outcome_count; i++)
        if (s->outcomes[i].id.name && same_column(s->outcomes[i].id.name, name)) return true;
    return false;
}

static bool is_one_of(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (same_column(*list, name)) return true;
    return false;
}

/* Names of columns: of variables, kept values and outcomes together. */
static bool take_name(fnd_reader *reader, const fender_study *s, const fnd_node *node, fnd_named *id)
{
    static const char *const columns[] = {"run", "status", "reason", "hash", "checksum", NULL};
    static const char *const words[] = {"and", "or", "not", "abs", "sqrt", "min", "max", NULL};
    if (!fnd_check_name(reader, node->key, &node->key_location, "a name")) return false;
    const char *message = is_one_of(words, node->key)     ? "'%s' is a word of conditions"
                          : is_one_of(columns, node->key) ? "'%s' is a column of every store"
                          : is_used(s, node->key)         ? "the name '%s' is already used"
                                                          : NULL;
    if (message) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_NAME, fnd_phrase_make(message, node->key).text,
                     node->key, "a unique name for each variable, kept value and outcome", "choose another name");
        return false;
    }
    *id = (fnd_named){node->key, node->key_location};
    return true;
}

static void read_variables(fnd_reader *reader, fender_study *s, fnd_node *section)
{
    static const char *const keys[] = {"path",      "uniform", "normal",   "lognormal", "triangular",
                                       "beta",      "weibull", "discrete", "table",     "attitude",
                                       "direction", "within",  "levels",   NULL};
    if (!section || !fnd_expect_map(reader, section, "vary")) return;
    s->variables = fnd_keep(reader, (size_t)section->count, sizeof *s->variables);
    if (!s->variables) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_variable *v = &s->variables[s->variable_count];
        *v = (fnd_variable){
            .unit = "", .scale = 1, .levels = 3, .path = "", .location = *fnd_node_shown_location(node)};
        bool good = take_name(reader, s, node, &v->id) && fnd_check_keys(reader, node, "a variable", keys);
        if (!good) continue;
        s->variable_count++;
        fnd_node *path = fnd_require(reader, node, "path", "a variable", "bodies.lander.state.velocity.z"),
                 *levels = fnd_node_find(node, "levels");
        if (path && fnd_read_text(reader, path, "path", &v->path)) v->path_place = *fnd_node_shown_location(path);
        if (levels) (void)fnd_read_integer(reader, levels, "levels", 2, 100000, &v->levels);
        (void)fnd_study_read_distribution(reader, v, node);
        fnd_distribution_kind kind = v->distribution.kind;
        v->dimension = s->dimension_count;
        v->column = s->input_count;
        s->dimension_count += fnd_variable_dimensions(v);
        s->input_count += fnd_variable_width(v);
        if (kind == FND_DISCRETE) v->levels = v->distribution.count;
    }
}

static void read_event(fnd_reader *reader, const fnd_node *event, const fnd_node *contact, fnd_expectation *e)
{
    e->event.location = *fnd_node_shown_location(event);
    (void)fnd_read_text(reader, event, "event", &e->event.text);
    if (!contact) return;
    e->contact.location = *fnd_node_shown_location(contact);
    (void)fnd_read_text(reader, contact, "contact", &e->contact.text);
}

/* Two keys of different forms, of which only one would count, and the remedy. */
typedef struct rivals {
    const char *first, *second, *remedy;
} rivals;

/* False after a diagnostic: two of them are there. */
static bool check_form(fnd_reader *reader, const fnd_node *map, const rivals *list)
{
    for (; list->first; list++) {
        const fnd_node *second = fnd_node_find(map, list->second);
        if (!second || !fnd_node_find(map, list->first)) continue;
        fnd_complain(reader, &second->key_location, FENDER_STATUS_NAME,
                     fnd_phrase_make("'%s' does not go with '%s'", list->second, list->first).text, list->second,
                     "the keys of one kept value: a channel, an event or a condition", list->remedy);
        return false;
    }
    return true;
}

void fnd_study_read_conditions(fnd_reader *reader, fender_study *s)
{
    const int bodies = s->scenario->body_count;
    fnd_reader own = *reader; /* of the scenario, which has been read without errors */
    own.scenario = s->scenario;
    own.root = s->scenario->tree->root;
    own.shapes_failed = fnd_keep(reader, (size_t)bodies, sizeof *own.shapes_failed);
    own.points_failed = fnd_keep(reader, (size_t)bodies, sizeof *own.points_failed);
    for (int i = 0; own.shapes_failed && own.points_failed && i < s->kept_count; i++) {
        if (!s->kept[i].when) continue;
        s->expectations[i].when = fnd_keep(reader, 1, sizeof *s->expectations[i].when);
        if (s->expectations[i].when) (void)fnd_read_condition(&own, s->kept[i].when, s->expectations[i].when);
    }
    reader->memory_failed = reader->memory_failed || own.memory_failed;
}

/* `at` of a channel: end, max, min, a time, {event: begin, contact: a:b}, {when: CONDITION}. */
static void read_at(fnd_reader *reader, fnd_node *at, fnd_kept_value *kept, fnd_expectation *e)
{
    static const char *const keys[] = {"event", "contact", "when", NULL};
    static const rivals forms[] = {
        {"when", "event", "remove one of them; a condition may contain an event: when: {event: begin}"},
        {"when", "contact", "remove it: a condition names its own, when: {event: begin, contact: a:b}"},
        {NULL, NULL, NULL}};
    const char *word = at->kind == FND_NODE_TEXT ? at->text : "";
    if (at->kind == FND_NODE_MAP) {
        if (!fnd_check_keys(reader, at, "at", keys) || !check_form(reader, at, forms)) return;
        kept->when = fnd_node_find(at, "when");
        if (kept->when) return;
        fnd_node *event = fnd_require(reader, at, "event", "at", "begin");
        if (event) read_event(reader, event, fnd_node_find(at, "contact"), e);
    } else if (strcmp(word, "max") == 0) e->at = FND_EXPECT_MAX;
    else if (strcmp(word, "min") == 0) e->at = FND_EXPECT_MIN;
    else if (strcmp(word, "end") != 0 && fnd_read_number(reader, at, "at", "s", &e->at_time)) e->at = FND_EXPECT_TIME;
}

static void read_kept(fnd_reader *reader, fender_study *s, fnd_node *section)
{
    static const char *const keys[] = {"channel", "at", "event", "contact", "when", NULL};
    static const rivals forms[] = {
        {"channel", "event", "write at: {event: begin} for the value of the channel; without channel it is the time"},
        {"channel", "when", "write at: {when: CONDITION} for the value of the channel; without channel it is the time"},
        {"channel", "contact", "write at: {event: begin, contact: a:b}"},
        {"when", "event", "remove one of them; a condition may contain an event: when: {event: begin}"},
        {"when", "contact", "remove it: a condition names its own, when: {event: begin, contact: a:b}"},
        {"when", "at", "remove it: the time of the condition is kept; for a value write channel: PATH, at: {when: ..}"},
        {"event", "at", "remove it: the time of the event is kept; for a value write channel: PATH, at: {event: ..}"},
        {NULL, NULL, NULL}};
    if (!section || !fnd_expect_map(reader, section, "keep")) return;
    s->kept = fnd_keep(reader, (size_t)section->count, sizeof *s->kept);
    s->expectations = fnd_keep(reader, (size_t)section->count, sizeof *s->expectations);
    if (!s->kept || !s->expectations) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_kept_value *kept = &s->kept[s->kept_count];
        fnd_expectation *e = &s->expectations[s->kept_count];
        if (!take_name(reader, s, node, &kept->id) || !fnd_check_keys(reader, node, "a kept value", keys) ||
            !check_form(reader, node, forms))
            continue;
        s->kept_count++;
        *e = (fnd_expectation){
            .location = node->key_location, .at = FND_EXPECT_END, .event_time = (double)NAN, .source = ""};
        fnd_node *event = fnd_node_find(node, "event"), *at = fnd_node_find(node, "at");
        kept->unit = "";
        kept->when = fnd_node_find(node, "when");
        if (kept->when) {
            kept->is_event = true;
            kept->unit = "s";
            continue;
        }
        if (event) {
            kept->is_event = true;
            kept->unit = "s";
            read_event(reader, event, fnd_node_find(node, "contact"), e);
            continue;
        }
        fnd_node *channel = fnd_require(reader, node, "channel", "a kept value", "bodies.lander.position.z");
        if (!channel || !fnd_read_text(reader, channel, "channel", &e->channel.text)) continue;
        e->channel.location = *fnd_node_shown_location(channel);
        if (at) read_at(reader, at, kept, e);
    }
}

static void read_outcomes(fnd_reader *reader, fender_study *s, fnd_node *section, fnd_node *success)
{
    size_t count = section && section->kind == FND_NODE_MAP ? (size_t)section->count : 0;
    s->outcomes = fnd_keep(reader, count + 1, sizeof *s->outcomes);
    if (!s->outcomes || (section && !fnd_expect_map(reader, section, "outcomes"))) return;
    for (fnd_node *node = section ? section->first : NULL; node; node = node->next) {
        fnd_outcome *o = &s->outcomes[s->outcome_count];
        if (!take_name(reader, s, node, &o->id)) continue;
        if (fnd_outcome_read(reader, s, node, o)) s->outcome_count++;
    }
    if (!success || !take_name(reader, s, success, &s->outcomes[s->outcome_count].id)) return;
    s->has_success = fnd_outcome_read(reader, s, success, &s->outcomes[s->outcome_count]);
    s->outcome_count += s->has_success;
}

/* {list: FILE}, {sobol_indices: N}, {morris: N, levels: P} */
static void read_design_map(fnd_reader *reader, fender_study *s, fnd_node *node)
{
    static const char *const keys[] = {"list", "sobol_indices", "morris", "levels", NULL};
    if (!fnd_check_keys(reader, node, "design", keys)) return;
    fnd_node *list = fnd_node_find(node, "list"), *indices = fnd_node_find(node, "sobol_indices"),
             *morris = fnd_node_find(node, "morris"), *levels = fnd_node_find(node, "levels");
    int count = s->variable_count;
    if ((list != NULL) + (indices != NULL) + (morris != NULL) != 1 || (levels && !morris)) {
        (void)refuse(reader, node, "this is no design", "",
                     "list: FILE.csv, or sobol_indices: N, or morris: N with levels: P",
                     "write, for example, {morris: 20, levels: 4}");
        return;
    }
    s->design = list ? FND_DESIGN_LIST : indices ? FND_DESIGN_SOBOL_INDICES : FND_DESIGN_MORRIS;
    if (list) (void)fnd_study_read_list(reader, s, list);
    if (indices && fnd_read_integer(reader, indices, "sobol_indices", 2, 10000000, &s->design_count))
        s->runs = (int64_t)s->design_count * (count + 2);
    s->design_levels = 4;
    if (levels && !fnd_read_integer(reader, levels, "levels", 2, 1000, &s->design_levels)) return;
    if (s->design_levels % 2 != 0)
        (void)refuse(reader, levels, "Morris' levels are not even in number", levels->text, "2, 4, 6, ..",
                     "write levels: 4");
    if (morris && fnd_read_integer(reader, morris, "morris", 2, 1000000, &s->design_count))
        s->runs = (int64_t)s->design_count * (count + 1);
}

/* Designs that run to the bounds of all variables need them. */
static void check_bounds(fnd_reader *reader, const fnd_variable *v)
{
    bool bounded = v->distribution.kind < FND_ATTITUDE && isfinite(fnd_quantile(&v->distribution, 0)) &&
                   isfinite(fnd_quantile(&v->distribution, 1));
    if (bounded) return;
    bool several = fnd_variable_width(v) > 1;
    fnd_complain(reader, &v->location, FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' has no bounds, but this design needs them", v->id.name).text, "",
                 "a distribution with bounds",
                 several ? "choose random, sobol or sobol_indices for attitudes and directions"
                         : "add within: [from, to, UNIT]");
}

enum { MOST_RUNS = 1000000000 };

static void read_design(fnd_reader *reader, fender_study *s, fnd_node *root, int64_t runs)
{
    static const char *const names[] = {"random",        "latin_hypercube", "sobol", "full_factorial",
                                        "one_at_a_time", "corners",         NULL};
    fnd_node *node = fnd_node_find(root, "design"), *count = fnd_node_find(root, "runs"),
             *seed = fnd_node_find(root, "seed");
    int index = 0, number = 0;
    if (seed && fnd_read_integer(reader, seed, "seed", 0, 2147483647, &number)) s->seed = (uint64_t)number;
    if (node && node->kind == FND_NODE_MAP) read_design_map(reader, s, node);
    else if (node && node->kind == FND_NODE_TEXT &&
             (strcmp(node->text, "sobol_indices") == 0 || strcmp(node->text, "morris") == 0)) {
        (void)refuse(reader, node, "this design needs its size", node->text, "{sobol_indices: N} or {morris: N}",
                     fnd_phrase_make("write design: {%s: %s}", node->text, node->text[0] == 's' ? "1024" : "20").text);
        return;
    } else if (node) {
        if (!fnd_read_choice(reader, node, "design", names, &index)) return;
        s->design = (fnd_design)index;
    }
    if (s->design == FND_DESIGN_SOBOL && s->dimension_count > FND_SOBOL_DIMENSIONS)
        (void)refuse(reader, node, "Sobol points have too many dimensions",
                     fnd_phrase_make("%d", s->dimension_count).text, "at most 32", "use latin_hypercube");
    bool grid = s->design >= FND_DESIGN_FULL_FACTORIAL && s->design < FND_DESIGN_LIST;
    if (s->design >= FND_DESIGN_FULL_FACTORIAL && count) {
        (void)refuse(reader, count, "this design determines the number of runs", "", "no 'runs'",
                     "remove 'runs', or choose another design");
        return;
    }
    s->runs = grid ? 1 : s->runs;
    for (int i = 0; grid && i < s->variable_count; i++) {
        fnd_variable *v = &s->variables[i];
        if (s->design == FND_DESIGN_CORNERS) v->levels = v->distribution.kind == FND_DISCRETE ? v->levels : 2;
        if (s->design == FND_DESIGN_ONE_AT_A_TIME) s->runs += v->levels;
        else s->runs = s->runs > MOST_RUNS / v->levels ? MOST_RUNS : s->runs * v->levels;
        check_bounds(reader, v);
    }
    for (int i = 0; s->design == FND_DESIGN_MORRIS && i < s->variable_count; i++)
        check_bounds(reader, &s->variables[i]);
    if (s->design >= FND_DESIGN_FULL_FACTORIAL) {
        if (runs > 0 && runs != s->runs)
            (void)refuse(reader, node, "this design determines the number of runs", fnd_digits((double)runs, "").text,
                         fnd_phrase_make("%lld runs", (long long)s->runs).text,
                         "ask for no other number, or choose another design");
        return;
    }
    if (!count && runs == 0) (void)fnd_require(reader, root, "runs", "the study", "1000");
    if (count && fnd_read_integer(reader, count, "runs", 1, MOST_RUNS, &number)) s->runs = number;
    if (runs > 0) s->runs = runs;
}

static void read_settings(fnd_reader *reader, fender_study *s, fnd_node *section)
{
    if (!section || !fnd_expect_map(reader, section, "set")) return;
    s->settings = fnd_keep(reader, (size_t)section->count, sizeof *s->settings);
    s->setting_places = fnd_keep(reader, 2 * (size_t)section->count, sizeof *s->setting_places);
    for (fnd_node *node = section->first; s->settings && s->setting_places && node; node = node->next) {
        const char *text = NULL;
        if (node->kind == FND_NODE_MAP || node->kind == FND_NODE_LIST) text = fnd_study_flow_text(reader, node);
        else (void)fnd_read_text(reader, node, node->key, &text);
        if (!text) continue;
        s->setting_places[2 * s->setting_count] = node->key_location;
        s->setting_places[2 * s->setting_count + 1] = *fnd_node_shown_location(node);
        s->settings[s->setting_count++] = (fender_override){node->key, text};
    }
}

/* ---- the whole */

bool fnd_study_append_sources(fnd_buffer *to, const fender_study *study, uint64_t *hash)
{
    const char *slash = strrchr(study->path, '/');
    const size_t folder = slash ? (size_t)(slash - study->path) + 1 : 0;
    fnd_arena arena = fnd_arena_open(&study->env.allocator, 0);
    fender_scenario scenario = *study->scenario;
    fnd_scenario_text *texts = FND_ARENA_NEW_ARRAY(&arena, fnd_scenario_text, (size_t)scenario.text_count);
    for (int i = 0; texts && i < scenario.text_count; i++) {
        texts[i] = scenario.texts[i];
        if (folder > 0 && strncmp(texts[i].name, study->path, folder) == 0) texts[i].name += folder;
    }
    scenario.texts = texts;
    bool good = texts && fnd_bundle_append(to, &scenario, hash);
    fnd_arena_close(&arena);
    return good;
}

/* Of the way in which discrete variables enter designs and conditions. A change of it takes the next number: a store
 * that was begun by other rules is that of another study. 2: grids take each value once, conditions take values. */
enum { DISCRETE_RULES = 2 };

static uint64_t hash_rules(const fender_study *s, uint64_t hash)
{
    static const int32_t rules = DISCRETE_RULES;
    for (int i = 0; i < s->variable_count; i++)
        if (s->variables[i].distribution.kind == FND_DISCRETE) return fnd_text_hash(hash, &rules, sizeof rules);
    return hash;
}

/* Options that the text of the study does not contain. */
static uint64_t hash_options(const fender_study *s, uint64_t hash)
{
    for (int i = 0; i < s->variable_count; i++) {
        const fnd_variable *v = &s->variables[i];
        for (int k = 0; v->from_files && k < v->distribution.count; k++)
            hash = fnd_text_hash(hash, v->settings[k], strlen(v->settings[k]) + 1);
    }
    return hash;
}

/* False: no memory. */
static bool hash_study(fender_study *s)
{
    fnd_buffer buffer = fnd_buffer_open(&s->env.allocator);
    uint64_t hash = 0;
    bool good = fnd_study_append_sources(&buffer, s, &hash);
    fnd_buffer_close(&buffer);
    if (!good) return false;
    hash = fnd_text_hash(hash, s->text, s->length);
    /* Points of the other designs do not depend on their number. */
    if (s->design == FND_DESIGN_LATIN_HYPERCUBE) hash = fnd_text_hash(hash, &s->runs, sizeof s->runs);
    hash = hash_rules(s, hash_options(s, hash));
    if (s->list) hash = fnd_text_hash(hash, s->list, (size_t)(s->runs * s->input_count) * sizeof *s->list);
    s->hash = hash;
    return true;
}

static void read_all(fnd_reader *reader, fender_study *s, const char *path, int64_t runs)
{
    static const char *const keys[] = {"fender_study", "title", "about",    "scenario", "set",      "vary",
                                       "design",       "runs",  "seed",     "keep",     "outcomes", "success",
                                       "joint",        "stop",  "boundary", NULL};
    const char *about, *file = NULL;
    int version;
    fnd_source *source = fnd_tree_read_file(reader, path, NULL);
    if (!source) return;
    s->text = source->text;
    s->length = source->length;
    fnd_node *root = fnd_node_parse(reader, source);
    if (!root || !fnd_expect_map(reader, root, "a study")) return;
    reader->root = root;
    (void)fnd_check_keys(reader, root, "a study", keys);
    fnd_node *node = fnd_require(reader, root, "fender_study", "the study", "1");
    if (node) (void)fnd_read_integer(reader, node, "fender_study", 1, 1, &version);
    if ((node = fnd_node_find(root, "title"))) (void)fnd_read_text(reader, node, "title", &s->title);
    if ((node = fnd_node_find(root, "about"))) (void)fnd_read_text(reader, node, "about", &about);
    read_settings(reader, s, fnd_node_find(root, "set"));
    node = fnd_require(reader, root, "vary", "the study", "{NAME: {path: PATH, uniform: [1, 2, m/s]}}");
    read_variables(reader, s, node);
    if (node && s->variable_count == 0 && fnd_diagnostics_error_count(reader->diagnostics) == 0)
        (void)refuse(reader, node, "nothing varies", "", "at least one variable", "add one under 'vary'");
    if (node) fnd_study_read_joint(reader, s, fnd_node_find(root, "joint"));
    read_kept(reader, s, fnd_node_find(root, "keep"));
    read_outcomes(reader, s, fnd_node_find(root, "outcomes"), fnd_node_find(root, "success"));
    if (s->variable_count > 0 && fnd_diagnostics_error_count(reader->diagnostics) == 0)
        read_design(reader, s, root, runs);
    if (fnd_diagnostics_error_count(reader->diagnostics) == 0)
        fnd_study_read_stop(reader, s, fnd_node_find(root, "stop"));
    if (fnd_diagnostics_error_count(reader->diagnostics) == 0)
        fnd_study_read_boundary(reader, s, fnd_node_find(root, "boundary"));
    if (fnd_diagnostics_error_count(reader->diagnostics) == 0) fnd_study_rank_joint(reader, s);
    node = fnd_require(reader, root, "scenario", "the study", "lander.yaml");
    if (!node || !fnd_read_text(reader, node, "scenario", &file) ||
        fnd_diagnostics_error_count(reader->diagnostics) > 0)
        return;
    char *resolved = fnd_source_resolve(reader, source, file);
    if (!resolved) return;
    if (access(resolved, R_OK) != 0) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_FILE,
                     fnd_phrase_make("there is no scenario '%s' that can be read", fnd_shown(file).text).text, resolved,
                     "the file of a scenario", "a relative name starts from the folder of the study");
        return;
    }
    fnd_study_try(reader, s, resolved);
}

fender_study *fender_study_load(const fender_env *env, const char *path, int64_t runs, fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    if (runs < 0 || runs > MOST_RUNS) {
        FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "a study has no such number of runs",
                    .found = fnd_phrase_make("%lld", (long long)runs).text,
                    .expected = fnd_phrase_make("1 to %d, or 0: that of the study", (int)MOST_RUNS).text,
                    .suggestion = runs < 0 ? "is the sign right?" : "is a digit too many?");
        return NULL;
    }
    fender_env own = env ? *env : fender_env_default();
    fender_study *s = own.allocator.allocate(own.allocator.ctx, sizeof *s, _Alignof(max_align_t));
    fnd_diagnostics *diagnostics = s ? fnd_diagnostics_create(&own) : NULL;
    if (!diagnostics) {
        if (s) own.allocator.release(own.allocator.ctx, s, sizeof *s);
        (void)fnd_diagnostics_deliver(NULL, error);
        return NULL;
    }
    memset(s, 0, sizeof *s);
    s->env = own;
    s->title = "";
    s->path = path;
    s->arena = fnd_arena_open(&own.allocator, 0);
    fender_scenario none = {.env = own, .arena = &s->arena};
    fnd_reader reader = {.env = own, .arena = &s->arena, .diagnostics = diagnostics, .scenario = &none};
    read_all(&reader, s, path ? path : "", runs);
    bool failed = reader.memory_failed || s->arena.failed;
    if (!failed && fnd_diagnostics_error_count(diagnostics) == 0) failed = !hash_study(s);
    if (failed) fnd_diagnostics_note_memory(diagnostics);
    if (fnd_diagnostics_deliver(diagnostics, error) == FENDER_STATUS_OK) return s;
    fender_study_destroy(s);
    return NULL;
}

void fender_study_destroy(fender_study *study)
{
    if (!study) return;
    fender_allocator a = study->env.allocator;
    fender_scenario_destroy(study->scenario);
    fnd_geometry_cache_destroy(study->cache);
    fnd_arena_close(&study->arena);
    a.release(a.ctx, study, sizeof *study);
}

const char *fender_study_title(const fender_study *study) { return study->title; }
int fender_study_outcome_count(const fender_study *study) { return study->outcome_count; }
const char *fender_study_outcome_name(const fender_study *study, int index)
{
    return index >= 0 && index < study->outcome_count ? study->outcomes[index].id.name : "";
}
int64_t fender_study_run_count(const fender_study *study) { return study->runs; }
uint64_t fender_study_hash(const fender_study *study) { return study->hash; }
