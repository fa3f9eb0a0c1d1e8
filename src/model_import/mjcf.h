/* Shared by the readers of MJCF: compiler settings, default classes, assets. */
#ifndef FND_MODEL_IMPORT_MJCF_H
#define FND_MODEL_IMPORT_MJCF_H

#include "model_import/model.h"

/* A class of defaults. A child inherits from its parent. */
typedef struct fnd_mjcf_class fnd_mjcf_class;
typedef struct fnd_mjcf_part fnd_mjcf_part; /* an element <default>; the main class may have several, the last first */
struct fnd_mjcf_part {
    const fnd_xml_element *element;
    fnd_mjcf_part *before;
};
struct fnd_mjcf_class {
    const char *name;
    fnd_mjcf_part *parts;
    const fnd_mjcf_class *parent;
    fnd_mjcf_class *next;
};

typedef struct fnd_mjcf_asset fnd_mjcf_asset;
struct fnd_mjcf_asset {
    const char *name;
    const fnd_xml_element *element;
    bool grid;
    /* read at the first use */
    bool read, good;
    const char *file;
    fender_vec3 scale;
    fender_pose reference;
    const double *values;
    int count, columns, rows;
    double size[4];                   /* of a height field */
    fender_mass_properties unit_mass; /* of a mesh, for density 1 */
    fnd_mjcf_asset *next;
};

typedef struct fnd_mjcf {
    fnd_model *model;
    bool radians;
    char euler[4];
    const char *mesh_directory;
    bool exact_meshes; /* exactmeshinertia */
    int from_geoms;    /* of inertias: 0 never, 1 always, 2 where there is no <inertial> */
    int groups[2];
    double total_mass; /* of the whole model; 0: as it is */
    fnd_mjcf_class *classes, main;
    fnd_mjcf_asset *assets;
    int lights; /* and cameras */
    fnd_model_body *world;
    int files; /* included */
} fnd_mjcf;

/* ---- mjcf_value.c */

/* Errors for attributes that MJCF does not have in this element, and warnings for those that change the motion. */
void fnd_mjcf_check_attributes(fnd_mjcf *m, const fnd_xml_element *element);
void fnd_mjcf_read_defaults(fnd_mjcf *m, const fnd_xml_element *element, fnd_mjcf_class *class);
/* The class of an element within a body of the class; NULL after an error. */
const fnd_mjcf_class *fnd_mjcf_class_of(fnd_mjcf *m, const fnd_xml_element *element, const char *attribute,
                                        const fnd_mjcf_class *within);
/* The attribute, or that of the class and those that it inherits from. class NULL: no defaults. */
const fnd_xml_attribute *fnd_mjcf_find(const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name);
/* Numbers; those that are left out at the end keep what the class gives, or what is in `values`. Number of those
 * given; 0: none; -1 after an error. */
int fnd_mjcf_numbers(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name,
                     double *values, int least, int most);
double fnd_mjcf_number(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name,
                       double value);
int fnd_mjcf_integer(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name,
                     int value);
double fnd_mjcf_angle(const fnd_mjcf *m, double value);
/* pos, and one of quat, axisangle, xyaxes, zaxis, euler. */
fender_pose fnd_mjcf_pose(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class);
/* The name, or "". */
const char *fnd_mjcf_name(const fnd_xml_element *element);

/* ---- mjcf_asset.c */

void fnd_mjcf_read_assets(fnd_mjcf *m, const fnd_xml_element *section);
/* The asset, read; NULL after an error. */
const fnd_mjcf_asset *fnd_mjcf_asset_of(fnd_mjcf *m, const fnd_xml_attribute *name, bool grid);

/* ---- mjcf_body.c */

/* What lies in a body or frame: the frame is placed by `offset` in the body. */
void fnd_mjcf_read_body(fnd_mjcf *m, const fnd_xml_element *element, fnd_model_body *body, const fnd_mjcf_class *class,
                        fender_pose offset);
fnd_model_surface fnd_mjcf_surface(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class);

#endif
