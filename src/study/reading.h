/* What the files that read a study share. */
#ifndef FND_STUDY_READING_H
#define FND_STUDY_READING_H

#include "scenario/tree.h"
#include "study/study.h"

/* The distribution of a variable from its map. */
bool fnd_study_read_distribution(fnd_reader *reader, fnd_variable *variable, fnd_node *node);

#endif
