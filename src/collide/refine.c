/* Greatest separation of two cores near a guessed normal.
 *
 * s(n) = -(a(n) + b(n)), where a and b are greatest values over smooth pieces (refine_piece.c). A step maximises a
 * model: the pieces that were met so far, each to second order, and the curvature of the sphere. Its maximum is smooth
 * or lies on kinks, where up to three pieces of one body, or two of each, are equal; with two unknowns all sets of
 * active pieces are tried. Steps that do not raise s add the pieces found there, or shorten the next step. Near the end
 * this is Newton's method on the smooth equations of the active pieces: the error is squared with every step, and the
 * result depends on the pose as smoothly as the geometry does. Where a normal is stuck to a flat face or cap (s has the
 * point of a cone there) no step is needed: that normal is tried first, and whenever a step would pass it. */
#include "collide/refine.h"
#include "math/rotation.h"

#include "geometry/support.h"
#include <assert.h>

enum { MAX_PIECES = 4, MAX_STEPS = 80 };
/* Smaller tilts are rounding of the attitudes. */
#define TIE 1e-14
/* What it still may be where nothing else is found; this part of the size is lost then. */
#define LOOSE_TIE 3e-13

typedef struct piece_list {
    int count;
    fnd_piece piece[MAX_PIECES];
    fnd_piece_value at[MAX_PIECES]; /* along the normal */
    int active;                     /* bits: in the last step */
} piece_list;

typedef struct search {
    fnd_piece_body body[2];
    double scale;
    fender_vec3 n, across[2];
    double s;
    piece_list list[2];
    bool across_only; /* steps onto kinks and ridges, none along them */
} search;

/* A step and the weights of the pieces that it makes equal. */
typedef struct trial {
    double t[2];
    double value; /* of the model */
    double weight[2][MAX_PIECES];
    bool sound; /* weights and order of the pieces agree */
} trial;

static void set_normal(search *q, fender_vec3 n)
{
    fnd_length_and_direction(n, &q->n);
    double x = fabs(q->n.x), y = fabs(q->n.y), z = fabs(q->n.z);
    fender_vec3 axis = {x <= y && x <= z, !(x <= y && x <= z) && y <= z, !(x <= y && x <= z) && !(y <= z)};
    fnd_length_and_direction(fender_vec3_cross(axis, q->n), &q->across[0]);
    q->across[1] = fender_vec3_cross(q->n, q->across[0]);
}

static double separation_along(const search *q, fender_vec3 n, fnd_piece found[2])
{
    assert(fnd_is_unit(n));
    static const fender_vec3 none[2] = {{0, 0, 0}, {0, 0, 0}};
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        fnd_piece_value value;
        found[k] = fnd_piece_farthest(&q->body[k], n);
        fnd_piece_evaluate(&q->body[k], &found[k], n, none, &value);
        sum += value.value;
    }
    return -sum;
}

/* True: the list did not have it. */
static bool add_piece(piece_list *list, const fnd_piece *piece)
{
    assert(list->count >= 0 && list->count <= MAX_PIECES);
    int at = list->count;
    for (int i = 0; i < list->count && piece->kind != FND_PIECE_SAMPLE; i++)
        if (list->piece[i].kind == piece->kind && list->piece[i].number == piece->number) return false;
    if (at == MAX_PIECES) { /* replaces the lowest unused sample */
        at = -1;
        for (int i = 0; i < MAX_PIECES; i++)
            if (!(list->active >> i & 1) && (at < 0 || list->at[i].value < list->at[at].value)) at = i;
        if (at < 0) at = 0;
    } else list->count++;
    list->piece[at] = *piece;
    list->active &= ~(1 << at);
    return true;
}

static void evaluate_lists(search *q)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < q->list[k].count; i++)
            fnd_piece_evaluate(&q->body[k], &q->list[k].piece[i], q->n, q->across, &q->list[k].at[i]);
}

/* An old sample whose curvature lifts it above the true function counts as flat, which never does. */
static void flatten_samples(search *q)
{
    for (int k = 0; k < 2; k++) {
        const fnd_piece_body *body = &q->body[k];
        if (body->geometry->type != FENDER_GEOMETRY_USER) continue;
        fender_vec3 d = fender_mat3_transpose_times(&body->R, fender_vec3_scale(body->sense, q->n));
        double most = fender_vec3_dot(d, fnd_support(body->geometry, d)) + body->sense * fender_vec3_dot(q->n, body->p);
        for (int i = 0; i < q->list[k].count; i++) {
            fnd_piece *piece = &q->list[k].piece[i];
            if (piece->kind != FND_PIECE_SAMPLE || q->list[k].at[i].value <= most + 1e-15 * q->scale) continue;
            piece->curvature = (fender_mat3){{{0}}};
            fnd_piece_evaluate(body, piece, q->n, q->across, &q->list[k].at[i]);
        }
    }
}

/* Takes the samples that hold the maximum anew, close by on their own side of the kink: far ones are extrapolated,
 * which the points notice before the distance does. False: there was none. */
static bool renew_samples(search *q, double tilt, double weight[2][MAX_PIECES])
{
    bool any = false;
    for (int k = 0; k < 2; k++) {
        piece_list *list = &q->list[k];
        double mean[2] = {0, 0};
        for (int i = 0; i < list->count; i++)
            for (int j = 0; j < 2; j++) mean[j] += weight[k][i] * list->at[i].first[j];
        for (int i = 0; i < list->count; i++) {
            fnd_piece *piece = &list->piece[i];
            if (piece->kind != FND_PIECE_SAMPLE || !(weight[k][i] > 0)) continue;
            double away[2] = {list->at[i].first[0] - mean[0], list->at[i].first[1] - mean[1]};
            double length = fnd_length_2(away[0], away[1]);
            fender_vec3 n = q->n;
            for (int j = 0; j < 2 && length > 1e-9 * q->scale; j++)
                n = fender_vec3_add_scaled(n, tilt * away[j] / length, q->across[j]);
            fnd_length_and_direction(n, &n);
            fnd_piece there = fnd_piece_farthest(&q->body[k], n);
            there.curvature = piece->curvature;
            fnd_piece_across(&q->body[k], &there, n);
            fnd_piece_value value;
            fnd_piece_evaluate(&q->body[k], &there, q->n, q->across, &value);
            if (fender_vec3_length(fender_vec3_sub(value.x, list->at[i].x)) > 0.1 * length + 1e-3 * q->scale) continue;
            *piece = there;
            any = true;
        }
    }
    return any;
}

/* first.t + t.second.t / 2 */
static double rise(const fnd_piece_value *v, const double t[2])
{
    return v->first[0] * t[0] + v->first[1] * t[1] +
           0.5 * (v->second[0] * t[0] * t[0] + 2 * v->second[1] * t[0] * t[1] + v->second[2] * t[1] * t[1]);
}

/* Bits of the set give the pieces; which[] the numbers. */
static int members(int set, int which[MAX_PIECES])
{
    assert(set >= 0 && set < 1 << MAX_PIECES);
    int count = 0;
    for (int i = 0; i < MAX_PIECES; i++)
        if (set >> i & 1) which[count++] = i;
    return count;
}

static void judge(const search *q, const int set[2], trial *one)
{
    double sum = 0, excess = 0, least = 0;
    for (int k = 0; k < 2; k++) {
        const piece_list *list = &q->list[k];
        double most = -INFINITY, most_active = -INFINITY;
        for (int i = 0; i < list->count; i++) {
            double value = list->at[i].value + rise(&list->at[i], one->t);
            if (value > most) most = value;
            if ((set[k] >> i & 1) && value > most_active) most_active = value;
            if (one->weight[k][i] < least) least = one->weight[k][i];
        }
        sum += most;
        excess += most - most_active;
    }
    double squared = one->t[0] * one->t[0] + one->t[1] * one->t[1];
    one->value = -sum - 0.5 * q->s * squared;
    one->sound = excess <= 1e-13 * q->scale && least >= -1e-6;
}

/* Where two pieces of one body are equal: other - base = gap + slope.t + bend = 0. */
typedef struct kink {
    const fnd_piece_value *base, *other;
    int body, number; /* whose, and which of its pieces `other` is */
    double slope[2], gap;
    double bend;  /* second-order part at the step of the last pass */
    double share; /* Lagrange multiplier: the weight of `other` */
} kink;

/* The quadratic programme of one set of active pieces: least gradient.t + t.hessian.t / 2 on all kinks. Its solution is
 * that of a step of sequential quadratic programming, with the Hessian of the Lagrangian (Nocedal and Wright, Numerical
 * Optimization, 2006, ch. 18). */
typedef struct step_model {
    const fnd_piece_value *base[2]; /* the first active piece of each body */
    int base_number[2];
    kink kinks[2]; /* no more: they fix both components of t */
    int kink_count;
    double gradient[2], hessian[3]; /* 11, 12, 22 */
    double limit;                   /* of |t| */
} step_model;

static void gather_active(const search *q, const int set[2], step_model *m)
{
    m->gradient[0] = m->gradient[1] = 0;
    m->kink_count = 0;
    for (int k = 0; k < 2; k++) {
        int which[MAX_PIECES], count = members(set[k], which);
        assert(count > 0 && "a body without an active piece");
        const fnd_piece_value *base = m->base[k] = &q->list[k].at[which[0]];
        m->base_number[k] = which[0];
        m->gradient[0] += base->first[0], m->gradient[1] += base->first[1];
        for (int i = 1; i < count; i++) {
            assert(m->kink_count < 2 && "more kinks than unknowns");
            const fnd_piece_value *other = &q->list[k].at[which[i]];
            m->kinks[m->kink_count++] = (kink){
                .base = base,
                .other = other,
                .body = k,
                .number = which[i],
                .slope = {other->first[0] - base->first[0], other->first[1] - base->first[1]},
                .gap = other->value - base->value,
            };
        }
    }
    /* equal weights to begin with */
    kink *kinks = m->kinks;
    if (m->kink_count == 1) kinks[0].share = 0.5;
    if (m->kink_count == 2) kinks[0].share = kinks[1].share = kinks[0].body == kinks[1].body ? 1.0 / 3 : 0.5;
}

/* Hessian of the Lagrangian, with the curvature of the sphere, and the bend of the kinks at the last step t. */
static void set_curvatures(const search *q, const double t[2], step_model *m)
{
    double *h = m->hessian;
    for (int i = 0; i < 3; i++) {
        h[i] = m->base[0]->second[i] + m->base[1]->second[i];
        for (int j = 0; j < m->kink_count; j++) {
            const kink *k = &m->kinks[j];
            h[i] += k->share * (k->other->second[i] - k->base->second[i]);
        }
    }
    h[0] += q->s, h[2] += q->s;
    const double squares[3] = {t[0] * t[0], 2 * t[0] * t[1], t[1] * t[1]};
    for (int j = 0; j < m->kink_count; j++) {
        kink *k = &m->kinks[j];
        k->bend = 0;
        for (int i = 0; i < 3; i++) k->bend += 0.5 * (k->other->second[i] - k->base->second[i]) * squares[i];
    }
}

/* No kink, steps across alone: along the direction of the steeper bend, the step of Newton's method. */
static bool step_across_ridge(const step_model *m, double half_trace, double half_gap, double t[2])
{
    const double *g = m->gradient, *h = m->hessian;
    double x = 0.5 * (h[0] - h[2]), steepest[2] = {x >= 0 ? half_gap + x : h[1], x >= 0 ? h[1] : half_gap - x};
    double length = fnd_length_2(steepest[0], steepest[1]), bend = half_trace + half_gap;
    if (!(length > 0) || !(bend > 0)) return false;
    steepest[0] /= length, steepest[1] /= length;
    double part = -(g[0] * steepest[0] + g[1] * steepest[1]) / bend;
    t[0] = part * steepest[0], t[1] = part * steepest[1];
    return true;
}

/* No kink: a step of Newton's method, with the Hessian lifted until it is positive definite. */
static bool step_smooth(const search *q, const step_model *m, double t[2])
{
    const double *g = m->gradient, *h = m->hessian;
    double half_trace = 0.5 * (h[0] + h[2]), half_gap = fnd_length_2(0.5 * (h[0] - h[2]), h[1]);
    if (q->across_only) return step_across_ridge(m, half_trace, half_gap, t);
    double least = half_trace - half_gap; /* eigenvalue */
    double floor_value = 1e-12 * (fabs(half_trace) + half_gap + fabs(q->s)) + 1e-300;
    double lift = least < floor_value ? floor_value - least : 0;
    double h11 = h[0] + lift, h22 = h[2] + lift, determinant = h11 * h22 - h[1] * h[1];
    if (!(determinant > 0)) return false;
    t[0] = -(h22 * g[0] - h[1] * g[1]) / determinant;
    t[1] = -(h11 * g[1] - h[1] * g[0]) / determinant;
    double length = fnd_length_2(t[0], t[1]);
    if (length > m->limit) t[0] *= m->limit / length, t[1] *= m->limit / length;
    return true;
}

/* One kink: onto its line, then along the line to the lowest place within the limit. */
static bool step_along_kink(const search *q, step_model *m, double t[2])
{
    const double *g = m->gradient, *h = m->hessian;
    kink *k = &m->kinks[0];
    double steepness = fnd_length_2(k->slope[0], k->slope[1]);
    if (!(steepness > 1e-14 * q->scale)) return false;
    double across[2] = {k->slope[0] / steepness, k->slope[1] / steepness}, line[2] = {-across[1], across[0]};
    double down = -(k->gap + k->bend) / steepness;
    if (!(fabs(down) <= m->limit)) return false;
    double bent[2] = {h[0] * across[0] + h[1] * across[1], h[1] * across[0] + h[2] * across[1]};
    double slope = g[0] * line[0] + g[1] * line[1] + down * (bent[0] * line[0] + bent[1] * line[1]);
    double bend = h[0] * line[0] * line[0] + 2 * h[1] * line[0] * line[1] + h[2] * line[1] * line[1];
    double room = sqrt(m->limit * m->limit - down * down);
    double along = bend > 0 ? -slope / bend : slope > 0 ? -room : room;
    along = q->across_only ? 0 : along > room ? room : along < -room ? -room : along;
    t[0] = down * across[0] + along * line[0], t[1] = down * across[1] + along * line[1];
    k->share = -((g[0] + h[0] * t[0] + h[1] * t[1]) * across[0] + (g[1] + h[1] * t[0] + h[2] * t[1]) * across[1]) /
               steepness;
    return true;
}

/* Two kinks: to the point where their lines meet. */
static bool step_to_corner(step_model *m, double t[2])
{
    const double *g = m->gradient, *h = m->hessian;
    kink *first = &m->kinks[0], *second = &m->kinks[1];
    const double *r = first->slope, *u = second->slope;
    double determinant = r[0] * u[1] - r[1] * u[0];
    double product = fnd_length_2(r[0], r[1]) * fnd_length_2(u[0], u[1]);
    if (!(fabs(determinant) > 1e-13 * product)) return false;
    double gap_first = first->gap + first->bend, gap_second = second->gap + second->bend;
    t[0] = -(u[1] * gap_first - r[1] * gap_second) / determinant;
    t[1] = -(r[0] * gap_second - u[0] * gap_first) / determinant;
    if (!(fnd_length_2(t[0], t[1]) <= m->limit)) return false;
    double pull[2] = {-(g[0] + h[0] * t[0] + h[1] * t[1]), -(g[1] + h[1] * t[0] + h[2] * t[1])};
    first->share = (pull[0] * u[1] - pull[1] * u[0]) / determinant;
    second->share = (r[0] * pull[1] - r[1] * pull[0]) / determinant;
    return true;
}

/* The maximum of the model where the pieces of both sets are equal, at most `limit` away. False: they have none. */
static bool solve(const search *q, const int set[2], double limit, trial *one)
{
    enum { PASSES = 3 }; /* each with the curvatures that weights and step of the one before give */
    step_model m = {.limit = limit};
    gather_active(q, set, &m);
    one->t[0] = one->t[1] = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        set_curvatures(q, one->t, &m);
        bool found = m.kink_count == 0   ? step_smooth(q, &m, one->t)
                     : m.kink_count == 1 ? step_along_kink(q, &m, one->t)
                                         : step_to_corner(&m, one->t);
        if (!found) return false;
        if (m.kink_count == 0) break;                                 /* nothing of it depends on the step */
        for (int j = 0; j < m.kink_count && pass < PASSES - 1; j++) { /* curvature of what pulls, not more */
            double *share = &m.kinks[j].share;
            *share = *share < 0 ? 0 : *share > 1 ? 1 : *share;
        }
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < MAX_PIECES; i++) one->weight[k][i] = 0;
        one->weight[k][m.base_number[k]] = 1;
    }
    for (int j = 0; j < m.kink_count; j++) {
        const kink *k = &m.kinks[j];
        one->weight[k->body][k->number] = k->share;
        one->weight[k->body][m.base_number[k->body]] -= k->share;
    }
    judge(q, set, one);
    return isfinite(one->value);
}

/* The best of all sets of active pieces. */
static bool best_step(search *q, double limit, trial *best)
{
    bool found = false;
    int best_set[2] = {0, 0};
    for (int a = 1; a < 1 << q->list[0].count; a++)
        for (int b = 1; b < 1 << q->list[1].count; b++) {
            int which[MAX_PIECES], set[2] = {a, b}, count = members(a, which) + members(b, which);
            if (count > 4) continue;
            trial one;
            if (!solve(q, set, limit, &one)) continue;
            if (found && (best->sound != one.sound ? best->sound : one.value <= best->value)) continue;
            *best = one, best_set[0] = a, best_set[1] = b, found = true;
        }
    for (int k = 0; k < 2; k++) q->list[k].active = best_set[k];
    return found;
}

static fender_vec3 weighted_point(const piece_list *list, const double *weight)
{
    assert(list->count > 0);
    int first = -1;
    double sum = 0;
    for (int i = 0; i < list->count; i++) {
        if (!(weight[i] > 0)) continue;
        if (first < 0) first = i;
        sum += weight[i];
    }
    if (first < 0) return list->at[0].x;
    fender_vec3 x = list->at[first].x;
    for (int i = first + 1; i < list->count; i++)
        if (weight[i] > 0)
            x = fender_vec3_add_scaled(x, weight[i] / sum, fender_vec3_sub(list->at[i].x, list->at[first].x));
    return x;
}

/* Best result so far, in the frame of a. */
typedef struct best_found {
    double s, miss; /* distance of the points across the normal */
    fender_vec3 n, a, b;
} best_found;

static void keep_best(const search *q, fender_vec3 a, fender_vec3 b, best_found *best)
{
    assert(fnd_is_unit(q->n));
    fender_vec3 gap = fender_vec3_sub(b, a);
    double miss = fender_vec3_length(fender_vec3_add_scaled(gap, -fender_vec3_dot(gap, q->n), q->n));
    double noise = 2e-15 * q->scale;
    if (q->s > best->s + noise || (q->s >= best->s - noise && miss < best->miss))
        *best = (best_found){q->s, miss, q->n, a, b};
}

/* A piece that was met at the normal; a sample takes the place of an older one of the same smooth part. */
static bool add_found(search *q, int k, const fnd_piece *piece)
{
    assert(k == 0 || k == 1);
    piece_list *list = &q->list[k];
    fnd_piece_value fresh, old;
    if (piece->kind == FND_PIECE_SAMPLE) fnd_piece_evaluate(&q->body[k], piece, q->n, q->across, &fresh);
    for (int i = 0; i < list->count && piece->kind == FND_PIECE_SAMPLE; i++) {
        fnd_piece_evaluate(&q->body[k], &list->piece[i], q->n, q->across, &old);
        if (fender_vec3_length(fender_vec3_sub(old.x, fresh.x)) > 1e-6 * q->scale) continue;
        list->piece[i] = *piece;
        return true;
    }
    return add_piece(list, piece);
}

/* Classification of a normal across which a body is flat. */
typedef enum flat_result {
    FLAT_WORSE,  /* no better than what is known */
    FLAT_LEFT,   /* a tip of s that is no maximum: the search goes on from a better normal beside it */
    FLAT_MAXIMUM /* kept */
} flat_result;

static void move_to(search *q, fender_vec3 n, double s, const fnd_piece found[2])
{
    set_normal(q, n);
    q->s = s;
    for (int k = 0; k < 2; k++) add_found(q, k, &found[k]);
}

static flat_result try_flat(search *q, fender_vec3 normal, best_found *best)
{
    search there = *q;
    fnd_piece found[2];
    set_normal(&there, normal);
    there.s = separation_along(&there, there.n, found);
    if (!(there.s >= q->s - 1e-13 * q->scale)) return FLAT_WORSE;
    fnd_flat_set sets[2];
    fender_vec3 a, b;
    for (int loose = 0; loose < 2; loose++) { /* tilts just above rounding: each would see only the other's end */
        for (int k = 0; k < 2; k++) fnd_flat_set_of(&q->body[k], there.n, loose ? LOOSE_TIE : TIE, &sets[k]);
        double miss = fnd_flat_meet(&sets[0], &sets[1], there.across, &a, &b);
        keep_best(&there, a, b, best);
        if (!(miss <= 1e-14 * q->scale)) continue;
        /* In overlap s is least, not greatest, where a point or a line alone lies opposite. */
        return there.s >= 0 || fnd_flat_width(&sets[0], &sets[1]) > 1e-9 * q->scale ? FLAT_MAXIMUM : FLAT_WORSE;
    }
    /* s rises towards where the points miss each other */
    fender_vec3 gap = fender_vec3_sub(b, a), n;
    gap = fender_vec3_add_scaled(gap, -fender_vec3_dot(gap, there.n), there.n);
    double lean = 1 / (fabs(there.s) + fender_vec3_length(gap));
    for (int tries = 0; tries < 27; tries++, lean *= 0.25) { /* down to tilts that are rounding */
        fnd_length_and_direction(fender_vec3_add_scaled(there.n, lean, gap), &n);
        double s = separation_along(q, n, found);
        if (!(s > there.s && s > q->s)) continue;
        move_to(q, n, s, found);
        return FLAT_LEFT;
    }
    return FLAT_WORSE;
}

/* Normals within `angle` of the one that the search is at. */
static flat_result try_flats(search *q, double angle, best_found *best)
{
    fender_vec3 normal;
    flat_result result = FLAT_WORSE;
    for (int k = 0; k < 2; k++) {
        if (!fnd_flat_normal(&q->body[k], q->n, &normal)) continue;
        if (fender_vec3_length(fender_vec3_sub(normal, q->n)) > angle) continue;
        flat_result one = try_flat(q, normal, best);
        if (one > result) result = one;
    }
    return result;
}

/* A step along a kink or a ridge leaves it by what that bends: back onto it, before the step is judged. Better then? */
static bool step_back(search *q, fender_vec3 n, double s, const fnd_piece found[2])
{
    search there = *q;
    there.across_only = true;
    fnd_piece again[2] = {found[0], found[1]};
    for (int pass = 0; pass < 3; pass++) {
        const int set[2] = {there.list[0].active, there.list[1].active};
        trial one;
        set_normal(&there, n);
        there.s = s;
        evaluate_lists(&there);
        if (!solve(&there, set, 0.5, &one)) return false;
        fender_vec3 move = fender_vec3_add(fender_vec3_scale(one.t[0], there.across[0]),
                                           fender_vec3_scale(one.t[1], there.across[1]));
        fnd_length_and_direction(fender_vec3_add(there.n, move), &n);
        s = separation_along(&there, n, again);
        if (!(s > q->s)) continue;
        move_to(q, n, s, again);
        return true;
    }
    return false;
}

/* Steps are small when they are small beside this: tilts of active rims, which turn about as n does about their axis.
 */
static double least_tilt(const search *q, double weight[2][MAX_PIECES])
{
    double least = 1;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < q->list[k].count; i++)
            if (weight[k][i] > 1e-3 && q->list[k].at[i].tilt < least) least = q->list[k].at[i].tilt;
    return least;
}

static void climb(search *q, best_found *best)
{
    assert(q->scale > 0);
    double limit = 0.3, last = INFINITY;
    int renewed = 0, turned_down = 0; /* new samples may yield the same step again and again */
    fnd_piece found[2], all[2];
    for (int k = 0; k < 2; k++) {
        int count = fnd_piece_all(&q->body[k], all);
        for (int i = 0; i < count; i++) add_piece(&q->list[k], &all[i]);
    }
    q->s = separation_along(q, q->n, found);
    move_to(q, q->n, q->s, found);
    for (int step = 0; step < MAX_STEPS; step++) {
        trial one;
        evaluate_lists(q);
        flatten_samples(q);
        if (!best_step(q, limit, &one)) return;
        fender_vec3 a = weighted_point(&q->list[0], one.weight[0]), b = weighted_point(&q->list[1], one.weight[1]);
        keep_best(q, a, b, best);
        double length = fnd_length_2(one.t[0], one.t[1]);
        double tilt = least_tilt(q, one.weight);
        bool cut = length >= 0.99 * limit;
        if (length <= 1e-16 * tilt || (length < 1e-9 * tilt && !cut && length >= 0.5 * last)) { /* rounding */
            if (renewed == 2 || !renew_samples(q, renewed ? 1e-7 : 1e-6, one.weight)) return;
            renewed++, last = INFINITY;
            best->miss = INFINITY; /* what comes now has the better points */
            continue;
        }
        fender_vec3 move = fender_vec3_add(fender_vec3_scale(one.t[0], q->across[0]),
                                           fender_vec3_scale(one.t[1], q->across[1]));
        fender_vec3 n;
        fnd_length_and_direction(fender_vec3_add(q->n, move), &n);
        double s = separation_along(q, n, found);
        bool small = length<1e-6, better = s> q->s || (small && s >= q->s - 4e-15 * q->scale);
        if (better) {
            turned_down = 0;
            if (small && !cut) last = length;
            move_to(q, n, s, found);
            if (2 * length > limit) limit = 2 * length > 0.5 ? 0.5 : 2 * length;
            if (!small && try_flats(q, 0.5 * length, best) == FLAT_MAXIMUM && best->s < 0) return;
            continue;
        }
        if (!small && step_back(q, n, s, found)) continue;
        bool added = add_piece(&q->list[0], &found[0]);
        added = add_piece(&q->list[1], &found[1]) || added;
        if (added && length >= 1e-7 && ++turned_down <= 2) continue;
        turned_down = 0;
        flat_result flat = try_flats(q, 4 * length + 1e-3, best);
        if (flat == FLAT_MAXIMUM) return;
        limit = flat == FLAT_LEFT ? 0.1 : 0.25 * length;
        if (limit < 1e-17 * tilt) return;
    }
}

bool fnd_refine_contact(const fnd_posed *a, const fnd_posed *b, fnd_core_contact *contact)
{
    fender_vec3 p = fender_mat3_transpose_times(&a->R_WG, fender_vec3_sub(b->p_WG, a->p_WG));
    fender_mat3 back = fender_mat3_transpose(&a->R_WG);
    search q = {.body = {{a->geometry, fender_mat3_identity(), {0, 0, 0}, 1},
                         {b->geometry, fender_mat3_product(&back, &b->R_WG), p, -1}}};
    q.scale = fnd_piece_size(a->geometry) + fnd_piece_size(b->geometry) + fender_vec3_length(p);
    if (!(q.scale > 1e-90 && q.scale < 1e90)) return false;
    set_normal(&q, fender_mat3_times(&back, contact->normal));
    fnd_piece found[2];
    double guess = q.s = separation_along(&q, q.n, found);
    if (!isfinite(guess)) return false;
    best_found best = {-INFINITY, INFINITY, q.n, {0, 0, 0}, {0, 0, 0}};
    flat_result flat = try_flats(&q, 1, &best);
    if (flat != FLAT_MAXIMUM || best.s < 0) climb(&q, &best);
    if (!(best.s >= guess - 4e-15 * q.scale) || !(best.miss <= 1e-6 * q.scale)) return false;
    contact->distance = best.s;
    contact->normal = fender_mat3_times(&a->R_WG, best.n);
    contact->point_a = fender_mat3_times(&a->R_WG, best.a);
    contact->point_b = fender_mat3_times(&a->R_WG, fender_vec3_add_scaled(best.a, best.s, best.n));
    return true;
}
