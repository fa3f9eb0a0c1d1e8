/* Tables of numbers in CSV files. */
#include "csv_table.h"

#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { LINE_CAPACITY = 8192, COLUMN_CAPACITY = 64 };

static char *copy(const char *text)
{
    char *to = malloc(strlen(text) + 1);
    assert_non_null(to);
    return strcpy(to, text);
}

static void append(csv_table *table, int *capacity, double value, int used)
{
    if (used == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 1024;
        double *larger = realloc(table->values, (size_t)*capacity * sizeof *larger);
        assert_non_null(larger);
        table->values = larger;
    }
    table->values[used] = value;
}

csv_table csv_table_read(const char *path)
{
    char full[1024], line[LINE_CAPACITY];
    snprintf(full, sizeof full, "%s/%s", FENDER_SOURCE_DIR, path);
    FILE *file = fopen(full, "r");
    if (!file) fail_msg("cannot open %s", full);
    csv_table table = {calloc(COLUMN_CAPACITY, sizeof(char *)), NULL, 0, 0};
    assert_non_null(table.names);
    double constants[COLUMN_CAPACITY];
    int constant_count = 0, used = 0, capacity = 0;
    bool header = false;
    while (fgets(line, sizeof line, file)) {
        char name[128];
        double value;
        line[strcspn(line, "\r\n")] = 0;
        if (line[0] == '#') {
            if (sscanf(line, "# constant %127s %lf", name, &value) != 2) continue;
            assert_true(!header && constant_count < COLUMN_CAPACITY);
            table.names[table.column_count++] = copy(name);
            constants[constant_count++] = value;
            continue;
        }
        if (header)
            for (int i = 0; i < constant_count; i++) append(&table, &capacity, constants[i], used++);
        int cells = 0;
        for (char *cell = strtok(line, ","); cell; cell = strtok(NULL, ",")) {
            if (header) {
                char *end;
                value = strtod(cell, &end);
                assert_true(end != cell && *end == 0);
                append(&table, &capacity, value, used++);
            } else {
                assert_true(table.column_count < COLUMN_CAPACITY);
                table.names[table.column_count++] = copy(cell);
            }
            cells++;
        }
        if (header) assert_int_equal(cells + constant_count, table.column_count);
        if (header) table.row_count++;
        header = true;
    }
    fclose(file);
    return table;
}

void csv_table_free(csv_table *table)
{
    for (int i = 0; i < table->column_count; i++) free(table->names[i]);
    free((void *)table->names);
    free(table->values);
    *table = (csv_table){0};
}

int csv_table_column(const csv_table *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->names[i], name) == 0) return i;
    return -1;
}

double csv_table_at(const csv_table *table, int row, const char *name)
{
    int column = csv_table_column(table, name);
    if (column < 0 || row < 0 || row >= table->row_count) fail_msg("no column %s, or no row %d", name, row);
    return table->values[row * table->column_count + column];
}
