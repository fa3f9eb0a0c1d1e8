/* Flat round pads on ground full of rocks with steep sides: no contact is said to be as deep as the pad is wide. What
 * bounds it is the ground's height above the lowest point of the pad, below the pad. */
#include "check.h"
#include "random_numbers.h"

enum { N = 81, ROCKS = 60, POSES = repeats(400) };
static const double spacing = 0.05, radius = 0.25, half_height = 0.03;

static double heights[N * N];

static double place(int i) { return (i - (N - 1) / 2) * spacing; }

static void scatter_rocks(random_stream *r)
{
    for (int i = 0; i < N * N; i++) heights[i] = 0;
    for (int n = 0; n < ROCKS; n++) {
        const double size = random_magnitude(r, 0.08, 0.4), x = random_between(r, -2, 2), y = random_between(r, -2, 2);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const double r2 = (pow(place(i) - x, 2) + pow(place(j) - y, 2)) / (size * size);
                if (r2 < 1) heights[j * N + i] = larger(heights[j * N + i], size * sqrt(1 - r2));
            }
    }
}

/* Of the corners of the cells that the pad may touch. */
static double highest_below(double x, double y)
{
    double high = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (hypot(place(i) - x, place(j) - y) < radius + 1.5 * spacing) high = larger(high, heights[j * N + i]);
    return high;
}

static void no_deeper_than_the_ground_is_high(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_geometry *pad = fender_geometry_cylinder(&env, radius, half_height, NULL);
    double worst = 0;
    int touching = 0;
    for (int n = 0; n < POSES; n++) {
        random_stream r = random_of_case(5150, (uint64_t)n / 20);
        scatter_rocks(&r);
        r = random_of_case(5151, (uint64_t)n);
        const fender_grid_def def = {N, N, {place(0), place(0)}, {spacing, spacing}, heights};
        fender_geometry *ground = fender_geometry_grid(&env, &def, NULL);
        const double x = random_between(&r, -1.5, 1.5), y = random_between(&r, -1.5, 1.5);
        const double high = highest_below(x, y), sink = random_magnitude(&r, 1e-3, 0.1);
        const fender_vec3 turn = fender_vec3_scale(random_between(&r, 0, 0.1), random_direction(&r));
        fender_pose at_ground = fender_pose_identity(), at_pad = fender_pose_identity();
        at_pad.q = (fender_quaternion){sqrt(1 - 0.25 * fender_vec3_dot(turn, turn)), 0.5 * turn.x, 0.5 * turn.y,
                                       0.5 * turn.z};
        at_pad.p = fender_vec3_make(x, y, high - sink + half_height);
        fender_separation found[64];
        int count;
        assert_int_equal(fender_geometry_contacts(ground, &at_ground, pad, &at_pad, FENDER_CONTACT_POINTS_PATCH, 0,
                                                  found, 64, &count),
                         FENDER_STATUS_OK);
        const double bound = 3 *
                             (sink +
                              0.1 * radius); /* leaning lowers the rim; on slopes of 72 degrees it is 3 times as deep */
        for (int i = 0; i < count && i < 64; i++) {
            if (found[i].weight > 1e-6) worst = larger(worst, -found[i].distance / bound);
            touching += i == 0;
        }
        fender_geometry_release(ground);
    }
    print_message("%d of %d pads touch; deepest contact %.2f of the bound\n", touching, POSES, worst);
    assert_true(touching > POSES / 3);
    check_below(worst, 1);
    fender_geometry_release(pad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_deeper_than_the_ground_is_high)};
    return cmocka_run_group_tests_name("depth on steep ground", tests, NULL, NULL);
}
