/* Velocity Verlet without any contact code: order, symmetry in time, energy, momenta, states of first order. */
#include "body/body.h"
#include "check.h"
#include "integrate/ode.h"
#include "random_numbers.h"
#include <string.h>

enum { MOST = 24 };

typedef struct problem {
    fnd_ode ode;
    fender_mat3 inverse_inertia;
    double damping;
    int asked[FND_STAGE_CAPACITY];
} problem;

static void drift(void *ctx, double h, const fender_quaternion *q, const double *y, fender_quaternion *new_q,
                  double *new_y)
{
    const problem *p = ctx;
    int np = p->ode.position_count, count = np + p->ode.momentum_count + p->ode.state_count;
    memcpy(new_y, y, (size_t)count * sizeof *y);
    for (int i = 0; i < np; i++) new_y[i] += h * y[np + i];
    if (p->ode.rotation_count)
        new_q[0] = fnd_free_rotation(&p->inverse_inertia, false, q[0], fender_vec3_make(y[np], y[np + 1], y[np + 2]),
                                     h);
}

/* x'' = -sin x */
static bool pendulum(void *ctx, int stage, double time, const fender_quaternion *q, const double *y, fender_vec3 *w,
                     double *rate)
{
    (void)time, (void)q, (void)w;
    ((problem *)ctx)->asked[stage]++;
    rate[0] = y[1];
    rate[1] = -sin(y[0]);
    return true;
}
/* x'' = -x - 2 r x' */
static bool damped(void *ctx, int stage, double time, const fender_quaternion *q, const double *y, fender_vec3 *w,
                   double *rate)
{
    (void)stage, (void)time, (void)q, (void)w;
    const problem *p = ctx;
    rate[0] = y[1];
    rate[1] = -y[0] - 2 * p->damping * y[1];
    return true;
}
/* x'' = -x - s, s' = x + x' - s: a force with a memory of its own */
static bool remembering(void *ctx, int stage, double time, const fender_quaternion *q, const double *y, fender_vec3 *w,
                        double *rate)
{
    (void)ctx, (void)stage, (void)time, (void)q, (void)w;
    rate[0] = y[1];
    rate[1] = -y[0] - y[2];
    rate[2] = y[0] + y[1] - y[2];
    return true;
}
static void remembering_kinematics(void *ctx, const fender_quaternion *q, const double *y, fender_vec3 *w, double *rate)
{
    (void)ctx, (void)q, (void)w;
    rate[0] = y[1];
    rate[2] = y[0] + y[1] - y[2];
}
/* v' = -s, s' = v: a spring whose stretch is a state, as that of sticking friction; the position only follows */
static bool bristle(void *ctx, int stage, double time, const fender_quaternion *q, const double *y, fender_vec3 *w,
                    double *rate)
{
    (void)ctx, (void)stage, (void)time, (void)q, (void)w;
    rate[0] = rate[2] = y[1];
    rate[1] = -y[2];
    return true;
}
static void bristle_kinematics(void *ctx, const fender_quaternion *q, const double *y, fender_vec3 *w, double *rate)
{
    (void)ctx, (void)q, (void)w;
    rate[0] = rate[2] = y[1];
}
/* A rotor with a torque along x of the outer axes, and one that holds a body axis back: depends on time and attitude */
static bool rotor(void *ctx, int stage, double time, const fender_quaternion *q, const double *y, fender_vec3 *w,
                  double *rate)
{
    (void)ctx, (void)stage, (void)y;
    fender_vec3 axis = fender_quaternion_rotate(q[0], fender_vec3_make(0.6, 0, 0.8));
    w[0] = fender_vec3_make(0, 0, 0);
    rate[0] = sin(time) + axis.y;
    rate[1] = -axis.x;
    rate[2] = 0;
    return true;
}

/* `duration` in `steps` equal steps from `start` */
static void integrate(problem *p, const fnd_method *method, double start, double duration, int steps,
                      fender_quaternion *q, double *y)
{
    fender_env env = fender_env_default();
    fnd_ode_workspace workspace;
    p->ode.ctx = p;
    p->ode.drift = drift;
    assert_true(fnd_ode_workspace_create(&env, &p->ode, method, &workspace));
    int count = p->ode.position_count + p->ode.momentum_count + p->ode.state_count;
    for (int i = 0; i < steps; i++) {
        fender_quaternion new_q = {1, 0, 0, 0};
        double new_y[MOST];
        assert_true(method->step(method, &p->ode, &workspace, start + i * duration / steps, duration / steps, q, y,
                                 &new_q, new_y));
        memcpy(y, new_y, (size_t)count * sizeof *y);
        if (p->ode.rotation_count) *q = new_q;
    }
    fnd_ode_workspace_destroy(&env, &workspace);
}

static void check_order(const char *what, const double *errors, int count, double within)
{
    double order = log2(errors[0] / errors[count - 1]) / (count - 1);
    printf("%s: errors", what);
    for (int i = 0; i < count; i++) printf(" %.2e", errors[i]);
    printf("; order %.2f\n", order);
    check_near(order, 2, within);
}

static problem oscillator(bool (*rates)(void *, int, double, const fender_quaternion *, const double *, fender_vec3 *,
                                        double *))
{
    return (problem){.ode = {.position_count = 1, .momentum_count = 1, .rates = rates}};
}

/* Against runs of the same method with steps so short that their error is a ten-thousandth. */
static void orders(void **state)
{
    (void)state;
    double errors[4], best[MOST] = {2, 0.5};
    problem p = oscillator(pendulum);
    integrate(&p, &fnd_rk4, 0, 6, 20000, NULL, best);
    for (int i = 0; i < 4; i++) {
        double y[MOST] = {2, 0.5};
        p = oscillator(pendulum);
        integrate(&p, &fnd_velocity_verlet, 0, 6, 100 << i, NULL, y);
        errors[i] = hypot(y[0] - best[0], y[1] - best[1]);
        assert_true(p.asked[0] == 100 << i && p.asked[1] == 100 << i);
    }
    check_order("pendulum", errors, 4, 0.1);

    const double ratios[] = {0.1, 0.7};
    for (int k = 0; k < 2; k++) {
        double r = ratios[k], f = sqrt(1 - r * r), t = 3;
        double x = exp(-r * t) * (cos(f * t) + r / f * sin(f * t)), v = -exp(-r * t) * sin(f * t) / f;
        for (int i = 0; i < 4; i++) {
            double y[MOST] = {1, 0};
            p = oscillator(damped);
            p.damping = r;
            integrate(&p, &fnd_velocity_verlet, 0, t, 60 << i, NULL, y);
            errors[i] = hypot(y[0] - x, y[1] - v);
        }
        check_order(k ? "damped oscillator, r = 0.7" : "damped oscillator, r = 0.1", errors, 4, 0.1);
    }

    double memory[MOST] = {1, 0.3, -0.5};
    problem m = {.ode = {.position_count = 1,
                         .momentum_count = 1,
                         .state_count = 1,
                         .rates = remembering,
                         .kinematics = remembering_kinematics}};
    integrate(&m, &fnd_rk4, 0, 4, 20000, NULL, memory);
    for (int i = 0; i < 4; i++) {
        double y[MOST] = {1, 0.3, -0.5};
        integrate(&m, &fnd_velocity_verlet, 0, 4, 80 << i, NULL, y);
        errors[i] = hypot(hypot(y[0] - memory[0], y[1] - memory[1]), y[2] - memory[2]);
    }
    check_order("oscillator with a state of first order", errors, 4, 0.1);
}

static problem rotor_problem(void)
{
    return (problem){.ode = {.rotation_count = 1, .momentum_count = 3, .rates = rotor},
                     .inverse_inertia = fender_mat3_diagonal(1, 1 / 2.0, 1 / 2.5)};
}

static double gap_of(fender_quaternion p, fender_quaternion q)
{
    fender_quaternion d = fender_quaternion_product(fender_quaternion_conjugate(p), q);
    return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

/* A driven rotor near the unstable axis. */
static void driven_rotor(void **state)
{
    (void)state;
    problem p = rotor_problem();
    fender_quaternion start = fender_quaternion_normalized((fender_quaternion){0.9, 0.2, -0.3, 0.1}), best = start;
    double errors[4], L[MOST] = {0.3, 4, 0.1};
    integrate(&p, &fnd_velocity_verlet, 0, 3, 80000, &best, L);
    for (int i = 0; i < 4; i++) {
        fender_quaternion q = start;
        double own[MOST] = {0.3, 4, 0.1};
        integrate(&p, &fnd_velocity_verlet, 0, 3, 100 << i, &q, own);
        errors[i] = gap_of(q, best);
    }
    check_order("driven rotor", errors, 4, 0.1);
}

/* Forces of the configuration alone: steps of the opposite sign lead back to the start, to rounding. */
static void there_and_back(void **state)
{
    (void)state;
    double y[MOST] = {2, 0.5}, L[MOST] = {0.3, 4, 0.1};
    problem p = oscillator(pendulum), r = rotor_problem();
    integrate(&p, &fnd_velocity_verlet, 0, 20, 1000, NULL, y);
    check_below(0.1, fabs(y[0] - 2));
    integrate(&p, &fnd_velocity_verlet, 20, -20, 1000, NULL, y);
    fender_quaternion start = fender_quaternion_normalized((fender_quaternion){0.9, 0.2, -0.3, 0.1}), q = start;
    integrate(&r, &fnd_velocity_verlet, 0, 2, 400, &q, L);
    check_below(0.1, gap_of(q, start));
    integrate(&r, &fnd_velocity_verlet, 2, -2, 400, &q, L);
    double rotor_gap = gap_of(q, start) + fabs(L[0] - 0.3) + fabs(L[1] - 4) + fabs(L[2] - 0.1);
    printf("there and back: pendulum %.1e, rotor %.1e\n", hypot(y[0] - 2, y[1] - 0.5), rotor_gap);
    check_below(hypot(y[0] - 2, y[1] - 0.5), 1e-12);
    check_below(rotor_gap, 1e-12);
}

/* An undamped spring keeps, to rounding, the energy of its shadow: v^2 + x^2 (1 - h^2/4). Of the energy itself that
 * leaves a wave of h^2/4 and no drift, over 1e6 steps. */
static void spring(void **state)
{
    (void)state;
    problem p = oscillator(damped);
    double h = 0.1, y[MOST] = {1, 0}, shadow = 0, energy = 0;
    for (int i = 0; i < 10000; i++) {
        integrate(&p, &fnd_velocity_verlet, 0, 100 * h, 100, NULL, y);
        shadow = larger(shadow, fabs((y[1] * y[1] + y[0] * y[0] * (1 - h * h / 4)) / (1 - h * h / 4) - 1));
        energy = larger(energy, fabs(y[1] * y[1] + y[0] * y[0] - 1));
    }
    double b[MOST] = {1, 0, 1}, stretch = 0;
    problem own = {.ode = {.position_count = 1,
                           .momentum_count = 1,
                           .state_count = 1,
                           .rates = bristle,
                           .kinematics = bristle_kinematics}};
    for (int i = 0; i < 10000; i++) {
        integrate(&own, &fnd_velocity_verlet, 0, 100 * h, 100, NULL, b);
        stretch = larger(stretch, fabs(b[1] * b[1] + b[2] * b[2] - 1));
    }
    printf("the same with its stretch as a state: energy within %.2e\n", stretch);
    check_below(stretch, h * h / 4 * 1.0001);
    printf("spring, 1e6 steps of h = 0.1: energy within %.2e, its shadow within %.1e\n", energy, shadow);
    check_below(energy, h * h / 4 * 1.0001);
    check_below(shadow, 1e-12);
}

/* ---- three bodies in space, pulled together by stiff springs that soften: internal forces ---- */

static bool springs(void *ctx, int stage, double time, const fender_quaternion *q, const double *y, fender_vec3 *w,
                    double *rate)
{
    (void)ctx, (void)stage, (void)time, (void)q, (void)w;
    memset(rate, 0, 18 * sizeof *rate);
    for (int i = 0; i < 9; i++) rate[i] = y[9 + i];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < a; b++) {
            fender_vec3 d = {y[3 * b] - y[3 * a], y[3 * b + 1] - y[3 * a + 1], y[3 * b + 2] - y[3 * a + 2]};
            double pull = 40 / (1 + fender_vec3_dot(d, d));
            const double part[3] = {d.x, d.y, d.z};
            for (int c = 0; c < 3; c++) rate[9 + 3 * a + c] += pull * part[c], rate[9 + 3 * b + c] -= pull * part[c];
        }
    return true;
}

static void internal_forces(void **state)
{
    (void)state;
    problem p = {.ode = {.position_count = 9, .momentum_count = 9, .rates = springs}};
    random_stream r = random_of_case(321, 0);
    double y[MOST], worst = 0;
    for (int i = 0; i < 18; i++) y[i] = random_between(&r, -1, 1);
    fender_vec3 sums[2][2]; /* linear, angular; at the start, now */
    for (int k = 0; k < 200; k++) {
        fender_vec3 *sum = sums[k > 0];
        sum[0] = sum[1] = fender_vec3_make(0, 0, 0);
        for (int a = 0; a < 3; a++) {
            fender_vec3 x = {y[3 * a], y[3 * a + 1], y[3 * a + 2]}, v = {y[9 + 3 * a], y[10 + 3 * a], y[11 + 3 * a]};
            sum[0] = fender_vec3_add(sum[0], v);
            sum[1] = fender_vec3_add(sum[1], fender_vec3_cross(x, v));
        }
        if (k > 0) worst = larger(worst, fender_vec3_length(fender_vec3_sub(sum[1], sums[0][1])));
        if (k > 0) worst = larger(worst, fender_vec3_length(fender_vec3_sub(sum[0], sums[0][0])));
        integrate(&p, &fnd_velocity_verlet, 0, 0.5, 10, NULL, y); /* long steps: nothing but the method keeps it */
    }
    printf("three bodies, 2,000 steps: momenta off by %.1e\n", worst);
    check_below(worst, 2e-12);
}

/* A rate that cannot be had ends the step. */
static bool failing(void *ctx, int stage, double time, const fender_quaternion *q, const double *y, fender_vec3 *w,
                    double *rate)
{
    pendulum(ctx, stage, time, q, y, w, rate);
    return stage < (int)((problem *)ctx)->damping;
}
static void giving_up(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int at = 0; at < 3; at++) {
        problem p = oscillator(failing);
        p.damping = at;
        p.ode.ctx = &p;
        p.ode.drift = drift;
        fnd_ode_workspace workspace;
        assert_true(fnd_ode_workspace_create(&env, &p.ode, &fnd_velocity_verlet, &workspace));
        double y[2] = {1, 0}, new_y[2];
        bool done = fnd_velocity_verlet.step(&fnd_velocity_verlet, &p.ode, &workspace, 0, 0.1, NULL, y, NULL, new_y);
        assert_int_equal(done, at == 2);
        assert_int_equal(p.asked[1], at > 0);
        fnd_ode_workspace_destroy(&env, &workspace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders), cmocka_unit_test(driven_rotor),    cmocka_unit_test(there_and_back),
        cmocka_unit_test(spring), cmocka_unit_test(internal_forces), cmocka_unit_test(giving_up),
    };
    return cmocka_run_group_tests_name("velocity Verlet", tests, NULL, NULL);
}
