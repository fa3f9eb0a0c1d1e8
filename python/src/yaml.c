/* YAML as dicts, lists, numbers and texts. Scenarios are checked by the library; here they are only read. */
#include "core.h"

#include <string.h>
#include <yaml.h>

/* A plain scalar that is a number, in full; NULL without an exception otherwise. */
static PyObject *number_of(const char *text, size_t length)
{
    bool whole = length > 0;
    for (size_t i = 0; i < length; i++) {
        if (strchr("0123456789+-.eE", text[i]) == NULL) return NULL;
        whole = whole && strchr(".eE", text[i]) == NULL;
    }
    char *end = NULL;
    PyObject *string = whole ? NULL : PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
    PyObject *number = whole ? PyLong_FromString(text, &end, 10) : string != NULL ? PyFloat_FromString(string) : NULL;
    Py_XDECREF(string);
    PyErr_Clear();
    return number;
}

static PyObject *scalar_of(const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    size_t length = node->data.scalar.length;
    if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
        PyObject *number = number_of(text, length);
        if (number != NULL) return number;
        if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) return PyBool_FromLong(text[0] == 't');
        if (length == 0 || strcmp(text, "null") == 0 || strcmp(text, "~") == 0) Py_RETURN_NONE;
    }
    return PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
}

static PyObject *object_of(yaml_document_t *document, int index, int depth)
{
    const yaml_node_t *node = yaml_document_get_node(document, index);
    PyObject *result = NULL;
    if (node == NULL || depth > 200) {
        PyErr_SetString(PyExc_ValueError, "the text is nested too deeply");
    } else if (node->type == YAML_SCALAR_NODE) {
        result = scalar_of(node);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        result = PyList_New(0);
        for (const yaml_node_item_t *item = node->data.sequence.items.start;
             result != NULL && item < node->data.sequence.items.top; item++) {
            PyObject *value = object_of(document, *item, depth + 1);
            if (value == NULL || PyList_Append(result, value) != 0) Py_CLEAR(result);
            Py_XDECREF(value);
        }
    } else {
        result = PyDict_New();
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             result != NULL && pair < node->data.mapping.pairs.top; pair++) {
            PyObject *key = object_of(document, pair->key, depth + 1);
            PyObject *value = key != NULL ? object_of(document, pair->value, depth + 1) : NULL;
            if (value == NULL || PyDict_SetItem(result, key, value) != 0) Py_CLEAR(result);
            Py_XDECREF(key);
            Py_XDECREF(value);
        }
    }
    return result;
}

/* yaml_parse(text): ValueError if it is no YAML */
static PyObject *yaml_parse(PyObject *self, PyObject *given)
{
    yaml_parser_t parser;
    yaml_document_t document;
    PyObject *result = NULL, *bytes = PyUnicode_Check(given) ? PyUnicode_AsUTF8String(given) : NULL;
    (void)self;
    if (bytes == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a text is needed");
        return NULL;
    }
    if (!yaml_parser_initialize(&parser)) {
        Py_DECREF(bytes);
        return PyErr_NoMemory();
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
    if (yaml_parser_load(&parser, &document)) {
        if (yaml_document_get_root_node(&document) == NULL) result = PyDict_New();
        else result = object_of(&document, 1, 0);
        yaml_document_delete(&document);
    } else {
        PyErr_Format(PyExc_ValueError, "line %zu: %s", parser.problem_mark.line + 1,
                     parser.problem != NULL ? parser.problem : "this is no YAML");
    }
    yaml_parser_delete(&parser);
    Py_DECREF(bytes);
    return result;
}

PyMethodDef fpy_yaml_methods[] = {
    {"yaml_parse", yaml_parse, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
