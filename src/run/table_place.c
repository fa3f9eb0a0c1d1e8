/* Opening of the tables of a run. */
#include "run/table_place.h"

#include "run/directory.h"
#include "text/fault.h"

fender_status fnd_table_open_at(fnd_table *table, const fnd_table_place *place, size_t row_size,
                                const fnd_table_mark *from, fender_error *error)
{
    if (place->store) return fnd_table_open_in(table, place->store, place->name, from, error);
    const fender_allocator *allocator = &place->env->allocator;
    size_t size;
    char *path = fnd_directory_path(allocator, place->directory, place->name, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    fender_status status = fnd_table_open(table, allocator, path, row_size, from, error);
    allocator->release(allocator->ctx, path, size);
    return status;
}
