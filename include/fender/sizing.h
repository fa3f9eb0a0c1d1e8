/* fender/sizing.h - stiffness and damping from design targets of a contact (sink, restitution, materials), and the
 * inverse.
 *
 * Pure functions in SI, for any thread; the same bits on every machine. Impossible input (a negative mass, a
 * restitution above 1) gives NaN. `mass` is the effective mass of a contact: the reduced mass of two bodies on one
 * line. Impacts are along the normal, without gravity, from touch on. Sources: docs/models/sizing.md. */
#ifndef FENDER_SIZING_H
#define FENDER_SIZING_H

#include "law.h"

/* Reduced mass 1 / (1/a + 1/b) [kg]; a fixed body has infinite mass. */
FENDER_API double fender_reduced_mass(double a, double b);

/* ---- linear spring and damper, F = k d + c d' (Kelvin-Voigt) ----
 *
 * `clipped`: the force never attracts, and the contact ends when it is zero. Otherwise it ends at zero depth.
 */

/* k [N/m] that carries `weight` [N] at the depth `sink` [m]: k = weight / sink. */
FENDER_API double fender_stiffness_of_sink(double weight, double sink);
/* c [N s/m] = 2 ratio sqrt(k m), and its inverse. */
FENDER_API double fender_damping_of_ratio(double ratio, double mass, double stiffness);
FENDER_API double fender_damping_ratio(double damping, double mass, double stiffness);
/* Restitution, at any speed: exp(-2 r acos(r) / sqrt(1 - r^2)) clipped, continued beyond r = 1; exp(-pi r / sqrt(1 -
 * r^2)) unclipped, 0 from r = 1 on. */
FENDER_API double fender_restitution_of_ratio(double ratio, bool clipped);
/* The damping ratio for a restitution in [0, 1]; for 0 it is infinite if clipped, 1 otherwise. If clipped,
 * restitutions below exp(-2) = 0.135 need a ratio above 1. */
FENDER_API double fender_ratio_of_restitution(double restitution, bool clipped);

/* Results of an impact. */
typedef struct fender_impact {
    double restitution; /* 1 */
    double duration;    /* s; of the force; infinite if it never ends */
    double peak_depth;  /* m */
    double peak_force;  /* N */
    double unloading;   /* N/m; slope of the force over the depth where the mass turns, on the way out and without
                         * damping; NaN if it does not turn */
    double damping;     /* N s/m; slope of the force over the depth rate there */
    double onset;       /* N s/m; the same on the way in, at a tenth of the peak depth: what acts all but at once */
    double contact;     /* s; from touch until the shapes part or the law lets go: longer than the force where a damper
                         * has used it up; infinite if the mass sticks */
} fender_impact;
FENDER_API fender_impact fender_linear_impact(double mass, double stiffness, double damping, double speed,
                                              bool clipped);

/* ---- F = k d^n (1 + D d') (Hunt and Crossley 1975) ---- */

/* Restitution e of c = D v, v [m/s] the speed of approach: c (1 + e) = ln((1 + c) / (1 - e c)), exact for any k, m, n.
 */
FENDER_API double fender_hunt_crossley_restitution(double damping_times_speed);
/* The D v of a restitution in [0, 1]; infinite for 0. */
FENDER_API double fender_hunt_crossley_damping(double restitution);
/* Peak depth [m] of an impact; damping: D [s/m], 0 or more; stiffness [N/m^exponent]. */
FENDER_API double fender_power_law_depth(double mass, double stiffness, double exponent, double damping, double speed);
/* Duration [s] of an impact without damping; 2.943275 depth / speed for n = 3/2 (Hertz), pi depth / speed for 1. */
FENDER_API double fender_power_law_duration(double mass, double stiffness, double exponent, double speed);

/* ---- Hertz: F = k d^1.5 ---- */

/* E* [Pa]: 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b; an infinite modulus is rigid. nu from -1 to 0.5. */
FENDER_API double fender_hertz_modulus(double young_a, double poisson_a, double young_b, double poisson_b);
/* R [m]: 1/R = 1/R_a + 1/R_b; infinite: flat; negative: concave. */
FENDER_API double fender_hertz_radius(double radius_a, double radius_b);
/* k [N/m^1.5] = 4/3 E* sqrt(R). */
FENDER_API double fender_hertz_stiffness(double modulus, double radius);
/* The linear k [N/m] with the depth of Hertz contact under `load` [N]. */
FENDER_API double fender_hertz_linear_at_load(double modulus, double radius, double load);
/* The linear k [N/m] with the peak depth of Hertz contact in an undamped impact. */
FENDER_API double fender_hertz_linear_at_impact(double modulus, double radius, double mass, double speed);

/* ---- materials ---- */

/* Constants of a material from its source; NaN: unknown. */
typedef struct fender_known_material {
    const char *name;
    double young, poisson, density; /* Pa, 1, kg/m^3 */
    /* of loose ground: Bekker's k_c [N/m^(n+1)], k_phi [N/m^(n+2)] and n, cohesion [Pa], angle of friction [rad] and
     * shear displacement K [m] */
    double cohesive_modulus, frictional_modulus, exponent, cohesion, friction_angle, shear_displacement;
    const char *source;
} fender_known_material;
/* A material by index or name. Static; NULL past the end, or for an unknown name. */
FENDER_API const fender_known_material *fender_known_material_at(int index);
FENDER_API const fender_known_material *fender_known_material_find(const char *name);
/* Value of the material for the law parameter of that name. If `other` is true, `young_b` stands for `young`, and so
 * on. NaN: none. */
FENDER_API double fender_known_material_value(const fender_known_material *material, const char *parameter, bool other);

/* ---- parameters of laws from design targets ---- */

/* Design targets; NaN means unspecified. */
typedef struct fender_sizing_spec {
    double sink;        /* m; depth under `weight` */
    double weight;      /* N; load that the contact carries, in the direction of its spring */
    double modulus;     /* Pa; E* of both materials */
    double radius;      /* m; R of both surfaces */
    double ratio;       /* 1; of critical damping */
    double restitution; /* 1; speed after over speed before */
    double mass;        /* kg; effective */
    double speed;       /* m/s; of approach */
} fender_sizing_spec;
/* All members unspecified. */
FENDER_API fender_sizing_spec fender_sizing_spec_none(void);
/* Names, units and ranges of its members. Static. */
FENDER_API const fender_field_table *fender_sizing_spec_fields(void);
/* Restitution of the law's own impact: a mass [kg] with an approach speed [m/s] along the normal, integrated with
 * located events until the contact ends or no force acts; 0 if the mass sticks. There are no shapes: a law that uses
 * surfaces receives none. NaN if forces are not finite, or memory_size is above 512 bytes. */
FENDER_API double fender_law_rebound(const fender_law *law, const void *parameters, double mass, double speed);
/* All of the same impact: also peaks and duration [s], which ends where the force does, and is infinite if the mass
 * sticks. NaN as above. */
FENDER_API fender_impact fender_law_impact(const fender_law *law, const void *parameters, double mass, double speed);
/* Normal force [N] of the law at that depth [m] without motion, in a contact that has just begun. NaN as above. */
FENDER_API double fender_law_force_at(const fender_law *law, const void *parameters, double depth);
/* Normal force [N] of the law where its contact begins or, with a negative depth rate [m/s], ends. NaN as above, and
 * without a rate. */
FENDER_API double fender_law_force_at_touch(const fender_law *law, const void *parameters, double depth_rate);
/* Sets two parameters of the law so that the impact has the wanted properties (NaN: not wanted): `stiffness` for one of
 * peak_depth, peak_force and duration, `damping` for restitution, both by bracketing; each may be NULL. The quantity
 * must rise or fall steadily with the parameter. `weight` not NaN: peak_depth is that of the weight [N] at rest.
 * `parameters` holds the others. False, and nothing changed, if no values do it. */
FENDER_API bool fender_law_size(const fender_law *law, void *parameters, const char *stiffness, const char *damping,
                                const fender_impact *wanted, double weight, double mass, double speed);
/* The value of its parameter `damping` for which that impact has the specification's `restitution`, at `mass` and
 * `speed`, by bisection; a law whose parameter `radius` is 0 uses that of the specification. For rows of
 * fender_law.derivations. NaN if the restitution is lower even without damping. */
FENDER_API double fender_law_damping_of_rebound(const fender_law *law, const void *parameters, const char *damping,
                                                const fender_sizing_spec *spec);
/* Derives the law's parameter `name` by the matching row of fender_law.derivations. `parameters` holds the given
 * ones, and derived ones that precede it. *row, unless NULL, receives the row. ARGUMENT if no row matches:
 * error->path is the missing or unused member, and expected lists the possible members. VALUE if no value of the
 * parameter meets the target. */
FENDER_API fender_status fender_law_derive(const fender_law *law, const void *parameters, const char *name,
                                           const fender_sizing_spec *spec, double *value, const fender_derivation **row,
                                           fender_error *error);

#endif
