/* Warnings of a world before a run: overlaps, bodies out of proportion, links, pairs that do not touch as meant. */
#include "run/run.h"

#include "support/number.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Overlaps ---- */

/* An overlap of that part of the smaller shape's bounding radius is no rest on a spring. */
static const double DEEP = 0.5;
/* More pairs are not looked at one by one. */
enum { OVERLAP_PAIR_LIMIT = 5000, NAME_SIZE = 420 };

static double size_of(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    if (fender_shape_get_def(world, shape, &def) != FENDER_STATUS_OK || !def.active) return 0;
    return fender_geometry_bounding_radius(def.geometry);
}

typedef struct overlap {
    char message[NAME_SIZE + 200], depth[FND_NUMBER_SIZE];
} overlap;

static void describe_overlap(const fender_run *run, const fender_pair_explanation *pair, double depth, double part,
                             overlap *o)
{
    char name[NAME_SIZE], share[FND_NUMBER_SIZE];
    fnd_pair_name(run->world, pair->a, pair->b, name, sizeof name);
    fnd_number_format_digits(depth, 3, o->depth, sizeof o->depth);
    fnd_number_format_digits(part, 2, share, sizeof share);
    snprintf(o->message, sizeof o->message, "%s overlap by %s m at the start, %s of the smaller one's radius", name,
             o->depth, share);
}

/* The next pair of shapes that lie deep in each other, from the pair *i, *k on; false: there is none. */
static bool next_overlap(const fender_run *run, int *i, int *k, overlap *o)
{
    const fender_world *world = run->world;
    const int count = fender_shape_count(world);
    if ((int64_t)count * (count - 1) / 2 > OVERLAP_PAIR_LIMIT) return false;
    for (; *i < count; ++*i, *k = *i + 1)
        for (; *k < count; ++*k) {
            fender_shape_id a = fender_shape_at(world, *i), b = fender_shape_at(world, *k);
            double size_a = size_of(world, a), size_b = size_of(world, b), size = size_a < size_b ? size_a : size_b;
            fender_pair_explanation pair;
            fender_contact_data data;
            if (!(size > 0) || !isfinite(size) || fender_world_explain(world, a, b, &pair) != FENDER_STATUS_OK ||
                pair.reason != FENDER_PAIR_MAY_TOUCH ||
                fender_contact_between(world, a, b, &data) != FENDER_STATUS_OK || !(-data.separation > DEEP * size))
                continue;
            describe_overlap(run, &pair, -data.separation, -data.separation / size, o);
            ++*k;
            return true;
        }
    return false;
}

void fnd_run_warn_of_overlap(const fender_run *run)
{
    overlap o;
    for (int i = 0, k = 1; run->env.report && next_overlap(run, &i, &k, &o);) {
        fender_diagnostic warning = {
            .severity = FENDER_SEVERITY_WARNING,
            .status = FENDER_STATUS_VALUE,
            .file = "",
            .excerpt = "",
            .message = o.message,
            .found = o.depth,
            .expected = "shapes that are apart or just touch",
            .suggestion = "they will be thrown apart: check poses, units and the direction of normals"};
        run->env.report(run->env.report_ctx, &warning);
    }
}

bool fnd_run_overlaps(const fender_run *run, char *text, size_t size)
{
    overlap o;
    int i = 0, k = 1;
    const bool found = next_overlap(run, &i, &k, &o);
    if (found) snprintf(text, size, "%s", o.message);
    return found;
}

/* ---- Sizes ---- */

/* Radii of gyration that no body has which is as large as its shapes: a mass and shapes in other units. A pad may stand
 * for a whole vehicle, but an inertia in kg*mm^2 makes it 1000 times as large. */
static const double OUTSIDE = 400, INSIDE = 0.01;

/* How far the shapes of each body reach from its centre of mass, by the index of the body; NULL: no memory. */
static double *find_reaches(const fender_run *run, uint32_t limit)
{
    const fender_world *world = run->world;
    const fender_allocator *a = &run->env.allocator;
    double *reach = a->allocate(a->ctx, limit * sizeof *reach, _Alignof(double));
    for (uint32_t i = 0; reach && i < limit; i++) reach[i] = 0;
    for (int i = 0; reach && i < fender_shape_count(world); i++) {
        const fender_shape_id shape = fender_shape_at(world, i);
        const fender_body_id body = fender_shape_body(world, shape);
        fender_shape_def def;
        fender_mass_properties mass;
        if (fender_shape_get_def(world, shape, &def) != FENDER_STATUS_OK ||
            fender_body_get_mass(world, body, FENDER_MASS_CORE, &mass) != FENDER_STATUS_OK)
            continue;
        const double own = fender_vec3_length(fender_vec3_sub(def.X_SG.p, mass.center_of_mass)) +
                           fender_geometry_bounding_radius(def.geometry);
        if (own > reach[body.index1]) reach[body.index1] = own;
    }
    return reach;
}

static void warn_of_size(const fender_run *run, fender_body_id body, double gyration, double reach)
{
    char message[300], radius[FND_NUMBER_SIZE], size[FND_NUMBER_SIZE];
    fnd_number_format_digits(gyration, 3, radius, sizeof radius);
    fnd_number_format_digits(reach, 3, size, sizeof size);
    snprintf(message, sizeof message,
             "mass and shapes of body '%.64s' do not fit: its radius of gyration is %s m, "
             "and its shapes reach %s m from its centre of mass",
             fender_body_name(run->world, body), radius, size);
    fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                 .status = FENDER_STATUS_VALUE,
                                 .file = "",
                                 .excerpt = "",
                                 .message = message,
                                 .found = "",
                                 .expected = "a radius of gyration of the size of the body",
                                 .suggestion = "check the units of the inertia, of meshes and of sizes"};
    run->env.report(run->env.report_ctx, &warning);
}

bool fnd_run_warn_of_sizes(const fender_run *run)
{
    const fender_world *world = run->world;
    const int count = fender_body_count(world);
    uint32_t limit = 1;
    if (!run->env.report) return true;
    for (int i = 0; i < count; i++)
        if (fender_body_at(world, i).index1 >= limit) limit = fender_body_at(world, i).index1 + 1;
    double *reach = find_reaches(run, limit);
    for (int i = 0; reach && i < count; i++) {
        const fender_body_id body = fender_body_at(world, i);
        const double own = reach[body.index1];
        fender_body_def def;
        if (!(own > 0) || isinf(own) || fender_body_get_def(world, body, &def) != FENDER_STATUS_OK ||
            def.motion != FENDER_MOTION_DYNAMIC)
            continue;
        const fender_mat3 *inertia = &def.mass_properties.inertia;
        const double gyration = sqrt((inertia->m[0][0] + inertia->m[1][1] + inertia->m[2][2]) /
                                     (2 * def.mass_properties.mass));
        if (gyration > OUTSIDE * own || gyration < INSIDE * own) warn_of_size(run, body, gyration, own);
    }
    if (reach) run->env.allocator.release(run->env.allocator.ctx, reach, limit * sizeof *reach);
    return reach != NULL;
}

/* ---- Links ---- */

/* Does it push its points apart where they coincide? */
static bool opens(const fender_link_def *def, const fender_link_data *data)
{
    switch (def->law) {
    case FENDER_LINK_SPRING_DAMPER:
        return data->free_length > 0 && ((const fender_link_spring_damper *)def->parameters)->acts != FENDER_LINK_PULL;
    case FENDER_LINK_CONTACT_LAW:
        return data->free_length > 0 && ((const fender_link_contact_law *)def->parameters)->acts == FENDER_LINK_PUSH;
    case FENDER_LINK_SEPARATION_SPRING:
    case FENDER_LINK_STRUT: return data->free_length > 0;
    case FENDER_LINK_TETHER:
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH:
    case FENDER_LINK_ACTUATOR:
    case FENDER_LINK_ELECTROMAGNET:
    case FENDER_LINK_FRICTION: break;
    }
    return false;
}

/* Does anything tell which way the link is to push points that coincide? Point a has axes of its own, or the points
 * face each other, as docked ones do. */
static bool has_direction(const fender_world *world, const fender_link_def *def)
{
    const fender_point_id ids[] = {def->a, def->b};
    fender_body_state ends[2];
    fender_pose own[2];
    for (int i = 0; i < 2; i++) {
        fender_body_frame frame = {.kind = FENDER_BODY_FRAME_POINT, .point = ids[i]};
        if (fender_point_get(world, ids[i], &frame.body, NULL, &own[i]) != FENDER_STATUS_OK ||
            fender_body_frame_state(world, frame, &ends[i], NULL) != FENDER_STATUS_OK)
            return true;
    }
    const bool turned = fabs(own[0].q.w) < 1;
    const fender_vec3 x = {1, 0, 0};
    const double facing = fender_vec3_dot(fender_quaternion_rotate(ends[0].attitude, x),
                                          fender_quaternion_rotate(ends[1].attitude, x));
    return turned || facing < -0.9;
}

void fnd_run_warn_of_links(const fender_run *run)
{
    const fender_world *world = run->world;
    for (int i = 0; i < fender_link_count(world) && run->env.report; i++) {
        const fender_link_id link = fender_link_at(world, i);
        fender_link_def def;
        fender_link_data data;
        if (fender_link_get_def(world, link, &def) != FENDER_STATUS_OK ||
            fender_link_get(world, link, FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK || !opens(&def, &data) ||
            !fender_link_points_coincide(world, link) || has_direction(world, &def))
            continue;
        char message[300];
        snprintf(message, sizeof message,
                 "the points of link '%.64s' coincide, so that it will push along the x axis of its first point, which "
                 "is that of the body",
                 fender_link_name(world, link));
        fender_diagnostic warning = {
            .severity = FENDER_SEVERITY_WARNING,
            .status = FENDER_STATUS_VALUE,
            .file = "",
            .excerpt = "",
            .message = message,
            .found = "",
            .expected = "points that are apart, or an orientation of the first point",
            .suggestion = "give the first point an orientation whose x axis points to where the second is to go"};
        run->env.report(run->env.report_ctx, &warning);
    }
}

/* ---- Pairs ---- */

/* More pairs are not looked at one by one. */
enum { PAIR_LIMIT = 500000, NAMED = 3, TEXT_SIZE = 1400 };

typedef struct pair_list {
    int64_t count;
    fender_shape_id pairs[NAMED][2];
} pair_list;

static void note(pair_list *list, const fender_pair_explanation *pair)
{
    if (list->count < NAMED) {
        list->pairs[list->count][0] = pair->a;
        list->pairs[list->count][1] = pair->b;
    }
    list->count++;
}

fender_geometry_type fnd_shape_type(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    return fender_shape_get_def(world, shape, &def) == FENDER_STATUS_OK ? fender_geometry_type_of(def.geometry)
                                                                        : FENDER_GEOMETRY_TYPE_COUNT;
}

bool fnd_geometry_has_patches(fender_geometry_type type)
{
    switch (type) {
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE:
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID: return true;
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_CAPSULE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_ELLIPSOID:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return false;
}

/* Does the pair touch with patches that have nothing beyond touch? */
static bool ends_at_touch(fender_geometry_type a, fender_geometry_type b, fender_contact_points points)
{
    const bool mesh = a == FENDER_GEOMETRY_MESH || b == FENDER_GEOMETRY_MESH;
    const bool mesh_a = a == FENDER_GEOMETRY_MESH || a == FENDER_GEOMETRY_GRID,
               mesh_b = b == FENDER_GEOMETRY_MESH || b == FENDER_GEOMETRY_GRID;
    if (points == FENDER_CONTACT_POINTS_SINGLE) return false;
    if (a == FENDER_GEOMETRY_CAPSULE) return b == FENDER_GEOMETRY_BOX || b == FENDER_GEOMETRY_HULL;
    if (b == FENDER_GEOMETRY_CAPSULE) return a == FENDER_GEOMETRY_BOX || a == FENDER_GEOMETRY_HULL;
    if (a == FENDER_GEOMETRY_PLANE || b == FENDER_GEOMETRY_PLANE) return mesh;
    return fnd_geometry_has_patches(a) && fnd_geometry_has_patches(b) &&
           (points == FENDER_CONTACT_POINTS_PATCH || (mesh_a && mesh_b));
}

/* Does the law of a contact that has begun attract at that depth? */
static bool attracts_at(const fender_contact_type_def *type, double depth)
{
    _Alignas(max_align_t) unsigned char memory[512] = {0};
    const fender_law *law = type->law ? type->law : type->normal;
    const void *parameters = type->law ? type->law_parameters : type->normal_parameters;
    const double states[FENDER_LAW_STATE_CAPACITY] = {0};
    fender_contact_input in = {.weight = 1, .states = states};
    fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
    if (!law || law->memory_size > sizeof memory) return false;
    if (law->begin) law->begin(parameters, &in, memory);
    in.depth = depth;
    law->force(parameters, &in, memory, &out);
    return out.force.z < 0;
}

bool fnd_law_holds_apart(const fender_law *law, const fender_contact_type_def *type)
{
    double onset = 0, release = 0;
    if (!law->activation_distance) return false;
    law->activation_distance(type->law ? type->law_parameters : type->normal_parameters, &onset, &release);
    return release > onset && attracts_at(type, -0.25 * release);
}

/* Would its law hold the pair beyond touch, and its points do not? */
static bool lets_go(const fender_world *world, const fender_pair_explanation *pair)
{
    fender_contact_type_def type;
    return pair->reason == FENDER_PAIR_MAY_TOUCH && pair->release_gap > pair->onset_gap &&
           fender_contact_type_get_def(world, pair->use, &type) == FENDER_STATUS_OK &&
           ends_at_touch(fnd_shape_type(world, pair->a), fnd_shape_type(world, pair->b), type.points) &&
           attracts_at(&type, -0.25 * pair->release_gap);
}

static const char *name_of(const fender_world *world, fender_shape_id shape)
{
    const char *name = fender_geometry_type_name(fnd_shape_type(world, shape));
    return name ? name : "";
}

static void warn_of_pairs(const fender_run *run, const pair_list *list, const char *what, const char *effect,
                          const char *expected, const char *suggestion)
{
    char message[TEXT_SIZE], found[32];
    if (list->count == 0) return;
    size_t at = (size_t)snprintf(message, sizeof message, "no %s for %" PRId64 " pair%s of shapes; %s:", what,
                                 list->count, list->count > 1 ? "s" : "", effect);
    for (int i = 0; i < NAMED && i < list->count; i++) {
        char name[220];
        fnd_pair_name(run->world, list->pairs[i][0], list->pairs[i][1], name, sizeof name);
        at += (size_t)snprintf(message + at, sizeof message - at, "%s %s (%s, %s)", i > 0 ? "," : "", name,
                               name_of(run->world, list->pairs[i][0]), name_of(run->world, list->pairs[i][1]));
    }
    if (list->count > NAMED) snprintf(message + at, sizeof message - at, ", and others");
    snprintf(found, sizeof found, "%" PRId64, list->count);
    fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                 .status = FENDER_STATUS_VALUE,
                                 .file = "",
                                 .excerpt = "",
                                 .message = message,
                                 .found = found,
                                 .expected = expected,
                                 .suggestion = suggestion};
    run->env.report(run->env.report_ctx, &warning);
}

void fnd_run_warn_of_pairs(const fender_run *run)
{
    const fender_world *world = run->world;
    int count = fender_shape_count(world);
    pair_list without_rule = {0}, without_function = {0}, without_depth = {0}, without_hold = {0};
    if (!run->env.report || (int64_t)count * (count - 1) / 2 > PAIR_LIMIT) return;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            fender_pair_explanation pair;
            fender_rule_def rule;
            if (fender_world_explain(world, fender_shape_at(world, i), fender_shape_at(world, k), &pair) !=
                FENDER_STATUS_OK)
                continue;
            if (lets_go(world, &pair)) note(&without_hold, &pair);
            if (pair.reason == FENDER_PAIR_NO_RULE) note(&without_rule, &pair);
            if ((pair.reason == FENDER_PAIR_NO_FUNCTION || pair.reason == FENDER_PAIR_NO_INSIDE) &&
                fender_rule_get_def(world, pair.rule, &rule) == FENDER_STATUS_OK && !rule.ignore_unsupported)
                note(pair.reason == FENDER_PAIR_NO_INSIDE ? &without_depth : &without_function, &pair);
        }
    static const char *const pass = "they pass through each other";
    warn_of_pairs(
        run, &without_depth, "depth", pass, "a solid, or a rounded disk, on one side",
        "disks have no thickness: make one a cylinder, give it a rounding, or write unsupported: ignore in the "
        "rule");
    warn_of_pairs(run, &without_function, "contact function", pass, "pairs that `fender info pairs` lists",
                  "give them other geometries, or write unsupported: ignore in the rule");
    warn_of_pairs(run, &without_rule, "rule", pass, "a rule for every pair",
                  "add {default: never} to `rules` if this is intended, otherwise a rule for them or {default: TYPE}");
    warn_of_pairs(run, &without_hold, "hold beyond touch", "their law attracts, but patches only where they overlap",
                  "a plane, single contacts or corners",
                  "write points: single in the contact type, or points: corners for feet with corners or flat ends, "
                  "or make the ground a plane");
}
