/* Links that drive, against closed forms and energies counted by hand: a lift, a motor at its limit, a slipping clutch,
 * a leg that is retracted, a magnet that draws its target in. */
#include "check.h"
#include <fender/fender.h>

static const double G = 9.81;

typedef struct rig {
    fender_world *world;
    fender_body_id body;
    fender_link_id link;
} rig;

static fender_link_actuator actuator(double stiffness, double length)
{
    fender_link_actuator p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_ACTUATOR), &p, sizeof p, NULL);
    p.stiffness = stiffness;
    p.length = length;
    return p;
}

static fender_pose at(double x, double y, double z)
{
    fender_pose pose = fender_pose_identity();
    pose.p = fender_vec3_make(x, y, z);
    return pose;
}

static fender_world *world_of(double gravity)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_DOP853;
    def.relative_tolerance = 1e-12;
    if (gravity > 0) {
        def.gravity.kind = FENDER_GRAVITY_UNIFORM;
        def.gravity.acceleration = fender_vec3_make(0, 0, -gravity);
    }
    return fender_world_create(&env, &def, NULL);
}

static fender_body_id body_of(fender_world *world, const char *name, double mass, double z, double speed)
{
    fender_body_def def = fender_body_def_default();
    fender_body_id id;
    def.name = name;
    if (mass > 0) {
        def.mass_properties.mass = mass;
        def.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    } else {
        def.motion = FENDER_MOTION_FIXED;
    }
    def.state.position.z = z;
    def.state.velocity.z = speed;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

/* A mass above the ground on a link, at a height and a speed. */
static rig column(double mass, double gravity, double height, double speed, fender_link_law law, const void *parameters)
{
    rig r = {.world = world_of(gravity)};
    fender_body_id ground = body_of(r.world, "ground", 0, 0, 0);
    r.body = body_of(r.world, "mass", mass, height, speed);
    fender_link_def def = fender_link_def_default();
    def.name = "drive";
    def.law = law;
    def.parameters = parameters;
    check_ok(fender_point_create(r.world, ground, "p", at(0, 0, 0), &def.a, &error));
    check_ok(fender_point_create(r.world, r.body, "q", at(0, 0, 0), &def.b, &error));
    check_ok(fender_link_create(r.world, &def, &r.link, &error));
    check_ok(fender_world_initialize(r.world, &error));
    return r;
}

static fender_link_data link_of(const rig *r)
{
    fender_link_data data;
    assert_int_equal(fender_link_get(r->world, r->link, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static fender_body_data body_data(const rig *r)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(r->world, r->body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static double residual_of(const rig *r)
{
    fender_ledger ledger;
    fender_world_ledger(r->world, &ledger);
    return fabs(ledger.residual);
}

/* A weight in balance on the servo, lifted at u: z = z0 + u t - (u / w) sin w t. After whole periods its speed is 0, so
 * that the ramp ends in rest: the work of the motor is then m g h alone. */
static void lift(void **state)
{
    (void)state;
    const double m = 120, k = 4e5, u = 0.05, w = sqrt(k / m), periods = 6, t = periods * 2 * acos(-1.0) / w, h = u * t;
    const double z0 = 1 - m * G / k;
    fender_link_actuator p = actuator(k, 1);
    p.rate_limit = u;
    rig r = column(m, G, z0, 0, FENDER_LINK_ACTUATOR, &p);
    check_ok(fender_link_set_length(r.world, r.link, 1 + h, &error));
    for (int i = 1; i < 10; i++) {
        const double now = 0.097 * i * t, v = u * (1 - cos(w * now)), z = z0 + u * now - u / w * sin(w * now);
        check_ok(fender_world_advance_to(r.world, now, &error));
        const double stretch = z0 - 1 + u / w * sin(w * now) * -1,
                     held = 0.5 * k * (stretch * stretch - (z0 - 1) * (z0 - 1));
        check_near(body_data(&r).position.z, z, 1e-12);
        check_near(body_data(&r).velocity.z, v, 1e-10);
        const double work = m * G * (z - z0) + 0.5 * m * v * v + held;
        check_near(link_of(&r).motor_work, work, 1e-9 * m * G * h);
        check_near(link_of(&r).motor_work, m * G * u * now + m * u * v, 1e-9 * m * G * h);
    }
    check_ok(fender_world_advance_to(r.world, 1.5 * t, &error));
    printf("lift: %.9f J for %.9f J\n", link_of(&r).motor_work, m * G * h);
    check_near(link_of(&r).motor_work, m * G * h, 1e-9 * m * G * h);
    check_near(body_data(&r).position.z, z0 + h, 1e-11);
    check_below(fabs(body_data(&r).velocity.z), 1e-9);
    check_below(residual_of(&r), 1e-9 * m * G * h);
    fender_world_destroy(r.world);
}

/* A motor at its limit F lifts at (F - m g) / m from rest, wherever it is told to be; its work is F times the way. */
static void at_its_limit(void **state)
{
    (void)state;
    const double m = 120, F = 1500, t = 0.8;
    fender_link_actuator p = actuator(4e5, 1);
    p.force_limit = F;
    rig r = column(m, G, 1, 0, FENDER_LINK_ACTUATOR, &p);
    check_ok(fender_link_set_length(r.world, r.link, 5, &error));
    assert_true(link_of(&r).slipping);
    double work = link_of(&r).motor_work; /* loads the servo up to its limit */
    check_near(work, 0.5 * F * F / 4e5, 1e-12);
    check_ok(fender_world_advance_to(r.world, t, &error));
    const double a = (F - m * G) / m;
    check_near(body_data(&r).velocity.z, a * t, 1e-11);
    check_near(link_of(&r).motor_work - work, F * 0.5 * a * t * t, 1e-9 * F);
    assert_true(link_of(&r).damping_loss == 0);
    check_below(residual_of(&r), 1e-9 * F);
    fender_world_destroy(r.world);
}

/* A weight falls on a locked actuator: the brake slips at F, and what it loses is F times what it yields. */
static void brake(void **state)
{
    (void)state;
    const double m = 120, k = 4e5, F = 4000, v = 1.2;
    fender_link_actuator p = actuator(k, 1);
    p.locked = true;
    p.brake = F;
    rig r = column(m, G, 1, -v, FENDER_LINK_ACTUATOR, &p);
    check_ok(fender_world_advance_to(r.world, 0.6, &error));
    /* m v^2 / 2 + m g (F / k + s) = F^2 / 2k + F s */
    const double s = (0.5 * m * v * v + m * G * F / k - 0.5 * F * F / k) / (F - m * G);
    check_near(1 - link_of(&r).free_length, s, 1e-10);
    check_near(link_of(&r).damping_loss, F * s, 1e-7);
    assert_true(link_of(&r).motor_work == 0 && s > 0.02);
    check_below(residual_of(&r), 1e-7);
    fender_world_destroy(r.world);
}

/* A leg hangs from a pivot, a bushing that is free to turn, and is retracted by an actuator from beside the pivot: the
 * work of the motor is what the leg, the links and the dampers have, counted without the ledger. */
static void leg(void **state)
{
    (void)state;
    const double m = 60, center = 0.8, arm = 0.5, beside = 0.6, start = sqrt(arm * arm + beside * beside);
    rig r = {.world = world_of(G)};
    fender_body_id hull = body_of(r.world, "hull", 0, 0, 0);
    fender_body_def def = fender_body_def_default();
    def.name = "leg";
    def.mass_properties.mass = m;
    def.mass_properties.inertia = fender_mat3_diagonal(13, 13, 0.5);
    def.state.position.z = -center;
    check_ok(fender_body_create(r.world, &def, &r.body, &error));
    fender_link_spring_damper_6dof pivot = {.stiffness = {2e6, 2e6, 2e6}, .damping = {2e3, 2e3, 2e3}};
    pivot.limit = pivot.angular_limit = INFINITY;
    fender_link_def link = fender_link_def_default();
    fender_link_id bushing;
    link.name = "pivot";
    link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    link.parameters = &pivot;
    check_ok(fender_point_create(r.world, hull, "pivot", at(0, 0, 0), &link.a, &error));
    check_ok(fender_point_create(r.world, r.body, "pivot", at(0, 0, center), &link.b, &error));
    check_ok(fender_link_create(r.world, &link, &bushing, &error));
    fender_link_actuator p = actuator(5e5, start);
    p.damping = 3e3;
    p.rate_limit = 0.25;
    p.stroke_min = 0.2;
    p.stop_stiffness = 1e6;
    link.name = "drive";
    link.law = FENDER_LINK_ACTUATOR;
    link.parameters = &p;
    check_ok(fender_point_create(r.world, hull, "drive", at(beside, 0, 0), &link.a, &error));
    check_ok(fender_point_create(r.world, r.body, "drive", at(0, 0, center - arm), &link.b, &error));
    check_ok(fender_link_create(r.world, &link, &r.link, &error));
    check_ok(fender_world_initialize(r.world, &error));
    check_ok(fender_link_set_length(r.world, r.link, 0.25, &error));
    double worst = 0;
    for (int i = 1; i <= 12; i++) {
        check_ok(fender_world_advance_to(r.world, 0.25 * i, &error));
        fender_body_data b = body_data(&r);
        fender_link_data drive = link_of(&r), hinge;
        assert_int_equal(fender_link_get(r.world, bushing, FENDER_CLOCK_COMMITTED, &hinge), FENDER_STATUS_OK);
        fender_vec3 v = b.velocity, w = b.angular_velocity;
        double energy = 0.5 * m * fender_vec3_dot(v, v) + 0.5 * (13 * w.x * w.x + 13 * w.y * w.y + 0.5 * w.z * w.z) +
                        m * G * (b.position.z + center) + drive.stored_energy + hinge.stored_energy +
                        drive.damping_loss + hinge.damping_loss;
        worst = larger(worst, fabs(drive.motor_work - energy));
    }
    fender_link_data drive = link_of(&r);
    fender_body_data b = body_data(&r);
    const double sine = (arm * arm + beside * beside - drive.length * drive.length) / (2 * arm * beside);
    printf("leg: %.6f J, of which %.6f J lift it; off by %.1e J\n", drive.motor_work, m * G * (b.position.z + center),
           worst);
    check_near(b.position.x / center, sine, 2e-3); /* the pivot gives by 0.3 mm */
    assert_true(drive.free_length == 0.25 && sine > 0.85);
    check_below(worst, 1e-9 * drive.motor_work);
    fender_world_destroy(r.world);
}

/* Drawn in from rest: m v^2 / 2 = K i^2 (1 / (z + d0) - 1 / (z0 + d0)); switched off there, the field's energy is
 * taken from outside. */
static void magnet(void **state)
{
    (void)state;
    const double m = 2, F = 400, half = 0.02, z0 = 0.3, d0 = half / (sqrt(2.0) - 1);
    fender_link_electromagnet p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_ELECTROMAGNET), &p, sizeof p, NULL);
    p.holding_force = F;
    p.half_distance = half;
    p.current = p.current_limit = 3;
    rig r = column(m, 0, z0, 0, FENDER_LINK_ELECTROMAGNET, &p);
    while (body_data(&r).position.z > 0.05) check_ok(fender_world_step(r.world, &error));
    const double z = body_data(&r).position.z, v = body_data(&r).velocity.z, field = F * d0 * d0 / (z + d0);
    assert_true(z > 0);
    const double energy = F * d0 * d0 * (1 / (z + d0) - 1 / (z0 + d0));
    printf("magnet: %.9f m/s at %.6f m, %.9f m/s by its energy\n", -v, z, sqrt(2 * energy / m));
    check_near(0.5 * m * v * v, energy, 1e-9 * energy);
    check_ok(fender_link_set_current(r.world, r.link, 0, &error));
    check_near(link_of(&r).motor_work, field, 1e-12 * field);
    assert_true(link_of(&r).force == 0);
    check_below(residual_of(&r), 1e-9 * energy);
    fender_world_destroy(r.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lift), cmocka_unit_test(at_its_limit), cmocka_unit_test(brake),
                                       cmocka_unit_test(leg), cmocka_unit_test(magnet)};
    return cmocka_run_group_tests_name("links that drive", tests, NULL, NULL);
}
