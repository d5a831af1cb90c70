/**
 * What the whole of `quod prove` costs besides its search, against what `coqc` needs for the file up to the hole.
 *
 *     npm run build && npx node bench/end-to-end.ts --label NAME [--limit 40] [--quod bin/quod.mjs] [--report]
 *
 * Each hole is one proof of a file that Debian ships, taken out of the whole file: what stands behind it stays. The
 * file is then measured three times, one after the other: `coqc` on the file up to the hole, `quod prove` with an
 * empty cache, and `quod prove` once more with what the first run cached. Records go to
 * bench/records/end-to-end.jsonl; what is recorded under a label is not measured again, so a run that was stopped
 * goes on where it was. Seconds of the clock say little on a machine that others use; those of the processor, of
 * all processes together, say what was done.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { countOf, entryAt, orZero } from '../src/core/entry.ts';
import { replaced } from '../src/core/replacement.ts';
import { outlineOf } from '../src/provers/rocq/syntax/outline.ts';
import { REFUTATIONS } from '../src/search/falsehood.ts';
import { FOUND_PROOFS } from '../src/search/script/found-proofs.ts';
import { labelledRecords } from './labelled-records.ts';
import { readAttempts } from './search/attempt.ts';
import { coqFolder } from './search/coqc.ts';
import { cutAt, taskText } from './search/cut.ts';
import { shuffled } from './search/draw.ts';
import { loadPathOptions, libraryNamed } from './search/task.ts';
import { eligibleTheorems } from './search/theorems.ts';
import { hundredths, timedCommand } from './timed-command.ts';

const RECORD = join(import.meta.dirname, 'records', 'end-to-end.jsonl');
const LINES = { from: 100, to: 3000 };
const PER_FILE = 2;
const QUICK_SEARCH_SECONDS = 12;

const phasesSchema = z.object({
  file: z.number(),
  lemmas: z.number(),
  search: z.number(),
  judge: z.number(),
});

const runSchema = z.object({
  /** From the start of the command to its end. */
  seconds: z.number(),
  /** From the start of the command to the printed proof; older records do not have it. */
  shownSeconds: z.number().optional(),
  /** User and system time of all processes. */
  processorSeconds: z.number(),
  outcome: z.string(),
  phases: phasesSchema,
});

const recordSchema = z.object({
  label: z.string(),
  hole: z.string(),
  lines: z.number(),
  holeLine: z.number(),
  /** `coqc` on the file up to the hole. */
  coqcSeconds: z.number(),
  coqcProcessorSeconds: z.number(),
  cold: runSchema,
  warm: runSchema,
  /** Of the machine, when it began: how many processes wanted a core. */
  load: z.number(),
  at: z.string(),
});

type Run = z.infer<typeof runSchema>;
type EndToEnd = z.infer<typeof recordSchema>;

interface Hole {
  readonly id: string;
  readonly library: string;
  readonly source: string;
  readonly theorem: string;
}

/** Proofs that the search finds quickly: it is not what is measured here. */
function holes(folder: string): Hole[] {
  const perFile = new Map<string, number>();
  const quick = readAttempts('attempts-report').filter(
    ({ method, outcome, searchSeconds = Infinity }) =>
      method === 'quod' && outcome === 'proved' && searchSeconds < QUICK_SEARCH_SECONDS,
  );
  return shuffled(quick.map(({ task }) => task).sort(), 'end to end').flatMap((id) => {
    const { library, source, theorem } =
      /^(?<library>[^:]+):(?<source>[^#]+)#(?<theorem>.+)$/u.exec(id)?.groups ?? {};
    if (library === undefined || source === undefined || theorem === undefined) return [];
    if (!existsSync(join(folder, source))) return [];
    const lines = readFileSync(join(folder, source), 'utf8').split('\n').length;
    const count = countOf(perFile, source);
    if (lines < LINES.from || lines > LINES.to || count >= PER_FILE) return [];
    perFile.set(source, count + 1);
    return [{ id, library, source, theorem }];
  });
}

const lineSchema = z.object({
  theorem: z.string(),
  outcome: z.string(),
  times: z.array(z.object({ phase: z.string(), seconds: z.number() })),
});

async function prove(file: string, theorem: string, folder: string): Promise<Run> {
  // What is measured has a search in it: a proof or refutation that the run before found would be taken up.
  for (const { folder: kept } of [FOUND_PROOFS, REFUTATIONS])
    rmSync(join(folder, 'cache', kept), { recursive: true, force: true });
  const words = [process.execPath, values.quod, 'prove', file, '--theorem', theorem, '--json'];
  const { run, processorSeconds } = await timedCommand(words, folder);
  const line = run.output.split('\n').flatMap((text) => {
    const parsed = lineSchema.safeParse(text.startsWith('{') ? JSON.parse(text) : undefined);
    return parsed.success && parsed.data.theorem === theorem ? [parsed.data] : [];
  })[0];
  const seconds = (phase: string): number =>
    orZero(line?.times.find((time) => time.phase === phase)?.seconds);
  return {
    seconds: hundredths(run.seconds),
    ...(run.firstOutputSeconds !== undefined && { shownSeconds: hundredths(run.firstOutputSeconds) }),
    processorSeconds,
    outcome: line?.outcome ?? `no answer: ${run.errorOutput.slice(-300)}`,
    phases: {
      file: seconds('file'),
      lemmas: seconds('lemmas'),
      search: seconds('search'),
      judge: seconds('judge'),
    },
  };
}

async function measure(hole: Hole, label: string, coq: string): Promise<EndToEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-bench-'));
  try {
    const text = readFileSync(join(coq, hole.source), 'utf8');
    const outline = outlineOf(text);
    const item = eligibleTheorems(outline).find(({ name }) => name === hole.theorem);
    const statement = item && outline.sentences[item.sentence];
    const first = item && outline.sentences[item.proofSentence ?? item.body.first];
    const last = item?.closing === undefined ? undefined : outline.sentences[item.closing];
    if (item === undefined || statement === undefined || first === undefined || last === undefined)
      throw new Error(`${hole.id} is not there.`);
    const cut = cutAt(outline, item);
    const span = { start: first.span.start, end: last.span.end };
    const open = replaced(text, [{ span, text: `${cut.opening}\nAdmitted.` }]);
    const options = loadPathOptions(libraryNamed(hole.library), coq);
    const file = join(folder, basename(hole.source));
    writeFileSync(file, open);
    if (options.length > 0) writeFileSync(join(folder, '_CoqProject'), `${options.join(' ')}\n`);
    const load = hundredths(entryAt(loadavg(), 0, 'loadavg'));
    mkdirSync(join(folder, 'cut'));
    const cutFile = join(folder, 'cut', basename(hole.source));
    writeFileSync(cutFile, taskText(cut));
    const compiler = ['coqc', '-q', '-w', 'none', ...options, cutFile];
    const { run: compiled, processorSeconds } = await timedCommand(compiler, folder);
    if (compiled.exitCode !== 0) throw new Error(`${hole.id}: ${compiled.errorOutput.slice(-500)}`);
    // What lies below the folder of a project is taken for a part of it.
    rmSync(join(folder, 'cut'), { recursive: true });
    const cold = await prove(file, hole.theorem, folder);
    const warm = await prove(file, hole.theorem, folder);
    return {
      ...{
        label,
        hole: hole.id,
        lines: text.split('\n').length,
        holeLine: statement.text === '' ? 0 : lineOf(text, statement.span.start),
      },
      ...{ coqcSeconds: hundredths(compiled.seconds), coqcProcessorSeconds: processorSeconds },
      ...{ cold, warm, load, at: new Date().toISOString() },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** How many times what `coqc` needs passes until the proof is judged and printed, the search left out. */
function ratio({ coqcSeconds }: EndToEnd, run: Run): number {
  return ((run.shownSeconds ?? run.seconds) - run.phases.search) / coqcSeconds;
}

/** The same until the proof is found, when a terminal and the page show it while it is judged. */
function ratioFound(record: EndToEnd, run: Run): number {
  return ratio(record, run) - run.phases.judge / record.coqcSeconds;
}

function report(label: string): void {
  const records = labelledRecords(RECORD, recordSchema, label);
  if (records.length === 0) throw new Error(`Nothing is recorded under ${label}.`);
  const proved = records.filter(({ cold, warm }) =>
    [cold, warm].every(({ outcome }) => outcome.startsWith('proved')),
  );
  for (const name of ['cold', 'warm'] as const) {
    const ratios = proved.map((record) => ratio(record, record[name])).sort((one, other) => one - other);
    const found = proved.map((record) => ratioFound(record, record[name])).sort((one, other) => one - other);
    const at = (part: number, of = ratios): string =>
      (of[Math.floor((of.length - 1) * part)] ?? NaN).toFixed(2);
    const total = (value: (record: EndToEnd) => number): string =>
      proved.reduce((sum, record) => sum + value(record), 0).toFixed(0);
    console.log(
      `${label}, ${name}: ${proved.length} of ${records.length} proved; times coqc besides the search: median ${at(0.5)}, ` +
        `upper quartile ${at(0.75)}, highest ${at(1)}; ${ratios.filter((value) => value <= 1.5).length} at most 1.5. ` +
        `Until it is found: median ${at(0.5, found)}, ${found.filter((value) => value <= 1.5).length} at most 1.5. ` +
        `Seconds in all: coqc ${total(({ coqcSeconds }) => coqcSeconds)}, quod ${total((record) => record[name].seconds)} ` +
        `(file ${total((record) => record[name].phases.file)}, lemmas ${total((record) => record[name].phases.lemmas)}, ` +
        `search ${total((record) => record[name].phases.search)}, judge ${total((record) => record[name].phases.judge)}); ` +
        `processor seconds: coqc ${total((record) => record.coqcProcessorSeconds)}, quod ${total((record) => record[name].processorSeconds)}`,
    );
  }
}

const { values } = parseArgs({
  options: {
    label: { type: 'string' },
    limit: { type: 'string', default: '40' },
    report: { type: 'boolean', default: false },
    quod: { type: 'string', default: join(import.meta.dirname, '..', 'bin', 'quod.mjs') },
  },
});
if (values.label === undefined) throw new Error('Give --label NAME.');
const { label } = values;
if (!values.report) {
  const coq = coqFolder();
  const known = new Set(labelledRecords(RECORD, recordSchema, label).map(({ hole }) => hole));
  for (const hole of holes(coq).slice(0, Number(values.limit))) {
    if (known.has(hole.id)) continue;
    const record = await measure(hole, label, coq);
    appendFileSync(RECORD, `${JSON.stringify(record)}\n`);
    const { cold, warm, coqcSeconds } = record;
    console.log(
      `${hole.id}: coqc ${coqcSeconds}, cold ${cold.seconds} (${JSON.stringify(cold.phases)}), warm ${warm.seconds} ` +
        `(${JSON.stringify(warm.phases)}), ${cold.outcome}, load ${record.load}`,
    );
  }
}
report(label);
