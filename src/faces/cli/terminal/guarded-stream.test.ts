/** Nothing that Quod writes to a terminal acts on it, whoever prints it; a pipe gets every byte. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';
import { drawingStream, guardStream } from './guarded-stream.ts';
import { openLiveLines } from './live-lines.ts';

const ERASE = '\u001b[2J';
const START = fileURLToPath(new URL('../start.ts', import.meta.url));

function fakeTerminal(): { stream: NodeJS.WriteStream; written: () => string } {
  let written = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written += chunk.toString();
      done();
    },
  });
  const terminal = Object.assign(stream, { isTTY: true, columns: 80, rows: 24 });
  return { stream: terminal as unknown as NodeJS.WriteStream, written: () => written };
}

it('shows what would act, as text or as bytes, and ends of lines stay', () => {
  const { stream, written } = fakeTerminal();
  guardStream(stream);
  stream.write(`a${ERASE}\r\n`);
  stream.write(Buffer.from('é\u009b2J\n'));
  expect(written()).toBe('a\\u{1b}[2J\né\\u{9b}2J\n');
});

it('who draws may move the cursor', () => {
  const { stream, written } = fakeTerminal();
  guardStream(stream);
  expect(drawingStream(stream).columns).toBe(80);
  drawingStream(stream).write(ERASE);
  expect(written()).toBe(ERASE);
});

it('lines that are drawn and lines that are kept act no more than others', async () => {
  const { stream, written } = fakeTerminal();
  guardStream(stream);
  const live = await openLiveLines(stream);
  live.draw([`drawn ${ERASE}`]);
  live.keep(`kept ${ERASE}`);
  live.clear();
  expect(written()).not.toContain(ERASE);
  expect(written()).toContain('drawn \\u{1b}[2J');
  expect(written()).toContain('kept \\u{1b}[2J');
  // The sequences of the drawing itself act, and the cursor is there again.
  expect(written()).toContain('\u001b[?25l');
  expect(written().endsWith('\u001b[?25h')).toBe(true);
});

it.skipIf(findExecutable(['script']) === undefined)('the program writes nothing that acts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-terminal-'));
  try {
    const command = `${process.execPath} ${START} prove $'\\e[2Ja.v' $'--no\\e[2J'`;
    const run = spawnSync('script', ['-qec', `bash -c "${command.replaceAll('$', '\\$')}"`, '/dev/null'], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, QUOD_CONFIG: join(folder, 'configuration') },
    });
    expect(run.stdout).toContain('\\u{1b}[2J');
    expect(run.stdout).not.toContain('\u001b');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('words of the program for people are inert in a pipe, too', async () => {
  const run = await runQuod(['prove', 'a.v', `--no${ERASE}`]);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).not.toContain('\u001b');
});
