/* Embedded explicit Runge-Kutta pairs: the step by a table, and the tables of Dormand and Prince (orders 5 and 8). */
#include "integrate/ode.h"
#include <assert.h>

#include "math/elementary.h"
#include "math/rotation.h"

static fnd_ode_step explicit_pair_step;
static bool explicit_pair_dense_begin(const fnd_method *, const fnd_ode *, fnd_ode_workspace *, double time,
                                      double step, const fender_quaternion *rotations, const double *vector);

/* weights = s (b + t (first - b + s (2 b - first - last + t tail))) with s = part, t = 1 - part: Hermite's cubic
 * through both ends, where `first` and `last` are the stages at them, and what a method adds to it. */
static void hermite_weights(double part, int stage_count, const double *b, int last, const double *tail,
                            double *weights)
{
    assert(last >= 0 && last < stage_count);
    double rest = 1 - part;
    for (int s = 0; s < stage_count; s++) {
        double first = s == 0, end = s == last;
        weights[s] = part * (b[s] + rest * (first - b[s] + part * (2 * b[s] - first - end + rest * tail[s])));
    }
}

/* ---- dopri5 ---- */

enum { STAGES_5 = 7 };

#define WEIGHTS_5                                                           \
    {                                                                       \
        35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 \
    }

static const double coefficients_5[][FND_STAGE_CAPACITY] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    WEIGHTS_5,
};

static void dense_weights_5(double part, double *weights)
{
    static const double tail[STAGES_5] = {-12715105075.0 / 11282082432,  0,
                                          87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                          701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                          69997945.0 / 29380423};
    hermite_weights(part, STAGES_5, fnd_dopri5.weights, STAGES_5 - 1, tail, weights);
}

const fnd_method fnd_dopri5 = {
    .name = "dopri5",
    .order = 5,
    .stage_count = STAGES_5,
    .step = explicit_pair_step,
    .weights = WEIGHTS_5,
    .coefficients = coefficients_5,
    .nodes = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    .error_count = 1,
    .error_weights = {{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}},
    .error_order = 5,
    .last_at_end = true,
    .dense_stage_count = STAGES_5,
    .dense_weights = dense_weights_5,
};

/* ---- dop853 ---- */

/* Prince and Dormand's method of order 8 (1981) in the form of Hairer, Norsett and Wanner's DOP853: error estimates of
 * orders 5 and 3, dense output of order 7 by the new state and three further stages. The numbers are those of the
 * authors' table. */

enum { STAGES_8 = 12, DENSE_STAGES = 16 };

#define WEIGHTS_8                                                                                                  \
    {                                                                                                              \
        0.0542937341165687622380535766363, 0, 0, 0, 0, 4.45031289275240888144113950566,                            \
            1.89151789931450038304281599044, -5.8012039600105847814672114227, 0.31116436695781989440891606237,     \
            -0.152160949662516078556178806805, 0.201365400804030348374776537501, 0.0447106157277725905176885569043 \
    }

static const double coefficients_8[][FND_STAGE_CAPACITY] = {
    {0},
    {0.0526001519587677318785587544488},
    {0.0197250569845378994544595329183, 0.0591751709536136983633785987549},
    {0.0295875854768068491816892993775, 0, 0.0887627564304205475450678981324},
    {0.241365134159266685502369798665, 0, -0.884549479328286085344864962717, 0.924834003261792003115737966543},
    {0.037037037037037037037037037037, 0, 0, 0.170828608729473871279604482173, 0.125467687566822425016691814123},
    {0.037109375, 0, 0, 0.170252211019544039314978060272, 0.0602165389804559606850219397283, -0.017578125},
    {0.0370920001185047927108779319836, 0, 0, 0.170383925712239993810214054705, 0.107262030446373284651809199168,
     -0.0153194377486244017527936158236, 0.00827378916381402288758473766002},
    {0.624110958716075717114429577812, 0, 0, -3.36089262944694129406857109825, -0.868219346841726006818189891453,
     27.5920996994467083049415600797, 20.1540675504778934086186788979, -43.4898841810699588477366255144},
    {0.477662536438264365890433908527, 0, 0, -2.48811461997166764192642586468, -0.590290826836842996371446475743,
     21.2300514481811942347288949897, 15.2792336328824235832596922938, -33.2882109689848629194453265587,
     -0.0203312017085086261358222928593},
    {-0.93714243008598732571704021658, 0, 0, 5.18637242884406370830023853209, 1.09143734899672957818500254654,
     -8.14978701074692612513997267357, -18.5200656599969598641566180701, 22.7394870993505042818970056734,
     2.49360555267965238987089396762, -3.0467644718982195003823669022},
    {2.27331014751653820792359768449, 0, 0, -10.5344954667372501984066689879, -2.00087205822486249909675718444,
     -17.9589318631187989172765950534, 27.9488845294199600508499808837, -2.85899827713502369474065508674,
     -8.87285693353062954433549289258, 12.3605671757943030647266201528, 0.643392746015763530355970484046},
    WEIGHTS_8,
    {0.0561675022830479523392909219681, 0, 0, 0, 0, 0, 0.253500210216624811088794765333,
     -0.246239037470802489917441475441, -0.124191423263816360469010140626, 0.15329179827876569731206322685,
     0.00820105229563468988491666602057, 0.00756789766054569976138603589584, -0.008298},
    {0.0318346481635021405060768473261, 0, 0, 0, 0, 0.0283009096723667755288322961402,
     0.0535419883074385676223797384372, -0.0549237485713909884646569340306, 0, 0, -0.0001083473286972493228585093,
     0.0003825710908356584129549202, -0.0003404650086874045608029771, 0.141312443674632500278074618366},
    {-0.428896301583791923408573538692, 0, 0, 0, 0, -4.69762141536116384314449447206, 7.68342119606259904184240953878,
     4.06898981839711007970213554331, 0.356727187455281109270669543021, 0, 0, 0, -0.0013990241651590146212941801,
     2.9475147891527723389556272149, -9.15095847217987001081870187138},
};

static void dense_weights_8(double part, double *weights)
{
    static const double d[4][DENSE_STAGES] = {
        {-8.4289382761090128651353491142, 0, 0, 0, 0, 0.5667149535193777696253178359, -3.0689499459498916912797304727,
         2.384667656512069828772814968, 2.1170345824450282767155149946, -0.8713915837779729920678990749,
         2.240437430260788275854177165, 0.6315787787694688181557024929, -0.0889903364513333108206981174,
         18.148505520854727256656404962, -9.1946323924783554000451984436, -4.4360363875948939664310572},
        {10.427508642579134603413151009, 0, 0, 0, 0, 242.28349177525818288430175319, 165.20045171727028198505394887,
         -374.54675472269020279518312152, -22.113666853125306036270938578, 7.7334326684722638389603898808,
         -30.674084731089398182061213626, -9.3321305264302278729567221706, 15.697238121770843886131091075,
         -31.139403219565177677282850411, -9.3529243588444783865713862664, 35.81684148639408375246589854},
        {19.985053242002433820987653617, 0, 0, 0, 0, -387.03730874935176555105901742, -189.17813819516756882830838328,
         527.80815920542364900561016686, -11.573902539959630126141871134, 6.8812326946963000169666922661,
         -1.000605096691083840318386098, 0.7777137798053443209286926574, -2.7782057523535084065932004339,
         -60.196695231264120758267380846, 84.320405506677161018159903784, 11.99229113618278932803513003},
        {-25.693933462703749003312586129, 0, 0, 0, 0, -154.18974869023643374053993627, -231.52937917604549567536039109,
         357.6391179106141237828534991, 93.405324183624310003907691704, -37.458323136451631156875139351,
         104.09964950896230045147246184, 29.840293426660503123344363579, -43.533456590011143754432175058,
         96.3245539591882829483949506, -39.177261675615439165231486172, -149.72683625798562581422125276},
    };
    double tail[DENSE_STAGES], b[DENSE_STAGES] = WEIGHTS_8, rest = 1 - part;
    for (int s = 0; s < DENSE_STAGES; s++) tail[s] = d[0][s] + part * (d[1][s] + rest * (d[2][s] + part * d[3][s]));
    hermite_weights(part, DENSE_STAGES, b, STAGES_8, tail, weights);
}

const fnd_method fnd_dop853 = {
    .name = "dop853",
    .order = 8,
    .stage_count = STAGES_8,
    .step = explicit_pair_step,
    .weights = WEIGHTS_8,
    .coefficients = coefficients_8,
    .nodes = {0, 0.0526001519587677318785587544488, 0.0789002279381515978178381316732, 0.11835034190722739672675719751,
              0.28164965809277260327324280249, 1.0 / 3, 0.25, 4.0 / 13, 127.0 / 195, 0.6, 6.0 / 7, 1, 1, 0.1, 0.2,
              7.0 / 9},
    .error_count = 2,
    .error_weights = {{0.01312004499419488073250102996, 0, 0, 0, 0, -1.225156446376204440720569753,
                       -0.4957589496572501915214079952, 1.664377182454986536961530415, -0.350328848749973681688648729,
                       0.3341791187130174790297318841, 0.08192320648511571246570742613,
                       -0.02235530786388629525884427845},
                      /* less the weights 31/127, 0.7338..., 3/136 of a method of order 3 */
                      {-0.1898007540724076157147023288757, 0, 0, 0, 0, 4.45031289275240888144113950566,
                       1.89151789931450038304281599044, -5.8012039600105847814672114227,
                       -0.422682321323791962932445679177, -0.152160949662516078556178806805,
                       0.201365400804030348374776537501, 0.0226517921983608258118062039631}},
    .error_order = 8,
    .dense_stage_count = DENSE_STAGES,
    .dense_begin = explicit_pair_dense_begin,
    .dense_weights = dense_weights_8,
};

/* ---- The step ---- */

/* The step of an embedded explicit Runge-Kutta pair given by its table. Rotations by the method of Munthe-Kaas: within
 * a step they are exp(theta) times the first, and the pair integrates the rotation vector theta, so that they keep its
 * order and stay rotations. */

/* Steps with a larger rotation at a stage are rejected: the rate of theta is singular at a full turn, and the series in
 * the step diverge long before. */
#define WIDEST_TURN 2.0
/* For the stages of dense output, which belong to a step that has been taken. */
#define WIDEST_DENSE_TURN 4.0

static int vector_count(const fnd_ode *ode) { return ode->position_count + ode->momentum_count + ode->state_count; }

/* exp(theta) q, theta in outer axes, of unit length; NaN stays NaN. */
static fender_quaternion turned(fender_vec3 theta, fender_quaternion q)
{
    if (theta.x == 0 && theta.y == 0 && theta.z == 0) return q;
    fender_quaternion p = fender_quaternion_product(fnd_rotation_exp(theta), q);
    double n = sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
    return (fender_quaternion){p.w / n, p.x / n, p.y / n, p.z / n};
}

/* Rate of theta when exp(theta) turns by omega, both in outer axes: the inverse of the differential of exp. */
static fender_vec3 rotation_vector_rate(fender_vec3 theta, fender_vec3 omega)
{
    double square = fender_vec3_dot(theta, theta), factor;
    if (square == 0) return omega;
    if (square < 0.25) { /* Bernoulli numbers over factorials; the next term is below 1e-17 */
        factor = 3617.0 / 10670622842880000.0;
        factor = 1.0 / 74724249600.0 + square * factor;
        factor = 691.0 / 1307674368000.0 + square * factor;
        factor = 1.0 / 47900160.0 + square * factor;
        factor = 1.0 / 1209600.0 + square * factor;
        factor = 1.0 / 30240.0 + square * factor;
        factor = 1.0 / 720.0 + square * factor;
        factor = 1.0 / 12.0 + square * factor;
    } else {
        double half = 0.5 * sqrt(square), sine, cosine;
        fnd_sin_cos(half, &sine, &cosine);
        factor = (1.0 - half * cosine / sine) / square;
    }
    fender_vec3 once = fender_vec3_cross(theta, omega);
    fender_vec3 rate = fender_vec3_add_scaled(omega, -0.5, once);
    return fender_vec3_add_scaled(rate, factor, fender_vec3_cross(theta, once));
}

/* ---- Sums over stages ---- */

/* The stages of a sum whose weights are not zero, as a third of those in the tables are: rates of the vector, and of
 * the rotation vectors. */
typedef struct terms {
    int count;
    double weight[FND_STAGE_CAPACITY];
    const double *rate[FND_STAGE_CAPACITY];
    const fender_vec3 *turning[FND_STAGE_CAPACITY];
} terms;

static void find_terms(const fnd_ode_workspace *w, const double *weights, int stage_count, terms *t)
{
    assert(stage_count >= 0 && stage_count <= FND_STAGE_CAPACITY);
    t->count = 0;
    for (int s = 0; s < stage_count; s++) {
        if (weights[s] == 0) continue;
        t->weight[t->count] = weights[s];
        t->rate[t->count] = w->rates[s];
        t->turning[t->count++] = w->rotation_rates[s];
    }
}

enum { LANES = 8 }; /* numbers that are summed beside each other, in registers */

static inline void sum_lanes(const terms *t, int at, double h, const double *from, double *restrict to)
{
    double sum[LANES] = {0};
    for (int k = 0; k < t->count; k++) {
        const double weight = t->weight[k], *rate = t->rate[k] + at;
        for (int l = 0; l < LANES; l++) sum[l] += weight * rate[l];
    }
    if (!from)
        for (int l = 0; l < LANES; l++) to[at + l] = h * sum[l];
    else
        for (int l = 0; l < LANES; l++) to[at + l] = from[at + l] + h * sum[l];
}

/* `from` (NULL: zero) and h times the sums of the rates, each in the order of stages; what they are added to comes
 * last, to preserve small terms. The last lanes overlap those before, as no number depends on another. */
static void sum_rates(const terms *t, int n, double h, const double *from, double *restrict to)
{
    for (int i = 0; i + LANES <= n; i += LANES) sum_lanes(t, i, h, from, to);
    if (n >= LANES) {
        if (n % LANES != 0) sum_lanes(t, n - LANES, h, from, to);
        return;
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < t->count; k++) sum += t->weight[k] * t->rate[k][i];
        to[i] = from ? from[i] + h * sum : h * sum;
    }
}

static fender_vec3 sum_turn(const terms *t, double h, int body)
{
    fender_vec3 sum = {0, 0, 0};
    for (int k = 0; k < t->count; k++) sum = fender_vec3_add_scaled(sum, t->weight[k], t->turning[k][body]);
    return fender_vec3_scale(h, sum);
}

void fnd_ode_combine(const fnd_ode *ode, const fnd_ode_workspace *w, int stage_count, double h, const double *weights,
                     const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                     double *new_vector)
{
    assert(stage_count >= 1 && stage_count <= FND_STAGE_CAPACITY);
    assert(vector != new_vector || !vector);
    terms t;
    find_terms(w, weights, stage_count, &t);
    for (int i = 0; i < ode->rotation_count; i++) new_rotations[i] = turned(sum_turn(&t, h, i), rotations[i]);
    sum_rates(&t, vector_count(ode), h, vector, new_vector);
}

void fnd_ode_error(const fnd_ode *ode, const fnd_ode_workspace *w, int stage_count, double h, const double *weights,
                   fender_vec3 *rotation_errors, double *vector_errors)
{
    assert(stage_count >= 1 && stage_count <= FND_STAGE_CAPACITY);
    terms t;
    find_terms(w, weights, stage_count, &t);
    for (int i = 0; i < ode->rotation_count; i++) rotation_errors[i] = sum_turn(&t, h, i);
    sum_rates(&t, vector_count(ode), h, NULL, vector_errors);
}

/* Is every number finite? */
static bool all_finite(const double *vector, int n)
{
    double off[LANES] = {0}; /* x - x is 0 where x is finite, else NaN */
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) off[l] += vector[i + l] - vector[i + l];
    double sum = 0;
    for (; i < n; i++) sum += vector[i] - vector[i];
    for (int l = 0; l < LANES; l++) sum += off[l];
    return sum == 0;
}

typedef enum outcome { EVALUATED, TOO_FAR, NO_RATES } outcome;

static outcome evaluate(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, int stage,
                        double widest_turn, double time, double h, const fender_quaternion *rotations,
                        const double *vector)
{
    terms t;
    const int n = vector_count(ode);
    fender_vec3 *theta = w->rotation_rates[stage]; /* until their rates take the place */
    find_terms(w, method->coefficients[stage], stage, &t);
    for (int i = 0; i < ode->rotation_count; i++) {
        theta[i] = sum_turn(&t, h, i);
        if (!(fender_vec3_dot(theta[i], theta[i]) <= widest_turn * widest_turn)) return TOO_FAR;
        w->rotations[i] = turned(theta[i], rotations[i]);
    }
    sum_rates(&t, n, h, vector, w->vector);
    if (!all_finite(w->vector, n)) return TOO_FAR;
    fender_vec3 *omega = w->angular_velocities[stage];
    if (!ode->rates(ode->ctx, stage, time + method->nodes[stage] * h, w->rotations, w->vector, omega, w->rates[stage]))
        return NO_RATES;
    for (int i = 0; i < ode->rotation_count; i++) theta[i] = rotation_vector_rate(theta[i], omega[i]);
    return EVALUATED;
}

/* Makes all results of the stages NaN, so that every error test fails. */
static void spoil(const fnd_ode *ode, fnd_ode_workspace *w, int stage_count)
{
    int n = vector_count(ode);
    for (int s = 0; s < stage_count; s++) {
        for (int i = 0; i < ode->rotation_count; i++) w->rotation_rates[s][i] = fender_vec3_make(NAN, NAN, NAN);
        for (int i = 0; i < n; i++) w->rates[s][i] = NAN;
    }
}

static bool explicit_pair_step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time,
                               double h, const fender_quaternion *rotations, const double *vector,
                               fender_quaternion *new_rotations, double *new_vector)
{
    assert(vector != new_vector || !vector);
    assert(method->stage_count <= FND_STAGE_CAPACITY);
    if (!ode->rates(ode->ctx, 0, time, rotations, vector, w->angular_velocities[0], w->rates[0])) return false;
    for (int i = 0; i < ode->rotation_count; i++) w->rotation_rates[0][i] = w->angular_velocities[0][i];
    outcome reached = EVALUATED;
    for (int s = 1; s < method->stage_count && reached == EVALUATED; s++)
        reached = evaluate(method, ode, w, s, WIDEST_TURN, time, h, rotations, vector);
    if (reached == NO_RATES) return false;
    if (reached == TOO_FAR) spoil(ode, w, method->stage_count);
    if (reached == EVALUATED && method->last_at_end) {
        for (int i = 0; i < ode->rotation_count; i++) new_rotations[i] = w->rotations[i];
        for (int i = 0; i < vector_count(ode); i++) new_vector[i] = w->vector[i];
    } else {
        fnd_ode_combine(ode, w, method->stage_count, h, method->weights, rotations, vector, new_rotations, new_vector);
    }
    if (ode->conserve && reached == EVALUATED)
        ode->conserve(ode->ctx, h, method->stage_count, (const double(*)[16])w->energy_defect, new_vector);
    return true;
}

/* Evaluates the stages stage_count .. dense_stage_count - 1 of the step just tried. */
static bool explicit_pair_dense_begin(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time,
                                      double h, const fender_quaternion *rotations, const double *vector)
{
    for (int s = method->stage_count; s < method->dense_stage_count; s++) {
        const outcome reached = evaluate(method, ode, w, s, WIDEST_DENSE_TURN, time, h, rotations, vector);
        if (reached == TOO_FAR) w->failure = "a state within the step is not finite, or far from its start";
        if (reached != EVALUATED) return false;
    }
    return true;
}
