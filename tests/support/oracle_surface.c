/* Oracle of triangulated surfaces: brute force over the triangles. */
#include "oracle_surface.h"

static real3 corner(const oracle_surface *s, int t, int k) { return real3_of(s->corners[t][k]); }

void oracle_surface_finish(oracle_surface *s)
{
    s->size = 0;
    for (int t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            s->corners[t][k] = s->vertices[s->triangles[t][k]];
            double length = fender_vec3_length(s->corners[t][k]);
            if (length > s->size) s->size = length;
        }
}

real3 oracle_triangle_normal(const oracle_surface *s, int t)
{
    real3 u = real3_add(corner(s, t, 1), -1, corner(s, t, 0)), v = real3_add(corner(s, t, 2), -1, corner(s, t, 0));
    return real3_unit(real3_cross(u, v));
}

static real from_segment(real3 p, real3 a, real3 b)
{
    real3 u = real3_add(b, -1, a), d = real3_add(p, -1, a);
    real t = real3_dot(u, d) / real3_dot(u, u);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return real3_length(real3_add(d, -t, u));
}

real oracle_triangle_distance(const oracle_surface *s, int t, real3 p)
{
    real3 a = corner(s, t, 0), b = corner(s, t, 1), c = corner(s, t, 2), n = oracle_triangle_normal(s, t);
    bool within = true;
    const real3 v[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        real3 side = real3_cross(n, real3_add(v[(k + 1) % 3], -1, v[k])); /* into the triangle */
        within = within && real3_dot(side, real3_add(p, -1, v[k])) >= 0;
    }
    if (within) return fabsl(real3_dot(n, real3_add(p, -1, a)));
    real ab = from_segment(p, a, b), bc = from_segment(p, b, c), ca = from_segment(p, c, a);
    real least = ab < bc ? ab : bc;
    return least < ca ? least : ca;
}

static bool below_grid(const oracle_surface *s, real3 p)
{
    if (p.x < s->x[0] || p.y < s->y[0] || p.x > s->x[s->count_x - 1] || p.y > s->y[s->count_y - 1]) return false;
    int i = 0, j = 0;
    while (i < s->count_x - 2 && p.x >= s->x[i + 1]) i++;
    while (j < s->count_y - 2 && p.y >= s->y[j + 1]) j++;
    real u = (p.x - s->x[i]) / ((real)s->x[i + 1] - s->x[i]), v = (p.y - s->y[j]) / ((real)s->y[j + 1] - s->y[j]);
    real z00 = s->vertices[j * s->count_x + i].z, z10 = s->vertices[j * s->count_x + i + 1].z;
    real z01 = s->vertices[(j + 1) * s->count_x + i].z, z11 = s->vertices[(j + 1) * s->count_x + i + 1].z;
    real height = u >= v ? z00 + u * (z10 - z00) + v * (z11 - z10) : z00 + v * (z01 - z00) + u * (z11 - z01);
    return p.z < height;
}

/* Sum of the solid angles of the triangles over 4 pi: 1 inside a closed mesh, 0 outside. */
static bool wound_about(const oracle_surface *s, real3 p)
{
    real sum = 0;
    for (int t = 0; t < s->triangle_count; t++) {
        real3 a = real3_add(corner(s, t, 0), -1, p), b = real3_add(corner(s, t, 1), -1, p);
        real3 c = real3_add(corner(s, t, 2), -1, p);
        real la = real3_length(a), lb = real3_length(b), lc = real3_length(c);
        sum += 2 * atan2l(real3_dot(a, real3_cross(b, c)),
                          la * lb * lc + real3_dot(a, b) * lc + real3_dot(b, c) * la + real3_dot(c, a) * lb);
    }
    return sum > 6.28318530717958648L;
}

bool oracle_surface_inside(const oracle_surface *s, real3 point)
{
    return s->grid ? below_grid(s, point) : wound_about(s, point);
}

bool oracle_surface_border(const oracle_surface *s, real3 p, real near)
{
    if (!s->grid) return false;
    return fabsl(p.x - s->x[0]) < near || fabsl(p.x - s->x[s->count_x - 1]) < near || fabsl(p.y - s->y[0]) < near ||
           fabsl(p.y - s->y[s->count_y - 1]) < near;
}

real oracle_surface_distance(const oracle_surface *s, real3 point)
{
    real least = INFINITY;
    for (int t = 0; t < s->triangle_count; t++) {
        real d = oracle_triangle_distance(s, t, point);
        if (d < least) least = d;
    }
    return oracle_surface_inside(s, point) ? -least : least;
}
