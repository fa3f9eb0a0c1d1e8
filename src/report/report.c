/* Reports: the data of a run directory put into the replay page. */
#include <fender/io.h>

#include "report/page.h"
#include "report/viewer_html.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/json.h"
#include "support/memory.h"

#include <stdio.h>
#include <string.h>

static const char marker[] = "<!-- FENDER-DATA -->";
static const size_t part_limit = (size_t)1 << 30;

typedef struct part {
    const char *file, *id, *type;
    const char *format; /* of a JSON file; NULL: a table */
    const char *head;   /* of a table: how its first line begins */
    int newest;         /* of a JSON file: the version that is written now; all from 1 on are read */
    bool optional;      /* directories of older runs have none */
} part;
static const part parts[] = {
    {"scene.json", "fender-scene", "application/json", "fender-scene", NULL, 1, false},
    {"replay.csv", "fender-replay", "text/csv", NULL, "time [s],", 0, false},
    {"contacts.csv", "fender-contacts", "text/csv", NULL, "time [s],", 0, false},
    {"summary.json", "fender-summary", "application/json", "fender-summary", NULL, 2, false},
    {"events.csv", "fender-events", "text/csv", NULL, "time [s],", 0, true},
    {"episodes.csv", "fender-episodes", "text/csv", NULL, "contact,", 0, true},
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

/* ---- checks */

static fender_status refuse(fender_error *error, const char *path, int line, const char *message, const char *found,
                            const char *expected)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = path, .line = line, .message = message,
                       .found = found, .expected = expected, .suggestion = "run the scenario again");
}

static int line_of(const fnd_file *file, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++) line += file->text[i] == '\n';
    return line;
}

static fender_status check_json(const part *p, const char *path, const fnd_file *file, fender_error *error)
{
    char message[160], found[96], expected[96];
    fnd_json_check check = fnd_json_check_object(file->text, file->length);
    if (p->newest > 1) snprintf(expected, sizeof expected, "%s version 1 to %d", p->format, p->newest);
    else snprintf(expected, sizeof expected, "%s version 1", p->format);
    if (!check.whole) {
        snprintf(message, sizeof message, "%s is not a complete JSON object", p->file);
        snprintf(found, sizeof found,
                 check.problem >= file->length ? "the end of the file" : "something else at byte %zu",
                 check.problem + 1);
        return refuse(error, path, line_of(file, check.problem), message, found, expected);
    }
    if (strcmp(check.format, p->format) == 0 && check.version >= 1 && check.version <= p->newest)
        return FENDER_STATUS_OK;
    snprintf(message, sizeof message, "%s is not of a format that this version of fender reads", p->file);
    if (!check.format[0]) snprintf(found, sizeof found, "no format");
    else if (check.version < 0) snprintf(found, sizeof found, "%s without a version", check.format);
    else snprintf(found, sizeof found, "%s version %ld", check.format, check.version);
    return refuse(error, path, 1, message, found, expected);
}

static fender_status check_table(const part *p, const char *path, const fnd_file *file, fender_error *error)
{
    const size_t head = strlen(p->head);
    char message[160], found[64], expected[64];
    const char *bracket = memchr(file->text, '<', file->length);
    if (file->length < head || memcmp(file->text, p->head, head) != 0) {
        snprintf(message, sizeof message, "%s is not a table of a run", p->file);
        fnd_io_excerpt(found, sizeof found, file->text, strcspn(file->text, "\n"));
        snprintf(expected, sizeof expected, "a header that begins with %.*s", (int)head - 1, p->head);
        return refuse(error, path, 1, message, found, expected);
    }
    /* Nothing that a run writes has one, and an element of the page could be closed by it. */
    if (!bracket) return FENDER_STATUS_OK;
    snprintf(message, sizeof message, "%s holds a '<', which no run writes", p->file);
    return refuse(error, path, line_of(file, (size_t)(bracket - file->text)), message, "'<'", "names and numbers");
}

/* ---- the page */

static char *join(const fender_allocator *allocator, const char *directory, const char *name, size_t *size)
{
    *size = strlen(directory) + strlen(name) + 2;
    char *path = allocator->allocate(allocator->ctx, *size, 1);
    if (path) snprintf(path, *size, "%s/%s", directory, name);
    return path;
}

static fender_status append_part(const fender_allocator *allocator, const part *p, const char *directory,
                                 fnd_buffer *page, fender_error *error)
{
    size_t size;
    fnd_file file;
    char *path = join(allocator, directory, p->file, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    fender_error cause;
    memset(&cause, 0, sizeof cause);
    fender_status status = fnd_file_read(allocator, path, part_limit, FND_FILE_TEXT, &file, &cause);
    if (status == FENDER_STATUS_OK) {
        status = p->format ? check_json(p, path, &file, &cause) : check_table(p, path, &file, &cause);
        if (status == FENDER_STATUS_OK) {
            fnd_buffer_appendf(page, "<script type=\"%s\" id=\"%s\">", p->type, p->id);
            if (p->format) fnd_page_append_json(page, file.text, file.length);
            else fnd_buffer_append(page, file.text, file.length);
            if (!fnd_buffer_append_text(page, "</script>\n")) status = fnd_io_fail_memory(&cause, "the page");
        }
        fnd_file_release(allocator, &file);
    }
    if (status == FENDER_STATUS_FILE && p->optional) status = FENDER_STATUS_OK;
    if (status != FENDER_STATUS_OK)
        FND_IO_FAIL(
            error, .status = status, .source = cause.source, .line = cause.line, .column = cause.column,
            .message = cause.message, .found = cause.found,
            .expected = status == FENDER_STATUS_FILE ? "a directory that `fender run` wrote" : cause.expected,
            .suggestion = status == FENDER_STATUS_FILE
                              ? "name the run directory, or run the scenario again; `fender study report` shows a store"
                              : cause.suggestion);
    allocator->release(allocator->ctx, path, size);
    return status;
}

/* The text of the scenario, as a JSON string; an empty one where it is missing. */
static void append_scenario(fnd_buffer *to, const fender_env *env, const char *directory)
{
    size_t size;
    fnd_file file;
    char *path = join(&env->allocator, directory, "scenario.yaml", &size);
    fender_status status = FENDER_STATUS_MEMORY;
    if (path) status = fnd_file_read(&env->allocator, path, part_limit, FND_FILE_TEXT, &file, NULL);
    if (status == FENDER_STATUS_OK) {
        fnd_json_bytes(to, file.text, file.length);
        fnd_file_release(&env->allocator, &file);
    } else {
        fnd_json_text(to, "");
        to->failed = to->failed || status == FENDER_STATUS_MEMORY;
    }
    if (path) env->allocator.release(env->allocator.ctx, path, size);
}

/* Data computed from the directory instead of copied; only memory can fail. */
static fender_status append_made(const fender_env *env, const char *directory, fnd_buffer *page, fender_error *error)
{
    static const struct {
        const char *id;
        void (*append)(fnd_buffer *to, const fender_env *env, const char *directory);
    } made[] = {{"fender-model", fnd_page_append_model},
                {"fender-recordings", fnd_page_append_recordings},
                {"fender-scenario", append_scenario}};
    bool failed = false;
    for (size_t i = 0; i < sizeof made / sizeof made[0] && !failed; i++) {
        fnd_buffer json = fnd_buffer_open(&env->allocator);
        made[i].append(&json, env, directory);
        fnd_buffer_appendf(page, "<script type=\"application/json\" id=\"%s\">", made[i].id);
        fnd_page_append_json(page, fnd_buffer_text(&json), json.length);
        fnd_buffer_append_text(page, "</script>\n");
        failed = json.failed || page->failed;
        fnd_buffer_close(&json);
    }
    return failed ? fnd_io_fail_memory(error, "the page") : FENDER_STATUS_OK;
}

/* The one place of the page at which the data goes; NULL when the page has none, or more. */
static const char *find_marker(const char *page, size_t size)
{
    const char *found = NULL;
    for (size_t at = 0; at + sizeof marker - 1 <= size; at++) {
        if (page[at] != '<' || memcmp(page + at, marker, sizeof marker - 1) != 0) continue;
        if (found) return NULL;
        found = page + at;
    }
    return found;
}

fender_status fender_report_write(const fender_env *env, const char *run_directory, const char *html_path,
                                  fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return FENDER_STATUS_ARGUMENT;
    if (!env || !run_directory || !html_path)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                           .message = "env, a run directory and a file name are needed",
                           .expected = "pointers that are not NULL");
    const char *page = (const char *)fnd_viewer_html, *place = find_marker(page, fnd_viewer_html_size);
    if (!place)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .message = "this build has no page for reports",
                           .expected = "a page with one place for the data",
                           .suggestion = "build again with node and npm installed");
    fnd_buffer buffer = fnd_buffer_open(&env->allocator);
    fender_status status = FENDER_STATUS_OK;
    fnd_buffer_append(&buffer, page, (size_t)(place - page));
    for (int i = 0; i < PART_COUNT && status == FENDER_STATUS_OK; i++)
        status = append_part(&env->allocator, &parts[i], run_directory, &buffer, error);
    if (status == FENDER_STATUS_OK) status = append_made(env, run_directory, &buffer, error);
    const char *rest = place + sizeof marker - 1;
    fnd_buffer_append(&buffer, rest, fnd_viewer_html_size - (size_t)(rest - page));
    if (status == FENDER_STATUS_OK && buffer.failed) status = fnd_io_fail_memory(error, "the page");
    if (status == FENDER_STATUS_OK) status = fnd_file_write(html_path, buffer.text, buffer.length, error);
    fnd_buffer_close(&buffer);
    return status;
}
