/* Tables in HDF5 files, as HDF5 may be used by a library: it prints nothing, and what fails becomes a fender_error.
 *
 * Written: a group for each table, in it a dataset for each column. Columns are gathered chunk by chunk. Room that a
 * packed chunk leaves is lost to the file while others may read it; so a chunk that is written often before it is whole
 * is written as it is, in its place, and packed once it is whole. The column of times is written last: its length says
 * how many rows are there in all columns, at whatever moment the file is looked at.
 *
 * Read: a group whose datasets are columns, or a dataset of records (compound); several tables to a file. */
#include "tables/hdf5.h"

#include "support/io_error.h"
#include "tables/recording.h"
#include "tables/table.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool fnd_hdf5_is(const char *file)
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

static bool fits(const fnd_table_source *source) { return fnd_hdf5_is(source->file); }

#ifdef FENDER_WITH_HDF5

#include <hdf5.h>
#include <zlib.h>

/* ---- calls of HDF5 */

/* Between begin and end the calls of this thread print no errors; what the host has set is put back. */
typedef struct quiet_calls {
    H5E_auto2_t print;
    void *data;
} quiet_calls;

static quiet_calls begin_quiet(void)
{
    quiet_calls quiet = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

static void end_quiet(const quiet_calls *quiet) { H5Eset_auto2(H5E_DEFAULT, quiet->print, quiet->data); }

/* Why a call has failed: the innermost of the reasons that HDF5 gives. */
typedef struct call_reason {
    char text[200];
    int number; /* of the system; 0: none */
} call_reason;

static herr_t take_reason(unsigned index, const H5E_error2_t *of, void *to)
{
    call_reason *reason = to;
    static const char mark[] = "errno = ";
    if (!of->desc) return 0;
    const char *number = strstr(of->desc, mark);
    if (index == 0) snprintf(reason->text, sizeof reason->text, "%s", of->desc);
    if (number && reason->number == 0) reason->number = (int)strtol(number + sizeof mark - 1, NULL, 10);
    return 0;
}

/* To be asked right after the call; keeps the first reason of several. */
static void find_reason(call_reason *reason)
{
    if (reason->text[0] || reason->number) return;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, reason);
    if (!reason->text[0]) snprintf(reason->text, sizeof reason->text, "HDF5 gives no reason");
}

/* FILE (MEMORY where the system says so): "cannot <what> 'path'" and the reason. */
static fender_status fail_call(const call_reason *reason, const char *what, const char *path, fender_error *error)
{
    char message[320], excerpt[120];
    if (reason->number) return fnd_system_fail(error, what, path, reason->number);
    if (strstr(reason->text, "memory allocation failed")) return fnd_system_fail(error, what, path, ENOMEM);
    fnd_io_excerpt(excerpt, sizeof excerpt, path, strlen(path));
    snprintf(message, sizeof message, "cannot %s '%s' as HDF5", what, excerpt);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path, .message = message, .found = reason->text,
                       .expected = "an HDF5 file that is whole and that nobody else is writing",
                       .suggestion = "h5dump -H FILE tells what it holds");
}

/* To be asked before all else: HDF5 ends a program that was built for another version of it. NOT_BUILT and false. */
static bool check_version(const char *path, fender_error *error)
{
    unsigned major = 0, minor = 0, release = 0;
    char found[40], expected[40];
    /* HDF5 (1.10) goes on at the end of a program with files that could not be closed, as on a full disk, and falls
     * over them. It hears this before its first other call alone. */
    if (H5dont_atexit() < 0) H5Eclear2(H5E_DEFAULT);
    if (H5get_libversion(&major, &minor, &release) >= 0 && major == H5_VERS_MAJOR && minor == H5_VERS_MINOR &&
        release == H5_VERS_RELEASE)
        return true;
    snprintf(found, sizeof found, "HDF5 %u.%u.%u", major, minor, release);
    snprintf(expected, sizeof expected, "HDF5 %d.%d.%d", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .source = path,
                .message = "this fender was built for another version of HDF5", .found = found, .expected = expected,
                .suggestion = "build fender again");
    return false;
}

/* Texts in UTF-8: of less than `size` bytes, ended by zero, or of any length (H5T_VARIABLE). To be closed. */
static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* ---- chunks made small, as the filters shuffle and deflate of HDF5 do it */

/* Numbers of a simulation hardly shrink more at the higher levels, which cost twice as much. Chunks are small: a window
 * of 8 kB, and tables that are soon cleared. */
enum { PACK_LEVEL = 1, WINDOW = 13, PACK_TABLES = 5 };

typedef struct packer {
    z_stream stream;
    unsigned char *shuffled, *packed;
} packer;

static voidpf take_memory(voidpf arena, uInt count, uInt size) { return fnd_arena_array(arena, count, size, 16); }
static void leave_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

/* For chunks of up to so many bytes. All memory is the arena's, taken here; there is nothing to close. */
static bool open_packer(packer *p, fnd_arena *arena, size_t size)
{
    p->shuffled = FND_ARENA_NEW_ARRAY(arena, unsigned char, size);
    p->packed = FND_ARENA_NEW_ARRAY(arena, unsigned char, size);
    p->stream = (z_stream){.zalloc = take_memory, .zfree = leave_memory, .opaque = arena};
    return p->shuffled && p->packed &&
           deflateInit2(&p->stream, PACK_LEVEL, Z_DEFLATED, WINDOW, PACK_TABLES, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* The first bytes of all values, then the second ones: what is alike comes together. */
static void shuffle(const char *values, size_t count, size_t width, unsigned char *to)
{
    for (size_t k = 0; k < width; k++) {
        const char *from = values + k;
        for (size_t i = 0; i < count; i++, from += width) *to++ = (unsigned char)*from;
    }
}

/* Values of `width` bytes each: how many bytes `packed` holds of them then; 0: they do not shrink. */
static size_t pack_values(packer *p, const char *values, size_t count, size_t width)
{
    assert(width > 0);
    z_stream *z = &p->stream;
    shuffle(values, count, width, p->shuffled);
    const uInt size = (uInt)(count * width), room = size - 1;
    z->next_in = p->shuffled;
    z->avail_in = size;
    z->next_out = p->packed;
    z->avail_out = room;
    return deflateReset(z) == Z_OK && deflate(z, Z_FINISH) == Z_STREAM_END ? room - z->avail_out : 0;
}

/* ---- writing: the file */

/* Rows of a chunk: of numbers 8 kB; of texts, which take some hundred bytes each, fewer. */
enum { CHUNK_OF_NUMBERS = 1024, CHUNK_OF_TEXTS = 128 };
/* Number of flushes in which incomplete chunks are compressed. */
enum { PACKED_SAMPLES = 8 };

typedef struct sheet_column {
    const char *name, *unit;
    size_t width; /* bytes of a value */
    bool is_text;
    bool again; /* a column of that name is there already (the time, named as a channel): it is left out */
    hid_t dataset;
    char *cells; /* of the chunk at hand */
} sheet_column;

struct fnd_sheet {
    fnd_store *store;
    fnd_sheet *next;
    const char *group;
    sheet_column *columns;
    int count, capacity, at; /* column that the next cell is for */
    int64_t rows, rows_in_file;
    int64_t chunk; /* rows */
    size_t fill;   /* rows in the chunk at hand */
    int looks;     /* how often the chunk at hand was written before it was whole */
    bool go_on;
};

struct fnd_store {
    fnd_arena arena; /* owns everything */
    call_reason reason;
    const char *path;
    hid_t file;
    fnd_sheet *sheets;
    size_t chunk_size; /* bytes of the largest chunk */
    packer packer;
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
    find_reason(&store->reason);
    if (first && store->file >= 0) cut_off(store);
    return false;
}

static fender_status fail(const fnd_store *store, const char *what, fender_error *error)
{
    if (store->arena.failed) return fnd_io_fail_memory(error, "a table of HDF5");
    return fail_call(&store->reason, what, store->path, error);
}

/* Of fixed length: texts of any length lie in a heap of the file whose sizes HDF5 (1.10) believes, damaged or not. An
 * attribute of more than 64 kB has no place of its own, so the longest scenarios go there in spite of that. */
static bool write_text(fnd_store *store, hid_t object, const char *name, const char *text)
{
    enum { LONGEST = 32768 };
    const size_t size = strlen(text) + 1;
    const bool variable = size > LONGEST;
    hid_t type = text_type(variable ? H5T_VARIABLE : size), space = H5Screate(H5S_SCALAR);
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
    hid_t type = text_type(HASH_SIZE), space = H5Screate(H5S_SCALAR);
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
    return write_text(store, store->file, "format", about && about->format ? about->format : "fender-recording") &&
           write_text(store, store->file, "format_version", "1") &&
           write_text(store, store->file, "fender_version", fender_version()) &&
           (!about || !about->title || write_text(store, store->file, "title", about->title)) &&
           (!about || !about->scenario || write_text(store, store->file, "scenario", about->scenario)) &&
           (!about || !about->scenario_hash || write_text(store, store->file, "scenario_hash", about->scenario_hash)) &&
           (!about || !about->study || write_text(store, store->file, "study", about->study)) &&
           (!about || !about->study_hash || write_text(store, store->file, "study_hash", about->study_hash)) &&
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
    if (!check_version(store->path, error)) {
        destroy(store);
        return NULL;
    }
    quiet_calls quiet = begin_quiet();
    bool opened = open_file(store, about, go_on);
    if (!opened && store->file >= 0) H5Fclose(store->file);
    end_quiet(&quiet);
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

static fender_status add_column_to(fnd_sheet *sheet, const char *name, const char *unit, size_t text_size,
                                   fender_error *error)
{
    fnd_arena *arena = &sheet->store->arena;
    if (sheet->count == sheet->capacity) {
        int capacity = sheet->capacity > 0 ? 2 * sheet->capacity : 16;
        sheet_column *columns = FND_ARENA_NEW_ARRAY(arena, sheet_column, (size_t)capacity);
        if (!columns) return fnd_io_fail_memory(error, "the columns of a table");
        if (sheet->count > 0) memcpy(columns, sheet->columns, (size_t)sheet->count * sizeof *columns);
        sheet->columns = columns;
        sheet->capacity = capacity;
    }
    sheet_column *c = &sheet->columns[sheet->count];
    *c = (sheet_column){.name = fnd_arena_copy(arena, name, strlen(name)),
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

static hid_t type_of(const sheet_column *c) { return c->is_text ? text_type(c->width) : H5Tcopy(H5T_NATIVE_DOUBLE); }

static bool create_column(fnd_sheet *sheet, hid_t group, const sheet_column *c)
{
    fnd_store *store = sheet->store;
    if (c->again) return true;
    const hsize_t none = 0, most = H5S_UNLIMITED, chunk = (hsize_t)sheet->chunk;
    const double nothing = NAN; /* where a reader looks at a row that is not there yet */
    hid_t type = type_of(c), space = H5Screate_simple(1, &none, &most), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, PACK_LEVEL);
    if (!c->is_text) H5Pset_fill_value(creation, type, &nothing);
    hid_t dataset = H5Dcreate2(group, c->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool created = good(store, dataset >= 0) && (c->is_text || write_text(store, dataset, "unit", c->unit));
    if (dataset >= 0) created = good(store, H5Dclose(dataset) >= 0) && created;
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
    return created;
}

static bool read_rows(fnd_sheet *sheet, const sheet_column *c, hid_t dataset, int64_t first, int64_t count)
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
static bool take_up_column(fnd_sheet *sheet, hid_t group, const sheet_column *c)
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
    assert(sheet->chunk > 0 && sheet->count > 0);
    fnd_store *store = sheet->store;
    bool ready = true;
    sheet->fill = (size_t)(sheet->rows % sheet->chunk);
    for (int i = 0; i < sheet->count && ready; i++) {
        sheet_column *c = &sheet->columns[i];
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
    quiet_calls quiet = begin_quiet();
    bool started = true;
    for (fnd_sheet *s = store->sheets; s && started; s = s->next) started = prepare_sheet(s);
    started = started && open_packer(&store->packer, &store->arena, store->chunk_size);
    started = started && good(store, H5Fstart_swmr_write(store->file) >= 0);
    for (fnd_sheet *s = store->sheets; s && started; s = s->next) started = open_columns(s);
    end_quiet(&quiet);
    return started ? FENDER_STATUS_OK : fail(store, "write", error);
}

/* ---- rows */

static void put_number(fnd_sheet *sheet, double value)
{
    if (sheet->at >= sheet->count) return;
    const sheet_column *c = &sheet->columns[sheet->at++];
    if (!c->is_text) memcpy(c->cells + sheet->fill * c->width, &value, sizeof value);
}

static void put_text(fnd_sheet *sheet, const char *text)
{
    if (sheet->at >= sheet->count) return;
    const sheet_column *c = &sheet->columns[sheet->at++];
    size_t length = strlen(text);
    if (c->is_text) memcpy(c->cells + sheet->fill * c->width, text, length < c->width ? length : c->width);
}

/* The chunk at hand. It is packed here rather than by HDF5, which would have to
 * read it again and (1.10) mistakes a chunk that was written as it is for a packed one. */
static bool write_column(fnd_sheet *sheet, const sheet_column *c, int64_t begin, bool pack)
{
    assert(begin >= 0 && begin % sheet->chunk == 0);
    enum { PACKED = 0, AS_IT_IS = 3 }; /* bits of the filters that are left out: shuffle, deflate */
    fnd_store *store = sheet->store;
    const hsize_t rows = (hsize_t)sheet->rows, offset = (hsize_t)begin;
    size_t size = (size_t)sheet->chunk * c->width;
    if (c->again) return true;
    size_t packed = pack ? pack_values(&store->packer, c->cells, (size_t)sheet->chunk, c->width) : 0;
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

static fender_status flush_sheet(fnd_sheet *sheet, bool last, fender_error *error)
{
    assert(sheet->rows >= sheet->rows_in_file);
    if (sheet->rows == sheet->rows_in_file && !last) return FENDER_STATUS_OK;
    int64_t begin = (sheet->rows - (sheet->rows > 0)) / sheet->chunk * sheet->chunk;
    if (sheet->rows == 0 || (last && sheet->rows == sheet->rows_in_file && sheet->rows % sheet->chunk == 0))
        return FENDER_STATUS_OK;
    quiet_calls quiet = begin_quiet();
    bool written = write_rows(sheet, begin, last || sheet->looks++ < PACKED_SAMPLES);
    end_quiet(&quiet);
    if (!written) return fail(sheet->store, "write", error);
    sheet->rows_in_file = sheet->rows;
    return FENDER_STATUS_OK;
}

static fender_status end_sheet_row(fnd_sheet *sheet, fender_error *error)
{
    assert((int64_t)sheet->fill < sheet->chunk);
    sheet->at = 0;
    sheet->rows++;
    sheet->fill++;
    if (sheet->rows % sheet->chunk != 0) return FENDER_STATUS_OK;
    sheet->fill = 0;
    fender_status status = flush_sheet(sheet, true, error);
    sheet->looks = 0;
    for (int i = 0; i < sheet->count; i++)
        memset(sheet->columns[i].cells, 0, (size_t)sheet->chunk * sheet->columns[i].width);
    return status;
}

static fender_status flush_and_sync(fnd_sheet *sheet, bool sync, fender_error *error)
{
    fender_status status = flush_sheet(sheet, false, error);
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
    fender_status status = started && !failed ? flush_sheet(sheet, true, error) : FENDER_STATUS_OK;
    quiet_calls quiet = begin_quiet();
    for (int i = 0; i < sheet->count; i++) {
        sheet_column *c = &sheet->columns[i];
        if (c->dataset >= 0) closed = good(sheet->store, H5Dclose(c->dataset) >= 0) && closed;
        c->dataset = -1;
    }
    end_quiet(&quiet);
    if (status == FENDER_STATUS_OK && !closed && !failed) status = fail(sheet->store, "write", error);
    return status;
}

fender_status fnd_store_close(fnd_store *store, const char *hash, fender_error *error)
{
    quiet_calls quiet = begin_quiet();
    bool closed = !hash || write_hash(store, hash, false);
    closed = good(store, H5Fclose(store->file) >= 0) && closed;
    end_quiet(&quiet);
    fender_status status = closed ? FENDER_STATUS_OK : fail(store, "close", error);
    destroy(store);
    return status;
}

/* ---- as a format of tables */

static void write_head(fnd_table *table, const char *name, const char *unit, size_t text_size)
{
    if (add_column_to(table->sheet, name, unit, text_size, &table->writer.error) != FENDER_STATUS_OK)
        table->failed = true;
}

static void write_number(fnd_table *table, double value) { put_number(table->sheet, value); }
static void write_cell(fnd_table *table, const char *text) { put_text(table->sheet, text); }

/* A file with other tables is started by its owner. */
static bool end_header(fnd_table *table)
{
    return !table->store || fnd_store_start(table->store, &table->writer.error) == FENDER_STATUS_OK;
}

static bool end_row(fnd_table *table) { return end_sheet_row(table->sheet, &table->writer.error) == FENDER_STATUS_OK; }

static bool flush(fnd_table *table, bool sync)
{
    return flush_and_sync(table->sheet, sync, &table->writer.error) == FENDER_STATUS_OK;
}

/* ---- reading */

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
    const fnd_table_source *source;
    int parts;    /* seen */
    hsize_t rows; /* of the column of times */
    fnd_arena *arena;
    fender_recording_table *table;
    call_reason reason;
    const known_group *known;
    bool failed; /* a call */
    int capacity;
    const fnd_row_names *contacts; /* NULL: no column of contacts */
} scan;

enum { CONTACT_NAME_LIMIT = 512 };

static bool well(scan *s, bool success)
{
    if (!success) find_reason(&s->reason);
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
            well(s, H5Aread(attribute, type, variable ? (void *)&text : fixed) >= 0))
            unit = fnd_arena_copy(s->arena, text ? text : fixed, strlen(text ? text : fixed));
        if (text) H5free_memory(text);
        H5Sclose(space);
        H5Tclose(type);
        H5Aclose(attribute);
        if (!unit) return NULL;
    }
    return fnd_recording_trick_unit(unit);
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
    if (!fnd_recording_name_column(s->arena, name, strlen(name), column)) return NULL;
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
    bool read = well(s, H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &rows, NULL) >= 0) &&
                well(s, H5Dread(dataset, type, here, there, H5P_DEFAULT, values) >= 0);
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

/* Whose the rows of a list of contacts are. Texts are of fixed length, as write_text has them. */
static void read_contacts(scan *s, hid_t dataset, hid_t type)
{
    const hsize_t start = 0, rows = s->rows;
    const size_t width = H5Tget_size(type);
    if (H5Tis_variable_str(type) != 0 || width == 0 || width > CONTACT_NAME_LIMIT || !holds_rows(s, dataset, rows))
        return;
    fnd_row_names *names = fnd_row_names_create(s->arena, (size_t)rows);
    char *texts = names ? FND_ARENA_NEW_ARRAY(s->arena, char, (size_t)rows *width) : NULL;
    if (!texts || rows == 0) return;
    hid_t there = H5Dget_space(dataset), here = H5Screate_simple(1, &rows, NULL);
    bool good = well(s, H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &rows, NULL) >= 0) &&
                well(s, H5Dread(dataset, type, here, there, H5P_DEFAULT, texts) >= 0);
    H5Sclose(here);
    H5Sclose(there);
    for (size_t row = 0; good && row < (size_t)rows; row++) {
        const char *text = texts + row * width, *end = memchr(text, '\0', width);
        good = fnd_row_names_note(names, s->arena, row, text, end ? (size_t)(end - text) : width);
    }
    if (good) s->contacts = fnd_row_names_of_contacts(names);
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
    else if (strcmp(name, "contact") == 0) read_contacts(s, dataset, type);
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
    if (s->source->time) return strcmp(s->source->time, name) == 0;
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
    if (!well(s, H5Oget_info2(group, &info, H5O_INFO_BASIC) >= 0)) return true;
#else
    H5O_info_t info;
    if (!well(s, H5Oget_info(group, &info) >= 0)) return true;
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
    if (is_known(s, group) || !well(s, H5Gget_info(group, &info) >= 0)) return;
    if (visit_datasets(s, group, info.nlinks, VISIT_COUNT) > 0 && s->parts++ == s->source->part) {
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
        if (type >= 0 && H5Tget_class(type) == H5T_COMPOUND && s->parts++ == s->source->part) {
            read_records(s, object, type);
            s->table->row_count = (size_t)s->rows;
        }
        if (type >= 0) H5Tclose(type);
        H5Oclose(object);
    }
}

/* A file that is being written, or whose writer was killed, opens for readers beside the writer alone. */
static hid_t open_to_read(scan *s)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_metadata_read_attempts(access, LOOKS);
    hid_t opened = H5Fopen(s->source->file, H5F_ACC_RDONLY, access);
    if (opened < 0) opened = H5Fopen(s->source->file, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    well(s, opened >= 0);
    H5Pclose(access);
    return opened;
}

static fender_status read_table(const fnd_table_source *source, fnd_arena *arena, fender_recording_table *table,
                                int *parts, fender_error *error)
{
    const char *file = source->file;
    scan s = {.source = source, .arena = arena, .table = table};
    *parts = 0;
    if (!check_version(file, error)) return FENDER_STATUS_NOT_BUILT;
    quiet_calls quiet = begin_quiet();
    hid_t opened = open_to_read(&s);
    if (opened >= 0) {
        scan_group(&s, opened, 0);
        H5Fclose(opened);
    }
    end_quiet(&quiet);
    *parts = s.parts;
    if (arena->failed) return fnd_io_fail_memory(error, "the numbers of a table");
    if (s.failed) return fail_call(&s.reason, "read", file, error);
    if (fnd_recording_contact_column(table) >= 0) table->contacts = s.contacts;
    if (source->part < s.parts && table->column_count > 0) return FENDER_STATUS_OK;
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = file, .message = "the HDF5 file holds no table",
                       .found = "no group with datasets of numbers in one dimension",
                       .expected = "a group with a dataset for each column, the time among them",
                       .suggestion = "h5dump -H FILE tells what it holds");
}

const fnd_table_format fnd_hdf5_format = {.name = "HDF5",
                                          .endings = {".h5", ".hdf5"},
                                          .reads_file = true,
                                          .fits = fits,
                                          .read = read_table,
                                          .head = write_head,
                                          .number = write_number,
                                          .text = write_cell,
                                          .end_header = end_header,
                                          .end_row = end_row,
                                          .flush = flush};

#else

bool fnd_store_is_built(void) { return false; }

fnd_store *fnd_store_open(const fender_allocator *allocator, const char *path, const fnd_store_about *about, bool go_on,
                          fender_error *error)
{
    (void)allocator, (void)about, (void)go_on;
    FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .source = path, .message = "this build has no HDF5",
                .found = "an HDF5 file", .expected = "a .csv or .trk file, or a build with HDF5",
                .suggestion = "build with -DFENDER_WITH_HDF5=ON (Debian: libhdf5-dev), or write "
                              "a .csv file");
    return NULL;
}

/* There is no store to call them with. */
fender_status fnd_store_start(fnd_store *store, fender_error *error)
{
    (void)store, (void)error;
    return FENDER_STATUS_NOT_BUILT;
}

fender_status fnd_store_close(fnd_store *store, const char *hash, fender_error *error)
{
    (void)store, (void)hash, (void)error;
    return FENDER_STATUS_OK;
}

fnd_sheet *fnd_sheet_open(fnd_store *store, const char *group, int64_t rows, fender_error *error)
{
    (void)store, (void)group, (void)rows, (void)error;
    return NULL;
}

int64_t fnd_sheet_rows_in_file(const fnd_sheet *sheet)
{
    (void)sheet;
    return 0;
}

fender_status fnd_sheet_close(fnd_sheet *sheet, bool failed, fender_error *error)
{
    (void)sheet, (void)failed, (void)error;
    return FENDER_STATUS_OK;
}

static fender_status read_table(const fnd_table_source *source, fnd_arena *arena, fender_recording_table *table,
                                int *parts, fender_error *error)
{
    (void)arena, (void)table;
    *parts = 0;
    return FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .source = source->file,
                       .message = "this build has no HDF5, which reads such files", .found = "an HDF5 file",
                       .expected = "a CSV or .trk file, or a build with HDF5",
                       .suggestion = "build with -DFENDER_WITH_HDF5=ON (Debian: libhdf5-dev)");
}

const fnd_table_format fnd_hdf5_format = {
    .name = "HDF5", .endings = {".h5", ".hdf5"}, .reads_file = true, .fits = fits, .read = read_table};

#endif
