/* Rules: which contact type two shapes get, and why two shapes may not touch. */
/* items: C007 C017 C023 C027 C030 P010 P015 */
#include "check.h"
#include "scene.h"
#include <string.h>

typedef struct parts {
    fender_world *world;
    fender_body_id bodies[3];
    fender_shape_id shapes[4]; /* two on the first body */
    fender_material_id steel, rubber;
    fender_contact_type_id types[4];
} parts;

static parts build(bool with_default)
{
    parts p;
    memset(&p, 0, sizeof p);
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    p.world = fender_world_create(&env, &def, NULL);
    check_ok(fender_material_create(p.world, "steel", &p.steel, &error));
    check_ok(fender_material_create(p.world, "rubber", &p.rubber, &error));
    struct {
        double stiffness, damping, mu, slip_speed;
        int sense;
    } parameters = {1000, 0, 0, 1e-3, 0};
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        parameters.stiffness = 100 * (i + 1);
        const fender_law *law = fender_law_find(NULL, "spring_damper");
        fender_contact_type_def type = {
            .size = sizeof(fender_contact_type_def), .name = name, .law = law, .law_parameters = &parameters};
        check_ok(fender_contact_type_create(p.world, &type, &p.types[i], &error));
    }
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        body.state.position.x = 0.1 * i;
        check_ok(fender_body_create(p.world, &body, &p.bodies[i], &error));
    }
    fender_geometry *ball = fender_geometry_sphere(&env, 1, NULL);
    for (int i = 0; i < 4; i++) {
        fender_shape_def shape = fender_shape_def_default();
        shape.name = i == 3 ? "second" : "first";
        shape.geometry = ball;
        if (i != 3) shape.material = i == 2 ? p.rubber : p.steel; /* the fourth has none */
        check_ok(fender_shape_create(p.world, p.bodies[i % 3], &shape, &p.shapes[i], &error));
    }
    fender_geometry_release(ball);
    if (with_default) {
        fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = p.types[0]};
        check_ok(fender_rule_create(p.world, &rule, NULL, &error));
    }
    return p;
}

static fender_pair_explanation why(const parts *p, int one, int other)
{
    fender_pair_explanation e, f;
    assert_int_equal(fender_world_explain(p->world, p->shapes[one], p->shapes[other], &e), 0);
    assert_int_equal(fender_world_explain(p->world, p->shapes[other], p->shapes[one], &f), 0);
    assert_memory_equal(&e, &f, sizeof e); /* in either order */
    return e;
}

static fender_rule_id add(const parts *p, fender_rule_def rule)
{
    fender_rule_id id;
    check_ok(fender_rule_create(p->world, &rule, &id, &error));
    return id;
}

static void strength(void **state)
{
    (void)state;
    parts p = build(false);
    assert_int_equal(why(&p, 0, 1).reason, FENDER_PAIR_NO_RULE);
    fender_rule_id all = add(
        &p, (fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = p.types[0]});
    fender_pair_explanation e = why(&p, 0, 1);
    assert_int_equal(e.reason, FENDER_PAIR_MAY_TOUCH);
    assert_int_equal(e.use.index1, p.types[0].index1);
    assert_int_equal(e.rule.index1, all.index1);
    assert_int_equal(e.overruled.index1, 0);
    fender_rule_id by_material = add(&p, (fender_rule_def){.size = sizeof(fender_rule_def),
                                                           .kind = FENDER_RULE_MATERIALS,
                                                           .material_a = p.steel,
                                                           .material_b = p.steel,
                                                           .use = p.types[1]});
    e = why(&p, 0, 1);
    assert_int_equal(e.use.index1, p.types[1].index1);
    assert_int_equal(e.overruled.index1, all.index1);
    fender_rule_id by_body = add(&p, (fender_rule_def){.size = sizeof(fender_rule_def),
                                                       .kind = FENDER_RULE_BODIES,
                                                       .body_a = p.bodies[1],
                                                       .body_b = p.bodies[0],
                                                       .use = p.types[2]});
    e = why(&p, 0, 1);
    assert_int_equal(e.use.index1, p.types[2].index1);
    assert_int_equal(e.rule.index1, by_body.index1);
    assert_int_equal(e.overruled.index1, by_material.index1);
    add(&p, (fender_rule_def){.size = sizeof(fender_rule_def),
                              .kind = FENDER_RULE_SHAPES,
                              .shape_a = p.shapes[1],
                              .shape_b = p.shapes[0],
                              .use = p.types[3]});
    e = why(&p, 0, 1);
    assert_int_equal(e.use.index1, p.types[3].index1);
    assert_int_equal(e.overruled.index1, by_body.index1);
    /* others keep what they had: rubber on steel and the shape without material fall to the default or the bodies */
    assert_int_equal(why(&p, 0, 2).use.index1, p.types[0].index1);
    assert_int_equal(why(&p, 3, 1).use.index1, p.types[2].index1);
    assert_int_equal(why(&p, 3, 2).use.index1, p.types[0].index1);
    /* and the forces are of those types: k d */
    check_ok(fender_world_initialize(p.world, &error));
    assert_int_equal(fender_contact_count(p.world, FENDER_CLOCK_COMMITTED), 5);
    fender_contact_data c;
    assert_int_equal(fender_contact_between(p.world, p.shapes[1], p.shapes[0], &c), 0);
    check_near(c.normal_force, 400 * 1.9, 1e-10);
    assert_int_equal(fender_contact_between(p.world, p.shapes[3], p.shapes[1], &c), 0);
    check_near(c.normal_force, 300 * 1.9, 1e-10);
    assert_int_equal(fender_contact_between(p.world, p.shapes[3], p.shapes[2], &c), 0);
    check_near(c.normal_force, 100 * 1.8, 1e-10);
    assert_int_equal(fender_rule_count(p.world), 4);
    fender_world_destroy(p.world);
}

static void never(void **state)
{
    (void)state;
    parts p = build(true);
    add(&p, (fender_rule_def){.size = sizeof(fender_rule_def),
                              .kind = FENDER_RULE_MATERIALS,
                              .material_a = p.steel,
                              .material_b = p.rubber});
    fender_pair_explanation e = why(&p, 0, 2);
    assert_int_equal(e.reason, FENDER_PAIR_RULE_NEVER);
    assert_int_equal(e.use.index1, 0);
    assert_int_equal(why(&p, 0, 1).reason, FENDER_PAIR_MAY_TOUCH);
    /* a stronger rule may say yes again, a stronger one still no */
    add(&p, (fender_rule_def){.size = sizeof(fender_rule_def),
                              .kind = FENDER_RULE_BODIES,
                              .body_a = p.bodies[0],
                              .body_b = p.bodies[2],
                              .use = p.types[1]});
    assert_int_equal(why(&p, 0, 2).reason, FENDER_PAIR_MAY_TOUCH);
    add(&p, (fender_rule_def){.size = sizeof(fender_rule_def),
                              .kind = FENDER_RULE_SHAPES,
                              .shape_a = p.shapes[0],
                              .shape_b = p.shapes[2]});
    assert_int_equal(why(&p, 0, 2).reason, FENDER_PAIR_RULE_NEVER);
    check_ok(fender_world_initialize(p.world, &error));
    fender_contact_data c;
    assert_int_equal(fender_contact_between(p.world, p.shapes[0], p.shapes[2], &c), 0);
    assert_false(c.touching);
    check_near(c.separation, -1.8, 1e-14); /* they overlap, and nothing comes of it */
    check_near(c.normal_force, 0, 0);
    fender_world_destroy(p.world);
}

static void other_reasons(void **state)
{
    (void)state;
    parts p = build(true);
    assert_int_equal(why(&p, 0, 3).reason, FENDER_PAIR_SAME_BODY);
    assert_int_equal(fender_shape_set_active(p.world, p.shapes[1], false), 0);
    assert_int_equal(why(&p, 0, 1).reason, FENDER_PAIR_NOT_ACTIVE);
    fender_body_def fixed = fender_body_def_default();
    fender_env env = fender_env_default();
    fender_geometry *ball = fender_geometry_sphere(&env, 1, NULL);
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "s";
    shape.geometry = ball;
    fender_shape_id ids[2];
    for (int i = 0; i < 2; i++) {
        fender_body_id body;
        fixed.name = i ? "moved" : "ground";
        fixed.motion = i ? FENDER_MOTION_PRESCRIBED : FENDER_MOTION_FIXED;
        check_ok(fender_body_create(p.world, &fixed, &body, &error));
        check_ok(fender_shape_create(p.world, body, &shape, &ids[i], &error));
    }
    fender_geometry_release(ball);
    fender_pair_explanation e;
    assert_int_equal(fender_world_explain(p.world, ids[0], ids[1], &e), 0);
    assert_int_equal(e.reason, FENDER_PAIR_BOTH_IMMOVABLE);
    assert_int_equal(fender_world_explain(p.world, p.shapes[0], ids[1], &e), 0);
    assert_int_equal(e.reason, FENDER_PAIR_MAY_TOUCH);
    assert_int_equal(fender_world_explain(p.world, p.shapes[0], (fender_shape_id){99, 1, 1}, &e),
                     FENDER_STATUS_STALE_ID);
    fender_world_destroy(p.world);
}

static void twice(void **state)
{
    (void)state;
    parts p = build(true);
    fender_rule_def same[] = {
        {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT},
        {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_MATERIALS, .material_a = p.steel, .material_b = p.rubber},
        {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_BODIES, .body_a = p.bodies[0], .body_b = p.bodies[1]},
        {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_SHAPES, .shape_a = p.shapes[0], .shape_b = p.shapes[1]},
    };
    for (int i = 0; i < 4; i++) {
        if (i > 0) check_ok(fender_rule_create(p.world, &same[i], NULL, &error));
        fender_rule_def swapped = same[i];
        swapped.material_a = same[i].material_b, swapped.material_b = same[i].material_a;
        swapped.body_a = same[i].body_b, swapped.body_b = same[i].body_a;
        swapped.shape_a = same[i].shape_b, swapped.shape_b = same[i].shape_a;
        int before = fender_rule_count(p.world);
        assert_int_equal(fender_rule_create(p.world, &swapped, NULL, NULL), FENDER_STATUS_NAME);
        assert_int_equal(fender_rule_count(p.world), before);
    }
    /* ids stay with their rules although the rules are kept in another order */
    for (int i = 0; i < 4; i++) {
        fender_rule_def back;
        assert_int_equal(fender_rule_get_def(p.world, fender_rule_at(p.world, i), &back), 0);
        assert_int_equal(back.kind, same[i].kind);
    }
    fender_world_destroy(p.world);
}

/* Takes the geometry over. */
static fender_shape_id add_shape(const parts *p, int body, const char *name, fender_geometry *geometry)
{
    fender_shape_def shape = fender_shape_def_default();
    fender_shape_id id;
    shape.name = name;
    shape.geometry = geometry;
    check_ok(fender_shape_create(p->world, p->bodies[body], &shape, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

/* A plane of a body that moves against another plane has no contact function. */
static fender_shape_id plane_on(const parts *p, int body, const char *name)
{
    fender_env env = fender_env_default();
    return add_shape(p, body, name, fender_geometry_plane(&env, NULL));
}

/* Disks, points and clouds have no inside for each other: refused with the remedy; a rounded disk touches. */
static void pairs_without_an_inside(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    const fender_vec3 corner = {0, 0, 0};
    for (int other = 0; other < 3; other++)
        for (int rounded = 0; rounded < 2; rounded++) {
            parts p = build(true);
            fender_geometry *disk = fender_geometry_disk(&env, 1, NULL);
            if (rounded) {
                fender_geometry *round = fender_geometry_rounded(disk, 0.01, NULL);
                fender_geometry_release(disk);
                disk = round;
            }
            fender_geometry *second = other == 0   ? fender_geometry_disk(&env, 1, NULL)
                                      : other == 1 ? fender_geometry_point(&env, NULL)
                                                   : fender_geometry_cloud(&env, &corner, 1, NULL);
            const char *type = fender_geometry_type_name(fender_geometry_type_of(second));
            fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_SHAPES, .use = p.types[1]};
            fender_error refused = {0};
            fender_pair_explanation e;
            char text[64];
            rule.shape_a = add_shape(&p, 0, "disk", disk);
            rule.shape_b = add_shape(&p, 1, "other", second);
            assert_int_equal(fender_rule_create(p.world, &rule, NULL, &refused), rounded ? 0 : FENDER_STATUS_VALUE);
            check_ok(fender_world_initialize(p.world, &error));
            assert_int_equal(fender_world_explain(p.world, rule.shape_a, rule.shape_b, &e), 0);
            assert_int_equal(e.reason, rounded ? FENDER_PAIR_MAY_TOUCH : FENDER_PAIR_NO_INSIDE);
            if (!rounded) {
                snprintf(text, sizeof text, "disk and %s have no inside that could overlap", type);
                assert_non_null(strstr(refused.message, text));
                assert_non_null(strstr(refused.suggestion, "give a disk a rounding"));
            }
            fender_contact_data data; /* their distance is there either way */
            check_ok(fender_contact_between(p.world, rule.shape_a, rule.shape_b, &data));
            assert_true(isfinite(data.separation));
            fender_world_destroy(p.world);
        }
}

/* Rules that name such shapes are refused at once, rules for bodies at initialization, with what is to be done; the
 * default, a stronger `never` and who says so are not. */
static void unsupported(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        parts p = build(true);
        fender_shape_id one = plane_on(&p, 0, "plane"), other = plane_on(&p, 1, "plane");
        fender_rule_def by_shape = {.size = sizeof(fender_rule_def),
                                    .kind = FENDER_RULE_SHAPES,
                                    .shape_a = other,
                                    .shape_b = one,
                                    .use = p.types[1]};
        fender_rule_def by_body = {.size = sizeof(fender_rule_def),
                                   .kind = FENDER_RULE_BODIES,
                                   .body_a = p.bodies[1],
                                   .body_b = p.bodies[0],
                                   .use = p.types[2]};
        fender_pair_explanation e;
        fender_error refused = {0};
        fender_rule_id id;
        check_ok(fender_world_initialize(p.world, &error)); /* by the default */
        assert_int_equal(fender_world_explain(p.world, one, other, &e), 0);
        assert_int_equal(e.reason, FENDER_PAIR_NO_FUNCTION);
        int before = fender_rule_count(p.world);
        assert_int_equal(fender_rule_create(p.world, &by_shape, NULL, &refused), FENDER_STATUS_VALUE);
        assert_non_null(strstr(refused.message, "b1.plane and b0.plane cannot touch: plane and plane"));
        assert_non_null(strstr(refused.suggestion, "unsupported: ignore"));
        assert_int_equal(fender_rule_count(p.world), before);
        by_body.ignore_unsupported = way == 2;
        refused = (fender_error){0};
        id = add(&p, by_body);
        if (way == 0) {
            assert_int_equal(fender_world_initialize(p.world, &refused), FENDER_STATUS_VALUE);
            assert_string_equal(refused.path, "rules[1]");
            assert_non_null(strstr(refused.message, "b0.plane and b1.plane"));
        } else {
            fender_rule_def never = by_shape;
            never.use.index1 = 0;
            if (way == 1) id = add(&p, never);
            check_ok(fender_world_initialize(p.world, &error));
            if (way == 1) assert_int_equal(fender_rule_set_use(p.world, id, p.types[1], &refused), FENDER_STATUS_VALUE);
            by_shape.ignore_unsupported = true;
            if (way == 2) (void)add(&p, by_shape);
            check_ok(fender_world_initialize(p.world, &error));
        }
        fender_world_destroy(p.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strength), cmocka_unit_test(never),       cmocka_unit_test(other_reasons),
        cmocka_unit_test(twice),    cmocka_unit_test(unsupported), cmocka_unit_test(pairs_without_an_inside),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
