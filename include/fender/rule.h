/* fender/rule.h - rules: which contact type acts between which shapes, bodies or materials. */
#ifndef FENDER_RULE_H
#define FENDER_RULE_H

#include "world.h"

typedef enum fender_rule_kind { /* in order of precedence */
                                FENDER_RULE_SHAPES,
                                FENDER_RULE_BODIES,
                                FENDER_RULE_MATERIALS,
                                FENDER_RULE_DEFAULT
} fender_rule_kind;
typedef struct fender_rule_def {
    size_t size; /* of this struct: set by fender_rule_def_default */
    fender_rule_kind kind;
    fender_shape_id shape_a, shape_b;          /* FENDER_RULE_SHAPES; order does not matter in any kind */
    fender_body_id body_a, body_b;             /* FENDER_RULE_BODIES */
    fender_material_id material_a, material_b; /* FENDER_RULE_MATERIALS; may be the same */
    fender_contact_type_id use;                /* null: the pair never touches */
    /* Pairs of geometries without a contact function (fender_geometry_pair_supported): false: a rule that names such
     * shapes, or bodies with such shapes that it decides, is an error; true: they pass through each other. */
    bool ignore_unsupported;
} fender_rule_def;
/* The default rule, for which no pair touches. */
FENDER_API fender_rule_def fender_rule_def_default(void);
/* A duplicate pair of one kind is refused (NAME). Geometries without a contact function are refused (VALUE): for two
 * shapes here and in fender_rule_set_use; for two bodies, whose shapes may be added later, in
 * fender_world_initialize, with the path rules[N], N in order of creation from 0. Rules for materials and the
 * default refuse none. */
FENDER_API fender_status fender_rule_create(fender_world *world, const fender_rule_def *def, fender_rule_id *id,
                                            fender_error *error);
FENDER_API fender_status fender_rule_get_def(const fender_world *world, fender_rule_id rule, fender_rule_def *def);
/* Changes the contact type of a rule, or excludes its pairs (null). In an initialized world it takes effect
 * immediately, clears the event list and fills it with the resulting events: contacts of these pairs end with their
 * old law (end hook, end event), lose its memory, and begin again under the new type if the shapes are within its
 * activation distance. The end of each key precedes its beginning, in the order of keys. The change of stored energy is
 * booked as applied. If the rule already has that type, contacts continue. Pairs that the new laws may connect get
 * their links (law.h, FENDER_LAW_CONNECTS); VALUE: more than 1000 pairs would have one. What laws connect at once is
 * connected when the call returns, with its events. */
FENDER_API fender_status fender_rule_set_use(fender_world *world, fender_rule_id rule, fender_contact_type_id use,
                                             fender_error *error);
/* Destroys a rule. In an initialized world it takes effect immediately, as fender_rule_set_use does, and the next
 * rule in precedence applies. */
FENDER_API fender_status fender_rule_destroy(fender_world *world, fender_rule_id rule, fender_error *error);
/* In order of creation; the null id past the end. */
FENDER_API int fender_rule_count(const fender_world *world);
FENDER_API fender_rule_id fender_rule_at(const fender_world *world, int index);

/* Reason why two shapes can or cannot touch. */
typedef enum fender_pair_reason {
    FENDER_PAIR_MAY_TOUCH,
    FENDER_PAIR_SAME_BODY,
    FENDER_PAIR_SAME_TREE,      /* attached to each other */
    FENDER_PAIR_BOTH_IMMOVABLE, /* fixed or prescribed, both */
    FENDER_PAIR_RULE_NEVER,
    FENDER_PAIR_NO_RULE,
    FENDER_PAIR_NOT_ACTIVE,
    FENDER_PAIR_NO_FUNCTION,
    FENDER_PAIR_OUT_OF_RANGE, /* contact_limit_factor, at the committed state */
    FENDER_PAIR_NO_STATE,     /* one is mass only and not attached to a body that has a state */
    FENDER_PAIR_NO_INSIDE     /* two disks, or a disk and a point or cloud, unrounded: a distance, but no depth */
} fender_pair_reason;
enum { FENDER_PAIR_REASON_COUNT = FENDER_PAIR_NO_INSIDE + 1 };
typedef struct fender_pair_explanation {
    fender_pair_reason reason;
    fender_shape_id a, b;          /* the shapes */
    fender_rule_id rule;           /* the rule that applies; null: none */
    fender_rule_id overruled;      /* the rule of next lower precedence that also matches; null: none */
    fender_contact_type_id use;    /* null if the rule excludes contact */
    double onset_gap, release_gap; /* m; activation distance of the type's laws */
} fender_pair_explanation;
FENDER_API fender_status fender_world_explain(const fender_world *world, fender_shape_id one, fender_shape_id other,
                                              fender_pair_explanation *explanation);

/* Of a pair that may touch, with its contact type. False ends the visit. It must not change the world. */
typedef bool fender_pair_visitor(void *ctx, fender_shape_id a, fender_shape_id b, fender_contact_type_id use);
/* Decides all pairs of shapes as fender_world_explain does, in the order of their ids, and calls `visitor` (NULL: none)
 * for those that may touch, in or out of range. `reasons` [FENDER_PAIR_REASON_COUNT] receives the number of pairs by
 * reason, up to where the visit ended; NULL: not wanted. No list of pairs is made, and pairs of shapes that differ in
 * few materials, motions and types of geometry are decided once. MEMORY. */
FENDER_API fender_status fender_world_visit_pairs(const fender_world *world, fender_pair_visitor *visitor, void *ctx,
                                                  int64_t *reasons);

#endif
