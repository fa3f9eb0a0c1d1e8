/* Nearest points of two flat convex sets, seen along their normal: a search of simplices in the plane. */
#include "collide/refine_meet.h"

#include "geometry/direction.h"

typedef struct flat_vertex {
    double x, y; /* of b - a in the plane */
    fender_vec3 a, b;
} flat_vertex;

static fender_vec3 middle(const fnd_flat_set *set)
{
    if (set->count == 0) return set->center;
    fender_vec3 sum = {0, 0, 0}; /* from the first: a point alone stays what it is */
    for (int i = 1; i < set->count; i++) sum = fender_vec3_add(sum, fender_vec3_sub(set->points[i], set->points[0]));
    return fender_vec3_add_scaled(set->points[0], 1.0 / set->count, sum);
}

static fender_vec3 farthest(const fnd_flat_set *set, fender_vec3 d)
{
    if (set->count == 0) {
        double u = fender_vec3_dot(set->semi[0], d), v = fender_vec3_dot(set->semi[1], d), length = fnd_length_2(u, v);
        if (!(length > 0)) return set->center;
        fender_vec3 x = fender_vec3_add_scaled(set->center, u / length, set->semi[0]);
        return fender_vec3_add_scaled(x, v / length, set->semi[1]);
    }
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < set->count; i++) {
        double along = fender_vec3_dot(set->points[i], d);
        if (along > most) most = along, best = i;
    }
    return set->points[best];
}

static flat_vertex vertex_of(fender_vec3 a, fender_vec3 b, const fender_vec3 across[2])
{
    fender_vec3 w = fender_vec3_sub(b, a);
    return (flat_vertex){fender_vec3_dot(w, across[0]), fender_vec3_dot(w, across[1]), a, b};
}

/* Nearest point of a segment to the origin: part of the way from p to q. */
static double part_of(const flat_vertex *p, const flat_vertex *q)
{
    double x = q->x - p->x, y = q->y - p->y, squared = x * x + y * y;
    if (!(squared > 0)) return 0;
    double part = -(p->x * x + p->y * y) / squared;
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

static double turn(const flat_vertex *p, const flat_vertex *q) { return p->x * q->y - p->y * q->x; }

/* Reduces the simplex to what holds its nearest point to the origin, with weights. */
static void reduce(flat_vertex v[3], double weight[3], int *count)
{
    if (*count == 3) {
        double area[3] = {turn(&v[1], &v[2]), turn(&v[2], &v[0]), turn(&v[0], &v[1])};
        double sum = area[0] + area[1] + area[2];
        bool inside = (area[0] >= 0 && area[1] >= 0 && area[2] >= 0) || (area[0] <= 0 && area[1] <= 0 && area[2] <= 0);
        if (inside && sum != 0) {
            for (int i = 0; i < 3; i++) weight[i] = area[i] / sum;
            return;
        }
        int best = 0;
        double least = INFINITY, part = 0;
        for (int i = 0; i < 3; i++) { /* an edge */
            const flat_vertex *p = &v[i], *q = &v[(i + 1) % 3];
            double t = part_of(p, q), x = p->x + t * (q->x - p->x), y = p->y + t * (q->y - p->y);
            if (x * x + y * y < least) least = x * x + y * y, best = i, part = t;
        }
        flat_vertex p = v[best], q = v[(best + 1) % 3];
        v[0] = p, v[1] = q;
        weight[0] = 1 - part, weight[1] = part;
        *count = 2;
    } else if (*count == 2) {
        weight[1] = part_of(&v[0], &v[1]);
        weight[0] = 1 - weight[1];
    } else weight[0] = 1;
    if (*count == 2 && (weight[0] == 0 || weight[1] == 0)) {
        if (weight[0] == 0) v[0] = v[1];
        weight[0] = 1;
        *count = 1;
    }
}

static double nearest(const fnd_flat_set *a, const fnd_flat_set *b, const fender_vec3 across[2], fender_vec3 *point_a,
                      fender_vec3 *point_b)
{
    flat_vertex v[3] = {vertex_of(middle(a), middle(b), across)};
    double weight[3] = {1, 0, 0}, gap = INFINITY;
    int count = 1;
    for (int tries = 0; tries < 60; tries++) {
        reduce(v, weight, &count);
        double x = 0, y = 0;
        for (int i = 0; i < count; i++) x += weight[i] * v[i].x, y += weight[i] * v[i].y;
        *point_a = *point_b = fender_vec3_make(0, 0, 0);
        for (int i = 0; i < count; i++) {
            *point_a = fender_vec3_add_scaled(*point_a, weight[i], v[i].a);
            *point_b = fender_vec3_add_scaled(*point_b, weight[i], v[i].b);
        }
        double length = fnd_length_2(x, y);
        if (count == 3 || length == 0) return length;
        if (!(length < gap)) return gap;
        gap = length;
        fender_vec3 d = fender_vec3_add(fender_vec3_scale(x / length, across[0]),
                                        fender_vec3_scale(y / length, across[1]));
        flat_vertex w = vertex_of(farthest(a, d), farthest(b, fender_vec3_negate(d)), across);
        if (length - (w.x * x + w.y * y) / length <= 1e-16 * length) return gap;
        v[count++] = w;
    }
    return gap;
}

static fnd_flat_set point_set(fender_vec3 point)
{
    fnd_flat_set set;
    set.count = 1;
    set.points[0] = point;
    return set;
}

double fnd_flat_meet(const fnd_flat_set *a, const fnd_flat_set *b, const fender_vec3 across[2], fender_vec3 *point_a,
                     fender_vec3 *point_b)
{
    if (a->count == 1 || b->count == 1) return nearest(a, b, across, point_a, point_b);
    fnd_flat_set at_a = point_set(middle(a)), at_b = point_set(middle(b));
    fender_vec3 from_a, from_b, on_a, on_b;
    bool a_in_b = nearest(&at_a, b, across, &from_a, &on_b) == 0,
         b_in_a = nearest(a, &at_b, across, &on_a, &from_b) == 0;
    if (!a_in_b && !b_in_a) return nearest(a, b, across, point_a, point_b);
    if (a_in_b && b_in_a) { /* half way between both middles, which is in both */
        *point_a = fender_vec3_scale(0.5, fender_vec3_add(from_a, on_a));
        *point_b = fender_vec3_scale(0.5, fender_vec3_add(on_b, from_b));
    } else if (a_in_b) *point_a = from_a, *point_b = on_b;
    else *point_a = on_a, *point_b = from_b;
    return 0;
}

/* Vectors that the set extends by, from its first point or its middle. */
static int extents_of(const fnd_flat_set *set, fender_vec3 extents[FND_FLAT_POINTS])
{
    if (set->count == 0) {
        extents[0] = set->semi[0], extents[1] = set->semi[1];
        return 2;
    }
    for (int i = 1; i < set->count; i++) extents[i - 1] = fender_vec3_sub(set->points[i], set->points[0]);
    return set->count - 1;
}

double fnd_flat_width(const fnd_flat_set *a, const fnd_flat_set *b)
{
    fender_vec3 extents[2 * FND_FLAT_POINTS], longest = {0, 0, 0};
    int count = extents_of(a, extents);
    count += extents_of(b, extents + count);
    double length = 0, width = 0;
    for (int i = 0; i < count; i++) {
        double one = fender_vec3_length(extents[i]);
        if (one > length) length = one, longest = extents[i];
    }
    for (int i = 0; i < count; i++) {
        double across = fender_vec3_length(fender_vec3_cross(longest, extents[i])) / length;
        if (across > width) width = across;
    }
    return width;
}
