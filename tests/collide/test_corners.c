/* Corners of boxes, hulls and round solids as contacts: each is a sphere of its solid's rounding that touches alone,
 * with its weight; where none touches, the deepest contact stands in; pairs without corners have their patches. */
#include "geometry/geometry.h"

#include "check.h"
#include "random_numbers.h"

enum { MOST = 64, POSES = 600, GROUNDS = 4, SOLIDS = 9, RIM = 12 };

static fender_env env;
static fender_geometry *grounds[GROUNDS], *solids[SOLIDS];
static const double weights[SOLIDS] = {0.25, 0.25, 0.25, 1.0 / 6, 0.5, 1.0 / RIM, 1.0 / RIM, 1.0 / RIM, 1.0 / RIM};

static fender_geometry *rounded(fender_geometry *core)
{
    fender_geometry *g = fender_geometry_rounded(core, 0.1, NULL);
    fender_geometry_release(core);
    return g;
}

static int set_up(void **state)
{
    (void)state;
    static const double heights[16] = {0, 0.1, 0, -0.1, 0.2, 0, 0.1, 0, 0, 0.1, -0.2, 0, 0.1, 0, 0, 0.1};
    static const fender_vec3 corners[] = {{-3, -3, 0}, {3, -3, 0.2}, {3, 3, 0}, {-3, 3, 0.2}};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    fender_vec3 prism[12], rod[2] = {{-0.5, 0, 0}, {0.5, 0, 0}};
    for (int i = 0; i < 12; i++)
        prism[i] = fender_vec3_make(0.4 * cos(i % 6 * 1.0471975511965976), 0.4 * sin(i % 6 * 1.0471975511965976),
                                    i < 6 ? -0.3 : 0.3);
    env = fender_env_default();
    fender_grid_def grid = {.count_x = 4, .count_y = 4, .lower = {-3, -3}, .spacing = {2, 2}, .heights = heights};
    fender_mesh_def mesh = {.vertices = corners, .vertex_count = 4, .triangles = triangles, .triangle_count = 2};
    grounds[0] = fender_geometry_plane(&env, NULL);
    grounds[1] = fender_geometry_grid(&env, &grid, NULL);
    grounds[2] = fender_geometry_mesh(&env, &mesh, NULL);
    grounds[3] = fender_geometry_box(&env, fender_vec3_make(3, 3, 2), NULL);
    solids[0] = fender_geometry_box(&env, fender_vec3_make(0.5, 0.3, 0.2), NULL);
    solids[1] = rounded(fender_geometry_box(&env, fender_vec3_make(0.5, 0.3, 0.2), NULL));
    solids[2] = fender_geometry_box(&env, fender_vec3_make(0.5, 0.3, 0), NULL);
    solids[3] = fender_geometry_hull(&env, prism, 12, NULL);
    solids[4] = fender_geometry_hull(&env, rod, 2, NULL);
    solids[5] = fender_geometry_cylinder(&env, 0.4, 0.3, NULL);
    solids[6] = rounded(fender_geometry_cylinder(&env, 0.4, 0.3, NULL));
    solids[7] = fender_geometry_disk(&env, 0.5, NULL);
    solids[8] = fender_geometry_cone(&env, 0.4, 0.3, NULL);
    for (int i = 0; i < GROUNDS; i++) assert_non_null(grounds[i]);
    for (int i = 0; i < SOLIDS; i++) assert_non_null(solids[i]);
    return 0;
}
static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < GROUNDS; i++) fender_geometry_release(grounds[i]);
    for (int i = 0; i < SOLIDS; i++) fender_geometry_release(solids[i]);
    return 0;
}

static int contacts(const fender_geometry *a, fender_pose X_WA, const fender_geometry *b, fender_pose X_WB,
                    fender_contact_points points, double reach, fender_separation *found)
{
    int count;
    assert_int_equal(fender_geometry_contacts(a, &X_WA, b, &X_WB, points, reach, found, MOST, &count), 0);
    assert_true(count <= MOST);
    return count;
}

static fender_pose turned(random_stream *r, double height)
{
    fender_vec3 place = random_in_ball(r, 1);
    return (fender_pose){fender_vec3_make(place.x, place.y, height + 0.6 * place.z), random_rotation(r)};
}

static const fnd_polytope *corners_of(int kind) { return kind < 5 ? solids[kind]->polytope : solids[kind]->rim; }

/* The tip of a cone is a corner of three faces. */
static double weight_of(int kind, int k)
{
    return kind == 8 && corners_of(kind)->vertices[k].z > 0 ? 1.0 / 3 : weights[kind];
}

/* Of round solids: RIM points around the axis, at each end; the tip of a cone. */
static void rims(void **state)
{
    (void)state;
    for (int kind = 5; kind < SOLIDS; kind++) {
        const fnd_polytope *p = corners_of(kind);
        const double radius = kind == 7 ? 0.5 : 0.4, end = kind == 7 ? 0 : 0.3;
        int at[2 * RIM] = {0};
        assert_int_equal(p->vertex_count, kind == 7 ? RIM : kind == 8 ? RIM + 1 : 2 * RIM);
        for (int k = 0; k < p->vertex_count; k++) {
            const fender_vec3 v = p->vertices[k];
            const bool upper = v.z > 0;
            check_near(fabs(v.z), end, 0);
            if (kind == 8 && upper) continue;
            check_near(sqrt(v.x * v.x + v.y * v.y), radius, 1e-15);
            const double place = (atan2(v.y, v.x) + 3.14159265358979324) / (2 * 3.14159265358979324) * RIM - 0.5;
            check_near(place, round(place), 1e-12);
            at[(int)round(place) + (upper ? RIM : 0)]++;
        }
        for (int k = 0; k < (kind < 7 ? 2 : 1) * RIM; k++) assert_int_equal(at[k], 1);
    }
}

/* Every corner as a sphere of its own, by a query that knows no corners. */
static void each_alone(void **state)
{
    (void)state;
    int touching = 0;
    for (int n = 0; n < POSES; n++) {
        random_stream r = random_of_case(7311, (uint64_t)n);
        int kind = random_below(&r, SOLIDS), base = random_below(&r, GROUNDS);
        const fender_geometry *solid = solids[kind], *ground = grounds[base];
        const double rounding = solid->rounding, reach = random_between(&r, -0.1, 0.2);
        fender_pose X_WG = {random_in_ball(&r, 3), random_rotation(&r)};
        fender_pose X_WS = fender_pose_product(X_WG, turned(&r, base == 3 ? 2 : 0));
        fender_geometry *ball = rounding > 0 ? fender_geometry_sphere(&env, rounding, NULL)
                                             : fender_geometry_point(&env, NULL);
        fender_separation found[MOST], other[MOST], alone;
        int count = contacts(solid, X_WS, ground, X_WG, FENDER_CONTACT_POINTS_CORNERS, reach, found), at = 0;
        for (int k = 0; k < corners_of(kind)->vertex_count; k++) {
            fender_vec3 arm = fender_quaternion_rotate(X_WS.q, corners_of(kind)->vertices[k]);
            fender_pose here = {fender_vec3_add(X_WS.p, arm), X_WS.q};
            assert_int_equal(fender_geometry_separation(ball, &here, ground, &X_WG, &alone), 0);
            if (fabs(alone.distance - reach) < 1e-12) continue;
            bool within = at < count && found[at].feature == (uint64_t)k;
            assert_int_equal(within, alone.distance < reach);
            if (!within) continue;
            check_near(found[at].weight, weight_of(kind, k), 0);
            check_near(found[at].area, weight_of(kind, k) * solid->patch_area, 0);
            check_near(found[at].distance, alone.distance, 1e-13);
            /* the direction of a place is as uncertain as the place over the distance of the core */
            check_vector(found[at].normal, alone.normal, 1e-13 / larger(fabs(alone.distance + rounding), 1e-6));
            check_vector(found[at].point_a, fender_vec3_add(alone.point_a, arm), 1e-6);
            check_vector(found[at].point_b,
                         fender_vec3_add_scaled(found[at].point_a, found[at].distance, found[at].normal), 1e-13);
            assert_false(found[at].weight_fades);
            touching += alone.distance < 0;
            at++;
        }
        /* where no corner touches and the solids overlap there is one more */
        assert_true(count == at || (count == at + 1 && found[at].weight == 1 && base != 0));
        int turned_count = contacts(ground, X_WG, solid, X_WS, FENDER_CONTACT_POINTS_CORNERS, reach, other);
        assert_int_equal(turned_count, count);
        for (int k = 0; k < count; k++) {
            check_near(other[k].distance, found[k].distance, 0); /* the same from the other side */
            check_near(other[k].weight, found[k].weight, 0);
            check_vector(other[k].normal, fender_vec3_negate(found[k].normal), 0);
        }
        fender_geometry_release(ball);
    }
    print_message("%d corners in touch\n", touching);
    assert_true(touching > 200);
}

/* A face that is down altogether has the stiffness 1, an edge of a box a half, and no face of a pyramid more than 1. */
static void full_faces(void **state)
{
    (void)state;
    static const fender_vec3 corners[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}};
    fender_geometry *pyramid = fender_geometry_hull(&env, corners, 5, NULL);
    const fender_geometry *bodies[] = {solids[0], solids[2], solids[3], pyramid, solids[5], solids[7], solids[8]};
    const double heights[] = {0.2, 0, 0.3, 0, 0.3, 0, 0.3};
    for (int i = 0; i < 7; i++)
        for (int base = 0; base < GROUNDS; base += 3) { /* plane, box */
            fender_separation found[MOST];
            fender_pose X_WG = fender_pose_identity(), X_WS = X_WG;
            X_WG.p.z = base == 3 ? -2 : 0;
            X_WS.p.z = heights[i] - 1e-3;
            int count = contacts(grounds[base], X_WG, bodies[i], X_WS, FENDER_CONTACT_POINTS_CORNERS, 0, found);
            double sum = 0;
            for (int k = 0; k < count; k++) {
                check_near(found[k].distance, -1e-3, 1e-15);
                sum += found[k].weight;
            }
            check_near(sum, 1, 1e-15);
        }
    for (int v = 0; v < 5; v++) check_near(pyramid->polytope->corner_weights[v], v == 4 ? 1.0 / 3 : 0.25, 0);
    fender_separation edge[MOST];
    fender_pose X_WG = fender_pose_identity(),
                X_WS = {{0, 0, 0.2 * cos(0.3) + 0.3 * sin(0.3) - 1e-3}, {cos(0.15), sin(0.15), 0, 0}};
    assert_int_equal(contacts(grounds[0], X_WG, solids[0], X_WS, FENDER_CONTACT_POINTS_CORNERS, 0, edge), 2);
    check_near(edge[0].weight + edge[1].weight, 0.5, 0);
    fender_geometry_release(pyramid);
}

/* Two boxes whose edges cross have no corner in each other: the one deepest contact, as with `single`. A corner of
 * either one in the other's face takes its place. */
static void no_corner(void **state)
{
    (void)state;
    fender_separation found[MOST], single[MOST];
    const double quarter = 0.78539816339744831;
    fender_pose X_WA = {{0, 0, 0}, {cos(0.5 * quarter), sin(0.5 * quarter), 0, 0}};
    fender_pose X_WB = {{0.05, 0.02, sqrt(2) * (0.5 + 0.7) - 0.01}, {cos(0.5 * quarter), 0, sin(0.5 * quarter), 0}};
    fender_geometry *lower = fender_geometry_box(&env, fender_vec3_make(1, 0.5, 0.5), NULL);
    fender_geometry *upper = fender_geometry_box(&env, fender_vec3_make(0.7, 1, 0.7), NULL);
    assert_int_equal(contacts(lower, X_WA, upper, X_WB, FENDER_CONTACT_POINTS_CORNERS, 0, found), 1);
    assert_int_equal(contacts(lower, X_WA, upper, X_WB, FENDER_CONTACT_POINTS_SINGLE, 0, single), 1);
    check_near(found[0].distance, single[0].distance, 0);
    check_near(found[0].weight, 1, 0);
    check_near(found[0].area, 2, 1e-15); /* of the smaller of the largest faces, 2 x 1 and 2 x 1.4 */
    check_vector(found[0].normal, fender_vec3_make(0, 0, 1), 1e-12);
    assert_true(found[0].feature != 0);
    fender_geometry_release(lower);
    fender_geometry_release(upper);

    /* corners of the one that is called second */
    fender_pose X_table = {{0, 0, -2}, {1, 0, 0, 0}}, X_box = {{0, 0, 0.2 - 1e-3}, {1, 0, 0, 0}};
    assert_int_equal(contacts(grounds[3], X_table, solids[0], X_box, FENDER_CONTACT_POINTS_CORNERS, 0, found), 4);
    for (int k = 0; k < 4; k++) check_vector(found[k].normal, fender_vec3_make(0, 0, 1), 1e-15);

    /* and in the cap of a cylinder */
    fender_geometry *drum = fender_geometry_cylinder(&env, 3, 2, NULL);
    assert_int_equal(contacts(drum, X_table, solids[0], X_box, FENDER_CONTACT_POINTS_CORNERS, 0, found), 4);
    for (int k = 0; k < 4; k++) {
        check_near(found[k].distance, -1e-3, 1e-15);
        check_vector(found[k].normal, fender_vec3_make(0, 0, 1), 1e-15);
    }
    fender_geometry_release(drum);
}

/* Whatever has no corners is what it is with patches, to the bit. */
static void others_as_patch(void **state)
{
    (void)state;
    fender_geometry *round[] = {fender_geometry_sphere(&env, 0.4, NULL), fender_geometry_capsule(&env, 0.2, 0.3, NULL),
                                fender_geometry_ellipsoid(&env, fender_vec3_make(0.4, 0.3, 0.2), NULL)};
    int count = 0;
    for (int n = 0; n < POSES; n++) {
        random_stream r = random_of_case(7312, (uint64_t)n);
        const fender_geometry *solid = round[random_below(&r, 3)];
        int base = random_below(&r, GROUNDS);
        fender_pose X_WG = fender_pose_identity(), X_WS = turned(&r, base == 3 ? 2 : 0);
        fender_separation patch[MOST], corners[MOST];
        int of_patch = contacts(grounds[base], X_WG, solid, X_WS, FENDER_CONTACT_POINTS_PATCH, 0, patch);
        assert_int_equal(contacts(grounds[base], X_WG, solid, X_WS, FENDER_CONTACT_POINTS_CORNERS, 0, corners),
                         of_patch);
        for (int k = 0; k < of_patch; k++) {
            assert_true(patch[k].distance == corners[k].distance && patch[k].weight == corners[k].weight &&
                        patch[k].feature == corners[k].feature);
            count++;
        }
    }
    assert_true(count > POSES);
    for (int i = 0; i < 3; i++) fender_geometry_release(round[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rims), cmocka_unit_test(each_alone),
                                       cmocka_unit_test(full_faces), cmocka_unit_test(no_corner),
                                       cmocka_unit_test(others_as_patch)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
