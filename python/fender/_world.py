"""Worlds, and snapshots of them."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

import numpy as np

from . import _fender
from ._errors import Error
from ._objects import Body, ContactType, Material, Rule, Shape, attach_functions, classes, definition, functions
from ._plan import lists
from ._scenario import Scenario


class Snapshot:
    """All on which the continuation of a world depends. bytes(snapshot) are for files; it can be pickled. It fits worlds
    of the same structure: the same world, or one built by the same calls. Worlds with other geometries, laws, loads,
    paths, points or gravity are refused."""

    def __init__(self, data: bytes) -> None:
        self._handle = _fender.snapshot_from_bytes(data)

    def __bytes__(self) -> bytes:
        return bytes(_fender.snapshot_bytes(self._handle))

    def __reduce__(self) -> Any:
        return Snapshot, (bytes(self),)


class World(_fender.World):  # type: ignore[misc]
    """A world of rigid bodies. World(step="1 ms", method="rk4", gravity=[0, 0, -9.81]).

    Members of fender_world_def by name (include/fender/world.h); `gravity` may be a uniform acceleration [m/s^2, W].
    Objects are made by create_body, create_contact_type and so on; initialize() comes before the first step. `with` ends
    the world at the end of the block; without it the world lives as long as something refers to it. One thread at a time
    uses a world; calls that run let other threads go on."""

    __slots__ = ("__weakref__",)

    def __init__(self, **members: Any) -> None:
        gravity = members.get("gravity")
        if gravity is not None and not isinstance(gravity, Mapping):
            members["gravity"] = {"kind": "uniform", "acceleration": gravity}
        self._take(_fender.world_create(definition("fender_world_def", members)))

    @classmethod
    def of(cls, scenario: Any, set: Optional[Mapping[str, Any]] = None) -> "World":
        """The world of a scenario (a path, dict or Scenario), initialized, without its actions, controllers, records."""
        loaded = scenario if isinstance(scenario, Scenario) else Scenario(scenario, set)
        self = cls.__new__(cls)
        self._take(_fender.scenario_build(loaded._handle))
        loaded._tell()
        self._hold(loaded._handle)  # it has the laws
        return self

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    # ---- rules

    def rule(self, a: Any, b: Any, use: Optional[ContactType]) -> Rule:
        """Rule for two shapes, two bodies or two materials; use None: they never touch."""
        for kind, cls in (("shape", Shape), ("body", Body), ("material", Material)):
            if isinstance(a, cls) and isinstance(b, cls):
                word = {"shape": "shapes", "body": "bodies", "material": "materials"}[kind]
                return self.create_rule(kind=word, use=use, **{f"{kind}_a": a, f"{kind}_b": b})  # type: ignore
        raise TypeError("a rule names two shapes, two bodies or two materials")

    def default_rule(self, use: Optional[ContactType]) -> Rule:
        """Rule for all pairs that no other rule decides."""
        return self.create_rule(kind="default", use=use)  # type: ignore[attr-defined, no-any-return]

    # ---- what is there

    def states(self, clock: Any = 0) -> np.recarray[Any, Any]:
        """Data of all bodies as records (fender_body_data), in the order of `bodies`; position and so on are arrays of
        shape (bodies, 3). A copy."""
        return self._states(clock)

    def contacts(self, clock: Any = 0) -> np.recarray[Any, Any]:
        """All contacts as records (fender_contact_data), in the order of their keys. A copy. Members a, b are the ids of
        shapes: fender.Shape(world, id)."""
        return self._contacts(clock)

    @property
    def events(self) -> np.recarray[Any, Any]:
        """Events since the start of the last call that advanced the world, as records (fender_event). A copy."""
        return self._events()

    @property
    def hash(self) -> str:
        """Hash of committed states, contact memory, accumulated quantities and all events so far, as hexadecimal digits."""
        return f"{_fender.world_hash(self):016x}"

    @property
    def ledger(self) -> Any:
        """Energy and momentum, committed (fender_ledger)."""
        return _fender.world_ledger(self)

    # ---- derivatives

    def advance_tangent(self, time: float, x: Any = None) -> "np.ndarray[Any, Any]":
        """Advances to a time [s] and returns how its state follows deviations of the present one: the derivative times x.

        A deviation has 12 numbers for each dynamic body: position, rotation vector, velocity, angular momentum, in W
        (include/fender/tangent.h, which says what has derivatives; fender.Error names what has none). x: array
        (12 bodies, columns); None: the identity. Methods: rk4, dopri5, dop853. The steps have the bits of advance_to."""
        rows = 12 * (self.get_state().size // 13)
        given = np.eye(rows) if x is None else np.ascontiguousarray(x, float)
        if given.ndim not in (1, 2) or given.shape[0] != rows:
            raise Error(1, "x does not fit the world", path="advance_tangent(x)", found=f"shape {given.shape}",
                        expected=f"({rows}, columns)")
        return np.asarray(self._advance_tangent(time, given.ravel())).reshape(given.shape)

    def linearize(self) -> "np.ndarray[Any, Any]":
        """The matrix of the linear equations about the present state: rates of deviations, as of advance_tangent. About a
        state of rest its eigenvalues are those of small oscillations: the imaginary parts are angular frequencies
        [rad/s]."""
        found = np.asarray(self._linearize())
        return found.reshape((int(round(found.size**0.5)),) * 2)

    # ---- channels and snapshots

    def channel(self, pattern: str) -> Any:
        """Committed value of a channel: a number for "bodies.veh1.velocity.x", an array for "bodies.veh1.velocity" and
        for patterns of several numbers. Names: channel_names(pattern)."""
        names, _, values = self._channels(pattern)
        return float(values[0]) if len(names) == 1 else values

    def channel_names(self, pattern: str) -> Dict[str, str]:
        """Names and units of the channels of a pattern, in the order of their values."""
        names, units, _ = self._channels(pattern)
        return dict(zip(names, units))

    def snapshot(self) -> Snapshot:
        """Snapshot of the committed state."""
        result = Snapshot.__new__(Snapshot)
        result._handle = _fender.snapshot_take(self)
        return result

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot; continues bit for bit as then."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"restore needs what snapshot() gave, not {type(snapshot).__name__}")
        _fender.snapshot_restore(self, snapshot._handle)

    def __repr__(self) -> str:
        if self.closed:
            return "<fender.World closed>"
        return f"<fender.World of {_fender.body_count(self)} bodies at {_fender.world_time(self):.6g} s>"


def _list_of(cls: type, plural: str, word: str) -> property:
    count, at = getattr(_fender, f"{word}_count"), getattr(_fender, f"{word}_at")

    def objects(self: World) -> List[Any]:
        return [cls(self, at(self, i)) for i in range(count(self))]
    return property(objects, doc=f"All {plural.replace('_', ' ')}, in order of creation.")


for _plural, _owner, _word in lists(functions):
    setattr(World, _plural, _list_of(classes[f"fender_{_word}_id"], _plural, _word))
attach_functions(World)
