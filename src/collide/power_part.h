/* Parts of faces below a surface, for laws whose force is a power of the depth: force, centre and energy of the
 * foundation, and how the points of a part come to have them (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_POWER_PART_H
#define FND_COLLIDE_POWER_PART_H

#include "collide/polygon_cut.h"
#include <stdbool.h>

/* Integrals over parts of one face. */
typedef struct fnd_power_part {
    double exponent; /* n: of a force k depth^n; 1: nothing is asked for, the points of linear laws are exact */
    double force;    /* of depth^n */
    double x, y;     /* of depth^n times the place */
    double energy;   /* of depth^(n + 1) */
} fnd_power_part;

/* depth^n; the depth itself for n = 1. */
double fnd_power_of_depth(double depth, double exponent);
/* Adds a part; none of its depths is negative. */
void fnd_power_add_cut(fnd_power_part *sum, const fnd_cut *part);
/* Adds the part x >= low of a circle about the origin, with the depth c + a x; none there is negative. */
void fnd_power_add_segment(fnd_power_part *sum, double radius, double low, double a, double c);
/* Means along a line with such depths at its ends: of depth^n, of depth^n times the way from the first end (0 to 1), of
 * depth^(n + 1). */
void fnd_power_of_line(double exponent, double from, double to, double *force, double *first, double *energy);

/* As fnd_cut_side_moments, of depth^(n + 1). */
double fnd_power_side_moments(double exponent, const fnd_cut *cut, int i, double *x, double *y);

/* Adds parts of the same face. */
static inline void fnd_power_add(fnd_power_part *sum, const fnd_power_part *more)
{
    sum->force += more->force;
    sum->x += more->x;
    sum->y += more->y;
    sum->energy += more->energy;
}

/* Factors of the depths and weights of points, by which their force and energy (the sums of weight times depth^n and of
 * weight times depth^(n + 1)) become given ones. False: they have none; then the factors are 1. */
bool fnd_power_fit_to(double exponent, double has_force, double has_energy, double force, double energy, double *depth,
                      double *weight);
/* The same for the four points of a part, of equal weight, where the depth is c + a x + b y. Moves them to the centre
 * of its force, fills their depths, and returns the factor of their weights. */
double fnd_power_fit_points(const fnd_power_part *part, double area, double a, double b, double c,
                            fender_vec2 points[4], double depths[4]);

#endif
