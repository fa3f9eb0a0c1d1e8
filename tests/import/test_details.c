/* Details that no solid of the generators shows: indices that count back from their own line, polygons before their
 * vertices, strips of PLY, facets of text and binary STL told apart. */
/* items: M032 */
#include "mesh_bytes.h"

#include "check.h"

static fender_mesh_file *take(fender_mesh_format format, const char *text)
{
    static bytes file;
    fender_error error = {0};
    file.length = 0;
    put(&file, text, strlen(text));
    fender_mesh_file *mesh = parse_as(format, &file, NULL, &error);
    if (!mesh) print_message("%d: %s (%s)\n", error.line, error.message, error.found);
    assert_non_null(mesh);
    return mesh;
}

static void indices_count_back_from_their_line(void **unused)
{
    (void)unused;
    fender_mesh_file *mesh = take(FENDER_MESH_FORMAT_OBJ, "v 0 0 0\nv 2 0 0\nv 0 2 0\nf -3 -2 -1\nv 9 9 9\nv 8 8 8\n");
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->area == 2 && r->facets == 1 && r->unused == 2);
    fender_mesh_file_destroy(mesh);
    /* a face before its vertices, one continued over two lines, groups and what is no geometry between */
    mesh = take(FENDER_MESH_FORMAT_OBJ,
                "mtllib a.mtl\ng one two\nf 1 2 \\\n 3\ns off\nv 0 0 0\nvn 0 0 1\nvt 0 0\nv 2 0 0\nv 0 3 0 1.0\n"
                "l 1 2\np 3\n");
    r = fender_mesh_file_report(mesh);
    assert_true(r->area == 3 && r->facets == 1 && r->other == 2);
    fender_mesh_file_destroy(mesh);
}

/* Lengths whose squares overflow or vanish are measured all the same; found by fuzzing. */
static void immense_and_minute_triangles(void **unused)
{
    (void)unused;
    fender_mesh_file *mesh = take(FENDER_MESH_FORMAT_OBJ, "v 0 0 0\nv 8e99 0 0\nv 0 6e99 0\nf 1 2 3\n");
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    check_near(r->area, 24e198, 1e-15 * 24e198);
    check_near(r->longest_edge, 1e100, 1e-15 * 1e100);
    fender_mesh_file_destroy(mesh);
    mesh = take(FENDER_MESH_FORMAT_OBJ, "v 0 0 0\nv 8e-200 0 0\nv 0 6e-200 0\nf 1 2 3\n");
    r = fender_mesh_file_report(mesh);
    check_near(r->shortest_edge, 6e-200, 1e-15 * 6e-200);
    check_near(r->longest_edge, 1e-199, 1e-15 * 1e-199);
    fender_mesh_file_destroy(mesh);
}

/* Two strips in one list, parted by -1: five triangles of a flat band, all looking up. */
static void strips(void **unused)
{
    (void)unused;
    fender_mesh_file *mesh = take(
        FENDER_MESH_FORMAT_PLY,
        "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
        "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
        "0 0 0\n0 1 0\n1 0 0\n1 1 0\n2 0 0\n2 1 0\n5 0 0\n5 1 0\n"
        "10 1 0 3 2 5 4 -1 5 4 6\n");
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->facets == 5 && r->flipped == 0 && r->unused == 1);
    check_near(r->area, 2 + 1.5, 1e-15);
    fender_mesh_file_destroy(mesh);
}

/* M032: nested objects by hand. The sheet's corners (0, 0, 0) to (2, 1, 0) go up by 1 along z, then by 3 along x of the
 * group, whose x is y of the file: a quarter turn, and by (10, 0, 0). */
static void objects_within_objects(void **unused)
{
    (void)unused;
    fender_mesh_file *mesh = take(
        FENDER_MESH_FORMAT_AC3D,
        "AC3Db\nOBJECT world\nkids 1\nOBJECT group\nloc 10 0 0\nrot 0 1 0 -1 0 0 0 0 1\nkids 1\n"
        "OBJECT poly\nloc 3 0 1\nnumvert 4\n0 0 0\n2 0 0\n2 1 0\n0 1 0\nnumsurf 1\nSURF 0x20\n"
        "mat 0\nrefs 4\n0 0 0\n1 0 0\n2 0 0\n3 0 0\nkids 0\n");
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    check_vector(r->bounds.lower, fender_vec3_make(9, 3, 1), 0);
    check_vector(r->bounds.upper, fender_vec3_make(10, 5, 1), 0);
    fender_mesh_file_destroy(mesh);
}

/* Three corners in one cube become their mean; the facets that are then the same become one. */
static void the_mean_of_a_cluster(void **unused)
{
    (void)unused;
    static const char text[] = "v 0.125 0.25 0.25\nv 0.25 0.25 0.25\nv 0.375 0.25 0.25\nv 5.5 0.5 0.5\nv 0.5 5.5 0.5\n"
                               "f 1 4 5\nf 2 4 5\nf 3 4 5\n";
    bytes *file = calloc(1, sizeof *file);
    fender_mesh_import import = fender_mesh_import_default();
    assert_non_null(file);
    put(file, text, sizeof text - 1);
    import.cluster = 1;
    fender_mesh_file *mesh = parse_as(FENDER_MESH_FORMAT_OBJ, file, &import, NULL);
    free(file);
    assert_non_null(mesh);
    fender_mesh_def triangles = fender_mesh_file_triangles(mesh);
    assert_true(triangles.vertex_count == 3 && triangles.triangle_count == 1);
    check_vector(triangles.vertices[0], fender_vec3_make(0.25, 0.25, 0.25), 0);
    assert_int_equal(fender_mesh_file_report(mesh)->duplicate, 2);
    fender_mesh_file_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_count_back_from_their_line), cmocka_unit_test(immense_and_minute_triangles),
        cmocka_unit_test(strips), cmocka_unit_test(objects_within_objects), cmocka_unit_test(the_mean_of_a_cluster)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
