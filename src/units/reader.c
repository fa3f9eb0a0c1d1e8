/* The place in a unit text while it is read: characters and failures. */
#include "units/reader.h"

#include "support/fault.h"
#include "support/json.h"

#include <stdio.h>
#include <string.h>

#define COLUMN_CEILING 1000000000

int fnd_reader_column(const fnd_unit_reader *reader, size_t at)
{
    return reader->first_column + (int)(at < COLUMN_CEILING ? at : COLUMN_CEILING);
}

bool fnd_reader_fail(fnd_unit_reader *reader, fender_status status, size_t at, const char *message, const char *found,
                     const char *expected, const char *suggestion)
{
    reader->status = fnd_io_fail(reader->error, (fnd_io_fault){.status = status,
                                                               .column = fnd_reader_column(reader, at),
                                                               .message = message,
                                                               .found = found,
                                                               .expected = expected,
                                                               .suggestion = suggestion});
    return false;
}

static size_t character_size(const fnd_unit_reader *reader, size_t at)
{
    size_t size = fnd_utf8_character(reader->text + at, reader->length - at);
    return size > 0 ? size : 1;
}

/* What stands at a place: "'x'" or "the end". */
static void describe_place(const fnd_unit_reader *reader, size_t at, char found[24])
{
    char excerpt[16];
    if (at >= reader->length) {
        memcpy(found, "the end", 8);
        return;
    }
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, character_size(reader, at));
    snprintf(found, 24, "'%s'", excerpt);
}

bool fnd_reader_fail_here(fnd_unit_reader *reader, const char *message, const char *expected, const char *suggestion)
{
    char found[24];
    describe_place(reader, reader->at, found);
    return fnd_reader_fail(reader, FENDER_STATUS_PARSE, reader->at, message, found, expected, suggestion);
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

bool fnd_reader_is_at(const fnd_unit_reader *reader, const char *token)
{
    size_t size = strlen(token);
    return reader->length - reader->at >= size && memcmp(reader->text + reader->at, token, size) == 0;
}

bool fnd_reader_take(fnd_unit_reader *reader, const char *token)
{
    if (!fnd_reader_is_at(reader, token)) return false;
    reader->at += strlen(token);
    return true;
}

bool fnd_reader_take_spaces(fnd_unit_reader *reader)
{
    size_t begin = reader->at;
    for (;;) {
        if (reader->at < reader->length && is_space(reader->text[reader->at])) reader->at++;
        else if (!fnd_reader_take(reader, "\xC2\xA0")) return reader->at > begin; /* a space that does not break */
    }
}

size_t fnd_reader_name_character(const fnd_unit_reader *reader, size_t at)
{
    static const char *const others[] = {"\xC2\xB5", "\xCE\xBC", "\xC2\xB0", "\xCE\xA9", "\xE2\x84\xA6"};
    if (at >= reader->length) return 0;
    char c = reader->text[at];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%') return 1;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t size = strlen(others[i]);
        if (reader->length - at >= size && memcmp(reader->text + at, others[i], size) == 0) return size;
    }
    return 0;
}

bool fnd_reader_fail_size(fnd_unit_reader *reader, size_t at)
{
    char excerpt[32];
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, reader->at - at);
    return fnd_reader_fail(reader, FENDER_STATUS_UNIT, at, "the power is too large", excerpt,
                           "a power between -100 and 100", "check the power");
}
