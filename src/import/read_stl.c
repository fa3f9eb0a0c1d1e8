/* STL files: text ("solid") and binary (80 bytes, a count, 50 bytes to a triangle). */
#include <math.h>
#include <string.h>

#include "import/binary.h"
#include "import/scan.h"

static bool read_binary(fnd_import *import, uint32_t count)
{
    const unsigned char *at = import->bytes + 84;
    if (!fnd_import_reserve(import, 3 * (size_t)count, 3 * (size_t)count, count)) return false;
    for (uint32_t t = 0; t < count; t++, at += 50) {
        for (int k = 0; k < 3; k++) {
            const unsigned char *c = at + 12 + 12 * k; /* behind the normal, which the corners give better */
            double x = fnd_binary_float32(c, false), y = fnd_binary_float32(c + 4, false),
                   z = fnd_binary_float32(c + 8, false);
            if (!isfinite(x) || !isfinite(y) || !isfinite(z)) {
                size_t byte = (size_t)(c - import->bytes);
                return fnd_import_refuse(import, 0,
                                         fnd_words_make("corner %d of triangle %lu, at byte %zu, is not finite", k + 1,
                                                        (unsigned long)t + 1, byte)
                                             .text,
                                         "a coordinate that is no finite number", "finite coordinates",
                                         "export the mesh anew");
            }
            if (!fnd_import_corner(import, (int32_t)import->vertex_count) || !fnd_import_vertex(import, x, y, z))
                return false;
        }
        if (!fnd_import_polygon(import, 3)) return false;
    }
    return true;
}

/* ---- text */

static fnd_words shown(const char *text, size_t length)
{
    return length > 0 ? fnd_words_of(text, length) : fnd_words_make("the end of the file");
}

static bool expect(fnd_import *import, fnd_scan *s, const char *wanted)
{
    const char *text;
    size_t length = fnd_scan_word(s, &text);
    if (fnd_scan_is(text, length, wanted)) return true;
    fnd_words found = shown(text, length);
    return fnd_import_refuse(import, s->line, fnd_words_make("'%s' stands where '%s' should", found.text, wanted).text,
                             found.text, fnd_words_make("'%s'", wanted).text,
                             "is the file whole? facet normal, outer loop, three vertices, endloop, endfacet");
}

static bool read_facet(fnd_import *import, fnd_scan *s)
{
    const char *text;
    if (!expect(import, s, "normal")) return false;
    for (int i = 0; i < 3; i++) (void)fnd_scan_word(s, &text); /* often 0 or nan; the corners give it better */
    if (!expect(import, s, "outer") || !expect(import, s, "loop")) return false;
    for (int k = 0; k < 3; k++) {
        double v[3];
        if (!expect(import, s, "vertex") ||
            !fnd_scan_numbers(import, s, false, 3, v, "coordinate", "three finite numbers behind 'vertex'") ||
            !fnd_import_corner(import, (int32_t)import->vertex_count) || !fnd_import_vertex(import, v[0], v[1], v[2]))
            return false;
    }
    return expect(import, s, "endloop") && expect(import, s, "endfacet") && fnd_import_polygon(import, 3);
}

/* One or more of: solid NAME, facets, endsolid NAME. */
static bool read_text(fnd_import *import)
{
    fnd_scan s = fnd_scan_open(import->bytes, import->length);
    bool open = false;
    for (;;) {
        const char *text;
        size_t length = fnd_scan_word(&s, &text);
        if (length == 0 && !open) return true;
        if (!open && fnd_scan_is(text, length, "solid")) {
            fnd_scan_next_line(&s);
            open = true;
        } else if (open && fnd_scan_is(text, length, "facet")) {
            if (!read_facet(import, &s)) return false;
        } else if (open && fnd_scan_is(text, length, "endsolid")) {
            fnd_scan_next_line(&s);
            open = false;
        } else {
            fnd_words found = shown(text, length);
            return fnd_import_refuse(import, s.line,
                                     fnd_words_make("'%s' does not belong into an STL file", found.text).text,
                                     found.text, open ? "'facet' or 'endsolid'" : "'solid'", "is the file whole?");
        }
    }
}

bool fnd_import_stl(fnd_import *import)
{
    size_t length = import->length;
    uint32_t count = length >= 84 ? fnd_binary_uint32(import->bytes + 80, false) : 0;
    if (length >= 84 && 84 + 50 * (uint64_t)count == length) return read_binary(import, count);
    fnd_scan s = fnd_scan_open(import->bytes, length);
    const char *text;
    /* "solid" may begin the title of a binary file, too; no text holds a byte of 0 */
    if (fnd_scan_word(&s, &text) >= 5 && fnd_scan_is(text, 5, "solid") && !memchr(import->bytes, 0, length))
        return read_text(import);
    if (length < 84)
        return fnd_import_refuse(import, 0, "the file is no STL", fnd_words_make("%zu bytes", length).text,
                                 "'solid' at its start, or 84 bytes and more", "is the file whole?");
    return fnd_import_refuse(
        import, 0, "the length of the binary STL does not fit its count of triangles",
        fnd_words_make("%zu bytes", length).text,
        fnd_words_make("%llu bytes for %lu triangles", 84 + 50 * (unsigned long long)count, (unsigned long)count).text,
        "is the file whole?");
}
