/* A failed system call on a file as a fender_error. */
#ifndef FND_TEXT_SYSTEM_ERROR_H
#define FND_TEXT_SYSTEM_ERROR_H

#include <fender/base.h>

/* FILE, or MEMORY when the system has none: "cannot <what> 'name'", with the system's reason for `number` (an errno)
 * and a remedy. */
fender_status fnd_system_fail(fender_error *error, const char *what, const char *name, int number);

#endif
