/* PLY files: vertices, polygons and strips out of their elements, in text or in binary of either order. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "import/binary.h"
#include "import/ply.h"
#include "text/number.h"

typedef struct ply_reader {
    fnd_import *import;
    fnd_ply header;
    fnd_scan s; /* the place in the body; of a binary one without lines */
} ply_reader;

static fnd_words place(const ply_reader *r)
{
    return fnd_words_make("at byte %zu", (size_t)((const unsigned char *)r->s.at - r->import->bytes));
}

static bool refuse(ply_reader *r, const char *message, const char *found, const char *expected)
{
    fnd_words whole = fnd_words_make("%s, %s", message, place(r).text);
    return fnd_import_refuse(r->import, r->header.text ? r->s.line : 0, r->header.text ? message : whole.text, found,
                             expected, "is the file whole?");
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
    return refuse(r, fnd_words_make("'%s' is no finite number", found.text).text, found.text, "a finite number");
}

static double binary_number(const unsigned char *at, fnd_ply_type type, bool big)
{
    int size = fnd_ply_size(type);
    if (type == FND_PLY_FLOAT32) return fnd_binary_float32(at, big);
    if (type == FND_PLY_FLOAT64) return fnd_binary_float64(at, big);
    bool has_sign = type == FND_PLY_INT8 || type == FND_PLY_INT16 || type == FND_PLY_INT32;
    return has_sign ? (double)fnd_binary_signed(at, size, big) : (double)fnd_binary_bits(at, size, big);
}

/* A number of any type; not of text where it is no number, nor behind the end. */
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
    return refuse(r, fnd_words_make("the file has no vertex %s", found.text).text, found.text,
                  fnd_words_make("0 to %lu", (unsigned long)r->header.vertex_count - 1).text);
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
        fnd_scan before = r->s;
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
    for (uint64_t i = 0; i < e->count; i++)
        if (!read_one(r, e)) return false;
    return true;
}

static bool read_elements(ply_reader *r)
{
    if (!fnd_ply_read_header(r->import, &r->header)) return false;
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
