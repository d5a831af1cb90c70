/**
 * Draws true statements from the libraries and makes false ones of others by typical mistakes: `node
 * bench/refute/draw.ts`. Writes bench/refute/statements.json. A mutated statement is kept when Rocq accepts it as a
 * statement.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orNothing } from '../../src/core/entry.ts';
import type { ProverSession, StateId } from '../../src/core/prover.ts';
import { randomNumbers } from '../../src/core/random.ts';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import { asSentence, splitSentences } from '../../src/provers/rocq/syntax/sentences.ts';
import { findRocq } from '../../src/sessions/find-rocq.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { MISTAKES, mutations, type Mistake } from './mutations.ts';

export interface DrawnStatement {
  readonly library: string;
  /** The theorem of the library that it is, or was made of. */
  readonly theorem: string;
  readonly mistake: Mistake | 'none';
  readonly statement: string;
}

const PER_LIBRARY = 30;
const LONGEST = 260;
const QUERY_MS = 5000;

const where = execFileSync('coqc', ['-where'], { encoding: 'utf8' }).trim();

function sourceOf(module: string): string {
  const [root, ...path] = module.split('.');
  const folder = root === 'Coq' ? join(where, 'theories') : join(where, 'user-contrib', orNothing(root));
  return readFileSync(`${join(folder, ...path)}.v`, 'utf8');
}

/** Names of theorems that have a proof, outside of modules in the file. */
function theoremsOf(library: Library): string[] {
  return library.modules.flatMap((module) => {
    const outline = outlineOf(sourceOf(module));
    const modules = new Set(outline.scopes.filter(({ kind }) => kind !== 'section').map(({ name }) => name));
    return outline.statements.flatMap(({ name, path, keyword, hole }) =>
      name === undefined || hole !== undefined || path.some((scope) => modules.has(scope))
        ? []
        : ['Lemma', 'Theorem', 'Corollary', 'Fact', 'Remark', 'Proposition'].includes(keyword)
          ? [`${module}.${name}`]
          : [],
    );
  });
}

async function statementOf(session: ProverSession, at: StateId, name: string): Promise<string | undefined> {
  const answer = await session.query(at, asSentence(`Check @${name}.`), { timeoutMs: QUERY_MS });
  if (answer.status !== 'done') return undefined;
  const said = answer.messages.map(({ message }) => message).join('\n');
  const statement = /^\s*\S+\s+: ([^]*)$/u.exec(said)?.[1]?.replace(/\s+/gu, ' ').trim();
  return statement === undefined || statement.length > LONGEST ? undefined : inAscii(statement);
}

/** As everybody writes it: stdpp prints signs that mistakes are not made of. */
function inAscii(statement: string): string {
  const signs = {
    '∀': 'forall',
    '∃': 'exists',
    '→': '->',
    '↔': '<->',
    '∧': '/\\',
    '∨': '\\/',
    '≤': '<=',
    '≠': '<>',
    '¬': '~ ',
  };
  return Object.entries(signs).reduce((text, [sign, word]) => text.replaceAll(sign, word), statement);
}

async function isStatement(session: ProverSession, at: StateId, statement: string): Promise<boolean> {
  const answer = await session.query(at, asSentence(`Check ((${statement}) : Prop).`), {
    timeoutMs: QUERY_MS,
  });
  return answer.status === 'done';
}

async function draw(library: Library): Promise<DrawnStatement[]> {
  const prover = await findRocq('coqidetop');
  const session = await prover.openSession({ file: join(process.cwd(), 'drawn.v') });
  try {
    let at = session.root;
    for (const { text } of splitSentences(library.header).sentences) {
      const result = await session.run(at, asSentence(text));
      if (result.status !== 'done') throw new Error(`${library.name}: ${text} ${JSON.stringify(result)}`);
      at = result.state;
    }
    const random = randomNumbers(23);
    const names = theoremsOf(library)
      .map((name) => ({ name, place: random() }))
      .sort((one, other) => one.place - other.place);
    const drawn: DrawnStatement[] = [];
    const count = (false_: boolean): number =>
      drawn.filter(({ mistake }) => (mistake !== 'none') === false_).length;
    let turn = 0;
    for (const { name } of names) {
      if (count(true) >= PER_LIBRARY && count(false) >= PER_LIBRARY) break;
      const statement = await statementOf(session, at, name);
      if (statement === undefined || !(await isStatement(session, at, statement))) continue;
      const common = { library: library.name, theorem: name };
      // In turn, so that both are of the same kind.
      if ((count(false) <= count(true) && count(false) < PER_LIBRARY) || count(true) >= PER_LIBRARY) {
        drawn.push({ ...common, mistake: 'none', statement });
        continue;
      }
      for (let shift = 0; shift < MISTAKES.length; shift += 1) {
        const mistake = MISTAKES[(turn + shift) % MISTAKES.length];
        if (mistake === undefined) break;
        const all = mutations(statement, mistake).filter((text) => text !== statement);
        const made = all[Math.floor(random() * all.length)];
        if (made === undefined || !(await isStatement(session, at, made))) continue;
        drawn.push({ ...common, mistake, statement: made });
        turn += 1;
        break;
      }
    }
    return drawn;
  } finally {
    await session.close();
  }
}

const all: DrawnStatement[] = [];
for (const library of LIBRARIES) {
  const drawn = await draw(library);
  console.log(
    `${library.name}: ${drawn.filter(({ mistake }) => mistake === 'none').length} true, ${drawn.filter(({ mistake }) => mistake !== 'none').length} mutated`,
  );
  all.push(...drawn);
}
writeFileSync(new URL('statements.json', import.meta.url), `${JSON.stringify(all, undefined, 1)}\n`);
