/* Forces from outside: the law `input` by table and by function, their axes, clip, bookkeeping and snapshots (S060,
 * S061). */
/* items: S002 S047 S054 S055 S060 S061 */
#include "check.h"
#include <string.h>

/* A sphere that cannot roll rests inside a fixed one, without gravity: what pushes it is what is provided. Base
 * is the fixed ball, or, turned round, the free one. */
typedef struct press {
    fender_world *world;
    fender_body_id ball;
    fender_shape_id fixed_shape, ball_shape;
} press;

typedef struct set_up {
    const fender_prescribed_force *prescribed_force;
    bool turned, locate, frictionless;
    fender_integrator_method method;
    double mass;          /* kg; 0: 2 kg */
    double height, speed; /* of the sphere at the start: 2 touches */
} set_up;

static fender_shape_id add_ball(fender_world *world, fender_body_id body)
{
    fender_env env = fender_env_default();
    fender_error none = {0};
    fender_shape_def def = fender_shape_def_default();
    def.name = "ball";
    def.geometry = fender_geometry_sphere(&env, 1, &none);
    fender_shape_id id;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(def.geometry);
    return id;
}

static press build(const set_up *s)
{
    press p;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = s->method;
    def.step = 0.01;
    def.locate_events = s->locate;
    fender_error none = {0};
    p.world = fender_world_create(&env, &def, &none);
    assert_non_null(p.world);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        bool fixed = (i == 0) != s->turned;
        body.name = fixed ? "fixed" : "free";
        body.motion = fixed ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        body.mass_properties.mass = s->mass > 0 ? s->mass : 2;
        body.mass_properties.inertia = fender_mat3_diagonal(1e12, 1e12, 1e12);
        if (!fixed) body.state.position.z = s->height;
        if (!fixed) body.state.velocity.z = s->speed;
        fender_body_id id;
        check_ok(fender_body_create(p.world, &body, &id, &error));
        if (!fixed) p.ball = id;
        *(fixed ? &p.fixed_shape : &p.ball_shape) = add_ball(p.world, id);
    }
    const fender_law *input = fender_law_find(NULL, "input");
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "given",
                                    .normal = input,
                                    .friction = s->frictionless ? NULL : input,
                                    .prescribed_force = s->prescribed_force};
    fender_contact_type_id type_id;
    check_ok(fender_contact_type_create(p.world, &type, &type_id, &error));
    fender_rule_id rule;
    check_ok(fender_rule_create(
        p.world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id},
        &rule, &error));
    check_ok(fender_world_initialize(p.world, &error));
    return p;
}

static fender_body_data ball_of(const press *p)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(p->world, p->ball, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static fender_contact_data contact_of(const press *p)
{
    fender_contact_data data;
    assert_int_equal(fender_contact_between(p->world, p->fixed_shape, p->ball_shape, &data), FENDER_STATUS_OK);
    return data;
}

static void check_ledger(const press *p, double tolerance)
{
    fender_ledger ledger;
    fender_world_ledger(p->world, &ledger);
    check_below(fabs(ledger.residual), tolerance * (1 + ledger.scale));
    check_near(ledger.damping, 0, 0);
    check_near(ledger.friction, 0, 0);
    check_below(fabs(contact_of(p).residual), tolerance * (1 + ledger.scale));
    assert_true(ledger.applied != 0);
}

static const double times[] = {0.1, 0.3, 0.7, 1.0};
static const double normal[] = {4, 8, -4, 6};
static const double friction[] = {0, 1, 2, 1, 2, -3, 0, -3};

static fender_prescribed_force by_table(void)
{
    return (fender_prescribed_force){.normal = {times, normal, 4, 1, FENDER_AFTER_HOLD},
                                     .friction = {times, friction, 4, 1, FENDER_AFTER_ZERO}};
}

/* What the tables say, written out. */
static double normal_at(double t)
{
    double f = t < 0.1   ? 0
               : t < 0.3 ? 4 + 20 * (t - 0.1)
               : t < 0.7 ? 8 - 30 * (t - 0.3)
               : t < 1   ? -4 + 100.0 / 3 * (t - 0.7)
                         : 6;
    return f > 0 ? f : 0;
}
static fender_vec2 friction_at(double t)
{
    if (t < 0.1 || t > 1.0) return (fender_vec2){0, 0};
    if (t < 0.3) return (fender_vec2){10 * (t - 0.1), 1};
    if (t < 0.7) return (fender_vec2){2, 1 - 10 * (t - 0.3)};
    return (fender_vec2){2 - 2 / 0.3 * (t - 0.7), -3};
}

/* The force at each accepted state is the table's, clipped, in the contact frame; equal and opposite in the world. */
static void by_time(void **state)
{
    (void)state;
    fender_prescribed_force prescribed_force = by_table();
    for (int turned = 0; turned < 2; turned++) {
        press p = build(&(set_up){.prescribed_force = &prescribed_force, .turned = turned, .height = 1.5, .mass = 100});
        for (int i = 1; i <= 130; i++) {
            check_ok(fender_world_step(p.world, &error));
            double t = fender_world_time(p.world);
            fender_contact_data c = contact_of(&p);
            assert_true(c.touching);
            check_near(c.normal_force, normal_at(t), 1e-13);
            fender_vec2 f = friction_at(t);
            if (fabs(t - 1.0) < 1e-9) continue; /* which side of the last row rounding takes is not stated */
            check_near(c.friction_force, sqrt(f.x * f.x + f.y * f.y), 1e-12);
            fender_vec3 in_C = fender_vec3_make(f.x, f.y, c.normal_force);
            check_vector(c.force, fender_quaternion_rotate(c.frame, in_C), 1e-13); /* on b */
            check_vector(c.normal, fender_vec3_scale(turned ? -1 : 1, fender_vec3_make(0, 0, 1)), 0.5);
        }
        check_ledger(&p, 1e-6); /* of steps that hold the clip or a row: their stages see one side of it */
        fender_world_destroy(p.world);
    }
}

/* A constant push against the closed form, and its work as applied: m z'' = F until the spheres part. */
static void pushes(void **state)
{
    (void)state;
    double at = -1, force = 6;
    fender_prescribed_force prescribed_force = {.normal = {&at, &force, 1, 1, FENDER_AFTER_HOLD}};
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOP853};
    for (int m = 0; m < 2; m++) {
        press p = build(&(set_up){.prescribed_force = &prescribed_force,
                                  .height = 1.99,
                                  .speed = -0.3,
                                  .locate = true,
                                  .method = methods[m]});
        /* 1.99 - 0.3 t + 1.5 t^2 = 2 */
        double parted = (0.3 + sqrt(0.09 + 0.06)) / 3, speed = -0.3 + 3 * parted;
        check_ok(fender_world_advance_to(p.world, 1, &error));
        fender_body_data ball = ball_of(&p);
        check_near(ball.velocity.z, speed, 1e-12); /* of an event known to 1e-14 s */
        check_near(ball.position.z, 2 + speed * (1 - parted), 1e-12);
        assert_int_equal(fender_world_event_count(p.world, FENDER_EVENT_END), 1);
        fender_ledger ledger;
        fender_world_ledger(p.world, &ledger);
        check_near(ledger.applied, 6 * 0.01, 1e-12);
        check_below(fabs(ledger.residual), 1e-13);
        fender_world_destroy(p.world);
    }
}

typedef struct asked {
    int count;
    fender_shape_id a, b;
    int index;
} asked;

static void swing(void *ctx, double time, fender_shape_id a, fender_shape_id b, int index, double *normal_force,
                  fender_vec2 *friction_force)
{
    asked *seen = ctx;
    assert_true(*normal_force == 0 && friction_force->x == 0 && friction_force->y == 0);
    *normal_force = 3 - 2 * time;
    *friction_force = (fender_vec2){1, time};
    *seen = (asked){seen->count + 1, a, b, index};
}

static void by_function(void **state)
{
    (void)state;
    asked seen = {0};
    fender_prescribed_force prescribed_force = {.force = swing, .ctx = &seen};
    press p = build(&(set_up){.prescribed_force = &prescribed_force, .height = 1.5, .mass = 100});
    check_ok(fender_world_advance(p.world, 100, &error));
    fender_contact_data c = contact_of(&p);
    check_near(c.normal_force, 1, 1e-14);
    check_near(c.friction_force, sqrt(2), 1e-14);
    assert_true(seen.count > 100);
    assert_true(seen.a.index1 == p.fixed_shape.index1 && seen.b.index1 == p.ball_shape.index1 && seen.index == 0);
    check_ok(fender_world_advance(p.world, 100, &error));
    check_near(contact_of(&p).normal_force, 0, 0); /* -1 */
    check_ledger(&p, 1e-8);                        /* of the step that holds the clip */
    fender_world_destroy(p.world);
}

/* Without a friction law nothing of the friction is seen; without anything provided nothing pushes. */
static void parts(void **state)
{
    (void)state;
    fender_prescribed_force prescribed_force = by_table();
    press p = build(&(set_up){.prescribed_force = &prescribed_force, .height = 1.5, .frictionless = true});
    check_ok(fender_world_advance(p.world, 20, &error));
    fender_contact_data c = contact_of(&p);
    check_near(c.normal_force, 6, 1e-14);
    check_near(c.friction_force, 0, 0);
    fender_world_destroy(p.world);
    p = build(&(set_up){.height = 1.5});
    check_ok(fender_world_advance(p.world, 20, &error));
    check_vector(contact_of(&p).force, fender_vec3_make(0, 0, 0), 0);
    fender_world_destroy(p.world);
}

/* A snapshot taken on the way and restored into a world built alike goes on to the same bits. */
static void snapshots(void **state)
{
    (void)state;
    fender_prescribed_force prescribed_force = by_table();
    set_up s = {.prescribed_force = &prescribed_force, .height = 1.6, .speed = 0.4, .locate = true};
    press p = build(&s), other = build(&s);
    check_ok(fender_world_advance(p.world, 37, &error));
    fender_error fault = {0};
    fender_snapshot *snapshot = fender_snapshot_take(p.world, &fault);
    assert_non_null(snapshot);
    check_ok(fender_world_advance(p.world, 50, &error));
    check_ok(fender_snapshot_restore(other.world, snapshot, &error));
    check_ok(fender_world_advance(other.world, 50, &error));
    assert_true(fender_world_hash(p.world) == fender_world_hash(other.world));
    check_ok(fender_snapshot_restore(p.world, snapshot, &error));
    check_ok(fender_world_advance(p.world, 50, &error));
    assert_true(fender_world_hash(p.world) == fender_world_hash(other.world));
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(p.world);
    fender_world_destroy(other.world);
}

/* Columns go by the number of the point, whichever points touch: three of five feet of a heavy plate do. */
static void by_point(void **state)
{
    (void)state;
    enum { FEET = 5 };
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 0.01;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    static const double begin[] = {0, 1};
    static const double pushes[2 * FEET] = {1, 2, 3, -4, 5, 11, 12, 13, 14, 15};
    static const double drags[2 * 2 * FEET] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const double one_push[] = {7, 7};
    for (int alike = 0; alike < 2; alike++) {
        fender_prescribed_force prescribed_force = {
            .normal = {begin, alike ? one_push : pushes, 2, alike ? 1 : FEET, FENDER_AFTER_HOLD},
            .friction = {begin, drags, 2, FEET, FENDER_AFTER_HOLD}};
        const fender_law *input = fender_law_find(NULL, "input");
        fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                        .name = alike ? "alike" : "each",
                                        .normal = input,
                                        .friction = input,
                                        .prescribed_force = &prescribed_force};
        fender_contact_type_id type_id;
        fender_rule_id rule;
        fender_shape_id shapes[2];
        check_ok(fender_contact_type_create(world, &type, &type_id, &error));
        for (int i = 0; i < 2; i++) {
            char name[16];
            snprintf(name, sizeof name, "%s_%d", type.name, i);
            fender_body_def body = fender_body_def_default();
            fender_body_id id;
            body.name = name;
            body.motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
            body.mass_properties.mass = 1e12;
            body.mass_properties.inertia = fender_mat3_diagonal(1e12, 1e12, 1e12);
            check_ok(fender_body_create(world, &body, &id, &error));
            static const fender_vec3 feet[FEET] = {{0, 0, -0.1}, {1, 0, 0.2}, {2, 0, -0.1}, {3, 0, -0.1}, {4, 0, 0.1}};
            fender_shape_def shape = fender_shape_def_default();
            shape.name = "shape";
            shape.geometry = i ? fender_geometry_cloud(&env, feet, FEET, NULL) : fender_geometry_plane(&env, NULL);
            check_ok(fender_shape_create(world, id, &shape, &shapes[i], &error));
            fender_geometry_release(shape.geometry);
        }
        fender_rule_def pair = {.size = sizeof(fender_rule_def),
                                .kind = FENDER_RULE_SHAPES,
                                .shape_a = shapes[0],
                                .shape_b = shapes[1],
                                .use = type_id};
        check_ok(fender_rule_create(world, &pair, &rule, &error));
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance(world, 50, &error)); /* midway between the rows, or at the last */
        double part = alike ? 1 : 0.5;                     /* the clock of the one world goes on */
        fender_contact_signals signals[FEET];
        int count;
        assert_int_equal(fender_contact_sense(world, shapes[0], shapes[1], signals, FEET, &count), FENDER_STATUS_OK);
        assert_int_equal(count, FEET);
        for (int i = 0; i < FEET; i++) {
            bool touches = i != 1 && i != 4;
            double push = alike ? 7 : (1 - part) * pushes[i] + part * pushes[FEET + i];
            double x = drags[2 * i], y = drags[2 * i + 1];
            double later_x = drags[2 * FEET + 2 * i], later_y = drags[2 * FEET + 2 * i + 1];
            x += part * (later_x - x), y += part * (later_y - y);
            assert_int_equal(signals[i].contact, touches);
            check_near(signals[i].normal_force, touches ? push : 0, 1e-13);
            check_near(signals[i].friction_force, touches ? sqrt(x * x + y * y) : 0, 1e-13);
        }
    }
    fender_world_destroy(world);
}

static void bad_tables(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error fault = {0};
    fender_world *world = fender_world_create(&env, &def, &fault);
    const fender_law *input = fender_law_find(NULL, "input");
    static const double falling[] = {0, 0}, increasing[] = {0, 1}, numbers[] = {1, NAN, 1, 1};
    fender_prescribed_force bad[] = {
        {.normal = {falling, normal, 2, 1, FENDER_AFTER_HOLD}},
        {.normal = {increasing, numbers, 2, 1, FENDER_AFTER_HOLD}},
        {.normal = {increasing, normal, 2, 0, FENDER_AFTER_HOLD}},
        {.normal = {NULL, normal, 2, 1, FENDER_AFTER_HOLD}},
        {.normal = {increasing, normal, -1, 1, FENDER_AFTER_HOLD}},
        {.friction = {increasing, numbers, 2, 1, FENDER_AFTER_ZERO}},
        {.normal = {increasing, normal, 2, 1, (fender_signal_after)7}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fender_contact_type_def type = {
            .size = sizeof(fender_contact_type_def), .name = "given", .normal = input, .prescribed_force = &bad[i]};
        fender_contact_type_id id;
        fault = (fender_error){0};
        assert_int_equal(fender_contact_type_create(world, &type, &id, &fault), FENDER_STATUS_VALUE);
        assert_string_equal(fault.path, i == 5 ? "prescribed_force.friction" : "prescribed_force.normal");
    }
    assert_int_equal(fender_contact_type_count(world), 0);
    fender_world_destroy(world);
    /* columns for points where there is no cloud */
    fender_prescribed_force three = {.normal = {increasing, friction, 2, 3, FENDER_AFTER_HOLD}};
    press p = build(&(set_up){.height = 5});
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "many", .normal = input, .prescribed_force = &three};
    fender_contact_type_id id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(p.world, &type, &id, &error));
    check_ok(fender_rule_create(p.world,
                                &(fender_rule_def){.size = sizeof(fender_rule_def),
                                                   .kind = FENDER_RULE_SHAPES,
                                                   .shape_a = p.fixed_shape,
                                                   .shape_b = p.ball_shape,
                                                   .use = id},
                                &rule, &error));
    fault = (fender_error){0};
    assert_int_equal(fender_world_initialize(p.world, &fault), FENDER_STATUS_VALUE);
    assert_string_equal(fault.path, "contact_types.many.normal.force");
    fender_world_destroy(p.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_time),  cmocka_unit_test(pushes),    cmocka_unit_test(by_function),
        cmocka_unit_test(parts),    cmocka_unit_test(snapshots), cmocka_unit_test(bad_tables),
        cmocka_unit_test(by_point),
    };
    return cmocka_run_group_tests_name("provided", tests, NULL, NULL);
}
