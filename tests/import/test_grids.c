/* Height grids: every way to write the same raster gives the same heights; corners and centres, north and south, gaps,
 * strides; the triangles of a grid are those of fender_geometry_grid. */
#include "mesh_bytes.h"

#include "check.h"

enum { COLUMNS = 5, ROWS = 4 };
static bytes file;

/* Height at column i, row j from the south; whole numbers that 16 bits hold. */
static double height(int i, int j) { return 100 + 10 * j + i * i - 3 * i * j; }

static fender_mesh_import raw_import(fender_raster_type type, bool big, bool south)
{
    fender_mesh_import import = fender_mesh_import_default();
    import.format = FENDER_MESH_FORMAT_RAW;
    import.raster = (fender_raster_layout){.columns = COLUMNS,
                                           .rows = ROWS,
                                           .type = type,
                                           .big_endian = big,
                                           .south_first = south,
                                           .skip = 7,
                                           .lower = {205, 1010},
                                           .spacing = {
                                               10,
                                               20
                                           }};
    return import;
}

static void put_value(fender_raster_type type, double value, bool big)
{
    if (type == FENDER_RASTER_FLOAT32) put_float32(&file, value, big);
    else if (type == FENDER_RASTER_FLOAT64) put_float64(&file, value, big);
    else {
        int size = type == FENDER_RASTER_UINT8 ? 1 : type <= FENDER_RASTER_UINT16 ? 2 : 4;
        put_bits(&file, (uint64_t)(int64_t)value, size, big);
    }
}

static void check_grid(const fender_mesh_file *mesh, double factor)
{
    fender_grid_def grid = fender_mesh_file_grid(mesh);
    assert_non_null(grid.heights);
    assert_int_equal(grid.count_x, COLUMNS);
    assert_int_equal(grid.count_y, ROWS);
    assert_true(grid.lower.x == 205 * factor && grid.lower.y == 1010 * factor);
    assert_true(grid.spacing.x == 10 * factor && grid.spacing.y == 20 * factor);
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) assert_true(grid.heights[j * COLUMNS + i] == height(i, j) * factor);
}

static fender_mesh_file *take(const fender_mesh_import *import)
{
    fender_error error = {0};
    fender_mesh_file *mesh = parse_as(import->format, &file, import, &error);
    if (!mesh) print_message("%s (%s)\n", error.message, error.found);
    assert_non_null(mesh);
    return mesh;
}

static void raw_numbers_of_every_kind(void **unused)
{
    (void)unused;
    for (int n = 0; n < 4 * FENDER_RASTER_TYPE_COUNT; n++) {
        fender_raster_type type = (fender_raster_type)(n / 4);
        bool big = n & 1, south = n & 2;
        file.length = 0;
        say(&file, "skipped");
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++) put_value(type, height(i, south ? j : ROWS - 1 - j), big);
        fender_mesh_import import = raw_import(type, big, south);
        fender_mesh_file *mesh = take(&import);
        check_grid(mesh, 1);
        fender_mesh_file_destroy(mesh);
        import.unit = 0.5;
        mesh = take(&import);
        check_grid(mesh, 0.5);
        fender_mesh_file_destroy(mesh);
    }
}

/* Below zero: two's complement of every width. */
static void negative_heights(void **unused)
{
    (void)unused;
    static const fender_raster_type types[] = {FENDER_RASTER_INT16, FENDER_RASTER_INT32, FENDER_RASTER_FLOAT32};
    for (int n = 0; n < 3; n++) {
        file.length = 0;
        say(&file, "skipped");
        for (int k = 0; k < COLUMNS * ROWS; k++) put_value(types[n], k - 32768, n == 1);
        fender_mesh_import import = raw_import(types[n], n == 1, true);
        fender_mesh_file *mesh = take(&import);
        fender_grid_def grid = fender_mesh_file_grid(mesh);
        fender_vec3 origin = fender_mesh_file_report(mesh)->origin; /* -32768 to -32749 is far from 0 */
        for (int k = 0; k < COLUMNS * ROWS; k++) assert_true(grid.heights[k] + origin.z == k - 32768);
        fender_mesh_file_destroy(mesh);
    }
}

static void envi_headers(void **unused)
{
    (void)unused;
    static const char header[] =
        "ENVI\n; a remark\ndescription = {\n  samples = 77\n  of nothing }\nsamples = 5\nlines   = 4\nbands = 1\n"
        "header offset = 7\ndata type = 2\ninterleave = bsq\nbyte order = 1\n"
        "map info = {UTM, 1.000, 1.000, 200, 1080,\n 10.0, 20, 33, North}\ndata ignore value = -9999\n";
    file.length = 0;
    say(&file, "skipped");
    for (int j = ROWS - 1; j >= 0; j--)
        for (int i = 0; i < COLUMNS; i++) put_bits(&file, (uint64_t)(int64_t)height(i, j), 2, true);
    fender_mesh_import import = fender_mesh_import_default();
    import.format = FENDER_MESH_FORMAT_RAW;
    import.header = header;
    import.header_length = sizeof header - 1;
    fender_mesh_file *mesh = take(&import);
    check_grid(mesh, 1); /* the outer corner at (200, 1080) is half a cell from the first height */
    fender_mesh_file_destroy(mesh);
    /* the same from a file, with the header beside it */
    FILE *raw = fopen("dem.raw", "wb"), *hdr = fopen("dem.hdr", "wb");
    assert_true(raw && hdr && fwrite(file.data, 1, file.length, raw) == file.length && fputs(header, hdr) >= 0);
    fclose(raw);
    fclose(hdr);
    mesh = fender_mesh_file_read(NULL, "dem.raw", NULL, NULL);
    assert_non_null(mesh);
    check_grid(mesh, 1);
    fender_mesh_file_destroy(mesh);
    remove("dem.raw");
    remove("dem.hdr");
}

static void esri_grids(void **unused)
{
    (void)unused;
    static const char *const heads[] = {
        "ncols 5\nnrows 4\nxllcorner 200\nyllcorner 1000\ndx 10\ndy 20\n",
        "NCOLS 5\r\nNROWS 4\r\nXLLCENTER 205\r\nYLLCENTER 1010\r\nDX 10\r\nDY 20\r\nNODATA_value nan\r\n",
        "ncols 5\nnrows 4\nxllcorner 200\nyllcenter 1010\ndx 10\ndy 20\nNODATA_value -9999\n",
    };
    for (int n = 0; n < 3; n++) {
        file.length = 0;
        say(&file, "%s", heads[n]);
        for (int k = 0; k < COLUMNS * ROWS; k++) /* lines may break anywhere */
            say(&file, "%g%c", height(k % COLUMNS, ROWS - 1 - k / COLUMNS), k % 7 == 6 ? '\n' : ' ');
        fender_mesh_import import = fender_mesh_import_default();
        import.format = FENDER_MESH_FORMAT_ESRI;
        fender_mesh_file *mesh = take(&import);
        check_grid(mesh, 1);
        const fender_mesh_report *r = fender_mesh_file_report(mesh);
        assert_true(r->is_grid && r->facets == 2 * 4 * 3 && r->vertices == 20 && r->origin.x == 0);
        fender_mesh_file_destroy(mesh);
    }
}

/* Steps between neighbours of up to 300 times their distance are terrain; a single height that is one unit beyond makes
 * a cliff to each of its neighbours. Rows are twice as far apart as columns. */
static void cliffs_are_counted(void **unused)
{
    (void)unused;
    static const struct {
        int i, j;
        double added;
        int64_t cliffs;
    } cases[] = {{2, 1, 0, 0},    {2, 1, 2900, 0}, {2, 1, 3100, 2}, {2, 1, -3100, 2},
                 {2, 1, 6100, 4}, {0, 0, 6100, 2}, {4, 3, 6100, 2}, {4, 1, -6100, 3}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        file.length = 0;
        say(&file, "skipped");
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++)
                put_value(FENDER_RASTER_FLOAT64, i == cases[n].i && j == cases[n].j ? cases[n].added : 0, false);
        fender_mesh_import import = raw_import(FENDER_RASTER_FLOAT64, false, true);
        fender_mesh_file *mesh = take(&import);
        assert_int_equal(fender_mesh_file_report(mesh)->cliffs, cases[n].cliffs);
        fender_mesh_file_destroy(mesh);
    }
}

/* A grid as a mesh has the triangles of the grid, one for one. */
static void a_grid_as_triangles(void **unused)
{
    (void)unused;
    file.length = 0;
    say(&file, "skipped");
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) put_value(FENDER_RASTER_FLOAT64, height(i, j) + 0.1 * i, false);
    fender_mesh_import import = raw_import(FENDER_RASTER_FLOAT64, false, true);
    fender_mesh_file *grid = take(&import);
    import.as_mesh = true;
    fender_mesh_file *mesh = take(&import);
    const fender_mesh_report *r = fender_mesh_file_report(grid), *s = fender_mesh_file_report(mesh);
    assert_true(r->is_grid && !s->is_grid && r->facets == s->facets && r->vertices == s->vertices);
    assert_true(r->border_edges == s->border_edges && r->holes == s->holes && s->parts == 1);
    check_near(s->area, r->area, 1e-15 * r->area * 24);
    fender_geometry *one = fender_mesh_file_geometry(grid, NULL, NULL),
                    *other = fender_mesh_file_geometry(mesh, NULL, NULL);
    assert_true(one && other);
    assert_int_equal(fender_geometry_type_of(one), FENDER_GEOMETRY_GRID);
    assert_int_equal(fender_geometry_type_of(other), FENDER_GEOMETRY_MESH);
    int32_t a[72], b[72];
    int count;
    assert_int_equal(fender_geometry_triangles(one, a, 72), 72);
    assert_int_equal(fender_geometry_triangles(other, b, 72), 72);
    const fender_vec3 *v = fender_geometry_vertices(one, &count), *w = fender_geometry_vertices(other, &count);
    for (int i = 0; i < 72; i++) assert_memory_equal(&v[a[i]], &w[b[i]], sizeof(fender_vec3));
    fender_geometry_release(one);
    fender_geometry_release(other);
    fender_mesh_file_destroy(grid);
    fender_mesh_file_destroy(mesh);
}

static void put_gaps(void)
{
    /* one height in the middle row alone, at the left; -1 is no height */
    file.length = 0;
    say(&file, "ncols 5\nnrows 3\ncellsize 1\nNODATA_value -1\n-1 -1 -1 -1 -1\n6 -1 -1 -1 -1\n-1 -1 -1 -1 8\n");
}

static void gaps(void **unused)
{
    (void)unused;
    fender_mesh_import import = fender_mesh_import_default();
    fender_error error = {0};
    import.format = FENDER_MESH_FORMAT_ESRI;
    put_gaps();
    assert_null(parse_as(import.format, &file, &import, &error));
    assert_int_equal(error.status, FENDER_STATUS_VALUE);
    assert_string_equal(error.found, "13 of 15");
    import.gaps = FENDER_GAPS_FILL;
    import.fill_height = 2.5;
    fender_mesh_file *mesh = take(&import);
    assert_true(fender_mesh_file_grid(mesh).heights[1] == 2.5 && fender_mesh_file_grid(mesh).heights[4] == 8);
    assert_int_equal(fender_mesh_file_report(mesh)->gaps, 13);
    fender_mesh_file_destroy(mesh);
    import.gaps = FENDER_GAPS_SPREAD;
    mesh = take(&import);
    /* rings: columns 0 and 1 see the 6, columns 3 and 4 the 8, or those that see it; then column 2 sees both: by hand
     */
    static const double expected[15] = {6, 6, 7, 8, 8, 6, 6, 34.0 / 5, 8, 8, 6, 6, 20.0 / 3, 8, 8};
    for (int i = 0; i < 15; i++) assert_true(fender_mesh_file_grid(mesh).heights[i] == expected[i]);
    fender_mesh_file_destroy(mesh);
    import.gaps = FENDER_GAPS_HOLE; /* no cell has all its corners */
    assert_null(parse_as(import.format, &file, &import, NULL));
    /* a hole in the middle of 5 x 5: of the six triangles about it none is left, 26 of 32 are */
    file.length = 0;
    say(&file, "ncols 5\nnrows 5\ncellsize 1\n");
    for (int i = 0; i < 25; i++) say(&file, "%d ", i == 12 ? -9999 : i);
    mesh = take(&import);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->facets == 26 && r->vertices == 24 && r->holes == 2 && r->border_edges == 16 + 6 && r->gaps == 1);
    fender_mesh_file_destroy(mesh);
}

static void strides(void **unused)
{
    (void)unused;
    file.length = 0;
    say(&file, "ncols 8\nnrows 7\nxllcenter 3\nyllcenter 4\ncellsize 2\n");
    for (int j = 6; j >= 0; j--)
        for (int i = 0; i < 8; i++) say(&file, "%d ", 10 * j + i);
    fender_mesh_import import = fender_mesh_import_default();
    import.format = FENDER_MESH_FORMAT_ESRI;
    import.stride = 3;
    fender_mesh_file *mesh = take(&import);
    fender_grid_def grid = fender_mesh_file_grid(mesh);
    assert_true(grid.count_x == 3 && grid.count_y == 3 && grid.spacing.x == 6 && grid.lower.x == 3 &&
                grid.lower.y == 4);
    static const double expected[9] = {0, 3, 6, 30, 33, 36, 60, 63, 66};
    for (int i = 0; i < 9; i++) assert_true(grid.heights[i] == expected[i]);
    fender_mesh_file_destroy(mesh);
    import.stride = 7;
    assert_null(parse_as(import.format, &file, &import, NULL));
}

/* GDAL is optional: without it the error names the option. */
static void gdal_is_named(void **unused)
{
    (void)unused;
    fender_error error = {0};
    if (fender_mesh_has_gdal()) skip();
    file.length = 0;
    say(&file, "II*");
    assert_null(parse_as(FENDER_MESH_FORMAT_GDAL, &file, NULL, &error));
    assert_int_equal(error.status, FENDER_STATUS_NOT_BUILT);
    assert_non_null(strstr(error.suggestion, "FENDER_WITH_GDAL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_numbers_of_every_kind),
        cmocka_unit_test(negative_heights),
        cmocka_unit_test(envi_headers),
        cmocka_unit_test(esri_grids),
        cmocka_unit_test(cliffs_are_counted),
        cmocka_unit_test(a_grid_as_triangles),
        cmocka_unit_test(gaps),
        cmocka_unit_test(strides),
        cmocka_unit_test(gdal_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
