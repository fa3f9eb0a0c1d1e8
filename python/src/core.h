/* The parts of the extension fender._fender: descriptions of the library's types, conversions, handles, calls.
 *
 * Written for the stable ABI of Python 3.9. python/bindings.py writes the tables and one function for each function of
 * the public headers; what is here serves all of them. */
#ifndef FENDER_PYTHON_CORE_H
#define FENDER_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <fender/advice.h>
#include <fender/comparison.h>
#include <fender/convergence.h>
#include <fender/fender.h>
#include <fender/fmi.h>
#include <fender/io.h>
#include <fender/mesh_file.h>
#include <fender/model_file.h>
#include <fender/recording.h>
#include <fender/study.h>

#include <kinds.h> /* written by bindings.py */

/* ---- descriptions, written by bindings.py ---- */

typedef enum fpy_kind {
    FPY_DOUBLE,
    FPY_INT,
    FPY_INT64,
    FPY_UINT16,
    FPY_UINT32,
    FPY_UINT64,
    FPY_SIZE,
    FPY_BOOL,
    FPY_ENUM,
    FPY_ID,     /* of an object of a world: 8 bytes */
    FPY_CHARS,  /* char name[N] */
    FPY_TEXT,   /* const char * */
    FPY_TEXTS,  /* const char *const * with its number in another member */
    FPY_STRUCT, /* within the struct */
    FPY_ARRAY,  /* a pointer to elements with their number in another member */
    FPY_HANDLE, /* a pointer to an opaque object */
    FPY_LAW,    /* const fender_law *: its name */
    FPY_BYTES,  /* const void *: bytes */
    FPY_HIDDEN  /* functions, and what is private */
} fpy_kind;

typedef struct fpy_choice {
    const char *name, *doc;
    int value;
} fpy_choice;
typedef struct fpy_enum {
    const char *name, *doc;
    const fpy_choice *choices;
    int count;
} fpy_enum;

enum { FPY_MEMBER_LIMIT = 128 }; /* of a struct; bindings.py looks after it */
struct fpy_struct;
typedef struct fpy_member {
    const char *name, *unit, *doc;
    fpy_kind kind, element; /* element: of an array */
    size_t offset, size;    /* bytes of the member; with several elements, of all */
    size_t stride;          /* bytes of one element */
    const struct fpy_struct *of;
    const fpy_enum *choices;
    int handle;          /* kind of a handle */
    const char *counter; /* member with the number of elements; NULL: none */
} fpy_member;
typedef struct fpy_struct {
    const char *name, *doc;
    size_t size;
    const fpy_member *members;
    int count;
    int numbers;                      /* a vector, quaternion or matrix: so many doubles; else 0 */
    bool plain;                       /* without pointers: seen as an array of bytes with a dtype */
    void (*initialize)(void *object); /* its _default function; NULL: zeros */
} fpy_struct;

typedef struct fpy_handle_kind {
    const char *name;
    void (*destroy)(void *object); /* NULL: never owned */
} fpy_handle_kind;

typedef struct fpy_function {
    const char *name, *doc, *prototype;
    const char *inputs, *outputs; /* "world:fender_world body:fender_body_id"; types alone */
    bool constant;                /* changes no object that it takes */
    PyCFunction call;
} fpy_function;

extern const fpy_enum fpy_enums[];
extern const int fpy_enum_count;
extern const fpy_struct *const fpy_structs[];
extern const int fpy_struct_count;
extern const fpy_handle_kind fpy_handle_kinds[];
extern const int fpy_handle_kind_count;
extern const fpy_function fpy_functions[];
extern const int fpy_function_count;

/* ---- handles: Python objects that own or borrow an object of the library ---- */

typedef struct fpy_handle {
    PyObject_HEAD void *object; /* NULL: closed */
    int kind;                   /* -1: none yet */
    bool owned;                 /* destroyed with the handle */
    bool constant;              /* the library does not allow changes */
    bool busy;                  /* a call without the interpreter lock uses it */
    bool stopped;               /* of a world: it is advanced no more */
    PyObject *owner;            /* what must live as long */
    PyObject *holds;            /* list of further such objects; NULL: none */
    void *extra;                /* of a run: its callbacks */
    void (*end_extra)(void *extra);
    char *events; /* of a world: those of earlier parts of a long advance */
    size_t event_bytes, event_capacity;
} fpy_handle;

extern PyTypeObject *fpy_handle_type, *fpy_world_type;
bool fpy_handle_setup(PyObject *module);
/* Steals nothing. owner may be NULL. */
PyObject *fpy_handle_make(void *object, int kind, bool owned, bool constant, PyObject *owner);
/* Keeps an object until the handle is closed; a second time changes nothing. False with an exception set. */
bool fpy_handle_hold(fpy_handle *handle, PyObject *object);

/* ---- calls ---- */

enum { FPY_BUSY = 4 };
typedef struct fpy_call {
    const char *name;
    PyObject *arguments;
    PyObject *keep; /* list of what the arguments of C point into */
    fpy_handle *busy[FPY_BUSY];
    int busy_count;
    bool failed; /* an exception is set */
    fender_error error;
    PyThreadState *thread;
    struct fpy_diagnostics *diagnostics;
    struct fpy_diagnostics *outer; /* of the call in whose callback this one is made */
    char place[200];               /* of the argument that is converted: "body_create: def.state" */
} fpy_call;

/* Environment of all calls. */
const fender_env *fpy_env(void);
bool fpy_begin(fpy_call *call, const char *name, PyObject *arguments, int count);
/* Releases the interpreter lock, and takes it again. */
void fpy_leave(fpy_call *call);
void fpy_enter(fpy_call *call);
/* True, with an exception set, if the status is a failure, or if a law in Python raised. */
bool fpy_failed(fpy_call *call, fender_status status);
void fpy_end(fpy_call *call);
/* What the library reported while a call ran, as a list of dicts. */
PyObject *fpy_take_diagnostics(fpy_call *call);
/* take_reports(): the same of the last call of this thread, unless it failed; empties the list. */
PyObject *fpy_take_reports(PyObject *self, PyObject *unused);
bool fpy_keep(fpy_call *call, PyObject *object); /* steals the reference */

/* Sets the exception fender.Error. */
void fpy_raise(const fender_error *error, PyObject *diagnostics);
/* Refuses an argument; `found` describes the object. */
void fpy_refuse(fpy_call *call, PyObject *object, const char *expected, const char *remedy);

/* ---- conversions. Inputs set call->failed; outputs return NULL with an exception set ---- */

PyObject *fpy_argument(fpy_call *call, int index, const char *name);
/* Of Python or numpy, of any width; no array. */
bool fpy_is_number(PyObject *object);
double fpy_in_double(fpy_call *call, PyObject *object, const char *unit);
int64_t fpy_in_int(fpy_call *call, PyObject *object, int64_t least, int64_t most);
bool fpy_in_bool(fpy_call *call, PyObject *object);
int fpy_in_enum(fpy_call *call, PyObject *object, const fpy_enum *choices);
void fpy_in_id(fpy_call *call, PyObject *object, void *id);
const char *fpy_in_text(fpy_call *call, PyObject *object, bool none);
const void *fpy_in_bytes(fpy_call *call, PyObject *object, size_t *size);
void fpy_in_struct(fpy_call *call, PyObject *object, const fpy_struct *type, void *to);
const void *fpy_in_array(fpy_call *call, PyObject *object, fpy_kind element, size_t stride, const fpy_struct *of,
                         size_t *count);
/* A vector, quaternion or matrix: nested sequences of numbers or texts with units, or an array, row by row. */
void fpy_in_numbers(fpy_call *call, PyObject *object, int count, const char *unit, double *to);
/* By name, or of the type that law.c has. */
const fender_law *fpy_in_law(fpy_call *call, PyObject *object);
void *fpy_in_handle(fpy_call *call, PyObject *object, int kind, bool changes, bool none);

PyObject *fpy_out_id(const void *id);
PyObject *fpy_out_text(const char *text); /* None for NULL */
PyObject *fpy_out_struct(const fpy_struct *type, const void *from);
PyObject *fpy_out_array(fpy_kind element, const fpy_struct *of, size_t stride, const void *from, size_t count);
PyObject *fpy_out_fields(const fender_field_table *table);
/* numpy's view of bytes as records of a type, by the hook of the Python layer; steals `buffer`. */
PyObject *fpy_record(const char *type, PyObject *buffer, bool many);

/* ---- hooks into the Python layer ---- */
extern PyObject *fpy_hook_error, *fpy_hook_record;

/* ---- what is written by hand ---- */
extern PyMethodDef fpy_world_methods[];
extern PyGetSetDef fpy_world_members[];
extern PyMethodDef fpy_module_methods[], fpy_study_methods[], fpy_law_methods[], fpy_yaml_methods[];
bool fpy_law_setup(PyObject *module);
/* True, with its exception set, if a law in Python raised during the call. */
bool fpy_law_raised(fpy_call *call);
bool fpy_check_signals(void);

#endif
