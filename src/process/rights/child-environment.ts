/**
 * What programs that Quod starts get of the user's environment. Files of a stranger's can have a prover print any
 * variable (`Load "$NAME".`), and no list of bad names is complete: `DATABASE_URL` has a password. So it is a list of
 * what provers, their compilers and build tools need, and what the user names in QUOD_PASS_ENVIRONMENT.
 */
import { join } from 'node:path';
import { isRecord, parsedJson } from '../../core/json.ts';
import { configurationDirectory } from '../configuration-directory.ts';
import { readAllowed } from '../foreign-folder/allowed.ts';
import { readRegularFileSync } from '../foreign-folder/regular-file.ts';

/** Names that the user passes on, apart by commas or blanks. Only an environment, which is the user's, can say so. */
export const PASSED_ON = 'QUOD_PASS_ENVIRONMENT';

/** NIX_CONFIG may have keys for servers in it. */
const NEEDED = new RegExp(
  `^(?:${[
    ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TZ', 'LANG', 'LANGUAGE', 'LC_\\w+'],
    ...['LOCPATH', 'LOCALE_ARCHIVE\\w*', 'TMPDIR', 'TMP', 'TEMP', 'XDG_\\w+'],
    ...['(?:COQ|ROCQ|OCAML|CAML|OPAM|DUNE|HOL|POLY|FSTAR|Z3|LEAN|ELAN|LAKE)\\w*', 'NIX_(?!CONFIG$)\\w*'],
    ...['LD_LIBRARY_PATH', 'LD_PRELOAD', 'DYLD_\\w+'],
  ].join('|')})$`,
  'u',
);

const MAY_BE_A_KEY = /key|token|secret|passw|credential|auth/iu;

/** @param more Further names that this program needs; they are also told where they look like a key's. */
export function environmentWith(more: RegExp, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isTold = toldNames(environment);
  return onlyNames(environment, (name) => more.test(name) || isTold(name));
}

/** For provers, their compilers and build tools. */
export function proverEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return onlyNames(environment, toldNames(environment));
}

function onlyNames(environment: NodeJS.ProcessEnv, isTold: (name: string) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isTold(name)));
}

/** Whether a variable is told to provers, and to what a project names it in. */
export function isToldToProvers(name: string, environment: NodeJS.ProcessEnv = process.env): boolean {
  return toldNames(environment)(name);
}

function toldNames(environment: NodeJS.ProcessEnv): (name: string) => boolean {
  const passedOn = new Set(environment[PASSED_ON]?.split(/[\s,]+/u));
  const keys = keyVariables(environment);
  return (name) => passedOn.has(name) || (NEEDED.test(name) && !MAY_BE_A_KEY.test(name) && !keys.has(name));
}

/** What the user's settings, and what they allowed in some folder, call variables with keys. */
function keyVariables(environment: NodeJS.ProcessEnv): ReadonlySet<string> {
  const written = [
    settingsText(join(configurationDirectory(environment), 'agent.json')),
    `{"providers": ${environment['QUOD_AGENT_PROVIDERS'] ?? '{}'}}`,
  ];
  const named = written.flatMap((text) => {
    const settings = parsedJson(text);
    return isRecord(settings) && isRecord(settings['providers']) ? Object.values(settings['providers']) : [];
  });
  const variables = named.flatMap((provider) => (isRecord(provider) ? [provider['keyVariable']] : []));
  return new Set([...variables, ...allowedVariables(environment)].filter((name) => typeof name === 'string'));
}

/** Whoever reads the settings says what is wrong with them. */
function settingsText(file: string): string {
  try {
    return readRegularFileSync(file).toString('utf8');
  } catch {
    return '';
  }
}

function allowedVariables(environment: NodeJS.ProcessEnv): readonly (string | null)[] {
  try {
    return readAllowed(environment).flatMap(({ reach }) =>
      reach.kind === 'address' ? [reach.keyVariable] : [],
    );
  } catch {
    return [];
  }
}
