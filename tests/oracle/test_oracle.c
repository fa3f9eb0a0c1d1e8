/* The oracles of distance against each other and against closed forms: an oracle that is wrong proves nothing. */
#include "check.h"
#include "oracle.h"
#include "random_numbers.h"

#include <time.h>

enum { KINDS = ORACLE_HALF_SPACE, CASES = 300 };

static oracle_shape random_shape(random_stream *r, oracle_kind kind, fender_vec3 *points)
{
    oracle_shape s = {.kind = kind, .radius = random_magnitude(r, 0.02, 1)};
    s.half_length = random_magnitude(r, 0.02, 1);
    s.half.x = random_magnitude(r, 0.02, 1);
    s.half.y = random_magnitude(r, 0.02, 1);
    s.half.z = random_magnitude(r, 0.02, 1);
    s.points = points, s.count = 4 + random_below(r, 12);
    for (int i = 0; i < s.count; i++) points[i] = random_in_ball(r, 1);
    s.size = 2;
    return s;
}

static fender_pose random_pose(random_stream *r, double spread)
{
    fender_quaternion q = random_rotation(r);
    return (fender_pose){random_in_ball(r, spread), q};
}

/* How far a point lies outside a core: closed form against the minimiser; both bounds of the minimiser. */
static void distances(void **state)
{
    (void)state;
    static const oracle_shape point = {.kind = ORACLE_POINT};
    for (int kind = 1; kind < KINDS; kind++) {
        double worst_point = 0, worst_gap = 0, most = 0;
        int apart = 0;
        for (int i = 0; i < CASES; i++) {
            random_stream r = random_of_case(7500 + (uint64_t)kind, (uint64_t)i);
            fender_vec3 points[16], others[16];
            oracle_shape a = random_shape(&r, (oracle_kind)kind, points);
            oracle_shape b = random_shape(&r, (oracle_kind)(1 + random_below(&r, KINDS - 1)), others);
            fender_pose A = random_pose(&r, 1), B = random_pose(&r, 3);
            oracle_pair pair;
            oracle_pair_place(&pair, &a, &A, &point, &B);
            oracle_distance_result d = oracle_distance(&pair);
            if (d.distance > 0.1 && kind != ORACLE_ELLIPSOID) {
                real direct = oracle_outside(&a, oracle_inward(&pair.Ra, pair.offset));
                worst_point = larger(worst_point, (double)fabsl(direct - d.distance));
            }
            oracle_pair_place(&pair, &a, &A, &b, &B);
            d = oracle_distance(&pair);
            if (!(d.distance > 0)) continue;
            apart++;
            worst_gap = larger(worst_gap, (double)(d.distance - d.bound));
            most = larger(most, d.steps);
            check_near((double)(oracle_width(&pair, d.normal) - d.bound), 0, 1e-17);
        }
        print_message("kind %d: point to core to %.1e; gap of bounds at most %.1e over %d pairs, %g steps\n", kind,
                      worst_point, worst_gap, apart, most);
        check_below(worst_point, 1e-12);
        check_below(worst_gap, 1e-12);
    }
}

/* The least overlap of two polytopes, over all planes that hold three of the points of their difference. */
static double exhaustive(const oracle_pair *pair)
{
    fender_vec3 all[256];
    int count = 0;
    for (int i = 0; i < pair->a->count; i++)
        for (int j = 0; j < pair->b->count; j++) {
            real3 p = oracle_outward(&pair->Ra, real3_of(pair->a->points[i]));
            real3 q = oracle_outward(&pair->Rb, real3_of(pair->b->points[j]));
            p = real3_add(real3_add(p, -1, q), -1, pair->offset);
            all[count++] = fender_vec3_make((double)p.x, (double)p.y, (double)p.z);
        }
    double best = INFINITY;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++) {
                fender_vec3 n = fender_vec3_cross(fender_vec3_sub(all[j], all[i]), fender_vec3_sub(all[k], all[i]));
                double length = fender_vec3_length(n);
                if (length < 1e-9) continue;
                n = fender_vec3_scale(1 / length, n);
                double level = fender_vec3_dot(n, all[i]), side = 0;
                bool face = true;
                for (int m = 0; m < count && face; m++) {
                    double d = fender_vec3_dot(n, all[m]) - level;
                    if (fabs(d) < 1e-12) continue;
                    if (side == 0) side = d;
                    face = side * d > 0;
                }
                if (!face) continue;
                level = side < 0 ? level : -level;
                if (level < best) best = level;
            }
    return best;
}

static void depths_of_polytopes(void **state)
{
    (void)state;
    int overlapping = 0, refuted = 0;
    long looks = 0;
    for (int i = 0; i < 200; i++) {
        random_stream r = random_of_case(7600, (uint64_t)i);
        fender_vec3 points[16], others[16];
        oracle_shape a = random_shape(&r, ORACLE_POINTS, points), b = random_shape(&r, ORACLE_POINTS, others);
        a.count = 4 + i % 2, b.count = 4 + i % 3;
        fender_pose A = random_pose(&r, 0.2), B = random_pose(&r, 0.2);
        oracle_pair pair;
        oracle_pair_place(&pair, &a, &A, &b, &B);
        double depth = exhaustive(&pair);
        if (depth < 1e-6) continue;
        overlapping++;
        oracle_depth_result d = oracle_deepest(&pair, depth, 1e-10, 100000);
        looks += d.looks;
        check_below(depth - d.found, 1e-10);
        check_below(d.proven, 1e-10);
        d = oracle_deepest(&pair, depth + 3e-10, 1e-10, 100000);
        refuted += d.found < depth + 2e-10;
    }
    print_message("%d overlaps of polytopes as by all planes, %d refuted when claimed 3e-10 too deep; %ld looks each\n",
                  overlapping, refuted, looks / (overlapping + 1));
    assert_true(overlapping > 50);
    assert_int_equal(refuted, overlapping);
}

/* A small ball in an ellipsoid, a box in a box, coaxial cylinders: closed forms. */
static void depths_in_closed_form(void **state)
{
    (void)state;
    const fender_pose origin = fender_pose_identity();
    oracle_shape large = {.kind = ORACLE_BOX, .half = {1, 2, 3}},
                 small = {.kind = ORACLE_BOX, .half = {0.5, 0.25, 0.1}};
    fender_pose X = {{0.1, -0.7, 0.3}, {1, 0, 0, 0}};
    oracle_pair pair;
    oracle_pair_place(&pair, &large, &origin, &small, &X);
    oracle_depth_result d = oracle_deepest(&pair, INFINITY, 1e-10, 100000);
    check_near(d.found, 1.4, 1e-9);
    large = (oracle_shape){.kind = ORACLE_ELLIPSOID, .half = {1, 2, 3}};
    small = (oracle_shape){.kind = ORACLE_POINT};
    X.p = fender_vec3_make(0, 0, 0);
    oracle_pair_place(&pair, &large, &origin, &small, &X);
    d = oracle_deepest(&pair, INFINITY, 1e-10, 100000);
    check_near(d.found, 1, 1e-9);
    large = (oracle_shape){.kind = ORACLE_CYLINDER, .radius = 1, .half_length = 5};
    small = (oracle_shape){.kind = ORACLE_CYLINDER, .radius = 0.5, .half_length = 4};
    oracle_pair_place(&pair, &large, &origin, &small, &X);
    d = oracle_deepest(&pair, INFINITY, 1e-9, 6000); /* a whole circle of ways out */
    print_message("coaxial cylinders: found %.12g, proven to %.1e by %d looks\n", d.found, d.proven, d.looks);
    check_near(d.found, 1.5, 1e-6);
}

/* Smooth and sharp solids: a claim by dense sampling is never refuted by more than the sampling's error, and the proof
 * ends within its budget. */
static void depths_of_all_kinds(void **state)
{
    (void)state;
    long looks = 0, most = 0;
    int overlapping = 0;
    double loosest = 0, coarse = 0;
    clock_t start = clock();
    for (int i = 0; i < 300; i++) {
        random_stream r = random_of_case(7700, (uint64_t)i);
        fender_vec3 points[16], others[16];
        oracle_shape a = random_shape(&r, (oracle_kind)random_below(&r, KINDS), points);
        oracle_shape b = random_shape(&r, (oracle_kind)random_below(&r, KINDS), others);
        fender_pose A = random_pose(&r, 0.2), B = random_pose(&r, 0.2);
        oracle_pair pair;
        oracle_pair_place(&pair, &a, &A, &b, &B);
        oracle_depth_result d = oracle_deepest(&pair, INFINITY, 1e-9, 6000);
        if (d.found < 1e-3) continue;
        overlapping++;
        looks += d.looks;
        most = d.looks > most ? d.looks : most;
        loosest = larger(loosest, d.proven);
        for (int k = 0; k < 200; k++)
            coarse = larger(coarse, d.found + (double)oracle_width(&pair, real3_unit(real3_of(random_direction(&r)))));
    }
    print_message(
        "%d overlaps of all kinds: %ld looks each, at most %ld; proven to %.1e; sampling found %.1e less; %.0f us\n",
        overlapping, looks / overlapping, most, loosest, coarse,
        1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / overlapping);
    check_below(coarse, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(depths_of_polytopes),
        cmocka_unit_test(depths_in_closed_form),
        cmocka_unit_test(depths_of_all_kinds),
    };
    return cmocka_run_group_tests_name("oracles", tests, NULL, NULL);
}
