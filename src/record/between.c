/* Two bodies: how one stands on the other, and how far apart they are. */
#include "record/between.h"

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
    ROW(fnd_support_data, support_points, "1", FENDER_FIELD_INT, "Contacts on which the body stands."),
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

/* Keeps the corners of the convex hull, counter-clockwise (Andrew's monotone chain); two for points on a line. */
static int keep_hull(foot *feet, int count)
{
    foot corners[FOOT_LIMIT + 1];
    int n = 0;
    assert(count <= FOOT_LIMIT);
    if (count < 2) return count;
    sort(feet, count);
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
    if (n == 2 && corners[0].x == corners[1].x && corners[0].y == corners[1].y) n = 1;
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

void fnd_support_get(const fender_world *world, uint64_t body, uint64_t ground, fnd_support_data *data)
{
    const fender_body_id own = fnd_object_body(world, body), other = fnd_object_body(world, ground);
    fender_body_data state;
    foot feet[FOOT_LIMIT];
    part parts[2];
    int count = 0;
    memset(data, 0, sizeof *data);
    if (fender_body_get(world, own, FENDER_CLOCK_COMMITTED, &state) != FENDER_STATUS_OK) return;
    parts_of(world, own, other, parts);
    const fender_vec3 gravity = fender_world_gravity_at(world, state.center_position);
    const double g = fender_vec3_length(gravity);
    const fender_vec3 up = g > 0 ? fender_vec3_scale(-1 / g, gravity) : fender_vec3_make(0, 0, 1);
    const fender_vec3 x = any_across(up), y = fender_vec3_cross(up, x);
    const int contacts = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < contacts; i++) {
        fender_contact contact;
        if (fender_contact_get(world, FENDER_CLOCK_COMMITTED, i, &contact) != FENDER_STATUS_OK || !contact.touching)
            continue;
        const bool is_first = belongs(world, &parts[0], contact.a) && belongs(world, &parts[1], contact.b);
        if (!is_first && !(belongs(world, &parts[0], contact.b) && belongs(world, &parts[1], contact.a))) continue;
        data->support_points++;
        if (count == FOOT_LIMIT) count = keep_hull(feet, count);
        if (count == FOOT_LIMIT) continue;
        const fender_vec3 p = fender_vec3_sub(contact.point, state.center_position);
        feet[count++] = (foot){fender_vec3_dot(p, x), fender_vec3_dot(p, y), p};
    }
    if (count == 0 || !(g > 0)) return;
    count = keep_hull(feet, count);
    data->stability_margin = margin_of(feet, count);
    if (!(data->stability_margin > 0)) return;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        const double raise = raise_over(&feet[i], &feet[(i + 1) % count], up);
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
