/* Area, volume, edges and bounds of what was imported. */
#include <math.h>

#include "import/import.h"

typedef struct sums {
    fender_box box;
    double unit; /* a power of two near the size: no square of a length overflows or vanishes */
    double area, volume, shortest, longest; /* in this unit; edges: squares */
    fender_vec3 middle;
} sums;

static void add_point(sums *s, fender_vec3 v)
{
    if (v.x < s->box.lower.x) s->box.lower.x = v.x;
    if (v.y < s->box.lower.y) s->box.lower.y = v.y;
    if (v.z < s->box.lower.z) s->box.lower.z = v.z;
    if (v.x > s->box.upper.x) s->box.upper.x = v.x;
    if (v.y > s->box.upper.y) s->box.upper.y = v.y;
    if (v.z > s->box.upper.z) s->box.upper.z = v.z;
}

/* What comes after the points: about the middle, so that a part far from the origin loses nothing. */
static void begin_facets(sums *s)
{
    const fender_vec3 sides = fender_vec3_sub(s->box.upper, s->box.lower);
    int exponent;
    (void)frexp(fmax(sides.x, fmax(sides.y, sides.z)), &exponent);
    s->unit = ldexp(1, exponent > -1000 ? exponent : -1000);
    s->middle = fender_vec3_scale(0.5 / s->unit, fender_vec3_add(s->box.lower, s->box.upper));
}

static void add_facet(sums *s, fender_vec3 a, fender_vec3 b, fender_vec3 c)
{
    const double scale = 1 / s->unit;
    a = fender_vec3_scale(scale, a);
    b = fender_vec3_scale(scale, b);
    c = fender_vec3_scale(scale, c);
    const fender_vec3 edges[3] = {fender_vec3_sub(b, a), fender_vec3_sub(c, b), fender_vec3_sub(a, c)};
    fender_vec3 n = fnd_import_area_vector(a, b, c);
    s->area += 0.5 * fender_vec3_length(n);
    s->volume += fender_vec3_dot(n, fender_vec3_sub(a, s->middle)) / 6;
    for (int k = 0; k < 3; k++) {
        double square = fender_vec3_dot(edges[k], edges[k]);
        if (square < s->shortest) s->shortest = square;
        if (square > s->longest) s->longest = square;
    }
}

static fender_vec3 grid_point(const fnd_import *import, int i, int j)
{
    return fender_vec3_make(import->lower.x + i * import->spacing.x, import->lower.y + j * import->spacing.y,
                            import->heights[(size_t)j * (size_t)import->columns + (size_t)i]);
}

static void measure_grid(fnd_import *import, sums *s)
{
    fender_mesh_report *r = &import->report;
    int64_t columns = import->columns, rows = import->rows;
    r->is_grid = true;
    r->columns = import->columns;
    r->rows = import->rows;
    r->spacing = import->spacing;
    r->vertices = columns * rows;
    r->facets = 2 * (columns - 1) * (rows - 1);
    r->parts = r->open_parts = r->holes = 1;
    r->border_edges = 2 * (columns - 1) + 2 * (rows - 1);
    for (int j = 0; j < import->rows; j++)
        for (int i = 0; i < import->columns; i++) add_point(s, grid_point(import, i, j));
    begin_facets(s);
    for (int j = 0; j + 1 < import->rows; j++)
        for (int i = 0; i + 1 < import->columns; i++) {
            fender_vec3 near = grid_point(import, i, j);
            fender_vec3 far = grid_point(import, i + 1, j + 1);
            add_facet(s, near, grid_point(import, i + 1, j), far);
            add_facet(s, near, far, grid_point(import, i, j + 1));
        }
}

static void measure_mesh(fnd_import *import, sums *s)
{
    const fender_vec3 *v = import->vertices;
    for (size_t i = 0; i < import->vertex_count; i++) add_point(s, v[i]);
    begin_facets(s);
    for (size_t i = 0; i < import->corner_count; i += 3)
        add_facet(s, v[import->corners[i]], v[import->corners[i + 1]], v[import->corners[i + 2]]);
    import->report.vertices = (int64_t)import->vertex_count;
    import->report.facets = (int64_t)(import->corner_count / 3);
}

bool fnd_import_measure(fnd_import *import)
{
    sums s = {.box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, .shortest = INFINITY};
    fender_mesh_report *r = &import->report;
    if (import->heights) measure_grid(import, &s);
    else measure_mesh(import, &s);
    fender_vec3 sides = fender_vec3_sub(s.box.upper, s.box.lower);
    const double unit = s.unit;
    double largest = sides.x > sides.y ? sides.x : sides.y;
    if (sides.z > largest) largest = sides.z;
    r->area = s.area * unit * unit;
    r->volume = r->closed ? s.volume * unit * unit * unit : 0;
    r->shortest_edge = sqrt(s.shortest) * unit;
    r->longest_edge = sqrt(s.longest) * unit;
    r->bounds = (fender_box){fender_vec3_add(s.box.lower, r->origin), fender_vec3_add(s.box.upper, r->origin)};
    r->unit_suspect = largest < 1e-3 || largest > 1e6;
    return true;
}
