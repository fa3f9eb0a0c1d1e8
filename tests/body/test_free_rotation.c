/* Torque-free rotation against the Taylor series of the true motion in long double: phase, energy, momentum,
 * symmetries. */
/* items: B018 */
#include "body/body.h"
#include "check.h"
#include "random_numbers.h"
#include <string.h>

typedef long double wide;
enum { TERMS = 28 };

typedef struct body {
    fender_mat3 inverse;
    fender_vec3 inertia; /* principal moments, along `axes` */
    fender_quaternion axes;
} body;

static body body_of(fender_vec3 inertia, fender_quaternion axes)
{
    fender_mat3 R = fender_quaternion_matrix(axes), back = fender_mat3_transpose(&R);
    fender_mat3 D = fender_mat3_diagonal(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
    fender_mat3 half = fender_mat3_product(&R, &D);
    body b = {fender_mat3_product(&half, &back), inertia, axes};
    for (int i = 0; i < 3; i++) /* exactly symmetric */
        for (int j = 0; j < i; j++) b.inverse.m[i][j] = b.inverse.m[j][i];
    return b;
}

/* Moments that a body can have; `kind` 1: within 1e-9 ... 1e-3 of a sphere; 2: a rod, thin by 1e-6 ... 1e-2; 3: a top.
 */
static body random_body(random_stream *r, int kind)
{
    double x = random_between(r, 0.05, 1), y = random_between(r, 0.05, 1), z = random_between(r, 0.05, 1);
    if (kind == 1) {
        double near = random_magnitude(r, 1e-9, 1e-3);
        y = x * (1 + near * random_between(r, -1, 1));
        z = x * (1 + near * random_between(r, -1, 1));
    }
    if (kind == 2) x *= random_magnitude(r, 1e-6, 1e-2), y = z * random_between(r, 0.999, 1);
    if (kind == 3) y = x;
    return body_of(fender_vec3_make(y + z, x + z, x + y), random_rotation(r));
}

/* ---- quantities in long double: rounding of the measurement itself must not show ---- */

static void matrix_of(const wide q[4], wide R[3][3])
{
    wide w = q[0], x = q[1], y = q[2], z = q[3], n = w * w + x * x + y * y + z * z;
    wide m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                    {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                    {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[i][j] = m[i][j] / n;
}

static void body_momentum(const wide q[4], fender_vec3 L, wide M[3])
{
    wide R[3][3];
    matrix_of(q, R);
    for (int j = 0; j < 3; j++) M[j] = R[0][j] * L.x + R[1][j] * L.y + R[2][j] * L.z;
}

static wide energy_of(const body *b, fender_quaternion q, fender_vec3 L)
{
    wide p[4] = {q.w, q.x, q.y, q.z}, M[3], sum = 0;
    body_momentum(p, L, M);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum += M[i] * b->inverse.m[i][j] * M[j];
    return sum / 2;
}

/* ---- the true motion: M' = M x A M, p' = p (0, A M) / 2 by their Taylor series ---- */

static void series_step(const body *b, wide q[4], fender_vec3 L, wide h)
{
    wide M[TERMS + 1][3], w[TERMS + 1][3], p[TERMS + 1][4] = {{1, 0, 0, 0}};
    body_momentum(q, L, M[0]);
    for (int n = 0; n <= TERMS; n++) {
        for (int i = 0; i < 3; i++) {
            w[n][i] = 0;
            for (int j = 0; j < 3; j++) w[n][i] += b->inverse.m[i][j] * M[n][j];
        }
        if (n == TERMS) break;
        for (int i = 0; i < 4; i++) p[n + 1][i] = 0;
        for (int i = 0; i < 3; i++) M[n + 1][i] = 0;
        for (int k = 0; k <= n; k++) {
            const wide *u = p[k], *v = w[n - k], *m = M[k];
            p[n + 1][0] -= (u[1] * v[0] + u[2] * v[1] + u[3] * v[2]) / 2 / (n + 1);
            for (int i = 0; i < 3; i++) {
                int j = (i + 1) % 3, l = (i + 2) % 3;
                p[n + 1][i + 1] += (u[0] * v[i] + u[j + 1] * v[l] - u[l + 1] * v[j]) / 2 / (n + 1);
                M[n + 1][i] += (m[j] * v[l] - m[l] * v[j]) / (n + 1);
            }
        }
    }
    wide t[4] = {0, 0, 0, 0}, a[4] = {q[0], q[1], q[2], q[3]};
    for (int n = TERMS; n >= 0; n--)
        for (int i = 0; i < 4; i++) t[i] = t[i] * h + p[n][i];
    q[0] = a[0] * t[0] - a[1] * t[1] - a[2] * t[2] - a[3] * t[3];
    q[1] = a[0] * t[1] + a[1] * t[0] + a[2] * t[3] - a[3] * t[2];
    q[2] = a[0] * t[2] - a[1] * t[3] + a[2] * t[0] + a[3] * t[1];
    q[3] = a[0] * t[3] + a[1] * t[2] - a[2] * t[1] + a[3] * t[0];
}

/* Angle between q and the truth after `time`. */
static double attitude_error(const body *b, fender_quaternion start, fender_vec3 L, double time, fender_quaternion q)
{
    wide p[4] = {start.w, start.x, start.y, start.z};
    double fastest = 1 / larger(1 / larger(1 / b->inertia.x, 1 / b->inertia.y), b->inertia.z);
    fastest = larger(fastest, larger(1 / b->inertia.x, 1 / b->inertia.y)) * fender_vec3_length(L);
    int parts = (int)(4 * fabs(time) * fastest) + 1;
    for (int i = 0; i < parts; i++) series_step(b, p, L, (wide)time / parts);
    wide v[3] = {p[0] * q.x - p[1] * q.w - p[2] * q.z + p[3] * q.y, p[0] * q.y + p[1] * q.z - p[2] * q.w - p[3] * q.x,
                 p[0] * q.z - p[1] * q.y + p[2] * q.x - p[3] * q.w};
    return 2 * sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
}

static double norm_excess(fender_quaternion q)
{
    return fabs((double)((wide)q.w * q.w + (wide)q.x * q.x + (wide)q.y * q.y + (wide)q.z * q.z - 1));
}

static double largest_inverse(const body *b) /* spectral norm of the inverse inertia */
{
    return larger(1 / b->inertia.x, larger(1 / b->inertia.y, 1 / b->inertia.z));
}

/* ---- tests ---- */

/* One step of any length, 1e5 times: energy may change by what rounding q costs, a few units in the last place of
 * |A| |L|^2; attitude beside it by 1e-14 of the turn, what the corrections leave out in parts of a tenth of a radian.
 */
static void any_body_any_step(void **state)
{
    (void)state;
    const char *const kinds[] = {"any", "nearly spherical", "rods", "tops"};
    double energy[4] = {0}, phase[4] = {0}, length = 0;
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(311, n);
        int kind = (int)(n % 4);
        body b = random_body(&r, kind);
        fender_quaternion q = random_rotation(&r);
        double size = random_magnitude(&r, 1e-3, 1e3);
        fender_vec3 L = fender_vec3_scale(size, random_direction(&r));
        double turn = random_magnitude(&r, 1e-6, 2); /* by which the body may turn at most */
        double h = turn / (largest_inverse(&b) * size);
        if (n % 3 == 0) h = -h;
        fender_quaternion next = fnd_free_rotation(&b.inverse, false, q, L, h);
        double scale = largest_inverse(&b) * size * size;
        energy[kind] = larger(energy[kind], fabs((double)(energy_of(&b, next, L) - energy_of(&b, q, L))) / scale);
        length = larger(length, norm_excess(next));
        if (n >= 20000) continue;
        double gap = attitude_error(&b, q, L, h, next);
        phase[kind] = larger(phase[kind], gap / (4e-16 + 1e-14 * turn));
    }
    for (int k = 0; k < 4; k++) {
        printf("%s: energy of one step to %.1e of |A| |L|^2, attitude to %.2f of what is allowed\n", kinds[k],
               energy[k], phase[k]);
        check_below(energy[k], 4e-16);
        check_below(phase[k], 1);
    }
    printf("length of the quaternion: %.1e\n", length);
    check_below(length, 8e-16);
}

/* 1e5 steps: rounding walks at random (1e-16 sqrt(n)), it does not drift. Energy as above, attitude against one step
 * of the whole way, in which rounding has no time to walk; the way is short of where the motion itself tells errors
 * apart. */
static void many_steps(void **state)
{
    (void)state;
    double energy = 0, length = 0, phase = 0;
    for (uint64_t n = 0; n < 12; n++) {
        random_stream r = random_of_case(312, n);
        body b = random_body(&r, (int)(n % 4));
        fender_quaternion start = random_rotation(&r), q = start;
        fender_vec3 L = random_direction(&r);
        double h = 1e-4 / largest_inverse(&b);
        wide first = energy_of(&b, start, L);
        for (int i = 0; i < 100000; i++) {
            q = fnd_free_rotation(&b.inverse, false, q, L, h);
            if (i % 100) continue;
            energy = larger(energy, fabs((double)(energy_of(&b, q, L) - first)) / largest_inverse(&b));
            length = larger(length, norm_excess(q));
        }
        phase = larger(phase, attitude_error(&b, start, L, 100000 * h, q));
    }
    printf("1e5 steps: energy %.1e, length %.1e, attitude %.1e rad after 10 rad\n", energy, length, phase);
    check_below(energy, 2e-13);
    check_below(length, 8e-16);
    check_below(phase, 2e-12);
}

static double gap_of(fender_quaternion p, fender_quaternion q)
{
    fender_quaternion d = fender_quaternion_product(fender_quaternion_conjugate(p), q);
    return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

/* Backwards from where it came to; seen from turned axes; the same body in turned body axes; two halves of a step. */
static void symmetries(void **state)
{
    (void)state;
    double back = 0, frame = 0, axes = 0, halves = 0;
    for (uint64_t n = 0; n < 20000; n++) {
        random_stream r = random_of_case(313, n);
        body b = random_body(&r, n % 2 ? 0 : 3);
        fender_quaternion q = random_rotation(&r), turn = random_rotation(&r);
        fender_vec3 L = random_direction(&r);
        double h = random_magnitude(&r, 1e-4, 0.3) / largest_inverse(&b);
        fender_quaternion next = fnd_free_rotation(&b.inverse, false, q, L, h);
        back = larger(back, gap_of(fnd_free_rotation(&b.inverse, false, next, L, -h), q));
        fender_quaternion seen = fnd_free_rotation(&b.inverse, false, fender_quaternion_product(turn, q),
                                                   fender_quaternion_rotate(turn, L), h);
        frame = larger(frame, gap_of(seen, fender_quaternion_product(turn, next)));
        body turned = body_of(b.inertia, fender_quaternion_product(fender_quaternion_conjugate(turn), b.axes));
        fender_quaternion other = fnd_free_rotation(&turned.inverse, false, fender_quaternion_product(q, turn), L, h);
        axes = larger(axes, gap_of(other, fender_quaternion_product(next, turn)));
        fender_quaternion half = fnd_free_rotation(&b.inverse, false, q, L, 0.5 * h);
        halves = larger(halves, gap_of(fnd_free_rotation(&b.inverse, false, half, L, 0.5 * h), next));
    }
    printf("there and back %.1e, turned frame %.1e, turned body axes %.1e, two halves %.1e rad\n", back, frame, axes,
           halves);
    check_below(back, 2e-15);
    check_below(frame, 4e-15);
    check_below(axes, 4e-15);
    check_below(halves, 4e-15);
}

/* About a principal axis, and any spin of a sphere: an even turn, exact for steps of any length. */
static void even_turns(void **state)
{
    (void)state;
    body b = body_of(fender_vec3_make(1, 2, 2.5), fender_quaternion_identity());
    fender_mat3 ball = fender_mat3_diagonal(0.5, 0.5, 0.5);
    fender_quaternion q = fender_quaternion_normalized((fender_quaternion){0.4, 0.3, -0.6, 0.2});
    const double moments[] = {1, 2, 2.5};
    for (int axis = 0; axis < 4; axis++) {
        double most = axis == 1 ? 2 : 300; /* the middle axis lets rounding grow */
        for (double angle = 1e-9; angle < most; angle *= 3.7) {
            fender_vec3 u = {axis == 0, axis == 1, axis == 2};
            if (axis == 3) u = fender_vec3_make(2.0 / 3, -2.0 / 3, 1.0 / 3);
            double moment = axis == 3 ? 2 : moments[axis], size = 7, h = angle * moment / size, s = sin(angle / 2);
            fender_vec3 L = fender_quaternion_rotate(q, fender_vec3_scale(size, u));
            fender_quaternion turn = {cos(angle / 2), s * u.x, s * u.y, s * u.z};
            fender_quaternion next = fnd_free_rotation(axis == 3 ? &ball : &b.inverse, axis == 3, q, L, h);
            check_below(gap_of(next, fender_quaternion_product(q, turn)), 5e-16 * (2 + angle));
            check_below(norm_excess(next), 8e-16);
        }
    }
}

/* Nothing turns, nothing is finite, or the step is beyond reason: an attitude comes back all the same. */
static void extremes(void **state)
{
    (void)state;
    body b = body_of(fender_vec3_make(1, 2, 2.5), fender_quaternion_identity());
    fender_quaternion q = fender_quaternion_normalized((fender_quaternion){0.4, 0.3, -0.6, 0.2}), next;
    const fender_vec3 unmoved[] = {{0, 0, 0}, {NAN, 0, 0}, {0, INFINITY, 0}, {1e200, 1e200, 0}, {1e-200, 0, 0}};
    for (int i = 0; i < 5; i++) {
        next = fnd_free_rotation(&b.inverse, i % 2, q, unmoved[i], 0.1);
        assert_memory_equal(&next, &q, sizeof q);
    }
    next = fnd_free_rotation(&b.inverse, false, q, fender_vec3_make(1, 2, 3), NAN);
    assert_memory_equal(&next, &q, sizeof q);
    next = fnd_free_rotation(&b.inverse, false, q, fender_vec3_make(1, 2, 3), 0);
    check_below(gap_of(next, q), 2e-16);
    for (double h = 1; h < 1e6; h *= 10)
        check_below(norm_excess(fnd_free_rotation(&b.inverse, false, q, fender_vec3_make(1, 2, 3), h)), 8e-16);
}

/* The same bits from every compiler: a hash over 10,000 steps of all kinds of bodies. */
static void same_bits(void **state)
{
    (void)state;
    uint64_t hash = 14695981039346656037u;
    for (uint64_t n = 0; n < 10000; n++) {
        random_stream r = random_of_case(314, n);
        body b = random_body(&r, (int)(n % 4));
        fender_quaternion q = random_rotation(&r); /* drawn one by one: arguments have no order */
        fender_vec3 L = random_direction(&r);
        double h = random_magnitude(&r, 1e-4, 3);
        q = fnd_free_rotation(&b.inverse, n % 5 == 0, q, L, h);
        uint64_t bits[4];
        memcpy(bits, &q, sizeof bits);
        for (int i = 0; i < 4; i++) hash = (hash ^ bits[i]) * 1099511628211u;
    }
    printf("hash %016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x4becf438c1e5127eu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_body_any_step), cmocka_unit_test(many_steps), cmocka_unit_test(symmetries),
        cmocka_unit_test(even_turns),        cmocka_unit_test(extremes),   cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests_name("free rotation", tests, NULL, NULL);
}
