/* Makes the bodies of the surface benchmark, and poses in which they touch the terrain. */
#include "surfaces.h"

#include <math.h>
#include <stdlib.h>

static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(next_bits(state) >> 11) / 9007199254740992.0);
}
static double gaussian(uint64_t *state)
{
    double a = between(state, 1e-300, 1), b = between(state, 0, 1);
    return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

static bool make_box(surfaces_shape *s)
{
    static const int32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    s->hull = (hulls_shape){8, 12, calloc(8, sizeof *s->hull.vertices), calloc(12, sizeof *s->hull.triangles)};
    if (!s->hull.vertices || !s->hull.triangles) return false;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) s->hull.vertices[i][k] = (i >> k & 1 ? 1 : -1) * s->half[k];
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++) s->hull.triangles[i][k] = faces[i][k];
    return true;
}

/* The first of the hull benchmark, about its mean vertex, times 0.4. */
static bool make_hull(surfaces_shape *s)
{
    static hulls_shape all[HULLS_SHAPES];
    if (!hulls_make_shapes(32, all)) return false;
    s->hull = all[0];
    for (int i = 1; i < HULLS_SHAPES; i++) {
        free(all[i].vertices);
        free(all[i].triangles);
    }
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < 3; k++) mean[k] += s->hull.vertices[i][k] / 32;
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < 3; k++) {
            volatile float rounded = (float)((s->hull.vertices[i][k] - mean[k]) * 0.4);
            s->hull.vertices[i][k] = (double)rounded;
        }
    return true;
}

bool surfaces_make_shapes(surfaces_shape shapes[SURFACES_BODIES])
{
    shapes[0] = (surfaces_shape){.body = SURFACES_BALL, .radius = 0.25};
    shapes[1] = (surfaces_shape){.body = SURFACES_BOX, .half = {0.30, 0.20, 0.15}};
    shapes[2] = (surfaces_shape){.body = SURFACES_HULL};
    return make_box(&shapes[1]) && make_hull(&shapes[2]);
}

static void turn(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + (y * t[2] - z * t[1]);
    out[1] = v[1] + w * t[1] + (z * t[0] - x * t[2]);
    out[2] = v[2] + w * t[2] + (x * t[1] - y * t[0]);
}

/* Faces of the turned body: normal . x <= offset. */
typedef struct body {
    double radius, planes[64][4];
    int plane_count;
} body;

static void place(const surfaces_shape *shape, const double q[4], body *b)
{
    const hulls_shape *h = &shape->hull;
    b->plane_count = 0;
    b->radius = shape->radius;
    for (int f = 0; f < h->triangle_count && f < 64; f++) {
        double v[3][3], n[3];
        for (int k = 0; k < 3; k++) {
            turn(q, h->vertices[h->triangles[f][k]], v[k]);
            double r = hypot(v[k][0], v[k][1]);
            if (r > b->radius) b->radius = r;
        }
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (v[1][i] - v[0][i]) * (v[2][j] - v[0][j]) - (v[1][j] - v[0][j]) * (v[2][i] - v[0][i]);
        }
        double *p = b->planes[b->plane_count++];
        p[0] = n[0], p[1] = n[1], p[2] = n[2];
        p[3] = n[0] * v[0][0] + n[1] * v[0][1] + n[2] * v[0][2];
    }
}

/* Lowest point of the body over (x, y) from its centre; INFINITY: none. */
static double lowest(const surfaces_shape *shape, const body *b, double x, double y)
{
    if (shape->body == SURFACES_BALL) {
        double square = shape->radius * shape->radius - x * x - y * y;
        return square < 0 ? INFINITY : -sqrt(square);
    }
    double low = -INFINITY, high = INFINITY;
    for (int f = 0; f < b->plane_count; f++) {
        const double *p = b->planes[f];
        double rest = p[3] - p[0] * x - p[1] * y;
        if (p[2] < -1e-12) low = rest / p[2] > low ? rest / p[2] : low;
        else if (p[2] > 1e-12) high = rest / p[2] < high ? rest / p[2] : high;
        else if (rest < 0) return INFINITY;
    }
    return low <= high ? low : INFINITY;
}

void surfaces_make_poses(const terrain *t, const surfaces_shape *shape, surfaces_pose *poses, int count)
{
    uint64_t state = 1234567u * (uint64_t) "sbh"[shape->body];
    for (int n = 0; n < count; n++) {
        surfaces_pose *p = &poses[n];
        double length = 0, best = -INFINITY;
        for (int k = 0; k < 4; k++) {
            p->pose.q[k] = gaussian(&state);
            length += p->pose.q[k] * p->pose.q[k];
        }
        for (int k = 0; k < 4; k++) p->pose.q[k] /= sqrt(length);
        double x = between(&state, 2, 98), y = between(&state, 2, 48);
        p->depth = between(&state, 0.002, 0.02);
        body b;
        place(shape, p->pose.q, &b);
        for (int j = (int)((y - b.radius) / 0.1); j <= (int)((y + b.radius) / 0.1) + 1; j++)
            for (int i = (int)((x - b.radius) / 0.1); i <= (int)((x + b.radius) / 0.1) + 1; i++) {
                const double *v = t->vertices[j * TERRAIN_X + i];
                double low = lowest(shape, &b, v[0] - x, v[1] - y);
                if (v[2] - low > best) best = v[2] - low;
            }
        p->pose.p[0] = x, p->pose.p[1] = y, p->pose.p[2] = best - p->depth;
    }
}
