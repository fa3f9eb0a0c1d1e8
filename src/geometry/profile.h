/* Plane regions bounded by loops: checked, put in order, divided into triangles. */
#ifndef FND_GEOMETRY_PROFILE_H
#define FND_GEOMETRY_PROFILE_H

#include <fender/solid.h>

typedef struct fnd_loops {
    fender_vec2 *points; /* [m]; the outline counter-clockwise, holes clockwise: the region lies to the left */
    fender_vec2 *scaled; /* the same over a power of two, at most 1, for the predicates */
    int *ends;           /* of each loop: the index after its last point */
    int point_count, loop_count, capacity, loop_capacity;
} fnd_loops;

/* Copies a profile without needless points and puts its loops in order. False with the error filled; then there is
 * nothing to close. */
bool fnd_loops_open(const fender_env *env, const fender_profile *profile, fnd_loops *loops, fender_error *error);
void fnd_loops_close(const fender_env *env, fnd_loops *loops);
/* The point that follows point i in its loop `loop`. */
static inline int fnd_loop_next(const fnd_loops *loops, int loop, int i)
{
    return i + 1 < loops->ends[loop] ? i + 1 : loop > 0 ? loops->ends[loop - 1] : 0;
}

/* Triangles of the region, counter-clockwise, of its points alone: points + 2 (loops - 1) - 2 of them. False with the
 * error filled. */
static inline int fnd_loops_triangle_count(const fnd_loops *loops)
{
    return loops->point_count + 2 * (loops->loop_count - 1) - 2;
}
bool fnd_loops_triangulate(const fender_env *env, const fnd_loops *loops, int32_t (*triangles)[3], fender_error *error);

#endif
