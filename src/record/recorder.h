/* Recorders as a run uses them: counts of events since its start. */
#ifndef FND_RECORD_RECORDER_H
#define FND_RECORD_RECORDER_H

#include <fender/io.h>

/* Channels of events read these counts, by kind, from now on; they must outlive the recorder. */
void fnd_recorder_use_event_counts(fender_recorder *recorder, const int64_t *event_counts);

#endif
