"""A hook of mkdocs: links to files of the repository outside of the pages become their paths, if the files exist."""

import logging
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#]+|[^):#]+/)(#[^)]*)?\)")
LOG = logging.getLogger("mkdocs.hooks.site")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page with such links replaced; a warning, which a strict build fails on, for a missing file."""
    here = Path(page.file.abs_src_path).parent

    def replaced(match: re.Match[str]) -> str:
        target = (here / match[2]).resolve()
        if not target.exists():
            LOG.warning("%s links to %s, which does not exist", page.file.src_path, match[2])
        inside = target.is_relative_to(ROOT / "docs") and target.suffix in (".md", ".svg")
        return match[0] if inside else f"{match[1]} (`{target.relative_to(ROOT)}`)"

    return LINK.sub(replaced, markdown)
