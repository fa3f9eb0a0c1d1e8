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

/* Most rows of the table: callers keep a bit for each. */
#define FND_RENAMED_CAPACITY 64

/* The row of a name that is out of use; NULL when there is none. Ask only for names that are otherwise unknown: an
 * action may emit an event that has the former name of another. */
const fnd_renamed *fnd_renamed_find(fnd_renamed_kind kind, const char *name);
/* Number of the row in the table, 0 to FND_RENAMED_CAPACITY - 1. */
int fnd_renamed_number(const fnd_renamed *row);
/* The present name of a channel: that of the row, then what follows in `name`. False when it does not fit. */
bool fnd_renamed_channel(const fnd_renamed *row, const char *name, char *to, size_t size);

#endif
