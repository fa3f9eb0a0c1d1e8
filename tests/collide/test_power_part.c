/* Force, centre and energy of parts of faces for a force that is a power of the depth. */
#include "collide/power_part.h"

#include "check.h"
#include "random_numbers.h"

static const double exponents[] = {1, 1.5, 2.2, 3, 6};
enum { EXPONENTS = sizeof exponents / sizeof exponents[0] };

/* The part below of a polygon whose corners lie on an ellipse, with a plane of depth that cuts it in two of three
 * cases. Returns its slopes and its depth at the origin. */
static fnd_half_plane random_part(random_stream *r, fnd_cut *part)
{
    fnd_cut whole;
    const fnd_half_plane depth = {random_between(r, -0.2, 0.2), random_between(r, -0.2, 0.2),
                                  random_between(r, -0.05, 0.3)};
    const double a = random_magnitude(r, 0.1, 1), b = random_magnitude(r, 0.1, 1), x = random_between(r, -1, 1);
    double angle = 0;
    whole.count = 3 + random_below(r, 5);
    for (int i = 0; i < whole.count; i++) {
        angle += random_between(r, 0.3, 1) * 6.2831 / whole.count;
        fnd_cut_corner *c = &whole.corners[i];
        *c = (fnd_cut_corner){x + a * cos(angle), b * sin(angle), 0, FND_SIDE_FACE};
        c->depth = depth.a * c->x + depth.b * c->y + depth.c;
    }
    fnd_cut_depth(&whole, part);
    return depth;
}

/* By the divided difference of depth^(n + 2) / ((n + 1) (n + 2)) (Hermite and Genocchi). Returns whether the depths are
 * far enough from each other. */
static bool triangle_force(double n, const fnd_cut_corner *p, const fnd_cut_corner *q, const fnd_cut_corner *r,
                           double *force)
{
    const long double d[3] = {p->depth, q->depth, r->depth}, e = (long double)n + 2;
    long double f[3];
    for (int i = 0; i < 3; i++) f[i] = powl(d[i], e) / ((e - 1) * e);
    const long double twice = (q->x - p->x) * (long double)(r->y - p->y) - (q->y - p->y) * (long double)(r->x - p->x);
    if (fabsl(d[0] - d[1]) < 1e-3L || fabsl(d[1] - d[2]) < 1e-3L || fabsl(d[0] - d[2]) < 1e-3L) return false;
    *force = (double)(twice * ((f[2] - f[1]) / (d[2] - d[1]) - (f[1] - f[0]) / (d[1] - d[0])) / (d[2] - d[0]));
    return true;
}

/* By many small triangles: the moment, whose part across the slope no closed form above has. */
static void by_small_triangles(double n, const fnd_cut *part, double out[3])
{
    enum { SIDE = 120 };
    out[0] = out[1] = out[2] = 0;
    for (int i = 2; i < part->count; i++) {
        const fnd_cut_corner *p = &part->corners[0], *q = &part->corners[i - 1], *r = &part->corners[i];
        const double area = 0.5 * ((q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x)) / (SIDE * SIDE);
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < 2 * (SIDE - k) - 1; j++) { /* upright ones and those between them */
                const double third = j % 2 ? 2.0 / 3 : 1.0 / 3, u = (j / 2 + third) / SIDE, v = (k + third) / SIDE;
                const double depth = p->depth + u * (q->depth - p->depth) + v * (r->depth - p->depth);
                const double force = area * pow(depth, n);
                out[0] += force;
                out[1] += force * (p->x + u * (q->x - p->x) + v * (r->x - p->x));
                out[2] += force * (p->y + u * (q->y - p->y) + v * (r->y - p->y));
            }
    }
}

static void polygons(void **state)
{
    (void)state;
    double worst = 0, worst_energy = 0, worst_moment = 0;
    int closed = 0, cases = 0;
    for (uint64_t k = 0; k < repeats(400); k++) {
        random_stream r = random_of_case(61, k);
        fnd_cut part;
        const fnd_half_plane depth = random_part(&r, &part);
        const double n = exponents[k % EXPONENTS];
        fnd_power_part sum = {.exponent = n};
        fnd_power_add_cut(&sum, &part);
        if (part.count == 0) {
            assert_true(sum.force == 0 && sum.energy == 0);
            continue;
        }
        cases++;
        double force = 0, all[3];
        bool known = true;
        for (int i = 2; i < part.count && known; i++) {
            double one;
            known = triangle_force(n, &part.corners[0], &part.corners[i - 1], &part.corners[i], &one);
            force += one;
        }
        closed += known;
        if (known) worst = larger(worst, fabs(sum.force / force - 1));
        const double energy = depth.a * sum.x + depth.b * sum.y + depth.c * sum.force;
        worst_energy = larger(worst_energy, fabs(sum.energy / energy - 1));
        if (k % 10 > 0) continue;
        by_small_triangles(n, &part, all);
        for (int i = 1; i < 3; i++)
            worst_moment = larger(worst_moment, fabs((i == 1 ? sum.x : sum.y) - all[i]) / sum.force);
    }
    print_message("%d parts: force within %.1e of %d in closed form, energy %.1e, centre %.1e m\n", cases, worst,
                  closed, worst_energy, worst_moment);
    assert_true(cases > (int)repeats(200) && closed > cases / 4);
    check_below(worst, 1e-7); /* the rule has eight nodes */
    check_below(worst_energy, 1e-12);
    check_below(worst_moment, 1e-3); /* of 120^2 small triangles */
}

static void lines_and_sides(void **state)
{
    (void)state;
    double worst = 0, worst_side = 0;
    for (uint64_t k = 0; k < 200; k++) {
        random_stream r = random_of_case(62, k);
        const double n = exponents[k % EXPONENTS], to = random_magnitude(&r, 1e-4, 1);
        const double from = k % 3 == 0 ? 0 : k % 3 == 1 ? random_between(&r, 0, 0.9) * to : 2 * to;
        double force, first, energy;
        fnd_power_of_line(n, from, to, &force, &first, &energy);
        const double rise = to - from, mean = (pow(to, n + 1) - pow(from, n + 1)) / ((n + 1) * rise);
        const double more = (pow(to, n + 2) - pow(from, n + 2)) / ((n + 2) * rise);
        worst = larger(worst, fabs(force / mean - 1));
        worst = larger(worst, fabs(energy / more - 1));
        worst = larger(worst, fabs(first - (more - from * mean) / rise) / mean);
        fnd_cut part;
        (void)random_part(&r, &part);
        for (int i = 0; i < part.count; i++) {
            double x, y, x_1, y_1;
            const double square = fnd_cut_side_moments(&part, i, &x, &y);
            check_near(fnd_power_side_moments(1, &part, i, &x_1, &y_1), square, 1e-14);
            worst_side = larger(worst_side, fabs(x - x_1) + fabs(y - y_1));
        }
    }
    print_message("lines: means within %.1e; sides with n = 1: within %.1e\n", worst, worst_side);
    check_below(worst, 1e-7);
    check_below(worst_side, 1e-14);
}

/* Against strips across, from the lowest place on. */
static void segments(void **state)
{
    (void)state;
    double worst = 0, worst_of_6 = 0;
    for (uint64_t k = 0; k < 60; k++) {
        random_stream r = random_of_case(63, k);
        const double n = exponents[k % EXPONENTS], radius = random_magnitude(&r, 0.01, 10);
        const double slope = random_magnitude(&r, 1e-3, 1), low = radius * random_between(&r, -1.5, 0.99);
        const double c = -slope * low; /* no depth at x = low */
        fnd_power_part sum = {.exponent = n};
        fnd_power_add_segment(&sum, radius, low > -radius ? low : -2 * radius, slope, c);
        enum { STRIPS = 4000 };
        const long double from = low > -radius ? low : -radius;
        long double all[3] = {0};
        for (int i = 0; i < STRIPS; i++) { /* x = R - t, t = h (1 - cos) / 2: dense at both ends */
            const long double angle = 3.14159265358979323846L * (i + 0.5L) / STRIPS, h = radius - from;
            const long double x = radius - h * (1 - cosl(angle)) / 2;
            const long double width = 2 * sqrtl((radius - x) * (radius + x));
            const long double area = width * h * sinl(angle) / 2 * 3.14159265358979323846L / STRIPS;
            const long double depth = c + slope * x, force = area * powl(depth, (long double)n);
            all[0] += force, all[1] += force * x, all[2] += force * depth;
        }
        double off = fabs(sum.force / (double)all[0] - 1);
        off = larger(off, fabs(sum.x - (double)all[1]) / (radius * sum.force));
        off = larger(off, fabs(sum.energy / (double)all[2] - 1));
        if (n < 6) worst = larger(worst, off);
        else worst_of_6 = larger(worst_of_6, off);
        assert_true(sum.y == 0);
    }
    print_message("60 segments within %.1e of strips, %.1e for n = 6\n", worst, worst_of_6);
    check_below(worst, 2e-6); /* of the rule, for n = 3 */
    check_below(worst_of_6, 2e-4);
}

/* The points of a part have its force, torque and energy. */
static void points_have_what_the_part_has(void **state)
{
    (void)state;
    double worst = 0;
    int cases = 0;
    for (uint64_t k = 0; k < 400; k++) {
        random_stream r = random_of_case(64, k);
        fnd_cut part;
        const fnd_half_plane depth = random_part(&r, &part);
        fnd_power_part sum = {.exponent = exponents[k % EXPONENTS]};
        fnd_area_moments area = {0};
        fnd_power_add_cut(&sum, &part);
        fnd_cut_add_moments(&part, &area);
        if (!(area.area > 0)) continue;
        fender_vec2 points[4];
        double depths[4], force = 0, x = 0, y = 0, energy = 0;
        fnd_area_points(&area, points);
        const double denser = fnd_power_fit_points(&sum, area.area, depth.a, depth.b, depth.c, points, depths);
        for (int i = 0; i < 4; i++) {
            const double one = 0.25 * area.area * denser * fnd_power_of_depth(depths[i], sum.exponent);
            force += one, x += one * points[i].x, y += one * points[i].y, energy += one * depths[i];
        }
        cases++;
        worst = larger(worst, fabs(force / sum.force - 1));
        worst = larger(worst, fabs(x - sum.x) / sum.force);
        worst = larger(worst, fabs(y - sum.y) / sum.force);
        worst = larger(worst, fabs(energy / sum.energy - 1));
    }
    print_message("%d parts: force, place and energy within %.1e\n", cases, worst);
    assert_true(cases > 200);
    check_below(worst, 1e-12);
    double deeper, denser;
    assert_false(fnd_power_fit_to(1.5, 0, 0, 1, 1, &deeper, &denser)); /* points without force stay what they are */
    assert_true(deeper == 1 && denser == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(polygons), cmocka_unit_test(lines_and_sides),
                                       cmocka_unit_test(segments), cmocka_unit_test(points_have_what_the_part_has)};
    return cmocka_run_group_tests_name("powers of the depth", tests, NULL, NULL);
}
