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

static void add_feature(const fender_grid_def *grid, double *heights, kind what, const feature *f)
{
    double stretch = f->stretch_x > f->stretch_y ? f->stretch_x : f->stretch_y, reach = f->reach * stretch;
    int from_x = clamped((f->x - reach - grid->lower.x) / grid->spacing.x, grid->count_x - 1);
    int to_x = clamped((f->x + reach - grid->lower.x) / grid->spacing.x + 1, grid->count_x - 1);
    int from_y = clamped((f->y - reach - grid->lower.y) / grid->spacing.y, grid->count_y - 1);
    int to_y = clamped((f->y + reach - grid->lower.y) / grid->spacing.y + 1, grid->count_y - 1);
    for (int j = from_y; j <= to_y; j++)
        for (int i = from_x; i <= to_x; i++) {
            double dx = (grid->lower.x + i * grid->spacing.x - f->x) / (f->radius * f->stretch_x);
            double dy = (grid->lower.y + j * grid->spacing.y - f->y) / (f->radius * f->stretch_y);
            double square = dx * dx + dy * dy, limit = f->reach / f->radius;
            if (square < limit * limit)
                heights[(size_t)j * (size_t)grid->count_x + (size_t)i] += height_of(what, f, square);
        }
}

/* ---- roughness: smooth random waves on grids of halving width, each half as high as the one before */

static double smooth(double t) { return t * t * t * (10 + t * (6 * t - 15)); }

static double wave(uint64_t seed, int octave, double x, double y)
{
    double fx = floor(x), fy = floor(y), sx = smooth(x - fx), sy = smooth(y - fy), corner[4];
    for (int i = 0; i < 4; i++) {
        uint64_t ix = (uint64_t)(int64_t)(fx + (i & 1)), iy = (uint64_t)(int64_t)(fy + (i >> 1));
        corner[i] = 2 * number_of(seed, 16 + (uint64_t)octave, ix, iy) - 1;
    }
    double low = corner[0] + sx * (corner[1] - corner[0]), high = corner[2] + sx * (corner[3] - corner[2]);
    return low + sy * (high - low);
}

static void add_roughness(const fender_hazard_field *field, const fender_grid_def *grid, double *heights)
{
    double cell = grid->spacing.x > grid->spacing.y ? grid->spacing.x : grid->spacing.y;
    for (int octave = 0; octave < 5; octave++) {
        double width = cell * (double)(32 >> octave), part = field->roughness / (double)(2 << octave);
        for (int j = 0; j < grid->count_y; j++)
            for (int i = 0; i < grid->count_x; i++)
                heights[(size_t)j * (size_t)grid->count_x + (size_t)i] += part * wave(field->seed, octave,
                                                                                      i * grid->spacing.x / width,
                                                                                      j * grid->spacing.y / width);
    }
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
