/* The sample controller `hover` inside an FMU of FMI 2.0 and 3.0: what importing it needs, and no more. A step is one
 * update. */
#include "../../samples/plugins/hover.c"

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

/* Value references */
enum { HEIGHT, RATE, ENGINE, TARGET, LEAD, BAND, COUNT };

typedef struct component {
    double values[COUNT];
    void *state;
    void *environment; /* of the log of its version */
    fmi3_log *log_3;
    void (*log_2)(void *, const char *, fmi2_status, const char *, const char *, ...);
} component;

#define EXPORTED                         __attribute__((visibility("default")))
#define DECLARE(result, name, arguments) EXPORTED result name arguments;
FMI2_FUNCTIONS(DECLARE)
FMI3_FUNCTIONS(DECLARE)

static void *instantiate(const char *token, int logs)
{
    (void)logs;
    component *c = strcmp(token, "hover-1") == 0 ? calloc(1, sizeof *c) : NULL;
    if (!c) return NULL;
    c->values[TARGET] = 10;
    c->values[BAND] = 0.1;
    return c;
}

/* Each step is a warning. */
static int warn(const component *c)
{
    static const char text[] = "the tank is half empty";
    if (c->log_3) c->log_3(c->environment, FMI3_WARNING, "logStatusWarning", text);
    if (c->log_2) c->log_2(c->environment, "hover", FMI2_WARNING, "logStatusWarning", "%s", text);
    return 1;
}

static int begin(component *c)
{
    static const char *const names[] = {"target", "lead", "band"};
    char message[FENDER_CONTROLLER_MESSAGE];
    const fender_controller_setup setup = {.size = sizeof setup,
                                           .input_count = 2,
                                           .output_count = 1,
                                           .parameter_count = 3,
                                           .parameter_names = names,
                                           .parameters = &c->values[TARGET]};
    return init(&setup, &c->state, message);
}

static int step(component *c)
{
    char message[FENDER_CONTROLLER_MESSAGE];
    return update(c->state, 0, &c->values[HEIGHT], &c->values[ENGINE], message);
}

static int get(const component *c, const unsigned refs[], size_t count, double values[])
{
    for (size_t i = 0; i < count; i++) {
        if (refs[i] >= COUNT) return 3;
        values[i] = c->values[refs[i]];
    }
    return 0;
}

static int set(component *c, const unsigned refs[], size_t count, const double values[])
{
    for (size_t i = 0; i < count; i++) {
        if (refs[i] >= COUNT) return 3;
        c->values[refs[i]] = values[i];
    }
    return 0;
}

static void end(component *c)
{
    free(c->state);
    free(c);
}

/* ---- FMI 3.0 */

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                  bool logging, bool event_mode, bool early_return, const fmi3_reference intermediate[],
                                  size_t intermediate_count, void *environment, fmi3_log *log,
                                  fmi3_intermediate *update_function)
{
    (void)name, (void)resources, (void)visible, (void)event_mode, (void)early_return, (void)intermediate;
    (void)intermediate_count, (void)update_function;
    component *c = instantiate(token, logging);
    if (c) c->environment = environment, c->log_3 = log;
    return c;
}
void fmi3FreeInstance(void *instance) { end(instance); }
fmi3_status fmi3EnterInitializationMode(void *instance, bool tolerance_defined, double tolerance, double start_time,
                                        bool stop_defined, double stop)
{
    (void)instance, (void)tolerance_defined, (void)tolerance, (void)start_time, (void)stop_defined, (void)stop;
    return FMI3_OK;
}
fmi3_status fmi3ExitInitializationMode(void *instance) { return begin(instance) ? FMI3_ERROR : FMI3_OK; }
fmi3_status fmi3DoStep(void *instance, double current, double size, bool no_set_before, bool *event_needed,
                       bool *terminate, bool *early_return, double *last_time)
{
    (void)no_set_before;
    *event_needed = *terminate = *early_return = false;
    *last_time = current + size;
    return step(instance) ? FMI3_ERROR : (fmi3_status)warn(instance);
}

#define VALUES_3(kind, type, works)                                                                                    \
    EXPORTED fmi3_status fmi3Get##kind(void *instance, const fmi3_reference refs[], size_t count, type values[],       \
                                       size_t value_count);                                                            \
    EXPORTED fmi3_status fmi3Set##kind(void *instance, const fmi3_reference refs[], size_t count, const type values[], \
                                       size_t value_count);                                                            \
    fmi3_status fmi3Get##kind(void *instance, const fmi3_reference refs[], size_t count, type values[],                \
                              size_t value_count)                                                                      \
    {                                                                                                                  \
        (void)value_count;                                                                                             \
        return works ? (fmi3_status)get(instance, refs, count, (double *)(void *)values) : FMI3_ERROR;                 \
    }                                                                                                                  \
    fmi3_status fmi3Set##kind(void *instance, const fmi3_reference refs[], size_t count, const type values[],          \
                              size_t value_count)                                                                      \
    {                                                                                                                  \
        (void)value_count;                                                                                             \
        return works ? (fmi3_status)set(instance, refs, count, (const double *)(const void *)values) : FMI3_ERROR;     \
    }
VALUES_3(Float64, double, 1)
VALUES_3(Int32, int32_t, 0)
VALUES_3(Boolean, bool, 0)

fmi3_status fmi3GetFMUState(void *instance, void **state)
{
    *state = instance; /* its bytes are taken at once */
    return FMI3_OK;
}
fmi3_status fmi3SetFMUState(void *instance, void *state)
{
    component *c = instance;
    memcpy(c->state, state, sizeof(hover));
    return FMI3_OK;
}
fmi3_status fmi3FreeFMUState(void *instance, void **state)
{
    if (*state != instance) free(*state);
    *state = NULL;
    return FMI3_OK;
}
fmi3_status fmi3SerializedFMUStateSize(void *instance, void *state, size_t *size)
{
    (void)instance, (void)state;
    *size = sizeof(hover);
    return FMI3_OK;
}
fmi3_status fmi3SerializeFMUState(void *instance, void *state, uint8_t bytes[], size_t size)
{
    (void)state;
    return save(((component *)instance)->state, bytes, size) > 0 ? FMI3_OK : FMI3_ERROR;
}
fmi3_status fmi3DeserializeFMUState(void *instance, const uint8_t bytes[], size_t size, void **state)
{
    (void)instance;
    *state = size == sizeof(hover) ? malloc(size) : NULL;
    if (*state) memcpy(*state, bytes, size);
    return *state ? FMI3_OK : FMI3_ERROR;
}

/* ---- FMI 2.0 */

void *fmi2Instantiate(const char *name, fmi2_type type, const char *token, const char *resources,
                      const fmi2_callbacks *callbacks, int visible, int logging)
{
    (void)name, (void)resources, (void)visible;
    component *c = type == FMI2_CO_SIMULATION ? instantiate(token, logging) : NULL;
    if (c) c->environment = callbacks->environment, c->log_2 = callbacks->log;
    return c;
}
void fmi2FreeInstance(void *instance) { end(instance); }
fmi2_status fmi2SetupExperiment(void *instance, int tolerance_defined, double tolerance, double start_time,
                                int stop_defined, double stop)
{
    (void)instance, (void)tolerance_defined, (void)tolerance, (void)start_time, (void)stop_defined, (void)stop;
    return FMI2_OK;
}
fmi2_status fmi2EnterInitializationMode(void *instance) { return instance ? FMI2_OK : FMI2_ERROR; }
fmi2_status fmi2ExitInitializationMode(void *instance) { return begin(instance) ? FMI2_ERROR : FMI2_OK; }
fmi2_status fmi2DoStep(void *instance, double current, double size, int no_set_before)
{
    (void)current, (void)size, (void)no_set_before;
    return step(instance) ? FMI2_ERROR : (fmi2_status)warn(instance);
}

#define VALUES_2(kind, type, works)                                                                                \
    EXPORTED fmi2_status fmi2Get##kind(void *instance, const fmi2_reference refs[], size_t count, type values[]);  \
    EXPORTED fmi2_status fmi2Set##kind(void *instance, const fmi2_reference refs[], size_t count,                  \
                                       const type values[]);                                                       \
    fmi2_status fmi2Get##kind(void *instance, const fmi2_reference refs[], size_t count, type values[])            \
    {                                                                                                              \
        return works ? (fmi2_status)get(instance, refs, count, (double *)(void *)values) : FMI2_ERROR;             \
    }                                                                                                              \
    fmi2_status fmi2Set##kind(void *instance, const fmi2_reference refs[], size_t count, const type values[])      \
    {                                                                                                              \
        return works ? (fmi2_status)set(instance, refs, count, (const double *)(const void *)values) : FMI2_ERROR; \
    }
VALUES_2(Real, double, 1)
VALUES_2(Integer, int, 0)
VALUES_2(Boolean, int, 0)

fmi2_status fmi2GetFMUstate(void *instance, void **state) { return (fmi2_status)fmi3GetFMUState(instance, state); }
fmi2_status fmi2SetFMUstate(void *instance, void *state) { return (fmi2_status)fmi3SetFMUState(instance, state); }
fmi2_status fmi2FreeFMUstate(void *instance, void **state) { return (fmi2_status)fmi3FreeFMUState(instance, state); }
fmi2_status fmi2SerializedFMUstateSize(void *instance, void *state, size_t *size)
{
    return (fmi2_status)fmi3SerializedFMUStateSize(instance, state, size);
}
fmi2_status fmi2SerializeFMUstate(void *instance, void *state, char bytes[], size_t size)
{
    return (fmi2_status)fmi3SerializeFMUState(instance, state, (uint8_t *)bytes, size);
}
fmi2_status fmi2DeSerializeFMUstate(void *instance, const char bytes[], size_t size, void **state)
{
    return (fmi2_status)fmi3DeserializeFMUState(instance, (const uint8_t *)bytes, size, state);
}
