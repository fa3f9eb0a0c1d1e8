/* Files: what is refused and where, short writes, a full disk, size limits, replacing at one stroke. */
#include "support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int requests, live, fail_at;

static void *take(void *ctx, size_t size, size_t alignment)
{
    (void)ctx, (void)alignment;
    if (++requests == fail_at) return NULL;
    live++;
    return malloc(size);
}

static void give(void *ctx, void *memory, size_t size)
{
    (void)ctx, (void)size;
    live--;
    free(memory);
}

static const fender_allocator allocator = {take, give, NULL};

static int reset(void **state)
{
    (void)state;
    requests = live = fail_at = 0;
    return 0;
}

static int nothing_left(void **state)
{
    (void)state;
    return live;
}

static void put(const char *name, const char *bytes, size_t length)
{
    FILE *stream = fopen(name, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

static void has(const char *name, const char *bytes, size_t length)
{
    fnd_file file;
    assert_int_equal(fnd_file_read(&allocator, name, 1 << 20, FND_FILE_BYTES, &file, NULL), FENDER_STATUS_OK);
    assert_int_equal(file.length, length);
    assert_memory_equal(file.text, bytes, length);
    assert_int_equal(file.text[length], '\0');
    fnd_file_release(&allocator, &file);
}

static void reads(void **state)
{
    fnd_file file;
    char large[200000];
    (void)state;
    put("plain.txt", "m\xC2\xB2\n", 4);
    assert_int_equal(fnd_file_read(&allocator, "plain.txt", 4, FND_FILE_TEXT, &file, NULL), FENDER_STATUS_OK);
    assert_string_equal(file.text, "m\xC2\xB2\n");
    fnd_file_release(&allocator, &file);
    memset(large, 'x', sizeof large);
    put("large.txt", large, sizeof large);
    has("large.txt", large, sizeof large);
    put("zero.bin", "", 0);
    has("zero.bin", "", 0);
}

static void reads_a_pipe(void **state)
{
    char text[100000];
    fnd_file file;
    fender_error error = {.status = FENDER_STATUS_OK};
    (void)state;
    memset(text, 'y', sizeof text);
    for (int small = 0; small < 2; small++) {
        unlink("pipe");
        assert_int_equal(mkfifo("pipe", 0600), 0);
        pid_t child = fork();
        if (child == 0) {
            signal(SIGPIPE, SIG_IGN);
            int out = open("pipe", O_WRONLY);
            for (size_t at = 0; at < sizeof text; at += 1000)
                if (write(out, text + at, 1000) != 1000) break;
            _exit(0);
        }
        fender_status status = fnd_file_read(&allocator, "pipe", small ? 5000 : sizeof text, FND_FILE_TEXT, &file,
                                             &error);
        waitpid(child, NULL, 0);
        if (small) {
            assert_int_equal(status, FENDER_STATUS_FILE);
            assert_string_equal(error.found, "more than 5000 bytes");
        } else {
            assert_int_equal(status, FENDER_STATUS_OK);
            assert_int_equal(file.length, sizeof text);
            assert_memory_equal(file.text, text, sizeof text);
            fnd_file_release(&allocator, &file);
        }
    }
}

static void refuses(void **state)
{
    static const struct {
        const char *name;
        fender_status status;
        int line, column;
        const char *found, *expected;
    } cases[] = {
        {"missing.yaml", FENDER_STATUS_FILE, 0, 0, "No such file or directory", "an existing file or folder"},
        {"folder", FENDER_STATUS_FILE, 0, 0, "Is a directory", "a file, not a folder"},
        {"long.txt", FENDER_STATUS_FILE, 0, 0, "1001 bytes", "at most 1000 bytes"},
        {"empty.txt", FENDER_STATUS_PARSE, 1, 1, "0 bytes", "UTF-8 text"},
        {"nul.txt", FENDER_STATUS_PARSE, 2, 3, "byte 0x00 at position 6", "UTF-8 text"},
        {"latin.txt", FENDER_STATUS_PARSE, 3, 4, "byte 0xE9 at position 9", "UTF-8 text"},
        {"cut.txt", FENDER_STATUS_PARSE, 1, 2, "byte 0xE2 at position 2", "UTF-8 text"},
        {"plain.d/x", FENDER_STATUS_FILE, 0, 0, "Not a directory", "folders before the last /"},
    };
    char zeros[1001];
    (void)state;
    memset(zeros, '0', sizeof zeros);
    mkdir("folder", 0777);
    put("long.txt", zeros, sizeof zeros);
    put("empty.txt", "", 0);
    put("nul.txt", "a\n\xC2\xB2x\0e", 7);
    put("latin.txt", "a\n\nx\xC2\xB2\xC2\xB2\xE9t", 10);
    put("cut.txt", "a\xE2\x82", 3);
    put("plain.d", "x", 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fnd_file file;
        fender_error error = {.status = FENDER_STATUS_OK};
        fender_status status = fnd_file_read(&allocator, cases[i].name, 1000, FND_FILE_TEXT, &file, &error);
        if (status != cases[i].status || error.status != status || error.line != cases[i].line ||
            error.column != cases[i].column || strcmp(error.found, cases[i].found) != 0 ||
            strcmp(error.expected, cases[i].expected) != 0 || strcmp(error.source, cases[i].name) != 0 ||
            error.suggestion[0] == '\0' || error.message[0] == '\0')
            fail_msg("%s: %d %d:%d '%s' '%s'", cases[i].name, (int)status, error.line, error.column, error.found,
                     error.expected);
        assert_null(file.text);
    }
}

static void read_without_memory(void **state)
{
    fnd_file file;
    fender_error error = {.status = FENDER_STATUS_OK};
    (void)state;
    put("plain.txt", "text", 4);
    fail_at = 1;
    assert_int_equal(fnd_file_read(&allocator, "plain.txt", 100, FND_FILE_TEXT, &file, &error), FENDER_STATUS_MEMORY);
    assert_int_equal(error.status, FENDER_STATUS_MEMORY);
}

static void replaces(void **state)
{
    struct stat about;
    fender_error error = {.status = FENDER_STATUS_OK};
    (void)state;
    unlink("small.json");
    assert_int_equal(fnd_file_write("small.json", "old", 3, &error), FENDER_STATUS_OK);
    assert_int_equal(chmod("small.json", 0640), 0);
    assert_int_equal(fnd_file_write("small.json", "new one", 7, &error), FENDER_STATUS_OK);
    has("small.json", "new one", 7);
    assert_int_equal(stat("small.json", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    /* A link stays a link, a device a device. */
    unlink("link.json");
    assert_int_equal(symlink("small.json", "link.json"), 0);
    assert_int_equal(fnd_file_write("link.json", "through", 7, &error), FENDER_STATUS_OK);
    has("small.json", "through", 7);
    assert_true(lstat("link.json", &about) == 0 && S_ISLNK(about.st_mode));
    assert_int_equal(fnd_file_write("/dev/full", "x", 1, &error), FENDER_STATUS_FILE);
    assert_true(stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode));
    assert_string_equal(error.found, "No space left on device");
    assert_int_equal(fnd_file_write("no/such/folder", "x", 1, NULL), FENDER_STATUS_FILE);
    mkdir("folder", 0777);
    assert_int_equal(fnd_file_write("folder", "x", 1, NULL), FENDER_STATUS_FILE);
}

/* A size limit stops the second write: the old content must still be there, and no temporary file. */
static void replaces_wholly_or_not(void **state)
{
    struct rlimit limit, old;
    fender_error error = {.status = FENDER_STATUS_OK};
    char large[5000], temporary[64];
    struct stat about;
    (void)state;
    memset(large, 'z', sizeof large);
    assert_int_equal(fnd_file_write("kept.json", "old", 3, NULL), FENDER_STATUS_OK);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &limit);
    fender_status status = fnd_file_write("kept.json", large, sizeof large, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, FENDER_STATUS_FILE);
    assert_string_equal(error.found, "File too large");
    has("kept.json", "old", 3);
    snprintf(temporary, sizeof temporary, "kept.json.partial-%ld", (long)getpid());
    assert_int_equal(stat(temporary, &about), -1);
}

static void writes(void **state)
{
    fnd_writer writer;
    char text[1000], *expected = malloc(300000);
    size_t length = 0;
    (void)state;
    assert_non_null(expected);
    assert_int_equal(fnd_writer_open(&writer, &allocator, "out.csv", 64, NULL), FENDER_STATUS_OK);
    int after_open = requests;
    for (int i = 0; i < 500; i++) {
        size_t size = (size_t)(i * 7 % 300); /* below, at and above the buffer */
        memset(text, 'a' + i % 26, size);
        assert_true(fnd_writer_bytes(&writer, text, size));
        memcpy(expected + length, text, size);
        length += size;
    }
    assert_true(fnd_writer_number(&writer, 0.1) && fnd_writer_char(&writer, ',') && fnd_writer_text(&writer, "end\n"));
    memcpy(expected + length, "0.1,end\n", 8);
    length += 8;
    assert_int_equal(writer.written, length);
    assert_true(fnd_writer_flush(&writer));
    assert_int_equal(requests, after_open); /* no memory after open */
    has("out.csv", expected, length);
    assert_int_equal(fnd_writer_close(&writer, true, NULL), FENDER_STATUS_OK);
    has("out.csv", expected, length);
    free(expected);
}

static void full_disk(void **state)
{
    fnd_writer writer;
    fender_error error = {.status = FENDER_STATUS_OK};
    (void)state;
    assert_int_equal(fnd_writer_open(&writer, &allocator, "/dev/full", 16, &error), FENDER_STATUS_OK);
    assert_true(fnd_writer_text(&writer, "fits"));
    assert_false(fnd_writer_text(&writer, "does not fit into 16"));
    assert_false(fnd_writer_text(&writer, "x")); /* sticky */
    assert_false(fnd_writer_flush(&writer));
    assert_int_equal(fnd_writer_close(&writer, true, &error), FENDER_STATUS_FILE);
    assert_string_equal(error.source, "/dev/full");
    assert_string_equal(error.message, "cannot write '/dev/full': No space left on device");
    assert_string_equal(error.found, "No space left on device");
    assert_string_equal(error.expected, "free space on the disk");
    assert_non_null(strstr(error.suggestion, "free some space"));
    /* Only close finds out when everything fits the buffer. */
    assert_int_equal(fnd_writer_open(&writer, &allocator, "/dev/full", 0, NULL), FENDER_STATUS_OK);
    assert_true(fnd_writer_text(&writer, "small"));
    assert_int_equal(fnd_writer_close(&writer, false, NULL), FENDER_STATUS_FILE);
}

/* The limit cuts a write short first (1000 of 4096 bytes), then refuses the rest. */
static void short_write(void **state)
{
    struct rlimit limit, old;
    fnd_writer writer;
    fender_error error = {.status = FENDER_STATUS_OK};
    char text[4096];
    (void)state;
    memset(text, 'q', sizeof text);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = 1000;
    assert_int_equal(fnd_writer_open(&writer, &allocator, "short.bin", 512, NULL), FENDER_STATUS_OK);
    setrlimit(RLIMIT_FSIZE, &limit);
    bool done = fnd_writer_bytes(&writer, text, sizeof text);
    fender_status status = fnd_writer_close(&writer, false, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(done);
    assert_int_equal(status, FENDER_STATUS_FILE);
    assert_string_equal(error.found, "File too large");
    has("short.bin", text, 1000);
}

static void cannot_open(void **state)
{
    fnd_writer writer;
    fender_error error = {.status = FENDER_STATUS_OK};
    (void)state;
    assert_int_equal(fnd_writer_open(&writer, &allocator, "no/folder/x.csv", 0, &error), FENDER_STATUS_FILE);
    assert_string_equal(error.found, "No such file or directory");
    assert_string_equal(error.source, "no/folder/x.csv");
    for (int n = 1; n <= 2; n++) {
        requests = 0;
        fail_at = n;
        assert_int_equal(fnd_writer_open(&writer, &allocator, "x.csv", 0, NULL), FENDER_STATUS_MEMORY);
        assert_int_equal(live, 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, nothing_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads),       TEST(reads_a_pipe),
        TEST(refuses),     TEST(read_without_memory),
        TEST(replaces),    TEST(replaces_wholly_or_not),
        TEST(writes),      TEST(full_disk),
        TEST(short_write), TEST(cannot_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
