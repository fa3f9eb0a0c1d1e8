/* Shared by the families of laws: rows of field tables, vectors of the tangent plane, clipping of repulsive forces. */
#ifndef FND_LAW_PARTS_H
#define FND_LAW_PARTS_H

#include <assert.h>
#include <math.h>

#include <fender/law.h>

/* Rows of field tables. FND_REAL: from 0 to any size, by the name of its member; FND_REAL_IN: within a range, and by a
 * member that need not have the name; FND_CHOICE: one of `names`, whose last has the number `last`. */
#define FND_REAL_IN(type, name, member, unit, flags, minimum, maximum, initial, doc)                       \
    {                                                                                                      \
        name, unit, doc, FENDER_FIELD_REAL, offsetof(type, member), flags, minimum, maximum, initial, NULL \
    }
#define FND_REAL(type, member, unit, flags, initial, doc) \
    FND_REAL_IN(type, #member, member, unit, flags, 0, INFINITY, initial, doc)
#define FND_CHOICE(type, name, member, last, initial, names, doc)                             \
    {                                                                                         \
        name, "1", doc, FENDER_FIELD_ENUM, offsetof(type, member), 0, 0, last, initial, names \
    }
#define FND_REQUIRED FENDER_FIELD_REQUIRED
#define FND_POSITIVE FENDER_FIELD_ABOVE_MINIMUM

/* ---- Vectors of the tangent plane */

static inline double dot(fender_vec2 u, fender_vec2 v) { return u.x * v.x + u.y * v.y; }
static inline double length(fender_vec2 u) { return sqrt(u.x * u.x + u.y * u.y); }
static inline fender_vec2 scaled(double a, fender_vec2 u) { return (fender_vec2){a * u.x, a * u.y}; }
static inline fender_vec2 combined(double a, fender_vec2 u, double b, fender_vec2 v)
{
    return (fender_vec2){a * u.x + b * v.x, a * u.y + b * v.y};
}

/* For assertions: not outside the range. NaN passes, because a law may be evaluated with NaN, whose results the engine
 * rejects. */
static inline bool fnd_not_below(double value, double least) { return !(value < least); }
static inline bool fnd_is_part(double value) { return !(value < 0) && !(value > 1); }

/* fender_law.exponent of laws whose force is linear in the depth. */
static inline double fnd_linear_exponent(const void *parameters)
{
    (void)parameters;
    return 1;
}

/* The first two continuous states of a law, where they are a vector of the tangent plane. */
static inline fender_vec2 fnd_plane_state(const fender_contact_input *in)
{
    assert(in->states);
    return (fender_vec2){in->states[0], in->states[1]};
}

/* `stretch` of laws whose first two states are the stretch. */
static inline fender_vec2 fnd_state_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return fnd_plane_state(in);
}

/* Load of friction: 0 for an attractive normal force. */
static inline double fnd_load(const fender_contact_input *in) { return in->normal_force > 0 ? in->normal_force : 0; }

/* Unit vector in the tangent plane along a direction that is fixed to a or b; x of C if the direction is along the
 * normal or the shapes are unknown. */
static inline fender_vec2 fnd_fixed_direction(const fender_contact_input *in, bool to_a, fender_vec3 direction)
{
    if (!in->surface) return (fender_vec2){1, 0};
    fender_vec3 d = fender_mat3_times(to_a ? &in->surface->R_CA : &in->surface->R_CB, direction);
    double size = sqrt(d.x * d.x + d.y * d.y);
    if (!(size > 1e-9 * fabs(d.z))) return (fender_vec2){1, 0};
    return (fender_vec2){d.x / size, d.y / size};
}

/* Derivatives of the force -g s against the slip s, in `by`: `factor` is g, `slope` dg/d|s| over |s|, `per_load` dg/dN.
 * They are added. */
static inline void fnd_oppose_derivative(double factor, double slope, double per_load, fender_vec2 s,
                                         fender_contact_derivative *by)
{
    by[FENDER_LAW_BY_SLIP_X].force.x -= factor + slope * s.x * s.x;
    by[FENDER_LAW_BY_SLIP_X].force.y -= slope * s.x * s.y;
    by[FENDER_LAW_BY_SLIP_Y].force.x -= slope * s.x * s.y;
    by[FENDER_LAW_BY_SLIP_Y].force.y -= factor + slope * s.y * s.y;
    by[FENDER_LAW_BY_NORMAL_FORCE].force.x -= per_load * s.x;
    by[FENDER_LAW_BY_NORMAL_FORCE].force.y -= per_load * s.y;
}

/* ---- Springs and dampers that only push
 *
 * A contact does not attract: a force below zero is clipped. With located events the clip is a mode, `slack`, that
 * memory holds through a step: pressing gives the smooth continuation, slack gives zero. */

/* k d + c d', without the clip. */
static inline double fnd_linear_force(double stiffness, double damping, const fender_contact_input *in)
{
    return stiffness * in->depth + damping * in->depth_rate;
}

/* True if the force is clipped to zero. `sign` is that of the unclipped force. */
static inline bool fnd_clip_holds(const fender_contact_input *in, int slack, double sign)
{
    return in->located ? slack != 0 : sign < 0;
}

/* Root of the clip: positive while the mode lasts. */
static inline double fnd_clip_root(int slack, double sign) { return slack ? -sign : sign; }

/* The mode after an accepted step. At a touch without damping the force is 0 and becomes positive with the depth. */
static inline int fnd_clip_slack(const fender_contact_input *in, double full)
{
    return in->located && (full < 0 || (full == 0 && !(in->depth_rate > 0)));
}

/* 3 x^2 - 2 x^3 of x = depth / width, clamped: the lowest polynomial that rises from 0 to 1 without slope at its ends.
 * Width above 0. */
static inline double fnd_cubic_step(double depth, double width)
{
    if (!(depth > 0)) return 0;
    if (depth >= width) return 1;
    double x = depth / width;
    assert(fnd_is_part(x));
    return x * x * (3 - 2 * x);
}

/* Its derivative by the depth [1/m]. */
static inline double fnd_cubic_step_slope(double depth, double width)
{
    if (!(depth > 0) || depth >= width) return 0;
    double x = depth / width;
    return 6 * x * (1 - x) / width;
}

#endif
