/* Declarations of FMI 3.0 (https://fmi-standard.org/docs/3.0), written from the standard: every function that an FMU
 * exports, and the types of its arguments. */
#ifndef FND_FMI_FMI3_H
#define FND_FMI_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fmi3_status { FMI3_OK, FMI3_WARNING, FMI3_DISCARD, FMI3_ERROR, FMI3_FATAL } fmi3_status;

typedef uint32_t fmi3_reference;

typedef void fmi3_log(void *environment, fmi3_status status, const char *category, const char *message);
typedef void fmi3_intermediate(void *environment, double time, bool set_requested, bool get_allowed, bool step_finished,
                               bool can_return_early, bool *early_return_requested, double *early_return_time);
typedef void fmi3_clock_update(void *environment);
typedef void fmi3_lock(void);

/* Kinds of values whose functions differ in their type alone. */
/* clang-format off */
#define FMI3_VALUE_TYPES(X) \
    X(Float32, float) X(Float64, double) X(Int8, int8_t) X(UInt8, uint8_t) X(Int16, int16_t) X(UInt16, uint16_t) \
    X(Int32, int32_t) X(UInt32, uint32_t) X(Int64, int64_t) X(UInt64, uint64_t) X(Boolean, bool) X(String, char *)
/* clang-format on */

/* All functions as X(result, name, (arguments)). Those of the value types are in the list above. */
#define FMI3_FUNCTIONS(X)                                                                                              \
    X(const char *, fmi3GetVersion, (void))                                                                            \
    X(fmi3_status, fmi3SetDebugLogging, (void *instance, bool on, size_t count, const char *const categories[]))       \
    X(void *, fmi3InstantiateModelExchange,                                                                            \
      (const char *name, const char *token, const char *resources, bool visible, bool logging, void *environment,      \
       fmi3_log *log))                                                                                                 \
    X(void *, fmi3InstantiateCoSimulation,                                                                             \
      (const char *name, const char *token, const char *resources, bool visible, bool logging, bool event_mode,        \
       bool early_return, const fmi3_reference intermediate[], size_t intermediate_count, void *environment,           \
       fmi3_log *log, fmi3_intermediate *update))                                                                      \
    X(void *, fmi3InstantiateScheduledExecution,                                                                       \
      (const char *name, const char *token, const char *resources, bool visible, bool logging, void *environment,      \
       fmi3_log *log, fmi3_clock_update *update, fmi3_lock *lock, fmi3_lock *unlock))                                  \
    X(void, fmi3FreeInstance, (void *instance))                                                                        \
    X(fmi3_status, fmi3EnterInitializationMode,                                                                        \
      (void *instance, bool tolerance_defined, double tolerance, double start, bool stop_defined, double stop))        \
    X(fmi3_status, fmi3ExitInitializationMode, (void *instance))                                                       \
    X(fmi3_status, fmi3EnterEventMode, (void *instance))                                                               \
    X(fmi3_status, fmi3Terminate, (void *instance))                                                                    \
    X(fmi3_status, fmi3Reset, (void *instance))                                                                        \
    X(fmi3_status, fmi3GetBinary,                                                                                      \
      (void *instance, const fmi3_reference refs[], size_t count, size_t sizes[], const uint8_t *values[],             \
       size_t value_count))                                                                                            \
    X(fmi3_status, fmi3SetBinary,                                                                                      \
      (void *instance, const fmi3_reference refs[], size_t count, const size_t sizes[], const uint8_t *const values[], \
       size_t value_count))                                                                                            \
    X(fmi3_status, fmi3GetClock, (void *instance, const fmi3_reference refs[], size_t count, bool values[]))           \
    X(fmi3_status, fmi3SetClock, (void *instance, const fmi3_reference refs[], size_t count, const bool values[]))     \
    X(fmi3_status, fmi3GetNumberOfVariableDependencies, (void *instance, fmi3_reference ref, size_t *count))           \
    X(fmi3_status, fmi3GetVariableDependencies,                                                                        \
      (void *instance, fmi3_reference ref, size_t elements[], fmi3_reference independents[],                           \
       size_t independent_elements[], int kinds[], size_t count))                                                      \
    X(fmi3_status, fmi3GetFMUState, (void *instance, void **state))                                                    \
    X(fmi3_status, fmi3SetFMUState, (void *instance, void *state))                                                     \
    X(fmi3_status, fmi3FreeFMUState, (void *instance, void **state))                                                   \
    X(fmi3_status, fmi3SerializedFMUStateSize, (void *instance, void *state, size_t *size))                            \
    X(fmi3_status, fmi3SerializeFMUState, (void *instance, void *state, uint8_t bytes[], size_t size))                 \
    X(fmi3_status, fmi3DeserializeFMUState, (void *instance, const uint8_t bytes[], size_t size, void **state))        \
    X(fmi3_status, fmi3GetDirectionalDerivative,                                                                       \
      (void *instance, const fmi3_reference unknowns[], size_t unknown_count, const fmi3_reference knowns[],           \
       size_t known_count, const double seed[], size_t seed_count, double result[], size_t result_count))              \
    X(fmi3_status, fmi3GetAdjointDerivative,                                                                           \
      (void *instance, const fmi3_reference unknowns[], size_t unknown_count, const fmi3_reference knowns[],           \
       size_t known_count, const double seed[], size_t seed_count, double result[], size_t result_count))              \
    X(fmi3_status, fmi3EnterConfigurationMode, (void *instance))                                                       \
    X(fmi3_status, fmi3ExitConfigurationMode, (void *instance))                                                        \
    X(fmi3_status, fmi3GetIntervalDecimal,                                                                             \
      (void *instance, const fmi3_reference refs[], size_t count, double intervals[], int qualifiers[]))               \
    X(fmi3_status, fmi3GetIntervalFraction,                                                                            \
      (void *instance, const fmi3_reference refs[], size_t count, uint64_t counters[], uint64_t resolutions[],         \
       int qualifiers[]))                                                                                              \
    X(fmi3_status, fmi3GetShiftDecimal, (void *instance, const fmi3_reference refs[], size_t count, double shifts[]))  \
    X(fmi3_status, fmi3GetShiftFraction,                                                                               \
      (void *instance, const fmi3_reference refs[], size_t count, uint64_t counters[], uint64_t resolutions[]))        \
    X(fmi3_status, fmi3SetIntervalDecimal,                                                                             \
      (void *instance, const fmi3_reference refs[], size_t count, const double intervals[]))                           \
    X(fmi3_status, fmi3SetIntervalFraction,                                                                            \
      (void *instance, const fmi3_reference refs[], size_t count, const uint64_t counters[],                           \
       const uint64_t resolutions[]))                                                                                  \
    X(fmi3_status, fmi3SetShiftDecimal,                                                                                \
      (void *instance, const fmi3_reference refs[], size_t count, const double shifts[]))                              \
    X(fmi3_status, fmi3SetShiftFraction,                                                                               \
      (void *instance, const fmi3_reference refs[], size_t count, const uint64_t counters[],                           \
       const uint64_t resolutions[]))                                                                                  \
    X(fmi3_status, fmi3EvaluateDiscreteStates, (void *instance))                                                       \
    X(fmi3_status, fmi3UpdateDiscreteStates,                                                                           \
      (void *instance, bool *need_update, bool *terminate, bool *nominals_changed, bool *values_changed,               \
       bool *next_event_defined, double *next_event))                                                                  \
    X(fmi3_status, fmi3EnterContinuousTimeMode, (void *instance))                                                      \
    X(fmi3_status, fmi3CompletedIntegratorStep,                                                                        \
      (void *instance, bool no_set_before, bool *enter_event_mode, bool *terminate))                                   \
    X(fmi3_status, fmi3SetTime, (void *instance, double time))                                                         \
    X(fmi3_status, fmi3SetContinuousStates, (void *instance, const double states[], size_t count))                     \
    X(fmi3_status, fmi3GetContinuousStateDerivatives, (void *instance, double derivatives[], size_t count))            \
    X(fmi3_status, fmi3GetEventIndicators, (void *instance, double indicators[], size_t count))                        \
    X(fmi3_status, fmi3GetContinuousStates, (void *instance, double states[], size_t count))                           \
    X(fmi3_status, fmi3GetNominalsOfContinuousStates, (void *instance, double nominals[], size_t count))               \
    X(fmi3_status, fmi3GetNumberOfEventIndicators, (void *instance, size_t *count))                                    \
    X(fmi3_status, fmi3GetNumberOfContinuousStates, (void *instance, size_t *count))                                   \
    X(fmi3_status, fmi3EnterStepMode, (void *instance))                                                                \
    X(fmi3_status, fmi3GetOutputDerivatives,                                                                           \
      (void *instance, const fmi3_reference refs[], size_t count, const int32_t orders[], double values[],             \
       size_t value_count))                                                                                            \
    X(fmi3_status, fmi3DoStep,                                                                                         \
      (void *instance, double current, double size, bool no_set_before, bool *event_needed, bool *terminate,           \
       bool *early_return, double *last_time))                                                                         \
    X(fmi3_status, fmi3ActivateModelPartition, (void *instance, fmi3_reference clock, double time))

#endif
