/* The dropping lander in MuJoCo: its default contact, Euler's and its implicit method. */
#include "drops.h"
#include "mujoco_model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lander {
    mjModel *model;
    mjData *data;
} lander;

/* MuJoCo stores heights from 0 to 1 as float, over the lowest. */
static void set_heights(mjModel *model, const drop_ground *ground, double low, double high)
{
    for (int i = 0; i < ground->count_x * ground->count_y; i++)
        model->hfield_data[i] = (float)((ground->heights[i] - low) / (high - low));
}

static void *create_with(const drop_ground *ground, double feet[DROP_FEET][3], const char *integrator)
{
    char text[6000], field[400] = "", geom[300] = "<geom type='plane' size='0 0 1' friction='0.6 0.005 0.0001'/>";
    double low = INFINITY, high = -INFINITY;
    if (ground->count_x > 0) {
        for (int i = 0; i < ground->count_x * ground->count_y; i++) {
            if (ground->heights[i] < low) low = ground->heights[i];
            if (ground->heights[i] > high) high = ground->heights[i];
        }
        double half_x = 0.5 * (ground->count_x - 1) * ground->spacing[0],
               half_y = 0.5 * (ground->count_y - 1) * ground->spacing[1];
        snprintf(field, sizeof field,
                 "<asset><hfield name='field' nrow='%d' ncol='%d' size='%.17g %.17g %.17g 1'/></asset>",
                 ground->count_y, ground->count_x, half_x, half_y, high - low);
        snprintf(geom, sizeof geom,
                 "<geom type='hfield' hfield='field' pos='%.17g %.17g %.17g' friction='0.6 0.005 0.0001'/>",
                 ground->lower[0] + half_x, ground->lower[1] + half_y, low);
    }
    int used = snprintf(text, sizeof text,
                        "<mujoco><compiler inertiafromgeom='false'/><option timestep='%g' gravity='0 0 %g' "
                        "integrator='%s'/>%s<worldbody>%s<body><freejoint/><inertial pos='0 0 0' mass='%g' "
                        "diaginertia='%g %g %g'/>",
                        drop_step, -drop_gravity, integrator, field, geom, drop_mass, drop_inertia[0], drop_inertia[1],
                        drop_inertia[2]);
    for (int i = 0; i < DROP_FEET; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<geom type='sphere' size='%g' pos='%.17g %.17g %.17g' friction='0.6 0.005 0.0001'/>",
                         drop_foot, feet[i][0], feet[i][1], feet[i][2]);
    snprintf(text + used, sizeof text - (size_t)used, "</body></worldbody></mujoco>");
    lander *l = malloc(sizeof *l);
    if (!l) return NULL;
    l->model = mujoco_model(text);
    if (l->model && ground->count_x > 0) set_heights(l->model, ground, low, high);
    l->data = l->model ? mj_makeData(l->model) : NULL;
    if (l->data) return l;
    mj_deleteModel(l->model);
    free(l);
    return NULL;
}

static void *create_euler(const drop_ground *ground, double feet[DROP_FEET][3])
{
    return create_with(ground, feet, "Euler");
}
static void *create_implicit(const drop_ground *ground, double feet[DROP_FEET][3])
{
    return create_with(ground, feet, "implicit");
}

static double drop(void *of, const drop_start *start, double *speed)
{
    lander *l = of;
    mj_resetData(l->model, l->data);
    for (int i = 0; i < 3; i++) {
        l->data->qpos[i] = start->position[i];
        l->data->qvel[i] = start->velocity[i];
        l->data->qvel[3 + i] = start->angular_velocity[i];
    }
    for (int i = 0; i < 4; i++) l->data->qpos[3 + i] = start->attitude[i];
    for (int i = 0; i < DROP_STEPS; i++) mj_step(l->model, l->data);
    const double *q = &l->data->qpos[3], *v = l->data->qvel;
    *speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

static void destroy(void *of)
{
    lander *l = of;
    mj_deleteData(l->data);
    mj_deleteModel(l->model);
    free(l);
}

const drop_peer drops_mujoco[] = {
    {"MuJoCo, Euler", create_euler, drop, destroy}, {"MuJoCo, implicit", create_implicit, drop, destroy}, {0}};
