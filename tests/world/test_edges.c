/* Worlds at their edges: rules that come and go, what leaves with a body, names that connections find taken, trees that
 * are printed, and every kind of number that stops being finite, by the name of what is to blame. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { NOT_YET = FENDER_STATUS_STATE, STALE = FENDER_STATUS_STALE_ID, NOT_FINITE = FENDER_STATUS_NOT_FINITE };

static fender_world *world_of(const fender_world_def *def)
{
    fender_env env = fender_env_default();
    fender_world *world = fender_world_create(&env, def, NULL);
    assert_non_null(world);
    return world;
}

static fender_world *plain_world(void)
{
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    return world_of(&def);
}

static fender_body_id add_body(fender_world *world, const char *name, fender_motion motion, double x, double speed)
{
    fender_body_def def = fender_body_def_default();
    fender_body_id id;
    def.name = name;
    def.motion = motion;
    def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
    def.state.position.x = x;
    def.state.velocity.x = speed;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

/* Takes the geometry. */
static fender_shape_id add_shape(fender_world *world, fender_body_id body, const char *name, fender_geometry *geometry,
                                 fender_material_id material)
{
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    def.name = name;
    def.geometry = geometry;
    def.material = material;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

static fender_geometry *ball(double radius)
{
    fender_env env = fender_env_default();
    return fender_geometry_sphere(&env, radius, NULL);
}

static fender_contact_type_id add_type(fender_world *world, const char *name, const fender_law *law)
{
    fender_contact_type_def def = fender_contact_type_def_default();
    fender_contact_type_id id;
    double parameters[16] = {0};
    def.name = name;
    def.law = law ? law : fender_law_find(NULL, "spring_damper");
    if (!law) {
        check_ok(fender_law_parameters_default(def.law, parameters, sizeof parameters, &error));
        check_ok(fender_law_parameters_set(def.law, parameters, sizeof parameters, "stiffness", 1e4, &error));
        def.law_parameters = parameters;
    }
    check_ok(fender_contact_type_create(world, &def, &id, &error));
    return id;
}

static fender_rule_id add_rule(fender_world *world, fender_rule_def def)
{
    fender_rule_id id;
    def.size = sizeof def;
    check_ok(fender_rule_create(world, &def, &id, &error));
    return id;
}

/* ---- rules */

static fender_pair_reason reason(const fender_world *world, fender_shape_id a, fender_shape_id b, fender_rule_id rule,
                                 fender_rule_id overruled)
{
    fender_pair_explanation why;
    check_ok(fender_world_explain(world, a, b, &why));
    assert_int_equal(why.rule.index1, rule.index1);
    assert_int_equal(why.overruled.index1, overruled.index1);
    return why.reason;
}

/* The strongest rule wins; as each leaves, the next weaker one decides; the last leaves a pair without a rule. */
static void strongest_first(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    fender_material_id steel, rubber, none = {0};
    const fender_rule_id no_rule = {0};
    check_ok(fender_material_create(w, "hard", &steel, &error));
    check_ok(fender_material_create(w, "soft", &rubber, &error));
    fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0),
                   b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 0.9, 0);
    fender_shape_id p = add_shape(w, a, "p", ball(0.5), steel), q = add_shape(w, b, "q", ball(0.5), rubber),
                    other = add_shape(w, b, "other", ball(0.1), none);
    fender_contact_type_id type = add_type(w, "touch", NULL);
    fender_rule_id rules[4];
    rules[3] = add_rule(w, (fender_rule_def){.kind = FENDER_RULE_DEFAULT, .use = type});
    rules[2] = add_rule(
        w, (fender_rule_def){.kind = FENDER_RULE_MATERIALS, .material_a = rubber, .material_b = steel, .use = type});
    rules[1] = add_rule(w, (fender_rule_def){.kind = FENDER_RULE_BODIES, .body_a = b, .body_b = a, .use = type});
    rules[0] = add_rule(w, (fender_rule_def){.kind = FENDER_RULE_SHAPES, .shape_a = q, .shape_b = p, .use = type});
    const fender_rule_def again[] = {{.kind = FENDER_RULE_SHAPES, .shape_a = p, .shape_b = q},
                                     {.kind = FENDER_RULE_BODIES, .body_a = a, .body_b = b},
                                     {.kind = FENDER_RULE_MATERIALS, .material_a = steel, .material_b = rubber},
                                     {.kind = FENDER_RULE_DEFAULT}};
    for (int i = 0; i < 4; i++) {
        fender_rule_def def = again[i];
        def.size = sizeof def;
        assert_int_equal(fender_rule_create(w, &def, NULL, NULL), FENDER_STATUS_NAME);
    }
    /* one end of the pair does not exist */
    const fender_rule_def gone[] = {{.kind = FENDER_RULE_SHAPES, .shape_a = p},
                                    {.kind = FENDER_RULE_SHAPES, .shape_b = p},
                                    {.kind = FENDER_RULE_BODIES, .body_a = a},
                                    {.kind = FENDER_RULE_BODIES, .body_b = a},
                                    {.kind = FENDER_RULE_MATERIALS, .material_a = steel},
                                    {.kind = FENDER_RULE_MATERIALS, .material_b = steel},
                                    {.kind = (fender_rule_kind)9},
                                    {.kind = FENDER_RULE_DEFAULT, .use = {9, 1, 1}}};
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        fender_rule_def def = gone[i];
        def.size = sizeof def;
        assert_int_equal(fender_rule_create(w, &def, NULL, NULL), STALE);
    }
    check_ok(fender_world_initialize(w, &error));
    assert_int_equal(reason(w, p, q, rules[0], rules[1]), FENDER_PAIR_MAY_TOUCH);
    assert_int_equal(reason(w, q, p, rules[0], rules[1]), FENDER_PAIR_MAY_TOUCH); /* in either order */
    assert_int_equal(reason(w, p, other, rules[1], rules[3]), FENDER_PAIR_MAY_TOUCH);
    for (int i = 0; i < 4; i++) assert_int_equal(fender_rule_at(w, i).index1, rules[3 - i].index1); /* as created */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(reason(w, p, q, rules[i], i < 3 ? rules[i + 1] : no_rule), FENDER_PAIR_MAY_TOUCH);
        check_ok(fender_rule_destroy(w, rules[i], &error));
        assert_int_equal(fender_rule_destroy(w, rules[i], NULL), STALE);
        assert_int_equal(fender_contact_count(w, FENDER_CLOCK_COMMITTED), i < 3);
        assert_int_equal(fender_rule_count(w), 3 - i);
    }
    assert_int_equal(fender_contact_count(w, FENDER_CLOCK_COMMITTED), 0);
    assert_int_equal(reason(w, p, q, no_rule, no_rule), FENDER_PAIR_NO_RULE);
    assert_int_equal(reason(w, q, other, no_rule, no_rule), FENDER_PAIR_SAME_BODY);
    fender_world_destroy(w);
}

/* With a body leave the rules that name it or its shapes, in either place, and no others. */
static void rules_leave_with_bodies(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    const fender_material_id none = {0};
    fender_body_id bodies[4];
    fender_shape_id shapes[4];
    for (int i = 0; i < 4; i++) {
        const char name[] = {(char)('a' + i), 0};
        bodies[i] = add_body(w, name, FENDER_MOTION_DYNAMIC, 2 * i, 0);
        shapes[i] = add_shape(w, bodies[i], "hull", ball(0.5), none);
    }
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++) {
            add_rule(w, (fender_rule_def){.kind = FENDER_RULE_BODIES, .body_a = bodies[i], .body_b = bodies[k]});
            add_rule(w, (fender_rule_def){.kind = FENDER_RULE_SHAPES, .shape_a = shapes[i], .shape_b = shapes[k]});
        }
    assert_int_equal(fender_rule_count(w), 12);
    check_ok(fender_shape_destroy(w, shapes[1], &error)); /* before it is initialized, too */
    assert_int_equal(fender_rule_count(w), 9);
    check_ok(fender_body_destroy(w, bodies[2], &error));
    assert_int_equal(fender_rule_count(w), 9 - 3 - 2);
    check_ok(fender_world_initialize(w, &error));
    check_ok(fender_world_step(w, &error));
    for (int i = 0; i < fender_rule_count(w); i++) {
        fender_rule_def def;
        check_ok(fender_rule_get_def(w, fender_rule_at(w, i), &def));
        if (def.kind == FENDER_RULE_BODIES)
            assert_true(def.body_a.index1 != bodies[2].index1 && def.body_b.index1 != bodies[2].index1);
        else assert_true(def.shape_a.index1 == shapes[0].index1 && def.shape_b.index1 == shapes[3].index1);
    }
    fender_world_destroy(w);
}

/* A plane has no contact function with a plane: named by a rule of shapes it is refused at once, by one of bodies when
 * the world is initialized, unless a stronger rule or the rule itself says that it is meant. */
static void unsupported(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world *w = plain_world();
    const fender_material_id none = {0};
    fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0), b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 9, 0),
                   c = add_body(w, "c", FENDER_MOTION_FIXED, 0, 0),
                   d = add_body(w, "d", FENDER_MOTION_PRESCRIBED, 0, 0);
    fender_shape_id p = add_shape(w, a, "p", fender_geometry_plane(&env, NULL), none),
                    q = add_shape(w, b, "q", fender_geometry_plane(&env, NULL), none),
                    r = add_shape(w, c, "r", fender_geometry_plane(&env, NULL), none),
                    s = add_shape(w, d, "s", fender_geometry_plane(&env, NULL), none);
    fender_contact_type_id type = add_type(w, "touch", NULL);
    fender_rule_def def = fender_rule_def_default();
    def.kind = FENDER_RULE_SHAPES;
    def.shape_a = p;
    def.shape_b = q;
    def.use = type;
    fender_error fault = {0};
    assert_int_equal(fender_rule_create(w, &def, NULL, &fault), FENDER_STATUS_VALUE);
    assert_string_equal(fault.found, "plane and plane");
    assert_non_null(strstr(fault.message, "a.p and b.q cannot touch"));
    def.shape_a = r; /* two that never move may be named: they never touch */
    def.shape_b = s;
    check_ok(fender_rule_create(w, &def, NULL, &error));
    fender_rule_id of_bodies = add_rule(
        w, (fender_rule_def){.kind = FENDER_RULE_BODIES, .body_a = a, .body_b = b, .use = type});
    fault = (fender_error){0};
    assert_int_equal(fender_world_initialize(w, &fault), FENDER_STATUS_VALUE);
    assert_string_equal(fault.path, "rules[1]");
    def = (fender_rule_def){.size = sizeof def, .kind = FENDER_RULE_SHAPES, .shape_a = p, .shape_b = q};
    fender_rule_id never;
    check_ok(fender_rule_create(w, &def, &never, &error)); /* never */
    check_ok(fender_world_initialize(w, &error));
    assert_int_equal(fender_rule_set_use(w, never, type, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(reason(w, p, q, never, of_bodies), FENDER_PAIR_RULE_NEVER);
    check_ok(fender_rule_destroy(w, never, &error));
    check_ok(fender_rule_destroy(w, of_bodies, &error));
    add_rule(w, (fender_rule_def){
                    .kind = FENDER_RULE_BODIES, .body_a = a, .body_b = b, .use = type, .ignore_unsupported = true});
    check_ok(fender_world_initialize(w, &error));
    fender_pair_explanation why;
    check_ok(fender_world_explain(w, p, q, &why));
    assert_int_equal(why.reason, FENDER_PAIR_NO_FUNCTION);
    fender_contact_data data;
    fender_contact_signals signals;
    int count;
    assert_int_equal(fender_contact_between(w, p, q, &data), FENDER_STATUS_NO_PAIR_FUNCTION);
    assert_int_equal(fender_contact_sense(w, p, q, &signals, 1, &count), FENDER_STATUS_NO_PAIR_FUNCTION);
    fender_world_destroy(w);
}

static void out_of_range(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    def.contact_limit_factor = 2;
    fender_world *w = world_of(&def);
    const fender_material_id none = {0};
    fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0), b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 3, 0);
    fender_shape_id p = add_shape(w, a, "p", ball(0.5), none), q = add_shape(w, b, "q", ball(0.5), none);
    fender_rule_def rule = fender_rule_def_default();
    rule.use = add_type(w, "touch", NULL);
    fender_rule_id id = add_rule(w, rule);
    assert_int_equal(reason(w, p, q, id, (fender_rule_id){0}), FENDER_PAIR_MAY_TOUCH); /* there is no state yet */
    check_ok(fender_world_initialize(w, &error));
    assert_int_equal(reason(w, p, q, id, (fender_rule_id){0}), FENDER_PAIR_OUT_OF_RANGE); /* 3 m against 2 * 1 m */
    fender_body_state near = {.position = {1.9, 0, 0}, .attitude = {1, 0, 0, 0}};
    check_ok(fender_body_set_state(w, b, &near, &error));
    assert_int_equal(reason(w, p, q, id, (fender_rule_id){0}), FENDER_PAIR_MAY_TOUCH);
    fender_world_destroy(w);
}

/* ---- what leaves with a body */

static int lines, wrong_lines;
static void count_lines(void *ctx, const char *line)
{
    (void)ctx;
    lines++;
    wrong_lines += strstr(line, "null") != NULL;
}

static void everything_leaves(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    const fender_material_id none = {0};
    fender_body_id ids[3];
    fender_point_id points[3];
    fender_sensor_id sensors[3];
    fender_load_id loads[3];
    fender_shape_id shapes[3];
    for (int i = 0; i < 3; i++) {
        const char name[] = {(char)('a' + i), 0};
        ids[i] = add_body(w, name, FENDER_MOTION_DYNAMIC, 3 * i, 0);
        shapes[i] = add_shape(w, ids[i], "hull", ball(0.5), none);
        check_ok(fender_point_create(w, ids[i], "eye", fender_pose_identity(), &points[i], &error));
        fender_sensor_def sensor = fender_sensor_def_default();
        sensor.name = name;
        sensor.beam.body = ids[i];
        check_ok(fender_sensor_create(w, &sensor, &sensors[i], &error));
        fender_load_def load = fender_load_def_default();
        load.name = name;
        load.body = ids[i];
        check_ok(fender_load_create(w, &load, &loads[i], &error));
    }
    fender_link_spring_damper spring = {.stiffness = 5, .limit = INFINITY};
    for (int i = 0; i < 3; i++) {
        fender_link_def link = fender_link_def_default();
        const char name[] = {(char)('a' + i), 0};
        link.name = name;
        link.a = points[i];
        link.b = points[(i + 1) % 3];
        link.parameters = &spring;
        check_ok(fender_link_create(w, &link, NULL, &error));
    }
    fender_sensor_id eye = sensors[1];
    check_ok(fender_sensor_destroy(w, sensors[1], &error)); /* before its body: it is not looked at again */
    check_ok(fender_load_destroy(w, loads[1], &error));
    check_ok(fender_shape_destroy(w, shapes[1], &error));
    check_ok(fender_world_initialize(w, &error));
    check_ok(fender_body_destroy(w, ids[1], &error));
    assert_int_equal(fender_body_count(w), 2);
    assert_int_equal(fender_link_count(w), 1); /* the one from c to a */
    assert_string_equal(fender_link_name(w, fender_link_at(w, 0)), "c");
    assert_true(fender_sensor_count(w) == 2 && fender_load_count(w) == 2 && fender_point_count(w) == 2);
    assert_null(fender_sensor_name(w, eye));
    assert_string_equal(fender_sensor_name(w, fender_sensor_at(w, 1)), "c");
    assert_string_equal(fender_load_name(w, fender_load_at(w, 1)), "c");
    assert_int_equal(fender_point_at(w, 1).index1, points[2].index1);
    assert_int_equal(fender_point_get(w, points[1], NULL, NULL, NULL), STALE);
    check_ok(fender_world_initialize(w, &error));
    check_ok(fender_world_advance(w, 10, &error));
    fender_sensor_find(w, "c", &eye);
    assert_int_equal(eye.index1, sensors[2].index1);
    assert_int_equal(fender_sensor_find(w, "b", &eye), FENDER_STATUS_NAME);
    /* what has left is not printed */
    lines = wrong_lines = 0;
    fender_mass_tree_print(w, (fender_body_id){0}, NULL, NULL);
    fender_mass_tree_print(NULL, (fender_body_id){0}, count_lines, NULL);
    assert_int_equal(lines, 0);
    fender_mass_tree_print(w, (fender_body_id){0}, count_lines, NULL);
    assert_int_equal(wrong_lines, 0);
    assert_int_equal(lines, 2 * 4); /* a body, its two masses and its point */
    /* its place and those of its parts are given anew */
    fender_body_id late = add_body(w, "late", FENDER_MOTION_DYNAMIC, 20, 0);
    assert_int_equal(late.index1, ids[1].index1);
    lines = wrong_lines = 0;
    fender_mass_tree_print(w, late, count_lines, NULL);
    assert_true(wrong_lines == 0 && lines == 3);
    check_ok(fender_point_create(w, late, "eye", fender_pose_identity(), &points[1], &error));
    check_ok(fender_world_initialize(w, &error));
    fender_world_destroy(w);
}

/* A connection names the bodies that were meant; when one of them is cut off it names those that are there. */
static void connections_of_trees(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0), b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 2, 0),
                   c = add_body(w, "c", FENDER_MOTION_DYNAMIC, 4, 0), d = add_body(w, "d", FENDER_MOTION_DYNAMIC, 6, 0);
    fender_attach_def def = fender_attach_def_default();
    def.pose = FENDER_ATTACH_AS_IS;
    def.child = b, def.parent = a;
    check_ok(fender_body_attach(w, &def, NULL, &error));
    def.child = d, def.parent = a;
    check_ok(fender_body_attach(w, &def, NULL, &error));
    def.child = b, def.parent = c; /* b names it, its root a moves */
    check_ok(fender_body_attach(w, &def, NULL, &error));
    fender_body_id child, parent;
    assert_true(fender_body_connection(w, a, &child, &parent));
    assert_true(child.index1 == b.index1 && parent.index1 == c.index1);
    assert_true(fender_body_connection(w, a, NULL, NULL));
    assert_int_equal(fender_body_root(w, d).index1, c.index1);
    assert_int_equal(fender_body_child_at(w, a, 0).index1 + fender_body_child_at(w, a, 1).index1, b.index1 + d.index1);
    assert_int_equal(fender_body_child_at(w, a, 2).index1, 0);
    assert_int_equal(fender_body_child_at(w, a, -1).index1, 0);
    lines = 0;
    fender_mass_tree_print(w, c, count_lines, NULL);
    assert_int_equal(lines, 4 * 3);
    /* a place between trees has no pose; within one it has */
    fender_body_id e = add_body(w, "e", FENDER_MOTION_DYNAMIC, 9, 0);
    fender_pose X;
    const fender_body_frame here = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = d},
                            there = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = b},
                            away = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = e};
    check_ok(fender_body_frame_relative(w, here, there, &X, &error));
    check_vector(X.p, fender_vec3_make(4, 0, 0), 1e-15);
    assert_int_equal(fender_body_frame_relative(w, here, away, &X, NULL), FENDER_STATUS_TOPOLOGY);
    /* b is let go by the tree, and leaves: what was named by it is named by what is there */
    check_ok(fender_body_detach(w, b, a, FENDER_DETACH_TREE, NULL, &error));
    assert_true(fender_body_connection(w, a, &child, &parent));
    assert_true(child.index1 == a.index1 && parent.index1 == c.index1);
    fender_error fault = {0};
    assert_int_equal(fender_body_detach(w, b, a, FENDER_DETACH_CONNECTION, NULL, &fault), FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "no connection between 'b' and 'a'"));
    fault = (fender_error){0};
    assert_int_equal(fender_body_detach(w, b, a, FENDER_DETACH_TREE, NULL, &fault), FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "no link of the mass tree"));
    fault = (fender_error){0};
    assert_int_equal(fender_body_detach(w, c, (fender_body_id){0}, FENDER_DETACH_TREE, NULL, &fault),
                     FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "is a root"));
    check_ok(fender_body_destroy(w, b, &error));
    assert_true(fender_body_connection(w, a, &child, &parent));
    assert_true(child.index1 == a.index1 && parent.index1 == c.index1);
    fender_body_id freed;
    check_ok(fender_body_detach(w, d, a, FENDER_DETACH_TREE, &freed, &error));
    assert_int_equal(freed.index1, d.index1);
    fender_world_destroy(w);
}

enum { COMMANDS = 14 };

/* One of the commands with a number that it takes from outside. */
static fender_status command(fender_world *w, int which, double x)
{
    const fender_body_id free = fender_body_at(w, 0), belt = fender_body_at(w, 1), part = fender_body_at(w, 2),
                         loose = fender_body_at(w, 3);
    fender_body_state state;
    fender_mass_properties mass;
    fender_attach_def attach = fender_attach_def_default();
    check_ok(fender_body_get_state(w, free, FENDER_CLOCK_COMMITTED, &state));
    check_ok(fender_body_get_mass(w, loose, FENDER_MASS_CORE, &mass));
    fender_pose far = fender_pose_identity();
    far.p.y = x;
    attach.child = loose;
    attach.parent = free;
    attach.X_PC = far;
    attach.pose = FENDER_ATTACH_POSED;
    switch (which) {
    case 0: state.position.z = x; break;
    case 1: state.velocity.y = x; break;
    case 2: state.angular_velocity.x = x; break;
    case 3: return fender_body_set_motion(w, belt, far.p, fender_vec3_make(0, 0, 0), NULL);
    case 4: return fender_body_set_motion(w, belt, fender_vec3_make(0, 0, 0), far.p, NULL);
    case 5: return fender_body_move_to(w, belt, far, 1, NULL);
    case 6: return fender_body_move_part(w, part, far.p, 0, 1, NULL);
    case 7: return fender_body_move_part(w, part, fender_vec3_make(0, 0, 0), x, 1, NULL);
    case 8: return fender_body_reattach(w, part, far, NULL, NULL);
    case 9: return fender_body_attach(w, &attach, NULL, NULL);
    case 10: mass.mass = x; break;
    case 11: mass.center_of_mass.x = x; break;
    case 12: return fender_world_set_gravity(w, far.p, NULL);
    case 13: return fender_link_set_length(w, fender_link_at(w, 0), x, NULL);
    }
    if (which >= 10) return fender_body_set_mass(w, loose, &mass, NULL);
    return fender_body_set_state(w, free, &state, NULL);
}

/* A free body with a part that moves, a belt, a loose body, and a spring from the belt to that. */
static fender_world *commanded_world(void)
{
    fender_world *w = plain_world();
    const fender_body_id free = add_body(w, "free", FENDER_MOTION_DYNAMIC, 0, 0);
    const fender_body_id belt = add_body(w, "belt", FENDER_MOTION_PRESCRIBED, 1, 0);
    fender_attach_def attach = fender_attach_def_default();
    attach.child = add_body(w, "part", FENDER_MOTION_DYNAMIC, 0, 0);
    attach.parent = free;
    attach.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(w, &attach, NULL, &error));
    static const double times[] = {0, 1}, angles[] = {0, 0};
    fender_part_motion motion = fender_part_motion_default();
    motion.axis = fender_vec3_make(0, 0, 1);
    motion.times = times;
    motion.angles = angles;
    motion.count = 2;
    check_ok(fender_body_set_part_motion(w, attach.child, &motion, &error));
    fender_link_spring_damper spring = {.stiffness = 1, .free_length = 3, .limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "tie";
    link.law = FENDER_LINK_SPRING_DAMPER;
    link.parameters = &spring;
    check_ok(fender_point_create(w, belt, "eye", fender_pose_identity(), &link.a, &error));
    const fender_body_id loose = add_body(w, "loose", FENDER_MOTION_DYNAMIC, 3, 0);
    check_ok(fender_point_create(w, loose, "eye", fender_pose_identity(), &link.b, &error));
    check_ok(fender_link_create(w, &link, NULL, &error));
    check_ok(fender_world_initialize(w, &error));
    return w;
}

/* Numbers whose squares are none are refused as they come, and nothing has changed; smaller ones are taken, and what is
 * shown and booked is finite: 1e99 squared, times a few kilograms. */
static void commands_too_large(void **state)
{
    (void)state;
    for (int which = 0; which < COMMANDS; which++) {
        fender_world *w = commanded_world();
        const uint64_t hash = fender_world_hash(w);
        const double none[] = {1.01e100, 1e160, 1e308, INFINITY, NAN};
        for (int i = 0; i < 5; i++) {
            const fender_status found = command(w, which, none[i]);
            if (found != FENDER_STATUS_VALUE) fail_msg("command %d of %g: %d", which, none[i], (int)found);
            assert_true(fender_world_hash(w) == hash);
        }
        const fender_status taken = command(w, which, 1e99); /* an inertia may still be too large to invert */
        if (taken && taken != FENDER_STATUS_NOT_FINITE) fail_msg("command %d is refused", which);
        fender_ledger ledger;
        fender_world_ledger(w, &ledger);
        if (!isfinite(ledger.residual) || !isfinite(ledger.kinetic))
            fail_msg("command %d is booked as no number", which);
        fender_world_destroy(w);
    }
    for (int which = 0; which < 3; which++) { /* and so are places of bodies that are made */
        fender_world *w = commanded_world();
        fender_body_def def = fender_body_def_default();
        def.name = "far";
        def.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
        double *numbers[] = {&def.state.position.x, &def.state.position.y, &def.state.position.z};
        *numbers[which] = -1.01e100;
        assert_int_equal(fender_body_create(w, &def, NULL, NULL), FENDER_STATUS_VALUE);
        *numbers[which] = -1e100;
        check_ok(fender_body_create(w, &def, NULL, &error));
        check_ok(fender_world_initialize(w, &error));
        fender_ledger ledger;
        fender_world_ledger(w, &ledger);
        assert_true(isfinite(ledger.residual) && isfinite(ledger.kinetic));
        fender_world_destroy(w);
    }
    fender_world *w = commanded_world(); /* moves whose rates would be none */
    fender_pose pose = fender_pose_identity();
    const double durations[] = {1e-60, 1e-110, 1e-200};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fender_body_move_to(w, fender_body_at(w, 1), pose, durations[i], NULL), FENDER_STATUS_VALUE);
        assert_int_equal(
            fender_body_move_part(w, fender_body_at(w, 2), fender_vec3_make(1, 0, 0), 0, durations[i], NULL),
            FENDER_STATUS_VALUE);
    }
    fender_world_destroy(w);
}

/* A stiff spring whose force is no number at a stage is watched for its limit all the same: the step is refused. */
static void watched_without_numbers(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.locate_events = true;
    fender_world *w = world_of(&def);
    fender_link_spring_damper spring = {.stiffness = 1, .damping = 1, .limit = 1e308};
    fender_link_def link = fender_link_def_default();
    link.name = "tie";
    link.law = FENDER_LINK_SPRING_DAMPER;
    link.parameters = &spring;
    const fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0),
                         b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 3, 1);
    check_ok(fender_point_create(w, a, "eye", fender_pose_identity(), &link.a, &error));
    check_ok(fender_point_create(w, b, "eye", fender_pose_identity(), &link.b, &error));
    fender_link_id id;
    check_ok(fender_link_create(w, &link, &id, &error));
    check_ok(fender_world_initialize(w, &error));
    check_ok(fender_link_set_parameter(w, id, "damping", 1e307, &error));
    const uint64_t hash = fender_world_hash(w);
    assert_int_equal(fender_world_step(w, NULL), NOT_FINITE);
    assert_true(fender_world_hash(w) == hash);
    fender_world_destroy(w);
}

/* Contacts of an earlier initialization, when an object was created or destroyed since initialization: taking things
 * away still works. */
static void between_two_initializations(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    const fender_material_id none = {0};
    fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0),
                   b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 0.9, 0);
    (void)add_shape(w, a, "p", ball(0.5), none);
    fender_shape_id q = add_shape(w, b, "q", ball(0.5), none);
    fender_rule_def rule = fender_rule_def_default();
    rule.use = add_type(w, "touch", NULL);
    fender_rule_id id = add_rule(w, rule);
    check_ok(fender_world_initialize(w, &error));
    assert_int_equal(fender_contact_count(w, FENDER_CLOCK_COMMITTED), 1);
    (void)add_body(w, "late", FENDER_MOTION_FIXED, 9, 0);
    check_ok(fender_shape_destroy(w, q, &error));
    check_ok(fender_world_initialize(w, &error));
    assert_int_equal(fender_contact_count(w, FENDER_CLOCK_COMMITTED), 0);
    (void)add_body(w, "later", FENDER_MOTION_FIXED, 9, 0);
    check_ok(fender_rule_destroy(w, id, &error));
    (void)add_body(w, "last", FENDER_MOTION_FIXED, 9, 0);
    check_ok(fender_body_destroy(w, b, &error));
    check_ok(fender_world_initialize(w, &error));
    check_ok(fender_world_advance(w, 5, &error));
    assert_int_equal(fender_body_count(w), 4);
    fender_world_destroy(w);
}

/* ---- what stops being finite, by name */

static int broken; /* which number of the law below is not finite */
enum { TORQUE = 1, FRICTION_POWER, DAMPING_POWER, STATE_RATE, ENERGY, FORCE };

static void broken_force(const void *parameters, const fender_contact_input *in, const void *memory,
                         fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = broken == FORCE ? NAN : 10 * in->depth;
    if (broken == TORQUE) out->torque.y = INFINITY;
    if (broken == FRICTION_POWER) out->friction_power = NAN;
    if (broken == DAMPING_POWER) out->damping_power = INFINITY;
}

static void broken_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)parameters, (void)in, (void)memory;
    rates[0] = broken == STATE_RATE ? INFINITY : 0;
}

static double broken_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return broken == ENERGY ? NAN : 5 * in->depth * in->depth;
}

static void laws_that_break(void **state)
{
    (void)state;
    static const fender_law law = {.size = sizeof(fender_law),
                                   .kinds = FENDER_LAW_WHOLE,
                                   .name = "broken",
                                   .doc = "It.",
                                   .force = broken_force,
                                   .state_count = 1,
                                   .state_rates = broken_rates,
                                   .stored_energy = broken_energy};
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                FENDER_INTEGRATOR_VELOCITY_VERLET};
    for (int m = 0; m < 3; m++)
        for (int what = TORQUE; what <= FORCE; what++) {
            fender_world_def def = fender_world_def_default();
            def.step = 1e-3;
            def.method = methods[m];
            fender_world *w = world_of(&def);
            const fender_material_id none = {0};
            fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0),
                           b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 0.9, 0);
            (void)add_shape(w, a, "p", ball(0.5), none);
            (void)add_shape(w, b, "q", ball(0.5), none);
            fender_rule_def rule = fender_rule_def_default();
            rule.use = add_type(w, "touch", &law);
            (void)add_rule(w, rule);
            broken = 0;
            check_ok(fender_world_initialize(w, &error));
            check_ok(fender_world_step(w, &error));
            const uint64_t before = fender_world_hash(w);
            broken = what;
            fender_error fault = {0};
            fender_status status = FENDER_STATUS_OK;
            for (int i = 0; i < 2 && !status; i++)
                status = fender_world_step(w, &fault); /* the start is known already */
            assert_int_equal(status, NOT_FINITE);
            assert_string_equal(fault.path, "a.p:b.q");
            assert_non_null(strstr(fault.found, "law broken (contact type touch)"));
            broken = 0;
            if (fender_world_step_count(w) == 1) assert_true(fender_world_hash(w) == before);
            check_ok(fender_world_step(w, &error)); /* the world goes on from there */
            fender_ledger ledger;
            fender_world_ledger(w, &ledger);
            assert_true(isfinite(ledger.residual));
            fender_world_destroy(w);
        }
    /* at touch, when nothing is remembered yet */
    fender_world *w = plain_world();
    const fender_material_id none = {0};
    fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0),
                   b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 2, -1);
    (void)add_shape(w, a, "p", ball(0.5), none);
    (void)add_shape(w, b, "q", ball(0.5), none);
    fender_rule_def rule = fender_rule_def_default();
    rule.use = add_type(w, "touch", &law);
    (void)add_rule(w, rule);
    broken = ENERGY;
    check_ok(fender_world_initialize(w, &error));
    fender_error fault = {0};
    assert_int_equal(fender_world_advance_to(w, 2, &fault), NOT_FINITE);
    assert_non_null(strstr(fault.message, "the stored energy at contact a.p:b.q"));
    broken = 0;
    check_ok(fender_world_advance_to(w, 2, &error));
    fender_ledger ledger;
    fender_world_ledger(w, &ledger);
    assert_true(isfinite(ledger.residual));
    fender_world_destroy(w);
}

/* Bodies so fast that their energy is not a number; loads whose power is none; links that pull without end. */
static void motions_that_break(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 1e160);
    fender_error fault = {0};
    assert_int_equal(fender_world_initialize(w, &fault), NOT_FINITE);
    assert_non_null(strstr(fault.message, "the kinetic energy of body a"));
    fender_world_destroy(w);

    w = plain_world();
    a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 1e100);
    fender_load_def load = fender_load_def_default();
    load.name = "push";
    load.body = a;
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {1e250, 0, 0}};
    check_ok(fender_load_create(w, &load, NULL, &error));
    fault = (fender_error){0};
    assert_int_equal(fender_world_initialize(w, &fault), NOT_FINITE);
    assert_non_null(strstr(fault.message, "the power of loads"));
    fender_world_destroy(w);

    w = plain_world();
    a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0);
    fender_body_id b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 1e100, 0);
    fender_link_spring_damper spring = {.stiffness = 1e250, .limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "tie";
    link.parameters = &spring;
    check_ok(fender_point_create(w, a, "eye", fender_pose_identity(), &link.a, &error));
    check_ok(fender_point_create(w, b, "eye", fender_pose_identity(), &link.b, &error));
    check_ok(fender_link_create(w, &link, NULL, &error));
    fault = (fender_error){0};
    assert_int_equal(fender_world_initialize(w, &fault), NOT_FINITE);
    assert_non_null(strstr(fault.message, "the force of link tie"));
    fender_world_destroy(w);
}

/* ---- masses and trees */

static void refused_masses(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    fender_body_id fixed = add_body(w, "fixed", FENDER_MOTION_FIXED, 0, 0),
                   prescribed = add_body(w, "prescribed", FENDER_MOTION_PRESCRIBED, 0, 0),
                   tank = add_body(w, "tank", FENDER_MOTION_DYNAMIC, 9, 0);
    const fender_mass_properties core = {2, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
    const fender_body_id immovable[] = {fixed, prescribed};
    const fender_body_state here = {.attitude = {1, 0, 0, 0}};
    fender_mass_flow flow = {.mass_rate = -1, .until_mass = 1};
    for (int i = 0; i < 2; i++) {
        fender_error fault = {0};
        assert_int_equal(fender_body_set_mass(w, immovable[i], &core, &fault), FENDER_STATUS_ARGUMENT);
        assert_string_equal(fault.path, "body");
        assert_int_equal(fender_body_set_mass_flow(w, immovable[i], &flow, NULL), FENDER_STATUS_ARGUMENT);
        fault = (fender_error){0};
        assert_int_equal(fender_body_set_state(w, immovable[i], &here, &fault),
                         i ? FENDER_STATUS_OK : FENDER_STATUS_ARGUMENT);
        assert_string_equal(fault.found, i ? "" : "fixed");
    }
    const double bad[][2] = {{NAN, 1},      {-INFINITY, 1}, {-1, 0}, {-1, -1},   {-1, NAN},
                             {1, INFINITY}, {-1, 3},        {1, 1},  {1e-320, 3}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fender_error fault = {0};
        flow = (fender_mass_flow){.mass_rate = bad[i][0], .until_mass = bad[i][1]};
        assert_int_equal(fender_body_set_mass_flow(w, tank, &flow, &fault), FENDER_STATUS_VALUE);
        assert_string_equal(fault.path, "mass_flow.until_mass");
    }
    flow = (fender_mass_flow){.mass_rate = -1, .until_mass = 1, .inertia_rate = fender_mat3_diagonal(-1, 0, 0)};
    fender_error fault = {0};
    assert_int_equal(fender_body_set_mass_flow(w, tank, &flow, &fault),
                     FENDER_STATUS_VALUE); /* -0.9 kg m^2 at its end */
    assert_string_equal(fault.path, "mass_flow.inertia_rate");
    /* a flow that is stopped leaves the mass that it has come to */
    flow = (fender_mass_flow){.mass_rate = -1, .until_mass = 1};
    check_ok(fender_body_set_mass_flow(w, tank, &flow, &error));
    check_ok(fender_world_initialize(w, &error));
    check_ok(fender_world_advance_to(w, 0.25, &error));
    flow.mass_rate = 0;
    check_ok(fender_body_set_mass_flow(w, tank, &flow, &error));
    check_ok(fender_world_advance_to(w, 0.5, &error));
    fender_mass_properties now;
    check_ok(fender_body_get_mass(w, tank, FENDER_MASS_COMPOSITE, &now));
    check_near(now.mass, 1.75, 1e-12);
    fender_world_destroy(w);
}

/* Points that do not exist or lie on other bodies; trees without a state; links found from either end, far apart. */
static void attached_by_points(void **state)
{
    (void)state;
    fender_world *w = plain_world();
    fender_body_id b[5];
    fender_point_id on[5];
    for (int i = 0; i < 5; i++) {
        const char name[] = {(char)('a' + i), 0};
        b[i] = add_body(w, name, i == 4 ? FENDER_MOTION_MASS_ONLY : FENDER_MOTION_DYNAMIC, 2 * i, 0);
        check_ok(fender_point_create(w, b[i], "eye", fender_pose_identity(), &on[i], &error));
    }
    fender_attach_def def = fender_attach_def_default();
    const struct {
        fender_point_id child, parent;
        int status;
        const char *says;
    } rows[] = {{{9, 1, 1}, on[0], STALE, "child point"},
                {on[1], {9, 1, 1}, STALE, "parent point"},
                {{9, 1, 1}, {9, 1, 1}, STALE, "child point and parent point"},
                {on[2], on[0], FENDER_STATUS_NAME, "child_point"},
                {on[1], on[2], FENDER_STATUS_NAME, "parent_point"}};
    def.child = b[1];
    def.parent = b[0];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_error fault = {0};
        def.child_point = rows[i].child;
        def.parent_point = rows[i].parent;
        assert_int_equal(fender_body_attach(w, &def, NULL, &fault), rows[i].status);
        if (!strstr(fault.message, rows[i].says) && strcmp(fault.path, rows[i].says) != 0)
            fail_msg("'%s' is neither '%s' nor in '%s'", rows[i].says, fault.path, fault.message);
    }
    def = fender_attach_def_default();
    def.child = b[1];
    assert_int_equal(fender_body_attach(w, &def, NULL, NULL), STALE); /* no parent */
    /* a chain d on c on b on a, before anything runs: the report tells the way, and no energy */
    fender_attach_report report;
    for (int i = 1; i < 4; i++) {
        def.child = b[i];
        def.parent = b[i - 1];
        def.X_PC = (fender_pose){{1, 0, 0}, {1, 0, 0, 0}};
        check_ok(fender_body_attach(w, &def, &report, &error));
        assert_int_equal(report.moved.index1, b[i].index1);
        assert_true(report.kinetic_energy_lost == 0 && report.contact_energy_lost == 0 && report.rotation == 0);
    }
    check_ok(fender_body_reattach(w, b[3], (fender_pose){{2, 0, 0}, {1, 0, 0, 0}}, &report, &error));
    check_vector(report.child_displacement, fender_vec3_make(1, 0, 0), 1e-12);
    /* a body without a state carries one of its own kind alone; it has none to show */
    fender_body_id f = add_body(w, "f", FENDER_MOTION_MASS_ONLY, 0, 0);
    def.child = f;
    def.parent = b[4];
    check_ok(fender_body_attach(w, &def, &report, &error));
    assert_true(report.rotation == 0 && fender_vec3_length(report.child_displacement) == 0);
    check_ok(fender_body_reattach(w, f, (fender_pose){{2, 0, 0}, {1, 0, 0, 0}}, &report, &error));
    assert_true(fender_vec3_length(report.child_displacement) == 0);
    fender_body_state none;
    const fender_body_frame core = {.kind = FENDER_BODY_FRAME_CORE, .body = f};
    assert_int_equal(fender_body_frame_state(w, core, &none, NULL), NOT_YET);
    check_ok(fender_body_detach(w, f, b[4], FENDER_DETACH_TREE, NULL, &error));
    check_ok(fender_world_initialize(w, &error));
    /* places of the composite: its centre is that of four equal masses at 0, 1, 2 and 4 m */
    const fender_body_frame composite = {.kind = FENDER_BODY_FRAME_COMPOSITE, .body = b[0]},
                            point = {.kind = FENDER_BODY_FRAME_POINT, .point = on[0]},
                            core_of = {.kind = FENDER_BODY_FRAME_CORE, .body = b[0]};
    fender_pose X;
    check_ok(fender_body_frame_relative(w, composite, point, &X, &error));
    check_vector(X.p, fender_vec3_make(1.75, 0, 0), 1e-12);
    check_ok(fender_body_frame_relative(w, core_of, point, &X, &error));
    check_vector(X.p, fender_vec3_make(0, 0, 0), 1e-12);
    const fender_body_state there = {.attitude = {1, 0, 0, 0}};
    assert_int_equal(fender_body_set_state(w, b[2], &there, NULL), FENDER_STATUS_TOPOLOGY); /* it has none of its own */
    /* the link between the ends of the chain is cut just below the upper one, whichever is named first */
    fender_body_id freed;
    check_ok(fender_body_detach(w, b[0], b[3], FENDER_DETACH_TREE, &freed, &error));
    assert_int_equal(freed.index1, b[1].index1);
    check_ok(fender_body_detach(w, b[3], b[1], FENDER_DETACH_TREE, &freed, &error));
    assert_int_equal(freed.index1, b[2].index1);
    fender_error fault = {0};
    assert_int_equal(fender_body_detach(w, b[3], b[0], FENDER_DETACH_TREE, NULL, &fault), FENDER_STATUS_TOPOLOGY);
    assert_string_equal(fault.path, "body");
    fender_world_destroy(w);
}

/* ---- contacts in other axes, sensed from either side, deeper than their shapes */

static void contacts_as_asked(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world *w = plain_world();
    const fender_material_id none = {0};
    fender_body_id a = add_body(w, "a", FENDER_MOTION_FIXED, 0, 0), b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 0, 0);
    fender_shape_id floor = add_shape(w, a, "floor", fender_geometry_plane(&env, NULL), none),
                    box = add_shape(w, b, "box", fender_geometry_box(&env, fender_vec3_make(0.5, 0.5, 0.5), NULL),
                                    none);
    fender_body_state state_of_b = {.position = {0, 0, 0.49}, .attitude = {sqrt(0.5), 0, 0, sqrt(0.5)}};
    check_ok(fender_body_set_state(w, b, &state_of_b, &error)); /* before the run: a quarter turn about z */
    fender_rule_def rule = fender_rule_def_default();
    rule.use = add_type(w, "touch", NULL);
    (void)add_rule(w, rule);
    check_ok(fender_world_initialize(w, &error));
    fender_contact contact;
    check_ok(fender_contact_get(w, FENDER_CLOCK_COMMITTED, 0, &contact));
    const double push = contact.normal_force;
    assert_true(push > 0);
    const fender_vec3 up = fender_vec3_make(0, 0, push);
    for (int axes = FENDER_CONTACT_AXES_WORLD; axes <= FENDER_CONTACT_AXES_BODY_B; axes++) {
        check_vector(fender_contact_force_in(w, &contact, (fender_contact_axes)axes), up, 1e-9);
        check_vector(fender_contact_torque_in(w, &contact, (fender_contact_axes)axes), fender_vec3_make(0, 0, 0), 1e-9);
    }
    contact.force = fender_vec3_make(1, 0, 0); /* x of the world is -y of b, which is turned by a quarter */
    check_vector(fender_contact_force_in(w, &contact, FENDER_CONTACT_AXES_BODY_B), fender_vec3_make(0, -1, 0), 1e-14);
    check_vector(fender_contact_force_in(w, &contact, FENDER_CONTACT_AXES_BODY_A), fender_vec3_make(1, 0, 0), 0);
    contact.b = (fender_shape_id){9, 1, 1}; /* it is gone */
    check_vector(fender_contact_force_in(w, &contact, FENDER_CONTACT_AXES_BODY_B), fender_vec3_make(0, 0, 0), 0);
    check_vector(fender_contact_force_in(w, NULL, FENDER_CONTACT_AXES_WORLD), fender_vec3_make(0, 0, 0), 0);
    check_vector(fender_contact_torque_in(w, NULL, FENDER_CONTACT_AXES_WORLD), fender_vec3_make(0, 0, 0), 0);
    /* a patch has one signal, of all its points, from either side */
    fender_contact_signals one, other;
    int count = 7;
    check_ok(fender_contact_sense(w, floor, box, &one, 1, &count));
    assert_int_equal(count, 1);
    check_ok(fender_contact_sense(w, box, floor, &other, 1, &count));
    check_ok(fender_contact_sense(w, box, floor, NULL, 0, &count)); /* how many there are */
    assert_int_equal(count, 1);
    assert_int_equal(fender_contact_sense(w, box, floor, &other, -1, &count), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_contact_sense(w, box, box, &other, 1, &count), FENDER_STATUS_ARGUMENT);
    fender_contact_data whole;
    check_ok(fender_contact_between(w, floor, box, &whole));
    check_near(one.normal_force, whole.normal_force, 1e-9);
    check_near(other.normal_force, one.normal_force, 1e-12);
    check_near(one.penetration_depth, 0.01, 1e-12);
    check_vector(other.base_translation, one.follower_translation, 1e-12);
    check_vector(one.base_translation, fender_vec3_make(0, 0, one.base_translation.z), 1e-12); /* below the centre */
    fender_world_destroy(w);
}

/* A box pressed through a sphere, a point through a sphere, a sphere through a sphere: each stops by name at what is
 * thinner.
 */
static void deeper_than_shapes(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int kind = 0; kind < 2; kind++) {
        fender_world_def def = fender_world_def_default();
        def.step = 2e-4;
        def.depth_limit = FENDER_DEPTH_OF_SHAPES;
        fender_world *w = world_of(&def);
        const fender_material_id none = {0};
        fender_body_id a = add_body(w, "a", FENDER_MOTION_DYNAMIC, 0, 0),
                       b = add_body(w, "b", FENDER_MOTION_DYNAMIC, 1.2, -3);
        (void)add_shape(w, a, "p", ball(0.3), none);
        (void)add_shape(w, b, "q",
                        kind == 0 ? fender_geometry_box(&env, fender_vec3_make(0.2, 0.4, 0.4), NULL) : ball(0.1), none);
        fender_rule_def rule = fender_rule_def_default();
        rule.use = add_type(w, "touch", NULL);
        (void)add_rule(w, rule);
        fender_load_def load = fender_load_def_default(); /* more than the spring can carry before it is through */
        load.name = "push";
        load.body = b;
        load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {-1e4, 0, 0}};
        check_ok(fender_load_create(w, &load, NULL, &error));
        check_ok(fender_world_initialize(w, &error));
        fender_error fault = {0};
        fender_status status = FENDER_STATUS_OK;
        while (!status && fender_world_time(w) < 1) status = fender_world_step(w, &fault);
        if (status != FENDER_STATUS_INTEGRATOR)
            fail_msg("kind %d: %d at %g s, %s", kind, status, fender_world_time(w), fault.message);
        assert_string_equal(fault.path, "a.p:b.q");
        assert_non_null(strstr(fault.message, "depth exceeds its limit"));
        fender_contact contact;
        check_ok(fender_contact_get(w, FENDER_CLOCK_COMMITTED, 0, &contact));
        check_below(contact.depth, kind == 0 ? 0.5 : 0.2); /* the last that was accepted */
        fender_world_destroy(w);
    }
}

/* A ball falls beside a sheet and comes under it, 2 m below: it is not pushed from there, and the error says where it
 * came from. One that falls on the sheet is pushed; a sheet that is switched on above it counts as meant. */
static void from_below(void **state)
{
    (void)state;
    static const fender_vec3 corners[4] = {{0, -1, 0}, {2, -1, 0}, {2, 1, 0}, {0, 1, 0}};
    static const int32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    fender_env env = fender_env_default();
    for (int kind = 0; kind < 3; kind++) {
        fender_world_def def = fender_world_def_default();
        def.step = 1e-3;
        def.depth_limit = FENDER_DEPTH_OF_SHAPES;
        fender_world *w = world_of(&def);
        const fender_material_id none = {0};
        fender_body_id sheet = add_body(w, "sheet", FENDER_MOTION_FIXED, 0, 0),
                       flier = add_body(w, "flier", FENDER_MOTION_DYNAMIC, 0, 0);
        fender_mesh_def mesh = {corners, 4, &triangles[0][0], 2};
        const fender_shape_id top = add_shape(w, sheet, "top", fender_geometry_mesh(&env, &mesh, NULL), none);
        (void)add_shape(w, flier, "hull", ball(0.1), none);
        fender_rule_def rule = fender_rule_def_default();
        rule.use = add_type(w, "touch", NULL);
        (void)add_rule(w, rule);
        check_ok(fender_world_initialize(w, &error));
        fender_body_data data; /* the first two pass the border after 0.5 s */
        const fender_body_state start = {
            {kind == 2 ? 0.5 : -0.5, 0, kind == 1 ? 0.05 : -2}, {1, 0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
        check_ok(fender_shape_set_active(w, top, kind != 2));
        check_ok(fender_body_set_state(w, flier, &start, &error));
        if (kind == 2) check_ok(fender_world_step(w, &error));
        check_ok(fender_shape_set_active(w, top, true));
        fender_error fault = {0};
        fender_status status = FENDER_STATUS_OK;
        while (!status && fender_world_time(w) < 1) status = fender_world_step(w, &fault);
        check_ok(fender_body_get(w, flier, FENDER_CLOCK_COMMITTED, &data));
        print_message("kind %d: %d at %g s, %s\n", kind, status, fender_world_time(w), fault.message);
        if (kind == 0) {
            assert_int_equal(status, FENDER_STATUS_INTEGRATOR);
            assert_non_null(strstr(fault.message, "has come from below"));
            assert_non_null(strstr(fault.suggestion, "through a hole"));
            check_near(data.velocity.x, 1, 0); /* no force has acted */
            check_near(data.velocity.z, 0, 0);
        } else {
            assert_null(strstr(fault.message, "from below"));
            assert_true(data.velocity.z > 0);
        }
        fender_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strongest_first),
        cmocka_unit_test(rules_leave_with_bodies),
        cmocka_unit_test(unsupported),
        cmocka_unit_test(out_of_range),
        cmocka_unit_test(everything_leaves),
        cmocka_unit_test(connections_of_trees),
        cmocka_unit_test(laws_that_break),
        cmocka_unit_test(motions_that_break),
        cmocka_unit_test(commands_too_large),
        cmocka_unit_test(watched_without_numbers),
        cmocka_unit_test(between_two_initializations),
        cmocka_unit_test(refused_masses),
        cmocka_unit_test(attached_by_points),
        cmocka_unit_test(contacts_as_asked),
        cmocka_unit_test(deeper_than_shapes),
        cmocka_unit_test(from_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
