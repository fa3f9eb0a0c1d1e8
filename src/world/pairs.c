/* All pairs of shapes: which may touch. Shapes that rules, motion and geometry do not tell apart are of one kind, and
 * what is decided for one pair of two kinds holds for all others. */
#include "base/memory.h"
#include "collide/pair_table.h"
#include "world/world.h"

/* More kinds are not told apart: further shapes are decided one by one, as are those that rules name. */
enum { MOST_KINDS = 256, BY_ITSELF = -1, GONE = -2, REASONS = FENDER_PAIR_REASON_COUNT };

typedef struct kind {
    int material;
    bool dynamic, mass_only, active, swept; /* swept: with a rounding */
    fender_geometry_type type;
    fnd_geometry_class class;
} kind;

typedef struct decision {
    bool made;
    fender_pair_reason reason;
    int type; /* -1: none */
} decision;

/* What stands of each shape, by index. */
typedef struct member {
    int kind; /* or BY_ITSELF, GONE */
    int root;
} member;

typedef struct visit {
    const fender_world *world;
    fender_pair_visitor *visitor;
    void *ctx;
    int64_t reasons[REASONS];
    member *members;
    kind kinds[MOST_KINDS];
    int kind_count;
    decision *decisions; /* kind_count^2 */
} visit;

static kind kind_of(const fnd_contact_model *model, int shape, int root)
{
    const fnd_shape *s = &model->shapes[shape];
    const fnd_body *head = &model->bodies[root];
    return (kind){.material = s->material,
                  .dynamic = fnd_body_dynamic(head),
                  .mass_only = head->motion == FENDER_MOTION_MASS_ONLY,
                  .active = s->active,
                  .swept = s->geometry->rounding > 0,
                  .type = s->geometry->type,
                  .class = fnd_geometry_class_of(s->geometry)};
}

static bool same(const kind *a, const kind *b)
{
    return a->material == b->material && a->dynamic == b->dynamic && a->mass_only == b->mass_only &&
           a->active == b->active && a->swept == b->swept && a->type == b->type && a->class == b->class;
}

static int find_kind(visit *v, const kind *wanted)
{
    for (int k = 0; k < v->kind_count; k++)
        if (same(&v->kinds[k], wanted)) return k;
    if (v->kind_count == MOST_KINDS) return BY_ITSELF;
    v->kinds[v->kind_count] = *wanted;
    return v->kind_count++;
}

static bool is_named(const fnd_rule *rule, int index)
{
    return rule->low == (uint32_t)index || rule->high == (uint32_t)index;
}

/* Is there a rule for the shape or its body, whatever its material? Rules are in the order of kinds. */
static bool has_own_rule(const fnd_contact_model *model, int shape)
{
    for (int i = 0; i < model->rule_count && model->rules[i].kind <= FENDER_RULE_BODIES; i++)
        if (is_named(&model->rules[i], model->rules[i].kind == FENDER_RULE_SHAPES ? shape : model->shapes[shape].body))
            return true;
    return false;
}

static void find_members(visit *v)
{
    const fnd_contact_model *model = &v->world->model;
    for (int i = 0; i < model->shape_count; i++) {
        v->members[i] = (member){GONE, -1};
        if (!model->shapes[i].name) continue;
        const int root = fnd_tree_root(model->bodies, model->shapes[i].body);
        const kind mine = kind_of(model, i, root);
        v->members[i] = (member){has_own_rule(model, i) ? BY_ITSELF : find_kind(v, &mine), root};
    }
}

static decision decide(const fnd_contact_model *model, int a, int b)
{
    decision made = {.made = true, .type = -1};
    made.reason = fnd_pair_decide(model, a, b, &made.type);
    return made;
}

static const decision *decide_kinds(const visit *v, int a, int b)
{
    decision *known = &v->decisions[v->members[a].kind * v->kind_count + v->members[b].kind];
    if (!known->made) *known = decide(&v->world->model, a, b);
    return known;
}

/* Pairs of that shape with later ones. False: the visitor has seen enough. */
static bool visit_shape(visit *v, int a)
{
    const fnd_contact_model *model = &v->world->model;
    const member mine = v->members[a];
    for (int b = a + 1; b < model->shape_count; b++) {
        const member other = v->members[b];
        if (other.kind == GONE) continue;
        const bool alike = mine.kind != BY_ITSELF && other.kind != BY_ITSELF && mine.root != other.root;
        decision own;
        const decision *found = &own;
        if (alike) found = decide_kinds(v, a, b);
        else own = decide(model, a, b);
        if (found->reason != FENDER_PAIR_MAY_TOUCH) {
            v->reasons[found->reason]++;
            continue;
        }
        v->reasons[fnd_pair_in_range(v->world, a, b) ? FENDER_PAIR_MAY_TOUCH : FENDER_PAIR_OUT_OF_RANGE]++;
        if (v->visitor &&
            !v->visitor(v->ctx, fnd_shape_id(model, a), fnd_shape_id(model, b), fnd_type_id(model, found->type)))
            return false;
    }
    return true;
}

fender_status fender_world_visit_pairs(const fender_world *world, fender_pair_visitor *visitor, void *ctx,
                                       int64_t *reasons)
{
    if (!world) return fnd_world_missing(NULL);
    const fender_env *env = &world->env;
    const int count = world->model.shape_count;
    const size_t members = (size_t)(count > 0 ? count : 1) * sizeof(member);
    fender_status status = FENDER_STATUS_MEMORY;
    visit *v = fnd_allocate(env, sizeof *v);
    if (!v) return status;
    v->world = world;
    v->visitor = visitor;
    v->ctx = ctx;
    v->members = fnd_allocate(env, members);
    if (v->members) find_members(v);
    const size_t decisions = (size_t)(v->kind_count * v->kind_count + 1) * sizeof(decision);
    if (v->members) v->decisions = fnd_allocate(env, decisions);
    if (v->decisions) {
        status = FENDER_STATUS_OK;
        for (int a = 0; a < count; a++)
            if (v->members[a].kind != GONE && !visit_shape(v, a)) break;
        for (int i = 0; reasons && i < REASONS; i++) reasons[i] = v->reasons[i];
    }
    fnd_release(env, v->decisions, decisions);
    fnd_release(env, v->members, members);
    fnd_release(env, v, sizeof *v);
    return status;
}
