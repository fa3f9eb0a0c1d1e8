/* A sphere that bounces to rest on springs of three stiffnesses, by every method: each touch and each release against
 * the piecewise exact solution (flight, damped oscillator with gravity, slack), then rest on the static sink. */
#include "bouncing_ball.h"
#include "check.h"
#include "scene.h"
#include <fender/law.h>

static const double G = 9.81, MASS = 2.5, BASE_RADIUS = 1, BALL_RADIUS = 0.125;

/* What is asked of a method on a spring. The step is that of a fixed-step method in contact (in flight it is long: a
 * parabola is exact for all methods), the tolerance that of an adaptive one. */
typedef struct row {
    fender_integrator_method method;
    double stiffness_per_mass, height;
    double step, tolerance;
    double allowed; /* s */
} row;

/* The step ends just after the touch; until then the damper is missed, which costs c/m of the speed for each second: at
 * k/m = 1e9 (c/m = 4703 1/s) an event found to 1e-10 s only would be 5e-7 of the speed, 2e-6 s after some flights. The
 * default tolerance of events, 1e-14 s, leaves nothing to be seen.
 *
 * 1e-9 s for the adaptive methods and for RK4 with w h = 0.006; twice that step has 16 times its error. The error of a
 * bounce is a part of its speed, and the flights after it carry it on. velocity_verlet, of order 2, is not asked for
 * more than it can give: four times less with half the step. */
static const row rows[] = {
    {FENDER_INTEGRATOR_RK4, 1e5, 1, 40e-6, 0, 1e-8},
    {FENDER_INTEGRATOR_RK4, 1e5, 1, 20e-6, 0, 1e-9},
    {FENDER_INTEGRATOR_RK4, 1e5, 0.1, 20e-6, 0, 1e-9},
    {FENDER_INTEGRATOR_RK4, 1e7, 1, 2e-6, 0, 1e-9},
    {FENDER_INTEGRATOR_RK4, 1e9, 1, 0.2e-6, 0, 1e-9},
    {FENDER_INTEGRATOR_VELOCITY_VERLET, 1e5, 1, 40e-6, 0, 2e-4},
    {FENDER_INTEGRATOR_VELOCITY_VERLET, 1e5, 1, 20e-6, 0, 5e-5},
    {FENDER_INTEGRATOR_DOPRI5, 1e5, 1, 0, 1e-12, 1e-9},
    {FENDER_INTEGRATOR_DOPRI5, 1e7, 1, 0, 1e-12, 1e-9},
    {FENDER_INTEGRATOR_DOPRI5, 1e9, 1, 0, 1e-12, 1e-9},
    {FENDER_INTEGRATOR_DOP853, 1e5, 1, 0, 1e-12, 1e-9},
    {FENDER_INTEGRATOR_DOP853, 1e5, 0.1, 0, 1e-12, 1e-9},
    {FENDER_INTEGRATOR_DOP853, 1e7, 1, 0, 1e-12, 1e-9},
    {FENDER_INTEGRATOR_DOP853, 1e9, 1, 0, 1e-12, 1e-9},
};

static fender_world *build(const row *r, double damping)
{
    scene_type type = {SCENE_SPRING_DAMPER, MASS * r->stiffness_per_mass, damping, 0, 1e-3, 0};
    scene s = scene_with_type(type);
    s.world.method = r->method;
    s.world.step = 0.25;
    s.world.relative_tolerance = r->tolerance;
    s.world.locate_events = true;
    s.world.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -G}, 0, {0, 0, 0}};
    s.body_count = 2;
    s.bodies[0] = scene_ball(1, 1, BASE_RADIUS);
    s.bodies[0].motion = FENDER_MOTION_FIXED;
    s.bodies[1] = scene_ball(2, MASS, BALL_RADIUS);
    s.bodies[1].state.position.z = BASE_RADIUS + BALL_RADIUS + r->height;
    return scene_build(&s);
}

typedef struct tally {
    int touches, releases;
    double worst;
} tally;

/* The begins and ends of this step against those of the solution; `piece` goes along it. */
static void compare_events(const fender_world *world, const bouncing_ball *exact, double allowed, int *piece, tally *t)
{
    int count;
    const fender_event *events = fender_world_events(world, &count);
    for (int i = 0; i < count; i++) {
        bool touch = events[i].kind == FENDER_EVENT_BEGIN;
        if (!touch && events[i].kind != FENDER_EVENT_END) continue;
        do (*piece)++;
        while (*piece < exact->piece_count && exact->pieces[*piece].phase != BOUNCING_FLIGHT &&
               exact->pieces[*piece - 1].phase != BOUNCING_FLIGHT);
        if (*piece >= exact->piece_count) fail_msg("an event too many at %.9f s", events[i].time);
        const bouncing_piece *now = &exact->pieces[*piece];
        assert_int_equal(touch, now->phase != BOUNCING_FLIGHT);
        t->touches += touch, t->releases += !touch;
        t->worst = larger(t->worst, fabs((double)(events[i].time - now->time)));
        /* the speed at begin and end is part of the event; that of the touch is read just behind it */
        check_near(fabs(events[i].contact.depth_rate), fabs((double)now->rate), allowed);
    }
}

static void bounce(const row *r)
{
    bouncing_ball exact = {.stiffness = r->stiffness_per_mass, .gravity = G};
    exact.damping = 2 * bouncing_damping_ratio(0.8L) * sqrtl(exact.stiffness);
    double damping = (double)(MASS * exact.damping);
    exact.damping = damping / (long double)MASS;
    assert_true(bouncing_ball_drop(&exact, r->height));
    int touches = 0;
    for (int i = 1; i < exact.piece_count; i++) touches += exact.pieces[i - 1].phase == BOUNCING_FLIGHT;

    fender_world *world = build(r, damping);
    tally t = {0, 0, 0};
    int piece = 0;
    int64_t steps = 0;
    const bouncing_piece *last = &exact.pieces[exact.piece_count - 1];
    double settled = (double)(last->time + 60 / exact.damping); /* exp(-30) of the last bounce is left */
    while (fender_world_time(world) < settled) {
        bool short_step = r->step > 0 && fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0;
        double limit = short_step ? fender_world_time(world) + r->step : INFINITY;
        fender_proposal proposal;
        check_ok(fender_world_propose(world, limit, &proposal, &error));
        check_ok(fender_world_accept(world, &error));
        compare_events(world, &exact, 1e-8 + 20 * r->allowed, &piece, &t);
        steps++;
    }
    print_message(
        "%-15s k/m %.0e height %.1f m step %.0e tolerance %.0e: %2d touches, %2d releases, worst %.2e s, %lld steps\n",
        fender_integrator_name(r->method), r->stiffness_per_mass, r->height, r->step, r->tolerance, t.touches,
        t.releases, t.worst, (long long)steps);
    check_below(t.worst, r->allowed);
    assert_int_equal(t.touches, touches);
    assert_int_equal(t.releases, touches - 1); /* the last touch lasts */
    double sink = G / r->stiffness_per_mass;
    fender_contact_data contact;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &contact), 0);
    /* rounding of positions near 1 m, and what the tolerances let through */
    check_near(contact.depth, sink, 1e-14 + 1e-9 * sink + 10 * r->tolerance);
    check_near(contact.normal_force, MASS * G, MASS * G * 1e-3);
    check_near(scene_body_data(world, 2).velocity.z, 0, 1e-9);
    fender_world_destroy(world);
}

static void every_touch_and_release(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!fender_integrator_name(rows[i].method)) continue;
        bounce(&rows[i]);
    }
}

/* The solution itself, against what is known of it otherwise. */
static void solution(void **state)
{
    (void)state;
    const long double z = bouncing_damping_ratio(0.8L);
    bouncing_ball ball = {.stiffness = 1e11L, .damping = 2 * z * sqrtl(1e11L), .gravity = 9.81L};
    assert_true(bouncing_ball_drop(&ball, 1));
    /* hard springs come near to the rigid ball: restitution 0.8, at rest after sqrt(2 h / g) (1 + e) / (1 - e) */
    check_near((double)(-ball.pieces[3].rate / ball.pieces[1].rate), 0.8, 1e-5);
    check_near((double)ball.pieces[ball.piece_count - 1].time, (double)(sqrtl(2 / 9.81L) * 9), 1e-3);
    long double gap, rate;
    bouncing_ball_at(&ball, 1e3L, &gap, &rate);
    check_near((double)gap, -9.81e-11, 1e-22);
    /* and it obeys its differential equation: fourth-order differences of the gap in each kind of piece */
    ball = (bouncing_ball){.stiffness = 1e5L, .damping = 2 * z * sqrtl(1e5L), .gravity = 9.81L};
    assert_true(bouncing_ball_drop(&ball, 1));
    int seen[3] = {0};
    for (int i = 0; i + 1 < ball.piece_count; i++) {
        const bouncing_piece *from = &ball.pieces[i], *to = from + 1;
        long double h = 1e-3L * (to->time - from->time), t = 0.5L * (from->time + to->time), at[5], unused;
        for (int k = 0; k < 5; k++) bouncing_ball_at(&ball, t + (k - 2) * h, &at[k], &unused);
        bouncing_ball_at(&ball, t, &gap, &rate);
        long double second = (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h);
        long double first = (at[0] - 8 * at[1] + 8 * at[3] - at[4]) / (12 * h);
        long double force = -ball.stiffness * gap - ball.damping * rate;
        long double want = -ball.gravity + (from->phase == BOUNCING_PRESS ? force : 0);
        check_near((double)second, (double)want, 1e-6 * (1 + fabs((double)want)));
        check_near((double)first, (double)rate, 1e-9);
        assert_true(from->phase == BOUNCING_FLIGHT ? gap > 0 : gap < 0);
        assert_true(from->phase == BOUNCING_PRESS ? force > 0 : force <= 0 || gap > 0);
        /* what follows begins where this ends */
        bouncing_ball_at(&ball, to->time - 1e-15L, &gap, &rate);
        check_near((double)gap, (double)to->gap, 1e-13);
        check_near((double)rate, (double)to->rate, 1e-11);
        seen[from->phase]++;
    }
    for (int i = 0; i < 3; i++) assert_true(seen[i] > 5);
}

/* From rest to the ground within one step: the pair comes into reach on the way, and the touch is found all the same. A
 * plane, as the motion of pairs that could pass each other is looked at by itself. */
static void falls_from_rest(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.method = n == 0 ? FENDER_INTEGRATOR_RK4 : n == 1 ? FENDER_INTEGRATOR_DOPRI5 : FENDER_INTEGRATOR_DOP853;
        def.step = 0.25;
        def.locate_events = true;
        def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -G}, 0, {0, 0, 0}};
        fender_world *world = fender_world_create(&env, &def, NULL);
        const double radius = 0.01, height = 0.2;
        for (int i = 0; i < 2; i++) {
            fender_body_def body = fender_body_def_default();
            fender_shape_def shape = fender_shape_def_default();
            fender_body_id id;
            fender_shape_id shape_id;
            body.name = i ? "ball" : "ground";
            body.motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
            body.mass_properties.mass = 1;
            body.mass_properties.inertia = fender_mat3_diagonal(4e-5, 4e-5, 4e-5);
            body.state.position.z = i ? radius + height : 0;
            shape.name = "s";
            shape.geometry = i ? fender_geometry_sphere(&env, radius, NULL) : fender_geometry_plane(&env, NULL);
            check_ok(fender_body_create(world, &body, &id, &error));
            check_ok(fender_shape_create(world, id, &shape, &shape_id, &error));
            fender_geometry_release(shape.geometry);
        }
        const fender_law *law = fender_law_find(NULL, "spring_damper");
        union {
            double align;
            char bytes[256];
        } p;
        (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
        fender_field_set(fender_field_find(&law->parameters, "stiffness"), p.bytes, 0, 1e6);
        fender_contact_type_def type = {
            .size = sizeof(fender_contact_type_def), .name = "t", .normal = law, .normal_parameters = p.bytes};
        fender_contact_type_id type_id;
        check_ok(fender_contact_type_create(world, &type, &type_id, &error));
        fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id};
        check_ok(fender_rule_create(world, &rule, NULL, &error));
        check_ok(fender_world_initialize(world, &error));
        fender_proposal proposal;
        while (fender_world_event_count(world, FENDER_EVENT_BEGIN) == 0) {
            check_ok(fender_world_propose(world, INFINITY, &proposal, &error));
            check_ok(fender_world_accept(world, &error));
        }
        check_near(fender_world_time(world), sqrt(2 * height / G), 1e-9);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution),
        cmocka_unit_test(every_touch_and_release),
        cmocka_unit_test(falls_from_rest),
    };
    return cmocka_run_group_tests_name("bouncing ball", tests, NULL, NULL);
}
