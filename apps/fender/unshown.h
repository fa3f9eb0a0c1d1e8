/* Diagnostics that are counted, not printed. */
#ifndef FND_APP_UNSHOWN_H
#define FND_APP_UNSHOWN_H

#include <fender/base.h>

#include "output.h"

enum { FND_APP_KINDS = 30, FND_APP_KIND_SIZE = 160 };

/* Errors, and warnings by kind: those of one kind differ in names and numbers alone. */
typedef struct fnd_app_unshown {
    int errors, errors_unshown, warnings, warnings_unshown, kind_count;
    struct {
        char text[FND_APP_KIND_SIZE];
        int unshown;
    } kinds[FND_APP_KINDS];
} fnd_app_unshown;

/* Counts a diagnostic. False: enough like it were printed. Warnings take no place of errors. */
bool fnd_app_unshown_count(fnd_app_unshown *unshown, const fender_diagnostic *diagnostic);
/* Says how many were not printed, once. */
void fnd_app_unshown_tell(fnd_app_unshown *unshown, fnd_app_stream *to);

#endif
