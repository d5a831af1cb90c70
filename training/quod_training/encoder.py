"""The encoder: a small self-attentive transformer over a goal's pieces, pooled to one L2-normalised vector.

Besides the embedding it predicts, from the same pooled state, the head of the proof's first tactic and which pieces the
proof's words consist of. The last serves training alone and is not exported.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from .settings import Settings


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention = nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.mixed = nn.Linear(width, width)
        self.before_forward = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 4 * width)
        self.contract = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.query_key_value(self.before_attention(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-1, -2) * (width // self.heads) ** -0.5 + mask[:, None, None, :]
        seen = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width)
        x = x + self.mixed(seen)
        return x + self.contract(functional.relu(self.expand(self.before_forward(x))))


class Encoder(nn.Module):
    def __init__(self, settings: Settings, pieces: int, tactic_heads: int) -> None:
        super().__init__()
        width = settings.width
        self.dimension = settings.dimension
        self.pieces = nn.Embedding(pieces, width)
        self.positions = nn.Embedding(settings.maximum_length, width)
        self.segments = nn.Embedding(2, width)
        self.blocks = nn.ModuleList(Block(width, settings.attention_heads) for _ in range(settings.layers))
        self.last = nn.LayerNorm(width)
        self.attend = nn.Linear(width, 1)
        self.dropout = nn.Dropout(settings.dropout)
        self.inner_dropout = nn.Dropout(settings.inner_dropout)
        self.project = nn.Linear(2 * width, settings.dimension - settings.lexical_dimension)
        self.tactic_head = nn.Linear(2 * width, tactic_heads)
        self.proof_pieces = nn.Linear(2 * width, width)
        #: A fixed direction of each piece, as long as the piece is rare: two goals that share words are near by it, also
        #: when their words were never trained on.
        self.lexical = nn.Embedding(pieces, settings.lexical_dimension) if settings.lexical_dimension > 0 else None
        self.lexical_share = settings.lexical_share if self.lexical is not None else 0.0
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def pooled(self, ids: torch.Tensor, segments: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        real = attention_mask.to(torch.float32)
        mask = (real - 1) * 1e9
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.pieces(ids) + self.positions(places) + self.segments(segments)
        for block in self.blocks:
            x = block(self.inner_dropout(x), mask)
        return self.mean_and_attended(self.last(x), real, mask)

    def mean_and_attended(self, x: torch.Tensor, real: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        mean = (x * real[:, :, None]).sum(1) / real.sum(1, keepdim=True)
        weights = (self.attend(x).squeeze(-1) + mask).softmax(-1)
        attended = (weights[:, None, :] @ x).squeeze(1)
        return torch.cat([mean, attended], -1)

    def words(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor | None:
        if self.lexical is None:
            return None
        return functional.normalize((self.lexical(ids) * attention_mask[:, :, None]).sum(1), dim=-1)

    def embedding(self, pooled: torch.Tensor, words: torch.Tensor | None) -> torch.Tensor:
        learnt = functional.normalize(self.project(pooled), dim=-1)
        if words is None:
            return learnt
        parts = [learnt * (1 - self.lexical_share) ** 0.5, words * self.lexical_share**0.5]
        # A goal of special pieces alone has no words.
        return functional.normalize(torch.cat(parts, -1), dim=-1)

    def forward(self, ids, segments, attention_mask) -> tuple[torch.Tensor, torch.Tensor]:
        pooled = self.pooled(ids, segments, attention_mask)
        return self.embedding(pooled, self.words(ids, attention_mask)), self.tactic_head(pooled)

    def proof_piece_logits(self, pooled: torch.Tensor) -> torch.Tensor:
        return self.proof_pieces(pooled) @ self.pieces.weight.T
