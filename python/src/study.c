/* Studies: many runs of one scenario, with Ctrl-C and progress. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

typedef struct watch {
    PyObject *progress;
    PyObject *type, *value, *traceback;
} watch;

static bool tell_progress(void *ctx, const fender_study_progress *progress)
{
    watch *w = ctx;
    PyGILState_STATE lock = PyGILState_Ensure();
    bool go_on = fpy_check_signals();
    if (go_on && w->progress != NULL) {
        PyObject *record = fpy_out_struct(FPY_STRUCT_fender_study_progress, progress);
        PyObject *answer = record != NULL ? PyObject_CallFunctionObjArgs(w->progress, record, NULL) : NULL;
        go_on = answer != NULL &&
                (answer == Py_None || PyObject_IsTrue(answer) == 1); /* numpy has a False of its own */
        Py_XDECREF(answer);
        Py_XDECREF(record);
    }
    if (PyErr_Occurred()) {
        if (w->type == NULL) PyErr_Fetch(&w->type, &w->value, &w->traceback);
        PyErr_Clear();
        go_on = false;
    }
    PyGILState_Release(lock);
    return go_on;
}

/* study_run(study, store, jobs, shard, shard_count, progress): (interrupted, fender_study_progress) */
static PyObject *study_run(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    watch w = {0};
    fender_study_progress result = {0};
    PyObject *answer = NULL;
    (void)self;
    if (!fpy_begin(&call, "study_run", arguments, 6)) return NULL;
    fender_study_def def = {.progress = tell_progress, .progress_ctx = &w};
    def.study = fpy_in_handle(&call, fpy_argument(&call, 0, "study"), FPY_HANDLE_fender_study, false, false);
    def.store = fpy_in_text(&call, fpy_argument(&call, 1, "store"), false);
    def.jobs = (int)fpy_in_int(&call, fpy_argument(&call, 2, "jobs"), 0, 100000);
    def.shard = fpy_in_int(&call, fpy_argument(&call, 3, "shard"), 0, INT64_MAX);
    def.shard_count = fpy_in_int(&call, fpy_argument(&call, 4, "shard_count"), 0, INT64_MAX);
    PyObject *progress = fpy_argument(&call, 5, "progress");
    if (!call.failed) {
        w.progress = progress != Py_None ? progress : NULL;
        fpy_leave(&call);
        fender_status status = fender_study_run(fpy_env(), &def, &result, &call.error);
        fpy_enter(&call);
        bool interrupted = status == FENDER_STATUS_INTERRUPTED;
        if (w.type != NULL) PyErr_Restore(w.type, w.value, w.traceback);
        else if (interrupted || !fpy_failed(&call, status))
            answer = Py_BuildValue("(ON)", interrupted ? Py_True : Py_False,
                                   fpy_out_struct(FPY_STRUCT_fender_study_progress, &result));
    }
    fpy_end(&call);
    return answer;
}

/* ---- texts that arrive in pieces */

typedef struct pieces {
    char *text;
    size_t length, capacity;
    bool failed;
} pieces;

static void put(void *ctx, const char *text)
{
    pieces *p = ctx;
    size_t length = strlen(text);
    if (p->length + length + 1 > p->capacity) {
        size_t capacity = 2 * (p->length + length + 1);
        char *larger = realloc(p->text, capacity);
        p->failed = p->failed || larger == NULL;
        if (larger == NULL) return;
        p->text = larger;
        p->capacity = capacity;
    }
    memcpy(p->text + p->length, text, length + 1);
    p->length += length;
}

static PyObject *end_pieces(fpy_call *call, pieces *p, fender_status status)
{
    PyObject *result = NULL;
    if (p->failed) status = FENDER_STATUS_MEMORY;
    if (!call->failed && !fpy_failed(call, status)) result = fpy_out_text(p->text != NULL ? p->text : "");
    free(p->text);
    fpy_end(call);
    return result;
}

/* study_report(store, confidence): text */
static PyObject *study_report(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    pieces p = {0};
    (void)self;
    if (!fpy_begin(&call, "study_report", arguments, 2)) return NULL;
    fender_study_report_def def = {.put = put, .ctx = &p};
    def.store = fpy_in_text(&call, fpy_argument(&call, 0, "store"), false);
    def.confidence = fpy_in_double(&call, fpy_argument(&call, 1, "confidence"), NULL);
    if (call.failed) return end_pieces(&call, &p, FENDER_STATUS_ARGUMENT);
    fpy_leave(&call);
    fender_status status = fender_study_report_at(fpy_env(), &def, &call.error);
    fpy_enter(&call);
    return end_pieces(&call, &p, status);
}

/* study_print(study, run): the scenario of a run as text */
static PyObject *study_print(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    pieces p = {0};
    (void)self;
    if (!fpy_begin(&call, "study_print", arguments, 2)) return NULL;
    const fender_study *study = fpy_in_handle(&call, fpy_argument(&call, 0, "study"), FPY_HANDLE_fender_study, false,
                                              false);
    int64_t run = fpy_in_int(&call, fpy_argument(&call, 1, "run"), 0, INT64_MAX);
    fender_status status = FENDER_STATUS_ARGUMENT;
    if (!call.failed) status = fender_study_print(study, fpy_env(), run, put, &p, &call.error);
    return end_pieces(&call, &p, status);
}

PyMethodDef fpy_study_methods[] = {
    {"study_run", study_run, METH_VARARGS, NULL},
    {"study_report", study_report, METH_VARARGS, NULL},
    {"study_print", study_print, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
