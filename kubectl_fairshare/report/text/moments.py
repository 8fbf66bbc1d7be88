"""Ages as people read them, for the rooms above."""

from kubectl_fairshare.answers.ages import AsOf, age, lasting, span_text, when

__all__ = ("AsOf", "age", "lasting", "span_text", "when")
