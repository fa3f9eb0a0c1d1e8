/* Shared by the readers of a scenario: memory, diagnostics and their wording. */
#ifndef FND_SCENARIO_READER_H
#define FND_SCENARIO_READER_H

#include <stdarg.h>

#include "scenario/diagnose.h"
#include "scenario/scenario.h"

struct fnd_source;
struct fnd_node;
struct fnd_bundle;
struct fnd_renamed;
struct fnd_parameter_set;

typedef struct fnd_reader {
    fender_env env;
    struct fnd_arena *arena;
    fnd_diagnostics *diagnostics;
    fender_scenario *scenario;
    const struct fnd_bundle *bundle;         /* that holds all files; NULL: they are on the disk */
    struct fnd_geometry_cache *cache;        /* of geometries that other scenarios read, too; NULL: none */
    struct fnd_buffer *printed;              /* gets the whole tree as YAML; NULL: nothing does */
    struct fnd_source *sources;              /* every text that was opened, newest first */
    struct fnd_node *root;                   /* of the whole scenario: included, overridden, copied */
    struct fnd_sizing_spec *sizing_specs;    /* parameters that wait to be derived */
    struct fnd_parameter_set *parameter_set; /* NULL: `parameters` has not been read */
    bool *shapes_failed;    /* by body: a shape had diagnostics, so that a missing one needs no second */
    bool *points_failed;    /* likewise a point */
    int node_count;         /* of all texts and copies together */
    uint64_t renamed_noted; /* a bit for each row of text/renamed.h that has been pointed out */
    bool only_rules;        /* a PCM file alone: it need not name a body */
    bool keep_tree;         /* the tree as it was read goes to scenario->tree */
    bool memory_failed;
} fnd_reader;

/* Cleared memory of the scenario's arena; NULL notes that memory ran out. `count` 0 gives a pointer not to be read. */
void *fnd_keep(fnd_reader *reader, size_t count, size_t size);
/* A terminated copy. */
char *fnd_keep_text(fnd_reader *reader, const char *text, size_t length);

/* A short text made by printf's rules; too long a one is cut between characters. Use %s and %d alone: numbers go
 * through fnd_digits. */
typedef struct fnd_phrase {
    char text[320];
} fnd_phrase;
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
fnd_phrase
fnd_phrase_make(const char *format, ...);
/* A number with its unit, in the fewest digits that read back the same; no unit for "1" and "". */
fnd_phrase fnd_digits(double value, const char *unit);
/* Text from a file as it is shown inside a message: one line, at most 60 characters. */
fnd_phrase fnd_shown(const char *text);

/* An error at a place. */
void fnd_complain(fnd_reader *reader, const fnd_location *location, fender_status status, const char *message,
                  const char *found, const char *expected, const char *suggestion);

/* Points out, once for each row, that a name of an earlier version was read as its present one. */
void fnd_note_renamed(fnd_reader *reader, const fnd_location *location, const struct fnd_renamed *row);

/* A name that exists, for "did you mean" and for lists of what there is. */
typedef struct fnd_known_name {
    const char *name;
    int line; /* 0: not shown */
} fnd_known_name;
/* "did you mean 'steel' (line 4)?   materials here: steel (line 4), soil (line 5)"; "there are no materials" */
fnd_phrase fnd_suggest(fnd_reader *reader, const char *name, const char *plural, const fnd_known_name *candidates,
                       int count);

#endif
