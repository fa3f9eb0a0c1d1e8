/* Tables of numbers over time, and columns of numbers out of CSV files. */
#ifndef FND_SCENARIO_TABLE_H
#define FND_SCENARIO_TABLE_H

#include "scenario/value.h"

/* ---- CSV ---- */

typedef struct fnd_csv_cell {
    const char *text; /* into the line, without blanks and quotes around it; not terminated */
    size_t length;
    int column; /* byte in the line, from 1 */
} fnd_csv_cell;
/* How many cells the line has; the first `capacity` of them. */
int fnd_csv_split(const char *line, fnd_csv_cell *cells, int capacity);
/* Empty lines and comments. */
bool fnd_csv_skips(const char *line);

typedef struct fnd_csv_column {
    const char *name; /* as the header has it, before the unit in brackets */
    const char *unit; /* SI unit of what the column is for */
    const fnd_node *named_by;
} fnd_csv_column;

/* First line: `time [s],thrust [N]`. Values come row by row, column_count each, in SI; `places`: of each row's cell of
 * the first column. The arrays are the arena's. False after diagnostics. */
bool fnd_csv_read(fnd_reader *reader, const fnd_node *file, const fnd_csv_column *columns, int column_count,
                  double **values, int *row_count, fnd_location **locations);

/* ---- Tables ---- */

typedef struct fnd_table_columns {
    int count;              /* time and values */
    const char **units;     /* inline tables: as the file gives them; else names of the columns */
    const fnd_node **nodes; /* their places */
} fnd_table_columns;

/* A list of texts. */
bool fnd_read_table_columns(fnd_reader *reader, const fnd_node *node, fnd_table_columns *columns);
/* A diagnostic unless the table has either `rows` or `file`. */
bool fnd_check_table_source(fnd_reader *reader, const fnd_node *table);
/* Numbers row by row in SI, in arena memory; times rise, and there is a row. */
bool fnd_read_table_rows(fnd_reader *reader, const fnd_node *table, const fnd_table_columns *columns, const char *unit,
                         double **values, int *row_count);

#endif
