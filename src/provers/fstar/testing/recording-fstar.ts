/**
 * Stands between a test and a real F* and writes down what is said, for {@link file://./scripted-fstar.ts}:
 * `node recording-fstar.ts NAME FSTAR ARGUMENTS…`. Paths of this machine are renamed: the folder to `/ws`, the
 * installation to `/opt/fstar`.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { nextRecording } from './recordings.ts';

const [, , name = '', fstar = '', ...fstarArguments] = process.argv;
const folder = process.cwd();
const recording = nextRecording(name, folder);
const installation = dirname(dirname(fstar));
const began = performance.now();

function note(dir: string, raw: string): void {
  const t = Math.round(performance.now() - began) / 1000;
  const renamed = raw.replaceAll(folder, '/ws').replaceAll(installation, '/opt/fstar');
  appendFileSync(recording, `${JSON.stringify({ t, dir, raw: renamed })}\n`);
}

writeFileSync(recording, '');
note('cmd', [fstar, ...fstarArguments].join(' '));
const child = spawn(fstar, fstarArguments, { stdio: ['pipe', 'pipe', 'inherit'] });
process.on('SIGINT', () => {
  note('sig', 'SIGINT');
  child.kill('SIGINT');
});
createInterface({ input: process.stdin })
  .on('line', (line) => {
    note('in', line);
    child.stdin.write(`${line}\n`);
  })
  .on('close', () => child.stdin.end());
createInterface({ input: child.stdout }).on('line', (line) => {
  note('out', line);
  process.stdout.write(`${line}\n`);
});
child.on('exit', (code) => {
  note('exit', String(code ?? 1));
  process.exit(code ?? 1);
});
