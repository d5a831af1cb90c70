/**
 * Runs Holmake and answers what was really made. Holmake ends with code 0 for theories that cheat, says nothing at
 * all of those it finds built, and prints what a script lets it print; so success here means that a fresh HOL has
 * loaded every theory asked for, and found each theorem of its script there, resting on nothing but HOL's own axioms.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { proverEnvironment } from '../../../process/rights/child-environment.ts';
import { type StopReason, underLimits } from '../../../process/interrupt-ladder.ts';
import type { HolInstallation } from '../discovery.ts';
import type { Script } from '../syntax/script-parts.ts';
import { parseScript } from '../syntax/script.ts';
import { type HolmakeEvent, LineCutter, readHolmakeLine } from './holmake-output.ts';
import { type Inspection, STOCK_AXIOMS, inspectTheories, isDataUntouched } from './inspection.ts';
import { type TheoryFailure, readTheoryLog } from './theory-log.ts';

export interface HolmakeRequest {
  readonly installation: HolInstallation;
  readonly folder: string;
  /** What Holmake is asked for; without it everything in the folder. */
  readonly target?: string;
  readonly extraArguments?: readonly string[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly memoryLimit?: number;
  readonly environment?: NodeJS.ProcessEnv;
  readonly onEvent?: (event: HolmakeEvent) => void;
}

/** `clean` when a theorem rests on nothing but HOL's own axioms and has no hypotheses. */
export type TheoremStanding = 'clean' | 'cheated' | 'oracle' | 'axiom' | 'hypotheses';

export interface BuiltTheorem {
  readonly name: string;
  readonly kind: 'theorem' | 'axiom' | 'definition';
  readonly standing: TheoremStanding;
  readonly conclusion: string;
  readonly oracles: readonly string[];
  readonly hypotheses: readonly string[];
  /** In the script, from 1; null for what a declaration made besides. */
  readonly line: number | null;
}

export interface BuiltTheory {
  readonly theory: string;
  /** `up-to-date`: it was built before; Holmake did nothing. */
  readonly state: 'built' | 'up-to-date' | 'failed' | 'not-built' | 'unknown';
  readonly seconds: number | null;
  readonly theorems: readonly BuiltTheorem[];
  /** `theory$name` of axioms, in it or below, that are not HOL's own. */
  readonly axioms: readonly string[];
  /** Theorems of the script that the built theory does not have. */
  readonly missing: readonly string[];
  /** Uses of `cheat` and its like in the script: they show local theorems, which the built theory does not have. */
  readonly cheats: readonly { readonly name: string; readonly line: number }[];
  /** The data file is not the one that was exported. */
  readonly tampered: boolean;
  readonly failure: TheoryFailure | null;
  /** Why nothing can be told. */
  readonly unknown: string | null;
}

export interface HolmakeReport {
  /** `clean`: everything was built and proved; `cheated`: built, but not all of it is proved. */
  readonly status: 'clean' | 'cheated' | 'failed' | 'unknown';
  /** Of HOL. */
  readonly version: string;
  readonly exitCode: number | null;
  readonly stopped: StopReason | null;
  readonly elapsedMs: number;
  readonly theories: readonly BuiltTheory[];
  /** What Holmake said when it gave up. */
  readonly aborted: readonly string[];
  /** The end of what it printed. */
  readonly output: string;
}

const OUTPUT_KEPT = 16_000;

/** @throws QuodError `prover-missing`, `not-found`. */
export async function runHolmake(request: HolmakeRequest): Promise<HolmakeReport> {
  const { installation, folder, target } = request;
  if (!existsSync(folder))
    throw new QuodError('not-found', 'There is no such folder.', { place: { file: folder } });
  const started = performance.now();
  const events: HolmakeEvent[] = [];
  let output = '';
  const take = (line: string): void => {
    output = `${output}${line}\n`.slice(-OUTPUT_KEPT);
    const event = readHolmakeLine(line);
    if (event.kind !== 'output') events.push(event);
    request.onEvent?.(event);
  };
  const { exitCode, stopped } = await runProgram(request, take);
  const theories: BuiltTheory[] = [];
  const names = await theoriesOf(folder, target, events);
  const built = stopped === undefined ? names.filter((name) => hasObjects(folder, name)) : [];
  const program = { executable: installation.hol };
  const { version, found } = await inspectTheories(program, folder, built, request.signal);
  for (const name of names) theories.push(await describe(folder, name, events, found.get(name)));
  return {
    status: verdict(exitCode, stopped, theories),
    version,
    exitCode,
    stopped: stopped ?? null,
    elapsedMs: performance.now() - started,
    theories,
    aborted: events.flatMap((event) => (event.kind === 'aborted' ? [event.message] : [])),
    output: output.trimEnd(),
  };
}

async function runProgram(
  {
    installation,
    folder,
    target,
    extraArguments = [],
    timeoutMs,
    signal,
    memoryLimit,
    environment,
  }: HolmakeRequest,
  take: (line: string) => void,
): Promise<{ readonly exitCode: number | null; readonly stopped: StopReason | undefined }> {
  const programArguments = ['--qof', ...extraArguments, ...(target === undefined ? [] : [target])];
  const child = await GuardedChild.start(installation.holmake, programArguments, {
    folder,
    environment: { ...proverEnvironment(environment), TERM: 'dumb' },
    ...(memoryLimit !== undefined && { memoryLimit }),
  });
  const cutter = new LineCutter();
  child.output.on('data', (bytes: Buffer) => cutter.push(bytes).forEach(take));
  const target_ = {
    interrupt: () => child.interrupt(),
    kill: async () => {
      await child.kill();
    },
  };
  const { answer, stopped } = await underLimits(target_, { timeoutMs, signal }, () => child.exited);
  cutter.end().forEach(take);
  for (const line of answer.errorOutput.split('\n')) if (line !== '') take(line);
  return { exitCode: answer.code, stopped };
}

/** The theories that the call was about: the target's, or every script of the folder. */
async function theoriesOf(
  folder: string,
  target: string | undefined,
  events: readonly HolmakeEvent[],
): Promise<readonly string[]> {
  const asked =
    target === undefined ? undefined : /^(.*?)(?:Theory(?:\.\w+)?|Script\.sml)?$/.exec(basename(target))?.[1];
  const scripts = (await readdir(folder)).flatMap((name) => /^(\w+)Script\.sml$/.exec(name)?.[1] ?? []);
  const worked = events.flatMap((event) =>
    event.kind === 'started' || event.kind === 'finished'
      ? (/^(\w+)Theory$/.exec(event.target)?.[1] ?? [])
      : [],
  );
  const names = asked !== undefined && scripts.includes(asked) ? [asked, ...worked] : [...scripts, ...worked];
  return [...new Set(names)].filter((name) => scripts.includes(name)).sort();
}

function hasObjects(folder: string, theory: string): boolean {
  return [join(folder, '.hol', 'objs'), folder].some((place) =>
    existsSync(join(place, `${theory}Theory.dat`)),
  );
}

async function describe(
  folder: string,
  theory: string,
  events: readonly HolmakeEvent[],
  inspection: Inspection | undefined,
): Promise<BuiltTheory> {
  const finished = events.findLast(
    (event) => event.kind === 'finished' && event.target === `${theory}Theory`,
  );
  const script = parseScript(await readText(join(folder, `${theory}Script.sml`)));
  const log = readTheoryLog(await readText(join(folder, '.hol', 'logs', `${theory}Theory`)));
  const base = {
    theory,
    seconds: finished?.kind === 'finished' ? (log.seconds ?? finished.seconds) : null,
    theorems: [],
    axioms: [],
    missing: [],
    cheats: script.cheats.map(({ name, span }) => ({ name, line: lineAt(script, span.start) })),
    tampered: false,
    failure: null,
    unknown: null,
  };
  if (finished?.kind === 'finished' && finished.result === 'failed') {
    const failure = log.failure ?? { message: 'Holmake says that it failed.' };
    return { ...base, state: 'failed', failure: withLine(failure, script) };
  }
  if (inspection === undefined) return { ...base, state: 'not-built' };
  if (inspection.status === 'unknown') return { ...base, state: 'unknown', unknown: inspection.message };
  const { theorems, axioms } = inspection.theory;
  const present = new Set(theorems.map(({ name }) => name));
  return {
    ...base,
    state: finished === undefined ? 'up-to-date' : 'built',
    theorems: theorems.map(({ name, kind, theorem }) => ({
      name,
      kind,
      standing: standingOf(kind, theorem),
      conclusion: theorem.conclusion,
      oracles: theorem.oracles,
      hypotheses: theorem.hypotheses,
      line: lineOf(script, name),
    })),
    axioms: axioms.filter((name) => !STOCK_AXIOMS.has(name)),
    missing: script.theorems
      .filter(({ exported, name }) => exported && name !== '' && !present.has(name))
      .map(({ name }) => name),
    tampered: (await isDataUntouched(folder, theory)) === false,
  };
}

function standingOf(
  kind: BuiltTheorem['kind'],
  { oracles, hypotheses }: { readonly oracles: readonly string[]; readonly hypotheses: readonly string[] },
): TheoremStanding {
  if (kind === 'axiom') return 'axiom';
  if (oracles.some((name) => name === 'cheat' || name === 'tactic_failed')) return 'cheated';
  if (oracles.length > 0) return 'oracle';
  return hypotheses.length > 0 ? 'hypotheses' : 'clean';
}

function withLine(failure: TheoryFailure, script: Script): TheoryFailure {
  if (failure.line !== undefined || failure.theorem === undefined) return failure;
  const line = lineOf(script, failure.theorem);
  return line === null ? failure : { ...failure, line };
}

function lineOf(script: Script, name: string): number | null {
  const theorem = script.theorems.find((other) => other.name === name);
  return theorem === undefined ? null : lineAt(script, theorem.span.start);
}

function lineAt({ text }: Script, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

async function readText(path: string): Promise<string> {
  try {
    return await readRegularText(path, LARGEST_WRITTEN_BYTES);
  } catch {
    return '';
  }
}

function verdict(
  exitCode: number | null,
  stopped: StopReason | undefined,
  theories: readonly BuiltTheory[],
): HolmakeReport['status'] {
  if (stopped !== undefined) return 'unknown';
  if (exitCode !== 0 || theories.some(({ state }) => state === 'failed')) return 'failed';
  if (theories.some(({ state }) => state === 'unknown' || state === 'not-built')) return 'unknown';
  const clean = theories.every(
    ({ theorems, axioms, missing, tampered, cheats }) =>
      !tampered &&
      cheats.length === 0 &&
      axioms.length === 0 &&
      missing.length === 0 &&
      theorems.every(({ standing }) => standing === 'clean'),
  );
  return clean ? 'clean' : 'cheated';
}
