/* From the unit of the file to metres, about a local origin where the mesh lies far away. */
#include <float.h>
#include <math.h>

#include "import/import.h"

#define LARGEST 1e100 /* m; what geometries take */

typedef struct range {
    double lower[3], upper[3];
} range;

static void include(range *r, int axis, double value)
{
    if (value < r->lower[axis]) r->lower[axis] = value;
    if (value > r->upper[axis]) r->upper[axis] = value;
}

static bool too_large(fnd_import *import, double value)
{
    fnd_words found = fnd_words_number(value);
    return fnd_import_refuse_value(import, fnd_words_make("a coordinate becomes %s m", found.text).text, found.text,
                                   "finite lengths up to 1e100 m", "are unit and scale right?");
}

/* Along an axis on which all lies farther from the origin than 16 times its size: a multiple of a power of two near the
 * middle, so that the difference of every coordinate and it is exact. */
static double origin_of(const range *r, int axis, double size)
{
    double middle = 0.5 * r->lower[axis] + 0.5 * r->upper[axis];
    if (!(fabs(middle) > 16 * size) || !(size > 0)) return 0;
    int exponent;
    (void)frexp(size, &exponent);
    double grain = ldexp(1, exponent);
    /* no finer than the coordinates themselves */
    if (grain < fabs(middle) * DBL_EPSILON) (void)frexp(fabs(middle) * DBL_EPSILON, &exponent);
    grain = ldexp(1, exponent);
    return floor(middle / grain + 0.5) * grain;
}

static void choose_origin(fnd_import *import, const range *r)
{
    fender_vec3 *o = &import->report.origin;
    *o = fender_vec3_make(0, 0, 0);
    if (import->def->keep_origin) return;
    double size = 0;
    for (int i = 0; i < 3; i++) {
        double side = r->upper[i] - r->lower[i];
        size += side * side;
    }
    size = sqrt(size);
    *o = fender_vec3_make(origin_of(r, 0, size), origin_of(r, 1, size), origin_of(r, 2, size));
}

static bool scale_grid(fnd_import *import, const double factor[3])
{
    range r = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    size_t count = (size_t)import->columns * (size_t)import->rows;
    if (!(factor[0] > 0) || !(factor[1] > 0))
        return fnd_import_refuse_value(import, "a grid cannot be mirrored along x or y",
                                       fnd_words_number(factor[0] > 0 ? factor[1] : factor[0]).text,
                                       "factors of x and y above 0", "turn the shape instead");
    import->lower = (fender_vec2){import->lower.x * factor[0], import->lower.y * factor[1]};
    import->spacing = (fender_vec2){import->spacing.x * factor[0], import->spacing.y * factor[1]};
    double upper_x = import->lower.x + (import->columns - 1) * import->spacing.x;
    double upper_y = import->lower.y + (import->rows - 1) * import->spacing.y;
    if (!(fabs(import->lower.x) <= LARGEST) || !(fabs(upper_x) <= LARGEST)) return too_large(import, upper_x);
    if (!(fabs(import->lower.y) <= LARGEST) || !(fabs(upper_y) <= LARGEST)) return too_large(import, upper_y);
    for (size_t i = 0; i < count; i++) {
        if (isnan(import->heights[i])) continue;
        double height = import->heights[i] * factor[2] + 0.0;
        if (!(fabs(height) <= LARGEST)) return too_large(import, height);
        import->heights[i] = height;
        include(&r, 2, height);
    }
    if (!(r.lower[2] <= r.upper[2]))
        return fnd_import_refuse_value(import, "the grid has no heights", "no data everywhere", "heights",
                                       "is the value of no data right?");
    include(&r, 0, import->lower.x);
    include(&r, 0, upper_x);
    include(&r, 1, import->lower.y);
    include(&r, 1, upper_y);
    choose_origin(import, &r);
    import->lower.x -= import->report.origin.x;
    import->lower.y -= import->report.origin.y;
    for (size_t i = 0; i < count; i++) import->heights[i] -= import->report.origin.z;
    return true;
}

bool fnd_import_scale(fnd_import *import)
{
    const fender_mesh_import *def = import->def;
    const double factor[3] = {def->unit * def->scale.x, def->unit * def->scale.y, def->unit * def->scale.z};
    for (int i = 0; i < 3; i++)
        if (!(fabs(factor[i]) > 0) || !isfinite(factor[i]))
            return fnd_import_refuse_value(import, "a factor of the scale is not a number other than 0",
                                           fnd_words_number(factor[i]).text, "finite factors other than 0", "");
    if (import->heights) return scale_grid(import, factor);
    range r = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < import->vertex_count; i++) {
        fender_vec3 *p = &import->vertices[i];
        /* 0 added: -0 and 0 are the same corner */
        double v[3] = {p->x * factor[0] + 0.0, p->y * factor[1] + 0.0, p->z * factor[2] + 0.0};
        for (int k = 0; k < 3; k++) {
            if (!(fabs(v[k]) <= LARGEST)) return too_large(import, v[k]);
            include(&r, k, v[k]);
        }
        *p = fender_vec3_make(v[0], v[1], v[2]);
    }
    if (import->vertex_count == 0) return true;
    choose_origin(import, &r);
    for (size_t i = 0; i < import->vertex_count; i++)
        import->vertices[i] = fender_vec3_sub(import->vertices[i], import->report.origin);
    return true;
}
