/* Channels of two bodies: the load through contacts, links and joints, standing, clearance. */
#include "scene_world.h"

/* ---- joints ---- */

/* Two docked vehicles of 8 t and 2 t in free flight. The child bears what it takes to carry it along. */
#define DOCKED                                                                                       \
    "fender: 1\n"                                                                                    \
    "world: {gravity: [0, 0, -3, m/s^2]}\n"                                                          \
    "run: {until: 1 s}\n"                                                                            \
    "bodies:\n"                                                                                      \
    "  parent:\n"                                                                                    \
    "    mass_properties: {mass: 8 t, inertia: [9e3, 8e3, 7e3, kg*m^2]}\n"                           \
    "    points: {port: {position: [2, 0, 0, m]}, engine: {position: [-1, 0, 0, m]}}\n"              \
    "  child:\n"                                                                                     \
    "    mass_properties: {mass: 2 t, inertia: [1e3, 2e3, 3e3, kg*m^2]}\n"                           \
    "    points: {port: {position: [1.5, 0, 0, m], orientation: {axis: [0, 0, 1], angle: 0 deg}}}\n" \
    "    attached: {by: port, to: parent.port}\n"

/* Along the axis: m a, whatever the gravity; no torque. */
static void joint_of_a_pushed_pair(void **state)
{
    (void)state;
    fender_world *world = world_of(DOCKED "loads: {burn: {body: parent, at: engine, force: {constant: [5, 0, 0, kN]},\n"
                                          "               axes: body}}\n");
    /* x of the child's structure points back to the parent, who pushes along -x of it */
    check_parts(read_vector(world, "bodies.child@parent.joint_force"), -1000, 0, 0, 1e-10);
    check_parts(read_vector(world, "bodies.child@parent.joint_torque"), 0, 0, 0, 1e-10);
    check_parts(read_vector(world, "bodies.parent@child.joint_force"), -1000, 0, 0, 1e-10);
    check_parts(read_vector(world, "bodies.child@parent.force"), -1000, 0, 0, 1e-10);
    check_near(read_one(world, "bodies.child@parent.joint_force_magnitude"), 1000, 1e-10);
    check_near(read_one(world, "bodies.child@parent.contact_force_magnitude"), 0, 0);
    fender_world_destroy(world);
}

/* A force of 1 kN across at the engine, by hand: the centre of all is 0.7 m before that of the parent (which is at 0,
 * that of the child at 3.5 m), so M = 10 t, J = 8e3 + 2e3 + 8e3 0.49 + 2e3 7.84 = 29600 about y and 7e3 + 3e3 + 19600
 * about z. The engine lies 1.7 m behind the centre. */
static void joint_of_a_pair_that_turns(void **state)
{
    (void)state;
    fender_world *world = world_of(DOCKED "loads: {burn: {body: parent, at: engine, force: {constant: [0, 1, 0, kN]},\n"
                                          "               axes: body}}\n");
    const double rate = -1.7 * 1000 / 29600, a = 1000.0 / 10000 + 2.8 * rate; /* 1/s^2 about z; of the child's centre */
    const double y = 2000 * a, moment = 3000 * rate; /* in world axes; about the child's centre */
    /* the child is turned half about z; its port lies 1.5 m from its centre, on its x axis */
    check_parts(read_vector(world, "bodies.child@parent.joint_force"), 0, -y, 0, 1e-9);
    check_parts(read_vector(world, "bodies.child@parent.joint_torque"), 0, 0, moment, 1e-9);
    check_parts(read_vector(world, "bodies.child.port@parent.joint_torque"), 0, 0, moment + 1.5 * y, 1e-9);
    check_parts(read_vector(world, "bodies.parent.port@child.joint_torque"), 0, 0, -(moment + 1.5 * y), 1e-9);
    fender_world_destroy(world);
}

/* What spins is held together by m w^2 r. A strut within the tree that presses the two apart is borne by the joint. */
static void joint_of_a_pair_that_spins(void **state)
{
    (void)state;
    fender_world *world = world_of("fender: 1\n"
                                   "run: {until: 1 s}\n"
                                   "bodies:\n"
                                   "  parent:\n"
                                   "    mass_properties: {mass: 8 t, inertia: [9e3, 8e3, 7e3, kg*m^2]}\n"
                                   "    points: {port: {position: [2, 0, 0, m]}, seat: {position: [0, 0, 0, m]}}\n"
                                   "    state: {angular_velocity: [0, 0, 0.5, rad/s]}\n"
                                   "  child:\n"
                                   "    mass_properties: {mass: 2 t, inertia: [1e3, 2e3, 3e3, kg*m^2]}\n"
                                   "    points: {port: {position: [1.5, 0, 0, m]}, seat: {position: [0, 0, 0, m]}}\n"
                                   "    attached: {by: port, to: parent.port}\n"
                                   "links:\n"
                                   "  pusher: {between: [parent.seat, child.seat], law: spring_damper,\n"
                                   "           stiffness: 100 N/m, free_length: 13.5 m}\n");
    const double pull = 2000 * 0.25 * 2.8; /* along x of the child, towards the parent */
    check_parts(read_vector(world, "bodies.child@parent.link_force"), -1000, 0, 0, 1e-9);
    check_parts(read_vector(world, "bodies.child@parent.joint_force"), pull + 1000, 0, 0, 1e-9);
    check_parts(read_vector(world, "bodies.child@parent.force"), pull, 0, 0, 1e-9);
    fender_world_destroy(world);
}

/* On a stand, the joint bears the weight. */
static void joint_of_a_cantilever(void **state)
{
    (void)state;
    fender_world *world = world_of("fender: 1\n"
                                   "world: {gravity: [0, 0, -9.8, m/s^2]}\n"
                                   "run: {until: 1 s}\n"
                                   "bodies:\n"
                                   "  wall: {motion: fixed, points: {port: {}}}\n"
                                   "  beam:\n"
                                   "    mass_properties: {mass: 10 kg, inertia: [1, 1, 1], center_of_mass: [2, 0, 0]}\n"
                                   "    attached: {to: wall, position: [0, 0, 0, m]}\n"
                                   "  weight:\n"
                                   "    mass_properties: {mass: 5 kg, inertia: [1, 1, 1]}\n"
                                   "    attached: {to: beam, position: [4, 0, 0, m]}\n"
                                   "loads: {hand: {body: weight, at: center, force: {constant: [0, 0, 19, N]}}}\n");
    check_parts(read_vector(world, "bodies.beam@wall.joint_force"), 0, 0, 15 * 9.8 - 19, 1e-12);
    check_parts(read_vector(world, "bodies.beam@wall.joint_torque"), 0, -(20 * 9.8 + 4 * (49 - 19)), 0, 1e-12);
    check_parts(read_vector(world, "bodies.weight@beam.joint_force"), 0, 0, 49 - 19, 1e-12);
    check_parts(read_vector(world, "bodies.weight@wall.joint_force"), 0, 0, 49 - 19, 1e-12);
    check_parts(read_vector(world, "bodies.wall.port@beam.joint_force"), 0, 0, -(15 * 9.8 - 19), 1e-12);
    check_parts(read_vector(world, "bodies.wall.port@beam.joint_torque"), 0, 20 * 9.8 + 4 * (49 - 19), 0, 1e-12);
    fender_world_destroy(world);
}

/* A tree of three that tumbles, is pushed, hangs on a spring and lies against a ball, in a frame that turns with its
 * planet: the joint follows from the motion of the child's own centre in inertial space, by differences of states a
 * step apart. The error of the differences is of the order of the square of the step. */
static void joint_from_the_motion(void **state)
{
    (void)state;
    fender_world *world = world_of(
        "fender: 1\n"
        "world: {frame: {planet: {radius: 500 m, mu: 1 m^3/s^2, rotation: 0.05 rad/s}, latitude: 40 deg}, gravity: [1, "
        "2, -3, m/s^2]}\n"
        "integrator: {step: 10 us}\n"
        "run: {until: 1 s}\n"
        "contact_types: {spring: {law: spring_damper, stiffness: 1000 N/m}}\n"
        "rules: [{default: spring}]\n"
        "bodies:\n"
        "  root:\n"
        "    mass_properties: {mass: 5 kg, inertia: [2, 3, 4], center_of_mass: [0.1, 0, 0]}\n"
        "    points: {hook: {position: [0, 0.5, 0, m]}}\n"
        "    state: {position: [1, 2, 3, m], velocity: [1, -1, 0.5, m/s], angular_velocity: [0.7, -0.4, 1.1, rad/s]}\n"
        "  arm:\n"
        "    mass_properties: {mass: 3 kg, inertia: [1, 1, 1.5], center_of_mass: [0, 0.2, 0.1],\n"
        "                      body_axes: {axis: [1, 1, 0], angle: 30 deg}}\n"
        "    attached: {to: root, position: [1, 0.3, -0.2, m], orientation: {axis: [1, 2, 3], angle: 50 deg}}\n"
        "  hand:\n"
        "    mass_properties: {mass: 1 kg, inertia: [0.2, 0.3, 0.4]}\n"
        "    points: {tip: {position: [0.4, 0.1, 0, m]}}\n"
        "    shapes: {palm: {sphere: {radius: 0.5 m}}}\n"
        "    attached: {to: arm, position: [0.5, 0.6, 0.2, m], orientation: {axis: [0, 1, 3], angle: 70 deg}}\n"
        "  anchor: {motion: fixed, points: {hook: {position: [4, 4, 4, m]}}}\n"
        "  ball:\n"
        "    mass_properties: {mass: 1 kg, inertia: [0.1, 0.1, 0.1]}\n"
        "    shapes: {skin: {sphere: {radius: 0.5 m}}}\n"
        "    state: {of: tip, position: [0, 0, 0, m]}\n"
        "    points: {tip: {position: [0, 0, 0, m]}}\n"
        "links:\n"
        "  spring: {between: [hand.tip, anchor.hook], law: spring_damper, stiffness: 10 N/m, free_length: 1 m}\n"
        "loads:\n"
        "  push: {body: hand, at: tip, force: {constant: [1, 2, -2, N]}, torque: {constant: [0.1, 0, 0.3, N*m]}, axes: "
        "body}\n"
        "  other: {body: root, at: hook, force: {constant: [3, 0, 1, N]}}\n");
    fender_body_id hand, ball;
    check_ok(fender_body_find(world, "hand", &hand));
    check_ok(fender_body_find(world, "ball", &ball));
    fender_body_data data;
    check_ok(fender_body_get(world, hand, FENDER_CLOCK_COMMITTED, &data));
    fender_body_state place = {.position = fender_vec3_add(data.position, fender_vec3_make(0.6, 0.7, 0)),
                               .attitude = fender_quaternion_identity()};
    check_ok(fender_body_set_state(world, ball, &place, &error));
    fender_vec3 before[2] = {{0, 0, 0}, {0, 0, 0}}, force = {0, 0, 0}, torque = {0, 0, 0};
    fender_body_planet_data planet[3];
    fender_body_data at[3];
    const double h = 1e-5;
    for (int i = 0; i < 3; i++) {
        check_ok(fender_body_get_planet(world, hand, &planet[i]));
        check_ok(fender_body_get(world, hand, FENDER_CLOCK_COMMITTED, &at[i]));
        if (i == 1) {
            force = read_vector(world, "bodies.hand@arm.joint_force");
            torque = read_vector(world, "bodies.hand@arm.joint_torque");
            check_below(-100, -fender_vec3_length(force));
            check_below(1, read_one(world, "bodies.hand@ball.contact_force_magnitude"));
            check_below(1, read_one(world, "bodies.hand@anchor.force_magnitude"));
            before[0] = read_vector(world, "bodies.hand@ball.contact_force");
            before[1] = read_vector(world, "bodies.hand@anchor.force");
        }
        check_ok(fender_world_step(world, &error));
    }
    /* all in axes of inertial space */
    const fender_quaternion q = planet[1].inertial_attitude; /* q_IS of the hand; S and B of it are the same */
    fender_vec3 a = fender_vec3_scale(0.5 / h,
                                      fender_vec3_sub(planet[2].inertial_velocity, planet[0].inertial_velocity));
    fender_vec3 gravity = fender_quaternion_rotate(
        fender_quaternion_product(q, fender_quaternion_conjugate(at[1].attitude)), fender_vec3_make(1, 2, -3));
    fender_vec3 pushed = fender_quaternion_rotate(q, fender_vec3_make(1, 2, -2));
    fender_vec3 rest = fender_vec3_sub(fender_vec3_sub(a, gravity), pushed);
    rest = fender_vec3_sub(rest, fender_quaternion_rotate(q, fender_vec3_add(before[0], before[1])));
    check_vector(fender_quaternion_rotate(q, force), rest, 1e-6);
    fender_vec3 L[3];
    const fender_mat3 J = fender_mat3_diagonal(0.2, 0.3, 0.4);
    for (int i = 0; i < 3; i++)
        L[i] = fender_quaternion_rotate(planet[i].inertial_attitude,
                                        fender_mat3_times(&J, planet[i].inertial_angular_velocity));
    fender_vec3 rate = fender_quaternion_rotate(fender_quaternion_conjugate(q),
                                                fender_vec3_scale(0.5 / h, fender_vec3_sub(L[2], L[0])));
    fender_vec3 known = fender_vec3_add(fender_vec3_make(0.1, 0, 0.3),
                                        fender_vec3_cross(fender_vec3_make(0.4, 0.1, 0), fender_vec3_make(1, 2, -2)));
    known = fender_vec3_add(known, fender_vec3_cross(fender_vec3_make(0.4, 0.1, 0), before[1]));
    /* the contact acts through the centre of the palm, which is that of the hand */
    check_vector(torque, fender_vec3_sub(rate, known), 1e-6);
    fender_world_destroy(world);
}

/* ---- standing ---- */

/* A lander of 100 kg whose centre is 1.5 m above ground and 0.2 m off the middle of three feet on a circle of 2 m. */
#define LANDER(height, gravity)                                                                                \
    "fender: 1\n"                                                                                              \
    "world: {gravity: " gravity "}\n"                                                                          \
    "run: {until: 1 s}\n"                                                                                      \
    "contact_types: {pad: {law: spring_damper, stiffness: 1 MN/m}}\n"                                          \
    "rules: [{default: pad}]\n"                                                                                \
    "bodies:\n"                                                                                                \
    "  ground: {motion: fixed, shapes: {land: {plane: {}}}}\n"                                                 \
    "  lander:\n"                                                                                              \
    "    mass_properties: {mass: 100 kg, inertia: [50, 50, 50], center_of_mass: [0.2, 0, 1.5, m]}\n"           \
    "    shapes:\n"                                                                                            \
    "      foot: {sphere: {radius: 0.1 m}, position: [2, 0, 0.1, m], pattern: {count: 3, about: [0, 0, 1]}}\n" \
    "      nozzle: {cone: {radius: 0.3 m, height: 0.5 m}, position: [0, 0, 0.85, m]}\n"                        \
    "    state: {position: [7, 8, " height "]}\n"

static void three_legs(void **state)
{
    (void)state;
    const double depth = 1e-6;
    fender_world *world = world_of(LANDER("-1e-6 m", "[0, 0, -2, m/s^2]"));
    /* the inscribed circle has half the radius; the nearest edge is the one across from the foot at x = 2 m, at x = -1
     * m; the two others are 1 - 0.2 cos(60 deg) away */
    const double margin = 0.9, height = 1.5 - depth / 2; /* points lie in the middle of the overlap */
    check_near(read_one(world, "bodies.lander@ground.stability_margin"), margin, 1e-12);
    check_near(read_one(world, "bodies.lander@ground.support_points"), 3, 0);
    check_near(read_one(world, "bodies.lander@ground.tipping_energy"), 200 * (hypot(height, margin) - height), 1e-9);
    check_near(read_one(world, "bodies.lander@ground.clearance"), -depth, 1e-15);
    check_near(read_one(world, "shapes.lander.nozzle@ground.clearance"), 0.6 - depth, 1e-15);
    check_near(read_one(world, "shapes.lander.nozzle@ground.land.clearance"), 0.6 - depth, 1e-15);
    fender_world_destroy(world);
}

/* In the air, and without gravity, nothing stands. */
static void no_legs(void **state)
{
    (void)state;
    fender_world *world = world_of(LANDER("3 m", "[0, 0, -2, m/s^2]"));
    check_near(read_one(world, "bodies.lander@ground.stability_margin"), 0, 0);
    check_near(read_one(world, "bodies.lander@ground.tipping_energy"), 0, 0);
    check_near(read_one(world, "bodies.lander@ground.clearance"), 3, 1e-15);
    fender_world_destroy(world);
    world = world_of(LANDER("-1e-6 m", "none"));
    check_near(read_one(world, "bodies.lander@ground.stability_margin"), 0, 0);
    check_near(read_one(world, "bodies.lander@ground.support_points"), 3, 0);
    fender_world_destroy(world);
}

/* On a slope of 20 degrees the polygon is seen along gravity: the centre moves down the slope by 1.5 m sin(20 deg) and
 * the lower edge, across the slope at x = -1 m, is nearer. Then the ground is steeper, and the centre lies beyond. */
static void on_a_slope(void **state)
{
    (void)state;
    const double slope = 20 * 3.14159265358979323846 / 180, g = 2;
    char text[1600], gravity[80];
    snprintf(gravity, sizeof gravity, "[%.17g, 0, %.17g, m/s^2]", -g * sin(slope), -g * cos(slope));
    snprintf(text, sizeof text, "%s%s%s", "fender: 1\nworld: {gravity: ", gravity,
             strchr(LANDER("-1e-6 m", "X"), 'X') + 1);
    fender_world *world = world_of(text);
    const double margin = 1.2 * cos(slope) - 1.5 * sin(slope);
    check_near(read_one(world, "bodies.lander@ground.stability_margin"), margin, 1e-6);
    check_near(read_one(world, "bodies.lander@ground.tipping_energy"),
               100 * g * (hypot(1.5, 1.2) - (1.5 * cos(slope) + 1.2 * sin(slope))), 1e-3);
    fender_world_destroy(world);
    const double steep = 45 * 3.14159265358979323846 / 180;
    snprintf(gravity, sizeof gravity, "[%.17g, 0, %.17g, m/s^2]", -g * sin(steep), -g * cos(steep));
    snprintf(text, sizeof text, "%s%s%s", "fender: 1\nworld: {gravity: ", gravity,
             strchr(LANDER("-1e-6 m", "X"), 'X') + 1);
    world = world_of(text);
    check_near(read_one(world, "bodies.lander@ground.stability_margin"), -0.3 * sin(steep), 1e-6);
    check_near(read_one(world, "bodies.lander@ground.tipping_energy"), 0, 0);
    fender_world_destroy(world);
}

/* On two feet, and on one, the margin is minus the distance to the line and to the point. */
static void fewer_legs(void **state)
{
    (void)state;
    fender_world *world = world_of(LANDER("-1e-6 m", "[0, 0, -2, m/s^2]"));
    fender_body_id lander;
    fender_shape_id foot;
    check_ok(fender_body_find(world, "lander", &lander));
    check_ok(fender_shape_find(world, lander, "foot_1", &foot));
    check_ok(fender_shape_set_active(world, foot, false));
    check_ok(fender_world_step(world, &error));
    check_near(read_one(world, "bodies.lander@ground.support_points"), 2, 0);
    check_near(read_one(world, "bodies.lander@ground.stability_margin"), -1.2, 1e-3);
    check_near(read_one(world, "bodies.lander@ground.tipping_energy"), 0, 0);
    check_ok(fender_shape_find(world, lander, "foot_2", &foot));
    check_ok(fender_shape_set_active(world, foot, false));
    check_ok(fender_world_step(world, &error));
    check_near(read_one(world, "bodies.lander@ground.stability_margin"), -hypot(1.2, sqrt(3)), 1e-2);
    fender_world_destroy(world);
}

/* ---- standing on faces ---- */

/* A shape of 20 kg on ground; both have default patches. */
static fender_world *standing(const char *ground, const char *shape, double height, const char *axis, double angle)
{
    char text[1600];
    snprintf(text, sizeof text,
             "fender: 1\n"
             "world: {gravity: [0, 0, -2, m/s^2]}\n"
             "run: {until: 1 s}\n"
             "contact_types: {soft: {normal: {law: spring_damper, stiffness: 5 kN/m}}}\n"
             "rules: [{default: soft}]\n"
             "bodies:\n"
             "  g: {motion: fixed, shapes: {p: {%s}}}\n"
             "  a:\n"
             "    mass_properties: {mass: 20 kg, inertia: [2, 2, 2, kg*m^2]}\n"
             "    state: {position: [0, 0, %.17g, m], orientation: {axis: %s, angle: %.17g rad}}\n"
             "    shapes: {s: {%s}}\n",
             ground, height, axis, angle, shape);
    return world_of(text);
}

static double margin_on(const char *ground, const char *shape, double height, const char *axis, double angle)
{
    fender_world *world = standing(ground, shape, height, axis, angle);
    const double margin = read_one(world, "bodies.a@g.stability_margin");
    fender_world_destroy(world);
    return margin;
}

/* A cube of 1 m on its face stands on the corners of it, not on the points of its patch. Turned by no more than
 * rounding, some points coincide but for rounding, and the energy is the same: m g (hypot(h, 1/2) - h). */
static void a_cube_on_its_face(void **state)
{
    (void)state;
    static const char *const axes[] = {"[1, 0, 0]", "[0, 1, 0]", "[0.3, -1, 0.2]", "[0, 0, 1]"};
    const double h = 0.5 - 0.008 / 2; /* points lie in the middle of the overlap */
    const double energy = 40 * (hypot(h, 0.5) - h);
    for (int i = 0; i < 4; i++) {
        for (int k = -16; k <= -9; k++) {
            fender_world *world = standing("plane: {}", "box: {size: [1, 1, 1, m]}", 0.492, axes[i], pow(10, k));
            check_near(read_one(world, "bodies.a@g.stability_margin"), 0.5, 1e-8);
            check_near(read_one(world, "bodies.a@g.tipping_energy"), energy, 1e-6);
            check_near(read_one(world, "bodies.a@g.support_points"), 4, 0);
            fender_world_destroy(world);
        }
    }
    check_near(margin_on("plane: {}", "box: {size: [1, 1, 1, m]}, rounding: 1 cm", 0.502, "[0, 0, 1]", 0.1), 0.5,
               1e-12);
}

/* Two blocks in one place, one of which is 1 mm shorter: their corners lie above each other but for rounding. An edge
 * between them would stand upright, and turning about it raises nothing. */
static void corners_above_corners(void **state)
{
    (void)state;
    fender_world *world = standing("plane: {}",
                                   "box: {size: [1, 1, 1, m]}}, t: {box: {size: [1, 1, 0.999, m]}, position: [1e-12, "
                                   "1e-12, 0, m]",
                                   0.492, "[0, 0, 1]", 0);
    const double lower = 0.492 + 0.008 / 2 - 0.0005, upper = 0.496;
    const double least = 40 * (hypot(lower, 0.5) - lower), most = 40 * (hypot(upper, 0.5) - upper);
    check_near(read_one(world, "bodies.a@g.tipping_energy"), 0.5 * (least + most), fabs(least - most));
    fender_world_destroy(world);
}

/* Leaning by t about y, with its face under water from x = s m of it to 0.5 m: the polygon ends at the waterline, at
 * s cos t - sin(t) / 2, and at the lower edge. */
static void a_cube_that_leans(void **state)
{
    (void)state;
    const double t = 0.02, c = cos(t), s = sin(t);
    for (int i = -4; i <= 4; i++) {
        const double x = 0.1 * i, line = x * c - 0.5 * s;
        const double margin = margin_on("plane: {}", "box: {size: [1, 1, 1, m]}", x * s + 0.5 * c, "[0, 1, 0]", t);
        check_near(margin, fmin(-line, 0.5 * c - 0.5 * s), 1e-9);
    }
}

/* Rims are polygons of 128 sides. A cap that faces the ground stands on its rim, a round side on a line, on which
 * nothing stands. */
static void rims_and_round_sides(void **state)
{
    (void)state;
    const double rim = 0.3 * cos(3.14159265358979323846 / 128);
    check_near(margin_on("plane: {}", "cylinder: {radius: 0.3 m, length: 1 m}", 0.499, "[1, 0, 0]", 0), rim, 1e-12);
    check_near(margin_on("plane: {}", "cylinder: {radius: 0.3 m, length: 1 m}", 0.499, "[1, 0, 0]", 1e-14), rim, 1e-9);
    check_near(margin_on("box: {size: [4, 4, 2, m]}, position: [0, 0, -1, m]", "cylinder: {radius: 0.3 m, length: 1 m}",
                         0.499, "[1, 0, 0]", 0),
               rim, 1e-12);
    check_near(margin_on("plane: {}", "cylinder: {radius: 0.3 m, length: 1 m}", 0.299, "[1, 0, 0]", acos(-1) / 2), 0,
               1e-9);
    check_near(margin_on("plane: {}", "capsule: {radius: 0.3 m, length: 1 m}", 0.299, "[1, 0, 0]", acos(-1) / 2), 0,
               1e-9);
}

/* On a block of its size, as turned by 45 degrees, a cube stands on the octagon where the two overlap; on a narrower
 * block on that one's face. */
static void on_blocks(void **state)
{
    (void)state;
    const char *const cube = "box: {size: [1, 1, 1, m]}", *const axis = "[0, 0, 1]";
    const char *const block = "box: {size: [1, 1, 1, m]}, position: [0, 0, -0.5, m]";
    const double eighth = acos(-1) / 4;
    check_near(margin_on(block, cube, 0.492, axis, 0), 0.5, 1e-9);
    check_near(margin_on(block, cube, 0.492, axis, eighth), 0.5, 1e-9);
    check_near(margin_on("box: {size: [3, 0.4, 1, m]}, position: [0, 0, -0.5, m]", cube, 0.492, axis, eighth), 0.2,
               1e-9);
    check_near(margin_on("box: {size: [0.4, 0.4, 1, m]}, position: [0.1, 0, -0.5, m]", cube, 0.492, axis, 0), 0.1,
               1e-9);
}

/* Distances need no rule, and no contact type. Of what is not there, the status says so. */
static void without_rules(void **state)
{
    (void)state;
    fender_world *world = world_of("fender: 1\n"
                                   "run: {until: 1 s}\n"
                                   "bodies:\n"
                                   "  a: {motion: fixed, shapes: {hull: {box: {size: [2, 2, 2, m]}}}}\n"
                                   "  b:\n"
                                   "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                                   "    shapes: {hull: {box: {size: [2, 2, 2, m]}}, far: {sphere: {radius: 1 m}}}\n"
                                   "    state: {position: [5, 0, 0, m]}\n");
    check_near(read_one(world, "bodies.b@a.clearance"), 3, 1e-15);
    check_near(read_one(world, "shapes.b.far@a.hull.clearance"), 3, 1e-15);
    fender_interface_data data;
    fender_contact_force force;
    const fender_body_frame frame = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = fender_body_at(world, 1)};
    const fender_body_frame nowhere = {.kind = FENDER_BODY_FRAME_POINT};
    assert_int_equal(fender_body_get_interface(world, frame, frame.body, &data), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_body_get_interface(world, frame, (fender_body_id){0}, &data), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_body_get_interface(world, nowhere, frame.body, &data), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_body_get_interface(NULL, frame, frame.body, &data), FENDER_STATUS_ARGUMENT);
    check_ok(fender_body_get_interface(world, frame, fender_body_at(world, 0), &data));
    check_near(data.force_magnitude, 0, 0);
    assert_int_equal(fender_contact_forces(world, 0, &force, 1), 0);
    assert_int_equal(fender_contact_forces(NULL, 0, &force, 1), 0);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_of_a_pushed_pair),
        cmocka_unit_test(joint_of_a_pair_that_turns),
        cmocka_unit_test(joint_of_a_pair_that_spins),
        cmocka_unit_test(joint_of_a_cantilever),
        cmocka_unit_test(joint_from_the_motion),
        cmocka_unit_test(three_legs),
        cmocka_unit_test(no_legs),
        cmocka_unit_test(on_a_slope),
        cmocka_unit_test(fewer_legs),
        cmocka_unit_test(a_cube_on_its_face),
        cmocka_unit_test(corners_above_corners),
        cmocka_unit_test(a_cube_that_leans),
        cmocka_unit_test(rims_and_round_sides),
        cmocka_unit_test(on_blocks),
        cmocka_unit_test(without_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
