/* libFuzzer target for recordings read back, built once for each format: FORMAT is trk or csv. */
#include "fuzz.h"

#include <math.h>

#include "tables/csv.h"
#include "tables/recording.h"
#include "tables/trk.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

/* A cell of one digit and its comma become a double; beside that blocks of the arena. */
enum { BYTES_PER_BYTE = 16, BYTES_BESIDES = 128 << 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fnd_table_format *format = &JOIN(fnd_, JOIN(FORMAT, _format));
    fuzz_memory memory;
    int errors;
    fender_env env = fuzz_env(&memory, &errors);
    fender_error error = {0};
    char *copy = malloc(size + 1); /* files end with a zero byte that is none of theirs */
    require(copy != NULL, "no memory");
    memcpy(copy, data, size);
    copy[size] = '\0';
    fnd_table_source source = {.file = "fuzzed", .bytes = copy, .length = size};
    int parts;
    fender_recording_table table = {.file = "fuzzed", .time = -1};
    fnd_arena arena = fnd_arena_open(&env.allocator, 0);
    bool fits = format->fits(&source), failed = false;
    if (fits) {
        failed = format->read(&source, &arena, &table, &parts, &error) != FENDER_STATUS_OK;
        double sum = 0;
        for (int i = 0; !failed && i < table.column_count; i++) {
            const fender_recording_column *column = &table.columns[i];
            require(strlen(column->name) + strlen(column->unit) < 1 << 20, "a column without a name");
            for (size_t k = 0; column->values && k < table.row_count; k++) sum += column->values[k];
            if (column->values && table.time < 0) table.time = i;
        }
        (void)isnan(sum);
        if (!failed && table.time >= 0) failed = fnd_recording_check_times(&table, &error) != FENDER_STATUS_OK;
    }
    require(memory.most <= BYTES_PER_BYTE * size + BYTES_BESIDES, "reading takes too much memory");
    fnd_arena_close(&arena);
    free(copy);
    fuzz_check_end(&memory, failed, &error);
    return 0;
}
