/* Only what a change of a tree touches is computed again: the bodies from the change up to the root, so an operation
 * costs as its depth. */
/* items: B034 B039 */
#include "check.h"
#include "random_numbers.h"
#include "world/world.h"
#include <fender/fender.h>
#include <stdio.h>

enum { BODIES = 200 };
static const double mark = -7; /* no inverse inertia is negative; sums over children never read it */

static fender_world *forest(void)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    for (int i = 0; i < BODIES; i++) {
        char name[24];
        snprintf(name, sizeof name, "b%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = 1 + 0.01 * i;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1.2, 1.4);
        check_ok(fender_body_create(world, &body, NULL, &error));
    }
    return world;
}

static void mark_all(fender_world *world)
{
    for (int i = 0; i < BODIES; i++) world->model.bodies[i].inverse_inertia.m[0][0] = mark;
}

/* The bodies computed anew are those from `first` up to its root, no more and no less. Returns how many. */
static int check_path(const fender_world *world, int first)
{
    int computed = 0, depth = 0;
    for (int i = 0; i < BODIES; i++) {
        bool anew = world->model.bodies[i].inverse_inertia.m[0][0] != mark;
        bool above = first >= 0 && fnd_tree_descends(world->model.bodies, first, i);
        if (anew != above) fail_msg("body %d: computed %d, on the path %d", i, anew, above);
        computed += anew;
    }
    for (int i = first; i >= 0; i = world->model.bodies[i].parent) depth++;
    assert_int_equal(computed, depth);
    return depth;
}

/* The body farthest from its root of those that were computed. Where reattaching hangs bodies on others, it is below
 * the link that moved, and otherwise the parent. */
static int deepest_anew(const fender_world *world)
{
    int found = -1, depth = 0;
    for (int i = 0; i < BODIES; i++) {
        int height = 1;
        for (int k = world->model.bodies[i].parent; k >= 0; k = world->model.bodies[k].parent) height++;
        if (world->model.bodies[i].inverse_inertia.m[0][0] != mark && height > depth) found = i, depth = height;
    }
    return found;
}

static int index_of(fender_body_id id) { return (int)id.index1 - 1; }

static void paths(void **state)
{
    (void)state;
    fender_world *world = forest();
    random_stream r = random_of_case(311, 0);
    int done[4] = {0}, deepest = 0;
    for (int n = 0; n < 20000; n++) {
        fender_body_id body = fender_body_at(world, random_below(&r, BODIES));
        fender_body_id other = fender_body_at(world, random_below(&r, BODIES));
        int kind = random_below(&r, 8), depth = 0;
        mark_all(world);
        if (kind == 0) {
            fender_mass_properties core = {random_between(&r, 1, 2), random_in_ball(&r, 1),
                                           fender_mat3_diagonal(1, 1.1, 1.2)};
            check_ok(fender_body_set_mass(world, body, &core, &error));
            depth = check_path(world, index_of(body));
            done[0]++;
        } else if (kind == 1 && index_of(fender_body_parent(world, body)) >= 0) {
            int parent = index_of(fender_body_parent(world, body));
            check_ok(fender_body_detach(world, body, (fender_body_id){0}, FENDER_DETACH_TREE, NULL, &error));
            depth = check_path(world, parent);
            done[1]++;
        } else if (kind == 2 && index_of(fender_body_parent(world, body)) >= 0) {
            fender_pose X = {random_in_ball(&r, 2), random_rotation(&r)};
            check_ok(fender_body_reattach(world, body, X, NULL, &error));
            depth = check_path(world, deepest_anew(world));
            done[2]++;
        } else if (kind > 2) {
            fender_attach_def def = fender_attach_def_default();
            def.child = body;
            def.parent = other;
            def.pose = FENDER_ATTACH_POSED;
            def.X_PC = (fender_pose){random_in_ball(&r, 2), random_rotation(&r)};
            bool refused = fender_body_attach(world, &def, NULL, NULL) != FENDER_STATUS_OK;
            depth = check_path(world, refused ? -1 : index_of(other));
            done[3] += !refused;
        }
        if (depth > deepest) deepest = depth;
    }
    print_message("%d bodies: %d masses set, %d detached, %d reattached, %d attached; deepest path %d\n", BODIES,
                  done[0], done[1], done[2], done[3], deepest);
    assert_true(deepest > 10 && done[0] > 100 && done[1] > 100 && done[2] > 100 && done[3] > 100);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
