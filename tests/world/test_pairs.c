/* All pairs of shapes at once: what is decided by kinds is what fender_world_explain says of each pair. */
/* items: C007 C017 C030 */
#include "check.h"
#include "random_numbers.h"
#include "scene.h"
#include <fender/advice.h>
#include <string.h>

enum { BODIES = 14, SHAPES = 30, MATERIALS = 4, TYPES = 3, GEOMETRIES = 6 };

typedef struct many {
    fender_env env;
    fender_world *world;
    fender_body_id bodies[BODIES];
    fender_shape_id shapes[SHAPES];
    fender_material_id materials[MATERIALS];
    fender_contact_type_id types[TYPES];
    int shape_count;
} many;

static fender_geometry *geometry_of(const fender_env *env, int which)
{
    switch (which) {
    case 0: return fender_geometry_sphere(env, 0.5, NULL);
    case 1: return fender_geometry_point(env, NULL);
    case 2: return fender_geometry_disk(env, 0.4, NULL);
    case 3: return fender_geometry_plane(env, NULL);
    case 4: return fender_geometry_box(env, (fender_vec3){0.3, 0.3, 0.3}, NULL);
    default: return fender_geometry_capsule(env, 0.2, 0.5, NULL);
    }
}

static void add_bodies(many *m, random_stream *r)
{
    static const fender_motion motions[] = {FENDER_MOTION_DYNAMIC, FENDER_MOTION_DYNAMIC, FENDER_MOTION_FIXED,
                                            FENDER_MOTION_MASS_ONLY};
    for (int i = 0; i < BODIES; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.motion = motions[random_below(r, 4)];
        body.mass_properties.mass = 1 + random_below(r, 3);
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        body.state.position = fender_vec3_make(random_below(r, 9), random_below(r, 9), random_below(r, 9));
        check_ok(fender_body_create(m->world, &body, &m->bodies[i], &error));
    }
    for (int k = 0; k < SHAPES; k++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", k);
        fender_shape_def shape = fender_shape_def_default();
        shape.name = name;
        shape.geometry = geometry_of(&m->env, random_below(r, GEOMETRIES));
        if (random_below(r, 5) > 0) shape.material = m->materials[random_below(r, MATERIALS)];
        shape.active = random_below(r, 6) > 0;
        check_ok(fender_shape_create(m->world, m->bodies[random_below(r, BODIES)], &shape, &m->shapes[k], &error));
        fender_geometry_release(shape.geometry);
    }
    for (int i = 1; i < BODIES; i++) { /* some cannot be attached: they stay free */
        if (random_below(r, 4) > 0) continue;
        fender_attach_def attach = fender_attach_def_default();
        attach.child = m->bodies[i];
        attach.parent = m->bodies[random_below(r, i)];
        (void)fender_body_attach(m->world, &attach, NULL, NULL);
    }
}

static void add_rules(many *m, random_stream *r, int count)
{
    for (int i = 0; i < count; i++) { /* some are refused: they are there already, or have no contact function */
        fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = (fender_rule_kind)random_below(r, 4)};
        if (random_below(r, 4) > 0) rule.use = m->types[random_below(r, TYPES)];
        rule.shape_a = m->shapes[random_below(r, SHAPES)];
        rule.shape_b = m->shapes[random_below(r, SHAPES)];
        rule.body_a = m->bodies[random_below(r, BODIES)];
        rule.body_b = m->bodies[random_below(r, BODIES)];
        rule.material_a = m->materials[random_below(r, MATERIALS)];
        rule.material_b = m->materials[random_below(r, MATERIALS)];
        rule.ignore_unsupported = true;
        (void)fender_rule_create(m->world, &rule, NULL, NULL);
    }
}

static many build(random_stream *r)
{
    many m = {.env = fender_env_default()};
    fender_world_def def = fender_world_def_default();
    if (random_below(r, 3) == 0) def.contact_limit_factor = 3;
    m.world = fender_world_create(&m.env, &def, NULL);
    for (int i = 0; i < MATERIALS; i++) {
        const char *names[MATERIALS] = {"steel", "rubber", "ice", "sand"};
        check_ok(fender_material_create(m.world, names[i], &m.materials[i], &error));
    }
    struct {
        double stiffness, damping, mu, slip_speed;
        int sense;
    } parameters = {1000, 0, 0, 1e-3, 0};
    for (int i = 0; i < TYPES; i++) {
        const char *names[TYPES] = {"one", "two", "three"};
        fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                        .name = names[i],
                                        .law = fender_law_find(NULL, "spring_damper"),
                                        .law_parameters = &parameters};
        check_ok(fender_contact_type_create(m.world, &type, &m.types[i], &error));
    }
    add_bodies(&m, r);
    add_rules(&m, r, random_below(r, 12));
    m.shape_count = fender_shape_count(m.world);
    return m;
}

typedef struct found {
    int count, most;
    fender_shape_id pairs[SHAPES * SHAPES][2];
    fender_contact_type_id uses[SHAPES * SHAPES];
} found;

static bool note(void *ctx, fender_shape_id a, fender_shape_id b, fender_contact_type_id use)
{
    found *f = ctx;
    f->pairs[f->count][0] = a;
    f->pairs[f->count][1] = b;
    f->uses[f->count] = use;
    return ++f->count < f->most;
}

static void as_each_pair_says(void **state)
{
    (void)state;
    int64_t seen[FENDER_PAIR_REASON_COUNT] = {0};
    for (uint64_t n = 0; n < 300; n++) {
        random_stream r = random_of_case(411, n);
        many m = build(&r);
        if (n % 2 == 0) (void)fender_world_initialize(m.world, NULL);
        found all = {.most = SHAPES * SHAPES}, few = {.most = 3};
        int64_t reasons[FENDER_PAIR_REASON_COUNT], told[FENDER_PAIR_REASON_COUNT] = {0};
        check_ok(fender_world_visit_pairs(m.world, note, &all, reasons));
        int at = 0;
        for (int i = 0; i < m.shape_count; i++)
            for (int k = i + 1; k < m.shape_count; k++) {
                fender_pair_explanation pair;
                check_ok(
                    fender_world_explain(m.world, fender_shape_at(m.world, i), fender_shape_at(m.world, k), &pair));
                told[pair.reason]++;
                if (pair.reason != FENDER_PAIR_MAY_TOUCH && pair.reason != FENDER_PAIR_OUT_OF_RANGE) continue;
                assert_true(at < all.count);
                assert_int_equal(all.pairs[at][0].index1, pair.a.index1);
                assert_int_equal(all.pairs[at][1].index1, pair.b.index1);
                assert_int_equal(all.uses[at].index1, pair.use.index1);
                at++;
            }
        assert_int_equal(at, all.count);
        for (int i = 0; i < FENDER_PAIR_REASON_COUNT; i++) {
            assert_int_equal(reasons[i], told[i]);
            seen[i] += told[i];
        }
        check_ok(fender_world_visit_pairs(m.world, note, &few, NULL));
        assert_int_equal(few.count, all.count < 3 ? all.count : 3);
        check_ok(fender_world_visit_pairs(m.world, NULL, NULL, reasons));
        assert_memory_equal(reasons, told, sizeof told);
        fender_world_advice advice; /* it counts the same, where all shapes are looked at */
        check_ok(fender_world_advise(m.world, &m.env, &advice));
        assert_memory_equal(advice.reasons, told, sizeof told);
        fender_world_advice_release(&advice);
        fender_world_destroy(m.world);
    }
    for (int i = 0; i < FENDER_PAIR_REASON_COUNT; i++) assert_true(seen[i] > 0);
    assert_int_equal(fender_world_visit_pairs(NULL, NULL, NULL, NULL), FENDER_STATUS_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_each_pair_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
