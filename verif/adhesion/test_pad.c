/* An adhesive pad pulled off glass, measured, beside the law pull_off_spring.
 *
 * Measured: A. D. Filippov, P. Sharma, F. Helmendach, J. A. Dijksman, R. C. Hidalgo, "Fibre bundle models as a
 * framework for the detachment dynamics of soft probabilistic fasteners", Front. Phys. 12 (2024) 1412352, with the
 * records in the repository lloxxa/DOI-10.3389-fphy.2024.1412352 (Mushrooms/Sample441, Sample_361: normal force and gap
 * at 0.5 mm/s, five pulls each; numbers.txt: the elements that hold). Pads of soft mushroom-shaped elements, 21 x 21
 * and 19 x 19, were pressed on with a preload and pulled off. Below are the means of the five pulls at each millimetre
 * (within 0.25 mm) from the place where the pad no longer pushes, less the force at the end of the record.
 *
 * Model: each element is a spring that breaks at a stretch; stretches follow Weibull's distribution, as in the paper.
 * Its three numbers are fitted to the first pad and used for the others, with the numbers of elements that hold there.
 */
/* items: P003 */
#include "check.h"
#include "verified.h"
#include <string.h>

enum { GROUPS = 40, POINTS = 16 };

typedef struct measured_pad {
    const char *name;
    double elements;      /* that hold; mean of five pulls */
    double force[POINTS]; /* mN at 0, 1, .. 15 mm */
    double peak, work;    /* mN, mN mm; means of the five pulls' own */
} measured_pad;
static const measured_pad pads[] = {
    {"21 x 21, preload 30.5 N",
     234.0,
     {8.5, 27.1, 49.2, 78.7, 119.6, 165.2, 221.8, 285.2, 323.4, 350.9, 348.5, 129.5, -1.5, 1.3, -1.1, -0.5},
     380,
     2096},
    {"21 x 21, preload 36.6 N",
     242.2,
     {6.5, 27.6, 49.6, 76.7, 113.8, 160.7, 215.8, 276.8, 333.0, 369.5, 355.3, 132.3, 0.0, -0.4, 0.7, -0.2},
     390,
     2120},
    {"19 x 19, preload 30 N",
     164.4,
     {-5.3, 12.2, 29.5, 48.7, 74.3, 108.8, 141.5, 179.2, 216.6, 240.0, 266.1, 273.7, 215.0, 111.7, 5.6, -0.1},
     299,
     1919},
};

/* Fitted to the first pad: N/m of an element, mean stretch [m] and exponent of the distribution. */
static const double stiffness = 0.16, stretch = 11e-3, exponent = 30;

static double breaking_stretch(int group) { return stretch * pow(-log(1 - (group + 0.5) / GROUPS), 1 / exponent); }

static void set(const fender_law *law, void *parameters, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, parameters, 0, value);
}

/* A pad that is too heavy to move, of as many points as there are groups, and a plate that is drawn away below it. */
static fender_world *pad_of(double elements, fender_body_id *pad)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error none = {0};
    const fender_law *law = fender_law_find(NULL, "pull_off_spring");
    def.step = 1e-3;
    fender_world *world = fender_world_create(&env, &def, &none);
    assert_non_null(world);
    fender_body_def plate = fender_body_def_default(), heavy = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    fender_body_id plate_id;
    fender_shape_id ground;
    plate.name = "plate";
    plate.motion = FENDER_MOTION_PRESCRIBED;
    plate.state.position.z = 1e-9; /* it has just touched */
    plate.state.velocity.z = -0.01;
    check_ok(fender_body_create(world, &plate, &plate_id, &error));
    shape.name = "glass";
    shape.geometry = fender_geometry_plane(&env, &none);
    check_ok(fender_shape_create(world, plate_id, &shape, &ground, &error));
    fender_geometry_release(shape.geometry);
    heavy.name = "pad";
    heavy.mass_properties.mass = 1e9;
    heavy.mass_properties.inertia = fender_mat3_diagonal(1e9, 1e9, 1e9);
    check_ok(fender_body_create(world, &heavy, pad, &error));
    for (int i = 0; i < GROUPS; i++) {
        double parameters[16];
        char name[16];
        double part = elements / GROUPS * stiffness;
        assert_true(law->parameters.size <= sizeof parameters);
        check_ok(fender_field_initialize(&law->parameters, parameters, law->parameters.size, &error));
        set(law, parameters, "stiffness", part);
        set(law, parameters, "pull_off", part * breaking_stretch(i));
        snprintf(name, sizeof name, "group_%d", i);
        fender_contact_type_def type = {.size = sizeof type, .name = name, .law = law, .law_parameters = parameters};
        fender_rule_def rule = {.size = sizeof rule, .kind = FENDER_RULE_SHAPES, .shape_a = ground};
        check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
        shape.name = name;
        shape.geometry = fender_geometry_point(&env, &none);
        shape.X_SG.p = fender_vec3_make(1e-3 * (i % 8), 1e-3 * (i / 8), 0);
        check_ok(fender_shape_create(world, *pad, &shape, &rule.shape_b, &error));
        fender_geometry_release(shape.geometry);
        check_ok(fender_rule_create(world, &rule, NULL, &error));
    }
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* What the springs that still hold give, mN. */
static double bundle(double elements, double x)
{
    double sum = 0;
    for (int i = 0; i < GROUPS; i++) sum += x < breaking_stretch(i) ? elements / GROUPS * stiffness * x : 0;
    return 1e3 * sum;
}

typedef struct pull {
    double force[POINTS], peak, work, rms; /* mN, mN mm, of the measured peak */
} pull;

static pull pull_off(const measured_pad *m)
{
    pull p = {.peak = 0};
    fender_body_id pad;
    fender_world *world = pad_of(m->elements, &pad);
    double square = 0, largest = 0;
    for (int n = 1; n <= 1500; n++) {
        fender_body_data data;
        check_ok(fender_world_step(world, &error));
        check_ok(fender_body_get(world, pad, FENDER_CLOCK_COMMITTED, &data));
        double x = 0.01 * n, force = -1e3 * data.contact_force.z; /* mm; mN, positive while the pad pulls */
        bool breaks = false;
        for (int i = 0; i < GROUPS; i++) breaks |= fabs(1e3 * breaking_stretch(i) - x) < 0.015;
        if (!breaks)
            check_near(force, bundle(m->elements, 1e-3 * x), 1e-3); /* 1e-9 m of depth at the start, and drift */
        p.peak = larger(p.peak, force);
        p.work += force * 0.01;
        if (n % 100 == 0) p.force[n / 100] = force;
    }
    for (int k = 0; k < POINTS; k++) {
        square += (p.force[k] - m->force[k]) * (p.force[k] - m->force[k]);
        largest = larger(largest, m->force[k]);
    }
    p.rms = sqrt(square / POINTS) / largest;
    fender_world_destroy(world);
    return p;
}

static void pads_come_off_as_measured(void **state)
{
    (void)state;
    static const double bounds[][2] = {{0.10, 0.08}, {0.10, 0.10}, {0.20, 0.25}}; /* of peak and work, see README.md */
    for (size_t i = 0; i < sizeof pads / sizeof pads[0]; i++) {
        pull p = pull_off(&pads[i]);
        print_message(
            "%s: peak %.0f mN (measured %.0f), work %.2f mJ (measured %.2f), rms of the curve %.2f of its peak\n",
            pads[i].name, p.peak, pads[i].peak, 1e-3 * p.work, 1e-3 * pads[i].work, p.rms);
        for (int k = 0; k < POINTS; k++)
            print_message("  %2d mm %6.1f mN (measured %.1f)\n", k, p.force[k], pads[i].force[k]);
        check_near(p.peak, pads[i].peak, bounds[i][0] * pads[i].peak);
        check_near(p.work, pads[i].work, bounds[i][1] * pads[i].work);
        check_below(p.rms, i < 2 ? 0.08 : 0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pads_come_off_as_measured)};
    return cmocka_run_group_tests_name("pad", tests, NULL, NULL);
}
