/* Checks whose figures stand in docs/verification.md, which scripts/verification_table makes from what they print. */
#ifndef TEST_VERIFIED_H
#define TEST_VERIFIED_H

#include "check.h"

/* check_near, told. The case, what of it is compared, its unit ("1" without), and where the expected value comes from.
 */
#define check_verified(name, quantity, unit, source, found, expected, allowed) \
    check_verified_at((name), (quantity), (unit), (source), (found), (expected), (allowed), __FILE__, __LINE__)
static inline void check_verified_at(const char *name, const char *quantity, const char *unit, const char *source,
                                     double found, double expected, double allowed, const char *file, int line)
{
    printf("verified\t%s\t%s\t%s\t%s\t%.9g\t%.9g\t%.1e\t%.1e\n", name, quantity, unit, source, expected, found,
           fabs(found - expected), allowed);
    check_near_at(found, expected, allowed, file, line);
}

#endif
