/* Closed meshes that are not convex: gears, and a ring on a peg. The energy of undamped gears on fixed axes stays; its
 * bound is what a step of velocity Verlet of a sixth of a radian of the contact's oscillation costs. */
#include "check.h"
#include <fender/geometry.h>
#include <string.h>

static fender_env env;
static const double pi = 3.14159265358979323846;

enum { TEETH = 20, RIM = 4 * TEETH };

/* A prism over a polygon that is star-shaped about the origin. */
static fender_geometry *prism(const fender_vec2 *rim, int count, double half)
{
    static fender_vec3 v[2 * RIM + 2];
    static int32_t t[4 * RIM][3];
    int n = 0;
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        v[2 * i] = fender_vec3_make(rim[i].x, rim[i].y, -half);
        v[2 * i + 1] = fender_vec3_make(rim[i].x, rim[i].y, half);
        const int32_t around[4][3] = {{2 * i, 2 * next, 2 * next + 1},
                                      {2 * i, 2 * next + 1, 2 * i + 1},
                                      {2 * count, 2 * next, 2 * i},
                                      {2 * count + 1, 2 * i + 1, 2 * next + 1}};
        for (int k = 0; k < 4; k++, n++)
            for (int c = 0; c < 3; c++) t[n][c] = around[k][c];
    }
    v[2 * count] = fender_vec3_make(0, 0, -half);
    v[2 * count + 1] = fender_vec3_make(0, 0, half);
    fender_mesh_def def = {v, 2 * count + 2, &t[0][0], n};
    return fender_geometry_mesh(&env, &def, NULL);
}

static fender_geometry *gear(void)
{
    static const double radii[4] = {0.92, 1.06, 1.06, 0.92}, degrees[4] = {-5.6, -3, 3, 5.6};
    fender_vec2 rim[RIM];
    for (int i = 0; i < RIM; i++) {
        double angle = (18.0 * (i / 4) + degrees[i % 4]) * pi / 180;
        rim[i] = (fender_vec2){radii[i % 4] * cos(angle), radii[i % 4] * sin(angle)};
    }
    return prism(rim, RIM, 0.1);
}

typedef struct push {
    double energy;
    fender_vec3 force;     /* on b */
    double turn_a, turn_b; /* about the axes z of both */
    int count;
} push;

static push push_of(const fender_geometry *a, const fender_pose *X_WA, const fender_geometry *b,
                    const fender_pose *X_WB)
{
    static fender_separation list[4096];
    push p = {0};
    assert_int_equal(fender_geometry_contacts(a, X_WA, b, X_WB, FENDER_CONTACT_POINTS_PATCH, 0, list, 4096, &p.count),
                     FENDER_STATUS_OK);
    assert_true(p.count <= 4096);
    for (int i = 0; i < p.count; i++) {
        const fender_separation *s = &list[i];
        fender_vec3 f = fender_vec3_scale(-s->weight * s->distance, s->normal);
        fender_vec3 at = fender_vec3_scale(0.5, fender_vec3_add(s->point_a, s->point_b)); /* from a's origin */
        fender_vec3 arm = fender_vec3_sub(at, fender_vec3_sub(X_WB->p, X_WA->p));
        p.energy += 0.5 * s->weight * s->distance * s->distance;
        p.force = fender_vec3_add(p.force, f);
        p.turn_a -= at.x * f.y - at.y * f.x;
        p.turn_b += arm.x * f.y - arm.y * f.x;
    }
    return p;
}

static fender_pose turned(double x, double y, double z, double angle)
{
    return (fender_pose){{x, y, z}, {cos(0.5 * angle), 0, 0, sin(0.5 * angle)}};
}

/* A channel with a slot along z, 0.1 m wide, between walls of 0.05 m; and a block, as meshes. */
static fender_geometry *extruded(const fender_vec2 *rim, int count, const int32_t (*cap)[3], int caps, double half)
{
    fender_vec3 v[16];
    int32_t t[32][3];
    int n = 0;
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        v[i] = fender_vec3_make(rim[i].x, rim[i].y, -half);
        v[count + i] = fender_vec3_make(rim[i].x, rim[i].y, half);
        const int32_t sides[2][3] = {{i, next, count + next}, {i, count + next, count + i}};
        memcpy(t[n], sides, sizeof sides);
        n += 2;
    }
    for (int i = 0; i < caps; i++) {
        const int32_t *c = cap[i];
        const int32_t both[2][3] = {{c[0], c[2], c[1]}, {count + c[0], count + c[1], count + c[2]}};
        memcpy(t[n], both, sizeof both);
        n += 2;
    }
    fender_mesh_def def = {v, 2 * count, &t[0][0], n};
    return fender_geometry_mesh(&env, &def, NULL);
}

/* A block 2 mm too wide for its slot meets both walls, and nothing of the walls' outer sides, whose facets see it
 * through their own solid. By hand: each wall pushes with k, for the block's side is its largest face, times the depth.
 */
static void a_block_in_a_slot_meets_its_walls_alone(void **state)
{
    (void)state;
    const fender_vec2 channel[8] = {{-0.1, -0.3},  {0.1, -0.3},    {0.1, 0.3},   {0.05, 0.3},
                                    {0.05, -0.25}, {-0.05, -0.25}, {-0.05, 0.3}, {-0.1, 0.3}};
    static const int32_t channel_cap[6][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 7}, {5, 6, 7}};
    const fender_vec2 block[4] = {{-0.051, -0.1}, {0.051, -0.1}, {0.051, 0.1}, {-0.051, 0.1}};
    static const int32_t block_cap[2][3] = {{0, 1, 2}, {0, 2, 3}};
    fender_geometry *a = extruded(channel, 8, channel_cap, 6, 1), *b = extruded(block, 4, block_cap, 2, 0.6);
    assert_non_null(a);
    assert_non_null(b);
    const double side = 1; /* the largest face of both */
    for (int i = -4; i <= 4; i++) {
        double x = 2e-4 * i, left = 1e-3 - x, right = 1e-3 + x;
        fender_pose at_a = turned(0, 0, 0, 0), at_b = turned(x, 0, 0, 0);
        push p = push_of(a, &at_a, b, &at_b);
        check_near(p.force.x, side * (left - right), 1e-9 * side * 1e-3);
        check_near(p.force.y, 0, 1e-9 * side * 1e-3);
        check_near(p.energy, 0.5 * side * (left * left + right * right), 1e-9 * side * 1e-6);
    }
    fender_geometry_release(a);
    fender_geometry_release(b);
}

static void gears_turn_each_other(void **state)
{
    (void)state;
    const double k = 1e5, step = 5e-4;
    fender_geometry *one = gear(), *other = gear();
    assert_non_null(one);
    assert_non_null(other);
    double angle[2] = {0, pi / TEETH}, rate[2] = {2 * pi, -1.8 * pi}, start = 0, worst = 0, play = 0, turns = 0;
    fender_pose a = turned(0, 0, 0, angle[0]), b = turned(2, 0, 0, angle[1]);
    push p = push_of(one, &a, other, &b);
    start = 0.5 * (rate[0] * rate[0] + rate[1] * rate[1]) + k * p.energy;
    int hits = 0;
    for (int i = 0; turns < 10; i++) {
        assert_true(i < 40000);
        rate[0] += 0.5 * step * k * p.turn_a;
        rate[1] += 0.5 * step * k * p.turn_b;
        for (int g = 0; g < 2; g++) angle[g] += step * rate[g];
        a = turned(0, 0, 0, angle[0]);
        b = turned(2, 0, 0, angle[1]);
        bool apart = p.energy == 0;
        p = push_of(one, &a, other, &b);
        hits += apart && p.energy > 0;
        rate[0] += 0.5 * step * k * p.turn_a;
        rate[1] += 0.5 * step * k * p.turn_b;
        double energy = 0.5 * (rate[0] * rate[0] + rate[1] * rate[1]) + k * p.energy;
        worst = larger(worst, fabs(energy / start - 1));
        play = larger(play, fabs(angle[0] + angle[1] - pi / TEETH));
        turns = fabs(angle[0]) / (2 * pi);
    }
    print_message("gears: ten turns, %d hits, energy within %.1e, teeth apart by up to %.2f degrees of 18\n", hits,
                  worst, play * 180 / pi);
    assert_true(hits > 10);
    check_below(worst, 2e-3);
    check_below(play * 180 / pi, 4); /* the play of the teeth on either side and their depth; 18 had they passed */
    fender_geometry_release(one);
    fender_geometry_release(other);
}

/* A square ring around a square peg: a tube of eight vertices below and eight above. */
static fender_geometry *ring(double inner, double outer, double half)
{
    static const double sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    fender_vec3 v[16];
    int32_t t[32][3];
    int n = 0;
    for (int i = 0; i < 16; i++) {
        double r = i < 8 ? inner : outer;
        v[i] = fender_vec3_make(r * sides[i % 4][0], r * sides[i % 4][1], i / 4 % 2 ? half : -half);
    }
    for (int i = 0; i < 4; i++) {
        int j = (i + 1) % 4;
        const int32_t quads[4][4] = {{8 + i, 8 + j, 12 + j, 12 + i}, /* outside */
                                     {j, i, 4 + i, 4 + j},           /* inside */
                                     {12 + i, 12 + j, 4 + j, 4 + i}, /* top */
                                     {i, j, 8 + j, 8 + i}};          /* bottom */
        for (int q = 0; q < 4; q++)
            for (int k = 0; k < 2; k++, n++) {
                t[n][0] = quads[q][0];
                t[n][1] = quads[q][1 + k];
                t[n][2] = quads[q][2 + k];
            }
    }
    fender_mesh_def def = {v, 16, &t[0][0], n};
    return fender_geometry_mesh(&env, &def, NULL);
}

static void a_ring_stays_on_its_peg(void **state)
{
    (void)state;
    fender_geometry *nut = ring(0.105, 0.2, 0.05),
                    *box = fender_geometry_box(&env, fender_vec3_make(0.1, 0.1, 0.5), NULL);
    int count;
    const fender_vec3 *v = fender_geometry_vertices(box, &count);
    int32_t t[36];
    fender_mesh_def def = {v, count, t, fender_geometry_triangles(box, t, 36) / 3};
    fender_geometry *peg = fender_geometry_mesh(&env, &def, NULL);
    assert_non_null(nut);
    assert_non_null(peg);
    const fender_pose still = turned(0, 0, 0, 0);
    fender_pose at = turned(0, 0, 0.1, 0);
    assert_true(push_of(peg, &still, nut, &at).energy == 0); /* in the middle */
    double first = 0;
    for (int side = 0; side < 4; side++) {
        double x = side % 2 ? 0 : 1 - side, y = side % 2 ? 2 - side : 0;
        at = turned(0.007 * x, 0.007 * y, 0.1, 0);
        push p = push_of(peg, &still, nut, &at);
        double back = -(p.force.x * x + p.force.y * y);
        print_message("ring pushed %+.0f %+.0f: back with %.6e, aside %.1e\n", x, y, back,
                      fabs(p.force.x * y) + fabs(p.force.y * x) + fabs(p.force.z));
        assert_true(back > 0);
        if (side == 0) first = back;
        check_near(back, first, 1e-9 * first);
        check_below(fabs(p.force.x * y) + fabs(p.force.y * x) + fabs(p.force.z), 1e-9 * first);
    }
    at = turned(0, 0, 0.1, 0.1); /* turned until its corners touch */
    push p = push_of(peg, &still, nut, &at);
    assert_true(p.energy > 0 && p.turn_b < 0);
    fender_geometry_release(nut);
    fender_geometry_release(peg);
    fender_geometry_release(box);
}

/* A grid upside down on a plane: each vertex has its share of the area. */
static void shares_of_a_grid_add_up(void **state)
{
    (void)state;
    const double heights[12] = {0};
    fender_grid_def def = {4, 3, {-1, -1}, {0.6, 0.9}, heights};
    fender_geometry *grid = fender_geometry_grid(&env, &def, NULL), *plane = fender_geometry_plane(&env, NULL);
    const fender_pose level = turned(0, 0, 0, 0);
    fender_pose over = {{0, 0, -1e-3}, {0, 1, 0, 0}};
    fender_separation list[16];
    int count;
    assert_int_equal(
        fender_geometry_contacts(plane, &level, grid, &over, FENDER_CONTACT_POINTS_PATCH, 0, list, 16, &count),
        FENDER_STATUS_OK);
    assert_int_equal(count, 12);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += list[i].weight;
    check_near(sum, 1, 1e-14);
    fender_geometry_release(grid);
    fender_geometry_release(plane);
}

static int set_up(void **state)
{
    (void)state;
    env = fender_env_default();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_in_a_slot_meets_its_walls_alone), cmocka_unit_test(gears_turn_each_other),
        cmocka_unit_test(a_ring_stays_on_its_peg), cmocka_unit_test(shares_of_a_grid_add_up)};
    return cmocka_run_group_tests_name("closed meshes", tests, set_up, NULL);
}
