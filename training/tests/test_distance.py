import json
import random
import unittest
from pathlib import Path

import numpy

from quod_training.distance import distance, distance_matrix, distances_between
from quod_training.neighbours import near_proofs
from quod_training.proof import proof_steps, sentences

AGREED = json.loads((Path(__file__).parent / "agreed-distances.json").read_text(encoding="utf-8"))


def random_proofs(count: int, seed: int) -> list[tuple[str, ...]]:
    drawn = random.Random(seed)
    tactics = ["auto", "lia", "intros x", "intros x y", "rewrite IHn", "rewrite IHm", "apply H", "destruct x", "∀ 𝔸"]
    return [tuple(drawn.choice(tactics) for _ in range(drawn.randint(0, 9))) for _ in range(count)]


class DistanceTest(unittest.TestCase):
    def test_steps_are_those_of_the_other_implementation(self):
        for proof, steps in zip(AGREED["proofs"], AGREED["steps"], strict=True):
            self.assertEqual(list(proof_steps(sentences(proof))), steps)

    def test_distances_are_those_of_the_other_implementation(self):
        for p, row in zip(AGREED["steps"], AGREED["distances"], strict=True):
            for q, expected in zip(AGREED["steps"], row, strict=True):
                self.assertAlmostEqual(distance(p, q), expected, places=10)

    def test_the_published_example(self):
        self.assertAlmostEqual(distance(*AGREED["steps"][:2]), 0.32, places=2)

    def test_the_matrix_is_the_definition(self):
        proofs = random_proofs(40, 1)
        expected = numpy.array([[distance(p, q) for q in proofs] for p in proofs])
        numpy.testing.assert_allclose(distance_matrix(proofs), expected, atol=1e-12)

    def test_distances_to_some_are_the_definition(self):
        proofs = random_proofs(40, 5)
        others = [proof for proof in random_proofs(12, 6) if proof]
        expected = numpy.array([[distance(p, q) for q in others] for p in proofs])
        numpy.testing.assert_allclose(distances_between(proofs, others), expected, atol=1e-12)

    def test_noise_is_bounded_and_symmetric(self):
        proofs = random_proofs(30, 2)
        noisy, plain = distance_matrix(proofs, noise=0.05, seed=3), distance_matrix(proofs)
        self.assertLessEqual(abs(noisy - plain).max(), 0.05)
        numpy.testing.assert_array_equal(noisy, noisy.T)
        self.assertGreater(abs(noisy - plain).max(), 0)

    def test_no_near_proof_is_missed_when_all_candidates_are_looked_at(self):
        proofs = [proof for proof in random_proofs(60, 4) if proof]
        found = near_proofs(proofs, 0.3, 0.7, seed=1, candidates=10_000, wanted=10_000)
        for index, proof in enumerate(proofs):
            expected = {
                other for other, q in enumerate(proofs) if other != index and distance(proof, q) < 0.3
            }
            self.assertEqual(set(found[index]), expected)


if __name__ == "__main__":
    unittest.main()
