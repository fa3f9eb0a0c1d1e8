/* Gathering of what is compared between the levels of `fender converge`: contacts, bodies, energy, channels. */
#include "converge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const fender_run_summary *summary_of(const fnd_converge *c, int level)
{
    return fender_run_get_summary(c->levels[level].run);
}

static fnd_converge_result *add(fnd_converge *c, const char *group, const char *name, const char *unit, int components)
{
    fnd_converge_result *result = &c->results[c->result_count++];
    memset(result, 0, sizeof *result);
    snprintf(result->group, sizeof result->group, "%s", group);
    snprintf(result->name, sizeof result->name, "%s", name);
    snprintf(result->unit, sizeof result->unit, "%s", unit);
    fnd_sequence *s = &result->sequence;
    *s = (fnd_sequence){.levels = c->level_count,
                        .components = components,
                        .ratio = c->ratio,
                        .least_order = c->least_order,
                        .most_order = c->most_order};
    for (int i = 0; i < FND_REFINEMENT_LEVELS; i++)
        for (int k = 0; k < components; k++) s->values[i][k] = NAN;
    return result;
}

static void put_vector(double values[FND_REFINEMENT_COMPONENTS], fender_vec3 v)
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

static void note_stray(fnd_converge *c, const char *contact)
{
    int counts[FND_REFINEMENT_LEVELS] = {0};
    bool differs = false;
    for (int k = 0; k < c->level_count; k++) {
        if (!c->levels[k].complete) continue;
        counts[k] = count_contact(summary_of(c, k), contact);
        differs |= counts[k] != count_contact(summary_of(c, c->finest), contact);
    }
    for (int i = 0; i < c->stray_count; i++)
        if (strcmp(c->strays[i].contact, contact) == 0) return;
    if (!differs || c->stray_count == FND_CONVERGE_STRAYS) return;
    c->strays[c->stray_count].contact = contact;
    memcpy(c->strays[c->stray_count++].counts, counts, sizeof counts);
}

static double episode_value(const fender_episode *episode, int which)
{
    const double values[] = {episode->begin_time, episode->end_time,   episode->peak_force,
                             episode->impulse,    episode->peak_depth, episode->rebound_speed};
    return values[which];
}

static void add_contact(fnd_converge *c, const fender_episode *episode, int ordinal)
{
    static const char *const names[] = {"begin", "end", "peak force", "impulse", "max depth", "rebound speed"};
    static const char *const units[] = {"s", "s", "N", "N*s", "m", "m/s"};
    const fender_run_summary *finest = summary_of(c, c->finest);
    const fender_episode *same[FND_REFINEMENT_LEVELS] = {0};
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
    for (int i = 0; i < 6; i++) {
        if (lasts && (i == 1 || i == 5)) continue;
        fnd_converge_result *result = add(c, group, names[i], units[i], 1);
        /* of a time, what matters is how long the contact is */
        result->sequence.scale = i < 2 ? duration : i == 5 ? speed : 0;
        if (i < 2) result->sequence.grain = c->time_grain;
        for (int k = 0; k < c->level_count; k++)
            if (same[k] != NULL) result->sequence.values[k][0] = episode_value(same[k], i);
    }
}

static void add_contacts(fnd_converge *c)
{
    const fender_run_summary *finest = summary_of(c, c->finest);
    for (int i = 0; i < finest->episode_count; i++) {
        const fender_episode *episode = &finest->episodes[i];
        int ordinal = 0;
        for (int k = 0; k < i; k++) ordinal += strcmp(finest->episodes[k].contact, episode->contact) == 0;
        if (ordinal == 0) note_stray(c, episode->contact);
        if (i < FND_CONVERGE_CONTACTS) add_contact(c, episode, ordinal);
    }
    c->contacts_cut = finest->episode_count > FND_CONVERGE_CONTACTS ? finest->episode_count - FND_CONVERGE_CONTACTS : 0;
    for (int k = 0; k < c->level_count; k++) /* those that the finest level does not have */
        for (int i = 0; c->levels[k].complete && i < summary_of(c, k)->episode_count && i < FND_CONVERGE_CONTACTS; i++)
            if (count_contact(finest, summary_of(c, k)->episodes[i].contact) == 0)
                note_stray(c, summary_of(c, k)->episodes[i].contact);
}

/* ---- bodies, energy, channels */

typedef struct magnitudes {
    double way, speed, momentum, angular_momentum; /* the largest of any body; sums */
} magnitudes;

static bool is_dynamic(const fender_world *world, fender_body_id body)
{
    fender_body_def def;
    return fender_body_get_def(world, body, &def) == FENDER_STATUS_OK && def.motion == FENDER_MOTION_DYNAMIC;
}

/* What position, velocity and momentum are to be compared with. */
static magnitudes measure(const fender_world *world)
{
    magnitudes m = {0};
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_id body = fender_body_at(world, i);
        fender_body_def def;
        fender_body_data now;
        if (!is_dynamic(world, body) || fender_body_get_def(world, body, &def) != FENDER_STATUS_OK ||
            fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &now) != FENDER_STATUS_OK)
            continue;
        double way = fender_vec3_length(fender_vec3_sub(now.position, def.state.position));
        double before = fender_vec3_length(def.state.velocity), after = fender_vec3_length(now.velocity);
        double speed = before > after ? before : after;
        double arm = fender_vec3_length(fender_vec3_sub(now.center_position, ledger.momentum_origin));
        if (way > m.way) m.way = way;
        if (speed > m.speed) m.speed = speed;
        m.momentum += now.core_mass * speed;
        m.angular_momentum += now.core_mass * speed * arm + fender_vec3_length(now.angular_momentum);
    }
    return m;
}

static void add_bodies(fnd_converge *c, const magnitudes *m)
{
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    for (int i = 0; i < fender_body_count(world); i++) {
        char group[300];
        fender_body_id body = fender_body_at(world, i);
        if (!is_dynamic(world, body)) continue;
        snprintf(group, sizeof group, "body %s at the end", fender_body_name(world, body));
        fnd_converge_result *position = add(c, group, "position", "m", 3);
        fnd_converge_result *velocity = add(c, group, "velocity", "m/s", 3);
        position->sequence.scale = m->way;
        velocity->sequence.scale = m->speed;
        for (int k = 0; k < c->level_count; k++) {
            fender_body_data data;
            if (!c->levels[k].complete) continue;
            const fender_world *other = fender_run_world(c->levels[k].run);
            if (fender_body_get(other, fender_body_at(other, i), FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK)
                continue;
            put_vector(position->sequence.values[k], data.position);
            put_vector(velocity->sequence.values[k], data.velocity);
        }
    }
}

static void add_energy(fnd_converge *c)
{
    fnd_converge_result *result = add(c, "energy", "residual", "J", 1);
    result->sequence.scale = summary_of(c, c->finest)->end.scale;
    for (int k = 0; k < c->level_count; k++)
        if (c->levels[k].complete) result->sequence.values[k][0] = summary_of(c, k)->end.residual;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Balances are compared with what they balance: their own size is that of rounding. */
static double scale_of_channel(const fnd_converge *c, const magnitudes *m, const char *name)
{
    if (begins_with(name, "ledger.energy.")) return summary_of(c, c->finest)->end.scale;
    if (begins_with(name, "ledger.momentum.")) return m->momentum;
    if (begins_with(name, "ledger.angular_momentum.")) return m->angular_momentum;
    return 0;
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

static void add_expectations(fnd_converge *c, const magnitudes *m)
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
        fnd_converge_result *result = add(c, "expected", name, channel.unit, 1);
        result->sequence.scale = is_channel ? scale_of_channel(c, m, path) : 0;
        for (int k = 0; k < c->level_count; k++)
            if (c->levels[k].complete) result->sequence.values[k][0] = summary_of(c, k)->expectations[i].value;
    }
}

static bool is_channel_option(const fnd_app *app, int given)
{
    return strcmp(app->command->options[app->given[given].option].name, "--channel") == 0;
}

/* How many channels an option names; negative: not one. */
static int count_channels(fnd_converge *c, const char *path, fender_error *error)
{
    int count = 0;
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    return fender_channel_find(world, path, NULL, 0, &count, error) == FENDER_STATUS_OK ? count : -1;
}

static bool add_channels(fnd_converge *c, const magnitudes *m, const char *path, int count)
{
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    size_t size = (size_t)count * sizeof(fender_channel);
    fender_channel *channels = fnd_app_allocate(c->app, size);
    if (channels == NULL) return false;
    bool found = fender_channel_find(world, path, channels, count, &count, NULL) == FENDER_STATUS_OK;
    for (int i = 0; found && i < count; i++) {
        fnd_converge_result *result = add(c, "channels at the end", channels[i].name, channels[i].unit, 1);
        result->sequence.scale = scale_of_channel(c, m, channels[i].name);
        for (int k = 0; k < c->level_count; k++) {
            fender_channel there;
            int same = 0;
            if (!c->levels[k].complete) continue;
            const fender_world *other = fender_run_world(c->levels[k].run);
            if (fender_channel_find(other, channels[i].name, &there, 1, &same, NULL) == FENDER_STATUS_OK && same == 1)
                result->sequence.values[k][0] = fender_channel_read(other, &there);
        }
    }
    fnd_app_release(c->app, channels, size);
    return true;
}

/* ---- all */

double fnd_converge_part(const fnd_converge_result *result, int level)
{
    double bar = result->refinement.bars[level], scale = result->sequence.scale;
    double size = scale > 0 ? scale : fnd_sequence_size(&result->sequence);
    if (isnan(bar)) return INFINITY;
    return bar > 0 ? bar / size : 0;
}

const fnd_converge_result *fnd_converge_worst(const fnd_converge *c, int level)
{
    const fnd_converge_result *worst = NULL;
    for (int i = 0; i < c->result_count; i++)
        if (worst == NULL || fnd_converge_part(&c->results[i], level) > fnd_converge_part(worst, level))
            worst = &c->results[i];
    return worst;
}

static void recommend(fnd_converge *c)
{
    c->recommended = -1;
    for (int k = c->finest; k > c->finest - c->complete_count; k--) {
        const fnd_converge_result *worst = fnd_converge_worst(c, k);
        bool matched = true;
        for (int i = 0; i < c->stray_count; i++) matched &= c->strays[i].counts[k] == c->strays[i].counts[c->finest];
        if (worst == NULL || !matched || fnd_converge_part(worst, k) > c->bound) return;
        c->recommended = k;
    }
}

int fnd_converge_collect(fnd_converge *c)
{
    fnd_app *app = c->app;
    const fender_run_summary *finest = summary_of(c, c->finest);
    const fender_world *world = fender_run_world(c->levels[c->finest].run);
    int contacts = finest->episode_count < FND_CONVERGE_CONTACTS ? finest->episode_count : FND_CONVERGE_CONTACTS;
    int capacity = 6 * contacts + 2 * fender_body_count(world) + 1 + finest->expectation_count;
    for (int i = 0; i < app->given_count; i++) {
        fender_error error = {0};
        if (!is_channel_option(app, i)) continue;
        int count = count_channels(c, app->given[i].value, &error);
        if (count < 0) return fnd_app_fail(app, &error, app->error_count, "");
        capacity += count;
    }
    c->results_size = (size_t)capacity * sizeof *c->results;
    c->results = fnd_app_allocate(app, c->results_size);
    bool held = c->results != NULL;
    if (held) {
        magnitudes m = measure(world);
        add_contacts(c);
        add_bodies(c, &m);
        add_energy(c);
        add_expectations(c, &m);
        for (int i = 0; i < app->given_count && held; i++)
            if (is_channel_option(app, i))
                held = add_channels(c, &m, app->given[i].value, count_channels(c, app->given[i].value, NULL));
    }
    if (!held) return fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the results", "");
    for (int i = 0; i < c->result_count; i++) c->results[i].refinement = fnd_refine(&c->results[i].sequence);
    recommend(c);
    return FND_APP_OK;
}
