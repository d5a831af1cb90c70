/** Which files were changed since the last build began; all windows of a browser note it together. */
import { signal } from '@preact/signals';
import { jobs } from '../server/jobs.ts';
import type { JobId } from '../server/jobs.ts';
import { onLive } from '../server/live.ts';

const CHANGED = 'quod.changed-since';

interface Changed {
  readonly build: JobId;
  readonly files: readonly string[];
}

const noted = signal(read());

addEventListener('storage', ({ key }) => {
  if (key === CHANGED) noted.value = read();
});

onLive('file', ({ path }) => {
  const build = jobs.peek().find(({ operation }) => operation === 'proof_build')?.id;
  // What a build writes is no source.
  if (build === undefined || path.endsWith('.vo')) return;
  const before = noted.peek();
  const files = before?.build === build ? before.files : [];
  if (files.includes(path)) return;
  noted.value = { build, files: [...files, path] };
  localStorage.setItem(CHANGED, JSON.stringify(noted.value));
});

export function changedSince(build: JobId | undefined): ReadonlySet<string> {
  return new Set(noted.value !== undefined && noted.value.build === build ? noted.value.files : []);
}

function read(): Changed | undefined {
  const kept = localStorage.getItem(CHANGED);
  // This page wrote it under this very name.
  return kept === null ? undefined : (JSON.parse(kept) as Changed);
}
