/* fender/field.h - field tables: one description of a struct, read by scenario files, recorders, the program and the
 * manual. */
#ifndef FENDER_FIELD_H
#define FENDER_FIELD_H

#include "base.h"
#include "spatial.h"

typedef enum fender_field_type {
    FENDER_FIELD_BOOL,       /* bool */
    FENDER_FIELD_INT,        /* int */
    FENDER_FIELD_REAL,       /* double */
    FENDER_FIELD_VEC2,       /* fender_vec2 */
    FENDER_FIELD_VEC3,       /* fender_vec3 */
    FENDER_FIELD_QUATERNION, /* fender_quaternion, w x y z */
    FENDER_FIELD_MATRIX3,    /* fender_mat3 */
    FENDER_FIELD_ENUM        /* int, an index into `choices` */
} fender_field_type;

typedef enum fender_field_flag {
    FENDER_FIELD_REQUIRED = 1,      /* a scenario must give it; else `initial` holds */
    FENDER_FIELD_ABOVE_MINIMUM = 2, /* the minimum itself is refused (mass > 0) */
    FENDER_FIELD_NONE_ALLOWED = 4   /* the word `none` stands for infinity: no limit */
} fender_field_flag;

typedef struct fender_field {
    const char *name; /* "stiffness" */
    const char *unit; /* SI unit, "N/m"; "1" when it has none; "N/m^{exponent}": {name} is the value of that field */
    const char *doc;  /* one sentence */
    fender_field_type type;
    uint32_t offset;                  /* offsetof(struct, member) */
    uint32_t flags;                   /* fender_field_flag, or-ed */
    double minimum, maximum, initial; /* of every component; -INFINITY and INFINITY: none */
    const char *const *choices;       /* names of an enum's values, NULL-ended */
} fender_field;

/* `field_size` = sizeof(fender_field) of the table's author, so that the struct can grow. */
typedef struct fender_field_table {
    const char *type_name;
    const fender_field *fields;
    int count;
    uint32_t field_size;
    size_t size; /* of the struct described */
} fender_field_table;

/* Makes a table value from an array of fields and the struct that it describes. */
#define FENDER_FIELD_TABLE(name, array, type)                                                                \
    {                                                                                                        \
        name, array, (int)(sizeof(array) / sizeof((array)[0])), (uint32_t)sizeof(fender_field), sizeof(type) \
    }

/* The i-th field, or NULL. */
FENDER_API const fender_field *fender_field_at(const fender_field_table *table, int index);
/* The field of that name, or NULL. */
FENDER_API const fender_field *fender_field_find(const fender_field_table *table, const char *name);
/* Number of doubles that the field holds: 1, 2, 3, 4 or 9. Bool, int and enum count as 1. */
FENDER_API int fender_field_component_count(const fender_field *field);
/* ".x", ".w", "[0][1]" or "" : what is appended to the name for that component. Static text. */
FENDER_API const char *fender_field_component_name(const fender_field *field, int component);
/* Reads and writes one component of a field in an object as a number. Without the field (NULL: fender_field_find knows
 * no such name), the object or that component: NAN, and false with nothing written. */
FENDER_API double fender_field_get(const fender_field *field, const void *object, int component);
FENDER_API bool fender_field_set(const fender_field *field, void *object, int component, double value);
/* Fills an object with the initial values; bytes between the fields are cleared. `size` is what the object has room
 * for: ARGUMENT, and nothing is written, if that is less than table->size. */
FENDER_API fender_status fender_field_initialize(const fender_field_table *table, void *object, size_t size,
                                                 fender_error *error);
/* Every component finite (or infinite where NONE_ALLOWED) and inside its range. VALUE, with path = the field's name. */
FENDER_API fender_status fender_field_check(const fender_field_table *table, const void *object, fender_error *error);

#endif
