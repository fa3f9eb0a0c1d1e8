/* Writing and reading of bundles: counts, then every text with its length, then a checksum. */
#include "scenario/bundle.h"

#include <string.h>

#include "text/fault.h"
#include "text/hash.h"

static const char mark[] = "fender-sources 1\n";
/* "end 0123456789abcdef\n" */
enum { END_SIZE = 21 };

/* ---- writing */

/* Followed by a character. printf would ask the system for a locale, and that for memory. */
static void append_count(fnd_buffer *to, size_t count, char behind)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = behind;
    do {
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    fnd_buffer_append(to, digits + at, sizeof digits - at);
}

static void write_end(uint64_t hash, char text[END_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    memcpy(text, "end ", 4);
    for (int i = 0; i < 16; i++) text[4 + i] = digits[(hash >> (60 - 4 * i)) & 15];
    text[20] = '\n';
}

static void append_pair(fnd_buffer *to, const char *what, const char *name, const char *text, size_t length)
{
    fnd_buffer_append_text(to, what);
    append_count(to, strlen(name), ' ');
    append_count(to, length, '\n');
    fnd_buffer_append_text(to, name);
    fnd_buffer_append_char(to, '\n');
    fnd_buffer_append(to, text, length);
    fnd_buffer_append_char(to, '\n');
}

bool fnd_bundle_append(fnd_buffer *to, const fender_scenario *scenario, uint64_t *hash)
{
    size_t start = to->length;
    fnd_buffer_append_text(to, mark);
    append_count(to, (size_t)scenario->override_count, ' ');
    append_count(to, (size_t)scenario->text_count, ' ');
    fnd_buffer_append_text(to, scenario->from_memory ? "memory\n" : "files\n");
    for (int i = 0; i < scenario->override_count; i++) {
        const fender_override *o = &scenario->overrides[i];
        append_pair(to, "set ", o->path, o->value, strlen(o->value));
    }
    for (int i = 0; i < scenario->text_count; i++) {
        const fnd_scenario_text *t = &scenario->texts[i];
        append_pair(to, "file ", t->name, t->text, t->length);
    }
    if (to->failed) return false;
    *hash = fnd_text_hash(FND_TEXT_HASH_START, to->text + start, to->length - start);
    char end[END_SIZE];
    write_end(*hash, end);
    return fnd_buffer_append(to, end, sizeof end);
}

/* ---- reading */

typedef struct cursor {
    char *at, *end;
} cursor;

static bool take_text(cursor *c, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length) != 0) return false;
    c->at += length;
    return true;
}

/* Digits and the character behind them. */
static bool take_count(cursor *c, char behind, size_t *count)
{
    size_t digits = 0;
    *count = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && digits < 12; c->at++, digits++)
        *count = 10 * *count + (size_t)(*c->at - '0');
    return digits > 0 && c->at < c->end && *c->at++ == behind;
}

/* A text of that length and its line break, which becomes its terminator. */
static bool take_block(cursor *c, size_t length, const char **text)
{
    if ((size_t)(c->end - c->at) <= length || c->at[length] != '\n') return false;
    *text = c->at;
    c->at[length] = '\0';
    c->at += length + 1;
    return true;
}

static bool take_pair(cursor *c, const char *what, const char **name, const char **text, size_t *length)
{
    size_t name_length;
    return take_text(c, what) && take_count(c, ' ', &name_length) && take_count(c, '\n', length) &&
           take_block(c, name_length, name) && take_block(c, *length, text);
}

static bool sum_fits(const fnd_file *file)
{
    char expected[END_SIZE];
    if (file->length < END_SIZE) return false;
    uint64_t hash = fnd_text_hash(FND_TEXT_HASH_START, file->text, file->length - END_SIZE);
    write_end(hash, expected);
    return memcmp(file->text + file->length - END_SIZE, expected, END_SIZE) == 0;
}

static void *take_array(const fender_allocator *allocator, size_t count, size_t size)
{
    return allocator->allocate(allocator->ctx, count * size + 1, _Alignof(max_align_t));
}

static bool parse(fnd_bundle *bundle, bool *memory_failed)
{
    cursor c = {bundle->file.text, bundle->file.text + bundle->file.length - END_SIZE};
    size_t overrides, texts, length;
    if (!take_text(&c, mark) || !take_count(&c, ' ', &overrides) || !take_count(&c, ' ', &texts)) return false;
    bundle->from_memory = take_text(&c, "memory\n");
    if (!bundle->from_memory && !take_text(&c, "files\n")) return false;
    /* each takes some bytes of the file */
    if (texts == 0 || overrides > bundle->file.length || texts > bundle->file.length) return false;
    bundle->overrides = take_array(&bundle->allocator, overrides, sizeof *bundle->overrides);
    bundle->override_count = (int)overrides;
    bundle->texts = take_array(&bundle->allocator, texts, sizeof *bundle->texts);
    bundle->text_count = (int)texts;
    *memory_failed = !bundle->overrides || !bundle->texts;
    if (*memory_failed) return false;
    for (size_t i = 0; i < overrides; i++)
        if (!take_pair(&c, "set ", &bundle->overrides[i].path, &bundle->overrides[i].value, &length)) return false;
    for (size_t i = 0; i < texts; i++) {
        fnd_scenario_text *t = &bundle->texts[i];
        if (!take_pair(&c, "file ", &t->name, &t->text, &t->length)) return false;
    }
    return c.at == c.end;
}

fender_status fnd_bundle_read(const fender_allocator *allocator, const char *path, fnd_bundle *bundle,
                              fender_error *error)
{
    bool memory_failed = false;
    memset(bundle, 0, sizeof *bundle);
    bundle->allocator = *allocator;
    fender_status status = fnd_file_read(allocator, path, (size_t)1 << 30, FND_FILE_BYTES, &bundle->file, error);
    if (status != FENDER_STATUS_OK) return status;
    if (sum_fits(&bundle->file) && parse(bundle, &memory_failed)) return FENDER_STATUS_OK;
    fnd_bundle_release(bundle);
    if (memory_failed) return fnd_io_fail_memory(error, "the scenario of a run");
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_FILE,
                                             .source = path,
                                             .message = "the file is damaged, or was not written by a run",
                                             .found = "bytes that its checksum does not fit",
                                             .expected = "the bytes as the run wrote them",
                                             .suggestion = "start again from the scenario (fender run)"});
}

void fnd_bundle_release(fnd_bundle *bundle)
{
    const fender_allocator *a = &bundle->allocator;
    if (bundle->overrides)
        a->release(a->ctx, bundle->overrides, (size_t)bundle->override_count * sizeof *bundle->overrides + 1);
    if (bundle->texts) a->release(a->ctx, bundle->texts, (size_t)bundle->text_count * sizeof *bundle->texts + 1);
    fnd_file_release(a, &bundle->file);
    bundle->overrides = NULL;
    bundle->texts = NULL;
}

const fnd_scenario_text *fnd_bundle_find(const fnd_bundle *bundle, const char *name)
{
    for (int i = 0; i < bundle->text_count; i++)
        if (strcmp(bundle->texts[i].name, name) == 0) return &bundle->texts[i];
    return NULL;
}
