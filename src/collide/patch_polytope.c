/* A polytope on a floor: a patch of every face that looks down and is below. */
#include "collide/patch_floor.h"

/* A face of the solid with coordinates of its own: x along its first edge. */
typedef struct face_frame {
    const fnd_patch_floor *floor;
    fender_vec3 origin, e1, e2; /* world axes, floor's origin */
    double depth, slope_x, slope_y;
} face_frame;

/* Where the face lies below the floor. */
static fnd_half_plane below_floor(const void *ctx, int index)
{
    const face_frame *frame = ctx;
    (void)index;
    return (fnd_half_plane){frame->slope_x, frame->slope_y, frame->depth + frame->floor->lift};
}

enum { CORNERS = 32 };

/* Moments of the part of a face that is below the floor. */
static fnd_area_moments face_below(const face_frame *frame, const fnd_polytope *p, int face)
{
    const fnd_patch_floor *f = frame->floor;
    fnd_half_planes cuts = {1, below_floor, frame};
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    int count = p->face_start[face + 1] - p->face_start[face];
    fender_vec3 first = p->vertices[vertices[0]];
    fender_vec3 e1 = fender_mat3_transpose_times(&f->solid->R_WG, frame->e1);
    fender_vec3 e2 = fender_mat3_transpose_times(&f->solid->R_WG, frame->e2);
    fnd_area_moments sum = {0};
    fender_vec2 corners[CORNERS];
    for (int start = 1; start + 1 < count; start += CORNERS - 2) {
        int n = 0;
        corners[n++] = (fender_vec2){0, 0};
        for (int i = start; i < count && n < CORNERS; i++) {
            fender_vec3 v = fender_vec3_sub(p->vertices[vertices[i]], first);
            corners[n++] = (fender_vec2){fender_vec3_dot(e1, v), fender_vec3_dot(e2, v)};
        }
        fnd_area_add_polygon(&sum, corners, n, &cuts);
    }
    return sum;
}

/* The patch of a face that looks down.
 *
 * Its energy is fnd_patch_counted * integral over the face's part below the floor of k/2 depth^2: over the projected
 * area, which makes the sum over all faces the potential of a body that floats, but for steep faces. (Counted as they
 * are they would enter and leave with the torque of their upper half: a kink at rest.) The integral changes with depth
 * alone, the border lies at depth 0 or on the body; what fnd_patch_counted changes is a moment along the horizontal
 * part of the normal, by which fnd_patch_finish shifts the points. Between faces that meet below the floor and look
 * down it cancels. */
static void add_face(fnd_patch_floor *f, const fnd_polytope *p, int face, double down)
{
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    fender_vec3 first = p->vertices[vertices[0]];
    face_frame frame = {.floor = f};
    fender_vec3 edge = fender_vec3_sub(p->vertices[vertices[1]], first);
    edge = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
    frame.e1 = fender_mat3_times(&f->solid->R_WG, edge);
    frame.e2 = fender_mat3_times(&f->solid->R_WG, fender_vec3_cross(p->face_normals[face], edge));
    fender_vec3 arm = fender_mat3_times(&f->solid->R_WG, first);
    frame.origin = fender_vec3_add(f->solid_p, arm);
    frame.depth = fnd_patch_depth(f, f->solid_p) - fender_vec3_dot(f->normal, arm);
    frame.slope_x = -fender_vec3_dot(f->normal, frame.e1);
    frame.slope_y = -fender_vec3_dot(f->normal, frame.e2);
    fnd_area_moments area = face_below(&frame, p, face);
    if (!(area.area > 0)) return;
    fender_vec2 points[4];
    fnd_area_points(&area, points);
    double derivative, counted = fnd_patch_counted(down, &derivative), part = area.area / f->full_area;
    double weight = 0.25 * counted * part;
    double square = 0; /* mean of depth^2 */
    for (int k = 0; k < 4; k++) {
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(frame.origin, points[k].x, frame.e1), points[k].y,
                                               frame.e2);
        double depth = frame.depth + (frame.slope_x * points[k].x + frame.slope_y * points[k].y);
        fnd_patch_add(f, x, depth, weight, FND_PATCH_FACE, face, k);
        square += 0.25 * depth * depth;
    }
    fender_vec3 normal = fender_mat3_times(&f->solid->R_WG, p->face_normals[face]);
    fender_vec3 horizontal = fender_vec3_add_scaled(normal, down, f->normal);
    f->moment = fender_vec3_add_scaled(f->moment, 0.5 * square * part * derivative, horizontal);
}

/* Two Gauss points on the part of an edge that is below. */
static double add_edge(fnd_patch_floor *f, const fnd_polytope *p, int edge, double weight)
{
    fender_vec3 from = fender_mat3_times(&f->solid->R_WG, p->vertices[p->edges[edge].vertex[0]]);
    fender_vec3 to = fender_mat3_times(&f->solid->R_WG, p->vertices[p->edges[edge].vertex[1]]);
    double origin = fnd_patch_depth(f, f->solid_p), low = 0, high = 1;
    double depth = origin - fender_vec3_dot(f->normal, from), rise = origin - fender_vec3_dot(f->normal, to) - depth;
    double crossing = -(depth + f->lift) / rise;
    if (depth + f->lift <= 0 && depth + rise + f->lift <= 0) return 0;
    if (depth + f->lift < 0) low = crossing;
    else if (depth + rise + f->lift < 0) high = crossing;
    double square = 0;
    for (int k = 0; k < 2; k++) {
        double at = 0.5 * (low + high) + (k == 0 ? -0.5 : 0.5) * (high - low) / 1.7320508075688772935;
        fender_vec3 arm = fender_vec3_add_scaled(from, at, fender_vec3_sub(to, from));
        double here = depth + at * rise, part = 0.5 * weight * (high - low);
        fnd_patch_add(f, fender_vec3_add(f->solid_p, arm), here, part, FND_PATCH_LINE, edge, k);
        square += part * here * here;
    }
    return square;
}

static double edge_length(const fnd_polytope *p, int edge)
{
    const int32_t *v = p->edges[edge].vertex;
    return fender_vec3_length(fender_vec3_sub(p->vertices[v[1]], p->vertices[v[0]]));
}

/* Plates and rods stand on their border: edges count by length over the longest, and fade as a plate lies down. */
static void add_border(fnd_patch_floor *f, const fnd_polytope *p, fender_vec3 normal)
{
    double longest = 0, down = 0, squares = 0;
    int face = 0;
    for (int i = 0; i < p->edge_count; i++) {
        double length = edge_length(p, i);
        if (length > longest) longest = length;
    }
    if (p->face_count == 2) {
        down = -fender_vec3_dot(normal, p->face_normals[0]);
        face = down < 0 ? 1 : 0;
        down = fabs(down);
    }
    if (!(longest > 0) || !(down < 1)) return;
    for (int i = 0; i < p->edge_count; i++)
        squares += add_edge(f, p, i, (1 - down * down) * (edge_length(p, i) / longest));
    if (p->face_count < 2) return;
    /* squares has the factor 1 - down^2, whose derivative is -2 down */
    fender_vec3 horizontal = fender_mat3_times(&f->solid->R_WG, p->face_normals[face]);
    horizontal = fender_vec3_add_scaled(horizontal, down, f->normal);
    f->moment = fender_vec3_add_scaled(f->moment, -down / (1 - down * down) * squares, horizontal);
}

void fnd_patch_add_polytope(fnd_patch_floor *f)
{
    const fnd_polytope *p = f->solid->geometry->polytope;
    fender_vec3 normal = fender_mat3_transpose_times(&f->solid->R_WG, f->normal); /* in the solid's frame */
    double depth = fnd_patch_depth(f, f->solid_p);
    if (depth + f->solid->geometry->bounding_radius <= -f->lift) return; /* all of it is above */
    for (int face = 0; face < p->face_count; face++) {
        double down = -fender_vec3_dot(normal, p->face_normals[face]);
        if (!(down > 0)) continue;
        bool below = false;
        for (int i = p->face_start[face]; i < p->face_start[face + 1] && !below; i++)
            below = depth - fender_vec3_dot(normal, p->vertices[p->face_vertices[i]]) > -f->lift;
        if (below) add_face(f, p, face, down);
    }
    if (p->face_count <= 2) add_border(f, p, normal);
}
