/* Contacts that keep a dent.
 *
 * Stored is what the line would give back, F^2 / (2 s); the rest of the work on the virgin curve is lost as it is done.
 */
#include "law/crush.h"

typedef struct state {
    double force, stored; /* N, J; of the spring alone */
    double lost;          /* N; lost power over depth rate */
} state;

static double line_of(const fnd_virgin *v, double deepest, double depth)
{
    return v->force - v->unloading * (deepest - depth);
}

static state at(fnd_virgin_curve *curve, const void *parameters, const fender_contact_input *in,
                const fnd_crush_memory *m)
{
    const double z = in->depth, deepest = m ? m->deepest : 0;
    const bool held = in->located && m, unloading = held ? m->unloading != 0 : z < deepest;
    if (unloading) {
        fnd_virgin v = curve(parameters, in, deepest, -1);
        double line = deepest > 0 ? line_of(&v, deepest, z) : 0;
        double force = (held ? m->slack != 0 : line < 0) ? 0 : line;
        return (state){force, force != 0 ? 0.5 * force * force / v.unloading : 0, 0};
    }
    if (!(z > 0)) return (state){0, 0, 0};
    fnd_virgin v = curve(parameters, in, z, held ? m->piece : -1);
    double part = v.force / v.unloading; /* m; that comes back */
    double lost = v.force - part * (v.slope - 0.5 * part * v.unloading_rate);
    if (!held && in->depth_rate < 0) lost = 0; /* it turned within this step */
    return (state){v.force, 0.5 * v.force * part, lost};
}

void fnd_crush_force(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                     const fender_contact_input *in, const fnd_crush_memory *m, fender_contact_output *out)
{
    state s = at(curve, parameters, in, m);
    double factor = 1 + dissipation * in->depth_rate;
    double normal = (in->located && m ? m->idle != 0 : factor < 0) ? 0 : s.force * factor;
    out->force.z = normal;
    out->damping_power = (s.lost + (normal - s.force)) * in->depth_rate;
}

double fnd_crush_energy(fnd_virgin_curve *curve, const void *parameters, const fender_contact_input *in,
                        const fnd_crush_memory *m)
{
    return at(curve, parameters, in, m).stored;
}

void fnd_crush_roots(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                     const fender_contact_input *in, const fnd_crush_memory *m, double *root)
{
    double factor = 1 + dissipation * in->depth_rate;
    root[0] = in->depth_rate;
    root[1] = root[3] = 1;
    root[2] = m->idle ? -factor : factor;
    if (m->unloading) {
        fnd_virgin v = curve(parameters, in, m->deepest, -1);
        double line = line_of(&v, m->deepest, in->depth);
        root[0] = m->deepest - in->depth;
        root[1] = m->slack ? -line : line;
    } else {
        double left = curve(parameters, in, m->deepest, m->piece).knee - in->depth;
        if (isfinite(left)) root[3] = left;
    }
}

void fnd_crush_update(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                      const fender_contact_input *in, fnd_crush_memory *m)
{
    const double z = in->depth;
    if (!in->located) {
        if (z > m->deepest) m->deepest = z;
        m->unloading = m->slack = m->idle = 0;
        return;
    }
    if (m->unloading) {
        if (!(z < m->deepest) && in->depth_rate > 0) m->unloading = 0;
    } else {
        if (z > m->deepest) m->deepest = z;
        if (!(in->depth_rate > 0) && m->deepest > 0) m->unloading = 1;
    }
    fnd_virgin v = curve(parameters, in, m->deepest, -1);
    m->piece = v.piece;
    m->slack = m->unloading && line_of(&v, m->deepest, z) < 0;
    m->idle = 1 + dissipation * in->depth_rate < 0;
}

void fnd_crush_stiffness(fnd_virgin_curve *curve, const void *parameters, double dissipation,
                         const fender_contact_input *in, fender_law_stiffness *out)
{
    if (!(in->depth > 0)) return;
    fnd_virgin v = curve(parameters, in, in->depth, -1);
    out->normal_stiffness = v.unloading > v.slope ? v.unloading : v.slope;
    out->normal_damping = dissipation * v.force;
}
