"""Every parameter of a training. The defaults are the published recipe's where it has one."""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass, field, fields


def _setting(default, says: str):
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True)
class Settings:
    seed: int = _setting(1, "of everything that is drawn")
    steps: int = _setting(22_000, "optimiser steps")
    anchors: int = _setting(32, "statements per step that are pulled to a positive")
    fill: int = _setting(96, "further statements per step, from which negatives are drawn")
    one_library: float = _setting(0.7, "share of steps whose statements all come from one library")

    positive_below: float = _setting(0.3, "proof distance under which a pair is positive")
    negative_above: float = _setting(0.65, "proof distance over which a pair is negative")
    hard_negative_above: float = _setting(0.45, "from here to negative_above a pair is a hard negative")
    hard_negative_probability: float = _setting(0.3, "with which such a pair counts as negative; 0 is the ablation")
    negatives: int = _setting(4, "negatives per anchor; 0 draws as many as the step has statements")
    temperature: float = _setting(0.07, "of the contrastive loss")
    alpha: float = _setting(0.7, "weight of the edit distance in the proof distance")
    noise: float = _setting(0.05, "half-width of the uniform noise on proof distances")
    correlation_weight: float = _setting(1.0, "of the correlation between cosine and proof distance; 0 is the recipe")
    tactic_head_weight: float = _setting(0.2, "of predicting the first tactic's head; 0 is the ablation")
    proof_piece_weight: float = _setting(0.2, "of predicting the pieces of the proof's words, lemma names among them")

    learning_rate: float = _setting(5e-4, "peak; the recipe's 4e-6 is for fine-tuning a large pretrained encoder")
    beta1: float = _setting(0.9, "of AdamW")
    beta2: float = _setting(0.99, "of AdamW")
    weight_decay: float = _setting(1e-2, "of AdamW")
    warm_up: float = _setting(0.1, "share of the steps in which the rate rises; it falls linearly afterwards")
    dropout: float = _setting(0.1, "on what the last layer gives")
    inner_dropout: float = _setting(0.1, "on what every layer reads")
    hidden_pieces: float = _setting(0.15, "share of a goal's pieces that a step hides, drawn anew each time")

    vocabulary: int = _setting(8192, "pieces")
    maximum_length: int = _setting(128, "ids per goal")
    maximum_conclusion: int = _setting(96, "ids of the conclusion")
    width: int = _setting(256, "of the encoder")
    layers: int = _setting(4, "of the encoder")
    attention_heads: int = _setting(4, "per layer")
    dimension: int = _setting(256, "of the embedding")
    lexical_dimension: int = _setting(128, "of these, say which words a goal has, and are not learnt; 0 leaves them out")
    lexical_share: float = _setting(0.4, "of the cosine that comes from the words")
    co_occurrence: int = _setting(1, "1 starts pieces and projection from the corpus's statistics, 0 from chance")
    tactic_heads: int = _setting(64, "most frequent first words of tactics that are told apart")
    longest_proof: int = _setting(20, "steps; items with longer proofs are left out of training")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for entry in fields(Settings):
        parser.add_argument(
            f"--{entry.name.replace('_', '-')}",
            type=type(entry.default),
            default=entry.default,
            metavar="N",
            help=f"{entry.metadata['says']} (default {entry.default})",
        )


def from_arguments(arguments: argparse.Namespace) -> Settings:
    return Settings(**{entry.name: getattr(arguments, entry.name) for entry in fields(Settings)})


def as_json(settings: Settings) -> dict[str, float | int]:
    return asdict(settings)
