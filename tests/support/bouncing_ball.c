/* A sphere that falls on a clipped spring and damper: flight, damped oscillation, slack, until it rests. */
#include "bouncing_ball.h"

#include <math.h>
#include <stddef.h>

static const long double pi = 3.14159265358979323846264338327950288L;

long double bouncing_damping_ratio(long double restitution)
{
    long double low = 0, high = 0.999L;
    for (int i = 0; i < 200; i++) {
        long double z = 0.5L * (low + high), root = sqrtl(1 - z * z);
        if (expl(-z / root * atan2l(2 * z * root, 2 * z * z - 1)) > restitution) low = z;
        else high = z;
    }
    return low;
}

static void advance(const bouncing_ball *ball, const bouncing_piece *from, long double t, long double *gap,
                    long double *rate)
{
    if (from->phase != BOUNCING_PRESS) {
        *gap = from->gap + t * (from->rate - 0.5L * ball->gravity * t);
        *rate = from->rate - ball->gravity * t;
        return;
    }
    long double s = 0.5L * ball->damping, wd = sqrtl(ball->stiffness - s * s), rest = -ball->gravity / ball->stiffness;
    long double a = from->gap - rest, b = (from->rate + s * a) / wd, decay = expl(-s * t);
    long double cs = cosl(wd * t), sn = sinl(wd * t);
    *gap = rest + decay * (a * cs + b * sn);
    *rate = decay * ((b * wd - s * a) * cs - (a * wd + s * b) * sn);
}

/* Force per mass without the clip after t of pressing. */
static long double force_after(const bouncing_ball *ball, const bouncing_piece *from, long double t)
{
    long double gap, rate;
    advance(ball, from, t, &gap, &rate);
    return -ball->stiffness * gap - ball->damping * rate;
}

/* How long the sphere presses until the force is zero; negative: for ever. The force oscillates about g and decays:
 * when its first minimum does not reach zero, none does, and before it falls from its maximum without a turn. */
static long double until_slack(const bouncing_ball *ball, const bouncing_piece *from)
{
    long double s = 0.5L * ball->damping, wd = sqrtl(ball->stiffness - s * s), g = ball->gravity;
    /* force - g = exp(-s t) (p cos + q sin) */
    long double p = force_after(ball, from, 0) - g, quarter = 0.5L * pi / wd;
    long double q = (force_after(ball, from, quarter) - g) * expl(s * quarter);
    /* its rate: exp(-s t) ((q wd - s p) cos - (p wd + s q) sin), zero at t and every half period */
    long double turn = atan2l(q * wd - s * p, p * wd + s * q) / wd, half = pi / wd;
    while (turn <= 0) turn += half;
    while (turn > half) turn -= half;
    long double low = 0, high = turn;
    if (force_after(ball, from, high) > g) low = high, high += half;
    if (force_after(ball, from, high) > 0) return -1;
    for (int i = 0; i < 200; i++) {
        long double middle = 0.5L * (low + high);
        if (middle <= low || middle >= high) break;
        if (force_after(ball, from, middle) > 0) low = middle;
        else high = middle;
    }
    return high;
}

/* How long a piece lasts and what comes after it; false: it never ends. */
static bool next_piece(const bouncing_ball *ball, const bouncing_piece *from, long double *t, bouncing_phase *phase)
{
    long double g = ball->gravity, v = from->rate, square = v * v + 2 * g * from->gap;
    switch (from->phase) {
    case BOUNCING_FLIGHT:
        *t = (v + sqrtl(square)) / g;
        *phase = BOUNCING_PRESS;
        return true;
    case BOUNCING_PRESS:
        *t = until_slack(ball, from);
        *phase = BOUNCING_SLACK;
        return *t >= 0;
    case BOUNCING_SLACK: break;
    }
    /* the force without the clip is zero at the start, and again after: */
    long double press = 2 * (v / g - ball->damping / ball->stiffness);
    long double part = square > 0 ? -2 * from->gap / (v + sqrtl(square)) : press;
    *t = part < press ? part : press;
    *phase = part < press ? BOUNCING_FLIGHT : BOUNCING_PRESS;
    return true;
}

bool bouncing_ball_drop(bouncing_ball *ball, long double height)
{
    ball->pieces[0] = (bouncing_piece){BOUNCING_FLIGHT, 0, height, 0};
    for (ball->piece_count = 1; ball->piece_count < BOUNCING_CAPACITY; ball->piece_count++) {
        const bouncing_piece *last = &ball->pieces[ball->piece_count - 1];
        bouncing_piece *next = &ball->pieces[ball->piece_count];
        long double t;
        if (!next_piece(ball, last, &t, &next->phase)) return true;
        next->time = last->time + t;
        advance(ball, last, t, &next->gap, &next->rate);
        if (last->phase == BOUNCING_FLIGHT || next->phase == BOUNCING_FLIGHT) next->gap = 0;
    }
    return false;
}

void bouncing_ball_at(const bouncing_ball *ball, long double time, long double *gap, long double *rate)
{
    int i = ball->piece_count - 1;
    while (i > 0 && ball->pieces[i].time > time) i--;
    advance(ball, &ball->pieces[i], time - ball->pieces[i].time, gap, rate);
}
