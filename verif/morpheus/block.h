/* A block of 100 kg on four probes, square to a slope of 20 degrees. */
#ifndef MORPHEUS_BLOCK_H
#define MORPHEUS_BLOCK_H

#include "vehicle.h"

#define BLOCK_SLOPE 0.349065850398865915

/* It stands as it would without the slope's pull: 5 mm deep.
 *
 * Sliding turns with the rate mu_k N / (m v), which RK4 follows while that times the step is below 2.8: sliding has to
 * end (stick_speed) at a speed that is not below mu_k g step / 2.8, or the explicit steps let it hunt for ever. */
static inline vehicle_set_up block_on_slope(double mu_static, double mu_kinetic, double step)
{
    const double g = 9.80665, mass = 100, half = 0.4, height = 0.3;
    lander l = {mass * g, 2 * half, height, 0, 0, 0, mu_static, mu_kinetic};
    l.stiffness = l.stiffness_across = mass * g / 4 / 0.005;
    vehicle_set_up s = {.l = l,
                        .mass = mass,
                        .inertia = 6,
                        .step = step,
                        .gravity = {0, 0, -g},
                        .leg_count = 4,
                        .range = 0.2,
                        .locate = true,
                        .slope = BLOCK_SLOPE,
                        .stick_speed = 1e-4};
    if (mu_kinetic * g * step / 2.8 > s.stick_speed) s.stick_speed = mu_kinetic * g * step / 2.8;
    s.damping = s.damping_across = 1.4 * sqrt(mass / 4 * l.stiffness);
    for (int i = 0; i < 4; i++) {
        s.legs[i] = fender_vec3_make(i < 2 ? half : -half, i % 2 ? half : -half, -height);
        s.directions[i] = fender_vec3_make(0, 0, -1);
    }
    /* x is level, the slope rises to the north (y) */
    s.state.attitude = (fender_quaternion){cos(BLOCK_SLOPE / 2), sin(BLOCK_SLOPE / 2), 0, 0};
    double above = height - 0.005 * cos(BLOCK_SLOPE);
    s.state.position = fender_vec3_make(0, -above * sin(BLOCK_SLOPE), above * cos(BLOCK_SLOPE));
    return s;
}

typedef struct block_creep {
    double most; /* m; farthest from where it was after settling, over all steps */
    int slips;
} block_creep;

static inline block_creep block_watch(const vehicle_set_up *s, double settled, double until)
{
    vehicle v = vehicle_build(s);
    check_ok(fender_world_advance_to(v.world, settled, &error));
    fender_vec3 place = vehicle_data(&v).center_position;
    block_creep creep = {0, 0};
    while (fender_world_time(v.world) < until) {
        check_ok(fender_world_step(v.world, &error));
        fender_vec3 moved = fender_vec3_sub(vehicle_data(&v).center_position, place);
        double way = fender_vec3_length(moved);
        if (!(way <= creep.most)) creep.most = way;
    }
    creep.slips = (int)fender_world_event_count(v.world, FENDER_EVENT_SLIP);
    fender_world_destroy(v.world);
    return creep;
}

#endif
