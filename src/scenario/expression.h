/* Expressions: "$gap / 2 + 3 mm" where a value stands, "tilt > 30 [deg] and not slid" in a study. */
#ifndef FND_SCENARIO_EXPRESSION_H
#define FND_SCENARIO_EXPRESSION_H

#include "scenario/value.h"

enum { FND_EXPRESSION_CODE_LIMIT = 256, FND_EXPRESSION_DEPTH_LIMIT = 64 };

enum {
    FND_NUMBER,
    FND_SLOT,
    FND_NEGATE,
    FND_NOT,
    FND_ABS,
    FND_SQRT,
    FND_SIN,
    FND_COS,
    FND_TAN,
    FND_MIN, /* from here on: of two operands */
    FND_MAX,
    FND_ADD,
    FND_SUBTRACT,
    FND_MULTIPLY,
    FND_DIVIDE,
    FND_POWER,
    FND_LESS,
    FND_LESS_EQUAL,
    FND_GREATER,
    FND_GREATER_EQUAL,
    FND_AND,
    FND_OR
};
/* A number in SI with its dimension. */
typedef struct fnd_quantity {
    double value;
    int32_t exponent[FENDER_DIMENSION_COUNT];
} fnd_quantity;
typedef struct fnd_operator {
    int code;
    int slot;
    double number;
    int32_t exponent[FENDER_DIMENSION_COUNT]; /* of a number */
    int at;                                   /* byte of the text */
} fnd_operator;

/* VALUE: names begin with '$', units stand behind numbers: "2 * $a + 3 mm". LOGICAL: names are words, units stand in
 * brackets, comparisons and logic are allowed: "a > 3 [mm] and not b". */
typedef enum fnd_expression_style { FND_EXPRESSION_VALUE, FND_EXPRESSION_LOGICAL } fnd_expression_style;

typedef struct fnd_expression_def {
    fnd_expression_style style;
    const fnd_node *node; /* its text is read */
    /* The slot of a name, whose length in the text it returns in *length; -1 after a diagnostic at the place. */
    int (*find)(void *ctx, const char *name, size_t *length, const fnd_location *location);
    void *ctx;
} fnd_expression_def;

/* An expression in reverse Polish order. Terminated by its count. False after a diagnostic. */
bool fnd_expression_read(fnd_reader *reader, const fnd_expression_def *def, fnd_operator **code, int *count);
/* Its value from those of the slots, without regard to dimensions: true is 1, false 0. */
double fnd_expression_value(const fnd_operator *code, int count, const double *slots);
/* Its value, with dimensions checked. False after a diagnostic at the part that is wrong. */
bool fnd_expression_quantity(fnd_reader *reader, const fnd_node *node, const fnd_operator *code, int count,
                             const fnd_quantity *slots, fnd_quantity *result);
/* A part of the node's text as a place: the whole node if its text is not written as it is read (in quotes). */
fnd_location fnd_expression_location(const fnd_node *node, size_t at, size_t length);

#endif
