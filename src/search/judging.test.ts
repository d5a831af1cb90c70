import { describe, expect, it } from 'vitest';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { Judging } from './judging.ts';
import type { Judge } from './prove-request.ts';
import type { Replacement } from './replacement.ts';

const NAMES = ['a', 'b', 'c'];
const TEXT = NAMES.map((name) => `Lemma ${name} : True.\nProof. HOLE Qed.\n`).join('');
const OUTLINE = outlineOf(TEXT);
const theorems = OUTLINE.statements;

function proofOf(index: number, text: string): Replacement {
  let start = -1;
  for (let at = 0; at <= index; at += 1) start = TEXT.indexOf('HOLE', start + 1);
  return { span: { start, end: start + 'HOLE'.length }, text };
}

/** Refuses every text with `bad` in it; tells what it was asked. */
function scripted(): { judge: Judge; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    judge: async ({ text, theorems: judged }) => {
      asked.push(judged.map(({ name }) => name).join(' '));
      await new Promise((resolve) => setTimeout(resolve, 1));
      return text.includes('bad') ? 'Refused.' : undefined;
    },
  };
}

async function submitAll(judging: Judging, proofs: readonly string[]): Promise<(string | undefined)[]> {
  const judged = await Promise.all(
    theorems.map((theorem, index) => judging.submit(theorem, proofOf(index, proofs[index] ?? ''))),
  );
  return judged.map(({ refused }) => refused);
}

describe('judging', () => {
  it('judges together what is found while a judgement runs', async () => {
    const { judge, asked } = scripted();
    const answers = await submitAll(new Judging(OUTLINE, judge), ['exact I.', 'trivial.', 'auto.']);
    expect(answers).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual(['a', 'b c']);
  });

  it('puts every proof of a batch into its place', async () => {
    const texts: string[] = [];
    const judge: Judge = ({ text }) => {
      texts.push(text);
      return Promise.resolve(undefined);
    };
    await submitAll(new Judging(OUTLINE, judge), ['one.', 'a much longer second.', 'third.']);
    expect(texts.at(-1)).toBe(
      TEXT.replace(/HOLE([^]*?)HOLE([^]*?)HOLE/u, 'HOLE$1a much longer second.$2third.'),
    );
  });

  it('refuses only the bad proof of a batch', async () => {
    const { judge, asked } = scripted();
    const answers = await submitAll(new Judging(OUTLINE, judge), ['exact I.', 'bad.', 'auto.']);
    expect(answers).toEqual([undefined, 'Refused.', undefined]);
    expect(asked).toEqual(['a', 'b c', 'b', 'c']);
  });

  it('hands on what a judge throws, and goes on', async () => {
    let calls = 0;
    const judge: Judge = () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(undefined);
    };
    const judging = new Judging(OUTLINE, judge);
    const [first, second] = theorems;
    if (first === undefined || second === undefined) throw new Error('The text has statements.');
    await expect(judging.submit(first, proofOf(0, 'auto.'))).rejects.toThrow('broken');
    expect(await judging.submit(second, proofOf(1, 'auto.'))).toEqual({ without: [] });
  });

  it('sets a refused proof aside in both texts, says so to what stands behind it, and keeps a proof that replaces it', async () => {
    const asked: { target: string; text: string; names: string }[] = [];
    const judge: Judge = ({ target, text, theorems: judged }) => {
      asked.push({ target, text, names: judged.map(({ name }) => name).join(' ') });
      return Promise.resolve(undefined);
    };
    const [first, second, third] = theorems;
    if (first === undefined || second === undefined || third === undefined) throw new Error('Three.');
    const refused = proofOf(1, '');
    const setAside = {
      span: { start: refused.span.start, end: refused.span.end + ' Qed.'.length },
      text: 'Admitted.',
    };
    const judging = new Judging(OUTLINE, judge, () => [setAside]);
    expect(await judging.submit(first, proofOf(0, 'auto.'))).toEqual({ without: [] });
    expect(await judging.submit(third, proofOf(2, 'auto.'))).toEqual({ without: [setAside] });
    expect(await judging.submit(second, proofOf(1, 'auto.'))).toEqual({ without: [] });
    const admitted = TEXT.replace(/HOLE([^]*?)HOLE Qed\./u, 'HOLE$1Admitted.');
    expect(asked).toEqual([
      { target: admitted, text: admitted.replace('HOLE', 'auto.'), names: 'a' },
      { target: admitted, text: admitted.replace(/(.*)HOLE/su, '$1auto.'), names: 'c' },
      { target: TEXT, text: TEXT.replace(/HOLE([^]*?)HOLE/u, 'HOLE$1auto.'), names: 'b' },
    ]);
  });
});
