"""Many runs: studies of a scenario, and rollouts of a world, on all cores."""
from __future__ import annotations

import csv
import os
import tempfile
import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _fender
from ._errors import Error, reports, warn
from ._run import Channel, Path, axes_of
from ._world import World


class Study:
    """Results of a study: what fender.study returns.

    Attributes: store, the SQLite file; title; outcomes, their names; interrupted; progress, the figures of the call
    (fender_study_progress)."""

    def __init__(self, handle: Any, store: str, interrupted: bool, progress: Any) -> None:
        self._handle, self.store, self.interrupted, self.progress = handle, store, interrupted, progress
        self.title = str(_fender.study_title(handle))
        self.outcomes = [str(_fender.study_outcome_name(handle, i)) for i in range(_fender.study_outcome_count(handle))]
        self._columns: Optional[Dict[str, Channel]] = None

    @property
    def columns(self) -> Dict[str, Channel]:
        """What `fender study export` writes: run and status, inputs, kept values and outcomes, hash and reason: a column each
        with one row for each run, as arrays with `units`. Numbers are float64, NaN where a run has none; names, as
        those of discrete inputs, are texts."""
        if self._columns is None:
            with tempfile.TemporaryDirectory(prefix="fender_") as folder:
                path = os.path.join(folder, "runs.csv")
                _fender.study_export(self.store, path)
                with open(path, newline="", encoding="utf-8") as file:
                    heads, *rows = csv.reader(file)
            self._columns = {}
            for head, cells in zip(heads, zip(*rows) if rows else [()] * len(heads)):
                name, _, unit = head.partition(" [")
                values: Any = np.array(cells, str)
                if name not in ("status", "hash", "reason"):
                    try:
                        values = np.array([cell or "nan" for cell in cells], float)
                    except ValueError:
                        pass
                self._columns[name] = Channel(values, name, unit[:-1])
        return self._columns

    def __getitem__(self, name: str) -> Channel:
        if name not in self.columns:
            raise Error(4, "the study has no such column", path=name, found=name, expected=", ".join(self.columns))
        return self.columns[name]

    def report(self, confidence: float = 0.95) -> str:
        """Probabilities with exact intervals, means, quantiles, sensitivities, as text."""
        return str(_fender.study_report(self.store, confidence))

    def scatter(self, x: str, y: str, colour: Optional[str] = None, axes: Any = None) -> Any:
        """Draws one column over another with matplotlib, coloured by a third; returns the axes."""
        axes = axes_of(axes)
        columns = [self[name] for name in (x, y)]
        axes.scatter(*(np.asarray(column) for column in columns), c=None if colour is None else np.asarray(self[colour]))
        axes.set_xlabel(f"{x} [{columns[0].units}]")
        axes.set_ylabel(f"{y} [{columns[1].units}]")
        if colour is not None:
            axes.set_title(colour)
        return axes

    def page(self, path: Path) -> str:
        """Writes one HTML page of all runs; returns its path."""
        _fender.study_page(self.store, os.fspath(path))
        return os.fspath(path)

    def scenario(self, run: int) -> str:
        """The scenario of a run, as YAML."""
        return str(_fender.study_print(self._handle, run))

    def __repr__(self) -> str:
        return f"<fender.Study {self.title!r} {self.progress.done} of {self.progress.total} runs>"


def study(path: Path, *, store: Optional[Path] = None, runs: int = 0, jobs: int = 0, shard: int = 0, shards: int = 0,
          progress: Optional[Callable[[Any], Any]] = None) -> Study:
    """Executes the runs of a study file (docs/formats/study.md) that the store does not contain, as `fender study run`.

    store: path of the SQLite file; None: the name of the study with .study.db, in the working directory. runs: number,
    0: that of the file. jobs: threads, 0: one per core. shard, shards: only every shards-th run. progress: called five
    times a second with the figures so far; False ends the study. Ctrl-C ends it, too; completed runs stay in the store."""
    path = os.fspath(path)
    handle = _fender.study_load(path, runs)
    warn(reports())
    if store is None:
        store = os.path.splitext(os.path.basename(path))[0] + ".study.db"
    interrupted, figures = _fender.study_run(handle, os.fspath(store), jobs, shard, shards, progress)
    return Study(handle, os.fspath(store), interrupted, figures)


def _in_threads(make: Callable[[], World], work: Callable[[World, int], Any], count: int) -> List[Any]:
    """Calls work with a world and the number of the thread in each of `count` threads; returns the results in order. Ctrl-C,
    and a thread that fails, end the others."""
    worlds: List[World] = []
    ended = threading.Event()

    def one(number: int) -> Any:
        world = make()
        worlds.append(world)
        if ended.is_set():
            world._stop(True)
        return work(world, number)

    def end() -> None:
        ended.set()
        for world in list(worlds):
            world._stop(True)

    try:
        with ThreadPoolExecutor(max(count, 1)) as pool:
            futures = [pool.submit(one, number) for number in range(count)]
            try:
                if wait(futures, return_when=FIRST_EXCEPTION).not_done:
                    end()
            except BaseException:
                end()
                raise
    finally:
        for world in worlds:
            world._stop(False)  # `make` may have kept it
    failures = [future.exception() for future in futures]
    for failure in failures:
        if failure is not None and not isinstance(failure, KeyboardInterrupt):
            raise failure
    return [future.result() for future in futures]


def rollout(make: Callable[[], World], states: Any = None, controls: Any = None, *, times: Sequence[float],
            channels: Sequence[str], commands: Sequence[str] = (), jobs: int = 0) -> np.ndarray[Any, Any]:
    """Runs a world from many states and with many controls, on all cores; the results are in the order of the inputs.

    make: returns an initialized world; called once for each thread. Every rollout begins with the world as it was made.
    states: array (n, world.state_count) of states at the start, of World.get_state's form; None: that of the world.
    controls: array (n, len(times), numbers of all commands), set from the time before (at first the start) to that of the
        row; None: no command. n is that of states or controls; both may have one row, for all.
    times: increasing times [s] at which the channels are read. channels: patterns; commands: names (`fender info
    commands`).
    Returns an array (n, len(times), numbers of all channels). Rollouts that fail are NaN from there on. Ctrl-C ends all."""
    states = None if states is None else np.atleast_2d(np.asarray(states, float))
    controls = None if controls is None else np.asarray(controls, float)
    times = [float(time) for time in times]
    if controls is not None and (controls.ndim != 3 or controls.shape[1] != len(times)):
        raise Error(1, "controls do not fit the times", path="rollout(controls)", found=f"shape {controls.shape}",
                    expected=f"(n, {len(times)}, numbers of all commands)")
    count = max([len(part) for part in (states, controls) if part is not None], default=1)
    for name, part in (("states", states), ("controls", controls)):
        if part is not None and len(part) not in (1, count):
            raise Error(1, f"{name} do not fit", path=f"rollout({name})", found=f"{len(part)} rows", expected=f"{count} or 1")
    names = [channels] if isinstance(channels, str) else list(channels)
    jobs = jobs or os.cpu_count() or 1

    def work(world: World, first: int) -> List[np.ndarray[Any, Any]]:
        start = world.snapshot()
        widths = [np.size(world.get_command(command)) for command in commands]
        if controls is not None and controls.shape[2] != sum(widths):
            raise Error(1, "controls do not fit the commands", path="rollout(controls)", found=f"shape {controls.shape}",
                        expected=f"{sum(widths)} numbers at each time")
        width = sum(len(world.channel_names(name)) for name in names)
        found = []
        for number in range(first, count, jobs):
            rows = np.full((len(times), width), np.nan)
            found.append(rows)
            world.restore(start)
            try:
                if states is not None:
                    world.set_state(world.time, states[number if len(states) > 1 else 0])
                    world.commit()
                for i, time in enumerate(times):
                    if controls is not None:
                        row, place = controls[number if len(controls) > 1 else 0, i], 0
                        for command, size in zip(commands, widths):
                            world.set_command(command, float(row[place]) if size == 1 else row[place:place + size])
                            place += size
                    world.advance_to(time)
                    rows[i] = np.concatenate([np.atleast_1d(world.channel(name)) for name in names])
            except Error as error:
                if error.status not in ("INTEGRATOR", "NOT_FINITE"):
                    raise
        return found

    parts = _in_threads(make, work, min(jobs, count))
    result = np.empty((count,) + parts[0][0].shape)
    for first, rows in enumerate(parts):
        for k, values in enumerate(rows):
            result[first + k * jobs] = values
    return result


def jacobian(make: Callable[[], World], *, time: float, state: Any = None, step: Union[None, float, Sequence[float]] = None,
             errors: bool = False, jobs: int = 0, method: str = "differences") -> Any:
    """Derivatives of the state at a time with respect to the state at the start: (count, count), rows for the end.

    method: "differences" of runs, as below; or "tangent": World.advance_tangent along one run, for smooth laws and rk4,
    dopri5 or dop853; fender.Error names what has no such derivative. Then step and jobs do not matter, and errors are NaN.

    step: None: by Ridders' method, which extrapolates central differences of steps that fall from 0.01 to 3e-5 (times the
    number, where that is above 1) to zero, and takes for each derivative the extrapolation whose error it finds least; 14
    runs for each number. Or the step of each number, or one for all: plain central differences, two runs.
    errors: returns (derivatives, errors): how far the last extrapolations differ; NaN with a given step.

    Where laws have kinks between, differences bridge them: then derivatives of both sides differ, and the errors are large.
    The accuracy is that of the runs: use an adaptive method with located events, or a step that all events share. Ctrl-C
    ends differences; a tangent goes on to its time."""
    if method not in ("differences", "tangent"):
        raise Error(1, "the method is unknown", path="jacobian(method)", found=str(method), expected="differences, tangent")
    world = make()
    start = np.asarray(world.get_state() if state is None else state, float)
    if method == "tangent":
        found = _tangent(world, None if state is None else start, float(time))
        return (found, np.full(found.shape, np.nan)) if errors else found
    if step is not None:
        found = _differences(make, start, np.broadcast_to(np.asarray(step, float), start.shape), float(time), jobs)
        return (found, np.full(found.shape, np.nan)) if errors else found
    first = 0.01 * np.maximum(1, np.abs(start))
    best, least = np.zeros((len(start),) * 2), np.full((len(start),) * 2, np.inf)
    before: List[np.ndarray[Any, Any]] = []
    for i in range(_RIDDERS_STEPS):
        row = [_differences(make, start, first / _RIDDERS_RATIO**i, float(time), jobs)]
        for k, other in enumerate(before):  # the next order, of the last two of this one
            weight = _RIDDERS_RATIO ** (2 * (k + 1))
            row.append((weight * row[k] - other) / (weight - 1))
            error = np.maximum(np.abs(row[k + 1] - row[k]), np.abs(row[k + 1] - other))
            better = error < least
            best[better], least[better] = row[k + 1][better], error[better]
        before = row
    return (best, least) if errors else best


_RIDDERS_STEPS, _RIDDERS_RATIO = 7, 2.6


def _quaternion_parts(states: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For the quaternion q of each body, the matrix (4, 3) of v -> (0, v) q / 2: how it follows a rotation vector."""
    w, x, y, z = states.reshape(-1, 13)[:, 3:7].T / 2
    return np.array([[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]]).transpose(2, 0, 1)


def _tangent(world: World, state: Optional[np.ndarray[Any, Any]], time: float) -> np.ndarray[Any, Any]:
    """Derivatives of states from those of deviations. set_state makes quaternions of length 1."""
    if state is not None:
        world.set_state(world.time, state)
        world.commit()
    start = np.asarray(world.get_state())
    bodies = len(start) // 13
    lengths = np.ones(bodies) if state is None else np.linalg.norm(state.reshape(-1, 13)[:, 3:7], axis=1)
    into = np.zeros((12 * bodies, 13 * bodies))
    for k, part in enumerate(_quaternion_parts(start)):
        into[12 * k:12 * k + 3, 13 * k:13 * k + 3] = np.eye(3)
        into[12 * k + 3:12 * k + 6, 13 * k + 3:13 * k + 7] = 4 * part.T / lengths[k]
        into[12 * k + 6:12 * k + 12, 13 * k + 7:13 * k + 13] = np.eye(6)
    moved = world.advance_tangent(time, into)
    result = np.zeros((13 * bodies, 13 * bodies))
    for k, part in enumerate(_quaternion_parts(np.asarray(world.get_state()))):
        result[13 * k:13 * k + 3] = moved[12 * k:12 * k + 3]
        result[13 * k + 3:13 * k + 7] = part @ moved[12 * k + 3:12 * k + 6]
        result[13 * k + 7:13 * k + 13] = moved[12 * k + 6:12 * k + 12]
    return result


def _differences(make: Callable[[], World], start: np.ndarray[Any, Any], steps: np.ndarray[Any, Any], time: float,
                 jobs: int) -> np.ndarray[Any, Any]:
    """Central differences of the end: a column for each number of the start."""
    n = len(start)
    ends = _ends(make, np.concatenate([start + np.diag(steps), start - np.diag(steps)]), time, jobs)
    return np.asarray(((ends[:n] - ends[n:]) / (2 * steps[:, None])).T)


def _ends(make: Callable[[], World], states: np.ndarray[Any, Any], time: float, jobs: int) -> np.ndarray[Any, Any]:
    jobs = jobs or os.cpu_count() or 1
    result = np.full(states.shape, np.nan)

    def work(world: World, first: int) -> None:
        start = world.snapshot()
        for number in range(first, len(states), jobs):
            world.restore(start)
            world.set_state(world.time, states[number])
            world.commit()
            world.advance_to(time)
            result[number] = world.get_state()
    _in_threads(make, work, min(jobs, len(states)))
    return result
