/* Scenes for tests: a world as a plain description that can be moved, reordered and built as often as needed. */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include "random_numbers.h"
#include <fender/fender.h>

enum { SCENE_BODIES = 8, SCENE_SHAPES = 3, SCENE_TYPES = 4, SCENE_RULES = 12, SCENE_MATERIALS = 3 };

typedef struct scene_shape {
    double radius, half_length; /* half_length 0: a sphere */
    fender_pose X_SG;
    int material; /* -1: none */
} scene_shape;

typedef struct scene_body {
    int label; /* its name is body<label>, whatever the order of creation */
    fender_motion motion;
    fender_mass_properties mass_properties;
    fender_quaternion body_axes;
    fender_body_state state;
    scene_shape shapes[SCENE_SHAPES];
    int shape_count;
} scene_body;

typedef enum scene_law { SCENE_JEOD_SPRING, SCENE_SPRING_DAMPER, SCENE_NORMAL_AND_COULOMB } scene_law;
typedef struct scene_type {
    scene_law law;
    double stiffness, damping, mu, slip_speed;
    int sense; /* 1: pull */
} scene_type;

typedef struct scene_rule {
    fender_rule_kind kind;
    int one, other; /* labels of bodies, or materials */
    int use;        /* contact type, -1: never */
} scene_rule;

typedef struct scene {
    fender_world_def world;
    scene_body bodies[SCENE_BODIES];
    int body_count;
    scene_type types[SCENE_TYPES];
    int type_count;
    scene_rule rules[SCENE_RULES];
    int rule_count;
} scene;

/* A body at rest at the origin: a sphere of the given mass with a moment of 0.4 m r^2. */
scene_body scene_ball(int label, double mass, double radius);
/* One contact type for everything. */
scene scene_with_type(scene_type type);

/* Random bodies (from low to high of them) that start apart and fly together: spheres and capsules, up to three shapes
 * each, offset centres of mass, body axes of their own, random rules among three materials. Laws are drawn from those
 * whose bit (1 << scene_law) is set. */
scene scene_random(random_stream *stream, int low, int high, unsigned laws);
/* Poses of the bodies drawn anew so that many of them overlap. */
void scene_crowd(scene *s, random_stream *stream);

/* The same physics seen from another frame: every state turned and moved by X, then given the velocity `boost`. */
scene scene_moved(const scene *s, fender_pose X, fender_vec3 boost);
/* The same bodies created in the reverse order. */
scene scene_reversed(const scene *s);

/* An initialized world. Fails the test when one of the calls fails. */
fender_world *scene_build(const scene *s);
/* The same with an environment of the test's own; without initialize when `initialize` is false. */
fender_world *scene_build_with(const scene *s, const fender_env *env, const fender_registry *registry, bool initialize);
fender_body_data scene_body_data(const fender_world *world, int label);
/* Sum over the dynamic bodies. */
double scene_kinetic_energy(const fender_world *world);

#endif
