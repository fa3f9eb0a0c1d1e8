/* Runs of scenarios, and recordings. */
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- what a run borrows */

typedef struct controller {
    fender_host_controller host;
    PyObject *function; /* called as function(setup), then its result as (time, inputs, outputs); or the address of an
                           update in C */
    fender_controller native; /* of such an address */
} controller;

/* Exceptions of callbacks wait here until the call of the run has come back. */
typedef struct run_extra {
    PyObject *keep, *progress;
    controller *controllers;
    fender_host_controller *hosts;
    int controller_count;
    PyObject *type, *value, *traceback;
} run_extra;

static void end_extra(void *memory)
{
    run_extra *extra = memory;
    Py_XDECREF(extra->keep);
    Py_XDECREF(extra->progress);
    for (int i = 0; i < extra->controller_count; i++) Py_XDECREF(extra->controllers[i].function);
    free(extra->controllers);
    free(extra->hosts);
    Py_XDECREF(extra->type);
    Py_XDECREF(extra->value);
    Py_XDECREF(extra->traceback);
    free(extra);
}

/* Keeps the first exception; others are dropped. */
static void save_exception(run_extra *extra)
{
    if (extra->type == NULL) PyErr_Fetch(&extra->type, &extra->value, &extra->traceback);
    PyErr_Clear();
}

static bool tell_progress(void *ctx, const fender_progress *progress)
{
    run_extra *extra = ctx;
    PyGILState_STATE lock = PyGILState_Ensure();
    bool go_on = fpy_check_signals();
    if (go_on && extra->progress != NULL) {
        PyObject *answer = PyObject_CallFunction(extra->progress, "ddLd", progress->time, progress->until,
                                                 (long long)progress->step, progress->wall_time);
        go_on = answer != NULL &&
                (answer == Py_None || PyObject_IsTrue(answer) == 1); /* numpy has a False of its own */
        Py_XDECREF(answer);
    }
    if (PyErr_Occurred()) {
        save_exception(extra);
        go_on = false;
    }
    PyGILState_Release(lock);
    return go_on;
}

/* ---- controllers in Python */

typedef struct controller_state {
    run_extra *extra;
    PyObject *update;
    int input_count, output_count;
} controller_state;

/* Carries an exception over the library: it becomes the controller's message, and is raised when the run is back. */
static int controller_failed(run_extra *extra, char *message)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *text = value != NULL ? PyObject_Str(value) : NULL;
    PyObject *bytes = text != NULL ? PyUnicode_AsUTF8String(text) : NULL;
    snprintf(message, FENDER_CONTROLLER_MESSAGE, "%.200s", bytes != NULL ? PyBytes_AsString(bytes) : "an exception");
    Py_XDECREF(text);
    Py_XDECREF(bytes);
    PyErr_Restore(type, value, traceback);
    save_exception(extra);
    return 1;
}

static PyObject *texts(const char *const *names, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list != NULL && i < count; i++) PyList_SetItem(list, i, fpy_out_text(names[i]));
    return list;
}

static int controller_init(const fender_controller_setup *setup, void **state, char *message)
{
    const controller *own = setup->user;
    run_extra *extra = (run_extra *)(uintptr_t)own->host.user;
    controller_state *made = calloc(1, sizeof *made);
    if (made == NULL) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "not enough memory");
        return 1;
    }
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *parameters = PyDict_New();
    for (int i = 0; parameters != NULL && i < setup->parameter_count; i++) {
        PyObject *number = PyFloat_FromDouble(setup->parameters[i]);
        PyDict_SetItemString(parameters, setup->parameter_names[i], number);
        Py_XDECREF(number);
    }
    PyObject *about = Py_BuildValue("{s:s,s:N,s:N,s:N,s:N,s:N,s:d,s:d}", "name", setup->name, "inputs",
                                    texts(setup->input_names, setup->input_count), "input_units",
                                    texts(setup->input_units, setup->input_count), "outputs",
                                    texts(setup->output_names, setup->output_count), "output_units",
                                    texts(setup->output_units, setup->output_count), "parameters", parameters, "period",
                                    setup->period, "start_time", setup->start_time);
    made->extra = extra;
    made->input_count = setup->input_count;
    made->output_count = setup->output_count;
    made->update = about != NULL ? PyObject_CallFunctionObjArgs(own->function, about, NULL) : NULL;
    Py_XDECREF(about);
    int failed = made->update == NULL ? controller_failed(extra, message) : 0;
    PyGILState_Release(lock);
    if (failed) free(made);
    else *state = made;
    return failed;
}

/* A tuple, which costs a tenth of an array of numpy. */
static PyObject *numbers(const double *values, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple != NULL && i < count; i++) PyTuple_SetItem(tuple, i, PyFloat_FromDouble(values[i]));
    return tuple;
}

/* What a controller answers: a number, or as many as there are outputs. True and False are 1 and 0, for switches. */
static size_t read_outputs(fpy_call *call, PyObject *answer, int wanted, double *outputs)
{
    const bool one = PyBool_Check(answer) || fpy_is_number(answer);
    const bool bytes = PyBytes_Check(answer) || PyByteArray_Check(answer);
    const bool several = !one && !bytes && !PyUnicode_Check(answer) && !PyDict_Check(answer) && !PyAnySet_Check(answer);
    PyObject *list = several ? PySequence_List(answer) : NULL;
    PyErr_Clear();
    const Py_ssize_t count = one ? 1 : list != NULL ? PyList_Size(list) : 0;
    if (!one && list == NULL) fpy_refuse(call, answer, "a number, a sequence or an array", "");
    for (Py_ssize_t i = 0; i < count && count == wanted && !call->failed; i++) {
        PyObject *item = one ? answer : PyList_GetItem(list, i);
        const double value = PyBool_Check(item) ? item == Py_True : fpy_in_double(call, item, NULL);
        if (!call->failed) outputs[i] = value;
    }
    Py_XDECREF(list);
    return (size_t)count;
}

static int controller_update(void *memory, double time, const double *inputs, double *outputs, char *message)
{
    controller_state *state = memory;
    PyGILState_STATE lock = PyGILState_Ensure();
    fpy_call call = {.name = "controller", .place = "controller: outputs"};
    size_t count = 0;
    PyObject *in = numbers(inputs, state->input_count), *out = numbers(outputs, state->output_count);
    PyObject *answer = in != NULL && out != NULL ? PyObject_CallFunction(state->update, "dOO", time, in, out) : NULL;
    if (answer != NULL) {
        count = read_outputs(&call, answer == Py_None ? out : answer, state->output_count, outputs);
        if (!call.failed && count != (size_t)state->output_count) {
            char expected[60];
            snprintf(expected, sizeof expected, "%d numbers, or None", state->output_count);
            fpy_refuse(&call, answer, expected, "");
        }
    }
    Py_XDECREF(in);
    Py_XDECREF(out);
    fpy_end(&call);
    int failed = answer == NULL || call.failed ? controller_failed(state->extra, message) : 0;
    Py_XDECREF(answer);
    PyGILState_Release(lock);
    return failed;
}

static void controller_destroy(void *memory)
{
    controller_state *state = memory;
    PyGILState_STATE lock = PyGILState_Ensure();
    Py_XDECREF(state->update);
    PyGILState_Release(lock);
    free(state);
}

static const fender_controller python_controller = {
    FENDER_CONTROLLER_HEAD, "python", controller_init, controller_update, NULL, NULL, controller_destroy};

/* Controllers from a dict of names and functions. */
static bool take_controllers(fpy_call *call, run_extra *extra, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t position = 0, count = dict != Py_None && PyDict_Check(dict) ? PyDict_Size(dict) : 0;
    if (count == 0) return true;
    extra->controllers = calloc((size_t)count, sizeof *extra->controllers);
    extra->hosts = calloc((size_t)count, sizeof *extra->hosts);
    if (extra->controllers == NULL || extra->hosts == NULL) {
        PyErr_NoMemory();
        return false;
    }
    while (PyDict_Next(dict, &position, &key, &value)) {
        int i = extra->controller_count;
        const char *name = fpy_in_text(call, key, false);
        if (name == NULL) return false;
        Py_INCREF(value);
        extra->controllers[i].function = value;
        extra->controllers[i].host = (fender_host_controller){name, &python_controller, extra};
        extra->hosts[i] = (fender_host_controller){name, &python_controller, &extra->controllers[i]};
        extra->controller_count++;
        if (PyLong_Check(value)) {
            void *address = PyLong_AsVoidPtr(value);
            fender_controller native = {FENDER_CONTROLLER_HEAD, "native", NULL, NULL, NULL, NULL, NULL};
            memcpy(&native.update, &address, sizeof address);
            extra->controllers[i].native = native;
            extra->hosts[i].functions = &extra->controllers[i].native;
            if (address == NULL) {
                if (!PyErr_Occurred()) fpy_refuse(call, value, "the address of a function", "");
                return false;
            }
        }
    }
    return true;
}

/* ---- runs */

/* run_open(scenario, out, command_line, verify, repeat, resume, accept_residual, progress, controllers) */
static PyObject *run_open(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    PyObject *result = NULL;
    (void)self;
    if (!fpy_begin(&call, "run_open", arguments, 9)) return NULL;
    fender_run_def def = {0};
    PyObject *scenario = fpy_argument(&call, 0, "scenario");
    def.scenario = fpy_in_handle(&call, scenario, FPY_HANDLE_fender_scenario, false, false);
    def.output_directory = fpy_in_text(&call, fpy_argument(&call, 1, "out"), true);
    def.command_line = fpy_in_text(&call, fpy_argument(&call, 2, "command_line"), true);
    def.verify_directory = fpy_in_text(&call, fpy_argument(&call, 3, "verify"), true);
    def.repeat_directory = fpy_in_text(&call, fpy_argument(&call, 4, "repeat"), true);
    def.resume = fpy_in_bool(&call, fpy_argument(&call, 5, "resume"));
    def.accept_residual = fpy_in_bool(&call, fpy_argument(&call, 6, "accept_residual"));
    PyObject *progress = fpy_argument(&call, 7, "progress");
    run_extra *extra = call.failed ? NULL : calloc(1, sizeof *extra);
    if (extra == NULL || !take_controllers(&call, extra, fpy_argument(&call, 8, "controllers"))) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        if (extra != NULL) end_extra(extra);
        fpy_end(&call);
        return NULL;
    }
    if (progress != Py_None) {
        Py_INCREF(progress);
        extra->progress = progress;
    }
    extra->keep = call.keep; /* the texts live as long as the run */
    call.keep = NULL;
    def.progress = tell_progress;
    def.progress_ctx = extra;
    def.controllers = extra->hosts;
    def.controller_count = extra->controller_count;
    fpy_leave(&call);
    fender_run *run = fender_run_create(fpy_env(), &def, &call.error);
    fpy_enter(&call);
    if (run == NULL) {
        fpy_failed(&call, call.error.status != FENDER_STATUS_OK ? call.error.status : FENDER_STATUS_MEMORY);
        end_extra(extra);
    } else {
        result = fpy_handle_make(run, FPY_RUN, true, false, scenario);
        if (result != NULL) {
            ((fpy_handle *)result)->extra = extra;
            ((fpy_handle *)result)->end_extra = end_extra;
        }
    }
    fpy_end(&call);
    return result;
}

typedef struct samples {
    fender_channel *channels;
    int count;
    double *values; /* rows of time and channels */
    size_t rows, capacity;
} samples;

static fender_status sample(samples *s, const fender_run *run)
{
    size_t width = 1 + (size_t)s->count;
    if (s->rows == s->capacity) {
        size_t capacity = s->capacity > 0 ? 2 * s->capacity : 1024;
        double *larger = realloc(s->values, capacity * width * sizeof(double));
        if (larger == NULL) return FENDER_STATUS_MEMORY;
        s->values = larger;
        s->capacity = capacity;
    }
    double *row = s->values + s->rows++ * width;
    row[0] = fender_world_time(fender_run_world(run));
    for (int i = 0; i < s->count; i++) row[1 + i] = fender_run_channel_read(run, &s->channels[i]);
    return FENDER_STATUS_OK;
}

/* Finds the channels of all patterns, each once. */
static fender_status find_channels(fender_run *run, const char *const *patterns, size_t count, samples *s,
                                   fender_error *error)
{
    for (size_t i = 0; i < count; i++) {
        int found = 0;
        fender_status status = fender_run_channel_find(run, patterns[i], NULL, 0, &found, error);
        if (status != FENDER_STATUS_OK) return status;
        fender_channel *larger = realloc(s->channels, (size_t)(s->count + found + 1) * sizeof *larger);
        if (larger == NULL) return FENDER_STATUS_MEMORY;
        s->channels = larger;
        status = fender_run_channel_find(run, patterns[i], larger + s->count, found, &found, error);
        if (status != FENDER_STATUS_OK) return status;
        int kept = s->count;
        for (int k = s->count; k < s->count + found; k++) {
            bool known = false;
            for (int j = 0; j < kept; j++) known = known || strcmp(larger[j].name, larger[k].name) == 0;
            if (!known) larger[kept++] = larger[k];
        }
        s->count = kept;
    }
    return FENDER_STATUS_OK;
}

/* Steps a run to its end and samples at every accepted state; without channels it is executed as a whole. */
static fender_status carry_out(fender_run *run, samples *s, run_extra *extra, fender_error *error)
{
    if (s->count == 0) return fender_run_execute(run, error);
    bool more = true, stopped = false;
    /* the first row, too, is after the actions and controllers at its time */
    fender_status status = fender_run_advance_to(run, fender_world_time(fender_run_world(run)), &more, error);
    if (status == FENDER_STATUS_OK) status = sample(s, run);
    double looked = now(), began = looked;
    while (status == FENDER_STATUS_OK && more && !stopped) {
        status = fender_run_step(run, &more, error);
        if (status == FENDER_STATUS_OK) status = sample(s, run);
        double present = now();
        if (present - looked < 0.1) continue;
        looked = present;
        const fender_world *world = fender_run_world(run);
        const fender_progress progress = {fender_world_time(world), fender_run_get_summary(run)->until,
                                          fender_world_step_count(world), present - began};
        stopped = !tell_progress(extra, &progress);
    }
    if (stopped) fender_run_cancel(run);
    fender_error last = {0};
    fender_status end = fender_run_finish(run, &last);
    if (status == FENDER_STATUS_OK) {
        status = stopped ? FENDER_STATUS_INTERRUPTED : end;
        if (end != FENDER_STATUS_OK) *error = last;
    }
    return status;
}

/* run_execute(run, patterns): (status, error or None, diagnostics, [(name, unit)...], rows as bytes) */
static PyObject *run_execute(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    samples s = {0};
    PyObject *result = NULL, *names = NULL;
    (void)self;
    if (!fpy_begin(&call, "run_execute", arguments, 2)) return NULL;
    PyObject *handle = fpy_argument(&call, 0, "run");
    fender_run *run = fpy_in_handle(&call, handle, FPY_RUN, true, false);
    PyObject *list = PySequence_List(fpy_argument(&call, 1, "channels"));
    size_t count = list != NULL ? (size_t)PyList_Size(list) : 0;
    const char **patterns = calloc(count + 1, sizeof *patterns);
    for (size_t i = 0; patterns != NULL && i < count && !call.failed; i++)
        patterns[i] = fpy_in_text(&call, PyList_GetItem(list, (Py_ssize_t)i), false);
    Py_XDECREF(list);
    if (call.failed || list == NULL || patterns == NULL) {
        free(patterns);
        fpy_end(&call);
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return NULL;
    }
    run_extra *extra = ((fpy_handle *)handle)->extra;
    fpy_leave(&call);
    fender_status status = find_channels(run, patterns, count, &s, &call.error);
    bool carried = status == FENDER_STATUS_OK;
    if (carried) status = carry_out(run, &s, extra, &call.error);
    fpy_enter(&call);
    free(patterns);
    if (extra->type != NULL) {
        PyErr_Restore(extra->type, extra->value, extra->traceback);
        extra->type = extra->value = extra->traceback = NULL;
    } else if (fpy_law_raised(&call)) {
        /* its exception is set */
    } else if (!carried) {
        fpy_failed(&call, status);
    } else {
        names = PyList_New(0);
        for (int i = 0; names != NULL && i < s.count; i++) {
            PyObject *name = Py_BuildValue("(ss)", s.channels[i].name, s.channels[i].unit);
            if (name != NULL) PyList_Append(names, name);
            Py_XDECREF(name);
        }
        PyObject *rows = PyByteArray_FromStringAndSize(s.rows > 0 ? (const char *)s.values : "",
                                                       (Py_ssize_t)(s.rows * (1 + (size_t)s.count) * sizeof(double)));
        PyObject *error = NULL;
        if (status != FENDER_STATUS_OK) {
            if (call.error.status == FENDER_STATUS_OK) {
                call.error.status = status;
                snprintf(call.error.message, sizeof call.error.message, "%s", fender_status_text(status));
            }
            fpy_raise(&call.error, NULL); /* made here, raised by the Python layer if it ends the run */
            PyObject *type, *value, *traceback;
            PyErr_Fetch(&type, &value, &traceback);
            PyErr_NormalizeException(&type, &value, &traceback);
            Py_XDECREF(type);
            Py_XDECREF(traceback);
            error = value;
        }
        if (error == NULL) {
            Py_INCREF(Py_None);
            error = Py_None;
        }
        result = Py_BuildValue("(iNNNN)", (int)status, error, fpy_take_diagnostics(&call), names, rows);
    }
    free(s.channels);
    free(s.values);
    fpy_end(&call);
    return result;
}

/* ---- recordings */

static PyObject *table_of(const fender_recording_table *table)
{
    PyObject *columns = PyList_New(0);
    for (int i = 0; columns != NULL && i < table->column_count; i++) {
        const fender_recording_column *column = &table->columns[i];
        if (column->values == NULL) continue;
        PyObject *bytes = PyByteArray_FromStringAndSize(table->row_count > 0 ? (const char *)column->values : "",
                                                        (Py_ssize_t)(table->row_count * sizeof(double)));
        PyObject *row = bytes != NULL
                            ? Py_BuildValue("(sssNi)", column->name, column->unit, "", bytes, i == table->time)
                            : NULL;
        if (row != NULL) PyList_Append(columns, row);
        Py_XDECREF(row);
    }
    return columns != NULL ? Py_BuildValue("(sN)", table->file, columns) : NULL;
}

/* recording_open(path, poses): [(file, [(name, unit, "", bytes, is_time)...])...] */
static PyObject *recording_open(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    fender_recording recording = {0};
    PyObject *result = NULL;
    (void)self;
    if (!fpy_begin(&call, "recording_open", arguments, 2)) return NULL;
    const char *path = fpy_in_text(&call, fpy_argument(&call, 0, "path"), false);
    bool poses = fpy_in_bool(&call, fpy_argument(&call, 1, "poses"));
    if (!call.failed) {
        fpy_leave(&call);
        fender_status status = fender_recording_open(&recording, fpy_env(), path, NULL, poses, &call.error);
        fpy_enter(&call);
        result = fpy_failed(&call, status) ? NULL : PyList_New(0);
        for (int i = 0; result != NULL && i < recording.table_count; i++) {
            PyObject *table = table_of(&recording.tables[i]);
            if (table == NULL || PyList_Append(result, table) != 0) Py_CLEAR(result);
            Py_XDECREF(table);
        }
        fender_recording_close(&recording);
    }
    fpy_end(&call);
    return result;
}

/* ---- parameters of laws, by their field tables */

static void set_field(fpy_call *call, const fender_field_table *table, void *object, PyObject *key, PyObject *value)
{
    const char *name = fpy_in_text(call, key, false);
    if (name == NULL) return;
    const fender_field *field = fender_field_find(table, name);
    snprintf(call->place, sizeof call->place, "%s.%s", table->type_name, name);
    if (field == NULL) {
        char expected[240] = "";
        size_t used = 0;
        for (int i = 0; i < table->count && used < sizeof expected; i++)
            used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", i > 0 ? ", " : "one of ",
                                     fender_field_at(table, i)->name);
        fpy_refuse(call, key, table->count > 0 ? expected : "no parameters", "");
        return;
    }
    int components = fender_field_component_count(field);
    const char *unit = strchr(field->unit, '{') == NULL ? field->unit : "";
    if (field->type == FENDER_FIELD_ENUM && PyUnicode_Check(value)) {
        const char *word = fpy_in_text(call, value, false);
        for (int i = 0; word != NULL && field->choices != NULL && field->choices[i] != NULL; i++)
            if (strcmp(field->choices[i], word) == 0) {
                fender_field_set(field, object, 0, i);
                return;
            }
        if (!call->failed) fpy_refuse(call, value, "one of the choices of this parameter", "");
    } else if (field->type == FENDER_FIELD_BOOL) {
        fender_field_set(field, object, 0, fpy_in_bool(call, value));
    } else if (components == 1) {
        fender_field_set(field, object, 0, fpy_in_double(call, value, unit));
    } else {
        PyObject *list = PyUnicode_Check(value) ? NULL : PySequence_List(value);
        PyErr_Clear();
        if (list == NULL || PyList_Size(list) != components) {
            char expected[60];
            snprintf(expected, sizeof expected, "%d numbers [%.30s]", components, unit);
            fpy_refuse(call, value, expected, "");
        }
        for (int i = 0; i < components && !call->failed; i++)
            fender_field_set(field, object, i, fpy_in_double(call, PyList_GetItem(list, i), unit));
        Py_XDECREF(list);
    }
}

/* What a scenario requires is required here: a spring whose stiffness was forgotten would let bodies pass through. */
static void require_field(fpy_call *call, const fender_field_table *table, const fender_field *field, PyObject *dict)
{
    fender_error error = {.status = FENDER_STATUS_ARGUMENT, .count = 1};
    if (!(field->flags & FENDER_FIELD_REQUIRED) || PyDict_GetItemString(dict, field->name) != NULL) return;
    snprintf(error.path, sizeof error.path, "%.80s.%.70s", table->type_name, field->name);
    snprintf(error.message, sizeof error.message, "%.60s needs its parameter '%.60s'", table->type_name, field->name);
    snprintf(error.found, sizeof error.found, "nothing");
    snprintf(error.expected, sizeof error.expected, "a value [%.30s]; it has no default", field->unit);
    fpy_raise(&error, NULL);
    call->failed = true;
}

static PyObject *packed(fpy_call *call, const fender_field_table *table, PyObject *dict)
{
    PyObject *key, *value, *result = NULL;
    Py_ssize_t position = 0;
    void *object = calloc(1, table->size > 0 ? table->size : 1);
    fender_status status = object == NULL ? FENDER_STATUS_MEMORY : FENDER_STATUS_OK;
    if (object != NULL && table->count > 0) status = fender_field_initialize(table, object, table->size, &call->error);
    if (!PyDict_Check(dict)) fpy_refuse(call, dict, "a dict of parameters", "");
    while (!call->failed && status == FENDER_STATUS_OK && PyDict_Next(dict, &position, &key, &value))
        set_field(call, table, object, key, value);
    for (int i = 0; !call->failed && status == FENDER_STATUS_OK && i < table->count; i++)
        require_field(call, table, fender_field_at(table, i), dict);
    if (!call->failed && status == FENDER_STATUS_OK && table->count > 0)
        status = fender_field_check(table, object, &call->error);
    if (!fpy_failed(call, status)) result = PyBytes_FromStringAndSize(object, (Py_ssize_t)table->size);
    free(object);
    return result;
}

/* law_pack(name, dict): parameters of a contact law as bytes */
static PyObject *law_pack(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    PyObject *result = NULL;
    (void)self;
    if (!fpy_begin(&call, "law_pack", arguments, 2)) return NULL;
    const fender_law *law = fpy_in_law(&call, fpy_argument(&call, 0, "law"));
    PyObject *dict = fpy_argument(&call, 1, "parameters");
    if (law != NULL) result = packed(&call, &law->parameters, dict);
    fpy_end(&call);
    return result;
}

/* link_pack(law, dict): parameters of a law of links as bytes */
static PyObject *link_pack(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    PyObject *result = NULL;
    (void)self;
    if (!fpy_begin(&call, "link_pack", arguments, 2)) return NULL;
    int law = (int)fpy_in_int(&call, fpy_argument(&call, 0, "law"), 0, 1000);
    PyObject *dict = fpy_argument(&call, 1, "parameters");
    const fender_field_table *table = call.failed ? NULL : fender_link_law_parameters((fender_link_law)law);
    if (table != NULL) result = packed(&call, table, dict);
    else if (!call.failed) fpy_refuse(&call, PyTuple_GetItem(arguments, 0), "a law of links", "");
    fpy_end(&call);
    return result;
}

static PyObject *law_fields(PyObject *self, PyObject *name)
{
    fpy_call call = {.place = "law"};
    (void)self;
    const fender_law *law = fpy_in_law(&call, name);
    PyObject *result = law == NULL ? NULL
                                   : Py_BuildValue("(sIN)", law->doc, law->kinds, fpy_out_fields(&law->parameters));
    fpy_end(&call);
    return result;
}

PyMethodDef fpy_module_methods[] = {
    {"run_open", run_open, METH_VARARGS, NULL},
    {"run_execute", run_execute, METH_VARARGS, NULL},
    {"recording_open", recording_open, METH_VARARGS, NULL},
    {"law_pack", law_pack, METH_VARARGS, NULL},
    {"law_fields", law_fields, METH_O, NULL},
    {"link_pack", link_pack, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
