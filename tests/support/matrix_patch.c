/* The matrix under test: contacts with patches. What holds for every list, and polytopes on a plane against the
 * integral of a linear foundation over their faces. */
#include "check.h"
#include "matrix.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 400, CORNERS = 24, FACES = 128 };

/* ---- the faces of a hull, found by trying all planes through three points ---- */
typedef struct face {
    int corners[CORNERS], count;
    real3 normal;
    real area;
} face;
typedef struct polyhedron {
    real3 points[CORNERS];
    int point_count, face_count;
    face faces[FACES];
    real largest;
} polyhedron;

static void order_corners(const polyhedron *p, face *f)
{
    real3 center = {0, 0, 0}, u, v;
    for (int i = 0; i < f->count; i++) center = real3_add(center, 1 / (real)f->count, p->points[f->corners[i]]);
    u = real3_unit(real3_add(p->points[f->corners[0]], -1, center));
    v = real3_cross(f->normal, u);
    real angle[CORNERS];
    for (int i = 0; i < f->count; i++) {
        real3 d = real3_add(p->points[f->corners[i]], -1, center);
        angle[i] = atan2l(real3_dot(d, v), real3_dot(d, u));
    }
    for (int i = 1; i < f->count; i++)
        for (int k = i; k > 0 && angle[k] < angle[k - 1]; k--) {
            real t = angle[k];
            int c = f->corners[k];
            angle[k] = angle[k - 1], angle[k - 1] = t, f->corners[k] = f->corners[k - 1], f->corners[k - 1] = c;
        }
    real3 sum = {0, 0, 0};
    for (int i = 0; i < f->count; i++) {
        real3 a = real3_add(p->points[f->corners[i]], -1, center);
        real3 b = real3_add(p->points[f->corners[(i + 1) % f->count]], -1, center);
        sum = real3_add(sum, 0.5L, real3_cross(a, b));
    }
    f->area = real3_dot(sum, f->normal);
}

static void try_plane(polyhedron *p, int i, int j, int k)
{
    real3 n = real3_cross(real3_add(p->points[j], -1, p->points[i]), real3_add(p->points[k], -1, p->points[i]));
    if (real3_length(n) < 1e-9L * real3_dot(p->points[i], p->points[i])) return;
    n = real3_unit(n);
    real level = real3_dot(n, p->points[i]), high = 0, low = 0, size = real3_length(p->points[i]);
    face f = {.count = 0};
    for (int m = 0; m < p->point_count; m++) {
        real d = real3_dot(n, p->points[m]) - level;
        if (d > high) high = d;
        if (d < low) low = d;
        if (fabsl(d) < 1e-13L * size) f.corners[f.count++] = m;
    }
    if (high > 1e-13L * size && low < -1e-13L * size) return;
    if (high > 1e-13L * size) n = real3_make(-n.x, -n.y, -n.z);
    f.normal = n;
    for (int m = 0; m < p->face_count; m++)
        if (real3_dot(p->faces[m].normal, n) > 1 - 1e-15L) return; /* found before */
    if (p->face_count == FACES) return;
    order_corners(p, &f);
    if (f.area > p->largest) p->largest = f.area;
    p->faces[p->face_count++] = f;
}

static bool polyhedron_of(const oracle_shape *s, polyhedron *p)
{
    memset(p, 0, sizeof *p);
    if (s->kind == ORACLE_POINTS) {
        p->point_count = s->count;
        for (int i = 0; i < s->count; i++) p->points[i] = real3_of(s->points[i]);
    } else if (s->kind == ORACLE_BOX) {
        p->point_count = 8;
        for (int i = 0; i < 8; i++)
            p->points[i] = real3_make(i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y,
                                      i & 4 ? s->half.z : -s->half.z);
    } else return false;
    for (int i = 0; i < p->point_count; i++)
        for (int j = i + 1; j < p->point_count; j++)
            for (int k = j + 1; k < p->point_count; k++) try_plane(p, i, j, k);
    return p->face_count >= 4 && p->face_count < FACES;
}

/* ---- a linear foundation of stiffness 1 over the largest face ---- */
typedef struct foundation {
    real force, energy, deepest;
} foundation;

static void add_triangle(const real3 *corner, const real *depth, real3 up, real counted, foundation *sum)
{
    real3 n = real3_cross(real3_add(corner[1], -1, corner[0]), real3_add(corner[2], -1, corner[0]));
    real area = -real3_dot(n, up) / 2 * counted, a = depth[0], b = depth[1], c = depth[2];
    sum->force += area * (a + b + c) / 3;
    sum->energy += area * (a * a + b * b + c * c + a * b + b * c + c * a) / 12;
}

/* Over the parts of the faces that look down and are below the plane with the normal `up`. */
static foundation foundation_of(const polyhedron *p, real33 R, real3 origin, real3 up)
{
    foundation sum = {0, 0, 0};
    for (int f = 0; f < p->face_count; f++) {
        const face *g = &p->faces[f];
        real down = -real3_dot(oracle_outward(&R, g->normal), up);
        if (down <= 0) continue;
        real steep = down / 0.2L, counted = steep < 1 ? steep * steep * (3 - 2 * steep) : 1; /* they fade upright */
        real3 corner[2 * CORNERS];
        real depth[2 * CORNERS];
        int count = 0;
        for (int i = 0; i < g->count; i++) {
            real3 a = real3_add(oracle_outward(&R, p->points[g->corners[i]]), 1, origin);
            real3 b = real3_add(oracle_outward(&R, p->points[g->corners[(i + 1) % g->count]]), 1, origin);
            real da = -real3_dot(a, up), db = -real3_dot(b, up);
            if (da > sum.deepest) sum.deepest = da;
            if (da > 0) corner[count] = a, depth[count++] = da;
            if ((da > 0) != (db > 0))
                corner[count] = real3_add(a, da / (da - db), real3_add(b, -1, a)), depth[count++] = 0;
        }
        for (int i = 2; i < count; i++) {
            const real3 t[3] = {corner[0], corner[i - 1], corner[i]};
            const real d[3] = {depth[0], depth[i - 1], depth[i]};
            add_triangle(t, d, up, counted, &sum);
        }
    }
    sum.force /= p->largest, sum.energy /= p->largest;
    return sum;
}

static real33 turned(real33 R, real3 axis, real angle) /* small: to second order and made of exact parts */
{
    real s = sinl(angle / 2);
    real w = cosl(angle / 2), x = axis.x * s, y = axis.y * s, z = axis.z * s;
    real33 Q = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                 {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                 {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
    real33 product;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            product.m[i][j] = 0;
            for (int k = 0; k < 3; k++) product.m[i][j] += Q.m[i][k] * R.m[k][j];
        }
    return product;
}

/* a is the plane. The list must push, store and turn as the foundation does; its torque is the gradient of the energy
 * as b turns about its origin. */
static void against_foundation(const matrix_case *c, const char *label, int number, matrix_tally *t,
                               const fender_separation *list, int count)
{
    polyhedron p;
    fender_geometry_type type = fender_geometry_type_of(c->b->geometry);
    if (type != FENDER_GEOMETRY_BOX && type != FENDER_GEOMETRY_HULL) return;
    if (c->b->shape.rounding > 0 || !polyhedron_of(&c->b->shape, &p)) return;
    oracle_pair pair;
    oracle_pair_place(&pair, &c->a->shape, &c->X_WA, &c->b->shape, &c->X_WB);
    real3 up = oracle_outward(&pair.Ra, real3_make(0, 0, 1)), torque = {0, 0, 0};
    foundation f = foundation_of(&p, pair.Rb, pair.offset, up);
    if (!(f.deepest > 0)) return;
    real force = 0, energy = 0;
    for (int i = 0; i < count; i++) {
        const fender_separation *s = &list[i];
        real push = -(real)s->weight * s->distance;
        force += push, energy += push * -(real)s->distance / 2;
        real3 middle = real3_add(real3_of(s->point_a), (real)s->distance / 2, real3_of(s->normal));
        torque = real3_add(torque, push, real3_cross(real3_add(middle, -1, pair.offset), real3_of(s->normal)));
        torque = real3_add(torque, push * -(real)s->distance / 2, real3_of(s->turn)); /* what is stated of it */
    }
    t->proofs++;
    double size = c->b->shape.size, deep = (double)f.deepest;
    /* where a face lies flat, the rounding of its height counts as a whole */
    const real rounding = 1e-15L * (larger(size, (double)real3_length(pair.offset)) + 1e-300L);
    real excess = fabsl(force - f.force) - rounding;
    double error = excess > 0 ? (double)(excess / deep) : 0;
    t->depth = larger(t->depth, error);
    matrix_require(c, label, number, t, "force of the foundation", error, 1e-10, &list[0]);
    excess = fabsl(energy - f.energy) - rounding * (f.deepest + rounding);
    error = excess > 0 ? (double)(excess / deep / deep) : 0;
    t->distance = larger(t->distance, error);
    matrix_require(c, label, number, t, "energy of the foundation", error, 1e-10, &list[0]);
    if (!(deep > 1e-7 * size)) return; /* the difference quotient would be noise */
    random_stream r = random_of_case(7400, (uint64_t)number);
    real3 axis = real3_of(random_direction(&r));
    const real step = 1e-6L * f.deepest / (real)size;
    real high = foundation_of(&p, turned(pair.Rb, axis, step), pair.offset, up).energy;
    real low = foundation_of(&p, turned(pair.Rb, axis, -step), pair.offset, up).energy;
    error = (double)fabsl(-(high - low) / (2 * step) - real3_dot(torque, axis)) / (deep * size);
    t->witness = larger(t->witness, error);
    matrix_require(c, label, number, t, "torque, gradient of the energy", error, 1e-5, &list[0]);
}

/* ---- what holds for every list ---- */
static bool same_vector(fender_vec3 x, fender_vec3 y) { return x.x == y.x && x.y == y.y && x.z == y.z; }

static bool in_order(const fender_separation *list, int count)
{
    for (int i = 1; i < count; i++)
        if (list[i].feature < list[i - 1].feature) return false;
    return true;
}

/* Is the one list the other turned round? Features name a's face first, so the order may differ. */
static bool mirrors(const fender_separation *list, const fender_separation *turned_list, int count)
{
    static bool used[MOST];
    memset(used, 0, sizeof used);
    for (int i = 0; i < count; i++) {
        const fender_separation *s = &list[i];
        int at = 0;
        for (; at < count; at++) {
            const fender_separation *m = &turned_list[at];
            if (!used[at] && s->distance == m->distance && s->weight == m->weight && s->area == m->area &&
                s->index == m->index && s->weight_fades == m->weight_fades &&
                same_vector(s->normal, fender_vec3_negate(m->normal)))
                break;
        }
        if (at == count) return false;
        used[at] = true;
    }
    return true;
}

/* Does a part of the convex solid b lie in the solid below the grid or in the mesh a? Its corners and its middle are
 * asked. A solid whose core meets no triangle and whose middle is outside is apart by its distance, and yet a part of
 * it may lie in the ground, beyond the border of the triangles. */
static bool lies_in_surface(const matrix_case *c)
{
    fender_geometry_type type = fender_geometry_type_of(c->a->geometry);
    if (type != FENDER_GEOMETRY_GRID && type != FENDER_GEOMETRY_MESH) return false;
    fender_env env = fender_env_default();
    fender_geometry *point = fender_geometry_point(&env, NULL);
    random_stream r = random_of_case(7500, 1);
    bool lies = false;
    for (int i = 0; i < 64 && !lies; i++) {
        real3 p = oracle_support(&c->b->shape, real3_of(random_direction(&r)));
        fender_separation at;
        fender_pose X = c->X_WB;
        fender_vec3 p_B = {(double)p.x, (double)p.y, (double)p.z};
        X.p = fender_vec3_add(X.p, fender_quaternion_rotate(X.q, p_B));
        lies = fender_geometry_separation(c->a->geometry, &c->X_WA, point, &X, &at) == FENDER_STATUS_OK &&
               at.distance < c->b->shape.rounding;
    }
    fender_geometry_release(point);
    return lies;
}

void matrix_check_patch(const matrix_case *c, const char *label, int number, matrix_tally *t)
{
    static fender_separation list[MOST], turned_list[MOST];
    fender_separation nearest = {0}, single[4];
    int count = 0, turned_count = 0, singles = 0;
    const fender_geometry *a = c->a->geometry, *b = c->b->geometry;
    if (fender_geometry_type_of(a) == FENDER_GEOMETRY_CLOUD || fender_geometry_type_of(b) == FENDER_GEOMETRY_CLOUD)
        return;
    t->poses++;
    fender_status status = fender_geometry_separation(a, &c->X_WA, b, &c->X_WB, &nearest);
    *(nearest.distance < 0 ? &t->overlapping : &t->apart) += 1;
    int worst = (int)status;
    worst |= (int)fender_geometry_contacts(a, &c->X_WA, b, &c->X_WB, FENDER_CONTACT_POINTS_PATCH, 0, list, MOST,
                                           &count);
    worst |= (int)fender_geometry_contacts(b, &c->X_WB, a, &c->X_WA, FENDER_CONTACT_POINTS_PATCH, 0, turned_list, MOST,
                                           &turned_count);
    worst |= (int)fender_geometry_contacts(a, &c->X_WA, b, &c->X_WB, FENDER_CONTACT_POINTS_SINGLE, 0, single, 4,
                                           &singles);
    matrix_require(c, label, number, t, "status", worst, 0, &nearest);
    if (worst || count > MOST) return;
    double scale = larger(c->a->shape.size, c->b->shape.size);
    double sum = 0, shift = fender_vec3_length(fender_vec3_sub(c->X_WB.p, c->X_WA.p));
    if (shift > scale && (c->a->shape.kind == ORACLE_HALF_SPACE || c->b->shape.kind == ORACLE_HALF_SPACE))
        scale = shift;
    for (int i = 0; i < count; i++) {
        const fender_separation *s = &list[i];
        bool finite = isfinite(s->distance) && isfinite(s->weight) && isfinite(s->area) &&
                      fender_vec3_is_finite(s->point_a) && fender_vec3_is_finite(s->point_b) &&
                      fender_vec3_is_finite(s->normal);
        matrix_require(c, label, number, t, "finite", finite ? 0 : 1, 0, s);
        fender_vec3 gap = fender_vec3_sub(fender_vec3_sub(s->point_b, s->point_a),
                                          fender_vec3_scale(s->distance, s->normal));
        double error = fender_vec3_length(gap);
        t->gap = larger(t->gap, scale > 0 ? error / scale : 0);
        matrix_require(c, label, number, t, "point_b - point_a - distance normal", error, 1e-13 * scale, s);
        error = fabs(fender_vec3_length(s->normal) - 1);
        t->unit = larger(t->unit, error);
        matrix_require(c, label, number, t, "length of the normal", error, 2e-15, s);
        matrix_require(c, label, number, t, "weight below 0", s->weight >= 0 ? 0 : 1, 0, s);
        matrix_require(c, label, number, t, "deeper than the deepest",
                       s->weight > 0 ? nearest.distance - s->distance : 0, (s->weight_fades ? 1e30 : 1e-9) * scale, s);
        sum += s->weight;
    }
    matrix_require(c, label, number, t, "order of features", in_order(list, count) ? 0 : 1, 0, &nearest);
    bool mirror = turned_count == count && mirrors(list, turned_list, count);
    bool alike = c->a->shape.kind == c->b->shape.kind; /* of two alike solids the first carries the cells */
    matrix_require(c, label, number, t, "mirrored list differs", mirror || alike ? 0 : 1, 0, &nearest);
    if (fabs(nearest.distance) > 1e-14 * scale) { /* not touching to rounding */
        bool apart = nearest.distance > 0;
        matrix_require(c, label, number, t, "contacts in SINGLE mode, too many or few",
                       singles == (apart ? 0 : 1) ? 0 : 1, 0, &nearest);
        /* The prism that stands for caps reaches 0.5 % of the radius beyond them. */
        bool almost = nearest.distance < 0.005 * scale;
        bool wrong = apart && !almost && count > 0 && !lies_in_surface(c);
        matrix_require(c, label, number, t, "contacts in PATCH mode when apart", wrong ? count : 0, 0, &nearest);
    }
    /* The prism or pyramid that carries cells has sides that are 0.12 % of the radius inside. */
    const oracle_kind kind_a = c->a->shape.kind, kind_b = c->b->shape.kind;
    const bool round = kind_a == ORACLE_CYLINDER || kind_a == ORACLE_CONE || kind_b == ORACLE_CYLINDER ||
                       kind_b == ORACLE_CONE;
    const double inside = (round ? 1.3e-3 : 1e-4) * scale;
    matrix_require(c, label, number, t, "no weight in PATCH mode in overlap",
                   nearest.distance < -inside && !c->grazes && !(sum > 0) ? 1 : 0, 0, &nearest);
    if (singles == 1) {
        bool same = single[0].distance == nearest.distance && same_vector(single[0].normal, nearest.normal) &&
                    single[0].weight == 1 && single[0].area == 0 && !single[0].weight_fades;
        matrix_require(c, label, number, t, "the single contact is not the deepest point", same ? 0 : 1, 0, &nearest);
    }
    matrix_case swapped = {.a = c->b, .b = c->a, .X_WA = c->X_WB, .X_WB = c->X_WA};
    if (c->a->shape.kind == ORACLE_HALF_SPACE) against_foundation(c, label, number, t, list, count);
    if (c->b->shape.kind == ORACLE_HALF_SPACE) against_foundation(&swapped, label, number, t, turned_list, count);
}
