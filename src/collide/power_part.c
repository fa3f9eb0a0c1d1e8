/* Parts of faces below a surface, for laws whose force is a power of the depth. */
#include "collide/power_part.h"
#include "math/elementary.h"
#include <assert.h>
#include <math.h>

double fnd_power_of_depth(double depth, double exponent)
{
    if (exponent == 1) return depth;
    if (!(depth > 0)) return 0;
    return exponent == 1.5 ? depth * sqrt(depth) : fnd_power(depth, exponent);
}

/* Gauss' rule on [0, 1]. */
enum { NODES = 8 };
static const double node[NODES] = {0.01985507175123188417, 0.10166676129318663602, 0.23723379504183550459,
                                   0.40828267875217510996, 0.59171732124782494555, 0.76276620495816449541,
                                   0.89833323870681336398, 0.98014492824876808807};
static const double share[NODES] = {0.05061426814518812933, 0.11119051722668724103, 0.15685332293894363453,
                                    0.18134189168918099511, 0.18134189168918099511, 0.15685332293894363453,
                                    0.11119051722668724103, 0.05061426814518812933};

/* Over t from 0 to 1, with the depth from `from` to `to`: integrals of depth^n t^p for p = 0, 1, 2 and of depth^(n + 1)
 * t^p for p = 0, 1. The way from the shallower end is a square, so that a power of the depth is smooth where it
 * is 0. */
typedef struct along {
    double force[3], energy[2];
} along;
static along integrate_along(double exponent, double from, double to)
{
    along sum = {{0, 0, 0}, {0, 0}};
    const bool rises = from <= to;
    for (int i = 0; i < NODES; i++) {
        const double way = node[i] * node[i], t = rises ? way : 1 - way;
        const double depth = from + t * (to - from), part = 2 * node[i] * share[i];
        const double force = part * fnd_power_of_depth(depth, exponent);
        sum.force[0] += force;
        sum.force[1] += force * t;
        sum.force[2] += force * t * t;
        sum.energy[0] += force * depth;
        sum.energy[1] += force * depth * t;
    }
    return sum;
}

void fnd_power_of_line(double exponent, double from, double to, double *force, double *first, double *energy)
{
    const along sum = integrate_along(exponent, from, to);
    *force = sum.force[0];
    *first = sum.force[1];
    *energy = sum.energy[0];
}

double fnd_power_side_moments(double exponent, const fnd_cut *part, int i, double *x, double *y)
{
    assert(i >= 0 && i < part->count);
    const fnd_cut_corner *p = &part->corners[i], *q = &part->corners[i + 1 < part->count ? i + 1 : 0];
    const double dx = q->x - p->x, dy = q->y - p->y, length = sqrt(dx * dx + dy * dy);
    const along sum = integrate_along(exponent, p->depth, q->depth);
    *x = length * (sum.energy[0] * p->x + sum.energy[1] * dx);
    *y = length * (sum.energy[0] * p->y + sum.energy[1] * dy);
    return length * sum.energy[0];
}

/* From a corner to a side of one depth, between two places: along the way there all places of a depth have one middle.
 */
static void add_half(fnd_power_part *sum, const fnd_cut_corner *corner, const fnd_cut_corner *one,
                     const fnd_cut_corner *other)
{
    const double ux = one->x - corner->x, uy = one->y - corner->y, vx = other->x - corner->x, vy = other->y - corner->y;
    const double twice = fabs(ux * vy - uy * vx); /* the area */
    if (!(twice > 0)) return;
    const along over = integrate_along(sum->exponent, corner->depth, one->depth);
    const double force = twice * over.force[1], moved = twice * over.force[2];
    sum->force += force;
    sum->x += force * corner->x + moved * 0.5 * (ux + vx);
    sum->y += force * corner->y + moved * 0.5 * (uy + vy);
    sum->energy += twice * over.energy[1];
}

static void add_triangle(fnd_power_part *sum, const fnd_cut_corner *p, const fnd_cut_corner *q, const fnd_cut_corner *r)
{
    assert(sum->exponent >= 1);
    const fnd_cut_corner *low = p, *middle = q, *high = r, *spare;
    if (low->depth > middle->depth) spare = low, low = middle, middle = spare;
    if (middle->depth > high->depth) spare = middle, middle = high, high = spare;
    if (low->depth > middle->depth) spare = low, low = middle, middle = spare;
    const double rise = high->depth - low->depth, t = rise > 0 ? (middle->depth - low->depth) / rise : 0;
    const fnd_cut_corner across = {low->x + t * (high->x - low->x), low->y + t * (high->y - low->y), middle->depth, 0};
    add_half(sum, low, middle, &across);
    add_half(sum, high, middle, &across);
}

void fnd_power_add_cut(fnd_power_part *sum, const fnd_cut *part)
{
    for (int i = 2; i < part->count; i++)
        add_triangle(sum, &part->corners[0], &part->corners[i - 1], &part->corners[i]);
}

/* At the angle v from the x axis the circle's chord is 2 R sin(v) wide. Where the depth is 0, at the largest angle, the
 * way from there is a square. */
void fnd_power_add_segment(fnd_power_part *sum, double radius, double low, double a, double c)
{
    assert(sum->exponent >= 1 && radius > 0);
    if (low >= radius) return;
    const double half = low > -radius ? sqrt((radius - low) * (radius + low)) : 0;
    const double largest = low > -radius ? fnd_angle(half, low) : 3.14159265358979323846;
    for (int part = 0; part < 2; part++) { /* the halves of the range of sqrt(1 - angle / largest) */
        for (int i = 0; i < NODES; i++) {
            const double u = 0.5 * (part + node[i]), angle = largest * (1 - u * u);
            double sine, cosine;
            fnd_sin_cos(angle, &sine, &cosine);
            const double x = radius * cosine, depth = c + a * x;
            const double area = 0.5 * share[i] * 2 * u * largest * 2 * radius * sine * radius * sine;
            const double force = area * fnd_power_of_depth(depth > 0 ? depth : 0, sum->exponent);
            sum->force += force;
            sum->x += force * x;
            sum->energy += force * depth;
        }
    }
}

bool fnd_power_fit_to(double exponent, double has_force, double has_energy, double force, double energy, double *depth,
                      double *weight)
{
    *depth = *weight = 1;
    if (!(has_force > 0) || !(has_energy > 0) || !(force > 0) || !(energy > 0)) return false;
    const double deeper = energy * has_force / (force * has_energy);
    const double more = force / (has_force * fnd_power_of_depth(deeper, exponent));
    if (!isfinite(deeper) || !isfinite(more)) return false;
    *depth = deeper;
    *weight = more;
    return true;
}

double fnd_power_fit_points(const fnd_power_part *part, double area, double a, double b, double c,
                            fender_vec2 points[4], double depths[4])
{
    double force = 0, x = 0, y = 0, energy = 0;
    for (int k = 0; k < 4; k++) {
        const double depth = c + (a * points[k].x + b * points[k].y);
        const double one = 0.25 * area * fnd_power_of_depth(depth, part->exponent);
        depths[k] = depth;
        force += one;
        x += one * points[k].x;
        y += one * points[k].y;
        energy += one * depth;
    }
    double deeper, more;
    if (!fnd_power_fit_to(part->exponent, force, energy, part->force, part->energy, &deeper, &more)) return 1;
    for (int k = 0; k < 4; k++) {
        depths[k] *= deeper;
        points[k].x += part->x / part->force - x / force;
        points[k].y += part->y / part->force - y / force;
    }
    return more;
}
