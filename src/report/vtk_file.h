/* Files of VTK's PolyData (.vtp): points, cells of one kind, arrays of numbers and words with them. */
#ifndef FND_REPORT_VTK_FILE_H
#define FND_REPORT_VTK_FILE_H

#include "support/memory.h"

/* One value a point, or a cell. `type`: "Float64", "Int32", or "String" with a NUL behind each word. */
typedef struct fnd_vtk_array {
    const char *type, *name;
    int components;
    const char *bytes;
    size_t length;
} fnd_vtk_array;

typedef struct fnd_vtk_piece {
    const char *cells;            /* "Verts", "Lines" or "Polys" */
    int points, count;            /* of points and of cells */
    int corners;                  /* points of one cell */
    const char *places;           /* m; three doubles a point */
    const int32_t *corner_points; /* `corners` for each cell; NULL: 0, 1, 2, .. */
    const fnd_vtk_array *point_arrays, *cell_arrays;
    int point_array_count, cell_array_count;
} fnd_vtk_piece;

fender_status fnd_vtk_write(const fender_allocator *allocator, const fnd_vtk_piece *piece, const char *path,
                            fender_error *error);

#endif
