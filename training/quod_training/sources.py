"""Statements and proofs read from Rocq sources as text, without running anything.

`quod mine` gives better data (goals as Rocq prints them, every state inside a proof). This reads only what is written:
enough to learn a vocabulary and to pretrain, and the way to use sources that cannot be compiled here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .dataset import split_of
from .goal import Goal, Item
from .proof import proof_steps, sentences

_START = re.compile(
    r"^(?:#\[[^\]]*\]\s*)*(?:(?:Local|Global|Polymorphic|Monomorphic|Program)\s+)*"
    r"(?:Lemma|Theorem|Corollary|Fact|Remark|Proposition|Property|Example|Definition|Instance)\s+"
    r"([^\W\d][\w']*)\s*(.*)$",
    re.S,
)
_NOT_PROVED = re.compile(r"\b(?:Admitted|Abort|admit|give_up)\b")


def statements_of(text: str, library: str, file: str) -> Iterator[Item]:
    pending: tuple[str, Goal, Goal] | None = None
    proof: list[str] = []
    for sentence in sentences(text):
        if re.match(r"(?:Qed|Defined|Save)\b", sentence):
            steps = tuple(proof_steps(proof))
            if pending and steps:
                yield Item(pending[1], pending[2], steps, library, file, pending[0])
            pending = None
        elif match := _START.match(sentence):
            goals = _goals_of(match[2])
            pending, proof = (match[1], *goals) if goals else None, []
        elif _NOT_PROVED.search(sentence):
            pending = None
        elif pending:
            proof.append(sentence)


def _goals_of(rest: str) -> tuple[Goal, Goal] | None:
    """From `(x y : A) : P` the goal with x and y as hypotheses and the claim `forall (x y : A), P`; nothing where a body is given."""
    depth = 0
    colon = None
    for i, character in enumerate(rest):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == ":" and depth == 0:
            if rest[i + 1 : i + 2] == "=":
                # A `let x := … in` is part of the statement; anything else is a definition's body.
                if colon is None or not re.search(r"\blet\s+[\w'(),\s:]*$", rest[:i]):
                    return None
            elif colon is None:
                colon = i
    if colon is None:
        return None
    claim = " ".join(rest[colon + 1 :].split())
    binders = " ".join(rest[:colon].split())
    if not claim:
        return None
    closed = Goal(f"forall {binders}, {claim}" if binders else claim)
    return Goal(claim, tuple(_hypotheses_of(binders))), closed


_GROUP = re.compile(r"`?[({\[]!?([^()\[\]{}]*(?:[({\[][^()\[\]{}]*[)}\]][^()\[\]{}]*)*)[)}\]]|([^\s()\[\]{}]+)")


def _hypotheses_of(binders: str) -> Iterator[str]:
    for group in _GROUP.finditer(binders):
        inside, bare = group[1], group[2]
        if bare is not None:
            yield f"{bare} : _"
            continue
        names, typed, kind = inside.partition(":")
        if not typed:
            # `{x}` binds a name, `` `{Equiv A} `` an instance without one.
            yield f"{inside.strip()} : _" if len(inside.split()) == 1 else f"H : {inside.strip()}"
            continue
        for name in names.split():
            yield f"{name} : {kind.strip()}"


def read_sources(root: Path, seed: int) -> Iterator[tuple[Item, str]]:
    """All statements below `root`, whose folders are logical names (`root/stdpp/list.v` is stdpp.list), with their split."""
    for path in sorted(root.rglob("*.v")):
        content = path.read_bytes()
        file = path.relative_to(root)
        library = ".".join(file.with_suffix("").parts)
        split = split_of(content, seed)
        for item in statements_of(content.decode("utf-8", errors="replace"), library, file.as_posix()):
            yield item, split
