/* Functions of the comparison that only tests use, in addition to fender/comparison.h. */
#ifndef FND_ANALYSIS_COMPARISON_H
#define FND_ANALYSIS_COMPARISON_H

#include <fender/comparison.h>

/* What `name` is called by a map of a comparison; false when the map's left side does not fit it, or the text does not.
 */
bool fnd_map_name(const char *map, const char *name, char *to, size_t size);

#endif
