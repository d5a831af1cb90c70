"""The items a run trains on and is validated on, and those it must never see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .dataset import is_within, read_mined, without
from .goal import Item
from .settings import Settings
from .sources import read_sources


@dataclass(frozen=True)
class Corpus:
    train: list[Item]
    validation: list[Item]
    held_out: list[Item]

    def about(self) -> list[dict[str, str | int]]:
        """Per library what was trained on."""
        items = Counter(item.collection for item in self.train)
        files = {name: len({item.file for item in self.train if item.collection == name}) for name in items}
        return [{"library": name, "files": files[name], "items": items[name]} for name in sorted(items)]


def read_corpus(
    mined: Sequence[Path], sources: Sequence[Path], held_out: Sequence[str], settings: Settings
) -> Corpus:
    entries = [entry for folder in mined for entry in read_mined(folder)]
    entries += [entry for root in sources for entry in read_sources(root, settings.seed)]
    out = [item for item, _ in entries if is_within(item.library, held_out)]
    kept = [(item, split) for item, split in entries if not is_within(item.library, held_out) and item.proof]
    validation = [item for item, split in kept if split == "validation"]
    # The same file may be read mined and as a source, and be split differently: then it is not for training.
    elsewhere = {item.library for item, split in kept if split != "train"}
    short = [item for item, _ in kept if item.library not in elsewhere and len(item.proof) <= settings.longest_proof]
    return Corpus(without(short, [*out, *validation]), without(validation, out), out)
