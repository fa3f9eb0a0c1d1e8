/* Kepler's orbits: states from elements, and the frame that goes along with a body.
 *
 * Position and velocity in the perifocal frame, turned by node, inclination and argument of periapsis (Vallado,
 * "Fundamentals of Astrodynamics and Applications", algorithm 10). In time, an ellipse follows the eccentric anomaly E:
 *
 *     M = E - e sin E,  r = a (cos E - e) P + b sin E Q,  v = E' (-a sin E P + b cos E Q),  E' = n / (1 - e cos E) */
#include "planet/orbit.h"

#include "base/error.h"
#include "math/elementary.h"
#include "math/rotation.h"

#define PI 3.14159265358979324

static fender_status refuse(const char *path, const char *message, double found, const char *expected,
                            fender_error *error)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, fnd_number(found).text, expected, "");
}

static fender_status check(double mu, const fender_orbit *o, fender_error *error)
{
    double sine, cosine;
    if (!(mu > 0) || !isfinite(mu)) return refuse("mu", "an orbit needs a centre that attracts", mu, "above 0", error);
    if (!(o->eccentricity >= 0) || !isfinite(o->eccentricity) || o->eccentricity == 1)
        return refuse("eccentricity", "the eccentricity of an orbit is not possible here", o->eccentricity,
                      "0 or more, but not 1", error);
    if (!isfinite(o->semi_major_axis) || !(o->semi_major_axis * (1 - o->eccentricity) > 0))
        return refuse("semi_major_axis", "the semi-major axis does not fit the eccentricity", o->semi_major_axis,
                      "above 0 for an ellipse, below 0 for a hyperbola", error);
    const double angles[] = {o->inclination, o->ascending_node, o->argument_of_periapsis, o->true_anomaly};
    static const char *const names[] = {"inclination", "ascending_node", "argument_of_periapsis", "true_anomaly"};
    for (int i = 0; i < 4; i++)
        if (!(fabs(angles[i]) <= 100))
            return refuse(names[i], "an angle of an orbit is too large", angles[i],
                          "at most 100 rad; a number without a unit is in radians", error);
    fnd_sin_cos(o->true_anomaly, &sine, &cosine);
    if (!(1 + o->eccentricity * cosine > 0))
        return refuse("true_anomaly", "the hyperbola does not reach this anomaly", o->true_anomaly,
                      "1 + eccentricity cos(true_anomaly) above 0", error);
    return FENDER_STATUS_OK;
}

static void perifocal_axes(const fender_orbit *orbit, fender_vec3 *to_periapsis, fender_vec3 *ahead)
{
    double si, ci, sn, cn, sw, cw;
    fnd_sin_cos(orbit->inclination, &si, &ci);
    fnd_sin_cos(orbit->ascending_node, &sn, &cn);
    fnd_sin_cos(orbit->argument_of_periapsis, &sw, &cw);
    *to_periapsis = (fender_vec3){cn * cw - sn * sw * ci, sn * cw + cn * sw * ci, sw * si};
    *ahead = (fender_vec3){-cn * sw - sn * cw * ci, -sn * sw + cn * cw * ci, cw * si};
}

fender_status fender_orbit_state(double mu, const fender_orbit *orbit, fender_vec3 *position, fender_vec3 *velocity,
                                 fender_error *error)
{
    if (!orbit || !position || !velocity)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "orbit", "an argument is missing", "NULL",
                        "an orbit, and where its state goes", "");
    fender_status status = check(mu, orbit, error);
    if (status) return status;
    double e = orbit->eccentricity, p = orbit->semi_major_axis * (1 - e) * (1 + e);
    double sv, cv;
    fender_vec3 to_periapsis, ahead;
    perifocal_axes(orbit, &to_periapsis, &ahead);
    fnd_sin_cos(orbit->true_anomaly, &sv, &cv);
    double r = p / (1 + e * cv), speed = sqrt(mu / p);
    *position = fender_vec3_add_scaled(fender_vec3_scale(r * cv, to_periapsis), r * sv, ahead);
    *velocity = fender_vec3_add_scaled(fender_vec3_scale(-speed * sv, to_periapsis), speed * (e + cv), ahead);
    return FENDER_STATUS_OK;
}

/* The eccentric anomaly of a mean anomaly in [0, pi]: Newton's method from one side. The function is convex beyond M in
 * (0, pi), so that no step passes the root (started at pi). */
static void solve_kepler(double mean, double e, double *sine, double *cosine)
{
    double at = PI;
    for (int i = 0; i < 100; i++) {
        fnd_sin_cos(at, sine, cosine);
        double next = at - (at - e * *sine - mean) / (1 - e * *cosine);
        if (!(next < at)) break;
        at = next;
    }
    fnd_sin_cos(at, sine, cosine);
}

double fender_true_anomaly(double mean_anomaly, double eccentricity)
{
    double e = eccentricity;
    if (!(e >= 0) || !(e < 1) || !(fabs(mean_anomaly) <= 1e6)) return NAN;
    double turns = floor(mean_anomaly / (2 * PI) + 0.5), m = mean_anomaly - 2 * PI * turns, s, c;
    solve_kepler(fabs(m), e, &s, &c);
    double anomaly = fnd_angle(sqrt((1 - e) * (1 + e)) * s, c - e);
    return (m < 0 ? -anomaly : anomaly) + 2 * PI * turns;
}

fender_status fnd_orbit_make(double mu, const fender_orbit *elements, fnd_orbit *orbit, fender_error *error)
{
    fender_status status = check(mu, elements, error);
    if (status) return status;
    const double e = elements->eccentricity, a = elements->semi_major_axis;
    if (!(e < 1)) return refuse("eccentricity", "an orbit that is followed is an ellipse", e, "below 1", error);
    double sv, cv;
    fnd_sin_cos(elements->true_anomaly, &sv, &cv);
    const double minor = sqrt((1 - e) * (1 + e)), share = 1 / (1 + e * cv), sine = share * minor * sv;
    const double anomaly = fnd_angle(fabs(sine), share * (e + cv));
    *orbit = (fnd_orbit){.major = a, .minor = a * minor, .eccentricity = e, .rate = sqrt(mu / a) / a};
    orbit->mean_anomaly = (sine < 0 ? -anomaly : anomaly) - e * sine;
    perifocal_axes(elements, &orbit->to_periapsis, &orbit->ahead);
    return FENDER_STATUS_OK;
}

void fnd_orbit_at(const fnd_orbit *o, double elapsed, fender_vec3 *position, fender_vec3 *velocity)
{
    const double mean = o->mean_anomaly + o->rate * elapsed, m = mean - 2 * PI * floor(mean / (2 * PI) + 0.5);
    double s, c;
    solve_kepler(fabs(m), o->eccentricity, &s, &c);
    if (m < 0) s = -s;
    const double turning = o->rate / (1 - o->eccentricity * c);
    *position = fender_vec3_add_scaled(fender_vec3_scale(o->major * (c - o->eccentricity), o->to_periapsis),
                                       o->minor * s, o->ahead);
    *velocity = fender_vec3_add_scaled(fender_vec3_scale(-turning * o->major * s, o->to_periapsis),
                                       turning * o->minor * c, o->ahead);
}

fender_quaternion fender_matrix_quaternion(const fender_mat3 *rotation) { return fnd_quaternion_from_matrix(rotation); }

bool fender_lvlh(fender_vec3 position, fender_vec3 velocity, fender_quaternion *attitude, fender_vec3 *rate)
{
    double r = fender_vec3_length(position);
    fender_vec3 h = fender_vec3_cross(position, velocity);
    double momentum = fender_vec3_length(h);
    if (!(momentum > 1e-12 * r * fender_vec3_length(velocity))) return false;
    fender_vec3 z = fender_vec3_scale(-1 / r, position), y = fender_vec3_scale(-1 / momentum, h);
    fender_vec3 x = fender_vec3_cross(y, z);
    fender_mat3 R = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    *attitude = fnd_quaternion_from_matrix(&R);
    *rate = fender_vec3_scale(1 / (r * r), h);
    return true;
}
