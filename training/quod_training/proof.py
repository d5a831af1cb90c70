"""Proof text to steps: the same cut as src/retrieval's, on which the proof distance is defined.

A step is a sentence without bullets, braces and its dot, blanks collapsed, split at every `;` outside brackets, strings
and comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_BULLET = re.compile(r"^(?:[-+*]+|[{}]|\d+\s*:\s*\{|\[[\w']+\]\s*:\s*\{)\s*")
_FRAME = re.compile(r"^(?:Proof$|Proof (?:using|with)\b|Qed$|Defined$|Unshelve$|Focus\b|Unfocus$|Show\b|Set\b|Unset\b|Time\b)")


def sentences(text: str) -> Iterator[str]:
    """Sentences without their dots; comments become a blank, bullets stay at the front of the sentence they open."""
    start = 0
    plain = _without_comments(text)
    for match in _END_OR_STRING.finditer(plain):
        if match[0][0] == '"':
            continue
        sentence = " ".join(plain[start : match.start()].split())
        if sentence:
            yield sentence
        start = match.end()


#: A dot before white space ends a sentence; a string may hold anything. `...` ends one too (`Proof with`).
_END_OR_STRING = re.compile(r'"[^"]*"|\.+(?=\s|$)')
_COMMENT = re.compile(r'\(\*(?!\))|\*\)|"[^"]*"')


def _without_comments(text: str) -> str:
    if "(*" not in text:
        return text
    kept: list[str] = []
    depth, start = 0, 0
    for match in _COMMENT.finditer(text):
        if match[0] == "(*":
            if depth == 0:
                kept.append(text[start : match.start()])
            depth += 1
        elif match[0] == "*)" and depth > 0:
            depth -= 1
            if depth == 0:
                kept.append(" ")
                start = match.end()
    if depth == 0:
        kept.append(text[start:])
    return "".join(kept)


def proof_steps(proof: Iterable[str]) -> Iterator[str]:
    for sentence in proof:
        sentence = " ".join(_without_comments(sentence).split()).rstrip(".").rstrip()
        while match := _BULLET.match(sentence):
            sentence = sentence[match.end() :]
        if not sentence or _FRAME.match(sentence):
            continue
        yield from _split(sentence)


def _split(sentence: str) -> Iterator[str]:
    depth, start, quoted = 0, 0, False
    for i, character in enumerate(sentence):
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == ";" and depth <= 0:
            piece = sentence[start:i].strip()
            if piece:
                yield piece
            start = i + 1
    piece = sentence[start:].strip()
    if piece:
        yield piece
