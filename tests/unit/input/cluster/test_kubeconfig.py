"""Who is asked, and as whom, is what kubectl would make of the same files and options."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.input.cluster.access import Access, seconds
from kubectl_fairshare.input.cluster.credentials import credentials
from kubectl_fairshare.input.cluster.kubeconfig import chosen_cluster, namespace_of_context
from kubectl_fairshare.model.errors import FairshareError, UsageError

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def writing(name: str = "config", **content: Any) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(content), encoding="utf-8")
        return str(path)

    return writing


def entries(cluster: str = "c", user: str = "u", **more: Any) -> dict[str, Any]:
    return {
        "clusters": [{"name": cluster, "cluster": {"server": f"https://{cluster}.example"}}],
        "users": [{"name": user, "user": {"token": f"token of {user}"}}],
        "contexts": [{"name": f"{cluster}-{user}", "context": {"cluster": cluster, "user": user, **more}}],
    }


def asked(access: Access) -> tuple[str, str, str]:
    found = chosen_cluster(access)
    assert found is not None
    return found.cluster["server"], str(found.user.get("token")), found.namespace


def test_the_current_context_is_taken(write: Write) -> None:
    path = write(**entries(namespace="team"), **{"current-context": "c-u"})
    assert asked(Access(kubeconfig=path)) == ("https://c.example", "token of u", "team")


def test_of_several_files_the_first_that_sets_a_value_wins(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write("first", **entries("a"), **{"current-context": "a-u"})
    second = write("second", **entries("b"), **{"current-context": "b-u"})
    missing = f"{first}.missing"
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join([missing, first, second]))
    assert asked(Access())[0] == "https://a.example"
    assert asked(Access(context="b-u"))[0] == "https://b.example"


@pytest.mark.parametrize(
    ("access", "what"),
    [
        (Access(context="d-v"), ("https://d.example", "token of v", "default")),
        (Access(cluster="d"), ("https://d.example", "token of u", "default")),
        (Access(user="v"), ("https://c.example", "token of v", "default")),
        (Access(server="https://other:1"), ("https://other:1", "token of u", "default")),
        (Access(server="other:1"), ("https://other:1", "token of u", "default")),
        (Access(token="mine"), ("https://c.example", "mine", "default")),
    ],
)
def test_options_go_before_the_context(
    write: Write, monkeypatch: pytest.MonkeyPatch, access: Access, what: tuple[str, str, str]
) -> None:
    both = {key: [*entries()[key], *entries("d", "v")[key]] for key in ("clusters", "users", "contexts")}
    monkeypatch.setenv("KUBECONFIG", write(**both, **{"current-context": "c-u"}))
    assert asked(access) == what


@pytest.mark.parametrize(
    ("access", "told"),
    [
        (Access(context="x"), "there is no context `x`"),
        (Access(cluster="x"), "there is no cluster `x`"),
        (Access(user="x"), "there is no user `x`"),
    ],
)
def test_an_unknown_name_is_told_with_the_known_ones(
    write: Write, monkeypatch: pytest.MonkeyPatch, access: Access, told: str
) -> None:
    monkeypatch.setenv("KUBECONFIG", write(**entries(), **{"current-context": "c-u"}))
    with pytest.raises(UsageError, match=told) as raised:
        chosen_cluster(access)
    assert "may be: `" in str(raised.value.problems[0].help)


@pytest.mark.parametrize("kind", ["cluster", "user"])
def test_a_context_that_names_what_is_not_there_is_told(write: Write, kind: str) -> None:
    content = entries()
    content["contexts"][0]["context"][kind] = "gone"
    kubeconfig = write(**content, **{"current-context": "c-u"})
    with pytest.raises(UsageError, match=f"there is no {kind} `gone`, set in context `c-u`"):
        chosen_cluster(Access(kubeconfig=kubeconfig))


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a service account, in a pod whose cluster is at 10.0.0.1."""
    for name, text in {"token": "of the pod", "namespace": "team\n", "ca.crt": "signed by nobody"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr("kubectl_fairshare.input.cluster.kubeconfig.IN_CLUSTER", str(tmp_path))
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    return tmp_path


@pytest.mark.usefixtures("inside")
def test_a_pod_is_its_service_account() -> None:
    assert namespace_of_context(Access()) == "team"
    found = credentials(Access(), 1)
    assert (found.server, dict(found.headers())["authorization"]) == ("https://10.0.0.1:443", "bearer of the pod")


@pytest.mark.parametrize("name", ["ca.crt", "token"])
def test_a_service_account_that_is_not_whole_is_told(inside: Path, name: str) -> None:
    (inside / name).write_text("")
    with pytest.raises(FairshareError, match="cannot get credentials for the cluster"):
        credentials(Access(), 1)


@pytest.mark.usefixtures("inside")
def test_a_pod_with_a_kubeconfig_asks_what_that_names(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", write(**entries(), **{"current-context": "c-u"}))
    assert asked(Access())[0] == "https://c.example"


@pytest.mark.parametrize(
    ("text", "told"),
    [("a: [", "not YAML"), ("- a", "not a kubeconfig"), ("clusters: [x]", "`clusters` in the kubeconfig is not")],
)
def test_a_damaged_file_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "config"
    path.write_text(text)
    with pytest.raises(FairshareError, match=told):
        chosen_cluster(Access(kubeconfig=str(path)))


def test_without_a_kubeconfig_there_is_nothing_to_read() -> None:
    with pytest.raises(UsageError, match="no kubeconfig"):
        chosen_cluster(Access())


def test_without_a_context_there_is_nothing_to_read(write: Write) -> None:
    with pytest.raises(UsageError, match="no current context"):
        chosen_cluster(Access(kubeconfig=write(**entries())))


def test_paths_count_from_the_folder_of_their_file(write: Write, tmp_path: Path) -> None:
    content = entries()
    content["users"][0]["user"] = {"client-certificate": "me.crt", "exec": {"command": "./login"}}
    content["clusters"][0]["cluster"]["certificate-authority"] = "../ca.crt"
    found = chosen_cluster(Access(kubeconfig=write("folder/config", **content, **{"current-context": "c-u"})))
    assert found is not None
    assert found.user["client-certificate"] == str(tmp_path / "folder" / "me.crt")
    assert found.user["exec"]["command"] == str(tmp_path / "folder" / "login")
    assert found.cluster["certificate-authority"] == str(tmp_path / "ca.crt")


def test_the_namespace_given_goes_before_that_of_the_context(write: Write) -> None:
    path = write(**entries(namespace="team"), **{"current-context": "c-u"})
    assert namespace_of_context(Access(kubeconfig=path)) == "team"
    assert namespace_of_context(Access(kubeconfig=path, namespace="mine")) == "mine"
    assert namespace_of_context(Access(kubeconfig=f"{path}.missing")) == "default"


def plugin(write: Write, tmp_path: Path, script: str) -> str:
    command = tmp_path / "login"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    content = entries()
    content["users"][0]["user"] = {
        "exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./login", "interactiveMode": "Never"}
    }
    return write(**content, **{"current-context": "c-u"})


def test_a_credential_plugin_is_asked(write: Write, tmp_path: Path) -> None:
    status = {"token": "of the plugin"}
    answer = {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status}
    path = plugin(write, tmp_path, f"echo '{json.dumps(answer)}'")
    headers = dict(credentials(Access(kubeconfig=path), 1).headers())
    assert headers["authorization"] == "Bearer of the plugin"


def test_a_credential_plugin_that_fails_is_told(
    write: Write, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = plugin(write, tmp_path, "echo 'log in first' >&2; exit 3")
    with pytest.raises(FairshareError, match=r"cannot get credentials.*log in first"):
        credentials(Access(kubeconfig=path), 1)
    assert capfd.readouterr() == ("", "")


def test_a_user_may_be_another_by_kubeconfig_or_by_option(write: Write) -> None:
    content = entries()
    user = {"token": "t", "as": "ann", "as-groups": ["ops"], "as-uid": "7", "as-user-extra": {"a/b": ["c"]}}
    content["users"][0]["user"] = user
    path = write(**content, **{"current-context": "c-u"})
    assert credentials(Access(kubeconfig=path), 1).impersonation == (
        ("Impersonate-User", "ann"),
        ("Impersonate-Uid", "7"),
        ("Impersonate-Group", "ops"),
        ("Impersonate-Extra-a%2Fb", "c"),
    )
    given = credentials(Access(kubeconfig=path, as_user="bob", as_groups=("x", "y")), 1)
    assert given.impersonation == (
        ("Impersonate-User", "bob"),
        ("Impersonate-Group", "x"),
        ("Impersonate-Group", "y"),
    )


def test_an_openid_provider_is_asked_over_a_connection_that_is_checked(write: Write) -> None:
    content = entries()
    content["users"][0]["user"] = {"auth-provider": {"name": "oidc", "config": {"idp-issuer-url": "https://idp"}}}
    found = chosen_cluster(Access(kubeconfig=write(**content, **{"current-context": "c-u"})))
    assert found is not None
    config = found.user["auth-provider"]["config"]
    assert config["idp-certificate-authority"].endswith(".pem")


def test_a_token_is_never_shown() -> None:
    assert "hunter2" not in repr(Access(token="hunter2"))


LENGTHS = {"0": 0, "30": 30, "5s": 5, "1m30s": 90, "500ms": 0.5, "1h": 3600}


@pytest.mark.parametrize(("text", "length"), LENGTHS.items())
def test_a_length_of_time_is_written_as_kubectl_takes_it(text: str, length: float) -> None:
    assert seconds(text) == length


@pytest.mark.parametrize("text", ["", "s", "5 s", "-1s", "5x", "1d"])
def test_anything_else_is_no_length_of_time(text: str) -> None:
    with pytest.raises(UsageError, match="not a duration"):
        seconds(text)
