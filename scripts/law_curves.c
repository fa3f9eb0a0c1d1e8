/* Drives one contact law alone, without bodies or shapes, and prints its curve as CSV: what a law does can be seen
 * before a world uses it. Build: cc law_curves.c -lfender -lm
 *
 * usage: law_curves MOTION [SETTING=VALUE].. LAW [PARAMETER=VALUE].. (SI; vectors as 1,0,0); without arguments an
 * impact. impact     a mass meets a wall at a speed:                        normal force over depth press      pressed
 * in to a depth and pulled out, a half sine that begins at a speed; `again` times as deep once more slide      to and
 * fro through a way, a sine that is fastest at a speed:    friction over displacement sweep      slip from -speed to
 * speed, so slowly that states follow:        friction over slip roll, twist, roll_sweep, twist_sweep   the same about
 * an axis in the surface, or the normal: torque over angle, rate
 *
 * It is what an engine does: states are integrated by Runge and Kutta's method with the memory held still, which
 * establish and update alone change, and an impact's mass moves by the law's force. */
#include <fender/law.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40000, ROWS = 2000, DRIVEN = 2 };

static const double pi = 3.14159265358979323846;

typedef struct settings {
    double mass, speed, depth, again, load, way, turns, radius, area;
} settings;

typedef struct drive {
    const char *motion;
    settings set;
    const fender_law *law;
    union {
        double align;
        char bytes[1024];
    } parameters, memory;
    fender_contact_surface surface;
    double approach_speed, release_gap;
    bool free, normal, sweep; /* an impact; along the normal; over the rate */
} drive;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "law_curves: %s: %s\n", what, name);
    exit(3);
}

/* What moves: depth, or the way or angle across; y holds it, its rate, then the law's states. */
static void prescribed(const drive *d, double time, double *y)
{
    const settings *s = &d->set;
    if (d->sweep) {
        y[0] = 0;
        y[1] = s->speed * (time - 1);
    } else if (d->normal) {
        double w = s->speed / s->depth, angle = w * time, deep = s->depth;
        if (s->again > 0 && angle > pi) {
            angle -= pi;
            deep *= s->again;
        }
        y[0] = deep * sin(angle);
        y[1] = deep * w * cos(angle);
    } else {
        double w = s->speed / s->way;
        y[0] = s->way * sin(w * time);
        y[1] = s->speed * cos(w * time);
    }
}

static fender_contact_input input_of(const drive *d, double time, const double *y)
{
    fender_contact_input in = {.time = time,
                               .depth = d->normal ? y[0] : d->set.depth,
                               .depth_rate = d->normal ? y[1] : 0,
                               .approach_speed = d->approach_speed,
                               .normal_force = d->normal ? 0 : d->set.load,
                               .weight = 1,
                               .area = d->set.area,
                               .states = d->law->state_count > 0 ? y + DRIVEN : NULL,
                               .surface = d->law->needs & FENDER_LAW_NEEDS_SURFACE ? &d->surface : NULL};
    if (strncmp(d->motion, "roll", 4) == 0) in.spin.x = y[1];
    else if (strncmp(d->motion, "twist", 5) == 0) in.spin.z = y[1];
    else if (!d->normal) in.slip.x = y[1];
    return in;
}

static fender_contact_output output_of(const drive *d, double time, const double *y)
{
    fender_contact_output out;
    memset(&out, 0, sizeof out);
    fender_contact_input in = input_of(d, time, y);
    d->law->force(d->parameters.bytes, &in, d->memory.bytes, &out);
    return out;
}

static void rates(const drive *d, double time, double *y, double *rate)
{
    if (!d->free) prescribed(d, time, y);
    rate[0] = y[1];
    rate[1] = d->free ? -output_of(d, time, y).force.z / d->set.mass : 0;
    fender_contact_input in = input_of(d, time, y);
    if (d->law->state_rates) d->law->state_rates(d->parameters.bytes, &in, d->memory.bytes, rate + DRIVEN);
}

static void step(const drive *d, double time, double h, double *y)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, part[4] = {1, 2, 2, 1};
    double at[DRIVEN + FENDER_LAW_STATE_CAPACITY], rate[DRIVEN + FENDER_LAW_STATE_CAPACITY] = {0};
    double sum[DRIVEN + FENDER_LAW_STATE_CAPACITY] = {0};
    int count = DRIVEN + d->law->state_count;
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < count; i++) at[i] = y[i] + node[stage] * h * rate[i];
        rates(d, time + node[stage] * h, at, rate);
        for (int i = 0; i < count; i++) sum[i] += part[stage] * h / 6 * rate[i];
    }
    for (int i = 0; i < count; i++) y[i] += sum[i];
    if (!d->free) prescribed(d, time + h, y);
}

static void print_row(const drive *d, double time, const double *y)
{
    fender_contact_output out = output_of(d, time, y);
    double force = d->normal                             ? out.force.z
                   : strncmp(d->motion, "roll", 4) == 0  ? -out.torque.x
                   : strncmp(d->motion, "twist", 5) == 0 ? -out.torque.z
                                                         : -out.force.x;
    printf("%.9g,%.9g\n", y[d->sweep ? 1 : 0], force);
}

static void run(drive *d)
{
    const settings *s = &d->set;
    double y[DRIVEN + FENDER_LAW_STATE_CAPACITY] = {0};
    double begin = d->sweep ? -0.1 : 0, time = begin, end = 2; /* a sweep is drawn once the states have followed */
    if (d->free) end = 10 * s->depth / s->speed;               /* depth: about how deep it goes */
    else if (d->normal) end = (s->again > 0 ? 3 : 2) * pi * s->depth / s->speed;
    else if (!d->sweep) end = 2 * pi * s->turns * s->way / s->speed;
    y[1] = s->speed;
    if (!d->free) prescribed(d, time, y);
    fender_contact_input in = input_of(d, time, y);
    if (d->law->begin) d->law->begin(d->parameters.bytes, &in, d->memory.bytes);
    bool ended = false;
    double h = (end - begin) / STEPS;
    for (int i = 0; i < STEPS && !ended; i++) {
        if (time >= 0 && (i % (STEPS / ROWS) == 0 || i == 1 || (d->normal && y[0] < 0))) print_row(d, time, y);
        step(d, time, h, y);
        time = begin + (i + 1) * h;
        in = input_of(d, time, y);
        fender_contact_output out = output_of(d, time, y);
        fender_contact_change change = {.states = y + DRIVEN};
        if (d->law->update) d->law->update(d->parameters.bytes, &in, &out, d->memory.bytes, &change);
        ended = change.end || (d->normal && y[0] < -d->release_gap && y[1] < 0);
    }
    if (!ended) print_row(d, time, y);
    else if (d->normal) printf("%.9g,0\n", y[0]); /* let go */
    if (ended && d->law->end) d->law->end(d->parameters.bytes, &in, d->memory.bytes);
}

static void set_parameter(drive *d, const char *name, const char *value)
{
    const fender_field *field = fender_field_find(&d->law->parameters, name);
    if (!field) fail("the law has no parameter of that name", name);
    for (int choice = 0; field->choices && field->choices[choice]; choice++)
        if (strcmp(field->choices[choice], value) == 0) {
            fender_field_set(field, d->parameters.bytes, 0, choice);
            return;
        }
    for (int i = 0; i < fender_field_component_count(field); i++) {
        char *rest;
        double number = strtod(value, &rest);
        if (rest == value) fail("not a number", value);
        fender_field_set(field, d->parameters.bytes, i, number);
        value = *rest == ',' ? rest + 1 : rest;
    }
}

static void set_setting(settings *s, const char *name, const char *value)
{
    const struct {
        const char *name;
        double *place;
    } rows[] = {{"mass", &s->mass},   {"speed", &s->speed}, {"depth", &s->depth},
                {"again", &s->again}, {"load", &s->load},   {"way", &s->way},
                {"turns", &s->turns}, {"area", &s->area},   {"radius", &s->radius}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *rows[i].place = strtod(value, NULL);
            return;
        }
    fail("no such setting", name);
}

static bool ends_with(const char *word, const char *end)
{
    size_t length = strlen(word), tail = strlen(end);
    return length >= tail && strcmp(word + length - tail, end) == 0;
}

int main(int count, char **arguments)
{
    static char *example[] = {"", "impact", "speed=0.5", "hunt_crossley", "stiffness=1e7", "restitution=0.5"};
    static drive d = {.set = {1, 0.1, 1e-3, 0, 100, 1e-3, 1.25, 0.1, 0.01}};
    if (count < 3) {
        count = sizeof example / sizeof example[0];
        arguments = example;
    }
    d.motion = arguments[1];
    for (int i = 2; i < count; i++) {
        char name[64];
        const char *equals = strchr(arguments[i], '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - arguments[i]) : (int)sizeof name - 1, arguments[i]);
        if (!equals) {
            d.law = fender_law_find(NULL, name);
            if (!d.law) fail("no such law", name);
            if (d.law->parameters.size > sizeof d.parameters || d.law->memory_size > sizeof d.memory)
                fail("too large for this program", name);
            (void)fender_field_initialize(&d.law->parameters, d.parameters.bytes, sizeof d.parameters.bytes, NULL);
        } else if (d.law) set_parameter(&d, name, equals + 1);
        else set_setting(&d.set, name, equals + 1);
    }
    if (!d.law) fail("no law is named", d.motion);
    fender_error error = {0};
    if (fender_field_check(&d.law->parameters, d.parameters.bytes, &error) != FENDER_STATUS_OK ||
        (d.law->check && d.law->check(d.parameters.bytes, &error) != FENDER_STATUS_OK))
        fail(d.law->name, error.message);
    d.free = strcmp(d.motion, "impact") == 0;
    d.normal = d.free || strcmp(d.motion, "press") == 0;
    d.sweep = ends_with(d.motion, "sweep");
    d.approach_speed = d.normal ? d.set.speed : 0;
    double onset_gap;
    if (d.law->activation_distance) d.law->activation_distance(d.parameters.bytes, &onset_gap, &d.release_gap);
    d.surface = (fender_contact_surface){.relative = {1 / d.set.radius, 1 / d.set.radius, {1, 0}},
                                         .radius = d.set.radius,
                                         .R_CA = fender_mat3_identity(),
                                         .R_CB = fender_mat3_identity()};
    d.surface.a = d.surface.relative; /* a ball on a flat surface */
    printf("%s,%s\n",
           d.normal  ? "depth [m]"
           : d.sweep ? "rate [m/s or rad/s]"
                     : "way [m or rad]",
           strncmp(d.motion, "roll", 4) == 0 || strncmp(d.motion, "twist", 5) == 0 ? "torque [N*m]" : "force [N]");
    run(&d);
    return 0;
}
