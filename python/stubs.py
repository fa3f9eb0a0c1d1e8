"""Writes stubs of the classes and functions that are made from the headers, for type checkers and editors.

usage: stubs.py PACKAGE     PACKAGE holds the package with its built extension; needs no numpy
"""
import ast
import importlib.machinery
import importlib.util
import keyword
import os
import sys

NUMBERS = {"double": "float", "int": "int", "int32_t": "int", "int64_t": "int", "uint16_t": "int", "uint32_t": "int",
           "uint64_t": "int", "size_t": "int", "bool": "bool"}
KINDS = {"double": "float | str", "int": "int", "int64": "int", "uint16": "int", "uint32": "int", "uint64": "int",
         "size": "int", "bool": "bool", "chars": "str", "text": "str | None", "texts": "Sequence[str]", "array": "Any",
         "law": "str | Law | tuple[str | Law, Mapping[str, Any]] | Mapping[str, Any]", "bytes": "Any", "id": "Any"}
HEAD = """# Written by python/stubs.py from the public headers.
from collections.abc import Mapping, Sequence
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

"""


def load(folder):
    """The extension and the plan, without the package, which needs numpy."""
    names = [name for name in os.listdir(folder) if name.startswith("_fender.") and name.endswith(".so")]
    loader = importlib.machinery.ExtensionFileLoader("_fender", os.path.join(folder, names[0]))
    extension = importlib.util.module_from_spec(importlib.util.spec_from_loader("_fender", loader))
    loader.exec_module(extension)
    spec = importlib.util.spec_from_file_location("_plan", os.path.join(folder, "_plan.py"))
    plan = importlib.util.module_from_spec(spec)
    sys.modules["_plan"] = plan
    spec.loader.exec_module(plan)
    return extension, plan


class Stubs:
    def __init__(self, folder):
        self.folder = folder
        extension, self.plan = load(folder)
        self.functions, self.structs, self.enums = extension.functions(), extension.structs(), extension.enums()
        self.ids = {f"fender_{word}_id": owner for owner, word in self.plan.WORDS.items()}

    @staticmethod
    def enum_name(name):
        return "".join(word.capitalize() for word in name[len("fender_"):].split("_"))

    def input(self, kind):
        if kind in NUMBERS:
            return NUMBERS[kind]
        if kind in self.enums:
            return f"{self.enum_name(kind)} | str | int"
        if kind in self.ids:
            return f"{self.ids[kind]} | None"
        if kind == "law":
            return "str | Law"
        if kind == "text":
            return "str"
        if kind == "bytes":
            return "bytes"
        if kind == "fender_geometry":
            return "Geometry"
        if kind == "fender_world":
            return "World"
        if kind in self.structs:
            return "ArrayLike" if self.structs[kind]["numbers"] else "Any"
        return "ArrayLike" if kind.endswith("[]") else "Any"

    def output(self, kind):
        if kind in NUMBERS:
            return NUMBERS[kind]
        if kind in self.enums:
            return self.enum_name(kind)
        if kind in self.ids:
            return self.ids[kind]
        if kind == "text":
            return "str"
        if kind in self.structs and self.structs[kind]["numbers"]:
            return "NDArray[np.float64]"
        if kind.endswith(":fender_geometry"):
            return "Geometry"
        return "Any"

    def outputs(self, text):
        optional = text.startswith("optional ")
        kinds = text[len("optional "):].split() if optional else text.split()
        if not kinds:
            return "None"
        types = [self.output(kind) for kind in kinds]
        result = types[0] if len(types) == 1 else f"Tuple[{', '.join(types)}]"
        return f"{result} | None" if optional else result

    def member(self, member):
        if member["kind"] == "enum":
            return f"{self.enum_name(member['choices'])} | str | int"
        if member["kind"] == "struct":
            return "ArrayLike" if self.structs[member["of"]]["numbers"] else "Any"
        if member["kind"] == "handle":
            return "Any"
        return KINDS.get(member["kind"], "Any")

    def parameters(self, inputs):
        """Parameters of a call, those of a definition by name."""
        words, ended = [], False
        for place, (name, kind) in enumerate(inputs):
            if kind.endswith("_def") and kind in self.structs:
                words.append("*")
                words += [f"{key}: {self.member(member)} = ..." for key, member, _ in self.plan.flat_members(self.structs, kind)]
                if kind in ("fender_contact_type_def", "fender_link_def"):
                    words.append("**law_values: Any")
                ended = True
            else:
                assert not ended
                name += "_" if keyword.iskeyword(name) else ""
                words.append(f"{name}: {self.input(kind)}" + 
                             (" = ..." if all(k in self.plan.DEFAULTS or f"{n}_" in self.plan.NONE for n, k in inputs[place:]) else ""))
        return words

    def method(self, place, settable):
        _, _, inputs_text, outputs_text, _ = self.functions[place.function]
        lead = 2 if place.holder == "object" else 1
        result = "Any" if settable and place.simple else self.outputs(outputs_text)  # set with more than it gives
        if place.simple:
            return [f"    @property\n    def {place.name}(self) -> {result}: ..."]
        words = ["self"] + self.parameters(self.plan.parts(inputs_text)[lead:])
        return [f"    def {place.name}({', '.join(words)}) -> {result}: ..."]

    def written(self, file):
        """Methods and properties that the source has, by class: {class: (base, [(name, text)...])}."""
        with open(os.path.join(self.folder, file), encoding="utf-8") as stream:
            tree = ast.parse(stream.read())
        found = {}
        for node in tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            rows = []
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    item.body = [ast.Expr(ast.Constant(...))]
                    item.decorator_list = [d for d in item.decorator_list]
                    for argument in item.args.args + item.args.kwonlyargs:
                        pass
                    item.args.defaults = [ast.Constant(...) for _ in item.args.defaults]
                    item.args.kw_defaults = [d and ast.Constant(...) for d in item.args.kw_defaults]
                    text = ast.unparse(item).replace("\n    ...", " ...").replace("self: World", "self")
                    rows.append((item.name, "\n".join("    " + line for line in text.splitlines())))
                elif isinstance(item, ast.AnnAssign):
                    rows.append((item.target.id, f"    {item.target.id}: {ast.unparse(item.annotation)}"))
            found[node.name] = (node.bases[0] if node.bases else None, rows)
        return found

    def classes(self, file, names):
        written, out = self.written(file), []
        places = self.plan.plan(self.functions)
        lists = self.plan.lists(self.functions)
        for name in names:
            base, rows = written[name]
            if name == "Object":
                rows.insert(0, ("id", "    id: int"))
            base_text = "" if base is None else f"({ast.unparse(base).replace('_fender.', '_fender.')})"
            out.append(f"class {name}{base_text}:")
            have = {row[0] for row in rows}
            lines = [row[1] for row in rows]
            settable = {p.name[4:] for p in places if p.owner == name and p.name.startswith("set_")} | \
                {row[4:] for row in have if row.startswith("set_")}
            made = [p for p in places if p.owner == name and p.name not in have and
                    not (name == "World" and p.name in ("time",))]
            for place in made:
                have.add(place.name)
                lines += self.method(place, place.name in settable)
                if place.simple and place.name in settable:
                    lines.append(f"    @{place.name}.setter\n    def {place.name}(self, value: Any) -> None: ...")
            word = self.plan.WORDS.get(name, "")
            _, data = self.plan.data_of(self.functions, self.structs, word)
            if data:
                for m in self.structs[data]["members"]:
                    if m["name"] not in have:
                        kind = {"double": "float", "bool": "bool", "int": "int", "int64": "int", "enum": "int", "id": "int",
                                "uint64": "int", "chars": "bytes"}.get(m["kind"], "Any")
                        if m["kind"] == "struct" and self.structs[m["of"]]["numbers"]:
                            kind = "NDArray[np.float64]"
                        lines.append(f"    @property\n    def {m['name']}(self) -> {kind}: ...")
            if name == "World":
                lines += [f"    @property\n    def {plural}(self) -> List[{owner}]: ..." for plural, owner, _ in lists]
            out += (lines or ["    ..."]) + [""]
        return "\n".join(out)

    def write(self):
        enums = "".join(f"from ._types import {self.enum_name(name)} as {self.enum_name(name)}\n" for name in sorted(self.enums))
        used = "".join(f"from ._types import {self.enum_name(name)}\n" for name in sorted(self.enums))
        texts = {
            "_fender.pyi": HEAD + "class Handle:\n    def close(self) -> None: ...\n    def _take(self, other: Any) -> Any: ...\n"
                           "    @property\n    def closed(self) -> bool: ...\n\nclass World(Handle):\n"
                           "    @property\n    def time(self) -> float: ...\n    def step(self) -> None: ...\n"
                           "    def advance(self, count: int, /) -> None: ...\n"
                           "    def advance_to(self, time: float | str, /) -> None: ...\n"
                           "    def get_state(self) -> NDArray[np.float64]: ...\n"
                           "    def set_state(self, time: float | str, y: ArrayLike, /) -> None: ...\n"
                           "    def derivative(self) -> NDArray[np.float64]: ...\n"
                           "    def set_command(self, name: str, values: ArrayLike, /) -> None: ...\n"
                           "    def get_command(self, name: str, /) -> Any: ...\n"
                           "    def _channels(self, pattern: str, /) -> Tuple[List[str], List[str], NDArray[np.float64]]: ...\n"
                           "    def _states(self, clock: Any, /) -> Any: ...\n    def _contacts(self, clock: Any, /) -> Any: ...\n"
                           "    def _events(self) -> Any: ...\n\ndef __getattr__(name: str) -> Any: ...\n",
            "_objects.pyi": HEAD + "from . import _fender\nfrom ._laws import Law\nfrom ._world import World\n" + used +
                            "\nfunctions: Dict[str, Tuple[str, str, str, str, bool]]\nclasses: Dict[str, Any]\n\n"
                            "def wrap(world: Any, kind: str, value: Any) -> Any: ...\n"
                            "def definition(kind: str, members: Mapping[str, Any]) -> Dict[str, Any]: ...\n\n" +
                            self.classes("_objects.py", ["Geometry", "Object"] + list(self.plan.WORDS)),
            "_world.pyi": HEAD + "from . import _fender\nfrom ._laws import Law\nfrom ._objects import Body, ContactType, Geometry, Link, Load, Material, "
                          "Point, Rule, Sensor, Shape\nfrom ._scenario import Scenario\n" + used + "\n" +
                          self.classes("_world.py", ["Snapshot", "World"]),
            "geometry.pyi": HEAD + "from ._objects import Geometry\n\n" + self.geometry(),
            "_types.pyi": HEAD + "import enum\n\nenums: Dict[str, Any]\nstructs: Dict[str, Dict[str, Any]]\n"
                          "def dtype(name: str) -> np.dtype[Any]: ...\ndef units(name: str) -> Dict[str, str]: ...\n"
                          "def texts(array: Any) -> Any: ...\ndef _record(name: str, buffer: bytearray, many: bool) -> Any: ...\n\n" +
                          "\n".join(self.enum(name) for name in sorted(self.enums)),
            "__init__.pyi": "# Written by python/stubs.py from the public headers.\n" + self.package() + enums +
                            "\n__version__: str\n",
        }
        for name, text in texts.items():
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as stream:
                stream.write(text)

    def enum(self, name):
        rows = [f"    {member} = {value}" for member, value, _ in self.enums[name][1]]
        return f"class {self.enum_name(name)}(enum.IntEnum):\n" + "\n".join(rows) + "\n"

    def geometry(self):
        out = []
        for name, (_, _, inputs_text, outputs, _) in self.functions.items():
            inputs = self.plan.parts(inputs_text)
            if name.startswith("geometry_") and outputs == "handle:fender_geometry" and \
                    "fender_geometry" not in [kind for _, kind in inputs]:
                out.append(f"def {name[len('geometry_'):]}({', '.join(self.parameters(inputs))}) -> Geometry: ...")
        return "\n".join(out) + "\n"

    def package(self):
        """What __init__.py imports from its modules, as re-exports."""
        with open(os.path.join(self.folder, "__init__.py"), encoding="utf-8") as stream:
            tree = ast.parse(stream.read())
        lines = []
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                for alias in node.names:
                    name = alias.asname or alias.name
                    if node.module is None:
                        lines.append(f"from . import {alias.name} as {name}")
                    elif not name.startswith("_"):
                        lines.append(f"from .{node.module} import {alias.name} as {name}")
        return "\n".join(line for line in lines if "_fender as" not in line) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Stubs(sys.argv[1]).write()
