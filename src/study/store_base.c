/* Calls of SQLite, with what fails made into errors; checksums, by which a store knows that it is what was written. */
#ifdef FENDER_WITH_SQLITE
#include "study/store_base.h"

#include "support/file.h"
#include "support/io_error.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static fender_status fail_with(const char *path, const char *message, const char *found, const char *remedy,
                               fender_error *error)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path, .message = message, .found = found,
                       .expected = "a store of a study (SQLite)", .suggestion = remedy);
}

fender_status fnd_base_fail(const char *path, sqlite3 *base, fender_error *error)
{
    if (!base) return fnd_io_fail_memory(error, "a store");
    switch (sqlite3_errcode(base) & 255) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return fail_with(path, "the store could not be written: is the disk full?", sqlite3_errmsg(base),
                         "make room; the same command goes on, and what was done before is kept", error);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail_with(path, "another program holds the store", sqlite3_errmsg(base),
                         "close the program that reads or writes it; the same command goes on", error);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return fail_with(path, "the store cannot be written", sqlite3_errmsg(base),
                         "look at the permissions of the file and its folder, or name another store with -o", error);
    case SQLITE_NOTADB: return fail_with(path, "this is no store", sqlite3_errmsg(base), "is the name right?", error);
    case SQLITE_CORRUPT: return fnd_base_fail_damaged(path, sqlite3_errmsg(base), error);
    case SQLITE_OK: /* what failed was memory of ours */
    case SQLITE_NOMEM: return fnd_io_fail_memory(error, "a store");
    default:
        return fail_with(path, "the store could not be read or written", sqlite3_errmsg(base), "is it another file?",
                         error);
    }
}

fender_status fnd_base_fail_damaged(const char *path, const char *found, fender_error *error)
{
    return fail_with(path, "the store is damaged: it is not what was written", found,
                     "remove it, or put it aside, and repeat its runs; other stores of the study are not concerned",
                     error);
}

sqlite3 *fnd_base_open(const char *path, fnd_base_mode mode, fender_error *error)
{
    sqlite3 *base = NULL;
    /* Reading needs writing where a journal was left behind; where nothing can be written SQLite reads alone. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == FND_BASE_WRITE ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &base, flags, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(base, 10000);
        if (mode == FND_BASE_READ) /* rows come in order, once: a large cache holds nothing that is wanted again */
            (void)fnd_base_execute(base, "PRAGMA cache_size=-128; PRAGMA query_only=ON");
        return base;
    }
    if (base && mode == FND_BASE_READ && sqlite3_errcode(base) == SQLITE_CANTOPEN)
        (void)fail_with(path, "the store cannot be opened", sqlite3_errmsg(base),
                        "check the name; 'fender study run STUDY' creates a store", error);
    else if (base && sqlite3_errcode(base) == SQLITE_CANTOPEN)
        (void)fail_with(path, "the store cannot be made", sqlite3_errmsg(base), "name another store with -o", error);
    else (void)fnd_base_fail(path, base, error);
    sqlite3_close(base);
    return NULL;
}

bool fnd_base_execute(sqlite3 *base, const char *sql) { return sqlite3_exec(base, sql, NULL, NULL, NULL) == SQLITE_OK; }

/* ---- tables */

static sqlite3_stmt *prepare(sqlite3 *base, fnd_buffer *sql)
{
    sqlite3_stmt *s = NULL;
    if (!sql->failed && sqlite3_prepare_v2(base, fnd_buffer_text(sql), -1, &s, NULL) != SQLITE_OK) s = NULL;
    fnd_buffer_close(sql);
    return s;
}

bool fnd_base_create(sqlite3 *base, const fender_env *env, const char *const *names, const bool *texts, int count)
{
    fnd_buffer sql = fnd_buffer_open(&env->allocator);
    fnd_buffer_append_text(
        &sql, "CREATE TABLE study(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
              "CREATE TABLE columns(position INTEGER PRIMARY KEY, kind TEXT, name TEXT, unit TEXT, detail TEXT);"
              "CREATE TABLE runs(run INTEGER PRIMARY KEY, status TEXT, reason TEXT, hash TEXT");
    for (int i = 0; i < count; i++) {
        fnd_buffer_append_text(&sql, ",\"");
        for (const char *c = names[i]; *c; c++)
            fnd_buffer_append_text(&sql, (const char[]){*c, *c == '"' ? '"' : 0, 0});
        fnd_buffer_append_text(&sql, texts[i] ? "\" TEXT" : "\" REAL");
    }
    fnd_buffer_append_text(&sql, ", checksum INTEGER)");
    bool good = !sql.failed && fnd_base_execute(base, fnd_buffer_text(&sql));
    fnd_buffer_close(&sql);
    return good;
}

sqlite3_stmt *fnd_base_prepare_insert(sqlite3 *base, const fender_env *env, int columns)
{
    fnd_buffer sql = fnd_buffer_open(&env->allocator);
    fnd_buffer_append_text(&sql, "INSERT OR IGNORE INTO runs VALUES(?");
    for (int i = 1; i < columns; i++) fnd_buffer_append_text(&sql, ",?");
    fnd_buffer_append_text(&sql, ")");
    return prepare(base, &sql);
}

bool fnd_base_put_fact(sqlite3 *base, const char *name, const char *value)
{
    sqlite3_stmt *s = NULL;
    bool good = sqlite3_prepare_v2(base, "INSERT OR REPLACE INTO study VALUES(?1,?2)", -1, &s, NULL) == SQLITE_OK &&
                sqlite3_bind_text(s, 1, name, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_text(s, 2, value, -1, SQLITE_TRANSIENT) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    sqlite3_finalize(s);
    return good;
}

bool fnd_base_fact(sqlite3 *base, const char *name, char *text, size_t size)
{
    sqlite3_stmt *s = NULL;
    bool found = sqlite3_prepare_v2(base, "SELECT value FROM study WHERE name=?1", -1, &s, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(s, 1, name, -1, SQLITE_TRANSIENT) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW &&
                 sqlite3_column_text(s, 0) != NULL;
    if (found) snprintf(text, size, "%s", (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    return found;
}

/* ---- checksums: FNV-1a over kinds and bytes of cells */

static uint64_t add_kind(uint64_t hash, int type)
{
    const unsigned char kind = (unsigned char)type;
    return fnd_text_hash(hash, &kind, 1);
}

static uint64_t add_integer(uint64_t hash, int64_t value)
{
    return fnd_text_hash(add_kind(hash, SQLITE_INTEGER), &value, sizeof value);
}

static uint64_t add_number(uint64_t hash, double value)
{
    return fnd_text_hash(add_kind(hash, SQLITE_FLOAT), &value, sizeof value);
}

static uint64_t add_text(uint64_t hash, const void *bytes, int64_t size)
{
    hash = fnd_text_hash(add_kind(hash, SQLITE_TEXT), &size, sizeof size);
    return fnd_text_hash(hash, bytes, bytes ? (size_t)size : 0);
}

static uint64_t add_cell(uint64_t hash, sqlite3_stmt *row, int column)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: return add_integer(hash, sqlite3_column_int64(row, column));
    case SQLITE_FLOAT: return add_number(hash, sqlite3_column_double(row, column));
    case SQLITE_TEXT: {
        const void *bytes = sqlite3_column_text(row, column); /* before its size */
        return add_text(hash, bytes, sqlite3_column_bytes(row, column));
    }
    default: return add_kind(hash, sqlite3_column_type(row, column));
    }
}

static int64_t as_signed(uint64_t hash)
{
    int64_t result;
    memcpy(&result, &hash, sizeof result);
    return result;
}

/* The checksum of cells [0, columns) of the row at hand. */
static int64_t row_checksum(sqlite3_stmt *row, int columns)
{
    uint64_t hash = FND_TEXT_HASH_START;
    for (int i = 0; i < columns; i++) hash = add_cell(hash, row, i);
    return as_signed(hash);
}

fnd_base_cells fnd_base_begin_row(sqlite3_stmt *insert)
{
    return (fnd_base_cells){.insert = insert, .checksum = FND_TEXT_HASH_START};
}

void fnd_base_put_integer(fnd_base_cells *cells, int64_t value)
{
    cells->checksum = add_integer(cells->checksum, value);
    sqlite3_bind_int64(cells->insert, ++cells->at, value);
}

void fnd_base_put_number(fnd_base_cells *cells, double value)
{
    value += 0.0; /* SQLite does not keep the sign of a zero */
    if (isnan(value)) {
        cells->checksum = add_kind(cells->checksum, SQLITE_NULL);
        sqlite3_bind_null(cells->insert, ++cells->at);
        return;
    }
    cells->checksum = add_number(cells->checksum, value);
    sqlite3_bind_double(cells->insert, ++cells->at, value);
}

void fnd_base_put_text(fnd_base_cells *cells, const char *text)
{
    cells->checksum = add_text(cells->checksum, text, (int64_t)strlen(text));
    sqlite3_bind_text(cells->insert, ++cells->at, text, -1, SQLITE_TRANSIENT);
}

bool fnd_base_end_row(fnd_base_cells *cells)
{
    sqlite3_bind_int64(cells->insert, ++cells->at, as_signed(cells->checksum));
    bool good = sqlite3_step(cells->insert) == SQLITE_DONE;
    sqlite3_reset(cells->insert);
    return good;
}

int fnd_base_next_row(sqlite3_stmt *rows, const char *path, int64_t *run, fender_status *status, fender_error *error)
{
    int code = sqlite3_step(rows), last = sqlite3_column_count(rows) - 1;
    if (code == SQLITE_DONE) return code;
    if (code != SQLITE_ROW) {
        *status = fnd_base_fail(path, sqlite3_db_handle(rows), error);
        return code;
    }
    int64_t before = *run;
    *run = sqlite3_column_int64(rows, 0);
    if (*run > before && sqlite3_column_type(rows, last) == SQLITE_INTEGER &&
        sqlite3_column_int64(rows, last) == row_checksum(rows, last))
        return SQLITE_ROW;
    char found[64];
    snprintf(found, sizeof found, "run %lld does not match its checksum", (long long)*run);
    *status = fnd_base_fail_damaged(path, found, error);
    return SQLITE_CORRUPT;
}

static bool head_checksum(sqlite3 *base, uint64_t *hash)
{
    static const char *const reads[] = {"SELECT * FROM study WHERE name<>'checksum' ORDER BY name",
                                        "SELECT * FROM columns ORDER BY position"};
    *hash = FND_TEXT_HASH_START;
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        sqlite3_stmt *s = NULL;
        int code = sqlite3_prepare_v2(base, reads[i], -1, &s, NULL);
        if (code == SQLITE_OK)
            while ((code = sqlite3_step(s)) == SQLITE_ROW)
                for (int c = 0; c < sqlite3_column_count(s); c++) *hash = add_cell(*hash, s, c);
        good = code == SQLITE_DONE;
        sqlite3_finalize(s);
    }
    return good;
}

bool fnd_base_seal(sqlite3 *base)
{
    uint64_t hash;
    char text[20];
    if (!head_checksum(base, &hash)) return false;
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return fnd_base_put_fact(base, "checksum", text);
}

/* Columns of `runs` and rows of `columns` must say the same. */
static bool columns_agree(sqlite3 *base)
{
    sqlite3_stmt *rows = NULL, *columns = NULL;
    bool good = sqlite3_prepare_v2(base, "SELECT * FROM runs", -1, &rows, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(base, "SELECT name FROM columns ORDER BY position", -1, &columns, NULL) == SQLITE_OK;
    int at = FND_COLUMNS_BEFORE, count = good ? sqlite3_column_count(rows) : 0;
    for (; good && sqlite3_step(columns) == SQLITE_ROW; at++) {
        const char *name = (const char *)sqlite3_column_text(columns, 0);
        good = name && at < count && strcmp(name, sqlite3_column_name(rows, at)) == 0;
    }
    good = good && at + FND_COLUMNS_BEHIND == count;
    sqlite3_finalize(rows);
    sqlite3_finalize(columns);
    return good;
}

fender_status fnd_base_check_head(sqlite3 *base, const char *path, fender_error *error)
{
    char written[20], text[20];
    uint64_t hash = 0;
    if (!head_checksum(base, &hash)) { /* other programs have tables of other names */
        if ((sqlite3_errcode(base) & 255) != SQLITE_ERROR) return fnd_base_fail(path, base, error);
        return fail_with(path, "this is no store", sqlite3_errmsg(base), "is the name right?", error);
    }
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    if (!fnd_base_fact(base, "checksum", written, sizeof written) || strcmp(written, text) != 0)
        return fnd_base_fail_damaged(path, "the study's text or columns do not match their checksum", error);
    if (!columns_agree(base)) return fnd_base_fail_damaged(path, "the columns are not those of the study", error);
    return FENDER_STATUS_OK;
}

fender_status fnd_base_check_study(sqlite3 *base, const char *path, const char *hash, const char *version,
                                   fender_error *error)
{
    char found[120] = "no study", own[20] = "", own_version[64] = "";
    char expected[120];
    bool has = fnd_base_fact(base, "hash", own, sizeof own) &&
               fnd_base_fact(base, "version", own_version, sizeof own_version);
    if (has && strcmp(own, hash) == 0 && strcmp(own_version, version) == 0) return FENDER_STATUS_OK;
    if (has) snprintf(found, sizeof found, "study %s of version %s", own, own_version);
    snprintf(expected, sizeof expected, "study %s of version %s", hash, version);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path,
                       .message = "the store belongs to another study, to an edited one, or to another version",
                       .found = found, .expected = expected,
                       .suggestion = "name another store with -o, or restore the original files");
}
#else
typedef int fnd_store_base_is_empty; /* a source holds at least a declaration */
#endif
