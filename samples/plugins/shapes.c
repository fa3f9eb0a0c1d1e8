/* A plug-in with two geometries: a spherical shell by its signed distance, and a lens by its support function.
 * Build: cc -shared -fPIC -o shapes.so shapes.c -lm */
#include <fender/plugin.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- shell: what lies between two spheres about the origin */

typedef struct shell {
    double inner_radius, outer_radius;
} shell;

static const fender_field shell_fields[] = {
    {"inner_radius", "m", "Radius of the hollow.", FENDER_FIELD_REAL, offsetof(shell, inner_radius),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"outer_radius", "m", "Radius of the whole.", FENDER_FIELD_REAL, offsetof(shell, outer_radius),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
};

/* What the ranges of the table cannot say. */
static fender_status shell_check(const void *parameters, fender_error *error)
{
    const shell *s = parameters;
    if (s->inner_radius < s->outer_radius) return FENDER_STATUS_OK;
    if (error)
        *error = (fender_error){.status = FENDER_STATUS_VALUE,
                                .path = "inner_radius",
                                .message = "the hollow of a shell is not smaller than the shell",
                                .expected = "less than outer_radius",
                                .suggestion = "are the two radii exchanged?"};
    return FENDER_STATUS_VALUE;
}

static fender_box shell_bounds(const void *data)
{
    const double r = ((const shell *)data)->outer_radius;
    return (fender_box){{-r, -r, -r}, {r, r, r}};
}

static double shell_distance(const void *data, fender_vec3 point, fender_vec3 *outward)
{
    const shell *s = data;
    double r = sqrt(point.x * point.x + point.y * point.y + point.z * point.z);
    double inner = s->inner_radius - r, outer = r - s->outer_radius;
    fender_vec3 up = {0, 0, 1};
    if (r > 0) up = (fender_vec3){point.x / r, point.y / r, point.z / r};
    *outward = inner > outer ? (fender_vec3){-up.x, -up.y, -up.z} : up;
    return inner > outer ? inner : outer;
}

static fender_mass_properties shell_mass(const void *data, double density)
{
    const shell *s = data;
    double r = s->inner_radius, R = s->outer_radius, r3 = r * r * r, R3 = R * R * R;
    double mass = density * 4 * pi / 3 * (R3 - r3), about = 0.4 * mass * (R3 * R * R - r3 * r * r) / (R3 - r3);
    return (fender_mass_properties){mass, {0, 0, 0}, {{{about, 0, 0}, {0, about, 0}, {0, 0, about}}}};
}

static const fender_geometry_class shell_class = {.size = sizeof(fender_geometry_class),
                                                  .name = "shell",
                                                  .bounds = shell_bounds,
                                                  .signed_distance = shell_distance,
                                                  .mass_properties = shell_mass};
static const fender_geometry_kind shell_kind = {sizeof(fender_geometry_kind),
                                                "shell",
                                                "What lies between two spheres about the origin.",
                                                FENDER_FIELD_TABLE("shell", shell_fields, shell),
                                                &shell_class,
                                                shell_check};

/* ---- lens: two caps of spheres on the same rim, about z */

typedef struct lens {
    double radius, thickness;
} lens;

static const fender_field lens_fields[] = {
    {"radius", "m", "Radius of the rim.", FENDER_FIELD_REAL, offsetof(lens, radius),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"thickness", "m", "From pole to pole, at most the diameter of the rim.", FENDER_FIELD_REAL,
     offsetof(lens, thickness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
};

static fender_box lens_bounds(const void *data)
{
    const lens *l = data;
    return (fender_box){{-l->radius, -l->radius, -l->thickness / 2}, {l->radius, l->radius, l->thickness / 2}};
}

/* Of the sphere whose cap is half of the lens. */
static double cap_radius(const lens *l)
{
    double h = l->thickness / 2;
    return (l->radius * l->radius + h * h) / (2 * h);
}

static fender_vec3 lens_support(const void *data, fender_vec3 d)
{
    const lens *l = data;
    double across = sqrt(d.x * d.x + d.y * d.y), length = sqrt(across * across + d.z * d.z), R = cap_radius(l);
    if (!(length > 0)) return (fender_vec3){0, 0, 0};
    if (across * R >= l->radius * length) return (fender_vec3){l->radius * d.x / across, l->radius * d.y / across, 0};
    double up = d.z > 0 ? 1 : -1;
    return (fender_vec3){R * d.x / length, R * d.y / length, R * d.z / length - up * (R - l->thickness / 2)};
}

static const fender_geometry_class lens_class = {
    .size = sizeof(fender_geometry_class), .name = "lens", .bounds = lens_bounds, .support = lens_support};
static const fender_geometry_kind lens_kind = {sizeof(fender_geometry_kind),
                                               "lens",
                                               "Two caps of spheres on the same rim.",
                                               FENDER_FIELD_TABLE("lens", lens_fields, lens),
                                               &lens_class,
                                               NULL};

const fender_plugin *fender_plugin_entry(void)
{
    static const fender_geometry_kind *const geometries[] = {&shell_kind, &lens_kind, NULL};
    static const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "shapes", NULL, geometries};
    return &plugin;
}
