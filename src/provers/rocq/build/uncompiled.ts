/** What to say where Rocq does not find a library, and a file of the project that is not compiled is the reason. */
import { relative } from 'node:path';
import { notCompiled, type ProjectSource } from './project-sources.ts';

const NAMES_SHOWN = 5;

/** @param sources what a file requires of its project. Undefined when all of it is compiled. */
export async function uncompiledMessage(sources: readonly ProjectSource[]): Promise<string | undefined> {
  const uncompiled = await notCompiled(sources);
  if (uncompiled.length === 0) return undefined;
  const shown = uncompiled
    .slice(0, NAMES_SHOWN)
    .map(({ path, library }) => `${relative(process.cwd(), path)} (${library})`);
  const others = uncompiled.length - shown.length;
  const names = [...shown, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  const count = uncompiled.length === 1 ? 'One file' : `${uncompiled.length} files`;
  const verb = uncompiled.length === 1 ? 'is' : 'are';
  return `${count} of the project that it requires ${verb} not compiled, or not from the source as it is now: ${names}.`;
}

/** Whether it is what Rocq says where a library is missing, or is of another compilation than what it was made with. */
export function speaksOfLibraries(message: string): boolean {
  return /Cannot find a physical path|[Uu]nable to locate library|inconsistent assumptions over library/u.test(
    message,
  );
}
