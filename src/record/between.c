/* Two bodies: how one stands on the other, and how far apart they are. */
#include "record/between.h"

#include "record/outline.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define ROW(type, member, unit, kind, doc)                                                \
    {                                                                                     \
#member, unit, doc, kind, offsetof(type, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
static const fender_field support_rows[] = {
    ROW(fnd_support_data, stability_margin, "m", FENDER_FIELD_REAL,
        "Distance of the centre of mass to the edges of the support polygon, across gravity; positive inside."),
    ROW(fnd_support_data, tipping_energy, "J", FENDER_FIELD_REAL,
        "Least energy that raises the centre of mass over an edge of the support polygon."),
    ROW(fnd_support_data, support_points, "1", FENDER_FIELD_INT,
        "Contacts on which the body stands, with what is attached to it; links are not followed."),
};
static const fender_field clearance_rows[] = {
    ROW(fnd_clearance_data, clearance, "m", FENDER_FIELD_REAL,
        "Least distance of both; negative: the depth by which they overlap."),
};
#undef ROW

const fender_field_table *fnd_support_fields(void)
{
    static const fender_field_table table = FENDER_FIELD_TABLE("support", support_rows, fnd_support_data);
    return &table;
}

const fender_field_table *fnd_clearance_fields(void)
{
    static const fender_field_table table = FENDER_FIELD_TABLE("clearance", clearance_rows, fnd_clearance_data);
    return &table;
}

/* ---- bodies and what is attached to them */

/* A body with its subtree, without that of `without` below it (null: none). */
typedef struct part {
    fender_body_id top, without;
} part;

static bool descends(const fender_world *world, fender_body_id body, fender_body_id ancestor)
{
    while (body.index1 != 0 && body.index1 != ancestor.index1) body = fender_body_parent(world, body);
    return body.index1 != 0;
}

static void parts_of(const fender_world *world, fender_body_id a, fender_body_id b, part parts[2])
{
    parts[0] = (part){a, {0}};
    parts[1] = (part){b, {0}};
    if (descends(world, b, a)) parts[0].without = b;
    if (descends(world, a, b)) parts[1].without = a;
}

static bool belongs(const fender_world *world, const part *p, fender_shape_id shape)
{
    const fender_body_id body = fender_shape_body(world, shape);
    return descends(world, body, p->top) && (p->without.index1 == 0 || !descends(world, body, p->without));
}

/* ---- support */

/* Relative to the centre of mass; x and y across gravity. */
typedef struct foot {
    double x, y;
    fender_vec3 point;
} foot;
enum { FOOT_LIMIT = 512 }; /* of the corners of a hull; contacts may be more */
/* Of the extent of all points: what is nearer coincides. An edge that is no longer than rounding has no direction. */
static const double coincident = 1e-6;

static double turn(const foot *o, const foot *a, const foot *b)
{
    return (a->x - o->x) * (b->y - o->y) - (a->y - o->y) * (b->x - o->x);
}

static void sort(foot *feet, int count)
{
    for (int i = 1; i < count; i++) {
        const foot one = feet[i];
        int at = i;
        for (; at > 0 && (feet[at - 1].x > one.x || (feet[at - 1].x == one.x && feet[at - 1].y > one.y)); at--)
            feet[at] = feet[at - 1];
        feet[at] = one;
    }
}

/* The larger side of the rectangle about the points. */
static double extent_of(const foot *feet, int count)
{
    foot least = feet[0], most = feet[0];
    for (int i = 1; i < count; i++) {
        if (feet[i].x < least.x) least.x = feet[i].x;
        if (feet[i].x > most.x) most.x = feet[i].x;
        if (feet[i].y < least.y) least.y = feet[i].y;
        if (feet[i].y > most.y) most.y = feet[i].y;
    }
    return fmax(most.x - least.x, most.y - least.y);
}

/* Keeps the first of points that are no farther apart than `near`; they are sorted. */
static int keep_apart(foot *feet, int count, double near)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool is_new = true;
        for (int k = kept - 1; k >= 0 && is_new && feet[k].x >= feet[i].x - near; k--)
            is_new = hypot(feet[k].x - feet[i].x, feet[k].y - feet[i].y) > near;
        if (is_new) feet[kept++] = feet[i];
    }
    return kept;
}

/* Keeps the corners of the convex hull, counter-clockwise (Andrew's monotone chain); two for points on a line. */
static int keep_hull(foot *feet, int count)
{
    foot corners[FOOT_LIMIT + 1];
    int n = 0;
    assert(count <= FOOT_LIMIT);
    if (count < 2) return count;
    sort(feet, count);
    count = keep_apart(feet, count, coincident * extent_of(feet, count));
    if (count < 2) return count;
    for (int i = 0; i < count; i++) {
        while (n >= 2 && turn(&corners[n - 2], &corners[n - 1], &feet[i]) <= 0) n--;
        corners[n++] = feet[i];
    }
    const int lower = n + 1;
    for (int i = count - 2; i >= 0; i--) {
        while (n >= lower && turn(&corners[n - 2], &corners[n - 1], &feet[i]) <= 0) n--;
        if (n <= FOOT_LIMIT) corners[n++] = feet[i];
    }
    n--; /* the last is the first */
    memcpy(feet, corners, (size_t)n * sizeof *feet);
    return n;
}

/* Of the centre, at the origin, to the segment. */
static double distance_to(const foot *a, const foot *b)
{
    const double x = b->x - a->x, y = b->y - a->y, square = x * x + y * y;
    double at = square > 0 ? -(a->x * x + a->y * y) / square : 0;
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    return hypot(a->x + at * x, a->y + at * y);
}

static double margin_of(const foot *feet, int count)
{
    double nearest = INFINITY;
    bool inside = count >= 3;
    const foot center = {0, 0, {0, 0, 0}};
    for (int i = 0; i < count; i++) {
        const foot *a = &feet[i], *b = &feet[(i + 1) % count];
        const double d = distance_to(a, b);
        if (d < nearest) nearest = d;
        inside = inside && turn(a, b, &center) >= 0;
    }
    return inside ? nearest : -nearest;
}

/* How far the centre rises [m] when it turns about the line of two feet until it is highest. */
static double raise_over(const foot *a, const foot *b, fender_vec3 up)
{
    const fender_vec3 edge = fender_vec3_sub(b->point, a->point);
    const double length = fender_vec3_length(edge);
    if (!(length > 0)) return INFINITY;
    const fender_vec3 t = fender_vec3_scale(1 / length, edge);
    const fender_vec3 r = fender_vec3_add_scaled(fender_vec3_negate(a->point), fender_vec3_dot(a->point, t), t);
    const fender_vec3 across = fender_vec3_add_scaled(up, -fender_vec3_dot(up, t), t);
    const double raise = fender_vec3_length(r) * fender_vec3_length(across) - fender_vec3_dot(r, up);
    return raise > 0 ? raise : 0;
}

static fender_vec3 any_across(fender_vec3 up)
{
    const fender_vec3 axis = fabs(up.x) < 0.6 ? fender_vec3_make(1, 0, 0) : fender_vec3_make(0, 1, 0);
    const fender_vec3 across = fender_vec3_cross(up, axis);
    return fender_vec3_scale(1 / fender_vec3_length(across), across);
}

/* Points as they come. */
typedef struct stand {
    const fender_world *world;
    part parts[2];
    fender_vec3 center, up, x, y; /* W; of the centre of mass, and axes along and across gravity */
    int count;
    foot feet[FOOT_LIMIT];
    fender_shape_id a, b; /* the pair of the last contact */
    bool has_outline;     /* of that pair, which says it all */
} stand;

static void add_foot(void *ctx, fender_vec3 p)
{
    stand *s = ctx;
    if (s->count == FOOT_LIMIT) s->count = keep_hull(s->feet, s->count);
    if (s->count < FOOT_LIMIT) s->feet[s->count++] = (foot){fender_vec3_dot(p, s->x), fender_vec3_dot(p, s->y), p};
}

static bool is_plane(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    return fender_shape_get_def(world, shape, &def) == FENDER_STATUS_OK &&
           fender_geometry_type_of(def.geometry) == FENDER_GEOMETRY_PLANE;
}

/* The points of a patch stand for areas and lie within its outline. On ground that is not a plane, corners and edges
 * need not be where it touches. */
static bool add_outline(stand *s, const fender_contact *c)
{
    fender_contact_type_def def;
    if (fender_contact_type_get_def(s->world, c->type, &def) != FENDER_STATUS_OK ||
        def.points != FENDER_CONTACT_POINTS_PATCH)
        return false;
    const fender_vec3 normal = fender_quaternion_rotate(c->frame, fender_vec3_make(0, 0, 1));
    const int points = fnd_outline(s->world, c->a, c->b, normal, s->center, add_foot, s);
    return points > 0 && (is_plane(s->world, c->a) || is_plane(s->world, c->b));
}

/* Returns the number of contacts. */
static int add_contacts(stand *s)
{
    int touching = 0;
    const int contacts = fender_contact_count(s->world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < contacts; i++) {
        fender_contact contact;
        if (fender_contact_get(s->world, FENDER_CLOCK_COMMITTED, i, &contact) != FENDER_STATUS_OK || !contact.touching)
            continue;
        const bool is_first = belongs(s->world, &s->parts[0], contact.a) && belongs(s->world, &s->parts[1], contact.b);
        if (!is_first && !(belongs(s->world, &s->parts[0], contact.b) && belongs(s->world, &s->parts[1], contact.a)))
            continue;
        touching++;
        if (contact.a.index1 != s->a.index1 || contact.b.index1 != s->b.index1) {
            s->a = contact.a;
            s->b = contact.b;
            s->has_outline = add_outline(s, &contact);
        }
        if (!s->has_outline) add_foot(s, fender_vec3_sub(contact.point, s->center));
    }
    return touching;
}

void fnd_support_get(const fender_world *world, uint64_t body, uint64_t ground, fnd_support_data *data)
{
    const fender_body_id own = fnd_object_body(world, body), other = fnd_object_body(world, ground);
    fender_body_data state;
    stand s = {.world = world};
    memset(data, 0, sizeof *data);
    if (fender_body_get(world, own, FENDER_CLOCK_COMMITTED, &state) != FENDER_STATUS_OK) return;
    parts_of(world, own, other, s.parts);
    const fender_vec3 gravity = fender_world_gravity_at(world, state.center_position);
    const double g = fender_vec3_length(gravity);
    s.center = state.center_position;
    s.up = g > 0 ? fender_vec3_scale(-1 / g, gravity) : fender_vec3_make(0, 0, 1);
    s.x = any_across(s.up);
    s.y = fender_vec3_cross(s.up, s.x);
    data->support_points = add_contacts(&s);
    if (s.count == 0 || !(g > 0)) return;
    s.count = keep_hull(s.feet, s.count);
    data->stability_margin = margin_of(s.feet, s.count);
    if (!(data->stability_margin > 0)) return;
    double least = INFINITY;
    for (int i = 0; i < s.count; i++) {
        const double raise = raise_over(&s.feet[i], &s.feet[(i + 1) % s.count], s.up);
        if (raise < least) least = raise;
    }
    data->tipping_energy = state.mass * g * least;
}

/* ---- clearance */

/* One side of a clearance, as its shapes are visited. */
typedef struct side {
    bool single;
    fender_shape_id shape;
    part part;
} side;

static bool on_side(const fender_world *world, const side *s, fender_shape_id shape)
{
    return s->single ? s->shape.index1 == shape.index1 : belongs(world, &s->part, shape);
}

static fender_body_id body_of(const fender_world *world, uint64_t object)
{
    if (fnd_object_kind_of(object) == FND_OBJECT_SHAPE)
        return fender_shape_body(world, fnd_object_shape(world, object));
    return fnd_object_body(world, object);
}

static void sides_of(const fender_world *world, uint64_t one, uint64_t other, side sides[2])
{
    part parts[2];
    const uint64_t objects[] = {one, other};
    parts_of(world, body_of(world, one), body_of(world, other), parts);
    for (int i = 0; i < 2; i++) {
        sides[i] = (side){.single = fnd_object_kind_of(objects[i]) == FND_OBJECT_SHAPE, .part = parts[i]};
        if (sides[i].single) sides[i].shape = fnd_object_shape(world, objects[i]);
    }
}

/* A ball around the shape, W. False: the shape has no end, no place, or is not active. */
static bool ball_around(const fender_world *world, const fender_shape_def *def, fender_shape_id shape,
                        fender_vec3 *center, double *radius)
{
    fender_body_state state;
    const fender_body_frame frame = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = fender_shape_body(world, shape)};
    *radius = fender_geometry_type_of(def->geometry) == FENDER_GEOMETRY_GRID /* the ground below it has no end */
                  ? INFINITY
                  : fender_geometry_bounding_radius(def->geometry);
    if (!isfinite(*radius) || fender_body_frame_state(world, frame, &state, NULL) != FENDER_STATUS_OK) return false;
    *center = fender_vec3_add(state.position, fender_quaternion_rotate(state.attitude, def->X_SG.p));
    return true;
}

static bool cannot_be_nearer(const fender_world *world, fender_shape_id a, fender_shape_id b, double than)
{
    fender_shape_def defs[2];
    fender_vec3 centers[2];
    double radii[2];
    if (isinf(than) || fender_shape_get_def(world, a, &defs[0]) != FENDER_STATUS_OK ||
        fender_shape_get_def(world, b, &defs[1]) != FENDER_STATUS_OK ||
        !ball_around(world, &defs[0], a, &centers[0], &radii[0]) ||
        !ball_around(world, &defs[1], b, &centers[1], &radii[1]))
        return false;
    return fender_vec3_length(fender_vec3_sub(centers[0], centers[1])) - radii[0] - radii[1] >= than;
}

static bool is_active(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    return fender_shape_get_def(world, shape, &def) == FENDER_STATUS_OK && def.active;
}

/* Shapes that are named themselves count, active or not. */
static bool counts(const fender_world *world, const side *s, fender_shape_id shape)
{
    return on_side(world, s, shape) && (s->single || is_active(world, shape));
}

/* The least distance; `first`: of the first two shapes that have one, which is enough to know that there is one. */
static double least_distance(const fender_world *world, const side sides[2], bool first)
{
    const int shapes = fender_shape_count(world);
    double least = INFINITY;
    for (int i = 0; i < shapes; i++) {
        const fender_shape_id a = fender_shape_at(world, i);
        if (!counts(world, &sides[0], a)) continue;
        for (int k = 0; k < shapes; k++) {
            const fender_shape_id b = fender_shape_at(world, k);
            fender_contact_data data;
            if (k == i || !counts(world, &sides[1], b) || cannot_be_nearer(world, a, b, least) ||
                fender_contact_between(world, a, b, &data) != FENDER_STATUS_OK)
                continue;
            if (data.separation < least) least = data.separation;
            if (first && isfinite(least)) return least;
        }
    }
    return least;
}

void fnd_clearance_get(const fender_world *world, uint64_t one, uint64_t other, fnd_clearance_data *data)
{
    side sides[2];
    sides_of(world, one, other, sides);
    data->clearance = least_distance(world, sides, false);
}

bool fnd_clearance_exists(const fender_world *world, uint64_t one, uint64_t other)
{
    side sides[2];
    sides_of(world, one, other, sides);
    return isfinite(least_distance(world, sides, true));
}
