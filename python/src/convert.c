/* Conversions between Python objects and the types of the library, by the tables that bindings.py writes. */
#include "core.h"

#include <stdio.h>
#include <string.h>

/* A value of any kind that is neither an id nor within its struct, as it lies in memory. */
typedef union scalar {
    double real;
    int integer;
    int64_t wide;
    uint16_t narrow;
    uint32_t word;
    uint64_t unsigned_wide;
    size_t size;
    bool logical;
    const char *text;
    const char *const *texts;
    const fender_law *law;
    const void *pointer;
} scalar;

/* Bytes of such a value; 0 of the other kinds. */
static size_t scalar_size(fpy_kind kind)
{
    switch (kind) {
    case FPY_DOUBLE: return sizeof(double);
    case FPY_INT:
    case FPY_ENUM: return sizeof(int);
    case FPY_INT64:
    case FPY_UINT64: return sizeof(int64_t);
    case FPY_UINT16: return sizeof(uint16_t);
    case FPY_UINT32: return sizeof(uint32_t);
    case FPY_SIZE: return sizeof(size_t);
    case FPY_BOOL: return sizeof(bool);
    case FPY_TEXT:
    case FPY_TEXTS:
    case FPY_ARRAY:
    case FPY_HANDLE:
    case FPY_LAW:
    case FPY_BYTES: return sizeof(void *);
    case FPY_ID:
    case FPY_CHARS:
    case FPY_STRUCT:
    case FPY_HIDDEN: break;
    }
    return 0;
}

/* ---- in ---- */

/* Appends ".name" or "[i]" to the place of the argument; returns the length before, to restore it. */
static size_t enter_place(fpy_call *call, const char *name, long index)
{
    size_t length = strlen(call->place);
    if (name != NULL) snprintf(call->place + length, sizeof call->place - length, ".%s", name);
    else snprintf(call->place + length, sizeof call->place - length, "[%ld]", index);
    return length;
}

static void leave_place(fpy_call *call, size_t length)
{
    if (!call->failed) call->place[length] = '\0';
}

PyObject *fpy_argument(fpy_call *call, int index, const char *name)
{
    snprintf(call->place, sizeof call->place, "%s(%s)", call->name, name);
    return PyTuple_GetItem(call->arguments, index);
}

bool fpy_is_number(PyObject *object)
{
    return PyFloat_Check(object) || PyLong_Check(object) || (PyNumber_Check(object) && !PySequence_Check(object));
}

double fpy_in_double(fpy_call *call, PyObject *object, const char *unit)
{
    if (call->failed) return 0;
    if (PyUnicode_Check(object)) {
        const char *text = fpy_in_text(call, object, false);
        double value = 0;
        if (call->failed) return 0;
        if (unit == NULL || unit[0] == '\0') {
            fpy_refuse(call, object, "a number", "");
            return 0;
        }
        fender_error error = {0};
        fender_status status = fender_quantity_parse(text, strlen(text), unit, &value, &error);
        if (status != FENDER_STATUS_OK) {
            if (error.path[0] == '\0') snprintf(error.path, sizeof error.path, "%.150s", call->place);
            fpy_raise(&error, NULL);
            call->failed = true;
        }
        return value;
    }
    if (PyFloat_Check(object)) return PyFloat_AsDouble(object);
    const bool other = PyBool_Check(object) || PyComplex_Check(object); /* numpy's complex numbers lose a part */
    double value = other ? -1 : PyFloat_AsDouble(object);
    if (other || (value == -1 && PyErr_Occurred())) {
        PyErr_Clear();
        char expected[80];
        if (unit == NULL || unit[0] == '\0') snprintf(expected, sizeof expected, "a number");
        else snprintf(expected, sizeof expected, "a number [%s], or a text with a unit", unit);
        fpy_refuse(call, object, expected, "");
        return 0;
    }
    return value;
}

int64_t fpy_in_int(fpy_call *call, PyObject *object, int64_t least, int64_t most)
{
    char expected[100];
    if (call->failed) return 0;
    PyObject *number = PyBool_Check(object) ? NULL : PyNumber_Index(object);
    long long value = number != NULL ? PyLong_AsLongLong(number) : -1;
    Py_XDECREF(number);
    if (number == NULL || PyErr_Occurred() || value < least || value > most) {
        PyErr_Clear();
        if (least == 0 && most == INT64_MAX) snprintf(expected, sizeof expected, "a whole number of 0 or more");
        else if (least == INT64_MIN) snprintf(expected, sizeof expected, "a whole number");
        else snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)least, (long long)most);
        fpy_refuse(call, object, expected, "");
        return 0;
    }
    return value;
}

bool fpy_in_bool(fpy_call *call, PyObject *object)
{
    if (call->failed) return false;
    if (object == Py_True) return true;
    if (object == Py_False) return false;
    PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    PyObject *name = type != NULL ? PyUnicode_AsUTF8String(type) : NULL;
    const char *text = name != NULL ? PyBytes_AsString(name) : "";
    bool numpy = text != NULL && (strcmp(text, "bool_") == 0 || strcmp(text, "bool") == 0);
    Py_XDECREF(name);
    Py_XDECREF(type);
    PyErr_Clear();
    if (numpy) return PyObject_IsTrue(object) == 1;
    fpy_refuse(call, object, "True or False", "");
    return false;
}

static bool same_word(const char *name, const char *word)
{
    for (; *name && *word; name++, word++) {
        char a = *name, b = *word == '-' || *word == ' ' ? '_' : *word;
        if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
        if (b >= 'A' && b <= 'Z') b = (char)(b - 'A' + 'a');
        if (a != b) return false;
    }
    return *name == *word;
}

int fpy_in_enum(fpy_call *call, PyObject *object, const fpy_enum *choices)
{
    char expected[240] = "";
    size_t used = 0;
    if (call->failed) return 0;
    if (PyUnicode_Check(object)) {
        const char *word = fpy_in_text(call, object, false);
        for (int i = 0; !call->failed && i < choices->count; i++)
            if (same_word(choices->choices[i].name, word)) return choices->choices[i].value;
    } else if (!PyBool_Check(object) && PyIndex_Check(object)) {
        PyObject *number = PyNumber_Index(object);
        long value = number != NULL ? PyLong_AsLong(number) : -1;
        Py_XDECREF(number);
        PyErr_Clear();
        for (int i = 0; i < choices->count; i++)
            if (choices->choices[i].value == value) return (int)value;
    }
    for (int i = 0; i < choices->count && used < sizeof expected; i++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", i > 0 ? ", " : "one of ",
                                 choices->choices[i].name);
    if (!call->failed) fpy_refuse(call, object, expected, "");
    return 0;
}

/* An id as a number: its 8 bytes. Objects of the Python layer have __index__. */
void fpy_in_id(fpy_call *call, PyObject *object, void *id)
{
    if (call->failed) return;
    uint64_t value = 0;
    if (object != Py_None) {
        PyObject *number = PyBool_Check(object) || !PyIndex_Check(object) ? NULL : PyNumber_Index(object);
        if (number != NULL) value = PyLong_AsUnsignedLongLong(number);
        Py_XDECREF(number);
        if (number == NULL || PyErr_Occurred()) {
            PyErr_Clear();
            fpy_refuse(call, object, "an object of the world, or None", "");
            return;
        }
    }
    memcpy(id, &value, sizeof value);
}

const char *fpy_in_text(fpy_call *call, PyObject *object, bool none)
{
    if (call->failed) return NULL;
    if (object == Py_None && none) return NULL;
    PyObject *bytes = NULL;
    if (PyUnicode_Check(object)) bytes = PyUnicode_AsUTF8String(object);
    char *text = NULL;
    Py_ssize_t length = 0;
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &text, &length) != 0 || (size_t)length != strlen(text)) {
        PyErr_Clear();
        Py_XDECREF(bytes);
        fpy_refuse(call, object, none ? "a text without zero characters, or None" : "a text without zero characters",
                   "");
        return NULL;
    }
    return fpy_keep(call, bytes) ? text : NULL;
}

/* Bytes of any object that has them: bytes, or a `tobytes` (numpy arrays and scalars). */
const void *fpy_in_bytes(fpy_call *call, PyObject *object, size_t *size)
{
    char *data = NULL;
    Py_ssize_t length = 0;
    if (call->failed) return NULL;
    PyObject *bytes = NULL;
    if (PyBytes_Check(object)) {
        bytes = object;
        Py_INCREF(bytes);
    } else if (PyByteArray_Check(object)) {
        bytes = PyBytes_FromObject(object);
    } else {
        bytes = PyObject_CallMethod(object, "tobytes", NULL);
    }
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &data, &length) != 0) {
        PyErr_Clear();
        Py_XDECREF(bytes);
        fpy_refuse(call, object, "bytes or an array", "");
        return NULL;
    }
    *size = (size_t)length;
    return fpy_keep(call, bytes) ? data : NULL;
}

void fpy_in_numbers(fpy_call *call, PyObject *object, int count, const char *unit, double *to)
{
    char expected[80];
    int rows = count == 9 ? 3 : 0;
    PyObject *list = PyUnicode_Check(object) || PyBytes_Check(object) || PyDict_Check(object) ? NULL
                                                                                              : PySequence_List(object);
    PyErr_Clear();
    Py_ssize_t length = list != NULL ? PyList_Size(list) : -1;
    bool diagonal = rows > 0 && length == rows;
    for (int i = 0; i < rows && diagonal; i++) {
        PyObject *item = PyList_GetItem(list, i);
        diagonal = PyUnicode_Check(item) || !PySequence_Check(item); /* arrays have __index__, too */
    }
    if (diagonal) { /* three numbers: the diagonal of a matrix */
        memset(to, 0, 9 * sizeof *to);
        for (int i = 0; i < rows && !call->failed; i++) {
            size_t place = enter_place(call, NULL, i);
            to[4 * i] = fpy_in_double(call, PyList_GetItem(list, i), unit);
            leave_place(call, place);
        }
    } else if (list != NULL && rows > 0 && length == rows) {
        for (int i = 0; i < rows && !call->failed; i++) {
            size_t place = enter_place(call, NULL, i);
            fpy_in_numbers(call, PyList_GetItem(list, i), rows, unit, to + 3 * i);
            leave_place(call, place);
        }
    } else if (list == NULL || length != count) {
        int written = snprintf(expected, sizeof expected, "%d numbers", count);
        if (unit != NULL && unit[0]) snprintf(expected + written, sizeof expected - (size_t)written, " [%s]", unit);
        fpy_refuse(call, object, expected, "");
    } else {
        for (int i = 0; i < count && !call->failed; i++) {
            size_t place = enter_place(call, NULL, i);
            to[i] = fpy_in_double(call, PyList_GetItem(list, i), unit);
            leave_place(call, place);
        }
    }
    Py_XDECREF(list);
}

static void in_value(fpy_call *call, PyObject *object, fpy_kind kind, const fpy_member *member, void *to);

const void *fpy_in_array(fpy_call *call, PyObject *object, fpy_kind element, size_t stride, const fpy_struct *of,
                         size_t *count)
{
    *count = 0;
    if (call->failed || object == Py_None) return NULL;
    if (PyBytes_Check(object) || PyByteArray_Check(object)) {
        size_t size;
        const void *data = fpy_in_bytes(call, object, &size);
        if (data != NULL && size % stride != 0) {
            fpy_refuse(call, object, "whole elements", "");
            return NULL;
        }
        *count = size / stride;
        return data;
    }
    PyObject *list = PyUnicode_Check(object) || PyDict_Check(object) ? NULL : PySequence_List(object);
    if (list == NULL) {
        PyErr_Clear();
        fpy_refuse(call, object, "a sequence or an array", "");
        return NULL;
    }
    Py_ssize_t length = PyList_Size(list);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, length * (Py_ssize_t)stride);
    char *data = bytes != NULL ? PyBytes_AsString(bytes) : NULL;
    if (data == NULL) call->failed = true;
    else memset(data, 0, (size_t)length * stride);
    const fpy_member member = {.name = "", .kind = element, .of = of, .stride = stride};
    for (Py_ssize_t i = 0; i < length && !call->failed; i++) {
        size_t place = enter_place(call, NULL, (long)i);
        in_value(call, PyList_GetItem(list, i), element, &member, data + (size_t)i * stride);
        leave_place(call, place);
    }
    Py_DECREF(list);
    if (bytes != NULL && !fpy_keep(call, bytes)) return NULL;
    *count = (size_t)length;
    return data;
}

/* An array of texts. */
static const char *const *in_texts(fpy_call *call, PyObject *object, size_t *count)
{
    PyObject *list = PyUnicode_Check(object) ? NULL : PySequence_List(object);
    *count = 0;
    if (list == NULL) {
        PyErr_Clear();
        fpy_refuse(call, object, "a sequence of texts", "");
        return NULL;
    }
    Py_ssize_t length = PyList_Size(list);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, length * (Py_ssize_t)sizeof(char *));
    const char **texts = bytes != NULL ? (const char **)(void *)PyBytes_AsString(bytes) : NULL;
    for (Py_ssize_t i = 0; texts != NULL && i < length && !call->failed; i++)
        texts[i] = fpy_in_text(call, PyList_GetItem(list, i), false);
    Py_DECREF(list);
    if (bytes == NULL) {
        call->failed = true;
        return NULL;
    }
    *count = (size_t)length;
    return fpy_keep(call, bytes) ? texts : NULL;
}

static void in_value(fpy_call *call, PyObject *object, fpy_kind kind, const fpy_member *member, void *to)
{
    scalar value = {0};
    size_t unused;
    switch (kind) {
    case FPY_DOUBLE: value.real = fpy_in_double(call, object, member->unit); break;
    case FPY_INT: value.integer = (int)fpy_in_int(call, object, INT32_MIN, INT32_MAX); break;
    case FPY_INT64: value.wide = fpy_in_int(call, object, INT64_MIN, INT64_MAX); break;
    case FPY_UINT16: value.narrow = (uint16_t)fpy_in_int(call, object, 0, UINT16_MAX); break;
    case FPY_UINT32: value.word = (uint32_t)fpy_in_int(call, object, 0, UINT32_MAX); break;
    case FPY_UINT64: value.unsigned_wide = (uint64_t)fpy_in_int(call, object, 0, INT64_MAX); break;
    case FPY_SIZE: value.size = (size_t)fpy_in_int(call, object, 0, INT64_MAX); break;
    case FPY_BOOL: value.logical = fpy_in_bool(call, object); break;
    case FPY_ENUM: value.integer = fpy_in_enum(call, object, member->choices); break;
    case FPY_ID: fpy_in_id(call, object, to); break;
    case FPY_TEXT: value.text = fpy_in_text(call, object, true); break;
    case FPY_LAW: value.law = fpy_in_law(call, object); break;
    case FPY_BYTES:
        if (object != Py_None) value.pointer = fpy_in_bytes(call, object, &unused);
        break;
    case FPY_HANDLE: value.pointer = fpy_in_handle(call, object, member->handle, false, true); break;
    case FPY_STRUCT:
        if (member->of->numbers > 0) fpy_in_numbers(call, object, member->of->numbers, member->unit, to);
        else fpy_in_struct(call, object, member->of, to);
        break;
    case FPY_CHARS:
    case FPY_TEXTS:
    case FPY_ARRAY:
    case FPY_HIDDEN: fpy_refuse(call, object, "nothing: this member cannot be set", ""); break;
    }
    if (!call->failed) memcpy(to, &value, scalar_size(kind));
}

static const fpy_member *find_member(const fpy_struct *type, const char *name)
{
    for (int i = 0; i < type->count; i++)
        if (strcmp(type->members[i].name, name) == 0) return &type->members[i];
    return NULL;
}

/* Refuses a name that is no member, with the members there are. */
static void refuse_member(fpy_call *call, const fpy_struct *type, const char *name)
{
    fender_error error = {.status = FENDER_STATUS_NAME, .count = 1};
    size_t used = 0;
    snprintf(error.path, sizeof error.path, "%.150s", call->place);
    snprintf(error.message, sizeof error.message, "'%.80s' is no member of %s", name, type->name);
    snprintf(error.found, sizeof error.found, "%.100s", name);
    for (int i = 0; i < type->count && used < sizeof error.expected; i++)
        if (type->members[i].kind != FPY_HIDDEN && strcmp(type->members[i].name, "size") != 0)
            used += (size_t)snprintf(error.expected + used, sizeof error.expected - used, "%s%s", used > 0 ? ", " : "",
                                     type->members[i].name);
    fpy_raise(&error, NULL);
    call->failed = true;
}

/* ---- numbers of elements: the library reads as many as the counters say */

enum { NOT_GIVEN = -1 };

static int64_t integer_at(const fpy_member *member, const void *from)
{
    int small;
    int64_t wide;
    if (member->kind == FPY_INT) return memcpy(&small, (const char *)from + member->offset, sizeof small), small;
    return memcpy(&wide, (const char *)from + member->offset, sizeof wide), wide;
}

static void set_integer(const fpy_member *member, void *to, int64_t value)
{
    int small = (int)value;
    if (member->kind == FPY_INT) memcpy((char *)to + member->offset, &small, sizeof small);
    else memcpy((char *)to + member->offset, &value, sizeof value);
}

/* The counter of an array, and how many elements it has for each of its counts. Where this is no constant: NULL. */
static const fpy_member *counter_of(const fpy_struct *type, const fpy_member *member, int *each)
{
    const bool profile = type == FPY_STRUCT_fender_profile && strcmp(member->name, "loop_sizes") == 0;
    const bool table = type == FPY_STRUCT_fender_force_table && strcmp(member->name, "values") == 0;
    const char *name = profile ? "loop_count" : table ? NULL : member->counter;
    *each = type == FPY_STRUCT_fender_mesh_def && strcmp(member->name, "triangles") == 0 ? 3 : 1;
    return name != NULL ? find_member(type, name) : NULL;
}

/* Elements that the library reads of an array without a counter of its own; NOT_GIVEN: it has one, or is one object. */
static int64_t elements_read(const fpy_struct *type, const fpy_member *member, const void *object, int64_t count)
{
    if (type == FPY_STRUCT_fender_grid_def && strcmp(member->name, "heights") == 0) {
        const fender_grid_def *grid = object;
        return (int64_t)grid->count_x * grid->count_y;
    }
    if (type == FPY_STRUCT_fender_profile && strcmp(member->name, "points") == 0) {
        const fender_profile *profile = object;
        int64_t sum = 0;
        for (int i = 0; profile->loop_sizes != NULL && i < profile->loop_count; i++)
            sum += profile->loop_sizes[i] > 0 ? profile->loop_sizes[i] : 0;
        return sum;
    }
    if (type == FPY_STRUCT_fender_force_table && strcmp(member->name, "values") == 0) {
        const fender_force_table *table = object;
        const int64_t normal = (int64_t)table->count * (table->columns > 1 ? table->columns : 1);
        return count == normal ? normal : 2 * normal; /* of friction */
    }
    return NOT_GIVEN;
}

static void refuse_count(fpy_call *call, const fpy_member *member, int64_t count, const char *expected)
{
    fender_error error = {.status = FENDER_STATUS_VALUE, .count = 1};
    snprintf(error.path, sizeof error.path, "%.90s.%.60s", call->place, member->name);
    snprintf(error.message, sizeof error.message, "'%.60s' has another number of elements than is expected",
             member->name);
    snprintf(error.found, sizeof error.found, "%lld", (long long)count);
    snprintf(error.expected, sizeof error.expected, "%.100s", expected);
    fpy_raise(&error, NULL);
    call->failed = true;
}

/* Sets counters that were not given, and refuses arrays that do not fit them. counts: of the members, NOT_GIVEN:
 * absent. */
static void settle_counts(fpy_call *call, const fpy_struct *type, void *to, const int64_t *counts)
{
    char expected[100];
    const char *told_by[FPY_MEMBER_LIMIT] = {NULL};
    for (int i = 0; i < type->count && !call->failed; i++) {
        const fpy_member *member = &type->members[i];
        int each;
        const fpy_member *counter = counts[i] == NOT_GIVEN ? NULL : counter_of(type, member, &each);
        if (counter == NULL || (member->kind != FPY_ARRAY && member->kind != FPY_TEXTS)) continue;
        const ptrdiff_t at = counter - type->members;
        const char *teller = counts[at] != NOT_GIVEN ? counter->name : told_by[at];
        if (teller == NULL) {
            snprintf(expected, sizeof expected, "%d for each", each);
            if (counts[i] % each != 0) refuse_count(call, member, counts[i], expected);
            else set_integer(counter, to, counts[i] / each);
            told_by[at] = member->name;
        } else if (counts[i] != each * integer_at(counter, to)) {
            snprintf(expected, sizeof expected, "%lld, as '%.60s' tells", (long long)(each * integer_at(counter, to)),
                     teller);
            refuse_count(call, member, counts[i], expected);
        }
    }
    for (int i = 0; i < type->count && !call->failed; i++) {
        const int64_t wanted = counts[i] == NOT_GIVEN ? NOT_GIVEN
                                                      : elements_read(type, &type->members[i], to, counts[i]);
        if (wanted == NOT_GIVEN && counts[i] == 0 && type->members[i].counter == NULL)
            refuse_count(call, &type->members[i], 0, "one");
        if (wanted == NOT_GIVEN || wanted == counts[i]) continue;
        snprintf(expected, sizeof expected, "%lld, as the other members tell", (long long)wanted);
        refuse_count(call, &type->members[i], counts[i], expected);
    }
}

/* Returns the number of elements of an array, or NOT_GIVEN for None; of another member 1. */
static int64_t in_member(fpy_call *call, PyObject *object, const fpy_member *member, void *to)
{
    char *at = (char *)to + member->offset;
    if (member->kind == FPY_ARRAY || member->kind == FPY_TEXTS) {
        size_t count = 0;
        const void *data = member->kind == FPY_TEXTS
                               ? (const void *)in_texts(call, object, &count)
                               : fpy_in_array(call, object, member->element, member->stride, member->of, &count);
        if (call->failed) return NOT_GIVEN;
        memcpy(at, &data, sizeof data);
        return data != NULL ? (int64_t)count : NOT_GIVEN;
    } else if (member->kind == FPY_CHARS) {
        const char *text = fpy_in_text(call, object, false);
        if (text != NULL && strlen(text) >= member->size) fpy_refuse(call, object, "a shorter text", "");
        else if (text != NULL) memcpy(at, text, strlen(text) + 1);
    } else {
        in_value(call, object, member->kind, member, at);
    }
    return 1;
}

/* A pose from a place alone: three numbers. False if the object is something else. */
static bool in_position(fpy_call *call, PyObject *object, fender_pose *pose)
{
    PyObject *dtype = PyObject_GetAttrString(object, "dtype");
    PyObject *names = dtype != NULL ? PyObject_GetAttrString(dtype, "names") : NULL;
    bool record = names != NULL && names != Py_None;
    Py_XDECREF(dtype);
    Py_XDECREF(names);
    PyErr_Clear();
    PyObject *list = record || PyUnicode_Check(object) ? NULL : PySequence_List(object);
    PyErr_Clear();
    bool place = list != NULL && PyList_Size(list) == 3;
    Py_XDECREF(list);
    if (place) fpy_in_numbers(call, object, 3, "m", &pose->p.x);
    return place;
}

void fpy_in_struct(fpy_call *call, PyObject *object, const fpy_struct *type, void *to)
{
    if (call->failed) return;
    if (type->initialize != NULL) type->initialize(to);
    if (type == FPY_STRUCT_fender_pose) {
        fender_pose *pose = to;
        if (pose->q.w == 0 && pose->q.x == 0 && pose->q.y == 0 && pose->q.z == 0) pose->q.w = 1;
    }
    if (type->numbers > 0) {
        fpy_in_numbers(call, object, type->numbers, "", to);
        return;
    }
    if (PyDict_Check(object)) {
        PyObject *key, *value;
        Py_ssize_t position = 0;
        int64_t counts[FPY_MEMBER_LIMIT];
        for (int i = 0; i < FPY_MEMBER_LIMIT; i++) counts[i] = NOT_GIVEN;
        while (!call->failed && PyDict_Next(object, &position, &key, &value)) {
            const char *name = fpy_in_text(call, key, false);
            if (name == NULL) return;
            const fpy_member *member = find_member(type, name);
            if (member == NULL || member->kind == FPY_HIDDEN) {
                refuse_member(call, type, name);
                return;
            }
            size_t place = enter_place(call, name, 0);
            counts[member - type->members] = in_member(call, value, member, to);
            leave_place(call, place);
        }
        settle_counts(call, type, to, counts);
        return;
    }
    if (type == FPY_STRUCT_fender_pose && in_position(call, object, to)) return;
    if (type->plain && !PyUnicode_Check(object) && !PyBytes_Check(object)) { /* a record of the same type */
        PyObject *dtype = PyObject_GetAttrString(object, "dtype");
        PyErr_Clear();
        if (dtype != NULL) {
            size_t size = 0;
            const void *data = fpy_in_bytes(call, object, &size);
            Py_DECREF(dtype);
            if (data != NULL && size == type->size) {
                memcpy(to, data, size);
                return;
            }
            if (call->failed) return;
        } else if (!PyIndex_Check(object)) { /* values in the order of the members */
            PyObject *list = PySequence_List(object);
            PyErr_Clear();
            Py_ssize_t length = list != NULL ? PyList_Size(list) : -1;
            for (int i = 0; i < type->count && length == type->count && !call->failed; i++) {
                size_t place = enter_place(call, type->members[i].name, 0);
                (void)in_member(call, PyList_GetItem(list, i), &type->members[i], to);
                leave_place(call, place);
            }
            Py_XDECREF(list);
            if (call->failed || length == type->count) return;
        }
    }
    char expected[160];
    snprintf(expected, sizeof expected, "a dict with members of %s, or a record of it", type->name);
    fpy_refuse(call, object, expected, "");
}

/* ---- out ---- */

PyObject *fpy_out_id(const void *id)
{
    uint64_t value;
    memcpy(&value, id, sizeof value);
    return PyLong_FromUnsignedLongLong(value);
}

PyObject *fpy_out_text(const char *text)
{
    if (text == NULL) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *fpy_record(const char *type, PyObject *buffer, bool many)
{
    if (buffer == NULL) return NULL;
    PyObject *result = fpy_hook_record == NULL ? NULL
                                               : PyObject_CallFunction(fpy_hook_record, "sOi", type, buffer, many);
    if (fpy_hook_record == NULL) PyErr_SetString(PyExc_RuntimeError, "import fender before fender._fender");
    Py_DECREF(buffer);
    return result;
}

/* The number of elements that the struct tells of an array; 0 where none does. */
static size_t counted(const fpy_struct *type, const fpy_member *member, const void *from)
{
    const fpy_member *counter = member->counter != NULL ? find_member(type, member->counter) : NULL;
    int small;
    int64_t wide;
    if (counter == NULL) return 0;
    if (counter->kind == FPY_INT) {
        memcpy(&small, (const char *)from + counter->offset, sizeof small);
        return small > 0 ? (size_t)small : 0;
    }
    memcpy(&wide, (const char *)from + counter->offset, sizeof wide);
    return wide > 0 ? (size_t)wide : 0;
}

static PyObject *out_value(fpy_kind kind, const fpy_struct *of, const fpy_struct *holder, const fpy_member *member,
                           const void *whole, const void *from)
{
    scalar value = {0};
    memcpy(&value, from, scalar_size(kind));
    switch (kind) {
    case FPY_DOUBLE: return PyFloat_FromDouble(value.real);
    case FPY_INT:
    case FPY_ENUM: return PyLong_FromLong(value.integer);
    case FPY_INT64: return PyLong_FromLongLong(value.wide);
    case FPY_UINT16: return PyLong_FromLong(value.narrow);
    case FPY_UINT32: return PyLong_FromUnsignedLong(value.word);
    case FPY_UINT64: return PyLong_FromUnsignedLongLong(value.unsigned_wide);
    case FPY_SIZE: return PyLong_FromSize_t(value.size);
    case FPY_BOOL: return PyBool_FromLong(value.logical);
    case FPY_ID: return fpy_out_id(from);
    case FPY_CHARS: return fpy_out_text(from);
    case FPY_TEXT: return fpy_out_text(value.text);
    case FPY_LAW: return fpy_out_text(value.law != NULL ? value.law->name : NULL);
    case FPY_STRUCT: return fpy_out_struct(of, from);
    case FPY_TEXTS: {
        size_t count = value.texts != NULL ? counted(holder, member, whole) : 0;
        PyObject *list = PyList_New((Py_ssize_t)count);
        for (size_t i = 0; list != NULL && i < count; i++)
            PyList_SetItem(list, (Py_ssize_t)i, fpy_out_text(value.texts[i]));
        return list;
    }
    case FPY_ARRAY:
        return fpy_out_array(member->element, of, member->stride, value.pointer,
                             value.pointer != NULL ? counted(holder, member, whole) : 0);
    case FPY_HANDLE:
    case FPY_BYTES:
    case FPY_HIDDEN: break;
    }
    Py_RETURN_NONE;
}

PyObject *fpy_out_array(fpy_kind element, const fpy_struct *of, size_t stride, const void *from, size_t count)
{
    static const struct {
        fpy_kind kind;
        const char *type;
    } numbers[] = {{FPY_DOUBLE, "double"}, {FPY_INT, "int32"}, {FPY_INT64, "int64"}};
    const char *type = element == FPY_STRUCT && of->plain ? of->name : NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].kind == element) type = numbers[i].type;
    if (type != NULL)
        return fpy_record(type, PyByteArray_FromStringAndSize(count > 0 ? from : "", (Py_ssize_t)(count * stride)),
                          true);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list != NULL && i < count; i++) {
        const void *at = (const char *)from + i * stride;
        PyObject *item = element == FPY_STRUCT ? fpy_out_struct(of, at) : out_value(element, of, NULL, NULL, NULL, at);
        if (item == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SetItem(list, (Py_ssize_t)i, item);
    }
    return list;
}

PyObject *fpy_out_struct(const fpy_struct *type, const void *from)
{
    if (type->plain) return fpy_record(type->name, PyByteArray_FromStringAndSize(from, (Py_ssize_t)type->size), false);
    PyObject *dict = PyDict_New();
    for (int i = 0; dict != NULL && i < type->count; i++) {
        const fpy_member *member = &type->members[i];
        if (member->kind == FPY_HIDDEN || member->kind == FPY_BYTES || member->kind == FPY_HANDLE) continue;
        const void *at = (const char *)from + member->offset;
        bool several = member->stride > 0 && member->size > member->stride && member->kind != FPY_CHARS &&
                       member->kind != FPY_ARRAY && member->kind != FPY_TEXTS;
        PyObject *value = several ? fpy_out_array(member->kind, member->of, member->stride, at,
                                                  member->size / member->stride)
                                  : out_value(member->kind, member->of, type, member, from, at);
        if (value == NULL || PyDict_SetItemString(dict, member->name, value) != 0) {
            Py_XDECREF(value);
            Py_DECREF(dict);
            return NULL;
        }
        Py_DECREF(value);
    }
    return dict;
}

PyObject *fpy_out_fields(const fender_field_table *table)
{
    if (table == NULL) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        PyObject *choices = PyList_New(0);
        for (int k = 0; choices != NULL && field->choices != NULL && field->choices[k] != NULL; k++) {
            PyObject *choice = fpy_out_text(field->choices[k]);
            if (choice != NULL) PyList_Append(choices, choice);
            Py_XDECREF(choice);
        }
        PyObject *row = Py_BuildValue(
            "{s:s,s:s,s:s,s:i,s:i,s:O,s:d,s:d,s:d,s:N}", "name", field->name, "unit", field->unit, "doc", field->doc,
            "type", (int)field->type, "components", fender_field_component_count(field), "required",
            field->flags & FENDER_FIELD_REQUIRED ? Py_True : Py_False, "minimum", field->minimum, "maximum",
            field->maximum, "initial", field->initial, "choices", choices);
        if (row == NULL || PyList_Append(list, row) != 0) {
            Py_XDECREF(row);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(row);
    }
    return list;
}
