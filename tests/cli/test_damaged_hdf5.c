/* HDF5 files with one wrong bit: the library breaks down over some and waits for ever in others; the program does
 * neither. */
#include "harness.h"

#include <signal.h>
#include <sys/wait.h>

#include "app.h"

/* ---- work done apart */

static void do_nothing(void *ctx) { (void)ctx; }
static void break_down(void *ctx)
{
    (void)ctx;
    signal(SIGSEGV, SIG_DFL); /* a sanitizer's handler would write a report */
    raise(SIGSEGV);
}
static void go_round(void *ctx)
{
    for (;;) (*(volatile unsigned *)ctx)++;
}

static void apart(void **unused)
{
    (void)unused;
    unsigned count = 0; /* goes over its end on a fast machine */
    assert_int_equal(fnd_app_apart(do_nothing, NULL, 100), 0);
    assert_int_equal(fnd_app_apart(break_down, NULL, 100), SIGSEGV);
    assert_int_equal(fnd_app_apart(go_round, &count, 1), SIGALRM);
    assert_int_equal(count, 0); /* that of this process */
}

#ifdef FENDER_WITH_HDF5

#include <hdf5.h>

/* The address sanitizer asks for it: HDF5 forgets memory of files that it has refused. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

/* A table of two columns. Its units have any length, as h5py writes them: they lie in a heap. Headers have checksums.
 */
static void write_table(const char *name)
{
    const double values[] = {0, 1, 2};
    const hsize_t count = 3;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t group = H5Gcreate2(file, "log", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t row = H5Screate_simple(1, &count, NULL), one = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    static const char *const columns[][2] = {{"time", "s"}, {"x", "m"}};
    for (int i = 0; i < 2; i++) {
        hid_t set = H5Dcreate2(group, columns[i][0], H5T_NATIVE_DOUBLE, row, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        hid_t unit = H5Acreate2(set, "unit", text, one, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        assert_true(H5Awrite(unit, text, &columns[i][1]) >= 0);
        H5Aclose(unit);
        H5Dclose(set);
    }
    H5Tclose(text);
    H5Sclose(one);
    H5Sclose(row);
    H5Gclose(group);
    H5Fclose(file);
    H5Pclose(access);
}

/* Turns a bit of the byte so far behind a mark. */
static void damage(const char *name, const char *mark, long behind, int bit)
{
    static char data[65536];
    FILE *stream = fopen(name, "r+b");
    assert_non_null(stream);
    const long length = (long)fread(data, 1, sizeof data, stream);
    long at = 0;
    while (at + 4 <= length && memcmp(data + at, mark, 4) != 0) at++;
    assert_true(at + behind < length);
    data[at + behind] = (char)(data[at + behind] ^ (1 << bit));
    assert_int_equal(fseek(stream, at + behind, SEEK_SET), 0);
    assert_int_equal(fwrite(data + at + behind, 1, 1, stream), 1);
    assert_int_equal(fclose(stream), 0);
}

/* The program itself: HDF5 forgets memory of files that it has refused, which is no leak of ours. */
static void refused(const char *line, int code)
{
    static char said[4096];
    char command[512];
    snprintf(command, sizeof command, "ASAN_OPTIONS=detect_leaks=0 %s %s >out.txt 2>err.txt", getenv("FENDER"),
             line + 7);
    const int status = system(command);
    assert_true(harness_read("err.txt", said, sizeof said) > 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code) print_message("%s\n%s", line, said);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == code);
    assert_non_null(strstr(said, "bad.h5"));
    assert_non_null(strstr(said, "HDF5"));
}

static void refused_by_all(void)
{
    char command[512];
    write_table("good.h5");
    snprintf(command, sizeof command, "%s plot good.h5 x >out.txt", getenv("FENDER"));
    assert_int_equal(system(command), 0);
    refused("fender plot bad.h5 x", 4);
    refused("fender plot good.h5 x --with bad.h5", 4);
    refused("fender compare bad.h5 good.h5", 4);
    refused("fender compare good.h5 bad.h5", 4);
    assert_int_equal(system("mkdir -p bad.run && cp bad.h5 bad.run"), 0);
    refused("fender plot bad.run x", 4);
}

/* The fourth byte of the length of a heap's first text (4 bytes mark, 12 of the heap, 8 before the length): HDF5 copies
 * 64 MB from behind the heap. */
static void length_of_a_unit(void **unused)
{
    (void)unused;
    write_table("bad.h5");
    damage("bad.h5", "GCOL", 24 + 3, 2);
    refused_by_all();
}

/* A header without its checksum: opened for readers beside a writer, HDF5 would read it a hundred times and wait twice
 * as long each time. */
static void header(void **unused)
{
    (void)unused;
    write_table("bad.h5");
    damage("bad.h5", "OHDR", 8, 0);
    refused_by_all();
}

#endif

static int enter(void **state)
{
    static char folder[64];
#ifdef FENDER_WITH_HDF5
    H5dont_atexit(); /* as the library asks for it, which must come first */
#endif
    harness_enter_folder(folder);
    *state = folder;
    return 0;
}

static int leave(void **state)
{
    harness_leave_folder(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart),
#ifdef FENDER_WITH_HDF5
        cmocka_unit_test(length_of_a_unit),
        cmocka_unit_test(header),
#endif
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
