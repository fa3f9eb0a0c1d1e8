"""Functions that make geometries, each fender_geometry_NAME of the headers: fender.geometry.sphere(0.5). Lengths in m."""
from __future__ import annotations

from typing import Any, Callable, List

import numpy as np

from . import _fender
from ._objects import Geometry, functions, wrap
from ._plan import parts
from ._types import structs

__all__: List[str] = []


def _array(kind: str, value: Any) -> Any:
    """Numbers of a large array as bytes at once."""
    if isinstance(value, (bytes, bytearray)) or value is None:
        return value
    return np.ascontiguousarray(value, {"int32_t[]": "i4"}.get(kind, "f8")).tobytes() \
        if isinstance(value, np.ndarray) else value


def _maker(name: str) -> Callable[..., Geometry]:
    doc, prototype, inputs_text, outputs, _ = functions[name]
    inputs = parts(inputs_text)
    call = getattr(_fender, name)

    def make(*values: Any, **named: Any) -> Geometry:
        arguments = list(values)
        for key, _ in inputs[len(values):]:
            if key not in named:
                if key == "def":
                    arguments.append({k: _array("f8" if k != "triangles" else "int32_t[]", v) for k, v in named.items()})
                    named = {}
                    continue
                raise TypeError(f"{name[len('geometry_'):]}({', '.join(key for key, _ in inputs)}): missing {key}")
            arguments.append(named.pop(key))
        if named or len(arguments) > len(inputs):
            raise TypeError(f"{name[len('geometry_'):]}({', '.join(key for key, _ in inputs)}): too many values")
        arguments = [_array(kind, value) if kind.endswith("[]") else value
                     for (_, kind), value in zip(inputs, arguments)]
        return wrap(None, outputs, call(*arguments))

    make.__name__ = name[len("geometry_"):]
    members = "".join(f"\n{m['name']}: {m['doc']}" for key, kind in inputs if key == "def" for m in structs[kind]["members"])
    make.__doc__ = f"{doc}{members}\n\nC: {prototype}"
    return make


for _name, _row in functions.items():
    if _name.startswith("geometry_") and _row[3] == "handle:fender_geometry" and "fender_geometry" not in \
            [kind for _, kind in parts(_row[2])]:
        globals()[_name[len("geometry_"):]] = _maker(_name)
        __all__.append(_name[len("geometry_"):])
