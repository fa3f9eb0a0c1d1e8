/* A batch of batched contacts: kinematics and laws, as in force.c. Loops over lanes that
 * compilers turn into wide registers; every lane has the operations, in the order, of the general path. Compiled once
 * for each width of registers. What a lane may need is read beforehand, not within a choice: gcc 12 gives the second
 * half of a masked read the mask of the first. */
#include "base/width.h"
#include "contact/batch.h"
#include "law/friction_stick.h"

#include <math.h>

/* As in collide/sphere_capsule.c and math/rotation.c. */
#define LEAST_SQUARE    1e-260
#define GREATEST_SQUARE 1e260
#define OPPOSITE        (-0.9999999)
#define LEAST_TWIST     1e-24
/* Groups that fill a register. */
#if defined __AVX512F__ || !defined __AVX2__
enum { GROUP = 8 };
#else
enum { GROUP = 4 };
#endif
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
/* Three numbers at `at` of each lane in an array of structs of doubles. */
#define GATHER(name, base, at, first)                                                          \
    const double name##x = (base)[(at)[l] + (first)], name##y = (base)[(at)[l] + (first) + 1], \
                 name##z = (base)[(at)[l] + (first) + 2]
#define STORE(array, name) (array)[0][l] = name##x, (array)[1][l] = name##y, (array)[2][l] = name##z

FND_LANES_INLINE void find_offsets(const fnd_batch *b, const double *frames, fnd_batch_result *restrict r)
{
    FOR_LANES
    {
        GATHER(pa, frames, b->at_a, FND_BATCH_POSITION);
        GATHER(pb, frames, b->at_b, FND_BATCH_POSITION);
        const double dx = pbx - pax, dy = pby - pay, dz = pbz - paz;
        STORE(r->offset, d);
    }
}

/* Arms of shapes that are not centred, from the axes of their bodies. */
#define TURN(out, at, arm)                          \
    GATHER(out##0, frames, at, FND_BATCH_AXES);     \
    GATHER(out##1, frames, at, FND_BATCH_AXES + 3); \
    GATHER(out##2, frames, at, FND_BATCH_AXES + 6); \
    LOAD(out##_B, arm);                             \
    const double out##x = DOT(out##0, out##_B), out##y = DOT(out##1, out##_B), out##z = DOT(out##2, out##_B)
FND_LANES_INLINE void turn_arms(fnd_batch *restrict b, const double *frames)
{
    if (b->any_arms_a) {
        FOR_LANES
        {
            const bool off = b->off_a[l] != 0;
            TURN(u, b->at_a, b->arm_B_a);
            b->arm_a[0][l] = off ? ux : 0;
            b->arm_a[1][l] = off ? uy : 0;
            b->arm_a[2][l] = off ? uz : 0;
        }
    }
    if (!b->any_arms_b) return;
    FOR_LANES
    {
        const bool off = b->off_b[l] != 0;
        TURN(u, b->at_b, b->arm_B_b);
        b->arm_b[0][l] = off ? ux : -0.0;
        b->arm_b[1][l] = off ? uy : -0.0;
        b->arm_b[2][l] = off ? uz : -0.0;
    }
}

/* Lever of a, without the arm, and normal, depth, for two spheres. */
FND_LANES_INLINE void place_balls(const fnd_batch *b, fnd_batch_result *restrict r)
{
    FOR_LANES
    {
        LOAD(d, r->offset);
        LOAD(aa, b->arm_a);
        LOAD(ab, b->arm_b);
        const double ox = (dx + abx) - aax, oy = (dy + aby) - aay, oz = (dz + abz) - aaz;
        const double squared = DOT(o, o), length = sqrt(squared);
        const double ra = b->radius_a[l], rb = b->radius_b[l];
        const double nx = ox / length, ny = oy / length, nz = oz / length;
        r->depth[l] = -(length - (ra + rb));
        r->needs_fallback[l] = squared > LEAST_SQUARE && squared < GREATEST_SQUARE ? 0 : 1;
        const double mx = 0.5 * ((0 + ra * nx) + (ox + (0 + -rb * nx)));
        const double my = 0.5 * ((0 + ra * ny) + (oy + (0 + -rb * ny)));
        const double mz = 0.5 * ((0 + ra * nz) + (oz + (0 + -rb * nz)));
        STORE(r->normal, n);
        STORE(r->lever_a, m);
    }
}

/* The same where a plane is in the pair. */
FND_LANES_INLINE void place_on_planes(const fnd_batch *b, fnd_batch_result *restrict r, const bool any_spheres)
{
    FOR_LANES
    {
        const double sense = b->sense[l];
        const bool first = sense < 0, spheres = any_spheres & (sense == 0);
        LOAD(d, r->offset);
        LOAD(aa, b->arm_a);
        LOAD(ab, b->arm_b);
        LOAD(u, b->up);
        LOAD(f, b->facing);
        const double bx = dx + abx, by = dy + aby, bz = dz + abz;
        const double ox = bx - aax, oy = by - aay, oz = bz - aaz; /* from a to b */
        const double tx = first ? aax - bx : ox, ty = first ? aay - by : oy, tz = first ? aaz - bz : oz;
        const double height = ux * -tx + uy * -ty + uz * -tz, radius = b->radius_a[l];
        const double nx = sense * fx, ny = sense * fy, nz = sense * fz;
        const double of_spheres = r->depth[l], needs_fallback = r->needs_fallback[l]; /* read beforehand: see above */
        r->depth[l] = spheres ? of_spheres : -(height - radius);
        r->needs_fallback[l] = spheres ? needs_fallback : 0;
        /* of sphere and plane; turned round they are moved to the other origin */
        const double px = radius * fx, py = radius * fy, pz = radius * fz, qx = height * fx, qy = height * fy,
                     qz = height * fz;
        const double mx = 0.5 * (first ? (qx + ox) + (px + ox) : px + qx);
        const double my = 0.5 * (first ? (qy + oy) + (py + oy) : py + qy);
        const double mz = 0.5 * (first ? (qz + oz) + (pz + oz) : pz + qz);
        LOAD(bn, r->normal);
        LOAD(bm, r->lever_a);
        r->normal[0][l] = spheres ? bnx : nx;
        r->normal[1][l] = spheres ? bny : ny;
        r->normal[2][l] = spheres ? bnz : nz;
        r->lever_a[0][l] = spheres ? bmx : mx;
        r->lever_a[1][l] = spheres ? bmy : my;
        r->lever_a[2][l] = spheres ? bmz : mz;
    }
}

/* Cosine and sine of half the twist about n: see fnd_half_twist. */
#define HALF_TWIST(cosine, sine, still, name, at)                                                           \
    GATHER(name, rotations, at, 1);                                                                         \
    const double name##w = rotations[(at)[l]];                                                              \
    const bool still = rotations[(at)[l] + 4] != 0;                                                         \
    const double name##_along = name##x * nx + name##y * ny + name##z * nz;                                 \
    const bool name##_is_none = !(name##w * name##w + name##_along * name##_along > LEAST_TWIST) | (still); \
    const double cosine = name##_is_none ? 1 : (name##w < 0 ? -name##w : name##w);                          \
    const double sine = name##_is_none ? 0 : (name##w < 0 ? -name##_along : name##_along)

/* Normals and tangents of the last accepted state stand in the records. */
FND_LANES_INLINE void carry_tangents(const fnd_batch *b, const double *records, const double *rotations,
                                     fnd_batch_result *restrict r)
{
    FOR_LANES
    {
        LOAD(n, r->normal);
        const int64_t at = b->at_record[l];
        const double fx = records[at], fy = records[at + 1], fz = records[at + 2];
        const double ux = records[at + 3], uy = records[at + 4], uz = records[at + 5];
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
        STORE(r->tangent, t);
        const double needs_fallback = r->needs_fallback[l];
        r->needs_fallback[l] = c0 < OPPOSITE ? 1 : needs_fallback;
    }
}

FND_LANES_INLINE void move_and_push(const fnd_batch *b, const double *frames, fnd_batch_result *restrict r,
                                    const bool forces)
{
    const bool asks = b->friction_asks != 0;
    const double stiffness = b->stiffness, damping = b->damping, mu = b->mu, slip_speed = b->slip_speed;
    FOR_LANES
    {
        LOAD(n, r->normal);
        LOAD(t, r->tangent);
        LOAD(m, r->lever_a);
        LOAD(aa, b->arm_a);
        LOAD(d, r->offset);
        const double jx = aax + mx, jy = aay + my, jz = aaz + mz;
        const double ix = jx - dx, iy = jy - dy, iz = jz - dz;
        STORE(r->lever_a, j);
        STORE(r->lever_b, i);
        GATHER(va, frames, b->at_a, FND_BATCH_VELOCITY);
        GATHER(vb, frames, b->at_b, FND_BATCH_VELOCITY);
        GATHER(wa, frames, b->at_a, FND_BATCH_SPIN);
        GATHER(wb, frames, b->at_b, FND_BATCH_SPIN);
        CROSS(y, n, t);
        CROSS(ra, wa, j);
        CROSS(rb, wb, i);
        const double vx = (vbx + rbx) - (vax + rax), vy = (vby + rby) - (vay + ray), vz = (vbz + rbz) - (vaz + raz);
        const double sx = wbx - wax, sy = wby - way, sz = wbz - waz;
        const double rate = -DOT(v, n), slip_x = DOT(v, t), slip_y = DOT(v, y), depth = r->depth[l];
        r->depth_rate[l] = rate;
        r->slip[0][l] = slip_x;
        r->slip[1][l] = slip_y;
        r->spin[0][l] = DOT(s, t);
        r->spin[1][l] = DOT(s, y);
        r->spin[2][l] = DOT(s, n);
        if (!forces) continue;
        const double elastic = depth > 0 ? stiffness * depth : 0;
        const double pushed = elastic + damping * rate, normal = pushed < 0 ? 0 : pushed;
        const double slip2 = slip_x * slip_x + slip_y * slip_y;
        const double factor = mu * fabs(normal) / sqrt(slip2 + slip_speed * slip_speed);
        const double force_x = 0 - factor * slip_x, force_y = 0 - factor * slip_y;
        const double gx = (force_x * tx + force_y * yx) + normal * nx, gy = (force_x * ty + force_y * yy) + normal * ny,
                     gz = (force_x * tz + force_y * yz) + normal * nz;
        r->normal_force[l] = asks ? normal : 0;
        r->force_C[0][l] = force_x;
        r->force_C[1][l] = force_y;
        r->force_C[2][l] = normal;
        STORE(r->force, g);
        r->strength[l] = sqrt(DOT(g, g));
        r->damping_power[l] = (normal - elastic) * rate;
        r->friction_power[l] = 0 + factor * slip2;
        r->power[l] = force_x * slip_x + force_y * slip_y - normal * rate;
    }
}

/* Forces by the modes that the laws' memories have (`located`), and of friction that sticks. */
FND_LANES_INLINE void push_by_modes(const fnd_batch *b, fnd_batch_result *restrict r, const bool located,
                                    const bool sticks)
{
    const bool asks = b->friction_asks != 0;
    const double stiffness = b->stiffness, damping = b->damping, mu = b->mu, slip_speed = b->slip_speed;
    FOR_LANES
    {
        const double depth = r->depth[l], rate = r->depth_rate[l];
        const double slip_x = r->slip[0][l], slip_y = r->slip[1][l], slack = b->slack[l];
        const double elastic = located || depth > 0 ? stiffness * depth : 0;
        const double pushed = elastic + damping * rate;
        const double normal = located ? (slack != 0 ? 0 : pushed) : pushed < 0 ? 0 : pushed;
        r->normal_force[l] = asks ? normal : 0;
        r->force_C[2][l] = normal;
        r->damping_power[l] = (normal - elastic) * rate;
        if (sticks) continue;
        const double slip2 = slip_x * slip_x + slip_y * slip_y;
        const double factor = mu * fabs(normal) / sqrt(slip2 + slip_speed * slip_speed);
        r->force_C[0][l] = 0 - factor * slip_x;
        r->force_C[1][l] = 0 - factor * slip_y;
        r->friction_power[l] = 0 + factor * slip2;
    }
}

/* Friction that sticks, where spring and damper hold it: what fnd_stick_slip_force gives until it is at its limit, and
 * fnd_stick_slip_rests. */
FND_LANES_INLINE void hold(const fnd_batch *b, fnd_batch_result *restrict r, const bool located)
{
    const fnd_stick_slip *p = b->laws->friction.parameters;
    const double stiffness = p->stiffness, damping = p->damping, mu = p->mu_static;
    FOR_LANES
    {
        const double slip_x = r->slip[0][l], slip_y = r->slip[1][l], normal = r->force_C[2][l], mode = b->mode[l];
        const double limit = mu * (normal > 0 ? normal : 0);
        const double tx = stiffness * b->stretch[0][l] + damping * slip_x;
        const double ty = stiffness * b->stretch[1][l] + damping * slip_y;
        const double size = sqrt(tx * tx + ty * ty);
        const bool still = mode == 1, held = size <= limit, sure = located & still;
        const bool inside = (size < limit * (1 - FND_STICK_SLIP_ROUNDING)) | (size == 0);
        r->force_C[0][l] = 0 + -tx;
        r->force_C[1][l] = 0 + -ty;
        r->friction_power[l] = 0 + damping * (slip_x * slip_x + slip_y * slip_y);
        r->grip[l] = !((mode < 2) & (held | sure)) ? FND_GRIP_OTHER
                     : (still & inside)            ? FND_GRIP_RESTS
                                                   : FND_GRIP_SPRING;
    }
}

/* What acts at a point of a patch: the law's force for full contact, by its weight. */
FND_LANES_INLINE void weigh(const fnd_batch *b, fnd_batch_result *restrict r)
{
    FOR_LANES
    {
        const double weight = r->weight[l];
        r->force_C[0][l] *= weight;
        r->force_C[1][l] *= weight;
        r->force_C[2][l] *= weight;
        r->damping_power[l] *= weight;
        r->friction_power[l] *= weight;
    }
}

/* From the parts in C to the force in W. */
FND_LANES_INLINE void sum_parts(const fnd_batch *b, fnd_batch_result *restrict r)
{
    FOR_LANES
    {
        LOAD(n, r->normal);
        LOAD(t, r->tangent);
        LOAD(f, r->force_C);
        CROSS(y, n, t);
        const double gx = (fx * tx + fy * yx) + fz * nx, gy = (fx * ty + fy * yy) + fz * ny,
                     gz = (fx * tz + fy * yz) + fz * nz;
        STORE(r->force, g);
        r->strength[l] = sqrt(DOT(g, g));
        r->power[l] = fx * r->slip[0][l] + fy * r->slip[1][l] - fz * r->depth_rate[l];
    }
}

FND_LANES_INLINE void place_lanes(const fnd_batch *b, fnd_batch_result *r)
{
    find_offsets(b, b->frames, r);
    if (b->any_spheres) place_balls(b, r);
    if (b->any_planes && b->any_spheres) place_on_planes(b, r, true);
    else if (b->any_planes) place_on_planes(b, r, false);
}

void FND_OF_WIDTH(fnd_batch_evaluate)(fnd_batch *b, fnd_batch_result *r)
{
    turn_arms(b, b->frames);
    place_lanes(b, r);
    carry_tangents(b, b->records, b->rotations, r);
    if (b->forces && !b->located && !b->sticks) {
        move_and_push(b, b->frames, r, true);
        if (!r->weighted) return;
    } else {
        move_and_push(b, b->frames, r, false);
        if (!b->forces) return;
        if (b->located && b->sticks) push_by_modes(b, r, true, true);
        else if (b->located) push_by_modes(b, r, true, false);
        else push_by_modes(b, r, false, true);
        if (b->sticks) {
            hold(b, r, b->located);
            fnd_batch_stick(b, r);
        }
    }
    if (r->weighted) weigh(b, r);
    sum_parts(b, r);
}

/* ---- Commit ---- */

enum { SUMS = 8 }; /* of neighbours in a row, from the normal force on */
_Static_assert(offsetof(fnd_contact, power) - offsetof(fnd_contact, force_C.z) == (SUMS - 1) * sizeof(double),
               "what is summed has no gaps");
_Static_assert(offsetof(fnd_batch_sums, power) == (SUMS - 1) * sizeof(double), "nor have the sums");

void FND_OF_WIDTH(fnd_batch_sum)(const fnd_contact_list *rows, double weight, int stage, int64_t mark,
                                 double *restrict load, fnd_batch_sums *restrict sums)
{
    const double size = fabs(weight);
    const double factors[SUMS] = {weight, weight, weight, weight, size, weight, weight, weight};
    for (int i = 0; i < rows->count; i++) {
        const fnd_contact *row = &rows->items[i];
        const double push = size * row->strength;
        if (load) {
            load[row->body_a] += push;
            load[row->body_b] += push;
        }
        if (!row->batch || !sums) continue;
        fnd_batch_sums *sum = &sums[row->record];
        const double *from = (const double *)(const void *)((const char *)row + offsetof(fnd_contact, force_C.z));
        double *to = (double *)(void *)sum;
        if (stage == 0) {
            for (int k = 0; k < SUMS; k++) to[k] = 0 + factors[k] * from[k];
            sum->from = row;
            sum->seen = mark + 1;
        } else if (sum->seen == mark + stage) {
            for (int k = 0; k < SUMS; k++) to[k] += factors[k] * from[k];
            sum->seen++;
        }
    }
}
