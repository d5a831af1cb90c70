"""The statements of one training step, padded by length, with the exact distances between their proofs."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy
import torch

from .distance import distance_matrix
from .goal import Item
from .settings import Settings
from .tokenizer import MASK, SPECIAL, Encoded, Tokenizer

#: A step is cut into this many groups of like length, so that little of it is padding.
_GROUPS = 4


@dataclass(frozen=True)
class Padded:
    ids: torch.Tensor
    segments: torch.Tensor
    mask: torch.Tensor


def pad(goals: Sequence[Encoded], device: torch.device | str = "cpu") -> Padded:
    longest = max(len(goal.ids) for goal in goals)
    ids = numpy.zeros((len(goals), longest), dtype=numpy.int64)
    segments, mask = numpy.zeros_like(ids), numpy.zeros_like(ids)
    for row, goal in enumerate(goals):
        ids[row, : len(goal.ids)] = goal.ids
        segments[row, : len(goal.ids)] = goal.segments
        mask[row, : len(goal.ids)] = 1
    return Padded(*(torch.from_numpy(part).to(device) for part in (ids, segments, mask)))


@dataclass(frozen=True)
class Step:
    #: Rows in the order of `items`.
    items: numpy.ndarray
    groups: list[Padded]
    distances: numpy.ndarray
    #: Pairs (i, j) within one library, i < j.
    same_library: numpy.ndarray


class Batches:
    def __init__(
        self, items: Sequence[Item], near: Sequence[Sequence[int]], tokenizer: Tokenizer, settings: Settings
    ) -> None:
        self.items, self.near, self.tokenizer, self.settings = items, near, tokenizer, settings
        self.random = numpy.random.default_rng(settings.seed)
        self.with_near = numpy.array([index for index, others in enumerate(near) if others], dtype=int)
        if len(self.with_near) == 0:
            raise ValueError("no two proofs of the training set are near each other: there is nothing to learn from")
        self.everything = numpy.arange(len(items))
        of_library: dict[str, list[int]] = defaultdict(list)
        for index, item in enumerate(items):
            of_library[item.collection].append(index)
        names = sorted(of_library)
        self.numbers = {name: number for number, name in enumerate(names)}
        self.number_of = numpy.array([self.numbers[item.collection] for item in items])
        self.of_library = [numpy.array(of_library[name]) for name in names]
        has_near = numpy.zeros(len(items), dtype=bool)
        has_near[self.with_near] = True
        self.near_of_library = [members[has_near[members]] for members in self.of_library]
        # Large libraries are drawn more often, but less than their size would have it.
        weight = numpy.array([len(members) ** 0.5 if len(near) else 0 for members, near in zip(self.of_library, self.near_of_library, strict=True)])
        self.weights = weight / weight.sum()

    def next(self, device: torch.device | str = "cpu") -> Step:
        chosen = self._draw()
        goals = []
        for index in chosen:
            item = self.items[index]
            goals.append(self._hidden(self.tokenizer.encode(item.goal if self.random.random() < 0.5 else item.closed)))
        order = numpy.argsort([len(goal.ids) for goal in goals], kind="stable")
        chosen, goals = chosen[order], [goals[row] for row in order]
        cuts = [rows for rows in numpy.array_split(numpy.arange(len(goals)), _GROUPS) if len(rows)]
        library = self.number_of[chosen]
        return Step(
            items=chosen,
            groups=[pad([goals[row] for row in rows], device) for rows in cuts],
            distances=distance_matrix(
                [self.items[index].proof for index in chosen],
                self.settings.alpha,
                self.settings.noise,
                int(self.random.integers(1 << 31)),
            ),
            same_library=numpy.triu(library[:, None] == library[None, :], 1),
        )

    def ahead(self, device: torch.device | str = "cpu") -> Iterator[Step]:
        """Steps without end; while one is learnt from, the distances of the next are computed in a thread."""
        with ThreadPoolExecutor(max_workers=1) as worker:
            coming = worker.submit(self.next, device)
            while True:
                step = coming.result()
                coming = worker.submit(self.next, device)
                yield step

    def _hidden(self, goal: Encoded) -> Encoded:
        """With some pieces masked: without it a small corpus is learnt by heart within a few rounds."""
        hidden = self.random.random(len(goal.ids)) < self.settings.hidden_pieces
        ids = [MASK if hide and piece >= len(SPECIAL) else piece for piece, hide in zip(goal.ids, hidden, strict=True)]
        return dataclasses.replace(goal, ids=ids)

    def _draw(self) -> numpy.ndarray:
        if self.random.random() < self.settings.one_library:
            library = self.random.choice(len(self.of_library), p=self.weights)
            anchors_from, fill_from = self.near_of_library[library], self.of_library[library]
        else:
            anchors_from, fill_from = self.with_near, self.everything
        anchors = self.random.choice(anchors_from, min(self.settings.anchors, len(anchors_from)), replace=False)
        positives = [self.near[anchor][self.random.integers(len(self.near[anchor]))] for anchor in anchors]
        fill = self.random.choice(fill_from, min(self.settings.fill, len(fill_from)), replace=False)
        return numpy.unique(numpy.concatenate([anchors, positives, fill]))
