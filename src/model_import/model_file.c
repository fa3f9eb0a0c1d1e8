/* The published form of model files: reading, converting, the report. */
#include "model_import/model.h"

#include "support/file.h"
#include "support/io_error.h"

#include <assert.h>
#include <string.h>

struct fender_model_file {
    fender_env env;
    fnd_buffer text;
    fender_model_report report;
};

fender_model_import fender_model_import_default(void)
{
    return (fender_model_import){.size = sizeof(fender_model_import)};
}

bool fender_model_has_xml(void)
{
#ifdef FENDER_WITH_EXPAT
    return true;
#else
    return false;
#endif
}

static bool read_root(fnd_model *model, fnd_xml_element *root)
{
    static const char *const roots[] = {"robot", "mujoco"};
    model->location = root->location;
    for (int i = 0; i < 2; i++) {
        if (strcmp(root->name, roots[i]) != 0) continue;
        model->format = i == 0 ? "urdf" : "mjcf";
        return i == 0 ? fnd_model_read_urdf(model, root) : fnd_model_read_mjcf(model, root);
    }
    bool sdf = strcmp(root->name, "sdf") == 0;
    fnd_model_error(model, &root->location, FENDER_STATUS_PARSE, "the file is neither URDF nor MJCF",
                    fnd_phrase_make("<%.60s>", root->name).text, "<robot> or <mujoco>",
                    sdf ? "SDF is not read: convert it to URDF" : "check the file name");
    return false;
}

static void convert(fnd_model *model, const char *name, const char *text, size_t length, fender_model_file *file)
{
    model->file = fnd_model_keep_text(model, name);
    if (!model->file) return;
    const char *slash = strrchr(model->file, '/');
    char *folder = fnd_model_keep(model, slash ? (size_t)(slash - model->file) + 2 : 1, 1);
    if (!folder) return;
    if (slash) memcpy(folder, model->file, (size_t)(slash - model->file) + 1);
    model->directory = folder;
    fnd_xml_element *root = fnd_xml_parse(model->arena, model->diagnostics, model->file, text, length);
    bool good = root && read_root(model, root) && fnd_model_assemble(model) && fnd_model_write(model, &file->text);
    if (good) {
        model->report.format = model->format;
        model->report.warnings = model->warnings;
        file->report = model->report;
    }
    assert(good || model->failed_memory || fnd_diagnostics_error_count(model->diagnostics) > 0 || !root);
    if (model->failed_memory) fnd_diagnostics_note_memory(model->diagnostics);
}

fender_model_file *fender_model_file_parse(const fender_env *env, const char *name, const void *bytes, size_t length,
                                           const fender_model_import *import, fender_error *error)
{
    fender_env used = env ? *env : fender_env_default();
    fender_model_import options = import ? *import : fender_model_import_default();
    if (!fnd_io_env_usable(&used, error)) return NULL;
    if (!name || (!bytes && length > 0) || options.size != sizeof options) {
        FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                    .message = "a name, the text and options from fender_model_import_default are needed");
        return NULL;
    }
    fender_model_file *file = used.allocator.allocate(used.allocator.ctx, sizeof *file, _Alignof(max_align_t));
    fnd_arena arena = fnd_arena_open(&used.allocator, 0);
    fnd_diagnostics *diagnostics = fnd_diagnostics_create(&used);
    fnd_model model = {.env = used,
                       .arena = &arena,
                       .diagnostics = diagnostics,
                       .options = &options,
                       .gravity = {0, 0, -9.81},
                       .step = 1e-4};
    model.bodies_end = &model.bodies;
    model.rules_end = &model.rules;
    model.welds_end = &model.welds;
    if (file) {
        *file = (fender_model_file){.env = used, .text = fnd_buffer_open(&used.allocator)};
        char *text = fnd_arena_copy(&arena, bytes ? bytes : "", length);
        if (diagnostics && text) convert(&model, name, text, length, file);
        else if (diagnostics) fnd_diagnostics_note_memory(diagnostics);
    } else if (diagnostics) fnd_diagnostics_note_memory(diagnostics);
    fender_status status = fnd_diagnostics_deliver(diagnostics, error);
    fnd_arena_close(&arena);
    if (status == FENDER_STATUS_OK) return file;
    fender_model_file_destroy(file);
    return NULL;
}

fender_model_file *fender_model_file_read(const fender_env *env, const char *path, const fender_model_import *import,
                                          fender_error *error)
{
    fender_env used = env ? *env : fender_env_default();
    fnd_file content = {0};
    fender_error failure = {0};
    if (!fnd_io_env_usable(&used, error)) return NULL;
    if (!path) {
        FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "the name of a file is needed");
        return NULL;
    }
    if (fnd_file_read(&used.allocator, path, FENDER_MODEL_FILE_LIMIT, FND_FILE_TEXT, &content, &failure) !=
        FENDER_STATUS_OK) {
        if (error) *error = failure;
        return NULL;
    }
    fender_model_file *file = fender_model_file_parse(env, path, content.text, content.length, import, error);
    fnd_file_release(&used.allocator, &content);
    return file;
}

void fender_model_file_destroy(fender_model_file *model)
{
    if (!model) return;
    fnd_buffer_close(&model->text);
    fender_allocator allocator = model->env.allocator;
    allocator.release(allocator.ctx, model, sizeof *model);
}

const fender_model_report *fender_model_file_report(const fender_model_file *model) { return &model->report; }

const char *fender_model_file_scenario(const fender_model_file *model, size_t *length)
{
    if (length) *length = model->text.length;
    return fnd_buffer_text(&model->text);
}
