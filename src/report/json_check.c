/* Checking the structure of JSON texts. */
#include "report/json_check.h"

#include <string.h>

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
    result.fault = c.at < length ? c.at : length;
    return result;
}
