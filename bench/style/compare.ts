/**
 * Rewrites the recorded proofs (see collect.ts) for people and counts what that changed: `node bench/style/compare.ts`.
 * `--show` prints each proof before and after, `--style readable` writes for learners, `--only TEXT` takes sources
 * whose path contains it. A proof that no longer closes its goal is named, and left out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { present } from '../../src/core/entry.ts';
import type { ProverSession, StateId } from '../../src/core/prover.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import {
  BULLETS,
  scriptText,
  sentenceCount,
  type ScriptTree,
} from '../../src/provers/rocq/syntax/script-tree.ts';
import { asSentence } from '../../src/provers/rocq/syntax/sentences.ts';
import { ScriptChecker } from '../../src/search/script/script-checker.ts';
import { fileStyleOf, PROOF_STYLES, type ProofStyle } from '../../src/search/script/style/file-style.ts';
import { NameHabits } from '../../src/search/script/style/naming.ts';
import { restyle } from '../../src/search/script/style/restyle.ts';
import { findRocq } from '../../src/sessions/find-rocq.ts';
import { coqFolder } from '../search/coqc.ts';
import { BLEMISHES } from './blemishes.ts';
import { readFoundProofs, type FoundProof } from './found-proof.ts';

const options = new Command('compare')
  .option('--show', 'each proof before and after')
  .option('--only <text>', 'sources whose path contains it', '')
  .addOption(new Option('--style <style>').choices([...PROOF_STYLES]).default('terse'))
  .parse()
  .opts<{ show?: true; only: string; style: ProofStyle }>();

interface Compared {
  readonly before: ScriptTree;
  readonly after: ScriptTree;
  readonly seconds: number;
}

const NEVER = new AbortController().signal;
const NOTHING_OPEN = { unfocused: 0, shelved: 0, givenUp: 0 };
/** As the search has them. */
const ATTEMPTS = 300;
const LIMIT_MS = 3000;

function textOf(script: ScriptTree): string {
  return scriptText(script, { indent: '  ', newline: '\n', bullets: BULLETS }, '  ');
}

/** Runs a file from theorem to theorem. */
class FileWalk {
  readonly #session: ProverSession;
  readonly #outline: FileOutline;
  #next = 0;
  #state: StateId;

  constructor(session: ProverSession, outline: FileOutline) {
    this.#session = session;
    this.#outline = outline;
    this.#state = session.root;
  }

  /** The state in which the proof of the theorem begins. */
  async begun({ sentence, proofSentence }: TheoremItem): Promise<StateId> {
    const last = proofSentence ?? sentence;
    for (; this.#next <= last; this.#next += 1) {
      const one = present(this.#outline.sentences[this.#next], 'sentence');
      const result = await this.#session.run(this.#state, one);
      if (result.status !== 'done') throw new Error(`Rocq refuses ${one.text}`);
      this.#state = result.state;
    }
    return this.#state;
  }
}

async function comparedIn(source: string, proofs: readonly FoundProof[]): Promise<Compared[]> {
  const file = existsSync(source) ? resolve(source) : join(coqFolder(), source);
  const outline = outlineOf(readFileSync(file, 'utf8'));
  const session = await (await findRocq('auto')).openSession({ file, signal: NEVER });
  const walk = new FileWalk(session, outline);
  const compared: Compared[] = [];
  try {
    for (const item of outline.statements) {
      const found = proofs.find(({ theorem }) => theorem === item.name);
      if (found === undefined) continue;
      const began = await walk.begun(item);
      const opened =
        item.proofSentence === undefined ? await session.run(began, asSentence('Proof.')) : undefined;
      const root = opened?.status === 'done' ? opened.state : began;
      const checker = new ScriptChecker(session, root, NOTHING_OPEN, { recursive: false, signal: NEVER });
      if (!(await checker.passesScript(found.script))) {
        console.log(`${source}: the proof of ${found.theorem} does not close it here`);
        continue;
      }
      const since = performance.now();
      const { written } = await restyle(found.script, checker, {
        wantedStyle: { style: options.style, file: fileStyleOf(outline) },
        ...{ habits: new NameHabits(), attempts: ATTEMPTS, signal: NEVER },
        workMs: LIMIT_MS,
      });
      const seconds = (performance.now() - since) / 1000;
      compared.push({ before: found.script, after: written, seconds });
      if (options.show === true) {
        console.log(
          `\n== ${source}: ${found.theorem} (${seconds.toFixed(2)} s, ${checker.ran} sentences run)`,
        );
        console.log(present(outline.sentences[item.sentence], 'statement').text);
        console.log(`${textOf(found.script)}\n  -->\n${textOf(written)}`);
      }
    }
  } finally {
    await session.close();
  }
  return compared;
}

function reported(compared: readonly Compared[]): string {
  const sum = (part: 'before' | 'after', count: (script: ScriptTree) => number): number =>
    compared.reduce((total, one) => total + count(one[part]), 0);
  const row = (name: string, count: (script: ScriptTree) => number): string =>
    `| ${name} | ${sum('before', count)} | ${sum('after', count)} |`;
  const changed = compared.filter(({ before, after }) => textOf(before) !== textOf(after)).length;
  const seconds = compared.map((one) => one.seconds).sort((one, other) => one - other);
  const at = (share: number): string =>
    present(seconds[Math.floor((seconds.length - 1) * share)], 'time').toFixed(2);
  return [
    `${compared.length} proofs, ${changed} of them changed; median ${at(0.5)} s, 90 % within ${at(0.9)} s, longest ${at(1)} s`,
    '',
    '| | found | written |',
    '|---|---|---|',
    row('sentences', sentenceCount),
    row('characters', (script) => textOf(script).length),
    ...BLEMISHES.map(([name, count]) => row(name, count)),
  ].join('\n');
}

const proofs = readFoundProofs().filter(({ source }) => source.includes(options.only));
const compared: Compared[] = [];
for (const [source, own] of Map.groupBy(proofs, (proof) => proof.source))
  compared.push(...(await comparedIn(source, own)));
console.log(compared.length === 0 ? 'No proof is recorded.' : `\n${reported(compared)}`);
