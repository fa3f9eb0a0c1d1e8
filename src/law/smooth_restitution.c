/* Which damping gives the law `smooth_spring_damper` a wanted restitution: its impact integrated, its damping sought.
 */
#include "law/smooth_restitution.h"

#include <math.h>
#include <stdbool.h>

/* Scaled: depth in units of the transition, time of 1 / sqrt(k / m): x'' = -s(x) (x + 2 r x'), s = 3 x^2 - 2 x^3 to 1.
 */
typedef struct motion {
    double x, v;
} motion;

static motion rate(motion at, double twice_ratio)
{
    double x = at.x, s = x >= 1 ? 1 : x > 0 ? x * x * (3 - 2 * x) : 0;
    return (motion){at.v, -s * (x + twice_ratio * at.v)};
}

static motion moved(motion at, double h, motion by) { return (motion){at.x + h * by.x, at.v + h * by.v}; }

static motion stepped(motion at, double h, double twice_ratio)
{
    motion a = rate(at, twice_ratio), b = rate(moved(at, h / 2, a), twice_ratio);
    motion c = rate(moved(at, h / 2, b), twice_ratio), d = rate(moved(at, h, c), twice_ratio);
    return (motion){at.x + h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x), at.v + h / 6 * (a.v + 2 * b.v + 2 * c.v + d.v)};
}

/* The force has fallen to zero. */
static bool is_over(motion at, double twice_ratio) { return at.v < 0 && !(at.x + twice_ratio * at.v > 0); }

/* A 128th of a radian, of the damping's time, of the transition, or, far beyond it, of the depth. */
static double stride(motion at, double twice_ratio)
{
    double h = 1 / (1 + twice_ratio), width = at.x > 1 ? at.x : 1, speed = fabs(at.v);
    return (width < h * speed ? width / speed : h) / 128;
}

/* Speed after over speed before. Steps end where the transition ends, and where the force has fallen to zero. */
static double restitution_of(double ratio, double speed)
{
    motion at = {0, speed};
    for (long steps = 0; steps < 10000000; steps++) {
        double h = stride(at, 2 * ratio), low = 0, high = h;
        motion next = stepped(at, h, 2 * ratio);
        bool beyond = at.x >= 1, over = is_over(next, 2 * ratio);
        for (int i = 0; (over || (next.x >= 1) != beyond) && i < 60; i++) {
            double middle = (low + high) / 2;
            motion trial = stepped(at, middle, 2 * ratio);
            bool there = over ? is_over(trial, 2 * ratio) : (trial.x >= 1) != beyond;
            if (there) high = middle, next = trial;
            else low = middle;
        }
        if (over) return -next.v / speed;
        at = next;
    }
    return 0;
}

double fnd_smooth_restitution_ratio(double restitution, double scaled_speed)
{
    if (!(restitution > 0) || !(restitution <= 1) || !(scaled_speed > 0) || isinf(scaled_speed)) return NAN;
    if (restitution == 1) return 0;
    double low = 0, high = 1;
    while (restitution_of(high, scaled_speed) > restitution) {
        low = high;
        high *= 2;
        if (high > 1e3) return NAN;
    }
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (restitution_of(middle, scaled_speed) > restitution) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}
