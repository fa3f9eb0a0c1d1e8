/* Field tables: reading, writing, initial values and checks of described structs. */
#include <fender/field.h>

#include "base/error.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const fender_field *fender_field_at(const fender_field_table *table, int index)
{
    if (!table || index < 0 || index >= table->count) return NULL;
    /* the author's stride, so that a table of an older struct can be read */
    return (const fender_field *)(const void *)((const char *)table->fields + (size_t)index * table->field_size);
}

const fender_field *fender_field_find(const fender_field_table *table, const char *name)
{
    for (int i = 0; table && name && i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        if (strcmp(field->name, name) == 0) return field;
    }
    return NULL;
}

int fender_field_component_count(const fender_field *field)
{
    if (!field) return 0;
    switch (field->type) {
    case FENDER_FIELD_VEC2: return 2;
    case FENDER_FIELD_VEC3: return 3;
    case FENDER_FIELD_QUATERNION: return 4;
    case FENDER_FIELD_MATRIX3: return 9;
    case FENDER_FIELD_BOOL:
    case FENDER_FIELD_INT:
    case FENDER_FIELD_REAL:
    case FENDER_FIELD_ENUM: return 1;
    }
    return 1;
}

const char *fender_field_component_name(const fender_field *field, int component)
{
    static const char *const vector[] = {".x", ".y", ".z"};
    static const char *const quaternion[] = {".w", ".x", ".y", ".z"};
    static const char *const matrix[] = {"[0][0]", "[0][1]", "[0][2]", "[1][0]", "[1][1]",
                                         "[1][2]", "[2][0]", "[2][1]", "[2][2]"};
    if (component < 0 || component >= fender_field_component_count(field)) return "";
    switch (field->type) {
    case FENDER_FIELD_VEC2:
    case FENDER_FIELD_VEC3: return vector[component];
    case FENDER_FIELD_QUATERNION: return quaternion[component];
    case FENDER_FIELD_MATRIX3: return matrix[component];
    case FENDER_FIELD_BOOL:
    case FENDER_FIELD_INT:
    case FENDER_FIELD_REAL:
    case FENDER_FIELD_ENUM: break;
    }
    return "";
}

/* A field that is not found is NULL: a misspelt name, most of all. */
static bool has_component(const fender_field *field, const void *object, int component)
{
    return field && object && component >= 0 && component < fender_field_component_count(field);
}

double fender_field_get(const fender_field *field, const void *object, int component)
{
    if (!has_component(field, object, component)) return NAN;
    const char *at = (const char *)object + field->offset;
    if (field->type == FENDER_FIELD_BOOL) {
        bool value;
        memcpy(&value, at, sizeof value);
        return value ? 1.0 : 0.0;
    }
    if (field->type == FENDER_FIELD_INT || field->type == FENDER_FIELD_ENUM) {
        int value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    double value;
    memcpy(&value, at + (size_t)component * sizeof value, sizeof value);
    return value;
}

bool fender_field_set(const fender_field *field, void *object, int component, double value)
{
    if (!has_component(field, object, component)) return false;
    char *at = (char *)object + field->offset;
    if (field->type == FENDER_FIELD_BOOL) {
        bool whole = value != 0.0;
        memcpy(at, &whole, sizeof whole);
    } else if (field->type == FENDER_FIELD_INT || field->type == FENDER_FIELD_ENUM) {
        int whole = (int)value;
        memcpy(at, &whole, sizeof whole);
    } else {
        memcpy(at + (size_t)component * sizeof value, &value, sizeof value);
    }
    return true;
}

fender_status fender_field_initialize(const fender_field_table *table, void *object, size_t size, fender_error *error)
{
    if (!table || !object)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "", "the table or the object is missing", "NULL", "both", "");
    if (size < table->size) {
        char found[40], expected[80];
        snprintf(found, sizeof found, "%zu bytes", size);
        snprintf(expected, sizeof expected, "%zu bytes for a %.40s", table->size, table->type_name);
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "size", "the object is smaller than the struct of its table",
                        found, expected, "provide table->size bytes");
    }
    memset(object, 0, table->size);
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        for (int c = 0; c < fender_field_component_count(field); c++)
            fender_field_set(field, object, c, field->initial);
    }
    return FENDER_STATUS_OK;
}

static fender_status refuse(fender_error *error, const fender_field_table *table, const fender_field *field,
                            double value, const char *problem)
{
    assert(table && field && problem);
    char message[160], expected[200];
    snprintf(message, sizeof message, "'%s' of %s %s", field->name, table->type_name, problem);
    const char *unit = strcmp(field->unit, "1") == 0 ? "" : field->unit;
    bool lower = isfinite(field->minimum), upper = isfinite(field->maximum);
    const char *strict = (field->flags & FENDER_FIELD_ABOVE_MINIMUM) ? "above" : "at least";
    if (lower && upper)
        snprintf(expected, sizeof expected, "%s %s and at most %s %s", strict, fnd_number(field->minimum).text,
                 fnd_number(field->maximum).text, unit);
    else if (lower) snprintf(expected, sizeof expected, "%s %s %s", strict, fnd_number(field->minimum).text, unit);
    else if (upper) snprintf(expected, sizeof expected, "at most %s %s", fnd_number(field->maximum).text, unit);
    else snprintf(expected, sizeof expected, "a finite number");
    return fnd_fail(error, FENDER_STATUS_VALUE, field->name, message, fnd_number(value).text, expected, "");
}

fender_status fender_field_check(const fender_field_table *table, const void *object, fender_error *error)
{
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        for (int c = 0; c < fender_field_component_count(field); c++) {
            double value = fender_field_get(field, object, c);
            bool no_limit = (field->flags & FENDER_FIELD_NONE_ALLOWED) && isinf(value);
            if (!isfinite(value) && !no_limit) return refuse(error, table, field, value, "is not finite");
            bool below = (field->flags & FENDER_FIELD_ABOVE_MINIMUM) ? value <= field->minimum : value < field->minimum;
            if (below) return refuse(error, table, field, value, "is too small");
            if (value > field->maximum && !no_limit) return refuse(error, table, field, value, "is too large");
        }
        if (field->type == FENDER_FIELD_ENUM) {
            int choice = (int)fender_field_get(field, object, 0), count = 0;
            while (field->choices && field->choices[count]) count++;
            if (choice < 0 || choice >= count) return refuse(error, table, field, choice, "is not one of the choices");
        }
    }
    return FENDER_STATUS_OK;
}
