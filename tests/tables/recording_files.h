/* Files for the tests of recordings: written into a folder of their own, and Trick's binary form built byte by byte. */
#ifndef TEST_SERIES_FILES_H
#define TEST_SERIES_FILES_H

#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/recording.h"

static char test_folder[64];

static inline int enter_folder(void **state)
{
    (void)state;
    strcpy(test_folder, "/tmp/fender-series-XXXXXX");
    return mkdtemp(test_folder) == NULL || chdir(test_folder) != 0;
}

static inline int leave_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", test_folder);
    return chdir("/") != 0 || system(command) != 0;
}

static inline void write_bytes(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

static inline fender_recording open_recorded(const char *name)
{
    fender_recording recorded;
    fender_env env = fender_env_default();
    check_ok(fender_recording_open(&recorded, &env, name, NULL, true, &error));
    return recorded;
}

/* ---- Trick's form */

typedef struct bytes {
    char data[4096];
    size_t length;
    bool big;
} bytes;

/* The low `size` bytes of the number. */
static inline void put_number(bytes *b, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) b->data[b->length++] = (char)(value >> 8 * (b->big ? size - 1 - i : i) & 0xff);
}

static inline void put_text(bytes *b, const char *text)
{
    put_number(b, strlen(text), 4);
    memcpy(b->data + b->length, text, strlen(text));
    b->length += strlen(text);
}

static inline void put_variable(bytes *b, const char *name, const char *unit, uint64_t type, uint64_t size)
{
    put_text(b, name);
    put_text(b, unit);
    put_number(b, type, 4);
    put_number(b, size, 4);
}

static inline void put_double(bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(b, bits, 8);
}

static inline void put_float(bytes *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(b, bits, 4);
}

static inline void begin_trick(bytes *b, bool big, uint64_t variables)
{
    memset(b, 0, sizeof *b);
    b->big = big;
    memcpy(b->data, big ? "Trick-10-B" : "Trick-10-L", 10);
    b->length = 10;
    put_number(b, variables, 4);
}

#endif
