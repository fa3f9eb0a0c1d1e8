/* One text that is read: its characters checked, its lines, places; libyaml's complaints in our words. */
#include "scenario/source.h"

#include "support/io_error.h"
#include "support/json.h"
#include <assert.h>
#include <limits.h>
#include <string.h>

/* ---- Complaints of libyaml ---- */

typedef struct syntax_row {
    const char *problem, *context; /* libyaml's; context NULL: any */
    bool at_context;               /* show where the construct began, not where it failed */
    const char *message, *expected, *suggestion;
} syntax_row;

static const syntax_row rows[] = {
    {"could not find expected ':'", NULL, true, "this line is neither 'key: value' nor part of a list",
     "a colon and a space after the key", "write 'key: value'; is the colon missing, or the space after it?"},
    {"mapping values are not allowed in this context", NULL, false, "a colon without a key",
     "one 'key: value' per line", "is the colon of the line above missing? Text that holds ': ' needs quotes"},
    {"block sequence entries are not allowed in this context", NULL, false, "a '- ' where a list cannot begin",
     "the list on separate lines below its key", "break the line before the '-', or write [a, b]"},
    {"block mapping entries are not allowed in this context", NULL, false, "a '? ' where a key cannot be",
     "'key: value'", "remove the '?'"},
    {"mapping keys are not allowed in this context", NULL, false, "a '? ' where a key cannot be", "'key: value'",
     "remove the '?'"},
    {"did not find expected ',' or ']'", NULL, true, "this '[' is not closed", "']' or ',' between elements",
     "close the list with ']'; elements are separated by commas"},
    {"did not find expected ',' or '}'", NULL, true, "this '{' is not closed", "'}' or ',' between entries",
     "close the map with '}'; entries are separated by commas"},
    {"did not find expected key", NULL, false, "the line does not line up with the keys above it",
     "the same indentation as the other keys of the map", "indent by spaces, the same number for all keys of a map"},
    {"did not find expected '-' indicator", NULL, false, "the line does not line up with the list above it",
     "'- ' in the column of the other elements", "give each element its '- ', all in one column"},
    {"did not find expected node content", NULL, false, "a value is missing here", "a value",
     "remove the extra comma or colon, or write the value"},
    {"found unexpected end of stream", "while scanning a quoted scalar", true, "this quote is not closed",
     "the same quote at the end of the text", "add the closing quote"},
    {"found unexpected document indicator", NULL, true, "this quote is not closed before the next document",
     "the same quote at the end of the text", "add the closing quote"},
    {"found unknown escape character", NULL, false, "unknown escape in a text in double quotes",
     "\\n, \\t, \\\\, \\\" or \\uXXXX", "use single quotes, in which nothing is escaped"},
    {"did not find expected hexdecimal number", NULL, false, "an escape lacks its hexadecimal digits",
     "\\xXX, \\uXXXX or \\UXXXXXXXX", "use single quotes, in which nothing is escaped"},
    {"found invalid Unicode character escape code", NULL, false, "an escape sequence is not a valid character",
     "\\uXXXX of a Unicode character", "type the character itself"},
    {"did not find expected <document start>", NULL, false, "there is text after the end of the document",
     "one document of 'key: value' lines", "every section begins in column 1 with its key and a colon"},
    {"did not find expected <stream-start>", NULL, false, "the text does not begin as YAML", "'fender: 1'",
     "begin the file with 'fender: 1'"},
    {"found a tab character where an indentation space is expected", NULL, false, "a tab is used for indentation",
     "spaces", "replace the tab by spaces"},
    {"found a tab character that violates indentation", NULL, false, "a tab is used for indentation", "spaces",
     "replace the tab by spaces"},
    {"found an indentation indicator equal to 0", NULL, false, "an indentation of 0 after '>' or '|'", "1 to 9",
     "omit the number"},
    {"did not find expected comment or line break", NULL, false, "there is text after '>' or '|'",
     "the text on the following lines", "break the line after the '>' or '|'"},
    {"did not find expected digit or '.' character", NULL, false, "malformed %YAML line", "no directive",
     "remove the line"},
    {"found duplicate %YAML directive", NULL, false, "two %YAML lines", "no directive", "remove the line"},
    {"found incompatible YAML document", NULL, false, "a %YAML version that is not known", "no directive",
     "remove the line"},
    {"found unknown directive name", NULL, false, "a line that begins with '%'", "no directive", "remove the line"},
    {"found undefined tag handle", NULL, false, "tags ('!') are not used here", "plain values",
     "remove the tag: the field gives the type"},
    {"did not find expected alphabetic or numeric character", "while scanning an anchor", false,
     "'&' begins an anchor, which is not used here", "plain values",
     "put text that begins with '&' in quotes; use `like` to copy a body"},
    {"did not find expected alphabetic or numeric character", "while scanning an alias", false,
     "'*' begins an alias, which is not used here", "plain values",
     "put text that begins with '*' in quotes; use `like` to copy a body"},
};

static fnd_location location_of_mark(const fnd_source *source, const yaml_mark_t *mark, int length)
{
    int shift = mark->line == 0 ? source->column_shift : 0;
    return fnd_source_location(source, (int)mark->line + 1, (int)mark->column + 1 + shift, length);
}

static const char *line_of(const fnd_source *source, const fnd_location *location)
{
    return source->lines + source->line_start[location->line - 1];
}

static const char *character_at(const fnd_source *source, const fnd_location *location)
{
    const char *c = line_of(source, location);
    for (int skipped = 1; skipped < location->column && *c; c++)
        if (((unsigned char)c[1] & 0xC0) != 0x80) skipped++;
    return c;
}

/* The rest of the line from a place, without comment and space at its end. */
static fnd_phrase text_at(const fnd_source *source, const fnd_location *location)
{
    const char *c = character_at(source, location);
    return *c ? fnd_shown(c) : fnd_phrase_make("the end of the line");
}

/* A bracket that goes on with a text without quotes, as in {far: x > 1 [mm]}. Within brackets, it ends the text. */
static bool is_bracket_in_text(const fnd_source *source, const fnd_location *location)
{
    const char *line = line_of(source, location), *at = character_at(source, location), *before = at;
    if (*at != '[' && *at != '{') return false;
    while (before > line && before[-1] == ' ') before--;
    return before > line && !strchr("[]{},:'\"", before[-1]);
}

static void report_bad_start(fnd_reader *reader, const fnd_source *source, const fnd_location *location)
{
    fnd_phrase found = text_at(source, location);
    bool tab = found.text[0] == '\\' && (found.text[1] == 't' || strncmp(found.text, "\\x09", 4) == 0);
    if (tab)
        fnd_complain(reader, location, FENDER_STATUS_PARSE, "a tab is used for indentation", "a tab", "spaces",
                     "replace the tab by spaces");
    else
        fnd_complain(reader, location, FENDER_STATUS_PARSE,
                     fnd_phrase_make("a value cannot begin with '%c'", found.text[0]).text, found.text, "a value",
                     "put the text in quotes");
}

void fnd_syntax_report(fnd_reader *reader, const fnd_source *source, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        reader->memory_failed = true;
        return;
    }
    const char *problem = parser->problem ? parser->problem : "", *context = parser->context ? parser->context : "";
    fnd_location location = location_of_mark(source, &parser->problem_mark, 1);
    if (strcmp(problem, "found character that cannot start any token") == 0) {
        report_bad_start(reader, source, &location);
        return;
    }
    const bool in_brackets = strncmp(problem, "did not find expected ',' or ", 29) == 0;
    if (in_brackets && is_bracket_in_text(source, &location)) {
        fnd_complain(
            reader, &location, FENDER_STATUS_PARSE, "a text with brackets needs quotes here",
            text_at(source, &location).text, "quotes around the whole text, or ',' before the bracket",
            "put the whole text in quotes, as in {far: 'x > 1 [mm]'}, or on a line of its own; or is a comma missing?");
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const syntax_row *row = &rows[i];
        if (strcmp(row->problem, problem) != 0 || (row->context && strcmp(row->context, context) != 0)) continue;
        if (row->at_context && parser->context) location = location_of_mark(source, &parser->context_mark, 1);
        fnd_phrase found = text_at(source, &location);
        fnd_complain(reader, &location, FENDER_STATUS_PARSE, row->message, found.text, row->expected, row->suggestion);
        return;
    }
    fnd_phrase found = text_at(source, &location);
    fnd_complain(reader, &location, FENDER_STATUS_PARSE, "the text is not valid YAML here", found.text,
                 "'key: value' lines, lists and maps", problem);
}

/* ---- Sources ---- */

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

static fnd_location location_of_byte(const fnd_source *source, size_t byte)
{
    int line = 0;
    while (line + 1 < source->line_count && source->line_start[line + 1] <= byte) line++;
    const char *start = source->text + source->line_start[line];
    return fnd_source_location(source, line + 1, characters_between(start, source->text + byte) + 1, 1);
}

static bool check_characters(fnd_reader *reader, fnd_source *source)
{
    const unsigned char *text = (const unsigned char *)source->text;
    if (source->length >= 2 && ((text[0] == 0xFF && text[1] == 0xFE) || (text[0] == 0xFE && text[1] == 0xFF))) {
        fnd_location location = fnd_source_location(source, 1, 1, 1);
        location.excerpt = "";
        fnd_complain(reader, &location, FENDER_STATUS_PARSE, "the file is UTF-16", "a UTF-16 byte order mark", "UTF-8",
                     "save the file as UTF-8");
        return false;
    }
    for (size_t i = 0; i < source->length;) {
        if (text[i] >= ' ' && text[i] < 0x7F) { /* nearly all */
            i++;
            continue;
        }
        size_t length = fnd_utf8_character(source->text + i, source->length - i);
        if (length == 0) {
            fnd_location location = location_of_byte(source, i);
            location.excerpt = "";
            fnd_complain(reader, &location, FENDER_STATUS_PARSE, "the text is not UTF-8",
                         fnd_phrase_make("byte 0x%02X", text[i]).text, "UTF-8", "save the file as UTF-8");
            return false;
        }
        if (is_forbidden(text + i, length)) {
            fnd_location location = location_of_byte(source, i);
            fnd_phrase found = fnd_phrase_make("byte 0x%02X", text[i]);
            if (text[i] == 0) location.excerpt = "";
            fnd_complain(reader, &location, FENDER_STATUS_PARSE, "the text contains a control character", found.text,
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
    fnd_diagnostics_announce_file(reader->diagnostics, name);
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
    fnd_diagnostics_announce_file(reader->diagnostics, name);
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

fnd_location fnd_source_location(const fnd_source *source, int line, int column, int length)
{
    assert(line >= 0 && column >= 0);
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
    return (fnd_location){source->name, line, column, length, source->concealed ? "" : excerpt};
}

const fnd_source *fnd_source_of(const fnd_reader *reader, const fnd_location *location)
{
    const fnd_source *source = reader->sources;
    while (source && source->name != location->file) source = source->next;
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
