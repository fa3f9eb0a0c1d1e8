/* Results of `fender check` as JSON. */
#include <string.h>

#include "check.h"

static void write_quaternion(fnd_app_json *json, const char *key, fender_quaternion q)
{
    fnd_app_json_array(json, key);
    fnd_app_json_number(json, NULL, q.w);
    fnd_app_json_number(json, NULL, q.x);
    fnd_app_json_number(json, NULL, q.y);
    fnd_app_json_number(json, NULL, q.z);
    fnd_app_json_end(json);
}

static void write_frame(fnd_app_json *json, const fender_frame *frame)
{
    static const char *const axes[] = {"east, north, up", "north, east, down", "up, east, north", "planet"};
    static const char *const kinds[] = {"inertial", "local", "planet_centered", "orbit"};
    fnd_app_json_object(json, "frame");
    fnd_app_json_text(json, "kind", kinds[frame->kind]);
    if (frame->kind == FENDER_FRAME_LOCAL) {
        fnd_app_json_number(json, "latitude", frame->origin.latitude);
        fnd_app_json_number(json, "longitude", frame->origin.longitude);
        fnd_app_json_number(json, "altitude", frame->origin.altitude);
        fnd_app_json_text(json, "axes", axes[frame->axes]);
    }
    if (frame->kind == FENDER_FRAME_ORBIT) {
        fnd_app_json_object(json, "orbit");
        fnd_app_json_number(json, "semi_major_axis", frame->orbit.semi_major_axis);
        fnd_app_json_number(json, "eccentricity", frame->orbit.eccentricity);
        fnd_app_json_number(json, "inclination", frame->orbit.inclination);
        fnd_app_json_number(json, "ascending_node", frame->orbit.ascending_node);
        fnd_app_json_number(json, "argument_of_periapsis", frame->orbit.argument_of_periapsis);
        fnd_app_json_number(json, "true_anomaly", frame->orbit.true_anomaly);
        fnd_app_json_end(json);
    }
    fnd_app_json_object(json, "planet");
    fnd_app_json_number(json, "mu", frame->planet.mu);
    fnd_app_json_number(json, "radius", frame->planet.equatorial_radius);
    fnd_app_json_number(json, "flattening", frame->planet.flattening);
    fnd_app_json_number(json, "rotation", frame->planet.rotation_rate);
    fnd_app_json_number(json, "j2", frame->planet.j2);
    fnd_app_json_number(json, "gravity_radius", frame->planet.gravity_radius);
    fnd_app_json_end(json);
    fnd_app_json_end(json);
}

static void write_world(fnd_app_json *json, const fnd_app_check *check)
{
    static const char *const kinds[] = {"none", "uniform", "point_mass", "planet"};
    const fender_world_def *def = fender_world_get_def(check->world);
    fnd_app_json_object(json, "gravity");
    fnd_app_json_text(json, "kind", kinds[def->gravity.kind]);
    if (def->gravity.kind == FENDER_GRAVITY_UNIFORM)
        fnd_app_json_vector(json, "acceleration", def->gravity.acceleration);
    if (def->gravity.kind == FENDER_GRAVITY_POINT_MASS) {
        fnd_app_json_number(json, "mu", def->gravity.mu);
        fnd_app_json_vector(json, "center", def->gravity.center);
        if (def->oblateness.j2 != 0) {
            fnd_app_json_number(json, "j2", def->oblateness.j2);
            fnd_app_json_number(json, "j2_radius", def->oblateness.radius);
            fnd_app_json_vector(json, "axis", def->oblateness.axis);
        }
    }
    fnd_app_json_end(json);
    if (def->frame.kind != FENDER_FRAME_INERTIAL) write_frame(json, &def->frame);
    fnd_app_json_text(json, "method", fender_integrator_name(def->method));
    fnd_app_json_number(json, "step", def->step);
    if (isfinite(check->system_step)) fnd_app_json_number(json, "stable_step", check->system_step);
    if (fender_integrator_adaptive(def->method)) {
        fnd_app_json_number(json, "relative_tolerance", def->relative_tolerance);
        fnd_app_json_number(json, "absolute_tolerance", def->absolute_tolerance);
    }
    fnd_app_json_number(json, "start_time", def->start_time);
    fnd_app_json_number(json, "until", check->summary->until);
    fnd_app_json_number(json, "contact_limit_factor", def->contact_limit_factor);
}

static void write_shape(fnd_app_json *json, const fnd_app_check *check, fender_shape_id shape)
{
    fender_shape_def def;
    if (fender_shape_get_def(check->world, shape, &def) != FENDER_STATUS_OK) return;
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", def.name);
    fnd_app_json_text(json, "geometry", fender_geometry_type_name(fender_geometry_type_of(def.geometry)));
    fnd_app_json_number(json, "radius", fender_geometry_radius(def.geometry));
    fnd_app_json_number(json, "half_length", fender_geometry_half_length(def.geometry));
    fender_geometry_type type = fender_geometry_type_of(def.geometry);
    if (type == FENDER_GEOMETRY_BOX || type == FENDER_GEOMETRY_ELLIPSOID)
        fnd_app_json_vector(json, type == FENDER_GEOMETRY_BOX ? "half_extents" : "radii",
                            fender_geometry_half_extents(def.geometry));
    double range, cushion;
    bool literal;
    if (fender_geometry_probe_lengths(def.geometry, &range, &cushion, &literal)) {
        fnd_app_json_number(json, "range", range);
        fnd_app_json_number(json, "cushion", cushion);
        fnd_app_json_text(json, "form", literal ? "morpheus_literal" : "conservative");
    }
    double rounding = fender_geometry_rounding(def.geometry);
    if (rounding > 0) fnd_app_json_number(json, "rounding", rounding);
    int vertices, triangles = fender_geometry_triangles(def.geometry, NULL, 0) / 3;
    (void)fender_geometry_vertices(def.geometry, &vertices);
    if (vertices > 0) fnd_app_json_integer(json, "vertices", vertices);
    if (triangles > 0) fnd_app_json_integer(json, "triangles", triangles);
    fnd_app_json_text(json, "material", fender_material_name(check->world, def.material));
    fnd_app_json_vector(json, "position", def.X_SG.p);
    write_quaternion(json, "orientation", def.X_SG.q);
    fnd_app_json_bool(json, "active", def.active);
    fnd_app_json_end(json);
}

/* Of a body that carries others. */
static void write_composite(fnd_app_json *json, const fnd_app_check *check, fender_body_id body)
{
    fender_mass_properties whole;
    if (fender_body_child_at(check->world, body, 0).index1 == 0 ||
        fender_body_get_mass(check->world, body, FENDER_MASS_COMPOSITE, &whole) != FENDER_STATUS_OK)
        return;
    fnd_app_json_object(json, "composite");
    fnd_app_json_number(json, "mass", whole.mass);
    fnd_app_json_vector(json, "center_of_mass", whole.center_of_mass);
    fnd_app_json_array(json, "inertia");
    for (int i = 0; i < 3; i++)
        fnd_app_json_vector(json, NULL,
                            fender_vec3_make(whole.inertia.m[i][0], whole.inertia.m[i][1], whole.inertia.m[i][2]));
    fnd_app_json_end(json);
    fnd_app_json_end(json);
}

static void write_parent(fnd_app_json *json, const fnd_app_check *check, fender_body_id body)
{
    fender_body_id parent = fender_body_parent(check->world, body), named_child, named_parent;
    if (parent.index1 == 0) return;
    fender_pose pose = fender_body_pose_in_parent(check->world, body);
    fnd_app_json_object(json, "attached");
    fnd_app_json_text(json, "to", fender_body_name(check->world, parent));
    fnd_app_json_vector(json, "position", pose.p);
    write_quaternion(json, "orientation", pose.q);
    if (fender_body_connection(check->world, body, &named_child, &named_parent)) {
        fnd_app_json_text(json, "connected", fender_body_name(check->world, named_child));
        fnd_app_json_text(json, "connected_to", fender_body_name(check->world, named_parent));
    }
    fnd_app_json_end(json);
}

static void write_points(fnd_app_json *json, const fnd_app_check *check, fender_body_id body)
{
    fnd_app_json_array(json, "points");
    for (int i = fnd_app_first_part(&check->points, body); i >= 0; i = check->points.next[i]) {
        const char *name;
        fender_pose pose;
        if (fender_point_get(check->world, fender_point_at(check->world, i), NULL, &name, &pose)) continue;
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "name", name);
        fnd_app_json_vector(json, "position", pose.p);
        write_quaternion(json, "orientation", pose.q);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

/* Position and velocity at the start; with a path they are those of the path. */
static void write_movement(fnd_app_json *json, const fnd_app_check *check, fender_body_id body,
                           const fender_body_def *def)
{
    fender_body_data data;
    bool pathed = def->path.count > 0 &&
                  fender_body_get(check->world, body, FENDER_CLOCK_COMMITTED, &data) == FENDER_STATUS_OK;
    fnd_app_json_vector(json, "position", pathed ? data.position : def->state.position);
    fnd_app_json_vector(json, "velocity", pathed ? data.velocity : def->state.velocity);
    if (!pathed) return;
    fnd_app_json_object(json, "path");
    fnd_app_json_integer(json, "rows", def->path.count);
    fnd_app_json_number(json, "first_time", def->path.times[0]);
    fnd_app_json_number(json, "last_time", def->path.times[def->path.count - 1]);
    fnd_app_json_vector(json, "first_position", def->path.positions[0]);
    fnd_app_json_end(json);
}

static void write_body(fnd_app_json *json, const fnd_app_check *check, fender_body_id body)
{
    fender_body_def def;
    if (fender_body_get_def(check->world, body, &def) != FENDER_STATUS_OK) return;
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", def.name);
    fnd_app_json_text(json, "motion", fender_motion_name(def.motion));
    if (def.motion == FENDER_MOTION_DYNAMIC || def.motion == FENDER_MOTION_MASS_ONLY) {
        const fender_mat3 *inertia = &def.mass_properties.inertia;
        fnd_app_json_number(json, "mass", def.mass_properties.mass);
        fnd_app_json_vector(json, "center_of_mass", def.mass_properties.center_of_mass);
        fnd_app_json_array(json, "inertia");
        for (int i = 0; i < 3; i++)
            fnd_app_json_vector(json, NULL, fender_vec3_make(inertia->m[i][0], inertia->m[i][1], inertia->m[i][2]));
        fnd_app_json_end(json);
        fnd_app_json_vector(json, "principal_moments", fender_principal_moments(inertia));
        write_quaternion(json, "body_axes", def.body_axes);
        write_composite(json, check, body);
    }
    write_parent(json, check, body);
    if (fnd_app_has_state(check->world, body)) {
        write_movement(json, check, body, &def);
        write_quaternion(json, "attitude", def.state.attitude);
        fnd_app_json_vector(json, "angular_velocity", def.state.angular_velocity);
    }
    write_points(json, check, body);
    fnd_app_json_array(json, "shapes");
    for (int i = fnd_app_first_part(&check->shapes, body); i >= 0; i = check->shapes.next[i])
        write_shape(json, check, fender_shape_at(check->world, i));
    fnd_app_json_end(json);
    fnd_app_json_end(json);
}

/* "derived": parameters that followed from what was wanted. */
static void write_derivations(fnd_app_json *json, const fnd_app_check *check, const char *type)
{
    fender_scenario_derivation derived;
    fnd_app_json_array(json, "derived");
    for (int i = 0; fender_scenario_derivation_at(check->scenario, i, &derived); i++) {
        if (strcmp(derived.contact_type, type) != 0) continue;
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "part", derived.part);
        fnd_app_json_text(json, "parameter", derived.parameter);
        fnd_app_json_number(json, "value", derived.value);
        fnd_app_json_text(json, "unit", derived.unit);
        fnd_app_json_text(json, "from", derived.from);
        fnd_app_json_text(json, "relation", derived.relation);
        fnd_app_json_text(json, "file", derived.file);
        fnd_app_json_integer(json, "line", derived.line);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

/* "normal_formula", "friction_formula" */
static void write_formulas(fnd_app_json *json, const fnd_app_check *check, const char *type)
{
    const char *normal = fender_scenario_formula(check->scenario, type, "normal");
    const char *friction = fender_scenario_formula(check->scenario, type, "friction");
    if (normal) fnd_app_json_text(json, "normal_formula", normal);
    if (friction) fnd_app_json_text(json, "friction_formula", friction);
}

static void write_type(fnd_app_json *json, const fnd_app_check *check, const fender_type_use *use)
{
    const fender_step_advice *advice = &use->advice;
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", use->type.name);
    fnd_app_json_laws(json, &use->type);
    write_derivations(json, check, use->type.name);
    write_formulas(json, check, use->type.name);
    if (check->advice.pairs_counted) fnd_app_json_integer(json, "pairs", use->pairs);
    if (use->pairs > 0) {
        fnd_app_json_array(json, "lightest_pair");
        for (int i = 0; i < 2; i++) {
            fnd_app_stream name;
            fnd_app_stream_open(&name, -1);
            fnd_app_put_shape(&name, check->world, use->lightest[i]);
            fnd_app_put_bytes(&name, "", 1);
            fnd_app_json_text(json, NULL, name.buffer);
        }
        fnd_app_json_end(json);
        fnd_app_json_number(json, "reduced_mass", advice->mass);
    }
    if (advice->known) {
        fnd_app_json_number(json, "stiffness", advice->stiffness);
        fnd_app_json_number(json, "damping", advice->damping);
        fnd_app_json_number(json, "natural_frequency", advice->frequency);
        fnd_app_json_number(json, "damping_ratio", advice->damping_ratio);
        fnd_app_json_number(json, "contact_time", advice->contact_time);
        const bool at_rest = use->resting_step < advice->largest_step;
        fnd_app_json_number(json, "largest_stable_step", at_rest ? use->resting_step : advice->largest_step);
        fnd_app_json_bool(json, "step_too_long", use->step_too_long || use->step_too_long_at_rest);
        if (isfinite(use->sliding_step)) {
            fnd_app_json_number(json, "sliding_speed", use->sliding_speed);
            fnd_app_json_number(json, "sliding_stable_step", use->sliding_step);
        }
    }
    fnd_app_json_end(json);
}

/* The first pairs that may touch, as they will act. */
static void write_pairs(fnd_app_json *json, const fnd_app_check *check)
{
    const fender_world_advice *all = &check->advice;
    fnd_app_json_array(json, "pairs");
    for (int i = 0; i < all->pair_count; i++) {
        const fender_pair_use *pair = &all->pairs[i];
        const fender_contact_type_def *type = &all->uses[pair->use].type;
        const fender_shape_id ids[2] = {pair->a, pair->b};
        const fender_pair_advice advice = fender_advise_pair(check->world, pair->a, pair->b, type);
        fnd_app_json_object(json, NULL);
        for (int k = 0; k < 2; k++) {
            fnd_app_stream name;
            fnd_app_stream_open(&name, -1);
            fnd_app_put_shape(&name, check->world, ids[k]);
            fnd_app_put_bytes(&name, "", 1);
            fnd_app_json_text(json, k == 0 ? "a" : "b", name.buffer);
        }
        fnd_app_json_text(json, "contact_type", type->name);
        fnd_app_json_number(json, "reduced_mass", advice.mass);
        if (advice.known) {
            fnd_app_json_number(json, "load", advice.load);
            fnd_app_json_number(json, "depth", advice.depth);
            fnd_app_json_number(json, "stiffness", advice.stiffness);
            fnd_app_json_number(json, "natural_frequency", advice.frequency);
            if (isfinite(advice.stable_step)) fnd_app_json_number(json, "stable_step", advice.stable_step);
        }
        if (advice.full_stiffness > 0) {
            fnd_app_json_number(json, "full_stiffness", advice.full_stiffness);
            fnd_app_json_number(json, "full_natural_frequency", advice.full_frequency);
        }
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

static void write_signal(fnd_app_json *json, const char *key, const fender_signal *signal)
{
    static const char *const kinds[] = {"zero", "constant", "ramp", "table", "formula"};
    fnd_app_json_object(json, key);
    fnd_app_json_text(json, "kind", kinds[signal->kind]);
    if (signal->kind == FENDER_SIGNAL_CONSTANT) fnd_app_json_vector(json, "value", signal->constant);
    if (signal->kind == FENDER_SIGNAL_RAMP) {
        fnd_app_json_vector(json, "direction", signal->direction);
        fnd_app_json_number(json, "rate", signal->rate);
        fnd_app_json_number(json, "start", signal->start);
    }
    if (signal->kind == FENDER_SIGNAL_TABLE) {
        fnd_app_json_integer(json, "rows", signal->count);
        fnd_app_json_text(json, "after", signal->after == FENDER_AFTER_HOLD ? "hold" : "zero");
    }
    fnd_app_json_end(json);
}

static void write_point(fnd_app_json *json, const char *key, const fnd_app_check *check, fender_point_id point)
{
    fender_body_id body;
    const char *name;
    if (fender_point_get(check->world, point, &body, &name, NULL) != FENDER_STATUS_OK) return;
    fnd_app_json_object(json, key);
    fnd_app_json_text(json, "body", fender_body_name(check->world, body));
    fnd_app_json_text(json, "point", name);
    fnd_app_json_end(json);
}

static void write_link(fnd_app_json *json, const fnd_app_check *check, fender_link_id id)
{
    fender_link_def def;
    fender_link_data data;
    if (fender_link_get_def(check->world, id, &def) != FENDER_STATUS_OK ||
        fender_link_get(check->world, id, FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK)
        return;
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", def.name);
    write_point(json, "a", check, def.a);
    write_point(json, "b", check, def.b);
    fnd_app_json_bool(json, "active", def.active);
    fnd_app_json_text(json, "law", fender_link_law_name(def.law));
    fender_contact_type_def type;
    if (!fender_contact_type_get_def(check->world, def.use, &type)) fnd_app_json_text(json, "use", type.name);
    const fender_field_table *table = fender_link_law_parameters(def.law);
    fnd_app_json_object(json, "parameters");
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        fnd_app_json_object(json, field->name);
        fnd_app_json_value(json, "value", field, def.parameters);
        fnd_app_json_text(json, "unit", field->unit);
        fnd_app_json_bool(json, "default", fnd_app_is_initial(field, def.parameters));
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
    fnd_app_json_number(json, "length", data.length);
    fnd_app_json_number(json, "force", data.force);
    fnd_app_json_number(json, "stored_energy", data.stored_energy);
    fnd_app_json_end(json);
}

static void write_load(fnd_app_json *json, const fnd_app_check *check, fender_load_id id)
{
    fender_load_def def;
    if (fender_load_get_def(check->world, id, &def) != FENDER_STATUS_OK) return;
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", def.name);
    fnd_app_json_text(json, "body", fender_body_name(check->world, def.body));
    fnd_app_json_bool(json, "at_center", def.at_center);
    fnd_app_json_vector(json, "point", def.point);
    fnd_app_json_text(json, "axes", def.axes == FENDER_AXES_BODY ? "body" : "world");
    fnd_app_json_bool(json, "active", def.active);
    const fender_field_table *table = fender_load_parameters(def.kind);
    if (!table) {
        write_signal(json, "force", &def.force);
        write_signal(json, "torque", &def.torque);
        fnd_app_json_end(json);
        return;
    }
    const char *tank = fender_body_name(check->world, def.tank);
    fnd_app_json_text(json, "kind", fender_load_kind_name(def.kind));
    if (tank) fnd_app_json_text(json, "tank", tank);
    fnd_app_json_object(json, "parameters");
    const void *parameters = fender_load_def_parameters(&def);
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        fnd_app_json_object(json, field->name);
        fnd_app_json_value(json, "value", field, parameters);
        fnd_app_json_text(json, "unit", field->unit);
        fnd_app_json_bool(json, "default", fnd_app_is_initial(field, parameters));
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
    fnd_app_json_end(json);
}

static void write_sensor(fnd_app_json *json, const fnd_app_check *check, fender_sensor_id id)
{
    fender_beam beam;
    fender_beam_data data;
    if (fender_sensor_get_beam(check->world, id, &beam) != FENDER_STATUS_OK ||
        fender_sensor_read(check->world, id, &data) != FENDER_STATUS_OK)
        return;
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "name", fender_sensor_name(check->world, id));
    fnd_app_json_text(json, "body", fender_body_name(check->world, beam.body));
    fnd_app_json_vector(json, "point", beam.point);
    fnd_app_json_vector(json, "direction", beam.direction);
    fnd_app_json_number(json, "range", beam.range);
    fnd_app_json_bool(json, "hit", data.hit);
    fnd_app_json_number(json, "distance", data.range);
    fnd_app_json_end(json);
}

static void write_parameters(fnd_app_json *json, const fnd_app_check *check)
{
    fender_scenario_parameter parameter;
    if (!fender_scenario_parameter_at(check->scenario, 0, &parameter)) return;
    fnd_app_json_array(json, "parameters");
    for (int i = 0; fender_scenario_parameter_at(check->scenario, i, &parameter); i++) {
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "name", parameter.name);
        fnd_app_json_text(json, "given", parameter.given);
        fnd_app_json_text(json, "value", parameter.value);
        fnd_app_json_text(json, "file", parameter.file);
        fnd_app_json_integer(json, "line", parameter.line);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

void fnd_app_check_json(fnd_app_check *check)
{
    fnd_app_json writer, *json = &writer;
    const fender_world *world = check->world;
    fnd_app_json_open(json, &check->app->out);
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "file", check->file);
    fnd_app_json_text(json, "title", fender_scenario_title(check->scenario));
    write_world(json, check);
    write_parameters(json, check);
    fnd_app_json_array(json, "bodies");
    for (int i = 0; i < fender_body_count(world); i++) write_body(json, check, fender_body_at(world, i));
    fnd_app_json_end(json);
    fnd_app_json_array(json, "contact_types");
    for (int i = 0; i < check->advice.use_count; i++) write_type(json, check, &check->advice.uses[i]);
    fnd_app_json_end(json);
    fnd_app_json_array(json, "rules");
    for (int i = 0; i < fender_rule_count(world); i++)
        fnd_app_json_rule(json, NULL, world, check->scenario, fender_rule_at(world, i));
    fnd_app_json_end(json);
    fnd_app_json_array(json, "links");
    for (int i = 0; i < fender_link_count(world); i++) write_link(json, check, fender_link_at(world, i));
    fnd_app_json_end(json);
    fnd_app_json_array(json, "loads");
    for (int i = 0; i < fender_load_count(world); i++) write_load(json, check, fender_load_at(world, i));
    fnd_app_json_end(json);
    if (fender_sensor_count(world) > 0) {
        fnd_app_json_array(json, "sensors");
        for (int i = 0; i < fender_sensor_count(world); i++) write_sensor(json, check, fender_sensor_at(world, i));
        fnd_app_json_end(json);
    }
    write_pairs(json, check);
    fnd_app_json_integer(json, "pair_count", check->summary->pair_count);
    fnd_app_json_integer(json, "expectation_count", check->summary->expectation_count);
    fnd_app_json_end(json);
}
