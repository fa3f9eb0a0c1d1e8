/* What the parts of the store share: calls of SQLite, checksums, the lock. Included where SQLite is built in alone. */
#ifndef FND_STUDY_STORE_BASE_H
#define FND_STUDY_STORE_BASE_H

#include "study/store.h"

#include <sqlite3.h>

/* Columns of the table `runs` before and behind those of the study: run status reason hash .. checksum. */
enum { FND_COLUMNS_BEFORE = 4, FND_COLUMNS_BEHIND = 1, FND_COLUMNS_MOST = 2000 /* of SQLite */ };

typedef enum fnd_base_mode {
    FND_BASE_READ, /* a store that is there; what a killed process left behind half written is taken back first */
    FND_BASE_WRITE /* created if it is not there */
} fnd_base_mode;

/* NULL when it fails. */
sqlite3 *fnd_base_open(const char *path, fnd_base_mode mode, fender_error *error);
bool fnd_base_execute(sqlite3 *base, const char *sql);
/* FILE: what SQLite says of its last call, with a remedy. base NULL: memory is missing. */
fender_status fnd_base_fail(const char *path, sqlite3 *base, fender_error *error);
/* FILE: the file is not what was written. */
fender_status fnd_base_fail_damaged(const char *path, const char *found, fender_error *error);

/* Empty tables, for columns with those names, of texts or numbers. */
bool fnd_base_create(sqlite3 *base, const fender_env *env, const char *const *names, const bool *texts, int count);
bool fnd_base_put_fact(sqlite3 *base, const char *name, const char *value);
/* The value of a fact into `text`; false when there is none. */
bool fnd_base_fact(sqlite3 *base, const char *name, char *text, size_t size);
/* Writes the checksum of facts and columns, after a change of them. */
bool fnd_base_seal(sqlite3 *base);
/* Are the tables there, and facts and columns as they were written? */
fender_status fnd_base_check_head(sqlite3 *base, const char *path, fender_error *error);
/* FILE when it is no store of the study with that hash, or of another version. */
fender_status fnd_base_check_study(sqlite3 *base, const char *path, const char *hash, const char *version,
                                   fender_error *error);
/* INSERT of a row of so many columns in all. */
sqlite3_stmt *fnd_base_prepare_insert(sqlite3 *base, const fender_env *env, int columns);

/* The next row of `SELECT * FROM runs ORDER BY run`: SQLITE_ROW, SQLITE_DONE, or an error after which *status is set.
 * *run: before the call, of the row before (-1: none); after it, of this one. */
int fnd_base_next_row(sqlite3_stmt *rows, const char *path, int64_t *run, fender_status *status, fender_error *error);

/* Cells bound one after the other, and their checksum so far. */
typedef struct fnd_base_cells {
    sqlite3_stmt *insert;
    int at; /* cells bound */
    uint64_t checksum;
} fnd_base_cells;
fnd_base_cells fnd_base_begin_row(sqlite3_stmt *insert);
void fnd_base_put_integer(fnd_base_cells *cells, int64_t value);
void fnd_base_put_number(fnd_base_cells *cells, double value); /* NaN: an empty cell */
void fnd_base_put_text(fnd_base_cells *cells, const char *text);
/* Adds the checksum and inserts the row. */
bool fnd_base_end_row(fnd_base_cells *cells);

#endif
