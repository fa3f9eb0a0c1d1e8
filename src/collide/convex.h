/* Two convex solids in the frame of the first: cores with their support functions, as GJK and the searches of an
 * overlap see them. */
#ifndef FND_COLLIDE_CONVEX_H
#define FND_COLLIDE_CONVEX_H

#include "collide/pair_table.h"
#include "geometry/polytope.h"
#include "geometry/support.h"
#if defined __AVX2__ || defined __AVX512F__
#include <immintrin.h>
#endif
#include <stdint.h>

/* ---- The farthest vertex along a direction ---- */

/* Into the loop of the search, whatever the compiler makes of its size. */
#if defined __GNUC__
#define FND_INTO_LOOP static inline __attribute__((always_inline))
#else
#define FND_INTO_LOOP static inline
#endif

/* Coordinates by axis, padded to a multiple of 8 by repeats of the last vertex. */
typedef struct fnd_scan {
    const double *x, *y, *z;
    int padded_count;
} fnd_scan;

/* All vertices turned by r, then moved by p: (r0 x + r1 y + r2 z) + p by axis, as one vertex alone would be. */
#if defined __AVX512F__
#define FND_SCAN_LANES 8
typedef __m512d fnd_lanes;
static inline fnd_lanes fnd_lanes_load(const double *p) { return _mm512_loadu_pd(p); }
static inline void fnd_lanes_store(double *p, fnd_lanes v) { _mm512_storeu_pd(p, v); }
static inline fnd_lanes fnd_lanes_all(double s) { return _mm512_set1_pd(s); }
static inline fnd_lanes fnd_lanes_add(fnd_lanes a, fnd_lanes b) { return _mm512_add_pd(a, b); }
static inline fnd_lanes fnd_lanes_multiply(fnd_lanes a, fnd_lanes b) { return _mm512_mul_pd(a, b); }
#elif defined __AVX2__
#define FND_SCAN_LANES 4
typedef __m256d fnd_lanes;
static inline fnd_lanes fnd_lanes_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void fnd_lanes_store(double *p, fnd_lanes v) { _mm256_storeu_pd(p, v); }
static inline fnd_lanes fnd_lanes_all(double s) { return _mm256_set1_pd(s); }
static inline fnd_lanes fnd_lanes_add(fnd_lanes a, fnd_lanes b) { return _mm256_add_pd(a, b); }
static inline fnd_lanes fnd_lanes_multiply(fnd_lanes a, fnd_lanes b) { return _mm256_mul_pd(a, b); }
#else
#define FND_SCAN_LANES 1
typedef double fnd_lanes;
static inline fnd_lanes fnd_lanes_load(const double *p) { return *p; }
static inline void fnd_lanes_store(double *p, fnd_lanes v) { *p = v; }
static inline fnd_lanes fnd_lanes_all(double s) { return s; }
static inline fnd_lanes fnd_lanes_add(fnd_lanes a, fnd_lanes b) { return a + b; }
static inline fnd_lanes fnd_lanes_multiply(fnd_lanes a, fnd_lanes b) { return a * b; }
#endif

static inline void fnd_scan_rotate(const fnd_scan *s, const fender_mat3 *r, fender_vec3 p, double unit, double *x,
                                   double *y, double *z)
{
    fnd_lanes u = fnd_lanes_all(unit), m[3][3], move[3] = {fnd_lanes_all(p.x), fnd_lanes_all(p.y), fnd_lanes_all(p.z)};
    double *const to[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = fnd_lanes_all(r->m[i][j]);
    for (int k = 0; k < s->padded_count; k += FND_SCAN_LANES) {
        fnd_lanes vx = fnd_lanes_multiply(u, fnd_lanes_load(s->x + k));
        fnd_lanes vy = fnd_lanes_multiply(u, fnd_lanes_load(s->y + k));
        fnd_lanes vz = fnd_lanes_multiply(u, fnd_lanes_load(s->z + k));
        for (int i = 0; i < 3; i++) {
            fnd_lanes sum = fnd_lanes_add(fnd_lanes_multiply(m[i][0], vx), fnd_lanes_multiply(m[i][1], vy));
            sum = fnd_lanes_add(sum, fnd_lanes_multiply(m[i][2], vz));
            fnd_lanes_store(to[i] + k, fnd_lanes_add(sum, move[i]));
        }
    }
}

#if defined __AVX512F__

/* The lowest of at[lane] + lane over the lanes; 0 without any. */
FND_INTO_LOOP int lowest_place(__m512i at, unsigned lanes)
{
    if (lanes & (lanes - 1)) {
        __m512i places = _mm512_add_epi64(at, _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
        return (int)_mm512_mask_reduce_min_epi64((__mmask8)lanes, places);
    }
    if (!lanes) return 0;
    return __builtin_ctz(lanes) + _mm512_cvtsi512_si32(_mm512_maskz_compress_epi64((__mmask8)lanes, at));
}

FND_INTO_LOOP int fnd_scan_most(const fnd_scan *s, fender_vec3 d)
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
    if (count == 8) return (int)(__builtin_ctz(lanes | 256) & 7);
    return lowest_place(at, lanes);
}

#elif defined __AVX2__

FND_INTO_LOOP int fnd_scan_most(const fnd_scan *s, fender_vec3 d)
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
    unsigned lanes = (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(most[0], m, _CMP_EQ_OQ)) |
                     (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(most[1], m, _CMP_EQ_OQ)) << 4;
    if (s->padded_count == 8) return (int)(__builtin_ctz(lanes | 256) & 7);
    double starts[8];
    _mm256_storeu_pd(starts, at[0]);
    _mm256_storeu_pd(starts + 4, at[1]);
    int best = INT32_MAX;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes), index = (int)starts[lane] + (lane & 3);
        best = index < best ? index : best;
    }
    return best == INT32_MAX ? 0 : best;
}

#else

FND_INTO_LOOP int fnd_scan_most(const fnd_scan *s, fender_vec3 d)
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

/* The same of a large polytope: of the eights that the direction's cell needs. The vertex as its place among the eights
 * (8 e + lane), the lowest one among equal ones. */
#if defined __AVX512F__
FND_INTO_LOOP __m512d along_eight(const fnd_polytope_eight *v, __m512d dx, __m512d dy, __m512d dz)
{
    return _mm512_add_pd(
        _mm512_add_pd(_mm512_mul_pd(_mm512_load_pd(v->x), dx), _mm512_mul_pd(_mm512_load_pd(v->y), dy)),
        _mm512_mul_pd(_mm512_load_pd(v->z), dz));
}
#endif

FND_INTO_LOOP int fnd_cells_most(const fnd_polytope_cells *c, fender_vec3 d)
{
    const fnd_polytope_cell *cell = &c->cells[fnd_polytope_cell_of(c->per_edge, d)];
    int count = cell->count ? cell->count : c->eight_count;
#if defined __AVX512F__
    __m512d dx = _mm512_set1_pd(d.x), dy = _mm512_set1_pd(d.y), dz = _mm512_set1_pd(d.z);
    __m512d most = _mm512_set1_pd(-INFINITY);
    __m512i at = _mm512_setzero_si512();
    for (int i = 0; i < count; i++) {
        int e = cell->count ? cell->eight[i] : i;
        __m512d along = along_eight(&c->eights[e], dx, dy, dz);
        __mmask8 more = _mm512_cmp_pd_mask(along, most, _CMP_GT_OQ);
        most = _mm512_mask_mov_pd(most, more, along);
        at = _mm512_mask_mov_epi64(at, more, _mm512_set1_epi64(8 * e));
    }
    __m512d m = _mm512_max_pd(most, _mm512_shuffle_f64x2(most, most, 0x4e));
    m = _mm512_max_pd(m, _mm512_shuffle_f64x2(m, m, 0xb1));
    m = _mm512_max_pd(m, _mm512_permute_pd(m, 0x55));
    unsigned lanes = _mm512_cmp_pd_mask(most, m, _CMP_EQ_OQ);
    return lowest_place(at, lanes);
#else
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < count; i++) {
        int e = cell->count ? cell->eight[i] : i;
        const fnd_polytope_eight *v = &c->eights[e];
        double along[8];
        for (int k = 0; k < 8; k += FND_SCAN_LANES) {
            fnd_lanes a = fnd_lanes_multiply(fnd_lanes_load(v->x + k), fnd_lanes_all(d.x));
            a = fnd_lanes_add(a, fnd_lanes_multiply(fnd_lanes_load(v->y + k), fnd_lanes_all(d.y)));
            a = fnd_lanes_add(a, fnd_lanes_multiply(fnd_lanes_load(v->z + k), fnd_lanes_all(d.z)));
            fnd_lanes_store(along + k, a);
        }
        for (int k = 0; k < 8; k++) {
            bool more = along[k] > most;
            most = more ? along[k] : most;
            best = more ? 8 * e + k : best;
        }
    }
    return best;
#endif
}

/* ---- Pairs of cores ---- */

/* A length below this part of the scale of a pair is rounding. */
#define FND_CONVEX_ROUNDING (8 * 2.220446049250313e-16)

/* A convex solid without its rounding, vectors in its own frame G [m]. */
typedef struct fnd_convex_core {
    bool curved; /* not a polytope: has no vertices */
    int vertex_count;
    const fender_vec3 *vertices;     /* polytope */
    const fnd_polytope *polytope;    /* NULL for a segment or a point */
    const fnd_polytope_cells *cells; /* of a large polytope; NULL: none */
    const fender_geometry *geometry;
    double rounding;     /* ball that the core is swept by */
    double size;         /* no point of the core is farther from its origin */
    fender_vec3 ends[2]; /* vertices of a segment or point */
} fnd_convex_core;

/* x_A = R_AB x_B + p_AB. In A's frame lengths are in units of the pair: 1 m, but for extreme sizes a power of two. */
enum { FND_CONVEX_ROTATED = 128 }; /* a second core of so many vertices at most is turned into A's frame as a whole */
typedef struct fnd_convex_pair {
    fnd_convex_core a, b;
    fender_mat3 R_AB;
    fender_vec3 p_AB; /* units */
    double unit;      /* units per metre */
    double scale;     /* units; bound of |b - a| over all points: rounding is a few ulp of it */
    bool curved;      /* a core is not a polytope */
    /* Vertices by axis, where both are polytopes: a's in metres; b's in A's frame and units when turned, else in
     * metres and its own frame. */
    fnd_scan scan_a, scan_b;
    bool rotated;
    _Alignas(64) double turned_b[3][FND_CONVEX_ROTATED];
    double segment_a[3][8], segment_b[3][8];
} fnd_convex_pair;

/* A point of each core in A's frame, and numbers of its vertices (polytopes; else 0). */
typedef struct fnd_convex_vertex {
    fender_vec3 w; /* b - a */
    fender_vec3 a;
    int index_a, index_b;
} fnd_convex_vertex;

/* Up to four of them, whose hull holds the point of the difference B - A that lies nearest to the origin. */
typedef struct fnd_simplex {
    fnd_convex_vertex v[4];
    double weight[4];
    int count;
} fnd_simplex;

/* Signed distance of the cores along the unit normal from a to b. A's frame, units. */
typedef struct fnd_core_separation {
    double distance;
    fender_vec3 normal, point_a; /* point_b = point_a + distance normal */
} fnd_core_separation;

fnd_pair_function fnd_convex_convex;

/* Polytopes apart, from a simplex whose nearest face doubles cannot tell; false: they touch or overlap. */
bool fnd_gjk_precise(const fnd_convex_pair *pair, fnd_simplex *simplex, fnd_core_separation *out);
/* Overlapping polytopes by all faces of both and all pairs of edges: slow, with no case that it cannot do. Returns by
 * how much the points miss each other. */
double fnd_convex_overlap_of_all(const fnd_convex_pair *pair, fnd_core_separation *out);
/* Polytopes: the separation along n (unit), with points that lie opposite each other on the faces, edges or vertices
 * that are farthest along it. Returns by how much they miss each other. */
double fnd_convex_opposite(const fnd_convex_pair *pair, fender_vec3 n, fnd_core_separation *out);

/* The search in registers of three widths, with the same bits: the signed distance of the cores; false where it is
 * greater than `limit`. `cache` (NULL: none) has what a former search of the pair ended with; `swapped` as in
 * fnd_convex_cached. */
typedef bool fnd_convex_search_function(const fnd_posed *a, const fnd_posed *b, fnd_convex_pair *pair, double reach,
                                        fender_separation_cache *cache, bool swapped, fnd_core_separation *out);
fnd_convex_search_function fnd_convex_search_plain, fnd_convex_search_avx2, fnd_convex_search_avx512;
fnd_convex_search_function fnd_convex_search_curved; /* with a core that is not a polytope */

/* The pair of points that lies least along n (A's frame): b's farthest against n less a's farthest along n, so that
 * n . w = n . (b - a) is the signed distance of the cores along n when n is of unit length. */
fnd_convex_vertex fnd_pair_support(const fnd_convex_pair *pair, fender_vec3 n);

/* Of the one contact of solids that overlap and have no patch there: patches fade to nothing where solids part at an
 * edge; a solid inside another has none either and is pushed out. */
double fnd_weight_without_patch(const fender_geometry *a, const fender_geometry *b, double depth);

#endif
