"""SchedulingShard: its structure. Whether KAI's operator can use what it says is another question."""

from kubectl_fairshare.api.structures.condition import CONDITION
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.structure import (
    DURATION,
    INT64,
    NUMBER,
    QUANTITY,
    TEXT,
    TIME,
    TRUTH,
    Listing,
    Number,
    Table,
    Text,
    f,
    struct,
)

# Prometheus' spans of time: whole numbers with units from years down to milliseconds, each at most once.
PROMETHEUS_SPAN_PATTERN = r"^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$"

ACTION_CONFIG = struct(
    f("enabled", TRUTH, "*"),
    f("priority", INT64, "*"),
)

PLUGIN_CONFIG = struct(
    f("enabled", TRUTH, "*"),
    f("priority", INT64, "*"),
    f("arguments", Table(TEXT)),
)

MIN_RUNTIME = struct(
    f("preemptMinRuntime", TEXT, "*"),
    f("reclaimMinRuntime", TEXT, "*"),
)

PLACEMENT_STRATEGY = struct(
    f("gpu", TEXT, "*"),
    f("cpu", TEXT, "*"),
)

SCENARIO_SEARCH_BUDGETS = struct(
    f("maxActionSearchDuration", Table(DURATION)),
    f("maxJobSearchDuration", DURATION, "*"),
    f("minJobSearchDuration", DURATION, "*"),
    f("maxGeneratorSearchDuration", Table(DURATION)),
)

USAGE_PARAMS = struct(
    f("halfLifePeriod", DURATION, "*"),
    f("windowSize", Text(pattern=PROMETHEUS_SPAN_PATTERN), "*"),
    f("windowType", TEXT, "*"),
    f("tumblingWindowStartTime", TIME, "*"),
    f("cronString", TEXT),
    f("fetchInterval", DURATION, "*"),
    f("stalenessPeriod", DURATION, "*"),
    f("waitTimeout", DURATION, "*"),
    f("extraParams", Table(TEXT)),
)

USAGE_DB_CONFIG = struct(
    f("clientType", TEXT, "!k"),
    f("connectionString", TEXT),
    f("connectionStringEnvVar", TEXT),
    f("usageParams", USAGE_PARAMS, "*"),
)

SCHEDULING_SHARD_SPEC = struct(
    f("args", Table(TEXT)),
    f("goMemLimitRatio", Number(above=0, most=1), "*"),
    f("goMemLimit", QUANTITY, "*"),
    f("placementStrategy", PLACEMENT_STRATEGY, "*"),
    f("partitionLabelValue", TEXT),
    f("queueDepthPerAction", Table(INT64)),
    f("minRuntime", MIN_RUNTIME, "*"),
    f("kValue", NUMBER, "*"),
    f("usageDBConfig", USAGE_DB_CONFIG, "*"),
    f("scenarioSearchBudgets", SCENARIO_SEARCH_BUDGETS, "*"),
    f("plugins", Table(PLUGIN_CONFIG)),
    f("actions", Table(ACTION_CONFIG)),
)

SCHEDULING_SHARD_STATUS = struct(
    f("conditions", Listing(CONDITION)),
)

SCHEDULING_SHARD = struct(
    *TYPE_AND_META,
    f("spec", SCHEDULING_SHARD_SPEC),
    f("status", SCHEDULING_SHARD_STATUS),
)
