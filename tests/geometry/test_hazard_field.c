/* The generated field: profiles against their formulas, sizes against their law, the same numbers for the same seed. */
/* items: M031 */
#include <fender/hazard_field.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct made {
    fender_grid_def grid;
    double *heights;
    size_t count;
} made;

static made make(const fender_hazard_field *field)
{
    made m = {.count = ((size_t)field->cells[0] + 1) * ((size_t)field->cells[1] + 1)};
    m.heights = malloc(m.count * sizeof *m.heights);
    assert_non_null(m.heights);
    check_ok(fender_hazard_field_heights(field, m.heights, &m.grid, &error));
    return m;
}

static fender_hazard_field empty(void)
{
    fender_hazard_field field = fender_hazard_field_default();
    field.craters.count = field.hills.count = field.rocks.count = 0;
    field.roughness = 0;
    field.cells[0] = field.cells[1] = 400;
    return field;
}

static size_t lowest(const made *m)
{
    size_t at = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->heights[i] < m->heights[at]) at = i;
    return at;
}

/* One crater of 20 m on a field of 40 m: floor, rim and ejecta where Pike and McGetchin have them. The seed is chosen
 * so that it lies well inside; its depth follows from the floor, 0.82 of it below the plane. */
static void crater(void **state)
{
    (void)state;
    fender_hazard_field field = empty();
    field.size[0] = field.size[1] = 200;
    field.craters = (fender_hazard_kind){1, 20, 20, 0.2};
    field.seed = 3;
    made m = make(&field);
    size_t floor_at = lowest(&m);
    double x0 = m.grid.lower.x + (double)(floor_at % 401) * m.grid.spacing.x;
    double y0 = m.grid.lower.y + (double)(floor_at / 401) * m.grid.spacing.y;
    double depth = -m.heights[floor_at] / 0.82, highest = 0, outside = 0;
    printf("crater at (%.2f, %.2f) m, %.3f m deep\n", x0, y0, depth);
    assert_true(depth > 0.25 * 4 * 0.99 && depth < 4 * 1.01 && fabs(x0) < 80 && fabs(y0) < 80);
    for (size_t i = 0; i < m.count; i++) {
        double x = m.grid.lower.x + (double)(i % 401) * m.grid.spacing.x - x0;
        double y = m.grid.lower.y + (double)(i / 401) * m.grid.spacing.y - y0, r = sqrt(x * x + y * y) / 10;
        /* the middle is known to half a cell, 0.035 radii across: slopes of two depths a radius */
        double tolerance = 0.036 * 2 * depth, expected;
        if (r < 1) expected = 0.18 * depth - depth * (1 - r * r);
        else expected = r < 3 ? 0.18 * depth * (27 / (r * r * r) - 1) / 26 : 0;
        if (fabs(r - 1) > 0.04) check_near(m.heights[i], expected, tolerance);
        highest = larger(highest, m.heights[i]);
        if (r > 3.04) outside = larger(outside, fabs(m.heights[i]));
    }
    check_near(highest, 0.18 * depth, 0.02 * depth);
    assert_true(outside == 0);
    free(m.heights);
}

static bool touches_border(const made *m)
{
    for (size_t i = 0; i < m->count; i++)
        if ((i % 401 == 0 || i % 401 == 400 || i < 401 || i >= m->count - 401) && m->heights[i] != 0) return true;
    return false;
}

/* A hill is (1 - r^2)^2, a rock a half ellipsoid; neither goes below the plane. */
static void hill_and_rock(void **state)
{
    (void)state;
    for (int rock = 0; rock < 2; rock++) {
        fender_hazard_field field = empty();
        fender_hazard_kind *kind = rock ? &field.rocks : &field.hills;
        *kind = (fender_hazard_kind){1, 20, 20, 0.3};
        made m = make(&field);
        while (touches_border(&m)) {
            free(m.heights);
            field.seed++;
            m = make(&field);
        }
        double top = 0, volume = 0, cell = m.grid.spacing.x * m.grid.spacing.y;
        int covered = 0;
        for (size_t i = 0; i < m.count; i++) {
            assert_true(m.heights[i] >= 0);
            top = larger(top, m.heights[i]);
            volume += m.heights[i] * cell;
            covered += m.heights[i] > 0;
        }
        double area = covered * cell;
        printf("%s: %.3f m high, on %.1f m^2, %.2f m^3\n", rock ? "rock" : "hill", top, area, volume);
        assert_true(top <= 6 && top > (rock ? 0.6 : 0.5) * 6 * 0.99);
        /* integral of (1 - r^2)^2 over the disk is a third of the cylinder, of the half ellipsoid two thirds */
        check_near(volume / (top * area), rock ? 2.0 / 3 : 1.0 / 3, 0.01);
        free(m.heights);
    }
}

/* The share of rocks larger than D is (least / D)^2 (least = 1, most = 8, cut there): counted by what is left of each
 * when alone on the field. */
static void sizes_follow_their_law(void **state)
{
    (void)state;
    enum { ROCKS = 2000 };
    int larger_than[3] = {0, 0, 0};
    const double bounds[3] = {1.5, 2, 4};
    for (int i = 0; i < ROCKS; i++) {
        fender_hazard_field field = empty();
        field.cells[0] = field.cells[1] = 1;
        field.hills = (fender_hazard_kind){1, 1, 8, 1};
        field.seed = (uint64_t)i;
        field.size[0] = field.size[1] = 0.01; /* all four corners lie on the middle of the hill */
        double heights[4];
        fender_grid_def grid;
        fender_hazard_kind sure = field.hills;
        sure.least = sure.most = 1;
        check_ok(fender_hazard_field_heights(&field, heights, &grid, &error));
        double height = heights[0];
        field.hills = sure;
        check_ok(fender_hazard_field_heights(&field, heights, &grid, &error));
        for (int k = 0; k < 3; k++) larger_than[k] += height / heights[0] > bounds[k];
    }
    for (int k = 0; k < 3; k++) {
        double q = 1.0 / 64, share = (1 / (bounds[k] * bounds[k]) - q) / (1 - q), spread = sqrt(share / ROCKS);
        printf("larger than %.1f: %.3f, expected %.3f\n", bounds[k], (double)larger_than[k] / ROCKS, share);
        check_near((double)larger_than[k] / ROCKS, share, 4 * spread); /* four standard deviations */
    }
}

/* Bits that every machine has to give; other seeds give other fields. */
static void same_bits(void **state)
{
    (void)state;
    fender_hazard_field field = fender_hazard_field_default();
    made m = make(&field), again = make(&field);
    assert_int_equal(2 * field.cells[0] * field.cells[1], 1002528);
    assert_memory_equal(m.heights, again.heights, m.count * sizeof *m.heights);
    uint64_t hash = 0xcbf29ce484222325u;
    double low = 0, high = 0;
    for (size_t i = 0; i < m.count; i++) {
        uint64_t bits;
        memcpy(&bits, &m.heights[i], 8);
        for (int k = 0; k < 8; k++) hash = (hash ^ (bits >> (8 * k) & 255)) * 0x100000001b3u;
        if (m.heights[i] < low) low = m.heights[i];
        if (m.heights[i] > high) high = m.heights[i];
    }
    printf("default field: %.3f to %.3f m, hash %016llx\n", low, high, (unsigned long long)hash);
    assert_true(hash == 0xf05b9cb48c0c3ffeu);
    field.seed = 2;
    made other = make(&field);
    size_t same = 0;
    for (size_t i = 0; i < m.count; i++) same += m.heights[i] == other.heights[i];
    assert_true(same < m.count / 100);
    free(m.heights);
    free(again.heights);
    free(other.heights);
}

static void what_cannot_be(void **state)
{
    (void)state;
    double heights[4] = {7, 7, 7, 7};
    fender_grid_def grid;
    for (int i = 0; i < 9; i++) {
        fender_hazard_field field = empty();
        fender_error error = {0};
        field.cells[0] = field.cells[1] = 1;
        field.craters = (fender_hazard_kind){1, 1, 2, 0.2};
        const char *path = i < 2 ? "size" : i < 4 ? "cells" : i == 4 ? "roughness" : "craters";
        if (i == 0) field.size[1] = 0;
        if (i == 1) field.size[0] = NAN;
        if (i == 2) field.cells[0] = 0;
        if (i == 3) field.cells[1] = 10001;
        if (i == 4) field.roughness = -1;
        if (i == 5) field.craters.least = 0;
        if (i == 6) field.craters.most = 0.5;
        if (i == 7) field.craters.height = NAN;
        if (i == 8) field.craters.count = -1;
        assert_int_equal(fender_hazard_field_heights(&field, heights, &grid, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, path);
        assert_true(heights[0] == 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crater), cmocka_unit_test(hill_and_rock),
                                       cmocka_unit_test(sizes_follow_their_law), cmocka_unit_test(same_bits),
                                       cmocka_unit_test(what_cannot_be)};
    return cmocka_run_group_tests_name("hazard field", tests, NULL, NULL);
}
