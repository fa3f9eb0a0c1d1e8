/* summary.json read back: what it tells of an action. JSON is YAML, so the reader of scenarios reads it. */
#include "run/account.h"

#include "run/directory.h"
#include "scenario/tree.h"
#include "support/io_error.h"
#include "support/memory.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct whole {
    fnd_run_account account;
    fender_env env;
    fnd_arena arena;
} whole;

void fnd_account_destroy(fnd_run_account *account)
{
    if (!account) return;
    whole *w = (whole *)(void *)account;
    fender_allocator a = w->env.allocator;
    fnd_arena_close(&w->arena);
    a.release(a.ctx, w, sizeof *w);
}

static double number_of(const fnd_node *map, const char *key)
{
    const fnd_node *node = fnd_node_find(map, key);
    double value;
    size_t used;
    return node && fnd_number_parse(node->text, strlen(node->text), &value, &used) ? value : NAN;
}

static const char *text_of(const fnd_node *map, const char *key)
{
    const fnd_node *node = fnd_node_find(map, key);
    return node ? node->text : "";
}

static bool flag_of(const fnd_node *map, const char *key) { return strcmp(text_of(map, key), "true") == 0; }

static const char *const *texts_of(fnd_reader *reader, const fnd_node *map, const char *key, int *count)
{
    const fnd_node *list = fnd_node_find(map, key);
    *count = 0;
    const char **texts = fnd_keep(reader, list ? (size_t)list->count : 0, sizeof *texts);
    if (!texts) return NULL;
    for (const fnd_node *node = list ? list->first : NULL; node; node = node->next) texts[(*count)++] = node->text;
    return texts;
}

static void fill(fnd_reader *reader, const fnd_node *from, fnd_run_account *to)
{
    const fnd_node *times = fnd_node_find(from, "carried_out"), *parts = fnd_node_find(from, "conditions");
    double *list = fnd_keep(reader, times ? (size_t)times->count : 0, sizeof *list);
    fnd_account_part *part = fnd_keep(reader, parts ? (size_t)parts->count : 0, sizeof *part);
    to->by = texts_of(reader, from, "by", &to->by_count);
    if (!list || !part || !to->by) return;
    to->times = list;
    to->parts = part;
    to->delay = number_of(from, "delay");
    if (isnan(to->delay)) to->delay = 0;
    to->first_time = number_of(from, "first_time");
    size_t used;
    for (const fnd_node *node = times ? times->first : NULL; node; node = node->next)
        if (fnd_number_parse(node->text, strlen(node->text), &list[to->time_count], &used)) to->time_count++;
    for (const fnd_node *node = parts ? parts->first : NULL; node; node = node->next, part++) {
        double missing = number_of(node, "missing");
        *part = (fnd_account_part){.text = text_of(node, "text"),
                                   .unit = text_of(node, "unit"),
                                   .limit = number_of(node, "limit"),
                                   .nearest = number_of(node, "nearest"),
                                   .time = number_of(node, "time"),
                                   .held = flag_of(node, "held"),
                                   .held_at_all = flag_of(node, "held_at_all"),
                                   .missing = missing >= 0 && missing <= 64 ? (int)missing : 0};
        part->others = texts_of(reader, node, "while", &part->other_count);
        if (!part->others) return;
        to->part_count++;
    }
}

static fender_status find(fnd_reader *reader, const fnd_node *root, const char *directory, const char *action,
                          fnd_run_account *to, fender_error *error)
{
    const fnd_node *actions = fnd_node_find(root, "actions"), *stop = fnd_node_find(root, "stop_when");
    fnd_nearest search = fnd_nearest_begin(action, strlen(action));
    char suggestion[320] = "", message[200];
    size_t length = 0;
    to->end = number_of(root, "end_time");
    if (strcmp(action, "stop_when") == 0 && stop) {
        to->name = "stop_when";
        to->is_stop = true;
        fill(reader, stop, to);
        return FENDER_STATUS_OK;
    }
    for (const fnd_node *node = actions ? actions->first : NULL; node; node = node->next) {
        const char *name = text_of(node, "name");
        fnd_nearest_offer(&search, name);
        if (strcmp(name, action) != 0) continue;
        to->name = name;
        fill(reader, node, to);
        return FENDER_STATUS_OK;
    }
    if (search.best) length = (size_t)snprintf(suggestion, sizeof suggestion, "did you mean '%.64s'?   ", search.best);
    length += (size_t)snprintf(suggestion + length, sizeof suggestion - length,
                               actions && actions->count > 0 ? "actions here:" : "the run has no actions");
    for (const fnd_node *node = actions ? actions->first : NULL; node && length < 240; node = node->next)
        length += (size_t)snprintf(suggestion + length, sizeof suggestion - length, " %.64s", text_of(node, "name"));
    snprintf(message, sizeof message, "the run has no action named '%.64s'", action);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_NAME, .source = directory, .message = message, .found = action,
                       .expected = "an action of its scenario, or stop_when", .suggestion = suggestion);
}

fnd_run_account *fnd_account_read(const fender_env *env, const char *directory, const char *action, fender_error *error)
{
    fender_env own = *env;
    whole *w = own.allocator.allocate(own.allocator.ctx, sizeof *w, _Alignof(max_align_t));
    fnd_diagnostics *diagnostics = w ? fnd_diagnostics_create(&own) : NULL;
    if (!diagnostics) {
        if (w) own.allocator.release(own.allocator.ctx, w, sizeof *w);
        (void)fnd_io_fail_memory(error, "the summary of a run");
        return NULL;
    }
    memset(w, 0, sizeof *w);
    w->env = own;
    w->arena = fnd_arena_open(&own.allocator, 0);
    w->account.first_time = w->account.end = NAN;
    fender_scenario none = {.env = own, .arena = &w->arena};
    fnd_reader reader = {.env = own, .arena = &w->arena, .diagnostics = diagnostics, .scenario = &none};
    size_t length = strlen(directory), size = length + sizeof "/" FND_FILE_SUMMARY;
    char *path = fnd_keep(&reader, size, 1);
    if (path) snprintf(path, size, "%s/%s", directory, FND_FILE_SUMMARY);
    fnd_source *source = path ? fnd_tree_read_file(&reader, path, NULL) : NULL;
    const fnd_node *root = source ? fnd_node_parse(&reader, source) : NULL;
    fender_status status = FENDER_STATUS_OK;
    if (reader.memory_failed || w->arena.failed) fnd_diagnostics_note_memory(diagnostics);
    status = fnd_diagnostics_deliver(diagnostics, error);
    if (status == FENDER_STATUS_OK && root) status = find(&reader, root, directory, action, &w->account, error);
    if (status == FENDER_STATUS_OK && (reader.memory_failed || w->arena.failed))
        status = fnd_io_fail_memory(error, "the summary of a run");
    if (status == FENDER_STATUS_OK && root) return &w->account;
    fnd_account_destroy(&w->account);
    return NULL;
}
