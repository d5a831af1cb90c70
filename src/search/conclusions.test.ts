/** What is told of a run's theorems, whichever way their searches and judgements go. */
import { describe, expect, it } from 'vitest';
import { present } from '../core/entry.ts';
import { outlineOf, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { FalseStatements } from './avoided-statements.ts';
import { Conclusions, type SearchTask } from './conclusions.ts';
import { Judging } from './judging.ts';
import type { Judge, ProveEvent, SearchedTheorem, SearchOutcome } from './prove-request.ts';

const NAMES = ['wrong', 'sound', 'user', 'last'];
const TEXT = NAMES.map((name) => `Lemma ${name} : True.\nProof. Admitted.\n`).join('');
const OUTLINE = outlineOf(TEXT);

function theorem(name: string): TheoremItem {
  return present(
    OUTLINE.statements.find((one) => one.name === name),
    name,
  );
}

/**
 * Accepts every text. A proof rests on the statements that it names, and what it rests on through them: on each that is still
 * admitted. The word `hint` stands for `wrong`, used without its name.
 */
const judge: Judge = ({ text, theorems }) => {
  const bodies = new Map(
    text
      .split('Lemma ')
      .slice(1)
      .map((part) => [part.split(' ')[0], part.slice(part.indexOf('Proof.'))]),
  );
  const openOf = (name: string): string[] => {
    const body = bodies.get(name) ?? '';
    if (body.includes('Admitted')) return [name];
    const used = NAMES.filter((one) => body.includes(one) || (one === 'wrong' && body.includes('hint')));
    return [...new Set(used.flatMap(openOf))];
  };
  const restOn = theorems.map(({ name = '' }) => ({ openStatements: openOf(name), axioms: [] }));
  return Promise.resolve({ kind: 'accepted', warnings: [], restOn });
};

function run() {
  const asked: string[] = [];
  const events: ProveEvent[] = [];
  const counted: Judge = (filled) => {
    asked.push(filled.theorems.map(({ name }) => name).join(' '));
    return judge(filled);
  };
  const judging = new Judging(OUTLINE, counted, { pauseFactor: 0 });
  const conclusions = new Conclusions({
    ...{ outline: OUTLINE, judging, falseStatements: new FalseStatements() },
    ...{ finished: new Set<TheoremItem>(), errors: new Map<string, never>() },
    passed: () => Promise.resolve(),
    othersAreSearched: true,
    onEvent: (event) => events.push(event),
    signal: new AbortController().signal,
  });
  const settle = async (name: string, outcome: SearchOutcome): Promise<void> => {
    conclusions.add(theorem(name), searched(name, outcome));
    await conclusions.judged();
  };
  const found = (name: string, script: string): Promise<void> => settle(name, proof(name, script));
  const told = (name: string) => conclusions.results.get(theorem(name))?.outcome;
  const again = async (): Promise<Record<string, string[]>> => {
    const tasks = await conclusions.again();
    for (const task of tasks) conclusions.begin(task);
    return Object.fromEntries(tasks.map((task) => [task.theorem.name ?? '', withoutOf(task)]));
  };
  return { asked, events, conclusions, settle, found, told, again };
}

function withoutOf({ again }: SearchTask): string[] {
  return [...(again?.without ?? [])].sort();
}

function searched(name: string, outcome: SearchOutcome): SearchedTheorem<SearchOutcome> {
  return { theorem: name, line: 1, statement: 'True', times: {}, elapsedMs: 0, nodes: 1, outcome };
}

function proof(name: string, script: string): SearchOutcome {
  const start = TEXT.indexOf('Admitted.', TEXT.indexOf(`Lemma ${name} `));
  const span = { start, end: start + 'Admitted.'.length };
  return { kind: 'found', script, replacement: { span, text: `${script} Qed.` } };
}

const REFUTED: SearchOutcome = {
  kind: 'refuted',
  counterexample: 'n = 0',
} as unknown as Extract<SearchOutcome, { kind: 'refuted' }>;
const NOTHING: SearchOutcome = { kind: 'not-proved', reason: 'search-exhausted', message: 'Nothing.' };

describe('a proof', () => {
  it('that rests on nothing open is told at once', async () => {
    const { found, told } = run();
    await found('sound', 'exact I.');
    expect(told('sound')).toMatchObject({ kind: 'proved', script: 'exact I.' });
  });

  it('that rests on an open statement waits, and is proved when that is', async () => {
    const { found, told, again, conclusions } = run();
    await found('user', 'exact sound.');
    expect(told('user')).toBeUndefined();
    await found('sound', 'exact I.');
    expect(await again()).toEqual({});
    conclusions.settleWaiting();
    expect(told('user')).toMatchObject({ kind: 'proved', script: 'exact sound.' });
  });

  it('that rests on an open statement in the end is searched once more without any, and then told with it', async () => {
    const { found, settle, told, again, conclusions } = run();
    await found('user', 'exact sound.');
    await settle('sound', NOTHING);
    expect(await again()).toEqual({ user: ['sound', 'wrong'] });
    await settle('user', NOTHING);
    expect(await again()).toEqual({});
    conclusions.settleWaiting();
    expect(told('user')).toMatchObject({
      kind: 'proved-but',
      script: 'exact sound.',
      restsOnOpen: ['sound'],
    });
  });

  it('without open statements takes the place of one that rests on them; one that rests on as many does not', async () => {
    const { found, told, again, conclusions } = run();
    await found('user', 'exact sound.');
    await found('last', 'exact user.');
    await again();
    await found('user', 'now exact sound.');
    await found('last', 'exact I.');
    conclusions.settleWaiting();
    expect(told('user')).toMatchObject({ kind: 'proved-but', script: 'exact sound.' });
    expect(told('last')).toMatchObject({ kind: 'proved', script: 'exact I.' });
  });
});

describe('a proof that rests on what is refuted', () => {
  it('is no proof: it is searched without that, and where nothing is found the reason is told', async () => {
    const { found, settle, told, again } = run();
    await found('user', 'exact wrong.');
    await settle('wrong', REFUTED);
    expect(await again()).toEqual({ user: ['wrong'] });
    await settle('user', { ...NOTHING, message: 'No proof was found in the time given.' });
    expect(told('user')).toMatchObject({
      kind: 'not-proved',
      restsOnFalse: ['wrong'],
      message:
        'The only proof that was found rests on wrong, which is false; no other was found in the time given.',
    });
  });

  it('that names it is not judged again; that rests on it through another is, and stays', async () => {
    const { asked, found, settle, told, again, conclusions } = run();
    await found('user', 'exact wrong.');
    await found('last', 'exact user.');
    await settle('wrong', REFUTED);
    asked.length = 0;
    expect(await again()).toEqual({ user: ['wrong'] });
    expect(asked).toEqual(['last']);
    await found('user', 'exact I.');
    conclusions.settleWaiting();
    expect(told('user')).toMatchObject({ kind: 'proved', script: 'exact I.' });
    expect(told('last')).toMatchObject({ kind: 'proved', script: 'exact user.' });
  });

  it('by no name is not searched for ever', async () => {
    const { found, settle, told, again } = run();
    await found('user', 'auto with hint.');
    await settle('wrong', REFUTED);
    expect(await again()).toEqual({ user: ['wrong'] });
    await found('user', 'eauto with hint.');
    expect(await again()).toEqual({});
    expect(told('user')).toMatchObject({
      kind: 'not-proved',
      reason: 'search-exhausted',
      restsOnFalse: ['wrong'],
    });
  });

  it('is found before or after it is refuted, alike', async () => {
    const { found, settle, told, again } = run();
    await settle('wrong', REFUTED);
    await found('user', 'exact wrong.');
    expect(await again()).toEqual({ user: ['wrong'] });
    await settle('user', REFUTED);
    expect(told('user')).toMatchObject({ kind: 'refuted' });
  });
});
