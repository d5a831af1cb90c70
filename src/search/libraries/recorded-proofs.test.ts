import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import type { RecordedStep } from '../../retrieval/lexical/step-memory.ts';
import { RecordedProofs } from './recorded-proofs.ts';

const TEXT =
  'Lemma a : A.\nProof. one. Qed.\nLemma b : B.\nProof. two. Qed.\nLemma c : C.\nProof. three. Qed.\n';
const OUTLINE = outlineOf(TEXT);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function step(tactic: string, next?: RecordedStep): RecordedStep {
  const goal = { id: '1', conclusion: `P ${tactic}`, hypotheses: [{ name: 'n', type: 'nat', body: '0' }] };
  return { goal, tactic, remaining: 1, origin: 'a.v', next };
}

it('gives back what was written, each step with the one behind it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.string(), { maxLength: 4 }), { maxLength: 3 }), async (proofs) => {
      const kept = new RecordedProofs(folder, 'subject');
      const chains = proofs.map((tactics) =>
        tactics.reduceRight<RecordedStep[]>((behind, tactic) => [step(tactic, behind[0]), ...behind], []),
      );
      const theorems = OUTLINE.statements.slice(0, chains.length);
      const written = new Map(theorems.map((theorem, index) => [theorem, chains[index] ?? []]));
      await kept.write(OUTLINE, written);
      expect(await kept.read(OUTLINE, OUTLINE.statements)).toEqual(written);
    }),
    { numRuns: 30 },
  );
});

it('knows a proof by the text up to its end, whatever stands behind', async () => {
  const kept = new RecordedProofs(folder, 'subject');
  await kept.write(OUTLINE, new Map(OUTLINE.statements.map((theorem) => [theorem, [step('t')]])));
  const names = async (text: string): Promise<(string | undefined)[]> => {
    const outline = outlineOf(text);
    return [...(await kept.read(outline, outline.statements)).keys()].map(({ name }) => name);
  };
  expect(await names(TEXT.replace('two', 'other'))).toEqual(['a']);
  expect(await names(TEXT.replace('Lemma c : C', 'Lemma c : D'))).toEqual(['a', 'b']);
  expect(await names(`(* new *)${TEXT}`)).toEqual([]);
});

it('knows nothing of a damaged entry', async () => {
  const kept = new RecordedProofs(folder, 'subject');
  await kept.write(OUTLINE, new Map(OUTLINE.statements.map((theorem) => [theorem, [step('t')]])));
  const inside = join(folder, 'recorded-1');
  for (const name of readdirSync(inside)) writeFileSync(join(inside, name), 'nonsense');
  expect(await kept.read(OUTLINE, OUTLINE.statements)).toEqual(new Map());
});
