/* Tables in HDF5 files: what their names are, and what a build without HDF5 answers. */
#include "record/store.h"

#include "text/fault.h"

#include <string.h>

bool fnd_store_fits_name(const char *name)
{
    size_t length = strlen(name);
    return (length > 3 && strcmp(name + length - 3, ".h5") == 0) ||
           (length > 5 && strcmp(name + length - 5, ".hdf5") == 0);
}

#ifndef FENDER_WITH_HDF5

bool fnd_store_is_built(void) { return false; }

fnd_store *fnd_store_open(const fender_allocator *allocator, const char *path, const fnd_store_about *about, bool go_on,
                          fender_error *error)
{
    (void)allocator, (void)about, (void)go_on;
    fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_NOT_BUILT,
                                      .source = path,
                                      .message = "this fender is built without HDF5",
                                      .found = "an HDF5 file",
                                      .expected = "a .csv or .trk file, or a build with HDF5",
                                      .suggestion = "build with -DFENDER_WITH_HDF5=ON (Debian: libhdf5-dev), or write "
                                                    "a .csv file"});
    return NULL;
}

/* There is no store to call them with. */
fender_status fnd_store_start(fnd_store *store, fender_error *error)
{
    (void)store, (void)error;
    return FENDER_STATUS_NOT_BUILT;
}

fender_status fnd_store_close(fnd_store *store, const char *hash, fender_error *error)
{
    (void)store, (void)hash, (void)error;
    return FENDER_STATUS_OK;
}

fnd_sheet *fnd_sheet_open(fnd_store *store, const char *group, int64_t rows, fender_error *error)
{
    (void)store, (void)group, (void)rows, (void)error;
    return NULL;
}

fender_status fnd_sheet_head(fnd_sheet *sheet, const char *name, const char *unit, size_t text_size,
                             fender_error *error)
{
    (void)sheet, (void)name, (void)unit, (void)text_size, (void)error;
    return FENDER_STATUS_NOT_BUILT;
}

void fnd_sheet_number(fnd_sheet *sheet, double value) { (void)sheet, (void)value; }
void fnd_sheet_text(fnd_sheet *sheet, const char *text) { (void)sheet, (void)text; }

fender_status fnd_sheet_end_row(fnd_sheet *sheet, fender_error *error)
{
    (void)sheet, (void)error;
    return FENDER_STATUS_NOT_BUILT;
}

fender_status fnd_sheet_flush(fnd_sheet *sheet, bool sync, fender_error *error)
{
    (void)sheet, (void)sync, (void)error;
    return FENDER_STATUS_NOT_BUILT;
}

int64_t fnd_sheet_rows_in_file(const fnd_sheet *sheet)
{
    (void)sheet;
    return 0;
}

fender_status fnd_sheet_close(fnd_sheet *sheet, bool failed, fender_error *error)
{
    (void)sheet, (void)failed, (void)error;
    return FENDER_STATUS_OK;
}

#endif
