/* The strut: a telescoping leg with a core that may crush, a damper and two end stops. */
#include "dynamics/link.h"

#include "base/error.h"
#include <float.h>

/* A piece of the core's force over y = compression - crushed, straight from `low` to `high`. */
typedef struct piece {
    double low, high; /* m */
    double force;     /* N; at the end of it that is nearer to 0 m: `low` of all but the seat */
    double at;        /* m; where that is */
    double slope;     /* N/m */
    double energy;    /* J; held there */
} piece;

/* Modes: which piece of the core, and what stops and damper do. */
enum { LOOSE, SEAT, FIRST_PIECE, CRUSHING = 255 };
enum { STOP_SHIFT = 8, EXTENDED = 0, FREE = 1, BOTTOMED = 2, SHORTENING = 1 << 10 };

static int core_of(int mode) { return mode & 255; }
static int stop_of(int mode) { return mode >> STOP_SHIFT & 3; }

static int piece_count(const fnd_link *link) { return FIRST_PIECE + (link->curve ? link->curve_count - 1 : 1); }

/* Energies add up from where the core is loose. */
static piece piece_at(const fnd_link *link, int index)
{
    const fender_link_strut *p = link->parameters;
    double seat = p->preload > 0 ? p->preload / p->stop_stiffness : 0;
    double energy = 0.5 * p->preload * seat;
    if (index == LOOSE) return (piece){-(double)INFINITY, -seat, 0, -seat, 0, 0};
    if (index == SEAT) return (piece){-seat, 0, p->preload, 0, p->stop_stiffness, energy};
    if (!link->curve) return (piece){0, (double)INFINITY, p->preload, 0, p->stiffness, energy};
    const fender_vec2 *c = link->curve;
    int first = index - FIRST_PIECE;
    for (int i = 0; i < first; i++) energy += (c[i + 1].x - c[i].x) * (p->preload + 0.5 * (c[i].y + c[i + 1].y));
    bool last = first == link->curve_count - 2;
    double slope = (c[first + 1].y - c[first].y) / (c[first + 1].x - c[first].x);
    return (piece){c[first].x, last ? (double)INFINITY : c[first + 1].x, p->preload + c[first].y, c[first].x, slope,
                   energy};
}

static double force_in(const piece *p, double y) { return p->force + p->slope * (y - p->at); }
static double energy_in(const piece *p, double y)
{
    double way = y - p->at;
    return p->energy + way * (p->force + 0.5 * p->slope * way);
}

static int piece_of(const fnd_link *link, double y)
{
    int count = piece_count(link);
    for (int i = LOOSE; i < count - 1; i++)
        if (y < piece_at(link, i).high) return i;
    return count - 1;
}

/* Where the core yields [m of y], and what it holds there. INFINITY: never. */
static double yield_of(const fnd_link *link, double *energy)
{
    const fender_link_strut *p = link->parameters;
    int count = piece_count(link);
    *energy = 0;
    for (int i = FIRST_PIECE; i < count && !isinf(p->crush_force); i++) {
        piece k = piece_at(link, i);
        if (!(k.slope > 0) || (!isinf(k.high) && force_in(&k, k.high) < p->crush_force)) continue;
        double y = k.at + (p->crush_force - k.force) / k.slope;
        *energy = energy_in(&k, y);
        return y;
    }
    return (double)INFINITY;
}

/* What the strut does at a compression and its rate. What is crushed: never less than it was. */
static int mode_of(const fnd_link *link, double x, double rate, double *crushed)
{
    const fender_link_strut *p = link->parameters;
    const fnd_link_memory *memory = &link->memory;
    double energy, yield = yield_of(link, &energy), y = x - memory->crushed;
    /* where it is crushing, y is the yield but for rounding */
    double slack = 1e-9 * yield;
    bool was = core_of(memory->mode) == CRUSHING;
    bool yields = !isinf(yield) && memory->crushed < p->crush_stroke &&
                  y > (rate > 0 ? (was ? yield - slack : yield) : yield + slack);
    int mode = x < 0 ? EXTENDED << STOP_SHIFT : x > p->stroke ? BOTTOMED << STOP_SHIFT : FREE << STOP_SHIFT;
    if (rate >= 0) mode |= SHORTENING;
    *crushed = memory->crushed;
    if (yields) {
        if (x - yield > *crushed) *crushed = x - yield;
        if (*crushed < p->crush_stroke) return mode | CRUSHING;
        *crushed = p->crush_stroke;
    }
    return mode | piece_of(link, x - *crushed);
}

void fnd_strut_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *v)
{
    const fender_link_strut *p = link->parameters;
    double x = p->free_length - v->length, rate = -v->rate;
    v->mode = mode_of(link, x, rate, &v->crushed);
    if (held) {
        v->mode = link->memory.mode;
        v->crushed = link->memory.crushed;
    }
    double core, energy;
    if (core_of(v->mode) == CRUSHING) {
        (void)yield_of(link, &energy);
        core = p->crush_force;
        v->crush_power = core * rate;
    } else {
        double y = x - v->crushed;
        piece k = piece_at(link, core_of(v->mode));
        core = force_in(&k, y);
        energy = energy_in(&k, y);
    }
    int stop = stop_of(v->mode);
    double into = stop == EXTENDED ? x : stop == BOTTOMED ? x - p->stroke : 0;
    double drag = (v->mode & SHORTENING ? p->compression_damping : p->extension_damping) * rate;
    v->force = core + p->stop_stiffness * into + drag;
    v->stored_energy = energy + 0.5 * p->stop_stiffness * into * into;
    v->damping_power += drag * rate;
    v->force_on_b = fender_vec3_scale(v->force, along);
}

int fnd_strut_roots(const fnd_link *link, const fnd_link_value *v, double grain, fnd_link_root *roots)
{
    enum { LOW, HIGH, TURN, USED_UP, STOP_LOW, STOP_HIGH, DIRECTION, LIMIT };
    const fender_link_strut *p = link->parameters;
    double x = p->free_length - v->length, rate = -v->rate, energy, yield = yield_of(link, &energy);
    int count = 0, core = core_of(v->mode), stop = stop_of(v->mode);
    if (core == CRUSHING) {
        roots[count++] = (fnd_link_root){TURN, rate, NAN};
        if (!isinf(p->crush_stroke))
            roots[count++] = (fnd_link_root){USED_UP, p->crush_stroke - (x - yield) + grain, -rate};
    } else {
        piece k = piece_at(link, core);
        double y = x - link->memory.crushed, high = k.high;
        bool yields = link->memory.crushed < p->crush_stroke && yield < high && core >= FIRST_PIECE;
        if (yields) high = yield;
        if (!isinf(k.low)) roots[count++] = (fnd_link_root){LOW, y - k.low + grain, rate};
        if (!isinf(high)) roots[count++] = (fnd_link_root){HIGH, high - y + grain, -rate};
    }
    if (p->stop_stiffness > 0) {
        if (stop == EXTENDED) roots[count++] = (fnd_link_root){STOP_HIGH, -x + grain, -rate};
        if (stop != EXTENDED)
            roots[count++] = (fnd_link_root){STOP_LOW, (stop == FREE ? x : x - p->stroke) + grain, rate};
        if (stop == FREE && !isinf(p->stroke))
            roots[count++] = (fnd_link_root){STOP_HIGH, p->stroke - x + grain, -rate};
    }
    if (p->compression_damping != p->extension_damping) {
        double way = v->mode & SHORTENING ? rate : -rate;
        roots[count++] = (fnd_link_root){DIRECTION, way + DBL_MIN, NAN};
    }
    return fnd_link_add_limit(count, LIMIT, p->limit, fabs(v->force), roots);
}

fnd_link_fate fnd_strut_judge(const fnd_link *link, const fnd_link_value *v)
{
    const fender_link_strut *p = link->parameters;
    const fnd_link_memory *memory = &link->memory;
    if (!v->alive) return FND_LINK_GOES_ON;
    if (fabs(v->force) > p->limit) return FND_LINK_BREAKS;
    if (stop_of(v->mode) == BOTTOMED && stop_of(memory->mode) != BOTTOMED) return FND_LINK_BOTTOMS;
    bool begins = v->crushed > memory->crushed && core_of(memory->mode) != CRUSHING;
    return begins ? FND_LINK_CRUSHES : FND_LINK_GOES_ON;
}

bool fnd_strut_settle(fnd_link *link, const fnd_link_value *v)
{
    const fender_link_strut *p = link->parameters;
    double crushed;
    link->memory.mode = mode_of(link, p->free_length - v->length, -v->rate, &crushed);
    return link->memory.mode != v->mode;
}

bool fnd_strut_mode_valid(const fnd_link *link, int mode)
{
    int core = core_of(mode);
    return mode >= 0 && mode < 2 * SHORTENING && stop_of(mode) <= BOTTOMED &&
           (core < piece_count(link) || core == CRUSHING);
}

/* ---- checks */

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *expected)
{
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, path, message, "", expected, ""});
}

static fender_status check_curve(const fender_vec2 *curve, int count, fender_error *error)
{
    if (count < 2 || count > FENDER_LINK_CURVE_CAPACITY || curve[0].x != 0)
        return refuse(error, "curve", "the curve of a strut begins at a compression of 0 and has two points or more",
                      "2 to 64 points, [0 m, FORCE] first");
    for (int i = 0; i < count; i++) {
        bool good = isfinite(curve[i].x) && isfinite(curve[i].y) && curve[i].y >= 0;
        if (i > 0) good = good && curve[i].x > curve[i - 1].x && curve[i].y >= curve[i - 1].y;
        if (!good)
            return refuse(error, "curve", "the force of a strut falls along its curve, or its compressions do not rise",
                          "rising compressions, forces of 0 N or more that do not fall");
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_strut_check(const fender_link_strut *p, const fender_vec2 *curve, int count, fender_error *error)
{
    fender_status status = curve ? check_curve(curve, count, error) : FENDER_STATUS_OK;
    if (status) return status;
    if (curve && p->stiffness > 0)
        return refuse(error, "stiffness", "a strut has a stiffness or a curve", "one of the two");
    if (p->stop_stiffness == 0 && p->preload > 0)
        return refuse(error, "stop_stiffness", "a preload needs an end stop that it lies against",
                      "a stop_stiffness of more than 0 N/m beside 'preload'");
    if (p->stop_stiffness == 0 && !isinf(p->stroke))
        return refuse(error, "stop_stiffness", "a stroke ends at a stop, which needs a stiffness",
                      "a stop_stiffness of more than 0 N/m beside 'stroke'");
    if (isinf(p->crush_force)) return FENDER_STATUS_OK;
    double first = p->preload + (curve ? curve[0].y : 0);
    if (!(p->crush_force > first))
        return refuse(error, "crush_force", "the core would crush under its own preload",
                      "a crush_force above the force at a compression of 0");
    double slope = curve ? curve[count - 1].y - curve[count - 2].y : p->stiffness;
    double last = p->preload + (curve ? curve[count - 1].y : 0);
    if (!(slope > 0) && last < p->crush_force)
        return refuse(error, "crush_force", "the core's spring never reaches the force at which it would crush",
                      "a stiffness, or a curve, that leads to it");
    return FENDER_STATUS_OK;
}
