/* Reading of HDF5 files of others: written here with the library itself. */
#include "recording_files.h"

#include "tables/hdf5.h"

#ifdef FENDER_WITH_HDF5

#include <hdf5.h>
#include <math.h>

static hid_t open_new(const char *name) { return H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); }

static void add(hid_t group, const char *name, hid_t type, const void *values, hsize_t count, const char *unit)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (unit) {
        hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
        H5Tset_size(text, strlen(unit) + 1);
        hid_t attribute = H5Acreate2(set, "units", text, one, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(attribute, text, unit) >= 0);
        H5Aclose(attribute);
        H5Sclose(one);
        H5Tclose(text);
    }
    H5Dclose(set);
    H5Sclose(space);
}

/* Each group of a chain leads twice to the next, and back to the first by a soft link: 2^16 ways, and circles. */
static void links_in_circles(void **state)
{
    (void)state;
    const double times[] = {0, 1};
    hid_t file = open_new("circles.h5"), group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), inner;
    for (int i = 0; i < 40; i++, group = inner) {
        inner = H5Gcreate2(group, "inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Lcreate_hard(group, "inner", group, "again", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        assert_true(H5Lcreate_hard(group, ".", group, "self", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        assert_true(H5Lcreate_soft("/", group, "root", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        if (i == 3)
            add(group, "time", H5T_NATIVE_DOUBLE, times, 2, "s"), add(group, "x", H5T_NATIVE_DOUBLE, times, 2, "m");
        H5Gclose(group);
    }
    H5Gclose(group);
    H5Fclose(file);
    fender_recording r = open_recorded("circles.h5");
    assert_int_equal(r.table_count, 1); /* however many ways lead there */
    assert_int_equal(r.tables[0].row_count, 2);
    fender_recording_close(&r);
}

/* Rows that nothing was written for: a small file that says so asks for 8 GB. */
static void more_rows_than_bytes(void **state)
{
    (void)state;
    const hsize_t rows = (hsize_t)1 << 30, chunk = 1024;
    hid_t file = open_new("sparse.h5"), space = H5Screate_simple(1, &rows, NULL),
          creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    hid_t set = H5Dcreate2(file, "time", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Fclose(file);
    fender_recording r;
    fender_env env = fender_env_default();
    fender_error error = {0};
    assert_int_equal(fender_recording_open(&r, &env, "sparse.h5", NULL, true, &error), FENDER_STATUS_FILE);
    assert_non_null(strstr(error.message, "sparse.h5"));
    assert_non_null(strstr(error.found, "more rows than its bytes can hold"));
    fender_recording_close(&r);
}

static const fender_recording_column *column_of(const fender_recording_table *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return &table->columns[i];
    return NULL;
}

/* Whole numbers and floats, units of fixed length, a constant beside the series, a group within a group. */
static void of_others(void **state)
{
    (void)state;
    const double times[] = {0, 0.5, 1, 1.5};
    const float heights[] = {1.5f, 2, -3, 4.25f};
    const int32_t counts[] = {-1, 0, 7, 2000000000};
    const double mass = 12;
    hid_t file = open_new("other.h5"), outer = H5Gcreate2(file, "sim", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t inner = H5Gcreate2(outer, "vehicle", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    add(inner, "alt", H5T_NATIVE_FLOAT, heights, 4, "ft");
    add(inner, "count", H5T_NATIVE_INT32, counts, 4, NULL);
    add(inner, "mass", H5T_NATIVE_DOUBLE, &mass, 1, "kg");
    add(inner, "time", H5T_NATIVE_DOUBLE, times, 4, "s");
    add(inner, "trailing", H5T_NATIVE_DOUBLE, times, 3, "s");
    H5Gclose(inner);
    H5Gclose(outer);
    H5Fclose(file);
    fender_recording r = open_recorded("other.h5");
    assert_int_equal(r.table_count, 1);
    const fender_recording_table *table = &r.tables[0];
    assert_int_equal(table->row_count, 4);
    assert_int_equal(table->column_count, 3); /* shorter ones are left out */
    assert_string_equal(table->columns[table->time].name, "time");
    assert_string_equal(column_of(table, "alt")->unit, "ft");
    assert_string_equal(column_of(table, "count")->unit, "");
    for (int i = 0; i < 4; i++) {
        assert_true(fender_recording_times(table)[i] == times[i]);
        assert_true(column_of(table, "alt")->values[i] == (double)heights[i]);
    }
    for (int i = 0; i < 4; i++) assert_true(column_of(table, "count")->values[i] == counts[i]);
    fender_recording_close(&r);
}

/* A list of contacts, whose names have a fixed length: one fills it. */
static void of_contacts(void **state)
{
    (void)state;
    const double times[] = {0, 0, 1, 2}, depths[] = {1, 2, 3, 4};
    static const char names[4][8] = {"g.p:a.s", "g.p:b.s", "g.p:b.s", {'g', '.', 'p', ':', 'a', '.', 's', '2'}};
    hid_t file = open_new("list.h5"), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof names[0]);
    add(file, "time", H5T_NATIVE_DOUBLE, times, 4, "s");
    add(file, "contact", type, names, 4, NULL);
    add(file, "depth", H5T_NATIVE_DOUBLE, depths, 4, "m");
    H5Tclose(type);
    H5Fclose(file);
    fender_recording r = open_recorded("list.h5");
    assert_int_equal(r.table_count, 1);
    check_ok(fender_recording_split_contacts(&r, &error));
    assert_int_equal(r.table_count, 3);
    const fender_recording_channel *one = fender_recording_find(&r, "g.p:b.s.depth");
    assert_non_null(one);
    assert_string_equal(one->unit, "m");
    assert_int_equal(one->table->row_count, 2);
    assert_true(one->table->columns[one->column].values[1] == 3 && fender_recording_times(one->table)[1] == 1);
    assert_non_null(fender_recording_find(&r, "g.p:a.s2.depth"));
    fender_recording_close(&r);
}

typedef struct record {
    double t;
    int32_t step;
    float force;
} record;

/* A dataset of records, as h5py and PyTables write tables. */
static void of_records(void **state)
{
    (void)state;
    const record rows[] = {{0, 1, 0.5f}, {0.1, 2, -2}, {0.2, 3, 8}};
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(record)), file = open_new("records.h5");
    H5Tinsert(type, "t", HOFFSET(record, t), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "step", HOFFSET(record, step), H5T_NATIVE_INT32);
    H5Tinsert(type, "force [kN]", HOFFSET(record, force), H5T_NATIVE_FLOAT);
    add(file, "log", type, rows, 3, NULL);
    H5Tclose(type);
    H5Fclose(file);
    fender_recording r = open_recorded("records.h5");
    assert_int_equal(r.table_count, 1);
    const fender_recording_channel *force = fender_recording_find(&r, "force");
    assert_non_null(force);
    assert_string_equal(force->unit, "kN");
    for (int i = 0; i < 3; i++) {
        assert_true(fender_recording_times(force->table)[i] == rows[i].t);
        assert_true(force->table->columns[force->column].values[i] == (double)rows[i].force);
    }
    fender_recording_close(&r);
}

/* Files without tables, and files that are none. */
static void not_read(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const double square[4] = {1, 2, 3, 4};
    const hsize_t sizes[2] = {2, 2};
    hid_t file = open_new("empty.h5"), space = H5Screate_simple(2, sizes, NULL);
    hid_t set = H5Dcreate2(file, "square", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, square);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    const char broken[] = "\x89HDF\r\n\x1a\n and then nothing more of it";
    write_bytes("broken.h5", broken, sizeof broken);
    static const struct {
        const char *name, *message;
        fender_status status;
    } cases[] = {{"empty.h5", "holds no table", FENDER_STATUS_PARSE}, {"broken.h5", "cannot read", FENDER_STATUS_FILE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_recording r;
        fender_error error = {0};
        fender_status status = fender_recording_open(&r, &env, cases[i].name, NULL, true, &error);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_string_equal(error.source, cases[i].name);
        fender_recording_close(&r);
    }
}

/* A file cut anywhere is read or refused, and nothing else. */
static void cut_off(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    static char data[1 << 16];
    FILE *stream = fopen("other.h5", "rb");
    assert_non_null(stream);
    size_t length = fread(data, 1, sizeof data, stream);
    fclose(stream);
    assert_true(length > 1000 && length < sizeof data);
    for (size_t cut = 0; cut < length; cut += 61) {
        fender_recording r;
        fender_error error = {0};
        write_bytes("cut.h5", data, cut);
        fender_status status = fender_recording_open(&r, &env, "cut.h5", NULL, true, &error);
        if (status != FENDER_STATUS_OK) assert_true(error.message[0] != '\0');
        fender_recording_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_others),
                                       cmocka_unit_test(of_contacts),
                                       cmocka_unit_test(of_records),
                                       cmocka_unit_test(not_read),
                                       cmocka_unit_test(cut_off),
                                       cmocka_unit_test(links_in_circles),
                                       cmocka_unit_test(more_rows_than_bytes)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#else

/* Without HDF5 the option is named, for writing and for reading. */
static void option_is_named(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error writing = {0}, reading = {0};
    fender_recording r;
    assert_null(fnd_store_open(&env.allocator, "log.h5", NULL, false, &writing));
    assert_int_equal(writing.status, FENDER_STATUS_NOT_BUILT);
    assert_non_null(strstr(writing.suggestion, "-DFENDER_WITH_HDF5=ON"));
    write_bytes("any.h5", "\x89HDF\r\n\x1a\n", 8);
    assert_int_equal(fender_recording_open(&r, &env, "any.h5", NULL, true, &reading), FENDER_STATUS_NOT_BUILT);
    assert_non_null(strstr(reading.suggestion, "-DFENDER_WITH_HDF5=ON"));
    fender_recording_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(option_is_named)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

#endif
