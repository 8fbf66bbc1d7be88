"""Imports of the kubernetes client what a login needs, and the rest where it is used.

The whole client brings API classes, pydantic, and OAuth with an HTTP library of its own: 20 MB and a third of the time
until the first request. Only OpenID providers use any of it.

Tested in ``tests/unit/input/cluster/test_client_parts.py``.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any, Final

_CLIENT: Final = "kubernetes"
_ITS_CLASSES: Final = "kubernetes.client"
_OF_PROVIDERS: Final = ("oauthlib", "oauthlib.oauth2", "requests_oauthlib")
_LOCK: Final = Lock()


def load_parts() -> None:
    """Imports the modules of logins and of connections alone.

    Does nothing where the client is there already, nor where a release of it is built otherwise: whatever imports
    one of its modules then imports the whole.
    """
    with _LOCK:
        before = {*sys.modules}
        if any(name in before for name in (_CLIENT, f"{_CLIENT}.config")):
            return
        try:
            with _standing_in():
                import kubernetes.client.rest
                import kubernetes.config.incluster_config
                import kubernetes.config.kube_config  # noqa: F401 -- is asked for by its name later
        except (ImportError, AttributeError, TypeError):
            for name in {*sys.modules} - before:
                if name.partition(".")[0] == _CLIENT:
                    del sys.modules[name]


@contextmanager
def _standing_in() -> Iterator[None]:
    """Makes modules of what is not needed yet, each of which imports the real one once something of it is used."""
    found: dict[str, ModuleType] = {}
    try:
        for name in (_CLIENT, _ITS_CLASSES):
            _put(found, name, _unread(name))
        from kubernetes.client.configuration import Configuration

        found[_ITS_CLASSES].Configuration = Configuration  # type: ignore[attr-defined]
        for name in _OF_PROVIDERS:
            _put(found, name, _StandIn(name))
        yield
    finally:
        for name, module in found.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _put(found: dict[str, ModuleType], name: str, module: ModuleType) -> None:
    """Stores a module under its name, where there is none, and in the package that it is in."""
    if sys.modules.setdefault(name, module) is module:
        found[name] = module
    package, _, last = name.rpartition(".")
    if package in found:
        setattr(found[package], last, module)


def _unread(name: str) -> ModuleType:
    """A package with its place, so that modules of it are found; it is not run itself."""
    spec = find_spec(name)
    if spec is None:
        raise ImportError(name)
    module = _StandIn(name)
    module.__spec__, module.__path__ = spec, list(spec.submodule_search_locations or ())
    return module


class _StandIn(ModuleType):
    """Has whatever is looked up in it: as something that is found when it is used."""

    def __getattr__(self, name: str) -> Any:
        return _Later(self.__name__, _not_special(name))


class _Later:
    """A thing in a module that is imported once the thing is called, or a part of it looked up."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def _found(self) -> Any:
        module = import_module(self._module)
        if isinstance(module, _StandIn):
            raise ImportError(f"`{self._module}` is needed at once")
        return getattr(module, self._name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._found()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found(), _not_special(name))


def _not_special(name: str) -> str:
    """The name, unless Python itself looks it up to learn what it deals with."""
    if name.startswith("__"):
        raise AttributeError(name)
    return name
