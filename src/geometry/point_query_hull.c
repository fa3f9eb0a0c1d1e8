/* Nearest point of a polytope to a given point.
 *
 * Inside, the face with the greatest signed distance holds the nearest point of the surface. Outside, if the nearest
 * point lies within a face, that face is again the one of greatest signed distance (all of them are at most the true
 * distance); else it lies on an edge. So the faces are looked through once, and at most the edges once: no search that
 * could stop short. Rounding decides nothing that matters: a point beside a face by rounding gets the edge, at the
 * same distance, and the normal is that of the face then. */
#include "geometry/point_query.h"

#include "geometry/direction.h"
#include "math/rotation.h"

/* A distance below this part of the coordinates it was computed from is rounding. */
#define ROUNDING (8 * 2.220446049250313e-16)

static bool beside_face(const fnd_polytope *polytope, int face, fender_vec3 point)
{
    int32_t first = polytope->face_start[face], end = polytope->face_start[face + 1];
    fender_vec3 normal = polytope->face_normals[face], from = polytope->vertices[polytope->face_vertices[end - 1]];
    for (int32_t i = first; i < end; i++) {
        fender_vec3 to = polytope->vertices[polytope->face_vertices[i]];
        fender_vec3 inward = fender_vec3_cross(normal, fender_vec3_sub(to, from));
        if (fender_vec3_dot(inward, fender_vec3_sub(point, from)) < 0) return true;
        from = to;
    }
    return false;
}

static void on_face(const fnd_polytope *polytope, int face, double distance, fender_vec3 point,
                    fnd_surface_point *found)
{
    found->distance = distance;
    found->normal = polytope->face_normals[face];
    found->point = fender_vec3_add_scaled(point, -distance, found->normal);
    found->feature = FND_FEATURE_FACE | (uint64_t)face;
}

/* Part of an edge from its first vertex, 0 to 1, that is nearest to the point. */
static double along_edge(fender_vec3 edge, fender_vec3 from_start)
{
    double squared = fender_vec3_dot(edge, edge), along;
    if (squared > FND_LEAST_SQUARE && squared < FND_GREATEST_SQUARE)
        along = fender_vec3_dot(from_start, edge) / squared;
    else {
        fender_vec3 direction;
        double length = fnd_length_and_direction(edge, &direction);
        along = length > 0 ? fender_vec3_dot(from_start, direction) / length : 0;
    }
    return along > 1 ? 1 : along > 0 ? along : 0;
}

static void on_vertex(const fnd_polytope *polytope, int vertex, fender_vec3 point, fnd_surface_point *found)
{
    found->point = polytope->vertices[vertex];
    found->feature = FND_FEATURE_VERTEX | (uint64_t)vertex;
    found->distance = fnd_length_and_direction(fender_vec3_sub(point, found->point), &found->normal);
}

static void on_edge(const fnd_polytope *polytope, int index, double along, fender_vec3 point, fnd_surface_point *found)
{
    const fnd_polytope_edge *edge = &polytope->edges[index];
    fender_vec3 start = polytope->vertices[edge->vertex[0]], direction;
    fender_vec3 step = fender_vec3_sub(polytope->vertices[edge->vertex[1]], start);
    fnd_length_and_direction(step, &direction);
    found->point = fender_vec3_add_scaled(start, along, step);
    fender_vec3 gap = fender_vec3_sub(point, found->point);
    gap = fender_vec3_add_scaled(gap, -fender_vec3_dot(gap, direction), direction);
    found->distance = fnd_length_and_direction(gap, &found->normal);
    found->feature = FND_FEATURE_EDGE | (uint64_t)index;
    int beside = -1;
    double greatest = -INFINITY;
    for (int side = 0; side < 2; side++) { /* within the cone of both faces' normals, but for rounding */
        int face = edge->face[side];
        if (face < 0) continue;
        fender_vec3 normal = polytope->face_normals[face];
        double outward = fender_vec3_dot(fender_vec3_cross(direction, normal), gap);
        if ((side == 0 ? outward : -outward) >= 0) continue;
        double distance = fender_vec3_dot(normal, gap);
        if (distance > greatest) greatest = distance, beside = face;
    }
    if (beside >= 0) on_face(polytope, beside, greatest, point, found);
}

/* A gap close to rounding points anywhere: its direction is brought into the cone of the normals at the vertex. */
static void into_cone(const fnd_polytope *polytope, int vertex, int face, fender_vec3 point, fnd_surface_point *found)
{
    fender_vec3 at = polytope->vertices[vertex], normal = found->normal;
    double worst = 0;
    for (int tries = 0; tries < 4; tries++) {
        fender_vec3 along = {0, 0, 0};
        worst = 2e-16;
        for (int32_t i = polytope->neighbour_start[vertex]; i < polytope->neighbour_start[vertex + 1]; i++) {
            fender_vec3 edge;
            fnd_length_and_direction(fender_vec3_sub(polytope->vertices[polytope->neighbours[i]], at), &edge);
            double rise = fender_vec3_dot(edge, normal);
            if (rise > worst) worst = rise, along = edge;
        }
        if (worst <= 2e-16) break;
        fnd_length_and_direction(fender_vec3_add_scaled(normal, -worst, along), &normal);
    }
    if (worst > 1e-14 && face >= 0) normal = polytope->face_normals[face];
    found->normal = normal;
    found->distance = fender_vec3_dot(normal, fender_vec3_sub(point, at));
}

typedef struct nearest_edge {
    int edge;
    double along;
    fender_vec3 place, gap; /* its point, and from there to the point that was asked for */
} nearest_edge;

/* Takes the edge that is nearest. Squares cannot tell places apart whose distance differs by rounding, so what is
 * compared is by how much a place is better than the best one, from the vector between them; true: there was one.
 * Lengths times `unit` have squares in the range of doubles. */
static bool look_through_edges(const fnd_polytope *polytope, fender_vec3 point, double unit, nearest_edge *best)
{
    bool better = false;
    for (int i = 0; i < polytope->edge_count; i++) {
        fender_vec3 start = polytope->vertices[polytope->edges[i].vertex[0]];
        fender_vec3 edge = fender_vec3_sub(polytope->vertices[polytope->edges[i].vertex[1]], start);
        double along = along_edge(edge, fender_vec3_sub(point, start));
        fender_vec3 place = along < 1 ? fender_vec3_add_scaled(start, along, edge)
                                      : polytope->vertices[polytope->edges[i].vertex[1]];
        fender_vec3 move = fender_vec3_scale(unit, fender_vec3_sub(place, best->place));
        fender_vec3 mean_gap = fender_vec3_add_scaled(fender_vec3_scale(unit, best->gap), -0.5, move);
        if (!(fender_vec3_dot(move, mean_gap) > 0)) continue;
        *best = (nearest_edge){i, along, place, fender_vec3_sub(point, place)};
        better = true;
    }
    return better;
}

void fnd_point_query_polytope(const fnd_polytope *polytope, fender_vec3 point, fnd_surface_point *found)
{
    int face = -1;
    double outside = -INFINITY;
    for (int i = 0; i < polytope->face_count; i++) {
        double distance = fender_vec3_dot(polytope->face_normals[i], point) - polytope->face_offsets[i];
        if (distance > outside) outside = distance, face = i;
    }
    bool solid = polytope->face_count > 2;
    if (face >= 0 && ((solid && outside <= 0) || !beside_face(polytope, face, point))) {
        /* against the face's own corner: the offset has a rounding of its own */
        fender_vec3 corner = polytope->vertices[polytope->face_vertices[polytope->face_start[face]]];
        outside = fender_vec3_dot(polytope->face_normals[face], fender_vec3_sub(point, corner));
        on_face(polytope, face, outside, point, found);
        return;
    }
    double size = fnd_largest_component(point) + fnd_largest_component(polytope->vertices[0]);
    double unit = size > 1e-120 && size < 1e120 ? 1 : 1 / size; /* squares stay in range */
    int first = polytope->edge_count > 0 ? polytope->edges[0].vertex[0] : 0;
    fender_vec3 start = polytope->vertices[first];
    nearest_edge best = {polytope->edge_count > 0 ? 0 : -1, 0, start, fender_vec3_sub(point, start)};
    for (int tries = 0; tries < 4 && look_through_edges(polytope, point, unit, &best); tries++) continue;
    int nearest = best.edge;
    if (nearest < 0) on_vertex(polytope, 0, point, found);
    else if (best.along > 0 && best.along < 1) on_edge(polytope, nearest, best.along, point, found);
    else {
        int vertex = polytope->edges[nearest].vertex[best.along > 0];
        on_vertex(polytope, vertex, point, found);
        if (found->distance < 1e-3 * size && found->distance > 0) into_cone(polytope, vertex, face, point, found);
    }
    if (found->distance > ROUNDING * size) return;
    if (face >= 0) on_face(polytope, face, outside, point, found);
    else if (nearest < 0) found->normal = fender_vec3_make(0, 0, 1);
    else {
        fender_vec3 direction;
        const int32_t *ends = polytope->edges[nearest].vertex;
        fnd_length_and_direction(fender_vec3_sub(polytope->vertices[ends[1]], polytope->vertices[ends[0]]), &direction);
        found->normal = fnd_any_tangent(direction);
        found->distance = fender_vec3_dot(found->normal, fender_vec3_sub(point, found->point));
    }
}
