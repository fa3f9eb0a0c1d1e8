"""Functions that make geometries, each fender_geometry_NAME of the headers: fender.geometry.sphere(0.5). Lengths in m."""
from __future__ import annotations

from typing import Any, Callable, Dict, List

import numpy as np

from . import _fender
from ._errors import Error
from ._objects import Geometry, functions, wrap
from ._plan import parts
from ._types import structs

__all__: List[str] = []


_WIDTHS = {"vertices": 3, "triangles": 3, "fender_vec3": 3, "fender_vec2": 2}  # by member, else by type


def _array(name: str, of: str, value: Any) -> Any:
    """Numbers of an array, or of nested lists, as bytes at once; what is something else is left to the extension."""
    width = _WIDTHS.get(name, _WIDTHS.get(of, 1))
    if isinstance(value, (list, tuple)) and width > 1:
        try:
            value = np.asarray(value)
        except ValueError:  # of unequal lengths
            return value
    if not isinstance(value, np.ndarray) or value.size == 0 or value.dtype.kind not in "iuf":
        return value.tolist() if isinstance(value, np.ndarray) else value
    if width > 1 and (value.ndim != 2 or value.shape[1] != width):
        raise Error(1, "an array of another shape is needed", path=name, found=str(value.shape),
                    expected=f"{width} numbers each: (n, {width})")
    if name in ("triangles", "loop_sizes"):
        whole = value.astype("i4") if value.dtype.kind in "iu" else None
        if whole is None or not np.array_equal(whole, value):
            raise Error(1, "whole numbers are needed", path=name, found=str(value.dtype), expected="32 bits each")
        return np.ascontiguousarray(whole).tobytes()
    return np.ascontiguousarray(value, "f8").tobytes()


def _members(kind: str, named: Dict[str, Any]) -> Dict[str, Any]:
    """Members of a definition. The heights of a grid tell its numbers of columns and rows: heights[row, column]."""
    result = dict(named)
    heights = result.get("heights")
    if kind == "fender_grid_def" and heights is not None and np.ndim(heights) == 2:
        rows, columns = np.shape(heights)
        for key, count in (("count_y", rows), ("count_x", columns)):
            if result.setdefault(key, count) != count:
                raise Error(1, "the heights have another shape", path=key, found=str(result[key]),
                            expected=f"{count}: heights[row, column], rows along y")
        result["heights"] = np.ravel(heights)
    arrays = {m["name"]: m["of"] or "" for m in structs[kind]["members"] if m["kind"] == "array"}
    return {key: _array(key, arrays[key], value) if key in arrays else value for key, value in result.items()}


def _maker(name: str) -> Callable[..., Geometry]:
    doc, prototype, inputs_text, outputs, _ = functions[name]
    inputs = parts(inputs_text)
    call = getattr(_fender, name)

    def make(*values: Any, **named: Any) -> Geometry:
        arguments = list(values)
        for key, kind in inputs[len(values):]:
            if key not in named:
                if key == "def":
                    arguments.append(_members(kind, named))
                    named = {}
                    continue
                raise TypeError(f"{name[len('geometry_'):]}({', '.join(key for key, _ in inputs)}): missing {key}")
            arguments.append(named.pop(key))
        if named or len(arguments) > len(inputs):
            raise TypeError(f"{name[len('geometry_'):]}({', '.join(key for key, _ in inputs)}): too many values")
        arguments = [_array(key, kind[:-2], value) if kind.endswith("[]") else value
                     for (key, kind), value in zip(inputs, arguments)]
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
