/* The tumbling body in MuJoCo. */
#include "mujoco_model.h"
#include "tumbling.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
    mjModel *model;
    mjData *data;
} body;

static void *create_with(const tumbling_start *start, const char *integrator)
{
    char text[600];
    snprintf(text, sizeof text,
             "<mujoco><compiler inertiafromgeom='false'/><option timestep='%.17g' gravity='0 0 0' integrator='%s'/>"
             "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='%.17g %.17g %.17g'/></body>"
             "</worldbody></mujoco>",
             start->step, integrator, start->moments[0], start->moments[1], start->moments[2]);
    body *b = malloc(sizeof *b);
    if (!b) return NULL;
    b->model = mujoco_model(text);
    b->data = b->model ? mj_makeData(b->model) : NULL;
    if (!b->data) {
        mj_deleteModel(b->model);
        free(b);
        return NULL;
    }
    for (int i = 0; i < 3; i++) b->data->qvel[3 + i] = start->angular_velocity[i]; /* in body axes */
    return b;
}

static void *create_euler(const tumbling_start *start) { return create_with(start, "Euler"); }
static void *create_rk4(const tumbling_start *start) { return create_with(start, "RK4"); }
static void *create_implicit(const tumbling_start *start) { return create_with(start, "implicit"); }

static void advance(void *of, int steps)
{
    body *b = of;
    for (int i = 0; i < steps; i++) mj_step(b->model, b->data);
}

static void read_state(void *of, double attitude[4], double angular_velocity[3])
{
    body *b = of;
    for (int i = 0; i < 4; i++) attitude[i] = b->data->qpos[3 + i];
    for (int i = 0; i < 3; i++) angular_velocity[i] = b->data->qvel[3 + i];
}

static void destroy(void *of)
{
    body *b = of;
    mj_deleteData(b->data);
    mj_deleteModel(b->model);
    free(b);
}

const tumbling_peer tumbling_mujoco[] = {
    {"MuJoCo, Euler", create_euler, advance, read_state, destroy},
    {"MuJoCo, implicit", create_implicit, advance, read_state, destroy},
    {"MuJoCo, RK4", create_rk4, advance, read_state, destroy},
    {0},
};
