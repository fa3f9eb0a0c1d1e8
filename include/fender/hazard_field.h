/* fender/hazard_field.h - generated terrain for landings: craters, hills, rocks and roughness on a height grid.
 *
 * A field depends only on its description: every random number is a function of the seed and a counter, so that the
 * same description gives the same bits on every machine. Lengths are in m; x and y are measured from the middle of the
 * field, heights from its base plane. Profiles and sources: docs/models/hazard_field.md. */
#ifndef FENDER_HAZARD_FIELD_H
#define FENDER_HAZARD_FIELD_H

#include "geometry.h"

/* Features of one kind. The number of features larger than D is proportional to D^-2. */
typedef struct fender_hazard_kind {
    int count;          /* 0: none */
    double least, most; /* m; range of diameters, at the rim or the base; 0 < least <= most */
    double height;      /* relative to the diameter: depth of a fresh crater below its rim, height of a hill or rock */
} fender_hazard_kind;

typedef struct fender_hazard_field {
    double size[2]; /* m; along x and y */
    int cells[2];   /* along x and y, 1 to 10,000; each has two triangles */
    uint64_t seed;
    fender_hazard_kind craters, hills, rocks;
    double roughness; /* m; largest height of the roughness, with wavelengths down to two cells; 0: none */
} fender_hazard_field;

/* 100 m x 100 m in 708 x 708 cells (1,002,528 triangles), 100 craters of 2 to 30 m, 20 hills of 10 to 50 m, 500 rocks
 * of 0.3 to 3 m, 2 cm of roughness. */
FENDER_API fender_hazard_field fender_hazard_field_default(void);
/* VALUE if a member is invalid; error->path names it. */
FENDER_API fender_status fender_hazard_field_check(const fender_hazard_field *field, fender_error *error);
/* Writes (cells[0] + 1) x (cells[1] + 1) heights, x varying fastest, and fills the definition of a grid. grid->heights
 * is `heights`, which the caller owns. Allocates nothing. */
FENDER_API fender_status fender_hazard_field_heights(const fender_hazard_field *field, double *heights,
                                                     fender_grid_def *grid, fender_error *error);

#endif
