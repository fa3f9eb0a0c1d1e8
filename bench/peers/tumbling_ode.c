/* The tumbling body in the Open Dynamics Engine. */
#include "tumbling.h"
#include <ode/ode.h>
#include <stdlib.h>

typedef struct body {
    dWorldID world;
    dBodyID id;
    double step;
} body;

static void *create(const tumbling_start *start)
{
    body *b = malloc(sizeof *b);
    if (!b) return NULL;
    dInitODE();
    b->world = dWorldCreate();
    b->id = dBodyCreate(b->world);
    b->step = start->step;
    dMass mass;
    dMassSetZero(&mass);
    mass.mass = 1;
    for (int i = 0; i < 3; i++) mass.I[5 * i] = start->moments[i]; /* rows of four */
    dBodySetMass(b->id, &mass);
    dBodySetAngularVel(b->id, start->angular_velocity[0], start->angular_velocity[1], start->angular_velocity[2]);
    return b;
}

static void advance(void *of, int steps)
{
    body *b = of;
    for (int i = 0; i < steps; i++) dWorldStep(b->world, b->step);
}

static void advance_quickly(void *of, int steps)
{
    body *b = of;
    for (int i = 0; i < steps; i++) dWorldQuickStep(b->world, b->step);
}

static void read_state(void *of, double attitude[4], double angular_velocity[3])
{
    body *b = of;
    const dReal *q = dBodyGetQuaternion(b->id), *w = dBodyGetAngularVel(b->id);
    dVector3 own;
    dBodyVectorFromWorld(b->id, w[0], w[1], w[2], own);
    for (int i = 0; i < 4; i++) attitude[i] = q[i];
    for (int i = 0; i < 3; i++) angular_velocity[i] = own[i];
}

static void destroy(void *of)
{
    body *b = of;
    dWorldDestroy(b->world);
    dCloseODE();
    free(b);
}

const tumbling_peer tumbling_ode[] = {
    {"ODE, dWorldStep", create, advance, read_state, destroy},
    {"ODE, dWorldQuickStep", create, advance_quickly, read_state, destroy},
    {0},
};
