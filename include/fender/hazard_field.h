/* fender/hazard_field.h - generated terrain to land on: craters, hills, rocks and roughness on a height grid.
 *
 * A field is a function of its description alone: every number comes from the seed and a counter, so that the same
 * description gives the same bits everywhere. Lengths in m; x and y from the middle of the field, heights above the
 * plane on which everything was put. Profiles and their sources: docs/models/hazard_field.md. */
#ifndef FENDER_HAZARD_FIELD_H
#define FENDER_HAZARD_FIELD_H

#include "geometry.h"

/* So many of a kind, of sizes between two: the number of those larger than D falls as D to the power -2. */
typedef struct fender_hazard_kind {
    int count;          /* 0: none */
    double least, most; /* m; diameter: rim to rim, or of the foot; 0 < least <= most */
    double height;      /* part of the diameter: depth of a fresh crater below its rim, height of a hill or rock */
} fender_hazard_kind;

typedef struct fender_hazard_field {
    double size[2]; /* m; along x and y */
    int cells[2];   /* each is two triangles; 1 to 10,000 */
    uint64_t seed;
    fender_hazard_kind craters, hills, rocks;
    double roughness; /* m; the largest height of the ground between them, of waves down to two cells; 0: none */
} fender_hazard_field;

/* 100 m x 100 m in 708 x 708 cells (1,002,528 triangles), 100 craters of 2 to 30 m, 20 hills of 10 to 50 m, 500 rocks
 * of 0.3 to 3 m, 2 cm of roughness. */
FENDER_API fender_hazard_field fender_hazard_field_default(void);
/* VALUE, with path the member, when something cannot be. */
FENDER_API fender_status fender_hazard_field_check(const fender_hazard_field *field, fender_error *error);
/* Fills (cells[0] + 1) x (cells[1] + 1) heights, x running first, and what else makes a grid of them; grid->heights is
 * `heights`, which stays the caller's. Allocates nothing. */
FENDER_API fender_status fender_hazard_field_heights(const fender_hazard_field *field, double *heights,
                                                     fender_grid_def *grid, fender_error *error);

#endif
