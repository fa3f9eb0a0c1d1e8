/* Floating-point traps of a host. Lanes that are not used, comparisons with NaN and products that overflow raise
 * exceptions in healthy scenarios; a host that traps them would be killed by its own option. */
#ifndef FND_BASE_TRAPS_H
#define FND_BASE_TRAPS_H

#include <fenv.h>
#include <stdbool.h>

/* Takes the traps of this thread away. True: there were some, and fesetenv(host) gives them back, without the
 * exceptions raised in between. */
bool fnd_traps_hold(fenv_t *host);

#endif
