/* Names that another program has for our channels. */
#ifndef FND_ANALYSIS_ALIAS_H
#define FND_ANALYSIS_ALIAS_H

#include <fender/comparison.h>

/* The channel that a variable of the program stands for: the `number`-th name that it may have, as the vehicle of a
 * simulation may be named in two ways. *factor: our value times this is that of the variable. False: there is none. */
bool fnd_alias_channel(const char *program, const char *variable, int number, char *channel, size_t size,
                       double *factor);

#endif
