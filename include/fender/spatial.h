/* fender/spatial.h - vectors, quaternions, matrices, poses: header only, values in, values out.
 *
 * Conventions: quaternions are scalar first (w, x, y, z); q_AB and R_AB take components in B to components in A.
 * X_AB is the pose of frame B in frame A. Matrices are row major. Names end in the frame of the components: v_W. */
#ifndef FENDER_SPATIAL_H
#define FENDER_SPATIAL_H

#include <math.h>
#include <stdbool.h>

typedef struct fender_vec2 {
    double x, y;
} fender_vec2;
typedef struct fender_vec3 {
    double x, y, z;
} fender_vec3;
typedef struct fender_quaternion {
    double w, x, y, z;
} fender_quaternion;
typedef struct fender_mat3 {
    double m[3][3];
} fender_mat3;
typedef struct fender_pose {
    fender_vec3 p;
    fender_quaternion q;
} fender_pose;
/* Force and torque, the torque about a stated point. */
typedef struct fender_wrench {
    fender_vec3 force, torque;
} fender_wrench;
typedef struct fender_box {
    fender_vec3 lower, upper;
} fender_box;

static inline fender_vec3 fender_vec3_make(double x, double y, double z)
{
    fender_vec3 v = {x, y, z};
    return v;
}
static inline fender_vec3 fender_vec3_add(fender_vec3 a, fender_vec3 b)
{
    fender_vec3 v = {a.x + b.x, a.y + b.y, a.z + b.z};
    return v;
}
static inline fender_vec3 fender_vec3_sub(fender_vec3 a, fender_vec3 b)
{
    fender_vec3 v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}
static inline fender_vec3 fender_vec3_scale(double s, fender_vec3 a)
{
    fender_vec3 v = {s * a.x, s * a.y, s * a.z};
    return v;
}
static inline fender_vec3 fender_vec3_negate(fender_vec3 a)
{
    fender_vec3 v = {-a.x, -a.y, -a.z};
    return v;
}
/* a + s b */
static inline fender_vec3 fender_vec3_add_scaled(fender_vec3 a, double s, fender_vec3 b)
{
    fender_vec3 v = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return v;
}
static inline double fender_vec3_dot(fender_vec3 a, fender_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline fender_vec3 fender_vec3_cross(fender_vec3 a, fender_vec3 b)
{
    fender_vec3 v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}
static inline double fender_vec3_length(fender_vec3 a) { return sqrt(fender_vec3_dot(a, a)); }
static inline bool fender_vec3_is_finite(fender_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static inline fender_mat3 fender_mat3_identity(void)
{
    fender_mat3 r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return r;
}
static inline fender_mat3 fender_mat3_diagonal(double a, double b, double c)
{
    fender_mat3 r = {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
    return r;
}
static inline fender_vec3 fender_mat3_times(const fender_mat3 *r, fender_vec3 v)
{
    fender_vec3 u = {r->m[0][0] * v.x + r->m[0][1] * v.y + r->m[0][2] * v.z,
                     r->m[1][0] * v.x + r->m[1][1] * v.y + r->m[1][2] * v.z,
                     r->m[2][0] * v.x + r->m[2][1] * v.y + r->m[2][2] * v.z};
    return u;
}
static inline fender_vec3 fender_mat3_transpose_times(const fender_mat3 *r, fender_vec3 v)
{
    fender_vec3 u = {r->m[0][0] * v.x + r->m[1][0] * v.y + r->m[2][0] * v.z,
                     r->m[0][1] * v.x + r->m[1][1] * v.y + r->m[2][1] * v.z,
                     r->m[0][2] * v.x + r->m[1][2] * v.y + r->m[2][2] * v.z};
    return u;
}
static inline fender_mat3 fender_mat3_product(const fender_mat3 *a, const fender_mat3 *b)
{
    fender_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return c;
}
static inline fender_mat3 fender_mat3_transpose(const fender_mat3 *a)
{
    fender_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) c.m[i][j] = a->m[j][i];
    return c;
}
static inline fender_vec3 fender_mat3_column(const fender_mat3 *r, int j)
{
    fender_vec3 v = {r->m[0][j], r->m[1][j], r->m[2][j]};
    return v;
}

static inline fender_quaternion fender_quaternion_identity(void)
{
    fender_quaternion q = {1, 0, 0, 0};
    return q;
}
static inline fender_quaternion fender_quaternion_conjugate(fender_quaternion q)
{
    fender_quaternion r = {q.w, -q.x, -q.y, -q.z};
    return r;
}
static inline fender_quaternion fender_quaternion_product(fender_quaternion a, fender_quaternion b)
{
    fender_quaternion c = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                           a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                           a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return c;
}
/* Unit quaternion of the same direction; the identity for a zero or non-finite one. */
static inline fender_quaternion fender_quaternion_normalized(fender_quaternion q)
{
    double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    fender_quaternion r = {1, 0, 0, 0};
    if (n > 0 && isfinite(n)) {
        r.w = q.w / n;
        r.x = q.x / n;
        r.y = q.y / n;
        r.z = q.z / n;
    }
    return r;
}
/* Rotation matrix of a unit quaternion. */
static inline fender_mat3 fender_quaternion_matrix(fender_quaternion q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    fender_mat3 r = {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                      {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                      {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
    return r;
}
/* q v q*: components of v taken from the inner to the outer frame. */
static inline fender_vec3 fender_quaternion_rotate(fender_quaternion q, fender_vec3 v)
{
    fender_mat3 r = fender_quaternion_matrix(q);
    return fender_mat3_times(&r, v);
}

static inline fender_pose fender_pose_identity(void)
{
    fender_pose x = {{0, 0, 0}, {1, 0, 0, 0}};
    return x;
}
/* X_AC = X_AB X_BC */
static inline fender_pose fender_pose_product(fender_pose a, fender_pose b)
{
    fender_pose c = {fender_vec3_add(a.p, fender_quaternion_rotate(a.q, b.p)), fender_quaternion_product(a.q, b.q)};
    return c;
}
static inline fender_pose fender_pose_inverse(fender_pose a)
{
    fender_quaternion q = fender_quaternion_conjugate(a.q);
    fender_pose b = {fender_vec3_negate(fender_quaternion_rotate(q, a.p)), q};
    return b;
}

#endif
