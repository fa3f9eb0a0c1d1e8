/* XML by expat: places of elements and attributes, limits, refusals in our words. */
#include "model_import/xml.h"

#include "scenario/reader.h"
#include "support/json.h"

#include <limits.h>
#include <string.h>

fnd_xml_attribute *fnd_xml_find(const fnd_xml_element *element, const char *name)
{
    for (fnd_xml_attribute *a = element->attributes; a; a = a->next) {
        if (strcmp(a->name, name) != 0) continue;
        a->used = true;
        return a;
    }
    return NULL;
}

fnd_xml_element *fnd_xml_child(const fnd_xml_element *element, const char *name)
{
    for (fnd_xml_element *child = element->first; child; child = child->next)
        if (strcmp(child->name, name) == 0) return child;
    return NULL;
}

#ifdef FENDER_WITH_EXPAT
#include <expat.h>

typedef struct parsing {
    fnd_arena *arena;
    fnd_diagnostics *diagnostics;
    XML_Parser parser;
    const char *name, *text;
    size_t length;
    char *lines;        /* the text with a terminator in place of every line break */
    size_t *line_start; /* byte where each line begins */
    size_t line_count;
    fnd_xml_element *root, *open;
    int depth, elements, attributes;
    bool refused;    /* a diagnostic was added */
    size_t known_at; /* the last place that was asked for: files may have one long line */
    int known_column;
} parsing;

static bool split_lines(parsing *p)
{
    size_t count = 1;
    for (size_t i = 0; i < p->length; i++) count += p->text[i] == '\n';
    p->lines = fnd_arena_copy(p->arena, p->text, p->length);
    p->line_start = FND_ARENA_NEW_ARRAY(p->arena, size_t, count);
    if (!p->lines || !p->line_start) return false;
    p->line_count = 1;
    for (size_t i = 0; i < p->length; i++) {
        if (p->text[i] == '\r' && p->text[i + 1] == '\n') p->lines[i] = '\0';
        if (p->text[i] != '\n') continue;
        p->lines[i] = '\0';
        p->line_start[p->line_count++] = i + 1;
    }
    return true;
}

static fnd_location place(parsing *p, size_t at, size_t length)
{
    if (at > p->length) at = p->length;
    size_t low = 0, high = p->line_count;
    while (high - low > 1) { /* the last line that begins at or before the byte */
        size_t middle = low + (high - low) / 2;
        if (p->line_start[middle] <= at) low = middle;
        else high = middle;
    }
    size_t from = p->line_start[low];
    int column = 1;
    if (p->known_at >= from && p->known_at <= at) {
        from = p->known_at;
        column = p->known_column;
    }
    column += (int)fnd_utf8_count(p->lines + from, at - from);
    p->known_at = at;
    p->known_column = column;
    int marked = (int)fnd_utf8_count(p->lines + at, strnlen(p->lines + at, length));
    return (fnd_location){p->name, (int)low + 1, column, marked > 0 ? marked : 1, p->lines + p->line_start[low]};
}

static void refuse(parsing *p, fnd_location location, fender_status status, const char *message, const char *found,
                   const char *expected, const char *suggestion)
{
    if (!p->refused)
        fnd_diagnostic_add(p->diagnostics, FENDER_SEVERITY_ERROR, status, &location, message, found, expected,
                           suggestion);
    p->refused = true;
    XML_StopParser(p->parser, XML_FALSE);
}

static void fail_memory(parsing *p)
{
    fnd_diagnostics_note_memory(p->diagnostics);
    p->refused = true;
    XML_StopParser(p->parser, XML_FALSE);
}

static size_t position(const parsing *p)
{
    XML_Index at = XML_GetCurrentByteIndex(p->parser);
    return at < 0 ? 0 : (size_t)at;
}

static size_t skip_blanks(const parsing *p, size_t at)
{
    while (at < p->length && strchr(" \t\r\n", p->text[at])) at++;
    return at;
}

/* The next attribute of a tag whose syntax expat has accepted: name="value". */
static size_t read_attribute_place(parsing *p, size_t at, fnd_xml_attribute *to)
{
    at = skip_blanks(p, at);
    size_t begin = at;
    while (at < p->length && !strchr(" \t\r\n=", p->text[at])) at++;
    to->name_location = place(p, begin, at - begin);
    at = skip_blanks(p, at);
    if (at < p->length) at++; /* = */
    at = skip_blanks(p, at);
    char quote = p->text[at];
    begin = at < p->length ? at + 1 : at;
    for (at = begin; at < p->length && p->text[at] != quote; at++) continue;
    to->location = place(p, begin, at - begin);
    return at < p->length ? at + 1 : at;
}

static bool add_attributes(parsing *p, fnd_xml_element *element, const char **attributes, size_t at)
{
    fnd_xml_attribute **end = &element->attributes;
    for (; attributes[0]; attributes += 2) {
        fnd_xml_attribute *a = FND_ARENA_NEW(p->arena, fnd_xml_attribute);
        if (!a) return false;
        a->name = fnd_arena_copy(p->arena, attributes[0], strlen(attributes[0]));
        a->value = fnd_arena_copy(p->arena, attributes[1], strlen(attributes[1]));
        if (!a->name || !a->value) return false;
        at = read_attribute_place(p, at, a);
        *end = a;
        end = &a->next;
        p->attributes++;
    }
    return true;
}

static void XMLCALL start_element(void *data, const char *name, const char **attributes)
{
    parsing *p = data;
    size_t at = position(p), length = strlen(name);
    if (p->refused) return;
    fnd_location location = place(p, at + 1, length);
    if (p->depth == FND_XML_DEPTH_LIMIT) {
        refuse(p, location, FENDER_STATUS_PARSE, "the elements are nested too deeply", fnd_shown(name).text,
               fnd_phrase_make("at most %d levels", FND_XML_DEPTH_LIMIT).text, "make the tree flatter");
        return;
    }
    if (p->elements++ == FND_XML_ELEMENT_LIMIT || p->attributes > FND_XML_ATTRIBUTE_LIMIT) {
        refuse(p, location, FENDER_STATUS_PARSE, "the file has too many elements or attributes", fnd_shown(name).text,
               fnd_phrase_make("at most %d elements and %d attributes", FND_XML_ELEMENT_LIMIT, FND_XML_ATTRIBUTE_LIMIT)
                   .text,
               "put large tables into files of their own");
        return;
    }
    fnd_xml_element *element = FND_ARENA_NEW(p->arena, fnd_xml_element);
    if (!element || !(element->name = fnd_arena_copy(p->arena, name, length)) ||
        !add_attributes(p, element, attributes, at + 1 + length)) {
        fail_memory(p);
        return;
    }
    element->location = location;
    element->parent = p->open;
    if (!p->open) p->root = element;
    else if (p->open->last) p->open->last->next = element;
    else p->open->first = element;
    if (p->open) p->open->last = element;
    p->open = element;
    p->depth++;
}

static void XMLCALL end_element(void *data, const char *name)
{
    parsing *p = data;
    (void)name;
    if (p->refused) return;
    p->open = p->open->parent;
    p->depth--;
}

static void XMLCALL character_data(void *data, const char *text, int length)
{
    parsing *p = data;
    if (p->refused || !p->open || p->open->text.line > 0) return;
    for (int i = 0; i < length; i++) {
        if (strchr(" \t\r\n", text[i])) continue;
        p->open->text = place(p, position(p) + (size_t)i, (size_t)(length - i));
        return;
    }
}

static void XMLCALL start_doctype(void *data, const char *name, const char *system, const char *public_id, int internal)
{
    parsing *p = data;
    (void)system;
    (void)public_id;
    (void)internal;
    static const char begin[] = "<!DOCTYPE";
    size_t at = position(p);
    while (at > 0 && strncmp(p->text + at, begin, sizeof begin - 1) != 0) at--;
    refuse(p, place(p, at, sizeof begin - 1), FENDER_STATUS_PARSE,
           "document type declarations and entities are not read", fnd_shown(name).text,
           "elements without <!DOCTYPE ..>", "remove the declaration; write values where entities stand");
}

static void XMLCALL declaration(void *data, const char *version, const char *encoding, int standalone)
{
    parsing *p = data;
    (void)version;
    (void)standalone;
    static const char *const known[] = {"UTF-8", "utf-8", "US-ASCII", "us-ascii", "ASCII", "ascii"};
    if (!encoding) return;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], encoding) == 0) return;
    refuse(p, place(p, position(p), 5), FENDER_STATUS_PARSE, "the encoding is not read", fnd_shown(encoding).text,
           "UTF-8", "convert the file: iconv -t UTF-8");
}

/* The first reference from a byte on that is none of the five; for attributes expat knows the tag alone. */
static size_t unknown_entity(const parsing *p, size_t from)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"};
    for (size_t at = from; at < p->length; at++) {
        bool found = p->text[at] == '&';
        for (size_t i = 0; i < sizeof known / sizeof known[0] && found; i++)
            found = strncmp(p->text + at, known[i], strlen(known[i])) != 0;
        if (found) return at;
    }
    return from;
}

static void report_syntax(parsing *p)
{
    enum XML_Error code = XML_GetErrorCode(p->parser);
    size_t at = position(p);
    if (code == XML_ERROR_NO_MEMORY) {
        fail_memory(p);
        return;
    }
    if (code == XML_ERROR_UNDEFINED_ENTITY) at = unknown_entity(p, at);
    fnd_location location = place(p, at, 1);
    const char *line_end = p->lines + (at > p->length ? p->length : at);
    fnd_phrase suggestion = {"check quotes, brackets and the names of closing tags"};
    fnd_phrase expected = {"well-formed XML"};
    if (code == XML_ERROR_NO_ELEMENTS && !p->open) suggestion = fnd_phrase_make("the file must have one root element");
    else if (code == XML_ERROR_TAG_MISMATCH && p->open) {
        expected = fnd_phrase_make("</%.60s>", p->open->name);
        suggestion = fnd_phrase_make("close <%.60s> of line %d first", p->open->name, p->open->location.line);
    } else if (p->open && *line_end == '\0') {
        suggestion = fnd_phrase_make("<%.60s> of line %d is not closed", p->open->name, p->open->location.line);
    } else if (code == XML_ERROR_UNDEFINED_ENTITY) {
        expected = fnd_phrase_make("&amp; &lt; &gt; &quot; &apos; or a number such as &#176;");
        suggestion = fnd_phrase_make("write the character itself");
    } else if (code == XML_ERROR_DUPLICATE_ATTRIBUTE) suggestion = fnd_phrase_make("remove one of the two");
    fnd_diagnostic_add(p->diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_PARSE, &location,
                       fnd_phrase_make("not XML: %s", XML_ErrorString(code)).text,
                       *line_end ? fnd_shown(line_end).text : "the end of the line", expected.text, suggestion.text);
}

fnd_xml_element *fnd_xml_parse(fnd_arena *arena, fnd_diagnostics *diagnostics, const char *name, const char *text,
                               size_t length)
{
    parsing p = {
        .arena = arena, .diagnostics = diagnostics, .name = name, .text = text, .length = length, .known_column = 1};
    if (length > FND_XML_SIZE_LIMIT || length > INT_MAX) {
        fnd_location location = {name, 1, 1, 1, ""};
        fnd_diagnostic_add(diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_FILE, &location, "the file is too large",
                           fnd_phrase_make("%zu bytes", length).text,
                           fnd_phrase_make("at most %zu bytes", FND_XML_SIZE_LIMIT).text, "put tables into files");
        return NULL;
    }
    if (!split_lines(&p) || !(p.parser = XML_ParserCreate(NULL))) {
        fnd_diagnostics_note_memory(diagnostics);
        return NULL;
    }
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, start_element, end_element);
    XML_SetCharacterDataHandler(p.parser, character_data);
    XML_SetStartDoctypeDeclHandler(p.parser, start_doctype);
    XML_SetXmlDeclHandler(p.parser, declaration);
    XML_SetParamEntityParsing(p.parser, XML_PARAM_ENTITY_PARSING_NEVER);
    bool good = XML_Parse(p.parser, text, (int)length, 1) == XML_STATUS_OK;
    if (!good && !p.refused) report_syntax(&p);
    XML_ParserFree(p.parser);
    return good && !p.refused ? p.root : NULL;
}
#else
fnd_xml_element *fnd_xml_parse(fnd_arena *arena, fnd_diagnostics *diagnostics, const char *name, const char *text,
                               size_t length)
{
    (void)arena;
    (void)text;
    (void)length;
    fnd_location location = {name, 1, 1, 1, ""};
    fnd_diagnostic_add(diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_NOT_BUILT, &location,
                       "this build cannot read XML", "URDF or MJCF", "a build with expat",
                       "build with -DFENDER_WITH_EXPAT=ON (Debian: libexpat1-dev)");
    return NULL;
}
#endif
