/** Finds the F* of the machine: QUOD_FSTAR, else FSTAR_HOME, else PATH. */
import { join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { findExecutable } from '../../process/executable.ts';
import { printedVersion } from './program-version.ts';

export interface FstarInstallation {
  readonly location: string;
  /** As it prints it: `0.9.7.0~dev`, `2025.03.25`. */
  readonly version: string;
}

const NAMES = ['fstar.exe', 'fstar'];

export function locateFstar(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment['QUOD_FSTAR'];
  if (chosen) return findExecutable([chosen], environment);
  const home = environment['FSTAR_HOME'];
  const inHome = home ? NAMES.map((name) => join(home, 'bin', name)) : [];
  return findExecutable([...inHome, ...NAMES], environment);
}

/**
 * @param executable Instead of looking for one; looked up in PATH when it has no slash. @throws QuodError
 * `prover-missing`.
 */
export async function findFstar(
  executable?: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<FstarInstallation> {
  const location =
    executable === undefined ? locateFstar(environment) : findExecutable([executable], environment);
  if (location === undefined) {
    throw new QuodError(
      'prover-missing',
      executable === undefined ? 'There is no F* on this machine.' : `There is no F* at ${executable}.`,
      { remedy: 'Install F* and put fstar.exe into PATH, or set QUOD_FSTAR to it.' },
    );
  }
  const printed = await printedVersion(location);
  const version = /^F\*\s+(\S+)/m.exec(printed)?.[1];
  if (version !== undefined) return { location, version };
  throw new QuodError(
    'prover-missing',
    `${location} does not print a version of F*: ${printed.trim().slice(0, 300)}`,
    { remedy: 'Reinstall it, or point QUOD_FSTAR to another one.' },
  );
}
