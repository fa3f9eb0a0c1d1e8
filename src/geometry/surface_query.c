/* Questions to surfaces: the nearest place to a point, behind or before it, the triangles in a box or below a plane. */
#include "base/memory.h"
#include "base/width.h"
#include "geometry/surface.h"
#include <assert.h>

/* A power of two by which the triangle is of a size near 1. */
static double scale_of(const fnd_triangle_view *v)
{
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        const fender_vec3 edge = fender_vec3_sub(v->corner[(k + 1) % 3], v->corner[k]);
        const double parts[3] = {fabs(edge.x), fabs(edge.y), fabs(edge.z)};
        for (int i = 0; i < 3; i++) largest = parts[i] > largest ? parts[i] : largest;
    }
    int exponent = 0;
    frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

/* The view without its rim. */
static void look_at_plane(const fnd_surface *s, int32_t triangle, fnd_triangle_view *v)
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    double square[3];
    v->triangle = triangle;
    v->scale = 1;
    for (int k = 0; k < 3; k++) v->index[k] = s->triangles[triangle][k], v->corner[k] = s->vertices[v->index[k]];
    for (int k = 0; k < 3; k++) v->edge[k] = fender_vec3_sub(v->corner[(k + 1) % 3], v->corner[k]);
    for (int k = 0; k < 3; k++) square[k] = fender_vec3_dot(v->edge[k], v->edge[k]);
    const double size = square[0] + square[1] + square[2];
    if (!(size > 1e-60) || !(size < 1e60)) { /* fourth powers leave the range of doubles */
        v->scale = scale_of(v);
        for (int k = 0; k < 3; k++) v->edge[k] = fender_vec3_scale(v->scale, v->edge[k]);
        for (int k = 0; k < 3; k++) square[k] = fender_vec3_dot(v->edge[k], v->edge[k]);
    }
    const int longest = square[0] >= square[1] && square[0] >= square[2] ? 0 : square[1] >= square[2] ? 1 : 2;
    v->longest = longest;
    fnd_triangle_plane *plane = &v->plane;
    plane->normal = fender_vec3_cross(v->edge[(longest + 1) % 3], v->edge[(longest + 2) % 3]);
    for (int k = 0; k < 3; k++) v->across[k] = fender_vec3_cross(plane->normal, v->edge[k]);
    plane->edge = v->edge[longest];
    plane->across = v->across[longest];
    plane->normal_length = fender_vec3_length(plane->normal);
    plane->edge_square = square[longest];
    plane->across_square = fender_vec3_dot(plane->across, plane->across);
}

static void look_at_rim(fnd_triangle_view *v)
{
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, low = v->index[k] < v->index[next] ? k : next, high = low == k ? next : k;
        v->low[k] = low;
        v->rim[k] = fender_vec3_sub(v->corner[high], v->corner[low]);
        v->rim_square[k] = fender_vec3_dot(v->rim[k], v->rim[k]);
    }
}

void fnd_triangle_look(const fnd_surface *s, int32_t triangle, fnd_triangle_view *v)
{
    look_at_plane(s, triangle, v);
    look_at_rim(v);
}

/* The nearest place of the edge from corner k, begun at the vertex of the lower number, so that the triangles on both
 * sides of it find the same bits. `from`: from the point to the corners. */
static void nearest_on_edge(const fnd_triangle_view *v, const fender_vec3 from[3], int k, fnd_surface_closest *found)
{
    assert(k >= 0 && k < 3);
    const int next = (k + 1) % 3, low = v->low[k], high = low == k ? next : k;
    const fender_vec3 e = v->rim[k];
    double along = -fender_vec3_dot(e, from[low]), part = along / v->rim_square[k];
    int corner = along <= 0 ? low : fender_vec3_dot(e, from[high]) <= 0 ? high : -1;
    fender_vec3 to = corner < 0 ? fender_vec3_add_scaled(from[low], part, e) : from[corner];
    double distance = fender_vec3_length(to);
    if (!(distance < found->distance)) return;
    found->distance = distance;
    found->offset = fender_vec3_negate(to);
    found->point = corner < 0 ? fender_vec3_add_scaled(v->corner[low], part, e) : v->corner[corner];
    found->feature = corner < 0 ? FND_ON_EDGE : FND_ON_VERTEX;
    found->corner = corner < 0 ? k : corner;
}

static bool nearest_on_plane(const fnd_triangle_view *v, const fender_vec3 seen[3], fender_vec3 p,
                             fnd_surface_closest *found)
{
    const int longest = v->longest;
    const double scale = v->scale;
    fender_vec3 from[3], to;
    for (int k = 0; k < 3; k++) {
        from[k] = fender_vec3_scale(scale, seen[k]);
        if (!(fender_vec3_dot(v->across[k], from[k]) <= 0)) return false;
    }
    found->height = fnd_triangle_foot(&v->plane, from[longest], from[(longest + 2) % 3], &to) / scale;
    found->distance = fabs(found->height);
    found->offset = fender_vec3_scale(-1 / scale, to);
    found->point = fender_vec3_sub(p, found->offset);
    return true;
}

fnd_surface_closest fnd_triangle_view_nearest(const fnd_triangle_view *v, fender_vec3 p)
{
    fnd_surface_closest found = {.triangle = v->triangle, .feature = FND_ON_TRIANGLE, .distance = INFINITY};
    fender_vec3 from[3]; /* exact for what is near, wherever the origin is */
    for (int k = 0; k < 3; k++) from[k] = fender_vec3_sub(v->corner[k], p);
    if (nearest_on_plane(v, from, p, &found)) return found;
    for (int k = 0; k < 3; k++) nearest_on_edge(v, from, k, &found);
    return found;
}

fnd_surface_closest fnd_triangle_nearest(const fnd_surface *s, int32_t triangle, fender_vec3 p)
{
    fnd_surface_closest found = {.triangle = triangle, .feature = FND_ON_TRIANGLE, .distance = INFINITY};
    fnd_triangle_view v;
    fender_vec3 from[3];
    look_at_plane(s, triangle, &v);
    for (int k = 0; k < 3; k++) from[k] = fender_vec3_sub(v.corner[k], p);
    if (nearest_on_plane(&v, from, p, &found)) return found;
    look_at_rim(&v);
    for (int k = 0; k < 3; k++) nearest_on_edge(&v, from, k, &found);
    return found;
}

void fnd_surface_nearest_many(const fnd_surface *s, const fender_vec3 *points, int count, double limit,
                              fnd_surface_closest *places)
{
    assert(count >= 0);
    static fnd_tree_nearest_function *const search[3] = FND_WIDTHS(fnd_tree_nearest);
    for (int i = 0; i < count; i++) places[i] = (fnd_surface_closest){.triangle = -1, .distance = limit};
    search[fnd_tree_registers()](s, points, places, count);
}

fnd_surface_closest fnd_surface_nearest(const fnd_surface *s, fender_vec3 p, double limit)
{
    fnd_surface_closest best;
    fnd_surface_nearest_many(s, &p, 1, limit, &best);
    return best;
}

static double line_at(const fnd_surface *s, int axis, int line)
{
    assert(line >= 0 && line < (axis == 0 ? s->count_x : s->count_y));
    return axis == 0 ? s->vertices[line].x : s->vertices[line * s->count_x].y;
}

int fnd_grid_line(const fnd_surface *s, int axis, double at)
{
    const int count = axis == 0 ? s->count_x : s->count_y;
    assert(count >= 2);
    if (!s->uneven) {
        double line = axis == 0 ? floor((at - s->lower.x) / s->spacing.x) : floor((at - s->lower.y) / s->spacing.y);
        return line < count - 1 ? line >= 0 ? (int)line : -1 : count - 1;
    }
    int low = -1, high = count; /* the line is at low or above, below high */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (line_at(s, axis, middle) <= at) low = middle;
        else high = middle;
    }
    return low;
}

/* Where a coordinate lies within the cell that begins at a line: 0 to 1. */
static double part_of_cell(const fnd_surface *s, int axis, int line, double at)
{
    if (s->uneven) return (at - line_at(s, axis, line)) / (line_at(s, axis, line + 1) - line_at(s, axis, line));
    return (axis == 0 ? (at - s->lower.x) / s->spacing.x : (at - s->lower.y) / s->spacing.y) - line;
}

bool fnd_grid_height(const fnd_surface *s, fender_vec3 p, double *height)
{
    assert(s->count_x > 0 && s->count_y > 0);
    const fender_vec3 *last = &s->vertices[s->vertex_count - 1];
    if (!(p.x >= s->lower.x && p.y >= s->lower.y && p.x <= last->x && p.y <= last->y)) return false;
    int i = fnd_grid_line(s, 0, p.x), j = fnd_grid_line(s, 1, p.y);
    if (i > s->count_x - 2) i = s->count_x - 2;
    if (j > s->count_y - 2) j = s->count_y - 2;
    int cell = j * (s->count_x - 1) + i;
    int32_t t = 2 * cell + (part_of_cell(s, 1, j, p.y) > part_of_cell(s, 0, i, p.x) ? 1 : 0);
    fender_vec3 n = fnd_triangle_normal(s, t), a = fnd_surface_corner(s, t, 0);
    *height = a.z - (n.x * (p.x - a.x) + n.y * (p.y - a.y)) / n.z;
    return true;
}

fender_vec3 fnd_surface_normal(const fnd_surface *s, const fnd_surface_closest *place)
{
    assert(place->triangle >= 0 && place->triangle < s->triangle_count);
    assert(place->feature == FND_ON_TRIANGLE || (place->corner >= 0 && place->corner < 3));
    fender_vec3 n = fnd_triangle_normal(s, place->triangle);
    if (place->feature == FND_ON_VERTEX) return fnd_vertex_normal(s, s->triangles[place->triangle][place->corner]);
    if (place->feature == FND_ON_TRIANGLE || s->neighbours[place->triangle][place->corner] < 0) return n;
    fender_vec3 sum = fender_vec3_add(n, fnd_triangle_normal(s, s->neighbours[place->triangle][place->corner]));
    double length = fender_vec3_length(sum);
    return length > 1e-9 ? fender_vec3_scale(1 / length, sum) : n;
}

bool fnd_surface_is_behind_normal(const fnd_surface *s, fender_vec3 p, const fnd_surface_closest *nearest,
                                  const fender_vec3 *normal)
{
    double height;
    /* Straight above a triangle there is nothing of the surface between the two; rounding does not decide that far. */
    const double sure = 1e-9 * (fabs(p.x) + fabs(p.y) + fabs(p.z) + nearest->distance);
    if (nearest->triangle >= 0 && nearest->feature == FND_ON_TRIANGLE && nearest->height > sure) return false;
    if (s->count_x > 0)
        return fnd_grid_height(s, p, &height) && p.z < height; /* the nearest place may be seen across the border */
    if (nearest->feature == FND_ON_TRIANGLE) return nearest->height < 0;
    if (nearest->feature == FND_ON_EDGE && s->neighbours[nearest->triangle][nearest->corner] < 0) return false;
    if (nearest->feature == FND_ON_VERTEX && s->border[s->triangles[nearest->triangle][nearest->corner]]) return false;
    return fender_vec3_dot(nearest->offset, normal ? *normal : fnd_surface_normal(s, nearest)) < 0;
}

bool fnd_surface_is_behind(const fnd_surface *s, fender_vec3 p, const fnd_surface_closest *nearest)
{
    return fnd_surface_is_behind_normal(s, p, nearest, NULL);
}

double fnd_surface_before_planes(const fnd_surface *s, const fnd_surface_closest *nearest)
{
    assert(nearest->triangle >= 0);
    if (nearest->feature == FND_ON_TRIANGLE) return nearest->distance;
    const int32_t vertex = s->triangles[nearest->triangle][nearest->corner];
    const int32_t both[2] = {nearest->triangle, s->neighbours[nearest->triangle][nearest->corner]};
    const bool edge = nearest->feature == FND_ON_EDGE;
    const int32_t *around = edge ? both : &s->vertex_triangles[s->vertex_start[vertex]];
    const int count = edge ? 2 : s->vertex_start[vertex + 1] - s->vertex_start[vertex];
    double most = -INFINITY;
    for (int i = 0; i < count; i++) {
        if (around[i] < 0) continue; /* a border */
        const double height = fender_vec3_dot(fnd_triangle_normal(s, s->planes[around[i]]), nearest->offset);
        if (height > most) most = height;
    }
    return most;
}

static float near_surface(double x) { return x < -2 ? -2 : x > 2 ? 2 : (float)x; } /* which lies within 1 */

void fnd_surface_traversal_begin(fnd_surface_traversal *traversal, const fnd_surface *surface, fender_box box)
{
    assert(surface->tree.nodes);
    const fnd_wide_tree *tree = &surface->tree;
    traversal->surface = surface;
    traversal->box = box;
    const double lower[3] = {box.lower.x, box.lower.y, box.lower.z}, upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    const double center[3] = {tree->center.x, tree->center.y, tree->center.z};
    for (int i = 0; i < 3; i++) {
        traversal->from[i] = (lower[i] - center[i]) * tree->scale;
        traversal->to[i] = (upper[i] - center[i]) * tree->scale;
        traversal->lower[i] = near_surface(traversal->from[i]);
        traversal->upper[i] = near_surface(traversal->to[i]);
    }
    traversal->stack[0] = 0;
    traversal->count = 1;
    traversal->at = traversal->end = 0;
}

int32_t fnd_surface_traversal_more(fnd_surface_traversal *traversal)
{
    static fnd_tree_traverse_function *const next[3] = FND_WIDTHS(fnd_tree_traverse);
    return next[fnd_tree_registers()](traversal);
}

int fnd_surface_children(const fnd_surface *s, int32_t at, fender_box boxes[FND_TREE_WIDTH],
                         int32_t children[FND_TREE_WIDTH])
{
    assert(at >= 0 && at < s->tree.node_count);
    const fnd_wide_node *node = &s->tree.nodes[at];
    const fender_vec3 c = s->tree.center;
    const double unit = 1 / s->tree.scale; /* a power of two */
    int count = 0;
    for (int i = 0; i < FND_TREE_WIDTH; i++) {
        const float *low = &node->lower[0][i], *high = &node->upper[0][i];
        const int y = FND_TREE_WIDTH, z = 2 * FND_TREE_WIDTH;
        if (low[0] > high[0]) continue; /* it holds nothing */
        boxes[count].lower = fender_vec3_make(c.x + unit * (double)low[0], c.y + unit * (double)low[y],
                                              c.z + unit * (double)low[z]);
        boxes[count].upper = fender_vec3_make(c.x + unit * (double)high[0], c.y + unit * (double)high[y],
                                              c.z + unit * (double)high[z]);
        children[count++] = node->child[i];
    }
    return count;
}

/* Of the triangles of a leaf. */
static double lowest_in_leaf(const fnd_surface *s, int32_t leaf, fender_vec3 n, fender_vec3 from)
{
    assert(leaf >= 0 && leaf < s->tree.leaf_count);
    double lowest = INFINITY;
    for (int lane = 0; lane < FND_TREE_WIDTH; lane++) {
        const int32_t triangle = s->tree.leaves[leaf].triangle[lane];
        for (int k = 0; k < 3 && triangle != FND_TREE_NO_TRIANGLE; k++) {
            const double height = fender_vec3_dot(n, fender_vec3_sub(fnd_surface_corner(s, triangle, k), from));
            lowest = height < lowest ? height : lowest;
        }
    }
    return lowest;
}

static double least_of_box(const fender_box *box, fender_vec3 n, fender_vec3 from)
{
    const fender_vec3 corner = {n.x > 0 ? box->lower.x : box->upper.x, n.y > 0 ? box->lower.y : box->upper.y,
                                n.z > 0 ? box->lower.z : box->upper.z};
    return fender_vec3_dot(n, fender_vec3_sub(corner, from));
}

double fnd_surface_lowest(const fnd_surface *s, fender_vec3 n, fender_vec3 from)
{
    struct {
        int32_t at;
        double least;
    } stack[FND_TREE_STACK];
    int count = 0;
    double lowest = INFINITY;
    stack[count].at = 0;
    stack[count++].least = -INFINITY;
    while (count > 0) {
        const int32_t at = stack[--count].at;
        if (stack[count].least > lowest) continue;
        if (at < 0) {
            const double height = lowest_in_leaf(s, ~at, n, from);
            lowest = height < lowest ? height : lowest;
            continue;
        }
        fender_box boxes[FND_TREE_WIDTH];
        int32_t children[FND_TREE_WIDTH];
        const int first = count, children_count = fnd_surface_children(s, at, boxes, children);
        for (int i = 0; i < children_count; i++) {
            const double least = least_of_box(&boxes[i], n, from);
            assert(count < FND_TREE_STACK);
            int place = count++;
            for (; place > first && stack[place - 1].least < least; place--) stack[place] = stack[place - 1];
            stack[place].at = children[i]; /* the lowest comes last */
            stack[place].least = least;
        }
    }
    return lowest;
}

/* Of a leaf, behind the others. False: there is no room. */
static bool list_leaf(const fnd_surface *s, int32_t leaf, fender_vec3 n, fender_vec3 from, double height,
                      uint64_t triangles[FND_SURFACE_LISTED], int *count)
{
    for (int lane = 0; lane < FND_TREE_WIDTH; lane++) {
        const int32_t triangle = s->tree.leaves[leaf].triangle[lane];
        bool below = false;
        for (int k = 0; k < 3 && triangle != FND_TREE_NO_TRIANGLE; k++)
            below |= fender_vec3_dot(n, fender_vec3_sub(fnd_surface_corner(s, triangle, k), from)) <= height;
        if (!below) continue;
        if (*count == FND_SURFACE_LISTED) return false;
        triangles[(*count)++] = (uint64_t)triangle;
    }
    return true;
}

int fnd_surface_below(const fnd_surface *s, fender_vec3 n, fender_vec3 from, double height,
                      uint64_t triangles[FND_SURFACE_LISTED])
{
    int32_t stack[FND_TREE_STACK] = {0};
    int waiting = 1, count = 0;
    const double size = fabs(n.x * from.x) + fabs(n.y * from.y) + fabs(n.z * from.z) + fabs(height);
    while (waiting > 0) {
        const int32_t at = stack[--waiting];
        if (at < 0) {
            if (!list_leaf(s, ~at, n, from, height, triangles, &count)) return -1;
            continue;
        }
        fender_box boxes[FND_TREE_WIDTH];
        int32_t children[FND_TREE_WIDTH];
        const int children_count = fnd_surface_children(s, at, boxes, children);
        for (int i = 0; i < children_count; i++) {
            assert(waiting < FND_TREE_STACK);
            if (least_of_box(&boxes[i], n, from) <= height + 1e-12 * size) stack[waiting++] = children[i];
        }
    }
    uint64_t room[FND_SURFACE_LISTED];
    fnd_sort_by_key(triangles, room, count);
    return count;
}
