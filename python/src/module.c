/* The module fender._fender: descriptions of all types, and the functions of the public headers. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static PyObject *describe_enums(PyObject *self, PyObject *unused)
{
    PyObject *result = PyDict_New();
    (void)self;
    (void)unused;
    for (int i = 0; result != NULL && i < fpy_enum_count; i++) {
        PyObject *members = PyList_New(0);
        for (int k = 0; members != NULL && k < fpy_enums[i].count; k++) {
            const fpy_choice *choice = &fpy_enums[i].choices[k];
            PyObject *row = Py_BuildValue("(sis)", choice->name, choice->value, choice->doc);
            if (row != NULL) PyList_Append(members, row);
            Py_XDECREF(row);
        }
        PyObject *value = Py_BuildValue("(sN)", fpy_enums[i].doc, members);
        if (value != NULL) PyDict_SetItemString(result, fpy_enums[i].name, value);
        Py_XDECREF(value);
    }
    return result;
}

static const char *kind_name(fpy_kind kind)
{
    static const char *const names[] = {"double", "int",    "int64", "uint16", "uint32", "uint64", "size",
                                        "bool",   "enum",   "id",    "chars",  "text",   "texts",  "struct",
                                        "array",  "handle", "law",   "bytes",  "hidden"};
    return names[kind];
}

static PyObject *describe_structs(PyObject *self, PyObject *unused)
{
    PyObject *result = PyDict_New();
    (void)self;
    (void)unused;
    for (int i = 0; result != NULL && i < fpy_struct_count; i++) {
        const fpy_struct *type = fpy_structs[i];
        PyObject *members = PyList_New(0);
        for (int k = 0; members != NULL && k < type->count; k++) {
            const fpy_member *m = &type->members[k];
            PyObject *row = Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:n,s:n,s:n,s:z,s:z}", "name", m->name, "unit", m->unit,
                                          "doc", m->doc, "kind", kind_name(m->kind), "element", kind_name(m->element),
                                          "offset", (Py_ssize_t)m->offset, "size", (Py_ssize_t)m->size, "stride",
                                          (Py_ssize_t)m->stride, "of", m->of != NULL ? m->of->name : NULL, "choices",
                                          m->choices != NULL ? m->choices->name : NULL);
            if (row != NULL) PyList_Append(members, row);
            Py_XDECREF(row);
        }
        PyObject *value = Py_BuildValue("{s:s,s:n,s:i,s:O,s:N}", "doc", type->doc, "size", (Py_ssize_t)type->size,
                                        "numbers", type->numbers, "plain", type->plain ? Py_True : Py_False, "members",
                                        members);
        if (value != NULL) PyDict_SetItemString(result, type->name, value);
        Py_XDECREF(value);
    }
    return result;
}

static PyObject *describe_functions(PyObject *self, PyObject *unused)
{
    PyObject *result = PyDict_New();
    (void)self;
    (void)unused;
    for (int i = 0; result != NULL && i < fpy_function_count; i++) {
        const fpy_function *f = &fpy_functions[i];
        PyObject *row = Py_BuildValue("(ssssO)", f->doc, f->prototype, f->inputs, f->outputs,
                                      f->constant ? Py_True : Py_False);
        if (row != NULL) PyDict_SetItemString(result, f->name, row);
        Py_XDECREF(row);
    }
    return result;
}

/* register_hooks(error, record): the exception class, and the function that sees bytes as numpy records */
static PyObject *register_hooks(PyObject *self, PyObject *arguments)
{
    PyObject *error, *record;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &error, &record)) return NULL;
    Py_INCREF(error);
    Py_INCREF(record);
    Py_XDECREF(fpy_hook_error);
    Py_XDECREF(fpy_hook_record);
    fpy_hook_error = error;
    fpy_hook_record = record;
    Py_RETURN_NONE;
}

static PyMethodDef own_methods[] = {
    {"take_reports", fpy_take_reports, METH_NOARGS, NULL},
    {"enums", describe_enums, METH_NOARGS, "Enumerations of the headers: name: (doc, [(member, value, doc)...])."},
    {"structs", describe_structs, METH_NOARGS, "Structs of the headers, with the layout of this build."},
    {"functions", describe_functions, METH_NOARGS,
     "Functions of the headers that are bound: name: (doc, prototype, inputs, outputs, constant)."},
    {"register_hooks", register_hooks, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static bool add_functions(PyObject *module, const PyMethodDef *methods)
{
    for (; methods->ml_name != NULL; methods++) {
        PyObject *function = PyCFunction_NewEx((PyMethodDef *)(uintptr_t)methods, NULL, NULL);
        if (function == NULL || PyModule_AddObject(module, methods->ml_name, function) != 0) return false;
    }
    return true;
}

PyMODINIT_FUNC PyInit__fender(void);
PyMODINIT_FUNC PyInit__fender(void)
{
    static struct PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, "_fender", "Fender's C library.", -1, own_methods, NULL, NULL, NULL, NULL};
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
    static PyMethodDef *methods; /* as long as the process */
    methods = calloc((size_t)fpy_function_count + 1, sizeof *methods);
    bool made = methods != NULL && fpy_handle_setup(module) && fpy_law_setup(module) &&
                add_functions(module, fpy_module_methods) && add_functions(module, fpy_law_methods) &&
                add_functions(module, fpy_yaml_methods) && add_functions(module, fpy_study_methods);
    for (int i = 0; made && i < fpy_function_count; i++)
        methods[i] = (PyMethodDef){fpy_functions[i].name, fpy_functions[i].call, METH_VARARGS, fpy_functions[i].doc};
    if (made) made = add_functions(module, methods);
    if (made)
        made = PyModule_AddIntConstant(module, "abi_major", FENDER_VERSION_MAJOR) == 0 &&
               PyModule_AddIntConstant(module, "abi_minor", FENDER_VERSION_MINOR) == 0;
    if (!made) Py_CLEAR(module);
    return module;
}
