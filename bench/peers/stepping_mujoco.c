/* Balls, capsules, cubes and planes in MuJoCo: its default contact, the stiffness and damping of the scene, and
 * elliptic cones with the solver's stage against slip. */
#include "mujoco_model.h"
#include "stepping.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    mjModel *model;
    mjData *data;
} world;

typedef struct text {
    char *start;
    size_t used, size;
} text;

static void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(t->start + t->used, t->size - t->used, format, arguments);
    va_end(arguments);
    if (length > 0) t->used += (size_t)length;
}

typedef enum contact { USUAL, STIFFNESS, NO_SLIP } contact;

/* solref < 0: stiffness and damping per mass that a contact moves. Friction of a pair is the larger of both. */
static void put_contact(text *t, const stepping_scene *scene, contact kind)
{
    const stepping_body *b = &scene->bodies[0];
    double mass = b->mass / (b->half_size > 0 ? 4 : b->foot_count > 0 ? b->foot_count : scene->plane_count > 0 ? 1 : 2);
    put(t, " friction='%.17g 0.005 0.0001'", scene->friction);
    if (kind == STIFFNESS)
        put(t, " solref='%.17g %.17g' solimp='0.9999 0.9999 0.001'", -scene->stiffness / mass, -scene->damping / mass);
    put(t, "/>");
}

static void put_body(text *t, const stepping_scene *scene, const stepping_body *b, contact kind)
{
    put(t, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>", b->position[0], b->position[1],
        b->position[2], b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]);
    put(t, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", b->mass, b->moments[0],
        b->moments[1], b->moments[2]);
    for (int k = 0; k < b->foot_count; k++) {
        put(t, "<geom type='sphere' size='%.17g' pos='%.17g %.17g %.17g'", b->radius, b->feet[k][0], b->feet[k][1],
            b->feet[k][2]);
        put_contact(t, scene, kind);
    }
    if (b->foot_count == 0) {
        if (b->half_size > 0)
            put(t, "<geom type='box' size='%.17g %.17g %.17g'", b->half_size, b->half_size, b->half_size);
        else if (b->half_length > 0) put(t, "<geom type='capsule' size='%.17g %.17g'", b->radius, b->half_length);
        else put(t, "<geom type='sphere' size='%.17g'", b->radius);
        put_contact(t, scene, kind);
    }
    put(t, "</body>");
}

static void *create_with(const stepping_scene *scene, contact kind, const char *integrator)
{
    text t = {.size = 4000 + 2000 * (size_t)(scene->body_count + scene->bodies[0].foot_count)};
    t.start = malloc(t.size);
    world *w = malloc(sizeof *w);
    if (!t.start || !w) return NULL;
    put(&t,
        "<mujoco><compiler inertiafromgeom='false'/><size nconmax='%d' njmax='%d'/>"
        "<option timestep='%.17g' gravity='%.17g %.17g %.17g' integrator='%s'%s/><worldbody>",
        50 + 8 * scene->body_count, 4 * (50 + 8 * scene->body_count), scene->step, scene->gravity[0], scene->gravity[1],
        scene->gravity[2], integrator, kind == NO_SLIP ? " cone='elliptic' impratio='100' noslip_iterations='20'" : "");
    for (int i = 0; i < scene->plane_count; i++) {
        const stepping_plane *p = &scene->planes[i];
        const double *n = p->normal;
        put(&t, "<geom type='plane' size='0 0 1' pos='%.17g %.17g %.17g' zaxis='%.17g %.17g %.17g'", p->offset * n[0],
            p->offset * n[1], p->offset * n[2], n[0], n[1], n[2]);
        put_contact(&t, scene, kind);
    }
    for (int i = 0; i < scene->body_count; i++) put_body(&t, scene, &scene->bodies[i], kind);
    put(&t, "</worldbody></mujoco>");
    w->model = t.used < t.size ? mujoco_model(t.start) : NULL;
    free(t.start);
    w->data = w->model ? mj_makeData(w->model) : NULL;
    if (!w->data) {
        mj_deleteModel(w->model);
        free(w);
        return NULL;
    }
    for (int i = 0; i < scene->body_count; i++) { /* turning: in body axes */
        const stepping_body *b = &scene->bodies[i];
        mjtNum back[4], turning[3];
        mju_negQuat(back, b->attitude);
        mju_rotVecQuat(turning, b->turning, back);
        for (int k = 0; k < 3; k++)
            w->data->qvel[6 * i + k] = b->velocity[k], w->data->qvel[6 * i + 3 + k] = turning[k];
    }
    return w;
}
static void *create_usual(const stepping_scene *scene) { return create_with(scene, USUAL, "Euler"); }
static void *create_rk4(const stepping_scene *scene) { return create_with(scene, USUAL, "RK4"); }
static void *create_stiffness(const stepping_scene *scene) { return create_with(scene, STIFFNESS, "Euler"); }
static void *create_no_slip(const stepping_scene *scene) { return create_with(scene, NO_SLIP, "Euler"); }

static void advance(void *of, int steps)
{
    world *w = of;
    for (int i = 0; i < steps; i++) mj_step(w->model, w->data);
}

static void read_state(void *of, int body, double position[3], double velocity[3])
{
    world *w = of;
    for (int i = 0; i < 3; i++) {
        position[i] = w->data->qpos[7 * body + i];
        velocity[i] = w->data->qvel[6 * body + i];
    }
}

static void destroy(void *of)
{
    world *w = of;
    mj_deleteData(w->data);
    mj_deleteModel(w->model);
    free(w);
}

/* Beyond: 20 and 0.8 steps a second with 100 balls; of the others, this version needs gigabytes for 1,000. */
const stepping_peer stepping_mujoco[] = {
    {"MuJoCo, Euler", 2, 100, create_usual, advance, NULL, read_state, destroy},
    {"MuJoCo, RK4", 2, 10, create_rk4, advance, NULL, read_state, destroy},
    {"MuJoCo, Euler, contact stiffness", 2, 100, create_stiffness, advance, NULL, read_state, destroy},
    {"MuJoCo, Euler, elliptic, no slip", 2, 10, create_no_slip, advance, NULL, read_state, destroy},
    {0},
};
