/* `hazard_field` of a grid: generated terrain. */
#ifndef FND_SCENARIO_HAZARD_FIELD_H
#define FND_SCENARIO_HAZARD_FIELD_H

#include "scenario/value.h"

/* The grid with its heights in the scenario's memory; false after a finding. */
bool fnd_read_hazard_field(fnd_reader *reader, fnd_node *node, fender_grid_def *grid);

#endif
