/* fender/mesh_file.h - terrain and solids from files: triangle meshes (STL, OBJ, PLY, AC3D) and height grids (ESRI
 * ASCII, raw and ENVI rasters, GDAL if built in). Files are read in double precision, checked and repaired, with a
 * report, and can be written. Library fender_io. Formats, repairs and sources: docs/formats/meshes.md.
 *
 * Files contain lengths in a unit that they do not state; all lengths below are in metres. Vertices have the axes of
 * the file. Far from the origin of the file (planet-fixed or map coordinates), a local origin is subtracted exactly
 * (fender_mesh_report.origin). Vertices are never rotated: an orientation belongs to the pose of the shape.
 *
 * Memory and time are bounded by the size of the file. Files may be read on any thread; a fender_mesh_file is
 * immutable.
 */
#ifndef FENDER_MESH_FILE_H
#define FENDER_MESH_FILE_H

#include "base.h"
#include "geometry.h"
#include "spatial.h"

/* Larger files are refused. */
#define FENDER_MESH_FILE_LIMIT ((size_t)512 << 20)

typedef enum fender_mesh_format {
    FENDER_MESH_FORMAT_BY_NAME, /* by the extension: .stl .obj .ply .ac .asc .raw .tif .tiff .img .lbl .vrt */
    FENDER_MESH_FORMAT_STL,     /* ASCII or binary, detected by content */
    FENDER_MESH_FORMAT_OBJ,     /* v and f; polygons become triangles */
    FENDER_MESH_FORMAT_PLY,     /* ascii, binary_little_endian, binary_big_endian */
    FENDER_MESH_FORMAT_AC3D,    /* objects with their loc and rot; lines are ignored */
    FENDER_MESH_FORMAT_ESRI,    /* ESRI ASCII grid */
    FENDER_MESH_FORMAT_RAW,     /* numbers row by row, described by fender_raster_layout or an ENVI header */
    FENDER_MESH_FORMAT_GDAL,    /* any format of GDAL; NOT_BUILT unless built with FENDER_WITH_GDAL */
    FENDER_MESH_FORMAT_COUNT
} fender_mesh_format;
/* "stl", "obj", "ply", "ac3d", "esri", "raw", "gdal"; "by name" for BY_NAME; NULL past the end. */
FENDER_API const char *fender_mesh_format_name(fender_mesh_format format);
/* Format of a file by its extension; BY_NAME if the extension is unknown. */
FENDER_API fender_mesh_format fender_mesh_format_of(const char *path);

/* Type of the numbers in a raw file. */
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

/* Layout of a raw file, unless columns is 0: then `header` defines it. Lengths are in the unit of the file. */
typedef struct fender_raster_layout {
    int columns, rows;
    fender_raster_type type;
    bool big_endian;
    bool south_first;           /* the first row has the smallest y (false: the largest, as on maps) */
    int64_t skip;               /* bytes before the first number */
    fender_vec2 lower, spacing; /* x and y of the south-west height; distance of columns and of rows, above 0 */
    bool has_no_data;
    double no_data; /* marker of missing heights */
} fender_raster_layout;

/* Treatment of grid points without a height (no data, NaN). */
typedef enum fender_gaps {
    FENDER_GAPS_REFUSE, /* an error (VALUE) that states their number */
    FENDER_GAPS_FILL,   /* set to `fill_height` */
    FENDER_GAPS_SPREAD, /* set to the mean of known neighbours, ring by ring inward */
    FENDER_GAPS_HOLE    /* no triangles there; the grid becomes a mesh */
} fender_gaps;
/* Orientation of facets. Both orient the facets of each part consistently. */
typedef enum fender_facing {
    FENDER_FACING_MEND, /* closed parts face outward, open parts up (`up`) */
    FENDER_FACING_ALIKE /* each part keeps the orientation of most of its area */
} fender_facing;

typedef struct fender_mesh_import {
    fender_mesh_format format;
    double unit;       /* m per unit of the file; above 0 */
    fender_vec3 scale; /* additional factors of x, y, z; after a reflection facets are flipped to face outward again */
    double weld;       /* m; vertices nearer than this are merged; identical vertices always are */
    double cluster;    /* m; > 0: the vertices in each cube of this size are replaced by their mean (coarser meshes) */
    int stride;        /* of grids: every stride-th row and column is kept; 1: all */
    fender_gaps gaps;
    double fill_height; /* m, after unit and scale */
    fender_facing facing;
    fender_vec3 up;   /* for open parts; (0, 0, 0): z, or away from the file's origin for surfaces around it */
    bool keep_origin; /* do not subtract a local origin */
    bool as_mesh;     /* convert grids to triangles */
    fender_raster_layout raster; /* RAW */
    const char *header;          /* RAW: text of an ENVI header; NULL: `raster`, or the .hdr file next to the path */
    size_t header_length;
    const char *header_name; /* for messages */
} fender_mesh_import;
/* Defaults: unit m, only identical vertices merged, gaps refused. */
FENDER_API fender_mesh_import fender_mesh_import_default(void);

/* Report: contents, repairs and remaining problems. */
typedef struct fender_mesh_report {
    fender_mesh_format format;
    int64_t file_vertices, file_polygons; /* numbers in the file; of a grid: heights, and 0 */
    /* repairs */
    int64_t welded;           /* vertices merged into another */
    int64_t unused;           /* vertices without a facet, dropped */
    int64_t degenerate;       /* facets without area, dropped */
    int64_t duplicate;        /* facets with the same three vertices as another, dropped */
    int64_t flipped;          /* facets flipped to agree with their neighbours */
    int64_t flipped_parts;    /* parts flipped as a whole: inside out, or facing down */
    int64_t crossed_polygons; /* self-intersecting polygons, triangulated approximately */
    int64_t gaps;             /* missing heights of a grid, in the rows and columns kept */
    int64_t other;            /* elements of the file that are not surfaces: lines, points */
    /* result */
    int64_t vertices, facets;
    int64_t parts;                      /* connected by edges */
    int64_t open_parts;                 /* parts with a border */
    int64_t border_edges;               /* edges of one facet */
    int64_t holes;                      /* closed loops of border edges; an open sheet has one, its rim */
    int64_t crowded_edges;              /* edges of more than two facets */
    int64_t one_sided;                  /* edges that cannot be oriented consistently (a Moebius band) */
    bool closed;                        /* every edge has two consistent facets: the mesh encloses a volume */
    bool is_grid;                       /* heights above a raster */
    int columns, rows;                  /* of a grid */
    fender_vec2 spacing;                /* m, of a grid */
    double area;                        /* m^2; of all triangles */
    double volume;                      /* m^3, when closed; else 0 */
    double shortest_edge, longest_edge; /* m */
    fender_box bounds;                  /* m, axes and origin of the file */
    fender_vec3 origin; /* m; subtracted from every vertex; (0, 0, 0) unless the mesh is far from its origin */
    bool unit_suspect;  /* smaller than 1 mm or larger than 1000 km */
    int64_t cliffs;     /* neighbours in a grid whose heights differ by more than 300 times their distance: a grid in
                         * degrees, or missing heights that are not marked as missing */
} fender_mesh_report;

typedef struct fender_mesh_file fender_mesh_file;
/* Reads, checks and repairs a mesh or grid; `parse` reads it from memory. `env` NULL: the default. `name` is used in
 * messages and, with BY_NAME, selects the format. NULL on failure: FILE, PARSE with source and line (for binary files
 * the message states the byte), VALUE, MEMORY, NOT_BUILT. */
FENDER_API fender_mesh_file *fender_mesh_file_read(const fender_env *env, const char *path,
                                                   const fender_mesh_import *import, fender_error *error);
FENDER_API fender_mesh_file *fender_mesh_file_parse(const fender_env *env, const char *name, const void *bytes,
                                                    size_t length, const fender_mesh_import *import,
                                                    fender_error *error);
FENDER_API void fender_mesh_file_destroy(fender_mesh_file *mesh);

FENDER_API const fender_mesh_report *fender_mesh_file_report(const fender_mesh_file *mesh);
/* The repaired triangles [m, relative to report.origin]; borrowed. None for a grid, unless read with as_mesh. */
FENDER_API fender_mesh_def fender_mesh_file_triangles(const fender_mesh_file *mesh);
/* The grid [m, relative to report.origin]; heights is NULL if the file is a mesh. Borrowed. */
FENDER_API fender_grid_def fender_mesh_file_grid(const fender_mesh_file *mesh);
/* Creates the geometry, a grid or mesh relative to report.origin: place it at pose.p + pose.R origin. */
FENDER_API fender_geometry *fender_mesh_file_geometry(const fender_mesh_file *mesh, const fender_env *env,
                                                      fender_error *error);

/* Writes triangles in metres, including the origin, as .stl, .obj or .ply (binary, doubles). .obj and .ply read back to
 * the same bits. .stl (binary) is refused if its 32-bit numbers would move a vertex by more than 1e-6 of the shortest
 * edge. */
FENDER_API fender_status fender_mesh_file_write(const fender_mesh_file *mesh, const fender_env *env, const char *path,
                                                fender_error *error);
/* True if this library is built with GDAL. */
FENDER_API bool fender_mesh_has_gdal(void);

#endif
