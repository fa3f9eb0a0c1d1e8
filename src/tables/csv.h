/* CSV: the format of numbers, and tables of a run directory that hold words, read row by row. */
#ifndef FND_TABLES_CSV_H
#define FND_TABLES_CSV_H

#include "tables/table.h"

extern const fnd_table_format fnd_csv_format;

enum { FND_ROWS_CELLS = 16 };

typedef struct fnd_rows {
    fender_allocator allocator;
    char *path;
    size_t path_size;
    fnd_file file;
    const char *at;
    int line;
    const char *cells[FND_ROWS_CELLS]; /* of the present row; not terminated */
    size_t lengths[FND_ROWS_CELLS];
    int cell_count;
} fnd_rows;

/* Opens DIRECTORY/NAME, whose first line must begin with `head`. On failure there is nothing to close. */
fender_status fnd_rows_open(fnd_rows *rows, const fender_allocator *allocator, const char *directory, const char *name,
                            const char *head, fender_error *error);
void fnd_rows_close(fnd_rows *rows);
/* Back to before the first row. */
void fnd_rows_rewind(fnd_rows *rows);
/* The next row; false at the end. A last row without a line's end was cut short and is none. */
bool fnd_rows_next(fnd_rows *rows);
/* Numbers of cells from `first` on; PARSE when one is none, or not finite. */
fender_status fnd_rows_numbers(const fnd_rows *rows, int first, int count, double *values, fender_error *error);
bool fnd_rows_says(const fnd_rows *rows, int cell, const char *word);

#endif
