/* Questions to surfaces: the nearest place to a point, behind or before it, the triangles in a box. */
#include "geometry/surface.h"

/* The nearest point of the edge from corner k; 0, 1: it is the lower, the higher vertex by number, so that the
 * triangles on both sides of it find the same bits. */
static fender_vec3 nearest_on_edge(const fnd_surface *s, int32_t triangle, int k, fender_vec3 p, int *corner)
{
    int next = (k + 1) % 3, from = s->triangles[triangle][k] < s->triangles[triangle][next] ? k : next;
    int to = from == k ? next : k;
    fender_vec3 a = fnd_surface_corner(s, triangle, from), b = fnd_surface_corner(s, triangle, to);
    fender_vec3 e = fender_vec3_sub(b, a);
    double along = fender_vec3_dot(e, fender_vec3_sub(p, a)), whole = fender_vec3_dot(e, e);
    *corner = along <= 0 ? from : fender_vec3_dot(e, fender_vec3_sub(p, b)) >= 0 ? to : -1;
    if (*corner >= 0) return *corner == from ? a : b;
    return fender_vec3_add_scaled(a, along / whole, e);
}

fnd_surface_place fnd_triangle_nearest(const fnd_surface *s, int32_t triangle, fender_vec3 p)
{
    fnd_surface_place found = {.triangle = triangle, .feature = FND_ON_TRIANGLE, .distance = INFINITY};
    fender_vec3 n = s->normals[triangle];
    bool inside = true;
    for (int k = 0; k < 3 && inside; k++) {
        fender_vec3 a = fnd_surface_corner(s, triangle, k), b = fnd_surface_corner(s, triangle, k + 1);
        inside = fender_vec3_dot(fender_vec3_cross(n, fender_vec3_sub(b, a)), fender_vec3_sub(p, a)) >= 0;
    }
    if (inside) {
        double height = fender_vec3_dot(n, fender_vec3_sub(p, fnd_surface_corner(s, triangle, 0)));
        found.point = fender_vec3_add_scaled(p, -height, n);
        found.distance = fabs(height);
        return found;
    }
    for (int k = 0; k < 3; k++) {
        int corner;
        fender_vec3 q = nearest_on_edge(s, triangle, k, p, &corner);
        double distance = fender_vec3_length(fender_vec3_sub(p, q));
        if (!(distance < found.distance)) continue;
        found.point = q;
        found.distance = distance;
        found.feature = corner < 0 ? FND_ON_EDGE : FND_ON_VERTEX;
        found.corner = corner < 0 ? k : corner;
    }
    return found;
}

static double outside(double x, double lower, double upper)
{
    return x < lower ? lower - x : x > upper ? x - upper : 0;
}

static double distance_to_box(const fender_box *box, fender_vec3 p)
{
    fender_vec3 d = {outside(p.x, box->lower.x, box->upper.x), outside(p.y, box->lower.y, box->upper.y),
                     outside(p.z, box->lower.z, box->upper.z)};
    return fender_vec3_length(d);
}

/* Is `one` the better answer? */
static bool nearer(const fnd_surface_place *one, const fnd_surface_place *best)
{
    if (best->triangle < 0 || one->distance != best->distance) return one->distance < best->distance;
    bool inside = one->feature == FND_ON_TRIANGLE, best_inside = best->feature == FND_ON_TRIANGLE;
    return inside != best_inside ? inside : one->triangle < best->triangle;
}

fnd_surface_place fnd_surface_nearest(const fnd_surface *s, fender_vec3 p, double limit)
{
    fnd_surface_place best = {.triangle = -1, .distance = limit};
    struct {
        int32_t node;
        double distance;
    } stack[FND_SURFACE_DEPTH];
    int count = 0;
    stack[count].node = 0;
    stack[count++].distance = distance_to_box(&s->nodes[0].box, p);
    while (count > 0) {
        int32_t at = stack[--count].node;
        if (stack[count].distance > best.distance) continue;
        const fnd_surface_node *node = &s->nodes[at];
        for (int i = 0; i < node->count; i++) {
            fnd_surface_place one = fnd_triangle_nearest(s, s->order[node->first + i], p);
            if (one.distance <= best.distance && nearer(&one, &best)) best = one;
        }
        if (node->count > 0) continue;
        double first = distance_to_box(&s->nodes[node->first].box, p);
        double second = distance_to_box(&s->nodes[node->first + 1].box, p);
        int nearest = second < first ? 1 : 0; /* looked at first: on top of the stack */
        stack[count].node = node->first + 1 - nearest;
        stack[count++].distance = nearest ? first : second;
        stack[count].node = node->first + nearest;
        stack[count++].distance = nearest ? second : first;
    }
    return best;
}

/* Height of the grid straight above or below; false: beside it. */
static bool grid_height(const fnd_surface *s, fender_vec3 p, double *height)
{
    double x = (p.x - s->lower.x) / s->spacing.x, y = (p.y - s->lower.y) / s->spacing.y;
    const fender_vec3 *last = &s->vertices[s->vertex_count - 1];
    if (!(p.x >= s->lower.x && p.y >= s->lower.y && p.x <= last->x && p.y <= last->y)) return false;
    int i = x >= s->count_x - 1 ? s->count_x - 2 : (int)x, j = y >= s->count_y - 1 ? s->count_y - 2 : (int)y;
    int cell = j * (s->count_x - 1) + i;
    int32_t t = 2 * cell + (y - j > x - i ? 1 : 0);
    fender_vec3 n = s->normals[t], a = fnd_surface_corner(s, t, 0);
    *height = a.z - (n.x * (p.x - a.x) + n.y * (p.y - a.y)) / n.z;
    return true;
}

fender_vec3 fnd_surface_normal(const fnd_surface *s, const fnd_surface_place *place)
{
    fender_vec3 n = s->normals[place->triangle];
    if (place->feature == FND_ON_VERTEX) return s->vertex_normals[s->triangles[place->triangle][place->corner]];
    if (place->feature == FND_ON_TRIANGLE || s->neighbours[place->triangle][place->corner] < 0) return n;
    fender_vec3 sum = fender_vec3_add(n, s->normals[s->neighbours[place->triangle][place->corner]]);
    double length = fender_vec3_length(sum);
    return length > 1e-9 ? fender_vec3_scale(1 / length, sum) : n;
}

bool fnd_surface_is_behind(const fnd_surface *s, fender_vec3 p, const fnd_surface_place *nearest)
{
    double height;
    if (s->count_x > 0)
        return grid_height(s, p, &height) && p.z < height; /* the nearest place may be seen across the border */
    if (nearest->feature == FND_ON_EDGE && s->neighbours[nearest->triangle][nearest->corner] < 0) {
        return false;
    } else if (nearest->feature == FND_ON_VERTEX && s->border[s->triangles[nearest->triangle][nearest->corner]]) {
        return false;
    }
    fender_vec3 from = nearest->point;
    if (nearest->feature == FND_ON_TRIANGLE) from = fnd_surface_corner(s, nearest->triangle, 0); /* without rounding */
    return fender_vec3_dot(fender_vec3_sub(p, from), fnd_surface_normal(s, nearest)) < 0;
}

static bool apart(const fender_box *a, const fender_box *b)
{
    return a->lower.x > b->upper.x || b->lower.x > a->upper.x || a->lower.y > b->upper.y || b->lower.y > a->upper.y ||
           a->lower.z > b->upper.z || b->lower.z > a->upper.z;
}

void fnd_surface_walk_begin(fnd_surface_walk *walk, const fnd_surface *surface, fender_box box)
{
    walk->surface = surface;
    walk->box = box;
    walk->stack[0] = 0;
    walk->count = 1;
    walk->at = walk->end = 0;
}

int32_t fnd_surface_walk_next(fnd_surface_walk *walk)
{
    const fnd_surface *s = walk->surface;
    for (;;) {
        while (walk->at < walk->end) {
            int32_t t = s->order[walk->at++];
            fender_vec3 a = fnd_surface_corner(s, t, 0), b = fnd_surface_corner(s, t, 1),
                        c = fnd_surface_corner(s, t, 2);
            const fender_box *box = &walk->box;
            bool beside = (a.x < box->lower.x && b.x < box->lower.x && c.x < box->lower.x) ||
                          (a.y < box->lower.y && b.y < box->lower.y && c.y < box->lower.y) ||
                          (a.z < box->lower.z && b.z < box->lower.z && c.z < box->lower.z) ||
                          (a.x > box->upper.x && b.x > box->upper.x && c.x > box->upper.x) ||
                          (a.y > box->upper.y && b.y > box->upper.y && c.y > box->upper.y) ||
                          (a.z > box->upper.z && b.z > box->upper.z && c.z > box->upper.z);
            if (!beside) return t;
        }
        if (walk->count == 0) return -1;
        const fnd_surface_node *node = &s->nodes[walk->stack[--walk->count]];
        if (apart(&node->box, &walk->box)) continue;
        if (node->count > 0) {
            walk->at = node->first;
            walk->end = node->first + node->count;
            continue;
        }
        walk->stack[walk->count++] = node->first + 1;
        walk->stack[walk->count++] = node->first;
    }
}
