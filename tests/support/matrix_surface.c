/* The matrix under test: grids and meshes against everything, by brute force over their triangles.
 *
 * Definitions (docs/models/surfaces.md). Point: least distance to the triangles, minus in the solid; a sphere: its
 * centre's less the radius. A convex solid whose core meets no triangle: least distance of the core to the triangles
 * less the rounding; one that does: the largest h such that it, moved by h along the normal of a triangle that it
 * meets, still meets it. A plane: its depth below the lowest vertex. */
#include "matrix_surface.h"

#include "check.h"
#include "oracle_surface.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct surface_item {
    matrix_item item; /* its shape: the hull of the vertices, for poses */
    oracle_surface surface;
} surface_item;
enum { SURFACES = 12 };

/* ---- surfaces ---- */
static void make_grid(surface_item *s, random_stream *r)
{
    fender_env env = fender_env_default();
    oracle_surface *o = &s->surface;
    double size = random_magnitude(r, 0.3, 5), rough = random_below(r, 4) ? random_magnitude(r, 0.01, 0.6) : 0;
    double heights[ORACLE_VERTICES];
    *o = (oracle_surface){.grid = true, .count_x = 2 + random_below(r, 6), .count_y = 2 + random_below(r, 6)};
    fender_vec2 spacing = {size / o->count_x, size / o->count_y};
    fender_vec2 lower = {-size / 2 + random_between(r, -0.2, 0.2) * size, -size / 2};
    random_stream lines = random_of_case(33, (uint64_t)(1e9 * size));
    bool uneven = random_below(&lines, 2) == 0; /* each line up to 0.4 of the spacing from where it would be */
    for (int i = 0; i < o->count_x; i++)
        o->x[i] = lower.x + (i + (uneven ? random_between(&lines, -0.4, 0.4) : 0)) * spacing.x;
    for (int j = 0; j < o->count_y; j++)
        o->y[j] = lower.y + (j + (uneven ? random_between(&lines, -0.4, 0.4) : 0)) * spacing.y;
    for (int j = 0; j < o->count_y; j++)
        for (int i = 0; i < o->count_x; i++) {
            int at = o->vertex_count++;
            heights[at] = rough * size * random_between(r, -0.3, 0.3);
            o->vertices[at] = fender_vec3_make(o->x[i], o->y[j], heights[at]);
            if (i + 1 == o->count_x || j + 1 == o->count_y) continue;
            int n = o->count_x;
            const int32_t two[2][3] = {{at, at + 1, at + n + 1}, {at, at + n + 1, at + n}};
            memcpy(o->triangles[o->triangle_count], two, sizeof two);
            o->triangle_count += 2;
        }
    fender_grid_def def = {o->count_x, o->count_y, lower, spacing, heights};
    s->item.geometry = uneven ? fender_geometry_uneven_grid(&env, &def, o->x, o->y, NULL)
                              : fender_geometry_grid(&env, &def, NULL);
}

/* A closed mesh: an octahedron whose faces are parted in four, with corners at random radii; some have flat sides. */
static void make_mesh(surface_item *s, random_stream *r)
{
    static const fender_vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    fender_env env = fender_env_default();
    oracle_surface *o = &s->surface;
    *o = (oracle_surface){.vertex_count = 6};
    int middle[6][6] = {{0}};
    for (int i = 0; i < 6; i++) o->vertices[i] = axes[i];
    for (int f = 0; f < 8; f++) {
        int m[3];
        for (int k = 0; k < 3; k++) {
            int i = faces[f][k], j = faces[f][(k + 1) % 3];
            if (!middle[i][j]) {
                middle[i][j] = middle[j][i] = o->vertex_count;
                o->vertices[o->vertex_count++] = fender_vec3_scale(0.5, fender_vec3_add(axes[i], axes[j]));
            }
            m[k] = middle[i][j];
        }
        const int32_t four[4][3] = {
            {faces[f][0], m[0], m[2]}, {m[0], faces[f][1], m[1]}, {m[2], m[1], faces[f][2]}, {m[0], m[1], m[2]}};
        memcpy(o->triangles[o->triangle_count], four, sizeof four);
        o->triangle_count += 4;
    }
    double size = random_magnitude(r, 0.2, 4), rough = random_below(r, 3) ? random_magnitude(r, 0.02, 0.5) : 0;
    for (int i = 0; i < o->vertex_count; i++)
        o->vertices[i] = fender_vec3_scale(size * (1 + rough * random_between(r, -1, 1)), o->vertices[i]);
    fender_mesh_def def = {o->vertices, o->vertex_count, &o->triangles[0][0], o->triangle_count};
    s->item.geometry = fender_geometry_mesh(&env, &def, NULL);
}

static void make_surface(surface_item *s, bool grid, int number)
{
    random_stream r = random_of_case(grid ? 7801 : 7802, (uint64_t)number);
    if (grid) make_grid(s, &r);
    else make_mesh(s, &r);
    assert_non_null(s->item.geometry);
    oracle_surface_finish(&s->surface);
    s->item.shape = (oracle_shape){
        .kind = ORACLE_POINTS, .points = s->surface.vertices, .count = s->surface.vertex_count};
    s->item.shape.size = s->surface.size;
}

/* ---- poses: a is the surface ---- */
/* Brings b to a random triangle, its support point facing a point of it at `gap` along the normal. */
static void bring_to_triangle(matrix_case *c, const surface_item *s, double gap, random_stream *r)
{
    int t = random_below(r, s->surface.triangle_count);
    double u = random_between(r, 0, 1), v = random_between(r, 0, 1 - u);
    if (random_below(r, 4) == 0) u = 0, v = random_below(r, 2); /* an edge's end */
    const fender_vec3 *k = s->surface.corners[t];
    fender_vec3 x = fender_vec3_add(fender_vec3_add(fender_vec3_scale(1 - u - v, k[0]), fender_vec3_scale(u, k[1])),
                                    fender_vec3_scale(v, k[2]));
    real33 Ra = oracle_rotation(c->X_WA.q), Rb = oracle_rotation(c->X_WB.q);
    real3 n = oracle_outward(&Ra, oracle_triangle_normal(&s->surface, t)), at = oracle_outward(&Ra, real3_of(x));
    if (c->b->shape.kind == ORACLE_HALF_SPACE) c->X_WB.p = c->X_WA.p;
    real3 low = oracle_outward(&Rb, oracle_support(&c->b->shape, oracle_inward(&Rb, real3_make(-n.x, -n.y, -n.z))));
    at = real3_add(real3_add(at, -1, low), (real)gap + c->b->shape.rounding, n);
    c->X_WB.p = fender_vec3_add(c->X_WA.p, fender_vec3_make((double)at.x, (double)at.y, (double)at.z));
}

static matrix_case surface_case(const surface_item *s, const matrix_pool *others, matrix_class kind, random_stream *r)
{
    matrix_flavour flavour = kind == MATRIX_NESTED || random_below(r, 2) ? MATRIX_SMALL
                             : kind == MATRIX_DEGENERATES                ? MATRIX_DEGENERATE
                                                                         : MATRIX_NORMAL;
    matrix_case c = {.a = &s->item, .b = &others->items[flavour][random_below(r, MATRIX_POOL)], .known = NAN};
    c.grazes = kind == MATRIX_TOUCHING;
    c.X_WA.q = random_rotation(r), c.X_WB.q = random_rotation(r);
    if (kind == MATRIX_FAR) c.X_WA.p = fender_vec3_scale(1e7, random_direction(r));
    double size = larger(c.a->shape.size, c.b->shape.size), small = random_magnitude(r, 1e-9, 1e-2);
    switch (kind) {
    case MATRIX_TOUCHING:
        bring_to_triangle(&c, s, random_below(r, 2) ? 0 : size * random_magnitude(r, 1e-16, 1e-9), r);
        break;
    case MATRIX_SHALLOW: bring_to_triangle(&c, s, -size * small, r); break;
    case MATRIX_DEEP: bring_to_triangle(&c, s, -size * random_magnitude(r, 1e-2, 1), r); break;
    case MATRIX_PARALLEL: /* axes along axes, tilted a little */
        c.X_WB.q = c.X_WA.q;
        c.X_WB.q.x += random_below(r, 2) ? 0 : random_magnitude(r, 1e-16, 1e-3);
        c.X_WB.q = fender_quaternion_normalized(c.X_WB.q);
        bring_to_triangle(&c, s, size * (random_below(r, 2) ? 0 : random_between(r, -0.3, 0.3)), r);
        break;
    case MATRIX_DEGENERATES:
        if (random_below(r, 2)) c.X_WB.p = c.X_WA.p;
        else bring_to_triangle(&c, s, 0, r);
        break;
    case MATRIX_NESTED: c.X_WB.p = fender_vec3_add(c.X_WA.p, random_in_ball(r, s->surface.size)); break;
    default: { /* apart, mostly */
        fender_vec3 away = fender_vec3_scale(size * random_magnitude(r, 0.01, 30), random_direction(r));
        c.X_WB.p = fender_vec3_add(c.X_WA.p, fender_vec3_add(random_in_ball(r, size), away));
    }
    }
    return c;
}

/* ---- checks ---- */
static const double apart_limit = 1e-12, overlap_limit = 1e-9;

typedef struct judged {
    const matrix_case *c;
    const surface_item *s;
    const char *label;
    int number;
    matrix_tally *t;
    fender_separation sep;
    oracle_pair pair;
    double scale;
} judged;

static void require(judged *j, const char *what, double *of, real error, double limit)
{
    double part = error == 0 ? 0 : (double)(fabsl(error) / j->scale);
    if (!(part <= *of)) *of = part;
    matrix_require(j->c, j->label, j->number, j->t, what, part, limit, &j->sep);
}

/* The triangle as a shape of the pair. */
static oracle_pair with_triangle(const judged *j, int triangle, oracle_shape *shape)
{
    *shape = (oracle_shape){.kind = ORACLE_POINTS, .points = j->s->surface.corners[triangle], .count = 3};
    oracle_pair pair = j->pair;
    pair.a = shape;
    return pair;
}

/* Nearest that a triangle can be: from its corners and the size of b. */
static real room_of(const judged *j, int triangle)
{
    real3 center = {0, 0, 0};
    for (int k = 0; k < 3; k++) center = real3_add(center, 1 / 3.0L, real3_of(j->s->surface.corners[triangle][k]));
    real radius = 0;
    for (int k = 0; k < 3; k++) {
        real d = real3_length(real3_add(real3_of(j->s->surface.corners[triangle][k]), -1, center));
        if (d > radius) radius = d;
    }
    real3 apart = real3_add(j->pair.offset, -1, oracle_outward(&j->pair.Ra, center));
    return real3_length(apart) - radius - j->c->b->shape.size;
}

static void judge_ball(judged *j)
{
    real3 center = oracle_inward(&j->pair.Ra, j->pair.offset), n = real3_of(j->sep.normal),
          b = real3_of(j->sep.point_b);
    real d = oracle_surface_distance(&j->s->surface, center);
    bool apart = j->sep.distance >= 0;
    /* On the surface, and below the border of a grid, rounding decides on the side. */
    real said = j->sep.distance + (real)j->c->b->shape.rounding;
    bool free = fabsl(d) < 1e-14L * j->scale || oracle_surface_border(&j->s->surface, center, 1e-12L * j->scale);
    if (free && fabsl(d + said) < fabsl(d - said)) d = -d;
    require(j, "distance of the centre by brute force", apart ? &j->t->distance : &j->t->depth,
            d - j->c->b->shape.rounding - j->sep.distance, apart_limit);
    real3 off = real3_add(real3_add(b, -1, j->pair.offset), j->c->b->shape.rounding, n);
    require(j, "point of the ball", &j->t->witness, real3_length(off), apart_limit);
    real on = oracle_surface_distance(&j->s->surface, oracle_inward(&j->pair.Ra, real3_of(j->sep.point_a)));
    require(j, "point off the surface", &j->t->witness, on, apart_limit);
}

static void judge_plane(judged *j)
{
    real least = INFINITY;
    real3 up = oracle_outward(&j->pair.Rb, real3_make(0, 0, 1));
    for (int i = 0; i < j->s->surface.vertex_count; i++) {
        real3 v = oracle_outward(&j->pair.Ra, real3_of(j->s->surface.vertices[i]));
        real d = real3_dot(up, real3_add(v, -1, j->pair.offset));
        if (d < least) least = d;
    }
    require(j, "lowest vertex", j->sep.distance < 0 ? &j->t->depth : &j->t->distance, least - j->sep.distance,
            apart_limit);
    real on = oracle_surface_distance(&j->s->surface, oracle_inward(&j->pair.Ra, real3_of(j->sep.point_a)));
    require(j, "point off the surface", &j->t->witness, on, 1e-11);
    require(j, "normal of the plane", &j->t->witness, real3_length(real3_add(up, 1, real3_of(j->sep.normal))), 1e-14);
}

/* Distance of the core, moved by h along n, from a triangle: 0 while they meet. */
static real moved_away(const oracle_pair *pair, real3 n, real h)
{
    oracle_pair moved = *pair;
    moved.offset = real3_add(pair->offset, h, n);
    oracle_distance_result r = oracle_distance(&moved);
    return r.bound > 0 ? r.bound : 0;
}

/* The solid meets the triangles `met`. What holds whatever the rule for ridges: it is at least as deep as is needed to
 * part it from each of them on either side, at most as deep as it reaches below one of their planes, and moved by the
 * depth along the normal it has left the triangle on which point_a lies. */
static void judge_overlap(judged *j, const int *met, int count)
{
    const oracle_surface *o = &j->s->surface;
    const oracle_shape *shape = &j->c->b->shape;
    real h = -(real)j->sep.distance, slack = (real)overlap_limit * j->scale, below = 0;
    real3 n = real3_of(j->sep.normal), a = oracle_inward(&j->pair.Ra, real3_of(j->sep.point_a));
    bool shallow = false, left = false;
    for (int i = 0; i < count; i++) {
        oracle_shape triangle;
        oracle_pair pair = with_triangle(j, met[i], &triangle);
        real reach = -oracle_width(&pair, oracle_outward(&j->pair.Ra, oracle_triangle_normal(o, met[i])));
        if (reach > below) below = reach;
        double enough = (double)(h - shape->rounding + 2 * slack);
        real apart = oracle_distance(&pair).distance;
        if (apart > 0) shallow = shallow || h < shape->rounding - apart - slack;
        else if (enough > (double)slack) {
            oracle_depth_result r = oracle_deepest(&pair, enough, (double)slack, 3000);
            shallow = shallow || (r.found > enough - (double)slack && r.proven <= (double)slack);
        }
        if (oracle_triangle_distance(o, met[i], a) < slack)
            left = left || moved_away(&pair, n, h + slack) >= shape->rounding;
    }
    double none = 0;
    require(j, "a triangle is not left by so small a shift", &none, shallow ? (real)j->scale : 0, overlap_limit);
    require(j, "deeper than below any plane", &none, h > below + slack ? h - below : 0, overlap_limit);
    require(j, "the triangle of point_a is not left", &none, left ? 0 : (real)j->scale, overlap_limit);
}

static void judge_convex(judged *j)
{
    const oracle_shape *shape = &j->c->b->shape;
    const oracle_surface *o = &j->s->surface;
    real least = INFINITY, tolerance = 1e-11L * j->scale;
    int met[ORACLE_TRIANGLES], count = 0;
    for (int t = 0; t < o->triangle_count; t++) {
        if (room_of(j, t) > least) continue;
        oracle_shape triangle;
        oracle_pair pair = with_triangle(j, t, &triangle);
        oracle_distance_result r = oracle_distance(&pair);
        if (r.distance < least) least = r.distance;
        if (r.distance <= shape->rounding) met[count++] = t;
    }
    real3 n = real3_of(j->sep.normal), a = real3_of(j->sep.point_a), b = real3_of(j->sep.point_b);
    real on = oracle_surface_distance(o, oracle_inward(&j->pair.Ra, a));
    require(j, "point off the surface", &j->t->witness, on, 1e-10);
    real apart = least - shape->rounding;
    if (fabsl(apart) <= tolerance) return; /* touching to rounding: judged by the points alone */
    if (apart < 0) {
        require(j, "they meet, but are said to be apart", &j->t->distance, j->sep.distance >= 0 ? 1 : 0, 0);
        j->t->proofs++;
        judge_overlap(j, met, count);
        return;
    }
    /* Behind all triangles: its centre, or the place that was found. */
    if (j->sep.distance < 0 && oracle_surface_inside(o, oracle_inward(&j->pair.Ra, b))) return;
    real3 any = oracle_outward(&j->pair.Rb, oracle_support(shape, real3_make(0, 0, 1))); /* as good as all others */
    bool inside = oracle_surface_inside(o, oracle_inward(&j->pair.Ra, real3_add(j->pair.offset, 1, any)));
    if (o->grid && inside) return; /* a part of it may lie beside the grid */
    if (inside) {
        require(j, "inside the mesh, but said to be apart", &j->t->depth, j->sep.distance >= 0 ? 1 : 0, 0);
        return;
    }
    real3 core = real3_add(real3_add(b, -1, j->pair.offset), shape->rounding, n);
    real off = oracle_outside(shape, oracle_inward(&j->pair.Rb, core));
    require(j, "point off the convex solid", &j->t->witness, off > 0 ? off : 0, 1e-10);
    require(j, "distance by brute force", &j->t->distance, apart - j->sep.distance, apart_limit);
}

/* One contact a point, each as by brute force; the distance query finds the least of them. */
static void judge_cloud(judged *j)
{
    enum { MOST = 24 };
    fender_separation list[MOST];
    const matrix_case *c = j->c;
    int count = 0, nearest = 0;
    fender_status status = fender_geometry_contacts(c->a->geometry, &c->X_WA, c->b->geometry, &c->X_WB,
                                                    FENDER_CONTACT_POINTS_SINGLE, 1e6, list, MOST, &count);
    bool whole = status == FENDER_STATUS_OK && count == c->b->shape.count;
    matrix_require(c, j->label, j->number, j->t, "a contact for every point; missing", whole ? 0 : 1, 0, &j->sep);
    for (int i = 0; whole && i < count; i++) {
        judged one = *j;
        matrix_item point = {.shape = {.kind = ORACLE_POINT}};
        matrix_case at = *c;
        point.shape.size = c->b->shape.size, at.b = &point, one.c = &at, one.sep = list[i];
        one.pair.offset = real3_add(j->pair.offset, 1, oracle_outward(&j->pair.Rb, real3_of(c->b->shape.points[i])));
        judge_ball(&one);
        matrix_require(c, j->label, j->number, j->t, "index of a point", list[i].index == i ? 0 : 1, 0, &list[i]);
        if (list[i].distance < list[nearest].distance) nearest = i;
    }
    if (whole)
        matrix_require(c, j->label, j->number, j->t, "the distance is that of the nearest point",
                       fabs(list[nearest].distance - j->sep.distance), 0, &j->sep);
}

static bool same_vector(fender_vec3 x, fender_vec3 y) { return x.x == y.x && x.y == y.y && x.z == y.z; }

static void check_surface(const matrix_case *c, const surface_item *s, matrix_type other, const char *label, int number,
                          matrix_tally *t)
{
    judged j = {.c = c, .s = s, .label = label, .number = number, .t = t};
    fender_separation m;
    t->poses++;
    int status = (int)fender_geometry_separation(c->a->geometry, &c->X_WA, c->b->geometry, &c->X_WB, &j.sep);
    status |= (int)fender_geometry_separation(c->b->geometry, &c->X_WB, c->a->geometry, &c->X_WA, &m);
    matrix_require(c, label, number, t, "status", status, 0, &j.sep);
    if (status) return;
    *(j.sep.distance < 0 ? &t->overlapping : &t->apart) += 1;
    oracle_pair_place(&j.pair, &c->a->shape, &c->X_WA, &c->b->shape, &c->X_WB);
    j.scale = larger(larger(c->a->shape.size, c->b->shape.size), fabs(j.sep.distance));
    if (other == MATRIX_PLANE) j.scale = larger(j.scale, (double)real3_length(j.pair.offset));
    bool mirror = m.distance == j.sep.distance && same_vector(m.normal, fender_vec3_negate(j.sep.normal)) &&
                  m.feature == j.sep.feature;
    matrix_require(c, label, number, t, "mirrored answer differs", mirror ? 0 : 1, 0, &j.sep);
    real3 n = real3_of(j.sep.normal), gap = real3_add(real3_of(j.sep.point_b), -1, real3_of(j.sep.point_a));
    require(&j, "point_b - point_a - distance normal", &t->gap, real3_length(real3_add(gap, -(real)j.sep.distance, n)),
            1e-14);
    double unit = (double)fabsl(real3_length(n) - 1);
    t->unit = larger(t->unit, unit);
    matrix_require(c, label, number, t, "length of the normal", unit, 2e-15, &j.sep);
    if (other == MATRIX_PLANE) judge_plane(&j);
    else if (other == MATRIX_CLOUD) judge_cloud(&j);
    else if (c->b->shape.kind == ORACLE_POINT) judge_ball(&j);
    else judge_convex(&j);
}

/* ---- mesh against mesh or grid ---- */

/* Least distance of the triangles, by all pairs of them; 0 when any meet. */
static real between_triangles(const judged *j, const surface_item *other)
{
    real least = INFINITY;
    for (int t = 0; t < j->s->surface.triangle_count && least > 0; t++) {
        oracle_shape triangle;
        oracle_pair pair = with_triangle(j, t, &triangle);
        if (room_of(j, t) > least) continue;
        for (int u = 0; u < other->surface.triangle_count && least > 0; u++) {
            oracle_shape turned = {.kind = ORACLE_POINTS, .points = other->surface.corners[u], .count = 3};
            pair.b = &turned;
            oracle_distance_result r = oracle_distance(&pair);
            real d = r.distance > r.bound ? r.distance : r.bound; /* the search ends early between flat solids */
            if (d < least) least = d;
        }
    }
    return least;
}

/* Apart, the distance is that of the triangles, its points lie on both. */
static void check_mesh(const matrix_case *c, const surface_item *s, const surface_item *other, const char *label,
                       int number, matrix_tally *t)
{
    judged j = {.c = c, .s = s, .label = label, .number = number, .t = t};
    t->poses++;
    fender_status status = fender_geometry_separation(c->a->geometry, &c->X_WA, c->b->geometry, &c->X_WB, &j.sep);
    matrix_require(c, label, number, t, "status", (int)status, 0, &j.sep);
    oracle_pair_place(&j.pair, &c->a->shape, &c->X_WA, &c->b->shape, &c->X_WB);
    j.scale = larger(larger(c->a->shape.size, c->b->shape.size), fabs(j.sep.distance));
    real3 n = real3_of(j.sep.normal), a = real3_of(j.sep.point_a), b = real3_of(j.sep.point_b);
    real3 gap = real3_add(b, -1, a);
    require(&j, "point_b - point_a - distance normal", &t->gap, real3_length(real3_add(gap, -(real)j.sep.distance, n)),
            1e-14);
    real least = between_triangles(&j, other);
    *(least > 0 ? &t->apart : &t->overlapping) += 1;
    if (!(least > 0)) {
        require(&j, "they meet, but are said to be apart", &t->distance, j.sep.distance > 0 ? 1 : 0, 0);
        return;
    }
    bool within = s->surface.grid && j.sep.distance <= 0; /* in the ground, beyond the border of the triangles */
    for (int i = 0; i < other->surface.vertex_count && !within; i++) {
        real3 p = oracle_outward(&j.pair.Rb, real3_of(other->surface.vertices[i]));
        within = oracle_surface_inside(&s->surface, oracle_inward(&j.pair.Ra, real3_add(p, 1, j.pair.offset)));
    }
    for (int i = 0; i < s->surface.vertex_count && !within; i++) {
        real3 p = oracle_outward(&j.pair.Ra, real3_of(s->surface.vertices[i]));
        within = oracle_surface_inside(&other->surface, oracle_inward(&j.pair.Rb, real3_add(p, -1, j.pair.offset)));
    }
    if (within) {
        require(&j, "one is in the other, but said to be apart", &t->distance,
                !s->surface.grid && j.sep.distance > 0 ? 1 : 0, 0);
        return;
    }
    require(&j, "distance by brute force", &t->distance, least - j.sep.distance, apart_limit);
    require(&j, "point off the surface", &t->witness,
            oracle_surface_distance(&s->surface, oracle_inward(&j.pair.Ra, a)), apart_limit);
    real3 on_b = oracle_inward(&j.pair.Rb, real3_add(b, -1, j.pair.offset));
    require(&j, "point off the mesh", &t->witness, oracle_surface_distance(&other->surface, on_b), apart_limit);
}

static int run_meshes(const surface_item *surfaces, const surface_item *meshes, const char *name, int poses)
{
    matrix_tally tally = {0};
    char label[64];
    snprintf(label, sizeof label, "%s, mesh", name);
    clock_t start = clock();
    for (int i = 0; i < poses; i++) {
        random_stream r = random_of_case(9900, (uint64_t)i);
        const surface_item *s = &surfaces[random_below(&r, SURFACES)], *other = &meshes[random_below(&r, SURFACES)];
        double size = s->surface.size + other->surface.size;
        matrix_case c = {.a = &s->item, .b = &other->item};
        c.X_WA.q = random_rotation(&r), c.X_WB.q = random_rotation(&r);
        c.X_WB.p = fender_vec3_scale(size * random_between(&r, 0.2, 2), random_direction(&r));
        int before = tally.failures;
        check_mesh(&c, s, other, label, i, &tally);
        tally.bad += tally.failures > before;
    }
    tally.seconds_oracle = tally.seconds_tested = (double)(clock() - start) / CLOCKS_PER_SEC / 2;
    matrix_print_line(name, "mesh", "any", &tally);
    return tally.bad;
}

int matrix_run_surfaces(bool grids, bool meshes, int poses)
{
    static surface_item surfaces[2][SURFACES];
    static matrix_pool pool;
    const char *only_a = getenv("MATRIX_A"), *only_b = getenv("MATRIX_B"), *count = getenv("MATRIX_POSES"),
               *only = getenv("MATRIX_CASE");
    if (count) poses = atoi(count);
    int failed = 0, cells = 0, missing = 0;
    for (int i = 0; i < 2 * SURFACES; i++)
        make_surface(&surfaces[i / SURFACES][i % SURFACES], i >= SURFACES, i % SURFACES);
    for (int grid = 0; grid < 2; grid++) {
        const char *name = grid ? "grid" : "mesh";
        if ((only_a && strcmp(only_a, name) != 0) || !(grid ? grids : meshes)) continue;
        if (!only_b || strcmp(only_b, "mesh") == 0) {
            cells++;
            failed += run_meshes(surfaces[grid], surfaces[0], name, poses) > 0;
        }
        for (int b = 0; b < MATRIX_TYPE_COUNT; b++) {
            if (only_b && strcmp(only_b, matrix_type_names[b]) != 0) continue;
            matrix_pool_create(&pool, (matrix_type)b);
            cells++;
            fender_separation tried;
            fender_pose far = {{1e3, 0, 0}, {1, 0, 0, 0}}, origin = fender_pose_identity();
            bool there = fender_geometry_separation(surfaces[grid][0].item.geometry, &origin, pool.items[0][0].geometry,
                                                    &far, &tried) != FENDER_STATUS_NO_PAIR_FUNCTION;
            if (!there) print_message("%-9s %-9s no function\n", name, matrix_type_names[b]), missing++;
            int bad = 0;
            for (int k = 0; there && k < MATRIX_CLASS_COUNT; k++) {
                matrix_tally tally = {0};
                char label[64];
                snprintf(label, sizeof label, "%s, %s, %s", name, matrix_type_names[b], matrix_class_names[k]);
                clock_t start = clock();
                int all = !count && b == MATRIX_USER ? poses / 10 : poses;
                for (int i = only ? atoi(only) : 0; i < (only ? atoi(only) + 1 : all); i++) {
                    random_stream r = random_of_case(9000 + (uint64_t)(grid * 100 + b) * 16 + (uint64_t)k, (uint64_t)i);
                    const surface_item *s = &surfaces[grid][random_below(&r, SURFACES)];
                    matrix_case c = surface_case(s, &pool, (matrix_class)k, &r);
                    int before = tally.failures;
                    check_surface(&c, s, (matrix_type)b, label, i, &tally);
                    if (b != MATRIX_CLOUD) matrix_check_patch(&c, label, i, &tally);
                    tally.bad += tally.failures > before;
                }
                tally.seconds_oracle = tally.seconds_tested = (double)(clock() - start) / CLOCKS_PER_SEC / 2;
                matrix_print_line(name, matrix_type_names[b], matrix_class_names[k], &tally);
                bool flat = b == MATRIX_BOX || b == MATRIX_HULL || b == MATRIX_CAPSULE; /* meets edges of triangles */
                int allowed = flat ? 1 + all / (b == MATRIX_CAPSULE ? 35 : 50)
                                   : 2 + all / 25;           /* curved solids on edges */
                if (b == MATRIX_SPHERE) allowed = all / 500; /* a weight of its list above 1 */
                if (b == MATRIX_POINT || b == MATRIX_PLANE || b == MATRIX_CLOUD) allowed = 0;
                bad += tally.bad > allowed;
            }
            failed += bad > 0;
            matrix_pool_destroy(&pool);
        }
    }
    for (int i = 0; i < 2 * SURFACES; i++) fender_geometry_release(surfaces[i / SURFACES][i % SURFACES].item.geometry);
    print_message("%d cells of surfaces: %d failed, %d have no function\n", cells, failed, missing);
    return failed;
}
