/* Patches of two convex solids: which faces lead, along which normal. */
#include "collide/patch.h"
#include "collide/patch_faces.h"
#include "geometry/support.h"

static bool is_round(const fender_geometry *g)
{
    return g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER || g->type == FENDER_GEOMETRY_CONE ||
           g->type == FENDER_GEOMETRY_CAPSULE;
}

/* Face whose outward normal lies best along `direction`, -1: none; *cosine: how well. */
static int best_face(const fnd_faces *solid, fender_vec3 direction, double *cosine)
{
    int best = -1, count = fnd_faces_count(solid);
    *cosine = -2;
    for (int i = 0; i < count; i++) {
        double c = fender_vec3_dot(fnd_faces_normal(solid, i), direction);
        if (c > *cosine) {
            *cosine = c;
            best = i;
        }
    }
    return best;
}

static double face_area(const fnd_faces *solid, int face)
{
    const fender_geometry *g = solid->placed->geometry;
    return g->polytope ? g->polytope->face_areas[face] : g->patch_area;
}

static double smooth(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x); }

/* The normal of a single contact is that of a face if it is so within this (1 - cosine). */
#define FACE_NORMAL 1e-9
/* Two faces closer than the first angle [rad] share a normal, from the second on it is that of the single contact. */
#define FLAT_FULL 0.02
#define FLAT_NONE 0.06

/* Normal from a to b, and how far it turns with b. Where two faces lie on each other the normal is that of the larger
 * one, whichever of the two a search for the least depth names: it would change from one to the other as they rock.
 * Faces of about one size share it. */
static fender_vec3 normal_of(const fnd_faces *a, const fnd_faces *b, int face_a, int face_b, double cosine_a,
                             double cosine_b, fender_vec3 single, double *turns_with_b)
{
    fender_vec3 normal_a = face_a >= 0 ? fnd_faces_normal(a, face_a) : single;
    fender_vec3 normal_b = face_b >= 0 ? fender_vec3_negate(fnd_faces_normal(b, face_b)) : single;
    fender_vec3 outer = single;
    *turns_with_b = 0.5;
    if (cosine_a >= cosine_b && cosine_a > 1 - FACE_NORMAL) {
        outer = normal_a;
        *turns_with_b = 0;
    } else if (cosine_b > 1 - FACE_NORMAL) {
        outer = normal_b;
        *turns_with_b = 1;
    }
    double angle = fender_vec3_length(fender_vec3_sub(normal_a, normal_b));
    if (face_a < 0 || face_b < 0 || angle >= FLAT_NONE || cosine_a < 0.99 || cosine_b < 0.99) return outer;
    double area_a = face_area(a, face_a), area_b = face_area(b, face_b);
    double lead = smooth(3 * area_b / (area_a + area_b) - 1),
           out = smooth((angle - FLAT_FULL) / (FLAT_NONE - FLAT_FULL));
    *turns_with_b = (1 - out) * lead + out * *turns_with_b;
    fender_vec3 shared = fender_vec3_add_scaled(fender_vec3_scale(1 - lead, normal_a), lead, normal_b);
    if (lead == 0) shared = normal_a;
    if (lead == 1) shared = normal_b;
    if (out == 0 && (lead == 0 || lead == 1)) return shared;
    shared = fender_vec3_add(fender_vec3_scale(1 - out, shared), fender_vec3_scale(out, outer));
    return fender_vec3_scale(1 / fender_vec3_length(shared), shared);
}

/* A round solid on a face of a polytope, as on a plane. */
static bool round_on_face(fnd_patch_floor *f, const fnd_faces *round, const fnd_faces *polytope, int face)
{
    const fnd_polytope *p = polytope->placed->geometry->polytope;
    f->solid = round->placed;
    f->solid_p = round->p;
    f->solid_rounding = fnd_core_rounding(round->placed->geometry);
    f->owner = polytope->placed;
    f->owner_p = polytope->p;
    f->owner_face = face;
    f->floor_rounding = polytope->placed->geometry->rounding;
    f->normal = fnd_faces_normal(polytope, face);
    f->full_area = round->placed->geometry->patch_area;
    fender_vec3 corner = p->vertices[p->face_vertices[p->face_start[face]]];
    corner = fender_vec3_add(polytope->p, fender_mat3_times(&polytope->placed->R_WG, corner));
    f->offset = fender_vec3_dot(f->normal, corner);
    return fnd_patch_add_round(f);
}

static void turn_round(fender_separation *s, fender_vec3 offset)
{
    fender_vec3 point_a = s->point_a;
    s->point_a = fender_vec3_add(s->point_b, offset);
    s->point_b = fender_vec3_add(point_a, offset);
    s->normal = fender_vec3_negate(s->normal);
}

/* Order of two geometries, -1, 0, 1: 0 when they are alike. */
static int order_of_geometries(const fender_geometry *g, const fender_geometry *h)
{
    const double left[] = {(double)g->type, g->patch_area, g->bounding_radius, g->radius,  g->half_length,
                           g->half.x,       g->half.y,     g->half.z,          g->rounding};
    const double right[] = {(double)h->type, h->patch_area, h->bounding_radius, h->radius,  h->half_length,
                            h->half.x,       h->half.y,     h->half.z,          h->rounding};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

/* Which of the two comes first, so that both orders of the arguments are computed alike: by the geometries, which never
 * change; two that are alike by the side of a plane on which the second lies, which changes seldom and never where
 * bodies rest on each other's faces along an axis; at last by attitude. */
static bool comes_second(const fnd_placed *a, const fnd_placed *b)
{
    int order = order_of_geometries(a->geometry, b->geometry);
    if (order != 0) return order > 0;
    const fender_vec3 direction = {0.4142135623730951, 0.7320508075688772, 1};
    double side = fender_vec3_dot(direction, fender_vec3_sub(b->p_WG, a->p_WG));
    if (side != 0) return side < 0;
    for (int i = 0; i < 9; i++) {
        double u = a->R_WG.m[i / 3][i % 3], v = b->R_WG.m[i / 3][i % 3];
        if (u != v) return u > v;
    }
    return false;
}

static bool patches_of(const fnd_placed *a, const fnd_placed *b, fender_vec3 normal, const fnd_query *query,
                       fnd_manifold *out)
{
    const fender_geometry *ga = a->geometry, *gb = b->geometry;
    fnd_faces faces_a = {a, {0, 0, 0}}, faces_b = {b, fender_vec3_sub(b->p_WG, a->p_WG)};
    double cosine_a, cosine_b, turns_with_b;
    int face_a = best_face(&faces_a, normal, &cosine_a);
    int face_b = best_face(&faces_b, fender_vec3_negate(normal), &cosine_b);
    fnd_patch_floor f = {.out = out, .first = out->count};
    f.reach = fnd_query_reach(query);
    if (isfinite(f.reach) && f.reach > 0) f.lift = f.reach;
    bool round_a = is_round(ga), round_b = is_round(gb);
    if (round_a != round_b && (round_a ? cosine_b : cosine_a) > 0.99) {
        f.mirrored = round_a;
        bool added = round_a ? round_on_face(&f, &faces_a, &faces_b, face_b)
                             : round_on_face(&f, &faces_b, &faces_a, face_a);
        if (added && out->count > f.first) {
            fnd_patch_finish(&f);
            const fender_vec3 zero = {0, 0, 0};
            for (int i = f.first; round_a && i < out->count; i++) turn_round(&out->items[i], zero);
            return true;
        }
        f = (fnd_patch_floor){.out = out, .first = f.first, .reach = f.reach, .lift = f.lift};
    }
    /* Caps are faces only where they lie flat, and so are plates. */
    bool flat_a = round_a || (ga->polytope && ga->polytope->face_count == 2);
    bool flat_b = round_b || (gb->polytope && gb->polytope->face_count == 2);
    if (face_a < 0 || face_b < 0 || (flat_a && cosine_a < 0.9) || (flat_b && cosine_b < 0.9)) return false;
    f.normal = normal_of(&faces_a, &faces_b, face_a, face_b, cosine_a, cosine_b, normal, &turns_with_b);
    f.solid = b;
    f.solid_p = faces_b.p;
    f.floor_rounding = ga->rounding;
    f.solid_rounding = gb->rounding;
    f.full_area = ga->patch_area < gb->patch_area ? ga->patch_area : gb->patch_area;
    fender_vec3 origin = fnd_support(ga, fender_mat3_transpose_times(&a->R_WG, normal));
    origin = fender_mat3_times(&a->R_WG, origin);
    bool axes_of_b = turns_with_b > 0.5;
    fnd_patch_add_faces(&f, &faces_a, &faces_b, axes_of_b ? -1 : face_a, face_b, origin, turns_with_b);
    /* Rounded corners that lean past each other touch where no column holds both; sides of round bodies are no faces,
     * and rims a little more than their polygons. */
    bool corner = cosine_a < 1 - FACE_NORMAL && cosine_b < 1 - FACE_NORMAL;
    bool rounded = corner && f.floor_rounding + f.solid_rounding > 0;
    if (out->count == f.first && (round_a || round_b || rounded)) return false;
    fnd_patch_finish(&f);
    return true; /* with nothing, where they touch by less than the two normals differ */
}

bool fnd_patch_polytopes(const fnd_placed *a, const fnd_placed *b, const fender_separation *single,
                         const fnd_query *query, fnd_manifold *out)
{
    if (!comes_second(a, b)) return patches_of(a, b, single->normal, query, out);
    int first = out->count;
    if (!patches_of(b, a, fender_vec3_negate(single->normal), query, out)) return false;
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    for (int i = first; i < out->count; i++) {
        turn_round(&out->items[i], offset);
        out->items[i].feature = fnd_patch_feature_mirrored(out->items[i].feature);
    }
    return true;
}
