/* Scenes of many bodies that touch, drawn and run. */
#include "random_scenes.h"

#include "random_numbers.h"
#include <fender/io.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BODIES = 20 };

typedef struct paper {
    char *text;
    size_t used, size;
} paper;

__attribute__((format(printf, 2, 3))) static void put(paper *p, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = vsnprintf(p->text + p->used, p->size - p->used, format, values);
    va_end(values);
    if (length > 0) p->used += (size_t)length;
    if (p->used >= p->size) p->used = p->size - 1;
}

/* What the laws are sized by. */
typedef struct sizes {
    double mass, radius, stiffness; /* kg, m, N/m; of contacts */
    double step;                    /* s; 0: the method chooses */
} sizes;

static double damping_of(random_stream *r, double stiffness, double inertia)
{
    return random_between(r, 0, 0.6) * sqrt(stiffness * inertia);
}

/* m; bristles of half that stiffness under the weight, which the step can follow: sliding at v has
 * the time constant amplitude / v, of which rk4 takes 2.78. Nothing is faster than 2.5 m/s. */
static double amplitude_of(const sizes *s, double stiffness, double mu)
{
    return fmax(2 * mu * s->mass * 9.81 / stiffness, 2.5 * s->step / 2);
}

static void put_friction(paper *p, random_stream *r, const sizes *s)
{
    const double mu = random_between(r, 0.05, 1), stiffness = s->stiffness * random_between(r, 0.2, 1);
    const double damping = damping_of(r, stiffness, s->mass), speed = random_magnitude(r, 1e-2, 1e-1);
    const double less = mu * random_between(r, 0.5, 1);
    switch (random_below(r, 12)) {
    case 0: put(p, "{law: coulomb, mu: %.17g, slip_speed: %.17g}", mu, speed); return;
    case 1:
        put(p, "{law: smooth_stick_slip, mu_static: %.17g, mu_dynamic: %.17g, critical_velocity: %.17g}", mu, less,
            speed);
        return;
    case 2:
        put(p, "{law: stribeck, mu_static: %.17g, mu_kinetic: %.17g, stribeck_speed: %.17g, slip_speed: %.17g}", mu,
            less, 2 * speed, speed);
        return;
    case 3: put(p, "{law: dahl, mu: %.17g, amplitude: %.17g}", mu, amplitude_of(s, stiffness, mu)); return;
    case 4:
        put(p, "{law: lugre, mu_static: %.17g, mu_kinetic: %.17g, stribeck_speed: %.17g, amplitude: %.17g}", mu, less,
            speed, amplitude_of(s, stiffness, mu));
        return;
    case 5:
        put(p, "{law: anisotropic, mu_along: %.17g, mu_across: %.17g, along: [1, 0.5, 0], slip_speed: %.17g}", mu, less,
            speed);
        return;
    case 6:
    case 7:
        put(p, "{law: cundall_strack, mu: %.17g, stiffness: %.17g, damping: %.17g}", mu, stiffness, damping);
        return;
    case 8:
        put(p, "{law: janosi, friction_angle: %.17g, shear_displacement: %.17g}", atan(mu),
            2 * mu * s->mass * 9.81 / stiffness);
        return;
    default:
        put(p,
            "{law: coulomb_static_kinetic, mu_static: %.17g, mu_kinetic: %.17g, stiffness: %.17g, damping: %.17g, "
            "stick_speed: %.17g, restick: %s}",
            mu, random_below(r, 2) ? mu : less, stiffness, damping,
            fmax(random_magnitude(r, 1e-5, 1e-3),
                 2 * fender_least_stick_speed(FENDER_INTEGRATOR_RK4, s->step, mu, 9.81)),
            random_below(r, 3) ? "carry" : "here");
    }
}

static void put_turning(paper *p, random_stream *r, const sizes *s, bool rolling)
{
    const double inertia = 0.4 * s->mass * s->radius * s->radius;
    const double stiffness = s->stiffness * s->radius * s->radius * random_magnitude(r, 1e-3, 0.2);
    const double damping = damping_of(r, stiffness, inertia), arm = s->radius * random_magnitude(r, 1e-3, 0.1);
    const bool sticks = random_below(r, 3) > 0;
    if (rolling && sticks)
        put(p, ", rolling: {law: rolling_stick, arm: %.17g, stiffness: %.17g, damping: %.17g, rest_rate: %.17g}", arm,
            stiffness, damping, random_magnitude(r, 1e-4, 1e-2));
    else if (rolling) put(p, ", rolling: {law: rolling_resistance, arm: %.17g, roll_rate: 0.1}", arm);
    else if (sticks)
        put(p,
            ", twisting: {law: torsional_stick, mu: 0.4, radius: %.17g, stiffness: %.17g, damping: %.17g, rest_rate: "
            "%.17g}",
            arm, stiffness, damping, random_magnitude(r, 1e-4, 1e-2));
    else put(p, ", twisting: {law: torsional, mu: 0.4, radius: %.17g, twist_rate: 0.1}", arm);
}

/* Normal laws that are not linear, for spheres alone: on patches their force is not the gradient of an energy. */
static void put_type(paper *p, random_stream *r, const sizes *s, int normal)
{
    put(p, "contact_types: {t: {normal: ");
    switch (normal) {
    case 0: /* as stiff as the others at the depth that the weight makes */
        put(p, "{law: hunt_crossley, stiffness: %.17g, restitution: %.17g, least_speed: 0.1}",
            s->stiffness / sqrt(s->mass * 9.81 / s->stiffness), random_between(r, 0.3, 1));
        break;
    case 1:
        put(p, "{law: impact, stiffness: %.17g, damping: %.17g, exponent: 1.5, full_depth: 1e-4}",
            s->stiffness / sqrt(s->mass * 9.81 / s->stiffness), damping_of(r, s->stiffness, s->mass));
        break;
    default:
        put(p, "{law: spring_damper, stiffness: %.17g, damping: %.17g}", s->stiffness,
            damping_of(r, s->stiffness, s->mass));
    }
    put(p, ", friction: ");
    put_friction(p, r, s);
    if (random_below(r, 2)) put_turning(p, r, s, true);
    if (random_below(r, 3) == 0) put_turning(p, r, s, false);
    put(p, "}}\nrules: [{default: t}]\n");
}

static void put_attitude(paper *p, random_stream *r)
{
    const fender_vec3 axis = random_direction(r);
    if (random_below(r, 2))
        put(p, ", orientation: {axis: [%.17g, %.17g, %.17g], angle: %.17g}", axis.x, axis.y, axis.z,
            random_between(r, 0, 3));
}

/* Each in its own cell of a grid: none overlap as it begins. */
static void put_body(paper *p, random_stream *r, int number, const sizes *s, double fastest, bool balls)
{
    const double cell = 2.6 * s->radius, mass = s->mass * random_between(r, 0.5, 2), size = s->radius;
    const double speed = fmin(1, fastest);
    const int layer = number / 9, place = number % 9;
    double low = random_below(r, 2) ? 1 : 1.25;
    const fender_vec3 v = random_in_ball(r, speed), w = random_in_ball(r, random_below(r, 2) ? 5 : 0);
    const int drawn = random_below(r, 3), kind = balls ? 0 : drawn;
    double inertia = 0.4 * mass * size * size;
    if (kind == 0) low = random_below(r, 2) ? 0.999 : 1.02;
    put(p, "  b%d:\n    mass_properties: {mass: %.17g, inertia: [%.17g, %.17g, %.17g]}\n", number, mass, inertia,
        inertia, inertia);
    put(p,
        "    state: {position: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g], angular_velocity: [%.17g, "
        "%.17g, %.17g]",
        (place % 3 - 1) * cell, (place / 3 - 1) * cell, low * size + layer * cell, v.x, v.y, 0.5 * v.z, w.x, w.y, w.z);
    put_attitude(p, r);
    if (kind == 0) put(p, "}\n    shapes: {s: {sphere: {radius: %.17g}}}\n", size);
    else if (kind == 1) put(p, "}\n    shapes: {s: {capsule: {radius: %.17g, length: %.17g}}}\n", 0.5 * size, size);
    else
        put(p, "}\n    shapes: {s: {box: {size: [%.17g, %.17g, %.17g]}}}\n", 1.1 * size, size,
            size * random_between(r, 0.6, 1.1));
}

void random_scene_write(uint64_t number, double part, double stiffer, char *text, size_t size)
{
    random_stream stream = random_of_case(0x5ce4e5, number), *r = &stream;
    paper sheet = {text, 0, size}, *p = &sheet;
    const sizes s = {random_magnitude(r, 0.1, 10), random_magnitude(r, 0.03, 0.3), 0, 0};
    sizes own = s;
    const double softest = 1.5 / (0.25 * s.radius); /* rad/s: a fall of 0.15 s is caught within a quarter of a radius */
    own.stiffness = s.mass * fmax(random_magnitude(r, 3e3, 1e5), softest * softest);
    const double fastest = 0.15 * own.radius * sqrt(own.stiffness / own.mass); /* none goes deep */
    own.stiffness *= stiffer;
    const double share = random_between(r, 0, 1),
                 swing = sqrt(8 * own.stiffness / s.mass); /* rad/s; four corners of the lightest body */
    const int count = 1 + (int)(MOST_BODIES * share * share * share * 0.9999), method = random_below(r, 4);
    const double tilt = random_below(r, 2) ? random_between(r, 0, 0.5) : 0, wall = 4.2 * s.radius;
    put(p, "fender: 1\nworld: {gravity: [%.17g, 0, %.17g]}\n", 9.81 * sin(tilt), -9.81 * cos(tilt));
    if (method < 2) put(p, "integrator: {method: rk4, step: %.17g, locate_events: true}\n", part * 0.1 / swing);
    else
        put(p, "integrator: {method: %s, relative_tolerance: %.17g}\n", method == 2 ? "dopri5" : "dop853",
            1e-6 * part * part * part * part);
    put(p, "run: {until: %.17g}\n", 0.15);
    const int normal = random_below(r, 4);
    own.step = method < 2 ? 0.1 / swing : 0;
    put_type(p, r, &own, normal);
    put(p, "bodies:\n  ground:\n    motion: fixed\n    shapes:\n      floor: {plane: {}}\n");
    if (random_below(r, 2)) {
        put(p, "      east: {plane: {}, position: [%.17g, 0, 0], orientation: {axis: [0, 1, 0], angle: -90 deg}}\n",
            wall);
        put(p, "      west: {plane: {}, position: [%.17g, 0, 0], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n",
            -wall);
        put(p, "      north: {plane: {}, position: [0, %.17g, 0], orientation: {axis: [1, 0, 0], angle: 90 deg}}\n",
            wall);
        put(p, "      south: {plane: {}, position: [0, %.17g, 0], orientation: {axis: [1, 0, 0], angle: -90 deg}}\n",
            -wall);
    }
    for (int i = 0; i < count; i++) put_body(p, r, i, &own, fastest, normal < 2);
}

random_scene_result random_scene_run(const char *text)
{
    random_scene_result result = {0};
    fender_env env = fender_env_default();
    env.report = NULL;
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene", text, strlen(text), NULL, 0, &error);
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = scenario ? fender_run_create(&env, &def, &error) : NULL;
    if (!run || fender_run_execute(run, &error) != FENDER_STATUS_OK)
        snprintf(result.error, sizeof result.error, "%s; %s", error.message, error.found);
    result.too_deep = strstr(result.error, "the depth exceeds its limit") != NULL;
    if (run) {
        const fender_run_summary *summary = fender_run_get_summary(run);
        const double scale = summary->end.scale;
        result.residual = scale > 0 ? summary->largest_residual / scale : summary->largest_residual;
        result.bound = summary->residual_bound;
        result.steps = summary->step_count;
        result.held = summary->modes_frozen;
    }
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return result;
}

/* Finer steps until the energy is within the bound of the usual one: finer tolerances promise more. */
static random_scene_result run_finer(uint64_t number, double stiffer, char *text)
{
    random_scene_result result = {0};
    double bound = 0;
    for (double part = 1; part >= 0.0625; part *= 0.25) {
        random_scene_write(number, part, stiffer, text, RANDOM_SCENE_SIZE);
        result = random_scene_run(text);
        if (part == 1) bound = result.bound;
        result.bound = bound;
        if (result.error[0] || result.residual <= bound) break;
    }
    return result;
}

int random_scenes_fail(uint64_t first, int count)
{
    static char text[RANDOM_SCENE_SIZE];
    int failed = 0, stiffened = 0;
    for (uint64_t number = first; number < first + (uint64_t)count; number++) {
        random_scene_result result = run_finer(number, 1, text);
        for (double stiffer = 4; result.too_deep && stiffer <= 64; stiffer *= 4) {
            stiffened += stiffer == 4;
            result = run_finer(number, stiffer, text);
        }
        if (!result.error[0] && result.residual <= result.bound) continue;
        printf("scene %llu: %s; residual %.2g of the energy at work (bound %.2g), %lld steps, held %lld times\n",
               (unsigned long long)number, result.error[0] ? result.error : "ended", result.residual, result.bound,
               (long long)result.steps, (long long)result.held);
        failed++;
    }
    printf("%d scenes: %d stopped at the depth limit and were made stiffer, %d failed\n", count, stiffened, failed);
    return failed;
}
