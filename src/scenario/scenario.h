/* Checked contents of a scenario in SI, from which the world is built and that a run follows. */
#ifndef FND_SCENARIO_SCENARIO_H
#define FND_SCENARIO_SCENARIO_H

#include <fender/command.h>
#include <fender/fender.h>
#include <fender/io.h>

#include "control/builtin.h"
#include "scenario/location.h"

/* A text whose meaning depends on the built world (a number in a channel's unit, a pattern), with its place. */
typedef struct fnd_located_text {
    const char *text; /* NULL: not given */
    fnd_location location;
} fnd_located_text;

typedef enum fnd_condition_kind {
    FND_CONDITION_NONE,
    FND_CONDITION_TIME,    /* number: s */
    FND_CONDITION_BEGIN,   /* a, b: shapes or bodies; at_least contacts, for a time */
    FND_CONDITION_END,     /* a, b */
    FND_CONDITION_EVENT,   /* event, perhaps of a contact or of two bodies */
    FND_CONDITION_CHANNEL, /* channel with above or below */
    FND_CONDITION_POINTS,  /* two points, how near */
    FND_CONDITION_ACTION,  /* an action has been carried out */
    FND_CONDITION_ALL,     /* children */
    FND_CONDITION_ANY
} fnd_condition_kind;
typedef struct fnd_condition fnd_condition;
struct fnd_condition {
    fnd_condition_kind kind;
    fnd_location location;
    double time;
    fnd_located_text a, b, channel, above, below;
    fnd_located_text event, contact;
    int at_least;                                     /* contacts */
    double duration;                                  /* s; for so long without a break */
    int action;                                       /* index */
    int link;                                         /* of an event; 0: any, else its index + 1 */
    int point_body[2], point[2];                      /* POINTS */
    double closer_than, half_angle_sine, slower_than; /* m, of half the angle, m/s; infinite: no bound */
    fnd_condition *children;
    int child_count;
};

typedef enum fnd_record_trigger { FND_RECORD_EVERY, FND_RECORD_STEPS, FND_RECORD_EVENTS } fnd_record_trigger;
typedef struct fnd_record_section {
    const char *name;
    fnd_location location;
    fnd_located_text file; /* relative to the run directory */
    fnd_record_trigger trigger;
    double every; /* s */
    fnd_located_text every_text;
    fnd_located_text *channels;
    int channel_count;
    fnd_located_text contacts; /* in place of channels: a row for each contact of that type, or of all */
    int contact_type;          /* -1: of all */
} fnd_record_section;

typedef enum fnd_expect_at { FND_EXPECT_TIME, FND_EXPECT_END, FND_EXPECT_MAX, FND_EXPECT_MIN } fnd_expect_at;
typedef struct fnd_expectation {
    fnd_location location;
    fnd_located_text channel; /* either a channel ... */
    fnd_expect_at at;
    double at_time;
    fnd_located_text equals, within, below, above; /* numbers in the channel's unit */
    fnd_located_text event, contact; /* ... or an event of a pair (optional) at a time; emitted ones by their name.
                                       Both, which studies alone ask for: the channel at the first such event */
    double event_time, event_within;
    int link;                   /* of an event; 0: any, else its index + 1 */
    struct fnd_condition *when; /* studies alone: the channel, or the time, when it becomes true; NULL: none */
    const char *source;
} fnd_expectation;

typedef struct fnd_named {
    const char *name;
    fnd_location location;
} fnd_named;

/* A named value, as it was put in place of `$name`. */
typedef struct fnd_parameter {
    fnd_named id;
    const char *given; /* as it is written, perhaps an expression; "" for lists and maps */
    const char *value; /* in one line */
} fnd_parameter;

/* Elastic constants of a material; young 0: not given. */
typedef struct fnd_material_constants {
    double young, poisson;
    bool poisson_given, used;
} fnd_material_constants;

/* A parameter of a law that followed from what was wanted. */
typedef struct fnd_derived {
    int contact_type;
    const char *part; /* "law", "normal", "friction", "rolling", "twisting" */
    const fender_field *field;
    const char *unit;
    double value;
    const char *from, *relation;
    fnd_location location;
    struct fnd_derived *next;
} fnd_derived;

/* Large data, shared by the copies of a pattern. */
typedef struct fnd_shape_data {
    fender_vec3 *points; /* cloud, hull; vertices of a mesh */
    int point_count;
    int32_t (*triangles)[3]; /* mesh; of a hull: the true solid of its file */
    int triangle_count;
    bool closed;                        /* the triangles bound a volume, their fronts outward */
    fender_grid_def grid;               /* heights in the arena; NULL: none */
    const double *grid_x, *grid_y;      /* its columns and rows, in the arena; NULL: at equal spacing */
    fnd_named file;                     /* name NULL: the numbers stand in the scenario */
    fender_pose X_FG;                   /* of a file: place and turn of what it holds, before those of the shape */
    int shared;                         /* index + 1 of the named geometry that this is; 0: of no name */
    struct fnd_cached_geometry *cached; /* shared with other scenarios; NULL: not */
} fnd_shape_data;

/* `geometries`: of a file, for any number of shapes. */
typedef struct fnd_geometry_description {
    fnd_named id;
    bool good; /* read without diagnostics */
    fender_geometry_type type;
    fnd_shape_data data;
} fnd_geometry_description;

/* Bodies, shapes and the rest stand in file order; indices refer to these arrays. */
typedef struct fnd_shape_description {
    fnd_named id;
    fender_geometry_type geometry;
    double radius, half_length, rounding;
    double range, cushion; /* probe */
    bool literal;
    fender_vec3 half;                 /* box, ellipsoid */
    const fnd_shape_data *data;       /* cloud, hull, grid, mesh */
    const fender_geometry_kind *kind; /* of a plug-in, with its parameters; NULL: another */
    void *kind_parameters;
    fender_pose X_SG;
    fender_vec3 surface_velocity, surface_spin;
    int material; /* -1: none */
    bool active;
} fnd_shape_description;
/* The geometry; NULL with the error filled. */
fender_geometry *fnd_shape_geometry(const fender_env *env, const fnd_shape_description *shape, fender_error *error);
typedef struct fnd_point_description {
    fnd_named id;
    fender_pose X_SP;
} fnd_point_description;
/* `attached`: where a body is before the run begins. */
typedef struct fnd_attachment_description {
    fnd_location location;                 /* line 0: not attached */
    int parent, child_point, parent_point; /* points -1: by X_PC */
    fender_pose X_PC;
    fender_part_motion motion;    /* relative to the parent; arrays in the scenario's arena */
    fnd_location motion_location; /* line 0: none */
} fnd_attachment_description;
typedef struct fnd_body_description {
    fnd_named id;
    fender_body_def def; /* texts and arrays in the scenario's arena */
    fnd_location mass_location, inertia_location,
        state_location; /* where the world's refusal is shown; line 0: the body's own */
    fnd_shape_description *shapes;
    int shape_count;
    fnd_point_description *points;
    int point_count;
    fnd_attachment_description attached;
} fnd_body_description;
struct fender_scenario;
/* The body that carries it at the start; itself when nothing does. */
int fnd_scenario_root(const struct fender_scenario *scenario, int body);
typedef struct fnd_contact_type_description {
    fnd_named id;
    const fender_law *law, *normal, *friction, *rolling, *twisting;
    void *law_parameters, *normal_parameters, *friction_parameters, *rolling_parameters, *twisting_parameters;
    fnd_location law_location, normal_location, friction_location, rolling_location, twisting_location;
    const char *normal_formula, *friction_formula; /* of laws that are formulas; NULL: of others */
    fender_prescribed_force prescribed_force;      /* tables of the arena */
    fender_contact_points points;
    bool unlocated, debug;
} fnd_contact_type_description;
typedef struct fnd_rule_description {
    fnd_location location;
    fender_rule_kind kind;
    int body_a, shape_a, body_b, shape_b; /* shapes: body and shape within it; bodies: body alone */
    int material_a, material_b;
    int use; /* contact type; -1: never */
    bool ignore_unsupported;
} fnd_rule_description;
typedef struct fnd_link_description {
    fnd_named id;
    fender_link_def def;   /* def.a, def.b are set at building */
    int body[2], point[2]; /* point: within the body */
    int use;               /* contact type of a contact law; else -1 */
} fnd_link_description;
/* What a formula reads of a body, or of a point of it (-1: of its structure frame). */
typedef struct fnd_reading_description {
    int body, point;
    fender_state_quantity quantity;
    int component;
} fnd_reading_description;
typedef struct fnd_load_description {
    fnd_named id;
    fender_load_def def; /* def.body, def.tank and the readings of its formulas are set at building */
    int body, tank;      /* tank -1: none */
    const fnd_reading_description *readings[2]; /* of force, of torque; as many as the signals say */
} fnd_load_description;

typedef struct fnd_sensor_description {
    fnd_named id;
    fender_beam beam; /* beam.body is set at building */
    int body;
} fnd_sensor_description;

typedef enum fnd_operation_kind {
    FND_OPERATION_ATTACH,
    FND_OPERATION_DETACH,
    FND_OPERATION_REATTACH,
    FND_OPERATION_MOVE,      /* X_PC in the world; value: duration */
    FND_OPERATION_MOVE_PART, /* vector: displacement; values: the angle; value: duration */
    FND_OPERATION_EMIT,
    FND_OPERATION_STOP,
    FND_OPERATION_SWITCH,
    FND_OPERATION_SET_COMMAND, /* command, values */
    FND_OPERATION_SET_MASS,    /* value */
    FND_OPERATION_SET_CENTER,  /* vector */
    FND_OPERATION_SET_INERTIA, /* matrix */
} fnd_operation_kind;
/* An operation of an action: indices of the description. */
typedef struct fnd_operation {
    fnd_operation_kind kind;
    fnd_location location;
    int body, point;        /* child, body to detach, body that is set; -1: no point */
    int other, other_point; /* parent; -1: not given */
    int event;              /* emitted name */
    int switched, use;      /* switch: index of the rule, and of its contact type (-1: never) */
    fender_attach_pose pose;
    fender_detach_rule rule;
    fender_pose X_PC;
    bool keeps_position, keeps_attitude; /* move: that of the moment, or the angle of a part */
    const char *command;                 /* "loads.engine.force" */
    double values[FENDER_COMMAND_CAPACITY];
    int value_count; /* of a command: numbers that were given */
    double value;
    fender_vec3 vector;
    fender_mat3 matrix;
} fnd_operation;
typedef struct fnd_action {
    fnd_named id;
    fnd_condition when;
    double delay; /* s; from when the condition becomes true */
    bool once;
    fnd_operation *operations;
    int operation_count;
} fnd_action;

/* Section `fmu`: what an exported FMU shows, by the names that it uses. */
typedef struct fnd_fmu_entry {
    fnd_named id;
    fnd_located_text path; /* of a command, a channel, or a value of the scenario */
    const char *value;     /* PARAMETER: the text of the value, "5 kN" */
} fnd_fmu_entry;
typedef enum fnd_fmu_part { FND_FMU_INPUTS, FND_FMU_OUTPUTS, FND_FMU_PARAMETERS, FND_FMU_PART_COUNT } fnd_fmu_part;
typedef struct fnd_fmu_list {
    bool given;
    fnd_fmu_entry *entries;
    int count;
} fnd_fmu_list;

/* ---- controllers */

/* A channel as a controller samples it. The unit of what is added is the channel's, which the world knows. */
typedef struct fnd_controller_input {
    const char *name;
    fnd_located_text channel, scale, bias, noise, quantum;
    double delay; /* s; 0 or more */
} fnd_controller_input;
typedef struct fnd_controller_output {
    const char *name;
    fnd_located_text command;
} fnd_controller_output;
typedef enum fnd_controller_origin {
    FND_CONTROLLER_BUILTIN,
    FND_CONTROLLER_LIBRARY,
    FND_CONTROLLER_HOST, /* of the program that makes the run */
    FND_CONTROLLER_FMU
} fnd_controller_origin;
typedef struct fnd_controller_description {
    fnd_named id;
    fnd_controller_origin origin;
    const fender_controller *functions; /* NULL: of a host */
    const char *host;                   /* its name there */
    fnd_builtin *builtin;               /* parameters of a built-in one; else NULL */
    fnd_named fmu;                      /* file of an FMU, and its bytes */
    const char *fmu_bytes;
    size_t fmu_length;
    bool by_rate;               /* sample k is at phase + k / rate; else at phase + k * period */
    double rate, period, phase; /* 1/s, s, s */
    fnd_controller_input *inputs;
    fnd_controller_output *outputs;
    int input_count, output_count;
    const char **parameter_names;
    double *parameters;
    int parameter_count;
    int seed;
} fnd_controller_description;

/* A text that was read, as it was named. */
typedef struct fnd_scenario_text {
    const char *name, *text; /* terminated */
    size_t length;
} fnd_scenario_text;

struct fender_scenario {
    fender_env env;
    struct fnd_arena *arena;   /* owns every text and array below */
    fender_registry *registry; /* held */
    const char *file;          /* as it was named */
    const char *source_text;   /* of the main file, for scenario.yaml in the run directory */
    size_t source_length;
    const fnd_scenario_text *texts; /* all that were read, the main one first, each name once */
    int text_count;
    bool from_memory;                 /* the main text came from no file */
    const fender_override *overrides; /* copies */
    int override_count;
    const char *title, *about;
    fnd_parameter *parameters;
    int parameter_count;
    const char *axes[3];
    fender_world_def world;
    fnd_location step_location;
    double until;
    fnd_location until_location;
    double residual_bound;   /* part of the energy at work; 0: by the method */
    double checkpoint_every; /* s; 0: never */
    fnd_condition stop_when;
    fnd_named *materials;
    fnd_material_constants *material_constants;
    int material_count;
    fnd_geometry_description *geometries;
    int geometry_count;
    fnd_body_description *bodies;
    int body_count;
    fnd_contact_type_description *contact_types;
    int contact_type_count;
    fnd_derived *derived; /* in the order of contact types and their fields */
    fnd_rule_description *rules;
    int rule_count;
    fnd_link_description *links;
    int link_count;
    fnd_load_description *loads;
    int load_count;
    fnd_sensor_description *sensors;
    int sensor_count;
    fnd_action *actions;
    int action_count;
    fnd_controller_description *controllers;
    int controller_count;
    void **libraries; /* of controllers: handles to close */
    int library_count;
    fnd_named *events; /* that actions emit, each name once */
    int event_count;
    fnd_record_section *records;
    int record_count;
    fnd_expectation *expectations;
    int expectation_count;
    fnd_fmu_list fmu[FND_FMU_PART_COUNT];
    bool has_plugins;
    struct fnd_geometry_hold *holds; /* what it uses of a geometry cache */
    struct fnd_tree *tree;           /* as it was read, for others; NULL: not kept */
};

#endif
