/* Sections `world`, with its frame and gravity, and `integrator`. */
#include "scenario/section.h"
#include <string.h>

/* ---- Frame and gravity ---- */

/* ---- gravity */

static void read_point_mass(fnd_reader *reader, fnd_node *node, fender_gravity *gravity)
{
    static const char *const keys[] = {"mu", "center", NULL};
    if (!fnd_expect_map(reader, node, "point_mass")) return;
    (void)fnd_check_keys(reader, node, "gravity of a point mass", keys);
    gravity->kind = FENDER_GRAVITY_POINT_MASS;
    fnd_node *mu = fnd_require(reader, node, "mu", "the point mass", "398600.4415 km^3/s^2");
    fnd_node *center = fnd_node_find(node, "center");
    if (mu) (void)fnd_read_number_from(reader, mu, "mu", "m^3/s^2", 0, false, &gravity->mu);
    if (!center) return;
    if (center->kind == FND_NODE_TEXT && center->text[0])
        fnd_complain_later(reader, &center->location, center->text, "give the centre as [x, y, z, m]");
    else (void)fnd_read_vector(reader, center, "center", "m", &gravity->center);
}

static void read_j2(fnd_reader *reader, fnd_node *node, fender_oblateness *oblateness)
{
    static const char *const keys[] = {"value", "radius", "axis", NULL};
    if (!fnd_expect_map(reader, node, "j2")) return;
    (void)fnd_check_keys(reader, node, "j2", keys);
    fnd_node *value = fnd_require(reader, node, "value", "j2", "1.0826e-3");
    fnd_node *radius = fnd_require(reader, node, "radius", "j2", "6378.137 km");
    fnd_node *axis = fnd_node_find(node, "axis");
    oblateness->axis = fender_vec3_make(0, 0, 1);
    if (value) (void)fnd_read_number(reader, value, "value", "1", &oblateness->j2);
    if (radius) (void)fnd_read_number_from(reader, radius, "radius", "m", 0, true, &oblateness->radius);
    if (!axis || !fnd_read_vector(reader, axis, "axis", "1", &oblateness->axis)) return;
    if (fender_vec3_length(oblateness->axis) > 0) return;
    fnd_complain(reader, &axis->location, FENDER_STATUS_VALUE, "'axis' is zero", "[0, 0, 0]",
                 "a vector that is not zero", "write [0, 0, 1] for z");
}

/* After the frame. */
static void read_gravity(fnd_reader *reader, fnd_node *node)
{
    static const char *const keys[] = {"point_mass", "j2", NULL};
    fender_world_def *world = &reader->scenario->world;
    if (node->kind == FND_NODE_LIST) {
        world->gravity.kind = FENDER_GRAVITY_UNIFORM;
        (void)fnd_read_vector(reader, node, "gravity", "m/s^2", &world->gravity.acceleration);
    } else if (node->kind == FND_NODE_MAP) {
        if (!fnd_check_keys(reader, node, "gravity", keys)) return;
        fnd_node *point_mass = fnd_require(reader, node, "point_mass", "gravity", "{mu: 398600.4415 km^3/s^2}");
        fnd_node *j2 = fnd_node_find(node, "j2");
        if (point_mass) read_point_mass(reader, point_mass, &world->gravity);
        if (j2) read_j2(reader, j2, &world->oblateness);
    } else if (strcmp(node->text, "planet") == 0) {
        bool framed = world->frame.kind != FENDER_FRAME_INERTIAL;
        if (framed) world->gravity.kind = FENDER_GRAVITY_PLANET;
        if (framed && !(world->frame.planet.mu > 0))
            fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE,
                         "the planet of the frame has no gravity", "mu 0 m^3/s^2", "mu above 0 m^3/s^2",
                         "give the planet its 'mu'");
        else if (!framed)
            fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                         "gravity of the planet needs a frame with a planet", "no 'frame'", "'frame' with a planet",
                         "add frame: {planet: moon, latitude: 0 deg, longitude: 0 deg, altitude: 0 m}");
    } else if (strcmp(node->text, "none") != 0) {
        fnd_phrase found = node->text[0] ? fnd_shown(node->text) : fnd_phrase_make("nothing");
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'gravity' cannot be '%s'", found.text).text, found.text,
                     "none, planet, [x, y, z, m/s^2], or {point_mass: {mu: ..}}",
                     "write gravity: [0, 0, -9.80665, m/s^2], or none");
    }
}

/* ---- frame */

static bool read_planet_name(fnd_reader *reader, const fnd_node *node, const char *key, fender_planet *planet)
{
    const char *name = NULL;
    fnd_known_name candidates[8];
    int count = 0;
    if (!fnd_read_text(reader, node, key, &name)) return false;
    if (fender_planet_find(name, planet, NULL) == FENDER_STATUS_OK) return true;
    for (; count < 8 && fender_planet_name(count); count++)
        candidates[count] = (fnd_known_name){fender_planet_name(count), 0};
    fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("no planet is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                 "a built-in planet, or a map of its values",
                 fnd_suggest(reader, name, "planets", candidates, count).text);
    return false;
}

static bool read_planet(fnd_reader *reader, fnd_node *node, fender_planet *planet)
{
    static const char *const keys[] = {"like", "mu", "radius", "flattening", "rotation", "j2", "gravity_radius", NULL};
    if (node->kind == FND_NODE_TEXT) return read_planet_name(reader, node, "planet", planet);
    if (!fnd_expect_map(reader, node, "planet") || !fnd_check_keys(reader, node, "a planet", keys)) return false;
    fnd_node *like = fnd_node_find(node, "like"), *mu = fnd_node_find(node, "mu");
    fnd_node *radius = fnd_node_find(node, "radius"), *flattening = fnd_node_find(node, "flattening");
    fnd_node *rotation = fnd_node_find(node, "rotation"), *j2 = fnd_node_find(node, "j2");
    fnd_node *gravity_radius = fnd_node_find(node, "gravity_radius");
    bool good = true;
    if (like) good = read_planet_name(reader, like, "like", planet);
    else good = fnd_require(reader, node, "radius", "a user-defined planet", "1737.4 km") != NULL;
    if (mu) good = fnd_read_number_from(reader, mu, "mu", "m^3/s^2", 0, false, &planet->mu) && good;
    if (radius) good = fnd_read_number_from(reader, radius, "radius", "m", 0, true, &planet->equatorial_radius) && good;
    if (flattening)
        good = fnd_read_number_from(reader, flattening, "flattening", "1", 0, false, &planet->flattening) && good;
    if (rotation) good = fnd_read_number(reader, rotation, "rotation", "rad/s", &planet->rotation_rate) && good;
    if (j2) good = fnd_read_number(reader, j2, "j2", "1", &planet->j2) && good;
    if (gravity_radius)
        good = fnd_read_number_from(reader, gravity_radius, "gravity_radius", "m", 0, false, &planet->gravity_radius) &&
               good;
    fender_error error = {0};
    if (!good || fender_planet_check(planet, &error) == FENDER_STATUS_OK) return good;
    fnd_complain(reader, fnd_node_shown_location(node), error.status, error.message, error.found, error.expected, "");
    return false;
}

static void read_place_axes(fnd_reader *reader, const fnd_node *node, fender_frame *frame)
{
    static const char *const labels[][3] = {
        {"east", "north", "up"}, {"north", "east", "down"}, {"up", "east", "north"}};
    if (node->kind == FND_NODE_TEXT && strcmp(node->text, "planet") == 0) {
        frame->axes = FENDER_LOCAL_PLANET_FIXED;
        return;
    }
    for (int i = 0; i < 3 && node->kind == FND_NODE_LIST && node->count == 3; i++) {
        int k = 0;
        for (const fnd_node *label = node->first; label; label = label->next, k++)
            if (label->kind != FND_NODE_TEXT || strcmp(label->text, labels[i][k]) != 0) break;
        if (k < 3) continue;
        frame->axes = (fender_local_axes)i;
        for (k = 0; k < 3; k++)
            if (!reader->scenario->axes[k]) reader->scenario->axes[k] = labels[i][k];
        return;
    }
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE, "unknown axes of a frame",
                 node->kind == FND_NODE_TEXT ? fnd_shown(node->text).text : "a list",
                 "[east, north, up], [north, east, down], [up, east, north], or planet (those of the planet)",
                 "write axes: [east, north, up]");
}

#define RIGHT_ANGLE 1.5707963267948968 /* the next above pi/2: 90 deg may round up */
#define FULL_TURN   6.2831853071795869
#define LATITUDES   "90 deg to either side of the equator"
#define LONGITUDES  "360 deg to either side of the meridian"

static void read_angle(fnd_reader *reader, const fnd_node *node, const char *name, double limit, const char *range,
                       double *angle)
{
    double value;
    if (!fnd_read_number(reader, node, name, "rad", &value)) return;
    if (fabs(value) <= limit) *angle = value;
    else
        fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                     fnd_phrase_make("'%s' is beyond %s", name, range).text, fnd_digits(value, "rad").text, range,
                     "a number without a unit is in radians: write 45 deg");
}

bool fnd_read_geodetic(fnd_reader *reader, fnd_node *node, fender_vec3 *position, fender_quaternion *ned)
{
    static const char *const keys[] = {"latitude", "longitude", "altitude", NULL};
    const fender_frame *frame = &reader->scenario->world.frame;
    fender_geodetic location = {NAN, 0, 0};
    if (!fnd_expect_map(reader, node, "place") || !fnd_check_keys(reader, node, "a place", keys)) return false;
    if (frame->kind == FENDER_FRAME_INERTIAL || frame->kind == FENDER_FRAME_ORBIT) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                     "a place on a planet needs a frame that is fixed to a planet",
                     frame->kind == FENDER_FRAME_ORBIT ? "a frame in orbit" : "no 'frame'",
                     "'frame' in section 'world'", "write 'position', or add world.frame");
        return false;
    }
    fnd_node *latitude = fnd_require(reader, node, "latitude", "the place", "28.5 deg");
    fnd_node *longitude = fnd_require(reader, node, "longitude", "the place", "-80.5 deg");
    fnd_node *altitude = fnd_node_find(node, "altitude");
    if (!latitude || !longitude) return false;
    location.longitude = NAN;
    read_angle(reader, latitude, "latitude", RIGHT_ANGLE, LATITUDES, &location.latitude);
    read_angle(reader, longitude, "longitude", FULL_TURN, LONGITUDES, &location.longitude);
    if (altitude && !fnd_read_number(reader, altitude, "altitude", "m", &location.altitude)) return false;
    if (isnan(location.latitude) || isnan(location.longitude)) return false;
    *position = fender_planet_fixed_position(&frame->planet, &location);
    fender_mat3 down = fender_local_axes_matrix(location.latitude, location.longitude, FENDER_LOCAL_NORTH_EAST_DOWN);
    *ned = fender_matrix_quaternion(&down);
    if (frame->kind == FENDER_FRAME_PLANET_CENTERED) return true;
    fender_mat3 R = fender_local_axes_matrix(frame->origin.latitude, frame->origin.longitude, frame->axes);
    fender_vec3 origin = fender_planet_fixed_position(&frame->planet, &frame->origin);
    *position = fender_mat3_transpose_times(&R, fender_vec3_sub(*position, origin));
    *ned = fender_quaternion_product(fender_quaternion_conjugate(fender_matrix_quaternion(&R)), *ned);
    return true;
}

/* Elements that give a state about a centre with that mu. */
static bool read_elements(fnd_reader *reader, fnd_node *node, double mu, fender_orbit *orbit)
{
    static const char *const keys[] = {"semi_major_axis",       "eccentricity", "inclination",  "ascending_node",
                                       "argument_of_periapsis", "true_anomaly", "mean_anomaly", NULL};
    fender_vec3 position, velocity;
    fender_orbit o = {NAN, 0, 0, 0, 0, 0};
    fender_error error = {0};
    double mean = NAN;
    const struct {
        const char *name, *unit;
        double *value;
    } rows[] = {{"semi_major_axis", "m", &o.semi_major_axis},
                {"eccentricity", "1", &o.eccentricity},
                {"inclination", "rad", &o.inclination},
                {"ascending_node", "rad", &o.ascending_node},
                {"argument_of_periapsis", "rad", &o.argument_of_periapsis},
                {"true_anomaly", "rad", &o.true_anomaly},
                {"mean_anomaly", "rad", &mean}};
    if (!fnd_expect_map(reader, node, "orbit") || !fnd_check_keys(reader, node, "an orbit", keys)) return false;
    if (!fnd_require(reader, node, "semi_major_axis", "the orbit", "6778 km")) return false;
    fnd_node *true_node = fnd_node_find(node, "true_anomaly"), *mean_node = fnd_node_find(node, "mean_anomaly");
    if (true_node && mean_node) {
        fnd_complain(reader, &mean_node->key_location, FENDER_STATUS_ARGUMENT,
                     "'true_anomaly' and 'mean_anomaly' cannot be combined", "both", "one of them", "remove one");
        return false;
    }
    for (int i = 0; i < 7; i++) {
        const fnd_node *given = fnd_node_find(node, rows[i].name);
        if (given && !fnd_read_number(reader, given, rows[i].name, rows[i].unit, rows[i].value)) return false;
    }
    if (mean_node && !(o.eccentricity >= 0 && o.eccentricity < 1)) {
        fnd_complain(reader, &mean_node->location, FENDER_STATUS_VALUE, "a mean anomaly is one of an ellipse",
                     fnd_digits(o.eccentricity, "").text, "an eccentricity from 0 to below 1", "write 'true_anomaly'");
        return false;
    }
    if (mean_node) o.true_anomaly = fender_true_anomaly(mean, o.eccentricity);
    *orbit = o;
    if (fender_orbit_state(mu, &o, &position, &velocity, &error) == FENDER_STATUS_OK) return true;
    const fnd_node *at = fnd_node_find(node, error.path);
    fnd_diagnostic_add_error(reader->diagnostics, &error,
                             at ? fnd_node_shown_location(at) : fnd_node_shown_location(node));
    return false;
}

bool fnd_world_center(const fender_world_def *world, double *mu, fender_vec3 *center, fender_vec3 *velocity)
{
    *velocity = fender_vec3_make(0, 0, 0);
    *mu = world->gravity.mu;
    *center = world->gravity.center;
    if (world->frame.kind == FENDER_FRAME_INERTIAL) return world->gravity.kind == FENDER_GRAVITY_POINT_MASS;
    if (world->frame.kind != FENDER_FRAME_ORBIT) return false;
    *mu = world->frame.planet.mu;
    fender_vec3 origin, speed;
    if (fender_orbit_state(*mu, &world->frame.orbit, &origin, &speed, NULL) != FENDER_STATUS_OK) return false;
    *center = fender_vec3_negate(origin);
    *velocity = fender_vec3_negate(speed);
    return true;
}

bool fnd_read_orbit(fnd_reader *reader, fnd_node *node, fender_vec3 *position, fender_vec3 *velocity)
{
    const fender_world_def *world = &reader->scenario->world;
    double mu;
    fender_vec3 center, moving;
    fender_orbit orbit;
    if (!fnd_world_center(world, &mu, &center, &moving)) {
        const bool framed = world->frame.kind != FENDER_FRAME_INERTIAL;
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                     "an orbit needs a frame in orbit, or an inertial world with the gravity of a point mass",
                     framed ? "a frame of a planet" : "another gravity, or none",
                     "gravity: {point_mass: {mu: ..}} in section 'world'", "write 'position' and 'velocity'");
        return false;
    }
    if (!read_elements(reader, node, mu, &orbit)) return false;
    (void)fender_orbit_state(mu, &orbit, position, velocity, NULL);
    *position = fender_vec3_add(center, *position);
    *velocity = fender_vec3_add(moving, *velocity);
    return true;
}

static void read_frame_in_orbit(fnd_reader *reader, fnd_node *node, fnd_node *orbit, fender_frame *frame)
{
    static const char *const others[] = {"latitude", "longitude", "altitude", "axes", "origin"};
    for (int i = 0; i < 5; i++) {
        const fnd_node *beside = fnd_node_find(node, others[i]);
        if (!beside) continue;
        fnd_complain(reader, &beside->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' and 'orbit' cannot be combined", others[i]).text, others[i],
                     "a place on the planet, its centre, or an orbit; the axes of an orbit's frame are inertial",
                     "remove one of them");
        return;
    }
    if (!(frame->planet.mu > 0)) {
        fnd_complain(reader, &orbit->key_location, FENDER_STATUS_VALUE, "the planet of the frame has no gravity",
                     "mu 0 m^3/s^2", "mu above 0 m^3/s^2", "give the planet its 'mu'");
        return;
    }
    if (!read_elements(reader, orbit, frame->planet.mu, &frame->orbit)) return;
    if (frame->orbit.eccentricity < 1) {
        frame->kind = FENDER_FRAME_ORBIT;
        reader->scenario->world.gravity.kind = FENDER_GRAVITY_PLANET; /* unless another is told, which is refused */
        return;
    }
    fnd_complain(reader, fnd_node_shown_location(fnd_node_find(orbit, "eccentricity")), FENDER_STATUS_VALUE,
                 "the orbit of a frame is an ellipse", fnd_digits(frame->orbit.eccentricity, "").text,
                 "an eccentricity below 1", "");
}

static void read_frame(fnd_reader *reader, fnd_node *node)
{
    static const char *const keys[] = {"planet", "latitude", "longitude", "altitude", "axes", "origin", "orbit", NULL};
    static const char *const locations[] = {"latitude", "longitude", "altitude", "axes"};
    static const char *const origins[] = {"center", NULL};
    fender_frame *frame = &reader->scenario->world.frame;
    if (!fnd_expect_map(reader, node, "frame")) return;
    (void)fnd_check_keys(reader, node, "a frame", keys);
    fnd_node *planet = fnd_require(reader, node, "planet", "the frame", "moon");
    fnd_node *origin = fnd_node_find(node, "origin");
    fnd_node *orbit = fnd_node_find(node, "orbit");
    if (!planet || !read_planet(reader, planet, &frame->planet)) return;
    if (orbit) {
        read_frame_in_orbit(reader, node, orbit, frame);
        return;
    }
    if (origin) {
        int index = 0;
        if (!fnd_read_choice(reader, origin, "origin", origins, &index)) return;
        frame->kind = FENDER_FRAME_PLANET_CENTERED;
        for (int i = 0; i < 4; i++) {
            const fnd_node *beside = fnd_node_find(node, locations[i]);
            if (!beside) continue;
            fnd_complain(reader, &beside->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("'%s' and 'origin: center' cannot be combined", locations[i]).text,
                         locations[i], "a place on the planet, or its centre", "remove one of them");
        }
        return;
    }
    frame->kind = FENDER_FRAME_LOCAL;
    fnd_node *latitude = fnd_require(reader, node, "latitude", "the frame", "28.5 deg");
    fnd_node *longitude = fnd_node_find(node, "longitude"), *altitude = fnd_node_find(node, "altitude");
    fnd_node *axes = fnd_node_find(node, "axes");
    if (latitude) read_angle(reader, latitude, "latitude", RIGHT_ANGLE, LATITUDES, &frame->origin.latitude);
    if (longitude) read_angle(reader, longitude, "longitude", FULL_TURN, LONGITUDES, &frame->origin.longitude);
    double polar = frame->planet.equatorial_radius * (1 - frame->planet.flattening);
    if (altitude) (void)fnd_read_number_from(reader, altitude, "altitude", "m", -polar, true, &frame->origin.altitude);
    if (axes) read_place_axes(reader, axes, frame);
}

/* A place on a planet whose gravity nobody has asked for, nor refused. */
static void warn_of_no_gravity(fnd_reader *reader, const fnd_node *frame)
{
    const fender_frame *f = &reader->scenario->world.frame;
    const bool fixed = f->kind == FENDER_FRAME_LOCAL || f->kind == FENDER_FRAME_PLANET_CENTERED;
    if (!fixed || !(f->planet.mu > 0)) return;
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &frame->key_location,
                       "the frame has a planet, but bodies have no weight", "no 'gravity'",
                       "the planet's gravity, another one, or none by name",
                       "add gravity: planet to section 'world', or gravity: none if that is meant");
}

static void read_frame_and_gravity(fnd_reader *reader, fnd_node *frame, fnd_node *gravity)
{
    const fender_world_def *world = &reader->scenario->world;
    const int errors = fnd_diagnostics_error_count(reader->diagnostics);
    if (frame) read_frame(reader, frame);
    if (gravity) read_gravity(reader, gravity);
    else if (frame && fnd_diagnostics_error_count(reader->diagnostics) == errors) warn_of_no_gravity(reader, frame);
    if (!gravity || world->frame.kind != FENDER_FRAME_ORBIT) return;
    if (gravity->kind == FND_NODE_TEXT && strcmp(gravity->text, "planet") == 0) return;
    fnd_complain(reader, fnd_node_shown_location(gravity), FENDER_STATUS_ARGUMENT,
                 "a frame in orbit falls with the gravity of its planet", "another gravity, or none",
                 "planet, which is the default there", "remove 'gravity'");
}

/* ---- World and integrator ---- */

static void read_axis_names(fnd_reader *reader, const fnd_node *node)
{
    if (!fnd_expect_list(reader, node, "axes")) return;
    if (node->count != 3) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'axes' needs 3 labels, not %d", node->count).text,
                     fnd_phrase_make("%d", node->count).text, "three labels", "write [east, north, up]");
        return;
    }
    int i = 0;
    for (const fnd_node *label = node->first; label; label = label->next, i++)
        (void)fnd_read_text(reader, label, "axes", &reader->scenario->axes[i]);
    for (i = 0; i < 3; i++) /* labels that say where north is */
        if (strcmp(reader->scenario->axes[i], "north") == 0)
            reader->scenario->world.north = fender_vec3_make(i == 0, i == 1, i == 2);
}

/* Checks combinations: tolerances of a fixed-step method, adaptive methods without event location. */
static void check_adaptive(fnd_reader *reader, fnd_node *node)
{
    static const char *const tolerances[] = {"relative_tolerance", "absolute_tolerance"};
    const fender_world_def *def = &reader->scenario->world;
    fnd_node *locate = fnd_node_find(node, "locate_events");
    if (fender_integrator_adaptive(def->method)) {
        if (locate && !def->locate_events)
            fnd_complain(reader, &locate->location, FENDER_STATUS_VALUE,
                         fnd_phrase_make("%s locates events always", fender_integrator_name(def->method)).text,
                         "locate_events: false", "true, or nothing", "remove it, or choose a fixed-step method");
        return;
    }
    if (def->method == FENDER_INTEGRATOR_CVODE_ADAMS || def->method == FENDER_INTEGRATOR_CVODE_BDF) return;
    for (int i = 0; i < 2; i++) {
        fnd_node *tolerance = fnd_node_find(node, tolerances[i]);
        if (tolerance)
            fnd_complain(reader, &tolerance->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("'%s' cannot be combined with the fixed-step method %s", tolerances[i],
                                         fender_integrator_name(def->method))
                             .text,
                         tolerances[i], "'step' alone", "write method: dop853 or dopri5, or remove it");
    }
}

static bool lacks_sundials(const fnd_node *method)
{
    return !fender_integrator_name(FENDER_INTEGRATOR_CVODE_BDF) && method->kind == FND_NODE_TEXT &&
           (strcmp(method->text, "cvode_adams") == 0 || strcmp(method->text, "cvode_bdf") == 0);
}

static void read_integrator(fnd_reader *reader, fnd_node *node)
{
    static const char *const keys[] = {
        "method", "step", "locate_events", "event_tolerance", "relative_tolerance", "absolute_tolerance", NULL};
    const char *names[16] = {NULL}; /* of those that this build has */
    int methods[16] = {0}, count = 0;
    for (int i = 0; i < 15; i++) {
        names[count] = fender_integrator_name((fender_integrator_method)i);
        methods[count] = i;
        count += names[count] != NULL;
    }
    fender_scenario *scenario = reader->scenario;
    if (!fnd_expect_map(reader, node, "integrator")) return;
    (void)fnd_check_keys(reader, node, "integrator", keys);
    fnd_node *method = fnd_node_find(node, "method"), *step = fnd_node_find(node, "step");
    fnd_node *locate = fnd_node_find(node, "locate_events");
    int index = 0;
    if (method && lacks_sundials(method)) {
        fnd_complain(reader, &method->location, FENDER_STATUS_NAME,
                     fnd_phrase_make("'%s' needs SUNDIALS, which this build does not have", method->text).text,
                     method->text, "a method of this build",
                     "build with -DFENDER_WITH_SUNDIALS=ON, or write method: dop853");
    } else if (method && fnd_read_choice(reader, method, "method", names, &index)) {
        scenario->world.method = (fender_integrator_method)methods[index];
    }
    if (step) {
        scenario->step_location = *fnd_node_shown_location(step);
        (void)fnd_read_number_from(reader, step, "step", "s", 0, true, &scenario->world.step);
    }
    if (locate) (void)fnd_read_bool(reader, locate, "locate_events", &scenario->world.locate_events);
    const struct {
        const char *name, *unit;
        double *value;
    } tolerances[] = {{"event_tolerance", "s", &scenario->world.event_tolerance},
                      {"relative_tolerance", "1", &scenario->world.relative_tolerance},
                      {"absolute_tolerance", "1", &scenario->world.absolute_tolerance}};
    for (size_t i = 0; i < sizeof tolerances / sizeof tolerances[0]; i++) {
        fnd_node *tolerance = fnd_node_find(node, tolerances[i].name);
        if (tolerance)
            (void)fnd_read_number_from(reader, tolerance, tolerances[i].name, tolerances[i].unit, 0, true,
                                       tolerances[i].value);
    }
    if (!method || !lacks_sundials(method)) check_adaptive(reader, node);
}

/* After gravity. */
static void read_gradient(fnd_reader *reader, const fnd_node *node)
{
    fender_world_def *world = &reader->scenario->world;
    bool varies = world->gravity.kind == FENDER_GRAVITY_POINT_MASS || world->gravity.kind == FENDER_GRAVITY_PLANET;
    if (!fnd_read_bool(reader, node, "gravity_gradient", &world->gravity_gradient) || !world->gravity_gradient ||
        varies)
        return;
    world->gravity_gradient = false;
    fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT, "there is no gradient of this gravity",
                 "gravity that is uniform, or none", "gravity of a point mass or planet",
                 "write gravity: {point_mass: {mu: ..}} or planet, or remove it");
}

/* Of a factor below 1 shapes overlap before they are looked at. */
static void read_range_limit(fnd_reader *reader, fnd_node *node)
{
    double *factor = &reader->scenario->world.contact_limit_factor;
    if (!fnd_read_number_from(reader, node, "contact_limit_factor", "1", 0, false, factor)) return;
    if (!(*factor > 0 && *factor < 1)) return;
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &node->key_location,
                       "contacts may begin deep: shapes that touch are out of range", fnd_digits(*factor, "").text,
                       "0 for no limit, or at least 1", "two spheres touch at 1 times the sum of their radii");
}

void fnd_read_world(fnd_reader *reader, fnd_node *world, fnd_node *integrator)
{
    static const char *const keys[] = {"axes",  "gravity",          "frame", "contact_limit_factor", "depth_limit",
                                       "north", "gravity_gradient", NULL};
    reader->scenario->world.depth_limit = FENDER_DEPTH_OF_SHAPES;
    if (integrator) read_integrator(reader, integrator);
    if (!world || !fnd_expect_map(reader, world, "world")) return;
    (void)fnd_check_keys(reader, world, "world", keys);
    fnd_node *axes = fnd_node_find(world, "axes");
    fnd_node *factor = fnd_node_find(world, "contact_limit_factor");
    if (axes) read_axis_names(reader, axes);
    read_frame_and_gravity(reader, fnd_node_find(world, "frame"), fnd_node_find(world, "gravity"));
    fnd_node *north = fnd_node_find(world, "north"), *gradient = fnd_node_find(world, "gravity_gradient");
    if (gradient) read_gradient(reader, gradient);
    if (north) (void)fnd_read_vector(reader, north, "north", "1", &reader->scenario->world.north);
    if (factor) read_range_limit(reader, factor);
    fnd_node *depth = fnd_node_find(world, "depth_limit");
    if (depth && depth->kind == FND_NODE_TEXT && strcmp(depth->text, "none") == 0)
        reader->scenario->world.depth_limit = 0;
    else if (depth)
        (void)fnd_read_number_from(reader, depth, "depth_limit", "m", 0, true, &reader->scenario->world.depth_limit);
}
