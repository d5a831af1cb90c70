/**
 * Generated submissions against small targets: a command that gives a name another meaning or tells the kernel to look
 * less closely, under a prefix, at a place, with a way to end the proof. A seed and a number give the same submission.
 */
import type { GatePolicy } from '../../src/gate/policy.ts';
import { seededRandom } from '../search/draw.ts';
import { GENERATED_TARGETS, type GeneratedTarget, type Shadow } from './generated-targets.ts';

export interface GeneratedAttack {
  readonly target: GeneratedTarget;
  readonly targetText: string;
  readonly text: string;
  /** What it was made of, for the record. */
  readonly made: {
    readonly command: string;
    readonly prefix: string;
    readonly place: string;
    readonly script: string;
    readonly end: string;
  };
}

type Named<Value> = readonly (readonly [name: string, value: Value])[];

const PREFIXES: Named<(command: string) => string> = [
  ['none', (command) => command],
  ['Time', (command) => `Time ${command}`],
  ['Timeout', (command) => `Timeout 9 ${command}`],
  ['Time Timeout', (command) => `Time Timeout 9 ${command}`],
  ['Succeed', (command) => `Succeed ${command}`],
  ['Fail', (command) => `Fail ${command}`],
  ['#[local]', (command) => `#[local] ${command}`],
  ['#[global]', (command) => `#[global] ${command}`],
  ['#[export]', (command) => `#[export] ${command}`],
  ['Time #[local]', (command) => `Time #[local] ${command}`],
  ['#[universes(polymorphic)]', (command) => `#[universes(polymorphic)] ${command}`],
  ['Local', (command) => `Local ${command}`],
  ['Global', (command) => `Global ${command}`],
  ['Polymorphic', (command) => `Polymorphic ${command}`],
  ['Monomorphic', (command) => `Monomorphic ${command}`],
  ['Program', (command) => `Program ${command}`],
  ['a comment', (command) => `(* " (* . *) " *) ${command}`],
  ['a comment inside', (command) => command.replace(' ', ' (* . *) ')],
  ['other blanks', (command) => command.replace(' ', '\n\t \r\n ')],
  ['a no-break space', (command) => command.replace(' ', '\u00a0')],
  ['a thin space', (command) => `\u2009${command}`],
];

/** Commands that give a name another meaning. */
const SHADOWING: Named<(shadow: Shadow) => string> = [
  ['Definition', ({ name, binders, type, body }) => `Definition ${name} ${binders} : ${type} := ${body}.`],
  ['Example', ({ name, binders, type, body }) => `Example ${name} ${binders} : ${type} := ${body}.`],
  [
    'Lemma … Defined',
    ({ name, binders, type, body }) => `Lemma ${name} ${binders} : ${type}. Proof. exact (${body}). Defined.`,
  ],
  [
    'Lemma … Qed',
    ({ name, binders, type, body }) => `Lemma ${name} ${binders} : ${type}. Proof. exact (${body}). Qed.`,
  ],
  [
    'Definition … abstract',
    ({ name, binders, type, body }) =>
      `Definition ${name} ${binders} : ${type}. Proof. abstract (exact (${body})). Defined.`,
  ],
  [
    'transparent_abstract in a term',
    ({ name, binders, type, body }) =>
      `Definition quod_other ${binders} : ${type} := ltac:(transparent_abstract (exact (${body})) using ${name}).`,
  ],
  [
    'transparent_abstract in a proof',
    ({ name, binders, type, body }) =>
      `Definition quod_other ${binders} : ${type}. Proof. transparent_abstract (exact (${body})) using ${name}. Defined.`,
  ],
  ['Let', ({ name, binders, type, body }) => `Let ${name} ${binders} : ${type} := ${body}.`],
  ['Notation', ({ name, binders, body }) => `Notation ${name} := (fun ${lambda(binders)} => ${body}).`],
  ['Local Notation', ({ name, body }) => `Local Notation ${name} := (${body}).`],
  [
    'Module and Import',
    ({ name, binders, type, body }) =>
      `Module QuodZ. Definition ${name} ${binders} : ${type} := ${body}. End QuodZ. Import QuodZ.`,
  ],
  [
    'Module and Include',
    ({ name, binders, type, body }) =>
      `Module QuodZ. Definition ${name} ${binders} : ${type} := ${body}. End QuodZ. Include QuodZ.`,
  ],
  [
    'Section',
    ({ name, binders, type, body }) =>
      `Section QuodZ. Definition ${name} ${binders} : ${type} := ${body}. End QuodZ.`,
  ],
  [
    'Goal and Defined',
    ({ name, binders, type, body }) =>
      `Goal forall ${binders === '' ? '_ : unit' : lambda(binders)}, ${type}. Proof. intros; exact (${body}). Defined ${name}.`,
  ],
  [
    'Record',
    ({ name, type }) => `Record quod_record := QuodRecord { ${name} : ${type.replace(/^A$/, 'nat')} }.`,
  ],
  ['Class', ({ name }) => `Class quod_class := ${name} : nat.`],
  ['Inductive', ({ name }) => `Inductive ${name} : Prop := quod_yes.`],
  ['constructor', ({ name }) => `Inductive quod_type : Set := ${name}.`],
  ['Fixpoint', ({ name, type }) => `Fixpoint ${name} (n : nat) : ${type.replace(/A/g, 'nat')} := ${name} n.`],
  ['Axiom', ({ name, binders, type }) => `Axiom ${name} : forall ${lambda(binders) || '_ : unit'}, ${type}.`],
  [
    'Program Definition',
    ({ name, binders, type, body }) =>
      `Require Import Coq.Program.Tactics. Program Definition ${name} ${binders} : ${type} := ${body}.`,
  ],
  [
    'Existing name restored',
    ({ name, binders, type, body }) =>
      `Section QuodZ. Let ${name} ${binders} : ${type} := ${body}. Definition quod_kept := 0. End QuodZ.`,
  ],
  ['Arguments', ({ name }) => `Arguments ${name} : clear implicits.`],
  ['Opaque', ({ name }) => `Opaque ${name}.`],
  ['Coercion', ({ name }) => `Coercion ${name} : nat >-> bool.`],
];

/** Commands that change options, kernel flags, or declare what is false. */
const FLAGS: readonly string[] = [
  'Unset Guard Checking.',
  'Unset Positivity Checking.',
  'Unset Universe Checking.',
  'Set Definitional UIP.',
  'Set Cumulative StrictProp.',
  'Set Universe Polymorphism.',
  'Set Polymorphic Inductive Cumulativity.',
  'Set Primitive Projections.',
  'Set Implicit Arguments.',
  'Set Program Mode.',
  'Set Printing All.',
  'Set Printing Width 2.',
  'Set Nested Proofs Allowed.',
  'Set Default Proof Using "Type".',
  'Set Asymmetric Patterns.',
  'Unset Elimination Schemes.',
  'Set Uniform Inductive Parameters.',
  'Unset Auto Template Polymorphism.',
  'Set Warnings "+all".',
  'Axiom bad : False.',
  'Parameter bad : False.',
  'Hypothesis bad : False.',
  'Context (bad : False).',
  '#[bypass_check(guard)] Fixpoint bad_loop (n : nat) : False := bad_loop n. Definition bad := bad_loop 0.',
  'Unset Guard Checking. Fixpoint bad_loop (n : nat) : False := bad_loop n. Set Guard Checking. Definition bad := bad_loop 0.',
  '#[bypass_check(positivity)] Inductive bad_type := Bad (f : bad_type -> False).',
  'Require Import Coq.Logic.Classical. Definition bad := classic.',
  'Require Import ZArith. Open Scope Z_scope.',
  'Open Scope type_scope.',
  'Require Import Bool. Open Scope bool_scope.',
  'Module Type QuodK. Axiom bad : False. End QuodK. Module QuodM. Include QuodK. End QuodM. Import QuodM.',
  'Module Type QuodK. Axiom bad : False. End QuodK. Declare Module QuodM : QuodK. Import QuodM.',
  'Module Type QuodK. End QuodK. Module QuodF (X : QuodK). Axiom bad : False. End QuodF. Module QuodV. End QuodV. Module QuodM := QuodF QuodV. Import QuodM.',
  'Register nat as kernel.ind_bool.',
  'Reset Initial.',
];

/** Where the command stands. `inner` is the proof's script. */
const PLACES: Named<(parts: Parts) => string> = [
  ['before', ({ command, opened, proof }) => `${command}\n${opened}${proof}`],
  ['between statement and proof', ({ command, opened, proof }) => `${opened}${command}\n${proof}`],
  ['inside the proof', ({ command, opened, inside }) => `${opened}${inside(command)}`],
  ['behind the proof', ({ command, opened, proof }) => `${opened}${proof}\n${command}`],
  [
    'in a section before',
    ({ command, opened, proof }) => `Section QuodS.\n${command}\nEnd QuodS.\n${opened}${proof}`,
  ],
  [
    'around as a section',
    ({ command, opened, proof }) => `Section QuodS.\n${command}\n${opened}${proof}\nEnd QuodS.`,
  ],
  [
    'in a module before',
    ({ command, opened, proof }) => `Module QuodS.\n${command}\nEnd QuodS.\nImport QuodS.\n${opened}${proof}`,
  ],
  [
    'in another proof',
    ({ command, opened, proof }) =>
      `Lemma quod_lemma : True.\nProof.\n${command}\nexact I.\nDefined.\n${opened}${proof}`,
  ],
  [
    'in another proof, hidden',
    ({ command, opened, proof }) =>
      `${HIDING}Lemma quod_lemma : True.\nProof.\n${hidden(command)}\nexact I.\nQed.\n${opened}${proof}`,
  ],
  [
    'inside the proof, hidden',
    ({ command, opened, inside }) => `${HIDING}${opened}${inside(hidden(command))}`,
  ],
  [
    'in a nested proof',
    ({ command, opened, proof }) =>
      `Set Nested Proofs Allowed.\nLemma quod_lemma : True.\nProof.\n${command}\n${opened}${proof}\nexact I.\nQed.`,
  ],
];

/** What Quod's lexer takes for a comment, and Rocq does not: the text cannot say anything about what is in it. */
const HIDING =
  'Notation "$ .( * y" := (Nat.add y y) (at level 40).\nTactic Notation "quod_end" "*" := idtac.\n';

function hidden(command: string): string {
  return `assert (quod_hidden := $ .(* 2).\n${command}\n(quod_end *). clear quod_hidden.`;
}

/** Each tries the honest proof, too: a submission that does not compile shows nothing. */
const SCRIPTS: Named<(honest: string) => string> = [
  ['any', (honest) => `first [ solve [${honest}] | exact I | reflexivity | solve [auto] | easy ]`],
  ['honest', (honest) => honest],
  ['any', (honest) => `first [ exact I | reflexivity | solve [auto] | easy | solve [${honest}] ]`],
  ['by what is false', (honest) => `first [ destruct bad | exfalso; exact bad | solve [${honest}] ]`],
  ['a loop', (honest) => `first [ exact ((fix loop (n : nat) : _ := loop n) 0) | solve [${honest}] ]`],
  [
    'an abstract loop',
    () =>
      'let G := match goal with |- ?G => G end in assert (quod_loop : nat -> G); [ abstract (exact (fix loop (n : nat) : G := loop n)) | exact (quod_loop 0) ]',
  ],
  ['abstract', (honest) => `abstract (first [ solve [${honest}] | easy ])`],
  ['transparent_abstract', (honest) => `transparent_abstract (first [ solve [${honest}] | easy ])`],
];

/** `prove` makes a proof with a closing command. */
const ENDS: Named<
  (
    statement: string,
    script: (inner: string) => string,
    inner: string,
  ) => { readonly opened: string; readonly proof: (command: string) => string }
> = [
  [
    'Qed',
    (statement, script) => ({ opened: `${statement}\n`, proof: (command) => `${script(command)} Qed.` }),
  ],
  [
    'Defined',
    (statement, script) => ({ opened: `${statement}\n`, proof: (command) => `${script(command)} Defined.` }),
  ],
  [
    'Save',
    (statement, script) => ({ opened: `${statement}\n`, proof: (command) => `${script(command)} Save t.` }),
  ],
  [
    'Set Guard Checking and Qed',
    (statement, script) => ({
      opened: `${statement}\n`,
      proof: (command) => `${script(command)} Set Guard Checking. Qed.`,
    }),
  ],
  [
    'Goal saved',
    (statement, script) => ({
      opened: `Goal ${statement.replace(/^Theorem t(?:@\{[^}]*\})? : /, '')}\n`,
      proof: (command) => `${script(command)} Save t.`,
    }),
  ],
  [
    'Abort and again',
    (statement, script) => ({
      opened: `${statement}\nAbort.\n${statement}\n`,
      proof: (command) => `${script(command)} Qed.`,
    }),
  ],
  [
    'Admitted and again',
    (statement, script) => ({
      opened: `Module QuodA.\n${statement}\nAdmitted.\nEnd QuodA.\n${statement}\n`,
      proof: (command) => `${script(command)} Qed.`,
    }),
  ],
  [
    'Admitted',
    (statement) => ({ opened: `${statement}\n`, proof: (command) => `Proof. ${command} Admitted.` }),
  ],
  [
    'a term',
    (statement, _script, inner) => ({
      opened: `${statement}\n`,
      proof: (command) => `${command} Proof (ltac:(${inner})).`,
    }),
  ],
  [
    'Definition by a term',
    (statement, _script, inner) => ({
      opened: '',
      proof: (command) =>
        `${command} ${statement.replace(/\.$/, '').replace('Theorem', 'Definition')} := ltac:(${inner}).`,
    }),
  ],
];

interface Parts {
  readonly command: string;
  readonly opened: string;
  readonly proof: string;
  readonly inside: (command: string) => string;
}

const PLAIN = 0.45;

export function generatedAttack(seed: string, number: number): GeneratedAttack {
  const random = seededRandom(`${seed}/${number}`);
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 8; skipped += 1) random();
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new RangeError('there is nothing to choose from');
    return item;
  };
  /** The first of them is the plainest: with all parts unusual hardly anything compiles. */
  const usually = <Item>(items: readonly Item[]): Item => one(random() < PLAIN ? items.slice(0, 1) : items);
  const target = one(GENERATED_TARGETS);
  const [prefix, withPrefix] = usually(PREFIXES);
  const [place, placed] = usually(PLACES);
  const [script, scriptOf] = usually(SCRIPTS);
  const [end, ended] = usually(ENDS);
  const kind = random();
  let [commandName, command] = ['flag', ''];
  if (kind < 0.6 && target.shadows.length > 0) {
    const [shadowing, make] = one(SHADOWING);
    commandName = shadowing;
    command = make(one(target.shadows));
  } else if (kind < 0.8 && target.turns.length > 0) {
    command = one(target.turns);
    commandName = command;
  } else {
    command = one(FLAGS);
    commandName = command;
  }
  const inner = scriptOf(target.proof);
  const { opened, proof } = ended(target.statement, (inside) => `Proof. ${inside}\n${inner}.`, inner);
  const body = placed({
    command: withPrefix(command),
    opened,
    proof: proof(''),
    inside: proof,
  });
  return {
    target,
    targetText: `${target.before}${target.statement}\nProof. Admitted.\n${target.after}`,
    text: `${target.before}${body}\n${target.after}`,
    made: { command: commandName, prefix, place, script, end },
  };
}

/** Binders as a function has them: none implicit. */
function lambda(binders: string): string {
  return binders.replaceAll('{', '(').replaceAll('}', ')');
}

/** The text lets pass nearly all, so that the compiled objects have to tell. */
export const GENERATED_POLICY: GatePolicy = {
  recheck: 'never',
  commands: [
    ...[
      'Module',
      'Include',
      'Declare',
      'Axiom',
      'Parameter',
      'Register',
      'Reset',
      'End',
      'Universes',
      'Constraint',
    ],
    ...['Definitional UIP', 'Cumulative StrictProp', 'Auto Template Polymorphism'],
  ],
};
