/* The stiffness of pairs that `fender check` shows, against closed forms. */
#include "check.h"
#include <fender/advice.h>

typedef struct pair {
    fender_world *world;
    fender_shape_id a, b;
    fender_contact_type_def type;
    union {
        double align;
        char bytes[256];
    } parameters;
} pair;

static void set(pair *p, const char *name, double value)
{
    const fender_field *field = fender_field_find(&p->type.law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, p->parameters.bytes, 0, value);
}

/* A body of 2 kg under 9.81 m/s^2 above a plane, turned about y. */
static void build(pair *p, const char *law, fender_geometry *geometry, double angle, double down)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration.z = -9.81;
    p->world = fender_world_create(&env, &def, NULL);
    p->type = (fender_contact_type_def){
        .size = sizeof(fender_contact_type_def), .name = "t", .law = fender_law_find(NULL, law)};
    p->type.law_parameters = p->parameters.bytes;
    (void)fender_field_initialize(&p->type.law->parameters, p->parameters.bytes, sizeof p->parameters.bytes, NULL);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        fender_body_id id;
        body.name = i == 0 ? "ground" : "body";
        body.motion = i == 0 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        body.mass_properties.mass = 2;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        if (i == 1) {
            body.state.position.z = 3;
            body.state.velocity.z = -down;
            body.state.attitude = (fender_quaternion){cos(angle / 2), 0, sin(angle / 2), 0};
        }
        check_ok(fender_body_create(p->world, &body, &id, &error));
        shape.name = "s";
        shape.geometry = i == 0 ? fender_geometry_plane(&env, NULL) : geometry;
        check_ok(fender_shape_create(p->world, id, &shape, i == 0 ? &p->a : &p->b, &error));
        fender_geometry_release(shape.geometry);
    }
    check_ok(fender_world_initialize(p->world, &error));
}

static fender_pair_advice advise(pair *p)
{
    fender_pair_advice advice = fender_advise_pair(p->world, p->a, p->b, &p->type);
    fender_world_destroy(p->world);
    return advice;
}

static const double pi = 3.14159265358979323846, weight = 2 * 9.81;

/* A face that is down has the law's stiffness, whatever it is; in an impact the load is v sqrt(k m). */
static void flat(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        pair p = {0};
        fender_env own = fender_env_default();
        build(&p, "spring_damper", fender_geometry_box(&own, (fender_vec3){0.1, 0.2, 0.05}, NULL), 0, fast ? 0.5 : 0);
        set(&p, "stiffness", 2e5);
        fender_pair_advice a = advise(&p);
        double load = fast ? 0.5 * sqrt(2e5 * 2) : weight;
        assert_true(a.known);
        check_near(a.mass, 2, 1e-15);
        check_near(a.stiffness, 2e5, 0);
        check_near(a.full_stiffness, 2e5, 0);
        check_near(a.load / load, 1, 1e-12);
        check_near(a.depth, load / 2e5, 1e-9 * a.depth);
        check_near(a.frequency, sqrt(2e5 / 2) / (2 * pi), 1e-12 * a.frequency);
    }
}

/* Turned by 30 degrees it stands on an edge: the part d / (sin cos) of its width of 0.2 m is down, and the force of a
 * foundation that k / width is spread over is k d^2 / (2 width sin cos). Tolerance: the solution by Newton's method and
 * the difference that stands for the derivative, 1e-6 of a quadratic. */
static void edge(void **state)
{
    (void)state;
    pair p = {0};
    fender_env own = fender_env_default();
    double angle = 30 * pi / 180;
    build(&p, "spring_damper", fender_geometry_box(&own, (fender_vec3){0.1, 0.2, 0.05}, NULL), angle, 0);
    set(&p, "stiffness", 2e5);
    fender_pair_advice a = advise(&p);
    assert_true(a.known);
    check_below(a.stiffness, 0.5 * a.full_stiffness);
    check_near(a.depth / sqrt(weight * 2 * 0.2 * sin(angle) * cos(angle) / 2e5), 1, 1e-6);
    check_near(a.stiffness * a.depth / weight, 2, 1e-5); /* force as the square of the depth */
    check_near(a.full_stiffness, 2e5, 0);
}

/* Hertz: K = 4/3 E* sqrt(R), depth (weight / K)^(2/3), tangent 3/2 K sqrt(depth). Tolerance: the difference. */
static void ball(void **state)
{
    (void)state;
    pair p = {0};
    fender_env own = fender_env_default();
    build(&p, "hertz", fender_geometry_sphere(&own, 0.04, NULL), 0, 0);
    set(&p, "modulus", 3e7);
    fender_pair_advice a = advise(&p);
    double K = 4.0 / 3 * 3e7 * 0.2, depth = pow(weight / K, 2.0 / 3);
    check_near(a.depth / depth, 1, 1e-7);
    check_near(a.stiffness / (1.5 * K * sqrt(depth)), 1, 1e-6);
    check_near(a.full_stiffness, a.stiffness, 0);
}

/* Each point of a cloud has the law's stiffness. */
static void points(void **state)
{
    (void)state;
    static const fender_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    pair p = {0};
    fender_env own = fender_env_default();
    build(&p, "spring_damper", fender_geometry_cloud(&own, corners, 3, NULL), 0, 0);
    set(&p, "stiffness", 1e4);
    fender_pair_advice a = advise(&p);
    check_near(a.stiffness / 3e4, 1, 1e-9);
    check_near(a.full_stiffness, 1e4, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat), cmocka_unit_test(edge), cmocka_unit_test(ball),
                                       cmocka_unit_test(points)};
    return cmocka_run_group_tests_name("stiffness of pairs", tests, NULL, NULL);
}
