/* A disk, cylinder, cone or capsule on a floor.
 *
 * Energy = k/2 f, where f is homogeneous of degree 2 in depths of points of the body, so that the points' weights are
 * found from its gradient, and depends beside that on the elevation of the axis alone: rolling changes nothing.
 *
 *   f = p cap + (1 - p) (q line + (1 - q) tip^2)
 *
 * tip: depth of the lowest point. cap: the mean of depth^2 over the lower cap while the pressure's centre lies within
 * it (slope R / depth of its centre < 4), from there on tip^2 / 5. line: the mean of depth^2 over the lowest ruling
 * line while the pressure's centre lies within it, from there on tip^2 / 4. Both pass over with continuous gradients.
 * p = sigma^4 for the sine sigma of the axis' elevation (1: flat on the cap), q = (1 - psi^2)^2 for the sine psi of the
 * line's (0: it lies on the floor). So the stiffness is k flat on the cap, k on the side, k on a tip or rim that stands
 * upright, and nowhere below k / 5.
 *
 * The pressure of a cap that is about to lift is that of a smaller disk of even weight, shifted towards the tip, and of
 * the tip itself, with the same force, torque and energy (any points in a linear field of depth that have force and
 * torque have the energy); four points stand for it. A line is two Gauss points of a part of the line, likewise. */
#include "collide/patch_floor.h"

/* Part of the way that the shifted disk or line would have to go to have the whole torque; the tip has the rest. */
#define WAY 0.6
/* Up to here slope R / depth of a cap of even pressure: sqrt 5 - 1. */
#define EVEN_CAP 1.2360679774997896964
/* A slope that is rounding. */
#define FLAT   1e-15
#define SQRT_3 1.7320508075688772935

typedef struct round_body {
    fender_vec3 axis, down; /* unit; down: steepest descent in the cap */
    double sigma, slope;    /* sine and cosine of the elevation of the axis */
    double depth;           /* of the origin */
    /* cap */
    double p, dp; /* and its derivative by sigma */
    double cap_z, radius, cap_depth;
    int cap_number;
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
    double squared = r->sigma * r->sigma;
    r->p = squared * squared;
    r->dp = 4 * squared * r->sigma;
    r->cap_z = z;
    r->radius = radius;
    r->cap_depth = depth_of(r, z, 0);
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

static void describe_disk(round_body *r, double radius)
{
    const double z[2] = {0, 0}, radii[2] = {radius, radius};
    set_line(r, z, radii);
    set_cap(r, 0, radius, r->sigma >= 0 ? 0 : 1);
}

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

static round_body describe(const fnd_patch_floor *f)
{
    const fender_geometry *g = f->solid->geometry;
    round_body r = {0};
    r.axis = fender_mat3_column(&f->solid->R_WG, 2);
    r.sigma = fender_vec3_dot(r.axis, f->normal);
    fender_vec3 across = fender_vec3_add_scaled(f->normal, -r.sigma, r.axis);
    across = fender_vec3_add_scaled(across, -fender_vec3_dot(across, r.axis), r.axis); /* rounding of a small one */
    r.slope = fender_vec3_length(across);
    if (r.slope > FLAT) {
        r.down = fender_vec3_scale(-1 / r.slope, across);
    } else {
        r.slope = 0;
        r.down = fender_mat3_column(&f->solid->R_WG, 0);
    }
    r.depth = fnd_patch_depth(f, f->solid_p) + f->lift;
    double half = g->half_length, radius = g->type == FENDER_GEOMETRY_CAPSULE ? 0 : g->radius;
    if (half == 0) describe_disk(&r, radius);
    else if (g->type == FENDER_GEOMETRY_CONE && radius > 0) describe_cone(&r, radius, half);
    else describe_cylinder(&r, radius, half);
    if (radius == 0) r.p = r.dp = 0;
    return r;
}

static void add(fnd_patch_floor *f, const round_body *r, fender_vec3 arm, double weight, fnd_patch_kind kind,
                int number, int index)
{
    double depth = r->depth - fender_vec3_dot(f->normal, arm) - f->lift;
    fnd_patch_add(f, fender_vec3_add(f->solid_p, arm), depth, weight, kind, number, index);
}

/* Adds the cap's part, returns its value of f; *tip_weight gets what the tip carries of it. */
static double add_cap(fnd_patch_floor *f, const round_body *r, double *tip_weight)
{
    double depth = r->cap_depth, rise = r->radius * r->slope;
    if (!(rise < 4 * depth)) {
        *tip_weight = 0.2;
        return 0.2 * r->tip_depth * r->tip_depth;
    }
    double slope = rise / depth, middle = 0, share = 0;
    if (slope > EVEN_CAP) {
        middle = WAY * (slope * slope + 2 * slope - 4) / (5 * slope);
        double center = middle + slope * (1 - middle) * (1 - middle) / (4 * (1 + slope * middle));
        share = (0.25 * slope - center) / (1 - center);
    }
    *tip_weight = share / (1 + slope);
    double weight = 0.25 * r->p * (1 - share) / (1 + slope * middle), s = 0.5 * r->radius * (1 - middle);
    fender_vec3 x = fender_vec3_scale(s, fender_mat3_column(&f->solid->R_WG, 0));
    fender_vec3 y = fender_vec3_scale(s, fender_mat3_column(&f->solid->R_WG, 1));
    fender_vec3 at = point_of(r, r->cap_z, r->radius * middle);
    fender_vec3 sum = fender_vec3_add(x, y), difference = fender_vec3_sub(x, y);
    add(f, r, fender_vec3_add(at, sum), weight, FND_PATCH_CAP, r->cap_number, 0);
    add(f, r, fender_vec3_sub(at, difference), weight, FND_PATCH_CAP, r->cap_number, 1);
    add(f, r, fender_vec3_sub(at, sum), weight, FND_PATCH_CAP, r->cap_number, 2);
    add(f, r, fender_vec3_add(at, difference), weight, FND_PATCH_CAP, r->cap_number, 3);
    return depth * depth + 0.25 * rise * rise;
}

/* The same of the line; `part` is its weight in f. */
static double add_line(fnd_patch_floor *f, const round_body *r, double part, double *tip_weight)
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

void fnd_patch_add_round(fnd_patch_floor *f)
{
    round_body r = describe(f);
    double p = r.p, q = r.q;
    if (!(r.tip_depth > 0)) { /* apart: the tip is all that would touch */
        double weight = 0.2 * p + (1 - p) * (0.25 * q + (1 - q));
        add(f, &r, r.tip, weight, FND_PATCH_TIP, r.tip_number, 0);
        return;
    }
    double cap = 0, line = 0, tip = r.tip_depth * r.tip_depth, cap_tip = 0, line_tip = 0;
    if (p > 0) cap = add_cap(f, &r, &cap_tip);
    if (q > 0) line = add_line(f, &r, (1 - p) * q, &line_tip);
    double weight = p * cap_tip + (1 - p) * (q * line_tip + (1 - q));
    add(f, &r, r.tip, weight, FND_PATCH_TIP, r.tip_number, 0);
    /* what p and q do as the axis turns: a moment along the horizontal part of the axis */
    double change = r.dp * (cap - (q * line + (1 - q) * tip)) + (1 - p) * (line - tip) * r.dq;
    fender_vec3 horizontal = fender_vec3_add_scaled(r.axis, -r.sigma, f->normal);
    f->moment = fender_vec3_add_scaled(f->moment, -0.5 * change, horizontal);
}
