/**
 * Whether `quod prove --nodes N --seed S` gives the same proofs byte for byte: so many runs, half of them while
 * busy loops take every core, on each backend.
 *
 *     npm run build && npx node bench/reproducible.ts [--runs 20] [--file examples/rocq/lists.v] [--nodes 150]
 *
 * Records go to bench/records/reproducible.jsonl. It exits with 1 when two runs of one backend differ.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { countOf, orZero } from '../src/core/entry.ts';
import { runCommand } from './search/command.ts';

const ROOT = join(import.meta.dirname, '..');
const RECORD = join(import.meta.dirname, 'records', 'reproducible.jsonl');
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    file: { type: 'string', default: join(ROOT, 'examples/rocq/lists.v') },
    nodes: { type: 'string', default: '150' },
    seed: { type: 'string', default: '7' },
    backends: { type: 'string', default: 'coqidetop,embedded' },
  },
});

const FILE = resolve(values.file);

function busyLoops(): ChildProcess[] {
  return cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
}

async function proofsOf(backend: string): Promise<{ readonly output: string; readonly seconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-bench-'));
  try {
    const words = [join(ROOT, 'bin/quod.mjs'), 'prove', FILE, '--backend', backend];
    const limits = ['--nodes', values.nodes, '--seed', values.seed];
    const run = await runCommand(process.execPath, [...words, ...limits], {
      folder,
      timeoutSeconds: 1200,
      environment: { QUOD_CACHE: join(folder, 'cache') },
    });
    // Nothing is like nothing.
    if (run.timedOut || !run.output.includes('Qed.'))
      throw new Error(`A run gave no proof: ${run.errorOutput.slice(-500)}`);
    return { output: run.output, seconds: run.seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let differ = false;
for (const backend of values.backends.split(',')) {
  const seen = new Map<string, number>();
  const runs = Number(values.runs);
  for (let run = 0; run < runs; run += 1) {
    const loops = run >= runs / 2 ? busyLoops() : [];
    const load = loadavg()[0];
    const { output, seconds } = await proofsOf(backend).finally(() => {
      for (const loop of loops) loop.kill('SIGKILL');
    });
    const sha256 = createHash('sha256').update(output).digest('hex');
    seen.set(sha256, countOf(seen, sha256) + 1);
    const proofs = orZero(output.match(/^Qed\.$/gmu)?.length);
    const at = new Date().toISOString();
    const { nodes, seed } = values;
    const about = { backend, file: relative(ROOT, FILE), nodes, seed, busyLoops: loops.length };
    appendFileSync(RECORD, `${JSON.stringify({ ...about, proofs, sha256, seconds, load, at })}\n`);
  }
  differ ||= seen.size !== 1;
  console.log(
    `${backend}: ${runs} runs, ${seen.size === 1 ? 'all alike' : `${seen.size} different outputs`}`,
  );
}
process.exitCode = differ ? 1 : 0;
