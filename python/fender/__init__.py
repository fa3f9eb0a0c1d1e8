"""Fender: contact dynamics of rigid bodies.

    import fender
    run = fender.run("two_spheres.yaml", set={"integrator.step": "1 ms"})
    run.hash, run.channels["bodies.veh1.velocity"], run.episodes, run.ledger, run.report()

Units are SI; a text with a unit ("20 lbf/in") may stand wherever the unit of a number is known. Frames, signs and clocks
are those of docs/CONVENTIONS.md. What the library refuses raises fender.Error, with place, found, expected and remedy.
"""
from __future__ import annotations

from . import _fender
from ._errors import Diagnostic, Error, Warning
from ._types import _record, dtype, enums as _enums, units

_fender.register_hooks(Error, _record)

from ._control import Controller, controller, native_controller  # noqa: E402
from ._run import Channel, Channels, Run, open_run, read, run  # noqa: E402
from ._scenario import Scenario, to_yaml  # noqa: E402
from ._objects import Body, ContactType, Geometry, Link, Load, Material, Object, Point, Rule, Sensor, Shape  # noqa: E402
from ._world import Snapshot, World  # noqa: E402
from . import geometry  # noqa: E402
from ._laws import LAW_INPUT, LAW_OUTPUT, Law, law, law_force, native_law  # noqa: E402
from ._many import Study, jacobian, rollout, study  # noqa: E402

__version__: str = _fender.version()

# Enumerations of the headers: fender.Motion.DYNAMIC, fender.EventKind.BEGIN and so on.
for _enum in _enums.values():
    globals()[_enum.__name__] = _enum
del _enum

__all__ = ["Body", "Channel", "Channels", "ContactType", "Controller", "Diagnostic", "Error", "Geometry", "LAW_INPUT", "LAW_OUTPUT", "Law", "Link", "Load",
           "Material",
           "Object", "Point", "Rule", "Run", "Scenario", "Sensor", "Shape", "Snapshot", "Study", "Warning", "World", "controller",
           "dtype", "geometry", "jacobian", "law", "law_force", "native_controller", "native_law", "open_run", "read", "rollout", "run", "study", "to_yaml", "units"] + sorted(_enum.__name__ for _enum in _enums.values())
