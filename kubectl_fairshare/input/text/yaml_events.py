"""The events that libyaml reads from a text. No other module calls the YAML parser.

Tested in ``tests/unit/input/text/test_yaml_places.py``.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from kubectl_fairshare.model.errors import FairshareError, Problem


class RefusedError(ValueError):
    """Raised for YAML that we don't take: what is wrong, at which position (in characters), and what to do."""

    def __init__(self, message: str, position: int, remedy: str) -> None:
        super().__init__(message)
        self.message, self.position, self.remedy = message, position, remedy


def event_classes() -> ModuleType:
    """The module with the classes of events. Raises ``FairshareError`` where PyYAML was built without libyaml."""
    try:
        from kubectl_fairshare.input.text import event_values
    except ImportError:
        from kubectl_fairshare.input.install_command import install_command

        remedy = f"install it again: `{install_command('--force-reinstall', '--only-binary', ':all:', 'PyYAML')}`"
        raise FairshareError(Problem("PyYAML lacks its libyaml part", help=remedy)) from None
    if event_values.ALIKE:
        return event_values
    import yaml.events

    theirs: ModuleType = yaml.events
    return theirs


@contextmanager
def events(text: bytes | str) -> Iterator[Callable[[], Any]]:
    """A function that gives one event after another, and None past the last; to be called inside.

    It raises ``yaml.YAMLError`` where the text is not YAML. PyYAML's binding of libyaml rather than
    ruamel.yaml's: it makes the same events a third faster (measured on 2,200 documents).
    """
    event_classes()
    from kubectl_fairshare.input.text.event_values import parser

    with parser(text) as made:
        yield made.get_event
