/* Channels inside the io layers: what their private members mean, and reading many of one state at little cost. */
#ifndef FND_RECORD_CHANNEL_H
#define FND_RECORD_CHANNEL_H

#include "record/between.h"
#include "record/relative.h"
#include "record/slide.h"

#include <fender/io.h>

/* fender_channel.source; what a and b hold stands behind each: objects (record/object.h), except for events. */
typedef enum fnd_channel_source {
    FND_CHANNEL_TIME,
    FND_CHANNEL_BODY,
    FND_CHANNEL_CONTACT, /* both shapes */
    FND_CHANNEL_LEDGER,
    FND_CHANNEL_LOAD,
    FND_CHANNEL_EVENT, /* the kind */
    FND_CHANNEL_LINK,
    FND_CHANNEL_SENSOR,
    FND_CHANNEL_SIGNALS,   /* shapes of base and follower; the component has the number of the cloud's point, too */
    FND_CHANNEL_PLANET,    /* of a body, as seen from the planet and from space: as FND_CHANNEL_BODY */
    FND_CHANNEL_INERTIAL,  /* ledger of inertial space */
    FND_CHANNEL_POINT,     /* a point or a body in the world */
    FND_CHANNEL_RELATIVE,  /* as seen from another: both */
    FND_CHANNEL_INTERFACE, /* load on the body of a point, or on a body; from a body */
    FND_CHANNEL_SUPPORT,   /* of a body by another */
    FND_CHANNEL_CLEARANCE, /* of two bodies or shapes */
    FND_CHANNEL_SLIDE      /* of a shape; known to a run that was asked for it */
} fnd_channel_source;

/* component = point * FND_SIGNAL_STRIDE + component of the field */
enum { FND_SIGNAL_STRIDE = 16 };
enum { FND_EVENT_KIND_COUNT = FENDER_EVENT_KIND_COUNT };

/* Events that the actions of a run emit, by name: their kinds follow those of the world. */
typedef struct fnd_event_names {
    const char *const *names;
    int count;
} fnd_event_names;
/* NULL past the end. `emitted` NULL: the world's alone. */
const char *fnd_event_name(const fnd_event_names *emitted, int kind);
/* fender_channel_find with the events that a run emits besides. */
fender_status fnd_channel_find(const fender_world *world, const fnd_event_names *emitted, const char *pattern,
                               fender_channel *channels, int capacity, int *count, fender_error *error);

/* What a run knows of the time since its start, beside the state of its world. */
typedef struct fnd_history {
    const int64_t *event_counts; /* by kind, emitted ones behind */
    const fnd_slides *slides;
} fnd_history;

/* Is its value known from the motion of bodies alone (fender_world_sample_motion)? */
bool fnd_channel_is_of_motion(const fender_channel *channel);
/* Are the objects that it reads in the world? */
bool fnd_channel_is_there(const fender_world *world, const fender_channel *channel);

/* Reads channels of one accepted state. Neighbours of one object cost one look at it. */
typedef struct fnd_channel_reader {
    const fender_world *world;
    const fnd_history *history; /* of a run; NULL: events are those of the last call that moved the world, and there are
                                   no slides */
    int source;                 /* of what `object` holds; -1: nothing */
    bool there;                 /* its objects are in the world */
    uint64_t a, b;
    union {
        fender_body_data body;
        fender_contact_data contact;
        fender_ledger ledger;
        fender_link_data link;
        fender_load_data load;
        fender_beam_data beam;
        fender_contact_signals signals;
        fender_body_planet_data planet;
        fender_inertial_ledger inertial;
        fnd_point_data point;
        fnd_relative_data relative;
        fender_interface_data interface;
        fnd_support_data support;
        fnd_clearance_data clearance;
    } object;
    int point; /* of which the signals are */
    /* Room for the signals of all points of a cloud, so that one look serves all its channels; NULL: none. */
    fender_contact_signals *points;
    int point_capacity;
    uint64_t points_a, points_b; /* of what they are */
    bool points_known;
} fnd_channel_reader;
fnd_channel_reader fnd_channel_reader_begin(const fender_world *world, const fnd_history *history);
/* The ledger of that state is known already. */
void fnd_channel_reader_give_ledger(fnd_channel_reader *reader, const fender_ledger *ledger);
double fnd_channel_reader_read(fnd_channel_reader *reader, const fender_channel *channel);
/* The same for what judges the value: `none` where there is nothing to judge, at a range sensor without a hit. */
double fnd_channel_reader_read_or(fnd_channel_reader *reader, const fender_channel *channel, double none);

/* The entries of a section that are more than the fields of a struct: "energy.residual" is the field "residual" of the
 * ledger; the group "inertial" is that of fender_inertial_ledger. NULL past the end. */
typedef struct fnd_ledger_entry {
    const char *group, *name, *field;
} fnd_ledger_entry;
const fnd_ledger_entry *fnd_ledger_entry_at(int index);
/* Where it is read. */
const fender_field *fnd_ledger_entry_field(const fnd_ledger_entry *entry, fnd_channel_source *source);

/* "veh1.hull:veh2.hull" of two shapes; false when it had to be cut. */
bool fnd_pair_name(const fender_world *world, fender_shape_id a, fender_shape_id b, char *text, size_t size);
/* How many points a cloud has that is one of the two; 0: neither is. Points of clouds touch each by itself. */
int fnd_pair_point_count(const fender_world *world, fender_shape_id a, fender_shape_id b);
/* The pair's name, of a point of a cloud "veh1.feet:ground.top[2]"; `feature`: that of the contact or its event. */
bool fnd_contact_name(const fender_world *world, fender_shape_id a, fender_shape_id b, uint64_t feature, char *text,
                      size_t size);
/* May the shapes touch now or later? A pair that is merely out of range may. */
bool fnd_pair_may_touch(const fender_pair_explanation *explanation);

#endif
