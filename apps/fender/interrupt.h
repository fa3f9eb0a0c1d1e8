/* Signals: Ctrl-C ends a run at an accepted step, a second one kills; full disks and closed pipes become errors. */
#ifndef FND_APP_INTERRUPT_H
#define FND_APP_INTERRUPT_H

#include <fender/io.h>

/* Ignores the signals that would kill instead of letting a write fail. */
void fnd_app_interrupt_prepare(void);
/* While a run is watched, SIGINT and SIGTERM cancel it; the next one of either does what it does by default. Signals
 * that were ignored when the program started stay ignored. */
void fnd_app_interrupt_watch(fender_run *run);
void fnd_app_interrupt_end(void);
bool fnd_app_interrupt_is_broken_pipe(int number);

#endif
