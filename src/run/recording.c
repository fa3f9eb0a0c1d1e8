/* Recordings of a scenario: channels resolved, files opened and fed. */
#include "run/recording.h"

#include "record/recorder.h"
#include "run/directory.h"
#include "run/replay.h"
#include "support/io_error.h"
#include <stdio.h>
#include <string.h>

/* ---- Places of tables ---- */

fender_status fnd_table_open_at(fnd_table *table, const fnd_table_location *location, size_t row_size,
                                const fnd_table_mark *from, fender_error *error)
{
    if (location->store) return fnd_table_open_in(table, location->store, location->name, from, error);
    const fender_allocator *allocator = &location->env->allocator;
    size_t size;
    char *path = fnd_directory_path(allocator, location->directory, location->name, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    fender_status status = fnd_table_open(table, allocator, path, row_size, from, error);
    allocator->release(allocator->ctx, path, size);
    return status;
}

/* ---- Recordings ---- */

/* ---- resolving */

static void refuse(const fnd_resolver *resolver, const fnd_location *location, const char *message, const char *found,
                   const char *expected, const char *suggestion)
{
    fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_NAME, location, message, found,
                       expected, suggestion);
}

static bool is_known(const fnd_recording *recording, int known, const fender_channel *channel)
{
    for (int i = 0; i < known; i++) {
        const fender_channel *other = &recording->channels[i];
        if (other->source == channel->source && other->a == channel->a && other->b == channel->b &&
            other->component == channel->component && other->field == channel->field)
            return true;
    }
    return false;
}

/* Appends the channels of one pattern, those alone that an earlier pattern has not named. */
static bool add_pattern(const fnd_resolver *resolver, const fnd_located_text *text, fnd_arena *arena,
                        fnd_recording *recording)
{
    fender_error error;
    memset(&error, 0, sizeof error);
    int more = 0;
    if (fnd_channel_find(resolver->world, resolver->event_names, text->text, NULL, 0, &more, &error) !=
        FENDER_STATUS_OK) {
        fnd_diagnostic_add_error(resolver->diagnostics, &error, &text->location);
        return true;
    }
    size_t total = (size_t)recording->count + (size_t)more;
    fender_channel *channels = FND_ARENA_NEW_ARRAY(arena, fender_channel, total);
    if (!channels) return false;
    int known = recording->count;
    if (known > 0) memcpy(channels, recording->channels, (size_t)known * sizeof *channels);
    fnd_channel_find(resolver->world, resolver->event_names, text->text, channels + known, more, &more, &error);
    recording->channels = channels;
    for (int i = 0; i < more; i++) {
        fnd_resolver_keep(resolver, &channels[known + i]);
        if (is_known(recording, known, &channels[known + i])) continue;
        if (recording->count != known + i) channels[recording->count] = channels[known + i];
        recording->count++;
    }
    return true;
}

static bool check_name(const fnd_resolver *resolver, const fnd_record_section *source, const fnd_recording_list *list,
                       fnd_recording *recording)
{
    const fnd_location *location = source->file.text ? &source->file.location : &source->location;
    const char *name = recording->name;
    const fnd_table_format *format = fnd_table_format_of_name(name);
    bool of_sheets = format == &fnd_hdf5_format;
    bool own_events = strcmp(name, FND_FILE_EVENTS) == 0 && source->trigger == FND_RECORD_EVENTS;
    if (!format) {
        refuse(resolver, location, "tables are written as CSV, in Trick's form or as HDF5", name,
               "a name that ends in .csv, .trk or .h5", "");
        return false;
    }
    if (of_sheets && !fnd_store_is_built()) {
        fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_NOT_BUILT, location,
                           "this build has no HDF5", name, "a name that ends in .csv or .trk",
                           "build with -DFENDER_WITH_HDF5=ON (Debian: libhdf5-dev)");
        return false;
    }
    if (!fnd_directory_is_free_name(name) && !(own_events && source->channel_count == 0)) {
        bool taken = fnd_directory_is_own_name(name);
        refuse(resolver, location,
               taken ? "the run itself writes a file of this name" : "a recording cannot have this file name", name,
               "a plain file name that the run does not use for its own files", "for example log.csv");
        return false;
    }
    for (int i = 0; i < list->count; i++) {
        if (of_sheets || strcmp(list->items[i].name, name) != 0) continue;
        refuse(resolver, location, "two recordings have the same file name", name, "a separate file for each", "");
        return false;
    }
    return true;
}

static bool resolve_record(const fnd_resolver *resolver, const fnd_record_section *source, fnd_arena *arena,
                           fnd_recording_list *list)
{
    fnd_recording *recording = &list->items[list->count];
    memset(recording, 0, sizeof *recording);
    recording->trigger = source->trigger;
    recording->period = 1;
    recording->name = source->file.text;
    if (recording->name && fnd_table_format_of_name(recording->name) == &fnd_hdf5_format)
        recording->group = source->name;
    if (!recording->name) {
        char name[256];
        int length = snprintf(name, sizeof name, "%.200s.csv", source->name);
        recording->name = fnd_arena_copy(arena, name, (size_t)length);
        if (!recording->name) return false;
    }
    bool usable = check_name(resolver, source, list, recording);
    if (source->trigger == FND_RECORD_EVERY)
        fnd_resolve_period(resolver, source->every,
                           source->every_text.location.line > 0 ? &source->every_text.location : &source->location,
                           &recording->period);
    recording->of_contacts = source->contacts.text != NULL;
    if (recording->of_contacts && source->contact_type >= 0)
        recording->contact_type = fender_contact_type_at(resolver->world, source->contact_type);
    for (int i = 0; i < source->channel_count; i++)
        if (!add_pattern(resolver, &source->channels[i], arena, recording)) return false;
    /* The run writes its own table of events in any case. */
    if (strcmp(recording->name, FND_FILE_EVENTS) == 0) usable = false;
    list->count += usable;
    return true;
}

bool fnd_recording_resolve(const fnd_resolver *resolver, const fender_scenario *scenario, fnd_arena *arena,
                           fnd_recording_list *list)
{
    memset(list, 0, sizeof *list);
    list->items = FND_ARENA_NEW_ARRAY(arena, fnd_recording, (size_t)scenario->record_count);
    if (!list->items) return false;
    for (int i = 0; i < scenario->record_count; i++)
        if (!resolve_record(resolver, &scenario->records[i], arena, list)) return false;
    return true;
}

/* ---- events */

void fnd_event_subject(const fender_world *world, const fender_event *event, char *text, size_t size)
{
    text[0] = '\0';
    if (event->subject == FENDER_SUBJECT_CONTACT) {
        const fender_contact_event *c = &event->contact;
        fnd_contact_name(world, c->a, c->b, c->feature, text, size);
    } else if (event->subject == FENDER_SUBJECT_LINK) {
        const char *link = fender_link_name(world, event->link.link);
        snprintf(text, size, "%.100s", link ? link : "");
    } else if (event->subject == FENDER_SUBJECT_TREE) {
        const char *a = fender_body_name(world, event->tree.child), *b = fender_body_name(world, event->tree.parent);
        snprintf(text, size, "%.100s:%.100s", a ? a : "", b ? b : "");
    }
}

static bool records_events(const fnd_recording *recording) { return recording->trigger == FND_RECORD_EVENTS; }

enum { PAIR_NAME_SIZE = 420, EVENT_NAME_SIZE = 128 };

fender_status fnd_event_table_open(fnd_table *table, const fnd_table_location *location, const fnd_table_mark *from,
                                   fender_error *error)
{
    static const struct {
        const char *name, *unit;
    } heads[] = {{"code", ""},          {"speed", "m/s"},         {"begin_time", "s"}, {"impulse", "N*s"},
                 {"peak_force", "N"},   {"peak_force_time", "s"}, {"peak_depth", "m"}, {"approach_speed", "m/s"},
                 {"damping_loss", "J"}, {"friction_loss", "J"},   {"work", "J"},       {"residual", "J"}};
    size_t row_size = 14 * FND_TABLE_NUMBER_SIZE + 2 * FND_TABLE_TEXT_SIZE(PAIR_NAME_SIZE);
    fender_status status = fnd_table_open_at(table, location, row_size, from, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(table, "time", "s");
    fnd_table_head_of_texts(table, "event", EVENT_NAME_SIZE);
    fnd_table_head_of_texts(table, "contact", PAIR_NAME_SIZE);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) fnd_table_head(table, heads[i].name, heads[i].unit);
    status = fnd_table_end_header(table, error);
    if (status != FENDER_STATUS_OK) fnd_table_close(table, NULL);
    return status;
}

fender_status fnd_event_table_follow(fnd_table *table, const fnd_instant *instant, fender_error *error)
{
    static const fender_contact_event none = {0};
    for (int i = 0; i < instant->event_count; i++) {
        const fender_event *event = &instant->events[i];
        const bool contact = event->subject == FENDER_SUBJECT_CONTACT;
        const fender_contact_event *c = contact ? &event->contact : &none;
        const double speed = contact                                 ? c->depth_rate
                             : event->subject == FENDER_SUBJECT_LINK ? event->link.speed
                             : event->subject == FENDER_SUBJECT_TREE ? event->tree.snap
                                                                     : 0;
        char pair[PAIR_NAME_SIZE];
        fnd_event_subject(instant->world, event, pair, sizeof pair);
        fnd_table_number(table, event->time);
        fnd_table_text(table, fnd_event_name(instant->event_names, (int)event->kind));
        fnd_table_text(table, pair);
        fnd_table_number(table, event->code);
        fnd_table_number(table, speed);
        fnd_table_number(table, c->begin_time);
        fnd_table_number(table, c->impulse);
        fnd_table_number(table, c->peak_force);
        fnd_table_number(table, c->peak_force_time);
        fnd_table_number(table, c->peak_depth);
        fnd_table_number(table, c->approach_speed);
        fnd_table_number(table, c->damping_loss);
        fnd_table_number(table, c->friction_loss);
        fnd_table_number(table, c->work);
        fnd_table_number(table, c->residual);
        fender_status status = fnd_table_end_row(table, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}

/* ---- files */

/* A file of several recordings is opened for the first of them. */
static fender_status open_store(const fnd_recording_list *list, int index, const fnd_recording_setup *setup,
                                fnd_store **store, fender_error *error)
{
    fnd_recording *item = &list->items[index];
    const fender_allocator *allocator = &setup->env->allocator;
    size_t size;
    *store = NULL;
    for (int i = 0; i < index && !*store; i++)
        if (strcmp(list->items[i].name, item->name) == 0) *store = list->items[i].store;
    if (*store) return FENDER_STATUS_OK;
    char *path = fnd_directory_path(allocator, setup->directory, item->name, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    *store = item->store = fnd_store_open(allocator, path, &setup->about, setup->go_on, error);
    allocator->release(allocator->ctx, path, size);
    return *store ? FENDER_STATUS_OK : error->status;
}

static fender_status open_recorder(fnd_recording *recording, const fnd_recording_setup *setup,
                                   const fnd_table_location *location, const fnd_table_mark *from, fender_error *error)
{
    const fender_allocator *allocator = &setup->env->allocator;
    size_t size = 0;
    char *path = location->store ? NULL : fnd_directory_path(allocator, location->directory, location->name, &size);
    if (!path && !location->store) return fnd_io_fail_memory(error, "the path of a file");
    recording->recorder = fnd_recorder_create_from(setup->env, setup->world, location->store,
                                                   path ? path : location->name, recording->channels, recording->count,
                                                   from, error);
    if (path) allocator->release(allocator->ctx, path, size);
    if (!recording->recorder) return error->status != FENDER_STATUS_OK ? error->status : FENDER_STATUS_FILE;
    fnd_recorder_use_history(recording->recorder, setup->history);
    return FENDER_STATUS_OK;
}

fender_status fnd_recording_open(const fnd_recording_list *list, const fnd_recording_setup *setup, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < list->count && status == FENDER_STATUS_OK; i++) {
        fnd_recording *item = &list->items[i];
        const fnd_table_mark *from = setup->go_on ? &item->mark : NULL;
        fnd_table_location location = {setup->env, setup->directory, item->group ? item->group : item->name, NULL};
        if (item->group) status = open_store(list, i, setup, &location.store, error);
        if (status == FENDER_STATUS_OK)
            status = records_events(item) ? fnd_event_table_open(&item->table, &location, from, error)
                     : item->of_contacts  ? fnd_contact_rows_open(&item->table, &location, from, error)
                                          : open_recorder(item, setup, &location, from, error);
        item->started = status == FENDER_STATUS_OK;
    }
    for (int i = 0; i < list->count && status == FENDER_STATUS_OK; i++)
        if (list->items[i].store) status = fnd_store_start(list->items[i].store, error);
    return status;
}

fender_status fnd_recording_sync(const fnd_recording_list *list, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < list->count && status == FENDER_STATUS_OK; i++) {
        fnd_recording *item = &list->items[i];
        status = item->recorder ? fnd_recorder_sync(item->recorder, &item->mark, error)
                                : fnd_table_sync(&item->table, &item->mark, error);
    }
    return status;
}

fender_status fnd_recording_note_events(const fnd_recording_list *list, const fnd_instant *instant, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < list->count && status == FENDER_STATUS_OK; i++)
        if (records_events(&list->items[i])) status = fnd_event_table_follow(&list->items[i].table, instant, error);
    return status;
}

/* Has it a row for the state? */
static bool wants(const fnd_recording *item, const fnd_instant *instant)
{
    switch (item->trigger) {
    case FND_RECORD_EVERY: return instant->on_grid && instant->step % item->period == 0;
    case FND_RECORD_STEPS: return instant->accepted;
    case FND_RECORD_EVENTS: break;
    }
    return false;
}

fender_status fnd_recording_follow(const fnd_recording_list *list, const fnd_instant *instant, fender_error *error)
{
    for (int i = 0; i < list->count; i++) {
        fnd_recording *item = &list->items[i];
        if (!wants(item, instant)) continue;
        fender_status status = item->of_contacts
                                   ? fnd_contact_rows_write(&item->table, instant,
                                                            item->contact_type.index1 ? &item->contact_type : NULL,
                                                            INT64_MAX, error)
                                   : fender_recorder_sample(item->recorder, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_recording_close(const fnd_recording_list *list, const char *hash, fender_error *error)
{
    fender_status result = FENDER_STATUS_OK;
    for (int i = 0; i < list->count; i++) {
        fnd_recording *item = &list->items[i];
        if (!item->started) continue;
        item->started = false;
        item->rows = item->recorder ? fender_recorder_rows(item->recorder) : item->table.rows;
        fender_status status = item->recorder ? fender_recorder_close(item->recorder, error)
                                              : fnd_table_close(&item->table, error);
        item->recorder = NULL;
        if (result == FENDER_STATUS_OK) result = status;
    }
    for (int i = 0; i < list->count; i++) {
        if (!list->items[i].store) continue;
        fender_status status = fnd_store_close(list->items[i].store, result == FENDER_STATUS_OK ? hash : NULL, error);
        list->items[i].store = NULL;
        if (result == FENDER_STATUS_OK) result = status;
    }
    return result;
}
