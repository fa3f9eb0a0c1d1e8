/* The tree of boxes over a surface's triangles: halves at the middle of the boxes' centres, or by count where that
 * would be lopsided, so that it is never deep. */
#include "geometry/bvh.h"

enum { LEAF = 4 };

static double part(fender_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double center(const fnd_surface *s, int32_t t, int axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double x = part(fnd_surface_corner(s, t, k), axis);
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    return low / 2 + high / 2;
}

static void widen(fender_box *box, fender_vec3 v)
{
    box->lower.x = v.x < box->lower.x ? v.x : box->lower.x;
    box->lower.y = v.y < box->lower.y ? v.y : box->lower.y;
    box->lower.z = v.z < box->lower.z ? v.z : box->lower.z;
    box->upper.x = v.x > box->upper.x ? v.x : box->upper.x;
    box->upper.y = v.y > box->upper.y ? v.y : box->upper.y;
    box->upper.z = v.z > box->upper.z ? v.z : box->upper.z;
}

static fender_box empty(void)
{
    return (fender_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* Orders the triangles of a node into two groups; returns how many are in the first. */
static int divide(fnd_surface *s, fnd_surface_node *node, fnd_sort_real *items)
{
    fender_box centers = empty();
    int32_t *order = s->order + node->first;
    for (int i = 0; i < node->count; i++)
        widen(&centers, fender_vec3_make(center(s, order[i], 0), center(s, order[i], 1), center(s, order[i], 2)));
    fender_vec3 size = fender_vec3_sub(centers.upper, centers.lower);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double middle = part(centers.lower, axis) / 2 + part(centers.upper, axis) / 2;
    int count = node->count, low = 0;
    for (int i = 0; i < count; i++) {
        items[i] = (fnd_sort_real){center(s, order[i], axis), (uint32_t)order[i]};
        low += items[i].key < middle;
    }
    bool lopsided = low < count / 8 + 1 || count - low < count / 8 + 1;
    if (!lopsided)
        for (int i = 0; i < count; i++) items[i].key = items[i].key < middle ? 0 : 1;
    if (lopsided) low = count / 2;
    fnd_sort_by_real(items, items + count, count);
    for (int i = 0; i < count; i++) order[i] = (int32_t)items[i].index;
    return low;
}

void fnd_surface_build_tree(fnd_surface *s, fnd_sort_real *items)
{
    for (int32_t t = 0; t < s->triangle_count; t++) s->order[t] = t;
    s->nodes[0] = (fnd_surface_node){.box = empty(), .first = 0, .count = s->triangle_count};
    s->node_count = 1;
    for (int n = 0; n < s->node_count; n++) { /* grows behind the loop */
        fnd_surface_node *node = &s->nodes[n];
        for (int i = 0; i < node->count; i++)
            for (int k = 0; k < 3; k++) widen(&node->box, fnd_surface_corner(s, s->order[node->first + i], k));
        if (node->count <= LEAF) continue;
        int32_t first = node->first, count = node->count, low = divide(s, node, items);
        node->first = s->node_count;
        node->count = 0;
        s->nodes[s->node_count++] = (fnd_surface_node){.box = empty(), .first = first, .count = low};
        s->nodes[s->node_count++] = (fnd_surface_node){.box = empty(), .first = first + low, .count = count - low};
    }
}
