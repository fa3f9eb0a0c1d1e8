/* Output of the program: a buffered stream that remembers its first failure, numbers and texts for people, JSON. */
#ifndef FND_FENDER_OUTPUT_H
#define FND_FENDER_OUTPUT_H

#include <fender/spatial.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fnd_app_stream {
    int descriptor;
    int failure; /* errno of the first write that failed; 0: none */
    size_t used;
    char buffer[4096];
} fnd_app_stream;

#if defined(__GNUC__)
#define FND_APP_FORMAT(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define FND_APP_FORMAT(text, first)
#endif

void fnd_app_stream_open(fnd_app_stream *stream, int descriptor);
void fnd_app_put_bytes(fnd_app_stream *stream, const char *bytes, size_t length);
void fnd_app_put(fnd_app_stream *stream, const char *text);
/* Text from a file or a command line: control characters, which a terminal might obey, become '?'. */
void fnd_app_put_clean(fnd_app_stream *stream, const char *text);
/* Each call may produce at most 1,023 bytes; longer text goes through fnd_app_put. */
void fnd_app_print(fnd_app_stream *stream, const char *format, ...) FND_APP_FORMAT(2, 3);
/* Pads with spaces after a text of `written` columns until `width`; at least one space when `written` reaches it. */
void fnd_app_put_padding(fnd_app_stream *stream, size_t written, size_t width);
/* False when anything failed so far. */
bool fnd_app_stream_flush(fnd_app_stream *stream);

/* Room for one number or quantity in text. */
#define FND_APP_NUMBER_SIZE 64
/* Six significant digits; "0" for zero of either sign. Returns `text`. */
const char *fnd_app_number(char text[FND_APP_NUMBER_SIZE], double value);
/* The number and its unit: "750.831 N"; the unit "1" is not shown. */
const char *fnd_app_quantity(char text[FND_APP_NUMBER_SIZE], double value, const char *unit);
/* `decimals` digits after the point, as "5.38" or, scientific, as "-1.0e-03"; a point in every locale. */
const char *fnd_app_fixed(char text[FND_APP_NUMBER_SIZE], double value, int decimals);
const char *fnd_app_scientific(char text[FND_APP_NUMBER_SIZE], double value, int decimals);
/* Seconds with the prefix that reads best: "10 ms", "2.5 us", "120 s". */
const char *fnd_app_duration(char text[FND_APP_NUMBER_SIZE], double seconds);
/* The same in one word, as a command line takes it: "10ms". */
const char *fnd_app_duration_word(char text[FND_APP_NUMBER_SIZE], double seconds);
/* Decimals that a multiple of the step needs, 0 to 9. */
int fnd_app_step_decimals(double step);
/* "[1, 2, 3]". Returns `text`, which must have room for three numbers. */
const char *fnd_app_vector(char text[3 * FND_APP_NUMBER_SIZE], fender_vec3 value);
/* Ends in s unless count is 1: "1 pair", "3 pairs". */
const char *fnd_app_plural(long long count, const char *one, const char *many);

/* ---- Writing of JSON to a stream: objects and arrays by begin and end, commas and escapes by itself. */

#define FND_APP_JSON_DEPTH 16
typedef struct fnd_app_json {
    fnd_app_stream *stream;
    int depth;
    bool started[FND_APP_JSON_DEPTH]; /* something was written at that depth */
    char closing[FND_APP_JSON_DEPTH];
} fnd_app_json;

void fnd_app_json_open(fnd_app_json *json, fnd_app_stream *stream);
/* `key` is NULL inside an array and for the outermost value. */
void fnd_app_json_object(fnd_app_json *json, const char *key);
void fnd_app_json_array(fnd_app_json *json, const char *key);
/* Ends the innermost object or array; a newline follows the outermost. */
void fnd_app_json_end(fnd_app_json *json);
/* Bytes that are not UTF-8 become U+FFFD. NULL gives null. */
void fnd_app_json_text(fnd_app_json *json, const char *key, const char *value);
/* Reads back to the same bits; null when not finite. */
void fnd_app_json_number(fnd_app_json *json, const char *key, double value);
void fnd_app_json_integer(fnd_app_json *json, const char *key, int64_t value);
void fnd_app_json_bool(fnd_app_json *json, const char *key, bool value);
void fnd_app_json_vector(fnd_app_json *json, const char *key, fender_vec3 value);

/* Decodes the character at `text` (terminated by NUL) into *code and returns its length in bytes; 1 and U+FFFD for a
 * byte that is not part of well-formed UTF-8. */
size_t fnd_app_character(const char *text, uint32_t *code);

#endif
