"""PriorityClasses: the default for jobs without a class."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_DEFAULT = ("globalDefault",)


@warning_rule("K062")
def several_global_defaults(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the first of the classes without effect."""
    found = []
    for manifest in given.manifests("PriorityClass", "scheduling.k8s.io"):
        value = manifest.data.get("value", 0)
        if manifest.data.get("globalDefault") is True and isinstance(value, int):
            found.append((value, manifest.key))
    if len(found) < 2:
        return
    (lowest, counts), *losing = sorted(found)
    yield Finding(
        Place(losing[0][1], _DEFAULT),
        f"{len(found)} PriorityClasses are the global default; `{counts.name}` counts, because its value is the lowest",
        Remedy(f"remove `globalDefault` from {few([key.name for _, key in losing])}, or from `{counts.name}`"),
        evidence=((f"value of {counts.name}", str(lowest)), *((f"value of {k.name}", str(v)) for v, k in losing[:4])),
        related=(
            Related("counts", Place(counts, _DEFAULT)),
            *(Related("also has no effect", Place(key, _DEFAULT)) for _, key in losing[1:10]),
        ),
    )
