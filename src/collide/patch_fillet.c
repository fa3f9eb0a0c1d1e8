/* Rounded edges and vertices of a polytope that carries cells (docs/models/contact_patches.md).
 *
 * The faces are moved out by the rounding of both solids. Between them the rounded surface is made of facets that touch
 * it: of an edge those whose normals divide the angle between its faces, of a vertex those whose normals divide what
 * lies between its edges. A facet of this kind has no area of its own. Its cell is the part of the space before the
 * edge or vertex where the plane of the facet is the outermost of all, so that cells fit together without a gap and the
 * energy is one continuous function. Inside the polytope itself there is none, and nothing changes there. */
#include "collide/patch_fillet.h"
#include "collide/polygon_cut.h"
#include <assert.h>
#include <math.h>

/* Cosines of the largest angle between facets of an edge, an eighth of a right angle, and of that up to which cells may
 * be neighbours. */
#define EDGE_STEP  0.98078528
#define NEIGHBOURS 0.86

enum { MOST_STEPS = 16, MOST_NORMALS = 256, MOST_FOUND = 512, FANS = 4 };

/* The normals of all facets around a vertex, in G of the solid. */
typedef struct fan {
    int vertex;
    int64_t asked; /* the number of the question that it was the answer to last */
    fender_vec3 corner, normals[MOST_NORMALS];
    int edges[MOST_NORMALS], faces[MOST_NORMALS]; /* that the normal belongs to; -1: none */
    int count, inner;                             /* those from `inner` on are the vertex's own */
} fan;

/* Edges and vertices of the polytope beyond which the solid reaches, so that their fillets may hold a part of it; and
 * the fans that were asked for last. */
struct fnd_fillets {
    int edge_count, vertex_count, fan_count;
    int64_t asked;
    int edges[MOST_FOUND], vertices[MOST_FOUND];
    fan fans[FANS];
};
typedef struct fnd_fillets fnd_fillets;

static fender_vec3 unit(fender_vec3 v) { return fender_vec3_scale(1 / fender_vec3_length(v), v); }

static const fnd_polytope *cells_of(const fnd_ground *g) { return fnd_geometry_cells(g->view->a->geometry); }

/* In G of the solid. */
static fender_vec3 vertex_at(const fnd_ground *g, int vertex)
{
    const fender_vec3 x = fender_vec3_sub(cells_of(g)->vertices[vertex], g->view->p_AB);
    return fender_mat3_transpose_times(&g->view->R_AB, x);
}

static fender_vec3 rotated(const fnd_ground *g, fender_vec3 normal)
{
    return fender_mat3_transpose_times(&g->view->R_AB, normal);
}

/* ---- Normals, in G of the polytope: which there are does not depend on the pose ---- */

/* Steps from the normal of one face of an edge to that of the other: a power of 2; 1: no facet is between them. */
static int steps_of(fender_vec3 from, fender_vec3 to)
{
    double cosine = fender_vec3_dot(from, to);
    int steps = 1;
    if (!(cosine > -0.999)) return 1; /* the border of a plate */
    for (; cosine < EDGE_STEP && steps < MOST_STEPS; steps *= 2) cosine = sqrt(0.5 * (1 + cosine));
    return steps;
}

/* Normals of an edge, with those of its faces at both ends. Returns the steps between them. */
static int normals_of_edge(const fnd_polytope *p, int edge, fender_vec3 normals[MOST_STEPS + 1])
{
    const fender_vec3 from = p->face_normals[p->edges[edge].face[0]], to = p->face_normals[p->edges[edge].face[1]];
    const int steps = steps_of(from, to);
    normals[0] = from;
    normals[steps] = to;
    for (int width = steps; width > 1; width /= 2)
        for (int i = 0; i < steps; i += width)
            normals[i + width / 2] = unit(fender_vec3_add(normals[i], normals[i + width]));
    return steps;
}

static void add_normal(fan *f, fender_vec3 normal, int edge, int face)
{
    if (f->count == MOST_NORMALS) return;
    f->normals[f->count] = normal;
    f->edges[f->count] = edge;
    f->faces[f->count++] = face;
}

static void add_face_once(fan *f, fender_vec3 normal, int face)
{
    for (int i = 0; i < f->count; i++)
        if (f->faces[i] == face) return;
    add_normal(f, normal, -1, face);
}

/* Cosines of ten degrees, and of what rounding leaves between two that are the same. */
#define NEAR 0.9848
#define SAME (1 - 1e-9)
/* A vertex of more faces, the tip of a cone, has facets that are no nearer to each other than ten degrees. */
enum { MANY = 16 };

static void add_inner(fan *f, fender_vec3 normal, double nearest)
{
    for (int i = 0; i < f->count; i++)
        if (fender_vec3_dot(f->normals[i], normal) > nearest) return;
    add_normal(f, normal, -1, -1);
}

/* Rings about the middle, each between it and the normals of the edges. None where these are near the middle. */
static void add_rings(fan *f, const fnd_polytope *p, int vertex, fender_vec3 middle)
{
    static const double cosines[] = {0.94, 0.77, 0.5, 0.17}; /* of 20, 40, 60 and 80 degrees */
    double widest = 1, narrowest = -1;
    int rings = 1, faces = 0;
    for (int i = 0; i < f->count; i++) {
        const double cosine = fender_vec3_dot(f->normals[i], middle);
        widest = cosine < widest ? cosine : widest;
        narrowest = cosine > narrowest ? cosine : narrowest;
        faces += f->faces[i] >= 0;
    }
    f->inner = f->count;
    if (narrowest > NEAR) return;
    while (rings < 5 && widest < cosines[rings - 1]) rings++;
    const double nearest = faces > MANY ? NEAR : SAME;
    for (int ring = rings - 1; ring > 0; ring--) {
        const double t = (double)ring / rings;
        for (int i = 0; i < p->edge_count; i++) {
            if (p->edges[i].vertex[0] != vertex && p->edges[i].vertex[1] != vertex) continue;
            fender_vec3 normals[MOST_STEPS + 1];
            const int steps = normals_of_edge(p, i, normals);
            int stride = 1;
            while (2 * stride <= steps && 2 * stride * t <= 1.5) stride *= 2;
            for (int k = 0; k <= steps; k += stride)
                add_inner(f, unit(fender_vec3_add_scaled(fender_vec3_scale(1 - t, middle), t, normals[k])), nearest);
        }
    }
    if (rings > 1) add_inner(f, middle, nearest);
}

static void make_fan(fan *f, const fnd_ground *g, int vertex)
{
    const fnd_polytope *p = cells_of(g);
    fender_vec3 sum = {0, 0, 0};
    f->vertex = vertex;
    f->corner = vertex_at(g, vertex);
    f->count = 0;
    for (int i = 0; i < p->edge_count; i++) {
        const fnd_polytope_edge *e = &p->edges[i];
        if (e->vertex[0] != vertex && e->vertex[1] != vertex) continue;
        fender_vec3 normals[MOST_STEPS + 1];
        const int steps = normals_of_edge(p, i, normals);
        add_face_once(f, normals[0], e->face[0]);
        add_face_once(f, normals[steps], e->face[1]);
        for (int k = 1; k < steps; k++) add_normal(f, normals[k], i, -1);
        sum = fender_vec3_add(sum, fender_vec3_add(normals[0], normals[steps]));
    }
    add_rings(f, p, vertex, unit(sum));
    for (int i = 0; i < f->count; i++) f->normals[i] = rotated(g, f->normals[i]);
}

/* One of the last that were made, or a new one; valid until as many others have been asked for. */
static const fan *fan_of(fnd_fillets *fillets, const fnd_ground *g, int vertex)
{
    const int made = fillets->fan_count;
    fan *oldest = &fillets->fans[0];
    fillets->asked++;
    for (int i = 0; i < made; i++) {
        fan *f = &fillets->fans[i];
        if (f->vertex == vertex) {
            f->asked = fillets->asked;
            return f;
        }
        if (f->asked < oldest->asked) oldest = f;
    }
    if (made < FANS) oldest = &fillets->fans[fillets->fan_count++];
    make_fan(oldest, g, vertex);
    oldest->asked = fillets->asked;
    return oldest;
}

/* ---- Which edges and vertices ---- */

/* Does the solid's core reach beyond a place along a direction? */
static bool reaches(const fnd_polytope *p, fender_vec3 direction, double from)
{
    for (int i = 0; i < p->vertex_count; i++)
        if (fender_vec3_dot(direction, p->vertices[i]) > from) return true;
    return false;
}

/* Is a box around two places, wider by a reach, apart from that of the core? */
static bool is_far(const fnd_surface_visibility *v, fender_vec3 a, fender_vec3 b, double reach)
{
    const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    const double center[3] = {v->center.x, v->center.y, v->center.z}, half[3] = {v->half.x, v->half.y, v->half.z};
    for (int k = 0; k < 3; k++) {
        const double low = from[k] < to[k] ? from[k] : to[k], high = from[k] < to[k] ? to[k] : from[k];
        if (low - center[k] > half[k] + reach || center[k] - high > half[k] + reach) return true;
    }
    return false;
}

/* Is all that is within a reach of one place, or of the line between two, out of one face of the core? */
static bool is_out(const fnd_ground *g, const fender_vec3 *places, int count, double reach)
{
    const fnd_visible_facet at = {.spread = 0};
    fnd_surface_sample look = {.at = &at, .corners = places, .sides = count, .spanned = count};
    uint64_t faces;
    for (int first = 0; first < g->polytope->face_count; first += FND_SAMPLE_BITS)
        if (!fnd_surface_sample_faces(g->polytope, &look, reach, first, &faces)) return true;
    return false;
}

static bool edge_is_near(const fnd_ground *g, const fnd_surface_visibility *v, const fnd_polytope_edge *e)
{
    if (e->face[0] < 0 || e->face[1] < 0) return false;
    const fender_vec3 a = vertex_at(g, e->vertex[0]), b = vertex_at(g, e->vertex[1]);
    const fender_vec3 from = cells_of(g)->face_normals[e->face[0]], to = cells_of(g)->face_normals[e->face[1]];
    const double sharp = 1 / sqrt(0.5 * (1 + fender_vec3_dot(from, to))); /* where the planes of the faces meet */
    if (steps_of(from, to) == 1 || is_far(v, a, b, sharp * g->rounding)) return false;
    const fender_vec3 n = rotated(g, from), m = rotated(g, to), along = fender_vec3_sub(b, a);
    const fender_vec3 out = fender_vec3_cross(along, n), other = fender_vec3_cross(m, along);
    if (!reaches(g->polytope, out, fender_vec3_dot(out, a)) || !reaches(g->polytope, other, fender_vec3_dot(other, a)))
        return false;
    const fender_vec3 ends[2] = {a, b};
    return !is_out(g, ends, 2, 1.25 * sharp * g->rounding);
}

static bool has_face(const fnd_polytope_edge *e, int face) { return e->face[0] == face || e->face[1] == face; }

/* How far from a vertex, over their distance from it, the planes of its faces may meet; at least what facets leave. */
static double mitre(const fnd_polytope *p, int vertex)
{
    fender_vec3 sum = {0, 0, 0};
    double least = 1 / 1.25;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) sum = unit(sum);
        for (int i = 0; i < p->edge_count; i++) {
            const fnd_polytope_edge *e = &p->edges[i];
            if (e->vertex[0] != vertex && e->vertex[1] != vertex) continue;
            for (int k = 0; k < 2; k++) {
                const fender_vec3 n = p->face_normals[e->face[k]];
                if (pass == 0) sum = fender_vec3_add(sum, n);
                else if (!(fender_vec3_dot(sum, n) >= least)) least = fender_vec3_dot(sum, n);
            }
        }
    }
    return least > 0 ? 1 / least : INFINITY;
}

static bool vertex_is_near(const fnd_ground *g, const fnd_surface_visibility *v, int vertex)
{
    const fnd_polytope *p = cells_of(g);
    const fender_vec3 corner = vertex_at(g, vertex);
    if (is_far(v, corner, corner, 1.25 * g->rounding)) return false; /* no facet's plane leaves more in its cell */
    for (int i = p->neighbour_start[vertex]; i < p->neighbour_start[vertex + 1]; i++) {
        const fender_vec3 out = fender_vec3_sub(corner, vertex_at(g, p->neighbours[i]));
        if (!reaches(g->polytope, out, fender_vec3_dot(out, corner))) return false;
    }
    return !is_out(g, &corner, 1, mitre(p, vertex) * g->rounding);
}

/* None are found where there are too many: all edges are sharp then. */
static void find(fnd_fillets *f, const fnd_ground *g, const fnd_surface_visibility *visibility)
{
    const fnd_polytope *p = cells_of(g);
    assert(p && g->rounding > 0);
    int edges = 0, vertices = 0;
    for (int i = 0; i < p->edge_count && edges <= MOST_FOUND; i++) {
        if (!edge_is_near(g, visibility, &p->edges[i])) continue;
        if (edges < MOST_FOUND) f->edges[edges] = i;
        edges++;
    }
    for (int i = 0; i < p->vertex_count && vertices <= MOST_FOUND; i++) {
        if (!vertex_is_near(g, visibility, i)) continue;
        if (vertices < MOST_FOUND) f->vertices[vertices] = i;
        vertices++;
    }
    const bool all = edges <= MOST_FOUND && vertices <= MOST_FOUND;
    f->edge_count = all ? edges : 0;
    f->vertex_count = all ? vertices : 0;
    f->fan_count = 0;
    f->asked = 0;
}

/* ---- Cells ---- */

/* The cell of a facet, in G of the solid. */
typedef struct cell {
    fnd_visible_facet at;
    fnd_surface_sample look;
    fender_vec3 corners[FND_CUT_SIDES], inward[FND_CUT_SIDES];
    uint64_t within[FND_CUT_SIDES];
} cell;

/* Where a plane is outside of another one that has a point in common with it. */
static void add_border(fnd_surface_sample *look, fender_vec3 *corners, fender_vec3 normal, fender_vec3 other,
                       fender_vec3 point)
{
    if (look->sides == FND_CUT_SIDES) return;
    corners[look->sides] = point;
    look->inward[look->sides++] = fender_vec3_sub(normal, other);
}

/* What a cell reaches beside its edge or vertex, over its height above these, which is the rounding. */
#define SPREAD 0.5

/* False: nothing of the solid is below it. `spanned`: corners that it lies between, whose borders come first. */
static bool begin_cell(cell *c, fnd_ground *g, const fnd_surface_visibility *v, fender_vec3 normal, fender_vec3 point,
                       int32_t number, int spanned)
{
    c->at = (fnd_visible_facet){.triangle = number, .plane = number, .spread = SPREAD, .normal = normal};
    c->at.offset = fender_vec3_dot(normal, point) + g->rounding;
    c->at.depth = c->at.offset - fender_vec3_dot(normal, v->center) + fabs(normal.x) * v->half.x +
                  fabs(normal.y) * v->half.y + fabs(normal.z) * v->half.z;
    for (int k = 0; k < 3; k++) c->at.corners[k] = point;
    c->look = (fnd_surface_sample){.at = &c->at,
                                   .corners = c->corners,
                                   .inward = c->inward,
                                   .within = c->within,
                                   .spanned = spanned,
                                   .alone = true};
    if (!(c->at.depth > 0)) return false;
    fnd_surface_sample_depth(g->polytope, &c->look);
    return c->look.deepest > 0;
}

static void end_cell(cell *c, fnd_ground *g)
{
    if (!fnd_surface_sample_within(g->polytope, &c->look)) return;
    if (c->look.deepest > g->rounding) c->look.deepest = g->rounding; /* the cell is before the edge or vertex */
    if (!fnd_surface_sample_faces(g->polytope, &c->look, g->rounding, 0, &c->look.faces) || c->look.empty) return;
    fnd_ground_add_cell(g, &c->look);
}

static bool is_among(const int *numbers, int count, int number)
{
    for (int i = 0; i < count; i++)
        if (numbers[i] == number) return true;
    return false;
}

/* Borders at one end of an edge: towards all other normals around the vertex. The cells end straight where nothing of
 * the solid is in those of the vertex. */
static void bound_end(const fnd_ground *g, int edge, int end, const fan *f, cell *c)
{
    const fnd_polytope_edge *e = &cells_of(g)->edges[edge];
    if (!f) {
        const fender_vec3 at = vertex_at(g, e->vertex[end]);
        add_border(&c->look, c->corners, vertex_at(g, e->vertex[1 - end]), at, at);
        return;
    }
    for (int i = 0; i < f->count; i++) {
        if (f->edges[i] == edge || (f->faces[i] >= 0 && has_face(e, f->faces[i]))) continue;
        if (fender_vec3_dot(f->normals[i], c->at.normal) > NEIGHBOURS)
            add_border(&c->look, c->corners, c->at.normal, f->normals[i], f->corner);
    }
}

static void add_edge(fnd_fillets *fillets, fnd_ground *g, const fnd_surface_visibility *v, int edge)
{
    const fnd_polytope_edge *e = &cells_of(g)->edges[edge];
    const fender_vec3 point = vertex_at(g, e->vertex[0]);
    fender_vec3 normals[MOST_STEPS + 1];
    const fan *fans[2];
    const int steps = normals_of_edge(cells_of(g), edge, normals);
    for (int k = 0; k <= steps; k++) normals[k] = rotated(g, normals[k]);
    for (int end = 0; end < 2; end++) {
        const bool near = is_among(fillets->vertices, fillets->vertex_count, e->vertex[end]);
        fans[end] = near ? fan_of(fillets, g, e->vertex[end]) : NULL;
    }
    for (int k = 1; k < steps; k++) {
        cell c;
        if (!begin_cell(&c, g, v, normals[k], point, g->view->surface->triangle_count + edge * MOST_STEPS + k, 2))
            continue;
        c.look.sides = 0;
        add_border(&c.look, c.corners, normals[k], normals[k - 1], point);
        add_border(&c.look, c.corners, normals[k], normals[k + 1], vertex_at(g, e->vertex[1]));
        for (int end = 0; end < 2; end++) bound_end(g, edge, end, fans[end], &c);
        end_cell(&c, g);
    }
}

static void add_vertex(fnd_fillets *fillets, fnd_ground *g, const fnd_surface_visibility *v, int vertex)
{
    const int32_t first = g->view->surface->triangle_count + cells_of(g)->edge_count * MOST_STEPS;
    const fan *f = fan_of(fillets, g, vertex);
    for (int k = f->inner; k < f->count; k++) {
        cell c;
        if (!begin_cell(&c, g, v, f->normals[k], f->corner, first + vertex * MOST_NORMALS + k, 1)) continue;
        for (int i = 0; i < f->count; i++)
            if (i != k && fender_vec3_dot(f->normals[i], f->normals[k]) > NEIGHBOURS)
                add_border(&c.look, c.corners, f->normals[k], f->normals[i], f->corner);
        end_cell(&c, g);
    }
}

void fnd_fillets_collect(fnd_ground *g, fnd_surface_scan *scan)
{
    fnd_fillets fillets;
    find(&fillets, g, scan->visibility);
    g->fillets = &fillets;
    fnd_ground_look_at_all(g, scan);
    for (int i = 0; i < fillets.edge_count; i++) add_edge(&fillets, g, scan->visibility, fillets.edges[i]);
    for (int i = 0; i < fillets.vertex_count; i++) add_vertex(&fillets, g, scan->visibility, fillets.vertices[i]);
    g->fillets = NULL;
}

void fnd_fillets_bound_face(const fnd_ground *g, int face, fnd_surface_sample *look, fender_vec3 *corners)
{
    fnd_fillets *fillets = g->fillets;
    const fnd_polytope *p = cells_of(g);
    const fender_vec3 normal = look->at->normal;
    for (int i = 0; i < fillets->edge_count; i++) {
        const fnd_polytope_edge *e = &p->edges[fillets->edges[i]];
        if (!has_face(e, face)) continue;
        fender_vec3 normals[MOST_STEPS + 1];
        const int steps = normals_of_edge(p, fillets->edges[i], normals);
        const fender_vec3 next = rotated(g, normals[e->face[0] == face ? 1 : steps - 1]);
        add_border(look, corners, normal, next, vertex_at(g, e->vertex[0]));
    }
    for (int i = 0; i < fillets->vertex_count; i++) {
        const int start = p->face_start[face];
        if (!is_among(&p->face_vertices[start], p->face_start[face + 1] - start, fillets->vertices[i])) continue;
        const fan *f = fan_of(fillets, g, fillets->vertices[i]);
        for (int k = 0; k < f->count; k++) {
            if (f->faces[k] >= 0 || (f->edges[k] >= 0 && has_face(&p->edges[f->edges[k]], face))) continue;
            if (fender_vec3_dot(f->normals[k], normal) > NEIGHBOURS)
                add_border(look, corners, normal, f->normals[k], f->corner);
        }
    }
}
