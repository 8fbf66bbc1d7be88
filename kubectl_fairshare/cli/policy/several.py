"""Several simulations of one call: a comparison, a calibration or a sweep.

Tested in ``tests/unit/policy/simulation/test_comparing.py`` and ``test_sweeping.py``.
"""

from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.several_options import Several
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.policy.comparing import calibrate, compare, overlay_sets
from kubectl_fairshare.cli.policy.simulating import SimulationOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError


def give_answer_of_several(
    several: Several,
    options: SimulationOptions,
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
) -> int:
    """Prints the answer; the exit code. Raises ``UsageError`` for options that do not go together."""
    _check(several, options, screen)
    if several.what == "sweep":
        from kubectl_fairshare.cli.policy.swept import sweep

        return sweep(several, options, inputs, house, streams, screen)
    if several.calibrate:
        return calibrate(options, inputs, house, streams, screen)
    sets = overlay_sets(several.overlay_sets, inputs)
    return compare(options, sets, several.seeds, inputs, house, streams, screen)


def _check(several: Several, options: SimulationOptions, screen: ScreenOptions) -> None:
    is_sweep = several.what == "sweep"
    if not is_sweep and (several.vary or several.results):
        raise UsageError(Problem("`--vary` and `--results` are options for a sweep", help="write `simulate sweep …`"))
    if is_sweep and (several.overlay_sets or several.calibrate or screen.output == "parquet"):
        message = "a sweep takes no `--overlay-set`, no `--calibrate`, and no `-o parquet`"
        raise UsageError(Problem(message, help="vary fields with `--vary`; the folder has the results as Parquet"))
    if several.calibrate and (options.trace is None or several.overlay_sets or several.seeds > 1):
        message = "`--calibrate` replays the policy that was in force, once"
        raise UsageError(Problem(message, help="pass `--trace`, without `--overlay-set` and `--seeds`"))
    if screen.output == "svg":
        raise UsageError(Problem("`svg` is a form of a file of queues", "-o", "use `-o html`, `-o json` or `-o csv`"))
