/* The matrix under test: geometries, each with its oracle's description. */
#include "check.h"
#include "matrix.h"

const char *const matrix_type_names[MATRIX_TYPE_COUNT] = {"point",    "sphere", "capsule",   "disk", "box",
                                                          "cylinder", "cone",   "ellipsoid", "hull", "user",
                                                          "plane",    "cloud",  "field"};

/* ---- a user's geometry: the hull of two spheres on the z axis ---- */
typedef struct taper {
    double low_radius, high_radius, half_length;
} taper;

static fender_box taper_bounds(const void *data)
{
    const taper *t = data;
    double r = t->low_radius > t->high_radius ? t->low_radius : t->high_radius;
    return (fender_box){{-r, -r, -t->half_length - r}, {r, r, t->half_length + r}};
}
static fender_vec3 taper_support(const void *data, fender_vec3 d)
{
    const taper *t = data;
    double length = fender_vec3_length(d);
    if (!(length > 0)) return fender_vec3_make(0, 0, t->half_length);
    double low = t->low_radius * length - t->half_length * d.z, high = t->high_radius * length + t->half_length * d.z;
    fender_vec3 p = fender_vec3_scale((low > high ? t->low_radius : t->high_radius) / length, d);
    p.z += low > high ? -t->half_length : t->half_length;
    return p;
}
static const fender_geometry_class taper_class = {
    .size = sizeof(fender_geometry_class), .name = "taper", .bounds = taper_bounds, .support = taper_support};

/* Distance of the nearest point of the surface: on one of the spheres or on the cone that touches both. */
static double taper_distance(const void *data, fender_vec3 p, fender_vec3 *outward)
{
    const taper *t = data;
    double rho = sqrt(p.x * p.x + p.y * p.y), length = 2 * t->half_length, low = p.z + t->half_length;
    double difference = t->low_radius - t->high_radius;
    bool one_holds_other = fabs(difference) >= length;
    double sine = one_holds_other ? 0 : difference / length, cosine = sqrt(1 - sine * sine);
    double along = cosine * low - sine * rho, radius = t->low_radius, up = low;
    if (one_holds_other ? difference < 0 : along > cosine * length) radius = t->high_radius, up = low - length;
    else if (!one_holds_other && along >= 0) {
        double x = rho > 0 ? p.x / rho : 1, y = rho > 0 ? p.y / rho : 0;
        *outward = fender_vec3_make(cosine * x, cosine * y, sine);
        return cosine * rho + sine * low - t->low_radius;
    }
    fender_vec3 from = {p.x, p.y, up};
    double distance = fender_vec3_length(from);
    *outward = distance > 0 ? fender_vec3_scale(1 / distance, from) : fender_vec3_make(1, 0, 0);
    return distance - radius;
}
static const fender_geometry_class field_class = {.size = sizeof(fender_geometry_class),
                                                  .name = "taper field",
                                                  .bounds = taper_bounds,
                                                  .signed_distance = taper_distance};

/* ---- sizes ---- */
static double size_of(random_stream *r, matrix_flavour flavour)
{
    switch (flavour) {
    case MATRIX_SMALL: return random_magnitude(r, 1e-3, 3e-2);
    case MATRIX_LARGE: return random_magnitude(r, 1, 10);
    default: return random_magnitude(r, 0.05, 5);
    }
}
static double length_of(random_stream *r, matrix_flavour flavour, double size)
{
    if (flavour == MATRIX_DEGENERATE && random_below(r, 2)) return 0;
    return size * (random_below(r, 5) ? random_magnitude(r, 0.1, 1) : random_magnitude(r, 3e-3, 1));
}

static int hull_points(random_stream *r, matrix_flavour flavour, double size, fender_vec3 *points)
{
    int count = 4 + random_below(r, 21), kind = random_below(r, 5);
    fender_vec3 stretch = {1, 1, 1};
    if (flavour == MATRIX_DEGENERATE) {
        count = 1 + random_below(r, 12);
        if (kind > 0) stretch.z = 0; /* flat, a segment, a point */
        if (kind > 2) stretch.y = 0;
        if (kind > 3) stretch.x = 0;
    } else if (random_below(r, 3) == 0) stretch.z = random_magnitude(r, 0.01, 1);
    if (flavour != MATRIX_DEGENERATE && kind == 0) { /* a prism: parallel faces, many points in one plane */
        int sides = 3 + random_below(r, 10);
        for (int i = 0; i < sides; i++) {
            double t = 6.283185307179586 * i / sides;
            points[i] = fender_vec3_make(size * cos(t), size * sin(t), -size * stretch.z);
            points[sides + i] = fender_vec3_make(points[i].x, points[i].y, size * stretch.z);
        }
        return 2 * sides;
    }
    for (int i = 0; i < count; i++) {
        fender_vec3 p = kind == 1 ? random_direction(r) : random_in_ball(r, 1);
        points[i] = fender_vec3_make(size * stretch.x * p.x, size * stretch.y * p.y, size * stretch.z * p.z);
        if (flavour == MATRIX_DEGENERATE && i > 0 && random_below(r, 4) == 0) points[i] = points[i - 1];
    }
    return count;
}

static void make_item(matrix_item *item, matrix_type type, matrix_flavour flavour, random_stream *r)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    oracle_shape *s = &item->shape;
    double size = size_of(r, flavour), u = length_of(r, flavour, size), v = length_of(r, flavour, size),
           w = length_of(r, flavour, size);
    bool round = false;
    fender_geometry *g = NULL;
    *s = (oracle_shape){.kind = ORACLE_POINT};
    switch (type) {
    case MATRIX_POINT: g = fender_geometry_point(&env, &error); break;
    case MATRIX_SPHERE:
        s->rounding = u;
        g = fender_geometry_sphere(&env, u, &error);
        break;
    case MATRIX_CAPSULE:
        s->kind = ORACLE_SEGMENT, s->half_length = u, s->rounding = v;
        g = fender_geometry_capsule(&env, v, u, &error);
        break;
    case MATRIX_DISK:
        s->kind = ORACLE_DISK, s->radius = u, round = true;
        g = fender_geometry_disk(&env, u, &error);
        break;
    case MATRIX_BOX:
        s->kind = ORACLE_BOX, s->half = fender_vec3_make(u, v, w), round = true;
        g = fender_geometry_box(&env, s->half, &error);
        break;
    case MATRIX_CYLINDER:
        s->kind = ORACLE_CYLINDER, s->radius = u, s->half_length = v, round = true;
        g = fender_geometry_cylinder(&env, u, v, &error);
        break;
    case MATRIX_CONE:
        s->kind = ORACLE_CONE, s->radius = u, s->half_length = v, round = true;
        g = fender_geometry_cone(&env, u, v, &error);
        break;
    case MATRIX_ELLIPSOID:
        s->kind = ORACLE_ELLIPSOID, s->half = fender_vec3_make(u, v, w), round = true;
        if (random_below(r, 4) == 0) s->half.y = u; /* of revolution */
        g = fender_geometry_ellipsoid(&env, s->half, &error);
        break;
    case MATRIX_HULL:
        s->kind = ORACLE_POINTS, s->points = item->points, round = true;
        s->count = hull_points(r, flavour, size, item->points);
        g = fender_geometry_hull(&env, item->points, s->count, &error);
        break;
    case MATRIX_CLOUD:
        s->kind = ORACLE_POINTS, s->points = item->points;
        s->count = hull_points(r, flavour, size, item->points);
        g = fender_geometry_cloud(&env, item->points, s->count, &error);
        break;
    case MATRIX_USER:
    case MATRIX_FIELD: {
        s->kind = ORACLE_TAPER, s->radius = u, s->half.x = v, s->half_length = w, round = type == MATRIX_USER;
        taper data = {u, v, w};
        g = fender_geometry_user(&env, type == MATRIX_USER ? &taper_class : &field_class, &data, sizeof data, &error);
        break;
    }
    case MATRIX_PLANE:
        s->kind = ORACLE_HALF_SPACE;
        g = fender_geometry_plane(&env, &error);
        break;
    case MATRIX_TYPE_COUNT: break;
    }
    if (g && round && random_below(r, 3) == 0) {
        s->rounding = size * random_magnitude(r, 0.01, 1);
        fender_geometry *sharp = g;
        g = fender_geometry_rounded(sharp, s->rounding, &error);
        fender_geometry_release(sharp);
    }
    if (!g) fail_msg("%s: %s %s", matrix_type_names[type], error.message, error.found);
    item->geometry = g, item->field = type == MATRIX_FIELD;
    double core = 0;
    for (int i = 0; i < s->count; i++) {
        double length = fender_vec3_length(s->points[i]);
        core = length > core ? length : core;
    }
    if (s->kind == ORACLE_TAPER) core = s->half_length + (s->radius > s->half.x ? s->radius : s->half.x);
    else if (s->kind == ORACLE_ELLIPSOID)
        core = s->half.x > s->half.y ? (s->half.x > s->half.z ? s->half.x : s->half.z)
                                     : (s->half.y > s->half.z ? s->half.y : s->half.z);
    else if (s->kind != ORACLE_POINTS)
        core = sqrt(s->radius * s->radius + s->half_length * s->half_length + fender_vec3_dot(s->half, s->half));
    s->size = core + s->rounding;
}

void matrix_pool_create(matrix_pool *pool, matrix_type type)
{
    for (int f = 0; f < MATRIX_FLAVOURS; f++)
        for (int i = 0; i < MATRIX_POOL; i++) {
            random_stream r = random_of_case(7100 + (uint64_t)type, (uint64_t)(f * MATRIX_POOL + i));
            make_item(&pool->items[f][i], type, (matrix_flavour)f, &r);
        }
}

void matrix_pool_destroy(matrix_pool *pool)
{
    for (int f = 0; f < MATRIX_FLAVOURS; f++)
        for (int i = 0; i < MATRIX_POOL; i++) fender_geometry_release(pool->items[f][i].geometry);
}
