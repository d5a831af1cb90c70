/**
 * How many false statements are refuted, and whether a true one ever is: `node bench/refute/run.ts [--true-budget
 * 5]`. Each statement stands alone in a file with the header of its library. What is measured is kept in
 * bench/records/refute.jsonl, and a run goes on where the last one stopped; `--again` asks another time about what an
 * earlier commit suspected and could not prove false, and the last answer counts. `--report` only prints the table.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { load, RefuteSession } from './ask.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { drawnStatements, keyOfStatement, recordSchema } from './record.ts';
import type { DrawnStatement, RefuteRecord } from './record.ts';
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

/** The last answer about each statement. */
function recorded(): RefuteRecord[] {
  if (!existsSync(RECORDS)) return [];
  const lines = readFileSync(RECORDS, 'utf8').split('\n');
  const records = lines.flatMap((line) => (line === '' ? [] : [recordSchema.parse(JSON.parse(line))]));
  return [...new Map(records.map((record) => [keyOfStatement(record), record])).values()];
}

async function measure(library: Library, statements: readonly DrawnStatement[]): Promise<void> {
  if (statements.length === 0) return;
  const session = await RefuteSession.open(library);
  try {
    for (const drawn of statements) {
      const budget = Number(drawn.mistake === 'none' ? values['true-budget'] : values.budget);
      const { answer, searchSeconds, seconds } = await session.ask(drawn.statement, budget);
      const record: RefuteRecord = {
        ...drawn,
        budget,
        outcome: answer.kind,
        counterexample: answer.kind === 'refuted' ? answer.counterexample : '',
        message: answer.kind === 'refuted' ? '' : answer.message,
        suspects: answer.kind === 'not-refuted' ? [...answer.suspects] : [],
        tried: answer.kind === 'not-tried' ? 0 : answer.tried,
        searchSeconds,
        seconds,
        load: load(),
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
  const drawn = drawnStatements();
  const isOpen = (record: RefuteRecord): boolean =>
    values.again && record.outcome !== 'refuted' && record.suspects.length > 0 && record.commit !== commit;
  const done = new Set(recorded().flatMap((record) => (isOpen(record) ? [] : [keyOfStatement(record)])));
  const left = drawn.filter((statement) => !done.has(keyOfStatement(statement)));
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
