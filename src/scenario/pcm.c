/* PCM files of the RiSE project (P004 to P015): contact types and rules as the nodes that the same text in YAML gives.
 *
 *     ContactType C1 = SpringContact [{ K=1000.0; B=10.0; }];
 *     SurfacePair Sticky * Glass -> C1;
 *     ObjectPair  Foot * Wall -> C1;
 *
 * The brackets [{ }] may be left out together with the parameters, and either kind alone is fine. Beyond the original:
 * units behind numbers, `ShapePair a.s * b.s -> C;`, `Plugin "claw.so";`, the contact name `never`, comments behind a
 * statement. */
#include <string.h>

#include "scenario/tree.h"

typedef struct scanner {
    fnd_reader *reader;
    const fnd_source *source;
    const char *at, *end;
    int line, column; /* of `at`, from 1; columns count characters */
} scanner;

/* A word, a sign, or what stands between two signs. */
typedef struct token {
    const char *text;
    size_t length; /* 0: the end of the text */
    fnd_location location;
} token;

static void advance(scanner *s, size_t bytes)
{
    for (; bytes > 0 && s->at < s->end; bytes--, s->at++) {
        if (*s->at == '\n') s->line++, s->column = 1;
        else if (((unsigned char)*s->at & 0xC0) != 0x80) s->column++;
    }
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void skip_space(scanner *s)
{
    while (s->at < s->end && (is_space(*s->at) || *s->at == '#')) {
        size_t length = *s->at == '#' ? strcspn(s->at, "\n") : 1;
        advance(s, length);
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static token take(scanner *s, size_t length)
{
    token t = {s->at, length, fnd_source_location(s->source, s->line, s->column, (int)(length > 60 ? 60 : length))};
    advance(s, length);
    return t;
}

static size_t sign_length(const char *at) { return strncmp(at, "->", 2) == 0 ? 2 : 1; }

/* The next word or sign. A byte that begins neither is a token by itself. */
static token next(scanner *s)
{
    skip_space(s);
    size_t length = 0;
    while (s->at + length < s->end && is_word(s->at[length])) length++;
    if (length == 0 && s->at < s->end) {
        length = sign_length(s->at);
        while (s->at + length < s->end && ((unsigned char)s->at[length] & 0xC0) == 0x80) length++;
    }
    return take(s, length);
}

static bool is(const token *t, const char *text)
{
    return t->length == strlen(text) && memcmp(t->text, text, t->length) == 0;
}

static bool peek(scanner *s, const char *sign)
{
    scanner ahead = *s;
    token t = next(&ahead);
    if (!is(&t, sign)) return false;
    *s = ahead;
    return true;
}

static char *text_of(const scanner *s, const token *t) { return fnd_keep_text(s->reader, t->text, t->length); }

static fnd_phrase shown(const token *t)
{
    if (t->length == 0) return fnd_phrase_make("the end of the file");
    char text[64];
    size_t length = t->length < sizeof text - 1 ? t->length : sizeof text - 1;
    memcpy(text, t->text, length);
    text[length] = '\0';
    return fnd_shown(text);
}

static void complain(const scanner *s, const token *t, const char *expected, const char *suggestion)
{
    fnd_phrase found = shown(t);
    const char *quote = t->length == 0 ? "" : "'";
    fnd_complain(s->reader, &t->location, FENDER_STATUS_PARSE,
                 fnd_phrase_make("%s%s%s where %s is expected", quote, found.text, quote, expected).text, found.text,
                 expected, suggestion);
}

/* Behind the next ';', or at the next statement's first word, so that each statement has one diagnostic at most. */
static void skip_statement(scanner *s)
{
    static const char *const words[] = {"ContactType", "SurfacePair", "ObjectPair", "ShapePair", "Plugin"};
    int depth = 0;
    while (s->at < s->end) {
        scanner before = *s;
        token t = next(s);
        if (t.length == 0) return;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (is(&t, words[i])) {
                *s = before;
                return;
            }
        if (is(&t, "{")) depth++;
        if (is(&t, "}")) depth--;
        if (is(&t, ";") && depth <= 0) return;
    }
}

static bool expect_sign(scanner *s, const char *sign, const char *suggestion)
{
    scanner before = *s;
    token t = next(s);
    if (is(&t, sign)) return true;
    *s = before;
    complain(s, &t, fnd_phrase_make("'%s'", sign).text, suggestion);
    return false;
}

static bool expect_word(scanner *s, const char *what, const char *suggestion, token *word)
{
    scanner before = *s;
    *word = next(s);
    if (word->length > 0 && is_word(word->text[0])) return true;
    *s = before;
    complain(s, word, what, suggestion);
    return false;
}

/* ---- nodes */

static fnd_node *make(const scanner *s, fnd_node_kind kind, const token *at, const char *key)
{
    fnd_node *node = fnd_node_make(s->reader, kind, &at->location);
    if (!node) return NULL;
    node->key = key;
    node->key_location = at->location;
    return node;
}

static bool add_text(const scanner *s, fnd_node *parent, const char *key, const token *key_at, const token *value)
{
    fnd_node *node = make(s, FND_NODE_TEXT, value, key);
    if (!node) return false;
    if (key_at) node->key_location = key_at->location;
    node->text = text_of(s, value);
    if (!node->text) return false;
    fnd_node_append(parent, node);
    return true;
}

/* The child of that name, made where it is missing. */
static fnd_node *section(const scanner *s, fnd_node *root, const char *key, fnd_node_kind kind, const token *at)
{
    fnd_node *node = fnd_node_find(root, key);
    if (node) return node;
    node = make(s, kind, at, key);
    if (node) fnd_node_append(root, node);
    return node;
}

/* ---- statements */

/* Text before the next ';' or '}', without surrounding blanks and the quotes of a string. */
static bool take_value(scanner *s, token *value)
{
    skip_space(s);
    if (s->at < s->end && *s->at == '"') {
        size_t length = 1 + strcspn(s->at + 1, "\"\n");
        if (s->at + length >= s->end || s->at[length] != '"') {
            *value = take(s, length > (size_t)(s->end - s->at) ? (size_t)(s->end - s->at) : length);
            fnd_complain(s->reader, &value->location, FENDER_STATUS_PARSE, "the quotes are not closed",
                         "no second '\"'", "'\"' on the same line", "close the quotes");
            return false;
        }
        *value = take(s, length + 1);
        value->text++;
        value->length -= 2;
        return true;
    }
    size_t length = strcspn(s->at, ";}#\n");
    while (length > 0 && is_space(s->at[length - 1])) length--;
    if (length > 0) {
        *value = take(s, length);
        return true;
    }
    token t = next(s);
    complain(s, &t, "a value", "write NAME=VALUE;");
    return false;
}

/* Log parameters of a contact type, which define a recording. */
typedef struct pcm_log {
    token file, resolution; /* text NULL: not given */
} pcm_log;

static bool complain_twice(const scanner *s, const token *name)
{
    fnd_complain(s->reader, &name->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is given twice", shown(name).text).text, shown(name).text, "each parameter once",
                 "remove one of them");
    return false;
}

static bool add_parameter(scanner *s, fnd_node *type, pcm_log *log, const token *name, const token *value)
{
    token *logged = is(name, "LogFile") ? &log->file : is(name, "Resolution") ? &log->resolution : NULL;
    if (logged) {
        if (logged->text) return complain_twice(s, name);
        *logged = *value;
        return true;
    }
    char *key = text_of(s, name);
    if (!key) return false;
    if (fnd_node_find(type, key)) return complain_twice(s, name);
    return add_text(s, type, key, name, value);
}

/* record: {C1: {file: mylog.csv, every: 0.001, contacts: C1}} */
static bool add_log(scanner *s, fnd_node *root, const token *contact, const pcm_log *log)
{
    if (!log->file.text && !log->resolution.text) return true;
    if (!log->file.text) {
        fnd_complain(s->reader, &log->resolution.location, FENDER_STATUS_ARGUMENT, "'Resolution' needs 'LogFile'",
                     "Resolution alone", "LogFile beside it", "add LogFile=\"name\";");
        return false;
    }
    fnd_node *records = section(s, root, "record", FND_NODE_MAP, &log->file);
    char *key = text_of(s, contact);
    fnd_node *record = key ? make(s, FND_NODE_MAP, &log->file, key) : NULL;
    fnd_node *file = record ? make(s, FND_NODE_TEXT, &log->file, "file") : NULL;
    if (!records || !file) return false;
    bool ending = log->file.length > 4 && memcmp(log->file.text + log->file.length - 4, ".csv", 4) == 0;
    char *name = fnd_keep(s->reader, log->file.length + 5, 1);
    if (!name) return false;
    memcpy(name, log->file.text, log->file.length);
    if (!ending) memcpy(name + log->file.length, ".csv", 5);
    file->text = name;
    fnd_node_append(record, file);
    token steps = {"steps", 5, log->file.location};
    bool good = log->resolution.text ? add_text(s, record, "every", NULL, &log->resolution)
                                     : add_text(s, record, "on", NULL, &steps);
    if (!good || !add_text(s, record, "contacts", NULL, contact)) return false;
    fnd_node_append(records, record);
    return true;
}

static bool parameters(scanner *s, fnd_node *type, pcm_log *log)
{
    bool square = peek(s, "["), curly = peek(s, "{");
    if (!square && !curly) return true;
    static const char *const form = "parameters are written [{ NAME=VALUE; NAME=VALUE; }];";
    while (!peek(s, curly ? "}" : "]")) {
        token name, value;
        if (!expect_word(s, "the name of a parameter", form, &name) || !expect_sign(s, "=", form) ||
            !take_value(s, &value) || !expect_sign(s, ";", form) || !add_parameter(s, type, log, &name, &value))
            return false;
    }
    return !square || !curly || expect_sign(s, "]", form);
}

static bool contact_type(scanner *s, fnd_node *root)
{
    static const char *const form = "write ContactType NAME = MODEL [{ .. }];";
    token name, model;
    pcm_log log = {{NULL, 0, {0}}, {NULL, 0, {0}}};
    if (!expect_word(s, "the name of a contact type", form, &name) || !expect_sign(s, "=", form) ||
        !expect_word(s, "the name of a model", form, &model))
        return false;
    fnd_node *types = section(s, root, "contact_types", FND_NODE_MAP, &name);
    char *key = text_of(s, &name);
    fnd_node *type = key ? make(s, FND_NODE_MAP, &name, key) : NULL;
    if (!types || !type || !add_text(s, type, "law", NULL, &model)) return false;
    const fnd_node *first = fnd_node_find(types, key);
    if (first) {
        fnd_complain(s->reader, &name.location, FENDER_STATUS_NAME,
                     fnd_phrase_make("contact type '%s' is defined twice", shown(&name).text).text, shown(&name).text,
                     "each name once",
                     fnd_phrase_make("the first is in line %d; rename or remove one", first->key_location.line).text);
        return false;
    }
    if (!parameters(s, type, &log) || !expect_sign(s, ";", "a statement ends with ';'")) return false;
    fnd_node_append(types, type);
    return add_log(s, root, &name, &log);
}

static bool pair_rule(scanner *s, fnd_node *root, const token *word)
{
    bool surfaces = is(word, "SurfacePair"), shapes = is(word, "ShapePair");
    fnd_phrase form = fnd_phrase_make("write %s NAME * NAME -> CONTACT;", shown(word).text);
    const char *what = surfaces ? "the name of a surface" : shapes ? "the name of a shape" : "the name of an object";
    token one, other, use;
    if (!expect_word(s, what, form.text, &one) || !expect_sign(s, "*", form.text) ||
        !expect_word(s, what, form.text, &other) || !expect_sign(s, "->", form.text) ||
        !expect_word(s, "the name of a contact type", form.text, &use) || !expect_sign(s, ";", form.text))
        return false;
    fnd_node *rules = section(s, root, "rules", FND_NODE_LIST, word), *rule = make(s, FND_NODE_MAP, word, NULL);
    fnd_node *pair = make(s, FND_NODE_LIST, &one, surfaces ? "materials" : shapes ? "shapes" : "bodies");
    if (!rules || !rule || !pair || !add_text(s, pair, NULL, NULL, &one) || !add_text(s, pair, NULL, NULL, &other))
        return false;
    pair->key_location = word->location;
    fnd_node_append(rule, pair);
    if (!add_text(s, rule, "use", &use, &use)) return false;
    fnd_node_append(rules, rule);
    return true;
}

/* plugins: [claw.so] */
static bool plugin(scanner *s, fnd_node *root, const token *word)
{
    token file;
    skip_space(s);
    bool quoted = s->at < s->end && *s->at == '"';
    if (!quoted) {
        file = next(s);
        complain(s, &file, "a file name in quotes", "write Plugin \"claw.so\";");
    }
    if (!quoted || !take_value(s, &file) || !expect_sign(s, ";", "a statement ends with ';'")) return false;
    fnd_node *plugins = section(s, root, "plugins", FND_NODE_LIST, word);
    return plugins && add_text(s, plugins, NULL, NULL, &file);
}

static bool statement(scanner *s, fnd_node *root)
{
    static const fnd_known_name words[] = {
        {"ContactType", 0}, {"SurfacePair", 0}, {"ObjectPair", 0}, {"ShapePair", 0}, {"Plugin", 0}};
    token word;
    if (!expect_word(s, "a statement", "write ContactType, SurfacePair or ObjectPair", &word)) return false;
    if (is(&word, "ContactType")) return contact_type(s, root);
    if (is(&word, "Plugin")) return plugin(s, root, &word);
    for (int i = 1; i < 4; i++)
        if (is(&word, words[i].name)) return pair_rule(s, root, &word);
    fnd_phrase found = shown(&word);
    fnd_complain(s->reader, &word.location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is not a statement", found.text).text, found.text,
                 "ContactType, SurfacePair, ObjectPair, ShapePair or Plugin",
                 fnd_suggest(s->reader, found.text, "statements", words, 5).text);
    return false;
}

fnd_node *fnd_pcm_parse(fnd_reader *reader, const fnd_source *source)
{
    scanner s = {reader, source, source->text, source->text + source->length, 1, 1};
    fnd_location top = fnd_source_location(source, 1, 1, 1);
    fnd_node *root = fnd_node_make(reader, FND_NODE_MAP, &top);
    for (skip_space(&s); root && s.at < s.end && !reader->memory_failed; skip_space(&s)) {
        const char *before = s.at;
        if (!statement(&s, root)) {
            skip_statement(&s);
            if (s.at == before) (void)next(&s);
        }
    }
    return reader->memory_failed ? NULL : root;
}

/* ---- a file alone */

static bool add_name(const scanner *s, fnd_node *root, const char *key, const fnd_node *name)
{
    token at = {name->text, strlen(name->text), name->location};
    fnd_node *names = section(s, root, key, FND_NODE_MAP, &at);
    if (!names) return false;
    if (fnd_node_find(names, name->text)) return true;
    fnd_node *node = make(s, FND_NODE_MAP, &at, name->text);
    if (!node) return false;
    fnd_node_append(names, node);
    if (strcmp(key, "bodies") != 0) return true;
    token fixed = {"fixed", 5, name->location};
    return add_text(s, node, "motion", &at, &fixed);
}

bool fnd_pcm_complete(fnd_reader *reader, const fnd_source *source, fnd_node *root)
{
    scanner s = {reader, source, source->text, source->text, 1, 1};
    token top = {"", 0, root->location}, version = {"1", 1, root->location}, end = {"1 s", 3, root->location};
    token step = {"1 us", 4, root->location}; /* every Resolution is a whole number of them */
    fnd_node *run = section(&s, root, "run", FND_NODE_MAP, &top);
    fnd_node *integrator = section(&s, root, "integrator", FND_NODE_MAP, &top);
    bool good = run && integrator && add_text(&s, root, "fender", &top, &version) &&
                add_text(&s, run, "until", &top, &end) && add_text(&s, integrator, "step", &top, &step);
    const fnd_node *rules = fnd_node_find(root, "rules");
    for (const fnd_node *rule = rules ? rules->first : NULL; rule && good; rule = rule->next) {
        const fnd_node *pair = rule->first;
        bool shapes = strcmp(pair->key, "shapes") == 0;
        const char *key = strcmp(pair->key, "materials") == 0 ? "materials" : "bodies";
        for (const fnd_node *name = pair->first; name && good && !shapes; name = name->next)
            good = add_name(&s, root, key, name);
    }
    reader->only_rules = true;
    return good;
}
