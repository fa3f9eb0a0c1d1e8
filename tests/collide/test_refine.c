/* Refined separations of curved cores, against support functions in long double that share no code with src/collide.
 *
 * s(n) = n.(p_b - p_a) - h_a(n) - h_b(-n) at the normal that was found must be the distance; the points must lie in the
 * cores (m.x <= h(m) for many m) and opposite each other. Apart these together prove the distance: s is nowhere above
 * it, and the points are no farther. In overlap no direction near the normal may have a greater s. */
#include "check.h"
#include "collide/refine.h"
#include "long_support.h"
#include "random_numbers.h"

#ifndef POSES
#define POSES 200
#endif

static const fender_geometry_type types[] = {FENDER_GEOMETRY_POINT,     FENDER_GEOMETRY_CAPSULE, FENDER_GEOMETRY_DISK,
                                             FENDER_GEOMETRY_CYLINDER,  FENDER_GEOMETRY_CONE,    FENDER_GEOMETRY_BOX,
                                             FENDER_GEOMETRY_ELLIPSOID, FENDER_GEOMETRY_HULL,    FENDER_GEOMETRY_USER};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

/* An ellipsoid that says nothing of itself; the data are its semi-axes. */
static fender_vec3 user_support(const void *data, fender_vec3 d)
{
    const double *e = data;
    fender_vec3 w = {e[0] * d.x, e[1] * d.y, e[2] * d.z};
    double length = fender_vec3_length(w);
    return fender_vec3_make(e[0] * w.x / length, e[1] * w.y / length, e[2] * w.z / length);
}

static fender_box user_bounds(const void *data)
{
    const double *e = data;
    return (fender_box){{-e[0], -e[1], -e[2]}, {e[0], e[1], e[2]}};
}

static double length_or_none(random_stream *r) { return random_below(r, 8) ? random_magnitude(r, 0.03, 3) : 0; }

static fender_geometry *make(fender_geometry_type type, random_stream *r)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    double radius = length_or_none(r), half_length = length_or_none(r);
    fender_vec3 half = {length_or_none(r), length_or_none(r), length_or_none(r)}, points[20];
    int count = 1 + random_below(r, 20);
    for (int i = 0; i < count; i++) {
        points[i] = random_direction(r);
        points[i] = fender_vec3_make(half.x * points[i].x, half.y * points[i].y, half.z * points[i].z);
    }
    switch (type) {
    case FENDER_GEOMETRY_POINT: return fender_geometry_point(&env, &error);
    case FENDER_GEOMETRY_CAPSULE: return fender_geometry_capsule(&env, 0, half_length, &error);
    case FENDER_GEOMETRY_DISK: return fender_geometry_disk(&env, radius, &error);
    case FENDER_GEOMETRY_CYLINDER: return fender_geometry_cylinder(&env, radius, half_length, &error);
    case FENDER_GEOMETRY_CONE: return fender_geometry_cone(&env, radius, half_length, &error);
    case FENDER_GEOMETRY_BOX: return fender_geometry_box(&env, half, &error);
    case FENDER_GEOMETRY_ELLIPSOID: return fender_geometry_ellipsoid(&env, half, &error);
    case FENDER_GEOMETRY_USER: {
        const fender_geometry_class type_of_user = {sizeof type_of_user, "ellipsoid", user_bounds,
                                                    user_support,        NULL,        NULL};
        double data[3];
        for (int i = 0; i < 3; i++) data[i] = random_magnitude(r, 0.1, 1);
        return fender_geometry_user(&env, &type_of_user, data, sizeof data, &error);
    }
    default: return fender_geometry_hull(&env, points, count, &error);
    }
}

static long3 into(const fnd_posed *g, long3 n)
{
    long3 u = {0, 0, 0};
    long double *out[3] = {&u.x, &u.y, &u.z};
    for (int i = 0; i < 3; i++)
        *out[i] = (long double)g->R_WG.m[0][i] * n.x + (long double)g->R_WG.m[1][i] * n.y +
                  (long double)g->R_WG.m[2][i] * n.z;
    return u;
}

static long double along(const fnd_posed *a, const fnd_posed *b, long3 n)
{
    long3 p = {(long double)b->p_WG.x - a->p_WG.x, (long double)b->p_WG.y - a->p_WG.y,
               (long double)b->p_WG.z - a->p_WG.z};
    long3 back = {-n.x, -n.y, -n.z};
    return long_dot(n, p) - long_support(a->geometry, into(a, n)) - long_support(b->geometry, into(b, back));
}

typedef struct figures {
    double distance, inside, miss, climb;
    int apart, overlapping, refused;
} figures;

static void one_pose(fender_geometry_type type_a, fender_geometry_type type_b, random_stream *r, figures *f)
{
    fnd_posed a = {make(type_a, r), random_in_ball(r, 3), {{{0}}}}, b = {make(type_b, r), {0, 0, 0}, {{{0}}}};
    a.R_WG = fender_quaternion_matrix(random_rotation(r)), b.R_WG = fender_quaternion_matrix(random_rotation(r));
    if (random_below(r, 5) == 0) b.R_WG = a.R_WG;
    double size = a.geometry->bounding_radius + b.geometry->bounding_radius;
    fender_vec3 offset = fender_vec3_scale(random_between(r, 0.05, 1.6) * size, random_direction(r));
    b.p_WG = fender_vec3_add(a.p_WG, offset);
    double scale = larger(size, fender_vec3_length(offset));
    fnd_core_contact c = {0, random_direction(r), {0, 0, 0}, {0, 0, 0}};
    if (fender_vec3_length(offset) > 0) c.normal = fender_vec3_scale(1 / fender_vec3_length(offset), offset);
    /* the guess: the best of many, as a search of polytopes would leave it */
    long double best = -INFINITY;
    for (int i = 0; i < 60; i++) {
        fender_vec3 n = i ? random_direction(r) : c.normal;
        if (i > 20) {
            n = fender_vec3_add_scaled(c.normal, i > 40 ? 0.02 : 0.2, n);
            n = fender_vec3_scale(1 / fender_vec3_length(n), n);
        }
        long double s = along(&a, &b, long_of(n));
        if (s > best) best = s, c.normal = n;
    }
    if (scale == 0 || !fnd_refine_contact(&a, &b, &c)) {
        f->refused += size > 0;
    } else {
        double s = (double)along(&a, &b, long_of(c.normal));
        double error = fabs(s - c.distance) / scale;
        fender_vec3 gap = fender_vec3_add_scaled(fender_vec3_sub(c.point_b, c.point_a), -c.distance, c.normal);
        double miss = fender_vec3_length(gap) / scale, inside = 0;
        for (int i = 0; i < 40; i++) {
            fender_vec3 n = i ? random_direction(r) : c.normal;
            long3 at = long_of(c.point_a), na = into(&a, long_of(n)), m = long_of(fender_vec3_sub(c.point_b, offset));
            fender_vec3 back = fender_vec3_negate(n);
            double out_a = (double)(long_dot(long_of(n), at) - long_support(a.geometry, na));
            double out_b = (double)(long_dot(long_of(back), m) - long_support(b.geometry, into(&b, long_of(back))));
            inside = larger(inside, larger(out_a, out_b) / scale);
        }
        double climb = 0;
        if (c.distance < 0)
            for (int i = 0; i < 60; i++) {
                fender_vec3 n = fender_vec3_add_scaled(c.normal, random_magnitude(r, 1e-7, 1e-2), random_direction(r));
                climb = larger(climb, (double)(along(&a, &b, long_unit(long_of(n))) - (long double)s) / scale);
            }
        f->distance = larger(f->distance, error), f->miss = larger(f->miss, miss);
        f->inside = larger(f->inside, inside), f->climb = larger(f->climb, climb);
        if (c.distance > 0) f->apart++;
        else f->overlapping++;
    }
    fender_geometry_release((fender_geometry *)(uintptr_t)a.geometry);
    fender_geometry_release((fender_geometry *)(uintptr_t)b.geometry);
}

static void test_pairs(void **state)
{
    (void)state;
    for (int i = 0; i < TYPE_COUNT; i++)
        for (int j = i; j < TYPE_COUNT; j++) {
            figures f = {0};
            for (int k = 0; k < POSES; k++) {
                random_stream r = random_of_case(5200 + (uint64_t)(i * TYPE_COUNT + j), (uint64_t)k);
                one_pose(types[i], types[j], &r, &f);
            }
            print_message("%-9s %-9s apart %3d, overlapping %3d, refused %d: distance %.1e, opposite "
                          "%.1e, in the cores "
                          "%.1e, climb %.1e\n",
                          fender_geometry_type_name(types[i]), fender_geometry_type_name(types[j]), f.apart,
                          f.overlapping, f.refused, f.distance, f.miss, f.inside, f.climb);
            check_below(larger(f.distance, f.miss), 1e-14);
            bool user = types[j] == FENDER_GEOMETRY_USER; /* samples of its function stand for it: 1e-9 is asked for */
            check_below(larger(f.inside, f.climb), user ? 2e-9 : 2e-14);
            check_below(f.refused, user ? POSES / 50 : 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
