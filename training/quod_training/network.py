"""The encoder as an ONNX graph, written node by node, with weights of 8 bits; and back again, to train on from it.

Only weights are integers (one scale per output column, one per row of the piece table): activations stay float, because
their ranges would depend on what else is in the batch, and then so would the vectors. For the same reason weights are
widened by Cast and Mul, which every runtime computes alike, once: onnxruntime turns DequantizeLinear before MatMul into
a product with rounded activations, differently on each processor. A weight's initializers are named after the
parameter they hold, which is what `read_model` relies on.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from .encoder import Encoder
from .tokenizer import Tokenizer

OPSET = 20
_INTEGER, _SCALE = ".int8", ".scale"


class _Graph:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.constants: dict[str, str] = {}

    def add(self, kind: str, *inputs: str, output: str | None = None, **attributes) -> str:
        name = output or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=f"node_{len(self.nodes)}", **attributes))
        return name

    def hold(self, name: str, value: numpy.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(numpy.ascontiguousarray(value), name))
        return name

    def integers(self, *values: int) -> str:
        return self._constant(f"integers_{'_'.join(map(str, values))}", numpy.array(values, dtype=numpy.int64))

    def number(self, value: float) -> str:
        return self._constant(f"number_{value}", numpy.array(value, dtype=numpy.float32))

    def _constant(self, name: str, value: numpy.ndarray) -> str:
        if name not in self.constants:
            self.constants[name] = self.hold(name, value)
        return name


def quantise(weight: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Symmetric, one scale per row: weight ≈ integers * scale[:, None]."""
    scale = numpy.maximum(numpy.abs(weight).max(axis=1), 1e-8) / 127
    return numpy.rint(weight / scale[:, None]).clip(-127, 127).astype(numpy.int8), scale.astype(numpy.float32)


def write_network(encoder: Encoder, path: Path) -> None:
    state = {name: value.detach().cpu().numpy() for name, value in encoder.state_dict().items()}
    graph = _Graph()
    width = encoder.pieces.embedding_dim
    heads = encoder.blocks[0].heads
    part = width // heads

    def linear(x: str, name: str) -> str:
        integers, scale = quantise(state[f"{name}.weight"])
        wide = graph.add("Cast", graph.hold(f"{name}.weight{_INTEGER}", integers.T), to=TensorProto.FLOAT)
        weight = graph.add("Mul", wide, graph.hold(f"{name}.weight{_SCALE}", scale))
        return graph.add("Add", graph.add("MatMul", x, weight), graph.hold(f"{name}.bias", state[f"{name}.bias"]))

    def norm(x: str, name: str) -> str:
        return graph.add(
            "LayerNormalization",
            x,
            graph.hold(f"{name}.weight", state[f"{name}.weight"]),
            graph.hold(f"{name}.bias", state[f"{name}.bias"]),
            axis=-1,
            epsilon=1e-5,
        )

    def rows_of(name: str) -> str:
        integers, scale = quantise(state[name])
        rows = graph.add("Gather", graph.hold(f"{name}{_INTEGER}", integers), "input_ids", axis=0)
        scales = graph.add("Gather", graph.hold(f"{name}{_SCALE}", scale[:, None]), "input_ids", axis=0)
        return graph.add("Mul", graph.add("Cast", rows, to=TensorProto.FLOAT), scales)

    x = rows_of("pieces.weight")
    length = graph.add("Shape", "input_ids", start=1, end=2)
    positions = graph.hold("positions.weight", state["positions.weight"])
    x = graph.add("Add", x, graph.add("Slice", positions, graph.integers(0), length, graph.integers(0)))
    x = graph.add("Add", x, graph.add("Gather", graph.hold("segments.weight", state["segments.weight"]), "segment_ids"))

    real = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    mask = graph.add("Mul", graph.add("Sub", real, graph.number(1.0)), graph.number(1e9))
    mask_of_scores = graph.add("Unsqueeze", mask, graph.integers(1, 2))

    for number in range(len(encoder.blocks)):
        block = f"blocks.{number}"
        parts = linear(norm(x, f"{block}.before_attention"), f"{block}.query_key_value")
        parts = graph.add("Reshape", parts, graph.integers(0, 0, 3, heads, part))
        parts = graph.add("Transpose", parts, perm=[2, 0, 3, 1, 4])
        query, key, value = (
            graph.add("Squeeze", graph.add("Slice", parts, graph.integers(i), graph.integers(i + 1)), graph.integers(0))
            for i in range(3)
        )
        scores = graph.add("MatMul", query, graph.add("Transpose", key, perm=[0, 1, 3, 2]))
        scores = graph.add("Add", graph.add("Mul", scores, graph.number(part**-0.5)), mask_of_scores)
        seen = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
        seen = graph.add("Reshape", graph.add("Transpose", seen, perm=[0, 2, 1, 3]), graph.integers(0, 0, width))
        x = graph.add("Add", x, linear(seen, f"{block}.mixed"))
        inner = graph.add("Relu", linear(norm(x, f"{block}.before_forward"), f"{block}.expand"))
        x = graph.add("Add", x, linear(inner, f"{block}.contract"))
    x = norm(x, "last")

    real_columns = graph.add("Unsqueeze", real, graph.integers(2))
    total = graph.add("ReduceSum", graph.add("Mul", x, real_columns), graph.integers(1), keepdims=0)
    mean = graph.add("Div", total, graph.add("ReduceSum", real, graph.integers(1), keepdims=1))
    attend = graph.add("Squeeze", linear(x, "attend"), graph.integers(2))
    weights = graph.add("Softmax", graph.add("Add", attend, mask), axis=-1)
    attended = graph.add(
        "Squeeze", graph.add("MatMul", graph.add("Unsqueeze", weights, graph.integers(1)), x), graph.integers(1)
    )
    pooled = graph.add("Concat", mean, attended, axis=-1)

    def unit(vector: str, output: str | None = None) -> str:
        size = graph.add("Max", graph.add("ReduceL2", vector, graph.integers(-1), keepdims=1), graph.number(1e-12))
        return graph.add("Div", vector, size, output=output)

    learnt = linear(pooled, "project")
    if encoder.lexical is None:
        unit(learnt, "embedding")
    else:
        directions = graph.add("Mul", rows_of("lexical.weight"), real_columns)
        words = unit(graph.add("ReduceSum", directions, graph.integers(1), keepdims=0))
        parts = [
            graph.add("Mul", part, graph.number(share**0.5))
            for part, share in ((unit(learnt), 1 - encoder.lexical_share), (words, encoder.lexical_share))
        ]
        unit(graph.add("Concat", *parts, axis=-1), "embedding")
    graph.add("Identity", linear(pooled, "tactic_head"), output="tactic_head_logits")

    shape = ["batch", "sequence"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape)
        for name in ("input_ids", "segment_ids", "attention_mask")
    ]
    outputs = [
        helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", encoder.dimension]),
        helper.make_tensor_value_info("tactic_head_logits", TensorProto.FLOAT, ["batch", encoder.tactic_head.out_features]),
    ]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "quod-ranker", inputs, outputs, graph.weights),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=9,
        producer_name="quod_training",
    )
    helper.set_model_props(
        model, {"attention_heads": str(heads), "lexical_share": repr(float(encoder.lexical_share))}
    )
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(path))


class BrokenModel(ValueError):
    """Why a folder is no model that can be used."""


@dataclass(frozen=True)
class Model:
    tokenizer: Tokenizer
    weights: dict[str, torch.Tensor]
    heads: list[str]
    #: Those settings that the weights fix.
    shape: dict[str, int | float]


def read_model(folder: Path) -> Model:
    try:
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        if (card.get("format"), card.get("version")) != ("quod-ranker", 1):
            raise BrokenModel(f"{folder} is not a model of format quod-ranker, version 1")
        for name, key in (("ranker.onnx", "model_sha256"), ("tokenizer.json", "tokenizer_sha256")):
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != card[key]:
                raise BrokenModel(f"{folder / name} is not the one that card.json was written for")
        tokenizer = Tokenizer.read(folder / "tokenizer.json")
        network = onnx.load(str(folder / "ranker.onnx"))
    except (OSError, KeyError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BrokenModel(f"{folder} is not a model: {error!r}") from error
    weights = _weights_of(network)
    about = {one.key: one.value for one in network.metadata_props}
    lexical = weights["lexical.weight"].shape[1] if "lexical.weight" in weights else 0
    shape = {
        "vocabulary": len(tokenizer.pieces),
        "maximum_length": tokenizer.maximum_length,
        "maximum_conclusion": tokenizer.maximum_conclusion,
        "width": weights["pieces.weight"].shape[1],
        "layers": sum(name.endswith(".mixed.weight") for name in weights),
        "attention_heads": int(about["attention_heads"]),
        "dimension": weights["project.weight"].shape[0] + lexical,
        "lexical_dimension": lexical,
        "lexical_share": float(about.get("lexical_share", 0)),
        "tactic_heads": weights["tactic_head.weight"].shape[0],
    }
    return Model(tokenizer, weights, card["tactic_heads"], shape)


def _weights_of(network: onnx.ModelProto) -> dict[str, torch.Tensor]:
    """The parameters that a network of ours holds, by name."""
    held = {one.name: numpy_helper.to_array(one) for one in network.graph.initializer}
    found: dict[str, torch.Tensor] = {}
    for name, value in held.items():
        if name.endswith(_INTEGER):
            parameter = name.removesuffix(_INTEGER)
            scale = held[parameter + _SCALE]
            # The piece table is stored by rows, the others transposed, by columns.
            wide = value.astype(numpy.float32) * scale
            found[parameter] = torch.from_numpy(wide if scale.ndim == 2 else wide.T.copy())
        elif name.endswith((".weight", ".bias")):
            found[name] = torch.from_numpy(value.copy())
    return found
