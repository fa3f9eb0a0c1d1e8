/* An FMU does not contain other FMUs: what the run would import them by is left out of the binary, with its libraries.
 */
#include "fmi/import.h"

#include "support/io_error.h"

fnd_fmu_import *fnd_fmu_import_open(const fender_env *env, const char *name, const void *bytes, size_t length,
                                    fender_error *error)
{
    (void)env, (void)bytes, (void)length;
    FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .source = name,
                .message = "an FMU cannot contain another FMU", .expected = "controllers that are built in");
    return NULL;
}

void fnd_fmu_import_close(fnd_fmu_import *import) { (void)import; }

const fender_controller *fnd_fmu_import_controller(void) { return NULL; }
const char *fnd_fmu_import_warning(void *state)
{
    (void)state;
    return NULL;
}
