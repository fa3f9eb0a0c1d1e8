/* How stiff the contact of a pair of shapes will be: of its geometries, at the attitude of the start, under its load.
 */
#include "analysis/contact_advice.h"

static const double pi = 3.14159265358979323846;
static const double FIRST_DEPTH = 1e-3; /* m; as for contact types */

/* A pair by itself: a stands, b is moved along the normal. */
typedef struct bench {
    fender_world *world;
    fender_body_id moved;
    fender_shape_id shapes[2];
    fender_body_state state; /* of b, where the shapes just touch */
    fender_vec3 normal;      /* out of a */
    double gap;              /* m; between the shapes, as they are */
} bench;

static fender_pose pose_of(const fender_body_data *body) { return (fender_pose){body->position, body->attitude}; }

static bool place(const fender_world *world, const fender_shape_id shapes[2], fender_shape_def defs[2],
                  fender_pose poses[2])
{
    for (int i = 0; i < 2; i++) {
        fender_body_data body;
        if (fender_shape_get_def(world, shapes[i], &defs[i]) != FENDER_STATUS_OK ||
            fender_body_get(world, fender_shape_body(world, shapes[i]), FENDER_CLOCK_COMMITTED, &body) !=
                FENDER_STATUS_OK)
            return false;
        poses[i] = pose_of(&body);
    }
    return true;
}

/* What is pressed: the reduced mass, its centre on the normal as far from the contact as that of the lighter of the
 * bodies that move, its inertia the mean of that body's in all directions. */
typedef struct pressed {
    double mass, inertia, arm; /* kg, kg m^2, m */
} pressed;

static pressed pressed_by(const fender_world *world, const fender_shape_id shapes[2], double reduced,
                          const fender_vec3 *point, const fender_vec3 *normal)
{
    pressed w = {reduced, 0, 0};
    double least = INFINITY;
    for (int i = 0; i < 2; i++) {
        fender_body_data root;
        fender_body_def def;
        fender_mass_properties whole;
        const fender_body_id id = fender_body_root(world, fender_shape_body(world, shapes[i]));
        if (fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &root) != FENDER_STATUS_OK ||
            fender_body_get_def(world, id, &def) != FENDER_STATUS_OK || def.motion != FENDER_MOTION_DYNAMIC ||
            fender_body_get_mass(world, id, FENDER_MASS_COMPOSITE, &whole) != FENDER_STATUS_OK || whole.mass >= least)
            continue;
        const fender_vec3 center = fender_vec3_add(root.position,
                                                   fender_quaternion_rotate(root.attitude, whole.center_of_mass));
        const double trace = whole.inertia.m[0][0] + whole.inertia.m[1][1] + whole.inertia.m[2][2];
        least = whole.mass;
        w.inertia = reduced / whole.mass * trace / 3;
        w.arm = fabs(fender_vec3_dot(*normal, fender_vec3_sub(center, *point)));
    }
    return w;
}

/* Materials and motion are left out: one rule, nothing moves. b is `depth` deep in a and pressed on it by `gravity`
 * [m/s^2]. */
static bool set_up(bench *b, const fender_world *world, const fender_shape_id shapes[2],
                   const fender_contact_type_def *type, double mass, double depth, double gravity)
{
    fender_shape_def defs[2];
    fender_pose poses[2];
    fender_separation near;
    if (!place(world, shapes, defs, poses)) return false;
    fender_pose a = fender_pose_product(poses[0], defs[0].X_SG), c = fender_pose_product(poses[1], defs[1].X_SG);
    if (fender_geometry_separation(defs[0].geometry, &a, defs[1].geometry, &c, &near) != FENDER_STATUS_OK ||
        !isfinite(near.distance))
        return false;
    const fender_vec3 point = fender_vec3_add(a.p, near.point_b);
    const pressed w = pressed_by(world, shapes, mass, &point, &near.normal);
    b->normal = near.normal;
    b->gap = near.distance;
    const fender_vec3 center = fender_vec3_sub(fender_vec3_add_scaled(point, w.arm, near.normal), poses[1].p);
    const fender_pose start = poses[1];
    poses[1].p = fender_vec3_sub(poses[1].p, fender_vec3_scale(near.distance, near.normal));
    fender_world_def own = fender_world_def_default();
    const fender_world_def *def = fender_world_get_def(world);
    own.registry = def->registry;
    own.method = def->method;
    own.step = def->step;
    own.relative_tolerance = def->relative_tolerance;
    own.absolute_tolerance = def->absolute_tolerance;
    own.gravity.kind = FENDER_GRAVITY_UNIFORM;
    own.gravity.acceleration = fender_vec3_scale(-gravity, near.normal);
    fender_env env = fender_env_default();
    b->world = fender_world_create(&env, &own, NULL);
    bool good = b->world != NULL;
    fender_contact_type_id use;
    good = good && fender_contact_type_create(b->world, type, &use, NULL) == FENDER_STATUS_OK;
    for (int i = 0; good && i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        fender_body_id id;
        body.name = i == 0 ? "a" : "b";
        body.motion = i == 0 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        body.mass_properties.mass = w.mass;
        body.mass_properties.inertia = fender_mat3_diagonal(w.inertia, w.inertia, w.inertia);
        body.mass_properties.center_of_mass = fender_quaternion_rotate(fender_quaternion_conjugate(start.q), center);
        body.state.position = poses[i].p;
        body.state.attitude = poses[i].q;
        b->state = body.state;
        if (i == 1) body.state.position = fender_vec3_add_scaled(poses[i].p, -depth, near.normal);
        defs[i].material = (fender_material_id){0};
        defs[i].active = true;
        good = fender_body_create(b->world, &body, &id, NULL) == FENDER_STATUS_OK &&
               fender_shape_create(b->world, id, &defs[i], &b->shapes[i], NULL) == FENDER_STATUS_OK;
        b->moved = id;
    }
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    if (good) rule.use = use;
    return good && fender_rule_create(b->world, &rule, NULL, NULL) == FENDER_STATUS_OK &&
           fender_world_initialize(b->world, NULL) == FENDER_STATUS_OK;
}

/* N; of all points of the contact at that depth. */
static double force_at(const bench *b, double depth)
{
    fender_body_state state = b->state;
    fender_contact_data data;
    state.position = fender_vec3_sub(state.position, fender_vec3_scale(depth, b->normal));
    if (fender_body_set_state(b->world, b->moved, &state, NULL) != FENDER_STATUS_OK ||
        fender_contact_between(b->world, b->shapes[0], b->shapes[1], &data) != FENDER_STATUS_OK)
        return 0;
    return data.normal_force;
}

static double tangent_at(const bench *b, double depth)
{
    double step = 1e-3 * depth;
    return (force_at(b, depth + step) - force_at(b, depth - step)) / (2 * step);
}

/* m; where the contact carries the load: Newton's method on the logarithms, exact where force is a power of depth. */
static double depth_under(const bench *b, double load, double depth)
{
    for (int i = 0; i < 40; i++) {
        double force = force_at(b, depth), power = depth * tangent_at(b, depth) / force;
        if (!(force > 0) || !(power > 0.3) || !(power < 30)) break;
        double ratio = pow(load / force, 1 / power);
        depth *= ratio < 0.1 ? 0.1 : ratio > 10 ? 10 : ratio;
        if (fabs(ratio - 1) < 1e-5) break; /* its square is left */
    }
    return depth;
}

/* N/m; laws that ask for the surfaces have no face: what acts. */
static double full_stiffness(const fender_contact_type_def *type, double depth, double stiffness)
{
    const fender_law *law = type->law != NULL ? type->law : type->normal;
    const void *parameters = type->law != NULL ? type->law_parameters : type->normal_parameters;
    const bool sees = (law->needs & FENDER_LAW_NEEDS_SURFACE) != 0 &&
                      (law->reads_surface == NULL || law->reads_surface(parameters));
    if (law->stiffness == NULL || sees) return stiffness;
    fender_contact_input in = {.depth = depth};
    fender_law_stiffness springs = {0};
    law->stiffness(parameters, &in, &springs);
    return springs.normal_stiffness;
}

bool fender_shape_stands(const fender_world *world, fender_shape_id shape)
{
    fender_body_def def;
    return fender_body_get_def(world, fender_body_root(world, fender_shape_body(world, shape)), &def) ==
               FENDER_STATUS_OK &&
           def.motion != FENDER_MOTION_DYNAMIC;
}

/* s; at that depth, where the load [N] holds the contact's force. */
static double stable_at_rest(const fender_world *world, const fender_shape_id shapes[2],
                             const fender_contact_type_def *type, double mass, double depth, double load)
{
    bench own = {0};
    double longest = INFINITY;
    if (!set_up(&own, world, shapes, type, mass, depth, load / mass) ||
        fender_world_stable_step(own.world, &longest, NULL) != FENDER_STATUS_OK)
        longest = INFINITY;
    fender_world_destroy(own.world);
    return longest;
}

/* m; as deep as the load, or an impact at that speed [m/s], presses; with the load [N] and the stiffness there. */
static void press(const bench *own, const fender_world *world, const fender_shape_id shapes[2], double speed,
                  fender_pair_advice *advice)
{
    advice->depth = FIRST_DEPTH;
    for (int i = 0; i < 6; i++) { /* the load of an impact grows with the stiffness */
        const double before = advice->stiffness;
        advice->stiffness = tangent_at(own, advice->depth);
        if (!(advice->stiffness > 0) || fabs(advice->stiffness - before) < 1e-6 * before) break;
        const double impact = speed * sqrt(advice->stiffness * advice->mass);
        advice->load = fender_contact_load(world, shapes[0], shapes[1], advice->mass, advice->stiffness);
        if (impact > advice->load) advice->load = impact;
        if (!(advice->load > 0)) break;
        advice->depth = depth_under(own, advice->load, advice->depth);
    }
    advice->stiffness = tangent_at(own, advice->depth);
    if (advice->stiffness > 0) return;
    advice->load = 0; /* as deep as that it has passed through: the load is too much for it alone */
    advice->depth = FIRST_DEPTH;
    advice->stiffness = tangent_at(own, advice->depth);
}

/* m/s; at which the pair would meet along its normal if one of both falls freely on the other that stands. */
static double speed_of_fall(const bench *own, const fender_world *world, const fender_shape_id shapes[2])
{
    fender_body_data bodies[2];
    const bool stands[2] = {fender_shape_stands(world, shapes[0]), fender_shape_stands(world, shapes[1])};
    for (int i = 0; i < 2; i++)
        if (fender_body_get(world, fender_shape_body(world, shapes[i]), FENDER_CLOCK_COMMITTED, &bodies[i]) !=
            FENDER_STATUS_OK)
            return 0;
    if (stands[0] == stands[1] || !(own->gap > 0)) return 0;
    const int mover = stands[0] ? 1 : 0;
    const fender_vec3 towards = fender_vec3_scale(mover == 1 ? -1 : 1, own->normal);
    const double g = fender_vec3_dot(fnd_gravity_at(world, bodies[mover].position), towards);
    const double v = fender_vec3_dot(fender_vec3_sub(bodies[mover].velocity, bodies[1 - mover].velocity), towards);
    return g > 0 ? sqrt(v * v + 2 * g * own->gap) : 0;
}

/* m/s; of the surface of a shape at a point. */
static fender_vec3 velocity_at(const fender_body_data *body, const fender_shape_def *shape, fender_vec3 point)
{
    const fender_vec3 spin = fender_quaternion_rotate(body->attitude, body->angular_velocity);
    const fender_vec3 arm = fender_vec3_sub(point, body->position);
    const fender_pose X = fender_pose_product(pose_of(body), shape->X_SG);
    const fender_vec3 own = fender_quaternion_rotate(fender_quaternion_conjugate(X.q), fender_vec3_sub(point, X.p));
    const fender_vec3 belt = fender_vec3_add(shape->surface_velocity, fender_vec3_cross(shape->surface_spin, own));
    return fender_vec3_add(fender_vec3_add(body->velocity, fender_vec3_cross(spin, arm)),
                           fender_quaternion_rotate(X.q, belt));
}

double fnd_sliding_speed(const fender_world *world, fender_shape_id a, fender_shape_id b)
{
    const fender_shape_id shapes[] = {a, b};
    fender_shape_def defs[2];
    fender_pose poses[2];
    fender_body_data bodies[2];
    fender_separation near;
    if (!place(world, shapes, defs, poses)) return 0;
    for (int i = 0; i < 2; i++) {
        (void)fender_body_get(world, fender_shape_body(world, shapes[i]), FENDER_CLOCK_COMMITTED, &bodies[i]);
        poses[i] = fender_pose_product(poses[i], defs[i].X_SG);
    }
    if (fender_geometry_separation(defs[0].geometry, &poses[0], defs[1].geometry, &poses[1], &near) !=
            FENDER_STATUS_OK ||
        !isfinite(near.distance))
        return 0;
    const fender_vec3 point = fender_vec3_add(poses[0].p, near.point_b);
    const fender_vec3 slip = fender_vec3_sub(velocity_at(&bodies[1], &defs[1], point),
                                             velocity_at(&bodies[0], &defs[0], point));
    const double away = fender_vec3_dot(slip, near.normal);
    const bench own = {.normal = near.normal, .gap = near.distance};
    if (near.distance > 0 && !(away < 0) && !(speed_of_fall(&own, world, shapes) > 0)) return 0;
    return fender_vec3_length(fender_vec3_add_scaled(slip, -away, near.normal));
}

bool fnd_advise_touch(const fender_world *world, fender_shape_id a, fender_shape_id b,
                      const fender_contact_type_def *type, double *depth, double *stiffness)
{
    const fender_shape_id shapes[] = {a, b};
    fender_pair_advice advice = {.depth = FIRST_DEPTH};
    bench own = {0};
    advice.mass = fender_pair_reduced_mass(world, fender_shape_body(world, a), fender_shape_body(world, b));
    bool known = advice.mass > 0 && isfinite(advice.mass) && set_up(&own, world, shapes, type, advice.mass, 0, 0);
    if (known) {
        const double speed = speed_of_fall(&own, world, shapes);
        press(&own, world, shapes, 0, &advice);
        if (speed > 0 && advice.depth < FIRST_DEPTH) {
            fender_pair_advice fallen = {.mass = advice.mass};
            press(&own, world, shapes, speed, &fallen);
            if (fallen.depth > FIRST_DEPTH) fallen.depth = FIRST_DEPTH;
            if (fallen.depth > advice.depth) advice.depth = fallen.depth;
            advice.stiffness = tangent_at(&own, advice.depth);
        }
        const double full = full_stiffness(type, advice.depth, advice.stiffness);
        *depth = advice.depth;
        *stiffness = full > advice.stiffness ? full : advice.stiffness;
        known = *stiffness > 0 && isfinite(*stiffness);
    }
    fender_world_destroy(own.world);
    return known;
}

fender_pair_advice fender_advise_pair(const fender_world *world, fender_shape_id a, fender_shape_id b,
                                      const fender_contact_type_def *type)
{
    fender_pair_advice advice = {.depth = FIRST_DEPTH, .stable_step = INFINITY};
    const fender_shape_id shapes[] = {a, b};
    bench own = {0};
    advice.mass = fender_pair_reduced_mass(world, fender_shape_body(world, a), fender_shape_body(world, b));
    if (!(advice.mass > 0) || !isfinite(advice.mass)) return advice;
    if (set_up(&own, world, shapes, type, advice.mass, 0, 0)) {
        press(&own, world, shapes, 0, &advice);
        advice.known = advice.stiffness > 0 && isfinite(advice.stiffness);
        const double weight = fender_shape_stands(world, a) || fender_shape_stands(world, b)
                                  ? fender_contact_weight(world, b, advice.mass)
                                  : 0;
        if (advice.known && weight > 0) {
            const double depth = depth_under(&own, weight, advice.depth);
            advice.stable_step = stable_at_rest(world, shapes, type, advice.mass, depth, force_at(&own, depth));
        }
    }
    advice.full_stiffness = full_stiffness(type, advice.depth, advice.known ? advice.stiffness : 0);
    advice.full_frequency = sqrt(advice.full_stiffness / advice.mass) / (2 * pi);
    if (advice.known) {
        if (fabs(advice.stiffness - advice.full_stiffness) < 1e-6 * advice.full_stiffness) /* rounding of differences */
            advice.stiffness = advice.full_stiffness;
        advice.frequency = sqrt(advice.stiffness / advice.mass) / (2 * pi);
    }
    fender_world_destroy(own.world);
    return advice;
}
