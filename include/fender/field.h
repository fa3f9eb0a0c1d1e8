/* fender/field.h - field tables, which describe the members of a struct for the scenario reader, recorders, the program
 * and the manual. */
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
    FENDER_FIELD_REQUIRED = 1,      /* required in a scenario; otherwise the default is `initial` */
    FENDER_FIELD_ABOVE_MINIMUM = 2, /* the minimum itself is refused (mass > 0) */
    FENDER_FIELD_NONE_ALLOWED = 4   /* the word `none` means infinity: no limit */
} fender_field_flag;

typedef struct fender_field {
    const char *name; /* "stiffness" */
    const char *unit; /* SI unit, "N/m"; "1" without unit; in "N/m^{exponent}", {name} is the value of that field */
    const char *doc;  /* one sentence */
    fender_field_type type;
    uint32_t offset;                  /* offsetof(struct, member) */
    uint32_t flags;                   /* fender_field_flag, or-ed */
    double minimum, maximum, initial; /* of every component; -INFINITY and INFINITY: none */
    const char *const *choices;       /* names of an enum's values, NULL-ended */
} fender_field;

/* Description of a struct. `field_size` is sizeof(fender_field) as compiled by the author, so that it can grow. */
typedef struct fender_field_table {
    const char *type_name;
    const fender_field *fields;
    int count;
    uint32_t field_size;
    size_t size; /* of the struct described */
} fender_field_table;

/* Initializer of a table from an array of fields and the struct type that it describes. */
#define FENDER_FIELD_TABLE(name, array, type)                                                                \
    {                                                                                                        \
        name, array, (int)(sizeof(array) / sizeof((array)[0])), (uint32_t)sizeof(fender_field), sizeof(type) \
    }

/* The i-th field, or NULL. */
FENDER_API const fender_field *fender_field_at(const fender_field_table *table, int index);
/* The field of that name, or NULL. */
FENDER_API const fender_field *fender_field_find(const fender_field_table *table, const char *name);
/* Number of components of the field: 1, 2, 3, 4 or 9. Bool, int and enum have one. */
FENDER_API int fender_field_component_count(const fender_field *field);
/* Suffix of the name for a component: ".x", ".w", "[0][1]" or "". Static text. */
FENDER_API const char *fender_field_component_name(const fender_field *field, int component);
/* Read and write one component of a field of an object as a number. If the field or the object is NULL, or there is no
 * such component, get returns NAN, and set returns false and writes nothing. */
FENDER_API double fender_field_get(const fender_field *field, const void *object, int component);
FENDER_API bool fender_field_set(const fender_field *field, void *object, int component, double value);
/* Fills an object of `size` bytes with the initial values and clears the bytes between fields. Returns ARGUMENT and
 * writes nothing if size is less than table->size. */
FENDER_API fender_status fender_field_initialize(const fender_field_table *table, void *object, size_t size,
                                                 fender_error *error);
/* Checks that every component is finite (infinity is valid with NONE_ALLOWED) and within its range. On failure returns
 * VALUE, with the name of the field in error->path. */
FENDER_API fender_status fender_field_check(const fender_field_table *table, const void *object, fender_error *error);

#endif
