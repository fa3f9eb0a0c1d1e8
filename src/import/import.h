/* What the stages of an import share: the bytes, what readers have found in them, words for errors. */
#ifndef FND_IMPORT_IMPORT_H
#define FND_IMPORT_IMPORT_H

#include <fender/mesh_file.h>

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
/* Layout of a raw file out of an ENVI header. */
bool fnd_import_envi(fnd_import *import, const char *text, size_t length, const char *name,
                     fender_raster_layout *layout);
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
bool fnd_import_is_sliver(fender_vec3 a, fender_vec3 b, fender_vec3 c);

/* Hashing of what is looked up in tables of powers of two. */
static inline uint64_t fnd_import_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 32;
    h *= UINT64_C(0xD6E8FEB86659FD93);
    return h ^ h >> 29;
}

#endif
