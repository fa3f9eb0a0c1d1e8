/* One text that is read: check of its characters, table of its lines, places. */
#ifndef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "scenario/source.h"

#include <limits.h>
#include <string.h>

#include "text/utf8.h"

/* Controls, and the three line breaks that YAML knows and editors do not count. */
static bool is_forbidden(const unsigned char *c, size_t length)
{
    if (length == 1) return (c[0] < 0x20 && c[0] != '\t' && c[0] != '\n' && c[0] != '\r') || c[0] == 0x7F;
    if (length == 2) return c[0] == 0xC2 && c[1] < 0xA0;
    if (length == 3)
        return (c[0] == 0xE2 && c[1] == 0x80 && (c[2] == 0xA8 || c[2] == 0xA9)) ||
               (c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF) || (c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE);
    return false;
}

static bool build_lines(fnd_reader *reader, fnd_source *source)
{
    size_t count = 1;
    for (size_t i = 0; i < source->length; i++) {
        if (source->text[i] == '\n') count++;
        if (source->text[i] == '\r' && source->text[i + 1] != '\n') count++;
    }
    if (count > INT_MAX) return false;
    source->lines = fnd_keep(reader, source->length + 1, 1);
    source->line_start = fnd_keep(reader, count, sizeof(size_t));
    if (!source->lines || !source->line_start) return false;
    memcpy(source->lines, source->text, source->length);
    source->line_count = 1;
    for (size_t i = 0; i < source->length; i++) {
        char c = source->text[i];
        if (c != '\n' && c != '\r') continue;
        source->lines[i] = 0;
        if (c == '\r' && source->text[i + 1] == '\n') continue;
        source->line_start[source->line_count++] = i + 1;
    }
    return true;
}

static int characters_between(const char *from, const char *to)
{
    size_t count = fnd_utf8_count(from, (size_t)(to - from));
    return count > INT_MAX / 2 ? INT_MAX / 2 : (int)count;
}

static fnd_place place_of_byte(const fnd_source *source, size_t byte)
{
    int line = 0;
    while (line + 1 < source->line_count && source->line_start[line + 1] <= byte) line++;
    const char *start = source->text + source->line_start[line];
    return fnd_source_place(source, line + 1, characters_between(start, source->text + byte) + 1, 1);
}

static bool check_characters(fnd_reader *reader, fnd_source *source)
{
    const unsigned char *text = (const unsigned char *)source->text;
    if (source->length >= 2 && ((text[0] == 0xFF && text[1] == 0xFE) || (text[0] == 0xFE && text[1] == 0xFF))) {
        fnd_place place = fnd_source_place(source, 1, 1, 1);
        place.excerpt = "";
        fnd_complain(reader, &place, FENDER_STATUS_PARSE, "the file is UTF-16", "a UTF-16 byte order mark", "UTF-8",
                     "save the file as UTF-8");
        return false;
    }
    for (size_t i = 0; i < source->length;) {
        size_t length = fnd_utf8_character(source->text + i, source->length - i);
        if (length == 0) {
            fnd_place place = place_of_byte(source, i);
            place.excerpt = "";
            fnd_complain(reader, &place, FENDER_STATUS_PARSE, "the text is not UTF-8",
                         fnd_phrase_make("byte 0x%02X", text[i]).text, "UTF-8", "save the file as UTF-8");
            return false;
        }
        if (is_forbidden(text + i, length)) {
            fnd_place place = place_of_byte(source, i);
            fnd_phrase found = fnd_phrase_make("byte 0x%02X", text[i]);
            if (text[i] == 0) place.excerpt = "";
            fnd_complain(reader, &place, FENDER_STATUS_PARSE, "a control character stands in the text", found.text,
                         "printable characters, tab and line breaks", "delete the character; is this a text file?");
            return false;
        }
        i += length;
    }
    return true;
}

fnd_source *fnd_source_open(fnd_reader *reader, const char *name, const char *directory, const char *text,
                            size_t length)
{
    fnd_source *source = fnd_keep(reader, 1, sizeof *source);
    if (!source) return NULL;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark is no part of the first line */
        text += 3;
        length -= 3;
    }
    source->name = name;
    source->directory = directory;
    source->text = text;
    source->length = length;
    source->next = reader->sources;
    reader->sources = source;
    fnd_findings_announce_file(reader->findings, name);
    if (!build_lines(reader, source)) return NULL;
    return check_characters(reader, source) ? source : NULL;
}

fnd_source *fnd_source_open_bytes(fnd_reader *reader, const char *name, const char *directory, const char *bytes,
                                  size_t length)
{
    fnd_source *source = fnd_keep(reader, 1, sizeof *source);
    if (!source) return NULL;
    source->name = name;
    source->directory = directory;
    source->text = bytes;
    source->length = length;
    source->next = reader->sources;
    reader->sources = source;
    fnd_findings_announce_file(reader->findings, name);
    return source;
}

fnd_source *fnd_source_open_override(fnd_reader *reader, const char *path, const char *value)
{
    size_t path_length = strlen(path), value_length = strlen(value), length = path_length + 1 + value_length;
    char *text = fnd_keep(reader, length + 1, 1);
    if (!text) return NULL;
    memcpy(text, path, path_length);
    text[path_length] = '=';
    memcpy(text + path_length + 1, value, value_length + 1);
    const char *directory = reader->sources ? reader->sources->directory : "";
    for (const fnd_source *s = reader->sources; s; s = s->next) directory = s->directory; /* of the main file */
    fnd_source *source = fnd_source_open(reader, "--set", directory, text, length);
    if (!source) return NULL;
    source->start = path_length + 1;
    source->column_shift = characters_between(text, text + source->start);
    return source;
}

fnd_place fnd_source_place(const fnd_source *source, int line, int column, int length)
{
    if (line > source->line_count) line = source->line_count;
    if (line < 1) line = 1;
    const char *excerpt = source->lines + source->line_start[line - 1];
    const size_t measured = 4096; /* every token asks: a line of megabytes must not be counted each time */
    size_t bytes = strnlen(excerpt, measured);
    if (column < 1) column = 1;
    if (length < 1 || (bytes == measured && length > (int)measured)) length = 1;
    if (bytes < measured) {
        int width = characters_between(excerpt, excerpt + bytes);
        if (column > width) length = 1;
        else if (length > width - column + 1) length = width - column + 1;
    }
    return (fnd_place){source->name, line, column, length, source->concealed ? "" : excerpt};
}

const fnd_source *fnd_source_of(const fnd_reader *reader, const fnd_place *place)
{
    const fnd_source *source = reader->sources;
    while (source && source->name != place->file) source = source->next;
    return source;
}

char *fnd_directory_of(fnd_reader *reader, const char *path)
{
    const char *slash = strrchr(path, '/');
    return fnd_keep_text(reader, path, slash ? (size_t)(slash - path) + 1 : 0);
}

char *fnd_source_resolve(fnd_reader *reader, const fnd_source *source, const char *path)
{
    const char *directory = path[0] == '/' || !source ? "" : source->directory;
    size_t directory_length = strlen(directory), path_length = strlen(path);
    char *joined = fnd_keep(reader, directory_length + path_length + 1, 1);
    if (!joined) return NULL;
    memcpy(joined, directory, directory_length);
    memcpy(joined + directory_length, path, path_length + 1);
    return joined;
}
