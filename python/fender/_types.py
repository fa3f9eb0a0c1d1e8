"""Types of the library as numpy and enum see them: made from the headers, by the layout of this build."""
from __future__ import annotations

import enum
from typing import Any, Dict

import numpy as np

from . import _fender

_NUMBERS = {"double": "f8", "int": "i4", "int64": "i8", "uint16": "u2", "uint32": "u4", "uint64": "u8", "size": "u8",
            "bool": "?", "enum": "i4", "id": "u8"}
_SHAPES = {9: (3, 3)}


def _enum_name(name: str) -> str:
    return "".join(word.capitalize() for word in name[len("fender_"):].split("_"))


enums: Dict[str, Any] = {}
for _name, (_doc, _members) in _fender.enums().items():
    enums[_name] = enum.IntEnum(_enum_name(_name), [(m, v) for m, v, _ in _members])  # type: ignore[misc]
    enums[_name].__doc__ = (_doc + "\n\n" + "\n".join(f"{m}: {d}" for m, _, d in _members if d)).strip()
    enums[_name].__module__ = "fender"

structs: Dict[str, Dict[str, Any]] = _fender.structs()
_dtypes: Dict[str, np.dtype] = {"double": np.dtype("f8"), "int32": np.dtype("i4"), "int64": np.dtype("i8")}
_names: Dict[Any, str] = {}


def _member_format(member: Dict[str, Any]) -> Any:
    kind, stride = member["kind"], member["stride"]
    if kind == "chars":
        return f"S{member['size']}"
    if kind == "struct":
        inner = structs[member["of"]]
        base: Any = np.dtype(("f8", _SHAPES.get(inner["numbers"], (inner["numbers"],)))) if inner["numbers"] \
            else dtype(member["of"])
    else:
        base = np.dtype(_NUMBERS[kind])
    count = member["size"] // stride if stride else 1
    return np.dtype((base, (count,))) if count > 1 else base


def dtype(name: str) -> np.dtype:
    """The dtype of a struct without pointers, such as "fender_contact_data". Vectors are arrays of three numbers,
    quaternions of four (w x y z), matrices 3 x 3; ids are numbers of eight bytes. Scalars of it have their members as
    attributes."""
    if name not in _dtypes:
        struct = structs[name]
        if not struct["plain"]:
            raise TypeError(f"{name} has pointers: it has no dtype")
        members = struct["members"]
        plain = np.dtype({"names": [m["name"] for m in members], "formats": [_member_format(m) for m in members],
                          "offsets": [m["offset"] for m in members], "itemsize": struct["size"]})
        _dtypes[name] = np.dtype((np.record, plain))
    return _dtypes[name]


def units(name: str) -> Dict[str, str]:
    """SI units of the members of a struct, as the headers state them: units("fender_contact_data")["depth"] is "m"."""
    return {m["name"]: m["unit"] for m in structs[name]["members"] if m["unit"]}


def texts(array: Any) -> np.recarray:
    """The array with its texts as str: in the layout of the library they are bytes."""
    fields = [(name, f"U{kind.itemsize}" if kind.kind == "S" else kind)
              for name, kind in ((name, array.dtype.fields[name][0]) for name in array.dtype.names)]
    result = np.recarray(array.shape, dtype=fields)
    for name, _ in fields:
        result[name] = np.char.decode(array[name], "utf-8") if array.dtype.fields[name][0].kind == "S" else array[name]
    return result


def _record(name: str, buffer: bytearray, many: bool) -> Any:
    struct = structs.get(name)
    if struct is not None and struct["numbers"]:
        values = np.frombuffer(buffer, "f8")
        shape = _SHAPES.get(struct["numbers"], (struct["numbers"],))
        return values.reshape((-1,) + shape) if many else values.reshape(shape)
    kind = dtype(name)
    if many:
        return np.frombuffer(buffer, kind).view(np.recarray) if kind.names else np.frombuffer(buffer, kind)
    return np.frombuffer(buffer, kind)[0]
