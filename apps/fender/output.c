/* Output of the program: a buffered stream that remembers its first failure, numbers and texts for people, JSON. */
#include "output.h"
#include "support/json.h"
#include "support/number.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void fnd_app_stream_open(fnd_app_stream *stream, int descriptor)
{
    stream->descriptor = descriptor;
    stream->failure = 0;
    stream->used = 0;
}

/* After a failure the rest is thrown away: the exit code tells. */
static void stream_write(fnd_app_stream *stream, const char *bytes, size_t length)
{
    while (length > 0 && stream->failure == 0) {
        ssize_t written = write(stream->descriptor, bytes, length);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (written == 0) {
            stream->failure = EIO;
        } else if (errno != EINTR) {
            stream->failure = errno;
        }
    }
}

bool fnd_app_stream_flush(fnd_app_stream *stream)
{
    stream_write(stream, stream->buffer, stream->used);
    stream->used = 0;
    return stream->failure == 0;
}

void fnd_app_put_bytes(fnd_app_stream *stream, const char *bytes, size_t length)
{
    assert(stream->used <= sizeof stream->buffer);
    if (length > sizeof(stream->buffer) - stream->used) fnd_app_stream_flush(stream);
    if (length > sizeof(stream->buffer)) {
        stream_write(stream, bytes, length);
        return;
    }
    memcpy(stream->buffer + stream->used, bytes, length);
    stream->used += length;
}

void fnd_app_put(fnd_app_stream *stream, const char *text) { fnd_app_put_bytes(stream, text, strlen(text)); }

void fnd_app_put_clean(fnd_app_stream *stream, const char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        fnd_app_put_bytes(stream, byte < 0x20 || byte == 0x7f ? "?" : text, 1);
    }
}

void fnd_app_print(fnd_app_stream *stream, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    fnd_app_put_bytes(stream, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void fnd_app_put_padding(fnd_app_stream *stream, size_t written, size_t width)
{
    do {
        fnd_app_put_bytes(stream, " ", 1);
        written++;
    } while (written < width);
}

const char *fnd_app_number(char text[FND_APP_NUMBER_SIZE], double value)
{
    fnd_number_format_digits(value == 0 ? 0.0 : value, 6, text, FND_APP_NUMBER_SIZE);
    return text;
}

const char *fnd_app_quantity(char text[FND_APP_NUMBER_SIZE], double value, const char *unit)
{
    bool plain = unit == NULL || unit[0] == '\0' || strcmp(unit, "1") == 0;
    fnd_app_number(text, value);
    size_t used = strlen(text);
    if (!plain) snprintf(text + used, FND_APP_NUMBER_SIZE - used, " %s", unit);
    return text;
}

/* printf writes the point of the host's locale, which may be several bytes. */
static const char *with_point(char *text)
{
    const char *point = localeconv()->decimal_point;
    char *found = strcmp(point, ".") != 0 ? strstr(text, point) : NULL;
    if (found != NULL) {
        size_t length = strlen(point);
        *found = '.';
        memmove(found + 1, found + length, strlen(found + length) + 1);
    }
    return text;
}

const char *fnd_app_fixed(char text[FND_APP_NUMBER_SIZE], double value, int decimals)
{
    if (fabs(value) < 1e40) {
        snprintf(text, FND_APP_NUMBER_SIZE, "%.*f", decimals, value);
        return with_point(text);
    }
    return fnd_app_number(text, value);
}

const char *fnd_app_scientific(char text[FND_APP_NUMBER_SIZE], double value, int decimals)
{
    snprintf(text, FND_APP_NUMBER_SIZE, "%.*e", decimals, value);
    return with_point(text);
}

const char *fnd_app_duration(char text[FND_APP_NUMBER_SIZE], double seconds)
{
    double size = fabs(seconds);
    if (size >= 1 || size == 0 || !isfinite(size)) return fnd_app_quantity(text, seconds, "s");
    if (size >= 0.9999995e-3) return fnd_app_quantity(text, seconds * 1e3, "ms");
    if (size >= 0.9999995e-6) return fnd_app_quantity(text, seconds * 1e6, "us");
    return fnd_app_quantity(text, seconds, "s");
}

const char *fnd_app_duration_word(char text[FND_APP_NUMBER_SIZE], double seconds)
{
    fnd_app_duration(text, seconds);
    char *space = strchr(text, ' ');
    if (space != NULL) memmove(space, space + 1, strlen(space));
    return text;
}

int fnd_app_step_decimals(double step)
{
    int decimals = 0;
    double scaled = step;
    if (!(step > 0) || !isfinite(step)) return 6;
    while (decimals < 9 && (scaled < 1 || fabs(scaled - floor(scaled + 0.5)) > 1e-9 * scaled)) {
        scaled *= 10;
        decimals++;
    }
    return decimals;
}

const char *fnd_app_vector(char text[3 * FND_APP_NUMBER_SIZE], fender_vec3 value)
{
    char x[FND_APP_NUMBER_SIZE], y[FND_APP_NUMBER_SIZE], z[FND_APP_NUMBER_SIZE];
    snprintf(text, 3 * (size_t)FND_APP_NUMBER_SIZE, "[%.60s, %.60s, %.60s]", fnd_app_number(x, value.x),
             fnd_app_number(y, value.y), fnd_app_number(z, value.z));
    return text;
}

const char *fnd_app_plural(long long count, const char *one, const char *many) { return count == 1 ? one : many; }

/* ---- JSON */

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
    assert(json->depth < FND_APP_JSON_DEPTH);
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
    assert(json->depth > 0);
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
