/* A table written row by row: whole rows only, at most a second late, nothing allocated after opening. As CSV, or,
 * where the name ends in .trk, numbers alone in the binary form of Trick's data recording (version 10, doubles), or,
 * where it ends in .h5 or .hdf5, as a group of an HDF5 file. */
#ifndef FND_RECORD_TABLE_H
#define FND_RECORD_TABLE_H

#include "record/store.h"
#include "text/file.h"

/* How far a table has come: from here it can be gone on with. */
typedef struct fnd_table_mark {
    int64_t rows;
    uint64_t bytes;
} fnd_table_mark;

typedef struct fnd_table {
    fnd_writer writer;
    char *row;
    size_t row_size, used;
    int64_t rows, rows_in_file; /* taken; handed to the system. Without the header */
    uint64_t bytes_in_file;
    double next_flush; /* s, wall */
    bool open, failed;
    bool binary;
    int columns;
    bool has_header;  /* from before */
    fnd_sheet *sheet; /* of a table in an HDF5 file; what else is said of bytes means nothing then */
    fnd_store *store; /* that file, if nobody else closes it */
} fnd_table;

/* What a cell of that many bytes of text needs of a row at most: quotes around it, each of its own doubled, a comma. */
#define FND_TABLE_TEXT_SIZE(length) (2 * (size_t)(length) + 3)
/* What a number needs. */
#define FND_TABLE_NUMBER_SIZE 41

/* Does a file of that name hold numbers alone? */
bool fnd_table_is_binary(const char *name);

/* Creates or empties the file. row_size: the sum of what its longest row needs. On failure there is nothing to close.
 * With `from`, goes on with a file that was written before, behind that mark: then a header is not written again. */
fender_status fnd_table_open(fnd_table *table, const fender_allocator *allocator, const char *path, size_t row_size,
                             const fnd_table_mark *from, fender_error *error);
/* The same in an HDF5 file of several tables, which fnd_store_start starts once all of them have their headers, and
 * fnd_store_close closes once all of them are closed. */
fender_status fnd_table_open_in(fnd_table *table, fnd_store *store, const char *group, const fnd_table_mark *from,
                                fender_error *error);
/* All rows so far are on the disk when this returns OK. */
fender_status fnd_table_sync(fnd_table *table, fnd_table_mark *mark, fender_error *error);
/* The cells of the row at hand, in order. Text, not for Trick's form, is quoted in CSV as RFC 4180 says. */
void fnd_table_number(fnd_table *table, double value); /* reads back to the same bits */
void fnd_table_text(fnd_table *table, const char *text);
/* "name [unit]"; no unit for "" and "1". The first of a binary table is Trick's name of the time. */
void fnd_table_head(fnd_table *table, const char *name, const char *unit);
/* Of a column of texts, of at most so many bytes. */
void fnd_table_head_of_texts(fnd_table *table, const char *name, size_t size);
/* Ends the header: it is in the file when this returns OK. */
fender_status fnd_table_end_header(fnd_table *table, fender_error *error);
/* Ends a row. The failure is FILE with the number of rows that can be read; it stays, and repeats. */
fender_status fnd_table_end_row(fnd_table *table, fender_error *error);
/* Writes the rest, closes, releases. A failure that was reported before is reported again. Nothing when not open. */
fender_status fnd_table_close(fnd_table *table, fender_error *error);

#endif
