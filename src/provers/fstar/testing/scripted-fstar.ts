/**
 * A program that answers as a recorded F* did: `node scripted-fstar.ts NAME …`. It expects the recorded queries in
 * their order and writes byte for byte what came after each, waits for recorded signals, and ends as F* ended. A query
 * that was not recorded is answered with a protocol violation that says so, so that no test passes by accident.
 * Recorded paths below `/ws` stand for the folder in which it runs.
 */
import { createInterface } from 'node:readline';
import { nextRecording, parseQuery, readRecording, type RecordedLine } from './recordings.ts';

const [, , name = ''] = process.argv;
const folder = process.cwd();
const lines = readRecording(nextRecording(name, folder));
let place = 0;
let interrupts = 0;
let awaitsInterrupt = false;

process.on('SIGINT', () => {
  interrupts += 1;
  if (awaitsInterrupt) play();
});

/** Writes what comes until the next query, signal or end. */
function play(): void {
  for (;;) {
    const line = lines[place];
    if (line === undefined) return;
    switch (line.dir) {
      case 'in':
        return;
      case 'out':
        process.stdout.write(`${line.raw.replaceAll('/ws', folder)}\n`);
        break;
      case 'exit':
        process.exit(Number(line.raw));
        break;
      case 'sig':
        if (line.raw === 'SIGINT') {
          awaitsInterrupt = interrupts === 0;
          if (awaitsInterrupt) return;
          interrupts -= 1;
        }
        break;
      case 'cmd':
        break;
    }
    place += 1;
  }
}

function answer(query: string): void {
  const expected = lines[place];
  if (expected?.dir === 'in' && sameQuery(expected, query)) {
    place += 1;
    play();
    // A recording that stops behind a query is one of an F* that died of it.
    if (place >= lines.length) process.exit(0);
    return;
  }
  const id = parseQuery(query)?.['query-id'] ?? '?';
  const response = `not in the recording: ${query}; it has ${expected?.raw ?? 'nothing more'}`;
  process.stdout.write(
    `${JSON.stringify({ kind: 'response', 'query-id': id, status: 'protocol-violation', response })}\n`,
  );
}

function sameQuery({ raw }: RecordedLine, query: string): boolean {
  return (
    JSON.stringify(parseQuery(raw) ?? raw) ===
    JSON.stringify(parseQuery(query.replaceAll(folder, '/ws')) ?? query)
  );
}

play();
createInterface({ input: process.stdin })
  .on('line', answer)
  .on('close', () => process.exit(0));
