/* The finder of channels: a path taken apart, the names and numbers of one object. Inside channel_find alone. */
#ifndef FND_RECORD_FINDER_H
#define FND_RECORD_FINDER_H

#include "record/channel.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct fnd_word {
    const char *text;
    size_t length;
} fnd_word;

enum { FND_PATH_WORDS = 10 };
typedef struct fnd_channel_path {
    const char *pattern;
    fnd_word words[FND_PATH_WORDS];
    int count;
    int colon; /* index of the word that follows the colon; 0: there is none */
    int at;    /* the same of '@' */
} fnd_channel_path;

bool fnd_word_is(fnd_word word, const char *text);
static inline bool fnd_word_is_any(fnd_word word) { return word.length == 1 && word.text[0] == '*'; }
/* `*` fits every name. */
bool fnd_word_fits(fnd_word word, const char *name);

enum { CHOICE_LIMIT = 64 };

typedef struct fnd_finder {
    const fender_world *world;
    const fnd_event_names *emitted; /* NULL: none */
    fnd_channel_path path;
    fender_channel *channels;
    int capacity, count;
    fender_error *error;
} fnd_finder;

/* Names in one text, cut at a whole name. */
typedef struct fnd_name_list {
    char text[232];
    size_t used;
    bool cut;
} fnd_name_list;
void fnd_name_list_add(fnd_name_list *list, const char *name);

/* "no body is named 'veh3'": what is unknown, the names that there are, the nearest of them. */
fender_status fnd_finder_fail_unknown(const fnd_finder *f, const char *what, fnd_word word, const char *nearest,
                                      const fnd_name_list *names);
fender_status fnd_finder_fail(const fnd_finder *f, const char *message, const char *expected, const char *suggestion);

typedef struct fnd_choice {
    const char *name;
    const fender_field *field;
} fnd_choice;

typedef struct fnd_target {
    const char *prefix; /* "bodies.veh1" */
    int source;
    uint64_t a, b;
    int first_component;
} fnd_target;

/* The fields of a table, CHOICE_LIMIT at the most; returns how many. */
int fnd_choices_of_table(const fender_field_table *table, fnd_choice choices[CHOICE_LIMIT]);
/* Words `first` and, when there is one, the next: a field and its component. */
fender_status fnd_finder_emit_choices(fnd_finder *f, const fnd_target *t, const fnd_choice *choices, int count,
                                      int first, const char *what);

/* Some body has this name; else the error says which there are. */
fender_status fnd_finder_check_body(const fnd_finder *f, fnd_word word);

/* channel_find_relative.c: sections and paths in which one thing is seen from another, A@B. */
fender_status fnd_find_points(fnd_finder *f);
fender_status fnd_find_shapes(fnd_finder *f);
/* bodies.BODY@BODY.FIELD */
fender_status fnd_find_between_bodies(fnd_finder *f);

#endif
