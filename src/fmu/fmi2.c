/* The functions of FMI 2.0: co-simulation. Those of model exchange, which FMI 3.0 offers, return errors. */
#include "fmi/fmi2.h"

#include "fmu/instance.h"

#include <string.h>

/* Declared before they are defined; nothing else of the library is visible to an importer. */
#define EXPORTED                         __attribute__((visibility("default")))
#define DECLARE(result, name, arguments) EXPORTED result name arguments;
FMI2_FUNCTIONS(DECLARE)
DECLARE(fmi2_status, fmi2GetReal, (void *instance, const fmi2_reference refs[], size_t count, double values[]))
DECLARE(fmi2_status, fmi2SetReal, (void *instance, const fmi2_reference refs[], size_t count, const double values[]))

static fmi2_status as_status(fnd_fmu_status status) { return (fmi2_status)status; }

static fmi2_status refuse(void *instance, const char *call, const char *reason)
{
    if (fnd_fmu_allows(instance, FND_FMU_ANY, call)) (void)fnd_fmu_fail(instance, call, "%s", reason);
    return FMI2_ERROR;
}

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

fmi2_status fmi2SetDebugLogging(void *instance, int on, size_t count, const char *const categories[])
{
    fnd_fmu_instance *f = instance;
    if (!fnd_fmu_allows(f, FND_FMU_ANY, "fmi2SetDebugLogging")) return FMI2_ERROR;
    for (size_t i = 0; i < count; i++)
        if (!categories || !fnd_fmu_logs(categories[i]))
            return refuse(f, "fmi2SetDebugLogging", "there is no such category");
    f->logging = on != 0;
    return FMI2_OK;
}

/* ---- instances */

typedef void function(void);
typedef void logger(void *environment, const char *instance, fmi2_status status, const char *category,
                    const char *message, ...);

static void log_message(fnd_fmu_instance *f, fnd_fmu_status status, const char *category, const char *message)
{
    logger *log = (logger *)f->callback;
    if (log) log(f->environment, f->name ? f->name : "", as_status(status), category, "%s", message);
}

/* A URI of the scheme file, its percent signs decoded in place; a plain path stays. */
static char *path_of(const char *uri, char *path, size_t size)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    size_t used = 0;
    if (!uri || strlen(uri) >= size) return NULL;
    bool is_uri = strncmp(uri, "file:", 5) == 0;
    if (is_uri) uri += 5;
    if (is_uri && strncmp(uri, "//", 2) == 0) {
        uri += 2;
        uri += strcspn(uri, "/"); /* the name of this machine, or none */
    }
    for (; *uri; uri++) {
        const char *high = is_uri && *uri == '%' && uri[1] ? strchr(digits, uri[1]) : NULL;
        const char *low = high && uri[2] ? strchr(digits, uri[2]) : NULL;
        if (low) {
            int a = (int)(high - digits), b = (int)(low - digits);
            path[used++] = (char)(16 * (a > 15 ? a - 6 : a) + (b > 15 ? b - 6 : b));
            uri += 2;
        } else path[used++] = *uri;
    }
    path[used] = '\0';
    return path;
}

void *fmi2Instantiate(const char *name, fmi2_type type, const char *token, const char *resources,
                      const fmi2_callbacks *callbacks, int visible, int logging)
{
    (void)visible;
    char path[4096];
    if (!callbacks) return NULL;
    if (type != FMI2_CO_SIMULATION) {
        if (callbacks->log)
            callbacks->log(callbacks->environment, name ? name : "", FMI2_ERROR, "logStatusError",
                           "fmi2Instantiate: this FMU offers co-simulation alone");
        return NULL;
    }
    return fnd_fmu_create(name, token, path_of(resources, path, sizeof path), false, logging != 0, log_message,
                          callbacks->environment, (function *)callbacks->log);
}

void fmi2FreeInstance(void *instance) { fnd_fmu_destroy(instance); }

fmi2_status fmi2SetupExperiment(void *instance, int tolerance_defined, double tolerance, double start, int stop_defined,
                                double stop)
{
    (void)tolerance_defined, (void)tolerance;
    if (!fnd_fmu_allows(instance, FND_FMU_INSTANTIATED, "fmi2SetupExperiment")) return FMI2_ERROR;
    return as_status(fnd_fmu_setup(instance, start, stop_defined != 0, stop));
}

fmi2_status fmi2EnterInitializationMode(void *instance)
{
    if (!fnd_fmu_allows(instance, FND_FMU_INSTANTIATED, "fmi2EnterInitializationMode")) return FMI2_ERROR;
    return as_status(fnd_fmu_enter_initialization(instance));
}

fmi2_status fmi2ExitInitializationMode(void *instance)
{
    if (!fnd_fmu_allows(instance, FND_FMU_INITIALIZATION, "fmi2ExitInitializationMode")) return FMI2_ERROR;
    return as_status(fnd_fmu_exit_initialization(instance, FND_FMU_STEP));
}

fmi2_status fmi2Terminate(void *instance)
{
    if (!fnd_fmu_allows(instance, FND_FMU_STEP, "fmi2Terminate")) return FMI2_ERROR;
    return as_status(fnd_fmu_terminate(instance));
}

fmi2_status fmi2Reset(void *instance)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2Reset")) return FMI2_ERROR;
    return as_status(fnd_fmu_reset(instance));
}

/* ---- values: all variables are of type Real */

fmi2_status fmi2GetReal(void *instance, const fmi2_reference refs[], size_t count, double values[])
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2GetReal")) return FMI2_ERROR;
    return as_status(fnd_fmu_get(instance, refs, count, values));
}

fmi2_status fmi2SetReal(void *instance, const fmi2_reference refs[], size_t count, const double values[])
{
    const unsigned modes = FND_FMU_INSTANTIATED | FND_FMU_INITIALIZATION | FND_FMU_STEP;
    if (!fnd_fmu_allows(instance, modes, "fmi2SetReal")) return FMI2_ERROR;
    return as_status(fnd_fmu_set(instance, refs, count, values));
}

static fmi2_status no_values(void *instance, size_t count, const char *call)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, call)) return FMI2_ERROR;
    return count == 0 ? FMI2_OK : refuse(instance, call, "this FMU has no variable of this type");
}

#define NO_VALUES(kind, type)                                                                                     \
    EXPORTED fmi2_status fmi2Get##kind(void *instance, const fmi2_reference refs[], size_t count, type values[]); \
    EXPORTED fmi2_status fmi2Set##kind(void *instance, const fmi2_reference refs[], size_t count,                 \
                                       const type values[]);                                                      \
    fmi2_status fmi2Get##kind(void *instance, const fmi2_reference refs[], size_t count, type values[])           \
    {                                                                                                             \
        (void)refs, (void)values;                                                                                 \
        return no_values(instance, count, "fmi2Get" #kind);                                                       \
    }                                                                                                             \
    fmi2_status fmi2Set##kind(void *instance, const fmi2_reference refs[], size_t count, const type values[])     \
    {                                                                                                             \
        (void)refs, (void)values;                                                                                 \
        return no_values(instance, count, "fmi2Set" #kind);                                                       \
    }
typedef const char *text;
NO_VALUES(Integer, int)
NO_VALUES(Boolean, int)
NO_VALUES(String, text)

/* ---- states */

fmi2_status fmi2GetFMUstate(void *instance, void **state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2GetFMUstate")) return FMI2_ERROR;
    return as_status(fnd_fmu_state_get(instance, state));
}

fmi2_status fmi2SetFMUstate(void *instance, void *state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2SetFMUstate")) return FMI2_ERROR;
    return as_status(fnd_fmu_state_set(instance, state));
}

fmi2_status fmi2FreeFMUstate(void *instance, void **state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2FreeFMUstate")) return FMI2_ERROR;
    return as_status(fnd_fmu_state_free(instance, state));
}

fmi2_status fmi2SerializedFMUstateSize(void *instance, void *state, size_t *size)
{
    const char *bytes;
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2SerializedFMUstateSize")) return FMI2_ERROR;
    return as_status(fnd_fmu_state_bytes(instance, state, &bytes, size));
}

fmi2_status fmi2SerializeFMUstate(void *instance, void *state, char to[], size_t size)
{
    const char *bytes;
    size_t needed = 0;
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2SerializeFMUstate")) return FMI2_ERROR;
    fnd_fmu_status status = fnd_fmu_state_bytes(instance, state, &bytes, &needed);
    if (status != FND_FMU_OK) return as_status(status);
    if (!to || size < needed) return refuse(instance, "fmi2SerializeFMUstate", "there is too little room");
    memcpy(to, bytes, needed);
    return FMI2_OK;
}

fmi2_status fmi2DeSerializeFMUstate(void *instance, const char bytes[], size_t size, void **state)
{
    if (!fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2DeSerializeFMUstate")) return FMI2_ERROR;
    return as_status(fnd_fmu_state_read(instance, bytes, size, state));
}

/* ---- what this FMU does not have */

static const char co_simulation_alone[] = "this FMU offers co-simulation alone";
static const char no_derivatives[] = "the FMU provides no derivatives";

fmi2_status fmi2GetDirectionalDerivative(void *instance, const fmi2_reference unknowns[], size_t unknown_count,
                                         const fmi2_reference knowns[], size_t known_count, const double seed[],
                                         double result[])
{
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed, (void)result;
    return refuse(instance, "fmi2GetDirectionalDerivative", no_derivatives);
}

fmi2_status fmi2EnterEventMode(void *instance) { return refuse(instance, "fmi2EnterEventMode", co_simulation_alone); }

fmi2_status fmi2NewDiscreteStates(void *instance, fmi2_event_info *info)
{
    (void)info;
    return refuse(instance, "fmi2NewDiscreteStates", co_simulation_alone);
}

fmi2_status fmi2EnterContinuousTimeMode(void *instance)
{
    return refuse(instance, "fmi2EnterContinuousTimeMode", co_simulation_alone);
}

fmi2_status fmi2CompletedIntegratorStep(void *instance, int no_set_before, int *enter_event_mode, int *terminate)
{
    (void)no_set_before, (void)enter_event_mode, (void)terminate;
    return refuse(instance, "fmi2CompletedIntegratorStep", co_simulation_alone);
}

fmi2_status fmi2SetTime(void *instance, double time)
{
    (void)time;
    return refuse(instance, "fmi2SetTime", co_simulation_alone);
}

fmi2_status fmi2SetContinuousStates(void *instance, const double states[], size_t count)
{
    (void)states, (void)count;
    return refuse(instance, "fmi2SetContinuousStates", co_simulation_alone);
}

#define NO_VECTOR(name)                                             \
    fmi2_status name(void *instance, double values[], size_t count) \
    {                                                               \
        (void)values, (void)count;                                  \
        return refuse(instance, #name, co_simulation_alone);        \
    }
NO_VECTOR(fmi2GetDerivatives)
NO_VECTOR(fmi2GetEventIndicators)
NO_VECTOR(fmi2GetContinuousStates)
NO_VECTOR(fmi2GetNominalsOfContinuousStates)

fmi2_status fmi2SetRealInputDerivatives(void *instance, const fmi2_reference refs[], size_t count, const int orders[],
                                        const double values[])
{
    (void)refs, (void)orders, (void)values;
    if (count > 0) return refuse(instance, "fmi2SetRealInputDerivatives", "inputs are held over a step");
    return fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2SetRealInputDerivatives") ? FMI2_OK : FMI2_ERROR;
}

fmi2_status fmi2GetRealOutputDerivatives(void *instance, const fmi2_reference refs[], size_t count, const int orders[],
                                         double values[])
{
    (void)refs, (void)orders, (void)values;
    if (count > 0) return refuse(instance, "fmi2GetRealOutputDerivatives", no_derivatives);
    return fnd_fmu_allows(instance, FND_FMU_ANY, "fmi2GetRealOutputDerivatives") ? FMI2_OK : FMI2_ERROR;
}

/* ---- steps */

fmi2_status fmi2DoStep(void *instance, double current, double size, int no_set_before)
{
    (void)no_set_before;
    bool event, early, ended;
    if (!fnd_fmu_allows(instance, FND_FMU_STEP, "fmi2DoStep")) return FMI2_ERROR;
    fnd_fmu_status status = fnd_fmu_step(instance, current, size, &event, &early, &ended);
    return status <= FND_FMU_WARNING && early ? FMI2_DISCARD : as_status(status); /* fmi2Terminated tells why */
}

fmi2_status fmi2CancelStep(void *instance)
{
    return refuse(instance, "fmi2CancelStep", "steps are complete when they return");
}

fmi2_status fmi2GetStatus(void *instance, fmi2_status_kind kind, fmi2_status *value)
{
    (void)kind, (void)value;
    return refuse(instance, "fmi2GetStatus", "steps are complete when they return");
}

fmi2_status fmi2GetRealStatus(void *instance, fmi2_status_kind kind, double *value)
{
    fnd_fmu_instance *f = instance;
    const unsigned modes = FND_FMU_STEP | FND_FMU_TERMINATED | FND_FMU_BROKEN;
    if (!fnd_fmu_allows(f, modes, "fmi2GetRealStatus")) return FMI2_ERROR;
    if (kind != FMI2_LAST_SUCCESSFUL_TIME || !value)
        return refuse(f, "fmi2GetRealStatus", "fmi2LastSuccessfulTime alone is a number");
    *value = f->last_time;
    return FMI2_OK;
}

fmi2_status fmi2GetIntegerStatus(void *instance, fmi2_status_kind kind, int *value)
{
    (void)kind, (void)value;
    return refuse(instance, "fmi2GetIntegerStatus", "there is no such status");
}

fmi2_status fmi2GetBooleanStatus(void *instance, fmi2_status_kind kind, int *value)
{
    if (!fnd_fmu_allows(instance, FND_FMU_STEP | FND_FMU_TERMINATED | FND_FMU_BROKEN, "fmi2GetBooleanStatus"))
        return FMI2_ERROR;
    if (kind != FMI2_TERMINATED || !value)
        return refuse(instance, "fmi2GetBooleanStatus", "fmi2Terminated alone is a truth value");
    *value = ((fnd_fmu_instance *)instance)->run->last;
    return FMI2_OK;
}

fmi2_status fmi2GetStringStatus(void *instance, fmi2_status_kind kind, const char **value)
{
    (void)kind, (void)value;
    return refuse(instance, "fmi2GetStringStatus", "steps are complete when they return");
}
