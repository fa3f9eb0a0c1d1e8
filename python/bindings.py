#!/usr/bin/env python3
"""Writes the tables and functions of the extension from the public headers.

usage: bindings.py HEADERS OUTPUT_FOLDER    writes tables.c, functions.c and kinds.h
       bindings.py HEADERS --skipped        lists the functions that are not called by themselves, each with the reason
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import headers  # noqa: E402

# Types with coordinates alone: seen as arrays of numbers.
COORDINATES = {"x": 1, "y": 1, "z": 1, "w": 1, "m": 9}

# Results with one element for each element of the array that a function takes. A type does not tell this.
AS_MANY = {
    "fender_geometry_ray_cast_many": "hits",
    "fender_geometry_nearest_points": "nearest",
}

# Functions that a rule of this script would bind wrongly.
BY_HAND = {
    "fender_run_create": "the run borrows its definition",
    "fender_run_execute": "it calls back, and ends by Ctrl-C",
    "fender_study_run": "it ends by Ctrl-C",
    "fender_study_report": "it puts its text in pieces",
    "fender_study_report_at": "likewise",
    "fender_study_print": "likewise",
    "fender_run_open": "likewise",
    "fender_run_step": "likewise",
    "fender_run_advance_to": "likewise",
    "fender_run_finish": "likewise",
    "fender_recorder_create": "the recorder borrows its world; runs record",
    "fender_recorder_sample": "likewise",
    "fender_recorder_rows": "likewise",
    "fender_recorder_close": "likewise",
    "fender_world_step": "its cost counts",
    "fender_world_advance": "it ends by Ctrl-C",
    "fender_world_advance_to": "it ends by Ctrl-C",
    "fender_world_advance_tangent": "its matrix has as many numbers as the world says",
    "fender_world_linearize": "likewise",
    "fender_world_events": "a long advance has several parts",
    "fender_controller_entry": "plug-ins define it",
    "fender_plugin_entry": "plug-ins define it",
    "fender_contact_forces": "fender_contact_at has all of it",
    "fender_expression_bind": "it rewrites a program in place",
    "fender_expression_shorten": "likewise",
}


class Bindings:
    def __init__(self, folder):
        self.headers = headers.read(folder)
        self.structs = self.headers.structs
        self.enums = self.headers.enums
        self.ids = {name for name in self.structs if re.fullmatch(r"fender_\w+_id", name)}
        self.handles = sorted(self.headers.opaque)
        self.plain = {}
        self.skipped = {}

    # ---- types

    def numbers(self, name):
        """How many numbers a vector, quaternion or matrix has; 0 for other structs."""
        members = self.structs[name].members
        if members and all(m.type == "double" and m.stars == 0 and m.name in COORDINATES for m in members):
            return sum(COORDINATES[m.name] for m in members)
        return 0

    def is_plain(self, name):
        """True if the struct has no pointers: an array of bytes tells all."""
        if name not in self.plain:
            self.plain[name] = True
            self.plain[name] = all(self.kind(m) not in ("TEXT", "TEXTS", "ARRAY", "HANDLE", "LAW", "BYTES", "HIDDEN")
                                   and (m.type not in self.structs or m.type in self.ids or self.is_plain(m.type))
                                   for m in self.structs[name].members)
        return self.plain[name]

    def kind(self, member):
        """Kind of a member of a struct, as in fpy_kind without its prefix."""
        name, stars = member.type, member.stars
        if name == "char":
            return {(0, True): "CHARS", (1, False): "TEXT", (2, False): "TEXTS"}.get((stars, member.array), "HIDDEN")
        if stars == 1 and name == "fender_law":
            return "LAW"
        if stars == 1 and name in self.headers.opaque:
            return "HANDLE"
        if stars == 1 and name == "void" and member.constant:
            return "BYTES"
        if name in ("fender_field", "fender_field_table"):
            return "HIDDEN"
        if stars == 1 and (name in headers.SCALARS or name in self.structs):
            return "ARRAY"
        if stars:
            return "HIDDEN"
        if name in headers.SCALARS:
            return headers.SCALARS[name]
        if name in self.enums:
            return "ENUM"
        if name in self.ids:
            return "ID"
        return "STRUCT" if name in self.structs else "HIDDEN"

    def element(self, member):
        return self.kind(headers.Member(member.type, member.name))

    def counter(self, member, struct):
        """The member that tells how many elements an array has."""
        names = {m.name for m in struct.members}
        stems = {member.name, re.sub(r"s$", "", member.name), re.sub(r"es$", "", member.name),
                 re.sub(r"ies$", "y", member.name), re.sub(r"ices$", "ex", member.name)}
        for stem in sorted(stems):
            if f"{stem}_count" in names:
                return f"{stem}_count"
        return "count" if "count" in names else None

    # ---- tables

    def text(self, words):
        return '"' + words.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") + '"'

    def order(self):
        """Structs after those that they contain."""
        done, result = set(), []

        def visit(name):
            if name in done or name not in self.structs or name in self.ids:
                return
            done.add(name)
            for member in self.structs[name].members:
                if member.type != name:
                    visit(member.type)
            result.append(name)
        for name in self.structs:
            visit(name)
        return result

    def member_row(self, member, struct):
        kind = self.kind(member)
        element = self.element(member) if kind == "ARRAY" else "HIDDEN"
        place = f"(({struct.name} *)0)->{self.path(member, struct)}"
        base = {"char": "char"}.get(member.type, member.type)
        stride = f"sizeof({base})" if kind not in ("TEXT", "TEXTS", "HANDLE", "LAW", "BYTES", "HIDDEN") else "0"
        of = f"&struct_{member.type}" if member.type in self.structs and member.type not in self.ids and \
            kind in ("STRUCT", "ARRAY") else "NULL"
        choices = f"&fpy_enums[ENUM_{member.type}]" if member.type in self.enums else "NULL"
        handle = f"FPY_HANDLE_{member.type}" if kind == "HANDLE" else "-1"
        counter = self.counter(member, struct) if kind in ("ARRAY", "TEXTS") else None
        return (f"    {{{self.text(member.name)}, {self.text(member.unit)}, {self.text(member.doc)}, FPY_{kind}, "
                f"FPY_{element}, offsetof({struct.name}, {member.name}), sizeof({place}), {stride}, {of}, {choices}, "
                f"{handle}, {self.text(counter) if counter else 'NULL'}}},")

    def path(self, member, struct):
        return member.name

    def tables(self):
        out = ["/* Written by python/bindings.py from the public headers. */", '#include "core.h"', "",
               "#include <stddef.h>", ""]
        names = sorted(self.enums)
        out.append("enum {" + ", ".join(f"ENUM_{name}" for name in names) + "};")
        for name in names:
            enum = self.enums[name]
            prefix = os.path.commonprefix([constant for constant, _ in enum.members])
            prefix = prefix[:prefix.rfind("_") + 1]
            out.append(f"static const fpy_choice choices_{name}[] = {{")
            for constant, doc in enum.members:
                out.append(f"    {{{self.text(constant[len(prefix):])}, {self.text(doc)}, (int){constant}}},")
            out.append("};")
        out.append("const fpy_enum fpy_enums[] = {")
        for name in names:
            out.append(f"    {{{self.text(name)}, {self.text(self.enums[name].doc)}, choices_{name}, "
                       f"{len(self.enums[name].members)}}},")
        out += ["};", f"const int fpy_enum_count = {len(names)};", ""]
        order = self.order()
        for name in order:
            struct = self.structs[name]
            start = "NULL"
            if f"{name}_default" in self.headers.functions and not self.headers.functions[f"{name}_default"].parameters:
                start = f"start_{name}"
                out.append(f"static void {start}(void *object) {{ *({name} *)object = {name}_default(); }}")
            elif name == "fender_quaternion":
                pass
            rows = [self.member_row(member, struct) for member in struct.members]
            assert len(rows) <= 128, "FPY_MEMBER_LIMIT of src/core.h"
            out.append(f"static const fpy_struct struct_{name};")
            if rows:
                out.append(f"static const fpy_member members_{name}[] = {{")
                out += rows
                out.append("};")
            out.append(f"static const fpy_struct struct_{name} = {{{self.text(name)}, {self.text(struct.doc)}, "
                       f"sizeof({name}), {f'members_{name}' if rows else 'NULL'}, {len(rows)}, {self.numbers(name)}, "
                       f"{'true' if self.is_plain(name) else 'false'}, {start}}};")
        out.append("const fpy_struct *const fpy_structs[] = {")
        out += [f"    &struct_{name}," for name in order]
        out += ["};", f"const int fpy_struct_count = {len(order)};", ""]
        for name in self.handles:
            end = self.destructor(name)
            if end:
                out.append(f"static void end_{name}(void *object) {{ {end}(object); }}")
        out.append("const fpy_handle_kind fpy_handle_kinds[] = {")
        for name in self.handles:
            out.append(f"    {{{self.text(name)}, {f'end_{name}' if self.destructor(name) else 'NULL'}}},")
        out += ["};", f"const int fpy_handle_kind_count = {len(self.handles)};", ""]
        return "\n".join(out)

    def kinds(self):
        out = ["/* Written by python/bindings.py from the public headers. */", "#ifndef FENDER_PYTHON_KINDS_H",
               "#define FENDER_PYTHON_KINDS_H", "enum {"]
        out += [f"    FPY_HANDLE_{name}," for name in self.handles]
        out += ["    FPY_WORLD = FPY_HANDLE_fender_world,", "    FPY_RUN = FPY_HANDLE_fender_run", "};"]
        for number, name in enumerate(self.order()):
            out.append(f"#define FPY_STRUCT_{name} (fpy_structs[{number}])")
        out.append("#endif\n")
        return "\n".join(out)

    def destructor(self, name):
        for ending in ("destroy", "release"):
            function = self.headers.functions.get(f"{name}_{ending}")
            if function and len(function.parameters) == 1 and function.returns.type == "void":
                return function.name
        return None

    def private(self, name, seen=()):
        """True if the struct has pointers of the library that Python cannot give back."""
        return any(self.kind(m) == "HIDDEN" and m.type != "void" or
                   self.kind(m) in ("STRUCT", "ARRAY") and m.type in self.structs and m.type not in seen and m.type != name and self.private(m.type, seen + (name,))
                   for m in self.structs[name].members)

    # ---- functions

    def function(self, function):
        """C of one function, or the reason why there is none."""
        short = function.name[len("fender_"):]
        if function.name in BY_HAND:
            return None, "src/ has it by hand: " + BY_HAND[function.name]
        if function.returns is None or any(p is None for p in function.parameters):
            return None, "it takes a function"
        if re.search(r"_(destroy|release|retain)$", function.name) and \
                function.parameters[0].type in self.headers.opaque and len(function.parameters) == 1:
            return None, "handles own their objects"
        if function.name.endswith("_default") and not function.parameters:
            return None, "definitions begin with it"
        before, arguments, outputs, inputs = [], [], [], []
        array = taken = counted = None
        rooms = []
        status = function.returns.type == "fender_status" and function.returns.stars == 0
        fails = status or any(p.type == "fender_error" for p in function.parameters)
        parameters = function.parameters
        skip = 0
        owner = None
        changes = False
        for index, p in enumerate(parameters):
            if skip:
                skip -= 1
                continue
            following = parameters[index + 1] if index + 1 < len(parameters) else None
            name, place = p.name, len(inputs)
            take = f'fpy_argument(&py_call, {place}, "{name}")'
            if p.array:
                return None, f"the array {name}"
            if p.type == "fender_env":
                arguments.append("fpy_env()")
                continue
            if p.type == "fender_error" and p.stars == 1:
                arguments.append("&py_call.error")
                continue
            if p.stars == 0:
                kind = self.kind(p)
                if kind in ("DOUBLE",):
                    before.append(f"    double {name} = fpy_in_double(&py_call, {take}, NULL);")
                elif kind in ("INT", "INT64", "UINT16", "UINT32", "UINT64", "SIZE"):
                    least, most = {"INT": ("INT32_MIN", "INT32_MAX"), "INT64": ("INT64_MIN", "INT64_MAX"),
                                   "UINT16": ("0", "UINT16_MAX"), "UINT32": ("0", "UINT32_MAX"),
                                   "UINT64": ("0", "INT64_MAX"), "SIZE": ("0", "INT64_MAX")}[kind]
                    before.append(f"    {p.type} {name} = ({p.type})fpy_in_int(&py_call, {take}, {least}, {most});")
                elif kind == "BOOL":
                    before.append(f"    bool {name} = fpy_in_bool(&py_call, {take});")
                elif kind == "ENUM":
                    before.append(f"    {p.type} {name} = ({p.type})fpy_in_enum(&py_call, {take}, &fpy_enums[{sorted(self.enums).index(p.type)}]);")
                elif kind == "ID":
                    before.append(f"    {p.type} {name} = {{0}};")
                    before.append(f"    fpy_in_id(&py_call, {take}, &{name});")
                elif kind == "STRUCT":
                    before.append(f"    {p.type} {name};")
                    before.append(f"    memset(&{name}, 0, sizeof {name});")
                    before.append(f"    fpy_in_struct(&py_call, {take}, FPY_STRUCT_{p.type}, &{name});")
                else:
                    return None, f"the parameter {name}"
                arguments.append(name)
                inputs.append((name, p.type))
                continue
            if p.stars == 1 and p.type in self.headers.opaque:
                mutable = not p.constant
                changes = changes or mutable
                none = "true" if p.type == "fender_registry" else "false"
                before.append(f"    void *{name} = fpy_in_handle(&py_call, {take}, FPY_HANDLE_{p.type}, "
                              f"{'true' if mutable else 'false'}, {none});")
                arguments.append(name)
                inputs.append((name, p.type))
                owner = owner if owner is not None else place
                continue
            if p.type == "char" and p.stars == 1 and p.constant:
                if following is not None and following.name == "length":
                    before.append(f"    const char *{name} = fpy_in_text(&py_call, {take}, false);")
                    arguments += [name, f"strlen({name})"]
                    skip = 1
                else:
                    none = "true" if fails else "false"
                    before.append(f"    const char *{name} = fpy_in_text(&py_call, {take}, {none});")
                    arguments.append(name)
                inputs.append((name, "text"))
                continue
            if p.type == "void" and p.constant and p.stars == 1 and following is not None and \
                    following.name in ("size", "length", "data_size"):
                before.append(f"    size_t {following.name} = 0;")
                before.append(f"    const void *{name} = fpy_in_bytes(&py_call, {take}, &{following.name});")
                arguments += [name, following.name]
                inputs.append((name, "bytes"))
                skip = 1
                continue
            if p.type == "fender_law" and p.constant and p.stars == 1:
                before.append(f"    const fender_law *{name} = fpy_in_law(&py_call, {take});")
                if not fails:
                    before.append(f"    if (!py_call.failed && {name} == NULL) fpy_refuse(&py_call, Py_None, \"the name of a law\", \"\");")
                arguments.append(name)
                inputs.append((name, "law"))
                continue
            if p.constant and p.stars == 1 and following is not None and following.type == "int" and following.stars == 0 and \
                    re.search(r"count$", following.name) and self.element(p) in ("DOUBLE", "INT", "INT64", "STRUCT"):
                of = f"FPY_STRUCT_{p.type}" if p.type in self.structs else "NULL"
                before.append(f"    size_t {following.name} = 0;")
                before.append(f"    const {p.type} *{name} = fpy_in_array(&py_call, {take}, FPY_{self.element(p)}, "
                              f"sizeof({p.type}), {of}, &{following.name});")
                arguments += [name, f"(int){following.name}"]
                inputs.append((name, f"{p.type}[]"))
                taken = following.name
                skip = 1
                continue
            if p.constant and p.stars == 1 and p.type in self.structs:
                if self.private(p.type):
                    return None, f"the private members of {name}"
                before.append(f"    {p.type} {name}_value;")
                before.append(f"    memset(&{name}_value, 0, sizeof {name}_value);")
                before.append(f"    PyObject *{name}_object = {take};")
                if fails:
                    before.append(f"    const {p.type} *{name} = {name}_object == Py_None ? NULL : &{name}_value;")
                else:
                    before.append(f"    const {p.type} *{name} = &{name}_value;")
                before.append(f"    if ({name}_object != Py_None || {'false' if fails else 'true'})")
                before.append(f"        fpy_in_struct(&py_call, {name}_object, FPY_STRUCT_{p.type}, &{name}_value);")
                arguments.append(name)
                inputs.append((name, p.type))
                continue
            if not p.constant and p.stars == 1 and following is not None and following.name == "capacity" and \
                    index + 2 < len(parameters) and parameters[index + 2].name == "count" and array is None and status:
                array = (p, len(arguments))
                arguments += [None, None, "&py_count"]
                skip = 2
                continue
            if not p.constant and p.stars == 1 and following is not None and following.name == "capacity":
                return None, f"the array {name} of unknown length"
            if not p.constant and p.stars == 1 and taken is not None and p.type not in self.headers.opaque:
                if AS_MANY.get(function.name) != name or p.type not in self.structs:
                    return None, f"the result {name} beside an array: AS_MANY tells whether it has as many elements"
                before.append(f"    {p.type} *{name} = calloc({taken} + 1, sizeof({p.type}));")
                before.append(f"    if ({name} == NULL && !py_call.failed) fpy_failed(&py_call, FENDER_STATUS_MEMORY);")
                rooms.append(name)
                arguments.append(name)
                outputs.append((f"{p.type}[]", name))
                counted = taken
                continue
            if not p.constant and p.stars == 1 and p.type in ("double", "int", "int64_t", "bool", "size_t", "uint32_t", "uint64_t"):
                if p.type == "double" and name in ("y", "ydot", "values", "heights"):
                    return None, f"the array {name} of unknown length"
                before.append(f"    {p.type} {name} = 0;")
                arguments.append(f"&{name}")
                outputs.append((p.type, name))
                continue
            if not p.constant and p.stars == 1 and (p.type in self.structs or p.type in self.enums):
                if p.type in self.structs and p.type not in self.ids and self.has_pointers_to_free(p.type):
                    return None, f"the result {name} must be released"
                before.append(f"    {p.type} {name};")
                before.append(f"    memset(&{name}, 0, sizeof {name});")
                arguments.append(f"&{name}")
                outputs.append((p.type, name))
                continue
            if p.type == "char" and p.constant and p.stars == 2:
                before.append(f"    const char *{name} = NULL;")
                arguments.append(f"&{name}")
                outputs.append(("text", name))
                continue
            return None, f"the parameter {name}"
        # ---- the call and its result
        r = function.returns
        declare, check = "", ""
        returned = []
        call_text = f"{function.name}({', '.join(a if a is not None else '%' for a in arguments)})"
        if r.stars == 0 and r.type == "void":
            run = f"{call_text};"
        elif status:
            declare, run = "    fender_status py_status = FENDER_STATUS_OK;", f"py_status = {call_text};"
            check = "    if (fpy_failed(&py_call, py_status)) goto end;"
        elif r.stars == 0 and r.type in list(headers.SCALARS) + list(self.structs) + list(self.enums):
            zero = "" if r.type in self.structs else " = 0"
            declare = f"    {r.type} py_returned{zero};"
            if r.type in self.structs:
                declare += "\n    memset(&py_returned, 0, sizeof py_returned);"
            run = f"py_returned = {call_text};"
            returned = [(r.type, "py_returned")]
        elif r.stars == 1 and r.type == "char":
            declare, run = "    const char *py_returned = NULL;", f"py_returned = {call_text};"
            returned = [("text", "py_returned")]
        elif r.stars == 1 and r.type == "fender_field_table":
            declare, run = "    const fender_field_table *py_returned = NULL;", f"py_returned = {call_text};"
            returned = [("fields", "py_returned")]
        elif r.stars == 1 and r.type == "fender_law":
            declare, run = "    const fender_law *py_returned = NULL;", f"py_returned = {call_text};"
            returned = [("law", "py_returned")]
        elif r.stars == 1 and r.type in self.headers.opaque:
            declare, run = f"    const {r.type} *py_returned = NULL;", f"py_returned = {call_text};"
            returned = [(f"{'const ' if r.constant else ''}handle {r.type}", "py_returned")]
            if any(p.type == "fender_error" for p in parameters):
                check = ("    if (py_returned == NULL && fpy_failed(&py_call, py_call.error.status != FENDER_STATUS_OK ? "
                         "py_call.error.status : FENDER_STATUS_MEMORY)) goto end;")
        elif r.stars == 1 and r.constant and (r.type in self.structs or r.type in ("void", "int", "double")):
            sizes = [o for o in outputs if o[1] in ("count", "size")]
            declare, run = f"    const {r.type} *py_returned = NULL;", f"py_returned = {call_text};"
            if sizes and r.type != "void":
                outputs = [o for o in outputs if o[1] != sizes[0][1]]
                returned = [(f"{r.type}[]", "py_returned")]
                counted = sizes[0][1]
            elif sizes:
                outputs = [o for o in outputs if o[1] != sizes[0][1]]
                returned = [("bytes", "py_returned")]
                counted = sizes[0][1]
            elif r.type in self.structs:
                returned = [(f"{r.type} *", "py_returned")]
            else:
                return None, "its result has no known length"
        else:
            return None, "its result"
        lines = [f"static PyObject *call_{short}(PyObject *py_self, PyObject *py_arguments)", "{",
                 "    fpy_call py_call = {0};", "    PyObject *py_result = NULL;", "    (void)py_self;",
                 f'    if (!fpy_begin(&py_call, "{short}", py_arguments, {len(inputs)})) return NULL;']
        lines += before
        if declare:
            lines.append(declare)
        lines.append("    if (py_call.failed) goto end;")
        leaves = fails or changes or any(p.type == "fender_env" for p in parameters)
        if array is not None:
            p = array[0]
            first, second = run.replace("%, %", "NULL, 0"), run.replace("%, %", f"({p.type} *)py_room, py_count")
            lines += ["    int py_count = 0;", "    void *py_room = NULL;", "    " + first,
                      f"    if (py_status == FENDER_STATUS_OK && py_count > 0 && (py_room = calloc((size_t)py_count, sizeof({p.type}))) == NULL) "
                      "py_status = FENDER_STATUS_MEMORY;",
                      f"    if (py_room != NULL) {second}",
                      "    if (fpy_failed(&py_call, py_status)) {", "        free(py_room);", "        goto end;", "    }",
                      f"    py_result = fpy_out_array(FPY_STRUCT, FPY_STRUCT_{p.type}, sizeof({p.type}), py_room, (size_t)py_count);",
                      "    free(py_room);"]
            if p.type not in self.structs:
                return None, f"the array {p.name}"
            outputs_text = f"{p.type}[]"
        else:
            if leaves:
                lines += ["    fpy_leave(&py_call);", "    " + run, "    fpy_enter(&py_call);"]
            else:
                lines.append("    " + run)
            if check:
                lines.append(check)
            found = returned[0][0] == "bool" if returned else False
            if found and outputs:  # false: there is none
                results = outputs
                lines.append("    if (!py_returned) {\n        Py_INCREF(Py_None);\n        py_result = Py_None;\n        goto end;\n    }")
            else:
                results = returned + outputs
            outs = []
            for kind, name in results:
                value = self.output(kind, name, counted, owner)
                if value is None:
                    return None, f"the result {name}"
                outs.append(value)
            if not outs:
                lines += ["    Py_INCREF(Py_None);", "    py_result = Py_None;"]
            elif len(outs) == 1:
                lines.append(f"    py_result = {outs[0]};")
            else:
                lines.append(f"    py_result = Py_BuildValue(\"({'N' * len(outs)})\", {', '.join(outs)});")
            outputs_text = " ".join(kind.replace(" ", ":") for kind, _ in results)
            if found and outputs:
                outputs_text = "optional " + outputs_text
        lines += ["end:"] + [f"    free({name});" for name in rooms]
        lines += ["    fpy_end(&py_call);", "    return py_result;", "}", ""]
        inputs_text = " ".join(f"{name}:{kind}" for name, kind in inputs)
        row = (f"    {{{self.text(short)}, {self.text(function.doc)}, {self.text(function.prototype)}, {self.text(inputs_text)}, "
               f"{self.text(outputs_text)}, {'false' if changes else 'true'}, call_{short}}},")
        return ("\n".join(lines), row), None

    def has_pointers_to_free(self, name):
        return f"{name}_release" in self.headers.functions or f"{name}_close" in self.headers.functions

    def output(self, kind, name, counted, owner):
        simple = {"double": "PyFloat_FromDouble({})", "int": "PyLong_FromLong({})", "int32_t": "PyLong_FromLong({})",
                  "int64_t": "PyLong_FromLongLong({})", "uint32_t": "PyLong_FromUnsignedLong({})",
                  "uint16_t": "PyLong_FromLong({})", "uint64_t": "PyLong_FromUnsignedLongLong({})",
                  "size_t": "PyLong_FromSize_t({})", "bool": "PyBool_FromLong({})", "text": "fpy_out_text({})",
                  "fields": "fpy_out_fields({})", "law": "fpy_out_text({0} != NULL ? {0}->name : NULL)"}
        if kind in simple:
            return simple[kind].format(name)
        if kind in self.ids:
            return f"fpy_out_id(&{name})"
        if kind in self.enums:
            return f"PyLong_FromLong((long){name})"
        if kind in self.structs:
            return f"fpy_out_struct(FPY_STRUCT_{kind}, &{name})"
        if kind == "bytes":
            return f"PyBytes_FromStringAndSize({name}, (Py_ssize_t){counted})"
        if kind.endswith("[]"):
            base = kind[:-2]
            element = self.element(headers.Member(base, ""))
            of = f"FPY_STRUCT_{base}" if base in self.structs else "NULL"
            return f"fpy_out_array(FPY_{element}, {of}, sizeof({base}), {name}, (size_t){counted})"
        if kind.endswith(" *"):
            base = kind[:-2]
            return f"fpy_out_optional(FPY_STRUCT_{base}, {name})"
        match = re.match(r"(const )?handle (\w+)$", kind)
        if match:
            borrowed = match.group(1) is not None
            holder = f"PyTuple_GetItem(py_arguments, {owner})" if borrowed and owner is not None else "NULL"
            return (f"fpy_handle_make((void *)(uintptr_t){name}, FPY_HANDLE_{match.group(2)}, {'false' if borrowed else 'true'}, "
                    f"{'true' if borrowed else 'false'}, {holder})")
        return None

    def functions(self):
        out = ["/* Written by python/bindings.py from the public headers. */", '#include "core.h"', "",
               "#include <stdlib.h>", "#include <string.h>", "",
               "static PyObject *fpy_out_optional(const fpy_struct *type, const void *from)", "{",
               "    if (from == NULL) Py_RETURN_NONE;", "    return fpy_out_struct(type, from);", "}", ""]
        rows = []
        for name, function in sorted(self.headers.functions.items()):
            made, reason = self.function(function)
            if made is None:
                self.skipped[name] = reason
                continue
            out.append(made[0])
            rows.append(made[1])
        out.append("const fpy_function fpy_functions[] = {")
        out += rows
        out += ["};", f"const int fpy_function_count = {len(rows)};", ""]
        return "\n".join(out)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    bindings = Bindings(sys.argv[1])
    functions = bindings.functions()
    if sys.argv[2] == "--skipped":
        for name, reason in sorted(bindings.skipped.items()):
            print(f"{name}: {reason}")
        return
    os.makedirs(sys.argv[2], exist_ok=True)
    for file, text in (("tables.c", bindings.tables()), ("functions.c", functions), ("kinds.h", bindings.kinds())):
        path = os.path.join(sys.argv[2], file)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    main()
