/* Contact of spheres and capsules: closest points of their cores (point or segment), then the radii.
 *
 * Distance = core distance - radius a - radius b, along the line between the closest core points. This is exact in
 * overlap too: the Minkowski difference of the shapes is that of the cores, swept by a sphere of both radii, so the
 * least translation that parts them is both radii less the core distance while the cores are apart. Where the cores
 * meet the difference of the cores is flat (a parallelogram, a segment or a point) and holds the origin: every unit
 * vector across it parts the shapes after exactly both radii, and none parts them sooner.
 *
 * Normal where the cores meet (to within rounding), each rule turning with the scene:
 *   two spheres        z axis of a
 *   sphere in capsule  x axis of the capsule, towards the sphere
 *   crossing axes      z_a x z_b, so that swapping a and b turns it round
 *   collinear axes     across the axis: along x_a - x_b, or y_a - y_b where that vanishes, so that swapping turns it
 *                      round; where both frames agree x_a + x_b when b lies ahead along z, else -(x_a + x_b);
 *                      on one centre nothing in the poses tells a from b.
 *
 * Parallel axes that overlap in length have a whole interval of closest points: the middle of the overlap is taken, so
 * that a body lying lengthwise, exactly parallel, is pushed in the middle and is not turned by rounding in its
 * attitude. Tilts below PARALLEL_FULL count as parallel, from there to PARALLEL_NONE the point moves continuously from
 * the middle to the exact one. That band is at the rounding of a rotation matrix; the distance is wrong by less than
 * PARALLEL_NONE of the overlap there. Above it the single contact is the exact closest point: with any tilt that can be
 * told from rounding the deeper end, as the geometry demands. Distance is continuous throughout; so is the normal,
 * except where the cores meet.
 *
 * Every sum below is written so that swapping a and b (offset negated, axes exchanged) yields the same roundings. */
#include "collide/pair_table.h"

#include "geometry/support.h"
#include <assert.h>

/* Squared sines of the tilt. */
#define PARALLEL_FULL (2e-15 * 2e-15)
#define PARALLEL_NONE (5e-15 * 5e-15)
/* A core distance below this part of the lengths it was computed from is rounding. */
#define ROUNDING (4 * 2.220446049250313e-16)
/* The bounding test may not reject what the exact test would keep. */
#define BOUND_MARGIN 1.00000000000001

/* Closest points of two cores: at `along_a` of a's axis from a's origin, `along_b` of b's from b's. */
typedef struct core_contact {
    double along_a, along_b;
    double distance; /* from a's point to b's, along normal */
    fender_vec3 normal;
} core_contact;

static inline double clamp(double value, double limit)
{
    assert(!(limit < 0));
    return value > limit ? limit : value < -limit ? -limit : value;
}

static inline double magnitude_sum(fender_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* Takes rounding out of the gap at the point `along` an axis: no part along the axis where the point can still move
 * along it, none that would pull it back from an end. `sense` is 1 for the core that the gap leaves, -1 for the other.
 * A short gap would else lean by rounding / length, and the normal with it. */
static inline fender_vec3 straighten(fender_vec3 gap, fender_vec3 axis, double sense, double along, double limit,
                                     double rounding)
{
    assert(sense == 1 || sense == -1);
    double part = fender_vec3_dot(axis, gap), outward = sense * part;
    bool at_end = (along >= limit && outward >= 0) || (along <= -limit && outward <= 0);
    if (at_end || !(fabs(part) <= 4 * rounding)) return gap; /* no rounding: a length too short to move along */
    return fender_vec3_add_scaled(gap, -part, axis);
}

/* Column of a rotation matrix, without the rounding of its length. */
static fender_vec3 unit_column(const fnd_posed *posed, int column)
{
    assert(column >= 0 && column < 3);
    fender_vec3 v = fender_mat3_column(&posed->R_WG, column);
    fnd_length_and_direction(v, &v);
    return v;
}

/* Certainly further apart than reach? `extent` is the sum of both bounding radii. */
static inline bool beyond_reach(double offset_squared, double extent, double reach)
{
    double bound = extent + reach;
    return bound >= 0 && offset_squared > bound * bound * BOUND_MARGIN;
}

/* Puts the radii on the core points (each from its own origin). */
static inline void emit(fender_vec3 offset, fender_vec3 core_a, double radius_a, fender_vec3 core_b, double radius_b,
                        fender_vec3 normal, double core_distance, double reach, fnd_manifold *out)
{
    double distance = core_distance - (radius_a + radius_b);
    if (distance > reach) return;
    fnd_manifold_add(out,
                     fnd_single(distance, fender_vec3_add_scaled(core_a, radius_a, normal),
                                fender_vec3_add(offset, fender_vec3_add_scaled(core_b, -radius_b, normal)), normal, 0));
}

void fnd_sphere_sphere(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    double reach = fnd_query_range(query);
    double radius_a = a->geometry->radius, radius_b = b->geometry->radius;
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG), zero = {0, 0, 0};
    double squared = fender_vec3_dot(offset, offset);
    if (beyond_reach(squared, radius_a + radius_b, reach)) return;
    fender_vec3 normal;
    double distance = fnd_length_and_direction(offset, &normal);
    if (distance == 0) normal = unit_column(a, 2);
    emit(offset, zero, radius_a, zero, radius_b, normal, distance, reach, out);
}

/* Core of a capsule and the centre of a sphere at `offset` from its origin; false when certainly beyond reach. */
static inline bool segment_and_point(const fnd_posed *capsule, fender_vec3 offset, double radius, double reach,
                                     core_contact *contact)
{
    assert(!(radius < 0));
    double half_length = capsule->geometry->half_length;
    if (beyond_reach(fender_vec3_dot(offset, offset), capsule->geometry->radius + half_length + radius, reach))
        return false;
    fender_vec3 axis = fender_mat3_column(&capsule->R_WG, 2);
    double along = clamp(fender_vec3_dot(axis, offset), half_length);
    double rounding = ROUNDING * (magnitude_sum(offset) + fabs(along));
    fender_vec3 gap = straighten(fender_vec3_add_scaled(offset, -along, axis), axis, 1, along, half_length, rounding);
    contact->along_a = along;
    contact->along_b = 0;
    contact->distance = fnd_length_and_direction(gap, &contact->normal);
    if (contact->distance <= rounding) {
        contact->normal = unit_column(capsule, 0);
        contact->distance = fender_vec3_dot(gap, contact->normal);
    }
    return true;
}

void fnd_capsule_sphere(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    double reach = fnd_query_range(query);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG), zero = {0, 0, 0};
    core_contact c;
    if (!segment_and_point(a, offset, b->geometry->radius, reach, &c)) return;
    fender_vec3 core_a = fender_vec3_scale(c.along_a, fender_mat3_column(&a->R_WG, 2));
    emit(offset, core_a, a->geometry->radius, zero, b->geometry->radius, c.normal, c.distance, reach, out);
}

void fnd_sphere_capsule(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    double reach = fnd_query_range(query);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG), zero = {0, 0, 0};
    core_contact c;
    if (!segment_and_point(b, fender_vec3_negate(offset), a->geometry->radius, reach, &c)) return;
    fender_vec3 core_b = fender_vec3_scale(c.along_a, fender_mat3_column(&b->R_WG, 2));
    emit(offset, zero, a->geometry->radius, core_b, b->geometry->radius, fender_vec3_negate(c.normal), c.distance,
         reach, out);
}

/* From the point of a's core at `along_a` to that of b's at `along_b`. */
static inline fender_vec3 gap_between(fender_vec3 offset, fender_vec3 axis_a, double along_a, fender_vec3 axis_b,
                                      double along_b)
{
    fender_vec3 d = {along_b * axis_b.x - along_a * axis_a.x, along_b * axis_b.y - along_a * axis_a.y,
                     along_b * axis_b.z - along_a * axis_a.z};
    return fender_vec3_add(offset, d);
}

/* Both axes, which need not be at right angles: last the one where a rest does more harm, the longer one and the one
 * whose point can move; else the mean of both orders, which prefers neither a nor b. */
static inline fender_vec3 straighten_both(fender_vec3 gap, fender_vec3 axis_a, double along_a, double limit_a,
                                          fender_vec3 axis_b, double along_b, double limit_b, double rounding)
{
    double weight_a = fabs(along_a) < limit_a ? 4 * limit_a : limit_a;
    double weight_b = fabs(along_b) < limit_b ? 4 * limit_b : limit_b;
    fender_vec3 b_last = straighten(gap, axis_a, 1, along_a, limit_a, rounding);
    b_last = straighten(b_last, axis_b, -1, along_b, limit_b, rounding);
    if (weight_a < weight_b) return b_last;
    fender_vec3 a_last = straighten(gap, axis_b, -1, along_b, limit_b, rounding);
    a_last = straighten(a_last, axis_a, 1, along_a, limit_a, rounding);
    if (weight_b < weight_a) return a_last;
    return fender_vec3_scale(0.5, fender_vec3_add(a_last, b_last));
}

/* Part of v across the vector g of squared length gg. */
static inline fender_vec3 part_across(fender_vec3 v, fender_vec3 g, double gg)
{
    return fender_vec3_add_scaled(v, -fender_vec3_dot(v, g) / gg, g);
}

/* Unit vector across the common axis g of two collinear cores. */
static fender_vec3 normal_of_collinear(const fnd_posed *a, const fnd_posed *b, fender_vec3 offset, fender_vec3 g,
                                       double gg)
{
    fender_vec3 normal = {0, 0, 1};
    for (int column = 0; column < 2; column++) {
        fender_vec3 v = fender_vec3_sub(fender_mat3_column(&a->R_WG, column), fender_mat3_column(&b->R_WG, column));
        v = part_across(v, g, gg);
        double squared = fender_vec3_dot(v, v);
        if (squared < 1e-12) continue;
        fnd_length_and_direction(v, &normal);
        return normal;
    }
    fender_vec3 v = fender_vec3_add(fender_mat3_column(&a->R_WG, 0), fender_mat3_column(&b->R_WG, 0));
    v = part_across(v, g, gg);
    fnd_length_and_direction(v, &normal);
    return fender_vec3_dot(offset, g) < 0 ? fender_vec3_negate(normal) : normal;
}

/* Two segments, half lengths `limit_a`, `limit_b`, b's middle at `offset` from a's.
 *
 * With g = axis_a + s axis_b and h = axis_a - s axis_b (s = +-1 such that g is the longer) the vector between points of
 * the lines is offset - beta g - alpha h, where along_a = alpha + beta and s along_b = alpha - beta. Unit axes make g
 * and h orthogonal, so the two unknowns part, and h has full relative precision however small the angle is: the
 * points are right to the rounding of their own coordinates, where the usual solution (Ericson, Real-Time Collision
 * Detection, 2005, 5.1.9) divides rounding by its square. */
typedef struct segment_pair {
    fender_vec3 offset, axis_a, axis_b, g, h; /* h: less what rounding left of g in it */
    double limit_a, limit_b, sign, gg, hh, share, offset_size;
} segment_pair;

static inline segment_pair pair_of_segments(const fnd_posed *a, const fnd_posed *b, fender_vec3 offset, double limit_a,
                                            double limit_b)
{
    assert(!(limit_a < 0) && !(limit_b < 0));
    segment_pair p = {.offset = offset, .limit_a = limit_a, .limit_b = limit_b};
    p.axis_a = fender_mat3_column(&a->R_WG, 2), p.axis_b = fender_mat3_column(&b->R_WG, 2);
    p.sign = fender_vec3_dot(p.axis_a, p.axis_b) < 0 ? -1 : 1;
    p.g = fender_vec3_add_scaled(p.axis_a, p.sign, p.axis_b);
    fender_vec3 h = fender_vec3_add_scaled(p.axis_a, -p.sign, p.axis_b);
    /* Axes are of unit length only to rounding, which is not small beside a small h. */
    p.gg = fender_vec3_dot(p.g, p.g), p.share = fender_vec3_dot(p.g, h) / p.gg;
    p.h = fender_vec3_add_scaled(h, -p.share, p.g);
    p.hh = fender_vec3_dot(p.h, p.h);
    p.offset_size = magnitude_sum(offset);
    return p;
}

static core_contact closest_of_parallel(const fnd_posed *a, const fnd_posed *b, const segment_pair *p, double beta)
{
    core_contact contact;
    /* Overlap of both ranges of alpha; low > high where the segments lie behind each other. */
    double low = -beta - p->limit_a > beta - p->limit_b ? -beta - p->limit_a : beta - p->limit_b;
    double high = -beta + p->limit_a < beta + p->limit_b ? -beta + p->limit_a : beta + p->limit_b;
    double alpha = 0.5 * (low + high);
    if (low < high && p->hh > PARALLEL_FULL) {
        double exact = fender_vec3_dot(p->offset, p->h) / p->hh;
        exact = exact > high ? high : exact < low ? low : exact;
        alpha += (exact - alpha) * ((p->hh - PARALLEL_FULL) / (PARALLEL_NONE - PARALLEL_FULL));
    }
    contact.along_a = clamp(alpha + beta, p->limit_a);
    contact.along_b = clamp(p->sign * (alpha - beta), p->limit_b);
    double rounding = ROUNDING * (p->offset_size + fabs(contact.along_a) + fabs(contact.along_b));
    fender_vec3 gap = gap_between(p->offset, p->axis_a, contact.along_a, p->axis_b, contact.along_b);
    gap = low <= high ? part_across(gap, p->g, p->gg)
                      : straighten_both(gap, p->axis_a, contact.along_a, p->limit_a, p->axis_b, contact.along_b,
                                        p->limit_b, rounding);
    contact.distance = fnd_length_and_direction(gap, &contact.normal);
    if (contact.distance <= rounding) {
        contact.normal = normal_of_collinear(a, b, p->offset, p->g, p->gg);
        contact.distance = fender_vec3_dot(gap, contact.normal);
    }
    return contact;
}

/* The closest points of the lines are at along_a, along_b, beyond an end of one segment at least. The least distance
 * lies on an end that they are beyond: changes both places, and gives the gap between them. */
static fender_vec3 gap_at_ends(const segment_pair *p, bool beyond_a, bool beyond_b, double *along_a, double *along_b)
{
    assert(beyond_a || beyond_b);
    const fender_vec3 axis_a = p->axis_a, axis_b = p->axis_b, offset = p->offset;
    double end_a = 0, near_a = 0, end_b = 0, near_b = 0, squared_a = INFINITY, squared_b = INFINITY;
    fender_vec3 gap_a = {0, 0, 0}, gap_b = {0, 0, 0};
    if (beyond_a) { /* an end of a, and the point of b near it */
        end_a = *along_a > 0 ? p->limit_a : -p->limit_a;
        near_a = clamp(fender_vec3_dot(axis_b, fender_vec3_sub(fender_vec3_scale(end_a, axis_a), offset)), p->limit_b);
        gap_a = gap_between(offset, axis_a, end_a, axis_b, near_a);
        squared_a = fender_vec3_dot(gap_a, gap_a);
    }
    if (beyond_b) { /* an end of b, and the point of a near it */
        end_b = *along_b > 0 ? p->limit_b : -p->limit_b;
        near_b = clamp(fender_vec3_dot(axis_a, fender_vec3_add(fender_vec3_scale(end_b, axis_b), offset)), p->limit_a);
        gap_b = gap_between(offset, axis_a, near_b, axis_b, end_b);
        squared_b = fender_vec3_dot(gap_b, gap_b);
    }
    /* Squares cannot tell points apart whose distance differs by rounding. Then the pull at the end that was tried
     * decides: where it is inward, that end is not the nearest point, and the length says how much that matters. */
    double prefer_b = squared_a - squared_b, least = squared_a < squared_b ? squared_a : squared_b;
    double unsure = 4 * ROUNDING * (p->offset_size + (p->limit_a + p->limit_b));
    if (prefer_b * prefer_b <= unsure * unsure * least) {
        double inward_a = fender_vec3_dot(axis_a, gap_a), inward_b = -fender_vec3_dot(axis_b, gap_b);
        inward_a = end_a > 0 ? -inward_a : inward_a, inward_b = end_b > 0 ? -inward_b : inward_b;
        prefer_b = (inward_a > 0 ? inward_a * p->limit_a : 0) - (inward_b > 0 ? inward_b * p->limit_b : 0);
    }
    if (prefer_b < 0) {
        *along_a = end_a, *along_b = near_a;
        return gap_a;
    }
    if (prefer_b > 0) {
        *along_a = near_b, *along_b = end_b;
        return gap_b;
    }
    /* mostly twice the same pair of ends; else the middle, which prefers neither a nor b */
    *along_a = 0.5 * (end_a + near_b), *along_b = 0.5 * (near_a + end_b);
    return gap_between(offset, axis_a, *along_a, axis_b, *along_b);
}

static core_contact closest_of_segments(const fnd_posed *a, const fnd_posed *b, fender_vec3 offset, double limit_a,
                                        double limit_b)
{
    const segment_pair p = pair_of_segments(a, b, offset, limit_a, limit_b);
    double beta = fender_vec3_dot(offset, p.g) / p.gg;
    if (p.hh < PARALLEL_NONE) return closest_of_parallel(a, b, &p, beta);
    double alpha = fender_vec3_dot(offset, p.h) / p.hh;
    beta -= alpha * p.share;
    core_contact contact = {.along_a = alpha + beta, .along_b = p.sign * (alpha - beta)};
    bool beyond_a = fabs(contact.along_a) > limit_a, beyond_b = fabs(contact.along_b) > limit_b;
    fender_vec3 gap = offset; /* the same in the only direction that counts, across both axes */
    if (beyond_a || beyond_b) gap = gap_at_ends(&p, beyond_a, beyond_b, &contact.along_a, &contact.along_b);
    double rounding = ROUNDING * (p.offset_size + fabs(contact.along_a) + fabs(contact.along_b));
    if (beyond_a || beyond_b) {
        gap = straighten_both(gap, p.axis_a, contact.along_a, limit_a, p.axis_b, contact.along_b, limit_b, rounding);
        contact.distance = fnd_length_and_direction(gap, &contact.normal);
        if (!(contact.distance <= rounding)) return contact;
    }
    /* Across both axes: axis_a x axis_b = -sign/2 g x h. */
    fnd_length_and_direction(fender_vec3_scale(-p.sign, fender_vec3_cross(p.g, p.h)), &contact.normal);
    contact.distance = fender_vec3_dot(gap, contact.normal);
    if (contact.distance < -rounding) {
        contact.normal = fender_vec3_negate(contact.normal);
        contact.distance = -contact.distance;
    }
    return contact;
}

/* Lengths whose squares leave the range of doubles: the same in another unit, a power of two. */
static core_contact closest_of_extreme_segments(const fnd_posed *a, const fnd_posed *b, fender_vec3 offset,
                                                double limit_a, double limit_b, double size)
{
    assert(size > 0);
    int exponent;
    frexp(size, &exponent);
    fender_vec3 scaled = {ldexp(offset.x, -exponent), ldexp(offset.y, -exponent), ldexp(offset.z, -exponent)};
    core_contact contact = closest_of_segments(a, b, scaled, ldexp(limit_a, -exponent), ldexp(limit_b, -exponent));
    contact.along_a = ldexp(contact.along_a, exponent);
    contact.along_b = ldexp(contact.along_b, exponent);
    contact.distance = ldexp(contact.distance, exponent);
    return contact;
}

void fnd_capsule_capsule(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    double reach = fnd_query_range(query);
    double radius_a = a->geometry->radius, radius_b = b->geometry->radius;
    double limit_a = a->geometry->half_length, limit_b = b->geometry->half_length;
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    if (beyond_reach(fender_vec3_dot(offset, offset), (radius_a + radius_b) + (limit_a + limit_b), reach)) return;
    double size = magnitude_sum(offset) + (limit_a + limit_b);
    core_contact c = (size > 1e-70 && size < 1e70) || !(size > 0) || !isfinite(size)
                         ? closest_of_segments(a, b, offset, limit_a, limit_b)
                         : closest_of_extreme_segments(a, b, offset, limit_a, limit_b, size);
    fender_vec3 core_a = fender_vec3_scale(c.along_a, fender_mat3_column(&a->R_WG, 2));
    fender_vec3 core_b = fender_vec3_scale(c.along_b, fender_mat3_column(&b->R_WG, 2));
    emit(offset, core_a, radius_a, core_b, radius_b, c.normal, c.distance, reach, out);
}
