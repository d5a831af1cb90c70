"""What training minimises, from a step's embeddings and its exact proof distances."""

from __future__ import annotations

import numpy
import torch
from torch.nn import functional

from .settings import Settings


def draw_pairs(
    distances: numpy.ndarray, settings: Settings, random: numpy.random.Generator
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """(anchor, positive, negatives) of every statement of the step that has a positive and enough negatives in it.

    Negatives are pairs above `negative_above`, and hard negatives with their probability.
    """
    count = len(distances)
    others = ~numpy.eye(count, dtype=bool)
    positive = (distances < settings.positive_below) & others
    hard = (distances >= settings.hard_negative_above) & (distances <= settings.negative_above)
    drawn = random.random(distances.shape) < settings.hard_negative_probability
    negative = ((distances > settings.negative_above) | (hard & drawn)) & others
    wanted = settings.negatives if settings.negatives > 0 else count
    anchors, positives, negatives = [], [], []
    for anchor in range(count):
        near, far = numpy.flatnonzero(positive[anchor]), numpy.flatnonzero(negative[anchor])
        if len(near) == 0 or len(far) == 0 or len(far) < settings.negatives:
            continue
        anchors.append(anchor)
        positives.append(random.choice(near))
        chosen = random.choice(far, wanted, replace=len(far) < wanted)
        negatives.append(chosen)
    return numpy.array(anchors, int), numpy.array(positives, int), numpy.array(negatives, int).reshape(-1, wanted)


def contrastive(
    embeddings: torch.Tensor, anchors: numpy.ndarray, positives: numpy.ndarray, negatives: numpy.ndarray, temperature: float
) -> torch.Tensor:
    """InfoNCE: the positive against the negatives, by cosine over temperature."""
    if len(anchors) == 0:
        return embeddings.sum() * 0
    device = embeddings.device
    others = torch.as_tensor(numpy.concatenate([positives[:, None], negatives], axis=1), device=device)
    start = embeddings[torch.as_tensor(anchors, device=device)]
    logits = (embeddings[others] @ start[:, :, None]).squeeze(-1) / temperature
    return functional.cross_entropy(logits, torch.zeros(len(anchors), dtype=torch.long, device=device))


def correlation(embeddings: torch.Tensor, targets: torch.Tensor, compared: torch.Tensor) -> torch.Tensor:
    """1 - Pearson's r between cosine and `targets` (ranks of nearness) over the compared pairs."""
    cosine = (embeddings @ embeddings.T)[compared]
    wanted = targets[compared]
    cosine = cosine - cosine.mean()
    wanted = wanted - wanted.mean()
    return 1 - (cosine * wanted).sum() / (cosine.norm() * wanted.norm() + 1e-6)
