/* Solids made by formulas, and their bytes in every format that is read: what the import tests compare. */
#ifndef FND_TEST_MESH_BYTES_H
#define FND_TEST_MESH_BYTES_H

#include <fender/mesh_file.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOLID_MAX 4096
typedef struct solid {
    fender_vec3 points[SOLID_MAX];
    int corners[8 * SOLID_MAX]; /* of all polygons */
    int sizes[2 * SOLID_MAX];
    int point_count, corner_count, polygon_count;
} solid;

typedef struct bytes {
    char data[1 << 20];
    size_t length;
} bytes;

static inline void put(bytes *b, const void *data, size_t length)
{
    if (b->length + length > sizeof b->data) abort();
    memcpy(b->data + b->length, data, length);
    b->length += length;
}
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void
say(bytes *b, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(b, text, (size_t)length);
}
static inline void put_bits(bytes *b, uint64_t bits, int size, bool big)
{
    for (int i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(bits >> 8 * (big ? size - 1 - i : i) & 255);
        put(b, &byte, 1);
    }
}
static inline void put_float32(bytes *b, double value, bool big)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    put_bits(b, bits, 4, big);
}
static inline void put_float64(bytes *b, double value, bool big)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put_bits(b, bits, 8, big);
}

static inline int add_point(solid *s, double x, double y, double z)
{
    s->points[s->point_count] = fender_vec3_make(x, y, z);
    return s->point_count++;
}
static inline void add_polygon(solid *s, int size, const int *corners)
{
    memcpy(s->corners + s->corner_count, corners, (size_t)size * sizeof *corners);
    s->corner_count += size;
    s->sizes[s->polygon_count++] = size;
}

/* A box of whole sides, quadrilaterals. */
static inline void make_box(solid *s, double a, double b, double c)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; i++) add_point(s, i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0);
    for (int i = 0; i < 6; i++) {
        int face[4];
        for (int k = 0; k < 4; k++) face[k] = faces[i][k] + s->point_count - 8;
        add_polygon(s, 4, face);
    }
}

/* A prism of height h over a polygon that need not be convex: two polygons of n corners, n quadrilaterals. */
static inline void make_prism(solid *s, const fender_vec2 *outline, int n, double h)
{
    int first = s->point_count, cap[64];
    for (int i = 0; i < n; i++) add_point(s, outline[i].x, outline[i].y, 0);
    for (int i = 0; i < n; i++) add_point(s, outline[i].x, outline[i].y, h);
    for (int i = 0; i < n; i++) cap[i] = first + n - 1 - i;
    add_polygon(s, n, cap);
    for (int i = 0; i < n; i++) cap[i] = first + n + i;
    add_polygon(s, n, cap);
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        add_polygon(s, 4, (const int[4]){first + i, first + j, first + n + j, first + n + i});
    }
}

/* A torus of n x m quadrilaterals as two triangles each: genus 1, coordinates that are no short decimals. */
static inline void make_torus(solid *s, int n, int m, double r, double t)
{
    const double pi = acos(-1);
    int first = s->point_count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double u = 2 * pi * i / n, v = 2 * pi * j / m;
            add_point(s, (r + t * cos(v)) * cos(u), (r + t * cos(v)) * sin(u), t * sin(v));
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int a = first + i * m + j, b = first + (i + 1) % n * m + j;
            int c = first + (i + 1) % n * m + (j + 1) % m, d = first + i * m + (j + 1) % m;
            add_polygon(s, 3, (const int[3]){a, b, c});
            add_polygon(s, 3, (const int[3]){a, c, d});
        }
}

/* ---- formats; numbers of texts with 17 digits, so that they read back to the same bits */

static inline void as_obj(const solid *s, bytes *b, bool negative)
{
    b->length = 0;
    say(b, "# generated\no thing\ng group one\n");
    for (int i = 0; i < s->point_count; i++)
        say(b, "v %.17g %.17g %.17g\n", s->points[i].x, s->points[i].y, s->points[i].z);
    const int *c = s->corners;
    for (int i = 0; i < s->polygon_count; c += s->sizes[i++]) {
        say(b, "f");
        for (int k = 0; k < s->sizes[i]; k++) {
            if (negative) say(b, " %d//1", c[k] - s->point_count);
            else say(b, k % 2 ? " %d/7" : " %d", c[k] + 1);
        }
        say(b, "\r\n");
    }
}

static inline void as_ply(const solid *s, bytes *b, const char *format)
{
    bool text = strcmp(format, "ascii") == 0, big = strcmp(format, "binary_big_endian") == 0;
    b->length = 0;
    /* elements and properties that nobody asked for lie between those that are wanted */
    say(b,
        "ply\nformat %s 1.0\ncomment generated\nelement extra 2\nproperty list uchar short junk\nproperty double q\n"
        "element vertex %d\nproperty uchar red\nproperty double x\nproperty double y\nproperty double z\n"
        "element face %d\nproperty list ushort float weights\nproperty list uchar int vertex_indices\nend_header\n",
        format, s->point_count, s->polygon_count);
    for (int i = 0; i < 2; i++) {
        if (text) say(b, "3 1 2 -3 1e300\n");
        else {
            put_bits(b, 3, 1, big);
            for (int k = 0; k < 3; k++) put_bits(b, 0xFFFE, 2, big);
            put_float64(b, 1e300, big);
        }
    }
    for (int i = 0; i < s->point_count; i++) {
        const fender_vec3 *p = &s->points[i];
        if (text) say(b, "255 %.17g %.17g %.17g\n", p->x, p->y, p->z);
        else {
            put_bits(b, 255, 1, big);
            put_float64(b, p->x, big);
            put_float64(b, p->y, big);
            put_float64(b, p->z, big);
        }
    }
    const int *c = s->corners;
    for (int i = 0; i < s->polygon_count; c += s->sizes[i++]) {
        if (text) say(b, "1 0.5 %d", s->sizes[i]);
        else {
            put_bits(b, 1, 2, big);
            put_float32(b, 0.5, big);
            put_bits(b, (uint64_t)s->sizes[i], 1, big);
        }
        for (int k = 0; k < s->sizes[i]; k++) {
            if (text) say(b, " %d", c[k]);
            else put_bits(b, (uint32_t)c[k], 4, big);
        }
        if (text) say(b, "\n");
    }
}

/* The points lie in an object within a group: the two undo each other's shift and quarter turn exactly. */
static inline void as_ac3d(const solid *s, bytes *b)
{
    b->length = 0;
    say(b,
        "AC3Db\nMATERIAL \"\" rgb 1 1 1  amb 0.2 0.2 0.2  emis 0 0 0  spec 0.5 0.5 0.5  shi 10  trans 0\n"
        "OBJECT world\nkids 2\nOBJECT group\nname \"a b\"\nrot 0 1 0 -1 0 0 0 0 1\nkids 1\n"
        "OBJECT poly\nname \"inner\"\ndata 11\nkids 5\nSURF\nrot 0 -1 0 1 0 0 0 0 1\ncrease 45.0\nnumvert %d\n",
        s->point_count);
    for (int i = 0; i < s->point_count; i++)
        say(b, "%.17g %.17g %.17g\n", s->points[i].x, s->points[i].y, s->points[i].z);
    say(b, "numsurf %d\n", s->polygon_count + 1);
    const int *c = s->corners;
    for (int i = 0; i < s->polygon_count; c += s->sizes[i++]) {
        say(b, "SURF 0x10\nmat 0\nrefs %d\n", s->sizes[i]);
        for (int k = 0; k < s->sizes[i]; k++) say(b, "%d 0.5 0.25\n", c[k]);
    }
    say(b, "SURF 0x2\nmat 0\nrefs 2\n0 0 0\n1 0 0\nkids 0\nOBJECT light\nname \"sun\"\nloc 1 2 3\nkids 0\n");
}

/* Triangles as another import has divided the polygons; corners repeated, as STL has it. */
static inline void as_stl_text(const fender_mesh_def *mesh, bytes *b)
{
    b->length = 0;
    say(b, "solid any name at all\n");
    for (int i = 0; i < mesh->triangle_count; i++) {
        say(b, " facet normal nan 0 0\n  outer loop\n");
        for (int k = 0; k < 3; k++) {
            fender_vec3 p = mesh->vertices[mesh->triangles[3 * i + k]];
            say(b, "   vertex %.17g %.17g %.17g\n", p.x, p.y, p.z);
        }
        say(b, "  endloop\n endfacet\n");
    }
    say(b, "endsolid any name at all\n");
}
static inline void as_stl_binary(const fender_mesh_def *mesh, bytes *b)
{
    static const char title[80] = "solid by its title, binary by its length";
    b->length = 0;
    put(b, title, 80);
    put_bits(b, (uint32_t)mesh->triangle_count, 4, false);
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) put_float32(b, 0, false);
        for (int k = 0; k < 3; k++) {
            fender_vec3 p = mesh->vertices[mesh->triangles[3 * i + k]];
            put_float32(b, p.x, false);
            put_float32(b, p.y, false);
            put_float32(b, p.z, false);
        }
        put_bits(b, 0, 2, false);
    }
}

static inline fender_mesh_file *parse_as(fender_mesh_format format, const bytes *b, const fender_mesh_import *given,
                                         fender_error *error)
{
    fender_mesh_import import = given ? *given : fender_mesh_import_default();
    import.format = format;
    return fender_mesh_file_parse(NULL, "generated", b->data, b->length, &import, error);
}

#endif
