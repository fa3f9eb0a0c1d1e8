/* Contact types and rules of a world; contact types, rules and loads in order of creation. */
#include "base/error.h"
#include "base/memory.h"
#include "collide/pair_table.h"
#include "geometry/geometry.h"
#include "world/tree_change.h"
#include <stdio.h>
#include <string.h>

fender_contact_type_def fender_contact_type_def_default(void)
{
    return (fender_contact_type_def){.size = sizeof(fender_contact_type_def)};
}

fender_rule_def fender_rule_def_default(void)
{
    return (fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
}

fender_status fnd_inner_contact_type_create(fender_world *world, const fender_contact_type_def *def,
                                            fender_contact_type_id *id, fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_contact_type_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    fender_status status = fnd_world_check_name(&model->type_names, 0, def->name, "contact type", error);
    if (status) return status;
    void *types = model->types;
    if (!fnd_reserve_one_more(&world->env, &types, &model->type_capacity, model->type_count, sizeof *model->types))
        return fnd_fail_memory(error, "a contact type");
    model->types = types;
    fnd_contact_type *type = &model->types[model->type_count];
    memset(type, 0, sizeof *type);
    if ((status = fnd_contact_type_init(&world->env, type, def, error))) return status;
    if (!fnd_name_add(&world->env, &model->type_names, 0, type->name, model->type_count)) {
        fnd_contact_type_release(&world->env, type);
        return fnd_fail_memory(error, "a contact type");
    }
    model->type_count++;
    world->initialized = false;
    type->model = model;
    if (id) *id = fnd_type_id(model, model->type_count - 1);
    return FENDER_STATUS_OK;
}

fender_status fender_contact_type_find(const fender_world *world, const char *name, fender_contact_type_id *id)
{
    if (!world || !id) return fnd_world_missing(NULL);
    int index = fnd_name_find(&world->model.type_names, 0, name);
    if (index < 0) return FENDER_STATUS_NAME;
    *id = fnd_type_id(&world->model, index);
    return FENDER_STATUS_OK;
}

fender_status fender_contact_type_get_def(const fender_world *world, fender_contact_type_id id,
                                          fender_contact_type_def *def)
{
    if (!world || !def) return fnd_world_missing(NULL);
    if (!fnd_type_live(&world->model, id)) return FENDER_STATUS_STALE_ID;
    const fnd_contact_type *type = &world->model.types[id.index1 - 1];
    *def = fender_contact_type_def_default();
    def->name = type->name;
    if (type->whole) def->law = type->primary.law, def->law_parameters = type->primary.parameters;
    else def->normal = type->primary.law, def->normal_parameters = type->primary.parameters;
    def->friction = type->friction.law;
    def->friction_parameters = type->friction.parameters;
    def->rolling = type->rolling.law;
    def->rolling_parameters = type->rolling.parameters;
    def->twisting = type->twisting.law;
    def->twisting_parameters = type->twisting.parameters;
    def->prescribed_force = type->is_prescribed ? &type->prescribed_force : NULL;
    def->points = type->points;
    def->unlocated = type->unlocated;
    return FENDER_STATUS_OK;
}

/* How many points the shape has of which each is a contact. */
static int point_count(const fnd_shape *shape)
{
    int count = 1;
    if (fender_geometry_type_of(shape->geometry) == FENDER_GEOMETRY_CLOUD)
        (void)fender_geometry_vertices(shape->geometry, &count);
    return count;
}

static fender_status refuse_columns(const fender_world *world, int type, const char *slot, int wanted, int shape,
                                    int points, fender_error *error)
{
    char path[200], message[240], found[48], expected[80];
    const fnd_contact_model *model = &world->model;
    snprintf(path, sizeof path, "contact_types.%.100s.%s.force", model->types[type].name, slot);
    snprintf(message, sizeof message, "the forces do not fit the points of shape %.80s.%.80s",
             model->bodies[model->shapes[shape].body].name, model->shapes[shape].name);
    snprintf(found, sizeof found, "forces for %d points", wanted);
    snprintf(expected, sizeof expected, points > 1 ? "1 or %d" : "1: the shape is not a cloud", points);
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, expected,
                    "give one for all, or one for each point of the cloud, in order");
}

fender_status fnd_world_check_prescribed_forces(const fender_world *world, fender_error *error)
{
    const fnd_contact_model *model = &world->model;
    bool any = false;
    for (int t = 0; t < model->type_count; t++) any |= fnd_prescribed_columns(&model->types[t]) > 1;
    for (int a = 0; any && a < model->shape_count; a++)
        for (int b = a + 1; b < model->shape_count; b++) {
            const fnd_rule *rule = fnd_rule_decide(model, a, b, FENDER_RULE_SHAPES);
            if (!rule || rule->use < 0 || model->shapes[a].body == model->shapes[b].body) continue;
            const fender_prescribed_force *prescribed_force = &model->types[rule->use].prescribed_force;
            int points_a = point_count(&model->shapes[a]), points_b = point_count(&model->shapes[b]);
            int points = points_a > points_b ? points_a : points_b, at = points_a > points_b ? a : b;
            const int columns[] = {prescribed_force->normal.columns, prescribed_force->friction.columns};
            for (int i = 0; i < 2; i++)
                if (columns[i] > 1 && columns[i] != points)
                    return refuse_columns(world, rule->use, i == 0 ? "normal" : "friction", columns[i], at, points,
                                          error);
        }
    return FENDER_STATUS_OK;
}

static fender_status refuse_geometries(const fnd_contact_model *model, const fnd_rule *rule, int a, int b,
                                       fender_error *error)
{
    const fnd_shape *shapes[] = {&model->shapes[a], &model->shapes[b]};
    const char *types[2];
    char path[32], message[600], found[120];
    for (int i = 0; i < 2; i++) types[i] = fender_geometry_type_name(fender_geometry_type_of(shapes[i]->geometry));
    snprintf(path, sizeof path, "rules[%d]", rule->index);
    const bool thin = fnd_pair_find(shapes[0]->geometry, shapes[1]->geometry).function != NULL;
    snprintf(message, sizeof message, "%.100s.%.100s and %.100s.%.100s cannot touch: %s and %s have no %s",
             model->bodies[shapes[0]->body].name, shapes[0]->name, model->bodies[shapes[1]->body].name, shapes[1]->name,
             types[0], types[1], thin ? "inside that could overlap" : "contact function");
    snprintf(found, sizeof found, "%s and %s", types[0], types[1]);
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, "a pair that `fender info pairs` lists",
                    thin
                        ? "give a disk a rounding or make it a cylinder of its thickness, or write unsupported: ignore "
                          "in the rule, or a rule for the two shapes with use: never"
                        : "give one of them another geometry, or write unsupported: ignore in the rule, or "
                          "a rule for the two shapes with use: never");
}

static bool is_immovable(const fnd_contact_model *model, int shape)
{
    fender_motion motion = model->bodies[model->shapes[shape].body].motion;
    return motion == FENDER_MOTION_FIXED || motion == FENDER_MOTION_PRESCRIBED;
}

static bool is_unsupported(const fnd_contact_model *model, int a, int b)
{
    return !(is_immovable(model, a) && is_immovable(model, b)) &&
           !fnd_pair_can_touch(model->shapes[a].geometry, model->shapes[b].geometry);
}

/* Of bodies: the pairs of their shapes that no stronger rule decides. */
static fender_status check_rule(const fnd_contact_model *model, const fnd_rule *rule, fender_error *error)
{
    int low = (int)rule->low, high = (int)rule->high;
    if (rule->use < 0 || rule->def.ignore_unsupported) return FENDER_STATUS_OK;
    if (rule->kind == FENDER_RULE_SHAPES && is_unsupported(model, low, high))
        return refuse_geometries(model, rule, low, high, error);
    if (rule->kind != FENDER_RULE_BODIES) return FENDER_STATUS_OK;
    for (int a = 0; a < model->shape_count; a++)
        for (int b = 0; model->shapes[a].body == low && b < model->shape_count; b++)
            if (model->shapes[b].body == high && is_unsupported(model, a, b) &&
                fnd_rule_decide(model, a, b, FENDER_RULE_SHAPES)->kind == FENDER_RULE_BODIES)
                return refuse_geometries(model, rule, a, b, error);
    return FENDER_STATUS_OK;
}

fender_status fnd_world_check_rules(const fender_world *world, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; !status && i < world->model.rule_count; i++)
        status = check_rule(&world->model, &world->model.rules[i], error);
    return status;
}

static bool live(fender_rule_kind kind, const fender_rule_def *def, const fnd_contact_model *model)
{
    switch (kind) {
    case FENDER_RULE_SHAPES: return fnd_shape_live(model, def->shape_a) && fnd_shape_live(model, def->shape_b);
    case FENDER_RULE_BODIES: return fnd_body_live(model, def->body_a) && fnd_body_live(model, def->body_b);
    case FENDER_RULE_MATERIALS:
        return fnd_material_live(model, def->material_a) && fnd_material_live(model, def->material_b);
    case FENDER_RULE_DEFAULT: return true;
    }
    return false;
}

fender_status fnd_inner_rule_create(fender_world *world, const fender_rule_def *def, fender_rule_id *id,
                                    fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_rule_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    static const char *const kinds[] = {"shape", "body", "material", "rule kind"};
    if ((unsigned)def->kind > FENDER_RULE_DEFAULT || !live(def->kind, def, model))
        return fnd_world_stale(error, kinds[(unsigned)def->kind > FENDER_RULE_DEFAULT ? 3 : def->kind]);
    if (def->use.index1 != 0 && !fnd_type_live(model, def->use)) return fnd_world_stale(error, "contact type");
    fnd_rule rule = {.def = *def, .kind = def->kind, .use = (int)def->use.index1 - 1};
    if (def->kind == FENDER_RULE_SHAPES) rule.low = def->shape_a.index1 - 1, rule.high = def->shape_b.index1 - 1;
    if (def->kind == FENDER_RULE_BODIES) rule.low = def->body_a.index1 - 1, rule.high = def->body_b.index1 - 1;
    if (def->kind == FENDER_RULE_MATERIALS)
        rule.low = def->material_a.index1 - 1, rule.high = def->material_b.index1 - 1;
    fender_status status = def->kind == FENDER_RULE_SHAPES ? check_rule(model, &rule, error) : FENDER_STATUS_OK;
    if (!status) status = fnd_rule_insert(&world->env, model, rule, error);
    if (status) return status;
    world->initialized = false;
    if (id) *id = (fender_rule_id){(uint32_t)model->rules_added, model->number, 1};
    return FENDER_STATUS_OK;
}

fender_status fender_rule_get_def(const fender_world *world, fender_rule_id id, fender_rule_def *def)
{
    if (!world || !def) return fnd_world_missing(NULL);
    const fnd_rule *rule = fnd_rule_of(&world->model, id);
    if (!rule) return FENDER_STATUS_STALE_ID;
    *def = rule->def;
    return FENDER_STATUS_OK;
}

static void set_use(const fnd_contact_model *model, fnd_rule *rule, int use)
{
    rule->use = use;
    rule->def.use = fnd_type_id(model, use);
}

fender_status fnd_inner_rule_set_use(fender_world *world, fender_rule_id id, fender_contact_type_id use,
                                     fender_error *error)
{
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    fnd_rule *rule = fnd_rule_of(model, id);
    if (!rule) return fnd_world_stale(error, "rule");
    if (use.index1 != 0 && !fnd_type_live(model, use)) return fnd_world_stale(error, "contact type");
    int before = rule->use;
    if (before == (int)use.index1 - 1) {
        world->events.count = 0;
        return FENDER_STATUS_OK;
    }
    fnd_rule wanted = *rule;
    wanted.use = (int)use.index1 - 1;
    fender_status status = check_rule(model, &wanted, error);
    if (status) return status;
    set_use(model, rule, wanted.use);
    const fnd_connections connections = fnd_connections_of(world);
    if (world->initialized) status = fnd_world_prepare_connections(world, error);
    set_use(model, rule, before);
    if ((status = fnd_connections_provide(world, &connections, status, error))) return status;
    fnd_tree_change change; /* the trees stay; contacts and ledger follow in the same way */
    status = fnd_tree_change_begin(world, &change, error);
    if (!status) {
        set_use(model, rule, wanted.use);
        world->dynamics.contacts.broad.valid = false;
        status = fnd_tree_change_end(world, &change, FND_BOOK_OUTSIDE, error);
    }
    if (!status) {
        fnd_connections_keep(world);
        return FENDER_STATUS_OK;
    }
    set_use(model, rule, before);
    world->dynamics.contacts.broad.valid = false;
    fnd_connections_take_back(world, &connections);
    return status;
}

bool fnd_pair_in_range(const fender_world *world, int a, int b)
{
    const fnd_contact_model *model = &world->model;
    if (!(model->contact_limit_factor > 0) || !world->initialized) return true;
    const fnd_shape *sa = &model->shapes[a], *sb = &model->shapes[b];
    const fnd_body *ba = &model->bodies[sa->root], *bb = &model->bodies[sb->root];
    fender_vec3 d = fender_vec3_add(fender_vec3_sub(bb->state.p, ba->state.p),
                                    fender_vec3_sub(fender_quaternion_rotate(bb->state.q, sb->p_BG),
                                                    fender_quaternion_rotate(ba->state.q, sa->p_BG)));
    return !(fender_vec3_length(d) > model->contact_limit_factor * (sa->bounding_radius + sb->bounding_radius));
}

fender_status fender_world_explain(const fender_world *world, fender_shape_id one, fender_shape_id other,
                                   fender_pair_explanation *explanation)
{
    if (!world || !explanation) return fnd_world_missing(NULL);
    const fnd_contact_model *model = &world->model;
    if (!fnd_shape_live(model, one) || !fnd_shape_live(model, other)) return FENDER_STATUS_STALE_ID;
    *explanation = (fender_pair_explanation){0};
    bool swapped = other.index1 < one.index1;
    explanation->a = swapped ? other : one;
    explanation->b = swapped ? one : other;
    int a = (int)explanation->a.index1 - 1, b = (int)explanation->b.index1 - 1, type = -1;
    explanation->reason = fnd_pair_decide(model, a, b, &type);
    const fnd_rule *rule = fnd_rule_decide(model, a, b, FENDER_RULE_SHAPES);
    explanation->rule = fnd_rule_id(model, rule);
    if (rule && rule->kind < FENDER_RULE_DEFAULT)
        explanation->overruled = fnd_rule_id(model, fnd_rule_decide(model, a, b, (fender_rule_kind)(rule->kind + 1)));
    if (rule && rule->use >= 0) {
        explanation->use = fnd_type_id(model, rule->use);
        explanation->onset_gap = model->types[rule->use].onset_gap;
        explanation->release_gap = model->types[rule->use].release_gap;
    }
    if (explanation->reason == FENDER_PAIR_MAY_TOUCH && !fnd_pair_in_range(world, a, b))
        explanation->reason = FENDER_PAIR_OUT_OF_RANGE;
    return FENDER_STATUS_OK;
}

/* ---- Enumeration ---- */

int fender_contact_type_count(const fender_world *world) { return world ? world->model.type_count : 0; }

fender_contact_type_id fender_contact_type_at(const fender_world *world, int index)
{
    const bool there = world && index >= 0 && index < world->model.type_count;
    return there ? fnd_type_id(&world->model, index) : (fender_contact_type_id){0};
}

int fender_rule_count(const fender_world *world) { return world ? world->model.rule_count : 0; }

fender_rule_id fender_rule_at(const fender_world *world, int index)
{
    if (!world || index < 0 || index >= world->model.rule_count) return (fender_rule_id){0};
    const fnd_contact_model *model = &world->model;
    if (model->rules_added == model->rule_count) return (fender_rule_id){(uint32_t)index + 1, model->number, 1};
    /* some have gone: that before which so many others were added */
    for (int i = 0; i < model->rule_count; i++) {
        int before = 0;
        for (int k = 0; k < model->rule_count; k++) before += model->rules[k].index < model->rules[i].index;
        if (before == index) return fnd_rule_id(model, &model->rules[i]);
    }
    return (fender_rule_id){0};
}

fender_status fender_load_get_def(const fender_world *world, fender_load_id load, fender_load_def *def)
{
    if (!world || !def) return fnd_world_missing(NULL);
    if (!fnd_load_live(&world->dynamics, load)) return FENDER_STATUS_STALE_ID;
    const fnd_load *found = &world->dynamics.loads[load.index1 - 1];
    *def = found->def;
    def->active = found->active;
    return FENDER_STATUS_OK;
}
