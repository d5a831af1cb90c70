"""A run's folder to a model folder: the network, the tokenizer, and the card that says what they are and names both by hash."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy
import onnxruntime

from .batches import pad
from .checkpoint import read_checkpoint
from .encoder import Encoder
from .goal import Goal
from .network import write_network
from .settings import as_json
from .tokenizer import Tokenizer
from .train import embed

#: How far the exported vectors may be from the float ones, as cosine. What 8 bits cost is measured and written in the card.
LEAST_COSINE = 0.99

#: Goals on which the card records Python's answer, so that any other implementation can be compared with it.
CHECKED = [
    {"conclusion": "forall n : nat, n + 0 = n", "hypotheses": []},
    {"conclusion": "n + S m = S (n + m)", "hypotheses": [{"name": "n", "type": "nat"}, {"name": "m", "type": "nat"}]},
    {"conclusion": "l ++ [] = l", "hypotheses": [{"name": "A", "type": "Type"}, {"name": "l", "type": "list A"}]},
    {"conclusion": "∀ (P Q : iProp Σ), P ∗ Q ⊢ Q ∗ P", "hypotheses": []},
    {
        "conclusion": "(x <= y)%R",
        "hypotheses": [
            {"name": "x", "type": "R"},
            {"name": "y", "type": "R", "body": "(x + 1)%R"},
            {"name": "Hx", "type": "(0 <= x)%R"},
        ],
    },
    {"conclusion": "map (fun x => f (g x)) xs = map f (map g xs)", "hypotheses": [{"name": "xs", "type": "list A"}]},
    {"conclusion": "𝔸 ≡ₚ naïve_日本 ⊆ \u00a0X'", "hypotheses": []},
    {"conclusion": " -> ".join(["A /\\ B"] * 120), "hypotheses": [{"name": f"H{i}", "type": "P i"} for i in range(80)]},
    {"conclusion": "{in A &, injective f}", "hypotheses": [{"name": "f", "type": "aT -> rT"}]},
]


def goal_of(entry: dict) -> Goal:
    texts = []
    for one in entry["hypotheses"]:
        body = f" := {one['body']}" if "body" in one else ""
        texts.append(f"{one['name']}{body} : {one['type']}")
    return Goal(entry["conclusion"], tuple(texts))


class Exported:
    """The network as others run it."""

    def __init__(self, path: Path, tokenizer: Tokenizer, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.tokenizer = tokenizer

    def embed(self, goals: Sequence[Goal], batch: int = 32) -> numpy.ndarray:
        encoded = [self.tokenizer.encode(goal) for goal in goals]
        order = sorted(range(len(encoded)), key=lambda index: len(encoded[index].ids))
        found: list[numpy.ndarray | None] = [None] * len(goals)
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            padded = pad([encoded[row] for row in rows])
            (vectors,) = self.session.run(
                ["embedding"],
                {
                    "input_ids": padded.ids.numpy(),
                    "segment_ids": padded.segments.numpy(),
                    "attention_mask": padded.mask.numpy(),
                },
            )
            for row, vector in zip(rows, vectors, strict=True):
                found[row] = vector
        return numpy.stack(found)


def write_model(
    run: Path,
    folder: Path,
    name: str,
    licences: dict[str, str],
    limits: Sequence[str],
    figures: dict,
) -> dict:
    trained, tokenizer, settings, about = read_checkpoint(run)
    folder.mkdir(parents=True, exist_ok=True)
    network, pieces = folder / "ranker.onnx", folder / "tokenizer.json"
    write_network(trained.encoder, network)
    shutil.copyfile(run / "tokenizer.json", pieces)
    exported = Exported(network, tokenizer)
    goals = [goal_of(entry) for entry in CHECKED]
    vectors = exported.embed(goals)
    cosine = _least_cosine(trained.encoder, tokenizer, goals, vectors)
    if cosine < LEAST_COSINE:
        raise ValueError(f"8 bits cost too much: a vector's cosine with the trained one is {cosine:.4f}")
    card = {
        "format": "quod-ranker",
        "version": 1,
        "name": name,
        "dimension": settings.dimension,
        "created": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "model_sha256": _hash(network),
        "tokenizer_sha256": _hash(pieces),
        "licence": "Apache-2.0",
        "corpus": [{**one, "licence": licences.get(one["library"], "not stated")} for one in about["corpus"]],
        "held_out": about["held_out"],
        "training": {
            **as_json(settings),
            "steps_done": trained.steps,
            "seconds": round(trained.seconds),
            "started_from": about.get("started_from"),
        },
        "figures": {**figures, "least_cosine_of_8_bits": round(cosine, 5)},
        "limits": list(limits),
        "tactic_heads": trained.heads,
        "check": [
            {**entry, "ids": tokenizer.encode(goal).ids, "embedding": [round(float(value), 6) for value in vector]}
            for entry, goal, vector in zip(CHECKED, goals, vectors, strict=True)
        ],
    }
    # The card last: a folder without one is no model.
    part = folder / "card.part"
    part.write_text(json.dumps(card, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    os.replace(part, folder / "card.json")
    return card


def _least_cosine(encoder: Encoder, tokenizer: Tokenizer, goals: Sequence[Goal], vectors: numpy.ndarray) -> float:
    return float((embed(encoder, tokenizer, goals) * vectors).sum(1).min())


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
