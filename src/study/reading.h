/* Shared by the readers of a study. */
#ifndef FND_STUDY_READING_H
#define FND_STUDY_READING_H

#include "scenario/tree.h"
#include "study/study.h"

/* The distribution of a variable from its map. */
bool fnd_study_read_distribution(fnd_reader *reader, fnd_variable *variable, fnd_node *node);
/* Named options, each any YAML or a file of it, into texts and settings. */
bool fnd_study_read_options(fnd_reader *reader, fnd_variable *variable, const fnd_node *options);
/* A list or map in one line, as a setting takes it. NULL: no memory. */
const char *fnd_study_flow_text(fnd_reader *reader, const fnd_node *node);
/* Rows of `design: {list: FILE}`, which give the number of runs. */
bool fnd_study_read_list(fnd_reader *reader, fender_study *study, const fnd_node *node);
/* `joint`: correlations, also those by covariance, which gives the deviations of its variables. */
void fnd_study_read_joint(fnd_reader *reader, fender_study *study, fnd_node *section);
/* Once the design is known: may it be correlated, and the shares of Latin hypercubes. */
void fnd_study_rank_joint(fnd_reader *reader, fender_study *study);
/* `stop`, once outcomes and design are known. */
void fnd_study_read_stop(fnd_reader *reader, fender_study *study, fnd_node *section);
/* `boundary`, likewise. */
void fnd_study_read_boundary(fnd_reader *reader, fender_study *study, fnd_node *section);
/* Adds files to those of the scenario at `path` that values of discrete variables name; env->report tells of those that
 * cannot be read. */
void fnd_study_read_files(fnd_reader *reader, fender_study *study, const fender_env *env, const char *path);
/* Conditions of kept values, by the names of the study's scenario, once it is loaded. */
void fnd_study_read_conditions(fnd_reader *reader, fender_study *study);
/* Once all else is known: loads the scenario and gives it the inputs of a run, and every variable's bounds. */
void fnd_study_try(fnd_reader *reader, fender_study *study, const char *path);
/* One number, in the unit of the variable. */
bool fnd_study_read_number(fnd_reader *reader, fnd_variable *variable, const fnd_node *node, const char *name,
                           double *value);

#endif
