/* Rasters by GDAL, in builds that have it (-DFENDER_WITH_GDAL=ON): a GeoTIFF written here byte by byte from its
 * specification gives the heights, places and gaps of the same raster as an ESRI grid. Else skipped. */
#include "../mesh_bytes.h"

#include "check.h"

static bytes file;

/* An entry of the directory: tag, type (3: 16 bits, 4: 32 bits, 12: double, 2: text), count, value or place. */
static void entry(int tag, int type, uint32_t count, uint32_t value)
{
    put_bits(&file, (uint64_t)tag, 2, false);
    put_bits(&file, (uint64_t)type, 2, false);
    put_bits(&file, count, 4, false);
    put_bits(&file, value, 4, false);
}

enum { COLUMNS = 5, ROWS = 4 };
static double height(int i, int j) { return 100.25 + 10 * j + i * i - 3 * i * j; }

/* One strip of 32-bit floats, cells of 10 x 20 with the outer corner at (200, 1080), no data -9999. */
static void make_geotiff(void)
{
    const uint32_t heights_at = 8, scale_at = heights_at + 4 * COLUMNS * ROWS, tie_at = scale_at + 24;
    const uint32_t gap_at = tie_at + 48, directory_at = gap_at + 6;
    file.length = 0;
    put(&file, "II*\0", 4);
    put_bits(&file, directory_at, 4, false);
    for (int j = ROWS - 1; j >= 0; j--) /* from the north */
        for (int i = 0; i < COLUMNS; i++) put_float32(&file, i == 2 && j == 1 ? -9999 : height(i, j), false);
    const double scale[3] = {10, 20, 0}, tie[6] = {0, 0, 0, 200, 1080, 0};
    for (int i = 0; i < 3; i++) put_float64(&file, scale[i], false);
    for (int i = 0; i < 6; i++) put_float64(&file, tie[i], false);
    put(&file, "-9999\0", 6);
    put_bits(&file, 13, 2, false);
    entry(256, 3, 1, COLUMNS);            /* width */
    entry(257, 3, 1, ROWS);               /* length */
    entry(258, 3, 1, 32);                 /* bits */
    entry(259, 3, 1, 1);                  /* not compressed */
    entry(262, 3, 1, 1);                  /* black is zero */
    entry(273, 4, 1, heights_at);         /* strip */
    entry(277, 3, 1, 1);                  /* samples */
    entry(278, 3, 1, ROWS);               /* rows of the strip */
    entry(279, 4, 1, 4 * COLUMNS * ROWS); /* bytes of the strip */
    entry(339, 3, 1, 3);                  /* floating point */
    entry(33550, 12, 3, scale_at);        /* sizes of a cell */
    entry(33922, 12, 6, tie_at);          /* tie point */
    entry(42113, 2, 6, gap_at);           /* no data */
    put_bits(&file, 0, 4, false);
}

static void a_geotiff(void **unused)
{
    (void)unused;
    fender_error error = {0};
    fender_mesh_import import = fender_mesh_import_default();
    make_geotiff();
    assert_null(parse_as(FENDER_MESH_FORMAT_GDAL, &file, &import, &error));
    assert_int_equal(error.status, FENDER_STATUS_VALUE);
    assert_string_equal(error.found, "1 of 20");
    import.gaps = FENDER_GAPS_FILL;
    import.fill_height = 7;
    memset(&error, 0, sizeof error);
    fender_mesh_file *mesh = parse_as(FENDER_MESH_FORMAT_GDAL, &file, &import, &error);
    if (!mesh) print_message("%s (%s)\n", error.message, error.found);
    assert_non_null(mesh);
    fender_grid_def grid = fender_mesh_file_grid(mesh);
    assert_true(grid.count_x == COLUMNS && grid.count_y == ROWS && grid.spacing.x == 10 && grid.spacing.y == 20);
    assert_true(grid.lower.x == 205 && grid.lower.y == 1010);
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++)
            assert_true(grid.heights[j * COLUMNS + i] == (i == 2 && j == 1 ? 7 : height(i, j)));
    fender_mesh_file_destroy(mesh);
}

/* Bytes changed and cut: GDAL says what it says, and it is an error of ours. */
static void damaged_ones(void **unused)
{
    (void)unused;
    static bytes whole;
    uint64_t state = 1;
    int read = 0, refused = 0;
    make_geotiff();
    whole = file;
    for (int n = 0; n < 500; n++) {
        file = whole;
        for (int k = 0; k < 1 + n % 3; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            file.data[(state >> 33) % file.length] = (char)(state >> 50);
        }
        if (n % 5 == 0) file.length = (size_t)(state >> 40) % file.length;
        fender_error error = {0};
        fender_mesh_import import = fender_mesh_import_default();
        import.gaps = FENDER_GAPS_SPREAD;
        fender_mesh_file *mesh = parse_as(FENDER_MESH_FORMAT_GDAL, &file, &import, &error);
        if (mesh) read++;
        else refused++;
        assert_true(mesh || (error.message[0] && error.source[0]));
        fender_mesh_file_destroy(mesh);
    }
    print_message("%d read, %d refused\n", read, refused);
    assert_true(read > 50 && refused > 50);
}

int main(void)
{
    if (!fender_mesh_has_gdal()) {
        print_message("skipped: built without GDAL\n");
        return 77; /* ctest reports it as skipped */
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_geotiff), cmocka_unit_test(damaged_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
