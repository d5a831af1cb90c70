"""Training of Quod's ranker: proofs in, a model folder out. See docs/data/training.md."""
