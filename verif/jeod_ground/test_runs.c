/* JEOD's RUN_contact_ground (C037) beside ours: free fall and contact law row by row, with the ground where JEOD's own
 * contact points put it; then the same case with the ground where it is. */
/* items: C037 C038 */
#include "check.h"
#include "csv_table.h"
#include <string.h>

/* 10 lbf/in and 0.2 lbf s/in as JEOD converts them; mu of its Earth (GGM02C). */
static const double stiffness = 1751.2683524647632, damping = 35.025367049295269, friction = 0.5;
static const double radius = 6378137, earth_mu = 3.986004415e14, step = 0.01;
enum { CAPSULE, SPHERE };
static const char *const columns[2][3] = {{"veh1_pos_in_x", "veh1_vel_in_x", "veh1_F_str_x"},
                                          {"veh2_pos_in_x", "veh2_vel_in_x", "veh2_F_str_x"}};

static void parameter(const fender_law *law, void *parameters, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, parameters, 0, value);
}

static void add_shape(fender_world *world, fender_body_id body, fender_geometry *geometry)
{
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    assert_non_null(geometry);
    def.name = "shape";
    def.geometry = geometry;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
}

/* One vehicle above ground at a level [m] relative to the planet's radius; W is at that radius, east, north, up,
 * without rotation: JEOD's x is our z. (So no axis has to be turned: a capsule that is balanced on its end stays so in
 * numbers that are exactly zero; with an attitude of rounded numbers it falls over within 10 s.) */
static fender_world *alone(int vehicle, double z, double v, double level, fender_body_id *body)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = step;
    def.gravity.kind = FENDER_GRAVITY_PLANET;
    def.frame.kind = FENDER_FRAME_LOCAL;
    def.frame.planet = (fender_planet){.mu = earth_mu, .equatorial_radius = radius};
    def.frame.axes = FENDER_LOCAL_EAST_NORTH_UP;
    fender_error none = {0};
    fender_world *world = fender_world_create(&env, &def, &none);
    assert_non_null(world);
    fender_body_def ground = fender_body_def_default(), vehicle_def = fender_body_def_default();
    fender_body_id id;
    ground.name = "ground";
    ground.motion = FENDER_MOTION_FIXED;
    ground.state.position.z = level;
    check_ok(fender_body_create(world, &ground, &id, &error));
    add_shape(world, id, fender_geometry_planet_ground(&env, radius + level, &none));
    vehicle_def.name = "vehicle";
    vehicle_def.mass_properties.mass = 200;
    vehicle_def.mass_properties.inertia = fender_mat3_diagonal(116.6667, 116.6667, 100);
    vehicle_def.state.position.z = z;
    vehicle_def.state.velocity.z = v;
    check_ok(fender_body_create(world, &vehicle_def, body, &error));
    add_shape(world, *body,
              vehicle == CAPSULE ? fender_geometry_capsule(&env, 1, 1, &none) : fender_geometry_sphere(&env, 1, &none));
    const fender_law *law = fender_law_find(NULL, "jeod_spring");
    union {
        double align;
        char bytes[128];
    } p;
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    parameter(law, p.bytes, "stiffness", stiffness);
    parameter(law, p.bytes, "damping", damping);
    parameter(law, p.bytes, "mu", friction);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "steel_on_dirt", .law = law, .law_parameters = p.bytes};
    fender_contact_type_id use;
    check_ok(fender_contact_type_create(world, &type, &use, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = use};
    fender_rule_id rule_id;
    check_ok(fender_rule_create(world, &rule, &rule_id, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* JEOD puts the point of contact on top of a shape: its ground is a diameter, for the upright capsule its whole length,
 * too low. With ours lowered by as much, all rows in which the vehicles do not touch each other must agree. They are
 * followed from the first row of each such part: what JEOD's geometry does in between is not ours. */
static void rows_between_mutual_contacts(void **state)
{
    (void)state;
    static const double level[2] = {-4, -2};
    csv_table t = csv_table_read("verif/jeod_ground/data/RUN_contact_ground.csv");
    assert_int_equal(t.row_count, 1001);
    double worst[2][3] = {{0}};
    int rows = 0, touching = 0, parts = 0;
    for (int first = 0; first < t.row_count; first++) {
        int last = first;
        for (; last < t.row_count; last++)
            if (!(fabs(csv_table_at(&t, last, columns[0][0]) - csv_table_at(&t, last, columns[1][0])) > 3.2)) break;
        if (last - first < 10) continue;
        for (int k = 0; k < 2; k++) {
            fender_body_id body;
            fender_world *world = alone(k, csv_table_at(&t, first, columns[k][0]) - radius,
                                        csv_table_at(&t, first, columns[k][1]), level[k], &body);
            for (int i = first + 1; i < last; i++) {
                check_ok(fender_world_step(world, &error));
                fender_body_data d;
                assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &d), FENDER_STATUS_OK);
                const double ours[3] = {d.position.z, d.velocity.z, d.contact_force_last_stage.z};
                const double shift[3] = {radius, 0, 0};
                for (int n = 0; n < 3; n++)
                    worst[k][n] = larger(worst[k][n], fabs(csv_table_at(&t, i, columns[k][n]) - shift[n] - ours[n]));
                touching += ours[2] != 0;
                rows++;
            }
            fender_world_destroy(world);
        }
        parts++;
        first = last;
    }
    print_message(
        "%d parts, %d rows (%d in contact): capsule within %.1e m, %.1e m/s, %.1e N; sphere %.1e m, %.1e m/s, "
        "%.1e N\n",
        parts, rows, touching, worst[0][0], worst[0][1], worst[0][2], worst[1][0], worst[1][1], worst[1][2]);
    assert_true(parts >= 4 && rows > 800 && touching > 200);
    /* JEOD's places are kept at 6.4e6 m, of which a step loses up to 4.7e-10 m; a force sees that times the stiffness,
     * 8e-7 N. Over n steps in contact the losses go as a random walk, 300 steps: 8e-9 m. */
    for (int k = 0; k < 2; k++) {
        check_below(worst[k][0], 3e-8);
        check_below(worst[k][1], 3e-8);
        check_below(worst[k][2], 3e-5);
    }
    csv_table_free(&t);
}

/* The case as it is meant: ground at the planet's radius. Vehicle 1 starts with its middle at the ground, 2 m deep. */
static void ground_where_it_is(void **state)
{
    (void)state;
    static const double reach[2] = {2, 1}, start[2] = {0, 10};
    csv_table t = csv_table_read("verif/jeod_ground/data/RUN_contact_ground.csv");
    for (int k = 0; k < 2; k++) {
        fender_body_id body;
        fender_world *world = alone(k, start[k], 0, 0, &body);
        double gravity = earth_mu / (radius * radius), sink = 200 * gravity / stiffness, lowest = start[k], first = -1;
        double jeod = start[k];
        for (int i = 0; i < t.row_count; i++) {
            double place = csv_table_at(&t, i, columns[k][0]) - radius;
            if (place < jeod) jeod = place;
        }
        fender_body_data d;
        assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &d), FENDER_STATUS_OK);
        /* JEOD: 0 N for the capsule until its top is under ground */
        check_near(d.contact_force.z, k == CAPSULE ? 2 * stiffness : 0, 1e-9);
        for (int i = 1; i <= 30000; i++) {
            check_ok(fender_world_step(world, &error));
            assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &d), FENDER_STATUS_OK);
            if (i <= 1000 && d.position.z < lowest) lowest = d.position.z;
            if (first < 0 && d.contact_force.z != 0 && k == SPHERE) first = i * step;
            /* falling freely, JEOD's rows are ours */
            if (k == SPHERE && first < 0) check_near(csv_table_at(&t, i, columns[k][0]) - radius, d.position.z, 1e-8);
        }
        print_message("%s: lowest in 10 s %.4f m (JEOD %.4f), at rest at %.6f m: sink %.6f of %.6f m\n",
                      k == CAPSULE ? "capsule" : "sphere ", lowest, jeod, d.position.z, reach[k] - d.position.z, sink);
        /* 300 s damp by exp(-b / 2m t) = exp(-26); gravity changes by 3e-7 of itself within a metre */
        check_near(reach[k] - d.position.z, sink * (1 - 2 * d.position.z / radius), 1e-9);
        check_near(d.contact_force.z, 200 * gravity * (1 - 2 * d.position.z / radius), 1e-6);
        if (k == SPHERE) {
            /* 9 m of fall: sqrt(2 * 9 / g), and gravity's change over them */
            double fall = sqrt(18 / gravity * (1 + 2.0 * 10 / radius));
            check_near(first, ceil(fall / step) * step, 1e-12);
        }
        fender_world_destroy(world);
    }
    csv_table_free(&t);
}

/* A sphere on ground at 45 degrees of latitude, half a metre above and half a metre under ground: JEOD gives 1.9e7 N
 * and the like, for it looks 10.7 km away; the same as at the equator is right. */
static void at_any_latitude(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_geometry *ground = fender_geometry_planet_ground(&env, radius, NULL),
                    *ball = fender_geometry_sphere(&env, 1, NULL);
    for (int i = -2; i <= 2; i++) {
        double latitude = i * 0.78539816339744828, longitude = 1.3 * i, above = 0.5 * i;
        fender_planet planet = {.mu = earth_mu, .equatorial_radius = radius};
        fender_geodetic place = {latitude, longitude, 0}, higher = {latitude, longitude, 1 + above};
        fender_mat3 R = fender_local_axes_matrix(latitude, longitude, FENDER_LOCAL_EAST_NORTH_UP);
        fender_vec3 gap = fender_vec3_sub(fender_planet_fixed_position(&planet, &higher),
                                          fender_planet_fixed_position(&planet, &place));
        fender_pose at = fender_pose_identity(), of_sphere = fender_pose_identity();
        of_sphere.p = fender_mat3_transpose_times(&R, gap);
        fender_separation s;
        assert_int_equal(fender_geometry_separation(ground, &at, ball, &of_sphere, &s), FENDER_STATUS_OK);
        check_near(s.distance, above, 4e-9); /* of the two places, each good to 1 nm */
        check_vector(s.normal, fender_vec3_make(0, 0, 1), 1e-15);
    }
    /* 5 km away the ground has fallen by 5000^2 / 2R, and distances are good to rounding of the place */
    fender_pose at = fender_pose_identity(), far_off = fender_pose_identity();
    long double x = 5000, fall = (long double)radius - sqrtl((long double)radius * radius - x * x);
    far_off.p = fender_vec3_make(5000, 0, 1);
    fender_separation s;
    assert_int_equal(fender_geometry_separation(ground, &at, ball, &far_off, &s), FENDER_STATUS_OK);
    long double above = fall + 1,
                exact = sqrtl(x * x + ((long double)radius - fall + above) * ((long double)radius - fall + above)) -
                        radius - 1;
    check_near(s.distance, (double)exact, 3e-12); /* long double itself has 3e-13 m here */
    fender_geometry_release(ground);
    fender_geometry_release(ball);
    fender_error refused = {0};
    assert_null(fender_geometry_planet_ground(&env, 0, &refused));
    assert_int_equal(refused.status, FENDER_STATUS_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_between_mutual_contacts),
                                       cmocka_unit_test(ground_where_it_is), cmocka_unit_test(at_any_latitude)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
