/* The eleven signals of a contact as Simscape's block has them: of a pair, and of each point of a cloud. */
#include "geometry/geometry.h"
#include "world/world.h"
#include <string.h>

#define FIELD(type, member, unit_text, doc_text)                                                                      \
    {                                                                                                                 \
#member, unit_text, doc_text, type, offsetof(fender_contact_signals, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
#define REAL(member, unit, doc)   FIELD(FENDER_FIELD_REAL, member, unit, doc)
#define VECTOR(member, unit, doc) FIELD(FENDER_FIELD_VEC3, member, unit, doc)
#define MATRIX(member, unit, doc) FIELD(FENDER_FIELD_MATRIX3, member, unit, doc)

static const fender_field signal_fields[] = {
    FIELD(FENDER_FIELD_BOOL, contact, "1", "1 while there is a contact, else 0."),
    REAL(penetration_depth, "m", "Depth of penetration, 0 while apart."),
    REAL(separation_distance, "m", "Smallest distance; while they overlap, minus the depth of penetration."),
    REAL(normal_force, "N", "Magnitude of the normal force."),
    REAL(friction_force, "N", "Magnitude of the tangential force."),
    REAL(normal_velocity, "m/s", "Velocity of the follower relative to the base along z, positive while they part."),
    FIELD(FENDER_FIELD_VEC2, tangential_velocity, "m/s",
          "Velocity of the follower relative to the base along x and y of the contact frame."),
    MATRIX(base_rotation, "1", "Takes vectors of the contact frame to the geometry frame of the base."),
    VECTOR(base_translation, "m", "Contact point in the geometry frame of the base."),
    MATRIX(follower_rotation, "1", "Takes vectors of the contact frame to the geometry frame of the follower."),
    VECTOR(follower_translation, "m", "Contact point in the geometry frame of the follower."),
};
static const fender_field_table signal_table = FENDER_FIELD_TABLE("contact_signals", signal_fields,
                                                                  fender_contact_signals);
const fender_field_table *fender_contact_signal_fields(void) { return &signal_table; }

/* A pair at the committed state, or the one that is shown: a is before b in the world, whoever is the base. */
typedef struct pair_view {
    const fender_world *world;
    const fnd_shape *shape_a, *shape_b;
    fnd_frame frame_a, frame_b; /* of the roots */
    fnd_posed a, b;             /* origin at the centre of mass of a's root */
    fnd_pair_entry entry;
    uint32_t index_a, index_b;
    bool rotated;    /* b is the base */
    int point_count; /* of the cloud; 0: there is none */
} pair_view;

static int cloud_size(const fnd_shape *shape)
{
    int count = 0;
    if (fender_geometry_type_of(shape->geometry) == FENDER_GEOMETRY_CLOUD)
        (void)fender_geometry_vertices(shape->geometry, &count);
    return count;
}

static fender_status look_at(const fender_world *world, fender_shape_id base, fender_shape_id follower, pair_view *s)
{
    const fnd_contact_model *model = &world->model;
    if (!fnd_shape_live(model, base) || !fnd_shape_live(model, follower)) return FENDER_STATUS_STALE_ID;
    if (base.index1 == follower.index1) return FENDER_STATUS_ARGUMENT;
    if (!world->initialized) return FENDER_STATUS_STATE;
    s->world = world;
    s->rotated = follower.index1 < base.index1;
    s->index_a = (s->rotated ? follower.index1 : base.index1) - 1;
    s->index_b = (s->rotated ? base.index1 : follower.index1) - 1;
    s->shape_a = &model->shapes[s->index_a];
    s->shape_b = &model->shapes[s->index_b];
    s->entry = fnd_pair_find(s->shape_a->geometry, s->shape_b->geometry);
    if (!s->entry.function) return FENDER_STATUS_NO_PAIR_FUNCTION;
    fnd_frame room;
    const fnd_body *body_a = &model->bodies[s->shape_a->body], *body_b = &model->bodies[s->shape_b->body];
    s->frame_a = fnd_part_carrier(body_a, fnd_world_frame(world, s->shape_a->root, false, &room));
    s->frame_b = fnd_part_carrier(body_b, fnd_world_frame(world, s->shape_b->root, false, &room));
    fnd_shapes_pose_pair(s->shape_a, s->shape_b, &s->frame_a, &s->frame_b, &s->a, &s->b);
    int size_a = cloud_size(s->shape_a), size_b = cloud_size(s->shape_b);
    s->point_count = size_a > size_b ? size_a : size_b;
    return FENDER_STATUS_OK;
}

/* Contacts of the pair: *end is behind the last. The row that stands for a pair with pair events counts where it stands
 * alone, at a touch whose patches have no area yet. */
static const fnd_contact *contacts_of(const pair_view *s, const fnd_contact **end)
{
    const fnd_contact_list *list = &s->world->dynamics.evaluations[0].contacts;
    const fnd_key first = {s->index_a, s->index_b, 0}, last = {s->index_a, s->index_b, UINT64_MAX};
    int from = 0, to = list->count;
    while (from < to) {
        int middle = (from + to) / 2;
        if (fnd_key_compare(&list->items[middle].key, &first) < 0) from = middle + 1;
        else to = middle;
    }
    for (to = from; to < list->count && fnd_key_compare(&list->items[to].key, &last) <= 0;) to++;
    if (to > from + 1 && list->items[to - 1].key.feature == FENDER_FEATURE_PAIR) to--;
    *end = list->items + to;
    return list->items + from;
}

static fender_contact_signals apart(double distance)
{
    fender_contact_signals none;
    memset(&none, 0, sizeof none);
    none.base_rotation = none.follower_rotation = fender_mat3_identity();
    none.separation_distance = distance;
    none.penetration_depth = distance < 0 ? -distance : 0;
    return none;
}

/* Frame of the contact and motion at a place, `lever_a` from the centre of mass of a's root; force in world axes. */
static fender_contact_signals describe(const pair_view *s, const fnd_contact *c, fender_vec3 lever_a, double distance)
{
    fender_contact_signals out = apart(distance);
    fender_vec3 x = c->tangent, y = fender_vec3_cross(c->normal, x), z = c->normal;
    fender_vec3 lever_b = fender_vec3_sub(lever_a, fender_vec3_sub(s->frame_b.p, s->frame_a.p));
    fender_vec3 of_a = fender_vec3_add(s->frame_a.v, fender_vec3_cross(s->frame_a.w, lever_a));
    fender_vec3 of_b = fender_vec3_add(s->frame_b.v, fender_vec3_cross(s->frame_b.w, lever_b));
    fender_vec3 velocity = fender_vec3_sub(of_b, of_a);
    if (s->rotated) { /* the same x: then y and z turn round together */
        y = fender_vec3_negate(y);
        z = fender_vec3_negate(z);
        velocity = fender_vec3_negate(velocity);
    }
    out.contact = true;
    out.normal_velocity = fender_vec3_dot(velocity, z);
    out.tangential_velocity = (fender_vec2){fender_vec3_dot(velocity, x), fender_vec3_dot(velocity, y)};
    fender_mat3 R_WC = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    const fnd_posed *base = s->rotated ? &s->b : &s->a, *follower = s->rotated ? &s->a : &s->b;
    fender_mat3 to_base = fender_mat3_transpose(&base->R_WG), to_follower = fender_mat3_transpose(&follower->R_WG);
    out.base_rotation = fender_mat3_product(&to_base, &R_WC);
    out.follower_rotation = fender_mat3_product(&to_follower, &R_WC);
    out.base_translation = fender_mat3_times(&to_base, fender_vec3_sub(lever_a, base->p_WG));
    out.follower_translation = fender_mat3_times(&to_follower, fender_vec3_sub(lever_a, follower->p_WG));
    return out;
}

static fender_contact_signals of_one(const pair_view *s, const fnd_contact *c)
{
    fender_contact_signals out = describe(s, c, c->lever_a, -c->in.depth);
    out.normal_force = fabs(c->force_C.z);
    out.friction_force = sqrt(c->force_C.x * c->force_C.x + c->force_C.y * c->force_C.y);
    return out;
}

/* Least distance of a pair that is no cloud. False: there is none. */
static bool least_distance(const pair_view *s, double *distance)
{
    fender_separation nearest;
    fnd_manifold one = {.items = &nearest, .capacity = 1};
    fnd_query query = {FND_QUERY_DISTANCE, INFINITY, NULL, NULL, 0};
    fnd_pair_evaluate(&s->entry, &s->a, &s->b, &query, &one);
    if (one.count < 1) return false;
    *distance = nearest.distance;
    return true;
}

/* Centre of pressure; where nothing pushes that of a linear spring; in the frame of the levers of a. */
static fender_vec3 center_of(const fnd_contact *first, const fnd_contact *end, const fnd_contact *deepest)
{
    double push = 0, overlap = 0;
    fender_vec3 by_push = {0, 0, 0}, by_overlap = {0, 0, 0};
    for (const fnd_contact *c = first; c < end; c++) {
        fender_vec3 arm = fender_vec3_sub(c->lever_a, deepest->lever_a);
        double depth = c->in.depth > 0 ? c->in.weight * c->in.depth : 0;
        push += fabs(c->force_C.z);
        overlap += depth;
        by_push = fender_vec3_add_scaled(by_push, fabs(c->force_C.z), arm);
        by_overlap = fender_vec3_add_scaled(by_overlap, depth, arm);
    }
    if (push > 0) return fender_vec3_add_scaled(deepest->lever_a, 1 / push, by_push);
    if (overlap > 0) return fender_vec3_add_scaled(deepest->lever_a, 1 / overlap, by_overlap);
    return deepest->lever_a;
}

static fender_status sense_pair(const pair_view *s, fender_contact_signals *out)
{
    const fnd_contact *end, *first = contacts_of(s, &end), *deepest = first;
    if (end == first + 1) {
        *out = of_one(s, first);
        return FENDER_STATUS_OK;
    }
    double distance;
    if (!least_distance(s, &distance)) return FENDER_STATUS_NO_PAIR_FUNCTION;
    *out = apart(distance);
    if (end == first) return FENDER_STATUS_OK;
    double normal_force = 0;
    fender_vec3 force = {0, 0, 0};
    for (const fnd_contact *c = first; c < end; c++) {
        if (c->in.depth > deepest->in.depth) deepest = c;
        normal_force += c->force_C.z;
        force = fender_vec3_add(force, c->force);
    }
    fender_vec3 place = center_of(first, end, deepest);
    *out = describe(s, deepest, place, distance);
    out->normal_force = fabs(normal_force);
    double along = fender_vec3_dot(force, deepest->normal);
    out->friction_force = fender_vec3_length(fender_vec3_add_scaled(force, -along, deepest->normal));
    return FENDER_STATUS_OK;
}

/* Signals of the points from `from` on; `count` of them are wanted. */
static fender_status sense_cloud(const pair_view *s, int from, fender_contact_signals *out, int count)
{
    const fnd_contact *end;
    int touching = 0;
    for (int i = 0; i < count; i++) out[i] = apart(INFINITY);
    for (const fnd_contact *c = contacts_of(s, &end); c < end; c++) {
        int i = c->in.index - from;
        if (i < 0 || i >= count) continue;
        out[i] = of_one(s, c);
        touching++;
    }
    if (touching == count) return FENDER_STATUS_OK;
    /* room of the world's own, which steps use and grow: nothing is allocated when it is large enough */
    fnd_manifold *found = (fnd_manifold *)&s->world->dynamics.contacts.manifold;
    fnd_query query = {FND_QUERY_SINGLE, INFINITY, NULL, NULL, 0};
    found->count = 0;
    found->env = &s->world->env;
    fnd_pair_evaluate(&s->entry, &s->a, &s->b, &query, found);
    bool failed = found->failed;
    found->failed = false;
    if (failed) return FENDER_STATUS_MEMORY;
    for (int k = 0; k < found->count; k++) {
        int i = found->items[k].index - from;
        if (i >= 0 && i < count && !out[i].contact) out[i] = apart(found->items[k].distance);
    }
    return FENDER_STATUS_OK;
}

fender_status fender_contact_sense(const fender_world *world, fender_shape_id base, fender_shape_id follower,
                                   fender_contact_signals *signals, int capacity, int *count)
{
    if (!world || !count || capacity < 0 || (capacity > 0 && !signals)) return fnd_world_missing(NULL);
    pair_view s;
    fender_status status = look_at(world, base, follower, &s);
    if (status) return status;
    int all = s.point_count > 0 ? s.point_count : 1;
    if (s.point_count > 0) status = sense_cloud(&s, 0, signals, capacity < all ? capacity : all);
    else if (capacity > 0) status = sense_pair(&s, signals);
    if (!status) *count = all;
    return status;
}

fender_status fender_contact_sense_point(const fender_world *world, fender_shape_id base, fender_shape_id follower,
                                         int index, fender_contact_signals *signals)
{
    if (!world || !signals) return fnd_world_missing(NULL);
    pair_view s;
    fender_status status = look_at(world, base, follower, &s);
    if (status) return status;
    if (index < 0 || index >= (s.point_count > 0 ? s.point_count : 1)) return FENDER_STATUS_ARGUMENT;
    return s.point_count > 0 ? sense_cloud(&s, index, signals, 1) : sense_pair(&s, signals);
}
