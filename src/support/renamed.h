/* Names of earlier versions and their present ones, so that scenarios and recordings of those versions stay readable.
 */
#ifndef FND_TEXT_RENAMED_H
#define FND_TEXT_RENAMED_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fnd_renamed_kind {
    FND_RENAMED_KEY,    /* key of a scenario */
    FND_RENAMED_EVENT,  /* name of an event */
    FND_RENAMED_CHANNEL /* path of a channel, or its beginning up to a '.' */
} fnd_renamed_kind;

typedef struct fnd_renamed {
    fnd_renamed_kind kind;
    const char *before, *now;
} fnd_renamed;

/* Largest number of rows of the table: callers keep one bit per row. */
#define FND_RENAMED_CAPACITY 64

/* The row of a former name; NULL if there is none. Look up only names that are otherwise unknown, because an action may
 * emit an event with the former name of another event. */
const fnd_renamed *fnd_renamed_find(fnd_renamed_kind kind, const char *name);
/* The row whose present name this is; NULL if the name never changed. */
const fnd_renamed *fnd_renamed_find_present(fnd_renamed_kind kind, const char *name);
/* Number of the row in the table, 0 to FND_RENAMED_CAPACITY - 1. */
int fnd_renamed_number(const fnd_renamed *row);
/* Writes the present name of a channel: that of the row and the rest of `name`. False if it exceeds `size`. */
bool fnd_renamed_channel(const fnd_renamed *row, const char *name, char *to, size_t size);

#endif
