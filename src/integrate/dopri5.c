/* Dormand and Prince's pair of orders 5(4) (1980) with the dense output of order 4 of Hairer, Norsett and Wanner. The
 * last stage is at the new state. */
#include "integrate/explicit_pair.h"

enum { STAGES = 7 };

#define WEIGHTS                                                             \
    {                                                                       \
        35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 \
    }

static const double coefficients[][FND_STAGE_CAPACITY] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    WEIGHTS,
};

static void dense_weights(double part, double *weights)
{
    static const double tail[STAGES] = {-12715105075.0 / 11282082432,  0,
                                        87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                        701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                        69997945.0 / 29380423};
    fnd_hermite_weights(part, STAGES, fnd_dopri5.weights, STAGES - 1, tail, weights);
}

const fnd_method fnd_dopri5 = {
    .name = "dopri5",
    .order = 5,
    .stage_count = STAGES,
    .step = fnd_explicit_pair_step,
    .weights = WEIGHTS,
    .coefficients = coefficients,
    .nodes = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    .error_count = 1,
    .error_weights = {{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}},
    .error_order = 5,
    .dense_stage_count = STAGES,
    .dense_weights = dense_weights,
};
