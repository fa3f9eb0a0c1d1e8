/* Plane regions bounded by loops. Every decision is the sign of an exact determinant, so that no input can make the
 * triangles overlap or leave a gap. Holes are joined to the outline by bridges (two coincident edges of opposite
 * direction); then ears are cut off the one remaining loop (Meisters 1975). */
#include "geometry/profile.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/predicates.h"

/* ---- Checks ---- */

static bool refuse(const char *path, const char *message, const char *found, const char *expected,
                   const char *suggestion, fender_error *error)
{
    fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, expected, suggestion);
    return false;
}

/* "the outline" or "hole 2" */
typedef struct loop_name {
    char text[32];
} loop_name;
static loop_name name_of(int loop)
{
    loop_name name = {"the outline"};
    if (loop > 0) snprintf(name.text, sizeof name.text, "hole %d", loop);
    return name;
}

typedef struct place {
    char text[96];
} place;
static place place_of(fender_vec2 p)
{
    place text;
    snprintf(text.text, sizeof text.text, "(%s, %s) m", fnd_number(p.x).text, fnd_number(p.y).text);
    return text;
}

/* Sizes and coordinates; the number of points. 0: refused. */
static int check_numbers(const fender_profile *profile, fender_error *error)
{
    char path[64], found[48], message[96];
    if (!profile || !profile->points || !profile->loop_sizes) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "profile", "a profile needs its points and the sizes of its loops",
                 "NULL", "a filled fender_profile", "");
        return 0;
    }
    if (profile->loop_count < 1) {
        refuse("profile.loop_count", "a profile needs an outline", fnd_number(profile->loop_count).text, "1 or more",
               "the first loop is the outline, others are holes", error);
        return 0;
    }
    int count = 0;
    for (int i = 0; i < profile->loop_count; i++) {
        int size = profile->loop_sizes[i];
        snprintf(path, sizeof path, "profile.loops[%d]", i);
        if (size < 3) {
            snprintf(message, sizeof message, "%s has fewer than three points", name_of(i).text);
            snprintf(found, sizeof found, "%d", size);
            refuse(path, message, found, "3 or more", "the last point is joined to the first", error);
            return 0;
        }
        if (size > FENDER_PROFILE_POINTS - count) {
            refuse(path, "the profile has too many points", "more than 20000", "at most 20000", "use fewer points",
                   error);
            return 0;
        }
        count += size;
    }
    for (int i = 0; i < count; i++) {
        const double values[2] = {profile->points[i].x, profile->points[i].y};
        for (int k = 0; k < 2; k++) {
            if (fabs(values[k]) <= 1e100) continue;
            snprintf(path, sizeof path, "profile.points[%d].%c", i, "xy"[k]);
            refuse(path, "a coordinate of the profile is not finite, or too large",
                   isnan(values[k]) ? "NaN" : fnd_number(values[k]).text, "within 1e100 m", "check the unit", error);
            return 0;
        }
    }
    return count;
}

static bool same(fender_vec2 a, fender_vec2 b) { return a.x == b.x && a.y == b.y; }

/* Does b lie within rounding of the line from a to c, scaled to 1, or is it a spike? */
static bool is_flat(fender_vec2 a, fender_vec2 b, fender_vec2 c)
{
    double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    double size = sqrt(ux * ux + uy * uy) + sqrt(vx * vx + vy * vy);
    return fabs(ux * vy - uy * vx) <= 64 * DBL_EPSILON * size && ux * vx + uy * vy > 0;
}

/* Puts the needed points of one loop at the end of `loops`. */
static bool append(fnd_loops *loops, const fender_vec2 *points, int count, double scale)
{
    const int first = loops->point_count;
    for (int i = 0; i < count; i++) {
        fender_vec2 p = {points[i].x + 0.0, points[i].y + 0.0};
        fender_vec2 s = {fnd_predicate_coordinate(p.x * scale), fnd_predicate_coordinate(p.y * scale)};
        if (loops->point_count > first && same(s, loops->scaled[loops->point_count - 1])) continue;
        loops->points[loops->point_count] = p;
        loops->scaled[loops->point_count++] = s;
    }
    while (loops->point_count > first + 1 && same(loops->scaled[first], loops->scaled[loops->point_count - 1]))
        loops->point_count--;
    int kept = first, last = loops->point_count; /* points that turn; one against those kept before and given after */
    for (int i = first; i < last; i++) {
        fender_vec2 before = kept > first ? loops->scaled[kept - 1] : loops->scaled[last - 1];
        if (is_flat(before, loops->scaled[i], loops->scaled[i + 1 < last ? i + 1 : first])) continue;
        loops->points[kept] = loops->points[i];
        loops->scaled[kept++] = loops->scaled[i];
    }
    loops->point_count = kept;
    loops->ends[loops->loop_count++] = kept;
    return kept - first >= 3;
}

/* Twice the area of a loop, scaled; about its first point. */
static double area_of(const fnd_loops *loops, int first, int end)
{
    double sum = 0;
    fender_vec2 o = loops->scaled[first];
    for (int i = first + 1; i + 1 < end; i++) {
        fender_vec2 a = loops->scaled[i], b = loops->scaled[i + 1];
        sum += (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
    }
    return sum;
}

static void reverse(fender_vec2 *points, int first, int end)
{
    for (int i = first, j = end - 1; i < j; i++, j--) {
        fender_vec2 kept = points[i];
        points[i] = points[j];
        points[j] = kept;
    }
}

/* Is p in the closed box of a and b? */
static bool between(fender_vec2 a, fender_vec2 b, fender_vec2 p)
{
    return (p.x >= a.x || p.x >= b.x) && (p.x <= a.x || p.x <= b.x) && (p.y >= a.y || p.y >= b.y) &&
           (p.y <= a.y || p.y <= b.y);
}

/* Do the closed segments ab and cd have a point in common? */
static bool meet(fender_vec2 a, fender_vec2 b, fender_vec2 c, fender_vec2 d)
{
    if ((a.x > c.x && a.x > d.x && b.x > c.x && b.x > d.x) || (a.x < c.x && a.x < d.x && b.x < c.x && b.x < d.x) ||
        (a.y > c.y && a.y > d.y && b.y > c.y && b.y > d.y) || (a.y < c.y && a.y < d.y && b.y < c.y && b.y < d.y))
        return false;
    int abc = fnd_orientation_2d(a, b, c), abd = fnd_orientation_2d(a, b, d);
    int cda = fnd_orientation_2d(c, d, a), cdb = fnd_orientation_2d(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) || (cda == 0 && between(c, d, a)) ||
           (cdb == 0 && between(c, d, b));
}

static bool refuse_meeting(const fnd_loops *loops, int loop, int i, int other, int j, fender_error *error)
{
    char path[48], message[128], found[256];
    snprintf(path, sizeof path, "profile.loops[%d]", other);
    if (loop == other) snprintf(message, sizeof message, "%s crosses or touches itself", name_of(loop).text);
    else snprintf(message, sizeof message, "%s and %s cross or touch", name_of(loop).text, name_of(other).text);
    snprintf(found, sizeof found, "the edges that begin at %s and at %s", place_of(loops->points[i]).text,
             place_of(loops->points[j]).text);
    return refuse(path, message, found, "loops that have no point in common",
                  loop == other ? "list the points in their order along the loop"
                                : "move the loops apart, or draw what they enclose as one loop",
                  error);
}

/* No two edges have a point in common but that of neighbours, which do not fold back. */
static bool check_meetings(const fnd_loops *loops, fender_error *error)
{
    const fender_vec2 *s = loops->scaled;
    for (int loop = 0, i = 0; loop < loops->loop_count; loop++)
        for (; i < loops->ends[loop]; i++) {
            int next = fnd_loop_next(loops, loop, i);
            for (int other = loop, j = i + 1; other < loops->loop_count; other++)
                for (; j < loops->ends[other]; j++) {
                    int after = fnd_loop_next(loops, other, j);
                    bool bad;
                    if (loop == other && (next == j || after == i)) { /* neighbours: a folded corner? */
                        int a = next == j ? i : j, b = next == j ? j : i, c = next == j ? after : next;
                        double ux = s[b].x - s[a].x, uy = s[b].y - s[a].y, vx = s[c].x - s[b].x, vy = s[c].y - s[b].y;
                        bad = fnd_orientation_2d(s[a], s[b], s[c]) == 0 && ux * vx + uy * vy < 0;
                    } else bad = meet(s[i], s[next], s[j], s[after]);
                    if (bad) return refuse_meeting(loops, loop, i, other, j, error);
                }
        }
    return true;
}

/* Inside the loop from `first` to `end`, on none of its edges: by crossings of the ray along +x. */
static bool inside(const fnd_loops *loops, int first, int end, fender_vec2 p)
{
    bool in = false;
    for (int i = first, before = end - 1; i < end; before = i++) {
        fender_vec2 a = loops->scaled[before], b = loops->scaled[i];
        if ((a.y > p.y) == (b.y > p.y)) continue;
        if ((fnd_orientation_2d(a, b, p) > 0) == (b.y > a.y)) in = !in;
    }
    return in;
}

static bool check_holes(const fnd_loops *loops, fender_error *error)
{
    char path[48], message[96];
    for (int hole = 1; hole < loops->loop_count; hole++) {
        int first = loops->ends[hole - 1];
        snprintf(path, sizeof path, "profile.loops[%d]", hole);
        if (!inside(loops, 0, loops->ends[0], loops->scaled[first])) {
            snprintf(message, sizeof message, "hole %d lies outside the outline", hole);
            return refuse(path, message, place_of(loops->points[first]).text, "a loop within the first one",
                          "list the outline first; separate parts are separate shapes", error);
        }
        for (int other = 1; other < loops->loop_count; other++) {
            if (other == hole || !inside(loops, loops->ends[other - 1], loops->ends[other], loops->scaled[first]))
                continue;
            snprintf(message, sizeof message, "hole %d lies within hole %d", hole, other);
            return refuse(path, message, place_of(loops->points[first]).text, "holes beside each other",
                          "an island within a hole is a separate shape", error);
        }
    }
    return true;
}

/* ---- Loops ---- */

void fnd_loops_close(const fender_env *env, fnd_loops *loops)
{
    fnd_release(env, loops->points, (size_t)loops->capacity * sizeof *loops->points);
    fnd_release(env, loops->scaled, (size_t)loops->capacity * sizeof *loops->scaled);
    fnd_release(env, loops->ends, (size_t)loops->loop_capacity * sizeof *loops->ends);
    *loops = (fnd_loops){0};
}

/* A power of two that brings all coordinates to at most 1. */
static double scale_of(const fender_vec2 *points, int count)
{
    double most = 0, scale = 1;
    for (int i = 0; i < count; i++) {
        most = fabs(points[i].x) > most ? fabs(points[i].x) : most;
        most = fabs(points[i].y) > most ? fabs(points[i].y) : most;
    }
    while (most * scale > 1) scale *= 0.5;
    while (most > 0 && most * scale <= 0.5) scale *= 2;
    return scale;
}

static bool fill(const fender_profile *profile, int count, fnd_loops *loops, fender_error *error)
{
    double scale = scale_of(profile->points, count);
    for (int loop = 0, at = 0; loop < profile->loop_count; at += profile->loop_sizes[loop++]) {
        int first = loops->point_count;
        if (append(loops, profile->points + at, profile->loop_sizes[loop], scale)) continue;
        char path[48], message[96];
        snprintf(path, sizeof path, "profile.loops[%d]", loop);
        snprintf(message, sizeof message, "%s encloses no area", name_of(loop).text);
        return refuse(path, message, place_of(profile->points[at]).text, "three points that are not on one line",
                      loops->point_count - first < 3 ? "points that repeat or lie between their neighbours do not count"
                                                     : "",
                      error);
    }
    if (!check_meetings(loops, error)) return false;
    for (int loop = 0, first = 0; loop < loops->loop_count; first = loops->ends[loop++]) {
        if ((area_of(loops, first, loops->ends[loop]) > 0) == (loop == 0)) continue;
        reverse(loops->points, first, loops->ends[loop]);
        reverse(loops->scaled, first, loops->ends[loop]);
    }
    return check_holes(loops, error);
}

bool fnd_loops_open(const fender_env *env, const fender_profile *profile, fnd_loops *loops, fender_error *error)
{
    *loops = (fnd_loops){0};
    int count = check_numbers(profile, error);
    if (count == 0) return false;
    loops->capacity = count;
    loops->loop_capacity = profile->loop_count;
    loops->points = fnd_allocate(env, (size_t)count * sizeof *loops->points);
    loops->scaled = loops->points ? fnd_allocate(env, (size_t)count * sizeof *loops->scaled) : NULL;
    loops->ends = loops->scaled ? fnd_allocate(env, (size_t)profile->loop_count * sizeof *loops->ends) : NULL;
    if (!loops->ends) fnd_fail_memory(error, "the loops of a profile");
    else if (fill(profile, count, loops, error)) return true;
    fnd_loops_close(env, loops);
    return false;
}

/* ---- Triangles ---- */

/* One loop of corners: index of the point, and of the corner before and after. */
typedef struct corner {
    int32_t point, before, after;
} corner;

/* Does the direction from corner c to p point into the region, strictly? */
static bool points_inward(const corner *ring, int32_t c, const fender_vec2 *s, fender_vec2 p)
{
    fender_vec2 a = s[ring[ring[c].before].point], b = s[ring[c].point], d = s[ring[ring[c].after].point];
    int to_after = fnd_orientation_2d(b, d, p), to_before = fnd_orientation_2d(b, a, p);
    bool convex = fnd_orientation_2d(a, b, d) > 0;
    return convex ? to_after > 0 && to_before < 0 : to_after > 0 || to_before < 0;
}

/* Does the open segment from the point h of a hole to the point o meet any edge? */
static bool is_hidden(const fnd_loops *loops, int h, int o)
{
    const fender_vec2 *s = loops->scaled;
    for (int loop = 0, i = 0; loop < loops->loop_count; loop++)
        for (; i < loops->ends[loop]; i++) {
            int next = fnd_loop_next(loops, loop, i);
            bool at_end = i == h || next == h || i == o || next == o;
            if (!at_end && meet(s[h], s[o], s[i], s[next])) return true;
            int free_end = i == h || i == o ? next : i; /* along an edge of its ends? */
            if (at_end && free_end != h && free_end != o && fnd_orientation_2d(s[h], s[o], s[free_end]) == 0 &&
                between(s[h], s[o], s[free_end]))
                return true;
        }
    return false;
}

/* The bridges so far, as pairs of points: a new one crosses none of them. */
typedef struct bridges {
    int32_t (*ends)[2];
    int count;
} bridges;
static bool crosses(const bridges *b, const fender_vec2 *s, int h, int o)
{
    for (int k = 0; k < b->count; k++) {
        int32_t u = b->ends[k][0], v = b->ends[k][1];
        if (u != o && v != o && meet(s[h], s[o], s[u], s[v])) return true;
    }
    return false;
}

/* The corner of the ring nearest to point h that sees it: h is the rightmost point of its hole, and all holes further
 * to the right are joined already, so that there is one. -1: none. */
static int32_t find_bridge(const fnd_loops *loops, const corner *ring, int count, const bridges *made, int h)
{
    const fender_vec2 *s = loops->scaled;
    int32_t best = -1;
    double nearest = INFINITY;
    for (int32_t c = 0; c < count; c++) {
        fender_vec2 p = s[ring[c].point];
        double x = p.x - s[h].x, y = p.y - s[h].y, square = x * x + y * y;
        if (!(square < nearest) || !points_inward(ring, c, s, s[h]) || is_hidden(loops, h, ring[c].point) ||
            crosses(made, s, h, ring[c].point))
            continue;
        best = c;
        nearest = square;
    }
    return best;
}

/* Appends the loop as a ring of its own; returns the index of its first corner. */
static int32_t add_ring(const fnd_loops *loops, int loop, corner *ring, int *count)
{
    int32_t first = *count;
    int from = loop > 0 ? loops->ends[loop - 1] : 0, size = loops->ends[loop] - from;
    for (int i = 0; i < size; i++)
        ring[(*count)++] = (corner){from + i, first + (i + size - 1) % size, first + (i + 1) % size};
    return first;
}

/* Joins ring b at corner h to ring a at corner o: o h .. h' o' .. */
static void join(corner *ring, int *count, int32_t o, int32_t h)
{
    int32_t o2 = (*count)++, h2 = (*count)++;
    ring[o2] = (corner){ring[o].point, h2, ring[o].after};
    ring[h2] = (corner){ring[h].point, ring[h].before, o2};
    ring[ring[o].after].before = o2;
    ring[ring[h].before].after = h2;
    ring[o].after = h;
    ring[h].before = o;
}

/* The unjoined hole whose rightmost point is farthest to the right, and that point. */
static int next_hole(const fnd_loops *loops, const bool *joined, int *rightmost)
{
    int best = -1;
    for (int hole = 1; hole < loops->loop_count; hole++) {
        if (joined[hole]) continue;
        for (int i = loops->ends[hole - 1]; i < loops->ends[hole]; i++)
            if (best < 0 || loops->scaled[i].x > loops->scaled[*rightmost].x) {
                best = hole;
                *rightmost = i;
            }
    }
    return best;
}

/* The turn at b; 0 also where the point of the widest angle is nearer to the line of the others than `width`. */
static int turn_of(fender_vec2 a, fender_vec2 b, fender_vec2 c, double width)
{
    double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - a.x, vy = c.y - a.y, wx = c.x - b.x, wy = c.y - b.y;
    double u = ux * ux + uy * uy, v = vx * vx + vy * vy, w = wx * wx + wy * wy, cross = ux * vy - uy * vx;
    double longest = u > v ? u : v;
    longest = w > longest ? w : longest;
    return cross * cross <= width * width * longest ? 0 : fnd_orientation_2d(a, b, c);
}

/* Is the corner an ear: convex, with no other point in the closed triangle of it and its neighbours? With a width, an
 * ear is wider, and leaves no point so near to its new edge. */
static bool is_ear(const corner *ring, int32_t c, const fender_vec2 *s, double width)
{
    int32_t before = ring[c].before, after = ring[c].after;
    fender_vec2 u = s[ring[before].point], v = s[ring[c].point], w = s[ring[after].point];
    if (turn_of(u, v, w, width) <= 0) return false;
    for (int32_t k = ring[after].after; k != before; k = ring[k].after) {
        fender_vec2 p = s[ring[k].point];
        if (!(p.x <= u.x + width || p.x <= v.x || p.x <= w.x + width) ||
            !(p.x >= u.x - width || p.x >= v.x || p.x >= w.x - width) ||
            !(p.y <= u.y + width || p.y <= v.y || p.y <= w.y + width) ||
            !(p.y >= u.y - width || p.y >= v.y || p.y >= w.y - width) || same(p, u) || same(p, v) || same(p, w))
            continue;
        if (fnd_orientation_2d(u, v, p) >= 0 && fnd_orientation_2d(v, w, p) >= 0 && turn_of(w, u, p, width) >= 0)
            return false;
    }
    return true;
}

/* Cuts ears off the ring of `left` corners that holds corner `at`: none that is thinner than rounding while there are
 * others. */
static bool cut_ears(corner *ring, int32_t at, int left, const fender_vec2 *s, int32_t (*triangles)[3])
{
    const double widths[2] = {1e-13, 0};
    int made = 0, tries = left, level = 0;
    while (left > 2 && level < 2) {
        if (!is_ear(ring, at, s, widths[level])) {
            at = ring[at].after;
            if (--tries > 0) continue;
            level++;
            tries = left;
            continue;
        }
        int32_t before = ring[at].before, after = ring[at].after;
        triangles[made][0] = ring[before].point;
        triangles[made][1] = ring[at].point;
        triangles[made++][2] = ring[after].point;
        ring[before].after = after;
        ring[after].before = before;
        at = ring[after].after; /* not the neighbour: thinner fans */
        tries = --left;
        level = 0;
    }
    return left == 2;
}

static bool triangulate(const fnd_loops *loops, corner *ring, bool *joined, bridges *made, int32_t (*triangles)[3])
{
    int count = 0, hole, rightmost = 0;
    add_ring(loops, 0, ring, &count);
    while ((hole = next_hole(loops, joined, &rightmost)) >= 0) {
        int32_t o = find_bridge(loops, ring, count, made, rightmost);
        if (o < 0) return false;
        int32_t first = add_ring(loops, hole, ring, &count);
        made->ends[made->count][0] = ring[o].point;
        made->ends[made->count++][1] = rightmost;
        join(ring, &count, o, first + (rightmost - loops->ends[hole - 1]));
        joined[hole] = true;
    }
    return cut_ears(ring, 0, count, loops->scaled, triangles);
}

bool fnd_loops_triangulate(const fender_env *env, const fnd_loops *loops, int32_t (*triangles)[3], fender_error *error)
{
    size_t loop_count = (size_t)loops->loop_count;
    size_t most = (size_t)loops->point_count + 2 * (loop_count - 1);
    corner *ring = fnd_allocate(env, most * sizeof *ring);
    bool *joined = ring ? fnd_allocate(env, loop_count * sizeof *joined) : NULL;
    bridges made = {joined ? fnd_allocate(env, loop_count * sizeof *made.ends) : NULL, 0};
    bool good = false;
    if (!made.ends) fnd_fail_memory(error, "the triangles of a profile");
    else if (!(good = triangulate(loops, ring, joined, &made, triangles)))
        fnd_fail(error, FENDER_STATUS_VALUE, "profile", "the profile cannot be divided into triangles",
                 "points within rounding of an edge", "points well apart from the edges of others",
                 "remove points that nearly lie on another edge");
    fnd_release(env, made.ends, loop_count * sizeof *made.ends);
    fnd_release(env, joined, loop_count * sizeof *joined);
    fnd_release(env, ring, most * sizeof *ring);
    return good;
}
