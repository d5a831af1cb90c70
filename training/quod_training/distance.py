"""How far two proofs are apart: the same definition as src/retrieval's, to the last bit that floats allow.

`distance` is the definition, slow; `distance_matrix` gives all pairs of a batch at once: the tactics are interned, their
string distances computed once in C, and the alignment runs over all pairs together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

ALPHA = 0.7
Proof = Sequence[str]


def substitution(a: str, b: str) -> float:
    return 0.0 if a == b else Levenshtein.distance(a, b) / max(len(a), len(b))


def distance(p: Proof, q: Proof, alpha: float = ALPHA) -> float:
    if not p and not q:
        return 0.0
    row = [float(j) for j in range(len(q) + 1)]
    for i, a in enumerate(p, 1):
        previous, row = row, [float(i)]
        for j, b in enumerate(q, 1):
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + substitution(a, b)))
    first, second = set(p), set(q)
    aligned = row[-1] / max(len(p), len(q))
    shared = 1 - len(first & second) / len(first | second)
    return alpha * aligned + (1 - alpha) * shared


def distance_matrix(
    proofs: Sequence[Proof], alpha: float = ALPHA, noise: float = 0.0, seed: int = 0
) -> numpy.ndarray:
    """All pairs' distances, symmetric, the diagonal 0. Noise is uniform in [-noise, noise], the same for (i, j) and (j, i)."""
    count = len(proofs)
    numbers: dict[str, int] = {}
    interned = [[numbers.setdefault(tactic, len(numbers)) for tactic in proof] for proof in proofs]
    lengths = numpy.array([len(proof) for proof in interned])
    longest = int(lengths.max(initial=0))
    if longest == 0:
        return numpy.zeros((count, count))
    tactics = list(numbers)
    costs = cdist(tactics, tactics, scorer=Levenshtein.distance, dtype=numpy.int32).astype(numpy.float64)
    sizes = numpy.array([len(tactic) for tactic in tactics])
    costs /= numpy.maximum(numpy.maximum(sizes[:, None], sizes[None, :]), 1)
    padded = numpy.zeros((count, longest), dtype=numpy.int64)
    for index, proof in enumerate(interned):
        padded[index, : len(proof)] = proof

    left, right = numpy.triu_indices(count, 1)
    # Pairs sorted by their longer side, so that short ones leave the loops early.
    order = numpy.argsort(-numpy.maximum(lengths[left], lengths[right]), kind="stable")
    left, right = left[order], right[order]
    a_length, b_length = lengths[left], lengths[right]
    result = numpy.empty(len(left))
    pair_longest = numpy.maximum(a_length, b_length)
    for start in range(0, len(left), _BLOCK):
        block = slice(start, start + _BLOCK)
        result[block] = _align(padded[left[block]], padded[right[block]], a_length[block], b_length[block], costs)
    aligned = numpy.where(pair_longest > 0, result / numpy.maximum(pair_longest, 1), 0.0)

    member = numpy.zeros((count, len(tactics)), dtype=numpy.float32)
    for index, proof in enumerate(interned):
        member[index, proof] = 1
    both = (member @ member.T)[left, right].astype(numpy.float64)
    set_sizes = member.sum(axis=1)
    either = set_sizes[left] + set_sizes[right] - both
    shared = numpy.where(either > 0, 1 - both / numpy.maximum(either, 1), 0.0)

    values = alpha * aligned + (1 - alpha) * shared
    if noise > 0:
        values = values + numpy.random.default_rng(seed).uniform(-noise, noise, size=values.shape)
    matrix = numpy.zeros((count, count))
    matrix[left, right] = values
    matrix[right, left] = values
    return matrix


def distances_between(proofs: Sequence[Proof], others: Sequence[Proof], alpha: float = ALPHA) -> numpy.ndarray:
    """Row: one of `proofs`, column: one of `others`, which must hold at least one tactic each."""
    numbers: dict[str, int] = {}
    other_numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(tactic, len(numbers)) for tactic in proof] for proof in proofs]
    columns = [[other_numbers.setdefault(tactic, len(other_numbers)) for tactic in proof] for proof in others]
    costs = cdist(list(numbers), list(other_numbers), scorer=Levenshtein.normalized_distance, dtype=numpy.float64)
    lengths = numpy.array([len(proof) for proof in rows])
    padded = numpy.zeros((len(rows), max(1, int(lengths.max(initial=0)))), dtype=numpy.int64)
    for index, proof in enumerate(rows):
        padded[index, : len(proof)] = proof
    order = numpy.argsort(lengths, kind="stable")
    sets = [frozenset(proof) for proof in proofs]
    result = numpy.empty((len(proofs), len(others)))
    for column, (proof, other) in enumerate(zip(columns, others, strict=True)):
        other_set = frozenset(other)
        shared = numpy.array([1 - len(one & other_set) / len(one | other_set) for one in sets])
        aligned = numpy.empty(len(proofs))
        # Of like length, so that short proofs leave the loops early.
        for members in numpy.array_split(order, 1 + len(order) // 1024):
            same = numpy.tile(numpy.array(proof), (len(members), 1))
            aligned[members] = _align(padded[members], same, lengths[members], numpy.full(len(members), len(proof)), costs)
        result[:, column] = alpha * aligned / numpy.maximum(lengths, len(proof)) + (1 - alpha) * shared
    return result


_BLOCK = 1 << 15


def _align(a, b, a_length, b_length, costs) -> numpy.ndarray:
    """Edit distances of padded rows of interned tactics, one per pair."""
    rows, columns = int(a_length.max(initial=0)), int(b_length.max(initial=0))
    row = numpy.broadcast_to(numpy.arange(columns + 1, dtype=numpy.float64)[:, None], (columns + 1, len(a))).copy()
    result = numpy.where(a_length == 0, b_length, 0).astype(numpy.float64)
    index = numpy.arange(len(a))
    a, b = numpy.ascontiguousarray(a.T), numpy.ascontiguousarray(b.T)
    for i in range(1, rows + 1):
        previous, row = row, numpy.empty_like(row)
        row[0] = i
        for j in range(1, columns + 1):
            step = costs[a[i - 1], b[j - 1]]
            step += previous[j - 1]
            numpy.minimum(step, previous[j] + 1, out=step)
            numpy.minimum(step, row[j - 1] + 1, out=row[j])
        done = a_length == i
        if done.any():
            result[done] = row[b_length[done], index[done]]
    return result
