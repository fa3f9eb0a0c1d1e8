/* Random trees, random operations: composites against direct sums, momentum, undo, refusals, memory. */
/* items: B005 B007 B010 B014 B017 B019 B024 B025 B028 B031 B035 B036 B038 B068 */
#include "check.h"
#include "random_numbers.h"
#include "repeats.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

enum { most_bodies = 50 };

typedef struct counter {
    int64_t blocks, bytes;
} counter;

static void *count_allocate(void *ctx, size_t size, size_t alignment)
{
    counter *c = ctx;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory) {
        c->blocks++;
        c->bytes += (int64_t)size;
    }
    return memory;
}

static void count_release(void *ctx, void *memory, size_t size)
{
    counter *c = ctx;
    c->blocks--;
    c->bytes -= (int64_t)size;
    free(memory);
}

typedef struct forest {
    fender_world *world;
    counter memory;
    int count;
    fender_body_id body[most_bodies];
    fender_point_id point[most_bodies][2];
} forest;

static fender_pose random_pose(random_stream *s) { return (fender_pose){random_in_ball(s, 2), random_rotation(s)}; }

static void plant(forest *f, random_stream *s, int count)
{
    fender_env env = fender_env_default();
    env.allocator = (fender_allocator){count_allocate, count_release, &f->memory};
    fender_world_def def = fender_world_def_default();
    fender_error no_world = {0};
    f->world = fender_world_create(&env, &def, &no_world);
    assert_non_null(f->world);
    f->count = count;
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = random_magnitude(s, 0.1, 100);
        body.mass_properties.center_of_mass = random_in_ball(s, 1);
        body.mass_properties.inertia = random_inertia(s, body.mass_properties.mass, 1);
        body.body_axes = random_rotation(s);
        body.state.position = random_in_ball(s, 20);
        body.state.attitude = random_rotation(s);
        body.state.velocity = random_in_ball(s, 1);
        body.state.angular_velocity = random_in_ball(s, 0.5);
        check_ok(fender_body_create(f->world, &body, &f->body[i], &error));
        for (int k = 0; k < 2; k++) {
            fender_pose X = random_pose(s);
            check_ok(fender_point_create(f->world, f->body[i], k ? "aft" : "fore", X, &f->point[i][k], &error));
        }
    }
    check_ok(fender_world_initialize(f->world, &error));
}

static bool same_body(fender_body_id a, fender_body_id b) { return a.index1 == b.index1; }

/* Pose of a body in the structure frame of `top`, link by link with matrices of our own; false when not below it. */
static bool pose_below(const fender_world *world, fender_body_id body, fender_body_id top, fender_mat3 *R,
                       fender_vec3 *p)
{
    *R = fender_mat3_identity();
    *p = fender_vec3_make(0, 0, 0);
    while (!same_body(body, top)) {
        if (!fender_body_parent(world, body).index1) return false;
        fender_pose X = fender_body_pose_in_parent(world, body);
        fender_mat3 link = fender_quaternion_matrix(X.q);
        *p = fender_vec3_add(X.p, fender_mat3_times(&link, *p));
        *R = fender_mat3_product(&link, R);
        body = fender_body_parent(world, body);
    }
    return true;
}

/* m (r.r 1 - r r^T) added to I */
static void add_point(fender_mat3 *I, double m, fender_vec3 r)
{
    double v[3] = {r.x, r.y, r.z}, square = r.x * r.x + r.y * r.y + r.z * r.z;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) I->m[i][j] += m * ((i == j ? square : 0) - v[i] * v[j]);
}

static void rotate_tensor(const fender_mat3 *R, const fender_mat3 *I, fender_mat3 *out)
{
    fender_mat3 back = fender_mat3_transpose(R), half = fender_mat3_product(R, I);
    *out = fender_mat3_product(&half, &back);
}

/* Largest relative gap between the composite of `top` and the sum over its members, in the structure frame of `top`.
 * `axes` are the body axes of all, by index. */
static double composite_gap(const forest *f, const fender_quaternion *axes, int top)
{
    double mass = 0;
    fender_vec3 moment = {0, 0, 0};
    fender_mat3 about_origin = {{{0}}};
    for (int i = 0; i < f->count; i++) {
        fender_mat3 R, body_axes, in_top, turned;
        fender_vec3 p;
        if (!pose_below(f->world, f->body[i], f->body[top], &R, &p)) continue;
        fender_mass_properties core;
        assert_int_equal(fender_body_get_mass(f->world, f->body[i], FENDER_MASS_CORE, &core), 0);
        body_axes = fender_quaternion_matrix(axes[i]);
        in_top = fender_mat3_product(&R, &body_axes);
        rotate_tensor(&in_top, &core.inertia, &turned);
        fender_vec3 c = fender_vec3_add(p, fender_mat3_times(&R, core.center_of_mass));
        for (int k = 0; k < 9; k++) about_origin.m[k / 3][k % 3] += turned.m[k / 3][k % 3];
        add_point(&about_origin, core.mass, c);
        mass += core.mass;
        moment = fender_vec3_add_scaled(moment, core.mass, c);
    }
    double scale = about_origin.m[0][0] + about_origin.m[1][1] + about_origin.m[2][2];
    double size = larger(1, sqrt(scale / mass));
    fender_vec3 center = fender_vec3_scale(1 / mass, moment);
    add_point(&about_origin, -mass, center);
    fender_mass_properties is;
    assert_int_equal(fender_body_get_mass(f->world, f->body[top], FENDER_MASS_COMPOSITE, &is), 0);
    fender_mat3 body_axes = fender_quaternion_matrix(axes[top]), turned;
    rotate_tensor(&body_axes, &is.inertia, &turned);
    double gap = larger(fabs(is.mass - mass) / mass,
                        fender_vec3_length(fender_vec3_sub(is.center_of_mass, center)) / size);
    for (int k = 0; k < 9; k++) gap = larger(gap, fabs(turned.m[k / 3][k % 3] - about_origin.m[k / 3][k % 3]) / scale);
    return gap;
}

typedef struct momentum {
    fender_vec3 linear, angular, moment;
    double linear_scale, angular_scale, moment_scale;
} momentum;

/* Of all roots, about the origin of W; `moment`: mass times centre. */
static momentum momentum_of(const forest *f)
{
    momentum sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, 0};
    for (int i = 0; i < f->count; i++) {
        if (fender_body_parent(f->world, f->body[i]).index1) continue;
        fender_body_data d;
        assert_int_equal(fender_body_get(f->world, f->body[i], FENDER_CLOCK_COMMITTED, &d), 0);
        sum.linear = fender_vec3_add(sum.linear, d.linear_momentum);
        sum.angular = fender_vec3_add(sum.angular, d.angular_momentum);
        sum.angular = fender_vec3_add(sum.angular, fender_vec3_cross(d.center_position, d.linear_momentum));
        sum.moment = fender_vec3_add_scaled(sum.moment, d.mass, d.center_position);
        sum.linear_scale += fender_vec3_length(d.linear_momentum);
        sum.angular_scale += fender_vec3_length(d.angular_momentum) +
                             fender_vec3_length(d.center_position) * fender_vec3_length(d.linear_momentum);
        sum.moment_scale += d.mass * fender_vec3_length(d.center_position);
    }
    return sum;
}

static double relative_gap(fender_vec3 a, fender_vec3 b, double scale_a, double scale_b)
{
    double gap = fender_vec3_length(fender_vec3_sub(a, b)), scale = larger(scale_a, scale_b);
    return scale > 0 ? gap / scale : gap;
}

/* One random operation. `keeps`: momentum must stay. */
static fender_status operate(forest *f, random_stream *s, bool *keeps)
{
    fender_error error = {0};
    int a = random_below(s, f->count), b = random_below(s, f->count), kind = random_below(s, 20);
    fender_pose X = random_pose(s);
    *keeps = true;
    if (kind < 9) {
        fender_attach_def def = fender_attach_def_default();
        def.child = f->body[a];
        def.parent = f->body[b];
        def.X_PC = X;
        def.pose = kind == 0 ? FENDER_ATTACH_POSED : kind % 2 ? FENDER_ATTACH_ALIGNED : FENDER_ATTACH_AS_IS;
        if (kind < 6) {
            def.child_point = f->point[a][random_below(s, 2)];
            def.parent_point = f->point[b][random_below(s, 2)];
        }
        *keeps = kind != 0;
        return fender_body_attach(f->world, &def, NULL, &error);
    }
    if (kind < 15) {
        fender_body_id from = random_below(s, 3) ? (fender_body_id){0} : f->body[b];
        fender_detach_rule rule = random_below(s, 2) ? FENDER_DETACH_TREE : FENDER_DETACH_CONNECTION;
        return fender_body_detach(f->world, f->body[a], from, rule, NULL, &error);
    }
    if (kind < 18) return fender_body_reattach(f->world, f->body[a], X, NULL, &error);
    fender_mass_properties core = {random_magnitude(s, 0.1, 100), random_in_ball(s, 1), fender_mat3_identity()};
    core.inertia = random_inertia(s, core.mass, 1);
    *keeps = false;
    return fender_body_set_mass(f->world, f->body[a], &core, &error);
}

static void read_axes(const forest *f, fender_quaternion *axes)
{
    for (int i = 0; i < f->count; i++) {
        fender_pose X;
        fender_body_frame core = {FENDER_BODY_FRAME_CORE, f->body[i], {0}},
                          structure = {FENDER_BODY_FRAME_STRUCTURE, f->body[i], {0}};
        check_ok(fender_body_frame_relative(f->world, core, structure, &X, &error));
        axes[i] = X.q;
    }
}

static void test_random_operations(void **state)
{
    (void)state;
    const int worlds = repeats(100), operations = 1000;
    double worst_composite = 0, worst_linear = 0, worst_angular = 0, worst_center = 0;
    int64_t done = 0, refused = 0;
    for (int w = 0; w < worlds; w++) {
        forest f = {0};
        random_stream s = random_of_case(7301, (uint64_t)w);
        fender_quaternion axes[most_bodies];
        plant(&f, &s, 2 + random_below(&s, most_bodies - 1));
        read_axes(&f, axes);
        for (int k = 0; k < operations; k++) {
            momentum before = momentum_of(&f);
            uint64_t hash = fender_world_hash(f.world);
            bool keeps, undo = k % 50 == 0;
            fender_error no_snapshot = {0};
            fender_snapshot *snapshot = undo ? fender_snapshot_take(f.world, &no_snapshot) : NULL;
            fender_mass_properties old[most_bodies], now;
            for (int i = 0; undo && i < f.count; i++)
                fender_body_get_mass(f.world, f.body[i], FENDER_MASS_COMPOSITE, &old[i]);
            fender_status status = operate(&f, &s, &keeps);
            momentum after = momentum_of(&f);
            if (status) {
                refused++;
                assert_true(fender_world_hash(f.world) == hash);
            } else {
                done++;
            }
            if (keeps) {
                worst_linear = larger(
                    worst_linear, relative_gap(before.linear, after.linear, before.linear_scale, after.linear_scale));
                worst_angular = larger(worst_angular, relative_gap(before.angular, after.angular, before.angular_scale,
                                                                   after.angular_scale));
                worst_center = larger(
                    worst_center, relative_gap(before.moment, after.moment, before.moment_scale, after.moment_scale));
            }
            worst_composite = larger(worst_composite, composite_gap(&f, axes, random_below(&s, f.count)));
            if (!undo) continue;
            assert_non_null(snapshot);
            check_ok(fender_snapshot_restore(f.world, snapshot, &error));
            fender_snapshot_destroy(snapshot);
            assert_true(fender_world_hash(f.world) == hash);
            for (int i = 0; i < f.count; i++) {
                fender_body_get_mass(f.world, f.body[i], FENDER_MASS_COMPOSITE, &now);
                assert_memory_equal(&now, &old[i], sizeof now);
            }
        }
        fender_world_destroy(f.world);
        assert_int_equal(f.memory.blocks, 0);
        assert_int_equal(f.memory.bytes, 0);
    }
    printf("done %lld, refused %lld; composite %.2e, linear %.2e, angular %.2e, centre %.2e\n", (long long)done,
           (long long)refused, worst_composite, worst_linear, worst_angular, worst_center);
    check_below(worst_composite, 1e-12);
    check_below(worst_linear, 1e-12);
    check_below(worst_angular, 1e-12);
    check_below(worst_center, 1e-12);
    assert_true(done > repeats(20000) && refused > repeats(10000));
}

/* What is held after 1,000 operations is what is held after 10,000 more. */
static void test_memory_does_not_grow(void **state)
{
    (void)state;
    forest f = {0};
    random_stream s = random_of_case(7302, 0);
    bool keeps;
    plant(&f, &s, 20);
    for (int k = 0; k < 1000; k++) operate(&f, &s, &keeps);
    counter held = f.memory;
    for (int k = 0; k < repeats(10000); k++) operate(&f, &s, &keeps);
    printf("blocks %lld to %lld, bytes %lld to %lld\n", (long long)held.blocks, (long long)f.memory.blocks,
           (long long)held.bytes, (long long)f.memory.bytes);
    assert_int_equal(f.memory.blocks, held.blocks);
    check_below((double)f.memory.bytes, (double)held.bytes + 20 * 512); /* events of one call, at most */
    fender_world_destroy(f.world);
    assert_int_equal(f.memory.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_operations),
                                       cmocka_unit_test(test_memory_does_not_grow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
