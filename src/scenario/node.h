/* The tree that a text parses to: scalars that stay text, lists, maps; each with the place where it was written. */
#ifndef FND_SCENARIO_NODE_H
#define FND_SCENARIO_NODE_H

#include "scenario/source.h"

#define FND_NODE_DEPTH_LIMIT 64
#define FND_NODE_COUNT_LIMIT 1000000

typedef enum fnd_node_kind { FND_NODE_TEXT, FND_NODE_LIST, FND_NODE_MAP } fnd_node_kind;
typedef struct fnd_node fnd_node;
struct fnd_node {
    fnd_node_kind kind;
    bool unknown;    /* a key that the format does not have: reported already */
    bool own_unit;   /* a number with a unit that a parameter gave: that of its list is not for it */
    bool unresolved; /* a '$' in it was refused: what it becomes is not known, and nothing more is said about it */
    int count;       /* children */
    fnd_location location;
    const char *text; /* TEXT; terminated, holds no terminator */
    const char *key;  /* NULL outside a map */
    fnd_location key_location;
    fnd_node *first, *last, *next;
};

/* NULL after a diagnostic. The root may be of any kind. */
fnd_node *fnd_node_parse(fnd_reader *reader, const fnd_source *source);

fnd_node *fnd_node_find(const fnd_node *map, const char *key);
/* A new node of the tree, counted against the limit; NULL after a diagnostic. */
fnd_node *fnd_node_make(fnd_reader *reader, fnd_node_kind kind, const fnd_location *location);
fnd_node *fnd_node_copy(fnd_reader *reader, const fnd_node *node);
/* Appends, or replaces the child that has the same key. */
void fnd_node_append(fnd_node *parent, fnd_node *child);
void fnd_node_put(fnd_node *map, fnd_node *child);
/* "a list", "a map", "text", "nothing" */
const char *fnd_node_kind_text(const fnd_node *node);
/* The node's own place, or that of its key when the node is empty or spreads over several lines. */
const fnd_location *fnd_node_shown_location(const fnd_node *node);

#endif
