/* A scenario at refined steps or tolerances: the levels, run and compared. */
#include "analysis/refinement.h"
#include "support/io_error.h"
#include "support/number.h"
#include <assert.h>
#include <fender/convergence.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static double larger(double a, double b) { return a > b ? a : b; }

static const fender_run_summary *summary_of(const fender_convergence *c, int level)
{
    return fender_run_get_summary(c->levels[level].run);
}

static fender_convergence_result *add(fender_convergence *c, const char *group, const char *name, const char *unit,
                                      int components)
{
    assert(group && name);
    fender_convergence_result *result = &c->results[c->result_count++];
    memset(result, 0, sizeof *result);
    snprintf(result->group, sizeof result->group, "%s", group);
    snprintf(result->name, sizeof result->name, "%s", name);
    snprintf(result->unit, sizeof result->unit, "%s", unit);
    fender_sequence *s = &result->sequence;
    *s = (fender_sequence){.levels = c->level_count,
                           .components = components,
                           .ratio = c->ratio,
                           .least_order = c->least_order,
                           .most_order = c->most_order,
                           .formal_order = c->formal_order};
    for (int i = 0; i < FENDER_REFINEMENT_LEVELS; i++)
        for (int k = 0; k < components; k++) s->values[i][k] = NAN;
    return result;
}

static void put_vector(double values[FENDER_REFINEMENT_COMPONENTS], fender_vec3 v)
{
    values[0] = v.x;
    values[1] = v.y;
    values[2] = v.z;
}

/* ---- contacts */

static int count_contact(const fender_run_summary *summary, const char *contact)
{
    int count = 0;
    for (int i = 0; i < summary->episode_count; i++) count += strcmp(summary->episodes[i].contact, contact) == 0;
    return count;
}

/* The `ordinal`-th (from 0) of that contact; NULL when there are fewer. */
static const fender_episode *find_episode(const fender_run_summary *summary, const char *contact, int ordinal)
{
    for (int i = 0; i < summary->episode_count; i++)
        if (strcmp(summary->episodes[i].contact, contact) == 0 && ordinal-- == 0) return &summary->episodes[i];
    return NULL;
}

static void note_stray(fender_convergence *c, const char *contact)
{
    int counts[FENDER_REFINEMENT_LEVELS] = {0};
    bool differs = false;
    for (int k = 0; k < c->level_count; k++) {
        if (!c->levels[k].complete) continue;
        counts[k] = count_contact(summary_of(c, k), contact);
        differs |= counts[k] != count_contact(summary_of(c, c->finest), contact);
    }
    for (int i = 0; i < c->stray_count; i++)
        if (strcmp(c->strays[i].contact, contact) == 0) return;
    if (!differs || c->stray_count == FENDER_CONVERGENCE_STRAYS) return;
    c->strays[c->stray_count].contact = contact;
    memcpy(c->strays[c->stray_count++].counts, counts, sizeof counts);
}

static double episode_value(const fender_episode *episode, int which)
{
    const double values[] = {episode->begin_time, episode->end_time,      episode->peak_force, episode->impulse,
                             episode->peak_depth, episode->rebound_speed, episode->peak_pull};
    return values[which];
}

static void add_contact(fender_convergence *c, const fender_episode *episode, int ordinal)
{
    static const char *const names[] = {"begin",     "end",           "peak force", "impulse",
                                        "max depth", "rebound speed", "peak pull"};
    static const char *const units[] = {"s", "s", "N", "N*s", "m", "m/s", "N"};
    const fender_run_summary *finest = summary_of(c, c->finest);
    const fender_episode *same[FENDER_REFINEMENT_LEVELS] = {0};
    char group[300];
    int total = count_contact(finest, episode->contact);
    bool lasts = isnan(episode->end_time);
    double duration = (lasts ? finest->end_time : episode->end_time) - episode->begin_time;
    /* bodies that come free while they press have a rebound and no approach */
    double in = fabs(episode->approach_speed), out = fabs(episode->rebound_speed), speed = in > out ? in : out;
    for (int k = 0; k < c->level_count; k++) {
        if (!c->levels[k].complete || count_contact(summary_of(c, k), episode->contact) != total) continue;
        same[k] = find_episode(summary_of(c, k), episode->contact, ordinal);
    }
    snprintf(group, sizeof group, total > 1 ? "contact %s, time %d of %d" : "contact %s", episode->contact, ordinal + 1,
             total);
    const bool pulled = episode->peak_pull > episode->peak_force; /* else the push is what the contact bears */
    for (int i = 0; i < (pulled ? 7 : 6); i++) {
        if (lasts && (i == 1 || i == 5)) continue;
        fender_convergence_result *result = add(c, group, names[i], units[i], 1);
        /* of a time, what matters is how long the contact is */
        result->sequence.scale = i < 2 ? duration : i == 5 ? speed : 0;
        if (i < 2) result->sequence.grain = c->time_grain;
        for (int k = 0; k < c->level_count; k++)
            if (same[k] != NULL) result->sequence.values[k][0] = episode_value(same[k], i);
    }
}

static void add_contacts(fender_convergence *c)
{
    const fender_run_summary *finest = summary_of(c, c->finest);
    for (int i = 0; i < finest->episode_count; i++) {
        const fender_episode *episode = &finest->episodes[i];
        int ordinal = 0;
        for (int k = 0; k < i; k++) ordinal += strcmp(finest->episodes[k].contact, episode->contact) == 0;
        if (ordinal == 0) note_stray(c, episode->contact);
        if (i < FENDER_CONVERGENCE_CONTACTS) add_contact(c, episode, ordinal);
    }
    c->contacts_cut = finest->episode_count > FENDER_CONVERGENCE_CONTACTS
                          ? finest->episode_count - FENDER_CONVERGENCE_CONTACTS
                          : 0;
    for (int k = 0; k < c->level_count; k++) /* those that the finest level does not have */
        for (int i = 0; c->levels[k].complete && i < summary_of(c, k)->episode_count && i < FENDER_CONVERGENCE_CONTACTS;
             i++)
            if (count_contact(finest, summary_of(c, k)->episodes[i].contact) == 0)
                note_stray(c, summary_of(c, k)->episodes[i].contact);
}

/* ---- bodies, energy, channels */

typedef struct magnitudes {
    double path, speed, momentum, angular_momentum; /* over the run: scales of errors */
    /* What a state of rest leaves of a velocity and of momenta by rounding */
    double speed_rounding, momentum_rounding, angular_rounding;
} magnitudes;

static bool is_dynamic(const fender_world *world, fender_body_id body)
{
    fender_body_def def;
    return fender_body_get_def(world, body, &def) == FENDER_STATUS_OK && def.motion == FENDER_MOTION_DYNAMIC;
}

/* Takes the present state into the scales of a run: bodies may be at rest, or where they began, at its end. */
static void follow_bodies(fender_convergence_level *level, const fender_vec3 *starts, int count)
{
    const fender_world *world = fender_run_world(level->run);
    const fender_vec3 origin = fender_run_get_summary(level->run)->start.momentum_origin;
    double momentum = 0, angular_momentum = 0;
    for (int i = 0; i < count; i++) {
        fender_body_id body = fender_body_at(world, i);
        fender_body_data now;
        if (!is_dynamic(world, body) || fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &now) != FENDER_STATUS_OK)
            continue;
        double speed = fender_vec3_length(now.velocity);
        double arm = fender_vec3_length(fender_vec3_sub(now.center_position, origin));
        level->path = larger(level->path, fender_vec3_length(fender_vec3_sub(now.position, starts[i])));
        level->speed = larger(level->speed, speed);
        momentum += now.core_mass * speed;
        angular_momentum += now.core_mass * speed * arm + fender_vec3_length(now.angular_momentum);
    }
    level->momentum = larger(level->momentum, momentum);
    level->angular_momentum = larger(level->angular_momentum, angular_momentum);
}

/* At rest in its contacts and links a body has the energy that they store, and no speed: its velocity is as exact as
 * that of a motion of this energy. */
static magnitudes measure(const fender_convergence *c)
{
    const fender_convergence_level *level = &c->levels[c->finest];
    const fender_run_summary *summary = fender_run_get_summary(level->run);
    const fender_world *world = fender_run_world(level->run);
    magnitudes m = {level->path, level->speed, level->momentum, level->angular_momentum, 0, 0, 0};
    double mass = 0, moment = 0;
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_id body = fender_body_at(world, i);
        fender_body_data now;
        if (!is_dynamic(world, body) || fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &now) != FENDER_STATUS_OK)
            continue;
        double arm = fender_vec3_length(fender_vec3_sub(now.center_position, summary->start.momentum_origin));
        mass += now.core_mass;
        moment += now.core_mass * arm;
    }
    double stored = larger(summary->start.stored, summary->end.stored);
    double speed = mass > 0 && stored > 0 ? sqrt(2 * stored / mass) : 0;
    m.speed_rounding = FND_ROUNDING_PART * larger(m.speed, speed);
    m.momentum_rounding = FND_ROUNDING_PART * larger(m.momentum, mass * speed);
    m.angular_rounding = FND_ROUNDING_PART * larger(m.angular_momentum, moment * speed);
    return m;
}

static void add_bodies(fender_convergence *c, const magnitudes *m)
{
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    for (int i = 0; i < fender_body_count(world); i++) {
        char group[300];
        fender_body_id body = fender_body_at(world, i);
        if (!is_dynamic(world, body)) continue;
        snprintf(group, sizeof group, "body %s at the end", fender_body_name(world, body));
        fender_convergence_result *position = add(c, group, "position", "m", 3);
        fender_convergence_result *velocity = add(c, group, "velocity", "m/s", 3);
        position->sequence.scale = m->path;
        velocity->sequence.scale = m->speed;
        velocity->sequence.rounding = m->speed_rounding;
        for (int k = 0; k < c->level_count; k++) {
            fender_body_data data;
            if (!c->levels[k].complete) continue;
            const fender_world *other = fender_run_world(c->levels[k].run);
            if (fender_body_get(other, fender_body_at(other, i), FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK)
                continue;
            put_vector(position->sequence.values[k], data.position);
            put_vector(velocity->sequence.values[k], data.velocity);
        }
        position->sequence.rounding = FND_ROUNDING_PART * fender_sequence_size(&position->sequence);
    }
}

static void add_energy(fender_convergence *c)
{
    fender_convergence_result *result = add(c, "energy", "residual", "J", 1);
    result->sequence.scale = summary_of(c, c->finest)->end.scale;
    for (int k = 0; k < c->level_count; k++)
        if (c->levels[k].complete) result->sequence.values[k][0] = summary_of(c, k)->end.residual;
}

/* ---- pairs of bodies, links */

/* The pair of the same name; NULL when it is not there or has another number of contacts. */
static const fender_body_pair_summary *find_body_pair(const fender_run_summary *summary,
                                                      const fender_body_pair_summary *wanted)
{
    for (int i = 0; i < summary->body_pair_count; i++) {
        const fender_body_pair_summary *pair = &summary->body_pairs[i];
        if (strcmp(pair->a, wanted->a) == 0 && strcmp(pair->b, wanted->b) == 0)
            return pair->contact_count == wanted->contact_count ? pair : NULL;
    }
    return NULL;
}

/* Those of several shapes: contacts are compared by themselves. */
static void add_body_pairs(fender_convergence *c)
{
    const fender_run_summary *finest = summary_of(c, c->finest);
    for (int i = 0; i < finest->body_pair_count; i++) {
        const fender_body_pair_summary *pair = &finest->body_pairs[i];
        char group[300];
        if (!pair->several) continue;
        snprintf(group, sizeof group, "bodies %s:%s", pair->a, pair->b);
        fender_convergence_result *force = add(c, group, "peak force", "N", 1);
        fender_convergence_result *impulse = add(c, group, "impulse", "N*s", 1);
        fender_convergence_result *lost = add(c, group, "energy lost", "J", 1);
        lost->sequence.scale = finest->end.scale;
        for (int k = 0; k < c->level_count; k++) {
            const fender_body_pair_summary *same = c->levels[k].complete ? find_body_pair(summary_of(c, k), pair)
                                                                         : NULL;
            if (!same) continue;
            force->sequence.values[k][0] = same->peak_force;
            impulse->sequence.values[k][0] = same->impulse;
            lost->sequence.values[k][0] = same->energy_lost;
        }
    }
}

/* Those that were switched on. A way is as exact as the length of the link. */
static void add_links(fender_convergence *c)
{
    const fender_run_summary *finest = summary_of(c, c->finest);
    for (int i = 0; i < finest->link_count; i++) {
        const fender_link_summary *link = &finest->links[i];
        char group[300];
        if (isnan(link->longest)) continue;
        snprintf(group, sizeof group, "link %s", link->link);
        fender_convergence_result *force = add(c, group, "peak force", "N", 1);
        fender_convergence_result *shortest = add(c, group, "shortest", "m", 1);
        fender_convergence_result *longest = add(c, group, "longest", "m", 1);
        fender_convergence_result *lost = add(c, group, "energy lost", "J", 1);
        shortest->sequence.scale = longest->sequence.scale = link->longest;
        lost->sequence.scale = finest->end.scale;
        for (int k = 0; k < c->level_count; k++) {
            if (!c->levels[k].complete || i >= summary_of(c, k)->link_count) continue;
            const fender_link_summary *same = &summary_of(c, k)->links[i];
            force->sequence.values[k][0] = same->peak_force;
            shortest->sequence.values[k][0] = same->shortest;
            longest->sequence.values[k][0] = same->longest;
            lost->sequence.values[k][0] = same->energy_lost;
        }
    }
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Balances are compared with what they balance: their own size is that of rounding. */
static void set_channel_scale(const fender_convergence *c, const magnitudes *m, const char *name, fender_sequence *s)
{
    const char *velocity = strstr(name, ".velocity");
    if (begins_with(name, "ledger.energy.")) {
        s->scale = summary_of(c, c->finest)->end.scale;
    } else if (begins_with(name, "ledger.momentum.")) {
        s->scale = m->momentum;
        s->rounding = m->momentum_rounding;
    } else if (begins_with(name, "ledger.angular_momentum.")) {
        s->scale = m->angular_momentum;
        s->rounding = m->angular_rounding;
    } else if (begins_with(name, "bodies.") && velocity) {
        s->rounding = m->speed_rounding;
    }
}

/* "bodies.veh1.velocity.x at end" of an expectation's text, "touch of a:b" of an event's. */
static void name_expectation(char *name, size_t size, const char *text, bool *is_channel)
{
    const char *colon = strstr(text, ": "), *at = strstr(text, " at "), *never = strstr(text, " never happened");
    *is_channel = colon != NULL && at != NULL && at < colon;
    const char *end = *is_channel ? colon : at != NULL ? at : never;
    size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), text);
}

static void add_expectations(fender_convergence *c, const magnitudes *m)
{
    const fender_run_summary *finest = summary_of(c, c->finest);
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    int before = c->result_count;
    for (int i = 0; i < finest->expectation_count; i++) {
        char name[224], path[224];
        fender_channel channel = {.unit = "s"};
        bool is_channel, known = false;
        int count = 0;
        name_expectation(name, sizeof name, finest->expectations[i].text, &is_channel);
        for (int k = before; k < c->result_count; k++) known |= strcmp(c->results[k].name, name) == 0;
        if (known) continue;
        snprintf(path, sizeof path, "%s", name);
        if (is_channel) *strstr(path, " at ") = '\0';
        if (is_channel) fender_channel_find(world, path, &channel, 1, &count, NULL);
        fender_convergence_result *result = add(c, "expected", name, channel.unit, 1);
        if (is_channel) set_channel_scale(c, m, path, &result->sequence);
        for (int k = 0; k < c->level_count; k++)
            if (c->levels[k].complete) result->sequence.values[k][0] = summary_of(c, k)->expectations[i].value;
    }
}

static bool add_channels(fender_convergence *c, const magnitudes *m, const char *path, int count)
{
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    size_t size = (size_t)count * sizeof(fender_channel);
    const fender_allocator *allocator = &c->env.allocator;
    fender_channel *channels = allocator->allocate(allocator->ctx, size, _Alignof(fender_channel));
    if (channels == NULL) return false;
    bool found = fender_channel_find(world, path, channels, count, &count, NULL) == FENDER_STATUS_OK;
    for (int i = 0; found && i < count; i++) {
        fender_convergence_result *result = add(c, "channels at the end", channels[i].name, channels[i].unit, 1);
        set_channel_scale(c, m, channels[i].name, &result->sequence);
        for (int k = 0; k < c->level_count; k++) {
            fender_channel there;
            int same = 0;
            if (!c->levels[k].complete) continue;
            fender_run *run = c->levels[k].run;
            if (fender_run_channel_find(run, channels[i].name, &there, 1, &same, NULL) == FENDER_STATUS_OK && same == 1)
                result->sequence.values[k][0] = fender_run_channel_read(run, &there);
        }
    }
    allocator->release(allocator->ctx, channels, size);
    return true;
}

/* ---- all */

double fender_convergence_part(const fender_convergence_result *result, int level)
{
    double bar = result->refinement.bars[level], scale = result->sequence.scale;
    double size = scale > 0 ? scale : fender_sequence_size(&result->sequence);
    if (isnan(bar)) return INFINITY;
    if (bar <= result->sequence.rounding && !(bar <= FND_ROUNDING_PART * size)) return FND_ROUNDING_PART;
    return bar > 0 ? bar / size : 0;
}

const fender_convergence_result *fender_convergence_worst(const fender_convergence *c, int level)
{
    const fender_convergence_result *worst = NULL;
    for (int i = 0; i < c->result_count; i++)
        if (worst == NULL || fender_convergence_part(&c->results[i], level) > fender_convergence_part(worst, level))
            worst = &c->results[i];
    return worst;
}

static void recommend(fender_convergence *c)
{
    c->recommended = -1;
    for (int k = c->finest; k > c->finest - c->complete_count; k--) {
        const fender_convergence_result *worst = fender_convergence_worst(c, k);
        bool matched = true;
        for (int i = 0; i < c->stray_count; i++) matched &= c->strays[i].counts[k] == c->strays[i].counts[c->finest];
        if (worst == NULL || !matched || fender_convergence_part(worst, k) > c->bound) return;
        c->recommended = k;
    }
}

static fender_status collect(fender_convergence *c, const fender_convergence_def *def, fender_error *error)
{
    const fender_allocator *allocator = &c->env.allocator;
    const fender_run_summary *finest = summary_of(c, c->finest);
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    int contacts = finest->episode_count < FENDER_CONVERGENCE_CONTACTS ? finest->episode_count
                                                                       : FENDER_CONVERGENCE_CONTACTS;
    int capacity = 6 * contacts + 2 * fender_body_count(world) + 1 + finest->expectation_count +
                   3 * finest->body_pair_count + 4 * finest->link_count,
        count = 0;
    for (int i = 0; i < def->channel_count; i++) {
        fender_status status = fender_channel_find(world, def->channels[i], NULL, 0, &count, error);
        if (status != FENDER_STATUS_OK) return status;
        capacity += count;
    }
    c->results_size = (size_t)capacity * sizeof *c->results;
    c->results = allocator->allocate(allocator->ctx, c->results_size, _Alignof(fender_convergence_result));
    bool held = c->results != NULL;
    if (held) {
        magnitudes m = measure(c);
        add_contacts(c);
        add_body_pairs(c);
        add_links(c);
        add_bodies(c, &m);
        add_energy(c);
        add_expectations(c, &m);
        for (int i = 0; i < def->channel_count && held; i++) {
            (void)fender_channel_find(world, def->channels[i], NULL, 0, &count, NULL);
            held = count == 0 || add_channels(c, &m, def->channels[i], count);
        }
    }
    if (!held) return fnd_io_fail_memory(error, "the results of a convergence study");
    for (int i = 0; i < c->result_count; i++) {
        c->results[i].sequence.uneven = c->jumps;
        c->results[i].refinement = fender_refine(&c->results[i].sequence);
    }
    recommend(c);
    return FENDER_STATUS_OK;
}

/* ---- levels */

static double order_of(fender_integrator_method method)
{
    switch (method) {
    case FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER: return 1;
    case FENDER_INTEGRATOR_VELOCITY_VERLET: return 2;
    default: return 4;
    }
}

static void choose_refinement(fender_convergence *c, const fender_world_def *def)
{
    c->adaptive = fender_integrator_adaptive(def->method);
    c->ratio = c->adaptive ? 10 : 2;
    /* the error of an adaptive method follows its tolerance, not evenly */
    c->least_order = c->adaptive ? 0.3 : 0.5;
    c->formal_order = c->adaptive ? 1 : order_of(def->method);
    c->most_order = c->formal_order + 1;
    c->time_grain = c->adaptive || def->locate_events ? 0 : def->step;
    c->first_order_by_events = !c->adaptive && !def->locate_events && order_of(def->method) > 1;
}

/* A run of fixed steps whose end lies between two of them ends before it, and a run of shorter steps would go further:
 * all levels end with the coarsest. NaN: the end is a whole number of steps away, of all levels. */
static double common_end(const fender_world_def *world, double until)
{
    const double ratio = (until - world->start_time) / world->step, nearest = floor(ratio + 0.5);
    if (!(ratio >= 1) || fabs(ratio - nearest) <= 1e-9 * ratio) return NAN; /* as a run takes it */
    return world->start_time + floor(ratio) * world->step;
}

static fender_scenario *load(const fender_env *env, const fender_convergence_def *def, const fender_override *more,
                             int count, fender_error *error)
{
    enum { MOST = 2 };
    if (def->load) return def->load(def->ctx, more, count, error);
    const fender_allocator *allocator = &env->allocator;
    const size_t size = ((size_t)def->override_count + MOST) * sizeof(fender_override);
    fender_override *all = allocator->allocate(allocator->ctx, size, _Alignof(fender_override));
    if (!all) {
        fnd_io_fail_memory(error, "the overrides of a scenario");
        return NULL;
    }
    for (int i = 0; i < def->override_count; i++) all[i] = def->overrides[i];
    for (int i = 0; i < count; i++) all[def->override_count + i] = more[i];
    fender_scenario *scenario = fender_scenario_load(env, NULL, def->path, all, def->override_count + count, error);
    allocator->release(allocator->ctx, all, size);
    return scenario;
}

static fender_scenario *load_level(const fender_convergence *c, const fender_convergence_def *def,
                                   const fender_world_def *world, fender_convergence_level *level)
{
    char value[FND_NUMBER_SIZE], absolute[FND_NUMBER_SIZE];
    fnd_number_format(level->value, value, sizeof value);
    if (!c->adaptive) {
        char until[FND_NUMBER_SIZE];
        fnd_number_format(c->until, until, sizeof until);
        fender_override step[] = {{"integrator.step", value}, {"run.until", until}};
        return load(&c->env, def, step, isnan(c->until) ? 1 : 2, &level->error);
    }
    fnd_number_format(world->absolute_tolerance * (level->value / world->relative_tolerance), absolute,
                      sizeof absolute);
    fender_override both[] = {{"integrator.relative_tolerance", value}, {"integrator.absolute_tolerance", absolute}};
    return load(&c->env, def, both, 2, &level->error);
}

/* What a channel needs of the time since the start is kept by a run that was asked for it. */
static bool follow(const fender_convergence *c, fender_run *run, const char *pattern)
{
    const fender_allocator *allocator = &c->env.allocator;
    int count = 0;
    if (fender_run_channel_find(run, pattern, NULL, 0, &count, NULL) != FENDER_STATUS_OK || count == 0) return true;
    const size_t size = (size_t)count * sizeof(fender_channel);
    fender_channel *channels = allocator->allocate(allocator->ctx, size, _Alignof(fender_channel));
    if (!channels) return false;
    (void)fender_run_channel_find(run, pattern, channels, count, &count, NULL);
    allocator->release(allocator->ctx, channels, size);
    return true;
}

/* Does the force jump where it begins or ends? A law that acts beyond touch may let go at once. */
static bool jumps(const fender_contact_type_def *type, double depth_rate)
{
    const fender_law *law = type->law ? type->law : type->normal;
    const void *parameters = type->law ? type->law_parameters : type->normal_parameters;
    double onset = 0, release = 0;
    if (type->prescribed_force) return true;
    if (!law) return false;
    if (law->activation_distance) law->activation_distance(parameters, &onset, &release);
    return release > 0 || fabs(fender_law_force_at_touch(law, parameters, depth_rate)) > 0;
}

/* A force that jumps within a step is late by a part of it that another step has otherwise: an error of first order and
 * any sign. */
static void follow_events(fender_convergence *c, const fender_world *world)
{
    int count = 0;
    const fender_event *events = fender_world_events(world, &count);
    for (int i = 0; i < count && !c->adaptive && !c->jumps; i++) {
        fender_pair_explanation pair;
        fender_contact_type_def type;
        if (events[i].kind != FENDER_EVENT_BEGIN && events[i].kind != FENDER_EVENT_END) continue;
        if (fender_world_explain(world, events[i].contact.a, events[i].contact.b, &pair) != FENDER_STATUS_OK ||
            fender_contact_type_get_def(world, pair.use, &type) != FENDER_STATUS_OK)
            continue;
        if (c->time_grain > 0 || type.unlocated) c->jumps = jumps(&type, events[i].contact.depth_rate);
    }
}

/* To its end, with the scales of its errors. */
static fender_status execute(fender_convergence *c, fender_convergence_level *level)
{
    const fender_allocator *allocator = &c->env.allocator;
    const fender_world *world = fender_run_world(level->run);
    const int count = fender_body_count(world);
    const size_t size = ((size_t)count + 1) * sizeof(fender_vec3);
    fender_vec3 *starts = allocator->allocate(allocator->ctx, size, _Alignof(fender_vec3));
    if (!starts) return fnd_io_fail_memory(&level->error, "the places of bodies");
    for (int i = 0; i < count; i++) {
        fender_body_state state = {0};
        (void)fender_body_get_state(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED, &state);
        starts[i] = state.position;
    }
    bool more = true;
    follow_bodies(level, starts, count);
    while (more && fender_run_step(level->run, &more, NULL) == FENDER_STATUS_OK) {
        follow_bodies(level, starts, count);
        follow_events(c, world);
    }
    allocator->release(allocator->ctx, starts, size);
    return fender_run_finish(level->run, &level->error);
}

static void run_level(fender_convergence *c, const fender_convergence_def *def, const fender_world_def *world,
                      fender_convergence_level *level)
{
    level->scenario = load_level(c, def, world, level);
    fender_run_def run = {
        .scenario = level->scenario, .progress = def->progress, .progress_ctx = def->ctx, .accept_residual = true};
    if (level->scenario != NULL) level->run = fender_run_create(&c->env, &run, &level->error);
    level->status = level->error.status;
    if (level->run != NULL) {
        for (int i = 0; i < def->channel_count && level->status == FENDER_STATUS_OK; i++)
            if (!follow(c, level->run, def->channels[i])) level->status = fnd_io_fail_memory(&level->error, "channels");
    }
    if (level->run != NULL && level->status == FENDER_STATUS_OK) {
        if (def->watch) def->watch(def->ctx, level->run);
        level->status = execute(c, level);
        if (def->watch) def->watch(def->ctx, NULL);
    }
    level->complete = level->run != NULL &&
                      (level->status == FENDER_STATUS_OK || level->status == FENDER_STATUS_EXPECTATION);
}

static fender_status run_levels(fender_convergence *c, const fender_convergence_def *def, const fender_world_def *world)
{
    const double value = c->adaptive ? world->relative_tolerance : world->step;
    for (int i = 0; i < c->level_count; i++) {
        fender_convergence_level *level = &c->levels[i];
        level->value = value / pow(c->ratio, i);
        run_level(c, def, world, level);
        c->levels_run++;
        if (level->status == FENDER_STATUS_MEMORY || level->status == FENDER_STATUS_INTERRUPTED) return level->status;
    }
    for (int i = 0; i < c->level_count; i++) {
        if (!c->levels[i].complete) continue;
        c->complete_count = i == 0 || !c->levels[i - 1].complete ? 1 : c->complete_count + 1;
        c->finest = i;
    }
    return FENDER_STATUS_OK;
}

/* The scenario itself is read once with its diagnostics told, and what is asked for is looked up in a world of it. */
static fender_status look(const fender_env *env, const fender_convergence_def *def, fender_world_def *world,
                          double *until, fender_error *error)
{
    fender_scenario *scenario = load(env, def, NULL, 0, error);
    if (!scenario && error->status == FENDER_STATUS_OK)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .message = "the loader gave no scenario",
                           .suggestion = "let it fill in the error that it is given");
    fender_run_def run_def = {.scenario = scenario};
    fender_run *run = scenario ? fender_run_create(env, &run_def, error) : NULL;
    fender_status status = run ? FENDER_STATUS_OK : error->status;
    if (run) *world = *fender_world_get_def(fender_run_world(run));
    if (run) *until = fender_run_get_summary(run)->until;
    for (int i = 0; run && i < def->channel_count && status == FENDER_STATUS_OK; i++) {
        int count;
        status = fender_channel_find(fender_run_world(run), def->channels[i], NULL, 0, &count, error);
    }
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return status;
}

/* ---- all */

fender_convergence_def fender_convergence_def_default(void)
{
    return (fender_convergence_def){.size = sizeof(fender_convergence_def), .level_count = 4, .bound = 1e-3};
}

static fender_status check_def(const fender_convergence_def *def, fender_error *error)
{
    const bool sized = def->size == sizeof *def;
    if (sized && def->level_count >= 3 && def->level_count <= FENDER_REFINEMENT_LEVELS && def->bound > 0 &&
        def->bound < 1 && (def->load || def->path))
        return FENDER_STATUS_OK;
    return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                       .message = sized ? "levels, bound or scenario of a convergence study are not in "
                                          "their range"
                                        : "the definition has the wrong size for this library",
                       .expected = "3 to 10 levels, a bound between 0 and 1, a path or a loader",
                       .suggestion = "begin with fender_convergence_def_default");
}

fender_convergence *fender_convergence_run(const fender_env *env, const fender_convergence_def *def,
                                           fender_status *status, fender_error *error)
{
    const fender_allocator *allocator = &env->allocator;
    fender_world_def world = {0};
    double until = NAN;
    fender_error own = {0};
    if (!error) error = &own;
    *status = check_def(def, error);
    if (*status == FENDER_STATUS_OK) *status = look(env, def, &world, &until, error);
    if (*status != FENDER_STATUS_OK) return NULL;
    fender_convergence *c = allocator->allocate(allocator->ctx, sizeof *c, _Alignof(fender_convergence));
    if (!c) {
        *status = fnd_io_fail_memory(error, "a convergence study");
        return NULL;
    }
    memset(c, 0, sizeof *c);
    c->env = *env;
    c->env.report = NULL; /* diagnostics of levels are kept with them */
    c->level_count = def->level_count;
    c->bound = def->bound;
    c->finest = c->recommended = -1;
    choose_refinement(c, &world);
    c->until = c->adaptive ? NAN : common_end(&world, until);
    *status = run_levels(c, def, &world);
    if (*status == FENDER_STATUS_OK && c->finest >= 0) *status = collect(c, def, error);
    return c;
}

void fender_convergence_destroy(fender_convergence *c)
{
    if (!c) return;
    const fender_allocator allocator = c->env.allocator;
    for (int i = 0; i < FENDER_REFINEMENT_LEVELS; i++) {
        fender_run_destroy(c->levels[i].run);
        fender_scenario_destroy(c->levels[i].scenario);
    }
    if (c->results) allocator.release(allocator.ctx, c->results, c->results_size);
    allocator.release(allocator.ctx, c, sizeof *c);
}
