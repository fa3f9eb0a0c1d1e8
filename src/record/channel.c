/* Reading channels of a world, and the list of all that can be read. */
#include "record/channel.h"
#include "record/object.h"

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
    {"energy", "motor", "motor"},
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

fnd_channel_reader fnd_channel_reader_begin(const fender_world *world, const fnd_history *history)
{
    fnd_channel_reader reader; /* the object is filled before it is read */
    reader.world = world;
    reader.history = history;
    reader.source = -1;
    reader.there = true;
    reader.a = reader.b = 0;
    reader.point = 0;
    reader.points = NULL;
    reader.point_capacity = 0;
    reader.points_a = reader.points_b = 0;
    reader.points_known = false;
    return reader;
}

void fnd_channel_reader_give_ledger(fnd_channel_reader *reader, const fender_ledger *ledger)
{
    reader->source = FND_CHANNEL_LEDGER;
    reader->there = true;
    reader->a = reader->b = 0;
    reader->object.ledger = *ledger;
}

static void fetch(fnd_channel_reader *reader, const fender_channel *channel)
{
    const fender_world *world = reader->world;
    if (reader->source == channel->source && reader->a == channel->a && reader->b == channel->b) return;
    reader->source = channel->source;
    reader->a = channel->a;
    reader->b = channel->b;
    reader->there = fnd_channel_is_there(world, channel);
    memset(&reader->object, 0, sizeof reader->object);
    if (!reader->there) return;
    if (channel->source == FND_CHANNEL_BODY)
        fender_body_get(world, fnd_object_body(world, channel->a), FENDER_CLOCK_COMMITTED, &reader->object.body);
    else if (channel->source == FND_CHANNEL_CONTACT)
        fender_contact_between(world, fnd_object_shape(world, channel->a), fnd_object_shape(world, channel->b),
                               &reader->object.contact);
    else if (channel->source == FND_CHANNEL_LINK)
        fender_link_get(world, fnd_object_link(world, channel->a), FENDER_CLOCK_COMMITTED, &reader->object.link);
    else if (channel->source == FND_CHANNEL_LOAD)
        fender_load_get(world, fnd_object_load(world, channel->a), FENDER_CLOCK_COMMITTED, &reader->object.load);
    else if (channel->source == FND_CHANNEL_SENSOR)
        fender_sensor_read(world, fnd_object_sensor(world, channel->a), &reader->object.beam);
    else if (channel->source == FND_CHANNEL_PLANET)
        fender_body_get_planet(world, fnd_object_body(world, channel->a), &reader->object.planet);
    else if (channel->source == FND_CHANNEL_INERTIAL) fender_world_inertial_ledger(world, &reader->object.inertial);
    else if (channel->source == FND_CHANNEL_POINT) fnd_point_get(world, channel->a, &reader->object.point);
    else if (channel->source == FND_CHANNEL_RELATIVE)
        fnd_relative_get(world, channel->a, channel->b, &reader->object.relative);
    else if (channel->source == FND_CHANNEL_INTERFACE)
        fender_body_get_interface(world, fnd_frame_of_object(world, channel->a), fnd_object_body(world, channel->b),
                                  &reader->object.interface);
    else if (channel->source == FND_CHANNEL_SUPPORT)
        fnd_support_get(world, channel->a, channel->b, &reader->object.support);
    else if (channel->source == FND_CHANNEL_CLEARANCE)
        fnd_clearance_get(world, channel->a, channel->b, &reader->object.clearance);
    else fender_world_ledger(world, &reader->object.ledger);
}

bool fnd_channel_is_of_motion(const fender_channel *channel)
{
    switch ((fnd_channel_source)channel->source) {
    case FND_CHANNEL_TIME:
    case FND_CHANNEL_EVENT:
    case FND_CHANNEL_SENSOR:
    case FND_CHANNEL_RELATIVE:
    case FND_CHANNEL_CLEARANCE: return true;
    case FND_CHANNEL_POINT: return channel->field->offset < offsetof(fnd_point_data, inertial);
    case FND_CHANNEL_BODY: {
        const size_t at = channel->field->offset;
        return at < offsetof(fender_body_data, acceleration) || at == offsetof(fender_body_data, kinetic_energy);
    }
    default: return false;
    }
}

static bool is_there(const fender_world *world, uint64_t object)
{
    fender_body_id body;
    fender_pose pose;
    const char *name;
    switch (fnd_object_kind_of(object)) {
    case FND_OBJECT_NONE: return true;
    case FND_OBJECT_BODY: return fender_body_name(world, fnd_object_body(world, object)) != NULL;
    case FND_OBJECT_SHAPE: return fender_shape_name(world, fnd_object_shape(world, object)) != NULL;
    case FND_OBJECT_LINK: return fender_link_name(world, fnd_object_link(world, object)) != NULL;
    case FND_OBJECT_LOAD: return fender_load_name(world, fnd_object_load(world, object)) != NULL;
    case FND_OBJECT_SENSOR: return fender_sensor_name(world, fnd_object_sensor(world, object)) != NULL;
    case FND_OBJECT_POINT:
        return fender_point_get(world, fnd_object_point(world, object), &body, &name, &pose) == FENDER_STATUS_OK;
    }
    return false;
}

bool fnd_channel_is_there(const fender_world *world, const fender_channel *channel)
{
    return is_there(world, channel->a) && is_there(world, channel->b);
}

static const fender_contact_signals no_signals;

/* Signals of a point of a cloud, or of a pair (point 0); NULL: a shape is not there. */
static const fender_contact_signals *signals_of(fnd_channel_reader *reader, const fender_channel *channel)
{
    const fender_world *world = reader->world;
    int point = channel->component / FND_SIGNAL_STRIDE, count = 0;
    const fender_shape_id base = fnd_object_shape(world, channel->a), follower = fnd_object_shape(world, channel->b);
    if (point < reader->point_capacity) {
        bool same = reader->points_known && reader->points_a == channel->a && reader->points_b == channel->b;
        if (!same) {
            if (!fnd_channel_is_there(world, channel)) return NULL;
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
        if (!fnd_channel_is_there(world, channel)) return NULL;
        reader->source = FND_CHANNEL_SIGNALS;
        reader->a = channel->a;
        reader->b = channel->b;
        reader->point = point;
        memset(&reader->object, 0, sizeof reader->object);
        fender_contact_sense_point(world, base, follower, point, &reader->object.signals);
    }
    return &reader->object.signals;
}

static double read_signal(fnd_channel_reader *reader, const fender_channel *channel)
{
    const fender_contact_signals *signals = signals_of(reader, channel);
    return signals ? fender_field_get(channel->field, signals, channel->component % FND_SIGNAL_STRIDE) : NAN;
}

static double read_event(const fnd_channel_reader *reader, uint64_t kind)
{
    if (reader->history) return (double)reader->history->event_counts[kind];
    if (kind >= FND_EVENT_KIND_COUNT) return 0;
    int count = 0, found = 0;
    const fender_event *events = fender_world_events(reader->world, &count);
    for (int i = 0; i < count; i++) found += (uint64_t)events[i].kind == kind;
    return found;
}

static double read_slide(const fnd_channel_reader *reader, const fender_channel *channel)
{
    const fnd_slides *slides = reader->history ? reader->history->slides : NULL;
    const uint32_t at = fnd_object_shape(reader->world, channel->a).index1 - 1;
    const bool known = slides && at < (uint32_t)slides->count && slides->items[at].wanted &&
                       fnd_channel_is_there(reader->world, channel);
    return known ? fender_field_get(channel->field, &slides->items[at], channel->component) : NAN;
}

double fnd_channel_reader_read(fnd_channel_reader *reader, const fender_channel *channel)
{
    assert(reader->world);
    switch ((fnd_channel_source)channel->source) {
    case FND_CHANNEL_TIME: return fender_world_time(reader->world);
    case FND_CHANNEL_EVENT: return read_event(reader, channel->a);
    case FND_CHANNEL_LOAD:
    case FND_CHANNEL_BODY:
    case FND_CHANNEL_CONTACT:
    case FND_CHANNEL_LEDGER:
    case FND_CHANNEL_LINK:
    case FND_CHANNEL_SENSOR:
    case FND_CHANNEL_PLANET:
    case FND_CHANNEL_INERTIAL:
    case FND_CHANNEL_POINT:
    case FND_CHANNEL_RELATIVE:
    case FND_CHANNEL_INTERFACE:
    case FND_CHANNEL_SUPPORT:
    case FND_CHANNEL_CLEARANCE:
        if (!channel->field) return 0;
        fetch(reader, channel);
        return reader->there ? fender_field_get(channel->field, &reader->object, channel->component) : NAN;
    case FND_CHANNEL_SLIDE: return read_slide(reader, channel);
    case FND_CHANNEL_SIGNALS:
        if (!channel->field) return 0;
        return read_signal(reader, channel);
    }
    return 0;
}

double fnd_channel_reader_read_or(fnd_channel_reader *reader, const fender_channel *channel, double none)
{
    const double value = fnd_channel_reader_read(reader, channel);
    const bool needs_hit = channel->source == FND_CHANNEL_SENSOR && channel->field &&
                           channel->field->offset >= offsetof(fender_beam_data, range) &&
                           channel->field->offset < offsetof(fender_beam_data, origin);
    return needs_hit && reader->there && !reader->object.beam.hit ? none : value;
}

double fender_channel_read(const fender_world *world, const fender_channel *channel)
{
    if (!world || !channel) return 0;
    fnd_channel_reader reader = fnd_channel_reader_begin(world, NULL);
    return fnd_channel_reader_read(&reader, channel);
}

/* ---- what there is to read */

/* What has a table of fields, in the order in which it is shown; the ledger has entries. */
static const struct {
    const char *prefix;
    const fender_field_table *(*fields)(void);
} kinds[] = {
    {"bodies.NAME.", fender_body_fields},
    {"bodies.NAME.planet.", fender_body_planet_fields},
    {"bodies.BODY@BODY.", fender_interface_fields},
    {"bodies.BODY@BODY.", fnd_support_fields},
    {"bodies.BODY@BODY.", fnd_clearance_fields},
    {"contacts.PAIR.", fender_contact_fields},
    {"contacts.PAIR.signals.", fender_contact_signal_fields},
    {"ledger.", NULL},
    {"links.NAME.", fender_link_fields},
    {"loads.NAME.", fender_load_fields},
    {"points.BODY.POINT.", fnd_point_fields},
    {"points.BODY.POINT@BODY.POINT.", fnd_relative_fields},
    {"sensors.NAME.", fender_beam_fields},
    {"shapes.BODY.SHAPE.", fnd_slide_fields},
    {"shapes.BODY.SHAPE@BODY.", fnd_clearance_fields},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static bool set_kind(fender_channel_kind *kind, const char *unit, const char *doc, const char *first,
                     const char *second, const char *third)
{
    snprintf(kind->path, sizeof kind->path, "%s%s%s", first, second, third);
    kind->unit = unit;
    kind->doc = doc;
    return true;
}

/* `index` counts down through the parts of the list. */
bool fender_channel_kind_at(int index, fender_channel_kind *kind)
{
    if (index < 0 || !kind) return false;
    if (index-- == 0) return set_kind(kind, "s", "Simulated time.", "time", "", "");
    for (int i = 0; i < KIND_COUNT; i++) {
        const fender_field_table *table = kinds[i].fields ? kinds[i].fields() : NULL;
        const int count = table ? table->count : LEDGER_ENTRY_COUNT;
        char group[32] = "";
        if (index >= count) {
            index -= count;
            continue;
        }
        fnd_channel_source source;
        const fender_field *field = table ? fender_field_at(table, index)
                                          : fnd_ledger_entry_field(&ledger_entries[index], &source);
        if (!table) snprintf(group, sizeof group, "%s.", ledger_entries[index].group);
        return set_kind(kind, field->unit, field->doc, kinds[i].prefix, group,
                        table ? field->name : ledger_entries[index].name);
    }
    if (index < FND_EVENT_KIND_COUNT)
        return set_kind(kind, "1", "Events of this kind since the start of the run.", "events.",
                        fender_event_name((fender_event_kind)index), ".count");
    return index == FND_EVENT_KIND_COUNT &&
           set_kind(kind, "1", "Events of this name that actions have emitted since the start of the run.",
                    "events.NAME.count", "", "");
}
