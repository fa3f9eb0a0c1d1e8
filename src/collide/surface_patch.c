/* Patches of a polytope on the triangles of a surface that it meets. */
#include "collide/surface_convex.h"

#include "geometry/support.h"

/* A face of the solid with coordinates of its own: x along its first edge. */
typedef struct face_frame {
    const fnd_patch_floor *floor;
    const fnd_surface_border *borders;
    fender_vec3 origin, e1, e2; /* world axes, the surface's origin */
    double depth, slope_x, slope_y;
} face_frame;

/* Half plane 0 is where the face lies below the triangle, the others are the borders of its cell. */
static fnd_half_plane cut_of_face(const void *ctx, int index)
{
    const face_frame *frame = ctx;
    if (index == 0) return (fnd_half_plane){frame->slope_x, frame->slope_y, frame->depth};
    const fnd_surface_border *border = &frame->borders[index - 1];
    return (fnd_half_plane){fender_vec3_dot(border->inward, frame->e1), fender_vec3_dot(border->inward, frame->e2),
                            fender_vec3_dot(border->inward, fender_vec3_sub(frame->origin, border->point))};
}

enum { CORNERS = 32 };

static fnd_area_moments part_of_face(const face_frame *frame, const fnd_polytope *p, int face)
{
    const fnd_placed *solid = frame->floor->solid;
    fnd_half_planes cuts = {4, cut_of_face, frame};
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    int count = p->face_start[face + 1] - p->face_start[face];
    fender_vec3 e1 = fender_mat3_transpose_times(&solid->R_WG, frame->e1);
    fender_vec3 e2 = fender_mat3_transpose_times(&solid->R_WG, frame->e2);
    fnd_area_moments sum = {0};
    for (int start = 1; start + 1 < count; start += CORNERS - 2) { /* a fan about the first corner */
        fender_vec2 corners[CORNERS] = {{0, 0}};
        int n = 1;
        for (int i = start; i < count && n < CORNERS; i++) {
            fender_vec3 v = fender_vec3_sub(p->vertices[vertices[i]], p->vertices[vertices[0]]);
            corners[n++] = (fender_vec2){fender_vec3_dot(e1, v), fender_vec3_dot(e2, v)};
        }
        fnd_area_add_polygon(&sum, corners, n, &cuts);
    }
    return sum;
}

static void add_face(fnd_patch_floor *f, const fnd_surface_border borders[3], const fnd_polytope *p, int face,
                     double down)
{
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    fender_vec3 first = p->vertices[vertices[0]], edge = fender_vec3_sub(p->vertices[vertices[1]], first);
    edge = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
    face_frame frame = {.floor = f, .borders = borders};
    frame.e1 = fender_mat3_times(&f->solid->R_WG, edge);
    frame.e2 = fender_mat3_times(&f->solid->R_WG, fender_vec3_cross(p->face_normals[face], edge));
    frame.origin = fender_vec3_add(f->solid_p, fender_mat3_times(&f->solid->R_WG, first));
    frame.depth = fnd_patch_depth(f, frame.origin);
    frame.slope_x = -fender_vec3_dot(f->normal, frame.e1);
    frame.slope_y = -fender_vec3_dot(f->normal, frame.e2);
    fnd_area_moments area = part_of_face(&frame, p, face);
    if (!(area.area > 0)) return;
    fender_vec2 points[4];
    fnd_area_points(&area, points);
    double derivative, counted = fnd_patch_counted(down, &derivative), part = area.area / f->full_area;
    double square = 0; /* mean of depth^2 */
    for (int k = 0; k < 4; k++) {
        fender_vec3 x = fender_vec3_add_scaled(frame.origin, points[k].x, frame.e1);
        x = fender_vec3_add_scaled(x, points[k].y, frame.e2);
        double depth = frame.depth + (frame.slope_x * points[k].x + frame.slope_y * points[k].y);
        fnd_patch_add(f, x, depth, 0.25 * counted * part, FND_PATCH_FACE, face, k);
        square += 0.25 * depth * depth;
    }
    fender_vec3 normal = fender_mat3_times(&f->solid->R_WG, p->face_normals[face]);
    fender_vec3 horizontal = fender_vec3_add_scaled(normal, down, f->normal);
    f->moment = fender_vec3_add_scaled(f->moment, 0.5 * square * part * derivative, horizontal);
}

void fnd_surface_add_patch(const fnd_surface_view *view, int32_t triangle, const fnd_query *query, fnd_manifold *out)
{
    const fender_mat3 *R = &view->a->R_WG;
    fnd_surface_border borders[3];
    fnd_surface_cell(view->surface, triangle, borders);
    for (int k = 0; k < 3; k++) {
        borders[k].inward = fender_mat3_times(R, borders[k].inward);
        borders[k].point = fender_mat3_times(R, borders[k].point);
    }
    fnd_patch_floor floor = {
        .solid = view->b,
        .solid_p = fender_vec3_sub(view->b->p_WG, view->a->p_WG),
        .normal = fender_mat3_times(R, view->surface->normals[triangle]),
        .solid_rounding = fnd_core_rounding(view->b->geometry),
        .reach = query->reach,
        .full_area = view->b->geometry->patch_area,
        .owner_face = triangle,
        .out = out,
        .first = out->count,
    };
    floor.offset = fender_vec3_dot(floor.normal, borders[0].point);
    const fnd_polytope *p = view->b->geometry->polytope;
    fender_vec3 normal = fender_mat3_transpose_times(&view->b->R_WG, floor.normal);
    for (int face = 0; face < p->face_count; face++) {
        double down = -fender_vec3_dot(normal, p->face_normals[face]);
        if (down > 0) add_face(&floor, borders, p, face, down);
    }
    fnd_patch_finish(&floor);
}
