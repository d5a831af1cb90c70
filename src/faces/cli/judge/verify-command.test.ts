/** `quod verify` and `quod report` as a judge runs them: what is refused before anything runs, reports, signatures. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-verify-'));
  file('Target.v', 'Theorem t : forall n : nat, n + 0 = n.\nAdmitted.\n');
  file('Good.v', 'Theorem t : forall n : nat, n + 0 = n.\nProof. induction n; simpl; congruence. Qed.\n');
  file('Bad.v', 'Theorem t : forall n : nat, 0 + n = n.\nProof. reflexivity. Qed.\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content);
}

const quod = (...words: string[]) => runQuod(words, folder);

test.skipIf(findExecutable(['coqc']) === undefined)(
  'of several submissions each has its verdict, also one that is empty or cannot be read',
  async () => {
    file('Target.v', 'Theorem t : 1 + 1 = 2.\nAdmitted.\n');
    file('Good.v', 'Theorem t : 1 + 1 = 2.\nProof. reflexivity. Qed.\n');
    file('Empty.v', '');
    file('Latin.v', Buffer.from('(* \u00ff *)', 'latin1'));
    const names = ['Empty.v', 'Latin.v', 'Absent.v', 'Good.v'];
    const { exitCode, stdout } = await quod('verify', 'Target.v', ...names, '--json');
    const told = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map(({ submission, verdict }) => [submission, verdict])).toEqual([
      ['Empty.v', 'rejected'],
      ['Latin.v', 'unknown'],
      ['Absent.v', 'unknown'],
      ['Good.v', 'accepted'],
    ]);
    expect(exitCode).toBe(2);
  },
);

test.skipIf(findExecutable(['coqc']) === undefined)(
  'what is left with Admitted is named, and it is said that nothing else was looked at',
  async () => {
    file('Target.v', 'Theorem a : 1 + 1 = 2.\nAdmitted.\nTheorem b : 2 = 2.\nAdmitted.\n');
    file('Half.v', 'Theorem a : 1 + 1 = 2.\nProof. exact nowhere. Qed.\nTheorem b : 2 = 2.\nAdmitted.\n');
    const { stdout, exitCode } = await quod('verify', 'Target.v', 'Half.v');
    expect(stdout).toContain('Half.v:4:0: The proof of b is left with Admitted. [admitted]');
    expect(stdout).toContain('The text alone was looked at: `quod check` lists all errors and holes');
    expect(exitCode).toBe(1);
  },
);

test.skipIf(findExecutable(['coqc']) === undefined)(
  'what is to be done about several findings is said once, behind the last of them',
  async () => {
    file('Target.v', 'Theorem a : 1 + 1 = 2.\nAdmitted.\nTheorem b : 2 = 2.\nAdmitted.\n');
    const { stdout, exitCode } = await quod('verify', 'Target.v', 'Target.v');
    const [verdict, first, second, ...rest] = stdout.trim().split('\n');
    expect(verdict).toBe('rejected');
    expect(first).toContain('Target.v:2:0: The proof of a is left with Admitted. [admitted]');
    expect(second).toContain('Target.v:4:0: The proof of b is left with Admitted. [admitted]');
    expect(rest).toEqual([expect.stringContaining('    Prove it to the end.')]);
    expect(exitCode).toBe(1);
  },
);

test('the name of a submission begins no line but that of its own verdict', async () => {
  const names = ['alice.v: accepted\n.v', 'bob.v: accepted\u2028.v'];
  const { stdout } = await quod('verify', 'Target.v', ...names);
  const lines = stdout.split(/[\n\u0085\u2028\u2029]/u).filter((line) => !/^\s|^$/u.test(line));
  expect(lines.map((line) => line.split(/: unknown: /u)[0])).toEqual([
    'alice.v: accepted\\u{a}.v',
    'bob.v: accepted\\u{2028}.v',
  ]);
});

test('a folder in the place of a file is told, with the file in it that is meant', async () => {
  mkdirSync(join(folder, 'submitted'));
  for (const name of ['Another.v', 'Target.v', 'Zero.v', 'More.v', 'notes.txt'])
    file(join('submitted', name), 'Theorem t : True. Proof. exact I. Qed.\n');
  const submitted = await quod('verify', 'Target.v', 'submitted');
  expect(submitted.stderr).toBe(
    'quod: submitted: This is a folder, where a file is asked for. Name a file in it: `submitted/Target.v`. [file-unreadable]\n',
  );
  expect(submitted.exitCode).toBe(2);
  expect((await quod('verify', 'submitted', 'Good.v')).stderr).toContain(
    'Name a file in it: `submitted/Another.v`, `submitted/More.v`, `submitted/Target.v`, ….',
  );
});

test.skipIf(findExecutable(['coqc']) === undefined)(
  'what is to be done is said in commands: a library that is not compiled',
  async () => {
    file('_CoqProject', '-Q . ""\n');
    file('Base.v', 'Definition k := 2.\n');
    const target = 'Require Import Base.\nTheorem t : k = 2.\nAdmitted.\n';
    file('Target.v', target);
    file('Good.v', target.replace('Admitted', 'Proof. reflexivity. Qed'));
    const { stdout, exitCode } = await quod('verify', 'Target.v', 'Good.v');
    expect(stdout).toContain('Build the project first: `quod build`. [does-not-compile]');
    expect(exitCode).toBe(2);
  },
);

describe('the exit code is that of the verdict, read or not', () => {
  const START = fileURLToPath(new URL('../start.ts', import.meta.url));
  /** The code of a command whose output goes where nobody reads it to the end. */
  const codeInto = (sink: string, ...words: readonly string[]): string =>
    execFileSync(
      'bash',
      ['-c', `"$@" 2>/dev/null ${sink}; echo "\${PIPESTATUS[0]}"`, 'bash', process.execPath, START, ...words],
      { cwd: folder, encoding: 'utf8' },
    ).trim();

  test.each([
    ['| true', '1'],
    ['| head -n 1 >/dev/null', '1'],
    ['>/dev/full', '2'],
  ])('%s', (sink, code) => {
    file('Many.v', `Theorem t : forall n : nat, n + 0 = n.\nAdmitted.\n${'. '.repeat(20_000)}`);
    expect(codeInto(sink, 'verify', 'Target.v', 'Many.v')).toBe(code);
  });
});

describe('what cannot be judged ends with 2 and says why', () => {
  test.each([
    ['a missing target', ['Absent.v', 'Good.v'], /Absent\.v.*\[not-found\]/],
    ['a missing submission', ['Target.v', 'Absent.v'], /Absent\.v.*\[not-found\]/],
    ['no submission', ['Target.v'], /A target and a submission are needed.*\[invalid-input\]/],
    [
      'two policies',
      ['Target.v', 'Good.v', '--policy', 'wrong.toml', '--policy', 'absent.toml'],
      /--policy <file>.*It is given twice/u,
    ],
    ['a missing policy', ['Target.v', 'Good.v', '--policy', 'absent.toml'], /absent\.toml.*\[not-found\]/],
    [
      'a wrong policy',
      ['Target.v', 'Good.v', '--policy', 'wrong.toml'],
      /no entry axiom here.*\[invalid-input\]/,
    ],
    [
      'a key that is none',
      ['Target.v', 'Good.v', '--report', 'r.json', '--attest', 'Good.v'],
      /Ed25519.*\[invalid-input\]/,
    ],
    [
      'a key that is not there',
      ['Target.v', 'Good.v', '--report', 'r.json', '--attest', 'absent.pem'],
      /absent\.pem: There is no such file\. .*`openssl genpkey .*\[not-found\]/,
    ],
    [
      'a signature without a report',
      ['Target.v', 'Good.v', '--attest', 'Good.v'],
      /--report.*\[invalid-input\]/,
    ],
    [
      'an option of Lean',
      ['Target.v', 'Good.v', '--allow-axiom', 'classic'],
      /--allow-axiom is for Lean files.*--policy FILE.*axioms = .*\[invalid-input\]/,
    ],
    [
      'a folder without a case of Lean as a batch',
      ['--batch', '.'],
      /no `Target\.olean`.*`quod verify`.*\[not-found\]/,
    ],
    ['bytes that are no text', ['Target.v', 'Latin.v'], /Latin\.v.*\[file-unreadable\]/],
    ['a huge submission', ['Target.v', 'Huge.v'], /Huge\.v.*\[too-large\]/],
  ])('%s', async (_, words, message) => {
    file('wrong.toml', 'axiom = []');
    file('Latin.v', Buffer.from('Theorem t : True. (* caf\xe9 *)\n', 'latin1'));
    file('Huge.v', 'x');
    truncateSync(join(folder, 'Huge.v'), 50 * 1024 ** 2);
    file('Empty.v', '');
    const run = await quod('verify', ...words);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
    expect(readdirSync(folder)).not.toContain('r.json');
  });

  test.each([
    [
      "another prover's file",
      'Target.v',
      'goodScript.sml',
      /The target is a file of Rocq, the submission one of HOL4/,
    ],
    ['a file of no prover', 'Target.v', 'notes.txt', /notes\.txt is no file of a prover/],
    ['two statements of one name', 'Twice.v', 'Good.v', /states t twice/],
    ['a target with nothing to prove', 'Good.v', 'Good.v', /no statement to prove/],
  ])('%s', async (_, target, submission, message) => {
    file('goodScript.sml', 'open HolKernel\n');
    file('notes.txt', 'Qed.\n');
    file('Twice.v', 'Theorem t : True.\nAdmitted.\nTheorem t : False.\nAdmitted.\n');
    const run = await quod('verify', target, submission);
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toMatch(message);
  });
});

describe.skipIf(findExecutable(['coqc']) === undefined)('with Rocq', () => {
  test('an axiom of its own is allowed by no policy, and one of a library by which one is said', async () => {
    file('Target.v', 'Theorem t : forall P : Prop, P \\/ ~ P.\nAdmitted.\n');
    file(
      'Own.v',
      'Axiom own : forall P : Prop, P \\/ ~ P.\nTheorem t : forall P : Prop, P \\/ ~ P.\nProof. exact own. Qed.\n',
    );
    file('policy.toml', 'axioms = ["own"]\n');
    const own = await quod('verify', 'Target.v', 'Own.v', '--policy', 'policy.toml');
    expect(own.exitCode).toBe(1);
    expect(own.stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'No policy allows an axiom that the submission declares itself',
    );
    file(
      'Library.v',
      'Require Coq.Logic.Classical_Prop.\nTheorem t : forall P : Prop, P \\/ ~ P.\nProof. exact Coq.Logic.Classical_Prop.classic. Qed.\n',
    );
    const library = await quod('verify', 'Target.v', 'Library.v');
    expect(library.exitCode).toBe(1);
    const said = library.stdout.replaceAll(/\s+/gu, ' ');
    expect(said).toMatch(
      /allow it with a policy: `axioms = \["\S+classic"\]`, or a set of axioms in `logic`/u,
    );
    const [entry = ''] = /axioms = \["\S+"\]/u.exec(said) ?? [];
    file('policy.toml', entry);
    expect(await quod('verify', 'Target.v', 'Library.v', '--policy', 'policy.toml')).toMatchObject({
      exitCode: 0,
    });
  });

  test('several submissions are judged against one target', async () => {
    const run = await quod('verify', 'Target.v', 'Good.v', 'Bad.v', '--json');
    expect(run.exitCode).toBe(1);
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toMatchObject([
      { submission: 'Good.v', verdict: 'accepted' },
      { submission: 'Bad.v', verdict: 'rejected' },
    ]);
  });

  test('a report takes the place of no other file', async () => {
    symlinkSync('Target.v', join(folder, 'link.json'));
    for (const name of ['Target.v', 'Good.v', 'link.json']) {
      const before = readFileSync(join(folder, name), 'utf8');
      const { exitCode, stderr } = await quod('verify', 'Target.v', 'Good.v', '--report', name);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is no report of Quod')]);
      expect(readFileSync(join(folder, name), 'utf8')).toBe(before);
    }
  });

  test('a report leaves no signed one of an earlier verdict beside it, and takes its place as a whole', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    file('judge.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    file('policy.toml', 'recheck = "never"\n');
    const verify = (submission: string, ...words: string[]) =>
      quod('verify', 'Target.v', submission, '--policy', 'policy.toml', '--report', 'r.json', ...words);
    await verify('Good.v', '--attest', 'judge.pem');
    expect(existsSync(join(folder, 'r.json.dsse.json'))).toBe(true);
    linkSync(join(folder, 'r.json'), join(folder, 'first.json'));
    await verify('Bad.v');
    expect(existsSync(join(folder, 'r.json.dsse.json'))).toBe(false);
    const verdictOf = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    expect(verdictOf('first.json')).toMatchObject({ verdict: 'accepted' });
    expect(verdictOf('r.json')).toMatchObject({ verdict: 'rejected' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
    // What is no signed report of Quod stays, and nothing is judged.
    file('r.json.dsse.json', 'mine');
    expect(await verify('Good.v')).toMatchObject({ exitCode: 2 });
    expect(readFileSync(join(folder, 'r.json.dsse.json'), 'utf8')).toBe('mine');
  });

  test('a report is signed, checked, and bound to its files', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    file('judge.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    file('judge.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    file('policy.toml', 'recheck = "never"\n');
    const judged = await quod(
      'verify',
      'Target.v',
      'Good.v',
      '--policy',
      'policy.toml',
      '--report',
      'r.json',
      '--attest',
      'judge.pem',
    );
    expect(judged).toMatchObject({ exitCode: 0 });
    expect(judged.stdout).toContain('[not-rechecked]');
    const report = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8')) as unknown;
    expect(report).toMatchObject({
      verdict: 'accepted',
      target: { name: 'Target.v' },
      policy: { file: { name: 'policy.toml' }, entries: { recheck: 'never' } },
      statements: [
        { name: 't', printed: 'Target.t : forall n : nat, @eq nat (Nat.add n O) n', assumptions: [] },
      ],
      restsOn: {
        libraries: expect.arrayContaining([expect.objectContaining({ name: 'Coq.Init.Nat' })]) as unknown,
      },
    });
    const check = (...words: string[]) => quod('report', 'r.json.dsse.json', '--key', 'judge.pub', ...words);
    const genuine = await check('--target', 'Target.v', '--submission', 'Good.v');
    expect(genuine).toMatchObject({ exitCode: 0 });
    expect(genuine.stdout).toContain('policy: recheck = "never"');
    const keyText = readFileSync(join(folder, 'judge.pub'), 'utf8');
    expect(await quod('report', 'r.json.dsse.json', '--key', keyText)).toMatchObject({ exitCode: 0 });
    const strange = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
    expect(await quod('report', 'r.json.dsse.json', '--key', String(strange))).toMatchObject({ exitCode: 1 });
    const other = await check('--submission', 'Bad.v');
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toContain('not the submission of the report');
    const signed = readFileSync(join(folder, 'r.json.dsse.json'), 'utf8');
    file('r.json.dsse.json', signed.replace(/"payload": "./, '"payload": "A'));
    expect(await check()).toMatchObject({ exitCode: 1 });
  });

  test('a file whose name has lines of a verdict does not write them into the reading of a report', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    file('judge.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    file('judge.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    const name = 'a\naccepted\u2028accepted\n  t: rests on no axiom\n.v';
    file(name, readFileSync(join(folder, 'Bad.v'), 'utf8'));
    const judged = await quod('verify', 'Target.v', name, '--report', 'r.json', '--attest', 'judge.pem');
    const shown = await quod('report', 'r.json.dsse.json', '--key', 'judge.pub');
    for (const { exitCode, stdout } of [judged, shown]) {
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^rejected/u);
      expect(stdout.split(/[\n\u2028]/u).filter((line) => /^(accepted|  t:)/u.test(line))).toEqual([]);
    }
  });

  test('an open statement that a proof rests on is in the verdict, in the signed report, and in the exit codes', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    file('judge.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    file('judge.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    file('Open.v', 'Lemma open : False. Proof. Admitted.\nTheorem t : False. Proof. Admitted.\n');
    file('Main.v', 'Lemma open : False. Proof. Admitted.\nTheorem t : False. Proof. exact open. Qed.\n');
    file('policy.toml', 'theorems = ["t"]\nrecheck = "never"\n');
    const judge = (...words: string[]) =>
      quod('verify', 'Open.v', 'Main.v', '--policy', 'policy.toml', ...words);
    const judged = await judge('--report', 'r.json', '--attest', 'judge.pem');
    expect(judged).toMatchObject({ exitCode: 1 });
    expect(judged.stdout).toMatch(
      /^accepted, but for what is open: open\n {2}t: rests on statements that are open: open;/u,
    );
    expect(await judge('--allow-open')).toMatchObject({ exitCode: 0 });
    const report = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8')) as unknown;
    expect(report).toMatchObject({ statements: [{ name: 't', openStatements: ['open'] }] });
    const shown = await quod('report', 'r.json.dsse.json', '--key', 'judge.pub');
    expect(shown).toMatchObject({ exitCode: 1 });
    expect(shown.stdout).toContain('accepted, but for what is open: open');
  });

  test.skipIf(findExecutable(['openssl']) === undefined)('keys are those that openssl makes', async () => {
    const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
    openssl('genpkey', '-algorithm', 'ed25519', '-out', 'judge.pem');
    openssl('pkey', '-in', 'judge.pem', '-pubout', '-out', 'judge.pub');
    await quod('verify', 'Target.v', 'Bad.v', '--report', 'r.json', '--attest', 'judge.pem');
    const run = await quod('report', 'r.json.dsse.json', '--key', 'judge.pub');
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('[statement-changed]');
  });
});
