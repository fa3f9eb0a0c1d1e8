/* Import of FMUs: the archive is unpacked into a folder that only this user can read, its description is read strictly,
 * its binary is loaded; each controller is an instance of it. */
#ifndef _GNU_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "fmi/import.h"

#include "fmi/archive.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "model_import/xml.h"
#include "support/io_error.h"
#include "support/memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRY_LIMIT = 20000, FOLDER_SIZE = 256, PATH_SIZE = 1024 };
static const size_t size_limit = (size_t)1 << 30; /* of all files of one FMU */

typedef enum causality { OTHER, INPUT, OUTPUT, PARAMETER } causality;
static const char *const causality_names[] = {"", "input", "output", "parameter"};
typedef enum value_type { REAL, INTEGER, BOOLEAN } value_type;
typedef struct variable {
    const char *name;
    uint32_t reference;
    causality causality;
    value_type type;
} variable;

#define MEMBER(result, name, arguments) result(*name) arguments;
#define VALUE_MEMBERS_2(kind, type)                                                                         \
    fmi2_status (*fmi2Get##kind)(void *instance, const fmi2_reference refs[], size_t count, type values[]); \
    fmi2_status (*fmi2Set##kind)(void *instance, const fmi2_reference refs[], size_t count, const type values[]);
#define VALUE_MEMBERS_3(kind, type)                                                                              \
    fmi3_status (*fmi3Get##kind)(void *instance, const fmi3_reference refs[], size_t count, type values[],       \
                                 size_t value_count);                                                            \
    fmi3_status (*fmi3Set##kind)(void *instance, const fmi3_reference refs[], size_t count, const type values[], \
                                 size_t value_count);
typedef struct functions_2 {
    FMI2_FUNCTIONS(MEMBER)
    FMI2_VALUE_TYPES(VALUE_MEMBERS_2)
} functions_2;
typedef struct functions_3 {
    FMI3_FUNCTIONS(MEMBER)
    FMI3_VALUE_TYPES(VALUE_MEMBERS_3)
} functions_3;

struct fnd_fmu_import {
    fender_env env;
    fnd_arena arena;
    const char *name;
    char folder[FOLDER_SIZE];
    const char **files; /* that were unpacked, in the order of their making; folders end in a slash */
    int file_count;
    const char *description; /* modelDescription.xml */
    size_t description_length;
    int version; /* 2 or 3 */
    const char *identifier, *token;
    bool keeps_state; /* can be serialised */
    variable *variables;
    int variable_count;
    void *library;
    functions_2 two;
    functions_3 three;
};

static fender_status refuse(fender_error *error, const fnd_fmu_import *f, fender_status status, const char *message,
                            const char *found, const char *expected, const char *suggestion)
{
    return FND_IO_FAIL(error, .status = status, .source = f->name, .message = message, .found = found,
                       .expected = expected, .suggestion = suggestion);
}

/* ---- unpacking */

static bool note_file(fnd_fmu_import *f, const char *name)
{
    if (f->file_count == ENTRY_LIMIT) return false;
    f->files[f->file_count] = fnd_arena_copy(&f->arena, name, strlen(name));
    return f->files[f->file_count++] != NULL;
}

static bool path_of(const fnd_fmu_import *f, const char *name, char path[PATH_SIZE])
{
    return snprintf(path, PATH_SIZE, "%s/%s", f->folder, name) < PATH_SIZE;
}

/* The folders in which a file lies. */
static bool make_folders(fnd_fmu_import *f, const char *name)
{
    char path[PATH_SIZE], part[PATH_SIZE];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name) + 1, name);
        if (!path_of(f, part, path)) return false;
        if (mkdir(path, 0700) == 0) {
            if (!note_file(f, part)) return false;
        } else if (errno != EEXIST) return false;
    }
    return true;
}

static bool write_entry(fnd_fmu_import *f, const fnd_archive_entry *entry, const char *bytes)
{
    char path[PATH_SIZE];
    if (!make_folders(f, entry->name) || !path_of(f, entry->name, path)) return false;
    FILE *file = fopen(path, "wbx"); /* one name twice is refused */
    if (!file) return false;
    bool good = note_file(f, entry->name) && fwrite(bytes, 1, entry->size, file) == entry->size;
    good = fclose(file) == 0 && good;
    return good && chmod(path, 0700) == 0;
}

static fender_status unpack_entry(fnd_fmu_import *f, const fnd_archive_entry *entry, fender_error *error)
{
    const fender_allocator *a = &f->env.allocator;
    if (entry->is_folder) return FENDER_STATUS_OK;
    char *bytes = a->allocate(a->ctx, entry->size + 1, 1);
    if (!bytes) return fnd_io_fail_memory(error, "a file of an FMU");
    bool sound = fnd_archive_unpack(a, entry, bytes), written = sound && write_entry(f, entry, bytes);
    if (written && strcmp(entry->name, "modelDescription.xml") == 0) {
        f->description = fnd_arena_copy(&f->arena, bytes, entry->size);
        f->description_length = entry->size;
        written = f->description != NULL;
    }
    a->release(a->ctx, bytes, entry->size + 1);
    if (!sound)
        return refuse(error, f, FENDER_STATUS_PARSE, "a file of the FMU is damaged", entry->name,
                      "data that fit their checksum", "copy the FMU again");
    if (!written)
        return refuse(error, f, FENDER_STATUS_FILE, "a file of the FMU cannot be unpacked", entry->name,
                      "room in the folder for temporary files", "set TMPDIR to a folder with room");
    return FENDER_STATUS_OK;
}

static fender_status unpack(fnd_fmu_import *f, const void *bytes, size_t length, fender_error *error)
{
    const char *temporary = getenv("TMPDIR");
    fnd_archive_reader reader = fnd_archive_open(bytes, length);
    fnd_archive_entry entry;
    size_t total = 0;
    if (!reader.good)
        return refuse(error, f, FENDER_STATUS_PARSE, "this is no FMU", "bytes that are no zip archive", "an .fmu file",
                      "name an FMU of FMI 2.0 or 3.0");
    f->files = FND_ARENA_NEW_ROOM(&f->arena, const char *, ENTRY_LIMIT);
    if (!f->files) return fnd_io_fail_memory(error, "an FMU");
    int used = snprintf(f->folder, sizeof f->folder, "%s/fender_fmu_XXXXXX",
                        temporary && temporary[0] == '/' ? temporary : "/tmp");
    if (used >= FOLDER_SIZE || !mkdtemp(f->folder)) {
        f->folder[0] = '\0';
        return fnd_system_fail(error, "make a temporary folder for", f->name,
                               used >= FOLDER_SIZE ? ENAMETOOLONG : errno);
    }
    while (fnd_archive_next(&reader, &entry)) {
        if (entry.size > size_limit - total)
            return refuse(error, f, FENDER_STATUS_PARSE, "the FMU is too large", entry.name, "at most 1 GiB unpacked",
                          "leave out what it does not need");
        total += entry.size;
        fender_status status = unpack_entry(f, &entry, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    if (!reader.good)
        return refuse(error, f, FENDER_STATUS_PARSE, "the archive of the FMU is damaged", "",
                      "entries that are stored or deflated, with names inside the archive", "copy the FMU again");
    return FENDER_STATUS_OK;
}

static void remove_files(fnd_fmu_import *f)
{
    char path[PATH_SIZE];
    if (!f->folder[0]) return;
    for (int i = f->file_count; i-- > 0;) {
        if (!f->files[i] || !path_of(f, f->files[i], path)) continue;
        size_t length = strlen(path);
        if (path[length - 1] == '/') (void)rmdir(path);
        else (void)unlink(path);
    }
    (void)rmdir(f->folder);
}

/* ---- the description */

static const char *attribute(const fnd_xml_element *element, const char *name, const char *otherwise)
{
    const fnd_xml_attribute *found = fnd_xml_find(element, name);
    return found ? found->value : otherwise;
}

static bool is_true(const fnd_xml_element *element, const char *name)
{
    const char *value = attribute(element, name, "false");
    return strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

static bool parse_reference(const char *text, uint32_t *reference)
{
    uint64_t value = 0;
    if (!text || !text[0] || strlen(text) > 10) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        value = 10 * value + (uint64_t)(*text - '0');
    }
    *reference = (uint32_t)value;
    return value <= UINT32_MAX;
}

static bool type_of(const fnd_fmu_import *f, const fnd_xml_element *element, value_type *type)
{
    const char *names[] = {f->version == 3 ? "Float64" : "Real", f->version == 3 ? "Int32" : "Integer", "Boolean"};
    for (int i = 0; i < 3; i++) {
        bool here = f->version == 3 ? strcmp(element->name, names[i]) == 0 && !fnd_xml_child(element, "Dimension")
                                    : fnd_xml_child(element, names[i]) != NULL;
        if (!here) continue;
        *type = (value_type)i;
        return true;
    }
    return false; /* texts, clocks, arrays: no numbers that a controller exchanges */
}

static fender_status read_variables(fnd_fmu_import *f, const fnd_xml_element *root, fender_error *error)
{
    const fnd_xml_element *list = fnd_xml_child(root, "ModelVariables");
    size_t count = 0;
    for (const fnd_xml_element *e = list ? list->first : NULL; e; e = e->next) count++;
    f->variables = FND_ARENA_NEW_ARRAY(&f->arena, variable, count);
    if (!f->variables) return fnd_io_fail_memory(error, "the variables of an FMU");
    for (const fnd_xml_element *e = list ? list->first : NULL; e; e = e->next) {
        variable *v = &f->variables[f->variable_count];
        const char *given = attribute(e, "causality", "local");
        v->name = attribute(e, "name", NULL);
        if (!v->name || !parse_reference(attribute(e, "valueReference", NULL), &v->reference))
            return refuse(error, f, FENDER_STATUS_PARSE, "a variable of the FMU has no name or value reference",
                          v->name ? v->name : "", "both attributes", "check modelDescription.xml");
        if (!type_of(f, e, &v->type)) continue;
        for (int i = INPUT; i <= PARAMETER; i++)
            if (strcmp(given, causality_names[i]) == 0) v->causality = (causality)i;
        f->variable_count++;
    }
    return FENDER_STATUS_OK;
}

static fender_status read_root(fnd_fmu_import *f, const fnd_xml_element *root, fender_error *error)
{
    const char *version = attribute(root, "fmiVersion", "");
    const fnd_xml_element *simulation = fnd_xml_child(root, "CoSimulation");
    if (strcmp(root->name, "fmiModelDescription") != 0 ||
        (strncmp(version, "2.", 2) != 0 && strncmp(version, "3.", 2) != 0))
        return refuse(error, f, FENDER_STATUS_PARSE, "this version of FMI is not read", version, "2.0 or 3.0",
                      "export the FMU as FMI 3.0 or 2.0");
    f->version = version[0] - '0';
    if (!simulation)
        return refuse(error, f, FENDER_STATUS_NOT_BUILT, "the FMU has no co-simulation", "model exchange alone",
                      "an FMU for co-simulation", "export it for co-simulation");
    if (is_true(simulation, "needsExecutionTool") || is_true(simulation, "canBeInstantiatedOnlyOncePerProcess"))
        return refuse(error, f, FENDER_STATUS_NOT_BUILT, "the FMU cannot run by itself, several times in one process",
                      "needsExecutionTool or canBeInstantiatedOnlyOncePerProcess", "an FMU that stands alone",
                      "export it without these restrictions");
    f->identifier = attribute(simulation, "modelIdentifier", "");
    f->token = attribute(root, f->version == 3 ? "instantiationToken" : "guid", "");
    f->keeps_state = f->version == 3
                         ? is_true(simulation, "canGetAndSetFMUState") && is_true(simulation, "canSerializeFMUState")
                         : is_true(simulation, "canGetAndSetFMUstate") && is_true(simulation, "canSerializeFMUstate");
    if (!f->identifier[0] || strspn(f->identifier, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
                                 strlen(f->identifier))
        return refuse(error, f, FENDER_STATUS_PARSE, "the model identifier of the FMU is no name", f->identifier,
                      "a name of C", "check modelDescription.xml");
    return read_variables(f, root, error);
}

static fender_status read_description(fnd_fmu_import *f, fender_error *error)
{
    if (!f->description)
        return refuse(error, f, FENDER_STATUS_PARSE, "the FMU has no modelDescription.xml", "", "one in its archive",
                      "name an FMU of FMI 2.0 or 3.0");
    fnd_diagnostics *diagnostics = fnd_diagnostics_create(&f->env);
    if (!diagnostics) return fnd_io_fail_memory(error, "an FMU");
    const fnd_xml_element *root = fnd_xml_parse(&f->arena, diagnostics, "modelDescription.xml", f->description,
                                                f->description_length);
    fender_status status = fnd_diagnostics_deliver(diagnostics, error);
    if (status != FENDER_STATUS_OK) return status;
    return root ? read_root(f, root, error) : fnd_io_fail_memory(error, "an FMU");
}

/* ---- the binary */

static const char *binary_folder(int version)
{
#if defined(__x86_64__)
    return version == 3 ? "x86_64-linux" : "linux64";
#elif defined(__aarch64__)
    return version == 3 ? "aarch64-linux" : "linuxaarch64";
#else
    (void)version;
    return "none";
#endif
}

/* Functions that are called below; others may be missing. */
static bool is_needed(const char *name)
{
    static const char *const names[] = {"fmi2Instantiate",
                                        "fmi2FreeInstance",
                                        "fmi2SetupExperiment",
                                        "fmi2EnterInitializationMode",
                                        "fmi2DoStep",
                                        "fmi2GetReal",
                                        "fmi2SetReal",
                                        "fmi2ExitInitializationMode",
                                        "fmi2GetInteger",
                                        "fmi2SetInteger",
                                        "fmi2GetBoolean",
                                        "fmi2SetBoolean",
                                        "fmi3DoStep",
                                        "fmi3FreeInstance",
                                        "fmi3GetFloat64",
                                        "fmi3EnterInitializationMode",
                                        "fmi3SetFloat64",
                                        "fmi3GetInt32",
                                        "fmi3SetInt32",
                                        "fmi3ExitInitializationMode",
                                        "fmi3GetBoolean",
                                        "fmi3SetBoolean",
                                        "fmi3InstantiateCoSimulation"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0) return true;
    return strstr(name, "FMUState") || strstr(name, "FMUstate");
}

static const char *find_function(void *library, const char *name, void *member)
{
    void *symbol = dlsym(library, name);
    memcpy(member, &symbol, sizeof symbol);
    return symbol || !is_needed(name) ? NULL : name;
}

static const char *find_functions(fnd_fmu_import *f)
{
    const char *missing = NULL;
#define FIND(table, name) \
    if (!missing) missing = find_function(f->library, #name, &f->table.name);
#define FIND_2(result, name, arguments) FIND(two, name)
#define FIND_3(result, name, arguments) FIND(three, name)
#define FIND_VALUES_2(kind, type)       FIND(two, fmi2Get##kind) FIND(two, fmi2Set##kind)
#define FIND_VALUES_3(kind, type)       FIND(three, fmi3Get##kind) FIND(three, fmi3Set##kind)
    if (f->version == 2) {
        FMI2_FUNCTIONS(FIND_2)
        FMI2_VALUE_TYPES(FIND_VALUES_2)
    } else {
        FMI3_FUNCTIONS(FIND_3)
        FMI3_VALUE_TYPES(FIND_VALUES_3)
    }
    return missing;
}

static fender_status load_binary(fnd_fmu_import *f, fender_error *error)
{
    char name[256], path[PATH_SIZE];
    snprintf(name, sizeof name, "binaries/%s/%.120s.so", binary_folder(f->version), f->identifier);
    if (!path_of(f, name, path) || access(path, R_OK) != 0)
        return refuse(error, f, FENDER_STATUS_NOT_BUILT, "the FMU has no binary for this machine", name, name,
                      "compile the FMU for Linux");
    f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!f->library) {
        const char *reason = dlerror();
        return refuse(error, f, FENDER_STATUS_FILE, "the binary of the FMU cannot be loaded", reason ? reason : "",
                      "a shared library that needs nothing that is missing", "install what it needs");
    }
    const char *missing = find_functions(f);
    if (missing)
        return refuse(error, f, FENDER_STATUS_FILE, "the binary of the FMU lacks a function", missing,
                      "every function of the standard", "ask whoever made the FMU");
    return FENDER_STATUS_OK;
}

/* ---- opening */

void fnd_fmu_import_close(fnd_fmu_import *f)
{
    if (!f) return;
    fender_allocator allocator = f->env.allocator;
    if (f->library) dlclose(f->library);
    remove_files(f);
    fnd_arena_close(&f->arena);
    allocator.release(allocator.ctx, f, sizeof *f);
}

fnd_fmu_import *fnd_fmu_import_open(const fender_env *env, const char *name, const void *bytes, size_t length,
                                    fender_error *error)
{
    fnd_fmu_import *f = env->allocator.allocate(env->allocator.ctx, sizeof *f, _Alignof(fnd_fmu_import));
    if (!f) {
        fnd_io_fail_memory(error, "an FMU");
        return NULL;
    }
    memset(f, 0, sizeof *f);
    f->env = *env;
    f->arena = fnd_arena_open(&f->env.allocator, 0);
    f->name = fnd_arena_copy(&f->arena, name, strlen(name));
    fender_status status = f->name ? unpack(f, bytes, length, error) : fnd_io_fail_memory(error, "an FMU");
    if (status == FENDER_STATUS_OK) status = read_description(f, error);
    if (status == FENDER_STATUS_OK) status = load_binary(f, error);
    if (status == FENDER_STATUS_OK) return f;
    fnd_fmu_import_close(f);
    return NULL;
}

static const variable *find_variable(const fnd_fmu_import *f, causality role, const char *name)
{
    for (int i = 0; i < f->variable_count; i++)
        if (f->variables[i].causality == role && strcmp(f->variables[i].name, name) == 0) return &f->variables[i];
    return NULL;
}

static void tell_unknown(const fnd_fmu_import *f, causality wanted, const char *name, char *message)
{
    char suggestion[100] = "see its modelDescription.xml";
    fnd_nearest nearest = fnd_nearest_begin(name, strlen(name));
    for (int i = 0; i < f->variable_count; i++)
        if (f->variables[i].causality == wanted) (void)fnd_nearest_offer(&nearest, f->variables[i].name);
    if (nearest.best) snprintf(suggestion, sizeof suggestion, "did you mean '%.70s'?", nearest.best);
    snprintf(message, FENDER_CONTROLLER_MESSAGE, "the FMU has no %s (%s) that is named '%.70s'; %s",
             causality_names[wanted], f->version == 3 ? "Float64, Int32 or Boolean" : "Real, Integer or Boolean", name,
             suggestion);
}

/* ---- a controller: one instance */

typedef struct instance {
    const fnd_fmu_import *import;
    fender_allocator allocator;
    void *component;
    int input_count, output_count;
    const variable *inputs[FENDER_CONTROLLER_NUMBERS], *outputs[FENDER_CONTROLLER_NUMBERS];
    double time, period; /* s; reached by the FMU */
    fmi2_callbacks callbacks;
    char said[FENDER_CONTROLLER_MESSAGE];    /* its last complaint */
    char warning[FENDER_CONTROLLER_MESSAGE]; /* its first warning */
    bool told;                               /* of the warning */
    void *saved;                             /* state for save */
} instance;

static void warn(instance *one, const char *text)
{
    if (!one->warning[0]) snprintf(one->warning, sizeof one->warning, "%s", text);
}

static void note_3(void *environment, fmi3_status status, const char *category, const char *message)
{
    instance *one = environment;
    (void)category;
    if (!one || status == FMI3_OK || !message) return;
    snprintf(one->said, sizeof one->said, "%s", message);
    if (status == FMI3_WARNING) warn(one, one->said);
}

static void note_2(void *environment, const char *name, fmi2_status status, const char *category, const char *message,
                   ...)
{
    instance *one = environment;
    va_list arguments;
    (void)name, (void)category;
    if (!one || status == FMI2_OK || !message) return;
    va_start(arguments, message);
    vsnprintf(one->said, sizeof one->said, message, arguments);
    va_end(arguments);
    if (status == FMI2_WARNING) warn(one, one->said);
}

static int fail(const instance *one, char *message, const char *call)
{
    snprintf(message, FENDER_CONTROLLER_MESSAGE, "%s of the FMU failed%s%.180s", call, one->said[0] ? ": " : "",
             one->said);
    return 1;
}

/* ---- values */

static bool set_value(const instance *one, const variable *v, double value)
{
    const functions_2 *two = &one->import->two;
    const functions_3 *three = &one->import->three;
    const bool v3 = one->import->version == 3;
    const uint32_t ref = v->reference;
    if (v->type == REAL)
        return v3 ? three->fmi3SetFloat64(one->component, &ref, 1, &value, 1) <= FMI3_WARNING
                  : two->fmi2SetReal(one->component, &ref, 1, &value) <= FMI2_WARNING;
    if (v->type == BOOLEAN) {
        const bool flag = value != 0;
        const int number = flag;
        return v3 ? three->fmi3SetBoolean(one->component, &ref, 1, &flag, 1) <= FMI3_WARNING
                  : two->fmi2SetBoolean(one->component, &ref, 1, &number) <= FMI2_WARNING;
    }
    if (!(fabs(value) < 2147483647.0)) return false;
    const int32_t number = (int32_t)rint(value);
    const int plain = number;
    return v3 ? three->fmi3SetInt32(one->component, &ref, 1, &number, 1) <= FMI3_WARNING
              : two->fmi2SetInteger(one->component, &ref, 1, &plain) <= FMI2_WARNING;
}

static bool get_value(const instance *one, const variable *v, double *value)
{
    const functions_2 *two = &one->import->two;
    const functions_3 *three = &one->import->three;
    const bool v3 = one->import->version == 3;
    const uint32_t ref = v->reference;
    if (v->type == REAL)
        return v3 ? three->fmi3GetFloat64(one->component, &ref, 1, value, 1) <= FMI3_WARNING
                  : two->fmi2GetReal(one->component, &ref, 1, value) <= FMI2_WARNING;
    bool good, flag = false;
    int32_t number = 0;
    int plain = 0;
    if (v->type == BOOLEAN)
        good = v3 ? three->fmi3GetBoolean(one->component, &ref, 1, &flag, 1) <= FMI3_WARNING
                  : two->fmi2GetBoolean(one->component, &ref, 1, &plain) <= FMI2_WARNING;
    else
        good = v3 ? three->fmi3GetInt32(one->component, &ref, 1, &number, 1) <= FMI3_WARNING
                  : two->fmi2GetInteger(one->component, &ref, 1, &plain) <= FMI2_WARNING;
    *value = v->type == BOOLEAN ? (v3 ? flag : plain != 0) : (v3 ? number : plain);
    return good;
}

/* ---- life */

static void destroy(void *state)
{
    instance *one = state;
    if (!one) return;
    const fnd_fmu_import *f = one->import;
    if (one->component && f->version == 3) {
        if (one->saved) (void)f->three.fmi3FreeFMUState(one->component, &one->saved);
        f->three.fmi3FreeInstance(one->component);
    } else if (one->component) {
        if (one->saved) (void)f->two.fmi2FreeFMUstate(one->component, &one->saved);
        f->two.fmi2FreeInstance(one->component);
    }
    one->allocator.release(one->allocator.ctx, one, sizeof *one);
}

static void *instantiate(instance *one, const char *name)
{
    const fnd_fmu_import *f = one->import;
    char path[PATH_SIZE], uri[PATH_SIZE + 16];
    if (!path_of(f, f->version == 3 ? "resources/" : "resources", path)) return NULL;
    snprintf(uri, sizeof uri, "file://%s", path);
    if (f->version == 3)
        return f->three.fmi3InstantiateCoSimulation(name, f->token, path, false, false, false, false, NULL, 0, one,
                                                    note_3, NULL);
    one->callbacks = (fmi2_callbacks){note_2, calloc, free, NULL, one};
    return f->two.fmi2Instantiate(name, FMI2_CO_SIMULATION, f->token, uri, &one->callbacks, 0, 0);
}

static bool enter_initialization(instance *one)
{
    const fnd_fmu_import *f = one->import;
    if (f->version == 3)
        return f->three.fmi3EnterInitializationMode(one->component, false, 0, one->time, false, 0) <= FMI3_WARNING;
    return f->two.fmi2SetupExperiment(one->component, 0, 0, one->time, 0, 0) <= FMI2_WARNING &&
           f->two.fmi2EnterInitializationMode(one->component) <= FMI2_WARNING;
}

static bool exit_initialization(instance *one)
{
    const fnd_fmu_import *f = one->import;
    return f->version == 3 ? f->three.fmi3ExitInitializationMode(one->component) <= FMI3_WARNING
                           : f->two.fmi2ExitInitializationMode(one->component) <= FMI2_WARNING;
}

static const variable *find_or_tell(const fnd_fmu_import *f, causality role, const char *name, char *message)
{
    const variable *found = find_variable(f, role, name);
    if (!found) tell_unknown(f, role, name, message);
    return found;
}

static int start(instance *one, const fender_controller_setup *setup, char *message)
{
    const fnd_fmu_import *f = one->import;
    for (int i = 0; i < setup->input_count; i++)
        if (!(one->inputs[i] = find_or_tell(f, INPUT, setup->input_names[i], message))) return 1;
    for (int i = 0; i < setup->output_count; i++)
        if (!(one->outputs[i] = find_or_tell(f, OUTPUT, setup->output_names[i], message))) return 1;
    one->component = instantiate(one, setup->name);
    if (!one->component) return fail(one, message, "instantiate");
    for (int i = 0; i < setup->parameter_count; i++) {
        const variable *v = find_or_tell(f, PARAMETER, setup->parameter_names[i], message);
        if (!v) return 1;
        if (!set_value(one, v, setup->parameters[i])) return fail(one, message, "setting a parameter");
    }
    if (!enter_initialization(one)) return fail(one, message, "enterInitializationMode");
    return exit_initialization(one) ? 0 : fail(one, message, "exitInitializationMode");
}

static int init(const fender_controller_setup *setup, void **state, char *message)
{
    const fender_allocator *a = setup->allocator;
    instance *one = a->allocate(a->ctx, sizeof *one, _Alignof(instance));
    if (!one) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "there is no memory");
        return 1;
    }
    memset(one, 0, sizeof *one);
    one->import = setup->user;
    one->allocator = *a;
    one->period = setup->period;
    one->time = setup->start_time - setup->period;
    one->input_count = setup->input_count;
    one->output_count = setup->output_count;
    int failed = start(one, setup, message);
    if (failed) destroy(one);
    *state = failed ? NULL : one;
    return failed;
}

static int update(void *state, double time, const double *inputs, double *outputs, char *message)
{
    instance *one = state;
    const fnd_fmu_import *f = one->import;
    bool event = false, terminate = false, early = false;
    double last = time, step = time - one->time;
    one->said[0] = '\0';
    for (int i = 0; i < one->input_count; i++)
        if (!set_value(one, one->inputs[i], inputs[i])) return fail(one, message, "setting an input");
    const int status = f->version == 3 ? (int)f->three.fmi3DoStep(one->component, one->time, step, true, &event,
                                                                  &terminate, &early, &last)
                                       : (int)f->two.fmi2DoStep(one->component, one->time, step, 1);
    if (status > FMI3_WARNING) return fail(one, message, "doStep"); /* the numbers of FMI 2.0 are the same */
    if (status == FMI3_WARNING) warn(one, "doStep returned a warning, without a word");
    if (early || terminate) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "the FMU %s", terminate ? "asks to end" : "returned early");
        return 1;
    }
    one->time = time;
    for (int i = 0; i < one->output_count; i++)
        if (!get_value(one, one->outputs[i], &outputs[i])) return fail(one, message, "reading an output");
    return 0;
}

const char *fnd_fmu_import_warning(void *state)
{
    instance *one = state;
    if (!one || one->told || !one->warning[0]) return NULL;
    one->told = true;
    return one->warning;
}

/* ---- state: the time, then the bytes of the FMU */

static int64_t save(void *state, void *bytes, size_t capacity)
{
    instance *one = state;
    const fnd_fmu_import *f = one->import;
    size_t size = 0;
    if (!f->keeps_state) return -1;
    bool good = f->version == 3
                    ? f->three.fmi3GetFMUState(one->component, &one->saved) <= FMI3_WARNING &&
                          f->three.fmi3SerializedFMUStateSize(one->component, one->saved, &size) <= FMI3_WARNING
                    : f->two.fmi2GetFMUstate(one->component, &one->saved) <= FMI2_WARNING &&
                          f->two.fmi2SerializedFMUstateSize(one->component, one->saved, &size) <= FMI2_WARNING;
    if (!good) return -1;
    if (capacity < sizeof one->time + size) return (int64_t)(sizeof one->time + size);
    char *to = (char *)bytes + sizeof one->time;
    memcpy(bytes, &one->time, sizeof one->time);
    good = f->version == 3
               ? f->three.fmi3SerializeFMUState(one->component, one->saved, (uint8_t *)to, size) <= FMI3_WARNING
               : f->two.fmi2SerializeFMUstate(one->component, one->saved, to, size) <= FMI2_WARNING;
    return good ? (int64_t)(sizeof one->time + size) : -1;
}

static int restore(void *state, const void *bytes, size_t size, char *message)
{
    instance *one = state;
    const fnd_fmu_import *f = one->import;
    void *read = NULL;
    bool good = f->keeps_state && size > sizeof one->time;
    const char *from = (const char *)bytes + sizeof one->time;
    size -= good ? sizeof one->time : 0;
    if (good && f->version == 3)
        good = f->three.fmi3DeserializeFMUState(one->component, (const uint8_t *)from, size, &read) <= FMI3_WARNING &&
               f->three.fmi3SetFMUState(one->component, read) <= FMI3_WARNING;
    else if (good)
        good = f->two.fmi2DeSerializeFMUstate(one->component, from, size, &read) <= FMI2_WARNING &&
               f->two.fmi2SetFMUstate(one->component, read) <= FMI2_WARNING;
    if (read && f->version == 3) (void)f->three.fmi3FreeFMUState(one->component, &read);
    else if (read) (void)f->two.fmi2FreeFMUstate(one->component, &read);
    if (!good) return fail(one, message, "setting the state");
    memcpy(&one->time, bytes, sizeof one->time);
    return 0;
}

const fender_controller *fnd_fmu_import_controller(void)
{
    static const fender_controller controller = {FENDER_CONTROLLER_HEAD, "fmu", init, update, save, restore, destroy};
    return &controller;
}
