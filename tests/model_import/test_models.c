/* What becomes of the parts of a model: joints, frames without mass, welds, contact parameters, meshes, keyframes. */
#include "model_test.h"

#include <fender/mesh_file.h>

#define MASS "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"

static const char *scenario_of(const fender_model_file *model) { return fender_model_file_scenario(model, NULL); }

static bool says(const fender_model_file *model, const char *text)
{
    if (strstr(scenario_of(model), text)) return true;
    print_error("'%s' is not in\n%s\n", text, scenario_of(model));
    return false;
}

static bool warned(const collection *c, const char *text)
{
    for (int i = 0; i < c->count; i++)
        if (strstr(c->list[i].message, text)) return true;
    print_collection(c);
    return false;
}

static fender_body_data body_of(const fender_world *world, const char *name)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, body_named(world, name), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

/* ---- URDF */

static const char arm[] =
    "<robot name='arm'>\n<link name='base'>" MASS "</link>\n<link name='flange'/>\n<link name='1st hand'>" MASS
    "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
    "<collision><geometry><sphere radius='0.2'/></geometry></collision></link>\n"
    "<joint name='fix' type='fixed'><parent link='base'/><child link='flange'/><origin xyz='0 0 1'/></joint>\n"
    "<joint name='wrist' type='revolute'><parent link='flange'/><child link='1st hand'/><origin xyz='0 0 0.5'/>"
    "<axis xyz='0 0 2'/><limit lower='-1' upper='1' effort='1' velocity='1'/><dynamics damping='3'/>"
    "<mimic joint='fix'/></joint>\n</robot>\n";

static void rigid_joints(void **state)
{
    (void)state;
    static collection c;
    fender_model_joint joints[] = {{"wrist", 1.5, "rad"}};
    fender_model_import options = fender_model_import_default();
    options.joints = joints;
    options.joint_count = 1;
    fender_model_file *model = import_text("arm.urdf", arm, &options, &c);
    const fender_model_report *r = fender_model_file_report(model);
    assert_int_equal(r->bodies, 2); /* the flange has no mass */
    assert_int_equal(r->rigid_joints, 1);
    assert_true(warned(&c, "joint 'wrist' is rigid here"));
    assert_true(warned(&c, "joint 'wrist' is placed at 1.5, outside its limits -1 to 1"));
    assert_true(warned(&c, "<mimic> of joint 'wrist' is left out"));
    assert_true(says(model, "# body '1st hand' (arm.urdf:4)"));
    assert_true(says(model, "# with body 'flange' (arm.urdf:3)"));
    assert_true(says(model, "sphere_2: {sphere: {radius: 0.2 m}"));
    fender_world *world = world_of(model);
    fender_body_data hand = body_of(world, "_1st_hand"), base = body_of(world, "base");
    check_near(hand.position.z, 1.5, 1e-15);
    check_near(hand.attitude.z, sin(0.75), 1e-15);
    check_near(base.mass, 4, 0);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
}

/* An angle is none of a slide, a length none of a hinge; a number without a unit has that of the joint. */
static void units_of_joints(void **state)
{
    (void)state;
    static const char lift[] = "<robot name='lift'>\n<link name='base'>" MASS "</link>\n<link name='car'>" MASS
                               "</link>\n<link name='door'>" MASS "</link>\n"
                               "<joint name='rail' type='prismatic'><parent link='base'/><child link='car'/>"
                               "<axis xyz='0 0 1'/><limit lower='-9' upper='9' effort='1' velocity='1'/></joint>\n"
                               "<joint name='hinge' type='continuous'><parent link='car'/><child link='door'/>"
                               "<axis xyz='0 0 1'/></joint>\n</robot>\n";
    static const struct {
        fender_model_joint joints[2];
        const char *message; /* NULL: fine */
    } cases[] = {{{{"rail", 2, "m"}, {"hinge", 1, "rad"}}, NULL},
                 {{{"rail", 2, NULL}, {"hinge", 1, NULL}}, NULL},
                 {{{"rail", 2, "rad"}, {"hinge", 1, "rad"}}, "--joint: 'rail' is a slide, which takes a length"},
                 {{{"rail", 2, "m"}, {"hinge", 1, "m"}}, "--joint: 'hinge' is a hinge, which takes an angle"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_env env = fender_env_default();
        fender_error error = {0};
        fender_model_import options = fender_model_import_default();
        options.joints = cases[i].joints;
        options.joint_count = 2;
        fender_model_file *model = fender_model_file_parse(&env, "lift.urdf", lift, strlen(lift), &options, &error);
        assert_true((model == NULL) == (cases[i].message != NULL));
        if (!model) {
            assert_int_equal(error.status, FENDER_STATUS_UNIT);
            assert_string_equal(error.message, cases[i].message);
            continue;
        }
        fender_world *world = world_of(model);
        check_near(body_of(world, "car").position.z, 2, 1e-15);
        check_near(body_of(world, "door").attitude.z, sin(0.5), 1e-15);
        fender_world_destroy(world);
        fender_model_file_destroy(model);
    }
}

/* The hand turns about its joint, with the joint's damping; all else is held. */
static void bushings(void **state)
{
    (void)state;
    static collection c;
    fender_model_import options = fender_model_import_default();
    options.bushings = options.fixed_base = true;
    fender_model_file *model = import_text("arm.urdf", arm, &options, &c);
    assert_int_equal(fender_model_file_report(model)->links, 1);
    assert_true(warned(&c, "the limits of joint 'wrist' are left out"));
    fender_world *world = world_of(model);
    fender_body_id hand = body_named(world, "_1st_hand");
    fender_body_state start = {.position = {0, 0, 1.5}, .attitude = {1, 0, 0, 0}, .angular_velocity = {0, 0, 0.5}};
    check_ok(fender_body_set_state(world, hand, &start, &error));
    check_ok(fender_world_advance(world, 5000, &error)); /* 0.5 s */
    fender_body_data data = body_of(world, "_1st_hand");
    check_near(data.angular_velocity.z, 0.5 * exp(-3 * 0.5), 1e-9); /* I w' = -c w */
    check_near(data.position.z, 1.5 - 9.81 / 1e4, 1e-6);            /* sags by g / (100 rad/s)^2 */
    check_near(data.angular_velocity.x, 0, 1e-12);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
}

/* A pendulum of 0.3 m with little inertia: its centre gives way by turning, so that the spring at the joint needs a
 * shorter step than its mass alone would. It swings as by its moment about the joint, I = 0.091 kg m^2. */
static void light_pendulum(void **state)
{
    (void)state;
    static collection c;
    fender_model_import options = fender_model_import_default();
    options.bushings = true;
    fender_model_file *model = import_text(
        "p.xml",
        "<mujoco><option timestep='0.002'/><worldbody><body name='p' pos='0 0 1'><joint type='hinge' axis='0 1 0'/>"
        "<inertial pos='0.3 0 0' mass='1' diaginertia='0.001 0.001 0.001'/></body></worldbody></mujoco>",
        &options, &c);
    assert_true(says(model, "step: 5e-05 s"));
    fender_world *world = world_of(model);
    check_ok(fender_world_advance_to(world, 0.2, &error));
    const fender_body_data p = body_of(world, "p");
    const double angle = 2 * atan2(p.attitude.y, p.attitude.w), rate = p.angular_velocity.y;
    check_near(0.5 * 0.091 * rate * rate, 9.81 * 0.3 * sin(angle), 0.03); /* the joint yields by 1 mm */
    check_ok(fender_world_advance_to(world, 2, &error));
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_near(ledger.residual, 0, 1e-6);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
}

/* A finger of 30 g falls against the damper of its hinge, which has no spring: at m g l / c. The damper turns the
 * finger about its centre, at 2 N m s / 3e-5 kg m^2, and needs half of 2.785 of that rate: 21 us. The locked directions
 * have come to rest by exp(-20). */
static void damper_alone(void **state)
{
    (void)state;
    static collection c;
    fender_model_import options = fender_model_import_default();
    options.bushings = true;
    fender_model_file *model = import_text(
        "p.xml",
        "<mujoco><worldbody><body name='p' pos='0 0 1'><joint type='hinge' axis='0 1 0' damping='2'/>"
        "<inertial pos='0.05 0 0' mass='0.03' diaginertia='3e-5 3e-5 3e-5'/></body></worldbody></mujoco>",
        &options, &c);
    assert_true(says(model, "step: 2e-05 s"));
    assert_int_equal(c.count, 0);
    fender_world *world = world_of(model);
    check_ok(fender_world_advance_to(world, 0.2, &error));
    const double rate = 0.03 * 9.81 * 0.05 / 2;
    check_near(body_of(world, "p").angular_velocity.y, rate, 1e-5 * rate);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
    model = import_text("p.xml",
                        "<mujoco><worldbody><body pos='0 0 1'><joint name='j' type='hinge' axis='0 1 0' damping='200' "
                        "armature='1'/><inertial pos='0.05 0 0' mass='0.03' diaginertia='3e-5 3e-5 3e-5'/></body>"
                        "</worldbody></mujoco>",
                        &options, &c);
    assert_true(warned(&c, "joint 'j' needs steps of 2e-07 s: its part is light for its spring and damper"));
    fender_model_file_destroy(model);
}

/* Thin rods on hinges, whose moments differ by a factor of 100 or more, swing through every position: the dampers of
 * the locked directions are about axes of the rods, and the step suits the axis that gives way most. By itself, a rod
 * swings as by its moment about the hinge, I = 0.16687 kg m^2, which yields by 3 g / (100 rad/s)^2 at its bottom. In
 * chains, and beside a slide that keeps its direction, the ledger closes. */
static void thin_rods(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "<geom type='capsule' fromto='0 0 0 0.5 0 0' size='0.001' mass='2'/>",
        ("<geom type='capsule' fromto='0 0 0 0.5 0 0' size='0.02' mass='2'/><body pos='0.5 0 0'><joint type='hinge' "
         "axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.5 0.1 0' size='0.02' mass='1'/></body>"),
        "<joint type='slide' axis='1 0 0'/><geom type='capsule' fromto='0 0 0 0.5 0.05 0' size='0.02' mass='1'/>"};
    for (int i = 0; i < 3; i++) {
        static collection c;
        char text[800];
        fender_model_import options = fender_model_import_default();
        options.bushings = true;
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body name='p' pos='0 0 1'><joint name='h' type='hinge' axis='0 1 0'/>%s</body>"
                 "</worldbody></mujoco>",
                 bodies[i]);
        fender_model_file *model = import_text("p.xml", text, &options, &c);
        assert_true(says(model, i < 2 ? "between: [p.h, world.h]" : "between: [world.h, p.h]"));
        fender_world *world = world_of(model);
        for (int k = 1; k <= 8; k++) {
            check_ok(fender_world_advance_to(world, 0.1 * k, &error));
            const fender_body_data p = body_of(world, "p");
            const double angle = 2 * atan2(p.attitude.y, p.attitude.w), rate = p.angular_velocity.y;
            if (i == 0) check_near(0.5 * 0.16687 * rate * rate, 2 * 9.81 * 0.25 * sin(angle), 0.12); /* m g 6 mm */
        }
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_near(ledger.residual, 0, 1e-5);
        assert_true(ledger.damping > 0 && ledger.damping < 1); /* of some 10 J at work */
        fender_world_destroy(world);
        fender_model_file_destroy(model);
    }
}

/* Springs of several joints of a body bring each to its own springref, from wherever they begin, and a slide keeps its
 * direction beside a hinge that turns: MuJoCo's definition. Across it, the link yields by g / (100 rad/s)^2. All decay
 * by exp(-16) or more. */
static void unloaded_springs(void **state)
{
    (void)state;
    enum { SLIDE_Z = 1, SLIDE_X = 2, HINGE_Y = 4, HINGE_X = 8 };
    static const char *const joints[] = {
        "<joint name='z' type='slide' axis='0 0 1' stiffness='200' damping='40' springref='0.3'/>",
        "<joint name='x' type='slide' axis='1 0 0' stiffness='200' damping='40' springref='0.2'/>",
        "<joint name='y' type='hinge' axis='0 1 0' stiffness='5' damping='0.5' springref='20'/>",
        "<joint name='w' type='hinge' axis='1 0 0' stiffness='5' damping='0.5' springref='-30'/>"};
    static const int cases[] = {SLIDE_Z | SLIDE_X, SLIDE_Z | HINGE_Y, SLIDE_Z | SLIDE_X | HINGE_Y, HINGE_Y | HINGE_X,
                                SLIDE_X | HINGE_Y | HINGE_X};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        static collection c;
        const int has = cases[i / 2];
        char text[1000] = "<mujoco><option gravity='1 0 0'/><worldbody><body name='arm' pos='0 0 1'>";
        for (int k = 0; k < 4; k++)
            if (has >> k & 1) strcat(text, joints[k]);
        strcat(text, "<geom type='box' size='0.1 0.1 0.1' mass='2'/></body></worldbody></mujoco>");
        fender_model_joint placed = {has & HINGE_Y ? "y" : "z", 0.5, NULL};
        fender_model_import options = fender_model_import_default();
        options.bushings = true;
        options.joints = &placed;
        options.joint_count = i % 2;
        fender_model_file *model = import_text("arm.xml", text, &options, &c);
        assert_int_equal(c.count, 0);
        fender_world *world = world_of(model);
        check_ok(fender_world_advance_to(world, 2, &error));
        const fender_body_data part = body_of(world, "arm");
        const double y = has & HINGE_Y ? 0.17453292519943295 : 0, x = has & HINGE_X ? -0.26179938779914943 : 0;
        const fender_quaternion wanted = fender_quaternion_product((fender_quaternion){cos(y), 0, sin(y), 0},
                                                                   (fender_quaternion){cos(x), sin(x), 0, 0});
        check_vector(part.position, ((fender_vec3){has & SLIDE_X ? 0.2 + 2.0 / 200 : 1e-4, 0, has & SLIDE_Z ? 1.3 : 1}),
                     1e-6);
        const fender_quaternion off = fender_quaternion_product(fender_quaternion_conjugate(wanted), part.attitude);
        check_vector(((fender_vec3){off.x, off.y, off.z}), ((fender_vec3){0, 0, 0}), 1e-6);
        fender_world_destroy(world);
        fender_model_file_destroy(model);
    }
}

/* A root without mass takes that of the first body that is fixed to it; a world link is none of ours. */
static void massless_roots(void **state)
{
    (void)state;
    static collection c;
    fender_model_file *model = import_text(
        "root.urdf",
        "<robot name='r'><link name='footprint'/><link name='body'>" MASS "</link><joint name='j' type='fixed'>"
        "<parent link='footprint'/><child link='body'/><origin xyz='0 0 0.3' rpy='0 0 1'/></joint></robot>",
        NULL, &c);
    fender_world *world = world_of(model);
    assert_int_equal(fender_body_count(world), 1);
    fender_body_data data = body_of(world, "footprint");
    check_near(data.mass, 2, 0);
    check_vector(data.center_of_mass, ((fender_vec3){0, 0, 0.3}), 1e-15);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
    model = import_text("world.urdf",
                        "<robot name='r'><link name='world'/><link name='body'>" MASS
                        "</link><joint name='j' type='floating'>"
                        "<parent link='world'/><child link='body'/><origin xyz='0 0 5'/></joint></robot>",
                        NULL, &c);
    world = world_of(model);
    assert_int_equal(fender_body_count(world), 1);
    check_ok(fender_world_advance_to(world, 0.1, &error));
    check_near(body_of(world, "body").position.z, 5 - 0.5 * 9.81 * 0.01, 1e-12);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
}

/* Points and lines of mass move with the body that holds them, or that they hold: the sum is what counts. An inertia
 * without mass is told to be lost; the axis of a fixed joint is not looked at. */
static void singular_inertias(void **state)
{
    (void)state;
    static const char *const points[] = {"ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'",
                                         "ixx='1e-6' iyy='1e-6' izz='1e-6' ixy='1e-6' ixz='1e-6' iyz='1e-6'",
                                         "ixx='0.3' iyy='0.3' izz='0' ixy='0' ixz='0' iyz='0'"};
    for (int i = 0; i < 6; i++) {
        static collection c;
        char point[300], text[1000];
        const double along = i % 3 == 1 ? 1e-6 : 0, xx = i % 3 == 2 ? 0.3 : along;
        const char *first = i < 3 ? MASS : point, *second = i < 3 ? point : MASS;
        snprintf(point, sizeof point, "<inertial><mass value='0.5'/><inertia %s/></inertial>", points[i % 3]);
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='base'>%s</link><link name='imu'>%s</link><joint name='j' type='fixed'>"
                 "<parent link='base'/><child link='imu'/><origin xyz='0 0 0.5'/><axis xyz='0 0 0'/></joint></robot>",
                 first, second);
        fender_model_file *model = import_text("point.urdf", text, NULL, &c);
        assert_true(warned(&c, "'base' and 'imu' are one body: an inertia is that of a point or a line"));
        fender_world *world = world_of(model);
        fender_mass_properties mass;
        assert_int_equal(fender_body_get_mass(world, body_named(world, "base"), FENDER_MASS_CORE, &mass),
                         FENDER_STATUS_OK);
        check_near(mass.mass, 2.5, 1e-15);
        check_near(mass.center_of_mass.z, (i < 3 ? 0.5 : 2.0) * 0.5 / 2.5, 1e-15);
        check_near(mass.inertia.m[0][0], 1 + xx + 0.5 * 2.0 / 2.5 * 0.25, 1e-15); /* m1 m2 / (m1 + m2) d^2 */
        check_near(mass.inertia.m[0][1], along, 1e-18);
        fender_world_destroy(world);
        fender_model_file_destroy(model);
    }
    static collection c;
    fender_model_file *model = import_text(
        "rotor.urdf",
        "<robot name='r'><link name='base'>" MASS "</link><link name='rotor'><inertial><mass value='0'/><inertia "
        "ixx='2' iyy='2' izz='2' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='flange'><inertial><mass "
        "value='0'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j' type='fixed'><parent link='base'/><child link='rotor'/></joint>"
        "<joint name='k' type='fixed'><parent link='base'/><child link='flange'/></joint></robot>",
        NULL, &c);
    assert_int_equal(c.count, 1);
    assert_true(warned(&c, "the inertia of link 'rotor' is left out: it has no mass"));
    fender_model_file_destroy(model);
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The paths of meshes lead from the folder of the scenario; a mesh touches with its hull, or with its triangles. */
static void mesh_paths(void **state)
{
    (void)state;
    static collection c;
    write_text("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const char *text = "<robot name='r'><link name='a'>" MASS "<collision><geometry><mesh "
                       "filename='package://parts/tetra.obj' scale='1 2 0.5'/></geometry></collision></link></robot>";
    fender_model_package package = {"parts", "."};
    fender_model_import options = fender_model_import_default();
    options.packages = &package;
    options.package_count = 1;
    fender_model_file *model = import_text("mesh.urdf", text, &options, &c);
    assert_true(says(model, "mesh_1: {obj: \"tetra.obj\", unit: m, scale: [1, 2, 0.5]}"));
    fender_world *world = world_of(model);
    fender_shape_def shape;
    assert_int_equal(fender_shape_get_def(world, fender_shape_at(world, 0), &shape), FENDER_STATUS_OK);
    check_near(fender_geometry_mass_properties(shape.geometry, 1).mass, 1.0 / 6, 1e-15);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
    options.mesh_surfaces = true;
    options.output_directory = "..";
    model = import_text("mesh.urdf", text, &options, &c);
    assert_true(says(model, "/tetra.obj\", unit: m"));
    assert_true(says(model, "mesh: {mesh: mesh_1, material: a}"));
    fender_model_file_destroy(model);
}

/* ---- MJCF */

/* K = m / (T z)^2 and C = 2 m / T of docs/book/from_mujoco.md, with MuJoCo's mixing of two geoms. */
static void contact_parameters(void **state)
{
    (void)state;
    static collection c;
    fender_model_file *model = import_text(
        "contact.xml",
        "<mujoco><worldbody><geom type='plane' size='1 1 1' friction='0.2' solref='0.04 1'/>"
        "<body name='a' pos='0 0 1'><freejoint/><geom size='0.1' mass='2' friction='0.7' solref='0.02 1' "
        "condim='4'/></body>"
        "<body name='b' pos='0 0 2'><freejoint/><geom size='0.1' mass='3' priority='1' solref='-500 -20'/></body>"
        "<body name='c' pos='0 0 3'><freejoint/><geom size='0.1' contype='0' conaffinity='0'/></body>"
        "</worldbody></mujoco>",
        NULL, &c);
    assert_true(warned(&c, "MuJoCo's soft contact has no exact counterpart"));
    /* on the plane: mean time constant 0.03 s, the larger friction */
    assert_true(says(model, "a_on_world:\n    normal: {law: spring_damper, stiffness: 2222.22222222222"));
    assert_true(
        says(model, "friction: {law: coulomb, mu: 0.7, slip_speed: 2 cm/s}\n    twisting: {law: torsional, mu: 0.7"));
    /* b has priority, in the direct form: 500 and 20 per kilogram */
    assert_true(says(model, "b_on_world:\n    normal: {law: spring_damper, stiffness: 1500 N/m, damping: 60 N*s/m}"));
    assert_true(says(model, "b_on_a:\n    normal: {law: spring_damper, stiffness: 600 N/m, damping: 24 N*s/m}"));
    assert_true(strstr(scenario_of(model), "c_on") == NULL && strstr(scenario_of(model), "on_c") == NULL);
    fender_world_destroy(world_of(model));
    fender_model_file_destroy(model);
}

static double number_after(const fender_model_file *model, const char *first, const char *second)
{
    const char *at = strstr(scenario_of(model), first);
    assert_non_null(at);
    at = strstr(at, second);
    assert_non_null(at);
    return strtod(at + strlen(second), NULL);
}

/* A foot of 1 kg slides along z in a trunk of 3 kg, centre in centre: a force on it moves 4, 4, and 1 kg along the
 * three axes, on the mean 3 / (1/4 + 1/4 + 1) = 2 kg. A force on the trunk moves 4, 4, and 3 kg, on the mean 3.6 kg:
 * the joint holds them if the foot can stand on the ground, else 1 kg against 3 kg. A foot of 0.01 kg on a hinge meets
 * the trunk, too: its damper of 2 (3.01 kg) / (5 ms) needs half of 2.785 (0.01 kg) / (1204 N s/m), or 12 us,
 * and its friction of 29.5 N / (2 cm/s), 3.5 times as quick for a ball, half of 2.785 (0.01 kg) / (5170 N s/m). */
static void masses_of_feet(void **state)
{
    (void)state;
    static collection c;
    for (int i = 0; i < 4; i++) {
        char text[700];
        fender_model_import options = fender_model_import_default();
        options.bushings = true;
        snprintf(text, sizeof text,
                 "<mujoco><default><geom condim='%d'/></default><worldbody>%s<body name='t' pos='0 0 "
                 "1'><freejoint/><inertial pos='0 0 0' mass='3' "
                 "diaginertia='1 1 1'/><body name='f'><joint type='%s' axis='0 0 1'/><inertial pos='0 0 0' "
                 "mass='%s' diaginertia='1 1 1'/><geom size='0.2' solref='%s 1'/></body></body></worldbody></mujoco>",
                 i == 3 ? 3 : 1, i == 1 ? "" : "<geom type='plane' size='1 1 1' solref='0.005 1'/>",
                 i >= 2 ? "hinge" : "slide", i >= 2 ? "0.01" : "1", i >= 2 ? "0.005" : "0.035");
        fender_model_file *model = import_text("foot.xml", text, &options, &c);
        if (i == 0) {
            check_near(number_after(model, "f_on_world:", "stiffness: "), 2 / 0.02 / 0.02, 1e-8);
            check_near(number_after(model, "f_on_world:", "damping: "), 2 * 2 / 0.02, 1e-10);
        }
        if (i < 2) check_near(number_after(model, "links:", "stiffness: [0, "), i == 0 ? 36000 : 7500, 1e-7);
        else check_near(number_after(model, "integrator:", "step: "), i == 2 ? 1e-5 : 2e-6, 0);
        fender_world_destroy(world_of(model));
        fender_model_file_destroy(model);
    }
}

/* Rows and the end are at whole numbers of steps, so that the scenario is accepted as it is. */
static void rows_fit_steps(void **state)
{
    (void)state;
    static const struct {
        const char *step, *row, *end;
    } cases[] = {{"0.003", "every: 0.009", "until: 2.001"},  {"0.004", "every: 0.012", "until: 2 s"},
                 {"0.002", "every: 10 ms", "until: 2 s"},    {"0.02", "every: 0.02 s", "until: 2 s"},
                 {"0.03", "every: 0.03 s", "until: 2.01 s"}, {"0.0007", "every: 0.0098", "until: 1.9999"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static collection c;
        char text[300];
        snprintf(text, sizeof text,
                 "<mujoco><option timestep='%s'/><worldbody><body name='a'><freejoint/><geom size='0.1'/></body>"
                 "</worldbody></mujoco>",
                 cases[i].step);
        fender_model_file *model = import_text("step.xml", text, NULL, &c);
        assert_true(says(model, cases[i].row) && says(model, cases[i].end));
        fender_env env = collecting_env(&c);
        fender_error error = {0};
        size_t length = 0;
        const char *scenario_text = fender_model_file_scenario(model, &length);
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "s.yaml", scenario_text, length, NULL, 0, &error);
        assert_non_null(scenario);
        const fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&env, &def, &error);
        if (!run) print_error("%s\n%s\n", error.message, scenario_text);
        assert_non_null(run);
        assert_int_equal(c.count, 0);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
        fender_model_file_destroy(model);
    }
}

/* What begins below the ground is told, with the place that touches it: each shape by its lowest point. */
static void below_the_ground(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double z;
    } cases[] = {
        {"<sphere radius='0.1'/>", -0.1},
        {"<capsule radius='0.1' length='0.5'/>", -0.1 - 0.25 * 0.8},
        {"<cylinder radius='0.1' length='0.5'/>", -0.1 * 0.6 - 0.25 * 0.8},
        {"<box size='0.3 0.4 0.5'/>", -0.2 * 0.6 - 0.25 * 0.8},
        {"<mesh filename='tetra.obj'/>", -0.6},
    };
    write_text("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        static collection c;
        char text[800], place[80];
        fender_model_import options = fender_model_import_default();
        options.ground = true;
        const double height = i % 2 ? 1 : 0.4;
        /* a foot that hangs 0.4 m below the base, turned about x so that down is (0, 0.6, -0.8) in its axes */
        snprintf(
            text, sizeof text,
            "<robot name='r'><link name='base'>" MASS "</link><link name='foot'>" MASS "<collision name='sole'>"
            "<origin xyz='0 0 %g' rpy='-0.6435011087932844 0 0'/><geometry>%s</geometry></collision></link>"
            "<joint name='j' type='fixed'><parent link='base'/><child link='foot'/><origin xyz='0.5 0 -0.4'/></joint>"
            "</robot>",
            height, cases[i / 2].shape);
        fender_model_file *model = import_text("foot.urdf", text, &options, &c);
        if (i % 2) assert_int_equal(c.count, 1);
        else assert_true(warned(&c, "shape 'sole' of 'foot' begins at z = -"));
        for (int k = 0; k < c.count && i % 2 == 0; k++) {
            const char *at = strstr(c.list[k].message, "z = ");
            if (!at) continue;
            check_near(strtod(at + 4, NULL), cases[i / 2].z, 1e-4);
            at = strstr(c.list[k].suggestion, "[0, 0, ");
            assert_non_null(at);
            check_near(strtod(at + 7, NULL), -cases[i / 2].z, 1e-12);
            snprintf(place, sizeof place, "]: bodies.base.state.position");
            assert_non_null(strstr(at, place));
        }
        fender_model_file_destroy(model);
    }
}

/* Locked directions have 100 rad/s, and 5 times the rate of a spring of the joint, up to 1000 rad/s: of a hinge with
 * 1 kg m^2, of a slide with 4 kg. */
static void rates_of_locks(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *before;
        double mass, rate;
    } cases[] = {{"type='hinge' axis='1 0 0' stiffness='100'", "stiffness: [", 4, 100},
                 {"type='hinge' axis='1 0 0' stiffness='3600'", "stiffness: [", 4, 300},
                 {"type='hinge' axis='1 0 0' stiffness='1e6'", "stiffness: [", 4, 1000},
                 {"type='slide' axis='1 0 0' stiffness='1600'", "angular_stiffness: [", 1, 100},
                 {"type='slide' axis='1 0 0' stiffness='14400'", "angular_stiffness: [", 1, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static collection c;
        char text[500];
        fender_model_import options = fender_model_import_default();
        options.bushings = true;
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body name='a'><joint %s/><inertial pos='0 0 0' mass='4' diaginertia='1 1 1'/>"
                 "</body></worldbody></mujoco>",
                 cases[i].joint);
        fender_model_file *model = import_text("lock.xml", text, &options, &c);
        check_near(number_after(model, "links:", cases[i].before), cases[i].mass * cases[i].rate * cases[i].rate, 1e-6);
        fender_world_destroy(world_of(model));
        fender_model_file_destroy(model);
    }
}

/* A ball of 2 kg rests where (1 - d) g = d^2 p / (T z)^2 of docs/book/from_mujoco.md, with d = 0.015 + 0.985 * 2 x^2 at
 * x = p / 31 mm: 13.86 mm deep, where g (T z)^2 is 3.924 mm. Its type is warned of once; neither a width that changes
 * little, as the default does, nor another ball with the same surface adds to it. */
static void variable_impedance(void **state)
{
    (void)state;
    static const struct {
        const char *plane, *ball, *found;
    } cases[] = {{"0.015 1 0.031", "0.015 1 0.031", "at rest it is 3.924 mm deep, in MuJoCo 13.86 mm"},
                 {"0.005 1 0.031", "0.025 1 0.031", "at rest it is 3.924 mm deep, in MuJoCo 13.86 mm"},
                 {"0.9 0.95 0.001", "0.9 0.95 0.001", NULL},
                 {"0.5 0.5 0.001", "0.5 0.5 0.001", NULL},
                 {"0.1 0.9 0", "0.1 0.9 0", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static collection c;
        char text[900];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><geom type='plane' size='1 1 1' solimp='%s'/><body name='a' pos='0 0 0.1'>"
                 "<freejoint/><geom size='0.1' mass='2' solimp='%s'/></body><body name='b' pos='0 0 9'><freejoint/>"
                 "<geom size='0.1' mass='2' solimp='%s' contype='2' conaffinity='1'/></body></worldbody></mujoco>",
                 cases[i].plane, cases[i].ball, cases[i].ball);
        fender_model_file *model = import_text("ball.xml", text, NULL, &c);
        int warnings = 0;
        for (int k = 0; k < c.count; k++) warnings += strstr(c.list[k].message, "'solimp'") != NULL;
        assert_int_equal(warnings, cases[i].found ? 2 : 0); /* on the plane, and of the two balls */
        if (cases[i].found) {
            assert_true(warned(&c, cases[i].found));
            assert_true(warned(&c, "'solimp' of contact type 'b_on_a' varies over its width, its spring does not"));
        }
        fender_world_destroy(world_of(model));
        fender_model_file_destroy(model);
    }
}

/* An L of 7 m^3: MuJoCo's default has 11.87124 kg (by test_mujoco.c), and exactmeshinertia 7 kg. */
static void volume_of_concave_mesh(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        static collection c;
        char text[1000];
        snprintf(text, sizeof text, "<mujoco><compiler exactmeshinertia='%s'/><asset>%s", exact ? "true" : "false",
                 "<mesh name='l' vertex='0 0 0  4 0 0  4 1 0  1 1 0  1 4 0  0 4 0  0 0 1  4 0 1  4 1 1  1 1 1  1 4 1  "
                 "0 4 1' "
                 "face='0 2 1  0 3 2  0 4 3  0 5 4  6 7 8  6 8 9  6 9 10  6 10 11  0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  "
                 "2 9 8  "
                 "3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11'/></asset><worldbody><body name='a'><freejoint/>"
                 "<geom type='mesh' mesh='l' density='1'/></body></worldbody></mujoco>");
        fender_model_file *model = import_text("l.xml", text, NULL, &c);
        assert_int_equal(c.count, exact ? 0 : 1);
        if (!exact) assert_true(warned(&c, "by its density, mesh 'l' has 1.6959 of this mass in MuJoCo"));
        fender_world *world = world_of(model);
        check_near(body_of(world, "a").mass, 7, 1e-12);
        fender_world_destroy(world);
        fender_model_file_destroy(model);
    }
}

static void rules(void **state)
{
    (void)state;
    static collection c;
    fender_model_file *model = import_text(
        "rules.xml",
        "<mujoco><worldbody><body name='a'><freejoint/><geom name='s' size='0.1' mass='1'/></body>"
        "<body name='b' pos='0 0 1'><freejoint/><geom name='t' size='0.1' mass='1'/></body>"
        "<body name='c' pos='0 0 2'><freejoint/><geom name='u' size='0.1' mass='1'/></body></worldbody><contact>"
        "<exclude body1='a' body2='b'/><pair geom1='s' geom2='u' condim='1' solref='0.1 1'/></contact></mujoco>",
        NULL, &c);
    assert_true(says(model, "  - {shapes: [a.s, b.t], use: never}"));
    assert_true(says(model, "  - {shapes: [a.s, c.u], use: s_on_u}"));
    assert_true(says(model, "s_on_u:\n    normal: {law: spring_damper, stiffness: 50 N/m, damping: 10 N*s/m}"));
    assert_true(says(model, "  - {materials: [b, c], use: b_on_a, unsupported: ignore}"));
    fender_world_destroy(world_of(model));
    fender_model_file_destroy(model);
}

static void welds(void **state)
{
    (void)state;
    static collection c;
    fender_model_file *model = import_text(
        "weld.xml",
        "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='0.1' mass='1'/></body>"
        "<body name='b' pos='0 0 2'><freejoint/><geom size='0.1' mass='1'/><body name='tip' pos='1 0 0'>"
        "<geom size='0.1' mass='1'/></body></body><body name='d'><freejoint/><geom size='0.1' "
        "mass='1'/></body></worldbody>"
        "<equality><weld body1='a' body2='tip'/><weld body1='b' body2='a'/><weld body1='d'/>"
        "<weld body1='d' body2='b' relpose='0 0 3 1 0 0 0'/><connect body1='a' body2='b' anchor='0 0 "
        "0'/></equality></mujoco>",
        NULL, &c);
    fender_world *world = world_of(model);
    check_near(body_of(world, "b").mass, 3, 1e-15); /* with a and tip */
    check_near(body_of(world, "d").position.z, 0, 1e-15);
    check_near(body_of(world, "b").position.z, 3, 1e-15);
    check_vector(body_of(world, "a").position, ((fender_vec3){0, 0, 2}), 1e-15);
    assert_true(fender_body_root(world, body_named(world, "a")).index1 == body_named(world, "world").index1);
    assert_true(warned(&c, "the weld connects bodies that are rigidly connected"));
    assert_true(warned(&c, "equality <connect> '' is left out"));
    fender_world_destroy(world);
    fender_model_file_destroy(model);
}

/* Normalised to the third size; the text begins with the row of the largest y, as MuJoCo has it. */
static void height_field(void **state)
{
    (void)state;
    static collection c;
    fender_model_file *model = import_text("field.xml",
                                           "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='2 1 0.5 0.1' "
                                           "elevation='5 6 7 5 5 9'/></asset><worldbody>"
                                           "<geom type='hfield' hfield='h' pos='0 0 1'/></worldbody></mujoco>",
                                           NULL, &c);
    assert_true(
        says(model, "grid: {lower: [-2, -1, m], spacing: [2, 2, m], heights: [[0, 0, 0.5], [0, 0.125, 0.25], m]}"));
    fender_world_destroy(world_of(model));
    fender_model_file_destroy(model);
}

static void keyframe_and_include(void **state)
{
    (void)state;
    static collection c;
    write_text("part.xml",
               "<mujoco><worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='0.1'/><site name='eye' "
               "pos='0 0 0.1'/></body></worldbody><keyframe><key name='up' qpos='1 2 3 2 0 0 0' "
               "qvel='1 0 0 0 0 4'/></keyframe></mujoco>");
    fender_model_import options = fender_model_import_default();
    options.keyframe = "0";
    fender_model_file *model = import_text("whole.xml", "<mujoco>\n<include file='part.xml'/>\n</mujoco>\n", &options,
                                           &c);
    assert_true(says(model, "# body 'b' (part.xml:1)"));
    fender_world *world = world_of(model);
    fender_body_data b = body_of(world, "b");
    check_vector(b.position, ((fender_vec3){1, 2, 3}), 0);
    check_vector(b.velocity, ((fender_vec3){1, 0, 0}), 0);
    check_vector(b.angular_velocity, ((fender_vec3){0, 0, 4}), 0);
    assert_int_equal(fender_point_count(world), 1);
    fender_world_destroy(world);
    fender_model_file_destroy(model);
    options.keyframe = "down";
    fender_error error = {0};
    assert_null(fender_model_file_read(NULL, "part.xml", &options, &error));
    assert_string_equal(error.message, "--keyframe: no keyframe is named 'down'");
}

/* ---- the samples, and memory */

static void samples(void **state)
{
    (void)state;
    static collection c;
    fender_env env = collecting_env(&c);
    fender_error error = {0};
    fender_model_import options = fender_model_import_default();
    options.ground = true;
    fender_model_file *lander = fender_model_file_read(&env, FENDER_SOURCE_DIR "/samples/models/lander.urdf", &options,
                                                       &error);
    assert_non_null(lander);
    fender_world *world = world_of(lander);
    check_near(body_of(world, "vehicle").mass, 500, 1e-12);
    fender_world_destroy(world);
    fender_model_file_destroy(lander);
    options.ground = false;
    options.bushings = true;
    options.keyframe = "crouch";
    fender_model_file *hopper = fender_model_file_read(&env, FENDER_SOURCE_DIR "/samples/models/hopper.xml", &options,
                                                       &error);
    assert_non_null(hopper);
    assert_int_equal(fender_model_file_report(hopper)->links, 3);
    world = world_of(hopper);
    assert_int_equal(fender_world_advance(world, 100, &error), FENDER_STATUS_OK);
    fender_world_destroy(world);
    fender_model_file_destroy(hopper);
}

typedef struct failing {
    long calls, fail_at, live;
} failing;

static void *failing_allocate(void *ctx, size_t size, size_t alignment)
{
    failing *f = ctx;
    (void)alignment;
    if (++f->calls == f->fail_at) return NULL;
    f->live++;
    return malloc(size);
}

static void failing_release(void *ctx, void *memory, size_t size)
{
    (void)size;
    ((failing *)ctx)->live--;
    free(memory);
}

static void each_allocation_fails(void **state)
{
    (void)state;
    static const char *const files[] = {"lander.urdf", "hopper.xml"};
    for (int k = 0; k < 2; k++) {
        char path[512];
        long count = 0;
        snprintf(path, sizeof path, FENDER_SOURCE_DIR "/samples/models/%s", files[k]);
        for (long at = 0; at <= count; at++) {
            failing f = {.fail_at = at};
            fender_env env = {{failing_allocate, failing_release, &f}, NULL, NULL};
            fender_error error = {0};
            fender_model_import options = fender_model_import_default();
            options.bushings = options.ground = true;
            fender_model_file *model = fender_model_file_read(&env, path, &options, &error);
            if (at == 0) count = f.calls;
            assert_int_equal(model != NULL, at == 0);
            assert_int_equal(error.status, at == 0 ? FENDER_STATUS_OK : FENDER_STATUS_MEMORY);
            fender_model_file_destroy(model);
            assert_int_equal(f.live, 0);
        }
        printf("%s: %ld allocations, each made to fail\n", files[k], count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_joints),
        cmocka_unit_test(units_of_joints),
        cmocka_unit_test(bushings),
        cmocka_unit_test(light_pendulum),
        cmocka_unit_test(damper_alone),
        cmocka_unit_test(thin_rods),
        cmocka_unit_test(unloaded_springs),
        cmocka_unit_test(massless_roots),
        cmocka_unit_test(singular_inertias),
        cmocka_unit_test(mesh_paths),
        cmocka_unit_test(contact_parameters),
        cmocka_unit_test(masses_of_feet),
        cmocka_unit_test(rows_fit_steps),
        cmocka_unit_test(below_the_ground),
        cmocka_unit_test(rates_of_locks),
        cmocka_unit_test(volume_of_concave_mesh),
        cmocka_unit_test(variable_impedance),
        cmocka_unit_test(rules),
        cmocka_unit_test(welds),
        cmocka_unit_test(height_field),
        cmocka_unit_test(keyframe_and_include),
        cmocka_unit_test(samples),
        cmocka_unit_test(each_allocation_fails),
    };
    if (!fender_model_has_xml()) {
        printf("skipped: this build has no expat\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
