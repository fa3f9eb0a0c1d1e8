/* One text that is read: its name, its lines; libyaml's complaints in our words. */
#ifndef FND_SCENARIO_SOURCE_H
#define FND_SCENARIO_SOURCE_H

#include "scenario/reader.h"
#include <yaml.h>

typedef struct fnd_source fnd_source;
struct fnd_source {
    const char *name;      /* as shown in messages */
    const char *directory; /* that relative paths in it refer to; "" = the working directory */
    const char *text;      /* terminated */
    size_t length;
    size_t start;       /* byte where YAML begins: after "path=" of an override */
    int column_shift;   /* characters before that byte */
    char *lines;        /* the text with a terminator in place of every line break: excerpts point into it */
    size_t *line_start; /* byte where each line begins */
    int line_count;
    fnd_location named_at;        /* the include that led here; line 0: none */
    bool concealed;               /* diagnostics do not show its lines: somebody's file that is no part of a scenario */
    uint64_t device, file_number; /* identity of the file; 0 for text from memory */
    fnd_source *next;
};

/* Takes a terminated text that lives as long as the scenario. Refuses, with a diagnostic, text that is not UTF-8 or
 * that holds control characters: then NULL. */
fnd_source *fnd_source_open(fnd_reader *reader, const char *name, const char *directory, const char *text,
                            size_t length);
/* Bytes that are no text: without lines. */
fnd_source *fnd_source_open_bytes(fnd_reader *reader, const char *name, const char *directory, const char *bytes,
                                  size_t length);
/* An override, shown as "--set" with PATH=VALUE as its one line. */
fnd_source *fnd_source_open_override(fnd_reader *reader, const char *path, const char *value);
/* Line and column count from 1, length in characters and at least 1; cut at the end of the line. */
fnd_location fnd_source_location(const fnd_source *source, int line, int column, int length);
/* The source that a place lies in. */
const fnd_source *fnd_source_of(const fnd_reader *reader, const fnd_location *location);
/* `path` as it is opened when the source names it: relative to the source's directory. */
char *fnd_source_resolve(fnd_reader *reader, const fnd_source *source, const char *path);
/* The directory part of a path with its slash; "" when there is none. */
char *fnd_directory_of(fnd_reader *reader, const char *path);

/* ---- Complaints of libyaml ---- */

/* Adds the diagnostic for a parser that has stopped with an error. */
void fnd_syntax_report(fnd_reader *reader, const fnd_source *source, const yaml_parser_t *parser);

#endif
