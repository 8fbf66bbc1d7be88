"""Objects of ElasticQuota's and KAI-Scheduler's APIs, each judged as the API server would judge its create."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kubectl_fairshare.api.causes import UNSUPPORTED, cause
from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model import objects as elasticquota
from kubectl_fairshare.schedulers.kai.model.objects import GROUPS as KAI_GROUPS


def judged(manifests: Iterable[Manifest]) -> Iterator[tuple[ObjectKey, Examined]]:
    """The objects of both APIs; those that an API server has taken already are not judged again."""
    for manifest in manifests:
        if not _is_served_kind(manifest.key):
            continue
        if manifest.stored:
            yield manifest.key, Examined(manifest, None, manifest.data)
        else:
            judgement = _judgement(manifest)
            yield manifest.key, Examined(manifest, judgement, judgement.stored)


def _is_served_kind(key: ObjectKey) -> bool:
    if key.group == elasticquota.GROUP:
        return key.kind == elasticquota.KIND
    if key.group not in KAI_GROUPS:
        return False
    from kubectl_fairshare.schedulers.kai.admission.kinds import KINDS

    return key.kind in KINDS and KINDS[key.kind].group == key.group


def _judgement(manifest: Manifest) -> Judgement:
    if manifest.key.group == elasticquota.GROUP:
        from kubectl_fairshare.schedulers.elasticquota.admission.judge import judge as judge_quota

        found, project = judge_quota(manifest.data), "scheduler-plugins"
    else:
        from kubectl_fairshare.schedulers.kai.admission.judge import judge as judge_kai

        found, project = judge_kai(manifest.data), "KAI-Scheduler v0.17"
    if found.stage != NOT_FOUND:
        return found
    message = f"{project} serves no `{manifest.api_version}`"
    return replace(found, causes=(cause(UNSUPPORTED, ("apiVersion",), message),))
