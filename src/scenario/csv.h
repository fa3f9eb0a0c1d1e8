/* Columns of numbers out of a CSV file that a scenario names. */
#ifndef FND_SCENARIO_CSV_H
#define FND_SCENARIO_CSV_H

#include "scenario/value.h"

typedef struct fnd_csv_column {
    const char *name; /* as the header has it, before the unit in brackets */
    const char *unit; /* SI unit of what the column is for */
    const fnd_node *named_by;
} fnd_csv_column;

/* First line: `time [s],thrust [N]`. Values come row by row, column_count each, in SI; `places`: of each row's cell of
 * the first column. The arrays are the arena's. False after findings. */
bool fnd_csv_read(fnd_reader *reader, const fnd_node *file, const fnd_csv_column *columns, int column_count,
                  double **values, int *row_count, fnd_place **places);

#endif
