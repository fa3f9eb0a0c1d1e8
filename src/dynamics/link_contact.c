/* A contact law between two points: what a contact type says of a depth, along the line, with memory of its own. */
#include "dynamics/link.h"

#include "base/error.h"
#include "math/rotation.h"
#include <string.h>

static const fnd_contact_type *type_of(const fnd_link *link, const fnd_contact_model *model)
{
    return &model->types[link->use];
}

/* How deep the points are within the reach of the law, and how fast they go deeper. */
static double sense_of(const fender_link_contact_law *p) { return p->acts == FENDER_LINK_PULL ? 1 : -1; }
static double depth_of(const fender_link_contact_law *p, double length)
{
    return sense_of(p) * (length - p->free_length);
}

static void fill_input(const fnd_link *link, fender_vec3 along, double time, fnd_regime regime, const fnd_link_value *v,
                       fnd_contact *c)
{
    const fender_link_contact_law *p = link->parameters;
    memset(c, 0, sizeof *c);
    c->record = -1;
    c->gain = 1;
    c->normal = along;
    c->tangent = fnd_any_tangent(along);
    c->in.time = time;
    c->in.depth = depth_of(p, v->length);
    c->in.depth_rate = sense_of(p) * v->rate;
    c->in.weight = 1;
    c->in.located = regime != FND_REGIME_CLIPPED;
    c->in.approach_speed = link->memory.begun     ? link->memory.approach_speed
                           : c->in.depth_rate > 0 ? c->in.depth_rate
                                                  : 0;
}

/* Is the law asked at this depth? */
static bool reaches(const fnd_link *link, const fnd_contact_type *type, double depth)
{
    return depth > (link->memory.begun ? -type->release_gap : -type->onset_gap);
}

void fnd_link_contact_evaluate(const fnd_link *link, const fnd_contact_model *model, fender_vec3 along, double time,
                               fnd_regime regime, fnd_link_value *v)
{
    const fender_link_contact_law *p = link->parameters;
    const fnd_contact_type *type = type_of(link, model);
    const fnd_link_memory *memory = &link->memory;
    fnd_contact c;
    fill_input(link, along, time, regime, v, &c);
    v->depth = c.in.depth;
    v->time = time;
    bool asked = regime == FND_REGIME_HELD ? memory->begun : reaches(link, type, c.in.depth);
    if (!asked || memory->ended) return;
    fnd_link_law_memory scratch;
    const unsigned char *held = memory->law.bytes;
    if (!memory->begun) {
        memset(&scratch, 0, sizeof scratch);
        fnd_contact_establish(type, &c, scratch.bytes);
        held = scratch.bytes;
    }
    fnd_contact_force(type, held, NULL, &c);
    v->mode = FND_LINK_LOADED;
    v->law_mode = c.mode;
    v->force = -sense_of(p) * c.force_C.z;
    v->stored_energy = fnd_contact_stored_energy(type, held, NULL, &c);
    v->damping_power = c.damping_power + c.friction_power;
    v->supplied_power = c.supplied_power;
    v->force_on_b = fender_vec3_scale(v->force, along);
}

int fnd_link_contact_roots(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v, double grain,
                           fnd_link_root *roots)
{
    enum { TOUCH, PART, LAW, LIMIT = LAW + FENDER_LAW_ROOT_CAPACITY };
    const fender_link_contact_law *p = link->parameters;
    const fnd_contact_type *type = type_of(link, model);
    const fender_law *law = type->primary.law;
    double rate = sense_of(p) * v->rate;
    if (link->memory.ended) return 0;
    if (!link->memory.begun) {
        roots[0] = (fnd_link_root){TOUCH, -(v->depth + type->onset_gap) + grain, -rate};
        return 1;
    }
    roots[0] = (fnd_link_root){PART, v->depth + type->release_gap + grain, rate};
    int count = 1;
    if (law->roots) {
        double values[FENDER_LAW_ROOT_CAPACITY];
        fnd_contact c;
        fill_input(link, fender_vec3_make(1, 0, 0), v->time, FND_REGIME_HELD, v, &c);
        law->roots(type->primary.parameters, &c.in, link->memory.law.bytes, values);
        for (int i = 0; i < law->root_count; i++) roots[count++] = (fnd_link_root){LAW + i, values[i], NAN};
    }
    return fnd_link_add_limit(count, LIMIT, p->limit, fabs(v->force), roots);
}

fnd_link_fate fnd_link_contact_judge(const fnd_link *link, const fnd_link_value *v)
{
    const fender_link_contact_law *p = link->parameters;
    return fabs(v->force) > p->limit ? FND_LINK_BREAKS : FND_LINK_GOES_ON;
}

/* What the accepted state makes of the memory; the event of the law. */
static void go_through(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v,
                       fnd_link_memory *memory, int *event, double *given_up)
{
    const fnd_contact_type *type = type_of(link, model);
    const fender_law *law = type->primary.law;
    const void *parameters = type->primary.parameters;
    bool within = reaches(link, type, v->depth);
    fnd_contact c;
    fill_input(link, fender_vec3_make(1, 0, 0), v->time, FND_REGIME_ENDED, v, &c);
    c.in.located = v->located;
    if (!within) {
        if (memory->begun) {
            /* what a law that pulls over a gap still holds at its end is lost */
            if (c.in.depth < -type->release_gap) c.in.depth = -type->release_gap;
            if (type->release_gap > 0) *given_up = fnd_contact_stored_energy(type, memory->law.bytes, NULL, &c);
            if (law->terminate) law->terminate(parameters, &c.in, memory->law.bytes);
        }
        memory->begun = memory->ended = false;
        memset(&memory->law, 0, sizeof memory->law);
        return;
    }
    if (memory->ended) return;
    if (!memory->begun) {
        memory->begun = true;
        memory->approach_speed = c.in.approach_speed;
        memset(&memory->law, 0, sizeof memory->law);
        fnd_contact_establish(type, &c, memory->law.bytes);
    }
    if (!law->update) return;
    fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
    fender_contact_change change;
    memset(&change, 0, sizeof change);
    law->force(parameters, &c.in, memory->law.bytes, &out);
    double held = fnd_contact_stored_energy(type, memory->law.bytes, NULL, &c);
    law->update(parameters, &c.in, &out, memory->law.bytes, &change);
    *event = change.event;
    *given_up = held - (change.terminate ? 0 : fnd_contact_stored_energy(type, memory->law.bytes, NULL, &c));
    if (!change.terminate) return;
    if (law->terminate) law->terminate(parameters, &c.in, memory->law.bytes);
    memory->begun = false;
    memory->ended = true; /* until the points have been out of reach */
    memset(&memory->law, 0, sizeof memory->law);
}

int fnd_link_contact_event(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v)
{
    int event = 0;
    double given_up = 0;
    fnd_link_memory memory = link->memory; /* nothing is kept of it */
    if (v->alive && v->root_a != v->root_b) go_through(link, model, v, &memory, &event, &given_up);
    return event;
}

bool fnd_link_contact_commit(fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v, double *given_up)
{
    int event = 0;
    fnd_link_memory after = link->memory;
    *given_up = 0;
    if (!v->alive || v->root_a == v->root_b) return false;
    go_through(link, model, v, &after, &event, given_up);
    bool changed = after.begun != link->memory.begun || after.ended != link->memory.ended ||
                   after.approach_speed != link->memory.approach_speed ||
                   memcmp(&after.law, &link->memory.law, sizeof after.law) != 0;
    link->memory = after;
    return changed;
}

fender_status fnd_link_contact_check(const fnd_contact_type *type, fender_error *error)
{
    const char *what = type->slot_count > 1    ? "a link acts along its line: it takes no friction"
                       : type->state_count > 0 ? "a link keeps no continuous states, which the law has"
                       : type->is_provided     ? "a link has no forces that are provided from outside"
                       : type->connects        ? "a link makes no connections"
                       : type->memory_size > sizeof(fnd_link_law_memory) ? "the law remembers more than a link can keep"
                                                                         : NULL;
    if (!what) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "use", what, type->name,
                                       "a contact type of one law, without states or provided forces", ""});
}
