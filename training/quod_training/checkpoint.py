"""A run's folder while it trains and after: tokenizer.json and checkpoint.pt. The model folder is made of it by `export`."""

from __future__ import annotations

import os
from pathlib import Path

import torch

from .encoder import Encoder
from .settings import Settings, as_json
from .tokenizer import Tokenizer
from .train import Trained


def write_checkpoint(folder: Path, trained: Trained, settings: Settings, about: dict) -> None:
    content = {
        "settings": as_json(settings),
        "heads": trained.heads,
        "steps": trained.steps,
        "seconds": trained.seconds,
        "history": trained.history,
        "about": about,
        "weights": trained.encoder.state_dict(),
    }
    # Written beside and renamed, so that a crash leaves the last whole one.
    torch.save(content, folder / "checkpoint.part")
    os.replace(folder / "checkpoint.part", folder / "checkpoint.pt")


def read_checkpoint(folder: Path) -> tuple[Trained, Tokenizer, Settings, dict]:
    content = torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)
    settings = Settings(**content["settings"])
    tokenizer = Tokenizer.read(folder / "tokenizer.json")
    encoder = Encoder(settings, len(tokenizer.pieces), len(content["heads"]))
    encoder.load_state_dict(content["weights"])
    encoder.eval()
    trained = Trained(encoder, content["heads"], content["steps"], content["seconds"], content["history"])
    return trained, tokenizer, settings, content["about"]
