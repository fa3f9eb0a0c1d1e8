/* Tables of numbers and words: a format is one row of functions that read and write it, a table is written row by row:
 * whole rows only, at most a second late, nothing allocated after opening. */
#ifndef FND_TABLES_TABLE_H
#define FND_TABLES_TABLE_H

#include <fender/recording.h>

#include "support/file.h"
#include "support/memory.h"
#include "tables/hdf5.h"

typedef struct fnd_table fnd_table;

/* A file as the reader of a format sees it. */
typedef struct fnd_table_source {
    const char *file;
    const char *bytes; /* NULL for a format that reads the file by itself */
    size_t length;
    const char *time; /* name of the column of times; NULL: the usual ones */
    int part;         /* number of the table wanted, from 0 */
} fnd_table_source;

/* One format of files. */
typedef struct fnd_table_format {
    const char *name;
    const char *endings[2]; /* of the names of its files; NULL: no more */
    bool reads_file;        /* it wants the name of the file, not its bytes */
    /* Looks at the first bytes. */
    bool (*fits)(const fnd_table_source *source);
    /* Fills columns, row_count and cut; all memory is the arena's. *parts: how many tables there are. The error names
     * the file. */
    fender_status (*read)(const fnd_table_source *source, fnd_arena *arena, fender_recording_table *table, int *parts,
                          fender_error *error);
    /* Writing. What fails leaves its error in the writer of the table. text_size: 0 for a column of numbers. */
    void (*head)(fnd_table *table, const char *name, const char *unit, size_t text_size);
    void (*number)(fnd_table *table, double value);
    void (*text)(fnd_table *table, const char *text);
    bool (*end_header)(fnd_table *table);
    bool (*end_row)(fnd_table *table);
    bool (*flush)(fnd_table *table, bool sync);
    /* Of `size` bytes at `from` in the file: how many belong to whole rows, which are counted in table->rows. NULL: the
     * file knows by itself. */
    int64_t (*keep)(fnd_table *table, int descriptor, int64_t from, int64_t size);
} fnd_table_format;

/* The one that the name of a file ends in, NULL when there is none; the one whose bytes are in it. */
const fnd_table_format *fnd_table_format_of_name(const char *name);
const fnd_table_format *fnd_table_format_at(int index); /* in the order of looking; NULL past the end */

/* How far a table has come: from here it can be gone on with. */
typedef struct fnd_table_mark {
    int64_t rows;
    uint64_t bytes;
} fnd_table_mark;

struct fnd_table {
    const fnd_table_format *format;
    fnd_writer writer;
    char *row;
    size_t row_size, used;
    int64_t rows, rows_in_file; /* taken; handed to the system. Without the header */
    uint64_t bytes_in_file;
    double next_flush; /* s, wall */
    bool open, failed;
    int columns;
    bool has_header;  /* from before */
    fnd_sheet *sheet; /* of a table in an HDF5 file; what else is said of bytes means nothing then */
    fnd_store *store; /* that file, if nobody else closes it */
};

/* Largest size of a cell with that many bytes of text: enclosing quotes, doubled quotes, a comma. */
#define FND_TABLE_TEXT_SIZE(length) (2 * (size_t)(length) + 3)
/* Largest size of a number. */
#define FND_TABLE_NUMBER_SIZE 41

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
/* "name [unit]"; no unit for "" and "1". The first of a .trk table is Trick's name of the time. */
void fnd_table_head(fnd_table *table, const char *name, const char *unit);
/* Of a column of texts, of at most so many bytes. */
void fnd_table_head_of_texts(fnd_table *table, const char *name, size_t size);
/* Ends the header: it is in the file when this returns OK. */
fender_status fnd_table_end_header(fnd_table *table, fender_error *error);
/* Ends a row. The failure is FILE with the number of rows that can be read; it stays, and repeats. */
fender_status fnd_table_end_row(fnd_table *table, fender_error *error);
/* Writes the rest, closes, releases. A failure that was reported before is reported again. Nothing when not open. */
fender_status fnd_table_close(fnd_table *table, fender_error *error);

/* For formats of rows of bytes (CSV, .trk): hands a whole row to the writer, which never keeps half of one. */
bool fnd_table_take_row(fnd_table *table);
/* Hands all rows to the system; with `sync`, waits for the disk. */
bool fnd_table_flush_rows(fnd_table *table, bool sync);

#endif
