/* Springs and dampers along the line between two points: spring_damper, tether, separation_spring. */
#include "dynamics/link.h"

/* What the three have in common. */
typedef struct axial {
    double stiffness, damping, free_length;
    double end_force; /* N, pushing; at the free length of a spring that only pushes */
    int acts;         /* fender_link_acts */
    bool is_spent;    /* at its free length */
    double limit;
} axial;

static axial axial_of(const fnd_link *link)
{
    if (link->law == FENDER_LINK_TETHER) {
        const fender_link_tether *p = link->parameters;
        return (axial){p->stiffness, p->damping, p->length, 0, FENDER_LINK_PULL, false, p->limit};
    }
    if (link->law == FENDER_LINK_SEPARATION_SPRING) {
        const fender_link_separation_spring *p = link->parameters;
        double stiffness = (p->preload - p->end_force) / p->stroke;
        return (axial){stiffness, p->damping, p->free_length, p->end_force, FENDER_LINK_PUSH, true, (double)INFINITY};
    }
    const fender_link_spring_damper *p = link->parameters;
    return (axial){p->stiffness, p->damping, p->free_length, 0, p->acts, p->spent_at_free_length, p->limit};
}

/* How far a link that acts one way is within its range, and how hard it acts unless its force is cut off. */
static double range_of(const axial *p, double length)
{
    return p->acts == FENDER_LINK_PUSH ? p->free_length - length : length - p->free_length;
}
static double push_of(const axial *p, const fnd_link_value *v)
{
    double force = p->end_force - p->stiffness * (v->length - p->free_length) - p->damping * v->rate;
    return p->acts == FENDER_LINK_PUSH ? force : -force;
}

static int mode_of(const axial *p, const fnd_link_value *v)
{
    if (p->acts == FENDER_LINK_BOTH) return FND_LINK_LOADED;
    if (!(range_of(p, v->length) > 0)) return FND_LINK_SLACK;
    return push_of(p, v) > 0 ? FND_LINK_LOADED : FND_LINK_CUT;
}

void fnd_axial_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *v)
{
    const axial p = axial_of(link);
    int mode = mode_of(&p, v);
    v->mode = held && p.acts != FENDER_LINK_BOTH ? link->memory.mode : mode;
    if (v->mode == FND_LINK_SLACK) return;
    double extension = v->length - p.free_length, spring = p.end_force - p.stiffness * extension;
    if (v->mode == FND_LINK_LOADED) v->force = spring - p.damping * v->rate;
    v->stored_energy = 0.5 * p.stiffness * extension * extension - p.end_force * extension;
    v->damping_power = (spring - v->force) * v->rate; /* what the spring gives and the bodies do not get */
    v->force_on_b = fender_vec3_scale(v->force, along);
}

int fnd_axial_roots(const fnd_link *link, const fnd_link_value *v, double grain, fnd_link_root *roots)
{
    enum { RANGE, PUSH, LIMIT };
    const axial p = axial_of(link);
    int count = 0;
    if (p.acts != FENDER_LINK_BOTH) {
        double sense = v->mode == FND_LINK_SLACK ? -1 : 1, rate = p.acts == FENDER_LINK_PUSH ? -v->rate : v->rate;
        roots[count++] = (fnd_link_root){RANGE, sense * range_of(&p, v->length) + grain, sense * rate};
        double push = v->mode == FND_LINK_CUT ? -push_of(&p, v) : push_of(&p, v);
        if (v->mode != FND_LINK_SLACK && p.damping > 0)
            roots[count++] = (fnd_link_root){PUSH, push + p.stiffness * grain, NAN};
    }
    return v->mode == FND_LINK_LOADED ? fnd_link_add_limit(count, LIMIT, p.limit, fabs(v->force), roots) : count;
}

fnd_link_fate fnd_axial_judge(const fnd_link *link, const fnd_link_value *v)
{
    const axial p = axial_of(link);
    if (fabs(v->force) > p.limit) return FND_LINK_BREAKS;
    return p.is_spent && link->memory.mode != FND_LINK_SLACK && v->mode == FND_LINK_SLACK ? FND_LINK_SPENT
                                                                                          : FND_LINK_GOES_ON;
}
