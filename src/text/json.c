/* JSON written into a buffer: strings and numbers. */
#include "text/json.h"

#include "text/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

bool fnd_json_key(fnd_buffer *buffer, const char *name, bool first)
{
    if (!first) fnd_buffer_append_char(buffer, ',');
    fnd_json_text(buffer, name);
    return fnd_buffer_append_char(buffer, ':');
}
