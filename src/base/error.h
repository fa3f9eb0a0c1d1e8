/* Filling of fender_error: one call says place, what was found, expectation and remedy. */
#ifndef FND_BASE_ERROR_H
#define FND_BASE_ERROR_H

#include <fender/base.h>

/* Text for a number, the same in every locale: the shortest of 6, 15 or 17 digits that reads back the same. */
typedef struct fnd_number_text {
    char text[32];
} fnd_number_text;
fnd_number_text fnd_number(double value);

/* Keeps the first failure in *error (NULL is fine), counts the others, returns `status`. A text that is NULL becomes
 * "". */
fender_status fnd_fail(fender_error *error, fender_status status, const char *path, const char *message,
                       const char *found, const char *expected, const char *suggestion);
/* MEMORY, naming what the memory was for. */
fender_status fnd_fail_memory(fender_error *error, const char *what);
/* Puts `prefix` before error->path ("shapes.hull" + "radius" -> "shapes.hull.radius"). */
void fnd_error_prefix(fender_error *error, const char *prefix);

#endif
