/* Relative poses and states of places against compositions done by hand; prescribed parents; the printed tree. */
/* items: B020 B021 B022 B040 B046 B048 */
#include "check.h"
#include "random_numbers.h"
#include <fender/fender.h>
#include <string.h>

typedef struct pages {
    int lines, of_child; /* of_child: the line that names the child, indented */
} pages;

static void keep_line(void *ctx, const char *line)
{
    pages *p = ctx;
    p->lines++;
    const char *name = strstr(line, "child");
    if (name && name > line && line[0] == ' ') p->of_child = p->lines;
}

/* root (moved evenly on a prescribed path) <- child at X, with a point at Y in the child. */
static void test_places(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 200; n++) {
        random_stream s = random_of_case(7303, n);
        fender_env env = fender_env_default();
        fender_world_def world_def = fender_world_def_default();
        fender_error no_world = {0};
        fender_world *world = fender_world_create(&env, &world_def, &no_world);
        assert_non_null(world);
        fender_body_id id[2];
        fender_body_def def[2];
        for (int i = 0; i < 2; i++) {
            def[i] = fender_body_def_default();
            def[i].name = i ? "child" : "root";
            def[i].motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_PRESCRIBED;
            def[i].mass_properties.mass = 1 + i;
            def[i].mass_properties.inertia = random_inertia(&s, 1, 1);
            def[i].state.position = random_in_ball(&s, 5);
            def[i].state.attitude = random_rotation(&s);
            def[i].state.velocity = random_in_ball(&s, 1);
            def[i].state.angular_velocity = random_in_ball(&s, 1);
            check_ok(fender_body_create(world, &def[i], &id[i], &error));
        }
        fender_pose X = {random_in_ball(&s, 2), random_rotation(&s)}, Y = {random_in_ball(&s, 2), random_rotation(&s)};
        fender_point_id point;
        check_ok(fender_point_create(world, id[1], "tip", Y, &point, &error));
        fender_attach_def link = fender_attach_def_default();
        link.child = id[1];
        link.parent = id[0];
        link.X_PC = X;
        check_ok(fender_body_attach(world, &link, NULL, &error));
        check_ok(fender_world_initialize(world, &error));
        fender_body_frame tip = {FENDER_BODY_FRAME_POINT, id[1], point},
                          root = {FENDER_BODY_FRAME_STRUCTURE, id[0], {0}};
        fender_pose there, back, both;
        check_ok(fender_body_frame_relative(world, tip, root, &there, &error));
        check_ok(fender_body_frame_relative(world, root, tip, &back, &error));
        fender_pose by_hand = fender_pose_product(X, Y);
        check_vector(there.p, by_hand.p, 1e-14);
        both = fender_pose_product(there, back);
        check_vector(both.p, fender_vec3_make(0, 0, 0), 1e-14);
        fender_body_state at;
        check_ok(fender_body_frame_state(world, tip, &at, &error));
        fender_vec3 arm = fender_quaternion_rotate(def[0].state.attitude, by_hand.p);
        fender_vec3 spin = fender_quaternion_rotate(def[0].state.attitude, def[0].state.angular_velocity);
        check_vector(at.position, fender_vec3_add(def[0].state.position, arm), 1e-13);
        check_vector(at.velocity, fender_vec3_add(def[0].state.velocity, fender_vec3_cross(spin, arm)), 1e-13);
        check_vector(fender_quaternion_rotate(at.attitude, at.angular_velocity), spin, 1e-13);
        pages p = {0, 0};
        fender_mass_tree_print(world, (fender_body_id){0}, keep_line, &p);
        assert_true(p.lines >= 2 && p.of_child >= 2);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
