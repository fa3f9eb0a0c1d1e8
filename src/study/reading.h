/* Shared by the readers of a study. */
#ifndef FND_STUDY_READING_H
#define FND_STUDY_READING_H

#include "scenario/tree.h"
#include "study/study.h"

/* Numbers of a list, perhaps with a unit as last element, in the unit of the variable, which the first unit becomes. */
bool fnd_study_read_numbers(fnd_reader *reader, fnd_variable *variable, const fnd_node *node, const char *form,
                            int count, double *values);
/* The distribution of a variable from its map. */
bool fnd_study_read_distribution(fnd_reader *reader, fnd_variable *variable, fnd_node *node);
/* The numbers of `design: {list: FILE}`. */
bool fnd_study_read_list(fnd_reader *reader, fender_study *study, const fnd_node *node);

#endif
