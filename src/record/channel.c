/* Reading channels of a world, and the list of all that can be read. */
#include "record/channel.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the ledger's groups */

static const fnd_ledger_entry ledger_entries[] = {
    {"energy", "kinetic", "kinetic"},
    {"energy", "gravitational", "gravitational"},
    {"energy", "stored", "stored"},
    {"energy", "damping", "damping"},
    {"energy", "friction", "friction"},
    {"energy", "contact_work", "contact_work"},
    {"energy", "applied", "applied"},
    {"energy", "attachment", "attachment"},
    {"energy", "residual", "residual"},
    {"energy", "scale", "scale"},
    {"momentum", "total", "linear_momentum"},
    {"momentum", "drift", "linear_drift"},
    {"angular_momentum", "total", "angular_momentum"},
    {"angular_momentum", "origin", "momentum_origin"},
    {"angular_momentum", "drift", "angular_drift"},
    {"inertial", "kinetic", "kinetic"},
    {"inertial", "gravitational", "gravitational"},
    {"inertial", "applied", "applied"},
    {"inertial", "residual", "residual"},
    {"inertial", "axial_momentum", "axial_momentum"},
    {"inertial", "axial_drift", "axial_drift"},
};
enum { LEDGER_ENTRY_COUNT = sizeof ledger_entries / sizeof ledger_entries[0] };

const fender_field *fnd_ledger_entry_field(const fnd_ledger_entry *entry, fnd_channel_source *source)
{
    bool inertial = strcmp(entry->group, "inertial") == 0;
    *source = inertial ? FND_CHANNEL_INERTIAL : FND_CHANNEL_LEDGER;
    return fender_field_find(inertial ? fender_inertial_ledger_fields() : fender_ledger_fields(), entry->field);
}

const fnd_ledger_entry *fnd_ledger_entry_at(int index)
{
    assert(index >= 0);
    return index >= 0 && index < LEDGER_ENTRY_COUNT ? &ledger_entries[index] : NULL;
}

/* ---- events */

const char *fnd_event_name(const fnd_event_names *emitted, int kind)
{
    assert(kind >= 0);
    if (kind < FND_EVENT_KIND_COUNT) return fender_event_name((fender_event_kind)kind);
    return emitted && kind - FND_EVENT_KIND_COUNT < emitted->count ? emitted->names[kind - FND_EVENT_KIND_COUNT] : NULL;
}

/* ---- pairs */

bool fnd_pair_name(const fender_world *world, fender_shape_id a, fender_shape_id b, char *text, size_t size)
{
    assert(size > 0);
    const char *parts[] = {fender_body_name(world, fender_shape_body(world, a)), ".", fender_shape_name(world, a), ":",
                           fender_body_name(world, fender_shape_body(world, b)), ".", fender_shape_name(world, b)};
    size_t used = 0;
    bool whole = true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t length = parts[i] ? strlen(parts[i]) : 0;
        if (length >= size - used) {
            length = size - used - 1;
            whole = false;
        }
        memcpy(text + used, parts[i] ? parts[i] : "", length);
        used += length;
    }
    text[used] = '\0';
    return whole;
}

int fnd_pair_point_count(const fender_world *world, fender_shape_id a, fender_shape_id b)
{
    const fender_shape_id shapes[] = {a, b};
    for (int i = 0; i < 2; i++) {
        fender_shape_def def;
        int count = 0;
        if (fender_shape_get_def(world, shapes[i], &def) != FENDER_STATUS_OK ||
            fender_geometry_type_of(def.geometry) != FENDER_GEOMETRY_CLOUD)
            continue;
        (void)fender_geometry_vertices(def.geometry, &count);
        return count;
    }
    return 0;
}

bool fnd_contact_name(const fender_world *world, fender_shape_id a, fender_shape_id b, uint64_t feature, char *text,
                      size_t size)
{
    assert(size > 0);
    bool whole = fnd_pair_name(world, a, b, text, size);
    if (fnd_pair_point_count(world, a, b) == 0) return whole;
    size_t used = strlen(text);
    int length = snprintf(text + used, size - used, "[%llu]", (unsigned long long)feature);
    return whole && (size_t)length < size - used;
}

bool fnd_pair_may_touch(const fender_pair_explanation *explanation)
{
    return explanation->reason == FENDER_PAIR_MAY_TOUCH || explanation->reason == FENDER_PAIR_OUT_OF_RANGE;
}

/* ---- reading */

fnd_channel_reader fnd_channel_reader_begin(const fender_world *world, const int64_t *event_counts)
{
    fnd_channel_reader reader; /* the object is filled before it is read */
    reader.world = world;
    reader.event_counts = event_counts;
    reader.source = -1;
    reader.a = reader.b = 0;
    reader.point = 0;
    reader.points = NULL;
    reader.point_capacity = 0;
    reader.points_a = reader.points_b = 0;
    reader.points_known = false;
    return reader;
}

static void fetch(fnd_channel_reader *reader, const fender_channel *channel)
{
    const fender_world *world = reader->world;
    if (reader->source == channel->source && reader->a == channel->a && reader->b == channel->b) return;
    reader->source = channel->source;
    reader->a = channel->a;
    reader->b = channel->b;
    memset(&reader->object, 0, sizeof reader->object);
    if (channel->source == FND_CHANNEL_BODY)
        fender_body_get(world, fender_body_at(world, (int)channel->a), FENDER_CLOCK_COMMITTED, &reader->object.body);
    else if (channel->source == FND_CHANNEL_CONTACT)
        fender_contact_between(world, fender_shape_at(world, (int)channel->a), fender_shape_at(world, (int)channel->b),
                               &reader->object.contact);
    else if (channel->source == FND_CHANNEL_LINK)
        fender_link_get(world, (fender_link_id){channel->a, (uint16_t)(channel->b >> 16), (uint16_t)channel->b},
                        FENDER_CLOCK_COMMITTED, &reader->object.link);
    else if (channel->source == FND_CHANNEL_SENSOR)
        fender_sensor_read(world, (fender_sensor_id){channel->a, (uint16_t)(channel->b >> 16), (uint16_t)channel->b},
                           &reader->object.beam);
    else if (channel->source == FND_CHANNEL_PLANET)
        fender_body_get_planet(world, fender_body_at(world, (int)channel->a), &reader->object.planet);
    else if (channel->source == FND_CHANNEL_INERTIAL) fender_world_inertial_ledger(world, &reader->object.inertial);
    else fender_world_ledger(world, &reader->object.ledger);
}

static const fender_contact_signals no_signals;

/* Signals of a point of a cloud, or of a pair (point 0). */
static const fender_contact_signals *signals_of(fnd_channel_reader *reader, const fender_channel *channel)
{
    const fender_world *world = reader->world;
    int point = channel->component / FND_SIGNAL_STRIDE, count = 0;
    fender_shape_id base = fender_shape_at(world, (int)channel->a);
    fender_shape_id follower = fender_shape_at(world, (int)channel->b);
    if (point < reader->point_capacity) {
        bool same = reader->points_known && reader->points_a == channel->a && reader->points_b == channel->b;
        if (!same) {
            reader->points_known = fender_contact_sense(world, base, follower, reader->points, reader->point_capacity,
                                                        &count) == FENDER_STATUS_OK;
            reader->points_a = channel->a;
            reader->points_b = channel->b;
        }
        return reader->points_known ? &reader->points[point] : &no_signals;
    }
    bool same = reader->source == FND_CHANNEL_SIGNALS && reader->a == channel->a && reader->b == channel->b &&
                reader->point == point;
    if (!same) {
        reader->source = FND_CHANNEL_SIGNALS;
        reader->a = channel->a;
        reader->b = channel->b;
        reader->point = point;
        memset(&reader->object, 0, sizeof reader->object);
        fender_contact_sense_point(world, base, follower, point, &reader->object.signals);
    }
    return &reader->object.signals;
}

static double read_event(const fnd_channel_reader *reader, uint32_t kind)
{
    if (reader->event_counts) return (double)reader->event_counts[kind];
    if (kind >= FND_EVENT_KIND_COUNT) return 0;
    int count = 0, found = 0;
    const fender_event *events = fender_world_events(reader->world, &count);
    for (int i = 0; i < count; i++) found += (uint32_t)events[i].kind == kind;
    return found;
}

double fnd_channel_reader_read(fnd_channel_reader *reader, const fender_channel *channel)
{
    assert(reader->world);
    switch ((fnd_channel_source)channel->source) {
    case FND_CHANNEL_TIME: return fender_world_time(reader->world);
    case FND_CHANNEL_EVENT: return read_event(reader, channel->a);
    case FND_CHANNEL_LOAD: {
        bool active = false;
        fender_load_is_active(
            reader->world, (fender_load_id){channel->a, (uint16_t)(channel->b >> 16), (uint16_t)channel->b}, &active);
        return active ? 1 : 0;
    }
    case FND_CHANNEL_BODY:
    case FND_CHANNEL_CONTACT:
    case FND_CHANNEL_LEDGER:
    case FND_CHANNEL_LINK:
    case FND_CHANNEL_SENSOR:
    case FND_CHANNEL_PLANET:
    case FND_CHANNEL_INERTIAL:
        if (!channel->field) return 0;
        fetch(reader, channel);
        return fender_field_get(channel->field, &reader->object, channel->component);
    case FND_CHANNEL_SIGNALS:
        if (!channel->field) return 0;
        return fender_field_get(channel->field, signals_of(reader, channel), channel->component % FND_SIGNAL_STRIDE);
    }
    return 0;
}

double fender_channel_read(const fender_world *world, const fender_channel *channel)
{
    if (!world || !channel) return 0;
    fnd_channel_reader reader = fnd_channel_reader_begin(world, NULL);
    return fnd_channel_reader_read(&reader, channel);
}

/* ---- what there is to read */

/* Units and sentences come from the field tables; the whole paths stand here because their texts must outlive the call.
 * A test compares this list with the tables. */
static const char *const kind_paths[] = {
    "time",
    "bodies.NAME.mass",
    "bodies.NAME.core_mass",
    "bodies.NAME.center_of_mass",
    "bodies.NAME.inertia",
    "bodies.NAME.position",
    "bodies.NAME.attitude",
    "bodies.NAME.velocity",
    "bodies.NAME.angular_velocity",
    "bodies.NAME.center_position",
    "bodies.NAME.center_velocity",
    "bodies.NAME.acceleration",
    "bodies.NAME.linear_momentum",
    "bodies.NAME.angular_momentum",
    "bodies.NAME.contact_force",
    "bodies.NAME.contact_torque",
    "bodies.NAME.contact_force_last_stage",
    "bodies.NAME.contact_torque_last_stage",
    "bodies.NAME.kinetic_energy",
    "bodies.NAME.planet.latitude",
    "bodies.NAME.planet.longitude",
    "bodies.NAME.planet.altitude",
    "bodies.NAME.planet.fixed_position",
    "bodies.NAME.planet.fixed_velocity",
    "bodies.NAME.planet.fixed_attitude",
    "bodies.NAME.planet.inertial_position",
    "bodies.NAME.planet.inertial_velocity",
    "bodies.NAME.planet.inertial_attitude",
    "bodies.NAME.planet.inertial_angular_velocity",
    "bodies.NAME.planet.inertial_angular_momentum",
    "contacts.PAIR.touching",
    "contacts.PAIR.depth",
    "contacts.PAIR.depth_rate",
    "contacts.PAIR.separation",
    "contacts.PAIR.normal_force",
    "contacts.PAIR.friction_force",
    "contacts.PAIR.force",
    "contacts.PAIR.torque",
    "contacts.PAIR.point",
    "contacts.PAIR.normal",
    "contacts.PAIR.frame",
    "contacts.PAIR.slip",
    "contacts.PAIR.spin",
    "contacts.PAIR.point_on_a",
    "contacts.PAIR.point_on_b",
    "contacts.PAIR.force_on_a",
    "contacts.PAIR.torque_on_a",
    "contacts.PAIR.force_on_b",
    "contacts.PAIR.torque_on_b",
    "contacts.PAIR.world_torque_on_a",
    "contacts.PAIR.world_torque_on_b",
    "contacts.PAIR.contact_force",
    "contacts.PAIR.contact_torque",
    "contacts.PAIR.damping_power",
    "contacts.PAIR.friction_power",
    "contacts.PAIR.stored_energy",
    "contacts.PAIR.mode",
    "contacts.PAIR.stretch",
    "contacts.PAIR.anchor",
    "contacts.PAIR.surface_frame",
    "contacts.PAIR.surface_offset",
    "contacts.PAIR.surface_velocity",
    "contacts.PAIR.surface_force",
    "contacts.PAIR.weight",
    "contacts.PAIR.begin_time",
    "contacts.PAIR.impulse",
    "contacts.PAIR.impulse_on_b",
    "contacts.PAIR.peak_force",
    "contacts.PAIR.peak_force_time",
    "contacts.PAIR.peak_depth",
    "contacts.PAIR.approach_speed",
    "contacts.PAIR.damping_loss",
    "contacts.PAIR.friction_loss",
    "contacts.PAIR.work",
    "contacts.PAIR.peak_force_error",
    "contacts.PAIR.residual",
    "contacts.PAIR.signals.contact",
    "contacts.PAIR.signals.penetration_depth",
    "contacts.PAIR.signals.separation_distance",
    "contacts.PAIR.signals.normal_force",
    "contacts.PAIR.signals.friction_force",
    "contacts.PAIR.signals.normal_velocity",
    "contacts.PAIR.signals.tangential_velocity",
    "contacts.PAIR.signals.base_rotation",
    "contacts.PAIR.signals.base_translation",
    "contacts.PAIR.signals.follower_rotation",
    "contacts.PAIR.signals.follower_translation",
    "ledger.energy.kinetic",
    "ledger.energy.gravitational",
    "ledger.energy.stored",
    "ledger.energy.damping",
    "ledger.energy.friction",
    "ledger.energy.contact_work",
    "ledger.energy.applied",
    "ledger.energy.attachment",
    "ledger.energy.residual",
    "ledger.energy.scale",
    "ledger.momentum.total",
    "ledger.momentum.drift",
    "ledger.angular_momentum.total",
    "ledger.angular_momentum.origin",
    "ledger.angular_momentum.drift",
    "ledger.inertial.kinetic",
    "ledger.inertial.gravitational",
    "ledger.inertial.applied",
    "ledger.inertial.residual",
    "ledger.inertial.axial_momentum",
    "ledger.inertial.axial_drift",
    "links.NAME.active",
    "links.NAME.spent",
    "links.NAME.broken",
    "links.NAME.acting",
    "links.NAME.length",
    "links.NAME.rate",
    "links.NAME.force",
    "links.NAME.torque",
    "links.NAME.displacement",
    "links.NAME.rotation",
    "links.NAME.force_on_b",
    "links.NAME.torque_on_b",
    "links.NAME.stored_energy",
    "links.NAME.damping_power",
    "links.NAME.damping_loss",
    "links.NAME.peak_force",
    "links.NAME.peak_force_time",
    "links.NAME.captured",
    "links.NAME.crushed",
    "links.NAME.crush_loss",
    "links.NAME.depth",
    "links.NAME.mode",
    "sensors.NAME.hit",
    "sensors.NAME.range",
    "sensors.NAME.range_rate",
    "sensors.NAME.line_speed",
    "sensors.NAME.origin",
    "sensors.NAME.direction",
    "loads.NAME.active",
    "events.begin.count",
    "events.end.count",
    "events.mode.count",
    "events.law.count",
    "events.attach.count",
    "events.detach.count",
    "events.break.count",
    "events.spent.count",
    "events.capture.count",
    "events.crush.count",
    "events.bottom.count",
    "events.NAME.count",
};
enum { KIND_COUNT = sizeof kind_paths / sizeof kind_paths[0] };

static const fender_field *field_of_kind(const char *path)
{
    static const char bodies[] = "bodies.NAME.", contacts[] = "contacts.PAIR.", ledger[] = "ledger.",
                      links[] = "links.NAME.", sensors[] = "sensors.NAME.", signals[] = "contacts.PAIR.signals.",
                      planet[] = "bodies.NAME.planet.";
    if (strncmp(path, planet, sizeof planet - 1) == 0)
        return fender_field_find(fender_body_planet_fields(), path + sizeof planet - 1);
    if (strncmp(path, bodies, sizeof bodies - 1) == 0)
        return fender_field_find(fender_body_fields(), path + sizeof bodies - 1);
    if (strncmp(path, signals, sizeof signals - 1) == 0)
        return fender_field_find(fender_contact_signal_fields(), path + sizeof signals - 1);
    if (strncmp(path, contacts, sizeof contacts - 1) == 0)
        return fender_field_find(fender_contact_fields(), path + sizeof contacts - 1);
    if (strncmp(path, links, sizeof links - 1) == 0)
        return fender_field_find(fender_link_fields(), path + sizeof links - 1);
    if (strncmp(path, sensors, sizeof sensors - 1) == 0)
        return fender_field_find(fender_beam_fields(), path + sizeof sensors - 1);
    if (strncmp(path, ledger, sizeof ledger - 1) != 0) return NULL;
    const char *group = path + sizeof ledger - 1, *name = strchr(group, '.') + 1;
    size_t length = (size_t)(name - 1 - group);
    for (int i = 0; i < LEDGER_ENTRY_COUNT; i++) {
        const fnd_ledger_entry *entry = &ledger_entries[i];
        if (strlen(entry->group) == length && strncmp(entry->group, group, length) == 0 &&
            strcmp(entry->name, name) == 0) {
            fnd_channel_source source;
            return fnd_ledger_entry_field(entry, &source);
        }
    }
    return NULL;
}

bool fender_channel_kind_at(int index, fender_channel_kind *kind)
{
    if (index < 0 || index >= KIND_COUNT || !kind) return false;
    const char *path = kind_paths[index];
    const fender_field *field = field_of_kind(path);
    kind->path = path;
    kind->unit = field ? field->unit : "1";
    kind->doc = field ? field->doc : "";
    if (strcmp(path, "time") == 0) {
        kind->unit = "s";
        kind->doc = "Simulated time.";
    } else if (strncmp(path, "loads.", 6) == 0) {
        kind->doc = "1 while the load acts, else 0.";
    } else if (strcmp(path, "events.NAME.count") == 0) {
        kind->doc = "Events of this name that actions have emitted since the start of the run.";
    } else if (strncmp(path, "events.", 7) == 0) {
        kind->doc = "Events of this kind since the start of the run.";
    }
    return true;
}
