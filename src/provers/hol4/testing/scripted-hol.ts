/**
 * Plays a recorded HOL: expects the recorded commands, byte for byte but for Quod's own first one, and answers the
 * recorded bytes, cut where SCRIPTED_CUTS says: `every` byte by itself, or at random places from a seed.
 * Started as `node scripted-hol.ts FILE …`.
 */
import { readFileSync } from 'node:fs';
import type { Recorded } from './recording-hol-format.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('FILE is needed.');
const script = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Recorded);
const cuts = process.env['SCRIPTED_CUTS'] ?? '1';
let random = Number(cuts) || 1;
let at = 0;
let pending = '';
const waiting: string[] = [];
let interrupts = 0;

function nextCut(length: number): number {
  if (cuts === 'every') return 1;
  random = (random * 48271) % 2147483647;
  return 1 + (random % Math.max(1, Math.min(length, 200)));
}

async function write(bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length;) {
    const end = Math.min(bytes.length, start + nextCut(bytes.length - start));
    await new Promise((resolve) => process.stdout.write(bytes.subarray(start, end), resolve));
    start = end;
  }
}

/** Plays as far as it can without more input. */
async function play(): Promise<void> {
  for (let entry = script[at]; entry !== undefined; entry = script[at]) {
    if ('out' in entry) await write(Buffer.from(entry.out, 'latin1'));
    else if ('signal' in entry) {
      if (interrupts === 0) return;
      interrupts -= 1;
    } else {
      const given = waiting.shift();
      if (given === undefined) return;
      if (given !== entry.in && !entry.in.includes('structure Quod_Port')) {
        process.stderr.write(`Expected ${JSON.stringify(entry.in)}, was given ${JSON.stringify(given)}.\n`);
        process.exit(3);
      }
    }
    at += 1;
  }
}

let playing = Promise.resolve();
const goOn = (): void => {
  playing = playing.then(play);
};
process.on('SIGINT', () => {
  interrupts += 1;
  goOn();
});
process.stdin.on('data', (bytes: Buffer) => {
  const frames = (pending + bytes.toString('latin1')).split('\0');
  pending = frames.pop() ?? '';
  waiting.push(...frames);
  goOn();
});
process.stdin.on('end', () => process.exit(0));
goOn();
