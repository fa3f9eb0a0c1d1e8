"""Contact laws from Python: functions in Python for trying, compiled ones at full speed."""
from __future__ import annotations

import inspect
import math
import warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _fender
from ._errors import Error, Warning
from ._types import enums, structs

Parameters = Mapping[str, Union[str, Mapping[str, Any]]]


def _layout(struct: str) -> Dict[str, Tuple[str, int, int]]:
    """Members of a struct that are numbers: name: (kind, offset, how many)."""
    found = {}
    for member in structs[struct]["members"]:
        kind, numbers = member["kind"], 1
        if kind == "struct" and structs[member["of"]]["numbers"]:
            kind, numbers = "double", structs[member["of"]]["numbers"]
        if kind in ("double", "int", "bool"):
            found[member["name"]] = (kind, member["offset"], numbers)
    return found


_CONTACT = _layout("fender_contact_input")


def _places(struct: str) -> Dict[str, Any]:
    """Index of each member that is of doubles, in the struct seen as an array of doubles; of several, a slice."""
    return {name: offset // 8 if numbers == 1 else slice(offset // 8, offset // 8 + numbers)
            for name, (kind, offset, numbers) in _layout(struct).items() if kind == "double"}


LAW_INPUT: Dict[str, Any] = _places("fender_contact_input")
LAW_OUTPUT: Dict[str, Any] = _places("fender_contact_output")


class Law(_fender.Law):  # type: ignore[misc]
    """A contact law that fender.law or fender.native_law made. It stands where the name of a law may stand: in
    create_contact_type, in fender.law_force, in `laws` of fender.run and fender.Scenario.

    Attributes: name; function, what it was made of; compiled, False if it is in Python."""

    function: Any
    compiled: bool
    _warned: bool

    def __repr__(self) -> str:
        return f"<fender.Law {self.name}{'' if self.compiled else ' in Python'}>"

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self.function(*values, **named)

    def _warn(self, level: int) -> None:
        """Once: a law in Python is for trying."""
        if not self.compiled and not self._warned:
            self._warned = True
            warnings.warn(f"the law '{self.name}' is in Python: each of its forces costs half a microsecond or more, and one thread "
                          "at a time computes them; fender.native_law takes compiled functions", Warning, stacklevel=level + 1)


def _fields(parameters: Parameters, defaults: Mapping[str, float]) -> List[Tuple[str, str, str, bool, float, float, float]]:
    rows = []
    for name, about in parameters.items():
        given: Dict[str, Any] = {"unit": about} if not isinstance(about, Mapping) else dict(about)
        if name in defaults:
            given.setdefault("default", defaults[name])
        unknown = [key for key in given if key not in ("unit", "doc", "default", "minimum", "maximum")]
        if unknown or not isinstance(given.get("unit", "1"), str):
            raise Error(4 if unknown else 1, "a parameter of a law is described by other words", path=f"law(parameters).{name}",
                        found=repr(about), expected="a unit, or a dict with unit, doc, default, minimum, maximum")
        rows.append((name, given.get("unit", "1"), given.get("doc", ""), "default" not in given,
                     float(given.get("minimum", -math.inf)), float(given.get("maximum", math.inf)),
                     float(given.get("default", 0.0))))
    return rows


def _values(function: Any, what: str, parameters: Sequence[str]) -> Tuple[List[Tuple[bool, str, int, int]], Dict[str, float]]:
    """What a function gets, by the names of its parameters, and their defaults."""
    found, defaults = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise Error(1, f"'{name}' cannot be given by its place", path=f"law({what})", found=str(inspect.signature(function)),
                        expected="parameters by name, without * and **")
        if name in parameters:
            found.append((False, "double", 8 * parameters.index(name), 1))
        elif name in _CONTACT:
            found.append((True,) + _CONTACT[name])
        else:
            raise Error(4, f"'{name}' is neither a parameter of the law nor a number of a contact", path=f"law({what})", found=name,
                        expected=", ".join(list(parameters) + list(_CONTACT)))
        if name in parameters and parameter.default is not parameter.empty:
            defaults[name] = float(parameter.default)
    return found, defaults


def _kinds(kind: Union[str, Sequence[str]]) -> int:
    known = enums["fender_law_kind"].__members__
    bits = 0
    for word in [kind] if isinstance(kind, str) else kind:
        if str(word).upper() not in known:
            raise Error(4, f"'{word}' is no kind of law", path="law(kind)", found=str(word),
                        expected=", ".join(known).lower())
        bits |= int(known[str(word).upper()])
    return bits


def law(*, parameters: Optional[Parameters] = None, kind: Union[str, Sequence[str]] = ("whole", "normal"),
        energy: Optional[Callable[..., float]] = None, name: Optional[str] = None) -> Callable[[Any], Law]:
    """Decorator: makes a contact law of a function in Python, to try it.

        @fender.law(parameters={"stiffness": "N/m", "cubic": "N/m^3"},
                    energy=lambda depth, stiffness, cubic: stiffness * depth**2 / 2 + cubic * depth**4 / 4 if depth > 0 else 0.0)
        def bumper(depth, stiffness, cubic=0.0):
            return max(stiffness * depth + cubic * depth**3, 0.0)

        world.create_contact_type(name="rubber", law=bumper, stiffness="2 kN/m", cubic=3e6)

    The function gets by name what it needs: members of fender_contact_input (include/fender/law.h: depth [m], depth_rate
    [m/s], slip, spin, normal_force, time, ...; vectors as tuples), and parameters of the law in SI. It returns the normal
    force [N, pushes b along z of C], three numbers (the force on b in C [N]), or a dict of members of
    fender_contact_output: force, torque, damping_power, friction_power [W]; the ledger knows losses by these two alone.
    The function is called at trial states, any number of times and perhaps on several threads: it depends on its values
    alone, and keeps nothing.

    parameters: name: unit, or name: dict of unit, doc, default, minimum, maximum; a default of the function serves, too.
    energy: recoverable energy of the contact [J], a function of the same kind; without it, that energy is missing in the
        ledger until it is recovered.
    kind: "whole", "normal", "friction", "rolling", "twisting" (fender_law_kind), or several.
    name: None: that of the function.

    An exception ends the step, which is not accepted, and is raised there. A fender.Warning says once that such a law is
    slow. Laws in Python have no memory, modes, events or states; at most 64 exist at a time."""
    def made(function: Any) -> Law:
        own = name or function.__name__
        names = list(parameters or {})
        values, defaults = _values(function, "force", names)
        energy_values = _values(energy, "energy", names)[0] if energy is not None else []
        doc = " ".join((inspect.getdoc(function) or "A law in Python.").split())
        result = Law(own, doc, _kinds(kind), _fields(parameters or {}, defaults), function, values, energy, energy_values)
        result.function, result.compiled, result._warned = function, False, False
        return result
    return made


def _address(function: Any) -> int:
    address = function if isinstance(function, int) else getattr(function, "address", None)
    if address is None:
        import ctypes
        address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return int(address)


def native_law(force: Any, *, name: str, parameters: Optional[Parameters] = None,
               kind: Union[str, Sequence[str]] = ("whole", "normal"), energy: Any = None, doc: str = "A compiled law.") -> Law:
    """A contact law in machine code, at full speed. `force` and `energy` are addresses of C functions as `fender_law` of
    fender/law.h has them (force, stored_energy): integers, or objects of numba (`address` of a cfunc) or ctypes; cffi gives
    one by int(ffi.cast("uintptr_t", function)).

        void force(const double *parameters, const double *input, const void *memory, double *output)
        double energy(const double *parameters, const double *input, const void *memory)

    parameters: as those of fender.law, a double each, in their order. input and output: fender_contact_input and
    fender_contact_output, seen as arrays of doubles: fender.LAW_INPUT["depth"] is the index of the depth, and
    fender.LAW_OUTPUT["force"] the three of the force. The output is zero before the call; memory is not used. The function
    must live as long as what uses the law."""
    result = Law(name, doc, _kinds(kind), _fields(parameters or {}, {}), _address(force), [],
                 None if energy is None else _address(energy), [])
    result.function, result.compiled, result._warned = (force, energy), True, True
    return result


def law_force(law: Union[str, Law], parameters: Optional[Mapping[str, Any]] = None, **inputs: Any) -> Any:
    """What a law makes of one state of a contact that begins with it: fender_contact_output as a record (force [N, on b, in
    C], torque, damping_power, friction_power). law: a name, or a Law; parameters: its parameters by name. inputs: members of
    fender_contact_input by name, in SI: depth, depth_rate, slip, spin, normal_force, approach_speed, ..."""
    return _fender.law_force(law, _fender.law_pack(law, dict(parameters or {})), dict(inputs))


def registry(laws: Sequence[Law]) -> Any:
    """A registry of the library that has these laws besides its own; None without."""
    if not laws:
        return None
    made = _fender.registry_create()
    for one in laws:
        _fender.registry_add_law(made, one)
    return made
