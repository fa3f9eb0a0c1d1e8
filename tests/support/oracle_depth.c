/* Oracle: is a claimed penetration the least? Branch and bound over all directions; see oracle.h. */
#include "oracle.h"

#include <string.h>

typedef struct look {
    double n[3], p[3]; /* unit direction; support point of the difference a - b along it */
    double h;          /* n.p: how far b has to go along n to leave a */
} look;
typedef struct triangle {
    look corner[3];
} triangle;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cast_along(const oracle_pair *pair, const double n[3], look *l)
{
    double in_a[3], in_b[3], pa[3], pb[3], length = sqrt(dot(n, n));
    for (int i = 0; i < 3; i++) l->n[i] = n[i] / length;
    for (int i = 0; i < 3; i++) {
        in_a[i] = pair->Da[0][i] * l->n[0] + pair->Da[1][i] * l->n[1] + pair->Da[2][i] * l->n[2];
        in_b[i] = -(pair->Db[0][i] * l->n[0] + pair->Db[1][i] * l->n[1] + pair->Db[2][i] * l->n[2]);
    }
    oracle_support_d(pair->a, in_a, pa);
    oracle_support_d(pair->b, in_b, pb);
    for (int i = 0; i < 3; i++) l->p[i] = dot(pair->Da[i], pa) - dot(pair->Db[i], pb) - pair->offset_d[i];
    l->h = dot(l->n, l->p);
}

static double least(const double g[3]) { return g[0] < g[1] ? (g[0] < g[2] ? g[0] : g[2]) : g[1] < g[2] ? g[1] : g[2]; }

/* Best of the combinations of two corners' support points: two values are made equal. */
static double best_of_two(const double f[3], const double g[3], double best)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double t = g[j] - g[i], divisor = (f[i] - f[j]) + t;
        if (divisor == 0) continue;
        t /= divisor;
        if (!(t > 0 && t < 1)) continue;
        const double mixed[3] = {g[0] + t * (f[0] - g[0]), g[1] + t * (f[1] - g[1]), g[2] + t * (f[2] - g[2])};
        double value = least(mixed);
        if (value > best) best = value;
    }
    return best;
}

/* The combination of all three that is level over the triangle. */
static double best_of_three(double g[3][3], double best)
{
    double m[2][3]; /* weights (1 - u - v, u, v): two differences vanish */
    for (int i = 0; i < 2; i++) {
        double d0 = g[0][i] - g[0][2];
        m[i][0] = g[1][i] - g[1][2] - d0, m[i][1] = g[2][i] - g[2][2] - d0, m[i][2] = -d0;
    }
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    if (det == 0) return best;
    double u = (m[0][2] * m[1][1] - m[0][1] * m[1][2]) / det, v = (m[0][0] * m[1][2] - m[0][2] * m[1][0]) / det;
    if (!(u >= 0 && v >= 0 && u + v <= 1)) return best;
    double mixed[3];
    for (int i = 0; i < 3; i++) mixed[i] = g[0][i] + u * (g[1][i] - g[0][i]) + v * (g[2][i] - g[0][i]);
    double value = least(mixed);
    return value > best ? value : best;
}

/* A lower bound of h over all unit vectors within the triangle. They are combinations with weights >= 0 of the corners,
 * shortened to no less than 0.79 (at the middle of the largest triangle), so a negative bound grows by that. */
static double bound_of(const triangle *t, double enough)
{
    double g[3][3], best = -INFINITY;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) g[j][i] = i == j ? t->corner[i].h : dot(t->corner[j].p, t->corner[i].n);
        double value = least(g[j]);
        if (value > best) best = value;
    }
    if (best >= enough && best >= 0) return best;
    for (int j = 0; j < 3; j++) best = best_of_two(g[j], g[(j + 1) % 3], best);
    best = best_of_three(g, best);
    return best < 0 ? best / 0.79 : best;
}

static void start(const oracle_pair *pair, triangle triangles[20])
{
    static const double t = 1.6180339887498949;
    const double corners[12][3] = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                                   {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
    static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    look looks[12];
    for (int i = 0; i < 12; i++) cast_along(pair, corners[i], &looks[i]);
    for (int f = 0; f < 20; f++)
        for (int k = 0; k < 3; k++) triangles[f].corner[k] = looks[faces[f][k]];
}

oracle_depth_result oracle_deepest(const oracle_pair *pair, double claimed, double tolerance, int budget)
{
    enum { DEPTH = 256 };
    triangle stack[DEPTH];
    start(pair, stack);
    int count = 20;
    oracle_depth_result r = {.found = INFINITY, .proven = tolerance, .looks = 12};
    for (int f = 0; f < 20; f++)
        for (int k = 0; k < 3; k++)
            if (stack[f].corner[k].h < r.found) {
                r.found = stack[f].corner[k].h;
                memcpy(r.normal, stack[f].corner[k].n, sizeof r.normal);
            }
    int next_budget = budget;
    while (count > 0) {
        if (isfinite(claimed) && r.found < claimed - tolerance) return r; /* a better way out: refuted */
        triangle t = stack[--count];
        double enough = (claimed < r.found ? claimed : r.found) - r.proven;
        if (bound_of(&t, enough) >= enough) continue;
        if (r.looks >= next_budget) r.proven *= 10, next_budget += budget / 2;
        int longest = 0;
        double longest_square = 0;
        for (int k = 0; k < 3; k++) {
            double square = 0;
            for (int i = 0; i < 3; i++) {
                double d = t.corner[k].n[i] - t.corner[(k + 1) % 3].n[i];
                square += d * d;
            }
            if (square > longest_square) longest_square = square, longest = k;
        }
        if (longest_square < 1e-28 || count + 2 > DEPTH) continue; /* nothing between the corners but rounding */
        const look *p = &t.corner[longest], *q = &t.corner[(longest + 1) % 3];
        const double middle[3] = {p->n[0] + q->n[0], p->n[1] + q->n[1], p->n[2] + q->n[2]};
        look m;
        cast_along(pair, middle, &m);
        r.looks++;
        if (m.h < r.found) r.found = m.h, memcpy(r.normal, m.n, sizeof r.normal);
        stack[count] = t, stack[count].corner[longest] = m;
        stack[count + 1] = t, stack[count + 1].corner[(longest + 1) % 3] = m;
        count += 2;
    }
    return r;
}
