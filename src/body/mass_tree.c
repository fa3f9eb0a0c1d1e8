/* Trees of bodies: links, where a member is in its tree, composite mass properties. */
#include "body/mass_tree.h"

#include "math/rotation.h"
#include <assert.h>
#include <string.h>

/* ---- Links ---- */

int fnd_tree_root(const fnd_body *bodies, int body)
{
    assert(body >= 0);
    while (bodies[body].parent >= 0) body = bodies[body].parent;
    return body;
}

bool fnd_tree_descends(const fnd_body *bodies, int body, int ancestor)
{
    for (; body >= 0; body = bodies[body].parent)
        if (body == ancestor) return true;
    return false;
}

fender_pose fnd_tree_pose(const fnd_body *bodies, int body)
{
    assert(body >= 0);
    if (bodies[body].parent < 0) return fender_pose_identity();
    fender_pose X = bodies[body].X_PS;
    for (body = bodies[body].parent; bodies[body].parent >= 0; body = bodies[body].parent) {
        X = fender_pose_product(bodies[body].X_PS, X);
        X.q = fender_quaternion_normalized(X.q);
    }
    return X;
}

void fnd_tree_link(fnd_body *bodies, int child, int parent, fender_pose X_PS)
{
    assert(child >= 0 && parent >= 0 && bodies[child].parent < 0);
    assert(!fnd_tree_descends(bodies, parent, child));
    bodies[child].parent = parent;
    bodies[child].X_PS = X_PS;
    bodies[child].next_sibling = -1;
    if (bodies[parent].last_child >= 0) bodies[bodies[parent].last_child].next_sibling = child;
    else bodies[parent].first_child = child;
    bodies[parent].last_child = child;
}

void fnd_tree_unlink(fnd_body *bodies, int child)
{
    assert(bodies[child].parent >= 0);
    int parent = bodies[child].parent, before = -1;
    for (int i = bodies[parent].first_child; i != child; i = bodies[i].next_sibling) before = i;
    if (before >= 0) bodies[before].next_sibling = bodies[child].next_sibling;
    else bodies[parent].first_child = bodies[child].next_sibling;
    if (bodies[parent].last_child == child) bodies[parent].last_child = before;
    bodies[child].parent = bodies[child].next_sibling = -1;
    bodies[child].connection_child = bodies[child].connection_parent = -1;
    bodies[child].X_PS = fender_pose_identity();
}

/* ---- Connections ---- */

int fnd_tree_lower_end(const fnd_body *bodies, int body)
{
    assert(bodies[body].parent >= 0);
    const fnd_body *b = &bodies[body];
    return b->connection_child == b->parent ? b->connection_parent : b->connection_child;
}

int fnd_tree_bypass(const fnd_body *bodies, int body)
{
    assert(body >= 0);
    for (int i = bodies[body].parent; i >= 0 && bodies[i].parent >= 0; i = bodies[i].parent)
        if (fnd_tree_descends(bodies, fnd_tree_lower_end(bodies, i), body)) return i;
    return -1;
}

/* The child of `top` whose subtree a body is in; -1: none. */
static int branch_of(const fnd_body *bodies, int top, int body)
{
    for (; body >= 0; body = bodies[body].parent)
        if (bodies[body].parent == top) return body;
    return -1;
}

int fnd_tree_step(const fnd_body *bodies, int body, int goal)
{
    assert(body != goal && fnd_tree_root(bodies, body) == fnd_tree_root(bodies, goal));
    for (;;) {
        const int below = branch_of(bodies, body, goal);
        if (below >= 0) return fnd_tree_lower_end(bodies, below);
        int branch = body; /* of the least subtree that both are in */
        while (!fnd_tree_descends(bodies, goal, bodies[branch].parent)) branch = bodies[branch].parent;
        goal = fnd_tree_lower_end(bodies, branch); /* the way leads through that connection */
        if (goal == body) return bodies[branch].parent;
    }
}

/* Pose of a body's structure frame in an ancestor's. */
static fender_pose pose_below(const fnd_body *bodies, int body, int ancestor)
{
    fender_pose X = fender_pose_identity();
    for (; body != ancestor; body = bodies[body].parent) {
        X = fender_pose_product(bodies[body].X_PS, X);
        X.q = fender_quaternion_normalized(X.q);
    }
    return X;
}

static void link_as(fnd_body *bodies, int child, int parent, fender_pose X_PS, const fnd_body *named)
{
    fnd_tree_link(bodies, child, parent, X_PS);
    bodies[child].connection_child = named->connection_child;
    bodies[child].connection_parent = named->connection_parent;
    bodies[child].connection_order = named->connection_order;
    bodies[child].part_ended = bodies[child].part != NULL;
}

int fnd_tree_rehang(fnd_body *bodies, int body)
{
    for (int top; (top = fnd_tree_bypass(bodies, body)) >= 0; body = top) {
        /* the connection above `top` holds the subtree of the body: both change places */
        const int low = fnd_tree_lower_end(bodies, body), above = bodies[body].parent, parent = bodies[top].parent;
        const fnd_body link = bodies[body], upper = bodies[top];
        const fender_pose X = pose_below(bodies, body, parent);
        const fender_pose X_top = fender_pose_inverse(pose_below(bodies, low, top));
        fnd_tree_unlink(bodies, body);
        fnd_tree_unlink(bodies, top);
        link_as(bodies, body, parent, X, &upper);
        link_as(bodies, top, low, X_top, &link);
        fnd_composite_update_upward(bodies, above);
    }
    return body;
}

void fnd_tree_keep_names(fnd_body *bodies, int cut)
{
    for (int i; (i = fnd_tree_bypass(bodies, cut)) >= 0;) {
        if (bodies[i].connection_child == bodies[i].parent) bodies[i].connection_parent = i;
        else bodies[i].connection_child = i;
    }
}

/* ---- Places ---- */

void fnd_tree_place(fnd_body *bodies, int index)
{
    assert(index >= 0);
    fnd_body *body = &bodies[index];
    body->root = fnd_tree_root(bodies, index);
    const fnd_body *root = &bodies[body->root];
    fender_quaternion q_RB = fender_quaternion_conjugate(root->q_SB);
    if (body->root == index) {
        body->q_RS = q_RB;
        body->root_center_S = body->center_S;
        return;
    }
    fender_pose X = fnd_tree_pose(bodies, index);
    body->q_RS = fender_quaternion_normalized(fender_quaternion_product(q_RB, X.q));
    body->root_center_S = fender_quaternion_rotate(fender_quaternion_conjugate(X.q),
                                                   fender_vec3_sub(root->center_S, X.p));
}

void fnd_tree_layout(fnd_body *bodies, int count)
{
    assert(count >= 0);
    for (int i = 0; i < count; i++) fnd_tree_place(bodies, i);
}

fnd_frame fnd_tree_frame(const fnd_body *bodies, int body, const fnd_frame *root_frame)
{
    assert(root_frame);
    int root = fnd_tree_root(bodies, body);
    if (root == body) return fnd_part_carrier(&bodies[root], root_frame);
    const fnd_body *member = &bodies[body], *head = &bodies[root];
    fender_pose X = fnd_tree_pose(bodies, body);
    fender_vec3 lever_S = fender_vec3_sub(fender_vec3_add(X.p, fender_quaternion_rotate(X.q, member->center_S)),
                                          head->center_S);
    fender_quaternion q_RS = fender_quaternion_conjugate(head->q_SB);
    fender_vec3 lever = fender_mat3_times(&root_frame->R_WB, fender_quaternion_rotate(q_RS, lever_S));
    fnd_frame frame;
    frame.p = fender_vec3_add(root_frame->p, lever);
    frame.v = fender_vec3_add(root_frame->v, fender_vec3_cross(root_frame->w, lever));
    frame.w = root_frame->w;
    if (member->moving) {
        frame.v = fender_vec3_add(frame.v, fnd_part_velocity(member, &root_frame->R_WB, lever));
        frame.w = fender_vec3_add(frame.w, fnd_part_turning(member, &root_frame->R_WB));
    }
    fender_quaternion q_RB = fender_quaternion_product(fender_quaternion_product(q_RS, X.q), member->q_SB);
    frame.q = fender_quaternion_normalized(fender_quaternion_product(root_frame->q, q_RB));
    frame.R_WB = fender_quaternion_matrix(frame.q);
    return frame;
}

/* ---- Composites ---- */

/* m (d.d 1 - d d^T): what a mass at d adds to the inertia about the origin (Eq 3.4). */
static void add_point_mass(fender_mat3 *inertia, double m, fender_vec3 d)
{
    inertia->m[0][0] += m * (d.y * d.y + d.z * d.z);
    inertia->m[1][1] += m * (d.x * d.x + d.z * d.z);
    inertia->m[2][2] += m * (d.x * d.x + d.y * d.y);
    double xy = m * d.x * d.y, xz = m * d.x * d.z, yz = m * d.y * d.z;
    inertia->m[0][1] -= xy;
    inertia->m[1][0] -= xy;
    inertia->m[0][2] -= xz;
    inertia->m[2][0] -= xz;
    inertia->m[1][2] -= yz;
    inertia->m[2][1] -= yz;
}

/* R I R^T, symmetric to the last bit */
static fender_mat3 rotated(const fender_mat3 *R, const fender_mat3 *inertia)
{
    fender_mat3 left = fender_mat3_product(R, inertia), transpose = fender_mat3_transpose(R);
    fender_mat3 result = fender_mat3_product(&left, &transpose);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) result.m[i][j] = result.m[j][i] = 0.5 * (result.m[i][j] + result.m[j][i]);
    return result;
}

static fender_vec3 child_center(const fnd_body *child)
{
    return fender_vec3_add(child->X_PS.p, fender_quaternion_rotate(child->X_PS.q, child->center_S));
}

void fnd_composite_update(fnd_body *bodies, int index)
{
    assert(index >= 0);
    fnd_body *body = &bodies[index];
    body->mass = body->core.mass;
    body->center_S = body->core.center_of_mass;
    body->inertia = body->core.inertia;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            body->inertia.m[i][j] = body->inertia.m[j][i] = 0.5 * (body->inertia.m[i][j] + body->inertia.m[j][i]);
    bool movable = fnd_body_dynamic(body) || body->motion == FENDER_MOTION_MASS_ONLY;
    if (body->first_child >= 0 && movable) { /* what nothing moves needs no mass, and keeps its structure's origin */
        fender_vec3 moment = fender_vec3_scale(body->core.mass, body->core.center_of_mass);
        for (int c = body->first_child; c >= 0; c = bodies[c].next_sibling) {
            body->mass += bodies[c].mass;
            moment = fender_vec3_add_scaled(moment, bodies[c].mass, child_center(&bodies[c]));
        }
        body->center_S = fender_vec3_scale(1.0 / body->mass, moment);
        fender_quaternion q_BS = fender_quaternion_conjugate(body->q_SB);
        fender_vec3 offset = fender_vec3_sub(body->core.center_of_mass, body->center_S);
        add_point_mass(&body->inertia, body->core.mass, fender_quaternion_rotate(q_BS, offset));
        for (int c = body->first_child; c >= 0; c = bodies[c].next_sibling) {
            const fnd_body *child = &bodies[c];
            fender_mat3 R = fender_quaternion_matrix(fender_quaternion_normalized(
                fender_quaternion_product(fender_quaternion_product(q_BS, child->X_PS.q), child->q_SB)));
            fender_mat3 turned = rotated(&R, &child->inertia);
            for (int i = 0; i < 9; i++) (&body->inertia.m[0][0])[i] += (&turned.m[0][0])[i];
            offset = fender_vec3_sub(child_center(child), body->center_S);
            add_point_mass(&body->inertia, child->mass, fender_quaternion_rotate(q_BS, offset));
        }
    }
    body->inverse_mass = fnd_body_dynamic(body) ? 1.0 / body->mass : 0.0;
    if (!fnd_symmetric_inverse(&body->inertia, &body->inverse_inertia))
        memset(&body->inverse_inertia, 0, sizeof body->inverse_inertia);
    const fender_mat3 *I = &body->inertia;
    body->spherical = !body->moving && I->m[0][1] == 0 && I->m[0][2] == 0 && I->m[1][2] == 0 &&
                      I->m[0][0] == I->m[1][1] && I->m[1][1] == I->m[2][2];
}

void fnd_composite_update_upward(fnd_body *bodies, int body)
{
    assert(body >= 0);
    for (; body >= 0; body = bodies[body].parent) fnd_composite_update(bodies, body);
}

fender_mat3 fender_inertia_in_body(fender_inertia_spec spec, double mass, const fender_mat3 *inertia,
                                   fender_quaternion q_SB, fender_vec3 center_S, fender_quaternion q_BP,
                                   fender_vec3 offset_P)
{
    fender_mat3 I = *inertia;
    fender_quaternion q_BS = fender_quaternion_conjugate(fender_quaternion_normalized(q_SB));
    fender_mat3 R_BS = fender_quaternion_matrix(q_BS),
                R_BP = fender_quaternion_matrix(fender_quaternion_normalized(q_BP));
    switch (spec) {
    case FENDER_INERTIA_BODY:
    case FENDER_INERTIA_NONE: return I;
    case FENDER_INERTIA_STRUCTURE: add_point_mass(&I, -mass, center_S); return rotated(&R_BS, &I);
    case FENDER_INERTIA_STRUCTURE_CG: return rotated(&R_BS, &I);
    case FENDER_INERTIA_SPEC: add_point_mass(&I, -mass, offset_P); return rotated(&R_BP, &I);
    case FENDER_INERTIA_SPEC_CG: return rotated(&R_BP, &I);
    }
    return I;
}
