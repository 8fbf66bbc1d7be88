"""Objects that hold settings of a scheduler in a form that is not read."""

import base64
from typing import Any

import pytest

from kubectl_fairshare.input.units.unread_settings import Marks, absent_settings, without_settings
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest, by_kind

WORD = "config.example.com"
MARKS = Marks((WORD, "managerYaml"), ("queues",))
TEXT = f"apiVersion: {WORD}/v1\nkind: Settings\n"
ENCODED = base64.b64encode(TEXT.encode()).decode()


def manifest(api_version: str, kind: str, **content: Any) -> Manifest:
    group, _, version = api_version.rpartition("/")
    data = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x", "namespace": "n"}, **content}
    return Manifest(ObjectKey(group, kind, "n", "x"), version, data, Origin("f.yaml", 0))


@pytest.mark.parametrize(
    ("held", "found"),
    [
        (manifest("v1", "ConfigMap", data={"any.yaml": TEXT}), WORD),
        (manifest("v1", "ConfigMap", binaryData={"any.yaml": ENCODED}), WORD),
        (manifest("v1", "Secret", stringData={"any.yaml": TEXT}), WORD),
        (manifest("v1", "Secret", data={"any.yaml": ENCODED}), WORD),
        (manifest("a.io/v1", "Chart", spec={"valuesContent": f"managerYaml: |\n  {TEXT}"}), WORD),
        (manifest("a.io/v1", "Release", spec={"values": {"sub": {"managerYaml": "text"}}}), "managerYaml"),
        (manifest("a.io/v1", "Chart", spec={"chart": "queues"}), "queues"),
        (manifest("a.io/v1", "Chart", spec={"chartName": "repo/queues"}), "queues"),
        (manifest("a.io/v1", "Chart", spec={"helmCharts": [{"name": "queues"}]}), "queues"),
        (manifest("a.io/v1", "Source", spec={"url": "oci://host/charts/queues:1.2.3"}), "queues"),
    ],
)
def test_settings_are_found_by_what_an_object_says(held: Manifest, found: str) -> None:
    assert MARKS.found_in(held) == found
    kept = without_settings(held, found)
    assert MARKS.found_in(manifest(held.api_version, held.key.kind, spec=kept["spec"])) == found
    assert TEXT not in str(kept), "what stays of it has none of the settings"


@pytest.mark.parametrize(
    "held",
    [
        manifest("v1", "ConfigMap", data={"any.yaml": "chart: queues"}),
        manifest("v1", "Secret", data={"token": "c2VjcmV0", "odd": 7}),
        manifest("v1", "Pod", spec={"containers": [{"args": [TEXT]}]}),
        manifest("rbac.authorization.k8s.io/v1", "ClusterRole", rules=[{"apiGroups": [WORD]}]),
        manifest("apiextensions.k8s.io/v1", "CustomResourceDefinition", spec={"group": WORD}),
        manifest("a.io/v1", "Chart", spec={"chart": "queues-dashboards"}),
        manifest("a.io/v1", "Team", spec={"name": "queues", "owner": "queues"}),
        manifest("a.io/v1", "Chart", status={"chart": "queues"}),
    ],
)
def test_others_hold_none(held: Manifest) -> None:
    assert not MARKS.found_in(held)


@pytest.mark.parametrize(
    ("words", "mounted", "absent"),
    [
        (["--config=/etc/x/a.yaml"], "/etc/x", True),
        (["--config", "/etc/x/a.yaml"], "/etc/x/a.yaml", True),
        (["--config=/etc/xy/a.yaml"], "/etc/x", False),
        (["--kubeconfig=/etc/x/a.yaml"], "/etc/x", False),
        (["--config"], "/etc/x", False),
        ([], "/etc/x", False),
    ],
)
@pytest.mark.parametrize("there", [False, True])
def test_the_file_of_a_program_lies_in_a_config_map(words: list[str], mounted: str, absent: bool, there: bool) -> None:
    spec = {
        "containers": [{"args": words, "volumeMounts": [{"name": "v", "mountPath": mounted}]}],
        "volumes": [{"name": "other", "emptyDir": {}}, {"name": "v", "configMap": {"name": "x"}}],
    }
    program = manifest("apps/v1", "Deployment", spec={"template": {"spec": spec}})
    held = [manifest("v1", "ConfigMap")] if there else []
    places = [field_text(place.path) for place in absent_settings([program], by_kind([program, *held]))]
    assert places == (["spec.template.spec.volumes[1].configMap.name"] if absent and not there else [])
