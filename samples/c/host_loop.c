/* A run that the program steps itself: guidance at 10 Hz by commands, control of the engine at 50 Hz as a controller.
 * Build: cc host_loop.c -lfender_io -lfender -lm
 *
 * The lander keeps its speed of descent proportional to its height plus a margin, and is cut off above the ground. The
 * run directory host_loop.run holds the commands and hashes; a second run, which repeats the commands, must have the
 * same hashes. */
#include <fender/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene[] =
    "fender: 1\n"
    "title: A lander descends on its engine\n"
    "world: {gravity: [0, 0, -1.62, m/s^2]}\n"
    "integrator: {method: dopri5, step: 20 ms}\n"
    "run: {until: 12 s}\n"
    "contact_types: {foot: {normal: {law: spring_damper, stiffness: 100 kN/m, damping: 8 kN*s/m},\n"
    "                       friction: {law: coulomb, mu: 0.5, slip_speed: 2 cm/s}}}\n"
    "rules: [{default: foot}]\n"
    "bodies:\n"
    "  ground: {motion: fixed, shapes: {soil: {plane: {}}}}\n"
    "  lander:\n"
    "    mass_properties: {mass: 900 kg, inertia: [600, 600, 800, kg*m^2]}\n"
    "    state: {position: [0, 0, 20, m], velocity: [0, 0, -5, m/s], orientation: {axis: [1, 0, 0], angle: 3 deg}}\n"
    "    shapes: {foot: {sphere: {radius: 10 cm}, position: [1.9, 0, -1.5, m],\n"
    "                    pattern: {count: 4, about: [0, 0, 1]}}}\n"
    "  tank: {motion: mass_only, mass_properties: {mass: 300 kg, inertia: [40, 40, 40]}, attached: {to: lander}}\n"
    "loads:\n"
    "  engine: {kind: thruster, body: lander, at: center, direction: [0, 0, 1], thrust: 4.5 kN, throttle: 0.2,\n"
    "           minimum_throttle: 0.2, rise_time: 80 ms, decay_time: 60 ms, specific_impulse: 311 s, tank: tank,\n"
    "           dry_mass: 20 kg}\n"
    "  couples: {body: lander, torque: {constant: [0, 0, 0, N*m]}, axes: body}\n"
    "sensors: {altimeter: {body: lander, at: [0, 0, -1.6, m], direction: [0, 0, -1]}}\n"
    "controllers:\n"
    "  descent:\n"
    "    host: descent\n"
    "    rate: 50 Hz\n"
    "    inputs:\n"
    "      height: {channel: sensors.altimeter.range, noise: 3 cm, delay: 40 ms, quantum: 1 cm}\n"
    "      rate: {channel: sensors.altimeter.range_rate, noise: 5 cm/s, delay: 40 ms}\n"
    "    outputs: {throttle: loads.engine.throttle}\n"
    "    parameters: {margin: 1.5 m, lag: 3 s, gain: 0.39 s/m, hover: 0.42}\n"
    "    seed: 11\n"
    "expect:\n"
    "  - {channel: bodies.lander.velocity.z, at: end, equals: 0 m/s, within: 1 mm/s}\n";

/* Throttle = hover + gain (speed of the line - speed). The parameters come with the scenario, and there is no other
 * state: a checkpoint has nothing to save. */
enum { MARGIN, LAG, GAIN, HOVER, PARAMETERS };

static int init(const fender_controller_setup *setup, void **state, char *message)
{
    static const char *const names[PARAMETERS] = {"margin", "lag", "gain", "hover"};
    double *values = calloc(PARAMETERS, sizeof *values);
    if (!values) return 1;
    for (int i = 0; i < PARAMETERS; i++) {
        int k = 0;
        while (k < setup->parameter_count && strcmp(setup->parameter_names[k], names[i]) != 0) k++;
        if (k == setup->parameter_count) {
            snprintf(message, FENDER_CONTROLLER_MESSAGE, "it needs the parameter '%s'", names[i]);
            free(values);
            return 1;
        }
        values[i] = setup->parameters[k];
    }
    *state = values;
    return 0;
}

static int update(void *state, double time, const double *inputs, double *outputs, char *message)
{
    (void)time;
    (void)message;
    const double *p = state, line = -(inputs[0] + p[MARGIN]) / p[LAG];
    const double throttle = p[HOVER] + p[GAIN] * (line - inputs[1]);
    outputs[0] = throttle < 0.2 ? 0.2 : throttle > 1 ? 1 : throttle;
    return 0;
}

static int64_t save(void *state, void *bytes, size_t capacity)
{
    (void)state;
    (void)bytes;
    (void)capacity;
    return 0;
}

static int restore(void *state, const void *bytes, size_t size, char *message)
{
    (void)state;
    (void)bytes;
    (void)message;
    return size != 0;
}

static void destroy(void *state) { free(state); }

static double get(const fender_run *run, const fender_channel *channel)
{
    return fender_run_channel_read(run, channel);
}

/* Guidance: turns the lander upright, and cuts the engine off 1.5 m above the ground. */
static int fly(fender_run *run, fender_error *error)
{
    static const char *const paths[] = {"bodies.lander.attitude.x", "bodies.lander.angular_velocity.x",
                                        "sensors.altimeter.range",  "bodies.lander.velocity.z",
                                        "loads.engine.propellant",  "bodies.lander.mass",
                                        "events.begin.count"};
    enum { HALF_ANGLE, ANGULAR_VELOCITY, RANGE, SPEED, PROPELLANT, MASS, CONTACTS, CHANNELS };
    fender_channel channels[CHANNELS];
    fender_command couples, engine;
    int count;
    for (int i = 0; i < CHANNELS; i++)
        if (fender_run_channel_find(run, paths[i], &channels[i], 1, &count, error)) return 1;
    if (fender_command_find(fender_run_world(run), "loads.couples.torque", &couples, error) ||
        fender_command_find(fender_run_world(run), "loads.engine.active", &engine, error))
        return 1;
    bool going = true, burning = true, landed = false;
    double speed = 0;
    const double start = get(run, &channels[MASS]);
    for (int n = 1; going; n++) {
        const double torque[3] = {-800 * get(run, &channels[HALF_ANGLE]) - 700 * get(run, &channels[ANGULAR_VELOCITY]),
                                  0, 0},
                     none[3] = {0, 0, 0}, off = 0;
        if (fender_run_set_command(run, &couples, landed ? none : torque, error)) return 1;
        if (burning && get(run, &channels[RANGE]) < 1.5) {
            burning = false;
            if (fender_run_set_command(run, &engine, &off, error)) return 1;
            printf("cut off at %.1f s\n", fender_world_time(fender_run_world(run)));
        }
        /* To the next tenth of a second, step by step until the touch-down. */
        while (!landed && going && fender_world_time(fender_run_world(run)) < 0.1 * n - 0.015) {
            speed = get(run, &channels[SPEED]);
            if (fender_run_advance_to(run, fender_world_time(fender_run_world(run)) + 0.01, &going, error)) return 1;
            landed = get(run, &channels[CONTACTS]) > 0;
            if (landed)
                printf("touch-down at %.1f s with %.2f m/s\n", fender_world_time(fender_run_world(run)), -speed);
        }
        if (going && fender_run_advance_to(run, 0.1 * n, &going, error)) return 1;
    }
    const double used = get(run, &channels[PROPELLANT]), mass = get(run, &channels[MASS]);
    printf("used %.3f kg of propellant\n", used);
    printf("the lander's mass and what it used differ from its mass at the start by %s 1e-9 kg\n",
           fabs(mass + used - start) < 1e-9 ? "less than" : "more than");
    return fender_run_finish(run, error) || fabs(mass + used - start) >= 1e-9 || !landed;
}

int main(void)
{
    static const fender_controller functions = {
        FENDER_CONTROLLER_HEAD, "descent", init, update, save, restore, destroy};
    const fender_host_controller controller = {"descent", &functions, NULL};
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "host_loop.yaml", scene, sizeof scene - 1, NULL, 0,
                                                      &error);
    fender_run_def def = {
        .scenario = scenario, .output_directory = "host_loop.run", .controllers = &controller, .controller_count = 1};
    int failed = 1;
    fender_run *run = scenario ? fender_run_create(&env, &def, &error) : NULL;
    if (!run || fly(run, &error)) goto done;
    def.output_directory = NULL;
    def.verify_directory = "host_loop.run";
    fender_run_destroy(run);
    run = fender_run_create(&env, &def, &error);
    if (!run || fender_run_execute(run, &error)) goto done;
    const fender_run_summary *summary = fender_run_get_summary(run);
    failed = summary->hashes_compared == 0 || summary->difference_step >= 0;
    printf("repeated: %s\n", failed ? "another result" : "the same bits");

done:
    if (failed) fprintf(stderr, "%s: %s (expected %s)\n", error.path, error.message, error.expected);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return failed;
}
