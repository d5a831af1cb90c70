"""How well a ranker orders proofs, measured on whole libraries: each ranker's similarity against the proof distance."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy

from .distance import distance_matrix
from .goal import Goal, Item
from .tokenizer import words

NEAR = 0.3
SHOWN = 7
Similarity = Callable[[Sequence[Goal]], numpy.ndarray]


@dataclass(frozen=True)
class Figures:
    pairs: int
    pearson: float
    spearman: float
    #: Over the statements that have a near proof: the share of near proofs (at most 7) among the 7 shown.
    recall: float
    #: Over the same statements: one over the rank of the first near proof.
    reciprocal_rank: float
    queries: int


def ranks(values: numpy.ndarray) -> numpy.ndarray:
    """Ranks from 1, ties sharing the mean of theirs."""
    _, inverse, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def pearson(a: numpy.ndarray, b: numpy.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    scale = numpy.linalg.norm(a) * numpy.linalg.norm(b)
    return float((a * b).sum() / scale) if scale > 0 else 0.0


def figures(similarities: numpy.ndarray, distances: numpy.ndarray) -> Figures:
    """Correlations as published: of a similarity with the proof distance, so a good ranker is far below 0."""
    upper = numpy.triu_indices(len(distances), 1)
    similarity, distance = (similarities[upper] + similarities.T[upper]) / 2, distances[upper]
    scores = similarities.astype(float).copy()
    numpy.fill_diagonal(scores, -numpy.inf)
    order = numpy.argsort(-scores, axis=1, kind="stable")[:, :-1]
    near = distances < NEAR
    numpy.fill_diagonal(near, False)
    recalls, reciprocals = [], []
    for row in numpy.flatnonzero(near.any(axis=1)):
        hits = near[row, order[row]]
        recalls.append(hits[:SHOWN].sum() / min(SHOWN, near[row].sum()))
        reciprocals.append(1 / (1 + int(hits.argmax())))
    return Figures(
        pairs=len(distance),
        pearson=pearson(similarity, distance),
        spearman=pearson(ranks(similarity), ranks(distance)),
        recall=float(numpy.mean(recalls)) if recalls else math.nan,
        reciprocal_rank=float(numpy.mean(reciprocals)) if reciprocals else math.nan,
        queries=len(recalls),
    )


def _words(goal: Goal) -> list[str]:
    return [word for text in (goal.conclusion, *goal.hypotheses) for word in words(text)]


def jaccard(goals: Sequence[Goal]) -> numpy.ndarray:
    sets = [frozenset(_words(goal)) for goal in goals]
    return numpy.array([[len(a & b) / max(1, len(a | b)) for b in sets] for a in sets])


def bm25(goals: Sequence[Goal], k1: float = 1.2, b: float = 0.75) -> numpy.ndarray:
    """Row: the query, column: the document it is compared with."""
    documents = [Counter(_words(goal)) for goal in goals]
    lengths = numpy.array([sum(document.values()) for document in documents], dtype=float)
    holders: dict[str, list[int]] = defaultdict(list)
    for index, document in enumerate(documents):
        for word in document:
            holders[word].append(index)
    scores = numpy.zeros((len(goals), len(goals)))
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    for word, members in holders.items():
        weight = math.log(1 + (len(goals) - len(members) + 0.5) / (len(members) + 0.5))
        often = numpy.array([documents[index][word] for index in members], dtype=float)
        gains = weight * often * (k1 + 1) / (often + norm[members])
        for index in members:
            scores[index, members] += gains
    return scores


def by_library(items: Sequence[Item], most: int, seed: int) -> dict[str, list[Item]]:
    """The statements that people wrote, at most `most` of each library, drawn with the seed."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        if item.original and item.proof:
            groups[item.collection].append(item)
    random = numpy.random.default_rng(seed)
    drawn = {}
    for name in sorted(groups):
        members = groups[name]
        if len(members) > most:
            members = [members[index] for index in sorted(random.choice(len(members), most, replace=False))]
        if len(members) >= 20:
            drawn[name] = members
    return drawn


class Measured:
    """Libraries with their proof distances, computed once, on which rankers are compared."""

    def __init__(self, items: Sequence[Item], most: int, seed: int, alpha: float) -> None:
        self.libraries = by_library(items, most, seed)
        self.distances = {
            name: distance_matrix([item.proof for item in members], alpha) for name, members in self.libraries.items()
        }

    def of(self, similarity: Similarity, closed: bool = False) -> dict[str, Figures]:
        return {
            name: figures(similarity([item.closed if closed else item.goal for item in members]), self.distances[name])
            for name, members in self.libraries.items()
        }
