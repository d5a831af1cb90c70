"""`python -m quod_training train|export|evaluate`: see docs/data/training.md."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy
import torch

from . import settings as settings_of
from .checkpoint import write_checkpoint
from .corpus import Corpus, read_corpus
from .dataset import BrokenDataset
from .encoder import Encoder
from .evaluate import Figures, Measured, bm25, jaccard
from .export import Exported, write_model
from .goal import Goal, Item
from .network import BrokenModel, read_model
from .settings import Settings
from .tokenizer import Tokenizer, learn_pieces
from .train import Trained, train

#: The recipe's rate is for starting from chance; what is already trained would be forgotten at it.
FINE_TUNING_RATE = 1e-4


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m quod_training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    training = commands.add_parser("train", help="train an encoder and write a model folder")
    corpus_arguments(training)
    training.add_argument("-o", "--output", type=Path, required=True, metavar="MODEL", help="the model folder")
    training.add_argument("--run", type=Path, metavar="DIR", help="where checkpoints go (default MODEL/run)")
    training.add_argument("--start-from", type=Path, metavar="MODEL", help="go on from this model, with its tokenizer")
    training.add_argument("--minutes", type=float, help="stop after so many; the learning rate then falls by the clock")
    training.add_argument("--threads", type=int, default=1)
    training.add_argument("--measure-every", type=int, default=250, metavar="STEPS")
    _card_arguments(training)
    settings_of.add_arguments(training)

    exporting = commands.add_parser("export", help="make the model folder of a run that was ended early")
    corpus_arguments(exporting)
    exporting.add_argument("run", type=Path)
    exporting.add_argument("-o", "--output", type=Path, required=True, metavar="MODEL", help="the model folder")
    exporting.add_argument("--threads", type=int, default=1)
    exporting.add_argument("--seed", type=int, default=1, help="that the run had")
    _card_arguments(exporting)

    evaluation = commands.add_parser("evaluate", help="compare a model with BM25 and Jaccard on held-out libraries")
    corpus_arguments(evaluation)
    evaluation.add_argument("model", type=Path)
    evaluation.add_argument("--statements", type=int, default=300, metavar="N", help="at most, per library")
    evaluation.add_argument("--threads", type=int, default=1)
    evaluation.add_argument("--seed", type=int, default=1)

    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    try:
        if arguments.command == "train":
            run_training(arguments)
        elif arguments.command == "export":
            read = _corpus_of(arguments, Settings(seed=arguments.seed))
            export(arguments, read, arguments.run)
        else:
            run_evaluation(arguments)
    except (BrokenDataset, BrokenModel) as error:
        print(f"quod_training: {error}", file=sys.stderr)
        return 2
    return 0


def corpus_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mined", type=Path, action="append", default=[], metavar="DIR", help="what `quod mine` wrote")
    parser.add_argument(
        "--sources", type=Path, action="append", default=[], metavar="DIR", help="a folder of .v files, read as text"
    )
    parser.add_argument(
        "--held-out", action="append", default=[], metavar="NAME", help="logical name of a library never to train on"
    )


def _card_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="own", help="of the model, in its card")
    parser.add_argument("--licences", type=Path, metavar="FILE", help="JSON: licence of each library, for the card")
    parser.add_argument("--statements", type=int, default=100, metavar="N", help="measured at most, per library")


def _corpus_of(arguments: argparse.Namespace, settings: Settings) -> Corpus:
    return read_corpus(arguments.mined, arguments.sources, arguments.held_out, settings)


def tell(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)


def run_training(arguments: argparse.Namespace) -> None:
    settings = settings_of.from_arguments(arguments)
    start: dict[str, torch.Tensor] | None = None
    tokenizer: Tokenizer | None = None
    heads: Sequence[str] | None = None
    if arguments.start_from is not None:
        model = read_model(arguments.start_from)
        tokenizer, start, heads = model.tokenizer, model.weights, model.heads
        rate = FINE_TUNING_RATE if settings.learning_rate == Settings.learning_rate else settings.learning_rate
        settings = dataclasses.replace(settings, learning_rate=rate, **model.shape)
    run: Path = arguments.run or arguments.output / "run"
    run.mkdir(parents=True, exist_ok=True)
    corpus = _corpus_of(arguments, settings)
    tell(
        f"{len(corpus.train):,} items to train on, {len(corpus.validation):,} of the validation files, "
        f"{len(corpus.held_out):,} held out"
    )
    _refuse_too_little(corpus)
    if tokenizer is None:
        texts = (text for item in corpus.train for text in (item.closed.conclusion, *item.goal.hypotheses))
        pieces = learn_pieces(texts, settings.vocabulary)
        tokenizer = Tokenizer(pieces, settings.maximum_length, settings.maximum_conclusion)
    tokenizer.write(run / "tokenizer.json")
    tell(f"{len(tokenizer.pieces):,} pieces; measuring the validation files' proofs")
    validation = Measured(corpus.validation, arguments.statements, settings.seed, settings.alpha)
    about = {
        "corpus": corpus.about(),
        "held_out": list(arguments.held_out),
        "started_from": str(arguments.start_from) if arguments.start_from else None,
    }

    def keep(trained: Trained) -> None:
        write_checkpoint(run, trained, settings, about)

    def begin(encoder: Encoder) -> None:
        if start is not None:
            # What serves training alone is not in a model, and starts anew.
            encoder.load_state_dict(start, strict=False)

    trained = train(
        corpus.train,
        validation,
        tokenizer,
        settings,
        tell,
        start_from=begin if start is not None else None,
        heads=heads,
        minutes=arguments.minutes,
        measure_every=arguments.measure_every,
        keep=keep,
    )
    keep(trained)
    tell(f"{trained.steps:,} steps in {trained.seconds:.0f} s")
    export(arguments, corpus, run)


def _refuse_too_little(corpus: Corpus) -> None:
    if len(corpus.train) < 200:
        raise BrokenDataset(
            f"there are {len(corpus.train)} items to train on, too few to learn from. Mine more sources, "
            "or use the shipped model as it is"
        )


def export(arguments: argparse.Namespace, corpus: Corpus, run: Path) -> None:
    licences = json.loads(arguments.licences.read_text(encoding="utf-8")) if arguments.licences else {}
    write_model(run, arguments.output, arguments.name, licences, LIMITS, {})
    figures: dict[str, dict] = {}
    for group, items in (("validation", corpus.validation), ("held out", corpus.held_out)):
        table = compare(arguments.output, items, arguments.statements, 1)
        if table:
            tell(f"{group}:")
            print_table(table)
            figures[group] = {
                ranker: {library: _rounded(one) for library, one in of.items()} for ranker, of in table.items()
            }
    write_model(run, arguments.output, arguments.name, licences, LIMITS, figures)
    tell(f"the model is in {arguments.output}")


def _rounded(one: Figures) -> dict[str, float | None]:
    """JSON has no word for "not a number"."""
    return {
        name: None if isinstance(value, float) and numpy.isnan(value) else round(value, 4)
        for name, value in dataclasses.asdict(one).items()
    }


LIMITS = (
    "It reads statements as text: two notations for the same thing are two things to it.",
    "It was trained on goals as Rocq 8.16 prints them; other provers' goals were never seen.",
    "A conclusion or hypotheses beyond the maximum length are cut off.",
)


def compare(folder: Path, items: Sequence[Item], statements: int, seed: int) -> dict[str, dict[str, Figures]]:
    """By ranker, by library."""
    model = read_model(folder)
    exported = Exported(folder / "ranker.onnx", model.tokenizer, torch.get_num_threads())

    def learned(goals: Sequence[Goal]) -> numpy.ndarray:
        vectors = exported.embed(goals)
        return vectors @ vectors.T

    measured = Measured(items, statements, seed, Settings.alpha)
    if not measured.libraries:
        return {}
    return {
        "jaccard": measured.of(jaccard, closed=True),
        "bm25": measured.of(bm25, closed=True),
        "learned": measured.of(learned, closed=True),
        "learned, binders as hypotheses": measured.of(learned),
    }


def print_table(table: dict[str, dict[str, Figures]]) -> None:
    libraries = next(iter(table.values()))
    for library, one in libraries.items():
        print(f"{library}: {one.pairs:,} pairs, {one.queries} statements with a near proof")
        for ranker, of in table.items():
            print(row(ranker, [of[library]]))
    print("mean")
    for ranker, of in table.items():
        print(row(ranker, list(of.values())))
    sys.stdout.flush()


def row(ranker: str, several: Sequence[Figures]) -> str:
    def mean(name: str) -> float:
        values = numpy.array([getattr(one, name) for one in several])
        return float(numpy.nanmean(values)) if not numpy.isnan(values).all() else float("nan")

    return (
        f"  {ranker:32} Pearson {mean('pearson'):+.3f}  Spearman {mean('spearman'):+.3f}  "
        f"recall@7 {mean('recall'):.3f}  MRR {mean('reciprocal_rank'):.3f}"
    )


def run_evaluation(arguments: argparse.Namespace) -> None:
    corpus = _corpus_of(arguments, Settings(seed=arguments.seed))
    table = compare(arguments.model, corpus.held_out, arguments.statements, arguments.seed)
    if not table:
        raise BrokenDataset("no held-out library has 20 statements: name them with --held-out")
    print_table(table)


if __name__ == "__main__":
    sys.exit(main())
