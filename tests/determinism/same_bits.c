/* Prints a hash over state, contact memory and events of every step of a long run with friction, spheres and capsules.
 * usage: same_bits [STEPS [BODY_WITH_ONE_ULP_MORE [planet]]]     planet: in a turning frame, with its gravity */
#include <fender/fender.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Spheres and capsules fall into a bowl of fixed spheres, where a turning capsule keeps stirring them: many contacts
 * that roll, slide, come and go. */
static fender_world *bowl(int nudged, bool planet, fender_error *error)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0.1, -0.2, -9.81}, 0, {0, 0, 0}};
    if (planet) {
        def.gravity.kind = FENDER_GRAVITY_PLANET;
        def.frame = (fender_frame){FENDER_FRAME_LOCAL,
                                   {.mu = 12000, .equatorial_radius = 35, .flattening = 0.01, .rotation_rate = 0.11},
                                   {0.7, -1.9, 0.4},
                                   .axes = FENDER_LOCAL_EAST_NORTH_UP};
        def.frame.planet.j2 = 1e-3;
    }
    fender_world *world = fender_world_create(&env, &def, error);
    if (!world) return NULL;
    const char *const names[] = {"spring_damper", "jeod_spring"};
    fender_contact_type_id types[2];
    for (int i = 0; i < 2; i++) {
        const fender_law *law = fender_law_find(NULL, names[i]);
        double parameters[16];
        (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
        fender_field_set(fender_field_find(&law->parameters, "stiffness"), parameters, 0, 2e4);
        fender_field_set(fender_field_find(&law->parameters, "damping"), parameters, 0, 15);
        fender_field_set(fender_field_find(&law->parameters, "mu"), parameters, 0, 0.3);
        fender_contact_type_def type = {
            .size = sizeof(fender_contact_type_def), .name = names[i], .law = law, .law_parameters = parameters};
        if (fender_contact_type_create(world, &type, &types[i], error)) return world;
    }
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = types[0]};
    fender_rule_create(world, &rule, NULL, error);
    fender_geometry *shapes[2] = {fender_geometry_sphere(&env, 0.35, error),
                                  fender_geometry_capsule(&env, 0.2, 0.3, error)};
    for (int i = 0; i < 9; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = 1 + 0.3 * i;
        body.mass_properties.inertia = fender_mat3_diagonal(0.05, 0.06, 0.07 + 0.004 * i);
        body.mass_properties.center_of_mass = fender_vec3_make(0.01 * i, -0.02, 0.005);
        body.state.position = fender_vec3_make(1.1 * (i % 3) - 1.05, 1.15 * (i / 3 % 3) - 1.2, 0.37 * (i % 4) + 0.2);
        body.state.velocity = fender_vec3_make(0.3 - 0.1 * i, 0.05 * i, 0.2);
        body.state.angular_velocity = fender_vec3_make(0.4, -0.7 + 0.2 * i, 1.1);
        body.state.attitude = (fender_quaternion){1, 0.1 * i, -0.3, 0.2};
        if (i == nudged) body.state.position.x = nextafter(body.state.position.x, INFINITY);
        fender_body_id id;
        if (fender_body_create(world, &body, &id, error)) break;
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "hull";
        shape.geometry = shapes[i % 2];
        shape.X_SG = (fender_pose){{0.02, 0.01 * i, 0}, {1, 0.2, 0.1 * i, -0.05}};
        fender_shape_id hull;
        if (fender_shape_create(world, id, &shape, &hull, error)) break;
        if (i == 4) { /* one body follows the other law against its neighbour */
            fender_rule_def special = {.size = sizeof(fender_rule_def),
                                       .kind = FENDER_RULE_BODIES,
                                       .body_a = id,
                                       .body_b = fender_body_at(world, 1),
                                       .use = types[1]};
            fender_rule_create(world, &special, NULL, error);
        }
    }
    fender_geometry *wall = fender_geometry_sphere(&env, 4, error),
                    *stirrer = fender_geometry_capsule(&env, 0.15, 0.8, error);
    static const double walls[6][3] = {{0, 0, -5.5}, {5.6, 0, -1},  {-5.6, 0, -1},
                                       {0, 5.6, -1}, {0, -5.6, -1}, {0, 0, 7.5}};
    for (int i = 0; i < 7 && error->count == 0; i++) {
        char name[16];
        snprintf(name, sizeof name, "w%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.motion = i < 6 ? FENDER_MOTION_FIXED : FENDER_MOTION_PRESCRIBED;
        if (i < 6) body.state.position = fender_vec3_make(walls[i][0], walls[i][1], walls[i][2]);
        else body.state.position = fender_vec3_make(0.1, 0.05, -1.2);
        if (i == 6) body.state.angular_velocity = fender_vec3_make(0.2, 0.1, 1.3);
        if (i == 6) body.state.attitude = (fender_quaternion){1, 0.9, 0, 0};
        fender_body_id id;
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "hull";
        shape.geometry = i < 6 ? wall : stirrer;
        if (!fender_body_create(world, &body, &id, error)) fender_shape_create(world, id, &shape, NULL, error);
    }
    fender_geometry_release(wall);
    fender_geometry_release(stirrer);
    fender_geometry_release(shapes[0]);
    fender_geometry_release(shapes[1]);
    if (error->count == 0) fender_world_initialize(world, error);
    return world;
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
    fender_error error = {0};
    fender_world *world = bowl(argc > 2 ? atoi(argv[2]) : -1, argc > 3, &error);
    uint64_t hash = 0;
    int64_t events = 0, contacts = 0;
    for (long i = 0; i < steps && error.count == 0; i++) {
        fender_world_step(world, &error);
        int count;
        fender_world_events(world, &count);
        events += count;
        contacts += fender_contact_count(world, FENDER_CLOCK_COMMITTED);
        hash = (hash ^ fender_world_hash(world)) * 0x100000001b3u;
    }
    for (int i = 0; argc > 3 && i < fender_body_count(world); i++) { /* what is read of the planet, too */
        fender_body_planet_data d;
        fender_inertial_ledger l;
        fender_body_get_planet(world, fender_body_at(world, i), &d);
        fender_world_inertial_ledger(world, &l);
        const double read[] = {d.latitude,
                               d.longitude,
                               d.altitude,
                               d.inertial_position.x,
                               d.inertial_velocity.y,
                               d.inertial_attitude.z,
                               l.kinetic,
                               l.residual,
                               l.axial_momentum};
        for (size_t k = 0; k < sizeof read / sizeof read[0]; k++) {
            uint64_t bits;
            memcpy(&bits, &read[k], sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3u;
        }
    }
    if (error.count > 0) {
        fprintf(stderr, "%s: %s\n", error.path, error.message);
        return 1;
    }
    printf("%016llx %ld steps %lld events %.2f contacts\n", (unsigned long long)hash, steps, (long long)events,
           (double)contacts / (double)steps);
    fender_world_destroy(world);
    return 0;
}
