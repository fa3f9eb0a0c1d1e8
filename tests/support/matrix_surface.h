/* The matrix under test: grids and meshes against everything. */
#ifndef TEST_MATRIX_SURFACE_H
#define TEST_MATRIX_SURFACE_H

#include "matrix.h"

/* All cells of grids and of meshes, `poses` of each class; the environment names cells as for matrix_run_all, with
 * `grid` and `mesh` for MATRIX_A. Returns how many failed. */
int matrix_run_surfaces(bool grids, bool meshes, int poses);

#endif
