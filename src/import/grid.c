/* Grids: every so many rows and columns, what becomes of gaps, triangles where they are asked for. */
#include <math.h>
#include <string.h>

#include "import/import.h"

bool fnd_import_raster(fnd_import *import, int columns, int rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    if (count > INT32_MAX / 6)
        return fnd_import_refuse_value(import, "the raster has too many heights",
                                       fnd_words_make("%d x %d", columns, rows).text, "at most 357913941 in all",
                                       "divide it");
    import->heights = fnd_import_allocate(import, count, sizeof(double));
    if (!import->heights) return false;
    import->height_capacity = count;
    import->columns = columns;
    import->rows = rows;
    for (size_t i = 0; i < count; i++) import->heights[i] = NAN;
    return true;
}

static bool thin_out(fnd_import *import, int stride)
{
    int columns = (import->columns - 1) / stride + 1, rows = (import->rows - 1) / stride + 1;
    if (columns < 2 || rows < 2)
        return fnd_import_refuse_value(
            import, "the stride leaves no cell of the grid",
            fnd_words_make("every %dth of %d columns and %d rows", stride, import->columns, import->rows).text,
            "at least 2 columns and 2 rows", "take a smaller stride");
    double *to = import->heights;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
            *to++ = import->heights[(size_t)(j * stride) * (size_t)import->columns + (size_t)(i * stride)];
    import->columns = columns;
    import->rows = rows;
    import->spacing = (fender_vec2){import->spacing.x * stride, import->spacing.y * stride};
    return true;
}

/* ---- gaps */

/* Mean of the neighbours that have a height; NaN when there is none. */
static double mean_beside(const fnd_import *import, size_t at)
{
    int row = (int)(at / (size_t)import->columns), column = (int)(at % (size_t)import->columns), count = 0;
    double sum = 0;
    for (int j = row - 1; j <= row + 1; j++)
        for (int i = column - 1; i <= column + 1; i++) {
            if (i < 0 || j < 0 || i >= import->columns || j >= import->rows) continue;
            double height = import->heights[(size_t)j * (size_t)import->columns + (size_t)i];
            if (!isfinite(height)) continue; /* a gap, or one that waits */
            sum += height;
            count++;
        }
    return count > 0 ? sum / count : NAN;
}

typedef struct gap {
    size_t at;
    double height;
} gap;

/* Puts a gap at the end of the queue, and marks it by an infinite height. */
static void queue(fnd_import *import, gap *gaps, size_t *count, size_t at)
{
    import->heights[at] = INFINITY;
    gaps[(*count)++].at = at;
}

static void queue_beside(fnd_import *import, gap *gaps, size_t *count, size_t at)
{
    int row = (int)(at / (size_t)import->columns), column = (int)(at % (size_t)import->columns);
    for (int j = row - 1; j <= row + 1; j++)
        for (int i = column - 1; i <= column + 1; i++) {
            if (i < 0 || j < 0 || i >= import->columns || j >= import->rows) continue;
            size_t beside = (size_t)j * (size_t)import->columns + (size_t)i;
            if (isnan(import->heights[beside])) queue(import, gaps, count, beside);
        }
}

/* Ring by ring: each ring sees the heights of those before it alone. */
static void spread(fnd_import *import, gap *gaps)
{
    size_t count = (size_t)import->columns * (size_t)import->rows, begin = 0, end = 0;
    for (size_t i = 0; i < count; i++)
        if (isnan(import->heights[i]) && !isnan(mean_beside(import, i))) queue(import, gaps, &end, i);
    while (begin < end) {
        size_t next = end;
        for (size_t i = begin; i < end; i++) gaps[i].height = mean_beside(import, gaps[i].at);
        for (size_t i = begin; i < end; i++) import->heights[gaps[i].at] = gaps[i].height;
        for (size_t i = begin; i < end; i++) queue_beside(import, gaps, &next, gaps[i].at);
        begin = end;
        end = next;
    }
}

static bool fill_gaps(fnd_import *import)
{
    size_t count = (size_t)import->columns * (size_t)import->rows, gap_count = 0;
    for (size_t i = 0; i < count; i++) gap_count += isnan(import->heights[i]) ? 1 : 0;
    import->report.gaps = (int64_t)gap_count;
    if (gap_count == 0 || import->def->gaps == FENDER_GAPS_HOLE) return true;
    if (gap_count == count)
        return fnd_import_refuse_value(import, "the rows and columns that are kept have no heights",
                                       "no data everywhere", "heights", "take a smaller stride");
    if (import->def->gaps == FENDER_GAPS_REFUSE) {
        fnd_words found = fnd_words_make("%zu of %zu", gap_count, count);
        return fnd_import_refuse_value(import, "the grid has places without a height", found.text,
                                       "a height everywhere",
                                       "say what becomes of them: no_data: spread, hole or a height");
    }
    if (import->def->gaps == FENDER_GAPS_FILL) {
        double height = import->def->fill_height - import->report.origin.z;
        for (size_t i = 0; i < count; i++)
            if (isnan(import->heights[i])) import->heights[i] = height;
        return true;
    }
    gap *gaps = fnd_import_allocate(import, gap_count, sizeof *gaps);
    if (!gaps) return false;
    spread(import, gaps);
    fnd_import_release(import, gaps, gap_count, sizeof *gaps);
    return true;
}

/* ---- triangles, as fender_geometry_grid divides its cells */

static bool add_triangle(fnd_import *import, const size_t at[3])
{
    for (int k = 0; k < 3; k++)
        if (isnan(import->heights[at[k]])) return true;
    for (int k = 0; k < 3; k++)
        if (!fnd_import_corner(import, (int32_t)at[k])) return false;
    return true;
}

static bool make_triangles(fnd_import *import)
{
    size_t columns = (size_t)import->columns, rows = (size_t)import->rows;
    if (!fnd_import_reserve(import, columns * rows, 6 * (columns - 1) * (rows - 1), 0)) return false;
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < columns; i++) {
            double height = import->heights[j * columns + i];
            if (!fnd_import_vertex(import, import->lower.x + (double)i * import->spacing.x,
                                   import->lower.y + (double)j * import->spacing.y, isnan(height) ? 0 : height))
                return false;
        }
    for (size_t j = 0; j + 1 < rows; j++)
        for (size_t i = 0; i + 1 < columns; i++) {
            size_t near = j * columns + i, far = near + columns + 1;
            if (!add_triangle(import, (const size_t[3]){near, near + 1, far}) ||
                !add_triangle(import, (const size_t[3]){near, far, near + columns}))
                return false;
        }
    fnd_import_release(import, import->heights, import->height_capacity, sizeof(double));
    import->heights = NULL;
    import->columns = import->rows = 0;
    return true;
}

bool fnd_import_grid(fnd_import *import)
{
    if (import->def->stride > 1 && !thin_out(import, import->def->stride)) return false;
    if (!fill_gaps(import)) return false;
    bool holes = import->report.gaps > 0 && import->def->gaps == FENDER_GAPS_HOLE;
    return (!holes && !import->def->as_mesh) || make_triangles(import);
}
