/* Tables in an HDF5 file: a group for each, in it a dataset for each column, that grow while others read them (SWMR).
 * Every call may fail with FILE; where HDF5 is not built in, opening fails with NOT_BUILT and names the option. */
#ifndef FND_TABLES_HDF5_H
#define FND_TABLES_HDF5_H

#include <fender/base.h>

typedef struct fnd_store fnd_store; /* the file */
typedef struct fnd_sheet fnd_sheet; /* one table of it */

/* True if HDF5 is built in. */
bool fnd_store_is_built(void);
/* True if the file begins like HDF5. False for pipes, because reading would consume their data. */
bool fnd_hdf5_is(const char *file);
extern const struct fnd_table_format
    fnd_hdf5_format; /* tables/table.h; the tables of one file of its own or of several */

/* What the attributes of the file say; NULL: not known. */
typedef struct fnd_store_about {
    const char *format;           /* NULL: fender-recording */
    const char *title, *scenario; /* its text */
    const char *scenario_hash;
    const char *study, *study_hash; /* the text of the study that the rows are of */
} fnd_store_about;

/* Creates or empties the file; go_on: goes on with one that was written before, however its writer ended. NULL when it
 * fails. HDF5 takes memory of its own besides that of the allocator. */
fnd_store *fnd_store_open(const fender_allocator *allocator, const char *path, const fnd_store_about *about, bool go_on,
                          fender_error *error);
/* To be called when all sheets have their columns: from here on others may read. */
fender_status fnd_store_start(fnd_store *store, fender_error *error);
/* `hash`: of the world at the end, for the attribute of that name; NULL: not known. After its sheets; frees. */
fender_status fnd_store_close(fnd_store *store, const char *hash, fender_error *error);

/* rows < 0: a new group; else goes on behind that many rows of one that is there, with the same columns. */
fnd_sheet *fnd_sheet_open(fnd_store *store, const char *group, int64_t rows, fender_error *error);
int64_t fnd_sheet_rows_in_file(const fnd_sheet *sheet);
/* Writes what is left unless `failed`, and frees. */
fender_status fnd_sheet_close(fnd_sheet *sheet, bool failed, fender_error *error);

#endif
