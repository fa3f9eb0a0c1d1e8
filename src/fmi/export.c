/* Export of a scenario as an FMU: description, binary, scenario and page in one archive. */
#include <fender/fmi.h>

#include "fmi/archive.h"
#include "fmi/describe.h"
#include "scenario/bundle.h"
#include "support/file.h"
#include "support/io_error.h"

#include <stdio.h>
#include <string.h>

enum { IDENTIFIER_SIZE = 64 };

/* libyaml is linked into the binary; its licence asks for this notice. */
static const char notices[] = "This FMU contains Fender, licensed under the Apache License, Version 2.0\n"
                              "(https://www.apache.org/licenses/LICENSE-2.0), and libyaml, licensed as follows.\n\n"
                              "Copyright (c) 2017-2020 Ingy dot Net\nCopyright (c) 2006-2016 Kirill Simonov\n\n"
                              "Permission is hereby granted, free of charge, to any person obtaining a copy of\n"
                              "this software and associated documentation files (the \"Software\"), to deal in\n"
                              "the Software without restriction, including without limitation the rights to\n"
                              "use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies\n"
                              "of the Software, and to permit persons to whom the Software is furnished to do\n"
                              "so, subject to the following conditions:\n\n"
                              "The above copyright notice and this permission notice shall be included in all\n"
                              "copies or substantial portions of the Software.\n\n"
                              "THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR\n"
                              "IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,\n"
                              "FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE\n"
                              "AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER\n"
                              "LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,\n"
                              "OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE\n"
                              "SOFTWARE.\n";

/* A name of C out of the file's name: "lander-legs.yaml" gives lander_legs. */
static void make_identifier(const char *file, char identifier[IDENTIFIER_SIZE])
{
    const char *slash = strrchr(file, '/'), *at = slash ? slash + 1 : file;
    size_t length = strcspn(at, "."), used = 0;
    if (length == 0 || (at[0] >= '0' && at[0] <= '9')) identifier[used++] = 'm';
    for (size_t i = 0; i < length && used + 1 < IDENTIFIER_SIZE; i++) {
        bool good = (at[i] >= 'a' && at[i] <= 'z') || (at[i] >= 'A' && at[i] <= 'Z') || (at[i] >= '0' && at[i] <= '9');
        identifier[used++] = good ? at[i] : '_';
    }
    identifier[used] = '\0';
}

static const char *binary_folder(int version)
{
#if defined(__x86_64__)
    return version == 3 ? "x86_64-linux" : "linux64";
#elif defined(__aarch64__)
    return version == 3 ? "aarch64-linux" : NULL; /* FMI 2.0 has no name for it */
#else
    (void)version;
    return NULL;
#endif
}

static void append_page(fnd_buffer *to, const fnd_fmi_description *d)
{
    static const char *const roles[] = {"time", "parameter", "input", "output"};
    fnd_buffer_append_text(to, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    fnd_fmi_append_escaped(to, d->title);
    fnd_buffer_append_text(to, "</title></head><body>\n<h1>");
    fnd_fmi_append_escaped(to, d->title[0] ? d->title : d->identifier);
    fnd_buffer_append_text(to, "</h1>\n<p>");
    fnd_fmi_append_escaped(to, d->about);
    fnd_buffer_append_text(to, "</p>\n<p>Communication points should lie on the grid of internal steps, ");
    fnd_buffer_append_number(to, d->step);
    fnd_buffer_append_text(to, " s; results then have the same bits as those of <code>fender run</code>.</p>\n"
                               "<table><tr><th>variable</th><th>role</th><th>unit</th><th>meaning</th></tr>\n");
    for (int i = 0; i < d->model->first[FND_FMI_STATE]; i++) {
        const fnd_fmi_variable *v = &d->model->variables[i];
        const char *const cells[] = {v->name, roles[v->role], v->unit, v->doc};
        fnd_buffer_append_text(to, "<tr>");
        for (int k = 0; k < 4; k++) {
            fnd_buffer_append_text(to, "<td>");
            fnd_fmi_append_escaped(to, cells[k]);
            fnd_buffer_append_text(to, "</td>");
        }
        fnd_buffer_append_text(to, "</tr>\n");
    }
    fnd_buffer_append_text(to, "</table>\n</body></html>\n");
}

typedef struct parts {
    fnd_buffer bundle, description, page;
    fnd_archive_writer archive;
    fnd_file library;
    char identifier[IDENTIFIER_SIZE];
} parts;

static bool pack(parts *p, int version)
{
    char binary[160];
    snprintf(binary, sizeof binary, "binaries/%s/%s.so", binary_folder(version), p->identifier);
    fnd_archive_writer *a = &p->archive;
    return !p->bundle.failed && !p->description.failed && !p->page.failed &&
           fnd_archive_add(a, "modelDescription.xml", p->description.text, p->description.length, false) &&
           fnd_archive_add(a, binary, p->library.text, p->library.length, true) &&
           fnd_archive_add(a, "resources/scenario.sources", p->bundle.text, p->bundle.length, false) &&
           fnd_archive_add(a, "documentation/index.html", p->page.text, p->page.length, false) &&
           fnd_archive_add(a, "documentation/licenses/license.txt", notices, sizeof notices - 1, false) &&
           fnd_archive_end(a);
}

/* The binary of this version tells what it is. */
static fender_status check_library(const fnd_file *library, const char *path, fender_error *error)
{
    char about[64];
    const size_t length = (size_t)snprintf(about, sizeof about, "FMU binary of Fender %s", fender_version()) + 1;
    for (size_t at = 0; at + length <= library->length; at++)
        if (library->text[at] == about[0] && memcmp(library->text + at, about, length) == 0) return FENDER_STATUS_OK;
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path,
                       .message = "this file is not the FMU binary of this version of Fender",
                       .expected = "lib/fender/fender_fmu.so",
                       .suggestion = "leave --library out to take the one that belongs to the program");
}

static fender_status write_all(const fender_env *env, const fender_fmu_def *def, const fnd_fmi_model *model,
                               const char *path, fender_error *error)
{
    const fender_scenario *scenario = def->scenario;
    const fender_allocator *allocator = &env->allocator;
    parts p = {.bundle = fnd_buffer_open(allocator),
               .description = fnd_buffer_open(allocator),
               .page = fnd_buffer_open(allocator),
               .archive = fnd_archive_begin(allocator)};
    uint64_t hash = 0;
    char token[FND_FMI_TOKEN_SIZE];
    fender_status status = fnd_file_read(allocator, def->library, (size_t)256 << 20, FND_FILE_BYTES, &p.library, error);
    if (status == FENDER_STATUS_OK) status = check_library(&p.library, def->library, error);
    if (status != FENDER_STATUS_OK) {
        fnd_file_release(allocator, &p.library);
        return status;
    }
    (void)fnd_bundle_append(&p.bundle, scenario, &hash);
    fnd_fmi_token(hash, token);
    make_identifier(scenario->file, p.identifier);
    fnd_fmi_description description = {.model = model,
                                       .version = def->version,
                                       .identifier = p.identifier,
                                       .title = scenario->title,
                                       .about = scenario->about,
                                       .token = token,
                                       .start_time = scenario->world.start_time,
                                       .stop_time = scenario->until,
                                       .step = scenario->world.step,
                                       .adaptive = fender_integrator_adaptive(scenario->world.method)};
    fnd_fmi_describe(&p.description, &description);
    append_page(&p.page, &description);
    status = pack(&p, def->version) ? fnd_file_write(path, p.archive.body.text, p.archive.body.length, error)
                                    : fnd_io_fail_memory(error, "an FMU");
    fnd_file_release(allocator, &p.library);
    fnd_archive_close(&p.archive);
    fnd_buffer_close(&p.bundle);
    fnd_buffer_close(&p.description);
    fnd_buffer_close(&p.page);
    return status;
}

fender_status fender_export_fmu(const fender_env *env, const fender_fmu_def *def, const char *path,
                                fender_fmu_report *report, fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return FENDER_STATUS_ARGUMENT;
    if (!env || !def || !def->scenario || !def->library || !path || (def->version != 2 && def->version != 3))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                           .message = "env, a scenario, a library, a path and the version 2 or 3 are needed",
                           .expected = "pointers that are not NULL");
    if (def->scenario->has_plugins)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .source = def->scenario->file,
                           .message = "a scenario with plug-ins cannot become an FMU", .found = "plugins",
                           .expected = "laws of Fender alone", .suggestion = "replace the plug-in by a law of Fender");
    if (!binary_folder(def->version))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT,
                           .message = "this version of FMI has no name for the binaries of this machine",
                           .expected = "x86-64 Linux; for FMI 3.0 also AArch64", .suggestion = "export as FMI 3.0");
    for (int i = 0; i < def->scenario->controller_count; i++) {
        const fnd_controller_description *controller = &def->scenario->controllers[i];
        if (controller->origin == FND_CONTROLLER_BUILTIN) continue;
        return FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .source = controller->id.location.file,
                           .line = controller->id.location.line, .column = controller->id.location.column,
                           .message = "a controller of the scenario cannot be taken along in an FMU",
                           .found = controller->id.name, .expected = "controllers that are built in",
                           .suggestion = "leave it out, and connect its outputs as inputs of the FMU");
    }
    fnd_arena arena = fnd_arena_open(&env->allocator, 0);
    fnd_fmi_model model;
    const fender_run_def of_run = {.scenario = def->scenario};
    fender_run *run = fender_run_create(env, &of_run, error);
    fender_status status = run ? fnd_fmi_model_create(&model, &arena, def->scenario, run, error)
                               : (error ? error->status : FENDER_STATUS_STATE);
    if (status == FENDER_STATUS_OK) status = write_all(env, def, &model, path, error);
    if (status == FENDER_STATUS_OK && report)
        *report = (fender_fmu_report){.parameters = fnd_fmi_count(&model, FND_FMI_PARAMETER),
                                      .inputs = fnd_fmi_count(&model, FND_FMI_INPUT),
                                      .outputs = fnd_fmi_count(&model, FND_FMI_OUTPUT),
                                      .model_exchange = def->version == 3 && model.exchange};
    fender_run_destroy(run);
    fnd_arena_close(&arena);
    return status;
}
