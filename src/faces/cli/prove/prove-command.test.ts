/** `quod prove` as a user runs it, with the Rocq of the machine. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod, startQuod } from '../testing/run-quod.ts';
import type { StartedQuod } from '../testing/run-quod.ts';

const hasNativeRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

const EASY = `Lemma add_zero (n : nat) : n + 0 = n.
Proof.
Admitted.

Lemma and_swap (P Q : Prop) : P /\\ Q -> Q /\\ P.
Proof.
  admit.
Admitted.
`;
const FALSE = `
Lemma impossible (n : nat) : n = S n.
Proof.
Admitted.
`;
/** Nothing says that it is false, and nothing else that it is true. */
const ASSUMED = `
Parameter p : nat -> Prop.
Lemma all_p (n : nat) : p n.
Proof.
Admitted.
`;
/** True, so that nothing refutes it, and far beyond the search. */
const HARD = `
Lemma hard (a b c : nat) : S a * S a * S a + S b * S b * S b <> c * c * c.
Proof.
Admitted.
`;

// Vitest types these as `any`.
const aNumber: unknown = expect.any(Number);
const aString: unknown = expect.any(String);
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-prove-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const prove = (...commandLine: string[]) => runQuod(['prove', ...commandLine], folder);

function compile(name: string): void {
  execFileSync('coqc', [name], { cwd: folder, stdio: 'pipe' });
}

async function printed(
  run: StartedQuod,
  text: RegExp,
  stream: 'stdout' | 'stderr' = 'stderr',
): Promise<void> {
  let output = '';
  await new Promise<void>((resolve) => {
    run.child[stream]?.on('data', (chunk: string) => {
      output += chunk;
      if (text.test(output)) resolve();
    });
    run.child.on('close', resolve);
  });
}

async function expectNoSurvivors(run: StartedQuod): Promise<void> {
  for (let tries = 0; tries < 100 && run.survivors().length > 0; tries += 1) await delay(100);
  expect(run.survivors()).toEqual([]);
}

describe.skipIf(!hasNativeRocq)('quod prove', () => {
  test('prints statements and proofs that Rocq accepts, and leaves the file alone', async () => {
    write('easy.v', EASY);
    const run = await prove('easy.v');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(read('easy.v')).toBe(EASY);
    write('printed.v', run.stdout);
    compile('printed.v');
    expect(run.stdout).toMatch(/^Lemma add_zero [^]*Qed\.\n\nLemma and_swap [^]*Qed\.\n$/);
    expect(run.stderr).toMatch(/2 of 2 proved/);
    // The holes behind a proof are told of by themselves.
    expect(run.stderr).not.toContain('warning');
  });

  test('leaves a finished proof alone in which something is named as what gives up', async () => {
    const finished = 'Lemma h : True.\nProof. first [exact I | admit]. Qed.\n';
    write('finished.v', finished);
    const run = await prove('--write', 'finished.v');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(read('finished.v')).toBe(finished);
    expect(run.stderr).toContain('no holes');
  });

  test('exits with 1 when one is not proved, and still prints the others', async () => {
    write('some.v', EASY + HARD);
    const run = await prove('some.v', '--nodes', '30');
    expect(run.exitCode, run.stderr).toBe(1);
    expect(run.stdout).toContain('Lemma and_swap');
    expect(run.stdout).not.toContain('hard');
    expect(run.stderr).toMatch(
      /may be with a lemma before it that says what it rests on, with more time \(`--budget`, .*`quod agent [^`]*\.v`\)\.$/mu,
    );
    expect(run.stderr).toMatch(/✗ hard \(some\.v:10\).*\[(budget|search)-exhausted\]/);
  });

  test('says what a proof rests on that is no axiom and was not checked', async () => {
    const unguarded = `Unset Guard Checking.
Fixpoint f (n : nat) : False := f n.
Set Guard Checking.
#[export] Hint Extern 1 => (destruct (f 0)) : core.
Lemma x : forall A : Prop, A \\/ ~ A.
Proof.
Admitted.
`;
    const rests = /; rests on what was not checked: unguarded\.f is assumed to be guarded$/mu;
    write('unguarded.v', unguarded);
    const run = await prove('unguarded.v');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toMatch(rests);
    const filled = await runQuod(['rocq', 'fill', 'unguarded.v', 'x', 'auto.', '--dry-run'], folder);
    expect(filled.stdout).toMatch(
      /It rests on what was not checked: unguarded\.f is assumed to be guarded\.$/mu,
    );
    const agent = await runQuod(['agent', 'unguarded.v'], folder);
    expect(agent.stderr).toMatch(
      /^x: rests on what was not checked: unguarded\.f is assumed to be guarded$/mu,
    );
  });

  test('--theorem asks for those only', async () => {
    write('some.v', EASY + FALSE);
    const run = await prove('some.v', '--theorem', 'and_swap');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^Lemma and_swap/);
  });

  test('a name means what is open: a finished proof is left as it is and told', async () => {
    const text = [
      'Module N. Theorem t : 2 = 2. Proof. (* keep *) reflexivity. Qed. Definition d : nat. exact 5. Defined. End N.',
      'Theorem t : 1 = 1. Admitted.',
      'Module A. Theorem d : True. Admitted. Theorem u : True. Admitted. End A.',
      'Module B. Theorem u : True. Admitted. Theorem w : True. Proof. first [exact I | admit]. Qed. End B.\n',
    ].join('\n');
    write('names.v', text);
    for (const name of ['N.t', 'N.d', 'w']) {
      const run = await prove('names.v', '--write', '--theorem', name);
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.stderr).toContain(`names.v: ${name} has a finished proof already, which is left as it is; `);
      expect(run.stderr).not.toMatch(/no holes|\d of \d proved/u);
      expect(read('names.v')).toBe(text);
    }
    const asJson = await prove('names.v', '--json', '--theorem', 'N.t', 'w');
    expect(asJson.exitCode).toBe(0);
    const lines = asJson.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const left = {
      outcome: 'finished',
      proof: null,
      nodes: 0,
      message: matching(/^It has a finished proof/u),
    };
    const file = { prover: 'rocq', file: 'names.v', file_hash: matching(/^[\da-f]{64}$/u) };
    const unasked = { ...file, version: null, backend: null, stale: null };
    const asked = { ...file, version: matching(/^\d/u), backend: matching(/./u), stale: [] };
    expect(lines).toEqual([
      expect.objectContaining({
        ...{ ...left, theorem: 'N.t', line: 1, statement: 'Theorem t : 2 = 2.' },
        rests_on: unasked,
      }),
      expect.objectContaining({ ...left, theorem: 'w', line: 4, rests_on: asked }),
    ]);
    const several = await prove('names.v', '--write', '--theorem', 'u');
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toContain('The file states several theorems u. Say which: A.u, B.u.');
    const wrong = await prove('names.v', '--theorem', 'C.u');
    expect(wrong.stderr).toMatch(/no theorem C\.u in this file\. Did you mean (?:A\.u|B\.u)/u);
    const run = await prove('.', '--write', '--theorem', 't', 'd', 'B.u', 'N.t');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/3 of 3 proved/u);
    const written = read('names.v').split('\n');
    expect(written[0]).toBe(text.split('\n')[0]);
    expect(read('names.v').match(/Admitted/gu)).toHaveLength(1);
  });

  test('a file without holes is done', async () => {
    write('full.v', 'Lemma a : True.\nProof. exact I. Qed.\n');
    expect(await prove('full.v')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('--write changes the proofs and no other byte: byte order mark, line ends, mode', async () => {
    const before = `\uFEFF(* é ∀ 𝔸 *)\r\n${EASY.replaceAll('\n', '\r\n')}\r\n(* the end *) `;
    write('windows.v', before);
    chmodSync(join(folder, 'windows.v'), 0o640);
    const run = await prove('windows.v', '--write');
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: '' });
    const after = read('windows.v');
    expect(statSync(join(folder, 'windows.v')).mode & 0o777).toBe(0o640);
    expect(after).not.toMatch(/[^\r]\n/);
    expect(after).not.toContain('dmit');
    // What stands around the two proofs is there, once and in order.
    expect(after.split(/Proof\.[^]*?Qed\./)).toEqual(before.split(/Proof\.[^]*?Admitted\./));
    expect(readdirSync(folder)).toEqual(['windows.v']);
    compile('windows.v');
  });

  test.skipIf(findExecutable(['git']) === undefined)(
    '--diff is a patch that makes what --write makes',
    async () => {
      write('a.v', EASY);
      const run = await prove('a.v', '--diff', '--nodes', '200');
      expect(run.exitCode, run.stderr).toBe(0);
      const patched = join(folder, 'patched');
      cpSync(join(folder, 'a.v'), join(patched, 'a.v'));
      execFileSync('git', ['apply', '-p1'], { cwd: patched, input: run.stdout });
      await prove('a.v', '--write', '--nodes', '200');
      expect(readFileSync(join(patched, 'a.v'), 'utf8')).toBe(read('a.v'));
      compile('a.v');
    },
  );

  test('--json prints one object a line and theorem, with what it rests on', async () => {
    write('some.v', EASY + FALSE);
    const run = await prove('some.v', '--json', '--nodes', '30');
    expect(run.exitCode, run.stderr).toBe(1);
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toHaveLength(3);
    expect(lines).toContainEqual({
      theorem: 'add_zero',
      line: 1,
      statement: 'Lemma add_zero (n : nat) : n + 0 = n.',
      outcome: 'proved',
      proof: matching(/^Proof\.[^]*Qed\.$/),
      replacement: {
        ...{ line: aNumber, column: aNumber, end_line: aNumber, end_column: aNumber },
        ...{ text: aString, replaces: aString },
      },
      ...{
        ...{ rests_on_open: [], rests_on_false: [], axioms: [], goals_at_best: [], statements_at_best: [] },
        false_at_best: false,
        unlooked_at_best: false,
        warnings: [matching(/^only-the-beginning: /)],
        reason: null,
        message: null,
        set_aside: [],
        error_before: null,
      },
      ...{ refused_proof: null, goals_left: null, nodes: aNumber, seconds: aNumber },
      ...{ counterexample: null, negation: null },
      times: ['file', 'lemmas', 'search', 'judge'].map((phase) => ({ phase, seconds: aNumber })),
      rests_on: {
        ...{ file: 'some.v', file_hash: matching(/^[0-9a-f]{64}$/), prover: 'rocq', stale: [] },
        ...{ version: matching(/^\d+\.\d+/), backend: 'coqidetop' },
      },
    });
    expect(lines).toContainEqual(
      expect.objectContaining<Record<string, unknown>>({
        theorem: 'impossible',
        outcome: 'refuted',
        counterexample: 'n = 0',
        negation: matching(/Qed\.$/),
      }),
    );
  });

  test('a file with an error before the hole: where it is, exit code 2, other holes still tried', async () => {
    write('broken.v', `${EASY}\nDefinition d : nat :=\n  true.\n\nLemma last : True.\nAdmitted.\n`);
    const run = await prove('broken.v');
    expect(run.exitCode, run.stderr).toBe(2);
    expect(run.stderr).toMatch(/broken\.v:11:2: .*\[does-not-compile\]/s);
    expect(run.stdout).toContain('Lemma add_zero');
    expect(run.stdout).toMatch(
      /\(\* Found, but not judged: the file has an error before it, at 11:2\.\nLemma last : True\.\nProof\.[^]*Qed\.\n\*\)\n$/,
    );
    // What is printed as proved is, and the rest is in a comment.
    write('printed.v', run.stdout);
    compile('printed.v');
    const patched = await prove('broken.v', '--diff');
    expect(patched.stdout).not.toContain('last');
    expect(run.stderr).toMatch(
      /\? last .*found, not judged: the file has an error before it, at 11:2\. \[does-not-compile\]/,
    );
    expect(run.stderr).toMatch(/2 of 3 proved, 1 found but not judged/);
  });

  test('an error in a proof that is written anew is no more than told of', async () => {
    write('anew.v', 'Lemma a : 1 = 1.\nProof. reflexivity\nQed.\nLemma b : 2 = 2.\nProof. Admitted.\n');
    const printed = await prove('anew.v', '--nodes', '20');
    expect(printed, printed.stderr).toMatchObject({ exitCode: 2 });
    const written = await prove('anew.v', '--write', '--nodes', '20');
    expect(written, written.stderr).toMatchObject({ exitCode: 0 });
    expect(written.stderr).toMatch(
      /anew\.v:2:7: .*\n\s*Is a dot missing before `Qed`, at 3:0\? \[does-not-compile\]/u,
    );
    compile('anew.v');
  });

  test('a file that stops compiling behind the holes: where, exit code 1, also when it is written', async () => {
    write('behind.v', 'Lemma easy : 1 = 1.\nProof. Admitted.\n\nDefinition d : nat :=\n  true.\n');
    const run = await prove('behind.v', '--json', '--nodes', '20');
    expect(run.exitCode, run.stderr).toBe(1);
    expect(run.stderr).toMatch(/behind\.v:5:2: The file stops compiling behind the proofs: .*"true"/s);
    const [proved, error] = run.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(proved).toMatchObject({
      outcome: 'proved',
      warnings: ['only-the-beginning: What stands behind line 2 was not judged.'],
    });
    expect(error).toMatchObject({ error: { reason: 'does-not-compile', line: 5, column: 2 } });
    const written = await prove('behind.v', '--write', '--nodes', '20');
    expect(written.exitCode, written.stderr).toBe(1);
    // As it is now.
    const line = read('behind.v').split('\n').indexOf('  true.') + 1;
    expect(line).toBeGreaterThan(5);
    expect(written.stderr).toMatch(
      new RegExp(
        `behind\\.v:${line}:2: The file stops compiling behind the proofs.*\\(This is the place in the file with the proofs\\.\\)`,
        'u',
      ),
    );
  });

  test('an error that was told before the proofs is not told in full again behind them', async () => {
    write('once.v', 'Lemma easy : 1 = 1.\nProof. Admitted.\n\nLemma bad : nowhere.\nProof. Admitted.\n');
    const run = await prove('once.v', '--nodes', '20');
    expect(run.exitCode, run.stderr).toBe(2);
    expect(run.stderr.match(/nowhere was not found/gu)).toHaveLength(1);
    expect(run.stderr).toMatch(
      /once\.v:4:12: The file stops compiling there, at the error that is told above\./u,
    );
  });

  test('a proof is printed before it is known whether the rest of the file compiles', async () => {
    const endless = 'Ltac forever := idtac; forever.\nLemma rest : True.\nProof. forever. Qed.\n';
    write('endless.v', `Lemma easy : 1 = 1.\nProof. Admitted.\n\n${endless}`);
    const run = startQuod(['prove', 'endless.v', '--nodes', '20'], folder);
    await printed(run, /Lemma easy/, 'stdout');
    run.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await run.finished;
    expect(exitCode, stderr).toBe(130);
    expect(stdout.match(/Lemma easy/g), stdout).toHaveLength(1);
    await expectNoSurvivors(run);
  });

  test('the first Ctrl+C ends the judge, too, where it is at what does not end', async () => {
    const ack =
      'Fixpoint ack m := fix go n := match m, n with 0, _ => S n | S k, 0 => ack k 1 | S k, S l => ack k (go l) end.';
    const endless = `${ack}\nEval compute in ack 4 2.\n`;
    write('endless.v', `Lemma easy : 1 = 1.\nProof. Admitted.\n\n${endless}`);
    const run = startQuod(['prove', 'endless.v', '--nodes', '20', '--write'], folder);
    await printed(run, /easy \(1\/1\) {2}found .*, judging, /);
    run.child.kill('SIGTERM');
    const { exitCode, stderr } = await run.finished;
    expect(exitCode, stderr).toBe(130);
    expect(stderr).toMatch(/\? easy .*found, not judged: .*\[interrupted\]/);
    await expectNoSurvivors(run);
  }, 300_000);

  test('a proof that rests on an open statement: says which, exit code 1, and 0 with --allow-open', async () => {
    write('open.v', `${ASSUMED}\nLemma uses (m : nat) : p (S m).\nProof. Admitted.\n`);
    const run = await prove('open.v', '--theorem', 'uses', '--nodes', '60');
    expect(run.exitCode, run.stderr).toBe(1);
    expect(run.stderr).toMatch(/~ uses .*: proved, but rests on statements that are open: all_p/);
    expect(run.stderr).toMatch(/0 of 1 proved, 1 proved but resting on open statements/);
    expect(run.stdout).toMatch(
      /^\(\* Proved, but rests on statements that are open: all_p\. \*\)\nLemma uses/,
    );
    const allowed = await prove('open.v', '--theorem', 'uses', '--nodes', '60', '--allow-open', '--json');
    expect(allowed.exitCode, allowed.stderr).toBe(0);
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      theorem: 'uses',
      outcome: 'proved-but',
      rests_on_open: ['all_p'],
    });
  });

  test('what rests on a statement that is false is no proof: nothing is written, and never exit code 0', async () => {
    const text = `Lemma impossible : forall n m : nat, n = m.\nProof. Admitted.\nLemma uses : forall n : nat, n = 5.\nProof. Admitted.\n`;
    write('false.v', text);
    const run = await prove('false.v', '--write', '--allow-open', '--jobs', '2');
    expect(run.exitCode, run.stderr).toBe(1);
    expect(run.stderr).toMatch(/! uses .*: It is false for n = 0\./);
    expect(run.stderr).toMatch(/0 of 2 proved, 2 false in/);
    expect(read('false.v')).toBe(text);
  });

  test('a proof that rests on a hole which is proved in the same run is simply proved', async () => {
    // Without the first lemma there is no proof of the second: `f` is known by nothing else.
    const text = `Definition f (n : nat) := n + 0.\nLemma f_same (n : nat) : f n = n.\nProof. Admitted.\nOpaque f.\nLemma f_twice (n : nat) : f (f n) = n.\nProof. Admitted.\n`;
    write('both.v', text);
    const run = await prove('both.v', '--write', '--nodes', '200');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/2 of 2 proved in/);
    expect(read('both.v')).toMatch(/f_twice[^]*f_same/);
    compile('both.v');
  });

  test('behind a proof that fails: judged as if it were admitted, exit code 2, the file keeps what fails', async () => {
    const broken = `Lemma first : 1 = 1.\nProof. rewrite nonsense. Qed.\n\n`;
    write('failing.v', broken + EASY);
    const run = await prove('failing.v', '--write', '--json');
    expect(run.exitCode, run.stderr).toBe(2);
    expect(run.stderr).toMatch(/failing\.v:2:15: .*\[does-not-compile\]/s);
    expect(run.stderr).toMatch(/✓ add_zero .* judged as if the proof that fails at 2:7 were admitted/);
    expect(run.stdout).toMatch(/"set_aside":\[\{"line":2,"column":7,"kind":"refused-proof","text":null\}\]/);
    expect(read('failing.v').startsWith(broken)).toBe(true);
    expect(read('failing.v')).not.toContain('Admitted');
  });

  test('steps that came to nothing: which of them the proof stands in the place of', async () => {
    write(
      'wrong.v',
      'Lemma wrong_turn (n : nat) : n = S n \\/ n < S n.\nProof.\n  (* It is the left one. *)\n  left.\nAdmitted.\n',
    );
    const json = await prove('wrong.v', '--nodes', '60', '--json');
    expect(json.exitCode, json.stderr).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({
      set_aside: [{ line: 4, column: 2, kind: 'steps', text: 'left.' }],
      message: 'The steps of its author from line 4 on were set aside: left.',
    });
    const run = await prove('wrong.v', '--nodes', '60', '--write');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/✓ wrong_turn .*; your steps from line 4 on were set aside: left\.$/mu);
    expect(read('wrong.v')).toContain('  (* It is the left one. *)\n');
    compile('wrong.v');
  });

  test('a missing library: the package that would bring it', async () => {
    write('library.v', `From compcert Require Import Maps.\n${EASY}`);
    const run = await prove('library.v', '--write');
    expect(run.exitCode, run.stderr).toBe(2);
    expect(run.stderr).toMatch(/^quod: library\.v:1:0: .*opam install coq-compcert.*\[library-missing\]$/m);
    expect(read('library.v')).toBe(`From compcert Require Import Maps.\n${EASY}`);
  });

  test('a file that changed while Quod ran is left alone, and the proofs are printed', async () => {
    write('changing.v', EASY + FALSE);
    const run = startQuod(['prove', 'changing.v', '--write', '--nodes', '200', '--jobs', '1'], folder);
    await printed(run, /✓/);
    write('changing.v', 'somebody else was here');
    const { exitCode, stdout, stderr } = await run.finished;
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toMatch(/\[file-changed\]/);
    expect(stdout).toContain('Lemma and_swap');
    expect(read('changing.v')).toBe('somebody else was here');
  });

  test('theorems are named of several files, in one spelling or the other, and each summary says of which', async () => {
    mkdirSync(join(folder, 'project'));
    write('project/a.v', 'Lemma a : True.\nAdmitted.\nLemma other : True.\nAdmitted.\n');
    write('project/b.v', 'Lemma b : True.\nAdmitted.\n');
    const run = await prove('project', '--theorems', 'b', 'a');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/^project\/a\.v: 1 of 1 proved in /m);
    expect(run.stderr).toMatch(/^2 files, 2 with what was named: 2 of 2 proved in /m);
    const wrong = await prove('project', 'nowhere', '--theorem', 'othr');
    expect(wrong.exitCode, wrong.stderr).toBe(2);
    expect(wrong.stderr).toContain('Did you mean other?');
    const partly = await prove('nowhere', 'project/b.v');
    expect(partly.exitCode, partly.stderr).toBe(2);
    expect(partly.stderr).toMatch(/^quod: nowhere: There is no such file\./m);
    expect(partly.stderr).toMatch(/^2 files, 1 not read, 1 with holes: 1 of 1 proved in /m);
  });

  test('what is false ends a search early, also one that can be repeated', async () => {
    // The smallest counterexample is none of the few values of the first look.
    write('false.v', 'Lemma no_eight (n : nat) : Nat.eqb (n * n) 64 = false.\nProof.\nAdmitted.\n');
    for (const limit of [
      ['--nodes', '100000'],
      ['--budget', '4h'],
    ]) {
      const { exitCode, stdout, stderr } = await prove('false.v', ...limit, '--jobs', '1');
      expect(exitCode, stderr).toBe(1);
      expect(stdout, stderr).toContain('specialize (H 8).');
    }
  });

  test('Ctrl+C prints what was found and leaves nothing running', async () => {
    write('long.v', EASY + HARD);
    const run = startQuod(['prove', 'long.v', '--budget', '10m', '--jobs', '1'], folder);
    await printed(run, /✓ and_swap/);
    run.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await run.finished;
    expect(exitCode, stderr).toBe(130);
    expect(stdout, stderr).toContain('Lemma and_swap');
    expect(stderr).toMatch(/^Stopping; what was found so far is judged and told/m);
    await expectNoSurvivors(run);
  });

  test('nothing stays in the folder, the path may stand behind names, and a patch takes back what was written', async () => {
    mkdirSync(join(folder, 'below'));
    write(
      'below/undo.v',
      'Require Import Lia.\nLemma half (n m : nat) : n < m -> n + 1 <= m + m.\nAdmitted.\n',
    );
    const before = read('below/undo.v');
    mkdirSync(join(folder, 'elsewhere'));
    const run = await runQuod(
      ['prove', '--theorem', 'half', '../below/undo.v', '--write', '--diff'],
      join(folder, 'elsewhere'),
    );
    expect(run.exitCode, run.stderr).toBe(0);
    expect(read('below/undo.v')).not.toBe(before);
    expect(run.stdout).toMatch(/^--- a\/undo\.v$/m);
    execFileSync('patch', ['-p1', '-R'], { cwd: join(folder, 'below'), input: run.stdout });
    expect(read('below/undo.v')).toBe(before);
    expect([...readdirSync(join(folder, 'below')), ...readdirSync(join(folder, 'elsewhere'))]).toEqual([
      'undo.v',
    ]);
  });

  test('killed with -9 at 50 random moments: the file is old or new, and no process stays', async () => {
    let usualMs = Number.POSITIVE_INFINITY;
    // The first run finds what the others know from it: only the second takes as long as they do.
    for (let seedRuns = 0; seedRuns < 2; seedRuns += 1) {
      write('one.v', EASY);
      const startedAt = performance.now();
      const seedRun = await prove('one.v', '--write', '--nodes', '200', '--jobs', '1');
      usualMs = performance.now() - startedAt;
      expect(seedRun.exitCode, seedRun.stderr).toBe(0);
    }
    const proved = read('one.v');
    let finishedFirst = 0;
    for (let round = 0; round < 50; round += 1) {
      write('one.v', EASY);
      const run = startQuod(['prove', 'one.v', '--write', '--nodes', '200', '--jobs', '1'], folder);
      // The start of Node is of no interest, and a few runs shall live long enough to write.
      await Promise.race([delay((0.2 + Math.random()) * usualMs), run.finished]);
      if (!run.child.kill('SIGKILL')) finishedFirst += 1;
      await run.finished;
      expect([EASY, proved]).toContain(read('one.v'));
      await expectNoSurvivors(run);
    }
    expect(finishedFirst).toBeLessThan(50);
    // Fifty runs one after another; how long one takes is the machine's affair.
  }, 900_000);
});

test('--watch proves again what is written, leaves alone what is only touched, and ends with Ctrl+C', async () => {
  write('watched.v', EASY);
  const run = startQuod(['prove', 'watched.v', '--watch'], folder);
  await printed(run, /Watching 1 file/u);
  write('watched.v', EASY);
  write('watched.v', `${EASY}\nLemma last_one : True.\nProof.\nAdmitted.\n`);
  await printed(run, /3 of 3 proved[^]*Watching 1 file/u);
  rmSync(join(folder, 'watched.v'));
  await printed(run, /watched\.v cannot be read any more/u);
  run.child.kill('SIGINT');
  const { exitCode, stdout } = await run.finished;
  expect(exitCode).toBe(0);
  expect(stdout.match(/Lemma last_one/gu)).toHaveLength(1);
  await expectNoSurvivors(run);
});

test('with --write a file that cannot be replaced is refused before anything is searched', async () => {
  writeFileSync(join(folder, 'a.v'), EASY);
  writeFileSync(join(folder, 'done.v'), 'Lemma a : 1 = 1.\nProof. reflexivity. Qed.\n');
  for (const name of ['a.v', 'done.v']) chmodSync(join(folder, name), 0o444);
  const run = await runQuod(['prove', '--write', 'a.v'], folder);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/^quod: a\.v: .*lets nobody write it.*chmod u\+w.*\[file-unwritable\]\n$/u);
  expect((await runQuod(['prove', '--write', 'done.v'], folder)).stderr).not.toContain('chmod');
  const filled = await runQuod(['rocq', 'fill', 'a.v', 'add_zero', 'nonsense.'], folder);
  expect(filled.stderr).toContain('chmod u+w');
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(EASY);
});
