/* Shared by the readers: growing arrays, errors, words and numbers of files, edges of facets. */
#ifndef FND_IMPORT_IMPORT_H
#define FND_IMPORT_IMPORT_H

#include <fender/mesh_file.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct fnd_import {
    fender_env env;
    const char *name; /* of the file, for messages */
    const unsigned char *bytes;
    size_t length;
    const fender_mesh_import *def;
    fender_error *error; /* never NULL */
    fender_mesh_report report;
    /* What readers give: polygons of vertices in the unit of the file, later triangles in metres ... */
    fender_vec3 *vertices;
    size_t vertex_count, vertex_capacity;
    int32_t *corners; /* of all polygons, one after another */
    size_t corner_count, corner_capacity;
    int32_t *sizes; /* corners of each polygon; NULL: three each */
    size_t size_count, size_capacity;
    /* ... or heights above a raster, rows from the south, NaN where there is none. */
    double *heights;
    size_t height_capacity;
    int columns, rows;
    fender_vec2 lower, spacing;
} fnd_import;

/* A short text by printf's rules; %s and integers alone. */
typedef struct fnd_words {
    char text[240];
} fnd_words;
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
fnd_words
fnd_words_make(const char *format, ...);
/* Bytes of the file as they may be shown; "nothing" for none. */
fnd_words fnd_words_of(const char *text, size_t length);
fnd_words fnd_words_number(double value);

/* PARSE in a line of the file; 0: of the whole file. False, so that a reader may return it. */
bool fnd_import_refuse(fnd_import *import, int line, const char *message, const char *found, const char *expected,
                       const char *suggestion);
/* VALUE, of the whole file. */
bool fnd_import_refuse_value(fnd_import *import, const char *message, const char *found, const char *expected,
                             const char *suggestion);

/* Memory of the host, not cleared; NULL after the error. */
void *fnd_import_allocate(fnd_import *import, size_t count, size_t size);
void fnd_import_release(fnd_import *import, void *memory, size_t count, size_t size);

/* ---- polygons.c: what readers call; false after the error */

bool fnd_import_reserve(fnd_import *import, size_t vertices, size_t corners, size_t polygons);
bool fnd_import_vertex(fnd_import *import, double x, double y, double z);
bool fnd_import_corner(fnd_import *import, int32_t vertex);
/* Ends a polygon of the last `size` corners (three or more). */
bool fnd_import_polygon(fnd_import *import, size_t size);

/* ---- readers, a file each; false after the error */

bool fnd_import_stl(fnd_import *import);
bool fnd_import_obj(fnd_import *import);
bool fnd_import_ply(fnd_import *import);
bool fnd_import_ac3d(fnd_import *import);
bool fnd_import_esri(fnd_import *import);
bool fnd_import_raw(fnd_import *import);
bool fnd_import_gdal(fnd_import *import);
/* Memory for columns x rows heights, set to NaN. */
bool fnd_import_raster(fnd_import *import, int columns, int rows);

/* ---- stages behind the readers, in this order; false after the error */

bool fnd_import_scale(fnd_import *import);       /* scale.c: into metres about the local origin */
bool fnd_import_grid(fnd_import *import);        /* grid.c: stride, gaps; makes triangles of a grid where asked for */
bool fnd_import_weld(fnd_import *import);        /* weld.c: equal and near vertices */
bool fnd_import_triangulate(fnd_import *import); /* triangulate.c: polygons into triangles */
bool fnd_import_cluster(fnd_import *import);     /* weld.c: coarser meshes */
bool fnd_import_mend(fnd_import *import);        /* mend.c: degenerate and duplicate facets, facing, unused vertices */
bool fnd_import_measure(fnd_import *import);     /* measure.c: area, volume, edges, bounds */

/* 2 A n of the triangle, and whether rounding of the corners may have decided it. */
fender_vec3 fnd_import_area_vector(fender_vec3 a, fender_vec3 b, fender_vec3 c);

/* Hashing of what is looked up in tables of powers of two. */
static inline uint64_t fnd_import_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 32;
    h *= UINT64_C(0xD6E8FEB86659FD93);
    return h ^ h >> 29;
}

/* ---- Numbers out of bytes of either order. */

static inline uint64_t fnd_binary_bits(const unsigned char *b, int size, bool big)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) bits = bits << 8 | b[big ? i : size - 1 - i];
    return bits;
}
static inline uint32_t fnd_binary_uint32(const unsigned char *b, bool big)
{
    return (uint32_t)fnd_binary_bits(b, 4, big);
}
/* Two's complement. */
static inline int64_t fnd_binary_signed(const unsigned char *b, int size, bool big)
{
    uint64_t bits = fnd_binary_bits(b, size, big), sign = UINT64_C(1) << (8 * size - 1);
    return (bits & sign) ? -(int64_t)(~bits & (sign - 1)) - 1 : (int64_t)bits;
}
static inline double fnd_binary_float32(const unsigned char *b, bool big)
{
    uint32_t bits = fnd_binary_uint32(b, big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}
static inline double fnd_binary_float64(const unsigned char *b, bool big)
{
    uint64_t bits = fnd_binary_bits(b, 8, big);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- Words of a text, one after another, with the number of the line. */

typedef struct fnd_word_scan {
    const char *at, *end;
    int line;
} fnd_word_scan;

fnd_word_scan fnd_scan_open(const void *text, size_t length);
/* The next word, across lines; length 0 at the end of the text. */
size_t fnd_scan_word(fnd_word_scan *scan, const char **start);
/* The next word of this line; length 0 at its end. */
size_t fnd_scan_word_here(fnd_word_scan *scan, const char **start);
/* Behind the break of this line. */
void fnd_scan_next_line(fnd_word_scan *scan);
/* The same word, capital letters or not? `word` in small ones. */
bool fnd_scan_is(const char *text, size_t length, const char *word);
/* A whole number of decimal or 0x digits, perhaps with a sign, that a double holds exactly. */
bool fnd_scan_integer(const char *text, size_t length, int64_t *value);

/* `count` finite numbers, across lines or (`here`) in this one. PARSE: "'abc' is not a finite WHAT". */
bool fnd_scan_numbers(fnd_import *import, fnd_word_scan *scan, bool here, int count, double *values, const char *what,
                      const char *expected);
/* A count of things that take at least `bytes` bytes each of what is left of the text. */
bool fnd_scan_count(fnd_import *import, fnd_word_scan *scan, const char *what, size_t bytes, size_t *count);

/* ---- Which facets meet at which edges. */

/* Half-edges: number 3 f + k runs from corner k of facet f to the next. */
typedef struct fnd_topology {
    size_t count;   /* half-edges */
    int32_t *mates; /* the other half-edge of an edge of two facets, whichever way it runs; -1: none; of an edge of
                       three and more -2 - (the first of them) */
    int64_t border_edges, crowded_edges;
} fnd_topology;

static inline size_t fnd_half_edge_next(size_t h) { return h % 3 == 2 ? h - 2 : h + 1; }

/* Of facets whose corners are three different vertices. False without memory. */
bool fnd_topology_open(fnd_import *import, fnd_topology *topology);
void fnd_topology_close(fnd_import *import, fnd_topology *topology);

/* facing.c: turns facets so that neighbours agree and the parts look the right way; counts parts in the report. */
bool fnd_import_face(fnd_import *import, const fnd_topology *topology);
/* holes.c: rims, and whether the mesh is closed. */
bool fnd_import_count_holes(fnd_import *import, const fnd_topology *topology);

/* ---- What the header of a PLY file tells. */

#define FND_PLY_ELEMENT_LIMIT  64
#define FND_PLY_PROPERTY_LIMIT 1024 /* of all elements together */

typedef enum fnd_ply_type {
    FND_PLY_NONE, /* no list */
    FND_PLY_INT8,
    FND_PLY_UINT8,
    FND_PLY_INT16,
    FND_PLY_UINT16,
    FND_PLY_INT32,
    FND_PLY_UINT32,
    FND_PLY_FLOAT32,
    FND_PLY_FLOAT64
} fnd_ply_type;

typedef enum fnd_ply_use { FND_PLY_SKIP, FND_PLY_X, FND_PLY_Y, FND_PLY_Z, FND_PLY_POLYGON, FND_PLY_STRIPS } fnd_ply_use;

typedef struct fnd_ply_property {
    fnd_ply_type count, type; /* count: of a list */
    fnd_ply_use use;
} fnd_ply_property;
typedef struct fnd_ply_element {
    uint64_t count;
    int first, end; /* its properties */
    size_t size;    /* bytes of one in a binary file, lists by their counts alone */
    bool has_list, vertex;
} fnd_ply_element;
typedef struct fnd_ply {
    bool text, big_endian;
    int element_count, property_count;
    fnd_ply_element elements[FND_PLY_ELEMENT_LIMIT];
    fnd_ply_property properties[FND_PLY_PROPERTY_LIMIT];
    uint64_t vertex_count;
    fnd_word_scan body; /* what follows the header */
} fnd_ply;

static inline int fnd_ply_size(fnd_ply_type type)
{
    static const int sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

#endif
