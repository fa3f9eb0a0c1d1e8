/* One instance of an FMU, without regard to the version of FMI: modes, values, steps, states. */
#ifndef FND_FMU_INSTANCE_H
#define FND_FMU_INSTANCE_H

#include "fmi/model.h"
#include "run/run.h"
#include "scenario/bundle.h"

/* As in both versions of the standard. */
typedef enum fnd_fmu_status {
    FND_FMU_OK,
    FND_FMU_WARNING,
    FND_FMU_DISCARD,
    FND_FMU_ERROR,
    FND_FMU_FATAL
} fnd_fmu_status;

typedef enum fnd_fmu_mode {
    FND_FMU_INSTANTIATED = 1,
    FND_FMU_INITIALIZATION = 2,
    FND_FMU_EVENT = 4,
    FND_FMU_CONTINUOUS = 8, /* model exchange */
    FND_FMU_STEP = 16,      /* co-simulation */
    FND_FMU_TERMINATED = 32,
    FND_FMU_BROKEN = 64 /* a step failed: values may still be read */
} fnd_fmu_mode;
#define FND_FMU_RUNNING (FND_FMU_EVENT | FND_FMU_CONTINUOUS | FND_FMU_STEP)
#define FND_FMU_ANY     127

typedef struct fnd_fmu_instance fnd_fmu_instance;
typedef void fnd_fmu_log(fnd_fmu_instance *instance, fnd_fmu_status status, const char *category, const char *message);

struct fnd_fmu_instance {
    uint64_t mark; /* tells an instance from other memory */
    fender_env env;
    fnd_arena arena;       /* of the instance */
    fnd_arena model_arena; /* of the model */
    const char *name;
    fnd_fmu_log *log;
    void *environment;
    void (*callback)(void); /* of the importer; cast by the version */
    bool logging;

    fnd_bundle bundle;
    uint64_t bundle_hash;
    fender_scenario *scenario;
    fender_run *run;     /* which begins when the initialization ends; model exchange uses its world alone */
    fender_world *world; /* of the run */
    fnd_fmi_model model;
    double *parameters, *inputs; /* present values */
    bool *parameter_set, *input_set;
    bool stale; /* parameters or the start time have changed since the world was built */

    fnd_fmu_mode mode;
    bool exchange; /* model exchange */
    bool event_mode_used, early_return_allowed;
    double start_time, stop_time, time;
    bool stop_defined;
    double last_time;           /* reached by the last step */
    fender_run_verdict verdict; /* the worst that the importer was told since the start */

    /* model exchange: a trial state that is not committed */
    bool trial;
    double trial_time;
    double *states; /* of the trial */
    double *values; /* of outputs, then of derivatives and indicators, at the trial */
    bool outputs_known, rates_known, gaps_known;
    struct fnd_fmu_state *saved; /* states that were handed out */
};

/* NULL after a log entry. `resources`: a folder. */
fnd_fmu_instance *fnd_fmu_create(const char *name, const char *token, const char *resources, bool exchange,
                                 bool logging, fnd_fmu_log *log, void *environment, void (*callback)(void));
void fnd_fmu_destroy(fnd_fmu_instance *instance);
/* Is this an instance in one of these modes? Else the call is logged as not allowed. */
bool fnd_fmu_allows(fnd_fmu_instance *instance, unsigned modes, const char *call);
/* Is this a category of its log? */
bool fnd_fmu_logs(const char *category);
fnd_fmu_status fnd_fmu_fail(fnd_fmu_instance *instance, const char *call, const char *format, ...);

fnd_fmu_status fnd_fmu_setup(fnd_fmu_instance *instance, double start, bool stop_defined, double stop);
fnd_fmu_status fnd_fmu_enter_initialization(fnd_fmu_instance *instance);
fnd_fmu_status fnd_fmu_exit_initialization(fnd_fmu_instance *instance, fnd_fmu_mode next);
fnd_fmu_status fnd_fmu_terminate(fnd_fmu_instance *instance);
fnd_fmu_status fnd_fmu_reset(fnd_fmu_instance *instance);
fnd_fmu_status fnd_fmu_get(fnd_fmu_instance *instance, const uint32_t refs[], size_t count, double values[]);
fnd_fmu_status fnd_fmu_set(fnd_fmu_instance *instance, const uint32_t refs[], size_t count, const double values[]);

/* Co-simulation. *event, *early: where event mode is used. *ended: the scenario has come to its end (stop_when, an
 * action), perhaps before the end of the step. */
fnd_fmu_status fnd_fmu_step(fnd_fmu_instance *instance, double current, double size, bool *event, bool *early,
                            bool *ended);

/* Model exchange. */
fnd_fmu_status fnd_fmu_set_trial(fnd_fmu_instance *instance, double time, const double *states);
fnd_fmu_status fnd_fmu_get_states(fnd_fmu_instance *instance, double *states);
/* Accepts the trial. *event: something began or ended. */
fnd_fmu_status fnd_fmu_commit(fnd_fmu_instance *instance, bool *event);

/* States: those of unknown pointers are refused. */
fnd_fmu_status fnd_fmu_state_get(fnd_fmu_instance *instance, void **state);
fnd_fmu_status fnd_fmu_state_set(fnd_fmu_instance *instance, const void *state);
fnd_fmu_status fnd_fmu_state_free(fnd_fmu_instance *instance, void **state);
fnd_fmu_status fnd_fmu_state_bytes(fnd_fmu_instance *instance, const void *state, const char **bytes, size_t *size);
fnd_fmu_status fnd_fmu_state_read(fnd_fmu_instance *instance, const void *bytes, size_t size, void **state);

#endif
