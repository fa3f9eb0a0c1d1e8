/* Disks, cylinders, cones and capsules on a plane (docs/models/contact_patches.md).
 *
 * The energy depends on the depth and on the elevation of the axis alone: rolling changes nothing. For a linear law:
 *
 *   U = k/2 ( c(down) mean over the cap of depth^2 where it is below + (1 - s(down)) rest ),   c = down s
 *
 * down: sine of the axis' elevation, 1: flat on the cap; s as on other ground (fnd_cap_lying). The rest is the lowest
 * ruling line of a cylinder, likewise with the part of it that is below, or the lowest point of a disk's rim. A cone
 * and a capsule have no line that would rise smoothly where they stand on their tip; their rest is
 *
 *   q line + (1 - q) tip^2
 *
 * tip: depth of the lowest point. line: the mean of depth^2 over the lowest ruling line while the pressure's centre
 * lies within it, from there on tip^2 / 4, with a continuous gradient. q = (1 - psi^2)^2 for the sine psi of the line's
 * elevation (0: it lies on the floor). */
#include "collide/patch_section.h"
#include "collide/plane_floor.h"
#include "geometry/geometry.h"
#include <assert.h>
#include <math.h>

/* Part of the way that the shifted line would have to go to have the whole torque; the tip has the rest. */
#define WAY 0.6
/* A slope that is rounding. */
#define FLAT   1e-15
#define SQRT_3 1.7320508075688772935

typedef struct round_body {
    fender_vec3 axis, down; /* unit; down: steepest descent in the cap */
    double sigma, slope;    /* sine and cosine of the elevation of the axis */
    double depth;           /* of the origin, below the border */
    fender_vec3 turning;    /* the sine's growth, as a moment */
    /* cap */
    double cap_z, radius;
    int cap_number;
    double lying, dlying; /* s, and its derivative by sigma */
    double cap, dcap;     /* c, likewise */
    /* tip and line: points relative to the origin */
    fender_vec3 tip, far; /* ends of the line */
    double tip_depth, far_depth;
    double q, dq;
    int tip_number;
    bool tip_is_upper;
} round_body;

static fender_vec3 point_of(const round_body *r, double z, double radius)
{
    return fender_vec3_add(fender_vec3_scale(z, r->axis), fender_vec3_scale(radius, r->down));
}
static double depth_of(const round_body *r, double z, double radius)
{
    return r->depth - z * r->sigma + radius * r->slope;
}

static void set_cap(round_body *r, double z, double radius, int number)
{
    const double sign = r->sigma < 0 ? -1 : 1, down = fabs(r->sigma);
    r->lying = fnd_cap_lying(down, &r->dlying);
    r->cap = fnd_cap_counted(down, &r->dcap);
    r->dlying *= sign;
    r->dcap *= sign;
    r->cap_z = z;
    r->radius = radius;
    r->cap_number = number;
}

/* The deeper of the points at z[i], radius[i] is the tip. */
static void set_line(round_body *r, const double z[2], const double radius[2])
{
    double depth[2] = {depth_of(r, z[0], radius[0]), depth_of(r, z[1], radius[1])};
    int tip = depth[1] > depth[0] ? 1 : 0, far = 1 - tip;
    r->tip = point_of(r, z[tip], radius[tip]);
    r->far = point_of(r, z[far], radius[far]);
    r->tip_depth = depth[tip];
    r->far_depth = depth[far];
    r->tip_number = tip;
    r->tip_is_upper = tip == 1;
}

/* Also a disk and, without a radius, a capsule. */
static void describe_cylinder(round_body *r, double radius, double half)
{
    const double z[2] = {-half, half}, radii[2] = {radius, radius};
    set_line(r, z, radii);
    if (radius > 0) set_cap(r, r->sigma >= 0 ? -half : half, radius, r->sigma >= 0 ? 0 : 1);
    r->q = r->slope * r->slope * r->slope * r->slope;
    r->dq = -4 * r->sigma * r->slope * r->slope;
}

static void describe_cone(round_body *r, double radius, double half)
{
    const double z[2] = {-half, half}, radii[2] = {radius, 0};
    set_line(r, z, radii);
    if (r->sigma > 0) set_cap(r, -half, radius, 0);
    double length = sqrt(4 * half * half + radius * radius);
    double psi = (2 * half * r->sigma + radius * r->slope) / length, cosine = 1 - psi * psi;
    double dpsi = r->slope > 0 ? (2 * half - radius * r->sigma / r->slope) / length : 0;
    r->q = cosine * cosine;
    r->dq = -4 * psi * cosine * dpsi;
    /* Upright on the apex no line is the lowest: it fades from where the cone lies on its side. */
    double lying = radius / length, beyond = (-r->sigma - lying) / (1 - lying);
    if (beyond > 0) {
        double part = 1 - beyond * beyond;
        r->dq = r->dq * part + r->q * (2 * beyond / (1 - lying));
        r->q *= part;
    }
}

static bool is_cone(const fender_geometry *g)
{
    return g->type == FENDER_GEOMETRY_CONE && g->radius > 0 && g->half_length > 0;
}

bool fnd_floor_round_splits(const fender_geometry *g)
{
    return g->type != FENDER_GEOMETRY_CAPSULE && g->radius > 0 && !is_cone(g);
}

static round_body describe(const fnd_floor *f)
{
    const fender_geometry *g = f->solid->geometry;
    round_body r = {0};
    r.axis = fender_mat3_column(&f->solid->R_WG, 2);
    r.sigma = fender_vec3_dot(r.axis, f->normal);
    const fender_vec3 horizontal = fender_vec3_add_scaled(r.axis, -r.sigma, f->normal);
    r.turning = fender_vec3_cross(f->normal, horizontal);
    fender_vec3 across = fender_vec3_add_scaled(f->normal, -r.sigma, r.axis);
    across = fender_vec3_add_scaled(across, -fender_vec3_dot(across, r.axis), r.axis); /* rounding of a small one */
    r.slope = fender_vec3_length(across);
    if (r.slope > FLAT) {
        r.down = fender_vec3_scale(-1 / r.slope, across);
    } else {
        r.slope = 0;
        r.down = fender_mat3_column(&f->solid->R_WG, 0);
    }
    r.depth = fnd_floor_depth(f, f->solid_p) + f->border;
    if (is_cone(g)) describe_cone(&r, g->radius, g->half_length);
    else describe_cylinder(&r, g->type == FENDER_GEOMETRY_CAPSULE ? 0 : g->radius, g->half_length);
    return r;
}

/* Depth of a point relative to the origin. */
static double depth_at(const fnd_floor *f, const round_body *r, fender_vec3 arm)
{
    return r->depth - fender_vec3_dot(f->normal, arm) - f->border;
}

static void add(fnd_floor *f, const round_body *r, fender_vec3 arm, double weight, fnd_patch_kind kind, int number,
                int index)
{
    fnd_floor_add(f, fender_vec3_add(f->solid_p, arm), depth_at(f, r, arm), weight, kind, number, index);
}

/* What the part of the energy does that changes by sigma: a moment along the horizontal part of the axis. */
static void add_change(fnd_floor *f, const round_body *r, double change)
{
    f->moment = fender_vec3_add_scaled(f->moment, -0.5 * change, fender_vec3_add_scaled(r->axis, -r->sigma, f->normal));
}

static fender_vec3 turn_by(const round_body *r, double change, double weight)
{
    return weight > 0 ? fender_vec3_scale(change / weight, r->turning) : fender_vec3_make(0, 0, 0);
}

/* The part of the cap that is below, a segment of the circle, in axes that turn with the body. */
static void add_cap(fnd_floor *f, const round_body *r)
{
    const double depth = depth_of(r, r->cap_z, 0), rise = r->slope * r->radius, farthest = 2 * r->radius;
    if (!(r->cap > 0) || !(depth + rise > 0)) return;
    const double low = rise > depth ? -depth / r->slope : -farthest;
    double high = farthest; /* where the part ends that is apart */
    if (f->apart && depth - rise > f->border) return;
    if (f->apart && depth + rise > f->border) high = (f->border - depth) / r->slope;
    const fnd_area_moments below = fnd_area_of_band(r->radius, low, high);
    if (!(below.area > 0)) return;
    const fender_vec3 x = fender_mat3_column(&f->solid->R_WG, 0), y = fender_mat3_column(&f->solid->R_WG, 1);
    const double c = fender_vec3_dot(r->down, x), s = fender_vec3_dot(r->down, y);
    const fnd_area_moments area = {.area = below.area,
                                   .x = c * below.x,
                                   .y = s * below.x,
                                   .xx = c * c * below.xx + s * s * below.yy,
                                   .xy = c * s * (below.xx - below.yy),
                                   .yy = s * s * below.xx + c * c * below.yy};
    fender_vec2 points[4];
    fnd_area_points(&area, points);
    const double part = area.area / f->full_area;
    double square = 0, depths[4]; /* mean of depth^2 */
    f->turn = turn_by(r, r->dcap, r->cap);
    if (f->exponent != 1) {
        fnd_power_part powers = {.exponent = f->exponent};
        fnd_power_add_segment(&powers, r->radius, low, r->slope, depth);
        powers.y = s * powers.x;
        powers.x *= c;
        f->denser = fnd_power_fit_points(&powers, area.area, c * r->slope, s * r->slope, depth, points, depths);
    }
    for (int k = 0; k < 4; k++) {
        fender_vec3 arm = fender_vec3_add_scaled(fender_vec3_scale(r->cap_z, r->axis), points[k].x, x);
        arm = fender_vec3_add_scaled(arm, points[k].y, y);
        const double here = f->exponent != 1 ? depths[k] : depth_at(f, r, arm);
        square += 0.25 * here * here;
        fnd_floor_add(f, fender_vec3_add(f->solid_p, arm), here, 0.25 * r->cap * part * f->denser, FND_PATCH_CAP,
                      r->cap_number, f->apart ? FND_FLOOR_APART + k : k);
    }
    f->denser = 1;
    add_change(f, r, r->dcap * part * square);
}

/* The lowest line of a cylinder, the lowest point of a disk. The depth is measured to the side, across the axis. */
static void add_side(fnd_floor *f, const round_body *r, double half)
{
    if (!(r->lying < 1)) return;
    const double across = r->slope * r->slope, weight = (1 - r->lying) / across;
    const double change = (2 * weight * r->sigma - r->dlying) / across;
    f->turn = turn_by(r, change, weight);
    double square;
    if (half > 0) {
        square = fnd_floor_add_line(f, point_of(r, -half, r->radius), point_of(r, half, r->radius), weight, 0);
    } else {
        const double depth = depth_at(f, r, r->tip);
        if (!(depth > -f->border) || (f->apart && depth >= 0)) return;
        add(f, r, r->tip, weight, FND_PATCH_TIP, r->tip_number, f->apart ? FND_FLOOR_APART : 0);
        square = weight * depth * depth;
    }
    add_change(f, r, change / weight * square);
}

/* Adds the line of a cone or a capsule, `part` is its weight; returns its value, *tip_weight gets what the tip carries
 * of it. The pressure of a line that is about to lift is that of a shorter line of even weight, shifted towards the
 * tip, and of the tip itself, with the same force, torque and energy (any points in a linear field of depth that have
 * force and torque have the energy); so no point vanishes with a weight. */
static double add_line(fnd_floor *f, const round_body *r, double part, double *tip_weight)
{
    double depth = 0.5 * (r->tip_depth + r->far_depth), rise = 0.5 * (r->tip_depth - r->far_depth);
    if (!(rise < 3 * depth)) {
        *tip_weight = 0.25;
        return 0.25 * r->tip_depth * r->tip_depth;
    }
    double slope = rise / depth, middle = 0, share = 0;
    if (slope > 1) {
        middle = WAY * (slope + 3) * (slope - 1) / (4 * slope);
        double center = middle + slope * (1 - middle) * (1 - middle) / (3 * (1 + slope * middle));
        share = (slope / 3 - center) / (1 - center);
    }
    *tip_weight = share / (1 + slope);
    double weight = 0.5 * part * (1 - share) / (1 + slope * middle), s = (1 - middle) / SQRT_3;
    fender_vec3 center = fender_vec3_scale(0.5, fender_vec3_add(r->tip, r->far));
    fender_vec3 arm = fender_vec3_scale(0.5, fender_vec3_sub(r->tip, r->far));
    int near_tip = r->tip_is_upper ? 1 : 0;
    add(f, r, fender_vec3_add_scaled(center, middle + s, arm), weight, FND_PATCH_LINE, 0, near_tip);
    add(f, r, fender_vec3_add_scaled(center, middle - s, arm), weight, FND_PATCH_LINE, 0, 1 - near_tip);
    return depth * depth + rise * rise / 3;
}

/* The same for a force depth^n. The line is tip^(n + 1) h(x) at x = far / tip: the mean of depth^(n + 1) while all of
 * it is below, and from there on
 *
 *   h = (1 + x + x^2) / (n + 2),   at the least 3/4 / (n + 2), from x = -1/2 on.
 *
 * The tip takes 4 x^2 of it there. (For n = 1 this is the line above, whose points are others.) */
static void add_line_of_power(fnd_floor *f, const round_body *r, double part, double *tip_weight)
{
    const double n = f->exponent, x = r->far_depth / r->tip_depth;
    double h = 0.75 / (n + 2), slope = 0, energy;
    *tip_weight = h;
    if (!(x > -0.5)) return;
    *tip_weight = 0;
    if (x > 0) {
        double force, first;
        fnd_power_of_line(n, 1, x, &force, &first, &h);
        slope = (n + 1) * first; /* the mean of the derivative of depth^(n + 1) by the depth of the far end */
    } else {
        h = (1 + x + x * x) / (n + 2);
        slope = (1 + 2 * x) / (n + 2);
        *tip_weight = 4 * x * x * h;
    }
    /* over the tip's depth^n: what the two points have, and where, from the tip on (0) to the far end (1) */
    const double far_force = slope / (n + 1), force = h + (1 - x) * far_force - *tip_weight, center = far_force / force;
    double ways[2], depths[2], has = 0, has_first = 0, has_energy = 0, deeper, more;
    for (int k = 0; k < 2; k++) {
        ways[k] = center * (k == 0 ? 1 - 1 / SQRT_3 : 1 + 1 / SQRT_3);
        depths[k] = 1 + ways[k] * (x - 1);
        const double one = 0.5 * fnd_power_of_depth(depths[k], n);
        has += one;
        has_first += one * ways[k];
        has_energy += one * depths[k];
    }
    energy = h - *tip_weight;
    if (!fnd_power_fit_to(n, has, has_energy, force, energy, &deeper, &more)) return;
    const fender_vec3 along = fender_vec3_sub(r->far, r->tip);
    const int near_tip = r->tip_is_upper ? 1 : 0;
    for (int k = 0; k < 2; k++) {
        const fender_vec3 arm = fender_vec3_add_scaled(r->tip, ways[k] + center - has_first / has, along);
        fnd_floor_add(f, fender_vec3_add(f->solid_p, arm), r->tip_depth * (deeper * depths[k]), 0.5 * part * more,
                      FND_PATCH_LINE, 0, k == 0 ? near_tip : 1 - near_tip);
    }
}

/* Line and tip of a cone or a capsule; the tip alone, where all that would touch is apart. */
static void add_line_and_tip(fnd_floor *f, const round_body *r)
{
    const double rest = 1 - r->lying, q = r->q, tip = r->tip_depth * r->tip_depth;
    double line = 0.25 * tip, line_tip = 0.25;
    if (!(rest > 0)) return;
    const bool touches = r->tip_depth > 0;
    if (touches && q > 0) {
        f->turn = turn_by(r, rest * r->dq - r->dlying * q, rest * q);
        if (f->exponent == 1) line = add_line(f, r, rest * q, &line_tip);
        else add_line_of_power(f, r, rest * q, &line_tip);
    }
    const double weight = rest * (q * line_tip + (1 - q));
    f->turn = turn_by(r, rest * (line_tip - 1) * r->dq - r->dlying * (q * line_tip + (1 - q)), weight);
    add(f, r, r->tip, weight, FND_PATCH_TIP, r->tip_number, 0);
    if (touches) add_change(f, r, rest * (line - tip) * r->dq - r->dlying * (q * line + (1 - q) * tip));
}

void fnd_floor_add_round(fnd_floor *f)
{
    const fender_geometry *g = f->solid->geometry;
    const round_body r = describe(f);
    add_cap(f, &r);
    if (fnd_floor_round_splits(g)) add_side(f, &r, g->half_length);
    else add_line_and_tip(f, &r);
}
