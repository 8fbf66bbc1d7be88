"""What a user wants of every answer: ``kubectl-fairshare/config.yaml`` in the folder for configuration.

Source: the XDG Base Directory Specification 0.8, which ignores a path that is not absolute.
"""

import os
from typing import Final

from kubectl_fairshare.model.values import Value

_MOST: Final = 1 << 16
FILE: Final = os.path.join("kubectl-fairshare", "config.yaml")


class UserSettings(Value, frozen=True):
    """The format, the colours and the pager that options and the environment leave open; None where nothing is set."""

    output: str | None = None
    color: str | None = None
    pager: str | None = None


def settings_path() -> str:
    """The path of the user's settings, whether or not there are any; empty if the home folder has no absolute path."""
    named = os.environ.get("XDG_CONFIG_HOME", "")
    folder = named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, FILE) if os.path.isabs(folder) else ""


def user_settings() -> UserSettings:
    """The user's settings. Raises ``UsageError`` with every mistake in them, and ``FairshareError`` if unreadable."""
    path = settings_path()
    if not os.path.lexists(path):
        return UserSettings()
    from kubectl_fairshare.input.files.paths import shown_path
    from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
    from kubectl_fairshare.input.own_file import OwnFile
    from kubectl_fairshare.model.errors import UsageError
    from kubectl_fairshare.model.json import mapping

    file = OwnFile(shown_path(path), of_file(path, Budget(_MOST)), "user-settings")
    if problems := file.problems("see docs/settings.md"):
        raise UsageError(*problems)
    return UserSettings(**mapping(file.data))
