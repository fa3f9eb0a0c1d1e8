/* Rays against all shapes of a world, and sensors along lines fixed to a body (M030): closed forms, rates against
 * differences in time, what is left out. */
/* items: M017 M030 */
#include "check.h"
#include "random_numbers.h"
#include <string.h>

typedef struct yard {
    fender_world *world;
    fender_body_id ground, craft, rock;
    fender_shape_id plane, hull, ball;
} yard;

static fender_shape_id add(fender_world *world, fender_body_id body, const char *name, fender_geometry *geometry,
                           fender_vec3 at)
{
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    def.name = name;
    def.geometry = geometry;
    def.X_SG.p = at;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

/* A craft with a box about it over a plane and a sphere that flies; no contacts, no gravity. */
static yard yard_build(const fender_body_state *craft_state, double radius)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    yard y = {.world = fender_world_create(&env, &def, NULL)};
    fender_body_def body = fender_body_def_default();
    body.name = "ground";
    body.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(y.world, &body, &y.ground, &error));
    y.plane = add(y.world, y.ground, "plane", fender_geometry_plane(&env, NULL), fender_vec3_make(0, 0, 0));
    body.motion = FENDER_MOTION_DYNAMIC;
    body.mass_properties.mass = 2;
    body.mass_properties.center_of_mass = fender_vec3_make(0.1, -0.2, 0.3);
    body.mass_properties.inertia = fender_mat3_diagonal(1, 1.2, 0.9);
    body.body_axes = (fender_quaternion){0.6, 0, 0.8, 0};
    body.name = "craft";
    body.state = *craft_state;
    check_ok(fender_body_create(y.world, &body, &y.craft, &error));
    y.hull = add(y.world, y.craft, "hull", fender_geometry_box(&env, fender_vec3_make(1, 1, 1), NULL),
                 fender_vec3_make(0, 0, 0));
    body.name = "rock";
    body.state.position = fender_vec3_make(20, 0, 5);
    body.state.velocity = fender_vec3_make(1, 2, 3);
    check_ok(fender_body_create(y.world, &body, &y.rock, &error));
    y.ball = add(y.world, y.rock, "ball", fender_geometry_sphere(&env, radius, NULL), fender_vec3_make(0, 0, 0));
    check_ok(fender_world_initialize(y.world, &error));
    return y;
}

static fender_body_state still_at(double z)
{
    return (fender_body_state){{0, 0, z}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
}

static void rays(void **state)
{
    (void)state;
    fender_body_state high = still_at(10);
    yard y = yard_build(&high, 2);
    fender_world_ray_hit hit;
    fender_body_id nobody = {0};
    fender_ray down = {{0, 0, 30}, {0, 0, -3}, INFINITY};
    check_ok(fender_world_ray_cast(y.world, &down, nobody, &hit));
    assert_true(hit.hit && hit.shape.index1 == y.hull.index1);
    check_near(hit.distance, 19, 1e-14);
    check_vector(hit.point, fender_vec3_make(0, 0, 11), 1e-14);
    check_vector(hit.normal, fender_vec3_make(0, 0, 1), 1e-15);
    check_ok(fender_world_ray_cast(y.world, &down, y.craft, &hit)); /* through the craft */
    assert_true(hit.hit && hit.shape.index1 == y.plane.index1);
    check_near(hit.distance, 30, 1e-14);
    down.range = 29;
    check_ok(fender_world_ray_cast(y.world, &down, y.craft, &hit));
    assert_true(!hit.hit && hit.distance == 0);
    fender_ray across = {{30, 0, 5}, {-1, 0, 0}, INFINITY};
    check_ok(fender_world_ray_cast(y.world, &across, nobody, &hit));
    assert_true(hit.shape.index1 == y.ball.index1);
    check_near(hit.distance, 8, 1e-14);
    check_vector(hit.velocity, fender_vec3_make(1, 2, 3), 1e-15);
    check_ok(fender_shape_set_active(y.world, y.ball, false));
    check_ok(fender_world_ray_cast(y.world, &across, nobody, &hit));
    assert_false(hit.hit);
    fender_ray bad[] = {{{0, 0, 0}, {0, 0, 0}, 1}, {{NAN, 0, 0}, {1, 0, 0}, 1}, {{0, 0, 0}, {1, 0, 0}, -1}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(fender_world_ray_cast(y.world, &bad[i], nobody, &hit), FENDER_STATUS_VALUE);
    assert_int_equal(fender_world_ray_cast(y.world, &down, (fender_body_id){99, 1, 1}, &hit), FENDER_STATUS_STALE_ID);
    fender_world_destroy(y.world);
}

/* Rates of a tumbling craft against the ranges a little before and after, and by hand over the plane. */
static void rates(void **state)
{
    (void)state;
    random_stream r = random_of_case(640, 0);
    double worst = 0, doppler = 0;
    int hits = 0, rocks = 0;
    for (int i = 0; i < 300; i++) {
        fender_body_state start = {{random_between(&r, -3, 3), random_between(&r, -3, 3), 8},
                                   random_rotation(&r),
                                   fender_vec3_scale(3, random_in_ball(&r, 1)),
                                   random_in_ball(&r, 1)};
        yard y = yard_build(&start, 12);
        fender_beam beam = {y.craft, random_in_ball(&r, 2), fender_vec3_scale(7, random_direction(&r)), 500};
        fender_beam_data at[3];
        for (int k = 0; k < 3; k++) {
            check_ok(fender_world_advance(y.world, 1, &error));
            check_ok(fender_world_beam_cast(y.world, &beam, &at[k]));
        }
        bool same = at[0].hit && at[1].hit && at[2].hit && at[0].at.shape.index1 == at[2].at.shape.index1;
        fender_world_destroy(y.world);
        if (!same) continue;
        hits++;
        rocks += at[1].at.shape.index1 == y.ball.index1;
        double slope = (at[2].range - at[0].range) / 2e-3;
        double facing = fabs(fender_vec3_dot(at[1].at.normal, at[1].direction));
        /* a difference over 2 ms is off by the third derivative, which grows as the line gets flat */
        double bound = 1e-5 * (1 + at[1].range) / (facing * facing * facing * facing * facing);
        if (!(fabs(slope - at[1].range_rate) <= bound))
            fail_msg("case %d: rate %.9g, difference %.9g", i, at[1].range_rate, slope);
        if (facing > 0.5) worst = larger(worst, fabs(slope - at[1].range_rate));
        check_near(fender_vec3_length(at[1].direction), 1, 1e-15);
        fender_vec3 end = fender_vec3_add_scaled(at[1].origin, at[1].range, at[1].direction);
        check_vector(end, at[1].at.point, 1e-12 * (1 + at[1].range));
        /* over the plane: the line speed is the velocity of the craft's own point against the line */
        doppler = larger(doppler, fabs(at[1].line_speed));
    }
    print_message(
        "%d lines of sight that hit (%d the flying ball): rates off by %.1e m/s of differences; line speeds to "
        "%.1f m/s\n",
        hits, rocks, worst, doppler);
    assert_true(hits > 80 && rocks > 0);
    check_below(worst, 1e-4);
}

/* Sideways over level ground a slanted beam keeps its range, and Doppler shows the speed along it. */
static void doppler(void **state)
{
    (void)state;
    fender_body_state start = still_at(10);
    start.velocity.x = 4;
    yard y = yard_build(&start, 2);
    fender_beam slanted = {y.craft, {0, 0, 0}, {0.6, 0, -0.8}, INFINITY};
    fender_beam_data data;
    check_ok(fender_world_beam_cast(y.world, &slanted, &data));
    assert_true(data.hit && data.at.shape.index1 == y.plane.index1); /* not its own hull */
    check_near(data.range, 12.5, 1e-14);
    check_near(data.range_rate, 0, 1e-14);
    check_near(data.line_speed, -2.4, 1e-14);
    fender_sensor_id id, found;
    check_ok(fender_sensor_create(
        y.world, &(fender_sensor_def){.size = sizeof(fender_sensor_def), .name = "velocimeter", .beam = slanted}, &id,
        &error));
    check_ok(fender_sensor_find(y.world, "velocimeter", &found));
    assert_true(found.index1 == id.index1 && fender_sensor_count(y.world) == 1 &&
                fender_sensor_at(y.world, 0).index1 == id.index1 && fender_sensor_at(y.world, 1).index1 == 0);
    assert_string_equal(fender_sensor_name(y.world, id), "velocimeter");
    fender_beam back;
    check_ok(fender_sensor_get_beam(y.world, id, &back));
    assert_memory_equal(&back, &slanted, sizeof back);
    uint64_t hash = fender_world_hash(y.world);
    check_ok(fender_sensor_read(y.world, id, &data));
    assert_true(fender_world_hash(y.world) == hash);
    check_near(data.line_speed, -2.4, 1e-14);
    fender_error error = {0};
    assert_int_equal(
        fender_sensor_create(
            y.world, &(fender_sensor_def){.size = sizeof(fender_sensor_def), .name = "velocimeter", .beam = slanted},
            NULL, &error),
        FENDER_STATUS_NAME);
    assert_int_equal(
        fender_sensor_create(y.world,
                             &(fender_sensor_def){.size = sizeof(fender_sensor_def), .name = "2x", .beam = slanted},
                             NULL, &error),
        FENDER_STATUS_NAME);
    slanted.direction = fender_vec3_make(0, 0, 0);
    assert_int_equal(
        fender_sensor_create(y.world,
                             &(fender_sensor_def){.size = sizeof(fender_sensor_def), .name = "blind", .beam = slanted},
                             NULL, &error),
        FENDER_STATUS_VALUE);
    slanted.direction.x = 1;
    slanted.body = (fender_body_id){77, 1, 1};
    assert_int_equal(
        fender_sensor_create(y.world,
                             &(fender_sensor_def){.size = sizeof(fender_sensor_def), .name = "lost", .beam = slanted},
                             NULL, &error),
        FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_sensor_read(y.world, (fender_sensor_id){2, 1, 1}, &data), FENDER_STATUS_STALE_ID);
    fender_world_destroy(y.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rays), cmocka_unit_test(rates), cmocka_unit_test(doppler)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
