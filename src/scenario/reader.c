/* What the reading of one scenario shares: memory that notes its failures, and the making of messages. */
#include "scenario/reader.h"
#include "scenario/source.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "text/arena.h"
#include "text/fault.h"
#include "text/nearest.h"
#include "text/number.h"
#include "text/utf8.h"

void *fnd_keep(fnd_reader *reader, size_t count, size_t size)
{
    void *memory = fnd_arena_array(reader->arena, count, size, _Alignof(max_align_t));
    if (!memory) reader->memory_failed = true;
    return memory;
}

char *fnd_keep_text(fnd_reader *reader, const char *text, size_t length)
{
    char *copy = fnd_keep(reader, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

fnd_phrase fnd_phrase_make(const char *format, ...)
{
    fnd_phrase phrase;
    char text[2 * sizeof phrase.text];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t full = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    size_t fit = fnd_utf8_fit(text, full, sizeof phrase.text - 1);
    memcpy(phrase.text, text, fit);
    phrase.text[fit] = 0;
    return phrase;
}

fnd_phrase fnd_digits(double value, const char *unit)
{
    char digits[FND_NUMBER_SIZE];
    fnd_number_format(value, digits, sizeof digits);
    bool bare = !unit || !unit[0] || strcmp(unit, "1") == 0;
    return fnd_phrase_make("%s%s%s", digits, bare ? "" : " ", bare ? "" : unit);
}

fnd_phrase fnd_shown(const char *text)
{
    fnd_phrase phrase;
    char one_line[72];
    size_t length = strcspn(text, "\n");
    bool cut = text[length] != 0;
    fnd_io_excerpt(one_line, sizeof one_line - 4, text, length);
    snprintf(phrase.text, sizeof phrase.text, "%s%s", one_line, cut ? "..." : "");
    return phrase;
}

void fnd_complain(fnd_reader *reader, const fnd_place *place, fender_status status, const char *message,
                  const char *found, const char *expected, const char *suggestion)
{
    const fnd_source *source = place ? fnd_source_of(reader, place) : NULL;
    if (source && source->concealed) found = "something that is no part of a scenario";
    fnd_finding_add(reader->findings, FENDER_SEVERITY_ERROR, status, place, message, found, expected, suggestion);
}

static void append(char *to, size_t size, const char *text)
{
    size_t used = strlen(to), fit = fnd_utf8_fit(text, strlen(text), size - used - 1);
    memcpy(to + used, text, fit);
    to[used + fit] = 0;
}

static void append_candidate(char *to, size_t size, const fnd_candidate *candidate)
{
    append(to, size, candidate->name);
    if (candidate->line > 0) append(to, size, fnd_phrase_make(" (line %d)", candidate->line).text);
}

fnd_phrase fnd_suggest(fnd_reader *reader, const char *name, const char *plural, const fnd_candidate *candidates,
                       int count)
{
    (void)reader;
    fnd_phrase phrase = {""};
    const size_t size = sizeof phrase.text, list_limit = 200;
    if (count == 0) return fnd_phrase_make("there are no %s here", plural);
    fnd_nearest search = fnd_nearest_begin(name, strlen(name));
    const fnd_candidate *best = NULL;
    for (int i = 0; i < count; i++)
        if (fnd_nearest_offer(&search, candidates[i].name)) best = &candidates[i];
    if (best && count > 1) {
        append(phrase.text, size, "did you mean '");
        append(phrase.text, size, best->name);
        append(phrase.text, size, "'?   ");
    }
    append(phrase.text, size, plural);
    append(phrase.text, size, " here: ");
    for (int i = 0; i < count; i++) {
        if (i > 0) append(phrase.text, size, ", ");
        if (strlen(phrase.text) > list_limit) {
            append(phrase.text, size, fnd_phrase_make("and %d more", count - i).text);
            break;
        }
        append_candidate(phrase.text, size, &candidates[i]);
    }
    return phrase;
}
