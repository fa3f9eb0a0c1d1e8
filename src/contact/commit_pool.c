/* What the touches of a ball on one surface hand to each other when its weight goes over from facet to facet. */
#include "contact/commit.h"
#include "math/rotation.h"
#include <string.h>

enum { FACETS = 64 }; /* features of the touches of one ball lie in one block of so many (collide/surface_touch.c) */

bool fnd_touch_pool_has(const fnd_touch_pool *pool, const fnd_key *key)
{
    return key->a == pool->key.a && key->b == pool->key.b && key->feature / FACETS == pool->key.feature / FACETS;
}

static double weight_in(const fnd_contact_list *list, int from, const fnd_key *key)
{
    for (int i = from; i < list->count && fnd_key_compare(&list->items[i].key, key) <= 0; i++)
        if (fnd_same_key(&list->items[i].key, key)) return list->items[i].in.weight;
    return 0;
}

void fnd_touch_pool_open(fnd_commit *c, const fnd_contact_list *now, fnd_pool_place at, const fnd_key *key)
{
    fnd_touch_pool *pool = &c->pool;
    const fnd_record_list *records = &c->set->records;
    memset(pool, 0, sizeof *pool);
    pool->key = *key;
    pool->heir = -1;
    if (c->passage->count == 0) return;
    const fnd_contact_list *from = c->passage->lists[0];
    double heaviest = 0, given = 0, wanted = 0;
    for (int i = at.record; i < records->count; i++) {
        const int place = records->order[i];
        const fnd_record *record = &records->items[place];
        if (!fnd_touch_pool_has(pool, &record->key)) break;
        const double before = weight_in(from, at.from, &record->key), after = weight_in(now, at.now, &record->key);
        if (record->suppressed) continue;
        if (before > heaviest) {
            heaviest = before;
            pool->heir = place;
        }
        if (!(before > after)) continue;
        const fnd_contact_type *type = &c->model->types[record->type];
        const double *states = fnd_passage_states(c, type, place);
        given += before - after;
        for (int k = 0; k < type->state_count; k++) pool->states[k] += (before - after) * states[k];
    }
    for (int i = at.now; i < now->count && fnd_touch_pool_has(pool, &now->items[i].key); i++) {
        const double gain = now->items[i].in.weight - weight_in(from, at.from, &now->items[i].key);
        if (gain > 0) wanted += gain;
    }
    if (!(given > 0) || !(wanted > 0)) return;
    pool->part = given < wanted ? given / wanted : 1;
    for (int k = 0; k < FND_CONTACT_STATES; k++) pool->states[k] /= given;
}

/* The parts of a vector in C after a turn about its z; the first of both is the angle's cosine. */
static fender_vec3 turned(const double turn[2], fender_vec3 v)
{
    return fender_vec3_make(turn[0] * v.x + turn[1] * v.y, turn[0] * v.y - turn[1] * v.x, v.z);
}
static fender_vec2 turned_across(const double turn[2], fender_vec2 v)
{
    const fender_vec3 u = turned(turn, fender_vec3_make(v.x, v.y, 0));
    return (fender_vec2){u.x, u.y};
}

/* What a contact says in its own axes, from one tangent to another. */
static void turn_tangent(fnd_contact *c, fender_vec3 tangent)
{
    const double turn[2] = {fender_vec3_dot(tangent, c->tangent),
                            fender_vec3_dot(tangent, fender_vec3_cross(c->normal, c->tangent))};
    c->tangent = tangent;
    c->in.slip = turned_across(turn, c->in.slip);
    c->in.spin = turned(turn, c->in.spin);
    c->force_C = turned(turn, c->force_C);
    if (!c->driven) return;
    c->drive = turned_across(turn, c->drive);
    c->drive_spin = turned(turn, c->drive_spin);
}

bool fnd_touch_inherit(const fnd_commit *c, const fnd_story *s, fnd_record *record, unsigned char *memory)
{
    const fnd_record_list *records = &c->set->records;
    const fnd_contact *first = s->seen ? s->seen : s->now;
    if (!first->shared || !s->pool || s->pool->heir < 0) return false;
    const fnd_record *heir = &records->items[s->pool->heir];
    if (heir->type != record->type) return false;
    const fnd_contact_type *type = &c->model->types[record->type];
    memcpy(memory, fnd_record_memory(records, s->pool->heir), type->memory_size);
    record->approach_speed = heir->approach_speed;
    record->mode = heir->mode;
    if (s->now) turn_tangent(s->now, fnd_least_rotation(heir->normal, s->now->normal, heir->tangent));
    return true;
}
