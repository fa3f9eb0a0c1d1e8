/* Traps are looked at first: without any, which is the rule, nothing is saved. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fegetexcept */
#endif
#include "base/traps.h"

bool fnd_traps_hold(fenv_t *host)
{
#if defined(__GLIBC__)
    return fegetexcept() > 0 && feholdexcept(host) == 0;
#else
    (void)host; /* other libraries have no function that sets traps */
    return false;
#endif
}
