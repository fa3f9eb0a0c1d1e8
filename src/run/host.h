/* What a host does to a run from outside: commands and stops, written down so that the run can be repeated. */
#ifndef FND_RUN_HOST_H
#define FND_RUN_HOST_H

#include <fender/command.h>

#include "run/resolve.h"
#include "tables/table.h"

/* One line of commands.csv. */
typedef struct fnd_host_row {
    double time;                            /* s; of the state at which the host acted */
    char name[192];                         /* of the command; "" for a stop */
    double values[FENDER_COMMAND_CAPACITY]; /* of a stop: the time to which the host advances */
} fnd_host_row;

typedef struct fnd_host_log {
    double limit; /* s; no step goes beyond it; INFINITY: none */
    fnd_table table;
    fnd_table_mark mark; /* of the last sync, or where to go on */
    /* of the run that is repeated */
    fnd_host_row *rows;
    size_t count, capacity, at;
} fnd_host_log;

struct fender_run;

/* Reads what a host did in an earlier run; no file: nothing. */
fender_status fnd_host_log_read(fnd_host_log *log, const fender_env *env, const char *directory, fender_error *error);
void fnd_host_log_release(fnd_host_log *log, const fender_env *env);
/* Repeats what the host of the earlier run did at the present state. */
fender_status fnd_host_repeat(struct fender_run *run, fender_error *error);
/* What is written so far is on the disk. */
fender_status fnd_host_log_sync(fnd_host_log *log, fender_error *error);

#endif
