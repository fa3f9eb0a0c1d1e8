/* Parameters of a law by the law's own table of fields. */
#ifndef FND_SCENARIO_PARAMETERS_H
#define FND_SCENARIO_PARAMETERS_H

#include "scenario/value.h"

/* What is read. */
typedef struct fnd_parameter_set {
    const char *law, *topic; /* `fender info TOPIC LAW` lists them */
    const fender_field_table *table;
    const char *const *keys;       /* keys of the map that are no parameters, NULL-ended */
    const fender_law *contact_law; /* whose parameters may be derived; NULL: none */
    fender_status (*check)(const void *parameters, fender_error *error); /* or NULL */
} fnd_parameter_set;

/* False after a finding; node: what the value came from. */
bool fnd_check_range(fnd_reader *reader, const fnd_node *node, const fender_field *field, const char *unit,
                     double value);
/* In arena memory; NULL when there is none. What is wrong is in the findings. */
void *fnd_read_parameters(fnd_reader *reader, fnd_node *node, const fnd_parameter_set *set);

#endif
