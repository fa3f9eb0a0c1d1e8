/* Numbers as text, read and printed alike in every locale. Nothing here allocates. */
#ifndef FND_SUPPORT_NUMBER_H
#define FND_SUPPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fnd_number_result {
    FND_NUMBER_OK,
    FND_NUMBER_MISSING,     /* no digit where the number should begin */
    FND_NUMBER_OVERFLOW,    /* larger than the largest double */
    FND_NUMBER_NOT_FINITE,  /* the words inf, infinity, nan, also with a point before them */
    FND_NUMBER_HEXADECIMAL, /* 0x10 */
    FND_NUMBER_UNDERSCORE   /* 1_000 */
} fnd_number_result;

/* Reads the longest decimal number at the start of text: `1`, `.001`, `+2.`, `1e-3`; no space before it. The result is
 * the double nearest to the decimal, whatever its length. *used = bytes read; when the number is refused, the bytes of
 * what is refused (0 for MISSING) and *value is untouched. */
fnd_number_result fnd_number_read(const char *text, size_t length, double *value, size_t *used);
/* The same; true for OK. */
bool fnd_number_parse(const char *text, size_t length, double *value, size_t *used);

/* Room for every text that the two functions below make. */
#define FND_NUMBER_SIZE 40

/* The shortest decimal that reads back to the same bits: "0.1", "1e-12", "-0", "inf", "nan". Returns the length of the
 * whole text, as snprintf does; the text is terminated when size > 0. */
int fnd_number_format(double value, char *text, size_t size);
/* At most `digits` (1 to 17) significant digits, no trailing zeros: for people. */
int fnd_number_format_digits(double value, int digits, char *text, size_t size);

/* ASCII, whatever the locale. */
static inline bool fnd_is_digit(char c) { return c >= '0' && c <= '9'; }
/* A letter, or _: what a name may begin with. */
static inline bool fnd_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* The largest number of one digit that is not above the value, rounding aside: 0.0034 gives 0.003. */
double fnd_number_one_digit(double value);

/* ---- The digits that a number needs to be read back: the batched path, which may leave a number to the slow one. */

/* magnitude: finite, positive. The fewest digits, without trailing zeros, that read back to it, as if printed to 15, 16
 * or 17 places (*precision); *exponent: of ten, of the first digit. False, about once in a million: not found here. */
bool fnd_shortest_digits(double magnitude, char digits[20], int *count, int *exponent, int *precision);

#endif
