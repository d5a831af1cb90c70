"""Goals to ids. The format is tokenizer.json's; `rocq-tokenizer.ts` reads the same file and must give the same ids.

A text is cut into words by character class, a word into pieces by greedy longest match against the vocabulary, and the
vocabulary is learnt from a corpus by merging the most frequent neighbours. A piece inside a word is written with "##".
"""

from __future__ import annotations

import heapq
import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .goal import Goal

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNKNOWN, CLS, SEP, MASK = range(5)
INSIDE = "##"
#: What ECMAScript's \\s matches, since the other tokenizer is written in it.
_SPACES = frozenset("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B))))
_BRACKETS = frozenset('()[]{},;.@"')
_SPACE, _WORD, _BRACKET, _OPERATOR = range(4)


@lru_cache(maxsize=1 << 16)
def _class_of(character: str) -> int:
    if character in _SPACES:
        return _SPACE
    if character in _BRACKETS:
        return _BRACKET
    if character in "_'" or unicodedata.category(character)[0] in "LNM":
        return _WORD
    return _OPERATOR


def words(text: str) -> Iterator[str]:
    start, previous = 0, _SPACE
    for position, character in enumerate(text):
        kind = _class_of(character)
        if kind != previous or kind == _BRACKET:
            if previous != _SPACE:
                yield text[start:position]
            start, previous = position, kind
    if previous != _SPACE:
        yield text[start:]


@dataclass(frozen=True)
class Encoded:
    ids: list[int]
    #: 0 up to and including the first [SEP], 1 behind it.
    segments: list[int]


class Tokenizer:
    def __init__(self, pieces: Sequence[str], maximum_length: int, maximum_conclusion: int) -> None:
        if tuple(pieces[: len(SPECIAL)]) != SPECIAL:
            raise ValueError(f"a vocabulary must begin with {', '.join(SPECIAL)}")
        if not 0 < maximum_conclusion <= maximum_length - 2:
            raise ValueError("maximum_conclusion must leave room for [CLS] and [SEP]")
        self.pieces = list(pieces)
        self.maximum_length = maximum_length
        self.maximum_conclusion = maximum_conclusion
        # The special pieces are never matched in a text: they hold brackets, which are words of their own.
        self._ids = {piece: i for i, piece in enumerate(self.pieces) if i >= len(SPECIAL)}
        self._longest = max((len(piece) for piece in self._ids), default=1)
        self._of_word = lru_cache(maxsize=1 << 18)(self._pieces_of)

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        offset = 0
        while offset < len(word):
            prefix = "" if offset == 0 else INSIDE
            for end in range(min(len(word), offset + self._longest), offset, -1):
                piece = self._ids.get(prefix + word[offset:end])
                if piece is not None:
                    found.append(piece)
                    offset = end
                    break
            else:
                found.append(UNKNOWN)
                offset += 1
        return tuple(found)

    def text_ids(self, text: str) -> list[int]:
        return [piece for word in words(text) for piece in self._of_word(word)]

    def encode(self, goal: Goal) -> Encoded:
        ids = [CLS, *self.text_ids(goal.conclusion)[: self.maximum_conclusion], SEP]
        first = len(ids)
        room = self.maximum_length - first - 1
        if goal.hypotheses and room > 0:
            # The last hypothesis is nearest to the conclusion; what does not fit is the oldest.
            behind: list[int] = []
            for hypothesis in reversed(goal.hypotheses):
                if len(behind) >= room:
                    break
                if behind:
                    behind.extend(self._of_word(";"))
                behind.extend(self.text_ids(hypothesis))
            ids += [*behind[:room], SEP]
        return Encoded(ids, [0] * first + [1] * (len(ids) - first))

    def write(self, path: Path) -> None:
        content = {
            "format": "quod-tokenizer",
            "version": 1,
            "maximum_length": self.maximum_length,
            "maximum_conclusion": self.maximum_conclusion,
            "pieces": self.pieces,
        }
        path.write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")

    @staticmethod
    def read(path: Path) -> Tokenizer:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.get("format") != "quod-tokenizer" or content.get("version") != 1:
            raise ValueError(f"{path}: not a tokenizer of format quod-tokenizer, version 1")
        return Tokenizer(content["pieces"], content["maximum_length"], content["maximum_conclusion"])


def learn_pieces(texts: Iterable[str], size: int, least: int = 3) -> list[str]:
    """The special pieces, every character seen `least` times, then merges of the most frequent neighbours up to `size`.

    Ties are broken by the pair itself, so that the same corpus gives the same vocabulary.
    """
    counts = Counter(word for text in texts for word in words(text))
    symbols = [tuple(word[:1]) + tuple(INSIDE + c for c in word[1:]) for word in counts]
    weights = list(counts.values())
    singles: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    places: dict[tuple[str, str], set[int]] = defaultdict(set)
    for index, (word, weight) in enumerate(zip(symbols, weights, strict=True)):
        for symbol in word:
            singles[symbol] += weight
        for pair in zip(word, word[1:], strict=False):
            pairs[pair] += weight
            places[pair].add(index)
    pieces = [*SPECIAL, *sorted(symbol for symbol, count in singles.items() if count >= least)]
    known = set(pieces)
    queue = [(-count, pair) for pair, count in pairs.items()]
    heapq.heapify(queue)
    while queue and len(pieces) < size:
        negative, pair = heapq.heappop(queue)
        if pairs[pair] != -negative:
            continue
        if -negative < least:
            break
        merged = pair[0] + pair[1].removeprefix(INSIDE)
        if merged not in known:
            known.add(merged)
            pieces.append(merged)
        touched: set[tuple[str, str]] = set()
        for index in sorted(places.pop(pair)):
            old = symbols[index]
            new: list[str] = []
            at = 0
            while at < len(old):
                if at + 1 < len(old) and (old[at], old[at + 1]) == pair:
                    new.append(merged)
                    at += 2
                else:
                    new.append(old[at])
                    at += 1
            for neighbours in zip(old, old[1:], strict=False):
                pairs[neighbours] -= weights[index]
                touched.add(neighbours)
            for neighbours in zip(new, new[1:], strict=False):
                pairs[neighbours] += weights[index]
                places[neighbours].add(index)
                touched.add(neighbours)
            symbols[index] = tuple(new)
        del pairs[pair]
        for neighbours in sorted(touched):
            if pairs.get(neighbours, 0) > 0:
                heapq.heappush(queue, (-pairs[neighbours], neighbours))
    return pieces[:size]
