import sys
from pathlib import Path

import pytest

from kubectl_fairshare.input.install_command import install_command


def test_a_package_is_installed_for_the_python_that_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = Path(sys.executable).parent
    monkeypatch.setattr("shutil.which", lambda _: str(here / "pip"))
    assert install_command("mcp>=2.3") == "pip install 'mcp>=2.3'"
    for elsewhere in (None, str(tmp_path / "pip")):
        monkeypatch.setattr("shutil.which", lambda _, found=elsewhere: found)
        assert install_command("joblib").startswith(f"{sys.executable} -m pip install")
    monkeypatch.setattr("kubectl_fairshare.input.install_command.find_spec", lambda _: None)
    assert install_command("joblib") == f"uv pip install --python {sys.executable} joblib"
