/* MuJoCo reads the same files, and is asked for every mass, centre, inertia, pose and length. It shares no code with
 * ours. Models are random, and of every kind of element that both read. */
#ifdef WITH_MUJOCO
#include "model_test.h"

#include <mujoco/mujoco.h>

#include <string.h>

/* ---- random text */

typedef struct maker {
    char text[1 << 16];
    size_t length;
    uint64_t state;
    int bodies, geoms, joints, depth;
    bool urdf;
} maker;

static double uniform(maker *m) /* -1 to 1 */
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(m->state >> 11) * 0x1p-52 - 1;
}

static int pick(maker *m, int count)
{
    int i = (int)((uniform(m) + 1) / 2 * count);
    return i < count ? i : count - 1;
}

__attribute__((format(printf, 2, 3))) static void say(maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(m->text + m->length, sizeof m->text - m->length, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof m->text - m->length);
    m->length += (size_t)length;
}

static void say_numbers(maker *m, const char *name, int count, double scale, double least)
{
    say(m, " %s=\"", name);
    for (int i = 0; i < count; i++)
        say(m, "%s%.17g", i ? " " : "", scale * (least > 0 ? least + fabs(uniform(m)) : uniform(m)));
    say(m, "\"");
}

/* A tensor that is possible: of a few point masses. */
static void say_inertia(maker *m, double t[6]) /* xx yy zz xy xz yz */
{
    for (int i = 0; i < 6; i++) t[i] = 0;
    for (int i = 0; i < 5; i++) {
        double r[3] = {uniform(m), uniform(m), uniform(m)}, square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        for (int k = 0; k < 3; k++) t[k] += square - r[k] * r[k];
        t[3] -= r[0] * r[1];
        t[4] -= r[0] * r[2];
        t[5] -= r[1] * r[2];
    }
}

static void say_orientation(maker *m, bool degrees)
{
    double turn = degrees ? 180 : 3;
    switch (pick(m, 6)) {
    case 0: say_numbers(m, "quat", 4, 1, 0); break;
    case 1:
        say(m, " axisangle=\"%.17g %.17g %.17g %.17g\"", uniform(m), uniform(m), 0.3 + fabs(uniform(m)),
            turn * uniform(m));
        break;
    case 2: say_numbers(m, "xyaxes", 6, 1, 0); break;
    case 3: say_numbers(m, "zaxis", 3, 1, 0); break;
    case 4: say_numbers(m, "euler", 3, turn, 0); break;
    default: break;
    }
}

static void say_geom(maker *m, bool degrees, bool massive)
{
    static const char *const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
    static const int lengths[] = {1, 2, 3, 2, 3};
    int type = pick(m, 5);
    bool ends = type > 0 && pick(m, 3) == 0;
    say(m, "<geom name=\"g%d\" type=\"%s\"", m->geoms++, types[type]);
    say_numbers(m, "size", ends ? 1 : lengths[type], 0.3, 0.1);
    if (ends) say_numbers(m, "fromto", 6, 1, 0);
    else if (pick(m, 3) == 0) say(m, " class=\"turned\"");
    else {
        say_numbers(m, "pos", 3, 1, 0);
        say_orientation(m, degrees);
    }
    if (!massive && pick(m, 3) == 0) say(m, " mass=\"0\"");
    else if (pick(m, 2)) say_numbers(m, "mass", 1, 5, 0.2);
    else if (pick(m, 2)) say_numbers(m, "density", 1, 1500, 0.2);
    say(m, "/>\n");
}

static void say_body(maker *m, bool degrees)
{
    say(m, "<body name=\"b%d\"", m->bodies++);
    if (pick(m, 3)) say_numbers(m, "pos", 3, 2, 0);
    say_orientation(m, degrees);
    if (pick(m, 4) == 0) say(m, " childclass=\"soft\"");
    say(m, ">\n");
    int joints = pick(m, 3);
    if (m->depth == 0 && pick(m, 2)) say(m, "<freejoint/>\n");
    else
        for (int i = 0; i < joints; i++) {
            say(m, "<joint name=\"q%d\" type=\"%s\"", m->joints++, pick(m, 2) ? "hinge" : "slide");
            say_numbers(m, "pos", 3, 1, 0);
            say(m, " axis=\"%.17g %.17g 1\" ref=\"%.3f\"/>\n", uniform(m), uniform(m), uniform(m));
        }
    if (pick(m, 3) == 0) {
        double t[6];
        say_inertia(m, t);
        say(m, "<inertial mass=\"%.17g\"", 0.5 + fabs(uniform(m)));
        say_numbers(m, "pos", 3, 1, 0);
        if (pick(m, 2))
            say(m, " fullinertia=\"%.17g %.17g %.17g %.17g %.17g %.17g\"/>\n", t[0], t[1], t[2], t[3], t[4], t[5]);
        else {
            double a = 1 + fabs(uniform(m)), b = 1 + fabs(uniform(m));
            say_orientation(m, degrees);
            say(m, " diaginertia=\"%.17g %.17g %.17g\"/>\n", a, b, 0.5 * (a + b));
        }
    }
    int geoms = 1 + pick(m, 3);
    for (int i = 0; i < geoms; i++) say_geom(m, degrees, i == 0);
    m->depth++;
    while (m->depth < 4 && m->bodies < 12 && pick(m, 2)) say_body(m, degrees);
    m->depth--;
    say(m, "</body>\n");
}

static void make_mjcf(maker *m)
{
    static const char *const sequences[] = {"xyz", "zyx", "XYZ", "zXz", "yzX"};
    bool degrees = pick(m, 2);
    m->urdf = false;
    say(m, "<mujoco model=\"random\">\n<compiler angle=\"%s\" eulerseq=\"%s\"%s/>\n", degrees ? "degree" : "radian",
        sequences[pick(m, 5)], pick(m, 4) ? "" : " settotalmass=\"20\"");
    say(m,
        "<default><geom density=\"700\"/><default class=\"soft\"><geom density=\"300\"/><default class=\"turned\">"
        "<geom pos=\"0.1 0.2 0.3\" euler=\"%s\"/></default></default></default>\n<worldbody>\n",
        degrees ? "10 20 30" : "0.1 0.2 0.3");
    say(m, "<geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>\n");
    int count = 1 + pick(m, 3);
    for (int i = 0; i < count; i++) say_body(m, degrees);
    say(m, "</worldbody>\n</mujoco>\n");
}

static void make_urdf(maker *m)
{
    static const char *const types[] = {"fixed", "revolute", "continuous", "prismatic"};
    int count = 2 + pick(m, 8);
    m->urdf = true;
    say(m, "<robot name=\"random\">\n<mujoco><compiler fusestatic=\"false\" balanceinertia=\"false\"/></mujoco>\n");
    for (int i = 0; i < count; i++) {
        double t[6];
        say_inertia(m, t);
        say(m, "<link name=\"b%d\"><inertial><origin", i);
        say_numbers(m, "xyz", 3, 1, 0);
        say_numbers(m, "rpy", 3, 3, 0);
        say(m,
            "/><mass value=\"%.17g\"/><inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" "
            "iyz=\"%.17g\"/></inertial>\n",
            1 + fabs(uniform(m)), t[0], t[1], t[2], t[3], t[4], t[5]);
        for (int k = pick(m, 3); k > 0; k--) {
            int type = pick(m, 3);
            say(m, "<collision name=\"g%d\"><origin", m->geoms++);
            say_numbers(m, "xyz", 3, 1, 0);
            say_numbers(m, "rpy", 3, 3, 0);
            say(m, "/><geometry><%s", type == 0 ? "box" : type == 1 ? "sphere" : "cylinder");
            if (type == 0) say_numbers(m, "size", 3, 1, 0.1);
            else say_numbers(m, "radius", 1, 1, 0.1);
            if (type == 2) say_numbers(m, "length", 1, 1, 0.1);
            say(m, "/></geometry></collision>\n");
        }
        say(m, "</link>\n");
    }
    for (int i = 1; i < count; i++) {
        say(m, "<joint name=\"j%d\" type=\"%s\"><parent link=\"b%d\"/><child link=\"b%d\"/><origin", i,
            types[pick(m, 4)], pick(m, i), i);
        say_numbers(m, "xyz", 3, 1, 0);
        say_numbers(m, "rpy", 3, 3, 0);
        say(m, "/><axis");
        say_numbers(m, "xyz", 3, 1, 0.1);
        say(m, "/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\n");
    }
    say(m, "</robot>\n");
}

/* ---- comparison */

typedef struct score {
    double mass, center, inertia, product, pose, shape; /* largest relative differences */
    int bodies, shapes;
} score;

static void worse(double *to, double difference, double scale)
{
    if (!(difference <= *to * scale)) *to = difference / scale;
}

/* Ours in MuJoCo's principal axes. Those leave out products of inertia below 1e-6 or so, so that the moments agree to
 * rounding, and the products are that small. */
static void compare_tensor(const mjModel *model, int body, const fender_mat3 *ours, score *s)
{
    const mjtNum *q = model->body_iquat + 4 * body, *d = model->body_inertia + 3 * body;
    fender_quaternion quaternion = {q[0], q[1], q[2], q[3]};
    fender_mat3 r = fender_quaternion_matrix(quaternion), t = fender_mat3_transpose(&r);
    fender_mat3 half = fender_mat3_product(&t, ours), full = fender_mat3_product(&half, &r);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worse(i == j ? &s->inertia : &s->product, fabs(full.m[i][j] - (i == j ? d[i] : 0)), d[0] + d[1] + d[2]);
}

static double rotation_gap(const fender_mat3 *a, const mjtNum *b)
{
    double most = 0;
    for (int i = 0; i < 9; i++) most = larger(most, fabs(a->m[i / 3][i % 3] - b[i]));
    return most;
}

/* The same, up to turns that leave a box as it is: R_a^T R_b is diagonal. */
static double axes_gap(const fender_mat3 *a, const mjtNum *b)
{
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int k = 0; k < 3; k++) dot += a->m[k][i] * b[3 * k + j];
            most = larger(most, i == j ? fabs(fabs(dot) - 1) : fabs(dot));
        }
    return most;
}

static void compare_bodies(const mjModel *model, const mjData *data, const fender_world *world, score *s)
{
    for (int i = 1; i < model->nbody; i++) {
        const mjtNum *p = data->xpos + 3 * i, *c = model->body_ipos + 3 * i;
        fender_body_id id = body_named(world, mj_id2name(model, mjOBJ_BODY, i));
        fender_mass_properties mass;
        fender_body_data body;
        assert_int_equal(fender_body_get_mass(world, id, FENDER_MASS_CORE, &mass), FENDER_STATUS_OK);
        assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &body), FENDER_STATUS_OK);
        worse(&s->mass, fabs(mass.mass - model->body_mass[i]), model->body_mass[i]);
        fender_vec3 center = {c[0], c[1], c[2]}, place = {p[0], p[1], p[2]};
        worse(&s->center, fender_vec3_length(fender_vec3_sub(mass.center_of_mass, center)), 1);
        fender_mat3 r = fender_quaternion_matrix(body.attitude);
        compare_tensor(model, i, &mass.inertia, s);
        worse(&s->pose, fender_vec3_length(fender_vec3_sub(body.position, place)), 1);
        worse(&s->pose, rotation_gap(&r, data->xmat + 9 * i), 1);
        s->bodies++;
    }
}

/* MuJoCo names no geoms of URDF: the one of the same number in its body. */
static fender_shape_id shape_numbered(const fender_world *world, fender_body_id body, int number)
{
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_id id = fender_shape_at(world, i);
        if (fender_shape_body(world, id).index1 == body.index1 && number-- == 0) return id;
    }
    fail();
    return (fender_shape_id){0};
}

static fender_shape_id shape_named(const fender_world *world, const char *name)
{
    for (int i = 0; i < fender_shape_count(world); i++)
        if (strcmp(fender_shape_name(world, fender_shape_at(world, i)), name) == 0) return fender_shape_at(world, i);
    print_error("no shape '%s'\n", name);
    fail();
    return (fender_shape_id){0};
}

static void compare_shapes(const mjModel *model, const mjData *data, const fender_world *world, score *s)
{
    for (int i = 0; i < model->ngeom; i++) {
        const mjtNum *size = model->geom_size + 3 * i, *p = data->geom_xpos + 3 * i, *m = data->geom_xmat + 9 * i;
        const char *name = mj_id2name(model, mjOBJ_GEOM, i);
        int of = model->geom_bodyid[i];
        fender_shape_id id = name ? shape_named(world, name)
                                  : shape_numbered(world, body_named(world, mj_id2name(model, mjOBJ_BODY, of)),
                                                   i - model->body_geomadr[of]);
        fender_shape_def shape;
        fender_body_data body;
        assert_int_equal(fender_shape_get_def(world, id, &shape), FENDER_STATUS_OK);
        assert_int_equal(fender_body_get(world, fender_shape_body(world, id), FENDER_CLOCK_COMMITTED, &body),
                         FENDER_STATUS_OK);
        fender_pose X = fender_pose_product((fender_pose){body.position, body.attitude}, shape.X_SG);
        fender_mat3 r = fender_quaternion_matrix(X.q);
        const fender_geometry *g = shape.geometry;
        fender_vec3 half = fender_geometry_half_extents(g), place = {p[0], p[1], p[2]};
        double z = fabs(r.m[0][2] * m[2] + r.m[1][2] * m[5] + r.m[2][2] * m[8]) - 1;
        worse(&s->shape, fender_vec3_length(fender_vec3_sub(X.p, place)), 1);
        switch (model->geom_type[i]) {
        case mjGEOM_PLANE:
            assert_int_equal(fender_geometry_type_of(g), FENDER_GEOMETRY_PLANE);
            worse(&s->shape, rotation_gap(&r, m), 1);
            break;
        case mjGEOM_SPHERE:
            assert_int_equal(fender_geometry_type_of(g), FENDER_GEOMETRY_SPHERE);
            worse(&s->shape, fabs(fender_geometry_radius(g) - size[0]), size[0]);
            break;
        case mjGEOM_CAPSULE:
        case mjGEOM_CYLINDER:
            assert_int_equal(fender_geometry_type_of(g), model->geom_type[i] == mjGEOM_CAPSULE
                                                             ? FENDER_GEOMETRY_CAPSULE
                                                             : FENDER_GEOMETRY_CYLINDER);
            worse(&s->shape, fabs(fender_geometry_radius(g) - size[0]), size[0]);
            worse(&s->shape, fabs(fender_geometry_half_length(g) - size[1]), size[1]);
            worse(&s->shape, fabs(z), 1);
            break;
        case mjGEOM_BOX:
        case mjGEOM_ELLIPSOID:
            assert_int_equal(fender_geometry_type_of(g),
                             model->geom_type[i] == mjGEOM_BOX ? FENDER_GEOMETRY_BOX : FENDER_GEOMETRY_ELLIPSOID);
            worse(&s->shape, fabs(half.x - size[0]), size[0]);
            worse(&s->shape, fabs(half.y - size[1]), size[1]);
            worse(&s->shape, fabs(half.z - size[2]), size[2]);
            worse(&s->shape, axes_gap(&r, m), 1);
            break;
        default: break; /* MuJoCo moves the axes of meshes */
        }
        s->shapes++;
    }
}

static mjModel *read_by_mujoco(const char *name, const char *text)
{
    char message[1000] = "";
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    mjModel *model = mj_loadXML(name, NULL, message, sizeof message);
    if (!model) print_error("MuJoCo: %s\n%s\n", message, text);
    assert_non_null(model);
    return model;
}

enum { JOINTS = 64 };

/* All joints of one degree of freedom away from where the file has them. */
static int displace(const mjModel *model, mjData *data, maker *m, fender_model_joint joints[JOINTS])
{
    int count = 0;
    for (int i = 0; i < model->njnt; i++) {
        if (model->jnt_type[i] != mjJNT_HINGE && model->jnt_type[i] != mjJNT_SLIDE) continue;
        assert_true(count < JOINTS);
        joints[count] = (fender_model_joint){mj_id2name(model, mjOBJ_JOINT, i), uniform(m), NULL};
        data->qpos[model->jnt_qposadr[i]] = model->qpos0[model->jnt_qposadr[i]] + joints[count].position;
        count++;
    }
    return count;
}

static void compare(const char *name, const char *text, maker *m, score *s)
{
    static collection c;
    fender_model_joint joints[JOINTS];
    fender_model_import options = fender_model_import_default();
    mjModel *model = read_by_mujoco(name, text);
    mjData *data = mj_makeData(model);
    options.joints = joints;
    if (m && pick(m, 2)) options.joint_count = displace(model, data, m, joints);
    mj_kinematics(model, data);
    fender_model_file *ours = import_text(name, text, &options, &c);
    fender_world *world = world_of(ours);
    score before = *s;
    compare_bodies(model, data, world, s);
    compare_shapes(model, data, world, s);
    if (larger(before.inertia, before.pose) < 1e-9 &&
        larger(larger(s->inertia, s->pose), larger(s->shape, s->center)) > 1e-9)
        print_error("differs: %s\n%s\n", text, fender_model_file_scenario(ours, NULL));
    fender_world_destroy(world);
    fender_model_file_destroy(ours);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* Rounding of a few products of rotations along a chain of bodies. */
static void check_score(const char *what, const score *s)
{
    printf("%s: %d bodies, %d shapes; mass %.1e, centre %.1e m, moments %.1e, products %.1e, pose %.1e, shapes %.1e\n",
           what, s->bodies, s->shapes, s->mass, s->center, s->inertia, s->product, s->pose, s->shape);
    check_below(s->mass, 1e-12);
    check_below(s->center, 1e-12);
    check_below(s->inertia, 1e-12);
    check_below(s->product, 1e-6);
    check_below(s->pose, 1e-12);
    check_below(s->shape, 1e-12);
}

static void random_models(bool urdf, int count, const char *what)
{
    static maker m;
    score s = {0};
    for (int i = 0; i < count; i++) {
        m = (maker){.state = 77 + (uint64_t)i * 1000003};
        if (urdf) make_urdf(&m);
        else make_mjcf(&m);
        compare(urdf ? "random.urdf" : "random.xml", m.text, &m, &s);
    }
    check_score(what, &s);
    assert_true(s.bodies > 2 * count && s.shapes > 2 * count);
}

static void random_mjcf(void **state)
{
    (void)state;
    random_models(false, 60, "60 models in MJCF");
}

static void random_urdf(void **state)
{
    (void)state;
    random_models(true, 40, "40 models in URDF");
}

/* ---- meshes: MuJoCo keeps their vertices in 32 bits */

static void meshes(void **state)
{
    (void)state;
    score s = {0};
    static const char text[] =
        "<mujoco><compiler exactmeshinertia=\"true\"/><asset>"
        "<mesh name=\"wedge\" vertex=\"0 0 0  1 0 0  0 2 0  0 0 1  1 0 1  0 2 1\" scale=\"0.5 0.25 1\"/>"
        "<mesh name=\"turned\" vertex=\"0 0 0  1 0 0  0 2 0  0 0 3\" face=\"0 2 1  0 1 3  0 3 2  1 2 3\" "
        "refpos=\"0.1 0.2 0.3\" refquat=\"1 0.5 0.25 0\" scale=\"0.2 0.2 0.2\"/></asset><worldbody>"
        "<body name=\"a\" pos=\"1 2 3\"><freejoint/><geom type=\"mesh\" mesh=\"wedge\" pos=\"0.1 0 0.2\" quat=\"1 2 3 "
        "4\"/></body>"
        "<body name=\"b\"><freejoint/><geom type=\"mesh\" mesh=\"turned\" mass=\"3\" euler=\"10 20 30\"/></body>"
        "</worldbody></mujoco>";
    mjModel *model = read_by_mujoco("mesh.xml", text);
    mjData *data = mj_makeData(model);
    static collection c;
    mj_kinematics(model, data);
    fender_model_file *ours = import_text("mesh.xml", text, NULL, &c);
    fender_world *world = world_of(ours);
    compare_bodies(model, data, world, &s);
    printf("meshes: mass %.1e, centre %.1e m, moments %.1e\n", s.mass, s.center, s.inertia);
    check_below(larger(s.mass, larger(s.center, s.inertia)), 1e-6);
    check_below(s.pose, 1e-12);
    fender_world_destroy(world);
    fender_model_file_destroy(ours);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* Unless told not to, MuJoCo counts concave parts twice, and weighs the box of the same moments; a note has the factor.
 */
static void concave_mesh(void **state)
{
    (void)state;
    static collection c;
    static const char text[] =
        "<mujoco><asset>"
        "<mesh name='l' vertex='0 0 0  4 0 0  4 1 0  1 1 0  1 4 0  0 4 0  0 0 1  4 0 1  4 1 1  1 1 1  1 4 1  0 4 1' "
        "face='0 2 1  0 3 2  0 4 3  0 5 4  6 7 8  6 8 9  6 9 10  6 10 11  0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  2 9 8  "
        "3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11'/></asset><worldbody><body name='a'><freejoint/>"
        "<geom type='mesh' mesh='l' density='1'/></body></worldbody></mujoco>";
    mjModel *model = read_by_mujoco("l.xml", text);
    fender_model_file *ours = import_text("l.xml", text, NULL, &c);
    const char *at = NULL;
    for (int i = 0; i < c.count && !at; i++) at = strstr(c.list[i].message, "mesh 'l' has ");
    assert_non_null(at);
    check_near(strtod(at + strlen("mesh 'l' has "), NULL), model->body_mass[1] / 7, 1e-4);
    fender_model_file_destroy(ours);
    mj_deleteModel(model);
}

/* ---- motion: free fall of a turning body, a ball until it touches */

static double motion_gap(double step)
{
    static collection c;
    char text[2000];
    snprintf(text, sizeof text,
             "<mujoco><option timestep=\"%.17g\" integrator=\"RK4\" gravity=\"0.3 0 -9.81\"/><worldbody>"
             "<geom type=\"plane\" size=\"1 1 1\"/>"
             "<body name=\"block\" pos=\"1 2 9\" euler=\"10 20 30\"><freejoint/>"
             "<geom type=\"box\" size=\"0.1 0.2 0.4\" pos=\"0.1 0 0\"/>"
             "<body name=\"tip\" pos=\"0 0 0.5\"><geom type=\"sphere\" size=\"0.1\"/></body></body>"
             "<body name=\"ball\" pos=\"0 0 1\"><freejoint/><geom type=\"sphere\" size=\"0.2\"/></body></worldbody>"
             "<keyframe><key name=\"start\" qpos=\"1 2 9 1 0.2 0.3 0.1 0 0 1 1 0 0 0\" "
             "qvel=\"1 0 2 1 2 -1 0 0 0 0 0 0\"/></keyframe></mujoco>",
             step);
    mjModel *model = read_by_mujoco("motion.xml", text);
    mjData *data = mj_makeData(model);
    mj_resetDataKeyframe(model, data, 0);
    fender_model_import options = fender_model_import_default();
    options.keyframe = "start";
    fender_model_file *ours = import_text("motion.xml", text, &options, &c);
    fender_world *world = world_of(ours);
    double most = 0;
    for (int i = 0; i < (int)(0.4 / step + 0.5); i++) { /* the ball touches at 0.404 s */
        mj_step(model, data);
        check_ok(fender_world_step(world, &error));
    }
    mj_kinematics(model, data);
    const char *const names[] = {"block", "tip", "ball"};
    for (int i = 0; i < 3; i++) {
        int number = mj_name2id(model, mjOBJ_BODY, names[i]);
        const mjtNum *p = data->xpos + 3 * number;
        fender_body_data body;
        assert_int_equal(fender_body_get(world, body_named(world, names[i]), FENDER_CLOCK_COMMITTED, &body),
                         FENDER_STATUS_OK);
        fender_mat3 r = fender_quaternion_matrix(body.attitude);
        fender_vec3 place = {p[0], p[1], p[2]};
        most = larger(most, fender_vec3_length(fender_vec3_sub(body.position, place)));
        most = larger(most, rotation_gap(&r, data->xmat + 9 * number));
    }
    fender_world_destroy(world);
    fender_model_file_destroy(ours);
    mj_deleteData(data);
    mj_deleteModel(model);
    return most;
}

static void free_motion(void **state)
{
    (void)state;
    /* MuJoCo advances quaternions to second order, ours are of fourth: the difference falls with the square of the step
     */
    double coarse = motion_gap(1e-3), fine = motion_gap(1e-4);
    printf("free motion for 0.4 s: differs by %.1e at 1 ms, %.1e at 0.1 ms (m, and elements of rotation matrices)\n",
           coarse, fine);
    check_below(coarse, 1e-6);
    check_below(fine, 0.02 * coarse);
}

/* ---- contacts of linked bodies */

/* "name_on_world: .. with the reduced mass M kg" */
static double mass_on_world(const fender_model_file *ours, const char *name)
{
    char head[80];
    snprintf(head, sizeof head, "\n  %s_on_world:", name);
    const char *at = strstr(fender_model_file_scenario(ours, NULL), head);
    assert_non_null(at);
    at = strstr(at, "reduced mass ");
    assert_non_null(at);
    return strtod(at + strlen("reduced mass "), NULL);
}

/* A chain with every kind of joint, and a branch; on a body that is free, planar, or fixed. */
static void make_tree(maker *m, int root)
{
    static const char *const roots[] = {
        "<freejoint/>", "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><joint axis='0 1 0'/>",
        "<joint axis='0.6 0 0.8'/>"};
    static const char *const joints[] = {"<joint type='ball' pos='0.1 0 0'/>", "<joint type='slide' axis='0 0.6 0.8'/>",
                                         "<joint axis='0 0 1' pos='0 0.2 0'/><joint axis='1 0 0' pos='0 0.2 0'/>"};
    say(m, "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b0' pos='1 2 3'>%s", roots[root]);
    for (int i = 0; i < 5; i++) {
        if (i > 0) {
            if (i == 4) say(m, "</body></body>");
            say(m, "<body name='b%d'", i);
            say_numbers(m, "pos", 3, 1, 0);
            say_numbers(m, "quat", 4, 1, 0);
            say(m, ">%s", joints[(i + root) % 3]);
        }
        say(m, "<geom type='box'");
        say_numbers(m, "size", 3, 0.2, 0.2);
        say_numbers(m, "pos", 3, 0.3, 0);
        say_numbers(m, "mass", 1, 3, 0.05);
        say(m, "/>");
    }
    say(m, "</body></body></body></worldbody></mujoco>");
}

/* The contact of a linked body meets the mass that MuJoCo's regularisation has, of all that the joints pass on. Ours
 * lumps nothing: it differs by rounding. */
static void masses_met(void **state)
{
    (void)state;
    static collection c;
    static maker m;
    double most = 0;
    for (int i = 0; i < 12; i++) {
        fender_model_import options = fender_model_import_default();
        m = (maker){.state = 5 + (uint64_t)i * 1000003};
        make_tree(&m, i % 3);
        options.bushings = true;
        mjModel *model = read_by_mujoco("tree.xml", m.text);
        fender_model_file *ours = import_text("tree.xml", m.text, &options, &c);
        for (int k = i % 3 == 0 ? 0 : 1; k < 5; k++) { /* a body of the world does not touch it in both programs */
            char name[8];
            snprintf(name, sizeof name, "b%d", k);
            const double wanted = 1 / model->body_invweight0[2 * mj_name2id(model, mjOBJ_BODY, name)];
            most = larger(most, fabs(mass_on_world(ours, name) / wanted - 1));
        }
        fender_model_file_destroy(ours);
        mj_deleteModel(model);
    }
    printf("masses that contacts meet: %.1e\n", most);
    check_below(most, 1e-9);
}

/* A trunk of 40 kg stands on feet of 0.1 kg. With an impedance of 0.01, MuJoCo's contact is a spring to 1 %: the feet
 * are as deep, and 1 % is left. The trunk hangs lower by what the joints yield under its weight on one corner: some 2
 * mm. */
static void standing(void **state)
{
    (void)state;
    static collection c;
    static maker m;
    static const char *const corners[] = {"0.3 0.2", "-0.3 0.2", "0.3 -0.2", "-0.3 -0.2"};
    fender_model_import options = fender_model_import_default();
    m = (maker){.length = 0};
    say(&m,
        "<mujoco><option timestep='0.0001'/><default><geom solimp='0.01 0.01 0.001' condim='1'/></default><worldbody>"
        "<geom type='plane' size='5 5 1'/><body name='trunk' pos='0 0 0.345'><freejoint/>"
        "<geom type='box' size='0.3 0.2 0.05' mass='40'/>");
    for (int i = 0; i < 4; i++)
        say(&m,
            "<body name='f%d' pos='%s -0.3'><joint axis='0 1 0' stiffness='2' damping='0.02'/>"
            "<geom size='0.05' mass='0.1'/></body>",
            i, corners[i]);
    say(&m, "</body></worldbody></mujoco>");
    options.bushings = true;
    mjModel *model = read_by_mujoco("standing.xml", m.text);
    mjData *data = mj_makeData(model);
    fender_model_file *ours = import_text("standing.xml", m.text, &options, &c);
    fender_world *world = world_of(ours);
    while (data->time < 0.4) mj_step(model, data);
    check_ok(fender_world_advance_to(world, 0.4, &error));
    double heights[5];
    const char *const names[] = {"trunk", "f0", "f1", "f2", "f3"};
    for (int i = 0; i < 5; i++) {
        fender_body_data body;
        assert_int_equal(fender_body_get(world, body_named(world, names[i]), FENDER_CLOCK_COMMITTED, &body),
                         FENDER_STATUS_OK);
        heights[i] = data->xpos[3 * mj_name2id(model, mjOBJ_BODY, names[i]) + 2];
        printf("%s: %.6f m, MuJoCo %.6f m\n", names[i], body.position.z, heights[i]);
        if (i == 0) check_near(heights[0] - body.position.z, 1e-4, 1e-4);
        else check_near((0.05 - body.position.z) / (0.05 - heights[i]), 1, 0.015);
    }
    fender_world_destroy(world);
    fender_model_file_destroy(ours);
    mj_deleteData(data);
    mj_deleteModel(model);
}

/* A foot on a spring that is faster than 100 rad/s swings from 0.5 rad below a falling trunk: the locked directions,
 * which differ from MuJoCo's joint as their rate to the power of -2, follow it. With 100 rad/s, 5 mm were missing. */
static void stiff_joint(void **state)
{
    (void)state;
    static collection c;
    static const char text[] =
        "<mujoco><option integrator='RK4' timestep='1e-4'/><worldbody><body name='trunk' pos='0 0 2'><freejoint/>"
        "<inertial pos='0 0 0' mass='6' diaginertia='0.1 0.2 0.2'/><body name='foot' pos='0.3 0 -0.2'>"
        "<joint name='j' axis='0 1 0' stiffness='60' damping='0.5'/>"
        "<inertial pos='0.08 0 0' mass='0.5' diaginertia='0.0005 0.0008 0.0008'/></body></body></worldbody></mujoco>";
    fender_model_joint placed = {"j", 0.5, NULL};
    fender_model_import options = fender_model_import_default();
    options.bushings = true;
    options.joints = &placed;
    options.joint_count = 1;
    mjModel *model = read_by_mujoco("stiff.xml", text);
    mjData *data = mj_makeData(model);
    fender_model_file *ours = import_text("stiff.xml", text, &options, &c);
    fender_world *world = world_of(ours);
    double most = 0;
    data->qpos[7] = 0.5;
    for (int i = 1; i <= 20; i++) {
        while (data->time < 0.01 * i - 1e-9) mj_step(model, data);
        mj_kinematics(model, data);
        check_ok(fender_world_advance_to(world, 0.01 * i, &error));
        fender_body_data body;
        assert_int_equal(fender_body_get(world, body_named(world, "foot"), FENDER_CLOCK_COMMITTED, &body),
                         FENDER_STATUS_OK);
        const mjtNum *p = data->xpos + 3 * mj_name2id(model, mjOBJ_BODY, "foot");
        const fender_vec3 place = {p[0], p[1], p[2]};
        most = larger(most, fender_vec3_length(fender_vec3_sub(body.position, place)));
    }
    printf("foot on a stiff joint: differs by %.2e m in 0.2 s\n", most);
    check_below(most, 1e-3);
    fender_world_destroy(world);
    fender_model_file_destroy(ours);
    mj_deleteData(data);
    mj_deleteModel(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(concave_mesh), cmocka_unit_test(stiff_joint),
                                       cmocka_unit_test(masses_met),   cmocka_unit_test(standing),
                                       cmocka_unit_test(random_mjcf),  cmocka_unit_test(random_urdf),
                                       cmocka_unit_test(meshes),       cmocka_unit_test(free_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
#include <stdio.h>

int main(void)
{
    printf("skipped: MuJoCo (libmujoco-dev) or expat is missing\n");
    return 77;
}
#endif
