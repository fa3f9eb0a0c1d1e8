/* Makes the terrain, the rays and the points of the terrain benchmark, and the true answers to some of them. */
#include "terrain.h"

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

/* Rounded to float; volatile: some compilers drop the two conversions. */
static double rounded(double x)
{
    volatile float f = (float)x;
    return (double)f;
}

static const double pi = 3.14159265358979323846;
typedef struct crater {
    double x, y, radius, depth;
} crater;
enum { CRATERS = 150, WAVES = 8 };

static double crater_height(const crater *c, double x, double y)
{
    double q = sqrt((x - c->x) * (x - c->x) + (y - c->y) * (y - c->y)) / c->radius;
    if (q < 1) return c->depth * (1.2 * q * q - 1.0);
    return q < 2.5 ? c->depth * 0.2 / (q * q * q) * (2.5 - q) / 1.5 : 0;
}

static void make_heights(terrain *t)
{
    uint64_t state = 4242;
    crater craters[CRATERS];
    double wave_x[WAVES], wave_y[WAVES], phase[WAVES], height[WAVES];
    for (int i = 0; i < CRATERS; i++) {
        double radius = 0.4 * pow(between(&state, 0, 1), -0.6);
        radius = radius > 8 ? 8 : radius;
        double x = between(&state, 0, 100), y = between(&state, 0, 50);
        craters[i] = (crater){x, y, radius, 0.2 * radius};
    }
    for (int i = 0; i < WAVES; i++) {
        double length = 30 / pow(1.7, i), angle = between(&state, 0, 2 * pi);
        wave_x[i] = 2 * pi / length * cos(angle);
        wave_y[i] = 2 * pi / length * sin(angle);
        phase[i] = between(&state, 0, 2 * pi);
        height[i] = 0.02 * length;
    }
    t->lowest = INFINITY, t->highest = -INFINITY;
    for (int j = 0; j < TERRAIN_Y; j++)
        for (int i = 0; i < TERRAIN_X; i++) {
            double x = 0.1 * i, y = 0.1 * j, z = 0;
            for (int k = 0; k < WAVES; k++) z += height[k] * sin(wave_x[k] * x + wave_y[k] * y + phase[k]);
            for (int k = 0; k < CRATERS; k++) z += crater_height(&craters[k], x, y);
            z = rounded(z + 0.004 * between(&state, -0.5, 0.5));
            t->heights[j * TERRAIN_X + i] = z;
            t->lowest = z < t->lowest ? z : t->lowest;
            t->highest = z > t->highest ? z : t->highest;
        }
}

terrain *terrain_make(void)
{
    terrain *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->vertex_count = TERRAIN_X * TERRAIN_Y;
    t->triangle_count = 2 * (TERRAIN_X - 1) * (TERRAIN_Y - 1);
    t->heights = calloc((size_t)t->vertex_count, sizeof *t->heights);
    t->vertices = calloc((size_t)t->vertex_count, sizeof *t->vertices);
    t->rounded = calloc((size_t)t->vertex_count + 1, sizeof *t->rounded);
    t->triangles = calloc((size_t)t->triangle_count, sizeof *t->triangles);
    if (!t->heights || !t->vertices || !t->rounded || !t->triangles) return NULL;
    make_heights(t);
    int32_t(*next)[3] = t->triangles;
    for (int j = 0; j < TERRAIN_Y; j++)
        for (int i = 0; i < TERRAIN_X; i++) {
            int a = j * TERRAIN_X + i, b = a + 1, c = a + TERRAIN_X, d = c + 1;
            const double v[3] = {rounded(0.1 * i), rounded(0.1 * j), t->heights[a]};
            for (int k = 0; k < 3; k++) t->vertices[a][k] = v[k], t->rounded[a][k] = (float)v[k];
            if (i + 1 == TERRAIN_X || j + 1 == TERRAIN_Y) continue;
            const int32_t cell[2][3] = {{a, b, d}, {a, d, c}};
            for (int k = 0; k < 6; k++) next[k / 3][k % 3] = cell[k / 3][k % 3];
            next += 2;
        }
    return t;
}

void terrain_free(terrain *t)
{
    free(t->heights);
    free(t->vertices);
    free(t->rounded);
    free(t->triangles);
    free(t);
}

void terrain_make_rays(const terrain *t, int coherent, terrain_ray *rays, int count)
{
    uint64_t state = (coherent ? 'c' : 'i') * 99u;
    int width = (int)(sqrt((double)count) + 0.5);
    for (int k = 0; k < count; k++) {
        double o[3], d[3];
        if (coherent) {
            double length = sqrt(0.01 + 0.0025 + 1);
            o[0] = 0.05 + 99.8 * (k % width) / width - 3.0;
            o[1] = 0.05 + 49.8 * (k / width) / width - 1.5;
            o[2] = 30;
            d[0] = 0.1 / length, d[1] = 0.05 / length, d[2] = -1 / length;
        } else {
            o[0] = between(&state, 0, 100);
            o[1] = between(&state, 0, 50);
            o[2] = t->highest + between(&state, 0.5, 5);
            d[2] = -between(&state, 0.02, 1);
            double angle = between(&state, 0, 2 * pi), level = sqrt(1 - d[2] * d[2]);
            d[0] = level * cos(angle), d[1] = level * sin(angle);
        }
        for (int i = 0; i < 3; i++) rays[k].origin[i] = rounded(o[i]), rays[k].direction[i] = rounded(d[i]);
    }
}

void terrain_make_points(const terrain *t, double (*points)[3], int count)
{
    uint64_t state = 31337;
    for (int k = 0; k < count; k++) {
        double x = between(&state, 1, 99), y = between(&state, 1, 49);
        int cell = (int)(y / 0.1) * TERRAIN_X + (int)(x / 0.1);
        points[k][0] = rounded(x), points[k][1] = rounded(y);
        points[k][2] = rounded(t->heights[cell] + between(&state, 0.02, 3));
    }
}

/* ---- the true answers */

typedef long double real;
typedef struct vector {
    real x, y, z;
} vector;
static vector between_points(const double *from, const double *to)
{
    return (vector){(real)to[0] - from[0], (real)to[1] - from[1], (real)to[2] - from[2]};
}
static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static real dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static real hit_triangle(const terrain *t, int triangle, const terrain_ray *ray)
{
    const int32_t *k = t->triangles[triangle];
    vector d = {ray->direction[0], ray->direction[1], ray->direction[2]};
    vector e = between_points(t->vertices[k[0]], t->vertices[k[1]]);
    vector f = between_points(t->vertices[k[0]], t->vertices[k[2]]);
    vector s = between_points(t->vertices[k[0]], ray->origin), p = cross(d, f), q = cross(s, e);
    real whole = dot(e, p);
    if (whole == 0) return -1;
    real u = dot(s, p) / whole, v = dot(d, q) / whole, at = dot(f, q) / whole;
    return u < -1e-13L || v < -1e-13L || u + v > 1 + 1e-13L || at < 0 ? -1 : at;
}

/* Looks at all cells within one of the line's way over the raster. */
double terrain_true_hit(const terrain *t, const terrain_ray *ray)
{
    const double *o = ray->origin, *d = ray->direction, step = 0.05;
    double level = sqrt(d[0] * d[0] + d[1] * d[1]), to = (t->lowest - 1e-6 - o[2]) / d[2];
    double from = (t->highest + 1e-6 - o[2]) / d[2];
    from = from > 0 ? from : 0;
    real best = -1;
    int last_i = -9, last_j = -9;
    for (double at = from; at <= to + step; at += level > 1e-3 ? step / level : to - from + step) {
        int i = (int)floor((o[0] + at * d[0]) / 0.1), j = (int)floor((o[1] + at * d[1]) / 0.1);
        if (best >= 0 && best < at - 0.4 / level) break;
        if (i == last_i && j == last_j) continue;
        last_i = i, last_j = j;
        for (int y = j - 1; y <= j + 1; y++)
            for (int x = i - 1; x <= i + 1; x++) {
                if (x < 0 || y < 0 || x >= TERRAIN_X - 1 || y >= TERRAIN_Y - 1) continue;
                for (int k = 0; k < 2; k++) {
                    real hit = hit_triangle(t, 2 * (y * (TERRAIN_X - 1) + x) + k, ray);
                    if (hit >= 0 && (best < 0 || hit < best)) best = hit;
                }
            }
    }
    return (double)best;
}

static real square_to_segment(vector a, vector b)
{
    vector e = {b.x - a.x, b.y - a.y, b.z - a.z};
    real along = -dot(a, e) / dot(e, e);
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    vector p = {a.x + along * e.x, a.y + along * e.y, a.z + along * e.z};
    return dot(p, p);
}

static real square_to_triangle(const terrain *t, int triangle, const double point[3])
{
    vector v[3];
    for (int k = 0; k < 3; k++) v[k] = between_points(point, t->vertices[t->triangles[triangle][k]]);
    vector e = {v[1].x - v[0].x, v[1].y - v[0].y, v[1].z - v[0].z};
    vector f = {v[2].x - v[0].x, v[2].y - v[0].y, v[2].z - v[0].z}, n = cross(e, f);
    real best = square_to_segment(v[0], v[1]), one = square_to_segment(v[1], v[2]), two = square_to_segment(v[2], v[0]);
    best = one < best ? one : best;
    best = two < best ? two : best;
    for (int k = 0; k < 3; k++)
        if (dot(n, cross(v[k], v[(k + 1) % 3])) < 0) return best;
    return dot(n, v[0]) * dot(n, v[0]) / dot(n, n);
}

double terrain_true_distance(const terrain *t, const double point[3])
{
    int i = (int)(point[0] / 0.1), j = (int)(point[1] / 0.1);
    real best = INFINITY;
    for (int ring = 0; ring < TERRAIN_X; ring++) {
        real reach = (ring - 1) * 0.1L;
        if (reach > 0 && best < reach * reach) break;
        for (int y = j - ring; y <= j + ring; y++)
            for (int x = i - ring; x <= i + ring; x += y == j - ring || y == j + ring || ring == 0 ? 1 : 2 * ring) {
                if (x < 0 || y < 0 || x >= TERRAIN_X - 1 || y >= TERRAIN_Y - 1) continue;
                for (int k = 0; k < 2; k++) {
                    real square = square_to_triangle(t, 2 * (y * (TERRAIN_X - 1) + x) + k, point);
                    best = square < best ? square : best;
                }
            }
    }
    return (double)sqrtl(best);
}
