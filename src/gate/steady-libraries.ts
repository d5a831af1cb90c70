/**
 * A judgement reads the libraries of the project several times. Where one was exchanged meanwhile, what was found says
 * nothing of the submission: a verdict that rests on such a library becomes `unknown`. Nothing here accepts.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Turn } from '../core/concurrency/turn.ts';
import type { RocqProject } from '../provers/rocq/project/project.ts';
import { placesInLoadPath } from './rocq/compiled/library-files.ts';
import type { Verdict } from './verdict.ts';

/** What a file is at a time: who writes it again changes that, also with the same bytes. */
type Stamps = ReadonlyMap<string, string>;

/** Ends that say nothing of the submission, whatever the libraries are. */
const OTHER_ENDS: ReadonlySet<string> = new Set([
  'interrupted',
  'timeout',
  'memory-exceeded',
  'file-changed',
]);

const MOST_TOLD = 3;

export class SteadyLibraries {
  readonly #project: RocqProject;
  readonly #first: Promise<Stamps>;
  /** Of the accepted submission. */
  #restsOn: readonly string[] = [];

  /** Looks at once: before anything is compiled. */
  constructor(project: RocqProject) {
    this.#project = project;
    this.#first = stampsOf(project);
  }

  /** Is told the libraries that a submission rests on. */
  readonly onLibraries = (names: readonly string[]): void => {
    this.#restsOn = names;
  };

  async judged(judge: () => Promise<Verdict>): Promise<Verdict> {
    const [first, before] = await Promise.all([this.#first, stampsOf(this.#project)]);
    this.#restsOn = [];
    const verdict = await judge();
    if (verdict.kind === 'unknown' && OTHER_ENDS.has(verdict.reason)) return verdict;
    const after = await stampsOf(this.#project);
    // What is accepted was the same in all parts that it rests on; what is not may have been refused for any library.
    const own = new Set(this.#restsOn.flatMap((name) => placesInLoadPath(this.#project, name)));
    const changed =
      verdict.kind === 'accepted'
        ? changesBetween(before, after).filter((path) => own.has(path))
        : changesBetween(first, after);
    if (changed.length === 0) return verdict;
    const names = changed.slice(0, MOST_TOLD).map((path) => relative(this.#project.root, path));
    const more = changed.length > MOST_TOLD ? ' and others' : '';
    const message = `Libraries changed while it was judged: ${names.join(', ')}${more}. Judge it again when they stay as they are.`;
    return { kind: 'unknown', reason: 'file-changed', message };
  }
}

function changesBetween(before: Stamps, after: Stamps): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/** Of the compiled libraries below the project's folders. */
async function stampsOf({ loadPath }: RocqProject): Promise<Stamps> {
  const stamps = new Map<string, string>();
  const pending = loadPath.map(({ physical }) => physical);
  const turn = new Turn();
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (turn.isOver) await turn.pass();
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      // Rocq takes no library from a folder whose name is no identifier.
      if (entry.isDirectory() && /^[\p{L}_][\p{L}\p{N}_']*$/u.test(entry.name)) pending.push(path);
      if (!entry.name.endsWith('.vo')) continue;
      const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
      if (stat !== undefined) stamps.set(path, [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' '));
    }
  }
  return stamps;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
