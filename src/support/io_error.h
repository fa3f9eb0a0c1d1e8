/* Filling of fender_error in the io layers: place, what was found, expectation, remedy. */
#ifndef FND_SUPPORT_IO_ERROR_H
#define FND_SUPPORT_IO_ERROR_H

#include <fender/base.h>
#include <stdbool.h>
#include <stddef.h>

/* The parts of an error; NULL parts become "". */
typedef struct fnd_io_error {
    fender_status status;
    const char *source;
    int line, column;
    const char *path, *message, *found, *expected, *suggestion;
} fnd_io_error;

/* Keeps the first failure in *error (NULL is fine), counts the others, returns fault.status. Parts that are too long
 * are cut between two characters. FND_IO_FAIL(error, .status = .., .message = .., ..) */
fender_status fnd_io_fail(fender_error *error, fnd_io_error parts);
#define FND_IO_FAIL(error, ...) fnd_io_fail(error, (fnd_io_error){__VA_ARGS__})
/* MEMORY, naming what the memory was for. */
fender_status fnd_io_fail_memory(fender_error *error, const char *what);

/* Has the environment an allocator? Else ARGUMENT. One that is left out (NULL) is taken care of by who asks. */
bool fnd_io_env_usable(const fender_env *env, fender_error *error);

/* Copies bytes as text for people: control characters and bytes that are not UTF-8 become \xNN, and what does not fit
 * ends in "...". Always terminated; size at least 8. Returns `to`. */
char *fnd_io_excerpt(char *to, size_t size, const char *bytes, size_t length);

/* ---- A failed system call on a file as a fender_error. */

/* FILE, or MEMORY when the system has none: "cannot <what> 'name'", with the system's reason for `number` (an errno)
 * and a remedy. */
fender_status fnd_system_fail(fender_error *error, const char *what, const char *name, int number);

/* ---- "Did you mean": the known name nearest to a misspelt one. */

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
