/* A host that integrates by itself: Heun's method outside, contact from Fender. Build: cc outside_integrator.c -lfender
 * -lm
 *
 * Evaluation is pure: the host may ask for the derivative at any trial state, any number of times. Only commit moves
 * contacts on. */
#include <fender/fender.h>
#include <stdio.h>
#include <stdlib.h>

static int heun_step(fender_world *world, double time, double h, int n, double *y, double *work, fender_error *error)
{
    double *k1 = work, *k2 = work + n, *trial = work + 2 * n;
    if (fender_world_set_state(world, time, y, error) || fender_world_derivative(world, k1, error)) return 1;
    for (int i = 0; i < n; i++) trial[i] = y[i] + h * k1[i];
    if (fender_world_set_state(world, time + h, trial, error) || fender_world_derivative(world, k2, error)) return 1;
    for (int i = 0; i < n; i++) y[i] += 0.5 * h * (k1[i] + k2[i]);
    if (fender_world_set_state(world, time + h, y, error) || fender_world_commit(world, error)) return 1;
    fender_world_get_state(world, y); /* quaternions come back with unit length */
    return 0;
}

int main(void)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration.z = -9.81;
    fender_world *world = fender_world_create(&env, &def, &error);
    if (!world) goto failed;

    fender_spring_damper_parameters push;
    if (fender_spring_damper_parameters_default(&push, &error)) goto failed;
    push.stiffness = 2e4;
    push.damping = 20;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "bouncy";
    type.law = fender_law_find(NULL, "spring_damper");
    type.law_parameters = &push;
    fender_rule_def rule = fender_rule_def_default();
    if (fender_contact_type_create(world, &type, &rule.use, &error) || fender_rule_create(world, &rule, NULL, &error))
        goto failed;

    fender_geometry *ball = fender_geometry_sphere(&env, 0.1, &error);
    for (int i = 0; i < 2; i++) { /* a sphere above a fixed ball */
        fender_body_def body = fender_body_def_default();
        body.name = i == 0 ? "anvil" : "ball";
        body.motion = i == 0 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(0.004, 0.004, 0.004);
        if (i == 1) body.state.position.z = 0.7;
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "hull";
        shape.geometry = ball;
        fender_body_id id;
        if (fender_body_create(world, &body, &id, &error) || fender_shape_create(world, id, &shape, NULL, &error))
            break;
    }
    fender_geometry_release(ball);
    if (error.count > 0 || fender_world_initialize(world, &error)) goto failed;

    int n = fender_world_state_count(world);
    double *y = malloc((size_t)(4 * n) * sizeof *y);
    if (!y) goto failed;
    fender_world_get_state(world, y);
    const double h = 1e-4;
    for (int step = 0; step < 10000; step++) {
        if (heun_step(world, step * h, h, n, y, y + n, &error)) break;
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++)
            if (events[i].kind == FENDER_EVENT_END)
                printf("bounce: touched at %.4f s, left at %.4f s, peak %.0f N, rebound at %.3f of the approach\n",
                       events[i].contact.begin_time, events[i].time, events[i].contact.peak_force,
                       -events[i].contact.depth_rate / events[i].contact.approach_speed);
    }
    free(y);
    if (error.count > 0) goto failed;
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    printf("lost in damping %.3f J, unaccounted %s 1 mJ\n", ledger.damping,
           fabs(ledger.residual) < 1e-3 ? "below" : "above");
    fender_world_destroy(world);
    return 0;

failed:
    fprintf(stderr, "%s: %s (expected %s)\n", error.path, error.message, error.expected);
    fender_world_destroy(world);
    return 1;
}
