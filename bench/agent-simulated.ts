/**
 * What the parts of the agent add at a given quality of the model: a simulated model that knows the author's proofs and
 * spoils them (`simulated-model.ts`), served over OpenAI's protocol, on theorems of the standard library with
 * proofs of at least 5 sentences, with everything and with each part left out. Stop it and call it again: it goes on.
 *   npx node bench/agent-simulated.ts [theorems] [seconds]
 * Cells go to bench/records/agent-simulated.jsonl, the report to docs/agents/bench-simulated.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryAt } from '../src/core/entry.ts';
import { startModelServer } from '../src/agent/testing/scripted-model-server.ts';
import { simulatedAnswer } from '../src/agent/testing/simulated-model.ts';
import type { KnownProof } from '../src/agent/testing/simulated-model.ts';
import { outlineOf } from '../src/provers/rocq/syntax/outline.ts';
import { coqFolder } from './search/coqc.ts';
import { libraryNamed } from './search/task.ts';
import { theoremsOf } from './search/theorems.ts';

const QUALITIES = [0.6, 0.8, 0.95];
const [theorems = '12', seconds = '600'] = process.argv.slice(2);
const results = join(import.meta.dirname, 'results', 'agent-simulated');
const where = coqFolder();

/** In files that load quickly; the same ones every time. */
const chosen = theoremsOf(
  { ...libraryNamed('stdlib'), folders: ['theories/Lists', 'theories/Arith', 'theories/Bool'] },
  where,
)
  .filter(({ length, source }) => length >= 5 && length <= 12 && !source.includes('Setoid'))
  .map((theorem) => ({ ...theorem, order: createHash('sha256').update(theorem.name).digest('hex') }))
  .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  .slice(0, Number(theorems));

const proofs = chosen.map(({ source, name }): KnownProof => {
  const outline = outlineOf(readFileSync(join(where, source), 'utf8'));
  const item = outline.statements.find((statement) => statement.name === name);
  if (item === undefined) throw new Error(`${source} has no ${name}.`);
  const statement = entryAt(outline.sentences, item.sentence, 'sentence').text;
  return {
    statement: statement.slice(statement.indexOf(name) + name.length),
    sentences: outline.sentences
      .slice(item.body.first, item.body.end)
      // One line each, as the model says them.
      .flatMap(({ role, text }) => (role === 'command' ? [text.replace(/\s+/gu, ' ')] : [])),
  };
});

const server = await startModelServer((request) =>
  simulatedAnswer(request, proofs, Number(request.model.slice(1)) / 100, 0),
);
const spec = {
  name: 'A simulated model on theorems of the standard library, names hidden',
  hideNames: true,
  theorems: chosen.map(({ source, name }) => ({ file: join(where, source), theorem: name })),
  groups: [
    [5, 6],
    [7, 8],
    [9, 12],
  ],
  settings: {
    providers: { simulated: { url: server.url, free: true } },
    // Without the search everything that is proved comes from the model and what is built around it.
    ...{ searchFirst: false, plans: 1, plansExecuted: 1, debateRounds: 1 },
    // A limit that a busy machine does not reach: else it measures the machine.
    ...{ toolCallsPerPlan: 8, failuresBeforeCritic: 2, repairSeconds: 3, refuteSeconds: 0, maxTime: 600 },
  },
  methods: QUALITIES.map((quality) => ({
    name: `quality ${quality}`,
    settings: { model: `simulated/q${Math.round(quality * 100)}` },
  })),
  without: ['repair', 'debate', 'critic', 'context'],
};
mkdirSync(results, { recursive: true });
const file = join(results, 'spec.json');
writeFileSync(file, JSON.stringify(spec, undefined, 1));
const quod = join(import.meta.dirname, '..', 'src', 'faces', 'cli', 'start.ts');
const child = spawn(process.execPath, [quod, 'bench', 'run', file, '--out', results], {
  stdio: ['ignore', 'ignore', 'inherit'],
  cwd: results,
});
const timer = setTimeout(() => child.kill('SIGINT'), Number(seconds) * 1000);
const code = await new Promise((resolve) => child.on('close', resolve));
clearTimeout(timer);
await server.close();
copyFileSync(join(results, 'cells.jsonl'), join(import.meta.dirname, 'records', 'agent-simulated.jsonl'));
const shown = join(import.meta.dirname, '..', 'docs', 'agents', 'bench-simulated');
mkdirSync(shown, { recursive: true });
for (const name of ['report.md', 'solved.svg', 'time.svg'])
  copyFileSync(join(results, name), join(shown, name));
console.log(`bench run ended with ${String(code)}; docs/agents/bench-simulated/report.md`);
