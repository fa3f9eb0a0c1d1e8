/* Calls of an FMU in random order with good and bad arguments: whatever an importer does with an instance that exists,
 * each call returns. Pointers are good or NULL, numbers anything. */
#ifndef TEST_FMI_RANDOM_CALLS_H
#define TEST_FMI_RANDOM_CALLS_H

#include "importer.h"
#include "random_numbers.h"
#include <math.h>

typedef struct caller {
    const fmu *f;
    random_stream *random;
    void *one;
    void *states[3];
    double time;
    int ok, refused;
    uint8_t *bytes;
    size_t size;
} caller;

static inline double odd_number(random_stream *r)
{
    static const double odd[] = {0, -1, 1, NAN, INFINITY, -INFINITY, 1e300, 1e-300, 0.5, 2, 0.001, -0.0};
    return odd[random_below(r, (int)(sizeof odd / sizeof odd[0]))];
}

static inline void note(caller *c, int status)
{
    if (status == 0) c->ok++;
    else c->refused++;
}

/* Mostly the present time and a short step. */
static inline void random_step(caller *c)
{
    random_stream *r = c->random;
    bool event = false, terminate = false, early = false, odd = random_below(r, 6) == 0;
    double current = odd ? odd_number(r) : c->time, last = 0;
    double size = random_below(r, 8) == 0 ? fmin(odd_number(r), 0.3) : 1e-3 * (1 + random_below(r, 12));
    if (random_below(r, 5) == 0) size *= random_between(r, 0, 1); /* off the grid */
    if (c->f->version == 3)
        note(c, (int)c->f->fmi3DoStep(c->one, current, size, random_below(r, 2), random_below(r, 20) ? &event : NULL,
                                      &terminate, &early, &last));
    else {
        note(c, (int)c->f->fmi2DoStep(c->one, current, size, random_below(r, 2)));
        (void)c->f->fmi2GetRealStatus(c->one, FMI2_LAST_SUCCESSFUL_TIME, &last);
    }
    if (last > 0) c->time = last;
}

static inline void random_values(caller *c)
{
    random_stream *r = c->random;
    uint32_t refs[4];
    double values[4];
    const size_t count = (size_t)random_below(r, 5);
    for (int i = 0; i < 4; i++) {
        refs[i] = random_below(r, 8) ? (uint32_t)random_below(r, 8) : (uint32_t)random_bits(r);
        values[i] = random_below(r, 3) ? random_between(r, 0.5, 3) : odd_number(r);
    }
    const bool set = random_below(r, 2), null = random_below(r, 15) == 0;
    if (c->f->version == 3) {
        const size_t value_count = random_below(r, 15) ? count : count / 2;
        note(c, (int)(set ? c->f->fmi3SetFloat64(c->one, null ? NULL : refs, count, values, value_count)
                          : c->f->fmi3GetFloat64(c->one, refs, count, null ? NULL : values, value_count)));
    } else
        note(c, (int)(set ? c->f->fmi2SetReal(c->one, null ? NULL : refs, count, values)
                          : c->f->fmi2GetReal(c->one, refs, count, null ? NULL : values)));
}

static inline void random_bytes(caller *c, void **slot)
{
    const fmu *f = c->f;
    random_stream *r = c->random;
    size_t size = 0;
    const bool v3 = f->version == 3;
    int status = v3 ? (int)f->fmi3SerializedFMUStateSize(c->one, *slot, &size)
                    : (int)f->fmi2SerializedFMUstateSize(c->one, *slot, &size);
    note(c, status);
    if (status == 0) {
        free(c->bytes);
        c->bytes = malloc(size);
        c->size = size;
        note(c, v3 ? (int)f->fmi3SerializeFMUState(c->one, *slot, c->bytes, size)
                   : (int)f->fmi2SerializeFMUstate(c->one, *slot, (char *)c->bytes, size));
    }
    if (!c->bytes || random_below(r, 2)) return;
    void *read = NULL;
    if (random_below(r, 3) == 0) c->bytes[random_below(r, (int)c->size)] ^= (uint8_t)(1 << random_below(r, 8));
    size = random_below(r, 4) ? c->size : (size_t)random_below(r, (int)c->size);
    status = v3 ? (int)f->fmi3DeserializeFMUState(c->one, c->bytes, size, &read)
                : (int)f->fmi2DeSerializeFMUstate(c->one, (const char *)c->bytes, size, &read);
    note(c, status);
    if (status == 0 && random_below(r, 2))
        note(c, v3 ? (int)f->fmi3SetFMUState(c->one, read) : (int)f->fmi2SetFMUstate(c->one, read));
}

static inline void random_state(caller *c)
{
    const fmu *f = c->f;
    void **slot = &c->states[random_below(c->random, 3)];
    const bool v3 = f->version == 3;
    switch (random_below(c->random, 4)) {
    case 0: note(c, v3 ? (int)f->fmi3GetFMUState(c->one, slot) : (int)f->fmi2GetFMUstate(c->one, slot)); break;
    case 1: {
        note(c, v3 ? (int)f->fmi3SetFMUState(c->one, *slot) : (int)f->fmi2SetFMUstate(c->one, *slot));
        const uint32_t ref = 0;
        if (v3) (void)f->fmi3GetFloat64(c->one, &ref, 1, &c->time, 1);
        else (void)f->fmi2GetReal(c->one, &ref, 1, &c->time);
        break;
    }
    case 2: note(c, v3 ? (int)f->fmi3FreeFMUState(c->one, slot) : (int)f->fmi2FreeFMUstate(c->one, slot)); break;
    default: random_bytes(c, slot);
    }
}

static inline void random_exchange(caller *c)
{
    const fmu *f = c->f;
    random_stream *r = c->random;
    double values[16];
    bool event = false, terminate = false;
    size_t count = 0, states = random_below(r, 12) ? 13 : (size_t)random_below(r, 16);
    switch (random_below(r, 9)) {
    case 0: note(c, (int)f->fmi3EnterContinuousTimeMode(c->one)); break;
    case 1:
        note(c, (int)f->fmi3CompletedIntegratorStep(c->one, true, random_below(r, 9) ? &event : NULL, &terminate));
        break;
    case 2:
        c->time += 1e-3 * random_below(r, 5);
        note(c, (int)f->fmi3SetTime(c->one, random_below(r, 6) ? c->time : odd_number(r)));
        break;
    case 3:
        if (f->fmi3GetContinuousStates(c->one, values, 13) != FMI3_OK) {
            c->refused++;
            break;
        }
        for (int i = 0; i < 13; i++) values[i] += random_below(r, 20) ? random_between(r, -1e-4, 1e-4) : odd_number(r);
        note(c, (int)f->fmi3SetContinuousStates(c->one, random_below(r, 20) ? values : NULL, states));
        break;
    case 4: note(c, (int)f->fmi3GetContinuousStateDerivatives(c->one, values, states)); break;
    case 5: note(c, (int)f->fmi3GetEventIndicators(c->one, values, (size_t)random_below(r, 3))); break;
    case 6: note(c, (int)f->fmi3GetNominalsOfContinuousStates(c->one, values, states)); break;
    case 7: note(c, (int)f->fmi3GetNumberOfContinuousStates(c->one, &count)); break;
    default: note(c, (int)f->fmi3GetNumberOfEventIndicators(c->one, random_below(r, 9) ? &count : NULL));
    }
}

static inline void random_mode_3(caller *c)
{
    const fmu *f = c->f;
    random_stream *r = c->random;
    bool flags[5];
    double next;
    switch (random_below(r, 9)) {
    case 0:
        note(c, (int)f->fmi3EnterInitializationMode(c->one, false, 0, random_below(r, 5) ? 0 : odd_number(r),
                                                    random_below(r, 2), random_below(r, 4) ? 5 : odd_number(r)));
        break;
    case 1: note(c, (int)f->fmi3ExitInitializationMode(c->one)); break;
    case 2: note(c, (int)f->fmi3EnterEventMode(c->one)); break;
    case 3: note(c, (int)f->fmi3EnterStepMode(c->one)); break;
    case 4:
        note(c, (int)f->fmi3UpdateDiscreteStates(c->one, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4],
                                                 random_below(r, 9) ? &next : NULL));
        break;
    case 5: note(c, (int)f->fmi3EvaluateDiscreteStates(c->one)); break;
    case 6:
        if (random_below(r, 6) == 0) note(c, (int)f->fmi3Terminate(c->one));
        break;
    case 7:
        if (random_below(r, 4) == 0) {
            note(c, (int)f->fmi3Reset(c->one));
            c->time = 0;
        }
        break;
    default: note(c, (int)f->fmi3SetDebugLogging(c->one, random_below(r, 2), 0, NULL));
    }
}

/* Functions that an FMU without clocks, structure and derivatives refuses. */
static inline void random_refused_3(caller *c)
{
    const fmu *f = c->f;
    const fmi3_reference refs[2] = {1, 99};
    double numbers[2] = {0, 0};
    uint64_t counters[2] = {0, 0};
    int kinds[2] = {0, 0};
    bool flags[2];
    size_t count;
    const size_t n = (size_t)random_below(c->random, 3);
    switch (random_below(c->random, 17)) {
    case 0: note(c, (int)f->fmi3GetDirectionalDerivative(c->one, refs, n, refs, n, numbers, n, numbers, n)); break;
    case 1: note(c, (int)f->fmi3GetAdjointDerivative(c->one, refs, n, refs, n, numbers, n, numbers, n)); break;
    case 2: note(c, (int)f->fmi3EnterConfigurationMode(c->one)); break;
    case 3: note(c, (int)f->fmi3ExitConfigurationMode(c->one)); break;
    case 4: note(c, (int)f->fmi3GetIntervalDecimal(c->one, refs, n, numbers, kinds)); break;
    case 5: note(c, (int)f->fmi3GetIntervalFraction(c->one, refs, n, counters, counters, kinds)); break;
    case 6: note(c, (int)f->fmi3GetShiftDecimal(c->one, refs, n, numbers)); break;
    case 7: note(c, (int)f->fmi3GetShiftFraction(c->one, refs, n, counters, counters)); break;
    case 8: note(c, (int)f->fmi3SetIntervalDecimal(c->one, refs, n, numbers)); break;
    case 9: note(c, (int)f->fmi3SetIntervalFraction(c->one, refs, n, counters, counters)); break;
    case 10: note(c, (int)f->fmi3SetShiftDecimal(c->one, refs, n, numbers)); break;
    case 11: note(c, (int)f->fmi3SetShiftFraction(c->one, refs, n, counters, counters)); break;
    case 12: note(c, (int)f->fmi3ActivateModelPartition(c->one, 1, 0)); break;
    case 13: note(c, (int)f->fmi3GetNumberOfVariableDependencies(c->one, 1, &count)); break;
    case 14: note(c, (int)f->fmi3GetClock(c->one, refs, n, flags)); break;
    case 15: note(c, (int)f->fmi3GetBinary(c->one, refs, n, NULL, NULL, n)); break;
    default: note(c, (int)f->fmi3GetString(c->one, refs, n, NULL, n));
    }
}

static inline void random_mode_2(caller *c)
{
    const fmu *f = c->f;
    random_stream *r = c->random;
    double number;
    int flag;
    switch (random_below(r, 12)) {
    case 0:
        note(c, (int)f->fmi2SetupExperiment(c->one, 0, 0, random_below(r, 5) ? 0 : odd_number(r), random_below(r, 2),
                                            random_below(r, 4) ? 5 : odd_number(r)));
        break;
    case 1: note(c, (int)f->fmi2EnterInitializationMode(c->one)); break;
    case 2: note(c, (int)f->fmi2ExitInitializationMode(c->one)); break;
    case 3:
        if (random_below(r, 6) == 0) note(c, (int)f->fmi2Terminate(c->one));
        break;
    case 4:
        if (random_below(r, 4) == 0) {
            note(c, (int)f->fmi2Reset(c->one));
            c->time = 0;
        }
        break;
    case 5: note(c, (int)f->fmi2CancelStep(c->one)); break;
    case 6:
        note(c, (int)f->fmi2GetRealStatus(c->one, FMI2_LAST_SUCCESSFUL_TIME, random_below(r, 5) ? &number : NULL));
        break;
    case 7: note(c, (int)f->fmi2GetBooleanStatus(c->one, FMI2_TERMINATED, &flag)); break;
    case 8: note(c, (int)f->fmi2EnterEventMode(c->one)); break;
    case 9: note(c, (int)f->fmi2GetDerivatives(c->one, &number, 1)); break;
    case 10: note(c, (int)f->fmi2SetRealInputDerivatives(c->one, NULL, (size_t)random_below(r, 2), NULL, NULL)); break;
    default: note(c, (int)f->fmi2SetDebugLogging(c->one, random_below(r, 2), 0, NULL));
    }
}

/* One instance, called about 60 times. Half of them begin as an importer would. */
static inline void random_sequence(const fmu *f, uint64_t number, int *ok, int *refused)
{
    random_stream random = random_of_case(0xF31, number);
    fmu_log log = {0};
    fmi2_callbacks callbacks = {log_2, calloc, free, NULL, &log};
    const bool exchange = f->version == 3 && random_below(&random, 3) == 0;
    caller c = {.f = f, .random = &random};
    c.one = f->version == 2 ? instantiate_2(f, &callbacks)
            : exchange      ? f->fmi3InstantiateModelExchange("one", f->token, f->resources, false, true, &log, log_3)
                            : instantiate_3(f, random_below(&random, 2), random_below(&random, 2), &log);
    assert_non_null(c.one);
    if (random_below(&random, 2)) {
        if (f->version == 3) {
            note(&c, (int)f->fmi3EnterInitializationMode(c.one, false, 0, 0, false, 0));
            note(&c, (int)f->fmi3ExitInitializationMode(c.one));
        } else {
            note(&c, (int)f->fmi2EnterInitializationMode(c.one));
            note(&c, (int)f->fmi2ExitInitializationMode(c.one));
        }
    }
    for (int i = 20 + random_below(&random, 80); i > 0; i--) {
        const int choice = random_below(&random, 10);
        if (choice < 3) random_step(&c);
        else if (choice < 5) random_values(&c);
        else if (choice < 7) random_state(&c);
        else if (f->version == 2) random_mode_2(&c);
        else if (choice == 7) random_exchange(&c);
        else if (choice == 8 || !random_below(&random, 3)) random_mode_3(&c);
        else if (exchange) random_exchange(&c);
        else random_refused_3(&c);
    }
    if (f->version == 3) f->fmi3FreeInstance(c.one);
    else f->fmi2FreeInstance(c.one);
    free(c.bytes);
    *ok += c.ok;
    *refused += c.refused;
}

static inline void random_sequences(int count)
{
    fender_scenario *ball = parse_scene(ball_scene);
    fmu both[2];
    int ok = 0, refused = 0;
    fmu_open(&both[0], ball, 2, "random2");
    fmu_open(&both[1], ball, 3, "random3");
    for (int i = 0; i < count; i++) random_sequence(&both[i % 3 != 0], (uint64_t)i, &ok, &refused);
    printf("%d sequences: %d calls taken, %d refused\n", count, ok, refused);
    assert_true(ok > 10 * count && refused > 10 * count); /* both kinds are tried */
    fmu_close(&both[0]);
    fmu_close(&both[1]);
    fender_scenario_destroy(ball);
}

#endif
