/* A docking with a controller and an integrator of the program's own: Fender gives forces of contact and of the latch.
 * Build: cc docking.c -lfender -lm
 *
 * Thrusters hold the chaser on the axis of the port and close at 5 cm/s until its nose is caught; then they are off. */
#include <fender/fender.h>
#include <stdio.h>
#include <string.h>

enum { STATION, CHASER, BODIES, STATES = BODIES * FENDER_STATE_PER_BODY };
static const double masses[BODIES] = {4000, 500};
static const double step = 1e-3, control_period = 0.1; /* s */

/* Force [N] on the chaser, from its state alone: speed along x, place and speed across. */
static fender_vec3 control(const double *y)
{
    const double *station = y, *chaser = y + FENDER_STATE_PER_BODY;
    fender_vec3 x = fender_vec3_make(chaser[0] - station[0], chaser[1] - station[1], chaser[2] - station[2]);
    fender_vec3 v = fender_vec3_make(chaser[7] - station[7], chaser[8] - station[8], chaser[9] - station[9]);
    fender_vec3 force = {200 * (-0.05 - v.x), -40 * x.y - 250 * v.y, -40 * x.z - 250 * v.z};
    const double size = fender_vec3_length(force), most = 20;
    return size > most ? fender_vec3_scale(most / size, force) : force;
}

/* Rates of all bodies: Fender's, and those of the thrusters. */
static int rates(fender_world *world, double time, const double *y, fender_vec3 thrust, double *ydot,
                 fender_error *error)
{
    if (fender_world_set_state(world, time, y, error) || fender_world_derivative(world, ydot, error)) return 1;
    double *acceleration = ydot + CHASER * FENDER_STATE_PER_BODY + 7;
    acceleration[0] += thrust.x / masses[CHASER];
    acceleration[1] += thrust.y / masses[CHASER];
    acceleration[2] += thrust.z / masses[CHASER];
    return 0;
}

/* Classical Runge-Kutta; quaternions are made unit length again by commit. */
static int runge_kutta(fender_world *world, double time, double *y, fender_vec3 thrust, fender_error *error)
{
    static const double parts[4] = {0, 0.5, 0.5, 1}, weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[4][STATES], trial[STATES];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < STATES; i++) trial[i] = y[i] + (s > 0 ? parts[s] * step * k[s - 1][i] : 0);
        if (rates(world, time + parts[s] * step, trial, thrust, k[s], error)) return 1;
    }
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < STATES; i++) y[i] += weights[s] * step * k[s][i];
    if (fender_world_set_state(world, time + step, y, error) || fender_world_commit(world, error)) return 1;
    fender_world_get_state(world, y);
    return 0;
}

static int build(fender_world *world, const fender_env *env, fender_error *error)
{
    fender_spring_damper_parameters push;
    fender_coulomb_parameters slide;
    if (fender_spring_damper_parameters_default(&push, error) || fender_coulomb_parameters_default(&slide, error))
        return 1;
    push.stiffness = 2e4;
    push.damping = 1500;
    slide.mu = 0.2;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "nose_on_port";
    type.normal = fender_law_find(NULL, "spring_damper");
    type.normal_parameters = &push;
    type.friction = fender_law_find(NULL, "coulomb");
    type.friction_parameters = &slide;
    fender_rule_def rule = fender_rule_def_default();
    if (fender_contact_type_create(world, &type, &rule.use, error) || fender_rule_create(world, &rule, NULL, error))
        return 1;

    /* The station's port is at its origin and looks along x; the chaser's nose ends 1.1 m before its origin. */
    fender_link_def latch = fender_link_def_default();
    fender_point_id *ends[BODIES] = {&latch.a, &latch.b};
    for (int i = 0; i < BODIES; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i == STATION ? "station" : "chaser";
        body.mass_properties.mass = masses[i];
        body.mass_properties.inertia = i == STATION ? fender_mat3_diagonal(2500, 2500, 2500)
                                                    : fender_mat3_diagonal(90, 110, 110);
        if (i == CHASER) body.state.position = fender_vec3_make(2.1, 0.04, -0.03);
        fender_shape_def shape = fender_shape_def_default();
        shape.name = i == STATION ? "port" : "nose";
        shape.geometry = i == STATION ? fender_geometry_box(env, fender_vec3_make(0.5, 0.5, 0.5), error)
                                      : fender_geometry_sphere(env, 0.1, error);
        shape.X_SG.p.x = i == STATION ? -0.5 : -1.0;
        fender_pose end = fender_pose_identity();
        end.p.x = i == STATION ? -0.004 : -1.1; /* the latch catches what presses */
        fender_body_id id;
        const int failed = !shape.geometry || fender_body_create(world, &body, &id, error) ||
                           fender_shape_create(world, id, &shape, NULL, error) ||
                           fender_point_create(world, id, "latch", end, ends[i], error);
        fender_geometry_release(shape.geometry);
        if (failed) return 1;
    }
    const fender_vec3 k = {5e4, 5e4, 5e4}, c = {4000, 4000, 4000}, kr = {2e4, 2e4, 2e4}, cr = {2000, 2000, 2000};
    const fender_link_latch holds = {.distance = 0.003,
                                     .angle = 0.1,
                                     .speed = 0.1,
                                     .stiffness = k,
                                     .damping = c,
                                     .angular_stiffness = kr,
                                     .angular_damping = cr,
                                     .limit = INFINITY,
                                     .angular_limit = INFINITY};
    latch.name = "latch";
    latch.law = FENDER_LINK_LATCH;
    latch.parameters = &holds;
    return fender_link_create(world, &latch, NULL, error) || fender_world_initialize(world, error);
}

int main(void)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &def, &error);
    double y[STATES], hardest = 0, propellant = 0, captured = -1;
    fender_vec3 thrust = {0, 0, 0}, worst = {0, 0, 0};
    if (!world || build(world, &env, &error)) goto failed;
    fender_world_get_state(world, y);

    const int steps = (int)(60 / step), period = (int)(control_period / step + 0.5);
    for (int n = 0; n < steps; n++) {
        if (n % period == 0) thrust = captured < 0 ? control(y) : fender_vec3_make(0, 0, 0);
        if (runge_kutta(world, n * step, y, thrust, &error)) goto failed;
        propellant += fender_vec3_length(thrust) * step;
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++)
            if (events[i].kind == FENDER_EVENT_LINK_CAPTURE) captured = events[i].time;
        for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
            fender_contact contact;
            fender_contact_get(world, FENDER_CLOCK_COMMITTED, i, &contact);
            if (contact.normal_force <= hardest) continue;
            hardest = contact.normal_force;
            worst = fender_contact_force_in(world, &contact, FENDER_CONTACT_AXES_BODY_B);
        }
    }
    const double drift = y[FENDER_STATE_PER_BODY + 7] - y[7];
    printf("captured at %.1f s after %.1f N*s of thrust\n", captured, propellant);
    printf("largest contact force %.0f N, on the chaser's own axes %.0f, %.0f, %.0f N\n", hardest, worst.x, worst.y,
           worst.z);
    printf("at the end the two part by %s 1e-6 m/s\n", fabs(drift) < 1e-6 ? "less than" : "more than");
    fender_world_destroy(world);
    return captured > 0 && fabs(drift) < 1e-6 ? 0 : 1;

failed:
    fprintf(stderr, "%s: %s (expected %s)\n", error.path, error.message, error.expected);
    fender_world_destroy(world);
    return 1;
}
