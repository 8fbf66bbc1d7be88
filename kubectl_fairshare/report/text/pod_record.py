"""What a cluster recorded about a pod, as lines of a screen."""

from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.moments import when
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.view import View


def pod_record_lines(record: PodRecord | None, view: View) -> list[str]:
    """Conditions, the nominated node, and the Events that repeat no condition, the newest first; no lines without."""
    if record is None:
        return []
    lines: list[str] = []
    for condition in record.conditions:
        if condition.status == "False" or condition.type == "PodScheduled":
            lines += _condition(condition, view)
    if record.nominated:
        lines += paragraph(f"nominatedNodeName: {record.nominated}", view, "    ", "      ")
    said = {condition.message for condition in record.conditions}
    events = [event for event in record.events if event.message not in said][::-1]
    for event in shown_items(events, view):
        lines += _event(event, view)
    return ["  the cluster recorded", *lines, *rest(events, view)] if lines else []


def _condition(of: Condition, view: View) -> list[str]:
    reason = f" {of.reason}" if of.reason else ""
    text = f"{of.type}={of.status}{reason}, {when(of.moment, view.now)}"
    lines = cited(text, view.cite(of.place), view, "    ", "      ")
    return lines + (paragraph(of.message, view, "      ", "      ") if of.message else [])


def _event(of: Note, view: View) -> list[str]:
    times = f" ×{of.count}" if of.count > 1 else ""
    return paragraph(f"{when(of.moment, view.now)} {of.reason}{times}: {of.message}", view, "    ", "      ")
