/* Oracle: distance of two convex cores in long double, with a proven lower bound. */
#include "oracle.h"

/* Least point of the hull of up to four points: of every subset the foot of the origin on its span, kept when it lies
 * within. Reduces the points to that subset. */
typedef struct foot {
    real3 x;
    real square;
    int members[4], count;
} foot;

static bool solve(int n, real m[3][4], real x[3]) /* Gauss with pivots */
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(m[i][k]) > fabsl(m[best][k])) best = i;
        if (m[best][k] == 0) return false;
        for (int j = 0; j <= n; j++) {
            real t = m[k][j];
            m[k][j] = m[best][j], m[best][j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            real f = m[i][k] / m[k][k];
            for (int j = k; j <= n; j++) m[i][j] -= f * m[k][j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = m[k][n];
        for (int j = k + 1; j < n; j++) x[k] -= m[k][j] * x[j];
        x[k] /= m[k][k];
    }
    return true;
}

static void try_subset(const real3 *points, const int *members, int count, foot *best)
{
    real3 origin = points[members[0]], edges[3];
    real m[3][4], weights[3], first = 1;
    for (int i = 1; i < count; i++) edges[i - 1] = real3_add(points[members[i]], -1, origin);
    for (int i = 0; i < count - 1; i++) {
        for (int j = 0; j < count - 1; j++) m[i][j] = real3_dot(edges[i], edges[j]);
        m[i][count - 1] = -real3_dot(edges[i], origin);
    }
    if (!solve(count - 1, m, weights)) return;
    real3 x = origin;
    for (int i = 0; i < count - 1; i++) {
        if (!(weights[i] >= 0)) return;
        first -= weights[i];
        x = real3_add(x, weights[i], edges[i]);
    }
    real square = real3_dot(x, x);
    if (!(first >= 0) || (best->count && !(square < best->square))) return;
    *best = (foot){.x = x, .square = square, .count = count};
    for (int i = 0; i < count; i++) best->members[i] = members[i];
}

static foot least_point(const real3 *points, int count)
{
    foot best = {.count = 0};
    for (int set = 1; set < 1 << count; set++) {
        int members[4] = {0}, n = 0;
        for (int i = 0; i < count; i++)
            if (set >> i & 1) members[n++] = i;
        try_subset(points, members, n, &best);
    }
    return best;
}

oracle_distance_result oracle_distance(const oracle_pair *pair)
{
    oracle_distance_result best = {.distance = INFINITY, .bound = 0};
    real3 points[4], x = oracle_difference(pair, real3_make(0, 0, 1));
    int count = 1;
    points[0] = x;
    best.distance = real3_length(x);
    best.normal = real3_make(0, 0, 1);
    for (int step = 0; step < 4000; step++) {
        best.steps = step;
        real length = real3_length(x);
        if (length == 0) break;
        real3 n = real3_unit(x), p = oracle_difference(pair, n);
        real bound = real3_dot(p, n);
        if (bound > best.bound) best.bound = bound, best.normal = n;
        if (length - best.bound <= 1e-17L * length) break;
        bool known = false;
        for (int i = 0; i < count; i++) known |= points[i].x == p.x && points[i].y == p.y && points[i].z == p.z;
        if (known) break;
        points[count++] = p;
        foot f = least_point(points, count);
        if (!(f.square < length * length)) break; /* rounding: no progress */
        real3 kept[4];
        for (int i = 0; i < f.count; i++) kept[i] = points[f.members[i]];
        for (int i = 0; i < f.count; i++) points[i] = kept[i];
        count = f.count, x = f.x;
        best.distance = real3_length(x);
        if (best.bound == 0 && length > 0) best.normal = n;
        if (count == 4) {
            best.distance = 0;
            break;
        }
    }
    return best;
}
