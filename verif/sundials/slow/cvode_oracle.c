/* CVODE, by Adams and by BDF formulas, integrates what Fender says of forces, from event to event; Fender's own
 * adaptive run must tell the same: a bouncing ball, and two capsules that hit each other obliquely with friction.
 *
 * Built with -DFENDER_WITH_SUNDIALS=ON. Fender is the host's servant here: states go in by fender_world_set_state,
 * rates come out by fender_world_derivative, and every event is accepted with fender_world_commit. CVODE finds the
 * events as roots: the gap of the two shapes, and the force k d + c d' that the clip of spring_damper ends. */
#include "bouncing_ball.h"
#include "check.h"
#include "scene.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { EVENTS = 100, STATE_CAPACITY = 2 * FENDER_STATE_PER_BODY };

typedef struct history {
    int count;
    double times[EVENTS];     /* touch, release, touch, ... */
    double y[STATE_CAPACITY]; /* at the end */
} history;

typedef enum phase { FLIGHT, PRESS, SLACK } phase;
typedef struct host {
    fender_world *world;
    const scene *s;
    fender_shape_id a, b;
    phase phase;
    int n;
} host;

/* ---- what CVODE asks */

static int rates(realtype t, N_Vector y, N_Vector ydot, void *ctx)
{
    host *h = ctx;
    if (fender_world_set_state(h->world, t, N_VGetArrayPointer(y), NULL)) return 1;
    return fender_world_derivative(h->world, N_VGetArrayPointer(ydot), NULL) ? 1 : 0;
}

static fender_pose pose_of(const host *h, fender_shape_id shape, const double *y)
{
    fender_body_id body = fender_shape_body(h->world, shape);
    fender_shape_def def;
    fender_body_def about;
    assert_int_equal(fender_shape_get_def(h->world, shape, &def), 0);
    assert_int_equal(fender_body_get_def(h->world, body, &about), 0);
    fender_pose X = {about.state.position, about.state.attitude};
    if (about.motion == FENDER_MOTION_DYNAMIC) { /* centres of mass are the origins here */
        int k = 0;
        for (int i = 0; fender_body_at(h->world, i).index1 != body.index1; i++)
            k += h->s->bodies[i].motion == FENDER_MOTION_DYNAMIC;
        const double *n = y + k * FENDER_STATE_PER_BODY;
        X.p = fender_vec3_make(n[0], n[1], n[2]);
        X.q = fender_quaternion_normalized((fender_quaternion){n[3], n[4], n[5], n[6]});
    }
    return fender_pose_product(X, def.X_SG);
}

static double gap_of(const host *h, const double *y)
{
    fender_shape_def a, b;
    assert_int_equal(fender_shape_get_def(h->world, h->a, &a), 0);
    assert_int_equal(fender_shape_get_def(h->world, h->b, &b), 0);
    fender_pose X_a = pose_of(h, h->a, y), X_b = pose_of(h, h->b, y);
    fender_separation separation;
    assert_int_equal(fender_geometry_separation(a.geometry, &X_a, b.geometry, &X_b, &separation), 0);
    return separation.distance;
}

/* k d + c d', without the clip; what the last value was when the shapes are apart. */
static double force_of(host *h, double t, const double *y)
{
    fender_contact_data c;
    assert_int_equal(fender_world_set_state(h->world, t, y, NULL), 0);
    assert_int_equal(fender_world_evaluate(h->world, NULL), 0);
    if (fender_contact_count(h->world, FENDER_CLOCK_EVALUATED) == 0) return h->phase == PRESS ? 1 : -1;
    assert_int_equal(fender_contact_at(h->world, FENDER_CLOCK_EVALUATED, 0, &c), 0);
    return h->s->types[0].stiffness * c.depth + h->s->types[0].damping * c.depth_rate;
}

static int roots(realtype t, N_Vector y, realtype *g, void *ctx)
{
    host *h = ctx;
    const double *values = N_VGetArrayPointer(y);
    g[0] = gap_of(h, values);
    g[1] = h->phase == FLIGHT ? 1 : force_of(h, t, values);
    return 0;
}

/* ---- from event to event */

#define check_cvode(call) assert_true((call) >= 0)

static void *solver_create(SUNContext context, int formulas, host *h, double t, N_Vector y, SUNMatrix matrix,
                           SUNLinearSolver linear, SUNNonlinearSolver nonlinear)
{
    void *cvode = CVodeCreate(formulas, context);
    assert_non_null(cvode);
    check_cvode(CVodeInit(cvode, rates, t, y));
    check_cvode(CVodeSetUserData(cvode, h));
    check_cvode(CVodeSStolerances(cvode, 1e-14, 1e-15));
    check_cvode(CVodeSetMaxNumSteps(cvode, 10000000));
    check_cvode(CVodeSetMaxStep(cvode, 0.02)); /* roots are looked for at the ends of steps alone */
    if (formulas == CV_BDF) check_cvode(CVodeSetLinearSolver(cvode, linear, matrix));
    else check_cvode(CVodeSetNonlinearSolver(cvode, nonlinear));
    check_cvode(CVodeRootInit(cvode, 2, roots));
    return cvode;
}

static void commit(host *h, double t, N_Vector y)
{
    fender_world_set_contacts_active(h->world, h->phase != FLIGHT);
    check_ok(fender_world_set_state(h->world, t, N_VGetArrayPointer(y), &error));
    check_ok(fender_world_commit(h->world, &error));
}

static history by_cvode(const scene *s, int formulas, double until)
{
    history events;
    memset(&events, 0, sizeof events);
    host h = {.world = scene_build(s), .s = s, .phase = FLIGHT};
    h.a = fender_shape_at(h.world, 0), h.b = fender_shape_at(h.world, 1);
    h.n = fender_world_state_count(h.world);
    assert_true(h.n <= STATE_CAPACITY);
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector y = N_VNew_Serial(h.n, context);
    fender_world_get_state(h.world, N_VGetArrayPointer(y));
    SUNMatrix matrix = SUNDenseMatrix(h.n, h.n, context);
    SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
    SUNNonlinearSolver nonlinear = SUNNonlinSol_FixedPoint(y, 0, context);
    commit(&h, fender_world_time(h.world), y);
    void *cvode = solver_create(context, formulas, &h, fender_world_time(h.world), y, matrix, linear, nonlinear);
    double t = fender_world_time(h.world);
    while (t < until) {
        /* touch: the gap falls; clip: the force falls; then the gap rises (release) or the force does */
        int directions[] = {h.phase == FLIGHT ? -1 : 1, h.phase == PRESS ? -1 : 1};
        check_cvode(CVodeSetRootDirection(cvode, directions));
        int outcome = CVode(cvode, until, y, &t, CV_NORMAL);
        check_cvode(outcome);
        if (outcome == CV_ROOT_RETURN) {
            int found[2];
            check_cvode(CVodeGetRootInfo(cvode, found));
            bool by_gap = found[0] != 0;
            phase before = h.phase;
            if (h.phase == FLIGHT) h.phase = PRESS;
            else if (h.phase == PRESS) h.phase = found[1] ? SLACK : PRESS;
            else h.phase = by_gap ? FLIGHT : PRESS;
            if (before == FLIGHT || h.phase == FLIGHT) {
                assert_true(events.count < EVENTS);
                events.times[events.count++] = t;
            }
        }
        commit(&h, t, y);
        check_cvode(CVodeReInit(cvode, t, y));
    }
    memcpy(events.y, N_VGetArrayPointer(y), (size_t)h.n * sizeof(double));
    CVodeFree(&cvode);
    SUNNonlinSolFree(nonlinear);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    SUNContext_Free(&context);
    fender_world_destroy(h.world);
    return events;
}

static history by_fender(const scene *s, fender_integrator_method method, double until)
{
    scene own = *s;
    own.world.method = method;
    own.world.locate_events = true;
    own.world.event_tolerance = 1e-14;
    own.world.relative_tolerance = 1e-13;
    fender_world *world = scene_build(&own);
    history events;
    memset(&events, 0, sizeof events);
    while (fender_world_time(world) < until) {
        fender_proposal proposal;
        check_ok(fender_world_propose(world, until, &proposal, &error));
        check_ok(fender_world_accept(world, &error));
        int count;
        const fender_event *list = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (list[i].kind != FENDER_EVENT_BEGIN && list[i].kind != FENDER_EVENT_END) continue;
            assert_true(events.count < EVENTS);
            events.times[events.count++] = list[i].time;
        }
    }
    fender_world_get_state(world, events.y);
    fender_world_destroy(world);
    return events;
}

/* ---- comparisons */

static double event_gap(const history *a, const history *b)
{
    assert_int_equal(a->count, b->count);
    double worst = 0;
    for (int i = 0; i < a->count; i++) worst = larger(worst, fabs(a->times[i] - b->times[i]));
    return worst;
}

static double state_gap(const history *a, const history *b, int bodies)
{
    double worst = 0;
    for (int k = 0; k < bodies; k++) {
        const double *p = a->y + k * FENDER_STATE_PER_BODY, *q = b->y + k * FENDER_STATE_PER_BODY;
        double length_p = sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6]);
        double length_q = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
        for (int i = 0; i < FENDER_STATE_PER_BODY; i++) {
            bool turn = i >= 3 && i < 7; /* CVODE does not keep the quaternion at unit length, nor has to */
            worst = larger(worst, fabs(p[i] / (turn ? length_p : 1) - q[i] / (turn ? length_q : 1)));
        }
    }
    return worst;
}

static const struct {
    const char *name;
    int formulas;
} formulas[] = {{"Adams", CV_ADAMS}, {"BDF", CV_BDF}};
static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_DOPRI5, FENDER_INTEGRATOR_DOP853};

static void compare(const scene *s, const char *title, double until, int bodies, int expected_events, double allowed)
{
    for (size_t f = 0; f < sizeof formulas / sizeof formulas[0]; f++) {
        history theirs = by_cvode(s, formulas[f].formulas, until);
        assert_int_equal(theirs.count, expected_events);
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            history ours = by_fender(s, methods[m], until);
            double events = event_gap(&ours, &theirs), state = state_gap(&ours, &theirs, bodies);
            print_message("%s, CVODE %-5s and %-6s: %d touches and releases to %.1e s, end state to %.1e\n", title,
                          formulas[f].name, fender_integrator_name(methods[m]), theirs.count, events, state);
            check_below(events, allowed);
            check_below(state, allowed);
        }
    }
}

/* The first six begins and ends of a sphere dropped from 0.5 m on k/m = 1e5 with e = 0.8. All three against each
 * other and against the exact solution. */
static void bouncing(void **state)
{
    (void)state;
    bouncing_ball exact = {.stiffness = 1e5L, .gravity = 9.81L};
    exact.damping = 2 * bouncing_damping_ratio(0.8L) * sqrtl(exact.stiffness);
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 2e5, 2 * (double)exact.damping, 0, 1e-3, 0});
    s.world.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -9.81}, 0, {0, 0, 0}};
    s.body_count = 2;
    s.bodies[0] = scene_ball(1, 1, 1);
    s.bodies[0].motion = FENDER_MOTION_FIXED;
    s.bodies[1] = scene_ball(2, 2, 0.125);
    s.bodies[1].state.position.z = 1.625;
    assert_true(bouncing_ball_drop(&exact, 0.5L));
    history truth;
    memset(&truth, 0, sizeof truth);
    for (int i = 1; i < exact.piece_count && truth.count < 12; i++)
        if (exact.pieces[i].phase == BOUNCING_FLIGHT || exact.pieces[i - 1].phase == BOUNCING_FLIGHT)
            truth.times[truth.count++] = (double)exact.pieces[i].time;
    double until = truth.times[11] + 0.01;
    for (size_t f = 0; f < sizeof formulas / sizeof formulas[0]; f++) {
        history theirs = by_cvode(&s, formulas[f].formulas, until);
        double worst = event_gap(&theirs, &truth);
        print_message("ball, CVODE %-5s and the exact solution: %.1e s\n", formulas[f].name, worst);
        check_below(worst, 1e-9);
    }
    compare(&s, "ball", until, 1, 12, 1e-9);
}

/* Two capsules that turn meet side to side at a slant, off centre, with friction. */
static void capsules(void **state)
{
    (void)state;
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 4e3, 30, 0.3, 2e-2, 0});
    s.body_count = 2;
    for (int i = 0; i < 2; i++) {
        s.bodies[i] = scene_ball(i + 1, i ? 12 : 20, 0.2);
        s.bodies[i].shapes[0].half_length = 1;
        s.bodies[i].mass_properties.inertia = fender_mat3_diagonal(i ? 5 : 9, i ? 5 : 9, i ? 0.4 : 0.7);
    }
    s.bodies[0].state.attitude = (fender_quaternion){cos(0.4), sin(0.4), 0, 0};
    s.bodies[0].state.angular_velocity = fender_vec3_make(0.2, 0.1, 0.5);
    s.bodies[1].state.attitude = fender_quaternion_normalized((fender_quaternion){0.8, -0.3, 0.4, 0.1});
    s.bodies[1].state.angular_velocity = fender_vec3_make(-0.3, 0.2, -0.4);
    s.bodies[1].state.position = fender_vec3_make(1.4, 0.1, -0.2);
    s.bodies[1].state.velocity = fender_vec3_make(-1.5, 0.2, 0.3);
    compare(&s, "capsules", 2, 2, 4, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bouncing), cmocka_unit_test(capsules)};
    return cmocka_run_group_tests_name("CVODE as an oracle", tests, NULL, NULL);
}
