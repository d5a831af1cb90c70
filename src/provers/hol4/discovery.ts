/** Finds HOL4 on the machine. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { findExecutable } from '../../process/executable.ts';

export interface HolInstallation {
  /** The program `hol`. */
  readonly hol: string;
  readonly holmake: string;
  /** The folder that HOL calls HOLDIR. */
  readonly folder: string;
}

/** QUOD_HOL4 (a `hol` or its installation), HOLDIR, or the first `hol` in PATH; undefined when there is none. */
export function findHol4(environment: NodeJS.ProcessEnv = process.env): HolInstallation | undefined {
  const chosen = environment['QUOD_HOL4'];
  const home = environment['HOLDIR'];
  const candidates = chosen
    ? [chosen, join(chosen, 'bin', 'hol')]
    : home
      ? [join(home, 'bin', 'hol'), 'hol']
      : ['hol'];
  const found = findExecutable(candidates, environment);
  return found === undefined ? undefined : installationOf(found);
}

/** @throws QuodError `prover-missing`. */
export function requireHol4(environment: NodeJS.ProcessEnv = process.env): HolInstallation {
  const found = findHol4(environment);
  if (found !== undefined) return found;
  const where = environment['QUOD_HOL4'] ? ` at ${environment['QUOD_HOL4']}` : ' in PATH';
  throw new QuodError('prover-missing', `There is no HOL4${where}.`, {
    remedy: 'Build HOL4 (hol-theorem-prover.org) and set QUOD_HOL4 or HOLDIR to its folder.',
  });
}

function installationOf(hol: string): HolInstallation {
  // `hol` in PATH is often a link; Holmake is its neighbour where it really lies.
  const real = realpathSync(hol);
  const beside = join(dirname(real), 'Holmake');
  return {
    hol: real,
    holmake: existsSync(beside) ? beside : 'Holmake',
    folder: dirname(dirname(real)),
  };
}
