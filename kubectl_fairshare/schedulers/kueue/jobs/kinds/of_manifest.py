"""The kind of a job that a manifest is, and its pod templates."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.errors import Problem, UnsupportedKindError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import (
    ExistingClusterError,
    JobKind,
    Known,
    PodTemplate,
    RuntimeMissingError,
)
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import JOB_KINDS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.topology import AnnotatedPods

_ALSO_SERVED: Final = frozenset({("ray.io", "v1alpha1")})
"""Versions that an API server also serves with the fields of the version that Kueue reads."""
_BY_NAME: Final = {(k.group, k.kind): k for k in JOB_KINDS}


def job_kind(manifest: Manifest) -> JobKind:
    """The reader for the manifest. Raises ``UnsupportedKindError`` for an unsupported kind or version."""
    name = (manifest.key.group, manifest.key.kind)
    if name in _BY_NAME and _BY_NAME[name].version == manifest.version:
        return _BY_NAME[name]
    from kubectl_fairshare.schedulers.kueue.jobs.kinds.every_kind import ALL_KINDS

    kind = next((k for k in ALL_KINDS if (k.group, k.kind) == name), None)
    served = (manifest.key.group, manifest.version) in _ALSO_SERVED
    if kind is not None and (served or kind.version == manifest.version):
        return kind
    understood = ", ".join([f"Workload ({GROUP})", *map(str, ALL_KINDS)])
    remedy = f"supported kinds are {understood}" if kind is None else f"write it in `{kind.group}/{kind.version}`"
    raise UnsupportedKindError(
        Problem(
            f"`{manifest.key.kind}` of `{manifest.api_version}` is not a supported kind of job",
            Place(manifest.key),
            remedy,
        )
    )


def pod_templates(manifest: Manifest, runtimes: Mapping[ObjectKey, Field]) -> tuple[PodTemplate, ...]:
    """The pod templates of a job; none where its pods are not known.

    Raises ``FairshareError`` for a job that cannot be read.
    """
    kind = job_kind(manifest)
    try:
        return kind.templates(root_of(manifest).at(*kind.carrier), Known(manifest.stored, runtimes))
    except (RuntimeMissingError, ExistingClusterError):
        return ()


def annotated(template: PodTemplate) -> AnnotatedPods:
    """A pod template with its annotations."""
    place = Place(template.spec.owner, template.spec.path[:-1])
    return AnnotatedPods(template.name, template.count, place, template.annotations)
