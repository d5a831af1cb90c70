/**
 * What a newcomer sees: `quod prove` on the exercises and projects of examples/, one after the other, each in a copy.
 *
 *     npm run build && npx node bench/first-hour.ts
 *
 * Writes the terminal, as it was, to docs/prove/first-hour.md. Files that stand below a project are built first
 * (`--build`).
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryAt } from '../src/core/entry.ts';
import { runCommand } from './search/command.ts';

const ROOT = join(import.meta.dirname, '..');
const QUOD = join(ROOT, 'bin', 'quod.mjs');

interface Visit {
  readonly about: string;
  /** Below examples/: what is copied, and what is asked there. */
  readonly folder: string;
  readonly words: readonly string[];
}

const VISITS: readonly Visit[] = [
  { about: 'Twelve exercises of a textbook', folder: 'textbook', words: ['prove', 'first_chapters.v'] },
  {
    about: 'A project in SSReflect, with a `_CoqProject`',
    folder: 'projects/ssreflect',
    words: ['prove', '--build', 'theories'],
  },
  { about: 'A project of dune', folder: 'projects/dune', words: ['prove', '--build', 'theories'] },
  { about: 'A project that uses plugins', folder: 'projects/plugins', words: ['prove', 'theories'] },
  { about: 'A script of HOL4', folder: 'hol4', words: ['prove', 'doubleScript.sml'] },
  { about: 'A file of F*', folder: 'fstar', words: ['prove', 'Double.fst'] },
];

async function visit({ about, folder, words }: Visit): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'quod-first-hour-'));
  try {
    cpSync(join(ROOT, 'examples', folder), copy, { recursive: true });
    const run = await runCommand(
      'sh',
      ['-c', '"$@" 2>&1; echo "exit code $?"', 'sh', process.execPath, QUOD, ...words],
      { folder: copy, timeoutSeconds: 900, environment: { QUOD_CACHE: join(copy, '.cache') } },
    );
    console.log(`${about}: ${run.seconds.toFixed(0)} s`);
    return `## ${about}\n\n\`\`\`console\n$ cd examples/${folder} && quod ${words.join(' ')}\n${run.output.trimEnd().replaceAll(copy, '.')}\n\`\`\`\n`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
const visits: string[] = [];
/** Of the last minute, as each visit begins and ends. */
const loads = [loadNow()];
for (const one of VISITS) {
  visits.push(await visit(one));
  loads.push(loadNow());
}
const parts = [
  '# The first hour\n',
  'What `quod prove` says to a newcomer, as it was printed by `npx node bench/first-hour.ts` with an empty cache. The seconds are those\n' +
    `of the machine that ran it, on ${availableParallelism()} processors that others used, too (load ${Math.min(...loads)} to ${Math.max(...loads)}), at commit ${commit}.\n`,
  ...visits,
];
writeFileSync(join(ROOT, 'docs', 'prove', 'first-hour.md'), parts.join('\n'));

function loadNow(): number {
  return Math.round(entryAt(loadavg(), 0, 'average'));
}
