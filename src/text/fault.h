/* Filling of fender_error in the io layers: place, finding, expectation, remedy. */
#ifndef FND_TEXT_FAULT_H
#define FND_TEXT_FAULT_H

#include <fender/base.h>

/* The parts of an error; NULL parts become "". */
typedef struct fnd_io_fault {
    fender_status status;
    const char *source;
    int line, column;
    const char *path, *message, *found, *expected, *suggestion;
} fnd_io_fault;

/* Keeps the first failure in *error (NULL is fine), counts the others, returns fault.status. Parts that are too long
 * are cut between two characters. */
fender_status fnd_io_fail(fender_error *error, fnd_io_fault fault);
/* MEMORY, naming what the memory was for. */
fender_status fnd_io_fail_memory(fender_error *error, const char *what);

/* Has the environment an allocator? Else ARGUMENT. One that is left out (NULL) is taken care of by who asks. */
bool fnd_io_env_usable(const fender_env *env, fender_error *error);

/* Copies bytes as text for people: control characters and bytes that are not UTF-8 become \xNN, and what does not fit
 * ends in "...". Always terminated; size at least 8. Returns `to`. */
char *fnd_io_excerpt(char *to, size_t size, const char *bytes, size_t length);

#endif
