/* Short names of operations on eight numbers and eight vectors, for sources that are formulas of them. */
#ifndef FND_GEOMETRY_LANE_ALGEBRA_H
#define FND_GEOMETRY_LANE_ALGEBRA_H

#include "geometry/lanes.h"

typedef fnd_doubles lanes;
typedef fnd_doubles_vector vectors;

static inline lanes all(double s) { return fnd_doubles_all(s); }
static inline lanes plus(lanes a, lanes b) { return fnd_doubles_add(a, b); }
static inline lanes minus(lanes a, lanes b) { return fnd_doubles_less(a, b); }
static inline lanes times(lanes a, lanes b) { return fnd_doubles_times(a, b); }
static inline lanes over(lanes a, lanes b) { return fnd_doubles_over(a, b); }
static inline lanes larger(lanes a, lanes b) { return fnd_doubles_most(a, b); }
static inline lanes size_of(lanes a) { return larger(a, minus(all(0), a)); }
static inline lanes dot(vectors a, vectors b) { return fnd_doubles_dot(&a, &b); }
static inline vectors cross(vectors a, vectors b) { return fnd_doubles_cross(&a, &b); }
static inline vectors from_to(vectors a, vectors b) { return fnd_doubles_between(&a, &b); }
static inline vectors divided(vectors a, lanes by) { return (vectors){over(a.x, by), over(a.y, by), over(a.z, by)}; }
static inline vectors scaled(lanes s, vectors a) { return (vectors){times(s, a.x), times(s, a.y), times(s, a.z)}; }
static inline vectors add_scaled(vectors a, lanes s, vectors b)
{
    return (vectors){plus(a.x, times(s, b.x)), plus(a.y, times(s, b.y)), plus(a.z, times(s, b.z))};
}
static inline vectors chosen(unsigned mask, vectors a, vectors b) /* a where the bit is set */
{
    return (vectors){fnd_doubles_select(mask, a.x, b.x), fnd_doubles_select(mask, a.y, b.y),
                     fnd_doubles_select(mask, a.z, b.z)};
}

#endif
