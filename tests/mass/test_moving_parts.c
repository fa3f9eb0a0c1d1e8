/* Attached bodies that move along a prescribed path: closed forms, an independent quadrature, momentum, energy. */
/* items: B001 */
#include "check.h"
#include <fender/fender.h>
#include <string.h>

static const fender_pose at_origin = {{0, 0, 0}, {1, 0, 0, 0}};

static fender_world *empty(fender_integrator_method method, double step)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    return world;
}

static fender_body_id add_body(fender_world *world, const char *name, double mass, fender_vec3 center,
                               fender_mat3 inertia, fender_body_state state)
{
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.mass_properties = (fender_mass_properties){mass, center, inertia};
    def.state = state;
    fender_body_id id;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

static void attach(fender_world *world, fender_body_id child, fender_body_id parent, fender_pose X_PC)
{
    fender_attach_def def = fender_attach_def_default();
    def.child = child;
    def.parent = parent;
    def.pose = FENDER_ATTACH_POSED;
    def.X_PC = X_PC;
    check_ok(fender_body_attach(world, &def, NULL, &error));
}

/* From rest to rest between two times. */
static void move_between(fender_world *world, fender_body_id body, double from, double to, fender_vec3 way,
                         fender_vec3 axis, fender_vec3 pivot, double angle)
{
    const double times[2] = {from, to}, angles[2] = {0, angle};
    const fender_vec3 positions[2] = {{0, 0, 0}, way};
    fender_part_motion motion = fender_part_motion_default();
    motion.times = times;
    motion.positions = positions;
    motion.angles = angles;
    motion.axis = axis;
    motion.pivot = pivot;
    motion.count = 2;
    check_ok(fender_body_set_part_motion(world, body, &motion, &error));
}

/* 10 u^3 - 15 u^4 + 6 u^5 and its derivative. */
static double blend(double u) { return u <= 0 ? 0 : u >= 1 ? 1 : u * u * u * (10 + u * (-15 + 6 * u)); }
static double blend_rate(double u) { return u <= 0 || u >= 1 ? 0 : 30 * u * u * (1 - u) * (1 - u); }

static fender_body_data data_of(const fender_world *world, fender_body_id id)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static fender_ledger ledger_of(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return ledger;
}

static fender_body_state at_rest(void) { return (fender_body_state){{0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}}; }

/* ---- closed forms ---- */

/* A mass slides by s along a rail through the centre of a free body: the common centre goes on, and the body is moved
 * by -m2 / (m1 + m2) s. The motor's work is the kinetic energy of the relative motion, mu s'^2 / 2. */
static void mass_on_a_rail(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5,
                                                FENDER_INTEGRATOR_DOP853};
    for (int k = 0; k < 3; k++) {
        fender_world *world = empty(methods[k], 0.01);
        fender_body_state start = at_rest();
        start.velocity = fender_vec3_make(0.1, 0.2, -0.3);
        const fender_body_id hull = add_body(world, "hull", 10, fender_vec3_make(0, 0, 0),
                                             fender_mat3_diagonal(2, 3, 4), start);
        const fender_body_id slug = add_body(world, "slug", 2, fender_vec3_make(0, 0, 0),
                                             fender_mat3_diagonal(0.1, 0.2, 0.2), at_rest());
        attach(world, slug, hull, (fender_pose){{-0.5, 0, 0}, {1, 0, 0, 0}});
        move_between(world, slug, 0.5, 2.5, fender_vec3_make(1.5, 0, 0), fender_vec3_make(0, 0, 0),
                     fender_vec3_make(0, 0, 0), 0);
        check_ok(fender_world_initialize(world, &error));
        const fender_vec3 center = data_of(world, hull).center_position;
        for (int i = 1; i <= 30; i++) {
            const double t = 0.1 * i, u = (t - 0.5) / 2, s = 1.5 * blend(u), rate = 0.75 * blend_rate(u);
            check_ok(fender_world_advance_to(world, t, &error));
            const fender_body_data h = data_of(world, hull), g = data_of(world, slug);
            const fender_vec3 gone = fender_vec3_scale(t, start.velocity);
            check_vector(h.center_position, fender_vec3_add(center, gone), 1e-13);
            check_near(h.position.x - gone.x, -2.0 / 12 * s, 1e-13);
            check_near(h.velocity.x - 0.1, -2.0 / 12 * rate, 1e-13);
            check_near(g.position.x - h.position.x, -0.5 + s, 1e-13);
            check_near(g.velocity.x - h.velocity.x, rate, 1e-13);
            const double relative = 0.5 * (10.0 * 2 / 12) * rate * rate;
            check_near(h.kinetic_energy, 0.5 * 12 * 0.14 + relative, 1e-13);
            check_near(ledger_of(world).motor, relative, 1e-6);
            check_near(g.linear_momentum.x, 2 * g.velocity.x, 1e-13);
        }
        const fender_ledger ledger = ledger_of(world);
        check_below(fabs(ledger.residual), 1e-6); /* adaptive steps are as long as the motion allows */
        check_below(ledger.linear_drift, 1e-13);
        check_below(ledger.angular_drift, 1e-13);
        fender_world_destroy(world);
    }
}

/* A wheel is turned by several turns about the common axis: the body is turned back by I2 / (I1 + I2) of it. */
static void wheel_is_turned(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 0.01);
    const fender_body_id hull = add_body(world, "hull", 10, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(2, 3, 4),
                                         at_rest());
    const fender_body_id wheel = add_body(world, "wheel", 1, fender_vec3_make(0, 0, 0),
                                          fender_mat3_diagonal(0.3, 0.3, 0.5), at_rest());
    attach(world, wheel, hull, at_origin);
    const double angle = 20; /* rad */
    move_between(world, wheel, 0, 4, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 2), fender_vec3_make(0, 0, 0),
                 angle);
    check_ok(fender_world_initialize(world, &error));
    for (int i = 1; i <= 50; i++) {
        check_ok(fender_world_advance(world, 10, &error));
        const double u = 0.025 * i, back = -0.5 / 4.5 * angle * blend(u);
        const fender_body_data h = data_of(world, hull), w = data_of(world, wheel);
        check_near(h.attitude.w * sin(0.5 * back) - h.attitude.z * cos(0.5 * back), 0, 1e-9);
        check_near(h.angular_velocity.z, -0.5 / 4.5 * angle / 4 * blend_rate(u), 1e-12);
        check_near(w.angular_velocity.z, (1 - 0.5 / 4.5) * angle / 4 * blend_rate(u), 1e-12);
        check_near(w.angular_momentum.z, 0.5 * w.angular_velocity.z, 1e-12);
        check_vector(h.angular_momentum, fender_vec3_make(0, 0, 0), 1e-15);
    }
    check_below(fabs(ledger_of(world).residual), 1e-8);
    fender_world_destroy(world);
}

/* ---- an independent quadrature ---- */

/* Two bodies, one of which folds about a hinge, as masses with inertias whose velocities are summed without any formula
 * for the tree: the angular velocity is solved from the angular momentum about the common centre. */
typedef struct folding {
    double m[2];
    fender_mat3 I[2];             /* in own axes */
    fender_vec3 hinge, arm, axis; /* in the first body; hinge to the second's centre, unfolded; unit */
    double angle, duration;
    fender_vec3 L; /* W */
} folding;

static fender_vec3 turn(fender_vec3 axis, double angle, fender_vec3 v)
{
    const fender_vec3 across = fender_vec3_cross(axis, v);
    fender_vec3 r = fender_vec3_add_scaled(v, sin(angle), across);
    return fender_vec3_add_scaled(r, 1 - cos(angle), fender_vec3_cross(axis, across));
}

/* R I R^T x with R the fold. */
static fender_vec3 inertia_times(const folding *f, int body, double angle, fender_vec3 x)
{
    if (body == 0) return fender_mat3_times(&f->I[0], x);
    return turn(f->axis, angle, fender_mat3_times(&f->I[1], turn(f->axis, -angle, x)));
}

/* Angular momentum about the common centre when the first body turns by w, all in its axes. */
static fender_vec3 momentum(const folding *f, double t, fender_vec3 w)
{
    const double u = t / f->duration, angle = f->angle * blend(u), rate = f->angle * blend_rate(u) / f->duration;
    const fender_vec3 arm = turn(f->axis, angle, f->arm), r = fender_vec3_add(f->hinge, arm);
    const fender_vec3 spin = fender_vec3_add_scaled(w, rate, f->axis);
    const fender_vec3 v = fender_vec3_add(fender_vec3_cross(w, f->hinge), fender_vec3_cross(spin, arm));
    const double reduced = f->m[0] * f->m[1] / (f->m[0] + f->m[1]);
    fender_vec3 L = fender_vec3_scale(reduced, fender_vec3_cross(r, v));
    L = fender_vec3_add(L, inertia_times(f, 0, angle, w));
    return fender_vec3_add(L, inertia_times(f, 1, angle, spin));
}

/* By Cramer's rule: momentum is linear in w. */
static fender_vec3 angular_velocity(const folding *f, double t, fender_quaternion q)
{
    const fender_vec3 zero = {0, 0, 0}, h = momentum(f, t, zero);
    const fender_vec3 right = fender_vec3_sub(fender_quaternion_rotate(fender_quaternion_conjugate(q), f->L), h);
    const fender_vec3 a = fender_vec3_sub(momentum(f, t, fender_vec3_make(1, 0, 0)), h);
    const fender_vec3 b = fender_vec3_sub(momentum(f, t, fender_vec3_make(0, 1, 0)), h);
    const fender_vec3 c = fender_vec3_sub(momentum(f, t, fender_vec3_make(0, 0, 1)), h);
    const double d = fender_vec3_dot(a, fender_vec3_cross(b, c));
    return fender_vec3_make(fender_vec3_dot(right, fender_vec3_cross(b, c)) / d,
                            fender_vec3_dot(a, fender_vec3_cross(right, c)) / d,
                            fender_vec3_dot(a, fender_vec3_cross(b, right)) / d);
}

static fender_quaternion attitude_rate(const folding *f, double t, fender_quaternion q)
{
    const fender_vec3 w = angular_velocity(f, t, q);
    return fender_quaternion_product(q, (fender_quaternion){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
}

static fender_quaternion plus(fender_quaternion a, double s, fender_quaternion b)
{
    return (fender_quaternion){a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* A panel folds by a right angle while the vehicle tumbles: angular momentum is kept, and attitude and angular velocity
 * agree with the quadrature; with body axes of their own and an eccentric centre of the vehicle. */
static void panel_folds(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 0.005);
    const fender_vec3 center = {0.1, -0.2, 0.05}, hinge_S = {0.5, 0.4, 0.3}, arm = {0.2, 0.6, -0.1};
    folding f = {{8, 3},
                 {fender_mat3_diagonal(1.0, 1.5, 2.0), {{{0.5, 0.02, 0.01}, {0.02, 0.2, 0.03}, {0.01, 0.03, 0.6}}}},
                 fender_vec3_sub(hinge_S, center),
                 arm,
                 {0.6, 0, 0.8},
                 1.5707963267948966,
                 2,
                 {0, 0, 0}};
    fender_body_state start = at_rest();
    start.angular_velocity = fender_vec3_make(0.3, -0.5, 0.7);
    const fender_body_id hull = add_body(world, "hull", f.m[0], center, f.I[0], start);
    /* the panel's structure frame is away from its hinge, which is the pivot */
    const fender_vec3 pivot = {-0.3, 0.1, 0.2};
    const fender_body_id panel = add_body(world, "panel", f.m[1], fender_vec3_add(pivot, arm), f.I[1], at_rest());
    attach(world, panel, hull, (fender_pose){fender_vec3_sub(hinge_S, pivot), {1, 0, 0, 0}});
    move_between(world, panel, 0, f.duration, fender_vec3_make(0, 0, 0), fender_vec3_scale(3, f.axis), pivot, f.angle);
    check_ok(fender_world_initialize(world, &error));
    f.L = momentum(&f, 0, start.angular_velocity);
    check_vector(data_of(world, hull).angular_momentum, f.L, 1e-13);
    fender_quaternion q = {1, 0, 0, 0};
    const double h = 1e-3;
    for (int i = 0; i < 3000; i++) {
        const double t = h * i;
        const fender_quaternion k1 = attitude_rate(&f, t, q), k2 = attitude_rate(&f, t + h / 2, plus(q, h / 2, k1));
        const fender_quaternion k3 = attitude_rate(&f, t + h / 2, plus(q, h / 2, k2));
        const fender_quaternion k4 = attitude_rate(&f, t + h, plus(q, h, k3));
        q = plus(plus(plus(plus(q, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
        if (i % 250 != 249) continue;
        check_ok(fender_world_advance_to(world, t + h, &error));
        const fender_body_data d = data_of(world, hull);
        check_vector(d.angular_velocity, angular_velocity(&f, t + h, q), 1e-9);
        const double sign = d.attitude.w * q.w + d.attitude.x * q.x + d.attitude.y * q.y + d.attitude.z * q.z;
        check_near(fabs(sign), 1, 1e-13);
        check_near(plus(d.attitude, sign > 0 ? -1 : 1, q).x, 0, 1e-9);
        check_near(plus(d.attitude, sign > 0 ? -1 : 1, q).y, 0, 1e-9);
        check_vector(d.angular_momentum, f.L, 1e-14);
        check_near(d.kinetic_energy, ledger_of(world).kinetic, 1e-13);
    }
    const fender_ledger ledger = ledger_of(world);
    check_below(ledger.angular_drift, 1e-12);
    check_below(fabs(ledger.residual), 1e-10);
    check_below(0.01, fabs(ledger.motor));
    fender_world_destroy(world);
}

/* ---- a chain of parts ---- */

typedef struct arm_world {
    fender_world *world;
    fender_body_id hull, upper, fore;
    fender_point_id tip;
} arm_world;

/* A hull with an arm of two parts that bend and extend at overlapping times; `X` and `boost`: of the observer. */
static arm_world arm(fender_integrator_method method, double step, fender_pose X, fender_vec3 boost)
{
    arm_world a = {.world = empty(method, step)};
    fender_body_state start = at_rest();
    start.position = X.p;
    start.attitude = X.q;
    start.velocity = boost;
    start.angular_velocity = fender_vec3_make(0.2, 0.4, -0.3);
    a.hull = add_body(a.world, "hull", 5, fender_vec3_make(0.1, 0, 0.2), fender_mat3_diagonal(0.8, 1.1, 0.9), start);
    a.upper = add_body(a.world, "upper", 2, fender_vec3_make(0.4, 0, 0), fender_mat3_diagonal(0.02, 0.1, 0.1),
                       at_rest());
    a.fore = add_body(a.world, "fore", 1, fender_vec3_make(0.3, 0.1, 0), fender_mat3_diagonal(0.02, 0.05, 0.06),
                      at_rest());
    attach(a.world, a.upper, a.hull, (fender_pose){{0.5, 0.2, 0}, {0.8, 0, 0.6, 0}});
    attach(a.world, a.fore, a.upper, (fender_pose){{0.8, 0, 0}, {0.6, 0, 0, 0.8}});
    check_ok(
        fender_point_create(a.world, a.fore, "tip", (fender_pose){{0.6, 0.1, -0.1}, {0.8, 0.6, 0, 0}}, &a.tip, &error));
    move_between(a.world, a.upper, 0.1, 1.1, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 1, 0.5),
                 fender_vec3_make(0, 0, 0), 1.2);
    const double times[4] = {0, 0.3, 0.7, 1.2}, angles[4] = {0, -0.5, 0.4, 0.9};
    const fender_vec3 positions[4] = {{0, 0, 0}, {0.1, 0, 0}, {0.2, 0.1, 0}, {0.1, 0, 0.1}};
    fender_part_motion motion = fender_part_motion_default();
    motion.times = times;
    motion.positions = positions;
    motion.angles = angles;
    motion.axis = fender_vec3_make(0, 0, 1);
    motion.count = 4;
    motion.between = FENDER_PART_SMOOTH;
    check_ok(fender_body_set_part_motion(a.world, a.fore, &motion, &error));
    check_ok(fender_world_initialize(a.world, &error));
    return a;
}

static void chain_keeps_momentum(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5};
    for (int k = 0; k < 2; k++) {
        arm_world a = arm(methods[k], 0.002, at_origin, fender_vec3_make(0, 0, 0));
        const fender_body_data before = data_of(a.world, a.hull);
        check_ok(fender_world_advance_to(a.world, 1.5, &error));
        const fender_body_data d = data_of(a.world, a.hull);
        check_vector(d.angular_momentum, before.angular_momentum, 1e-15);
        check_vector(d.linear_momentum, before.linear_momentum, 1e-13);
        check_vector(d.center_position, fender_vec3_add_scaled(before.center_position, 1.5, before.center_velocity),
                     1e-13);
        const fender_ledger ledger = ledger_of(a.world);
        check_below(fabs(ledger.residual), k == 0 ? 1e-8 : 1e-6);
        check_below(1e-3, fabs(ledger.motor));
        check_near(ledger.kinetic, d.kinetic_energy, 1e-13);
        fender_world_destroy(a.world);
    }
}

/* Another observer, turned, moved and with a constant velocity, sees the same. */
static void observer_makes_no_difference(void **state)
{
    (void)state;
    const fender_pose X = {{3, -2, 1}, fender_quaternion_normalized((fender_quaternion){0.3, 0.5, -0.4, 0.7})};
    const fender_vec3 boost = {2, 1, -3};
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.005, at_origin, fender_vec3_make(0, 0, 0));
    arm_world b = arm(FENDER_INTEGRATOR_RK4, 0.005, X, boost);
    check_ok(fender_world_advance(a.world, 200, &error));
    check_ok(fender_world_advance(b.world, 200, &error));
    const fender_body_id of_a[3] = {a.hull, a.upper, a.fore}, of_b[3] = {b.hull, b.upper, b.fore};
    for (int i = 0; i < 3; i++) {
        const fender_body_data one = data_of(a.world, of_a[i]), other = data_of(b.world, of_b[i]);
        const fender_vec3 p = fender_vec3_add_scaled(fender_vec3_add(X.p, fender_quaternion_rotate(X.q, one.position)),
                                                     1, boost);
        check_vector(other.position, p, 1e-12);
        check_vector(other.velocity, fender_vec3_add(boost, fender_quaternion_rotate(X.q, one.velocity)), 1e-12);
        check_vector(other.angular_velocity, one.angular_velocity, 1e-12);
        check_vector(other.acceleration, fender_quaternion_rotate(X.q, one.acceleration), 1e-11);
    }
    check_near(ledger_of(a.world).motor, ledger_of(b.world).motor, 1e-12);
    fender_world_destroy(a.world);
    fender_world_destroy(b.world);
}

static fender_vec3 difference(fender_vec3 later, fender_vec3 earlier, double span)
{
    return fender_vec3_scale(1 / span, fender_vec3_sub(later, earlier));
}

/* Velocities, accelerations and the load through an attachment against differences of positions and momenta. */
static void sensors_see_the_motion(void **state)
{
    (void)state;
    const double h = 1e-4;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, h, at_origin, fender_vec3_make(0, 0, 0));
    const fender_body_frame tip = {FENDER_BODY_FRAME_POINT, {0}, a.tip};
    fender_body_state at[3];
    fender_body_data fore[3], upper[3];
    fender_inertial_data imu = {0};
    fender_interface_data load = {0};
    check_ok(fender_world_advance(a.world, 5499, &error));
    for (int i = 0; i < 3; i++) {
        check_ok(fender_body_frame_state(a.world, tip, &at[i], &error));
        fore[i] = data_of(a.world, a.fore);
        upper[i] = data_of(a.world, a.upper);
        if (i == 1) {
            const fender_body_frame frame = {FENDER_BODY_FRAME_STRUCTURE, a.fore, {0}};
            assert_int_equal(fender_body_frame_inertial(a.world, tip, &imu), FENDER_STATUS_OK);
            assert_int_equal(fender_body_get_interface(a.world, frame, a.upper, &load), FENDER_STATUS_OK);
        }
        if (i < 2) check_ok(fender_world_advance(a.world, 1, &error));
    }
    check_vector(at[1].velocity, difference(at[2].position, at[0].position, 2 * h), 1e-6);
    const fender_vec3 felt = fender_quaternion_rotate(at[1].attitude, imu.specific_force);
    check_vector(felt, difference(at[2].velocity, at[0].velocity, 2 * h), 1e-5);
    check_vector(imu.inertial_rate, at[1].angular_velocity, 1e-13);
    check_vector(imu.angular_acceleration, difference(at[2].angular_velocity, at[0].angular_velocity, 2 * h), 1e-5);
    check_vector(fore[1].velocity, difference(fore[2].position, fore[0].position, 2 * h), 1e-6);
    check_vector(fore[1].acceleration, difference(fore[2].center_velocity, fore[0].center_velocity, 2 * h), 1e-5);
    check_vector(upper[1].acceleration, difference(upper[2].center_velocity, upper[0].center_velocity, 2 * h), 1e-6);
    check_vector(upper[1].center_velocity, difference(upper[2].center_position, upper[0].center_position, 2 * h), 1e-6);
    /* the upper arm alone moves the fore arm */
    const fender_vec3 force = fender_quaternion_rotate(fore[1].attitude, load.joint_force);
    check_vector(force, difference(fore[2].linear_momentum, fore[0].linear_momentum, 2 * h), 1e-6);
    const fender_vec3 lever = fender_vec3_sub(fore[1].position, fore[1].center_position);
    fender_vec3 torque = fender_quaternion_rotate(fore[1].attitude, load.joint_torque);
    torque = fender_vec3_add(torque, fender_vec3_cross(lever, force));
    check_vector(torque, difference(fore[2].angular_momentum, fore[0].angular_momentum, 2 * h), 1e-6);
    fender_world_destroy(a.world);
}

/* Snapshots within the motion, and calls of any length, go on with the same bits. */
static void bits_are_kept(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    arm_world b = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 43, &error));
    for (int i = 0; i < 43; i++) check_ok(fender_world_step(b.world, &error));
    assert_true(fender_world_hash(a.world) == fender_world_hash(b.world));
    fender_snapshot *snapshot = fender_snapshot_take(a.world, NULL);
    assert_non_null(snapshot);
    check_ok(fender_body_move_part(a.world, a.upper, fender_vec3_make(0, 0, 0), 0.3, 0.4, &error));
    fender_snapshot *told = fender_snapshot_take(a.world, NULL);
    check_ok(fender_world_advance(a.world, 60, &error));
    const uint64_t after_command = fender_world_hash(a.world);
    check_ok(fender_world_advance(b.world, 60, &error));
    const uint64_t after = fender_world_hash(b.world);
    assert_true(after != after_command);
    check_ok(fender_snapshot_restore(b.world, told, &error));
    check_ok(fender_world_advance(b.world, 60, &error));
    assert_true(fender_world_hash(b.world) == after_command);
    check_ok(fender_snapshot_restore(a.world, snapshot, &error));
    const fender_body_data d = data_of(a.world, a.fore);
    check_ok(fender_world_advance(a.world, 60, &error));
    assert_true(fender_world_hash(a.world) == after);
    /* a proposed step changes nothing that can be read */
    check_ok(fender_snapshot_restore(a.world, snapshot, &error));
    fender_proposal proposal;
    check_ok(fender_world_propose(a.world, INFINITY, &proposal, &error));
    const fender_body_data e = data_of(a.world, a.fore);
    assert_memory_equal(&d.position, &e.position, sizeof d.position);
    assert_memory_equal(&d.velocity, &e.velocity, sizeof d.velocity);
    fender_snapshot_destroy(snapshot);
    fender_snapshot_destroy(told);
    fender_world_destroy(a.world);
    fender_world_destroy(b.world);
}

/* A command takes the part over with its velocity and acceleration, and it rests where it was told. */
static void command_is_smooth(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 45, &error));
    fender_part_state before, after;
    assert_int_equal(fender_body_get_part(a.world, a.fore, &before), FENDER_STATUS_OK);
    const fender_body_data d = data_of(a.world, a.hull);
    check_ok(fender_body_move_part(a.world, a.fore, fender_vec3_make(0.3, 0, 0), 0.2, 0.5, &error));
    assert_int_equal(fender_body_get_part(a.world, a.fore, &after), FENDER_STATUS_OK);
    assert_memory_equal(&before, &after, sizeof before);
    const fender_body_data e = data_of(a.world, a.hull);
    assert_memory_equal(&d.angular_velocity, &e.angular_velocity, sizeof d.angular_velocity);
    check_ok(fender_world_advance(a.world, 80, &error));
    assert_int_equal(fender_body_get_part(a.world, a.fore, &after), FENDER_STATUS_OK);
    check_vector(after.position, fender_vec3_make(0.3, 0, 0), 0);
    check_near(after.angle, 0.2, 0);
    check_near(after.angular_velocity, 0, 0);
    check_below(fabs(ledger_of(a.world).residual), 1e-5 * ledger_of(a.world).scale);
    fender_world_destroy(a.world);
}

/* ---- trees ---- */

/* Where a motion ends, the tree is what reattaching makes of it. */
static void end_is_that_of_reattaching(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    arm_world b = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 150, &error));
    const fender_body_id moved_a[2] = {a.upper, a.fore}, moved_b[2] = {b.upper, b.fore};
    for (int i = 0; i < 2; i++)
        check_ok(
            fender_body_reattach(b.world, moved_b[i], fender_body_pose_in_parent(a.world, moved_a[i]), NULL, &error));
    const fender_body_data one = data_of(a.world, a.hull), other = data_of(b.world, b.hull);
    check_vector(one.center_of_mass, other.center_of_mass, 1e-15);
    for (int i = 0; i < 9; i++) check_near((&one.inertia.m[0][0])[i], (&other.inertia.m[0][0])[i], 1e-14);
    check_vector(one.angular_momentum, other.angular_momentum, 1e-14);
    /* with reattached bodies the tree is rigid again, and goes on */
    check_ok(fender_world_advance(b.world, 150, &error));
    check_vector(data_of(b.world, b.hull).angular_momentum, other.angular_momentum, 1e-14);
    check_below(fabs(ledger_of(b.world).residual), 1e-9);
    fender_world_destroy(a.world);
    fender_world_destroy(b.world);
}

/* A part that is let go in motion keeps its velocity; momentum and energy of both together are what they were. */
static void part_is_let_go(void **state)
{
    (void)state;
    arm_world a = arm(FENDER_INTEGRATOR_RK4, 0.01, at_origin, fender_vec3_make(0, 0, 0));
    check_ok(fender_world_advance(a.world, 50, &error));
    const fender_body_data upper = data_of(a.world, a.upper), fore = data_of(a.world, a.fore);
    const fender_body_data hull = data_of(a.world, a.hull);
    const fender_ledger before = ledger_of(a.world);
    check_ok(fender_body_detach(a.world, a.upper, (fender_body_id){0}, FENDER_DETACH_TREE, NULL, &error));
    const fender_body_data now = data_of(a.world, a.upper), tip = data_of(a.world, a.fore);
    check_vector(now.velocity, upper.velocity, 1e-13);
    check_vector(now.angular_velocity, upper.angular_velocity, 1e-13);
    check_vector(tip.velocity, fore.velocity, 1e-13); /* still moves relative to the upper arm */
    check_vector(tip.angular_velocity, fore.angular_velocity, 1e-13);
    check_vector(data_of(a.world, a.hull).velocity, hull.velocity, 1e-13);
    check_near(ledger_of(a.world).kinetic, before.kinetic, 1e-13);
    check_ok(fender_world_advance(a.world, 100, &error));
    const fender_ledger after = ledger_of(a.world);
    check_vector(after.angular_momentum, before.angular_momentum, 1e-13);
    check_vector(after.linear_momentum, before.linear_momentum, 1e-13);
    check_below(fabs(after.residual), 1e-5 * after.scale);
    fender_world_destroy(a.world);
}

/* ---- contacts, loads, links ---- */

static fender_shape_id add_shape(fender_world *world, fender_body_id body, const char *name, fender_geometry *geometry,
                                 fender_pose X_SG)
{
    fender_shape_def def = fender_shape_def_default();
    def.name = name;
    def.geometry = geometry;
    def.X_SG = X_SG;
    fender_shape_id id;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

static void add_springs(fender_world *world, double stiffness, double damping, double mu)
{
    fender_spring_damper_parameters parameters;
    check_ok(fender_spring_damper_parameters_default(&parameters, &error));
    parameters.stiffness = stiffness;
    parameters.damping = damping;
    parameters.mu = mu;
    fender_contact_type_def def = fender_contact_type_def_default();
    def.name = "spring";
    def.law = fender_law_find(NULL, "spring_damper");
    def.law_parameters = &parameters;
    fender_contact_type_id type;
    check_ok(fender_contact_type_create(world, &def, &type, &error));
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    rule.use = type;
    check_ok(fender_rule_create(world, &rule, NULL, &error));
}

static fender_geometry *ball(double radius)
{
    const fender_env env = fender_env_default();
    return fender_geometry_sphere(&env, radius, NULL);
}

/* A vehicle stands on the ground on its leg, which extends and lifts it: the leg carries the weight, the vehicle rises
 * by the length, and the motor does the work against gravity. */
static void leg_lifts_a_vehicle(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5};
    for (int k = 0; k < 2; k++) {
        fender_env env = fender_env_default();
        fender_world_def world_def = fender_world_def_default();
        world_def.method = methods[k];
        world_def.step = 1e-3;
        world_def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, -1.6}};
        fender_world *world = fender_world_create(&env, &world_def, NULL);
        const double m1 = 90, m2 = 10, k1 = 4e4, weight = 160;
        fender_body_state start = at_rest();
        start.position.z = 2.1;
        fender_body_def ground = fender_body_def_default();
        ground.name = "ground";
        ground.motion = FENDER_MOTION_FIXED;
        fender_body_id floor;
        check_ok(fender_body_create(world, &ground, &floor, &error));
        const fender_body_id hull = add_body(world, "hull", m1, fender_vec3_make(0, 0, 0),
                                             fender_mat3_diagonal(20, 20, 20), start);
        const fender_body_id leg = add_body(world, "leg", m2, fender_vec3_make(0, 0, 0),
                                            fender_mat3_diagonal(1, 1, 0.1), at_rest());
        attach(world, leg, hull, (fender_pose){{0, 0, -1}, {1, 0, 0, 0}});
        /* not yet at the ground: the foot is 0.6 m above it */
        add_shape(world, leg, "foot", ball(0.1), (fender_pose){{0, 0, -0.4}, {1, 0, 0, 0}});
        add_shape(world, floor, "plane", fender_geometry_plane(&env, NULL), at_origin);
        add_springs(world, k1, 2 * sqrt(k1 * (m1 + m2)), 0.5);
        move_between(world, leg, 4, 8, fender_vec3_make(0, 0, -0.5), fender_vec3_make(0, 0, 0),
                     fender_vec3_make(0, 0, 0), 0);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 4, &error));
        fender_contact_data c;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), FENDER_STATUS_OK);
        check_near(c.normal_force, weight, 1e-6);
        const fender_body_data before = data_of(world, hull);
        check_near(before.position.z, 1.5 - weight / k1, 1e-9);
        const fender_ledger stands = ledger_of(world);
        check_near(stands.motor, 0, 1e-12);
        for (int i = 1; i <= 8; i++) { /* the foot stays: the hull goes up as the leg goes out */
            check_ok(fender_world_advance_to(world, 4 + 0.5 * i, &error));
            check_near(data_of(world, hull).position.z - data_of(world, leg).position.z, 1 + 0.5 * blend(i / 8.0),
                       1e-12);
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), FENDER_STATUS_OK);
            check_near(data_of(world, leg).velocity.z, -c.depth_rate, 1e-12);
        }
        check_ok(fender_world_advance_to(world, 10, &error));
        const fender_body_data after = data_of(world, hull);
        check_near(after.position.z - before.position.z, 0.5, 1e-6);
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), FENDER_STATUS_OK);
        check_near(c.normal_force, weight, 1e-3);
        const fender_ledger ledger = ledger_of(world);
        check_near(ledger.motor, m1 * 1.6 * 0.5, 0.01 * m1 * 1.6 * 0.5);
        check_near(ledger.gravitational - stands.gravitational, m1 * 1.6 * 0.5, 1e-4);
        check_near(ledger.applied, 0, 1e-9);
        check_below(fabs(ledger.residual), k == 0 ? 1e-4 * ledger.scale : 1e-6 * ledger.scale);
        check_below(ledger.linear_drift, 1e-9);
        check_below(fabs(c.residual), (k == 0 ? 1e-4 : 1e-6) * ledger.scale);
        printf("%d: motor %.9g J, residual %.3g of %.3g J\n", k, ledger.motor, ledger.residual, ledger.scale);
        fender_world_destroy(world);
    }
}

/* An arm on a fixed base strikes a free ball: all its energy comes from the motor, but for what the contact loses. */
static void arm_strikes_a_ball(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        fender_world *world = empty(k ? FENDER_INTEGRATOR_DOP853 : FENDER_INTEGRATOR_RK4, 2e-4);
        fender_body_def base_def = fender_body_def_default();
        base_def.name = "base";
        base_def.motion = FENDER_MOTION_FIXED;
        base_def.state.position = fender_vec3_make(0.3, 0.1, 0);
        fender_body_id base;
        check_ok(fender_body_create(world, &base_def, &base, &error));
        const fender_body_id beam = add_body(world, "beam", 3, fender_vec3_make(0.5, 0, 0),
                                             fender_mat3_diagonal(0.01, 0.2, 0.2), at_rest());
        fender_body_state away = at_rest();
        away.position = fender_vec3_make(0.3 + 0.9, 0.1 + 0.65, 0);
        const fender_body_id free_ball = add_body(world, "ball", 0.5, fender_vec3_make(0, 0, 0),
                                                  fender_mat3_diagonal(2e-3, 2e-3, 2e-3), away);
        attach(world, beam, base, at_origin);
        add_shape(world, beam, "fist", ball(0.1), (fender_pose){{1, 0, 0}, {1, 0, 0, 0}});
        add_shape(world, free_ball, "skin", ball(0.1), at_origin);
        add_springs(world, 2e4, 5, 0.3);
        move_between(world, beam, 0.1, 1.1, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 1),
                     fender_vec3_make(0, 0, 0), 1.2);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 0.4, &error));
        check_near(data_of(world, beam).angular_velocity.z, 1.2 * blend_rate(0.3), 1e-12);
        check_ok(fender_world_advance_to(world, 1.3, &error));
        const fender_body_data d = data_of(world, free_ball);
        const fender_ledger ledger = ledger_of(world);
        check_below(0.5, fender_vec3_length(d.velocity));
        check_near(ledger.kinetic, d.kinetic_energy, 1e-14);
        check_near(ledger.motor, ledger.kinetic + ledger.stored + ledger.damping + ledger.friction,
                   (k ? 1e-6 : 1e-2) * ledger.scale);
        check_below(0.01, ledger.friction);
        check_near(ledger.applied, 0, 1e-12);
        printf("%d: motor %.9g J, residual %.3g J\n", k, ledger.motor, ledger.residual);
        fender_world_destroy(world);
    }
}

/* A thruster on a panel that folds, a spring from its edge to the world by a link, and a drag: the ledger balances. */
static void loads_and_links_on_a_part(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 1e-3);
    fender_body_def post_def = fender_body_def_default();
    post_def.name = "post";
    post_def.motion = FENDER_MOTION_FIXED;
    fender_body_id post;
    check_ok(fender_body_create(world, &post_def, &post, &error));
    fender_body_state start = at_rest();
    start.position = fender_vec3_make(0.5, 0.2, 1);
    start.angular_velocity = fender_vec3_make(0.1, -0.2, 0.3);
    const fender_body_id hull = add_body(world, "hull", 8, fender_vec3_make(0.05, 0, 0),
                                         fender_mat3_diagonal(1, 1.5, 2), start);
    const fender_body_id panel = add_body(world, "panel", 2, fender_vec3_make(0.5, 0, 0),
                                          fender_mat3_diagonal(0.1, 0.3, 0.3), at_rest());
    attach(world, panel, hull, (fender_pose){{0.4, 0.1, 0}, {0.8, 0, 0, 0.6}});
    move_between(world, panel, 0.2, 1.2, fender_vec3_make(0.1, 0, 0.1), fender_vec3_make(0, 1, 0.2),
                 fender_vec3_make(0, 0, 0), 1.4);
    fender_point_id edge, foot;
    check_ok(fender_point_create(world, panel, "edge", (fender_pose){{1, 0.1, 0}, {1, 0, 0, 0}}, &edge, &error));
    check_ok(fender_point_create(world, post, "foot", at_origin, &foot, &error));
    const fender_link_spring_damper spring = {.stiffness = 30, .damping = 2, .free_length = 0.8, .limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "spring";
    link.law = FENDER_LINK_SPRING_DAMPER;
    link.parameters = &spring;
    link.a = foot;
    link.b = edge;
    check_ok(fender_link_create(world, &link, NULL, &error));
    fender_load_def push = fender_load_def_default();
    push.name = "push";
    push.body = panel;
    push.at_center = false;
    push.point = fender_vec3_make(0.9, 0, 0);
    push.axes = FENDER_AXES_BODY;
    push.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 0, 3}};
    push.torque = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0.2, 0.1, 0}};
    check_ok(fender_load_create(world, &push, NULL, &error));
    fender_load_def drag = fender_load_def_default();
    drag.name = "drag";
    drag.kind = FENDER_LOAD_DRAG;
    drag.body = panel;
    drag.at_center = false;
    drag.point = fender_vec3_make(0.5, 0, 0);
    drag.drag.linear = 2;
    drag.drag.angular_linear = 0.5;
    check_ok(fender_load_create(world, &drag, NULL, &error));
    fender_load_def wheel = fender_load_def_default();
    wheel.name = "wheel";
    wheel.kind = FENDER_LOAD_REACTION_WHEEL;
    wheel.body = panel;
    wheel.wheel.axis = fender_vec3_make(0, 0, 1);
    wheel.wheel.spin_inertia = 0.02;
    wheel.wheel.momentum = 0.6;
    wheel.wheel.torque_limit = 1;
    fender_load_id wheel_id;
    check_ok(fender_load_create(world, &wheel, &wheel_id, &error));
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_load_set_motor_torque(world, wheel_id, 0.3, &error));
    check_ok(fender_world_advance_to(world, 1.5, &error));
    const fender_ledger ledger = ledger_of(world);
    printf("motor %.6g J, applied %.6g J, residual %.3g of %.3g J, drifts %.3g %.3g\n", ledger.motor, ledger.applied,
           ledger.residual, ledger.scale, ledger.linear_drift, ledger.angular_drift);
    check_below(fabs(ledger.residual), 1e-9 * ledger.scale);
    check_below(ledger.linear_drift, 1e-9);
    check_below(ledger.angular_drift, 1e-9);
    check_below(0.05, fabs(ledger.motor));
    fender_world_destroy(world);
}

/* With located events the touch of a moving foot ends a step, at the time at which the gap closes. */
static void touch_of_a_part_is_located(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.method = k ? FENDER_INTEGRATOR_DOPRI5 : FENDER_INTEGRATOR_RK4;
        def.step = 0.01;
        def.locate_events = true;
        fender_world *world = fender_world_create(&env, &def, NULL);
        fender_body_def wall_def = fender_body_def_default();
        wall_def.name = "wall";
        wall_def.motion = FENDER_MOTION_FIXED;
        fender_body_id wall;
        check_ok(fender_body_create(world, &wall_def, &wall, &error));
        fender_body_state start = at_rest();
        start.position.z = 1;
        const fender_body_id hull = add_body(world, "hull", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                             start);
        const fender_body_id rod = add_body(world, "rod", 1, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                            at_rest());
        attach(world, rod, hull, at_origin);
        add_shape(world, rod, "tip", ball(0.1), (fender_pose){{0, 0, -0.2}, {1, 0, 0, 0}});
        add_shape(world, wall, "plane", fender_geometry_plane(&env, NULL), at_origin);
        add_springs(world, 1e3, 1, 0);
        move_between(world, rod, 0, 2, fender_vec3_make(0, 0, -1), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0),
                     0);
        check_ok(fender_world_initialize(world, &error));
        double begin = -1;
        for (int i = 0; i < 4000 && begin < 0; i++) {
            check_ok(fender_world_step(world, &error));
            int count;
            const fender_event *events = fender_world_events(world, &count);
            for (int e = 0; e < count; e++)
                if (events[e].kind == FENDER_EVENT_BEGIN) begin = events[e].time;
        }
        /* the rod goes down by 3/4 of the way: the gap of 0.7 m closes at blend(u) = 14/15 */
        double low = 0, high = 1;
        for (int i = 0; i < 60; i++) *(blend(0.5 * (low + high)) < 14.0 / 15 ? &low : &high) = 0.5 * (low + high);
        check_near(begin, 2 * low, 1e-10);
        fender_world_destroy(world);
    }
}

/* A fist on a fast arm would jump over a ball in one step: the step is divided. */
static void fast_part_does_not_pass(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 0.01);
    fender_body_def base_def = fender_body_def_default();
    base_def.name = "base";
    base_def.motion = FENDER_MOTION_FIXED;
    fender_body_id base;
    check_ok(fender_body_create(world, &base_def, &base, &error));
    const fender_body_id beam = add_body(world, "beam", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                         at_rest());
    fender_body_state away = at_rest();
    away.position = fender_vec3_make(1, 0, 0);
    const fender_body_id target = add_body(world, "target", 10, fender_vec3_make(0, 0, 0),
                                           fender_mat3_diagonal(0.01, 0.01, 0.01), away);
    attach(world, beam, base, at_origin);
    add_shape(world, beam, "fist", ball(0.02), at_origin);
    add_shape(world, target, "skin", ball(0.02), at_origin);
    add_springs(world, 2e4, 5, 0);
    /* 2 m within 0.1 s, and at most 37.5 m/s: 0.375 m in a step */
    move_between(world, beam, 0.05, 0.15, fender_vec3_make(2, 0, 0), fender_vec3_make(0, 0, 0),
                 fender_vec3_make(0, 0, 0), 0);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance_to(world, 0.2, &error));
    check_below(0.05, data_of(world, target).velocity.x);
    fender_world_destroy(world);
}

/* ---- refusals ---- */

static void what_does_not_go_is_refused(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_VELOCITY_VERLET,
                                                FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, FENDER_INTEGRATOR_RK4};
    fender_error error = {0};
    for (int k = 0; k < 3; k++) {
        fender_world *world = empty(methods[k], 0.01);
        const fender_body_id hull = add_body(world, "hull", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                             at_rest());
        const fender_body_id rod = add_body(world, "rod", 1, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                            at_rest());
        const double times[2] = {0, 1}, late[2] = {-1, 1}, angles[2] = {0, 1}, jump[2] = {0.5, 1};
        fender_part_motion motion = fender_part_motion_default();
        motion.times = times;
        motion.angles = angles;
        motion.axis = fender_vec3_make(1, 0, 0);
        motion.count = 2;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_TOPOLOGY);
        attach(world, rod, hull, (fender_pose){{1, 0, 0}, {1, 0, 0, 0}});
        error = (fender_error){0};
        assert_int_equal(fender_body_move_part(world, rod, motion.axis, 0, 1, &error), FENDER_STATUS_ARGUMENT);
        motion.times = late;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        motion.times = times;
        motion.angles = jump;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        motion.angles = angles;
        motion.axis = fender_vec3_make(0, 0, 0);
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, "motion.axis");
        motion.axis = fender_vec3_make(1, 0, 0);
        motion.count = 1;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        motion.count = 2;
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_OK);
        if (k < 2) {
            error = (fender_error){0};
            assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_ARGUMENT);
            assert_string_equal(error.path, "integrator.method");
            assert_non_null(strstr(error.message, "'rod'"));
            /* without the motion it is a rigid tree */
            assert_int_equal(fender_body_set_part_motion(world, rod, NULL, &error), FENDER_STATUS_OK);
            assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_OK);
            fender_world_destroy(world);
            continue;
        }
        fender_point_id a, b;
        assert_int_equal(fender_point_create(world, hull, "a", at_origin, &a, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_point_create(world, rod, "b", at_origin, &b, &error), FENDER_STATUS_OK);
        const fender_link_spring_damper spring = {.stiffness = 30, .free_length = 0.8, .limit = INFINITY};
        fender_link_def link = fender_link_def_default();
        link.name = "spring";
        link.law = FENDER_LINK_SPRING_DAMPER;
        link.parameters = &spring;
        link.a = a;
        link.b = b;
        fender_link_id id;
        assert_int_equal(fender_link_create(world, &link, &id, &error), FENDER_STATUS_OK);
        error = (fender_error){0};
        assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_TOPOLOGY);
        assert_string_equal(error.path, "links");
        assert_int_equal(fender_link_destroy(world, id, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_advance(world, 50, &error), FENDER_STATUS_OK);
        error = (fender_error){0};
        assert_int_equal(fender_body_move_part(world, rod, motion.axis, 0, 0, &error), FENDER_STATUS_VALUE);
        motion.times = (const double[]){2, 3};
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_STATE);
        assert_int_equal(fender_world_advance(world, 60, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_advance(world, 200, &error), FENDER_STATUS_OK);
        fender_body_data d;
        assert_int_equal(fender_body_get(world, hull, FENDER_CLOCK_COMMITTED, &d), FENDER_STATUS_OK);
        const double back = -0.5 * 2; /* half of both turns */
        check_near(d.attitude.w * sin(0.5 * back) - d.attitude.x * cos(0.5 * back), 0, 1e-7);
        fender_world_destroy(world);
    }
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = 4e14, .center = {7e6, 0, 0}};
    def.gravity_gradient = true;
    fender_world *world = fender_world_create(&env, &def, &error);
    assert_non_null(world);
    const fender_body_id hull = add_body(world, "hull", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                         at_rest());
    const fender_body_id rod = add_body(world, "rod", 1, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                        at_rest());
    attach(world, rod, hull, at_origin);
    move_between(world, rod, 0, 1, fender_vec3_make(1, 0, 0), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0), 0);
    error = (fender_error){0};
    assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_ARGUMENT);
    assert_string_equal(error.path, "world.gravity");
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_on_a_rail),
        cmocka_unit_test(wheel_is_turned),
        cmocka_unit_test(panel_folds),
        cmocka_unit_test(chain_keeps_momentum),
        cmocka_unit_test(observer_makes_no_difference),
        cmocka_unit_test(sensors_see_the_motion),
        cmocka_unit_test(bits_are_kept),
        cmocka_unit_test(command_is_smooth),
        cmocka_unit_test(end_is_that_of_reattaching),
        cmocka_unit_test(part_is_let_go),
        cmocka_unit_test(leg_lifts_a_vehicle),
        cmocka_unit_test(arm_strikes_a_ball),
        cmocka_unit_test(loads_and_links_on_a_part),
        cmocka_unit_test(touch_of_a_part_is_located),
        cmocka_unit_test(fast_part_does_not_pass),
        cmocka_unit_test(what_does_not_go_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
