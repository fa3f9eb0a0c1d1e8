/* Files that are cut short, lie about their counts, hold NaN, nothing, headers without end, names that are no UTF-8,
 * trees too deep or lists of 2^31 entries: each a clear error with its line or byte, in memory bounded by the size of
 * the file. */
#include "mesh_bytes.h"

#include "bounded.h"
#include "check.h"
#include <time.h>

static bytes file;

typedef struct bad {
    fender_mesh_format format;
    const char *text; /* NULL: made by `make` */
    void (*make)(void);
    fender_status status;
    int line;
    const char *message; /* part of it */
} bad;

#define PLY_HEAD                                                                                                      \
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uint int " \
    "vertex_indices\nend_header\n"
#define AC_HEAD "AC3Db\nOBJECT world\nkids 1\nOBJECT poly\n"

static void stl_with_nan(void)
{
    static const char title[80] = "binary";
    put(&file, title, 80);
    put_bits(&file, 2, 4, false);
    for (int k = 0; k < 25; k++) put_bits(&file, k == 19 ? 0x7FC0 : 0, 2, false);
    for (int k = 0; k < 25; k++) put_bits(&file, 0, 2, false);
}
static void stl_lying(void)
{
    static const char title[80] = "binary";
    put(&file, title, 80);
    put_bits(&file, 0xFFFFFFFF, 4, false);
    put(&file, title, 50);
}
static void ply_endless_list(void)
{
    say(&file, "ply\nformat binary_little_endian 1.0\n" PLY_HEAD);
    for (int k = 0; k < 9; k++) put_float32(&file, k, false);
    put_bits(&file, 0x7FFFFFFF, 4, false);
    for (int k = 0; k < 9; k++) put_bits(&file, 0, 4, false);
}
static void ply_big_nan(void)
{
    say(&file, "ply\nformat binary_big_endian 1.0\n" PLY_HEAD);
    put_bits(&file, 0x7F800000, 4, true);
    for (int k = 0; k < 30; k++) put_bits(&file, 0, 4, true);
}
static void ply_header_without_end(void)
{
    say(&file, "ply\nformat ascii 1.0\n");
    for (int k = 0; k < 20000; k++) say(&file, "comment %d\n", k);
}
static void ply_many_properties(void)
{
    say(&file, "ply\nformat ascii 1.0\nelement vertex 1\n");
    for (int k = 0; k < 3000; k++) say(&file, "property float p%d\n", k);
    say(&file, "end_header\n");
}
static void ply_many_elements(void)
{
    say(&file, "ply\nformat ascii 1.0\n");
    for (int k = 0; k < 100; k++) say(&file, "element e%d 0\n", k);
}
static void ac3d_deep(void)
{
    say(&file, "AC3Db\n");
    for (int k = 0; k < 20000; k++) say(&file, "OBJECT group\nkids 1\n");
}
static void esri_huge(void) { say(&file, "ncols 2147483647\nnrows 2147483647\ncellsize 1\n1 2 3 4\n"); }
static void raw_huge(void) { say(&file, "1234"); }
static void obj_winding(void)
{
    /* a spiral of 5000 corners: not convex, too long to cut ears */
    for (int k = 0; k < 5000; k++)
        say(&file, "v %g %g 0\n", (k < 2500 ? k + 1 : 5001 - k) * cos(0.01 * (k < 2500 ? k : 5000 - k)),
            (k < 2500 ? k + 1 : 5003 - k) * sin(0.01 * (k < 2500 ? k : 5000 - k)));
    say(&file, "f");
    for (int k = 0; k < 5000; k++) say(&file, " %d", k + 1);
}
static void obj_of_many(void)
{
    for (int k = 0; k < 100; k++) say(&file, "v %d 0 0\n", k);
}
static void stl_bad_name(void) { say(&file, "solid caf\xE9\nfacet normal 0 0 1\nouter loop\nvertex \xFF 0 0\n"); }

static const bad cases[] = {
    {FENDER_MESH_FORMAT_STL, "", NULL, FENDER_STATUS_PARSE, 0, "not an STL"},
    {FENDER_MESH_FORMAT_STL, "# cube\nv 0 0 0\nf 1 1 1\n", NULL, FENDER_STATUS_PARSE, 0, "text, but not an STL"},
    {FENDER_MESH_FORMAT_STL, NULL, obj_of_many, FENDER_STATUS_PARSE, 0, "text, but not an STL"},
    {FENDER_MESH_FORMAT_STL, "solid\nendsolid\n", NULL, FENDER_STATUS_PARSE, 0, "no triangles"},
    {FENDER_MESH_FORMAT_STL, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", NULL, FENDER_STATUS_PARSE, 4,
     "the end of the file"},
    {FENDER_MESH_FORMAT_STL, NULL, stl_with_nan, FENDER_STATUS_PARSE, 0, "corner 3 of triangle 1, at byte 120"},
    {FENDER_MESH_FORMAT_STL, NULL, stl_lying, FENDER_STATUS_PARSE, 0, "does not fit its count"},
    {FENDER_MESH_FORMAT_STL, NULL, stl_bad_name, FENDER_STATUS_PARSE, 4, "\\xFF"},
    {FENDER_MESH_FORMAT_OBJ, "", NULL, FENDER_STATUS_PARSE, 0, "no triangles"},
    {FENDER_MESH_FORMAT_OBJ, "v 0 0 inf\n", NULL, FENDER_STATUS_PARSE, 1, "finite coordinate"},
    {FENDER_MESH_FORMAT_OBJ, "v 0 0 1e400\n", NULL, FENDER_STATUS_PARSE, 1, "finite coordinate"},
    {FENDER_MESH_FORMAT_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4294967297\n", NULL, FENDER_STATUS_PARSE, 5,
     "no vertex of this file"},
    {FENDER_MESH_FORMAT_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", NULL, FENDER_STATUS_PARSE, 4, "'-4'"},
    {FENDER_MESH_FORMAT_OBJ, "v 1e99 0 0\nv 0 1e99 0\nv 0 0 1e99\nf 1 2 3\n", NULL, FENDER_STATUS_OK, 0, ""},
    {FENDER_MESH_FORMAT_OBJ, "v 1e101 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", NULL, FENDER_STATUS_VALUE, 0, "1e+101"},
    {FENDER_MESH_FORMAT_OBJ, "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n", NULL, FENDER_STATUS_VALUE, 0, "no facet"},
    {FENDER_MESH_FORMAT_OBJ, NULL, obj_winding, FENDER_STATUS_VALUE, 0, "too many corners"},
    {FENDER_MESH_FORMAT_PLY, "plx\n", NULL, FENDER_STATUS_PARSE, 1, "not a PLY"},
    {FENDER_MESH_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n", NULL, FENDER_STATUS_PARSE,
     3, "99999999999999999999"},
    {FENDER_MESH_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", NULL,
     FENDER_STATUS_PARSE, 5, "no coordinates"},
    {FENDER_MESH_FORMAT_PLY,
     "ply\nformat ascii 1.0\nelement nothing 9007199254740992\n" PLY_HEAD "0 0 0 1 0 0 0 1 0 3 0 1 2", NULL,
     FENDER_STATUS_OK, 0, ""},
    {FENDER_MESH_FORMAT_PLY, "ply\nformat ascii 1.0\n" PLY_HEAD "0 0 0 1 0 0 0 1 0\n-1 0 1 2", NULL,
     FENDER_STATUS_PARSE, 11, "-1 elements"},
    {FENDER_MESH_FORMAT_PLY, "ply\nformat ascii 1.0\n" PLY_HEAD "0 0 0 1 0 0 0 1 0\n3 0 1.5 2", NULL,
     FENDER_STATUS_PARSE, 11, "no vertex 1.5"},
    {FENDER_MESH_FORMAT_PLY,
     "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
     "property list uchar int vertex_indices\nend_header\n3 0 1 2",
     NULL, FENDER_STATUS_PARSE, 10, "no vertex 0"},
    {FENDER_MESH_FORMAT_PLY, NULL, ply_endless_list, FENDER_STATUS_PARSE, 0, "2147483647 elements"},
    {FENDER_MESH_FORMAT_PLY, NULL, ply_big_nan, FENDER_STATUS_PARSE, 0, "at byte 165"},
    {FENDER_MESH_FORMAT_PLY, NULL, ply_header_without_end, FENDER_STATUS_PARSE, 20002, "no end"},
    {FENDER_MESH_FORMAT_PLY, NULL, ply_many_properties, FENDER_STATUS_PARSE, 1028, "too many properties"},
    {FENDER_MESH_FORMAT_PLY, NULL, ply_many_elements, FENDER_STATUS_PARSE, 67, "too many elements"},
    {FENDER_MESH_FORMAT_AC3D, "AC3Db\n", NULL, FENDER_STATUS_PARSE, 0, "no triangles"},
    {FENDER_MESH_FORMAT_AC3D, "ac3d\n", NULL, FENDER_STATUS_PARSE, 1, "does not begin"},
    {FENDER_MESH_FORMAT_AC3D, AC_HEAD "numvert 2000000000\n0 0 0\n", NULL, FENDER_STATUS_PARSE, 5, "too short for"},
    {FENDER_MESH_FORMAT_AC3D, AC_HEAD "numvert -1\n", NULL, FENDER_STATUS_PARSE, 5, "not a count"},
    {FENDER_MESH_FORMAT_AC3D, AC_HEAD "numvert 1\n0 0 0\nnumsurf 1\nSURF 0x0\nmat 0\nrefs 2147483648\n", NULL,
     FENDER_STATUS_PARSE, 10, "too short for"},
    {FENDER_MESH_FORMAT_AC3D, AC_HEAD "numvert 1\n0 0 0\nnumsurf 1\nSURF 0x7\nrefs 0\nkids 0\n", NULL,
     FENDER_STATUS_PARSE, 8, "surfaces of kind"},
    {FENDER_MESH_FORMAT_AC3D, AC_HEAD "OBJECT poly\nkids 0\n", NULL, FENDER_STATUS_PARSE, 5, "before its 'kids'"},
    {FENDER_MESH_FORMAT_AC3D, AC_HEAD "data 400\nabc\nkids 0\n", NULL, FENDER_STATUS_PARSE, 5, "too short for"},
    {FENDER_MESH_FORMAT_AC3D, NULL, ac3d_deep, FENDER_STATUS_PARSE, 514, "too deep"},
    {FENDER_MESH_FORMAT_ESRI, "nrows 2\ncellsize 1\n1 2\n", NULL, FENDER_STATUS_PARSE, 2, "no 'ncols'"},
    {FENDER_MESH_FORMAT_ESRI, "ncols 2\nnrows 2\ncellsize 0\n1 2 3 4\n", NULL, FENDER_STATUS_PARSE, 3, "the size 0"},
    {FENDER_MESH_FORMAT_ESRI, "ncols 2\nnrows 2\ncellsize 1\n1 2 3 4 5\n", NULL, FENDER_STATUS_PARSE, 4,
     "behind the last"},
    {FENDER_MESH_FORMAT_ESRI, "ncols 2\nncols 2\n", NULL, FENDER_STATUS_PARSE, 2, "twice"},
    {FENDER_MESH_FORMAT_ESRI, "ncols 1e300\nnrows 2\ncellsize 1\n", NULL, FENDER_STATUS_PARSE, 3, "ncols of 1e+300"},
    {FENDER_MESH_FORMAT_ESRI, "ncols 2\nnrows 2\ncellsize 1\nnan nan nan nan\n", NULL, FENDER_STATUS_VALUE, 0,
     "no heights"},
    {FENDER_MESH_FORMAT_ESRI, NULL, esri_huge, FENDER_STATUS_PARSE, 3, "too short"},
    {FENDER_MESH_FORMAT_OBJ, "\xFF\xFEv", NULL, FENDER_STATUS_PARSE, 1, "UTF-16"},
    {FENDER_MESH_FORMAT_RAW, NULL, raw_huge, FENDER_STATUS_PARSE, 0, "too short"},
};

static void every_error_is_clear(void **unused)
{
    (void)unused;
    size_t largest = 0;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const bad *c = &cases[n];
        file.length = 0;
        if (c->text) put(&file, c->text, strlen(c->text));
        else c->make();
        bounded b;
        fender_env env = bounded_env(&b);
        fender_error error = {0};
        fender_mesh_import import = fender_mesh_import_default();
        import.format = c->format;
        import.raster = (fender_raster_layout){
            .columns = INT32_MAX, .rows = INT32_MAX, .type = FENDER_RASTER_FLOAT64, .spacing = {
                1,
                1
            }};
        fender_mesh_file *mesh = fender_mesh_file_parse(&env, "terrain.file", file.data, file.length, &import, &error);
        fender_mesh_file_destroy(mesh);
        bool fine = error.status == c->status && error.line == c->line && strstr(error.message, c->message);
        if (!fine)
            print_message("case %zu: %d:%d: %s\n found %s\n wanted %d:%d: %s\n", n, error.status, error.line,
                          error.message, error.found, c->status, c->line, c->message);
        assert_true(fine);
        assert_true((mesh != NULL) == (c->status == FENDER_STATUS_OK));
        if (c->status != FENDER_STATUS_OK) {
            assert_string_equal(error.source, "terrain.file");
            assert_true(error.found[0] && error.expected[0]);
        }
        assert_true(b.live == 0 && b.blocks == 0 && b.most <= bounded_limit(file.length));
        largest = b.most > largest ? b.most : largest;
    }
    print_message("%zu cases; %zu bytes live at most\n", sizeof cases / sizeof cases[0], largest);
}

/* Cut after every byte: an error, or (a text that ends between two facets) a smaller mesh; never more memory. */
static void cut_anywhere(void **unused)
{
    (void)unused;
    static solid thing;
    static bytes whole;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    as_obj(&thing, &whole, false);
    fender_mesh_file *box = parse_as(FENDER_MESH_FORMAT_OBJ, &whole, NULL, NULL);
    fender_mesh_def triangles = fender_mesh_file_triangles(box);
    int read = 0, refused = 0;
    for (int n = 0; n < 7; n++) {
        static const fender_mesh_format formats[] = {
            FENDER_MESH_FORMAT_STL, FENDER_MESH_FORMAT_STL, FENDER_MESH_FORMAT_OBJ, FENDER_MESH_FORMAT_PLY,
            FENDER_MESH_FORMAT_PLY, FENDER_MESH_FORMAT_PLY, FENDER_MESH_FORMAT_AC3D};
        if (n == 0) as_stl_text(&triangles, &whole);
        else if (n == 1) as_stl_binary(&triangles, &whole);
        else if (n == 2) as_obj(&thing, &whole, false);
        else if (n < 6)
            as_ply(&thing, &whole, n == 3 ? "ascii" : n == 4 ? "binary_little_endian" : "binary_big_endian");
        else as_ac3d(&thing, &whole);
        for (size_t length = 0; length < whole.length; length++) {
            bounded b;
            fender_env env = bounded_env(&b);
            fender_error error = {0};
            fender_mesh_import import = fender_mesh_import_default();
            import.format = formats[n];
            char *cut = malloc(length + 1); /* so that sanitizers see the end */
            memcpy(cut, whole.data, length);
            char *exact = realloc(cut, length > 0 ? length : 1);
            fender_mesh_file *mesh = fender_mesh_file_parse(&env, "cut", exact, length, &import, &error);
            if (mesh) read++;
            else refused++;
            assert_true(mesh || (error.message[0] && error.source[0]));
            /* texts of STL, PLY and AC3D say where they end: less than the line break at their end is missing */
            if (mesh && formats[n] != FENDER_MESH_FORMAT_OBJ) assert_true(whole.length - length < 26);
            fender_mesh_file_destroy(mesh);
            free(exact);
            assert_true(b.live == 0 && b.most <= bounded_limit(length));
        }
    }
    fender_mesh_file_destroy(box);
    print_message("%d read, %d refused\n", read, refused);
    assert_true(refused > 3000);
}

/* Memory may end at any allocation: MEMORY, and nothing is left behind. */
static void memory_may_end(void **unused)
{
    (void)unused;
    static solid thing;
    memset(&thing, 0, sizeof thing);
    make_torus(&thing, 24, 12, 3, 1);
    add_polygon(&thing, 4, (const int[4]){0, 1, 2, 20}); /* polygons that must be divided, and crowded edges */
    as_ply(&thing, &file, "binary_little_endian");
    fender_mesh_import import = fender_mesh_import_default();
    import.format = FENDER_MESH_FORMAT_PLY;
    import.cluster = 1e-3;
    int refused = 0;
    for (size_t above = 64; above < 1 << 20; above += above / 16 + 1) {
        bounded b;
        fender_env env = bounded_env(&b);
        b.refuse_above = above;
        fender_error error = {0};
        fender_mesh_file *mesh = fender_mesh_file_parse(&env, "memory", file.data, file.length, &import, &error);
        if (!mesh) {
            assert_int_equal(error.status, FENDER_STATUS_MEMORY);
            refused++;
        }
        fender_mesh_file_destroy(mesh);
        assert_true(b.live == 0 && b.blocks == 0);
    }
    print_message("%d sizes refused\n", refused);
    assert_true(refused > 30);
}

/* What costs most for its size: time stays proportional. A second is some thousand times what 1 MB takes. */
static void no_file_takes_long(void **unused)
{
    (void)unused;
    clock_t begin = clock();
    for (int kind = 0; kind < 4; kind++) {
        file.length = 0;
        fender_mesh_import import = fender_mesh_import_default();
        import.format = FENDER_MESH_FORMAT_OBJ;
        if (kind == 0) { /* one vertex in all facets */
            for (int k = 0; k < 12; k++) say(&file, "v %d %d %d\n", k, k * k, k * k * k);
            while (file.length + 64 < sizeof file.data) say(&file, "f 1 2 3 4 5 6 7 8 9 10 11 12\n");
        } else if (kind == 1) { /* many corners within the reach of one another */
            import.weld = 1;
            for (int k = 0; file.length + 128 < sizeof file.data; k++)
                say(&file, "v %g 0 0\nv 0 %g 0\nv 0 0 %g\nf -1 -2 -3\n", 1e-6 * k, 1e-6 * k + 2, 1e-6 * k);
        } else if (kind == 2) { /* polygons of 900 corners that wind */
            for (int k = 0; k < 900; k++) {
                int i = k < 450 ? k : 899 - k;
                double r = (k < 450 ? 10 : 10.4) + 0.1 * i;
                say(&file, "v %.6g %.6g 0\n", r * cos(0.12 * i), r * sin(0.12 * i));
            }
            while (file.length + 6000 < sizeof file.data) {
                say(&file, "f");
                for (int k = 0; k < 900; k++) say(&file, " %d", k + 1);
                say(&file, "\n");
            }
        } else { /* a grid whose one height must reach all others */
            import.format = FENDER_MESH_FORMAT_ESRI;
            import.gaps = FENDER_GAPS_SPREAD;
            say(&file, "ncols 2\nnrows 170000\ncellsize 1\nNODATA_value 7\n5 5\n");
            for (int k = 0; k < 2 * 170000 - 2; k++) put(&file, "7 ", 2);
        }
        bounded b;
        fender_env env = bounded_env(&b);
        fender_error error = {0};
        clock_t start = clock();
        fender_mesh_file *mesh = fender_mesh_file_parse(&env, "slow", file.data, file.length, &import, &error);
        print_message("kind %d: %s, %.0f ms, %.1f bytes for each of the file\n", kind, mesh ? "read" : error.message,
                      1e3 * (double)(clock() - start) / CLOCKS_PER_SEC, (double)b.most / (double)file.length);
        assert_true(b.most <= bounded_limit(file.length));
        fender_mesh_file_destroy(mesh);
    }
    /* processor time, not that of the clock on the wall; sanitizers take ten times as long */
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 30);
}

/* Lines with more numbers than the header declares are told, whatever they are taken for. */
static void crowded_lines(void **unused)
{
    (void)unused;
    static const char *const lines[] = {"0 0 0\n1 0 0\n0 1 0 255\n3 0 1 2\n", "0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n"};
    for (int i = 0; i < 2; i++) {
        fender_error error = {0};
        fender_mesh_import import = fender_mesh_import_default();
        import.format = FENDER_MESH_FORMAT_PLY;
        file.length = 0;
        say(&file, "ply\nformat ascii 1.0\n" PLY_HEAD "%s", lines[i]);
        assert_null(fender_mesh_file_parse(NULL, "terrain.file", file.data, file.length, &import, &error));
        assert_string_equal(error.suggestion,
                            i == 0 ? "line 12 holds more numbers than the header declares for its element"
                                   : "check whether the file is complete");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowded_lines),  cmocka_unit_test(every_error_is_clear), cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(memory_may_end), cmocka_unit_test(no_file_takes_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
