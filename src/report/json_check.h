/* Is a text one whole JSON object, and what does it say of its format? */
#ifndef FND_REPORT_JSON_CHECK_H
#define FND_REPORT_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fnd_json_check {
    bool whole;      /* one object with nothing behind it, strings and brackets closed */
    size_t fault;    /* byte at which it goes wrong */
    char format[32]; /* of its member "format"; "" when there is none */
    long version;    /* of its member "version"; -1 when there is none */
} fnd_json_check;

/* Structure only: brackets, strings, words and numbers in their places; what they mean is for the page. */
fnd_json_check fnd_json_check_object(const char *text, size_t length);

#endif
