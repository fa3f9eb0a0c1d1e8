/* Words of a text, one after another, with the number of the line. */
#ifndef FND_IMPORT_SCAN_H
#define FND_IMPORT_SCAN_H

#include "import/import.h"

typedef struct fnd_scan {
    const char *at, *end;
    int line;
} fnd_scan;

fnd_scan fnd_scan_open(const void *text, size_t length);
/* The next word, across lines; length 0 at the end of the text. */
size_t fnd_scan_word(fnd_scan *scan, const char **start);
/* The next word of this line; length 0 at its end. */
size_t fnd_scan_word_here(fnd_scan *scan, const char **start);
/* Behind the break of this line. */
void fnd_scan_next_line(fnd_scan *scan);
/* The same word, capital letters or not? `word` in small ones. */
bool fnd_scan_is(const char *text, size_t length, const char *word);
/* A whole number of decimal or 0x digits, perhaps with a sign, that a double holds exactly. */
bool fnd_scan_integer(const char *text, size_t length, int64_t *value);

/* `count` finite numbers, across lines or (`here`) in this one. PARSE: "'abc' is no finite WHAT". */
bool fnd_scan_numbers(fnd_import *import, fnd_scan *scan, bool here, int count, double *values, const char *what,
                      const char *expected);
/* A count of things that take at least `bytes` bytes each of what is left of the text. */
bool fnd_scan_count(fnd_import *import, fnd_scan *scan, const char *what, size_t bytes, size_t *count);

#endif
