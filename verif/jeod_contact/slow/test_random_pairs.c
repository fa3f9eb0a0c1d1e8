/* Five thousand random meetings of spheres under `jeod_spring`: the force worked out anew, momentum, energy. */
#include "check.h"
#include "scene.h"
#include <string.h>

enum { CASE_COUNT = 5000 };

/* Two bodies or three, of unequal masses, with one to three spheres of unequal radii each, offset centres of mass,
 * spinning, body axes turned against structure axes. */
static scene random_spheres(random_stream *r, bool apart)
{
    scene s = scene_random(r, 2, 3, 1u << SCENE_JEOD_SPRING);
    for (int i = 0; i < s.body_count; i++) {
        for (int k = 0; k < s.bodies[i].shape_count; k++) {
            s.bodies[i].shapes[k].half_length = 0;
            s.bodies[i].shapes[k].radius = random_magnitude(r, 0.05, 0.8);
        }
        s.bodies[i].state.angular_velocity = random_in_ball(r, 5);
    }
    for (int i = 0; i < s.type_count; i++) s.types[i].sense = 0;
    for (int i = 0; i < s.rule_count; i++)
        if (s.rules[i].use < 0) s.rules[i].use = 0;
    if (!apart) scene_crowd(&s, r);
    return s;
}

/* ---- the force, anew: from body states and the formula alone ---- */

typedef struct motion {
    fender_vec3 origin, center, velocity, spin; /* world; velocity of the structure's origin */
    fender_mat3 R;                              /* structure to world */
} motion;

static motion motion_of(const fender_world *world, const scene_body *body)
{
    fender_body_data d = scene_body_data(world, body->label);
    motion m;
    m.R = fender_quaternion_matrix(d.attitude);
    m.origin = d.position;
    m.center = fender_vec3_add(d.position, fender_mat3_times(&m.R, body->mass_properties.center_of_mass));
    m.velocity = d.velocity;
    m.spin = fender_mat3_times(&m.R, d.angular_velocity);
    return m;
}

/* The contact type by the rules of the scene: bodies before materials before default. */
static const scene_type *type_for(const scene *s, const scene_body *a, const scene_shape *sa, const scene_body *b,
                                  const scene_shape *sb)
{
    const scene_rule *best = NULL;
    for (int i = 0; i < s->rule_count; i++) {
        const scene_rule *rule = &s->rules[i];
        int one = rule->kind == FENDER_RULE_BODIES ? a->label : sa->material;
        int other = rule->kind == FENDER_RULE_BODIES ? b->label : sb->material;
        bool fits = rule->kind == FENDER_RULE_DEFAULT || (one == rule->one && other == rule->other) ||
                    (one == rule->other && other == rule->one);
        if (fits && (!best || rule->kind < best->kind)) best = rule;
    }
    return best && best->use >= 0 ? &s->types[best->use] : NULL;
}

/* Adds the wrenches of all sphere pairs of two bodies to sums in world axes, torques about the centres of mass. Returns
 * the sum of the sizes of the forces. */
static double meet(const scene *s, const scene_body *a, const motion *ma, const scene_body *b, const motion *mb,
                   fender_wrench *wa, fender_wrench *wb)
{
    double sizes = 0;
    for (int i = 0; i < a->shape_count; i++)
        for (int k = 0; k < b->shape_count; k++) {
            const scene_shape *sa = &a->shapes[i], *sb = &b->shapes[k];
            const scene_type *type = type_for(s, a, sa, b, sb);
            fender_vec3 ca = fender_vec3_add(ma->origin, fender_mat3_times(&ma->R, sa->X_SG.p));
            fender_vec3 cb = fender_vec3_add(mb->origin, fender_mat3_times(&mb->R, sb->X_SG.p));
            fender_vec3 d = fender_vec3_sub(cb, ca);
            double distance = fender_vec3_length(d), depth = sa->radius + sb->radius - distance;
            if (!type || depth <= 0) continue;
            fender_vec3 n = fender_vec3_scale(-1 / distance, d); /* from b to a: along the push on a */
            fender_vec3 c = fender_vec3_add_scaled(ca, depth / 2 - sa->radius, n);
            fender_vec3 va = fender_vec3_add(ma->velocity, fender_vec3_cross(ma->spin, fender_vec3_sub(c, ma->origin)));
            fender_vec3 vb = fender_vec3_add(mb->velocity, fender_vec3_cross(mb->spin, fender_vec3_sub(c, mb->origin)));
            fender_vec3 u = fender_vec3_sub(va, vb);
            double un = fender_vec3_dot(u, n), speed = fender_vec3_length(u);
            double normal = type->stiffness * depth - type->damping * un;
            fender_vec3 across = fender_vec3_scale(1 / speed, fender_vec3_add_scaled(u, -un, n));
            fender_vec3 force = fender_vec3_add_scaled(fender_vec3_scale(normal, n), -type->mu * fabs(normal), across);
            fender_vec3 back = fender_vec3_negate(force);
            wa->force = fender_vec3_add(wa->force, force);
            wa->torque = fender_vec3_add(wa->torque, fender_vec3_cross(fender_vec3_sub(c, ma->center), force));
            wb->force = fender_vec3_add(wb->force, back);
            wb->torque = fender_vec3_add(wb->torque, fender_vec3_cross(fender_vec3_sub(c, mb->center), back));
            sizes += fender_vec3_length(force);
        }
    return sizes;
}

/* Largest deviation of forces and torques at the committed state, relative to the sum of the sizes of all forces, or to
 * that of a penetration of a micrometre when they are smaller: a depth is the difference of metres, known to 1e-16 m.
 */
static double force_deviation(const fender_world *world, const scene *s)
{
    motion motions[SCENE_BODIES];
    fender_wrench sums[SCENE_BODIES];
    memset(sums, 0, sizeof sums);
    for (int i = 0; i < s->body_count; i++) motions[i] = motion_of(world, &s->bodies[i]);
    double sizes = 0, worst = 0;
    for (int i = 0; i < s->body_count; i++)
        for (int k = i + 1; k < s->body_count; k++)
            sizes += meet(s, &s->bodies[i], &motions[i], &s->bodies[k], &motions[k], &sums[i], &sums[k]);
    if (sizes == 0) return -1;
    sizes += 1e-6 * s->types[0].stiffness;
    for (int i = 0; i < s->body_count; i++) {
        fender_body_data d = scene_body_data(world, s->bodies[i].label);
        fender_vec3 force = fender_mat3_times(&motions[i].R, d.contact_force);
        fender_vec3 torque = fender_mat3_times(&motions[i].R, d.contact_torque);
        double gap = fender_vec3_length(fender_vec3_sub(force, sums[i].force)) +
                     fender_vec3_length(fender_vec3_sub(torque, sums[i].torque));
        if (gap / sizes > worst) worst = gap / sizes;
    }
    return worst;
}

static void force_anew(void **state)
{
    (void)state;
    double worst = 0;
    int touching = 0, evaluations = 0;
    for (uint64_t n = 0; n < CASE_COUNT; n++) {
        random_stream r = random_of_case(1, n);
        scene s = random_spheres(&r, false);
        fender_world *world = scene_build(&s);
        for (int i = 0; i < 10; i++) { /* also at states that integration has reached */
            double gap = force_deviation(world, &s);
            if (gap > worst) worst = gap;
            touching += gap >= 0 && i == 0;
            evaluations += gap >= 0;
            check_below(gap, 1e-10);
            check_ok(fender_world_step(world, &error));
        }
        fender_world_destroy(world);
    }
    printf("force and torque against a second calculation: %d random cases, %d of them touching at the start, %d "
           "states: largest deviation %.1e of the forces (allowed 1e-10)\n",
           CASE_COUNT, touching, evaluations, worst);
    assert_true(touching > CASE_COUNT / 3);
}

/* ---- equal and opposite ---- */

static void equal_and_opposite(void **state)
{
    (void)state;
    int contacts = 0;
    double worst = 0;
    for (uint64_t n = 0; n < CASE_COUNT; n++) {
        random_stream r = random_of_case(2, n);
        scene s = random_spheres(&r, false);
        fender_world *world = scene_build(&s);
        fender_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
        double sizes = 0;
        for (int i = 0; i < s.body_count; i++) {
            motion m = motion_of(world, &s.bodies[i]);
            fender_body_data d = scene_body_data(world, s.bodies[i].label);
            fender_vec3 force = fender_mat3_times(&m.R, d.contact_force);
            sum = fender_vec3_add(sum, force);
            moment = fender_vec3_add(
                moment, fender_vec3_add(fender_mat3_times(&m.R, d.contact_torque), fender_vec3_cross(m.center, force)));
            sizes += fender_vec3_length(force) * (1 + fender_vec3_length(m.center));
        }
        contacts += fender_contact_count(world, FENDER_CLOCK_COMMITTED);
        if (sizes > 0) {
            double gap = (fender_vec3_length(sum) + fender_vec3_length(moment)) / sizes;
            if (gap > worst) worst = gap;
            check_below(gap, 1e-13);
        }
        fender_world_destroy(world);
    }
    printf("sum of forces and of moments about one point: %d contacts: largest %.1e of their sizes (allowed 1e-13)\n",
           contacts, worst);
    assert_true(contacts > CASE_COUNT);
}

/* ---- momentum and energy ---- */

typedef struct sums {
    fender_vec3 linear, angular;
    double linear_scale, angular_scale; /* sums of the sizes of the terms */
} sums;

/* From positions, velocities and inertia; not the ledger's. */
static sums momentum_of(const fender_world *world, const scene *s)
{
    sums m;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < s->body_count; i++) {
        const scene_body *body = &s->bodies[i];
        fender_body_data d = scene_body_data(world, body->label);
        motion at = motion_of(world, body);
        fender_vec3 v = fender_vec3_add(at.velocity, fender_vec3_cross(at.spin, fender_vec3_sub(at.center, at.origin)));
        fender_vec3 p = fender_vec3_scale(body->mass_properties.mass, v);
        fender_quaternion q = fender_quaternion_product(d.attitude, body->body_axes);
        fender_vec3 w = fender_quaternion_rotate(fender_quaternion_conjugate(q), at.spin);
        fender_vec3 spin = fender_quaternion_rotate(q, fender_mat3_times(&body->mass_properties.inertia, w));
        m.linear = fender_vec3_add(m.linear, p);
        m.angular = fender_vec3_add(m.angular, fender_vec3_add(fender_vec3_cross(at.center, p), spin));
        m.linear_scale += fender_vec3_length(p);
        m.angular_scale += fender_vec3_length(at.center) * fender_vec3_length(p) + fender_vec3_length(spin);
    }
    return m;
}

static void momentum(void **state)
{
    (void)state;
    double linear = 0, angular = 0;
    int64_t touches = 0;
    for (uint64_t n = 0; n < CASE_COUNT; n++) {
        random_stream r = random_of_case(3, n);
        scene s = random_spheres(&r, true);
        s.world.step = 5e-3;
        if (n % 5 == 4) s.world.method = FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER;
        fender_world *world = scene_build(&s);
        sums before = momentum_of(world, &s);
        check_ok(fender_world_advance(world, 400, &error));
        sums after = momentum_of(world, &s);
        double gap = fender_vec3_length(fender_vec3_sub(after.linear, before.linear)) /
                     (before.linear_scale + after.linear_scale);
        if (gap > linear) linear = gap;
        check_below(gap, 1e-12);
        gap = fender_vec3_length(fender_vec3_sub(after.angular, before.angular)) /
              (before.angular_scale + after.angular_scale);
        if (gap > angular) angular = gap;
        check_below(gap, 1e-12);
        touches += fender_world_event_count(world, FENDER_EVENT_BEGIN);
        fender_world_destroy(world);
    }
    printf("momentum over 2 s: %d random cases, %lld touches: largest change %.1e linear, %.1e angular of the sums of "
           "the sizes of their terms (allowed 1e-12)\n",
           CASE_COUNT, (long long)touches, linear, angular);
    assert_true(touches > CASE_COUNT / 2);
}

/* The residual of energy falls with the step. One case may be lucky at a coarse step, so the mean counts. */
static void energy(void **state)
{
    (void)state;
    enum { CASES = 60, STEPS = 5 };
    double mean[STEPS] = {0};
    for (uint64_t n = 0; n < CASES; n++)
        for (int k = 0; k < STEPS; k++) {
            random_stream r = random_of_case(4, n);
            scene s = random_spheres(&r, true);
            s.world.step = 8e-3 / (1 << (2 * k));
            fender_world *world = scene_build(&s);
            check_ok(fender_world_advance(world, 200 * (1 << (2 * k)), &error));
            fender_ledger ledger;
            fender_world_ledger(world, &ledger);
            mean[k] += fabs(ledger.residual) / ledger.scale / CASES;
            fender_world_destroy(world);
        }
    printf("energy not accounted for after 1.6 s, mean of %d cases, relative to all energy turned over:\n", CASES);
    for (int k = 0; k < STEPS; k++)
        printf("    step %8.5f ms  %.2e  order %s%.2f\n", 8.0 / (1 << (2 * k)), mean[k], k ? "" : "-",
               k ? log(mean[k - 1] / mean[k]) / log(4) : 0.0);
    for (int k = 1; k < STEPS; k++) check_below(mean[k], mean[k - 1] / 4);
    check_below(mean[STEPS - 1], 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_anew),
        cmocka_unit_test(equal_and_opposite),
        cmocka_unit_test(momentum),
        cmocka_unit_test(energy),
    };
    return cmocka_run_group_tests_name("random spheres under jeod_spring", tests, NULL, NULL);
}
