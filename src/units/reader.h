/* The place in a unit text while it is read: characters, failures, powers. */
#ifndef FND_UNITS_READER_H
#define FND_UNITS_READER_H

#include <fender/units.h>

#define FND_LARGEST_POWER 100

typedef struct fnd_unit_reader {
    const char *text;
    size_t length, at;
    int first_column;
    fender_error *error;
    fender_status status; /* of the first failure */
    int factors;          /* read so far, to find an offset unit that does not stand alone */
    size_t offset_at, offset_size;
    bool offset;
} fnd_unit_reader;

/* Failures return false. `at`: where in the text. */
bool fnd_reader_fail(fnd_unit_reader *reader, fender_status status, size_t at, const char *message, const char *found,
                     const char *expected, const char *suggestion);
/* PARSE at the present place; finds out itself what was found. */
bool fnd_reader_fail_here(fnd_unit_reader *reader, const char *message, const char *expected, const char *suggestion);
/* A power that is too large, which began at `at`. */
bool fnd_reader_fail_size(fnd_unit_reader *reader, size_t at);
/* A place as a column; texts beyond 1e9 bytes share one. */
int fnd_reader_column(const fnd_unit_reader *reader, size_t at);

static inline bool fnd_reader_is_digit(char c) { return c >= '0' && c <= '9'; }
bool fnd_reader_is_at(const fnd_unit_reader *reader, const char *token);
bool fnd_reader_take(fnd_unit_reader *reader, const char *token);
bool fnd_reader_take_spaces(fnd_unit_reader *reader);
/* Bytes of the character at `at` that may belong to a name, 0 when it may not. */
size_t fnd_reader_name_character(const fnd_unit_reader *reader, size_t at);

/* Reads the power after a factor, in 60ths; *power is left alone when there is none. */
bool fnd_reader_read_power(fnd_unit_reader *reader, int *power);

#endif
