"""Data sets, sources and the tokenizer: what comes in."""

import json
import tempfile
import unittest
from pathlib import Path

from quod_training.dataset import BrokenDataset, is_within, read_mined, without
from quod_training.goal import Goal
from quod_training.sources import statements_of
from quod_training.tokenizer import CLS, SEP, UNKNOWN, Tokenizer, learn_pieces, words

ENTRY = {
    "name": "a_at_1",
    "library": "Own.File",
    "file": "File.v",
    "hypotheses": [
        {"name": "A", "type": "Type", "section": True},
        {"name": "x", "type": "A", "body": "y"},
        {"name": "H", "type": "P\n  x"},
    ],
    "goal": "P  y",
    "tactics": ["subst x; auto", "exact H"],
    "isOriginal": False,
    "split": "train",
}


class MinedTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def write(self, *lines: str) -> None:
        (self.folder / "Own.File.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def test_an_item(self):
        self.write(json.dumps(ENTRY))
        ((item, split),) = read_mined(self.folder)
        self.assertEqual(split, "train")
        self.assertEqual(item.goal, Goal("P y", ("A : Type", "x := y : A", "H : P x")))
        self.assertEqual(item.closed, Goal("forall (x := y : A) (H : P x), P y", ("A : Type",)))
        self.assertEqual(item.proof, ("subst x", "auto", "exact H"))

    def test_what_is_broken_is_named_with_its_line(self):
        for line in ("{", "[]", json.dumps({**ENTRY, "split": "other"}), json.dumps({**ENTRY, "goal": None})):
            self.write(json.dumps(ENTRY), line)
            with self.assertRaisesRegex(BrokenDataset, r"Own\.File\.jsonl:2: "):
                list(read_mined(self.folder))

    def test_an_empty_folder_says_how_to_fill_it(self):
        with self.assertRaisesRegex(BrokenDataset, "quod mine"):
            list(read_mined(self.folder))

    def test_held_out_by_name_and_by_content(self):
        self.assertTrue(is_within("mathcomp.algebra.ssralg", ["mathcomp.algebra"]))
        self.assertFalse(is_within("mathcomp.algebra_tactics.ring", ["mathcomp.algebra"]))
        self.write(json.dumps(ENTRY), json.dumps({**ENTRY, "goal": "P z"}))
        items = [item for item, _ in read_mined(self.folder)]
        self.assertEqual(without([*items, *items], items[:1]), items[1:])


class SourcesTest(unittest.TestCase):
    def test_statements(self):
        text = """
        (* Lemma no : False. Proof. auto. Qed. *)
        Definition body (x : nat) := x.
        Lemma one (x y : nat) {z} : x = y -> y = x.
        Proof. intros H; (* ; *) now rewrite H. Qed.
        Theorem two : let a := 1 in a = 1. Proof. - reflexivity. Qed.
        Lemma gone : False. Admitted.
        #[local] Instance three : Reflexive R. Proof. firstorder. Defined.
        """
        items = list(statements_of(text, "Own.File", "File.v"))
        self.assertEqual([item.name for item in items], ["one", "two", "three"])
        self.assertEqual(items[0].goal, Goal("x = y -> y = x", ("x : nat", "y : nat", "z : _")))
        self.assertEqual(items[0].closed.conclusion, "forall (x y : nat) {z}, x = y -> y = x")
        self.assertEqual(items[0].proof, ("intros H", "now rewrite H"))


class TokenizerTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(
            list(words("∀ x_1', (f x).2 <-> a≡ₚb")),
            ["∀", "x_1'", ",", "(", "f", "x", ")", ".", "2", "<->", "a", "≡", "ₚb"],
        )

    def test_learning_is_frequent_first_and_repeatable(self):
        texts = ["addnC addnA addnC", "addn mulnC"] * 5
        pieces = learn_pieces(texts, 40)
        self.assertIn("addn", pieces)
        self.assertEqual(pieces, learn_pieces(texts, 40))
        self.assertEqual(len(set(pieces)), len(pieces))

    def test_encoding(self):
        tokenizer = Tokenizer([*("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"), "ab", "##c", ":", ";", "a"], 12, 4)
        ids = tokenizer.encode(Goal("abc [CLS]", ("a : ab", "ab : a"))).ids
        self.assertEqual(ids, [CLS, 5, 6, UNKNOWN, UNKNOWN, SEP, 5, 7, 9, 8, 9, SEP])
        self.assertEqual(len(tokenizer.encode(Goal("ab " * 50, ("a : ab",) * 50)).ids), 12)


if __name__ == "__main__":
    unittest.main()
