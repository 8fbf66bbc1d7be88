"""Settings of a valid Configuration that have no effect, or more effect than their author may expect."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy, Severity
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import gate, sound_configuration, view
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven


@info_rule("K133")
def configuration_block_not_enabled(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each block that has settings besides ``enable``."""
    found = sound_configuration(given)
    if found is None or str(found.data.get("apiVersion")).rpartition("/")[2] != "v1beta1":
        return
    for name in ("fairSharing", "waitForPodsReady"):
        block = found.data.get(name)
        settings = sorted(set(block) - {"enable"}) if isinstance(block, dict) and not block.get("enable") else []
        if settings:
            message = f"`{name}` is off without `enable: true`, and so are its settings ({', '.join(settings)})"
            place = found.at(name, "enable") if isinstance(block, dict) and "enable" in block else found.at(name)
            yield Finding(place, message, Remedy("write `enable: true`, or remove the block"))


@info_rule("K134", advice=True)
def pods_ready_timeout_by_default(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the Configuration."""
    found = sound_configuration(given)
    if found is None or str(found.data.get("apiVersion")).rpartition("/")[2] == "v1beta1":
        return
    if (
        given.release.waits_for_pods
        and "waitForPodsReady" not in found.data
        and not gate(given, "DisableWaitForPodsReady")
    ):
        message = "Kueue evicts jobs that need more than 30m to get ready, and tries them again without end"
        yield Finding(found.place, message, Remedy("write `waitForPodsReady` with a timeout and a `backoffLimitCount`"))


@warning_rule("K135")
def admission_waits_for_pods(given: KueueGiven) -> Iterator[Finding]:
    """One finding; only information if Kueue gives up workloads after some tries."""
    found, settings = sound_configuration(given), view(given)
    waiting = settings.get("waitForPodsReady") if settings is not None else None
    if found is None or not waiting or not waiting["blockAdmission"] or gate(given, "DisableWaitForPodsReady"):
        return
    limit = waiting["requeuingStrategy"].get("backoffLimitCount")
    given_up = "Kueue never gives up" if limit is None else f"Kueue gives up each after {limit} more tries"
    yield Finding(
        found.at("waitForPodsReady", "blockAdmission"),
        f"Kueue admits one workload at a time, and waits up to {waiting['timeout']} for its pods; {given_up}",
        Remedy("write `blockAdmission: false`, or a `backoffLimitCount`"),
        severity=None if limit is None else Severity.INFO,
    )
