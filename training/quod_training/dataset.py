"""Items from what `quod mine` wrote, and what must not be among them.

A folder of JSON Lines, one file per source. A line that cannot be read is an error that names file and line, not a
smaller data set. Held-out libraries are excluded by name and by content, because copies of files travel between libraries.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path


from .goal import Goal, Item
from .proof import proof_steps


class BrokenDataset(ValueError):
    """What is wrong with a data set, and where."""


def read_mined(folder: Path) -> Iterator[tuple[Item, str]]:
    """Items with the split each belongs to."""
    files = sorted(folder.rglob("*.jsonl"))
    if not files:
        raise BrokenDataset(f"{folder} holds no .jsonl file. Make one with: quod mine PATH -o {folder}")
    for path in files:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield _item(json.loads(line))
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise BrokenDataset(f"{path}:{number}: not an item of `quod mine`: {error!r}") from error


def _item(entry: dict) -> tuple[Item, str]:
    if entry["split"] not in ("train", "validation", "test"):
        raise ValueError(f"unknown split {entry['split']}")
    goal = " ".join(entry["goal"].split())
    texts = [(_hypothesis(one), bool(one.get("section"))) for one in entry["hypotheses"]]
    bound = [f"({text})" for text, of_section in texts if not of_section]
    item = Item(
        goal=Goal(goal, tuple(text for text, _ in texts)),
        closed=Goal(
            f"forall {' '.join(bound)}, {goal}" if bound else goal,
            tuple(text for text, of_section in texts if of_section),
        ),
        proof=tuple(proof_steps(entry["tactics"])),
        library=entry["library"],
        file=entry["file"],
        name=entry["name"],
        original=entry["isOriginal"],
    )
    return item, entry["split"]


def _hypothesis(entry: dict) -> str:
    body = f" := {entry['body']}" if entry.get("body") else ""
    return " ".join(f"{entry['name']}{body} : {entry['type']}".split())


def split_of(file_content: bytes, seed: int) -> str:
    """70/20/10 by file, for sources that were not mined."""
    digest = hashlib.sha256(f"{seed}\n".encode() + file_content).digest()
    share = int.from_bytes(digest[:8], "big") / 2**64
    return "train" if share < 0.7 else "validation" if share < 0.9 else "test"


def _content_of(item: Item) -> tuple[str, tuple[str, ...]]:
    return "".join((item.goal.conclusion, *item.goal.hypotheses)).replace(" ", ""), item.proof


def is_within(library: str, prefixes: Iterable[str]) -> bool:
    """Whether a logical name is one of these or below one of them."""
    return any(library == prefix or library.startswith(prefix + ".") for prefix in prefixes)


def without(items: Iterable[Item], held_out: Iterable[Item]) -> list[Item]:
    """Items none of which says and proves the same as a held-out one, and no item twice."""
    seen = {_content_of(item) for item in held_out}
    kept = []
    for item in items:
        content = _content_of(item)
        if content not in seen:
            seen.add(content)
            kept.append(item)
    return kept
