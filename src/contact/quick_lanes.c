/* A batch of quick contacts: kinematics and laws, as in contact_motion.c, contact_force.c. Loops over lanes that
 * compilers turn into wide registers; every lane has the operations, in the order, of the general way. Compiled once
 * for each width of registers. What a lane may need is read beforehand, not within a choice: gcc 12 gives the second
 * half of a masked read the mask of the first. */
#include "base/width.h"
#include "contact/quick.h"
#include "contact/steady.h"

#include <math.h>

/* As in collide/sphere_capsule.c and math/rotation.c. */
#define LEAST_SQUARE    1e-260
#define GREATEST_SQUARE 1e260
#define OPPOSITE        (-0.9999999)
#define LEAST_TWIST     1e-24
/* Groups that fill the widest registers. */
enum { GROUP = 8 };
#define FOR_LANES                                         \
    for (int group = 0; group < b->count; group += GROUP) \
        for (int l = group; l < group + GROUP; l++)
#define DOT(u, v) ((u##x) * (v##x) + (u##y) * (v##y) + (u##z) * (v##z))
#define CROSS(out, u, v)                                                                                 \
    const double out##x = (u##y) * (v##z) - (u##z) * (v##y), out##y = (u##z) * (v##x) - (u##x) * (v##z), \
                 out##z = (u##x) * (v##y) - (u##y) * (v##x)
#define LOAD(name, array) const double name##x = (array)[0][l], name##y = (array)[1][l], name##z = (array)[2][l]
/* A function for each of its constants. */
#if defined __GNUC__
#define FND_LANES_INLINE static inline __attribute__((always_inline))
#else
#define FND_LANES_INLINE static inline
#endif
/* Three numbers at `at` of each lane in an array of structs of doubles. In a batch of one pair of bodies they are those
 * of its first lane, read before the loop (ONCE). */
#define ONCE(name, base, at, first)                                                              \
    const double name##_x = (base)[(at)[0] + (first)], name##_y = (base)[(at)[0] + (first) + 1], \
                 name##_z = (base)[(at)[0] + (first) + 2]
#define GATHER(name, base, at, first)                                       \
    const double name##x = same ? name##_x : (base)[(at)[l] + (first)],     \
                 name##y = same ? name##_y : (base)[(at)[l] + (first) + 1], \
                 name##z = same ? name##_z : (base)[(at)[l] + (first) + 2]
#define STORE(array, name) (array)[0][l] = name##x, (array)[1][l] = name##y, (array)[2][l] = name##z

FND_LANES_INLINE void find_offsets(fnd_quick_batch *restrict b, const double *restrict frames, const bool same)
{
    ONCE(pa, frames, b->at_a, FND_QUICK_POSITION);
    ONCE(pb, frames, b->at_b, FND_QUICK_POSITION);
    FOR_LANES
    {
        GATHER(pa, frames, b->at_a, FND_QUICK_POSITION);
        GATHER(pb, frames, b->at_b, FND_QUICK_POSITION);
        const double dx = pbx - pax, dy = pby - pay, dz = pbz - paz;
        STORE(b->offset, d);
    }
}

/* Lever of a, without the arm, and normal, depth, for two balls. */
FND_LANES_INLINE void place_balls(fnd_quick_batch *restrict b)
{
    FOR_LANES
    {
        LOAD(d, b->offset);
        LOAD(aa, b->arm_a);
        LOAD(ab, b->arm_b);
        const double ox = (dx + abx) - aax, oy = (dy + aby) - aay, oz = (dz + abz) - aaz;
        const double squared = DOT(o, o), length = sqrt(squared);
        const double ra = b->radius_a[l], rb = b->radius_b[l];
        const double nx = ox / length, ny = oy / length, nz = oz / length;
        b->depth[l] = -(length - (ra + rb));
        b->odd[l] = squared > LEAST_SQUARE && squared < GREATEST_SQUARE ? 0 : 1;
        const double mx = 0.5 * ((0 + ra * nx) + (ox + (0 + -rb * nx)));
        const double my = 0.5 * ((0 + ra * ny) + (oy + (0 + -rb * ny)));
        const double mz = 0.5 * ((0 + ra * nz) + (oz + (0 + -rb * nz)));
        STORE(b->normal, n);
        STORE(b->lever_a, m);
    }
}

/* The same where a plane is in the pair. */
FND_LANES_INLINE void place_on_planes(fnd_quick_batch *restrict b, const bool any_balls)
{
    FOR_LANES
    {
        const double sense = b->sense[l];
        const bool first = sense < 0, balls = any_balls & (sense == 0);
        LOAD(d, b->offset);
        LOAD(aa, b->arm_a);
        LOAD(ab, b->arm_b);
        LOAD(u, b->up);
        LOAD(f, b->facing);
        const double bx = dx + abx, by = dy + aby, bz = dz + abz;
        const double ox = bx - aax, oy = by - aay, oz = bz - aaz; /* from a to b */
        const double tx = first ? aax - bx : ox, ty = first ? aay - by : oy, tz = first ? aaz - bz : oz;
        const double height = ux * -tx + uy * -ty + uz * -tz, r = b->radius_a[l];
        const double nx = sense * fx, ny = sense * fy, nz = sense * fz;
        const double of_balls = b->depth[l], odd = b->odd[l]; /* read beforehand: see above */
        b->depth[l] = balls ? of_balls : -(height - r);
        b->odd[l] = balls ? odd : 0;
        /* of ball and plane; turned round they are moved to the other origin */
        const double px = r * fx, py = r * fy, pz = r * fz, qx = height * fx, qy = height * fy, qz = height * fz;
        const double mx = 0.5 * (first ? (qx + ox) + (px + ox) : px + qx);
        const double my = 0.5 * (first ? (qy + oy) + (py + oy) : py + qy);
        const double mz = 0.5 * (first ? (qz + oz) + (pz + oz) : pz + qz);
        LOAD(bn, b->normal);
        LOAD(bm, b->lever_a);
        b->normal[0][l] = balls ? bnx : nx;
        b->normal[1][l] = balls ? bny : ny;
        b->normal[2][l] = balls ? bnz : nz;
        b->lever_a[0][l] = balls ? bmx : mx;
        b->lever_a[1][l] = balls ? bmy : my;
        b->lever_a[2][l] = balls ? bmz : mz;
    }
}

/* Cosine and sine of half the twist about n: see fnd_half_twist. */
#define TURN_ONCE(name, at)   \
    ONCE(name, turns, at, 1); \
    const double name##_w = turns[(at)[0]], name##_none = turns[(at)[0] + 4]
#define HALF_TWIST(cosine, sine, still, name, at)                                                           \
    GATHER(name, turns, at, 1);                                                                             \
    const double name##w = same ? name##_w : turns[(at)[l]];                                                \
    const bool still = (same ? name##_none : turns[(at)[l] + 4]) != 0;                                      \
    const double name##_along = name##x * nx + name##y * ny + name##z * nz;                                 \
    const bool name##_is_none = !(name##w * name##w + name##_along * name##_along > LEAST_TWIST) | (still); \
    const double cosine = name##_is_none ? 1 : (name##w < 0 ? -name##w : name##w);                          \
    const double sine = name##_is_none ? 0 : (name##w < 0 ? -name##_along : name##_along)

/* Normals and tangents of the last accepted state stand in the records, unless they are `held`. */
FND_LANES_INLINE void carry_tangents(fnd_quick_batch *restrict b, const double *restrict records,
                                     const double *restrict turns, const bool same, const bool held)
{
    TURN_ONCE(qa, b->turn_a);
    TURN_ONCE(qb, b->turn_b);
    FOR_LANES
    {
        LOAD(n, b->normal);
        const int64_t at = b->at_record[l];
        const double fx = held ? b->held_normal[0][l] : records[at],
                     ux = held ? b->held_tangent[0][l] : records[at + 3];
        const double fy = held ? b->held_normal[1][l] : records[at + 1],
                     uy = held ? b->held_tangent[1][l] : records[at + 4];
        const double fz = held ? b->held_normal[2][l] : records[at + 2],
                     uz = held ? b->held_tangent[2][l] : records[at + 5];
        const double c0 = DOT(f, n), part = 1.0 / (1.0 + c0);
        CROSS(k, f, n);
        CROSS(ku, k, u);
        CROSS(kk, k, ku);
        const double ax = (ux + kux) + part * kkx, ay = (uy + kuy) + part * kky, az = (uz + kuz) + part * kkz;
        HALF_TWIST(ca, sa, still_a, qa, b->turn_a);
        HALF_TWIST(cb, sb, still_b, qb, b->turn_b);
        const double c = ca * cb - sa * sb, s = sa * cb + ca * sb;
        CROSS(y, n, a);
        const double bx = c * ax + s * yx, by = c * ay + s * yy, bz = c * az + s * yz;
        const double lean = -DOT(b, n);
        const double ex = bx + lean * nx, ey = by + lean * ny, ez = bz + lean * nz;
        const double scale = 1.0 / sqrt(DOT(e, e));
        const bool kept = (nx == fx) & (ny == fy) & (nz == fz) & still_a & still_b;
        const double tx = kept ? ux : scale * ex, ty = kept ? uy : scale * ey, tz = kept ? uz : scale * ez;
        STORE(b->tangent, t);
        const double odd = b->odd[l];
        b->odd[l] = c0 < OPPOSITE ? 1 : odd;
    }
}

FND_LANES_INLINE void move_and_push(fnd_quick_batch *restrict b, const double *restrict frames, const bool same)
{
    const bool asks = b->friction_asks != 0;
    const double stiffness = b->stiffness, damping = b->damping, mu = b->mu, slip_speed = b->slip_speed;
    ONCE(va, frames, b->at_a, FND_QUICK_VELOCITY);
    ONCE(vb, frames, b->at_b, FND_QUICK_VELOCITY);
    ONCE(wa, frames, b->at_a, FND_QUICK_SPIN);
    ONCE(wb, frames, b->at_b, FND_QUICK_SPIN);
    FOR_LANES
    {
        LOAD(n, b->normal);
        LOAD(t, b->tangent);
        LOAD(m, b->lever_a);
        LOAD(aa, b->arm_a);
        LOAD(d, b->offset);
        const double jx = aax + mx, jy = aay + my, jz = aaz + mz;
        const double ix = jx - dx, iy = jy - dy, iz = jz - dz;
        STORE(b->lever_a, j);
        STORE(b->lever_b, i);
        GATHER(va, frames, b->at_a, FND_QUICK_VELOCITY);
        GATHER(vb, frames, b->at_b, FND_QUICK_VELOCITY);
        GATHER(wa, frames, b->at_a, FND_QUICK_SPIN);
        GATHER(wb, frames, b->at_b, FND_QUICK_SPIN);
        CROSS(y, n, t);
        CROSS(ra, wa, j);
        CROSS(rb, wb, i);
        const double vx = (vbx + rbx) - (vax + rax), vy = (vby + rby) - (vay + ray), vz = (vbz + rbz) - (vaz + raz);
        const double sx = wbx - wax, sy = wby - way, sz = wbz - waz;
        const double rate = -DOT(v, n), slip_x = DOT(v, t), slip_y = DOT(v, y), depth = b->depth[l];
        b->depth_rate[l] = rate;
        b->slip[0][l] = slip_x;
        b->slip[1][l] = slip_y;
        b->spin[0][l] = DOT(s, t);
        b->spin[1][l] = DOT(s, y);
        b->spin[2][l] = DOT(s, n);
        const double elastic = depth > 0 ? stiffness * depth : 0;
        const double pushed = elastic + damping * rate, normal = pushed < 0 ? 0 : pushed;
        const double slip2 = slip_x * slip_x + slip_y * slip_y;
        const double factor = mu * fabs(normal) / sqrt(slip2 + slip_speed * slip_speed);
        const double force_x = 0 - factor * slip_x, force_y = 0 - factor * slip_y;
        const double gx = (force_x * tx + force_y * yx) + normal * nx, gy = (force_x * ty + force_y * yy) + normal * ny,
                     gz = (force_x * tz + force_y * yz) + normal * nz;
        b->normal_force[l] = asks ? normal : 0;
        b->force_C[0][l] = force_x;
        b->force_C[1][l] = force_y;
        b->force_C[2][l] = normal;
        STORE(b->force, g);
        b->strength[l] = sqrt(DOT(g, g));
        b->damping_power[l] = (normal - elastic) * rate;
        b->friction_power[l] = 0 + factor * slip2;
        b->power[l] = force_x * slip_x + force_y * slip_y - normal * rate;
    }
}

FND_LANES_INLINE void place_lanes(fnd_quick_batch *batch, const bool same)
{
    find_offsets(batch, batch->frames, same);
    if (batch->any_balls) place_balls(batch);
    if (batch->any_planes && batch->any_balls) place_on_planes(batch, true);
    else if (batch->any_planes) place_on_planes(batch, false);
}

void FND_OF_WIDTH(fnd_quick_evaluate)(fnd_quick_batch *batch)
{
    place_lanes(batch, false);
    carry_tangents(batch, batch->records, batch->turns, false, false);
    move_and_push(batch, batch->frames, false);
}

/* ---- Steady contacts: torques on bodies and the commit of quick_commit.c as well ---- */

#define FOR_PACK                                       \
    for (int group = 0; group < count; group += GROUP) \
        for (int l = group; l < group + GROUP; l++)

/* R v. */
FND_LANES_INLINE void turn_arms(fnd_quick_lanes *restrict arm, fnd_quick_lanes *restrict place,
                                const double *restrict rotations, const int64_t *restrict at, int count,
                                const bool same)
{
    ONCE(r0, rotations, at, 0);
    ONCE(r1, rotations, at, 3);
    ONCE(r2, rotations, at, 6);
    FOR_PACK
    {
        LOAD(p, place);
        GATHER(r0, rotations, at, 0);
        GATHER(r1, rotations, at, 3);
        GATHER(r2, rotations, at, 6);
        const double x = DOT(r0, p), y = DOT(r1, p), z = DOT(r2, p);
        arm[0][l] = x, arm[1][l] = y, arm[2][l] = z;
    }
}

/* `none` for the lanes that have no arm. */
FND_LANES_INLINE void place_arms(fnd_quick_lanes *restrict arm, fnd_quick_lanes *restrict place,
                                 const double *restrict arms_at, const double *restrict rotations,
                                 const int64_t *restrict at, int count, fnd_steady_arms arms, double none,
                                 const bool same)
{
    fnd_quick_lanes turned[3];
    if (arms == FND_STEADY_ARMS_ALL) turn_arms(arm, place, rotations, at, count, same);
    if (arms != FND_STEADY_ARMS_SOME) return;
    turn_arms(turned, place, rotations, at, count, same);
    for (int k = 0; k < 3; k++) FOR_PACK
        {
            const double with = turned[k][l];
            arm[k][l] = arms_at[l] == 0 ? none : with;
        }
}

FND_LANES_INLINE void arms_of(fnd_steady_pack *restrict p, const bool same)
{
    fnd_quick_batch *b = &p->batch;
    const double *rotations = b->frames + FND_QUICK_ROTATION;
    place_arms(b->arm_a, p->place_a, p->arms_at_a, rotations, b->at_a, b->count, p->arms_a, 0, same);
    place_arms(b->arm_b, p->place_b, p->arms_at_b, rotations, b->at_b, b->count, p->arms_b, -0.0, same);
}

/* As sum_contacts of dynamics/derivative.c, without the sums. */
FND_LANES_INLINE void turn_bodies(fnd_steady_pack *restrict p, const double *restrict frames, const bool same)
{
    const fnd_quick_batch *restrict b = &p->batch;
    FOR_LANES
    {
        LOAD(f, b->force);
        LOAD(j, b->lever_a);
        LOAD(i, b->lever_b);
        const double ax = (jz * fy - jy * fz) - 0.0, ay = (jx * fz - jz * fx) - 0.0, az = (jy * fx - jx * fy) - 0.0;
        const double bx = (iy * fz - iz * fy) + 0.0, by = (iz * fx - ix * fz) + 0.0, bz = (ix * fy - iy * fx) + 0.0;
        STORE(p->torque_a, a);
        STORE(p->torque_b, b);
    }
    ONCE(pa, frames, b->at_a, FND_QUICK_POSITION);
    ONCE(pb, frames, b->at_b, FND_QUICK_POSITION);
    const double ox = p->origin.x, oy = p->origin.y, oz = p->origin.z;
    if (p->external) FOR_LANES
        {
            GATHER(pa, frames, b->at_a, FND_QUICK_POSITION);
            GATHER(pb, frames, b->at_b, FND_QUICK_POSITION);
            LOAD(f, b->force);
            LOAD(a, p->torque_a);
            LOAD(b, p->torque_b);
            const bool on_a = p->moves_a[l] != 0;
            const double gx = on_a ? -fx : fx, gy = on_a ? -fy : fy, gz = on_a ? -fz : fz;
            const double rx = (on_a ? pax : pbx) - ox, ry = (on_a ? pay : pby) - oy, rz = (on_a ? paz : pbz) - oz;
            CROSS(c, r, g);
            const double tx = cx + (on_a ? ax : bx), ty = cy + (on_a ? ay : by), tz = cz + (on_a ? az : bz);
            STORE(p->external_force, g);
            STORE(p->external_torque, t);
        }
}

/* Lanes are 0 for what is as it should be. */
FND_LANES_INLINE bool are_zero(const double *lanes, int count)
{
    bool zero = true;
    for (int l = 0; l < count; l++) zero &= lanes[l] == 0;
    return zero;
}

FND_LANES_INLINE bool all_touch(const fnd_quick_batch *b, const double limit)
{
    fnd_quick_lanes wrong;
    FOR_LANES wrong[l] = ((b->depth[l] > 0) & !(b->depth[l] > limit) & (b->odd[l] == 0)) ? 0.0 : 1.0;
    return are_zero(wrong, b->count);
}

FND_LANES_INLINE bool none_touches(const fnd_quick_batch *b)
{
    fnd_quick_lanes wrong;
    FOR_LANES wrong[l] = ((b->depth[l] <= 0) & (b->odd[l] == 0)) ? 0.0 : 1.0;
    return are_zero(wrong, b->count);
}

FND_LANES_INLINE bool evaluate_pack(fnd_steady_pack *pack, double depth_limit, const bool same)
{
    fnd_quick_batch *b = &pack->batch;
    arms_of(pack, same);
    place_lanes(b, same);
    carry_tangents(b, b->frames, b->turns, same, true);
    if (!all_touch(b, depth_limit)) return false;
    move_and_push(b, b->frames, same);
    turn_bodies(pack, b->frames, same);
    return true;
}

static bool evaluate(fnd_steady_pack *pack, double depth_limit)
{
    return pack->same ? evaluate_pack(pack, depth_limit, true) : evaluate_pack(pack, depth_limit, false);
}

static bool are_apart(fnd_steady_pack *pack)
{
    arms_of(pack, false);
    place_lanes(&pack->batch, false);
    return none_touches(&pack->batch);
}

static void begin_step(fnd_steady_pack *restrict p)
{
    const fnd_quick_batch *restrict b = &p->batch;
    FOR_LANES
    {
        p->from_depth[l] = b->depth[l];
        p->from_rate[l] = b->depth_rate[l];
        p->from_force[l] = b->force_C[2][l];
        p->impulse[l] = p->damping[l] = p->friction[l] = p->power[l] = p->load[l] = 0;
        p->force_impulse[0][l] = p->force_impulse[1][l] = p->force_impulse[2][l] = 0;
    }
}

static void weigh(fnd_steady_pack *restrict p, double weight)
{
    const fnd_quick_batch *restrict b = &p->batch;
    const double size = fabs(weight);
    FOR_LANES
    {
        p->impulse[l] += weight * b->force_C[2][l];
        p->force_impulse[0][l] += weight * b->force[0][l];
        p->force_impulse[1][l] += weight * b->force[1][l];
        p->force_impulse[2][l] += weight * b->force[2][l];
        p->damping[l] += weight * b->damping_power[l];
        p->friction[l] += weight * b->friction_power[l];
        p->power[l] += weight * b->power[l];
        p->load[l] += size * b->strength[l];
    }
}

/* See follow_peaks of quick_commit.c: where that would look between the ends, this is false. `quick`: by its first,
 * coarse look alone. */
FND_LANES_INLINE bool has_no_peak(const fnd_steady_pack *restrict p, double h, const bool quick)
{
    const fnd_quick_batch *restrict b = &p->batch;
    fnd_quick_lanes wrong;
    FOR_LANES
    {
        const double rate_a = p->from_rate[l], rate_b = b->depth_rate[l], size_a = fabs(rate_a), size_b = fabs(rate_b);
        const double from = p->from_depth[l], depth = b->depth[l], first = p->from_force[l], last = b->force_C[2][l];
        const double rise = fabs(depth - from), rates = size_a + size_b, deeper = rise + h * rates;
        const double change = b->stiffness * deeper + b->damping * (rates + 1.5 * rise / h);
        const double peak = p->peak_force[l], known = last > peak ? last : peak;
        const bool below = (deeper < 0.25 * depth) & ((first > last ? first : last) + 2 * change < known);
        const bool turns = (rate_a > 0) & (rate_b < 0);
        const bool long_enough = (size_a > size_b ? size_a : size_b) * h > 1e-10;
        const double most = (from > depth ? from : depth) + (4.0 / 27) * h * (rate_a - rate_b);
        const bool deepest = turns & !(most * (1 + 1e-9) < p->peak_depth[l]);
        const double middle_depth = from + 0.5 * (depth - from) + h * 0.25 * (0.5 * rate_a - 0.5 * rate_b);
        const double middle_rate = 1.5 * (depth - from) / h - 0.25 * rate_a - 0.25 * rate_b;
        const double elastic = middle_depth > 0 ? b->stiffness * middle_depth : 0;
        const double pushed = elastic + b->damping * middle_rate, middle = pushed < 0 ? 0 : pushed;
        const double bend = 2 * (first - 2 * middle + last), slope = 4 * middle - 3 * first - last;
        const bool peaks = quick | ((bend < 0) & (slope > 0) & (slope < -2 * bend) &
                                    (first - slope * slope / (4 * bend) > known));
        wrong[l] = (long_enough & (deepest | (peaks & !below))) ? 1.0 : 0.0;
    }
    return are_zero(wrong, b->count);
}

static bool goes_on(const fnd_steady_pack *pack, double length)
{
    return has_no_peak(pack, length, true) || has_no_peak(pack, length, false);
}

FND_LANES_INLINE void commit_pack(fnd_steady_pack *restrict p, const fnd_steady_step *restrict step, const bool same)
{
    fnd_quick_batch *const b = &p->batch;
    const double end_time = step->end_time, stiffness = b->stiffness;
    const double *restrict loads = step->load, *restrict defects = step->defect;
    const double load_a0 = loads[p->body_a[0]], load_b0 = loads[p->body_b[0]];
    const double defect_a0 = defects[p->body_a[0]], defect_b0 = defects[p->body_b[0]];
    FOR_LANES
    {
        const double load_a = same ? load_a0 : loads[p->body_a[l]], load_b = same ? load_b0 : loads[p->body_b[l]];
        const double part_a = (same ? defect_a0 : defects[p->body_a[l]]) * (p->load[l] / load_a);
        const double part_b = (same ? defect_b0 : defects[p->body_b[l]]) * (p->load[l] / load_b);
        const double defect = (0 + (load_a > 0 ? part_a : 0)) + (load_b > 0 ? part_b : 0);
        p->work[l] = p->power[l] + defect;
    }
    FOR_LANES
    {
        const double depth = b->depth[l], force = b->force_C[2][l];
        const double elastic = depth > 0 ? stiffness * depth : 0, stored = 0.5 * elastic * depth;
        p->all_impulse[l] += p->impulse[l];
        p->all_force_impulse[0][l] += p->force_impulse[0][l];
        p->all_force_impulse[1][l] += p->force_impulse[1][l];
        p->all_force_impulse[2][l] += p->force_impulse[2][l];
        const double damping = p->damping_loss[l] + p->damping[l], friction = p->friction_loss[l] + p->friction[l];
        const double work = p->all_work[l] + p->work[l];
        p->damping_loss[l] = damping;
        p->friction_loss[l] = friction;
        p->all_work[l] = work;
        p->stored[l] = stored;
        const double residual = fabs(-(work + damping + friction + (stored - p->stored_at_start[l])));
        const double worked = fabs(work);
        const double largest = p->largest_residual[l];
        p->largest_residual[l] = residual > largest ? residual : largest;
        double energy = p->energy[l];
        energy = worked > energy ? worked : energy;
        p->energy[l] = stored > energy ? stored : energy;
        const double peak = p->peak_force[l], peak_time = p->peak_force_time[l], peak_depth = p->peak_depth[l];
        const double force_error = p->force_error[l], time_error = p->time_error[l], depth_error = p->depth_error[l];
        const bool more = force > peak, deeper = depth > peak_depth;
        p->peak_force[l] = more ? force : peak;
        p->peak_force_time[l] = more ? end_time : peak_time;
        p->force_error[l] = more ? 0 : force_error;
        p->time_error[l] = more ? 0 : time_error;
        p->peak_depth[l] = deeper ? depth : peak_depth;
        p->depth_error[l] = deeper ? 0 : depth_error;
    }
    FOR_LANES
    for (int k = 0; k < 3; k++) {
        b->held_normal[k][l] = b->normal[k][l];
        b->held_tangent[k][l] = b->tangent[k][l];
    }
}

static void commit(fnd_steady_pack *pack, const fnd_steady_step *step)
{
    if (pack->same) commit_pack(pack, step, true);
    else commit_pack(pack, step, false);
}

const fnd_steady_functions FND_OF_WIDTH(fnd_steady) = {evaluate, are_apart, begin_step, weigh, goes_on, commit};
