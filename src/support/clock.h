/* Time that passes for the user. */
#ifndef FND_SUPPORT_CLOCK_H
#define FND_SUPPORT_CLOCK_H

#include <time.h>

/* s; since any moment. */
static inline double fnd_wall_time(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
