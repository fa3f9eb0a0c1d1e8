/* Tables of HDF5 files: a group whose datasets are columns, or a dataset of records (compound); several to a file. */
#include "series/series.h"

#include "text/fault.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A pipe is none: what is read of it would be gone. */
bool fnd_series_is_hdf5(const char *file)
{
    static const char mark[] = "\x89HDF\r\n\x1a\n";
    char bytes[8];
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return false;
    bool fits = pread(descriptor, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
                memcmp(bytes, mark, sizeof bytes) == 0;
    close(descriptor);
    return fits;
}

#ifndef FENDER_WITH_HDF5

fender_status fnd_series_read_hdf5(const char *file, const char *time, int part, fnd_arena *arena,
                                   fender_recording_table *table, int *parts, fender_error *error)
{
    (void)time, (void)part, (void)arena, (void)table;
    *parts = 0;
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_NOT_BUILT,
                                             .source = file,
                                             .message = "this fender is built without HDF5, which reads such files",
                                             .found = "an HDF5 file",
                                             .expected = "a CSV or .trk file, or a build with HDF5",
                                             .suggestion = "build with -DFENDER_WITH_HDF5=ON (Debian: libhdf5-dev)"});
}

#else

#include "text/hdf5_calls.h"

enum { NAME_SIZE = 512, DEPTH_LIMIT = 16 };
/* So often HDF5 looks at a piece that a writer is changing. It waits a nanosecond, then twice as long each time: 30 ms
 * in all. Of itself it would look at a piece that is damaged a hundred times, for longer than anybody lives. */
enum { LOOKS = 25 };

/* A group that was scanned. */
typedef struct known_group {
    haddr_t address;
    const struct known_group *next;
} known_group;

typedef struct scan {
    const char *file, *time;
    int part, parts; /* wanted; seen */
    hsize_t rows;    /* of the column of times */
    fnd_arena *arena;
    fender_recording_table *table;
    fnd_hdf5_reason reason;
    const known_group *known;
    bool failed; /* a call */
    int capacity;
} scan;

static bool good(scan *s, bool success)
{
    if (!success) fnd_hdf5_find_reason(&s->reason);
    s->failed = s->failed || !success;
    return success;
}

/* ---- columns */

static bool is_number(hid_t type) { return H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT; }

/* The unit that an attribute states, or "". */
static const char *read_unit(scan *s, hid_t dataset)
{
    static const char *const names[] = {"unit", "units", "Unit", "Units"};
    const char *unit = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !unit[0]; i++) {
        if (H5Aexists(dataset, names[i]) <= 0) continue;
        hid_t attribute = H5Aopen(dataset, names[i], H5P_DEFAULT), type = H5Aget_type(attribute);
        hid_t space = H5Aget_space(attribute);
        bool variable = H5Tis_variable_str(type) > 0;
        size_t size = H5Tget_size(type);
        char *text = NULL, fixed[64] = "";
        if (H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1 &&
            (variable || size < sizeof fixed) &&
            good(s, H5Aread(attribute, type, variable ? (void *)&text : fixed) >= 0))
            unit = fnd_arena_copy(s->arena, text ? text : fixed, strlen(text ? text : fixed));
        if (text) H5free_memory(text);
        H5Sclose(space);
        H5Tclose(type);
        H5Aclose(attribute);
        if (!unit) return NULL;
    }
    return fnd_series_trick_unit(unit);
}

/* Room for one column more. */
static fender_recording_column *add_column(scan *s, const char *name)
{
    fender_recording_table *table = s->table;
    if (table->column_count == s->capacity) {
        int capacity = s->capacity > 0 ? 2 * s->capacity : 32;
        fender_recording_column *columns = FND_ARENA_NEW_ARRAY(s->arena, fender_recording_column, (size_t)capacity);
        if (!columns) return NULL;
        if (table->column_count > 0) memcpy(columns, table->columns, (size_t)table->column_count * sizeof *columns);
        table->columns = columns;
        s->capacity = capacity;
    }
    fender_recording_column *column = &table->columns[table->column_count];
    memset(column, 0, sizeof *column);
    if (!fnd_series_name_column(s->arena, name, strlen(name), column)) return NULL;
    table->column_count++;
    return column;
}

/* Can the bytes that a dataset takes in the file hold so many rows? Compressed by zlib a byte holds at most 1,032; a
 * small file must not ask for all memory. */
static bool holds_rows(scan *s, hid_t dataset, hsize_t rows)
{
    if (rows <= (hsize_t)1 << 17 || rows / 2048 <= H5Dget_storage_size(dataset)) return true;
    if (!s->failed) snprintf(s->reason.text, sizeof s->reason.text, "a dataset says more rows than its bytes can hold");
    s->failed = true;
    return false;
}

/* The first rows of a dataset of one dimension, as `type`. */
static double *read_values(scan *s, hid_t dataset, hid_t type, hsize_t rows)
{
    const hsize_t start = 0;
    if (!holds_rows(s, dataset, rows)) return NULL;
    double *values = FND_ARENA_NEW_ARRAY(s->arena, double, (size_t)rows);
    if (!values || rows == 0) return values;
    hid_t there = H5Dget_space(dataset), here = H5Screate_simple(1, &rows, NULL);
    bool read = good(s, H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &rows, NULL) >= 0) &&
                good(s, H5Dread(dataset, type, here, there, H5P_DEFAULT, values) >= 0);
    H5Sclose(here);
    H5Sclose(there);
    return read ? values : NULL;
}

/* How many rows a dataset of one dimension has; false for others. */
static bool count_rows(hid_t dataset, hsize_t *rows)
{
    hid_t space = H5Dget_space(dataset);
    bool one = H5Sget_simple_extent_ndims(space) == 1;
    if (one) H5Sget_simple_extent_dims(space, rows, NULL);
    H5Sclose(space);
    return one;
}

static void read_column(scan *s, hid_t dataset, hid_t type, const char *name)
{
    hsize_t rows = 0;
    bool words = H5Tget_class(type) == H5T_STRING;
    /* what ends before the last time is no column of this table: a constant, or another table */
    if ((!words && !is_number(type)) || !count_rows(dataset, &rows) || rows < s->rows) return;
    fender_recording_column *column = add_column(s, name);
    const char *unit = column ? read_unit(s, dataset) : NULL;
    if (!unit) return;
    if (unit[0]) column->unit = unit;
    if (!words) column->values = read_values(s, dataset, H5T_NATIVE_DOUBLE, s->rows);
}

/* The members of a dataset of records are columns. */
static void read_records(scan *s, hid_t dataset, hid_t type)
{
    int count = H5Tget_nmembers(type);
    if (!count_rows(dataset, &s->rows)) return;
    for (int i = 0; i < count && !s->failed && !s->arena->failed; i++) {
        hid_t member = H5Tget_member_type(type, (unsigned)i);
        char *name = H5Tget_member_name(type, (unsigned)i);
        fender_recording_column *column = name && is_number(member) ? add_column(s, name) : NULL;
        if (column) {
            hid_t one = H5Tcreate(H5T_COMPOUND, sizeof(double));
            H5Tinsert(one, name, 0, H5T_NATIVE_DOUBLE);
            column->values = read_values(s, dataset, one, s->rows);
            H5Tclose(one);
        }
        if (name) H5free_memory(name);
        H5Tclose(member);
    }
}

/* ---- groups */

typedef enum visit { VISIT_TIME, VISIT_COLUMNS, VISIT_COUNT } visit;

/* How well a name is one of the time: the larger the better; 0: it is none. */
static int rank_of_time(const scan *s, const char *name)
{
    static const char *const usual[] = {"TIME", "Time", "t", "sys.exec.out.time", "time"};
    if (s->time) return strcmp(s->time, name) == 0;
    for (int i = 0; i < 5; i++)
        if (strcmp(usual[i], name) == 0) return i + 1;
    return 0;
}

/* The name of a link of a group, in the order in which they were made where that is known. */
static bool name_link(hid_t group, hsize_t index, char name[NAME_SIZE])
{
    hid_t creation = H5Gget_create_plist(group);
    unsigned flags = 0;
    H5Pget_link_creation_order(creation, &flags);
    H5Pclose(creation);
    H5_index_t by = flags & H5P_CRT_ORDER_INDEXED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    ssize_t length = H5Lget_name_by_idx(group, ".", by, H5_ITER_INC, index, name, NAME_SIZE, H5P_DEFAULT);
    return length > 0 && length < NAME_SIZE;
}

/* The datasets of a group: finds the times, or reads all columns; returns how many columns of numbers there are. */
static int visit_datasets(scan *s, hid_t group, hsize_t links, visit what)
{
    int numbers = 0, best = 0;
    char name[NAME_SIZE];
    for (hsize_t i = 0; i < links && !s->failed && !s->arena->failed; i++) {
        if (!name_link(group, i, name)) continue;
        hid_t dataset = H5Oopen(group, name, H5P_DEFAULT);
        if (dataset < 0) continue; /* a link that leads nowhere */
        hid_t type = H5Iget_type(dataset) == H5I_DATASET ? H5Dget_type(dataset) : -1;
        hsize_t rows;
        if (type >= 0 && is_number(type) && count_rows(dataset, &rows)) {
            int rank = rank_of_time(s, name);
            bool better = what == VISIT_TIME && (rank > best || (numbers == 0 && best == 0));
            if (better) s->rows = rows;
            if (rank > best) best = rank;
            numbers++;
        }
        if (type >= 0 && what == VISIT_COLUMNS) read_column(s, dataset, type, name);
        if (type >= 0) H5Tclose(type);
        H5Oclose(dataset);
    }
    return numbers;
}

/* Has the group been scanned by another link? Links may go in circles, and of two in each group to the same the ways
 * double with each level. */
static bool is_known(scan *s, hid_t group)
{
#if H5_VERSION_GE(1, 12, 0)
    H5O_info1_t info;
    if (!good(s, H5Oget_info2(group, &info, H5O_INFO_BASIC) >= 0)) return true;
#else
    H5O_info_t info;
    if (!good(s, H5Oget_info(group, &info) >= 0)) return true;
#endif
    for (const known_group *known = s->known; known; known = known->next)
        if (known->address == info.addr) return true;
    known_group *known = FND_ARENA_NEW_ARRAY(s->arena, known_group, 1);
    if (!known) return true;
    *known = (known_group){info.addr, s->known};
    s->known = known;
    return false;
}

/* Counts the tables of a group and of those in it, and reads the one that is wanted. */
static void scan_group(scan *s, hid_t group, int depth)
{
    H5G_info_t info;
    char name[NAME_SIZE];
    if (is_known(s, group) || !good(s, H5Gget_info(group, &info) >= 0)) return;
    if (visit_datasets(s, group, info.nlinks, VISIT_COUNT) > 0 && s->parts++ == s->part) {
        visit_datasets(s, group, info.nlinks, VISIT_TIME);
        visit_datasets(s, group, info.nlinks, VISIT_COLUMNS);
        s->table->row_count = (size_t)s->rows;
    }
    for (hsize_t i = 0; i < info.nlinks && depth < DEPTH_LIMIT && !s->failed && !s->arena->failed; i++) {
        if (!name_link(group, i, name)) continue;
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        if (object < 0) continue;
        if (H5Iget_type(object) == H5I_GROUP) scan_group(s, object, depth + 1);
        hid_t type = H5Iget_type(object) == H5I_DATASET ? H5Dget_type(object) : -1;
        if (type >= 0 && H5Tget_class(type) == H5T_COMPOUND && s->parts++ == s->part) {
            read_records(s, object, type);
            s->table->row_count = (size_t)s->rows;
        }
        if (type >= 0) H5Tclose(type);
        H5Oclose(object);
    }
}

/* A file that is being written, or whose writer was killed, opens for readers beside the writer alone. */
static hid_t open_file(scan *s)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_metadata_read_attempts(access, LOOKS);
    hid_t opened = H5Fopen(s->file, H5F_ACC_RDONLY, access);
    if (opened < 0) opened = H5Fopen(s->file, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    good(s, opened >= 0);
    H5Pclose(access);
    return opened;
}

fender_status fnd_series_read_hdf5(const char *file, const char *time, int part, fnd_arena *arena,
                                   fender_recording_table *table, int *parts, fender_error *error)
{
    scan s = {.file = file, .time = time, .part = part, .arena = arena, .table = table};
    *parts = 0;
    if (!fnd_hdf5_check_version(file, error)) return FENDER_STATUS_NOT_BUILT;
    fnd_hdf5_quiet quiet = fnd_hdf5_quiet_begin();
    hid_t opened = open_file(&s);
    if (opened >= 0) {
        scan_group(&s, opened, 0);
        H5Fclose(opened);
    }
    fnd_hdf5_quiet_end(&quiet);
    *parts = s.parts;
    if (arena->failed) return fnd_io_fail_memory(error, "the numbers of a table");
    if (s.failed) return fnd_hdf5_fail(&s.reason, "read", file, error);
    if (part < s.parts && table->column_count > 0) return FENDER_STATUS_OK;
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_PARSE,
                                             .source = file,
                                             .message = "the HDF5 file holds no table",
                                             .found = "no group with datasets of numbers in one dimension",
                                             .expected = "a group with a dataset for each column, the time among them",
                                             .suggestion = "h5dump -H FILE tells what it holds"});
}

#endif
