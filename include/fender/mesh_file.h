/* fender/mesh_file.h - terrain and solids out of files: triangle meshes (STL, OBJ, PLY, AC3D) and height grids (ESRI
 * ASCII, raw and ENVI rasters, GDAL where it is built in), read in double, checked, mended, reported, written again.
 * Library fender_io. Formats, rules of mending and sources: docs/formats/meshes.md.
 *
 * Numbers of a file are lengths in a unit that the file does not know; everything below is in metres. Vertices have the
 * axes of the file. Far from the file's origin (planet-fixed or map coordinates) a local origin is subtracted, exactly:
 * see fender_mesh_report.origin. Nothing here turns vertices: an orientation belongs to the pose of the shape.
 *
 * Memory and time are bounded by the size of the file, whatever it holds. Any thread may read files; a fender_mesh_file
 * does not change.
 */
#ifndef FENDER_MESH_FILE_H
#define FENDER_MESH_FILE_H

#include "base.h"
#include "geometry.h"
#include "spatial.h"

/* Larger files are refused. */
#define FENDER_MESH_FILE_LIMIT ((size_t)512 << 20)

typedef enum fender_mesh_format {
    FENDER_MESH_FORMAT_BY_NAME, /* by the ending: .stl .obj .ply .ac .asc .raw .tif .tiff .img .lbl .vrt */
    FENDER_MESH_FORMAT_STL,     /* ASCII or binary, told by the content */
    FENDER_MESH_FORMAT_OBJ,     /* v and f; polygons become triangles */
    FENDER_MESH_FORMAT_PLY,     /* ascii, binary_little_endian, binary_big_endian */
    FENDER_MESH_FORMAT_AC3D,    /* objects with their loc and rot; lines are left out */
    FENDER_MESH_FORMAT_ESRI,    /* ESRI ASCII grid */
    FENDER_MESH_FORMAT_RAW,     /* numbers row by row, described by fender_raster_layout or an ENVI header */
    FENDER_MESH_FORMAT_GDAL,    /* whatever GDAL reads; NOT_BUILT unless built with FENDER_WITH_GDAL */
    FENDER_MESH_FORMAT_COUNT
} fender_mesh_format;
/* "stl", "obj", "ply", "ac3d", "esri", "raw", "gdal"; "by name" for BY_NAME; NULL past the end. */
FENDER_API const char *fender_mesh_format_name(fender_mesh_format format);
/* The format that the ending of a file's name tells; BY_NAME when it tells none. */
FENDER_API fender_mesh_format fender_mesh_format_of(const char *path);

/* Numbers of a raw file. */
typedef enum fender_raster_type {
    FENDER_RASTER_UINT8,
    FENDER_RASTER_INT16,
    FENDER_RASTER_UINT16,
    FENDER_RASTER_INT32,
    FENDER_RASTER_UINT32,
    FENDER_RASTER_FLOAT32,
    FENDER_RASTER_FLOAT64,
    FENDER_RASTER_TYPE_COUNT
} fender_raster_type;
FENDER_API const char *fender_raster_type_name(fender_raster_type type); /* "int16"; NULL past the end */

/* Layout of a raw file; columns 0: it stands in `header`. Lengths are in the unit of the file. */
typedef struct fender_raster_layout {
    int columns, rows;
    fender_raster_type type;
    bool big_endian;
    bool south_first;           /* the first row is that of the least y (false: of the largest, as on maps) */
    int64_t skip;               /* bytes before the first number */
    fender_vec2 lower, spacing; /* place of the height of least x and y; distance of columns and of rows, above 0 */
    bool has_no_data;
    double no_data; /* what stands where there is no height */
} fender_raster_layout;

/* Treatment of grid points without a height (no data, NaN). */
typedef enum fender_gaps {
    FENDER_GAPS_REFUSE, /* VALUE, with their number */
    FENDER_GAPS_FILL,   /* they get `fill_height` */
    FENDER_GAPS_SPREAD, /* the mean of neighbours that have one, ring by ring inward */
    FENDER_GAPS_HOLE    /* no triangles there: the grid becomes a mesh */
} fender_gaps;
/* Which way the fronts of facets look. */
typedef enum fender_facing {
    FENDER_FACING_MEND, /* closed parts outward, open parts up (`up`); neighbours alike */
    FENDER_FACING_ALIKE /* neighbours alike, each part as most of its area was; nothing is turned as a whole */
} fender_facing;

typedef struct fender_mesh_import {
    fender_mesh_format format;
    double unit;       /* m per unit of the file; above 0 */
    fender_vec3 scale; /* factors of x, y, z besides; a mirror image (odd number of negative ones) turns the facets */
    double weld;       /* m; vertices of the same coordinates always become one, with > 0 also those nearer than this */
    double cluster;    /* m; > 0: all vertices of a cube of this size become their mean (coarser meshes) */
    int stride;        /* of grids: every stride-th row and column is kept; 1 for all */
    fender_gaps gaps;
    double fill_height; /* m, after unit and scale */
    fender_facing facing;
    fender_vec3 up;   /* of open parts; (0, 0, 0): z, or away from the file's origin for what lies around a planet */
    bool keep_origin; /* never subtract a local origin */
    bool as_mesh;     /* grids become triangles */
    fender_raster_layout raster; /* RAW */
    const char *header; /* RAW: text of an ENVI header; NULL: `raster`, or when read from a path the .hdr beside it */
    size_t header_length;
    const char *header_name; /* for messages */
} fender_mesh_import;
/* Metres, nothing welded but equal corners, gaps refused. */
FENDER_API fender_mesh_import fender_mesh_import_default(void);

/* Report: contents, repairs and remaining problems. */
typedef struct fender_mesh_report {
    fender_mesh_format format;
    int64_t file_vertices, file_polygons; /* as the file has them; of a grid heights and 0 */
    /* mended */
    int64_t welded;           /* vertices that became one with another */
    int64_t unused;           /* vertices without a facet, dropped */
    int64_t degenerate;       /* facets without area, dropped */
    int64_t duplicate;        /* facets of the same three vertices as another, dropped */
    int64_t flipped;          /* facets turned to agree with their neighbours */
    int64_t flipped_parts;    /* parts turned over as a whole: inside out, or facing down */
    int64_t crossed_polygons; /* polygons that cross themselves; divided as well as may be */
    int64_t gaps;             /* places of a grid without a height, in the rows and columns that were kept */
    int64_t other;            /* things in the file that are no surface: lines, points */
    /* result */
    int64_t vertices, facets;
    int64_t parts;                      /* connected by edges */
    int64_t open_parts;                 /* with a border */
    int64_t border_edges;               /* of one facet */
    int64_t holes;                      /* closed loops of border edges; an open sheet has one, its rim */
    int64_t crowded_edges;              /* of more than two facets */
    int64_t one_sided;                  /* edges across which facets cannot agree (a Moebius band) */
    bool closed;                        /* every edge has two facets that agree: the mesh bounds a volume */
    bool is_grid;                       /* heights above a raster */
    int columns, rows;                  /* of a grid */
    fender_vec2 spacing;                /* m, of a grid */
    double area;                        /* m^2; of a grid that of its triangles */
    double volume;                      /* m^3, when closed; else 0 */
    double shortest_edge, longest_edge; /* m */
    fender_box bounds;                  /* m, axes and origin of the file */
    fender_vec3 origin; /* m; what was subtracted from every vertex: (0, 0, 0) unless the mesh lies far away */
    bool unit_suspect;  /* smaller than 1 mm or larger than 1000 km */
} fender_mesh_report;

typedef struct fender_mesh_file fender_mesh_file;
/* Reads, checks and mends. NULL with the error filled: FILE, PARSE with source and line (binary files: the byte in the
 * message), VALUE, MEMORY, NOT_BUILT. `env` NULL: the default. `parse` takes the bytes of a file from memory; `name`
 * stands for it in messages and, with BY_NAME, tells the format. */
FENDER_API fender_mesh_file *fender_mesh_file_read(const fender_env *env, const char *path,
                                                   const fender_mesh_import *import, fender_error *error);
FENDER_API fender_mesh_file *fender_mesh_file_parse(const fender_env *env, const char *name, const void *bytes,
                                                    size_t length, const fender_mesh_import *import,
                                                    fender_error *error);
FENDER_API void fender_mesh_file_destroy(fender_mesh_file *mesh);

FENDER_API const fender_mesh_report *fender_mesh_file_report(const fender_mesh_file *mesh);
/* The mended triangles [m, about report.origin]; borrowed. Of a grid: none, unless it was taken as a mesh. */
FENDER_API fender_mesh_def fender_mesh_file_triangles(const fender_mesh_file *mesh);
/* The raster [m, about report.origin]; heights NULL when the file has none. Borrowed. */
FENDER_API fender_grid_def fender_mesh_file_grid(const fender_mesh_file *mesh);
/* A geometry of it, grid or mesh, about report.origin: place it at pose.p + pose.R origin. */
FENDER_API fender_geometry *fender_mesh_file_geometry(const fender_mesh_file *mesh, const fender_env *env,
                                                      fender_error *error);

/* Writes triangles in metres, origin added again, as .stl (binary; refused where its 32-bit numbers would move a vertex
 * by more than 1e-6 of the shortest edge), .obj or .ply (binary, doubles): these read back to the same bits. */
FENDER_API fender_status fender_mesh_file_write(const fender_mesh_file *mesh, const fender_env *env, const char *path,
                                                fender_error *error);
/* Is this library built with GDAL? */
FENDER_API bool fender_mesh_has_gdal(void);

#endif
