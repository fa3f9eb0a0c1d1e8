/* Declarations of FMI 2.0 (https://fmi-standard.org/downloads), written from the standard: every function that an FMU
 * exports, and the types of its arguments. */
#ifndef FND_FMI_FMI2_H
#define FND_FMI_FMI2_H

#include <stddef.h>

typedef enum fmi2_status { FMI2_OK, FMI2_WARNING, FMI2_DISCARD, FMI2_ERROR, FMI2_FATAL, FMI2_PENDING } fmi2_status;
typedef enum fmi2_type { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION } fmi2_type;
typedef enum fmi2_status_kind {
    FMI2_DO_STEP_STATUS,
    FMI2_PENDING_STATUS,
    FMI2_LAST_SUCCESSFUL_TIME,
    FMI2_TERMINATED
} fmi2_status_kind;
typedef unsigned fmi2_reference;

typedef struct fmi2_callbacks {
    void (*log)(void *environment, const char *instance, fmi2_status status, const char *category, const char *message,
                ...);
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*step_finished)(void *environment, fmi2_status status);
    void *environment;
} fmi2_callbacks;

typedef struct fmi2_event_info {
    int need_update, terminate, nominals_changed, values_changed, next_event_defined; /* 0 or 1 */
    double next_event;
} fmi2_event_info;

#define FMI2_VALUE_TYPES(X) X(Real, double) X(Integer, int) X(Boolean, int) X(String, char *)

#define FMI2_FUNCTIONS(X)                                                                                           \
    X(const char *, fmi2GetTypesPlatform, (void))                                                                   \
    X(const char *, fmi2GetVersion, (void))                                                                         \
    X(fmi2_status, fmi2SetDebugLogging, (void *instance, int on, size_t count, const char *const categories[]))     \
    X(void *, fmi2Instantiate,                                                                                      \
      (const char *name, fmi2_type type, const char *token, const char *resources, const fmi2_callbacks *callbacks, \
       int visible, int logging))                                                                                   \
    X(void, fmi2FreeInstance, (void *instance))                                                                     \
    X(fmi2_status, fmi2SetupExperiment,                                                                             \
      (void *instance, int tolerance_defined, double tolerance, double start, int stop_defined, double stop))       \
    X(fmi2_status, fmi2EnterInitializationMode, (void *instance))                                                   \
    X(fmi2_status, fmi2ExitInitializationMode, (void *instance))                                                    \
    X(fmi2_status, fmi2Terminate, (void *instance))                                                                 \
    X(fmi2_status, fmi2Reset, (void *instance))                                                                     \
    X(fmi2_status, fmi2GetFMUstate, (void *instance, void **state))                                                 \
    X(fmi2_status, fmi2SetFMUstate, (void *instance, void *state))                                                  \
    X(fmi2_status, fmi2FreeFMUstate, (void *instance, void **state))                                                \
    X(fmi2_status, fmi2SerializedFMUstateSize, (void *instance, void *state, size_t *size))                         \
    X(fmi2_status, fmi2SerializeFMUstate, (void *instance, void *state, char bytes[], size_t size))                 \
    X(fmi2_status, fmi2DeSerializeFMUstate, (void *instance, const char bytes[], size_t size, void **state))        \
    X(fmi2_status, fmi2GetDirectionalDerivative,                                                                    \
      (void *instance, const fmi2_reference unknowns[], size_t unknown_count, const fmi2_reference knowns[],        \
       size_t known_count, const double seed[], double result[]))                                                   \
    X(fmi2_status, fmi2EnterEventMode, (void *instance))                                                            \
    X(fmi2_status, fmi2NewDiscreteStates, (void *instance, fmi2_event_info *info))                                  \
    X(fmi2_status, fmi2EnterContinuousTimeMode, (void *instance))                                                   \
    X(fmi2_status, fmi2CompletedIntegratorStep,                                                                     \
      (void *instance, int no_set_before, int *enter_event_mode, int *terminate))                                   \
    X(fmi2_status, fmi2SetTime, (void *instance, double time))                                                      \
    X(fmi2_status, fmi2SetContinuousStates, (void *instance, const double states[], size_t count))                  \
    X(fmi2_status, fmi2GetDerivatives, (void *instance, double derivatives[], size_t count))                        \
    X(fmi2_status, fmi2GetEventIndicators, (void *instance, double indicators[], size_t count))                     \
    X(fmi2_status, fmi2GetContinuousStates, (void *instance, double states[], size_t count))                        \
    X(fmi2_status, fmi2GetNominalsOfContinuousStates, (void *instance, double nominals[], size_t count))            \
    X(fmi2_status, fmi2SetRealInputDerivatives,                                                                     \
      (void *instance, const fmi2_reference refs[], size_t count, const int orders[], const double values[]))       \
    X(fmi2_status, fmi2GetRealOutputDerivatives,                                                                    \
      (void *instance, const fmi2_reference refs[], size_t count, const int orders[], double values[]))             \
    X(fmi2_status, fmi2DoStep, (void *instance, double current, double size, int no_set_before))                    \
    X(fmi2_status, fmi2CancelStep, (void *instance))                                                                \
    X(fmi2_status, fmi2GetStatus, (void *instance, fmi2_status_kind kind, fmi2_status *value))                      \
    X(fmi2_status, fmi2GetRealStatus, (void *instance, fmi2_status_kind kind, double *value))                       \
    X(fmi2_status, fmi2GetIntegerStatus, (void *instance, fmi2_status_kind kind, int *value))                       \
    X(fmi2_status, fmi2GetBooleanStatus, (void *instance, fmi2_status_kind kind, int *value))                       \
    X(fmi2_status, fmi2GetStringStatus, (void *instance, fmi2_status_kind kind, const char **value))

#endif
