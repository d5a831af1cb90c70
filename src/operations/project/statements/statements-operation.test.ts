/** What is still open under a theorem, across files and through definitions. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { operations } from '../../catalogue.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({
    _CoqProject: '-Q . P\nbase.v\nuser.v\n',
    'base.v': `Lemma hole : True. Admitted.
Definition through := hole.
Lemma fine : True. Proof. exact I. Qed.
(* Lemma commented : hole. *)
Axiom assumed : False.
`,
    'user.v': `From P Require Import base.
Theorem direct : True. Proof. exact hole. Qed.
Theorem indirect : True. Proof. exact through. Qed.
Theorem clean : True. Proof. exact fine. Qed.
Theorem shadowed : True. Proof. exact I. Qed.
Theorem bad : 0 = 1. Proof. destruct assumed. Qed.
`,
  });
});
afterAll(() => caller.close());

const restsOf = async (words: string, paths?: string[]) => {
  const { statements } = await operations.proof_statements.call(
    { words, ...(paths && { paths }) },
    caller.context(),
  );
  return Object.fromEntries(statements.map(({ name, rests_on_open }) => [name, rests_on_open]));
};

it('is told through definitions and across files, and nothing is told of what is clean', async () => {
  expect(await restsOf('')).toEqual({
    hole: [],
    through: ['base.v:hole'],
    fine: [],
    assumed: [],
    direct: ['base.v:hole'],
    indirect: ['base.v:hole'],
    clean: [],
    shadowed: [],
    bad: [],
  });
  // The file alone rests on no less.
  expect(await restsOf('', ['user.v'])).toMatchObject({
    direct: ['base.v:hole'],
    indirect: ['base.v:hole'],
    clean: [],
  });
});

it('tells the lines from its first word to the end of its proof', async () => {
  const text = 'Lemma one\n  : True.\nProof.\n  exact I.\nQed.\nCheck one.\nDefinition two := 2.\n';
  await caller.write('lines.v', text);
  onTestFinished(async () => {
    await caller.write('lines.v', '');
  });
  const { statements } = await operations.proof_statements.call({ paths: ['lines.v'] }, caller.context());
  expect(statements.map(({ name, line, end_line }) => [name, line, end_line])).toEqual([
    ['one', 1, 5],
    ['two', 7, 7],
  ]);
});

it('tells what is assumed under it apart from what is open, through what is open, too, and of files that were not asked for', async () => {
  const text = `From P Require Import base.
Theorem both : False. Proof. destruct hole. exact assumed. Qed.
Lemma begun : False. Proof. exact assumed. Admitted.
Theorem under_begun : False. Proof. exact begun. Qed.
`;
  await caller.write('both.v', text);
  onTestFinished(async () => {
    await caller.write('both.v', '');
  });
  const told = async (paths: string[]) => {
    const { statements } = await operations.proof_statements.call({ paths }, caller.context());
    return statements
      .filter(({ file }) => file === 'both.v')
      .map(({ name, rests_on_open, rests_on_assumed }) => [name, rests_on_open, rests_on_assumed]);
  };
  expect(await told(['.'])).toEqual([
    ['both', ['base.v:hole'], ['base.v:assumed']],
    ['begun', [], ['base.v:assumed']],
    ['under_begun', ['both.v:begun'], ['base.v:assumed']],
  ]);
  const answer = await operations.proof_statements.answer({ words: 'both' }, caller.context());
  expect(answer.text()).toContain('both.v:2: proved, as far as its text tells; ');
  expect(answer.text()).toMatch(/now, rests on base\.v:hole, assumes base\.v:assumed\n/u);
  await caller.write('_CoqProject', '-Q . P\nbase.v\nuser.v\nboth.v\n');
  await caller.call('proof_build', { paths: ['both.v'] });
  expect(await told(['both.v'])).toEqual([
    ['both', ['base.v:hole'], ['base.v:assumed']],
    ['begun', [], []],
    ['under_begun', ['both.v:begun'], []],
  ]);
});

it('is searched by words of names and statements, with how many there are in all', async () => {
  const context = caller.context();
  const answer = await operations.proof_statements.call({ words: '"0 = 1" bad' }, context);
  expect(answer.statements.map(({ name, line, file }) => [name, line, file])).toEqual([['bad', 6, 'user.v']]);
  const open = await operations.proof_statements.call({ open_only: true, limit: 2 }, context);
  expect([open.statements.length, open.total]).toEqual([2, 4]);
});

it('has every name that a sentence assumes, also outside of sections and in module types', async () => {
  await caller.write(
    'assumes.v',
    `Axioms first second : 0 = 1.
Variable free : 0 = 1.
Context (given : 0 = 1).
Section S.
  Hypotheses (local other : 0 = 1).
End S.
Module Type T. Parameters a b : nat. Axiom ab : a = b. End T.
Declare Module M : T.
Lemma by_second : 0 = 1. Proof. exact second. Qed.
Lemma by_given : 0 = 1. Proof. exact given. Qed.
Lemma by_module : M.a = M.b. Proof. exact M.ab. Qed.
`,
  );
  const { statements } = await operations.proof_statements.call({ paths: ['assumes.v'] }, caller.context());
  expect(statements.map(({ name, state }) => `${name} ${state}`)).toEqual([
    ...['first assumed', 'second assumed', 'free assumed', 'given assumed', 'local defined', 'other defined'],
    ...['a assumed', 'b assumed', 'ab assumed', 'M assumed'],
    ...['by_second proved', 'by_given proved', 'by_module proved'],
  ]);
  const rests = Object.fromEntries(statements.map(({ name, rests_on_assumed }) => [name, rests_on_assumed]));
  expect(rests).toMatchObject({ by_second: ['assumes.v:second'], by_given: ['assumes.v:given'] });
  expect(rests['by_module']).toContain('assumes.v:ab');
  await caller.write('assumes.v', '');
});

it.each([
  [
    'doubleScript.sml',
    'Theory double\nDefinition double_def:\n  double n = n + n\nEnd\n\nTheorem one:\n  double 1 = 2\nProof\n  cheat\nQED\n\nTheorem two:\n  double 2 = 4\nProof\n  simp[one, double_def]\nQED\n',
    ['double_def 2 defined', 'one 6 open', 'two 12 proved doubleScript.sml:one'],
  ],
  [
    'Double.fst',
    'module Double\nlet double (n: nat) = n + n\n\n(* let no = 1 *)\nlet one () : Lemma (double 1 == 2) = admit ()\nlet two () : Lemma (double 2 == 4) = one ()\n',
    ['double 2 defined', 'one 5 open', 'two 6 defined Double.fst:one'],
  ],
  [
    'Double.lean',
    'def double (n : Nat) := n + n\n\n-- theorem no : False\ntheorem one : double 1 = 2 := by\n  sorry\ntheorem two : double 2 = 4 := by\n  have := one; rfl\nexample : True := sorry\n',
    ['double 1 defined', 'one 4 open', 'two 6 proved Double.lean:one', 'example 8 open'],
  ],
])('of other provers than Rocq it lists what is declared: %s', async (file, text, expected) => {
  await caller.write(file, text);
  const { statements } = await operations.proof_statements.call({ paths: [file] }, caller.context());
  expect(
    statements.map(({ name, line, state, rests_on_open }) => [name, line, state, ...rests_on_open].join(' ')),
  ).toEqual(expected);
});

/** As `name state, what it rests on`. */
async function statedOf(text: string): Promise<string[]> {
  await caller.write('one.v', text);
  const { statements } = await operations.proof_statements.call({ paths: ['one.v'] }, caller.context());
  await caller.write('one.v', '');
  return statements.map(({ name, state, hole, rests_on_open, rests_on_assumed }) =>
    [name, state, ...(hole === null ? [] : [`(${hole})`]), ...rests_on_open, ...rests_on_assumed].join(' '),
  );
}

it.each([' ', '\n', '\r', '\r\n'])(
  'relates by places, and not by lines: between sentences %j',
  async (end) => {
    const sentences = [
      ...['Lemma x : False.', 'Admitted.', 'Lemma bad : False.', 'Proof.', 'exact x.', 'Qed.'],
      ...['Axiom bb : False.', 'Definition t2 := bb.'],
    ];
    expect(await statedOf(sentences.join(end) + end)).toEqual([
      ...['x open (admitted)', 'bad proved one.v:x', 'bb assumed', 't2 defined one.v:bb'],
    ]);
  },
);

it('sees what a proof assumes in itself, and each name of statements and definitions by one another', async () => {
  expect(
    await statedOf(`Theorem t : False. Proof. Axiom q : False. exact q. Qed.
Lemma a : False with b : False. Admitted.
Fixpoint f (n : nat) : nat := match n with O => 0 | S m => g m end
with g (n : nat) : nat := match b with end.
Lemma by_g : g 0 = 0. Proof. reflexivity. Qed.
`),
  ).toEqual([
    ...['t proved one.v:q', 'q assumed', 'a open (admitted)', 'b open (admitted)'],
    ...['f defined one.v:b', 'g defined one.v:b', 'by_g proved one.v:b'],
  ]);
});

it.each([
  ['Program Definition s : nat := 0.', 'Admit Obligations.', true],
  ['#[program] Definition s : nat := 0.', 'Next Obligation. Admitted.', true],
  ['Set Program Mode. Definition s : nat := 0.', 'Obligation 1 of s. Proof. admit. Admitted.', true],
  ['Equations s (n : nat) : nat by wf n lt := s n := 0.', 'Admit Obligations of s.', true],
  ['Program Instance s : C := {}.', 'Final Obligation. Admitted.', true],
  ['Program Lemma s : C. Proof. exact I. Qed.', 'Admit Obligations.', true],
  ['Program Definition s : nat := 0.', 'Next Obligation. exact I. Qed.', false],
  ['Program Definition s : nat := 0. Program Definition r : nat := 0.', 'Admit Obligations of r.', false],
  ['Definition s : nat := 0. Program Definition r : nat := 0.', 'Next Obligation. Admitted.', false],
])('a definition whose obligations are left open is open: %s %s', async (definition, obligations, isOpen) => {
  const listed = await statedOf(
    `${definition}\n${obligations}\nLemma bad : False. Proof. destruct s. Qed.\n`,
  );
  expect(listed.some((one) => one === 's open (obligations)')).toBe(isOpen);
  expect(listed.includes('bad proved one.v:s')).toBe(isOpen);
});

it.each([
  'Ltac go := exact x.',
  'Ltac go y := exact y; exact x.\nLtac of := go.\nLtac go ::= exact x.',
  'Ltac2 mutable rec go () := exact x.',
  'Tactic Notation (at level 3) "go" := exact x.',
  'Ltac other := go; auto with core with go y := exact x.',
  'Coercion go := x : A >-> B.\nCoercion go : A >-> B.',
  'Notation go := x.',
  'Local Notation go := x (only parsing).',
])('what a tactic or an abbreviation uses is used by the proofs that name it: %s', async (definition) => {
  const listed = await statedOf(
    `Lemma x : False. Admitted.\n${definition}\nLemma bad : False. Proof. go. Qed.\n`,
  );
  expect(listed.at(-1)).toBe('bad proved one.v:x');
});

it('lists of tactics and coercions what they define', async () => {
  expect(
    await statedOf(
      'Ltac a := lazymatch goal with H := _ |- _ => auto with core end with go y := idtac.\nCoercion c := f : A >-> B.\nCoercion f : A >-> B.\n',
    ),
  ).toEqual(['a defined', 'go defined', 'c defined']);
});

it('says of what is proved by its text alone that its file is not compiled as it is now', async () => {
  const alone = await openCaller({
    ...{ _CoqProject: '-Q . P\n', 'good.v': 'Theorem good : True. Proof. exact I. Qed.\n' },
    ...{ 'bad.v': 'Theorem bad : 0 = 1. Proof. reflexivity. Qed.\n', 'no name.v': 'Definition n := 0.\n' },
    'one.lean': 'theorem one : True := trivial\n',
  });
  try {
    await alone.call('proof_build', { paths: ['good.v', 'bad.v'] });
    const { statements } = await operations.proof_statements.call({}, alone.context());
    expect(statements.map(({ name, state, compiled }) => [name, state, compiled])).toEqual([
      ...[
        ['bad', 'proved', 'no'],
        ['good', 'proved', 'yes'],
      ],
      ...[
        ['n', 'defined', 'no-module-name'],
        ['one', 'proved', null],
      ],
    ]);
    const text = (await operations.proof_statements.answer({}, alone.context())).text();
    expect(text).toContain(
      'bad.v:1: proved, as far as its text tells; the file is not compiled as it is now\n',
    );
    expect(text).toContain('good.v:1: proved\n');
    expect(text).toMatch(
      /4 statements, read from the texts and compiled files; of 2 files no compiled one stands for the text.*: bad\.v, no name\.v$/u,
    );
    await alone.write('good.v', 'Theorem good : False. Proof. exact I. Qed.\n');
    const changed = await operations.proof_statements.call({ words: 'good' }, alone.context());
    expect(changed.statements[0]?.compiled).toBe('no');
  } finally {
    await alone.close();
  }
});

it('what shows as a hole and is finished is one in a text, and none in a compiled file', async () => {
  const proof = 'Lemma h : True. Proof. first [exact I | admit]. Qed.\nLemma open : True. Admitted.\n';
  const alone = await openCaller({ _CoqProject: '-Q . P\n', 'own.v': proof });
  onTestFinished(() => alone.close());
  const found = async () => {
    const { statements } = await operations.proof_statements.call({}, alone.context());
    const { files } = await operations.proof_status.call({}, alone.context());
    return [statements.map(({ state, hole }) => `${state} ${hole}`), files.map(({ holes }) => holes)];
  };
  expect(await found()).toEqual([['open admit', 'open admitted'], [['h', 'open']]]);
  await alone.call('proof_build', { paths: ['own.v'] });
  expect(await found()).toEqual([['proved null', 'open admitted'], [['open']]]);
});

it('a file of a folder that cannot be read is named, and takes nothing from the others', async () => {
  const alone = await openCaller({
    'good.v': 'Require Import large.\nLemma good : True. Proof. exact I. Qed.\n',
    'large.v': `(* ${'x'.repeat(11 * 2 ** 20)} *)\n`,
  });
  onTestFinished(() => alone.close());
  const unread = [{ file: 'large.v', why: expect.stringContaining('more than 10 MiB') as string }];
  const stated = await operations.proof_statements.call({}, alone.context());
  expect([stated.statements.map(({ name }) => name), stated.unread]).toEqual([['good'], unread]);
  const status = await operations.proof_status.answer({}, alone.context());
  expect(status.value).toMatchObject({ files: [{ file: 'good.v' }], unread });
  expect(status.text()).toContain('large.v was not read: The file has more than 10 MiB');
});
