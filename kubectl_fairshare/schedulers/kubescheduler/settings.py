"""Which objects configure kube-scheduler. This module imports little: it is part of every start.

Decides nothing: it finds objects.
Tested in ``tests/unit/input/cluster/test_roles.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.input.kinds import SCHEDULER_CONFIGURATION
from kubectl_fairshare.input.known import texts_with
from kubectl_fairshare.input.units.unread_settings import Marks
from kubectl_fairshare.model.manifest import Manifest


def marks(*charts: str) -> Marks:
    """What an object has that holds a scheduler's configuration, or installs one of these charts."""
    return Marks((SCHEDULER_CONFIGURATION[0],), charts)


def scheduler_settings(manifest: Manifest) -> Mapping[str, str]:
    """The texts of a ConfigMap that hold a scheduler's configuration."""
    return texts_with(SCHEDULER_CONFIGURATION[0], manifest)


def has_settings(manifest: Manifest) -> bool:
    """Whether an object is a ConfigMap with a scheduler's configuration."""
    return manifest.key[:2] == ("", "ConfigMap") and bool(scheduler_settings(manifest))
