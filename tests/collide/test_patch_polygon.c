/* Moments of cut polygons, and the four points that stand for them. */
#include "collide/polygon_cut.h"

#include "check.h"
#include "random_numbers.h"

enum { CORNERS = 200 };

static fnd_half_plane listed(const void *ctx, int index) { return ((const fnd_half_plane *)ctx)[index]; }

static fnd_area_moments moments(const fender_vec2 *corners, int count, const fnd_half_plane *sides, int side_count)
{
    fnd_area_moments sum = {0};
    fnd_half_planes cuts = {side_count, listed, sides};
    fnd_area_add_polygon(&sum, corners, count, &cuts);
    return sum;
}

/* Corners on an ellipse at increasing angles: convex. */
static int random_polygon(random_stream *r, fender_vec2 *corners, int limit)
{
    int count = 3 + random_below(r, limit - 2);
    double a = random_magnitude(r, 0.01, 1), b = random_magnitude(r, 0.01, 1), angle = 0;
    double x = random_between(r, -1, 1), y = random_between(r, -1, 1), tilt = random_between(r, 0, 6);
    for (int i = 0; i < count; i++) {
        angle += random_between(r, 0.2, 1) * 6.2831 / count;
        double u = a * cos(angle), v = b * sin(angle);
        corners[i] = (fender_vec2){x + cos(tilt) * u - sin(tilt) * v, y + sin(tilt) * u + cos(tilt) * v};
    }
    return count;
}

/* Green's theorem, in long double, about the origin. */
static void integrals(const fender_vec2 *p, int count, double out[6])
{
    long double s[6] = {0};
    for (int i = 0; i < count; i++) {
        long double x = p[i].x, y = p[i].y, u = p[(i + 1) % count].x, v = p[(i + 1) % count].y, c = x * v - u * y;
        s[0] += c / 2;
        s[1] += c * (x + u) / 6;
        s[2] += c * (y + v) / 6;
        s[3] += c * (x * x + x * u + u * u) / 12;
        s[4] += c * (x * v + 2 * x * y + 2 * u * v + u * y) / 24;
        s[5] += c * (y * y + y * v + v * v) / 12;
    }
    for (int i = 0; i < 6; i++) out[i] = (double)s[i];
}

static void the_points_integrate_polynomials_of_degree_two(void **state)
{
    (void)state;
    double worst = 0, outside = 0;
    for (uint64_t n = 0; n < 3000; n++) {
        random_stream r = random_of_case(51, n);
        fender_vec2 corners[CORNERS], points[4];
        int count = random_polygon(&r, corners, n % 10 ? 8 : CORNERS);
        fnd_area_moments m = moments(corners, count, NULL, 0);
        fnd_area_points(&m, points);
        double expected[6], found[6] = {m.area, 0, 0, 0, 0, 0};
        integrals(corners, count, expected);
        for (int k = 0; k < 4; k++) {
            double x = points[k].x, y = points[k].y, w = m.area / 4;
            found[1] += w * x;
            found[2] += w * y;
            found[3] += w * x * x;
            found[4] += w * x * y;
            found[5] += w * y * y;
            for (int i = 0; i < count; i++) {
                fender_vec2 p = corners[i], q = corners[(i + 1) % count];
                double ex = q.x - p.x, ey = q.y - p.y, length = sqrt(ex * ex + ey * ey);
                double inside = (ex * (y - p.y) - ey * (x - p.x)) / length;
                if (-inside > outside) outside = -inside;
            }
        }
        for (int i = 0; i < 6; i++) worst = larger(worst, fabs(found[i] - expected[i]) / m.area);
    }
    print_message("3000 polygons: moments within %.1e of area, points outside by at most %.1e m\n", worst, outside);
    check_below(worst, 1e-13);   /* coordinates up to 2 m, some ten operations */
    check_below(outside, 1e-14); /* a triangle's points may lie on its border */
}

/* On an area that is its own mirror image the third moments vanish, as those of the points do. */
static void a_rectangle_is_integrated_to_degree_three(void **state)
{
    (void)state;
    const fender_vec2 corners[4] = {{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}};
    fnd_area_moments m = moments(corners, 4, NULL, 0);
    fender_vec2 points[4];
    fnd_area_points(&m, points);
    double cubes = 0;
    for (int k = 0; k < 4; k++) { /* the Gauss points */
        check_near(fabs(points[k].x), 0.3 / sqrt(3), 1e-16);
        check_near(fabs(points[k].y), 0.2 / sqrt(3), 1e-16);
        cubes += (points[k].x + 2 * points[k].y) * (points[k].x + 2 * points[k].y) * (points[k].x + 2 * points[k].y);
    }
    check_near(cubes, 0, 1e-16);
}

static void cutting_keeps_what_both_parts_have_together(void **state)
{
    (void)state;
    double worst = 0, step = 0;
    for (uint64_t n = 0; n < 2000; n++) {
        random_stream r = random_of_case(52, n);
        fender_vec2 corners[CORNERS];
        int count = random_polygon(&r, corners, n % 10 ? 8 : CORNERS);
        fnd_area_moments whole = moments(corners, count, NULL, 0);
        double angle = random_between(&r, 0, 6.28), c = cos(angle), s = sin(angle);
        double at = c * whole.x + s * whole.y + random_between(&r, -0.1, 0.1);
        fnd_half_plane side = {c, s, -at}, other = {-c, -s, at}, near = {c, s, -at - 1e-9};
        fnd_area_moments one = moments(corners, count, &side, 1), two = moments(corners, count, &other, 1);
        fnd_area_moments next = moments(corners, count, &near, 1);
        worst = larger(worst, fabs(one.area + two.area - whole.area));
        worst = larger(worst, fabs(one.area * one.x + two.area * two.x - whole.area * whole.x));
        step = larger(step, fabs(one.area - next.area)); /* width of the polygon times 1e-9 */
        step = larger(step, fabs(one.xx - next.xx));
    }
    print_message("2000 cuts: parts differ from the whole by %.1e, by a cut 1e-9 m aside %.1e\n", worst, step);
    check_below(worst, 1e-14);
    check_below(step, 1e-8);
}

/* More corners and sides than are worked on at a time. */
static void large_polygons_are_cut_in_parts(void **state)
{
    (void)state;
    fender_vec2 corners[CORNERS];
    fnd_half_plane sides[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        double angle = 6.283185307179586 * (i + 0.5) / CORNERS, turned = 6.283185307179586 * i / CORNERS;
        corners[i] = (fender_vec2){cos(angle), sin(angle)};
        sides[i] = (fnd_half_plane){-cos(turned), -sin(turned), 0.999};
    }
    fnd_area_moments m = moments(corners, CORNERS, sides, CORNERS);
    /* The sides' lines are at 0.999, the corners' edges at cos(pi / 200) = 0.99988: a 200-gon of inradius 0.999. */
    double expected = CORNERS * 0.999 * 0.999 * tan(3.141592653589793 / CORNERS);
    check_near(m.area, expected, 1e-13);
    check_near(m.x, 0, 1e-14);
    check_near(m.xx, m.yy, 1e-13);
}

/* Bands of a circle against strips across, as wide as the circle. */
static void bands_of_circles(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 40; n++) {
        random_stream r = random_of_case(57, n);
        const double radius = random_magnitude(&r, 0.01, 10), height = radius * random_magnitude(&r, 1e-6, 2);
        const double low = radius - height, high = n % 2 ? 2 * radius : low + random_between(&r, 0.3, 1.1) * height;
        const fnd_area_moments band = fnd_area_of_band(radius, low, high);
        enum { STRIPS = 5000 };
        const long double from = high < radius ? sqrtl((radius - high) / height) : 0;
        long double sum[4] = {0}; /* strips across x = R - t, t = height u^2 */
        for (int i = 0; i < STRIPS; i++) {
            const long double u = from + (1 - from) * (i + 0.5L) / STRIPS, t = height * u * u;
            const long double half = sqrtl(t * (2 * radius - t)), area = 4 * half * height * u * (1 - from) / STRIPS;
            sum[0] += area, sum[1] += area * t, sum[2] += area * t * t, sum[3] += area * half * half / 3;
        }
        const double mean = (double)(sum[1] / sum[0]), area = (double)sum[0];
        const double xx = (double)(sum[2] - sum[1] * mean), yy = (double)sum[3];
        worst = larger(worst, fabs(band.area / area - 1));
        worst = larger(worst, fabs(radius - band.x - mean) / height);
        worst = larger(worst, fabs(band.xx - xx) / (area * height * height));
        worst = larger(worst, fabs(band.yy / yy - 1));
        assert_true(band.y == 0 && band.xy == 0);
    }
    print_message("40 bands: moments within %.1e of those of strips\n", worst);
    check_below(worst, 1e-6); /* 1 / 5000^2 */
    const fnd_area_moments whole = fnd_area_of_band(2, -3, 3);
    check_near(whole.area, 4 * 3.141592653589793, 1e-14);
    check_near(whole.xx, 4 * 3.141592653589793, 1e-14);
    assert_true(whole.x == 0 && whole.xx == whole.yy);
    assert_true(fnd_area_of_band(2, 2, 3).area == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_points_integrate_polynomials_of_degree_two),
        cmocka_unit_test(a_rectangle_is_integrated_to_degree_three),
        cmocka_unit_test(cutting_keeps_what_both_parts_have_together),
        cmocka_unit_test(large_polygons_are_cut_in_parts),
        cmocka_unit_test(bands_of_circles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
