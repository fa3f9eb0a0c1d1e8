/* The same solid in every format gives the same triangles to the bit; areas and volumes are those of closed forms; what
 * our writer writes reads back to the same bits (M032). */
/* items: M018 M019 M032 */
#include "mesh_bytes.h"

#include "check.h"
#include <unistd.h>

static solid thing;
static bytes file;

static fender_mesh_file *take(fender_mesh_format format)
{
    fender_error error = {0};
    fender_mesh_file *mesh = parse_as(format, &file, NULL, &error);
    if (!mesh) print_message("%s:%d: %s (%s)\n", error.source, error.line, error.message, error.found);
    assert_non_null(mesh);
    return mesh;
}

static void assert_same(const fender_mesh_file *one, const fender_mesh_file *other)
{
    fender_mesh_def a = fender_mesh_file_triangles(one), b = fender_mesh_file_triangles(other);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_int_equal(a.triangle_count, b.triangle_count);
    assert_memory_equal(a.vertices, b.vertices, (size_t)a.vertex_count * sizeof *a.vertices);
    assert_memory_equal(a.triangles, b.triangles, 3 * (size_t)a.triangle_count * sizeof *a.triangles);
}

/* OBJ is the reference for the others; `single`: coordinates are 32-bit numbers. */
static fender_mesh_file *compare_formats(bool single)
{
    as_obj(&thing, &file, false);
    fender_mesh_file *reference = take(FENDER_MESH_FORMAT_OBJ);
    fender_mesh_def triangles = fender_mesh_file_triangles(reference);
    static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int n = 0; n < 7; n++) {
        fender_mesh_format format = FENDER_MESH_FORMAT_STL;
        if (n < 3) as_ply(&thing, &file, formats[n]), format = FENDER_MESH_FORMAT_PLY;
        else if (n == 3) as_obj(&thing, &file, true), format = FENDER_MESH_FORMAT_OBJ;
        else if (n == 4) as_ac3d(&thing, &file), format = FENDER_MESH_FORMAT_AC3D;
        else if (n == 5) as_stl_text(&triangles, &file);
        else as_stl_binary(&triangles, &file);
        if (n == 6 && !single) continue;
        fender_mesh_file *mesh = take(format);
        assert_same(reference, mesh);
        assert_int_equal(fender_mesh_file_report(mesh)->other, n == 4 ? 1 : 0); /* the line of the AC3D file */
        fender_mesh_file_destroy(mesh);
    }
    return reference;
}

static void near(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected))) fail_msg("%.17g, not %.17g", value, expected);
}

static void a_box(void **unused)
{
    (void)unused;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    fender_mesh_file *mesh = compare_formats(true);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->closed && r->parts == 1 && r->facets == 12 && r->vertices == 8 && r->border_edges == 0);
    assert_true(r->flipped == 0 && r->flipped_parts == 0 && r->degenerate == 0 && r->duplicate == 0);
    assert_true(r->area == 52 && r->volume == 24); /* whole numbers: no rounding at all */
    assert_true(r->bounds.upper.x == 2 && r->bounds.upper.y == 3 && r->bounds.upper.z == 4);
    assert_true(r->shortest_edge == 2 && r->longest_edge == 5);
    fender_mesh_file_destroy(mesh);
}

/* A comb: 18 corners, ten of them turning right; area and volume by the shoelace formula. */
static void a_prism_that_is_not_convex(void **unused)
{
    (void)unused;
    fender_vec2 outline[64];
    int n = 0;
    outline[n++] = (fender_vec2){0, 0};
    outline[n++] = (fender_vec2){9, 0};
    outline[n++] = (fender_vec2){9, 1};
    for (int tooth = 4; tooth >= 0; tooth--) {
        outline[n++] = (fender_vec2){2.0 * tooth + 1, 5};
        outline[n++] = (fender_vec2){2.0 * tooth, 5};
        if (tooth > 0) outline[n++] = (fender_vec2){2.0 * tooth, 1}, outline[n++] = (fender_vec2){2.0 * tooth - 1, 1};
    }
    double area = 0, around = 0;
    for (int i = 0; i < n; i++) {
        fender_vec2 p = outline[i], q = outline[(i + 1) % n];
        area += 0.5 * (p.x * q.y - p.y * q.x);
        around += hypot(q.x - p.x, q.y - p.y);
    }
    memset(&thing, 0, sizeof thing);
    make_prism(&thing, outline, n, 2);
    fender_mesh_file *mesh = compare_formats(true);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    print_message("%d corners: area %g, volume %g; expected %g, %g\n", n, r->area, r->volume, 2 * area + 2 * around,
                  2 * area);
    assert_true(r->closed && r->crossed_polygons == 0 && r->degenerate == 0);
    assert_int_equal(r->facets, 2 * (n - 2) + 2 * n); /* no overlap: exactly this area with exactly so many */
    near(r->area, 2 * area + 2 * around, 1e-15 * n);
    near(r->volume, 2 * area, 1e-15 * n);
    fender_mesh_file_destroy(mesh);
}

/* Coordinates of 17 digits. */
static void a_torus(void **unused)
{
    (void)unused;
    const int n = 48, m = 24;
    memset(&thing, 0, sizeof thing);
    make_torus(&thing, n, m, 3, 1);
    fender_mesh_file *mesh = compare_formats(false);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    /* Of the torus of volume 2 pi^2 r t^2: a polygon of the tube has m/(2 pi) sin(2 pi/m) of its disk, and the ring,
     * whose quadrilaterals are flat, n/(2 pi) sin(2 pi/n) of its circle. */
    const double pi = acos(-1), tube = m / (2 * pi) * sin(2 * pi / m), ring = n / (2 * pi) * sin(2 * pi / n);
    print_message("volume / closed form - 1 = %g\n", r->volume / (2 * pi * pi * 3 * tube * ring) - 1);
    near(r->volume, 2 * pi * pi * 3 * tube * ring, 1e-16 * 2 * n * m); /* a rounding for each facet */
    assert_true(r->closed && r->vertices == n * m && r->facets == 2 * n * m && r->volume > 0);
    /* Euler: V - E + F = 0 for genus 1 */
    assert_int_equal(r->vertices - 3 * r->facets / 2 + r->facets, 0);
    fender_mesh_file_destroy(mesh);
}

static void what_is_written_reads_back(void **unused)
{
    (void)unused;
    static const char *const names[] = {"back.ply", "back.obj", "back.stl"};
    fender_error error = {0};
    for (int far = 0; far < 2; far++) {
        memset(&thing, 0, sizeof thing);
        make_torus(&thing, 24, 12, 3, 1);
        for (int i = 0; i < thing.point_count; i++)
            thing.points[i] = fender_vec3_add(thing.points[i], fender_vec3_make(far * 6378137.0, 0, far * -4e6));
        as_obj(&thing, &file, false);
        fender_mesh_file *mesh = take(FENDER_MESH_FORMAT_OBJ);
        for (int n = 0; n < 3; n++) {
            fender_status status = fender_mesh_file_write(mesh, NULL, names[n], &error);
            if (n == 2) { /* 32 bits move its vertices, near the origin by 1e-7, far away by a quarter of a metre */
                assert_int_equal(status, far ? FENDER_STATUS_VALUE : FENDER_STATUS_OK);
                assert_true((access(names[n], F_OK) != 0) == far);
                unlink(names[n]);
                continue;
            }
            assert_int_equal(status, FENDER_STATUS_OK);
            fender_mesh_file *again = fender_mesh_file_read(NULL, names[n], NULL, &error);
            assert_non_null(again);
            assert_same(mesh, again);
            assert_memory_equal(&fender_mesh_file_report(mesh)->origin, &fender_mesh_file_report(again)->origin,
                                sizeof(fender_vec3));
            fender_mesh_file_destroy(again);
            unlink(names[n]);
        }
        fender_mesh_file_destroy(mesh);
    }
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    as_obj(&thing, &file, false);
    fender_mesh_file *box = take(FENDER_MESH_FORMAT_OBJ);
    assert_int_equal(fender_mesh_file_write(box, NULL, "back.stl", &error), FENDER_STATUS_OK);
    fender_mesh_file *again = fender_mesh_file_read(NULL, "back.stl", NULL, &error);
    assert_non_null(again);
    assert_same(box, again);
    fender_mesh_file_destroy(again);
    fender_mesh_file_destroy(box);
    unlink("back.stl");
}

/* A piece of ground at the Earth's radius: a local origin is subtracted without rounding, and adding it gives back the
 * very coordinates of the file. 32-bit numbers would be off by a quarter of a metre. */
static void far_away_nothing_is_lost(void **unused)
{
    (void)unused;
    double worst = 0;
    memset(&thing, 0, sizeof thing);
    make_torus(&thing, 24, 12, 3, 1);
    for (int i = 0; i < thing.point_count; i++)
        thing.points[i] = fender_vec3_add(thing.points[i], fender_vec3_make(4510023.9, -4510023.9, 0.1));
    as_ply(&thing, &file, "binary_big_endian");
    fender_mesh_file *mesh = take(FENDER_MESH_FORMAT_PLY);
    fender_mesh_def local = fender_mesh_file_triangles(mesh);
    fender_vec3 origin = fender_mesh_file_report(mesh)->origin;
    assert_true(origin.x > 4.5e6 && origin.y < -4.5e6 && origin.z == 0); /* along z it is near */
    for (int i = 0; i < thing.corner_count; i++) { /* in the order of first use, as the polygons have them */
        fender_vec3 p = thing.points[thing.corners[i]], q = local.vertices[local.triangles[i]];
        assert_true(q.x + origin.x == p.x && q.y + origin.y == p.y && q.z + origin.z == p.z);
        assert_true(p.x - origin.x == q.x);
        double rounding = fabs((double)(float)p.x - p.x);
        worst = rounding > worst ? rounding : worst;
        assert_true(fabs(q.x) < 16 && fabs(q.y) < 16);
    }
    print_message("origin (%.17g, %.17g, %.17g); 32 bits would be off by %g m\n", origin.x, origin.y, origin.z, worst);
    assert_true(worst > 0.1);
    fender_mesh_file_destroy(mesh);
}

static void units_and_factors(void **unused)
{
    (void)unused;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    as_obj(&thing, &file, false);
    fender_mesh_import import = fender_mesh_import_default();
    import.unit = 0.5;
    import.scale = fender_vec3_make(1, 2, -1); /* mirrored: the outside stays outside, nothing had to be turned */
    import.facing = FENDER_FACING_ALIKE;
    fender_mesh_file *mesh = parse_as(FENDER_MESH_FORMAT_OBJ, &file, &import, NULL);
    assert_non_null(mesh);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->volume == 6 && r->bounds.lower.z == -2 && r->bounds.upper.y == 3 && r->flipped == 0);
    fender_mesh_file_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box),
        cmocka_unit_test(a_prism_that_is_not_convex),
        cmocka_unit_test(a_torus),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(far_away_nothing_is_lost),
        cmocka_unit_test(units_and_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
