/* A six-legged robot on a wall by SpringContact feet, as in samples/scenarios/wall_hexapod.yaml, and the statics of its
 * feet, which share no code with the library. */
#ifndef VERIF_CLIMBING_ROBOT_H
#define VERIF_CLIMBING_ROBOT_H

#include "check.h"
#include <fender/fender.h>
#include <string.h>

enum { FEET = 6, PULLED = 0 };
static const double GRAVITY = 9.80665, TRUNK_MASS = 1.08, FOOT_MASS = 0.02, PAD_RADIUS = 0.01;
static const double FOOT_Y[FEET] = {0.1, -0.1, 0.1, -0.1, 0.1, -0.1}, FOOT_Z[FEET] = {0.15, 0.15, 0, 0, -0.15, -0.15};

typedef struct robot_set_up {
    double stiffness, damping; /* N/m, N s/m: of each axis of each foot */
    double limit;              /* N; pull that breaks a foot */
    double rate, start;        /* N/s, s: of the pull on the first foot, out of the wall */
    double press;              /* m; how deep the pads lie in the wall at the start */
    double step;               /* s */
    bool locate;
    fender_integrator_method method;
} robot_set_up;

typedef struct robot {
    fender_world *world;
    fender_shape_id wall, pads[FEET];
    fender_body_id trunk;
    fender_load_id pull;
} robot;

static inline fender_shape_id robot_shape(fender_world *world, fender_body_id body, const char *name,
                                          fender_geometry *geometry)
{
    fender_shape_def def = fender_shape_def_default();
    def.name = name;
    def.geometry = geometry;
    if (strcmp(name, "face") == 0) def.X_SG.q = (fender_quaternion){sqrt(0.5), 0, sqrt(0.5), 0}; /* z to world x */
    fender_shape_id id;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

static inline fender_contact_type_id robot_glue(fender_world *world, const robot_set_up *s)
{
    const fender_law *law = fender_law_find(NULL, "SpringContact");
    const struct {
        const char *name;
        double value;
    } given[] = {{"K", s->stiffness}, {"B", s->damping}, {"Z_Limit", s->limit}};
    double parameters[16];
    assert_true(law->parameters.size <= sizeof parameters);
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        fender_field_set(fender_field_find(&law->parameters, given[i].name), parameters, 0, given[i].value);
    fender_contact_type_def def = {
        .size = sizeof(fender_contact_type_def), .name = "glue", .law = law, .law_parameters = parameters};
    fender_contact_type_id id;
    check_ok(fender_contact_type_create(world, &def, &id, &error));
    return id;
}

static inline robot robot_build(const robot_set_up *s)
{
    static const char *const names[FEET] = {"front_right", "front_left", "middle_right",
                                            "middle_left", "rear_right", "rear_left"};
    robot r = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = s->method;
    def.step = s->step;
    def.relative_tolerance = 1e-11;
    def.locate_events = s->locate;
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, -GRAVITY}};
    r.world = fender_world_create(&env, &def, NULL);
    assert_non_null(r.world);
    fender_contact_type_id glue = robot_glue(r.world, s);

    fender_body_id body;
    fender_body_def wall = fender_body_def_default();
    wall.name = "wall";
    wall.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(r.world, &wall, &body, &error));
    r.wall = robot_shape(r.world, body, "face", fender_geometry_plane(&env, NULL));
    fender_body_def trunk = fender_body_def_default();
    trunk.name = "trunk";
    trunk.mass_properties.mass = TRUNK_MASS;
    trunk.mass_properties.inertia = fender_mat3_diagonal(0.012, 0.010, 0.004);
    trunk.state.position.x = 0.05 - s->press;
    check_ok(fender_body_create(r.world, &trunk, &r.trunk, &error));
    for (int i = 0; i < FEET; i++) {
        fender_body_def foot = fender_body_def_default();
        foot.name = names[i];
        foot.mass_properties.mass = FOOT_MASS;
        foot.mass_properties.inertia = fender_mat3_diagonal(2e-6, 2e-6, 2e-6);
        foot.state.position = fender_vec3_make(PAD_RADIUS - s->press, FOOT_Y[i], FOOT_Z[i]);
        check_ok(fender_body_create(r.world, &foot, &body, &error));
        r.pads[i] = robot_shape(r.world, body, "pad", fender_geometry_sphere(&env, PAD_RADIUS, NULL));
        fender_attach_def attach = fender_attach_def_default();
        attach.child = body;
        attach.parent = r.trunk;
        attach.pose = FENDER_ATTACH_AS_IS;
        check_ok(fender_body_attach(r.world, &attach, NULL, &error));
        fender_rule_def rule = {.size = sizeof(fender_rule_def),
                                .kind = FENDER_RULE_SHAPES,
                                .shape_a = r.wall,
                                .shape_b = r.pads[i],
                                .use = glue};
        check_ok(fender_rule_create(r.world, &rule, NULL, &error));
        if (i != PULLED) continue;
        fender_load_def load = fender_load_def_default();
        load.name = "pull";
        load.body = body;
        load.axes = FENDER_AXES_WORLD;
        load.force.kind = FENDER_SIGNAL_RAMP;
        load.force.direction = fender_vec3_make(1, 0, 0);
        load.force.rate = s->rate;
        load.force.start = s->start;
        check_ok(fender_load_create(r.world, &load, &r.pull, &error));
    }
    check_ok(fender_world_initialize(r.world, &error));
    return r;
}

/* Force of the wall on each foot [N, W]. */
static inline void robot_forces(const robot *r, fender_vec3 forces[FEET])
{
    for (int i = 0; i < FEET; i++) {
        fender_contact_data data;
        forces[i] = fender_vec3_make(0, 0, 0);
        if (!fender_contact_between(r->world, r->wall, r->pads[i], &data)) forces[i] = data.force;
    }
}

/* ---- statics: a rigid body on springs that are equal along all axes */

/* Solves A x = b in place. */
static inline void solve_six(double A[6][6], double b[6])
{
    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(A[i][k]) > fabs(A[pivot][k])) pivot = i;
        for (int j = 0; j < 6; j++) {
            double t = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = t;
        }
        double t = b[k];
        b[k] = b[pivot];
        b[pivot] = t;
        for (int i = k + 1; i < 6; i++) {
            double part = A[i][k] / A[k][k];
            for (int j = k; j < 6; j++) A[i][j] -= part * A[k][j];
            b[i] -= part * b[k];
        }
    }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++) b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
}

/* Small displacements u + phi x r of the pads' lowest points r, of which `held` hold, under weight and a pull on the
 * first foot: force of the wall on each foot. The springs were free when each pad's lowest point lay `press` out of
 * where it lay at the start; their places, and the arms of weight and pull, are those of the start. */
static inline void statics(double stiffness, double press, double pull, const bool held[FEET], fender_vec3 forces[FEET])
{
    double A[6][6] = {{0}}, b[6] = {0};
    const fender_vec3 weight = {0, 0, -GRAVITY * (TRUNK_MASS + FEET * FOOT_MASS)};
    /* about the wall below the trunk's centre */
    double center = (0.05 - press) - 0.04 * FEET * FOOT_MASS / (TRUNK_MASS + FEET * FOOT_MASS);
    fender_vec3 W = fender_vec3_cross(fender_vec3_make(center, 0, 0), weight);
    fender_vec3 P = fender_vec3_cross(fender_vec3_make(PAD_RADIUS - press, FOOT_Y[PULLED], FOOT_Z[PULLED]),
                                      fender_vec3_make(pull, 0, 0));
    const double load[6] = {pull, 0, weight.z, W.x + P.x, W.y + P.y, W.z + P.z};
    for (int k = 0; k < 6; k++) b[k] = load[k];
    for (int i = 0; i < FEET; i++) {
        if (!held[i]) continue;
        fender_vec3 r = {-0.5 * press, FOOT_Y[i], FOOT_Z[i]}; /* the middle of the overlap */
        for (int k = 0; k < 6; k++) {                         /* force and torque by a unit of displacement k */
            fender_vec3 unit = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
            fender_vec3 u = k < 3 ? unit : fender_vec3_cross(unit, r);
            fender_vec3 f = fender_vec3_scale(stiffness, u), t = fender_vec3_cross(r, f);
            const double column[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
            for (int j = 0; j < 6; j++) A[j][k] += column[j];
        }
        fender_vec3 pressed = {stiffness * press, 0, 0}, t = fender_vec3_cross(r, pressed);
        const double column[6] = {pressed.x, pressed.y, pressed.z, t.x, t.y, t.z};
        for (int j = 0; j < 6; j++) b[j] += column[j];
    }
    solve_six(A, b);
    fender_vec3 shift = {b[0], b[1], b[2]}, turn = {b[3], b[4], b[5]};
    for (int i = 0; i < FEET; i++) {
        fender_vec3 r = {-0.5 * press, FOOT_Y[i], FOOT_Z[i]};
        fender_vec3 u = fender_vec3_add(shift, fender_vec3_cross(turn, r));
        forces[i] = fender_vec3_add_scaled(fender_vec3_make(stiffness * press, 0, 0), -stiffness, u);
        if (!held[i]) forces[i] = fender_vec3_make(0, 0, 0);
    }
}

#endif
