/* Where a table of a run goes: a file of its directory, or a group of an HDF5 file there. */
#ifndef FND_RUN_TABLE_PLACE_H
#define FND_RUN_TABLE_PLACE_H

#include "tables/table.h"

typedef struct fnd_table_place {
    const fender_env *env;
    const char *directory;
    const char *name; /* of the file, or of the group */
    fnd_store *store; /* NULL: a file of its own */
} fnd_table_place;

/* As fnd_table_open. */
fender_status fnd_table_open_at(fnd_table *table, const fnd_table_place *place, size_t row_size,
                                const fnd_table_mark *from, fender_error *error);

#endif
