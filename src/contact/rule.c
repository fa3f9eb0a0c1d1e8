/* Rules: which contact type two shapes get, by shape, body, material, default. */
#include "base/error.h"
#include "body/mass_tree.h"
#include "contact/model.h"
#include "geometry/geometry.h"
#include <string.h>

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
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_NAME, "rules", "a rule of this kind for this pair exists", "",
                                           "one rule for a pair", "remove one of the two"});
    void *rules = model->rules;
    if (!fnd_reserve_one_more(env, &rules, &model->rule_capacity, model->rule_count, sizeof *model->rules))
        return fnd_fail_memory(error, "a rule");
    model->rules = rules;
    rule.index = model->rule_count;
    memmove(&model->rules[at + 1], &model->rules[at], (size_t)(model->rule_count - at) * sizeof *model->rules);
    model->rules[at] = rule;
    model->rule_count++;
    return FENDER_STATUS_OK;
}

const fnd_rule *fnd_rule_decide(const fnd_contact_model *model, int shape_a, int shape_b, fender_rule_kind from)
{
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
    return FENDER_PAIR_MAY_TOUCH;
}
