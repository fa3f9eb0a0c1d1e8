/* Numbers as text: decimal to double and back, independent of the locale. */
#include "text/number.h"

#include "text/shortest.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A double that lies halfway between two others has at most 767 significant digits; what follows only breaks a tie. */
#define KEPT_DIGITS      770
#define EXPONENT_CEILING 1000000000000LL

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
static bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

/* Length of `word` at the start of text, 0 unless it stands there as a whole word. */
static size_t match_word(const char *text, size_t length, const char *word)
{
    size_t size = strlen(word);
    if (length < size) return 0;
    for (size_t i = 0; i < size; i++)
        if (lower(text[i]) != word[i]) return 0;
    if (length > size && (is_letter(text[size]) || is_digit(text[size]) || text[size] == '_')) return 0;
    return size;
}

static size_t match_not_finite(const char *text, size_t length)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    size_t point = length > 0 && text[0] == '.' ? 1 : 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t size = match_word(text + point, length - point, words[i]);
        if (size > 0) return point + size;
    }
    return 0;
}

/* The decimal as an integer of few digits times a power of ten. */
typedef struct decimal {
    char digits[KEPT_DIGITS + 24]; /* room for the sticky digit and the exponent */
    size_t count;
    int64_t exponent;
    bool any, sticky;
} decimal;

static void take_digit(decimal *number, char digit, bool fraction)
{
    number->any = true;
    if (number->count == 0 && digit == '0') {
        if (fraction) number->exponent--;
    } else if (number->count < KEPT_DIGITS) {
        number->digits[number->count++] = digit;
        if (fraction) number->exponent--;
    } else {
        number->sticky |= digit != '0';
        if (!fraction) number->exponent++;
    }
}

static size_t take_exponent(decimal *number, const char *text, size_t length)
{
    size_t at = 1;
    bool negative = false;
    if (length < 2 || lower(text[0]) != 'e') return 0;
    if (text[at] == '+' || text[at] == '-') negative = text[at++] == '-';
    if (at >= length || !is_digit(text[at])) return 0;
    int64_t exponent = 0;
    for (; at < length && is_digit(text[at]); at++)
        if (exponent < EXPONENT_CEILING) exponent = exponent * 10 + (text[at] - '0');
    number->exponent += negative ? -exponent : exponent;
    return at;
}

/* Digits and exponent without a decimal point mean the same to strtod in every locale. */
static double decimal_value(decimal *number)
{
    if (number->count == 0) return 0.0;
    if (number->sticky) {
        number->digits[number->count++] = '1';
        number->exponent--;
    }
    int64_t exponent = number->exponent;
    if (exponent > 100000) exponent = 100000;
    if (exponent < -100000) exponent = -100000;
    snprintf(number->digits + number->count, sizeof number->digits - number->count, "e%d", (int)exponent);
    int kept_errno = errno;
    double value = strtod(number->digits, NULL);
    errno = kept_errno;
    return value;
}

fnd_number_result fnd_number_read(const char *text, size_t length, double *value, size_t *used)
{
    decimal number = {.count = 0};
    size_t at = 0;
    bool negative = false;
    *used = 0;
    if (at < length && (text[at] == '+' || text[at] == '-')) negative = text[at++] == '-';
    size_t word = match_not_finite(text + at, length - at);
    if (word > 0) {
        *used = at + word;
        return FND_NUMBER_NOT_FINITE;
    }
    if (length - at > 2 && text[at] == '0' && lower(text[at + 1]) == 'x' && is_hex(text[at + 2])) {
        for (at += 2; at < length && is_hex(text[at]);) at++;
        *used = at;
        return FND_NUMBER_HEXADECIMAL;
    }
    for (; at < length && is_digit(text[at]); at++) take_digit(&number, text[at], false);
    if (at < length && text[at] == '.' && (number.any || (at + 1 < length && is_digit(text[at + 1]))))
        for (at++; at < length && is_digit(text[at]); at++) take_digit(&number, text[at], true);
    if (!number.any) return FND_NUMBER_MISSING;
    if (length - at > 1 && text[at] == '_' && is_digit(text[at + 1])) {
        while (at < length && (is_digit(text[at]) || text[at] == '_')) at++;
        *used = at;
        return FND_NUMBER_UNDERSCORE;
    }
    if (at < length) at += take_exponent(&number, text + at, length - at);
    *used = at;
    double magnitude = decimal_value(&number);
    if (isinf(magnitude)) return FND_NUMBER_OVERFLOW;
    *value = negative ? -magnitude : magnitude;
    return FND_NUMBER_OK;
}

bool fnd_number_parse(const char *text, size_t length, double *value, size_t *used)
{
    return fnd_number_read(text, length, value, used) == FND_NUMBER_OK;
}

static int deliver(const char *from, size_t length, char *text, size_t size)
{
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(text, from, copied);
        text[copied] = '\0';
    }
    return (int)length;
}

/* printf puts the decimal point of the host's locale into %e; only its digits and its exponent are used. */
static int split(double magnitude, int precision, char digits[20], int *count)
{
    char local[64];
    snprintf(local, sizeof local, "%.*e", precision - 1, magnitude);
    const char *c = local;
    for (*count = 0; *c && *c != 'e' && *count < 18; c++)
        if (is_digit(*c)) digits[(*count)++] = *c;
    while (*count > 1 && digits[*count - 1] == '0') --*count;
    return *c == 'e' ? (int)strtol(c + 1, NULL, 10) : 0;
}

/* The layout of %g: plain between 1e-4 and 10^precision, else with an exponent of two digits or more. */
static size_t lay_out_digits(bool minus, const char *digits, int count, int exponent, int precision,
                             char text[FND_NUMBER_SIZE])
{
    int at = 0;
    size_t length = 0;
    if (minus) text[length++] = '-';
    if (exponent < -4 || exponent >= precision) {
        text[length++] = digits[at++];
        if (count > 1) text[length++] = '.';
        while (at < count) text[length++] = digits[at++];
        int power = exponent < 0 ? -exponent : exponent;
        text[length++] = 'e';
        text[length++] = exponent < 0 ? '-' : '+';
        if (power >= 100) text[length++] = (char)('0' + power / 100);
        text[length++] = (char)('0' + power / 10 % 10);
        text[length++] = (char)('0' + power % 10);
        return length;
    }
    for (int place = exponent < 0 ? 0 : exponent; place >= 0; place--)
        text[length++] = exponent < 0 || at >= count ? '0' : digits[at++];
    if (at < count) text[length++] = '.';
    for (int zeros = -1 - exponent; zeros > 0 && at < count; zeros--) text[length++] = '0';
    while (at < count) text[length++] = digits[at++];
    return length;
}

static size_t lay_out(double value, int precision, char text[FND_NUMBER_SIZE])
{
    char digits[20];
    int count, exponent = split(fabs(value), precision, digits, &count);
    return lay_out_digits(signbit(value), digits, count, exponent, precision, text);
}

static int format_not_finite(double value, char *text, size_t size)
{
    const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return deliver(word, strlen(word), text, size);
}

int fnd_number_format_digits(double value, int digits, char *text, size_t size)
{
    char local[FND_NUMBER_SIZE];
    if (!isfinite(value)) return format_not_finite(value, text, size);
    if (digits < 1) digits = 1;
    if (digits > 17) digits = 17;
    return deliver(local, lay_out(value, digits, local), text, size);
}

int fnd_number_format(double value, char *text, size_t size)
{
    char local[FND_NUMBER_SIZE], quick[20];
    size_t length = 0, used;
    double back = 0;
    int count, exponent, precision;
    if (!isfinite(value)) return format_not_finite(value, text, size);
    if (value == 0) return signbit(value) ? deliver("-0", 2, text, size) : deliver("0", 1, text, size);
    if (fnd_shortest_digits(fabs(value), quick, &count, &exponent, &precision))
        return deliver(local, lay_out_digits(signbit(value), quick, count, exponent, precision, local), text, size);
    /* 15 digits stand for themselves unless the double is subnormal; then fewer may do. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        length = lay_out(value, digits, local);
        if (digits == 17 || (fnd_number_parse(local, length, &back, &used) && back == value)) break;
    }
    return deliver(local, length, text, size);
}
