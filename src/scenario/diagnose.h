/* Collecting of diagnostics: sorted by place, delivered in one go, the first kept in the fender_error. */
#ifndef FND_SCENARIO_DIAGNOSE_H
#define FND_SCENARIO_DIAGNOSE_H

#include <fender/base.h>

#include "scenario/place.h"

typedef struct fnd_findings fnd_findings;

/* NULL when there is no memory. */
fnd_findings *fnd_findings_create(const fender_env *env);
/* Fixes the rank of a file among the places. Files that were never announced rank in the order of their findings. */
void fnd_findings_announce_file(fnd_findings *findings, const char *file);
/* Texts are copied; NULL means "". The same message at the same place is kept once. When memory runs out the finding is
 * counted and MEMORY is delivered in its stead. */
void fnd_finding_add(fnd_findings *findings, fender_severity severity, fender_status status, const fnd_place *place,
                     const char *message, const char *found, const char *expected, const char *suggestion);
/* An error that a core call has filled, at a place. */
void fnd_finding_add_error(fnd_findings *findings, const fender_error *error, const fnd_place *place);
/* Memory ran out while reading: MEMORY is delivered in place of everything else. */
void fnd_findings_note_memory(fnd_findings *findings);
int fnd_findings_error_count(const fnd_findings *findings);
/* Delivers all through env->report in the order of file (as first named), line, column; fills *error with the first
 * error and the count of errors; frees. Returns OK when there were no errors, else the status of the first. NULL
 * findings: MEMORY. */
fender_status fnd_findings_deliver(fnd_findings *findings, fender_error *error);

#endif
