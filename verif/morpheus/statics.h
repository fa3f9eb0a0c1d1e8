/* Statics of a lander on two pairs of legs under a push that grows: equilibria in the plane north-up, solved by
 * Newton's method from the geometry of rays, the springs and Coulomb's limits alone. Shares no code with the library.
 */
#ifndef MORPHEUS_STATICS_H
#define MORPHEUS_STATICS_H

#include <math.h>
#include <stdbool.h>

/* SI. Legs stand at +-spacing / 2 north of the centre of mass, `height` below it, extended by `cushion`. */
typedef struct lander {
    double weight, spacing, height, cushion;
    double stiffness, stiffness_across; /* of each of four legs */
    double mu_static, mu_kinetic;
} lander;

typedef struct pose {
    double y, z, lean; /* of the centre of mass; lean > 0: to the north [rad] */
    double stretch[2]; /* of the springs across: south, north */
} pose;

typedef struct leg_load {
    double normal, across; /* N, of one leg; across: to the south */
} leg_load;

typedef struct statics {
    lander l;
    bool sliding; /* the southern legs */
} statics;

/* Loads of the legs of one pair; the change of their stretch since `from`. */
static inline leg_load load_of(const statics *s, const pose *p, const pose *from, int north, double *arm_y,
                               double *arm_z, double *stretch)
{
    const lander *l = &s->l;
    double c = cos(p->lean), d = sin(p->lean), Y = (north ? 0.5 : -0.5) * l->spacing, Z = -l->height;
    /* rotation by -lean about east */
    double ray_y = -d, ray_z = -c; /* the line of sight is down in the body: (0, -1) turned */
    double foot_y = p->y + c * Y + d * Z, foot_z = p->z - d * Y + c * Z;
    double tip_z = foot_z + l->cushion * ray_z, tip_y = foot_y + l->cushion * ray_y, over = -tip_z / c;
    double point_y = tip_y - over * ray_y, point_z = 0.5 * tip_z;
    *arm_y = point_y - p->y;
    *arm_z = point_z - p->z;
    /* way of the body's material there since the pose before */
    *stretch = from->stretch[north] + (p->y - from->y) + (p->lean - from->lean) * *arm_z;
    leg_load load;
    load.normal = l->stiffness * over / c;
    load.across = !north && s->sliding ? l->mu_kinetic * load.normal : l->stiffness_across * *stretch;
    return load;
}

static inline void residuals(const statics *s, const pose *p, const pose *from, double push, double out[3])
{
    double y[2], z[2], stretch;
    leg_load load[2];
    for (int i = 0; i < 2; i++) load[i] = load_of(s, p, from, i, &y[i], &z[i], &stretch);
    out[0] = push - 2 * load[0].across - 2 * load[1].across;
    out[1] = 2 * load[0].normal + 2 * load[1].normal - s->l.weight;
    out[2] = 0;
    for (int i = 0; i < 2; i++) out[2] += 2 * (y[i] * load[i].normal + z[i] * load[i].across);
}

/* Equilibrium under a push, from a neighbouring one. */
static inline pose settle(const statics *s, const pose *from, double push)
{
    pose p = *from;
    for (int round = 0; round < 30; round++) {
        double r[3], a[3][4];
        residuals(s, &p, from, push, r);
        for (int j = 0; j < 3; j++) {
            const double step = 1e-7;
            pose q = p;
            double there[3];
            *(j == 0 ? &q.y : j == 1 ? &q.z : &q.lean) += step;
            residuals(s, &q, from, push, there);
            for (int i = 0; i < 3; i++) a[i][j] = (there[i] - r[i]) / step;
        }
        for (int i = 0; i < 3; i++) a[i][3] = -r[i];
        for (int i = 0; i < 3; i++) { /* the diagonal is largest where it matters */
            int pivot = i;
            for (int k = i; k < 3; k++)
                if (fabs(a[k][i]) > fabs(a[pivot][i])) pivot = k;
            for (int j = 0; j < 4; j++) {
                double swap = a[i][j];
                a[i][j] = a[pivot][j];
                a[pivot][j] = swap;
            }
            for (int k = 0; k < 3; k++)
                if (k != i) {
                    double part = a[k][i] / a[i][i];
                    for (int j = i; j < 4; j++) a[k][j] -= part * a[i][j];
                }
        }
        double dy = a[0][3] / a[0][0], dz = a[1][3] / a[1][1], dl = a[2][3] / a[2][2];
        p.y += dy;
        p.z += dz;
        p.lean += dl;
        if (fabs(dy) + fabs(dz) + fabs(dl) < 1e-14) break;
    }
    double y, z;
    for (int i = 0; i < 2; i++) {
        double stretch;
        (void)load_of(s, &p, from, i, &y, &z, &stretch);
        p.stretch[i] = stretch;
    }
    return p;
}

/* How near a pair is to slipping: positive while it holds. */
static inline double reserve(const statics *s, const pose *p, int north)
{
    pose same = *p;
    double y, z, stretch;
    leg_load load = load_of(s, p, &same, north, &y, &z, &stretch);
    return s->l.mu_static * load.normal - fabs(load.across);
}

typedef struct slips {
    double first, second;  /* N: the push at which the southern, the northern legs slip */
    double lean_before;    /* rad, at the first */
    double friction_after; /* N, of all legs when the southern ones have let go and nothing has moved yet */
} slips;

static inline slips find_slips(const lander *l)
{
    statics s = {*l, false};
    slips out;
    double rest = l->height + l->cushion - l->weight / 4 / l->stiffness;
    pose start = {0, rest, 0, {0, 0}}, p = settle(&s, &start, 0);
    p.stretch[0] = p.stretch[1] = 0;
    double push = 0;
    for (int phase = 0; phase < 2; phase++) {
        double step = 10;
        while (step > 1e-6) {
            pose next = settle(&s, &p, push + step);
            if (reserve(&s, &next, phase) < 0) {
                step *= 0.5;
                continue;
            }
            p = next;
            push += step;
        }
        if (phase == 1) break;
        out.first = push;
        out.lean_before = p.lean;
        pose same = p;
        double y, z, stretch;
        s.sliding = true;
        out.friction_after = 0;
        for (int i = 0; i < 2; i++) out.friction_after += 2 * load_of(&s, &p, &same, i, &y, &z, &stretch).across;
        for (int part = 1; part <= 20;
             part++) { /* the southern legs give way, little by little, so that the way is exact */
            statics between = s;
            between.l.mu_kinetic = l->mu_static + (l->mu_kinetic - l->mu_static) * part / 20;
            p = settle(&between, &p, push);
        }
    }
    out.second = push;
    return out;
}

#endif
