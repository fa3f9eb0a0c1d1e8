/* fender/recording.h - recordings read back: tables of named numbers with units, from files of Fender and of others.
 * Library fender_io. */
#ifndef FENDER_RECORDING_H
#define FENDER_RECORDING_H

#include "base.h"

typedef struct fender_recording_column {
    const char *name;     /* without its unit */
    const char *unit;     /* as it is written; "" when none is stated, or it is a plain number */
    const double *values; /* one a row; NULL: the column holds words */
} fender_recording_column;

typedef struct fender_recording_table {
    const char *file;
    fender_recording_column *columns;
    int column_count;
    size_t row_count;
    int time; /* the column that holds it; -1: there is none */
    bool cut; /* the last row was not whole and is left out */
} fender_recording_table;

typedef struct fender_recording_channel {
    const char *name;
    const char *unit;
    const fender_recording_table *table;
    int column;
} fender_recording_channel;

/* One file, or all tables of a run directory. Everything in it lives until it is closed. */
typedef struct fender_recording {
    const char *name; /* as it was given; borrowed */
    fender_recording_table *tables;
    int table_count, table_capacity;
    fender_recording_channel *channels; /* every column of numbers that is no time; of two with one name the first */
    int channel_count;
    struct fnd_arena *memory; /* private */
} fender_recording;

/* Opens a file (CSV with a line of names and units as `name [unit]`, `name {unit}` or `name (unit)`; Trick's .trk;
 * HDF5), or a directory: its tables *.csv, *.trk and *.h5 in the order of their names, without those that list events
 * and contacts, and last, with `poses`, those of replay.csv as bodies.NAME.position and attitude. `time`: name of the
 * column of times; NULL: "time", "t", Trick's sys.exec.out.time, else the first. *recording is written over; close it
 * also after a failure. FILE; PARSE when a file does not follow its format, or no column, or that of times, holds
 * numbers; NOT_BUILT for HDF5 in builds without; MEMORY. HDF5's own library may crash over damaged files: who reads
 * files of others had better do so in a process of its own, as the program does. One thread at a time for HDF5. */
FENDER_API fender_status fender_recording_open(fender_recording *recording, const fender_env *env, const char *name,
                                               const char *time, bool poses, fender_error *error);
FENDER_API void fender_recording_close(fender_recording *recording); /* one that is all zero is fine */
/* NULL when there is none of that name. */
FENDER_API const fender_recording_channel *fender_recording_find(const fender_recording *recording, const char *name);
/* Does the pattern (each * stands for any characters) fit the name, or all of it before a last component: "a.position"
 * fits "a.position.x"? */
FENDER_API bool fender_recording_fits(const char *pattern, const char *name);
/* NAME, with the nearest name as remedy: no channel fits the pattern. */
FENDER_API fender_status fender_recording_fail_name(const fender_recording *recording, const char *pattern,
                                                    fender_error *error);
/* Numbers of `from` times factor plus offset are numbers in the unit of `to`; 1 and 0 where one of them states none.
 * UNIT, with both channels named, when the dimensions differ or a unit is unknown. */
FENDER_API fender_status fender_recording_convert(const fender_recording_channel *to,
                                                  const fender_recording_channel *from, double *factor, double *offset,
                                                  fender_error *error);

/* Times of a table, in seconds or the unit that it states; one a row. NULL when it has none. */
static inline const double *fender_recording_times(const fender_recording_table *table)
{
    return table->time >= 0 ? table->columns[table->time].values : NULL;
}
/* The time as a channel, for its unit. */
static inline fender_recording_channel fender_recording_time_channel(const fender_recording_table *table)
{
    const fender_recording_column *column = &table->columns[table->time];
    fender_recording_channel channel = {column->name, column->unit, table, table->time};
    return channel;
}

#endif
