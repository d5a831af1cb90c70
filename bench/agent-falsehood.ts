/**
 * Mutated statements and true ones through the whole agent: how many are refuted before a model is asked, how many after
 * a model has said that they are false. The statements are those of bench/refute, evenly drawn from two libraries, and
 * for each of the five mutated ones among them that are true the next one of its library that is really false; the
 * model tries one proof and then calls every statement false, so that it is wrong for each true one. Real Rocq, the
 * gate, the agent's defaults but for one plan and no search. Stop it and call it again: it goes on.
 *   npx node bench/agent-falsehood.ts [AT-ONCE]
 * The outcomes go to bench/records/agent-falsehood.jsonl; the table is printed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  startModelServer,
  type ChatRequest,
  type Reply,
} from '../src/agent/testing/scripted-model-server.ts';
import { present } from '../src/core/entry.ts';
import { load } from './refute/ask.ts';
import { LIBRARIES } from './refute/libraries.ts';
import { drawnStatements, keyOfStatement, type DrawnStatement } from './refute/record.ts';

const DRAWN_FROM = ['stdlib', 'ext-lib'];
/** Of each library, true ones and false ones. */
const OF_EACH = 10;

/**
 * Behind the five that are true in spite of the mistake, read and refuted by hand before refute was asked. The next one
 * behind and_cancel, Reflexive_Roption, is true as well.
 */
const REALLY_FALSE = [
  // behind andb_prop_intro: l = [x], m = []
  'Coq.Lists.List.lel_cons_cons',
  // behind Permutation_repeat: l = [x; x]
  'Coq.Lists.ListSet.set_add_nodup',
  // behind impl_iff: R = le
  'ExtLib.Data.Option.Symmetric_Roption',
  // behind and_cancel: P = False
  'ExtLib.Data.Prop.or_True_iff',
  // behind impl_eq: P = True, Q = False
  'ExtLib.Data.Prop.or_comm',
];
const RECORD = join(import.meta.dirname, 'records', 'agent-falsehood.jsonl');

const recordSchema = z.object({
  library: z.string(),
  theorem: z.string(),
  mistake: z.string(),
  statement: z.string(),
  outcome: z.string(),
  reason: z.string(),
  /** Of the model, all of them. */
  requests: z.int(),
  seconds: z.number(),
  load: z.number(),
  commit: z.string(),
});

type Outcome = z.output<typeof recordSchema>;

function drawn(): readonly DrawnStatement[] {
  const evenly = DRAWN_FROM.flatMap((library) =>
    [true, false].flatMap((isTrue) => {
      const all = drawnStatements().filter(
        (one) => one.library === library && (one.mistake === 'none') === isTrue,
      );
      return Array.from({ length: OF_EACH }, (_, index) => all[Math.floor((index * all.length) / OF_EACH)]);
    }),
  );
  const added = drawnStatements().filter(
    ({ theorem, mistake }) => mistake !== 'none' && REALLY_FALSE.includes(theorem),
  );
  return [...evenly, ...added].filter((one) => one !== undefined);
}

function answer({ messages, tools }: ChatRequest): Reply {
  if (tools === undefined) return { text: 'By computation.' };
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const proof = JSON.stringify({ proof: 'Proof. intros. easy. Qed.' });
  return turn === 0
    ? { calls: [{ name: 'rocq_check_proof', arguments: proof }] }
    : { text: 'FALSE, because it fails for small values.' };
}

const ended = z.object({
  event: z.object({ kind: z.literal('theorem-ended'), outcome: z.string(), reason: z.string() }),
});

async function outcomeOf(one: DrawnStatement, commit: string): Promise<Outcome> {
  const { header } = present(
    LIBRARIES.find(({ name }) => name === one.library),
    'library',
  );
  const server = await startModelServer(answer);
  const folder = mkdtempSync(join(tmpdir(), 'quod-falsehood-'));
  const begun = performance.now();
  try {
    writeFileSync(join(folder, 'a.v'), `${header}\nTheorem asked : ${one.statement}.\nProof.\nAdmitted.\n`);
    const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
    const child = spawn(
      process.execPath,
      [
        ...[join(import.meta.dirname, '..', 'src', 'faces', 'cli', 'start.ts'), 'agent', 'a.v', '--json'],
        ...['--model', 'scripted/rocq', '--no-search-first', '--set', `providers=${providers}`],
        ...['planning=direct', 'plans=1', 'plansExecuted=1', 'repairSeconds=0'],
      ],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    for await (const piece of child.stdout) output += String(piece);
    const found = output.split('\n').flatMap((line) => {
      const { success, data } = ended.safeParse(line.startsWith('{') ? JSON.parse(line) : undefined);
      return success ? [data.event] : [];
    });
    const { outcome, reason } = found.at(-1) ?? { outcome: 'did not end', reason: '' };
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    return { ...one, outcome, reason, requests: server.requests.length, seconds, load: load(), commit };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

function recorded(): readonly Outcome[] {
  const text = existsSync(RECORD) ? readFileSync(RECORD, 'utf8') : '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordSchema.parse(JSON.parse(line)));
}

function table(outcomes: readonly Outcome[]): string {
  const rows = [true, false].map((isFalse) => {
    const all = outcomes.filter(({ mistake }) => (mistake !== 'none') === isFalse);
    const refuted = all.filter(({ outcome }) => outcome === 'refuted');
    const before = refuted.filter(({ requests }) => requests === 0).length;
    const proved = all.filter(({ outcome }) => outcome === 'proved').length;
    const rest = all.length - refuted.length - proved;
    const cells = [all.length, before, refuted.length - before, proved, rest];
    return `| ${isFalse ? 'mutated' : 'true'} | ${cells.join(' | ')} |`;
  });
  return [
    '| statements | tried | refuted before the first request | refuted after it | proved | neither |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const known = new Set(recorded().map(keyOfStatement));
const open = drawn().filter((one) => !known.has(keyOfStatement(one)));
const work = async (): Promise<void> => {
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const line = JSON.stringify(await outcomeOf(one, commit));
    console.log(line);
    appendFileSync(RECORD, `${line}\n`);
  }
};
await Promise.all(Array.from({ length: Number(process.argv[2] ?? 1) }, work));
console.log(table(recorded()));
