/* Sphere and capsule pairs against an oracle in quadruple precision, 100,000 random poses of each class.
 *
 * The oracle starts from the poses (quaternions, never the library's matrices) and takes the least distance over all
 * active sets of the two-variable quadratic: both parameters free, and one of them at each end with the other clamped.
 * It shares no code with src/collide. A slower nested search in long double checks the oracle on a sample.
 *
 * Checked on every pose, as parts of the larger of size and distance of the pair:
 *   distance  against the oracle
 *   witness   point_a and point_b lie on the surfaces, and point_b - point_a = distance * normal
 *   support   the plane across the normal parts the shapes by exactly `distance`. In any direction that figure is at
 *             most the true distance, so this proves separation and least penetration, and that the normal is outward
 *   unit      length of the normal
 *   mirror    failures of the call with a and b swapped to give the mirrored answer to the last bit (spheres on one
 *             centre excepted: their normal is the z axis of whichever is a)
 *   rigid     distance after turning and shifting the whole scene
 *   slope     moving b by a small step moves the distance by at most that step, and the normal by at most 2 step / core
 *             distance (the gap vector is what a projection onto a convex set leaves over, which does not expand)
 * Tolerances: 1e-14 for distance, witness and support (a few dozen roundings of numbers of that size; the requirement
 * is 1e-12 apart and 1e-9 in overlap), 4e-16 for unit (square root, quotient and product round once each), 1e-13 for
 * rigid (turning the scene rounds its poses). */
/* items: C044 */
#include "repeats.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fender/geometry.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#ifndef POSES
#define POSES repeats(100000)
#endif
#ifndef SEED
#define SEED 1000
#endif

__extension__ typedef __float128 quad;
typedef struct quad3 {
    quad x, y, z;
} quad3;

/* ---- random numbers ---- */
static uint64_t state;

static uint64_t next_bits(void)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static double uniform(double low, double high) { return low + (high - low) * (double)(next_bits() >> 11) * 0x1p-53; }
static double power(double low, double high) { return pow(10, uniform(low, high)); }
static int pick(int count) { return (int)(next_bits() % (uint64_t)count); }
static double either_sign(double v) { return pick(2) ? v : -v; }

static fender_vec3 random_direction(void)
{
    for (;;) {
        fender_vec3 v = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        double n = fender_vec3_dot(v, v);
        if (n > 1e-4 && n < 1) return fender_vec3_scale(1 / sqrt(n), v);
    }
}
static fender_quaternion random_attitude(void)
{
    fender_quaternion q = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    return fender_quaternion_normalized(q);
}
static fender_quaternion turn(fender_vec3 axis, double angle)
{
    double s = sin(angle / 2);
    fender_quaternion q = {cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
    return q;
}

/* ---- scenes ---- */
typedef struct ball { /* swept core */
    bool sphere;
    double radius, half_length;
    fender_pose pose;
} ball;
typedef struct scene {
    ball a, b;
} scene;

static const fender_vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

/* Sizes of two capsules, one length unit. */
static scene sizes(void)
{
    scene s = {{false, power(-2, 0.5), power(-1, 0.7), {{0, 0, 0}, {1, 0, 0, 0}}},
               {false, power(-2, 0.5), power(-1, 0.7), {{0, 0, 0}, {1, 0, 0, 0}}}};
    if (pick(20) == 0) s.a.radius = 0;
    if (pick(20) == 0) s.b.radius = 0;
    return s;
}
/* a's axis is z, b's tilted by `tilt` about x, turned half round in half of the cases; points `at_a` and `at_b` of the
 * axes are moved apart by `gap`. Then everything is turned, scaled, shifted, and a and b change places. */
static scene arrange(scene s, double tilt, double at_a, double at_b, fender_vec3 gap, double scale, double shift)
{
    fender_quaternion frame = random_attitude();
    fender_quaternion tilted = fender_quaternion_product(turn(X, tilt), turn(Y, pick(2) ? 0 : 3.14159265358979323846));
    s.a.pose.q = fender_quaternion_product(frame, turn(Z, uniform(-3, 3)));
    s.b.pose.q = fender_quaternion_product(fender_quaternion_product(frame, tilted), turn(Z, uniform(-3, 3)));
    s.a.pose.q = fender_quaternion_normalized(s.a.pose.q);
    s.b.pose.q = fender_quaternion_normalized(s.b.pose.q);
    fender_vec3 axis_a = fender_quaternion_rotate(s.a.pose.q, Z), axis_b = fender_quaternion_rotate(s.b.pose.q, Z);
    fender_vec3 p = fender_vec3_add(fender_vec3_scale(at_a, axis_a), fender_quaternion_rotate(frame, gap));
    p = fender_vec3_add_scaled(p, -at_b, axis_b);
    s.a.pose.p = fender_vec3_scale(shift, random_direction());
    s.b.pose.p = fender_vec3_add_scaled(s.a.pose.p, scale, p);
    s.a.radius *= scale, s.b.radius *= scale, s.a.half_length *= scale, s.b.half_length *= scale;
    if (pick(2)) {
        ball swap = s.a;
        s.a = s.b, s.b = swap;
    }
    return s;
}
static double some_scale(void) { return power(-6, 5); }
static double some_gap(void)
{
    switch (pick(4)) {
    case 0: return 0;
    case 1: return either_sign(power(-14, -2));
    default: return either_sign(power(-2, 1));
    }
}

static scene crossing(void) /* closest points inside both lengths */
{
    scene s = sizes();
    double scale = some_scale(), la = s.a.half_length, lb = s.b.half_length;
    return arrange(s, uniform(0.01, 3.13), uniform(-la, la), uniform(-lb, lb), fender_vec3_scale(some_gap(), X), scale,
                   scale);
}
static scene parallel(void) /* side by side, overlapping in length and not */
{
    scene s = sizes();
    double scale = some_scale(), reach = 1.3 * (s.a.half_length + s.b.half_length);
    fender_vec3 gap = fender_vec3_scale(some_gap(), X);
    gap.z = uniform(-reach, reach);
    return arrange(s, 0, 0, 0, gap, scale, scale);
}
static scene collinear(void) /* on one axis: overlapping, touching with the cores' ends, apart */
{
    scene s = sizes();
    double scale = some_scale(), sum = s.a.half_length + s.b.half_length;
    fender_vec3 gap = {0, 0, pick(4) ? uniform(-2 * sum, 2 * sum) : either_sign(sum)};
    return arrange(s, 0, 0, 0, gap, scale, scale);
}
static scene end_on_side(void) /* an end of a over the side of b */
{
    scene s = sizes();
    double scale = some_scale(), tilt = uniform(0.05, 1.5), gap = some_gap();
    double end = s.a.half_length;
    /* Across b, which is tilted about x, on the side away from the rest of a. */
    fender_vec3 across = {0, cos(tilt), sin(tilt)};
    return arrange(s, tilt, end, uniform(-s.b.half_length, s.b.half_length), fender_vec3_scale(fabs(gap), across),
                   scale, scale);
}
static scene engulfed(void) /* a small one deep inside a large one */
{
    scene s = sizes();
    double scale = some_scale(), small = power(-4, -0.5);
    s.b.radius = small * (s.a.radius + 0.01), s.b.half_length = pick(4) ? small * s.a.half_length : 0;
    s.a.radius += 0.1;
    double la = s.a.half_length;
    return arrange(s, uniform(-1.5, 1.5), uniform(-la, la), 0,
                   fender_vec3_scale(pick(3) ? uniform(0, 0.5) * s.a.radius : 0, random_direction()), scale, scale);
}
static scene degenerate(void) /* lengths of nothing or next to nothing */
{
    static const double lengths[] = {0, 1e-300, 1e-160, 1e-12}, gaps[] = {0, 1e-160, 1e-12, 1, 3};
    scene s = sizes();
    s.a.half_length = lengths[pick(4)];
    if (pick(2)) s.b.half_length = lengths[pick(4)];
    if (pick(8) == 0) s.a.radius = s.b.radius = 0;
    double gap = gaps[pick(5)];
    double lb = s.b.half_length, along = pick(3) ? uniform(-1.5, 1.5) * lb : either_sign(lb);
    return arrange(s, pick(3) ? uniform(-1.5, 1.5) : 0, 0, along,
                   fender_vec3_scale(gap, pick(3) ? random_direction() : X), pick(2) ? 1 : some_scale(), pick(2));
}
static scene nearly_parallel(void) /* 1e-3 to 1e-15 rad; half of them cross inside both lengths */
{
    scene s = sizes();
    double scale = some_scale(), la = s.a.half_length, lb = s.b.half_length;
    if (pick(2))
        return arrange(s, either_sign(power(-15, -3)), uniform(-la, la), uniform(-lb, lb),
                       fender_vec3_scale(some_gap(), X), scale, scale);
    return arrange(s, either_sign(power(-15, -3)), uniform(-2 * la, 2 * la), uniform(-2 * lb, 2 * lb),
                   fender_vec3_scale(fabs(some_gap()), random_direction()), scale, scale);
}
static scene anywhere(void)
{
    scene s = sizes();
    double scale = some_scale(), la = s.a.half_length, lb = s.b.half_length;
    return arrange(s, uniform(0, 3.14), uniform(-2 * la, 2 * la), uniform(-2 * lb, 2 * lb),
                   fender_vec3_scale(fabs(some_gap()), random_direction()), scale, scale);
}
static scene far_from_origin(void) /* 1e7 m away, metres in size */
{
    scene s = sizes();
    double la = s.a.half_length, lb = s.b.half_length;
    return arrange(s, uniform(0, 3.14), uniform(-2 * la, 2 * la), uniform(-2 * lb, 2 * lb),
                   fender_vec3_scale(fabs(some_gap()), random_direction()), 1, 1e7);
}
static scene far_away(void) /* small beside their distance */
{
    scene s = sizes();
    return arrange(s, uniform(0, 3.14), 0, 0, fender_vec3_scale(power(1, 7), random_direction()), power(-4, 1), 1);
}
static scene capsule_and_sphere(void) /* both orders, as arrange swaps */
{
    scene s = sizes();
    double la = s.a.half_length;
    s.b.sphere = true, s.b.half_length = 0;
    double scale = some_scale();
    return arrange(s, uniform(0, 3), uniform(-1.5 * la, 1.5 * la), 0, fender_vec3_scale(some_gap(), random_direction()),
                   scale, scale);
}
static scene two_spheres(void)
{
    scene s = sizes();
    s.a.sphere = s.b.sphere = true, s.a.half_length = s.b.half_length = 0;
    double gap = some_gap();
    if (gap == 0) gap = power(-300, 0);
    double scale = some_scale();
    return arrange(s, uniform(0, 3), 0, 0, fender_vec3_scale(gap, random_direction()), scale, scale);
}

static const struct class
{
    const char *name;
    scene (*make)(void);
} classes[] = {
    {"crossing", crossing},
    {"parallel", parallel},
    {"collinear", collinear},
    {"end on side", end_on_side},
    {"engulfed", engulfed},
    {"degenerate", degenerate},
    {"nearly parallel", nearly_parallel},
    {"anywhere", anywhere},
    {"1e7 m from origin", far_from_origin},
    {"far apart", far_away},
    {"capsule and sphere", capsule_and_sphere},
    {"two spheres", two_spheres},
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

/* ---- oracle ---- */
static quad dot(quad3 a, quad3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static quad3 combine(quad3 c, quad s, quad3 u, quad t, quad3 w) /* c - s u + t w */
{
    quad3 v = {c.x - s * u.x + t * w.x, c.y - s * u.y + t * w.y, c.z - s * u.z + t * w.z};
    return v;
}
static quad square_root(quad v)
{
    quad r = (quad)sqrtl((long double)v);
    if (r > 0) r = (r + v / r) / 2; /* 64 digits in, 113 out */
    return r;
}
static quad clamped(quad v, quad limit) { return v > limit ? limit : v < -limit ? -limit : v; }
/* z axis of a frame; the quaternion's own rounding is divided out. */
static quad3 axis_of(fender_quaternion q)
{
    quad w = q.w, x = q.x, y = q.y, z = q.z, n = w * w + x * x + y * y + z * z;
    quad3 axis = {2 * (x * z + w * y) / n, 2 * (y * z - w * x) / n, (w * w - x * x - y * y + z * z) / n};
    return axis;
}
static quad oracle(quad3 c, quad3 u, quad la, quad3 w, quad lb)
{
    quad uw = dot(u, w), uc = dot(u, c), wc = dot(w, c), det = 1 - uw * uw, best = -1;
    for (int set = 0; set < 5; set++) {
        quad s, t;
        if (set == 4) {
            if (!(det > 0)) continue;
            s = (uc - uw * wc) / det, t = s * uw - wc; /* t from s: their difference keeps its digits */
            if (s > la || s < -la || t > lb || t < -lb) continue;
        } else if (set < 2) {
            s = set ? la : -la, t = clamped(s * uw - wc, lb);
        } else {
            t = set == 2 ? lb : -lb, s = clamped(t * uw + uc, la);
        }
        quad3 gap = combine(c, s, u, t, w);
        quad d = dot(gap, gap);
        if (best < 0 || d < best) best = d;
    }
    return square_root(best);
}
/* The same by search: bisection on the slope of min over t, in s. Good to about 1e-9 of the size. */
static long double search(quad3 c, quad3 u, quad la, quad3 w, quad lb)
{
    long double cx = (long double)c.x, cy = (long double)c.y, cz = (long double)c.z, ux = (long double)u.x,
                uy = (long double)u.y, uz = (long double)u.z, wx = (long double)w.x, wy = (long double)w.y,
                wz = (long double)w.z, low = -(long double)la, high = (long double)la, d = 0;
    for (int i = 0; i < 90; i++) {
        long double s = (low + high) / 2, x = cx - s * ux, y = cy - s * uy, z = cz - s * uz;
        long double t = -(x * wx + y * wy + z * wz), limit = (long double)lb;
        t = t > limit ? limit : t < -limit ? -limit : t;
        x += t * wx, y += t * wy, z += t * wz;
        d = sqrtl(x * x + y * y + z * z);
        if (x * ux + y * uy + z * uz > 0) low = s;
        else high = s;
    }
    return d;
}

/* ---- checks ---- */
typedef struct tally {
    int apart, overlapping, cores_meet, mirror_failures, slopes;
    double apart_distance, overlap_distance, witness_surface, witness_gap, support, unit, rigid, slope, search;
} tally;

static void worst(double *of, double value)
{
    if (!(value <= *of)) *of = value; /* a NaN is the worst and stays */
}

static fender_geometry *make(const ball *x)
{
    fender_env env = fender_env_default();
    fender_geometry *g = x->sphere ? fender_geometry_sphere(&env, x->radius, NULL)
                                   : fender_geometry_capsule(&env, x->radius, x->half_length, NULL);
    assert_non_null(g);
    return g;
}
static long double length3(quad3 v)
{
    long double x = (long double)v.x, y = (long double)v.y, z = (long double)v.z;
    return sqrtl(x * x + y * y + z * z);
}
/* How far the point p (from the core's middle) is off the surface. */
static double off_surface(quad3 p, quad3 axis, double half_length, double radius)
{
    quad s = clamped(dot(p, axis), half_length), none = 0;
    return (double)fabsl(length3(combine(p, s, axis, none, axis)) - (long double)radius);
}
static bool same(double a, double b) { return a == b; }
static fender_separation separate(const fender_geometry *a, fender_pose pa, const fender_geometry *b, fender_pose pb)
{
    fender_separation s;
    assert_int_equal(fender_geometry_separation(a, &pa, b, &pb, &s), FENDER_STATUS_OK);
    return s;
}

static void check(const scene *s, bool sample, tally *t)
{
    fender_geometry *a = make(&s->a), *b = make(&s->b);
    fender_separation f = separate(a, s->a.pose, b, s->b.pose);
    fender_vec3 pa = s->a.pose.p, pb = s->b.pose.p, n = f.normal;
    quad3 c = {(quad)pb.x - pa.x, (quad)pb.y - pa.y, (quad)pb.z - pa.z};
    quad3 u = axis_of(s->a.pose.q), w = axis_of(s->b.pose.q), normal = {n.x, n.y, n.z};
    double la = s->a.half_length, lb = s->b.half_length, ra = s->a.radius, rb = s->b.radius;
    double size = (double)length3(c);
    size = size > la + ra ? size : la + ra;
    size = size > lb + rb ? size : lb + rb;
    if (size == 0) size = 1;

    quad core = oracle(c, u, la, w, lb);
    double expected = (double)(core - ra - rb);
    double error = (double)(core - ra - rb - f.distance) / size;
    if (expected > 0) t->apart++, worst(&t->apart_distance, fabs(error));
    else t->overlapping++, worst(&t->overlap_distance, fabs(error));
    if ((double)core < 1e-14 * size) t->cores_meet++;
    if (sample) worst(&t->search, fabs((double)((long double)core - search(c, u, la, w, lb))) / size);

    quad3 point_a = {f.point_a.x, f.point_a.y, f.point_a.z}, point_b = {f.point_b.x, f.point_b.y, f.point_b.z};
    quad one = 1, none = 0;
    worst(&t->witness_surface, off_surface(point_a, u, la, ra) / size);
    worst(&t->witness_surface, off_surface(combine(point_b, one, c, none, c), w, lb, rb) / size);
    quad3 gap = combine(point_b, one, point_a, -(quad)f.distance, normal);
    worst(&t->witness_gap, (double)length3(gap) / size);
    worst(&t->unit, fabs((double)(length3(normal) - 1)));
    quad un = dot(u, normal), wn = dot(w, normal);
    quad parted = dot(c, normal) - la * (un < 0 ? -un : un) - lb * (wn < 0 ? -wn : wn) - ra - rb;
    worst(&t->support, fabs((double)(parted - f.distance)) / size);

    fender_separation m = separate(b, s->b.pose, a, s->a.pose);
    fender_vec3 offset = fender_vec3_sub(pb, pa), back = fender_vec3_add(offset, m.point_a);
    fender_vec3 forth = fender_vec3_add(fender_vec3_negate(offset), f.point_a);
    if (s->a.sphere && s->b.sphere && length3(c) == 0) { /* nothing tells a direction but a frame: the z axis of a */
        worst(&t->witness_gap, (double)length3(combine(normal, one, u, none, u)));
        quad3 mirrored = {m.normal.x, m.normal.y, m.normal.z};
        worst(&t->witness_gap, (double)length3(combine(mirrored, one, w, none, w)));
        t->mirror_failures += !same(m.distance, f.distance);
    } else if (!(same(m.distance, f.distance) && same(m.normal.x, -n.x) && same(m.normal.y, -n.y) &&
                 same(m.normal.z, -n.z) && same(back.x, f.point_b.x) && same(back.y, f.point_b.y) &&
                 same(back.z, f.point_b.z) && same(forth.x, m.point_b.x) && same(forth.y, m.point_b.y) &&
                 same(forth.z, m.point_b.z)))
        t->mirror_failures++;

    /* Turn about a's origin, so that no digits are lost to the shift. */
    fender_quaternion frame = random_attitude();
    fender_pose ta = {fender_vec3_scale(size, random_direction()), fender_quaternion_product(frame, s->a.pose.q)};
    fender_pose tb = {fender_vec3_add(ta.p, fender_quaternion_rotate(frame, offset)),
                      fender_quaternion_product(frame, s->b.pose.q)};
    fender_separation moved = separate(a, ta, b, tb);
    worst(&t->rigid, fabs(moved.distance - f.distance) / size);

    /* Far from the origin a small step would be rounded away: continuity is tested where it can be seen. */
    double step = 1e-7 * size;
    if ((double)core > 1e-3 * size && fender_vec3_length(pa) < 10 * size) {
        fender_pose stepped = s->b.pose;
        stepped.p = fender_vec3_add_scaled(pb, step, random_direction());
        fender_separation g = separate(a, s->a.pose, b, stepped);
        double turned = fender_vec3_length(fender_vec3_sub(g.normal, n)), bound = 2 * step / (double)core;
        worst(&t->slope, fabs(g.distance - f.distance) / step);
        worst(&t->slope, turned / bound);
        t->slopes++;
    }
    fender_geometry_release(a);
    fender_geometry_release(b);
}

static void every_class_agrees_with_the_oracle(void **unused)
{
    (void)unused;
    print_message("%-19s %7s %7s %7s %9s %9s %9s %9s %9s %9s %6s %9s %9s %9s\n", "class", "apart", "overlap", "cores=0",
                  "d apart", "d overl.", "surface", "gap", "support", "unit", "mirror", "rigid", "slope", "search");
    bool passed = true;
    for (int k = 0; k < CLASSES; k++) {
        tally t;
        memset(&t, 0, sizeof t);
        state = (uint64_t)SEED * CLASSES + (uint64_t)k;
        for (int i = 0; i < POSES; i++) {
            scene s = classes[k].make();
            check(&s, i % 100 == 0, &t);
        }
        print_message("%-19s %7d %7d %7d %9.1e %9.1e %9.1e %9.1e %9.1e %9.1e %6d %9.1e %9.6f %9.1e\n", classes[k].name,
                      t.apart, t.overlapping, t.cores_meet, t.apart_distance, t.overlap_distance, t.witness_surface,
                      t.witness_gap, t.support, t.unit, t.mirror_failures, t.rigid, t.slope, t.search);
        passed &= t.apart + t.overlapping == POSES && t.apart_distance <= 1e-14 && t.overlap_distance <= 1e-14;
        passed &= t.witness_surface <= 1e-14 && t.witness_gap <= 1e-14 && t.support <= 1e-14 && t.unit <= 4e-16;
        passed &= t.mirror_failures == 0 && t.rigid <= 1e-13 && t.slope <= 1.00001 && t.search <= 1e-8;
    }
    assert_true(passed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_class_agrees_with_the_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
