/* Section `rules`, and which of them an action switches. */
#include <string.h>

#include "scenario/section.h"

bool fnd_find_contact_type(fnd_reader *reader, const fnd_node *node, int *use)
{
    const char *name = NULL;
    if (!fnd_read_text(reader, node, node->key, &name)) return false;
    for (int i = 0; i < reader->scenario->contact_type_count; i++)
        if (strcmp(reader->scenario->contact_types[i].id.name, name) == 0) return *use = i, true;
    fnd_complain_unknown(reader, &node->place, "contact type", "contact types", name,
                         fnd_node_find(reader->root, "contact_types"));
    return false;
}

static bool read_use(fnd_reader *reader, const fnd_node *node, int *use)
{
    *use = -1;
    if (node->kind == FND_NODE_TEXT && strcmp(node->text, "never") == 0) return true;
    return fnd_find_contact_type(reader, node, use);
}

static bool read_pair(fnd_reader *reader, const fnd_node *list, fnd_rule_description *rule)
{
    const char *name = NULL;
    if (!fnd_expect_list(reader, list, list->key)) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_place(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'%s' needs two names; here are %d", list->key, list->count).text,
                     fnd_phrase_make("%d", list->count).text, "two names",
                     rule->kind == FENDER_RULE_MATERIALS ? "write [a, b]; the same name twice is fine"
                                                         : "write [a, b]");
        return false;
    }
    bool good = true;
    for (int i = 0; i < 2; i++) {
        const fnd_node *node = i == 0 ? list->first : list->last;
        int *body = i == 0 ? &rule->body_a : &rule->body_b, *shape = i == 0 ? &rule->shape_a : &rule->shape_b;
        int *material = i == 0 ? &rule->material_a : &rule->material_b;
        if (!fnd_read_text(reader, node, list->key, &name)) good = false;
        else if (rule->kind == FENDER_RULE_SHAPES) good = fnd_find_shape(reader, node, body, shape) && good;
        else if (rule->kind == FENDER_RULE_BODIES) good = (*body = fnd_find_body(reader, node, name)) >= 0 && good;
        else good = (*material = fnd_find_material(reader, node, name)) >= 0 && good;
    }
    if (good && rule->kind != FENDER_RULE_MATERIALS && rule->body_a == rule->body_b) {
        fnd_complain(reader, &list->last->place, FENDER_STATUS_VALUE,
                     fnd_phrase_make("both are %s body '%s', and a body does not touch itself",
                                     rule->kind == FENDER_RULE_BODIES ? "the" : "on",
                                     reader->scenario->bodies[rule->body_a].id.name)
                         .text,
                     fnd_shown(list->last->text).text, "two bodies", "name the other body");
        good = false;
    }
    return good;
}

static bool same_pair(const fnd_rule_description *a, const fnd_rule_description *b)
{
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case FENDER_RULE_SHAPES:
        return (a->body_a == b->body_a && a->shape_a == b->shape_a && a->body_b == b->body_b &&
                a->shape_b == b->shape_b) ||
               (a->body_a == b->body_b && a->shape_a == b->shape_b && a->body_b == b->body_a &&
                a->shape_b == b->shape_a);
    case FENDER_RULE_BODIES:
        return (a->body_a == b->body_a && a->body_b == b->body_b) || (a->body_a == b->body_b && a->body_b == b->body_a);
    case FENDER_RULE_MATERIALS:
        return (a->material_a == b->material_a && a->material_b == b->material_b) ||
               (a->material_a == b->material_b && a->material_b == b->material_a);
    case FENDER_RULE_DEFAULT: break;
    }
    return true;
}

static bool is_repeated(fnd_reader *reader, const fnd_rule_description *rule)
{
    for (int i = 0; i < reader->scenario->rule_count; i++) {
        const fnd_rule_description *other = &reader->scenario->rules[i];
        if (!same_pair(rule, other)) continue;
        fnd_complain(reader, &rule->place, FENDER_STATUS_NAME, "a second rule for the same pair", "the pair again",
                     "one rule of each kind for a pair",
                     fnd_phrase_make("the first is in line %d; remove one", other->place.line).text);
        return true;
    }
    return false;
}

/* What becomes of pairs of geometries without a contact function. */
static bool read_unsupported(fnd_reader *reader, const fnd_node *node, bool *ignore)
{
    const char *text = NULL;
    if (!fnd_read_text(reader, node, node->key, &text)) return false;
    *ignore = strcmp(text, "ignore") == 0;
    if (!*ignore)
        fnd_complain(reader, &node->place, FENDER_STATUS_VALUE, "'unsupported' is not known", fnd_shown(text).text,
                     "ignore", "write ignore, or leave it out");
    return *ignore;
}

static bool read_rule(fnd_reader *reader, fnd_node *node, fnd_rule_description *rule)
{
    static const fnd_key keys[] = {{"shapes", false}, {"bodies", false},      {"materials", false}, {"default", false},
                                   {"use", false},    {"unsupported", false}, {NULL, false}};
    static const char *const kinds[] = {"shapes", "bodies", "materials", "default"};
    if (!fnd_expect_map(reader, node, "rules") || !fnd_check_keys(reader, node, "a rule", keys)) return false;
    const fnd_node *given = NULL, *use = fnd_node_find(node, "use"), *unsupported = fnd_node_find(node, "unsupported");
    for (int i = 0; i < 4; i++) {
        const fnd_node *form = fnd_node_find(node, kinds[i]);
        if (!form) continue;
        if (given) {
            fnd_complain(reader, &form->key_place, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("a rule has both '%s' and '%s'", given->key, form->key).text, form->key,
                         "one of shapes, bodies, materials, default", "write two rules");
            return false;
        }
        given = form;
        rule->kind = i == 0   ? FENDER_RULE_SHAPES
                     : i == 1 ? FENDER_RULE_BODIES
                     : i == 2 ? FENDER_RULE_MATERIALS
                              : FENDER_RULE_DEFAULT;
    }
    if (!given) {
        fnd_complain(reader, &node->place, FENDER_STATUS_ARGUMENT, "a rule does not say what it is for",
                     "no shapes, bodies, materials or default", "one of shapes, bodies, materials, default",
                     "write {materials: [a, b], use: TYPE} or {default: TYPE}");
        return false;
    }
    rule->place = given->key_place;
    if (unsupported && !read_unsupported(reader, unsupported, &rule->ignore_unsupported)) return false;
    if (rule->kind == FENDER_RULE_DEFAULT) {
        if (use) {
            fnd_complain(reader, &use->key_place, FENDER_STATUS_ARGUMENT, "'use' stands beside 'default'", "use",
                         "{default: TYPE}", "remove 'use'");
            return false;
        }
        return read_use(reader, given, &rule->use);
    }
    bool good = read_pair(reader, given, rule);
    if (!use) use = fnd_require(reader, node, "use", "the rule", "TYPE, or never");
    return use && read_use(reader, use, &rule->use) && good;
}

static const fnd_rule_description blank = {
    .body_a = -1, .shape_a = -1, .body_b = -1, .shape_b = -1, .material_a = -1, .material_b = -1, .use = -1};

bool fnd_read_switch(fnd_reader *reader, fnd_node *node, int *rule, int *use)
{
    const fender_scenario *scenario = reader->scenario;
    fnd_rule_description wanted = blank;
    if (!read_rule(reader, node, &wanted)) return false;
    *use = wanted.use;
    if (wanted.ignore_unsupported) {
        fnd_complain(reader, &wanted.place, FENDER_STATUS_ARGUMENT, "'switch' has 'unsupported'", "unsupported",
                     "the pair and 'use'", "write it in the rule under `rules`");
        return false;
    }
    for (*rule = 0; *rule < scenario->rule_count; (*rule)++)
        if (same_pair(&wanted, &scenario->rules[*rule])) return true;
    fnd_complain(reader, &wanted.place, FENDER_STATUS_NAME, "there is no rule of this kind for this pair", "no rule",
                 "a rule under `rules` for the same shapes, bodies or materials, or the default",
                 "add one there; it may say 'use: never'");
    return false;
}

void fnd_read_rules(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_list(reader, section, "rules")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->rules = fnd_keep(reader, (size_t)section->count, sizeof *scenario->rules);
    if (!scenario->rules) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_rule_description rule = blank;
        if (read_rule(reader, node, &rule) && !is_repeated(reader, &rule))
            scenario->rules[scenario->rule_count++] = rule;
    }
}
