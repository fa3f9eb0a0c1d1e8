/* Tables in an HDF5 file. Columns are gathered chunk by chunk. Room that a packed chunk leaves is lost to the file
 * while others may read it; so a chunk that is written often before it is whole is written as it is, in its place, and
 * packed once it is whole. The column of times is written last: its length says how many rows are there in all columns,
 * at whatever moment the file is looked at. */
#include "record/store.h"

#ifdef FENDER_WITH_HDF5

#include "record/packer.h"
#include "text/arena.h"
#include "text/fault.h"
#include "text/hdf5_calls.h"
#include "text/system_error.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Rows of a chunk: of numbers 8 kB; of texts, which take some hundred bytes each, fewer. */
enum { CHUNK_OF_NUMBERS = 1024, CHUNK_OF_TEXTS = 128 };
/* So often a chunk that is not whole is packed. */
enum { PACKED_LOOKS = 8 };

typedef struct column {
    const char *name, *unit;
    size_t width; /* bytes of a value */
    bool is_text;
    bool again; /* a column of that name is there already (the time, named as a channel): it is left out */
    hid_t dataset;
    char *cells; /* of the chunk at hand */
} column;

struct fnd_sheet {
    fnd_store *store;
    fnd_sheet *next;
    const char *group;
    column *columns;
    int count, capacity, at; /* column that the next cell is for */
    int64_t rows, rows_in_file;
    int64_t chunk; /* rows */
    size_t fill;   /* rows in the chunk at hand */
    int looks;     /* how often the chunk at hand was written before it was whole */
    bool go_on;
};

struct fnd_store {
    fnd_arena arena; /* owns everything */
    fnd_hdf5_reason reason;
    const char *path;
    hid_t file;
    fnd_sheet *sheets;
    size_t chunk_size; /* bytes of the largest chunk */
    fnd_packer packer;
};

bool fnd_store_is_built(void) { return true; }

/* What HDF5 still has in mind goes nowhere from here on: on a full disk a part of it would find room, and the file, now
 * as others read it, would be left in pieces. */
static void cut_off(fnd_store *store)
{
    void *handle = NULL;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0) return;
    if (H5Fget_vfd_handle(store->file, H5P_DEFAULT, &handle) >= 0 && handle) dup2(nowhere, *(const int *)handle);
    close(nowhere);
}

/* Keeps the reason of the first call that fails, before the next call forgets it. */
static bool good(fnd_store *store, bool success)
{
    if (success) return true;
    bool first = !store->reason.text[0] && !store->reason.number;
    fnd_hdf5_find_reason(&store->reason);
    if (first && store->file >= 0) cut_off(store);
    return false;
}

static fender_status fail(const fnd_store *store, const char *what, fender_error *error)
{
    if (store->arena.failed) return fnd_io_fail_memory(error, "a table of HDF5");
    return fnd_hdf5_fail(&store->reason, what, store->path, error);
}

/* ---- the file */

/* Of fixed length: texts of any length lie in a heap of the file whose sizes HDF5 (1.10) believes, damaged or not. An
 * attribute of more than 64 kB has no place of its own, so the longest scenarios go there in spite of that. */
static bool write_text(fnd_store *store, hid_t object, const char *name, const char *text)
{
    enum { LONGEST = 32768 };
    const size_t size = strlen(text) + 1;
    const bool variable = size > LONGEST;
    hid_t type = fnd_hdf5_text_type(variable ? H5T_VARIABLE : size), space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = good(store, attribute >= 0) &&
                   good(store, H5Awrite(attribute, type, variable ? (const void *)&text : text) >= 0);
    if (attribute >= 0) written = good(store, H5Aclose(attribute) >= 0) && written;
    H5Sclose(space);
    H5Tclose(type);
    return written;
}

enum { HASH_SIZE = 17 };

/* Written over at the end, when none can be added any more: therefore of a fixed length. */
static bool write_hash(fnd_store *store, const char *hash, bool create)
{
    char text[HASH_SIZE] = "";
    snprintf(text, sizeof text, "%s", hash);
    hid_t type = fnd_hdf5_text_type(HASH_SIZE), space = H5Screate(H5S_SCALAR);
    hid_t attribute = create ? H5Acreate2(store->file, "hash", type, space, H5P_DEFAULT, H5P_DEFAULT)
                             : H5Aopen(store->file, "hash", H5P_DEFAULT);
    bool written = good(store, attribute >= 0) && good(store, H5Awrite(attribute, type, text) >= 0);
    if (attribute >= 0) written = good(store, H5Aclose(attribute) >= 0) && written;
    H5Sclose(space);
    H5Tclose(type);
    return written;
}

static bool write_about(fnd_store *store, const fnd_store_about *about)
{
    return write_text(store, store->file, "format", "fender-recording") &&
           write_text(store, store->file, "format_version", "1") &&
           write_text(store, store->file, "fender_version", fender_version()) &&
           (!about || !about->title || write_text(store, store->file, "title", about->title)) &&
           (!about || !about->scenario || write_text(store, store->file, "scenario", about->scenario)) &&
           (!about || !about->scenario_hash || write_text(store, store->file, "scenario_hash", about->scenario_hash)) &&
           write_hash(store, "", true);
}

static bool open_file(fnd_store *store, const fnd_store_about *about, bool go_on)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    if (go_on) {
        /* Of a writer that was killed the file says that it is being written, and where its end was some time ago: as
         * h5clear does. */
        bool yes = true;
        H5Pset(access, "clear_status_flags", &yes);
        H5Pset(access, "skip_eof_check", &yes);
        store->file = H5Fopen(store->path, H5F_ACC_RDWR, access);
        bool opened = good(store, store->file >= 0) && good(store, H5Fincrement_filesize(store->file, 0) >= 0);
        H5Pclose(access);
        return opened && write_hash(store, "", false);
    }
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    store->file = H5Fcreate(store->path, H5F_ACC_TRUNC, creation, access);
    bool created = good(store, store->file >= 0);
    H5Pclose(creation);
    H5Pclose(access);
    return created && write_about(store, about);
}

static void destroy(fnd_store *store)
{
    fnd_arena arena = store->arena;
    fnd_arena_close(&arena);
}

fnd_store *fnd_store_open(const fender_allocator *allocator, const char *path, const fnd_store_about *about, bool go_on,
                          fender_error *error)
{
    fnd_arena arena = fnd_arena_open(allocator, 0);
    fnd_store *store = FND_ARENA_NEW(&arena, fnd_store);
    if (store) {
        store->path = fnd_arena_copy(&arena, path, strlen(path));
        store->file = -1;
        store->arena = arena;
    }
    if (!store || !store->path) {
        fnd_arena_close(&arena);
        fnd_io_fail_memory(error, "a table of HDF5");
        return NULL;
    }
    if (!fnd_hdf5_check_version(store->path, error)) {
        destroy(store);
        return NULL;
    }
    fnd_hdf5_quiet quiet = fnd_hdf5_quiet_begin();
    bool opened = open_file(store, about, go_on);
    if (!opened && store->file >= 0) H5Fclose(store->file);
    fnd_hdf5_quiet_end(&quiet);
    if (opened) return store;
    fail(store, "open", error);
    destroy(store);
    return NULL;
}

/* ---- columns */

fnd_sheet *fnd_sheet_open(fnd_store *store, const char *group, int64_t rows, fender_error *error)
{
    fnd_sheet *sheet = FND_ARENA_NEW(&store->arena, fnd_sheet);
    if (sheet) sheet->group = fnd_arena_copy(&store->arena, group, strlen(group));
    if (!sheet || !sheet->group) {
        fnd_io_fail_memory(error, "a table of HDF5");
        return NULL;
    }
    sheet->store = store;
    sheet->go_on = rows >= 0;
    sheet->rows = sheet->rows_in_file = rows >= 0 ? rows : 0;
    sheet->chunk = CHUNK_OF_NUMBERS;
    fnd_sheet **end = &store->sheets; /* groups in the order of their making */
    while (*end) end = &(*end)->next;
    *end = sheet;
    return sheet;
}

fender_status fnd_sheet_head(fnd_sheet *sheet, const char *name, const char *unit, size_t text_size,
                             fender_error *error)
{
    fnd_arena *arena = &sheet->store->arena;
    if (sheet->count == sheet->capacity) {
        int capacity = sheet->capacity > 0 ? 2 * sheet->capacity : 16;
        column *columns = FND_ARENA_NEW_ARRAY(arena, column, (size_t)capacity);
        if (!columns) return fnd_io_fail_memory(error, "the columns of a table");
        if (sheet->count > 0) memcpy(columns, sheet->columns, (size_t)sheet->count * sizeof *columns);
        sheet->columns = columns;
        sheet->capacity = capacity;
    }
    column *c = &sheet->columns[sheet->count];
    *c = (column){.name = fnd_arena_copy(arena, name, strlen(name)),
                  .unit = fnd_arena_copy(arena, unit, strlen(unit)),
                  .width = text_size > 0 ? text_size : sizeof(double),
                  .is_text = text_size > 0,
                  .dataset = -1};
    if (!c->name || !c->unit) return fnd_io_fail_memory(error, "the columns of a table");
    for (int i = 0; i < sheet->count && !c->again; i++) c->again = strcmp(sheet->columns[i].name, name) == 0;
    if (c->is_text) sheet->chunk = CHUNK_OF_TEXTS;
    sheet->count++;
    return FENDER_STATUS_OK;
}

static hid_t type_of(const column *c) { return c->is_text ? fnd_hdf5_text_type(c->width) : H5Tcopy(H5T_NATIVE_DOUBLE); }

static bool create_column(fnd_sheet *sheet, hid_t group, const column *c)
{
    fnd_store *store = sheet->store;
    if (c->again) return true;
    const hsize_t none = 0, most = H5S_UNLIMITED, chunk = (hsize_t)sheet->chunk;
    const double nothing = NAN; /* where a reader looks at a row that is not there yet */
    hid_t type = type_of(c), space = H5Screate_simple(1, &none, &most), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, FND_PACK_LEVEL);
    if (!c->is_text) H5Pset_fill_value(creation, type, &nothing);
    hid_t dataset = H5Dcreate2(group, c->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool created = good(store, dataset >= 0) && (c->is_text || write_text(store, dataset, "unit", c->unit));
    if (dataset >= 0) created = good(store, H5Dclose(dataset) >= 0) && created;
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
    return created;
}

static bool read_rows(fnd_sheet *sheet, const column *c, hid_t dataset, int64_t first, int64_t count)
{
    const hsize_t start = (hsize_t)first, rows = (hsize_t)count;
    hid_t type = type_of(c), here = H5Screate_simple(1, &rows, NULL), there = H5Dget_space(dataset);
    bool read = good(sheet->store, H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &rows, NULL) >= 0) &&
                good(sheet->store, H5Dread(dataset, type, here, there, H5P_DEFAULT, c->cells) >= 0);
    H5Sclose(there);
    H5Sclose(here);
    H5Tclose(type);
    return read;
}

/* Cuts what lies behind the rows that are gone on from, and takes up the last of them. */
static bool take_up_column(fnd_sheet *sheet, hid_t group, const column *c)
{
    fnd_store *store = sheet->store;
    const hsize_t rows = (hsize_t)sheet->rows;
    if (c->again) return true;
    int64_t begin = sheet->rows / sheet->chunk * sheet->chunk;
    hid_t dataset = H5Dopen2(group, c->name, H5P_DEFAULT);
    bool taken = good(store, dataset >= 0) && good(store, H5Dset_extent(dataset, &rows) >= 0) &&
                 (begin == sheet->rows || read_rows(sheet, c, dataset, begin, sheet->rows - begin));
    if (dataset >= 0) taken = good(store, H5Dclose(dataset) >= 0) && taken;
    return taken;
}

static bool prepare_sheet(fnd_sheet *sheet)
{
    fnd_store *store = sheet->store;
    bool ready = true;
    sheet->fill = (size_t)(sheet->rows % sheet->chunk);
    for (int i = 0; i < sheet->count && ready; i++) {
        column *c = &sheet->columns[i];
        c->cells = fnd_arena_array(&store->arena, (size_t)sheet->chunk, c->width, _Alignof(double));
        ready = c->cells != NULL;
        size_t size = (size_t)sheet->chunk * c->width;
        if (size > store->chunk_size) store->chunk_size = size;
    }
    if (!ready) return false;
    hid_t order = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hid_t group = sheet->go_on ? H5Gopen2(store->file, sheet->group, H5P_DEFAULT)
                               : H5Gcreate2(store->file, sheet->group, H5P_DEFAULT, order, H5P_DEFAULT);
    ready = good(store, group >= 0);
    for (int i = 0; i < sheet->count && ready; i++)
        ready = sheet->go_on ? take_up_column(sheet, group, &sheet->columns[i])
                             : create_column(sheet, group, &sheet->columns[i]);
    if (group >= 0) ready = good(store, H5Gclose(group) >= 0) && ready;
    H5Pclose(order);
    return ready;
}

static bool open_columns(fnd_sheet *sheet)
{
    fnd_store *store = sheet->store;
    bool opened = true;
    hid_t group = H5Gopen2(store->file, sheet->group, H5P_DEFAULT), access = H5Pcreate(H5P_DATASET_ACCESS);
    opened = good(store, group >= 0);
    /* whole chunks go straight through: none is kept */
    H5Pset_chunk_cache(access, 1, 0, 1);
    for (int i = 0; i < sheet->count && opened; i++) {
        if (sheet->columns[i].again) continue;
        sheet->columns[i].dataset = H5Dopen2(group, sheet->columns[i].name, access);
        opened = good(store, sheet->columns[i].dataset >= 0);
    }
    H5Pclose(access);
    if (group >= 0) H5Gclose(group);
    return opened;
}

fender_status fnd_store_start(fnd_store *store, fender_error *error)
{
    fnd_hdf5_quiet quiet = fnd_hdf5_quiet_begin();
    bool started = true;
    for (fnd_sheet *s = store->sheets; s && started; s = s->next) started = prepare_sheet(s);
    started = started && fnd_packer_open(&store->packer, &store->arena, store->chunk_size);
    started = started && good(store, H5Fstart_swmr_write(store->file) >= 0);
    for (fnd_sheet *s = store->sheets; s && started; s = s->next) started = open_columns(s);
    fnd_hdf5_quiet_end(&quiet);
    return started ? FENDER_STATUS_OK : fail(store, "write", error);
}

/* ---- rows */

void fnd_sheet_number(fnd_sheet *sheet, double value)
{
    if (sheet->at >= sheet->count) return;
    const column *c = &sheet->columns[sheet->at++];
    if (!c->is_text) memcpy(c->cells + sheet->fill * c->width, &value, sizeof value);
}

void fnd_sheet_text(fnd_sheet *sheet, const char *text)
{
    if (sheet->at >= sheet->count) return;
    const column *c = &sheet->columns[sheet->at++];
    size_t length = strlen(text);
    if (c->is_text) memcpy(c->cells + sheet->fill * c->width, text, length < c->width ? length : c->width);
}

/* The chunk at hand. It is packed here rather than by HDF5, which would have to
 * read it again and (1.10) mistakes a chunk that was written as it is for a packed one. */
static bool write_column(fnd_sheet *sheet, const column *c, int64_t begin, bool pack)
{
    enum { PACKED = 0, AS_IT_IS = 3 }; /* bits of the filters that are left out: shuffle, deflate */
    fnd_store *store = sheet->store;
    const hsize_t rows = (hsize_t)sheet->rows, offset = (hsize_t)begin;
    size_t size = (size_t)sheet->chunk * c->width;
    if (c->again) return true;
    size_t packed = pack ? fnd_pack(&store->packer, c->cells, (size_t)sheet->chunk, c->width) : 0;
    pack = packed > 0;
    return good(store, H5Dset_extent(c->dataset, &rows) >= 0) &&
           good(store, H5Dwrite_chunk(c->dataset, H5P_DEFAULT, pack ? PACKED : AS_IT_IS, &offset, pack ? packed : size,
                                      pack ? store->packer.packed : (const void *)c->cells) >= 0);
}

static bool write_rows(fnd_sheet *sheet, int64_t begin, bool pack)
{
    fnd_store *store = sheet->store;
    bool written = true;
    for (int i = 1; i < sheet->count && written; i++) written = write_column(sheet, &sheet->columns[i], begin, pack);
    return written && good(store, H5Fflush(store->file, H5F_SCOPE_LOCAL) >= 0) &&
           write_column(sheet, &sheet->columns[0], begin, pack) &&
           good(store, H5Fflush(store->file, H5F_SCOPE_LOCAL) >= 0);
}

static fender_status flush(fnd_sheet *sheet, bool last, fender_error *error)
{
    if (sheet->rows == sheet->rows_in_file && !last) return FENDER_STATUS_OK;
    int64_t begin = (sheet->rows - (sheet->rows > 0)) / sheet->chunk * sheet->chunk;
    if (sheet->rows == 0 || (last && sheet->rows == sheet->rows_in_file && sheet->rows % sheet->chunk == 0))
        return FENDER_STATUS_OK;
    fnd_hdf5_quiet quiet = fnd_hdf5_quiet_begin();
    bool written = write_rows(sheet, begin, last || sheet->looks++ < PACKED_LOOKS);
    fnd_hdf5_quiet_end(&quiet);
    if (!written) return fail(sheet->store, "write", error);
    sheet->rows_in_file = sheet->rows;
    return FENDER_STATUS_OK;
}

fender_status fnd_sheet_end_row(fnd_sheet *sheet, fender_error *error)
{
    sheet->at = 0;
    sheet->rows++;
    sheet->fill++;
    if (sheet->rows % sheet->chunk != 0) return FENDER_STATUS_OK;
    sheet->fill = 0;
    fender_status status = flush(sheet, true, error);
    sheet->looks = 0;
    for (int i = 0; i < sheet->count; i++)
        memset(sheet->columns[i].cells, 0, (size_t)sheet->chunk * sheet->columns[i].width);
    return status;
}

fender_status fnd_sheet_flush(fnd_sheet *sheet, bool sync, fender_error *error)
{
    fender_status status = flush(sheet, false, error);
    if (status != FENDER_STATUS_OK || !sync) return status;
    const char *path = sheet->store->path;
    int descriptor = open(path, O_RDWR | O_CLOEXEC), number = 0;
    if (descriptor < 0 || fsync(descriptor) != 0) number = errno;
    if (descriptor >= 0) close(descriptor);
    return number ? fnd_system_fail(error, "write", path, number) : FENDER_STATUS_OK;
}

int64_t fnd_sheet_rows_in_file(const fnd_sheet *sheet) { return sheet->rows_in_file; }

/* ---- the end */

fender_status fnd_sheet_close(fnd_sheet *sheet, bool failed, fender_error *error)
{
    bool started = sheet->count > 0 && sheet->columns[0].dataset >= 0, closed = true;
    fender_status status = started && !failed ? flush(sheet, true, error) : FENDER_STATUS_OK;
    fnd_hdf5_quiet quiet = fnd_hdf5_quiet_begin();
    for (int i = 0; i < sheet->count; i++) {
        column *c = &sheet->columns[i];
        if (c->dataset >= 0) closed = good(sheet->store, H5Dclose(c->dataset) >= 0) && closed;
        c->dataset = -1;
    }
    fnd_hdf5_quiet_end(&quiet);
    if (status == FENDER_STATUS_OK && !closed && !failed) status = fail(sheet->store, "write", error);
    return status;
}

fender_status fnd_store_close(fnd_store *store, const char *hash, fender_error *error)
{
    fnd_hdf5_quiet quiet = fnd_hdf5_quiet_begin();
    bool closed = !hash || write_hash(store, hash, false);
    closed = good(store, H5Fclose(store->file) >= 0) && closed;
    fnd_hdf5_quiet_end(&quiet);
    fender_status status = closed ? FENDER_STATUS_OK : fail(store, "close", error);
    destroy(store);
    return status;
}

#endif
