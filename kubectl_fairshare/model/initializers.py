"""``__init__`` of dataclasses: one is compiled for each number of fields, not for each class.

To compile a function takes twenty times as long as to give a compiled one other names.
"""

import dataclasses
from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType
from typing import Any, Final

_AFTER: Final = "__post_init__"
_NEW: Final = object()
"""The default of a parameter whose value a factory makes."""


def initializer(cls: type, *, frozen: bool) -> Callable[..., None]:
    """The ``__init__`` that the standard library would compile for a dataclass, whose fields are there already.

    Each field is a parameter by position. Raises ``TypeError`` for any other field, and for one without a default
    after one that has a default, as the standard library does.
    """
    fields = dataclasses.fields(cls)
    if not all(field.init and not field.kw_only for field in fields):
        raise TypeError(f"every field of {cls.__name__} must be a parameter by position")
    made = tuple(n for n, field in enumerate(fields) if field.default_factory is not dataclasses.MISSING)
    defaults = [_NEW if n in made else field.default for n, field in enumerate(fields)]
    first = next((n for n, default in enumerate(defaults) if default is not dataclasses.MISSING), len(fields))
    if dataclasses.MISSING in defaults[first:]:
        raise TypeError(f"a field of {cls.__name__} without a default follows one with a default")
    code = _renamed(_code(len(fields), frozen, hasattr(cls, _AFTER), made), tuple(field.name for field in fields))
    known = {"_set": object.__setattr__, "_new": _NEW, **{f"_make_{n}": fields[n].default_factory for n in made}}
    found = FunctionType(code, known, "__init__", tuple(defaults[first:]))
    found.__qualname__ = f"{cls.__qualname__}.__init__"
    return found


@cache
def _code(count: int, frozen: bool, after: bool, made: tuple[int, ...]) -> CodeType:
    """The code that sets so many fields, with names of its own; ``made`` are those that may come of a factory."""
    names = [_own(number) for number in range(count)]
    values = [f"_make_{n}() if {name} is _new else {name}" if n in made else name for n, name in enumerate(names)]
    setting = "_set(self, {0!r}, {1})" if frozen else "self.{0} = {1}"
    body = [setting.format(name, value) for name, value in zip(names, values, strict=True)]
    body.append(f"self.{_AFTER}()" if after else "pass")
    known: dict[str, Any] = {}
    lines = "\n ".join(body)
    exec(f"def __init__({', '.join(['self', *names])}):\n {lines}", known)
    code: CodeType = known["__init__"].__code__
    return code


def _own(number: int) -> str:
    """The name of a parameter before it gets that of a field."""
    return f"_{number}"


def _renamed(code: CodeType, names: tuple[str, ...]) -> CodeType:
    """The code with names of fields in place of its own."""
    new = {_own(number): name for number, name in enumerate(names)}

    def replaced(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(new.get(value, value) if value.__class__ is str else value for value in values)

    return code.replace(
        co_varnames=replaced(code.co_varnames), co_names=replaced(code.co_names), co_consts=replaced(code.co_consts)
    )
