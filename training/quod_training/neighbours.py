"""For every item, others of the training set whose proofs are near: what a contrastive step needs and chance never gives.

Two proofs nearer than 0.3 share a tactic word for word (else the set term alone is 0.3), so shared tactics give the
candidates, and the length and set terms discard most of them before any alignment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy

from .distance import distance


def near_proofs(
    proofs: Sequence[tuple[str, ...]],
    below: float,
    alpha: float,
    seed: int,
    candidates: int = 48,
    wanted: int = 6,
) -> list[list[int]]:
    """At most `wanted` neighbours of each proof, drawn with the seed among at most `candidates` looked at."""
    random = numpy.random.default_rng(seed)
    holders: dict[str, list[int]] = defaultdict(list)
    sets = [frozenset(proof) for proof in proofs]
    for index, tactics in enumerate(sets):
        for tactic in sorted(tactics):
            holders[tactic].append(index)
    found: list[list[int]] = []
    for index, proof in enumerate(proofs):
        # Rare tactics first: what they share is more of the proof.
        looked: dict[int, None] = {}
        for tactic in sorted(sets[index], key=lambda one: (len(holders[one]), one)):
            others = holders[tactic]
            room = candidates - len(looked)
            if room <= 0:
                break
            drawn = others if len(others) <= room else [others[i] for i in random.integers(0, len(others), room)]
            looked.update(dict.fromkeys(drawn))
        near: list[int] = []
        for other in looked:
            if other == index:
                continue
            if _at_least(proof, proofs[other], sets[index], sets[other], alpha) < below:
                if distance(proof, proofs[other], alpha) < below:
                    near.append(other)
                    if len(near) == wanted:
                        break
        found.append(near)
    return found


def _at_least(p, q, p_set, q_set, alpha: float) -> float:
    shared = len(p_set & q_set)
    jaccard = 1 - shared / (len(p_set) + len(q_set) - shared)
    return alpha * abs(len(p) - len(q)) / max(len(p), len(q)) + (1 - alpha) * jaccard
