/* JSON written into a buffer, the structure of a JSON text checked, and the UTF-8 beneath. */
#include "support/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t fnd_utf8_character(const char *text, size_t length)
{
    if (length == 0) return 0;
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0];
    if (first < 0x80) return 1;
    size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length < size) return 0;
    for (size_t i = 1; i < size; i++)
        if ((bytes[i] & 0xC0) != 0x80) return 0;
    if (first == 0xE0 && bytes[1] < 0xA0) return 0;
    if (first == 0xED && bytes[1] > 0x9F) return 0;
    if (first == 0xF0 && bytes[1] < 0x90) return 0;
    if (first == 0xF4 && bytes[1] > 0x8F) return 0;
    return size;
}

size_t fnd_utf8_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; count++) {
        size_t size = (unsigned char)text[at] < 0x80 ? 1 : fnd_utf8_character(text + at, length - at);
        at += size > 0 ? size : 1;
    }
    return count;
}

size_t fnd_utf8_fit(const char *text, size_t length, size_t limit)
{
    if (length <= limit) return length;
    size_t at = 0;
    for (;;) {
        size_t size = fnd_utf8_character(text + at, length - at);
        if (size == 0) size = 1;
        if (at + size > limit) return at;
        at += size;
    }
}

/* ---- JSON written into a buffer: strings and numbers. */

/* The escape of one character, "" when it stands for itself. */
static void escape(char to[8], const char *at, size_t size, size_t left)
{
    unsigned char c = (unsigned char)at[0];
    to[0] = '\0';
    if (size == 0) memcpy(to, "\\ufffd", 7);
    else if (size == 3 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 || memcmp(at, "\xE2\x80\xA9", 3) == 0))
        snprintf(to, 8, "\\u202%c", at[2] == '\xA8' ? '8' : '9');
    else if (c == '"' || c == '\\') snprintf(to, 8, "\\%c", c);
    else if (c == '\n') memcpy(to, "\\n", 3);
    else if (c == '\t') memcpy(to, "\\t", 3);
    else if (c == '\r') memcpy(to, "\\r", 3);
    else if (c < 0x20 || c == 0x7F || (c == '<' && left > 1 && (at[1] == '/' || at[1] == '!')))
        snprintf(to, 8, "\\u%04x", c);
}

bool fnd_json_bytes(fnd_buffer *buffer, const char *text, size_t length)
{
    assert(text || length == 0);
    fnd_buffer_append_char(buffer, '"');
    size_t plain = 0; /* start of what has not been written yet */
    for (size_t at = 0; at < length;) {
        char escaped[8];
        size_t size = fnd_utf8_character(text + at, length - at);
        escape(escaped, text + at, size, length - at);
        if (escaped[0]) {
            fnd_buffer_append(buffer, text + plain, at - plain);
            fnd_buffer_append_text(buffer, escaped);
            plain = at + (size > 0 ? size : 1);
        }
        at += size > 0 ? size : 1;
    }
    fnd_buffer_append(buffer, text + plain, length - plain);
    return fnd_buffer_append_char(buffer, '"');
}

bool fnd_json_text(fnd_buffer *buffer, const char *text) { return fnd_json_bytes(buffer, text, strlen(text)); }

bool fnd_json_number(fnd_buffer *buffer, double value)
{
    return isfinite(value) ? fnd_buffer_append_number(buffer, value) : fnd_buffer_append_text(buffer, "null");
}

bool fnd_json_key(fnd_buffer *buffer, const char *name)
{
    assert(name);
    return fnd_json_comma(buffer) && fnd_json_text(buffer, name) && fnd_buffer_append_char(buffer, ':');
}

bool fnd_json_begin(fnd_buffer *buffer, const char *key, char bracket)
{
    return (key ? fnd_json_key(buffer, key) : fnd_json_comma(buffer)) && fnd_buffer_append_char(buffer, bracket);
}

bool fnd_json_begin_row(fnd_buffer *buffer) { return fnd_json_comma(buffer) && fnd_buffer_append_text(buffer, "\n{"); }

bool fnd_json_put_text(fnd_buffer *buffer, const char *key, const char *text)
{
    return fnd_json_key(buffer, key) && fnd_json_text(buffer, text ? text : "");
}

bool fnd_json_put_number(fnd_buffer *buffer, const char *key, double value)
{
    return fnd_json_key(buffer, key) && fnd_json_number(buffer, value);
}

bool fnd_json_put_integer(fnd_buffer *buffer, const char *key, int64_t value)
{
    return fnd_json_key(buffer, key) && fnd_buffer_appendf(buffer, "%" PRId64, value);
}

bool fnd_json_put_bool(fnd_buffer *buffer, const char *key, bool value)
{
    return fnd_json_key(buffer, key) && fnd_buffer_append_text(buffer, value ? "true" : "false");
}

bool fnd_json_put_numbers(fnd_buffer *buffer, const char *key, const double *values, int count)
{
    bool good = fnd_json_begin(buffer, key, '[');
    for (int i = 0; i < count; i++) good = good && fnd_json_comma(buffer) && fnd_json_number(buffer, values[i]);
    return good && fnd_buffer_append_char(buffer, ']');
}

bool fnd_json_put_vector(fnd_buffer *buffer, const char *key, fender_vec3 value)
{
    return fnd_json_put_numbers(buffer, key, (const double[]){value.x, value.y, value.z}, 3);
}

bool fnd_json_put_field(fnd_buffer *buffer, const char *key, const fender_field *field, const void *object)
{
    double values[9];
    const int count = fender_field_component_count(field);
    for (int i = 0; i < count; i++) values[i] = fender_field_get(field, object, i);
    if (field->type == FENDER_FIELD_BOOL) return fnd_json_put_bool(buffer, key, values[0] != 0);
    if (field->type == FENDER_FIELD_ENUM) return fnd_json_put_text(buffer, key, field->choices[(int)values[0]]);
    if (count == 1) return fnd_json_put_number(buffer, key, values[0]);
    return fnd_json_put_numbers(buffer, key, values, count);
}

/* ---- Checking the structure of JSON texts. */

enum { DEPTH_LIMIT = 64 };

typedef struct cursor {
    const char *text;
    size_t at, length;
    fnd_json_check *result;
} cursor;

static bool read_value(cursor *c, int depth);

static void skip_space(cursor *c)
{
    while (c->at < c->length && strchr(" \t\r\n", c->text[c->at])) c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_space(c);
    if (c->at >= c->length || c->text[c->at] != wanted) return false;
    c->at++;
    return true;
}

/* *from, *size: what stands between the quotes, escapes as they are. */
static bool read_string(cursor *c, size_t *from, size_t *size)
{
    if (!take(c, '"')) return false;
    *from = c->at;
    for (; c->at < c->length && c->text[c->at] != '"'; c->at++) {
        if ((unsigned char)c->text[c->at] < 0x20) return false;
        if (c->text[c->at] == '\\') c->at++;
    }
    if (c->at >= c->length) return false;
    *size = c->at++ - *from;
    return true;
}

/* A number or one of true, false, null. */
static bool read_word(cursor *c)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t from = c->at;
    for (size_t i = 0; i < 3; i++) {
        size_t size = strlen(words[i]);
        if (c->length - c->at < size || memcmp(c->text + c->at, words[i], size) != 0) continue;
        c->at += size;
        return true;
    }
    while (c->at < c->length && c->text[c->at] && strchr("+-.0123456789eE", c->text[c->at])) c->at++;
    return c->at > from;
}

static void note_member(cursor *c, size_t key, size_t key_size, size_t from)
{
    const char *value = c->text + from;
    size_t size = c->at - from;
    if (key_size == 6 && memcmp(c->text + key, "format", 6) == 0 && size >= 2 && value[0] == '"' &&
        size - 2 < sizeof c->result->format) {
        memcpy(c->result->format, value + 1, size - 2);
        c->result->format[size - 2] = '\0';
    }
    if (key_size == 7 && memcmp(c->text + key, "version", 7) == 0 && size > 0 && size < 10) {
        long version = 0;
        for (size_t i = 0; i < size && version >= 0; i++)
            version = value[i] >= '0' && value[i] <= '9' ? version * 10 + (value[i] - '0') : -1;
        c->result->version = version;
    }
}

static bool read_object(cursor *c, int depth)
{
    if (take(c, '}')) return true;
    do {
        size_t key, key_size;
        if (!read_string(c, &key, &key_size) || !take(c, ':')) return false;
        skip_space(c);
        size_t from = c->at;
        if (!read_value(c, depth)) return false;
        if (depth == 1) note_member(c, key, key_size, from);
    } while (take(c, ','));
    return take(c, '}');
}

static bool read_array(cursor *c, int depth)
{
    if (take(c, ']')) return true;
    do {
        if (!read_value(c, depth)) return false;
    } while (take(c, ','));
    return take(c, ']');
}

static bool read_value(cursor *c, int depth)
{
    size_t from, size;
    skip_space(c);
    if (c->at >= c->length || depth == DEPTH_LIMIT) return false;
    if (take(c, '{')) return read_object(c, depth + 1);
    if (take(c, '[')) return read_array(c, depth + 1);
    if (c->text[c->at] == '"') return read_string(c, &from, &size);
    return read_word(c);
}

fnd_json_check fnd_json_check_object(const char *text, size_t length)
{
    fnd_json_check result = {.version = -1};
    cursor c = {text, 0, length, &result};
    skip_space(&c);
    result.whole = c.at < length && text[c.at] == '{' && read_value(&c, 0);
    skip_space(&c);
    result.whole = result.whole && c.at == length;
    result.problem = c.at < length ? c.at : length;
    return result;
}
