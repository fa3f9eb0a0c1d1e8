/* Sound files of every format with bytes changed, cut, doubled, numbers made huge: read or refused with words, memory
 * within its bound, nothing left behind, and whatever is read is a geometry. The same changes on every run. */
#include "mesh_bytes.h"

#include "bounded.h"
#include "check.h"
#include <dirent.h>
#include <time.h>

static uint64_t state = 1;
static uint32_t next_random(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

typedef struct seed {
    fender_mesh_format format;
    bytes *file;
} seed;

/* ENVI headers are tried with a raw file of 64 bytes. */
static const char raw_bytes[65] = "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF";

static int read_count, refused_count;
static double worst_ratio;

static void try_bytes(fender_mesh_format format, const char *data, size_t length, uint32_t variant)
{
    bounded b;
    fender_env env = bounded_env(&b);
    fender_error error = {0};
    fender_mesh_import import = fender_mesh_import_default();
    import.format = format;
    import.weld = variant % 3 == 1 ? 1e-6 : 0;
    import.cluster = variant % 5 == 1 ? 0.3 : 0;
    import.gaps = (fender_gaps)(variant % 4);
    import.as_mesh = variant % 7 == 1;
    import.stride = 1 + (int)(variant % 11 / 9);
    const char *file = data;
    size_t file_length = length;
    if (format == FENDER_MESH_FORMAT_RAW) {
        import.header = data;
        import.header_length = length;
        import.header_name = "dem.hdr";
        file = raw_bytes;
        file_length = 64;
    }
    fender_mesh_file *mesh = fender_mesh_file_parse(&env, "changed", file, file_length, &import, &error);
    double ratio = (double)b.most / (double)(file_length + length);
    if (length > 2000 && ratio > worst_ratio) worst_ratio = ratio;
    assert_true(b.most <= bounded_limit(file_length + length));
    if (mesh) {
        read_count++;
        fender_geometry *geometry = fender_mesh_file_geometry(mesh, NULL, &error);
        const fender_mesh_report *r = fender_mesh_file_report(mesh);
        if (!geometry) print_message("format %d: %s (%s)\n", format, error.message, error.found);
        assert_true(geometry || r->is_grid); /* neighbours of a grid may round to the same place: the core says so */
        assert_true(isfinite(r->area) && r->facets > 0);
        fender_geometry_release(geometry);
    } else {
        refused_count++;
        assert_true(error.status != FENDER_STATUS_OK && error.message[0] && error.source[0]);
    }
    fender_mesh_file_destroy(mesh);
    assert_true(b.live == 0 && b.blocks == 0);
}

static const char *const words[] = {
    "nan",         "inf",          "-1",   "0",    "1e308",   "1e-308",     "2147483648",
    "-2147483648", "kids",         "f ",   "v ",   "loc 1 2", "4294967295", "99999999999",
    "\n",          "end_header\n", "0x7f", "\xFF", "\r\n",    "{",          "element e 3\nproperty list uint uint a\n"};

static size_t change(char *data, size_t length, size_t capacity)
{
    size_t at = length > 0 ? next_random() % length : 0, size;
    switch (next_random() % 8) {
    case 0: data[at] = (char)next_random(); return length;
    case 1: data[at] = (char)(data[at] ^ 1 << next_random() % 8); return length;
    case 2: data[at] = "0123456789.-e/ \n"[next_random() % 16]; return length;
    case 3: return at;
    case 4: /* a piece twice */
        size = next_random() % (length - at + 1) % 200;
        if (length + size > capacity) return length;
        memmove(data + at + size, data + at, length - at);
        return length + size;
    case 5: /* a piece less */
        size = next_random() % (length - at + 1) % 200;
        memmove(data + at, data + at + size, length - at - size);
        return length - size;
    case 6: /* a word over what there is */
    default: {
        const char *word = words[next_random() % (sizeof words / sizeof words[0])];
        size = strlen(word);
        if (at + size > length) return length;
        memcpy(data + at, word, size);
        return length;
    }
    }
}

static void mutate(fender_mesh_format format, const bytes *file, int count)
{
    static char data[sizeof file->data];
    for (int n = 0; n < count; n++) {
        size_t length = file->length;
        memcpy(data, file->data, length);
        for (uint32_t k = 0; k < 1 + next_random() % 4; k++) length = change(data, length, sizeof data);
        char *exact = malloc(length > 0 ? length : 1); /* so that sanitizers see the end */
        memcpy(exact, data, length);
        try_bytes(format, exact, length, next_random());
        free(exact);
    }
}

static void changed_files(void **unused)
{
    (void)unused;
    static solid thing;
    static bytes file;
    /* a concave prism beside a small torus */
    const fender_vec2 outline[6] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    memset(&thing, 0, sizeof thing);
    make_prism(&thing, outline, 6, 1);
    make_torus(&thing, 5, 4, 3, 1);
    as_obj(&thing, &file, true);
    fender_mesh_file *mesh = parse_as(FENDER_MESH_FORMAT_OBJ, &file, NULL, NULL);
    assert_non_null(mesh);
    fender_mesh_def triangles = fender_mesh_file_triangles(mesh);
    const int each = 700;
    mutate(FENDER_MESH_FORMAT_OBJ, &file, each);
    as_ply(&thing, &file, "ascii");
    mutate(FENDER_MESH_FORMAT_PLY, &file, each);
    as_ply(&thing, &file, "binary_little_endian");
    mutate(FENDER_MESH_FORMAT_PLY, &file, each);
    as_ply(&thing, &file, "binary_big_endian");
    mutate(FENDER_MESH_FORMAT_PLY, &file, each);
    as_ac3d(&thing, &file);
    mutate(FENDER_MESH_FORMAT_AC3D, &file, each);
    as_stl_text(&triangles, &file);
    mutate(FENDER_MESH_FORMAT_STL, &file, each);
    as_stl_binary(&triangles, &file);
    mutate(FENDER_MESH_FORMAT_STL, &file, each);
    file.length = 0;
    say(&file, "ncols 6\nnrows 5\nxllcorner 1\nyllcorner 2\ncellsize 0.5\nNODATA_value -9\n");
    for (int i = 0; i < 30; i++) say(&file, i % 6 == 5 ? "%d\n" : "%d ", i % 7 == 6 ? -9 : i * i);
    mutate(FENDER_MESH_FORMAT_ESRI, &file, each);
    file.length = 0;
    say(&file, "ENVI\nsamples = 5\nlines = 4\nbands = 1\nheader offset = 3\ndata type = 2\nbyte order = 1\n"
               "map info = {UTM, 1, 1, 200, 1080,\n 10.0, 20, 33}\ndata ignore value = 7\n");
    mutate(FENDER_MESH_FORMAT_RAW, &file, each);
    fender_mesh_file_destroy(mesh);
    print_message("%d read, %d refused; %.1f bytes live for each of a file at most\n", read_count, refused_count,
                  worst_ratio);
    assert_true(read_count > 500 && refused_count > 2000);
}

/* Models that others collected (Debian: assimp-testmodels), where they are installed. */
static int walk(const char *folder, int depth)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        char path[1024];
        if (e->d_name[0] == '.' || depth > 6 ||
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= sizeof path)
            continue;
        fender_mesh_format format = fender_mesh_format_of(path);
        if (format == FENDER_MESH_FORMAT_BY_NAME) count += walk(path, depth + 1);
        if (format == FENDER_MESH_FORMAT_BY_NAME || format > FENDER_MESH_FORMAT_ESRI) continue;
        static bytes file;
        FILE *in = fopen(path, "rb");
        if (!in) continue;
        file.length = fread(file.data, 1, sizeof file.data, in);
        fclose(in);
        try_bytes(format, file.data, file.length, 0);
        count++;
        if (file.length < 100000) mutate(format, &file, 5);
    }
    if (dir) closedir(dir);
    return count;
}

static void models_of_others(void **unused)
{
    (void)unused;
    const char *folder = getenv("FENDER_TEST_MODELS");
    read_count = refused_count = 0;
    int count = walk(folder ? folder : "/usr/share/assimp", 0);
    if (count == 0) skip();
    print_message("%d models; with changes %d read, %d refused\n", count, read_count, refused_count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changed_files), cmocka_unit_test(models_of_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
