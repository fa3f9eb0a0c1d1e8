/* Co-simulation FMUs of FMI 2.0 and 3.0 as controllers. */
#ifndef FND_FMI_IMPORT_H
#define FND_FMI_IMPORT_H

#include <fender/controller.h>

/* An FMU that was read, unpacked into a private folder and loaded; any number of instances, also on several threads. */
typedef struct fnd_fmu_import fnd_fmu_import;

/* `name` is for messages; the bytes are those of the archive. NULL on failure: PARSE if archive or description are not
 * as FMI demands; NOT_BUILT if the FMU has no co-simulation, no binary for this machine, or no readers are built in;
 * FILE if it cannot be unpacked or loaded. Its code is executed. */
fnd_fmu_import *fnd_fmu_import_open(const fender_env *env, const char *name, const void *bytes, size_t length,
                                    fender_error *error);
/* After all its controllers were destroyed. Removes the folder. Accepts NULL. */
void fnd_fmu_import_close(fnd_fmu_import *import);
/* The controller; its setup has the import as `user`. Inputs, outputs and parameters are variables of the FMU with
 * these names. An update is one communication step that ends at the time of the sample, with the inputs of the sample;
 * the FMU starts one period before the first. State is saved if the FMU can serialise it. */
const fender_controller *fnd_fmu_import_controller(void);
/* The first warning of a controller, once; NULL before and afterwards. */
const char *fnd_fmu_import_warning(void *state);

#endif
