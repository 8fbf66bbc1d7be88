"""``dataclass``, with the methods of a class compiled when its first value is made.

The standard decorator compiles half a dozen functions for each class as its module is imported, though most
commands make values of few of the classes that they import: that took a quarter of the time of a small answer.
A class made here is the same but for that, with ``slots`` from the start. Equality, hash and text are closures over the
names of the fields, and so are the guards of a frozen class: those need no compilation. ``initializers`` compiles one
``__init__`` for all classes with as many fields. Anything else, such as inheritance, is left to the standard library.
"""

from typing import TYPE_CHECKING

__all__ = ("dataclass",)

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from inspect import get_annotations
    from operator import attrgetter
    from reprlib import recursive_repr
    from threading import RLock

    from kubectl_fairshare.model.initializers import initializer

    _MADE = (
        *("__dataclass_params__", "__match_args__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"),
        *("__lt__", "__le__", "__gt__", "__ge__", "__dataclass_fields__", "__init__"),  # values are made from here on
    )
    _OWN = ("__dict__", "__weakref__", "__init__", "__dataclass_fields__")
    _LOCK = RLock()  # answers of a cluster are read in several threads

    def dataclass(*, slots=False, **options):
        """Makes a dataclass of a class; options are those of ``dataclasses.dataclass``."""

        def made(cls):
            plain, found = (cls, _slotted(cls)) if slots else (None, cls)
            found.__init__ = _first_init(found)
            found.__dataclass_fields__ = _Fields(found, plain, options)
            return found

        return made

    class _Fields:
        """Replaces the fields of a class until they are used or a value is created."""

        def __init__(self, cls, plain, options):
            self.cls, self.plain, self.options = cls, plain, options

        def __get__(self, value, owner=None):
            _complete(self)
            return self.cls.__dataclass_fields__

    def _first_init(cls):
        def __init__(self, *values, **named):  # noqa: N807 -- it is one
            cls.__dataclass_fields__  # noqa: B018 -- from here on, the class has an `__init__` of its own
            cls.__init__(self, *values, **named)

        return __init__

    def _complete(fields):
        """Gives the class what the standard decorator makes of its plain twin, without slots."""
        with _LOCK:
            cls = fields.cls
            if cls.__dict__["__dataclass_fields__"] is not fields:
                return
            plain = fields.plain or _twin(cls, {n: v for n, v in cls.__dict__.items() if n not in _OWN})
            made = _made(cls, plain, **fields.options)
            for name in _MADE:
                if name in made:
                    setattr(cls, name, made[name])

    def _made(cls, plain, *, eq=True, order=False, **options):
        """What the class gets, by name. Classes with an order are left to the standard decorator as a whole."""
        if order:
            return dataclasses.dataclass(order=True, **options)(plain).__dict__
        own = set(plain.__dict__)
        made, methods = _initialized(cls, plain, options)
        methods["__repr__"] = _repr_of(made)
        if eq:
            key = _key_of(made)
            methods |= {"__eq__": _eq_of(key), "__hash__": _hash_of(key) if options.get("frozen") else None}
        return {**made.__dict__, **{name: method for name, method in methods.items() if name not in own}}

    def _initialized(cls, plain, options):
        """The class with its fields, and the methods that set and guard them without a compilation for each class."""
        frozen = options.get("frozen", False)
        if options.keys() - {"frozen"} or any(map(dataclasses.is_dataclass, plain.__mro__[1:])):
            return dataclasses.dataclass(eq=False, repr=False, **options)(plain), {}
        made = dataclasses.dataclass(init=False, eq=False, repr=False)(plain)
        made.__dataclass_params__.init, made.__dataclass_params__.frozen = True, frozen
        guards = _guards_of(cls, frozenset(field.name for field in dataclasses.fields(made))) if frozen else {}
        return made, {"__init__": initializer(made, frozen=frozen), **guards}

    def _guards_of(cls, names):
        def __setattr__(self, name, value):  # noqa: N807 -- it is one
            if type(self) is cls or name in names:
                raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
            super(cls, self).__setattr__(name, value)

        def __delattr__(self, name):  # noqa: N807
            if type(self) is cls or name in names:
                raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
            super(cls, self).__delattr__(name)

        return {"__setattr__": __setattr__, "__delattr__": __delattr__}

    def _key_of(cls):
        names = [field.name for field in dataclasses.fields(cls) if field.compare]
        if len(names) > 1:
            return attrgetter(*names)
        return lambda value: tuple(getattr(value, name) for name in names)

    def _eq_of(key):
        def __eq__(self, other):  # noqa: N807
            return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

        return __eq__

    def _hash_of(key):
        def __hash__(self):  # noqa: N807
            return hash(key(self))

        return __hash__

    def _repr_of(cls):
        names = [field.name for field in dataclasses.fields(cls) if field.repr]

        @recursive_repr()
        def __repr__(self):  # noqa: N807
            return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

        return __repr__

    def _slotted(cls):
        inherited = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
        names = get_annotations(cls)
        body = {n: v for n, v in cls.__dict__.items() if n not in names and n not in ("__dict__", "__weakref__")}
        return _twin(cls, {**body, "__slots__": tuple(name for name in names if name not in inherited)})

    def _twin(cls, body):
        found = type(cls)(cls.__name__, cls.__bases__, body)
        found.__qualname__ = cls.__qualname__
        return found
