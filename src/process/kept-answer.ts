/**
 * What a program of this machine answered about itself (its version, whether it works), kept in the cache for as long
 * as its file is the same one. Nothing is kept of a script: what it starts may change while it does not.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { sha256 } from '../core/sha256.ts';
import { writeWholeFile } from './whole-file.ts';

const FOLDER = 'programs-2';
/** Characters of the digest in front of an answer: a disk can lose the end of a file. */
const DIGEST_LENGTH = 64;

export class KeptAnswer {
  readonly #path: string | undefined;

  /** @param question what was asked, and all else that the answer depends on besides the program's file. */
  constructor(program: string, question: readonly string[], folder = cacheDirectory()) {
    const identity = identityOf(program);
    const key = createHash('sha256')
      .update(JSON.stringify([identity, question]))
      .digest('hex');
    this.#path = identity === undefined ? undefined : join(folder, FOLDER, key);
  }

  /** Undefined where nothing is kept, or not all of it. */
  get known(): string | undefined {
    if (this.#path === undefined) return undefined;
    try {
      const kept = readFileSync(this.#path, 'utf8');
      const answer = kept.slice(DIGEST_LENGTH);
      return kept.startsWith(sha256(answer)) ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  /** Failing to keep it is no error: the program is asked again the next time. */
  async keep(answer: string): Promise<void> {
    if (this.#path === undefined) return;
    try {
      await writeWholeFile(this.#path, Buffer.from(`${sha256(answer)}${answer}`));
    } catch {
      // As said above.
    }
  }
}

/** What is another when the program is installed again; undefined for a script, and for what cannot be read. */
function identityOf(program: string): readonly (string | number)[] | undefined {
  try {
    const path = realpathSync(program);
    if (firstBytes(path) === '#!') return undefined;
    const { size, mtimeMs, ctimeMs, ino } = statSync(path);
    return [program, path, size, mtimeMs, ctimeMs, ino];
  } catch {
    return undefined;
  }
}

function firstBytes(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(2);
    readSync(file, bytes);
    return bytes.toString('latin1');
  } finally {
    closeSync(file);
  }
}
