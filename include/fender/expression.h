/* fender/expression.h - expressions as small programs in reverse Polish order, for laws and outcomes that a scenario
 * writes as formulas. A program is plain data: it is copied by value and evaluated without allocation. */
#ifndef FENDER_EXPRESSION_H
#define FENDER_EXPRESSION_H

#include "base.h"

/* Operations. The operands are taken from a stack, and the result is put in their place. True is 1, false 0. */
typedef enum fender_operation {
    FENDER_OP_NUMBER, /* puts `number` on the stack */
    FENDER_OP_SLOT,   /* puts the value of `slot` on the stack */
    FENDER_OP_NEGATE, /* from here on: of one operand */
    FENDER_OP_NOT,
    FENDER_OP_ABS,
    FENDER_OP_SQRT,
    FENDER_OP_SIN,
    FENDER_OP_COS,
    FENDER_OP_TAN,
    FENDER_OP_EXP,
    FENDER_OP_LOG,
    FENDER_OP_TANH,
    FENDER_OP_MIN, /* from here on: of two operands, the left one put first */
    FENDER_OP_MAX,
    FENDER_OP_ADD,
    FENDER_OP_SUBTRACT,
    FENDER_OP_MULTIPLY,
    FENDER_OP_DIVIDE,
    FENDER_OP_POWER, /* NaN for a negative base and an exponent that is no whole number */
    FENDER_OP_LESS,
    FENDER_OP_LESS_EQUAL,
    FENDER_OP_GREATER,
    FENDER_OP_GREATER_EQUAL,
    FENDER_OP_AND,
    FENDER_OP_OR,
    /* Made by fender_expression_shorten: of one operand x, or of none */
    FENDER_OP_PLUS_NUMBER,    /* x + number */
    FENDER_OP_TIMES_NUMBER,   /* x number */
    FENDER_OP_PLUS_SLOT,      /* x + value of slot */
    FENDER_OP_TIMES_SLOT,     /* x times the value of slot */
    FENDER_OP_HALVES,         /* x to the power slot / 2, by roots and products */
    FENDER_OP_SLOT_TIMES,     /* puts the value of slot times number on the stack */
    FENDER_OP_PLUS_SLOT_TIMES /* x + the value of slot times number */
} fender_operation;

typedef struct fender_instruction {
    int32_t operation; /* fender_operation */
    int32_t slot;
    double number;
} fender_instruction;

enum { FENDER_EXPRESSION_LIMIT = 256, FENDER_EXPRESSION_CAPACITY = 48 };

/* A program of fixed size, for the parameters of laws. */
typedef struct fender_expression {
    int count; /* 0: none */
    fender_instruction code[FENDER_EXPRESSION_CAPACITY];
} fender_expression;

/* False if the instructions are no program: 1 to FENDER_EXPRESSION_LIMIT instructions with known operations and slots
 * from 0 to slot_count - 1, which leave exactly one value on the stack. */
FENDER_API bool fender_expression_is_valid(const fender_instruction *code, int count, int slot_count);
/* The value of a valid program; 0 of an empty one. `slots` contains the values of its slots, in any units. The same
 * bits with every compiler and machine. May be called on any thread. */
FENDER_API double fender_expression_value(const fender_instruction *code, int count, const double *slots);
/* Replaces a slot of a valid program by a number. */
FENDER_API void fender_expression_bind(fender_instruction *code, int count, int slot, double number);
/* Rewrites a valid program in place with fewer instructions, and returns their number: operations on numbers alone
 * are carried out, and common pairs of operations become one. Values agree to a few roundings. */
FENDER_API int fender_expression_shorten(fender_instruction *code, int count);
/* True if a valid program reads the slot. */
FENDER_API bool fender_expression_reads(const fender_instruction *code, int count, int slot);
/* The exponent as a fraction in lowest terms whose denominator divides 60; false if it is none, or above 1000. */
FENDER_API bool fender_expression_exponent(double exponent, int *numerator, int *denominator);

#endif
