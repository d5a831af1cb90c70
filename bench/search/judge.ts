/**
 * Re-checks a claimed proof, whoever claims it: a fresh coqc compiles the cut file with the proof in its place, and the
 * theorem may rest on nothing but the axioms of the author's own proof and those of the standard library.
 */
import { lastPart } from '../../src/core/qualified-name.ts';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import type { CommandResult } from './command.ts';
import { compile } from './coqc.ts';
import { withProof, type Cut } from './cut.ts';
import { libraryNamed, loadPathOptions, type Task, type TaskCut } from './task.ts';

export type Judgement =
  | { readonly accepted: true; readonly seconds: number }
  | { readonly accepted: false; readonly finding: string; readonly seconds: number };

const MARK = 'BENCH-ASSUMPTIONS';

/** What to add after a proof so that {@link readAssumptions} can read the output. */
export function assumptionQuery(theorem: string): string {
  return `Goal Coq.Init.Logic.True. idtac "${MARK}". Abort.\nPrint Assumptions ${theorem}.\nPrint Libraries.\n`;
}

export interface Assumptions {
  /** Without section variables, which are part of the statement. */
  readonly axioms: readonly string[];
  readonly loaded: readonly string[];
}

/** Undefined when the output ends before the query was answered. */
export function readAssumptions(output: string): Assumptions | undefined {
  const start = output.lastIndexOf(MARK);
  const libraries = output.lastIndexOf('Loaded library files:');
  if (start < 0 || libraries < start) return undefined;
  const printed = output.slice(start + MARK.length, libraries);
  const axioms: string[] = [];
  let inAxioms = false;
  for (const line of printed.split('\n')) {
    if (/^(Axioms|Section Variables|Opaque constants|Theory):/.test(line))
      inAxioms = line.startsWith('Axioms');
    else if (inAxioms) {
      const name = /^([^\s:(]+)(\s|$)/.exec(line)?.[1];
      if (name !== undefined) axioms.push(name);
    }
  }
  const loaded = output
    .slice(libraries)
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => /^[\w.'\u0080-\uffff]+$/.test(line));
  return { axioms, loaded };
}

/** Axioms that the standard library offers to everybody; by last name. */
const STANDARD_AXIOMS = new Set([
  'classic',
  'constructive_definite_description',
  'constructive_indefinite_description',
  'dependent_unique_choice',
  'eq_rect_eq',
  'epsilon_statement',
  'excluded_middle_informative',
  'functional_extensionality_dep',
  'iota_statement',
  'JMeq_eq',
  'proof_irrelevance',
  'propositional_extensionality',
  'relational_choice',
  'sig_forall_dec',
  'sig_not_dec',
]);

/** Commands that have no place in a proof. `Require` has: it is how a baseline brings its tactics. */
const FORBIDDEN =
  /\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?|Unset|Reset|Declare|Notation|Load)\b/;

/** What is wrong with a script as text, before anything is run. */
export function textualFinding(cut: Cut, script: string): string | undefined {
  const before = outlineOf(withProof(cut, `${cut.opening}\nAdmitted.`));
  const after = outlineOf(withProof(cut, script));
  const item = after.statements[before.statements.length - 1];
  if (after.statements.length !== before.statements.length || item === undefined)
    return 'the script states something';
  if (item.hole !== undefined || !(item.closingWord === 'Qed' || item.closingWord === 'Defined'))
    return 'the script does not close the proof';
  const opening = item.proofSentence === undefined ? undefined : after.sentences[item.proofSentence]?.text;
  if (opening !== cut.opening)
    return `the script begins with ${opening ?? 'nothing'}, not with ${cut.opening}`;
  if (after.sentences.length - before.sentences.length !== item.body.end - item.body.first)
    return 'the script goes on after the end of the proof';
  for (const sentence of after.sentences.slice(item.body.first, item.body.end)) {
    const word = FORBIDDEN.exec(sentence.text)?.[0];
    if (word !== undefined) return `the script says ${word}`;
  }
  return undefined;
}

export async function judge(
  task: Task,
  { cut, original }: TaskCut,
  script: string,
  coqFolder: string,
): Promise<Judgement> {
  const finding = textualFinding(cut, script);
  if (finding !== undefined) return { accepted: false, finding, seconds: 0 };
  const result = await compileScript(task, cut, script, coqFolder);
  const { seconds } = result;
  if (result.timedOut) return { accepted: false, finding: 'coqc was too slow', seconds };
  if (result.exitCode !== 0)
    return { accepted: false, finding: result.errorOutput.trim().slice(-400), seconds };
  const axioms = readAssumptions(result.output)?.axioms;
  if (axioms === undefined) return { accepted: false, finding: 'coqc printed no assumptions', seconds };
  const unusual = axioms.filter((axiom) => !STANDARD_AXIOMS.has(lastPart(axiom)));
  if (unusual.length === 0) return { accepted: true, seconds };
  const authors = readAssumptions((await compileScript(task, cut, original, coqFolder)).output)?.axioms;
  const added = unusual.filter((axiom) => authors?.includes(axiom) !== true);
  return added.length === 0
    ? { accepted: true, seconds }
    : { accepted: false, finding: `rests on ${added.join(', ')}`, seconds };
}

/** Always the whole text: the lightened one is good for tries only. */
function compileScript(task: Task, cut: Cut, script: string, coqFolder: string): Promise<CommandResult> {
  return compile(withProof(cut, script, assumptionQuery(task.theorem)), {
    source: task.source,
    loadPath: loadPathOptions(libraryNamed(task.library), coqFolder),
    timeoutSeconds: 300,
  });
}
