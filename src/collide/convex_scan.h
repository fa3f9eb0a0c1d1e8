/* The vertex that lies farthest along a direction, by a scan of all: in registers as wide as the machine has. Every
 * width yields the same vertex: the same products and sums per vertex, and the lowest number among equal ones. */
#ifndef FND_COLLIDE_CONVEX_SCAN_H
#define FND_COLLIDE_CONVEX_SCAN_H

#include <fender/spatial.h>

#include <stdint.h>

#if defined __AVX512F__ || defined __AVX2__
#include <immintrin.h>
#endif

/* Coordinates by axis, padded to a multiple of 8 by repeats of the last vertex. */
typedef struct fnd_scan {
    const double *x, *y, *z;
    int padded_count;
} fnd_scan;

#if defined __AVX512F__

static inline int fnd_scan_most(const fnd_scan *s, fender_vec3 d)
{
    __m512d dx = _mm512_set1_pd(d.x), dy = _mm512_set1_pd(d.y), dz = _mm512_set1_pd(d.z);
    __m512d most = _mm512_add_pd(
        _mm512_add_pd(_mm512_mul_pd(_mm512_loadu_pd(s->x), dx), _mm512_mul_pd(_mm512_loadu_pd(s->y), dy)),
        _mm512_mul_pd(_mm512_loadu_pd(s->z), dz));
    __m512i at = _mm512_setzero_si512();
    int i = 8, count = s->padded_count;
    if (count >= 32) { /* two chains */
        __m512d other = most;
        __m512i at_other = at;
        for (; i + 8 < count; i += 16) {
            __m512d a = _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(_mm512_loadu_pd(s->x + i), dx),
                                                    _mm512_mul_pd(_mm512_loadu_pd(s->y + i), dy)),
                                      _mm512_mul_pd(_mm512_loadu_pd(s->z + i), dz));
            __m512d b = _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(_mm512_loadu_pd(s->x + i + 8), dx),
                                                    _mm512_mul_pd(_mm512_loadu_pd(s->y + i + 8), dy)),
                                      _mm512_mul_pd(_mm512_loadu_pd(s->z + i + 8), dz));
            __mmask8 more = _mm512_cmp_pd_mask(a, most, _CMP_GT_OQ);
            most = _mm512_mask_mov_pd(most, more, a);
            at = _mm512_mask_mov_epi64(at, more, _mm512_set1_epi64(i));
            more = _mm512_cmp_pd_mask(b, other, _CMP_GT_OQ);
            other = _mm512_mask_mov_pd(other, more, b);
            at_other = _mm512_mask_mov_epi64(at_other, more, _mm512_set1_epi64(i + 8));
        }
        __mmask8 greater = _mm512_cmp_pd_mask(other, most, _CMP_GT_OQ);
        __mmask8 equal = _mm512_cmp_pd_mask(other, most, _CMP_EQ_OQ);
        greater = (__mmask8)(greater | (equal & _mm512_cmp_epi64_mask(at_other, at, _MM_CMPINT_LT)));
        most = _mm512_mask_mov_pd(most, greater, other);
        at = _mm512_mask_mov_epi64(at, greater, at_other);
    }
    for (; i < count; i += 8) {
        __m512d a = _mm512_add_pd(
            _mm512_add_pd(_mm512_mul_pd(_mm512_loadu_pd(s->x + i), dx), _mm512_mul_pd(_mm512_loadu_pd(s->y + i), dy)),
            _mm512_mul_pd(_mm512_loadu_pd(s->z + i), dz));
        __mmask8 more = _mm512_cmp_pd_mask(a, most, _CMP_GT_OQ);
        most = _mm512_mask_mov_pd(most, more, a);
        at = _mm512_mask_mov_epi64(at, more, _mm512_set1_epi64(i));
    }
    __m512d m = _mm512_max_pd(most, _mm512_shuffle_f64x2(most, most, 0x4e));
    m = _mm512_max_pd(m, _mm512_shuffle_f64x2(m, m, 0xb1));
    m = _mm512_max_pd(m, _mm512_permute_pd(m, 0x55));
    unsigned lanes = _mm512_cmp_pd_mask(most, m, _CMP_EQ_OQ);
    if (count == 8) return lanes ? __builtin_ctz(lanes) : 0;
    int64_t starts[8];
    _mm512_storeu_si512(starts, at);
    int best = INT32_MAX;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes), index = (int)starts[lane] + lane;
        best = index < best ? index : best;
    }
    return best == INT32_MAX ? 0 : best;
}

#elif defined __AVX2__

static inline int fnd_scan_most(const fnd_scan *s, fender_vec3 d)
{
    __m256d dx = _mm256_set1_pd(d.x), dy = _mm256_set1_pd(d.y), dz = _mm256_set1_pd(d.z);
    __m256d most[2], at[2];
    for (int k = 0; k < 2; k++) {
        most[k] = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_loadu_pd(s->x + 4 * k), dx),
                                              _mm256_mul_pd(_mm256_loadu_pd(s->y + 4 * k), dy)),
                                _mm256_mul_pd(_mm256_loadu_pd(s->z + 4 * k), dz));
        at[k] = _mm256_set1_pd(4 * k);
    }
    for (int i = 8; i < s->padded_count; i += 8)
        for (int k = 0; k < 2; k++) {
            int j = i + 4 * k;
            __m256d a = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_loadu_pd(s->x + j), dx),
                                                    _mm256_mul_pd(_mm256_loadu_pd(s->y + j), dy)),
                                      _mm256_mul_pd(_mm256_loadu_pd(s->z + j), dz));
            __m256d more = _mm256_cmp_pd(a, most[k], _CMP_GT_OQ);
            most[k] = _mm256_blendv_pd(most[k], a, more);
            at[k] = _mm256_blendv_pd(at[k], _mm256_set1_pd(j), more);
        }
    __m256d m = _mm256_max_pd(most[0], most[1]);
    m = _mm256_max_pd(m, _mm256_permute2f128_pd(m, m, 1));
    m = _mm256_max_pd(m, _mm256_permute_pd(m, 5));
    double starts[8];
    _mm256_storeu_pd(starts, at[0]);
    _mm256_storeu_pd(starts + 4, at[1]);
    unsigned lanes = (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(most[0], m, _CMP_EQ_OQ)) |
                     (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(most[1], m, _CMP_EQ_OQ)) << 4;
    int best = INT32_MAX;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes), index = (int)starts[lane] + (lane & 3);
        best = index < best ? index : best;
    }
    return best == INT32_MAX ? 0 : best;
}

#else

static inline int fnd_scan_most(const fnd_scan *s, fender_vec3 d)
{
    double most = -INFINITY;
    int best = 0;
    for (int i = 0; i < s->padded_count; i++) {
        double along = (s->x[i] * d.x + s->y[i] * d.y) + s->z[i] * d.z;
        if (along > most) most = along, best = i;
    }
    return best;
}

#endif
#endif
