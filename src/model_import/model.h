/* Shared by the readers of models: the neutral model between a file and a scenario, diagnostics, values of attributes.
 */
#ifndef FND_MODEL_IMPORT_MODEL_H
#define FND_MODEL_IMPORT_MODEL_H

#include <fender/fender.h>
#include <fender/model_file.h>

#include "model_import/xml.h"
#include "scenario/reader.h"

/* More would take too long where every two are looked at. */
#define FND_MODEL_BODY_LIMIT 10000

typedef struct fnd_model_body fnd_model_body;
typedef struct fnd_model_shape fnd_model_shape;
typedef struct fnd_model_joint fnd_model_joint;
typedef struct fnd_model_point fnd_model_point;
typedef struct fnd_model_rule fnd_model_rule;

typedef enum fnd_model_joint_kind {
    FND_MODEL_FREE,  /* six degrees of freedom: the body is a root of its own */
    FND_MODEL_HINGE, /* rotation about the axis */
    FND_MODEL_SLIDE, /* motion along the axis */
    FND_MODEL_BALL,  /* any rotation */
    FND_MODEL_PLANAR /* motion across the axis and rotation about it */
} fnd_model_joint_kind;

struct fnd_model_joint {
    const char *original; /* name in the file; "" for none */
    fnd_location location;
    fnd_model_joint_kind kind;
    fender_vec3 axis, anchor; /* in the body; the axis has unit length */
    double damping, stiffness, spring_reference;
    double reference; /* value of the joint where the file places the body */
    double position;  /* from the reference */
    bool placed;      /* the caller has given a position */
    bool limited;
    double lower, upper; /* in the units of `reference` */
    double speed[6];     /* of a keyframe; HINGE and SLIDE use the first */
    fnd_model_joint *next;
};

typedef struct fnd_model_surface {
    double friction[3]; /* sliding; torsional and rolling in m */
    double solref[2], solimp[5], solmix;
    int priority, condim, contype, conaffinity;
} fnd_model_surface;

typedef enum fnd_model_shape_kind {
    FND_MODEL_PLANE,
    FND_MODEL_SPHERE,
    FND_MODEL_CAPSULE,
    FND_MODEL_ELLIPSOID,
    FND_MODEL_CYLINDER,
    FND_MODEL_BOX,
    FND_MODEL_MESH,
    FND_MODEL_POINTS, /* a hull of vertices in the file */
    FND_MODEL_GRID
} fnd_model_shape_kind;

struct fnd_model_shape {
    const char *original, *name;
    fnd_location location;
    fnd_model_shape_kind kind;
    fender_vec3 size;     /* radius, half length; half extents; semi-axes */
    fender_pose pose;     /* in the body */
    const char *file;     /* MESH: as it is opened */
    const char *geometry; /* MESH: name in the scenario */
    fender_vec3 scale;
    const double *values; /* POINTS: coordinates; GRID: heights, rows from the least y */
    int count, columns, rows;
    double base; /* GRID: thickness below zero */
    fnd_model_surface surface;
    fnd_model_body *body;
    int material; /* number of its material, assigned by assemble */
    fnd_model_shape *next;
};

struct fnd_model_point {
    const char *original, *name;
    fnd_location location;
    fender_pose pose;
    fnd_model_body *body;
    fnd_model_point *next;
};

struct fnd_model_body {
    const char *original, *name;
    fnd_location location;
    fnd_model_body *parent; /* NULL: a root */
    fender_pose pose;       /* in the parent, or in the world; with joints at their reference */
    fnd_model_joint *joints;
    bool fixed;                                   /* a root that never moves */
    bool dissolves;                               /* a fixed root without a name of its own: left out when empty */
    bool lenient_inertia, has_mass, has_location; /* has_location: of mass properties */
    fender_mass_properties mass;                  /* in the body's axes */
    fnd_location mass_location;
    fender_vec3 velocity, angular_velocity; /* of a root */
    fnd_model_shape *shapes, **shapes_end;
    fnd_model_point *points, **points_end;
    /* assigned by assemble */
    bool link;                /* held by a bushing, not rigidly */
    bool stands;              /* a link: the part beyond it may touch something fixed */
    fnd_model_point *ends[2]; /* of the bushing: in the parent, in this body */
    bool placed;              /* in the list, behind its parent */
    fender_pose world;
    fnd_model_body *carrier; /* the body of the scenario that holds its shapes and points */
    fender_pose in_carrier;
    fnd_model_body *cluster; /* the root of the bodies that move together */
    double cluster_mass;     /* of a cluster's root */
    fender_vec3 cluster_center;
    fender_mat3 cluster_inertia;     /* about the centre, world axes */
    struct fnd_model_motion *motion; /* of a cluster's root that has links; else NULL */
    double contact_mass;             /* of a cluster's root: the mass that a contact meets */
    fnd_model_body *next;
};

/* What is said of two shapes or bodies. */
struct fnd_model_rule {
    fnd_model_shape *shapes[2]; /* NULL: bodies */
    fnd_model_body *bodies[2];
    bool never;
    fnd_model_surface surface; /* unless never */
    fnd_location location;
    fnd_model_rule *next;
};

/* Two bodies that are held together. */
typedef struct fnd_model_weld fnd_model_weld;
struct fnd_model_weld {
    fnd_model_body *first, *second;
    bool posed;
    fender_pose pose; /* of the second in the first, when posed */
    fnd_location location;
    fnd_model_weld *next;
};

typedef struct fnd_model_material {
    const char *name;
    fnd_model_body *cluster;
    fnd_model_surface surface;
} fnd_model_material;

typedef struct fnd_model {
    fender_env env;
    fnd_arena *arena;
    fnd_diagnostics *diagnostics;
    const fender_model_import *options;
    const char *file, *directory; /* name of the file; its folder with a slash, or "" */
    const char *title, *format;
    fnd_location location; /* of the root element */
    bool failed_memory;
    int warnings;
    /* the model */
    fnd_model_body *bodies, **bodies_end; /* parents before their children */
    int body_count;
    fnd_model_rule *rules, **rules_end;
    fnd_model_weld *welds, **welds_end;
    fender_vec3 gravity;
    double step;
    const char *integrator_remark; /* the integrator that the file asks for */
    bool soft_contact;             /* contacts follow MuJoCo's solref and solimp */
    bool pairs_only;               /* only shapes of rules touch */
    bool no_pairs;                 /* rules of shapes do not count */
    bool touch_parents;            /* so do bodies that a joint connects */
    bool keep_short_time;          /* solref may be shorter than two steps */
    /* assigned by assemble */
    double total_mass; /* of all that moves */
    fnd_model_material *materials;
    int material_count, material_capacity;
    fender_model_report report;
} fnd_model;

/* ---- model.c: diagnostics, memory, values; those that fail have reported why */

void fnd_model_error(fnd_model *model, const fnd_location *location, fender_status status, const char *message,
                     const char *found, const char *expected, const char *suggestion);
void fnd_model_warn(fnd_model *model, const fnd_location *location, const char *message, const char *suggestion);
void fnd_model_note(fnd_model *model, const fnd_location *location, const char *message, const char *suggestion);
/* An error, or with `lenient` a warning. */
void fnd_model_unknown(fnd_model *model, const fnd_location *location, const char *message, const char *found,
                       const char *expected, const char *suggestion);
void *fnd_model_keep(fnd_model *model, size_t count, size_t size);
const char *fnd_model_keep_text(fnd_model *model, const char *text);
#define FND_MODEL_NEW(model, type) ((type *)fnd_model_keep((model), 1, sizeof(type)))

/* Reads `least` to `most` numbers separated by spaces; *count (NULL: least == most) is their number. */
bool fnd_model_numbers(fnd_model *model, const fnd_xml_attribute *attribute, double *values, int least, int most,
                       int *count);
bool fnd_model_integer(fnd_model *model, const fnd_xml_attribute *attribute, int *value);
bool fnd_model_bool(fnd_model *model, const fnd_xml_attribute *attribute, bool *value);
/* Index of the value among `count` words; -1 after an error. */
int fnd_model_choice(fnd_model *model, const fnd_xml_attribute *attribute, const char *const *words, int count);
/* The attribute that must be there; NULL after an error. */
fnd_xml_attribute *fnd_model_required(fnd_model *model, const fnd_xml_element *element, const char *name);
/* Errors for attributes that nobody has asked for, and for text. `known`: words that are read elsewhere. */
void fnd_model_check_used(fnd_model *model, const fnd_xml_element *element);
/* An error for an element that does not belong here; `names` are those that do. */
void fnd_model_unknown_element(fnd_model *model, const fnd_xml_element *element, const char *const *names, int count);

fnd_model_body *fnd_model_add_body(fnd_model *model, const char *original, fnd_location location,
                                   fnd_model_body *parent);
fnd_model_shape *fnd_model_add_shape(fnd_model *model, fnd_model_body *body, const char *original,
                                     fnd_location location);
fnd_model_point *fnd_model_add_point(fnd_model *model, fnd_model_body *body, const char *original,
                                     fnd_location location);
fnd_model_joint *fnd_model_add_joint(fnd_model *model, fnd_model_body *body, const char *original,
                                     fnd_location location);
fnd_model_rule *fnd_model_add_rule(fnd_model *model, fnd_location location);
/* Path of a file that the model names, as it is opened: NULL after an error when there is no regular file. */
const char *fnd_model_path(fnd_model *model, const fnd_location *location, const char *directory, const char *path);
struct fender_mesh_file;
/* A repaired mesh, in m; NULL after an error. */
struct fender_mesh_file *fnd_model_read_mesh(fnd_model *model, const fnd_location *location, const char *path,
                                             fender_vec3 scale);

/* ---- readers, a file each; false after an error */

bool fnd_model_read_urdf(fnd_model *model, const fnd_xml_element *root);
bool fnd_model_read_mjcf(fnd_model *model, fnd_xml_element *root);

/* ---- rotation.c */

fender_quaternion fnd_model_axis_angle(fender_vec3 axis, double angle); /* axis of unit length */
/* Rotations about x, y, z (letters) in turn: small letters about moving axes, capital letters about fixed ones. */
fender_quaternion fnd_model_euler(const char *sequence, const double angles[3]);
/* The shortest rotation of z to the direction, which is not zero. */
fender_quaternion fnd_model_z_to(fender_vec3 direction);
fender_quaternion fnd_model_from_axes(fender_vec3 x, fender_vec3 y, fender_vec3 z); /* orthonormal */
/* R I R^T */
fender_mat3 fnd_model_turn_inertia(fender_quaternion q, const fender_mat3 *inertia);
/* Adds a part, given in the axes of the sum. */
void fnd_model_add_mass(fender_mass_properties *sum, const fender_mass_properties *part);
fender_mass_properties fnd_model_place_mass(fender_pose pose, const fender_mass_properties *mass);

/* ---- impedance.c */

/* Does solimp change a contact by more than a tenth over its width? */
bool fnd_model_impedance_varies(const fnd_model_surface *surface);
/* The depth at which MuJoCo's contact carries a weight that sinks its spring alone to `spring_depth`. */
double fnd_model_impedance_rest(const fnd_model_surface *surface, double spring_depth);

/* ---- assemble.c, write.c; false after an error */

bool fnd_model_assemble(fnd_model *model);
bool fnd_model_write(fnd_model *model, fnd_buffer *to);

/* Reduced mass of two clusters; a fixed one is infinitely heavy. 0: both are fixed. */
double fnd_model_reduced_mass(const fnd_model_body *a, const fnd_model_body *b);
/* The same, of the masses that contacts meet. */
double fnd_model_reduced_contact_mass(const fnd_model_body *a, const fnd_model_body *b);
/* Of a link: the frame of its joints in the world, and which directions are free. Slides keep their direction in the
 * parent. */
fender_pose fnd_model_link_frame(const fnd_model_body *b, bool slides[3], bool turns[3]);
/* The frame of a body's joints, with the axis of a single one as x: pose in the body, and which directions are free.
 * False when the joints have no common anchor, or axes that are neither parallel nor at right angles. */
bool fnd_model_joint_frame(const fnd_model_body *body, fender_pose *frame, bool slides[3], bool turns[3]);

#endif
