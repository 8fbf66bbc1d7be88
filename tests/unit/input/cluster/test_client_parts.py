"""The kubernetes client in parts: a login loads what it needs, and the rest is there when it is used."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.meta.repository import ROOT

HEAVY: Final = ("pydantic", "dateutil", "oauthlib", "requests_oauthlib", "websocket")
KUBECONFIG: Final = """
clusters: [{name: c, cluster: {server: 'https://cluster.invalid'}}]
users: [{name: u, user: {token: secret}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
"""
OTHERWISE: Final = {
    "__init__.py": "from . import client, config\nwhole = True",
    "client/__init__.py": "from .configuration import Configuration\nclass ApiClient: pass",
    "client/configuration.py": "class Configuration: pass",
    "client/rest.py": "",
    "config/__init__.py": "from .kube_config import Session",
    "config/incluster_config.py": "",
    "config/kube_config.py": "from requests_oauthlib import OAuth2Session\nclass Session(OAuth2Session): pass",
}
"""A client that needs a class of another package as soon as it is imported."""


def printed(script: str, *arguments: str) -> str:
    """What a script prints in a fresh interpreter, after ``load_parts`` was imported."""
    code = f"import sys\nfrom kubectl_fairshare.input.cluster.client_parts import load_parts\n{script}"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip()


def test_a_login_with_a_token_loads_neither_api_classes_nor_oauth(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text(KUBECONFIG)
    script = f"""
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.credentials import credentials
print(dict(credentials(Access(kubeconfig=sys.argv[1]), 1).headers())["authorization"])
print(sorted({{*{HEAVY}}} & {{*sys.modules}}))
"""
    assert printed(script, str(config)).splitlines() == ["Bearer secret", "[]"]


@pytest.mark.slow
def test_what_was_left_out_is_the_real_thing_when_it_is_used() -> None:
    script = """
load_parts()
from kubernetes.client.configuration import Configuration
from kubernetes.config import kube_config
session = kube_config.OAuth2Session(client_id="me")
client = kube_config.ApiClient(configuration=Configuration())
refused = kube_config.oauthlib.oauth2.rfc6749.errors.InvalidClientIdError
import oauthlib.oauth2, requests_oauthlib, kubernetes.client
assert type(session) is requests_oauthlib.OAuth2Session
assert type(client) is kubernetes.client.ApiClient
assert refused is oauthlib.oauth2.InvalidClientIdError
assert kubernetes.client.Configuration is Configuration
print(kubernetes.client.CoreV1Api.__name__, kubernetes.__version__ != "")
"""
    assert printed(script) == "CoreV1Api True"


@pytest.mark.slow
def test_a_client_that_is_there_already_is_left_alone() -> None:
    script = """
import kubernetes
before = dict(sys.modules)
load_parts()
print(sys.modules == before)
"""
    assert printed(script) == "True"


def test_another_kind_of_client_is_imported_whole(tmp_path: Path) -> None:
    for name, text in OTHERWISE.items():
        path = tmp_path / "kubernetes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    script = """
sys.path.insert(0, sys.argv[1])
load_parts()
from kubernetes.config.kube_config import Session
import kubernetes, requests_oauthlib
print(kubernetes.whole, issubclass(Session, requests_oauthlib.OAuth2Session))
"""
    assert printed(script, str(tmp_path)) == "True True"
