/**
 * What mining costs: the processor time (user and system, with all children) of `quod mine` and of plain `coqc` on the
 * same sources, one after the other.
 *
 *     node bench/mine/pace.ts SOURCE... [--effort 1]
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { coqArguments, findRocqProject } from '../../src/provers/rocq/project/project.ts';
import { Dataset } from '../../src/mining/dataset.ts';
import { datasetFigures } from '../../src/mining/dataset-stats.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { effort: { type: 'string', default: '1' } },
});

/** Seconds of processor time of a command and everything that it started. */
async function processorTime(command: readonly string[]): Promise<number> {
  const child = spawn('bash', [
    '-c',
    'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null',
    'bash',
    ...command,
  ]);
  let printed = '';
  child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  await new Promise((done) => child.on('close', done));
  return printed
    .trim()
    .split(/\s+/u)
    .reduce((sum, seconds) => sum + Number(seconds), 0);
}

const folder = await mkdtemp(join(tmpdir(), 'quod-pace-'));
const start = join(import.meta.dirname, '../../src/faces/cli/start.ts');
let compiling = 0;
try {
  const sources = positionals.map((path) => resolve(path));
  for (const source of sources) {
    const programArguments = coqArguments(await findRocqProject(source));
    const compiled = join(folder, basename(source).replace(/\.v$/u, '.vo'));
    const seconds = await processorTime([
      'coqc',
      '-q',
      '-w',
      'none',
      ...programArguments,
      '-o',
      compiled,
      source,
    ]);
    compiling += seconds;
    console.log(`${basename(source)}: coqc ${seconds.toFixed(2)} s`);
  }
  const output = join(folder, 'mined');
  const mining = await processorTime([
    process.execPath,
    start,
    'mine',
    ...sources,
    '-o',
    output,
    '--jobs',
    '1',
    '--effort',
    values.effort,
  ]);
  const { counts } = await datasetFigures(await Dataset.open(output));
  console.log(
    `coqc ${compiling.toFixed(1)} s, mine ${mining.toFixed(1)} s, ratio ${(mining / compiling).toFixed(2)}; ${counts.items} items of ${counts.proofs} proofs (${(counts.items / counts.proofs).toFixed(1)}), ${JSON.stringify(counts.failures)}`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
