/* S047 to S058 in motion: collisions by smooth_spring_damper against closed forms, and creep by smooth_stick_slip. */
/* items: S051 S052 S053 */
#include "check.h"
#include <string.h>

/* A sphere of 1 kg and radius 1 above a plane at z = 0, which it only touches. */
typedef struct drop {
    double stiffness, damping, width, speed; /* N/m, N s/m, m, m/s downwards at the start */
    double gap;                              /* m above the plane */
    double load, weight;                     /* N along x; N, gravity */
    double mu_static, mu_dynamic, critical;  /* 0: no friction */
    fender_integrator_method method;
    double step, tolerance;
} drop;

static void set(const fender_law *law, void *object, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, object, 0, value);
}

static fender_body_id ball_id, ground_id;

static fender_world *build(const drop *s)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error none = {0};
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {s->load, 0, -s->weight}, 0, {0, 0, 0}};
    def.method = s->method;
    def.step = s->step;
    def.relative_tolerance = s->tolerance;
    def.locate_events = true;
    fender_world *world = fender_world_create(&env, &def, &none);
    assert_non_null(world);
    fender_body_def body = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    fender_shape_id id;
    body.name = "ground";
    body.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(world, &body, &ground_id, &error));
    shape.name = "plane";
    shape.geometry = fender_geometry_plane(&env, &none);
    check_ok(fender_shape_create(world, ground_id, &shape, &id, &error));
    fender_geometry_release(shape.geometry);
    body = fender_body_def_default();
    body.name = "ball";
    body.mass_properties.mass = 1;
    body.mass_properties.inertia = fender_mat3_diagonal(1e20, 1e20, 1e20); /* it does not roll */
    body.state.position.z = 1 + s->gap;
    body.state.velocity.z = -s->speed;
    check_ok(fender_body_create(world, &body, &ball_id, &error));
    shape.name = "ball";
    shape.geometry = fender_geometry_sphere(&env, 1, &none);
    check_ok(fender_shape_create(world, ball_id, &shape, &id, &error));
    fender_geometry_release(shape.geometry);
    const fender_law *normal = fender_law_find(NULL, "smooth_spring_damper");
    const fender_law *friction = fender_law_find(NULL, s->critical > 0 ? "smooth_stick_slip" : "none");
    union {
        double align;
        char bytes[64];
    } n, f;
    (void)fender_field_initialize(&normal->parameters, n.bytes, sizeof n.bytes, NULL);
    set(normal, n.bytes, "stiffness", s->stiffness);
    set(normal, n.bytes, "damping", s->damping);
    set(normal, n.bytes, "transition_width", s->width);
    if (s->critical > 0) {
        (void)fender_field_initialize(&friction->parameters, f.bytes, sizeof f.bytes, NULL);
        set(friction, f.bytes, "mu_static", s->mu_static);
        set(friction, f.bytes, "mu_dynamic", s->mu_dynamic);
        set(friction, f.bytes, "critical_velocity", s->critical);
    }
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "type",
                                    .normal = normal,
                                    .normal_parameters = n.bytes,
                                    .friction = friction,
                                    .friction_parameters = f.bytes};
    fender_contact_type_id type_id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(world, &type, &type_id, &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id}, &rule,
        &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Steps until the sphere has left; the release. */
static fender_event collide(fender_world *world)
{
    for (int i = 0; i < 100000; i++) {
        check_ok(fender_world_step(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int k = 0; k < count; k++)
            if (events[k].kind == FENDER_EVENT_END) return events[k];
        fender_contact_data c;
        if (fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0 &&
            fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c) == FENDER_STATUS_OK)
            assert_true(c.normal_force >= 0); /* S050 */
    }
    fail_msg("the ball has not left");
    return (fender_event){0};
}

static double energy_of(const drop *s, double d)
{
    double w = s->width, x = w > 0 ? d / w : 2;
    return x < 1 ? s->stiffness * d * d * x * x * (0.75 - 0.4 * x) : s->stiffness * (d * d / 2 - 0.15 * w * w);
}

static double deepest_of(const drop *s)
{
    double full = sqrt(s->speed * s->speed / s->stiffness + 0.3 * s->width * s->width);
    if (full >= s->width) return full;
    double low = 0, high = s->width; /* it does not leave the transition */
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (energy_of(s, middle) < 0.5 * s->speed * s->speed) low = middle;
        else high = middle;
    }
    return low;
}

/* Time from begin to end without damping, of a contact that leaves the transition: through it by Simpson's rule
 * over dd / speed(d), beyond it a harmonic oscillation about 0 of amplitude D. */
static double duration_of(const drop *s)
{
    enum { PARTS = 2000 };
    double D = deepest_of(s), h = s->width / PARTS, sum = 0;
    for (int i = 0; i <= PARTS; i++)
        sum += h / 3 * (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) / sqrt(s->speed * s->speed - 2 * energy_of(s, i * h));
    return 2 * (sum + acos(s->width / D) / sqrt(s->stiffness));
}

/* S052: without a damper nothing is lost, and deepest point and duration are those of the potential. */
static void elastic(void **state)
{
    (void)state;
    static const double widths[] = {0, 1e-4, 1e-3, 4e-3, 1e-2, 0.1};
    for (int i = 0; i < 6; i++) {
        drop s = {.stiffness = 1e4, .width = widths[i], .speed = 0.5, .gap = 0.01, .method = FENDER_INTEGRATOR_DOP853};
        s.step = 1e-3;
        s.tolerance = 1e-12;
        fender_world *world = build(&s);
        fender_event end = collide(world);
        double D = deepest_of(&s);
        check_near(end.contact.depth_rate, -0.5, 1e-10); /* some hundred steps of a tolerance of 1e-12 */
        check_near(end.contact.approach_speed, 0.5, 1e-11);
        check_near(end.contact.peak_depth, D, 1e-7 * D); /* found between accepted states */
        check_near(end.contact.damping_loss, 0, 1e-15);
        if (D > s.width) check_near(end.time - end.contact.begin_time, duration_of(&s), 1e-10);
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_below(fabs(ledger.residual), 1e-10 * ledger.scale);
        print_message("width %g m: deepest off by %.1e of it, rebound by %.1e m/s, residual %.1e J\n", s.width,
                      fabs(end.contact.peak_depth - D) / D, fabs(end.contact.depth_rate + 0.5), fabs(ledger.residual));
        fender_world_destroy(world);
    }
}

/* With a damper the sphere loses what the damper took; the force begins at nothing and never attracts. */
static void damped(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        drop s = {.stiffness = 1e4, .damping = 10 * (1 << i), .width = 1e-3, .speed = 0.5, .gap = 0.01};
        s.method = i % 2 ? FENDER_INTEGRATOR_RK4 : FENDER_INTEGRATOR_DOP853;
        s.step = 1e-4;
        s.tolerance = 1e-12;
        fender_world *world = build(&s);
        fender_event end = collide(world);
        assert_true(end.contact.depth_rate < 0 && end.contact.depth_rate > -0.5);
        check_near(end.contact.damping_loss, 0.5 * (0.25 - end.contact.depth_rate * end.contact.depth_rate),
                   1e-7); /* rk4 at w h = 0.01 */
        print_message("damping %g: leaves at %.9g m/s\n", s.damping, -end.contact.depth_rate);
        fender_world_destroy(world);
    }
}

/* Steps end where the transition ends: rk4 keeps its order, though the second derivative of the force jumps there. */
static void order(void **state)
{
    (void)state;
    double errors[3];
    for (int i = 0; i < 3; i++) {
        drop s = {.stiffness = 1e4, .width = 2e-3, .speed = 0.5, .gap = 0.01, .method = FENDER_INTEGRATOR_RK4};
        s.step = 4e-4 / (1 << i);
        fender_world *world = build(&s);
        fender_event end = collide(world);
        errors[i] = fabs(end.time - end.contact.begin_time - duration_of(&s));
        fender_world_destroy(world);
    }
    print_message("rk4: duration off by %.2e, %.2e, %.2e s\n", errors[0], errors[1], errors[2]);
    /* 16 for each halving; where the steps fall in the transition differs, which moves it a little */
    assert_true(errors[0] / errors[1] > 10 && errors[1] / errors[2] > 10);
}

/* Under a part r of its limit friction lets the sphere creep at x of the critical velocity with (3 x - x^3) / 2 = r,
 * that is x = 2 sin(asin(r) / 3). */
static void creep(void **state)
{
    (void)state;
    static const double parts[] = {0.1, 0.5, 0.9, 0.99};
    for (int i = 0; i < 4; i++) {
        double weight = 10, r = parts[i], x = 2 * sin(asin(r) / 3);
        drop s = {.stiffness = 1e4, .damping = 100, .width = 1e-4, .gap = -1e-3, .weight = weight};
        s.mu_static = 0.5, s.mu_dynamic = 0.3, s.critical = 0.01;
        s.load = r * s.mu_static * weight;
        s.step = 1e-3; /* the damper of 750 N s/m at rest is stable below 3.7 ms */
        fender_world *world = build(&s);
        check_ok(fender_world_advance_to(world, 3, &error));
        fender_body_data ball;
        assert_int_equal(fender_body_get(world, ball_id, FENDER_CLOCK_COMMITTED, &ball), FENDER_STATUS_OK);
        check_near(ball.velocity.x, x * s.critical, 1e-9 * s.critical);
        check_near(ball.position.z, 1 - 1e-3, 1e-12);
        fender_world_destroy(world);
    }
}

/* Beyond its limit it breaks away; far above the critical velocity what remains is mu_dynamic. */
static void breakaway(void **state)
{
    (void)state;
    double weight = 10;
    drop s = {.stiffness = 1e4, .damping = 100, .width = 1e-4, .gap = -1e-3, .weight = weight};
    s.mu_static = 0.5, s.mu_dynamic = 0.3, s.critical = 0.01;
    s.load = 1.01 * s.mu_static * weight;
    s.step = 1e-3;
    fender_world *world = build(&s);
    check_ok(fender_world_advance_to(world, 3, &error));
    fender_body_data ball;
    assert_int_equal(fender_body_get(world, ball_id, FENDER_CLOCK_COMMITTED, &ball), FENDER_STATUS_OK);
    double y = ball.velocity.x / s.critical - 1, mu = 0.3 + 0.2 / (1 + y * y);
    assert_true(y > 100);
    check_near(ball.acceleration.x, s.load - mu * weight, 1e-9);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elastic), cmocka_unit_test(damped), cmocka_unit_test(order),
                                       cmocka_unit_test(creep), cmocka_unit_test(breakaway)};
    return cmocka_run_group_tests_name("collision", tests, NULL, NULL);
}
