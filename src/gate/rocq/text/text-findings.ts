/**
 * What can be said against a submission from its text alone, before anything of it is run. It explains, and keeps commands
 * from being run that a proof does not need. Where it finds nothing, nothing is shown: Rocq may cut and read a text
 * otherwise than Quod does.
 */
import { orNothing } from '../../../core/entry.ts';
import { unterminatedText } from '../../../provers/rocq/syntax/sentences.ts';
import { allowsFlag, OWN_AXIOM, type GatePolicy } from '../../policy.ts';
import type { Finding } from '../../verdict.ts';
import { classify, type CommandClass, goesBack } from './commands.ts';
import type { Script } from './script.ts';

/** What of a target need not be proved. */
export interface MayStayOpen {
  /** Statements, by their names. */
  readonly named: (name: string) => boolean;
  /** Whether there are such statements without a name. */
  readonly nameless: boolean;
}

export function textFindings(
  target: Script,
  submission: Script,
  mayStayOpen: MayStayOpen,
  policy: GatePolicy,
): Finding[] {
  const findings: Finding[] = [];
  const trusted = new Set<string>();
  for (let index = 0; index < target.length; index += 1) trusted.add(target.key(index));
  const tactics = tacticWords(target);
  const assumed = axiomNames(target);
  const inProof = new Set<number>();
  for (const { sentence, body } of submission.outline.statements) {
    for (let index = sentence + 1; index < body.end; index += 1) inProof.add(index);
  }
  const mayAdmit = admittedClosings(submission, mayStayOpen);
  for (const [index, { role }] of submission.outline.sentences.entries()) {
    if (role !== 'command') continue;
    const known = trusted.has(submission.key(index));
    const verdict = classify(
      submission.tokens(index),
      { inProof: inProof.has(index), inSection: submission.isInside(index, 'section') },
      tactics,
    );
    // What the target says itself is trusted, except that an `Admitted` says nothing about which proof it ends.
    if (verdict.kind === 'admitted' && verdict.closesProof ? mayAdmit.has(index) : known) continue;
    // Spelled otherwise it is the target's all the same: that it says the same is compared.
    if (
      verdict.kind === 'axiom' &&
      verdict.names.length > 0 &&
      verdict.names.every((name) => assumed.has(name))
    )
      continue;
    // What a module type asks for is no axiom.
    if (verdict.kind === 'axiom' && submission.isInside(index, 'module-type')) continue;
    if (verdict.kind === 'forbidden' && allowsCommand(policy, verdict.word)) continue;
    if (inProof.has(index) && goesBack(submission.tokens(index))) continue;
    if (verdict.kind === 'checks-disabled' && CHECK_FLAGS.some((flag) => allowsFlag(policy, flag))) continue;
    const against = AGAINST[verdict.kind];
    if (against === undefined) continue;
    const subject =
      (verdict.kind === 'axiom' ? verdict.names[0] : undefined) ?? submission.enclosing(index)?.name;
    findings.push({
      kind: against.kind,
      file: submission.source.path,
      position: submission.positionOf(index),
      ...(subject !== undefined && { subject }),
      message: messageOf(verdict, against.message, subject),
      remedy: remedyOf(verdict, against.remedy, inProof.has(index)),
    });
  }
  const { unterminated } = submission.outline;
  if (unterminated !== undefined) {
    findings.push({
      kind: 'does-not-compile',
      file: submission.source.path,
      position: submission.positionAt(unterminated.span.start),
      message: unterminatedText(unterminated),
      remedy: 'Close it.',
    });
  }
  return findings;
}

function messageOf(command: CommandClass, usual: string, subject: string | undefined): string {
  if (command.kind === 'forbidden') return `It uses ${command.what}.`;
  if (command.kind === 'admitted' && subject !== undefined)
    return `The proof of ${subject} is left with Admitted.`;
  if (command.kind !== 'axiom' || command.names.length === 0) return usual;
  return `It declares ${command.names.join(', ')} without a proof.`;
}

function remedyOf(command: CommandClass, usual: string, inProof: boolean): string {
  if (command.kind !== 'forbidden') return usual;
  const { word } = command;
  if (CONTROL_CHARACTER.test(word)) return 'Take the control character out of the text.';
  if (GOING_BACK.has(word))
    return 'Take it out, and what it takes back. In a proof `Restart`, `Undo` and `Undo` with a number may stand, with no word before them.';
  if (word === 'Redirect')
    return 'Take out the word and the name of the file: what stands behind them prints its answer.';
  const allowed = `Do without it, or have the policy allow ${allowing(command)}.`;
  // What is known to be a command is no tactic that has to be told from one.
  return inProof && !NOT_TACTICS.has(word)
    ? `${allowed} A tactic is known by its qualified name, or behind \`all:\`.`
    : allowed;
}

/** The entry of a policy that allows something, as {@link allowsCommand} takes it. */
function allowing({ what, word }: Extract<CommandClass, { readonly kind: 'forbidden' }>): string {
  const name = JSON.stringify(word);
  if (what.startsWith('the plugin ')) return `it (\`plugins = [${name}]\`)`;
  if (what.startsWith('the option '))
    return `the option, by its name, without \`Set\` and \`Unset\` (\`commands = [${name}]\`)`;
  return `it (\`commands = [${name}]\`)`;
}

const CONTROL_CHARACTER = /\p{Cc}/u;
export const GOING_BACK: ReadonlySet<string> = new Set('Undo Restart Back BackTo Reset'.split(' '));

/** What the target declares without a proof, by the last parts of the names. */
function axiomNames(target: Script): ReadonlySet<string> {
  const names = new Set<string>();
  for (let index = 0; index < target.length; index += 1) {
    const place = { inProof: false, inSection: target.isInside(index, 'section') };
    const command = classify(target.tokens(index), place, NO_TACTICS);
    if (command.kind === 'axiom') for (const name of command.names) names.add(name);
  }
  return names;
}

/** Closing sentences of statements that may stay open. Which nameless ones those are, the compiled objects tell. */
function admittedClosings(submission: Script, mayStayOpen: MayStayOpen): ReadonlySet<number> {
  const named = new Map(submission.statements.map((statement) => [statement.item, statement]));
  const closings = new Set<number>();
  for (const item of submission.outline.statements) {
    const names = named.get(item)?.names;
    const may = names === undefined ? mayStayOpen.nameless : names.every(mayStayOpen.named);
    if (item.closing !== undefined && may) closings.add(item.closing);
  }
  return closings;
}

/** Capitalised names of tactics: those that the target defines, and words that begin sentences inside its proofs. */
export function tacticWords(target: Script): Set<string> {
  const words = new Set<string>();
  const add = (tokens: readonly string[]): void => {
    const { kind } = classify(tokens, { inProof: false, inSection: false }, NO_TACTICS);
    const [word] = tokens;
    if (word !== undefined && kind === 'forbidden' && !NOT_TACTICS.has(word)) words.add(word);
  };
  for (let index = 0; index < target.length; index += 1) {
    const name = definedTactic(target.tokens(index));
    if (name !== undefined) add([name]);
  }
  for (const { item } of target.statements)
    for (let index = item.body.first; index < item.body.end; index += 1) add(target.tokens(index));
  return words;
}

/** The tactic that a sentence defines: `Local Ltac Name`. */
function definedTactic(tokens: readonly string[]): string | undefined {
  const at = /^(Local|Global)$/u.test(orNothing(tokens[0])) ? 1 : 0;
  return tokens[at] === 'Ltac' ? tokens[at + 1] : undefined;
}

const NO_TACTICS: ReadonlySet<string> = new Set();

/** Commands that may stand inside a proof of the target and are not thereby tactics. */
const NOT_TACTICS = new Set(
  (
    'Set Unset Redirect Extraction Recursive Separate Extract Load Cd Pwd Declare Drop Quit Print Register Primitive ' +
    'Module Include Universe Universes Constraint Inspect Debug Test Add Remove Reset Back BackTo Undo Restart Admit ' +
    'Elpi MetaCoq Comments Type Inductive Write Restore Profile Optimize Attributes Number String Numeral Derive'
  ).split(' '),
);

/** Which of them it is shows in the compiled file. */
const CHECK_FLAGS = ['unchecked-guard', 'unchecked-positivity', 'unchecked-universes'] as const;

function allowsCommand({ commands = [], plugins = [] }: GatePolicy, word: string): boolean {
  return commands.includes(word) || plugins.includes(word);
}

const AGAINST: Readonly<
  Record<
    CommandClass['kind'],
    { readonly kind: Finding['kind']; readonly message: string; readonly remedy: string } | undefined
  >
> = {
  tactic: undefined,
  command: undefined,
  'plain-declaration': undefined,
  axiom: {
    kind: 'new-axiom',
    message: 'It declares something without a proof.',
    remedy: `Prove it, or state it as a premise of a lemma of your own. ${OWN_AXIOM}`,
  },
  admitted: {
    kind: 'admitted',
    message: 'The proof is left with Admitted.',
    remedy:
      'Prove it to the end. The text alone was looked at: `proof_check` lists all errors and holes of a file.',
  },
  'checks-disabled': {
    kind: 'checks-disabled',
    message: 'It switches a kernel check off.',
    remedy: 'Leave the guard, positivity and universe checks on.',
  },
  forbidden: { kind: 'forbidden-command', message: '', remedy: '' },
};
