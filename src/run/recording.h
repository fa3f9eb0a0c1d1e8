/* The tables that a scenario asks for, and tables with a row for each event or contact of a state. */
#ifndef FND_RUN_RECORDING_H
#define FND_RUN_RECORDING_H

#include "run/resolve.h"
#include "support/memory.h"
#include "tables/table.h"

typedef struct fnd_table_location {
    const fender_env *env;
    const char *directory;
    const char *name; /* of the file, or of the group */
    fnd_store *store; /* NULL: a file of its own */
} fnd_table_location;

/* As fnd_table_open. */
fender_status fnd_table_open_at(fnd_table *table, const fnd_table_location *location, size_t row_size,
                                const fnd_table_mark *from, fender_error *error);

/* ---- What a scenario wants recorded: channels resolved, periods in steps, files opened and fed. */

typedef struct fnd_recording {
    const char *name;  /* of the file */
    const char *group; /* in it, where it is an HDF5 file; NULL: it is none */
    fnd_record_trigger trigger;
    int64_t period; /* steps */
    fender_channel *channels;
    int count;
    fender_recorder *recorder;
    fnd_table table; /* of a recording of events or contacts */
    bool of_contacts;
    fender_contact_type_id contact_type; /* null: of all */
    fnd_table_mark mark;                 /* of the last fnd_recording_sync, or where to go on */
    bool started;
    fnd_store *store; /* of the first recording in an HDF5 file: it closes the file; else NULL */
    int64_t rows;     /* set when it is closed */
} fnd_recording;

typedef struct fnd_recording_list {
    fnd_recording *items;
    int count;
} fnd_recording_list;

/* Diagnostics go to the resolver; false when there is no memory. */
bool fnd_recording_resolve(const fnd_resolver *resolver, const fender_scenario *scenario, fnd_arena *arena,
                           fnd_recording_list *list);
/* Data of the run for recordings. */
typedef struct fnd_recording_setup {
    const fender_env *env;
    const fender_world *world;
    const char *directory;
    const fnd_history *history;
    fnd_store_about about;
    bool go_on; /* with files that were written before, from their marks */
} fnd_recording_setup;
/* Close them also after a failure. */
fender_status fnd_recording_open(const fnd_recording_list *list, const fnd_recording_setup *setup, fender_error *error);
/* All rows so far are on the disk, and the marks say how far, when this returns OK. */
fender_status fnd_recording_sync(const fnd_recording_list *list, fender_error *error);
/* To be called with all events, in order. */
fender_status fnd_recording_note_events(const fnd_recording_list *list, const fnd_instant *instant,
                                        fender_error *error);
fender_status fnd_recording_follow(const fnd_recording_list *list, const fnd_instant *instant, fender_error *error);
/* Closes what is open. `hash`: of the world at the end, as text. */
fender_status fnd_recording_close(const fnd_recording_list *list, const char *hash, fender_error *error);

/* Tables of events, also the run's own. */
fender_status fnd_event_table_open(fnd_table *table, const fnd_table_location *location, const fnd_table_mark *from,
                                   fender_error *error);
/* "a.x:b.y" of a contact, "a:b" of an attachment, "" of what an action emits. */
void fnd_event_subject(const fender_world *world, const fender_event *event, char *text, size_t size);
fender_status fnd_event_table_follow(fnd_table *table, const fnd_instant *instant, fender_error *error);

#endif
