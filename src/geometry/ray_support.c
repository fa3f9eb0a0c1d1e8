/* Distance of a point from a convex set that is known by its support function: the nearest point of a growing simplex
 * (Gilbert, Johnson and Keerthi 1988), found among all faces of the simplex. */
#include "geometry/ray.h"
#include "geometry/support.h"

typedef struct simplex {
    fender_vec3 w[4]; /* points of the set, from the point that is asked for */
    int count;
} simplex;

/* The point of the affine hull of some corners that is nearest to the origin, and whether it lies between them. */
static bool nearest_between(const fender_vec3 *w, const int *corner, int count, fender_vec3 *v)
{
    fender_vec3 base = w[corner[0]], e[3];
    for (int i = 1; i < count; i++) e[i - 1] = fender_vec3_sub(w[corner[i]], base);
    double weight[3] = {0, 0, 0}, sum = 0;
    if (count == 2) {
        double square = fender_vec3_dot(e[0], e[0]);
        if (!(square > 0)) return false;
        weight[0] = -fender_vec3_dot(base, e[0]) / square;
    } else if (count == 3) {
        fender_vec3 n = fender_vec3_cross(e[0], e[1]);
        double square = fender_vec3_dot(n, n);
        if (!(square > 0)) return false;
        weight[0] = -fender_vec3_dot(fender_vec3_cross(base, e[1]), n) / square;
        weight[1] = -fender_vec3_dot(fender_vec3_cross(e[0], base), n) / square;
    } else if (count == 4) {
        fender_vec3 n = fender_vec3_cross(e[1], e[2]);
        double six = fender_vec3_dot(e[0], n);
        if (six == 0) return false;
        weight[0] = -fender_vec3_dot(base, n) / six;
        weight[1] = -fender_vec3_dot(base, fender_vec3_cross(e[2], e[0])) / six;
        weight[2] = -fender_vec3_dot(base, fender_vec3_cross(e[0], e[1])) / six;
    }
    *v = base;
    for (int i = 0; i + 1 < count; i++) {
        if (!(weight[i] >= 0)) return false;
        sum += weight[i];
        *v = fender_vec3_add_scaled(*v, weight[i], e[i]);
    }
    if (count == 3) { /* along the normal: no digits of the plane's distance are lost */
        fender_vec3 n = fender_vec3_cross(e[0], e[1]);
        *v = fender_vec3_scale(fender_vec3_dot(base, n) / fender_vec3_dot(n, n), n);
    }
    return sum <= 1;
}

/* The nearest point of the simplex; only the corners that it needs remain. True: the origin is inside. */
static bool reduce(simplex *s, fender_vec3 *v)
{
    double best = INFINITY;
    int kept = 0;
    for (int set = 1; set < 1 << s->count; set++) {
        int corner[4] = {0, 0, 0, 0}, count = 0;
        for (int i = 0; i < s->count; i++)
            if (set >> i & 1) corner[count++] = i;
        fender_vec3 found;
        if (!nearest_between(s->w, corner, count, &found)) continue;
        if (count == 4) return true;
        double square = fender_vec3_dot(found, found);
        if (square < best) best = square, kept = set, *v = found;
    }
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (kept >> i & 1) s->w[count++] = s->w[i];
    s->count = count;
    return false;
}

double fnd_support_distance(const fender_geometry *g, fender_vec3 point, fender_vec3 *toward)
{
    simplex s = {{{0, 0, 0}}, 1};
    s.w[0] = fender_vec3_sub(fnd_support(g, point), point);
    fender_vec3 v = s.w[0], best = v;
    double largest = fender_vec3_dot(v, v), least = largest;
    for (int i = 0; i < 100; i++) {
        double square = fender_vec3_dot(v, v);
        if (square <= 1e-30 * largest) break;
        fender_vec3 w = fender_vec3_sub(fnd_support(g, fender_vec3_negate(v)), point);
        double size = fender_vec3_dot(w, w);
        if (size > largest) largest = size;
        if (square - fender_vec3_dot(v, w) <= 1e-16 * square) break; /* nothing of the set is nearer */
        s.w[s.count++] = w;
        if (reduce(&s, &v)) {
            best = fender_vec3_make(0, 0, 0);
            break;
        }
        double now = fender_vec3_dot(v, v);
        if (!(now < least)) break; /* rounding is all that is left */
        least = now;
        best = v;
    }
    double distance = fender_vec3_length(best);
    if (distance > 0) *toward = fender_vec3_scale(-1 / distance, best);
    else *toward = fender_vec3_make(0, 0, 1);
    return distance * distance <= 1e-30 * largest ? 0 : distance;
}
