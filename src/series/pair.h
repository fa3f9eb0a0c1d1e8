/* Between pairing of channels and comparing their values. */
#ifndef FND_SERIES_PAIR_H
#define FND_SERIES_PAIR_H

#include "series/compare.h"

/* Fills rows, differences and verdict of *c. times_b, values_b: in A's units, one a row of B's table. */
void fnd_compare_values(const fnd_compare_def *def, const double *times_b, const double *values_b, double absolute,
                        double relative, fnd_comparison *c);

#endif
