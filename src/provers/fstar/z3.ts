/**
 * Which Z3 an F* wants and where one is. F* proves with the version that it was tuned for; with another one it warns at
 * best, and the same proof may fail or time out. So the right one is looked for under its versioned name and beside F*,
 * and the answer says in words when it is a wrong one or when there is none.
 */
import { dirname, join } from 'node:path';
import { findExecutable } from '../../process/executable.ts';
import { printedVersion } from './program-version.ts';

export interface Z3Choice {
  /** What to start F* with. */
  readonly arguments: readonly string[];
  /** What the user should know; null when all is as it should be. */
  readonly warning: string | null;
  readonly location: string | null;
  readonly version: string | null;
}

/** Z3 of releases: 4.8.5 until the releases of 2025, which want 4.13.3. */
export function wantedZ3(fstarVersion: string): string {
  const year = /^(\d{4})\./.exec(fstarVersion)?.[1];
  return year !== undefined && Number(year) >= 2025 ? '4.13.3' : '4.8.5';
}

export async function chooseZ3(
  fstar: { readonly location: string; readonly version: string },
  options: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Z3Choice> {
  const chosen = options.indexOf('--smt');
  if (chosen >= 0) {
    // Said by the user: not our business, but its version is told.
    const location = options[chosen + 1] ?? null;
    return { arguments: [], warning: null, location, version: location && (await z3Version(location)) };
  }
  const wanted = wantedZ3(fstar.version);
  const folder = dirname(fstar.location);
  const named = environment['QUOD_FSTAR_Z3'];
  const candidates = [
    ...(named ? [named] : []),
    join(folder, `z3-${wanted}`),
    join(folder, '..', 'lib', 'fstar', `z3-${wanted}`, 'bin', 'z3'),
    `z3-${wanted}`,
    join(folder, 'z3'),
    'z3',
  ];
  let other: { location: string; version: string } | undefined;
  for (const candidate of candidates) {
    const location = findExecutable([candidate], environment);
    if (location === undefined) continue;
    const version = await z3Version(location);
    if (version === wanted) return { arguments: ['--smt', location], warning: null, location, version };
    if (version !== null) other ??= { location, version };
  }
  const remedy = `Put Z3 ${wanted} into PATH as z3-${wanted}, or set QUOD_FSTAR_Z3.`;
  if (other === undefined) {
    return {
      arguments: [],
      warning: `There is no Z3, without which F* proves nothing. ${remedy}`,
      location: null,
      version: null,
    };
  }
  return {
    arguments: ['--smt', other.location],
    warning: `F* ${fstar.version} wants Z3 ${wanted}; it gets ${other.version} (${other.location}), with which proofs may fail that should not. ${remedy}`,
    ...other,
  };
}

/** Null when it does not start, or says something else. */
async function z3Version(location: string): Promise<string | null> {
  const printed = await printedVersion(location).catch(() => '');
  return /Z3 version (\d+(?:\.\d+)+)/.exec(printed)?.[1] ?? null;
}
