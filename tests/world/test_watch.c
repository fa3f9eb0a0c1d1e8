/* Functions whose crossings end a step: those taken from an evaluation are to the bit those found anew; what is left
 * out for being far away is positive, and is there again when it is asked for. Steps whose ends say that nothing
 * happens are those of a world that looks at all functions. */
#include "base/memory.h"
#include "check.h"
#include "contact/crossing.h"
#include "random_numbers.h"
#include "repeats.h"
#include "world/world.h"
#include <fender/fender.h>
#include <string.h>

enum { FEET = 5, SIDE = 33 };

static fender_geometry *bowl(fender_env *env)
{
    static double heights[SIDE * SIDE];
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) heights[j * SIDE + i] = 0.02 * sin(1.3 * i) * cos(0.9 * j);
    const fender_grid_def def = {
        .count_x = SIDE, .count_y = SIDE, .lower = {-4, -4}, .spacing = {0.25, 0.25}, .heights = heights};
    return fender_geometry_grid(env, &def, NULL);
}

/* The ground, and what its feet are. */
typedef enum landing { ON_PLANE, ON_GRID, PADS_ON_PLANE, PADS_ON_GRID } landing;

/* A weight that hangs on the lander by two tethers, which go slack and tight. */
static void hang_weight(fender_world *world, fender_body_id lander)
{
    fender_body_id id;
    fender_body_def body = fender_body_def_default();
    body.name = "weight";
    body.mass_properties.mass = 20;
    body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    body.state.position = fender_vec3_make(0, 0, 0.9);
    body.state.velocity = fender_vec3_make(2, 0, -1);
    assert_int_equal(fender_body_create(world, &body, &id, NULL), 0);
    for (int i = 0; i < 2; i++) {
        fender_link_tether tether = {0};
        fender_link_def link = fender_link_def_default();
        fender_pose on_lander = fender_pose_identity();
        char name[24];
        snprintf(name, sizeof name, "tether_%d", i);
        on_lander.p = fender_vec3_make(i ? 0.4 : -0.4, 0, 0.3);
        assert_int_equal(fender_point_create(world, lander, name, on_lander, &link.a, NULL), 0);
        assert_int_equal(fender_point_create(world, id, name, fender_pose_identity(), &link.b, NULL), 0);
        tether.stiffness = 5e4;
        tether.damping = 5;
        tether.length = 0.51;
        tether.limit = INFINITY;
        link.name = name;
        link.law = FENDER_LINK_TETHER;
        link.parameters = &tether;
        assert_int_equal(fender_link_create(world, &link, NULL, NULL), 0);
    }
}

static fender_world *lander(landing how, random_stream *r)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 2e-3;
    def.locate_events = true;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -1.62);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_spring_damper_parameters push;
    fender_coulomb_static_kinetic_parameters stick;
    assert_int_equal(fender_spring_damper_parameters_default(&push, NULL), 0);
    assert_int_equal(fender_coulomb_static_kinetic_parameters_default(&stick, NULL), 0);
    push.stiffness = stick.stiffness = 1e5;
    push.damping = stick.damping = 2e3;
    stick.mu_static = 0.6;
    stick.mu_kinetic = 0.4;
    stick.stick_speed = 0.01;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "foot";
    type.normal = fender_law_find(NULL, "spring_damper");
    type.normal_parameters = &push;
    type.friction = fender_law_find(NULL, "coulomb_static_kinetic");
    type.friction_parameters = &stick;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    assert_int_equal(fender_contact_type_create(world, &type, &rule.use, NULL), 0);
    assert_int_equal(fender_rule_create(world, &rule, NULL, NULL), 0);
    fender_body_id id;
    fender_body_def body = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    body.name = "ground";
    body.motion = FENDER_MOTION_FIXED;
    assert_int_equal(fender_body_create(world, &body, &id, NULL), 0);
    shape.name = "surface";
    shape.geometry = how == ON_GRID || how == PADS_ON_GRID ? bowl(&env) : fender_geometry_plane(&env, NULL);
    assert_int_equal(fender_shape_create(world, id, &shape, NULL, NULL), 0);
    fender_geometry_release(shape.geometry);
    body = fender_body_def_default();
    body.name = "lander";
    body.mass_properties.mass = 500;
    body.mass_properties.inertia = fender_mat3_diagonal(300, 300, 400);
    body.state.position = fender_vec3_make(0, 0, 0.9);
    body.state.velocity = fender_vec3_make(random_between(r, -0.3, 0.3), 0.1, -0.5);
    body.state.angular_velocity = fender_vec3_make(0.05, random_between(r, -0.1, 0.1), 0.02);
    assert_int_equal(fender_body_create(world, &body, &id, NULL), 0);
    shape.geometry = how == PADS_ON_PLANE  ? fender_geometry_box(&env, fender_vec3_make(0.15, 0.15, 0.1), NULL)
                     : how == PADS_ON_GRID ? fender_geometry_cylinder(&env, 0.25, 0.05, NULL)
                                           : fender_geometry_sphere(&env, 0.1, NULL);
    for (int i = 0; i < FEET; i++) { /* the last is too high to touch */
        char name[24];
        snprintf(name, sizeof name, "foot_%d", i);
        shape.name = name;
        shape.X_SG.p = i == FEET - 1 ? fender_vec3_make(0, 0, 0.5)
                                     : fender_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, -0.6 - 0.01 * i);
        assert_int_equal(fender_shape_create(world, id, &shape, NULL, NULL), 0);
    }
    fender_geometry_release(shape.geometry);
    if (how == PADS_ON_PLANE) hang_weight(world, id);
    assert_int_equal(fender_world_initialize(world, NULL), 0);
    return world;
}

static void look(fender_world *world, const fnd_watch_scope *scope, fnd_crossing_list *list)
{
    fnd_dynamics *d = &world->dynamics;
    assert_true(fnd_crossings_evaluate(&d->env, &d->contacts, &world->model, d->frames, world->time, scope, list));
}

/* Whether a pair touches, if it certainly goes on as it is. */
static bool may_be_left_out(const fnd_crossing *c)
{
    const bool pair = c->kind == FND_CROSSING_PART && c->key.feature == FENDER_FEATURE_PAIR;
    return (c->kind == FND_CROSSING_BEGIN || pair) && c->value > 0;
}

/* What the last step has ended with, if the next begins with it, is what is found anew. */
static bool begins_with_what_was_kept(const fender_world *world, const fnd_crossing_list *all)
{
    const fnd_crossing_list *kept = &world->crossings[FND_CROSSINGS_HIGH];
    int at = 0, matched = 0;
    if (!world->kept.ready || world->kept.evaluations != world->dynamics.evaluation_count) return false;
    for (int i = 0; i < all->count; i++) {
        const fnd_crossing *one = fnd_crossing_match(kept, &all->items[i], &at);
        if (one) assert_memory_equal(&one->value, &all->items[i].value, sizeof one->value);
        else assert_true(may_be_left_out(&all->items[i]));
        matched += one != NULL;
    }
    assert_int_equal(matched, kept->count);
    return true;
}

static void one_landing(landing how, random_stream *r)
{
    fender_world *world = lander(how, r);
    fnd_dynamics *d = &world->dynamics;
    fnd_crossing_list all = {0}, known = {0}, near = {0}, wanted = {0};
    int roots = 0, parts = 0, begins = 0, left_out = 0, kept = 0, calm = 0;
    for (int step = 0; step < 700; step++) {
        assert_int_equal(fender_world_step(world, NULL), 0);
        assert_int_equal(fnd_world_refresh(world, NULL), 0);
        fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
        const fnd_watch_scope anew = {0, NULL, NULL}, rows = {0, NULL, &d->evaluations[0].contacts};
        look(world, &anew, &all);
        look(world, &rows, &known);
        assert_int_equal(known.count, all.count);
        for (int i = 0; i < all.count; i++) {
            const fnd_crossing *a = &all.items[i], *b = &known.items[i];
            assert_true(fnd_same_key(&a->key, &b->key) && a->kind == b->kind && a->root == b->root);
            assert_memory_equal(&a->value, &b->value, sizeof a->value);
            assert_true(isnan(a->rate) ? isnan(b->rate) : a->rate == b->rate);
            roots += a->kind == FND_CROSSING_LAW;
            parts += a->kind == FND_CROSSING_PART;
            begins += a->kind == FND_CROSSING_BEGIN;
        }
        kept += begins_with_what_was_kept(world, &all);
        for (int i = 0; i < d->evaluations[0].contacts.count;
             i++) { /* by which roots know what area a point has gained */
            const fnd_contact *row = &d->evaluations[0].contacts.items[i];
            assert_true(row->record >= 0);
            assert_true(d->contacts.records.items[row->record].weight == row->in.weight);
        }
        calm += world->kept.calm && !world->kept.ready;
        const fnd_watch_scope horizon = {world->def.step, NULL, NULL}, again = {0, &near, NULL};
        look(world, &horizon, &near);
        int at = 0;
        for (int i = 0; i < all.count; i++) {
            if (fnd_crossing_match(&near, &all.items[i], &at)) continue;
            assert_true(may_be_left_out(&all.items[i]));
            left_out++;
        }
        look(world, &again, &wanted);
        assert_int_equal(wanted.count, near.count);
        assert_true(fnd_crossings_alike(&wanted, &near));
    }
    assert_true(roots > 100 && parts > 100 && begins > 100 && left_out > 300);
    assert_true(kept > 20);
    assert_true(kept + calm > 150);
    fnd_crossing_list *lists[] = {&all, &known, &near, &wanted};
    for (int i = 0; i < 4; i++)
        fnd_release(&d->env, lists[i]->items, (size_t)lists[i]->capacity * sizeof *lists[i]->items);
    fender_world_destroy(world);
}

/* A world that forgets what it has seen at the end of each step lists and compares all functions in the next. */
static void quiet_steps_are_the_same(void **state)
{
    (void)state;
    for (int k = 0; k < 2 + repeats(4); k++) {
        random_stream one = random_of_case(12, (uint64_t)k), two = one;
        fender_world *world = lander(k % 2 ? ON_GRID : ON_PLANE, &one),
                     *other = lander(k % 2 ? ON_GRID : ON_PLANE, &two);
        int calm = 0;
        for (int step = 0; step < 700; step++) {
            assert_int_equal(fender_world_step(world, NULL), 0);
            other->kept = (fnd_kept_watch){0};
            assert_int_equal(fender_world_step(other, NULL), 0);
            assert_true(fender_world_hash(world) == fender_world_hash(other));
            calm += world->kept.calm && !world->kept.ready;
        }
        assert_true(calm > 50);
        assert_true(fender_world_event_count(world, FENDER_EVENT_BEGIN) > 3);
        fender_world_destroy(world);
        fender_world_destroy(other);
    }
}

/* The same of patches, whose points fade in and out, and of links, whose functions are found anew at each start. */
static void links_and_patches_are_the_same(void **state)
{
    (void)state;
    for (int k = 0; k < 1 + repeats(2); k++) {
        random_stream one = random_of_case(13, (uint64_t)k), two = one;
        fender_world *world = lander(PADS_ON_PLANE, &one), *other = lander(PADS_ON_PLANE, &two);
        int kept = 0, turns = 0;
        for (int step = 0; step < 500; step++) {
            fender_link_data before, after;
            assert_int_equal(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &before), 0);
            assert_int_equal(fender_world_step(world, NULL), 0);
            assert_int_equal(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &after), 0);
            other->kept = (fnd_kept_watch){0};
            assert_int_equal(fender_world_step(other, NULL), 0);
            assert_true(fender_world_hash(world) == fender_world_hash(other));
            kept += world->kept.ready;
            turns += (before.force == 0) != (after.force == 0);
        }
        assert_true(kept > 200 && turns > 3);
        assert_true(fender_world_event_count(world, FENDER_EVENT_BEGIN) > 3);
        fender_world_destroy(world);
        fender_world_destroy(other);
    }
}

static void what_is_known_is_found(void **state)
{
    (void)state;
    random_stream r = random_of_case(11, 0);
    const int times = repeats(8) < 8 ? 1 : 2; /* once under a sanitizer */
    for (int k = 0; k < times; k++) {
        one_landing(ON_PLANE, &r);
        one_landing(ON_GRID, &r);
    }
    one_landing(PADS_ON_GRID, &r);
}

/* A ball in a valley, deeper in one of its sides than in the other: without rows, too, its pair parts where it is
 * nearest, not where the last of its contacts is. */
static void a_pair_parts_where_it_is_nearest(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    random_stream r = random_of_case(14, 0);
    fender_world *world = lander(ON_GRID, &r);
    fnd_dynamics *d = &world->dynamics;
    fender_body_id id;
    const double heights[9] = {1, 0, 1, 1, 0, 1, 1, 0, 1};
    const fender_grid_def def = {.count_x = 3, .count_y = 3, .lower = {9, -4}, .spacing = {1, 4}, .heights = heights};
    fender_body_def body = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    body.name = "valley";
    body.motion = FENDER_MOTION_FIXED;
    assert_int_equal(fender_body_create(world, &body, &id, NULL), 0);
    shape.name = "sides";
    shape.geometry = fender_geometry_grid(&env, &def, NULL);
    assert_int_equal(fender_shape_create(world, id, &shape, NULL, NULL), 0);
    fender_geometry_release(shape.geometry);
    body = fender_body_def_default();
    body.name = "ball";
    body.mass_properties.mass = 10;
    body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    body.state.position = fender_vec3_make(10.001, 0.3, 0.1 * sqrt(2.0) - 0.004);
    assert_int_equal(fender_body_create(world, &body, &id, NULL), 0);
    shape.name = "skin";
    shape.geometry = fender_geometry_sphere(&env, 0.1, NULL);
    assert_int_equal(fender_shape_create(world, id, &shape, NULL, NULL), 0);
    fender_geometry_release(shape.geometry);
    assert_int_equal(fender_world_initialize(world, NULL), 0);
    fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
    const fnd_watch_scope anew = {0, NULL, NULL};
    fnd_crossing_list all = {0};
    look(world, &anew, &all);
    int seen = 0;
    for (int i = 0; i < all.count; i++) {
        const fnd_crossing *one = &all.items[i];
        fnd_contact nearest;
        if (one->kind != FND_CROSSING_PART || one->key.feature != FENDER_FEATURE_PAIR) continue;
        const int root_a = world->model.shapes[one->key.a].root, root_b = world->model.shapes[one->key.b].root;
        assert_true(fnd_contact_probe_pair(&world->model, &d->frames[root_a], &d->frames[root_b], (int)one->key.a,
                                           (int)one->key.b, INFINITY, NULL, &nearest));
        check_near(one->value, nearest.in.depth, 1e-12);
        seen++;
    }
    assert_int_equal(seen, 1);
    fnd_release(&d->env, all.items, (size_t)all.capacity * sizeof *all.items);
    fender_world_destroy(world);
}

/* Pairs apart that one of two lists has, each once. */
static void lists_are_joined(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_crossing one[4] = {{{0, 1, 0}, FND_CROSSING_BEGIN, 0, 1, 2},
                           {{0, 2, 0}, FND_CROSSING_PART, 0, 1, 2},
                           {{0, 3, 0}, FND_CROSSING_BEGIN, 0, 1, 2},
                           {{0, 5, 0}, FND_CROSSING_LAW, 0, 1, 2}},
                 other[3] = {{{0, 1, 0}, FND_CROSSING_BEGIN, 0, 3, 4},
                             {{0, 2, 0}, FND_CROSSING_BEGIN, 0, 3, 4},
                             {{0, 4, 0}, FND_CROSSING_BEGIN, 0, 3, 4}};
    const fnd_crossing_list first = {one, 4, 4}, second = {other, 3, 3};
    fnd_crossing_list both = {0};
    for (int k = 0; k < 2; k++) {
        assert_true(fnd_crossings_join(&env, k ? &second : &first, k ? &first : &second, &both));
        assert_int_equal(both.count, 4);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(both.items[i].key.b, i + 1);
            assert_int_equal(both.items[i].kind, FND_CROSSING_BEGIN);
        }
    }
    fnd_release(&env, both.items, (size_t)both.capacity * sizeof *both.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_is_found), cmocka_unit_test(quiet_steps_are_the_same),
        cmocka_unit_test(links_and_patches_are_the_same), cmocka_unit_test(a_pair_parts_where_it_is_nearest),
        cmocka_unit_test(lists_are_joined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
