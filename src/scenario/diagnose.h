/* Collecting of diagnostics: sorted by place, delivered in one go, the first kept in the fender_error. */
#ifndef FND_SCENARIO_DIAGNOSE_H
#define FND_SCENARIO_DIAGNOSE_H

#include <fender/base.h>

#include "scenario/location.h"

typedef struct fnd_diagnostics fnd_diagnostics;

/* NULL when there is no memory. */
fnd_diagnostics *fnd_diagnostics_create(const fender_env *env);
/* Fixes the rank of a file among the places. Files that were never announced rank in the order of their diagnostics. */
void fnd_diagnostics_announce_file(fnd_diagnostics *diagnostics, const char *file);
/* Texts are copied; NULL means "". The same message at the same place is kept once. When memory runs out the diagnostic
 * is counted and MEMORY is delivered in its stead. */
void fnd_diagnostic_add(fnd_diagnostics *diagnostics, fender_severity severity, fender_status status,
                        const fnd_location *location, const char *message, const char *found, const char *expected,
                        const char *suggestion);
/* What is added from now on about that line is left out: it follows from an error that was added already. */
void fnd_diagnostics_mute(fnd_diagnostics *diagnostics, const fnd_location *location);
/* An error that a core call has filled, at a place. */
void fnd_diagnostic_add_error(fnd_diagnostics *diagnostics, const fender_error *error, const fnd_location *location);
/* Memory ran out while reading: MEMORY is delivered in place of everything else. */
void fnd_diagnostics_note_memory(fnd_diagnostics *diagnostics);
int fnd_diagnostics_error_count(const fnd_diagnostics *diagnostics);
/* Delivers all through env->report in the order of file (as first named), line, column; fills *error with the first
 * error and the count of errors; frees. Returns OK when there were no errors, else the status of the first. NULL
 * diagnostics: MEMORY. */
fender_status fnd_diagnostics_deliver(fnd_diagnostics *diagnostics, fender_error *error);

#endif
