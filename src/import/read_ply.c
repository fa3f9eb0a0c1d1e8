/* PLY files: their header, and vertices, polygons and strips out of their elements, in text or in binary. */
#include "import/import.h"
#include "support/number.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- Header ---- */

static bool complain(fnd_import *import, const fnd_word_scan *s, const char *text, size_t length, const char *expected)
{
    fnd_words found = fnd_words_of(text, length);
    return fnd_import_refuse(import, s->line,
                             fnd_words_make("'%s' does not belong there in the header of a PLY file", found.text).text,
                             found.text, expected, "check whether the file is complete");
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

static bool read_format(fnd_import *import, fnd_word_scan *s, fnd_ply *ply)
{
    const char *text;
    size_t length = fnd_scan_word_here(s, &text);
    ply->text = fnd_scan_is(text, length, "ascii");
    ply->big_endian = fnd_scan_is(text, length, "binary_big_endian");
    if (ply->text || ply->big_endian || fnd_scan_is(text, length, "binary_little_endian")) return true;
    return complain(import, s, text, length, "ascii, binary_little_endian or binary_big_endian");
}

static bool read_element_line(fnd_import *import, fnd_word_scan *s, fnd_ply *ply)
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

static bool read_property(fnd_import *import, fnd_word_scan *s, fnd_ply *ply, const char *element_name,
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

static bool has_vertices(fnd_import *import, const fnd_word_scan *s, const fnd_ply *ply)
{
    int uses[FND_PLY_STRIPS + 1] = {0};
    for (int i = 0; i < ply->property_count; i++) uses[ply->properties[i].use]++;
    if (uses[FND_PLY_X] == 1 && uses[FND_PLY_Y] == 1 && uses[FND_PLY_Z] == 1) return true;
    return fnd_import_refuse(import, s->line, "the vertices of the PLY file have no coordinates", "no x, y, z",
                             "an element 'vertex' with properties x, y, z", "export the mesh again");
}

static bool ply_read_header(fnd_import *import, fnd_ply *ply)
{
    fnd_word_scan s = fnd_scan_open(import->bytes, import->length);
    const char *text, *element = "";
    size_t length = fnd_scan_word_here(&s, &text), element_length = 0;
    memset(ply, 0, sizeof *ply);
    if (length != 3 || memcmp(text, "ply", 3) != 0)
        return fnd_import_refuse(import, 1, "the file is not a PLY file", fnd_words_of(text, length).text,
                                 "'ply' at its start", "check the file name");
    bool format = false;
    for (;;) {
        fnd_scan_next_line(&s);
        length = fnd_scan_word_here(&s, &text);
        if (fnd_scan_is(text, length, "end_header")) break;
        bool good = true;
        if (fnd_scan_is(text, length, "format")) good = format = read_format(import, &s, ply);
        else if (fnd_scan_is(text, length, "element")) {
            fnd_word_scan name = s;
            element_length = fnd_scan_word_here(&name, &element);
            good = read_element_line(import, &s, ply);
        } else if (fnd_scan_is(text, length, "property"))
            good = read_property(import, &s, ply, element, element_length);
        else if (s.at >= s.end && length == 0)
            return fnd_import_refuse(import, s.line, "the header of the PLY file has no end", "the end of the file",
                                     "'end_header'", "check whether the file is complete");
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

/* ---- Elements ---- */

typedef struct ply_reader {
    fnd_import *import;
    fnd_ply header;
    fnd_word_scan s; /* the place in the body; of a binary one without lines */
    int crowded;     /* the first line of a text that holds more than its element; 0: none */
} ply_reader;

static fnd_words place(const ply_reader *r)
{
    return fnd_words_make("at byte %zu", (size_t)((const unsigned char *)r->s.at - r->import->bytes));
}

static bool refuse(ply_reader *r, const char *message, const char *found, const char *expected)
{
    fnd_words whole = fnd_words_make("%s, %s", message, place(r).text);
    fnd_words remedy = fnd_words_make("check whether the file is complete");
    if (r->crowded > 0)
        remedy = fnd_words_make("line %d holds more numbers than the header declares for its element", r->crowded);
    return fnd_import_refuse(r->import, r->header.text ? r->s.line : 0, r->header.text ? message : whole.text, found,
                             expected, remedy.text);
}

static bool ends(ply_reader *r, const char *what)
{
    return refuse(r, fnd_words_make("the file ends within its %s", what).text, "the end of the file",
                  "as many as the header says");
}

static bool read_text_number(ply_reader *r, double *value)
{
    const char *text;
    size_t used, length = fnd_scan_word(&r->s, &text);
    if (length == 0) return ends(r, "elements");
    if (fnd_number_parse(text, length, value, &used) && used == length) return true;
    fnd_words found = fnd_words_of(text, length);
    return refuse(r, fnd_words_make("'%s' is not a finite number", found.text).text, found.text, "a finite number");
}

static double binary_number(const unsigned char *at, fnd_ply_type type, bool big)
{
    int size = fnd_ply_size(type);
    if (type == FND_PLY_FLOAT32) return fnd_binary_float32(at, big);
    if (type == FND_PLY_FLOAT64) return fnd_binary_float64(at, big);
    bool has_sign = type == FND_PLY_INT8 || type == FND_PLY_INT16 || type == FND_PLY_INT32;
    return has_sign ? (double)fnd_binary_signed(at, size, big) : (double)fnd_binary_bits(at, size, big);
}

/* A number of any type; not of text where it is not a number, nor behind the end. */
static bool read_number(ply_reader *r, fnd_ply_type type, double *value)
{
    if (r->header.text) return read_text_number(r, value);
    int size = fnd_ply_size(type);
    if (r->s.end - r->s.at < size) return ends(r, "elements");
    *value = binary_number((const unsigned char *)r->s.at, type, r->header.big_endian);
    r->s.at += size;
    return true;
}

static bool read_index(ply_reader *r, fnd_ply_type type, int32_t *index)
{
    double value;
    if (!read_number(r, type, &value)) return false;
    if (value >= 0 && value < (double)r->header.vertex_count && value == floor(value)) {
        *index = (int32_t)value;
        return true;
    }
    fnd_words found = fnd_words_number(value);
    const unsigned long count = (unsigned long)r->header.vertex_count;
    return refuse(r, fnd_words_make("the file has no vertex %s", found.text).text, found.text,
                  count > 0 ? fnd_words_make("0 to %lu", count - 1).text : "a face of vertices that the file has");
}

static bool read_polygon(ply_reader *r, fnd_ply_type type, uint64_t count)
{
    if (count < 3) {
        r->import->report.other++;
        for (double value; count > 0; count--)
            if (!read_number(r, type, &value)) return false;
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        int32_t index;
        if (!read_index(r, type, &index) || !fnd_import_corner(r->import, index)) return false;
    }
    return fnd_import_polygon(r->import, (size_t)count);
}

/* Triangles of three vertices in a row, every other turned round; -1 begins a new strip. */
static bool read_strips(ply_reader *r, fnd_ply_type type, uint64_t count)
{
    int32_t last[2] = {0, 0};
    for (uint64_t i = 0, run = 0; i < count; i++, run++) {
        fnd_word_scan before = r->s;
        double value;
        if (!read_number(r, type, &value)) return false;
        if (value == -1) {
            run = UINT64_MAX; /* becomes 0 */
            continue;
        }
        int32_t index;
        r->s = before;
        if (!read_index(r, type, &index)) return false;
        if (run >= 2) {
            bool odd = run % 2 == 1;
            if (!fnd_import_corner(r->import, last[odd ? 1 : 0]) || !fnd_import_corner(r->import, last[odd ? 0 : 1]) ||
                !fnd_import_corner(r->import, index) || !fnd_import_polygon(r->import, 3))
                return false;
        }
        last[0] = last[1];
        last[1] = index;
    }
    return true;
}

static bool read_list(ply_reader *r, const fnd_ply_property *p)
{
    double count;
    if (!read_number(r, p->count, &count)) return false;
    if (!(count >= 0) || count != floor(count) || count > INT_MAX) {
        fnd_words found = fnd_words_number(count);
        return refuse(r, fnd_words_make("a list cannot have %s elements", found.text).text, found.text,
                      "a whole number, 0 or more");
    }
    size_t left = (size_t)(r->s.end - r->s.at), size = (size_t)fnd_ply_size(p->type);
    if (count * (r->header.text ? 1 : (double)size) > (double)left) {
        fnd_words found = fnd_words_number(count);
        return refuse(r, fnd_words_make("a list of %s elements is longer than the file", found.text).text, found.text,
                      fnd_words_make("what %zu bytes hold", left).text);
    }
    if (p->use == FND_PLY_POLYGON) return read_polygon(r, p->type, (uint64_t)count);
    if (p->use == FND_PLY_STRIPS) return read_strips(r, p->type, (uint64_t)count);
    if (!r->header.text) {
        r->s.at += (size_t)count * size;
        return true;
    }
    for (double value; count > 0; count--)
        if (!read_text_number(r, &value)) return false;
    return true;
}

static bool read_one(ply_reader *r, const fnd_ply_element *e)
{
    double v[3] = {0, 0, 0};
    for (int i = e->first; i < e->end; i++) {
        const fnd_ply_property *p = &r->header.properties[i];
        double value;
        if (p->count != FND_PLY_NONE) {
            if (!read_list(r, p)) return false;
            continue;
        }
        if (!read_number(r, p->type, &value)) return false;
        if (p->use == FND_PLY_SKIP) continue;
        if (!isfinite(value)) {
            r->s.at -= fnd_ply_size(p->type); /* texts hold none */
            return refuse(r, fnd_words_make("a coordinate of vertex %zu is not finite", r->import->vertex_count).text,
                          "no finite number", "finite coordinates");
        }
        v[p->use - FND_PLY_X] = value;
    }
    return !e->vertex || fnd_import_vertex(r->import, v[0], v[1], v[2]);
}

static bool read_element(ply_reader *r, const fnd_ply_element *e)
{
    if (e->first == e->end) return true; /* nothing to read, however many there are */
    size_t left = (size_t)(r->s.end - r->s.at);
    /* a number of a text takes a character and what parts it from the next */
    size_t least = r->header.text ? 2 * (size_t)(e->end - e->first) : e->size;
    if (e->count > (left + 1) / least) {
        fnd_words count = fnd_words_make("%llu elements", (unsigned long long)e->count);
        return refuse(r, fnd_words_make("%s are more than the file has room for", count.text).text, count.text,
                      fnd_words_make("at most %zu in the %zu bytes that follow", (left + 1) / least, left).text);
    }
    if (e->vertex && !fnd_import_reserve(r->import, (size_t)e->count, 0, 0)) return false;
    bool used = e->vertex || e->has_list;
    if (!used && !r->header.text) {
        r->s.at += e->count * e->size;
        return true;
    }
    for (uint64_t i = 0; i < e->count; i++) {
        if (!read_one(r, e)) return false;
        fnd_word_scan rest = r->s;
        const char *text;
        if (r->header.text && r->crowded == 0 && fnd_scan_word_here(&rest, &text) > 0) r->crowded = r->s.line;
    }
    return true;
}

static bool read_elements(ply_reader *r)
{
    if (!ply_read_header(r->import, &r->header)) return false;
    r->s = r->header.body;
    if (r->header.vertex_count > INT32_MAX)
        return refuse(r, "the file has more vertices than can be counted", "2147483648 and more", "2147483647 at most");
    for (int i = 0; i < r->header.element_count; i++)
        if (!read_element(r, &r->header.elements[i])) return false;
    return true;
}

bool fnd_import_ply(fnd_import *import)
{
    ply_reader *r = fnd_import_allocate(import, 1, sizeof *r);
    if (!r) return false;
    memset(r, 0, sizeof *r);
    r->import = import;
    bool good = read_elements(r);
    fnd_import_release(import, r, 1, sizeof *r);
    return good;
}
