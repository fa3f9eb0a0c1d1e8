"""Scenarios: files, texts and dicts that describe a run."""
from __future__ import annotations

import json
import os
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _fender
from ._errors import Diagnostic, Error, reports, warn
from ._laws import Law, registry

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scenario"]
_PLAIN = re.compile(r"[A-Za-z_/.$][A-Za-z0-9_/.*$^+\-]*( [A-Za-z0-9_/.*^+\-$]+)*$|-?[0-9.][A-Za-z0-9_/.*^+\- ]*$")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"}


def _scalar(value: Any) -> str:
    """A value of YAML on one line."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is True or value is False:
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return value if _PLAIN.match(value) and value.lower() not in _WORDS else json.dumps(value, ensure_ascii=False)
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value))
    raise TypeError(f"a scenario has numbers, texts, lists and dicts, not {value!r} ({type(value).__name__})")


def _flow(value: Any) -> str:
    """A value of YAML in flow style, as --set takes it."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(v) for v in value) + "]"
    return _scalar(value)


def _setting(value: Any) -> str:
    """Texts are YAML as they are: "10 ms", "[1, 0, 0, m]"."""
    return value if isinstance(value, str) else _flow(value)


def _overrides(changes: Optional[Mapping[str, Any]]) -> List[Dict[str, str]]:
    return [{"path": str(path), "value": _setting(value)} for path, value in (changes or {}).items()]


def to_yaml(data: Mapping[str, Any]) -> str:
    """A scenario as YAML. Dicts are sections; lists of plain values stay on one line."""
    return _write(data)[0]


def _write(data: Mapping[str, Any]) -> Tuple[str, List[str]]:
    """The text, and for each of its lines the path of the key that it shows."""
    lines: List[str] = []
    paths: List[str] = []

    def simple(value: Any) -> bool:
        if isinstance(value, np.ndarray):
            return True
        if isinstance(value, (list, tuple)):
            return all(simple(v) and not isinstance(v, Mapping) for v in value) and len(value) <= 100
        return not isinstance(value, Mapping)

    def put(value: Any, indent: int, path: str, first: str) -> None:
        """Writes `first` and the value after it, or below it."""
        space = "  " * indent
        if isinstance(value, Mapping) and value:
            if first:
                lines.append(first.rstrip())
                paths.append(path)
            for key, inner in value.items():
                put(inner, indent + (1 if first else 0), f"{path}.{key}" if path else str(key),
                    ("  " * (indent + (1 if first else 0))) + f"{_scalar(key)}: ")
        elif isinstance(value, (list, tuple)) and not simple(value):
            lines.append(first.rstrip())
            paths.append(path)
            for i, inner in enumerate(value):
                lines.append(f"{space}  - {_flow(inner)}")
                paths.append(f"{path}[{i}]")
        else:
            lines.append(first + _flow(value))
            paths.append(path)

    put(data, 0, "", "")
    return "\n".join(lines) + "\n", paths


class Scenario:
    """A scenario that has passed all checks. Immutable.

    Scenario(source, set=None): `source` is the path of a YAML file, or a dict of its sections. `set` replaces or adds
    values by path, as --set of the program: {"integrator.step": "1 ms", "bodies.veh2.state.velocity.x": -1.0}. Texts
    are YAML, with units; numbers are SI. `laws`: laws from Python that it may name. Raises Error with all diagnostics; for a dict the place is the path of the key.
    """

    def __init__(self, source: Source, set: Optional[Mapping[str, Any]] = None, laws: Sequence[Law] = ()) -> None:
        if isinstance(source, Scenario):
            raise TypeError("a Scenario cannot be changed: load its source again with `set`")
        self.path: Optional[str] = None
        self.text: Optional[str] = None
        self._paths: List[str] = []
        known = registry(laws)
        for law in laws:
            law._warn(2)
        if isinstance(source, Mapping):
            self.text, self._paths = _write(source)
            try:
                self._handle = _fender.scenario_parse(known, "<dict>", self.text, _overrides(set))
            except Error as error:
                self._locate(error)
                raise
        else:
            self.path = os.fspath(source)
            self._handle = _fender.scenario_load(known, self.path, _overrides(set))
        self._tell()
        if known is not None:
            self._handle._hold(known)

    def _tell(self) -> List[Diagnostic]:
        """What the last call reported about the scenario; warnings are raised."""
        told = reports()
        self._locate(None, told)
        warn(told)
        return told

    def _locate(self, error: Optional[Error], diagnostics: Sequence[Diagnostic] = ()) -> None:
        """The place in a dict is the path of a key, not a line of the text that was made of it."""
        for place in ([error] + error.diagnostics if error is not None else []) + list(diagnostics):
            if place.source == "<dict>" and 0 < place.line <= len(self._paths):
                place.source = self._paths[place.line - 1]
                if isinstance(place, Error):
                    place.path = place.source
                place.line = 0

    @classmethod
    def from_yaml(cls, text: str, set: Optional[Mapping[str, Any]] = None, name: str = "<text>") -> "Scenario":
        """A scenario from YAML text; `name` stands for the file in messages. Files that it names are relative to the
        working directory."""
        self = cls.__new__(cls)
        self.path, self.text, self._paths = None, text, []
        self._handle = _fender.scenario_parse(None, name, text, _overrides(set))
        self._tell()
        return self

    @classmethod
    def of_run(cls, directory: Union[str, "os.PathLike[str]"]) -> "Scenario":
        """The scenario of a run directory, as it was when the run began."""
        self = cls.__new__(cls)
        self.path, self.text, self._paths = os.fspath(directory), None, []
        self._handle = _fender.scenario_load_run(None, self.path)
        return self

    @property
    def data(self) -> Dict[str, Any]:
        """The sections as they are written, as dicts, lists, numbers and texts (with units): a new copy, to be changed and
        given to fender.run, Scenario or to_yaml. `set` is not in it, nor are comments. Files that a dict names are
        relative to the working directory, those of a file to its folder."""
        text = self.text
        if text is None:
            assert self.path is not None
            path = os.path.join(self.path, "scenario.yaml") if os.path.isdir(self.path) else self.path
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
        return dict(_fender.yaml_parse(text))

    @property
    def title(self) -> str:
        return str(_fender.scenario_title(self._handle))

    @property
    def parameters(self) -> List[Dict[str, Any]]:
        """The section `parameters`: name, given, value, file, line of each."""
        return _all(_fender.scenario_parameter_at, self._handle)

    @property
    def derivations(self) -> List[Dict[str, Any]]:
        """Parameters of contact types that were derived from design targets."""
        return _all(_fender.scenario_derivation_at, self._handle)

    def __repr__(self) -> str:
        return f"<fender.Scenario {self.title or self.path or 'of a dict'!r}>"


def _all(function: Any, handle: Any) -> List[Any]:
    found: List[Any] = []
    while True:
        item = function(handle, len(found))
        if item is None:
            return found
        found.append(item)
