/* Recordings read back: tables of named numbers with units, whatever file they come from. */
#ifndef FND_SERIES_SERIES_H
#define FND_SERIES_SERIES_H

#include <fender/base.h>

#include "text/arena.h"

typedef struct fnd_series_column {
    const char *name;     /* without its unit */
    const char *unit;     /* as it is written; "" when none is stated, or it is a plain number */
    const double *values; /* one a row; NULL: the column holds words */
} fnd_series_column;

typedef struct fnd_series_table {
    const char *file;
    fnd_series_column *columns;
    int column_count;
    size_t row_count;
    int time; /* the column that holds it; -1: there is none */
    bool cut; /* the last row was not whole and is left out */
} fnd_series_table;

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
    fender_status (*read)(const fnd_series_source *source, fnd_arena *arena, fnd_series_table *table,
                          fender_error *error);
} fnd_series_format;

extern const fnd_series_format fnd_series_trick, fnd_series_csv;

/* Does the file begin as HDF5 does? */
bool fnd_series_is_hdf5(const char *file);
/* The table of such a file with the number `part` from 0. *parts: how many there are. */
fender_status fnd_series_read_hdf5(const char *file, const char *time, int part, fnd_arena *arena,
                                   fnd_series_table *table, int *parts, fender_error *error);

/* Reads one file by the format that fits. `time`: name of the column of times; NULL: "time", "t", Trick's
 * sys.exec.out.time, else the first. PARSE when no column, or that one, holds numbers. */
fender_status fnd_series_read(const fender_allocator *allocator, const char *file, const char *time, fnd_arena *arena,
                              fnd_series_table *table, fender_error *error);
/* The same of a file of several tables: the one with the number `part` from 0. *parts: how many there are. */
fender_status fnd_series_read_part(const fender_allocator *allocator, const char *file, const char *time, int part,
                                   fnd_arena *arena, fnd_series_table *table, int *parts, fender_error *error);

/* Takes "name [unit]", "name {unit}" or "name (unit)" apart into a column. False when there is no memory. */
bool fnd_series_name_column(fnd_arena *arena, const char *text, size_t length, fnd_series_column *column);
/* The unit in the spelling of this library: Trick's "--" is none, its "d" a degree, its "r" a radian. */
const char *fnd_series_trick_unit(const char *unit);

/* ---- recordings: one file, or all tables of a run directory */

typedef struct fnd_series_channel {
    const char *name;
    const char *unit;
    const fnd_series_table *table;
    int column;
} fnd_series_channel;

typedef struct fnd_recorded {
    fnd_arena arena;
    const char *name; /* as the user gave it */
    fnd_series_table *tables;
    int table_count, table_capacity;
    fnd_series_channel *channels; /* every column of numbers that is no time; of two with one name the first */
    int channel_count;
} fnd_recorded;

/* Opens a file, or a directory: its tables *.csv, *.trk and *.h5 in the order of their names, without those that list
 * events and contacts, and last the poses of replay.csv as bodies.NAME.position and attitude. Close it also after a
 * failure.
 */
fender_status fnd_recorded_open(fnd_recorded *recorded, const fender_allocator *allocator, const char *name,
                                const char *time, bool poses, fender_error *error);
void fnd_recorded_close(fnd_recorded *recording);
/* NULL when there is none of that name. */
const fnd_series_channel *fnd_recorded_find(const fnd_recorded *recording, const char *name);
/* Does the pattern (each * stands for any characters) fit the name, or all of it before a last component: "a.position"
 * fits "a.position.x"? */
bool fnd_series_fits(const char *pattern, const char *name);
/* NAME, with the nearest name as remedy: no channel fits. */
fender_status fnd_recorded_fail_name(const fnd_recorded *recording, const char *pattern, fender_error *error);

/* Numbers of `from` times factor plus offset are numbers in the unit of `to`; 1 and 0 where one of them states none.
 * UNIT, with both channels named, when the dimensions differ or a unit is unknown. */
fender_status fnd_series_convert(const fnd_series_channel *to, const fnd_series_channel *from, double *factor,
                                 double *offset, fender_error *error);

/* Times of a table, in seconds or the unit that it states; one a row. NULL when it has none. */
static inline const double *fnd_series_times(const fnd_series_table *table)
{
    return table->time >= 0 ? table->columns[table->time].values : NULL;
}
/* The time as a channel, for its unit. */
static inline fnd_series_channel fnd_series_time_channel(const fnd_series_table *table)
{
    const fnd_series_column *column = &table->columns[table->time];
    return (fnd_series_channel){column->name, column->unit, table, table->time};
}
/* VALUE unless the table has times that are finite and never go back. */
fender_status fnd_series_check_times(const fnd_series_table *table, fender_error *error);

#endif
