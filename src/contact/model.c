/* The contact model: contact types, forces prescribed from outside, rules, shapes. */
#include "contact/model.h"

#include "base/error.h"
#include "base/memory.h"
#include "body/mass_tree.h"
#include "contact/contact_set.h"
#include "geometry/geometry.h"
#include "law/laws.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- Forces from outside ---- */

enum { NORMAL_COMPONENTS = 1, FRICTION_COMPONENTS = 2 };

static size_t value_count(const fender_force_table *table, int components)
{
    return (size_t)table->count * (size_t)table->columns * (size_t)components;
}

static const char *problem_of(const fender_force_table *table, int components)
{
    if (table->count == 0) return NULL;
    if (table->count < 0 || !table->times || !table->values) return "the table has no rows";
    if (table->columns < 1 || table->columns > INT32_MAX / components) return "the table has no columns";
    if ((unsigned)table->after > FENDER_AFTER_ZERO) return "the value of `after` is unknown";
    for (int i = 0; i < table->count; i++) {
        if (!isfinite(table->times[i])) return "a time of the table is not finite";
        if (i > 0 && !(table->times[i] > table->times[i - 1])) return "the times of the table do not increase";
    }
    size_t count = value_count(table, components);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(table->values[i])) return "a force of the table is not finite";
    return NULL;
}

static bool copy_table(const fender_env *env, fender_force_table *table, int components)
{
    const double *times = table->times, *values = table->values;
    table->times = table->values = NULL;
    if (table->count == 0) {
        table->columns = 0;
        return true;
    }
    size_t rows = (size_t)table->count, numbers = value_count(table, components);
    double *own_times = fnd_allocate(env, rows * sizeof *own_times);
    double *own_values = fnd_allocate(env, numbers * sizeof *own_values);
    table->times = own_times;
    table->values = own_values;
    if (!own_times || !own_values) return false;
    memcpy(own_times, times, rows * sizeof *times);
    memcpy(own_values, values, numbers * sizeof *values);
    return true;
}

static void release_table(const fender_env *env, fender_force_table *table, int components)
{
    fnd_release(env, (void *)table->times, (size_t)table->count * sizeof *table->times);
    fnd_release(env, (void *)table->values, value_count(table, components) * sizeof *table->values);
    memset(table, 0, sizeof *table);
}

/* Forces from outside: on failure the type is to be released. */
static fender_status prescribed_force_init(const fender_env *env, fnd_contact_type *type,
                                           const fender_prescribed_force *prescribed_force, fender_error *error)
{
    if (!prescribed_force) return FENDER_STATUS_OK;
    const char *problem = problem_of(&prescribed_force->normal, NORMAL_COMPONENTS), *path = "prescribed_force.normal";
    if (!problem) {
        problem = problem_of(&prescribed_force->friction, FRICTION_COMPONENTS);
        path = "prescribed_force.friction";
    }
    if (problem)
        return fnd_fail(error, FENDER_STATUS_VALUE, path, problem, "",
                        "finite forces in columns, and rows with increasing times", "");
    type->prescribed_force = *prescribed_force;
    type->is_prescribed = true;
    bool whole = copy_table(env, &type->prescribed_force.normal, NORMAL_COMPONENTS);
    whole = copy_table(env, &type->prescribed_force.friction, FRICTION_COMPONENTS) && whole;
    return whole ? FENDER_STATUS_OK : fnd_fail_memory(error, "prescribed forces");
}

static void prescribed_force_release(const fender_env *env, fnd_contact_type *type)
{
    if (!type->is_prescribed) return;
    release_table(env, &type->prescribed_force.normal, NORMAL_COMPONENTS);
    release_table(env, &type->prescribed_force.friction, FRICTION_COMPONENTS);
}

int fnd_prescribed_columns(const fnd_contact_type *type)
{
    int normal = type->prescribed_force.normal.columns, friction = type->prescribed_force.friction.columns;
    return normal > friction ? normal : friction;
}

/* One component of one column at a time; 0 for a point that has no column. */
static double value_at(const fender_force_table *table, int components, int component, int index, double time)
{
    assert(index >= 0 && component >= 0 && component < components);
    int last = table->count - 1, column = table->columns == 1 ? 0 : index;
    if (table->count == 0 || column >= table->columns || !(time >= table->times[0])) return 0;
    size_t stride = (size_t)table->columns * (size_t)components;
    const double *values = table->values + (size_t)column * (size_t)components + (size_t)component;
    if (time >= table->times[last])
        return table->after == FENDER_AFTER_HOLD || time == table->times[last] ? values[(size_t)last * stride] : 0;
    int low = 0, high = last;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table->times[middle] <= time) low = middle;
        else high = middle;
    }
    double part = (time - table->times[low]) / (table->times[high] - table->times[low]);
    double from = values[(size_t)low * stride];
    return from + part * (values[(size_t)high * stride] - from);
}

void fnd_provide(const fnd_contact_type *type, const fnd_key *key, fender_contact_input *in)
{
    in->prescribed_normal = 0;
    in->prescribed_friction = (fender_vec2){0, 0};
    if (!type->is_prescribed) return;
    const fender_prescribed_force *p = &type->prescribed_force;
    if (p->force) {
        p->force(p->ctx, in->time, fnd_shape_id(type->model, (int)key->a), fnd_shape_id(type->model, (int)key->b),
                 in->index, &in->prescribed_normal, &in->prescribed_friction);
        return;
    }
    in->prescribed_normal = value_at(&p->normal, NORMAL_COMPONENTS, 0, in->index, in->time);
    in->prescribed_friction.x = value_at(&p->friction, FRICTION_COMPONENTS, 0, in->index, in->time);
    in->prescribed_friction.y = value_at(&p->friction, FRICTION_COMPONENTS, 1, in->index, in->time);
}

void fnd_contact_provide(const fnd_contact_type *type, fnd_contact *c)
{
    fnd_provide(type, &c->key, &c->in);
    if (!type->is_prescribed || c->gain == 1) return;
    c->in.prescribed_normal /= c->gain;
    if (!type->whole) return;
    c->in.prescribed_friction.x /= c->gain;
    c->in.prescribed_friction.y /= c->gain;
}

/* ---- Contact types ---- */

static fender_status fill_slot(const fender_env *env, fnd_slot *slot, const char *path, const fender_law *law,
                               const void *parameters, fender_law_kind kind, fender_error *error)
{
    if (law->size != sizeof(fender_law) || !law->force)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, path, "the law is incomplete or from another version", "",
                        "a registered law", "");
    if (!(law->kinds & (uint32_t)kind)) {
        char message[160];
        snprintf(message, sizeof message, "law '%s' cannot be used under '%s'", law->name, path);
        const char *better = (law->kinds & FENDER_LAW_WHOLE)      ? "use it under 'law'"
                             : (law->kinds & FENDER_LAW_NORMAL)   ? "use it under 'normal'"
                             : (law->kinds & FENDER_LAW_FRICTION) ? "use it under 'friction'"
                             : (law->kinds & FENDER_LAW_ROLLING)  ? "use it under 'rolling'"
                                                                  : "use it under 'twisting'";
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, path, message, law->name, "a law of that kind", better);
    }
    if (law->parameters.count > 0) {
        if (!parameters)
            return fnd_fail(error, FENDER_STATUS_ARGUMENT, path, "the law needs parameters", "NULL", law->name, "");
        fender_error parts = {0};
        fender_status status = fender_field_check(&law->parameters, parameters, &parts);
        if (!status && law->check) status = law->check(parameters, &parts);
        if (status) {
            fnd_error_prefix(&parts, path);
            return fnd_fail(error, status, parts.path, parts.message, parts.found, parts.expected, parts.suggestion);
        }
        slot->parameters = fnd_allocate(env, law->parameters.size);
        if (!slot->parameters) return fnd_fail_memory(error, "the parameters of a law");
        memcpy(slot->parameters, parameters, law->parameters.size);
        const char *const speed = kind == FENDER_LAW_FRICTION ? "stick_speed" : "rest_rate";
        const fender_field *field = fender_field_find(&law->parameters, speed);
        if (field && fender_field_get(field, parameters, 0) == 0) slot->least_speed = field;
    }
    slot->law = law;
    return FENDER_STATUS_OK;
}

static size_t aligned(size_t size) { return (size + 15) / 16 * 16; }

/* False: a gap that is negative or not finite. */
static bool add_activation_distance(const fnd_slot *slot, fnd_contact_type *type)
{
    if (!slot->law || !slot->law->activation_distance) return true;
    double onset = 0, release = 0;
    slot->law->activation_distance(slot->parameters, &onset, &release);
    if (onset > type->onset_gap) type->onset_gap = onset;
    if (release > type->release_gap) type->release_gap = release;
    return onset >= 0 && release >= 0 && isfinite(onset) && isfinite(release);
}

/* A linear spring and damper with smooth friction, its own or that of the law `coulomb`; or with that of the law
 * `coulomb_static_kinetic`. */
static void find_batch_numbers(fnd_contact_type *type)
{
    fnd_linear_push push;
    if (type->primary.law != &fnd_law_spring_damper || type->is_prescribed || type->slot_count > FND_SLOT_ROLLING)
        return;
    if (!fnd_spring_damper_numbers(type->primary.parameters, &push)) return;
    const bool sticks = type->friction.law == &fnd_law_coulomb_static_kinetic;
    if (type->friction.law) {
        if ((type->friction.law != &fnd_law_coulomb && !sticks) || push.mu > 0) return;
        if (!sticks) fnd_coulomb_numbers(type->friction.parameters, &push);
    }
    if (type->onset_gap != 0 || type->release_gap != 0) return;
    type->batch = !sticks;
    type->sticks = sticks;
    type->stiffness = push.stiffness;
    type->damping = push.damping;
    type->mu = push.mu;
    type->slip_speed = push.slip_speed;
}

/* Of a law that acts apart patches have what is within its reach, which no power of a depth describes. */
static double exponent_of(const fnd_contact_type *type)
{
    const fender_law *law = type->primary.law;
    const double exponent = law->exponent ? law->exponent(type->primary.parameters) : 1;
    return law->stored_energy && exponent > 1 && isfinite(exponent) && type->release_gap == 0 ? exponent : 1;
}

static bool reads_surface(const fnd_slot *slot)
{
    const fender_law *law = slot->law;
    if ((law->needs & FENDER_LAW_NEEDS_SURFACE) == 0) return false;
    return !law->reads_surface || law->reads_surface(slot->parameters);
}

/* Memory and states one behind the other; what the laws ask for; whose modes are shown. */
static void place_slots(fnd_contact_type *type)
{
    type->mode_slot = FND_SLOT_COUNT;
    for (int i = 0; i < FND_SLOT_COUNT; i++) {
        fnd_slot *slot = &type->slots[i];
        if (!slot->law) continue;
        slot->memory_offset = type->memory_size;
        slot->state_offset = type->state_count;
        type->memory_size += aligned(slot->law->memory_size);
        type->state_count += slot->law->state_count;
        type->slot_count = i + 1;
        type->sees_surface |= reads_surface(slot);
        type->connects |= (slot->law->needs & FENDER_LAW_CONNECTS) != 0;
        if (slot->law->mode_names && type->mode_slot == FND_SLOT_COUNT) type->mode_slot = i;
    }
    if (type->mode_slot == FND_SLOT_COUNT) type->mode_slot = FND_SLOT_PRIMARY;
}

fender_status fnd_contact_type_init(const fender_env *env, fnd_contact_type *type, const fender_contact_type_def *def,
                                    fender_error *error)
{
    bool whole = def->law != NULL;
    if (whole == (def->normal != NULL) || (whole && def->friction))
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "law",
                        "a contact type has one whole law, or a normal law and perhaps a friction law",
                        whole ? "both" : "no law", "`law: NAME`, or `normal: {law: NAME}`", "");
    fender_status status;
    type->whole = whole;
    if (whole) status = fill_slot(env, &type->primary, "law", def->law, def->law_parameters, FENDER_LAW_WHOLE, error);
    else
        status = fill_slot(env, &type->primary, "normal", def->normal, def->normal_parameters, FENDER_LAW_NORMAL,
                           error);
    if (!status && def->friction)
        status = fill_slot(env, &type->friction, "friction", def->friction, def->friction_parameters,
                           FENDER_LAW_FRICTION, error);
    if (!status && def->rolling)
        status = fill_slot(env, &type->rolling, "rolling", def->rolling, def->rolling_parameters, FENDER_LAW_ROLLING,
                           error);
    if (!status && def->twisting)
        status = fill_slot(env, &type->twisting, "twisting", def->twisting, def->twisting_parameters,
                           FENDER_LAW_TWISTING, error);
    if (!status) status = prescribed_force_init(env, type, def->prescribed_force, error);
    if (!status && (unsigned)def->points > FENDER_CONTACT_POINTS_CORNERS)
        status = fnd_fail(error, FENDER_STATUS_ARGUMENT, "points", "the value of `points` is unknown", "",
                          "FENDER_CONTACT_POINTS_PATCH, _SINGLE or _CORNERS", "");
    type->points = def->points;
    type->unlocated = def->unlocated;
    if (!status && !(type->name = fnd_text_copy(env, def->name))) status = fnd_fail_memory(error, "a contact type");
    if (status) {
        fnd_contact_type_release(env, type);
        return status;
    }
    bool reaches = true;
    place_slots(type);
    for (int i = 0; i < type->slot_count; i++) reaches = add_activation_distance(&type->slots[i], type) && reaches;
    if (!reaches) {
        fnd_contact_type_release(env, type);
        return fnd_fail(error, FENDER_STATUS_VALUE, "activation_distance",
                        "the law's activation distance is negative or not finite", "", "gaps of 0 m or more", "");
    }
    if (type->release_gap < type->onset_gap) type->release_gap = type->onset_gap;
    const fender_law *primary = type->primary.law;
    type->turns = primary->stored_energy && primary != &fnd_law_spring_damper;
    type->own_energy = false;
    for (int i = 0; i < type->slot_count; i++) {
        const fender_law *law = type->slots[i].law;
        if (law && law->stored_energy && fender_law_find(NULL, law->name) != law) type->own_energy = true;
    }
    type->splits = (primary->needs & FENDER_LAW_ACTS_APART) != 0 && type->release_gap > type->onset_gap;
    type->exponent = exponent_of(type);
    find_batch_numbers(type);
    return FENDER_STATUS_OK;
}

void fnd_contact_type_release(const fender_env *env, fnd_contact_type *type)
{
    for (int i = 0; i < FND_SLOT_COUNT; i++)
        if (type->slots[i].law) fnd_release(env, type->slots[i].parameters, type->slots[i].law->parameters.size);
    prescribed_force_release(env, type);
    fnd_text_release(env, type->name);
    memset(type, 0, sizeof *type);
}

/* ---- Rules ---- */

/* Order by kind, then pair. */
static int compare(const fnd_rule *rule, fender_rule_kind kind, uint32_t low, uint32_t high)
{
    if (rule->kind != kind) return rule->kind < kind ? -1 : 1;
    if (rule->low != low) return rule->low < low ? -1 : 1;
    if (rule->high != high) return rule->high < high ? -1 : 1;
    return 0;
}

/* First rule that is not before the key. */
static int lower_bound(const fnd_contact_model *model, fender_rule_kind kind, uint32_t low, uint32_t high)
{
    assert(low <= high);
    int from = 0, to = model->rule_count;
    while (from < to) {
        int middle = (from + to) / 2;
        if (compare(&model->rules[middle], kind, low, high) < 0) from = middle + 1;
        else to = middle;
    }
    return from;
}

fender_status fnd_rule_insert(const fender_env *env, fnd_contact_model *model, fnd_rule rule, fender_error *error)
{
    if (rule.low > rule.high) {
        uint32_t swap = rule.low;
        rule.low = rule.high;
        rule.high = swap;
    }
    int at = lower_bound(model, rule.kind, rule.low, rule.high);
    if (at < model->rule_count && compare(&model->rules[at], rule.kind, rule.low, rule.high) == 0)
        return fnd_fail(error, FENDER_STATUS_NAME, "rules", "a rule of this kind for this pair already exists", "",
                        "one rule for a pair", "remove one of the two");
    void *rules = model->rules;
    if (!fnd_reserve_one_more(env, &rules, &model->rule_capacity, model->rule_count, sizeof *model->rules))
        return fnd_fail_memory(error, "a rule");
    model->rules = rules;
    rule.index = model->rules_added++;
    memmove(&model->rules[at + 1], &model->rules[at], (size_t)(model->rule_count - at) * sizeof *model->rules);
    model->rules[at] = rule;
    model->rule_count++;
    return FENDER_STATUS_OK;
}

fnd_rule *fnd_rule_of(const fnd_contact_model *model, fender_rule_id id)
{
    if (id.world != model->number || id.generation != 1) return NULL;
    for (int i = 0; i < model->rule_count; i++)
        if (id.index1 == (uint32_t)model->rules[i].index + 1) return &model->rules[i];
    return NULL;
}

void fnd_rule_remove(fnd_contact_model *model, int at)
{
    assert(at >= 0 && at < model->rule_count);
    model->rule_count--;
    memmove(&model->rules[at], &model->rules[at + 1], (size_t)(model->rule_count - at) * sizeof *model->rules);
}

void fnd_rule_put_back(fnd_contact_model *model, fnd_rule rule)
{
    const int at = lower_bound(model, rule.kind, rule.low, rule.high);
    memmove(&model->rules[at + 1], &model->rules[at], (size_t)(model->rule_count - at) * sizeof *model->rules);
    model->rules[at] = rule;
    model->rule_count++;
}

const fnd_rule *fnd_rule_decide(const fnd_contact_model *model, int shape_a, int shape_b, fender_rule_kind from)
{
    assert(shape_a >= 0 && shape_a < model->shape_count);
    assert(shape_b >= 0 && shape_b < model->shape_count);
    const fnd_shape *a = &model->shapes[shape_a], *b = &model->shapes[shape_b];
    for (fender_rule_kind kind = from; kind <= FENDER_RULE_DEFAULT; kind++) {
        int one = 0, other = 0;
        if (kind == FENDER_RULE_SHAPES) one = shape_a, other = shape_b;
        if (kind == FENDER_RULE_BODIES) one = a->body, other = b->body;
        if (kind == FENDER_RULE_MATERIALS) one = a->material, other = b->material;
        if (one < 0 || other < 0) continue;
        uint32_t low = (uint32_t)(one < other ? one : other), high = (uint32_t)(one < other ? other : one);
        int at = lower_bound(model, kind, low, high);
        if (at < model->rule_count && compare(&model->rules[at], kind, low, high) == 0) return &model->rules[at];
    }
    return NULL;
}

fender_pair_reason fnd_pair_decide(const fnd_contact_model *model, int shape_a, int shape_b, int *type)
{
    assert(shape_a >= 0 && shape_a < model->shape_count);
    assert(shape_b >= 0 && shape_b < model->shape_count);
    const fnd_shape *a = &model->shapes[shape_a], *b = &model->shapes[shape_b];
    if (a->body == b->body) return FENDER_PAIR_SAME_BODY;
    int root_a = fnd_tree_root(model->bodies, a->body), root_b = fnd_tree_root(model->bodies, b->body);
    if (root_a == root_b) return FENDER_PAIR_SAME_TREE;
    const fnd_body *head_a = &model->bodies[root_a], *head_b = &model->bodies[root_b];
    if (head_a->motion == FENDER_MOTION_MASS_ONLY || head_b->motion == FENDER_MOTION_MASS_ONLY)
        return FENDER_PAIR_NO_STATE;
    if (!fnd_body_dynamic(head_a) && !fnd_body_dynamic(head_b)) return FENDER_PAIR_BOTH_IMMOVABLE;
    const fnd_rule *rule = fnd_rule_decide(model, shape_a, shape_b, FENDER_RULE_SHAPES);
    if (!rule) return FENDER_PAIR_NO_RULE;
    if (rule->use < 0) return FENDER_PAIR_RULE_NEVER;
    *type = rule->use;
    if (!a->active || !b->active) return FENDER_PAIR_NOT_ACTIVE;
    if (!fnd_pair_find(a->geometry, b->geometry).function) return FENDER_PAIR_NO_FUNCTION;
    if (!fnd_pair_can_touch(a->geometry, b->geometry)) return FENDER_PAIR_NO_INSIDE;
    return FENDER_PAIR_MAY_TOUCH;
}

/* ---- Shapes ---- */

static size_t parts_size(int capacity) { return sizeof(fnd_parts) + (size_t)capacity * sizeof(fnd_moving); }

void fnd_contact_model_release(const fender_env *env, fnd_contact_model *model)
{
    for (int i = 0; i < model->shape_count; i++) {
        if (!model->shapes[i].name) continue;
        fnd_text_release(env, model->shapes[i].name);
        fender_geometry_release(model->shapes[i].geometry);
    }
    for (int i = 0; i < model->point_count; i++) fnd_text_release(env, model->points[i].name);
    for (int i = 0; i < model->material_count; i++) fnd_text_release(env, model->materials[i]);
    for (int i = 0; i < model->type_count; i++) fnd_contact_type_release(env, &model->types[i]);
    for (int i = 0; i < model->body_count; i++) fnd_body_release(env, &model->bodies[i]);
    if (model->parts) fnd_release(env, model->parts, parts_size(model->parts->capacity));
    fnd_release(env, model->bodies, (size_t)model->body_capacity * sizeof *model->bodies);
    fnd_release(env, model->shapes, (size_t)model->shape_capacity * sizeof *model->shapes);
    fnd_release(env, model->points, (size_t)model->point_capacity * sizeof *model->points);
    fnd_release(env, (void *)model->materials, (size_t)model->material_capacity * sizeof *model->materials);
    fnd_release(env, model->types, (size_t)model->type_capacity * sizeof *model->types);
    fnd_release(env, model->rules, (size_t)model->rule_capacity * sizeof *model->rules);
    fnd_name_index_release(env, &model->body_names);
    fnd_name_index_release(env, &model->shape_names);
    fnd_name_index_release(env, &model->point_names);
    fnd_name_index_release(env, &model->material_names);
    fnd_name_index_release(env, &model->type_names);
    memset(model, 0, sizeof *model);
}

void fnd_shape_box(const fnd_shape *shape, const fnd_frame *frame, fender_vec3 *center, fender_vec3 *half)
{
    assert(shape->geometry);
    const fender_geometry *geometry = shape->geometry;
    *center = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, shape->p_BG));
    if (geometry->type == FENDER_GEOMETRY_SPHERE) {
        *half = fender_vec3_make(geometry->radius, geometry->radius, geometry->radius);
        return;
    }
    fender_vec3 offset;
    fender_mat3 R_WG = shape->aligned ? frame->R_WB : fender_mat3_product(&frame->R_WB, &shape->R_BG);
    fnd_geometry_box(geometry, &R_WG, &offset, half);
    *center = fender_vec3_add(*center, offset);
}

static bool is_open_mesh(const fnd_shape *shape)
{
    const fender_geometry *g = shape->geometry;
    return g->type == FENDER_GEOMETRY_MESH && !g->surface->closed;
}

/* How far the normals of an open mesh point along an axis of the world, whose row of R is given, at most. */
static double side_along(const fnd_surface *s, const double row[3], double sign)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        const double along = sign * row[k];
        const fender_vec3 *side = &s->sides[along < 0];
        most += fabs(along) * (k == 0 ? side->x : k == 1 ? side->y : side->z);
    }
    return most < 1 ? most : 1;
}

/* What is behind a triangle is off against its normal, no farther than a diameter of the bounding sphere. */
void fnd_shape_reach_box(const fnd_shape *shape, const fnd_frame *frame, fender_vec3 *center, fender_vec3 *half)
{
    fnd_shape_box(shape, frame, center, half);
    if (!is_open_mesh(shape)) return;
    const fender_mat3 R_WG = shape->aligned ? frame->R_WB : fender_mat3_product(&frame->R_WB, &shape->R_BG);
    double off[3], wider[3];
    for (int i = 0; i < 3; i++) {
        const double below = shape->bounding_radius * side_along(shape->geometry->surface, R_WG.m[i], 1);
        const double above = shape->bounding_radius * side_along(shape->geometry->surface, R_WG.m[i], -1);
        off[i] = above - below; /* half of what is added in all */
        wider[i] = above + below;
    }
    *center = fender_vec3_add(*center, fender_vec3_make(off[0], off[1], off[2]));
    *half = fender_vec3_add(*half, fender_vec3_make(wider[0], wider[1], wider[2]));
}

double fnd_shape_reach_arm(const fnd_shape *shape)
{
    return (is_open_mesh(shape) ? 5 : 1) * shape->bounding_radius; /* 1 + 2 sqrt 3 is enough */
}

static void pose_shape(fnd_shape *shape, const fnd_body *body)
{
    shape->root = body->root;
    fender_vec3 lever = fender_vec3_sub(shape->X_SG.p, body->root_center_S);
    fender_quaternion q = fender_quaternion_product(body->q_RS, shape->X_SG.q);
    shape->p_BG = fender_quaternion_rotate(body->q_RS, lever);
    shape->centered = shape->p_BG.x == 0 && shape->p_BG.y == 0 && shape->p_BG.z == 0 && !body->moving;
    shape->R_BG = fender_quaternion_matrix(q);
    shape->aligned = q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0;
}

void fnd_shapes_pose(fnd_contact_model *model)
{
    for (int i = 0; i < model->shape_count; i++) pose_shape(&model->shapes[i], &model->bodies[model->shapes[i].body]);
}

/* ---- Moving parts ---- */

static void move(const fnd_contact_model *model, double time)
{
    fnd_parts_move(model->bodies, model->body_count, model->parts, time);
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_body *body = &model->bodies[model->shapes[i].body];
        if (body->moving) pose_shape(&model->shapes[i], body);
    }
}

void fnd_model_move(const fnd_contact_model *model, double time)
{
    if (fnd_model_moves(model) && model->parts->time != time) move(model, time);
}

void fnd_model_move_anew(fnd_contact_model *model)
{
    fnd_parts_bind(model->bodies, model->body_count, model->parts);
    if (fnd_model_moves(model)) move(model, model->parts->time);
}

bool fnd_model_reserve_parts(const fender_env *env, fnd_contact_model *model, double time)
{
    bool wanted = model->parts != NULL;
    for (int i = 0; i < model->body_count && !wanted; i++) wanted = model->bodies[i].part != NULL;
    if (!wanted) return true;
    if (!model->parts || model->parts->capacity < model->body_capacity) {
        fnd_parts *parts = fnd_allocate(env, parts_size(model->body_capacity));
        if (!parts) return false;
        parts->capacity = model->body_capacity;
        if (model->parts) fnd_release(env, model->parts, parts_size(model->parts->capacity));
        model->parts = parts;
    }
    model->parts->time = time;
    fnd_model_move_anew(model);
    return true;
}
