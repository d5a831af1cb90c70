/**
 * The folder of a model, the tokenizer and the encoder, against what Python computed for a small model of the same
 * format.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Goal } from '../../core/proof-state.ts';
import { Encoder } from './encoder.ts';
import {
  DIMENSION,
  rankerModelFolder,
  readRankerModel,
  SPECIAL_PIECES,
  type RankerModel,
} from './model-format.ts';
import { encoderText, Tokenizer } from './tokenizer.ts';
import { VectorStore } from './vector-store.ts';

const FOLDER = fileURLToPath(new URL('../testing/tiny-model', import.meta.url));

let model: RankerModel;
let scratch: string;

beforeAll(async () => {
  model = await readRankerModel(FOLDER);
});

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'quod-model-'));
});

afterEach(async () => {
  await rm(scratch, { recursive: true, force: true });
});

function checkedGoals(): Goal[] {
  return model.card.check.map(({ conclusion, hypotheses }) => ({
    id: '',
    conclusion,
    hypotheses: hypotheses.map(({ name, type, body }) => ({
      name,
      type,
      ...(body !== undefined && { body }),
    })),
  }));
}

function goal(conclusion: string): Goal {
  return { id: '', hypotheses: [], conclusion };
}

describe('a model folder', () => {
  it.each<[string, string, (text: string) => string, string]>([
    [
      'a changed tokenizer',
      'tokenizer.json',
      (text) => text.replace('"len"', '"lem"'),
      'tokenizer.json is not the one',
    ],
    [
      'a network that is cut short',
      'ranker.onnx',
      (text) => text.slice(0, 100),
      'ranker.onnx is not the one',
    ],
    ['a card that is no JSON', 'card.json', (text) => text.slice(0, 100), 'card.json is not JSON'],
    [
      'a card of another version',
      'card.json',
      (text) => text.replace('"version": 1', '"version": 2'),
      'version 1',
    ],
    [
      'vectors of another length',
      'card.json',
      (text) => text.replace('"dimension": 256', '"dimension": 768'),
      'dimension',
    ],
  ])('is refused with %s', async (_, name, change, message) => {
    await cp(FOLDER, scratch, { recursive: true });
    const path = join(scratch, name);
    await writeFile(path, change(await readFile(path, 'latin1')), 'latin1');
    await expect(readRankerModel(scratch)).rejects.toMatchObject({
      reason: 'invalid-input',
      message: expect.stringContaining(message) as unknown,
    });
  });

  it('is said to be missing when it is', async () => {
    await expect(Encoder.open(join(scratch, 'none'))).rejects.toMatchObject({
      reason: 'not-found',
      remedy: expect.stringContaining('QUOD_RANKER_MODEL') as unknown,
    });
  });
});

describe('Tokenizer', () => {
  it('cuts as Python does', () => {
    const tokenizer = new Tokenizer(model.tokenizer);
    expect(checkedGoals().map((one) => tokenizer.encode(one).ids)).toEqual(
      model.card.check.map(({ ids }) => ids),
    );
  });

  it('never answers more than the model takes, nor ids that it has not', () => {
    const tokenizer = new Tokenizer(model.tokenizer);
    const text = fc.string({
      unit: fc.constantFrom('a', '_', ' ', '(', '=', '∀', '𝔸', '\u0301', '1', '\n', ';'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), (conclusion, types) => {
        const hypotheses = types.map((type) => ({ name: 'H', type }));
        const { ids, segments } = tokenizer.encode({ id: '', hypotheses, conclusion });
        expect(ids.length).toBeLessThanOrEqual(model.tokenizer.maximum_length);
        expect(segments).toHaveLength(ids.length);
        expect(
          ids.every((id) => id >= SPECIAL_PIECES.indexOf('[UNK]') && id < model.tokenizer.pieces.length),
        ).toBe(true);
        expect([ids[0], ids.at(-1)]).toEqual([2, 3]);
      }),
    );
  });

  it('reads nothing of a goal that its text does not have', () => {
    const tokenizer = new Tokenizer(model.tokenizer);
    const hypotheses = [{ name: 'x', type: 'nat', body: '0' }];
    const one: Goal = { id: 'one', hypotheses, conclusion: 'x = 0' };
    const other: Goal = { ...one, id: 'other' };
    expect(encoderText(one)).toBe(encoderText(other));
    expect(tokenizer.encode(one)).toEqual(tokenizer.encode(other));
  });
});

describe('Encoder', () => {
  const RUNTIMES = ['native', 'webassembly'] as const;

  it.each(RUNTIMES)(
    'makes the vectors that Python makes, whatever else is in the batch: %s',
    async (runtime) => {
      const encoder = await Encoder.open(FOLDER, { runtime });
      expect(encoder.runtime).toBe(runtime);
      const goals = checkedGoals();
      const together = await encoder.encode([
        ...goals,
        ...Array.from({ length: 70 }, (_, n) => goal('n '.repeat(n))),
      ]);
      const alone = await Promise.all(goals.map((one) => encoder.encode([one])));
      await encoder.close();
      for (const [at, { embedding }] of model.card.check.entries()) {
        const difference = (vector: Float32Array | undefined): number =>
          Math.max(...embedding.map((value, place) => Math.abs(value - (vector?.[place] ?? NaN))));
        expect(difference(together[at])).toBeLessThan(1e-3);
        expect(difference(alone[at]?.[0])).toBeLessThan(1e-3);
      }
    },
  );
});

describe('the shipped model', () => {
  it('makes the same vectors when many begin to ask while others are answered', async () => {
    const encoder = await Encoder.open(rankerModelFolder({}), { runtime: 'webassembly' });
    const asked = Array.from({ length: 14 }, (_, at) =>
      Array.from({ length: at % 3 === 0 ? 1 : 33 }, (__, n) => goal(`${'x '.repeat((n + at) % 5)}= y`)),
    );
    // Each begins between other steps of those before it.
    const begun = asked.map(async (goals, at) => {
      for (let step = 0; step < (at * 7) % 23; step += 1) await Promise.resolve();
      return encoder.encode(goals);
    });
    const together = await Promise.all(begun);
    for (const at of [0, 3, 13]) expect(together[at]).toEqual(await encoder.encode(asked[at] ?? []));
    await encoder.close();
  });

  it('makes the same vectors natively and as WebAssembly', async () => {
    const goals = ['x + 0 = x', 'forall n : nat, n <= S n', '(a * b) * c = a * (b * c)'].map(goal);
    const [native = [], webAssembly = []] = await Promise.all(
      (['native', 'webassembly'] as const).map(async (runtime) => {
        const encoder = await Encoder.open(rankerModelFolder({}), { runtime });
        const vectors = await encoder.encode(goals);
        await encoder.close();
        return vectors;
      }),
    );
    expect(native).toHaveLength(goals.length);
    const differences = native.flatMap((vector, at) =>
      Array.from(vector, (value, place) => Math.abs(value - (webAssembly[at]?.[place] ?? NaN))),
    );
    expect(Math.max(...differences)).toBeLessThan(1e-6);
  });
});

describe('VectorStore', () => {
  class CountingEncoder {
    readonly card = model.card;
    encoded = 0;
    encode(goals: readonly Goal[]): Promise<Float32Array[]> {
      this.encoded += goals.length;
      return Promise.resolve(
        goals.map(({ conclusion }) => new Float32Array(DIMENSION).fill(conclusion.length)),
      );
    }
  }

  const goals = Array.from({ length: 20 }, (_, length) => goal('n'.repeat(length)));

  it('makes no vector twice, also not after a restart', async () => {
    const encoder = new CountingEncoder();
    const store = new VectorStore(encoder, scratch);
    const first = await store.vectors(goals);
    expect(await store.vectors(goals)).toEqual(first);
    expect(await store.vectors([...goals, goal('fresh')])).toHaveLength(21);
    expect(encoder.encoded).toBe(21);
    const later = new CountingEncoder();
    expect(await new VectorStore(later, scratch).vectors(goals)).toEqual(first);
    expect(later.encoded).toBe(0);
  });

  it('makes them again when what was stored is damaged', async () => {
    const first = await new VectorStore(new CountingEncoder(), scratch).vectors(goals);
    const [stored] = (await readdir(scratch, { recursive: true })).filter((name) => name.endsWith('.f32'));
    const path = join(scratch, stored ?? '');
    const content = await readFile(path);
    content.writeUInt8(content.readUInt8(500) ^ 1, 500);
    await writeFile(path, content);
    const encoder = new CountingEncoder();
    expect(await new VectorStore(encoder, scratch).vectors(goals)).toEqual(first);
    expect(encoder.encoded).toBe(goals.length);
  });
});
