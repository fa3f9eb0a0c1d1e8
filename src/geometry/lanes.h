/* Eight floats, or eight doubles, at a time: in registers of AVX-512, of AVX2, or one by one, always with the same
 * bits. Masks have a bit for each lane. Least and greatest take the second operand where the two are equal. Sources of
 * doubles that are also compiled for a single lane define FND_LANE_COUNT as 1 for that. */
#ifndef FND_GEOMETRY_LANES_H
#define FND_GEOMETRY_LANES_H

#include "base/bits.h"
#include "geometry/surface.h"
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifndef FND_LANE_COUNT
#define FND_LANE_COUNT 8
#endif
#if defined __AVX2__ && FND_LANE_COUNT == 8
#define FND_IN_REGISTERS
#include <immintrin.h>
#endif

typedef struct fnd_index_lanes {
#if defined FND_IN_REGISTERS
    __m256i v;
#else
    int32_t v[FND_LANE_COUNT];
#endif
} fnd_index_lanes;

#if defined FND_IN_REGISTERS
typedef __m256 fnd_floats;
static inline fnd_floats fnd_floats_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void fnd_floats_store(float *p, fnd_floats v) { _mm256_storeu_ps(p, v); }
static inline fnd_floats fnd_floats_all(float s) { return _mm256_set1_ps(s); }
static inline fnd_floats fnd_floats_add(fnd_floats a, fnd_floats b) { return _mm256_add_ps(a, b); }
static inline fnd_floats fnd_floats_less(fnd_floats a, fnd_floats b) { return _mm256_sub_ps(a, b); }
static inline fnd_floats fnd_floats_times(fnd_floats a, fnd_floats b) { return _mm256_mul_ps(a, b); }
static inline fnd_floats fnd_floats_over(fnd_floats a, fnd_floats b) { return _mm256_div_ps(a, b); }
static inline fnd_floats fnd_floats_of_shorts(const uint16_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
static inline fnd_floats fnd_floats_size(fnd_floats a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
static inline fnd_floats fnd_floats_select(unsigned mask, fnd_floats a, fnd_floats b) /* a where the bit is set */
{
    const __m256i bits = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    __m256i chosen = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)mask), bits), bits);
    return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(chosen));
}
static inline fnd_floats fnd_floats_least(fnd_floats a, fnd_floats b) { return _mm256_min_ps(a, b); }
static inline fnd_floats fnd_floats_most(fnd_floats a, fnd_floats b) { return _mm256_max_ps(a, b); }
#if defined __AVX512VL__
static inline unsigned fnd_floats_up_to(fnd_floats a, fnd_floats b) { return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ); }
#else
static inline unsigned fnd_floats_up_to(fnd_floats a, fnd_floats b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
#endif
static inline fnd_index_lanes fnd_indices_load(const int32_t *p)
{
    return (fnd_index_lanes){_mm256_loadu_si256((const __m256i *)(const void *)p)};
}
static inline fnd_index_lanes fnd_indices_thrice(fnd_index_lanes a)
{
    return (fnd_index_lanes){_mm256_add_epi32(a.v, _mm256_add_epi32(a.v, a.v))};
}
#else
typedef struct fnd_floats {
    float v[8];
} fnd_floats;
#define FND_EACH_FLOAT(expression)                   \
    fnd_floats r;                                    \
    for (int i = 0; i < 8; i++) r.v[i] = expression; \
    return r
static inline fnd_floats fnd_floats_load(const float *p) { FND_EACH_FLOAT(p[i]); }
static inline void fnd_floats_store(float *p, fnd_floats a)
{
    for (int i = 0; i < 8; i++) p[i] = a.v[i];
}
static inline fnd_floats fnd_floats_all(float s) { FND_EACH_FLOAT(s); }
static inline fnd_floats fnd_floats_add(fnd_floats a, fnd_floats b) { FND_EACH_FLOAT(a.v[i] + b.v[i]); }
static inline fnd_floats fnd_floats_less(fnd_floats a, fnd_floats b) { FND_EACH_FLOAT(a.v[i] - b.v[i]); }
static inline fnd_floats fnd_floats_times(fnd_floats a, fnd_floats b) { FND_EACH_FLOAT(a.v[i] * b.v[i]); }
static inline fnd_floats fnd_floats_over(fnd_floats a, fnd_floats b) { FND_EACH_FLOAT(a.v[i] / b.v[i]); }
static inline fnd_floats fnd_floats_of_shorts(const uint16_t *p) { FND_EACH_FLOAT((float)p[i]); }
static inline fnd_floats fnd_floats_size(fnd_floats a) { FND_EACH_FLOAT(fabsf(a.v[i])); }
static inline fnd_floats fnd_floats_select(unsigned mask, fnd_floats a, fnd_floats b)
{
    FND_EACH_FLOAT(mask >> i & 1 ? a.v[i] : b.v[i]);
}
static inline fnd_floats fnd_floats_least(fnd_floats a, fnd_floats b)
{
    FND_EACH_FLOAT(a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
static inline fnd_floats fnd_floats_most(fnd_floats a, fnd_floats b)
{
    FND_EACH_FLOAT(a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
static inline unsigned fnd_floats_up_to(fnd_floats a, fnd_floats b)
{
    unsigned mask = 0;
    for (int i = 0; i < 8; i++) mask |= (unsigned)(a.v[i] <= b.v[i]) << i;
    return mask;
}
#define FND_EACH_INDEX(expression)                                \
    fnd_index_lanes r;                                            \
    for (int i = 0; i < FND_LANE_COUNT; i++) r.v[i] = expression; \
    return r
static inline fnd_index_lanes fnd_indices_load(const int32_t *p) { FND_EACH_INDEX(p[i]); }
static inline fnd_index_lanes fnd_indices_thrice(fnd_index_lanes a) { FND_EACH_INDEX(3 * a.v[i]); }
#endif

#if defined FND_IN_REGISTERS && defined __AVX512F__
typedef __m512d fnd_doubles;
static inline fnd_doubles fnd_doubles_all(double s) { return _mm512_set1_pd(s); }
static inline fnd_doubles fnd_doubles_load(const double *p) { return _mm512_loadu_pd(p); }
static inline void fnd_doubles_store(double *p, fnd_doubles v) { _mm512_storeu_pd(p, v); }
static inline fnd_doubles fnd_doubles_root(fnd_doubles a) { return _mm512_sqrt_pd(a); }
static inline fnd_doubles fnd_doubles_of_floats(const float *p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
static inline fnd_doubles fnd_doubles_gather(const double *p, fnd_index_lanes at)
{
    return _mm512_i32gather_pd(at.v, p, 8);
}
static inline fnd_doubles fnd_doubles_add(fnd_doubles a, fnd_doubles b) { return _mm512_add_pd(a, b); }
static inline fnd_doubles fnd_doubles_less(fnd_doubles a, fnd_doubles b) { return _mm512_sub_pd(a, b); }
static inline fnd_doubles fnd_doubles_times(fnd_doubles a, fnd_doubles b) { return _mm512_mul_pd(a, b); }
static inline fnd_doubles fnd_doubles_over(fnd_doubles a, fnd_doubles b) { return _mm512_div_pd(a, b); }
static inline fnd_doubles fnd_doubles_least(fnd_doubles a, fnd_doubles b) { return _mm512_min_pd(a, b); }
static inline fnd_doubles fnd_doubles_most(fnd_doubles a, fnd_doubles b) { return _mm512_max_pd(a, b); }
static inline unsigned fnd_doubles_up_to(fnd_doubles a, fnd_doubles b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
static inline fnd_doubles fnd_doubles_select(unsigned mask, fnd_doubles a, fnd_doubles b) /* a where the bit is set */
{
    return _mm512_mask_blend_pd((__mmask8)mask, b, a);
}
#elif defined FND_IN_REGISTERS
typedef struct fnd_doubles {
    __m256d a, b;
} fnd_doubles;
static inline fnd_doubles fnd_doubles_all(double s) { return (fnd_doubles){_mm256_set1_pd(s), _mm256_set1_pd(s)}; }
static inline fnd_doubles fnd_doubles_load(const double *p)
{
    return (fnd_doubles){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
}
static inline void fnd_doubles_store(double *p, fnd_doubles v)
{
    _mm256_storeu_pd(p, v.a);
    _mm256_storeu_pd(p + 4, v.b);
}
static inline fnd_doubles fnd_doubles_root(fnd_doubles x)
{
    return (fnd_doubles){_mm256_sqrt_pd(x.a), _mm256_sqrt_pd(x.b)};
}
static inline fnd_doubles fnd_doubles_of_floats(const float *p)
{
    return (fnd_doubles){_mm256_cvtps_pd(_mm_loadu_ps(p)), _mm256_cvtps_pd(_mm_loadu_ps(p + 4))};
}
static inline fnd_doubles fnd_doubles_gather(const double *p, fnd_index_lanes at)
{
    return (fnd_doubles){_mm256_i32gather_pd(p, _mm256_castsi256_si128(at.v), 8),
                         _mm256_i32gather_pd(p, _mm256_extracti128_si256(at.v, 1), 8)};
}
#define FND_HALVES(name, instruction)                                       \
    static inline fnd_doubles name(fnd_doubles x, fnd_doubles y)            \
    {                                                                       \
        return (fnd_doubles){instruction(x.a, y.a), instruction(x.b, y.b)}; \
    }
FND_HALVES(fnd_doubles_add, _mm256_add_pd)
FND_HALVES(fnd_doubles_less, _mm256_sub_pd)
FND_HALVES(fnd_doubles_times, _mm256_mul_pd)
FND_HALVES(fnd_doubles_over, _mm256_div_pd)
FND_HALVES(fnd_doubles_least, _mm256_min_pd)
FND_HALVES(fnd_doubles_most, _mm256_max_pd)
static inline unsigned fnd_doubles_up_to(fnd_doubles x, fnd_doubles y)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(x.a, y.a, _CMP_LE_OQ)) |
           (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(x.b, y.b, _CMP_LE_OQ)) << 4;
}
static inline fnd_doubles fnd_doubles_select(unsigned mask, fnd_doubles x, fnd_doubles y)
{
    const __m256i bits = _mm256_set_epi64x(8, 4, 2, 1);
    __m256i low = _mm256_and_si256(_mm256_set1_epi64x((int)mask), bits);
    __m256i high = _mm256_and_si256(_mm256_set1_epi64x((int)(mask >> 4)), bits);
    __m256d pick_low = _mm256_castsi256_pd(_mm256_cmpeq_epi64(low, bits));
    __m256d pick_high = _mm256_castsi256_pd(_mm256_cmpeq_epi64(high, bits));
    return (fnd_doubles){_mm256_blendv_pd(y.a, x.a, pick_low), _mm256_blendv_pd(y.b, x.b, pick_high)};
}
#else
typedef struct fnd_doubles {
    double v[FND_LANE_COUNT];
} fnd_doubles;
#define FND_EACH_DOUBLE(expression)                               \
    fnd_doubles r;                                                \
    for (int i = 0; i < FND_LANE_COUNT; i++) r.v[i] = expression; \
    return r
static inline fnd_doubles fnd_doubles_all(double s) { FND_EACH_DOUBLE(s); }
static inline fnd_doubles fnd_doubles_load(const double *p) { FND_EACH_DOUBLE(p[i]); }
static inline void fnd_doubles_store(double *p, fnd_doubles a)
{
    for (int i = 0; i < FND_LANE_COUNT; i++) p[i] = a.v[i];
}
static inline fnd_doubles fnd_doubles_root(fnd_doubles a) { FND_EACH_DOUBLE(sqrt(a.v[i])); }
static inline fnd_doubles fnd_doubles_of_floats(const float *p) { FND_EACH_DOUBLE((double)p[i]); }
static inline fnd_doubles fnd_doubles_gather(const double *p, fnd_index_lanes at) { FND_EACH_DOUBLE(p[at.v[i]]); }
static inline fnd_doubles fnd_doubles_add(fnd_doubles a, fnd_doubles b) { FND_EACH_DOUBLE(a.v[i] + b.v[i]); }
static inline fnd_doubles fnd_doubles_less(fnd_doubles a, fnd_doubles b) { FND_EACH_DOUBLE(a.v[i] - b.v[i]); }
static inline fnd_doubles fnd_doubles_times(fnd_doubles a, fnd_doubles b) { FND_EACH_DOUBLE(a.v[i] * b.v[i]); }
static inline fnd_doubles fnd_doubles_over(fnd_doubles a, fnd_doubles b) { FND_EACH_DOUBLE(a.v[i] / b.v[i]); }
static inline fnd_doubles fnd_doubles_least(fnd_doubles a, fnd_doubles b)
{
    FND_EACH_DOUBLE(a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
static inline fnd_doubles fnd_doubles_most(fnd_doubles a, fnd_doubles b)
{
    FND_EACH_DOUBLE(a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
static inline unsigned fnd_doubles_up_to(fnd_doubles a, fnd_doubles b)
{
    unsigned mask = 0;
    for (int i = 0; i < FND_LANE_COUNT; i++) mask |= (unsigned)(a.v[i] <= b.v[i]) << i;
    return mask;
}
static inline fnd_doubles fnd_doubles_select(unsigned mask, fnd_doubles a, fnd_doubles b)
{
    FND_EACH_DOUBLE(mask >> i & 1 ? a.v[i] : b.v[i]);
}
#endif

/* Begins to fetch what will be read soon. The empty statement is an effect: without one, GCC holds a function that only
 * asks for pure and drops its calls. */
static inline void fnd_ask(const char *where)
{
#if defined __GNUC__
    __builtin_prefetch(where);
    __asm__ volatile("");
#else
    (void)where;
#endif
}

/* Number of the lowest bit of a mask that is not 0. */
static inline int fnd_lowest_lane(unsigned mask) { return fnd_lowest_bit(mask); }

/* ---- Nodes and leaves of a surface's tree ---- */

#define FND_LANES    fnd_doubles
#define FND_GREATEST 1e308
#define FND_NARROW   1e-3
#include "geometry/lane_triangles.h"
#define FND_LANES    fnd_floats
#define FND_GREATEST 3e38f
#define FND_NARROW   1e-3f
#include "geometry/lane_triangles.h"

/* Asks the memory for a node or leaf. */
static inline void ask_for(const fnd_surface *s, int32_t at)
{
    assert(at < s->tree.node_count && ~at < s->tree.leaf_count);
    const char *what = at >= 0 ? (const char *)&s->tree.nodes[at] : (const char *)&s->tree.leaves[~at];
    const size_t size = at >= 0 ? sizeof(fnd_wide_node) : sizeof(fnd_wide_leaf);
    for (size_t i = 0; i < size; i += 64) fnd_ask(what + i);
    fnd_ask(what + size - 4);
}

/* Children whose boxes meet a box, given in units of the tree. */
static inline unsigned boxes_in_box(const fnd_wide_node *node, const float lower[3], const float upper[3])
{
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        mask &= fnd_floats_up_to(fnd_floats_load(node->lower[i]), fnd_floats_all(upper[i]));
        mask &= fnd_floats_up_to(fnd_floats_all(lower[i]), fnd_floats_load(node->upper[i]));
    }
    return mask;
}

typedef struct tree_entry {
    float enter;
    int32_t child;
} tree_entry;

/* Puts the children in the mask on the stack, the one that is entered first on top, and asks the memory for all. */
static inline int push_children(const fnd_surface *s, tree_entry *stack, int count, const fnd_wide_node *node,
                                const float *enter, unsigned mask)
{
    int first = count;
    for (; mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask), to = count++;
        ask_for(s, node->child[lane]);
        for (; to > first && stack[to - 1].enter < enter[lane]; to--) stack[to] = stack[to - 1];
        stack[to] = (tree_entry){enter[lane], node->child[lane]};
    }
    return count;
}

#endif
