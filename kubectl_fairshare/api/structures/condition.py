"""Conditions, as every status has them."""

from kubectl_fairshare.api.structures.structure import LABEL_KEY_PATTERN, TIME, Text, Whole, f, struct

CONDITION = struct(
    f("type", Text(pattern=LABEL_KEY_PATTERN, most=316), "!k"),
    f("status", Text(choices=("True", "False", "Unknown")), "!k"),
    f("observedGeneration", Whole(64, least=0)),
    f("lastTransitionTime", TIME, "!k"),
    f("reason", Text(pattern=r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$", least=1, most=1024), "!k"),
    f("message", Text(most=32768), "!k"),
)
