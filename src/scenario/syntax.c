/* libyaml's complaints in our words: one row for each text that libyaml 0.2.5 can give. */
#include "scenario/syntax.h"

#include <string.h>

#include "text/fault.h"

typedef struct syntax_row {
    const char *problem, *context; /* libyaml's; context NULL: any */
    bool at_context;               /* show where the construct began, not where it failed */
    const char *message, *expected, *suggestion;
} syntax_row;

static const syntax_row rows[] = {
    {"could not find expected ':'", NULL, true, "this line is neither 'key: value' nor part of a list",
     "a colon and a space after the key", "write 'key: value'; is the colon missing, or the space after it?"},
    {"mapping values are not allowed in this context", NULL, false, "a colon stands where no key can be",
     "one 'key: value' per line", "is the colon of the line above missing? Text that holds ': ' needs quotes"},
    {"block sequence entries are not allowed in this context", NULL, false, "a '- ' stands where no list can begin",
     "the list on lines of its own below its key", "break the line before the '-', or write [a, b]"},
    {"block mapping entries are not allowed in this context", NULL, false, "a '? ' stands where no key can be",
     "'key: value'", "remove the '?'"},
    {"mapping keys are not allowed in this context", NULL, false, "a '? ' stands where no key can be", "'key: value'",
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
    {"found invalid Unicode character escape code", NULL, false, "an escape names no character",
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
     "leave the number out"},
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

static fnd_place place_of_mark(const fnd_source *source, const yaml_mark_t *mark, int length)
{
    int shift = mark->line == 0 ? source->column_shift : 0;
    return fnd_source_place(source, (int)mark->line + 1, (int)mark->column + 1 + shift, length);
}

/* The rest of the line from a place, without comment and space at its end. */
static fnd_phrase text_at(const fnd_source *source, const fnd_place *place)
{
    const char *c = source->lines + source->line_start[place->line - 1];
    for (int skipped = 1; skipped < place->column && *c; c++)
        if (((unsigned char)c[1] & 0xC0) != 0x80) skipped++;
    return *c ? fnd_shown(c) : fnd_phrase_make("the end of the line");
}

static void report_bad_start(fnd_reader *reader, const fnd_source *source, const fnd_place *place)
{
    fnd_phrase found = text_at(source, place);
    bool tab = found.text[0] == '\\' && (found.text[1] == 't' || strncmp(found.text, "\\x09", 4) == 0);
    if (tab)
        fnd_complain(reader, place, FENDER_STATUS_PARSE, "a tab is used for indentation", "a tab", "spaces",
                     "replace the tab by spaces");
    else
        fnd_complain(reader, place, FENDER_STATUS_PARSE,
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
    fnd_place place = place_of_mark(source, &parser->problem_mark, 1);
    if (strcmp(problem, "found character that cannot start any token") == 0) {
        report_bad_start(reader, source, &place);
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const syntax_row *row = &rows[i];
        if (strcmp(row->problem, problem) != 0 || (row->context && strcmp(row->context, context) != 0)) continue;
        if (row->at_context && parser->context) place = place_of_mark(source, &parser->context_mark, 1);
        fnd_phrase found = text_at(source, &place);
        fnd_complain(reader, &place, FENDER_STATUS_PARSE, row->message, found.text, row->expected, row->suggestion);
        return;
    }
    fnd_phrase found = text_at(source, &place);
    fnd_complain(reader, &place, FENDER_STATUS_PARSE, "the text breaks the form of YAML here", found.text,
                 "'key: value' lines, lists and maps", problem);
}
