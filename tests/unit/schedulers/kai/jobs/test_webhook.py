"""New pods that KAI's webhook rejects, and the RuntimeClass that it gives them."""

from pathlib import Path

import pytest

from tests.unit.schedulers.kai.inputs import NODES, Asked, Run, config, doubts, job, pod, queues, subjects

STATE = queues(4) + NODES
SHARING = config("{admission: {gpuSharing: true}}")
GUARDED = config("{admission: {gpuSharing: true, blockNvidiaVisibleDevices: true}}")
HALF = 'gpu-fraction: "0.5"'
RUNTIME = """
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: nvidia}
handler: nvidia
"""


@pytest.fixture
def ask(run: Run, tmp_path: Path) -> Asked:
    return Asked(run, tmp_path)


def visible(value: str) -> str:
    return f", env: [{{name: NVIDIA_VISIBLE_DEVICES, {value}}}]"


@pytest.mark.parametrize(
    ("annotations", "gpus", "reason"),
    [
        (HALF, 1, "gpu-fraction and a limit of nvidia.com/gpu exclude each other"),
        ('gpu-fraction: "1"', 0, "gpu-fraction must be a number between 0 and 1, not `1`"),
        ('gpu-fraction: "1.5"', 0, "gpu-fraction must be a number between 0 and 1, not `1.5`"),
        ('gpu-fraction: "half"', 0, "gpu-fraction must be a number between 0 and 1, not `half`"),
        (f'{HALF}, gpu-memory: "1000"', 0, "gpu-memory and gpu-fraction exclude each other"),
        ('gpu-memory: "1000"', 1, "gpu-memory and a limit of nvidia.com/gpu exclude each other"),
        ('gpu-fraction-num-devices: "2"', 1, "gpu-fraction-num-devices needs gpu-fraction or gpu-memory"),
        (
            f'{HALF}, gpu-fraction-num-devices: "0"',
            0,
            "gpu-fraction-num-devices must be a whole number above 0, not `0`",
        ),
        ('gpu-memory: "0"', 0, "gpu-memory must be a whole number above 0, not `0`"),
        ('gpu-memory: "-5"', 0, "gpu-memory must be a whole number above 0, not `-5`"),
        ('gpu-memory: "1Gi"', 0, "gpu-memory must be a whole number above 0, not `1Gi`"),
        ('mps: "true"', 1, "mps needs gpu-fraction or gpu-memory"),
        (f"{HALF}, gpu-fraction-container-name: d", 0, "gpu-fraction-container-name names no container: `d`"),
    ],
)
def test_the_webhook_rejects_what_does_not_go_together(ask: Asked, annotations: str, gpus: int, reason: str) -> None:
    found = ask("plan", STATE, pod(annotations, gpus=gpus))
    assert (found["outcome"], doubts(found)) == ("Unknown", ("InvalidObject",))
    assert subjects(found) == (f"Pod ml/new: KAI's webhook rejects it: {reason}",)


@pytest.mark.parametrize(
    "annotations",
    [
        HALF,
        'gpu-fraction: "5e-1"',
        'gpu-memory: "1000"',
        f'{HALF}, gpu-fraction-num-devices: "2", mps: "true", gpu-fraction-container-name: c',
    ],
)
@pytest.mark.parametrize("settings", ["", SHARING])
def test_the_webhook_takes_parts_of_gpus(ask: Asked, annotations: str, settings: str) -> None:
    assert ask.plan(STATE + settings, pod(annotations, gpus=0)) == ("Admitted", True, ())


def test_pods_of_a_job_are_rejected_once(ask: Asked) -> None:
    found = ask("plan", STATE, job(pod_annotations=HALF).replace("spec:\n", "spec:\n  parallelism: 2\n", 1))
    (subject,) = subjects(found)
    assert subject.startswith("Job ml/new: KAI's webhook rejects its pods: gpu-fraction and a limit")


@pytest.mark.parametrize("spec", ["{}", "{admission: {gpuSharing: false}}"])
def test_a_config_has_gpu_sharing_off_unless_it_says_so(ask: Asked, spec: str) -> None:
    state = STATE + config(spec)
    assert ask.plan(state, pod(HALF, gpus=0)) == ("Unknown", False, ("InvalidObject",))
    assert ask.plan(state, pod()) == ("Admitted", True, ())


def test_a_config_with_the_field_elsewhere_is_of_a_release_that_is_not_known(ask: Asked) -> None:
    state = STATE + config("{global: {gpuSharing: true}}")
    assert ask.plan(state, pod(HALF, gpus=0)) == ("Unknown", False, ("UnknownField", "InvalidObject"))
    assert ask.plan(state, pod())[1:] == (False, ("UnknownField",))


@pytest.mark.parametrize(
    ("value", "gpus", "annotations", "taken"),
    [
        ("value: all", 1, "", False),
        ("value: void", 1, "", True),
        ("value: all", 0, "", True),  # the webhook sets void itself
        ("valueFrom: {fieldRef: {fieldPath: metadata.name}}", 1, "", False),
        ("valueFrom: {fieldRef: {fieldPath: metadata.name}}", 0, "", False),
        ("value: all", 0, HALF, True),  # the container with the part of a GPU
    ],
)
def test_the_webhook_may_guard_devices(ask: Asked, value: str, gpus: int, annotations: str, taken: bool) -> None:
    asked = pod(annotations, gpus=gpus, container=visible(value))
    assert ask.plan(STATE + GUARDED, asked)[1] is taken
    assert ask.plan(STATE + SHARING, asked)[1]


@pytest.mark.parametrize(
    ("settings", "namespace", "taken"),
    [
        ("{}", "kube-system", True),
        ("{}", "kai-scheduler", True),
        ("{namespace: ml}", "ml", True),
        ("{admission: {queueLabelSelector: true}}", "ml", True),
        ("{admission: {queueLabelSelector: true}}", "unknown", False),
    ],
)
def test_pods_that_the_webhook_does_not_see_are_not_rejected(
    ask: Asked, settings: str, namespace: str, taken: bool
) -> None:
    known = "\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: ml}}"
    asked = pod(HALF, gpus=0).replace("namespace: ml", f"namespace: {namespace}")
    assert ask.plan(STATE + config(settings) + known, asked)[1] is taken


def test_the_webhook_gives_pods_with_parts_of_gpus_a_runtime_class(ask: Asked) -> None:
    heavy = RUNTIME + 'overhead: {podFixed: {cpu: "40"}}\n'
    assert ask.plan(STATE + heavy, pod(HALF, gpus=0))[0] == "Never"
    assert ask.plan(STATE + heavy, pod())[0] == "Admitted"
    assert ask.plan(STATE + heavy, pod(HALF, gpus=0, spec="runtimeClassName: runc\n"))[0] != "Never"
    other = config('{admission: {gpuSharing: true, gpuFractionRuntimeClassName: ""}}')
    assert ask.plan(STATE + heavy + other, pod(HALF, gpus=0)) == ("Admitted", True, ())
    choosing = RUNTIME + "scheduling: {nodeSelector: {gpu: yes}}\n"
    assert not ask.plan(STATE + choosing, pod(HALF, gpus=0))[1]
    assert ask.plan(STATE + RUNTIME, pod(HALF, gpus=0)) == ("Admitted", True, ())
