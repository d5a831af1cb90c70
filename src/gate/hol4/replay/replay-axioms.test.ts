/** Axioms that a target declares are the target's: compared by content, and no others pass. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { replayFiles, type ReplaySettings } from './replay-files.ts';
import type { ReplayVerdict } from './replay-verdict.ts';
import { fixturePath } from '../testing/recorded-traces.ts';
import {
  and,
  bool,
  constant,
  F,
  free,
  implies,
  not,
  TraceWriter,
  type Term,
  type Theorem,
} from '../testing/trace-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-axioms-'));
afterAll(() => rmSync(folder, { recursive: true }));

const c = constant('mine$c', bool);
const goal = not(not(c));

interface Theory {
  readonly axiom?: Term;
  readonly further?: Term;
  readonly exportsAs?: 'A' | 'T';
  readonly definition?: Term;
  readonly goal: 'proved' | 'cheated' | 'asserted';
}

function write(name: string, theory: Theory): string {
  const writer = new TraceWriter('mine');
  if (theory.definition === undefined) writer.declareConstant('c', bool);
  else writer.step('DEF_CONST', theory.definition, 'mine$c');
  const statement = theory.axiom ?? c;
  const axiom = writer.step('AXIOM', statement);
  const line = (subject: string, kind: string, number: number, term: Term): void =>
    void writer.line(`named ${subject} ${kind} ${number} [] [] ${writer.term(term)}`);
  line('c_ax', theory.exportsAs ?? 'A', axiom.number, statement);
  if (theory.further !== undefined)
    line('further_ax', 'A', writer.step('AXIOM', theory.further).number, theory.further);
  if (theory.goal === 'proved') {
    const refuted = writer.step('MP', writer.step('NOT_ELIM', writer.step('ASSUME', not(c))), axiom);
    line('goal', 'T', writer.step('NOT_INTRO', writer.step('DISCH', not(c), refuted)).number, goal);
  } else line('goal', 'T', writer.step('AXIOM', goal).number, goal);
  const path = join(folder, `${name}.prf`);
  writeFileSync(path, writer.bytes());
  return path;
}

async function judge(
  target: Theory,
  submission: Theory,
  settings: ReplaySettings = {},
): Promise<{ readonly verdict: ReplayVerdict; readonly restsOn: readonly string[] | undefined }> {
  const files = [fixturePath('bool'), write('submission', submission)];
  const { verdict, theories } = await replayFiles(files, { target: write('target', target), ...settings });
  return { verdict, restsOn: theories.get('mine')?.theorems.get('goal')?.restsOn };
}

const codes = ({ verdict }: { readonly verdict: ReplayVerdict }): readonly string[] =>
  verdict.kind === 'rejected' ? verdict.findings.map(({ code }) => code) : [verdict.kind];

const target: Theory = { goal: 'cheated' };

test('the honest submission for a target with an axiom is accepted, and says what it rests on', async () => {
  const judged = await judge(target, { goal: 'proved' });
  expect(codes(judged)).toEqual(['accepted']);
  expect(judged.restsOn).toEqual(['mine$c_ax']);
});

describe('refused', () => {
  test.each<readonly [string, Theory, readonly string[]]>([
    ['an axiom more', { goal: 'proved', further: F }, ['unproved-statement']],
    ['another axiom under the name', { goal: 'proved', axiom: implies(c, F) }, ['unproved-statement']],
    ['the goal itself as an axiom', { goal: 'asserted' }, ['unproved-statement']],
    [
      'the constant of the axiom defined as something else',
      { goal: 'proved', definition: F },
      ['definition-changed'],
    ],
  ])('%s', async (_, submission, expected) => {
    expect(codes(await judge(target, submission))).toEqual(expect.arrayContaining([...expected]));
    expect(codes(await judge(target, submission))).not.toContain('accepted');
  });

  test('what the target only cheats is no axiom of it', async () => {
    const open: Theory = { goal: 'cheated', exportsAs: 'T' };
    expect(codes(await judge(open, { goal: 'proved', exportsAs: 'T' }))).toContain('unproved-statement');
  });

  test('an axiom of the target that the policy does not allow', async () => {
    const judged = await judge(target, { goal: 'proved' }, { allowsTargetAxioms: false });
    expect(codes(judged)).toContain('unproved-statement');
  });
});

test('a theory in the cache that asserts what is not allowed now is replayed again', async () => {
  const settings = { cacheDirectory: folder };
  expect(codes(await judge(target, { goal: 'proved' }, settings))).toEqual(['accepted']);
  const again = await judge(target, { goal: 'proved' }, settings);
  expect(again.verdict.files.map(({ fromCache }) => fromCache)).toEqual([true, true]);
  const forbidden = await judge(target, { goal: 'proved' }, { ...settings, allowsTargetAxioms: false });
  expect(codes(forbidden)).toContain('unproved-statement');
});

test('a target with more than a hundred cheats is compared to its last statement', async () => {
  const many = (statements: number, last: Term): string => {
    const writer = new TraceWriter('many');
    for (let at = 0; at < statements; at += 1) {
      const statement = at === statements - 1 ? last : implies(F, F);
      writer.export(`goal${at}`, writer.step('AXIOM', statement), statement, {
        hypotheses: [],
        tags: '[cheat] []',
      });
    }
    const path = join(folder, `many${statements}.prf`);
    writeFileSync(path, writer.bytes());
    return path;
  };
  const writer = new TraceWriter('many');
  const proof = writer.step('DISCH', F, writer.step('ASSUME', F));
  for (let at = 0; at < 119; at += 1) writer.export(`goal${at}`, proof, implies(F, F));
  const path = join(folder, 'proved.prf');
  writeFileSync(path, writer.bytes());
  const { verdict } = await replayFiles([fixturePath('bool'), path], { target: many(120, c0()) });
  expect(codes({ verdict })).toContain('missing');
});

const c0 = (): Term => constant('bool$T', bool);

describe('a proof beside statements that stay open', () => {
  const p = free('p');
  const lemma = implies(p, p);
  const goal = and(lemma, lemma);

  interface Script {
    readonly lemma: 'open' | 'proved' | 'absent';
    readonly goal: 'by lemma' | 'itself' | 'open' | 'by another';
  }

  function script(name: string, { lemma: first, goal: second }: Script): string {
    const writer = new TraceWriter('pair');
    const proved = (): Theorem => writer.step('DISCH', p, writer.step('ASSUME', p));
    const lemmaTheorem = first === 'open' ? writer.step('AXIOM', lemma) : proved();
    const goalTheorem =
      second === 'by lemma'
        ? writer.step('CONJ', lemmaTheorem, lemmaTheorem)
        : second === 'itself'
          ? writer.step('CONJ', proved(), proved())
          : second === 'open'
            ? writer.step('AXIOM', goal)
            : writer.step('CCONTR', goal, writer.step('AXIOM', F));
    // As HOL exports them: the last one first.
    writer.export('goal', goalTheorem, goal, {
      hypotheses: [],
      tags: first === 'open' || second !== 'itself' ? '[cheat] []' : '[] []',
    });
    if (first !== 'absent')
      writer.export('lemma', lemmaTheorem, lemma, {
        hypotheses: [],
        tags: first === 'open' ? '[cheat] []' : '[] []',
      });
    const path = join(folder, `${name}.prf`);
    writeFileSync(path, writer.bytes());
    return path;
  }

  const open: Script = { lemma: 'open', goal: 'open' };
  const judged = async (
    submission: Script,
    wanted: readonly string[] | undefined,
    target = open,
  ): Promise<{ readonly verdict: ReplayVerdict; readonly restsOn: readonly string[] | undefined }> => {
    const { verdict, theories } = await replayFiles([fixturePath('bool'), script('mine', submission)], {
      target: script('theirs', target),
      ...(wanted && { wanted }),
    });
    return { verdict, restsOn: theories.get('pair')?.theorems.get('goal')?.restsOn };
  };

  test('the one that uses an open one says so, and the one that does not says nothing', async () => {
    const using = await judged({ lemma: 'open', goal: 'by lemma' }, ['goal']);
    expect(codes(using)).toEqual(['accepted']);
    expect(using.restsOn).toEqual(['pair$lemma']);
    const alone = await judged({ lemma: 'open', goal: 'itself' }, ['goal']);
    expect(codes(alone)).toEqual(['accepted']);
    expect(alone.restsOn).toEqual([]);
  });

  test.each<readonly [string, Script, readonly string[] | undefined]>([
    ['the wanted statement left open', { lemma: 'open', goal: 'open' }, ['goal']],
    ['something else assumed', { lemma: 'open', goal: 'by another' }, ['goal']],
    ['one of two wanted left open', { lemma: 'open', goal: 'by lemma' }, ['goal', 'lemma']],
    ['nothing may stay open', { lemma: 'open', goal: 'by lemma' }, undefined],
  ])('refused: %s', async (_, submission, wanted) => {
    expect(codes(await judged(submission, wanted))).toContain('unproved-statement');
  });

  test('what was judged in parts is not remembered as a whole', async () => {
    const proof: Script = { lemma: 'proved', goal: 'by lemma' };
    const files = [fixturePath('bool'), script('tagged', proof)];
    const settings = { target: script('theirs', open), cacheDirectory: folder };
    const inParts = await replayFiles(files, { ...settings, wanted: ['goal'] });
    expect(codes(inParts)).toEqual(['accepted']);
    expect(codes(await replayFiles(files, settings))).toContain('oracle-tag');
  });

  test('what a proved theorem of the target rests on is not what the submission may assume', async () => {
    const target: Script = { lemma: 'proved', goal: 'open' };
    expect(codes(await judged({ lemma: 'open', goal: 'by lemma' }, ['goal'], target))).toContain(
      'unproved-statement',
    );
  });

  test('a target that leaves too much open to tell its parts apart is not judged in parts', async () => {
    const writer = new TraceWriter('pair');
    for (let at = 0; at < 40; at += 1) {
      const statement = implies(free(`p${at}`), free(`q${at}`));
      writer.export(`g${at}`, writer.step('AXIOM', statement), statement, {
        hypotheses: [],
        tags: '[cheat] []',
      });
    }
    const path = join(folder, 'large.prf');
    writeFileSync(path, writer.bytes());
    const { verdict } = await replayFiles([fixturePath('bool'), script('mine', open)], {
      target: path,
      wanted: ['g39'],
    });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
  });
});
