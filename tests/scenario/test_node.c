/* The node tree: kinds, texts, and places in characters. */
#include "collect.h"

#include "scenario/node.h"
#include "support/memory.h"

typedef struct parsing {
    fnd_arena arena;
    fnd_reader reader;
    collection found;
    fnd_node *root;
} parsing;

static void parse_nodes(parsing *p, const char *text)
{
    fender_env env = collecting_env(&p->found);
    p->arena = fnd_arena_open(&env.allocator, 0);
    memset(&p->reader, 0, sizeof p->reader);
    p->reader.env = env;
    p->reader.arena = &p->arena;
    p->reader.diagnostics = fnd_diagnostics_create(&env);
    fnd_source *source = fnd_source_open(&p->reader, "text", "", text, strlen(text));
    p->root = source ? fnd_node_parse(&p->reader, source) : NULL;
    (void)fnd_diagnostics_deliver(p->reader.diagnostics, NULL);
}

static void check_place(const fnd_location *location, int line, int column, int length)
{
    assert_int_equal(location->line, line);
    assert_int_equal(location->column, column);
    assert_int_equal(location->length, length);
}

static void kinds_and_texts(void **state)
{
    (void)state;
    parsing p;
    parse_nodes(&p, "a: 1\nb: [x, 'y z', \"q\\n\"]\nc:\nd: {}\ne: >\n  two\n  lines\nf: plain over\n   lines\n");
    assert_non_null(p.root);
    assert_int_equal(p.root->kind, FND_NODE_MAP);
    assert_int_equal(p.root->count, 6);
    assert_string_equal(fnd_node_find(p.root, "a")->text, "1");
    const fnd_node *b = fnd_node_find(p.root, "b");
    assert_int_equal(b->kind, FND_NODE_LIST);
    assert_int_equal(b->count, 3);
    assert_string_equal(b->first->next->text, "y z");
    assert_string_equal(b->last->text, "q\n");
    assert_string_equal(fnd_node_kind_text(fnd_node_find(p.root, "c")), "nothing");
    assert_string_equal(fnd_node_kind_text(fnd_node_find(p.root, "d")), "a map");
    assert_string_equal(fnd_node_find(p.root, "e")->text, "two lines\n");
    assert_string_equal(fnd_node_find(p.root, "f")->text, "plain over lines");
    assert_null(fnd_node_find(p.root, "g"));
    fnd_arena_close(&p.arena);
}

/* Columns and lengths count characters, not bytes; a scalar over several lines is marked to the end of its first. */
static void locations(void **state)
{
    (void)state;
    parsing p;
    parse_nodes(&p, "# \xC3\xA4\n\"k\xC3\xA4y\": {\xE2\x82\xAC\xE2\x82\xAC: 'w\xC3\xB6rt', b: [1,\t22]}\nlong: one "
                    "two\n  three\nmap:\n  x: 1\n");
    assert_non_null(p.root);
    const fnd_node *key = p.root->first;
    check_place(&key->key_location, 2, 1, 5);
    check_place(&key->location, 2, 8, 24);
    check_place(&key->first->key_location, 2, 9, 2);
    check_place(&key->first->location, 2, 13, 6);
    check_place(&key->last->location, 2, 24, 7);
    check_place(&key->last->last->location, 2, 28, 2);
    check_place(&fnd_node_find(p.root, "long")->location, 3, 7, 7);
    const fnd_node *map = fnd_node_find(p.root, "map");
    check_place(fnd_node_shown_location(map), 5, 1, 3); /* a block is shown by its key */
    assert_string_equal(map->first->location.excerpt, "  x: 1");
    fnd_arena_close(&p.arena);
}

static void depth(void **state)
{
    (void)state;
    char text[256];
    parsing p;
    for (int levels = FND_NODE_DEPTH_LIMIT - 1; levels <= FND_NODE_DEPTH_LIMIT + 1; levels++) {
        memset(text, '[', (size_t)levels);
        memset(text + levels, ']', (size_t)levels);
        text[2 * levels] = 0;
        parse_nodes(&p, text);
        assert_true((p.root != NULL) == (levels <= FND_NODE_DEPTH_LIMIT));
        fnd_arena_close(&p.arena);
    }
}

static void copies_and_replacement(void **state)
{
    (void)state;
    parsing p;
    parse_nodes(&p, "{a: {x: [1, 2]}, b: 2, c: 3}");
    assert_non_null(p.root);
    p.reader.diagnostics = NULL;
    fnd_node *copy = fnd_node_copy(&p.reader, p.root);
    assert_non_null(copy);
    fnd_node *value = fnd_node_copy(&p.reader, fnd_node_find(copy, "c"));
    value->key = "b";
    value->text = "new";
    fnd_node_put(copy, value); /* in the place of the old one */
    assert_int_equal(copy->count, 3);
    assert_string_equal(copy->first->next->text, "new");
    assert_string_equal(copy->first->next->next->key, "c");
    assert_string_equal(fnd_node_find(p.root, "b")->text, "2"); /* the original is untouched */
    value = fnd_node_copy(&p.reader, value);
    value->key = "d";
    fnd_node_put(copy, value);
    assert_int_equal(copy->count, 4);
    assert_ptr_equal(copy->last, value);
    fnd_arena_close(&p.arena);
}

/* A map of many keys: a double one is found, reported once and dropped. */
static void double_keys(void **state)
{
    (void)state;
    char *text = malloc(200000);
    assert_non_null(text);
    size_t used = 0;
    for (int i = 0; i < 10000; i++) used += (size_t)sprintf(text + used, "key%d: %d\n", i, i);
    strcpy(text + used, "key77: again\nlast: 1\n");
    parsing p;
    parse_nodes(&p, text);
    assert_non_null(p.root);
    assert_int_equal(p.found.errors, 1);
    assert_int_equal(p.found.list[0].line, 10001);
    assert_non_null(strstr(p.found.list[0].suggestion, "line 78"));
    assert_int_equal(p.root->count, 10001);
    assert_string_equal(fnd_node_find(p.root, "key77")->text, "77");
    assert_string_equal(p.root->last->key, "last");
    fnd_arena_close(&p.arena);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_and_texts), cmocka_unit_test(locations),
                                       cmocka_unit_test(depth), cmocka_unit_test(copies_and_replacement),
                                       cmocka_unit_test(double_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
