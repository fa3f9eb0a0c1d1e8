/* The digits that a number needs to be read back: the quick way, which may leave a number to the slow one. */
#ifndef FND_TEXT_SHORTEST_H
#define FND_TEXT_SHORTEST_H

#include <stdbool.h>

/* magnitude: finite, positive. The fewest digits, without trailing zeros, that read back to it, as if printed to 15, 16
 * or 17 places (*precision); *exponent: of ten, of the first digit. False, about once in a million: not found here. */
bool fnd_shortest_digits(double magnitude, char digits[20], int *count, int *exponent, int *precision);

#endif
