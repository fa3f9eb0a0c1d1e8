/* The matrix under test: what must hold for a separation, judged by the oracles. */
#include "check.h"
#include "matrix.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As parts of the larger of size and distance. */
static const double apart_limit = 1e-12, overlap_limit = 1e-9;
static const double witness_limit = 1e-10;      /* a planted 1e-9 must be noticed */
static const double field_witness_limit = 1e-7; /* a search by values: the place is as good as the root of the value */
static const double gap_limit = 1e-14;          /* point_b = point_a + distance normal: a few roundings */
static const double unit_limit = 2e-15;         /* a root, three quotients, a rotation */
enum { PROOF_BUDGET = 6000, FAILURES_SHOWN = 3 };

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void worst(double *of, double value)
{
    if (!(value <= *of)) *of = value; /* a NaN is the worst and stays */
}

/* ---- one failure, so that it can be looked into ---- */
static void show_shape(const char *name, const matrix_item *item, const fender_pose *X)
{
    const oracle_shape *s = &item->shape;
    print_message("    %s: kind %d radius %.17g half_length %.17g half %.17g %.17g %.17g rounding %.17g\n", name,
                  (int)s->kind, s->radius, s->half_length, s->half.x, s->half.y, s->half.z, s->rounding);
    if (s->count) {
        print_message("      points");
        for (int i = 0; i < s->count; i++)
            print_message(" {%.17g, %.17g, %.17g},", s->points[i].x, s->points[i].y, s->points[i].z);
        print_message("\n");
    }
    print_message("      pose {{%.17g, %.17g, %.17g}, {%.17g, %.17g, %.17g, %.17g}}\n", X->p.x, X->p.y, X->p.z, X->q.w,
                  X->q.x, X->q.y, X->q.z);
}

void matrix_require(const matrix_case *c, const char *label, int number, matrix_tally *tally, const char *what,
                    double value, double limit, const fender_separation *s)
{
    if (value <= limit || tally->failures++ >= FAILURES_SHOWN) return;
    print_message("  %s, case %d: %s: %.3g is above %.3g\n", label, number, what, value, limit);
    if (tally->failures > 1 && !getenv("MATRIX_SHOW")) return;
    show_shape("a", c->a, &c->X_WA);
    show_shape("b", c->b, &c->X_WB);
    print_message("    distance %.17g normal %.17g %.17g %.17g\n    point_a %.17g %.17g %.17g\n    point_b %.17g %.17g "
                  "%.17g\n",
                  s->distance, s->normal.x, s->normal.y, s->normal.z, s->point_a.x, s->point_a.y, s->point_a.z,
                  s->point_b.x, s->point_b.y, s->point_b.z);
}

static bool is_field(const matrix_item *item) { return item->field; }
/* A pair that is searched for by values of a field. */
static bool searched(const matrix_case *c)
{
    return (is_field(c->a) && c->b->shape.kind != ORACLE_POINT) || (is_field(c->b) && c->a->shape.kind != ORACLE_POINT);
}

/* ---- the checks ---- */
typedef struct judge {
    const matrix_case *c;
    const char *label;
    int number;
    matrix_tally *tally;
    oracle_pair pair;
    fender_separation s;
    double scale; /* the larger of size and distance */
} judge;

static void require(judge *j, const char *what, double *of, double value, double limit)
{
    worst(of, value);
    matrix_require(j->c, j->label, j->number, j->tally, what, value, limit, &j->s);
}

static double part(const judge *j, real error)
{
    if (error == 0) return 0;
    return (double)(fabsl(error) / j->scale);
}

static double scale_of(const oracle_pair *pair, double distance)
{
    double scale = pair->a->size > pair->b->size ? pair->a->size : pair->b->size;
    if (fabs(distance) > scale) scale = fabs(distance);
    /* a half space has its size where the other one is */
    if (pair->a->kind == ORACLE_HALF_SPACE || pair->b->kind == ORACLE_HALF_SPACE) {
        double reach = (double)real3_length(pair->offset);
        if (reach > scale) scale = reach;
    }
    return scale;
}

/* How far a witness point lies off the core that it belongs to. */
static real off_core(const oracle_shape *shape, const real33 *R, real3 point, real3 origin, real3 outward)
{
    real3 core = real3_add(real3_add(point, -1, origin), -shape->rounding, outward);
    real outside = oracle_outside(shape, oracle_inward(R, core));
    return outside > 0 ? outside : 0;
}

/* A solid against a signed distance: as deep as that is least over the solid. The place that was found has that value
 * and is in the solid, and no place of a sample has less. */
static bool judge_field(judge *j)
{
    const oracle_shape *solid = j->pair.a, *field = j->pair.b;
    bool last = is_field(j->c->b);
    if (!last) solid = j->pair.b, field = j->pair.a;
    if (!is_field(last ? j->c->b : j->c->a) || solid->kind == ORACLE_POINT || j->s.distance >= 0) return false;
    const real33 *Rs = last ? &j->pair.Ra : &j->pair.Rb, *Rf = last ? &j->pair.Rb : &j->pair.Ra;
    real3 zero = {0, 0, 0}, at = last ? zero : j->pair.offset, from = last ? j->pair.offset : zero;
    real3 n = real3_of(j->s.normal), place = real3_of(last ? j->s.point_a : j->s.point_b);
    place = real3_add(place, last ? -solid->rounding : solid->rounding, n);
    real value = oracle_outside(field, oracle_inward(Rf, real3_add(place, -1, from)));
    require(j, "value at the place", &j->tally->depth, part(j, value - solid->rounding - (real)j->s.distance), 1e-9);
    real off = oracle_outside(solid, oracle_inward(Rs, real3_add(place, -1, at)));
    require(j, "place off the solid", &j->tally->witness, part(j, off > 0 ? off : 0), field_witness_limit);
    random_stream r = random_of_case(7450, (uint64_t)j->number);
    real least = value;
    for (int i = 0; i < 60; i++) {
        real3 p = oracle_support(solid, real3_of(random_direction(&r))),
              q = oracle_support(solid, real3_of(random_direction(&r)));
        real t = random_below(&r, 3) ? random_between(&r, 0, 1) : 0;
        p = real3_add(p, t, real3_add(q, -1, p));
        p = real3_add(real3_add(oracle_outward(Rs, p), 1, at), -1, from);
        real there = oracle_outside(field, oracle_inward(Rf, p));
        if (there < least) least = there;
    }
    require(j, "a deeper place", &j->tally->depth, part(j, value - least), 1e-6);
    return true;
}

/* Distance, normal and points against the oracles. */
static void judge_separation(judge *j)
{
    const oracle_pair *p = &j->pair;
    const fender_separation *s = &j->s;
    matrix_tally *t = j->tally;
    real3 n = real3_of(s->normal), a = real3_of(s->point_a), b = real3_of(s->point_b), zero = {0, 0, 0};
    bool apart = s->distance >= 0;
    /* A field is a function of which nothing else is known: the search in it ends at 1e-9 unless it is for a point. */
    double limit = searched(j->c) ? overlap_limit : apart_limit;
    require(j, "length of the normal", &t->unit, (double)fabsl(real3_length(n) - 1), unit_limit);
    require(j, "point_b - point_a - distance normal", &t->gap,
            part(j, real3_length(real3_add(real3_add(b, -1, a), -(real)s->distance, n))), gap_limit);
    if (judge_field(j)) return;
    n = real3_unit(n);
    real width = oracle_width(p, n);
    require(j, "room between the planes across the normal", apart ? &t->distance : &t->depth,
            part(j, width - (real)s->distance), limit);
    real core_width = width + p->a->rounding + p->b->rounding;
    double off_a = part(j, off_core(p->a, &p->Ra, a, zero, n));
    double off_b = part(j, off_core(p->b, &p->Rb, b, p->offset, real3_make(-n.x, -n.y, -n.z)));
    double off = off_a > off_b ? off_a : off_b;
    require(j, "witness point off its surface", &t->witness, off, searched(j->c) ? field_witness_limit : witness_limit);
    if (core_width >= -1e-13L * j->scale) { /* points of the cores prove the least distance, if they are on them */
        if (off <= limit) return;
        oracle_distance_result r = oracle_distance(p);
        t->proofs++;
        real least = r.distance - p->a->rounding - p->b->rounding;
        require(j, "distance against the oracle's", apart ? &t->distance : &t->depth,
                part(j, least - (real)s->distance) - part(j, r.distance - r.bound), limit);
        return;
    }
    if (p->a->kind == ORACLE_HALF_SPACE || p->b->kind == ORACLE_HALF_SPACE) return; /* there is one way out */
    t->proofs++;
    double claimed = (double)-core_width;
    oracle_depth_result r = oracle_deepest(p, claimed, overlap_limit * j->scale, PROOF_BUDGET);
    require(j, "a shorter way out exists", &t->depth, (claimed - r.found) / j->scale, overlap_limit);
    t->loose += r.proven > 1e-8 * j->scale;
}

static bool same_vector(fender_vec3 x, fender_vec3 y) { return x.x == y.x && x.y == y.y && x.z == y.z; }

/* The mirrored answer: the same bits, but for the points, whose shift to the other origin rounds. */
static void judge_mirror(judge *j)
{
    const matrix_case *c = j->c;
    fender_separation m;
    fender_status status = fender_geometry_separation(c->b->geometry, &c->X_WB, c->a->geometry, &c->X_WA, &m);
    fender_vec3 to_a = fender_vec3_sub(c->X_WA.p, c->X_WB.p);
    bool alike = c->a->shape.kind == c->b->shape.kind && to_a.x == 0 && to_a.y == 0 && to_a.z == 0;
    if (alike) return; /* nothing need tell a from b then */
    double shift_a = fender_vec3_length(fender_vec3_sub(fender_vec3_sub(m.point_b, j->s.point_a), to_a));
    double shift_b = fender_vec3_length(fender_vec3_sub(fender_vec3_sub(m.point_a, j->s.point_b), to_a));
    bool good = status == FENDER_STATUS_OK && m.distance == j->s.distance &&
                same_vector(m.normal, fender_vec3_negate(j->s.normal)) && m.feature == j->s.feature &&
                m.weight == j->s.weight && shift_a <= 1e-15 * j->scale && shift_b <= 1e-15 * j->scale;
    double none = 0;
    require(j, "mirrored answer differs", &none, good ? 0 : 1, 0.5);
    if (!good && j->tally->failures <= FAILURES_SHOWN)
        print_message("    mirrored: %.17g normal %.17g %.17g %.17g point_a %.17g %.17g %.17g\n", m.distance,
                      m.normal.x, m.normal.y, m.normal.z, m.point_a.x, m.point_a.y, m.point_a.z);
}

/* The whole scene turned about a point near a, and a warm start from the pose before. */
static void judge_turned(judge *j)
{
    const matrix_case *c = j->c;
    random_stream r = random_of_case(7300, (uint64_t)j->number);
    fender_quaternion q = random_rotation(&r);
    fender_pose A = {{0, 0, 0}, fender_quaternion_normalized(fender_quaternion_product(q, c->X_WA.q))};
    fender_pose B = {fender_quaternion_rotate(q, fender_vec3_sub(c->X_WB.p, c->X_WA.p)),
                     fender_quaternion_normalized(fender_quaternion_product(q, c->X_WB.q))};
    fender_separation_cache cache = {{0}};
    fender_separation turned, again;
    bool ran = fender_geometry_separation_cached(c->a->geometry, &A, c->b->geometry, &B, &cache, &turned) == 0;
    double limit = j->s.distance >= 0 && !searched(c) ? apart_limit : overlap_limit;
    if (searched(c) && j->s.distance < 0) return;
    require(j, "the same scene turned", &j->tally->turned,
            ran ? part(j, (real)turned.distance - (real)j->s.distance) : INFINITY, limit);
    double step = random_magnitude(&r, 1e-12, 1e-2);
    A.q = fender_quaternion_normalized(
        fender_quaternion_product(A.q, (fender_quaternion){1, step * random_between(&r, -1, 1), step, 0}));
    B.p = fender_vec3_add(B.p, random_in_ball(&r, step * j->scale));
    ran = fender_geometry_separation(c->a->geometry, &A, c->b->geometry, &B, &turned) == 0 &&
          fender_geometry_separation_cached(c->a->geometry, &A, c->b->geometry, &B, &cache, &again) == 0;
    require(j, "warm start", &j->tally->turned, ran ? part(j, (real)turned.distance - (real)again.distance) : INFINITY,
            turned.distance >= 0 && !searched(c) ? apart_limit : overlap_limit);
}

void matrix_judge(const matrix_case *c, const char *label, int number, matrix_tally *tally, const oracle_pair *pair,
                  const fender_separation *separation)
{
    judge j = {.c = c, .label = label, .number = number, .tally = tally, .pair = *pair, .s = *separation};
    j.scale = scale_of(pair, separation->distance);
    judge_separation(&j);
}

static bool is_cloud(const matrix_item *item)
{
    return fender_geometry_type_of(item->geometry) == FENDER_GEOMETRY_CLOUD;
}

void matrix_check(const matrix_case *c, const char *label, int number, matrix_tally *tally)
{
    if (is_cloud(c->a) || is_cloud(c->b)) {
        matrix_check_cloud(c, label, number, tally);
        return;
    }
    judge j = {.c = c, .label = label, .number = number, .tally = tally};
    tally->poses++;
    double start = now();
    fender_status status = fender_geometry_separation(c->a->geometry, &c->X_WA, c->b->geometry, &c->X_WB, &j.s);
    double none = 0;
    if (status != FENDER_STATUS_OK || !isfinite(j.s.distance) || !fender_vec3_is_finite(j.s.normal) ||
        !fender_vec3_is_finite(j.s.point_a) || !fender_vec3_is_finite(j.s.point_b)) {
        require(&j, "no finite answer, status", &none, 1 + (double)status, 0);
        return;
    }
    *(j.s.distance < 0 ? &tally->overlapping : &tally->apart) += 1;
    oracle_pair_place(&j.pair, &c->a->shape, &c->X_WA, &c->b->shape, &c->X_WB);
    j.scale = scale_of(&j.pair, j.s.distance);
    judge_mirror(&j);
    judge_turned(&j);
    double middle = now();
    judge_separation(&j);
    if (!isnan(c->known)) { /* to the rounding of the position that made it so */
        real error = fabsl((real)j.s.distance - (real)c->known) - 4e-16L * fender_vec3_length(c->X_WB.p);
        require(&j, "distance known by construction", &tally->known, part(&j, error > 0 ? error : 0),
                searched(c) ? overlap_limit : apart_limit);
    }
    tally->seconds_tested += middle - start;
    tally->seconds_oracle += now() - middle;
}
