/* Rays and nearest points (M021-M023) on meshes that are hard on them, against every triangle in long double; the sign
 * of distances against winding numbers; many at once, and every width of registers, against one at a time. */
/* items: C042 M022 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "base/width.h"
#include "geometry/geometry.h"
#include "geometry/ray.h"
#include "terrain_meshes.h"

static mesh m;
static const double sizes[] = {1, 1e-3, 1e3};

static fender_vec3 shift_of(int n) { return n % 3 ? fender_vec3_make(0, 0, 0) : fender_vec3_make(1e7, -2e7, 5e6); }

/* A place of the mesh that is likely to cause trouble. */
static fender_vec3 place_of(random_stream *r, int how)
{
    const int32_t *t = m.triangles[random_below(r, m.triangle_count)];
    fender_vec3 a = m.vertices[t[0]], b = m.vertices[t[1]], c = m.vertices[t[2]];
    if (how == 0) return a;
    double s = random_between(r, 0, 1), u = random_between(r, 0, 1 - s);
    fender_vec3 p = fender_vec3_add_scaled(a, s, fender_vec3_sub(b, a));
    return how == 1 ? p : fender_vec3_add_scaled(p, u, fender_vec3_sub(c, a));
}

static fender_ray make_ray(random_stream *r, int n)
{
    fender_vec3 target = place_of(r, n % 3), d = random_direction(r);
    const double zeros[2] = {0.0, -0.0};
    if (n % 5 == 1) d = fender_vec3_make(zeros[n & 1], n & 2 ? 1 : -1, zeros[n >> 2 & 1]); /* along an axis */
    if (n % 5 == 2) d = fender_vec3_make(zeros[n & 1], 0.6, n & 2 ? -0.8 : 0.8);           /* in a plane of axes */
    if (n % 5 == 3) {                                                                      /* along an edge */
        const int32_t *t = m.triangles[random_below(r, m.triangle_count)];
        d = fender_vec3_sub(m.vertices[t[1]], m.vertices[t[0]]);
        if (n & 1) target = m.vertices[t[0]];
    }
    double before = n % 7 == 0 ? random_magnitude(r, 10, 1e5) : random_between(r, 0.1, 4);
    before *= m.size / fender_vec3_length(d);
    return (fender_ray){fender_vec3_add_scaled(target, -before, d), d, INFINITY};
}

typedef struct tally {
    int hits, misses, same, open;
    real worst;
} tally;

/* Uncertain in the answer to a ray: what the rounding of its unit direction, of the corners seen from its origin and of
 * a narrow triangle make of the barycentric coordinates. */
static void check_hit(const fender_ray *ray, const fender_ray_hit *hit, tally *sum)
{
    real nearest = INFINITY, error = INFINITY;
    int which = -1;
    const real away = 8e-16L;
    for (int t = 0; t < m.triangle_count; t++) {
        meeting at = meet(&m, t, ray);
        if (hit->hit && (uint64_t)t == hit->feature && fabsl(at.steepness) < 1e-9L) { /* seen from its side */
            error = distance_to_triangle(&m, t, &hit->point);                         /* anywhere along it */
            assert_true(error <= 2 * m.size);
            continue;
        }
        if (at.distance < 0 || !(at.steepness > 0)) continue;
        const fender_vec3 *v[3];
        for (int k = 0; k < 3; k++) v[k] = &m.vertices[m.triangles[t][k]];
        vec e = apart(v[1], v[0]), f = apart(v[2], v[0]), n = cross(e, f);
        real longest = dot(e, e) > dot(f, f) ? dot(e, e) : dot(f, f), high = sqrtl(dot(n, n) / longest);
        real reach = at.distance + sqrtl(longest); /* of the ray aside of where it should run, over the height */
        real blur = away * 4 * reach / (high * at.steepness);
        if (at.least > blur && at.distance < nearest) nearest = at.distance, which = t;
        if (!hit->hit || (uint64_t)t != hit->feature) continue;
        assert_true(at.least >= -blur); /* the triangle that was given is on the ray */
        error = fabsl(hit->distance - at.distance);
        real allowed = 1e-12L * at.distance + away * reach / at.steepness;
        if (at.steepness < 1e-3L) allowed += blur * sqrtl(longest); /* a glance: anywhere in the triangle */
        if (!(error <= allowed))
            print_message("facet %d: error %.2Lg, allowed %.2Lg, steepness %.2Lg, distance %.2Lg, height %.2Lg\n", t,
                          error, allowed, at.steepness, at.distance, high);
        assert_true(error <= allowed);
        if (at.steepness > 1e-2L && at.distance > 0 && error / at.distance > sum->worst)
            sum->worst = error / at.distance;
    }
    if (!hit->hit) {
        assert_true(nearest == INFINITY); /* nothing was surely in its way */
        sum->misses++;
        return;
    }
    sum->hits++;
    sum->same += which == (int)hit->feature;
    assert_true(error < INFINITY); /* the facet is seen from outside */
    if (nearest < INFINITY && which != (int)hit->feature) {
        sum->open++;
        assert_true(hit->distance <= nearest + (real)1e-12 * nearest + 64 * away * (nearest + m.size));
    }
}

static void rays_against_every_triangle(void **unused)
{
    (void)unused;
    fender_pose X = fender_pose_identity();
    for (mesh_kind kind = 0; kind < KINDS; kind++) {
        tally t = {0};
        for (int n = 0; n < 6; n++) {
            random_stream r = random_of_case(1100 + (uint64_t)kind, (uint64_t)n);
            make_mesh(&m, kind, &r, sizes[n % 3], shift_of(n / 3 + 1 + n % 2));
            fender_geometry *g = geometry_of(&m);
            assert_non_null(g);
            enum { RAYS = 160 };
            fender_ray rays[RAYS];
            fender_ray_hit one, many[RAYS];
            for (int i = 0; i < RAYS; i++) rays[i] = make_ray(&r, i);
            assert_int_equal(fender_geometry_ray_cast_many(g, &X, rays, RAYS, many), FENDER_STATUS_OK);
            for (int i = 0; i < RAYS; i++) {
                memset(&one, 0, sizeof one);
                assert_int_equal(fender_geometry_ray_cast(g, &X, &rays[i], &one), FENDER_STATUS_OK);
                assert_true(one.hit == many[i].hit && one.distance == many[i].distance &&
                            one.feature == many[i].feature && one.normal.x == many[i].normal.x &&
                            one.point.z == many[i].point.z);
                check_hit(&rays[i], &one, &t);
            }
            fender_geometry_release(g);
        }
        print_message("rays, %s: %d hit (%d the same facet, %d another as near), %d missed; worst error %.1Lg\n",
                      kind_names[kind], t.hits, t.same, t.open, t.misses, t.worst);
        assert_true(t.hits > 100 && t.same > t.hits / 4);
        assert_true(t.worst < 1e-12L);
    }
}

static fender_vec3 make_point(random_stream *r, int n)
{
    fender_vec3 p = place_of(r, n % 3);
    if (n % 11 == 0) return p; /* on it, to rounding */
    double away = n % 4 == 0   ? random_magnitude(r, 1e-9, 1e-3)
                  : n % 4 == 1 ? random_magnitude(r, 3, 1e4)
                               : random_between(r, 0, 1);
    return fender_vec3_add_scaled(p, m.size * away, random_direction(r));
}

static void points_against_every_triangle(void **unused)
{
    (void)unused;
    fender_pose X = fender_pose_identity();
    for (mesh_kind kind = 0; kind < KINDS; kind++) {
        int parts[3] = {0}, same = 0, count = 0;
        real worst = 0, farthest = 0;
        for (int n = 0; n < 6; n++) {
            random_stream r = random_of_case(1110 + (uint64_t)kind, (uint64_t)n);
            make_mesh(&m, kind, &r, sizes[n % 3], shift_of(n / 3 + 1 + n % 2));
            fender_geometry *g = geometry_of(&m);
            enum { POINTS = 120 };
            fender_vec3 points[POINTS];
            fender_nearest one, many[POINTS];
            for (int i = 0; i < POINTS; i++) points[i] = make_point(&r, i);
            assert_int_equal(fender_geometry_nearest_points(g, &X, points, POINTS, INFINITY, many), FENDER_STATUS_OK);
            for (int i = 0; i < POINTS; i++) {
                assert_int_equal(fender_geometry_nearest_point(g, &X, points[i], INFINITY, &one), FENDER_STATUS_OK);
                assert_true(one.found && one.distance == many[i].distance && one.feature == many[i].feature &&
                            one.normal.y == many[i].normal.y && one.part == many[i].part);
                real best = INFINITY, own = distance_to_triangle(&m, (int)one.feature, &points[i]);
                int which = -1;
                for (int t = 0; t < m.triangle_count; t++) {
                    real distance = distance_to_triangle(&m, t, &points[i]);
                    if (distance < best) best = distance, which = t;
                }
                /* some roundings of what is as long as the mesh, which is four sizes across; so are narrow triangles */
                real allowed = 1e-12L * best + 2e-15L * m.size, error = fabsl(fabs(one.distance) - best);
                if (!(error <= allowed))
                    print_message("point %d: error %.2Lg, allowed %.2Lg, distance %.2Lg\n", i, error, allowed, best);
                assert_true(error <= allowed);
                assert_true(own <= best + allowed);
                if (best > 1e-3L * m.size && error / best > worst) worst = error / best;
                vec off = apart(&one.point, &points[i]);
                real coordinates = fabs(one.point.x) + fabs(one.point.y) + fabs(one.point.z);
                real lies = fabsl(sqrtl(dot(off, off)) - best), grain = allowed + 4e-16L * coordinates;
                assert_true(lies <= grain);
                if (lies / grain > farthest) farthest = lies / grain;
                same += which == (int)one.feature;
                parts[one.part]++;
                count++;
                fender_nearest near;
                double limit = fabs(one.distance);
                assert_int_equal(fender_geometry_nearest_point(g, &X, points[i], limit, &near), FENDER_STATUS_OK);
                assert_true(near.found && near.distance == one.distance);
                if (limit > 0) {
                    assert_int_equal(fender_geometry_nearest_point(g, &X, points[i], limit * (1 - 1e-12), &near),
                                     FENDER_STATUS_OK);
                    assert_false(near.found);
                }
            }
            fender_geometry_release(g);
        }
        print_message(
            "points, %s: %d on faces, %d on edges, %d on vertices, %d of %d the same facet; worst error %.1Lg, "
            "points within %.2Lg of what coordinates resolve\n",
            kind_names[kind], parts[0], parts[1], parts[2], same, count, worst, farthest);
        assert_true(parts[0] > 20 && parts[1] + parts[2] > 20);
        assert_true(worst < 1e-12L);
    }
}

/* The pseudonormals must tell inside from outside at ridges, valleys, spikes and saddles: against winding numbers. */
static void signs_of_distances(void **unused)
{
    (void)unused;
    fender_pose X = fender_pose_identity();
    int inside[3] = {0}, outside[3] = {0};
    for (int n = 0; n < 12; n++) {
        random_stream r = random_of_case(1120, (uint64_t)n);
        make_mesh(&m, BALL, &r, sizes[n % 3], shift_of(n));
        fender_geometry *g = geometry_of(&m);
        for (int i = 0; i < 400; i++) {
            double away = random_magnitude(&r, 1e-6, 0.5) * m.size;
            fender_vec3 p = fender_vec3_add_scaled(place_of(&r, i % 3), away, random_direction(&r));
            fender_nearest found;
            assert_int_equal(fender_geometry_nearest_point(g, &X, p, INFINITY, &found), FENDER_STATUS_OK);
            if (fabs(found.distance) < 1e-9 * m.size) continue; /* the winding number itself is not certain */
            bool truly = winding(&m, &p) > 0.5L;
            assert_true((found.distance < 0) == truly);
            (truly ? inside : outside)[found.part]++;
        }
        fender_geometry_release(g);
    }
    print_message("signs: inside %d, %d, %d and outside %d, %d, %d at faces, edges, vertices\n", inside[0], inside[1],
                  inside[2], outside[0], outside[1], outside[2]);
    for (int k = 0; k < 3; k++) assert_true(inside[k] > 20 && outside[k] > 20);
}

/* A steep pyramid, one side of which is cut into many triangles that meet at its tip: their normals outnumber the
 * others, and only weighed by their angles they do not make the far side the inside. */
static void signs_at_a_tip_cut_unevenly(void **unused)
{
    (void)unused;
    enum { CUTS = 60 };
    m.vertex_count = m.triangle_count = 0;
    m.size = 1;
    int tip = add_vertex(&m, fender_vec3_make(0, 0, 3)), left = add_vertex(&m, fender_vec3_make(-0.3, 0.3, 0));
    int right = add_vertex(&m, fender_vec3_make(-0.3, -0.3, 0)), first = m.vertex_count;
    for (int i = 0; i <= CUTS; i++) add_vertex(&m, fender_vec3_make(0.3, -0.3 + 0.6 * i / CUTS, 0));
    add_triangle(&m, tip, left, right);
    add_triangle(&m, tip, right, first);
    add_triangle(&m, tip, first + CUTS, left);
    add_triangle(&m, right, left, first + CUTS);
    for (int i = 0; i < CUTS; i++) {
        add_triangle(&m, tip, first + i, first + i + 1);
        add_triangle(&m, right, first + i + 1, first + i);
    }
    fender_geometry *g = geometry_of(&m);
    fender_pose X = fender_pose_identity();
    int at_tip = 0;
    for (int n = 0; n < 400; n++) {
        random_stream r = random_of_case(1125, (uint64_t)n);
        fender_vec3 p = fender_vec3_add(m.vertices[tip], fender_vec3_scale(0.2, random_direction(&r)));
        fender_nearest found;
        assert_int_equal(fender_geometry_nearest_point(g, &X, p, INFINITY, &found), FENDER_STATUS_OK);
        assert_true((found.distance < 0) == (winding(&m, &p) > 0.5L));
        at_tip += found.part == FENDER_ON_VERTEX && found.point.z == 3;
    }
    print_message("tip: nearest to %d of 400 points\n", at_tip);
    assert_true(at_tip > 100);
    fender_geometry_release(g);
}

static fnd_rays_place_function *const to_lines[3] = FND_WIDTHS(fnd_rays_place);
static fnd_rays_prepare_function *const prepare[3] = FND_WIDTHS(fnd_rays_prepare);
static fnd_tree_ray_function *const cast[3] = FND_WIDTHS(fnd_tree_ray);
static fnd_rays_finish_function *const finish[3] = FND_WIDTHS(fnd_rays_finish);
static fnd_rays_turn_back_function *const turn_back[3] = FND_WIDTHS(fnd_rays_turn_back);

/* Rays side by side through the functions of one width. */
static fnd_ray_places cast_by(int width, const fender_geometry *g, const fender_ray *ray, int copies)
{
    const fender_pose X = {{0.3, -0.2, 0.1}, fender_quaternion_normalized((fender_quaternion){0.9, 0.1, -0.2, 0.3})};
    const fender_mat3 R = fender_quaternion_matrix(X.q);
    fender_ray rays[FND_RAY_LANES];
    for (int i = 0; i < copies; i++) {
        rays[i] = *ray;
        rays[i].origin.x += 0.01 * i;
    }
    fnd_ray_block block;
    fnd_tree_hit hits[FND_RAY_LANES];
    fnd_ray_places places = {0};
    to_lines[width](&X, &R, g->bounding_radius, rays, copies, &block);
    prepare[width](g->surface, &block);
    cast[width](g->surface, &block, 1, hits);
    finish[width](g->surface, &block, hits, &places);
    if (places.found) turn_back[width](&X, &R, &block, &places);
    return places;
}

/* Registers of every width that this machine has give the same bits. */
static void widths_agree(void **unused)
{
    (void)unused;
    static fnd_tree_nearest_function *const find[3] = FND_WIDTHS(fnd_tree_nearest);
    static fnd_tree_traverse_function *const walk[3] = FND_WIDTHS(fnd_tree_traverse);
    int widths = fnd_tree_registers(), hits = 0, found = 0;
    for (mesh_kind kind = 0; kind < KINDS; kind++) {
        random_stream r = random_of_case(1130, (uint64_t)kind);
        make_mesh(&m, kind, &r, 1, shift_of(1 + kind % 2));
        fender_geometry *g = geometry_of(&m);
        for (int i = 0; i < 300; i++) {
            fender_ray ray = make_ray(&r, i);
            fender_vec3 p = make_point(&r, i), half = {0.2, 0.1, 0.3};
            fnd_ray_places first_hit = {0};
            fnd_surface_closest first = {.triangle = -1};
            int32_t order[2][MESH_LIMIT];
            int counts[2] = {0};
            for (int w = 0; w <= widths; w++) {
                fnd_ray_places hit = cast_by(w, g, &ray, 1 + i % 8);
                fnd_surface_closest place;
                memset(&place, 0, sizeof place);
                place.triangle = -1, place.distance = INFINITY;
                find[w](g->surface, &p, &place, 1);
                fnd_surface_traversal steps;
                fnd_surface_traversal_begin(&steps, g->surface,
                                            (fender_box){fender_vec3_sub(p, half), fender_vec3_add(p, half)});
                int into = w > 0;
                counts[into] = 0;
                for (int32_t t; (t = steps.at < steps.end ? steps.found[steps.at++] : walk[w](&steps)) >= 0;)
                    order[into][counts[into]++] = t;
                if (w == 0) {
                    first_hit = hit, first = place;
                    hits += (hit.found & 1) != 0;
                    found += counts[0];
                    continue;
                }
                assert_int_equal(hit.found, first_hit.found);
                for (int lane = 0; lane < FND_RAY_LANES; lane++)
                    if (hit.found >> lane & 1)
                        assert_true(hit.s[lane] == first_hit.s[lane] &&
                                    hit.triangle[lane] == first_hit.triangle[lane] &&
                                    hit.point[2][lane] == first_hit.point[2][lane] &&
                                    hit.normal[0][lane] == first_hit.normal[0][lane]);
                assert_true(place.triangle == first.triangle && place.distance == first.distance &&
                            place.point.x == first.point.x && place.point.y == first.point.y);
                assert_int_equal(counts[0], counts[1]);
                assert_memory_equal(order[0], order[1], (size_t)counts[0] * sizeof order[0][0]);
            }
        }
        fender_geometry_release(g);
    }
    print_message("%d widths beside the plain one: %d hits, %d triangles in boxes, the same\n", widths, hits, found);
    assert_true(hits > 300 && found > 1000);
}

/* Rays side by side, whose search begins together, find the bits that each finds alone, from the root of the tree:
 * bundles as narrow as rounding and as wide as the mesh, along axes, and across them. */
static void bundles_find_what_single_rays_find(void **unused)
{
    (void)unused;
    enum { BUNDLE = 2 * FND_RAY_LANES + 3 };
    fender_pose X = fender_pose_identity();
    int hits = 0, rays = 0;
    for (mesh_kind kind = 0; kind < KINDS; kind++)
        for (int n = 0; n < 6; n++) {
            random_stream r = random_of_case(1150 + (uint64_t)kind, (uint64_t)n);
            make_mesh(&m, kind, &r, sizes[n % 3], shift_of(n));
            fender_geometry *g = geometry_of(&m);
            for (int i = 0; i < 40; i++) {
                const fender_ray middle = make_ray(&r, i);
                const double apart = m.size * random_magnitude(&r, 1e-9, 1);
                const double turn = i % 3 ? random_magnitude(&r, 1e-12, 0.3) * fender_vec3_length(middle.direction) : 0;
                fender_ray bundle[BUNDLE];
                fender_ray_hit many[BUNDLE], one;
                for (int k = 0; k < BUNDLE; k++) {
                    const double far = fender_vec3_length(fender_vec3_sub(m.vertices[0], middle.origin));
                    bundle[k] = middle;
                    bundle[k].origin = fender_vec3_add_scaled(middle.origin, apart, random_in_ball(&r, 1));
                    bundle[k].direction = fender_vec3_add_scaled(middle.direction, turn, random_in_ball(&r, 1));
                    if (i % 4 == 3) bundle[k].range = far * random_between(&r, 0.5, 1.5);
                }
                assert_int_equal(fender_geometry_ray_cast_many(g, &X, bundle, BUNDLE, many), FENDER_STATUS_OK);
                for (int k = 0; k < BUNDLE; k++, rays++) {
                    assert_int_equal(fender_geometry_ray_cast(g, &X, &bundle[k], &one), FENDER_STATUS_OK);
                    assert_true(one.hit == many[k].hit && one.feature == many[k].feature);
                    assert_memory_equal(&one.distance, &many[k].distance, sizeof one.distance);
                    assert_memory_equal(&one.point, &many[k].point, sizeof one.point);
                    assert_memory_equal(&one.normal, &many[k].normal, sizeof one.normal);
                    hits += one.hit;
                }
            }
            fender_geometry_release(g);
        }
    print_message("bundles: %d of %d rays hit, as they do alone\n", hits, rays);
    assert_true(hits > rays / 5);
}

/* A grid has the same triangles as the mesh of its raster; odd and even numbers of cells, and walls left aside. */
static void grids_are_meshes(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_pose X = fender_pose_identity();
    int compared = 0, hits = 0;
    for (int n = 0; n < 40; n++) {
        random_stream r = random_of_case(1140, (uint64_t)n);
        int nx = 2 + random_below(&r, 20), ny = 2 + random_below(&r, 20);
        double heights[22 * 22];
        for (int i = 0; i < nx * ny; i++) heights[i] = random_between(&r, -0.3, 0.3);
        fender_grid_def def = {nx, ny, {-1, 2}, {0.1, random_magnitude(&r, 0.01, 1)}, heights};
        fender_geometry *grid = fender_geometry_grid(&env, &def, NULL);
        assert_non_null(grid);
        int count;
        const fender_vec3 *vertices = fender_geometry_vertices(grid, &count);
        int indices = fender_geometry_triangles(grid, NULL, 0);
        int32_t triangles[6 * 21 * 21];
        assert_true(fender_geometry_triangles(grid, triangles, indices) == indices);
        fender_mesh_def mesh_def = {vertices, count, triangles, indices / 3};
        fender_geometry *other = fender_geometry_mesh(&env, &mesh_def, NULL);
        fender_vec3 lower = vertices[0], upper = vertices[count - 1];
        for (int i = 0; i < 100; i++) {
            fender_vec3 p = {random_between(&r, lower.x, upper.x), random_between(&r, lower.y, upper.y),
                             random_between(&r, 0.31, 2)};
            fender_ray ray = {p, random_direction(&r), INFINITY};
            ray.direction.z = -fabs(ray.direction.z);
            fender_ray_hit a, b;
            fender_geometry_ray_cast(grid, &X, &ray, &a);
            fender_geometry_ray_cast(other, &X, &ray, &b);
            if (a.hit && a.feature < (uint64_t)indices / 3) /* not a wall */
                assert_true(b.hit && a.distance == b.distance && a.feature == b.feature), hits++;
            fender_nearest c, d;
            p.z -= i % 2;
            fender_geometry_nearest_point(grid, &X, p, INFINITY, &c);
            fender_geometry_nearest_point(other, &X, p, INFINITY, &d);
            assert_true(fabs(c.distance) == fabs(d.distance) && c.feature == d.feature && c.part == d.part);
            compared++;
        }
        fender_geometry_release(other);
        fender_geometry_release(grid);
    }
    print_message("grids: %d points and %d hits as on the same mesh\n", compared, hits);
    assert_true(hits > 300);
}

static void bad_questions(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_sphere(&env, 1, NULL);
    fender_pose X = fender_pose_identity();
    fender_nearest n;
    fender_vec3 p = {0, 0, 3};
    assert_int_equal(fender_geometry_nearest_point(g, &X, p, 5, &n), FENDER_STATUS_OK);
    assert_true(n.found && fabs(n.distance - 2) < 1e-15 && n.normal.z == 1 && n.point.z == 1);
    assert_int_equal(fender_geometry_nearest_point(g, &X, p, 1, &n), FENDER_STATUS_OK);
    assert_true(!n.found && n.distance == 0);
    assert_int_equal(fender_geometry_nearest_point(g, &X, p, -1, &n), FENDER_STATUS_VALUE);
    assert_int_equal(fender_geometry_nearest_point(g, &X, p, NAN, &n), FENDER_STATUS_VALUE);
    assert_int_equal(fender_geometry_nearest_point(g, &X, fender_vec3_make(NAN, 0, 0), 1, &n), FENDER_STATUS_VALUE);
    assert_int_equal(fender_geometry_nearest_point(g, NULL, p, 1, &n), FENDER_STATUS_ARGUMENT);
    fender_ray rays[2] = {{p, {0, 0, -1}, INFINITY}, {p, {0, 0, 0}, INFINITY}};
    fender_ray_hit hits[2] = {{.feature = 77}, {.feature = 77}};
    assert_int_equal(fender_geometry_ray_cast_many(g, &X, rays, 2, hits), FENDER_STATUS_VALUE);
    assert_true(hits[0].feature == 77 && hits[1].feature == 77);
    assert_int_equal(fender_geometry_ray_cast_many(g, &X, rays, 1, hits), FENDER_STATUS_OK);
    assert_true(hits[0].hit && fabs(hits[0].distance - 2) < 1e-15);
    assert_int_equal(fender_geometry_ray_cast_many(g, &X, NULL, 1, hits), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_geometry_ray_cast_many(g, &X, NULL, 0, NULL), FENDER_STATUS_OK);
    fender_geometry_release(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_against_every_triangle),
        cmocka_unit_test(points_against_every_triangle),
        cmocka_unit_test(signs_of_distances),
        cmocka_unit_test(signs_at_a_tip_cut_unevenly),
        cmocka_unit_test(widths_agree),
        cmocka_unit_test(bundles_find_what_single_rays_find),
        cmocka_unit_test(grids_are_meshes),
        cmocka_unit_test(bad_questions),
    };
    return cmocka_run_group_tests_name("terrain queries", tests, NULL, NULL);
}
