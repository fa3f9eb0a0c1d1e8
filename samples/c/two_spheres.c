/* Two spheres meet head on: the smallest whole program. Build: cc two_spheres.c -lfender -lm */
#include <fender/fender.h>
#include <stdio.h>

int main(void)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default(); /* no gravity, RK4, 10 ms */
    fender_world *world = fender_world_create(&env, &def, &error);
    if (!world) goto failed;

    /* How steel meets steel: a law with its parameters. */
    fender_spring_damper_parameters push;
    if (fender_spring_damper_parameters_default(&push, &error)) goto failed;
    push.stiffness = 3502.5;
    push.damping = 70.05;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "steel_on_steel";
    type.law = fender_law_find(NULL, "spring_damper");
    type.law_parameters = &push;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_MATERIALS;
    if (fender_material_create(world, "steel", &rule.material_a, &error)) goto failed;
    rule.material_b = rule.material_a;
    if (fender_contact_type_create(world, &type, &rule.use, &error)) goto failed;
    if (fender_rule_create(world, &rule, NULL, &error)) goto failed;

    fender_geometry *ball = fender_geometry_sphere(&env, 1.0, &error);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i == 0 ? "veh1" : "veh2";
        body.mass_properties.mass = 100;
        body.mass_properties.inertia = fender_mat3_diagonal(40, 40, 40);
        if (i == 1) body.state.position.x = 12, body.state.velocity.x = -2;
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "hull";
        shape.geometry = ball;
        shape.material = rule.material_a;
        fender_body_id id;
        if (fender_body_create(world, &body, &id, &error) || fender_shape_create(world, id, &shape, NULL, &error))
            break;
    }
    fender_geometry_release(ball); /* the shapes hold it now */
    if (error.count > 0 || fender_world_initialize(world, &error)) goto failed;

    while (fender_world_time(world) < 9.995) {
        if (fender_world_step(world, &error)) goto failed;
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++)
            printf("%-7s at %.2f s, speed %+.5f m/s\n", fender_event_name(events[i].kind), events[i].time,
                   -events[i].contact.depth_rate);
    }
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_data data;
        fender_body_get(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED, &data);
        printf("%s moves at %+.5f m/s\n", fender_body_name(world, fender_body_at(world, i)), data.velocity.x);
    }
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    printf("momentum drift %s 1e-12 N*s\n", ledger.linear_drift < 1e-12 ? "below" : "above");
    fender_world_destroy(world);
    return 0;

failed:
    fprintf(stderr, "%s: %s (expected %s)\n", error.path, error.message, error.expected);
    fender_world_destroy(world);
    return 1;
}
