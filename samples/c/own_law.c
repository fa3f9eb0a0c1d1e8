/* A contact law of one's own: a latch that holds once it has closed. Build: cc own_law.c -lfender -lm */
#include <fender/fender.h>
#include <stdio.h>

typedef struct latch_parameters {
    double stiffness, damping, capture_depth;
} latch_parameters;
typedef struct latch_memory {
    int closed;
} latch_memory;
enum { LATCH_CLOSED = 1 };

static const fender_field latch_fields[] = {
    {"stiffness", "N/m", "Spring constant, both ways once closed.", FENDER_FIELD_REAL,
     offsetof(latch_parameters, stiffness), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant.", FENDER_FIELD_REAL, offsetof(latch_parameters, damping), 0, 0, INFINITY, 0,
     NULL},
    {"capture_depth", "m", "Depth at which the latch closes.", FENDER_FIELD_REAL,
     offsetof(latch_parameters, capture_depth), 0, 0, INFINITY, 0.01, NULL},
};

/* Pure: sees the contact's numbers and the memory held still, says the force. Called at states that may be thrown away.
 */
static void latch_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    const latch_parameters *p = parameters;
    const latch_memory *m = memory;
    double spring = p->stiffness * (m->closed ? in->depth - p->capture_depth : in->depth);
    double force = spring + p->damping * in->depth_rate;
    out->force.z = m->closed || force > 0 ? force : 0;
    out->damping_power = (out->force.z - spring) * in->depth_rate;
    out->mode = m->closed;
}

/* A closed latch pulls while the hulls are apart: the contact must live that far. */
static void latch_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    (void)parameters;
    *onset_gap = 0;
    *release_gap = 0.05;
}

/* Called once for each accepted step: the place to remember. */
static void latch_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                         void *memory, fender_contact_change *change)
{
    const latch_parameters *p = parameters;
    latch_memory *m = memory;
    (void)out;
    if (!m->closed && in->depth > p->capture_depth) {
        m->closed = 1;
        change->event = LATCH_CLOSED;
    }
}

static double latch_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const latch_parameters *p = parameters;
    const latch_memory *m = memory;
    double stretch = m->closed ? in->depth - p->capture_depth : in->depth > 0 ? in->depth : 0;
    return 0.5 * p->stiffness * stretch * stretch;
}

static const char *const latch_modes[] = {"open", "closed", NULL};

static const fender_law latch = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "latch",
    .doc = "Spring that holds at its capture depth once it was pressed in that far.",
    .parameters = FENDER_FIELD_TABLE("latch", latch_fields, latch_parameters),
    .memory_size = sizeof(latch_memory),
    .mode_names = latch_modes,
    .force = latch_force,
    .activation_distance = latch_activation_distance,
    .update = latch_update,
    .stored_energy = latch_energy,
};

int main(void)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, &error);
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.registry = registry;
    fender_world *world = NULL;
    if (!registry || fender_registry_add_law(registry, &latch, &error)) goto failed;
    if (!(world = fender_world_create(&env, &def, &error))) goto failed;

    latch_parameters parameters = {20e3, 1e3, 0.01};
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "latches", .law = &latch, .law_parameters = &parameters};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    if (fender_contact_type_create(world, &type, &rule.use, &error) || fender_rule_create(world, &rule, NULL, &error))
        goto failed;

    fender_geometry *ball = fender_geometry_sphere(&env, 0.5, &error);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i == 0 ? "target" : "chaser";
        body.mass_properties = fender_geometry_mass_properties(ball, 1000.0);
        if (i == 1) body.state.position.x = 1.05, body.state.velocity.x = -0.2;
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "hull";
        shape.geometry = ball;
        fender_body_id id;
        if (fender_body_create(world, &body, &id, &error) || fender_shape_create(world, id, &shape, NULL, &error))
            break;
    }
    fender_geometry_release(ball);
    if (error.count > 0 || fender_world_initialize(world, &error)) goto failed;

    for (int step = 0; step < 5000; step++) {
        if (fender_world_step(world, &error)) goto failed;
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind == FENDER_EVENT_BEGIN) printf("touch at %.3f s\n", events[i].time);
            if (events[i].kind == FENDER_EVENT_LAW) printf("latch closed at %.3f s\n", events[i].time);
            if (events[i].kind == FENDER_EVENT_MODE) printf("mode is now '%s'\n", latch_modes[events[i].code]);
            if (events[i].kind == FENDER_EVENT_END) printf("released at %.3f s\n", events[i].time);
        }
    }
    fender_contact_data contact;
    fender_contact_between(world, fender_shape_at(world, 0), fender_shape_at(world, 1), &contact);
    printf("after 5 s: depth %.4f m, %s\n", contact.depth, latch_modes[contact.mode]);
    fender_world_destroy(world);
    fender_registry_destroy(registry);
    return 0;

failed:
    fprintf(stderr, "%s: %s (expected %s)\n", error.path, error.message, error.expected);
    fender_world_destroy(world);
    fender_registry_destroy(registry);
    return 1;
}
