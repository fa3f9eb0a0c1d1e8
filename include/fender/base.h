/* fender/base.h - statuses, diagnostics, host services, ids. Every other header includes it. */
#ifndef FENDER_BASE_H
#define FENDER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FENDER_EXPORT __attribute__((visibility("default")))
#else
#define FENDER_EXPORT
#endif
#ifdef __cplusplus
#define FENDER_API extern "C" FENDER_EXPORT
#else
#define FENDER_API extern FENDER_EXPORT
#endif

#define FENDER_VERSION_MAJOR 0
#define FENDER_VERSION_MINOR 2
#define FENDER_VERSION_PATCH 0

/* Version of the library that is linked, "0.2.0"; compare with the macros to find a mismatch. Static text. */
FENDER_API const char *fender_version(void);

/* Statuses are numbered and only ever appended to. X(number, name, text). */
#define FENDER_STATUS_LIST(X)                                                  \
    X(0, OK, "ok")                                                             \
    X(1, ARGUMENT, "argument missing or inconsistent")                         \
    X(2, VALUE, "value outside what physics or the field allows")              \
    X(3, STALE_ID, "id does not name an object of this world")                 \
    X(4, NAME, "name unknown, or already taken")                               \
    X(5, MEMORY, "the allocator returned no memory")                           \
    X(6, STATE, "the world is not in a state that allows this call")           \
    X(7, TOPOLOGY, "attachment would break the mass tree")                     \
    X(8, NO_PAIR_FUNCTION, "no contact function for these two geometries")     \
    X(9, UNIT, "unit unknown, or of the wrong dimension")                      \
    X(10, PARSE, "text does not follow the format")                            \
    X(11, FILE, "file could not be read or written")                           \
    X(12, NOT_BUILT, "feature not in this build")                              \
    X(13, NOT_FINITE, "a state or force became NaN or infinite")               \
    X(14, INTEGRATOR, "the integrator could not go on")                        \
    X(15, EXPECTATION, "an expected value was missed")                         \
    X(16, INTERRUPTED, "stopped on request")                                   \
    X(17, ARITHMETIC, "floating-point arithmetic is not what results rest on") \
    X(18, RESIDUAL, "the energy of the run does not add up")

typedef enum fender_status {
#define FENDER_STATUS_ENUM(number, name, text) FENDER_STATUS_##name = number,
    FENDER_STATUS_LIST(FENDER_STATUS_ENUM)
#undef FENDER_STATUS_ENUM
} fender_status;

/* One line of text for a status; "unknown status" for a number outside the list. Static text. */
FENDER_API const char *fender_status_text(fender_status status);

/* Details of an error, filled by the call that failed. Initialise it to {0}: an error that is already filled keeps
 * its first failure. Calls that take a fender_error accept NULL. A call that succeeds leaves it untouched. The first
 * failure is kept; `count` says how many were reported in all (loaders collect several). Texts are always
 * terminated; a part that does not apply is "". */
typedef struct fender_error {
    fender_status status;
    int count;
    int line, column;     /* 1-based place in `source`; 0 when no file is at fault */
    char source[256];     /* file name */
    char path[160];       /* field at fault, e.g. "mass_properties.inertia" */
    char message[320];    /* the problem */
    char found[160];      /* what was found */
    char expected[240];   /* what was expected */
    char suggestion[320]; /* remedy or nearest known name */
} fender_error;

/* Checks what results rest on, in this build and in the thread that calls: doubles of IEEE 754 (binary64) without
 * excess precision or range, every operation rounded by itself (no fused multiply-add), none reordered or simplified
 * (no -ffast-math), round to nearest with ties to even, gradual underflow (neither FTZ nor DAZ), square roots correctly
 * rounded. ARITHMETIC, with what was found and the remedy, if one does not hold; `error->count` says how many. For
 * hosts that compile the sources with flags of their own (the check stands for files compiled alike) or set modes of
 * the processor. Costs less than a microsecond; sets floating-point exception flags. Any thread. */
FENDER_API fender_status fender_check_arithmetic(fender_error *error);

typedef enum fender_severity { FENDER_SEVERITY_ERROR, FENDER_SEVERITY_WARNING, FENDER_SEVERITY_NOTE } fender_severity;

/* One diagnostic. All texts live only during the call that delivers it; parts that do not apply are "". */
typedef struct fender_diagnostic {
    fender_severity severity;
    fender_status status;
    const char *file;
    int line, column, length; /* 1-based; column and length in characters (UTF-8 code points); 0 = no place */
    const char *excerpt;      /* the source line, for the caret; "" when there is none */
    const char *message, *found, *expected, *suggestion;
} fender_diagnostic;

/* Memory of the host. `allocate` returns NULL when there is none; memory need not be cleared. `release` gets the size
 * that was asked for; it is never called with NULL. Both may be called from any thread that calls the library. */
typedef struct fender_allocator {
    void *(*allocate)(void *ctx, size_t size, size_t alignment);
    void (*release)(void *ctx, void *memory, size_t size);
    void *ctx;
} fender_allocator;

/* Everything the library needs from its host; copied by value into whatever it creates. `report` receives every
 * diagnostic of the calls that collect several (loaders); it may be NULL. */
typedef struct fender_env {
    fender_allocator allocator;
    void (*report)(void *ctx, const fender_diagnostic *diagnostic);
    void *report_ctx;
} fender_env;

/* The C library's memory, silent. Linux is asked for large pages for blocks of 8 MB and more. */
FENDER_API fender_env fender_env_default(void);

/* Ids are values; all-zero is null. They name a place, the world, and how often the place has been given anew: an id of
 * something that was destroyed, or of another world of this process (of the last 65,535 that were made), is reported
 * with STALE_ID and never followed. */
typedef struct fender_body_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_body_id;
typedef struct fender_shape_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_shape_id;
typedef struct fender_material_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_material_id;
typedef struct fender_contact_type_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_contact_type_id;
typedef struct fender_rule_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_rule_id;
typedef struct fender_load_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_load_id;
typedef struct fender_link_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_link_id;
typedef struct fender_point_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_point_id;
typedef struct fender_sensor_id {
    uint32_t index1;
    uint16_t world, generation;
} fender_sensor_id;

/* Pointers must not be NULL unless a comment says that they may be: calls that return a status answer ARGUMENT, others
 * must not be given NULL. An `error` may always be NULL, and so may the `id` that a constructor fills. */
typedef struct fender_world fender_world;
typedef struct fender_registry fender_registry;

#endif
