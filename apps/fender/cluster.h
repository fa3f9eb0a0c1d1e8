/* Parts of `fender study` that speak of shards and clusters. */
#ifndef FND_FENDER_CLUSTER_H
#define FND_FENDER_CLUSTER_H

#include <fender/study.h>

#include "app.h"

/* NAME of DIR/NAME.yaml, and what is put behind it. */
void fnd_app_study_name_after(const char *path, const char *ending, char *name, size_t size);
/* The whole number of an option, from `least` on; unchanged when it is not given. False after a complaint. */
bool fnd_app_study_read_count(fnd_app *app, const char *option, int64_t least, int64_t *value, int *code);

/* Writes the scripts of a study that was loaded with so many runs (0: its own), and starts them unless --dry-run. */
int fnd_app_study_submit(fnd_app *app, const char *path, const fender_study *study, int64_t runs);
/* Says what a merged store holds; with --complete fails when runs are missing. */
int fnd_app_study_tell_merged(fnd_app *app, const char *store);

#endif
