/* The variables of an exported FMU: what the exporter describes is what the FMU reads and sets. */
#ifndef FND_FMI_MODEL_H
#define FND_FMI_MODEL_H

#include <fender/command.h>
#include <fender/io.h>

#include "scenario/scenario.h"
#include "support/memory.h"

/* In this order; the value reference of a variable is its index. */
typedef enum fnd_fmi_role {
    FND_FMI_TIME,
    FND_FMI_PARAMETER,
    FND_FMI_INPUT,
    FND_FMI_OUTPUT,
    FND_FMI_STATE, /* from here on for model exchange alone */
    FND_FMI_DERIVATIVE,
    FND_FMI_INDICATOR,
    FND_FMI_ROLE_COUNT
} fnd_fmi_role;

typedef struct fnd_fmi_variable {
    const char *name, *doc;
    const char *unit; /* in SI; "" without unit, or with one that FMI cannot say */
    fnd_fmi_role role;
    double start; /* PARAMETER and INPUT */
} fnd_fmi_variable;

/* Two shapes that may touch; their distance is an event indicator. */
typedef struct fnd_fmi_pair {
    int a, b; /* indices of the shapes */
} fnd_fmi_pair;

typedef struct fnd_fmi_model {
    const fender_scenario *scenario;
    fnd_fmi_variable *variables;
    int count;
    int first[FND_FMI_ROLE_COUNT + 1]; /* index of the first variable of each role */
    fender_command *inputs;            /* of the run that was bound last */
    fender_channel *outputs;
    const char **output_paths, **input_paths;        /* one number each */
    const char **parameter_paths, **parameter_units; /* as --set takes them; units "" for plain numbers */
    fnd_fmi_pair *pairs;
    bool exchange;           /* model exchange is offered */
    const char *no_exchange; /* why it is not */
} fnd_fmi_model;

static inline int fnd_fmi_count(const fnd_fmi_model *model, fnd_fmi_role role)
{
    return model->first[role + 1] - model->first[role];
}

/* Everything lies in the arena. Names, units and start values are those of the scenario as it stands. The run is
 * one of that scenario, so that its section `fmu` has been checked. */
fender_status fnd_fmi_model_create(fnd_fmi_model *model, fnd_arena *arena, const fender_scenario *scenario,
                                   fender_run *run, fender_error *error);
/* Finds inputs and outputs in another run of the same scenario. A run keeps what they need of the time since its start
 * if it has not begun. */
fender_status fnd_fmi_model_bind(fnd_fmi_model *model, fender_run *run, fender_error *error);

/* Exponents of kg, m, s, A, K, rad as FMI takes them: whole numbers of a unit in SI. False: it cannot say this unit. */
bool fnd_fmi_unit_exponents(const char *unit, int exponents[6]);

/* Identifies scenario and version: the instantiation token. */
enum { FND_FMI_TOKEN_SIZE = 48 };
void fnd_fmi_token(uint64_t bundle_hash, char token[FND_FMI_TOKEN_SIZE]);

#endif
