/* The scans of a surface's triangles, compiled once for each width of registers. What is looked at next is asked of the
 * memory before what is at hand is worked on. */
#include "base/width.h"
#include "collide/mesh_scan.h"
#include "geometry/lanes.h"
#include <assert.h>

/* ---- Normals of triangles and turned vectors, eight at a time ---- */

/* Corners of eight triangles, as indices of coordinates. */
typedef struct tree_corners {
    fnd_index_lanes at[3];
} tree_corners;

static inline fnd_doubles coordinate(const fnd_surface *s, const tree_corners *c, int corner, int axis)
{
    return fnd_doubles_gather(&s->vertices[0].x + axis, c->at[corner]);
}

/* a where the bit is set. */
static inline fnd_doubles_vector lanes_select(unsigned mask, const fnd_doubles_vector *a, const fnd_doubles_vector *b)
{
    return (fnd_doubles_vector){fnd_doubles_select(mask, a->x, b->x), fnd_doubles_select(mask, a->y, b->y),
                                fnd_doubles_select(mask, a->z, b->z)};
}

static inline fnd_doubles lanes_along(fender_vec3 v, const fnd_doubles_vector *b)
{
    const fnd_doubles_vector a = {fnd_doubles_all(v.x), fnd_doubles_all(v.y), fnd_doubles_all(v.z)};
    return fnd_doubles_dot(&a, b);
}
static inline fnd_doubles_vector turned_back(const fender_mat3 *R, const fnd_doubles_vector *v)
{
    return (fnd_doubles_vector){lanes_along(fender_mat3_column(R, 0), v), lanes_along(fender_mat3_column(R, 1), v),
                                lanes_along(fender_mat3_column(R, 2), v)};
}
static inline fnd_doubles_vector lanes_from(const fnd_doubles_vector *v, fender_vec3 origin)
{
    return (fnd_doubles_vector){fnd_doubles_less(v->x, fnd_doubles_all(origin.x)),
                                fnd_doubles_less(v->y, fnd_doubles_all(origin.y)),
                                fnd_doubles_less(v->z, fnd_doubles_all(origin.z))};
}
static inline fnd_doubles lanes_size(fnd_doubles v)
{
    return fnd_doubles_most(v, fnd_doubles_less(fnd_doubles_all(0), v));
}

/* Normals of triangles, with the operations of fnd_triangle_normal; what it does otherwise is left to it. */
static inline fnd_doubles_vector normals(const fnd_surface *s, const fnd_doubles_vector v[3], const int32_t triangle[8],
                                         unsigned needed)
{
    fnd_doubles_vector e[3];
    fnd_doubles square[3];
    for (int k = 0; k < 3; k++) {
        e[k] = fnd_doubles_between(&v[k], &v[(k + 1) % 3]);
        square[k] = fnd_doubles_dot(&e[k], &e[k]);
    }
    fnd_doubles size = fnd_doubles_add(fnd_doubles_add(square[0], square[1]), square[2]);
    unsigned first = fnd_doubles_up_to(square[1], square[0]) & fnd_doubles_up_to(square[2], square[0]);
    unsigned second = fnd_doubles_up_to(square[2], square[1]);
    fnd_doubles_vector a = lanes_select(first, &e[1], &e[2]), b = lanes_select(first, &e[2], &e[0]);
    fnd_doubles_vector c = lanes_select(first | second, &a, &e[0]), d = lanes_select(first | second, &b, &e[1]);
    fnd_doubles_vector n = fnd_doubles_cross(&c, &d);
    fnd_doubles length = fnd_doubles_root(fnd_doubles_dot(&n, &n));
    n = (fnd_doubles_vector){fnd_doubles_over(n.x, length), fnd_doubles_over(n.y, length),
                             fnd_doubles_over(n.z, length)};
    unsigned usual = fnd_doubles_up_to(fnd_doubles_all(1e-59), size) & fnd_doubles_up_to(size, fnd_doubles_all(1e59));
    usual &= fnd_doubles_up_to(fnd_doubles_all(1e-300), length);
    if (!(needed & ~usual)) return n;
    double x[8], y[8], z[8];
    fnd_doubles_store(x, n.x);
    fnd_doubles_store(y, n.y);
    fnd_doubles_store(z, n.z);
    for (unsigned rest = needed & ~usual; rest; rest &= rest - 1) {
        int lane = fnd_lowest_lane(rest);
        fender_vec3 one = fnd_triangle_normal(s, triangle[lane]);
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
    }
    return (fnd_doubles_vector){fnd_doubles_load(x), fnd_doubles_load(y), fnd_doubles_load(z)};
}

/* ---- Triangles before a polytope ---- */

static void look_depth(const fnd_polytope *p, fnd_surface_sample *look)
{
    const fnd_visible_facet *at = look->at;
    fnd_doubles most = fnd_doubles_all(0);
    uint64_t below = 0;
    for (int i = 0; i < p->padded_count; i += 8) {
        const fnd_doubles_vector x = {fnd_doubles_load(p->x + i), fnd_doubles_load(p->y + i),
                                      fnd_doubles_load(p->z + i)};
        fnd_doubles depth = fnd_doubles_less(fnd_doubles_all(at->offset), lanes_along(at->normal, &x));
        if (i < FND_SAMPLE_BITS) below |= (uint64_t)(255 & ~fnd_doubles_up_to(depth, fnd_doubles_all(0))) << i;
        most = fnd_doubles_most(depth, most);
    }
    double depths[8];
    fnd_doubles_store(depths, most);
    look->deepest = 0;
    for (int i = 0; i < 8; i++) look->deepest = depths[i] > look->deepest ? depths[i] : look->deepest;
    look->below = p->vertex_count <= FND_SAMPLE_BITS ? below : UINT64_MAX;
}

/* Going down into the cell leads further out of a face that looks down, by `down` less what the cell spreads; a rounded
 * solid's core may also lie before the triangle. A cell spreads along its facet alone: less the flatter the face lies
 * below it. */
static bool look_faces(const fnd_polytope *p, fnd_surface_sample *look, double rounding, int first, uint64_t *faces)
{
    const fnd_visible_facet *at = look->at;
    const fnd_doubles zero = fnd_doubles_all(0), one = fnd_doubles_all(1 + 1e-9);
    *faces = 0;
    if (first == 0) look->empty = false;
    for (int i = 0; i < FND_SAMPLE_BITS && first + i < p->face_count; i += 8) {
        const int k = first + i;
        const fnd_doubles_vector n = {fnd_doubles_load(p->face_x + k), fnd_doubles_load(p->face_y + k),
                                      fnd_doubles_load(p->face_z + k)};
        fnd_doubles down = fnd_doubles_less(zero, lanes_along(at->normal, &n));
        fnd_doubles out = lanes_along(look->corners[0], &n);
        for (int c = 1; c < look->sides; c++) out = fnd_doubles_least(out, lanes_along(look->corners[c], &n));
        out = fnd_doubles_less(fnd_doubles_less(out, fnd_doubles_load(p->face_w + k)),
                               fnd_doubles_all(rounding * (1 + at->spread)));
        fnd_doubles nearer = fnd_doubles_most(fnd_doubles_less(fnd_doubles_all(at->spread), down), zero);
        const fnd_doubles deepest = fnd_doubles_all(look->deepest * (1 + 1e-9)); /* disks are as deep as that */
        if (fnd_doubles_up_to(out, fnd_doubles_times(deepest, nearer)) != 255) return false;
        const fnd_doubles across = fnd_doubles_root(
            fnd_doubles_most(fnd_doubles_less(one, fnd_doubles_times(down, down)), zero));
        nearer = fnd_doubles_less(fnd_doubles_times(fnd_doubles_all(at->spread), across), down);
        nearer = fnd_doubles_times(deepest, fnd_doubles_most(nearer, zero));
        look->empty = look->empty || fnd_doubles_up_to(out, nearer) != 255;
        *faces |= (uint64_t)(255 & ~fnd_doubles_up_to(down, fnd_doubles_all(1e-9))) << i;
    }
    if (p->face_count - first < FND_SAMPLE_BITS) *faces &= ((uint64_t)1 << (p->face_count - first)) - 1;
    return true;
}

/* Vertices on the cell's side of a border. */
static inline uint64_t vertices_within(const fnd_polytope *p, fender_vec3 inward, fender_vec3 corner)
{
    if (p->vertex_count > FND_SAMPLE_BITS) return UINT64_MAX;
    const fnd_doubles from = fnd_doubles_all(fender_vec3_dot(inward, corner));
    uint64_t within = 0;
    for (int i = 0; i < p->padded_count; i += 8) {
        const fnd_doubles_vector x = {fnd_doubles_load(p->x + i), fnd_doubles_load(p->y + i),
                                      fnd_doubles_load(p->z + i)};
        within |= (uint64_t)fnd_doubles_up_to(from, lanes_along(inward, &x)) << i;
    }
    return within;
}

static void look_within(const fnd_polytope *p, fnd_surface_sample *look)
{
    for (int k = 0; k < look->sides + look->more; k++)
        look->within[k] = vertices_within(p, look->inward[k], look->corners[k]);
}

static inline fnd_doubles_vector corners_at(const fnd_surface *s, const int32_t vertex[8])
{
    fnd_index_lanes at = fnd_indices_thrice(fnd_indices_load(vertex));
    return (fnd_doubles_vector){fnd_doubles_gather(&s->vertices[0].x, at), fnd_doubles_gather(&s->vertices[0].y, at),
                                fnd_doubles_gather(&s->vertices[0].z, at)};
}

/* Normals of eight triangles, and their corners. */
static inline fnd_doubles_vector normals_of(const fnd_surface *s, const int32_t triangle[8], fnd_doubles_vector v[3])
{
    int32_t corner[3][8];
    for (int lane = 0; lane < 8; lane++)
        for (int k = 0; k < 3; k++) corner[k][lane] = s->triangles[triangle[lane]][k];
    for (int k = 0; k < 3; k++) v[k] = corners_at(s, corner[k]);
    return normals(s, v, triangle, 255);
}

/* The normal halfway to that of the neighbours; the triangle's own where they are opposite or there is none, upright
 * where a grid ends. */
static inline fnd_doubles_vector normals_between(const fnd_surface *s, const int32_t triangle[8],
                                                 const fnd_doubles_vector *n, int k)
{
    int32_t other[8];
    unsigned ends = 0;
    for (int lane = 0; lane < 8; lane++) {
        other[lane] = s->neighbours[triangle[lane]][k];
        ends |= (unsigned)(other[lane] < 0) << lane;
        if (other[lane] < 0) other[lane] = triangle[lane];
    }
    fnd_doubles_vector v[3], m = normals_of(s, other, v);
    m = (fnd_doubles_vector){fnd_doubles_add(n->x, m.x), fnd_doubles_add(n->y, m.y), fnd_doubles_add(n->z, m.z)};
    fnd_doubles length = fnd_doubles_root(fnd_doubles_dot(&m, &m));
    unsigned own = fnd_doubles_up_to(length, fnd_doubles_all(1e-6)) | ends;
    fnd_doubles part = fnd_doubles_over(fnd_doubles_all(1), length);
    m = (fnd_doubles_vector){fnd_doubles_times(part, m.x), fnd_doubles_times(part, m.y), fnd_doubles_times(part, m.z)};
    m = lanes_select(own, n, &m);
    const fnd_doubles_vector up = {fnd_doubles_all(0), fnd_doubles_all(0), fnd_doubles_all(1)};
    return s->count_x > 0 ? lanes_select(ends, &up, &m) : m;
}

static void look_cells(const fnd_surface_visibility *visibility, const fnd_polytope *p,
                       fnd_surface_sample *const *looks, int count)
{
    const fnd_surface *s = visibility->surface;
    int32_t triangle[8];
    for (int lane = 0; lane < 8; lane++) triangle[lane] = looks[lane < count ? lane : 0]->at->triangle;
    fnd_doubles_vector v[3], n = normals_of(s, triangle, v);
    for (int k = 0; k < 3; k++) {
        fnd_doubles_vector edge = fnd_doubles_between(&v[k], &v[(k + 1) % 3]),
                           between = normals_between(s, triangle, &n, k);
        fnd_doubles part = fnd_doubles_over(fnd_doubles_all(1), fnd_doubles_root(fnd_doubles_dot(&edge, &edge)));
        edge = (fnd_doubles_vector){fnd_doubles_times(part, edge.x), fnd_doubles_times(part, edge.y),
                                    fnd_doubles_times(part, edge.z)};
        fnd_doubles_vector inward = fnd_doubles_cross(&between, &edge);
        inward = turned_back(&visibility->R_AB, &inward);
        double x[8], y[8], z[8];
        fnd_doubles_store(x, inward.x);
        fnd_doubles_store(y, inward.y);
        fnd_doubles_store(z, inward.z);
        for (int i = 0; i < count; i++) looks[i]->inward[k] = fender_vec3_make(x[i], y[i], z[i]);
    }
    for (int i = 0; i < count; i++) {
        fnd_surface_sample *look = looks[i];
        look->alone = true;
        look->more = 0;
        for (int k = 0; k < 3; k++) {
            int32_t other = s->neighbours[triangle[i]][k];
            look->alone = look->alone && (other < 0 || s->planes[other] != s->planes[triangle[i]]);
        }
        look_within(p, look);
    }
}

const fnd_surface_sample_functions FND_OF_WIDTH(fnd_surface_sample) = {look_depth, look_faces, look_within, look_cells};

/* ---- Scans ---- */

/* Eight triangles, or fewer. */
typedef struct batch {
    tree_corners corners;
    int32_t triangle[8], plane[8];
    float spread[8];
    unsigned mask;
} batch;

/* Leaves of a mesh, or rows of up to four cells of a grid, that are to be looked at next; how many. */
static inline int next_leaves(fnd_surface_footprint *region, int32_t leaves[FND_SCAN_BATCHES])
{
    fnd_surface_traversal *traversal = &region->traversal;
    const fnd_surface *s = region->surface;
    int count = 0;
    while (traversal->count > 0 && count + FND_TREE_WIDTH <= FND_SCAN_BATCHES) {
        const fnd_wide_node *node = &s->tree.nodes[traversal->stack[--traversal->count]];
        for (unsigned mask = boxes_in_box(node, traversal->lower, traversal->upper); mask; mask &= mask - 1) {
            int32_t child = node->child[fnd_lowest_lane(mask)];
            if (child < 0) {
                leaves[count++] = ~child;
                for (size_t i = 0; i < sizeof(fnd_leaf_detail); i += 64)
                    fnd_ask((const char *)&s->tree.details[~child] + i);
                fnd_ask((const char *)s->tree.leaves[~child].triangle);
            } else {
                traversal->stack[traversal->count++] = child;
                ask_for(s, child);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        const fnd_leaf_detail *detail = &s->tree.details[leaves[i]];
        fnd_ask((const char *)detail->spread);
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < FND_TREE_WIDTH; lane++)
                fnd_ask((const char *)&s->vertices[detail->corner[k][lane]]);
    }
    return count;
}

static inline int next_rows(fnd_surface_footprint *region, int32_t cells[FND_SCAN_BATCHES])
{
    const fnd_surface *s = region->surface;
    int count = 0;
    for (; region->j <= region->j1 && count < FND_SCAN_BATCHES; region->i += 4) {
        if (region->i > region->i1) {
            region->i = region->i0 - 4;
            region->j++;
            continue;
        }
        cells[count++] = region->j * (s->count_x - 1) + region->i;
        const fender_vec3 *row = &s->vertices[region->j * s->count_x + region->i];
        for (int i = 0; i < 2; i++, row += s->count_x) {
            fnd_ask((const char *)row);
            fnd_ask((const char *)(row + 2));
            fnd_ask((const char *)(row + 5) - 8);
        }
        fnd_ask((const char *)&s->planes[2 * cells[count - 1]]);
        fnd_ask((const char *)&s->spreads[2 * cells[count - 1]]);
    }
    return count;
}

static inline int next_lot(fnd_surface_footprint *region, int32_t lot[FND_SCAN_BATCHES])
{
    return region->surface->count_x > 0 ? next_rows(region, lot) : next_leaves(region, lot);
}

static inline void batch_of_leaf(const fnd_surface *s, int32_t number, batch *b)
{
    assert(number >= 0 && number < s->tree.leaf_count);
    const fnd_wide_leaf *leaf = &s->tree.leaves[number];
    const fnd_leaf_detail *detail = &s->tree.details[number];
    b->mask = 0;
    for (int lane = 0; lane < 8; lane++) {
        b->triangle[lane] = leaf->triangle[lane];
        b->plane[lane] = detail->plane[lane];
        b->spread[lane] = detail->spread[lane];
        b->mask |= (unsigned)(leaf->triangle[lane] != FND_TREE_NO_TRIANGLE) << lane;
    }
    for (int k = 0; k < 3; k++) b->corners.at[k] = fnd_indices_thrice(fnd_indices_load(detail->corner[k]));
}

/* Four cells in a row from one on, as far as the region goes. */
static inline void batch_of_row(const fnd_surface_footprint *region, int32_t cell, batch *b)
{
    const fnd_surface *s = region->surface;
    int32_t row = cell / (s->count_x - 1), column = cell - row * (s->count_x - 1), corner[3][8];
    int32_t last = region->i1 - column;
    for (int lane = 0; lane < 8; lane++) {
        int32_t i = lane >> 1 > last ? last : lane >> 1, near = cell + row + i, far = near + s->count_x + 1;
        int32_t triangle = 2 * (cell + i) + (lane & 1);
        corner[0][lane] = near;
        corner[1][lane] = lane & 1 ? far : near + 1;
        corner[2][lane] = lane & 1 ? far - 1 : far;
        b->triangle[lane] = triangle;
        b->plane[lane] = s->planes[triangle];
        b->spread[lane] = s->spreads[triangle];
    }
    b->mask = last < 3 ? (1u << 2 * (last + 1)) - 1 : 255;
    for (int k = 0; k < 3; k++) b->corners.at[k] = fnd_indices_thrice(fnd_indices_load(corner[k]));
}

static inline void batch_of(const fnd_surface_footprint *region, int32_t at, batch *b)
{
    if (region->surface->count_x > 0) batch_of_row(region, at, b);
    else batch_of_leaf(region->surface, at, b);
}

static inline void corners_of(const fnd_surface *s, const tree_corners *at, fnd_doubles_vector v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = (fnd_doubles_vector){coordinate(s, at, k, 0), coordinate(s, at, k, 1), coordinate(s, at, k, 2)};
}

/* Boxes of the eight triangles. */
static inline void boxes_of(const fnd_doubles_vector v[3], fnd_doubles low[3], fnd_doubles high[3])
{
    const fnd_doubles parts[3][3] = {{v[0].x, v[1].x, v[2].x}, {v[0].y, v[1].y, v[2].y}, {v[0].z, v[1].z, v[2].z}};
    for (int i = 0; i < 3; i++) {
        low[i] = fnd_doubles_least(fnd_doubles_least(parts[i][0], parts[i][1]), parts[i][2]);
        high[i] = fnd_doubles_most(fnd_doubles_most(parts[i][0], parts[i][1]), parts[i][2]);
    }
}

static inline unsigned meet_box(const fnd_doubles low[3], const fnd_doubles high[3], const fender_box *box)
{
    const double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    const double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        mask &= fnd_doubles_up_to(low[i], fnd_doubles_all(upper[i]));
        mask &= fnd_doubles_up_to(fnd_doubles_all(lower[i]), high[i]);
    }
    return mask;
}

/* Those of the batch that belong to the region: of a mesh, whose boxes meet its box; of a grid all. */
static inline unsigned within(const fnd_surface_footprint *region, const batch *b, const fnd_doubles low[3],
                              const fnd_doubles high[3])
{
    const fnd_surface *s = region->surface;
    if (s->count_x == 0) return meet_box(low, high, &region->traversal.box);
    unsigned mask = 0;
    for (int lane = 0; lane < 8; lane++) {
        int j = b->triangle[lane] / 2 / (s->count_x - 1), i = b->triangle[lane] / 2 - j * (s->count_x - 1);
        bool is = i >= region->i0 && i <= region->i1 && j >= region->j0 && j <= region->j1;
        mask |= (unsigned)is << lane;
    }
    return mask;
}

/* Corners of the planes' own triangles, where they are others. */
static inline void corners_of_planes(const fnd_surface *s, const batch *b, unsigned needed, fnd_doubles_vector v[3])
{
    unsigned others = 0;
    for (int lane = 0; lane < 8; lane++) others |= (unsigned)(b->plane[lane] != b->triangle[lane]) << lane;
    if (!(others & needed)) return;
    int32_t corner[3][8];
    for (int lane = 0; lane < 8; lane++)
        for (int k = 0; k < 3; k++) corner[k][lane] = s->triangles[b->plane[lane]][k];
    tree_corners at;
    for (int k = 0; k < 3; k++) at.at[k] = fnd_indices_thrice(fnd_indices_load(corner[k]));
    corners_of(s, &at, v);
}

/* Are the cells of triangles, down to the depth, not wholly beside the box on one of its sides? Points of a cell lie at
 * most the depth along -normal from the triangle, and a part of that across. */
static inline unsigned reach_in(const fnd_surface_visibility *visibility, const fnd_doubles_vector q[3],
                                const fnd_doubles_vector *n, fnd_doubles depth, const float *spread)
{
    const fnd_doubles zero = fnd_doubles_all(0);
    const double center[3] = {visibility->center.x, visibility->center.y, visibility->center.z};
    const double half[3] = {visibility->half.x, visibility->half.y, visibility->half.z};
    const fnd_doubles normal[3] = {n->x, n->y, n->z};
    const fnd_doubles rounding = fnd_doubles_all(visibility->rounding); /* a core may lie so far before the triangle */
    fnd_doubles across = fnd_doubles_times(fnd_doubles_add(depth, rounding), fnd_doubles_of_floats(spread));
    across = fnd_doubles_add(across, rounding);
    across = fnd_doubles_add(across, fnd_doubles_times(depth, fnd_doubles_all(1e-9))); /* disks are as deep as that */
    fnd_doubles low[3], high[3];
    boxes_of(q, low, high);
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        fnd_doubles down = fnd_doubles_less(zero, fnd_doubles_times(depth, normal[i])),
                    middle = fnd_doubles_all(center[i]);
        fnd_doubles from = fnd_doubles_add(fnd_doubles_less(low[i], middle), fnd_doubles_least(down, zero));
        fnd_doubles to = fnd_doubles_add(fnd_doubles_less(high[i], middle), fnd_doubles_most(down, zero));
        mask &= fnd_doubles_up_to(fnd_doubles_less(from, across), fnd_doubles_all(half[i]));
        mask &= fnd_doubles_up_to(fnd_doubles_all(-half[i]), fnd_doubles_add(to, across));
    }
    return mask;
}

/* Adds the triangles of the batch that the solid sees: it reaches below their planes and, of a mesh, before them, and
 * into their cells. */
static inline void see(fnd_surface_scan *scan, const batch *b)
{
    assert(scan->count >= 0 && scan->count <= FND_SCAN_FOUND - FND_TREE_WIDTH);
    const fnd_surface_visibility *visibility = scan->visibility;
    const fnd_surface *s = visibility->surface;
    fnd_doubles_vector v[3], q[3];
    fnd_doubles low[3], high[3];
    corners_of(s, &b->corners, v);
    boxes_of(v, low, high);
    unsigned mask = b->mask;
    if (s->count_x == 0) mask &= within(&scan->region, b, low, high);
    if (scan->without && mask) mask &= ~within(scan->without, b, low, high);
    if (!mask) return;
    for (int k = 0; k < 3; k++) {
        fnd_doubles_vector from = lanes_from(&v[k], visibility->p_AB);
        q[k] = turned_back(&visibility->R_AB, &from);
    }
    corners_of_planes(s, b, mask, v);
    fnd_doubles_vector n = normals(s, v, b->plane, mask), from = lanes_from(&v[0], visibility->p_AB);
    fnd_doubles offset = fnd_doubles_add(fnd_doubles_dot(&n, &from), fnd_doubles_all(visibility->rounding));
    n = turned_back(&visibility->R_AB, &n);
    fnd_doubles middle = fnd_doubles_less(offset, lanes_along(visibility->center, &n));
    const fnd_doubles_vector size = {lanes_size(n.x), lanes_size(n.y), lanes_size(n.z)};
    fnd_doubles extent = lanes_along(visibility->half, &size), depth = fnd_doubles_add(middle, extent);
    mask &= ~fnd_doubles_up_to(depth, fnd_doubles_all(0));
    if (s->count_x == 0) { /* else from another room */
        fnd_doubles before = fnd_doubles_add(fnd_doubles_less(extent, middle),
                                             fnd_doubles_all(2 * visibility->rounding + visibility->thin));
        mask &= ~fnd_doubles_up_to(before, fnd_doubles_all(0));
    }
    if (!mask) return;
    mask &= reach_in(visibility, q, &n, depth, b->spread);
    if (!mask) return;
    const fnd_doubles kept[14] = {n.x,    n.y,    n.z,    offset, depth,  q[0].x, q[0].y,
                                  q[0].z, q[1].x, q[1].y, q[1].z, q[2].x, q[2].y, q[2].z};
    double values[14][8];
    for (int i = 0; i < 14; i++) fnd_doubles_store(values[i], kept[i]);
    for (; mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask);
        fnd_visible_facet *one = &scan->found[scan->count++];
        one->triangle = b->triangle[lane];
        one->plane = b->plane[lane];
        one->spread = (double)b->spread[lane];
        one->normal = (fender_vec3){values[0][lane], values[1][lane], values[2][lane]};
        one->offset = values[3][lane];
        one->depth = values[4][lane];
        for (int k = 0; k < 3; k++)
            one->corners[k] = (fender_vec3){values[5 + 3 * k][lane], values[6 + 3 * k][lane], values[7 + 3 * k][lane]};
        fnd_ask((const char *)s->neighbours[one->triangle]);
        fnd_ask((const char *)s->triangles[one->triangle]);
        fnd_ask((const char *)&s->planes[one->triangle]);
    }
}

bool FND_OF_WIDTH(fnd_surface_scan)(fnd_surface_scan *scan)
{
    int32_t lot[FND_SCAN_BATCHES];
    scan->count = 0;
    int count = next_lot(&scan->region, lot);
    for (int i = 0; i < count; i++) {
        batch b;
        batch_of(&scan->region, lot[i], &b);
        see(scan, &b);
    }
    return count > 0;
}

bool FND_OF_WIDTH(fnd_surface_sphere_scan)(fnd_surface_sphere_scan *scan)
{
    int32_t lot[FND_SCAN_BATCHES];
    scan->count = 0;
    int count = next_lot(&scan->region, lot);
    fnd_doubles limit = fnd_doubles_all(scan->limit * scan->limit * (1 + 1e-9));
    for (int i = 0; i < count; i++) {
        batch b;
        fnd_doubles_vector v[3];
        batch_of(&scan->region, lot[i], &b);
        corners_of(scan->region.surface, &b.corners, v);
        for (int k = 0; k < 3; k++) v[k] = lanes_from(&v[k], scan->center);
        unsigned mask = b.mask & fnd_doubles_up_to(fnd_doubles_box_squares(v), limit);
        if (mask) mask &= fnd_doubles_up_to(fnd_doubles_triangle_squares(v), limit);
        for (; mask; mask &= mask - 1) {
            scan->found[scan->count] = b.triangle[fnd_lowest_lane(mask)];
            fnd_ask((const char *)scan->region.surface->neighbours[scan->found[scan->count]]);
            fnd_ask((const char *)scan->region.surface->triangles[scan->found[scan->count++]]);
        }
    }
    return count > 0;
}
