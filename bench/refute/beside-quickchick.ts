/**
 * Each statement is asked of `quod refute` and of QuickChick, one after the other on the same machine: `node
 * bench/refute/beside-quickchick.ts [--budget 30] [--true-budget 5]`. The statements that a mistake was made in come
 * first, a few of each library in turn. What is measured is kept in bench/records/refute-quickchick.jsonl, and a run goes
 * on where the last one stopped; `--report` only prints the table. Debian's libcoq-quickchick and ocamlbuild are needed.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { load, RefuteSession } from './ask.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { QuickChick } from './quickchick/quickchick.ts';
import { besideRecordSchema, drawnStatements, keyOfStatement } from './record.ts';
import type { BesideRecord, DrawnStatement } from './record.ts';
import { besideReport } from './report.ts';

const RECORDS = new URL('../records/refute-quickchick.jsonl', import.meta.url);
/** Statements of a library before the next one's turn. */
const SLICE = 6;

const { values } = parseArgs({
  options: {
    budget: { type: 'string', default: '30' },
    'true-budget': { type: 'string', default: '5' },
    report: { type: 'boolean', default: false },
  },
});

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

function recorded(): BesideRecord[] {
  if (!existsSync(RECORDS)) return [];
  const lines = readFileSync(RECORDS, 'utf8').split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [besideRecordSchema.parse(JSON.parse(line))]));
}

async function measure(
  library: Library,
  statements: readonly DrawnStatement[],
  quickChick: QuickChick,
): Promise<void> {
  if (statements.length === 0) return;
  const session = await RefuteSession.open(library);
  try {
    for (const drawn of statements) {
      const budget = Number(drawn.mistake === 'none' ? values['true-budget'] : values.budget);
      const { answer, searchSeconds } = await session.ask(drawn.statement, budget);
      const other = await quickChick.ask(library, drawn.statement, budget);
      const record: BesideRecord = {
        ...drawn,
        budget,
        refute: { outcome: answer.kind, seconds: searchSeconds },
        quickChick: other,
        load: load(),
        at: new Date().toISOString(),
        commit,
      };
      appendFileSync(RECORDS, `${JSON.stringify(record)}\n`);
      console.log(
        `${drawn.library} ${drawn.mistake} ${drawn.theorem}: ${answer.kind} ${searchSeconds.toFixed(1)} s, QuickChick ${other.outcome} ${String(other.seconds)} s`,
      );
    }
  } finally {
    await session.close();
  }
}

if (!values.report) {
  const drawn = drawnStatements();
  const done = new Set(recorded().map(keyOfStatement));
  const left = drawn.filter((statement) => !done.has(keyOfStatement(statement)));
  const isTrue = ({ mistake }: DrawnStatement): boolean => mistake === 'none';
  const quickChick = await QuickChick.open();
  try {
    for (const part of [left.filter((one) => !isTrue(one)), left.filter(isTrue)])
      for (let from = 0; from < part.length; from += SLICE)
        for (const library of LIBRARIES)
          await measure(
            library,
            part.filter((statement) => statement.library === library.name).slice(from, from + SLICE),
            quickChick,
          );
  } finally {
    quickChick.close();
  }
}
console.log(besideReport(recorded()));
