/* Reading the files of recordings: a table of named numbers with units from each, whatever its format. */
#ifndef FND_TABLES_RECORDING_H
#define FND_TABLES_RECORDING_H

#include <fender/recording.h>

#include "support/memory.h"

/* Reads one file by the format that fits. `time`: name of the column of times; NULL: "time", "t", Trick's
 * sys.exec.out.time, else the first. PARSE when no column, or that one, holds numbers. */
fender_status fnd_recording_read(const fender_allocator *allocator, const char *file, const char *time,
                                 fnd_arena *arena, fender_recording_table *table, fender_error *error);
/* The same of a file of several tables: the one with the number `part` from 0. *parts: how many there are. */
fender_status fnd_recording_read_table(const fender_allocator *allocator, const char *file, const char *time, int part,
                                       fnd_arena *arena, fender_recording_table *table, int *parts,
                                       fender_error *error);

/* To whom the rows of a list belong: the texts of its column "contact". */
typedef struct fnd_row_names {
    const char **names;
    int count, capacity, last; /* last: found last */
    int *of_row;               /* number of the name, by row */
    bool too_many;             /* these are no contacts */
} fnd_row_names;
/* For at most `rows` of them. NULL: no memory. */
fnd_row_names *fnd_row_names_create(fnd_arena *arena, size_t rows);
/* False when there is no memory. */
bool fnd_row_names_note(fnd_row_names *names, fnd_arena *arena, size_t row, const char *text, size_t length);
/* Number of the column whose texts they are; -1: the table is no list of contacts. */
int fnd_recording_contact_column(const fender_recording_table *table);

/* Takes "name [unit]", "name {unit}" or "name (unit)" apart into a column. False when there is no memory. */
bool fnd_recording_name_column(fnd_arena *arena, const char *text, size_t length, fender_recording_column *column);
/* The unit in the spelling of this library: Trick's "--" is none, its "d" a degree, its "r" a radian. */
const char *fnd_recording_trick_unit(const char *unit);

/* VALUE unless the table has times that are finite and never go back. */
fender_status fnd_recording_check_times(const fender_recording_table *table, fender_error *error);

#endif
