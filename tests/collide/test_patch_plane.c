/* Patches on a plane: force and torque are the gradient of the energy, weights sum to 1 where all of a face is down,
 * nothing jumps, and rolling changes nothing. */
#include "collide/plane.h"
#include "geometry/geometry.h"

#include "patch_test.h"

static fender_env env;
static fender_geometry *plane_geometry;

static int set_up(void **state)
{
    (void)state;
    env = fender_env_default();
    plane_geometry = fender_geometry_plane(&env, NULL);
    return plane_geometry == NULL;
}
static int tear_down(void **state)
{
    (void)state;
    fender_geometry_release(plane_geometry);
    return 0;
}

static patch_sum sum_on_plane(const fnd_posed *plane, const fnd_posed *body)
{
    fender_separation items[400];
    fnd_manifold found = {.items = items, .capacity = 400};
    fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
    assert_true(fnd_patch_plane(plane, body, &query, &found));
    assert_false(found.failed);
    return patch_sum_of(&found, fender_vec3_sub(body->p_WG, plane->p_WG));
}

typedef struct triangle_sum {
    double faces;  /* of faces that look down, steep ones as the patches count them */
    double volume; /* of the depth over the volume below the plane: all faces */
    bool steep;    /* a face below is steeper than that or looks up */
} triangle_sum;

/* k/2 depth^2 over the projection of a triangle's part below the plane: cut in space, exact for each piece. */
static double triangle_energy(const fender_vec3 v[3], const double depth[3], fender_vec3 normal)
{
    fender_vec3 corners[4];
    double depths[4];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        if (depth[i] > 0) {
            corners[count] = v[i];
            depths[count++] = depth[i];
        }
        if ((depth[i] > 0) == (depth[j] > 0)) continue;
        double t = depth[i] / (depth[i] - depth[j]);
        corners[count] = fender_vec3_add_scaled(v[i], t, fender_vec3_sub(v[j], v[i]));
        depths[count++] = 0;
    }
    double sum = 0;
    for (int i = 2; i < count; i++) {
        fender_vec3 c = fender_vec3_cross(fender_vec3_sub(corners[i - 1], corners[0]),
                                          fender_vec3_sub(corners[i], corners[0]));
        double p = depths[0], q = depths[i - 1], r = depths[i];
        sum -= 0.5 * fender_vec3_dot(c, normal) * (p * p + q * q + r * r + p * q + q * r + r * p) / 12;
    }
    return sum;
}

static triangle_sum energy_by_triangles(const fnd_posed *plane, const fnd_posed *body)
{
    int32_t indices[600];
    int count = fender_geometry_triangles(body->geometry, indices, 600), vertex_count;
    assert_true(count > 0 && count <= 600);
    const fender_vec3 *vertices = fender_geometry_vertices(body->geometry, &vertex_count);
    fender_vec3 normal = fender_mat3_column(&plane->R_WG, 2);
    triangle_sum sum = {0, 0, false};
    for (int i = 0; i < count; i += 3) {
        fender_vec3 v[3];
        double depth[3];
        for (int k = 0; k < 3; k++) {
            v[k] = fender_vec3_add(body->p_WG, fender_mat3_times(&body->R_WG, vertices[indices[i + k]]));
            depth[k] = -fender_vec3_dot(normal, fender_vec3_sub(v[k], plane->p_WG));
        }
        double energy = triangle_energy(v, depth, normal) / body->geometry->patch_area;
        fender_vec3 n = fender_vec3_cross(fender_vec3_sub(v[1], v[0]), fender_vec3_sub(v[2], v[0]));
        double down = -fender_vec3_dot(n, normal) / fender_vec3_length(n), x = down / 0.2;
        sum.volume += energy;
        if (energy != 0 && x < 1) sum.steep = true;
        if (energy > 0) sum.faces += x < 1 ? energy * x * x * (3 - 2 * x) : energy;
    }
    return sum;
}

/* Fourth-order difference of an energy that `kind` names. */
static double slope(const fnd_posed *plane, const fnd_posed *body, int axis, double h, bool by_triangles)
{
    static const double factor[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        fnd_posed m = moved(body, axis, at[i] * h);
        sum += factor[i] * (by_triangles ? energy_by_triangles(plane, &m).faces : sum_on_plane(plane, &m).energy);
    }
    return sum / h;
}

/* Worst difference of force and torque from minus the gradient, as a part of the force. */
static double gradient_error(const fnd_posed *plane, const fnd_posed *raised, const fnd_posed *body, double h,
                             bool by_triangles)
{
    patch_sum s = sum_on_plane(plane, body);
    double size = body->geometry->bounding_radius, force = fender_vec3_length(s.force), worst = 0;
    const double found[6] = {s.force.x, s.force.y, s.force.z, s.torque.x, s.torque.y, s.torque.z};
    for (int axis = 0; axis < 6; axis++) {
        double unit = axis < 3 ? 1 : size;
        double expected = -slope(by_triangles ? raised : plane, body, axis, axis < 3 ? h * size : h, by_triangles);
        worst = larger(worst, fabs(found[axis] - expected) / unit);
    }
    return worst / force;
}

/* A solid of `type` with random sizes; rounded one time in three. */
static fender_geometry *random_solid(random_stream *r, fender_geometry_type type)
{
    double a = random_between(r, 0.1, 1), b = random_between(r, 0.1, 1), c = random_between(r, 0.1, 1);
    fender_geometry *g = NULL;
    if (type == FENDER_GEOMETRY_BOX) g = fender_geometry_box(&env, fender_vec3_make(a, b, c), NULL);
    if (type == FENDER_GEOMETRY_DISK) g = fender_geometry_disk(&env, a, NULL);
    if (type == FENDER_GEOMETRY_CYLINDER) g = fender_geometry_cylinder(&env, a, b, NULL);
    if (type == FENDER_GEOMETRY_CONE) g = fender_geometry_cone(&env, a, b, NULL);
    if (type == FENDER_GEOMETRY_CAPSULE) g = fender_geometry_capsule(&env, a, b, NULL);
    if (type == FENDER_GEOMETRY_HULL) {
        fender_vec3 points[24];
        int count = 4 + random_below(r, 21);
        for (int i = 0; i < count; i++) points[i] = random_in_ball(r, 1);
        g = fender_geometry_box(&env, fender_vec3_make(1, 1, 1), NULL);
        assert_non_null(g);
        fnd_polytope_release(&env, g->polytope);
        g->polytope = fnd_polytope_of_points(&env, points, count);
        g->type = FENDER_GEOMETRY_HULL;
        assert_non_null(g->polytope);
        fnd_geometry_measure(g);
    }
    assert_non_null(g);
    if (type == FENDER_GEOMETRY_CAPSULE || random_below(r, 3) > 0) return g;
    fender_geometry *rounded = fender_geometry_rounded(g, random_between(r, 0, 0.1), NULL);
    assert_non_null(rounded);
    fender_geometry_release(g);
    return rounded;
}

/* Placed so that its lowest point lies `depth` below the plane. */
static void sink(const fnd_posed *plane, fnd_posed *body, double depth)
{
    fender_vec3 normal = fender_mat3_column(&plane->R_WG, 2);
    fender_mat3 turned = fender_mat3_transpose(&plane->R_WG);
    turned = fender_mat3_product(&turned, &body->R_WG);
    fender_pose pose = {{0, 0, 0}, fnd_quaternion_from_matrix(&turned)};
    double lowest = fender_geometry_bounds(body->geometry, &pose).lower.z;
    body->p_WG = fender_vec3_add_scaled(plane->p_WG, -depth - lowest, normal);
}

static fnd_posed random_plane(random_stream *r)
{
    return (fnd_posed){plane_geometry, random_in_ball(r, 3), random_matrix(r)};
}

static void polytopes_float(void **state)
{
    (void)state;
    static const fender_geometry_type types[] = {FENDER_GEOMETRY_BOX, FENDER_GEOMETRY_HULL};
    for (int t = 0; t < 2; t++) {
        double worst = 0, volume = 0, energies = 0;
        int floating = 0;
        for (uint64_t n = 0; n < 300; n++) {
            random_stream r = random_of_case(53 + (uint64_t)t, n);
            fnd_posed plane = random_plane(&r), body = {random_solid(&r, types[t]), {0, 0, 0}, random_matrix(&r)};
            double size = body.geometry->bounding_radius;
            sink(&plane, &body, size * random_magnitude(&r, 0.03, 1));
            fnd_posed raised = plane; /* a rounded core: on a plane that is higher by the rounding */
            fender_vec3 up = fender_mat3_column(&plane.R_WG, 2);
            raised.p_WG = fender_vec3_add_scaled(plane.p_WG, body.geometry->rounding, up);
            triangle_sum e = energy_by_triangles(&raised, &body);
            patch_sum s = sum_on_plane(&plane, &body);
            energies = larger(energies, fabs(s.energy / e.faces - 1));
            if (!e.steep) {
                floating++;
                volume = larger(volume, fabs(e.volume / s.energy - 1));
            }
            double error = INFINITY, step = 1e-4; /* shorter ones where curvature jumps within the differences */
            for (int k = 0; k < 4 && error > 1e-10; k++, step /= 5) {
                double found = gradient_error(&plane, &raised, &body, step, true);
                error = found < error ? found : error;
            }
            worst = larger(worst, error);
            fender_geometry_release((fender_geometry *)body.geometry);
        }
        print_message("%s: 300 poses: energy within %.1e of that of the triangles, gradient within %.1e of the force; "
                      "%d float (no steep face below), energy within %.1e of the volume's\n",
                      fender_geometry_type_name(types[t]), energies, worst, floating, volume);
        check_below(energies, 1e-11); /* some hundred roundings of places of 3 m over depths of 3 cm */
        check_below(worst, 1e-9);
        check_below(volume, 1e-11);
        assert_true(floating > 20);
    }
}

/* The four points of a triangle lie on the ellipse that touches its sides in the middle. A box that is tilted evenly
 * about x and y touches with a triangle of which one point is such a middle, at depth 0: a damper acts there, so that
 * rounding must not decide whether it is told of. */
static void a_point_on_the_border_belongs(void **state)
{
    (void)state;
    int patches = 0, borders = 0;
    for (uint64_t n = 0; n < 3000; n++) {
        random_stream r = random_of_case(59, n);
        double half = 0.5 * random_between(&r, 0.1, 1.4), across = sqrt(0.5) * sin(half);
        fender_mat3 tilt = fender_quaternion_matrix((fender_quaternion){cos(half), across, across, 0});
        fnd_posed plane = random_plane(&r), body = {random_solid(&r, FENDER_GEOMETRY_BOX), {0, 0, 0}, {{{0}}}};
        body.R_WG = fender_mat3_product(&plane.R_WG, &tilt);
        sink(&plane, &body, random_magnitude(&r, 1e-4, 0.1) * body.geometry->bounding_radius);
        fender_separation items[64];
        fnd_manifold found = {.items = items, .capacity = 64};
        fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
        assert_true(fnd_patch_plane(&plane, &body, &query, &found));
        for (int i = 0; i < found.count; i++) {
            assert_true(items[i].distance < 0 && items[i].index == i % 4);
            borders += items[i].distance > -1e-13;
            patches += i % 4 == 0;
        }
        assert_int_equal(found.count % 4, 0);
        fender_geometry_release((fender_geometry *)body.geometry);
    }
    print_message("%d faces, all with four points; %d of these lie on the border\n", patches, borders);
    assert_true(borders > 1000);
}

/* Plates, rods: flat hulls and boxes, upright ones too. */
static void plates_have_a_potential(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 300; n++) {
        random_stream r = random_of_case(56, n);
        double a = random_between(&r, 0.1, 1), b = n % 3 ? random_between(&r, 0.1, 1) : 0;
        fnd_posed plane = random_plane(&r);
        fnd_posed body = {fender_geometry_box(&env, fender_vec3_make(0, a, b), NULL), {0, 0, 0}, random_matrix(&r)};
        sink(&plane, &body, a * random_magnitude(&r, 0.03, 0.3));
        assert_true(sum_on_plane(&plane, &body).count > 0);
        double error = INFINITY, step = 1e-4;
        for (int k = 0; k < 4 && error > 1e-9; k++, step /= 5) {
            double found = gradient_error(&plane, &plane, &body, step, false);
            error = found < error ? found : error;
        }
        worst = larger(worst, error);
        fender_geometry_release((fender_geometry *)body.geometry);
    }
    print_message("300 plates and rods: gradient within %.1e of the force\n", worst);
    check_below(worst, 1e-8);
}

static void round_bodies_have_a_potential(void **state)
{
    (void)state;
    static const fender_geometry_type types[] = {FENDER_GEOMETRY_DISK, FENDER_GEOMETRY_CYLINDER, FENDER_GEOMETRY_CONE,
                                                 FENDER_GEOMETRY_CAPSULE};
    for (int t = 0; t < 4; t++) {
        double worst = 0, least = 2, most = 0;
        for (uint64_t n = 0; n < 1000; n++) {
            random_stream r = random_of_case(60 + (uint64_t)t, n);
            fnd_posed plane = random_plane(&r), body = {random_solid(&r, types[t]), {0, 0, 0}, random_matrix(&r)};
            double size = body.geometry->bounding_radius, h = 1e-4;
            if (n % 2) { /* near flat, lying, upright */
                double tilt = random_magnitude(&r, 1e-3, 0.1), angle = random_between(&r, 0, 6.28);
                double lean = random_below(&r, 2) ? tilt : 1.5707963267948966 - tilt;
                if (random_below(&r, 2)) lean = 3.141592653589793 - lean;
                fender_quaternion q = {cos(lean / 2), sin(lean / 2) * cos(angle), sin(lean / 2) * sin(angle), 0};
                fender_mat3 turn = fender_quaternion_matrix(q);
                body.R_WG = fender_mat3_product(&plane.R_WG, &turn);
                h = 0.02 * tilt;
            }
            double depth = size * random_magnitude(&r, 1e-4, 0.1);
            sink(&plane, &body, depth);
            patch_sum s = sum_on_plane(&plane, &body);
            double stiffness = fender_vec3_length(s.force) / depth;
            least = stiffness < least ? stiffness : least;
            most = larger(most, stiffness);
            double step = h * size > 0.02 * depth ? 0.02 * depth / size : h;
            double error = INFINITY; /* where curvature jumps within the differences, shorter ones are right */
            for (int k = 0; k < 5 && error > 1e-8; k++, step /= 5) {
                double found = gradient_error(&plane, &plane, &body, step, false);
                error = found < error ? found : error;
            }
            worst = larger(worst, error);
            fender_geometry_release((fender_geometry *)body.geometry);
        }
        print_message("%s: 1000 poses: gradient within %.1e of the force; force / (k depth of the lowest point) from "
                      "%.3f to %.3f\n",
                      fender_geometry_type_name(types[t]), worst, least, most);
        check_below(worst, 1e-7); /* rounding of the depth over the step of the differences */
        check_below(0, least);
        check_below(most, 1.5);
    }
}

/* Energy by the definition in docs/models/contact_patches.md: the part of the cap that is below, as counted on other
 * ground, and the lowest line or, of a disk, point. Integrated by Simpson's rule over chords. */
static double energy_by_definition(const fender_geometry *g, double down, double slope, double depth)
{
    enum { PARTS = 4000 };
    const double radius = g->radius, pi = 3.141592653589793;
    const double x = (down - 0.5) / 0.3, t = x < 0 ? 0 : x > 1 ? 1 : x, lying = t * t * t * (10 - t * (15 - 6 * t));
    double cap = 0, side = 0; /* depth: of the lowest point, on the rim of the lower cap */
    for (int i = 0; i <= PARTS; i++) {
        const double simpson = (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) / (3.0 * PARTS);
        /* the part of the circle that is below: u = R cos(angle) up to where the depth is 0 */
        const double lift = slope * radius > 0.5 * depth ? depth / (slope * radius) : 2;
        const double whole = 2 * asin(sqrt(0.5 * lift)), angle = whole * i / PARTS, half = sin(0.5 * angle);
        const double here = depth - slope * radius * (2 * half * half);
        cap += simpson * whole * 2 * radius * radius * sin(angle) * sin(angle) * here * here;
        const double length = 2 * g->half_length, part = down * length > depth ? depth / down : length;
        const double above = depth - down * part * i / PARTS;
        side += simpson * (length > 0 ? part / length : 1) * above * above;
    }
    return 0.5 * (lying * down * cap / (pi * radius * radius) + (lying < 1 ? (1 - lying) / (slope * slope) * side : 0));
}

static void round_bodies_are_foundations(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream r = random_of_case(75, n);
        const fender_geometry_type type = n % 2 ? FENDER_GEOMETRY_DISK : FENDER_GEOMETRY_CYLINDER;
        fnd_posed plane = random_plane(&r), body = {random_solid(&r, type), {0, 0, 0}, random_matrix(&r)};
        const double depth = body.geometry->bounding_radius * random_magnitude(&r, 1e-6, 0.2);
        if (n % 3 == 0) { /* near flat, where the cap lifts */
            const double tilt = random_magnitude(&r, 1e-6, 0.6);
            fender_mat3 turn = fender_quaternion_matrix((fender_quaternion){cos(tilt / 2), 0, sin(tilt / 2), 0});
            body.R_WG = fender_mat3_product(&plane.R_WG, &turn);
        }
        sink(&plane, &body, depth);
        const fender_vec3 up = fender_mat3_column(&plane.R_WG, 2), axis = fender_mat3_column(&body.R_WG, 2);
        const double down = fabs(fender_vec3_dot(up, axis)), slope = fender_vec3_length(fender_vec3_cross(up, axis));
        worst = larger(
            worst,
            fabs(sum_on_plane(&plane, &body).energy / energy_by_definition(body.geometry, down, slope, depth) - 1));
        fender_geometry_release((fender_geometry *)body.geometry);
    }
    print_message("1000 disks and cylinders: energy within %.1e of the definition\n", worst);
    check_below(worst, 1e-8); /* rounding of places of 3 m over depths of 1e-6 m */
}

/* Stiffness in push and tilt of the foundation that each pose stands for. */
static void full_faces_have_the_stiffness_named(void **state)
{
    (void)state;
    const double r = 0.3, h = 0.5;
    const struct {
        fender_geometry *geometry;
        double lean; /* about x */
        double tilt; /* stiffness about x per k [m^2] */
        const char *name;
    } cases[] = {
        {fender_geometry_box(&env, fender_vec3_make(h, r, 0.1), NULL), 0, r * r / 3, "box on a face"},
        {fender_geometry_disk(&env, r, NULL), 0, r * r / 4, "disk flat"},
        {fender_geometry_disk(&env, r, NULL), 90, 0, "disk on its rim, rolling"},
        {fender_geometry_cylinder(&env, r, h, NULL), 180, r * r / 4, "cylinder on its cap"},
        {fender_geometry_cylinder(&env, r, h, NULL), 90, h * h / 3, "cylinder on its side"},
        {fender_geometry_cone(&env, r, h, NULL), 0, r * r / 4, "cone on its base"},
        {fender_geometry_capsule(&env, r, h, NULL), 90, h * h / 3, "capsule lying"},
        {fender_geometry_capsule(&env, r, h, NULL), 0, 0, "capsule on its tip"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fnd_posed plane = {plane_geometry, {0, 0, 0}, fender_mat3_identity()};
        double lean = cases[i].lean * 3.141592653589793 / 360;
        fender_quaternion q = {cos(lean), sin(lean), 0, 0};
        fnd_posed body = {cases[i].geometry, {0, 0, 0}, fender_quaternion_matrix(q)};
        const double depth = 1e-5, turn = 1e-6;
        sink(&plane, &body, depth);
        patch_sum s = sum_on_plane(&plane, &body);
        check_near(s.weight, 1, 1e-12);
        check_near(s.force.z, depth, 1e-15);
        /* torque about the origin; a lever of the force beside that is a depth times a height of at most 1 m */
        fnd_posed turned = moved(&body, 3, turn);
        patch_sum t = sum_on_plane(&plane, &turned);
        double stiffness = -t.torque.x / turn;
        print_message("%s: weights %.15f, tilt %.6f m^2 (foundation %.6f)\n", cases[i].name, s.weight, stiffness,
                      cases[i].tilt);
        check_near(stiffness, cases[i].tilt, depth);
        fender_geometry_release(cases[i].geometry);
    }
}

/* A law that reaches beyond touch sees all that is nearer than its reach; without reach nothing above is seen. */
static void reach_shifts_the_border(void **state)
{
    (void)state;
    fender_geometry *solids[] = {fender_geometry_box(&env, fender_vec3_make(0.3, 0.2, 0.1), NULL),
                                 fender_geometry_cylinder(&env, 0.3, 0.1, NULL), fender_geometry_disk(&env, 0.3, NULL)};
    const double heights[] = {0.1, 0.1, 0};
    for (int i = 0; i < 3; i++) {
        fnd_posed plane = {plane_geometry, {0, 0, 0}, fender_mat3_identity()};
        fnd_posed body = {solids[i], {0, 0, heights[i] + 0.5e-3}, fender_mat3_identity()};
        fender_separation items[64];
        for (int k = 0; k < 2; k++) {
            fnd_manifold found = {.items = items, .capacity = 64};
            fnd_query query = {FND_QUERY_PATCH, k ? 1e-3 : 0, NULL, NULL, k ? 1e-3 : 0};
            assert_true(fnd_patch_plane(&plane, &body, &query, &found));
            assert_int_equal(found.count, k ? 4 : 0);
            double weight = 0;
            for (int j = 0; j < found.count; j++) {
                check_near(items[j].distance, 0.5e-3, 1e-16);
                check_near(items[j].area, 0.25 * solids[i]->patch_area, 1e-15);
                weight += items[j].weight;
            }
            check_near(weight, k ? 1 : 0, 1e-14);
        }
        fender_geometry_release(solids[i]);
    }
}

/* A patch that states moments instead of shifting its points has the same torque with a linear law. */
static void turning_is_shifting(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 600; n++) {
        random_stream r = random_of_case(71, n);
        static const fender_geometry_type types[] = {FENDER_GEOMETRY_BOX,  FENDER_GEOMETRY_HULL,
                                                     FENDER_GEOMETRY_DISK, FENDER_GEOMETRY_CYLINDER,
                                                     FENDER_GEOMETRY_CONE, FENDER_GEOMETRY_CAPSULE};
        fnd_posed plane = random_plane(&r), body = {random_solid(&r, types[n % 6]), {0, 0, 0}, random_matrix(&r)};
        sink(&plane, &body, random_magnitude(&r, 1e-3, 0.05));
        const patch_sum shifted = sum_on_plane(&plane, &body);
        fender_separation items[400];
        fnd_manifold found = {.items = items, .capacity = 400, .turns = true};
        const fnd_query query = {FND_QUERY_PATCH, 0, NULL, NULL, 0};
        assert_true(fnd_patch_plane(&plane, &body, &query, &found));
        patch_sum turned = patch_sum_of(&found, fender_vec3_sub(body.p_WG, plane.p_WG));
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(turned.torque, shifted.torque)) /
                                  fender_vec3_length(shifted.force));
        fender_geometry_release((fender_geometry *)body.geometry);
    }
    print_message("600 solids: torques within %.1e of the force\n", worst);
    check_below(worst, 1e-12); /* m; rounding of places */
}

/* Area that is apart, and area that touches: together the patch, each on its side. */
static void areas_apart_have_their_own_points(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 200; n++) {
        random_stream r = random_of_case(72, n);
        fnd_posed plane = random_plane(&r);
        static const fender_geometry_type types[] = {FENDER_GEOMETRY_BOX, FENDER_GEOMETRY_HULL, FENDER_GEOMETRY_DISK,
                                                     FENDER_GEOMETRY_CYLINDER};
        fnd_posed body = {random_solid(&r, types[n % 4]), {0, 0, 0}, random_matrix(&r)};
        sink(&plane, &body, random_magnitude(&r, 1e-3, 0.05));
        const double lift = random_magnitude(&r, 1e-3, 0.1);
        double weight[3] = {0, 0, 0}; /* of the patch as one; of its two areas; of what touches, before it begins */
        for (int k = 0; k < 3; k++) {
            fender_separation items[400];
            fnd_manifold found = {.items = items, .capacity = 400, .turns = true, .splits = k > 0, .touching = k > 1};
            const fnd_query query = {FND_QUERY_PATCH, lift, NULL, NULL, lift};
            double touching = 0;
            assert_true(fnd_patch_plane(&plane, &body, &query, &found));
            for (int i = 0; i < found.count; i++) {
                weight[k] += items[i].weight;
                touching += items[i].distance < 0 ? items[i].weight : 0;
                check_near(items[i].border, lift, 0);
                assert_true(items[i].distance < lift && (k < 2 || items[i].distance < 0));
            }
            if (k == 1) weight[2] -= touching;
        }
        check_near(weight[1] / weight[0], 1, 1e-10);
        check_near(weight[2] / weight[0], 0, 1e-10);
        fender_geometry_release((fender_geometry *)body.geometry);
    }
}

/* The whole wheel turned about its axis: the same force and torque. */
static void rolling_changes_nothing(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 500; n++) {
        random_stream r = random_of_case(70, n);
        static const fender_geometry_type types[] = {FENDER_GEOMETRY_DISK, FENDER_GEOMETRY_CYLINDER,
                                                     FENDER_GEOMETRY_CONE};
        fnd_posed plane = random_plane(&r), body = {random_solid(&r, types[n % 3]), {0, 0, 0}, random_matrix(&r)};
        sink(&plane, &body, random_magnitude(&r, 1e-3, 0.05));
        patch_sum s = sum_on_plane(&plane, &body);
        double angle = random_between(&r, 0, 6);
        fender_quaternion q = {cos(angle), 0, 0, sin(angle)};
        fender_mat3 turn = fender_quaternion_matrix(q);
        body.R_WG = fender_mat3_product(&body.R_WG, &turn);
        patch_sum t = sum_on_plane(&plane, &body);
        double force = fender_vec3_length(s.force);
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(t.force, s.force)) / force);
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(t.torque, s.torque)) / force);
        fender_geometry_release((fender_geometry *)body.geometry);
    }
    print_message("500 wheels turned about their axes: force and torque within %.1e\n", worst);
    check_below(worst, 1e-11); /* rounding of positions over the least depth */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polytopes_float),
        cmocka_unit_test(a_point_on_the_border_belongs),
        cmocka_unit_test(plates_have_a_potential),
        cmocka_unit_test(round_bodies_have_a_potential),
        cmocka_unit_test(round_bodies_are_foundations),
        cmocka_unit_test(full_faces_have_the_stiffness_named),
        cmocka_unit_test(reach_shifts_the_border),
        cmocka_unit_test(turning_is_shifting),
        cmocka_unit_test(areas_apart_have_their_own_points),
        cmocka_unit_test(rolling_changes_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
