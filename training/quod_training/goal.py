"""What the encoder reads (a goal) and what it is trained towards (a proof): the vocabulary of this package."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    conclusion: str
    #: One text per hypothesis, in Rocq's order: "name : type" or "name := body : type".
    hypotheses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """A goal with a proof that closes it."""

    goal: Goal
    #: The same claim with what the statement binds in the conclusion; equal to `goal` where it binds nothing.
    closed: Goal
    #: The proof's steps, as `proof_steps` gives them.
    proof: tuple[str, ...]
    #: Logical name of the library, such as "stdpp.list".
    library: str
    #: Path of the file, which decides the split: no file is in two sets.
    file: str
    name: str
    #: Whether a person wrote this statement as a theorem, rather than it being a state inside a proof.
    original: bool = True

    @property
    def collection(self) -> str:
        """The library it belongs to as a whole: "stdpp", "mathcomp.analysis"."""
        parts = self.library.split(".")
        return ".".join(parts[:2]) if parts[0] == "mathcomp" else parts[0]
