/* Generated terrain: hills, craters, rocks and roughness, summed on a height grid. */
#include <fender/hazard_field.h>

#include <math.h>
#include <stdio.h>

#include "base/error.h"

/* ---- numbers by counter: stream, index and part are mixed with the seed by the finalizer of SplitMix64 */

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [0, 1). */
static double number_of(uint64_t seed, uint64_t stream, uint64_t index, uint64_t part)
{
    uint64_t z = mixed(seed + 0x9e3779b97f4a7c15u * (stream + 1));
    z = mixed(z ^ (index * 0x9e3779b97f4a7c15u));
    z = mixed(z + 0x9e3779b97f4a7c15u * (part + 1));
    return (double)(z >> 11) * 0x1p-53;
}

/* ---- what stands on the field */

typedef enum kind { HILL, CRATER, ROCK } kind;

typedef struct feature {
    double x, y, radius, height, reach; /* height: of hill and rock, depth of a crater; reach: none beyond */
    double stretch_x, stretch_y;        /* of rocks: they are no circles */
} feature;

/* The number larger than D falls as D^-2 between least and most: D = least / sqrt(1 - u (1 - (least / most)^2)). */
static double diameter_of(const fender_hazard_kind *k, double u)
{
    double part = k->least / k->most;
    return k->least / sqrt(1 - u * (1 - part * part));
}

static feature feature_of(const fender_hazard_field *field, kind what, const fender_hazard_kind *k, int index)
{
    double u[6];
    for (uint64_t i = 0; i < 6; i++) u[i] = number_of(field->seed, (uint64_t)what, (uint64_t)index, i);
    feature f = {.x = (u[0] - 0.5) * field->size[0],
                 .y = (u[1] - 0.5) * field->size[1],
                 .radius = 0.5 * diameter_of(k, u[2]),
                 .stretch_x = 1,
                 .stretch_y = 1};
    f.height = 2 * f.radius * k->height;
    f.reach = f.radius;
    if (what == CRATER) { /* old craters are shallow: a quarter of the depth is left to them */
        f.height *= 1 - 0.75 * u[3];
        f.reach = 3 * f.radius;
    } else if (what == ROCK) {
        f.stretch_x = 1 + 0.6 * u[3];
        f.stretch_y = 1 + 0.6 * u[4];
        f.height *= 0.6 + 0.4 * u[5];
    } else {
        f.height *= 0.5 + 0.5 * u[3];
    }
    return f;
}

/* Heights above the plane at the square of the distance from the middle, in radii. A crater is a paraboloid up to its
 * rim, which stands 0.18 of the depth above the plane; what was thrown out falls as the third power of the distance,
 * lowered so that it ends at three radii. */
static double crater_height(double depth, double square)
{
    double rim = 0.18 * depth;
    if (square <= 1) return rim - depth * (1 - square);
    double fall = 1 / (square * sqrt(square));
    return rim * (27 * fall - 1) / 26;
}

static double height_of(kind what, const feature *f, double square)
{
    double left = 1 - square;
    if (what == CRATER) return crater_height(f->height, square);
    if (left <= 0) return 0;
    return what == HILL ? f->height * left * left : f->height * sqrt(left);
}

static int clamped(double value, int most) { return value <= 0 ? 0 : value >= most ? most : (int)value; }

/* The field is filled in strips of so many columns, for which what depends on the column alone is found once. */
enum { STRIP = 256 };

static double *row_of(const fender_grid_def *grid, double *heights, int row, int column)
{
    return heights + (size_t)row * (size_t)grid->count_x + (size_t)column;
}

static void add_feature(const fender_grid_def *grid, double *heights, kind what, const feature *f)
{
    double stretch = f->stretch_x > f->stretch_y ? f->stretch_x : f->stretch_y, reach = f->reach * stretch;
    int from_x = clamped((f->x - reach - grid->lower.x) / grid->spacing.x, grid->count_x - 1);
    int to_x = clamped((f->x + reach - grid->lower.x) / grid->spacing.x + 1, grid->count_x - 1);
    int from_y = clamped((f->y - reach - grid->lower.y) / grid->spacing.y, grid->count_y - 1);
    int to_y = clamped((f->y + reach - grid->lower.y) / grid->spacing.y + 1, grid->count_y - 1);
    const double limit = f->reach / f->radius;
    for (int first = from_x; first <= to_x; first += STRIP) {
        double along[STRIP]; /* squares of distances in x */
        const int count = to_x - first < STRIP ? to_x - first + 1 : STRIP;
        for (int i = 0; i < count; i++) {
            double dx = (grid->lower.x + (first + i) * grid->spacing.x - f->x) / (f->radius * f->stretch_x);
            along[i] = dx * dx;
        }
        for (int j = from_y; j <= to_y; j++) {
            double dy = (grid->lower.y + j * grid->spacing.y - f->y) / (f->radius * f->stretch_y), across = dy * dy;
            double *row = row_of(grid, heights, j, first);
            for (int i = 0; i < count; i++) {
                double square = along[i] + across;
                if (square < limit * limit) row[i] += height_of(what, f, square);
            }
        }
    }
}

/* ---- roughness: smooth random waves on grids of halving width, each half as high as the one before */

static double smooth(double t) { return t * t * t * (10 + t * (6 * t - 15)); }

/* A line of waves over a strip: between random heights at whole numbers x, at the whole number y. */
typedef struct strip {
    int count;
    double whole[STRIP], way[STRIP]; /* of each column: the number below it, and the smoothed way to the next */
} strip;

static double random_height(uint64_t seed, int octave, double x, double y)
{
    return 2 * number_of(seed, 16 + (uint64_t)octave, (uint64_t)(int64_t)x, (uint64_t)(int64_t)y) - 1;
}

static void wave_line(uint64_t seed, int octave, const strip *s, double y, double line[STRIP])
{
    double near = 0, far = 0;
    for (int i = 0; i < s->count; i++) {
        const double x = s->whole[i];
        if (i == 0 || x != s->whole[i - 1]) {
            near = i > 0 && x == s->whole[i - 1] + 1 ? far : random_height(seed, octave, x, y);
            far = random_height(seed, octave, x + 1, y);
        }
        line[i] = near + s->way[i] * (far - near);
    }
}

static void add_waves(const fender_hazard_field *field, const fender_grid_def *grid, double *heights, int octave,
                      int first)
{
    strip s = {.count = grid->count_x - first < STRIP ? grid->count_x - first : STRIP};
    const double cell = grid->spacing.x > grid->spacing.y ? grid->spacing.x : grid->spacing.y;
    const double width = cell * (double)(32 >> octave), part = field->roughness / (double)(2 << octave);
    double low[STRIP], high[STRIP], last = -1;
    for (int i = 0; i < s.count; i++) {
        const double x = (first + i) * grid->spacing.x / width;
        s.whole[i] = floor(x);
        s.way[i] = smooth(x - s.whole[i]);
    }
    for (int j = 0; j < grid->count_y; j++) {
        const double y = j * grid->spacing.y / width, whole = floor(y), way = smooth(y - whole);
        if (whole != last) {
            wave_line(field->seed, octave, &s, whole, low);
            wave_line(field->seed, octave, &s, whole + 1, high);
            last = whole;
        }
        double *row = row_of(grid, heights, j, first);
        for (int i = 0; i < s.count; i++) row[i] += part * (low[i] + way * (high[i] - low[i]));
    }
}

static void add_roughness(const fender_hazard_field *field, const fender_grid_def *grid, double *heights)
{
    for (int octave = 0; octave < 5; octave++)
        for (int first = 0; first < grid->count_x; first += STRIP) add_waves(field, grid, heights, octave, first);
}

/* ---- the field */

fender_hazard_field fender_hazard_field_default(void)
{
    return (fender_hazard_field){.size = {100, 100},
                                 .cells = {708, 708},
                                 .seed = 1,
                                 .craters = {100, 2, 30, 0.2},
                                 .hills = {20, 10, 50, 0.12},
                                 .rocks = {500, 0.3, 3, 0.4},
                                 .roughness = 0.02};
}

static fender_status refuse(fender_error *error, const char *path, double found, const char *expected)
{
    char number[40];
    snprintf(number, sizeof number, "%.6g", found);
    return fnd_fail(error, FENDER_STATUS_VALUE, path, "the hazard field is invalid", number, expected, "");
}

static fender_status check_kind(const fender_hazard_kind *k, const char *name, double reach, fender_error *error)
{
    if (k->count < 0 || k->count > 1000000) return refuse(error, name, k->count, "a count from 0 to 1,000,000");
    if (k->count == 0) return FENDER_STATUS_OK;
    if (!(k->least > 0) || !isfinite(k->most) || !(k->least <= k->most))
        return refuse(error, name, k->least, "diameters above 0, the smaller one first");
    if (!(k->height >= 0) || !(k->height <= 10)) return refuse(error, name, k->height, "a height of 0 to 10 diameters");
    if (!(k->most <= 1e3 * reach)) return refuse(error, name, k->most, "diameters of at most 1000 times the field");
    return FENDER_STATUS_OK;
}

fender_status fender_hazard_field_check(const fender_hazard_field *field, fender_error *error)
{
    static const char *const names[] = {"craters", "hills", "rocks"};
    const fender_hazard_kind *kinds[] = {&field->craters, &field->hills, &field->rocks};
    double reach = field->size[0] > field->size[1] ? field->size[0] : field->size[1];
    for (int i = 0; i < 2; i++) {
        if (!(field->size[i] >= 1e-3) || !(field->size[i] <= 1e7))
            return refuse(error, "size", field->size[i], "1 mm to 10,000 km");
        if (field->cells[i] < 1 || field->cells[i] > 10000)
            return refuse(error, "cells", field->cells[i], "1 to 10000");
    }
    if (!(field->roughness >= 0) || !(field->roughness <= reach))
        return refuse(error, "roughness", field->roughness, "0 to the size of the field");
    for (int i = 0; i < 3; i++) {
        fender_status status = check_kind(kinds[i], names[i], reach, error);
        if (status) return status;
    }
    return FENDER_STATUS_OK;
}

fender_status fender_hazard_field_heights(const fender_hazard_field *field, double *heights, fender_grid_def *grid,
                                          fender_error *error)
{
    fender_status status = fender_hazard_field_check(field, error);
    if (status) return status;
    const fender_hazard_kind *kinds[] = {&field->hills, &field->craters, &field->rocks};
    *grid = (fender_grid_def){.count_x = field->cells[0] + 1,
                              .count_y = field->cells[1] + 1,
                              .lower = {-0.5 * field->size[0], -0.5 * field->size[1]},
                              .spacing = {field->size[0] / field->cells[0], field->size[1] / field->cells[1]},
                              .heights = heights};
    size_t count = (size_t)grid->count_x * (size_t)grid->count_y;
    for (size_t i = 0; i < count; i++) heights[i] = 0;
    for (int what = HILL; what <= ROCK; what++)
        for (int i = 0; i < kinds[what]->count; i++) {
            feature f = feature_of(field, (kind)what, kinds[what], i);
            add_feature(grid, heights, (kind)what, &f);
        }
    if (field->roughness > 0) add_roughness(field, grid, heights);
    return FENDER_STATUS_OK;
}
