/* Diagnostics: what the reading of one scenario shares, and the bounded list that is sorted by place. */
#include "scenario/diagnose.h"

#include "scenario/reader.h"
#include "scenario/source.h"
#include "support/fault.h"
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
#define FINDING_CAPACITY 500
#define FILE_CAPACITY    64

enum { TEXT_FILE, TEXT_EXCERPT, TEXT_MESSAGE, TEXT_FOUND, TEXT_EXPECTED, TEXT_SUGGESTION, TEXT_COUNT };

typedef struct finding {
    fender_severity severity;
    fender_status status;
    int rank; /* of the file */
    int line, column, length;
    size_t size; /* of the whole allocation: this struct and its texts */
    const char *text[TEXT_COUNT];
} finding;

struct fnd_findings {
    fender_env env;
    finding *list[FINDING_CAPACITY];
    int count;
    const char *files[FILE_CAPACITY];
    int file_count;
    int errors;
    bool memory_failed;
};

fnd_findings *fnd_findings_create(const fender_env *env)
{
    fnd_findings *findings = env->allocator.allocate(env->allocator.ctx, sizeof(fnd_findings), _Alignof(max_align_t));
    if (!findings) return NULL;
    memset(findings, 0, sizeof *findings);
    findings->env = *env;
    return findings;
}

static int file_rank(fnd_findings *findings, const char *file)
{
    for (int i = 0; i < findings->file_count; i++)
        if (strcmp(findings->files[i], file) == 0) return i;
    if (findings->file_count == FILE_CAPACITY) return FILE_CAPACITY;
    findings->files[findings->file_count] = file;
    return findings->file_count++;
}

void fnd_findings_announce_file(fnd_findings *findings, const char *file) { (void)file_rank(findings, file); }

static bool is_known(const fnd_findings *findings, int rank, const fnd_place *place, const char *message)
{
    for (int i = 0; i < findings->count; i++) {
        const finding *f = findings->list[i];
        if (f->rank == rank && f->line == place->line && f->column == place->column &&
            strcmp(f->text[TEXT_MESSAGE], message) == 0)
            return true;
    }
    return false;
}

/* A line can be megabytes long; what is shown of it is its beginning, cut between characters. */
static size_t shown_length(const char *text)
{
    const size_t limit = 4000;
    return fnd_utf8_fit(text, strlen(text), limit);
}

void fnd_finding_add(fnd_findings *findings, fender_severity severity, fender_status status, const fnd_place *place,
                     const char *message, const char *found, const char *expected, const char *suggestion)
{
    assert(message);
    static const fnd_place nowhere = {"", 0, 0, 0, ""};
    if (!place || !place->file) place = &nowhere;
    const char *texts[TEXT_COUNT] = {place->file, place->excerpt, message, found, expected, suggestion};
    size_t lengths[TEXT_COUNT], size = sizeof(finding);
    for (int i = 0; i < TEXT_COUNT; i++) {
        if (!texts[i]) texts[i] = "";
        lengths[i] = shown_length(texts[i]);
        size += lengths[i] + 1;
    }
    int rank = file_rank(findings, place->file);
    if (is_known(findings, rank, place, texts[TEXT_MESSAGE])) return;
    if (severity == FENDER_SEVERITY_ERROR) findings->errors++;
    if (findings->count == FINDING_CAPACITY) return;
    finding *f = findings->env.allocator.allocate(findings->env.allocator.ctx, size, _Alignof(max_align_t));
    if (!f) {
        findings->memory_failed = true;
        return;
    }
    *f = (finding){severity, status, rank, place->line, place->column, place->length, size, {0}};
    char *to = (char *)(f + 1);
    for (int i = 0; i < TEXT_COUNT; i++) {
        memcpy(to, texts[i], lengths[i]);
        to[lengths[i]] = 0;
        f->text[i] = to;
        to += lengths[i] + 1;
    }
    /* The file's own text may go before the findings do. */
    if (rank < FILE_CAPACITY && findings->files[rank] == place->file) findings->files[rank] = f->text[TEXT_FILE];
    findings->list[findings->count++] = f;
}

void fnd_finding_add_error(fnd_findings *findings, const fender_error *error, const fnd_place *place)
{
    fnd_finding_add(findings, FENDER_SEVERITY_ERROR, error->status, place, error->message, error->found,
                    error->expected, error->suggestion);
}

void fnd_findings_note_memory(fnd_findings *findings) { findings->memory_failed = true; }

int fnd_findings_error_count(const fnd_findings *findings) { return findings->errors; }

static bool comes_before(const finding *a, const finding *b)
{
    if (a->rank != b->rank) return a->rank < b->rank;
    if (a->line != b->line) return a->line < b->line;
    return a->column < b->column;
}

static void sort_by_place(fnd_findings *findings)
{
    for (int i = 1; i < findings->count; i++) { /* insertion: stable, and the list is bounded */
        finding *moved = findings->list[i];
        int j = i;
        for (; j > 0 && comes_before(moved, findings->list[j - 1]); j--) findings->list[j] = findings->list[j - 1];
        findings->list[j] = moved;
    }
}

static void copy_text(char *to, size_t size, const char *from)
{
    size_t length = fnd_utf8_fit(from, strlen(from), size - 1);
    memcpy(to, from, length);
    to[length] = 0;
}

static void fill_error(fender_error *error, const finding *f, int count)
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
    const char *message = "no memory for reading the scenario";
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

static void report_overflow(const fnd_findings *findings)
{
    int kept = 0;
    for (int i = 0; i < findings->count; i++) kept += findings->list[i]->severity == FENDER_SEVERITY_ERROR;
    if (findings->errors <= kept) return;
    char message[64];
    snprintf(message, sizeof message, "%d more errors were found", findings->errors - kept);
    fender_diagnostic d = {FENDER_SEVERITY_NOTE, FENDER_STATUS_OK, "", 0, 0, 0, "", message, "", "", ""};
    findings->env.report(findings->env.report_ctx, &d);
}

fender_status fnd_findings_deliver(fnd_findings *findings, fender_error *error)
{
    if (!findings) return fail_for_memory(NULL, error);
    fender_status status = FENDER_STATUS_OK;
    const fender_env env = findings->env;
    sort_by_place(findings);
    for (int i = 0; i < findings->count; i++) {
        const finding *f = findings->list[i];
        if (status == FENDER_STATUS_OK && f->severity == FENDER_SEVERITY_ERROR) {
            status = f->status;
            fill_error(error, f, findings->errors);
        }
        if (!env.report || findings->memory_failed) continue;
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
    if (env.report && !findings->memory_failed) report_overflow(findings);
    if (findings->memory_failed) status = fail_for_memory(&env, error);
    for (int i = 0; i < findings->count; i++)
        env.allocator.release(env.allocator.ctx, findings->list[i], findings->list[i]->size);
    env.allocator.release(env.allocator.ctx, findings, sizeof *findings);
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

void fnd_complain(fnd_reader *reader, const fnd_place *place, fender_status status, const char *message,
                  const char *found, const char *expected, const char *suggestion)
{
    const fnd_source *source = place ? fnd_source_of(reader, place) : NULL;
    if (source && source->concealed) found = "something that is no part of a scenario";
    fnd_finding_add(reader->findings, FENDER_SEVERITY_ERROR, status, place, message, found, expected, suggestion);
}

void fnd_note_renamed(fnd_reader *reader, const fnd_place *place, const fnd_renamed *row)
{
    const uint64_t bit = UINT64_C(1) << fnd_renamed_number(row);
    if (reader->renamed_noted & bit) return;
    reader->renamed_noted |= bit;
    fnd_finding_add(reader->findings, FENDER_SEVERITY_NOTE, FENDER_STATUS_OK, place,
                    fnd_phrase_make("'%s' is now '%s'", row->before, row->now).text, row->before, row->now,
                    "the former name is read as the present one");
}

static void append(char *to, size_t size, const char *text)
{
    size_t used = strlen(to), fit = fnd_utf8_fit(text, strlen(text), size - used - 1);
    memcpy(to + used, text, fit);
    to[used + fit] = 0;
}

static void append_candidate(char *to, size_t size, const fnd_candidate *candidate)
{
    append(to, size, candidate->name);
    if (candidate->line > 0) append(to, size, fnd_phrase_make(" (line %d)", candidate->line).text);
}

fnd_phrase fnd_suggest(fnd_reader *reader, const char *name, const char *plural, const fnd_candidate *candidates,
                       int count)
{
    assert(candidates || count == 0);
    (void)reader;
    fnd_phrase phrase = {""};
    const size_t size = sizeof phrase.text, list_limit = 200;
    if (count == 0) return fnd_phrase_make("there are no %s here", plural);
    fnd_nearest search = fnd_nearest_begin(name, strlen(name));
    const fnd_candidate *best = NULL;
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
