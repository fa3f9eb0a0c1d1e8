/* What summary.json tells of an action: when it acted, and how near its condition came. */
#ifndef FND_RUN_ACCOUNT_H
#define FND_RUN_ACCOUNT_H

#include <fender/io.h>

typedef struct fnd_account_part {
    const char *text, *unit;
    double limit, nearest, time; /* SI; NaN: none */
    bool held, held_at_all;
    int missing;               /* of the others that must hold with it */
    const char *const *others; /* those that held then */
    int other_count;
} fnd_account_part;

typedef struct fnd_run_account {
    const char *name;
    bool is_stop; /* `run.stop_when`, named "stop_when" */
    double end;   /* s; of the run */
    const double *times;
    int time_count;
    double delay;      /* s */
    double first_time; /* s; when its condition first became true; NaN: never */
    const char *const *by;
    int by_count;
    const fnd_account_part *parts;
    int part_count;
} fnd_run_account;

/* Owned by the caller, who releases it by fnd_account_destroy. NULL: FILE without a summary, NAME with a suggestion
 * when the run has no such action. */
fnd_run_account *fnd_account_read(const fender_env *env, const char *directory, const char *action,
                                  fender_error *error);
void fnd_account_destroy(fnd_run_account *account);

#endif
