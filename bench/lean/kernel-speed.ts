/**
 * `node bench/lean/kernel-speed.ts [sizes…]`: how long the Lean kernel takes for Init.Prelude and for generated
 * environments of growing size, in processor time (which other work on the machine changes least), and the slope of
 * time over size in logarithms.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkExport } from '../../src/gate/lean/check-export.ts';
import { initPrelude } from '../../src/gate/lean/testing/recorded-exports.ts';
import { generatedExport } from './generated-export.ts';

interface Measured {
  readonly declarations: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly memoryMb: number;
}

async function measure(path: string): Promise<Measured> {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  const check = await checkExport({ path, axioms: 'any' });
  if (check.kind !== 'accepted')
    throw new Error(`${check.kind}: ${check.message ?? check.findings[0]?.message ?? 'without a reason'}`);
  const { user, system } = process.cpuUsage(cpu);
  return {
    declarations: check.declarations,
    wallSeconds: (performance.now() - wall) / 1000,
    cpuSeconds: (user + system) / 1e6,
    memoryMb: process.resourceUsage().maxRSS / 1024,
  };
}

function print(name: string, { declarations, wallSeconds, cpuSeconds, memoryMb }: Measured): void {
  console.log(
    `${name}: ${declarations} declarations, ${wallSeconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of processor time, at most ${memoryMb.toFixed(0)} MB so far`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'quod-lean-speed-'));
try {
  const path = join(folder, 'export.ndjson');
  writeFileSync(path, initPrelude());
  print('Init.Prelude', await measure(path));
  const sizes = process.argv.slice(2).map(Number);
  const points: { readonly size: number; readonly seconds: number }[] = [];
  for (const size of sizes.length > 0 ? sizes : [3_750, 15_000, 60_000]) {
    writeFileSync(path, generatedExport(size));
    const measured = await measure(path);
    print('generated', measured);
    points.push({ size: measured.declarations, seconds: measured.cpuSeconds });
  }
  const [first, last] = [points[0], points.at(-1)];
  if (first !== undefined && last !== undefined && first !== last) {
    const slope = Math.log(last.seconds / first.seconds) / Math.log(last.size / first.size);
    console.log(`slope of log(time) over log(size): ${slope.toFixed(2)}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
