/* What a world must share with that of a snapshot: names, kinds, and definitions that snapshots do not carry. */
#include "base/hash.h"
#include "world/snapshot.h"
#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? fnd_hash_bytes(hash, text, strlen(text) + 1) : hash;
}

uint64_t fnd_structure_names(const fender_world *world)
{
    const fnd_contact_model *model = &world->model;
    uint64_t hash = FND_HASH_START;
    for (int i = 0; i < model->body_count; i++)
        hash = fnd_hash_u64(hash_text(hash, model->bodies[i].name), (uint64_t)model->bodies[i].motion);
    for (int i = 0; i < model->body_count; i++) {
        const fnd_part_motion *part = model->bodies[i].part;
        if (!part) continue;
        hash = fnd_hash_u64(fnd_hash_u64(hash, (uint64_t)i), (uint64_t)part->count);
        hash = fnd_hash_bytes(hash, part->times, (size_t)part->count * sizeof *part->times);
        hash = fnd_hash_bytes(hash, part->rows, (size_t)part->count * sizeof *part->rows);
    }
    for (int i = 0; i < model->shape_count; i++)
        hash = fnd_hash_u64(hash_text(hash, model->shapes[i].name), (uint64_t)model->shapes[i].body);
    for (int i = 0; i < model->type_count; i++) {
        const fnd_contact_type *type = &model->types[i];
        hash = fnd_hash_u64(hash_text(hash, type->name), type->memory_size);
        for (int k = 0; k < type->slot_count; k++)
            if (type->slots[k].law) { hash = fnd_hash_u64(hash_text(hash, type->slots[k].law->name), (uint64_t)k); }
    }
    for (int i = 0; i < world->dynamics.load_count; i++) {
        const fnd_load *load = &world->dynamics.loads[i];
        hash = hash_text(hash, load->name);
        if (load->def.kind != FENDER_LOAD_GIVEN) hash = fnd_hash_u64(hash, (uint64_t)load->def.kind);
    }
    for (int i = 0; i < world->dynamics.link_count; i++) {
        const fnd_link *link = &world->dynamics.links[i];
        if (!link->made) hash = fnd_hash_u64(hash_text(hash, link->name), (uint64_t)link->law);
    }
    const fender_frame *frame = &world->def.frame;
    if (frame->kind == FENDER_FRAME_INERTIAL) return hash;
    const fender_planet *planet = &frame->planet;
    const double figures[] = {planet->mu,
                              planet->equatorial_radius,
                              planet->flattening,
                              planet->rotation_rate,
                              planet->j2,
                              planet->gravity_radius,
                              frame->origin.latitude,
                              frame->origin.longitude,
                              frame->origin.altitude};
    hash = fnd_hash_u64(fnd_hash_u64(hash, (uint64_t)frame->kind), (uint64_t)frame->axes);
    if (frame->kind == FENDER_FRAME_ORBIT) hash = fnd_hash_bytes(hash, &frame->orbit, sizeof frame->orbit);
    return fnd_hash_bytes(hash, figures, sizeof figures);
}

/* ---- Definitions ---- */

#define HASH(hash, object) fnd_hash_bytes(hash, &(object), sizeof(object))

static uint64_t hash_vector(uint64_t hash, fender_vec3 v) { return HASH(hash, v); }

static uint64_t hash_array(uint64_t hash, const void *values, size_t count, size_t size)
{
    hash = fnd_hash_u64(hash, values ? count : 0);
    return values ? fnd_hash_bytes(hash, values, count * size) : hash;
}

static bool is_real(const fender_field *f)
{
    return f->type != FENDER_FIELD_BOOL && f->type != FENDER_FIELD_INT && f->type != FENDER_FIELD_ENUM;
}

/* All that the table describes, but `except` (NULL: nothing); or all but real numbers. */
static uint64_t hash_fields(uint64_t hash, const fender_field_table *table, const void *object,
                            const fender_field *except, bool reals)
{
    for (int i = 0; table && i < table->count; i++) {
        const fender_field *f = fender_field_at(table, i);
        if (f == except || (!reals && is_real(f))) continue;
        for (int k = 0; k < fender_field_component_count(f); k++)
            hash = fnd_hash_double(hash, fender_field_get(f, object, k));
    }
    return hash;
}

static uint64_t hash_program(uint64_t hash, const fender_expression *program)
{
    return hash_array(hash, program->code, (size_t)program->count, sizeof *program->code);
}

/* Parameters of one law; of formulas, their programs, too. Speeds that a world has chosen are in its snapshots. */
static uint64_t hash_slot(uint64_t hash, const fnd_slot *slot)
{
    const fender_field_table *table = &slot->law->parameters;
    hash = hash_fields(hash, table, slot->parameters, slot->least_speed, true);
    if (strcmp(slot->law->name, "expression") == 0 && table->size == sizeof(fender_expression_parameters))
        hash = hash_program(hash, &((const fender_expression_parameters *)slot->parameters)->force);
    if (strcmp(slot->law->name, "friction_expression") == 0 &&
        table->size == sizeof(fender_friction_expression_parameters))
        hash = hash_program(hash, &((const fender_friction_expression_parameters *)slot->parameters)->coefficient);
    return hash;
}

static uint64_t hash_force_table(uint64_t hash, const fender_force_table *table, int components)
{
    const size_t rows = (size_t)table->count;
    hash = fnd_hash_u64(hash_array(hash, table->times, rows, sizeof *table->times), (uint64_t)table->after);
    return hash_array(hash, table->values, rows * (size_t)(table->columns * components), sizeof *table->values);
}

static uint64_t hash_type(uint64_t hash, const fnd_contact_type *type)
{
    for (int k = 0; k < type->slot_count; k++)
        if (type->slots[k].law) hash = hash_slot(hash, &type->slots[k]);
    hash = fnd_hash_u64(hash, (uint64_t)type->points << 2 | (uint64_t)type->unlocated << 1 | (uint64_t)type->whole);
    if (!type->is_prescribed) return hash;
    hash = hash_force_table(hash, &type->prescribed_force.normal, 1);
    return hash_force_table(hash, &type->prescribed_force.friction, 2);
}

static uint64_t hash_path(uint64_t hash, const fnd_body *body)
{
    const fender_sine *sine = &body->def.sine;
    const size_t rows = (size_t)body->path_count;
    hash = HASH(hash, body->def.body_axes);
    hash = fnd_hash_u64(hash, (uint64_t)body->def.path.between);
    hash = hash_array(hash, body->path_times, rows, sizeof *body->path_times);
    hash = hash_array(hash, body->path_positions, rows, sizeof *body->path_positions);
    hash = hash_array(hash, body->path_velocities, rows, sizeof *body->path_velocities);
    if (body->motion == FENDER_MOTION_PRESCRIBED) { /* paths and turns start there */
        const fender_body_state *from = &body->def.state;
        hash = hash_vector(hash_vector(hash, from->position), from->velocity);
        hash = hash_vector(HASH(hash, from->attitude), from->angular_velocity);
    }
    return HASH(hash, *sine);
}

static uint64_t hash_shape(uint64_t hash, const fnd_shape *shape)
{
    hash = fnd_hash_u64(hash, fnd_geometry_digest(shape->geometry));
    hash = fnd_hash_u64(hash, (uint64_t)(int64_t)shape->material);
    hash = hash_vector(hash_vector(hash, shape->running), shape->spinning);
    return HASH(hash, shape->X_SG);
}

static uint64_t hash_point(uint64_t hash, const fnd_contact_model *model, int point)
{
    hash = fnd_hash_u64(hash, (uint64_t)model->points[point].body);
    return HASH(hash, model->points[point].X_SP);
}

/* Its real parameters are in snapshots. */
static uint64_t hash_link(uint64_t hash, const fnd_contact_model *model, const fnd_link *link)
{
    hash = hash_point(hash_point(hash, model, link->point_a), model, link->point_b);
    hash = hash_fields(hash, fender_link_law_parameters(link->law), link->parameters, NULL, false);
    hash = hash_array(hash, link->curve, (size_t)link->curve_count, sizeof *link->curve);
    return fnd_hash_u64(hash, (uint64_t)(int64_t)link->use);
}

static uint64_t hash_signal(uint64_t hash, const fnd_load *load, int which)
{
    const fender_signal *s = which == 0 ? &load->def.force : &load->def.torque;
    const size_t rows = load->times[which] ? (size_t)s->count : 0;
    hash = fnd_hash_u64(fnd_hash_u64(hash, (uint64_t)s->kind), (uint64_t)s->after);
    hash = hash_vector(hash_vector(hash, s->constant), s->direction);
    hash = fnd_hash_double(fnd_hash_double(hash, s->rate), s->start);
    hash = hash_array(hash, load->times[which], rows, sizeof *load->times[which]);
    hash = hash_array(hash, load->values[which], rows, sizeof *load->values[which]);
    for (int k = 0; load->formulas[which] && k < 3; k++) hash = hash_program(hash, &load->formulas[which][k]);
    for (int k = 0; k < s->reading_count; k++) { /* ids name their world, too: slots alone */
        const fender_load_reading *r = &load->readings[which][k];
        const uint32_t what[] = {(uint32_t)r->frame.kind, r->frame.body.index1, r->frame.point.index1,
                                 (uint32_t)r->quantity, (uint32_t)r->component};
        hash = HASH(hash, what);
    }
    return hash;
}

static uint64_t hash_load(uint64_t hash, const fnd_load *load)
{
    const fender_load_def *def = &load->def;
    hash = fnd_hash_u64(fnd_hash_u64(hash, (uint64_t)(int64_t)load->body), (uint64_t)def->axes);
    hash = fnd_hash_u64(hash_vector(hash, def->point), (uint64_t)def->at_center);
    hash = fnd_hash_u64(hash, (uint64_t)(int64_t)load->tank);
    if (def->kind != FENDER_LOAD_GIVEN)
        return hash_fields(hash, fender_load_parameters(def->kind), fender_load_def_parameters(def), NULL, true);
    return hash_signal(hash_signal(hash, load, 0), load, 1);
}

static uint64_t hash_world(uint64_t hash, const fender_world_def *def)
{
    const double numbers[] = {def->gravity.mu, def->oblateness.j2, def->oblateness.radius, def->contact_limit_factor,
                              def->start_time};
    hash = fnd_hash_u64(HASH(hash, numbers), (uint64_t)def->gravity.kind);
    hash = hash_vector(hash_vector(hash, def->gravity.acceleration), def->gravity.center);
    return fnd_hash_u64(hash_vector(hash, def->oblateness.axis), (uint64_t)def->gravity_gradient);
}

uint64_t fnd_structure_definition(const fender_world *world)
{
    const fnd_contact_model *model = &world->model;
    const fnd_dynamics *d = &world->dynamics;
    uint64_t hash = hash_world(FND_HASH_START, &world->def);
    for (int i = 0; i < model->body_count; i++)
        if (model->bodies[i].name) hash = hash_path(hash, &model->bodies[i]);
    for (int i = 0; i < model->shape_count; i++)
        if (model->shapes[i].name) hash = hash_shape(hash, &model->shapes[i]);
    for (int i = 0; i < model->type_count; i++) hash = hash_type(hash, &model->types[i]);
    for (int i = 0; i < model->rule_count; i++) {
        const fnd_rule *rule = &model->rules[i];
        const uint32_t pair[] = {(uint32_t)rule->kind, rule->low, rule->high};
        hash = HASH(hash, pair);
    }
    for (int i = 0; i < d->load_count; i++)
        if (d->loads[i].name) hash = hash_load(hash, &d->loads[i]);
    for (int i = 0; i < d->link_count; i++)
        if (d->links[i].name && !d->links[i].made) hash = hash_link(hash, model, &d->links[i]);
    return hash;
}
