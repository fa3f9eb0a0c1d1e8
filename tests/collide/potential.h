/* Pairs of solids in random poses: force and torque are the slope of the energy, and nothing jumps on random paths; of
 * a law whose force is a power of the depth. */
#ifndef TEST_POTENTIAL_H
#define TEST_POTENTIAL_H

#include "check.h"
#include "collide/pair_table.h"
#include "patch_test.h"

static fender_env potential_env;
static double potential_exponent = 1; /* n: the force is depth^n */

typedef enum potential_kind {
    PLANE,
    TABLE, /* a box */
    GRID,
    MESH,
    CLOSED_MESH,
    BOX,
    ROUNDED_BOX,
    PLATE,
    HULL,
    CYLINDER,
    WHEEL,
    DISK,
    CONE,
    CAPSULE,
    ELLIPSOID,
    SPHERE,
    SMALL_MESH,
    ROUNDED_CYLINDER,
    ROUNDED_DISK,
    POTENTIAL_KINDS
} potential_kind;
static const char *const potential_names[POTENTIAL_KINDS] = {
    "plane",       "table", "grid", "mesh", "closed mesh", "box",       "rounded box", "plate",      "hull",
    "cylinder",    "wheel", "disk", "cone", "capsule",     "ellipsoid", "sphere",      "small mesh", "rounded cylinder",
    "rounded disk"};

static inline fender_geometry *potential_mesh_of(fender_geometry *solid)
{
    int count, triangles = fender_geometry_triangles(solid, NULL, 0) / 3;
    const fender_vec3 *vertices = fender_geometry_vertices(solid, &count);
    int32_t indices[36];
    assert_true(triangles <= 12);
    fender_geometry_triangles(solid, indices, 36);
    fender_mesh_def def = {vertices, count, indices, triangles};
    fender_geometry *mesh = fender_geometry_mesh(&potential_env, &def, NULL);
    fender_geometry_release(solid);
    return mesh;
}

static inline fender_geometry *potential_rounded(fender_geometry *core, double radius)
{
    fender_geometry *rounded = fender_geometry_rounded(core, radius, NULL);
    fender_geometry_release(core);
    return rounded;
}

static inline fender_geometry *potential_ground(random_stream *r, bool mesh)
{
    enum { SIDE = 21 };
    static double heights[SIDE * SIDE];
    static fender_vec3 vertices[SIDE * SIDE];
    static int32_t triangles[6 * (SIDE - 1) * (SIDE - 1)];
    int n = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int at = j * SIDE + i;
            heights[at] = random_between(r, -0.04, 0.04);
            vertices[at] = fender_vec3_make(-2 + 0.2 * i, -2 + 0.2 * j, heights[at]);
            if (i + 1 == SIDE || j + 1 == SIDE) continue;
            const int32_t corners[6] = {at, at + 1, at + SIDE + 1, at, at + SIDE + 1, at + SIDE};
            for (int k = 0; k < 6; k++) triangles[n++] = corners[k];
        }
    fender_grid_def grid = {SIDE, SIDE, {-2, -2}, {0.2, 0.2}, heights};
    fender_mesh_def def = {vertices, SIDE * SIDE, triangles, n / 3};
    return mesh ? fender_geometry_mesh(&potential_env, &def, NULL) : fender_geometry_grid(&potential_env, &grid, NULL);
}

static inline fender_geometry *potential_solid(potential_kind kind, random_stream *r)
{
    const fender_env *env = &potential_env;
    switch (kind) {
    case PLANE: return fender_geometry_plane(env, NULL);
    case TABLE: return fender_geometry_box(env, fender_vec3_make(1.5, 1.4, 0.8), NULL);
    case GRID: return potential_ground(r, false);
    case MESH: return potential_ground(r, true);
    case CLOSED_MESH: return potential_mesh_of(fender_geometry_box(env, fender_vec3_make(1.5, 1.4, 0.8), NULL));
    case BOX: return fender_geometry_box(env, fender_vec3_make(0.5, 0.4, 0.3), NULL);
    case PLATE: return fender_geometry_box(env, fender_vec3_make(0.5, 0.4, 0.04), NULL);
    case ROUNDED_BOX:
        return potential_rounded(fender_geometry_box(env, fender_vec3_make(0.45, 0.35, 0.25), NULL), 0.05);
    case HULL: {
        fender_vec3 points[24];
        for (int i = 0; i < 24; i++) {
            double z = 1 - 2 * (i + 0.5) / 24, angle = 2.39996 * i, across = sqrt(1 - z * z);
            points[i] = fender_vec3_make(0.5 * across * cos(angle), 0.4 * across * sin(angle), 0.45 * z);
        }
        return fender_geometry_hull(env, points, 24, NULL);
    }
    case CYLINDER: return fender_geometry_cylinder(env, 0.3, 0.5, NULL);
    case WHEEL: return fender_geometry_cylinder(env, 0.4, 0.1, NULL);
    case DISK: return fender_geometry_disk(env, 0.4, NULL);
    case CONE: return fender_geometry_cone(env, 0.4, 0.5, NULL);
    case CAPSULE: return fender_geometry_capsule(env, 0.3, 0.5, NULL);
    case ELLIPSOID: return fender_geometry_ellipsoid(env, fender_vec3_make(0.5, 0.35, 0.25), NULL);
    case SPHERE: return fender_geometry_sphere(env, 0.4, NULL);
    case ROUNDED_CYLINDER: return potential_rounded(fender_geometry_cylinder(env, 0.27, 0.4, NULL), 0.03);
    case ROUNDED_DISK: return potential_rounded(fender_geometry_disk(env, 0.35, NULL), 0.05);
    case SMALL_MESH: return potential_mesh_of(fender_geometry_box(env, fender_vec3_make(0.5, 0.4, 0.3), NULL));
    case POTENTIAL_KINDS: break;
    }
    return NULL;
}

static inline patch_sum potential_ask(const fnd_posed *a, const fnd_posed *b)
{
    static fender_separation items[4096];
    fnd_manifold found = {.items = items, .capacity = 4096, .exponent = potential_exponent};
    found.turns = potential_exponent != 1;
    fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
    fnd_pair_evaluate(&entry, a, b, &query, &found);
    assert_false(found.failed);
    return patch_sum_of(&found, fender_vec3_sub(b->p_WG, a->p_WG));
}

static inline fender_separation potential_deepest(const fnd_posed *a, const fnd_posed *b)
{
    fender_separation item;
    fnd_manifold found = {.items = &item, .capacity = 1};
    fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    fnd_query query = {FND_QUERY_DISTANCE, INFINITY, NULL, NULL, 0};
    fnd_pair_evaluate(&entry, a, b, &query, &found);
    assert_int_equal(found.count, 1);
    return item;
}

/* Moves b along the deepest contact's normal until it has the depth. */
static inline void potential_settle(const fnd_posed *a, fnd_posed *b, double depth)
{
    for (int i = 0; i < 3; i++) {
        fender_separation s = potential_deepest(a, b);
        b->p_WG = fender_vec3_add_scaled(b->p_WG, -depth - s.distance, s.normal);
    }
}

/* The energy after the motion less the energy after its reverse, over twice the motion. */
static inline double potential_difference(const fnd_posed *a, const fnd_posed *b, int axis, double h)
{
    const fnd_posed more = moved(b, axis, h), less = moved(b, axis, -h);
    return (potential_ask(a, &less).energy - potential_ask(a, &more).energy) / (2 * h);
}

/* The largest difference of force and torque from the slope of the energy, over the force. At 1 mm of depth the central
 * difference of a power of depth leaves h^2 / depth^2 = 1e-6 of the force; two of them, extrapolated, leave rounding.
 */
static inline double potential_off(const fnd_posed *a, const fnd_posed *b, const patch_sum *here)
{
    const double push[6] = {here->force.x,  here->force.y,  here->force.z,
                            here->torque.x, here->torque.y, here->torque.z};
    double off = 0, h = 1e-6;
    for (int axis = 0; axis < 6; axis++) {
        const double slope = (4 * potential_difference(a, b, axis, h) - potential_difference(a, b, axis, 2 * h)) / 3;
        off = larger(off, fabs(slope - push[axis]) / fender_vec3_length(here->force));
    }
    return off;
}

typedef struct potential_result {
    int poses, far;    /* looked at, with force or torque off by more than the bound */
    double off, slope; /* worst: force and torque against the slope; change of force over k times the way */
    int steep;         /* steps with more than twice that */
} potential_result;

/* `paths` of `steps` steps of 0.1 mm at constant depth, sliding and turning. */
static inline potential_result potential_try(potential_kind kind_a, potential_kind kind_b, int poses, int steps,
                                             double bound)
{
    potential_result found = {0};
    for (int n = 0; n < poses; n++) {
        random_stream r = random_of_case(9000 + (uint64_t)kind_a * 32 + (uint64_t)kind_b, (uint64_t)n);
        fnd_posed a = {potential_solid(kind_a, &r), {0, 0, 0}, fender_mat3_identity()};
        fnd_posed b = {potential_solid(kind_b, &r), {0, 0, 0}, random_matrix(&r)};
        bool ground = kind_a == PLANE || kind_a == GRID || kind_a == MESH;
        if (n % 3 == 0)
            b.R_WG = fender_quaternion_matrix(fender_quaternion_normalized(
                (fender_quaternion){1, random_between(&r, -0.01, 0.01), random_between(&r, -0.01, 0.01), 0.2}));
        fender_vec3 up = ground ? fender_vec3_make(0, 0, 1) : random_direction(&r);
        fender_vec3 base = ground ? fender_vec3_make(random_between(&r, -1, 1), random_between(&r, -1, 1), 0) : up;
        double low = -1, high = 4, thin = kind_a == PLATE || kind_b == PLATE ? 0.014 : 0.05;
        for (int i = 0; i < 40; i++) {
            double middle = 0.5 * (low + high);
            b.p_WG = fender_vec3_add_scaled(base, middle, up);
            if (potential_deepest(&a, &b).distance < 0) low = middle;
            else high = middle;
        }
        double depth = random_magnitude(&r, 1e-3, thin);
        b.p_WG = fender_vec3_add_scaled(base, high - depth, up);
        if (!ground) potential_settle(&a, &b, depth);
        patch_sum here = potential_ask(&a, &b);
        const double force = fender_vec3_length(here.force), n_of_law = potential_exponent;
        const double stiffness = n_of_law * pow(depth, n_of_law - 1);
        if (force > 1e-3 * depth * stiffness / n_of_law) { /* not a speck */
            const double off = potential_off(&a, &b, &here);
            found.poses++;
            found.far += off > bound;
            found.off = larger(found.off, off);
        }
        fender_vec3 way = random_direction(&r), turn = random_in_ball(&r, 0.5);
        if (ground) way.z = 0;
        for (int i = 0; i < steps; i++) {
            fnd_posed next = b;
            const double step = 1e-4;
            next.p_WG = fender_vec3_add_scaled(next.p_WG, step, way);
            fender_mat3 rotation = fender_quaternion_matrix(fender_quaternion_normalized(
                (fender_quaternion){1, 0.5 * step * turn.x, 0.5 * step * turn.y, 0.5 * step * turn.z}));
            next.R_WG = fender_mat3_product(&rotation, &next.R_WG);
            if (!ground) potential_settle(&a, &next, depth);
            patch_sum then = potential_ask(&a, &next);
            double gone = fender_vec3_length(fender_vec3_sub(next.p_WG, b.p_WG)) + step * fender_vec3_length(turn);
            double change = fender_vec3_length(fender_vec3_sub(then.force, here.force)) / gone;
            if (i > 0) found.slope = larger(found.slope, change / stiffness);
            if (i > 0) found.steep += change > 2 * stiffness;
            here = then;
            b = next;
        }
        fender_geometry_release((fender_geometry *)(uintptr_t)a.geometry);
        fender_geometry_release((fender_geometry *)(uintptr_t)b.geometry);
    }
    return found;
}

/* All pairs; prints a table. Sums of poses that are off and of steps that are steep. */
static inline void potential_try_all(int poses, int steps, int *far, int *steep, int *all_poses, int *all_steps)
{
    *far = *steep = *all_poses = *all_steps = 0;
    printf("a            b            poses   off  worst | steps  steep  change over k times the way\n");
    for (int a = PLANE; a < SPHERE; a++) {
        bool ground = a == PLANE || a == GRID || a == MESH || a == CLOSED_MESH || a == TABLE;
        for (int b = BOX; b < POTENTIAL_KINDS; b++) {
            if (!ground && b < a) continue;
            if ((a == DISK && b == DISK) || (a == SMALL_MESH)) continue; /* two disks have no depth face to face */
            potential_result found = potential_try((potential_kind)a, (potential_kind)b, poses, steps, 1e-6);
            printf("%-12s %-12s %5d %5d %7.1e | %5d %5d  %.2g\n", potential_names[a], potential_names[b], found.poses,
                   found.far, found.off, poses * steps, found.steep, found.slope);
            *far += found.far;
            *steep += found.steep;
            *all_poses += found.poses;
            *all_steps += poses * steps;
        }
    }
    printf("%d of %d poses off by more than 1e-6 of the force, %d of %d steps steeper than 2 k\n", *far, *all_poses,
           *steep, *all_steps);
}

#endif
