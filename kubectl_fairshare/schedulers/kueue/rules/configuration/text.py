"""Kueue's Configuration as a text: whether the manager can read it, and whether it occurs once."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.model.json import Json, LinePart, listed, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import likely
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws as law
from kubectl_fairshare.schedulers.kueue.rules.configuration.refusals import value_rule
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import sound_configuration
from kubectl_fairshare.schedulers.kueue.rules.given import Configured, KueueGiven

_STARTS_NOT: Final = "Kueue's manager reads its Configuration strictly when it starts, and exits on the first error"
_GATES_FLAG: Final = "--feature-gates"


@error_rule("K110")
def configuration_not_yaml(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each mistake in the text."""
    for problem in given.unread:
        if isinstance(problem.place, Place):
            lines = [str(int(part)) for part in problem.place.path if isinstance(part, LinePart)]
            yield Finding(
                problem.place,
                f"Kueue's manager does not start: {problem.message}",
                Remedy(problem.help or "fix the text"),
                evidence=tuple(("line of the text", line) for line in lines),
            )


@error_rule("K111")
def configuration_unknown_key(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each unknown key."""
    for each in given.configured:
        for cause in _under(each, law.UNKNOWN_KEY):
            near = _nearest(each, cause)
            remedy = f"write `{near}` if you mean that" if near else "take the key out"
            message = f"Kueue's manager does not start: the key `{cause.field}` does not exist"
            yield Finding(each.at(*cause.path), message, Remedy(remedy), about_key=True)


@error_rule("K112")
def configuration_key_removed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each key of v1beta1 in a v1beta2 text."""
    for each in given.configured:
        for cause in _under(each, law.REMOVED):
            message = f"Kueue's manager does not start: `{cause.field}` exists in v1beta1, but not in v1beta2"
            yield Finding(each.at(*cause.path), message, Remedy(_instead(each, cause)), about_key=True)


@error_rule("K113")
def configuration_key_too_new(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each key of v1beta2 in a v1beta1 text."""
    for each in given.configured:
        for cause in _under(each, law.NEW):
            message = f"Kueue's manager does not start: `{cause.field}` exists in v1beta2, but not in v1beta1"
            yield Finding(
                each.at(*cause.path),
                message,
                Remedy("write the Configuration as v1beta2, or remove the key"),
                about_key=True,
            )


configuration_wrong_type = value_rule(
    "K114",
    "configuration-wrong-type",
    law.UNDECODABLE,
    summary="a value in Kueue's Configuration has the wrong type for its key",
    why=f"{_STARTS_NOT}.",
    remedy="write a value of the key's type; durations are texts such as `5m`",
    help="write a value of that type; durations look like `5m`",
)

configuration_version_unserved = value_rule(
    "K115",
    "configuration-version-unserved",
    law.VERSION,
    summary="Kueue's Configuration has a version that the manager does not read",
    why="Kueue v0.19 reads `config.kueue.x-k8s.io/v1beta1` and `v1beta2`.",
    remedy="write the Configuration as `config.kueue.x-k8s.io/v1beta2`",
    help="write it as `config.kueue.x-k8s.io/v1beta2`",
)


@error_rule("K116")
def several_configurations(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Configuration after the first."""
    for each in given.configured[1:]:
        first = Related("the first one", given.configured[0].place)
        message = "there is another Configuration for Kueue, and its manager reads only one"
        yield Finding(each.place, message, Remedy("remove one of them"), related=(first,))


@error_rule("K132")
def feature_gates_given_twice(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each manager with gates on its command line if the Configuration has some too."""
    found = sound_configuration(given)
    for place in gates_given_twice(given):
        yield Finding(
            place,
            f"Kueue's manager does not start: it has `{_GATES_FLAG}`, and `featureGates` in its Configuration",
            Remedy("move the gates to `featureGates`"),
            related=() if found is None else (Related("the gates of the Configuration", found.at("featureGates")),),
        )


def gates_given_twice(given: KueueGiven) -> Iterator[Place]:
    """The gates on managers' command lines, if the Configuration has gates, too."""
    found = sound_configuration(given)
    if found is not None and found.data.get("featureGates"):
        for manifest in given.manifests("Deployment", "apps"):
            yield from _gate_flags(manifest)


def _under(each: Configured, kind: str) -> Iterator[Cause]:
    return (cause for cause in each.causes if cause.law == kind)


def _nearest(each: Configured, cause: Cause) -> str:
    """The key of the same mapping that resembles the unknown one; empty if there is none."""
    from kubectl_fairshare.schedulers.kueue.admission.configuration import configuration_structure

    struct = configuration_structure(str(each.data.get("apiVersion")).rpartition("/")[2])
    for part in cause.path[:-1]:
        field = struct.fields.get(str(part)) if struct else None
        struct = field.shape if field and isinstance(field.shape, Struct) else None
    known = sorted(struct.fields) if struct else []
    return next(iter(likely(str(cause.path[-1]), known, 1)), "")


def _instead(each: Configured, cause: Cause) -> str:
    if cause.path[-1] != "enable":
        return "remove it"
    block = str(cause.path[-2])
    value: Json = each.data[block].get("enable")
    if value and block == "fairSharing" and not each.data[block].get("preemptionStrategies"):
        return "write `preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]` instead"
    return "remove the line: a block that exists is on" if value else f"remove `{block}` to turn it off"


def _gate_flags(manifest: Manifest) -> Iterator[Place]:
    """The command-line arguments of Kueue's manager that set feature gates."""
    containers = ("spec", "template", "spec", "containers")
    for number, container in enumerate(rows(manifest.data, *containers)):
        for field in ("command", "args") if _is_manager(manifest, container) else ():
            for at, word in enumerate(listed(container, field)):
                if isinstance(word, str) and word.partition("=")[0] == _GATES_FLAG:
                    yield Place(manifest.key, (*containers, number, field, at))


def _is_manager(manifest: Manifest, container: Mapping[str, Json]) -> bool:
    image = container.get("image")
    return manifest.key.name.endswith("kueue-controller-manager") or (isinstance(image, str) and "/kueue" in image)
