/* Worlds: steps, states, contacts and events, where cost or Ctrl-C count. */
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* s between two looks at Ctrl-C; steps between two looks at the clock */
static const double look_every = 0.1;
enum { STEPS_A_LOOK = 64 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The world of a handle that may be changed, or NULL with an exception set. */
static fender_world *world_of(PyObject *self, fpy_call *call, const char *name, bool changes)
{
    fpy_handle *handle = (fpy_handle *)self;
    if (handle->object != NULL && handle->kind == FPY_WORLD && !handle->busy && !handle->constant) {
        call->busy[call->busy_count++] = handle;
        return handle->object;
    }
    call->name = name;
    strncpy(call->place, name, sizeof call->place - 1);
    return fpy_in_handle(call, self, FPY_WORLD, changes, false);
}

static PyObject *world_step(PyObject *self, PyObject *unused)
{
    fpy_call call = {0};
    (void)unused;
    fender_world *world = world_of(self, &call, "step", true);
    fpy_handle *handle = (fpy_handle *)self;
    if (world == NULL) return NULL;
    handle->event_bytes = 0;
    handle->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    fender_status status = fender_world_step(world, &call.error);
    PyEval_RestoreThread(thread);
    handle->busy = false;
    if (fpy_failed(&call, status)) return NULL;
    Py_RETURN_NONE;
}

/* Keeps the events of a part of a long call. */
static fender_status keep_events(fpy_handle *handle, const fender_world *world)
{
    int count = 0;
    const fender_event *events = fender_world_events(world, &count);
    size_t bytes = (size_t)count * sizeof *events;
    if (bytes == 0) return FENDER_STATUS_OK;
    if (handle->event_bytes + bytes > handle->event_capacity) {
        size_t capacity = 2 * (handle->event_bytes + bytes);
        char *larger = realloc(handle->events, capacity);
        if (larger == NULL) return FENDER_STATUS_MEMORY;
        handle->events = larger;
        handle->event_capacity = capacity;
    }
    memcpy(handle->events + handle->event_bytes, events, bytes);
    handle->event_bytes += bytes;
    return FENDER_STATUS_OK;
}

/* Ctrl-C, of which the main thread alone is told, or _stop by that one: true with an exception set. */
static bool is_interrupted(const fpy_handle *handle)
{
    if (!fpy_check_signals()) return true;
    if (handle->stopped) PyErr_SetNone(PyExc_KeyboardInterrupt);
    return handle->stopped;
}

/* Advances by `count` steps, or with count < 0 to `time`, in parts between which Ctrl-C is looked at. */
static PyObject *advance(PyObject *self, fpy_call *call, fender_world *world, int64_t count, double time)
{
    fpy_handle *handle = (fpy_handle *)self;
    fender_status status = FENDER_STATUS_OK;
    bool more = true, interrupted = false, first = true;
    if (is_interrupted(handle)) return NULL;
    handle->event_bytes = 0;
    handle->busy = true;
    PyThreadState *thread = PyEval_SaveThread();
    double looked = now();
    while (more && !interrupted && status == FENDER_STATUS_OK) {
        if (!first) status = keep_events(handle, world);
        if (count >= 0 && status == FENDER_STATUS_OK) {
            int64_t part = count < STEPS_A_LOOK ? count : STEPS_A_LOOK;
            status = fender_world_advance(world, part, &call->error);
            count -= part;
            more = count > 0;
        } else if (status == FENDER_STATUS_OK) { /* what fender_world_advance_to does, a step at a time */
            fender_proposal proposal;
            bool apart = fender_world_time(world) < time;
            status = apart ? fender_world_propose(world, time, &proposal, &call->error)
                           : fender_world_advance_to(world, time, &call->error);
            if (apart && status == FENDER_STATUS_OK) status = fender_world_accept(world, &call->error);
            more = apart && fender_world_time(world) < time;
        }
        first = false;
        if (!more || (count < 0 && fender_world_step_count(world) % STEPS_A_LOOK != 0)) continue;
        double present = now();
        if (present - looked < look_every) continue;
        looked = present;
        PyEval_RestoreThread(thread);
        interrupted = is_interrupted(handle);
        thread = PyEval_SaveThread();
    }
    PyEval_RestoreThread(thread);
    handle->busy = false;
    if (interrupted || fpy_failed(call, status)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *world_advance(PyObject *self, PyObject *count)
{
    fpy_call call = {0};
    fender_world *world = world_of(self, &call, "advance", true);
    if (world == NULL) return NULL;
    strcpy(call.place, "advance(count)");
    int64_t steps = fpy_in_int(&call, count, 0, INT64_MAX);
    return call.failed ? NULL : advance(self, &call, world, steps, 0);
}

static PyObject *world_advance_to(PyObject *self, PyObject *time)
{
    fpy_call call = {0};
    fender_world *world = world_of(self, &call, "advance_to", true);
    if (world == NULL) return NULL;
    strcpy(call.place, "advance_to(time)");
    double until = fpy_in_double(&call, time, "s");
    fpy_end(&call);
    return call.failed ? NULL : advance(self, &call, world, -1, until);
}

/* _stop(true): a call that advances the world ends soon, and those to come at once, with KeyboardInterrupt, until
 * _stop(false). */
static PyObject *world_stop(PyObject *self, PyObject *stopped)
{
    ((fpy_handle *)self)->stopped = PyObject_IsTrue(stopped) == 1;
    Py_RETURN_NONE;
}

static PyObject *world_events(PyObject *self, PyObject *unused)
{
    fpy_call call = {0};
    (void)unused;
    const fender_world *world = world_of(self, &call, "events", false);
    fpy_handle *handle = (fpy_handle *)self;
    int count = 0;
    if (world == NULL) return NULL;
    const fender_event *events = fender_world_events(world, &count);
    size_t bytes = (size_t)count * sizeof *events;
    PyObject *buffer = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(handle->event_bytes + bytes));
    if (buffer == NULL) return NULL;
    char *to = PyByteArray_AsString(buffer);
    if (handle->event_bytes > 0) memcpy(to, handle->events, handle->event_bytes);
    if (bytes > 0) memcpy(to + handle->event_bytes, events, bytes);
    return fpy_record("fender_event", buffer, true);
}

static fender_clock clock_of(fpy_call *call, PyObject *object)
{
    for (int i = 0; i < fpy_enum_count; i++)
        if (strcmp(fpy_enums[i].name, "fender_clock") == 0)
            return (fender_clock)fpy_in_enum(call, object, &fpy_enums[i]);
    return FENDER_CLOCK_COMMITTED;
}

static PyObject *world_contacts(PyObject *self, PyObject *which)
{
    fpy_call call = {.place = "contacts(clock)"};
    fender_world *world = world_of(self, &call, "contacts", false);
    fender_clock clock = clock_of(&call, which);
    if (world == NULL || call.failed) return NULL;
    int count = fender_contact_count(world, clock);
    PyObject *buffer = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)count * (Py_ssize_t)sizeof(fender_contact_data));
    if (buffer == NULL) return NULL;
    fender_contact_data data, *to = (fender_contact_data *)(void *)PyByteArray_AsString(buffer);
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < count && status == FENDER_STATUS_OK; i++) {
        memset(&data, 0, sizeof data);
        status = fender_contact_at(world, clock, i, &data);
        memcpy(&to[i], &data, sizeof data);
    }
    if (fpy_failed(&call, status)) {
        Py_DECREF(buffer);
        return NULL;
    }
    return fpy_record("fender_contact_data", buffer, true);
}

static PyObject *world_states(PyObject *self, PyObject *which)
{
    fpy_call call = {.place = "states(clock)"};
    fender_world *world = world_of(self, &call, "states", false);
    fender_clock clock = clock_of(&call, which);
    if (world == NULL || call.failed) return NULL;
    int count = fender_body_count(world);
    PyObject *buffer = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)count * (Py_ssize_t)sizeof(fender_body_data));
    if (buffer == NULL) return NULL;
    fender_body_data data, *to = (fender_body_data *)(void *)PyByteArray_AsString(buffer);
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < count && status == FENDER_STATUS_OK; i++) {
        memset(&data, 0, sizeof data);
        status = fender_body_get(world, fender_body_at(world, i), clock, &data);
        memcpy(&to[i], &data, sizeof data);
    }
    if (fpy_failed(&call, status)) {
        Py_DECREF(buffer);
        return NULL;
    }
    return fpy_record("fender_body_data", buffer, true);
}

/* ---- the state as a vector, for integrators of others */

static PyObject *world_get_state(PyObject *self, PyObject *unused)
{
    fpy_call call = {0};
    (void)unused;
    fender_world *world = world_of(self, &call, "get_state", false);
    if (world == NULL) return NULL;
    Py_ssize_t size = fender_world_state_count(world) * (Py_ssize_t)sizeof(double);
    PyObject *buffer = PyByteArray_FromStringAndSize(NULL, size);
    if (buffer == NULL) return NULL;
    fender_world_get_state(world, (double *)(void *)PyByteArray_AsString(buffer));
    return fpy_record("double", buffer, true);
}

/* set_state(time, y) */
static PyObject *world_set_state(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    size_t count = 0;
    fender_world *world = world_of(self, &call, "set_state", true);
    if (world == NULL || !fpy_begin(&call, "set_state", arguments, 2)) return NULL;
    double time = fpy_in_double(&call, fpy_argument(&call, 0, "time"), "s");
    PyObject *given = fpy_argument(&call, 1, "y");
    const double *y = fpy_in_array(&call, given, FPY_DOUBLE, sizeof(double), NULL, &count);
    if (!call.failed && count != (size_t)fender_world_state_count(world)) {
        char expected[80];
        snprintf(expected, sizeof expected, "%d numbers, 13 for each dynamic body", fender_world_state_count(world));
        fpy_refuse(&call, given, expected, "");
    }
    fender_status status = FENDER_STATUS_OK;
    if (!call.failed) status = fender_world_set_state(world, time, y, &call.error);
    bool failed = fpy_failed(&call, status);
    fpy_end(&call);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static PyObject *world_derivative(PyObject *self, PyObject *unused)
{
    fpy_call call = {0};
    (void)unused;
    fender_world *world = world_of(self, &call, "derivative", true);
    if (world == NULL) return NULL;
    Py_ssize_t size = fender_world_state_count(world) * (Py_ssize_t)sizeof(double);
    PyObject *buffer = PyByteArray_FromStringAndSize(NULL, size);
    if (buffer == NULL) return NULL;
    double *rates = (double *)(void *)PyByteArray_AsString(buffer);
    fpy_leave(&call); /* threads of the world may call laws in Python */
    fender_status status = fender_world_derivative(world, rates, &call.error);
    fpy_enter(&call);
    bool failed = fpy_failed(&call, status);
    fpy_end(&call);
    if (!failed) return fpy_record("double", buffer, true);
    Py_DECREF(buffer);
    return NULL;
}

/* ---- deviations, as matrices row by row */

/* _advance_tangent(time, x): x at that time */
static PyObject *world_advance_tangent(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    size_t count = 0;
    PyObject *result = NULL;
    fender_world *world = world_of(self, &call, "advance_tangent", true);
    if (world == NULL || !fpy_begin(&call, "advance_tangent", arguments, 2)) return NULL;
    double time = fpy_in_double(&call, fpy_argument(&call, 0, "time"), "s");
    PyObject *given = fpy_argument(&call, 1, "x");
    const double *x = fpy_in_array(&call, given, FPY_DOUBLE, sizeof(double), NULL, &count);
    const size_t rows = (size_t)fender_world_deviation_count(world);
    if (!call.failed && (rows == 0 || count == 0 || count % rows != 0)) {
        char expected[80];
        snprintf(expected, sizeof expected, "%zu rows, 12 for each dynamic body", rows);
        fpy_refuse(&call, given, expected, "");
    }
    if (!call.failed) result = PyByteArray_FromStringAndSize((const char *)x, (Py_ssize_t)(count * sizeof(double)));
    if (result != NULL) {
        double *numbers = (double *)(void *)PyByteArray_AsString(result);
        ((fpy_handle *)self)->event_bytes = 0;
        fpy_leave(&call);
        fender_status status = fender_world_advance_tangent(world, time, (int)(count / rows), numbers, &call.error);
        fpy_enter(&call);
        if (fpy_failed(&call, status)) Py_CLEAR(result);
    }
    fpy_end(&call);
    return result != NULL ? fpy_record("double", result, true) : NULL;
}

static PyObject *world_linearize(PyObject *self, PyObject *unused)
{
    fpy_call call = {0};
    (void)unused;
    fender_world *world = world_of(self, &call, "linearize", true);
    if (world == NULL) return NULL;
    const Py_ssize_t rows = fender_world_deviation_count(world);
    PyObject *buffer = PyByteArray_FromStringAndSize(NULL, rows * rows * (Py_ssize_t)sizeof(double));
    if (buffer == NULL) return NULL;
    double *numbers = (double *)(void *)PyByteArray_AsString(buffer);
    fpy_leave(&call);
    fender_status status = fender_world_linearize(world, numbers, &call.error);
    fpy_enter(&call);
    bool failed = fpy_failed(&call, status);
    fpy_end(&call);
    if (!failed) return fpy_record("double", buffer, true);
    Py_DECREF(buffer);
    return NULL;
}

/* ---- channels and commands by name */

/* _channels(pattern): (names, units, values as an array) */
static PyObject *world_channels(PyObject *self, PyObject *given)
{
    fpy_call call = {.place = "channel(pattern)"};
    PyObject *result = NULL;
    fender_world *world = world_of(self, &call, "channel", false);
    const char *pattern = world != NULL ? fpy_in_text(&call, given, false) : NULL;
    int count = 0;
    if (pattern == NULL) {
        fpy_end(&call);
        return NULL;
    }
    fender_status status = fender_channel_find(world, pattern, NULL, 0, &count, &call.error);
    fender_channel *channels = calloc((size_t)count + 1, sizeof *channels);
    double *values = calloc((size_t)count + 1, sizeof *values);
    if (channels == NULL || values == NULL) status = FENDER_STATUS_MEMORY;
    if (status == FENDER_STATUS_OK) status = fender_channel_find(world, pattern, channels, count, &count, &call.error);
    if (!fpy_failed(&call, status)) {
        PyObject *names = PyList_New(count), *units = PyList_New(count);
        for (int i = 0; names != NULL && units != NULL && i < count; i++) {
            values[i] = fender_channel_read(world, &channels[i]);
            PyList_SetItem(names, i, fpy_out_text(channels[i].name));
            PyList_SetItem(units, i, fpy_out_text(channels[i].unit));
        }
        PyObject *array = fpy_out_array(FPY_DOUBLE, NULL, sizeof(double), values, (size_t)count);
        if (names != NULL && units != NULL && array != NULL) result = Py_BuildValue("(NNN)", names, units, array);
    }
    free(channels);
    free(values);
    fpy_end(&call);
    return result;
}

/* set_command(name, values) */
static PyObject *world_set_command(PyObject *self, PyObject *arguments)
{
    fpy_call call = {0};
    fender_command command;
    double values[FENDER_COMMAND_CAPACITY] = {0};
    fender_world *world = world_of(self, &call, "set_command", true);
    if (world == NULL || !fpy_begin(&call, "set_command", arguments, 2)) return NULL;
    const char *name = fpy_in_text(&call, fpy_argument(&call, 0, "name"), false);
    fender_status status = call.failed ? FENDER_STATUS_OK : fender_command_find(world, name, &command, &call.error);
    if (!call.failed && status == FENDER_STATUS_OK) {
        PyObject *given = fpy_argument(&call, 1, "values");
        if (command.count > 1 || !(fpy_is_number(given) || PyUnicode_Check(given)))
            fpy_in_numbers(&call, given, command.count, command.unit, values);
        else values[0] = PyBool_Check(given) ? given == Py_True : fpy_in_double(&call, given, command.unit);
        if (!call.failed) status = fender_command_set(world, &command, values, &call.error);
    }
    bool failed = fpy_failed(&call, status);
    fpy_end(&call);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static PyObject *world_get_command(PyObject *self, PyObject *given)
{
    fpy_call call = {.place = "get_command(name)"};
    fender_command command;
    double values[FENDER_COMMAND_CAPACITY] = {0};
    PyObject *result = NULL;
    fender_world *world = world_of(self, &call, "get_command", false);
    const char *name = world != NULL ? fpy_in_text(&call, given, false) : NULL;
    if (name != NULL) {
        fender_status status = fender_command_find(world, name, &command, &call.error);
        if (status == FENDER_STATUS_OK) status = fender_command_get(world, &command, values);
        if (!fpy_failed(&call, status))
            result = command.count == 1
                         ? PyFloat_FromDouble(values[0])
                         : fpy_out_array(FPY_DOUBLE, NULL, sizeof(double), values, (size_t)command.count);
    }
    fpy_end(&call);
    return result;
}

static PyObject *world_time(PyObject *self, void *unused)
{
    fpy_call call = {0};
    (void)unused;
    const fender_world *world = world_of(self, &call, "time", false);
    return world != NULL ? PyFloat_FromDouble(fender_world_time(world)) : NULL;
}

PyGetSetDef fpy_world_members[] = {
    {"time", world_time, NULL, "Committed time [s].", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
PyMethodDef fpy_world_methods[] = {
    {"step", world_step, METH_NOARGS,
     "Takes one step. On failure (NOT_FINITE, INTEGRATOR) the world stays at the last accepted state."},
    {"advance", world_advance, METH_O,
     "advance(count): takes `count` steps and keeps the events of all of them. Ctrl-C ends it at an accepted step."},
    {"advance_to", world_advance_to, METH_O,
     "advance_to(time): takes steps until the time [s] is reached, exactly; keeps the events of all of them. Ctrl-C "
     "ends "
     "it at an accepted step."},
    {"_stop", world_stop, METH_O, NULL},
    {"_events", world_events, METH_NOARGS, NULL},
    {"_contacts", world_contacts, METH_O, NULL},
    {"_states", world_states, METH_O, NULL},
    {"_channels", world_channels, METH_O, NULL},
    {"get_state", world_get_state, METH_NOARGS,
     "The committed state as a vector of 13 numbers for each dynamic body, in order of creation: position of the "
     "centre "
     "of mass [m, W], q_WB (w x y z), its velocity [m/s, W], angular momentum about it [N m s, W]."},
    {"set_state", world_set_state, METH_VARARGS,
     "set_state(time, y): sets a trial state of get_state's form at a time [s]. The committed state is kept until "
     "commit(); the next step discards the trial state."},
    {"derivative", world_derivative, METH_NOARGS,
     "dy/dt at the last set state, or at the committed state if none was set since the last accepted step."},
    {"_advance_tangent", world_advance_tangent, METH_VARARGS, NULL},
    {"_linearize", world_linearize, METH_NOARGS, NULL},
    {"set_command", world_set_command, METH_VARARGS,
     "set_command(name, values): sets a command by name, such as \"loads.engine.throttle\", in SI units or as texts "
     "with units (\"2 kN\"; [0, 0, \"2 kN\"]). Takes effect at the present time."},
    {"get_command", world_get_command, METH_O, "get_command(name): the present value of a command."},
    {NULL, NULL, 0, NULL},
};
