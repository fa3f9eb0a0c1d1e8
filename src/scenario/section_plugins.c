/* Section `plugins`: shared libraries with laws. What a run keeps of one is where it was and the hash of its bytes: a
 * run that is resumed or replayed needs the same one. */
#include <stdio.h>
#include <string.h>

#include "plugin/load.h"
#include "scenario/bundle.h"
#include "scenario/section.h"

/* "fender-plugin 1 <16 digits> <bytes> <path>\n": what stands for its bytes among the texts of the scenario. */
static const char mark[] = "fender-plugin 1 ";

static char *note_of(fnd_reader *reader, const fnd_plugin_file *file, size_t *length)
{
    size_t room = sizeof mark + strlen(file->path) + 48;
    char *note = fnd_keep(reader, room, 1);
    if (!note) return NULL;
    *length = (size_t)snprintf(note, room, "%s%016llx %llu %s\n", mark, (unsigned long long)file->hash,
                               (unsigned long long)file->size, file->path);
    return note;
}

/* The path at the end of a note; NULL: it is none. */
static char *path_of_note(fnd_reader *reader, const fnd_scenario_text *note)
{
    const char *at = note->text;
    size_t left = note->length;
    if (left < sizeof mark || memcmp(at, mark, sizeof mark - 1) != 0 || at[left - 1] != '\n') return NULL;
    for (int blanks = 0; blanks < 4 && left > 0; at++, left--) blanks += *at == ' ';
    return left > 1 ? fnd_keep_text(reader, at, left - 1) : NULL;
}

static void tell(fnd_reader *reader, const fnd_node *node, const fender_error *error)
{
    if (error->status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
    else fnd_finding_add_error(reader->findings, error, &node->place);
}

/* The file where it was when the run began, and unchanged. */
static bool find_noted(fnd_reader *reader, const fnd_node *node, const char *path, fnd_plugin_file *file)
{
    const fnd_scenario_text *note = fnd_bundle_find(reader->bundle, path);
    char *noted = note ? path_of_note(reader, note) : NULL;
    fnd_phrase name = fnd_shown(path);
    fender_error error = {0};
    if (!noted) {
        fnd_complain(reader, &node->place, FENDER_STATUS_FILE,
                     fnd_phrase_make("the run has kept no note of the plug-in '%s'", name.text).text, name.text,
                     "the plug-ins of the scenario as they were", "start again from the scenario");
        return false;
    }
    if (fnd_plugin_find(noted, file, &error) != FENDER_STATUS_OK) {
        tell(reader, node, &error);
        return false;
    }
    size_t length = 0;
    const char *now = note_of(reader, file, &length);
    if (now && length == note->length && memcmp(now, note->text, length) == 0) return true;
    fnd_complain(reader, &node->place, FENDER_STATUS_FILE,
                 fnd_phrase_make("the plug-in '%s' is another one than when the run began", name.text).text,
                 "other bytes", "the same bytes: what the run has computed depends on them",
                 "put back the library of then, or start again from the scenario");
    return false;
}

static bool find(fnd_reader *reader, const fnd_node *node, const char *path, fnd_plugin_file *file)
{
    fender_error error = {0};
    if (reader->bundle) return find_noted(reader, node, path, file);
    if (fnd_plugin_find(path, file, &error) == FENDER_STATUS_OK) return true;
    tell(reader, node, &error);
    return false;
}

/* One library; `loaded` holds the paths of those before it. */
static void read_plugin(fnd_reader *reader, const fnd_node *node, const char **loaded, int *count)
{
    fnd_plugin_file file;
    fender_error error = {0};
    const char *name = NULL;
    size_t length = 0;
    if (!fnd_read_text(reader, node, "plugins", &name)) return;
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, &node->place), name);
    if (!path || !find(reader, node, path, &file)) return;
    char *note = note_of(reader, &file, &length), *real = fnd_keep_text(reader, file.path, strlen(file.path));
    if (!note || !real || !fnd_source_open_bytes(reader, path, fnd_directory_of(reader, path), note, length)) return;
    for (int i = 0; i < *count; i++)
        if (strcmp(loaded[i], real) == 0) return; /* two files may need the same one */
    loaded[(*count)++] = real;
    if (fnd_plugin_load(reader->scenario->registry, &file, &error) != FENDER_STATUS_OK) tell(reader, node, &error);
}

void fnd_read_plugins(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    if (!section || !fnd_expect_list(reader, section, "plugins")) return;
    const char **loaded = fnd_keep(reader, (size_t)section->count, sizeof(const char *));
    fender_registry *own = loaded ? fender_registry_extend(&reader->env, scenario->registry, NULL) : NULL;
    if (!own) {
        reader->memory_failed = true;
        return;
    }
    fender_registry_destroy(scenario->registry);
    scenario->registry = own;
    scenario->world.registry = own;
    int count = 0;
    for (const fnd_node *node = section->first; node; node = node->next) read_plugin(reader, node, loaded, &count);
}
