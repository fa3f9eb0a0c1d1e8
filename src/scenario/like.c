/* `like: other`: a body begins as a copy of another; its own keys replace whole keys. */
#include <string.h>

#include "scenario/tree.h"

static bool is_like(const fnd_node *node) { return strcmp(node->key, "like") == 0; }

/* The model's keys in its order with the body's own in their place, then the body's further keys. */
static bool fill(fnd_reader *reader, fnd_node *body, const fnd_node *model)
{
    fnd_node own = *body;
    body->first = body->last = NULL;
    body->count = 0;
    for (const fnd_node *child = model->first; child; child = child->next) {
        if (is_like(child)) continue;
        bool replaced = fnd_node_find(&own, child->key) != NULL;
        /* a place holder keeps the order; the body's own key is put over it below */
        fnd_node *copy = replaced ? fnd_node_make(reader, FND_NODE_TEXT, &child->place) : fnd_node_copy(reader, child);
        if (!copy) return false;
        copy->key = child->key;
        copy->key_place = child->key_place;
        fnd_node_append(body, copy);
    }
    for (fnd_node *child = own.first, *next; child; child = next) {
        next = child->next;
        fnd_node_put(body, child);
    }
    return true;
}

static void complain_circle(fnd_reader *reader, const fnd_node *body, const fnd_node *like)
{
    fnd_complain(reader, &like->place, FENDER_STATUS_NAME,
                 fnd_phrase_make("body '%s' is like itself%s", fnd_shown(body->key).text,
                                 strcmp(body->key, like->text) == 0 ? "" : " by way of others")
                     .text,
                 fnd_shown(like->text).text, "a body that does not depend on this one",
                 "write out the keys of one of them");
}

/* True when the body is complete. `steps` bounds the chain: more steps than bodies means a circle. */
static bool expand(fnd_reader *reader, fnd_node *bodies, fnd_node *body, int steps)
{
    fnd_node *like = fnd_node_find(body, "like");
    if (body->kind != FND_NODE_MAP || !like || like->unknown) return !body->unknown;
    if (body->unknown) return false;
    const char *name = NULL;
    if (!fnd_read_text(reader, like, "like", &name)) return body->unknown = true, false;
    fnd_node *model = fnd_node_find(bodies, name);
    if (!model) {
        fnd_complain_unknown(reader, &like->place, "body", "bodies", name, bodies);
        return body->unknown = true, false;
    }
    if (steps > 200 || steps > bodies->count) {
        complain_circle(reader, body, like);
        return body->unknown = true, false;
    }
    if (!expand(reader, bodies, model, steps + 1) || model->kind != FND_NODE_MAP) return body->unknown = true, false;
    if (!fill(reader, body, model)) return body->unknown = true, false;
    like->key = "like"; /* stays readable, but is done: */
    like->unknown = true;
    return true;
}

void fnd_tree_expand_like(fnd_reader *reader)
{
    fnd_node *bodies = fnd_node_find(reader->root, "bodies");
    if (!bodies || bodies->kind != FND_NODE_MAP) return;
    for (fnd_node *body = bodies->first; body; body = body->next) {
        fnd_node *like = body->kind == FND_NODE_MAP ? fnd_node_find(body, "like") : NULL;
        if (like && !like->unknown) (void)expand(reader, bodies, body, 0);
    }
}
