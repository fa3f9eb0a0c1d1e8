"""Classes for the objects of the library: their methods and properties are the functions of the headers.

A function of the headers whose first parameters are a world and the id of a body, `fender_body_NAME(world, body, ..)`, is
the method NAME of Body; without further parameters, and if it changes nothing, it is a property (`get_NAME`: the property
NAME). So for shapes, materials, contact types, rules, loads, links, points and sensors, and for worlds and geometries.
"""
from __future__ import annotations

import keyword
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from . import _fender
from ._errors import Error
from ._plan import DEFAULTS, NONE, WORDS, data_of, flat_members, parts, plan
from ._types import dtype, enums, structs

functions: Dict[str, Tuple[str, str, str, str, bool]] = _fender.functions()
classes: Dict[str, type] = {}  # by the type of the library: "fender_body_id": Body


class Geometry(_fender.Handle):  # type: ignore[misc]
    """A geometry. fender.geometry has the functions that make one. Immutable; worlds may share it."""

    def __init__(self) -> None:
        raise TypeError("fender.geometry has functions that make geometries: fender.geometry.sphere(1.0)")

    def __repr__(self) -> str:
        return "<fender.Geometry closed>" if self.closed else f"<fender.Geometry {_fender.geometry_type_name(self.type_of)}>"


class Object:
    """An object of a world: an id, with the world that it belongs to. Objects are equal if their ids are. Values of its
    data are attributes, too: body.position. Other attributes cannot be set, so that a misspelt name is an error."""

    __slots__ = {"world": "The world that it belongs to.", "id": "Its id in the library, a whole number."}
    _kind = ""
    world: Any

    def __init__(self, world: Any, id: int) -> None:
        self.world, self.id = world, int(id)

    def __index__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.id == self.id  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self._kind, self.id))

    def __repr__(self) -> str:
        try:
            name = self.name
        except (AttributeError, Error):
            name = None
        return f"<fender.{type(self).__name__} {name or hex(self.id)}>"


class Body(Object):
    """A rigid body. Position, velocity and so on of get() are attributes."""

    __slots__ = ()

    def set_state(self, state: Optional[Mapping[str, Any]] = None, **members: Any) -> None:
        """Sets position [m, W], attitude (q_WS), velocity [m/s, W], angular_velocity [rad/s, in S], between steps. What is
        not given stays."""
        data = self.get()
        whole = {name: data[name] for name in dtype("fender_body_state").names or ()}
        given = dict(state or {}, **members)
        unknown = [name for name in given if name not in whole]
        if unknown:
            raise Error(4, f"'{unknown[0]}' is no member of the state", path="Body.set_state", found=unknown[0],
                        expected=", ".join(whole))
        whole.update(given)
        _fender.body_set_state(self.world, self, whole)


class Shape(Object):
    """A geometry on a body."""

    __slots__ = ()


class Material(Object):
    """A material, which rules name."""

    __slots__ = ()


class ContactType(Object):
    """The laws of touching shapes."""

    __slots__ = ()


class Rule(Object):
    """Which contact type acts between which shapes, bodies or materials."""

    __slots__ = ()


class Load(Object):
    """A force or torque on a body."""

    __slots__ = ()


class Link(Object):
    """A spring, strut, tether or latch between points of two bodies."""

    __slots__ = ()


class Point(Object):
    """A named point with axes on a body."""

    __slots__ = ()


class Sensor(Object):
    """A range sensor on a body."""

    __slots__ = ()


for _class in (Body, Shape, Material, ContactType, Rule, Load, Link, Point, Sensor):
    _class._kind = WORDS[_class.__name__]
    classes[f"fender_{_class._kind}_id"] = _class
classes["fender_geometry"] = Geometry


def wrap(world: Any, kind: str, value: Any) -> Any:
    """A result of the extension as an object of this package."""
    if value is None:
        return None
    if kind.startswith(("handle:", "const:handle:")):
        made = classes.get(kind.rsplit(":", 1)[1])
        if made is None:
            return value
        result = made.__new__(made)
        result._take(value)
        return result
    if kind in classes:
        return classes[kind](world, value) if value else None
    if kind in enums:
        return enums[kind](value)
    return value


def definition(kind: str, members: Mapping[str, Any]) -> Dict[str, Any]:
    """Members of a definition; those of the structs within it may stand beside them, where one alone has the name."""
    result: Dict[str, Any] = {}
    inner = {name: place for name, _, place in flat_members(structs, kind) if place}
    for name, value in members.items():
        if name in inner:
            place = result.setdefault(inner[name], {})
            if not isinstance(place, dict):
                raise Error(1, f"'{name}' is a member of {inner[name]}, which is given, too", path=name)
            place[name] = value
        else:
            result[name] = value
    return result


_DEFAULTS = {kind: enums[kind][name] for kind, name in DEFAULTS.items()}


def _bind(name: str, holder: str, place: str) -> Callable[..., Any]:
    """A method for a function: `holder` is "world" (self is the world), "object" (self has world and id) or "first" (self
    is the first argument)."""
    doc, prototype, inputs_text, outputs_text, _ = functions[name]
    call = getattr(_fender, name)
    inputs = parts(inputs_text)
    optional = outputs_text.startswith("optional ")
    outputs = outputs_text[len("optional "):].split() if optional else outputs_text.split()
    lead = 2 if holder == "object" else 1
    rest = [(key + "_" if keyword.iskeyword(key) else key, kind) for key, kind in inputs[lead:]]
    def_type = rest[-1][1] if rest and rest[-1][1].endswith("_def") and rest[-1][1] in structs else None
    plain = not any(kind in enums or kind in classes or "handle" in kind for kind in outputs)

    def method(self: Any, *values: Any, **named: Any) -> Any:
        arguments = list(values)
        for i in range(len(values), len(rest)):
            key, kind = rest[i]
            if kind == def_type:
                continue
            if key in named:
                arguments.append(named.pop(key))
            elif key in NONE:
                arguments.append(0)
            elif kind in _DEFAULTS:
                arguments.append(_DEFAULTS[kind])
            else:
                break
        if def_type is not None:
            given = arguments.pop() if len(arguments) == len(rest) else {}
            if isinstance(given, Mapping):
                given = prepare(def_type, definition(def_type, dict(given, **named)))
                named = {}
            arguments.append(given)
        if named or len(arguments) != len(rest):
            missing = [key for key, _ in rest[len(arguments):]]
            raise TypeError(f"{place}({', '.join(key for key, _ in rest)}): "
                            + (f"missing {', '.join(missing)}" if missing else f"no parameter {', '.join(named) or 'more'}"))
        if holder == "object":
            result = call(self.world, self, *arguments)
            world = self.world
        else:
            result = call(self, *arguments)
            world = self
        if plain or result is None:
            return result
        if len(outputs) == 1:
            return wrap(world, outputs[0], result)
        return tuple(wrap(world, kind, value) for kind, value in zip(outputs, result))

    method.__name__ = place.split(".")[-1]
    method.__qualname__ = place
    members = ""
    if def_type is not None:
        rows = [f"    {m['name']}{' [' + m['unit'] + ']' if m['unit'] else ''}: {m['doc']}".rstrip(": ")
                for m in structs[def_type]["members"] if m["kind"] != "hidden" and m["name"] != "size"]
        members = f"\n\nMembers of {def_type}, by name:\n" + "\n".join(rows)
    results = f"\n\nReturns {', '.join(outputs)}{' or None' if optional else ''}." if outputs else ""
    method.__doc__ = f"{doc}{members}{results}\n\nC: {prototype}"
    return method


def prepare(kind: str, members: Dict[str, Any]) -> Dict[str, Any]:
    """Laws by name with their parameters, in place of pointers."""
    own = {m["name"]: m for m in structs[kind]["members"]}
    laws = [name for name, m in own.items() if m["kind"] == "law"]
    extra = {name: members.pop(name) for name in list(members) if name not in own} if laws or kind == "fender_link_def" else {}
    for part in laws:
        value = members.get(part)
        if value is None:
            continue
        name, parameters = (value, {}) if isinstance(value, (str, _fender.Law)) else \
            (value[0], dict(value[1])) if isinstance(value, tuple) else \
            (value["law"], {k: v for k, v in value.items() if k != "law"})
        parameters.update(members.pop(f"{part}_parameters", None) or {})
        if extra and len([p for p in laws if members.get(p) is not None]) == 1:
            parameters.update(extra)
            extra = {}
        if isinstance(name, _fender.Law):
            name._warn(3)
        members[part] = name
        members[f"{part}_parameters"] = _fender.law_pack(name, parameters)
    if kind == "fender_link_def":
        law = members.get("law", 0)
        members["law"] = law = enums["fender_link_law"][law.upper()] if isinstance(law, str) and \
            law.upper() in enums["fender_link_law"].__members__ else law
        parameters = members.get("parameters", {})
        if isinstance(parameters, Mapping) and not isinstance(law, str):
            members["parameters"] = _fender.link_pack(int(law), dict(parameters, **extra))
            extra = {}
    if extra:
        raise Error(4, f"'{next(iter(extra))}' is no member of {kind}, nor a parameter of one law", path=kind,
                    found=next(iter(extra)), expected=", ".join(name for name in own if name != "size"))
    return members


def attach_functions(world: type) -> None:
    """Gives every class its functions."""
    owners = {cls.__name__: cls for cls in list(classes.values()) + [world]}
    for place in plan(functions):
        target = owners[place.owner]
        if place.name in target.__dict__ or (place.simple and hasattr(target, place.name)):
            continue
        method = _bind(place.function, place.holder, f"{place.owner}.{place.name}")
        setattr(target, place.name, property(method, doc=method.__doc__) if place.simple else method)
    for cls in classes.values():
        _add_setters(cls)
        _add_data(cls)
    _add_setters(world)


def _add_setters(cls: type) -> None:
    """A property with a function set_NAME of one value can be set."""
    for name, value in list(cls.__dict__.items()):
        setter = cls.__dict__.get(f"set_{name}")
        if isinstance(value, property) and value.fset is None and callable(setter):
            setattr(cls, name, property(value.fget, lambda self, v, s=setter: s(self, v), doc=value.__doc__))


def _add_data(cls: type) -> None:
    """Members of the data of an object, committed, as properties: body.position."""
    name, outputs = data_of(functions, structs, getattr(cls, "_kind", ""))
    if not name:
        return
    get, clocked = getattr(_fender, name), "fender_clock" in functions[name][2]
    for member in structs[outputs]["members"]:
        key = member["name"]
        if key in cls.__dict__:
            continue

        def value(self: Any, key: str = key) -> Any:
            return (get(self.world, self, 0) if clocked else get(self.world, self))[key]
        unit = f" [{member['unit']}]" if member["unit"] else ""
        setattr(cls, key, property(value, doc=f"{member['doc']}{unit}; committed."))
