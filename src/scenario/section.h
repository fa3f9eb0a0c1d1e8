/* The sections of a scenario: each reads its part of the tree into the description. */
#ifndef FND_SCENARIO_SECTION_H
#define FND_SCENARIO_SECTION_H

#include "scenario/orientation.h"

/* In this order: later ones refer to what earlier ones have read. A section that is missing is NULL. */
/* Shared libraries with laws: loaded into a registry of the scenario's own. */
void fnd_read_plugins(fnd_reader *reader, fnd_node *section);
void fnd_read_world(fnd_reader *reader, fnd_node *world, fnd_node *integrator);
void fnd_read_geometries(fnd_reader *reader, fnd_node *section);
/* A geodetic place on the frame's planet as a position in the world. */
/* `ned`: attitude of the north-east-down axes there. */
bool fnd_read_geodetic(fnd_reader *reader, fnd_node *node, fender_vec3 *position, fender_quaternion *ned);
/* The centre that attracts, of a world with a point mass or with a frame in orbit: mu [m^3/s^2], its place [m, W] and
 * velocity [m/s, W] at the start. False: there is none. */
bool fnd_world_center(const fender_world_def *world, double *mu, fender_vec3 *center, fender_vec3 *velocity);
/* Elements of an orbit about that centre: position and velocity in W. */
bool fnd_read_orbit(fnd_reader *reader, fnd_node *node, fender_vec3 *position, fender_vec3 *velocity);
void fnd_read_materials(fnd_reader *reader, fnd_node *section);
void fnd_read_contact_types(fnd_reader *reader, fnd_node *section);
void fnd_read_bodies(fnd_reader *reader, fnd_node *section);
void fnd_read_rules(fnd_reader *reader, fnd_node *section);
/* `switch` of an action: which rule (its index), and the contact type that it gets (-1: never). */
bool fnd_read_switch(fnd_reader *reader, fnd_node *node, int *rule, int *use);
void fnd_read_links(fnd_reader *reader, fnd_node *section);
void fnd_read_loads(fnd_reader *reader, fnd_node *section);
/* Of adaptive methods, once all that they depend on is read. */
void fnd_warn_of_steps(fnd_reader *reader);
void fnd_read_sensors(fnd_reader *reader, fnd_node *section);
void fnd_read_actions(fnd_reader *reader, fnd_node *section);
void fnd_read_controllers(fnd_reader *reader, fnd_node *section);
void fnd_read_run(fnd_reader *reader, fnd_node *section);
void fnd_read_record(fnd_reader *reader, fnd_node *section);
void fnd_read_expect(fnd_reader *reader, fnd_node *section);
/* Names of an exported FMU. `parameters` of the scenario are its parameters when the section names none. */
void fnd_read_fmu(fnd_reader *reader, fnd_node *section);

/* Parts that several sections use. */
struct fnd_plugin_file;
/* A shared library that the scenario names: found, noted among its sources. *real: its path from the root. */
bool fnd_open_library(fnd_reader *reader, const fnd_node *node, const char *name, struct fnd_plugin_file *file,
                      const char **real);
void fnd_read_shapes(fnd_reader *reader, fnd_node *shapes, fnd_body_description *body, bool *failed);
/* The i-th body's points; its shapes are known. */
void fnd_read_points(fnd_reader *reader, fnd_node *points, fnd_body_description *body, bool *failed);
/* `attached` and relative `state` of all bodies, once all their points are known. `section`: the bodies. */
void fnd_read_attachments(fnd_reader *reader, fnd_node *section);

/* `pattern`: copies around an axis. */
typedef struct fnd_pattern {
    int count; /* 0: none */
    fender_vec3 axis, through;
} fnd_pattern;
bool fnd_read_pattern(fnd_reader *reader, fnd_node *node, fnd_pattern *pattern);
/* The k-th copy, turned about the axis of the pattern, and its name. */
fender_pose fnd_pattern_pose(const fnd_pattern *pattern, fender_pose pose, int k);
const char *fnd_pattern_name(fnd_reader *reader, const char *name, int k);

/* `{table: ..}` with three values per row. `after` NULL: that key is refused. */
bool fnd_read_table(fnd_reader *reader, fnd_node *table, const char *name, const char *unit, const double **times,
                    const fender_vec3 **values, int *count, fender_signal_after *after);
bool fnd_read_condition(fnd_reader *reader, fnd_node *node, fnd_condition *condition);

/* A body has no such shape. `found`: as the file names it. */
void fnd_complain_shape(fnd_reader *reader, const fnd_location *location, const char *name, const char *found,
                        int body);
/* References. -1 after a diagnostic. */
const fnd_geometry_description *fnd_find_geometry(fnd_reader *reader, const fnd_node *node,
                                                  const char *name); /* NULL */
/* A contact type by its name. */
bool fnd_find_contact_type(fnd_reader *reader, const fnd_node *node, int *use);
int fnd_find_link(fnd_reader *reader, const fnd_node *node, const char *name);
int fnd_find_material(fnd_reader *reader, const fnd_node *node, const char *name);
int fnd_find_body(fnd_reader *reader, const fnd_node *node, const char *name);
/* "body.shape"; *quiet: a diagnostic about the body's shapes exists already. */
bool fnd_find_shape(fnd_reader *reader, const fnd_node *node, int *body, int *shape);
/* "body.point"; or "body" too when `point` may be missing: then -1. */
bool fnd_find_point(fnd_reader *reader, const fnd_node *node, bool needed, int *body, int *point);
/* The point of that name; -1 after a diagnostic. */
int fnd_find_point_of(fnd_reader *reader, const fnd_node *node, const char *name, int body);
/* "body" or "body.shape". */
bool fnd_check_thing(fnd_reader *reader, const fnd_node *node);
fnd_located_text fnd_located(const fnd_node *node);

#endif
