/* "Did you mean": the known name nearest to a misspelt one. */
#ifndef FND_TEXT_NEAREST_H
#define FND_TEXT_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Distance in half edits: 2 for a character inserted, left out, replaced, or for two neighbours exchanged; 1 for a
 * letter in the wrong case. Names of more than 63 bytes are infinitely far from all but themselves. */
int fnd_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length);
/* The largest distance at which a name still counts as a misspelling of a word of this length. */
int fnd_nearest_limit(size_t length);

/* The search: begin, offer every name in a fixed order, ask. The first of equally near names wins. A name that the word
 * is the beginning of (3 letters or more) counts too, after all misspellings. */
typedef struct fnd_nearest {
    const char *word, *best;
    size_t length;
    int distance;
} fnd_nearest;
fnd_nearest fnd_nearest_begin(const char *word, size_t length);
/* `name` must live until the search is over. True when it is now the best. */
bool fnd_nearest_offer(fnd_nearest *search, const char *name);
/* NULL when nothing is near enough. */
const char *fnd_nearest_of(const char *word, size_t length, const char *const *names, size_t count);

#endif
