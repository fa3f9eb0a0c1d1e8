/* HDF5 kept quiet, its errors as ours. */
#ifdef FENDER_WITH_HDF5

#include "text/hdf5_calls.h"

#include "text/fault.h"
#include "text/system_error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fnd_hdf5_quiet fnd_hdf5_quiet_begin(void)
{
    fnd_hdf5_quiet quiet = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void fnd_hdf5_quiet_end(const fnd_hdf5_quiet *quiet) { H5Eset_auto2(H5E_DEFAULT, quiet->print, quiet->data); }

static herr_t take_reason(unsigned index, const H5E_error2_t *of, void *to)
{
    fnd_hdf5_reason *reason = to;
    static const char mark[] = "errno = ";
    if (!of->desc) return 0;
    const char *number = strstr(of->desc, mark);
    if (index == 0) snprintf(reason->text, sizeof reason->text, "%s", of->desc);
    if (number && reason->number == 0) reason->number = (int)strtol(number + sizeof mark - 1, NULL, 10);
    return 0;
}

void fnd_hdf5_find_reason(fnd_hdf5_reason *reason)
{
    if (reason->text[0] || reason->number) return;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, reason);
    if (!reason->text[0]) snprintf(reason->text, sizeof reason->text, "HDF5 gives no reason");
}

fender_status fnd_hdf5_fail(const fnd_hdf5_reason *reason, const char *what, const char *path, fender_error *error)
{
    char message[320], excerpt[120];
    if (reason->number) return fnd_system_fail(error, what, path, reason->number);
    if (strstr(reason->text, "memory allocation failed")) return fnd_system_fail(error, what, path, ENOMEM);
    fnd_io_excerpt(excerpt, sizeof excerpt, path, strlen(path));
    snprintf(message, sizeof message, "cannot %s '%s' as HDF5", what, excerpt);
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_FILE,
                                             .source = path,
                                             .message = message,
                                             .found = reason->text,
                                             .expected = "an HDF5 file that is whole and that nobody else is writing",
                                             .suggestion = "h5dump -H FILE tells what it holds"});
}

bool fnd_hdf5_check_version(const char *path, fender_error *error)
{
    unsigned major = 0, minor = 0, release = 0;
    char found[40], expected[40];
    /* HDF5 (1.10) goes on at the end of a program with files that could not be closed, as on a full disk, and falls
     * over them. It hears this before its first other call alone. */
    if (H5dont_atexit() < 0) H5Eclear2(H5E_DEFAULT);
    if (H5get_libversion(&major, &minor, &release) >= 0 && major == H5_VERS_MAJOR && minor == H5_VERS_MINOR &&
        release == H5_VERS_RELEASE)
        return true;
    snprintf(found, sizeof found, "HDF5 %u.%u.%u", major, minor, release);
    snprintf(expected, sizeof expected, "HDF5 %d.%d.%d", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_NOT_BUILT,
                                      .source = path,
                                      .message = "this fender was built for another version of HDF5",
                                      .found = found,
                                      .expected = expected,
                                      .suggestion = "build fender again"});
    return false;
}

hid_t fnd_hdf5_text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

#else

typedef int fnd_hdf5_is_not_built;

#endif
