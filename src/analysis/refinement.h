/* What convergence studies take for rounding. */
#ifndef FND_ANALYSIS_REFINEMENT_H
#define FND_ANALYSIS_REFINEMENT_H

/* Differences below this part of the values are rounding: a run of 1e5 steps loses some hundred units of the last place
 * at worst. */
#define FND_ROUNDING_PART 1e-13

#endif
