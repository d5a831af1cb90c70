"""Starting vectors for the pieces, from the corpus alone: pieces are alike when their statements and proofs hold alike pieces.

Positive pointwise mutual information between a statement's pieces and the pieces of the statement and its proof, reduced
by a randomised singular value decomposition. It takes seconds, and stands in for a long pretraining by masked pieces.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy

from .tokenizer import SPECIAL


def piece_vectors(
    pairs: Iterable[tuple[list[int], list[int]]], pieces: int, width: int, seed: int
) -> numpy.ndarray:
    """`pairs` holds the ids of a statement and of its proof. Rows have unit variance on average, rare pieces shorter ones."""
    counts = numpy.zeros((pieces, 2 * pieces), dtype=numpy.float32)
    for statement, proof in pairs:
        rows = numpy.unique(statement)
        columns = numpy.concatenate([rows, numpy.unique(proof) + pieces]).astype(int)
        counts[rows[:, None], columns[None, :]] += 1 / len(columns)
    total = counts.sum()
    rows, columns = counts.sum(1), counts.sum(0) ** 0.75
    columns *= total / max(columns.sum(), 1e-9)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        counts /= rows[:, None]
        counts *= total
        counts /= columns[None, :]
        numpy.log(counts, out=counts)
    numpy.nan_to_num(counts, copy=False, nan=0.0, posinf=0.0, neginf=0.0)
    numpy.maximum(counts, 0, out=counts)

    random = numpy.random.default_rng(seed)
    sample = counts @ random.standard_normal((counts.shape[1], width + 16), dtype=numpy.float32)
    for _ in range(2):
        basis, _ = numpy.linalg.qr(sample)
        sample = counts @ (counts.T @ basis)
    basis, _ = numpy.linalg.qr(sample)
    small = basis.T @ counts
    squares, left = numpy.linalg.eigh(small @ small.T)
    largest = numpy.argsort(-squares)[:width]
    vectors = (basis @ left[:, largest]) * numpy.maximum(squares[largest], 0) ** 0.25
    spread = vectors.std()
    return (vectors / spread if spread > 0 else vectors).astype(numpy.float32)


def word_directions(statements: Iterable[list[int]], pieces: int, dimension: int, seed: int) -> numpy.ndarray:
    """A random direction for each piece, as long as the logarithm of how rare it is among the statements; none for special pieces."""
    holders = numpy.zeros(pieces)
    count = 0
    for ids in statements:
        holders[numpy.unique(ids)] += 1
        count += 1
    rarity = numpy.log((count + 1) / (holders + 1))
    rarity[: len(SPECIAL)] = 0
    directions = numpy.random.default_rng(seed).standard_normal((pieces, dimension)) / dimension**0.5
    return (directions * rarity[:, None]).astype(numpy.float32)
