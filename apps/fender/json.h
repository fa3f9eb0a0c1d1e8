/* Writing of JSON to a stream: objects and arrays by begin and end, commas and escapes by itself. */
#ifndef FND_APP_JSON_H
#define FND_APP_JSON_H

#include <stdint.h>

#include "stream.h"

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
