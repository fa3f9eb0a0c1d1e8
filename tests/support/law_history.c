/* Random histories of motion through a law alone. */
#include "law_history.h"

#include <math.h>
#include <string.h>

enum { WAVES = 4, MEMORY = 256 };

/* A sum of waves: smooth, with known bounds of its slope. */
typedef struct wave_sum {
    double size[WAVES], rate[WAVES], phase[WAVES], middle;
} wave_sum;

static wave_sum random_waves(random_stream *r, double middle, double size)
{
    wave_sum w = {.middle = middle};
    for (int i = 0; i < WAVES; i++) {
        w.size[i] = size * random_between(r, 0.1, 1) / WAVES;
        w.rate[i] = random_magnitude(r, 0.3, 30);
        w.phase[i] = random_between(r, 0, 6.3);
    }
    return w;
}

static double at(const wave_sum *w, double t)
{
    double sum = w->middle;
    for (int i = 0; i < WAVES; i++) sum += w->size[i] * sin(w->rate[i] * t + w->phase[i]);
    return sum;
}

static double slope_at(const wave_sum *w, double t)
{
    double sum = 0;
    for (int i = 0; i < WAVES; i++) sum += w->size[i] * w->rate[i] * cos(w->rate[i] * t + w->phase[i]);
    return sum;
}

typedef struct motion {
    wave_sum depth, slip[2], spin[3], turn;
    double stiffness;
} motion;

/* A linear push: the load is in proportion to the depth, so that laws of either see the same history. */
static fender_contact_input input_at(const motion *m, double t, fender_contact_surface *surface)
{
    fender_contact_input in;
    memset(&in, 0, sizeof in);
    in.time = t;
    in.depth = at(&m->depth, t);
    in.depth_rate = slope_at(&m->depth, t);
    in.approach_speed = 1;
    in.weight = 1;
    in.slip = (fender_vec2){at(&m->slip[0], t), at(&m->slip[1], t)};
    in.spin = fender_vec3_make(at(&m->spin[0], t), at(&m->spin[1], t), at(&m->spin[2], t));
    in.normal_force = in.depth > 0 ? m->stiffness * in.depth : 0;
    double c = cos(at(&m->turn, t)), s = sin(at(&m->turn, t));
    memset(surface, 0, sizeof *surface);
    surface->radius = 0.1;
    surface->a = surface->relative = (fender_curvature){10, 10, {1, 0}};
    surface->R_CA = (fender_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    surface->R_CB = (fender_mat3){{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    in.surface = surface;
    return in;
}

static double power_into(const fender_contact_input *in, const fender_contact_output *out)
{
    return -(out->force.x * in->slip.x + out->force.y * in->slip.y + out->torque.x * in->spin.x +
             out->torque.y * in->spin.y + out->torque.z * in->spin.z);
}

/* Rates of states, of what is put in, of what is lost. */
typedef struct rates {
    double states[FENDER_LAW_STATE_CAPACITY], put_in, lost;
} rates;

typedef struct trial {
    const fender_law *law;
    const void *parameters;
    const motion *motion;
    const void *memory;
    law_history *history;
} trial;

static rates rates_at(const trial *t, double time, const double *states)
{
    fender_contact_surface surface;
    fender_contact_input in = input_at(t->motion, time, &surface);
    fender_contact_output out;
    rates r;
    memset(&out, 0, sizeof out);
    memset(&r, 0, sizeof r);
    in.states = states;
    t->law->force(t->parameters, &in, t->memory, &out);
    r.put_in = power_into(&in, &out);
    r.lost = out.friction_power + out.damping_power;
    double scale = fabs(r.put_in) + fabs(r.lost);
    if (scale > 0 && r.lost / scale < t->history->least_power) t->history->least_power = r.lost / scale;
    if (t->law->state_count > 0) t->law->state_rates(t->parameters, &in, t->memory, r.states);
    return r;
}

static double energy_of(const trial *t, double time, const double *states)
{
    fender_contact_surface surface;
    fender_contact_input in = input_at(t->motion, time, &surface);
    in.states = states;
    return t->law->stored_energy ? t->law->stored_energy(t->parameters, &in, t->memory) : 0;
}

static void advance(const trial *t, double time, double h, double *states)
{
    static const double parts[4] = {0, 0.5, 0.5, 1}, weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    rates k = {0};
    double start[FENDER_LAW_STATE_CAPACITY], at_stage[FENDER_LAW_STATE_CAPACITY];
    memcpy(start, states, sizeof start);
    for (int i = 0; i < 4; i++) {
        for (int n = 0; n < FENDER_LAW_STATE_CAPACITY; n++) at_stage[n] = start[n] + parts[i] * h * k.states[n];
        k = rates_at(t, time + parts[i] * h, at_stage);
        for (int n = 0; n < FENDER_LAW_STATE_CAPACITY; n++) states[n] += weights[i] * h * k.states[n];
        t->history->put_in += weights[i] * h * k.put_in;
        t->history->lost += weights[i] * h * k.lost;
        t->history->most_worked += weights[i] * h * fabs(k.put_in);
    }
}

law_history law_history_run(const fender_law *law, const void *parameters, random_stream *stream, int steps)
{
    law_history history = {0};
    motion m = {.stiffness = 1e4};
    double reach = random_magnitude(stream, 1e-4, 1), turning = random_magnitude(stream, 1e-3, 10);
    m.depth = random_waves(stream, random_between(stream, 0, 2e-3), 4e-3);
    for (int i = 0; i < 2; i++) m.slip[i] = random_waves(stream, random_between(stream, -0.2, 0.2) * reach, reach);
    for (int i = 0; i < 3; i++) m.spin[i] = random_waves(stream, 0, turning);
    m.turn = random_waves(stream, 1, 3);
    unsigned char memory[MEMORY] = {0};
    double states[FENDER_LAW_STATE_CAPACITY] = {0}, h = random_magnitude(stream, 1e-5, 1e-4), stored = 0;
    bool touching = false;
    trial t = {law, parameters, &m, memory, &history};
    for (int i = 0; i < steps; i++) {
        double time = i * h;
        fender_contact_surface surface;
        fender_contact_input in = input_at(&m, time, &surface);
        if (!touching) { /* what it held was lost as it ended */
            if (!(in.depth > 0)) continue;
            memset(memory, 0, sizeof memory);
            memset(states, 0, sizeof states);
            in.states = states;
            if (law->begin) law->begin(parameters, &in, memory);
            touching = true;
        }
        double lost = history.lost;
        advance(&t, time, h, states);
        double before = energy_of(&t, time + h, states);
        in = input_at(&m, time + h, &surface);
        in.states = states;
        if (law->update) {
            fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
            law->force(parameters, &in, memory, &out);
            fender_contact_change change = {.states = states};
            law->update(parameters, &in, &out, memory, &change);
        }
        stored = energy_of(&t, time + h, states);
        if (!(in.depth > 0)) {
            touching = false;
            stored = 0;
        }
        history.lost += before - stored;
        if (history.lost - lost < history.least_given) history.least_given = history.lost - lost;
        double excess = stored - history.put_in; /* so much came from nowhere */
        if (excess > history.worst) history.worst = excess;
        history.steps++;
    }
    history.residual = fabs(history.put_in - history.lost - stored);
    return history;
}

bool law_history_parameters(const fender_law *law, random_stream *stream, void *parameters)
{
    for (int tries = 0; tries < 200; tries++) {
        (void)fender_field_initialize(&law->parameters, parameters, law->parameters.size, NULL);
        for (int i = 0; i < law->parameters.count; i++) {
            const fender_field *f = fender_field_at(&law->parameters, i);
            /* refused with all of them: then some are left out */
            if (tries > 0 && !(f->flags & FENDER_FIELD_REQUIRED) && random_below(stream, 2)) continue;
            for (int c = 0; c < fender_field_component_count(f); c++) {
                double low = f->minimum, high = f->maximum, value;
                if (f->type == FENDER_FIELD_ENUM || f->type == FENDER_FIELD_BOOL)
                    value = floor(random_between(stream, 0, f->type == FENDER_FIELD_BOOL ? 2 : high + 1));
                else if (isinf(low)) value = random_between(stream, -1, 1);
                else if (!isinf(high)) value = random_between(stream, low, high);
                else if (strstr(f->unit, "N") || strstr(f->unit, "Pa")) /* stiffness, damping: of the order of a body */
                    value = low + random_magnitude(stream, 0.1, strstr(f->unit, "s") ? 30 : 1e4);
                else if (strcmp(f->unit, "1") == 0) value = low + random_between(stream, 0.05, 1.5);
                else if (strcmp(f->unit, "s/m") == 0) value = low + random_magnitude(stream, 1e-3, 1);
                else value = low + random_magnitude(stream, 1e-3, 0.1);
                fender_field_set(f, parameters, c, value);
            }
        }
        if (!fender_field_check(&law->parameters, parameters, NULL) && (!law->check || !law->check(parameters, NULL)))
            return true;
    }
    return false;
}
