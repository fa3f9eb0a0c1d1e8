/* CVODE of SUNDIALS (Hindmarsh et al. 2005) as a method that advances a given step: Adams formulas, or BDF for stiff
 * rates. Everything that knows of SUNDIALS is in this file; builds without FENDER_WITH_SUNDIALS have nothing of it.
 *
 * CVODE starts anew in every step and takes as many steps of its own as the tolerances want. Its state is the
 * difference from the start of the step, over the time since then: positions far from the origin cost it no digits.
 * Stages are evaluations at the Gauss-Lobatto nodes of the step, so that their weights are quadratures of order 8. */
#include "integrate/ode.h"

#ifdef FENDER_WITH_SUNDIALS
#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { NODE_COUNT = 5, INNER_STEPS = 20000 };

typedef struct solver {
    SUNContext context;
    void *cvode;
    N_Vector y;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    int count;
    /* of the step */
    const fnd_ode *ode;
    fnd_ode_workspace *workspace;
    const fender_quaternion *rotations;
    const double *vector;
    double time;
    int stage;                  /* whose arrays evaluations on the way to its node may use */
    bool no_memory, not_finite; /* what was met on the way */
} solver;

static int number_count(const fnd_ode *ode) { return ode->position_count + ode->momentum_count + ode->state_count; }

/* The state that a difference from the start means. False: some quaternion has no direction. */
static bool unpack(const solver *s, const double *y, fender_quaternion *rotations, double *vector)
{
    int nr = s->ode->rotation_count, nv = number_count(s->ode);
    for (int i = 0; i < nr; i++) {
        const fender_quaternion *from = &s->rotations[i];
        fender_quaternion q = {from->w + y[4 * i], from->x + y[4 * i + 1], from->y + y[4 * i + 2],
                               from->z + y[4 * i + 3]};
        double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (!(square > 1e-4) || !isfinite(square)) return false;
        rotations[i] = fender_quaternion_normalized(q);
    }
    for (int i = 0; i < nv; i++) vector[i] = s->vector[i] + y[4 * nr + i];
    return true;
}

static bool rates_finite(const fnd_ode *ode, const fender_vec3 *angular_velocities, const double *rates)
{
    double sum = 0; /* of what is finite times 0 is 0 */
    for (int i = 0; i < ode->rotation_count; i++)
        sum += 0 * (angular_velocities[i].x + angular_velocities[i].y + angular_velocities[i].z);
    for (int i = 0; i < number_count(ode); i++) sum += 0 * rates[i];
    return sum == 0;
}

/* 0; 1: CVODE may try a shorter step; -1: give up. */
static int derivative(realtype t, N_Vector vector_y, N_Vector vector_ydot, void *ctx)
{
    solver *s = ctx;
    fnd_ode_workspace *w = s->workspace;
    const double *y = N_VGetArrayPointer(vector_y);
    double *ydot = N_VGetArrayPointer(vector_ydot);
    fender_vec3 *omega = w->angular_velocities[s->stage];
    double *rates = w->rates[s->stage];
    int nr = s->ode->rotation_count, nv = number_count(s->ode);
    if (!unpack(s, y, w->rotations, w->vector)) {
        s->not_finite = true;
        return 1;
    }
    if (!s->ode->rates(s->ode->ctx, s->stage, s->time + t, w->rotations, w->vector, omega, rates)) {
        s->no_memory = true;
        return -1;
    }
    if (!rates_finite(s->ode, omega, rates)) {
        s->not_finite = true;
        return 1;
    }
    for (int i = 0; i < nr; i++) { /* q' = w q / 2 */
        const fender_quaternion *from = &s->rotations[i];
        fender_quaternion q = {from->w + y[4 * i], from->x + y[4 * i + 1], from->y + y[4 * i + 2],
                               from->z + y[4 * i + 3]};
        fender_quaternion half = {0, 0.5 * omega[i].x, 0.5 * omega[i].y, 0.5 * omega[i].z};
        fender_quaternion rate = fender_quaternion_product(half, q);
        ydot[4 * i] = rate.w;
        ydot[4 * i + 1] = rate.x;
        ydot[4 * i + 2] = rate.y;
        ydot[4 * i + 3] = rate.z;
    }
    for (int i = 0; i < nv; i++) ydot[4 * nr + i] = rates[i];
    return 0;
}

/* Allowed error of the whole step. */
static double tolerance(const fnd_ode *ode, int i)
{
    int nr = ode->rotation_count;
    if (!ode->rotation_tolerances || !ode->vector_tolerances) return 1e-9;
    if (i >= 4 * nr) return ode->vector_tolerances[i - 4 * nr];
    double angle = ode->rotation_tolerances[i / 4].x;
    return angle < 1 ? 0.5 * angle : 0.5; /* a quaternion moves by half the angle */
}

/* CVODE bounds the root of the mean square of the weighted errors of each of its own steps. Here it is the largest, and
 * a tenth of what is allowed for all of them. */
static int weigh(N_Vector y, N_Vector weights, void *ctx)
{
    const solver *s = ctx;
    (void)y;
    double *out = N_VGetArrayPointer(weights), factor = 10 * sqrt((double)s->count);
    for (int i = 0; i < s->count; i++) out[i] = factor / tolerance(s->ode, i);
    return 0;
}

/* By differences, wide enough for rounding of the state and small beside what bends the rates. CVODE's own are taken
 * relative to its state, which is a difference here. */
static int jacobian(realtype t, N_Vector vector_y, N_Vector ydot, SUNMatrix matrix, void *ctx, N_Vector moved,
                    N_Vector spare, N_Vector other)
{
    solver *s = ctx;
    (void)spare, (void)other;
    double *y = N_VGetArrayPointer(vector_y);
    const double *base = N_VGetArrayPointer(ydot), *now = N_VGetArrayPointer(moved);
    int rotation_numbers = 4 * s->ode->rotation_count;
    for (int j = 0; j < s->count; j++) {
        double size = j < rotation_numbers ? 1 : fabs(s->vector[j - rotation_numbers]), kept = y[j];
        y[j] = kept + 100 * tolerance(s->ode, j) + 1e5 * DBL_EPSILON * size;
        double inverse = 1 / (y[j] - kept);
        int failure = derivative(t, vector_y, moved, s);
        y[j] = kept;
        if (failure) return failure;
        double *column = SUNDenseMatrix_Column(matrix, j);
        for (int i = 0; i < s->count; i++) column[i] = (now[i] - base[i]) * inverse;
    }
    return 0;
}

/* Suppresses messages of CVODE; its return values give the same information. */
static void keep_silent(int code, const char *module, const char *function, char *message, void *ctx)
{
    (void)code, (void)module, (void)function, (void)message, (void)ctx;
}

static void release(void *foreign)
{
    solver *s = foreign;
    if (s->cvode) CVodeFree(&s->cvode);
    if (s->nonlinear) SUNNonlinSolFree(s->nonlinear);
    if (s->linear) SUNLinSolFree(s->linear);
    if (s->matrix) SUNMatDestroy(s->matrix);
    if (s->y) N_VDestroy(s->y);
    if (s->context) SUNContext_Free(&s->context);
    *s = (solver){0};
}

static bool set_up(solver *s, bool stiff, int count)
{
    release(s);
    if (SUNContext_Create(NULL, &s->context) != 0) return false;
    s->y = N_VNew_Serial(count, s->context);
    s->cvode = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, s->context);
    if (!s->y || !s->cvode || CVodeSetErrHandlerFn(s->cvode, keep_silent, NULL) != CV_SUCCESS) return false;
    N_VConst(0, s->y);
    if (CVodeInit(s->cvode, derivative, 0, s->y) != CV_SUCCESS || CVodeSetUserData(s->cvode, s) != CV_SUCCESS ||
        CVodeWFtolerances(s->cvode, weigh) != CV_SUCCESS || CVodeSetMaxNumSteps(s->cvode, INNER_STEPS) != CV_SUCCESS ||
        CVodeSetMaxHnilWarns(s->cvode, -1) != CV_SUCCESS)
        return false;
    if (stiff) {
        s->matrix = SUNDenseMatrix(count, count, s->context);
        s->linear = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
        if (!s->linear || CVodeSetLinearSolver(s->cvode, s->linear, s->matrix) != CV_SUCCESS ||
            CVodeSetJacFn(s->cvode, jacobian) != CV_SUCCESS)
            return false;
    } else {
        s->nonlinear = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
        if (!s->nonlinear || CVodeSetNonlinearSolver(s->cvode, s->nonlinear) != CV_SUCCESS) return false;
    }
    s->count = count;
    return true;
}

static const char *reason(const solver *s, int code)
{
    if (s->not_finite) return "the forces on its way are not finite";
    switch (code) {
    case CV_TOO_MUCH_WORK: return "it needs too many steps of its own within one step";
    case CV_TOO_MUCH_ACC: return "the tolerances ask for more than rounding allows";
    case CV_ERR_FAILURE: return "its error does not fall however short its own steps are";
    case CV_CONV_FAILURE: return "its iteration does not converge however short its own steps are";
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return "its linear equations cannot be solved";
    default: return "it gave up";
    }
}

static bool step_by(bool stiff, const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time,
                    double h, const fender_quaternion *rotations, const double *vector,
                    fender_quaternion *new_rotations, double *new_vector)
{
    solver *s = w->foreign;
    int nr = ode->rotation_count, nv = number_count(ode), count = 4 * nr + nv;
    if (!ode->rates(ode->ctx, 0, time, rotations, vector, w->angular_velocities[0], w->rates[0])) return false;
    if (!rates_finite(ode, w->angular_velocities[0], w->rates[0])) {
        for (int i = 0; i < nr; i++) new_rotations[i] = (fender_quaternion){NAN, NAN, NAN, NAN};
        for (int i = 0; i < nv; i++) new_vector[i] = NAN;
        return true;
    }
    if (count > 0 && s->count != count && !set_up(s, stiff, count)) return false;
    s->ode = ode;
    s->workspace = w;
    s->rotations = rotations;
    s->vector = vector;
    s->time = time;
    s->stage = 1;
    s->no_memory = s->not_finite = false;
    if (count > 0) {
        N_VConst(0, s->y);
        if (CVodeReInit(s->cvode, 0, s->y) != CV_SUCCESS || CVodeSetStopTime(s->cvode, h) != CV_SUCCESS) return false;
    }
    for (int i = 1; i < NODE_COUNT; i++) {
        double end = method->nodes[i] * h, reached = 0;
        s->stage = i;
        int code = count > 0 ? CVode(s->cvode, end, s->y, &reached, CV_NORMAL) : CV_SUCCESS;
        if (s->no_memory || code == CV_MEM_FAIL) return false;
        if (code < 0) {
            w->failure = reason(s, code);
            return false;
        }
        fender_quaternion *q = i + 1 < NODE_COUNT ? w->rotations : new_rotations;
        double *v = i + 1 < NODE_COUNT ? w->vector : new_vector;
        if (count > 0 && !unpack(s, N_VGetArrayPointer(s->y), q, v)) {
            s->not_finite = true;
            w->failure = reason(s, CV_SUCCESS);
            return false;
        }
        if (!ode->rates(ode->ctx, i, time + end, q, v, w->angular_velocities[i], w->rates[i])) return false;
    }
    return true;
}

static bool step_adams(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time, double h,
                       const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                       double *new_vector)
{
    return step_by(false, method, ode, w, time, h, rotations, vector, new_rotations, new_vector);
}

static bool step_bdf(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time, double h,
                     const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                     double *new_vector)
{
    return step_by(true, method, ode, w, time, h, rotations, vector, new_rotations, new_vector);
}

/* 1/2 -+ sqrt(21)/14 */
#define LOBATTO_NODES                                      \
    {                                                      \
        0, 0.17267316464601142, 0.5, 0.8273268353539886, 1 \
    }
#define LOBATTO_WEIGHTS                               \
    {                                                 \
        0.05, 49.0 / 180, 16.0 / 45, 49.0 / 180, 0.05 \
    }

const fnd_method fnd_cvode_adams = {
    .name = "cvode_adams",
    .order = 8,
    .stage_count = NODE_COUNT,
    .step = step_adams,
    .weights = LOBATTO_WEIGHTS,
    .nodes = LOBATTO_NODES,
    .foreign_size = sizeof(solver),
    .release = release,
};
const fnd_method fnd_cvode_bdf = {
    .name = "cvode_bdf",
    .order = 8,
    .stage_count = NODE_COUNT,
    .step = step_bdf,
    .weights = LOBATTO_WEIGHTS,
    .nodes = LOBATTO_NODES,
    .foreign_size = sizeof(solver),
    .release = release,
};
#endif
