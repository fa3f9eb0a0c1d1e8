/* One store of several: rows in the order of runs into a new file, so that equal studies are equal bytes. */
#ifdef FENDER_WITH_SQLITE
#include "study/stop.h"
#include "study/store_base.h"

#include "support/io_error.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many are open at once: a process has 1024 files, as a rule. More are merged in groups first. */
enum { GROUP = 200, LIMIT = 10000 };

typedef struct source {
    const char *path; /* to be read */
    const char *name; /* in messages */
    sqlite3 *base;
    sqlite3_stmt *rows;
    bool has_row;
    int64_t run;
} source;

typedef struct merging {
    fender_env env;
    fnd_arena arena;
    char hash[20], version[64]; /* of the first store: those of all */
    int64_t runs;               /* the largest number */
    bool whole;                 /* all rows come together, so that the rule of `stop` can be told */
    fender_error *error;
} merging;

static fender_status next_row(source *s, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    s->has_row = fnd_base_next_row(s->rows, s->name, &s->run, &status, error) == SQLITE_ROW;
    return status;
}

static fender_status open_source(merging *m, source *s)
{
    char runs[24] = "";
    s->run = -1;
    s->base = fnd_base_open(s->path, FND_BASE_READ, m->error);
    if (!s->base) return FENDER_STATUS_FILE;
    if (!fnd_base_execute(s->base, "BEGIN")) return fnd_base_fail(s->name, s->base, m->error);
    fender_status status = fnd_base_check_head(s->base, s->name, m->error);
    if (status != FENDER_STATUS_OK) return status;
    if (!m->hash[0] && (!fnd_base_fact(s->base, "hash", m->hash, sizeof m->hash) ||
                        !fnd_base_fact(s->base, "version", m->version, sizeof m->version)))
        return fnd_base_fail_damaged(s->name, "no hash of the study", m->error);
    status = fnd_base_check_study(s->base, s->name, m->hash, m->version, m->error);
    if (status != FENDER_STATUS_OK) return status;
    if (fnd_base_fact(s->base, "runs", runs, sizeof runs) && strtoll(runs, NULL, 10) > m->runs)
        m->runs = strtoll(runs, NULL, 10);
    if (sqlite3_prepare_v2(s->base, "SELECT * FROM runs ORDER BY run", -1, &s->rows, NULL) != SQLITE_OK)
        return fnd_base_fail(s->name, s->base, m->error);
    return next_row(s, m->error);
}

/* Tables, facts and columns as the first store has them, in the same order. */
static bool copy_head(merging *m, const source *from, sqlite3 *to)
{
    const int count = sqlite3_column_count(from->rows) - FND_COLUMNS_BEFORE - FND_COLUMNS_BEHIND;
    const char **names = FND_ARENA_NEW_ARRAY(&m->arena, const char *, (size_t)count);
    bool *texts = FND_ARENA_NEW_ARRAY(&m->arena, bool, (size_t)count);
    if (!names || !texts) return false;
    for (int i = 0; i < count; i++) {
        const char *type = sqlite3_column_decltype(from->rows, FND_COLUMNS_BEFORE + i);
        names[i] = sqlite3_column_name(from->rows, FND_COLUMNS_BEFORE + i);
        texts[i] = type && strcmp(type, "TEXT") == 0;
        if (!names[i]) return false;
    }
    bool good = fnd_base_create(to, &m->env, names, texts, count);
    static const char *const reads[] = {"SELECT * FROM study ORDER BY name", "SELECT * FROM columns ORDER BY position"};
    static const char *const writes[] = {"INSERT INTO study VALUES(?,?)", "INSERT INTO columns VALUES(?,?,?,?,?)"};
    for (int i = 0; i < 2 && good; i++) {
        sqlite3_stmt *s = NULL, *t = NULL;
        good = sqlite3_prepare_v2(from->base, reads[i], -1, &s, NULL) == SQLITE_OK &&
               sqlite3_prepare_v2(to, writes[i], -1, &t, NULL) == SQLITE_OK;
        int code = SQLITE_DONE;
        while (good && (code = sqlite3_step(s)) == SQLITE_ROW) {
            for (int c = 0; c < sqlite3_column_count(s); c++) sqlite3_bind_value(t, c + 1, sqlite3_column_value(s, c));
            good = sqlite3_step(t) == SQLITE_DONE;
            sqlite3_reset(t);
        }
        good = good && code == SQLITE_DONE;
        sqlite3_finalize(s);
        sqlite3_finalize(t);
    }
    char runs[24];
    snprintf(runs, sizeof runs, "%lld", (long long)m->runs);
    return good && fnd_base_put_fact(to, "runs", runs) && fnd_base_seal(to);
}

static fender_status check_agreement(source *a, source *b, fender_error *error)
{
    int last = sqlite3_column_count(a->rows) - 1;
    if (sqlite3_column_int64(a->rows, last) == sqlite3_column_int64(b->rows, last)) return FENDER_STATUS_OK;
    char found[400];
    snprintf(found, sizeof found, "run %lld, which is another one in %.300s", (long long)a->run, a->name);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = b->name,
                       .message = "two stores disagree about a run", .found = found, .expected = "the same result",
                       .suggestion = "machines or builds differ: see docs/ARCHITECTURE.md, Determinism");
}

/* Rows come in the order of runs; true when this is the last one that the study's rule leaves. */
static bool is_last(fnd_stop *stop, sqlite3_stmt *row, int64_t run)
{
    bool came[FND_STOP_LIMIT] = {false};
    for (int i = 0; i < stop->count; i++)
        for (int c = FND_COLUMNS_BEFORE; c < sqlite3_column_count(row); c++)
            if (strcmp(sqlite3_column_name(row, c), stop->conditions[i].name) == 0)
                came[i] = sqlite3_column_double(row, c) > 0;
    return stop->count > 0 && fnd_stop_add(stop, run, came);
}

static fender_status copy_rows(merging *m, source *sources, int count, sqlite3 *to, const char *path)
{
    const int columns = sqlite3_column_count(sources[0].rows);
    fender_status status = FENDER_STATUS_OK;
    sqlite3_stmt *insert = fnd_base_prepare_insert(to, &m->env, columns);
    if (!insert) return fnd_base_fail(path, to, m->error);
    char rule[FND_STOP_TEXT];
    fnd_stop stop = {0};
    if (m->whole && fnd_base_fact(sources[0].base, "stop", rule, sizeof rule)) (void)fnd_stop_read(&stop, rule);
    while (status == FENDER_STATUS_OK) {
        source *least = NULL;
        for (int i = 0; i < count; i++)
            if (sources[i].has_row && (!least || sources[i].run < least->run)) least = &sources[i];
        if (!least) break;
        for (int c = 0; c < columns; c++) sqlite3_bind_value(insert, c + 1, sqlite3_column_value(least->rows, c));
        if (sqlite3_step(insert) != SQLITE_DONE) status = fnd_base_fail(path, to, m->error);
        sqlite3_reset(insert);
        int64_t run = least->run;
        if (is_last(&stop, least->rows, run)) break;
        for (int i = 0; i < count && status == FENDER_STATUS_OK; i++) {
            if (&sources[i] == least || !sources[i].has_row || sources[i].run != run) continue;
            status = check_agreement(least, &sources[i], m->error);
            if (status == FENDER_STATUS_OK) status = next_row(&sources[i], m->error);
        }
        if (status == FENDER_STATUS_OK) status = next_row(least, m->error);
    }
    sqlite3_finalize(insert);
    return status;
}

static void remove_base(const char *path)
{
    char journal[1200];
    snprintf(journal, sizeof journal, "%s-journal", path);
    (void)unlink(journal);
    (void)unlink(path);
}

/* It is no use before it is whole, and then the system is asked to have it on the disk: no journal is needed. */
static fender_status write_base(merging *m, source *sources, int count, const char *path)
{
    remove_base(path);
    sqlite3 *to = fnd_base_open(path, FND_BASE_WRITE, m->error);
    if (!to) return FENDER_STATUS_FILE;
    fender_status status = FENDER_STATUS_OK;
    if (!fnd_base_execute(to, "PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN") ||
        !copy_head(m, &sources[0], to))
        status = m->arena.failed ? fnd_io_fail_memory(m->error, "columns") : fnd_base_fail(path, to, m->error);
    if (status == FENDER_STATUS_OK) status = copy_rows(m, sources, count, to, path);
    if (status == FENDER_STATUS_OK && !fnd_base_execute(to, "COMMIT")) status = fnd_base_fail(path, to, m->error);
    sqlite3_close(to);
    int descriptor = status == FENDER_STATUS_OK ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (status == FENDER_STATUS_OK && (descriptor < 0 || fsync(descriptor) != 0))
        status = fnd_system_fail(m->error, "write", path, errno);
    if (descriptor >= 0) close(descriptor);
    if (status != FENDER_STATUS_OK) remove_base(path);
    return status;
}

static fender_status merge_group(merging *m, source *sources, int count, const char *path)
{
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < count && status == FENDER_STATUS_OK; i++) status = open_source(m, &sources[i]);
    if (status == FENDER_STATUS_OK) status = write_base(m, sources, count, path);
    for (int i = 0; i < count; i++) {
        sqlite3_finalize(sources[i].rows);
        sqlite3_close(sources[i].base);
        sources[i].rows = NULL;
        sources[i].base = NULL;
    }
    return status;
}

static fender_status merge_groups(merging *m, source *sources, int count, const char *path)
{
    m->whole = count <= GROUP;
    if (m->whole) return merge_group(m, sources, count, path);
    const int groups = (count + GROUP - 1) / GROUP;
    source *parts = FND_ARENA_NEW_ARRAY(&m->arena, source, (size_t)groups);
    fender_status status = parts ? FENDER_STATUS_OK : fnd_io_fail_memory(m->error, "stores");
    int made = 0;
    for (; made < groups && status == FENDER_STATUS_OK; made++) {
        char text[1200];
        const int first = made * GROUP, length = count - first < GROUP ? count - first : GROUP;
        snprintf(text, sizeof text, "%.1050s.%d", path, made);
        parts[made].path = fnd_arena_copy(&m->arena, text, strlen(text));
        snprintf(text, sizeof text, "%.1000s or one of the %d behind it", sources[first].name, length - 1);
        parts[made].name = fnd_arena_copy(&m->arena, text, strlen(text));
        if (!parts[made].path || !parts[made].name) {
            status = fnd_io_fail_memory(m->error, "stores");
            break;
        }
        status = merge_group(m, sources + first, length, parts[made].path);
    }
    m->whole = true;
    if (status == FENDER_STATUS_OK) status = merge_group(m, parts, groups, path);
    for (int i = 0; i < made; i++) remove_base(parts[i].path);
    return status;
}

/* A journal of the store that was there before would be taken for one of the new store. */
static void drop_journal(const char *out)
{
    char journal[1200];
    snprintf(journal, sizeof journal, "%s-journal", out);
    if (access(journal, F_OK) != 0) return;
    (void)unlink(out);
    (void)unlink(journal);
}

fender_status fnd_study_store_merge(const fender_env *env, const char *out, const char *const *stores, int count,
                                    fender_error *error)
{
    char part[FND_STORE_NAME_LIMIT + 20];
    merging m = {.env = *env, .arena = fnd_arena_open(&env->allocator, 0), .error = error};
    source *sources = FND_ARENA_NEW_ARRAY(&m.arena, source, (size_t)count);
    fender_status status = sources ? FENDER_STATUS_OK : fnd_io_fail_memory(error, "stores");
    for (int i = 0; i < count && sources; i++) sources[i].path = sources[i].name = stores[i];
    snprintf(part, sizeof part, "%s.part", out);
    if (status == FENDER_STATUS_OK) status = merge_groups(&m, sources, count, part);
    if (status == FENDER_STATUS_OK) {
        drop_journal(out);
        if (rename(part, out) != 0) {
            status = fnd_system_fail(error, "write", out, errno);
            remove_base(part);
        }
    }
    fnd_arena_close(&m.arena);
    return status;
}

fender_status fender_study_merge(const fender_env *env, const char *out, const char *const *stores, int count,
                                 fender_error *error)
{
    fnd_store_lock lock;
    if (!fnd_io_env_usable(env, error) || count < 1 || count > LIMIT)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "from 1 to 10000 stores can be merged");
    fender_status status = fnd_study_store_lock(&lock, out, error);
    if (status != FENDER_STATUS_OK) return status;
    status = fnd_study_store_merge(env, out, stores, count, error);
    fnd_study_store_unlock(&lock);
    return status;
}
#else
typedef int fnd_merge_is_empty; /* a source holds at least a declaration */
#endif
