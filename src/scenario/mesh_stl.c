/* STL files: text ("solid") and binary (80 bytes, a count, 50 bytes to a triangle). */
#include <string.h>

#include "scenario/mesh_file.h"
#include "text/number.h"

/* ---- binary */

static uint32_t word(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double real(const unsigned char *b)
{
    uint32_t bits = word(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool read_binary(fnd_mesh_builder *mesh, uint32_t count)
{
    const unsigned char *at = (const unsigned char *)mesh->source->text + 84;
    for (uint32_t t = 0; t < count; t++, at += 50) {
        int32_t first = mesh->corner_count;
        for (int k = 0; k < 3; k++) {
            const unsigned char *c = at + 12 + 12 * k; /* behind the normal, which the corners give better */
            if (!fnd_mesh_add_corner(mesh, fender_vec3_make(real(c), real(c + 4), real(c + 8)))) return false;
        }
        if (!fnd_mesh_add_triangle(mesh, first, first + 1, first + 2)) return false;
    }
    return true;
}

/* ---- text */

typedef struct scanner {
    const char *at, *end;
    int line;
} scanner;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/* The next word; length 0 at the end of the text. */
static size_t next_word(scanner *s, const char **start)
{
    while (s->at < s->end && is_space(*s->at)) s->line += *s->at++ == '\n';
    *start = s->at;
    while (s->at < s->end && !is_space(*s->at)) s->at++;
    return (size_t)(s->at - *start);
}

static bool is_word(const char *text, size_t length, const char *word_text)
{
    if (strlen(word_text) != length) return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != word_text[i]) return false;
    }
    return true;
}

static fnd_phrase shown(fnd_mesh_builder *mesh, const char *text, size_t length)
{
    char *copy = length > 0 ? fnd_keep_text(mesh->reader, text, length < 80 ? length : 80) : NULL;
    return copy ? fnd_shown(copy) : fnd_phrase_make("the end of the file");
}

static bool expect(fnd_mesh_builder *mesh, scanner *s, const char *wanted)
{
    const char *text;
    size_t length = next_word(s, &text);
    if (is_word(text, length, wanted)) return true;
    fnd_phrase found = shown(mesh, text, length);
    return fnd_mesh_complain(mesh, s->line, fnd_phrase_make("'%s' stands where '%s' should", found.text, wanted).text,
                             found.text, fnd_phrase_make("'%s'", wanted).text,
                             "is the file whole? facet normal, outer loop, three vertices, endloop, endfacet");
}

static bool read_vertex(fnd_mesh_builder *mesh, scanner *s)
{
    double v[3];
    if (!expect(mesh, s, "vertex")) return false;
    for (int i = 0; i < 3; i++) {
        const char *text;
        size_t length = next_word(s, &text), used = 0;
        if (fnd_number_parse(text, length, &v[i], &used) && used == length) continue;
        fnd_phrase found = shown(mesh, text, length);
        return fnd_mesh_complain(mesh, s->line, fnd_phrase_make("'%s' is not a finite coordinate", found.text).text,
                                 found.text, "three finite numbers behind 'vertex'", "export the mesh anew");
    }
    return fnd_mesh_add_corner(mesh, fender_vec3_make(v[0], v[1], v[2]));
}

static bool read_facet(fnd_mesh_builder *mesh, scanner *s)
{
    const char *text;
    if (!expect(mesh, s, "normal")) return false;
    for (int i = 0; i < 3; i++) (void)next_word(s, &text); /* often 0 or nan; the corners give it better */
    if (!expect(mesh, s, "outer") || !expect(mesh, s, "loop")) return false;
    int32_t first = mesh->corner_count;
    for (int k = 0; k < 3; k++)
        if (!read_vertex(mesh, s)) return false;
    return expect(mesh, s, "endloop") && expect(mesh, s, "endfacet") &&
           fnd_mesh_add_triangle(mesh, first, first + 1, first + 2);
}

static void skip_line(scanner *s)
{
    while (s->at < s->end && *s->at != '\n') s->at++;
}

/* One or more of: solid NAME, facets, endsolid NAME. */
static bool read_text(fnd_mesh_builder *mesh)
{
    scanner s = {mesh->source->text, mesh->source->text + mesh->source->length, 1};
    bool open = false;
    for (;;) {
        const char *text;
        size_t length = next_word(&s, &text);
        if (length == 0 && !open) return true;
        if (!open && is_word(text, length, "solid")) {
            skip_line(&s);
            open = true;
        } else if (open && is_word(text, length, "facet")) {
            if (!read_facet(mesh, &s)) return false;
        } else if (open && is_word(text, length, "endsolid")) {
            skip_line(&s);
            open = false;
        } else {
            fnd_phrase found = shown(mesh, text, length);
            return fnd_mesh_complain(mesh, s.line,
                                     fnd_phrase_make("'%s' does not belong into an STL file", found.text).text,
                                     found.text, open ? "'facet' or 'endsolid'" : "'solid'", "is the file whole?");
        }
    }
}

bool fnd_mesh_read_stl(fnd_mesh_builder *mesh)
{
    const char *text = mesh->source->text;
    size_t length = mesh->source->length;
    uint32_t count = length >= 84 ? word((const unsigned char *)text + 80) : 0;
    if (length >= 84 && 84 + 50 * (uint64_t)count == length) return read_binary(mesh, count);
    size_t space = 0;
    while (space < length && is_space(text[space])) space++;
    /* "solid" may begin the title of a binary file, too; no text holds a byte of 0 */
    if (length - space >= 5 && is_word(text + space, 5, "solid") && !memchr(text, 0, length)) return read_text(mesh);
    if (length < 84)
        return fnd_mesh_complain(mesh, 0, "the file is no STL", fnd_phrase_make("%d bytes", (int)length).text,
                                 "'solid' at its start, or 84 bytes and more", "is the file whole?");
    fnd_phrase expected = fnd_digits(84 + 50 * (double)count, "");
    return fnd_mesh_complain(
        mesh, 0, "the length of the binary STL does not fit its count of triangles",
        fnd_phrase_make("%s bytes", fnd_digits((double)length, "").text).text,
        fnd_phrase_make("%s bytes for %s triangles", expected.text, fnd_digits(count, "").text).text,
        "is the file whole?");
}
