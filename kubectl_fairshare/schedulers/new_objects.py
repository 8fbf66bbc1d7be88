"""What an API server's own validation rejects in a new job or pod, so that no scheduler ever sees it.

Covered are names, labels, restart policies, names and images of containers, and the numbers and the selector of a Job;
``new_pods`` has what chooses the nodes of pods, and ``jobs.pod_validation`` their amounts. Other mistakes, such as a
volume without a source, are not looked for.

Source: Kubernetes 1.35, the validation of objects and of the kinds of ``batch`` and ``apps``; the evaluator of
object counts, for which a ResourceQuota with scopes counts no objects but pods.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.fidelity import INVALID_OBJECT, TOO_MANY_OBJECTS, Gap
from kubectl_fairshare.api.label_syntax import is_dns_label, label_causes, naming_causes
from kubectl_fairshare.jobs.creation import ending_namespace_gaps, is_created
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds import CARRIERS, UNKNOWN
from kubectl_fairshare.jobs.resource_quotas import CreationQuota, creation_quota
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.manifests.new_pods import choice_clauses

_POD: Final = ("", "Pod")
_QUOTA: Final = "ResourceQuota"
_JOBS: Final = frozenset({("batch", "Job"), ("batch", "CronJob")})
_ENDING: Final = ("OnFailure", "Never")
_NAMES: Final = ("job-name", "batch.kubernetes.io/job-name")
_UIDS: Final = ("controller-uid", "batch.kubernetes.io/controller-uid")
_NOT_NEGATIVE: Final = (
    *("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"),
    *("backoffLimitPerIndex", "maxFailedIndexes"),
)
_LONGEST_CRON_JOB: Final = 52
_LONGEST_JOB: Final = 63
_MOST_INDEXED: Final = 100_000
_ONE: Final = 10**9


def new_object_gaps(asked: Iterable[Manifest], known: Mapping[ObjectKey, Manifest]) -> tuple[Gap, ...]:
    """A gap for each reason for which an API server rejects an ``asked`` object; none for one that it has stored.

    ``known`` are the objects of the input. Raises ``FairshareError`` for a field of another type.
    """
    new = [m for m in asked if not is_created(m.data) and not (m.key in known and known[m.key].stored)]
    clauses = dict.fromkeys(f"{each.key}: {clause}" for each in new for clause in rejections(each))
    return (
        *ending_namespace_gaps(known, (each.key.namespace for each in new)),
        *object_count_gaps((each.key for each in new), known),
        *(Gap(INVALID_OBJECT, (), touches=True, subject=clause) for clause in clauses),
    )


def object_count_gaps(made: Iterable[ObjectKey], known: Mapping[ObjectKey, Manifest]) -> Iterator[Gap]:
    """A gap for each kind of which a namespace may not have as many objects as are to be ``made``; pods are left out.

    ``known`` are the objects of the input. Raises ``FairshareError`` for a field of another type.
    """
    new = {key for key in made if key[:2] != _POD}
    wanted = Counter((key.namespace, *key[:2]) for key in new)
    kept = [key for key in known if key.kind == _QUOTA and not key.group] if wanted else []
    quotas = [creation_quota(known[key]) for key in kept]
    for (namespace, group, kind), more in sorted(wanted.items()) if quotas else ():
        there = sum(1 for key in known if key not in new and (key.namespace, *key[:2]) == (namespace, group, kind))
        counting = [quota for quota in quotas if quota.key.namespace == namespace and not quota.scopes]
        name = _resource_name(group, kind)
        full = tuple(Place(q.key, (*q.path, name)) for q in counting if _is_exceeded(q, name, there, more))
        if full:
            yield Gap(TOO_MANY_OBJECTS, full, touches=True, subject=kind)


def _resource_name(group: str, kind: str) -> str:
    from kubectl_fairshare.input.kinds import plural

    name = f"count/{plural(kind.lower())}"
    return f"{name}.{group}" if group else name


def _is_exceeded(quota: CreationQuota, name: str, there: int, more: int) -> bool:
    used = quota.used.get(name, there * _ONE)
    return name in quota.bounds and used + more * _ONE > quota.bounds[name]


def rejections(manifest: Manifest) -> Iterator[str]:
    """What an API server rejects in a new object, in a clause each.

    Raises ``FairshareError`` for a field of another type.
    """
    root, kind = root_of(manifest), manifest.key[:2]
    yield from _metadata(root)
    if kind == _POD:
        yield from _pod(root, ("Always", *_ENDING), optional=True)
    elif kind in _JOBS:
        job = root.at("spec", "jobTemplate") if kind[1] == "CronJob" else root
        yield from _job(job, _name(root), own=kind[1] == "Job")
        yield from _pod(job.at("spec", "template"), _ENDING, optional=False)
    elif kind in CARRIERS:
        yield from _pod(root.at(*CARRIERS[kind]), ("Always",), optional=True)


def _name(root: Field) -> str:
    """The name, or one as long as the name that an API server makes up."""
    metadata = root.at("metadata")
    return metadata.at("name").text() or metadata.at("generateName").text() + UNKNOWN


def _metadata(root: Field) -> Iterator[str]:
    metadata = root.at("metadata")
    written = {name: metadata.at(name).text() for name in ("name", "generateName", "namespace")}
    for cause in naming_causes(written, namespaced=True):
        yield f"{cause.field} is {cause.message}"
    yield from _labels(metadata)
    longest = {"CronJob": _LONGEST_CRON_JOB, "Job": _LONGEST_JOB}.get(root.owner.kind)
    if longest is not None and root.owner.group == "batch" and len(_name(root)) > longest:
        yield f"metadata.name is longer than {longest} characters"


def _labels(metadata: Field) -> Iterator[str]:
    labels = metadata.at("labels")
    for cause in label_causes(labels.texts(), labels.path):
        yield f"{field_text(labels.path)} has {cause.message}"


def _pod(pod: Field, policies: tuple[str, ...], *, optional: bool) -> Iterator[str]:
    """What is wrong with a pod, or with the template of pods, whose restart policy is one of ``policies``."""
    if pod.path:
        yield from _labels(pod.at("metadata"))
    yield from _containers(pod.at("spec"))
    yield from choice_clauses(pod.at("spec"))
    policy = pod.at("spec", "restartPolicy")
    if policy.text() not in policies and not (optional and policy.text() == ""):
        found = f", not {policy.text()}" if policy.text() else ""
        yield f"{field_text(policy.path)} must be {' or '.join(policies)}{found}"


def _containers(spec: Field) -> Iterator[str]:
    """What is wrong with the names and images of the containers of a pod."""
    if not spec.at("containers").entries():
        yield f"{field_text((*spec.path, 'containers'))} is missing"
    every = [each for listed in ("containers", "initContainers") for each in spec.at(listed).entries()]
    names: set[str] = set()
    for each in every:
        name = each.at("name").text()
        if not is_dns_label(name):
            yield f"{field_text((*each.path, 'name'))} {'is not a DNS label' if name else 'is missing'}"
        elif name in names:
            yield f"{field_text((*each.path, 'name'))} occurs twice: {name}"
        names.add(name)
        if not each.at("image").text():
            yield f"{field_text((*each.path, 'image'))} is missing"


def _job(job: Field, name: str, *, own: bool) -> Iterator[str]:
    """What is wrong with a Job, or with the template of one; ``own``: it is a Job itself."""
    spec = job.at("spec")
    for number in _NOT_NEGATIVE:
        if spec.at(number).integer(0) < 0:
            yield f"{field_text((*spec.path, number))} is negative"
    yield from _indexed(spec, name, own)
    if own and spec.at("manualSelector").flag():
        yield from _manual_selector(spec)
    else:
        yield from _generated_selector(spec, name, own)


def _indexed(spec: Field, name: str, own: bool) -> Iterator[str]:
    completions, mode = spec.at("completions"), spec.at("completionMode").text() or "NonIndexed"
    if mode not in ("NonIndexed", "Indexed"):
        yield f"{field_text((*spec.path, 'completionMode'))} must be Indexed or NonIndexed"
    if mode != "Indexed":
        for field in ("backoffLimitPerIndex", "maxFailedIndexes"):
            if spec.at(field).value is not None:
                yield f"{field_text((*spec.path, field))} needs completionMode Indexed"
        return
    if completions.value is None and not (own and spec.at("parallelism").value is None):  # both then become 1
        yield f"{field_text(completions.path)} is missing, and completionMode is Indexed"
    if spec.at("parallelism").integer(0) > _MOST_INDEXED:
        yield f"{field_text((*spec.path, 'parallelism'))} is above {_MOST_INDEXED}, and completionMode is Indexed"
    last = completions.integer(1 if spec.at("parallelism").value is None else 0) - 1
    if own and last >= 0 and not is_dns_label(f"{name}-{last}"):
        yield f"metadata.name makes {name}-{last} the name of a host, which is not a DNS label"


def _manual_selector(spec: Field) -> Iterator[str]:
    wanted, labels = spec.at("selector"), spec.at("template", "metadata", "labels").texts()
    if wanted.value is None:
        yield f"{field_text(wanted.path)} is missing, and manualSelector is true"
    elif not wanted.at("matchLabels").texts().items() <= labels.items():
        yield f"{field_text(wanted.path)} does not match the labels of the pod template"


def _generated_selector(spec: Field, name: str, own: bool) -> Iterator[str]:
    """Mistakes where an API server makes the selector: labels of another Job, and labels of one's own."""
    selector, generated = spec.at("selector"), dict.fromkeys(_NAMES, name)
    if not own:
        if selector.value is not None:
            yield f"{field_text(selector.path)} is set by hand"
        if spec.at("manualSelector").flag():
            yield f"{field_text((*spec.path, 'manualSelector'))} is true"
        return
    keys = [each.at("key").text() for each in selector.at("matchExpressions").entries() if _demands(each)]
    foreign = not selector.at("matchLabels").texts().items() <= generated.items()
    if foreign or not {*keys} <= {*_NAMES, *_UIDS}:
        yield f"{field_text(selector.path)} is set by hand, and manualSelector is not true"
    labels = spec.at("template", "metadata", "labels")
    for key, value in labels.texts().items():
        if key in _UIDS or generated.get(key, value) != value:
            yield f"{field_text(labels.path)} has {key}, which the API server sets itself"


def _demands(expression: Field) -> bool:
    return expression.at("operator").text() in ("In", "Exists")
