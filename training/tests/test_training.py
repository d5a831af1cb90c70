"""Losses, a training in small, and the way from a checkpoint to a model folder and back."""

import dataclasses
import json
import tempfile
import unittest
from pathlib import Path

import numpy
import torch

from quod_training.batches import Batches, pad
from quod_training.checkpoint import read_checkpoint, write_checkpoint
from quod_training.co_occurrence import word_directions
from quod_training.encoder import Encoder
from quod_training.evaluate import Measured, bm25, figures, jaccard, ranks
from quod_training.export import CHECKED, Exported, goal_of, write_model
from quod_training.goal import Goal, Item
from quod_training.losses import contrastive, correlation, draw_pairs
from quod_training.network import BrokenModel, read_model
from quod_training.settings import Settings
from quod_training.tokenizer import MASK, SPECIAL, Tokenizer, learn_pieces
from quod_training.train import Trained, embed, head_of, train

TINY = Settings(
    steps=30, anchors=16, fill=24, width=16, layers=1, attention_heads=2, dimension=256, vocabulary=80,
    maximum_length=24, maximum_conclusion=16, learning_rate=3e-3, tactic_heads=8, dropout=0.0, noise=0.0,
)


def corpus(count: int = 240) -> list[Item]:
    """Statements whose operator says how they are proved."""
    ways = {"+": ("intros", "ring"), "<=": ("intros", "lia"), "++": ("induction l", "auto", "auto"), "/\\": ("split", "auto")}
    items = []
    for index in range(count):
        operator = list(ways)[index % len(ways)]
        goal = Goal(f"a{index % 17} {operator} b{index % 13}")
        items.append(Item(goal, goal, ways[operator], "Own.File", "File.v", f"item_{index}"))
    return items


def tokenizer_of(items: list[Item]) -> Tokenizer:
    texts = [item.goal.conclusion for item in items]
    return Tokenizer(learn_pieces(texts, TINY.vocabulary), TINY.maximum_length, TINY.maximum_conclusion)


class LossTest(unittest.TestCase):
    def test_pairs_are_drawn_by_the_thresholds(self):
        random = numpy.random.default_rng(1)
        upper = numpy.triu(random.random((60, 60)), 1)
        distances = upper + upper.T
        without_hard = Settings(hard_negative_probability=0.0)
        for settings, least in ((without_hard, 0.65), (Settings(), 0.45)):
            anchors, positives, negatives = draw_pairs(distances, settings, random)
            self.assertEqual(negatives.shape, (len(anchors), 4))
            self.assertTrue((distances[anchors, positives] < 0.3).all())
            self.assertTrue((anchors != positives).all())
            self.assertGreaterEqual(distances[anchors[:, None], negatives].min(), least)
        hard = distances[anchors[:, None], negatives] <= 0.65
        self.assertGreater(hard.mean(), 0.05)

    def test_contrastive_is_the_formula(self):
        vectors = torch.nn.functional.normalize(torch.randn(6, 4, generator=torch.Generator().manual_seed(1)), dim=-1)
        found = contrastive(vectors, numpy.array([0]), numpy.array([1]), numpy.array([[2, 3, 4, 5]]), 0.07)
        cosine = (vectors @ vectors[0]) / 0.07
        expected = -torch.log(cosine[1].exp() / cosine[1:].exp().sum())
        torch.testing.assert_close(found, expected)

    def test_correlation_is_one_minus_pearson(self):
        vectors = torch.nn.functional.normalize(torch.randn(20, 4, generator=torch.Generator().manual_seed(1)), dim=-1)
        pairs = torch.triu(torch.ones(20, 20, dtype=torch.bool), 1)
        cosine = vectors @ vectors.T
        self.assertAlmostEqual(float(correlation(vectors, 3 * cosine + 1, pairs)), 0, places=4)
        self.assertAlmostEqual(float(correlation(vectors, -cosine, pairs)), 2, places=4)

    def test_heads(self):
        self.assertEqual([head_of(t) for t in ("rewrite -> H", "move=> x", "- lia", "1: auto", "case/andP")],
                         ["rewrite", "move", "lia", "1", "case"])


class FiguresTest(unittest.TestCase):
    def test_ranks_share_ties(self):
        self.assertEqual(list(ranks(numpy.array([3, 1, 3, 2]))), [3.5, 1, 3.5, 2])

    def test_a_perfect_and_the_worst_ranker(self):
        upper = numpy.triu(numpy.random.default_rng(1).random((40, 40)), 1)
        distances = upper + upper.T
        best, worst = figures(-distances, distances), figures(distances, distances)
        self.assertAlmostEqual(best.spearman, -1, places=9)
        self.assertAlmostEqual(worst.spearman, 1, places=9)
        self.assertEqual((best.recall, best.reciprocal_rank), (1, 1))
        self.assertLess(worst.reciprocal_rank, 0.2)

    def test_words_in_common_are_similar(self):
        goals = [Goal("x + y = y + x"), Goal("x + z = z + x"), Goal("length l = 0")]
        for ranker in (bm25, jaccard):
            scores = ranker(goals)
            self.assertGreater(scores[0, 1], scores[0, 2])


class WordsTest(unittest.TestCase):
    def setUp(self):
        self.tokenizer = tokenizer_of(corpus())

    def words(self, *texts: str) -> numpy.ndarray:
        torch.manual_seed(1)
        encoder = Encoder(TINY, len(self.tokenizer.pieces), 2)
        statements = [self.tokenizer.encode(item.closed).ids for item in corpus()]
        with torch.no_grad():
            encoder.lexical.weight.copy_(torch.from_numpy(word_directions(statements, *encoder.lexical.weight.shape, 1)))
            batch = pad([self.tokenizer.encode(Goal(text)) for text in texts])
            return encoder.words(batch.ids, batch.mask).numpy()

    def test_goals_are_near_by_the_rare_words_they_share(self):
        same, reordered, other = self.words("a3 + b4", "b4 + a3", "a7 <= b9")
        self.assertAlmostEqual(float(same @ reordered), 1, places=5)
        self.assertLess(float(same @ other), 0.5)

    def test_a_goal_without_words_has_no_direction(self):
        (nothing,) = self.words("")
        self.assertEqual(float(abs(nothing).max()), 0)

    def test_they_are_their_share_of_the_cosine(self):
        encoder = Encoder(dataclasses.replace(TINY, lexical_share=0.25), len(self.tokenizer.pieces), 2)
        pooled = torch.randn(2, 2 * TINY.width, generator=torch.manual_seed(1))
        words = torch.nn.functional.normalize(torch.randn(2, TINY.lexical_dimension), dim=-1)
        with torch.inference_mode():
            vectors = encoder.embedding(pooled, words)
            learnt = torch.nn.functional.normalize(encoder.project(pooled), dim=-1)
            expected = 0.75 * (learnt[0] @ learnt[1]) + 0.25 * (words[0] @ words[1])
            torch.testing.assert_close(vectors[0] @ vectors[1], expected)

    def test_pieces_are_hidden_and_special_ones_never(self):
        items = corpus()
        batches = Batches(items, [[0]] * len(items), self.tokenizer, dataclasses.replace(TINY, hidden_pieces=0.5))
        goal = self.tokenizer.encode(items[0].goal)
        hidden = [batches._hidden(goal) for _ in range(200)]
        for one in hidden:
            self.assertEqual(one.segments, goal.segments)
            for piece, was in zip(one.ids, goal.ids, strict=True):
                self.assertIn(piece, (was,) if was < len(SPECIAL) else (was, MASK))
        often = numpy.mean([piece == MASK for one in hidden for piece, was in zip(one.ids, goal.ids) if was >= len(SPECIAL)])
        self.assertAlmostEqual(float(often), 0.5, delta=0.06)


class TrainingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.checkpoints, cls.model = Path(cls.scratch.name) / "run", Path(cls.scratch.name) / "model"
        cls.checkpoints.mkdir()
        items = corpus()
        cls.tokenizer = tokenizer_of(items)
        cls.validation = Measured(items, 60, 1, 0.7)
        cls.trained = cls.one_training()
        cls.tokenizer.write(cls.checkpoints / "tokenizer.json")
        about = {"corpus": [{"library": "Own", "files": 1, "items": len(items)}], "held_out": ["Coq"]}
        write_checkpoint(cls.checkpoints, cls.trained, TINY, about)
        cls.card = write_model(cls.checkpoints, cls.model, "tiny", {"Own": "MIT"}, ["tiny"], {})

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def one_training(cls) -> Trained:
        return train(corpus(), cls.validation, cls.tokenizer, TINY, lambda _: None, measure_every=10)

    def test_it_learns_what_there_is_to_learn(self):
        self.assertLess(self.trained.history[-1]["spearman"], -0.6)

    def test_the_same_seed_gives_the_same_weights(self):
        again = self.one_training().encoder.state_dict()
        for name, value in self.trained.encoder.state_dict().items():
            torch.testing.assert_close(again[name], value, rtol=0, atol=0)

    def test_the_model_gives_the_vectors_of_the_encoder(self):
        goals = [goal_of(entry) for entry in CHECKED]
        exported = Exported(self.model / "ranker.onnx", self.tokenizer)
        cosine = (exported.embed(goals) * embed(self.trained.encoder, self.tokenizer, goals)).sum(1)
        self.assertGreater(cosine.min(), 0.99)

    def test_a_vector_does_not_depend_on_its_batch(self):
        goals = [goal_of(entry) for entry in CHECKED]
        exported = Exported(self.model / "ranker.onnx", self.tokenizer)
        alone = numpy.concatenate([exported.embed([goal]) for goal in goals])
        self.assertLess(abs(exported.embed(goals, batch=9) - alone).max(), 1e-5)

    def test_the_card_holds_what_the_model_answers(self):
        written = json.loads((self.model / "card.json").read_text(encoding="utf-8"))
        self.assertEqual(written, self.card)
        exported = Exported(self.model / "ranker.onnx", self.tokenizer)
        for entry in written["check"]:
            (vector,) = exported.embed([goal_of(entry)])
            numpy.testing.assert_allclose(vector, entry["embedding"], atol=1e-5)
        self.assertEqual(written["corpus"], [{"library": "Own", "files": 1, "items": 240, "licence": "MIT"}])

    def test_training_goes_on_from_a_model(self):
        model = read_model(self.model)
        self.assertEqual(model.shape["layers"], TINY.layers)
        self.assertEqual(model.heads, self.trained.heads)
        encoder = Encoder(TINY, len(model.tokenizer.pieces), len(model.heads))
        missing = encoder.load_state_dict(model.weights, strict=False)
        self.assertEqual(missing.unexpected_keys, [])
        self.assertTrue(all(name.startswith("proof_pieces") for name in missing.missing_keys))
        goals = [goal_of(entry) for entry in CHECKED]
        exported = Exported(self.model / "ranker.onnx", self.tokenizer)
        numpy.testing.assert_allclose(embed(encoder, model.tokenizer, goals), exported.embed(goals), atol=1e-5)

    def test_a_model_without_words_is_read_as_well(self):
        settings = dataclasses.replace(TINY, lexical_dimension=0, steps=1)
        trained = train(corpus(), self.validation, self.tokenizer, settings, lambda _: None)
        self.assertIsNone(trained.encoder.lexical)
        with tempfile.TemporaryDirectory() as folder:
            run, model = Path(folder) / "run", Path(folder) / "model"
            run.mkdir()
            self.tokenizer.write(run / "tokenizer.json")
            write_checkpoint(run, trained, settings, {"corpus": [], "held_out": []})
            write_model(run, model, "wordless", {}, [], {})
            shape = read_model(model).shape
            self.assertEqual((shape["dimension"], shape["lexical_dimension"]), (256, 0))
            goals = [goal_of(entry) for entry in CHECKED]
            cosine = (Exported(model / "ranker.onnx", self.tokenizer).embed(goals) * embed(trained.encoder, self.tokenizer, goals)).sum(1)
            self.assertGreater(cosine.min(), 0.99)

    def test_a_model_that_was_changed_is_refused(self):
        network = self.model / "ranker.onnx"
        content = network.read_bytes()
        try:
            network.write_bytes(content[:-1])
            with self.assertRaisesRegex(BrokenModel, "ranker.onnx is not the one"):
                read_model(self.model)
        finally:
            network.write_bytes(content)

    def test_a_checkpoint_is_read_as_it_was_written(self):
        trained, tokenizer, settings, _ = read_checkpoint(self.checkpoints)
        self.assertEqual((settings, trained.heads), (TINY, self.trained.heads))
        self.assertEqual(tokenizer.pieces, self.tokenizer.pieces)
        batch = pad([tokenizer.encode(goal_of(CHECKED[0]))])
        with torch.inference_mode():
            torch.testing.assert_close(
                trained.encoder(batch.ids, batch.segments, batch.mask)[0],
                self.trained.encoder(batch.ids, batch.segments, batch.mask)[0],
            )


if __name__ == "__main__":
    unittest.main()
