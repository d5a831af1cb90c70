/**
 * The part of Quod's cache that a search may see on a task. `quod index` may have stored a whole library, the file
 * of the task and its proofs included: of stored steps only those of modules that the cut file has loaded are let
 * through.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { logicalNameOf } from './libraries.ts';
import type { Task } from './task.ts';

const HEADER = '.header.json';
const headerSchema = z.object({ library: z.string() });

/** Makes `folder` a cache that shares what is allowed with `cache` by links. */
export function linkAllowedCache(folder: string, cache: string, task: Pick<Task, 'source' | 'loaded'>): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(cache)) return;
  const allowed = new Set(task.loaded);
  allowed.delete(logicalNameOf(task.source));
  for (const part of readdirSync(cache)) {
    const from = join(cache, part);
    if (part.startsWith('steps-')) linkAllowedSteps(join(folder, part), from, allowed);
    // Statements behind the file's own requires, and memory images of the embedded prover: no proofs.
    else if (part.startsWith('lemmas-') || part.startsWith('embedded-'))
      symlinkSync(from, join(folder, part));
  }
}

function linkAllowedSteps(folder: string, from: string, allowed: ReadonlySet<string>): void {
  mkdirSync(folder);
  const names = readdirSync(from);
  const keys = new Set(
    names
      .filter(
        (name) => name.endsWith(HEADER) && !name.startsWith('.') && allowed.has(libraryOf(join(from, name))),
      )
      .map((name) => name.slice(0, -HEADER.length)),
  );
  for (const name of names)
    if (keys.has(name.slice(0, name.indexOf('.')))) symlinkSync(join(from, name), join(folder, name));
}

function libraryOf(path: string): string {
  return headerSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).library;
}
