/* Contacts that keep a dent: they load along a virgin curve and unload along a straight line. */
#ifndef FND_LAW_CRUSH_H
#define FND_LAW_CRUSH_H

#include "law/laws.h"

/* The virgin curve at a depth z > 0, and the line by which the contact unloads from there. Nothing is gained on the way
 * there and back if F >= F F' / s - F^2 s' / (2 s^2). */
typedef struct fnd_virgin {
    double force, slope;              /* N, N/m: F(z), F'(z) */
    double unloading, unloading_rate; /* N/m, N/m^2: s(z), s'(z) */
    double knee;                      /* m; depth at which this piece of the curve ends; INFINITY: none */
    int piece;
} fnd_virgin;

/* `piece` -1: that of the depth; else this one, continued beyond its ends. */
typedef fnd_virgin fnd_virgin_curve(const void *parameters, const fender_contact_input *in, double depth, int piece);

typedef struct fnd_crush_memory {
    double deepest;                    /* m; that the contact has come to */
    int unloading, slack, idle, piece; /* with located events: modes of the line, its end, the damper, the curve */
} fnd_crush_memory;

/* N = F (1 + D d'), never below 0; memory NULL: untouched. */
void fnd_crush_force(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                     const fender_contact_input *in, const fnd_crush_memory *memory, fender_contact_output *out);
double fnd_crush_energy(fnd_virgin_curve *curve, const void *parameters, const fender_contact_input *in,
                        const fnd_crush_memory *memory);
enum { FND_CRUSH_ROOTS = 4 };
void fnd_crush_roots(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                     const fender_contact_input *in, const fnd_crush_memory *memory, double *root);
void fnd_crush_update(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                      const fender_contact_input *in, fnd_crush_memory *memory);
void fnd_crush_stiffness(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                         const fender_contact_input *in, fender_law_stiffness *out);

#endif
