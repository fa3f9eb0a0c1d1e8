/* libyaml's complaints in our words. */
#ifndef FND_SCENARIO_SYNTAX_H
#define FND_SCENARIO_SYNTAX_H

#include <yaml.h>

#include "scenario/source.h"

/* Adds the finding for a parser that has stopped with an error. */
void fnd_syntax_report(fnd_reader *reader, const fnd_source *source, const yaml_parser_t *parser);

#endif
