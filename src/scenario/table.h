/* Tables of numbers over time: columns with units, rows in the scenario or in a CSV file. */
#ifndef FND_SCENARIO_TABLE_H
#define FND_SCENARIO_TABLE_H

#include "scenario/value.h"

typedef struct fnd_table_columns {
    int count;              /* time and values */
    const char **units;     /* inline tables: as the file gives them; else names of the columns */
    const fnd_node **nodes; /* their places */
} fnd_table_columns;

/* A list of texts. */
bool fnd_read_table_columns(fnd_reader *reader, const fnd_node *node, fnd_table_columns *columns);
/* A finding unless the table has either `rows` or `file`. */
bool fnd_check_table_source(fnd_reader *reader, const fnd_node *table);
/* Numbers row by row in SI, in arena memory; times rise, and there is a row. */
bool fnd_read_table_rows(fnd_reader *reader, const fnd_node *table, const fnd_table_columns *columns, const char *unit,
                         double **values, int *row_count);

#endif
