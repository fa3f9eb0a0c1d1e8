/* Bodies that move relative to their parents: what the tests of moving parts share. */
#ifndef TEST_MOVING_PARTS_H
#define TEST_MOVING_PARTS_H

#include "check.h"
#include <fender/fender.h>
#include <string.h>

static const fender_pose at_origin = {{0, 0, 0}, {1, 0, 0, 0}};

static inline fender_world *empty(fender_integrator_method method, double step)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    return world;
}

static inline fender_body_id add_body(fender_world *world, const char *name, double mass, fender_vec3 center,
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

static inline void attach(fender_world *world, fender_body_id child, fender_body_id parent, fender_pose X_PC)
{
    fender_attach_def def = fender_attach_def_default();
    def.child = child;
    def.parent = parent;
    def.pose = FENDER_ATTACH_POSED;
    def.X_PC = X_PC;
    check_ok(fender_body_attach(world, &def, NULL, &error));
}

/* From rest to rest between two times. */
static inline void move_between(fender_world *world, fender_body_id body, double from, double to, fender_vec3 way,
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
static inline double blend(double u) { return u <= 0 ? 0 : u >= 1 ? 1 : u * u * u * (10 + u * (-15 + 6 * u)); }
static inline double blend_rate(double u) { return u <= 0 || u >= 1 ? 0 : 30 * u * u * (1 - u) * (1 - u); }

static inline fender_body_data data_of(const fender_world *world, fender_body_id id)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static inline fender_ledger ledger_of(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return ledger;
}

static inline fender_body_state at_rest(void)
{
    return (fender_body_state){{0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
}

#endif
