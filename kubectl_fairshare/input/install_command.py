"""The command that brings a package that is not installed."""

import shlex
import shutil
import sys
from importlib.util import find_spec
from os.path import dirname


def install_command(*packages: str) -> str:
    """The command that installs packages for the Python which runs this program, as typed in a shell.

    A plain `pip` may be that of another Python: the program also runs by its path, and from an environment of pipx's.
    """
    words = shlex.join(packages)
    pip = shutil.which("pip")
    if pip is not None and dirname(pip) == dirname(sys.executable):
        return f"pip install {words}"
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install {words}" if find_spec("pip") else f"uv pip install --python {python} {words}"
