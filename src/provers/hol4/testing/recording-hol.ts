/**
 * Stands between a client and a real HOL and writes down what passes, for recordings that scripted-hol.ts replays.
 * Started as `node recording-hol.ts FILE HOL ARGUMENT…`.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import type { Recorded } from './recording-hol-format.ts';

const [file, hol, ...holArguments] = process.argv.slice(2);
if (file === undefined || hol === undefined) throw new Error('FILE HOL ARGUMENT… are needed.');
writeFileSync(file, '');

const record = (entry: Recorded): void => appendFileSync(file, `${JSON.stringify(entry)}\n`);
const child = spawn(hol, holArguments, { stdio: ['pipe', 'pipe', 'inherit'] });
let pending = '';
process.stdin.on('data', (bytes: Buffer) => {
  const frames = (pending + bytes.toString('latin1')).split('\0');
  pending = frames.pop() ?? '';
  for (const frame of frames) record({ in: frame });
  child.stdin.write(bytes);
});
process.stdin.on('end', () => child.stdin.end());
child.stdout.on('data', (bytes: Buffer) => {
  record({ out: bytes.toString('latin1') });
  process.stdout.write(bytes);
});
process.on('SIGINT', () => {
  record({ signal: 'SIGINT' });
  child.kill('SIGINT');
});
child.on('exit', (code) => process.exit(code ?? 1));
