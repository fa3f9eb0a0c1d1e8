/* Balls, capsules, cubes and planes in the Open Dynamics Engine. */
#include "stepping.h"
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    dWorldID id;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID *bodies;
    double step, friction, erp, cfm, restitution;
    int soft;
} world;

static void *create(const stepping_scene *scene, int soft)
{
    world *w = malloc(sizeof *w);
    dBodyID *bodies = malloc((size_t)scene->body_count * sizeof *bodies);
    if (!w || !bodies) return NULL;
    dInitODE();
    double h = scene->step, k = scene->stiffness, c = scene->damping;
    *w = (world){dWorldCreate(),      dHashSpaceCreate(NULL), dJointGroupCreate(0), bodies, h, scene->friction,
                 h * k / (h * k + c), 1 / (h * k + c),        scene->restitution,   soft};
    dHashSpaceSetLevels(w->space, -4, 4);
    dWorldSetGravity(w->id, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    for (int i = 0; i < scene->body_count; i++) {
        const stepping_body *b = &scene->bodies[i];
        dBodyID body = bodies[i] = dBodyCreate(w->id);
        dMass mass;
        dMassSetZero(&mass);
        mass.mass = b->mass;
        for (int k3 = 0; k3 < 3; k3++) mass.I[5 * k3] = b->moments[k3]; /* rows of four */
        dBodySetMass(body, &mass);
        dBodySetPosition(body, b->position[0], b->position[1], b->position[2]);
        dBodySetQuaternion(body, b->attitude);
        dBodySetLinearVel(body, b->velocity[0], b->velocity[1], b->velocity[2]);
        dBodySetAngularVel(body, b->turning[0], b->turning[1], b->turning[2]);
        for (int foot = 0; foot < b->foot_count; foot++) {
            dGeomID ball = dCreateSphere(w->space, b->radius);
            dGeomSetBody(ball, body);
            dGeomSetOffsetPosition(ball, b->feet[foot][0], b->feet[foot][1], b->feet[foot][2]);
        }
        if (b->foot_count > 0) continue;
        double side = 2 * b->half_size;
        dGeomSetBody(side > 0             ? dCreateBox(w->space, side, side, side)
                     : b->half_length > 0 ? dCreateCapsule(w->space, b->radius, 2 * b->half_length)
                                          : dCreateSphere(w->space, b->radius),
                     body);
    }
    for (int i = 0; i < scene->plane_count; i++) {
        const stepping_plane *p = &scene->planes[i];
        dCreatePlane(w->space, p->normal[0], p->normal[1], p->normal[2], p->offset);
    }
    return w;
}
static void *create_hard(const stepping_scene *scene) { return create(scene, 0); }
static void *create_soft(const stepping_scene *scene) { return create(scene, 1); }

static void near(void *of, dGeomID a, dGeomID b)
{
    world *w = of;
    dContact contacts[8];
    int count = dCollide(a, b, 8, &contacts[0].geom, sizeof *contacts);
    for (int i = 0; i < count; i++) {
        dSurfaceParameters *s = &contacts[i].surface;
        memset(s, 0, sizeof *s);
        s->mode = dContactApprox1;
        s->mu = w->friction;
        if (w->soft) {
            s->mode |= dContactSoftERP | dContactSoftCFM;
            s->soft_erp = w->erp;
            s->soft_cfm = w->cfm;
        } else if (w->restitution > 0) {
            s->mode |= dContactBounce;
            s->bounce = w->restitution;
            s->bounce_vel = 0.01;
        }
        dJointAttach(dJointCreateContact(w->id, w->joints, &contacts[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void advance(void *of, int steps)
{
    world *w = of;
    for (int i = 0; i < steps; i++) {
        dSpaceCollide(w->space, w, near);
        dWorldQuickStep(w->id, w->step);
        dJointGroupEmpty(w->joints);
    }
}

static void read_state(void *of, int body, double position[3], double velocity[3])
{
    world *w = of;
    memcpy(position, dBodyGetPosition(w->bodies[body]), 3 * sizeof *position);
    memcpy(velocity, dBodyGetLinearVel(w->bodies[body]), 3 * sizeof *velocity);
}

static void destroy(void *of)
{
    world *w = of;
    dJointGroupDestroy(w->joints);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->id);
    dCloseODE();
    free(w->bodies);
    free(w);
}

const stepping_peer stepping_ode[] = {
    {"ODE, quick step", 2, 100000, create_hard, advance, NULL, read_state, destroy},
    {"ODE, quick step, soft", 2, 100000, create_soft, advance, NULL, read_state, destroy},
    {0},
};
