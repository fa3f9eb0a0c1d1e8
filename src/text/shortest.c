/* The shortest digits of a double, by integers of 128 bits. With X the number times the power of ten that gives it 17
 * digits before the point, digits stand for it when they are nearer to X than half the distance of two doubles; X is
 * known to 2^-62, and what lies too near to such a limit is left to the slow way. */
#include "text/shortest.h"

#include <stdint.h>
#include <string.h>

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

/* The product of a and the 128 bits, moved right by `places`. */
static wide scaled(wide a, uint64_t high, uint64_t low, int places)
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

bool fnd_shortest_digits(double magnitude, char digits[20], int *count, int *exponent, int *precision)
{
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
        uint64_t fives = 1;
        for (int i = 0; i < fine; i++) fives *= 5;
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
        for (int i = 16; i >= 0; i--, best /= 10) digits[i] = (char)('0' + best % 10);
        while (*count > 1 && digits[*count - 1] == '0') --*count;
        return true;
    }
}
