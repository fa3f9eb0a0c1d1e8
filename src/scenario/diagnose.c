/* Diagnostics: what the reading of one scenario shares, and the bounded list that is sorted by place. */
#include "scenario/diagnose.h"

#include "scenario/reader.h"
#include "scenario/source.h"
#include "support/io_error.h"
#include "support/json.h"
#include "support/memory.h"
#include "support/number.h"
#include "support/renamed.h"
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- The list ---- */

/* A file with more mistakes than this is told so by a count; programs show far fewer. */
#define DIAGNOSTIC_CAPACITY 500
#define FILE_CAPACITY       64

enum { TEXT_FILE, TEXT_EXCERPT, TEXT_MESSAGE, TEXT_FOUND, TEXT_EXPECTED, TEXT_SUGGESTION, TEXT_COUNT };

typedef struct diagnostic {
    fender_severity severity;
    fender_status status;
    int rank; /* of the file */
    int line, column, length;
    size_t size; /* of the whole allocation: this struct and its texts */
    const char *text[TEXT_COUNT];
} diagnostic;

struct fnd_diagnostics {
    fender_env env;
    diagnostic *list[DIAGNOSTIC_CAPACITY];
    int count;
    const char *files[FILE_CAPACITY];
    int file_count;
    struct {
        int rank, line;
    } mute[DIAGNOSTIC_CAPACITY];
    int mute_count;
    int errors;
    bool memory_failed;
};

fnd_diagnostics *fnd_diagnostics_create(const fender_env *env)
{
    fnd_diagnostics *diagnostics = env->allocator.allocate(env->allocator.ctx, sizeof(fnd_diagnostics),
                                                           _Alignof(max_align_t));
    if (!diagnostics) return NULL;
    memset(diagnostics, 0, sizeof *diagnostics);
    diagnostics->env = *env;
    return diagnostics;
}

static int file_rank(fnd_diagnostics *diagnostics, const char *file)
{
    for (int i = 0; i < diagnostics->file_count; i++)
        if (strcmp(diagnostics->files[i], file) == 0) return i;
    if (diagnostics->file_count == FILE_CAPACITY) return FILE_CAPACITY;
    diagnostics->files[diagnostics->file_count] = file;
    return diagnostics->file_count++;
}

void fnd_diagnostics_announce_file(fnd_diagnostics *diagnostics, const char *file)
{
    (void)file_rank(diagnostics, file);
}

static bool is_known(const fnd_diagnostics *diagnostics, int rank, const fnd_location *location, const char *message)
{
    for (int i = 0; i < diagnostics->count; i++) {
        const diagnostic *f = diagnostics->list[i];
        if (f->rank == rank && f->line == location->line && f->column == location->column &&
            strcmp(f->text[TEXT_MESSAGE], message) == 0)
            return true;
    }
    return false;
}

static bool is_mute(const fnd_diagnostics *diagnostics, int rank, int line)
{
    for (int i = 0; i < diagnostics->mute_count; i++)
        if (diagnostics->mute[i].rank == rank && diagnostics->mute[i].line == line) return true;
    return false;
}

void fnd_diagnostics_mute(fnd_diagnostics *diagnostics, const fnd_location *location)
{
    const int rank = file_rank(diagnostics, location->file);
    if (diagnostics->mute_count == DIAGNOSTIC_CAPACITY || is_mute(diagnostics, rank, location->line)) return;
    diagnostics->mute[diagnostics->mute_count].rank = rank;
    diagnostics->mute[diagnostics->mute_count++].line = location->line;
}

/* A line can be megabytes long; what is shown of it is its beginning, cut between characters. */
static size_t shown_length(const char *text)
{
    const size_t limit = 4000;
    return fnd_utf8_fit(text, strlen(text), limit);
}

void fnd_diagnostic_add(fnd_diagnostics *diagnostics, fender_severity severity, fender_status status,
                        const fnd_location *location, const char *message, const char *found, const char *expected,
                        const char *suggestion)
{
    assert(message);
    static const fnd_location nowhere = {"", 0, 0, 0, ""};
    if (!location || !location->file) location = &nowhere;
    const char *texts[TEXT_COUNT] = {location->file, location->excerpt, message, found, expected, suggestion};
    size_t lengths[TEXT_COUNT], size = sizeof(diagnostic);
    for (int i = 0; i < TEXT_COUNT; i++) {
        if (!texts[i]) texts[i] = "";
        lengths[i] = shown_length(texts[i]);
        size += lengths[i] + 1;
    }
    int rank = file_rank(diagnostics, location->file);
    if (is_known(diagnostics, rank, location, texts[TEXT_MESSAGE])) return;
    if (is_mute(diagnostics, rank, location->line)) return;
    if (severity == FENDER_SEVERITY_ERROR) diagnostics->errors++;
    if (diagnostics->count == DIAGNOSTIC_CAPACITY) return;
    diagnostic *f = diagnostics->env.allocator.allocate(diagnostics->env.allocator.ctx, size, _Alignof(max_align_t));
    if (!f) {
        diagnostics->memory_failed = true;
        return;
    }
    *f = (diagnostic){severity, status, rank, location->line, location->column, location->length, size, {0}};
    char *to = (char *)(f + 1);
    for (int i = 0; i < TEXT_COUNT; i++) {
        memcpy(to, texts[i], lengths[i]);
        to[lengths[i]] = 0;
        f->text[i] = to;
        to += lengths[i] + 1;
    }
    /* The file's own text may go before the diagnostics do. */
    if (rank < FILE_CAPACITY && diagnostics->files[rank] == location->file)
        diagnostics->files[rank] = f->text[TEXT_FILE];
    diagnostics->list[diagnostics->count++] = f;
}

void fnd_diagnostic_add_error(fnd_diagnostics *diagnostics, const fender_error *error, const fnd_location *location)
{
    fnd_diagnostic_add(diagnostics, FENDER_SEVERITY_ERROR, error->status, location, error->message, error->found,
                       error->expected, error->suggestion);
}

void fnd_diagnostics_note_memory(fnd_diagnostics *diagnostics) { diagnostics->memory_failed = true; }

int fnd_diagnostics_error_count(const fnd_diagnostics *diagnostics) { return diagnostics->errors; }

static bool comes_before(const diagnostic *a, const diagnostic *b)
{
    if (a->rank != b->rank) return a->rank < b->rank;
    if (a->line != b->line) return a->line < b->line;
    return a->column < b->column;
}

static void sort_by_location(fnd_diagnostics *diagnostics)
{
    for (int i = 1; i < diagnostics->count; i++) { /* insertion: stable, and the list is bounded */
        diagnostic *moved = diagnostics->list[i];
        int j = i;
        for (; j > 0 && comes_before(moved, diagnostics->list[j - 1]); j--)
            diagnostics->list[j] = diagnostics->list[j - 1];
        diagnostics->list[j] = moved;
    }
}

static void copy_text(char *to, size_t size, const char *from)
{
    size_t length = fnd_utf8_fit(from, strlen(from), size - 1);
    memcpy(to, from, length);
    to[length] = 0;
}

static void fill_error(fender_error *error, const diagnostic *f, int count)
{
    if (!error) return;
    memset(error, 0, sizeof *error);
    error->status = f->status;
    error->count = count;
    error->line = f->line;
    error->column = f->column;
    copy_text(error->source, sizeof error->source, f->text[TEXT_FILE]);
    copy_text(error->message, sizeof error->message, f->text[TEXT_MESSAGE]);
    copy_text(error->found, sizeof error->found, f->text[TEXT_FOUND]);
    copy_text(error->expected, sizeof error->expected, f->text[TEXT_EXPECTED]);
    copy_text(error->suggestion, sizeof error->suggestion, f->text[TEXT_SUGGESTION]);
}

static fender_status fail_for_memory(const fender_env *env, fender_error *error)
{
    const char *message = "not enough memory for reading the scenario";
    if (env && env->report) {
        fender_diagnostic d = {FENDER_SEVERITY_ERROR,
                               FENDER_STATUS_MEMORY,
                               "",
                               0,
                               0,
                               0,
                               "",
                               message,
                               "",
                               "",
                               "free memory, or make the scenario smaller"};
        env->report(env->report_ctx, &d);
    }
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = FENDER_STATUS_MEMORY;
        error->count = 1;
        copy_text(error->message, sizeof error->message, message);
    }
    return FENDER_STATUS_MEMORY;
}

static void report_overflow(const fnd_diagnostics *diagnostics)
{
    int kept = 0;
    for (int i = 0; i < diagnostics->count; i++) kept += diagnostics->list[i]->severity == FENDER_SEVERITY_ERROR;
    if (diagnostics->errors <= kept) return;
    char message[64];
    snprintf(message, sizeof message, "%d more errors were found", diagnostics->errors - kept);
    fender_diagnostic d = {FENDER_SEVERITY_NOTE, FENDER_STATUS_OK, "", 0, 0, 0, "", message, "", "", ""};
    diagnostics->env.report(diagnostics->env.report_ctx, &d);
}

fender_status fnd_diagnostics_deliver(fnd_diagnostics *diagnostics, fender_error *error)
{
    if (!diagnostics) return fail_for_memory(NULL, error);
    fender_status status = FENDER_STATUS_OK;
    const fender_env env = diagnostics->env;
    sort_by_location(diagnostics);
    for (int i = 0; i < diagnostics->count; i++) {
        const diagnostic *f = diagnostics->list[i];
        if (status == FENDER_STATUS_OK && f->severity == FENDER_SEVERITY_ERROR) {
            status = f->status;
            fill_error(error, f, diagnostics->errors);
        }
        if (!env.report || diagnostics->memory_failed) continue;
        fender_diagnostic d = {f->severity,
                               f->status,
                               f->text[TEXT_FILE],
                               f->line,
                               f->column,
                               f->length,
                               f->text[TEXT_EXCERPT],
                               f->text[TEXT_MESSAGE],
                               f->text[TEXT_FOUND],
                               f->text[TEXT_EXPECTED],
                               f->text[TEXT_SUGGESTION]};
        env.report(env.report_ctx, &d);
    }
    if (env.report && !diagnostics->memory_failed) report_overflow(diagnostics);
    if (diagnostics->memory_failed) status = fail_for_memory(&env, error);
    for (int i = 0; i < diagnostics->count; i++)
        env.allocator.release(env.allocator.ctx, diagnostics->list[i], diagnostics->list[i]->size);
    env.allocator.release(env.allocator.ctx, diagnostics, sizeof *diagnostics);
    return status;
}

/* ---- Reading ---- */

void *fnd_keep(fnd_reader *reader, size_t count, size_t size)
{
    assert(size > 0);
    void *memory = fnd_arena_array(reader->arena, count, size, _Alignof(max_align_t));
    if (!memory) reader->memory_failed = true;
    return memory;
}

char *fnd_keep_text(fnd_reader *reader, const char *text, size_t length)
{
    char *copy = fnd_keep(reader, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

fnd_phrase fnd_phrase_make(const char *format, ...)
{
    assert(format);
    fnd_phrase phrase;
    char text[2 * sizeof phrase.text];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t full = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    size_t fit = fnd_utf8_fit(text, full, sizeof phrase.text - 1);
    memcpy(phrase.text, text, fit);
    phrase.text[fit] = 0;
    return phrase;
}

fnd_phrase fnd_digits(double value, const char *unit)
{
    char digits[FND_NUMBER_SIZE];
    fnd_number_format(value, digits, sizeof digits);
    bool bare = !unit || !unit[0] || strcmp(unit, "1") == 0;
    return fnd_phrase_make("%s%s%s", digits, bare ? "" : " ", bare ? "" : unit);
}

fnd_phrase fnd_shown(const char *text)
{
    fnd_phrase phrase;
    char one_line[72];
    size_t length = strcspn(text, "\n");
    bool cut = text[length] != 0;
    fnd_io_excerpt(one_line, sizeof one_line - 4, text, length);
    snprintf(phrase.text, sizeof phrase.text, "%s%s", one_line, cut ? "..." : "");
    return phrase;
}

void fnd_complain(fnd_reader *reader, const fnd_location *location, fender_status status, const char *message,
                  const char *found, const char *expected, const char *suggestion)
{
    const fnd_source *source = location ? fnd_source_of(reader, location) : NULL;
    if (source && source->concealed) found = "a file that is not part of a scenario";
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_ERROR, status, location, message, found, expected,
                       suggestion);
}

void fnd_note_renamed(fnd_reader *reader, const fnd_location *location, const fnd_renamed *row)
{
    const uint64_t bit = UINT64_C(1) << fnd_renamed_number(row);
    if (reader->renamed_noted & bit) return;
    reader->renamed_noted |= bit;
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_NOTE, FENDER_STATUS_OK, location,
                       fnd_phrase_make("'%s' is now '%s'", row->before, row->now).text, row->before, row->now,
                       "the old name is read as the new one");
}

static void append(char *to, size_t size, const char *text)
{
    size_t used = strlen(to), fit = fnd_utf8_fit(text, strlen(text), size - used - 1);
    memcpy(to + used, text, fit);
    to[used + fit] = 0;
}

static void append_candidate(char *to, size_t size, const fnd_known_name *candidate)
{
    append(to, size, candidate->name);
    if (candidate->line > 0) append(to, size, fnd_phrase_make(" (line %d)", candidate->line).text);
}

fnd_phrase fnd_suggest(fnd_reader *reader, const char *name, const char *plural, const fnd_known_name *candidates,
                       int count)
{
    assert(candidates || count == 0);
    (void)reader;
    fnd_phrase phrase = {""};
    const size_t size = sizeof phrase.text, list_limit = 200;
    if (count == 0) return fnd_phrase_make("there are no %s here", plural);
    fnd_nearest search = fnd_nearest_begin(name, strlen(name));
    const fnd_known_name *best = NULL;
    for (int i = 0; i < count; i++)
        if (fnd_nearest_offer(&search, candidates[i].name)) best = &candidates[i];
    if (best && count > 1) {
        append(phrase.text, size, "did you mean '");
        append(phrase.text, size, best->name);
        append(phrase.text, size, "'?   ");
    }
    append(phrase.text, size, plural);
    append(phrase.text, size, " here: ");
    for (int i = 0; i < count; i++) {
        if (i > 0) append(phrase.text, size, ", ");
        if (strlen(phrase.text) > list_limit) {
            append(phrase.text, size, fnd_phrase_make("and %d more", count - i).text);
            break;
        }
        append_candidate(phrase.text, size, &candidates[i]);
    }
    return phrase;
}
