/* Gravity and inertial forces in a planet-fixed frame.
 *
 *     a = g(R + r) - W x (W x (R + r)) - 2 W x v,     R from the planet's centre to the origin of the frame
 *
 * At the Earth's radius R + r has lost 1e-9 m of r. So g(R + r) - g(R) is formed from r: with q = r.(r + 2 R) / R^2,
 * |R + r|^2 = R^2 (1 + q), and (1 + q)^(-n/2) - 1 is written as a product with q (Encke's device; Battin, "An
 * Introduction to the Mathematics and Methods of Astrodynamics", section 10.2). What a body at rest at the origin feels
 * is one constant vector. Potentials are differences in the same way.
 *
 * The field of j2 with unit axis n, s = rho.n, c = mu j2 radius^2 / 2 (Vallado, "Fundamentals of Astrodynamics and
 * Applications", section 8.6):
 *
 *     U = c (3 s^2 / rho^5 - 1 / rho^3),   g = -3 c [rho / rho^5 - 5 s^2 rho / rho^7 + 2 s n / rho^5]
 *
 * A frame in orbit does not turn. Its origin falls with the gravity of the point mass alone, an ellipse in closed form,
 * so that bodies feel g(R + r) - g(R), and what j2 gives the origin besides:
 *
 *     a = (g(R + r) - g(R)) + g_j2(R),     R = R(t)
 *
 * Rotation. With w and L = J w relative to the frame, the momentum L + J W of the body in inertial space changes by the
 * torques alone; seen in the frame that is
 *
 *     L' = torque - W x L - W x J W - w x J W + J (w x W)
 *
 * whose power is the change of 1/2 W.J W. */
#include "planet/frame_field.h"
#include "math/rotation.h"
#include <assert.h>

#include "base/error.h"

static fender_vec3 cross(fender_vec3 a, fender_vec3 b) { return fender_vec3_cross(a, b); }

/* (1 + q)^(-n/2) - 1 for n = 1, 3, 5, 7. */
typedef struct power_changes {
    double first, third, fifth, seventh;
} power_changes;

static power_changes changes(double q)
{
    double one = 1 + q, root = sqrt(one), p3 = one * root, p5 = p3 * one, p7 = p5 * one;
    /* 1 - (1 + q)^n without the ones */
    double n3 = -q * (3 + q * (3 + q)), n5 = -q * (5 + q * (10 + q * (10 + q * (5 + q))));
    double n7 = -q * (7 + q * (21 + q * (35 + q * (35 + q * (21 + q * (7 + q))))));
    return (power_changes){-q / (root * (1 + root)), n3 / (p3 * (1 + p3)), n5 / (p5 * (1 + p5)), n7 / (p7 * (1 + p7))};
}

/* ---- about a centre, rho from it */

static fender_vec3 central_gravity(double mu, double oblate, fender_vec3 axis, fender_vec3 rho)
{
    assert(oblate == 0 || fnd_is_unit(axis)); /* spheres may have no axis */
    double square = fender_vec3_dot(rho, rho), r3 = square * sqrt(square), r5 = r3 * square;
    fender_vec3 g = fender_vec3_scale(-mu / r3, rho);
    if (oblate == 0) return g;
    double s = fender_vec3_dot(rho, axis), along = 1 - 5 * (s * s / square);
    g = fender_vec3_add_scaled(g, -3 * oblate * along / r5, rho);
    return fender_vec3_add_scaled(g, -6 * oblate * s / r5, axis);
}

static double central_potential(double mu, double oblate, fender_vec3 axis, fender_vec3 rho)
{
    assert(oblate == 0 || fnd_is_unit(axis)); /* spheres may have no axis */
    double square = fender_vec3_dot(rho, rho), root = sqrt(square), s = fender_vec3_dot(rho, axis);
    return -mu / root + oblate * (3 * (s * s / square) - 1) / (square * root);
}

fender_vec3 fender_planet_gravity(const fender_planet *planet, fender_vec3 position)
{
    double radius = planet->gravity_radius > 0 ? planet->gravity_radius : planet->equatorial_radius;
    return central_gravity(planet->mu, 0.5 * planet->mu * planet->j2 * radius * radius, (fender_vec3){0, 0, 1},
                           position);
}

/* ---- differences to the origin of a local frame */

static double expansion(const fnd_frame_field *f, fender_vec3 r)
{
    double ahead = fender_vec3_dot(r, fender_vec3_add_scaled(r, 2, f->origin));
    return ahead * f->inverse * f->inverse;
}

/* g(R + r) - g(R) */
static fender_vec3 gravity_change(const fnd_frame_field *f, fender_vec3 r)
{
    power_changes k = changes(expansion(f, r));
    fender_vec3 rho = fender_vec3_add(f->origin, r);
    double i2 = f->inverse * f->inverse, i3 = i2 * f->inverse;
    fender_vec3 third = fender_vec3_add_scaled(r, k.third, rho); /* rho / |rho|^3 - R / R^3, times R^3 */
    fender_vec3 g = fender_vec3_scale(-f->mu * i3, third);
    if (f->oblate == 0) return g;
    double s0 = fender_vec3_dot(f->origin, f->axis), ds = fender_vec3_dot(r, f->axis), s = s0 + ds;
    double squares = ds * (2 * s0 + ds); /* s^2 - s0^2 */
    fender_vec3 fifth = fender_vec3_add_scaled(r, k.fifth, rho), seventh = fender_vec3_add_scaled(r, k.seventh, rho);
    fender_vec3 sum = fender_vec3_add_scaled(fifth, -5 * s * s * i2, seventh);
    sum = fender_vec3_add_scaled(sum, -5 * squares * i2, f->origin);
    sum = fender_vec3_add_scaled(sum, 2 * (ds + k.fifth * s), f->axis);
    return fender_vec3_add_scaled(g, -3 * f->oblate * i3 * i2, sum);
}

static double potential_change(const fnd_frame_field *f, fender_vec3 r)
{
    power_changes k = changes(expansion(f, r));
    double i2 = f->inverse * f->inverse, i3 = i2 * f->inverse, energy = -f->mu * f->inverse * k.first;
    if (f->oblate == 0) return energy;
    double s0 = fender_vec3_dot(f->origin, f->axis), ds = fender_vec3_dot(r, f->axis), s = s0 + ds;
    double squares = ds * (2 * s0 + ds) + k.fifth * s * s;
    return energy + f->oblate * i3 * (3 * i2 * squares - k.third);
}

/* ---- what bodies feel */

fender_vec3 fnd_frame_gravity(const fnd_frame_field *f, fender_vec3 p)
{
    const fender_gravity *g = &f->gravity;
    switch (g->kind) {
    case FENDER_GRAVITY_NONE: break;
    case FENDER_GRAVITY_UNIFORM: return g->acceleration;
    case FENDER_GRAVITY_POINT_MASS:
        return central_gravity(g->mu, f->j2_oblate, f->j2_axis, fender_vec3_sub(p, g->center));
    case FENDER_GRAVITY_PLANET: return central_gravity(f->mu, f->oblate, f->axis, fender_vec3_add(f->origin, p));
    }
    return (fender_vec3){0, 0, 0};
}

fender_vec3 fnd_frame_acceleration(const fnd_frame_field *f, fender_vec3 p, fender_vec3 v)
{
    bool local = f->gravity.kind == FENDER_GRAVITY_PLANET && f->inverse > 0;
    fender_vec3 a = fender_vec3_add(f->at_rest, local ? gravity_change(f, p) : fnd_frame_gravity(f, p));
    if (!f->rotating) return a;
    a = fender_vec3_sub(a, cross(f->omega, cross(f->omega, p)));
    return fender_vec3_add_scaled(a, -2, cross(f->omega, v));
}

fender_vec3 fnd_frame_inertia_times(const fender_mat3 *inertia, const fender_mat3 *R_WB, fender_vec3 x)
{
    return fender_mat3_times(R_WB, fender_mat3_times(inertia, fender_mat3_transpose_times(R_WB, x)));
}

fender_vec3 fnd_frame_torque(const fnd_frame_field *f, const fender_mat3 *inertia, const fender_mat3 *R_WB,
                             fender_vec3 w, fender_vec3 L)
{
    fender_vec3 turning = fnd_frame_inertia_times(inertia, R_WB, f->omega);
    fender_vec3 both = fender_vec3_add(cross(f->omega, fender_vec3_add(L, turning)), cross(w, turning));
    return fender_vec3_sub(fnd_frame_inertia_times(inertia, R_WB, cross(w, f->omega)), both);
}

/* ---- the extent of bodies
 *
 * With the unit vector n from the centre to the body and r their distance (MacCullagh's formula; Hughes, "Spacecraft
 * Attitude Dynamics", section 8.1):
 *
 *     U = -mu / (2 r^3) (tr J - 3 n.Jn),   torque = 3 mu / r^3 n x Jn,
 *     force = -3 mu / (2 r^4) (tr J n + 2 Jn - 5 (n.Jn) n)
 *
 * The moment of both about the centre is zero, so that they keep energy and angular momentum. */

/* From the centre of attraction to the body; its mu. */
static fender_vec3 from_center(const fnd_frame_field *f, fender_vec3 p, double *mu)
{
    bool planet = f->gravity.kind == FENDER_GRAVITY_PLANET;
    assert(planet || f->gravity.kind == FENDER_GRAVITY_POINT_MASS);
    *mu = planet ? f->mu : f->gravity.mu;
    return planet ? fender_vec3_add(f->origin, p) : fender_vec3_sub(p, f->gravity.center);
}

static double trace(const fender_mat3 *m) { return m->m[0][0] + m->m[1][1] + m->m[2][2]; }

void fnd_frame_gradient(const fnd_frame_field *f, const fender_mat3 *inertia, const fender_mat3 *R_WB, fender_vec3 p,
                        fender_vec3 *force, fender_vec3 *torque)
{
    double mu, r;
    fender_vec3 rho = from_center(f, p, &mu), n, Jn, sum;
    r = fender_vec3_length(rho);
    n = fender_vec3_scale(1 / r, rho);
    Jn = fnd_frame_inertia_times(inertia, R_WB, n);
    sum = fender_vec3_scale(trace(inertia) - 5 * fender_vec3_dot(n, Jn), n);
    sum = fender_vec3_add_scaled(sum, 2, Jn);
    *force = fender_vec3_scale(-1.5 * mu / (r * r * r * r), sum);
    *torque = fender_vec3_scale(3 * mu / (r * r * r), cross(n, Jn));
}

double fnd_frame_gradient_energy(const fnd_frame_field *f, const fender_mat3 *inertia, const fender_mat3 *R_WB,
                                 fender_vec3 p)
{
    double mu;
    fender_vec3 rho = from_center(f, p, &mu);
    double square = fender_vec3_dot(rho, rho);
    double along = fender_vec3_dot(rho, fnd_frame_inertia_times(inertia, R_WB, rho)) / square;
    return -0.5 * mu / (square * sqrt(square)) * (trace(inertia) - 3 * along);
}

double fnd_frame_potential(const fnd_frame_field *f, fender_vec3 p, fender_vec3 reference)
{
    const fender_gravity *g = &f->gravity;
    switch (g->kind) {
    case FENDER_GRAVITY_NONE: break;
    case FENDER_GRAVITY_UNIFORM: return -fender_vec3_dot(g->acceleration, fender_vec3_sub(p, reference));
    case FENDER_GRAVITY_POINT_MASS:
        return central_potential(g->mu, f->j2_oblate, f->j2_axis, fender_vec3_sub(p, g->center));
    case FENDER_GRAVITY_PLANET:
        if (f->inverse > 0 && !f->falling) return potential_change(f, p);
        return central_potential(f->mu, f->oblate, f->axis, fender_vec3_add(f->origin, p));
    }
    return 0;
}

fender_vec3 fnd_frame_velocity(const fnd_frame_field *f, fender_vec3 p)
{
    if (f->falling) return f->velocity;
    return fender_vec3_add(cross(f->omega, f->origin), cross(f->omega, p));
}

double fnd_frame_centrifugal(const fnd_frame_field *f, double mass, fender_vec3 p, const fender_mat3 *inertia,
                             const fender_mat3 *R_WB)
{
    if (!f->rotating) return 0;
    fender_vec3 own = cross(f->omega, p), origin = cross(f->omega, f->origin);
    double place = fender_vec3_dot(own, fender_vec3_add_scaled(own, 2, origin));
    double inner = fender_vec3_dot(f->omega, fnd_frame_inertia_times(inertia, R_WB, f->omega));
    return -0.5 * (mass * place + inner);
}

/* ---- making it */

static fender_status refuse(fender_status status, const char *path, const char *message, const char *expected,
                            fender_error *error)
{
    return fnd_fail(error, status, path, message, "", expected, "");
}

static fender_status check_gravity(const fender_world_def *def, fender_error *error)
{
    const fender_gravity *g = &def->gravity;
    if ((unsigned)g->kind > FENDER_GRAVITY_PLANET)
        return refuse(FENDER_STATUS_ARGUMENT, "world.gravity", "the kind of gravity is unknown",
                      "none, uniform, point mass or planet", error);
    bool point = g->kind == FENDER_GRAVITY_POINT_MASS;
    if ((g->kind == FENDER_GRAVITY_UNIFORM && !fender_vec3_is_finite(g->acceleration)) ||
        (point && (!(g->mu > 0) || !isfinite(g->mu) || !fender_vec3_is_finite(g->center))))
        return refuse(FENDER_STATUS_VALUE, "world.gravity", "gravity is not finite, or mu not above zero",
                      point ? "mu above 0 m^3/s^2 and a finite centre" : "finite components", error);
    if (def->frame.kind == FENDER_FRAME_ORBIT && g->kind != FENDER_GRAVITY_PLANET)
        return refuse(FENDER_STATUS_ARGUMENT, "world.gravity", "a frame in orbit falls with the gravity of its planet",
                      "gravity of the planet", error);
    const fender_oblateness *o = &def->oblateness;
    double length = fender_vec3_length(o->axis);
    if (o->j2 != 0 && !point)
        return refuse(FENDER_STATUS_ARGUMENT, "world.gravity.j2", "j2 is for gravity of a point mass",
                      "gravity of a point mass; a planet has its own j2", error);
    if (o->j2 != 0 &&
        (!isfinite(o->j2) || !(o->radius > 0) || !isfinite(o->radius) || !(length > 0) || !isfinite(length)))
        return refuse(FENDER_STATUS_VALUE, "world.gravity.j2", "j2 lacks its radius or its axis",
                      "a finite j2, a radius above 0 m and an axis other than zero", error);
    if (g->kind != FENDER_GRAVITY_PLANET) return FENDER_STATUS_OK;
    if (def->frame.kind == FENDER_FRAME_INERTIAL)
        return refuse(FENDER_STATUS_ARGUMENT, "world.gravity", "gravity of the planet needs a frame with a planet",
                      "world.frame, or gravity of a point mass", error);
    if (!(def->frame.planet.mu > 0))
        return refuse(FENDER_STATUS_VALUE, "world.frame.planet.mu", "the planet has no gravity", "mu above 0 m^3/s^2",
                      error);
    return FENDER_STATUS_OK;
}

static fender_status check_frame(const fender_frame *frame, fender_error *error)
{
    if ((unsigned)frame->kind > FENDER_FRAME_ORBIT)
        return refuse(FENDER_STATUS_ARGUMENT, "world.frame", "the kind of frame is unknown",
                      "inertial, local, planet-centred or in orbit", error);
    if (frame->kind == FENDER_FRAME_INERTIAL) return FENDER_STATUS_OK;
    fender_status status = fender_planet_check(&frame->planet, error);
    if (status) {
        fnd_error_prefix(error, "world.frame");
        return status;
    }
    if (frame->kind != FENDER_FRAME_LOCAL) return FENDER_STATUS_OK;
    if ((unsigned)frame->axes > FENDER_LOCAL_PLANET_FIXED)
        return refuse(FENDER_STATUS_ARGUMENT, "world.frame.axes", "the local axes are unknown", "a fender_local_axes",
                      error);
    const fender_geodetic *o = &frame->origin;
    if (!(fabs(o->latitude) <= 1.5707963267948968))
        return refuse(FENDER_STATUS_VALUE, "world.frame.latitude", "the latitude is not between -90 and 90 degrees",
                      "an angle of at most 90 degrees", error);
    if (!(fabs(o->longitude) <= 6.2831853071795869))
        return refuse(FENDER_STATUS_VALUE, "world.frame.longitude", "the longitude is not between -360 and 360 degrees",
                      "an angle of at most 360 degrees", error);
    double polar = frame->planet.equatorial_radius * (1 - frame->planet.flattening);
    if (!(o->altitude > -polar) || !isfinite(o->altitude))
        return refuse(FENDER_STATUS_VALUE, "world.frame.altitude", "the origin lies at the planet's centre or below it",
                      "an altitude above minus the polar radius", error);
    return FENDER_STATUS_OK;
}

static void place_frame(const fender_frame *frame, fnd_frame_field *f)
{
    const fender_planet *planet = &frame->planet;
    f->framed = true;
    f->rate = planet->rotation_rate;
    f->falling = frame->kind == FENDER_FRAME_ORBIT;
    f->rotating = f->rate != 0 && !f->falling;
    f->axial = f->rotating || f->falling;
    f->R_FW = fender_mat3_identity();
    if (frame->kind == FENDER_FRAME_LOCAL) {
        f->R_FW = fender_local_axes_matrix(frame->origin.latitude, frame->origin.longitude, frame->axes);
        fender_vec3 origin = fender_planet_fixed_position(planet, &frame->origin);
        f->origin = fender_mat3_transpose_times(&f->R_FW, origin);
        f->inverse = 1 / fender_vec3_length(origin);
    }
    f->axis = fender_mat3_transpose_times(&f->R_FW, (fender_vec3){0, 0, 1});
    if (f->rotating) f->omega = fender_vec3_scale(f->rate, f->axis);
    double radius = planet->gravity_radius > 0 ? planet->gravity_radius : planet->equatorial_radius;
    f->mu = planet->mu;
    f->oblate = 0.5 * planet->mu * planet->j2 * radius * radius;
    if (f->rotating) f->at_rest = fender_vec3_negate(cross(f->omega, cross(f->omega, f->origin)));
    if (f->gravity.kind == FENDER_GRAVITY_PLANET && f->inverse > 0)
        f->at_rest = fender_vec3_add(f->at_rest, central_gravity(f->mu, f->oblate, f->axis, f->origin));
}

void fnd_frame_field_move(fnd_frame_field *f, double time)
{
    assert(f->falling);
    fnd_orbit_at(&f->orbit, time - f->epoch, &f->origin, &f->velocity);
    f->inverse = 1 / fender_vec3_length(f->origin);
    if (f->oblate != 0) f->at_rest = central_gravity(0, f->oblate, f->axis, f->origin);
}

fender_vec3 fnd_frame_north(const fender_frame *frame)
{
    if (frame->kind != FENDER_FRAME_LOCAL) return fender_vec3_make(0, 0, 0);
    switch (frame->axes) {
    case FENDER_LOCAL_EAST_NORTH_UP: return fender_vec3_make(0, 1, 0);
    case FENDER_LOCAL_NORTH_EAST_DOWN: return fender_vec3_make(1, 0, 0);
    case FENDER_LOCAL_UP_EAST_NORTH: return fender_vec3_make(0, 0, 1);
    case FENDER_LOCAL_PLANET_FIXED: break;
    }
    fender_mat3 R = fender_local_axes_matrix(frame->origin.latitude, frame->origin.longitude,
                                             FENDER_LOCAL_EAST_NORTH_UP);
    return fender_mat3_column(&R, 1);
}

fender_status fnd_frame_field_make(const fender_world_def *def, fnd_frame_field *f, fender_error *error)
{
    *f = (fnd_frame_field){0};
    fender_status status = check_frame(&def->frame, error);
    if (!status) status = check_gravity(def, error);
    if (status) return status;
    if (def->gravity_gradient && def->gravity.kind != FENDER_GRAVITY_POINT_MASS &&
        def->gravity.kind != FENDER_GRAVITY_PLANET)
        return refuse(FENDER_STATUS_ARGUMENT, "world.gravity_gradient", "there is no gradient of gravity",
                      "gravity of a point mass or planet", error);
    f->gradient = def->gravity_gradient;
    f->gravity = def->gravity;
    f->R_FW = fender_mat3_identity();
    const fender_gravity *g = &def->gravity;
    const fender_oblateness *o = &def->oblateness;
    if (o->j2 != 0) {
        f->j2_axis = fender_vec3_scale(1 / fender_vec3_length(o->axis), o->axis);
        f->j2_oblate = 0.5 * g->mu * o->j2 * o->radius * o->radius;
    }
    if (def->frame.kind != FENDER_FRAME_INERTIAL) place_frame(&def->frame, f);
    if (!f->falling) return FENDER_STATUS_OK;
    if ((status = fnd_orbit_make(f->mu, &def->frame.orbit, &f->orbit, error))) {
        fnd_error_prefix(error, "world.frame.orbit");
        return status;
    }
    f->epoch = def->start_time;
    fnd_frame_field_move(f, def->start_time);
    return FENDER_STATUS_OK;
}
