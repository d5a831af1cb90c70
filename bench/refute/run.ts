/**
 * How many false statements are refuted, and whether a true one ever is: `node bench/refute/run.ts [--true-budget
 * 5]`. Each statement stands alone in a file with the header of its library. What is measured is kept in
 * bench/records/refute.jsonl, and a run goes on where the last one stopped; `--again` asks another time about what an
 * earlier commit suspected and could not prove false, and the last answer counts. `--report` only prints the table.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { judgeFoundProof } from '../../src/operations/proof/judge-found-proof.ts';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import { asSentence } from '../../src/provers/rocq/syntax/sentences.ts';
import { refuteTheorem } from '../../src/refute/refute-theorem.ts';
import { findRocq } from '../../src/sessions/find-rocq.ts';
import { FileRun } from '../../src/sessions/rocq/file-run.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { recordSchema, statementSchema } from './record.ts';
import type { RefuteRecord } from './record.ts';
import { report } from './report.ts';

const RECORDS = new URL('../records/refute.jsonl', import.meta.url);

const { values } = parseArgs({
  options: {
    budget: { type: 'string', default: '30' },
    'true-budget': { type: 'string', default: '5' },
    again: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

type Statement = z.output<typeof statementSchema>;

const keyOf = ({ library, theorem, mistake, statement }: Statement): string =>
  JSON.stringify([library, theorem, mistake, statement]);

/** The last answer about each statement. */
function recorded(): RefuteRecord[] {
  if (!existsSync(RECORDS)) return [];
  const lines = readFileSync(RECORDS, 'utf8').split('\n');
  const records = lines.flatMap((line) => (line === '' ? [] : [recordSchema.parse(JSON.parse(line))]));
  return [...new Map(records.map((record) => [keyOf(record), record])).values()];
}

async function measure(library: Library, statements: readonly Statement[]): Promise<void> {
  if (statements.length === 0) return;
  const prover = await findRocq('coqidetop');
  const file = join(process.cwd(), 'refuted.v');
  const session = await prover.openSession({ file });
  const { signal } = new AbortController();
  try {
    let start = session.root;
    const head = outlineOf(library.header);
    for (const { text } of head.sentences) {
      const result = await session.run(start, asSentence(text), { expected: true });
      if (result.status !== 'done') throw new Error(`${library.name}: ${text}`);
      start = result.state;
    }
    for (const drawn of statements) {
      const budget = Number(drawn.mistake === 'none' ? values['true-budget'] : values.budget);
      const text = `${library.header}\nTheorem asked : ${drawn.statement}.\nProof.\nAdmitted.\n`;
      const outline = outlineOf(text);
      const theorem = outline.statements[0];
      if (theorem === undefined) throw new Error('There is no theorem.');
      // The header was run: the session begins behind it.
      const run = new FileRun(
        session,
        { outline: outlineOf(text.slice(library.header.length)), file },
        { onTrace: () => undefined, onError: (error) => console.error(String(error)) },
        { record: false, signal, start },
      );
      const inRest = outlineOf(text.slice(library.header.length)).statements[0];
      if (inRest === undefined) throw new Error('There is no theorem.');
      const opened = await run.advanceTo(inRest);
      if (opened === undefined) throw new Error(`Rocq does not accept ${drawn.statement}`);
      const begun = performance.now();
      let judging = 0;
      const judge = judgeFoundProof({ path: file, isWritten: false }, prover, signal);
      const answer = await refuteTheorem(
        { outline, theorem, session, opened },
        async (filled) => {
          const asked = performance.now();
          const verdict = await judge(filled);
          judging = performance.now() - asked;
          return verdict;
        },
        { budgetMs: budget * 1000, signal },
      );
      const elapsed = performance.now() - begun;
      const record: RefuteRecord = {
        ...drawn,
        budget,
        outcome: answer.kind,
        counterexample: answer.kind === 'refuted' ? answer.counterexample : '',
        message: answer.kind === 'refuted' ? '' : answer.message,
        suspects: answer.kind === 'not-refuted' ? [...answer.suspects] : [],
        tried: answer.kind === 'not-tried' ? 0 : answer.tried,
        searchSeconds: (elapsed - judging) / 1000,
        seconds: elapsed / 1000,
        load: (loadavg()[0] ?? Number.NaN) / cpus().length,
        at: new Date().toISOString(),
        commit,
      };
      appendFileSync(RECORDS, `${JSON.stringify(record)}\n`);
      console.log(
        `${drawn.library} ${drawn.mistake} ${drawn.theorem}: ${record.outcome} ${record.counterexample} ${record.searchSeconds.toFixed(1)} s`,
      );
    }
  } finally {
    await session.close();
  }
}

if (!values.report) {
  const drawn = z
    .array(statementSchema)
    .parse(JSON.parse(readFileSync(new URL('statements.json', import.meta.url), 'utf8')));
  const isOpen = (record: RefuteRecord): boolean =>
    values.again && record.outcome !== 'refuted' && record.suspects.length > 0 && record.commit !== commit;
  const done = new Set(recorded().flatMap((record) => (isOpen(record) ? [] : [keyOf(record)])));
  const left = drawn.filter((statement) => !done.has(keyOf(statement)));
  // A few of each library in turn, so that a run that is cut short says something of all.
  const SLICE = 10;
  for (
    let from = 0;
    LIBRARIES.some(({ name }) => left.filter(({ library }) => library === name).length > from);
    from += SLICE
  )
    for (const library of LIBRARIES)
      await measure(
        library,
        left.filter((statement) => statement.library === library.name).slice(from, from + SLICE),
      );
}
console.log(report(recorded()));
