/* Rays against triangles: through the tree of boxes, so that no ray slips between triangles that share an edge.
 *
 * The corners are sheared into a frame in which the line runs along its third axis (Woop, Benthin and Wald 2013). A
 * corner gets the same coordinates in all its triangles, and the two triangles of an edge find opposite numbers of the
 * same bits for the side on which the line passes it: one of them has it, or both when it is 0. */
#include "geometry/ray.h"

typedef struct caster {
    const fnd_surface *surface;
    const fnd_line *line;
    int k[3]; /* axes; the last is that along which the line runs most */
    double shear[3];
    bool back;
    double from, to; /* what has been found shortens it */
    bool hit;
    int32_t triangle;
} caster;

static double component(fender_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void test_triangle(caster *c, int32_t triangle)
{
    double x[3], y[3], z[3];
    for (int i = 0; i < 3; i++) {
        fender_vec3 p = fender_vec3_sub(c->surface->vertices[c->surface->triangles[triangle][i]], c->line->q);
        double along = component(p, c->k[2]);
        x[i] = component(p, c->k[0]) - c->shear[0] * along;
        y[i] = component(p, c->k[1]) - c->shear[1] * along;
        z[i] = c->shear[2] * along;
    }
    double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2], w = x[1] * y[0] - y[1] * x[0];
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return;
    double sum = u + v + w;
    if (sum == 0) return; /* seen from its side */
    fender_vec3 n = c->surface->normals[triangle];
    if (!c->back && fender_vec3_dot(n, c->line->d) >= 0) return;
    double s = (u * z[0] + v * z[1] + w * z[2]) / sum;
    if (!(s >= c->from) || !(s <= c->to)) return;
    if (c->hit && s == c->to && triangle > c->triangle) return;
    c->hit = true;
    c->to = s;
    c->triangle = triangle;
}

/* Where the line enters a box that is a little larger than the one given; false: it does not while it is wanted. */
static bool enters(const caster *c, const fender_box *box, double *enter)
{
    const double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    const double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    double low = c->from, high = c->to;
    for (int i = 0; i < 3; i++) {
        double q = component(c->line->q, i), d = component(c->line->d, i);
        double grain = 1e-15 * (fabs(q) + fabs(lower[i]) + fabs(upper[i]));
        double below = lower[i] - grain - q, above = upper[i] + grain - q;
        if (d == 0) {
            if (below > 0 || above < 0) return false;
            continue;
        }
        double one = below / d, other = above / d;
        if (one > other) {
            double swap = one;
            one = other;
            other = swap;
        }
        one -= 1e-15 * fabs(one);
        other += 1e-15 * fabs(other);
        if (one > low) low = one;
        if (other < high) high = other;
    }
    *enter = low;
    return low <= high;
}

static void visit(caster *c, int32_t index)
{
    const fnd_surface_node *node = &c->surface->nodes[index];
    if (node->count > 0) {
        for (int32_t i = 0; i < node->count; i++) test_triangle(c, c->surface->order[node->first + i]);
        return;
    }
    double enter[2];
    bool meets[2];
    for (int i = 0; i < 2; i++) meets[i] = enters(c, &c->surface->nodes[node->first + i].box, &enter[i]);
    int near = meets[1] && (!meets[0] || enter[1] < enter[0]);
    if (meets[near]) visit(c, node->first + near);
    if (meets[1 - near] && enter[1 - near] <= c->to) visit(c, node->first + 1 - near);
}

bool fnd_ray_surface(const fnd_surface *surface, const fnd_line *line, double from, double to, bool back,
                     fnd_entry *entry)
{
    caster c = {.surface = surface, .line = line, .back = back, .from = from, .to = to};
    double x = fabs(line->d.x), y = fabs(line->d.y), z = fabs(line->d.z);
    c.k[2] = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    c.k[0] = (c.k[2] + 1) % 3;
    c.k[1] = (c.k[2] + 2) % 3;
    double most = component(line->d, c.k[2]);
    c.shear[0] = component(line->d, c.k[0]) / most;
    c.shear[1] = component(line->d, c.k[1]) / most;
    c.shear[2] = 1 / most;
    double enter;
    if (!enters(&c, &surface->nodes[0].box, &enter)) return false;
    visit(&c, 0);
    if (!c.hit) return false;
    fender_vec3 n = surface->normals[c.triangle];
    *entry = (fnd_entry){c.to, n, (uint64_t)c.triangle};
    return true;
}

static fnd_line upward(fender_vec3 point) { return (fnd_line){point, {0, 0, 1}}; }

bool fnd_grid_holds(const fender_geometry *grid, fender_vec3 point)
{
    fnd_line line = upward(point);
    fnd_entry entry;
    return fnd_ray_surface(grid->surface, &line, 0, INFINITY, true, &entry);
}

/* The ground under a grid ends in walls below its border; numbered after the triangles: -x, +x, -y, +y. */
static bool enter_wall(const fender_geometry *grid, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    static const fender_vec3 outward[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    fender_vec3 l = grid->bounds.lower, u = grid->bounds.upper;
    const double offset[4] = {-l.x, u.x, -l.y, u.y};
    fnd_clip clip = fnd_clip_none();
    for (unsigned i = 0; i < 4; i++) fnd_clip_half_space(&clip, line, outward[i], offset[i], i);
    if (fnd_clip_empty(&clip) || !(clip.enter >= from) || !(clip.enter <= to)) return false;
    fender_vec3 point = fnd_line_at(line, clip.enter); /* on the border and within it, whatever rounding says */
    if (clip.feature < 2) point.x = clip.feature == 0 ? l.x : u.x;
    else point.y = clip.feature == 2 ? l.y : u.y;
    point.x = point.x < l.x ? l.x : point.x > u.x ? u.x : point.x;
    point.y = point.y < l.y ? l.y : point.y > u.y ? u.y : point.y;
    if (!fnd_grid_holds(grid, point)) return false;
    *entry = (fnd_entry){clip.enter, clip.normal, (uint64_t)grid->surface->triangle_count + clip.feature};
    return true;
}

bool fnd_ray_grid(const fender_geometry *grid, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    if (enter_wall(grid, line, from, to, entry)) return true; /* a line enters the raster before all that is in it */
    return fnd_ray_surface(grid->surface, line, from, to, false, entry);
}
