/* Tables of numbers in CSV files, by column name. */
#ifndef TEST_CSV_TABLE_H
#define TEST_CSV_TABLE_H

/* A line "# constant NAME VALUE" before the header stands for a column that never changes. */
typedef struct csv_table {
    char **names;
    double *values; /* row major */
    int row_count, column_count;
} csv_table;

/* Fails the test when the file is missing or malformed. `path` is below the root of the source tree. */
csv_table csv_table_read(const char *path);
void csv_table_free(csv_table *table);
/* -1 when there is none. */
int csv_table_column(const csv_table *table, const char *name);
/* Fails the test for an unknown column. */
double csv_table_at(const csv_table *table, int row, const char *name);

#endif
