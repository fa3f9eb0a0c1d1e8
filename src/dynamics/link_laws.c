/* The laws of links: springs and dampers along a line and about axes, the strut, a contact law. */
#include "base/error.h"
#include "dynamics/link.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <assert.h>
#include <float.h>
#include <string.h>

/* ---- Along the line ---- */

/* Shared by the three laws along a line. */
typedef struct axial {
    double stiffness, damping, free_length;
    double end_force; /* N, repulsive; at the free length of a spring that only pushes */
    int acts;         /* fender_link_acts */
    bool is_spent;    /* at its free length */
    double limit;
} axial;

static axial axial_of(const fnd_link *link, const fnd_link_value *v)
{
    double free_length = v->free_length;
    if (link->law == FENDER_LINK_TETHER) {
        const fender_link_tether *p = link->parameters;
        return (axial){p->stiffness, p->damping, free_length, 0, FENDER_LINK_PULL, false, p->limit};
    }
    if (link->law == FENDER_LINK_SEPARATION_SPRING) {
        const fender_link_separation_spring *p = link->parameters;
        double stiffness = (p->preload - p->end_force) / p->stroke;
        return (axial){stiffness, p->damping, free_length, p->end_force, FENDER_LINK_PUSH, true, (double)INFINITY};
    }
    const fender_link_spring_damper *p = link->parameters;
    return (axial){p->stiffness, p->damping, free_length, 0, p->acts, p->spent_at_free_length, p->limit};
}

/* Rate of the length against the free length: the damper follows a moving end as the spring does. */
static double stretch_rate(const fnd_link_value *v) { return v->rate - v->free_rate; }

/* Distance of a one-way link into its range, and its unclipped force. */
static double range_of(const axial *p, double length)
{
    return p->acts == FENDER_LINK_PUSH ? p->free_length - length : length - p->free_length;
}
static double push_of(const axial *p, const fnd_link_value *v)
{
    double force = p->end_force - p->stiffness * (v->length - p->free_length) - p->damping * stretch_rate(v);
    return p->acts == FENDER_LINK_PUSH ? force : -force;
}

static int axial_mode(const axial *p, const fnd_link_value *v)
{
    if (p->acts == FENDER_LINK_BOTH) return FND_LINK_LOADED;
    if (!(range_of(p, v->length) > 0)) return FND_LINK_SLACK;
    return push_of(p, v) > 0 ? FND_LINK_LOADED : FND_LINK_CUT;
}

void fnd_axial_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *v)
{
    const axial p = axial_of(link, v);
    int mode = axial_mode(&p, v);
    v->mode = held && p.acts != FENDER_LINK_BOTH ? link->memory.mode : mode;
    if (v->mode == FND_LINK_SLACK) return;
    double extension = v->length - p.free_length, spring = p.end_force - p.stiffness * extension;
    if (v->mode == FND_LINK_LOADED) v->force = spring - p.damping * stretch_rate(v);
    v->stored_energy = 0.5 * p.stiffness * extension * extension - p.end_force * extension;
    v->damping_power = (spring - v->force) * stretch_rate(v); /* power of the spring that nothing else receives */
    v->motor_power = v->force * v->free_rate;
    v->force_on_b = fender_vec3_scale(v->force, along);
}

int fnd_axial_roots(const fnd_link *link, const fnd_link_value *v, double grain, fnd_link_root *roots)
{
    enum { RANGE, PUSH, LIMIT };
    const axial p = axial_of(link, v);
    int count = 0;
    if (p.acts != FENDER_LINK_BOTH) {
        double sense = v->mode == FND_LINK_SLACK ? -1 : 1,
               rate = p.acts == FENDER_LINK_PUSH ? -stretch_rate(v) : stretch_rate(v);
        roots[count++] = (fnd_link_root){RANGE, sense * range_of(&p, v->length) + grain, sense * rate};
        double push = v->mode == FND_LINK_CUT ? -push_of(&p, v) : push_of(&p, v);
        if (v->mode != FND_LINK_SLACK && p.damping > 0)
            roots[count++] = (fnd_link_root){PUSH, push + p.stiffness * grain, NAN};
    }
    if (v->mode != FND_LINK_LOADED) return count;
    const double stiffening = (v->force < 0 ? p.stiffness : -p.stiffness) * stretch_rate(v);
    return fnd_link_add_limit(count, LIMIT, p.limit, fabs(v->force), p.damping > 0 ? (double)INFINITY : stiffening,
                              roots);
}

fnd_link_fate fnd_axial_judge(const fnd_link *link, const fnd_link_value *v)
{
    const axial p = axial_of(link, v);
    if (fabs(v->force) > p.limit) return FND_LINK_BREAKS;
    return p.is_spent && link->memory.mode != FND_LINK_SLACK && v->mode == FND_LINK_SLACK ? FND_LINK_SPENT
                                                                                          : FND_LINK_GOES_ON;
}

/* ---- Along and about axes ---- */

static fender_vec3 each(fender_vec3 a, fender_vec3 b) { return fender_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z); }

/* Rotation vector of a unit quaternion, below half a turn, and the factor g of the torque. */
static fender_vec3 rotation_vector(fender_quaternion q, double *g)
{
    if (q.w < 0) q = (fender_quaternion){-q.w, -q.x, -q.y, -q.z};
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z), half = fnd_angle(s, q.w), square = 4 * half * half;
    if (square < 0.01) *g = 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square / 1209600));
    else *g = (1.0 - half * q.w / s) / square;
    double factor = s > 1e-100 ? 2 * half / s : 2;
    return fender_vec3_make(factor * q.x, factor * q.y, factor * q.z);
}

/* A spring against rotation, in axes of a. */
typedef struct turn_spring {
    fender_vec3 torque, brake; /* N*m */
    double energy, loss;       /* J, W */
} turn_spring;

/* By the rotation vector r. dr/dt is not the angular velocity: the torque that does the work of the spring is
 * (1 + r x / 2 + g r x r x) Kr r. */
static turn_spring turned_by(fender_vec3 stiffness, fender_vec3 damping, fender_vec3 r, double g, fender_vec3 spin)
{
    const fender_vec3 twist = each(stiffness, r), brake = each(damping, spin), across = fender_vec3_cross(r, twist);
    return (turn_spring){
        fender_vec3_add(fender_vec3_add_scaled(twist, 0.5, across), fender_vec3_scale(g, fender_vec3_cross(r, across))),
        brake, 0.5 * fender_vec3_dot(twist, r), fender_vec3_dot(brake, spin)};
}

/* The axis without stiffness if it is the only one: 0, 1, 2; else -1. */
static int free_axis(fender_vec3 k)
{
    const bool none[] = {k.x == 0, k.y == 0, k.z == 0};
    if (none[0] + none[1] + none[2] != 1) return -1;
    return none[0] ? 0 : none[1] ? 1 : 2;
}

static fender_vec3 axis_of(int i) { return fender_vec3_make(i == 0, i == 1, i == 2); }

/* A hinge: free about e of a, which is u of b. The spring acts by the swing s from e to u along the shortest way, by
 * the angle t about n, so that no turn about u changes it: U = s.Kr s / 2,   torque = (n.Kr s) n + (m.Kr s) (t / sin t)
 * (cos t m - sin t e),   m = n x e. The damping acts on the rate of u, and that about the hinge on the spin about u. */
static turn_spring swung(int axis, fender_vec3 stiffness, fender_vec3 damping, fender_quaternion turn, fender_vec3 spin)
{
    const fender_vec3 e = axis_of(axis), u = fender_quaternion_rotate(turn, e);
    const fender_vec3 tilt = fender_vec3_cross(e, u);
    const double sine = fender_vec3_length(tilt), cosine = fender_vec3_dot(e, u), angle = fnd_angle(sine, cosine);
    const bool tilted = sine > 1e-100; /* else the way is any, if there is one at all */
    const fender_vec3 n = tilted ? fender_vec3_scale(1 / sine, tilt) : axis_of((axis + 1) % 3);
    const fender_vec3 m = fender_vec3_cross(n, e), swing = fender_vec3_scale(angle, n), pull = each(stiffness, swing);
    const fender_vec3 back = fender_vec3_add_scaled(fender_vec3_scale(cosine, m), -sine, e);
    const double about = fender_vec3_dot(n, pull), beside = fender_vec3_dot(m, pull) * (tilted ? angle / sine : 1);
    const double roll = fender_vec3_dot(u, spin), friction = fender_vec3_dot(e, damping);
    const fender_vec3 rest = fender_vec3_add_scaled(spin, -roll, u);
    const fender_vec3 brake = each(fender_vec3_add_scaled(damping, -friction, e), rest);
    return (turn_spring){fender_vec3_add_scaled(fender_vec3_scale(about, n), beside, back),
                         fender_vec3_add_scaled(brake, friction * roll - fender_vec3_dot(u, brake), u),
                         0.5 * fender_vec3_dot(pull, swing), fender_vec3_dot(brake, rest) + friction * roll * roll};
}

/* Shared by bushing and latch; the rotation is that of the unloaded axes of b in those of a. */
typedef struct bushing {
    const fender_vec3 *stiffness, *damping, *angular_stiffness, *angular_damping;
    fender_vec3 free_position;
    fender_quaternion free_turn;
    double limit, angular_limit;
    fender_vec3 free_velocity, free_spin; /* of a latch that pulls in: rates of the unloaded pose, in axes of a */
} bushing;

static fender_quaternion aligned_turn(bool facing)
{
    return facing ? (fender_quaternion){0, 0, 0, 1} : (fender_quaternion){1, 0, 0, 0};
}

/* Rotation vector from alignment to the pose at capture. */
static fender_vec3 caught_off(const fnd_link *link)
{
    const fender_link_latch *p = link->parameters;
    double g;
    return rotation_vector(
        fender_quaternion_product(link->memory.caught_turn, fender_quaternion_conjugate(aligned_turn(p->facing))), &g);
}

/* What is left of the way [m] and of the turn [rad] of a latch that pulls in; negative beyond the end. */
static double pull_left(const fnd_link *link, double time)
{
    const fnd_link_drive *d = &link->memory.drive;
    return fender_vec3_length(link->memory.caught_position) - d->pull_rate * (time - d->pull_since);
}
static double turn_left(const fnd_link *link, double time)
{
    const fnd_link_drive *d = &link->memory.drive;
    return fender_vec3_length(caught_off(link)) - d->pull_spin * (time - d->pull_since);
}

/* The unloaded pose on its way from the captured one to alignment, a closed form of time. Held: it goes on beyond. */
static void pull_in(const fnd_link *link, double time, bool held, bushing *b)
{
    const fnd_link_drive *d = &link->memory.drive;
    const fender_link_latch *p = link->parameters;
    double left = d->pull_rate > 0 ? pull_left(link, time) : 0;
    if (d->pull_rate > 0 && !held && left < 0) b->free_position = fender_vec3_make(0, 0, 0);
    else if (d->pull_rate > 0) {
        double whole = fender_vec3_length(b->free_position);
        b->free_velocity = fender_vec3_scale(-d->pull_rate / whole, b->free_position);
        b->free_position = fender_vec3_scale(left / whole, b->free_position);
    }
    if (!(d->pull_spin > 0)) return;
    left = turn_left(link, time);
    b->free_turn = aligned_turn(p->facing);
    if (!held && left < 0) return;
    fender_vec3 off = caught_off(link);
    double whole = fender_vec3_length(off);
    b->free_spin = fender_vec3_scale(-d->pull_spin / whole, off);
    b->free_turn = fender_quaternion_product(fnd_rotation_exp(fender_vec3_scale(left / whole, off)), b->free_turn);
}

static bushing bushing_of(const fnd_link *link)
{
    const fender_vec3 none = {0, 0, 0};
    if (link->law == FENDER_LINK_LATCH) {
        const fender_link_latch *p = link->parameters;
        return (bushing){&p->stiffness,
                         &p->damping,
                         &p->angular_stiffness,
                         &p->angular_damping,
                         link->memory.caught_position,
                         link->memory.caught_turn,
                         p->limit,
                         p->angular_limit,
                         none,
                         none};
    }
    const fender_link_spring_damper_6dof *p = link->parameters;
    return (bushing){&p->stiffness,
                     &p->damping,
                     &p->angular_stiffness,
                     &p->angular_damping,
                     p->free_position,
                     aligned_turn(p->facing),
                     p->limit,
                     p->angular_limit,
                     none,
                     none};
}

void fnd_latch_begin_pull(fnd_link *link, double time)
{
    const fender_link_latch *p = link->parameters;
    fnd_link_drive *d = &link->memory.drive;
    d->pulling = p->pull_rate > 0 || p->pull_angular_rate > 0;
    if (!d->pulling) return;
    d->commanded = true; /* there is more to it now than hashes of other latches contain */
    d->pull_since = time;
    d->pull_rate = fender_vec3_length(link->memory.caught_position) > 0 ? p->pull_rate : 0;
    d->pull_spin = fender_vec3_length(caught_off(link)) > 0 ? p->pull_angular_rate : 0;
}

static bool is_in(const fnd_link *link, double time)
{
    return link->memory.drive.pull_rate > 0 && !(pull_left(link, time) > 0);
}
static bool is_turned(const fnd_link *link, double time)
{
    return link->memory.drive.pull_spin > 0 && !(turn_left(link, time) > 0);
}

bool fnd_latch_arrives(const fnd_link *link, double time)
{
    const fnd_link_drive *d = &link->memory.drive;
    return d->pulling && (d->pull_rate == 0 || is_in(link, time)) && (d->pull_spin == 0 || is_turned(link, time));
}

bool fnd_latch_commit(fnd_link *link, double time)
{
    fnd_link_drive *d = &link->memory.drive;
    bool in = is_in(link, time), turned = is_turned(link, time);
    if (fnd_latch_arrives(link, time)) d->pulling = false;
    if (in) {
        d->pull_rate = 0;
        link->memory.caught_position = fender_vec3_make(0, 0, 0);
    }
    if (turned) {
        d->pull_spin = 0;
        link->memory.caught_turn = aligned_turn(((const fender_link_latch *)link->parameters)->facing);
    }
    return in || turned;
}

/* An open latch: the largest relative excess of distance, angle and speed over their limits, and its rate. That of a
 * speed depends on forces, which are not known here: it is to be found from two states. `spin`: of b against a, in axes
 * of a. */
static void measure_opening(const fender_link_latch *p, fender_vec3 spin, fnd_link_value *v)
{
    double g;
    const fender_quaternion off = fender_quaternion_product(v->turn,
                                                            fender_quaternion_conjugate(aligned_turn(p->facing)));
    const fender_vec3 r = rotation_vector(off, &g);
    const double angle = fender_vec3_length(r), turning = angle > 0 ? fender_vec3_dot(r, spin) / angle : 0;
    const double asked[] = {v->length, angle, v->speed}, rates[] = {v->rate, turning, (double)INFINITY};
    const double limits[] = {p->distance, p->angle, p->speed};
    v->opening = -1;
    v->opening_rate = NAN;
    for (int i = 0; i < 3; i++) {
        const bool part = limits[i] > 0;
        const double over = isinf(limits[i]) ? -1 : part ? asked[i] / limits[i] - 1 : asked[i];
        if (!(over > v->opening)) continue;
        v->opening = over;
        v->opening_rate = part ? rates[i] / limits[i] : rates[i];
    }
}

void fnd_bushing_evaluate(const fnd_link *link, const fnd_link_end *a, const fnd_link_end *b, fender_vec3 apart,
                          bool held, fnd_link_value *v)
{
    const fender_quaternion q_WA = fnd_link_end_attitude(a), q_WB = fnd_link_end_attitude(b);
    fender_mat3 R_WA = fender_quaternion_matrix(q_WA);
    fender_vec3 relative = fender_vec3_sub(b->velocity, a->velocity);
    v->speed = fender_vec3_length(relative);
    v->position = fender_mat3_transpose_times(&R_WA, apart);
    v->turn = fender_quaternion_product(fender_quaternion_conjugate(q_WA), q_WB);
    v->mode = FND_LINK_LOADED;
    if (link->law == FENDER_LINK_LATCH && !link->memory.captured) {
        v->mode = FND_LINK_SLACK;
        const fender_vec3 turning = fender_vec3_sub(b->frame->w, a->frame->w);
        measure_opening(link->parameters, fender_mat3_transpose_times(&R_WA, turning), v);
        v->acting = false;
        return;
    }
    bushing p = bushing_of(link);
    if (link->memory.drive.pulling) pull_in(link, v->time, held, &p);
    fender_vec3 lever = fender_vec3_add(a->lever,
                                        apart); /* lever of the common point, which is b, from the root of a */
    fender_vec3 moving = fender_vec3_sub(b->velocity,
                                         fender_vec3_add(a->frame->v, fender_vec3_cross(a->frame->w, lever)));
    fender_vec3 drift = fender_mat3_transpose_times(&R_WA, moving);
    fender_vec3 spin = fender_mat3_transpose_times(&R_WA, fender_vec3_sub(b->frame->w, a->frame->w));
    if (!v->acting) drift = spin = fender_vec3_make(0, 0, 0); /* rigidly joined */
    v->displacement = fender_vec3_sub(v->position, p.free_position);
    fender_quaternion turn = fender_quaternion_product(v->turn, fender_quaternion_conjugate(p.free_turn));
    double g;
    fender_vec3 r = v->rotation = rotation_vector(turn, &g);
    const fender_vec3 free_spin = fender_quaternion_rotate(turn, p.free_spin); /* as the displaced axes see it */
    drift = fender_vec3_sub(drift, p.free_velocity);
    spin = fender_vec3_sub(spin, free_spin);
    const int hinge = free_axis(*p.angular_stiffness);
    const turn_spring rotated = hinge < 0 ? turned_by(*p.angular_stiffness, *p.angular_damping, r, g, spin)
                                          : swung(hinge, *p.angular_stiffness, *p.angular_damping, turn, spin);
    fender_vec3 pull = each(*p.stiffness, v->displacement), drag = each(*p.damping, drift);
    v->stored_energy = 0.5 * fender_vec3_dot(pull, v->displacement) + rotated.energy;
    v->damping_power = fender_vec3_dot(drag, drift) + rotated.loss;
    fender_vec3 force_A = fender_vec3_negate(fender_vec3_add(pull, drag));
    v->force_on_b = fender_mat3_times(&R_WA, force_A);
    fender_vec3 torque_A = fender_vec3_negate(fender_vec3_add(rotated.torque, rotated.brake));
    v->torque_on_b = fender_mat3_times(&R_WA, torque_A);
    v->motor_power = fender_vec3_dot(force_A, p.free_velocity) + fender_vec3_dot(torque_A, free_spin);
    v->force = fender_vec3_length(force_A);
    v->lever_a = lever;
}

int fnd_bushing_roots(const fnd_link *link, const fnd_link_value *v, fnd_link_root *roots)
{
    enum { LIMIT, ANGULAR_LIMIT, OPENING, IN, TURNED };
    if (link->law == FENDER_LINK_LATCH && !link->memory.captured) {
        roots[0] = (fnd_link_root){OPENING, v->opening, v->opening_rate};
        return 1;
    }
    const bushing p = bushing_of(link);
    int count = fnd_link_add_limit(0, LIMIT, p.limit, v->force, (double)INFINITY, roots);
    count = fnd_link_add_limit(count, ANGULAR_LIMIT, p.angular_limit, fender_vec3_length(v->torque_on_b),
                               (double)INFINITY, roots);
    const fnd_link_drive *d = &link->memory.drive;
    if (d->pull_rate > 0) roots[count++] = (fnd_link_root){IN, pull_left(link, v->time), -d->pull_rate};
    if (d->pull_spin > 0) roots[count++] = (fnd_link_root){TURNED, turn_left(link, v->time), -d->pull_spin};
    return count;
}

fnd_link_fate fnd_bushing_judge(const fnd_link *link, const fnd_link_value *v)
{
    if (link->law == FENDER_LINK_LATCH && !link->memory.captured)
        return v->alive && v->root_a != v->root_b && !(v->opening > 0) ? FND_LINK_CATCHES : FND_LINK_GOES_ON;
    const bushing p = bushing_of(link);
    bool breaks = v->force > p.limit || fender_vec3_length(v->torque_on_b) > p.angular_limit;
    return breaks ? FND_LINK_BREAKS : FND_LINK_GOES_ON;
}

/* ---- Strut ---- */

/* A piece of the core's force over y = compression - crushed, linear from `low` to `high`. */
typedef struct piece {
    double low, high; /* m */
    double force;     /* N; at the end of it that is nearer to 0 m: `low` of all but the seat */
    double at;        /* m; where that is */
    double slope;     /* N/m */
    double energy;    /* J; held there */
} piece;

/* Modes: the piece of the core, and the states of stops and damper. */
enum { LOOSE, SEAT, FIRST_PIECE, CRUSHING = 255 };
enum { STOP_SHIFT = 8, EXTENDED = 0, FREE = 1, BOTTOMED = 2, SHORTENING = 1 << 10 };

static int core_of(int mode) { return mode & 255; }
static int stop_of(int mode) { return mode >> STOP_SHIFT & 3; }

static int piece_count(const fnd_link *link) { return FIRST_PIECE + (link->curve ? link->curve_count - 1 : 1); }

/* Energies are integrated from the point where the core is unloaded. */
static piece piece_at(const fnd_link *link, int index)
{
    assert(index >= 0);
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

/* The compression y at which the core yields [m], and its force there. INFINITY: never. */
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

/* Force of the strut at a compression and its rate. The crushed length never decreases. */
static int strut_mode(const fnd_link *link, double x, double rate, double *crushed)
{
    const fender_link_strut *p = link->parameters;
    const fnd_link_memory *memory = &link->memory;
    double energy, yield = yield_of(link, &energy), y = x - memory->crushed;
    /* during crushing, y equals the yield point except for rounding */
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
    assert(link->law == FENDER_LINK_STRUT);
    const fender_link_strut *p = link->parameters;
    double x = v->free_length - v->length, rate = -stretch_rate(v);
    v->mode = held ? link->memory.mode : strut_mode(link, x, rate, &v->crushed);
    if (held) v->crushed = link->memory.crushed;
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
    v->motor_power = v->force * v->free_rate;
    v->force_on_b = fender_vec3_scale(v->force, along);
}

int fnd_strut_roots(const fnd_link *link, const fnd_link_value *v, double grain, fnd_link_root *roots)
{
    assert(link->law == FENDER_LINK_STRUT);
    enum { LOW, HIGH, TURN, USED_UP, STOP_LOW, STOP_HIGH, DIRECTION, LIMIT };
    const fender_link_strut *p = link->parameters;
    double x = v->free_length - v->length, rate = -stretch_rate(v), energy, yield = yield_of(link, &energy);
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
    return fnd_link_add_limit(count, LIMIT, p->limit, fabs(v->force), (double)INFINITY, roots);
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
    double crushed;
    link->memory.mode = strut_mode(link, v->free_length - v->length, -stretch_rate(v), &crushed);
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
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, "", expected, "");
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
            return refuse(error, "curve", "the forces of a strut's curve decrease, or its compressions do not increase",
                          "increasing compressions, and non-decreasing forces of 0 N or more");
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_strut_check(const fender_link_strut *p, const fender_vec2 *curve, int count, fender_error *error)
{
    if (!curve && count != 0)
        return refuse(error, "curve", "the points of the curve are missing", "an array of `curve_count` points");
    fender_status status = curve ? check_curve(curve, count, error) : FENDER_STATUS_OK;
    if (status) return status;
    if (curve && p->stiffness > 0)
        return refuse(error, "stiffness", "a strut has a stiffness or a curve", "one of the two");
    if (p->stop_stiffness == 0 && p->preload > 0)
        return refuse(error, "stop_stiffness", "a preload needs an end stop",
                      "a stop_stiffness of more than 0 N/m with 'preload'");
    if (p->stop_stiffness == 0 && !isinf(p->stroke))
        return refuse(error, "stop_stiffness", "a stroke ends at a stop, which needs a stiffness",
                      "a stop_stiffness of more than 0 N/m with 'stroke'");
    if (isinf(p->crush_force)) return FENDER_STATUS_OK;
    double first = p->preload + (curve ? curve[0].y : 0);
    if (!(p->crush_force > first))
        return refuse(error, "crush_force", "the core would crush under its own preload",
                      "a crush_force above the force at a compression of 0");
    double slope = curve ? curve[count - 1].y - curve[count - 2].y : p->stiffness;
    double last = p->preload + (curve ? curve[count - 1].y : 0);
    if (!(slope > 0) && last < p->crush_force)
        return refuse(error, "crush_force", "the core's spring never reaches the force at which it would crush",
                      "a stiffness or a curve that reaches it");
    return FENDER_STATUS_OK;
}
