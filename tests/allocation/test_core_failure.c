/* Every allocation of every call that makes something in the core is refused in turn. */
#include "drill.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

enum { GROWTH = 18 }; /* arrays and indices have grown twice by then */

typedef struct fixture {
    fender_env env;
    int size;
    fender_registry *registry;
    fender_world *world;
    fender_geometry *ball, *made;
    fender_snapshot *snapshot;
    fender_body_id body;
    fender_law laws[GROWTH + 1];
    char names[GROWTH + 1][24];
    int done; /* calls that an attempt of many has behind it */
} fixture;

/* ---- what calls need */

static fixture *fixture_new(const fender_env *env, int size)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->env = *env;
    f->size = size;
    for (int i = 0; i <= GROWTH; i++) {
        snprintf(f->names[i], sizeof f->names[i], "name_%d", i);
        f->laws[i] = *fender_law_find(NULL, "spring_damper");
        f->laws[i].name = f->names[i];
    }
    return f;
}

static void release(void *fixture_)
{
    fixture *f = fixture_;
    fender_snapshot_destroy(f->snapshot);
    fender_world_destroy(f->world);
    fender_geometry_release(f->ball);
    fender_geometry_release(f->made);
    fender_registry_destroy(f->registry);
    free(f);
}

static uint64_t look(void *fixture_)
{
    const fixture *f = fixture_;
    return beam_cast(f->world);
}

static void *nothing(const fender_env *env, int size) { return fixture_new(env, size); }

static fender_world *world_new(const fender_env *env)
{
    fender_error error = {0};
    fender_world_def def = fender_world_def_default();
    def.step = 1e-2;
    fender_world *world = fender_world_create(env, &def, &error);
    assert_non_null(world);
    return world;
}

static void *empty_world(const fender_env *env, int size)
{
    fixture *f = fixture_new(env, size);
    f->world = world_new(env);
    return f;
}

static const double times[] = {0, 0.5, 2};
static const fender_vec3 rows[] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};

static fender_body_def body_def(const char *name)
{
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.mass_properties.mass = 2;
    def.mass_properties.inertia = fender_mat3_diagonal(0.2, 0.3, 0.25);
    return def;
}

static void add_type_and_rule(fender_world *world)
{
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    double parameters[16];
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), parameters, 0, 100);
    fender_field_set(fender_field_find(&law->parameters, "mu"), parameters, 0, 0.2);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .law = law, .law_parameters = parameters};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
}

static fender_body_id add_ball(fixture *f, const char *name, fender_vec3 position, fender_vec3 velocity)
{
    fender_body_def def = body_def(name);
    def.state.position = position;
    def.state.velocity = velocity;
    fender_body_id id = {0};
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "hull";
    shape.geometry = f->ball;
    check_ok(fender_body_create(f->world, &def, &id, &error));
    check_ok(fender_shape_create(f->world, id, &shape, NULL, &error));
    return id;
}

/* ---- one call each */

static fender_status make_sphere(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    f->made = fender_geometry_sphere(&f->env, 1, error);
    return f->made ? FENDER_STATUS_OK : error->status;
}

static fender_status make_capsule(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    f->made = fender_geometry_capsule(&f->env, 1, 2, error);
    return f->made ? FENDER_STATUS_OK : error->status;
}

static fender_status make_registry(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    f->registry = fender_registry_create(&f->env, error);
    return f->registry ? FENDER_STATUS_OK : error->status;
}

static void *some_laws(const fender_env *env, int size)
{
    fixture *f = fixture_new(env, size);
    f->registry = fender_registry_create(env, NULL);
    for (int i = 0; i < size; i++) check_ok(fender_registry_add_law(f->registry, &f->laws[i], &error));
    return f;
}

static fender_status add_law(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    return fender_registry_add_law(f->registry, &f->laws[f->size], error);
}

static uint64_t look_at_laws(void *fixture_)
{
    const fixture *f = fixture_;
    uint64_t hash = 1;
    for (int i = 0; fender_law_at(f->registry, i); i++) {
        const char *name = fender_law_at(f->registry, i)->name;
        hash = sample_bytes(hash, name, strlen(name));
    }
    return hash;
}

static fender_status make_world(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_world_def def = fender_world_def_default();
    f->world = fender_world_create(&f->env, &def, error);
    return f->world ? FENDER_STATUS_OK : error->status;
}

static void *some_bodies(const fender_env *env, int size)
{
    fixture *f = empty_world(env, size);
    for (int i = 0; i < size; i++) {
        fender_body_def def = body_def(f->names[i]);
        check_ok(fender_body_create(f->world, &def, &f->body, &error));
    }
    return f;
}

static fender_status make_body(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_body_def def = body_def(f->names[f->size]);
    return fender_body_create(f->world, &def, NULL, error);
}

static fender_status make_body_with_path(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_body_def def = body_def(f->names[f->size]);
    def.motion = FENDER_MOTION_PRESCRIBED;
    def.path = (fender_path){times, rows, 3, FENDER_PATH_LINEAR, NULL};
    return fender_body_create(f->world, &def, NULL, error);
}

static void *some_materials(const fender_env *env, int size)
{
    fixture *f = empty_world(env, size);
    for (int i = 0; i < size; i++) check_ok(fender_material_create(f->world, f->names[i], NULL, &error));
    return f;
}

static fender_status make_material(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    return fender_material_create(f->world, f->names[f->size], NULL, error);
}

static uint64_t look_at_materials(void *fixture_)
{
    const fixture *f = fixture_;
    uint64_t hash = beam_cast(f->world);
    for (int i = 0; i <= GROWTH; i++) {
        fender_material_id id = {0};
        fender_status status = fender_material_find(f->world, f->names[i], &id);
        hash = sample_bytes(sample_bytes(hash, &status, sizeof status), &id.index1, sizeof id.index1);
    }
    return hash;
}

static fender_status make_shape(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_shape_def def = fender_shape_def_default();
    def.name = f->names[fender_shape_count(f->world)];
    def.geometry = f->ball;
    return fender_shape_create(f->world, f->body, &def, NULL, error);
}

static void *some_shapes(const fender_env *env, int size)
{
    fixture *f = some_bodies(env, 1);
    f->size = size;
    f->ball = fender_geometry_sphere(env, 1, NULL);
    for (int i = 0; i < size; i++) check_ok(make_shape(f, &error));
    return f;
}

static fender_status make_whole_type(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    double parameters[16];
    const fender_law *law = fender_law_find(NULL, "jeod_spring");
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), parameters, 0, 100);
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def),
                                   .name = f->names[fender_contact_type_count(f->world)],
                                   .law = law,
                                   .law_parameters = parameters};
    return fender_contact_type_create(f->world, &def, NULL, error);
}

static fender_status make_type_in_parts(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    double normal[16], friction[16];
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def),
                                   .name = f->names[fender_contact_type_count(f->world)],
                                   .normal = fender_law_find(NULL, "spring_damper"),
                                   .normal_parameters = normal,
                                   .friction = fender_law_find(NULL, "coulomb"),
                                   .friction_parameters = friction};
    (void)fender_field_initialize(&def.normal->parameters, normal, sizeof normal, NULL);
    fender_field_set(fender_field_find(&def.normal->parameters, "stiffness"), normal, 0, 100);
    (void)fender_field_initialize(&def.friction->parameters, friction, sizeof friction, NULL);
    fender_field_set(fender_field_find(&def.friction->parameters, "mu"), friction, 0, 0.3);
    return fender_contact_type_create(f->world, &def, NULL, error);
}

static void *some_types(const fender_env *env, int size)
{
    fixture *f = empty_world(env, size);
    for (int i = 0; i < size; i++) check_ok(make_whole_type(f, &error));
    return f;
}

static fender_status add_rule(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_rule_def def = {.size = sizeof(fender_rule_def),
                           .kind = FENDER_RULE_BODIES,
                           .body_a = fender_body_at(f->world, fender_rule_count(f->world)),
                           .body_b = fender_body_at(f->world, fender_rule_count(f->world) + 1)};
    return fender_rule_create(f->world, &def, NULL, error);
}

static void *some_rules(const fender_env *env, int size)
{
    fixture *f = some_bodies(env, GROWTH + 1);
    fender_body_def last = body_def("last");
    check_ok(fender_body_create(f->world, &last, NULL, &error));
    f->size = size;
    for (int i = 0; i < size; i++) check_ok(add_rule(f, &error));
    return f;
}

static fender_status make_load(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_load_def def = fender_load_def_default();
    def.name = f->names[fender_load_count(f->world)];
    def.body = f->body;
    def.force = (fender_signal){.kind = FENDER_SIGNAL_TABLE, .times = times, .values = rows, .count = 3};
    def.torque = (fender_signal){.kind = FENDER_SIGNAL_TABLE, .times = times, .values = rows, .count = 2};
    return fender_load_create(f->world, &def, NULL, error);
}

static void *some_loads(const fender_env *env, int size)
{
    fixture *f = some_bodies(env, 1);
    f->size = size;
    for (int i = 0; i < size; i++) check_ok(make_load(f, &error));
    return f;
}

static fender_status make_link(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_link_spring_damper parameters;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER), &parameters, sizeof parameters,
                                  NULL);
    parameters.stiffness = 100;
    parameters.limit = 1;
    fender_link_def def = fender_link_def_default();
    def.name = f->names[fender_link_count(f->world)];
    def.a = fender_point_at(f->world, 0);
    def.b = fender_point_at(f->world, 1);
    def.parameters = &parameters;
    return fender_link_create(f->world, &def, NULL, error);
}

static void add_points(fixture *f)
{
    for (int i = 0; i < 2; i++)
        check_ok(
            fender_point_create(f->world, fender_body_at(f->world, i), "point", fender_pose_identity(), NULL, &error));
}

static void *some_links(const fender_env *env, int size)
{
    fixture *f = some_bodies(env, 2);
    f->size = size;
    add_points(f);
    for (int i = 0; i < size; i++) check_ok(make_link(f, &error));
    return f;
}

/* ---- the world as a whole */

static fender_status initialize(void *fixture_, fender_error *error)
{
    const fixture *f = fixture_;
    return fender_world_initialize(f->world, error);
}

static uint64_t follow(void *fixture_)
{
    const fixture *f = fixture_;
    for (int i = 0; i < 12; i++) check_ok(fender_world_step(f->world, &error));
    return beam_cast(f->world);
}

/* Spheres in a row that overlap: contacts from the start. */
static void *row_of_balls(const fender_env *env, int size)
{
    fixture *f = empty_world(env, size);
    f->ball = fender_geometry_sphere(env, 0.5, NULL);
    add_type_and_rule(f->world);
    for (int i = 0; i < 2 + 3 * size; i++)
        add_ball(f, f->names[i], fender_vec3_make(0.9 * i, 0.01 * i, 0), fender_vec3_make(-0.1 * i, 0, 0.3));
    f->body = fender_body_at(f->world, 0);
    check_ok(make_load(f, &error));
    add_points(f);
    for (int i = 0; i < 3; i++) check_ok(make_link(f, &error)); /* which break at once, by events */
    return f;
}

/* The same in flight, when a body is added: contacts go on. */
static void *row_in_flight(const fender_env *env, int size)
{
    fixture *f = row_of_balls(env, size);
    check_ok(fender_world_initialize(f->world, &error));
    check_ok(fender_world_advance(f->world, 3, &error));
    assert_true(fender_contact_count(f->world, FENDER_CLOCK_COMMITTED) > 0);
    add_ball(f, "late", fender_vec3_make(0.3, 0.8, 0), fender_vec3_make(0, 0, 0));
    return f;
}

/* A ready world that is initialized again, with its contacts switched off. */
static void *row_switched_off(const fender_env *env, int size)
{
    fixture *f = row_of_balls(env, size);
    check_ok(fender_world_initialize(f->world, &error));
    fender_world_set_contacts_active(f->world, false);
    return f;
}

static fender_status take_snapshot(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    f->snapshot = fender_snapshot_take(f->world, error);
    return f->snapshot ? FENDER_STATUS_OK : error->status;
}

static void *ready_row(const fender_env *env, int size)
{
    fixture *f = row_of_balls(env, size);
    check_ok(fender_world_initialize(f->world, &error));
    return f;
}

/* ---- growth: more contacts at once than a world makes room for beforehand */

enum { CROWD = 32 }; /* 496 pairs: more than 12 * 32 + 64 candidates and 2 * 32 + 16 contacts */

static fender_vec3 place_in_crowd(int i, double distance)
{
    double z = (2 * i + 1) / (double)CROWD - 1, r = sqrt(1 - z * z), angle = 2.399963 * i;
    return fender_vec3_scale(distance, fender_vec3_make(r * cos(angle), r * sin(angle), z));
}

static void *crowd_at(const fender_env *env, double distance, double speed)
{
    fixture *f = empty_world(env, 0);
    f->ball = fender_geometry_sphere(env, 0.5, NULL);
    add_type_and_rule(f->world);
    for (int i = 0; i < CROWD; i++) {
        char name[24];
        snprintf(name, sizeof name, "ball_%d", i);
        add_ball(f, name, place_in_crowd(i, distance), place_in_crowd(i, -speed));
    }
    return f;
}

static void *dense_crowd(const fender_env *env, int size)
{
    (void)size;
    return crowd_at(env, 0.4, 0.1);
}

static void *crowd_far_apart(const fender_env *env, int size)
{
    (void)size;
    fixture *f = crowd_at(env, 6, 40);
    check_ok(fender_world_initialize(f->world, &error));
    assert_int_equal(fender_contact_count(f->world, FENDER_CLOCK_COMMITTED), 0);
    return f;
}

/* Nothing touches yet in a crowd that overlaps. */
static void *crowd_without_contact(const fender_env *env, int size)
{
    (void)size;
    fixture *f = crowd_at(env, 0.4, 0.1);
    fender_contact_type_id never = {0};
    check_ok(fender_rule_set_use(f->world, fender_rule_at(f->world, 0), never, &error));
    check_ok(fender_world_initialize(f->world, &error));
    assert_int_equal(fender_contact_count(f->world, FENDER_CLOCK_COMMITTED), 0);
    return f;
}

static fender_status let_touch(void *fixture_, fender_error *error)
{
    const fixture *f = fixture_;
    fender_contact_type_id type = fender_contact_type_at(f->world, 0);
    fender_status status = fender_rule_set_use(f->world, fender_rule_at(f->world, 0), type, error);
    if (!status) assert_true(fender_contact_count(f->world, FENDER_CLOCK_COMMITTED) > 2 * CROWD + 16);
    return status;
}

/* One call of many: on failure nothing has changed, but for the first parts of a step that was divided. */
#define TRY(f, call)                                                                       \
    do {                                                                                   \
        uint64_t before = beam_cast((f)->world);                                           \
        double began = fender_world_time((f)->world);                                      \
        fender_status status = (call);                                                     \
        if (status) {                                                                      \
            if (fender_world_time((f)->world) == began && beam_cast((f)->world) != before) \
                fail_msg("%s changed the world", #call);                                   \
            return status;                                                                 \
        }                                                                                  \
    } while (0)

enum { FLIGHT = 16 }; /* steps until the crowd has met */

static fender_status fly(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    for (; f->done < FLIGHT; f->done++) TRY(f, fender_world_step(f->world, error));
    assert_true(fender_contact_count(f->world, FENDER_CLOCK_COMMITTED) > 2 * CROWD + 16);
    return FENDER_STATUS_OK;
}

static fender_status fly_by_host(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    enum { NUMBERS = CROWD * FENDER_STATE_PER_BODY };
    double y[NUMBERS], rate[NUMBERS];
    for (; f->done < FLIGHT; f->done++) {
        double time = fender_world_time(f->world);
        fender_world_get_state(f->world, y);
        TRY(f, fender_world_set_state(f->world, time, y, error));
        TRY(f, fender_world_derivative(f->world, rate, error));
        for (int i = 0; i < NUMBERS; i++) y[i] += 0.01 * rate[i];
        TRY(f, fender_world_set_state(f->world, time + 0.01, y, error));
        TRY(f, fender_world_evaluate(f->world, error));
        TRY(f, fender_world_commit(f->world, error));
    }
    assert_true(fender_contact_count(f->world, FENDER_CLOCK_COMMITTED) > 2 * CROWD + 16);
    return FENDER_STATUS_OK;
}

static fender_status move_together(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    for (; f->done < CROWD; f->done++) {
        fender_body_state state = fender_body_def_default().state;
        state.position = place_in_crowd(f->done, 0.3);
        TRY(f, fender_body_set_state(f->world, fender_body_at(f->world, f->done), &state, error));
    }
    assert_int_equal(fender_contact_count(f->world, FENDER_CLOCK_COMMITTED), CROWD * (CROWD - 1) / 2);
    return FENDER_STATUS_OK;
}

/* A snapshot of a crowd that has met, for a world that has not. */
static void *crowd_and_snapshot(const fender_env *env, int size)
{
    fixture *met = crowd_far_apart(env, size), *f = crowd_far_apart(env, size);
    check_ok(fly(met, &error));
    check_ok(take_snapshot(met, &error));
    f->snapshot = met->snapshot;
    met->snapshot = NULL;
    release(met);
    check_ok(fender_world_step(f->world, &error));
    return f;
}

static fender_status restore(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    return fender_snapshot_restore(f->world, f->snapshot, error);
}

/* ---- all */

static const drill calls[] = {
    {"fender_geometry_sphere", nothing, 0, make_sphere, NULL, NULL, release, false},
    {"fender_geometry_capsule", nothing, 0, make_capsule, NULL, NULL, release, false},
    {"fender_registry_create", nothing, 0, make_registry, NULL, NULL, release, false},
    {"fender_registry_add_law", some_laws, GROWTH, add_law, look_at_laws, NULL, release, false},
    {"fender_world_create", nothing, 0, make_world, NULL, NULL, release, false},
    {"fender_body_create", some_bodies, GROWTH, make_body, look, NULL, release, false},
    {"fender_body_create with a path", some_bodies, GROWTH, make_body_with_path, look, NULL, release, false},
    {"fender_material_create", some_materials, GROWTH, make_material, look_at_materials, NULL, release, false},
    {"fender_shape_create", some_shapes, GROWTH, make_shape, look, NULL, release, false},
    {"fender_contact_type_create", some_types, GROWTH, make_whole_type, look, NULL, release, false},
    {"fender_contact_type_create in parts", some_types, GROWTH, make_type_in_parts, look, NULL, release, false},
    {"fender_rule_add", some_rules, GROWTH, add_rule, look, NULL, release, false},
    {"fender_link_create", some_links, GROWTH, make_link, look, NULL, release, false},
    {"fender_load_create with tables", some_loads, GROWTH, make_load, look, NULL, release, false},
};

static void makers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        drill_run(&calls[i]);
        assert_true(drill_host_count > 0 || calls[i].sizes > 0);
        assert_int_equal(drill_foreign_count, 0); /* all memory comes from the host's allocator */
    }
}

static const drill whole[] = {
    {"fender_world_initialize", row_of_balls, 5, initialize, look, follow, release, false},
    {"fender_world_initialize in flight", row_in_flight, 5, initialize, look, follow, release, false},
    {"fender_world_initialize, contacts off", row_switched_off, 2, initialize, look, follow, release, false},
    {"fender_world_initialize, more contacts than expected", dense_crowd, 0, initialize, look, follow, release, false},
    {"fender_snapshot_take", ready_row, 5, take_snapshot, look, follow, release, false},
    {"fender_snapshot_restore", crowd_and_snapshot, 0, restore, look, follow, release, false},
    {"fender_world_step, arrays growing", crowd_far_apart, 0, fly, look, follow, release, true},
    {"fender_world_derivative, _evaluate, _commit, arrays growing", crowd_far_apart, 0, fly_by_host, look, follow,
     release, true},
    {"fender_rule_set_use, arrays growing", crowd_without_contact, 0, let_touch, look, follow, release, false},
    {"fender_body_set_state, arrays growing", crowd_far_apart, 0, move_together, look, follow, release, true},
};

static void run_whole(size_t i)
{
    drill_run(&whole[i]);
    assert_true(drill_host_count > 0);
    assert_int_equal(drill_foreign_count, 0);
}

static void first_initialize(void **state) { (void)state, run_whole(0); }
static void initialize_in_flight(void **state) { (void)state, run_whole(1); }
static void initialize_switched_off(void **state) { (void)state, run_whole(2); }
static void initialize_dense(void **state) { (void)state, run_whole(3); }
static void snapshot_take(void **state) { (void)state, run_whole(4); }
static void snapshot_restore(void **state) { (void)state, run_whole(5); }
static void step(void **state) { (void)state, run_whole(6); }
static void host(void **state) { (void)state, run_whole(7); }
static void set_use(void **state) { (void)state, run_whole(8); }
static void set_state(void **state) { (void)state, run_whole(9); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makers),
        cmocka_unit_test(first_initialize),
        cmocka_unit_test(initialize_in_flight),
        cmocka_unit_test(initialize_switched_off),
        cmocka_unit_test(initialize_dense),
        cmocka_unit_test(snapshot_take),
        cmocka_unit_test(snapshot_restore),
        cmocka_unit_test(step),
        cmocka_unit_test(host),
        cmocka_unit_test(set_use),
        cmocka_unit_test(set_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
