/* Eight lines at a time against the triangles of a surface: what its tree needs of them, and the exact places and
 * normals where they meet it. Compiled once for each width of registers, and for single lines (ray_one.c). */
#include "base/width.h"
#include "geometry/lane_algebra.h"
#include "geometry/ray.h"

enum { COUNT = FND_LANE_COUNT, EVERY = (1 << COUNT) - 1 }; /* a single line is the first of its block */

static inline vectors vector_of(fender_vec3 v) { return (vectors){all(v.x), all(v.y), all(v.z)}; }
static inline vectors load(const double *v) /* the first of three rows */
{
    return (vectors){fnd_doubles_load(v), fnd_doubles_load(v + FND_RAY_LANES), fnd_doubles_load(v + 2 * FND_RAY_LANES)};
}
static inline void store(double to[3][FND_RAY_LANES], vectors v)
{
    fnd_doubles_store(to[0], v.x);
    fnd_doubles_store(to[1], v.y);
    fnd_doubles_store(to[2], v.z);
}
static inline vectors turned(const fender_mat3 *R, vectors v)
{
    const vectors row[3] = {{all(R->m[0][0]), all(R->m[0][1]), all(R->m[0][2])},
                            {all(R->m[1][0]), all(R->m[1][1]), all(R->m[1][2])},
                            {all(R->m[2][0]), all(R->m[2][1]), all(R->m[2][2])}};
    return (vectors){dot(row[0], v), dot(row[1], v), dot(row[2], v)};
}

/* ---- Lines of rays ---- */

enum { RAY = sizeof(fender_ray) / sizeof(double) };
static_assert(sizeof(fender_ray) == 7 * sizeof(double), "a ray is seven numbers");

void FND_OF_WIDTH(fnd_rays_place)(const fender_pose *X_WG, const fender_mat3 *R, double size, const fender_ray *rays,
                                  int count, fnd_ray_block *block)
{
    assert(count > 0 && count <= COUNT);
    int32_t place[COUNT];
    for (int i = 0; i < COUNT; i++) place[i] = i < count ? i * RAY : 0;
    const fnd_index_lanes at = fnd_indices_load(place);
    lanes part[RAY];
    for (int i = 0; i < RAY; i++) part[i] = fnd_doubles_gather(&rays->origin.x + i, at);
    const fender_mat3 back = fender_mat3_transpose(R);
    const vectors origin = {part[0], part[1], part[2]};
    vectors d = {part[3], part[4], part[5]};
    d = divided(d, fnd_doubles_most(fnd_doubles_most(size_of(d.x), size_of(d.y)), size_of(d.z)));
    d = turned(&back, divided(d, fnd_doubles_root(dot(d, d))));
    const vectors q = turned(&back, from_to(vector_of(X_WG->p), origin));
    store(block->q, q);
    store(block->d, d);
    /* uncertain by the rounding of what it is computed from */
    fnd_doubles_store(block->from, times(all(-4e-16), plus(all(size), fnd_doubles_root(dot(q, q)))));
    fnd_doubles_store(block->to, part[6]);
    block->live = (1u << count) - 1;
}

/* ---- Lines in the tree ---- */

typedef struct order {
    unsigned forward, z, y; /* lanes; which axis is the longest, x where it is neither */
} order;

/* The axes of the shear: a triangle that is seen from outside turns left in the first two. */
static inline vectors ordered(order o, vectors v)
{
    const lanes next = fnd_doubles_select(o.z, v.x, fnd_doubles_select(o.y, v.z, v.y));
    const lanes other = fnd_doubles_select(o.z, v.y, fnd_doubles_select(o.y, v.x, v.z));
    return (vectors){fnd_doubles_select(o.forward, next, other), fnd_doubles_select(o.forward, other, next),
                     fnd_doubles_select(o.z, v.z, fnd_doubles_select(o.y, v.y, v.x))};
}

static inline order order_of(vectors d)
{
    const lanes x = size_of(d.x), y = size_of(d.y), z = size_of(d.z);
    order o = {.z = fnd_doubles_up_to(x, z) & fnd_doubles_up_to(y, z)};
    o.y = fnd_doubles_up_to(x, y) & ~o.z;
    const lanes most = fnd_doubles_select(o.z, d.z, fnd_doubles_select(o.y, d.y, d.x));
    o.forward = EVERY & ~fnd_doubles_up_to(most, all(0));
    return o;
}

/* A place along the line that a float holds; the surface lies within 1 of its middle. */
static inline lanes along(lanes s) { return fnd_doubles_most(fnd_doubles_least(s, all(2)), all(-2)); }

void FND_OF_WIDTH(fnd_rays_prepare)(const fnd_surface *surface, fnd_ray_block *b)
{
    const fnd_wide_tree *tree = &surface->tree;
    const lanes zero = all(0), scale = all(tree->scale);
    const vectors d = load(b->d[0]), start = load(b->q[0]), middle = vector_of(tree->center);
    vectors q = from_to(middle, start);
    const lanes way = minus(zero, dot(q, d)); /* to the place nearest to the middle */
    q = add_scaled(q, way, d);
    q = add_scaled(q, minus(zero, dot(q, d)), d);
    const vectors parts = {times(q.x, scale), times(q.y, scale), times(q.z, scale)};
    b->live &= fnd_doubles_up_to(dot(parts, parts), all(1));
    store(b->place, parts);
    const lanes directions[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++) { /* slopes that are not 0, but move by less than the margin */
        const lanes slope = directions[i], least = all(0x1p-60);
        const unsigned flat = fnd_doubles_up_to(size_of(slope), least);
        const unsigned falls = EVERY & ~fnd_doubles_up_to(zero, slope);
        const lanes moves = fnd_doubles_select(flat, fnd_doubles_select(falls, minus(zero, least), least), slope);
        fnd_doubles_store(b->inverse[i], over(all(1), moves));
        b->negative[i] = falls;
    }
    /* From where the line begins, what is near it is found to its own last digits; from farther away than a million
     * times the surface's size nothing is near. */
    const unsigned near = fnd_doubles_up_to(times(size_of(way), scale), all(0x1p20));
    const vectors origin = chosen(near, start,
                                  (vectors){plus(middle.x, q.x), plus(middle.y, q.y), plus(middle.z, q.z)});
    const order o = order_of(d);
    const vectors slopes = ordered(o, d), from = ordered(o, origin), center = ordered(o, middle);
    store(b->origin, from);
    store(b->shear, (vectors){over(slopes.x, slopes.z), over(slopes.y, slopes.z), over(all(1), slopes.z)});
    vectors units = from_to(center, from);
    units = (vectors){times(units.x, scale), times(units.y, scale), times(units.z, scale)};
    store(b->start, units);
    lanes grain = plus(plus(plus(all(1), size_of(units.x)), size_of(units.y)), size_of(units.z));
    fnd_doubles_store(b->grain, times(grain, all(0x1p-49)));
    const lanes shift = fnd_doubles_select(near, zero, way), first = fnd_doubles_load(b->from);
    const lanes last = fnd_doubles_load(b->to);
    fnd_doubles_store(b->shift, shift);
    fnd_doubles_store(b->way, minus(way, shift));
    fnd_doubles_store(b->s_from, minus(first, shift));
    fnd_doubles_store(b->s_to, minus(last, shift));
    fnd_doubles_store(b->enter, along(times(minus(first, way), scale)));
    fnd_doubles_store(b->leave, along(times(minus(last, way), scale)));
    b->z = o.z;
    b->y = o.y;
    b->forward = o.forward;
}

/* ---- Where they meet triangles ---- */

static inline vectors corners_of(const fnd_surface *s, const int32_t vertex[COUNT])
{
    const fnd_index_lanes at = fnd_indices_thrice(fnd_indices_load(vertex));
    const double *first = &s->vertices->x;
    return (vectors){fnd_doubles_gather(first, at), fnd_doubles_gather(first + 1, at),
                     fnd_doubles_gather(first + 2, at)};
}

/* Unit normals as fnd_triangle_normal yields them, which is asked for triangles whose squares leave the range. */
static inline vectors normals_of(const fnd_surface *s, const int32_t triangle[FND_RAY_LANES], const vectors corner[3])
{
    vectors edge[3];
    lanes square[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = from_to(corner[k], corner[(k + 1) % 3]);
        square[k] = dot(edge[k], edge[k]);
    }
    const unsigned first = fnd_doubles_up_to(square[1], square[0]) & fnd_doubles_up_to(square[2], square[0]);
    const unsigned second = fnd_doubles_up_to(square[2], square[1]) & ~first;
    const vectors across = chosen(first, cross(edge[1], edge[2]),
                                  chosen(second, cross(edge[2], edge[0]), cross(edge[0], edge[1])));
    const lanes length = fnd_doubles_root(dot(across, across));
    vectors n = divided(across, length);
    const lanes size = plus(plus(square[0], square[1]), square[2]);
    unsigned odd = fnd_doubles_up_to(size, all(1e-60)) | fnd_doubles_up_to(all(1e60), size);
    odd = EVERY & (odd | fnd_doubles_up_to(length, all(0)) | ~fnd_doubles_up_to(size, size));
    if (!odd) return n;
    double parts[3][FND_RAY_LANES];
    store(parts, n);
    for (; odd; odd &= odd - 1) {
        const int i = fnd_lowest_lane(odd);
        const fender_vec3 one = fnd_triangle_normal(s, triangle[i]);
        parts[0][i] = one.x;
        parts[1][i] = one.y;
        parts[2][i] = one.z;
    }
    return load(parts[0]);
}

/* Where the line meets the plane. What the test found is uncertain along a narrow triangle; its normal is uncertain
 * only by turns about its longest edge, so the plane is asked at the place of that edge which is nearest. */
static inline lanes polished(const vectors corner[3], vectors q, vectors d, lanes at, vectors n)
{
    const lanes slope = dot(n, d);
    vectors from[3], edge = {all(0), all(0), all(0)}, begin = edge;
    lanes longest = all(-1);
    for (int k = 0; k < 3; k++) from[k] = from_to(q, corner[k]);
    for (int k = 0; k < 3; k++) {
        const vectors e = from_to(from[k], from[(k + 1) % 3]);
        const lanes square = dot(e, e);
        const unsigned shorter = fnd_doubles_up_to(square, longest);
        longest = fnd_doubles_select(shorter, longest, square);
        edge = chosen(shorter, edge, e);
        begin = chosen(shorter, begin, from[k]);
    }
    const vectors off = {minus(times(at, d.x), begin.x), minus(times(at, d.y), begin.y),
                         minus(times(at, d.z), begin.z)};
    const lanes better = over(dot(n, add_scaled(begin, over(dot(edge, off), longest), edge)), slope);
    /* seen from its side: between the corners, which a glance along the plane might not be */
    const unsigned steep = fnd_doubles_up_to(all(1e-3), size_of(slope));
    const unsigned close = fnd_doubles_up_to(size_of(minus(better, at)), times(all(1e-3), size_of(at)));
    return fnd_doubles_select(steep & close, better, at);
}

void FND_OF_WIDTH(fnd_rays_finish)(const fnd_surface *surface, const fnd_ray_block *b, const fnd_tree_hit *hits,
                                   fnd_ray_places *places)
{
    int32_t *triangle = places->triangle, vertex[3][COUNT];
    double s[COUNT];
    places->found = 0;
    for (int i = 0; i < COUNT; i++) {
        const bool found = b->live >> i & 1 && hits[i].triangle != FND_TREE_NO_TRIANGLE;
        places->found |= (unsigned)found << i;
        int32_t one[3] = {0, 0, 0};
        if (found) fnd_leaf_corners(surface, hits[i].place, one);
        for (int k = 0; k < 3; k++) vertex[k][i] = one[k];
        triangle[i] = found ? hits[i].triangle : 0;
        s[i] = found ? hits[i].s : 0;
    }
    if (!places->found) return;
    vectors corner[3];
    for (int k = 0; k < 3; k++) corner[k] = corners_of(surface, vertex[k]);
    const vectors n = normals_of(surface, triangle, corner);
    const lanes at = plus(fnd_doubles_load(s), fnd_doubles_load(b->shift));
    fnd_doubles_store(places->s, polished(corner, load(b->q[0]), load(b->d[0]), at, n));
    store(places->normal, n);
}

void FND_OF_WIDTH(fnd_rays_turn_back)(const fender_pose *X_WG, const fender_mat3 *R, const fnd_ray_block *b,
                                      fnd_ray_places *places)
{
    const vectors at = turned(R, add_scaled(load(b->q[0]), fnd_doubles_load(places->s), load(b->d[0])));
    const vectors p = vector_of(X_WG->p);
    store(places->point, (vectors){plus(p.x, at.x), plus(p.y, at.y), plus(p.z, at.z)});
    store(places->normal, turned(R, load(places->normal[0])));
}
