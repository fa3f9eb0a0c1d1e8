/* Links of the mass tree, and where a member is in its tree. */
#include "body/mass_tree.h"

int fnd_tree_root(const fnd_body *bodies, int body)
{
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
    bodies[child].parent = parent;
    bodies[child].X_PS = X_PS;
    bodies[child].next_sibling = -1;
    if (bodies[parent].last_child >= 0) bodies[bodies[parent].last_child].next_sibling = child;
    else bodies[parent].first_child = child;
    bodies[parent].last_child = child;
}

void fnd_tree_unlink(fnd_body *bodies, int child)
{
    int parent = bodies[child].parent, before = -1;
    for (int i = bodies[parent].first_child; i != child; i = bodies[i].next_sibling) before = i;
    if (before >= 0) bodies[before].next_sibling = bodies[child].next_sibling;
    else bodies[parent].first_child = bodies[child].next_sibling;
    if (bodies[parent].last_child == child) bodies[parent].last_child = before;
    bodies[child].parent = bodies[child].next_sibling = -1;
    bodies[child].connection_child = bodies[child].connection_parent = -1;
    bodies[child].X_PS = fender_pose_identity();
}

void fnd_tree_layout(fnd_body *bodies, int count)
{
    for (int i = 0; i < count; i++) {
        fnd_body *body = &bodies[i];
        body->root = fnd_tree_root(bodies, i);
        const fnd_body *root = &bodies[body->root];
        fender_quaternion q_RB = fender_quaternion_conjugate(root->q_SB);
        if (body->root == i) {
            body->q_RS = q_RB;
            body->root_center_S = body->center_S;
            continue;
        }
        fender_pose X = fnd_tree_pose(bodies, i);
        body->q_RS = fender_quaternion_normalized(fender_quaternion_product(q_RB, X.q));
        body->root_center_S = fender_quaternion_rotate(fender_quaternion_conjugate(X.q),
                                                       fender_vec3_sub(root->center_S, X.p));
    }
}

fnd_frame fnd_tree_frame(const fnd_body *bodies, int body, const fnd_frame *root_frame)
{
    int root = fnd_tree_root(bodies, body);
    if (root == body) return *root_frame;
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
    fender_quaternion q_RB = fender_quaternion_product(fender_quaternion_product(q_RS, X.q), member->q_SB);
    frame.q = fender_quaternion_normalized(fender_quaternion_product(root_frame->q, q_RB));
    frame.R_WB = fender_quaternion_matrix(frame.q);
    return frame;
}
