/**
 * Changes one field of a real trace, 5,000 times, and judges each result against the original as target.
 *
 *     npx node bench/hol4/mutations.ts FOLDER [COUNT] [SEED]
 *
 * FOLDER holds base/*.prf.zst and mini.prf.zst. Half of the changes are made to mini, half to bool. Prints what became of
 * them and ends with 1 when one was accepted that states something else.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { compareWithTarget } from '../../src/gate/hol4/replay/compare-target.ts';
import { replayFiles } from '../../src/gate/hol4/replay/replay-files.ts';
import { replayTrace, type ReplayPace } from '../../src/gate/hol4/replay/replay-trace.ts';
import { MissingTheory, ReplayedTheories } from '../../src/gate/hol4/replay/replayed-theories.ts';
import { LimitReached } from '../../src/gate/hol4/kernel/refusal.ts';
import { changedStatements, mutate, seededRandom } from '../../src/gate/hol4/testing/mutation.ts';
import { MalformedTrace } from '../../src/gate/hol4/trace/trace-reader.ts';

const [folder = '', count = '5000', seed = '9'] = process.argv.slice(2);
const base = readdirSync(join(folder, 'base')).map((name) => join(folder, 'base', name));
const { theories, verdict } = await replayFiles(base);
if (verdict.kind !== 'accepted') throw new Error(`The base was not accepted: ${JSON.stringify(verdict)}`);

const pace: ReplayPace = { tick: () => undefined, termLimit: 5_000_000 };
const random = seededRandom(Number(seed));
const outcomes = new Map<string, number>();
let accepted = 0;

for (const [path, known] of [
  [join(folder, 'mini.prf.zst'), theories],
  [join(folder, 'base', 'bool.prf.zst'), new ReplayedTheories()],
] as const) {
  const original = zstdDecompressSync(readFileSync(path));
  const { theory } = replayTrace(original, 'original', known, pace);
  const lines = original.toString('utf8').split('\n');
  for (let round = 0; round < Number(count) / 2; round += 1) {
    const mutant = mutate(lines, random);
    const outcome = judge(Buffer.from(mutant.text), theory, known);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (!outcome.startsWith('ACCEPTED')) continue;
    accepted += 1;
    console.log(`${path}:${mutant.line}: ${mutant.before} -> ${mutant.after}`);
  }
}

for (const [outcome, number] of [...outcomes].sort(([, one], [, other]) => other - one)) {
  console.log(`${String(number).padStart(6)}  ${outcome}`);
}
process.exitCode = accepted > 0 ? 1 : 0;

function judge(
  bytes: Buffer,
  target: Parameters<typeof compareWithTarget>[0],
  known: ReplayedTheories,
): string {
  try {
    const { theory, findings } = replayTrace(bytes, 'mutant', known, pace);
    if (findings.length > 0) return `refused: ${findings[0]?.code ?? ''}`;
    const differences = compareWithTarget(target, theory);
    if (differences.length > 0) return `follows, but is not the target: ${differences[0]?.code ?? ''}`;
    return changedStatements(target, theory).some((name) => target.theorems.has(name))
      ? 'ACCEPTED with a changed statement'
      : 'accepted with the statements of the target';
  } catch (error) {
    if (error instanceof MalformedTrace) return 'could not judge: damaged';
    if (error instanceof MissingTheory) return 'could not judge: missing theory';
    if (error instanceof LimitReached) return 'could not judge: too large';
    throw error;
  }
}
