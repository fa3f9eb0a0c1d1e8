/* Says before a run begins which shapes lie deep in each other: they would be thrown apart, or hang in ground. */
#include "run/run.h"
#include "text/number.h"

#include <stdio.h>

/* An overlap of that part of the smaller shape's bounding radius is no rest on a spring. */
static const double DEEP = 0.5;
/* More pairs are not looked at one by one. */
enum { PAIR_LIMIT = 5000, NAME_SIZE = 420 };

static double size_of(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    if (fender_shape_get_def(world, shape, &def) != FENDER_STATUS_OK || !def.active) return 0;
    return fender_geometry_bounding_radius(def.geometry);
}

static void warn(const fender_run *run, fender_shape_id a, fender_shape_id b, double depth, double part)
{
    char pair[NAME_SIZE], message[NAME_SIZE + 200], deep[FND_NUMBER_SIZE], share[FND_NUMBER_SIZE];
    fnd_pair_name(run->world, a, b, pair, sizeof pair);
    fnd_number_format_digits(depth, 3, deep, sizeof deep);
    fnd_number_format_digits(part, 2, share, sizeof share);
    snprintf(message, sizeof message, "%s overlap by %s m at the start, %s of the smaller one's radius", pair, deep,
             share);
    fender_diagnostic warning = {
        .severity = FENDER_SEVERITY_WARNING,
        .status = FENDER_STATUS_VALUE,
        .file = "",
        .excerpt = "",
        .message = message,
        .found = deep,
        .expected = "shapes that are apart or just touch",
        .suggestion = "they will be thrown apart: are poses, units and the sense of normals right?"};
    run->env.report(run->env.report_ctx, &warning);
}

void fnd_run_warn_of_overlap(const fender_run *run)
{
    const fender_world *world = run->world;
    int count = fender_shape_count(world);
    if (!run->env.report || (int64_t)count * (count - 1) / 2 > PAIR_LIMIT) return;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            fender_shape_id a = fender_shape_at(world, i), b = fender_shape_at(world, k);
            double size_a = size_of(world, a), size_b = size_of(world, b), size = size_a < size_b ? size_a : size_b;
            fender_pair_explanation pair;
            fender_contact_data data;
            if (!(size > 0) || !isfinite(size) || fender_world_explain(world, a, b, &pair) != FENDER_STATUS_OK ||
                pair.reason != FENDER_PAIR_MAY_TOUCH ||
                fender_contact_between(world, a, b, &data) != FENDER_STATUS_OK || !(-data.separation > DEEP * size))
                continue;
            warn(run, pair.a, pair.b, -data.separation, -data.separation / size);
        }
}
