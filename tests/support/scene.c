/* Scenes for tests: random ones, moved ones, built ones. */
#include "scene.h"

#include "check.h"
#include <string.h>

scene_body scene_ball(int label, double mass, double radius)
{
    scene_body body;
    memset(&body, 0, sizeof body);
    double moment = 0.4 * mass * radius * radius;
    body.label = label;
    body.mass_properties.mass = mass;
    body.mass_properties.inertia = fender_mat3_diagonal(moment, moment, moment);
    body.body_axes = body.state.attitude = fender_quaternion_identity();
    body.shape_count = 1;
    body.shapes[0].radius = radius;
    body.shapes[0].X_SG = fender_pose_identity();
    return body;
}

scene scene_with_type(scene_type type)
{
    scene s;
    memset(&s, 0, sizeof s);
    s.world = fender_world_def_default();
    s.types[s.type_count++] = type;
    s.rules[s.rule_count++] = (scene_rule){FENDER_RULE_DEFAULT, 0, 0, 0};
    return s;
}

static double extent(const scene_body *body)
{
    double largest = 0;
    for (int i = 0; i < body->shape_count; i++) {
        const scene_shape *shape = &body->shapes[i];
        fender_vec3 lever = fender_vec3_sub(shape->X_SG.p, body->mass_properties.center_of_mass);
        double reach = fender_vec3_length(lever) + shape->radius + shape->half_length;
        if (reach > largest) largest = reach;
    }
    return largest;
}

/* Structure frame such that the centre of mass has this place and velocity. */
static void place_center(scene_body *body, fender_vec3 position, fender_vec3 velocity)
{
    fender_vec3 lever = fender_quaternion_rotate(body->state.attitude, body->mass_properties.center_of_mass);
    fender_vec3 w = fender_quaternion_rotate(body->state.attitude, body->state.angular_velocity);
    body->state.position = fender_vec3_sub(position, lever);
    body->state.velocity = fender_vec3_sub(velocity, fender_vec3_cross(w, lever));
}

static scene_body random_body(random_stream *r, int label)
{
    scene_body body = scene_ball(label, random_magnitude(r, 2, 200), 1);
    body.mass_properties.center_of_mass = random_in_ball(r, 0.3);
    body.mass_properties.inertia = random_inertia(r, body.mass_properties.mass, random_between(r, 0.5, 1.5));
    body.body_axes = random_rotation(r);
    body.state.attitude = random_rotation(r);
    body.state.angular_velocity = random_in_ball(r, 2);
    body.shape_count = 1 + random_below(r, SCENE_SHAPES);
    for (int i = 0; i < body.shape_count; i++) {
        body.shapes[i].radius = random_between(r, 0.2, 0.6);
        body.shapes[i].half_length = random_below(r, 2) ? random_between(r, 0.2, 0.8) : 0;
        body.shapes[i].X_SG.p = random_in_ball(r, 0.6);
        body.shapes[i].X_SG.q = random_rotation(r);
        body.shapes[i].material = random_below(r, SCENE_MATERIALS + 1) - 1;
    }
    return body;
}

static void random_types(scene *s, random_stream *r, unsigned laws)
{
    s->type_count = 2 + random_below(r, 2);
    for (int i = 0; i < s->type_count; i++) {
        scene_type *type = &s->types[i];
        do type->law = (scene_law)random_below(r, 3);
        while (!(laws & (1u << type->law)));
        type->stiffness = random_magnitude(r, 500, 5000);
        type->damping = random_between(r, 0, 50);
        type->mu = random_between(r, 0, 0.5);
        type->slip_speed = random_magnitude(r, 1e-2, 1e-1);
        type->sense = 0;
    }
}

static void random_rules(scene *s, random_stream *r)
{
    s->rules[s->rule_count++] = (scene_rule){FENDER_RULE_DEFAULT, 0, 0, random_below(r, s->type_count)};
    for (int one = 0; one < SCENE_MATERIALS; one++)
        for (int other = one; other < SCENE_MATERIALS; other++)
            if (random_below(r, 2))
                s->rules[s->rule_count++] = (scene_rule){
                    FENDER_RULE_MATERIALS, one, other,
                    random_below(r, 6 * s->type_count) == 0 ? -1 : random_below(r, s->type_count)};
    s->rules[s->rule_count++] = (scene_rule){FENDER_RULE_BODIES, 0, 1, random_below(r, s->type_count)};
}

scene scene_random(random_stream *r, int low, int high, unsigned laws)
{
    scene s;
    memset(&s, 0, sizeof s);
    s.world = fender_world_def_default();
    s.world.step = 2e-3;
    s.body_count = low + random_below(r, high - low + 1);
    random_types(&s, r, laws);
    for (int i = 0; i < s.body_count; i++) {
        scene_body *body = &s.bodies[i];
        *body = random_body(r, i);
        fender_vec3 direction = random_direction(r), center;
        for (double distance = 0.2;; distance += 0.1) {
            bool apart = true;
            center = fender_vec3_scale(distance, direction);
            for (int k = 0; k < i && apart; k++) {
                fender_vec3 other = fender_vec3_add(
                    s.bodies[k].state.position,
                    fender_quaternion_rotate(s.bodies[k].state.attitude, s.bodies[k].mass_properties.center_of_mass));
                apart = fender_vec3_length(fender_vec3_sub(center, other)) > extent(body) + extent(&s.bodies[k]);
            }
            if (apart) break;
        }
        fender_vec3 aim = fender_vec3_sub(random_in_ball(r, 0.4), center);
        place_center(body, center, fender_vec3_scale(random_between(r, 0.5, 1.5), aim));
    }
    random_rules(&s, r);
    return s;
}

void scene_crowd(scene *s, random_stream *r)
{
    for (int i = 0; i < s->body_count; i++) place_center(&s->bodies[i], random_in_ball(r, 0.9), random_in_ball(r, 1.5));
}

scene scene_moved(const scene *s, fender_pose X, fender_vec3 boost)
{
    scene moved = *s;
    for (int i = 0; i < s->body_count; i++) {
        fender_body_state *state = &moved.bodies[i].state;
        state->position = fender_vec3_add(X.p, fender_quaternion_rotate(X.q, state->position));
        state->velocity = fender_vec3_add(boost, fender_quaternion_rotate(X.q, state->velocity));
        state->attitude = fender_quaternion_product(X.q, state->attitude);
    }
    return moved;
}

scene scene_reversed(const scene *s)
{
    scene reversed = *s;
    for (int i = 0; i < s->body_count; i++) reversed.bodies[i] = s->bodies[s->body_count - 1 - i];
    return reversed;
}

static void parameters_set(const fender_law *law, void *object, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, object, 0, value);
}

static fender_contact_type_id build_type(fender_world *world, const scene_type *type, int index)
{
    static const char *const laws[] = {"jeod_spring", "spring_damper", "spring_damper"};
    char name[24];
    union {
        double align;
        char bytes[128];
    } first, second;
    snprintf(name, sizeof name, "type%d", index);
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def), .name = name};
    const fender_law *law = fender_law_find(NULL, laws[type->law]);
    assert_true(law && law->parameters.size <= sizeof first.bytes);
    (void)fender_field_initialize(&law->parameters, first.bytes, sizeof first.bytes, NULL);
    parameters_set(law, first.bytes, "stiffness", type->stiffness);
    parameters_set(law, first.bytes, "damping", type->damping);
    parameters_set(law, first.bytes, "sense", type->sense);
    if (type->law == SCENE_NORMAL_AND_COULOMB) {
        const fender_law *friction = fender_law_find(NULL, "coulomb");
        assert_true(friction && friction->parameters.size <= sizeof second.bytes);
        (void)fender_field_initialize(&friction->parameters, second.bytes, sizeof second.bytes, NULL);
        parameters_set(friction, second.bytes, "mu", type->mu);
        parameters_set(friction, second.bytes, "slip_speed", type->slip_speed);
        def.normal = law, def.normal_parameters = first.bytes;
        def.friction = friction, def.friction_parameters = second.bytes;
    } else {
        parameters_set(law, first.bytes, "mu", type->mu);
        if (type->law == SCENE_SPRING_DAMPER) parameters_set(law, first.bytes, "slip_speed", type->slip_speed);
        def.law = law, def.law_parameters = first.bytes;
    }
    fender_contact_type_id id;
    check_ok(fender_contact_type_create(world, &def, &id, &error));
    return id;
}

static void build_body(fender_world *world, const fender_env *env, const scene_body *body,
                       const fender_material_id *materials)
{
    char name[24];
    snprintf(name, sizeof name, "body%d", body->label);
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.motion = body->motion;
    def.mass_properties = body->mass_properties;
    def.body_axes = body->body_axes;
    def.state = body->state;
    fender_body_id id;
    check_ok(fender_body_create(world, &def, &id, &error));
    for (int i = 0; i < body->shape_count; i++) {
        const scene_shape *shape = &body->shapes[i];
        fender_geometry *geometry = shape->half_length > 0
                                        ? fender_geometry_capsule(env, shape->radius, shape->half_length, NULL)
                                        : fender_geometry_sphere(env, shape->radius, NULL);
        assert_non_null(geometry);
        fender_shape_def shape_def = fender_shape_def_default();
        snprintf(name, sizeof name, "shape%d", i);
        shape_def.name = name;
        shape_def.geometry = geometry;
        shape_def.X_SG = shape->X_SG;
        if (shape->material >= 0) shape_def.material = materials[shape->material];
        check_ok(fender_shape_create(world, id, &shape_def, NULL, &error));
        fender_geometry_release(geometry);
    }
}

static fender_body_id body_of_label(const fender_world *world, int label)
{
    char name[24];
    fender_body_id id;
    snprintf(name, sizeof name, "body%d", label);
    assert_int_equal(fender_body_find(world, name, &id), FENDER_STATUS_OK);
    return id;
}

fender_world *scene_build_with(const scene *s, const fender_env *env, const fender_registry *registry, bool initialize)
{
    static const char *const names[] = {"steel", "rubber", "glass"};
    fender_error fault = {0};
    fender_world_def world_def = s->world;
    world_def.registry = registry;
    fender_world *world = fender_world_create(env, &world_def, &fault);
    if (!world) fail_msg("%s", fault.message);
    fender_material_id materials[SCENE_MATERIALS];
    fender_contact_type_id types[SCENE_TYPES];
    for (int i = 0; i < SCENE_MATERIALS; i++) check_ok(fender_material_create(world, names[i], &materials[i], &error));
    for (int i = 0; i < s->type_count; i++) types[i] = build_type(world, &s->types[i], i);
    for (int i = 0; i < s->body_count; i++) build_body(world, env, &s->bodies[i], materials);
    for (int i = 0; i < s->rule_count; i++) {
        const scene_rule *rule = &s->rules[i];
        fender_rule_def def = {.size = sizeof(fender_rule_def), .kind = rule->kind};
        if (rule->use >= 0) def.use = types[rule->use];
        if (rule->kind == FENDER_RULE_MATERIALS)
            def.material_a = materials[rule->one], def.material_b = materials[rule->other];
        if (rule->kind == FENDER_RULE_BODIES) {
            def.body_a = body_of_label(world, rule->one);
            def.body_b = body_of_label(world, rule->other);
        }
        check_ok(fender_rule_create(world, &def, NULL, &error));
    }
    if (initialize) check_ok(fender_world_initialize(world, &error));
    return world;
}

fender_world *scene_build(const scene *s)
{
    fender_env env = fender_env_default();
    return scene_build_with(s, &env, s->world.registry, true);
}

fender_body_data scene_body_data(const fender_world *world, int label)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, body_of_label(world, label), FENDER_CLOCK_COMMITTED, &data),
                     FENDER_STATUS_OK);
    return data;
}

double scene_kinetic_energy(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return ledger.kinetic;
}
