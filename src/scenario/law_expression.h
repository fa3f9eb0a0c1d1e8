/* Laws that are formulas: `force` or `coefficient`, and the `constants` in it. */
#ifndef FND_SCENARIO_LAW_EXPRESSION_H
#define FND_SCENARIO_LAW_EXPRESSION_H

#include "scenario/value.h"

/* Is it one of the laws `expression` and `friction_expression`? */
bool fnd_law_is_expression(const fender_law *law);
/* Keys of the map of such a law that are no parameters, NULL-ended. */
const char *const *fnd_law_expression_keys(const fender_law *law);
/* Its formula in the map; NULL: the law is none, or it is missing. */
const char *fnd_law_formula(const fnd_node *map, const fender_law *law);
/* Compiles the expression of the map into the parameters, which have been read, and lets the law try it. What is wrong
 * is in the diagnostics. */
void fnd_read_law_expression(fnd_reader *reader, fnd_node *map, const fender_law *law, void *parameters);

#endif
