"""Runs: a scenario carried out, and what it leaves."""
from __future__ import annotations

import csv
import json
import os
import shutil
import sys
import tempfile
import warnings
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

import numpy as np

from . import _fender
from ._control import Controller, hosted
from ._errors import Diagnostic, Error, Warning, warn
from ._laws import Law
from ._scenario import Scenario, Source
from ._types import enums, texts

Path = Union[str, "os.PathLike[str]"]
_COMPONENTS = {(".x", ".y"): (2,), (".x", ".y", ".z"): (3,), (".w", ".x", ".y", ".z"): (4,),
               tuple(f"[{i}][{j}]" for i in range(3) for j in range(3)): (3, 3)}


class Channel(np.ndarray):  # type: ignore[type-arg]
    """Values of a channel, one row for each time: shape (rows,), or (rows, 3) of a vector, (rows, 4) of a quaternion
    (w x y z), (rows, 3, 3) of a matrix.

    Attributes: name; units, "1" or "" without; time, the times of the rows [s]. Results of arithmetic are plain arrays
    without units."""

    name: str
    units: str
    time: Optional[np.ndarray[Any, Any]]

    def __new__(cls, values: Any, name: str = "", units: str = "", time: Optional[np.ndarray[Any, Any]] = None) -> "Channel":
        self = np.asarray(values).view(cls)
        self.name, self.units, self.time = name, units, time
        return self

    def __array_finalize__(self, of: Any) -> None:
        self.name, self.units = getattr(of, "name", ""), getattr(of, "units", "")
        self.time = None

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        def plain(value: Any) -> Any:
            return value.view(np.ndarray) if isinstance(value, Channel) else value
        if "out" in options:
            options["out"] = tuple(plain(value) for value in options["out"])
        return getattr(ufunc, method)(*(plain(value) for value in inputs), **options)

    def __getitem__(self, key: Any) -> Any:
        result = super().__getitem__(key)
        time = self.time
        if isinstance(result, Channel) and time is not None:
            rows = key[0] if isinstance(key, tuple) and key else key
            try:
                result.time = time if rows is Ellipsis else np.asarray(time)[rows]
            except (IndexError, TypeError):
                result.time = None
        return result


class Channels(Mapping[str, Channel]):
    """Channels by name: "bodies.lander.position", or one component of it, "bodies.lander.position.z"."""

    def __init__(self, tables: Sequence[Tuple[str, List[Tuple[str, str, np.ndarray[Any, Any], bool]]]]) -> None:
        self._columns: Dict[str, Tuple[str, np.ndarray[Any, Any], Optional[np.ndarray[Any, Any]]]] = {}
        self._tables: Dict[str, List[str]] = {}
        for file, columns in tables:
            time = next((values for _, _, values, is_time in columns if is_time), None)
            self._tables[file] = []
            for name, unit, values, is_time in columns:
                if is_time:
                    self._columns.setdefault("time", (unit, values, time))
                elif name not in self._columns:
                    self._columns[name] = (unit, values, time)
                self._tables[file].append(name)
        self._wholes: Dict[str, Tuple[List[str], Tuple[int, ...]]] = {}
        groups: Dict[str, List[str]] = {}
        for name in self._columns:
            cut = name.find("[") if name.endswith("]") and "][" in name[-6:] else name.rfind(".")
            if cut > 0:
                groups.setdefault(name[:cut], []).append(name)
        for whole, names in groups.items():
            endings = tuple(name[len(whole):] for name in names)
            if endings in _COMPONENTS and len({id(self._columns[name][2]) for name in names}) == 1:
                self._wholes[whole] = (names, _COMPONENTS[endings])

    def __getitem__(self, name: str) -> Channel:
        if name in self._columns:
            unit, values, time = self._columns[name]
            return Channel(values, name, unit, time)
        if name in self._wholes:
            names, shape = self._wholes[name]
            unit, _, time = self._columns[names[0]]
            values = np.stack([self._columns[n][1] for n in names], axis=-1)
            return Channel(values.reshape((len(values),) + shape), name, unit, time)
        import difflib
        near = difflib.get_close_matches(name, list(self), 1)
        raise Error(4, "no such channel was recorded", path=name, found=name,
                    expected=f"one of {len(self)} channels: list(run.channels)",
                    remedy=(f"did you mean '{near[0]}'? " if near else "") +
                    "fender.run(..., channels=[...]) samples others at every step")

    def __iter__(self) -> Iterator[str]:
        parts = {name for names, _ in self._wholes.values() for name in names}
        yield from self._wholes
        yield from (name for name in self._columns if name not in parts)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in self._columns or name in self._wholes

    def __repr__(self) -> str:
        return "<fender.Channels " + ", ".join(self) + ">"


def _tables(path: str, poses: bool) -> List[Tuple[str, List[Tuple[str, str, np.ndarray[Any, Any], bool]]]]:
    return [(file, [(name, unit, np.frombuffer(values, "f8"), bool(is_time)) for name, unit, _, values, is_time in columns])
            for file, columns in _fender.recording_open(path, poses)]


def read(path: Path) -> Channels:
    """Channels of a recording: CSV, Trick's .trk or HDF5, or all tables of a run directory."""
    path = os.fspath(path)
    return Channels(_tables(path, os.path.isdir(path)))


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


class Run:
    """A run that was carried out: what fender.run returns. Its files lie in `directory`.

    Attributes:
        directory: of the files; removed with this object unless `out` was given.
        status: "OK", "EXPECTATION" (an expectation was missed), "RESIDUAL" (the energy does not add up).
        diagnostics: what the library reported.
    """

    def __init__(self, directory: str, scenario: Optional[Scenario] = None, summary: Optional[Dict[str, Any]] = None,
                 status: str = "OK", diagnostics: Sequence[Diagnostic] = (),
                 sampled: Sequence[Tuple[str, List[Tuple[str, str, np.ndarray[Any, Any], bool]]]] = (), error: Optional[Error] = None) -> None:
        self.directory = directory
        self.scenario = scenario
        self.status = status
        self.diagnostics = list(diagnostics)
        self.error = error
        self._summary = summary
        self._sampled = list(sampled)
        self._channels: Optional[Channels] = None
        self._events: Optional[np.recarray[Any, Any]] = None

    # ---- figures

    @property
    def summary(self) -> Dict[str, Any]:
        """All figures of the run: fender_run_summary as a dict (docs: include/fender/io.h)."""
        if self._summary is None:
            raise Error(6, "a run that was opened from its directory has its figures in summary.json",
                        path="summary", remedy="use run.json")
        return self._summary

    @property
    def json(self) -> Dict[str, Any]:
        """summary.json of the run directory."""
        with open(os.path.join(self.directory, "summary.json"), encoding="utf-8") as stream:
            return dict(json.load(stream))

    @property
    def hash(self) -> str:
        """Hash of state, contact memory and events at the end, as `fender run` prints it."""
        return f"{self.summary['hash']:016x}" if self._summary is not None else str(self.json["hash"])

    @property
    def episodes(self) -> np.recarray[Any, Any]:
        """One record for each contact from begin to end: fender_episode, with estimates in `errors`."""
        return cast("np.recarray[Any, Any]", texts(self.summary["episodes"]))

    @property
    def ledger(self) -> Any:
        """Energy and momentum at the end [SI]: fender_ledger, such as run.ledger.residual [J]."""
        return self.summary["end"]

    @property
    def ledger_at_start(self) -> Any:
        """Energy and momentum at the start."""
        return self.summary["start"]

    @property
    def expectations(self) -> List[Dict[str, Any]]:
        """Results of the section `expect`: met, value, expected, within, text, source, file, line."""
        return list(self.summary["expectations"])

    @property
    def verdict(self) -> str:
        """"sound", "doubtful" or "no result"."""
        return str(_fender.run_verdict_name(self.summary["verdict"]))

    # ---- recordings

    @property
    def channels(self) -> Channels:
        """What the scenario recorded and what `channels` of fender.run sampled; and the poses of all bodies, at up to
        about 2,000 states, where the scenario does not record them."""
        if self._channels is None:
            self._channels = Channels(self._sampled + _tables(self.directory, True))
        return self._channels

    def frame(self, record: Optional[str] = None) -> Any:
        """A recording as pandas.DataFrame, indexed by time [s]; attrs["units"] has the units. `record`: name of its
        file, with or without ending; None: the first."""
        try:
            import pandas  # type: ignore
        except ImportError:
            raise Error(12, "a frame needs pandas", path="frame", remedy="apt-get install python3-pandas") from None
        channels = self.channels
        names = [file for file in channels._tables
                 if record is None or os.path.basename(file) == record
                 or os.path.splitext(os.path.basename(file))[0] == record]
        if not names:
            raise Error(4, "there is no such recording", path="frame", found=str(record),
                        expected=", ".join(os.path.basename(file) for file in channels._tables))
        columns = [name for name in channels._tables[names[0]] if name in channels._columns]
        time = channels._columns[columns[0]][2] if columns else None
        data = {name: channels._columns[name][1] for name in columns
                if name != "time" and channels._columns[name][2] is time}
        frame = pandas.DataFrame(data, index=pandas.Index(time, name="time"))
        frame.attrs["units"] = {name: channels._columns[name][0] for name in data}
        return frame

    @property
    def events(self) -> np.recarray[Any, Any]:
        """All events of the run as records: time [s], event, contact and the other columns of events.csv."""
        if self._events is None:
            with open(os.path.join(self.directory, "events.csv"), encoding="utf-8", newline="") as stream:
                rows = list(csv.reader(stream))
            names = [column.split(" [")[0] for column in rows[0]] if rows else []
            columns = []
            for i in range(len(names)):
                values = [_number(row[i]) if row[i] != "" else float("nan") for row in rows[1:]]
                texts = any(isinstance(value, str) for value in values) or names[i] in ("event", "contact")
                columns.append(np.array([row[i] for row in rows[1:]], dtype=None if rows[1:] else "U1") if texts
                               else np.array(values, "f8"))
            self._events = np.rec.fromarrays(columns, formats=[c.dtype for c in columns], names=names) if names else np.recarray(0, dtype=[("time", "f8")])
        return self._events

    # ---- pages

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws channels over time with matplotlib, all in one panel; returns its axes. A vector has a curve for each of
        its components."""
        axes = axes_of(axes)
        units = []
        for name in names:
            channel = self.channels[name]
            values = np.asarray(channel).reshape(len(channel), -1)
            for i in range(values.shape[1]):
                label = name if values.shape[1] == 1 else f"{name}{'.' + 'xyz'[i] if channel.shape[1:] == (3,) else f'[{i}]'}"
                axes.plot(channel.time, values[:, i], label=label)
            units.append(channel.units)
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"[{', '.join(dict.fromkeys(units))}]")
        axes.legend()
        return axes

    def report(self, path: Optional[Path] = None) -> str:
        """Writes the page with replay and plots; returns its path. None: report.html in the directory of the run."""
        target = os.fspath(path) if path is not None else os.path.join(self.directory, "report.html")
        _fender.report_write(self.directory, target)
        return target

    def _repr_html_(self) -> str:
        import html
        with open(self.report(), encoding="utf-8") as stream:
            page = stream.read()
        return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:600px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<fender.Run {self.directory!r} {self.status} hash {self.hash}>"


def axes_of(axes: Any) -> Any:
    """The given axes of matplotlib, or new ones."""
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot  # type: ignore
    except ImportError:
        raise Error(12, "a plot needs matplotlib", path="plot", remedy="apt-get install python3-matplotlib") from None
    return matplotlib.pyplot.subplots()[1]


def open_run(directory: Path) -> Run:
    """A run that was carried out before, from its directory: channels, events, report, json."""
    directory = os.fspath(directory)
    if not os.path.isfile(os.path.join(directory, "summary.json")):
        raise Error(11, "this is no directory of a run", path=directory, expected="a directory with summary.json")
    return Run(directory, Scenario.of_run(directory))


def run(scenario: Source, *, set: Optional[Mapping[str, Any]] = None, out: Optional[Path] = None,
        channels: Union[str, Sequence[str]] = (), resume: bool = False,
        progress: Optional[Callable[[float, float, int, float], Any]] = None,
        controllers: Union[None, Mapping[str, Any], Sequence[Controller]] = None, laws: Sequence[Law] = ()) -> Run:
    """Carries out a scenario, as `fender run` does: same checks, same files, same hash.

    scenario: path of a YAML file, dict of its sections, or Scenario.
    set: values by path, {"integrator.step": "1 ms"}: texts are YAML with units, numbers SI.
    out: directory for the files; None: a temporary one that goes with the result.
    channels: patterns of channels that are sampled at every accepted step, such as "bodies.*.velocity"; wherever the
        scenario also records them, these are seen.
    progress: called about ten times a second as progress(time, until, step, wall_time); False ends the run.
    controllers: list of functions that fender.controller has made, which are added to the scenario; or a dict of those
        that the scenario names by `host: NAME`: functions of the time and the inputs, as for fender.controller.
    laws: contact laws from Python (fender.law, fender.native_law) that the scenario names.

    Raises Error where the scenario is refused or the run stops; its attribute `run` then has the run so far. Missed
    expectations and a residual that is too large are in `status`; of the latter a fender.Warning tells, too. Ctrl-C
    ends the run at an accepted step and raises KeyboardInterrupt. Other threads of Python go on meanwhile."""
    functions = hosted(controllers)
    if controllers is not None and not isinstance(controllers, Mapping):
        set = {**{f"controllers.{c.name}": c.section for c in controllers}, **(set or {})}
    if isinstance(scenario, Scenario):
        if set or laws:
            raise Error(1, "`set` and `laws` belong to the loading of a scenario", path="set",
                        remedy="fender.Scenario(source, set={...}), or pass the source itself")
        loaded = scenario
    else:
        loaded = Scenario(scenario, set, laws)
    directory = os.fspath(out) if out is not None else tempfile.mkdtemp(prefix="fender_")
    command = " ".join(["python"] + [os.path.basename(sys.argv[0])] if sys.argv and sys.argv[0] else ["python"])
    patterns = [channels] if isinstance(channels, str) else list(channels)
    try:
        handle = _fender.run_open(loaded._handle, directory, command, None, None, resume, False, progress,
                                  functions or None)
        told = loaded._tell()
        status, error, diagnostics, names, rows = _fender.run_execute(handle, patterns)
    except BaseException as failure:
        if isinstance(failure, Error):
            loaded._locate(failure)
        if out is None:
            shutil.rmtree(directory, ignore_errors=True)
        raise
    sampled: List[Tuple[str, List[Tuple[str, str, np.ndarray[Any, Any], bool]]]] = []
    if names:
        values = np.frombuffer(rows, "f8").reshape(-1, 1 + len(names))
        columns = [("time", "s", np.ascontiguousarray(values[:, 0]), True)]
        columns += [(name, unit, np.ascontiguousarray(values[:, 1 + i]), False) for i, (name, unit) in enumerate(names)]
        sampled = [("sampled", columns)]
    summary = _fender.run_get_summary(handle)
    handle.close()
    name = enums["fender_status"](status).name
    later = [Diagnostic(d) for d in diagnostics]
    loaded._locate(error, later)
    result = Run(directory, loaded, summary, name, told + later, sampled, error)
    if out is None:
        weakref.finalize(result, shutil.rmtree, directory, True)
    warn(later)
    if name == "RESIDUAL":
        warnings.warn("the energy of the run does not add up: " + "; ".join(summary["reasons"]), Warning, stacklevel=2)
    elif name not in ("OK", "EXPECTATION", "INTERRUPTED"):
        error.run = result
        raise error
    return result
