/* Sections `world` and `integrator`. */
#include <string.h>

#include "scenario/section.h"

static void read_axes(fnd_reader *reader, const fnd_node *node)
{
    if (!fnd_expect_list(reader, node, "axes")) return;
    if (node->count != 3) {
        fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'axes' needs 3 labels; here are %d", node->count).text,
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

/* What does not fit together: tolerances of a method that has none, events that are not located by one that must. */
static void check_adaptive(fnd_reader *reader, fnd_node *node)
{
    static const char *const tolerances[] = {"relative_tolerance", "absolute_tolerance"};
    const fender_world_def *def = &reader->scenario->world;
    fnd_node *locate = fnd_node_find(node, "locate_events");
    if (fender_integrator_adaptive(def->method)) {
        if (locate && !def->locate_events)
            fnd_complain(reader, &locate->place, FENDER_STATUS_VALUE,
                         fnd_phrase_make("%s locates events always", fender_integrator_name(def->method)).text,
                         "locate_events: false", "true, or nothing", "remove it, or choose a method of fixed step");
        return;
    }
    if (def->method == FENDER_INTEGRATOR_CVODE_ADAMS || def->method == FENDER_INTEGRATOR_CVODE_BDF) return;
    for (int i = 0; i < 2; i++) {
        fnd_node *tolerance = fnd_node_find(node, tolerances[i]);
        if (tolerance)
            fnd_complain(reader, &tolerance->key_place, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("'%s' stands beside method %s, whose step is fixed", tolerances[i],
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
    static const fnd_key keys[] = {{"method", false},
                                   {"step", false},
                                   {"locate_events", false},
                                   {"event_tolerance", false},
                                   {"relative_tolerance", false},
                                   {"absolute_tolerance", false},
                                   {NULL, false}};
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
        fnd_complain(reader, &method->place, FENDER_STATUS_NAME,
                     fnd_phrase_make("this build has no SUNDIALS, to which '%s' belongs", method->text).text,
                     method->text, "a method of this build",
                     "build with -DFENDER_WITH_SUNDIALS=ON, or write method: dop853");
    } else if (method && fnd_read_choice(reader, method, "method", names, &index)) {
        scenario->world.method = (fender_integrator_method)methods[index];
    }
    if (step) {
        scenario->step_place = *fnd_node_shown_place(step);
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

void fnd_read_world(fnd_reader *reader, fnd_node *world, fnd_node *integrator)
{
    static const fnd_key keys[] = {
        {"axes", false},        {"gravity", false}, {"frame", false}, {"contact_limit_factor", false},
        {"depth_limit", false}, {"north", false},   {NULL, false}};
    reader->scenario->world.depth_limit = FENDER_DEPTH_OF_SHAPES;
    if (integrator) read_integrator(reader, integrator);
    if (!world || !fnd_expect_map(reader, world, "world")) return;
    (void)fnd_check_keys(reader, world, "world", keys);
    fnd_node *axes = fnd_node_find(world, "axes");
    fnd_node *factor = fnd_node_find(world, "contact_limit_factor");
    if (axes) read_axes(reader, axes);
    fnd_read_frame_and_gravity(reader, fnd_node_find(world, "frame"), fnd_node_find(world, "gravity"));
    fnd_node *north = fnd_node_find(world, "north");
    if (north) (void)fnd_read_vector(reader, north, "north", "1", &reader->scenario->world.north);
    if (factor)
        (void)fnd_read_number_from(reader, factor, "contact_limit_factor", "1", 0, false,
                                   &reader->scenario->world.contact_limit_factor);
    fnd_node *depth = fnd_node_find(world, "depth_limit");
    if (depth && depth->kind == FND_NODE_TEXT && strcmp(depth->text, "none") == 0)
        reader->scenario->world.depth_limit = 0;
    else if (depth)
        (void)fnd_read_number_from(reader, depth, "depth_limit", "m", 0, true, &reader->scenario->world.depth_limit);
}
