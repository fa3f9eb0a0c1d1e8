/* Contact laws from Python: functions in Python, and addresses of compiled ones. */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value that a function gets: a member of fender_contact_input, or a parameter. */
typedef struct value {
    bool of_contact;
    fpy_kind kind; /* FPY_DOUBLE, FPY_INT or FPY_BOOL */
    size_t offset;
    int count;
} value;
typedef struct function {
    PyObject *call; /* NULL: none */
    value *values;
    int count;
} function;

/* An exception of a law waits here until the call of the library has come back. */
typedef struct exception {
    PyObject *type, *value, *traceback;
} exception;

typedef struct fpy_law {
    PyObject_HEAD fender_law law;
    fender_field *fields;
    PyObject *texts; /* what the fields and the law point into */
    function force, energy;
    int slot;         /* -1: compiled functions */
    exception raised; /* on a thread that is not Python's */
} fpy_law;

static PyTypeObject *law_type;
static _Thread_local exception raised_here;
static int raised_elsewhere; /* laws whose `raised` is set */

/* ---- one pair of functions of C for each law in Python that is alive: a law is not told who it is */

enum { SLOTS = 64 };
static fpy_law *slots[SLOTS];

static void call_force(int slot, const void *parameters, const fender_contact_input *in, fender_contact_output *out);
static double call_energy(int slot, const void *parameters, const fender_contact_input *in);

#define PAIR(slot)                                                                                          \
    static void force_##slot(const void *parameters, const fender_contact_input *in, const void *memory,    \
                             fender_contact_output *out)                                                    \
    {                                                                                                       \
        (void)memory;                                                                                       \
        call_force(slot, parameters, in, out);                                                              \
    }                                                                                                       \
    static double energy_##slot(const void *parameters, const fender_contact_input *in, const void *memory) \
    {                                                                                                       \
        (void)memory;                                                                                       \
        return call_energy(slot, parameters, in);                                                           \
    }
#define ADDRESSES(slot) {force_##slot, energy_##slot},
#define EIGHT(X, n)     X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define ALL(X)          /* in octal */ \
    EIGHT(X, 00) EIGHT(X, 01) EIGHT(X, 02) EIGHT(X, 03) EIGHT(X, 04) EIGHT(X, 05) EIGHT(X, 06) EIGHT(X, 07)
ALL(PAIR)
static const struct {
    void (*force)(const void *, const fender_contact_input *, const void *, fender_contact_output *);
    double (*energy)(const void *, const fender_contact_input *, const void *);
} addresses[SLOTS] = {ALL(ADDRESSES)};

/* ---- calls from the library */

/* Keeps the first exception, until fpy_law_raised. */
static void keep_exception(fpy_law *law, bool elsewhere)
{
    exception *place = elsewhere ? &law->raised : &raised_here;
    if (place->type == NULL) {
        PyErr_Fetch(&place->type, &place->value, &place->traceback);
        if (elsewhere) raised_elsewhere++;
    }
    PyErr_Clear();
}

static PyObject *number_at(const value *v, const char *at)
{
    double real;
    int integer;
    bool logical;
    if (v->kind == FPY_DOUBLE) {
        memcpy(&real, at, sizeof real);
        return PyFloat_FromDouble(real);
    }
    if (v->kind == FPY_INT) {
        memcpy(&integer, at, sizeof integer);
        return PyLong_FromLong(integer);
    }
    memcpy(&logical, at, sizeof logical);
    return PyBool_FromLong(logical);
}

static PyObject *call_function(const function *f, const void *parameters, const fender_contact_input *in)
{
    PyObject *arguments = PyTuple_New(f->count);
    for (int i = 0; arguments != NULL && i < f->count; i++) {
        const value *v = &f->values[i];
        const char *at = (v->of_contact ? (const char *)in : (const char *)parameters) + v->offset;
        PyObject *argument = v->count == 1 ? number_at(v, at) : PyTuple_New(v->count);
        for (int k = 0; argument != NULL && v->count > 1 && k < v->count; k++)
            PyTuple_SetItem(argument, k, number_at(v, at + (size_t)k * sizeof(double)));
        if (argument == NULL) {
            Py_DECREF(arguments);
            return NULL;
        }
        PyTuple_SetItem(arguments, i, argument);
    }
    if (arguments == NULL || f->call == NULL) {
        Py_XDECREF(arguments);
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "the law has been collected");
        return NULL;
    }
    PyObject *answer = PyObject_CallObject(f->call, arguments);
    Py_DECREF(arguments);
    return answer;
}

static void begin_answer(fpy_call *call, const fpy_law *law, const char *what)
{
    call->name = law->law.name;
    snprintf(call->place, sizeof call->place, "law %.100s: %s", law->law.name, what);
}

static void call_force(int slot, const void *parameters, const fender_contact_input *in, fender_contact_output *out)
{
    bool elsewhere = PyGILState_GetThisThreadState() == NULL;
    PyGILState_STATE lock = PyGILState_Ensure();
    fpy_law *law = slots[slot];
    fpy_call call = {0};
    begin_answer(&call, law, "force");
    PyObject *answer = call_function(&law->force, parameters, in);
    if (answer == NULL) call.failed = true;
    else if (fpy_is_number(answer)) out->force.z = fpy_in_double(&call, answer, "N");
    else if (PyDict_Check(answer)) fpy_in_struct(&call, answer, FPY_STRUCT_fender_contact_output, out);
    else if (PyUnicode_Check(answer) || !PySequence_Check(answer) || PySequence_Size(answer) != 3) {
        PyErr_Clear();
        fpy_refuse(&call, answer,
                   "a number [N] along the normal, three numbers in C, or a dict of fender_contact_output", "");
    } else fpy_in_struct(&call, answer, FPY_STRUCT_fender_vec3, &out->force);
    Py_XDECREF(answer);
    fpy_end(&call);
    if (call.failed) {
        keep_exception(law, elsewhere);
        out->force.z = NAN; /* which no step accepts */
    }
    PyGILState_Release(lock);
}

static double call_energy(int slot, const void *parameters, const fender_contact_input *in)
{
    bool elsewhere = PyGILState_GetThisThreadState() == NULL;
    PyGILState_STATE lock = PyGILState_Ensure();
    fpy_law *law = slots[slot];
    fpy_call call = {0};
    begin_answer(&call, law, "energy");
    PyObject *answer = call_function(&law->energy, parameters, in);
    double energy = answer != NULL ? fpy_in_double(&call, answer, "J") : NAN;
    Py_XDECREF(answer);
    fpy_end(&call);
    if (answer == NULL || call.failed) {
        keep_exception(law, elsewhere);
        energy = NAN;
    }
    PyGILState_Release(lock);
    return energy;
}

static bool restore_exception(exception *from)
{
    if (from->type == NULL) return false;
    PyErr_Restore(from->type, from->value, from->traceback);
    from->type = from->value = from->traceback = NULL;
    return true;
}

/* Looks for it in what an object holds: a world or a registry its laws, a run its scenario, that its registry. */
static bool restore_held(PyObject *object)
{
    if (object == NULL) return false;
    if (PyObject_IsInstance(object, (PyObject *)law_type) == 1) {
        bool found = restore_exception(&((fpy_law *)object)->raised);
        raised_elsewhere -= found;
        return found;
    }
    if (PyObject_IsInstance(object, (PyObject *)fpy_handle_type) != 1) return false;
    fpy_handle *handle = (fpy_handle *)object;
    for (Py_ssize_t i = 0; handle->holds != NULL && i < PyList_Size(handle->holds); i++)
        if (restore_held(PyList_GetItem(handle->holds, i))) return true;
    return restore_held(handle->owner);
}

bool fpy_law_raised(fpy_call *call)
{
    bool found = restore_exception(&raised_here);
    for (int i = 0; i < call->busy_count && !found && raised_elsewhere > 0; i++)
        found = restore_held((PyObject *)call->busy[i]);
    if (found) call->failed = true;
    return found;
}

/* ---- the type */

static bool take_function(fpy_call *call, function *to, PyObject *callable, PyObject *values)
{
    Py_ssize_t count = PyList_Check(values) ? PyList_Size(values) : -1;
    if (count < 0) {
        fpy_refuse(call, values, "a list", "");
        return false;
    }
    to->values = calloc((size_t)count + 1, sizeof *to->values);
    if (to->values == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        int of_contact;
        const char *kind;
        Py_ssize_t offset, numbers;
        if (!PyArg_ParseTuple(PyList_GetItem(values, i), "psnn", &of_contact, &kind, &offset, &numbers)) return false;
        fpy_kind known = strcmp(kind, "int") == 0 ? FPY_INT : strcmp(kind, "bool") == 0 ? FPY_BOOL : FPY_DOUBLE;
        to->values[i] = (value){of_contact != 0, known, (size_t)offset, (int)numbers};
    }
    to->count = (int)count;
    Py_INCREF(callable);
    to->call = callable;
    return true;
}

/* Fields from rows (name, unit, doc, required, minimum, maximum, initial). */
static bool take_fields(fpy_call *call, fpy_law *self, PyObject *rows)
{
    Py_ssize_t count = PyList_Check(rows) ? PyList_Size(rows) : -1;
    self->fields = count >= 0 ? calloc((size_t)count + 1, sizeof *self->fields) : NULL;
    if (self->fields == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name, *unit, *doc;
        int required;
        fender_field *field = &self->fields[i];
        if (!PyArg_ParseTuple(PyList_GetItem(rows, i), "OOOpddd", &name, &unit, &doc, &required, &field->minimum,
                              &field->maximum, &field->initial))
            return false;
        field->name = fpy_in_text(call, name, false);
        field->unit = fpy_in_text(call, unit, false);
        field->doc = fpy_in_text(call, doc, false);
        field->type = FENDER_FIELD_REAL;
        field->offset = (uint32_t)((size_t)i * sizeof(double));
        field->flags = required ? FENDER_FIELD_REQUIRED : 0;
        if (call->failed) return false;
        fender_unit known;
        if (fender_unit_parse(field->unit, strlen(field->unit), &known, NULL) != FENDER_STATUS_OK) {
            fpy_refuse(call, unit, "a unit of SI, such as N*s/m, or 1 without", "");
            return false;
        }
    }
    self->law.parameters = (fender_field_table){self->law.name, self->fields, (int)count,
                                                (uint32_t)sizeof(fender_field), (size_t)count * sizeof(double)};
    return true;
}

static bool take_slot(fpy_call *call, fpy_law *self, PyObject *name)
{
    for (int i = 0; i < SLOTS; i++)
        if (slots[i] == NULL) {
            slots[i] = self;
            self->slot = i;
            self->law.force = addresses[i].force;
            if (self->energy.call != NULL) self->law.stored_energy = addresses[i].energy;
            return true;
        }
    fpy_refuse(call, name, "at most 64 laws in Python at a time",
               "drop worlds and laws that are no longer used; or let one law have parameters");
    return false;
}

/* Law(name, doc, kinds, fields, force, force_values, energy, energy_values): force and energy are functions with the
 * values that they get, as (of_contact, kind, offset, numbers); or addresses. energy may be None */
static PyObject *law_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    fpy_call call = {0};
    (void)keywords;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    fpy_law *self = (fpy_law *)allocate(type, 0);
    if (self == NULL) return NULL;
    self->slot = -1;
    bool made = fpy_begin(&call, "law", arguments, 8);
    PyObject *name = made ? fpy_argument(&call, 0, "name") : NULL;
    if (made) {
        self->law.size = sizeof self->law;
        self->law.name = fpy_in_text(&call, name, false);
        self->law.doc = fpy_in_text(&call, fpy_argument(&call, 1, "doc"), false);
        self->law.kinds = (uint32_t)fpy_in_int(&call, fpy_argument(&call, 2, "kinds"), 1, UINT32_MAX);
        made = !call.failed && take_fields(&call, self, fpy_argument(&call, 3, "parameters"));
    }
    PyObject *force = made ? fpy_argument(&call, 4, "force") : NULL,
             *energy = made ? PyTuple_GetItem(arguments, 6) : NULL;
    if (made && PyLong_Check(force)) {
        void *address = PyLong_AsVoidPtr(force);
        memcpy(&self->law.force, &address, sizeof address);
        if (!PyErr_Occurred() && energy != Py_None) {
            address = PyLong_AsVoidPtr(energy);
            memcpy(&self->law.stored_energy, &address, sizeof address);
        }
        if (!PyErr_Occurred() && self->law.force == NULL) fpy_refuse(&call, force, "the address of a function", "");
        made = !PyErr_Occurred();
    } else if (made) {
        made = take_function(&call, &self->force, force, PyTuple_GetItem(arguments, 5)) &&
               (energy == Py_None || take_function(&call, &self->energy, energy, PyTuple_GetItem(arguments, 7))) &&
               take_slot(&call, self, name);
    }
    self->texts = call.keep;
    call.keep = NULL;
    fpy_end(&call);
    if (made) return (PyObject *)self;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a law is made by fender.law or fender.native_law");
    Py_DECREF(self);
    return NULL;
}

static int law_traverse(PyObject *object, visitproc visit, void *arg)
{
    fpy_law *self = (fpy_law *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->force.call);
    Py_VISIT(self->energy.call);
    Py_VISIT(self->raised.value);
    Py_VISIT(self->raised.traceback);
    return 0;
}

static int law_clear(PyObject *object)
{
    fpy_law *self = (fpy_law *)object;
    Py_CLEAR(self->force.call);
    Py_CLEAR(self->energy.call);
    if (self->raised.type != NULL) raised_elsewhere--;
    Py_CLEAR(self->raised.type);
    Py_CLEAR(self->raised.value);
    Py_CLEAR(self->raised.traceback);
    return 0;
}

static void law_dealloc(PyObject *object)
{
    fpy_law *self = (fpy_law *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    law_clear(object);
    if (self->slot >= 0) slots[self->slot] = NULL;
    free(self->force.values);
    free(self->energy.values);
    free(self->fields);
    Py_XDECREF(self->texts);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(object);
    Py_DECREF(type);
}

const fender_law *fpy_in_law(fpy_call *call, PyObject *object)
{
    if (!call->failed && PyObject_IsInstance(object, (PyObject *)law_type) == 1) {
        /* The world or registry that takes it keeps it. */
        if (call->busy_count > 0 && !fpy_handle_hold(call->busy[0], object)) call->failed = true;
        return &((fpy_law *)object)->law;
    }
    const char *name = fpy_in_text(call, object, true);
    if (name == NULL) return NULL;
    const fender_law *law = fender_law_find(NULL, name);
    if (law == NULL) fpy_refuse(call, object, "the name of a law", "`fender info laws` lists them");
    return law;
}

/* The law reads as many states as it has. */
static void check_states(fpy_call *call, const fender_law *law, PyObject *input)
{
    PyObject *given = PyDict_Check(input) ? PyDict_GetItemString(input, "states") : NULL;
    if (given == NULL || given == Py_None) return;
    char expected[60];
    const Py_ssize_t length = PyBytes_Check(given) ? -1 : PyObject_Size(given);
    PyErr_Clear();
    snprintf(expected, sizeof expected, "a sequence of %d numbers", law->state_count);
    snprintf(call->place, sizeof call->place, "law_force(states)");
    if (length != law->state_count) fpy_refuse(call, given, expected, "");
}

/* law_force(law, parameters, input): what a law makes of one state of a contact that begins with it */
static PyObject *law_force(PyObject *module, PyObject *arguments)
{
    fpy_call call = {0};
    PyObject *result = NULL;
    double states[FENDER_LAW_STATE_CAPACITY] = {0};
    fender_contact_input in = {.weight = 1, .states = states};
    fender_contact_output out = {0};
    size_t size = 0;
    (void)module;
    if (!fpy_begin(&call, "law_force", arguments, 3)) return NULL;
    const fender_law *law = fpy_in_law(&call, fpy_argument(&call, 0, "law"));
    const void *parameters = fpy_in_bytes(&call, fpy_argument(&call, 1, "parameters"), &size);
    PyObject *input = fpy_argument(&call, 2, "input");
    fpy_in_struct(&call, input, FPY_STRUCT_fender_contact_input, &in);
    if (!call.failed && law != NULL) check_states(&call, law, input);
    if (in.states == NULL) in.states = states;
    if (!call.failed && law != NULL && size == law->parameters.size) {
        void *memory = calloc(1, law->memory_size + 1);
        if (memory != NULL && law->begin != NULL) law->begin(parameters, &in, memory);
        if (memory != NULL) law->force(parameters, &in, memory, &out);
        if (!fpy_failed(&call, memory != NULL ? FENDER_STATUS_OK : FENDER_STATUS_MEMORY))
            result = fpy_out_struct(FPY_STRUCT_fender_contact_output, &out);
        free(memory);
    } else if (!call.failed) {
        fpy_refuse(&call, PyTuple_GetItem(arguments, 0), "a law with its parameters", "");
    }
    fpy_end(&call);
    return result;
}

PyMethodDef fpy_law_methods[] = {
    {"law_force", law_force, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyObject *law_name(PyObject *self, void *unused)
{
    (void)unused;
    return fpy_out_text(((fpy_law *)self)->law.name);
}

bool fpy_law_setup(PyObject *module)
{
    static PyGetSetDef members[] = {{"name", law_name, NULL, "Name of the law.", NULL}, {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots_of_type[] = {{Py_tp_new, (void *)law_new},
                                          {Py_tp_dealloc, (void *)law_dealloc},
                                          {Py_tp_traverse, (void *)law_traverse},
                                          {Py_tp_clear, (void *)law_clear},
                                          {Py_tp_getset, members},
                                          {Py_tp_doc, "A contact law."},
                                          {0, NULL}};
    static PyType_Spec spec = {"fender._fender.Law", sizeof(fpy_law), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots_of_type};
    law_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (law_type == NULL) return false;
    Py_INCREF(law_type);
    return PyModule_AddObject(module, "Law", (PyObject *)law_type) == 0;
}
