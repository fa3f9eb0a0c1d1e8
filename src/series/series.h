/* Reading the files of recordings: a table of named numbers with units from each, whatever its format. */
#ifndef FND_SERIES_SERIES_H
#define FND_SERIES_SERIES_H

#include <fender/comparison.h>

#include "text/arena.h"

/* A file as a format sees it. */
typedef struct fnd_series_source {
    const char *file;
    const char *bytes;
    size_t length;
} fnd_series_source;

/* One format of files: a row of the table in format.c. */
typedef struct fnd_series_format {
    const char *name;
    bool (*fits)(const fnd_series_source *source); /* looks at the first bytes, or the name */
    /* Fills columns, row_count and cut; all memory is the arena's. The error names the file. */
    fender_status (*read)(const fnd_series_source *source, fnd_arena *arena, fender_recording_table *table,
                          fender_error *error);
} fnd_series_format;

extern const fnd_series_format fnd_series_trick, fnd_series_csv;

/* Does the file begin as HDF5 does? */
bool fnd_series_is_hdf5(const char *file);
/* The table of such a file with the number `part` from 0. *parts: how many there are. */
fender_status fnd_series_read_hdf5(const char *file, const char *time, int part, fnd_arena *arena,
                                   fender_recording_table *table, int *parts, fender_error *error);

/* Reads one file by the format that fits. `time`: name of the column of times; NULL: "time", "t", Trick's
 * sys.exec.out.time, else the first. PARSE when no column, or that one, holds numbers. */
fender_status fnd_series_read(const fender_allocator *allocator, const char *file, const char *time, fnd_arena *arena,
                              fender_recording_table *table, fender_error *error);
/* The same of a file of several tables: the one with the number `part` from 0. *parts: how many there are. */
fender_status fnd_series_read_part(const fender_allocator *allocator, const char *file, const char *time, int part,
                                   fnd_arena *arena, fender_recording_table *table, int *parts, fender_error *error);

/* Takes "name [unit]", "name {unit}" or "name (unit)" apart into a column. False when there is no memory. */
bool fnd_series_name_column(fnd_arena *arena, const char *text, size_t length, fender_recording_column *column);
/* The unit in the spelling of this library: Trick's "--" is none, its "d" a degree, its "r" a radian. */
const char *fnd_series_trick_unit(const char *unit);

/* VALUE unless the table has times that are finite and never go back. */
fender_status fnd_series_check_times(const fender_recording_table *table, fender_error *error);
/* What `name` is called by a map of a comparison; false when the map's left side does not fit it, or the text does not.
 */
bool fnd_map_name(const char *map, const char *name, char *to, size_t size);
/* Value of the column at `time`, that of the k-th row of that very time, else between its neighbours; false outside. */
bool fnd_series_value_at(const double *times, const double *values, size_t count, double slop, double time, size_t k,
                         bool between, size_t *cursor, double *value);

#endif
