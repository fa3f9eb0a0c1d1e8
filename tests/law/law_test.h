/* A law by itself: parameters by name, one call, no world. */
#ifndef TEST_LAW_TEST_H
#define TEST_LAW_TEST_H

#include "check.h"
#include <string.h>

typedef struct lone_law {
    const fender_law *law;
    union {
        double align;
        char bytes[2048];
    } parameters;
} lone_law;

static inline lone_law law_named(const char *name)
{
    lone_law l;
    memset(&l, 0, sizeof l);
    l.law = fender_law_find(NULL, name);
    assert_non_null(l.law);
    assert_true(l.law->parameters.size <= sizeof l.parameters.bytes);
    (void)fender_field_initialize(&l.law->parameters, l.parameters.bytes, sizeof l.parameters.bytes, NULL);
    return l;
}

static inline void law_set(lone_law *l, const char *name, double value)
{
    const fender_field *field = fender_field_find(&l->law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, l->parameters.bytes, 0, value);
}

static inline fender_contact_output law_call(const lone_law *l, const fender_contact_input *in)
{
    fender_contact_output out;
    memset(&out, 0, sizeof out);
    l->law->force(l->parameters.bytes, in, NULL, &out);
    return out;
}

static inline double law_energy(const lone_law *l, const fender_contact_input *in)
{
    return l->law->stored_energy(l->parameters.bytes, in, NULL);
}

#endif
