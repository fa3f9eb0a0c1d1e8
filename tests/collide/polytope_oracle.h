/* Oracle of the distance of two polytopes, from their vertices alone: the greatest lower bound over every direction
 * that can be the best, in long double. Every direction n gives the bound min n . (b - a); the directions of all
 * triangles, lines and points of the difference are tried, so that the greatest bound is the distance. */
#ifndef TESTS_POLYTOPE_ORACLE_H
#define TESTS_POLYTOPE_ORACLE_H

#include <fender/geometry.h>
#include <math.h>

typedef long double real;
typedef struct vec {
    real x, y, z;
} vec;
static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec vec_scale(real s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static inline real vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec vec_of(fender_vec3 v) { return (vec){v.x, v.y, v.z}; }

/* v turned by the quaternion (of any length). */
static inline vec vec_rotate(fender_quaternion q, fender_vec3 v)
{
    real n = sqrtl((real)q.w * q.w + (real)q.x * q.x + (real)q.y * q.y + (real)q.z * q.z);
    real w = q.w / n;
    vec u = {q.x / n, q.y / n, q.z / n}, p = vec_of(v);
    vec t = vec_scale(2, vec_cross(u, p));
    return vec_add(vec_add(p, vec_scale(w, t)), vec_cross(u, t));
}

enum { ORACLE_VERTICES = 24 };
typedef struct oracle_body {
    int count;
    vec v[ORACLE_VERTICES]; /* axes of the world, origin at a's */
} oracle_body;

static inline oracle_body oracle_place(const fender_vec3 *vertices, int count, fender_quaternion q, vec offset)
{
    oracle_body body = {.count = count};
    for (int i = 0; i < count; i++) body.v[i] = vec_add(vec_rotate(q, vertices[i]), offset);
    return body;
}

/* min n . (b - a), or less than `enough` */
static inline real oracle_bound(const oracle_body *a, const oracle_body *b, vec n, real enough)
{
    real least = INFINITY, most = -INFINITY;
    for (int i = 0; i < a->count; i++) {
        real d = vec_dot(n, a->v[i]);
        most = d > most ? d : most;
    }
    for (int i = 0; i < b->count && least - most >= enough; i++) {
        real d = vec_dot(n, b->v[i]);
        least = d < least ? d : least;
    }
    return least - most;
}

typedef struct oracle_answer {
    real distance;
    vec normal;
} oracle_answer;

static inline void oracle_try(const oracle_body *a, const oracle_body *b, vec n, real shortest, oracle_answer *best)
{
    real length = sqrtl(vec_dot(n, n));
    if (!(length > shortest)) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        vec u = vec_scale(sign / length, n);
        real s = oracle_bound(a, b, u, best->distance);
        if (s > best->distance) *best = (oracle_answer){s, u};
    }
}

/* Signed distance of two polytopes, -INFINITY where both together have no extent. */
static inline oracle_answer oracle_distance(const oracle_body *a, const oracle_body *b)
{
    static vec w[ORACLE_VERTICES * ORACLE_VERTICES];
    int count = 0;
    real size = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            w[count] = vec_sub(b->v[j], a->v[i]);
            size = fmaxl(size, fabsl(w[count].x) + fabsl(w[count].y) + fabsl(w[count].z));
            count++;
        }
    oracle_answer best = {-INFINITY, {0, 0, 0}};
    for (int i = 0; i < count; i++) oracle_try(a, b, w[i], 1e-18L * size, &best);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            vec e = vec_sub(w[j], w[i]);
            real ee = vec_dot(e, e);
            if (!(ee > 1e-34L * size * size)) continue;
            vec v = vec_add(w[i], vec_scale(-vec_dot(w[i], e) / ee, e));
            v = vec_add(v, vec_scale(-vec_dot(v, e) / ee, e)); /* across e to rounding of a short v too */
            oracle_try(a, b, v, 1e-18L * size, &best);
            if (count <= 4) { /* it may be no more than a line: anything across it */
                oracle_try(a, b, vec_cross(e, (vec){1, 0, 0}), 1e-3L * sqrtl(ee), &best);
                oracle_try(a, b, vec_cross(e, (vec){0, 1, 0}), 1e-3L * sqrtl(ee), &best);
            }
        }
    /* Faces: of either body with the other's points, and of two edges: normals need differences of one body each. */
    for (int body = 0; body < 2; body++) {
        const oracle_body *one = body ? b : a;
        for (int i = 0; i < one->count; i++)
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++)
                    oracle_try(a, b, vec_cross(vec_sub(one->v[j], one->v[i]), vec_sub(one->v[k], one->v[i])),
                               1e-17L * size * size, &best);
    }
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < b->count; k++)
                for (int l = 0; l < k; l++)
                    oracle_try(a, b, vec_cross(vec_sub(a->v[j], a->v[i]), vec_sub(b->v[l], b->v[k])),
                               1e-17L * size * size, &best);
    return best;
}

#endif
