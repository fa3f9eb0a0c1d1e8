/* Geodetic places and local axes (M004, M016, M017, M025): published figures, other libraries' figures, round trips. */
/* items: M004 M025 */
#include "check.h"
#include "random_numbers.h"
#include <fender/planet.h>

static const double PI = 3.14159265358979323846;
static double degrees(double x) { return x * (PI / 180); }

static fender_planet planet_of(const char *name)
{
    fender_planet planet;
    check_ok(fender_planet_find(name, &planet, &error));
    return planet;
}

/* Figures of CartConvert -p 9 (GeographicLib 2.1.2) on WGS 84. The second is the worked example of its manual page,
 * 3816209.60 3737108.55 3485109.57, the first row's place that of GeographicLib's example of Geocentric. */
typedef struct known_place {
    double latitude, longitude, altitude; /* deg, m */
    fender_vec3 position;
} known_place;
static const known_place forward_places[] = {
    {27.99, 86.93, 8820, {302271.432713799, 5635928.367498535, 2979666.134902528}},
    {33.3, 44.4, 6000, {3816209.604493091, 3737108.550254264, 3485109.572568041}},
    {-90, 0, 0, {0, 0, -6356752.314245179}},
    {90, 45, -6356752, {0, 0, 0.314245179}},
    {0, 180, -6000000, {-378137, 0, 0}},
    {-33.8688, 151.2093, 58, {-4646093.477288304, 2553229.535817070, -3534404.710910369}},
    {45, -90, -6300000, {0, -62818.157373682, 32575.687390671}},
    {89.999999, 12.5, 100, {0.109048090, 0.024175380, 6356852.314245178}},
    {0.000001, -0.5, 400000, {6777878.909312412, -59149.653143342, 0.117555593}},
    {-52.25, 170.125, 35786000, {-25439240.849858671, 4428421.075120842, -33315498.674917798}},
    {5, 5, 384400000, {387809898.955317795, 33928969.761724383, 34054851.472227566}},
    {60, -120, -20000, {-1593552.293461973, -2760113.536794048, 5483156.625862950}},
};
/* CartConvert -r; the first is the manual's example, 6.483 45 -6335709.73; the sixth MATLAB's of ecef2geodetic, whose
 * answer is 48.8562, 2.3508, 0.0674 km. */
static const known_place reverse_places[] = {
    {6.48349905370321, 45, -6335709.725658647, {30000, 30000, 0}},
    {27.99241547519508, 86.93279043192760, 9027.026651257, {302000, 5636000, 2980000}},
    {89.97011585155509, 63.43494882292201, -6356722.308413773, {10, 20, 30}},
    {-90, 0, -6355752.314245179, {0, 0, -1000}},
    {18.46054100532661, 178.63607246839709, -6335987.653720578, {-42000, 1000, 500}},
    {48.85616161906464, 2.35079382756727, 67.370042445, {4201000, 172460, 4780100}},
    {89.99999999104696, 0, -0.000045179, {1e-3, 0, 6356752.3142}},
    {-19.30636264516176, -7.12501634890180, -6337758.598898680, {40000, -5000, -1e-4}},
};

/* Three roundings of coordinates, and half a unit of the last printed digit. */
static double tolerance(fender_vec3 p) { return 4 * 2.2e-16 * (6.4e6 + fender_vec3_length(p)) + 1e-9; }

static void known_places(void **state)
{
    (void)state;
    fender_planet earth = planet_of("earth");
    double worst = 0;
    for (size_t i = 0; i < sizeof forward_places / sizeof forward_places[0]; i++) {
        const known_place *k = &forward_places[i];
        fender_geodetic place = {degrees(k->latitude), degrees(k->longitude), k->altitude};
        fender_vec3 p = fender_planet_fixed_position(&earth, &place);
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(p, k->position)) / tolerance(k->position));
        check_vector(p, k->position, tolerance(k->position));
    }
    for (size_t i = 0; i < sizeof reverse_places / sizeof reverse_places[0]; i++) {
        const known_place *k = &reverse_places[i];
        fender_geodetic place = fender_planet_geodetic(&earth, k->position);
        /* near the centre the normals meet: an angle is worth what it moves the foot on the ellipsoid, and a metre of
         * position moves that by as much as the radius of curvature over the distance to the evolute */
        double near = i == 0 || i == 2 || i == 4 || i == 7 ? 1e-9 : 1e-14;
        check_near(place.latitude * (180 / PI), k->latitude, near);
        check_near(place.longitude * (180 / PI), k->longitude, 1e-13);
        check_near(place.altitude, k->altitude, tolerance(k->position));
    }
    print_message(
        "places on WGS 84 against GeographicLib: %zu forward, worst %.2f of the tolerance (1 nm and four roundings)\n",
        sizeof forward_places / sizeof forward_places[0], worst);
}

/* CartConvert -l 33 44 20: 37288.973196624 33374.294946903 5783.646615516; the manual's example to 9 digits. */
static void local_axes(void **state)
{
    (void)state;
    fender_planet earth = planet_of("earth");
    fender_geodetic origin = {degrees(33), degrees(44), 20}, place = {degrees(33.3), degrees(44.4), 6000};
    fender_vec3 gap = fender_vec3_sub(fender_planet_fixed_position(&earth, &place),
                                      fender_planet_fixed_position(&earth, &origin));
    fender_mat3 enu = fender_local_axes_matrix(origin.latitude, origin.longitude, FENDER_LOCAL_EAST_NORTH_UP);
    fender_mat3 ned = fender_local_axes_matrix(origin.latitude, origin.longitude, FENDER_LOCAL_NORTH_EAST_DOWN);
    fender_mat3 uen = fender_local_axes_matrix(origin.latitude, origin.longitude, FENDER_LOCAL_UP_EAST_NORTH);
    fender_vec3 e = fender_mat3_transpose_times(&enu, gap), n = fender_mat3_transpose_times(&ned, gap);
    fender_vec3 u = fender_mat3_transpose_times(&uen, gap);
    check_vector(e, fender_vec3_make(37288.973196624, 33374.294946903, 5783.646615516), 4e-9);
    check_vector(n, fender_vec3_make(e.y, e.x, -e.z), 0);
    check_vector(u, fender_vec3_make(e.z, e.x, e.y), 0);
    /* right-handed and orthonormal, everywhere */
    for (int i = -18; i <= 18; i++)
        for (int j = 0; j < 4; j++) {
            fender_mat3 R = fender_local_axes_matrix(degrees(5 * i), 0.7 * i, (fender_local_axes)j);
            fender_vec3 x = fender_mat3_column(&R, 0), y = fender_mat3_column(&R, 1), z = fender_mat3_column(&R, 2);
            check_vector(fender_vec3_cross(x, y), z, 4e-16);
            check_near(fender_vec3_length(x), 1, 4e-16);
        }
    /* PFRAME of a level facet is up, east, north (M025); of a slope that rises to the north its north climbs */
    fender_vec3 level[] = {{0, 0, 2}, {0, 0, -3}, {5, 0, 0}}, north[] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    fender_vec3 east[] = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
    for (int j = 0; j < 3; j++) {
        fender_mat3 R = fender_facet_axes_matrix(level[j], (fender_local_axes)j);
        check_vector(fender_mat3_column(&R, 0), fender_vec3_scale(1 / fender_vec3_length(level[j]), level[j]), 0);
        check_vector(fender_mat3_column(&R, 1), east[j], 0);
        check_vector(fender_mat3_column(&R, 2), north[j], 0);
    }
    fender_mat3 slope = fender_facet_axes_matrix(fender_vec3_make(0, -1, 1), FENDER_LOCAL_EAST_NORTH_UP);
    check_vector(fender_mat3_column(&slope, 2), fender_vec3_make(0, sqrt(0.5), sqrt(0.5)), 4e-16);
    check_vector(fender_mat3_column(&slope, 1), fender_vec3_make(1, 0, 0), 0);
    fender_mat3 wall = fender_facet_axes_matrix(fender_vec3_make(0, 1, 0), FENDER_LOCAL_EAST_NORTH_UP);
    check_vector(fender_mat3_column(&wall, 1), fender_vec3_make(1, 0, 0), 0);
}

/* The foot of the perpendicular by the definition alone, in long double: the normal at the place's latitude, through
 * the ellipsoid's point there, comes by the position at the altitude. */
static double miss_of(const fender_planet *planet, const fender_geodetic *g, fender_vec3 p)
{
    long double f = planet->flattening, a = planet->equatorial_radius, e2 = f * (2 - f);
    long double sp = sinl(g->latitude), cp = cosl(g->latitude), sl = sinl(g->longitude), cl = cosl(g->longitude);
    long double n = a / sqrtl(1 - e2 * sp * sp), r = (n + g->altitude) * cp;
    long double dx = r * cl - p.x, dy = r * sl - p.y, dz = (n * (1 - e2) + g->altitude) * sp - p.z;
    return (double)sqrtl(dx * dx + dy * dy + dz * dz);
}

/* Both ways from pole to pole, from near the centre to beyond the Moon, on three planets, in units of the rounding of a
 * coordinate. */
static void round_trips(void **state)
{
    (void)state;
    random_stream stream = random_of_case(4711, 0);
    double worst_back = 0, worst_forth = 0, worst_angle = 0;
    int count = 0;
    for (int k = 0; fender_planet_name(k); k++) {
        fender_planet planet = planet_of(fender_planet_name(k));
        double a = planet.equatorial_radius;
        for (int i = 0; i < 60000; i++) {
            double u = random_between(&stream, -1, 1), height = random_between(&stream, -1, 1);
            fender_geodetic g = {0.5 * PI * u, PI * random_between(&stream, -1, 1), 0};
            if (i % 5 == 0) g.latitude = (i % 10 ? 0.5 : -0.5) * PI * (1 - pow(10, -17 * fabs(u)));
            if (i % 7 == 0) g.latitude = u * pow(10, -16 * fabs(height)); /* near the equator */
            if (i % 1001 == 0) g.latitude = (i % 2 ? -0.5 : 0.5) * PI;
            g.altitude = height < 0 ? 0.97 * a * height : a * height * pow(10, 3 * height - 2);
            if (i % 11 == 0) g.altitude = 0;
            fender_vec3 p = fender_planet_fixed_position(&planet, &g);
            double unit = 2.2e-16 * (a + fender_vec3_length(p));
            worst_forth = larger(worst_forth, miss_of(&planet, &g, p) / unit);
            fender_geodetic back = fender_planet_geodetic(&planet, p);
            worst_back = larger(worst_back, miss_of(&planet, &back, p) / unit);
            assert_true(fabs(back.latitude) <= 0.5 * PI && fabs(back.longitude) <= PI);
            if (g.altitude > -0.9 * a) /* the angle itself, where normals are far from meeting */
                worst_angle = larger(worst_angle, fabs(back.latitude - g.latitude) * fender_vec3_length(p) / unit);
            count++;
        }
    }
    print_message("%d round trips: forward %.2f, back %.2f, latitude %.2f units of 2.2e-16 (radius + distance)\n",
                  count, worst_forth, worst_back, worst_angle);
    check_below(worst_forth, 2);
    check_below(worst_back, 4);
    check_below(worst_angle, 40); /* at a tenth of the radius a place moves the foot tenfold */
}

/* Where several points of the ellipsoid are nearest. */
static void near_the_centre(void **state)
{
    (void)state;
    fender_planet earth = planet_of("earth"), moon = planet_of("moon");
    double b = 6378137 * (1 - 1 / 298.257223563);
    fender_geodetic g = fender_planet_geodetic(&earth, fender_vec3_make(0, 0, 0));
    check_near(g.latitude, 0.5 * PI, 1e-15);
    check_near(g.altitude, -b, 2e-9);
    g = fender_planet_geodetic(&earth, fender_vec3_make(20000, 0, 0));
    check_below(miss_of(&earth, &g, fender_vec3_make(20000, 0, 0)), 4e-9);
    assert_true(g.latitude > 0);
    g = fender_planet_geodetic(&moon, fender_vec3_make(0, 0, 0));
    check_near(g.altitude, -1737400, 1e-9);
    g = fender_planet_geodetic(&moon, fender_vec3_make(3, 4, -12));
    check_near(g.altitude, 13 - 1737400.0, 1e-9);
    check_near(g.latitude, -asin(12.0 / 13), 1e-15);
    check_near(g.longitude, atan2(4, 3), 1e-15);
}

/* Gravity and rotation on the ellipsoid against WGS 84's normal gravity, 9.7803253359 m/s^2 at the equator and
 * 9.8321849378 at the poles. What is missing is the ellipsoid's field of fourth degree, J4 = -2.37091e-6: the term
 * -(n + 1) Jn (a / r)^n Pn of gravity, P4 = 3/8 at the equator and 1 at the pole; then J6, 6e-9. */
static void surface_gravity(void **state)
{
    (void)state;
    fender_planet earth = planet_of("earth");
    double b = 6378137 * (1 - 1 / 298.257223563), w = earth.rotation_rate, j4 = -2.37091e-6;
    double equator = -fender_planet_gravity(&earth, fender_vec3_make(6378137, 0, 0)).x - w * w * 6378137;
    double pole = -fender_planet_gravity(&earth, fender_vec3_make(0, 0, b)).z;
    double mu = earth.mu, equator_j4 = -5 * j4 * 3 / 8 * mu / (6378137.0 * 6378137.0);
    double pole_j4 = -5 * j4 * pow(6378137 / b, 4) * mu / (b * b);
    print_message("gravity at the equator %.7f, with j4 %.7f; at the pole %.7f, with j4 %.7f m/s^2\n", equator,
                  equator + equator_j4, pole, pole + pole_j4);
    /* J6 = 6.083e-9: 7 * 5/16 J6 g = 1.3e-7 at the equator, 7 J6 g = 4.2e-7 at the pole */
    check_near(equator + equator_j4, 9.7803253359, 3e-7);
    check_near(pole + pole_j4, 9.8321849378, 9e-7);
    /* the field is the slope of a potential: no curl, no divergence */
    random_stream stream = random_of_case(5, 0);
    for (int i = 0; i < 200; i++) {
        fender_vec3 p = {random_between(&stream, 7e6, 9e6), random_between(&stream, -9e6, 9e6),
                         random_between(&stream, -9e6, 9e6)};
        double d[3][3], h = 50;
        for (int k = 0; k < 3; k++) {
            fender_vec3 step = {k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
            fender_vec3 g = fender_vec3_scale(0.5 / h,
                                              fender_vec3_sub(fender_planet_gravity(&earth, fender_vec3_add(p, step)),
                                                              fender_planet_gravity(&earth, fender_vec3_sub(p, step))));
            d[k][0] = g.x, d[k][1] = g.y, d[k][2] = g.z;
        }
        double bound = 1e-15; /* of a gradient of 1e-6: rounding 9 * 1e-16 / 50, and the step's square */
        check_below(fabs(d[0][1] - d[1][0]) + fabs(d[0][2] - d[2][0]) + fabs(d[1][2] - d[2][1]), bound);
        check_below(fabs(d[0][0] + d[1][1] + d[2][2]), bound);
    }
}

/* M016: a flat ground falls short of the sphere by s^2 / 2R. M017: four points 2 km to the north, east, south and west
 * at the same distance from the centre as the middle lie 0.314 m below its plane. */
static void flat_ground(void **state)
{
    (void)state;
    fender_planet earth = planet_of("earth");
    earth.flattening = 0;
    fender_geodetic middle = {degrees(28.5), degrees(-80.5), 0};
    fender_vec3 o = fender_planet_fixed_position(&earth, &middle);
    fender_mat3 R = fender_local_axes_matrix(middle.latitude, middle.longitude, FENDER_LOCAL_UP_EAST_NORTH);
    double angle = 2 * asin(0.5 * 2000 / 6378137.0), fall = 2000.0 * 2000 / (2 * 6378137.0);
    fender_geodetic corner = {middle.latitude + angle, middle.longitude, 0};
    fender_vec3 p = fender_mat3_transpose_times(&R, fender_vec3_sub(fender_planet_fixed_position(&earth, &corner), o));
    check_near(fender_vec3_length(p), 2000, 4e-9);
    check_near(p.x, -fall, 4e-9);
    check_near(p.y, 0, 4e-9);
    print_message("four points 2 km off at the same distance from the Earth's centre: %.4f m below the plane\n", -p.x);
}

static void refusals(void **state)
{
    (void)state;
    fender_planet planet;
    fender_error found = {0};
    assert_int_equal(fender_planet_find("pluto", &planet, &found), FENDER_STATUS_NAME);
    assert_string_equal(found.expected, "earth, moon or mars");
    for (int i = 0; fender_planet_name(i); i++) {
        assert_non_null(fender_planet_source(i));
        check_ok(fender_planet_find(fender_planet_name(i), &planet, &error));
        check_ok(fender_planet_check(&planet, &error));
    }
    assert_null(fender_planet_name(-1));
    assert_null(fender_planet_source(3));
    const fender_planet good = planet_of("earth");
    fender_planet bad[7] = {good, good, good, good, good, good, good};
    bad[0].mu = -1, bad[1].equatorial_radius = 0, bad[2].flattening = 1, bad[3].flattening = -0.1;
    bad[4].rotation_rate = NAN, bad[5].j2 = INFINITY, bad[6].gravity_radius = -1;
    for (int i = 0; i < 7; i++) assert_int_equal(fender_planet_check(&bad[i], NULL), FENDER_STATUS_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_places),    cmocka_unit_test(local_axes),
                                       cmocka_unit_test(round_trips),     cmocka_unit_test(near_the_centre),
                                       cmocka_unit_test(surface_gravity), cmocka_unit_test(flat_ground),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
