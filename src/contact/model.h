/* Shapes, materials, contact types and rules. */
#ifndef FND_CONTACT_MODEL_H
#define FND_CONTACT_MODEL_H

#include "base/name_index.h"
#include "body/body.h"
#include "body/part.h"
#include "collide/pair_table.h"

typedef struct fnd_shape { /* 256 bytes: shapes are looked up by index for every pair */
    char *name;            /* NULL: destroyed; the slot is free */
    void *user_data;
    int body, material; /* material -1: none */
    int root;           /* of the body's tree: the body whose state moves the shape */
    uint16_t generation;
    bool aligned;         /* R_BG is the identity */
    bool centered;        /* p_BG is zero */
    bool active, leaving; /* leaving: it was active before its body was being destroyed */
    bool runs;            /* its surface moves: running, spinning */
    fender_geometry *geometry;
    fender_pose X_SG;
    fender_vec3 p_BG; /* centre of mass of the root to the geometry's origin, in body axes of the root */
    fender_mat3 R_BG;
    double bounding_radius;
    fender_vec3 running, spinning; /* m/s, rad/s; in G */
} fnd_shape;

/* A mass point. */
typedef struct fnd_point {
    char *name; /* NULL: its body was destroyed */
    uint16_t generation;
    int body;
    fender_pose X_SP;
} fnd_point;

/* One law of a contact type with its parameters. */
typedef struct fnd_slot {
    const fender_law *law; /* NULL: none */
    void *parameters;
    const fender_field *least_speed; /* of its parameters: the speed at which friction ends, left to the world */
    size_t memory_offset;            /* in the contact's memory */
    int state_offset;                /* among the contact's continuous states */
} fnd_slot;

enum { FND_SLOT_PRIMARY, FND_SLOT_FRICTION, FND_SLOT_ROLLING, FND_SLOT_TWISTING, FND_SLOT_COUNT };

typedef struct fnd_contact_type {
    char *name;
    union {
        fnd_slot slots[FND_SLOT_COUNT];
        struct {
            fnd_slot primary; /* whole or normal */
            fnd_slot friction, rolling, twisting;
        };
    };
    int slot_count; /* up to the last that has a law */
    int mode_slot;  /* the slot whose modes are those of the contact: the first with modes */
    bool whole;
    bool sees_surface;  /* a law asks for it */
    bool connects;      /* a law may connect the bodies */
    bool own_energy;    /* a law of the host's tells its stored energy */
    bool turns, splits; /* how its patches on planes are asked for: see fnd_manifold */
    double exponent;    /* likewise: of the normal law's depth; 1: linear, or no power */
    size_t memory_size; /* of the laws; their continuous states stand behind it */
    int state_count;
    double onset_gap, release_gap;
    fender_contact_points points;
    bool unlocated; /* its begin and end do not end a step */
    bool is_prescribed;
    const struct fnd_contact_model *model;    /* for the ids passed to force functions */
    fender_prescribed_force prescribed_force; /* tables are its own */
    /* Batches may find the forces of its contacts, with these numbers (contact/batch.h): of smooth friction, or of
     * friction that sticks. */
    bool batch, sticks;
    double stiffness, damping, mu, slip_speed;
} fnd_contact_type;

typedef struct fnd_rule {
    fender_rule_def def;
    fender_rule_kind kind;
    uint32_t low, high; /* indices of shapes, bodies or materials */
    int use;            /* contact type, -1: never */
    int index;          /* order of creation: indices are never reused */
} fnd_rule;

typedef struct fnd_contact_model {
    uint16_t number; /* of the world, in its ids */
    fnd_body *bodies;
    int body_count, body_capacity;
    int bodies_gone, shapes_gone, points_gone; /* slots that are free */
    fnd_shape *shapes;
    int shape_count, shape_capacity;
    char **materials;
    int material_count, material_capacity;
    fnd_contact_type *types;
    int type_count, type_capacity;
    fnd_point *points;
    int point_count, point_capacity;
    fnd_rule *rules; /* sorted by kind, low, high */
    int rule_count, rule_capacity;
    int rules_added;                                                                 /* so far */
    fnd_name_index body_names, shape_names, point_names, material_names, type_names; /* scope of shapes, points: body */
    double step;                                                                     /* s; of fixed-step methods */
    double contact_limit_factor;
    fnd_parts *parts; /* motion of attached bodies; NULL: no body has any */
} fnd_contact_model;

/* ---- Ids: the slot of an object in its array, the world, and how often the slot has been given anew ---- */

/* fnd_NOUN_id makes the id of a slot, null for -1; fnd_NOUN_live tells whether an id is of an object that is there.
 * `number`: of the world, within `owner`. */
#define FND_SLOT_IDS(noun, plural, owner, number)                                                                     \
    static inline fender_##noun##_id fnd_##noun##_id(const owner *o, int i)                                           \
    {                                                                                                                 \
        return i < 0 ? (fender_##noun##_id){0}                                                                        \
                     : (fender_##noun##_id){(uint32_t)i + 1, o->number, o->plural[i].generation};                     \
    }                                                                                                                 \
    static inline bool fnd_##noun##_live(const owner *o, fender_##noun##_id id)                                       \
    {                                                                                                                 \
        return id.world == o->number && id.index1 - 1 < (uint32_t)o->noun##_count && o->plural[id.index1 - 1].name && \
               o->plural[id.index1 - 1].generation == id.generation;                                                  \
    }
FND_SLOT_IDS(body, bodies, fnd_contact_model, number)
FND_SLOT_IDS(shape, shapes, fnd_contact_model, number)
FND_SLOT_IDS(point, points, fnd_contact_model, number)
/* Materials, contact types and rules give no slot anew. */
static inline fender_material_id fnd_material_id(const fnd_contact_model *m, int i)
{
    return i < 0 ? (fender_material_id){0} : (fender_material_id){(uint32_t)i + 1, m->number, 1};
}
static inline fender_contact_type_id fnd_type_id(const fnd_contact_model *m, int i)
{
    return i < 0 ? (fender_contact_type_id){0} : (fender_contact_type_id){(uint32_t)i + 1, m->number, 1};
}
static inline fender_rule_id fnd_rule_id(const fnd_contact_model *m, const fnd_rule *rule) /* NULL: null */
{
    return rule ? (fender_rule_id){(uint32_t)rule->index + 1, m->number, 1} : (fender_rule_id){0};
}
static inline bool fnd_material_live(const fnd_contact_model *m, fender_material_id id)
{
    return id.world == m->number && id.index1 - 1 < (uint32_t)m->material_count && id.generation == 1;
}
static inline bool fnd_type_live(const fnd_contact_model *m, fender_contact_type_id id)
{
    return id.world == m->number && id.index1 - 1 < (uint32_t)m->type_count && id.generation == 1;
}
/* The rule of an id, or NULL. */
fnd_rule *fnd_rule_of(const fnd_contact_model *model, fender_rule_id id);

/* Pose of each shape on its integrated body. Call it after fnd_tree_layout. */
void fnd_shapes_pose(fnd_contact_model *model);
/* Moves the attached bodies that follow a motion, and their shapes, to where they are at a time: poses and mass
 * properties of trees are those of one time, whichever was evaluated last. */
void fnd_model_move(const fnd_contact_model *model, double time);
/* Do parts of trees move? */
static inline bool fnd_model_moves(const fnd_contact_model *model) { return model->parts && model->parts->active > 0; }
/* After a change of trees: who moves, and all of them at the time that they have. */
void fnd_model_move_anew(fnd_contact_model *model);
/* Values of the motion for all bodies, at a time. False: no memory, and nothing has changed. */
bool fnd_model_reserve_parts(const fender_env *env, fnd_contact_model *model, double time);
void fnd_contact_model_release(const fender_env *env, fnd_contact_model *model);
/* Rule of highest precedence for two shapes, at or below the kind `from`; NULL: none. */
const fnd_rule *fnd_rule_decide(const fnd_contact_model *model, int shape_a, int shape_b, fender_rule_kind from);
/* FENDER_PAIR_MAY_TOUCH (and the type), or the reason why not; ignores the range limit. The shapes may be in any order.
 */
fender_pair_reason fnd_pair_decide(const fnd_contact_model *model, int shape_a, int shape_b, int *type);

void fnd_rule_remove(fnd_contact_model *model, int at);
/* Restores an entry that was just removed; memory is available. */
void fnd_rule_put_back(fnd_contact_model *model, fnd_rule rule);
fender_status fnd_rule_insert(const fender_env *env, fnd_contact_model *model, fnd_rule rule, fender_error *error);
fender_status fnd_contact_type_init(const fender_env *env, fnd_contact_type *type, const fender_contact_type_def *def,
                                    fender_error *error);
void fnd_contact_type_release(const fender_env *env, fnd_contact_type *type);
/* For how many points of a cloud; 0: none, 1: the same for all contacts. */
int fnd_prescribed_columns(const fnd_contact_type *type);

/* Rotation of a shape's geometry frame, W from G. */
static inline fender_mat3 fnd_shape_rotation(const fnd_shape *shape, const fnd_frame *frame)
{
    return shape->aligned ? frame->R_WB : fender_mat3_product(&frame->R_WB, &shape->R_BG);
}
/* Depth limit of a shape: the bounding radius, or the thickness if that is less; of a line of sight, which loses the
 * surface when its start passes it, a part of its length. 0: a point. */
static inline double fnd_shape_size(const fnd_shape *shape)
{
    if (shape->geometry->type == FENDER_GEOMETRY_PROBE)
        return 0.95 * (shape->geometry->range + shape->geometry->cushion);
    const double thickness = shape->geometry->thickness;
    return thickness > 0 && thickness < shape->bounding_radius ? thickness : shape->bounding_radius;
}
/* Centre and half sizes, along world axes, of the box about a shape on a body at that frame. */
void fnd_shape_box(const fnd_shape *shape, const fnd_frame *frame, fender_vec3 *center, fender_vec3 *half);
/* The same of all that its contacts may be with: of an open mesh also what is behind it, within its bounding sphere. No
 * corner moves by more than the angle of a turn times the arm. */
void fnd_shape_reach_box(const fnd_shape *shape, const fnd_frame *frame, fender_vec3 *center, fender_vec3 *half);
double fnd_shape_reach_arm(const fnd_shape *shape);

#endif
