/**
 * The gate on real developments: the target is a file of a library with one proof removed, the submission is the file as
 * its authors wrote it. All must be accepted; the figure is the processor time of a verdict over that of compiling.
 *
 *   npx node bench/gate/corpus.ts [--count 500] [--slice 1/10] [--max-bytes 60000] [--objects] [--out FILE]
 *
 * `--objects` puts a command into each submission that the target does not have, so that its text pins nothing and the
 * kernel's objects of both are compared.
 */
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { verify } from '../../src/gate/verify.ts';
import { MeasuredJudge, type Step } from './measured-judge.ts';
import { optionsOf, sampleTheorems, samplingOf, type SampledTheorem } from './sample.ts';

interface Row {
  readonly library: string;
  readonly source: string;
  readonly theorem: string;
  readonly verdict: string;
  readonly detail: string;
  /** Milliseconds of processor time. */
  readonly compileMs: number;
  readonly targetMs: number;
  readonly assumptionsMs: number;
  readonly recheckMs: number;
}

const options = optionsOf(process.argv.slice(2));
const objects = options.has('objects');
const out = options.get('out');

const rows: Row[] = [];
for (const theorem of sampleTheorems(samplingOf(options, 500))) {
  const row = await judged(theorem);
  rows.push(row);
  if (out !== undefined) appendFileSync(out, `${JSON.stringify(row)}\n`);
  console.log(
    `${row.verdict.padEnd(9)} ${row.source} ${row.theorem}: ${ratio(row).toFixed(2)} of ${row.compileMs} ms ${row.detail}`,
  );
}
summarise();

async function judged({ library, source, name, outline, item, project }: SampledTheorem): Promise<Row> {
  const { text, sentences } = outline;
  const start = sentences[item.body.first]?.span.start ?? 0;
  const end = sentences[item.closing ?? item.body.first]?.span.end ?? start;
  const target = `${text.slice(0, start)}Admitted.${text.slice(end)}`;
  const backend = new MeasuredJudge();
  const verdict = await verify(
    { path: basename(source), text: target },
    { path: basename(source), text: objects ? `${text}\nCheck tt.\n` : text },
    { backend, project },
  );
  const sum = (step: Step, from = 0, to = Infinity): number =>
    backend.steps
      .filter((noted) => noted.step === step)
      .slice(from, to)
      .reduce((total, { processorMs }) => total + processorMs, 0);
  return {
    library,
    source,
    theorem: name,
    verdict: verdict.kind,
    detail:
      verdict.kind === 'rejected'
        ? verdict.findings.map(({ kind, message }) => `${kind}: ${message.slice(0, 200)}`).join('; ')
        : verdict.kind === 'unknown'
          ? `${verdict.reason}: ${verdict.message.slice(0, 200)}`
          : '',
    compileMs: sum('compile', 0, 1),
    targetMs: sum('compile', 1),
    assumptionsMs: sum('assumptions'),
    recheckMs: sum('recheck'),
  };
}

function ratio({ compileMs, targetMs, assumptionsMs, recheckMs }: Row): number {
  return (compileMs + targetMs + assumptionsMs + recheckMs) / compileMs;
}

function summarise(): void {
  const accepted = rows.filter(({ verdict }) => verdict === 'accepted');
  const total = (of: (row: Row) => number): number => accepted.reduce((sum, row) => sum + of(row), 0);
  const compile = total(({ compileMs }) => compileMs);
  const all = total(
    ({ compileMs, targetMs, assumptionsMs, recheckMs }) => compileMs + targetMs + assumptionsMs + recheckMs,
  );
  const without = total(({ compileMs, targetMs, assumptionsMs }) => compileMs + targetMs + assumptionsMs);
  const batch = total(({ compileMs, assumptionsMs, recheckMs }) => compileMs + assumptionsMs + recheckMs);
  const ratios = accepted.map(ratio).sort((one, other) => one - other);
  console.log(`\n${accepted.length} of ${rows.length} accepted`);
  console.log(`processor time: ${(all / 1000 / accepted.length).toFixed(2)} s a theorem`);
  console.log(
    `ratio to compiling: ${(all / compile).toFixed(2)} (median of theorems ${median(ratios).toFixed(2)})`,
  );
  console.log(
    `without coqchk: ${(without / compile).toFixed(2)}; in a batch: ${(batch / compile).toFixed(2)}`,
  );
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
