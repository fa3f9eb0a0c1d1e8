/* Deviations that follow a run, and linear equations about a state: against closed forms, invariants, and differences
 * of runs. */
#include "check.h"
#include "counted_memory.h"

#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

enum { PER_BODY = FENDER_DEVIATION_PER_BODY, PER_STATE = FENDER_STATE_PER_BODY, BODIES = 2 };
enum { X, Y, Z, TURN_X, TURN_Y, TURN_Z, VX, VY, VZ, LX, LY, LZ };
enum { MOST = PER_BODY * BODIES, STATES = PER_STATE * BODIES };

/* ---- Worlds */

/* A body of 2 kg with a ball, off its centre of mass by default, above ground. Laws as text: "normal hertz modulus=1e5,
 * friction coulomb mu=0.3". */
typedef struct setup {
    const char *laws;
    fender_integrator_method method; /* 0: rk4 */
    double step;
    bool located, centered, moving_ground, box;
    void (*loads)(fender_world *world, fender_body_id ball);
    const fender_env *env; /* NULL: the default */
    double gravity, mu;    /* m/s^2 along -z; m^3/s^2 of a point mass at the origin */
    fender_vec3 position, velocity, angular_velocity;
    fender_quaternion ground; /* 0: level */
} setup;

enum { SLOTS = 5, ROOM = 512 };
static const char *const slot_names[SLOTS] = {"law", "normal", "friction", "rolling", "twisting"};

/* The law of a slot in the text, with its parameters; NULL: none. */
static const fender_law *law_of(const char *text, const char *slot, unsigned char *parameters)
{
    char copy[400], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *part = strtok_r(copy, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
        char *rest = NULL, *word = strtok_r(part, " ", &rest);
        if (strcmp(word, slot) != 0) continue;
        const fender_law *law = fender_law_find(NULL, strtok_r(NULL, " ", &rest));
        assert_non_null(law);
        check_ok(fender_law_parameters_default(law, parameters, ROOM, &error));
        while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
            char *value = strchr(word, '=');
            *value = 0;
            check_ok(fender_law_parameters_set(law, parameters, ROOM, word, atof(value + 1), &error));
        }
        return law;
    }
    return NULL;
}

static void add_rule(fender_world *world, const char *laws)
{
    _Alignas(16) unsigned char parameters[SLOTS][ROOM];
    fender_contact_type_def def = fender_contact_type_def_default();
    const fender_law **const slots[SLOTS] = {&def.law, &def.normal, &def.friction, &def.rolling, &def.twisting};
    const void **const given[SLOTS] = {&def.law_parameters, &def.normal_parameters, &def.friction_parameters,
                                       &def.rolling_parameters, &def.twisting_parameters};
    def.name = "touch";
    for (int i = 0; i < SLOTS; i++) {
        *slots[i] = law_of(laws, slot_names[i], parameters[i]);
        if (*slots[i]) *given[i] = parameters[i];
    }
    fender_rule_def rule = fender_rule_def_default();
    check_ok(fender_contact_type_create(world, &def, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
}

static fender_body_id add_body(fender_world *world, const fender_body_def *def, const char *shape,
                               fender_geometry *geometry, fender_vec3 place)
{
    fender_body_id body;
    fender_shape_def of = fender_shape_def_default();
    check_ok(fender_body_create(world, def, &body, &error));
    of.name = shape;
    of.geometry = geometry;
    of.X_SG.p = place;
    check_ok(fender_shape_create(world, body, &of, NULL, &error));
    fender_geometry_release(geometry);
    return body;
}

static fender_world *create(const setup *s)
{
    const fender_env env = s->env ? *s->env : fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error fault = {0};
    def.method = s->method;
    if (s->step > 0) def.step = s->step;
    def.locate_events = s->located;
    def.relative_tolerance = 1e-12;
    if (s->gravity > 0) def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -s->gravity}, 0, {0, 0, 0}};
    if (s->mu > 0) def.gravity = (fender_gravity){FENDER_GRAVITY_POINT_MASS, {0, 0, 0}, s->mu, {0, 0, 0}};
    fender_world *world = fender_world_create(&env, &def, &fault);
    if (!world) fail_msg("%s", fault.message);
    return world;
}

static fender_world *build(setup s)
{
    const fender_env env = fender_env_default();
    fender_world *world = create(&s);
    fender_body_def ground = fender_body_def_default(), ball = fender_body_def_default();
    add_rule(world, s.laws ? s.laws : "law spring_damper stiffness=1e4");
    ground.name = "ground";
    ground.motion = s.moving_ground ? FENDER_MOTION_PRESCRIBED : FENDER_MOTION_FIXED;
    ground.state.velocity.z = s.moving_ground ? 0.1 : 0;
    if (s.ground.w != 0) ground.state.attitude = s.ground;
    add_body(world, &ground, "top", fender_geometry_plane(&env, NULL), (fender_vec3){0, 0, 0});
    ball.name = "ball";
    ball.mass_properties.mass = 2;
    ball.mass_properties.inertia = fender_mat3_diagonal(0.01, 0.012, 0.015);
    ball.state.position = s.position;
    ball.state.velocity = s.velocity;
    ball.state.angular_velocity = s.angular_velocity;
    fender_geometry *hull = s.box ? fender_geometry_box(&env, (fender_vec3){0.1, 0.1, 0.1}, NULL)
                                  : fender_geometry_sphere(&env, 0.1, NULL);
    fender_body_id body = add_body(world, &ball, "hull", hull,
                                   s.centered ? (fender_vec3){0, 0, 0} : (fender_vec3){0.02, 0, 0.01});
    if (s.loads) s.loads(world, body);
    check_ok(fender_world_initialize(world, &error));
    return world;
}
#define BUILD(...) build((setup){__VA_ARGS__})

static int identity(const fender_world *world, double *x)
{
    const int n = fender_world_deviation_count(world);
    assert_true(n <= MOST);
    for (int i = 0; i < n * n; i++) x[i] = i % (n + 1) == 0;
    return n;
}

/* The derivative of the state at `time`. */
static int follow(fender_world *world, double time, double *x)
{
    const int n = identity(world, x);
    check_ok(fender_world_advance_tangent(world, time, n, x, &error));
    return n;
}

/* ---- Differences */

/* exp(v) q in outer axes, by a Taylor series: v is small. */
static fender_quaternion turned(fender_vec3 v, fender_quaternion q)
{
    const double square = fender_vec3_dot(v, v);
    const double s = 0.5 - square / 48 + square * square / 3840;
    const fender_quaternion turn = {1 - square / 8 + square * square / 384, s * v.x, s * v.y, s * v.z};
    return fender_quaternion_normalized(fender_quaternion_product(turn, q));
}

/* The state y with a deviation of size h of one number. */
static void deviate(const double *y, int n, int column, double h, double *to)
{
    memcpy(to, y, (size_t)(n / PER_BODY * PER_STATE) * sizeof *y);
    double *body = to + column / PER_BODY * PER_STATE;
    const int part = column % PER_BODY;
    if (part < 3) body[part] += h;
    else if (part >= 6) body[part + 1] += h;
    else {
        const fender_vec3 v = {part == 3 ? h : 0, part == 4 ? h : 0, part == 5 ? h : 0};
        const fender_quaternion q = turned(v, (fender_quaternion){body[3], body[4], body[5], body[6]});
        body[3] = q.w, body[4] = q.x, body[5] = q.y, body[6] = q.z;
    }
}

/* The deviation between two states, over h. */
static void between(const double *low, const double *high, int n, double h, double *out)
{
    for (int b = 0; b < n / PER_BODY; b++) {
        const double *l = low + b * PER_STATE, *g = high + b * PER_STATE;
        double *to = out + b * PER_BODY;
        const fender_quaternion off = fender_quaternion_product((fender_quaternion){g[3], g[4], g[5], g[6]},
                                                                (fender_quaternion){l[3], -l[4], -l[5], -l[6]});
        const double size = sqrt(off.x * off.x + off.y * off.y + off.z * off.z);
        const double factor = size > 0 ? 2 * atan2(size, off.w) / size : 2;
        for (int i = 0; i < 3; i++) to[i] = (g[i] - l[i]) / h;
        to[3] = factor * off.x / h, to[4] = factor * off.y / h, to[5] = factor * off.z / h;
        for (int i = 6; i < 12; i++) to[i] = (g[i + 1] - l[i + 1]) / h;
    }
}

typedef void motion(fender_world *world, const double *y, double time, double *end);

static void run(fender_world *world, const double *y, double time, double *end)
{
    fender_snapshot *start = NULL;
    start = fender_snapshot_take(world, NULL);
    assert_non_null(start);
    check_ok(fender_world_set_state(world, fender_world_time(world), y, &error));
    check_ok(fender_world_commit(world, &error));
    check_ok(fender_world_advance_to(world, time, &error));
    fender_world_get_state(world, end);
    check_ok(fender_snapshot_restore(world, start, &error));
    fender_snapshot_destroy(start);
}

/* Central differences of runs, of steps h and h / 2 and extrapolated. */
static void differences(fender_world *world, double time, double h, double *x)
{
    const int n = fender_world_deviation_count(world);
    double y[STATES];
    fender_world_get_state(world, y);
    for (int c = 0; c < n; c++) {
        double slope[2][MOST];
        for (int k = 0; k < 2; k++) {
            double start[STATES], ends[2][STATES];
            const double step = k == 0 ? h : 0.5 * h;
            for (int side = 0; side < 2; side++) {
                deviate(y, n, c, side == 0 ? -step : step, start);
                run(world, start, time, ends[side]);
            }
            between(ends[0], ends[1], n, 2 * step, slope[k]);
        }
        for (int i = 0; i < n; i++) x[i * n + c] = slope[1][i] + (slope[1][i] - slope[0][i]) / 3;
    }
}

static double largest_gap(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n * n; i++) {
        const double gap = fabs(a[i] - b[i]) / larger(1, fabs(b[i]));
        if (!(gap <= most)) most = gap;
    }
    return most;
}

/* Along runs without events: both are derivatives of the same steps. */
static void check_differences(fender_world *world, double time, double h, double tolerance)
{
    double x[MOST * MOST], expected[MOST * MOST];
    differences(world, time, h, expected);
    const int n = follow(world, time, x);
    check_below(largest_gap(x, expected, n), tolerance);
    fender_world_destroy(world);
}

/* ---- Free motion */

static double determinant(const double *from, int n)
{
    double a[MOST * MOST], product = 1;
    memcpy(a, from, (size_t)(n * n) * sizeof *a);
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        for (int j = 0; j < n && best != k; j++) {
            const double kept = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = kept;
        }
        product *= best == k ? a[k * n + k] : -a[k * n + k];
        for (int i = k + 1; i < n; i++)
            for (int j = n - 1; j >= k; j--) a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
    }
    return product;
}

/* Without forces: positions go on, angular momentum stays, volume in (rotation, angular momentum) is kept (Liouville),
 * and the energy at the end has the derivatives of that at the start. */
static void free_flight(fender_integrator_method method, double tolerance)
{
    fender_world *world = BUILD(.method = method, .step = 1e-3, .position = {0, 0, 5}, .angular_velocity = {3, 2, -4});
    double x[MOST * MOST], y[2][PER_STATE];
    fender_world_get_state(world, y[0]);
    const int n = follow(world, 0.5, x);
    fender_world_get_state(world, y[1]);
    assert_int_equal(n, PER_BODY);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i < 3) check_near(x[i * n + j], i == j ? 1 : i + 6 == j ? 0.5 : 0, 1e-14);
            if (i >= 6) check_near(x[i * n + j], i == j, 1e-14);
        }
    check_near(determinant(x, n), 1, tolerance);
    const double inertia[3] = {0.01, 0.012, 0.015};
    double gradient[2][PER_BODY] = {{0}};
    for (int k = 0; k < 2; k++) { /* E = L.w / 2: by the rotation vector w x L, by the angular momentum w */
        const fender_quaternion q = {y[k][3], y[k][4], y[k][5], y[k][6]};
        const fender_vec3 L = {y[k][10], y[k][11], y[k][12]};
        fender_vec3 l = fender_quaternion_rotate(fender_quaternion_conjugate(q), L);
        l = fender_vec3_make(l.x / inertia[0], l.y / inertia[1], l.z / inertia[2]);
        const fender_vec3 w = fender_quaternion_rotate(q, l), by_turn = fender_vec3_cross(w, L);
        gradient[k][TURN_X] = by_turn.x, gradient[k][TURN_Y] = by_turn.y, gradient[k][TURN_Z] = by_turn.z;
        gradient[k][LX] = w.x, gradient[k][LY] = w.y, gradient[k][LZ] = w.z;
    }
    for (int j = 3; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += gradient[1][i] * x[i * n + j];
        if (j < 6 || j >= 9) check_near(sum, gradient[0][j], tolerance);
    }
    fender_world_destroy(world);
}

static void free_flights(void **state)
{
    (void)state;
    free_flight(FENDER_INTEGRATOR_RK4, 1e-9);
    free_flight(FENDER_INTEGRATOR_DOPRI5, 1e-9);
    free_flight(FENDER_INTEGRATOR_DOP853, 1e-9);
}

/* The gravity of a point mass: the derivative is that of the steps. */
static void orbit(void **state)
{
    (void)state;
    check_differences(BUILD(.step = 1e-2, .mu = 100, .position = {5, 1, 7}, .velocity = {1, 3, -1}), 2, 1e-3, 1e-9);
}

/* ---- A linear spring */

/* z'' = -k/m d - c/m d': the matrix exponential of a damped oscillator. */
static void oscillator(void **state)
{
    (void)state;
    const double k = 800, c = 6, m = 2, t = 0.2;
    fender_world *world = BUILD(.laws = "law spring_damper stiffness=800 damping=6", .step = 2e-4, .gravity = 9.81,
                                .centered = true, .position = {0, 0, 0.06});
    double x[MOST * MOST];
    const int n = follow(world, t, x);
    const double decay = c / (2 * m), w = sqrt(k / m - decay * decay), e = exp(-decay * t), s = sin(w * t) / w;
    check_near(x[Z * n + Z], e * (cos(w * t) + decay * s), 1e-9);
    check_near(x[Z * n + VZ], e * s, 1e-9);
    check_near(x[VZ * n + Z], -e * k / m * s, 1e-8);
    check_near(x[VZ * n + VZ], e * (cos(w * t) - decay * s), 1e-9);
    for (int j = 0; j < n; j++)
        if (j != Z && j != VZ) check_near(x[Z * n + j], 0, 1e-12);
    fender_world_destroy(world);
}

/* Without gravity a ball at speed v touches after (z - R) / v, presses for T, leaves at the depth p v with the speed e
 * v: its end is R - p v + e v (t - T) - e (z - R), by the piecewise exact solution of the clipped spring and damper. */
static void impact(void **state)
{
    (void)state;
    const double k = 1e4, c = 40, m = 2, v = 2, t = 0.3, w = sqrt(k / m), ratio = c / (2 * sqrt(k * m));
    const double damped = w * sqrt(1 - ratio * ratio);
    const double T = atan2(2 * ratio * sqrt(1 - ratio * ratio), 2 * ratio * ratio - 1) / damped;
    const double e = exp(-ratio * w * T), p = e * sin(damped * T) / damped;
    fender_world *world = BUILD(.laws = "law spring_damper stiffness=1e4 damping=40", .step = 1e-4, .located = true,
                                .centered = true, .position = {0, 0, 0.25013}, .velocity = {0.5, 0, -2});
    double x[MOST * MOST];
    const int n = follow(world, t, x);
    assert_int_equal(fender_world_event_count(world, FENDER_EVENT_END), 1);
    check_near(x[Z * n + Z], -e, 1e-9);
    check_near(x[VZ * n + Z], 0, 1e-8);
    check_near(x[VZ * n + VZ], -e, 1e-9);
    check_near(x[Z * n + VZ], p - e * (t - T), 1e-9);
    check_near(x[X * n + VX], t, 1e-12);
    check_near(x[X * n + Z], 0, 1e-12);
    (void)v;
    fender_world_destroy(world);
}

/* A law that gives back the part e of any speed remembers the speed of the approach: the end speed has the derivative
 * -e by it. With the damping of one speed it would be another. */
static void restitution(void **state)
{
    (void)state;
    fender_world *world = BUILD(.laws = "law hunt_crossley stiffness=1e6 restitution=0.6",
                                .method = FENDER_INTEGRATOR_DOP853, .centered = true, .position = {0, 0, 0.25013},
                                .velocity = {0.5, 0, -2});
    double x[MOST * MOST];
    const int n = follow(world, 0.3, x);
    assert_int_equal(fender_world_event_count(world, FENDER_EVENT_END), 1);
    check_near(x[Z * n + Z], -0.6, 1e-8);
    check_near(x[VZ * n + Z], 0, 1e-8);
    check_near(x[VZ * n + VZ], -0.6, 1e-8);
    fender_world_destroy(world);
}

/* The jump at a touch, just after it: a damper's force begins with c v, so that who is higher by dz has slowed down
 * less, by c v / m times dz / v. A spring begins with nothing: no jump. */
static void jump_at_touch(void **state)
{
    (void)state;
    const char *laws[] = {"law spring_damper stiffness=1e4 damping=40", "law spring_damper stiffness=1e4",
                          "law hunt_crossley stiffness=1e6 dissipation=0.2"};
    const double jumps[] = {-40.0 / 2, 0, 0};
    for (int i = 0; i < 3; i++) {
        fender_world *world = BUILD(.laws = laws[i], .step = 1e-2, .located = true, .centered = true,
                                    .position = {0, 0, 0.15}, .velocity = {0, 0, -2});
        double x[MOST * MOST];
        const int n = follow(world, 0.025 + 1e-8, x);
        assert_int_equal(fender_world_event_count(world, FENDER_EVENT_BEGIN), 1);
        check_near(x[VZ * n + Z], jumps[i], 2e-4);
        check_near(x[VZ * n + VZ], 1 + 0.025 * jumps[i], 1e-5);
        fender_world_destroy(world);
    }
}

/* ---- Contacts against differences */

#define PRESSED .step = 1e-3, .position = {0.3, 0.2, 0.07}, .velocity = {0.5, -0.3, 0.1}, .angular_velocity = {3, 2, -4}

/* A ball whose centre is not its centre of mass slides, rolls and twists on a tilted plane. */
static void every_law_on_a_plane(void **state)
{
    (void)state;
    const char *laws[] = {
        "law spring_damper stiffness=3e3 damping=4 mu=0.3 slip_speed=0.2",
        "normal hertz modulus=1e5 dissipation=0.3, friction coulomb mu=0.3 slip_speed=0.2,"
        "rolling rolling_resistance arm=0.01 roll_rate=2, twisting torsional mu=0.3 radius=0.02 twist_rate=1",
        "normal hunt_crossley stiffness=2e4 exponent=1.3 dissipation=0.3,"
        "friction stribeck mu_static=0.5 mu_kinetic=0.2 stribeck_speed=0.5 viscous=0.1 slip_speed=0.2",
        "normal smooth_spring_damper stiffness=3e3 damping=4 transition_width=0.2,"
        "friction smooth_stick_slip mu_static=0.5 mu_dynamic=0.2 critical_velocity=0.4",
        "normal impact stiffness=2e4 damping=8 full_depth=0.2, friction none",
    };
    const fender_quaternion tilted = fender_quaternion_normalized((fender_quaternion){1, 0.04, 0.08, 0.02});
    for (int i = 0; i < 5; i++) check_differences(BUILD(.laws = laws[i], .ground = tilted, PRESSED), 0.02, 2e-3, 2e-9);
}

/* A spring and a bushing between points off the centres. */
static void add_links(fender_world *world, fender_body_id first, fender_body_id second)
{
    fender_link_spring_damper spring = {.limit = INFINITY};
    spring.free_length = 0.3;
    spring.stiffness = 2e3;
    spring.damping = 10;
    fender_link_spring_damper_6dof bushing = {.limit = INFINITY, .angular_limit = INFINITY};
    bushing.stiffness = (fender_vec3){2e3, 1e3, 500};
    bushing.damping = (fender_vec3){3, 2, 1};
    bushing.angular_stiffness = (fender_vec3){20, 10, 5};
    bushing.angular_damping = (fender_vec3){0.03, 0.02, 0.01};
    bushing.free_position = (fender_vec3){0.1, 0.1, 0.1};
    for (int i = 0; i < 2; i++) {
        fender_link_def def = fender_link_def_default();
        const fender_pose at = {{0.03, 0.05, -0.02 * i}, fender_quaternion_identity()};
        check_ok(fender_point_create(world, first, i ? "p" : "q", at, &def.a, &error));
        check_ok(fender_point_create(world, second, i ? "p" : "q", at, &def.b, &error));
        def.name = i ? "bushing" : "spring";
        def.law = i ? FENDER_LINK_SPRING_DAMPER_6DOF : FENDER_LINK_SPRING_DAMPER;
        def.parameters = i ? (const void *)&bushing : &spring;
        check_ok(fender_link_create(world, &def, NULL, &error));
    }
}

static fender_world *two_balls(bool linked)
{
    const fender_env env = fender_env_default();
    const setup s = {.step = 1e-3};
    fender_world *world = create(&s);
    add_rule(world, "law spring_damper stiffness=3e3 damping=4 mu=0.3 slip_speed=0.2");
    fender_body_def one = fender_body_def_default(), other = one;
    one.name = "one";
    one.mass_properties.mass = 2;
    one.mass_properties.inertia = fender_mat3_diagonal(0.01, 0.012, 0.015);
    one.state.angular_velocity = (fender_vec3){3, 2, -4};
    one.state.velocity = (fender_vec3){0.1, 0.2, 0.1};
    other.name = "other";
    other.mass_properties.mass = 1;
    other.mass_properties.inertia = fender_mat3_diagonal(0.02, 0.01, 0.025);
    other.state.position = (fender_vec3){0.15, 0.2, 0.1};
    other.state.angular_velocity = (fender_vec3){-1, 2, 3};
    other.state.velocity = (fender_vec3){-0.3, 0.2, -0.5};
    const fender_body_id first = add_body(world, &one, "hull", fender_geometry_sphere(&env, 0.1, NULL),
                                          (fender_vec3){0.02, 0, 0.01});
    const fender_body_id second = add_body(world, &other, "hull", fender_geometry_sphere(&env, 0.2, NULL),
                                           (fender_vec3){0, -0.03, 0.01});
    if (linked) add_links(world, first, second);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* The sum of both momenta keeps its derivatives, too: `conserve` of the steps has one. */
static void two_balls_that_press(void **state)
{
    (void)state;
    fender_world *world = two_balls(false);
    double x[MOST * MOST], y[2][STATES];
    fender_world_get_state(world, y[0]);
    const int n = follow(world, 0.02, x);
    fender_world_get_state(world, y[1]);
    const double mass[2] = {2, 1};
    for (int j = 0; j < n; j++) { /* P = sum m v; J_z = sum m (x v_y - y v_x) + L_z */
        double p = 0, turn = 0, turn_before = 0;
        for (int b = 0; b < 2; b++) {
            const double *s = y[1] + b * PER_STATE, *s0 = y[0] + b * PER_STATE;
            const double *d = x + b * PER_BODY * n + j, in = j / PER_BODY == b ? 1 : 0;
            const int part = j % PER_BODY;
            p += mass[b] * d[VX * n];
            turn += mass[b] * (d[X * n] * s[8] + s[0] * d[VY * n] - d[Y * n] * s[7] - s[1] * d[VX * n]) + d[LZ * n];
            turn_before += in * (part == X    ? mass[b] * s0[8]
                                 : part == Y  ? -mass[b] * s0[7]
                                 : part == VX ? -mass[b] * s0[1]
                                 : part == VY ? mass[b] * s0[0]
                                              : part == LZ);
        }
        check_near(p, j % PER_BODY == VX ? mass[j / PER_BODY] : 0, 1e-12);
        check_near(turn, turn_before, 1e-12);
    }
    fender_world_destroy(world);
    check_differences(two_balls(false), 0.02, 1e-3, 2e-9);
}

/* ---- Loads and links */

static fender_load_def load_of(const char *name, fender_body_id body, fender_load_kind kind)
{
    fender_load_def def = fender_load_def_default();
    def.name = name;
    def.body = body;
    def.kind = kind;
    def.at_center = false;
    def.point = (fender_vec3){0.05, -0.02, 0.03};
    return def;
}

static void add_loads(fender_world *world, fender_body_id ball)
{
    fender_load_def push = load_of("push", ball, FENDER_LOAD_GIVEN), drag = load_of("drag", ball, FENDER_LOAD_DRAG);
    fender_load_def pull = load_of("pull", ball, FENDER_LOAD_GIVEN); /* a force without a torque */
    fender_load_def spring = load_of("spring", ball, FENDER_LOAD_SPRING),
                    jet = load_of("jet", ball, FENDER_LOAD_THRUSTER);
    push.axes = FENDER_AXES_BODY;
    push.force.kind = push.torque.kind = FENDER_SIGNAL_CONSTANT;
    push.force.constant = (fender_vec3){3, -2, 5};
    push.torque.constant = (fender_vec3){0.1, 0.2, -0.3};
    pull.force.kind = FENDER_SIGNAL_CONSTANT;
    pull.force.constant = (fender_vec3){0.5, 0, -1};
    drag.drag = (fender_load_drag){2, 3, 0.01, 0.02, {1, 0, 2}};
    spring.spring.stiffness = 100;
    spring.spring.damping = 2;
    spring.spring.anchor = (fender_vec3){0.1, 0.3, -0.2};
    jet.thruster.thrust = 20;
    jet.thruster.throttle = 0.5;
    jet.thruster.direction = (fender_vec3){0, 0.6, -0.8};
    check_ok(fender_load_create(world, &push, NULL, &error));
    check_ok(fender_load_create(world, &pull, NULL, &error));
    check_ok(fender_load_create(world, &drag, NULL, &error));
    check_ok(fender_load_create(world, &spring, NULL, &error));
    check_ok(fender_load_create(world, &jet, NULL, &error));
}

static void loads_and_links(void **state)
{
    (void)state;
    check_differences(BUILD(.loads = add_loads, .laws = "law spring_damper stiffness=1e3", PRESSED), 0.02, 1e-3, 5e-9);
    check_differences(two_balls(true), 0.02, 4e-4, 2e-9);
}

static void add_growing(fender_world *world, fender_body_id ball)
{
    fender_load_def push = load_of("push", ball, FENDER_LOAD_GIVEN);
    push.force.kind = FENDER_SIGNAL_RAMP;
    push.force.rate = 1;
    push.force.direction = (fender_vec3){0, 0, 1};
    check_ok(fender_load_create(world, &push, NULL, &error));
}

static void add_tether(fender_world *world, fender_body_id ball)
{
    fender_link_tether tether = {.limit = INFINITY};
    fender_body_id ground;
    fender_link_def def = fender_link_def_default();
    tether.stiffness = 10;
    tether.length = 0.05;
    check_ok(fender_body_find(world, "ground", &ground));
    const fender_pose at = {{0, 0, 0}, fender_quaternion_identity()};
    check_ok(fender_point_create(world, ground, "end", at, &def.a, &error));
    check_ok(fender_point_create(world, ball, "end", at, &def.b, &error));
    def.name = "rope";
    def.law = FENDER_LINK_TETHER;
    def.parameters = &tether;
    check_ok(fender_link_create(world, &def, NULL, &error));
}

static void add_part(fender_world *world, fender_body_id ball)
{
    fender_body_def def = fender_body_def_default();
    fender_attach_def attach = fender_attach_def_default();
    fender_part_motion path = fender_part_motion_default();
    const double times[2] = {0, 1};
    const fender_vec3 positions[2] = {{0, 0, 0}, {0.1, 0, 0}};
    def.name = "arm";
    def.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
    check_ok(fender_body_create(world, &def, &attach.child, &error));
    attach.parent = ball;
    attach.pose = FENDER_ATTACH_POSED;
    attach.X_PC = fender_pose_identity();
    check_ok(fender_body_attach(world, &attach, NULL, &error));
    path.times = times;
    path.positions = positions;
    path.count = 2;
    check_ok(fender_body_set_part_motion(world, attach.child, &path, &error));
}

static void add_brake(fender_world *world, fender_body_id ball)
{
    fender_link_friction brake = {FENDER_FRICTION_HINGE, .load = 5, .radius = INFINITY, .arm = 0.1};
    fender_body_id ground;
    fender_link_def def = fender_link_def_default();
    check_ok(fender_body_find(world, "ground", &ground));
    check_ok(fender_contact_type_find(world, "touch", &def.use));
    check_ok(fender_point_create(world, ground, "pin", fender_pose_identity(), &def.a, &error));
    check_ok(fender_point_create(world, ball, "pin", fender_pose_identity(), &def.b, &error));
    def.name = "brake";
    def.law = FENDER_LINK_FRICTION;
    def.parameters = &brake;
    check_ok(fender_link_create(world, &def, NULL, &error));
}

/* ---- The bits of a run */

static void same_bits(void **state)
{
    (void)state;
    fender_world *worlds[2];
    for (int i = 0; i < 2; i++)
        worlds[i] = BUILD(.laws = "law spring_damper stiffness=1e4 damping=40 mu=0.3", .step = 1e-3, .located = true,
                          .gravity = 9.81, .position = {0, 0, 0.25}, .angular_velocity = {3, 2, -4});
    double x[MOST * MOST];
    for (double time = 0.0837; time < 0.7; time += 0.0837) {
        check_ok(fender_world_advance_to(worlds[0], time, &error));
        follow(worlds[1], time, x);
        assert_true(fender_world_hash(worlds[0]) == fender_world_hash(worlds[1]));
        fender_body_data data[2];
        for (int i = 0; i < 2; i++) {
            fender_body_id ball;
            check_ok(fender_body_find(worlds[i], "ball", &ball));
            check_ok(fender_body_get(worlds[i], ball, FENDER_CLOCK_COMMITTED, &data[i]));
        }
        assert_memory_equal(&data[0].contact_force_last_stage, &data[1].contact_force_last_stage, sizeof(fender_vec3));
    }
    assert_true(fender_world_event_count(worlds[0], FENDER_EVENT_BEGIN) >= 2);
    fender_world_destroy(worlds[0]);
    fender_world_destroy(worlds[1]);
}

/* Along columns that are not the identity, and in two parts: the chain rule. */
static void columns(void **state)
{
    (void)state;
    double whole[MOST * MOST], x[MOST * MOST], three[PER_BODY * 3];
    for (int way = 0; way < 2; way++) {
        fender_world *world = BUILD(.laws = "law spring_damper stiffness=1e3 damping=4 mu=0.3", PRESSED);
        const int n = identity(world, x);
        if (way == 0) {
            check_ok(fender_world_advance_tangent(world, 0.02, n, x, &error));
            memcpy(whole, x, sizeof whole);
        } else {
            check_ok(fender_world_advance_tangent(world, 0.01, n, x, &error));
            for (int i = 0; i < n; i++)
                for (int c = 0; c < 3; c++) three[3 * i + c] = x[i * n + 4 * c + 1];
            check_ok(fender_world_advance_tangent(world, 0.02, 3, three, &error));
            for (int i = 0; i < n; i++)
                for (int c = 0; c < 3; c++) check_near(three[3 * i + c], whole[i * n + 4 * c + 1], 1e-12);
        }
        fender_world_destroy(world);
    }
}

/* ---- About a state */

static void linear_equations(void **state)
{
    (void)state;
    fender_world *world = BUILD(.laws = "law spring_damper stiffness=3e3 damping=4 mu=0.3 slip_speed=0.2", PRESSED);
    double a[MOST * MOST], y[PER_STATE], rates[2][PER_STATE], slope[2][PER_BODY];
    check_ok(fender_world_linearize(world, a, &error));
    const int n = PER_BODY;
    fender_world_get_state(world, y);
    for (int c = 0; c < n; c++) { /* rates of position, velocity and momentum by differences */
        for (int k = 0; k < 2; k++) {
            const double h = k == 0 ? 4e-4 : 2e-4;
            for (int side = 0; side < 2; side++) {
                double moved[PER_STATE];
                deviate(y, n, c, side == 0 ? -h : h, moved);
                check_ok(fender_world_set_state(world, 0, moved, &error));
                check_ok(fender_world_derivative(world, rates[side], &error));
            }
            for (int i = 0; i < n; i++)
                slope[k][i] = i >= 3 && i < 6 ? 0
                                              : (rates[1][i < 3 ? i : i + 1] - rates[0][i < 3 ? i : i + 1]) / (2 * h);
        }
        for (int i = 0; i < n; i++)
            if (i < 3 || i >= 6) check_near(a[i * n + c], (4 * slope[1][i] - slope[0][i]) / 3, 1e-7);
    }
    check_near(a[VZ * n + Z], -3e3 / 2, 1e-9);
    check_near(a[VZ * n + VZ], -4.0 / 2, 1e-12);
    /* of the rotation vector: R J^-1 R^T (dL - v x L), the attitude being the identity */
    const double L[3] = {y[10], y[11], y[12]}, inertia[3] = {0.01, 0.012, 0.015};
    check_near(a[TURN_X * n + LX], 1 / inertia[0], 1e-9);
    check_near(a[TURN_Y * n + TURN_X], L[2] / inertia[1], 1e-9);
    check_near(a[TURN_Z * n + TURN_X], -L[1] / inertia[2], 1e-9);
    check_near(a[TURN_X * n + TURN_X], 0, 1e-12);
    fender_world_destroy(world);
}

/* ---- Refusals */

static void refused(fender_world *world, const char *words)
{
    double x[MOST * MOST], kept[MOST * MOST];
    fender_error fault = {0};
    const int n = identity(world, x);
    memcpy(kept, x, sizeof kept);
    if (fender_world_advance_tangent(world, 0.5, n, x, &fault) != FENDER_STATUS_STATE)
        fail_msg("'%s' is not refused: %s", words, fault.message);
    if (!strstr(fault.message, words)) fail_msg("'%s' is not in '%s'", words, fault.message);
    assert_true(strlen(fault.suggestion) > 0 && strlen(fault.expected) > 0);
    assert_memory_equal(x, kept, (size_t)(n * n) * sizeof *x);
    check_ok(fender_world_advance_to(world, 0.5, &error)); /* it goes on */
    fender_world_destroy(world);
}

static void check_initialized(fender_world *world) { check_ok(fender_world_initialize(world, &error)); }

static void what_has_no_derivative(void **state)
{
    (void)state;
    refused(BUILD(.method = FENDER_INTEGRATOR_VELOCITY_VERLET, PRESSED), "velocity_verlet");
    refused(BUILD(.laws = "law jkr modulus=1e5 work=0.1", PRESSED), "ground.top:ball.hull");
    refused(BUILD(.laws = "normal spring_damper stiffness=1e3, friction dahl mu=0.3 amplitude=1e-3", PRESSED),
            "history");
    refused(BUILD(.laws = "law hunt_crossley stiffness=1e4 restitution=0.5", .step = 1e-3, .position = {0, 0, 0.25},
                  .velocity = {0, 0, -2}),
            "was not located");
    refused(BUILD(.box = true, PRESSED), "not a ball");
    refused(BUILD(.laws = "law spring_damper stiffness=1e4 damping=5", .step = 1e-3, .position = {0, 0, 0.25},
                  .velocity = {0, 0, -2}),
            "jumps");
    refused(BUILD(.loads = add_growing, PRESSED), "the load 'push'");
    refused(BUILD(.loads = add_tether, PRESSED), "the link 'rope'");
    refused(BUILD(.loads = add_brake, .laws = "normal spring_damper stiffness=1e3, friction coulomb mu=0.3", PRESSED),
            "the link 'brake'");
    refused(BUILD(.loads = add_part, PRESSED), "parts of the tree");
    refused(BUILD(.moving_ground = true, PRESSED), "ground");
    fender_world *world = BUILD(PRESSED);
    double x[PER_BODY] = {0};
    fender_error error = {0};
    assert_int_equal(fender_world_advance_tangent(world, 0.1, 0, x, &error), FENDER_STATUS_ARGUMENT);
    const double times[] = {-0.1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) { /* as fender_world_advance_to says */
        fender_error tangent = {0}, alone = {0};
        assert_int_equal(fender_world_advance_tangent(world, times[i], 1, x, &tangent), FENDER_STATUS_VALUE);
        assert_int_equal(fender_world_advance_to(world, times[i], &alone), FENDER_STATUS_VALUE);
        assert_string_equal(tangent.message, i == 0 ? "the time is in the past" : "the time is not finite");
        assert_string_equal(tangent.message, alone.message);
        assert_string_equal(tangent.expected, alone.expected);
        assert_string_equal(tangent.suggestion, alone.suggestion);
    }
    assert_int_equal(fender_world_advance_tangent(NULL, 0.1, 1, x, &error), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_world_linearize(world, NULL, &error), FENDER_STATUS_ARGUMENT);
    fender_world_destroy(world);
    const setup nothing = {0};
    world = create(&nothing);
    assert_int_equal(fender_world_advance_tangent(world, 0.1, 1, x, &error), FENDER_STATUS_STATE); /* not initialized */
    check_initialized(world);
    assert_int_equal(fender_world_advance_tangent(world, 0.1, 1, NULL, &error), FENDER_STATUS_OK);
    assert_int_equal(fender_world_linearize(world, NULL, &error), FENDER_STATUS_OK);
    assert_true(fender_world_time(world) == 0.1 && fender_world_deviation_count(world) == 0);
    fender_world_destroy(world);
}

/* Each allocation fails in turn: nothing is lost, the columns stay, and the world goes on. */
static void without_memory(void **state)
{
    (void)state;
    counted_memory memory = {0};
    const fender_env env = counted_env(&memory);
    fender_status status = FENDER_STATUS_MEMORY;
    int failures = 0;
    for (; status == FENDER_STATUS_MEMORY && failures < 100; failures++) {
        fender_world *world = BUILD(.laws = "law hunt_crossley stiffness=1e6 restitution=0.6", .step = 1e-3,
                                    .located = true, .position = {0, 0, 0.13}, .velocity = {0.5, 0, -2}, .env = &env);
        double x[MOST * MOST], kept[MOST * MOST];
        fender_error fault = {0};
        const int n = identity(world, x);
        memcpy(kept, x, sizeof kept);
        memory.fail_at = memory.calls + 1 + failures;
        status = fender_world_advance_tangent(world, 0.02, n, x, &fault);
        if (status) assert_memory_equal(x, kept, (size_t)(n * n) * sizeof *x);
        memory.fail_at = 0;
        check_ok(fender_world_advance_to(world, 0.03, &error));
        fender_world_destroy(world);
        assert_int_equal(memory.live, 0);
    }
    assert_int_equal(status, FENDER_STATUS_OK);
    assert_true(failures > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flights),
        cmocka_unit_test(orbit),
        cmocka_unit_test(oscillator),
        cmocka_unit_test(impact),
        cmocka_unit_test(restitution),
        cmocka_unit_test(jump_at_touch),
        cmocka_unit_test(every_law_on_a_plane),
        cmocka_unit_test(two_balls_that_press),
        cmocka_unit_test(loads_and_links),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(columns),
        cmocka_unit_test(linear_equations),
        cmocka_unit_test(what_has_no_derivative),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
