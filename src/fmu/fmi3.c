/* The functions of FMI 3.0. */
#include "fmi/fmi3.h"

#include "fmu/instance.h"

#include <string.h>

/* Declared before they are defined; nothing else of the library is visible to an importer. */
#define EXPORTED                         __attribute__((visibility("default")))
#define DECLARE(result, name, arguments) EXPORTED result name arguments;
FMI3_FUNCTIONS(DECLARE)
DECLARE(fmi3_status, fmi3GetFloat64,
        (void *instance, const fmi3_reference refs[], size_t count, double values[], size_t value_count))
DECLARE(fmi3_status, fmi3SetFloat64,
        (void *instance, const fmi3_reference refs[], size_t count, const double values[], size_t value_count))

static fmi3_status as_status(fnd_fmu_status status) { return (fmi3_status)status; }

static fmi3_status refuse(void *instance, const char *call, const char *reason)
{
    if (fnd_fmu_allows(instance, FND_FMU_ANY, call)) (void)fnd_fmu_fail(instance, call, "%s", reason);
    return FMI3_ERROR;
}

const char *fmi3GetVersion(void) { return "3.0"; }

fmi3_status fmi3SetDebugLogging(void *instance, bool on, size_t count, const char *const categories[])
{
    fnd_fmu_instance *f = instance;
    if (!fnd_fmu_allows(f, FND_FMU_ANY, "fmi3SetDebugLogging")) return FMI3_ERROR;
    for (size_t i = 0; i < count; i++)
        if (!categories || !fnd_fmu_logs(categories[i]))
            return refuse(f, "fmi3SetDebugLogging", "there is no such category");
    f->logging = on;
    return FMI3_OK;
}

/* ---- instances */

typedef void function(void);

static void log_message(fnd_fmu_instance *f, fnd_fmu_status status, const char *category, const char *message)
{
    fmi3_log *log = (fmi3_log *)f->callback;
    if (log) log(f->environment, as_status(status), category, message);
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                   bool logging, void *environment, fmi3_log *log)
{
    (void)visible;
    return fnd_fmu_create(name, token, resources, true, logging, log_message, environment, (function *)log);
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool event_mode, bool early_return, const fmi3_reference intermediate[],
                                  size_t intermediate_count, void *environment, fmi3_log *log,
                                  fmi3_intermediate *update)
{
    (void)visible, (void)update, (void)intermediate;
    fnd_fmu_instance *f = NULL;
    if (intermediate_count > 0) {
        if (log)
            log(environment, FMI3_ERROR, "logStatusError",
                "fmi3InstantiateCoSimulation: this FMU has no intermediate variables");
        return NULL;
    }
    f = fnd_fmu_create(name, token, resources, false, logging, log_message, environment, (function *)log);
    if (!f) return NULL;
    f->event_mode_used = event_mode;
    f->early_return_allowed = early_return;
    return f;
}

void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                        bool logging, void *environment, fmi3_log *log, fmi3_clock_update *update,
                                        fmi3_lock *lock, fmi3_lock *unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)update, (void)lock, (void)unlock;
    if (log)
        log(environment, FMI3_ERROR, "logStatusError",
            "fmi3InstantiateScheduledExecution: this FMU has no scheduled execution");
    return NULL;
}

void fmi3FreeInstance(void *instance) { fnd_fmu_destroy(instance); }

fmi3_status fmi3EnterInitializationMode(void *instance, bool tolerance_defined, double tolerance, double start,
                                        bool stop_defined, double stop)
{
    (void)tolerance_defined, (void)tolerance;
    fnd_fmu_instance *f = instance;
    if (!fnd_fmu_allows(f, FND_FMU_INSTANTIATED, "fmi3EnterInitializationMode")) return FMI3_ERROR;
    fnd_fmu_status status = fnd_fmu_setup(f, start, stop_defined, stop);
    return as_status(status == FND_FMU_OK ? fnd_fmu_enter_initialization(f) : status);
}

fmi3_status fmi3ExitInitializationMode(void *instance)
{
    fnd_fmu_instance *f = instance;
    if (!fnd_fmu_allows(f, FND_FMU_INITIALIZATION, "fmi3ExitInitializationMode")) return FMI3_ERROR;
    return as_status(fnd_fmu_exit_initialization(f, f->exchange || f->event_mode_used ? FND_FMU_EVENT : FND_FMU_STEP));
}

fmi3_status fmi3EnterEventMode(void *instance)
{
    fnd_fmu_instance *f = instance;
    bool event;
    if (!fnd_fmu_allows(f, FND_FMU_CONTINUOUS | FND_FMU_STEP, "fmi3EnterEventMode")) return FMI3_ERROR;
    if (!f->exchange && !f->event_mode_used)
        return refuse(f, "fmi3EnterEventMode", "the instance was made without event mode");
    fnd_fmu_status status = f->exchange ? fnd_fmu_commit(f, &event) : FND_FMU_OK;
    if (status == FND_FMU_OK) f->mode = FND_FMU_EVENT;
    return as_status(status);
}

fmi3_status fmi3Terminate(void *instance)
{
    if (!fnd_fmu_allows(instance, FND_FMU_RUNNING, "fmi3Terminate")) return FMI3_ERROR;
    return as_status(fnd_fmu_terminate(instance));
}

fmi3_status fmi3Reset(void *instance)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3Reset")) return FMI3_ERROR;
    return as_status(fnd_fmu_reset(instance));
}

/* ---- values: all variables are of type Float64 */

fmi3_status fmi3GetFloat64(void *instance, const fmi3_reference refs[], size_t count, double values[],
                           size_t value_count)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3GetFloat64")) return FMI3_ERROR;
    if (count != value_count) return refuse(instance, "fmi3GetFloat64", "every variable has one value");
    return as_status(fnd_fmu_get(instance, refs, count, values));
}

fmi3_status fmi3SetFloat64(void *instance, const fmi3_reference refs[], size_t count, const double values[],
                           size_t value_count)
{
    const unsigned modes = FND_FMU_INSTANTIATED | FND_FMU_INITIALIZATION | FND_FMU_RUNNING;
    if (!fnd_fmu_allows(instance, modes, "fmi3SetFloat64")) return FMI3_ERROR;
    if (count != value_count) return refuse(instance, "fmi3SetFloat64", "every variable has one value");
    return as_status(fnd_fmu_set(instance, refs, count, values));
}

static fmi3_status no_values(void *instance, size_t count, const char *call)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, call)) return FMI3_ERROR;
    return count == 0 ? FMI3_OK : refuse(instance, call, "this FMU has no variable of this type");
}

#define NO_VALUES(kind, type)                                                                                          \
    EXPORTED fmi3_status fmi3Get##kind(void *instance, const fmi3_reference refs[], size_t count, type values[],       \
                                       size_t value_count);                                                            \
    EXPORTED fmi3_status fmi3Set##kind(void *instance, const fmi3_reference refs[], size_t count, const type values[], \
                                       size_t value_count);                                                            \
    fmi3_status fmi3Get##kind(void *instance, const fmi3_reference refs[], size_t count, type values[],                \
                              size_t value_count)                                                                      \
    {                                                                                                                  \
        (void)refs, (void)values, (void)value_count;                                                                   \
        return no_values(instance, count, "fmi3Get" #kind);                                                            \
    }                                                                                                                  \
    fmi3_status fmi3Set##kind(void *instance, const fmi3_reference refs[], size_t count, const type values[],          \
                              size_t value_count)                                                                      \
    {                                                                                                                  \
        (void)refs, (void)values, (void)value_count;                                                                   \
        return no_values(instance, count, "fmi3Set" #kind);                                                            \
    }
typedef const char *text;
NO_VALUES(Float32, float)
NO_VALUES(Int8, int8_t)
NO_VALUES(UInt8, uint8_t)
NO_VALUES(Int16, int16_t)
NO_VALUES(UInt16, uint16_t)
NO_VALUES(Int32, int32_t)
NO_VALUES(UInt32, uint32_t)
NO_VALUES(Int64, int64_t)
NO_VALUES(UInt64, uint64_t)
NO_VALUES(Boolean, bool)
NO_VALUES(String, text)

fmi3_status fmi3GetBinary(void *instance, const fmi3_reference refs[], size_t count, size_t sizes[],
                          const uint8_t *values[], size_t value_count)
{
    (void)refs, (void)sizes, (void)values, (void)value_count;
    return no_values(instance, count, "fmi3GetBinary");
}

fmi3_status fmi3SetBinary(void *instance, const fmi3_reference refs[], size_t count, const size_t sizes[],
                          const uint8_t *const values[], size_t value_count)
{
    (void)refs, (void)sizes, (void)values, (void)value_count;
    return no_values(instance, count, "fmi3SetBinary");
}

fmi3_status fmi3GetClock(void *instance, const fmi3_reference refs[], size_t count, bool values[])
{
    (void)refs, (void)values;
    return no_values(instance, count, "fmi3GetClock");
}

fmi3_status fmi3SetClock(void *instance, const fmi3_reference refs[], size_t count, const bool values[])
{
    (void)refs, (void)values;
    return no_values(instance, count, "fmi3SetClock");
}

/* ---- what this FMU does not have */

static const char no_dependencies[] = "dependencies do not change: the model description has them";
static const char no_derivatives[] = "the FMU provides no partial derivatives";
static const char no_clocks[] = "the FMU has no clocks";
static const char no_structure[] = "the FMU has no structural parameters";

fmi3_status fmi3GetNumberOfVariableDependencies(void *instance, fmi3_reference ref, size_t *count)
{
    (void)ref, (void)count;
    return refuse(instance, "fmi3GetNumberOfVariableDependencies", no_dependencies);
}

fmi3_status fmi3GetVariableDependencies(void *instance, fmi3_reference ref, size_t elements[],
                                        fmi3_reference independents[], size_t independent_elements[], int kinds[],
                                        size_t count)
{
    (void)ref, (void)elements, (void)independents, (void)independent_elements, (void)kinds, (void)count;
    return refuse(instance, "fmi3GetVariableDependencies", no_dependencies);
}

fmi3_status fmi3GetDirectionalDerivative(void *instance, const fmi3_reference unknowns[], size_t unknown_count,
                                         const fmi3_reference knowns[], size_t known_count, const double seed[],
                                         size_t seed_count, double result[], size_t result_count)
{
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed, (void)seed_count, (void)result;
    (void)result_count;
    return refuse(instance, "fmi3GetDirectionalDerivative", no_derivatives);
}

fmi3_status fmi3GetAdjointDerivative(void *instance, const fmi3_reference unknowns[], size_t unknown_count,
                                     const fmi3_reference knowns[], size_t known_count, const double seed[],
                                     size_t seed_count, double result[], size_t result_count)
{
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed, (void)seed_count, (void)result;
    (void)result_count;
    return refuse(instance, "fmi3GetAdjointDerivative", no_derivatives);
}

fmi3_status fmi3EnterConfigurationMode(void *instance)
{
    return refuse(instance, "fmi3EnterConfigurationMode", no_structure);
}
fmi3_status fmi3ExitConfigurationMode(void *instance)
{
    return refuse(instance, "fmi3ExitConfigurationMode", no_structure);
}

fmi3_status fmi3GetIntervalDecimal(void *instance, const fmi3_reference refs[], size_t count, double intervals[],
                                   int qualifiers[])
{
    (void)refs, (void)count, (void)intervals, (void)qualifiers;
    return refuse(instance, "fmi3GetIntervalDecimal", no_clocks);
}

fmi3_status fmi3GetIntervalFraction(void *instance, const fmi3_reference refs[], size_t count, uint64_t counters[],
                                    uint64_t resolutions[], int qualifiers[])
{
    (void)refs, (void)count, (void)counters, (void)resolutions, (void)qualifiers;
    return refuse(instance, "fmi3GetIntervalFraction", no_clocks);
}

fmi3_status fmi3GetShiftDecimal(void *instance, const fmi3_reference refs[], size_t count, double shifts[])
{
    (void)refs, (void)count, (void)shifts;
    return refuse(instance, "fmi3GetShiftDecimal", no_clocks);
}

fmi3_status fmi3GetShiftFraction(void *instance, const fmi3_reference refs[], size_t count, uint64_t counters[],
                                 uint64_t resolutions[])
{
    (void)refs, (void)count, (void)counters, (void)resolutions;
    return refuse(instance, "fmi3GetShiftFraction", no_clocks);
}

fmi3_status fmi3SetIntervalDecimal(void *instance, const fmi3_reference refs[], size_t count, const double intervals[])
{
    (void)refs, (void)count, (void)intervals;
    return refuse(instance, "fmi3SetIntervalDecimal", no_clocks);
}

fmi3_status fmi3SetIntervalFraction(void *instance, const fmi3_reference refs[], size_t count,
                                    const uint64_t counters[], const uint64_t resolutions[])
{
    (void)refs, (void)count, (void)counters, (void)resolutions;
    return refuse(instance, "fmi3SetIntervalFraction", no_clocks);
}

fmi3_status fmi3SetShiftDecimal(void *instance, const fmi3_reference refs[], size_t count, const double shifts[])
{
    (void)refs, (void)count, (void)shifts;
    return refuse(instance, "fmi3SetShiftDecimal", no_clocks);
}

fmi3_status fmi3SetShiftFraction(void *instance, const fmi3_reference refs[], size_t count, const uint64_t counters[],
                                 const uint64_t resolutions[])
{
    (void)refs, (void)count, (void)counters, (void)resolutions;
    return refuse(instance, "fmi3SetShiftFraction", no_clocks);
}

fmi3_status fmi3ActivateModelPartition(void *instance, fmi3_reference clock, double time)
{
    (void)clock, (void)time;
    return refuse(instance, "fmi3ActivateModelPartition", no_clocks);
}

fmi3_status fmi3GetOutputDerivatives(void *instance, const fmi3_reference refs[], size_t count, const int32_t orders[],
                                     double values[], size_t value_count)
{
    (void)refs, (void)orders, (void)values, (void)value_count;
    if (!fnd_fmu_allows(instance, FND_FMU_STEP | FND_FMU_EVENT | FND_FMU_TERMINATED, "fmi3GetOutputDerivatives"))
        return FMI3_ERROR;
    return count == 0 ? FMI3_OK : refuse(instance, "fmi3GetOutputDerivatives", "the FMU has no derivatives of outputs");
}

/* ---- states */

fmi3_status fmi3GetFMUState(void *instance, void **state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3GetFMUState")) return FMI3_ERROR;
    return as_status(fnd_fmu_state_get(instance, state));
}

fmi3_status fmi3SetFMUState(void *instance, void *state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3SetFMUState")) return FMI3_ERROR;
    return as_status(fnd_fmu_state_set(instance, state));
}

fmi3_status fmi3FreeFMUState(void *instance, void **state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3FreeFMUState")) return FMI3_ERROR;
    return as_status(fnd_fmu_state_free(instance, state));
}

fmi3_status fmi3SerializedFMUStateSize(void *instance, void *state, size_t *size)
{
    const char *bytes;
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3SerializedFMUStateSize")) return FMI3_ERROR;
    return as_status(fnd_fmu_state_bytes(instance, state, &bytes, size));
}

fmi3_status fmi3SerializeFMUState(void *instance, void *state, uint8_t to[], size_t size)
{
    const char *bytes;
    size_t needed = 0;
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3SerializeFMUState")) return FMI3_ERROR;
    fnd_fmu_status status = fnd_fmu_state_bytes(instance, state, &bytes, &needed);
    if (status != FND_FMU_OK) return as_status(status);
    if (!to || size < needed) return refuse(instance, "fmi3SerializeFMUState", "there is too little room");
    memcpy(to, bytes, needed);
    return FMI3_OK;
}

fmi3_status fmi3DeserializeFMUState(void *instance, const uint8_t bytes[], size_t size, void **state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi3DeserializeFMUState")) return FMI3_ERROR;
    return as_status(fnd_fmu_state_read(instance, bytes, size, state));
}

/* ---- event mode */

fmi3_status fmi3EvaluateDiscreteStates(void *instance)
{
    return fnd_fmu_allows(instance, FND_FMU_INITIALIZATION | FND_FMU_EVENT, "fmi3EvaluateDiscreteStates") ? FMI3_OK
                                                                                                          : FMI3_ERROR;
}

fmi3_status fmi3UpdateDiscreteStates(void *instance, bool *need_update, bool *terminate, bool *nominals_changed,
                                     bool *values_changed, bool *next_event_defined, double *next_event)
{
    if (!fnd_fmu_allows(instance, FND_FMU_EVENT, "fmi3UpdateDiscreteStates")) return FMI3_ERROR;
    if (!need_update || !terminate || !nominals_changed || !values_changed || !next_event_defined || !next_event)
        return refuse(instance, "fmi3UpdateDiscreteStates", "a pointer is missing");
    *need_update = *terminate = *nominals_changed = *values_changed = *next_event_defined = false;
    *next_event = 0;
    return FMI3_OK;
}

fmi3_status fmi3EnterStepMode(void *instance)
{
    fnd_fmu_instance *f = instance;
    if (!fnd_fmu_allows(f, FND_FMU_EVENT, "fmi3EnterStepMode")) return FMI3_ERROR;
    if (f->exchange) return refuse(f, "fmi3EnterStepMode", "the instance is for model exchange");
    f->mode = FND_FMU_STEP;
    return FMI3_OK;
}

/* ---- model exchange */

static bool allows_exchange(fnd_fmu_instance *f, unsigned modes, const char *call)
{
    if (!fnd_fmu_allows(f, modes, call)) return false;
    if (f->exchange) return true;
    (void)refuse(f, call, "the instance is for co-simulation");
    return false;
}

fmi3_status fmi3EnterContinuousTimeMode(void *instance)
{
    fnd_fmu_instance *f = instance;
    if (!allows_exchange(f, FND_FMU_EVENT, "fmi3EnterContinuousTimeMode")) return FMI3_ERROR;
    f->mode = FND_FMU_CONTINUOUS;
    return FMI3_OK;
}

fmi3_status fmi3CompletedIntegratorStep(void *instance, bool no_set_before, bool *enter_event_mode, bool *terminate)
{
    (void)no_set_before;
    if (!allows_exchange(instance, FND_FMU_CONTINUOUS, "fmi3CompletedIntegratorStep")) return FMI3_ERROR;
    if (!enter_event_mode || !terminate) return refuse(instance, "fmi3CompletedIntegratorStep", "a pointer is missing");
    *terminate = false;
    return as_status(fnd_fmu_commit(instance, enter_event_mode));
}

fmi3_status fmi3SetTime(void *instance, double time)
{
    fnd_fmu_instance *f = instance;
    if (!allows_exchange(f, FND_FMU_CONTINUOUS, "fmi3SetTime")) return FMI3_ERROR;
    return as_status(fnd_fmu_set_trial(f, time, NULL));
}

fmi3_status fmi3SetContinuousStates(void *instance, const double states[], size_t count)
{
    fnd_fmu_instance *f = instance;
    if (!allows_exchange(f, FND_FMU_CONTINUOUS, "fmi3SetContinuousStates")) return FMI3_ERROR;
    if (!states || count != (size_t)fnd_fmi_count(&f->model, FND_FMI_STATE))
        return refuse(f, "fmi3SetContinuousStates", "this is not the number of states");
    return as_status(fnd_fmu_set_trial(f, f->trial ? f->trial_time : f->time, states));
}

/* All values of a role into an array of their number. */
static fmi3_status get_role(fnd_fmu_instance *f, fnd_fmi_role role, double values[], size_t count, const char *call)
{
    if (!allows_exchange(f, FND_FMU_ANY & ~(unsigned)FND_FMU_INSTANTIATED, call)) return FMI3_ERROR;
    if (count != (size_t)fnd_fmi_count(&f->model, role) || (count > 0 && !values))
        return refuse(f, call, "this is not the number of values");
    for (size_t i = 0; i < count; i++) {
        const fmi3_reference ref = (fmi3_reference)(f->model.first[role] + (int)i);
        fnd_fmu_status status = fnd_fmu_get(f, &ref, 1, &values[i]);
        if (status != FND_FMU_OK) return as_status(status);
    }
    return FMI3_OK;
}

fmi3_status fmi3GetContinuousStateDerivatives(void *instance, double derivatives[], size_t count)
{
    return get_role(instance, FND_FMI_DERIVATIVE, derivatives, count, "fmi3GetContinuousStateDerivatives");
}

fmi3_status fmi3GetEventIndicators(void *instance, double indicators[], size_t count)
{
    return get_role(instance, FND_FMI_INDICATOR, indicators, count, "fmi3GetEventIndicators");
}

fmi3_status fmi3GetContinuousStates(void *instance, double states[], size_t count)
{
    return get_role(instance, FND_FMI_STATE, states, count, "fmi3GetContinuousStates");
}

fmi3_status fmi3GetNominalsOfContinuousStates(void *instance, double nominals[], size_t count)
{
    fnd_fmu_instance *f = instance;
    if (!allows_exchange(f, FND_FMU_ANY & ~(unsigned)FND_FMU_INSTANTIATED, "fmi3GetNominalsOfContinuousStates"))
        return FMI3_ERROR;
    if (count != (size_t)fnd_fmi_count(&f->model, FND_FMI_STATE) || (count > 0 && !nominals))
        return refuse(f, "fmi3GetNominalsOfContinuousStates", "this is not the number of states");
    for (size_t i = 0; i < count; i++) nominals[i] = 1;
    return FMI3_OK;
}

static fmi3_status get_count(fnd_fmu_instance *f, fnd_fmi_role role, size_t *count, const char *call)
{
    if (!allows_exchange(f, FND_FMU_ANY, call)) return FMI3_ERROR;
    if (!count) return refuse(f, call, "a pointer is missing");
    *count = (size_t)fnd_fmi_count(&f->model, role);
    return FMI3_OK;
}

fmi3_status fmi3GetNumberOfEventIndicators(void *instance, size_t *count)
{
    return get_count(instance, FND_FMI_INDICATOR, count, "fmi3GetNumberOfEventIndicators");
}

fmi3_status fmi3GetNumberOfContinuousStates(void *instance, size_t *count)
{
    return get_count(instance, FND_FMI_STATE, count, "fmi3GetNumberOfContinuousStates");
}

/* ---- co-simulation */

fmi3_status fmi3DoStep(void *instance, double current, double size, bool no_set_before, bool *event_needed,
                       bool *terminate, bool *early_return, double *last_time)
{
    (void)no_set_before;
    fnd_fmu_instance *f = instance;
    if (!fnd_fmu_allows(f, FND_FMU_STEP, "fmi3DoStep")) return FMI3_ERROR;
    if (!event_needed || !terminate || !early_return || !last_time)
        return refuse(f, "fmi3DoStep", "a pointer is missing");
    fnd_fmu_status status = fnd_fmu_step(f, current, size, event_needed, early_return, terminate);
    *last_time = f->last_time;
    return as_status(status);
}
