/* The side of rounded cylinders and disks, and of those on rounded solids (docs/models/contact_patches.md).
 *
 * The pressure of the side is that within an unrounded solid whose radius has the roundings of both, against the core
 * of the other one. It lies within the rounded solid, so that nothing is pushed before it touches; flat on the end it
 * is all above the caps, which take it. The caps themselves are those of the core. */
#include "collide/patch.h"
#include <assert.h>

/* Of the prism around a round solid: its size does not depend on it. */
enum { MOST_VERTICES = 64, MOST_FACES = 40 };

/* The prism around a wider solid. What is not here is the other one's, also `face_w`, which only tells which sides are
 * looked at, and none counts. */
typedef struct wide_prism {
    fnd_polytope polytope;
    fender_vec3 vertices[MOST_VERTICES];
    double x[MOST_VERTICES], y[MOST_VERTICES], offsets[MOST_FACES];
} wide_prism;

static void widen(const fnd_polytope *prism, double factor, wide_prism *wide)
{
    assert(prism->padded_count <= MOST_VERTICES && prism->face_count <= MOST_FACES && !prism->cells);
    fnd_polytope *p = &wide->polytope;
    *p = *prism;
    p->vertices = wide->vertices;
    p->x = wide->x;
    p->y = wide->y;
    p->face_offsets = wide->offsets;
    for (int i = 0; i < p->vertex_count; i++) {
        const fender_vec3 v = prism->vertices[i];
        p->vertices[i] = fender_vec3_make(factor * v.x, factor * v.y, v.z);
    }
    for (int i = 0; i < p->padded_count; i++) {
        p->x[i] = factor * prism->x[i];
        p->y[i] = factor * prism->y[i];
    }
    for (int i = 0; i < p->face_count; i++) {
        const double part = fabs(prism->face_normals[i].z) < 0.5 ? factor : 1; /* a side; an end */
        p->face_offsets[i] = part * prism->face_offsets[i];
    }
}

void fnd_surface_add_rounded_side(const fnd_surface_view *view, fnd_manifold *out)
{
    const fender_geometry *g = view->b->geometry, *ground = view->a->geometry;
    assert(g->caps && g->radius > 0);
    while (ground->source) ground = ground->source;
    const double radius = g->radius + g->rounding + view->rounding;
    wide_prism prism;
    widen(g->caps, radius / g->radius, &prism);
    fender_geometry wide = {
        .type = g->type, .radius = radius, .half_length = g->half_length, .caps = &prism.polytope, .env = g->env};
    fnd_geometry_measure(&wide);
    const fnd_posed a = {ground, view->a->p_WG, view->a->R_WG}, b = {&wide, view->b->p_WG, view->b->R_WG};
    fnd_surface_view core;
    fnd_surface_view_make(&core, &a, &b);
    fnd_surface_visibility visibility = fnd_surface_view_visibility(&core);
    fnd_surface_scan scan;
    fnd_surface_scan_begin(&scan, &visibility, fnd_surface_view_range(&core), NULL);
    fnd_surface_add_capped(&core, &scan, true, out);
}
