/**
 * The baselines: tactics that anybody can type. Each is tried by itself on the theorem after `intros`, in a coqc
 * that runs the cut file up to the statement; what the tactics need is required after the statement, so that it
 * cannot change it.
 */
import { compile } from './coqc.ts';
import type { Cut } from './cut.ts';
import { libraryNamed, loadPathOptions, type Task } from './task.ts';

export interface Candidate {
  /** The tactic as it was tried, the name under which it is counted. */
  readonly name: string;
  /** What stands between the theorem's `Proof` sentence and `Qed`. */
  readonly body: string;
}

export interface BaselineRun {
  /** Those that closed the goal, in the order in which they were tried. */
  readonly closing: readonly Candidate[];
  readonly seconds: number;
  /** What went wrong with the run itself. */
  readonly trouble?: string;
}

interface OneShot {
  readonly tactic: string;
  /** A module that must be loaded by the file already, because it is part of the library or leads the style of it. */
  readonly onlyWith?: string;
  /** Required for it after the statement. */
  readonly requires?: string;
}

const ONE_SHOT: readonly OneShot[] = [
  { tactic: 'trivial' },
  { tactic: 'reflexivity' },
  { tactic: 'auto' },
  { tactic: 'eauto' },
  { tactic: 'auto with *' },
  { tactic: 'eauto with *' },
  { tactic: 'easy' },
  { tactic: 'tauto' },
  { tactic: 'intuition' },
  { tactic: 'intuition eauto' },
  { tactic: 'congruence' },
  { tactic: 'firstorder' },
  { tactic: 'done', onlyWith: 'Coq.ssr.ssreflect' },
  { tactic: 'fast_done', onlyWith: 'stdpp.tactics' },
  { tactic: 'naive_solver', onlyWith: 'stdpp.tactics' },
  { tactic: 'set_solver', onlyWith: 'stdpp.sets' },
  { tactic: 'solve_decision', onlyWith: 'stdpp.decidable' },
  { tactic: 'lattice', onlyWith: 'RelationAlgebra.lattice' },
  { tactic: 'ra', onlyWith: 'RelationAlgebra.normalisation' },
  { tactic: 'ka', onlyWith: 'RelationAlgebra.kat_tac' },
  { tactic: 'kat', onlyWith: 'RelationAlgebra.kat_tac' },
  { tactic: 'hkat', onlyWith: 'RelationAlgebra.kat_tac' },
  { tactic: 'ring', requires: 'From Coq Require Import Ring.' },
  { tactic: 'field', requires: 'From Coq Require Import Field.' },
  { tactic: 'lia', requires: 'From Coq Require Import Lia.' },
  { tactic: 'nia', requires: 'From Coq Require Import Lia.' },
  { tactic: 'lra', requires: 'From Coq Require Import Lra.' },
  { tactic: 'nra', requires: 'From Coq Require Import Lra.' },
];

const HAMMER_TACTICS = 'From Hammer Require Import Tactics.';
const HAMMER_PLUGIN = 'From Hammer Require Import Hammer.';

const ONE_SHOT_SECONDS = 5;
const SAUTO_SECONDS = 10;
const SAUTO = ['sauto', 'hauto', 'qauto', 'sfirstorder', 'hcrush', 'best'];

interface Trial extends Candidate {
  readonly tactic: string;
  readonly requires?: string;
}

function trial(name: string, requires: string | undefined): Trial {
  // The blanks keep a last `*` apart from what follows it.
  const tactic = name.endsWith('*') ? `intros; ${name} ` : `intros; ${name}`;
  const body = requires === undefined ? `${tactic}.` : `${requires}\n${tactic}.`;
  return { name, tactic, body, ...(requires !== undefined && { requires }) };
}

export function oneShotTrials(task: Task): Trial[] {
  const loaded = new Set(task.loaded);
  return ONE_SHOT.filter(({ onlyWith }) => onlyWith === undefined || loaded.has(onlyWith)).map(
    ({ tactic, requires }) => trial(tactic, requires),
  );
}

export function runOneShot(task: Task, cuts: readonly Cut[], coqFolder: string): Promise<BaselineRun> {
  return tryEach(task, cuts, { trials: oneShotTrials(task), secondsEach: ONE_SHOT_SECONDS, coqFolder });
}

export function runSauto(task: Task, cuts: readonly Cut[], coqFolder: string): Promise<BaselineRun> {
  const trials = SAUTO.map((tactic) => trial(tactic, HAMMER_TACTICS));
  return tryEach(task, cuts, { trials, secondsEach: SAUTO_SECONDS, coqFolder });
}

/** The proof that is open after the statement, with `body` in it, thrown away at the end. */
function probe(cut: Cut, body: string): string {
  return `${cut.before}\n${cut.opening}\n${body}\nAbort.\n${cut.endings}`;
}

/**
 * One coqc tries all. When a tactic takes coqc down (a name that is not there, a stack overflow), another coqc goes on
 * behind it; when coqc does not even come to the first, the next of `cuts` is used.
 */
async function tryEach(
  task: Task,
  cuts: readonly Cut[],
  {
    trials,
    secondsEach,
    coqFolder,
  }: { readonly trials: readonly Trial[]; readonly secondsEach: number; readonly coqFolder: string },
): Promise<BaselineRun> {
  const closing: Candidate[] = [];
  let seconds = 0;
  let trouble: string | undefined;
  let left = trials;
  const [...cutsLeft] = cuts;
  let cut = cutsLeft.shift();
  while (left.length > 0 && cut !== undefined) {
    let required = '';
    const lines = left.map(({ name, tactic, requires }, index) => {
      const require = requires === undefined || requires === required ? '' : `${requires}\n`;
      required = requires ?? required;
      return (
        `idtac "BENCH-TRY ${index}".\n${require}` +
        `try (assert_succeeds (solve [timeout ${secondsEach} (${tactic})]); idtac "BENCH-CLOSED ${index}"). (* ${name} *)`
      );
    });
    const result = await compile(probe(cut, lines.join('\n')), {
      source: task.source,
      loadPath: loadPathOptions(libraryNamed(task.library), coqFolder),
      timeoutSeconds: 120 + secondsEach * left.length * 1.5,
    });
    seconds += result.seconds;
    for (const [, index] of result.output.matchAll(/^BENCH-CLOSED (\d+)$/gm)) {
      const candidate = left[Number(index)];
      if (candidate !== undefined) closing.push({ name: candidate.name, body: candidate.body });
    }
    if (result.exitCode === 0) break;
    const tried = [...result.output.matchAll(/^BENCH-TRY (\d+)$/gm)].length;
    trouble = result.timedOut ? 'coqc was too slow' : result.errorOutput.trim().slice(-300);
    if (tried === 0) cut = cutsLeft.shift();
    left = left.slice(tried);
  }
  return { closing, seconds, ...(trouble !== undefined && { trouble }) };
}

/**
 * `hammer` as Debian ships it: E and CVC4 (Debian has no TPTP front end of Z3 and no Vampire), eight prediction
 * strategies side by side. The tactic that it recommends is the candidate.
 */
export async function runHammer(
  task: Task,
  cut: Cut,
  coqFolder: string,
  proverSeconds: number,
): Promise<BaselineRun> {
  const settings = `${HAMMER_PLUGIN}\nSet Hammer ATPLimit ${proverSeconds}.\nSet Printing Width 2000.`;
  const result = await compile(probe(cut, `${settings}\nhammer.`), {
    source: task.source,
    loadPath: loadPathOptions(libraryNamed(task.library), coqFolder),
    timeoutSeconds: proverSeconds + 240,
  });
  const { seconds } = result;
  const tactic = recommendedTactic(`${result.output}\n${result.errorOutput}`);
  if (tactic !== undefined)
    return { closing: [{ name: 'hammer', body: `${HAMMER_TACTICS}\n${tactic}.` }], seconds };
  const trouble = result.timedOut ? 'coqc was too slow' : result.errorOutput.trim().slice(-300);
  return { closing: [], seconds, ...(trouble !== '' && { trouble }) };
}

/**
 * What `hammer` says to write in its place, without the dot. Found by a prover, it stands on a line of its own and
 * has a dot; found without one, it stands behind the colon and has none. It is one line as long as the printing
 * width allows it. `srun eauto use: …` is printed without the parentheses that it needs to be read back.
 */
export function recommendedTactic(said: string): string | undefined {
  const tactic = /Replace the hammer tactic with:\s*([^\n]*?)\.?\s*(?:\n|$)/.exec(said)?.[1];
  return tactic?.replace(/^srun ([a-z]+) /, 'srun ($1) ');
}
