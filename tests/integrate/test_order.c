/* Integrators without any contact code: pendulum, oscillator, rigid rotor, quadratures; observed orders. */
#include "check.h"
#include "integrate/ode.h"
#include "random_numbers.h"
#include <string.h>

typedef struct problem {
    fnd_ode ode;
    fender_vec3 inertia; /* of the rotor, along its axes */
    int stages[8];       /* how often each stage was asked for */
} problem;

/* ---- pendulum: x'' = -sin x; one position, one momentum, no rotation ---- */

static bool pendulum_rates(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *y,
                           fender_vec3 *w, double *rate)
{
    (void)time, (void)rotations, (void)w;
    ((problem *)ctx)->stages[stage]++;
    rate[0] = y[1];
    rate[1] = -sin(y[0]);
    return true;
}
static void pendulum_kinematics(void *ctx, const fender_quaternion *rotations, const double *y, fender_vec3 *w,
                                double *rate)
{
    (void)ctx, (void)rotations, (void)w;
    rate[0] = y[1];
}

/* ---- driven oscillator: x'' = -x + cos 2t, x = cos t + (cos t - cos 2t)/3 for x(0) = 1, v(0) = 0 ---- */

static bool driven_rates(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *y,
                         fender_vec3 *w, double *rate)
{
    (void)ctx, (void)stage, (void)rotations, (void)w;
    rate[0] = y[1];
    rate[1] = -y[0] + cos(2 * time);
    return true;
}

/* ---- rotor: angular momentum in outer axes, three momenta and no position; torque about x of the outer axes ---- */

static fender_vec3 rotor_velocity(const problem *p, fender_quaternion q, const double *L)
{
    fender_vec3 b = fender_quaternion_rotate(fender_quaternion_conjugate(q), fender_vec3_make(L[0], L[1], L[2]));
    b = fender_vec3_make(b.x / p->inertia.x, b.y / p->inertia.y, b.z / p->inertia.z);
    return fender_quaternion_rotate(q, b);
}
static bool rotor_rates(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *y,
                        fender_vec3 *w, double *rate)
{
    (void)stage;
    w[0] = rotor_velocity(ctx, rotations[0], y);
    rate[0] = sin(time);
    rate[1] = rate[2] = 0;
    return true;
}
static void rotor_kinematics(void *ctx, const fender_quaternion *rotations, const double *y, fender_vec3 *w,
                             double *rate)
{
    (void)rate;
    w[0] = rotor_velocity(ctx, rotations[0], y);
}

static void integrate(problem *p, const fnd_method *method, double duration, int steps, fender_quaternion *q, double *y)
{
    fender_env env = fender_env_default();
    fnd_ode_workspace workspace;
    p->ode.ctx = p;
    assert_true(fnd_ode_workspace_create(&env, &p->ode, method, &workspace));
    int count = p->ode.position_count + p->ode.momentum_count;
    for (int i = 0; i < steps; i++) {
        fender_quaternion new_q[2] = {{1, 0, 0, 0}, {1, 0, 0, 0}};
        double new_y[8];
        assert_true(
            method->step(method, &p->ode, &workspace, i * duration / steps, duration / steps, q, y, new_q, new_y));
        memcpy(y, new_y, (size_t)count * sizeof *y);
        if (p->ode.rotation_count) q[0] = new_q[0];
    }
    fnd_ode_workspace_destroy(&env, &workspace);
}

static double order_of(const char *what, const double *errors, int count)
{
    double order = log2(errors[0] / errors[count - 1]) / (count - 1);
    printf("%s: errors", what);
    for (int i = 0; i < count; i++) printf(" %.2e", errors[i]);
    printf("; order %.2f\n", order);
    return order;
}

static double pendulum_error(const fnd_method *step, int steps)
{
    double ends[2][2];
    for (int k = 0; k < 2; k++) { /* against a run that is much finer */
        problem p = {.ode = {.rotation_count = 0,
                             .position_count = 1,
                             .momentum_count = 1,
                             .rates = pendulum_rates,
                             .kinematics = pendulum_kinematics}};
        ends[k][0] = 2, ends[k][1] = 0.5;
        integrate(&p, k ? &fnd_rk4 : step, 6, k ? 40000 : steps, NULL, ends[k]);
        if (k) assert_true(p.stages[0] == 40000 && p.stages[3] == 40000);
    }
    return hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]);
}

static void pendulum(void **state)
{
    (void)state;
    double errors[4];
    for (int i = 0; i < 4; i++) errors[i] = pendulum_error(&fnd_rk4, 100 << i);
    check_near(order_of("pendulum, rk4", errors, 4), 4, 0.15);
    for (int i = 0; i < 4; i++) errors[i] = pendulum_error(&fnd_semi_implicit, 1000 << i);
    check_near(order_of("pendulum, semi-implicit", errors, 4), 1, 0.1);
}

static void driven_oscillator(void **state)
{
    (void)state;
    double errors[4];
    for (int i = 0; i < 4; i++) {
        problem p = {.ode = {.rotation_count = 0,
                             .position_count = 1,
                             .momentum_count = 1,
                             .rates = driven_rates,
                             .kinematics = pendulum_kinematics}};
        double y[2] = {1, 0}, t = 5;
        integrate(&p, &fnd_rk4, t, 50 << i, NULL, y);
        errors[i] = hypot(y[0] - (cos(t) + (cos(t) - cos(2 * t)) / 3),
                          y[1] - (-sin(t) + (-sin(t) + 2 * sin(2 * t)) / 3));
    }
    check_near(order_of("driven oscillator, rk4", errors, 4), 4, 0.15);
}

/* The symplectic method does not lose the energy of an oscillator over many turns; it stays within h/2 of it. */
static void symplectic(void **state)
{
    (void)state;
    problem p = {.ode = {.rotation_count = 0,
                         .position_count = 1,
                         .momentum_count = 1,
                         .rates = pendulum_rates,
                         .kinematics = pendulum_kinematics}};
    double y[2] = {0.5, 0}, start = 1 - cos(0.5), worst = 0;
    for (int i = 0; i < 200; i++) {
        integrate(&p, &fnd_semi_implicit, 10, 1000, NULL, y);
        worst = larger(worst, fabs(0.5 * y[1] * y[1] + 1 - cos(y[0]) - start) / start);
    }
    printf("pendulum, semi-implicit, 2000 s at 10 ms: energy within %.1e\n", worst);
    check_below(worst, 6e-3);
}

static double rotor_gap(const fnd_method *step, int steps, double *momentum_gap)
{
    fender_quaternion ends[2];
    for (int k = 0; k < 2; k++) {
        problem p = {.ode = {.rotation_count = 1,
                             .position_count = 0,
                             .momentum_count = 3,
                             .rates = rotor_rates,
                             .kinematics = rotor_kinematics},
                     .inertia = {1, 2, 2.5}};
        double L[3] = {0.3, 4, 0.1}; /* near the unstable axis */
        ends[k] = fender_quaternion_normalized((fender_quaternion){0.9, 0.2, -0.3, 0.1});
        integrate(&p, k ? &fnd_rk4 : step, 5, k ? 40000 : steps, &ends[k], L);
        double n = ends[k].w * ends[k].w + ends[k].x * ends[k].x + ends[k].y * ends[k].y + ends[k].z * ends[k].z;
        check_near(n, 1, 1e-15);
        if (k == 0) *momentum_gap = fabs(L[0] - 0.3 - (1 - cos(5))) + fabs(L[1] - 4) + fabs(L[2] - 0.1);
    }
    fender_quaternion d = fender_quaternion_product(fender_quaternion_conjugate(ends[0]), ends[1]);
    return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

static void rigid_rotor(void **state)
{
    (void)state;
    double errors[4], gap;
    for (int i = 0; i < 4; i++) errors[i] = rotor_gap(&fnd_rk4, 400 << i, &gap);
    check_near(order_of("asymmetric rotor with torque, rk4", errors, 4), 4, 0.3);
    check_below(gap, 1e-12);
    for (int i = 0; i < 4; i++) errors[i] = rotor_gap(&fnd_semi_implicit, 4000 << i, &gap);
    check_near(order_of("asymmetric rotor with torque, semi-implicit", errors, 4), 1, 0.15);
}

static void tableaux(void **state)
{
    (void)state;
    const fnd_method *both[] = {&fnd_rk4, &fnd_semi_implicit};
    for (int k = 0; k < 2; k++) {
        double sum = 0;
        for (int i = 0; i < both[k]->stage_count; i++) sum += both[k]->weights[i];
        check_near(sum, 1, 4e-16);
    }
}

/* A rate that gives up ends the step, and nothing else is asked. */
static bool failing_rates(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *y,
                          fender_vec3 *w, double *rate)
{
    problem *p = ctx;
    pendulum_rates(ctx, stage, time, rotations, y, w, rate);
    return stage < p->stages[7];
}
static void giving_up(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int fail_at = 0; fail_at < 4; fail_at++) {
        problem p = {.ode = {.rotation_count = 0,
                             .position_count = 1,
                             .momentum_count = 1,
                             .rates = failing_rates,
                             .kinematics = pendulum_kinematics}};
        p.stages[7] = fail_at;
        p.ode.ctx = &p;
        fnd_ode_workspace workspace;
        assert_true(fnd_ode_workspace_create(&env, &p.ode, &fnd_rk4, &workspace));
        double y[2] = {1, 0}, new_y[2];
        assert_false(fnd_rk4.step(&fnd_rk4, &p.ode, &workspace, 0, 0.1, NULL, y, NULL, new_y));
        for (int i = 0; i < 4; i++) assert_int_equal(p.stages[i], i <= fail_at);
        fnd_ode_workspace_destroy(&env, &workspace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),    cmocka_unit_test(driven_oscillator), cmocka_unit_test(symplectic),
        cmocka_unit_test(rigid_rotor), cmocka_unit_test(tableaux),          cmocka_unit_test(giving_up),
    };
    return cmocka_run_group_tests_name("integrators", tests, NULL, NULL);
}
