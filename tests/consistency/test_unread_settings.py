"""Settings in a form that is not read make no answer exact: in every house, from files and from snapshots of them."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import shown

STATES = {
    "kueue": "testdata/reports/kueue-backlog/state.yaml",
    "kai": "testdata/reports/kai-cordoned-headline/state.yaml",
    "elasticquota": "testdata/reports/eq-backlog/state.yaml",
    "koordinator": "testdata/koordinator/tree.yaml",
}
CHARTS = {
    "kueue": "kueue",
    "kai": "kai-scheduler",
    "elasticquota": "scheduler-plugins",
    "koordinator": "koordinator",
}
TEXTS = {
    "kueue": "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfairSharing: {}\n",
    "kai": "apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\n",
    "elasticquota": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nodd: [\n",
    "koordinator": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nodd: [\n",
}
IMAGES = {
    "kueue": "registry.k8s.io/kueue/kueue:v0.19.2",
    "elasticquota": "registry.k8s.io/scheduler-plugins/kube-scheduler:v0.34.7",
    "koordinator": "ghcr.io/koordinator-sh/koord-scheduler:v1.8.0",
}
"""Of programs with a file of settings; KAI's are objects."""
FORMS = ("chart", "proxy", "umbrella", "map", "secret")


def _object(house: str, form: str) -> dict[str, Any]:
    text, chart = TEXTS[house], CHARTS[house]
    forms: dict[str, tuple[str, str, dict[str, Any]]] = {
        "chart": ("helm.cattle.io/v1", "HelmChart", {"spec": {"chart": f"oci://example.com/charts/{chart}"}}),
        "proxy": ("addons.cluster.x-k8s.io/v1alpha1", "HelmChartProxy", {"spec": {"chartName": chart}}),
        "umbrella": (
            "helm.toolkit.fluxcd.io/v2",
            "HelmRelease",
            {"spec": {"chart": {"spec": {"chart": "batch-platform"}}, "values": {"queues": {"settings": text}}}},
        ),
        "map": ("v1", "ConfigMap", {"data": {"any.yaml": text}}),
        "secret": ("v1", "Secret", {"stringData": {"any.yaml": text}}),
    }
    api_version, kind, content = forms[form]
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x", "namespace": "installed"}, **content}


def _grade(call: str) -> str:
    screen = shown(call)
    assert screen.code in (0, 5), screen
    found = re.search(r"⇒.*?· (not exact|exact|by the rules of)", screen.stdout, re.DOTALL)
    assert found is not None, screen
    return found[1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("house", STATES)
def test_settings_that_are_not_read_make_no_answer_exact(house: str, form: str, tmp_path: Path) -> None:
    _check_not_exact(house, _object(house, form), tmp_path)


@pytest.mark.parametrize("house", IMAGES)
def test_a_file_of_settings_that_the_input_lacks_makes_no_answer_exact(house: str, tmp_path: Path) -> None:
    volume = {"name": "held", "configMap": {"name": "elsewhere"}}
    mount = {"name": "held", "mountPath": "/etc/held"}
    program = {"name": "it", "image": IMAGES[house], "args": ["--config=/etc/held/any.yaml"], "volumeMounts": [mount]}
    spec = {"template": {"spec": {"containers": [program], "volumes": [volume]}}}
    held = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x", "namespace": "installed"}}
    _check_not_exact(house, {**held, "spec": spec}, tmp_path)


def _check_not_exact(house: str, said: dict[str, Any], tmp_path: Path) -> None:
    (held := tmp_path / "held.yaml").write_text(yaml.safe_dump(said))
    call = f"kubectl-fairshare shares -f {STATES[house]} -f {held}"
    assert _grade(call) == "not exact"
    assert "not used by this answer" not in shown(call).stderr
    for redaction in ("none", "names", "all"):
        saved = tmp_path / f"{redaction}.json.gz"
        made = shown(f"kubectl-fairshare snapshot -f {STATES[house]} -f {held} --redact {redaction} -o {saved}")
        assert made.code == 0, made
        assert _grade(f"kubectl-fairshare shares -f {saved}") == "not exact", redaction


@pytest.mark.parametrize("house", STATES)
def test_the_states_alone_are_exact(house: str) -> None:
    assert _grade(f"kubectl-fairshare shares -f {STATES[house]}") == "exact"


@pytest.mark.parametrize("house", STATES)
def test_a_chart_of_another_program_holds_none(house: str, tmp_path: Path) -> None:
    other = {
        "apiVersion": "helm.cattle.io/v1",
        "kind": "HelmChart",
        "metadata": {"name": "x", "namespace": "installed"},
    }
    (held := tmp_path / "held.yaml").write_text(yaml.safe_dump({**other, "spec": {"chart": "grafana"}}))
    assert _grade(f"kubectl-fairshare shares -f {STATES[house]} -f {held}") == "exact"
