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

/* Lists the channels of the tables anew: all columns of numbers except times. FILE: there are none. */
fender_status fnd_recording_list_numbers(fender_recording *recording, fender_error *error);

/* Names with their numbers, found by hash. All zero: empty. */
typedef struct fnd_name_table {
    const char **names;
    int *slots; /* number of the name + 1; 0: free */
    int count, capacity;
    size_t slot_count;
} fnd_name_table;
/* -1: it is not there. */
int fnd_name_table_find(const fnd_name_table *index, const char *text, size_t length);
/* A name that is not there yet gets the next number; the text is kept as it is. False when there is no memory. */
bool fnd_name_table_add(fnd_name_table *index, fnd_arena *arena, const char *name);

/* To whom the rows of a list belong: the texts of its column "contact". */
typedef struct fnd_row_names {
    fnd_name_table index;
    int last;     /* found last */
    int *of_row;  /* number of the name, by row; -1: of no contact */
    bool foreign; /* a text is not the name of a contact */
    bool divided; /* the table is that of one contact; -1: a row of NaN where it lapses */
} fnd_row_names;
/* For at most `rows` of them. NULL: no memory. */
fnd_row_names *fnd_row_names_create(fnd_arena *arena, size_t rows);
/* False when there is no memory. */
bool fnd_row_names_note(fnd_row_names *names, fnd_arena *arena, size_t row, const char *text, size_t length);
/* The names, if all texts are names of contacts and there is one; else NULL: the table is another. */
const fnd_row_names *fnd_row_names_of_contacts(const fnd_row_names *names);
/* Number of the column whose texts they are; -1: the table is no list of contacts. */
int fnd_recording_contact_column(const fender_recording_table *table);
/* True for the table of one contact that fender_recording_split_contacts has made. */
bool fnd_recording_is_contact(const fender_recording_table *table);
/* True for a row of NaN that stands where a contact lapses. */
bool fnd_recording_is_lapse(const fender_recording_table *table, size_t row);

/* Takes "name [unit]", "name {unit}" or "name (unit)" apart into a column. False when there is no memory. */
bool fnd_recording_name_column(fnd_arena *arena, const char *text, size_t length, fender_recording_column *column);
/* The unit in the spelling of this library: Trick's "--" is none, its "d" a degree, its "r" a radian. */
const char *fnd_recording_trick_unit(const char *unit);

/* VALUE unless the table has times that are finite and never go back. */
fender_status fnd_recording_check_times(const fender_recording_table *table, fender_error *error);

#endif
