/* fender/model_file.h - robot and vehicle models (URDF, MJCF) converted to scenarios. Library fender_io. Which elements
 * are read, and what becomes of them: docs/manual/import.md.
 *
 * The result is the text of a scenario with a comment at each part that states its origin. Bodies, shapes, mass
 * properties and points keep their numbers; joints become rigid attachments or bushings. What the text cannot
 * express is a warning that names the element. Elements that the format does not have are errors, unless `lenient`.
 */
#ifndef FENDER_MODEL_FILE_H
#define FENDER_MODEL_FILE_H

#include "base.h"

/* Larger files are refused. */
#define FENDER_MODEL_FILE_LIMIT ((size_t)16 << 20)

/* A folder that `package://NAME/..` in URDF refers to. */
typedef struct fender_model_package {
    const char *name, *directory;
} fender_model_package;
/* Position of a joint, from its zero position (URDF) or its reference position (MJCF). */
typedef struct fender_model_joint {
    const char *name;
    double position;  /* rad or m */
    const char *unit; /* "rad" or "m": which of the two, refused where the joint has the other; NULL: as the joint */
} fender_model_joint;

/* Options. Initialise with fender_model_import_default. Strings and arrays are borrowed during the call. */
typedef struct fender_model_import {
    size_t size; /* of this struct: set by fender_model_import_default */
    const fender_model_package *packages;
    int package_count;
    const fender_model_joint *joints;
    int joint_count;
    const char *keyframe;         /* MJCF: name or number of the keyframe that gives positions; NULL: none */
    const char *output_directory; /* to which paths in the scenario are relative; NULL: the working directory */
    bool bushings;      /* joints become links that are stiff in locked directions (false: joints are rigid) */
    bool fixed_base;    /* URDF: the root link is fixed to the world (false: it moves freely) */
    bool ground;        /* add a fixed plane z = 0 */
    bool mesh_surfaces; /* meshes touch with their triangles (false: with their convex hulls) */
    bool lenient;       /* unknown elements and attributes, and impossible inertias, are warnings */
} fender_model_import;
FENDER_API fender_model_import fender_model_import_default(void);

/* Numbers of objects in the scenario. */
typedef struct fender_model_report {
    const char *format; /* "urdf" or "mjcf" */
    int bodies, shapes, points, links;
    int rigid_joints; /* joints with a degree of freedom that the scenario holds */
    int warnings;     /* reported through env->report */
} fender_model_report;

typedef struct fender_model_file fender_model_file;
/* Reads a model; `parse` reads it from memory. The format is that of the root element, <robot> or <mujoco>. `env` NULL:
 * the default. `name` is used in messages, and paths in the model are relative to its folder. `import` NULL: the
 * default. All diagnostics are reported through env->report, sorted by place. NULL on failure: FILE, PARSE, NAME,
 * VALUE, MEMORY, and NOT_BUILT in builds without expat. Any thread. */
FENDER_API fender_model_file *fender_model_file_read(const fender_env *env, const char *path,
                                                     const fender_model_import *import, fender_error *error);
FENDER_API fender_model_file *fender_model_file_parse(const fender_env *env, const char *name, const void *bytes,
                                                      size_t length, const fender_model_import *import,
                                                      fender_error *error);
FENDER_API void fender_model_file_destroy(fender_model_file *model);

FENDER_API const fender_model_report *fender_model_file_report(const fender_model_file *model);
/* The scenario: terminated YAML text, borrowed. `length` may be NULL. */
FENDER_API const char *fender_model_file_scenario(const fender_model_file *model, size_t *length);
/* True if this library is built with expat. */
FENDER_API bool fender_model_has_xml(void);

#endif
