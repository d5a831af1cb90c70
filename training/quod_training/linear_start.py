"""Where the projection starts: the least-squares map from what the untrained encoder pools to what proofs' distances ask for.

The distances of a sample of proofs to a few landmark proofs, as ranks, give every proof a position (Nyström's method)
such that products of positions follow nearness; ridge regression maps the pooled states there. Everything is centred within
each library, since rankers are asked about proofs of one library. It takes as long as some dozens of steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import torch

from .batches import pad
from .distance import distances_between
from .encoder import Encoder
from .evaluate import ranks
from .goal import Item
from .settings import Settings
from .tokenizer import Tokenizer

_SAMPLE, _LANDMARKS, _DIRECTIONS = 4000, 96, 48
_RIDGE = 1e-2
#: Spread of the directions that the positions do not use, so that they can be learnt.
_UNUSED_SPREAD = 1e-3


def start_projection(encoder: Encoder, tokenizer: Tokenizer, items: Sequence[Item], settings: Settings) -> None:
    random = numpy.random.default_rng(settings.seed)
    chosen = random.choice(len(items), min(_SAMPLE, len(items)), replace=False)
    sample = [items[index] for index in chosen]
    landmarks = sample[: min(_LANDMARKS, len(sample) // 4)]
    proofs = [item.proof for item in sample]
    distances = distances_between(proofs, proofs[: len(landmarks)], settings.alpha)
    nearness = 0.5 - ranks(distances.ravel()).reshape(distances.shape) / distances.size

    libraries = numpy.unique([item.collection for item in sample], return_inverse=True)[1]
    nearness = _within(nearness, libraries)
    among = (nearness[: len(landmarks)] + nearness[: len(landmarks)].T) / 2
    values, vectors = numpy.linalg.eigh(among)
    kept = numpy.argsort(-values)[: min(_DIRECTIONS, encoder.project.out_features)]
    kept = kept[values[kept] > 0.01 * values.max()]
    positions = nearness @ vectors[:, kept] / numpy.sqrt(values[kept])

    pooled = _pooled(encoder, tokenizer, [item.closed if number % 2 else item.goal for number, item in enumerate(sample)])
    states = _within(pooled, libraries)
    spread = states.std(axis=0) + 1e-6
    states = states / spread
    gram = states.T @ states
    ridge = _RIDGE * numpy.trace(gram) / len(gram) * numpy.eye(len(gram))
    weights = numpy.linalg.solve(gram + ridge, states.T @ _within(positions, libraries)) / spread[:, None]
    scale = numpy.linalg.norm(pooled @ weights, axis=1).mean() + 1e-9
    with torch.no_grad():
        torch.nn.init.normal_(encoder.project.weight, std=_UNUSED_SPREAD)
        encoder.project.weight[: len(kept)] = torch.from_numpy((weights / scale).T.astype(numpy.float32))
        encoder.project.bias.copy_(-encoder.project.weight @ torch.from_numpy(pooled.mean(axis=0).astype(numpy.float32)))


def _within(values: numpy.ndarray, groups: numpy.ndarray) -> numpy.ndarray:
    """Values less the mean of their group."""
    counts = numpy.bincount(groups)
    sums = numpy.zeros((len(counts), values.shape[1]))
    numpy.add.at(sums, groups, values)
    return values - (sums / counts[:, None])[groups]


def _pooled(encoder: Encoder, tokenizer: Tokenizer, goals) -> numpy.ndarray:
    encoded = [tokenizer.encode(goal) for goal in goals]
    order = sorted(range(len(encoded)), key=lambda index: len(encoded[index].ids))
    found = numpy.zeros((len(goals), encoder.project.in_features))
    encoder.eval()
    with torch.inference_mode():
        for start in range(0, len(order), 64):
            rows = order[start : start + 64]
            batch = pad([encoded[row] for row in rows])
            found[rows] = encoder.pooled(batch.ids, batch.segments, batch.mask).numpy()
    return found
