/* Attached bodies that move relative to their parents: their motions, commands, and what they do not go with. */
#include "base/error.h"
#include "math/range.h"
#include "world/world.h"
#include <stdio.h>
#include <string.h>

fender_part_motion fender_part_motion_default(void)
{
    fender_part_motion motion = {0};
    motion.size = sizeof motion;
    return motion;
}

static fender_status find_attached(const fender_world *world, fender_body_id id, fender_error *error)
{
    if (!fnd_body_live(&world->model, id)) return fnd_world_stale(error, "body");
    const fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (body->parent >= 0) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_TOPOLOGY, "body", "a root does not move relative to a parent", body->name,
                    "an attached body", "attach it first; a body with `motion: prescribed` moves in the world");
}

/* What an ancestor is attached by is below the body: its motion would take that off its place, for the ancestor is what
 * is held there. */
static fender_status check_connection(const fender_world *world, int body, fender_error *error)
{
    const fnd_body *bodies = world->model.bodies;
    const int held = fnd_tree_bypass(bodies, body);
    if (held < 0) return FENDER_STATUS_OK;
    const char *by = bodies[bodies[held].connection_child].name, *to = bodies[bodies[held].connection_parent].name;
    char message[400], suggestion[200];
    snprintf(message, sizeof message,
             "'%.80s' is attached to '%.80s' by '%.80s', which '%.80s' would take away from it", bodies[held].name, to,
             by, bodies[body].name);
    if (fnd_body_dynamic(&bodies[fnd_tree_root(bodies, body)]))
        snprintf(suggestion, sizeof suggestion, "attach the other way round: '%.60s' with the parent '%.60s'", to, by);
    else snprintf(suggestion, sizeof suggestion, "detach '%.60s' before it", bodies[held].name);
    return fnd_fail(error, FENDER_STATUS_TOPOLOGY, "body", message, bodies[body].name,
                    "a body that no connection passes by", suggestion);
}

fender_status fnd_inner_body_set_part_motion(fender_world *world, fender_body_id id, const fender_part_motion *motion,
                                             fender_error *error)
{
    fnd_world_settle(world);
    fender_status status = find_attached(world, id, error);
    if (!status && motion) status = check_connection(world, (int)id.index1 - 1, error);
    if (!status && motion) status = fnd_world_check_size(motion->size, sizeof *motion, "fender_part_motion", error);
    if (!status && motion) status = fnd_part_check(motion, world->time, error);
    if (status) return status;
    fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (fnd_part_moves(body, world->time))
        return fnd_fail(error, FENDER_STATUS_STATE, "body", "the body moves along an earlier motion", body->name,
                        "a body at rest relative to its parent", "fender_body_move_part commands a moving body");
    fnd_part_motion *part = NULL;
    if (motion && !(part = fnd_part_create(&world->env, motion))) return fnd_fail_memory(error, "a motion");
    if (part) part->X_PA = body->X_PS;
    fnd_part_destroy(&world->env, body->part);
    body->part = part;
    body->part_ended = false;
    world->initialized = false;
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_body_move_part(fender_world *world, fender_body_id id, fender_vec3 position, double angle,
                                       double duration, fender_error *error)
{
    fnd_world_settle(world);
    fender_status status = find_attached(world, id, error);
    if (!status) status = check_connection(world, (int)id.index1 - 1, error);
    if (status) return status;
    fnd_body *body = &world->model.bodies[id.index1 - 1];
    fnd_part_motion *part = body->part;
    if (!part || body->part_ended)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "body", "the body has no motion relative to its parent",
                        body->name, "a body with a motion that has not ended", "fender_body_set_part_motion gives one");
    if (!fnd_is_vector_in_range(position) || !fnd_is_in_range(angle))
        return fnd_fail(error, FENDER_STATUS_VALUE, "position", "the position or the angle is not finite, or too large",
                        body->name, "finite numbers of at most 1e100", "check the unit");
    if (angle != 0 && !(fender_vec3_length(part->axis) > 0))
        return fnd_fail(error, FENDER_STATUS_VALUE, "angle", "the body turns, but its axis is zero",
                        fnd_number(angle).text, "angle 0, or a motion with an axis", "");
    if (!(duration > 0) || !isfinite(duration))
        return fnd_fail(error, FENDER_STATUS_VALUE, "duration", "the duration must be above zero and finite",
                        fnd_number(duration).text, "a time above 0 s", "");
    const double least = (fender_vec3_length(position) + fabs(angle)) / FND_LARGEST;
    if (!(duration > least) || !(duration * duration > least))
        return fnd_fail(error, FENDER_STATUS_VALUE, "duration", "the motion is too fast for numbers",
                        fnd_number(duration).text, "rates of at most 1e100", "check the unit");
    const fnd_part_row from = fnd_part_at(part, world->time);
    const double to[FND_PART_NUMBERS] = {position.x, position.y, position.z, angle};
    part->from = from;
    memcpy(part->to, to, sizeof to);
    part->since = world->time;
    part->duration = duration;
    part->told = true;
    world->pace.step = 0; /* what comes is of another kind */
    return FENDER_STATUS_OK;
}

fender_status fender_body_get_part(const fender_world *world, fender_body_id id, fender_part_state *state)
{
    if (!world || !state) return fnd_world_missing(NULL);
    if (!fnd_body_live(&world->model, id)) return FENDER_STATUS_STALE_ID;
    const fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (!body->part || body->part_ended) return FENDER_STATUS_ARGUMENT;
    const fnd_part_row r = fnd_part_at(body->part, world->time);
    *state = (fender_part_state){{r.value[0], r.value[1], r.value[2]},
                                 {r.rate[0], r.rate[1], r.rate[2]},
                                 {r.second[0], r.second[1], r.second[2]},
                                 r.value[3],
                                 r.rate[3],
                                 r.second[3]};
    return FENDER_STATUS_OK;
}

/* ---- What moving parts do not go with ---- */

static const char *mover_of(const fender_world *world)
{
    for (int i = 0; i < world->model.body_count; i++) {
        const fnd_body *body = &world->model.bodies[i];
        if (body->moving && body->part && !body->part_ended) return body->name;
    }
    return "";
}

static fender_status check_links(const fender_world *world, fender_error *error)
{
    const fnd_contact_model *model = &world->model;
    for (int i = 0; i < world->dynamics.link_count; i++) {
        const fnd_link *link = &world->dynamics.links[i];
        if (!link->name || (link->made && !link->memory.active)) continue;
        const int a = model->points[link->point_a].body, b = model->points[link->point_b].body;
        if (a == b || !model->bodies[a].moving || fnd_tree_root(model->bodies, a) != fnd_tree_root(model->bodies, b))
            continue;
        char message[300], found[240];
        snprintf(message, sizeof message, "link '%.100s' is between two bodies of a tree whose parts move", link->name);
        snprintf(found, sizeof found, "'%.100s' and '%.100s'", model->bodies[a].name, model->bodies[b].name);
        return fnd_fail(error, FENDER_STATUS_TOPOLOGY, "links", message, found, "a link between two trees",
                        "remove the link: the motor of the motion supplies the force between parts");
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_world_check_parts(const fender_world *world, fender_error *error)
{
    if (!fnd_model_moves(&world->model)) return FENDER_STATUS_OK;
    const fender_integrator_method method = world->def.method;
    const fnd_frame_field *field = &world->dynamics.field;
    char message[300];
    if (method != FENDER_INTEGRATOR_RK4 && method != FENDER_INTEGRATOR_DOPRI5 && method != FENDER_INTEGRATOR_DOP853) {
        snprintf(message, sizeof message,
                 "the method does not go with a body that moves relative to its parent, '%.100s'", mover_of(world));
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "integrator.method", message, world->method->name,
                        "rk4, dopri5 or dop853", "use one of them, or remove the motion of the body");
    }
    if (field->rotating || field->falling || field->gradient) {
        snprintf(message, sizeof message, "%s does not go with a body that moves relative to its parent, '%.100s'",
                 field->rotating ? "a rotating frame"
                                 : (field->falling ? "a frame in orbit" : "the gradient of gravity"),
                 mover_of(world));
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, field->gradient ? "world.gravity" : "world.frame", message,
                        "a frame or a gravity that acts on each part differently", "an inertial frame without gradient",
                        "use an inertial frame, or remove the motion of the body");
    }
    return check_links(world, error);
}
