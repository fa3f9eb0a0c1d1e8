/* Peaks of links between accepted states: of their forces, and of their lengths both ways. */
#include "contact/peak.h"
#include "dynamics/dynamics.h"
#include <assert.h>

/* What is largest. Lengths are squared: they are smooth through 0, and parabolas in free flight. */
typedef enum peak_kind { FORCE, LONGEST, SHORTEST, KINDS } peak_kind;

enum { PARTS = FND_LINK_LOOKS + 1, MIDDLE = PARTS / 2, NODES = 6 };

typedef struct track {
    fnd_dynamics *d;
    const fnd_evaluation *from, *to;
    const fnd_frame_sampler *sampler;
    double start, length; /* s; of the step */
} track;

static double size_of(const fnd_link_value *v, peak_kind kind)
{
    const double square = v->length * v->length;
    return kind == FORCE ? fabs(v->force) : kind == LONGEST ? square : -square;
}

static double rate_of(const fnd_link_value *v, peak_kind kind)
{
    const double rate = 2 * v->length * v->rate;
    return kind == FORCE ? 0 : kind == LONGEST ? rate : -rate; /* that of a force is not known */
}

static double value_at(const track *t, int link, peak_kind kind, int part)
{
    const fnd_link_reach *reach = &t->d->links[link].reach;
    if (part == 0) return size_of(&t->from->links[link], kind);
    if (part == PARTS) return size_of(&t->to->links[link], kind);
    return kind == SHORTEST ? -reach->looks[LONGEST][part - 1] : reach->looks[kind][part - 1];
}

/* Looks at links that want it after that part of the step. False: no memory. */
static bool look(const track *t, int part)
{
    const double time = t->start + t->length * part / PARTS;
    if (!t->sampler->show(t->sampler->ctx, time)) return false;
    for (int i = 0; i < t->d->link_count; i++) {
        fnd_link_reach *reach = &t->d->links[i].reach;
        fnd_link_value v;
        if (!reach->wanted) continue;
        fnd_links_look(t->d, i, time, &v);
        reach->looks[FORCE][part - 1] = size_of(&v, FORCE);
        reach->looks[LONGEST][part - 1] = size_of(&v, LONGEST);
    }
    return true;
}

/* May it have a peak within the step? It has a force, or the rate of its length changes sign, or its bodies turn far.
 */
static bool may_peak(const track *t, int link)
{
    const fnd_link_value *from = &t->from->links[link], *to = &t->to->links[link];
    const fnd_frame *frames = t->d->frames;
    if (!from->there || !to->there || from->root_a == from->root_b) return false;
    const double turn = fender_vec3_length(frames[to->root_a].w) + fender_vec3_length(frames[to->root_b].w);
    return (from->acting && to->acting && (from->force != 0 || to->force != 0)) || from->rate * to->rate < 0 ||
           turn * t->length > 0.4;
}

/* Only forces that are estimated to come near to the largest so far are looked at closely. */
#define NEAR 0.05

/* May it have a peak within the step that counts? By the parabola through the values at both ends and in the middle,
 * else by the rates at both ends. */
static bool comes_near(const track *t, int link, peak_kind kind)
{
    const double a = value_at(t, link, kind, 0), m = value_at(t, link, kind, MIDDLE),
                 b = value_at(t, link, kind, PARTS), known = t->d->links[link].memory.peak_force;
    const double bend = 2 * (a - 2 * m + b), slope = 4 * m - 3 * a - b;
    if (!(bend < 0) || !(slope > 0) || !(slope < -2 * bend))
        return rate_of(&t->from->links[link], kind) > 0 && rate_of(&t->to->links[link], kind) < 0;
    return kind != FORCE || a - slope * slope / (4 * bend) > (1 - NEAR) * known;
}

/* The polynomial through values at six of the parts, in Newton's form. */
typedef struct polynomial {
    double first, low, high; /* parts; of its first value; between which it is asked for */
    double differences[NODES];
} polynomial;

static double polynomial_at(void *ctx, double between)
{
    const polynomial *p = ctx;
    const double x = p->low + between * (p->high - p->low) - p->first;
    double value = p->differences[NODES - 1];
    for (int k = NODES - 2; k >= 0; k--) value = p->differences[k] + (x - k) * value;
    return value;
}

/* The largest within the step. False: it is at an end. */
static bool peak_of(const track *t, int link, peak_kind kind, double *part, double *most)
{
    int at = 0;
    for (int i = 1; i <= PARTS; i++)
        if (value_at(t, link, kind, i) > value_at(t, link, kind, at)) at = i;
    const int low = at > 0 ? at - 1 : 0, high = at < PARTS ? at + 1 : PARTS;
    const int before = at - NODES / 2, last = PARTS - NODES + 1;
    const int first = before < 0 ? 0 : before > last ? last : before;
    polynomial p = {.first = first, .low = low, .high = high};
    for (int k = 0; k < NODES; k++) p.differences[k] = value_at(t, link, kind, first + k);
    for (int order = 1; order < NODES; order++)
        for (int k = NODES - 1; k >= order; k--) p.differences[k] = (p.differences[k] - p.differences[k - 1]) / order;
    const double found = fnd_largest(polynomial_at, &p, 0.5, 1e-8, most);
    *part = (low + found * (high - low)) / PARTS;
    return *most > value_at(t, link, kind, 0) && *most > value_at(t, link, kind, PARTS);
}

static void follow(const track *t, int link, peak_kind kind)
{
    fnd_link_reach *reach = &t->d->links[link].reach;
    double part, most;
    if (!comes_near(t, link, kind) || !peak_of(t, link, kind, &part, &most)) return;
    const double length = kind == FORCE ? 0 : sqrt(kind == LONGEST ? most : most < 0 ? -most : 0);
    if (kind == LONGEST && length > reach->longest) reach->longest = length;
    if (kind == SHORTEST && length < reach->shortest) reach->shortest = length;
    if (kind != FORCE || !(most > reach->force)) return;
    reach->force = most;
    reach->force_time = t->start + part * t->length;
}

static void begin(fnd_link_reach *reach, const fnd_link_value *from, const fnd_link_value *to, double end)
{
    reach->end = end;
    reach->force = 0;
    reach->shortest = from->length < to->length ? from->length : to->length;
    reach->longest = from->length < to->length ? to->length : from->length;
}

/* Where the motion of an end ends, its damper lets go: the force before that is the peak. */
static void look_before_arrival(const track *t, int link, double end)
{
    const fnd_link_drive *drive = &t->d->links[link].memory.drive;
    fnd_link_reach *reach = &t->d->links[link].reach;
    fnd_link_value v;
    if (drive->rate == 0 && !drive->pulling) return;
    fnd_links_look(t->d, link, end, &v);
    reach->force = size_of(&v, FORCE);
    reach->force_time = end;
}

/* True if one of its peaks may be within the step. */
static bool is_near(const track *t, int link)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (comes_near(t, link, (peak_kind)kind)) return true;
    return false;
}

static bool follow_all(const track *t)
{
    bool wanted = false;
    const int count = t->d->link_count;
    for (int i = 0; i < count; i++) wanted |= t->d->links[i].reach.wanted = may_peak(t, i);
    if (!wanted) return true;
    if (!look(t, MIDDLE)) return false;
    wanted = false;
    for (int i = 0; i < count; i++) {
        fnd_link_reach *reach = &t->d->links[i].reach;
        wanted |= reach->wanted = reach->wanted && is_near(t, i);
    }
    for (int part = 1; wanted && part < PARTS; part++)
        if (part != MIDDLE && !look(t, part)) return false;
    for (int i = 0; i < count; i++)
        for (int kind = 0; kind < KINDS && t->d->links[i].reach.wanted; kind++) follow(t, i, (peak_kind)kind);
    return true;
}

bool fnd_links_track(fnd_dynamics *d, const fnd_evaluation *now, double start, double end, bool located,
                     const fnd_frame_sampler *sampler)
{
    const track t = {d, &d->evaluations[0], now, sampler, start, end - start};
    assert(now->link_count == d->link_count && end > start);
    for (int i = 0; i < d->link_count; i++) {
        begin(&d->links[i].reach, &t.from->links[i], &now->links[i], end);
        if (located) look_before_arrival(&t, i, end);
    }
    return !sampler || follow_all(&t);
}
