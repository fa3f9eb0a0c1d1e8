/* Every defect of a mesh, planted in a sound one: counted, mended or named; figures of the mended mesh are exact. */
/* items: M020 */
#include "mesh_bytes.h"

#include "check.h"

static solid thing;
static bytes file;

static fender_mesh_file *take(const fender_mesh_import *import)
{
    fender_error error = {0};
    as_obj(&thing, &file, false);
    fender_mesh_file *mesh = parse_as(FENDER_MESH_FORMAT_OBJ, &file, import, &error);
    if (!mesh) print_message("%s (%s)\n", error.message, error.found);
    assert_non_null(mesh);
    return mesh;
}

static void start(void)
{
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
}

static void turn(int polygon)
{
    int *c = thing.corners;
    for (int i = 0; i < polygon; i++) c += thing.sizes[i];
    for (int i = 0, j = thing.sizes[polygon] - 1; i < j; i++, j--) {
        int corner = c[i];
        c[i] = c[j];
        c[j] = corner;
    }
}

static void check_box(const fender_mesh_file *mesh)
{
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->closed && r->volume == 24 && r->area == 52 && r->facets == 12 && r->vertices == 8);
}

static void facets_without_area_and_doubled_ones(void **unused)
{
    (void)unused;
    start();
    add_polygon(&thing, 3, (const int[3]){0, 1, 1});
    add_polygon(&thing, 3, (const int[3]){0, 2, 3}); /* a half of the first face again */
    add_polygon(&thing, 3, (const int[3]){3, 2, 0}); /* and from behind */
    add_point(&thing, 9, 9, 9);
    add_point(&thing, 0, 0, 0);
    add_polygon(&thing, 3, (const int[3]){9, 0, 3}); /* a corner twice, by its coordinates */
    fender_mesh_file *mesh = take(NULL);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    check_box(mesh);
    assert_true(r->degenerate == 2 && r->duplicate == 2 && r->unused == 1 && r->welded == 1);
    fender_mesh_file_destroy(mesh);
}

/* A corner within the edge of its neighbour, and a sliver that closes the gap, as programs for design write them: the
 * mesh stays closed, and no corner is left within an edge. */
static void slivers_are_exchanged(void **unused)
{
    (void)unused;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    thing.polygon_count = 5; /* without the last face: 1 3 7 5 at x = 2 */
    thing.corner_count = 20;
    int middle = add_point(&thing, 2, 1, 0);              /* on the edge from 1 to 3, at a third */
    add_polygon(&thing, 3, (const int[3]){1, 3, middle}); /* without area */
    add_polygon(&thing, 3, (const int[3]){1, middle, 5});
    add_polygon(&thing, 3, (const int[3]){middle, 3, 7});
    add_polygon(&thing, 3, (const int[3]){middle, 7, 5});
    fender_mesh_file *mesh = take(NULL);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    print_message("%lld without area; %lld facets, %lld border edges\n", (long long)r->degenerate, (long long)r->facets,
                  (long long)r->border_edges);
    assert_true(r->degenerate == 1 && r->closed && r->facets == 14 && r->vertices == 9 && r->parts == 1);
    check_near(r->volume, 24, 1e-14);                                        /* roundings of 14 facets */
    fender_geometry *geometry = fender_mesh_file_geometry(mesh, NULL, NULL); /* which refuses facets without area */
    assert_non_null(geometry);
    fender_geometry_release(geometry);
    fender_mesh_file_destroy(mesh);
}

static void facets_are_turned_to_agree(void **unused)
{
    (void)unused;
    fender_mesh_import alike = fender_mesh_import_default();
    alike.facing = FENDER_FACING_ALIKE;
    for (int bits = 0; bits < 64; bits++) { /* every choice of faces */
        start();
        int flipped = 0;
        double area = 0;
        static const double areas[6] = {6, 6, 8, 8, 12, 12};
        for (int i = 0; i < 6; i++)
            if (bits >> i & 1) turn(i), flipped++, area += areas[i];
        fender_mesh_file *mesh = take(NULL), *other = take(&alike);
        const fender_mesh_report *r = fender_mesh_file_report(mesh), *s = fender_mesh_file_report(other);
        check_box(mesh);
        /* the larger area decides what counts as turned; the volume what is outward */
        bool minority = area < 26;
        if (area != 26) {
            assert_int_equal(r->flipped, minority ? 2 * flipped : 12 - 2 * flipped);
            assert_int_equal(r->flipped_parts, minority ? 0 : 1);
            assert_true(s->closed && s->volume == (minority ? 24 : -24));
        }
        assert_true(s->flipped_parts == 0);
        fender_mesh_file_destroy(mesh);
        fender_mesh_file_destroy(other);
    }
}

/* A hollow box: the inner one looks inward and stays so; a second box beside it is inside out and does not. */
static void hollows_stay_hollow(void **unused)
{
    (void)unused;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 8, 8, 8);
    make_box(&thing, 2, 3, 4);
    for (int i = 8; i < 16; i++) thing.points[i] = fender_vec3_add(thing.points[i], fender_vec3_make(1, 1, 1));
    make_box(&thing, 1, 1, 1);
    for (int i = 16; i < 24; i++) thing.points[i].x += 20;
    for (int i = 6; i < 18; i++) turn(i);
    fender_mesh_file *mesh = take(NULL);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->closed && r->parts == 3 && r->flipped_parts == 1 && r->flipped == 0);
    check_near(r->volume, 512 - 24 + 1, 1e-12); /* roundings of 36 facets of volumes up to 500 */
    fender_mesh_file_destroy(mesh);
}

static void open_ground_looks_up(void **unused)
{
    (void)unused;
    static const struct {
        double x, z;  /* of the middle of the sheet */
        bool along_x; /* it stands upright, across x */
        fender_vec3 up;
        int flipped; /* when its front looks along -z, or -x */
    } cases[] = {
        {0, 0, false, {0, 0, 0}, 1},        {0, 0, false, {0, 0, -1}, 0},
        {500000, 100, false, {0, 0, 0}, 1}, /* map coordinates: far away, but not around the origin */
        {6378137, 0, true, {0, 0, 0}, 1},   /* a piece of a planet at the equator */
        {0, -6378137, false, {0, 0, 0}, 0}, /* at the south pole the outside is -z */
        {0, 6378137, false, {0, 0, 0}, 1},  {-6378137, 0, true, {0, 0, 0}, 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        memset(&thing, 0, sizeof thing);
        for (int i = 0; i < 4; i++) {
            double u = i & 1 ? 5 : -5, v = i & 2 ? 5 : -5;
            if (cases[n].along_x) add_point(&thing, cases[n].x, u, v);
            else add_point(&thing, cases[n].x + u, v, cases[n].z);
        }
        add_polygon(&thing, 4, (const int[4]){0, 2, 3, 1}); /* down */
        fender_mesh_import import = fender_mesh_import_default();
        import.up = cases[n].up;
        fender_mesh_file *mesh = take(&import);
        const fender_mesh_report *r = fender_mesh_file_report(mesh);
        if (r->flipped_parts != cases[n].flipped) fail_msg("case %zu: %lld", n, (long long)r->flipped_parts);
        assert_true(!r->closed && r->holes == 1 && r->border_edges == 4 && r->open_parts == 1 && r->volume == 0);
        fender_mesh_file_destroy(mesh);
    }
}

static void holes_and_crowded_edges(void **unused)
{
    (void)unused;
    start();
    thing.polygon_count = 5; /* a box without a face ... */
    thing.corner_count = 20;
    fender_mesh_file *mesh = take(NULL);
    assert_int_equal(fender_mesh_file_report(mesh)->holes, 1);
    assert_int_equal(fender_mesh_file_report(mesh)->border_edges, 4);
    fender_mesh_file_destroy(mesh);
    start();
    memmove(thing.corners, thing.corners + 8, 16 * sizeof(int)); /* ... and a tube: both ends open */
    thing.polygon_count = 4;
    thing.corner_count = 16;
    mesh = take(NULL);
    assert_int_equal(fender_mesh_file_report(mesh)->holes, 2);
    fender_mesh_file_destroy(mesh);
    start();
    add_point(&thing, 5, 5, 5);
    add_polygon(&thing, 3, (const int[3]){0, 1, 8}); /* a fin on an edge */
    mesh = take(NULL);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->crowded_edges == 1 && r->border_edges == 2 && !r->closed && r->parts == 2);
    fender_mesh_file_destroy(mesh);
    start();
    make_box(&thing, 1, 1, 4); /* two boxes that share the edge x = y = 0 */
    for (int i = 8; i < 16; i++) thing.points[i] = fender_vec3_sub(thing.points[i], fender_vec3_make(1, 1, 0));
    mesh = take(NULL);
    r = fender_mesh_file_report(mesh);
    assert_true(r->crowded_edges == 1 && r->closed && r->parts == 2 && r->welded == 2);
    check_near(r->volume, 28, 1e-14); /* roundings of 24 facets */
    fender_mesh_file_destroy(mesh);
}

/* A Moebius band of 24 quadrilaterals cannot agree with itself. */
static void a_band_of_one_side(void **unused)
{
    (void)unused;
    const double pi = acos(-1);
    memset(&thing, 0, sizeof thing);
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 2; j++) {
            double u = 2 * pi * i / 24, w = j ? 0.3 : -0.3;
            add_point(&thing, (1 + w * cos(u / 2)) * cos(u), (1 + w * cos(u / 2)) * sin(u), w * sin(u / 2));
        }
    for (int i = 0; i < 24; i++) {
        int a = 2 * i, b = i < 23 ? a + 2 : 1, c = i < 23 ? a + 3 : 0;
        add_polygon(&thing, 3, (const int[3]){a, b, c});
        add_polygon(&thing, 3, (const int[3]){a, c, a + 1});
    }
    fender_mesh_file *mesh = take(NULL);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->one_sided == 1 && !r->closed && r->holes == 1 && r->parts == 1);
    fender_mesh_file_destroy(mesh);
}

static void welding_and_clustering(void **unused)
{
    (void)unused;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    int faces[24];
    memcpy(faces, thing.corners, sizeof faces);
    for (int i = 0; i < 24; i++) { /* every face with corners of its own, off by up to 1.7e-6 */
        fender_vec3 p = thing.points[faces[i]];
        thing.corners[i] = add_point(&thing, p.x + 1e-6 * (i % 3 - 1), p.y + 1e-6 * (i % 2), p.z);
    }
    for (int i = 0; i < 8; i++) thing.points[i].z -= 1e-6; /* the first of all: those above it are to find it below */
    fender_mesh_import import = fender_mesh_import_default();
    fender_mesh_file *mesh = take(&import);
    assert_true(!fender_mesh_file_report(mesh)->closed);
    fender_mesh_file_destroy(mesh);
    import.weld = 1e-5;
    mesh = take(&import);
    const fender_mesh_report *r = fender_mesh_file_report(mesh);
    assert_true(r->closed && r->vertices == 8 && r->facets == 12);
    check_near(r->volume, 24, 24 * 3e-6); /* vertices moved by 2e-6 at most */
    fender_mesh_file_destroy(mesh);
    /* 48 x 24 points in cubes of 0.5: fewer, still closed, near the same volume */
    memset(&thing, 0, sizeof thing);
    make_torus(&thing, 96, 40, 3, 1);
    import = fender_mesh_import_default();
    mesh = take(&import);
    double fine = fender_mesh_file_report(mesh)->volume;
    int64_t many = fender_mesh_file_report(mesh)->facets;
    fender_mesh_file_destroy(mesh);
    import.cluster = 0.4;
    mesh = take(&import);
    r = fender_mesh_file_report(mesh);
    print_message("clustered: %lld of %lld facets, volume %g of %g\n", (long long)r->facets, (long long)many, r->volume,
                  fine);
    assert_true(r->facets < many / 2 && r->facets > 100 && r->border_edges == 0);
    check_near(r->volume, fine, 0.4 * r->area); /* no vertex moves farther than half a cube's diagonal */
    fender_mesh_file_destroy(mesh);
}

/* A star that crosses itself: five corners that all turn left, twice around. */
static void polygons_that_cross_themselves(void **unused)
{
    (void)unused;
    const double pi = acos(-1);
    memset(&thing, 0, sizeof thing);
    for (int i = 0; i < 5; i++) add_point(&thing, cos(4 * pi * i / 5), sin(4 * pi * i / 5), 0);
    add_polygon(&thing, 5, (const int[5]){0, 1, 2, 3, 4});
    int first = thing.point_count; /* and a bow tie */
    add_point(&thing, 4, 0, 0);
    add_point(&thing, 6, 2, 0);
    add_point(&thing, 6, 0, 0);
    add_point(&thing, 4, 3, 0);
    add_polygon(&thing, 4, (const int[4]){first, first + 1, first + 2, first + 3});
    fender_mesh_file *mesh = take(NULL);
    assert_int_equal(fender_mesh_file_report(mesh)->crossed_polygons, 2);
    fender_mesh_file_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facets_without_area_and_doubled_ones),
        cmocka_unit_test(slivers_are_exchanged),
        cmocka_unit_test(facets_are_turned_to_agree),
        cmocka_unit_test(hollows_stay_hollow),
        cmocka_unit_test(open_ground_looks_up),
        cmocka_unit_test(holes_and_crowded_edges),
        cmocka_unit_test(a_band_of_one_side),
        cmocka_unit_test(welding_and_clustering),
        cmocka_unit_test(polygons_that_cross_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
