/* Expressions: "$gap / 2 + 3 mm" where a value stands, "tilt > 30 [deg] and not slid" in a study. */
#ifndef FND_SCENARIO_EXPRESSION_H
#define FND_SCENARIO_EXPRESSION_H

#include "scenario/value.h"
#include <fender/expression.h>

enum { FND_EXPRESSION_CODE_LIMIT = FENDER_EXPRESSION_LIMIT, FND_EXPRESSION_DEPTH_LIMIT = 64 };

/* A number in SI with its dimension. */
typedef struct fnd_quantity {
    double value;
    int32_t exponent[FENDER_DIMENSION_COUNT];
    bool unknown; /* its value changes in a run: the dimension alone is known */
    bool free;    /* its dimension is not known either (exponents 0), and agrees with any */
} fnd_quantity;
/* An instruction with what its text says of it. */
typedef struct fnd_operator {
    int operation; /* fender_operation */
    int slot;
    double number;
    int32_t exponent[FENDER_DIMENSION_COUNT]; /* of a number */
    int at;                                   /* byte of the text */
} fnd_operator;

/* VALUE: names begin with '$', units stand behind numbers: "2 * $a + 3 mm". LOGICAL: names are words, units stand in
 * brackets, comparisons and logic are allowed: "a > 3 [mm] and not b". LAW: the same, and places are parts of the text.
 * LOAD: the same, and names have parts: "-k * position.x". */
typedef enum fnd_expression_style {
    FND_EXPRESSION_VALUE,
    FND_EXPRESSION_LOGICAL,
    FND_EXPRESSION_LAW,
    FND_EXPRESSION_LOAD
} fnd_expression_style;

typedef struct fnd_expression_def {
    fnd_expression_style style;
    const fnd_node *node; /* its text is read */
    /* The slot of a name, whose length in the text it returns in *length; -1 after a diagnostic at the place. */
    int (*find)(void *ctx, const char *name, size_t *length, const fnd_location *location);
    void *ctx;
} fnd_expression_def;

/* An expression in reverse Polish order. Terminated by its count. False after a diagnostic. */
bool fnd_expression_read(fnd_reader *reader, const fnd_expression_def *def, fnd_operator **code, int *count);
/* The same without dimensions, to be evaluated by fender_expression_value. NULL: no memory. */
fender_instruction *fnd_expression_instructions(fnd_reader *reader, const fnd_operator *code, int count);
/* Its value, with dimensions checked; that of unknown slots is not looked at. LOGICAL: numbers without a unit are free,
 * and so is what is computed from what is free. False after a diagnostic at the part that is wrong. */
bool fnd_expression_quantity(fnd_reader *reader, const fnd_expression_def *def, const fnd_operator *code, int count,
                             const fnd_quantity *slots, fnd_quantity *result);
/* A number with a unit perhaps, in SI; false if the text is none. *unit: it has one. */
bool fnd_quantity_parse(const char *text, fnd_quantity *quantity, bool *unit);
/* A part of the node's text as a place: the whole node if its text is not written as it is read (with escapes). */
fnd_location fnd_expression_location(const fnd_node *node, size_t at, size_t length);

#endif
