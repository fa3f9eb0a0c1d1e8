/* The whole scenario as one tree: includes merged, overrides applied, bodies that are `like` others filled in. */
#ifndef FND_SCENARIO_TREE_H
#define FND_SCENARIO_TREE_H

#include "scenario/value.h"

#define FND_FILE_SIZE_LIMIT     ((size_t)64 << 20)
#define FND_INCLUDE_DEPTH_LIMIT 16

/* Reads a file that `named_at` names (NULL: the caller); the text stays in the arena. NULL after a diagnostic. */
fnd_source *fnd_tree_read_file(fnd_reader *reader, const char *path, const fnd_location *named_at);
/* The same of any bytes: no text that can be shown, so the source has no lines. */
fnd_source *fnd_tree_read_bytes(fnd_reader *reader, const char *path, const fnd_location *named_at);
/* Sets reader->root from the main source and what it includes. False after a diagnostic that makes going on pointless.
 */
bool fnd_tree_load(fnd_reader *reader, fnd_source *main_source);
/* A PCM file as the map of sections that the same text in YAML gives; diagnostics are added, statement by statement.
 * NULL: memory ran out. */
fnd_node *fnd_pcm_parse(fnd_reader *reader, const fnd_source *source);
/* Adds what a PCM file alone lacks to be a scenario that can be checked: its surfaces as materials, its objects as
 * fixed bodies. */
bool fnd_pcm_complete(fnd_reader *reader, const fnd_source *source, fnd_node *root);
/* A tree before any --set, with the texts that it came from. */
typedef struct fnd_tree {
    fnd_source *main, *sources;
    fnd_node *root;
} fnd_tree;
/* The --set arguments, in order; those that set `like` come before copies are made. */
void fnd_tree_override(fnd_reader *reader, const fender_override *overrides, int count, bool like);
/* Fills bodies that are `like` others. A body whose model is missing is marked `unknown`. */
void fnd_tree_expand_like(fnd_reader *reader);
/* The whole tree as the text of a scenario. */
void fnd_tree_print(const fnd_node *root, struct fnd_buffer *to);

#endif
