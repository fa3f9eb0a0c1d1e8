/* fender/base.h - statuses, errors, diagnostics, host services and ids. Every other header includes it. */
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

/* All statuses as X(number, name, text). Numbers do not change; new statuses are appended. */
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
    X(18, RESIDUAL, "the energy of the run does not add up")                   \
    X(19, CONTROLLER, "a controller failed")

typedef enum fender_status {
#define FENDER_STATUS_ENUM(number, name, text) FENDER_STATUS_##name = number,
    FENDER_STATUS_LIST(FENDER_STATUS_ENUM)
#undef FENDER_STATUS_ENUM
} fender_status;

/* Description of a status in one line; "unknown status" for a number outside the list. Static text. */
FENDER_API const char *fender_status_text(fender_status status);

/* Details of an error, filled by the call that failed. Initialise it to {0}. A call that succeeds does not change it.
 * If several failures occur, the first is kept and `count` is their number. Texts are always terminated; those that do
 * not apply are "". */
typedef struct fender_error {
    fender_status status;
    int count;
    int line, column;     /* location in `source`, from 1; 0 if the error is not in a file */
    char source[256];     /* file name */
    char path[160];       /* the invalid field, such as "mass_properties.inertia" */
    char message[320];    /* the problem */
    char found[160];      /* what was found */
    char expected[240];   /* what was expected */
    char suggestion[320]; /* a remedy, or the nearest known name */
} fender_error;

/* Tests the floating-point arithmetic on which results depend, in this build and in the calling thread: IEEE 754
 * binary64 without excess precision or range; separately rounded operations (no fused multiply-add), neither reordered
 * nor simplified (no -ffast-math); round to nearest with ties to even; gradual underflow (neither FTZ nor DAZ);
 * correctly rounded square roots. Returns ARITHMETIC if a property is missing; `error->count` is the number of missing
 * ones. Use it in hosts that compile the sources with their own flags (the result holds for files compiled with the
 * same flags) or that change processor modes. Takes less than a microsecond and sets exception flags. Any thread. */
FENDER_API fender_status fender_check_arithmetic(fender_error *error);

/* Floating-point traps (feenableexcept of the GNU C library) are off during calls that change a world, callbacks
 * included, and while the tables of meshes are made: unused lanes and overflows raise exceptions in sound results. They
 * are on again, and the exception flags as before, when the call returns. Queries of geometries and worlds leave the
 * traps as they are. */

typedef enum fender_severity { FENDER_SEVERITY_ERROR, FENDER_SEVERITY_WARNING, FENDER_SEVERITY_NOTE } fender_severity;

/* One diagnostic. Texts are valid during the call that delivers it; those that do not apply are "". */
typedef struct fender_diagnostic {
    fender_severity severity;
    fender_status status;
    const char *file;
    int line, column, length; /* from 1; column and length in characters (UTF-8 code points); 0: no location */
    const char *excerpt;      /* the source line, to be marked at column; "" if there is none */
    const char *message, *found, *expected, *suggestion;
} fender_diagnostic;

/* Memory functions of the host. `allocate` returns uncleared memory, or NULL on failure. `release` receives the
 * requested size and is never called with NULL. Both must be thread-safe if several threads use the library. */
typedef struct fender_allocator {
    void *(*allocate)(void *ctx, size_t size, size_t alignment);
    void (*release)(void *ctx, void *memory, size_t size);
    void *ctx;
} fender_allocator;

/* Services of the host, copied by value into every object that the library creates. `report` receives all diagnostics
 * of calls that collect several, such as loaders; it may be NULL. */
typedef struct fender_env {
    fender_allocator allocator;
    void (*report)(void *ctx, const fender_diagnostic *diagnostic);
    void *report_ctx;
} fender_env;

/* Memory of the C library, no reports. On Linux, blocks of 8 MB and more request large pages. */
FENDER_API fender_env fender_env_default(void);

/* Ids are values; all-zero is the null id. An id consists of a slot, the world, and a generation that counts the uses
 * of the slot. Calls report STALE_ID for the id of a destroyed object, for 65,534 further uses of its slot, or of
 * another world (one of the last 65,535 worlds of this process). */
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

/* Pointers must not be NULL unless documented otherwise. Calls with a status return ARGUMENT for NULL. `error` may
 * always be NULL, as may the `id` that a constructor fills. */
typedef struct fender_world fender_world;
typedef struct fender_registry fender_registry;

#endif
