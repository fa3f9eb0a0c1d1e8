/* Choices between whole parts of a scenario: each option becomes the text of one setting. */
#include "study/reading.h"
#include <string.h>

#include "support/memory.h"

static void append_quoted(fnd_buffer *to, const char *text)
{
    fnd_buffer_append_char(to, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fnd_buffer_append_char(to, '\\');
        if (*text == '\n') fnd_buffer_append_text(to, "\\n");
        else if (*text == '\t') fnd_buffer_append_text(to, "\\t");
        else fnd_buffer_append_char(to, *text);
    }
    fnd_buffer_append_char(to, '"');
}

/* The node in one line of YAML. */
static void append_flow(fnd_buffer *to, const fnd_node *node)
{
    if (node->kind == FND_NODE_TEXT) {
        append_quoted(to, node->text);
        return;
    }
    const bool map = node->kind == FND_NODE_MAP;
    fnd_buffer_append_char(to, map ? '{' : '[');
    for (const fnd_node *child = node->first; child; child = child->next) {
        if (map) append_quoted(to, child->key);
        if (map) fnd_buffer_append_text(to, ": ");
        append_flow(to, child);
        if (child->next) fnd_buffer_append_text(to, ", ");
    }
    fnd_buffer_append_char(to, map ? '}' : ']');
}

const char *fnd_study_flow_text(fnd_reader *reader, const fnd_node *node)
{
    fnd_buffer text = fnd_buffer_open(&reader->env.allocator);
    append_flow(&text, node);
    const char *kept = text.failed ? NULL : fnd_keep_text(reader, text.text, text.length);
    if (text.failed) reader->memory_failed = true;
    fnd_buffer_close(&text);
    return kept;
}

static bool is_file(const fnd_node *node)
{
    const char *ending = node->kind == FND_NODE_TEXT ? strrchr(node->text, '.') : NULL;
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

/* What the option stands for: itself, or the content of the file that it names. */
static const fnd_node *content_of(fnd_reader *reader, const fnd_node *option)
{
    if (!is_file(option)) return option;
    const fnd_location *place = fnd_node_shown_location(option);
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, place), option->text);
    fnd_source *source = path ? fnd_tree_read_file(reader, path, place) : NULL;
    return source ? fnd_node_parse(reader, source) : NULL;
}

bool fnd_study_read_options(fnd_reader *reader, fnd_variable *v, const fnd_node *options)
{
    if (!fnd_expect_map(reader, options, "options")) return false;
    const char **names = fnd_keep(reader, (size_t)options->count, sizeof *names);
    const char **texts = fnd_keep(reader, (size_t)options->count, sizeof *texts);
    if (!names || !texts) return false;
    int count = 0;
    for (const fnd_node *option = options->first; option; option = option->next, count++) {
        const fnd_node *content = content_of(reader, option);
        if (!content) return false;
        v->from_files = v->from_files || content != option;
        names[count] = option->key;
        texts[count] = fnd_study_flow_text(reader, content);
        if (!texts[count]) return false;
    }
    v->texts = names;
    v->settings = texts;
    return true;
}
