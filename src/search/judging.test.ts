import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { entryAt } from '../core/entry.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { Judging } from './judging.ts';
import type { AcceptedTogether, Judge, ProofsJudged } from './prove-request.ts';
import type { Replacement } from '../core/replacement.ts';

const NAMES = ['a', 'b', 'c'];
const TEXT = NAMES.map((name) => `Lemma ${name} : True.\nProof. HOLE Qed.\n`).join('');
const OUTLINE = outlineOf(TEXT);
const theorems = OUTLINE.statements;

function proofOf(index: number, text: string): Replacement {
  let start = -1;
  for (let at = 0; at <= index; at += 1) start = TEXT.indexOf('HOLE', start + 1);
  return { span: { start, end: start + 'HOLE'.length }, text };
}

function taken(count: number): ProofsJudged {
  return {
    kind: 'accepted',
    warnings: [],
    restOn: Array.from({ length: count }, () => ({ openStatements: [], axioms: [] })),
  };
}

/** Refuses every text with `bad` in it; tells what it was asked. */
function scripted(): { judge: Judge; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    judge: async ({ text, theorems: judged }) => {
      asked.push(judged.map(({ name }) => name).join(' '));
      await new Promise((resolve) => setTimeout(resolve, 1));
      return text.includes('bad') ? { kind: 'rejected', message: 'Refused.' } : taken(judged.length);
    },
  };
}

it('counts the work of judging once, however many wait for it', async () => {
  const MS = 60;
  const judging = new Judging(OUTLINE, async ({ theorems: judged }) => {
    await new Promise((resolve) => setTimeout(resolve, MS));
    return taken(judged.length);
  });
  judging.end();
  const began = performance.now();
  await submitAll(judging, NAMES);
  const elapsed = performance.now() - began;
  const times = theorems.map((theorem) => judging.workMs(theorem));
  const sum = times.reduce((total, one) => total + one, 0);
  // Two judgements: one of the first, and one of the two that waited for it.
  expect(sum).toBeGreaterThan(1.5 * MS);
  expect(sum).toBeLessThanOrEqual(elapsed);
});

async function submitAll(judging: Judging, proofs: readonly string[]): Promise<(string | undefined)[]> {
  const judged = await Promise.all(
    theorems.map((theorem, index) => judging.submit(theorem, proofOf(index, proofs[index] ?? ''))),
  );
  return judged.map((answer) => (answer.kind === 'accepted' ? undefined : answer.message));
}

/** Accepts every text; tells what it was asked. */
function accepting(): { judge: Judge; asked: { target: string; text: string; names: string }[] } {
  const asked: { target: string; text: string; names: string }[] = [];
  return {
    asked,
    judge: ({ target, text, theorems: judged }) => {
      asked.push({ target, text, names: judged.map(({ name }) => name).join(' ') });
      return Promise.resolve(taken(judged.length));
    },
  };
}

function three(): [(typeof theorems)[number], (typeof theorems)[number], (typeof theorems)[number]] {
  const [first, second, third] = theorems;
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three.');
  return [first, second, third];
}

describe('judging', () => {
  it('judges together what is found while a judgement runs, in the file with what was accepted before', async () => {
    const { judge, asked } = scripted();
    const answers = await submitAll(new Judging(OUTLINE, judge), ['exact I.', 'trivial.', 'auto.']);
    expect(answers).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual(['a', 'a b c']);
  });

  it('puts every proof into its place, and says which file was accepted in the end', async () => {
    const { judge, asked } = accepting();
    const accepted: AcceptedTogether[] = [];
    const judging = new Judging(OUTLINE, judge, { onAccepted: (judged) => accepted.push(judged) });
    await submitAll(judging, ['one.', 'a much longer second.', 'third.']);
    const whole = TEXT.replace('HOLE', 'one.')
      .replace('HOLE', 'a much longer second.')
      .replace('HOLE', 'third.');
    expect(asked.at(-1)?.text).toBe(whole);
    expect(accepted.at(-1)).toMatchObject({
      fileSha256: createHash('sha256').update(whole).digest('hex'),
      judgedAsItIs: true,
    });
    expect(accepted.at(-1)?.replacements).toHaveLength(3);
  });

  it('refuses only the bad proof of a batch, and never judges it with the others again', async () => {
    const { judge, asked } = scripted();
    const accepted: AcceptedTogether[] = [];
    const judging = new Judging(OUTLINE, judge, { onAccepted: (judged) => accepted.push(judged) });
    const answers = await submitAll(judging, ['exact I.', 'bad.', 'auto.']);
    expect(answers).toEqual([undefined, 'Refused.', undefined]);
    expect(asked).toEqual(['a', 'a b c', 'a b', 'a c']);
    expect(accepted.at(-1)?.replacements.map(({ text }) => text)).toEqual(['exact I.', 'auto.']);
  });

  it('finds the bad proof among many in halves, and tells what it is at', async () => {
    const text = ['a', 'b', 'c', 'd', 'e']
      .map((name) => `Lemma ${name} : True.\nProof. ${name} Qed.\n`)
      .join('');
    const outline = outlineOf(text);
    const { judge, asked } = scripted();
    const told: string[] = [];
    const onJudging = (now: readonly { readonly name?: string | undefined }[]): void => {
      told.push(now.map(({ name }) => name).join(' '));
    };
    const judging = new Judging(outline, judge, { onJudging });
    const answers = await Promise.all(
      outline.statements.map((theorem) => {
        const start = text.indexOf(`Proof. ${theorem.name}`) + 'Proof. '.length;
        const proof = theorem.name === 'e' ? 'bad.' : 'exact I.';
        return judging.submit(theorem, { span: { start, end: start + 1 }, text: proof });
      }),
    );
    expect(answers.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 4 }, () => 'accepted'),
      'rejected',
    ]);
    expect(asked).toEqual(['a', 'a b c d e', 'a b c', 'a b c d e', 'a b c d', 'a b c d e']);
    expect(told.filter((names) => names !== '')).toEqual(['a', 'b c d e', 'b c', 'd e', 'd', 'e']);
    expect(told.at(-1)).toBe('');
  });

  it('hands on what a judge throws, and goes on', async () => {
    let calls = 0;
    const judge: Judge = ({ theorems: judged }) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(taken(judged.length));
    };
    const judging = new Judging(OUTLINE, judge);
    const [first, second] = three();
    await expect(judging.submit(first, proofOf(0, 'auto.'))).rejects.toThrow('broken');
    expect(await judging.submit(second, proofOf(1, 'auto.'))).toMatchObject({
      kind: 'accepted',
      without: [],
    });
  });

  it('gives each of a batch its own verdict when the judge throws for one or cannot look', async () => {
    const judge: Judge = ({ text, theorems: judged }) => {
      if (text.includes('throws')) return Promise.reject(new Error('broken'));
      return Promise.resolve(
        text.includes('lost')
          ? { kind: 'unknown', reason: 'timeout', message: 'It took too long.' }
          : taken(judged.length),
      );
    };
    const judging = new Judging(OUTLINE, judge);
    const ends = await Promise.allSettled(
      three().map((theorem, index) =>
        judging.submit(theorem, proofOf(index, ['auto.', 'throws.', 'lost.'][index] ?? '')),
      ),
    );
    expect(ends).toMatchObject([
      { status: 'fulfilled', value: { kind: 'accepted' } },
      { status: 'rejected', reason: { message: 'broken' } },
      { status: 'fulfilled', value: { kind: 'unknown', reason: 'timeout' } },
    ]);
  });

  it('knows of a proof that it rests on less once more of the file is proved', async () => {
    // What stands before a statement and is still a hole is what it rests on.
    const judge: Judge = ({ text, theorems: judged }) =>
      Promise.resolve({
        kind: 'accepted',
        warnings: [],
        restOn: judged.map(({ sentence }) => ({
          openStatements: NAMES.slice(0, sentence / 3).filter((name) =>
            text.includes(`Lemma ${name} : True.\nProof. HOLE Qed.`),
          ),
          axioms: [],
        })),
      });
    const judging = new Judging(OUTLINE, judge);
    const [first, second, third] = three();
    await judging.submit(third, proofOf(2, 'auto.'));
    expect(judging.restsOn(third).openStatements).toEqual(['a', 'b']);
    await judging.submit(first, proofOf(0, 'auto.'));
    expect(judging.restsOn(third).openStatements).toEqual(['b']);
    await judging.submit(second, proofOf(1, 'auto.'));
    expect(judging.restsOn(third).openStatements).toEqual([]);
  });

  it('sets a refused proof aside in both texts, says so to what stands behind it, and keeps a proof that replaces it', async () => {
    const { judge, asked } = accepting();
    const [first, second, third] = three();
    const refused = proofOf(1, '');
    const setAside = {
      span: { start: refused.span.start, end: refused.span.end + ' Qed.'.length },
      text: 'Admitted.',
    };
    const accepted: AcceptedTogether[] = [];
    const judging = new Judging(OUTLINE, judge, {
      setAside: () => [setAside],
      onAccepted: (judged) => accepted.push(judged),
    });
    expect(await judging.submit(first, proofOf(0, 'auto.'))).toMatchObject({ without: [] });
    expect(await judging.submit(third, proofOf(2, 'auto.'))).toMatchObject({ without: [setAside] });
    expect(await judging.submit(second, proofOf(1, 'auto.'))).toMatchObject({ without: [] });
    const admitted = TEXT.replace(/HOLE([^]*?)HOLE Qed\./u, 'HOLE$1Admitted.');
    expect(asked).toEqual([
      { target: admitted, text: admitted.replace('HOLE', 'auto.'), names: 'a' },
      { target: admitted, text: admitted.replaceAll('HOLE', 'auto.'), names: 'a c' },
      { target: TEXT, text: TEXT.replaceAll('HOLE', 'auto.'), names: 'a c b' },
    ]);
    // The file itself still has the proof that Rocq refuses, until another one stands in its place.
    expect(accepted.map(({ judgedAsItIs }) => judgedAsItIs)).toEqual([false, false, true]);
  });
});

it('what is withdrawn while it is judged does not come back', async () => {
  const asked: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const judging = new Judging(OUTLINE, async ({ theorems: judged }) => {
    asked.push(judged.map(({ name }) => name).join(' '));
    if (asked.length === 2) await held;
    return taken(judged.length);
  });
  judging.end();
  const [a, b] = [entryAt(theorems, 0, 'theorem'), entryAt(theorems, 1, 'theorem')];
  await judging.submit(a, proofOf(0, 'exact I.'));
  const second = judging.submit(b, proofOf(1, 'exact I.'));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  judging.withdraw([a]);
  release();
  await second;
  await judging.confirm();
  expect(asked).toEqual(['a', 'a b', 'b']);
});

it('hands on what the judge fails with where what is left is judged again, and keeps what is not accepted then', async () => {
  let answer: () => Promise<ProofsJudged> = () => Promise.resolve(taken(2));
  const judging = new Judging(OUTLINE, ({ theorems: judged }) =>
    judged.length === 1 && judged[0]?.name === 'b' ? answer() : Promise.resolve(taken(judged.length)),
  );
  judging.end();
  const [a, b] = three();
  await judging.submit(a, proofOf(0, 'exact I.'));
  await judging.submit(b, proofOf(1, 'exact I.'));
  judging.withdraw([a]);
  answer = () => Promise.reject(new Error('broken'));
  await expect(judging.confirm()).rejects.toThrow('broken');
  answer = () => Promise.resolve({ kind: 'rejected', message: 'Refused.' });
  await judging.confirm();
  expect(judging.restsOn(b)).toEqual({ openStatements: [], axioms: [] });
});

/** Comes to no end with a text that has `endless` in it, unless what stands behind the proofs is left out. */
function hanging(): { judge: Judge; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    judge: ({ text, theorems: judged, isEndlessBehind, signal }) => {
      asked.push(`${judged.map(({ name }) => name).join(' ')}${isEndlessBehind === true ? ' alone' : ''}`);
      if (!text.includes('endless') || isEndlessBehind === true) return Promise.resolve(taken(judged.length));
      return new Promise((resolve) => {
        const answer = { kind: 'unknown', reason: 'interrupted', message: 'Ended.' } as const;
        signal?.addEventListener('abort', () => resolve(answer), { once: true });
      });
    },
  };
}

describe('what does not end', () => {
  it('is not waited for longer than the run of the file lets expect, and others are not asked about it', async () => {
    const { judge, asked } = hanging();
    const judging = new Judging(OUTLINE, judge, { leastMs: 1, fileMs: () => Promise.resolve(1) });
    judging.end();
    const answers = await submitAll(judging, ['endless.', 'endless.', 'endless.']);
    expect(answers[0]).toMatch(/^The gate did not come to an end in /u);
    expect(answers[2]).toMatch(/^The gate came to no end with another proof/u);
    expect(asked).toEqual(['a', 'b c', 'b']);
  });

  it('is left out where it may stand behind the proofs', async () => {
    const { judge, asked } = hanging();
    const judging = new Judging(OUTLINE, judge, { leastMs: 1, judgesAll: true });
    judging.end();
    expect(await submitAll(judging, ['endless.', '', ''])).toEqual([undefined, undefined, undefined]);
    expect(asked.slice(0, 2)).toEqual(['a', 'a alone']);
  });

  it('is not run by the judge once it is known, whether it is asked already or not', async () => {
    const { judge, asked } = hanging();
    const [first, second, third] = three();
    const endless: number[] = [];
    const judging = new Judging(OUTLINE, judge, { endless: () => endless, judgesAll: true });
    judging.end();
    const waiting = judging.submit(first, proofOf(0, 'endless.'));
    const at = TEXT.indexOf('Lemma b') - 1;
    endless.push(at);
    judging.tellEndless(at);
    expect(await waiting).toMatchObject({ kind: 'accepted' });
    expect(asked).toEqual(['a', 'a alone']);
    for (const theorem of [second, third])
      expect(await judging.submit(theorem, proofOf(1, 'exact I.'))).toMatchObject({
        ...{ kind: 'unknown', reason: 'timeout' },
      });
    expect(asked).toHaveLength(2);
  });
});
