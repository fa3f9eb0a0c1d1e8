/* Eight triangles of a surface at a time: unit normals, areas, and spreads of their cells. Compiled once for each width
 * of registers. */
#include "geometry/triangle_lanes.h"

#include "base/width.h"
#include "geometry/lane_algebra.h"

enum { COUNT = FND_TRIANGLES_AT_ONCE, EVERY = (1 << COUNT) - 1 };

/* Triangles of a block: the last one fills it up. */
static inline int32_t triangle_of(const fnd_surface *s, int32_t first, int lane)
{
    return first + lane < s->triangle_count ? first + lane : s->triangle_count - 1;
}

/* Edges from corner to corner. */
static inline void edges_of(const fnd_surface *s, int32_t first, vectors edge[3])
{
    assert(first >= 0 && first < s->triangle_count);
    const double *vertex = &s->vertices->x;
    int32_t index[3][COUNT];
    vectors corner[3];
    for (int i = 0; i < COUNT; i++) {
        const int32_t *one = s->triangles[triangle_of(s, first, i)];
        for (int k = 0; k < 3; k++) index[k][i] = one[k];
    }
    for (int k = 0; k < 3; k++) {
        const fnd_index_lanes at = fnd_indices_thrice(fnd_indices_load(index[k]));
        corner[k] = (vectors){fnd_doubles_gather(vertex, at), fnd_doubles_gather(vertex + 1, at),
                              fnd_doubles_gather(vertex + 2, at)};
    }
    for (int k = 0; k < 3; k++) edge[k] = from_to(corner[k], corner[(k + 1) % 3]);
}

/* ---- Normals and areas ---- */

/* The product of the two edges at the corner across from the longest; *size: of all squares. */
static inline vectors across_edges(const vectors e[3], lanes *size)
{
    const lanes square[3] = {dot(e[0], e[0]), dot(e[1], e[1]), dot(e[2], e[2])};
    const unsigned first = fnd_doubles_up_to(square[1], square[0]) & fnd_doubles_up_to(square[2], square[0]);
    const unsigned second = fnd_doubles_up_to(square[2], square[1]);
    *size = plus(plus(square[0], square[1]), square[2]);
    return cross(chosen(first, e[1], chosen(second, e[2], e[0])), chosen(first, e[2], chosen(second, e[0], e[1])));
}

/* Lanes that are not above a limit; of what is no number, too. */
static inline unsigned not_above(lanes a, double limit)
{
    return EVERY & (fnd_doubles_up_to(a, all(limit)) | ~fnd_doubles_up_to(a, a));
}

/* A block, with each of its triangles on its own where lengths leave the range of squares. */
typedef struct block {
    double area[COUNT], spanned[3][COUNT]; /* area times normal */
} block;

static inline unsigned measure(const fnd_surface *s, int32_t first, const fnd_triangle_normals *normals, block *b)
{
    vectors edge[3];
    lanes size, largest = all(0), scaled_size;
    edges_of(s, first, edge);
    vectors n = across_edges(edge, &size);
    lanes length = fnd_doubles_root(dot(n, n));
    unsigned odd = not_above(size, 1e-60) | fnd_doubles_up_to(all(1e60), size) | not_above(length, 0);
    n = divided(n, length);
    fnd_doubles_store(normals->x + first, n.x);
    fnd_doubles_store(normals->y + first, n.y);
    fnd_doubles_store(normals->z + first, n.z);
    for (int k = 0; k < 3; k++)
        largest = larger(larger(size_of(edge[k].x), size_of(edge[k].y)), larger(size_of(edge[k].z), largest));
    for (int k = 0; k < 3; k++) edge[k] = divided(edge[k], largest);
    n = across_edges(edge, &scaled_size);
    length = fnd_doubles_root(dot(n, n));
    odd |= not_above(length, 0);
    const lanes area = times(times(over(length, all(2)), largest), largest);
    n = scaled(area, divided(n, length));
    fnd_doubles_store(b->area, area);
    fnd_doubles_store(b->spanned[0], n.x);
    fnd_doubles_store(b->spanned[1], n.y);
    fnd_doubles_store(b->spanned[2], n.z);
    return odd;
}

static void measure_odd(const fnd_surface *s, int32_t first, unsigned odd, const fnd_triangle_normals *normals,
                        block *b)
{
    for (; odd; odd &= odd - 1) {
        const int i = fnd_lowest_lane(odd);
        const int32_t t = triangle_of(s, first, i);
        fender_vec3 n = fnd_triangle_normal(s, t);
        normals->x[first + i] = n.x;
        normals->y[first + i] = n.y;
        normals->z[first + i] = n.z;
        n = fnd_triangle_normal_and_area(s, t, &b->area[i]);
        b->spanned[0][i] = b->area[i] * n.x;
        b->spanned[1][i] = b->area[i] * n.y;
        b->spanned[2][i] = b->area[i] * n.z;
    }
}

static void measure_all(const fnd_surface *s, const fnd_triangle_normals *normals, double *areas,
                        fnd_triangle_sums *sums)
{
    *sums = (fnd_triangle_sums){0};
    for (int32_t first = 0; first < s->triangle_count; first += COUNT) {
        block b;
        const unsigned odd = measure(s, first, normals, &b);
        if (odd) measure_odd(s, first, odd, normals, &b);
        for (int i = 0; i < COUNT && first + i < s->triangle_count; i++) {
            sums->area += b.area[i];
            sums->spanned.x += b.spanned[0][i];
            sums->spanned.y += b.spanned[1][i];
            sums->spanned.z += b.spanned[2][i];
        }
        for (int i = 0; i < COUNT && areas; i++) areas[first + i] = b.area[i];
    }
}

/* ---- Spreads ---- */

/* How far the border of a cell leans outward at an edge, per depth: where the ground is hollow, by the tangent of half
 * the angle between the normals of the triangles; at the border of a grid, as far as the triangle is steep. */
static inline lanes lean_of(vectors along, vectors n, vectors m, unsigned border, bool grid)
{
    const lanes rise = size_of(dot(along, cross(n, m))); /* sine, or half the angle's */
    const lanes run = plus(all(1), dot(n, m));
    const lanes lean = fnd_doubles_select(fnd_doubles_up_to(run, all(1e-3)), all(1e3), over(rise, run));
    if (!border) return lean;
    const vectors up = {all(0), all(0), all(1)};
    const lanes steep = over(size_of(dot(along, cross(n, up))), n.z);
    const unsigned none = grid ? fnd_doubles_up_to(n.z, all(1e-3)) : EVERY;
    return fnd_doubles_select(border, fnd_doubles_select(none, all(0), steep), lean);
}

/* The normals across edge k; of a border, those of the triangles themselves. */
static inline vectors normals_across(const fnd_surface *s, const fnd_triangle_normals *normals, int32_t first, int k,
                                     unsigned *border)
{
    int32_t index[COUNT];
    *border = 0;
    for (int i = 0; i < COUNT; i++) {
        const int32_t t = triangle_of(s, first, i), other = s->neighbours[t][k];
        index[i] = other >= 0 ? other : t;
        *border |= (unsigned)(other < 0) << i;
    }
    const fnd_index_lanes at = fnd_indices_load(index);
    return (vectors){fnd_doubles_gather(normals->x, at), fnd_doubles_gather(normals->y, at),
                     fnd_doubles_gather(normals->z, at)};
}

/* A corner between two leaning borders of a cell moves by the larger lean over the sine of half the corner. */
static inline lanes spread_of(const fnd_surface *s, const fnd_triangle_normals *normals, int32_t first)
{
    const vectors n = {fnd_doubles_load(normals->x + first), fnd_doubles_load(normals->y + first),
                       fnd_doubles_load(normals->z + first)};
    vectors along[3];
    lanes lean[3], most = all(0);
    edges_of(s, first, along);
    for (int k = 0; k < 3; k++) {
        unsigned border;
        const vectors m = normals_across(s, normals, first, k, &border);
        along[k] = scaled(over(all(1), fnd_doubles_root(dot(along[k], along[k]))), along[k]);
        lean[k] = lean_of(along[k], n, m, border, s->count_x > 0);
    }
    for (int k = 0; k < 3; k++) {
        const int before = (k + 2) % 3;
        const lanes half = times(all(0.5), plus(all(1), dot(along[k], along[before]))); /* the sine's square */
        const lanes at = over(larger(lean[k], lean[before]), fnd_doubles_root(half));
        most = larger(fnd_doubles_select(not_above(half, 1e-6), all(1e3), at), most);
    }
    /* rounded up to a float */
    return fnd_doubles_select(fnd_doubles_up_to(all(1e3), most), all(1e3), times(most, all(1.00001)));
}

static void spread_all(fnd_surface *s, const fnd_triangle_normals *normals)
{
    for (int32_t first = 0; first < s->triangle_count; first += COUNT) {
        double spread[COUNT];
        fnd_doubles_store(spread, spread_of(s, normals, first));
        for (int i = 0; i < COUNT && first + i < s->triangle_count; i++) {
            s->spreads[first + i] = (float)spread[i];
            if (spread[i] > s->spread) s->spread = spread[i];
        }
    }
}

const fnd_triangle_functions FND_OF_WIDTH(fnd_triangles) = {measure_all, spread_all};
