/* Mass_10: the Apollo stack comes apart, docks twice and comes apart again; every snapshot against JEOD's. */
/* items: B062 B063 */
#include "replay.h"

typedef struct gaps {
    double center, velocity, attitude, rate;
} gaps;

/* Composite state of one body. `base`: what JEOD's has over ours: the start, which ours counts from, less how far snaps
 * displaced the body's tree, which JEOD books otherwise. */
static void compare_state(const fender_world *world, const replay_line *line, fender_vec3 base, fender_vec3 velocity,
                          gaps *g)
{
    fender_body_frame place = {FENDER_BODY_FRAME_COMPOSITE, replay_body(world, line->field[2]), {0}};
    fender_body_state is;
    check_ok(fender_body_frame_state(world, place, &is, &error));
    fender_vec3 p = fender_vec3_add(is.position, base), v = fender_vec3_add(is.velocity, velocity);
    g->center = larger(g->center, fender_vec3_length(fender_vec3_sub(p, replay_vector(line, 3))));
    g->velocity = larger(g->velocity, fender_vec3_length(fender_vec3_sub(v, replay_vector(line, 6))));
    /* JEOD's quaternion turns coordinates from inertial to body and is the conjugate of q_WB */
    fender_mat3 A = fender_quaternion_matrix(fender_quaternion_conjugate(replay_quaternion(line, 9)));
    fender_mat3 B = fender_quaternion_matrix(is.attitude);
    g->attitude = larger(g->attitude, matrix_gap(&A, &B));
    g->rate = larger(g->rate, fender_vec3_length(fender_vec3_sub(is.angular_velocity, replay_vector(line, 13))));
}

/* All bodies need the state of the stack before it is built: the command module's, from the first `state` line. */
static void read_start(fender_vec3 *position, fender_vec3 *velocity, fender_quaternion *q_WB, fender_vec3 *rate_B)
{
    FILE *file = replay_open("apollo.tsv");
    replay_line line;
    while (replay_next(file, &line))
        if (!strcmp(line.field[1], "state") && !strcmp(line.field[2], "cm")) break;
    *position = replay_vector(&line, 3);
    *velocity = replay_vector(&line, 6);
    *q_WB = fender_quaternion_conjugate(replay_quaternion(&line, 9));
    *rate_B = replay_vector(&line, 13);
    fclose(file);
}

static void test_apollo(void **state)
{
    (void)state;
    fender_vec3 start, velocity, rate_B;
    fender_quaternion q_WB;
    read_start(&start, &velocity, &q_WB, &rate_B);
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error no_world = {0};
    fender_world *world = fender_world_create(&env, &def, &no_world);
    assert_non_null(world);
    FILE *file = replay_open("apollo.tsv");
    replay_line line;
    bool started = false;
    int snapshots = 0, attaches = 0;
    replay_gaps mass = {0};
    gaps g = {0};
    fender_vec3 shift[8] = {{0, 0, 0}};
    double worst_linear = 0, worst_angular = 0;
    const double momentum_scale = 2.948e6; /* the stack at 1 m/s, about what its parts have */
    while (replay_next(file, &line)) {
        const char *operation = line.field[1];
        if (!strcmp(operation, "body")) {
            fender_body_def body = replay_def(&line);
            if (strcmp(body.name, "dm") != 0) body.motion = FENDER_MOTION_DYNAMIC;
            check_ok(fender_body_create(world, &body, NULL, &error));
        } else if (!strcmp(operation, "advance")) {
            if (!started) {
                /* the composite's motion makes that of the command module's structure; it is at rest here, for at
                 * 7.7 km/s the rounding of positions hides what becomes of angular momentum */
                fender_body_id cm = replay_body(world, "cm");
                fender_body_frame whole = {FENDER_BODY_FRAME_COMPOSITE, cm, {0}},
                                  frame = {FENDER_BODY_FRAME_STRUCTURE, cm, {0}};
                fender_pose X;
                check_ok(fender_body_frame_relative(world, frame, whole, &X, &error));
                fender_vec3 arm = fender_quaternion_rotate(q_WB, X.p);
                fender_vec3 spin = fender_quaternion_rotate(q_WB, rate_B);
                fender_body_state s;
                s.attitude = fender_quaternion_product(q_WB, X.q);
                s.position = arm;
                s.velocity = fender_vec3_cross(spin, arm);
                s.angular_velocity = fender_quaternion_rotate(fender_quaternion_conjugate(X.q), rate_B);
                check_ok(fender_body_set_state(world, cm, &s, &error));
                check_ok(fender_world_initialize(world, &error));
                started = true;
            }
            int64_t steps = (int64_t)(replay_number(&line, 2) * 100 + 0.5) - fender_world_step_count(world);
            check_ok(fender_world_advance(world, steps, &error));
            snapshots++;
        } else if (!strcmp(operation, "expect")) {
            replay_compare(world, &line, &mass);
        } else if (!strcmp(operation, "state")) {
            fender_vec3 base = fender_vec3_add_scaled(start, fender_world_time(world), velocity);
            base = fender_vec3_sub(base, shift[replay_body(world, line.field[2]).index1 - 1]);
            compare_state(world, &line, base, velocity, &g);
        } else {
            fender_attach_report report = {0};
            fender_ledger ledger;
            fender_attach_def placed = fender_attach_def_default();
            if (!started && !strcmp(operation, "join")) {
                placed.pose = FENDER_ATTACH_POSED;
                placed.child = replay_body(world, line.field[2]);
                placed.parent = replay_body(world, line.field[4]);
                fender_point_find(world, placed.child, line.field[3], &placed.child_point);
                fender_point_find(world, placed.parent, line.field[5], &placed.parent_point);
                check_ok(fender_body_attach(world, &placed, NULL, &error));
                continue;
            }
            assert_true(replay_operation(world, &line, &report));
            if (!started) continue;
            if (!strcmp(operation, "join")) {
                attaches++;
                fender_body_id root = replay_body(world, "cm");
                shift[root.index1 - 1] = fender_vec3_add(shift[root.index1 - 1], report.parent_displacement);
                for (int i = 0; i < 8; i++)
                    if (fender_body_root(world, fender_body_at(world, i)).index1 == root.index1)
                        shift[i] = shift[root.index1 - 1];
            }
            fender_world_ledger(world, &ledger);
            worst_linear = larger(worst_linear, ledger.linear_drift / momentum_scale);
            worst_angular = larger(worst_angular, ledger.angular_drift / fender_vec3_length(ledger.angular_momentum));
        }
        if (!strcmp(operation, "advance") || !strcmp(operation, "detach") || !strcmp(operation, "join"))
            printf(
                "%-8s %-4s so far: pose %.1e mass %.1e centre %.1e inertia %.1e | position %.1e velocity %.1e attitude "
                "%.1e rate %.1e\n",
                operation, line.field[2], mass.pose, mass.mass, mass.center, mass.inertia, g.center, g.velocity,
                g.attitude, g.rate);
    }
    fclose(file);
    fender_world_destroy(world);
    printf("all: pose %.2e, mass %.2e, centre %.2e, inertia %.2e; position %.2e m, velocity %.2e m/s, attitude %.2e, "
           "rate %.2e rad/s; drift linear %.2e, angular %.2e\n",
           mass.pose, mass.mass, mass.center, mass.inertia, g.center, g.velocity, g.attitude, g.rate, worst_linear,
           worst_angular);
    assert_int_equal(snapshots, 14);
    assert_int_equal(attaches, 2);
    check_below(mass.pose, 1e-12);
    check_below(mass.mass, 1e-14);
    check_below(mass.center, 1e-12);
    check_below(mass.inertia, 1e-13);
    check_below(worst_linear, 1e-12);
    check_below(worst_angular, 1e-12);
    check_below(g.rate, 3e-9);
    check_below(g.attitude, 1e-8);
    check_below(g.velocity, 3e-9);
    check_below(g.center, 5e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_apollo)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
