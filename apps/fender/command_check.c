/* `fender check`: what a scenario would be, without running it. */
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- as text */

enum { LABEL_WIDTH = 24 };

static void put_label(fnd_app_stream *to, int indent, const char *label)
{
    for (int i = 0; i < indent; i++) fnd_app_put(to, " ");
    fnd_app_put(to, label);
    fnd_app_put_padding(to, strlen(label) + (size_t)indent, LABEL_WIDTH);
}

static void put_vector(fnd_app_stream *to, const char *label, fender_vec3 value, const char *unit)
{
    char text[3 * FND_APP_NUMBER_SIZE];
    put_label(to, 3, label);
    fnd_app_print(to, "%s %s\n", fnd_app_vector(text, value), unit);
}

static void put_quaternion(fnd_app_stream *to, fender_quaternion q)
{
    const double parts[4] = {q.w, q.x, q.y, q.z};
    char text[FND_APP_NUMBER_SIZE];
    for (int i = 0; i < 4; i++) fnd_app_print(to, "%s%s", i == 0 ? "[" : ", ", fnd_app_number(text, parts[i]));
    fnd_app_put(to, "]");
}

static bool is_identity(fender_quaternion q) { return q.x == 0 && q.y == 0 && q.z == 0; }

static void print_frame(fnd_app_stream *to, const fender_frame *frame)
{
    static const char *const axes[] = {"east, north, up", "north, east, down", "up, east, north",
                                       "those of the planet"};
    const double degree = 0.017453292519943295;
    char text[FND_APP_NUMBER_SIZE];
    put_label(to, 1, "frame");
    if (frame->kind == FENDER_FRAME_PLANET_CENTERED) {
        fnd_app_put(to, "fixed to the planet, origin at its centre\n");
    } else if (frame->kind == FENDER_FRAME_ORBIT) {
        const fender_orbit *o = &frame->orbit;
        fnd_app_print(to, "in orbit about the planet, semi-major axis %s",
                      fnd_app_quantity(text, o->semi_major_axis, "m"));
        fnd_app_print(to, ", eccentricity %s", fnd_app_number(text, o->eccentricity));
        fnd_app_print(to, ", inclination %s deg; axes inertial\n", fnd_app_number(text, o->inclination / degree));
    } else {
        fnd_app_print(to, "fixed to the planet at latitude %s deg",
                      fnd_app_number(text, frame->origin.latitude / degree));
        fnd_app_print(to, ", longitude %s deg", fnd_app_number(text, frame->origin.longitude / degree));
        fnd_app_print(to, ", altitude %s; axes ", fnd_app_quantity(text, frame->origin.altitude, "m"));
        fnd_app_print(to, "%s\n", axes[frame->axes]);
    }
    const fender_planet *p = &frame->planet;
    put_label(to, 2, "planet");
    fnd_app_print(to, "radius %s", fnd_app_quantity(text, p->equatorial_radius, "m"));
    fnd_app_print(to, ", flattening %s", fnd_app_number(text, p->flattening));
    fnd_app_print(to, ", mu %s", fnd_app_quantity(text, p->mu, "m^3/s^2"));
    fnd_app_print(to, ", j2 %s", fnd_app_number(text, p->j2));
    fnd_app_print(to, ", rotation %s\n", fnd_app_quantity(text, p->rotation_rate, "rad/s"));
}

static void print_world(fnd_app_check *check)
{
    fnd_app_stream *to = &check->app->out;
    const fender_world_def *def = fender_world_get_def(check->world);
    char text[FND_APP_NUMBER_SIZE], vector[3 * FND_APP_NUMBER_SIZE];
    put_label(to, 1, "gravity");
    if (def->gravity.kind == FENDER_GRAVITY_UNIFORM) {
        fnd_app_print(to, "%s m/s^2\n", fnd_app_vector(vector, def->gravity.acceleration));
    } else if (def->gravity.kind == FENDER_GRAVITY_POINT_MASS) {
        fnd_app_print(to, "point mass, mu %s, centre %s m\n", fnd_app_quantity(text, def->gravity.mu, "m^3/s^2"),
                      fnd_app_vector(vector, def->gravity.center));
        if (def->oblateness.j2 != 0) {
            put_label(to, 2, "j2");
            fnd_app_print(to, "%s at ", fnd_app_number(text, def->oblateness.j2));
            fnd_app_print(to, "%s, axis ", fnd_app_quantity(text, def->oblateness.radius, "m"));
            fnd_app_print(to, "%s\n", fnd_app_vector(vector, def->oblateness.axis));
        }
    } else if (def->gravity.kind == FENDER_GRAVITY_PLANET) {
        fnd_app_put(to, "of the planet\n");
    } else {
        fnd_app_put(to, "none\n");
    }
    if (def->frame.kind != FENDER_FRAME_INERTIAL) print_frame(to, &def->frame);
    put_label(to, 1, "integrator");
    bool adaptive = fender_integrator_adaptive(def->method);
    if (adaptive)
        fnd_app_print(to, "%s, relative tolerance %s, records", fender_integrator_name(def->method),
                      fnd_app_number(text, def->relative_tolerance));
    else fnd_app_print(to, "%s", fender_integrator_name(def->method));
    fnd_app_print(to, adaptive ? " every %s" : ", step %s", fnd_app_duration(text, def->step));
    fnd_app_print(to, ", from %s", fnd_app_quantity(text, def->start_time, "s"));
    fnd_app_print(to, " until %s\n", fnd_app_quantity(text, check->summary->until, "s"));
    if (isfinite(check->system_step)) {
        put_label(to, 1, "stable step");
        fnd_app_print(to, "%s, for all links and contacts that act at the start\n",
                      fnd_app_duration(text, check->system_step));
    }
    if (def->contact_limit_factor > 0) {
        put_label(to, 1, "range limit");
        fnd_app_print(to, "%s times the sum of the bounding radii\n", fnd_app_number(text, def->contact_limit_factor));
    }
}

static void print_shape(fnd_app_check *check, fender_shape_id shape)
{
    fnd_app_stream *to = &check->app->out;
    fender_shape_def def;
    char label[96], vector[3 * FND_APP_NUMBER_SIZE];
    if (fender_shape_get_def(check->world, shape, &def) != FENDER_STATUS_OK) return;
    const char *material = fender_material_name(check->world, def.material);
    fnd_app_stream scratch;
    fnd_app_stream_open(&scratch, -1);
    fnd_app_print(&scratch, "shape %.80s", def.name);
    memcpy(label, scratch.buffer, scratch.used);
    label[scratch.used] = '\0';
    put_label(to, 3, label);
    fnd_app_put_geometry(to, def.geometry);
    fnd_app_print(to, ", %s%s, at %s m", material != NULL ? "material " : "no material",
                  material != NULL ? material : "", fnd_app_vector(vector, def.X_SG.p));
    if (!is_identity(def.X_SG.q)) {
        fnd_app_put(to, ", orientation ");
        put_quaternion(to, def.X_SG.q);
    }
    fnd_app_put(to, def.active ? "\n" : ", not active\n");
}

static void print_mass(fnd_app_stream *to, const fender_body_def *def)
{
    char text[FND_APP_NUMBER_SIZE], row[3 * FND_APP_NUMBER_SIZE];
    const fender_mat3 *inertia = &def->mass_properties.inertia;
    put_label(to, 3, "mass");
    fnd_app_print(to, "%s\n", fnd_app_quantity(text, def->mass_properties.mass, "kg"));
    put_vector(to, "centre of mass", def->mass_properties.center_of_mass, "m");
    put_label(to, 3, "inertia");
    for (int i = 0; i < 3; i++)
        fnd_app_print(to, "%s%s", i == 0 ? "[" : ", ",
                      fnd_app_vector(row, fender_vec3_make(inertia->m[i][0], inertia->m[i][1], inertia->m[i][2])));
    fnd_app_put(to, "] kg*m^2 about the centre, in body axes\n");
    put_vector(to, "principal moments", fender_principal_moments(inertia), "kg*m^2");
    if (!is_identity(def->body_axes)) {
        put_label(to, 3, "body axes");
        put_quaternion(to, def->body_axes);
        fnd_app_put(to, " in structure axes\n");
    }
}

static void print_points(fnd_app_check *check, fender_body_id body)
{
    fnd_app_stream *to = &check->app->out;
    for (int i = fnd_app_first_part(&check->points, body); i >= 0; i = check->points.next[i]) {
        const char *name;
        fender_pose pose;
        char vector[3 * FND_APP_NUMBER_SIZE];
        if (fender_point_get(check->world, fender_point_at(check->world, i), NULL, &name, &pose)) continue;
        fnd_app_put(to, "   point ");
        fnd_app_put(to, name);
        fnd_app_put_padding(to, strlen(name) + 9, LABEL_WIDTH);
        fnd_app_print(to, "at %s m", fnd_app_vector(vector, pose.p));
        if (!is_identity(pose.q)) {
            fnd_app_put(to, ", orientation ");
            put_quaternion(to, pose.q);
        }
        fnd_app_put(to, "\n");
    }
}

static void print_parent(fnd_app_check *check, fender_body_id body)
{
    fnd_app_stream *to = &check->app->out;
    fender_body_id parent = fender_body_parent(check->world, body);
    if (parent.index1 == 0) return;
    fender_pose pose = fender_body_pose_in_parent(check->world, body);
    char vector[3 * FND_APP_NUMBER_SIZE];
    put_label(to, 3, "attached to");
    fnd_app_print(to, "%s, at %s m in it", fender_body_name(check->world, parent), fnd_app_vector(vector, pose.p));
    if (!is_identity(pose.q)) {
        fnd_app_put(to, ", orientation ");
        put_quaternion(to, pose.q);
    }
    fnd_app_put(to, "\n");
}

/* A path, not the state, says where such a body is and how it moves. */
static void print_path(fnd_app_stream *to, const fender_path *path)
{
    char vector[3 * FND_APP_NUMBER_SIZE], time[FND_APP_NUMBER_SIZE];
    put_label(to, 3, "path");
    fnd_app_print(to, "%d %s, from %s m at %s\n", path->count, fnd_app_plural(path->count, "row", "rows"),
                  fnd_app_vector(vector, path->positions[0]), fnd_app_quantity(time, path->times[0], "s"));
}

static void print_body(fnd_app_check *check, fender_body_id body)
{
    fnd_app_stream *to = &check->app->out;
    fender_body_def def;
    if (fender_body_get_def(check->world, body, &def) != FENDER_STATUS_OK) return;
    fnd_app_print(to, "\n body %s (%s)\n", def.name, fender_motion_name(def.motion));
    if (def.motion == FENDER_MOTION_DYNAMIC || def.motion == FENDER_MOTION_MASS_ONLY) print_mass(to, &def);
    print_parent(check, body);
    if (fnd_app_has_state(check->world, body)) {
        if (def.path.count > 0) {
            print_path(to, &def.path);
        } else {
            put_vector(to, "position", def.state.position, "m");
            if (def.motion != FENDER_MOTION_FIXED) put_vector(to, "velocity", def.state.velocity, "m/s");
        }
        put_label(to, 3, "attitude");
        put_quaternion(to, def.state.attitude);
        fnd_app_put(to, "\n");
        if (def.motion != FENDER_MOTION_FIXED) put_vector(to, "angular velocity", def.state.angular_velocity, "rad/s");
    }
    print_points(check, body);
    for (int i = fnd_app_first_part(&check->shapes, body); i >= 0; i = check->shapes.next[i])
        print_shape(check, fender_shape_at(check->world, i));
}

static void put_tree_line(void *ctx, const char *line)
{
    fnd_app_stream *to = ctx;
    fnd_app_put(to, "   ");
    fnd_app_put(to, line);
    fnd_app_put(to, "\n");
}

/* Trees of several bodies; nothing when no body is attached. */
static void print_trees(fnd_app_check *check)
{
    fnd_app_stream *to = &check->app->out;
    const fender_world *world = check->world;
    bool any = false;
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_id body = fender_body_at(world, i);
        if (fender_body_parent(world, body).index1 != 0 || fender_body_child_at(world, body, 0).index1 == 0) continue;
        if (!any) fnd_app_put(to, "\n mass trees: each body alone (core) and with its subtree (composite)\n");
        any = true;
        fender_mass_tree_print(world, body, put_tree_line, to);
    }
}

/* The pair whose friction asks for the shortest step. */
static void print_friction(fnd_app_check *check, const fender_type_use *use)
{
    fnd_app_stream *to = &check->app->out;
    const fender_friction_advice *f = &use->friction;
    char text[FND_APP_NUMBER_SIZE];
    bool spring = f->stiffness > 0;
    if (!f->known || isinf(f->largest_step)) return;
    put_label(to, 3, "friction");
    fnd_app_print(to, "at %s a %s of ", fnd_app_quantity(text, f->load, "N"), spring ? "spring" : "damper");
    fnd_app_put(to, fnd_app_quantity(text, spring ? f->stiffness : f->damping, spring ? "N/m" : "N*s/m"));
    fnd_app_print(to, " on %s; largest stable step ", fnd_app_quantity(text, f->mass, "kg"));
    fnd_app_print(to, "%s%s\n", fnd_app_duration(text, f->largest_step), use->friction_too_stiff ? " !" : "");
}

/* The pair that slides fastest, of friction whose deflection decays as it slides. */
static void print_sliding(fnd_app_check *check, const fender_type_use *use)
{
    fnd_app_stream *to = &check->app->out;
    char text[FND_APP_NUMBER_SIZE];
    if (!(use->pairs > 0) || !(use->sliding_speed > 0) || isinf(use->sliding_step)) return;
    put_label(to, 3, "sliding friction");
    fnd_app_print(to, "at %s; largest stable step ", fnd_app_quantity(text, use->sliding_speed, "m/s"));
    fnd_app_print(to, "%s%s\n", fnd_app_duration(text, use->sliding_step), use->slides_too_fast ? " !" : "");
}

static void print_advice(fnd_app_check *check, const fender_type_use *use)
{
    fnd_app_stream *to = &check->app->out;
    const fender_world_def *def = fender_world_get_def(check->world);
    const fender_step_advice *advice = &use->advice;
    char text[FND_APP_NUMBER_SIZE], other[FND_APP_NUMBER_SIZE];
    if (!check->advice.pairs_counted) return;
    put_label(to, 3, "pairs");
    fnd_app_print(to, "%" PRId64, use->pairs);
    if (use->pairs > 0) {
        fnd_app_put(to, "; lightest ");
        fnd_app_put_shape(to, check->world, use->lightest[0]);
        fnd_app_put(to, ":");
        fnd_app_put_shape(to, check->world, use->lightest[1]);
        fnd_app_print(to, ", reduced mass %s", fnd_app_quantity(text, advice->mass, "kg"));
    }
    fnd_app_put(to, "\n");
    if (!advice->known) return;
    put_label(to, 3, "stiffness");
    fnd_app_print(to, "%s, damping %s", fnd_app_quantity(text, advice->stiffness, "N/m"),
                  fnd_app_quantity(other, advice->damping, "N*s/m"));
    if (advice->depends_on_depth) fnd_app_print(to, " at depth %s", fnd_app_quantity(text, advice->depth, "m"));
    fnd_app_put(to, "\n");
    put_label(to, 3, "natural frequency");
    fnd_app_print(to, "%s\n", fnd_app_quantity(text, advice->frequency, "Hz"));
    put_label(to, 3, "damping ratio");
    fnd_app_print(to, "%s\n", fnd_app_number(text, advice->damping_ratio));
    put_label(to, 3, "contact time");
    bool adaptive = fender_integrator_adaptive(def->method);
    if (isinf(advice->contact_time)) {
        fnd_app_put(to, "no rebound: overdamped\n");
    } else if (adaptive) {
        fnd_app_print(to, "%s\n", fnd_app_duration(text, advice->contact_time));
    } else {
        double steps = floor(advice->contact_time / def->step);
        fnd_app_print(to, "%s, %s %s\n", fnd_app_duration(text, advice->contact_time), fnd_app_number(other, steps),
                      steps == 1 ? "step" : "steps");
    }
    if (adaptive) return; /* it keeps its steps stable itself */
    put_label(to, 3, "largest stable step");
    const bool at_rest = use->resting_step < advice->largest_step;
    const double longest = at_rest ? use->resting_step : advice->largest_step;
    fnd_app_print(to, "%s for %s%s; the step is ", isinf(longest) ? "any" : fnd_app_duration(text, longest),
                  fender_integrator_name(def->method), at_rest ? " at rest under the weight" : "");
    fnd_app_print(to, "%s%s\n", fnd_app_duration(text, def->step),
                  use->step_too_long || use->step_too_long_at_rest ? " !" : "");
}

/* Whether the parameter followed from what was wanted. */
static bool find_derivation(const fnd_app_check *check, const char *type, const char *part, const char *parameter,
                            fender_scenario_derivation *found)
{
    for (int i = 0; fender_scenario_derivation_at(check->scenario, i, found); i++)
        if (strcmp(found->contact_type, type) == 0 && strcmp(found->part, part) == 0 &&
            strcmp(found->parameter, parameter) == 0)
            return true;
    return false;
}

/* What the law found when it tried its formula. */
static void print_passivity(fnd_app_stream *to, const fender_law *law, const void *parameters)
{
    char depth[FND_APP_NUMBER_SIZE], speed[FND_APP_NUMBER_SIZE];
    if (law != fender_law_find(NULL, "expression")) return;
    const fender_expression_parameters *p = parameters;
    put_label(to, 5, "passivity");
    if (p->supplied) fnd_app_put(to, "not asked for: the work of the force counts as applied\n");
    else
        fnd_app_print(to, "adds no energy, as tried up to %s and %s\n", fnd_app_quantity(depth, p->depth_range, "m"),
                      fnd_app_quantity(speed, p->speed_range, "m/s"));
}

static void print_type(fnd_app_check *check, const fender_type_use *use)
{
    fnd_app_stream *to = &check->app->out;
    fnd_app_law_use laws[FND_APP_LAW_CAPACITY];
    int count = fnd_app_laws_of(&use->type, laws);
    fnd_app_print(to, "\n contact type %s\n", use->type.name);
    for (int i = 0; i < count; i++) {
        const fender_field_table *table = &laws[i].law->parameters;
        put_label(to, 3, laws[i].part);
        fnd_app_print(to, "%s\n", laws[i].law->name);
        const char *formula = fender_scenario_formula(check->scenario, use->type.name, laws[i].part);
        if (formula) {
            put_label(to, 5, "formula");
            fnd_app_put_clean(to, formula);
            fnd_app_put(to, "\n");
        }
        for (int k = 0; k < table->count; k++) {
            const fender_field *field = fender_field_at(table, k);
            put_label(to, 5, field->name);
            fnd_app_put_value(to, table, field, laws[i].parameters);
            fender_scenario_derivation derived;
            if (find_derivation(check, use->type.name, laws[i].part, field->name, &derived)) {
                fnd_app_put(to, "   from ");
                fnd_app_put_clean(to, derived.from);
                fnd_app_put(to, "\n");
            } else {
                fnd_app_put(to, fnd_app_is_initial(field, laws[i].parameters) ? "   (default)\n" : "\n");
            }
        }
        print_passivity(to, laws[i].law, laws[i].parameters);
    }
    for (int i = 0; i < FND_APP_OPTION_COUNT; i++) {
        const char *label;
        if (!fnd_app_put_option(NULL, &use->type, i, &label)) continue;
        put_label(to, 3, label);
        fnd_app_put_option(to, &use->type, i, &label);
        fnd_app_put(to, "\n");
    }
    print_advice(check, use);
    print_friction(check, use);
    print_sliding(check, use);
}

static void print_rules(fnd_app_check *check)
{
    fnd_app_stream *to = &check->app->out;
    int count = fender_rule_count(check->world);
    fnd_app_put(to, count > 0 ? "\n rules\n" : "\n rules: none, so no shapes can touch\n");
    for (int i = 0; i < count; i++) {
        fender_rule_id id = fender_rule_at(check->world, i);
        fender_rule_def rule;
        fender_contact_type_def type;
        int line = 0;
        if (fender_rule_get_def(check->world, id, &rule) != FENDER_STATUS_OK) continue;
        bool never = fender_contact_type_get_def(check->world, rule.use, &type) != FENDER_STATUS_OK;
        const char *file = fender_scenario_rule_location(check->scenario, id, &line);
        fnd_app_put(to, "   ");
        fnd_app_put_rule(to, check->world, &rule);
        fnd_app_print(to, " -> %s     ", never ? "never" : type.name);
        fnd_app_put_clean(to, file);
        fnd_app_print(to, ":%d\n", line);
    }
}

static void put_signal(fnd_app_stream *to, const char *label, const fender_signal *signal, const char *unit)
{
    char vector[3 * FND_APP_NUMBER_SIZE], text[FND_APP_NUMBER_SIZE];
    if (signal->kind == FENDER_SIGNAL_ZERO) return;
    put_label(to, 3, label);
    if (signal->kind == FENDER_SIGNAL_CONSTANT) {
        fnd_app_print(to, "%s %s\n", fnd_app_vector(vector, signal->constant), unit);
    } else if (signal->kind == FENDER_SIGNAL_RAMP) {
        fnd_app_print(to, "ramp of %s %s/s along %s", fnd_app_number(text, signal->rate), unit,
                      fnd_app_vector(vector, signal->direction));
        fnd_app_print(to, " from %s\n", fnd_app_quantity(text, signal->start, "s"));
    } else if (signal->kind == FENDER_SIGNAL_FORMULA) {
        fnd_app_put(to, "by formulas\n");
    } else {
        fnd_app_print(to, "table of %d %s, then %s\n", signal->count, fnd_app_plural(signal->count, "row", "rows"),
                      signal->after == FENDER_AFTER_HOLD ? "held" : "zero");
    }
}

static void put_point(fnd_app_stream *to, const fender_world *world, fender_point_id point)
{
    fender_body_id body;
    const char *name;
    if (fender_point_get(world, point, &body, &name, NULL) != FENDER_STATUS_OK) return;
    fnd_app_print(to, "%s.%s", fender_body_name(world, body), name);
}

static void print_link(fnd_app_check *check, fender_link_id id)
{
    fnd_app_stream *to = &check->app->out;
    fender_link_def def;
    fender_link_data data;
    char text[FND_APP_NUMBER_SIZE];
    if (fender_link_get_def(check->world, id, &def) != FENDER_STATUS_OK ||
        fender_link_get(check->world, id, FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK)
        return;
    fnd_app_print(to, "\n link %s (%s)\n", def.name, def.active ? "active" : "not active");
    put_label(to, 3, "between");
    put_point(to, check->world, def.a);
    fnd_app_put(to, ":");
    put_point(to, check->world, def.b);
    fnd_app_put(to, "\n");
    put_label(to, 3, "law");
    fnd_app_print(to, "%s\n", fender_link_law_name(def.law));
    fender_contact_type_def type;
    if (!fender_contact_type_get_def(check->world, def.use, &type)) {
        put_label(to, 3, "use");
        fnd_app_print(to, "%s\n", type.name);
    }
    const fender_field_table *table = fender_link_law_parameters(def.law);
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        put_label(to, 5, field->name);
        fnd_app_put_value(to, table, field, def.parameters);
        fnd_app_put(to, fnd_app_is_initial(field, def.parameters) ? "   (default)\n" : "\n");
    }
    put_label(to, 3, "length at the start");
    fnd_app_print(to, "%s\n", fnd_app_quantity(text, data.length, "m"));
    if (!def.active) return;
    put_label(to, 3, "force at the start");
    fnd_app_print(to, "%s\n", fnd_app_quantity(text, data.force, "N"));
    put_label(to, 3, "energy at the start");
    fnd_app_print(to, "%s\n", fnd_app_quantity(text, data.stored_energy, "J"));
}

static void print_load(fnd_app_check *check, fender_load_id id)
{
    fnd_app_stream *to = &check->app->out;
    fender_load_def def;
    char vector[3 * FND_APP_NUMBER_SIZE];
    if (fender_load_get_def(check->world, id, &def) != FENDER_STATUS_OK) return;
    fnd_app_print(to, "\n load %s (%s)\n", def.name, def.active ? "active" : "not active");
    put_label(to, 3, "on");
    fnd_app_print(to, "%s, at ", fender_body_name(check->world, def.body));
    if (def.at_center) {
        fnd_app_put(to, "the centre of mass");
    } else {
        fnd_app_print(to, "%s m", fnd_app_vector(vector, def.point));
    }
    const fender_field_table *table = fender_load_parameters(def.kind);
    if (!table) {
        fnd_app_print(to, ", %s axes\n", def.axes == FENDER_AXES_BODY ? "body" : "world");
        put_signal(to, "force", &def.force, "N");
        put_signal(to, "torque", &def.torque, "N*m");
        return;
    }
    fnd_app_put(to, "\n");
    put_label(to, 3, "kind");
    fnd_app_print(to, "%s\n", fender_load_kind_name(def.kind));
    const char *tank = fender_body_name(check->world, def.tank);
    if (tank) {
        put_label(to, 3, "tank");
        fnd_app_print(to, "%s\n", tank);
    }
    const void *parameters = fender_load_def_parameters(&def);
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        put_label(to, 5, field->name);
        fnd_app_put_value(to, table, field, parameters);
        fnd_app_put(to, fnd_app_is_initial(field, parameters) ? "   (default)\n" : "\n");
    }
}

static void print_sensor(fnd_app_check *check, fender_sensor_id id)
{
    fnd_app_stream *to = &check->app->out;
    fender_beam beam;
    fender_beam_data data;
    char vector[3 * FND_APP_NUMBER_SIZE], text[FND_APP_NUMBER_SIZE];
    if (fender_sensor_get_beam(check->world, id, &beam) != FENDER_STATUS_OK ||
        fender_sensor_read(check->world, id, &data) != FENDER_STATUS_OK)
        return;
    fnd_app_print(to, "\n sensor %s\n", fender_sensor_name(check->world, id));
    put_label(to, 3, "on");
    fnd_app_print(to, "%s, at %s m", fender_body_name(check->world, beam.body), fnd_app_vector(vector, beam.point));
    fnd_app_print(to, " along %s\n", fnd_app_vector(vector, beam.direction));
    put_label(to, 3, "range");
    fnd_app_print(to, "%s\n", isinf(beam.range) ? "no end" : fnd_app_quantity(text, beam.range, "m"));
    put_label(to, 3, "at the start");
    fnd_app_print(to, "%s\n", data.hit ? fnd_app_quantity(text, data.range, "m") : "nothing in sight");
}

/* Stiffness and frequency of the first pairs, as their geometries will touch and with a face that is wholly down. */
static void print_advised_pairs(fnd_app_check *check)
{
    fnd_app_stream *to = &check->app->out;
    const fender_world_advice *all = &check->advice;
    char text[FND_APP_NUMBER_SIZE];
    if (all->pair_count > 0) fnd_app_put(to, "\n pairs that may touch, at their initial attitude\n");
    for (int i = 0; i < all->pair_count; i++) {
        const fender_pair_use *pair = &all->pairs[i];
        const fender_pair_advice advice = fender_advise_pair(check->world, pair->a, pair->b,
                                                             &all->uses[pair->use].type);
        fnd_app_put(to, "   ");
        fnd_app_put_shape(to, check->world, pair->a);
        fnd_app_put(to, ":");
        fnd_app_put_shape(to, check->world, pair->b);
        fnd_app_print(to, " by %s: ", all->uses[pair->use].type.name);
        if (advice.known) {
            fnd_app_put(to, fnd_app_quantity(text, advice.stiffness, "N/m"));
            fnd_app_print(to, " at depth %s", fnd_app_quantity(text, advice.depth, "m"));
            if (advice.load > 0) fnd_app_print(to, " under %s", fnd_app_quantity(text, advice.load, "N"));
            fnd_app_print(to, " on %s: ", fnd_app_quantity(text, advice.mass, "kg"));
            fnd_app_put(to, fnd_app_quantity(text, advice.frequency, "Hz"));
            if (isfinite(advice.stable_step))
                fnd_app_print(to, ", at rest stable below %s", fnd_app_duration(text, advice.stable_step));
        } else {
            fnd_app_put(to, "not known");
        }
        if (advice.full_stiffness > 0) {
            fnd_app_print(to, "; fully supported %s, ", fnd_app_quantity(text, advice.full_stiffness, "N/m"));
            fnd_app_put(to, fnd_app_quantity(text, advice.full_frequency, "Hz"));
        }
        fnd_app_put(to, "\n");
    }
    if (check->summary->pair_count > all->pair_count)
        fnd_app_print(to, "   and %" PRId64 " more\n", check->summary->pair_count - all->pair_count);
}

static void print_pairs(fnd_app_check *check)
{
    fnd_app_stream *to = &check->app->out;
    fnd_app_put(to, "\n pairs of shapes\n");
    if (!check->advice.pairs_counted) {
        fnd_app_print(to, "   %" PRId64 " may touch (pairs of more than %d shapes are not examined)\n",
                      check->summary->pair_count, FENDER_ADVICE_SHAPES);
        return;
    }
    for (int reason = FENDER_PAIR_MAY_TOUCH; reason <= FENDER_PAIR_NO_STATE; reason++) {
        if (check->advice.reasons[reason] == 0 && reason != FENDER_PAIR_MAY_TOUCH) continue;
        fnd_app_print(
            to, "   %-8" PRId64 " %s%s\n", check->advice.reasons[reason],
            reason == FENDER_PAIR_MAY_TOUCH ? "" : "cannot: ", fnd_app_reason_text((fender_pair_reason)reason));
    }
    print_advised_pairs(check);
}

static void print_parameters(const fnd_app_check *check)
{
    fnd_app_stream *to = &check->app->out;
    fender_scenario_parameter parameter;
    for (int i = 0; fender_scenario_parameter_at(check->scenario, i, &parameter); i++) {
        if (i == 0) fnd_app_put(to, "\n parameters\n");
        const char *given = parameter.given;
        fnd_app_print(to, "   %-20s ", parameter.name);
        fnd_app_put_clean(to, parameter.value);
        if (given[0] && strcmp(given, parameter.value) != 0) {
            fnd_app_put(to, "   = ");
            fnd_app_put_clean(to, given);
        }
        fnd_app_put(to, "\n");
    }
}

static void app_check_text(fnd_app_check *check)
{
    fnd_app_stream *to = &check->app->out;
    const fender_run_summary *summary = check->summary;
    const char *title = fender_scenario_title(check->scenario);
    if (title[0]) {
        fnd_app_put_clean(to, title);
        fnd_app_put(to, "\n\n");
    }
    print_world(check);
    print_parameters(check);
    for (int i = 0; i < fender_body_count(check->world); i++) print_body(check, fender_body_at(check->world, i));
    print_trees(check);
    for (int i = 0; i < check->advice.use_count; i++) print_type(check, &check->advice.uses[i]);
    print_rules(check);
    for (int i = 0; i < fender_link_count(check->world); i++) print_link(check, fender_link_at(check->world, i));
    for (int i = 0; i < fender_load_count(check->world); i++) print_load(check, fender_load_at(check->world, i));
    for (int i = 0; i < fender_sensor_count(check->world); i++) print_sensor(check, fender_sensor_at(check->world, i));
    print_pairs(check);
    fnd_app_put(to, "\nok: ");
    fnd_app_put_clean(to, check->file);
    fnd_app_print(to, ", %d %s, %d %s, %" PRId64 " %s that may touch, %d %s\n", summary->body_count,
                  fnd_app_plural(summary->body_count, "body", "bodies"), summary->shape_count,
                  fnd_app_plural(summary->shape_count, "shape", "shapes"), summary->pair_count,
                  fnd_app_plural(summary->pair_count, "pair", "pairs"), summary->expectation_count,
                  fnd_app_plural(summary->expectation_count, "expectation", "expectations"));
}

/* ---- the command */

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; can be repeated"},
};

/* What a law needs that gives no number. */
static const char *remedy_of(const fender_contact_type_def *type)
{
    const fender_law *law = type->law ? type->law : type->normal;
    const void *parameters = type->law ? type->law_parameters : type->normal_parameters;
    const fender_field *area = law ? fender_field_find(&law->parameters, "area") : NULL;
    return area && fender_field_get(area, parameters, 0) == 0
               ? "give the law an area, or its contact type points: corners (a rim or an edge that touches has no area)"
               : "check the parameters of its laws";
}

/* m; closer shapes touch within the first steps. */
static const double TOUCHING = 1e-6;

/* The first pair at which the force is not a number as it touches at its initial attitude: where it touches already,
 * the run would stop in its first steps. Shapes that overlap are refused before. Returns the exit code. */
static int check_forces(const fnd_app_check *check)
{
    const fender_world *world = check->world;
    const fender_world_advice *all = &check->advice;
    for (int i = 0; i < all->pair_count; i++) {
        const fender_shape_id a = all->pairs[i].a, b = all->pairs[i].b;
        const fender_contact_type_def *type = &all->uses[all->pairs[i].use].type;
        const fender_law *law = type->law ? type->law : type->normal;
        fender_contact_data now;
        char message[480];
        if (!law || !isnan(fender_advise_pair(world, a, b, type).stiffness) ||
            fender_contact_between(world, a, b, &now) != FENDER_STATUS_OK)
            continue;
        const bool touches = now.separation < TOUCHING;
        snprintf(message, sizeof message,
                 "%s the force at contact %.64s.%.64s:%.64s.%.64s is not finite (law %.40s, contact type %.40s)",
                 touches ? "the shapes touch at the start, and" : "where the shapes touch at their initial attitude,",
                 fender_body_name(world, fender_shape_body(world, a)), fender_shape_name(world, a),
                 fender_body_name(world, fender_shape_body(world, b)), fender_shape_name(world, b), law->name,
                 type->name);
        if (touches) return fnd_app_error(check->app, FENDER_STATUS_NOT_FINITE, message, remedy_of(type));
        fnd_app_warn(check->app, message, remedy_of(type));
        return FND_APP_OK;
    }
    return FND_APP_OK;
}

static int check_run(fnd_app_check *check)
{
    fender_world_advice *advice = &check->advice;
    if (fender_world_advise(check->world, &check->app->env, advice) != FENDER_STATUS_OK)
        return fnd_app_error(check->app, FENDER_STATUS_MEMORY, "not enough memory for contact types", "");
    const int code = check_forces(check);
    if (code != FND_APP_OK) {
        fender_world_advice_release(advice);
        return code;
    }
    check->system_step = fender_scenario_stable_step(check->scenario, &check->app->env, check->world);
    if (!check->app->quiet) {
        fnd_app_warn_of_step(advice, check->app);
        fnd_app_warn_of_system_step(check->app, check->world, check->system_step);
        fnd_app_warn_of_speed(advice, check->app);
        fnd_app_warn_of_tiles(check->world, check->app);
        fnd_app_warn_of_joints(check->world, check->app);
    }
    if (check->app->json) {
        fnd_app_check_json(check);
    } else if (!check->app->quiet) {
        app_check_text(check);
    }
    fender_world_advice_release(advice);
    return FND_APP_OK;
}

static int execute(fnd_app *app)
{
    fender_error error = {0};
    int code, errors_before = app->error_count;
    fender_scenario *scenario = fnd_app_load(app, app->arguments[0], "", &code);
    if (scenario == NULL) return code;
    fender_run_def def = {.scenario = scenario};
    fender_run *run = fender_run_create(&app->env, &def, &error);
    if (run == NULL) {
        code = fnd_app_fail(app, &error, errors_before, "");
    } else {
        fnd_app_check check = {.app = app,
                               .file = app->arguments[0],
                               .scenario = scenario,
                               .world = fender_run_world(run),
                               .summary = fender_run_get_summary(run)};
        code = fnd_app_check_list(&check) ? check_run(&check)
                                          : fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory", "");
        fnd_app_check_release(&check);
    }
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return code;
}

const fnd_app_command fnd_app_command_check = {
    .group = "Understand",
    .name = "check",
    .arguments = "FILE",
    .summary = "validate a scenario; show all values in SI and derived quantities",
    .purpose = "validate a scenario; show all values in SI and derived quantities",
    .details =
        "Shows bodies with their mass and principal moments, contact types with all parameters, rules, links, loads,\n"
        "and how many pairs may touch; for the lightest pair of each contact type the natural frequency, the\n"
        "contact time, the damping ratio and the longest stable step; for the first 20 pairs the stiffness and\n"
        "frequency of their contact under load. It runs nothing.\n"
        "FILE - is read from standard input.\n",
    .example = "  fender check two_spheres.yaml",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
