/* Points, attached bodies, inertias in their six forms, states relative to others: against values found by hand. */
/* items: B003 B041 */
#include "collect.h"

#include <fender/fender.h>
#include <math.h>

#define MASS "mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}"

static void near_vector(fender_vec3 v, double x, double y, double z, double tolerance)
{
    fender_vec3 off = fender_vec3_sub(v, fender_vec3_make(x, y, z));
    if (fender_vec3_length(off) > tolerance)
        print_error("(%.17g %.17g %.17g), not (%g %g %g)\n", v.x, v.y, v.z, x, y, z);
    assert_true(fender_vec3_length(off) <= tolerance);
}

static fender_world *build(const char *text, fender_scenario **scenario)
{
    collection c;
    fender_env env = collecting_env(&c);
    *scenario = parse(text);
    fender_world *world = fender_scenario_build(*scenario, &env, NULL);
    print_collection(&c);
    assert_non_null(world);
    return world;
}

static fender_body_id body_of(const fender_world *world, const char *name)
{
    fender_body_id id;
    assert_int_equal(fender_body_find(world, name, &id), FENDER_STATUS_OK);
    return id;
}

static fender_body_frame point_of(const fender_world *world, const char *body, const char *name)
{
    fender_body_frame location = {.kind = FENDER_BODY_FRAME_POINT, .body = body_of(world, body)};
    assert_int_equal(fender_point_find(world, location.body, name, &location.point), FENDER_STATUS_OK);
    return location;
}

static fender_body_data data_of(const fender_world *world, const char *name)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, body_of(world, name), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static void finish(fender_world *world, fender_scenario *scenario)
{
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

static void points_and_patterns(void **state)
{
    (void)state;
    fender_scenario *s;
    fender_world *w = build(HEAD
                            "bodies:\n  a:\n    " MASS "\n    points:\n"
                            "      leg: {position: [1, 0, 2], pattern: {count: 4, about: [0, 0, 1]}}\n"
                            "      mast: {position: [0, 0, 50, cm], orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
                            "  b: {like: a}\n"
                            "loads: {push: {body: b, at: leg_2, force: {constant: [1, 0, 0, N]}}}\n",
                            &s);
    assert_int_equal(fender_point_count(w), 10);
    fender_body_id body;
    const char *name;
    fender_pose pose;
    fender_body_frame location = point_of(w, "b", "leg_2");
    assert_int_equal(fender_point_get(w, location.point, &body, &name, &pose), FENDER_STATUS_OK);
    assert_string_equal(name, "leg_2");
    near_vector(pose.p, 0, 1, 2, 0); /* a quarter turn is exact */
    near_vector(fender_quaternion_rotate(pose.q, fender_vec3_make(1, 0, 0)), 0, 1, 0, 1e-15);
    location = point_of(w, "a", "mast");
    assert_int_equal(fender_point_get(w, location.point, NULL, NULL, &pose), FENDER_STATUS_OK);
    near_vector(pose.p, 0, 0, 0.5, 0);
    fender_load_def load;
    assert_int_equal(fender_load_get_def(w, fender_load_at(w, 0), &load), FENDER_STATUS_OK);
    assert_false(load.at_center);
    near_vector(load.point, 0, 1, 2, 0);
    finish(w, s);
}

/* Forward references, chains, points and poses, `like`; each attached body is where its parent carries it. */
static void attached_bodies(void **state)
{
    (void)state;
    fender_scenario *s;
    fender_world *w = build(
        HEAD "bodies:\n"
             "  tip: {" MASS
             ", points: {root: {position: [-1, 0, 0], orientation: {axis: [0, 0, 1], angle: 180 deg}}},\n"
             "        attached: {by: root, to: arm.end}}\n"
             "  arm: {" MASS ", points: {end: {position: [3, 0, 0]}},\n"
             "        attached: {to: base, position: [0, 0, 2], orientation: {axis: [0, 0, 1], angle: 90 deg}}}\n"
             "  base: {" MASS ", state: {position: [10, 0, 0], velocity: [0, 1, 0], angular_velocity: [0, 0, 0.5]}}\n"
             "  twin: {like: arm, attached: {to: base, position: [0, 0, -2]}}\n",
        &s);
    assert_int_equal(fender_body_root(w, body_of(w, "tip")).index1, body_of(w, "base").index1);
    assert_int_equal(fender_body_parent(w, body_of(w, "tip")).index1, body_of(w, "arm").index1);
    assert_int_equal(fender_body_parent(w, body_of(w, "twin")).index1, body_of(w, "base").index1);
    fender_body_data base = data_of(w, "base"), tip = data_of(w, "tip");
    assert_true(fabs(base.mass - 8) < 1e-15 && fabs(base.core_mass - 2) < 1e-15);
    /* the end of the arm lies at (0, 3, 2) of the base; the tip's origin 1 m beyond, turned by a quarter turn */
    near_vector(tip.position, 10, 4, 2, 1e-14);
    near_vector(fender_quaternion_rotate(tip.attitude, fender_vec3_make(1, 0, 0)), 0, 1, 0, 1e-14);
    near_vector(tip.velocity, -2, 1, 0, 1e-14);
    near_vector(tip.angular_velocity, 0, 0, 0.5, 1e-15);
    /* what the reader says for programs is what the world does */
    fender_body_def def;
    assert_int_equal(fender_body_get_def(w, body_of(w, "tip"), &def), FENDER_STATUS_OK);
    near_vector(def.state.position, 10, 4, 2, 1e-14);
    near_vector(def.state.velocity, -2, 1, 0, 1e-14);
    fender_pose meeting;
    fender_error error = {0};
    assert_int_equal(
        fender_body_frame_relative(w, point_of(w, "tip", "root"), point_of(w, "arm", "end"), &meeting, &error),
        FENDER_STATUS_OK);
    near_vector(meeting.p, 0, 0, 0, 1e-15);
    near_vector(fender_quaternion_rotate(meeting.q, fender_vec3_make(1, 0, 0)), -1, 0, 0, 1e-15);
    near_vector(fender_quaternion_rotate(meeting.q, fender_vec3_make(0, 0, 1)), 0, 0, 1, 1e-15);
    finish(w, s);
}

/* A frame that turns carries what is placed in it: v = v_port + w x r + v_rel, all done by hand. */
static void relative_state(void **state)
{
    (void)state;
    fender_scenario *s;
    fender_world *w = build(
        HEAD "bodies:\n"
             "  chaser: {" MASS ", points: {nose: {position: [1, 0, 0]}},\n"
             "    state: {of: nose, relative_to: station.port, docked: true, position: [3, 0, 0],\n"
             "            velocity: [0, 0, 0.1], angular_velocity: [0.2, 0, 0]}}\n"
             "  station: {" MASS ", points: {port: {position: [2, 0, 0]}},\n"
             "    state: {position: [10, 0, 0], velocity: [0, 1, 0], angular_velocity: [0, 0, 0.5],\n"
             "            orientation: {axis: [0, 0, 1], angle: 90 deg}}}\n"
             "  rider: {" MASS ", state: {relative_to: station, position: [0, -1, 0]}}\n"
             "  own: {" MASS ", points: {eye: {position: [0, 0, 1], orientation: {axis: [1, 0, 0], angle: 90 deg}}},\n"
             "    state: {of: eye, position: [5, 0, 0], angular_velocity: [0, 0, 2]}}\n",
        &s);
    fender_body_data chaser = data_of(w, "chaser"), rider = data_of(w, "rider"), own = data_of(w, "own");
    near_vector(chaser.position, 10, 6, 0, 1e-14);
    near_vector(chaser.velocity, -3, 1, 0.1, 1e-14);
    near_vector(fender_quaternion_rotate(chaser.attitude, chaser.angular_velocity), 0, -0.2, 0.5, 1e-15);
    near_vector(fender_quaternion_rotate(chaser.attitude, fender_vec3_make(1, 0, 0)), 0, -1, 0, 1e-15);
    near_vector(rider.position, 11, 0, 0, 1e-14);
    near_vector(rider.velocity, 0, 1.5, 0, 1e-14);
    near_vector(rider.angular_velocity, 0, 0, 0.5, 1e-15);
    /* the eye looks up, with its z along -y of the body, and spins about it */
    near_vector(own.position, 5, -1, 0, 1e-14);
    near_vector(own.angular_velocity, 0, -2, 0, 1e-14);
    near_vector(own.velocity, 2, 0, 0, 1e-14);
    fender_body_state nose;
    assert_int_equal(fender_body_frame_state(w, point_of(w, "chaser", "nose"), &nose, NULL), FENDER_STATUS_OK);
    near_vector(nose.position, 10, 5, 0, 1e-14);
    near_vector(nose.velocity, -2.5, 1, 0.1, 1e-14);
    finish(w, s);
}

/* One body in six ways: 3 kg, centre (1, 2, 0), moments 1, 2, 2.5 about it in axes turned by a quarter turn about z. */
static void inertia_forms(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "inertia: [1, 2, 2.5], inertia_given: body",
        "inertia: [2, 1, 2.5], inertia_given: structure_cg",
        /* + 3 (r.r 1 - r r^T) */
        "inertia: [[14, -6, 0], [-6, 4, 0], [0, 0, 17.5]], inertia_given: structure",
        "inertia: [2.5, 2, 1], inertia_given: spec_cg, spec_orientation: {axis: [0, 1, 0], angle: 90 deg}",
        "inertia: [1, 5, 5.5], inertia_given: spec, spec_offset: [1, 0, 0]",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[600];
        fender_scenario *s;
        snprintf(text, sizeof text,
                 HEAD "bodies:\n  a:\n    mass_properties: {mass: 3, center_of_mass: [1, 2, 0], %s,\n"
                      "      body_axes: {axis: [0, 0, 1], angle: 90 deg}}\n",
                 forms[i]);
        fender_world *w = build(text, &s);
        fender_mass_properties core;
        assert_int_equal(fender_body_get_mass(w, body_of(w, "a"), FENDER_MASS_CORE, &core), FENDER_STATUS_OK);
        const double wanted[3] = {1, 2, 2.5};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                if (fabs(core.inertia.m[j][k] - (j == k ? wanted[j] : 0)) > 1e-14)
                    print_error("%s: [%d][%d] %.17g\n", forms[i], j, k, core.inertia.m[j][k]);
                assert_true(fabs(core.inertia.m[j][k] - (j == k ? wanted[j] : 0)) <= 1e-14);
            }
        finish(w, s);
    }
}

static void mass_only(void **state)
{
    (void)state;
    fender_scenario *s;
    fender_world *w = build(HEAD "bodies:\n  loose: {motion: mass_only, " MASS "}\n"
                                 "  held: {motion: mass_only, " MASS ", attached: {to: a, position: [1, 0, 0]}}\n"
                                 "  a: {" MASS "}\n",
                            &s);
    fender_body_state none;
    fender_body_frame location = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = body_of(w, "loose")};
    assert_int_equal(fender_body_frame_state(w, location, &none, NULL), FENDER_STATUS_STATE);
    near_vector(data_of(w, "held").position, 1, 0, 0, 0);
    assert_true(fabs(data_of(w, "a").mass - 4) < 1e-15);
    near_vector(data_of(w, "a").center_of_mass, 0.5, 0, 0, 1e-15);
    finish(w, s);
}

/* A thousand bodies in a chain, written from its end; one more is refused, and no stack is eaten by a long one. */
static void long_chains(void **state)
{
    (void)state;
    static char text[200000];
    for (int count = 1000; count <= 1001; count++) {
        size_t used = (size_t)snprintf(text, sizeof text, HEAD "bodies:\n");
        for (int i = 1; i < count; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "  b%d: {" MASS ", attached: {to: b%d}}\n", i,
                                     i + 1);
        snprintf(text + used, sizeof text - used, "  b%d: {" MASS ", state: {position: [1, 2, 3]}}\n", count);
        collection c;
        fender_scenario *s = parse_with(text, NULL, 0, &c);
        if (count == 1000) {
            assert_non_null(s);
            near_vector(s->bodies[0].def.state.position, 1, 2, 3, 0);
            fender_scenario_destroy(s);
        } else {
            assert_null(s);
            assert_int_equal(c.errors, 1);
            assert_non_null(strstr(c.list[0].message, "chain of bodies is too long"));
        }
    }
}

/* Paths of --set reach into actions and points. */
static void overrides(void **state)
{
    (void)state;
    collection c;
    static const char text[] = HEAD "bodies:\n  a: {" MASS ", points: {p: {position: [1, 0, 0]}}}\n"
                                    "actions:\n  go: {when: {time: 0.5 s}, do: [{emit: gone}]}\n";
    const fender_override good[] = {{"actions.go.when.time", "250 ms"}, {"bodies.a.points.p.position.y", "7"}};
    fender_scenario *s = parse_with(text, good, 2, &c);
    assert_non_null(s);
    assert_true(fabs(s->actions[0].when.time - 0.25) < 1e-15);
    near_vector(s->bodies[0].points[0].X_SP.p, 1, 7, 0, 0);
    assert_true(s->actions[0].once);
    assert_int_equal(s->event_count, 1);
    assert_string_equal(s->events[0].name, "gone");
    fender_scenario_destroy(s);
    const fender_override bad[] = {{"actions.gone.when.time", "1 s"}};
    assert_null(parse_with(text, bad, 1, &c));
    assert_int_equal(c.errors, 1);
    assert_non_null(strstr(c.list[0].message, "no action is named 'gone'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_patterns), cmocka_unit_test(attached_bodies), cmocka_unit_test(relative_state),
        cmocka_unit_test(inertia_forms),       cmocka_unit_test(mass_only),       cmocka_unit_test(overrides),
        cmocka_unit_test(long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
