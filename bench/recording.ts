/**
 * Makes docs/recording/prove.svg from a real run of the README's command in a pseudo-terminal (util-linux `script`).
 *
 *     npm run bench:recording [-- COMMAND]
 *
 * The picture plays at the speed of the run, except that nothing lasts longer than LONGEST_STILL_MS. Viewers that
 * do not play it show the last picture.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TerminalScreen } from './terminal-screen.ts';

const COLUMNS = 110;
const ROWS = 34;
const LONGEST_STILL_MS = 1_500;
const SHORTEST_FRAME_MS = 400;
const LAST_FRAME_MS = 6_000;
const CHARACTER_WIDTH = 7.8;
const LINE_HEIGHT = 17;
const MARGIN = 14;

interface Frame {
  readonly lines: readonly string[];
  durationMs: number;
}

function record(command: string): Frame[] {
  const folder = mkdtempSync(join(tmpdir(), 'quod-recording-'));
  try {
    const output = join(folder, 'output');
    const timing = join(folder, 'timing');
    const inside = `stty cols ${COLUMNS} rows ${ROWS}; printf '$ %s\\n' '${command}'; ${command}`;
    const options = ['--quiet', '--flush', '--logging-format', 'classic', '--command', inside];
    execFileSync('script', [...options, '--log-out', output, '--log-timing', timing], {
      stdio: ['ignore', 'inherit', 'inherit'],
      // npm's own remarks and its spinner are no part of the command.
      env: { ...process.env, npm_config_loglevel: 'silent', npm_config_progress: 'false' },
    });
    return framesOf(readFileSync(output), readFileSync(timing, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `timing` has a line for each chunk: seconds since the one before, and its bytes. */
function framesOf(log: Buffer, timing: string): Frame[] {
  const screen = new TerminalScreen();
  const decoder = new TextDecoder();
  const frames: Frame[] = [];
  // The log begins with a line that names the command.
  let at = log.indexOf('\n') + 1;
  let shownMs = 0;
  for (const line of timing.trim().split('\n')) {
    const [seconds = 0, bytes = 0] = line.split(' ').map(Number);
    const last = frames.at(-1);
    if (last !== undefined) {
      shownMs += seconds * 1000;
      last.durationMs = Math.min(shownMs, LONGEST_STILL_MS);
      if (shownMs < SHORTEST_FRAME_MS) frames.pop();
      else shownMs = 0;
    }
    screen.write(decoder.decode(log.subarray(at, at + bytes), { stream: true }));
    at += bytes;
    frames.push({ lines: screen.lines().slice(-ROWS), durationMs: 0 });
  }
  const last = frames.at(-1);
  if (last !== undefined) last.durationMs = LAST_FRAME_MS;
  return frames.filter(
    (frame, index) => frame.durationMs > 0 && (index === frames.length - 1 || frame.lines.join('') !== ''),
  );
}

function svgOf(frames: readonly Frame[]): string {
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN);
  const height = rows * LINE_HEIGHT + 2 * MARGIN;
  const totalMs = frames.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)}s`;
  let start = 0;
  const groups = frames.map(({ lines, durationMs }, index) => {
    const isLast = index === frames.length - 1;
    const texts = lines.map((line, row) =>
      line === ''
        ? ''
        : `<text x="${MARGIN}" y="${MARGIN + (row + 0.8) * LINE_HEIGHT}">${escapeXml(line)}</text>`,
    );
    // The last picture stands still where animation is not played, so it alone is visible by default.
    const times = isLast
      ? `<set attributeName="visibility" to="hidden" begin="clock.begin" dur="${seconds(start)}"/>`
      : `<set attributeName="visibility" to="visible" begin="clock.begin+${seconds(start)}" dur="${seconds(durationMs)}"/>`;
    start += durationMs;
    return `<g visibility="${isLast ? 'visible' : 'hidden'}">${times}${texts.join('')}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal in which quod proves the holes of a file">
<style>text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9;white-space:pre}</style>
<rect width="100%" height="100%" rx="8" fill="#1e222a"><animate id="clock" attributeName="opacity" from="1" to="1" begin="0s;clock.end" dur="${seconds(totalMs)}"/></rect>
${groups.join('\n')}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/ /g, '\u00a0');
}

const command = process.argv.slice(2).join(' ') || 'npx quod prove examples/rocq/lists.v';
const target = new URL('../docs/recording/prove.svg', import.meta.url);
mkdirSync(new URL('.', target), { recursive: true });
const frames = record(command);
writeFileSync(target, svgOf(frames));
console.log(`${frames.length} pictures from: ${command}`);
