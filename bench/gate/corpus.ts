/**
 * The gate on real developments: the target is a file of a library with one proof removed, or with all of them
 * (`--all`), the submission is the file as its authors wrote it. All must be accepted; the figures are the time of
 * a verdict over that of compiling the submission, for the first submission against a target and for a second one.
 *
 *   npx node bench/gate/corpus.ts [--count 500] [--slice 1/10] [--max-bytes 60000] [--all] [--once] [--out FILE]
 *
 * Rows are appended to FILE, and those that are there already are not measured again. With `--once` each submission
 * is judged once, with `coqchk`, and nothing is measured.
 */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { entryAt, orZero } from '../../src/core/entry.ts';
import type { Verdict } from '../../src/gate/verdict.ts';
import { verify } from '../../src/gate/verify.ts';
import type { FileOutline, TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import { MeasuredJudge, type Step } from './measured-judge.ts';
import { optionsOf, sampleFiles, sampleTheorems, samplingOf, type SampledTheorem } from './sample.ts';

interface Measured {
  /** Milliseconds of the processor. */
  readonly compileMs: number;
  readonly referenceMs: number;
  readonly questionsMs: number;
  readonly recheckMs: number;
  /** Milliseconds on the clock, without `coqchk`: compiling alone, the first verdict, a second one. */
  readonly compileClockMs: number;
  readonly firstClockMs: number;
  readonly secondClockMs: number;
}

interface Row {
  readonly library: string;
  readonly source: string;
  readonly theorem: string;
  readonly verdict: string;
  readonly detail: string;
  readonly statements: number;
  /** Absent where it was judged once. */
  readonly measured?: Measured;
}

const options = optionsOf(process.argv.slice(2));
const all = options.has('all');
const once = options.has('once');
const out = options.get('out');

const rows: Row[] =
  out === undefined || !existsSync(out)
    ? []
    : readFileSync(out, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);
const done = new Set(rows.map(({ source, theorem }) => `${source} ${theorem}`));
const sampling = samplingOf(options, 500);
// With all proofs of a file removed, one theorem of it is enough.
for (const theorem of all ? sampleFiles(sampling) : sampleTheorems(sampling)) {
  if (done.has(`${theorem.source} ${theorem.name}`)) continue;
  const row = await judged(theorem);
  rows.push(row);
  if (out !== undefined) appendFileSync(out, `${JSON.stringify(row)}\n`);
  const ratio =
    row.measured === undefined
      ? ''
      : `: ${(row.measured.firstClockMs / row.measured.compileClockMs).toFixed(2)} of ${row.measured.compileClockMs} ms`;
  console.log(
    `${row.verdict.padEnd(9)} ${row.source} ${row.theorem} (${row.statements})${ratio} ${row.detail}`,
  );
}
summarise();

async function judged({ library, source, name, outline, item, project }: SampledTheorem): Promise<Row> {
  const { text } = outline;
  // What `Let` proves becomes part of what follows: it is no statement that could be left open.
  const holes = all
    ? outline.statements.filter(
        ({ closingWord, keyword }) => closingWord === 'Qed' && !keyword.startsWith('Let'),
      )
    : [item];
  const target = holes.reduceRight((written, hole) => withoutProof(outline, written, hole), text);
  const cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-corpus-'));
  const backend = new MeasuredJudge();
  const path = basename(source);
  const judge = (recheck: 'never' | 'always'): Promise<Verdict> =>
    verify({ path, text: target }, { path, text }, { backend, project, cacheDirectory, policy: { recheck } });
  const timed = async <Answer>(work: () => Promise<Answer>): Promise<readonly [Answer, number]> => {
    const started = performance.now();
    return [await work(), performance.now() - started];
  };
  const rowOf = (verdict: Verdict): Row => ({
    ...{ library, source, theorem: name },
    verdict: verdict.kind,
    detail: detailOf(verdict),
    statements: verdict.kind === 'accepted' ? verdict.statements.length : 0,
  });
  try {
    if (once) return rowOf(await judge('always'));
    const [verdict, firstClockMs] = await timed(() => judge('never'));
    const [, secondClockMs] = await timed(() => judge('never'));
    const second = backend.steps.filter(({ step }) => step === 'compile');
    const rechecked = verdict.kind === 'accepted' ? await judge('always') : verdict;
    const sum = (step: Step): number =>
      backend.steps
        .filter((noted) => noted.step === step)
        .reduce((total, { processorMs }) => total + processorMs, 0);
    const ownCompilation = second.at(-1);
    return {
      ...rowOf(rechecked),
      measured: {
        compileMs: Math.round(ownCompilation?.processorMs ?? Number.NaN),
        referenceMs: Math.round(
          second.slice(0, -1).reduce((total, { processorMs }) => total + processorMs, 0) -
            (ownCompilation?.processorMs ?? Number.NaN),
        ),
        questionsMs: Math.round(sum('assumptions') + sum('propositions')),
        recheckMs: Math.round(sum('recheck')),
        compileClockMs: Math.round(ownCompilation?.elapsedMs ?? Number.NaN),
        firstClockMs: Math.round(firstClockMs),
        secondClockMs: Math.round(secondClockMs),
      },
    };
  } finally {
    rmSync(cacheDirectory, { recursive: true });
  }
}

function withoutProof(outline: FileOutline, text: string, item: TheoremItem): string {
  const start = entryAt(outline.sentences, item.body.first, 'sentence').span.start;
  const end = outline.sentences[item.closing ?? item.body.first]?.span.end ?? start;
  return `${text.slice(0, start)}Admitted.${text.slice(end)}`;
}

function detailOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return '';
    case 'rejected':
      return verdict.findings.map(({ kind, message }) => `${kind}: ${message.slice(0, 200)}`).join('; ');
    case 'unknown':
      return `${verdict.reason}: ${verdict.message.slice(0, 200)}`;
  }
}

function summarise(): void {
  const accepted = rows.filter(({ verdict }) => verdict === 'accepted');
  const statements = accepted.reduce((sum, row) => sum + row.statements, 0);
  console.log(
    `\n${accepted.length} of ${rows.length} submissions accepted, ${statements} statements in them`,
  );
  const measured = accepted.flatMap((row) => row.measured ?? []);
  if (measured.length === 0) return;
  const tell = (what: string, of: (one: Measured) => number): void => {
    const ratios = measured.map(of).sort((one, other) => one - other);
    const at = (share: number): string => orZero(ratios[Math.floor(share * (ratios.length - 1))]).toFixed(2);
    console.log(`${what}: median ${at(0.5)}, p95 ${at(0.95)}`);
  };
  tell('first verdict over compiling, on the clock', (one) => one.firstClockMs / one.compileClockMs);
  tell('second verdict over compiling, on the clock', (one) => one.secondClockMs / one.compileClockMs);
  tell(
    'second verdict with coqchk over compiling, of the processor',
    (one) => (one.compileMs + one.questionsMs / 3 + one.recheckMs) / one.compileMs,
  );
}
