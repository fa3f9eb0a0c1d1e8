/* Recorders as a run uses them: counts of events since its start. */
#ifndef FND_RECORD_RECORDER_H
#define FND_RECORD_RECORDER_H

#include <fender/io.h>

#include "record/channel.h"
#include "tables/table.h"

/* As fender_recorder_create; with `from`, goes on with a file that was written before. With a store, `name` is that of
 * a group in it, else that of the file. */
fender_recorder *fnd_recorder_create_from(const fender_env *env, const fender_world *world, fnd_store *store,
                                          const char *name, const fender_channel *channels, int count,
                                          const fnd_table_mark *from, fender_error *error);
/* All rows so far are on the disk when this returns OK. */
fender_status fnd_recorder_sync(fender_recorder *recorder, fnd_table_mark *mark, fender_error *error);
/* Channels that need the history of a run read this one from now on; it must outlive the recorder. */
void fnd_recorder_use_history(fender_recorder *recorder, const fnd_history *history);

#endif
