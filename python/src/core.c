/* Handles, calls and errors of the extension. */
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PyObject *fpy_hook_error, *fpy_hook_record;

/* ---- what the library reports ---- */

/* Reports arrive without the interpreter lock; they become objects when the call is over. */
typedef struct fpy_report {
    struct fpy_report *next;
    fender_severity severity;
    fender_status status;
    int line, column;
    char file[256], message[320], found[160], expected[240], suggestion[320];
} fpy_report;
typedef struct fpy_diagnostics {
    fpy_report *first, **last;
    int count;
} fpy_diagnostics;

enum { MOST_REPORTS = 1000 };
/* Of the call of this thread. Reports of other threads, which a study starts, are dropped. */
static _Thread_local fpy_diagnostics *listening;
static _Thread_local PyObject *untold; /* reports of the last call, unless it failed or took them itself */

static void hear(void *ctx, const fender_diagnostic *diagnostic)
{
    (void)ctx;
    if (listening == NULL || listening->count >= MOST_REPORTS) return;
    fpy_report *report = calloc(1, sizeof *report);
    if (report == NULL) return;
    report->severity = diagnostic->severity;
    report->status = diagnostic->status;
    report->line = diagnostic->line;
    report->column = diagnostic->column;
    snprintf(report->file, sizeof report->file, "%s", diagnostic->file ? diagnostic->file : "");
    snprintf(report->message, sizeof report->message, "%s", diagnostic->message ? diagnostic->message : "");
    snprintf(report->found, sizeof report->found, "%s", diagnostic->found ? diagnostic->found : "");
    snprintf(report->expected, sizeof report->expected, "%s", diagnostic->expected ? diagnostic->expected : "");
    snprintf(report->suggestion, sizeof report->suggestion, "%s", diagnostic->suggestion ? diagnostic->suggestion : "");
    *listening->last = report;
    listening->last = &report->next;
    listening->count++;
}

const fender_env *fpy_env(void)
{
    static _Thread_local fender_env env;
    env = fender_env_default();
    env.report = hear;
    return &env;
}

static void forget(fpy_diagnostics *diagnostics)
{
    if (diagnostics == NULL) return;
    for (fpy_report *report = diagnostics->first, *next; report != NULL; report = next) {
        next = report->next;
        free(report);
    }
    diagnostics->first = NULL;
    diagnostics->last = &diagnostics->first;
    diagnostics->count = 0;
}

PyObject *fpy_take_diagnostics(fpy_call *call)
{
    PyObject *list = PyList_New(0);
    for (fpy_report *report = call->diagnostics ? call->diagnostics->first : NULL; list != NULL && report != NULL;
         report = report->next) {
        PyObject *item = Py_BuildValue("{s:i,s:i,s:i,s:i,s:N,s:N,s:N,s:N,s:N}", "severity", (int)report->severity,
                                       "status", (int)report->status, "line", report->line, "column", report->column,
                                       "source", fpy_out_text(report->file), "message", fpy_out_text(report->message),
                                       "found", fpy_out_text(report->found), "expected", fpy_out_text(report->expected),
                                       "remedy", fpy_out_text(report->suggestion));
        if (item != NULL) PyList_Append(list, item);
        Py_XDECREF(item);
    }
    forget(call->diagnostics);
    return list;
}

/* ---- errors ---- */

void fpy_raise(const fender_error *error, PyObject *diagnostics)
{
    if (fpy_hook_error == NULL) {
        PyErr_SetString(PyExc_RuntimeError, error->message);
        Py_XDECREF(diagnostics);
        return;
    }
    if (diagnostics == NULL) diagnostics = PyList_New(0);
    PyObject *instance = PyObject_CallFunction(
        fpy_hook_error, "iNNiiNNNNN", (int)error->status, fpy_out_text(error->message), fpy_out_text(error->source),
        error->line, error->column, fpy_out_text(error->path), fpy_out_text(error->found),
        fpy_out_text(error->expected), fpy_out_text(error->suggestion), diagnostics);
    if (instance != NULL) PyErr_SetObject((PyObject *)Py_TYPE(instance), instance);
    Py_XDECREF(instance);
}

void fpy_refuse(fpy_call *call, PyObject *object, const char *expected, const char *remedy)
{
    fender_error error = {.status = FENDER_STATUS_ARGUMENT, .count = 1};
    PyObject *text = PyObject_Repr(object), *type = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    PyObject *bytes = text != NULL ? PyUnicode_AsUTF8String(text) : NULL;
    PyObject *name = type != NULL ? PyUnicode_AsUTF8String(type) : NULL;
    PyErr_Clear();
    snprintf(error.path, sizeof error.path, "%.150s", call->place);
    snprintf(error.found, sizeof error.found, "%.90s (%.40s)", bytes != NULL ? PyBytes_AsString(bytes) : "?",
             name != NULL ? PyBytes_AsString(name) : "?");
    snprintf(error.expected, sizeof error.expected, "%.230s", expected);
    snprintf(error.suggestion, sizeof error.suggestion, "%.300s", remedy);
    snprintf(error.message, sizeof error.message, "this value cannot be used here");
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(bytes);
    Py_XDECREF(name);
    fpy_raise(&error, NULL);
    call->failed = true;
}

static void refuse_handle(fpy_call *call, const char *message, const char *remedy)
{
    fender_error error = {.status = FENDER_STATUS_STATE, .count = 1};
    snprintf(error.path, sizeof error.path, "%.150s", call->place);
    snprintf(error.message, sizeof error.message, "%s", message);
    snprintf(error.suggestion, sizeof error.suggestion, "%s", remedy);
    fpy_raise(&error, NULL);
    call->failed = true;
}

/* ---- handles ---- */

PyTypeObject *fpy_handle_type, *fpy_world_type;

static bool is_handle(PyObject *object) { return PyObject_IsInstance(object, (PyObject *)fpy_handle_type) == 1; }

PyObject *fpy_handle_make(void *object, int kind, bool owned, bool constant, PyObject *owner)
{
    if (object == NULL) Py_RETURN_NONE;
    allocfunc allocate = (allocfunc)PyType_GetSlot(fpy_handle_type, Py_tp_alloc);
    fpy_handle *handle = (fpy_handle *)allocate(fpy_handle_type, 0);
    if (handle == NULL) {
        if (owned && fpy_handle_kinds[kind].destroy != NULL) fpy_handle_kinds[kind].destroy(object);
        return NULL;
    }
    handle->object = object;
    handle->kind = kind;
    handle->owned = owned;
    handle->constant = constant;
    Py_XINCREF(owner);
    handle->owner = owner;
    return (PyObject *)handle;
}

static void release(fpy_handle *handle)
{
    void *object = handle->object;
    PyObject *owner = handle->owner, *holds = handle->holds;
    handle->object = NULL;
    handle->owner = handle->holds = NULL;
    if (object != NULL && handle->owned && fpy_handle_kinds[handle->kind].destroy != NULL)
        fpy_handle_kinds[handle->kind].destroy(object);
    if (handle->extra != NULL) handle->end_extra(handle->extra);
    handle->extra = NULL;
    free(handle->events);
    handle->events = NULL;
    handle->event_bytes = handle->event_capacity = 0;
    Py_XDECREF(owner);
    Py_XDECREF(holds);
}

bool fpy_handle_hold(fpy_handle *handle, PyObject *object)
{
    if (handle->holds == NULL) handle->holds = PyList_New(0);
    for (Py_ssize_t i = 0; handle->holds != NULL && i < PyList_Size(handle->holds); i++)
        if (PyList_GetItem(handle->holds, i) == object) return true;
    return handle->holds != NULL && PyList_Append(handle->holds, object) == 0;
}

static PyObject *handle_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    (void)arguments;
    (void)keywords;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    fpy_handle *handle = (fpy_handle *)allocate(type, 0);
    if (handle != NULL) handle->kind = -1;
    return (PyObject *)handle;
}

/* A law that a world holds may refer to that world. */
static int handle_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((fpy_handle *)self)->owner);
    Py_VISIT(((fpy_handle *)self)->holds);
    return 0;
}

static int handle_clear(PyObject *self)
{
    release((fpy_handle *)self);
    return 0;
}

static void handle_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    release((fpy_handle *)self);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(self);
    Py_DECREF(type);
}

static PyObject *handle_close(PyObject *self, PyObject *unused)
{
    fpy_handle *handle = (fpy_handle *)self;
    (void)unused;
    if (handle->busy) {
        fpy_call call = {.place = "close()"};
        refuse_handle(&call, "the object is in use by a call in this or another thread", "wait for that call");
        return NULL;
    }
    release(handle);
    Py_RETURN_NONE;
}

/* Takes what another handle has, which is closed then. */
static PyObject *handle_take(PyObject *self, PyObject *other)
{
    fpy_handle *to = (fpy_handle *)self, *from = (fpy_handle *)other;
    if (!is_handle(other) || to->object != NULL) {
        PyErr_SetString(PyExc_TypeError, "_take moves a handle into a new one");
        return NULL;
    }
    to->object = from->object;
    to->kind = from->kind;
    to->owned = from->owned;
    to->constant = from->constant;
    to->owner = from->owner;
    to->holds = from->holds;
    to->extra = from->extra;
    to->end_extra = from->end_extra;
    from->extra = NULL;
    from->object = NULL;
    from->owner = from->holds = NULL;
    Py_INCREF(self);
    return self;
}

static PyObject *handle_hold(PyObject *self, PyObject *object)
{
    if (!fpy_handle_hold((fpy_handle *)self, object)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *handle_kind(PyObject *self, void *unused)
{
    fpy_handle *handle = (fpy_handle *)self;
    (void)unused;
    return fpy_out_text(handle->object != NULL ? fpy_handle_kinds[handle->kind].name : NULL);
}

static PyObject *handle_closed(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(((fpy_handle *)self)->object == NULL);
}

static PyMethodDef handle_methods[] = {
    {"close", handle_close, METH_NOARGS, "Releases the object of the library now. Later use raises fender.Error."},
    {"_take", handle_take, METH_O, NULL},
    {"_hold", handle_hold, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef handle_members[] = {
    {"_kind", handle_kind, NULL, NULL, NULL},
    {"closed", handle_closed, NULL, "True after close().", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool fpy_handle_setup(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_new, (void *)handle_new},           {Py_tp_dealloc, (void *)handle_dealloc},
                                  {Py_tp_traverse, (void *)handle_traverse}, {Py_tp_clear, (void *)handle_clear},
                                  {Py_tp_methods, handle_methods},           {Py_tp_getset, handle_members},
                                  {Py_tp_doc, "An object of the library."},  {0, NULL}};
    static PyType_Spec spec = {"fender._fender.Handle", sizeof(fpy_handle), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    static PyType_Slot world_slots[] = {
        {Py_tp_methods, fpy_world_methods}, {Py_tp_getset, fpy_world_members}, {0, NULL}};
    static PyType_Spec world_spec = {"fender._fender.World", sizeof(fpy_handle), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, world_slots};
    fpy_handle_type = (PyTypeObject *)PyType_FromSpec(&spec);
    PyObject *bases = fpy_handle_type != NULL ? PyTuple_Pack(1, fpy_handle_type) : NULL;
    fpy_world_type = bases != NULL ? (PyTypeObject *)PyType_FromSpecWithBases(&world_spec, bases) : NULL;
    Py_XDECREF(bases);
    if (fpy_world_type == NULL) return false;
    Py_INCREF(fpy_handle_type);
    Py_INCREF(fpy_world_type);
    return PyModule_AddObject(module, "Handle", (PyObject *)fpy_handle_type) == 0 &&
           PyModule_AddObject(module, "World", (PyObject *)fpy_world_type) == 0;
}

void *fpy_in_handle(fpy_call *call, PyObject *object, int kind, bool changes, bool none)
{
    char expected[80];
    if (call->failed || (object == Py_None && none)) return NULL;
    fpy_handle *handle = (fpy_handle *)object;
    /* What is borrowed goes with its owner, and is in use with it. */
    fpy_handle *owner = is_handle(object) && !handle->owned && handle->owner != NULL && is_handle(handle->owner)
                            ? (fpy_handle *)handle->owner
                            : NULL;
    if (!is_handle(object) || (handle->object != NULL && handle->kind != kind)) {
        snprintf(expected, sizeof expected, "a %s", fpy_handle_kinds[kind].name);
        fpy_refuse(call, object, expected, "");
    } else if (handle->object == NULL || (owner != NULL && owner->object == NULL)) {
        refuse_handle(call, "the object is closed", "create another");
    } else if (handle->busy || (owner != NULL && owner->busy)) {
        refuse_handle(call, "the object is in use by a call in this or another thread",
                      "one thread at a time uses a world or a run, and laws leave their world alone");
    } else if (changes && handle->constant) {
        refuse_handle(call, "this world belongs to a run, which alone changes it",
                      "build one from the scenario: fender.Scenario.build");
    } else {
        if (call->busy_count < FPY_BUSY) call->busy[call->busy_count++] = handle;
        return handle->object;
    }
    return NULL;
}

/* ---- calls ---- */

bool fpy_begin(fpy_call *call, const char *name, PyObject *arguments, int count)
{
    char expected[60];
    call->name = name;
    call->arguments = arguments;
    Py_ssize_t given = PyTuple_Size(arguments);
    if (given != count) {
        snprintf(call->place, sizeof call->place, "%s", name);
        snprintf(expected, sizeof expected, "%d arguments", count);
        fpy_refuse(call, arguments, expected, "");
        return false;
    }
    return true;
}

bool fpy_keep(fpy_call *call, PyObject *object)
{
    if (object != NULL && call->keep == NULL) call->keep = PyList_New(0);
    bool kept = object != NULL && call->keep != NULL && PyList_Append(call->keep, object) == 0;
    Py_XDECREF(object);
    if (!kept) call->failed = true;
    return kept;
}

void fpy_leave(fpy_call *call)
{
    for (int i = 0; i < call->busy_count; i++)
        if (call->busy[i]->kind == FPY_WORLD || call->busy[i]->kind == FPY_RUN) call->busy[i]->busy = true;
    call->diagnostics = calloc(1, sizeof *call->diagnostics);
    if (call->diagnostics != NULL) call->diagnostics->last = &call->diagnostics->first;
    call->outer = listening;
    listening = call->diagnostics;
    call->thread = PyEval_SaveThread();
}

void fpy_enter(fpy_call *call)
{
    PyEval_RestoreThread(call->thread);
    listening = call->outer;
    for (int i = 0; i < call->busy_count; i++) call->busy[i]->busy = false;
}

bool fpy_failed(fpy_call *call, fender_status status)
{
    if (fpy_law_raised(call)) return true;
    if (status == FENDER_STATUS_OK) return call->failed;
    if (call->error.status == FENDER_STATUS_OK) {
        call->error.status = status;
        snprintf(call->error.message, sizeof call->error.message, "%s", fender_status_text(status));
        snprintf(call->error.path, sizeof call->error.path, "%s", call->name);
    }
    fpy_raise(&call->error, fpy_take_diagnostics(call));
    call->failed = true;
    return true;
}

PyObject *fpy_take_reports(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *list = untold != NULL ? untold : PyList_New(0);
    untold = NULL;
    return list;
}

void fpy_end(fpy_call *call)
{
    Py_XDECREF(call->keep);
    Py_XDECREF(untold);
    const bool told = !call->failed && call->diagnostics != NULL && call->diagnostics->count > 0;
    untold = told ? fpy_take_diagnostics(call) : NULL;
    forget(call->diagnostics);
    free(call->diagnostics);
}

bool fpy_check_signals(void) { return PyErr_CheckSignals() == 0; }
