/* Outlines: corners and edges of each shape that are within the other. */
#include "record/outline.h"

#include <stdbool.h>
#include <stddef.h>

enum { RIM_SIDES = 128, INDEX_LIMIT = 3 * 2048, CORNER_LIMIT = 2048 };
static const double level = 0.2;   /* sine; caps that are steeper roll on their rim, as in patches (plane_round.c) */
static const double steep = 0.7;   /* sine; of edges that are no longer across than deep */
static const double border = 1e-9; /* of the size; equal solids in a stack have corners on each other's border */

typedef struct placed {
    const fender_geometry *geometry;
    fender_pose pose; /* relative to the centre, in axes of W */
} placed;

typedef struct outline {
    placed one, other; /* corners of one are compared with the surface of the other */
    fender_vec3 down;  /* W; from one into the other */
    double near;       /* m; what is no farther outside counts as within */
    fnd_outline_visit *visit;
    void *ctx;
    int count;
} outline;

/* A corner in W, and its depth [m] within the other; negative: outside. */
typedef struct corner {
    fender_vec3 point;
    double depth;
} corner;

static bool place(const fender_world *world, fender_shape_id shape, fender_vec3 center, placed *p)
{
    fender_shape_def def;
    fender_body_state state;
    const fender_body_frame frame = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = fender_shape_body(world, shape)};
    if (fender_shape_get_def(world, shape, &def) != FENDER_STATUS_OK ||
        fender_body_frame_state(world, frame, &state, NULL) != FENDER_STATUS_OK)
        return false;
    const fender_pose body = {.p = fender_vec3_sub(state.position, center), .q = state.attitude};
    *p = (placed){def.geometry, fender_pose_product(body, def.X_SG)};
    return true;
}

/* What is rounded touches with its corners moved along the normal. */
static corner corner_at(outline *o, fender_vec3 local)
{
    fender_vec3 p = fender_vec3_add(o->one.pose.p, fender_quaternion_rotate(o->one.pose.q, local));
    const double swept = fender_geometry_type_of(o->one.geometry) == FENDER_GEOMETRY_CAPSULE
                             ? fender_geometry_radius(o->one.geometry)
                             : fender_geometry_rounding(o->one.geometry);
    fender_nearest nearest;
    p = fender_vec3_add_scaled(p, swept, o->down);
    if (fender_geometry_nearest_point(o->other.geometry, &o->other.pose, p, INFINITY, &nearest) != FENDER_STATUS_OK ||
        !nearest.found)
        return (corner){p, -INFINITY};
    return (corner){p, -nearest.distance};
}

static void show(outline *o, fender_vec3 point)
{
    o->visit(o->ctx, point);
    o->count++;
}

/* In the middle of the overlap, as the point of a contact. */
static void show_corner(outline *o, const corner *c)
{
    if (c->depth >= -o->near) show(o, fender_vec3_add_scaled(c->point, -0.5 * c->depth, o->down));
}

/* Where the edge enters the other from an end that is outside. */
static void show_entry(outline *o, const corner *from, const corner *to, double length)
{
    fender_ray_hit hit;
    const fender_ray ray = {from->point, fender_vec3_sub(to->point, from->point), length};
    if (from->depth < -o->near &&
        fender_geometry_ray_cast(o->other.geometry, &o->other.pose, &ray, &hit) == FENDER_STATUS_OK && hit.hit)
        show(o, hit.point);
}

static void show_edge(outline *o, const corner *a, const corner *b)
{
    const fender_vec3 along = fender_vec3_sub(b->point, a->point);
    const double length = fender_vec3_length(along);
    if (!(length > 0) || -a->depth - b->depth > length) return;         /* too far away to reach */
    if (fabs(fender_vec3_dot(along, o->down)) > steep * length) return; /* stands on its end */
    show_entry(o, a, b, length);
    show_entry(o, b, a, length);
}

/* Each corner is looked for once; those of large polytopes behind the first ones once more for each edge. */
static void show_polytope(outline *o)
{
    int32_t indices[INDEX_LIMIT];
    corner corners[CORNER_LIMIT];
    int count;
    const fender_vec3 *vertices = fender_geometry_vertices(o->one.geometry, &count);
    for (int i = 0; i < count; i++) {
        const corner c = corner_at(o, vertices[i]);
        if (i < CORNER_LIMIT) corners[i] = c;
        show_corner(o, &c);
    }
    const int used = fender_geometry_triangles(o->one.geometry, indices, INDEX_LIMIT);
    if (used > INDEX_LIMIT) return; /* its corners are close enough to each other */
    for (int i = 0; i < used; i++) {
        const int32_t from = indices[i], to = indices[i % 3 == 2 ? i - 2 : i + 1];
        if (from > to) continue; /* the neighbour has it as well */
        const corner a = from < CORNER_LIMIT ? corners[from] : corner_at(o, vertices[from]);
        const corner b = to < CORNER_LIMIT ? corners[to] : corner_at(o, vertices[to]);
        show_edge(o, &a, &b);
    }
}

/* The rim at height z in G: all of it, or where it is lowest. Returns the lowest corner. */
static corner show_rim(outline *o, double z, fender_vec3 down, bool whole)
{
    const double radius = fender_geometry_radius(o->one.geometry), across = hypot(down.x, down.y);
    const double s = across > 0 ? radius / across : 0;
    const corner lowest = corner_at(o, fender_vec3_make(s * down.x, s * down.y, z));
    corner last = lowest;
    show_corner(o, &lowest);
    for (int i = 0; whole && i <= RIM_SIDES; i++) {
        const double angle = 2 * 3.14159265358979323846 / RIM_SIDES * (i % RIM_SIDES);
        const corner next = corner_at(o, fender_vec3_make(radius * cos(angle), radius * sin(angle), z));
        if (i > 0) {
            show_corner(o, &next);
            show_edge(o, &last, &next);
        }
        last = next;
    }
    return lowest;
}

/* A cap that faces down stands on its rim, what lies on its side on a line. */
static void show_round(outline *o, fender_geometry_type type)
{
    const fender_vec3 down = fender_quaternion_rotate(fender_quaternion_conjugate(o->one.pose.q), o->down);
    const double half = fender_geometry_half_length(o->one.geometry);
    const bool has_upper_cap = type == FENDER_GEOMETRY_CYLINDER || type == FENDER_GEOMETRY_DISK;
    if (down.z <= -level || (has_upper_cap && down.z >= level)) {
        show_rim(o, down.z < 0 ? -half : half, down, true);
        return;
    }
    const corner lower = type == FENDER_GEOMETRY_CAPSULE ? corner_at(o, fender_vec3_make(0, 0, -half))
                                                         : show_rim(o, -half, down, false);
    if (type == FENDER_GEOMETRY_DISK) return;
    const corner upper = type == FENDER_GEOMETRY_CYLINDER ? show_rim(o, half, down, false)
                                                          : corner_at(o, fender_vec3_make(0, 0, half));
    if (type == FENDER_GEOMETRY_CAPSULE) show_corner(o, &lower);
    if (type != FENDER_GEOMETRY_CYLINDER) show_corner(o, &upper);
    show_edge(o, &lower, &upper);
}

static void show_one(outline *o)
{
    const fender_geometry_type type = fender_geometry_type_of(o->one.geometry);
    const double size = fender_geometry_bounding_radius(o->one.geometry);
    o->near = border * size;
    switch ((int)type) {
    case FENDER_GEOMETRY_MESH:
        if (size > fender_geometry_bounding_radius(o->other.geometry)) return; /* terrain */
        show_polytope(o);
        return;
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_HULL: show_polytope(o); return;
    case FENDER_GEOMETRY_CAPSULE:
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE: show_round(o, type); return;
    default: return;
    }
}

int fnd_outline(const fender_world *world, fender_shape_id one, fender_shape_id other, fender_vec3 normal,
                fender_vec3 center, fnd_outline_visit *visit, void *ctx)
{
    outline o = {.down = normal, .visit = visit, .ctx = ctx};
    if (!place(world, one, center, &o.one) || !place(world, other, center, &o.other)) return 0;
    show_one(&o);
    const placed swap = o.one;
    o.one = o.other;
    o.other = swap;
    o.down = fender_vec3_negate(normal);
    show_one(&o);
    return o.count;
}
