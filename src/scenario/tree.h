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
/* Those --set arguments, in order, that set `parameters`, that set `like`, or the rest: parameters come before
 * expressions are computed, `like` before copies are made. */
typedef enum fnd_override_phase { FND_OVERRIDE_PARAMETERS, FND_OVERRIDE_LIKE, FND_OVERRIDE_REST } fnd_override_phase;
void fnd_tree_override(fnd_reader *reader, const fender_override *overrides, int count, fnd_override_phase phase);
/* The unit at the end of a list moves to its elements, except to those that have their own. False: no memory. */
bool fnd_tree_distribute_unit(fnd_reader *reader, fnd_node *list);
/* Fills bodies, links, loads, actions and records that are `like` others. A body whose model is missing is marked
 * `unknown`; other things are taken out. May be repeated when things were added. */
void fnd_tree_expand_like(fnd_reader *reader);
/* Writes out links and loads with a `pattern`. */
void fnd_tree_expand_patterns(fnd_reader *reader);
/* The whole tree as the text of a scenario. */
void fnd_tree_print(const fnd_node *root, struct fnd_buffer *to);
/* A value in one line. */
void fnd_tree_print_value(const fnd_node *node, struct fnd_buffer *to);

/* ---- parameters */

/* Computes the section `parameters` and puts its values in place of `$name` and of expressions in all other sections.
 * After a diagnostic the text stays as it is, and nothing more is said about its line. */
void fnd_parameters_resolve(fnd_reader *reader);
/* The same in a value that is set later. */
bool fnd_parameters_substitute(fnd_reader *reader, fnd_node *node);
/* Lists the parameters in the scenario, and warns of those that nothing uses. */
void fnd_parameters_finish(fnd_reader *reader);
/* Their values as comments of YAML. */
void fnd_parameters_print(const fnd_reader *reader, struct fnd_buffer *to);

#endif
