/* The tree as YAML: what a scenario says after includes, overrides and copies. */
#include "scenario/tree.h"

#include "support/json.h"

#include <string.h>

enum { BLOCK_DEPTH = 3 }; /* maps deeper than that stand in one line */

/* Can the text stand without quotes, also in a list in brackets? Scalars stay text, so quotes never change one. */
static bool is_plain(const char *text)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+*/^()- ";
    size_t length = strlen(text);
    if (length == 0 || text[0] == ' ' || text[length - 1] == ' ' || strspn(text, safe) != length) return false;
    return strchr("*+/^() ", text[0]) == NULL && !(text[0] == '-' && (length == 1 || text[1] == ' ' || text[1] == '-'));
}

static void put_scalar(fnd_buffer *to, const char *text)
{
    if (is_plain(text)) fnd_buffer_append_text(to, text);
    else fnd_json_text(to, text); /* every string of JSON is one of YAML */
}

static const fnd_node *shown(const fnd_node *child) /* what was reported or is done is left out */
{
    while (child && child->unknown) child = child->next;
    return child;
}

static void put_flow(fnd_buffer *to, const fnd_node *node)
{
    if (node->kind == FND_NODE_TEXT) {
        put_scalar(to, node->text);
        return;
    }
    bool map = node->kind == FND_NODE_MAP;
    fnd_buffer_append_char(to, map ? '{' : '[');
    for (const fnd_node *child = shown(node->first); child; child = shown(child->next)) {
        if (map) {
            put_scalar(to, child->key);
            fnd_buffer_append_text(to, ": ");
        }
        put_flow(to, child);
        if (shown(child->next)) fnd_buffer_append_text(to, ", ");
    }
    fnd_buffer_append_char(to, map ? '}' : ']');
}

static void put_block(fnd_buffer *to, const fnd_node *node, int depth)
{
    bool map = node->kind == FND_NODE_MAP, maps = node->kind == FND_NODE_LIST && depth < BLOCK_DEPTH;
    for (const fnd_node *child = node->first; child; child = child->next) maps = maps && child->kind == FND_NODE_MAP;
    if (!shown(node->first) || (map ? depth >= BLOCK_DEPTH : !maps)) {
        fnd_buffer_append_char(to, ' ');
        put_flow(to, node);
        fnd_buffer_append_char(to, '\n');
        return;
    }
    if (depth > 0) fnd_buffer_append_char(to, '\n');
    for (const fnd_node *child = shown(node->first); child; child = shown(child->next)) {
        fnd_buffer_append_repeat(to, ' ', 2 * (size_t)depth);
        if (map) put_scalar(to, child->key);
        fnd_buffer_append_char(to, map ? ':' : '-');
        put_block(to, child, map ? depth + 1 : BLOCK_DEPTH);
    }
}

void fnd_tree_print_value(const fnd_node *node, fnd_buffer *to) { put_flow(to, node); }

void fnd_tree_print(const fnd_node *root, fnd_buffer *to)
{
    fnd_buffer_append_text(to, "fender: 1\n");
    if (shown(root->first)) put_block(to, root, 0);
}
