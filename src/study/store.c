/* Stores on SQLite: rows as they come, and rebuilt in the order of runs, so that equal studies are equal bytes. */
#include "study/store.h"

#include "support/io_error.h"
#include "support/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef FENDER_WITH_SQLITE
#include <sqlite3.h>
#include <unistd.h>

struct fnd_study_store {
    fender_env env;
    sqlite3 *base;
    sqlite3_stmt *insert;
    const fender_study *study;
    char path[1024];
    bool open; /* a transaction */
};

static const char *const statuses[] = {"ok", "doubtful", "failed"};
static const char *const kinds[] = {"input", "kept", "outcome"};

static fender_status fail(const char *path, sqlite3 *base, fender_error *error)
{
    return fnd_io_fail(
        error, (fnd_io_error){.status = FENDER_STATUS_FILE,
                              .source = path,
                              .message = "the store could not be read or written",
                              .found = base ? sqlite3_errmsg(base) : "no memory",
                              .expected = "a store of a study (SQLite)",
                              .suggestion = "is the disk full, or is it another file? what was done before is kept"});
}

static sqlite3 *open_base(const char *path, int flags, fender_error *error)
{
    sqlite3 *base = NULL;
    if (sqlite3_open_v2(path, &base, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(base, 10000);
        return base;
    }
    if ((flags & SQLITE_OPEN_CREATE) == 0 && sqlite3_errcode(base) == SQLITE_CANTOPEN)
        (void)fnd_io_fail(error, (fnd_io_error){.status = FENDER_STATUS_FILE,
                                                .source = path,
                                                .message = "there is no store that could be opened",
                                                .found = sqlite3_errmsg(base),
                                                .expected = "a store of a study (SQLite)",
                                                .suggestion = "is the name right? 'fender study run STUDY' makes one"});
    else (void)fail(path, base, error);
    sqlite3_close(base);
    return NULL;
}

static bool run_sql(sqlite3 *base, const char *sql) { return sqlite3_exec(base, sql, NULL, NULL, NULL) == SQLITE_OK; }

static bool put_fact(sqlite3 *base, const char *name, const char *value)
{
    sqlite3_stmt *s = NULL;
    bool good = sqlite3_prepare_v2(base, "INSERT INTO study VALUES(?1,?2)", -1, &s, NULL) == SQLITE_OK &&
                sqlite3_bind_text(s, 1, name, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_text(s, 2, value, -1, SQLITE_TRANSIENT) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    sqlite3_finalize(s);
    return good;
}

static bool put_column(sqlite3 *base, int at, fnd_column_kind kind, const char *name, const char *unit,
                       const char *detail)
{
    sqlite3_stmt *s = NULL;
    bool good = sqlite3_prepare_v2(base, "INSERT INTO columns VALUES(?1,?2,?3,?4,?5)", -1, &s, NULL) == SQLITE_OK &&
                sqlite3_bind_int(s, 1, at) == SQLITE_OK &&
                sqlite3_bind_text(s, 2, kinds[kind], -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_bind_text(s, 3, name, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_text(s, 4, unit, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_text(s, 5, detail, -1, SQLITE_TRANSIENT) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    sqlite3_finalize(s);
    return good;
}

static void hash_text(uint64_t hash, char text[20]) { snprintf(text, 20, "%016llx", (unsigned long long)hash); }

static bool create(fnd_study_store *store)
{
    const fender_study *s = store->study;
    char name[80], hash[20], runs[24];
    hash_text(s->hash, hash);
    snprintf(runs, sizeof runs, "%lld", (long long)s->runs);
    fnd_buffer sql = fnd_buffer_open(&store->env.allocator), sources = fnd_buffer_open(&store->env.allocator);
    uint64_t unused;
    bool good = fnd_bundle_append(&sources, s->scenario, &unused);
    fnd_buffer_append_text(
        &sql, "CREATE TABLE study(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
              "CREATE TABLE columns(position INTEGER PRIMARY KEY, kind TEXT, name TEXT, unit TEXT, detail TEXT);"
              "CREATE TABLE runs(run INTEGER PRIMARY KEY, status TEXT, reason TEXT, hash TEXT");
    for (int i = 0; i < s->input_count; i++) {
        fnd_study_input_name(s, i, name, sizeof name);
        fnd_buffer_appendf(&sql, ",\"%s\" %s", name, fnd_study_input_variable(s, i)->texts ? "TEXT" : "REAL");
    }
    for (int i = 0; i < s->kept_count; i++) fnd_buffer_appendf(&sql, ",\"%s\" REAL", s->kept[i].id.name);
    for (int i = 0; i < s->outcome_count; i++) fnd_buffer_appendf(&sql, ",\"%s\" REAL", s->outcomes[i].id.name);
    fnd_buffer_append_text(&sql, ");");
    good = good && !sql.failed && run_sql(store->base, "BEGIN IMMEDIATE") &&
           run_sql(store->base, fnd_buffer_text(&sql)) && put_fact(store->base, "format", "1") &&
           put_fact(store->base, "version", fender_version()) && put_fact(store->base, "hash", hash) &&
           put_fact(store->base, "runs", runs) && put_fact(store->base, "title", s->title) &&
           put_fact(store->base, "text", s->text) && put_fact(store->base, "scenario", fnd_buffer_text(&sources));
    int at = 0;
    for (int i = 0; good && i < s->input_count; i++) {
        fnd_study_input_name(s, i, name, sizeof name);
        const fnd_variable *v = fnd_study_input_variable(s, i);
        good = put_column(store->base, at++, FND_COLUMN_INPUT, name, v->unit, v->path);
    }
    for (int i = 0; good && i < s->kept_count; i++) {
        const fnd_expectation *e = &s->expectations[i];
        good = put_column(store->base, at++, FND_COLUMN_KEPT, s->kept[i].id.name, s->kept[i].unit,
                          e->channel.text ? e->channel.text : e->event.text);
    }
    for (int i = 0; good && i < s->outcome_count; i++)
        good = put_column(store->base, at++, FND_COLUMN_OUTCOME, s->outcomes[i].id.name, "", s->outcomes[i].text);
    good = good && run_sql(store->base, "COMMIT");
    fnd_buffer_close(&sql);
    fnd_buffer_close(&sources);
    return good;
}

/* The value of a fact into `text`; false when there is none. */
static bool fact(sqlite3 *base, const char *name, char *text, size_t size)
{
    sqlite3_stmt *s = NULL;
    bool found = sqlite3_prepare_v2(base, "SELECT value FROM study WHERE name=?1", -1, &s, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(s, 1, name, -1, SQLITE_TRANSIENT) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
    if (found) snprintf(text, size, "%s", (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    return found;
}

static fender_status fail_other(const char *path, const char *found, const char *expected, fender_error *error)
{
    return fnd_io_fail(
        error,
        (fnd_io_error){
            .status = FENDER_STATUS_FILE,
            .source = path,
            .message = "the store belongs to another study, or to one that was edited since, or to another version",
            .found = found,
            .expected = expected,
            .suggestion = "name another store with -o, or go back to the files it was made from"});
}

static fender_status same_study(sqlite3 *base, const char *path, const char *hash, const char *version,
                                fender_error *error)
{
    char found[120] = "no study", own[20] = "", own_version[64] = "";
    char expected[120];
    bool has = fact(base, "hash", own, sizeof own) && fact(base, "version", own_version, sizeof own_version);
    if (has && strcmp(own, hash) == 0 && strcmp(own_version, version) == 0) return FENDER_STATUS_OK;
    if (has) snprintf(found, sizeof found, "study %s of version %s", own, own_version);
    snprintf(expected, sizeof expected, "study %s of version %s", hash, version);
    return fail_other(path, found, expected, error);
}

fnd_study_store *fnd_study_store_open(const fender_env *env, const char *path, const fender_study *study,
                                      fender_error *error)
{
    fnd_study_store *store = env->allocator.allocate(env->allocator.ctx, sizeof *store, _Alignof(max_align_t));
    if (!store) {
        fnd_io_fail_memory(error, "a store");
        return NULL;
    }
    memset(store, 0, sizeof *store);
    store->env = *env;
    store->study = study;
    snprintf(store->path, sizeof store->path, "%s", path);
    store->base = open_base(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    char hash[20];
    hash_text(study->hash, hash);
    sqlite3_stmt *s = NULL;
    bool good = store->base != NULL, empty = false;
    if (good) {
        good = sqlite3_prepare_v2(store->base, "SELECT count(*) FROM sqlite_master", -1, &s, NULL) == SQLITE_OK &&
               sqlite3_step(s) == SQLITE_ROW;
        empty = good && sqlite3_column_int(s, 0) == 0;
        sqlite3_finalize(s);
        if (good && empty) good = create(store);
        if (good && !run_sql(store->base, "PRAGMA synchronous=NORMAL")) good = false;
        if (!good) (void)fail(path, store->base, error);
    }
    if (good && !empty) good = same_study(store->base, path, hash, fender_version(), error) == FENDER_STATUS_OK;
    if (good) {
        fnd_buffer sql = fnd_buffer_open(&env->allocator);
        int count = 4 + study->input_count + study->kept_count + study->outcome_count;
        fnd_buffer_append_text(&sql, "INSERT OR IGNORE INTO runs VALUES(?");
        for (int i = 1; i < count; i++) fnd_buffer_append_text(&sql, ",?");
        fnd_buffer_append_text(&sql, ")");
        good = sqlite3_prepare_v2(store->base, fnd_buffer_text(&sql), -1, &store->insert, NULL) == SQLITE_OK;
        fnd_buffer_close(&sql);
        if (!good) (void)fail(path, store->base, error);
    }
    if (good) return store;
    fnd_study_store_close(store);
    return NULL;
}

fender_status fnd_study_store_done(fnd_study_store *store, unsigned char *bits, int64_t runs, fender_error *error)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(store->base, "SELECT run FROM runs", -1, &s, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        int64_t run = sqlite3_column_int64(s, 0);
        if (run >= 0 && run < runs) bits[run / 8] |= (unsigned char)(1u << (run % 8));
        code = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return code == SQLITE_DONE ? FENDER_STATUS_OK : fail(store->path, store->base, error);
}

static void bind_number(sqlite3_stmt *s, int at, double value)
{
    if (isnan(value)) sqlite3_bind_null(s, at);
    else sqlite3_bind_double(s, at, value);
}

fender_status fnd_study_store_put(fnd_study_store *store, const fnd_row *row, fender_error *error)
{
    const fender_study *study = store->study;
    sqlite3_stmt *s = store->insert;
    char hash[20];
    int at = 1;
    if (!store->open && !run_sql(store->base, "BEGIN IMMEDIATE")) return fail(store->path, store->base, error);
    store->open = true;
    hash_text(row->hash, hash);
    sqlite3_bind_int64(s, at++, row->run);
    sqlite3_bind_text(s, at++, statuses[row->status], -1, SQLITE_STATIC);
    sqlite3_bind_text(s, at++, row->reason, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(s, at++, hash, -1, SQLITE_TRANSIENT);
    for (int i = 0; i < study->input_count; i++) {
        const fnd_variable *v = fnd_study_input_variable(study, i);
        if (v->texts) sqlite3_bind_text(s, at++, v->texts[(int)row->inputs[i]], -1, SQLITE_TRANSIENT);
        else bind_number(s, at++, row->inputs[i]);
    }
    for (int i = 0; i < study->kept_count; i++) bind_number(s, at++, row->kept[i]);
    for (int i = 0; i < study->outcome_count; i++) bind_number(s, at++, row->outcomes[i]);
    int code = sqlite3_step(s);
    sqlite3_reset(s);
    return code == SQLITE_DONE ? FENDER_STATUS_OK : fail(store->path, store->base, error);
}

fender_status fnd_study_store_commit(fnd_study_store *store, fender_error *error)
{
    if (!store->open) return FENDER_STATUS_OK;
    store->open = false;
    return run_sql(store->base, "COMMIT") ? FENDER_STATUS_OK : fail(store->path, store->base, error);
}

void fnd_study_store_close(fnd_study_store *store)
{
    if (!store) return;
    fender_allocator a = store->env.allocator;
    sqlite3_finalize(store->insert);
    sqlite3_close(store->base);
    a.release(a.ctx, store, sizeof *store);
}

/* ---- merging */

typedef struct source {
    sqlite3 *base;
    sqlite3_stmt *rows;
    bool has_row;
} source;

static bool next_row(source *s, bool *good)
{
    int code = sqlite3_step(s->rows);
    *good = *good && (code == SQLITE_ROW || code == SQLITE_DONE);
    return s->has_row = code == SQLITE_ROW;
}

/* Everything but rows as the first store has it, in the same order. */
static bool copy_head(sqlite3 *from, sqlite3 *to)
{
    sqlite3_stmt *s = NULL, *t = NULL;
    bool good = sqlite3_prepare_v2(from, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid", -1, &s,
                                   NULL) == SQLITE_OK;
    while (good && sqlite3_step(s) == SQLITE_ROW) good = run_sql(to, (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    static const char *const reads[] = {"SELECT * FROM study ORDER BY name", "SELECT * FROM columns ORDER BY position"};
    static const char *const writes[] = {"INSERT INTO study VALUES(?,?)", "INSERT INTO columns VALUES(?,?,?,?,?)"};
    for (int i = 0; i < 2 && good; i++) {
        s = t = NULL;
        good = sqlite3_prepare_v2(from, reads[i], -1, &s, NULL) == SQLITE_OK &&
               sqlite3_prepare_v2(to, writes[i], -1, &t, NULL) == SQLITE_OK;
        while (good && sqlite3_step(s) == SQLITE_ROW) {
            for (int c = 0; c < sqlite3_column_count(s); c++) sqlite3_bind_value(t, c + 1, sqlite3_column_value(s, c));
            good = sqlite3_step(t) == SQLITE_DONE;
            sqlite3_reset(t);
        }
        sqlite3_finalize(s);
        sqlite3_finalize(t);
    }
    return good;
}

static bool same_result(source *a, source *b)
{
    return strcmp((const char *)sqlite3_column_text(a->rows, 3), (const char *)sqlite3_column_text(b->rows, 3)) == 0;
}

static fender_status copy_rows(source *sources, int count, const char *const *paths, sqlite3 *to, fender_error *error)
{
    bool good = true;
    int columns = sqlite3_column_count(sources[0].rows);
    char text[64 + 2 * 2000] = "INSERT INTO runs VALUES(?"; /* SQLite: at most 2000 columns */
    size_t used = strlen(text);
    for (int i = 1; i < columns && i < 2000; i++, used += 2) memcpy(text + used, ",?", 2);
    memcpy(text + used, ")", 2);
    sqlite3_stmt *t = NULL;
    if (sqlite3_prepare_v2(to, text, -1, &t, NULL) != SQLITE_OK) return fail(paths[0], to, error);
    for (int i = 0; i < count; i++) next_row(&sources[i], &good);
    fender_status status = FENDER_STATUS_OK;
    while (good && status == FENDER_STATUS_OK) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (sources[i].has_row &&
                (least < 0 || sqlite3_column_int64(sources[i].rows, 0) < sqlite3_column_int64(sources[least].rows, 0)))
                least = i;
        if (least < 0) break;
        source *from = &sources[least];
        int64_t run = sqlite3_column_int64(from->rows, 0);
        for (int c = 0; c < columns; c++) sqlite3_bind_value(t, c + 1, sqlite3_column_value(from->rows, c));
        good = sqlite3_step(t) == SQLITE_DONE;
        sqlite3_reset(t);
        for (int i = 0; i < count && good; i++) {
            if (i == least || !sources[i].has_row || sqlite3_column_int64(sources[i].rows, 0) != run) continue;
            if (!same_result(from, &sources[i]))
                status = fnd_io_fail(
                    error,
                    (fnd_io_error){.status = FENDER_STATUS_FILE,
                                   .source = paths[i],
                                   .message = "two stores disagree about a run",
                                   .found = paths[least],
                                   .expected = "the same hash",
                                   .suggestion = "machines or builds differ: see docs/ARCHITECTURE.md, Determinism"});
            next_row(&sources[i], &good);
        }
        next_row(from, &good);
    }
    sqlite3_finalize(t);
    return good ? status : fail(paths[0], to, error);
}

fender_status fender_study_merge(const fender_env *env, const char *out, const char *const *stores, int count,
                                 fender_error *error)
{
    enum { LIMIT = 4096 };
    char part[1100], hash[20] = "", version[64] = "";
    fender_status status = FENDER_STATUS_OK;
    if (!fnd_io_env_usable(env, error) || count < 1 || count > LIMIT || strlen(out) > 1000)
        return fnd_io_fail(
            error, (fnd_io_error){.status = FENDER_STATUS_ARGUMENT, .message = "from 1 to 4096 stores can be merged"});
    size_t size = (size_t)count * sizeof(source);
    source *sources = env->allocator.allocate(env->allocator.ctx, size, _Alignof(max_align_t));
    if (!sources) return fnd_io_fail_memory(error, "stores");
    memset(sources, 0, size);
    sqlite3 *to = NULL;
    snprintf(part, sizeof part, "%s.part", out);
    for (int i = 0; i < count && status == FENDER_STATUS_OK; i++) {
        sources[i].base = open_base(stores[i], SQLITE_OPEN_READONLY, error);
        if (!sources[i].base) status = FENDER_STATUS_FILE;
        else if (i == 0 && !(fact(sources[0].base, "hash", hash, sizeof hash) &&
                             fact(sources[0].base, "version", version, sizeof version)))
            status = fail(stores[0], sources[0].base, error);
        else status = same_study(sources[i].base, stores[i], hash, version, error);
        if (status == FENDER_STATUS_OK && sqlite3_prepare_v2(sources[i].base, "SELECT * FROM runs ORDER BY run", -1,
                                                             &sources[i].rows, NULL) != SQLITE_OK)
            status = fail(stores[i], sources[i].base, error);
    }
    if (status == FENDER_STATUS_OK) {
        (void)unlink(part);
        to = open_base(part, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
        if (!to) status = FENDER_STATUS_FILE;
        else if (!run_sql(to, "PRAGMA page_size=4096") || !run_sql(to, "BEGIN") || !copy_head(sources[0].base, to))
            status = fail(part, to, error);
    }
    if (status == FENDER_STATUS_OK) status = copy_rows(sources, count, stores, to, error);
    if (status == FENDER_STATUS_OK && !run_sql(to, "COMMIT")) status = fail(part, to, error);
    for (int i = 0; i < count; i++) {
        sqlite3_finalize(sources[i].rows);
        sqlite3_close(sources[i].base);
    }
    sqlite3_close(to);
    env->allocator.release(env->allocator.ctx, sources, size);
    if (status == FENDER_STATUS_OK && rename(part, out) != 0) status = fail(out, NULL, error);
    if (status != FENDER_STATUS_OK) (void)unlink(part);
    return status;
}

/* ---- reading back */

static const char *keep(fnd_arena *arena, const unsigned char *text)
{
    const char *t = text ? (const char *)text : "";
    const char *copy = fnd_arena_copy(arena, t, strlen(t));
    return copy ? copy : "";
}

static bool read_facts(fnd_results *r, sqlite3 *base)
{
    sqlite3_stmt *s = NULL;
    bool good = sqlite3_prepare_v2(base, "SELECT name, value FROM study", -1, &s, NULL) == SQLITE_OK;
    while (good && sqlite3_step(s) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0), *value = keep(&r->arena, sqlite3_column_text(s, 1));
        if (strcmp(name, "title") == 0) r->title = value;
        if (strcmp(name, "version") == 0) r->version = value;
        if (strcmp(name, "hash") == 0) r->hash = value;
        if (strcmp(name, "text") == 0) r->text = value;
        if (strcmp(name, "runs") == 0) r->runs = sqlite3_column_int64(s, 1);
    }
    sqlite3_finalize(s);
    return good;
}

static int64_t count_of(sqlite3 *base, const char *sql)
{
    sqlite3_stmt *s = NULL;
    int64_t count = sqlite3_prepare_v2(base, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW
                        ? sqlite3_column_int64(s, 0)
                        : -1;
    sqlite3_finalize(s);
    return count;
}

static bool read_rows(fnd_results *r, sqlite3 *base)
{
    sqlite3_stmt *s = NULL;
    bool good = sqlite3_prepare_v2(base, "SELECT kind, name, unit, detail FROM columns ORDER BY position", -1, &s,
                                   NULL) == SQLITE_OK;
    size_t rows = (size_t)r->rows;
    for (int i = 0; good && i < r->column_count && sqlite3_step(s) == SQLITE_ROW; i++) {
        const char *kind = (const char *)sqlite3_column_text(s, 0);
        r->columns[i] = (fnd_store_column){strcmp(kind, "input") == 0  ? FND_COLUMN_INPUT
                                           : strcmp(kind, "kept") == 0 ? FND_COLUMN_KEPT
                                                                       : FND_COLUMN_OUTCOME,
                                           keep(&r->arena, sqlite3_column_text(s, 1)),
                                           keep(&r->arena, sqlite3_column_text(s, 2)),
                                           keep(&r->arena, sqlite3_column_text(s, 3)),
                                           FND_ARENA_NEW_ARRAY(&r->arena, double, rows),
                                           NULL};
    }
    sqlite3_finalize(s);
    s = NULL;
    good = good && !r->arena.failed &&
           sqlite3_prepare_v2(base, "SELECT * FROM runs ORDER BY run", -1, &s, NULL) == SQLITE_OK;
    for (int64_t i = 0; good && i < r->rows && sqlite3_step(s) == SQLITE_ROW; i++) {
        const char *status = (const char *)sqlite3_column_text(s, 1);
        r->run[i] = sqlite3_column_int64(s, 0);
        r->status[i] = strcmp(status, "ok") == 0       ? FND_ROW_OK
                       : strcmp(status, "failed") == 0 ? FND_ROW_FAILED
                                                       : FND_ROW_DOUBTFUL;
        r->reasons[i] = keep(&r->arena, sqlite3_column_text(s, 2));
        r->hashes[i] = keep(&r->arena, sqlite3_column_text(s, 3));
        for (int c = 0; c < r->column_count && c + 4 < sqlite3_column_count(s); c++) {
            int type = sqlite3_column_type(s, c + 4);
            fnd_store_column *column = &r->columns[c];
            column->values[i] = type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(s, c + 4)
                                                                               : (double)NAN;
            if (type == SQLITE_TEXT && !column->texts)
                column->texts = FND_ARENA_NEW_ARRAY(&r->arena, const char *, rows);
            if (column->texts) column->texts[i] = keep(&r->arena, sqlite3_column_text(s, c + 4));
        }
    }
    sqlite3_finalize(s);
    return good && !r->arena.failed;
}

fender_status fnd_results_read(fnd_results *r, const fender_env *env, const char *path, fender_error *error)
{
    memset(r, 0, sizeof *r);
    r->arena = fnd_arena_open(&env->allocator, (size_t)1 << 20);
    r->title = r->version = r->hash = r->text = "";
    sqlite3 *base = open_base(path, SQLITE_OPEN_READONLY, error);
    if (!base) return FENDER_STATUS_FILE;
    bool good = run_sql(base, "BEGIN") && read_facts(r, base);
    r->rows = count_of(base, "SELECT count(*) FROM runs");
    int64_t columns = count_of(base, "SELECT count(*) FROM columns");
    good = good && r->rows >= 0 && columns >= 0;
    if (good) {
        size_t rows = (size_t)r->rows;
        r->column_count = (int)columns;
        r->columns = FND_ARENA_NEW_ARRAY(&r->arena, fnd_store_column, (size_t)columns);
        r->run = FND_ARENA_NEW_ARRAY(&r->arena, int64_t, rows);
        r->status = FND_ARENA_NEW_ARRAY(&r->arena, int, rows);
        r->reasons = FND_ARENA_NEW_ARRAY(&r->arena, const char *, rows);
        r->hashes = FND_ARENA_NEW_ARRAY(&r->arena, const char *, rows);
        good = !r->arena.failed && read_rows(r, base);
    }
    fender_status status = r->arena.failed ? fnd_io_fail_memory(error, "the rows of a store")
                           : good          ? FENDER_STATUS_OK
                                           : fail(path, base, error);
    sqlite3_close(base);
    if (status != FENDER_STATUS_OK) fnd_results_release(r);
    return status;
}

void fnd_results_release(fnd_results *r) { fnd_arena_close(&r->arena); }

#else

static fender_status missing(fender_error *error)
{
    return fnd_io_fail(error, (fnd_io_error){.status = FENDER_STATUS_NOT_BUILT,
                                             .message = "this build keeps no stores of studies",
                                             .expected = "a build with SQLite",
                                             .suggestion = "build with -DFENDER_WITH_SQLITE=ON (libsqlite3-dev)"});
}
fnd_study_store *fnd_study_store_open(const fender_env *env, const char *path, const fender_study *study,
                                      fender_error *error)
{
    (void)env, (void)path, (void)study, (void)missing(error);
    return NULL;
}
fender_status fnd_study_store_done(fnd_study_store *store, unsigned char *bits, int64_t runs, fender_error *error)
{
    (void)store, (void)bits, (void)runs;
    return missing(error);
}
fender_status fnd_study_store_put(fnd_study_store *store, const fnd_row *row, fender_error *error)
{
    (void)store, (void)row;
    return missing(error);
}
fender_status fnd_study_store_commit(fnd_study_store *store, fender_error *error)
{
    (void)store;
    return missing(error);
}
void fnd_study_store_close(fnd_study_store *store) { (void)store; }
fender_status fender_study_merge(const fender_env *env, const char *out, const char *const *stores, int count,
                                 fender_error *error)
{
    (void)env, (void)out, (void)stores, (void)count;
    return missing(error);
}
fender_status fnd_results_read(fnd_results *r, const fender_env *env, const char *path, fender_error *error)
{
    (void)r, (void)env, (void)path;
    return missing(error);
}
void fnd_results_release(fnd_results *r) { (void)r; }
#endif
