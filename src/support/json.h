/* JSON written into a buffer; the structure of a JSON text checked; UTF-8. */
#ifndef FND_SUPPORT_JSON_H
#define FND_SUPPORT_JSON_H

#include <fender/field.h>
#include <fender/spatial.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/memory.h"

/* A quoted string. Control characters are escaped, bytes that are not UTF-8 become U+FFFD, and "</" and "<!" are
 * written so that the text may stand inside a script element of an HTML page. */
bool fnd_json_text(fnd_buffer *buffer, const char *text);
bool fnd_json_bytes(fnd_buffer *buffer, const char *text, size_t length);
/* The shortest number that reads back to the same bits; null for inf and nan, which JSON cannot say. */
bool fnd_json_number(fnd_buffer *buffer, double value);
/* The comma before a value, unless it is the first of its list or object. */
static inline bool fnd_json_comma(fnd_buffer *buffer)
{
    const char last = buffer->length > 0 ? buffer->text[buffer->length - 1] : '[';
    return last == '[' || last == '{' ? !buffer->failed : fnd_buffer_append_char(buffer, ',');
}
/* "name":, and the comma before it. */
bool fnd_json_key(fnd_buffer *buffer, const char *name);
/* A list '[' or an object '{'; `key` is NULL in a list. Its end is a bracket. */
bool fnd_json_begin(fnd_buffer *buffer, const char *key, char bracket);
/* An object of a list, on a line of its own. */
bool fnd_json_begin_row(fnd_buffer *buffer);
bool fnd_json_put_text(fnd_buffer *buffer, const char *key, const char *text); /* NULL: "" */
bool fnd_json_put_number(fnd_buffer *buffer, const char *key, double value);
bool fnd_json_put_integer(fnd_buffer *buffer, const char *key, int64_t value);
bool fnd_json_put_bool(fnd_buffer *buffer, const char *key, bool value);
bool fnd_json_put_numbers(fnd_buffer *buffer, const char *key, const double *values, int count);
bool fnd_json_put_vector(fnd_buffer *buffer, const char *key, fender_vec3 value);
/* The member of an object that a field describes: a number, a list, a word of an enum; null for no limit. */
bool fnd_json_put_field(fnd_buffer *buffer, const char *key, const fender_field *field, const void *object);

/* ---- Is a text one whole JSON object, and what does it say of its format? */

typedef struct fnd_json_check {
    bool whole;      /* one object with nothing behind it, strings and brackets closed */
    size_t problem;  /* byte at which it goes wrong */
    char format[32]; /* of its member "format"; "" when there is none */
    long version;    /* of its member "version"; -1 when there is none */
} fnd_json_check;

/* Structure only: brackets, strings, words and numbers in their places; what they mean is for the page. */
fnd_json_check fnd_json_check_object(const char *text, size_t length);

/* ---- UTF-8: validity and counting of characters. */

/* Bytes of the character at the start of text (1 to 4), 0 when there is none: empty, cut off, overlong, a surrogate, or
 * beyond U+10FFFF. */
size_t fnd_utf8_character(const char *text, size_t length);
/* Characters in text; a byte that belongs to none counts as one. */
size_t fnd_utf8_count(const char *text, size_t length);
/* The largest part of the first `limit` bytes of text that ends between characters. */
size_t fnd_utf8_fit(const char *text, size_t length, size_t limit);

#endif
