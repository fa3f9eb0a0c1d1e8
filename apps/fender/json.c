/* Writing of JSON to a stream: objects and arrays by begin and end, commas and escapes by itself. */
#define _POSIX_C_SOURCE 200809L
#include "json.h"

#include <inttypes.h>
#include <string.h>

#include "support/json.h"
#include "support/number.h"

size_t fnd_app_character(const char *text, uint32_t *code)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t length = fnd_utf8_character(text, strnlen(text, 4));
    *code = 0xfffd;
    if (length == 0 || length > 4) return 1;
    *code = (unsigned char)text[0] & first_bits[length];
    for (size_t i = 1; i < length; i++) *code = *code << 6 | ((unsigned char)text[i] & 0x3f);
    return length;
}

void fnd_app_json_open(fnd_app_json *json, fnd_app_stream *stream)
{
    memset(json, 0, sizeof *json);
    json->stream = stream;
}

static void put_string(fnd_app_stream *stream, const char *text)
{
    fnd_app_put(stream, "\"");
    while (*text) {
        uint32_t code;
        size_t length = fnd_app_character(text, &code);
        if (code == '"' || code == '\\') {
            fnd_app_print(stream, "\\%c", (int)code);
        } else if (code == '\n') {
            fnd_app_put(stream, "\\n");
        } else if (code == '\t') {
            fnd_app_put(stream, "\\t");
        } else if (code < 0x20 || code == 0x7f || code == 0xfffd) {
            fnd_app_print(stream, "\\u%04" PRIx32, code);
        } else {
            fnd_app_put_bytes(stream, text, length);
        }
        text += length;
    }
    fnd_app_put(stream, "\"");
}

static void put_key(fnd_app_json *json, const char *key)
{
    if (json->depth > 0) {
        if (json->started[json->depth - 1]) fnd_app_put(json->stream, ", ");
        json->started[json->depth - 1] = true;
    }
    if (key != NULL) {
        put_string(json->stream, key);
        fnd_app_put(json->stream, ": ");
    }
}

static void begin(fnd_app_json *json, const char *key, const char *opening, char closing)
{
    put_key(json, key);
    fnd_app_put(json->stream, opening);
    if (json->depth < FND_APP_JSON_DEPTH) {
        json->started[json->depth] = false;
        json->closing[json->depth++] = closing;
    }
}

void fnd_app_json_object(fnd_app_json *json, const char *key) { begin(json, key, "{", '}'); }

void fnd_app_json_array(fnd_app_json *json, const char *key) { begin(json, key, "[", ']'); }

void fnd_app_json_end(fnd_app_json *json)
{
    if (json->depth == 0) return;
    json->depth--;
    fnd_app_put_bytes(json->stream, &json->closing[json->depth], 1);
    if (json->depth == 0) fnd_app_put(json->stream, "\n");
}

void fnd_app_json_text(fnd_app_json *json, const char *key, const char *value)
{
    put_key(json, key);
    if (value == NULL) {
        fnd_app_put(json->stream, "null");
    } else {
        put_string(json->stream, value);
    }
}

void fnd_app_json_number(fnd_app_json *json, const char *key, double value)
{
    put_key(json, key);
    if (isfinite(value)) {
        char text[FND_NUMBER_SIZE];
        fnd_number_format(value, text, sizeof text);
        fnd_app_put(json->stream, text);
    } else {
        fnd_app_put(json->stream, "null");
    }
}

void fnd_app_json_integer(fnd_app_json *json, const char *key, int64_t value)
{
    put_key(json, key);
    fnd_app_print(json->stream, "%" PRId64, value);
}

void fnd_app_json_bool(fnd_app_json *json, const char *key, bool value)
{
    put_key(json, key);
    fnd_app_put(json->stream, value ? "true" : "false");
}

void fnd_app_json_vector(fnd_app_json *json, const char *key, fender_vec3 value)
{
    fnd_app_json_array(json, key);
    fnd_app_json_number(json, NULL, value.x);
    fnd_app_json_number(json, NULL, value.y);
    fnd_app_json_number(json, NULL, value.z);
    fnd_app_json_end(json);
}
