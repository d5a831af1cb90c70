/**
 * What `quod check` costs against `coqc`, on whole files that Debian ships.
 *
 *     npm run build && npx node bench/check-cost.ts --label NAME [--limit 30] [--quod bin/quod.mjs] [--report]
 *
 * Each file is compiled by `coqc`, then checked with an empty cache and once more with what the first run cached.
 * Records go to bench/records/check-cost.jsonl; what is recorded under a label is not measured again.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { entryAt } from '../src/core/entry.ts';
import { sampleFiles, type SampledTheorem } from './gate/sample.ts';
import { labelledRecords } from './labelled-records.ts';
import { coqFolder } from './search/coqc.ts';
import { libraryNamed, loadPathOptions } from './search/task.ts';
import { hundredths, timedCommand, type TimedCommand } from './timed-command.ts';

const RECORD = join(import.meta.dirname, 'records', 'check-cost.jsonl');
const LARGEST_BYTES = 60_000;

const costSchema = z.object({
  seconds: z.number(),
  processorSeconds: z.number(),
  exitCode: z.number().nullable(),
});

const recordSchema = z.object({
  label: z.string(),
  file: z.string(),
  lines: z.number(),
  coqc: costSchema,
  cold: costSchema,
  warm: costSchema,
  /** Of the machine, when it began: how many processes wanted a core. */
  load: z.number(),
});

type CheckCost = z.infer<typeof recordSchema>;

async function measure({ library, source }: SampledTheorem, coq: string): Promise<CheckCost> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-bench-'));
  try {
    const load = hundredths(entryAt(loadavg(), 0, 'loadavg'));
    const text = readFileSync(join(coq, source), 'utf8');
    const options = loadPathOptions(libraryNamed(library), coq);
    const file = basename(source);
    writeFileSync(join(folder, file), text);
    if (options.length > 0) writeFileSync(join(folder, '_CoqProject'), `${options.join(' ')}\n`);
    const check = [process.execPath, values.quod, 'check', file, '--json'];
    const output = join(folder, 'compiled', `${file}o`);
    mkdirSync(dirname(output));
    const compiler = ['coqc', '-q', '-w', 'none', '-noglob', ...options, '-o', output, file];
    const coqc = costOf(await timedCommand(compiler, folder));
    rmSync(dirname(output), { recursive: true });
    const cold = costOf(await timedCommand(check, folder));
    const warm = costOf(await timedCommand(check, folder));
    return { label, file: source, lines: text.split('\n').length, coqc, cold, warm, load };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function costOf({ run: { seconds, exitCode }, processorSeconds }: TimedCommand): CheckCost['coqc'] {
  return { seconds: hundredths(seconds), processorSeconds, exitCode };
}

function report(): void {
  // A file that `coqc` does not take without the others of its library says nothing.
  const records = labelledRecords(RECORD, recordSchema, label).filter(({ coqc }) => coqc.exitCode === 0);
  const agreed = records.filter(({ cold, warm }) => cold.exitCode === 0 && warm.exitCode === 0).length;
  console.log(
    `${label}: ${records.length} files that coqc compiles, ${agreed} of them without an error here.`,
  );
  for (const name of ['cold', 'warm'] as const)
    for (const figure of ['processorSeconds', 'seconds'] as const) {
      const ratios = records.map((record) => record[name][figure] / record.coqc[figure]);
      ratios.sort((one, other) => one - other);
      const at = (part: number): string =>
        entryAt(ratios, Math.floor((ratios.length - 1) * part), 'ratios').toFixed(2);
      console.log(`${name}, ${figure} times coqc: median ${at(0.5)}, p95 ${at(0.95)}, highest ${at(1)}`);
    }
}

const { values } = parseArgs({
  options: {
    label: { type: 'string' },
    limit: { type: 'string', default: '30' },
    report: { type: 'boolean', default: false },
    quod: { type: 'string', default: join(import.meta.dirname, '..', 'bin', 'quod.mjs') },
  },
});
if (values.label === undefined) throw new Error('Give --label NAME.');
const { label } = values;
if (!values.report) {
  const coq = coqFolder();
  const known = new Set(labelledRecords(RECORD, recordSchema, label).map(({ file }) => file));
  const drawing = { count: Number(values.limit), slice: { part: 1, of: 1 }, seed: 'check cost' };
  for (const sampled of sampleFiles({ ...drawing, largestBytes: LARGEST_BYTES })) {
    if (known.has(sampled.source)) continue;
    const record = await measure(sampled, coq);
    appendFileSync(RECORD, `${JSON.stringify(record)}\n`);
    const figures = [record.coqc, record.cold, record.warm].map(({ processorSeconds }) => processorSeconds);
    console.log(`${record.file}: coqc, cold, warm: ${figures.join(', ')} s, load ${record.load}`);
  }
}
report();
