/* How bodies that links join give way to a force: with all that hangs on them, all joints free along and about their
 * axes alone. Velocities and forces are spatial vectors (rotation first) about one point, in world axes. */
#include "model_import/mobility.h"

#include <math.h>
#include <string.h>

typedef struct fnd_model_motion {
    fender_vec3 about;
    int freedom;       /* 0: fixed */
    double axes[6][6]; /* the velocities that the joint leaves free, a row each */
    double inertia[6][6], mobility[6][6];
    double carried[6][6]; /* row i: inertia times axes[i] */
    double give[6][6];    /* of the free velocities, per force along them */
} fnd_model_motion;

static void set_vector(double to[6], fender_vec3 turn, fender_vec3 shift)
{
    const double values[6] = {turn.x, turn.y, turn.z, shift.x, shift.y, shift.z};
    memcpy(to, values, sizeof values);
}

static double product(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

/* The momentum about the point that a unit of each velocity has. */
static void set_inertia(fnd_model_motion *m, const fnd_model_body *c)
{
    const fender_vec3 out = fender_vec3_sub(c->cluster_center, m->about);
    for (int i = 0; i < 6; i++) {
        double unit[6] = {0};
        unit[i] = 1;
        const fender_vec3 w = {unit[0], unit[1], unit[2]}, v = {unit[3], unit[4], unit[5]};
        const fender_vec3 p = fender_vec3_scale(c->cluster_mass, fender_vec3_add(v, fender_vec3_cross(w, out)));
        const fender_vec3 own = fender_mat3_times(&c->cluster_inertia, w);
        set_vector(m->inertia[i], fender_vec3_add(own, fender_vec3_cross(out, p)), p);
    }
}

static void set_axes(fnd_model_motion *m, const fnd_model_body *c)
{
    bool slides[3], turns[3];
    if (!c->link) {
        m->freedom = c->fixed ? 0 : 6;
        for (int i = 0; i < 6; i++) m->axes[i][i] = 1;
        return;
    }
    const fender_pose frame = fnd_model_link_frame(c, slides, turns);
    const fender_mat3 axes = fender_quaternion_matrix(frame.q);
    const fender_vec3 back = fender_vec3_sub(m->about, frame.p);
    for (int i = 0; i < 3; i++) {
        const fender_vec3 axis = fender_mat3_column(&axes, i);
        if (turns[i]) set_vector(m->axes[m->freedom++], axis, fender_vec3_cross(axis, back));
        if (slides[i]) set_vector(m->axes[m->freedom++], fender_vec3_make(0, 0, 0), axis);
    }
}

/* Inverse of a symmetric matrix by elimination; what has no inertia does not give way. */
static void invert(const double of[6][6], int count, double to[6][6])
{
    double rest[6][6];
    memcpy(rest, of, sizeof rest);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) to[i][k] = i == k;
    for (int i = 0; i < count; i++) {
        const double pivot = rest[i][i];
        const bool good = pivot > 1e-12 * of[i][i];
        for (int k = 0; k < count; k++) {
            to[i][k] = good ? to[i][k] / pivot : 0;
            rest[i][k] = good ? rest[i][k] / pivot : 0;
        }
        for (int j = 0; j < count; j++) {
            const double part = rest[j][i];
            for (int k = 0; k < count && j != i; k++) {
                to[j][k] -= part * to[i][k];
                rest[j][k] -= part * rest[i][k];
            }
        }
    }
}

/* The joint's own give, with all that hangs on the part; what the part adds to its parent. */
static void gather(fnd_model_motion *m, fnd_model_motion *parent)
{
    double along[6][6] = {{0}};
    for (int i = 0; i < m->freedom; i++)
        for (int k = 0; k < 6; k++) m->carried[i][k] = product(m->inertia[k], m->axes[i]);
    for (int i = 0; i < m->freedom; i++)
        for (int k = 0; k < m->freedom; k++) along[i][k] = product(m->axes[i], m->carried[k]);
    invert((const double(*)[6])along, m->freedom, m->give);
    if (!parent) return;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            double kept = m->inertia[i][k];
            for (int a = 0; a < m->freedom; a++)
                for (int b = 0; b < m->freedom; b++) kept -= m->carried[a][i] * m->give[a][b] * m->carried[b][k];
            parent->inertia[i][k] += kept;
        }
}

/* By the parent, as far as the joint passes its motion on, and by the joint itself. */
static void spread(fnd_model_motion *m, const fnd_model_motion *parent)
{
    double pass[6][6] = {{0}}, half[6][6] = {{0}};
    for (int i = 0; i < 6; i++) {
        pass[i][i] = 1;
        for (int k = 0; k < 6; k++)
            for (int a = 0; a < m->freedom; a++)
                for (int b = 0; b < m->freedom; b++) {
                    const double joint = m->axes[a][i] * m->give[a][b];
                    m->mobility[i][k] += joint * m->axes[b][k];
                    pass[i][k] -= joint * m->carried[b][k];
                }
    }
    if (!parent) return;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) half[i][k] = product(pass[i], parent->mobility[k]);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) m->mobility[i][k] += product(half[i], pass[k]);
}

static fnd_model_motion *parent_of(const fnd_model_body *c) { return c->link ? c->parent->cluster->motion : NULL; }

/* By how much a point is moved along a direction, per force along it. */
static double give_along(const fnd_model_motion *m, fender_vec3 point, fender_vec3 direction)
{
    double force[6], sum = 0;
    set_vector(force, fender_vec3_cross(fender_vec3_sub(point, m->about), direction), direction);
    for (int i = 0; i < 6; i++) sum += force[i] * product(m->mobility[i], force);
    return sum;
}

double fnd_model_mass_met(const fnd_model_body *c, fender_vec3 point)
{
    double give = 0;
    if (c->fixed || !c->motion) return c->cluster_mass;
    for (int i = 0; i < 3; i++) give += give_along(c->motion, point, fender_vec3_make(i == 0, i == 1, i == 2)) / 3;
    return give * c->cluster_mass > 1e-6 ? 1 / give : c->cluster_mass; /* else its joint holds it */
}

static bool add_motion(fnd_model *model, fnd_model_body *c)
{
    fnd_model_body *up = c->link ? c->parent->cluster : c;
    if (c->motion) return true;
    c->motion = FND_MODEL_NEW(model, fnd_model_motion);
    if (!c->motion || !add_motion(model, up)) return false;
    c->motion->about = up->motion->about;
    if (!c->link) c->motion->about = c->cluster_center;
    set_axes(c->motion, c);
    set_inertia(c->motion, c);
    return true;
}

bool fnd_model_find_motions(fnd_model *model)
{
    int count = 0;
    for (fnd_model_body *b = model->bodies; b; b = b->next) count++;
    fnd_model_body **list = fnd_model_keep(model, (size_t)count, sizeof *list);
    if (!list) return false;
    count = 0;
    for (fnd_model_body *b = model->bodies; b; b = b->next) {
        if (b->link && !add_motion(model, b)) return false;
        if (b->cluster == b) list[count++] = b;
    }
    for (int i = count - 1; i >= 0; i--) /* children first */
        if (list[i]->motion) gather(list[i]->motion, parent_of(list[i]));
    for (int i = 0; i < count; i++) {
        if (list[i]->motion) spread(list[i]->motion, parent_of(list[i]));
        list[i]->contact_mass = fnd_model_mass_met(list[i], list[i]->cluster_center);
    }
    return true;
}
