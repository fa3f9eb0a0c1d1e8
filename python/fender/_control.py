"""Controllers in Python: functions that read channels at a fixed rate and set commands."""
from __future__ import annotations

import inspect
import re
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from ._errors import Error


class Controller:
    """A controller that fender.controller made. Called by a run with its setup, it gives the function of that run."""

    def __init__(self, function: Any, name: str, section: Dict[str, Any]) -> None:
        self.function, self.name, self.section = function, name, section
        self.address: Optional[int] = None  # of a function in C, in place of a call of this object
        self.__doc__ = function.__doc__

    def __call__(self, setup: Dict[str, Any]) -> Callable[[float, Tuple[float, ...], Tuple[float, ...]], Any]:
        law = self.function(setup) if inspect.isclass(self.function) else self.function
        outputs = list(setup["outputs"])

        def update(time: float, values: Tuple[float, ...], previous: Tuple[float, ...]) -> Any:
            answer = law(time, *values)
            if isinstance(answer, Mapping):
                unknown = [name for name in answer if name not in outputs]
                if unknown:
                    raise Error(4, f"the controller has no output '{unknown[0]}'", path=self.name, found=str(unknown[0]),
                                expected=", ".join(outputs))
                return [answer.get(name, previous[i]) for i, name in enumerate(outputs)]
            return answer
        return update

    def __repr__(self) -> str:
        return f"<fender.Controller {self.name}>"


def controller(rate: Union[str, float], *, inputs: Mapping[str, Any], outputs: Mapping[str, str],
               parameters: Optional[Mapping[str, Any]] = None, name: Optional[str] = None,
               **keys: Any) -> Callable[[Any], Controller]:
    """Decorator: makes a controller of a function, for fender.run(..., controllers=[it]).

        @fender.controller("50 Hz", inputs={"height": "bodies.lander.position.z"}, outputs={"throttle": "loads.engine.throttle"})
        def descend(time, height):
            return 0.8 if height < 10 else 0.2

    rate: "50 Hz", or a number [Hz]. inputs, outputs, parameters and further keys (phase, seed) are those of the section
    `controllers` of a scenario (docs/models/controllers.md): channels, with delay, bias, noise; commands. The function gets
    the time [s] and its inputs in their order, in SI units, and returns one number, a sequence or a dict of the outputs, or
    None to keep them. It must depend on them alone, so that a run repeats. Of a class, one instance is made for each run,
    with the setup (a dict: inputs, outputs, units, parameters, period); it is called like the function."""
    def made(function: Any) -> Controller:
        own = name or re.sub(r"\W", "", getattr(function, "__name__", type(function).__name__))  # "<lambda>"
        section: Dict[str, Any] = {"host": own, "rate": rate if isinstance(rate, str) else f"{float(rate)!r} Hz",
                                   "inputs": dict(inputs), "outputs": dict(outputs), **keys}
        if parameters:
            section["parameters"] = dict(parameters)
        return Controller(function, own, section)
    return made


def native_controller(update: Any, rate: Union[str, float], *, name: str, inputs: Mapping[str, Any],
                      outputs: Mapping[str, str], **keys: Any) -> Controller:
    """A controller in machine code, at full speed: `update` is the address of a C function

        int update(void *state, double time, const double *inputs, double *outputs, char *message)

    as fender/controller.h describes it (state is NULL): an integer, or an object of numba (`address` of a cfunc) or ctypes.
    It returns 0. cffi gives an address by int(ffi.cast("uintptr_t", function)). The other parameters are those of
    fender.controller."""
    address = update if isinstance(update, int) else getattr(update, "address", None)
    if address is None:
        import ctypes
        address = ctypes.cast(update, ctypes.c_void_p).value or 0
    made = controller(rate, inputs=inputs, outputs=outputs, name=name, **keys)(update)
    made.address = int(address)
    return made


def hosted(controllers: Union[None, Mapping[str, Any], Sequence[Controller]]) -> Dict[str, Any]:
    """By the names that scenarios use."""
    if controllers is None:
        return {}
    named = dict(controllers) if isinstance(controllers, Mapping) else {c.name: c for c in controllers}
    if len(named) < len(controllers):
        names = [c.name for c in controllers]  # type: ignore[union-attr]
        twice = next(n for n in names if names.count(n) > 1)
        raise Error(4, f"two controllers are named '{twice}'", path="controllers", found=twice, expected="a name for each",
                    remedy="give one another: fender.controller(..., name='other')")
    def called(name: str, c: Any) -> Any:
        if not callable(c) and not isinstance(c, int):
            raise Error(4, "this is no controller", path=f"controllers.{name}", found=repr(c)[:90],
                        expected="a function of the time and the inputs, or what fender.controller made")
        return c if isinstance(c, (Controller, int)) else Controller(c, name, {})

    return {name: getattr(c, "address", None) or called(name, c) for name, c in named.items()}
