/* The header of a PLY file: elements and their properties. */
#include <string.h>

#include "import/ply.h"

static bool complain(fnd_import *import, const fnd_scan *s, const char *text, size_t length, const char *expected)
{
    fnd_words found = fnd_words_of(text, length);
    return fnd_import_refuse(import, s->line,
                             fnd_words_make("'%s' does not belong there in the header of a PLY file", found.text).text,
                             found.text, expected, "is the file whole?");
}

static bool read_type(const char *text, size_t length, fnd_ply_type *type)
{
    static const struct {
        const char *name;
        fnd_ply_type type;
    } names[] = {{"char", FND_PLY_INT8},      {"int8", FND_PLY_INT8},       {"uchar", FND_PLY_UINT8},
                 {"uint8", FND_PLY_UINT8},    {"short", FND_PLY_INT16},     {"int16", FND_PLY_INT16},
                 {"ushort", FND_PLY_UINT16},  {"uint16", FND_PLY_UINT16},   {"int", FND_PLY_INT32},
                 {"int32", FND_PLY_INT32},    {"uint", FND_PLY_UINT32},     {"uint32", FND_PLY_UINT32},
                 {"float", FND_PLY_FLOAT32},  {"float32", FND_PLY_FLOAT32}, {"double", FND_PLY_FLOAT64},
                 {"float64", FND_PLY_FLOAT64}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (fnd_scan_is(text, length, names[i].name)) {
            *type = names[i].type;
            return true;
        }
    return false;
}

static bool read_format(fnd_import *import, fnd_scan *s, fnd_ply *ply)
{
    const char *text;
    size_t length = fnd_scan_word_here(s, &text);
    ply->text = fnd_scan_is(text, length, "ascii");
    ply->big_endian = fnd_scan_is(text, length, "binary_big_endian");
    if (ply->text || ply->big_endian || fnd_scan_is(text, length, "binary_little_endian")) return true;
    return complain(import, s, text, length, "ascii, binary_little_endian or binary_big_endian");
}

static bool read_element(fnd_import *import, fnd_scan *s, fnd_ply *ply)
{
    const char *name, *text;
    size_t name_length = fnd_scan_word_here(s, &name), length = fnd_scan_word_here(s, &text);
    int64_t count;
    if (!fnd_scan_integer(text, length, &count) || count < 0)
        return complain(import, s, text, length, "the count of an element, 0 or more");
    if (ply->element_count == FND_PLY_ELEMENT_LIMIT)
        return fnd_import_refuse(import, s->line, "the header has too many elements", "more than 64", "at most 64",
                                 "is this a PLY file?");
    fnd_ply_element *e = &ply->elements[ply->element_count++];
    *e = (fnd_ply_element){.count = (uint64_t)count, .first = ply->property_count, .end = ply->property_count};
    e->vertex = fnd_scan_is(name, name_length, "vertex");
    if (e->vertex && ply->vertex_count > 0) return complain(import, s, name, name_length, "one element 'vertex'");
    if (e->vertex) ply->vertex_count = e->count;
    return true;
}

/* `element`: the name of the last one. */
static fnd_ply_use use_of(const fnd_ply_element *element, const char *element_name, size_t element_length,
                          const fnd_ply_property *property, const char *name, size_t length)
{
    bool list = property->count != FND_PLY_NONE;
    if (element->vertex && !list && length == 1 && name[0] >= 'x' && name[0] <= 'z')
        return name[0] == 'x' ? FND_PLY_X : name[0] == 'y' ? FND_PLY_Y : FND_PLY_Z;
    if (!list || (!fnd_scan_is(name, length, "vertex_indices") && !fnd_scan_is(name, length, "vertex_index")))
        return FND_PLY_SKIP;
    if (fnd_scan_is(element_name, element_length, "face")) return FND_PLY_POLYGON;
    return fnd_scan_is(element_name, element_length, "tristrips") ? FND_PLY_STRIPS : FND_PLY_SKIP;
}

static bool read_property(fnd_import *import, fnd_scan *s, fnd_ply *ply, const char *element_name,
                          size_t element_length)
{
    const char *text;
    size_t length = fnd_scan_word_here(s, &text);
    fnd_ply_property p = {FND_PLY_NONE, FND_PLY_NONE, FND_PLY_SKIP};
    if (ply->element_count == 0) return complain(import, s, text, length, "an element before its properties");
    if (fnd_scan_is(text, length, "list")) {
        length = fnd_scan_word_here(s, &text);
        if (!read_type(text, length, &p.count) || p.count >= FND_PLY_FLOAT32)
            return complain(import, s, text, length, "a type of whole numbers for the count of a list");
        length = fnd_scan_word_here(s, &text);
    }
    if (!read_type(text, length, &p.type))
        return complain(import, s, text, length, "a type: char, uchar, short, ushort, int, uint, float or double");
    length = fnd_scan_word_here(s, &text);
    fnd_ply_element *e = &ply->elements[ply->element_count - 1];
    p.use = use_of(e, element_name, element_length, &p, text, length);
    if (p.use >= FND_PLY_POLYGON && p.type >= FND_PLY_FLOAT32)
        return complain(import, s, text, length, "whole numbers as indices of vertices");
    if (ply->property_count == FND_PLY_PROPERTY_LIMIT)
        return fnd_import_refuse(import, s->line, "the header has too many properties", "more than 1024",
                                 "at most 1024", "is this a PLY file?");
    e->has_list |= p.count != FND_PLY_NONE;
    e->size += (size_t)fnd_ply_size(p.count != FND_PLY_NONE ? p.count : p.type);
    ply->properties[ply->property_count++] = p;
    e->end = ply->property_count;
    return true;
}

static bool has_vertices(fnd_import *import, const fnd_scan *s, const fnd_ply *ply)
{
    int uses[FND_PLY_STRIPS + 1] = {0};
    for (int i = 0; i < ply->property_count; i++) uses[ply->properties[i].use]++;
    if (uses[FND_PLY_X] == 1 && uses[FND_PLY_Y] == 1 && uses[FND_PLY_Z] == 1) return true;
    return fnd_import_refuse(import, s->line, "the vertices of the PLY file have no coordinates", "no x, y, z",
                             "an element 'vertex' with properties x, y, z", "export the mesh anew");
}

bool fnd_ply_read_header(fnd_import *import, fnd_ply *ply)
{
    fnd_scan s = fnd_scan_open(import->bytes, import->length);
    const char *text, *element = "";
    size_t length = fnd_scan_word_here(&s, &text), element_length = 0;
    memset(ply, 0, sizeof *ply);
    if (length != 3 || memcmp(text, "ply", 3) != 0)
        return fnd_import_refuse(import, 1, "the file is no PLY", fnd_words_of(text, length).text, "'ply' at its start",
                                 "is this the file meant?");
    bool format = false;
    for (;;) {
        fnd_scan_next_line(&s);
        length = fnd_scan_word_here(&s, &text);
        if (fnd_scan_is(text, length, "end_header")) break;
        bool good = true;
        if (fnd_scan_is(text, length, "format")) good = format = read_format(import, &s, ply);
        else if (fnd_scan_is(text, length, "element")) {
            fnd_scan name = s;
            element_length = fnd_scan_word_here(&name, &element);
            good = read_element(import, &s, ply);
        } else if (fnd_scan_is(text, length, "property"))
            good = read_property(import, &s, ply, element, element_length);
        else if (s.at >= s.end && length == 0)
            return fnd_import_refuse(import, s.line, "the header of the PLY file has no end", "the end of the file",
                                     "'end_header'", "is the file whole?");
        else if (length > 0 && !fnd_scan_is(text, length, "comment") && !fnd_scan_is(text, length, "obj_info"))
            good = complain(import, &s, text, length, "format, comment, element, property or end_header");
        if (!good) return false;
    }
    if (!format) return complain(import, &s, text, length, "a line 'format ascii 1.0', or another format, before it");
    if (!has_vertices(import, &s, ply)) return false;
    /* exactly one line break; of a binary body nothing more may be skipped */
    if (s.at < s.end && *s.at == '\r') s.at++;
    if (s.at < s.end && *s.at == '\n') {
        s.at++;
        s.line++;
    }
    ply->body = s;
    return true;
}
