/* Paths of channels taken apart: "contacts.veh1.hull:veh2.hull.force.x" into its words. */
#ifndef FND_RECORD_CHANNEL_PATH_H
#define FND_RECORD_CHANNEL_PATH_H

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
} fnd_channel_path;

/* False when the text has an empty word, too many words, or more than one colon. */
bool fnd_channel_path_split(const char *pattern, fnd_channel_path *path);
bool fnd_word_is(fnd_word word, const char *text);
static inline bool fnd_word_is_any(fnd_word word) { return word.length == 1 && word.text[0] == '*'; }
/* `*` fits every name. */
bool fnd_word_fits(fnd_word word, const char *name);

#endif
