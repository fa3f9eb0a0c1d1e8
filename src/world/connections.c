/* Connections created by contacts: a link for each pair that may be connected, which is activated and released at
 * accepted states; welds are attachments. */
#include "base/error.h"
#include "math/rotation.h"
#include "world/tree_change.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { CONNECTION_LIMIT = 1000, NAME_SIZE = 101 };

static fnd_link *find_link(fender_world *world, uint32_t shape_a, uint32_t shape_b, int *index)
{
    fnd_dynamics *d = &world->dynamics;
    for (*index = 0; *index < d->link_count; ++*index) {
        fnd_link *link = &d->links[*index];
        if (link->made && link->shape_a == shape_a && link->shape_b == shape_b) return link;
    }
    return NULL;
}

/* ---- before the run */

/* "Wall_face__Foot_pad"; "connection_3" where that is too long or taken. */
static void name_link(const fender_world *world, const fnd_shape *a, const fnd_shape *b, char name[NAME_SIZE])
{
    const fnd_contact_model *model = &world->model;
    fender_link_id taken;
    int length = snprintf(name, NAME_SIZE, "%s_%s__%s_%s", model->bodies[a->body].name, a->name,
                          model->bodies[b->body].name, b->name);
    bool free = length < NAME_SIZE && fender_link_find(world, name, &taken) != FENDER_STATUS_OK &&
                fnd_name_find(&model->point_names, (uint32_t)a->body + 1, name) < 0 &&
                fnd_name_find(&model->point_names, (uint32_t)b->body + 1, name) < 0;
    if (!free) snprintf(name, NAME_SIZE, "connection_%d", world->dynamics.link_count + 1);
}

static fender_status prepare(fender_world *world, int a, int b, fender_error *error)
{
    assert(a != b && a < world->model.shape_count && b < world->model.shape_count);
    const fnd_contact_model *model = &world->model;
    const fnd_shape *shapes[] = {&model->shapes[a], &model->shapes[b]};
    char name[NAME_SIZE];
    fender_link_spring_damper_6dof none = {.limit = INFINITY, .angular_limit = INFINITY};
    fender_link_def def = {.size = sizeof(fender_link_def),
                           .name = name,
                           .law = FENDER_LINK_SPRING_DAMPER_6DOF,
                           .parameters = &none,
                           .active = false};
    name_link(world, shapes[0], shapes[1], name);
    fender_link_id id;
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = fnd_inner_point_create(world, fnd_body_id(&world->model, shapes[i]->body), name,
                                        fender_pose_identity(), i == 0 ? &def.a : &def.b, error);
    if (!status) status = fnd_inner_link_create(world, &def, &id, error);
    if (status) {
        if (def.b.index1 > 0) fnd_point_forget(world, (int)def.b.index1 - 1);
        if (def.a.index1 > 0) fnd_point_forget(world, (int)def.a.index1 - 1);
        return status;
    }
    fnd_link *link = &world->dynamics.links[id.index1 - 1];
    link->made = link->fresh = true;
    link->shape_a = (uint32_t)a;
    link->shape_b = (uint32_t)b;
    return FENDER_STATUS_OK;
}

/* True if the laws of the pair may connect it, now or later. */
static bool may_connect(const fnd_contact_model *model, int a, int b)
{
    if (!model->shapes[a].name || !model->shapes[b].name) return false; /* slots that are free */
    if (model->shapes[a].body == model->shapes[b].body) return false;
    const fnd_rule *rule = fnd_rule_decide(model, a, b, FENDER_RULE_SHAPES);
    return rule && rule->use >= 0 && model->types[rule->use].connects &&
           (model->bodies[model->shapes[a].body].motion == FENDER_MOTION_DYNAMIC ||
            model->bodies[model->shapes[b].body].motion == FENDER_MOTION_DYNAMIC);
}

fender_status fnd_world_prepare_connections(fender_world *world, fender_error *error)
{
    const fnd_contact_model *model = &world->model;
    bool any = false;
    int count = 0, index;
    for (int i = 0; i < model->type_count; i++) any |= model->types[i].connects;
    for (int a = 0; any && a < model->shape_count; a++)
        for (int b = a + 1; b < model->shape_count; b++) {
            if (!may_connect(model, a, b)) continue;
            if (++count > CONNECTION_LIMIT)
                return fnd_fail(error, FENDER_STATUS_VALUE, "rules",
                                "too many pairs of shapes have a law that connects bodies", "more than 1000 pairs",
                                "at most 1000", "give that contact type to the pairs that need it");
            if (find_link(world, (uint32_t)a, (uint32_t)b, &index)) continue;
            fender_status status = prepare(world, a, b, error);
            if (status) return status;
        }
    return FENDER_STATUS_OK;
}

fnd_connections fnd_connections_of(const fender_world *world)
{
    return (fnd_connections){world->dynamics.link_count, world->model.point_count, world->initialized};
}

void fnd_connections_keep(fender_world *world)
{
    for (int i = 0; i < world->dynamics.link_count; i++) world->dynamics.links[i].fresh = false;
}

void fnd_connections_take_back(fender_world *world, const fnd_connections *before)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_contact_model *model = &world->model;
    for (int i = d->link_count - 1; i >= 0; i--) {
        if (!d->links[i].fresh) continue;
        const int points[] = {d->links[i].point_a, d->links[i].point_b};
        fnd_link_forget(world, i);
        for (int k = 1; k >= 0; k--) fnd_point_forget(world, points[k]);
    }
    /* slots that were added are no slots again: the hash counts them */
    d->links_gone -= d->link_count - before->links;
    d->link_count = before->links;
    for (int i = 0; i < FND_EVALUATION_COUNT; i++)
        if (d->evaluations[i].link_count > before->links) d->evaluations[i].link_count = before->links;
    model->points_gone -= model->point_count - before->points;
    model->point_count = before->points;
    world->initialized = before->initialized;
}

fender_status fnd_connections_provide(fender_world *world, const fnd_connections *before, fender_status status,
                                      fender_error *error)
{
    if (!status && before->initialized && !world->initialized) status = fnd_world_remake_arrays(world, error);
    if (status) fnd_connections_take_back(world, before);
    return status;
}

/* ---- those of a snapshot */

fnd_made_pair fnd_connection_pair(const fnd_link *link)
{
    const bool made = link->name && link->made;
    return made ? (fnd_made_pair){link->shape_a, link->shape_b} : (fnd_made_pair){0, 0};
}

static bool is_made(const fnd_made_pair *pair) { return pair->a < pair->b; }

/* The last links of an initialized world are hidden, or shown again: the arrays have room for all. */
static void show_links(fnd_dynamics *d, int count)
{
    d->link_count = count;
    for (int i = 0; i < FND_EVALUATION_COUNT; i++)
        if (d->evaluations[i].links) d->evaluations[i].link_count = count;
}

/* Do the links that both have agree, and have contacts made the others? */
static bool is_alike(const fnd_dynamics *d, const fnd_made_pair *pairs, int count)
{
    for (int i = 0; i < count || i < d->link_count; i++) {
        const bool here = i < d->link_count, there = i < count;
        const fnd_made_pair own = here ? fnd_connection_pair(&d->links[i]) : pairs[i];
        const fnd_made_pair other = there ? pairs[i] : own;
        if (own.a != other.a || own.b != other.b || (!(here && there) && !is_made(&own))) return false;
    }
    return true;
}

static bool can_be_made(const fnd_contact_model *model, const fnd_made_pair *pair)
{
    const uint32_t shapes = (uint32_t)model->shape_count;
    return is_made(pair) && pair->b < shapes && model->shapes[pair->a].name && model->shapes[pair->b].name;
}

bool fnd_connections_meet(fender_world *world, const fnd_made_pair *pairs, int count, fnd_connections *before,
                          fender_status *status, fender_error *error)
{
    *before = fnd_connections_of(world);
    *status = FENDER_STATUS_OK;
    fnd_dynamics *d = &world->dynamics;
    bool alike = is_alike(d, pairs, count);
    if (alike && count < d->link_count) show_links(d, count);
    for (int i = d->link_count; alike && !*status && i < count; i++) {
        if (!(alike = can_be_made(&world->model, &pairs[i]))) break;
        *status = prepare(world, (int)pairs[i].a, (int)pairs[i].b, error);
        alike = *status || d->link_count == i + 1; /* else a slot was free that was not free there */
    }
    if (alike && !*status && !world->initialized) *status = fnd_world_remake_arrays(world, error);
    if (!alike || *status) fnd_connections_take_back(world, before);
    return alike;
}

void fnd_connections_met(fender_world *world, const fnd_connections *before, bool kept)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_connections goal = *before;
    const bool hidden = d->link_count < before->links;
    if (hidden && kept) {
        for (int i = d->link_count; i < before->links; i++) d->links[i].fresh = true;
        goal = (fnd_connections){d->link_count, world->model.point_count, true};
    }
    if (hidden) show_links(d, before->links);
    if (hidden || !kept) fnd_connections_take_back(world, &goal);
    else fnd_connections_keep(world);
}

/* ---- at accepted states */

/* The contact frame as a point of a body: `lever` is its position relative to the centre of mass of the root. */
static fender_pose place_on(const fender_world *world, uint32_t shape, fender_vec3 lever, fender_quaternion q_WC)
{
    assert((int)shape < world->model.shape_count);
    const fnd_body *body = &world->model.bodies[world->model.shapes[shape].body];
    const fnd_frame *root = &world->dynamics.frames[body->root];
    fender_quaternion q_SR = fender_quaternion_conjugate(body->q_RS);
    fender_vec3 lever_R = fender_mat3_transpose_times(&root->R_WB, lever);
    fender_quaternion q_WS = fender_quaternion_product(root->q, body->q_RS);
    fender_quaternion q_SC = fender_quaternion_product(fender_quaternion_conjugate(q_WS), q_WC);
    return (fender_pose){fender_vec3_add(body->root_center_S, fender_quaternion_rotate(q_SR, lever_R)),
                         fender_quaternion_normalized(q_SC)};
}

static void connect(fender_world *world, const fnd_request *request, fnd_link *link)
{
    const fender_connection *c = &request->connection;
    fender_link_spring_damper_6dof *p = link->parameters;
    const fender_vec3 x = request->tangent, z = request->normal, y = fender_vec3_cross(z, x);
    const fender_mat3 R_WC = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    fender_quaternion q_WC = fnd_quaternion_from_matrix(&R_WC);
    world->model.points[link->point_a].X_SP = place_on(world, request->shape_a, request->lever_a, q_WC);
    world->model.points[link->point_b].X_SP = place_on(world, request->shape_b, request->lever_b, q_WC);
    fnd_link_place_ends(link, &world->model);
    p->stiffness = c->stiffness;
    p->damping = c->damping;
    p->angular_stiffness = c->angular_stiffness;
    p->angular_damping = c->angular_damping;
    p->limit = c->limit > 0 ? c->limit : INFINITY;
    p->angular_limit = c->angular_limit > 0 ? c->angular_limit : INFINITY;
    link->memory.active = true;
    link->memory.broken = false;
    link->memory.mode = FND_LINK_LOADED;
}

static bool is_finite(const fender_connection *c)
{
    return fender_vec3_is_finite(c->stiffness) && fender_vec3_is_finite(c->damping) &&
           fender_vec3_is_finite(c->angular_stiffness) && fender_vec3_is_finite(c->angular_damping) &&
           !isnan(c->limit) && !isnan(c->angular_limit);
}

void fnd_connections_commit(fender_world *world, const fnd_evaluation *now, bool *changed, double *released)
{
    fnd_request_list *requests = &world->dynamics.contacts.requests;
    for (int i = 0; i < requests->count; i++) {
        fnd_request *request = &requests->items[i];
        int index;
        fnd_link *link = find_link(world, request->shape_a, request->shape_b, &index);
        bool holds = link && link->memory.active && !link->memory.broken;
        if (request->disconnect && holds) {
            link->memory.active = false;
            link->memory.damping_loss += now->links[index].stored_energy;
            *released += now->links[index].stored_energy;
            *changed = true;
            holds = false;
        }
        request->disconnect = false;
        if (request->connection.kind != FENDER_CONNECTION_BUSHING) continue;
        if (link && !holds) {
            if (!is_finite(&request->connection)) continue; /* fnd_world_weld tells */
            connect(world, request, link);
            request->made = index + 1;
            *changed = true;
        }
        request->connection.kind = FENDER_CONNECTION_NONE;
    }
}

/* ---- welds */

/* What is attached to a part without a state goes with what carries that part. */
static int carrier_of(const fnd_body *bodies, int body)
{
    while (bodies[body].motion == FENDER_MOTION_MASS_ONLY && bodies[body].parent >= 0) body = bodies[body].parent;
    return body;
}

static fender_status weld(fender_world *world, uint32_t shape_a, uint32_t shape_b, fender_error *error)
{
    const fnd_body *bodies = world->model.bodies;
    int a = world->model.shapes[shape_a].body, b = world->model.shapes[shape_b].body;
    int root_a = fnd_tree_root(bodies, a), root_b = fnd_tree_root(bodies, b);
    if (root_a == root_b || (!fnd_body_dynamic(&bodies[root_a]) && !fnd_body_dynamic(&bodies[root_b])))
        return FENDER_STATUS_OK;
    /* What cannot move is the parent, and so is what moves within its tree. */
    const bool swap = !fnd_body_dynamic(&bodies[root_b]) ||
                      (fnd_body_dynamic(&bodies[root_a]) && fnd_body_on_the_move(world, b) >= 0);
    fender_attach_def def = fender_attach_def_default();
    def.child = fnd_body_id(&world->model, swap ? a : b);
    def.parent = fnd_body_id(&world->model, carrier_of(bodies, swap ? b : a));
    def.pose = FENDER_ATTACH_AS_IS;
    return fnd_inner_body_attach(world, &def, NULL, error);
}

/* Relative speed of the bodies at the point of connection. */
static double speed_at(const fender_world *world, const fnd_request *request)
{
    const fnd_shape *shapes = world->model.shapes;
    const fnd_frame *a = &world->dynamics.frames[shapes[request->shape_a].root],
                    *b = &world->dynamics.frames[shapes[request->shape_b].root];
    fender_vec3 speed_a = fender_vec3_add(a->v, fender_vec3_cross(a->w, request->lever_a));
    fender_vec3 speed_b = fender_vec3_add(b->v, fender_vec3_cross(b->w, request->lever_b));
    return fender_vec3_length(fender_vec3_sub(speed_b, speed_a));
}

static fender_status tell_of_link(fender_world *world, const fnd_request *request, fender_error *error)
{
    fender_event event = {0};
    event.kind = FENDER_EVENT_LINK_CAPTURE;
    event.time = world->time;
    event.subject = FENDER_SUBJECT_LINK;
    event.link.link = fnd_link_id(&world->dynamics, request->made - 1);
    event.link.body_a = fnd_body_id(&world->model, world->model.shapes[request->shape_a].body);
    event.link.body_b = fnd_body_id(&world->model, world->model.shapes[request->shape_b].body);
    event.link.speed = speed_at(world, request);
    return fnd_event_add(&world->env, &world->events, event) ? FENDER_STATUS_OK : fnd_fail_memory(error, "an event");
}

static fender_status refuse_bushing(const fender_world *world, const fnd_request *request, fender_error *error)
{
    const fnd_contact_model *model = &world->model;
    const fnd_shape *a = &model->shapes[request->shape_a], *b = &model->shapes[request->shape_b];
    char message[320], name[440];
    snprintf(name, sizeof name, "%s.%s:%s.%s", model->bodies[a->body].name, a->name, model->bodies[b->body].name,
             b->name);
    snprintf(message, sizeof message, "t = %s s: the connection that the law of contact %.200s asks for is not finite",
             fnd_number(world->time).text, name);
    return fnd_fail(error, FENDER_STATUS_NOT_FINITE, name, message, "NaN or infinity",
                    "a finite stiffness and damping, and limits that are numbers", "check the law");
}

fender_status fnd_world_weld(fender_world *world, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    world->welding = true;
    /* attaching accepts a new state, which may append further requests */
    for (int i = 0; !status && i < world->dynamics.contacts.requests.count; i++) {
        const fnd_request request = world->dynamics.contacts.requests.items[i];
        if (request.made > 0) status = tell_of_link(world, &request, error);
        else if (request.connection.kind == FENDER_CONNECTION_WELD)
            status = weld(world, request.shape_a, request.shape_b, error);
        else if (request.connection.kind == FENDER_CONNECTION_BUSHING) status = refuse_bushing(world, &request, error);
    }
    world->dynamics.contacts.requests.count = 0;
    world->welding = false;
    return status;
}
