/* HDF5 as a library may use it: it prints nothing, and what fails becomes a fender_error. Not for builds without it. */
#ifndef FND_TEXT_HDF5_CALLS_H
#define FND_TEXT_HDF5_CALLS_H

#include <fender/base.h>

#include <hdf5.h>

/* Between begin and end the calls of this thread print no errors; what the host has set is put back. */
typedef struct fnd_hdf5_quiet {
    H5E_auto2_t print;
    void *data;
} fnd_hdf5_quiet;
fnd_hdf5_quiet fnd_hdf5_quiet_begin(void);
void fnd_hdf5_quiet_end(const fnd_hdf5_quiet *quiet);

/* Why a call has failed: the innermost of the reasons that HDF5 gives. */
typedef struct fnd_hdf5_reason {
    char text[200];
    int number; /* of the system; 0: none */
} fnd_hdf5_reason;
/* To be asked right after the call; keeps the first reason of several. */
void fnd_hdf5_find_reason(fnd_hdf5_reason *reason);
/* FILE (MEMORY where the system says so): "cannot <what> 'path'" and the reason. */
fender_status fnd_hdf5_fail(const fnd_hdf5_reason *reason, const char *what, const char *path, fender_error *error);

/* To be asked before all else: HDF5 ends a program that was built for another version of it. NOT_BUILT and false. */
bool fnd_hdf5_check_version(const char *path, fender_error *error);

/* Texts in UTF-8: of less than `size` bytes, ended by zero, or of any length (H5T_VARIABLE). To be closed. */
hid_t fnd_hdf5_text_type(size_t size);

#endif
