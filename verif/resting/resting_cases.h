/* Every body that can rest, on every base that there is: how still it lies after a while. */
#ifndef VERIF_RESTING_CASES_H
#define VERIF_RESTING_CASES_H

#include "resting.h"

typedef enum resting_base { RESTING_PLANE, RESTING_BOX, RESTING_GRID, RESTING_BASES } resting_base;
typedef enum resting_solid {
    RESTING_BOX_FLAT,
    RESTING_CYLINDER_CAP,
    RESTING_CYLINDER_SIDE,
    RESTING_CONE,
    RESTING_DISK,
    RESTING_PRISM, /* three corners */
    RESTING_HULL,  /* a frustum of five corners */
    RESTING_ROUNDED,
    RESTING_CAPSULE,
    RESTING_SPHERE,
    RESTING_ELLIPSOID,
    RESTING_SOLIDS
} resting_solid;

static const char *const resting_solid_names[] = {"box",
                                                  "cylinder on its cap",
                                                  "cylinder on its side",
                                                  "cone",
                                                  "disk",
                                                  "prism of three corners",
                                                  "hull",
                                                  "rounded box",
                                                  "capsule",
                                                  "ball",
                                                  "ellipsoid"};
static const char *const resting_base_names[] = {"plane", "box", "grid"};

static inline fender_geometry *resting_hull(const fender_env *env, int corners, double top)
{
    fender_vec3 points[12];
    for (int i = 0; i < corners; i++) {
        double angle = 6.283185307179586 * i / corners;
        points[i] = fender_vec3_make(0.1 * cos(angle), 0.1 * sin(angle), -0.05);
        points[corners + i] = fender_vec3_make(top * cos(angle), top * sin(angle), 0.05);
    }
    return fender_geometry_hull(env, points, 2 * corners, NULL);
}

/* Flat, of 12 x 12 cells of 0.13 m, whose lines lie beside the axes. */
static inline fender_geometry *resting_grid(const fender_env *env)
{
    static const double heights[13 * 13] = {0};
    const fender_grid_def def = {13, 13, {-0.81, -0.77}, {0.13, 0.13}, heights};
    return fender_geometry_grid(env, &def, NULL);
}

static inline resting_set_up resting_case(resting_base base, resting_solid solid, double tilt)
{
    fender_env env = fender_env_default();
    const double half = 1.5707963267948966;
    double height = 0.05, lean = 0;
    fender_geometry *g = NULL, *bare;
    switch (solid) {
    case RESTING_BOX_FLAT: g = fender_geometry_box(&env, fender_vec3_make(0.1, 0.08, 0.05), NULL); break;
    case RESTING_CYLINDER_CAP: g = fender_geometry_cylinder(&env, 0.1, 0.05, NULL); break;
    case RESTING_CYLINDER_SIDE: g = fender_geometry_cylinder(&env, 0.05, 0.1, NULL), lean = half; break;
    case RESTING_CONE: g = fender_geometry_cone(&env, 0.1, 0.05, NULL); break;
    case RESTING_DISK: g = fender_geometry_disk(&env, 0.1, NULL), height = 0; break;
    case RESTING_PRISM: g = resting_hull(&env, 3, 0.1); break;
    case RESTING_HULL: g = resting_hull(&env, 5, 0.06); break;
    case RESTING_ROUNDED:
        bare = fender_geometry_box(&env, fender_vec3_make(0.08, 0.06, 0.04), NULL);
        g = fender_geometry_rounded(bare, 0.01, NULL);
        fender_geometry_release(bare);
        break;
    case RESTING_CAPSULE: g = fender_geometry_capsule(&env, 0.05, 0.1, NULL), lean = half; break;
    case RESTING_SPHERE: g = fender_geometry_sphere(&env, 0.05, NULL); break;
    case RESTING_ELLIPSOID: g = fender_geometry_ellipsoid(&env, fender_vec3_make(0.1, 0.08, 0.05), NULL); break;
    case RESTING_SOLIDS: break;
    }
    fender_geometry *b = base == RESTING_PLANE  ? fender_geometry_plane(&env, NULL)
                         : base == RESTING_GRID ? resting_grid(&env)
                                                : fender_geometry_box(&env, fender_vec3_make(0.7, 0.6, 0.3), NULL);
    resting_set_up s = resting_default(b, g);
    s.base_top = base == RESTING_BOX ? 0.3 : 0;
    s.tilt = tilt;
    s.height = height + 1e-3; /* falls, tilted a little */
    s.lean = lean;
    s.off = fender_vec3_make(2e-3, lean > 0 ? 0 : 1e-3, 0); /* what lies along the slope does not roll */
    s.step = 5e-4;
    return s;
}

typedef struct resting_stillness {
    double speed, turning;   /* m/s, rad/s; largest in the last half */
    double drift;            /* m, in the last half */
    double rise, worst_rise; /* J; of the mechanical energy: all that rose, the most in one step */
    int contacts;
    double weight, force; /* N; of the solid, of the contact */
} resting_stillness;

static inline resting_stillness resting_run(resting_set_up *s, double duration)
{
    resting r = resting_build(s);
    resting_stillness found = {0};
    int steps = (int)(duration / s->step + 0.5);
    double energy = resting_energy(&r);
    fender_body_data middle = resting_body(&r), now = middle;
    for (int i = 0; i < steps; i++) {
        check_ok(fender_world_step(r.world, &error));
        double next = resting_energy(&r);
        if (next > energy) found.rise += next - energy;
        found.worst_rise = larger(found.worst_rise, next - energy);
        energy = next;
        if (i < steps / 2) continue;
        now = resting_body(&r);
        if (i == steps / 2) middle = now;
        found.speed = larger(found.speed, fender_vec3_length(now.velocity));
        found.turning = larger(found.turning, fender_vec3_length(now.angular_velocity));
    }
    found.drift = fender_vec3_length(fender_vec3_sub(now.position, middle.position));
    found.contacts = fender_contact_count(r.world, FENDER_CLOCK_COMMITTED);
    found.weight = 9.81 * s->mass;
    fender_contact_data contact; /* in a stack the last one touches another */
    assert_int_equal(fender_contact_between(r.world, r.shapes[0], r.shapes[1], &contact), FENDER_STATUS_OK);
    found.force = fender_vec3_length(contact.force);
    fender_world_destroy(r.world);
    return found;
}

/* All that stands or lies is still to rounding in the last half of the run, and mechanical energy never rises. */
static inline void resting_check_all(int bases, double duration, double step, double tilt)
{
    for (int base = 0; base < bases; base++)
        for (int solid = 0; solid < RESTING_SOLIDS; solid++) {
            bool rolls = solid == RESTING_SPHERE || solid == RESTING_ELLIPSOID;
            if (rolls && tilt > 0) continue;
            resting_set_up s = resting_case((resting_base)base, (resting_solid)solid, tilt);
            s.step = step;
            resting_stillness r = resting_run(&s, duration);
            print_message("%-22s on a %-5s tilted by %.2f, %g s: speed %.1e m/s, turning %.1e rad/s, drift %.1e m; "
                          "energy rose by %.1e J; %d contacts, force off by %.1e\n",
                          resting_solid_names[solid], resting_base_names[base], tilt, duration, r.speed, r.turning,
                          r.drift, r.rise, r.contacts, r.force / r.weight - 1);
            check_below(r.worst_rise, 1e-12);
            check_below(r.rise, 1e-9);
            if (solid == RESTING_ELLIPSOID) continue; /* rocks on its point without rolling resistance */
            check_below(r.speed, 1e-9);
            check_below(r.turning, 1e-8);
            check_below(r.drift, 1e-9);
            check_near(r.force / r.weight, 1, 1e-9);
        }
}

/* Boxes alike, of which none is the larger or the first by what it is. */
static inline void resting_check_stack(int count, double duration)
{
    resting_set_up s = resting_case(RESTING_PLANE, RESTING_BOX_FLAT, 0);
    s.more = count - 1;
    s.spacing = 0.1 + 1e-4;
    resting_stillness r = resting_run(&s, duration);
    print_message(
        "stack of %d boxes, %g s: speed %.1e m/s, turning %.1e rad/s, drift %.1e m; energy rose by %.1e J; %d "
        "contacts\n",
        count, duration, r.speed, r.turning, r.drift, r.rise, r.contacts);
    check_below(r.rise, 1e-6); /* of 1e-2 J that the fall brings: patches between alike faces that tilt */
    check_below(r.speed, 1e-9);
    check_below(r.turning, 1e-8);
    check_below(r.drift, 1e-9);
}

#endif
