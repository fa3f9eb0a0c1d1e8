/* fender/laws.h - parameters of the built-in laws, one struct per law. Members have the names of the scenario keys.
 *
 *     fender_spring_damper_parameters push;
 *     fender_spring_damper_parameters_default(&push, &error);
 *     push.stiffness = 3500;
 *     type.normal = fender_law_find(NULL, "spring_damper");
 *     type.normal_parameters = &push;
 *
 * A `_default` function sets the default values. Required parameters have no default and must be set. The function
 * returns ARGUMENT if the size of the struct differs from that of the library, because the program was compiled with
 * another version. Formulas, curves and sources: docs/models/contact_laws.md. For laws of plug-ins, use
 * fender_law_parameters_set. */
#ifndef FENDER_LAWS_H
#define FENDER_LAWS_H

#include "expression.h"
#include "law.h"

/* Sets the default parameters of a built-in law. ARGUMENT if `size` is not exactly that of its struct. */
FENDER_API fender_status fender_law_typed_default(const char *law, void *parameters, size_t size, fender_error *error);

#define FENDER_LAW_PARAMETERS(type, law)                                              \
    static inline fender_status type##_default(type *parameters, fender_error *error) \
    {                                                                                 \
        return fender_law_typed_default(law, parameters, sizeof *parameters, error);  \
    }

/* `spring_damper`: Linear spring and damper, N = max(k d + c d', 0), with optional smooth Coulomb friction; it never
 * attracts. */
typedef struct fender_spring_damper_parameters {
    double stiffness;  /* N/m; Spring constant k; required */
    double damping;    /* N*s/m; Damping constant c; default 0 */
    double mu;         /* 1; Coefficient of kinetic friction; 0: none; default 0 */
    double slip_speed; /* m/s; Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero;
                          default 0.001 */
    int sense; /* 0 push, 1 pull; push: the spring resists penetration; pull: it is reversed and holds, for latching;
                  default push */
} fender_spring_damper_parameters;
FENDER_LAW_PARAMETERS(fender_spring_damper_parameters, "spring_damper")

/* `jeod_spring`: JEOD's spring interaction: N = k d + c d' unclipped (it can attract on release), friction mu |N|
 * sin(angle of approach). */
typedef struct fender_jeod_spring_parameters {
    double stiffness; /* N/m; Spring constant spring_k; required */
    double damping;   /* N*s/m; Damping constant damping_b; default 0 */
    double mu;        /* 1; Coefficient of kinetic friction; default 0 */
    int sense; /* 0 push, 1 pull; push: the spring resists penetration; pull: it is reversed and holds, for latching;
                  default push */
} fender_jeod_spring_parameters;
FENDER_LAW_PARAMETERS(fender_jeod_spring_parameters, "jeod_spring")

/* `coulomb`: Kinetic Coulomb friction, f = mu |N| s / sqrt(s^2 + slip_speed^2) against the slip s; it creeps under load
 * and never sticks. */
typedef struct fender_coulomb_parameters {
    double mu;         /* 1; Coefficient of kinetic friction; required */
    double slip_speed; /* m/s; Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero;
                          default 0.001 */
} fender_coulomb_parameters;
FENDER_LAW_PARAMETERS(fender_coulomb_parameters, "coulomb")

/* The least speeds below which friction ends, where a world chooses them by its step (fender_world_initialize). */
#define FENDER_STICK_SPEED_FLOOR 1e-4 /* m/s */
#define FENDER_REST_RATE_FLOOR   1e-3 /* rad/s */

/* `coulomb_static_kinetic`: Coulomb friction with sticking: a spring and damper up to mu_static N, then mu_kinetic N
 * against the slip until the slip falls below stick_speed. */
typedef struct fender_coulomb_static_kinetic_parameters {
    double mu_static;  /* 1; Coefficient of static friction; required */
    double mu_kinetic; /* 1; Coefficient of kinetic friction, at most mu_static; required */
    double stiffness;  /* N/m; Tangential spring constant while sticking; required */
    double damping; /* N*s/m; Tangential damping constant while sticking; 1.4 sqrt(stiffness * mass) damps well; default
                       0 */
    double stick_speed; /* m/s; Slip below which sliding ends; 0: twice what the step can end, 0.1 mm/s at least;
                           default 0 */
    int restick; /* 0 carry, 1 here; carry: the spring keeps its force mu_kinetic N; here: the spring begins unloaded;
                    default carry */
} fender_coulomb_static_kinetic_parameters;
FENDER_LAW_PARAMETERS(fender_coulomb_static_kinetic_parameters, "coulomb_static_kinetic")

/* `smooth_spring_damper`: Spring and damper with a smooth onset, N = max(s(d, w) (k d + b d'), 0), s increasing from 0
 * to 1 over the transition width w. */
typedef struct fender_smooth_spring_damper_parameters {
    double stiffness;        /* N/m; Spring constant k; required */
    double damping;          /* N*s/m; Damping constant b; 0: elastic collisions; default 0 */
    double transition_width; /* m; Depth w over which the force rises to its full value; 0: immediately, as
                                spring_damper; required */
} fender_smooth_spring_damper_parameters;
FENDER_LAW_PARAMETERS(fender_smooth_spring_damper_parameters, "smooth_spring_damper")

/* `smooth_stick_slip`: Friction mu(v) |N| against the slip: 0 at rest, mu_static at the critical velocity, mu_dynamic
 * at high slip; it creeps under load and never sticks. */
typedef struct fender_smooth_stick_slip_parameters {
    double mu_static;         /* 1; Coefficient of friction at the critical velocity; required */
    double mu_dynamic;        /* 1; Coefficient that friction approaches at high velocity; required */
    double critical_velocity; /* m/s; Slip at which friction reaches mu_static; below it the contact creeps; default
                                 0.001 */
} fender_smooth_stick_slip_parameters;
FENDER_LAW_PARAMETERS(fender_smooth_stick_slip_parameters, "smooth_stick_slip")

/* `hunt_crossley`: Spring k d^n with a damper that grows with it, N = max(k d^n (1 + D d'), 0): no force at touch, and
 * an exact coefficient of restitution on request. */
typedef struct fender_hunt_crossley_parameters {
    double stiffness; /* N/m^{exponent}; Spring constant k; required */
    double exponent;  /* 1; Exponent n of the depth: 1.5 for round bodies (Hertz), 1 for a linear spring; default 1.5 */
    double dissipation; /* s/m; Damping D: the force grows by the factor 1 + D d'; default 0 */
    double restitution; /* 1; Coefficient of restitution at every approach speed, instead of D; default
                           1 */
    double least_speed; /* m/s; With a restitution: lower bound of the approach speed used for D;
                           default 0.001 */
    int formula; /* 0 exact, 1 lankarani_nikravesh, 2 flores; D from the restitution: exact, or as lankarani_nikravesh
                    or flores approximate it; default exact */
} fender_hunt_crossley_parameters;
FENDER_LAW_PARAMETERS(fender_hunt_crossley_parameters, "hunt_crossley")

/* `impact`: Spring k d^n with a damper that grows over a depth, N = max(k d^n + s(d, w) c d', 0), s the cubic step
 * (Adams' IMPACT). */
typedef struct fender_impact_parameters {
    double stiffness; /* N/m^{exponent}; Spring constant k; required */
    double exponent;  /* 1; Exponent n of the depth: 1.5 for round bodies (Hertz), 1 for a linear spring; default 1.5 */
    double damping;   /* N*s/m; Damping constant c at full depth; no damping at touch; default 0 */
    double full_depth; /* m; Depth at which the damper has its full value; required */
} fender_impact_parameters;
FENDER_LAW_PARAMETERS(fender_impact_parameters, "impact")

/* `hertz`: Hertz contact of smooth elastic bodies, N = 4/3 E* sqrt(R) d^1.5 (1 + D d'), from the moduli and the
 * curvatures of both surfaces, also for elliptical contact. */
typedef struct fender_hertz_parameters {
    double modulus;   /* Pa; E* of both materials, instead of the next four; default 0 */
    double young;     /* Pa; Young's modulus of both bodies, or of the first; default 0 */
    double poisson;   /* 1; Poisson's ratio of both bodies, or of the first; default 0.3 */
    double young_b;   /* Pa; Young's modulus of the other body; 0: the same; none: rigid; default 0 */
    double poisson_b; /* 1; Poisson's ratio of the other body, with young_b; default 0.3 */
    double radius;    /* m; R of both surfaces, 1/R = 1/R_a + 1/R_b; 0: from the curvature of the shapes; default 0 */
    double largest_radius; /* m; With radius 0: upper bound of the radii of the gap, and the radius of flat shapes;
                              default 10 */
    double dissipation;    /* s/m; Damping D: the force grows by the factor 1 + D d'; default 0 */
    double restitution;    /* 1; Coefficient of restitution at every approach speed, instead of D; default
                              1 */
    double least_speed;    /* m/s; With a restitution: lower bound of the approach speed used for D;
                              default 0.001 */
    int formula; /* 0 exact, 1 lankarani_nikravesh, 2 flores; D from the restitution: exact, or as lankarani_nikravesh
                    or flores approximate it; default exact */
} fender_hertz_parameters;
FENDER_LAW_PARAMETERS(fender_hertz_parameters, "hertz")

/* `elastic_plastic`: Elastic contact that yields at a plateau force over a stroke, keeps the dent, and unloads
 * elastically (honeycomb; Walton and Braun). */
typedef struct fender_elastic_plastic_parameters {
    double stiffness;   /* N/m; Elastic stiffness k below the crush force and during unloading; required */
    double crush_force; /* N; Force at which crushing begins; 0 with hardening: it dents from the start (Walton and
                           Braun); default 0 */
    double hardening; /* N/m; Slope of the force over the depth during crushing, less than the stiffness; 0: a plateau;
                         default 0 */
    double stroke;    /* m; Maximum dent, beyond which the contact is elastic again; default INFINITY */
    double dissipation; /* s/m; Damping D of the elastic part: the force grows by the factor 1 + D d'; default 0 */
    double remember;    /* m; Separation up to which the contact and its dent persist; default 0 */
} fender_elastic_plastic_parameters;
FENDER_LAW_PARAMETERS(fender_elastic_plastic_parameters, "elastic_plastic")

/* `soil`: Loose ground: pressure (k_c / b + k_phi) z^n over the sinkage z (Bekker), elastic unloading, permanent rut.
 */
typedef struct fender_soil_parameters {
    double cohesive_modulus; /* N/m/m^{exponent}; Bekker's k_c: the part of the pressure that is inversely proportional
                                to the width; default
                                0 */
    double frictional_modulus; /* N/m^2/m^{exponent}; Bekker's k_phi; default 0 */
    double exponent;           /* 1; Exponent n of the sinkage; default 1 */
    double width;              /* m; Smaller side b of the pad, with cohesive_modulus; default 0 */
    double area;      /* m^2; Area of the pad; 0: that of the contact patch, or of the section of a round shape; default
                         0 */
    double unloading; /* N/m^3; Slope of the pressure over the sinkage during unloading and reloading; at least that of
                         the curve; required */
    double dissipation; /* s/m; Damping D: the force grows by the factor 1 + D d'; default 0 */
    double remember;    /* m; Separation up to which the contact and its rut persist; default 0 */
} fender_soil_parameters;
FENDER_LAW_PARAMETERS(fender_soil_parameters, "soil")

/* `janosi`: Shear of loose ground: strength N tan(phi) + c A, mobilised as 1 - exp(-j / K) over the shear j (Janosi and
 * Hanamoto). */
typedef struct fender_janosi_parameters {
    double cohesion;           /* Pa; Cohesion c of the ground; default 0 */
    double friction_angle;     /* rad; Angle of internal friction phi; required */
    double shear_displacement; /* m; K: shear displacement at which 0.632 of the strength is mobilised; required */
    double area;               /* m^2; Area for the cohesion; 0: that of the patch, or of a round section; default 0 */
} fender_janosi_parameters;
FENDER_LAW_PARAMETERS(fender_janosi_parameters, "janosi")

/* `jkr`: Elastic bodies that adhere (Johnson, Kendall, Roberts): attracts with up to 1.5 pi w R and separates beyond
 * touch; for soft bodies; friction beside it follows the net force. */
typedef struct fender_jkr_parameters {
    double modulus;   /* Pa; E* of both materials, instead of the next four; default 0 */
    double young;     /* Pa; Young's modulus of both bodies, or of the first; default 0 */
    double poisson;   /* 1; Poisson's ratio of both bodies, or of the first; default 0.3 */
    double young_b;   /* Pa; Young's modulus of the other body; 0: the same; none: rigid; default 0 */
    double poisson_b; /* 1; Poisson's ratio of the other body, with young_b; default 0.3 */
    double radius;    /* m; R of both surfaces, 1/R = 1/R_a + 1/R_b; 0: from the curvature of the shapes; default 0 */
    double largest_radius; /* m; With radius 0: upper bound of the radii of the gap, and the radius of flat shapes;
                              default 10 */
    double work; /* J/m^2; Work of adhesion w: twice the surface energy for two bodies of the same material; required */
    double dissipation; /* s/m; Damping D: the elastic part of the force grows by the factor 1 + D d'; default 0 */
} fender_jkr_parameters;
FENDER_LAW_PARAMETERS(fender_jkr_parameters, "jkr")

/* `dmt`: Elastic bodies that adhere (Derjaguin, Muller, Toporov): Hertz's force minus an attraction of 2 pi w R while
 * they touch; for stiff bodies; friction beside it follows the net force. */
typedef struct fender_dmt_parameters {
    double modulus;   /* Pa; E* of both materials, instead of the next four; default 0 */
    double young;     /* Pa; Young's modulus of both bodies, or of the first; default 0 */
    double poisson;   /* 1; Poisson's ratio of both bodies, or of the first; default 0.3 */
    double young_b;   /* Pa; Young's modulus of the other body; 0: the same; none: rigid; default 0 */
    double poisson_b; /* 1; Poisson's ratio of the other body, with young_b; default 0.3 */
    double radius;    /* m; R of both surfaces, 1/R = 1/R_a + 1/R_b; 0: from the curvature of the shapes; default 0 */
    double largest_radius; /* m; With radius 0: upper bound of the radii of the gap, and the radius of flat shapes;
                              default 10 */
    double work; /* J/m^2; Work of adhesion w: twice the surface energy for two bodies of the same material; required */
    double dissipation; /* s/m; Damping D: the elastic part of the force grows by the factor 1 + D d'; default 0 */
} fender_dmt_parameters;
FENDER_LAW_PARAMETERS(fender_dmt_parameters, "dmt")

/* `adhesion`: Repulsive spring and damper minus a constant attraction, from touch until the separation exceeds a range;
 * friction beside it follows the net force. */
typedef struct fender_adhesion_parameters {
    double stiffness; /* N/m; Spring constant k; required */
    double damping;   /* N*s/m; Damping constant c, while the shapes overlap; default 0 */
    double pull;      /* N; Attractive force, from touch on; required */
    double range;     /* m; Separation at which the attraction ends; default 0 */
} fender_adhesion_parameters;
FENDER_LAW_PARAMETERS(fender_adhesion_parameters, "adhesion")

/* `pull_off_spring`: Bilateral spring and damper, N = k d + c d', until the attraction exceeds a limit; from then on it
 * only pushes; friction beside it follows the net force. */
typedef struct fender_pull_off_spring_parameters {
    double stiffness; /* N/m; Spring constant k, for repulsion and attraction; required */
    double damping;   /* N*s/m; Damping constant c; default 0 */
    double pull_off;  /* N; Attraction at which the contact breaks; it then only pushes until the shapes separate;
                         required */
} fender_pull_off_spring_parameters;
FENDER_LAW_PARAMETERS(fender_pull_off_spring_parameters, "pull_off_spring")

/* `DefaultContact`: Spring and damper that only pushes, N = max(K d + B d', 0), without friction (PCM). */
typedef struct fender_default_contact_parameters {
    double K;     /* N/m; Spring constant; PCM states no default, so this is the value of its example; default 1000 */
    double B;     /* N*s/m; Damping constant; the same; default 10 */
    double Error; /* m; Separation beyond which the contact ends; default 0 */
} fender_default_contact_parameters;
FENDER_LAW_PARAMETERS(fender_default_contact_parameters, "DefaultContact")

/* `SpringContact`: Bond of three springs with dampers that breaks at a limit along any axis, then a spring and damper
 * that only push (PCM).
 */
typedef struct fender_spring_contact_parameters {
    double K;       /* N/m; Spring constant along each axis; required */
    double B;       /* N*s/m; Damping constant along each axis; default 0 */
    double X_Limit; /* N; Force along the direction `along` at which the bond breaks; default INFINITY */
    double Y_Limit; /* N; Force across it at which the bond breaks; default INFINITY */
    double Z_Limit; /* N; Attraction along the normal at which the bond breaks; repulsion is not limited; default
                       INFINITY */
    double Error;   /* m; Separation beyond which the contact ends, bonded or not; 0: twice the stretch of the bond at
                       Z_Limit; default 0 */
    fender_vec3 along; /* 1; The direction, in the axes of the shape; 0: x of the contact frame; default 0 */
    int fixed_to;      /* 0 a, 1 b; The shape that has the direction: a, which was created first, or b; default a */
} fender_spring_contact_parameters;
FENDER_LAW_PARAMETERS(fender_spring_contact_parameters, "SpringContact")

/* `stribeck`: Sliding friction by the Stribeck curve from mu_static to mu_kinetic, with viscous friction; smooth
 * through zero slip: it creeps under load and never sticks. */
typedef struct fender_stribeck_parameters {
    double mu_static;      /* 1; Coefficient at rest, where the Stribeck curve begins; required */
    double mu_kinetic;     /* 1; Coefficient at high slip, at most mu_static; required */
    double stribeck_speed; /* m/s; Slip at which 0.37 of the difference mu_static - mu_kinetic is left; required */
    double viscous;        /* s/m; Viscous friction per normal force; default 0 */
    double slip_speed; /* m/s; Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero;
                          default 0.0001 */
} fender_stribeck_parameters;
FENDER_LAW_PARAMETERS(fender_stribeck_parameters, "stribeck")

/* `dahl`: Bristle friction (Dahl): a spring whose force approaches mu N over the displacement `amplitude`, without
 * modes. */
typedef struct fender_dahl_parameters {
    double mu;        /* 1; Coefficient of friction; required */
    double amplitude; /* m; Deflection at the limit: the spring constant at rest is mu N / amplitude; required */
    double damping;   /* s/m; Damping of the deflection per normal force; default 0 */
} fender_dahl_parameters;
FENDER_LAW_PARAMETERS(fender_dahl_parameters, "dahl")

/* `lugre`: Bristle friction (LuGre) with the Stribeck curve from mu_static to mu_kinetic and viscous friction, without
 * modes. */
typedef struct fender_lugre_parameters {
    double mu_static;      /* 1; Coefficient at rest, where the Stribeck curve begins; required */
    double mu_kinetic;     /* 1; Coefficient at high slip, at most mu_static; required */
    double amplitude;      /* m; Deflection at mu_kinetic N: the spring constant at rest is mu_kinetic N / amplitude;
                              required */
    double damping;        /* s/m; Damping of the deflection per normal force; default 0 */
    double viscous;        /* s/m; Viscous friction per normal force; default 0 */
    double stribeck_speed; /* m/s; Slip at which 0.37 of the difference mu_static - mu_kinetic is left; default 0.001 */
} fender_lugre_parameters;
FENDER_LAW_PARAMETERS(fender_lugre_parameters, "lugre")

/* `cundall_strack`: A tangential spring and damper that slides at mu N, with one coefficient for sticking and sliding,
 * without modes. */
typedef struct fender_cundall_strack_parameters {
    double mu;        /* 1; Coefficient of friction; required */
    double stiffness; /* N/m; Tangential spring constant; required */
    double damping;   /* N*s/m; Tangential damping constant; default 0 */
} fender_cundall_strack_parameters;
FENDER_LAW_PARAMETERS(fender_cundall_strack_parameters, "cundall_strack")

/* `mindlin`: Mindlin's tangential spring 8 G* sqrt(R d), optionally rescaled during unloading, sliding at mu N; for use
 * with Hertz's normal law. */
typedef struct fender_mindlin_parameters {
    double mu;      /* 1; Coefficient of friction; required */
    double modulus; /* Pa; Effective shear modulus G*, 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b, instead of the next four;
                       default 0 */
    double young;   /* Pa; Young's modulus of both bodies, or of the first; G = E / (2 (1 + nu)); default 0 */
    double poisson; /* 1; Poisson's ratio of both bodies, or of the first; default 0.3 */
    double young_b; /* Pa; Young's modulus of the other body; 0: the same; none: rigid; default 0 */
    double poisson_b;    /* 1; Poisson's ratio of the other body, with young_b; default 0.3 */
    double damping_time; /* s; Tangential damping constant over stiffness; default 0 */
    int history;   /* 0 rescaled, 1 force, 2 displacement; rescaled: f' = k v, scaled down with k as the contact opens;
                      force: not scaled; displacement: f = k s. The last two create energy in load cycles; default
                      rescaled */
    double radius; /* m; R of both surfaces, 1/R = 1/R_a + 1/R_b; 0: from the curvature of the shapes; default 0 */
    double largest_radius; /* m; With radius 0: upper bound of the radii of the gap, and the radius of flat shapes;
                              default 10 */
} fender_mindlin_parameters;
FENDER_LAW_PARAMETERS(fender_mindlin_parameters, "mindlin")

/* `anisotropic`: Sliding friction with an elliptical limit: mu_along along a direction fixed to one of the shapes,
 * mu_across across it; smooth through zero slip. */
typedef struct fender_anisotropic_parameters {
    double mu_along;   /* 1; Coefficient of friction against slip along the direction; required */
    double mu_across;  /* 1; Coefficient of friction against slip across it; required */
    fender_vec3 along; /* 1; The direction, in the axes of the shape; its length does not matter; required */
    int fixed_to;      /* 0 a, 1 b; The shape: a, which was created first, or b; default a */
    double slip_speed; /* m/s; Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero;
                          default 0.001 */
} fender_anisotropic_parameters;
FENDER_LAW_PARAMETERS(fender_anisotropic_parameters, "anisotropic")

/* `claw`: Spines that grip, also under tension, while they are pulled in their direction and below a limit; then a
 * repulsive contact with friction. */
typedef struct fender_claw_parameters {
    double stiffness;            /* N/m; Spring constant along the normal, in push and pull; required */
    double damping;              /* N*s/m; Damping constant along the normal; default 0 */
    double tangential_stiffness; /* N/m; Spring constant across the normal while the spines hold; required */
    double tangential_damping;   /* N*s/m; Damping constant across the normal while the spines hold; default 0 */
    fender_vec3 pull; /* 1; Direction in which the claw is pulled while it holds, in the axes of its shape; required */
    int fixed_to;     /* 0 a, 1 b; The shape that has the claw: a, which was created first, or b; default b */
    double limit;     /* N; Pull along this direction that breaks the grip; required */
    double lateral_limit; /* N; Force across this direction that breaks the grip; default INFINITY */
    double angle;         /* rad; Largest angle between a pull and the surface; required */
    double mu;            /* 1; Coefficient of friction against the spines, and after the grip has broken; default
                             0.3 */
    double slip_speed;    /* m/s; Slip at which that friction has 0.707 of its limit; default 0.001 */
} fender_claw_parameters;
FENDER_LAW_PARAMETERS(fender_claw_parameters, "claw")

/* `rolling_resistance`: A torque arm N against rolling, smooth through rest: under load it creeps and never stops.
 */
typedef struct fender_rolling_resistance_parameters {
    double arm;       /* m; Torque per normal force: coefficient of rolling resistance times the radius; required */
    double roll_rate; /* rad/s; Rolling at which the torque has 0.707 of its limit; below it falls linearly to zero;
                         default 0.01 */
} fender_rolling_resistance_parameters;
FENDER_LAW_PARAMETERS(fender_rolling_resistance_parameters, "rolling_resistance")

/* `rolling_stick`: A torque arm N against rolling; below rest_rate, an angular spring and damper hold the body. */
typedef struct fender_rolling_stick_parameters {
    double arm;       /* m; Torque per normal force: coefficient of rolling resistance times the radius; required */
    double stiffness; /* N*m/rad; Spring constant against rolling while at rest; required */
    double damping;   /* N*m*s/rad; Damping constant while at rest; 1.4 sqrt(stiffness * moment of inertia) damps well;
                         default 0 */
    double rest_rate; /* rad/s; Rolling below which it comes to rest; 0: twice what the step can end, 1 mrad/s at least;
                         default 0 */
} fender_rolling_stick_parameters;
FENDER_LAW_PARAMETERS(fender_rolling_stick_parameters, "rolling_stick")

/* `torsional`: Friction of a round patch against twisting, smooth through rest: under load it creeps and never stops.
 */
typedef struct fender_torsional_parameters {
    double mu;     /* 1; Coefficient of friction in the patch; required */
    double radius; /* m; Radius of the patch; required */
    int pressure;  /* 0 even, 1 hertz, 2 rim; Pressure over the patch: even (torque 2/3 mu N R), hertz (3 pi / 16), rim
                      (1);  default even */
    double twist_rate; /* rad/s; Twisting at which the torque has 0.707 of its limit; below it falls linearly to zero;
                          default 0.01 */
} fender_torsional_parameters;
FENDER_LAW_PARAMETERS(fender_torsional_parameters, "torsional")

/* `torsional_stick`: A torque of mu, patch radius and load against twisting; below rest_rate, an angular spring and
 * damper hold the body. */
typedef struct fender_torsional_stick_parameters {
    double mu;     /* 1; Coefficient of friction in the patch; required */
    double radius; /* m; Radius of the patch; required */
    int pressure;  /* 0 even, 1 hertz, 2 rim; Pressure over the patch: even (torque 2/3 mu N R), hertz (3 pi / 16), rim
                      (1);  default even */
    double stiffness; /* N*m/rad; Spring constant against twisting while at rest; required */
    double damping;   /* N*m*s/rad; Damping constant while at rest; 1.4 sqrt(stiffness * moment of inertia) damps well;
                         default 0 */
    double rest_rate; /* rad/s; Twisting below which it comes to rest; 0: twice what the step can end, 1 mrad/s at
                         least; default 0 */
} fender_torsional_stick_parameters;
FENDER_LAW_PARAMETERS(fender_torsional_stick_parameters, "torsional_stick")

/* `capture`: Repulsive spring and damper that connects the bodies when its force reaches a limit: weld or bushing. */
typedef struct fender_capture_parameters {
    double stiffness;     /* N/m; Spring constant k of the push; required */
    double damping;       /* N*s/m; Damping constant c of the push; default 0 */
    double capture_force; /* N; Push at which the bodies are connected; 0: at touch; default 0 */
    int connection; /* 0 weld, 1 bushing; weld: one body becomes part of the other; bushing: springs and dampers hold
                       them; default weld */
    double hold_stiffness;         /* N/m; Stiffness of the bushing, in every direction; default 0 */
    double hold_damping;           /* N*s/m; Damping of the bushing, in every direction; default 0 */
    double hold_angular_stiffness; /* N*m/rad; Stiffness of the bushing against rotation; default 0 */
    double hold_angular_damping;   /* N*m*s/rad; Damping of the bushing against rotation; default 0 */
    double limit;                  /* N; A larger force breaks the bushing; default INFINITY */
    double angular_limit;          /* N*m; A larger torque breaks the bushing; default INFINITY */
} fender_capture_parameters;
FENDER_LAW_PARAMETERS(fender_capture_parameters, "capture")

/* `expression`: N = max(F, 0) by an expression F of depth, rate, slip, time and approach speed that the scenario has
 * under `force`. */
typedef struct fender_expression_parameters {
    double depth_range; /* m; Depth up to which the force is tried; default 0.1 */
    double speed_range; /* m/s; Speed up to which the force is tried; default 10 */
    double least_speed; /* m/s; Lower bound of approach_speed; default 0.001 */
    bool supplied;      /* The force may add energy, and its work counts as applied from outside; default false */
    bool slips;         /* from here on: set by fender_expression_parameters_set; the force reads the slip */
    bool more;          /* it reads slip, time or approach speed */
    int shared;         /* the first instructions of the force that give the force at rest; 0: there are none */
    bool extended;      /* it has values below depth 0 */
    double exponent;    /* of the depth, where the force at rest is a power of it; NaN: it is none */
    fender_expression force, rest; /* F, and F at rest: without rate and slip */
} fender_expression_parameters;
FENDER_LAW_PARAMETERS(fender_expression_parameters, "expression")

/* `friction_expression`: f = mu N s / sqrt(s^2 + slip_speed^2) against the slip s, with mu by an expression of slip,
 * normal force, depth, rate, time and approach speed that the scenario has under `coefficient`. */
typedef struct fender_friction_expression_parameters {
    double slip_speed;  /* m/s; Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero;
                           default 0.001 */
    double speed_range; /* m/s; Slip up to which the coefficient is tried; default 10 */
    double least_speed; /* m/s; Lower bound of approach_speed; default 0.001 */
    fender_expression coefficient; /* set by fender_friction_expression_parameters_set */
} fender_friction_expression_parameters;
FENDER_LAW_PARAMETERS(fender_friction_expression_parameters, "friction_expression")

#undef FENDER_LAW_PARAMETERS

/* Slots of the expressions of laws. Values in SI. */
typedef enum fender_law_slot {
    FENDER_LAW_SLOT_DEPTH,          /* m; at least 0 where the expression has no value below */
    FENDER_LAW_SLOT_RATE,           /* m/s; of the depth, > 0 while approaching */
    FENDER_LAW_SLOT_SLIP,           /* m/s; its size */
    FENDER_LAW_SLOT_TIME,           /* s */
    FENDER_LAW_SLOT_APPROACH_SPEED, /* m/s; rate at the beginning of the contact, at least least_speed */
    FENDER_LAW_SLOT_NORMAL_FORCE,   /* N; for friction alone */
    FENDER_LAW_SLOT_COUNT
} fender_law_slot;

/* Sets the force [N] or the coefficient [1] as a program whose slots are fender_law_slot. VALUE if it is not valid, too
 * long (FENDER_EXPRESSION_CAPACITY instructions when shortened), or reads a slot that its law does not have. */
FENDER_API fender_status fender_expression_parameters_set(fender_expression_parameters *parameters,
                                                          const fender_instruction *code, int count,
                                                          fender_error *error);
FENDER_API fender_status fender_friction_expression_parameters_set(fender_friction_expression_parameters *parameters,
                                                                   const fender_instruction *code, int count,
                                                                   fender_error *error);

#endif
