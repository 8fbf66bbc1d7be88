"""Commands, options, rules and kinds of jobs as shells complete them; `.ci/grammar.py` writes this."""

COMMANDS = """\
why *subject why a job waits or runs: what binds, who holds it, what would help
plan - would it run: admitted or not, its victims, what would help
shares - which queue holds what: quota, usage, borrowing, fair shares
cycle - what the next scheduling cycle decides for each queue's head
report - one HTML page: tree of queues, waiting and running work
lint *file find mistakes in manifests, and fix them
diff *file what a change of policy does to rights, running and waiting work
test *file check a policy against its tests, over all loads
search - look for a load that breaks an invariant, and make it small
forecast *subject when waiting jobs start, and what they wait for
capacity - what each queue has room for: now, after preemption, ever
simulate sweep play jobs forward in time, under this policy
trace - save what became of every job, to replay it
demo - try everything on a built-in example
snapshot - save all that an answer needs in one file, to read with -f
rbac *shares|plan|why|cycle|forecast|diff|capacity|lint|trace|snapshot print the minimal cluster permissions for each command
help *topic explain a command, a word of the field, a law or a rule
completion bash|zsh|fish|kubectl print the completion script for your shell
mcp *folder answer an agent's calls: the questions as tools
conformance file compare our answers with recorded ones of real schedulers
"""

OPTIONS = """\
[capacity]
--backlog *. Find the smallest raise of the queue's quota with which N …
--copies,--no-copies - Count how many workloads of one unit get in, up to 1000
--preempting,--no-preempting - Find what gets in after preemption, which takes longest
-o,--output text|wide|json|yaml|csv|name Output format
--queue *queue Only this queue
--request amounts Shape of the workload that is scaled: cpu=4,nvidia.com/gpu=1
--toleration *. Toleration of its pods; also K:EFFECT, K, or none
[conformance]
--by-tag - Show the agreement by the tags of cases, too: features and …
--emit file Write our answers to this file as JSON Lines
--engine engine What was recorded: kueue, kueue-saturated, kueue-living, …
-o,--output text|json|yaml Output format
[cycle]
-o,--output text|wide|json|yaml|name|svg|markdown Output format
[demo]
--color auto|always|never Colour
--into file Copy the example to this new folder first
[diff]
--fail-on *. Exit with 1 if one of these gates fails: guaranteed, …
--history *file Finished work: could it ever have run? Repeatable
-k,--kustomize *folder Kustomize directory below both versions, built with your …
--saturated,--no-saturated - Find what each queue gets when all are busy
-o,--output text|wide|markdown|html|json|yaml|name|csv|svg Output format
--overlay-before *file Add or replace objects of BEFORE
--settings file Settings that name the release: a file, or git:REV:FILE
--state *file Work to add to both sides; other objects only if both lack …
[forecast]
--calibrate file Compare forecasts made in a trace with what came
--calibration file A calibration to cite, from --calibrate -o json
--default-duration . How long jobs run of which nothing is known
--duration *. How long jobs run in all: job/train=2h, 'nightly-*=90m'
--jobs . Processes that play
--moments . Moments of forecasts with --calibrate
--no-changes - Do not try what would bring named jobs forward
--seed . The first seed
--seeds . How often the state is played
--trace file Earlier jobs to take durations from
[forecast simulate]
--checkpoint . Interval between checkpoints from which evicted jobs resume
--ready *. How long after admission pods are ready
--stopping . How long evicted pods keep their resources
[help]
-o,--output text|json|markdown Output format
[lint]
--baseline file Do not report findings that this file lists
--settings,--config file Settings file, or git:REV:FILE
--diff - Show what --fix would change; change nothing
--fail-on error|warning|info|never Exit with 1 from this severity on: error, warning, info, …
--fix - Fix files in place where the fix cannot change what you …
--ignore *rules Skip these rules
--list-rules - List all rules, with advice, and exit
-o,--output text|concise|json|sarif|junit|github|gitlab|markdown Output format
--output-dir folder With -o sarif: write files into this folder, each with at …
--release . Release of Kueue, or several to judge by
--select *rules Run only these rules; `advice` adds the advice rules
--unsafe-fixes - With --fix or --diff: also make fixes that you should review
--write-baseline file Write all findings to this file, for --baseline
[mcp]
--cluster - Tools may read the cluster, as far as the kubeconfig allows
--context context With --cluster: context in the kubeconfig
--kubeconfig file With --cluster: kubeconfig
--max-result . Largest result
[plan]
--count . Number of pods
--min-count . Smallest number of pods that it may start with (partial …
--node-selector *. Required node label
-o,--output text|wide|json|yaml|name|csv|svg|markdown Output format
--priority . Priority of the workload
--priority-class priority WorkloadPriorityClass or PriorityClass of the workload
--queue localqueue Queue, or LocalQueue, of the workload that the options …
--request *amounts Requests per pod: cpu=4,nvidia.com/gpu=8
--together - Play cycles for all until nothing changes; without -w: for …
--toleration *. Toleration; also K:EFFECT or K
-w,--workload *file Workload, Job, CronJob, JobSet, Pod or another pod owner: …
[plan shares cycle]
--now . The moment of the question, RFC 3339
[rbac]
-n,--namespace namespace Print a Role for one namespace, not a ClusterRole
-o,--output yaml|json Output format
--scheduler *kueue|kai|elasticquota|koordinator Scheduler whose objects are read
[report]
--metrics - Write the figures of all queues as OpenMetrics, instead of …
--lint,--no-lint - Include lint findings
-o,--output file Page to write; - is standard output
[search]
--budget . Stop after this time: 30s, 10m, 2h
--busy,--idle - Start next to the running and waiting work of the input, …
--jobs . Processes that search
--most . Drawn loads have up to so many workloads
--never *. What no load may lead to: entitled waits, starvation, …
-o,--output text|wide|json|yaml|name|csv Output format
--queue *queue Only workloads in this queue
--random . Then draw so many
--resource resource Resource that workloads ask for
--seed . Drawn loads follow from this number
--sizes . Sizes of workloads: 1,2,8
--workloads . Try every load of up to N workloads
--write file Write each counterexample to a file that `test` replays
[search forecast]
--backend loky|dask|ray Where processes run
--workers-at . Address of the Dask or Ray cluster
[shares]
--by localqueue|namespace Sum usage by LocalQueue or namespace
--demand *demand What each queue gets if queues request this: unlimited …
--explain node Derive each number of one queue, term by term
--flavor *flavor Only this flavor
--queue queue Only this ClusterQueue, Cohort or NAMESPACE/LOCALQUEUE, …
--request *amounts Size of one workload for --demand
--saturated - Short for --demand unlimited: all queues are busy
--sort name|share|usage|borrowed|lent|available|nominal|weight|pending|running Sort siblings by, largest first: …
--topology - What is free and used of each domain of each topology
[shares capacity]
--resource *resource Only this resource
[shares cycle]
--shard . The SchedulingShard
[shares forecast]
-o,--output text|wide|json|yaml|csv|name|svg|markdown Output format
[simulate]
--backend loky|dask|ray sweep: where processes run
--calibrate - Compare the simulation with what the trace recorded
--cycles . Cycles of a file of queues
--jobs . sweep: processes
-o,--output text|wide|csv|json|yaml|svg|html|parquet Output format
--overlay-set *. Compare with the input with this overlay
--results folder sweep: where results are, and it continues
--scenario file Jobs and changes over time, YAML or JSON
--seed . Seed of ties and of what is drawn
--seeds . Number of seeds, from --seed on
--trace file Jobs as they really came, written by `trace`
--until . Stop so long after the start
--vary *. sweep: an axis: arrivals=1,1.2, option.NAME=A,B or …
--workers-at . sweep: address of the Dask or Ray cluster
[snapshot]
-o,--output file File to write; - is standard output
--redact none|names|all What to hide besides secrets
[test]
--init - Write a first file of tests for a state: PATHS are its …
--only . Run only tests whose name contains this
-o,--output text|wide|json|yaml|junit|github|name|csv Output format
--update - Write what came out in place of what was expected; review …
[trace]
--column *. Column of --csv for a field: created=submit_time, …
--csv file Read a table with a line for each job instead
-o,--output file File to write; FILE.jsonl is not compressed
--processor *. Requests of a pod for each processor in the --swf file
--queue queue NAMESPACE/QUEUE of a job of --swf, with {queue}, …
--redact none|names|all What to hide
--swf file Read a log in the Standard Workload Format instead
[trace snapshot]
--each *. Answer about the folder that matches: a kustomization, or …
--key file Write the real name of each pseudonym to this file
[why]
--churn - List what was evicted again and again
--limit . List at most N workloads
-o,--output text|wide|json|jsonl|yaml|csv|name|svg|markdown Output format
--queue queue List only workloads of this queue
--resource resource List only workloads that need this resource
--sort worst|place|age|priority|needs Order of the list
--trace file With --churn: jobs of this trace
[why plan]
--brief - At most 8 lines: verdict, what binds, remedy, next command
[why plan cycle diff forecast capacity simulate]
--explain - If the installed release was not measured: list what …
[why plan shares cycle]
--interval . With --watch: time between answers, 1s to 1h
--watch - Repeat until Ctrl-C, and mark what changed
[why plan shares cycle diff test forecast capacity simulate]
--require exact Exit with 5 unless all of the answer is exact: measured on …
[why plan shares cycle lint diff test search forecast capacity simulate rbac help conformance]
--api v1alpha2|v1alpha1 Print documents in this version: v1alpha1 is that of the …
--ascii - Print only ASCII signs
--color auto|always|never When to use colour
--no-pager - Write an answer that is longer than the terminal as it is
[why plan shares cycle report diff search forecast capacity simulate]
--nodes *. Add hypothetical, empty Nodes: …
[why plan shares cycle report diff search forecast capacity simulate trace]
--fair-sharing,--classical - Decide with or without fair sharing, and ignore this …
--k-value . How much past usage counts
--preemption-strategy *LessThanOrEqualToFinalShare|LessThanInitialShare Fair sharing's preemption strategies in …
--release . Release of the scheduler that decides
--scheduler kueue|kai|elasticquota|koordinator Which scheduler decides, if the input has quotas of several
--time-aware kai|proposal Weight of past usage: n + k(n − usage), as KAI does, or …
[why plan shares cycle report diff search forecast capacity trace]
--koordinator-gate *. Feature gate of Koordinator: MultiQuotaTree=true
--prometheus . Past usage from this server, as the shard counts it
--prometheus-ca file Prometheus: CA of its certificate
--prometheus-insecure - Prometheus: trust any certificate
--prometheus-token . Prometheus: bearer token, or @FILE that holds it
--usage *. Past usage, as fractions of the capacity: team=gpu=0.3, or …
[why plan shares cycle report lint diff search forecast capacity simulate]
--complete - Objects that the input lacks do not exist: references to …
--each *. Answer for each matching folder alone: kustomizations, …
[why plan shares cycle report lint diff search forecast capacity simulate trace demo snapshot rbac help mcp conformance]
--help-all - show the help with shared options
[why plan shares cycle report lint diff search forecast capacity simulate trace snapshot]
-A,--all-namespaces - Read all namespaces; fail if that is not allowed
--as . Impersonate this user
--as-group *. Impersonate this group
--certificate-authority file File with the certificate authority of the server
--cluster cluster Cluster in the kubeconfig
--context context Context in the kubeconfig
--helm - Render Helm charts among the files: only charts that you …
--insecure-skip-tls-verify - Accept any server certificate
--kubeconfig file Path of the kubeconfig
--max-input . Largest input, decompressed
-n,--namespace namespace Namespace for objects that set none
--overlay *file Add or replace objects before answering: the what-if of a …
--overlay-delete *object Remove an object, and what goes with it, before answering
--request-timeout . Longest wait for one response; 0 means no limit
-s,--server . Address and port of the API server
--token . Bearer token
--user user User in the kubeconfig
[why plan shares cycle report lint diff search forecast capacity simulate trace snapshot rbac]
--koordinator-namespace . Namespace of Koordinator's scheduler
--kueue-namespace namespace Namespace of Kueue's manager
--scheduler-namespace namespace Namespace of CapacityScheduling's scheduler
[why plan shares cycle report lint diff test search forecast capacity simulate trace demo snapshot rbac help completion mcp conformance]
-h,--help - show the help
[why plan shares cycle report lint diff test search forecast capacity simulate trace snapshot rbac help conformance]
-q,--quiet - Print no notes on standard error
[why plan shares cycle report lint search forecast capacity simulate trace snapshot]
-f,--filename *file File, directory (recursive), glob, or - for standard …
-k,--kustomize *folder Kustomize directory, built with your kubectl
-l,--selector . Show only objects with these labels: team=vision,tier!=test
[why report]
--forecast - Say when waiting workloads start, by playing the state on
[why report forecast]
--now . Answer as of this time: 2026-01-31T12:00:00Z
"""

RULES = """\
A001=queue-without-resources A002=parent-queue-not-found A003=parent-without-resources A004=child-quota-above-parent
A005=children-quotas-above-parent A007=queue-with-children-deleted A008=queue-cycle A009=limit-below-quota
A010=limit-above-parents A011=nothing-may-run A012=no-share A013=no-weight-in-priority A014=negative-amount-of-queue
A015=negative-weight A016=workload-in-inner-queue A017=quotas-above-cluster A018=display-name-twice
A019=undecodable-min-runtime A020=unknown-argument A021=workload-queue-not-found A022=equal-creation
A023=quota-above-limit-above A024=children-quotas-above-limit A025=multiplier-never-read A026=value-passed-over
A027=arguments-drop-setting A028=window-without-usage A029=window-incomplete A030=unknown-window-type
A031=usage-without-source A032=action-not-enabled A033=k-without-usage A034=pod-group-structure
A035=usage-without-gpus A036=search-budget A037=kai-version-not-served A038=undecodable-span A039=old-queue-label
A040=less-than-one-gpu A041=pod-groups-of-one-name A042=quota-rejects-pods-of-group E001=min-above-max
E002=max-omits-resource E003=empty-list E004=min-omits-requested E005=resource-without-any-min
E006=more-in-use-than-guaranteed E007=second-quota-in-namespace E008=min-beyond-capacity E009=min-is-all-capacity
E010=stranded-capacity E011=max-out-of-reach E012=namespace-without-quota E013=evictable-system-pods
E014=quota-beyond-hard E015=dropped-resource-name E016=count-without-effect E017=resource-on-no-node
E018=negative-amount E019=amount-overflows E021=amount-of-the-wrong-size E022=quantity-spelling
E023=pod-without-requests E024=charge-differs-from-node E025=quota-newer-than-pods E026=status-differs-from-use
E027=quota-of-another-group E028=scheduler-without-plugin E029=profile-incomplete E030=guaranteed-but-never-preempting
E031=pod-larger-than-min E032=borrower-with-one-priority E033=budget-in-borrower E034=quota-without-namespace
E035=ephemeral-storage-without-min E036=idle-min E037=quota-version-not-served E038=quota-rejects-pods
K001=api-not-served K002=undecodable-value K003=field-of-another-version K004=unquoted-fraction
K005=deprecated-version K006=refused-at-next-apply K007=quantity-without-digits K008=missing-nominal-quota
K009=stored-against-schema K010=limit-without-cohort K011=resource-count-mismatch K012=resource-order
K013=resource-covered-twice K014=flavor-twice K015=too-many-quotas K016=negative-quota K017=weight-out-of-range
K018=preference-without-search K019=borrow-within-cohort-without-reclaim K020=invalid-namespace-selector
K021=check-on-foreign-flavor K022=concurrent-admission-unfit K023=not-a-label K024=invalid-taint
K025=invalid-toleration K026=topology-without-node-label K027=lending-limit-above-nominal
K028=topology-levels-out-of-order K029=cluster-without-one-source K030=cluster-named-twice K031=invalid-min-count
K032=invalid-priority-class-reference K033=reserved-or-negative-request K034=incomplete-slice-request
K035=invalid-admission-gates K038=priority-class-dropped K039=unreadable-weight K040=status-dropped K041=cohort-cycle
K042=min-count-without-gate K043=namespace-on-cluster-scoped K044=quantity-below-nano K045=quantity-beyond-64-bits
K046=more-flavors-than-status-holds K047=negative-retry K048=quota-management-without-gate K049=checks-overwritten
K050=local-queue-without-cluster-queue K051=flavor-not-found K052=admission-check-not-found
K053=admission-check-inactive K054=multikueue-check-conflict K055=topology-not-found K056=check-parameters
K057=multikueue-cluster-not-found K058=priority-class-not-found K059=cohort-misnamed K060=cohort-not-declared
K061=local-queue-not-found K062=several-global-defaults K063=cluster-queue-without-local-queue K064=unused-object
K065=limit-range-undercounts K067=cohort-without-queues K068=priority-class-unused K069=local-queues-alike
K070=default-queue-misnamed K071=no-default-queue K072=default-queue-stopped K073=queue-in-unmanaged-namespace
K074=namespace-selector-absent K075=namespace-not-selected K076=namespace-selector-open K077=namespace-selector-key
K078=topology-level-absent K079=topology-mixed K080=resource-not-covered K081=usual-resource-not-covered
K082=covered-resource-excluded K083=transformation-without-quota K084=dead-flavor K085=groups-apart
K086=unlikely-quota K087=nothing-shared K088=resource-spelt-differently K089=no-resource-groups
K090=borrowing-limit-never-binds K091=lending-limit-never-binds K092=cohort-without-effect
K093=cohort-quota-unreachable K094=nothing-to-borrow K095=unlimited-borrowing K096=cohort-lends-less
K097=cohort-quota-counted-twice K098=workload-too-large K099=flavor-without-nodes K100=flavors-overlap
K101=quota-above-nodes K102=nodes-without-quota K103=pod-above-nodes K104=catch-all-flavor-first
K105=taint-not-tolerated K106=own-taints-tolerated K107=prefer-no-schedule-taint K108=node-taint-not-listed
K109=selector-key-unknown K110=configuration-not-yaml K111=configuration-unknown-key K112=configuration-key-removed
K113=configuration-key-too-new K114=configuration-wrong-type K115=configuration-version-unserved
K116=several-configurations K117=managed-namespaces-not-selectable K118=framework-not-known
K119=fair-sharing-strategies-unsupported K120=admission-fair-sharing-out-of-range
K121=wait-for-pods-ready-out-of-range K122=quota-check-strategy-conflict K123=transformation-ambiguous
K124=device-classes-not-mappable K125=multikueue-settings-out-of-range K126=retention-negative
K127=visibility-server-not-bindable K128=metric-labels-not-allowed K129=tls-settings-not-allowed
K130=feature-gate-unknown K131=feature-gate-not-settable K132=feature-gates-given-twice
K133=configuration-block-not-enabled K134=pods-ready-timeout-by-default K135=admission-waits-for-pods
K136=no-reclaim-with-fair-sharing K137=borrow-policy-with-fair-sharing K138=lent-quota-not-reclaimable
K139=lower-priority-without-priorities K140=reclaim-not-any K141=cohort-policy-without-cohort
K142=priority-threshold-without-policy K143=priorities-order-only K144=queue-priority-without-priorities
K145=newer-preempted-by-creation K146=borrowing-without-threshold K147=preemption-over-several-flavors
K148=preemption-over-borrowing K149=fungibility-without-choice K150=preempts-before-next-flavor
K151=borrows-before-own-quota K152=weight-zero K153=weight-without-effect K154=weights-far-apart
K155=cohort-weight-missing K156=equal-shares-preempt-each-other K157=priority-below-share
K158=strict-fifo-over-flavors K160=gangs-starve K161=queue-stopped K162=check-on-no-flavors K163=check-skips-flavors
K164=too-many-admission-checks K165=concurrent-admission-gate-off K166=admission-scope-without-configuration
K167=admission-fair-sharing-without-scope K168=local-queue-weight-without-effect K169=usage-half-life-zero
K170=resource-weights-missing K171=usage-before-priority K172=local-queue-weight-not-positive
K173=framework-not-enabled K174=job-in-unmanaged-namespace K175=min-parallelism-out-of-range K176=job-setting-refused
K177=pod-group-incomplete K178=job-key-ignored K179=integer-beyond-32-bits K180=topology-request-unservable
K181=usage-sampled-too-rarely K182=usage-order-blocks K183=pod-set-group-too-large K184=several-topologies-needed
K185=nothing-to-place K186=slices-leave-pods K187=slice-layers-out-of-order K188=leader-constraints-ignored
K189=preference-for-the-widest-level K190=required-domain-too-small K191=resource-of-no-node
K192=topology-annotation-refused K193=topology-without-hosts K194=topology-flavors-overlap
K195=plain-flavor-on-topology-nodes K196=topology-flavor-in-several-trees K197=topology-decided-after-checks
K198=topology-missing-for-multikueue K199=hostname-shared K200=hostname-not-node-name K201=unmanaged-pod-with-topology
K202=resource-weights-partial K203=same-named-local-queues K204=usage-order-of-one
K205=usage-penalties-wait-for-checks K206=local-queue-weight-too-fine K207=job-shape-refused K208=workload-not-made
K209=pods-gated-after-admission K210=quota-rejects-pods-of-job K211=transformation-never-applies
K212=manager-crashes-without-cohort K213=amount-beyond-64-bits K214=preferences-swapped K215=waits-without-candidates
K216=devices-not-counted M001=unused-suppression M002=malformed-suppression M003=wrong-type M004=missing-field
M005=value-not-allowed M006=out-of-bounds M007=duplicate-entry M008=unknown-field M009=unreadable-object
M010=unknown-to-the-model Q001=group-of-scheduler-plugins Q002=amounts-refused Q003=min-sum-above-parent
Q004=parent-unfit Q005=cycle-of-parents Q006=keys-unlike-parent Q007=tree-unlike-parent Q008=name-used-twice
Q009=unknown-quota-named Q010=requested-beyond-max Q011=max-empty Q012=weight-unusable Q013=weights-in-unlike-units
Q014=min-sum-above-total Q015=min-on-no-node Q016=parent-without-children Q017=pod-on-parent Q018=max-above-parent
Q019=default-max-without-effect Q020=default-quota-is-large Q021=fixed-pods-beyond-min Q022=tree-without-effect
Q023=root-below-another Q024=lending-misread Q025=over-use-stays Q026=rounding-loses-devices Q027=idle-nodes-counted
Q028=quota-of-namespace-elsewhere Q029=guarantee-impossible Q030=idle-min-kept Q031=quota-rejects-pods-of-quota
"""

SUBJECTS = """\
AppWrapper CronJob Deployment JAXJob Job JobSet LeaderWorkerSet MPIJob PaddleJob Pod PyTorchJob RayCluster RayJob
RayService ReplicaSet SparkApplication StatefulSet TFJob TrainJob Workload XGBoostJob
"""

ENGINES = """\
elasticquota elasticquota-admission kai kai-admission kai-plan koordinator koordinator-admission kueue kueue-admission
kueue-living kueue-saturated
"""
