/**
 * Goals to vectors of length one, by the shipped network on the processor. When the runtime or the model is missing,
 * opening fails and says what to do.
 */
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { entryAt, lastOf } from '../../core/entry.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import type { Goal } from '../../core/proof-state.ts';
import { DIMENSION, readRankerModel, type ModelCard } from './model-format.ts';
import { loadRuntime, type Runtime, type RuntimeKind } from './runtime.ts';
import { Tokenizer } from './tokenizer.ts';

const BATCH = 32;

export interface EncoderOptions {
  /** Threads of one run; default 1. The WebAssembly always has one. */
  readonly threads?: number;
  /** What runs the network; default: the best that is there. */
  readonly runtime?: RuntimeKind;
}

export class Encoder {
  readonly card: ModelCard;
  readonly #tokenizer: Tokenizer;
  readonly #session: InferenceSession;
  readonly #runtime: Runtime;

  private constructor(card: ModelCard, tokenizer: Tokenizer, session: InferenceSession, runtime: Runtime) {
    this.card = card;
    this.#tokenizer = tokenizer;
    this.#session = session;
    this.#runtime = runtime;
  }

  /** @throws QuodError `not-found`, `invalid-input` as {@link readRankerModel}; `unsupported` without the runtime. */
  static async open(folder: string, options: EncoderOptions = {}): Promise<Encoder> {
    const model = await readRankerModel(folder);
    const runtime = await loadRuntime(options.runtime);
    try {
      const session = await runtime.inTurn(() =>
        runtime.onnx.InferenceSession.create(model.network, {
          executionProviders: [runtime.provider],
          intraOpNumThreads: options.threads ?? 1,
          interOpNumThreads: 1,
        }),
      );
      return new Encoder(model.card, new Tokenizer(model.tokenizer), session, runtime);
    } catch (cause) {
      throw new QuodError(
        'invalid-input',
        `The network of the learned ranker does not load: ${errorText(cause)}`,
        {
          place: { file: folder },
          remedy: 'Install Quod again, or make the model again with `data_train`.',
          cause,
        },
      );
    }
  }

  /** What runs the network here. */
  get runtime(): RuntimeKind {
    return this.#runtime.kind;
  }

  /** One vector for each goal, in their order. */
  async encode(goals: readonly Goal[], signal?: AbortSignal): Promise<Float32Array[]> {
    const encoded = goals.map((goal) => this.#tokenizer.encode(goal));
    // Goals of like length share a batch, so that little is padded.
    const order = encoded
      .map(({ ids }, at) => ({ at, length: ids.length }))
      .sort((one, other) => one.length - other.length);
    const vectors = new Array<Float32Array>(goals.length);
    for (let from = 0; from < order.length; from += BATCH) {
      signal?.throwIfAborted();
      const batch = order.slice(from, from + BATCH);
      const width = lastOf(batch, 'goal').length;
      const shape = [batch.length, width];
      const cells = (): BigInt64Array => new BigInt64Array(batch.length * width);
      const [ids, segments, mask] = [cells(), cells(), cells()];
      batch.forEach(({ at }, row) => {
        const goal = entryAt(encoded, at, 'goal');
        goal.ids.forEach((id, column) => {
          const cell = row * width + column;
          ids[cell] = BigInt(id);
          segments[cell] = BigInt(entryAt(goal.segments, column, 'segment'));
          mask[cell] = 1n;
        });
      });
      const tensor = (content: BigInt64Array): Tensor =>
        new this.#runtime.onnx.Tensor('int64', content, shape);
      const outputs = await this.#runtime.inTurn(() =>
        this.#session.run({
          input_ids: tensor(ids),
          segment_ids: tensor(segments),
          attention_mask: tensor(mask),
        }),
      );
      const data = outputs['embedding']?.data;
      if (!(data instanceof Float32Array) || data.length !== batch.length * DIMENSION)
        throw new QuodError(
          'invalid-input',
          'The network of the learned ranker answers with other vectors than its card says.',
        );
      batch.forEach(({ at }, row) => (vectors[at] = data.slice(row * DIMENSION, (row + 1) * DIMENSION)));
    }
    return vectors;
  }

  async close(): Promise<void> {
    await this.#runtime.inTurn(() => this.#session.release());
  }
}
