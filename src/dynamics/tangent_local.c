/* Derivatives of loads and links by differences of their own evaluation: central ones of two steps, extrapolated. They
 * are smooth functions of a few numbers, evaluated alone, so that errors are about 1e-12 of the force over the step. */
#include "dynamics/tangent_local.h"

#include "math/rotation.h"
#include <assert.h>
#include <string.h>

#define DIFFERENCE 1e-3 /* rad, and of lengths and speeds */

/* ---- What has derivatives */

static bool is_constant(const fender_signal *signal, bool commanded)
{
    return commanded || signal->kind == FENDER_SIGNAL_CONSTANT || signal->kind == FENDER_SIGNAL_ZERO;
}

const char *fnd_load_tangent_refuses(const fnd_load *load, const fnd_dynamics *d)
{
    const double now = d->piece_time;
    switch (load->def.kind) {
    case FENDER_LOAD_DRAG:
    case FENDER_LOAD_SPRING: return NULL;
    case FENDER_LOAD_GIVEN:
        if (is_constant(&load->def.force, load->memory.commanded[0]) &&
            is_constant(&load->def.torque, load->memory.commanded[1]))
            return NULL;
        return "its force changes with time";
    case FENDER_LOAD_THRUSTER:
        if (isinf(fnd_load_kink(load, now)) && fnd_load_level(load, now, now) == fnd_load_level(load, now + 1, now))
            return NULL;
        return "its level changes with time";
    case FENDER_LOAD_REACTION_WHEEL: break;
    }
    return "wheels have a momentum of their own";
}

const char *fnd_link_tangent_refuses(const fnd_link *link, const fnd_link_value *v)
{
    if (!v->acting) return NULL;
    if (link->memory.drive.rate != 0) return "its free length is moving";
    if (link->law == FENDER_LINK_SPRING_DAMPER_6DOF) return NULL;
    if (link->law != FENDER_LINK_SPRING_DAMPER) return "its law has modes or a history";
    const fender_link_spring_damper *p = link->parameters;
    return p->acts == FENDER_LINK_BOTH && !p->spent_at_free_length ? NULL : "it acts in one direction";
}

/* ---- Differences */

/* Wrenches on both roots at some frames. */
typedef struct element {
    const fnd_load *load;
    const fnd_link *link;
    const fnd_dynamics *dynamics;
    fnd_frame *frames;
    int root[2];
    double size; /* m */
} element;

static void put(double *to, fender_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void evaluate(const element *e, double wrench[2][6])
{
    const fnd_dynamics *d = e->dynamics;
    const fnd_contact_model *model = d->model;
    memset(wrench, 0, 2 * sizeof wrench[0]);
    if (e->load) {
        fnd_load_value v;
        fender_vec3 lever;
        const fnd_body *body = &model->bodies[e->load->body];
        const fnd_body *tank = e->load->tank >= 0 ? &model->bodies[e->load->tank] : NULL;
        fnd_load_evaluate(e->load, body, tank, NULL, &e->frames[e->root[0]], d->piece_time, d->piece_time,
                          (fender_vec3){0, 0, 0}, &v, &lever);
        put(wrench[0], v.force);
        put(wrench[0] + 3, fender_vec3_add(v.torque, fender_vec3_cross(lever, v.force)));
        return;
    }
    fnd_link_value v;
    fnd_link_evaluate(e->link, model, e->frames, d->piece_time, d->regime, NULL, &v);
    const fender_vec3 back = fender_vec3_negate(v.force_on_b);
    put(wrench[0], back);
    put(wrench[0] + 3, fender_vec3_sub(fender_vec3_cross(v.lever_a, back), v.torque_on_b));
    put(wrench[1], v.force_on_b);
    put(wrench[1] + 3, fender_vec3_add(fender_vec3_cross(v.lever_b, v.force_on_b), v.torque_on_b));
}

/* The frame with one of its twelve numbers changed. */
static fnd_frame moved(const fnd_frame *frame, int number, double h)
{
    fnd_frame to = *frame;
    const int i = number % 3;
    const fender_vec3 change = {i == 0 ? h : 0, i == 1 ? h : 0, i == 2 ? h : 0};
    if (number < 3) to.p = fender_vec3_add(to.p, change);
    else if (number < 6) {
        to.q = fnd_quaternion_rotated(change, to.q);
        to.R_WB = fender_quaternion_matrix(to.q);
    } else if (number < 9) to.v = fender_vec3_add(to.v, change);
    else to.w = fender_vec3_add(to.w, change);
    return to;
}

static double step_of(const element *e, const fnd_frame *frame, int number)
{
    if (number < 3) return DIFFERENCE * e->size;
    if (number < 6) return DIFFERENCE;
    return DIFFERENCE * (1 + fender_vec3_length(number < 9 ? frame->v : frame->w));
}

static void differentiate(const element *e, fnd_local_tangent *t)
{
    memset(t, 0, sizeof *t);
    for (int r = 0; r < 2; r++) {
        t->root[r] = e->root[r];
        if (e->root[r] < 0 || !e->dynamics->integrated[e->root[r]]) continue;
        fnd_frame *frame = &e->frames[e->root[r]];
        const fnd_frame kept = *frame;
        for (int number = 0; number < 12; number++) {
            const double h = step_of(e, &kept, number);
            double at[4][2][6];
            static const double parts[4] = {-1, 1, -0.5, 0.5};
            for (int k = 0; k < 4; k++) {
                *frame = moved(&kept, number, parts[k] * h);
                evaluate(e, at[k]);
            }
            for (int on = 0; on < 2; on++)
                for (int i = 0; i < 6; i++) {
                    const double wide = (at[1][on][i] - at[0][on][i]) / (2 * h);
                    const double fine = (at[3][on][i] - at[2][on][i]) / h;
                    t->by[r][number][on][i] = fine + (fine - wide) / 3;
                }
        }
        *frame = kept;
    }
}

bool fnd_load_tangent_make(const fnd_load *load, const fnd_dynamics *d, fnd_frame *frames, fnd_local_tangent *t)
{
    const int root = d->model->bodies[load->body].root;
    if (!load->name || !load->active || !d->integrated[root]) return false;
    const element e = {.load = load, .dynamics = d, .frames = frames, .root = {root, -1}, .size = 1};
    differentiate(&e, t);
    return true;
}

bool fnd_link_tangent_make(const fnd_link *link, const fnd_dynamics *d, fnd_frame *frames, fnd_local_tangent *t)
{
    fnd_link_value v;
    if (!link->name) return false;
    fnd_link_evaluate(link, d->model, frames, d->piece_time, d->regime, NULL, &v);
    if (!v.acting) return false;
    const element e = {.link = link,
                       .dynamics = d,
                       .frames = frames,
                       .root = {v.root_a, v.root_b},
                       .size = v.length > 0 ? v.length : 1};
    differentiate(&e, t);
    return true;
}

static void add(const fnd_local_tangent *t, int by, int first, fender_vec3 change, int on, double *wrench)
{
    const double numbers[3] = {change.x, change.y, change.z};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 6; i++) wrench[i] += numbers[k] * t->by[by][first + k][on][i];
}

void fnd_local_tangent_apply(const fnd_local_tangent *t, int on, const fnd_frame_change *first,
                             const fnd_frame_change *second, fender_vec3 *force, fender_vec3 *torque)
{
    double wrench[6] = {0};
    for (int by = 0; by < 2; by++) {
        const fnd_frame_change *change = by == 0 ? first : second;
        if (!change) continue;
        add(t, by, 0, change->p, on, wrench);
        add(t, by, 3, change->turn, on, wrench);
        add(t, by, 6, change->v, on, wrench);
        add(t, by, 9, change->w, on, wrench);
    }
    *force = fender_vec3_make(wrench[0], wrench[1], wrench[2]);
    *torque = fender_vec3_make(wrench[3], wrench[4], wrench[5]);
}
