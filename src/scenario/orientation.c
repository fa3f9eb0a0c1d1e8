/* Orientations in all the forms that a scenario may give them; sine and cosine that are the same bits everywhere. */
#include "scenario/orientation.h"

#include <math.h>
#include <string.h>

/* ---- Sine and cosine ---- */

/* Sine and cosine by fixed polynomials: C libraries differ in the last bit, and initial states must not.
 *
 * The angle is reduced to [-pi/4, pi/4] as an unevaluated sum head + tail; there the Taylor series to x^19 and x^18 is
 * below half an ulp (pi/4 ^ 21 / 21! = 1e-22, pi/4 ^ 20 / 20! = 3e-21). Only + - * fma, fmod, nearbyint and sqrt-free
 * arithmetic are used, all of which are exact or correctly rounded by IEEE 754. */

typedef struct reduced {
    double head, tail; /* angle in [-pi/4, pi/4], rad */
    int quadrant;      /* 0 to 3 */
} reduced;

static double sine_kernel(double x, double tail)
{
    static const double c[] = {-1.0 / 6,
                               1.0 / 120,
                               -1.0 / 5040,
                               1.0 / 362880,
                               -1.0 / 39916800,
                               1.0 / 6227020800.0,
                               -1.0 / 1307674368000.0,
                               1.0 / 355687428096000.0};
    double z = x * x, p = c[7];
    for (int i = 6; i >= 0; i--) p = p * z + c[i];
    /* sin(x + t) = sin x + t cos x, and cos x is 1 - z/2 as far as t matters */
    return x + (x * (z * p) + tail * (1 - 0.5 * z));
}

static double cosine_kernel(double x, double tail)
{
    static const double c[] = {1.0 / 24,
                               -1.0 / 720,
                               1.0 / 40320,
                               -1.0 / 3628800,
                               1.0 / 479001600.0,
                               -1.0 / 87178291200.0,
                               1.0 / 20922789888000.0,
                               -1.0 / 6402373705728000.0};
    double z = x * x, p = c[7];
    for (int i = 6; i >= 0; i--) p = p * z + c[i];
    double half = 0.5 * z, w = 1 - half;
    /* (1 - w) - half is what the subtraction above lost; the rounding of z itself is recovered by the fma */
    double lost = (1 - w) - half - 0.5 * fma(x, x, -z);
    return w + (lost + (z * z * p - x * tail));
}

static fnd_sine_cosine evaluate(reduced r)
{
    double s = sine_kernel(r.head, r.tail), c = cosine_kernel(r.head, r.tail);
    switch (r.quadrant) {
    case 1: return (fnd_sine_cosine){c, 0 - s};
    case 2: return (fnd_sine_cosine){0 - s, 0 - c};
    case 3: return (fnd_sine_cosine){0 - c, s};
    default: return (fnd_sine_cosine){s, c};
    }
}

static int quadrant_of(double quarter_turns)
{
    double q = fmod(quarter_turns, 4);
    return (int)(q < 0 ? q + 4 : q);
}

fnd_sine_cosine fnd_sine_cosine_degrees(double degrees)
{
    double rotation = fmod(degrees, 360);
    double quarters = nearbyint(rotation / 90);
    double rest = rotation - 90 * quarters; /* exact: both are multiples of ulp(turn) and the difference is smaller */
    int quadrant = quadrant_of(quarters);
    if (rest == 30 || rest == -30) {
        /* sqrt(3)/2 rounded */
        double c = 0.86602540378443864676, s = rest > 0 ? 0.5 : -0.5;
        switch (quadrant) {
        case 1: return (fnd_sine_cosine){c, -s};
        case 2: return (fnd_sine_cosine){-s, -c};
        case 3: return (fnd_sine_cosine){-c, s};
        default: return (fnd_sine_cosine){s, c};
        }
    }
    /* pi/180 as a sum of two doubles */
    static const double head = 0x1.1df46a2529d39p-6, tail = 0x1.5c1d8becdd291p-62;
    reduced r;
    r.head = rest * head;
    r.tail = fma(rest, head, -r.head) + rest * tail;
    r.quadrant = quadrant;
    return evaluate(r);
}

fnd_sine_cosine fnd_sine_cosine_radians(double radians)
{
    /* pi/2 as a sum of three doubles of 53 bits each; the products with a small integer are formed exactly by fma */
    static const double first = 0x1.921fb54442d18p+0, second = 0x1.1a62633145c07p-54, third = -0x1.f1976b7ed8fbcp-110;
    double quarters = nearbyint(radians / first);
    double product = quarters * first, product_error = fma(quarters, first, -product);
    double a = radians - product; /* exact: radians and product are within a factor of two, or quarters is 0 */
    double small = quarters * second, small_error = fma(quarters, second, -small) + quarters * third;
    /* a - product_error - small - small_error, kept as head + tail by two-sums */
    double s1 = a - product_error, bb = s1 - a, e1 = (a - (s1 - bb)) + (-product_error - bb);
    double s2 = s1 - small, b2 = s2 - s1, e2 = (s1 - (s2 - b2)) + (-small - b2);
    double rest = e1 + e2 - small_error;
    reduced r;
    r.head = s2 + rest;
    r.tail = (s2 - r.head) + rest;
    r.quadrant = quadrant_of(quarters);
    return evaluate(r);
}

/* ---- Orientations ---- */

/* An angle keeps the unit that it was written in: degrees are halved and reduced exactly, radians are not. */
typedef struct angle {
    double value;
    bool degrees;
} angle;

static angle angle_of(double value, const char *unit_text, bool *convert)
{
    static const char *const names[] = {"deg", "degree", "degrees", "\xC2\xB0", NULL};
    *convert = false;
    for (int i = 0; names[i]; i++)
        if (strcmp(unit_text, names[i]) == 0) return (angle){value, true};
    *convert = unit_text[0] != 0;
    return (angle){value, false};
}

static bool read_angle(fnd_reader *reader, const fnd_node *node, const char *common_unit, const char *name, angle *out)
{
    const char *own = "";
    double value = 0;
    bool convert = false;
    if (!fnd_split_number(reader, node, name, "rad", &value, &own)) return false;
    if (common_unit && own[0]) {
        fnd_complain(
            reader, &node->location, FENDER_STATUS_UNIT,
            fnd_phrase_make("'%s' has a separate unit in addition to the unit of the list", fnd_shown(node->text).text)
                .text,
            fnd_shown(node->text).text, "one unit at the end, or a unit on every element",
            "remove one of the two units");
        return false;
    }
    const char *unit = common_unit ? common_unit : own;
    double checked = value;
    if (unit[0] && !fnd_apply_unit(reader, &node->location, fnd_shown(node->text).text, name, unit, "rad", &checked))
        return false;
    *out = angle_of(value, unit, &convert);
    if (convert) out->value = checked;
    return true;
}

static fnd_sine_cosine half_angle(angle a)
{
    return a.degrees ? fnd_sine_cosine_degrees(0.5 * a.value) : fnd_sine_cosine_radians(0.5 * a.value);
}

static fender_quaternion about_axis(fender_vec3 unit_axis, fnd_sine_cosine half)
{
    fender_quaternion q = {half.cosine, half.sine * unit_axis.x, half.sine * unit_axis.y, half.sine * unit_axis.z};
    return q;
}

static fender_vec3 coordinate_axis(char name) { return fender_vec3_make(name == 'x', name == 'y', name == 'z'); }

/* ---- the forms */

static bool has_own_unit(const char *text)
{
    const size_t number = strspn(text, "+-.0123456789eE");
    return text[number] != '\0';
}

static bool read_euler(fnd_reader *reader, fnd_node *node, const fnd_node *angles, const char *name,
                       fender_quaternion *q)
{
    static const char *const sequences[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx",
                                            "xzx", "yxy", "yzy", "zxz", "zyz", NULL};
    fnd_node *sequence_node = fnd_require(reader, node, "sequence", "an orientation by euler angles", "zyx");
    int sequence = 0;
    if (!sequence_node || !fnd_read_choice(reader, sequence_node, "sequence", sequences, &sequence)) return false;
    bool has_unit = angles->kind == FND_NODE_LIST && angles->count == 4;
    if (angles->kind != FND_NODE_LIST || (angles->count != 3 && !has_unit)) {
        double unused[3];
        (void)fnd_read_numbers(reader, angles, "euler", "rad", 3, unused); /* says what is wrong with the list */
        return false;
    }
    const char *common = NULL;
    if (has_unit) {
        common = angles->last->kind == FND_NODE_TEXT ? angles->last->text : "";
        double unused = 0;
        if (!fnd_apply_unit(reader, &angles->last->location, fnd_shown(common).text, name, common, "rad", &unused))
            return false;
    }
    *q = fender_quaternion_identity();
    const fnd_node *element = angles->first;
    bool bare = false; /* an angle that is not zero, without a unit */
    for (int i = 0; i < 3; i++, element = element->next) {
        angle a;
        if (!read_angle(reader, element, common, "euler", &a)) return false;
        bare = bare || (!common && a.value != 0 && element->kind == FND_NODE_TEXT && !has_own_unit(element->text));
        /* about moving axes: each later rotation stands to the right */
        fender_quaternion step = about_axis(coordinate_axis(sequences[sequence][i]), half_angle(a));
        *q = fender_quaternion_product(*q, step);
    }
    if (bare)
        fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &angles->location,
                           "'euler' has no unit: these are radians", fnd_node_kind_text(angles), "angles with a unit",
                           "write [a, b, c, deg], or [a, b, c, rad] if radians are meant");
    return true;
}

static bool read_axis(fnd_reader *reader, fnd_node *node, const fnd_node *axis_node, fender_quaternion *q)
{
    fender_vec3 axis;
    angle a;
    fnd_node *angle_node = fnd_require(reader, node, "angle", "an orientation by axis", "90 deg");
    bool good = fnd_read_vector(reader, axis_node, "axis", "1", &axis);
    if (!angle_node || !read_angle(reader, angle_node, NULL, "angle", &a) || !good) return false;
    double length = fender_vec3_length(axis);
    if (!(length > 0) || !isfinite(length)) {
        fnd_complain(reader, &axis_node->location, FENDER_STATUS_VALUE, "'axis' is zero", "[0, 0, 0]",
                     "a vector that is not zero", "write [0, 0, 1] for z");
        return false;
    }
    *q = about_axis(fender_vec3_scale(1 / length, axis), half_angle(a));
    return true;
}

static bool read_quaternion(fnd_reader *reader, const fnd_node *list, fender_quaternion *q)
{
    double v[4], largest = 0;
    if (!fnd_read_numbers(reader, list, "quaternion", "1", 4, v)) return false;
    for (int i = 0; i < 4; i++) largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    if (largest == 0) {
        fnd_complain(reader, &list->location, FENDER_STATUS_VALUE, "'quaternion' is zero", "[0, 0, 0, 0]",
                     "a quaternion that is not zero", "[1, 0, 0, 0] is the identity; w comes first");
        return false;
    }
    /* by the largest first: squares of 1e200 would overflow */
    fender_quaternion scaled = {v[0] / largest, v[1] / largest, v[2] / largest, v[3] / largest};
    fender_quaternion given = {v[0], v[1], v[2], v[3]};
    double norm2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
    *q = norm2 == 1 ? given : fender_quaternion_normalized(scaled);
    return true;
}

static fender_quaternion quaternion_of_matrix(const fender_mat3 *r)
{
    double trace = r->m[0][0] + r->m[1][1] + r->m[2][2];
    double v[4] = {1 + trace, 1 + 2 * r->m[0][0] - trace, 1 + 2 * r->m[1][1] - trace, 1 + 2 * r->m[2][2] - trace};
    double wx = r->m[2][1] - r->m[1][2], wy = r->m[0][2] - r->m[2][0], wz = r->m[1][0] - r->m[0][1];
    double xy = r->m[0][1] + r->m[1][0], xz = r->m[0][2] + r->m[2][0], yz = r->m[1][2] + r->m[2][1];
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (v[i] > v[best]) best = i;
    /* the row of 4 q q^T that belongs to the largest component */
    fender_quaternion q = {v[0], wx, wy, wz};
    if (best == 1) q = (fender_quaternion){wx, v[1], xy, xz};
    if (best == 2) q = (fender_quaternion){wy, xy, v[2], yz};
    if (best == 3) q = (fender_quaternion){wz, xz, yz, v[3]};
    q = fender_quaternion_normalized(q);
    if (q.w < 0) q = (fender_quaternion){-q.w, -q.x, -q.y, -q.z};
    return q;
}

static bool read_matrix(fnd_reader *reader, const fnd_node *rows, fender_quaternion *q)
{
    fender_mat3 r;
    if (!fnd_read_matrix(reader, rows, "matrix", "1", false, &r)) return false;
    fender_mat3 transposed = fender_mat3_transpose(&r), product = fender_mat3_product(&r, &transposed);
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double off = fabs(product.m[i][j] - (i == j ? 1 : 0));
            if (!(off <= worst)) worst = off;
        }
    if (!(worst <= FND_ORTHONORMAL_TOLERANCE)) {
        fnd_complain(reader, &rows->location, FENDER_STATUS_VALUE, "'matrix' is not orthonormal",
                     fnd_phrase_make("off by %s", fnd_digits(worst, "").text).text,
                     "rows of length 1 at right angles, within 1e-6", "write more digits, or use euler angles");
        return false;
    }
    fender_vec3 x = {r.m[0][0], r.m[0][1], r.m[0][2]}, y = {r.m[1][0], r.m[1][1], r.m[1][2]};
    fender_vec3 z = {r.m[2][0], r.m[2][1], r.m[2][2]};
    if (fender_vec3_dot(fender_vec3_cross(x, y), z) < 0) {
        fnd_complain(reader, &rows->location, FENDER_STATUS_VALUE, "'matrix' is a reflection: its determinant is -1",
                     "determinant -1", "a rotation, determinant +1",
                     "change the sign of one row; which axis is reversed?");
        return false;
    }
    *q = quaternion_of_matrix(&r);
    return true;
}

bool fnd_read_orientation(fnd_reader *reader, fnd_node *node, const char *name, fender_quaternion *q)
{
    static const char *const keys[] = {"euler", "sequence", "axis", "angle", "quaternion", "matrix", "maps", NULL};
    static const char *const forms[] = {"euler", "axis", "quaternion", "matrix"};
    static const char *const directions[] = {"child_to_parent", "parent_to_child", NULL};
    if (!fnd_expect_map(reader, node, name) || !fnd_check_keys(reader, node, "an orientation", keys)) return false;
    fnd_node *given = NULL;
    int count = 0;
    for (int i = 0; i < 4; i++) {
        fnd_node *form = fnd_node_find(node, forms[i]);
        if (form) count++;
        if (form && !given) given = form;
    }
    if (count != 1) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make(count ? "'%s' is given in two forms" : "'%s' has no form", name).text,
                     count ? "several of euler, axis, quaternion, matrix" : "nothing",
                     "one of euler, axis, quaternion, matrix", "write {euler: [0, 0, 90, deg], sequence: xyz}");
        return false;
    }
    fender_quaternion read;
    bool good = strcmp(given->key, "euler") == 0    ? read_euler(reader, node, given, name, &read)
                : strcmp(given->key, "axis") == 0   ? read_axis(reader, node, given, &read)
                : strcmp(given->key, "matrix") == 0 ? read_matrix(reader, given, &read)
                                                    : read_quaternion(reader, given, &read);
    int direction = 0;
    fnd_node *maps = fnd_node_find(node, "maps");
    if (maps && !fnd_read_choice(reader, maps, "maps", directions, &direction)) return false;
    if (!good) return false;
    *q = direction == 1 ? fender_quaternion_conjugate(read) : read;
    return true;
}

/* ---- turns */

static fnd_sine_cosine rotation(int numerator, int denominator)
{
    return fnd_sine_cosine_degrees(360.0 * numerator / denominator);
}

fender_quaternion fnd_quaternion_of_rotation(fender_vec3 axis, int numerator, int denominator)
{
    return about_axis(axis, fnd_sine_cosine_degrees(180.0 * numerator / denominator));
}

fender_mat3 fnd_matrix_of_rotation(fender_vec3 axis, int numerator, int denominator)
{
    fnd_sine_cosine t = rotation(numerator, denominator);
    double a[3] = {axis.x, axis.y, axis.z}, rest = 1 - t.cosine;
    fender_mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = i == j ? t.cosine + rest * a[i] * a[i] : rest * a[i] * a[j];
    r.m[0][1] -= t.sine * a[2];
    r.m[1][0] += t.sine * a[2];
    r.m[0][2] += t.sine * a[1];
    r.m[2][0] -= t.sine * a[1];
    r.m[1][2] -= t.sine * a[0];
    r.m[2][1] += t.sine * a[0];
    return r;
}

fender_quaternion fnd_quaternion_to_axis(fender_vec3 axis)
{
    /* half way between z and the axis; from -z the direction is free, and x is taken */
    double w = 1 + axis.z;
    double across = sqrt(axis.x * axis.x + axis.y * axis.y);
    if (across == 0) return axis.z > 0 ? fender_quaternion_identity() : (fender_quaternion){0, 1, 0, 0};
    if (axis.z < 0) w = across * across / (1 - axis.z); /* the same without cancellation */
    fender_quaternion q = {w, -axis.y, axis.x, 0};
    return fender_quaternion_normalized(q);
}
