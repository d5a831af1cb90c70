"""The training loop: steps from `Batches`, losses, learning rate, and the encoder that did best on the validation files."""

from __future__ import annotations

import copy
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy
import torch
from torch.nn import functional

from .batches import Batches, Step, pad
from .co_occurrence import piece_vectors, word_directions
from .encoder import Encoder
from .evaluate import Measured, ranks
from .goal import Goal, Item
from .linear_start import start_projection
from .losses import contrastive, correlation, draw_pairs
from .neighbours import near_proofs
from .settings import Settings
from .tokenizer import Tokenizer

OTHER_HEAD = "(other)"
#: Spread of the pieces' starting vectors when they come from co-occurrences; from chance it is the encoder's own 0.02.
_START_SPREAD = 0.1
Tell = Callable[[str], None]


def head_of(tactic: str) -> str:
    """`rewrite` of `rewrite -> H`, `move` of `move=> x`, also behind `all:` and `try`-like words it is the first word."""
    word = ""
    for character in tactic:
        if not (character.isalnum() or character in "_'"):
            if word:
                break
            continue
        word += character
    return word


def tactic_heads(items: Sequence[Item], most: int) -> list[str]:
    counts = Counter(head_of(item.proof[0]) for item in items)
    counts.pop("", None)
    return [OTHER_HEAD, *(head for head, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[: most - 1])]


@dataclass
class Trained:
    encoder: Encoder
    heads: list[str]
    steps: int
    seconds: float
    #: Mean Spearman on the validation libraries, by step.
    history: list[dict[str, float]] = field(default_factory=list)


def embed(encoder: Encoder, tokenizer: Tokenizer, goals: Sequence[Goal], device: str = "cpu") -> numpy.ndarray:
    encoded = [tokenizer.encode(goal) for goal in goals]
    order = sorted(range(len(encoded)), key=lambda index: len(encoded[index].ids))
    result = numpy.zeros((len(goals), encoder.dimension), dtype=numpy.float32)
    encoder.eval()
    with torch.inference_mode():
        for start in range(0, len(order), 64):
            rows = order[start : start + 64]
            batch = pad([encoded[row] for row in rows], device)
            result[rows] = encoder(batch.ids, batch.segments, batch.mask)[0].cpu().numpy()
    return result


def train(
    items: Sequence[Item],
    validation: Measured,
    tokenizer: Tokenizer,
    settings: Settings,
    tell: Tell,
    start_from: Callable[[Encoder], None] | None = None,
    heads: Sequence[str] | None = None,
    minutes: float | None = None,
    measure_every: int = 250,
    keep: Callable[[Trained], None] | None = None,
    build: Callable[[int], Encoder] | None = None,
) -> Trained:
    """Train until the steps or the minutes are used up. With minutes the learning rate falls by the clock, and the result
    depends on the machine; without, it depends on the seed alone (on one machine and one version of the packages). `build` makes
    another encoder for so many tactic heads."""
    torch.manual_seed(settings.seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    head_names = list(heads) if heads is not None else tactic_heads(items, settings.tactic_heads)
    head_numbers = {name: number for number, name in enumerate(head_names)}
    encoder = build(len(head_names)) if build else Encoder(settings, len(tokenizer.pieces), len(head_names))
    proof_pieces = [numpy.array(tokenizer.text_ids(" ".join(item.proof))[:64], dtype=numpy.int64) for item in items]
    if start_from is not None:
        start_from(encoder)
    elif settings.co_occurrence:
        statements = (tokenizer.encode(item.closed).ids for item in items)
        vectors = piece_vectors(
            zip(statements, proof_pieces, strict=True), len(tokenizer.pieces), settings.width, settings.seed
        )
        with torch.no_grad():
            encoder.pieces.weight.copy_(torch.from_numpy(vectors * _START_SPREAD))
        start_projection(encoder, tokenizer, items, settings)
    if encoder.lexical is not None:
        if start_from is None:
            directions = word_directions(
                (tokenizer.encode(item.closed).ids for item in items), *encoder.lexical.weight.shape, settings.seed
            )
            with torch.no_grad():
                encoder.lexical.weight.copy_(torch.from_numpy(directions))
        encoder.lexical.weight.requires_grad_(False)
    encoder.to(device)
    tell(f"{sum(one.numel() for one in encoder.parameters()):,} parameters on {device}; looking for near proofs")
    near = near_proofs([item.proof for item in items], settings.positive_below, settings.alpha, settings.seed)
    batches = Batches(items, near, tokenizer, settings)
    tell(f"{len(items):,} items, {len(batches.with_near):,} of them with a near proof")
    first_heads = numpy.array([head_numbers.get(head_of(item.proof[0]), 0) for item in items])

    optimiser = torch.optim.AdamW(
        (parameter for parameter in encoder.parameters() if parameter.requires_grad),
        lr=settings.learning_rate,
        betas=(settings.beta1, settings.beta2),
        weight_decay=settings.weight_decay,
        fused=True,
    )
    random = numpy.random.default_rng(settings.seed + 1)
    began = time.monotonic()
    coming = batches.ahead(device)
    trained = Trained(encoder, head_names, 0, 0.0)
    best: tuple[float, dict[str, torch.Tensor]] | None = None
    sums: Counter[str] = Counter()
    while trained.steps < settings.steps and (minutes is None or time.monotonic() - began < minutes * 60):
        progress = trained.steps / settings.steps
        if minutes is not None:
            progress = max(progress, (time.monotonic() - began) / (minutes * 60))
        for group in optimiser.param_groups:
            group["lr"] = settings.learning_rate * _rate(progress, settings.warm_up)
        encoder.train()
        losses = _losses(encoder, next(coming), settings, random, proof_pieces, first_heads, device)
        total = sum(losses.values())
        optimiser.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimiser.step()
        trained.steps += 1
        for name, value in losses.items():
            sums[name] += float(value.detach())
        if trained.steps % measure_every == 0:
            measured = _validate(encoder, tokenizer, validation, device)
            means = {name: total / measure_every for name, total in sums.items()}
            sums.clear()
            trained.seconds = time.monotonic() - began
            trained.history.append({"step": trained.steps, **measured, **means})
            told = ", ".join(f"{name} {value:.3f}" for name, value in means.items())
            seen = f"Spearman {measured['spearman']:.4f}, recall@7 {measured['recall']:.3f}"
            tell(f"step {trained.steps} ({trained.seconds:.0f} s): {told}; validation: {seen}")
            if best is None or _worth(measured) > best[0]:
                best = _worth(measured), copy.deepcopy(encoder.state_dict())
                if keep is not None:
                    keep(trained)
    coming.close()
    measured = _validate(encoder, tokenizer, validation, device)
    trained.history.append({"step": trained.steps, **measured})
    if best is not None and best[0] > _worth(measured):
        encoder.load_state_dict(best[1])
    trained.seconds = time.monotonic() - began
    encoder.to("cpu").eval()
    return trained


def _rate(progress: float, warm_up: float) -> float:
    if progress < warm_up:
        return max(progress / warm_up, 0.01)
    return max(0.0, (1 - progress) / (1 - warm_up)) if warm_up < 1 else 1.0


def _validate(encoder: Encoder, tokenizer: Tokenizer, validation: Measured, device: str) -> dict[str, float]:
    """Means over the validation libraries."""

    def cosine(goals: Sequence[Goal]) -> numpy.ndarray:
        vectors = embed(encoder, tokenizer, goals, device)
        return vectors @ vectors.T

    figures = validation.of(cosine).values()
    recalls = [one.recall for one in figures if one.queries > 0]
    return {
        "spearman": float(numpy.mean([one.spearman for one in figures])) if figures else 0.0,
        "recall": float(numpy.mean(recalls)) if recalls else 0.0,
    }


def _worth(measured: dict[str, float]) -> float:
    """Near proofs found are what a user sees, the order of all others is what the search goes by: both count."""
    return measured["recall"] - measured["spearman"]


def _losses(
    encoder: Encoder, step: Step, settings: Settings, random, proof_pieces, first_heads, device
) -> dict[str, torch.Tensor]:
    pooled = torch.cat([encoder.pooled(group.ids, group.segments, group.mask) for group in step.groups])
    words = [encoder.words(group.ids, group.mask) for group in step.groups]
    embeddings = encoder.embedding(encoder.dropout(pooled), None if encoder.lexical is None else torch.cat(words))
    losses = {"contrastive": contrastive(embeddings, *draw_pairs(step.distances, settings, random), settings.temperature)}
    if settings.correlation_weight > 0 and step.same_library.sum() > 100:
        nearness = numpy.zeros(step.distances.shape, dtype=numpy.float32)
        nearness[step.same_library] = -ranks(step.distances[step.same_library])
        losses["correlation"] = settings.correlation_weight * correlation(
            embeddings,
            torch.from_numpy(nearness).to(device),
            torch.from_numpy(step.same_library).to(device),
        )
    if settings.tactic_head_weight > 0:
        wanted = torch.from_numpy(first_heads[step.items]).to(device)
        losses["head"] = settings.tactic_head_weight * functional.cross_entropy(encoder.tactic_head(pooled), wanted)
    if settings.proof_piece_weight > 0:
        target = numpy.zeros((len(step.items), encoder.pieces.num_embeddings), dtype=numpy.float32)
        for row, item in enumerate(step.items):
            target[row, proof_pieces[item]] = 1
        target /= numpy.maximum(target.sum(1, keepdims=True), 1)
        logits = encoder.proof_piece_logits(pooled)
        losses["pieces"] = settings.proof_piece_weight * functional.cross_entropy(
            logits, torch.from_numpy(target).to(device)
        )
    return losses
