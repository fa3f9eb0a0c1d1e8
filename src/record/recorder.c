/* Recording of channels: one row of a table per sample. */
#include "record/recorder.h"

#include "record/channel.h"
#include "support/io_error.h"
#include "tables/table.h"

#include <assert.h>
#include <string.h>

struct fender_recorder {
    fender_env env;
    const fender_world *world;
    const fnd_history *history;
    fnd_table table;
    fender_channel *channels;
    int count;
    int *order;                     /* in which they are read: those of one object together, for one look at it */
    double *values;                 /* of a row */
    fender_contact_signals *points; /* room for those of a cloud's points */
    int point_capacity;
};

static void destroy(fender_recorder *recorder)
{
    fender_allocator allocator = recorder->env.allocator;
    if (recorder->channels)
        allocator.release(allocator.ctx, recorder->channels, (size_t)recorder->count * sizeof *recorder->channels);
    if (recorder->points)
        allocator.release(allocator.ctx, recorder->points, (size_t)recorder->point_capacity * sizeof *recorder->points);
    if (recorder->order) allocator.release(allocator.ctx, recorder->order, (size_t)recorder->count * sizeof(int));
    if (recorder->values) allocator.release(allocator.ctx, recorder->values, (size_t)recorder->count * sizeof(double));
    allocator.release(allocator.ctx, recorder, sizeof *recorder);
}

static fender_status open_table(fender_recorder *recorder, fnd_store *store, const char *name,
                                const fnd_table_mark *from, fender_error *error)
{
    size_t head_size = FND_TABLE_TEXT_SIZE(sizeof recorder->channels->name + sizeof recorder->channels->unit + 3);
    size_t row_size = ((size_t)recorder->count + 1) * head_size; /* the header is the longest row */
    const fender_allocator *allocator = &recorder->env.allocator;
    fender_status status = store ? fnd_table_open_in(&recorder->table, store, name, from, error)
                                 : fnd_table_open(&recorder->table, allocator, name, row_size, from, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(&recorder->table, "time", "s");
    for (int i = 0; i < recorder->count; i++)
        fnd_table_head(&recorder->table, recorder->channels[i].name, recorder->channels[i].unit);
    status = fnd_table_end_header(&recorder->table, error);
    if (status != FENDER_STATUS_OK) fnd_table_close(&recorder->table, NULL);
    return status;
}

static bool reads_same(const fender_channel *a, const fender_channel *b)
{
    return a->source == b->source && a->a == b->a && a->b == b->b;
}

/* By objects in the order of their first channels, the channels of each in theirs. */
static bool arrange(fender_recorder *recorder)
{
    const fender_allocator *allocator = &recorder->env.allocator;
    size_t count = (size_t)recorder->count;
    if (count == 0) return true;
    recorder->order = allocator->allocate(allocator->ctx, count * sizeof(int), _Alignof(int));
    recorder->values = allocator->allocate(allocator->ctx, count * sizeof(double), _Alignof(double));
    if (!recorder->order || !recorder->values) return false;
    int placed = 0;
    for (int i = 0; i < recorder->count; i++) {
        bool known = false;
        for (int k = 0; k < i && !known; k++) known = reads_same(&recorder->channels[i], &recorder->channels[k]);
        for (int k = i; k < recorder->count && !known; k++)
            if (reads_same(&recorder->channels[i], &recorder->channels[k])) recorder->order[placed++] = k;
    }
    return true;
}

/* Several channels of points of a cloud are read at once. */
static bool reserve_points(fender_recorder *recorder)
{
    int wanted = 0;
    for (int i = 0; i < recorder->count; i++) {
        const fender_channel *channel = &recorder->channels[i];
        int point = channel->component / FND_SIGNAL_STRIDE;
        if (channel->source == FND_CHANNEL_SIGNALS && point >= wanted) wanted = point + 1;
    }
    if (wanted < 2) return true;
    recorder->points = recorder->env.allocator.allocate(
        recorder->env.allocator.ctx, (size_t)wanted * sizeof *recorder->points, _Alignof(fender_contact_signals));
    if (recorder->points) recorder->point_capacity = wanted;
    return recorder->points != NULL;
}

fender_recorder *fender_recorder_create(const fender_env *env, const fender_world *world, const char *path,
                                        const fender_channel *channels, int count, fender_error *error)
{
    return fnd_recorder_create_from(env, world, NULL, path, channels, count, NULL, error);
}

fender_recorder *fnd_recorder_create_from(const fender_env *env, const fender_world *world, fnd_store *store,
                                          const char *name, const fender_channel *channels, int count,
                                          const fnd_table_mark *from, fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    if (!env || !world || !name || count < 0 || (count > 0 && !channels)) {
        FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "env, world, path and channels are needed",
                    .expected = "pointers that are not NULL, count not negative");
        return NULL;
    }
    fender_recorder *recorder = env->allocator.allocate(env->allocator.ctx, sizeof *recorder,
                                                        _Alignof(fender_recorder));
    if (!recorder) {
        fnd_io_fail_memory(error, "a recorder");
        return NULL;
    }
    memset(recorder, 0, sizeof *recorder);
    recorder->env = *env;
    recorder->world = world;
    recorder->count = count;
    size_t size = (size_t)count * sizeof *channels;
    if (count > 0) recorder->channels = env->allocator.allocate(env->allocator.ctx, size, _Alignof(fender_channel));
    bool memory_failed = count > 0 && !recorder->channels;
    if (memory_failed) fnd_io_fail_memory(error, "the channels of a recorder");
    else if (count > 0) memcpy(recorder->channels, channels, size);
    if (!memory_failed && (!arrange(recorder) || !reserve_points(recorder))) {
        memory_failed = true;
        fnd_io_fail_memory(error, "a row of a recorder");
    }
    if (!memory_failed && open_table(recorder, store, name, from, error) == FENDER_STATUS_OK) return recorder;
    destroy(recorder);
    return NULL;
}

fender_status fnd_recorder_sync(fender_recorder *recorder, fnd_table_mark *mark, fender_error *error)
{
    assert(recorder && mark);
    return fnd_table_sync(&recorder->table, mark, error);
}

void fnd_recorder_use_history(fender_recorder *recorder, const fnd_history *history)
{
    assert(recorder);
    recorder->history = history;
}

/* Every object that a channel reads is there. */
static fender_status check_objects(const fender_recorder *recorder, fender_error *error)
{
    const fender_channel *last = NULL;
    for (int i = 0; i < recorder->count; i++) {
        const fender_channel *channel = &recorder->channels[recorder->order[i]];
        if (last && reads_same(channel, last)) continue;
        last = channel;
        if (!fnd_channel_is_there(recorder->world, channel))
            return FND_IO_FAIL(error, .status = FENDER_STATUS_STALE_ID, .path = channel->name,
                               .message = "what this channel reads was destroyed", .found = channel->name,
                               .expected = "channels of objects of the world",
                               .suggestion = "close the recorder and create one with channels found anew");
    }
    return FENDER_STATUS_OK;
}

fender_status fender_recorder_sample(fender_recorder *recorder, fender_error *error)
{
    if (!recorder) return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "a recorder is needed");
    fender_status status = check_objects(recorder, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_channel_reader reader = fnd_channel_reader_begin(recorder->world, recorder->history);
    reader.points = recorder->points;
    reader.point_capacity = recorder->point_capacity;
    fnd_table_number(&recorder->table, fender_world_time(recorder->world));
    for (int i = 0; i < recorder->count; i++) {
        int at = recorder->order[i];
        recorder->values[at] = fnd_channel_reader_read(&reader, &recorder->channels[at]);
    }
    for (int i = 0; i < recorder->count; i++) fnd_table_number(&recorder->table, recorder->values[i]);
    return fnd_table_end_row(&recorder->table, error);
}

int64_t fender_recorder_rows(const fender_recorder *recorder) { return recorder ? recorder->table.rows : 0; }

fender_status fender_recorder_close(fender_recorder *recorder, fender_error *error)
{
    if (!recorder) return FENDER_STATUS_OK;
    fender_status status = fnd_table_close(&recorder->table, error);
    destroy(recorder);
    return status;
}
