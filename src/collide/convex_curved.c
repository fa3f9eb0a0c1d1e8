/* Pairs with a curved core: GJK and the expanding polytope find the normal roughly, the refinement finishes it.
 *
 * Apart the separation along n is concave about its greatest value, so any start will do. In overlap there may be many
 * local maxima. The polytope inside the difference bounds the depth from below: faces farther from the origin than the
 * least depth found hold no better one. Faces about a maximum that is known are let go sooner: the refinement has
 * settled there. */
#include "collide/convex_overlap.h"
#include "collide/refine.h"
#include "math/rotation.h"
#include <assert.h>

enum { MOST_KNOWN = 24, MOST_SAMPLED = 16 /* of functions that the refinement samples: slow */ };
#define NEAR_KNOWN 0.9995 /* cosine of the angle about a known maximum */
#define GAP_NEAR   1e-6   /* part of the depth that faces there may leave open */
#define GAP        1e-11  /* part of the scale that others may leave open */

typedef struct overlap {
    const fnd_posed *a, *b;
    const fnd_convex_pair *pair;
    fender_vec3 known[MOST_KNOWN]; /* normals of local maxima, in a's frame */
    int known_count, most_known;
    fnd_core_separation best;
    bool finished; /* best has the refinement's points, or those of a face of the difference */
} overlap;

/* Refines `guess` (its normal, and what is known there); false: no better. */
static bool refined(const fnd_posed *a, const fnd_posed *b, const fnd_convex_pair *pair, fnd_core_separation *guess)
{
    fnd_core_contact c;
    c.distance = guess->distance / pair->unit;
    c.normal = fender_mat3_times(&a->R_WG, guess->normal);
    c.point_a = fender_mat3_times(&a->R_WG, fender_vec3_scale(1 / pair->unit, guess->point_a));
    c.point_b = fender_vec3_add_scaled(c.point_a, c.distance, c.normal);
    if (!fnd_refine_contact(a, b, &c)) return false;
    guess->distance = c.distance * pair->unit;
    guess->normal = fender_mat3_transpose_times(&a->R_WG, c.normal);
    guess->point_a = fender_mat3_transpose_times(&a->R_WG, fender_vec3_scale(pair->unit, c.point_a));
    return true;
}

static bool is_known(const overlap *o, fender_vec3 n, double cosine)
{
    for (int i = 0; i < o->known_count; i++)
        if (fender_vec3_dot(o->known[i], n) > cosine) return true;
    return false;
}

/* The local maximum that the normal of a face leads to. */
static void look_from(overlap *o, fender_vec3 n, double distance, fender_vec3 point_a)
{
    assert(fnd_is_unit(n));
    assert(o->known_count >= 0 && o->known_count <= MOST_KNOWN);
    if (o->known_count >= o->most_known) return;
    fnd_core_separation found = {distance, n, point_a};
    bool finished = refined(o->a, o->b, o->pair, &found);
    o->known[o->known_count++] = n; /* what lies about the start leads there too */
    if (o->known_count < o->most_known && !is_known(o, found.normal, NEAR_KNOWN))
        o->known[o->known_count++] = found.normal;
    double slack = finished && !o->finished ? 4 * FND_CONVEX_ROUNDING * o->pair->scale : 0; /* for its points */
    if (found.distance > o->best.distance || (slack > 0 && found.distance >= o->best.distance - slack)) {
        o->best = found;
        o->finished = finished;
    }
}

/* Outward normals of flat faces and ends of axes, in the frame of the solid: where the least way out often leads, in
 * the middle of symmetric solids with so little in its favour that the polytope may miss it. Returns how many. */
static int main_normals(const fender_geometry *g, fender_vec3 normals[6])
{
    bool whole = g->type == FENDER_GEOMETRY_BOX || g->type == FENDER_GEOMETRY_ELLIPSOID ||
                 g->type == FENDER_GEOMETRY_USER;
    bool round = g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER ||
                 g->type == FENDER_GEOMETRY_CONE;
    int count = 0;
    if (whole || round) {
        normals[count++] = fender_vec3_make(0, 0, -1);
        normals[count++] = fender_vec3_make(0, 0, 1);
    }
    for (int side = -1; whole && side <= 1; side += 2) {
        normals[count++] = fender_vec3_make(side, 0, 0);
        normals[count++] = fender_vec3_make(0, side, 0);
    }
    return count;
}

static void look_from_main_normals(overlap *o)
{
    for (int k = 0; k < 2; k++) {
        fender_vec3 normals[6];
        int count = main_normals(k ? o->b->geometry : o->a->geometry, normals);
        for (int i = 0; i < count; i++) {
            fender_vec3 n = k ? fender_vec3_negate(fender_mat3_times(&o->pair->R_AB, normals[i])) : normals[i];
            gjk_point w = lowest_point(o->pair, n, NULL);
            double depth = -fender_vec3_dot(n, w.w), least = -o->best.distance;
            double enough = is_known(o, n, NEAR_KNOWN) ? least - FND_CONVEX_ROUNDING * o->pair->scale : 1.05 * least;
            if (depth < enough) look_from(o, n, -depth, w.a);
        }
    }
}

static void expand_curved(overlap *o, epa *e)
{
    assert(e->pair == o->pair);
    for (;;) {
        int at = nearest_face(e);
        if (at < 0) return;
        const epa_face *f = &e->faces[at];
        fender_vec3 n = fender_vec3_negate(f->normal);
        double least = -o->best.distance;
        bool known = is_known(o, n, NEAR_KNOWN);
        double open = GAP * e->pair->scale + (known ? GAP_NEAR * fabs(least) : 0);
        if (f->offset >= least - (o->finished ? open : -4 * e->rounding)) return;
        gjk_point w = lowest_point(e->pair, n, NULL);
        double depth = fender_vec3_dot(f->normal, w.w);
        bool face = depth - f->offset <= 0.5 * e->rounding; /* of the difference */
        fnd_core_separation on;
        bool look = known ? depth < least - e->rounding : depth < 1.05 * least;
        if (face || look) separation_on(e, f, depth, &on);
        if (face && (depth < least || (!o->finished && depth <= least + e->rounding))) o->best = on, o->finished = true;
        if (look) look_from(o, n, on.distance, on.point_a);
        if (face) e->faces[at].offset = INFINITY;
        else if (!grow(e, at, &w)) break;
    }
    /* The polytope is spent: what is open is tried from its normals, the nearest first. */
    for (int i = 0; i < MOST_KNOWN; i++) {
        int at = nearest_face(e);
        if (at < 0 || e->faces[at].offset >= -o->best.distance) return;
        fender_vec3 n = fender_vec3_negate(e->faces[at].normal);
        e->faces[at].alive = false;
        if (is_known(o, n, 1 - 1e-12)) continue;
        gjk_point w = lowest_point(e->pair, n, NULL);
        look_from(o, n, fender_vec3_dot(n, w.w), w.a);
    }
}

static void search_overlap_curved(overlap *o, const gjk_state *simplex)
{
    epa e;
    fender_vec3 normal;
    start(&e, o->pair);
    o->best = (fnd_core_separation){-INFINITY, {0, 0, 1}, point_a_of(simplex)};
    o->known_count = 0;
    o->finished = false;
    bool user = o->a->geometry->type == FENDER_GEOMETRY_USER || o->b->geometry->type == FENDER_GEOMETRY_USER;
    o->most_known = user ? MOST_SAMPLED : MOST_KNOWN;
    if (complete(&e, simplex, &normal) && first_tetrahedron(&e)) {
        for (int i = 0; i < 4; i++) {
            fender_vec3 n = fender_vec3_negate(e.faces[i].normal);
            double depth = -fender_vec3_dot(n, lowest_point(o->pair, n, NULL).w);
            if (-depth > o->best.distance) separation_on(&e, &e.faces[i], depth, &o->best);
        }
        look_from(o, o->best.normal, o->best.distance, o->best.point_a);
        look_from_main_normals(o);
        expand_curved(o, &e);
        return;
    }
    /* A flat difference: across it. */
    for (int side = 0; side < 2; side++) {
        gjk_point w = lowest_point(o->pair, normal, NULL);
        look_from(o, normal, fender_vec3_dot(normal, w.w), point_a_of(simplex));
        normal = fender_vec3_negate(normal);
    }
}

bool fnd_convex_search_curved(const fnd_posed *a, const fnd_posed *b, fnd_convex_pair *pair, double reach,
                              fender_separation_cache *cache, bool swapped, fnd_core_separation *out)
{
    (void)cache;
    (void)swapped;
    place_pair(pair, a, b);
    double limit = (reach + (pair->a.rounding + pair->b.rounding)) * pair->unit;
    gjk_state g;
    g.used = 0;
    gjk_result result = search_apart(pair, limit > 0 ? limit : 0, &g, out);
    if (result == GJK_BEYOND) return false;
    if (result == GJK_APART) {
        refined(a, b, pair, out);
        if (fender_vec3_dot(out->normal, lowest_point(pair, out->normal, NULL).w) > 0) return true;
        /* No plane parts them: rounding stopped the search short of the overlap. */
    }
    overlap o = {.a = a, .b = b, .pair = pair};
    search_overlap_curved(&o, &g);
    *out = o.best;
    return true;
}
