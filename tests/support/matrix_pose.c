/* The matrix under test: random poses of two geometries in classes. */
#include "matrix.h"

const char *const matrix_class_names[MATRIX_CLASS_COUNT] = {"separated", "touching", "shallow",    "deep",
                                                            "nested",    "parallel", "degenerate", "far"};

static fender_vec3 vec_of(real3 v) { return fender_vec3_make((double)v.x, (double)v.y, (double)v.z); }

static fender_quaternion turn(fender_vec3 axis, double angle)
{
    double s = sin(angle / 2);
    return (fender_quaternion){cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

/* A direction along which the two can be moved apart: that of a half space where there is one. */
static fender_vec3 way_out(const matrix_case *c, random_stream *r)
{
    fender_vec3 z = {0, 0, 1};
    if (c->a->shape.kind == ORACLE_HALF_SPACE) return fender_quaternion_rotate(c->X_WA.q, z);
    if (c->b->shape.kind == ORACLE_HALF_SPACE) return fender_vec3_negate(fender_quaternion_rotate(c->X_WB.q, z));
    return random_direction(r);
}

/* Puts b so that the width along n is `width` and it is shifted across n by `lateral`. */
static void place_across(matrix_case *c, fender_vec3 n, double width, fender_vec3 lateral)
{
    oracle_pair pair;
    c->X_WB.p = c->X_WA.p;
    oracle_pair_place(&pair, &c->a->shape, &c->X_WA, &c->b->shape, &c->X_WB);
    double now = (double)oracle_width(&pair, real3_unit(real3_of(n)));
    lateral = fender_vec3_add_scaled(lateral, -fender_vec3_dot(lateral, n), n);
    c->X_WB.p = fender_vec3_add(fender_vec3_add_scaled(c->X_WA.p, width - now, n), lateral);
}

/* Puts b so that the support points along n face each other at `gap`: for gap >= 0 that is the distance. */
static void place_facing(matrix_case *c, fender_vec3 n, double gap)
{
    oracle_pair pair;
    c->X_WB.p = c->X_WA.p;
    oracle_pair_place(&pair, &c->a->shape, &c->X_WA, &c->b->shape, &c->X_WB);
    real3 unit = real3_unit(real3_of(n)), apart = oracle_difference(&pair, unit);
    real width = gap + pair.a->rounding + pair.b->rounding;
    c->X_WB.p = fender_vec3_add(c->X_WA.p, vec_of(real3_add(real3_make(-apart.x, -apart.y, -apart.z), width, unit)));
    c->known = gap >= 0 ? gap : NAN;
}

static double scale_of(const matrix_case *c)
{
    double s = c->a->shape.size > c->b->shape.size ? c->a->shape.size : c->b->shape.size;
    return s > 0 ? s : 1;
}

static fender_vec3 sideways(const matrix_case *c, random_stream *r, double part)
{
    return random_in_ball(r, part * (c->a->shape.size + c->b->shape.size));
}

static double tiny(random_stream *r) /* 0, or 1e-16 to 1e-9, of either sign */
{
    if (random_below(r, 3) == 0) return 0;
    double m = random_magnitude(r, 1e-16, 1e-9);
    return random_below(r, 3) ? m : -m;
}

static fender_quaternion quarter_turns(random_stream *r)
{
    const double h = 0.70710678118654752;
    const fender_quaternion turns[3] = {{h, h, 0, 0}, {h, 0, h, 0}, {h, 0, 0, h}};
    fender_quaternion q = fender_quaternion_identity();
    for (int i = random_below(r, 4); i > 0; i--) q = fender_quaternion_product(q, turns[random_below(r, 3)]);
    return q;
}

static void somewhere(matrix_case *c, random_stream *r)
{
    switch (random_below(r, 3)) {
    case 0: place_across(c, way_out(c, r), scale_of(c) * random_magnitude(r, 1e-6, 100), sideways(c, r, 2)); break;
    case 1: place_facing(c, way_out(c, r), scale_of(c) * tiny(r)); break;
    default: place_across(c, way_out(c, r), -scale_of(c) * random_magnitude(r, 1e-9, 1), sideways(c, r, 0.5)); break;
    }
}

static void nearly_parallel(matrix_case *c, random_stream *r)
{
    double tilt = random_below(r, 4) ? random_magnitude(r, 1e-16, 1e-3) : 0;
    fender_quaternion q = fender_quaternion_product(c->X_WA.q, quarter_turns(r));
    c->X_WB.q = fender_quaternion_normalized(fender_quaternion_product(q, turn(random_direction(r), tilt)));
    if (random_below(r, 3) == 0) {
        somewhere(c, r);
        return;
    }
    fender_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    fender_vec3 n = fender_quaternion_rotate(c->X_WA.q, axes[random_below(r, 3)]);
    if (random_below(r, 2)) n = fender_vec3_negate(n);
    if (c->a->shape.kind == ORACLE_HALF_SPACE || c->b->shape.kind == ORACLE_HALF_SPACE) n = way_out(c, r);
    double width = scale_of(c) * (random_below(r, 2) ? tiny(r) : random_between(r, -1, 1));
    place_across(c, n, width, random_below(r, 4) ? sideways(c, r, 0.7) : fender_vec3_make(0, 0, 0));
}

static void degenerate(matrix_case *c, random_stream *r)
{
    switch (random_below(r, 4)) {
    case 0: c->X_WA.q = fender_quaternion_identity(), c->X_WB.q = quarter_turns(r); break;
    case 1: c->X_WB.q = c->X_WA.q; break;
    default: break;
    }
    switch (random_below(r, 4)) {
    case 0: c->X_WB.p = c->X_WA.p; break; /* coincident centres */
    case 1:
        c->X_WB.p = fender_vec3_add(c->X_WA.p, fender_vec3_scale(scale_of(c) * tiny(r), random_direction(r)));
        break;
    default: somewhere(c, r); break;
    }
}

static const matrix_item *pick(const matrix_pool *pool, matrix_flavour flavour, random_stream *r)
{
    return &pool->items[flavour][random_below(r, MATRIX_POOL)];
}

matrix_case matrix_case_of(const matrix_pool *a, const matrix_pool *b, matrix_class kind, random_stream *r)
{
    matrix_flavour fa = MATRIX_NORMAL, fb = MATRIX_NORMAL;
    bool swap = random_below(r, 2);
    if (kind == MATRIX_NESTED) fa = swap ? MATRIX_SMALL : MATRIX_LARGE, fb = swap ? MATRIX_LARGE : MATRIX_SMALL;
    if (kind == MATRIX_DEGENERATES) {
        fa = MATRIX_DEGENERATE;
        fb = random_below(r, 2) ? MATRIX_DEGENERATE : MATRIX_NORMAL;
        if (swap) fa = fb, fb = MATRIX_DEGENERATE;
    }
    matrix_case c = {.known = NAN};
    c.a = pick(a, fa, r);
    c.b = pick(b, fb, r);
    c.X_WA.q = random_rotation(r), c.X_WB.q = random_rotation(r);
    if (kind == MATRIX_FAR) c.X_WA.p = fender_vec3_scale(1e7, random_direction(r));
    else if (random_below(r, 2)) c.X_WA.p = random_in_ball(r, 10 * scale_of(&c));
    switch (kind) {
    case MATRIX_SEPARATED:
        place_across(&c, way_out(&c, r), scale_of(&c) * random_magnitude(r, 1e-6, 100), sideways(&c, r, 2));
        break;
    case MATRIX_TOUCHING: place_facing(&c, way_out(&c, r), scale_of(&c) * tiny(r)); break;
    case MATRIX_SHALLOW: place_facing(&c, way_out(&c, r), -scale_of(&c) * random_magnitude(r, 1e-9, 1e-2)); break;
    case MATRIX_DEEP:
        place_across(&c, way_out(&c, r), -scale_of(&c) * random_magnitude(r, 1e-2, 2), sideways(&c, r, 0.2));
        break;
    case MATRIX_NESTED: {
        const matrix_item *large = swap ? c.b : c.a;
        fender_vec3 inside = fender_vec3_scale(large->shape.size, random_in_ball(r, random_between(r, 0, 1)));
        if (random_below(r, 3) == 0) inside = fender_vec3_scale(1e-3, inside);
        c.X_WB.p = fender_vec3_add(c.X_WA.p, inside);
        break;
    }
    case MATRIX_PARALLEL: nearly_parallel(&c, r); break;
    case MATRIX_DEGENERATES: degenerate(&c, r); break;
    case MATRIX_FAR:
        somewhere(&c, r);
        c.known = NAN; /* the positions are rounded to 2e-9 m */
        break;
    case MATRIX_CLASS_COUNT: break;
    }
    return c;
}
