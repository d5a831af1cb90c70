/**
 * The sentence splitter against `coqc -time` over every .v file that Debian's libcoq-* packages ship, and its speed.
 *
 *   node bench/splitter.ts [--cache DIR] [--fill MINUTES] [--scattered] [--only SUBSTRING] [--record]
 *
 * The oracle's answers are cached by content, so the run can be stopped and taken up again: `--fill` runs coqc on files
 * without an answer, smallest first or (`--scattered`) in an order that has nothing to do with size or package, for so
 * many minutes; without it only what is cached or in bench/records is compared. `--record` puts what is cached
 * there. A file that coqc does not finish (an error, or two minutes of its own) is compared up to where coqc got.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { entryAt, orZero } from '../src/core/entry.ts';
import { splitSentences } from '../src/provers/rocq/syntax/sentences.ts';
import {
  readSentenceRecord,
  writeSentenceRecord,
  type ByteRange,
  type SentenceAnswer,
} from './sentence-record.ts';

/** Seconds of processor time; how long it takes by the clock depends on what else the machine does. */
const FILE_LIMIT_SECONDS = 120;
const RECORD = join(import.meta.dirname, 'records', 'sentences.jsonl.gz');

interface Source {
  readonly path: string;
  readonly bytes: Buffer;
  readonly hash: string;
}

interface OracleAnswer extends SentenceAnswer {
  readonly path: string;
  readonly milliseconds: number;
  /** The end of what coqc wrote on its error stream. */
  readonly errors: string;
}

function shippedSources(): Source[] {
  const packages = execFileSync('dpkg-query', ['-W', '-f', '${db:Status-Abbrev}${Package}\n', 'libcoq-*'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line.startsWith('ii'))
    .map((line) => line.slice(2).trim());
  const listed = execFileSync('dpkg', ['-L', ...packages], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const paths = new Set(listed.split('\n').filter((path) => path.endsWith('.v') && existsSync(path)));
  return [...paths].sort().map((path) => {
    const bytes = readFileSync(path);
    return { path, bytes, hash: createHash('sha256').update(path).update(bytes).digest('hex') };
  });
}

/** Where a copy of the file must lie, and with which flags coqc must run, to compile it as its library does. */
function compilation(path: string, library: string): { readonly place: string; readonly flags: string[] } {
  const contrib = join(library, 'user-contrib') + sep;
  const theories = join(library, 'theories') + sep;
  if (path.startsWith(theories)) {
    const place = join('Coq', path.slice(theories.length));
    return { place, flags: place.startsWith(join('Coq', 'Init')) ? ['-noinit'] : [] };
  }
  if (!path.startsWith(contrib))
    return { place: join('Examples', basename(path).replaceAll('-', '_')), flags: [] };
  const place = path.slice(contrib.length);
  const top = entryAt(place.split(sep), 0, 'part');
  const flags = ['-R', join(contrib, top), top];
  if (top === 'HoTT' || place.startsWith(join('Equations', 'HoTT'))) flags.push('-noinit', '-indices-matter');
  if (top === 'UniMath') flags.push('-noinit', '-indices-matter', '-type-in-type');
  return { place, flags };
}

function askOracle(source: Source, library: string, work: string): OracleAnswer {
  rmSync(work, { recursive: true, force: true });
  const { place, flags } = compilation(source.path, library);
  const copy = join(work, place);
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, source.bytes);
  const top = entryAt(place.split(sep), 0, 'part');
  const output = openSync(join(work, 'output'), 'w');
  const errors = openSync(join(work, 'errors'), 'w');
  const coqc = ['coqc', '-q', '-time', ...flags];
  const began = performance.now();
  const result = spawnSync(
    'nice',
    ['-n', '15', 'prlimit', `--cpu=${FILE_LIMIT_SECONDS}`, ...coqc, '-R', join(work, top), top, copy],
    { stdio: ['ignore', output, errors], cwd: work },
  );
  const milliseconds = Math.round(performance.now() - began);
  closeSync(output);
  closeSync(errors);
  const ranges: ByteRange[] = [];
  const printed = readFileSync(join(work, 'output'), 'latin1');
  for (const match of printed.matchAll(/^Chars (\d+) - (\d+) \[/gm))
    ranges.push([Number(match[1]), Number(match[2])]);
  const answer: OracleAnswer = {
    path: source.path,
    finished: result.status === 0,
    milliseconds,
    errors:
      (result.error === undefined ? '' : `${result.error.message}\n`) +
      readFileSync(join(work, 'errors'), 'utf8').slice(-400),
    ranges,
  };
  rmSync(work, { recursive: true, force: true });
  return answer;
}

function splitterRanges(bytes: Buffer): ByteRange[] {
  const text = bytes.toString('utf8');
  const ranges: ByteRange[] = [];
  let offset = 0;
  let byte = 0;
  for (const { span } of splitSentences(text).sentences) {
    const start = byte + Buffer.byteLength(text.slice(offset, span.start));
    const end = start + Buffer.byteLength(text.slice(span.start, span.end));
    ranges.push([start, end]);
    offset = span.end;
    byte = end;
  }
  return ranges;
}

interface Disagreement {
  readonly by: 'coqc' | 'splitter';
  readonly range: ByteRange;
}

/** The ranges that only one of the two has, up to where coqc got. */
function disagreements(oracle: SentenceAnswer, own: readonly ByteRange[]): Disagreement[] {
  const key = ([start, end]: ByteRange): string => `${start}-${end}`;
  const known = new Set(oracle.ranges.map(key));
  const mine = new Set(own.map(key));
  const reached = oracle.finished ? Infinity : orZero(oracle.ranges.at(-1)?.[1]);
  return [
    ...oracle.ranges
      .filter((range) => !mine.has(key(range)))
      .map((range) => ({ by: 'coqc', range }) as const),
    ...own
      .filter((range) => range[1] <= reached && !known.has(key(range)))
      .map((range) => ({ by: 'splitter', range }) as const),
  ];
}

function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}

function measureSpeed(sources: readonly Source[]): string {
  const texts = sources.map(({ bytes }) => bytes.toString('utf8'));
  const total = sources.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const rates: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const began = process.cpuUsage();
    for (const text of texts) splitSentences(text);
    const { user, system } = process.cpuUsage(began);
    rates.push(total / (user + system));
  }
  rates.sort((a, b) => a - b);
  return `${(total / 1e6).toFixed(1)} MB in ${texts.length} files; ${rates[2]?.toFixed(0)} MB/s of processor time (median of 5 rounds)`;
}

const { values } = parseArgs({
  options: {
    cache: { type: 'string' },
    fill: { type: 'string' },
    scattered: { type: 'boolean' },
    only: { type: 'string' },
    record: { type: 'boolean' },
  },
});
const cache = values.cache ?? join(tmpdir(), 'quod-oracle');
mkdirSync(join(cache, 'answers'), { recursive: true });
const answerFile = (source: Source): string => join(cache, 'answers', `${source.hash}.json`);
const record = readSentenceRecord(RECORD);
const answerFor = (source: Source): SentenceAnswer | undefined =>
  existsSync(answerFile(source))
    ? (JSON.parse(readFileSync(answerFile(source), 'utf8')) as OracleAnswer)
    : record.get(source.hash);
const sources = shippedSources().filter(
  ({ path }) => values.only === undefined || path.includes(values.only),
);

if (values.fill !== undefined) {
  const library = execFileSync('coqc', ['-where'], { encoding: 'utf8' }).trim();
  const deadline = performance.now() + Number(values.fill) * 60_000;
  const queue = [...sources].sort((a, b) =>
    values.scattered === true ? a.hash.localeCompare(b.hash) : a.bytes.length - b.bytes.length,
  );
  for (const source of queue) {
    if (performance.now() > deadline) break;
    if (existsSync(answerFile(source)) || record.has(source.hash)) continue;
    writeFileSync(answerFile(source), JSON.stringify(askOracle(source, library, join(cache, 'work'))));
  }
}

let compared = 0;
let finished = 0;
let sentences = 0;
let disagreeing = 0;
for (const source of sources) {
  const oracle = answerFor(source);
  if (oracle === undefined) continue;
  if (values.record === true) record.set(source.hash, { finished: oracle.finished, ranges: oracle.ranges });
  compared += 1;
  if (oracle.finished) finished += 1;
  sentences += oracle.ranges.length;
  const found = disagreements(oracle, splitterRanges(source.bytes));
  disagreeing += found.length;
  for (const { by, range } of found) {
    const excerpt = JSON.stringify(
      source.bytes.toString('utf8', range[0], Math.min(range[1], range[0] + 160)),
    );
    console.log(
      `${source.path}:${lineOf(source.bytes, range[0])}: bytes ${range.join('-')} only by ${by}: ${excerpt}`,
    );
  }
}
if (values.record === true) writeSentenceRecord(RECORD, record);
console.log(`files shipped: ${sources.length}, asked of coqc: ${compared}, compiled to the end: ${finished}`);
console.log(`sentences compared: ${sentences}, disagreements: ${disagreeing}`);
console.log(`splitter: ${measureSpeed(sources)}`);
