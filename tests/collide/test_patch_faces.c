/* Patches of two solids: what they share with a plane, force and torque as the gradient of the energy while no border
 * cuts, nothing that jumps, mirrors to the bit. */
/* items: S076 */
#include "collide/plane.h"
#include "patch_test.h"

#include <string.h>

static fender_env env;

static int set_up(void **state)
{
    (void)state;
    env = fender_env_default();
    return 0;
}

enum { CAPACITY = 2048 };
static int contacts_of(const fnd_posed *a, const fnd_posed *b, fnd_query_kind kind, fender_separation *items)
{
    fnd_manifold found = {.items = items, .capacity = CAPACITY};
    fnd_query query = {kind, kind == FND_QUERY_DISTANCE ? INFINITY : 0, NULL, NULL, 0};
    fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    assert_non_null(entry.function);
    fnd_pair_evaluate(&entry, a, b, &query, &found);
    assert_false(found.failed);
    return found.count;
}

static patch_sum sum_of(const fnd_posed *a, const fnd_posed *b)
{
    fender_separation items[CAPACITY];
    fnd_manifold found = {.items = items, .capacity = CAPACITY};
    found.count = contacts_of(a, b, FND_QUERY_PATCH, items);
    return patch_sum_of(&found, fender_vec3_sub(b->p_WG, a->p_WG));
}

static fnd_posed place(fender_geometry *g, fender_vec3 p, fender_vec3 turn)
{
    assert_non_null(g);
    double angle = fender_vec3_length(turn), half = 0.5 * angle, s = angle > 0 ? sin(half) / angle : 0;
    fender_quaternion q = {cos(half), s * turn.x, s * turn.y, s * turn.z};
    return (fnd_posed){g, p, fender_quaternion_matrix(q)};
}

static void release(const fnd_posed *a, const fnd_posed *b)
{
    fender_geometry_release((fender_geometry *)a->geometry);
    fender_geometry_release((fender_geometry *)b->geometry);
}

static fender_geometry *box(double x, double y, double z)
{
    return fender_geometry_box(&env, fender_vec3_make(x, y, z), NULL);
}

/* Worst difference of force and torque on b from minus the gradient, as a part of the force; b of size 1 m. */
static double gradient_error(const fnd_posed *a, const fnd_posed *b, double h)
{
    static const double factor[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
    patch_sum s = sum_of(a, b);
    const double found[6] = {s.force.x, s.force.y, s.force.z, s.torque.x, s.torque.y, s.torque.z};
    double worst = 0;
    for (int axis = 0; axis < 6; axis++) {
        double slope = 0;
        for (int i = 0; i < 4; i++) {
            fnd_posed m = moved(b, axis, at[i] * h);
            slope += factor[i] * sum_of(a, &m).energy / h;
        }
        worst = larger(worst, fabs(found[axis] + slope));
    }
    return worst / fender_vec3_length(s.force);
}

/* On a table so large that its border is far away everything is as on a plane: exactly conservative. */
static void what_lies_on_a_table_has_a_potential(void **state)
{
    (void)state;
    double worst = 0, least = 1, most = 0;
    int runs = 0;
    for (uint64_t n = 0; n < 280; n++) {
        random_stream r = random_of_case(80, n);
        fender_geometry *g = NULL;
        double x = random_between(&r, 0.2, 1), y = random_between(&r, 0.2, 1), z = random_between(&r, 0.2, 1);
        double lowest = z, lean = 0;
        if (n % 7 == 0) g = box(x, y, z);
        if (n % 7 == 1) g = fender_geometry_cylinder(&env, x, z, NULL);
        if (n % 7 == 2) g = fender_geometry_cone(&env, x, z, NULL);
        if (n % 7 == 3) g = fender_geometry_disk(&env, x, NULL), lowest = 0;
        if (n % 7 == 4)
            g = fender_geometry_capsule(&env, 0.5 * x, z, NULL), lowest = 0.5 * x, lean = 1.5707963267948966;
        if (n % 7 == 5) g = fender_geometry_cylinder(&env, x, z, NULL), lowest = x, lean = 1.5707963267948966;
        if (n % 7 == 6) {
            fender_vec3 points[8] = {{x, 0, -z}, {-x, y, -z}, {-x, -y, -z}, {0, 0, z}};
            g = fender_geometry_hull(&env, points, 4, NULL);
        }
        fender_vec3 turn = {lean + random_between(&r, -0.01, 0.01), random_between(&r, -0.01, 0.01), 0};
        double depth = random_magnitude(&r, 2e-3, 0.02);
        fnd_posed table = place(box(20, 20, 5), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0));
        fnd_posed b = place(g, fender_vec3_make(0.3, -0.2, 5 + lowest - depth), turn);
        bool swapped = n % 2 == 1; /* the table as b */
        double error = INFINITY, h = 1e-5;
        for (int k = 0; k < 4 && error > 1e-9; k++, h /= 3) {
            double found = gradient_error(&table, &b, h);
            error = found < error ? found : error;
        }
        patch_sum s = swapped ? sum_of(&b, &table) : sum_of(&table, &b);
        assert_true(s.count > 0);
        least = s.weight < least ? s.weight : least;
        most = larger(most, s.weight);
        if (error > 1e-6) print_message("case %d: %g, %d contacts, weight %g\n", (int)n, error, s.count, s.weight);
        worst = larger(worst, error);
        runs++;
        release(&table, &b);
    }
    print_message("%d bodies on a table: gradient within %.1e of the force; weights from %.3f to %.3f\n", runs, worst,
                  least, most);
    check_below(worst, 1e-6);
    check_below(most, 1.1);
}

/* The other way round: the smaller solid's face below, a body that hangs over on all sides. */
static void the_smaller_face_is_the_area(void **state)
{
    (void)state;
    fnd_posed post = place(box(0.2, 0.1, 0.05), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0));
    fnd_posed plate = place(box(2, 2, 0.1), fender_vec3_make(0.1, 0, 0.149), fender_vec3_make(0, 0, 0.3));
    patch_sum s = sum_of(&post, &plate);
    check_near(s.weight, 1, 1e-12);
    check_near(s.force.z, 1e-3, 1e-15);
    check_near(s.torque.y, 0.1 * 1e-3, 1e-15); /* 0.1 m beside the plate's centre */
    check_near(s.torque.x, 0, 1e-15);
    /* half over its edge: half the stiffness */
    plate.p_WG.x = 2;
    plate.R_WG = fender_mat3_identity();
    s = sum_of(&post, &plate);
    check_near(s.weight, 0.5, 0.005); /* less a strip of the depth, which is in the cell of the side */
    release(&post, &plate);
}

/* Two wedges that cross: the overlap has no size but its depth d, so that the energy goes with d^4. */
static void crossing_edges_push_with_the_third_power(void **state)
{
    (void)state;
    const double quarter = 0.78539816339744831, cross = 1.1;
    fnd_posed about = place(box(1, 1, 1), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, cross));
    double force[2], energy[2];
    for (int i = 0; i < 2; i++) {
        double depth = i ? 2e-3 : 1e-3;
        fnd_posed a = place(box(1, 1, 1), fender_vec3_make(0, 0, 0), fender_vec3_make(quarter, 0, 0));
        fnd_posed b = place(box(1, 1, 1), fender_vec3_make(0, 0, 2 * sqrt(2) - depth), fender_vec3_make(quarter, 0, 0));
        b.R_WG = fender_mat3_product(&about.R_WG, &b.R_WG);
        patch_sum s = sum_of(&a, &b);
        force[i] = s.force.z;
        energy[i] = s.energy;
        check_near(s.force.z, 4 * s.energy / depth, 1e-9 * s.force.z); /* the slope of a fourth power */
        release(&a, &b);
    }
    check_near(force[1], 8 * force[0], 1e-9 * force[1]);
    check_near(energy[1], 16 * energy[0], 1e-9 * energy[1]);
    fender_geometry_release((fender_geometry *)about.geometry);
}

/* `renamed`: the second was found with a and b swapped, and not by a mirrored cell, which leaves features as they are
 */
static bool same(const fender_separation *s, const fender_separation *t, bool renamed)
{
    uint64_t feature = renamed && t->weight_fades ? fnd_patch_feature_mirrored(t->feature) : t->feature;
    if (s->feature != feature) return false;
    return s->distance == t->distance && s->weight == t->weight && s->area == t->area;
}

static void mirrors_are_equal_to_the_bit(void **state)
{
    (void)state;
    int patches = 0, contacts = 0;
    for (uint64_t n = 0; n < 600; n++) {
        random_stream r = random_of_case(81, n);
        fender_geometry *g[2];
        for (int i = 0; i < 2; i++) {
            double x = random_between(&r, 0.2, 1), y = random_between(&r, 0.2, 1), z = random_between(&r, 0.2, 1);
            int type = random_below(&r, 5);
            if (type == 0) g[i] = box(x, y, z);
            if (type == 1) g[i] = fender_geometry_cylinder(&env, x, z, NULL);
            if (type == 2) g[i] = fender_geometry_cone(&env, x, z, NULL);
            if (type == 3) g[i] = fender_geometry_disk(&env, x, NULL);
            if (type == 4) g[i] = fender_geometry_capsule(&env, x, z, NULL);
        }
        bool renamed = !fnd_pair_find(g[0], g[1]).mirrored && !fnd_pair_find(g[1], g[0]).mirrored;
        fnd_posed a = {g[0], random_in_ball(&r, 0.5), random_matrix(&r)};
        fnd_posed b = {g[1], random_in_ball(&r, 0.8), n % 3 ? random_matrix(&r) : a.R_WG};
        fender_separation one[CAPACITY], two[CAPACITY];
        int count = contacts_of(&a, &b, FND_QUERY_PATCH, one), other = contacts_of(&b, &a, FND_QUERY_PATCH, two);
        assert_int_equal(count, other);
        for (int i = 0; i < count; i++) {
            int k = 0;
            while (k < count && !same(&one[i], &two[k], renamed)) k++;
            assert_true(k < count);
            check_vector(one[i].normal, fender_vec3_negate(two[k].normal), 0);
            assert_true(isfinite(one[i].weight) && fender_vec3_is_finite(one[i].point_a));
            if (one[i].weight_fades) patches++;
            contacts++;
        }
        release(&a, &b);
    }
    print_message("600 pairs: %d contacts mirrored, %d of them of patches\n", contacts, patches);
    assert_true(patches > 500);
}

/* Sizes of zero, flat and thin solids, coincident centres, on each other and on a plane: numbers that are numbers. */
static void degenerate_solids_give_numbers(void **state)
{
    (void)state;
    int contacts = 0;
    fender_geometry *plane = fender_geometry_plane(&env, NULL);
    for (uint64_t n = 0; n < 3000; n++) {
        random_stream r = random_of_case(82, n);
        fnd_posed placed[2];
        for (int i = 0; i < 2; i++) {
            double size[3];
            for (int k = 0; k < 3; k++) size[k] = random_below(&r, 3) ? random_magnitude(&r, 1e-9, 1) : 0;
            fender_geometry *g = NULL;
            int type = random_below(&r, 7);
            if (type == 0) g = box(size[0], size[1], size[2]);
            if (type == 1) g = fender_geometry_cylinder(&env, size[0], size[1], NULL);
            if (type == 2) g = fender_geometry_cone(&env, size[0], size[1], NULL);
            if (type == 3) g = fender_geometry_disk(&env, size[0], NULL);
            if (type == 4) g = fender_geometry_capsule(&env, size[0], size[1], NULL);
            if (type == 5) g = fender_geometry_ellipsoid(&env, fender_vec3_make(size[0], size[1], size[2]), NULL);
            if (type == 6) {
                fender_vec3 points[5];
                for (int k = 0; k < 5; k++)
                    points[k] = fender_vec3_make(random_between(&r, -1, 1) * size[0],
                                                 random_between(&r, -1, 1) * size[1], random_below(&r, 2) * size[2]);
                g = fender_geometry_hull(&env, points, 5, NULL);
            }
            fender_vec3 p = random_below(&r, 3) ? random_in_ball(&r, 0.5) : fender_vec3_make(0, 0, 0);
            placed[i] = (fnd_posed){g, p, random_below(&r, 3) ? random_matrix(&r) : fender_mat3_identity()};
            assert_non_null(g);
        }
        fnd_posed ground = {plane, {0, 0, 0}, fender_mat3_identity()};
        for (int pair = 0; pair < 2; pair++) {
            fender_separation items[CAPACITY];
            int count = contacts_of(pair ? &ground : &placed[0], &placed[1], FND_QUERY_PATCH, items);
            for (int i = 0; i < count; i++) {
                const fender_separation *s = &items[i];
                assert_true(isfinite(s->distance) && isfinite(s->weight) && s->weight > 0 && isfinite(s->area));
                assert_true(fender_vec3_is_finite(s->point_a) && fender_vec3_is_finite(s->point_b));
                check_near(fender_vec3_length(s->normal), 1, 1e-12);
                for (int k = 0; k < i; k++) assert_true(items[k].feature != s->feature);
            }
            contacts += count;
        }
        release(&placed[0], &placed[1]);
    }
    fender_geometry_release(plane);
    print_message("6000 pairs with zero and tiny sizes: %d contacts\n", contacts);
}

static void half_a_line_is_half_as_stiff(void **state)
{
    (void)state;
    fnd_posed table = place(box(1, 1, 1), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0));
    fnd_posed rod = place(fender_geometry_capsule(&env, 0.1, 0.4, NULL), fender_vec3_make(0, 0.8, 1.099),
                          fender_vec3_make(1.5707963267948966, 0, 0));
    patch_sum s = sum_of(&table, &rod);
    /* The end on the table, and three quarters of the side, which has a half, less d / 2R of it. The other end is as
     * far from the table as from its edge. */
    const double sine = (hypot(0.2, 0.099) - 0.1 + 1e-3) / 0.8, square = 1 - sine * sine;
    const double end = 1 - 0.75 * square * square, growth = 3 * sine * square;
    const double across = 0.5 * 1e-3 / 0.8 * growth * (1 - 0.099 / hypot(0.2, 0.099)); /* its gap pushes down here */
    check_near(s.force.z, (end + across + 0.5 * 0.75 * (1 - 0.005)) * 1e-3, 1e-9);
    assert_true(s.torque.x < 0); /* its middle is before the rod's centre */
    release(&table, &rod);
}

static patch_sum power_sum_of(const fnd_posed *a, const fnd_posed *b, double exponent)
{
    fender_separation items[CAPACITY];
    fnd_manifold found = {.items = items, .capacity = CAPACITY, .exponent = exponent, .turns = exponent != 1};
    const fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
    const fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    fnd_pair_evaluate(&entry, a, b, &query, &found);
    assert_false(found.failed);
    return patch_sum_of(&found, fender_vec3_sub(b->p_WG, a->p_WG));
}

static fender_geometry *flat_ground(int kind)
{
    static const double heights[9] = {0};
    const fender_grid_def grid = {3, 3, {-1, -1}, {1, 1}, heights};
    const fender_vec3 vertices[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    const fender_mesh_def mesh = {vertices, 4, triangles, 2};
    if (kind == 0) return box(1, 1, 1);
    return kind == 1 ? fender_geometry_grid(&env, &grid, NULL) : fender_geometry_mesh(&env, &mesh, NULL);
}

/* An end that carries alone: the side is above the ground, and the line on the plane has lifted. Either end down, 15
 * degrees to upright: force, torque and energy are those on a plane, for every power of the depth. Rounding, and that
 * of coordinates of 1 m in a depth of 1 mm. */
static void an_end_of_a_capsule_is_that_on_a_plane(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.5, 2.2};
    const double pi = 3.14159265358979323846, depth = 1e-3, half = 0.25, radius = 0.3;
    const fnd_posed plane = place(fender_geometry_plane(&env, NULL), fender_vec3_make(0, 0, 0),
                                  fender_vec3_make(0, 0, 0));
    for (int kind = 0; kind < 3; kind++) {
        const fnd_posed ground = place(flat_ground(kind), fender_vec3_make(0, 0, kind == 0 ? -1 : 0),
                                       fender_vec3_make(0, 0, 0));
        for (int i = 0; i <= 36; i++)
            for (int n = 0; n < 3; n++) {
                const double lean = 5 * i * pi / 180, rise = half * fabs(cos(lean));
                if (fabs(lean - 0.5 * pi) < 14 * pi / 180) continue;
                fnd_posed capsule = place(fender_geometry_capsule(&env, radius, half, NULL),
                                          fender_vec3_make(0.1, 0.2, rise + radius - depth),
                                          fender_vec3_make(0.6 * lean, 0.8 * lean, 0));
                const patch_sum is = power_sum_of(&ground, &capsule, exponents[n]);
                const patch_sum should = power_sum_of(&plane, &capsule, exponents[n]);
                const double force = fender_vec3_length(should.force), within = 1e-10 * force;
                if (i == 0 || i == 36) check_near(force, pow(depth, exponents[n]), within);
                check_near(fender_vec3_length(fender_vec3_sub(is.force, should.force)), 0, within);
                check_near(fender_vec3_length(fender_vec3_sub(is.torque, should.torque)), 0, within);
                check_near(is.energy, should.energy, within * depth);
                fender_geometry_release((fender_geometry *)capsule.geometry);
            }
        fender_geometry_release((fender_geometry *)ground.geometry);
    }
    fender_geometry_release((fender_geometry *)plane.geometry);
}

/* Lying on a box: 3/4 / (n + 2) for each end, the rest for the side. For a power of the depth the side has the energy
 * of one depth, sqrt(2 u) of its linear energy u: depth^n (1 - d / 2R) (1 - d / 3R)^((n - 1) / 2). */
static void a_lying_capsule_has_all_of_a_power(void **state)
{
    (void)state;
    const fnd_posed table = place(box(1, 1, 1), fender_vec3_make(0, 0, -1), fender_vec3_make(0, 0, 0));
    const fnd_posed capsule = place(fender_geometry_capsule(&env, 0.1, 0.4, NULL), fender_vec3_make(0, 0, 0.099),
                                    fender_vec3_make(1.5707963267948966, 0, 0));
    for (int i = 0; i < 3; i++) {
        const double n = 1 + 0.6 * i, ends = 1.5 / (n + 2);
        const double side = (1 - ends) * (1 - 0.005) * pow(1 - 0.01 / 3, 0.5 * (n - 1));
        const patch_sum s = power_sum_of(&table, &capsule, n);
        check_near(s.force.z, (ends + side) * pow(1e-3, n), 1e-6 * pow(1e-3, n)); /* Gauss' rule along the axis */
    }
    release(&table, &capsule);
}

/* For laws by pressure the points of a side have the area of the strip 4/3 L sqrt(2 R d): with p = k d that is Bekker's
 * wheel. Their depth is 2 U / F, d / 6R larger than that of the side, which makes up for the square of its weight but
 * for d / 12 R, 0.4 %. Ends of capsules and rims of disks have none. */
static void sides_have_the_area_of_their_strip(void **state)
{
    (void)state;
    const double depth = 0.01, radius = 0.2;
    for (int kind = 0; kind < 3; kind++)
        for (int solid = 0; solid < 3; solid++) {
            const double half = solid == 1 ? 0.2 : 0.05;
            const fnd_posed ground = place(flat_ground(kind), fender_vec3_make(0, 0, kind == 0 ? -1 : 0),
                                           fender_vec3_make(0, 0, 0));
            fender_geometry *g = solid == 0   ? fender_geometry_cylinder(&env, radius, half, NULL)
                                 : solid == 1 ? fender_geometry_capsule(&env, radius, half, NULL)
                                              : fender_geometry_disk(&env, radius, NULL);
            const fnd_posed wheel = place(g, fender_vec3_make(0.03, 0.02, radius - depth),
                                          fender_vec3_make(1.5707963267948966, 0, 0));
            fender_separation items[CAPACITY];
            const int count = contacts_of(&ground, &wheel, FND_QUERY_PATCH, items);
            double force = 0;
            for (int i = 0; i < count; i++) force -= items[i].area * items[i].distance;
            assert_true(count > 0);
            const double strip = solid == 2 ? 0 : 4.0 / 3 * 2 * half * sqrt(2 * radius * depth);
            check_near(force, strip * depth, 0.005 * strip * depth);
            release(&ground, &wheel);
        }
}

/* A box that slides over another's edge, tips and turns on it: small motions, small changes. */
static void nothing_jumps_while_a_box_slides_over_an_edge(void **state)
{
    (void)state;
    fnd_posed table = place(box(1, 1, 1), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0));
    double worst = 0, largest = 0;
    for (int tilt = 0; tilt < 4; tilt++) {
        patch_sum before = {0};
        for (int i = 0; i <= 4000; i++) {
            double x = 0.5 + 1.0e-3 * i * 0.25;
            fnd_posed b = place(box(0.4, 0.3, 0.2), fender_vec3_make(x, 0.1, 1.2 - 0.002),
                                fender_vec3_make(0.003 * tilt, 0.001 * tilt, 0));
            patch_sum s = sum_of(&table, &b);
            largest = larger(largest, s.force.z);
            if (i > 0) {
                double step = fender_vec3_length(fender_vec3_sub(s.force, before.force));
                step += fender_vec3_length(fender_vec3_sub(s.torque, before.torque));
                worst = larger(worst, step);
            }
            before = s;
            fender_geometry_release((fender_geometry *)b.geometry);
        }
    }
    print_message("box over an edge in steps of 0.25 mm: force up to %.2e, changes at most %.2e\n", largest, worst);
    check_below(worst, 0.01 * largest);
    fender_geometry_release((fender_geometry *)table.geometry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_on_a_table_has_a_potential),
        cmocka_unit_test(the_smaller_face_is_the_area),
        cmocka_unit_test(crossing_edges_push_with_the_third_power),
        cmocka_unit_test(mirrors_are_equal_to_the_bit),
        cmocka_unit_test(degenerate_solids_give_numbers),
        cmocka_unit_test(half_a_line_is_half_as_stiff),
        cmocka_unit_test(an_end_of_a_capsule_is_that_on_a_plane),
        cmocka_unit_test(a_lying_capsule_has_all_of_a_power),
        cmocka_unit_test(sides_have_the_area_of_their_strip),
        cmocka_unit_test(nothing_jumps_while_a_box_slides_over_an_edge),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
