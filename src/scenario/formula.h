/* Formulas of laws and loads: the quantities and constants that they name, checked by dimension and compiled. */
#ifndef FND_SCENARIO_FORMULA_H
#define FND_SCENARIO_FORMULA_H

#include "scenario/expression.h"
#include "scenario/scenario.h"

enum { FND_FORMULA_CONSTANT_LIMIT = 32, FND_FORMULA_SLOT_LIMIT = 16 };

/* A quantity that changes in a run. */
typedef struct fnd_formula_slot {
    const char *name, *unit;
} fnd_formula_slot;

/* What is common to the formulas of one kind. */
typedef struct fnd_formula_kind {
    fnd_expression_style style;
    const fnd_formula_slot *slots;
    int slot_count;      /* that have a meaning, also those which this formula may not read */
    int readable;        /* the first of them */
    const char *of;      /* "laws": the expressions of laws */
    const char *what;    /* "a quantity of the contact" */
    const char *hidden;  /* of the others: "known to friction alone" */
    const char *example; /* a condition in brackets, "(not depth > l)" */
    bool reads;          /* channels of the state of bodies and points */
} fnd_formula_kind;

/* What a formula must give. */
typedef struct fnd_formula_result {
    const char *unit;
    const char *wrong;    /* "a force": it gives something else */
    const char *expected; /* "a force [N]" */
    const char *remedy;
} fnd_formula_result;

/* Slots of the kind come first, then the channels that the formula reads, then the constants. */
typedef struct fnd_formula {
    fnd_reader *reader;
    const fnd_formula_kind *kind;
    fnd_quantity values[FND_FORMULA_SLOT_LIMIT + FENDER_LOAD_READING_CAPACITY + FND_FORMULA_CONSTANT_LIMIT];
    fnd_reading_description readings[FENDER_LOAD_READING_CAPACITY];
    int reading_count;
    const fnd_node *constants[FND_FORMULA_CONSTANT_LIMIT];
    bool used[FND_FORMULA_CONSTANT_LIMIT];
    int constant_count;
} fnd_formula;

/* Reads the map of constants (NULL: none). False after a diagnostic. */
bool fnd_formula_begin(fnd_reader *reader, const fnd_formula_kind *kind, const fnd_node *constants,
                       fnd_formula *formula);
/* Compiles the text of a node: constants become numbers. NULL after a diagnostic. */
fender_instruction *fnd_formula_compile(fnd_formula *formula, const fnd_node *node, const fnd_formula_result *result,
                                        int *count);
/* True if the name begins with a section of channels. */
bool fnd_formula_names_channel(const char *name);
/* The slot of a channel; -1 after a diagnostic. */
int fnd_formula_find_channel(fnd_formula *formula, const char *name, const fnd_location *location);
/* Warns of constants that no formula has used. */
void fnd_formula_end(const fnd_formula *formula);

#endif
