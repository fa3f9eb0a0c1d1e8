"""The exception of the package, and its warnings."""
from __future__ import annotations

import re
import sys
import warnings
from typing import Any, Dict, List, Match, Optional, Sequence

from . import _fender


def _in_python(text: str) -> str:
    """Functions and enumerations of C that a message of the library names, as they are called here."""
    from . import _objects, _world
    from ._types import enums

    def name(found: Match[str]) -> str:
        called, words = found.group(1), found.group(1).split("_")[1:]
        if called in enums:
            return "fender." + enums[called].__name__
        for k in range(len(words) - 1, 0, -1):
            owner = "".join(word.title() for word in words[:k])
            cls = getattr(_world, owner, None) or getattr(_objects, owner, None)
            value = getattr(cls, "_".join(words[k:]), None)
            if value is not None:
                return f"{owner}.{'_'.join(words[k:])}" + ("()" if callable(value) else "")
        return found.group(0)

    return re.sub(r"\b(fender_[a-z0-9_]+)(\(\))?", name, text)


class Error(Exception):
    """What the library refuses: where, what it found, what it expected, and a remedy.

    Attributes (texts that do not apply are ""):
        status: name of the library's status, such as "VALUE" or "PARSE".
        message: the problem in one sentence.
        source, line, column: file and place in it, from 1; line 0: not in a file.
        path: the key or argument, such as "bodies.veh1.mass_properties.mass".
        place: source, line and column, or the path, as text.
        found, expected, remedy: what was found, what was expected, what to do.
        diagnostics: all diagnostics of the call, as Diagnostic.
        run: the run as far as it went, when it was stopped by this error; else None.
    """

    def __init__(self, status: int = 1, message: str = "", source: str = "", line: int = 0, column: int = 0,
                 path: str = "", found: str = "", expected: str = "", remedy: str = "",
                 diagnostics: Optional[List[Dict[str, Any]]] = None) -> None:
        super().__init__(status, message, source, line, column, path, found, expected, remedy)
        from ._types import enums
        self.status: str = enums["fender_status"](status).name
        self.message = _in_python(message)
        self.source, self.line, self.column, self.path = source, line, column, path
        self.found, self.expected, self.remedy = found, _in_python(expected), _in_python(remedy)
        self.diagnostics = [Diagnostic(d) for d in diagnostics or []]
        self.run: Any = None

    @property
    def place(self) -> str:
        if self.line:
            return f"{self.source}:{self.line}" + (f":{self.column}" if self.column else "")
        return self.path or self.source

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.message}" if self.place else self.message]
        if self.found:
            lines.append(f"  found     {self.found}")
        if self.expected:
            lines.append(f"  expected  {self.expected}")
        if self.remedy:
            lines.append(f"  remedy    {self.remedy}")
        more = [d for d in self.diagnostics if d.severity == "ERROR"][1:]
        lines += [str(d) for d in more[:10]]
        return "\n".join(lines)


class Diagnostic:
    """One message of the library: severity ("ERROR", "WARNING", "NOTE"), status, source, line, column, message, found,
    expected, remedy."""

    def __init__(self, values: Dict[str, Any]) -> None:
        from ._types import enums
        self.severity: str = enums["fender_severity"](values["severity"]).name
        self.status: str = enums["fender_status"](values["status"]).name
        self.source: str = values["source"]
        self.line: int = values["line"]
        self.column: int = values["column"]
        self.message: str = values["message"]
        self.found: str = values["found"]
        self.expected: str = values["expected"]
        self.remedy: str = values["remedy"]

    @property
    def place(self) -> str:
        return f"{self.source}:{self.line}:{self.column}" if self.line else self.source

    def __str__(self) -> str:
        return (f"{self.place}: " if self.place else "") + self.message + (f" (found {self.found})" if self.found else "")

    def __repr__(self) -> str:
        return f"<{self.severity.lower()} {self}>"


class Warning(UserWarning):
    """What the library warns of: a step that is too long, a residual that makes results doubtful."""


def warn(diagnostics: Sequence[Diagnostic]) -> None:
    """Warnings among the diagnostics, as those of the line that called the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    for diagnostic in diagnostics:
        if diagnostic.severity == "WARNING":
            warnings.warn(str(diagnostic), Warning, stacklevel=level)


def reports() -> List[Diagnostic]:
    """Of the last call of the library, which succeeded."""
    return [Diagnostic(values) for values in _fender.take_reports()]
