/**
 * What runs the network of the learned ranker: the native onnxruntime where somebody installed it, else the same
 * runtime as WebAssembly, which is part of the package and needs no install step. Their vectors differ by less than
 * a millionth; the native one is several times faster. Nothing is loaded before the first encoder is opened.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type * as OnnxRuntime from 'onnxruntime-web';
import { InOrder } from '../../core/concurrency/in-order.ts';
import { QuodError, errorText } from '../../core/errors.ts';

export type RuntimeKind = 'native' | 'webassembly';

/** The part of onnxruntime's interface that its packages share. */
export type Onnx = Pick<typeof OnnxRuntime, 'InferenceSession' | 'Tensor'>;

export interface Runtime {
  readonly kind: RuntimeKind;
  readonly onnx: Onnx;
  /** The word for the processor in `executionProviders`. */
  readonly provider: 'cpu' | 'wasm';
  /** Does something with sessions: the WebAssembly does one thing at a time, and breaks where two overlap. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Where the build puts the WebAssembly; the sources take it from the package that the build takes it from. */
const SHIPPED_RUNTIME = new URL('../../onnxruntime/', import.meta.url);
export const RUNTIME_SCRIPT = 'ort.wasm.bundle.min.mjs';
export const RUNTIME_BINARY = 'ort-wasm-simd-threaded.wasm';
/** A quarter of the binary, which is most of what Quod itself takes on a disk. */
export const PACKED_BINARY = `${RUNTIME_BINARY}.gz`;

/** Where the npm package has both files. @throws when it is not installed. */
export function runtimePackage(): URL {
  const binary = createRequire(import.meta.url).resolve(`onnxruntime-web/${RUNTIME_BINARY}`);
  return new URL('./', pathToFileURL(binary));
}

const unpacked = promisify(gunzip);

const loaded = new Map<RuntimeKind | 'any', Promise<Runtime>>();

/** @param kind The one that is wanted; default: the best that loads. @throws QuodError `unsupported`. */
export function loadRuntime(kind: RuntimeKind | 'any' = 'any'): Promise<Runtime> {
  const known = loaded.get(kind);
  if (known !== undefined) return known;
  const loading = load(kind).catch((cause: unknown) => {
    // What is installed meanwhile is found by the next call.
    loaded.delete(kind);
    throw new QuodError('unsupported', `The learned ranker cannot run here: ${errorText(cause)}`, {
      remedy:
        'Install Quod again, run `npm install onnxruntime-node --onnxruntime-node-install=skip` beside it, or choose another ranker.',
      cause,
    });
  });
  loaded.set(kind, loading);
  return loading;
}

function load(kind: RuntimeKind | 'any'): Promise<Runtime> {
  switch (kind) {
    case 'native':
      return native();
    case 'webassembly':
      return webAssembly();
    case 'any':
      return native().catch(() => loadRuntime('webassembly'));
  }
}

async function native(): Promise<Runtime> {
  const onnx: Onnx = await import('onnxruntime-node');
  return { kind: 'native', onnx, provider: 'cpu', inTurn: (work) => work() };
}

async function webAssembly(): Promise<Runtime> {
  const packed = new URL(PACKED_BINARY, SHIPPED_RUNTIME);
  const isShipped = existsSync(packed);
  const folder = isShipped ? SHIPPED_RUNTIME : runtimePackage();
  const imported: unknown = await import(new URL(RUNTIME_SCRIPT, folder).href);
  const onnx = imported as typeof OnnxRuntime;
  onnx.env.wasm.wasmBinary = isShipped
    ? await unpacked(await readFile(packed))
    : await readFile(new URL(RUNTIME_BINARY, folder));
  // More threads are workers that keep the process alive, and on a busy machine they are slower than one.
  onnx.env.wasm.numThreads = 1;
  // All sessions share its memory.
  const turns = new InOrder();
  return { kind: 'webassembly', onnx, provider: 'wasm', inTurn: (work) => turns.run(work) };
}
