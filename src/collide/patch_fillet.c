/* Rounded edges and vertices of a polytope, mesh or grid that carries cells (docs/models/contact_patches.md).
 *
 * The faces are moved out by the rounding of both solids. Between them the rounded surface is made of facets that touch
 * it: of an edge those whose normals divide the angle between its faces, of a vertex those whose normals divide what
 * lies between its edges. A facet of this kind has no area of its own. Its cell is the part of the space before the
 * edge or vertex where the plane of the facet is the outermost of all, so that cells fit together without a gap and the
 * energy is one continuous function. Inside the polytope itself there is none, and nothing changes there.
 *
 * So have convex edges of meshes and grids, and vertices where all edges are convex. At other vertices, where ridges go
 * on or meet edges that are bent inwards, cells of ridges end halfway between their directions: there may be a gap. */
#include "collide/patch_fillet.h"
#include "collide/polygon_cut.h"
#include <assert.h>
#include <math.h>

/* Cosines of the largest angle between facets of an edge, an eighth of a right angle, and of that up to which cells may
 * be neighbours. */
#define EDGE_STEP  0.98078528
#define NEIGHBOURS 0.86

enum { MOST_STEPS = 16, MOST_NORMALS = 256, MOST_FOUND = 512, MOST_RIDGES = 256, FANS = 4 };

/* An edge between two faces, and all that meet at a vertex. Normals in G of the polytope. */
typedef struct ridge {
    int number;
    int32_t faces[2];
    fender_vec3 from, to;
    fender_vec3 along; /* of a mesh: unit, from the vertex, in G of the solid */
} ridge;
typedef struct ridges {
    bool convex; /* of a mesh: no edge at the vertex is bent inwards, or one of its border */
    int count;
    ridge items[MOST_RIDGES];
} ridges;

/* The normals of all facets around a vertex, in G of the solid. */
typedef struct fan {
    int vertex;
    int64_t asked; /* the number of the question that it was the answer to last */
    fender_vec3 corner, normals[MOST_NORMALS];
    int edges[MOST_NORMALS], faces[MOST_NORMALS]; /* that the normal belongs to; -1: none */
    int count, inner;                             /* those from `inner` on are the vertex's own */
    bool round;                                   /* of a mesh: are there facets around it? */
    ridges around;
} fan;

/* Edges and vertices of the polytope beyond which the solid reaches, so that their fillets may hold a part of it; and
 * the fans that were asked for last. */
struct fnd_fillets {
    int edge_count, vertex_count, fan_count;
    int64_t asked;
    const fnd_surface_visibility *visibility;
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

/* From the normal of one face of an edge to that of the other. Returns the steps between them. */
static int normals_between(fender_vec3 from, fender_vec3 to, fender_vec3 normals[MOST_STEPS + 1])
{
    const int steps = steps_of(from, to);
    normals[0] = from;
    normals[steps] = to;
    for (int width = steps; width > 1; width /= 2)
        for (int i = 0; i < steps; i += width)
            normals[i + width / 2] = unit(fender_vec3_add(normals[i], normals[i + width]));
    return steps;
}

static int normals_of_edge(const fnd_polytope *p, int edge, fender_vec3 normals[MOST_STEPS + 1])
{
    const int32_t *face = p->edges[edge].face;
    return normals_between(p->face_normals[face[0]], p->face_normals[face[1]], normals);
}

/* Of a polytope; false: there are too many. */
static bool find_ridges(const fnd_polytope *p, int vertex, ridges *found)
{
    found->count = 0;
    for (int i = 0; i < p->edge_count; i++) {
        const fnd_polytope_edge *e = &p->edges[i];
        if (e->vertex[0] != vertex && e->vertex[1] != vertex) continue;
        if (found->count == MOST_RIDGES) return false;
        found->items[found->count++] = (ridge){.number = i,
                                               .faces = {e->face[0], e->face[1]},
                                               .from = p->face_normals[e->face[0]],
                                               .to = p->face_normals[e->face[1]]};
    }
    return true;
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
static void add_rings(fan *f, const ridges *around, fender_vec3 middle)
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
        for (int i = 0; i < around->count; i++) {
            fender_vec3 normals[MOST_STEPS + 1];
            const int steps = normals_between(around->items[i].from, around->items[i].to, normals);
            int stride = 1;
            while (2 * stride <= steps && 2 * stride * t <= 1.5) stride *= 2;
            for (int k = 0; k <= steps; k += stride)
                add_inner(f, unit(fender_vec3_add_scaled(fender_vec3_scale(1 - t, middle), t, normals[k])), nearest);
        }
    }
    if (rings > 1) add_inner(f, middle, nearest);
}

static void make_fan(fan *f, const fnd_ground *g)
{
    const ridges *around = &f->around;
    fender_vec3 sum = {0, 0, 0};
    f->count = 0;
    for (int i = 0; i < around->count; i++) {
        const ridge *e = &around->items[i];
        fender_vec3 normals[MOST_STEPS + 1];
        const int steps = normals_between(e->from, e->to, normals);
        add_face_once(f, normals[0], e->faces[0]);
        add_face_once(f, normals[steps], e->faces[1]);
        for (int k = 1; k < steps; k++) add_normal(f, normals[k], e->number, -1);
        sum = fender_vec3_add(sum, fender_vec3_add(normals[0], normals[steps]));
    }
    add_rings(f, around, unit(sum));
    for (int i = 0; i < f->count; i++) f->normals[i] = rotated(g, f->normals[i]);
}

/* One of the last that were asked for, or room for a new one; valid until as many others have been asked for. */
static fan *find_fan(fnd_fillets *fillets, int vertex, bool *is_new)
{
    fan *oldest = &fillets->fans[0];
    fillets->asked++;
    for (int i = 0; i < fillets->fan_count; i++) {
        fan *f = &fillets->fans[i];
        if (f->vertex == vertex) {
            f->asked = fillets->asked;
            *is_new = false;
            return f;
        }
        if (f->asked < oldest->asked) oldest = f;
    }
    if (fillets->fan_count < FANS) oldest = &fillets->fans[fillets->fan_count++];
    oldest->vertex = vertex;
    oldest->asked = fillets->asked;
    *is_new = true;
    return oldest;
}

static const fan *fan_of(fnd_fillets *fillets, const fnd_ground *g, int vertex)
{
    bool is_new;
    fan *f = find_fan(fillets, vertex, &is_new);
    if (!is_new) return f;
    f->corner = vertex_at(g, vertex);
    find_ridges(cells_of(g), vertex, &f->around);
    make_fan(f, g);
    return f;
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

/* Of an edge between two places and two planes; normals in G of the polytope or surface. */
static bool is_near(const fnd_ground *g, const fnd_surface_visibility *v, const fender_vec3 ends[2], fender_vec3 from,
                    fender_vec3 to)
{
    const fender_vec3 a = ends[0];
    const double sharp = 1 / sqrt(0.5 * (1 + fender_vec3_dot(from, to))); /* where the planes of the faces meet */
    if (steps_of(from, to) == 1 || is_far(v, a, ends[1], sharp * g->rounding)) return false;
    const fender_vec3 n = rotated(g, from), m = rotated(g, to), along = fender_vec3_sub(ends[1], a);
    const fender_vec3 out = fender_vec3_cross(along, n), other = fender_vec3_cross(m, along);
    return reaches(g->polytope, out, fender_vec3_dot(out, a)) &&
           reaches(g->polytope, other, fender_vec3_dot(other, a)) && !is_out(g, ends, 2, 1.25 * sharp * g->rounding);
}

static bool edge_is_near(const fnd_ground *g, const fnd_surface_visibility *v, const fnd_polytope_edge *e)
{
    if (e->face[0] < 0 || e->face[1] < 0) return false;
    const fender_vec3 ends[2] = {vertex_at(g, e->vertex[0]), vertex_at(g, e->vertex[1])};
    return is_near(g, v, ends, cells_of(g)->face_normals[e->face[0]], cells_of(g)->face_normals[e->face[1]]);
}

static bool has_face(const fnd_polytope_edge *e, int face) { return e->face[0] == face || e->face[1] == face; }

/* How far from a vertex, over their distance from it, the planes of its faces may meet; at least what facets leave. */
static double mitre(const ridges *around)
{
    fender_vec3 sum = {0, 0, 0};
    double least = 1 / 1.25;
    for (int i = 0; i < around->count; i++)
        sum = fender_vec3_add(sum, fender_vec3_add(around->items[i].from, around->items[i].to));
    sum = unit(sum);
    for (int i = 0; i < around->count; i++) {
        const double from = fender_vec3_dot(sum, around->items[i].from), to = fender_vec3_dot(sum, around->items[i].to);
        if (!(from >= least)) least = from;
        if (!(to >= least)) least = to;
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
    ridges around;
    return !find_ridges(p, vertex, &around) || !is_out(g, &corner, 1, mitre(&around) * g->rounding);
}

/* None are found where there are too many: all edges are sharp then. */
static void find(fnd_fillets *f, const fnd_ground *g)
{
    const fnd_polytope *p = cells_of(g);
    assert(g->rounding > 0);
    int edges = 0, vertices = 0;
    for (int i = 0; i < p->edge_count && edges <= MOST_FOUND; i++) {
        if (!edge_is_near(g, f->visibility, &p->edges[i])) continue;
        if (edges < MOST_FOUND) f->edges[edges] = i;
        edges++;
    }
    for (int i = 0; i < p->vertex_count && vertices <= MOST_FOUND; i++) {
        if (!vertex_is_near(g, f->visibility, i)) continue;
        if (vertices < MOST_FOUND) f->vertices[vertices] = i;
        vertices++;
    }
    const bool all = edges <= MOST_FOUND && vertices <= MOST_FOUND;
    f->edge_count = all ? edges : 0;
    f->vertex_count = all ? vertices : 0;
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

/* Numbers of facets as far as features hold them. */
enum { NAMES = (1 << 26) - 1 };

/* What a cell reaches beside its edge or vertex, over its height above these, which is the rounding. */
#define SPREAD 0.5

/* False: nothing of the solid is below it. `spanned`: corners that it lies between, whose borders come first. */
static bool begin_cell(cell *c, fnd_ground *g, const fnd_surface_visibility *v, fender_vec3 normal, fender_vec3 point,
                       int64_t number, int spanned)
{
    const int32_t name = (int32_t)(number & NAMES);
    c->at = (fnd_visible_facet){.triangle = name, .plane = name, .spread = SPREAD, .normal = normal};
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

static void add_vertex(fnd_ground *g, const fnd_surface_visibility *v, const fan *f, int64_t first)
{
    for (int k = f->inner; k < f->count; k++) {
        cell c;
        if (!begin_cell(&c, g, v, f->normals[k], f->corner, first + f->vertex * MOST_NORMALS + k, 1)) continue;
        for (int i = 0; i < f->count; i++)
            if (i != k && fender_vec3_dot(f->normals[i], f->normals[k]) > NEIGHBOURS)
                add_border(&c.look, c.corners, f->normals[k], f->normals[i], f->corner);
        end_cell(&c, g);
    }
}

void fnd_fillets_collect(fnd_ground *g, fnd_surface_scan *scan)
{
    fnd_fillets fillets;
    fillets.visibility = scan->visibility;
    fillets.edge_count = fillets.vertex_count = fillets.fan_count = 0;
    fillets.asked = 0;
    if (cells_of(g)) find(&fillets, g);
    g->fillets = &fillets;
    fnd_ground_look_at_all(g, scan);
    for (int i = 0; i < fillets.edge_count; i++) add_edge(&fillets, g, scan->visibility, fillets.edges[i]);
    const int64_t first = g->view->surface->triangle_count + (cells_of(g) ? cells_of(g)->edge_count * MOST_STEPS : 0);
    for (int i = 0; i < fillets.vertex_count; i++)
        add_vertex(g, scan->visibility, fan_of(&fillets, g, fillets.vertices[i]), first);
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

/* ---- Meshes and grids ---- */

typedef enum bend { BEND_NONE, BEND_OUT, BEND_IN } bend;

/* How a surface is bent at the edge from corner k of a triangle, and which edge it is if that is outwards. */
static bend find_ridge(const fnd_surface *s, int32_t triangle, int k, ridge *found)
{
    const int32_t other = s->neighbours[triangle][k];
    if (other < 0) return BEND_IN; /* a border */
    if (s->planes[other] == s->planes[triangle]) return BEND_NONE;
    *found = (ridge){.faces = {s->planes[triangle], s->planes[other]},
                     .from = fnd_triangle_normal(s, triangle),
                     .to = fnd_triangle_normal(s, other)};
    if (fender_vec3_dot(found->from, found->to) > SAME) return BEND_NONE;
    const fender_vec3 edge = fender_vec3_sub(fnd_surface_corner(s, triangle, k + 1),
                                             fnd_surface_corner(s, triangle, k));
    if (!(fender_vec3_dot(fender_vec3_cross(found->from, found->to), edge) > 0)) return BEND_IN;
    int32_t least = triangle;
    int side = k;
    if (other < triangle) {
        least = other;
        for (side = 0; side < 2 && s->neighbours[other][side] != triangle;) side++;
    }
    found->number = 3 * least + side;
    return BEND_OUT;
}

/* Are there facets at it? */
static bool has_facets(const ridge *e) { return steps_of(e->from, e->to) > 1; }

static fender_vec3 place_of(const fnd_ground *g, int32_t vertex)
{
    const fender_vec3 x = fender_vec3_sub(g->view->surface->vertices[vertex], g->view->p_AB);
    return fender_mat3_transpose_times(&g->view->R_AB, x);
}

static void find_mesh_ridges(const fnd_ground *g, int32_t vertex, ridges *found)
{
    const fnd_surface *s = g->view->surface;
    const fender_vec3 corner = place_of(g, vertex);
    found->count = 0;
    found->convex = !s->border[vertex];
    for (int32_t i = s->vertex_start[vertex]; i < s->vertex_start[vertex + 1]; i++) {
        const int32_t triangle = s->vertex_triangles[i];
        int k = 0;
        while (k < 2 && s->triangles[triangle][k] != vertex) k++;
        if (found->count == MOST_RIDGES) return;
        ridge *one = &found->items[found->count];
        const bend bent = find_ridge(s, triangle, k, one);
        if (bent == BEND_IN) found->convex = false;
        if (bent != BEND_OUT) continue;
        one->along = unit(fender_vec3_sub(place_of(g, s->triangles[triangle][(k + 1) % 3]), corner));
        found->count++;
    }
}

/* Facets are around it where the solid is near; not where a ridge goes on, or the surface is bent inwards. */
static bool is_convex(const ridges *around) { return around->convex && around->count > 2; }

static bool is_round(const fnd_ground *g, const fnd_surface_visibility *v, fender_vec3 corner, const ridges *around)
{
    if (!is_convex(around)) return false;
    const double reach = mitre(around) * g->rounding;
    if (is_far(v, corner, corner, reach)) return false;
    for (int i = 0; i < around->count; i++) {
        const fender_vec3 out = fender_vec3_negate(around->items[i].along);
        if (!reaches(g->polytope, out, fender_vec3_dot(out, corner))) return false;
    }
    return !is_out(g, &corner, 1, reach);
}

/* Of a vertex of a mesh: its ridges, and the facets around it where there are some. */
static const fan *mesh_fan_of(fnd_fillets *fillets, const fnd_ground *g, int32_t vertex)
{
    bool is_new;
    fan *f = find_fan(fillets, vertex, &is_new);
    if (!is_new) return f;
    f->corner = place_of(g, vertex);
    find_mesh_ridges(g, vertex, &f->around);
    f->round = is_round(g, fillets->visibility, f->corner, &f->around);
    f->count = f->inner = 0;
    if (f->round) make_fan(f, g);
    return f;
}

/* One end of a ridge: towards the facets around a convex vertex, straight where the solid is not near these. At other
 * vertices halfway to other ridges, straight if there are none. */
static void bound_ridge(const ridge *e, const fan *f, cell *c)
{
    fender_vec3 along = {0, 0, 0};
    const fender_vec3 none = {0, 0, 0};
    for (int i = 0; i < f->count; i++) {
        if (f->edges[i] == e->number || f->faces[i] == e->faces[0] || f->faces[i] == e->faces[1]) continue;
        if (fender_vec3_dot(f->normals[i], c->at.normal) > NEIGHBOURS)
            add_border(&c->look, c->corners, c->at.normal, f->normals[i], f->corner);
    }
    if (f->round) return;
    int others = 0;
    for (int i = 0; i < f->around.count; i++)
        if (f->around.items[i].number == e->number) along = f->around.items[i].along;
    for (int i = 0; i < f->around.count && !is_convex(&f->around); i++) {
        const ridge *other = &f->around.items[i];
        if (other->number == e->number || !has_facets(other)) continue;
        add_border(&c->look, c->corners, along, other->along, f->corner);
        others++;
    }
    if (others == 0) add_border(&c->look, c->corners, along, none, f->corner);
}

/* The facets around a vertex come with the first of its ridges. */
static void add_end(fnd_ground *g, const ridge *e, const fan *f)
{
    int first = e->number;
    for (int i = 0; i < f->around.count; i++) {
        const ridge *other = &f->around.items[i];
        if (has_facets(other) && other->number < first) first = other->number;
    }
    if (f->round && first == e->number)
        add_vertex(g, g->fillets->visibility, f, 49 * (int64_t)g->view->surface->triangle_count);
}

static void add_ridge(fnd_fillets *fillets, fnd_ground *g, int32_t triangle, int k)
{
    const fnd_surface *s = g->view->surface;
    ridge e;
    if (s->neighbours[triangle][k] < triangle || find_ridge(s, triangle, k, &e) != BEND_OUT || !has_facets(&e)) return;
    const int32_t vertices[2] = {s->triangles[triangle][k], s->triangles[triangle][(k + 1) % 3]};
    const fender_vec3 ends[2] = {place_of(g, vertices[0]), place_of(g, vertices[1])};
    const fan *fans[2];
    for (int end = 0; end < 2; end++) {
        fans[end] = mesh_fan_of(fillets, g, vertices[end]);
        add_end(g, &e, fans[end]);
    }
    if (!is_near(g, fillets->visibility, ends, e.from, e.to)) return;
    fender_vec3 normals[MOST_STEPS + 1];
    const int steps = normals_between(e.from, e.to, normals);
    const int64_t first = s->triangle_count + (int64_t)e.number * MOST_STEPS;
    for (int i = 0; i <= steps; i++) normals[i] = rotated(g, normals[i]);
    for (int i = 1; i < steps; i++) {
        cell c;
        if (!begin_cell(&c, g, fillets->visibility, normals[i], ends[0], first + i, 2)) continue;
        c.look.sides = 0;
        add_border(&c.look, c.corners, normals[i], normals[i - 1], ends[0]);
        add_border(&c.look, c.corners, normals[i], normals[i + 1], ends[1]);
        for (int end = 0; end < 2; end++) bound_ridge(&e, fans[end], &c);
        end_cell(&c, g);
    }
}

void fnd_fillets_add_facet(fnd_ground *g, int32_t triangle)
{
    for (int k = 0; k < 3; k++) add_ridge(g->fillets, g, triangle, k);
}

/* Towards facets around the vertex, or, of a ridge of the same plane, the first one. */
static void bound_corner(const fnd_ground *g, int32_t triangle, const fan *f, fnd_surface_sample *look,
                         fender_vec3 *corners)
{
    const fender_vec3 normal = look->at->normal;
    const int32_t plane = g->view->surface->planes[triangle];
    for (int i = 0; i < f->count; i++)
        if (f->faces[i] < 0 && fender_vec3_dot(f->normals[i], normal) > NEIGHBOURS)
            add_border(look, corners, normal, f->normals[i], f->corner);
    for (int i = 0; i < f->around.count && !f->round; i++) {
        const ridge *e = &f->around.items[i];
        if ((e->faces[0] != plane && e->faces[1] != plane) || !has_facets(e)) continue;
        fender_vec3 normals[MOST_STEPS + 1];
        const int steps = normals_between(e->from, e->to, normals);
        add_border(look, corners, normal, rotated(g, normals[e->faces[0] == plane ? 1 : steps - 1]), f->corner);
    }
}

void fnd_fillets_add_triangle(fnd_ground *g, fnd_surface_sample *look)
{
    const fnd_surface *s = g->view->surface;
    const int32_t triangle = look->at->triangle;
    fender_vec3 corners[FND_CUT_SIDES], inward[FND_CUT_SIDES];
    uint64_t within[FND_CUT_SIDES];
    bool is[3];
    for (int k = 0; k < 3; k++) {
        ridge e;
        is[k] = find_ridge(s, triangle, k, &e) == BEND_OUT && has_facets(&e);
    }
    fnd_surface_sample bounded = *look;
    for (int k = 0; k < bounded.sides; k++) {
        corners[k] = look->corners[k];
        inward[k] = look->inward[k];
        within[k] = look->within[k];
    }
    bounded.corners = corners;
    bounded.inward = inward;
    bounded.within = within;
    for (int k = 0; k < 3; k++)
        if (is[k] || is[(k + 2) % 3])
            bound_corner(g, triangle, mesh_fan_of(g->fillets, g, s->triangles[triangle][k]), &bounded, corners);
    if (!fnd_surface_sample_within(g->polytope, &bounded)) return;
    fnd_ground_add_cell(g, &bounded);
}
