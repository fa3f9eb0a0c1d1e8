/* fender/recording.h - reading of recordings: tables of named numbers with units, from files of Fender and of other
 * programs. Library fender_io. */
#ifndef FENDER_RECORDING_H
#define FENDER_RECORDING_H

#include "base.h"

typedef struct fender_recording_column {
    const char *name;     /* without its unit */
    const char *unit;     /* as written in the file; "" without unit */
    const double *values; /* one per row; NULL if the column contains text */
} fender_recording_column;

typedef struct fender_recording_table {
    const char *file;
    fender_recording_column *columns;
    int column_count;
    size_t row_count;
    int time;                             /* index of the time column; -1: none */
    bool cut;                             /* the last row was incomplete and is ignored */
    const struct fnd_row_names *contacts; /* private: whose each row is, of a list of contacts */
} fender_recording_table;

typedef struct fender_recording_channel {
    const char *name;
    const char *unit;
    const fender_recording_table *table;
    int column;
} fender_recording_channel;

/* One file, or all tables of a run directory. Its contents are valid until it is closed. */
typedef struct fender_recording {
    const char *name; /* as passed to fender_recording_open; borrowed */
    fender_recording_table *tables;
    int table_count, table_capacity;
    fender_recording_channel *channels; /* all numeric columns except times; the first of several with one name */
    int channel_count;
    struct fnd_arena *memory;           /* private */
    const struct fnd_name_table *names; /* private: of the channels */
} fender_recording;

/* Opens a file: CSV (with a line of names and units as `name [unit]`, `name {unit}` or `name (unit)`), Trick's .trk or
 * HDF5. For a directory, opens its tables *.csv, *.trk and *.h5 in alphabetical order, except the lists of events and
 * contacts; with `poses`, then also replay.csv, as bodies.NAME.position and attitude. `time` is the name of the time
 * column; NULL: "time", "t", Trick's sys.exec.out.time, else the first column. *recording is overwritten; close it even
 * after a failure. FILE; PARSE if a file violates its format, or no column, or the time column, contains numbers;
 * NOT_BUILT for HDF5 in builds without it; MEMORY. The HDF5 library may crash on damaged files: read files of unknown
 * origin in a separate process, as the program does. HDF5 files: one thread at a time. */
FENDER_API fender_status fender_recording_open(fender_recording *recording, const fender_env *env, const char *name,
                                               const char *time, bool poses, fender_error *error);
/* Makes a table of each contact of every table that lists contacts, with a row for each at a time, as recordings with
 * `contacts` do: the channel "normal_force" becomes "a.x:b.y.normal_force" of each contact. Where a contact lapses and
 * comes again, its table has one row of NaN, at the first time of the list without that contact. Rows whose cell
 * `contact` is empty are of none. Other tables stay: those of events, and those with other words in that column.
 * MEMORY: then close it. */
FENDER_API fender_status fender_recording_split_contacts(fender_recording *recording, fender_error *error);
FENDER_API void fender_recording_close(fender_recording *recording); /* and zeroes it; accepts an all-zero struct */
/* The channel of that name, or NULL. */
FENDER_API const fender_recording_channel *fender_recording_find(const fender_recording *recording, const char *name);
/* True if the pattern, in which * matches any characters, matches the name or the name without its last component:
 * "a.position" matches "a.position.x". A single word is also that quantity of every contact: "normal_force" matches
 * "a.x:b.y.normal_force". */
FENDER_API bool fender_recording_fits(const char *pattern, const char *name);
/* Fills the error with NAME: no channel matches the pattern; the remedy is the nearest name. Returns NAME. */
FENDER_API fender_status fender_recording_fail_name(const fender_recording *recording, const char *pattern,
                                                    fender_error *error);
/* Conversion of units: value_to = factor * value_from + offset; 1 and 0 if a channel has no unit. UNIT, naming both
 * channels, if the dimensions differ or a unit is unknown. */
FENDER_API fender_status fender_recording_convert(const fender_recording_channel *to,
                                                  const fender_recording_channel *from, double *factor, double *offset,
                                                  fender_error *error);

/* Times of a table, one per row, in seconds or in the unit of the column. NULL if it has none. */
static inline const double *fender_recording_times(const fender_recording_table *table)
{
    return table->time >= 0 ? table->columns[table->time].values : NULL;
}
/* The time column as a channel. The table must have one. */
static inline fender_recording_channel fender_recording_time_channel(const fender_recording_table *table)
{
    const fender_recording_column *column = &table->columns[table->time];
    fender_recording_channel channel = {column->name, column->unit, table, table->time};
    return channel;
}

#endif
