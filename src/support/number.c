/* Numbers as text: decimal to double and back, independent of the locale; the shortest digits. */
#include "support/number.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Shortest digits ---- */

/* The shortest digits of a double, by integers of 128 bits. With X the number times the power of ten that gives it 17
 * digits before the point, digits stand for it when they are nearer to X than half the distance of two doubles; X is
 * known to 2^-62, and what lies too near to such a limit is left to the slow way. */

__extension__ typedef unsigned __int128 wide;

/* 10^(27 j) from j = FIRST on: the first 128 bits, whatever follows cut off. The last bit of all stands for 2^(floor(27
 * j log2(10)) - 127). */
enum { STEP = 27, FIRST = -11 };
static const struct {
    uint64_t high, low;
} coarse[] = {
    {0xa76c582338ed2621, 0xaf2af2b80af6f24e}, {0x873e4f75e2224e68, 0x5a7744a6e804a291},
    {0xda7f5bf590966848, 0xaf39a475506a899e}, {0xb080392cc4349dec, 0xbd8d794d96aacfb3},
    {0x8e938662882af53e, 0x547eb47b7282ee9c}, {0xe65829b3046b0afa, 0x0cb4a5a3112a5112},
    {0xba121a4650e4ddeb, 0x92f34d62616ce413}, {0x964e858c91ba2655, 0x3a6a07f8d510f86f},
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c3}, {0xc428d05aa4751e4c, 0xaa97e14c3c26b886},
    {0x9e74d1b791e07e48, 0x775ea264cf55347d}, {0x8000000000000000, 0x0000000000000000},
    {0xcecb8f27f4200f3a, 0x0000000000000000}, {0xa70c3c40a64e6c51, 0x999090b65f67d924},
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3}, {0xda01ee641a708de9, 0xe80e6f4820cc9495},
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f}, {0x8e41ade9fbebc27d, 0x14588f13be847307},
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa}, {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692},
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e}, {0xf24a01a73cf2dccf, 0xbc633b39673c8cec},
    {0xc3b8358109e84f07, 0x0a862f80ec4700c8}, {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1},
};

static const uint64_t powers_of_five[STEP] = {1u,
                                              5u,
                                              25u,
                                              125u,
                                              625u,
                                              3125u,
                                              15625u,
                                              78125u,
                                              390625u,
                                              1953125u,
                                              9765625u,
                                              48828125u,
                                              244140625u,
                                              1220703125u,
                                              6103515625u,
                                              30517578125u,
                                              152587890625u,
                                              762939453125u,
                                              3814697265625u,
                                              19073486328125u,
                                              95367431640625u,
                                              476837158203125u,
                                              2384185791015625u,
                                              11920928955078125u,
                                              59604644775390625u,
                                              298023223876953125u,
                                              1490116119384765625u};

/* The product of a and the 128 bits, moved right by `places`. */
static inline wide scaled(wide a, uint64_t high, uint64_t low, int places)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    wide first = (wide)a0 * low, second = (wide)a0 * high + (uint64_t)(first >> 64);
    wide third = (wide)a1 * low + (uint64_t)second;
    wide top = (wide)a1 * high + (uint64_t)(second >> 64) + (uint64_t)(third >> 64);
    if (places < 64) return top << (128 - places) | (wide)(uint64_t)third << (64 - places) | (uint64_t)first >> places;
    places -= 64;
    return places == 0 ? top << 64 | (uint64_t)third : top << (64 - places) | (uint64_t)third >> places;
}

typedef enum fit { FIT_NO, FIT_YES, FIT_UNKNOWN } fit;
enum { DOUBT = 8 }; /* units of 2^-64: more than what X and half the distance can be off by */

/* The multiple of `unit` next to x: does it stand for the number? */
static fit round_to(wide x, uint64_t unit, wide half, uint64_t *rounded)
{
    assert(unit > 0);
    const wide whole = (wide)unit << 64;
    uint64_t integer = (uint64_t)(x >> 64), over = integer % unit;
    wide rest = (wide)over << 64 | (uint64_t)x; /* above the multiple below */
    wide up = whole - rest;
    wide distance = rest < up ? rest : up, other = rest < up ? up : rest;
    if (distance > half + DOUBT) return FIT_NO;
    if (other - distance <= 2 * DOUBT) return FIT_UNKNOWN; /* which is nearer? */
    *rounded = integer - over + (rest < up ? 0 : unit);
    return distance + DOUBT < half ? FIT_YES : FIT_UNKNOWN;
}

/* Two digits of each number below 100. */
static const char pairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* All 17 digits of a number below 10^17, two at a time. */
static void write_digits(uint64_t number, char digits[17])
{
    uint32_t first = (uint32_t)(number / 1000000000u), last = (uint32_t)(number % 1000000000u);
    for (int i = 6; i >= 0; i -= 2, first /= 100) memcpy(&digits[i], &pairs[2 * (first % 100)], 2);
    digits[16] = (char)('0' + last % 10);
    last /= 10;
    for (int i = 14; i >= 8; i -= 2, last /= 100) memcpy(&digits[i], &pairs[2 * (last % 100)], 2);
}

bool fnd_shortest_digits(double magnitude, char digits[20], int *count, int *exponent, int *precision)
{
    assert(magnitude > 0 && isfinite(magnitude));
    static const uint64_t least = (uint64_t)1 << 52;
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    int power = (int)(bits >> 52) - 1075; /* of two */
    uint64_t mantissa = (bits & (least - 1)) | least;
    /* the distance to the next double below is another at a power of two; those without a leading one are rare */
    if (power == -1075 || power > 971 || mantissa == least) return false;
    int tens = 16 -
               (int)(((int64_t)(power + 52) * 315653) >> 20); /* log10(2) 2^20; the number has one digit more or not */
    for (;; tens--) {
        int index = (tens - STEP * FIRST) / STEP, fine = tens - STEP * (index + FIRST);
        const uint64_t fives = powers_of_five[fine];
        int places = 63 - power - fine - (int)(((int64_t)STEP * (index + FIRST) * 1741647) >> 19);
        uint64_t high = coarse[index].high, low = coarse[index].low, best = 0;
        wide x = scaled((wide)mantissa * fives, high, low, places);
        if ((uint64_t)(x >> 64) >= 100000000000000000u) continue;
        wide half = scaled(fives, high, low, places + 1);
        fit fits = FIT_NO;
        uint64_t unit = 100;
        for (*precision = 15; *precision <= 17 && fits == FIT_NO; ++*precision, unit /= 10)
            fits = round_to(x, unit, *precision == 17 ? (wide)1 << 70 : half, &best);
        if (fits != FIT_YES) return false;
        --*precision;
        *exponent = 16 - tens;
        if (best == 100000000000000000u) {
            best /= 10;
            ++*exponent;
        }
        *count = 17;
        write_digits(best, digits);
        while (*count > 1 && digits[*count - 1] == '0') --*count;
        return true;
    }
}

/* ---- Numbers ---- */

/* A double that lies halfway between two others has at most 767 significant digits; what follows only breaks a tie. */
#define KEPT_DIGITS      770
#define EXPONENT_CEILING 1000000000000LL

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
static bool is_hex(char c) { return fnd_is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

/* Length of `word` at the start of text, 0 unless it stands there as a whole word. */
static size_t match_word(const char *text, size_t length, const char *word)
{
    size_t size = strlen(word);
    if (length < size) return 0;
    for (size_t i = 0; i < size; i++)
        if (lower(text[i]) != word[i]) return 0;
    if (length > size && (is_letter(text[size]) || fnd_is_digit(text[size]) || text[size] == '_')) return 0;
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
    if (at >= length || !fnd_is_digit(text[at])) return 0;
    int64_t exponent = 0;
    for (; at < length && fnd_is_digit(text[at]); at++)
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
    assert(value && used);
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
    for (; at < length && fnd_is_digit(text[at]); at++) take_digit(&number, text[at], false);
    if (at < length && text[at] == '.' && (number.any || (at + 1 < length && fnd_is_digit(text[at + 1]))))
        for (at++; at < length && fnd_is_digit(text[at]); at++) take_digit(&number, text[at], true);
    if (!number.any) return FND_NUMBER_MISSING;
    if (length - at > 1 && text[at] == '_' && fnd_is_digit(text[at + 1])) {
        while (at < length && (fnd_is_digit(text[at]) || text[at] == '_')) at++;
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
        if (fnd_is_digit(*c)) digits[(*count)++] = *c;
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
    if (at < count) memcpy(text + length, digits + at, (size_t)(count - at));
    return length + (size_t)(at < count ? count - at : 0);
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
    assert(digits >= 1 && digits <= 17);
    char local[FND_NUMBER_SIZE];
    if (!isfinite(value)) return format_not_finite(value, text, size);
    if (digits < 1) digits = 1;
    if (digits > 17) digits = 17;
    return deliver(local, lay_out(value, digits, local), text, size);
}

/* Whole numbers of up to 15 digits, with nothing to round. */
static size_t lay_out_whole(bool minus, uint64_t number, char text[FND_NUMBER_SIZE])
{
    char digits[20];
    size_t at = sizeof digits;
    for (; number >= 100; number /= 100) memcpy(&digits[at -= 2], &pairs[2 * (number % 100)], 2);
    if (number >= 10) memcpy(&digits[at -= 2], &pairs[2 * number], 2);
    else digits[--at] = (char)('0' + number);
    if (minus) digits[--at] = '-';
    memcpy(text, &digits[at], sizeof digits - at);
    return sizeof digits - at;
}

/* Of what is finite, without the terminator. */
static size_t format_finite(double value, char text[FND_NUMBER_SIZE])
{
    char quick[20];
    size_t length = 0, used;
    double back = 0;
    const double magnitude = fabs(value);
    int count, exponent, precision;
    if (magnitude < 1e15 && magnitude == (double)(int64_t)magnitude)
        return lay_out_whole(signbit(value), (uint64_t)magnitude, text);
    if (fnd_shortest_digits(magnitude, quick, &count, &exponent, &precision))
        return lay_out_digits(signbit(value), quick, count, exponent, precision, text);
    /* 15 digits stand for themselves unless the double is subnormal; then fewer may do. */
    for (int digits = magnitude < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        length = lay_out(value, digits, text);
        if (digits == 17 || (fnd_number_parse(text, length, &back, &used) && back == value)) break;
    }
    return length;
}

int fnd_number_format(double value, char *text, size_t size)
{
    assert(text || size == 0);
    char local[FND_NUMBER_SIZE];
    if (!isfinite(value)) return format_not_finite(value, text, size);
    if (size < FND_NUMBER_SIZE) return deliver(local, format_finite(value, local), text, size);
    const size_t length = format_finite(value, text);
    text[length] = '\0';
    return (int)length;
}

double fnd_number_one_digit(double value)
{
    double unit = 1;
    if (!(value > 0) || !isfinite(value)) return value;
    while (unit > value) unit /= 10;
    while (unit * 10 <= value) unit *= 10;
    return floor(value / unit * (1 + 1e-9)) * unit;
}
