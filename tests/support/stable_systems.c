/* Chains along x between two walls have dampers in proportion to their springs, so that their modes are those of the
 * undamped chain: frequencies from the eigenvalues of the matrix M^-1/2 K M^-1/2, damping ratios w c / 2 k. Spheres
 * rest where their normal force is their weight; a disturbance of a nanometre per second is followed through real
 * steps. */
#include "stable_systems.h"

#include "check.h"
#include "random_numbers.h"
#include <fender/fender.h>
#include <fender/law.h>
#include <string.h>

enum { MOST_MASSES = 6, STEPS = 400 };
static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                   FENDER_INTEGRATOR_VELOCITY_VERLET};

static fender_world *new_world(fender_integrator_method method, double step, double gravity, bool located)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    def.locate_events = located;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -gravity);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    return world;
}

static fender_body_id add_body(fender_world *world, const char *name, double mass, double inertia, fender_vec3 p)
{
    fender_body_def body = fender_body_def_default();
    fender_body_id id;
    body.name = name;
    body.motion = mass > 0 ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
    body.mass_properties.mass = mass > 0 ? mass : 1;
    body.mass_properties.inertia = fender_mat3_diagonal(inertia, inertia, inertia);
    body.state.position = p;
    check_ok(fender_body_create(world, &body, &id, &error));
    return id;
}

/* ---- chains ---- */

/* Eigenvalues of a symmetric matrix by Jacobi's rotations. */
static void eigenvalues(int n, double a[MOST_MASSES][MOST_MASSES])
{
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (a[p][q] == 0) continue;
                const double angle = 0.5 * atan2(2 * a[p][q], a[q][q] - a[p][p]), c = cos(angle), s = sin(angle);
                for (int k = 0; k < n; k++) {
                    const double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    const double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
            }
}

static double chain_off(uint64_t number)
{
    static const char *const names[] = {"wall", "m1", "m2", "m3", "m4", "m5", "m6", "far_wall"};
    static const char *const link_names[] = {"l1", "l2", "l3", "l4", "l5", "l6", "l7"};
    random_stream r = random_of_case(7171, number);
    const int n = 1 + random_below(&r, MOST_MASSES);
    const fender_integrator_method method = methods[random_below(&r, 3)];
    const double slow = random_below(&r, 3) ? random_magnitude(&r, 1e-7, 1e-1) : 0; /* s; damping over stiffness */
    double mass[MOST_MASSES], k[MOST_MASSES + 1], matrix[MOST_MASSES][MOST_MASSES] = {{0}}, limit = INFINITY;
    fender_world *world = new_world(method, random_magnitude(&r, 1e-6, 1), 0, random_below(&r, 2));
    fender_point_id points[MOST_MASSES + 2];
    for (int i = 0; i < n + 2; i++) {
        const bool wall = i == 0 || i == n + 1;
        const double m = wall ? 0 : random_magnitude(&r, 0.1, 1000);
        if (!wall) mass[i - 1] = m;
        fender_body_id id = add_body(world, names[wall && i ? MOST_MASSES + 1 : i], m, m, fender_vec3_make(i, 0, 0));
        check_ok(fender_point_create(world, id, "p", fender_pose_identity(), &points[i], &error));
    }
    for (int i = 0; i < n + 1; i++) {
        fender_link_spring_damper spring = {.stiffness = k[i] = random_magnitude(&r, 10, 1e7), .free_length = 1};
        spring.damping = slow * k[i];
        spring.limit = INFINITY;
        fender_link_def link = fender_link_def_default();
        link.name = link_names[i];
        link.a = points[i];
        link.b = points[i + 1];
        link.parameters = &spring;
        fender_link_id id;
        check_ok(fender_link_create(world, &link, &id, &error));
    }
    check_ok(fender_world_initialize(world, &error));
    for (int i = 0; i < n; i++) {
        matrix[i][i] = (k[i] + k[i + 1]) / mass[i];
        if (i + 1 < n) matrix[i][i + 1] = matrix[i + 1][i] = -k[i + 1] / sqrt(mass[i] * mass[i + 1]);
    }
    eigenvalues(n, matrix);
    for (int i = 0; i < n; i++) {
        const double w = sqrt(matrix[i][i]), h = fender_integrator_stable_step(method, w, 0.5 * slow * w);
        if (h < limit) limit = h;
    }
    double found;
    check_ok(fender_world_stable_step(world, &found, &error));
    fender_world_destroy(world);
    const double off = found / limit - 1;
    if (off > 0 || off < -0.09)
        print_message("chain %llu of %d by %s: %.5g s, modes give %.5g s, %+.1f %%\n", (unsigned long long)number, n,
                      fender_integrator_name(method), found, limit, 100 * off);
    return off;
}

double chains_off(uint64_t first, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double off = chain_off(first + (uint64_t)i);
        if (!(-off <= most)) most = -off;
        if (off > 0) return INFINITY; /* it would grow */
    }
    return most;
}

/* ---- spheres at rest ---- */

typedef struct law_part {
    const fender_law *law;
    union {
        double align;
        char bytes[512];
    } p;
} law_part;

static void choose(law_part *part, const char *law, const char *const *fields, const double *values)
{
    part->law = fender_law_find(NULL, law);
    assert_non_null(part->law);
    (void)fender_field_initialize(&part->law->parameters, part->p.bytes, sizeof part->p.bytes, NULL);
    for (int i = 0; fields[i]; i++) {
        const fender_field *field = fender_field_find(&part->law->parameters, fields[i]);
        assert_non_null(field);
        fender_field_set(field, part->p.bytes, 0, values[i]);
    }
}

typedef struct rest {
    fender_integrator_method method;
    bool located;
    double mass, inertia, radius, gravity;
    law_part normal, friction, rolling;
    bool slips, rolls;
} rest;

static rest random_rest(uint64_t number)
{
    random_stream r = random_of_case(8181, number);
    rest x = {.method = methods[random_below(&r, 3)], .located = random_below(&r, 2), .gravity = 9.81};
    x.mass = random_magnitude(&r, 0.01, 1e4);
    x.radius = random_magnitude(&r, 0.01, 1);
    x.inertia = random_between(&r, 0.2, 0.6) * x.mass * x.radius * x.radius;
    const double weight = x.mass * x.gravity, sink = x.radius * random_magnitude(&r, 1e-4, 1e-2);
    const double k = weight / sink, c = 2 * sqrt(k * x.mass);
    switch (random_below(&r, 3)) {
    case 0:
        choose(&x.normal, "spring_damper", (const char *[]){"stiffness", "damping", NULL},
               (double[]){k, random_between(&r, 0, 2) * c});
        break;
    case 1:
        choose(&x.normal, "hertz", (const char *[]){"young", "restitution", NULL},
               (double[]){0.75 * k / sqrt(x.radius * sink), random_between(&r, 0.1, 1)});
        break;
    default:
        choose(&x.normal, "hunt_crossley", (const char *[]){"stiffness", "dissipation", NULL},
               (double[]){k / sqrt(sink), random_magnitude(&r, 1e-2, 10)});
    }
    x.slips = true;
    switch (random_below(&r, 3)) {
    case 0: x.slips = false; break;
    case 1:
        choose(&x.friction, "coulomb", (const char *[]){"mu", "slip_speed", NULL},
               (double[]){random_between(&r, 0.1, 1), random_magnitude(&r, 1e-4, 1e-1)});
        break;
    default:
        choose(&x.friction, "cundall_strack", (const char *[]){"mu", "stiffness", "damping", NULL},
               (double[]){random_between(&r, 0.1, 1), k * random_magnitude(&r, 0.1, 10),
                          c * random_magnitude(&r, 0.1, 10)});
    }
    x.rolls = random_below(&r, 2);
    if (x.rolls)
        choose(&x.rolling, "rolling_stick", (const char *[]){"arm", "stiffness", "damping", NULL},
               (double[]){1e-2 * x.radius, k * x.radius * x.radius * random_magnitude(&r, 1e-3, 1),
                          random_magnitude(&r, 1e-3, 1) * c * x.radius * x.radius});
    return x;
}

static fender_world *rest_world(const rest *x, double depth, double step, fender_body_id *ball,
                                fender_shape_id shapes[2])
{
    fender_env env = fender_env_default();
    fender_world *world = new_world(x->method, step, x->gravity, x->located);
    const fender_body_id floor = add_body(world, "floor", 0, 1, fender_vec3_make(0, 0, 0));
    *ball = add_body(world, "ball", x->mass, x->inertia, fender_vec3_make(0, 0, x->radius - depth));
    for (int i = 0; i < 2; i++) {
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "s";
        shape.geometry = i ? fender_geometry_sphere(&env, x->radius, NULL) : fender_geometry_plane(&env, NULL);
        check_ok(fender_shape_create(world, i ? *ball : floor, &shape, &shapes[i], &error));
        fender_geometry_release(shape.geometry);
    }
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "t",
                                    .normal = x->normal.law,
                                    .normal_parameters = x->normal.p.bytes};
    if (!(x->normal.law->kinds & FENDER_LAW_NORMAL)) {
        type.law = type.normal, type.law_parameters = type.normal_parameters;
        type.normal = NULL, type.normal_parameters = NULL;
    }
    if (x->slips) type.friction = x->friction.law, type.friction_parameters = x->friction.p.bytes;
    if (x->rolls) type.rolling = x->rolling.law, type.rolling_parameters = x->rolling.p.bytes;
    fender_contact_type_id type_id;
    fender_rule_id rule_id;
    check_ok(fender_contact_type_create(world, &type, &type_id, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id};
    check_ok(fender_rule_create(world, &rule, &rule_id, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* m; where the floor carries the sphere: by halving. */
static double rest_depth(const rest *x)
{
    double low = 0, high = 0.5 * x->radius;
    for (int i = 0; i < 120; i++) {
        const double middle = 0.5 * (low + high);
        fender_body_id ball;
        fender_shape_id shapes[2];
        fender_contact_data data;
        fender_world *world = rest_world(x, middle, 1e-3, &ball, shapes);
        check_ok(fender_contact_between(world, shapes[0], shapes[1], &data));
        if (data.normal_force > x->mass * x->gravity) high = middle;
        else low = middle;
        fender_world_destroy(world);
    }
    return low;
}

/* How much faster it moves after many steps than it was disturbed; infinite: the steps ended with an error. */
static double grown(const rest *x, double depth, double step)
{
    fender_body_id ball;
    fender_shape_id shapes[2];
    fender_body_data data;
    fender_world *world = rest_world(x, depth, step, &ball, shapes);
    const double v = 1e-9;
    check_ok(fender_body_get(world, ball, FENDER_CLOCK_COMMITTED, &data));
    fender_body_state state = {.position = data.position, .attitude = data.attitude};
    state.velocity = fender_vec3_make(0.3 * v, -0.5 * v, 0.8 * v);
    state.angular_velocity = fender_vec3_scale(v / x->radius, fender_vec3_make(0.4, 0.9, -0.3));
    check_ok(fender_body_set_state(world, ball, &state, &error));
    double most = 0;
    for (int i = 0; i < STEPS; i++) {
        if (fender_world_step(world, NULL) != FENDER_STATUS_OK) {
            most = INFINITY;
            break;
        }
        check_ok(fender_body_get(world, ball, FENDER_CLOCK_COMMITTED, &data));
        const double now = fender_vec3_length(data.velocity) + x->radius * fender_vec3_length(data.angular_velocity);
        if (now > most) most = now;
    }
    fender_world_destroy(world);
    return most / v;
}

static bool rest_wrong(uint64_t number)
{
    const rest x = random_rest(number);
    const double depth = rest_depth(&x);
    fender_body_id ball;
    fender_shape_id shapes[2];
    fender_world *world = rest_world(&x, depth, 1e-3, &ball, shapes);
    double h;
    check_ok(fender_world_stable_step(world, &h, &error));
    fender_world_destroy(world);
    const double below = grown(&x, depth, h), above = grown(&x, depth, 8.0 / 7 * h);
    const bool wrong = !(below < 30 && above > 300);
    if (wrong)
        print_message("rest %llu by %s%s, %s, %s, %s: %.5g s found; grows %.3g times with it, %.3g times above\n",
                      (unsigned long long)number, fender_integrator_name(x.method), x.located ? ", located" : "",
                      x.normal.law->name, x.slips ? x.friction.law->name : "no friction",
                      x.rolls ? "rolling_stick" : "no rolling", h, below, above);
    return wrong;
}

int rests_wrong(uint64_t first, int count)
{
    int wrong = 0;
    for (int i = 0; i < count; i++) wrong += rest_wrong(first + (uint64_t)i);
    return wrong;
}

double pressed_off(void)
{
    double most = 0;
    for (int i = 0; i < 6; i++) {
        rest x = {
            .method = methods[i / 2], .located = i % 2, .mass = 2, .inertia = 0.01, .radius = 0.1, .gravity = 9.81};
        const double k = 3e4;
        fender_body_id ball;
        fender_shape_id shapes[2];
        double found;
        choose(&x.normal, "spring_damper", (const char *[]){"stiffness", NULL}, &k);
        fender_world *world = rest_world(&x, 0.06, 1e-2, &ball, shapes);
        check_ok(fender_world_stable_step(world, &found, &error));
        fender_world_destroy(world);
        const double limit = fender_integrator_stable_step(x.method, sqrt(k / x.mass), 0);
        most = larger(most, fabs(found / limit - 1));
    }
    return most;
}

double turned_off(void)
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        const double k = 5e3, inertia = 0.3;
        fender_world *world = new_world(methods[i], 1e-3, 0, false);
        fender_body_id bodies[2] = {add_body(world, "wall", 0, 1, fender_vec3_make(0, 0, 0)),
                                    add_body(world, "mass", 2, inertia, fender_vec3_make(1, 0, 0))};
        fender_link_def link = fender_link_def_default();
        fender_link_spring_damper_6dof spring = {.stiffness = {10, 10, 10}, .angular_stiffness = {k, 0.5 * k, 0.1 * k}};
        spring.free_position = fender_vec3_make(1, 0, 0);
        spring.limit = spring.angular_limit = INFINITY;
        check_ok(fender_point_create(world, bodies[0], "p", fender_pose_identity(), &link.a, &error));
        check_ok(fender_point_create(world, bodies[1], "p", fender_pose_identity(), &link.b, &error));
        link.name = "bushing";
        link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
        link.parameters = &spring;
        fender_link_id id;
        double found;
        check_ok(fender_link_create(world, &link, &id, &error));
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_stable_step(world, &found, &error));
        fender_world_destroy(world);
        most = larger(most, fabs(found / fender_integrator_stable_step(methods[i], sqrt(k / inertia), 0) - 1));
    }
    return most;
}
