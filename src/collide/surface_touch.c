/* Several places where one solid touches a surface: which are the same, and how much of the stiffness each has.
 *
 * With depths d_i and normals n_i the energy is k/2 times the greatest value of 2 l.d - l.G l over l >= 0, where
 * G_ij = max(n_i.n_j, 0); the force is the sum of k l_i n_i, so the weight of place i is l_i / d_i, within [0, 1].
 * Where all normals are within 90 degrees of each other that is k/2 t^2 for the least translation t that ends the
 * contact; two facets of a smooth bowl share one stiffness, two walls of a corner have one each, and nothing jumps. */
#include "collide/surface.h"

enum { ACTIVE = 16 };

void fnd_surface_touch_add(fnd_surface_touches *touches, fnd_surface_touch touch, double same, double turn)
{
    int shallowest = 0;
    for (int i = 0; i < touches->count; i++) {
        fnd_surface_touch *known = &touches->items[i];
        bool near = fender_vec3_length(fender_vec3_sub(known->point, touch.point)) <= same;
        if (near || fender_vec3_length(fender_vec3_sub(known->normal, touch.normal)) <= turn) {
            double more = known->distance - touch.distance, rounding = 1e-9 * fabs(known->distance);
            if (touch.on_facet != known->on_facet) more += touch.on_facet ? rounding : -rounding;
            if (more > 0) *known = touch;
            return;
        }
        if (known->distance > touches->items[shallowest].distance) shallowest = i;
    }
    if (touches->count < FND_SURFACE_TOUCHES) touches->items[touches->count++] = touch;
    else if (touch.distance < touches->items[shallowest].distance) touches->items[shallowest] = touch;
}

typedef struct program { /* quadratic, with the active set of Lawson and Hanson's method */
    const fnd_surface_touches *touches;
    double l[FND_SURFACE_TOUCHES];
    int active[ACTIVE], count;
    bool is_active[FND_SURFACE_TOUCHES], barred[FND_SURFACE_TOUCHES];
} program;

static double coupling(const program *p, int i, int j)
{
    double c = i == j ? 1 : fender_vec3_dot(p->touches->items[i].normal, p->touches->items[j].normal);
    return c > 0 ? c : 0;
}

static double depth(const program *p, int i) { return -p->touches->items[i].distance; }

/* G z = d over the active ones, by Cholesky; false where normals are the same within rounding. */
static bool solve(const program *p, double z[ACTIVE])
{
    double c[ACTIVE][ACTIVE];
    for (int i = 0; i < p->count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = coupling(p, p->active[i], p->active[j]);
            for (int k = 0; k < j; k++) sum -= c[i][k] * c[j][k];
            if (i > j) c[i][j] = sum / c[j][j];
            else if (sum > 1e-12) c[i][i] = sqrt(sum);
            else return false;
        }
        z[i] = depth(p, p->active[i]);
        for (int k = 0; k < i; k++) z[i] -= c[i][k] * z[k];
        z[i] /= c[i][i];
    }
    for (int i = p->count - 1; i >= 0; i--) {
        for (int k = i + 1; k < p->count; k++) z[i] -= c[k][i] * z[k];
        z[i] /= c[i][i];
    }
    return true;
}

/* The one that the present answer leaves deepest; -1: none is left. */
static int most_violated(const program *p, double rounding)
{
    int found = -1;
    double most = rounding;
    for (int i = 0; i < p->touches->count; i++) {
        if (p->is_active[i] || p->barred[i] || !(depth(p, i) > 0)) continue;
        double rest = depth(p, i);
        for (int k = 0; k < p->count; k++) rest -= coupling(p, i, p->active[k]) * p->l[p->active[k]];
        if (rest <= most) continue;
        most = rest;
        found = i;
    }
    return found;
}

static void leave(program *p, int at)
{
    p->l[p->active[at]] = 0;
    p->is_active[p->active[at]] = false;
    p->count--;
    for (int i = at; i < p->count; i++) p->active[i] = p->active[i + 1];
}

/* Moves to the solution of the active ones, dropping those that would become negative. */
static void settle(program *p)
{
    double z[ACTIVE];
    while (p->count > 0) {
        if (!solve(p, z)) { /* the newest has no direction of its own */
            p->barred[p->active[p->count - 1]] = true;
            leave(p, p->count - 1);
            continue;
        }
        int blocking = -1;
        double part = 1;
        for (int i = 0; i < p->count; i++) {
            double now = p->l[p->active[i]];
            if (z[i] > 0 || now - z[i] <= 0) continue;
            if (blocking >= 0 && now / (now - z[i]) >= part) continue;
            part = now / (now - z[i]);
            blocking = i;
        }
        if (blocking < 0) {
            for (int i = 0; i < p->count; i++) p->l[p->active[i]] = z[i] > 0 ? z[i] : 0;
            return;
        }
        for (int i = 0; i < p->count; i++) p->l[p->active[i]] += part * (z[i] - p->l[p->active[i]]);
        leave(p, blocking);
    }
}

static void turn(const program *p, int i, fnd_surface_touch *touch)
{
    fender_vec3 n = touch->normal, others = {0, 0, 0};
    for (int k = 0; k < p->count; k++) {
        int j = p->active[k];
        if (j != i && coupling(p, i, j) > 0)
            others = fender_vec3_add_scaled(others, p->l[j], p->touches->items[j].normal);
    }
    others = fender_vec3_add_scaled(others, -fender_vec3_dot(n, others), n);
    others = fender_vec3_add_scaled(others, -fender_vec3_dot(touch->edge, others), touch->edge);
    fender_vec3 force = fender_vec3_add_scaled(n, 1 / touch->turning, others);
    double part = fender_vec3_length(force), radius = touch->turning - touch->distance;
    fender_vec3 center = fender_vec3_add_scaled(touch->point, touch->turning, n);
    touch->normal = fender_vec3_scale(1 / part, force);
    touch->distance /= part;
    touch->weight *= part * part;
    touch->point = fender_vec3_add_scaled(center, -radius - touch->distance, touch->normal);
}

void fnd_surface_touch_weigh(fnd_surface_touches *touches)
{
    program p = {.touches = touches};
    double deepest = 0;
    for (int i = 0; i < touches->count; i++) deepest = depth(&p, i) > deepest ? depth(&p, i) : deepest;
    for (int tries = 0; tries < 4 * FND_SURFACE_TOUCHES && p.count < ACTIVE; tries++) {
        int next = most_violated(&p, 1e-13 * deepest);
        if (next < 0) break;
        p.active[p.count++] = next;
        p.is_active[next] = true;
        settle(&p);
        if (!p.is_active[next]) p.barred[next] = true;
    }
    fnd_surface_touch turned[FND_SURFACE_TOUCHES];
    for (int i = 0; i < touches->count; i++) {
        turned[i] = touches->items[i];
        turned[i].weight = depth(&p, i) > 0 ? p.l[i] / depth(&p, i) : 0;
        if (turned[i].weight > 0 && p.count > 1 && turned[i].turning > 0) turn(&p, i, &turned[i]);
    }
    for (int i = 0; i < touches->count; i++) touches->items[i] = turned[i];
}

static bool before(fender_vec3 a, fender_vec3 b)
{
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

void fnd_surface_touch_emit(const fnd_surface_touches *touches, const fnd_placed *surface, double reach,
                            uint64_t first_feature, fnd_manifold *out)
{
    int nearest = 0, weighty = 0;
    for (int i = 0; i < touches->count; i++) {
        if (touches->items[i].distance < touches->items[nearest].distance) nearest = i;
        weighty += touches->items[i].weight > 0;
    }
    if (touches->count == 0) return;
    if (weighty < 2) {
        fnd_surface_touch sole = touches->items[nearest];
        sole.weight = 1;
        if (sole.distance > reach) return;
        fnd_surface_emit(surface, &sole, first_feature, 0, out);
        if (!out->failed) out->items[out->count - 1].shared = true;
        return;
    }
    for (int i = 0; i < touches->count; i++) {
        const fnd_surface_touch *touch = &touches->items[i];
        if (!(touch->weight > 0) || touch->distance > reach) continue;
        uint64_t rank = 0;
        for (int k = 0; k < touches->count; k++)
            rank += touches->items[k].weight > 0 && (before(touches->items[k].normal, touch->normal) ||
                                                     (k < i && !before(touch->normal, touches->items[k].normal)));
        fnd_surface_emit(surface, touch, first_feature + rank, (int)rank, out);
        if (!out->failed) {
            out->items[out->count - 1].fades = rank > 0;
            out->items[out->count - 1].shared = true;
        }
    }
}
