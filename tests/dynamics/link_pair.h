/* Two bodies joined by a link, as tests of links need them. */
#ifndef LINK_PAIR_H
#define LINK_PAIR_H

#include "check.h"
#include <fender/fender.h>
#include <string.h>

typedef struct pair {
    fender_world *world;
    fender_body_id a, b;
    fender_point_id p, q; /* of a, of b */
    fender_link_id link;
} pair;

static inline fender_body_def ball(const char *name, double mass, double moment, double x)
{
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.mass_properties.mass = mass;
    def.mass_properties.inertia = fender_mat3_diagonal(moment, moment, moment);
    def.state.position.x = x;
    return def;
}

static inline fender_pose at(double x, double y, double z)
{
    fender_pose pose = fender_pose_identity();
    pose.p = fender_vec3_make(x, y, z);
    return pose;
}

/* Two bodies with a point each, not yet initialized. */
static inline pair pair_of(const fender_world_def *def, const fender_body_def *a, const fender_body_def *b,
                           fender_pose p, fender_pose q)
{
    pair two;
    memset(&two, 0, sizeof two);
    fender_env env = fender_env_default();
    two.world = fender_world_create(&env, def, NULL);
    assert_non_null(two.world);
    check_ok(fender_body_create(two.world, a, &two.a, &error));
    check_ok(fender_body_create(two.world, b, &two.b, &error));
    check_ok(fender_point_create(two.world, two.a, "p", p, &two.p, &error));
    check_ok(fender_point_create(two.world, two.b, "q", q, &two.q, &error));
    return two;
}

static inline void join_by(pair *two, const fender_link_def *link)
{
    fender_link_def def = *link;
    def.name = "link";
    def.a = two->p;
    def.b = two->q;
    check_ok(fender_link_create(two->world, &def, &two->link, &error));
}

static inline void join(pair *two, fender_link_law law, const void *parameters)
{
    fender_link_def def = fender_link_def_default();
    def.law = law;
    def.parameters = parameters;
    join_by(two, &def);
}

static inline fender_link_spring_damper spring(double stiffness, double damping, double free_length)
{
    fender_link_spring_damper p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER), &p, sizeof p, NULL);
    p.stiffness = stiffness;
    p.damping = damping;
    p.free_length = free_length;
    return p;
}

/* Two spheres of 2 and 3 kg on the x axis, points at their centres, `apart` from each other. */
static inline pair balls(double step, double apart, const fender_link_spring_damper *p)
{
    fender_world_def def = fender_world_def_default();
    def.step = step;
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, apart);
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    join(&two, FENDER_LINK_SPRING_DAMPER, p);
    check_ok(fender_world_initialize(two.world, &error));
    return two;
}

static inline fender_link_data read(const pair *two)
{
    fender_link_data data;
    assert_int_equal(fender_link_get(two->world, two->link, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static inline fender_ledger ledger_of(const pair *two)
{
    fender_ledger ledger;
    fender_world_ledger(two->world, &ledger);
    return ledger;
}

#define reduced (2.0 * 3.0 / 5.0)

/* ---- located events */

typedef struct located {
    fender_integrator_method method;
    double tolerance; /* of times in s, speeds in m/s, about */
} located;
/* RK4 at 1 ms: its own error in a quarter of an oscillation at 26 rad/s; the pairs: their tolerance of 1e-11 a step. */
static const located locateds[] = {
    {FENDER_INTEGRATOR_RK4, 1e-7}, {FENDER_INTEGRATOR_DOPRI5, 1e-9}, {FENDER_INTEGRATOR_DOP853, 1e-9}};
enum { LOCATED_COUNT = sizeof locateds / sizeof locateds[0] };

/* A link of any law between the spheres, steps of 1 ms that end at events. */
static inline pair located_link(const located *how, double apart, double speed, const fender_link_def *link)
{
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.method = how->method;
    def.locate_events = true;
    def.relative_tolerance = 1e-11;
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, apart);
    b.state.velocity.x = speed;
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    join_by(&two, link);
    check_ok(fender_world_initialize(two.world, &error));
    return two;
}

static inline pair located_balls(const located *how, double apart, double speed, const fender_link_spring_damper *p)
{
    fender_link_def link = fender_link_def_default();
    link.parameters = p;
    return located_link(how, apart, speed, &link);
}

/* Runs to the time; the last event goes to *event. */
static inline void run_to(pair *two, double time, fender_event *event)
{
    while (fender_world_time(two->world) < time) {
        check_ok(fender_world_step(two->world, &error));
        int count;
        const fender_event *events = fender_world_events(two->world, &count);
        if (count > 0 && event) *event = events[count - 1];
    }
}

#endif
