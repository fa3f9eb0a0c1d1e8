/* Channels of one point as seen from another: what relative_to gives is read back; turning frames; ports. */
/* items: M005 B040 */
#include "scene_world.h"

#define STATION                                                                                                 \
    "fender: 1\n"                                                                                               \
    "run: {until: 1 s}\n"                                                                                       \
    "bodies:\n"                                                                                                 \
    "  station:\n"                                                                                              \
    "    mass_properties: {mass: 100 t, inertia: [4e6, 4e6, 4e6, kg*m^2]}\n"                                    \
    "    points:\n"                                                                                             \
    "      port: {position: [8, 1, -2, m], orientation: {axis: [1, 2, 3], angle: 40 deg}}\n"                    \
    "    state: {position: [30, -20, 10, m], velocity: [1, 2, -1, m/s], angular_velocity: [3, -2, 5, deg/s],\n" \
    "            orientation: {axis: [-1, 0.5, 2], angle: 70 deg}}\n"                                           \
    "  capsule:\n"                                                                                              \
    "    mass_properties: {mass: 6 t, inertia: [5e3, 5e3, 5e3, kg*m^2]}\n"                                      \
    "    points: {port: {position: [2, 0.5, 0, m], orientation: {axis: [0, 1, 0], angle: 20 deg}}}\n"

static const double deg = 3.14159265358979323846 / 180;

/* The state that a scenario gives relative to a port of a turning station is what the channels show. */
static void given_state_is_read_back(void **state)
{
    (void)state;
    fender_world *world = world_of(
        STATION "    state: {of: port, relative_to: station.port, docked: true, position: [5, 0.03, -0.04, m],\n"
                "            velocity: [-0.1, 0.03, 0.04, m/s], angular_velocity: [0.1, 0.3, -0.4, deg/s],\n"
                "            orientation: {euler: [3, -2, 1, deg], sequence: zyx}}\n");
    const char *port = "points.capsule.port@station.port";
    char path[120];
#define READ(field)   (snprintf(path, sizeof path, "%s.%s", port, field), read_one(world, path))
#define VECTOR(field) (snprintf(path, sizeof path, "%s.%s", port, field), read_vector(world, path))
    const double small = 1e-13;
    check_parts(VECTOR("position"), 5, 0.03, -0.04, small);
    check_parts(VECTOR("velocity"), -0.1, 0.03, 0.04, small);
    check_parts(VECTOR("angular_velocity"), 0.1 * deg, 0.3 * deg, -0.4 * deg, small);
    check_near(READ("axial_distance"), 5, small);
    check_near(READ("closing_speed"), 0.1, small);
    check_near(READ("lateral_offset"), 0.05, small);
    check_near(READ("lateral_speed"), 0.05, small);
    check_near(READ("yaw_misalignment"), 3 * deg, small);
    check_near(READ("pitch_misalignment"), -2 * deg, small);
    check_near(READ("roll_misalignment"), 1 * deg, small);
    check_near(cos(READ("pitch_yaw_misalignment")), cos(3 * deg) * cos(2 * deg), small);
    check_near(READ("roll_rate"), 0.1 * deg, small);
    check_near(READ("pitch_yaw_rate"), 0.5 * deg, small);
    check_near(READ("distance"), sqrt(25.0025), small);
    check_near(READ("range_rate"), (-0.5 + 0.03 * 0.03 - 0.04 * 0.04) / sqrt(25.0025), small);
    check_near(READ("speed"), sqrt(0.0125), small);
    /* trace of a zyx rotation: 1 + 2 cos(angle) */
    const double y = 3 * deg, p = -2 * deg, r = 1 * deg;
    const double trace = cos(y) * cos(p) + cos(y) * cos(r) + sin(y) * sin(p) * sin(r) + cos(p) * cos(r);
    check_near(1 + 2 * cos(READ("misalignment")), trace, small);
    fender_world_destroy(world);
}

/* Observed velocities are the rates of observed positions: central differences over a millisecond, error h^2. */
static void velocity_is_the_rate_of_position(void **state)
{
    (void)state;
    fender_world *world = world_of(STATION "    state: {position: [35, -20, 12, m], velocity: [0, 0.5, 0.2, m/s],\n"
                                           "            angular_velocity: [-4, 9, 2, deg/s]}\n"
                                           "integrator: {step: 1 ms}\n");
    static const char *const pairs[] = {"points.capsule.port@station.port", "points.station.port@capsule.port",
                                        "points.capsule@station", "points.station.port@station",
                                        "points.capsule.port@station"};
    for (int k = 0; k < 5; k++) {
        char position[80], velocity[80], distance[80], rate[80];
        snprintf(position, sizeof position, "%s.position", pairs[k]);
        snprintf(velocity, sizeof velocity, "%s.velocity", pairs[k]);
        snprintf(distance, sizeof distance, "%s.distance", pairs[k]);
        snprintf(rate, sizeof rate, "%s.range_rate", pairs[k]);
        fender_vec3 before = read_vector(world, position);
        double distance_before = read_one(world, distance);
        check_ok(fender_world_step(world, &error));
        fender_vec3 now = read_vector(world, velocity);
        double rate_now = read_one(world, rate);
        check_ok(fender_world_step(world, &error));
        fender_vec3 moved = fender_vec3_sub(read_vector(world, position), before);
        check_parts(now, moved.x / 2e-3, moved.y / 2e-3, moved.z / 2e-3, 1e-7);
        check_near(rate_now, (read_one(world, distance) - distance_before) / 2e-3, 1e-7);
    }
    /* fixed in the frame */
    check_parts(read_vector(world, "points.station.port@station.velocity"), 0, 0, 0, 1e-14);
    check_parts(read_vector(world, "points.station.port@station.angular_velocity"), 0, 0, 0, 1e-14);
    check_parts(read_vector(world, "points.station.port@station.position"), 8, 1, -2, 1e-13);
    fender_world_destroy(world);
}

/* A body at rest in the world moves on a circle of a turning frame: v = -w x r, whose length does not depend on where
 * the frame is. */
static void at_rest_seen_from_a_turning_frame(void **state)
{
    (void)state;
    fender_world *world = world_of("fender: 1\n"
                                   "run: {until: 1 s}\n"
                                   "bodies:\n"
                                   "  table: {motion: prescribed, state: {angular_velocity: [0, 0, 2, rad/s]}}\n"
                                   "  mark: {motion: fixed, state: {position: [3, 0, 0, m]}}\n");
    check_parts(read_vector(world, "points.mark@table.velocity"), 0, -6, 0, 0);
    check_parts(read_vector(world, "points.table@mark.velocity"), 0, 0, 0, 0);
    check_parts(read_vector(world, "points.mark@table.angular_velocity"), 0, 0, -2, 0);
    check_parts(read_vector(world, "points.table@mark.angular_velocity"), 0, 0, 2, 0);
    check_near(read_one(world, "points.mark@table.speed"), 6, 0);
    check_near(read_one(world, "points.mark@table.range_rate"), 0, 0);
    for (int i = 0; i < 25; i++) check_ok(fender_world_step(world, &error)); /* turned by 0.5 rad */
    check_parts(read_vector(world, "points.mark@table.position"), 3 * cos(0.5), -3 * sin(0.5), 0, 1e-12);
    check_parts(read_vector(world, "points.mark@table.velocity"), -6 * sin(0.5), -6 * cos(0.5), 0, 1e-12);
    fender_world_destroy(world);
}

/* Docked, everything is aligned; points that coincide have a distance that grows as they move. */
static void docked_is_aligned(void **state)
{
    (void)state;
    fender_world *world = world_of(
        STATION "    state: {of: port, relative_to: station.port, docked: true, velocity: [0, 0.2, 0, m/s]}\n");
    const double small = 1e-13;
    check_near(read_one(world, "points.capsule.port@station.port.distance"), 0, small);
    check_near(read_one(world, "points.capsule.port@station.port.speed"), 0.2, small);
    check_near(read_one(world, "points.capsule.port@station.port.misalignment"), 0, small);
    check_near(read_one(world, "points.capsule.port@station.port.roll_misalignment"), 0, small);
    check_near(fabs(read_one(world, "points.capsule.port@station.port.attitude.z")), 1, small);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_state_is_read_back),
        cmocka_unit_test(velocity_is_the_rate_of_position),
        cmocka_unit_test(at_rest_seen_from_a_turning_frame),
        cmocka_unit_test(docked_is_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
