/** Rewrite rules, which Rocq has from 8.20 on: whose they are, and what they say counts as said by their symbols. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../policy.ts';
import type { AcceptedVerdict, Verdict } from '../verdict.ts';
import { verify } from '../verify.ts';
import { installedRelease } from './testing/installed-rocq.ts';

const OPTION = '-allow-rewrite-rules';
const flags: GatePolicy['flags'] = ['rewrite-rules'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), '.quod-rules-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const allowing = (): RocqProject => ({
  ...{ root: folder, source: undefined, loadPath: [], ocamlPath: [], arguments: [OPTION] },
});

function judge(
  target: string,
  submission: string,
  policy: GatePolicy = { flags },
  project = allowing(),
): Promise<Verdict> {
  return verify({ path: 'T.v', text: target }, { path: 'S.v', text: submission }, { project, policy });
}

/** A project that requires a library with rules as `P.Lib`, and has none itself. */
function withLibrary(text: string): RocqProject {
  writeFileSync(join(folder, 'Lib.v'), text);
  execFileSync('coqc', ['-q', OPTION, '-Q', folder, 'P', join(folder, 'Lib.v')]);
  return { ...allowing(), loadPath: [{ flag: '-Q', physical: folder, logical: 'P' }], arguments: [] };
}

function accepted(verdict: Verdict): AcceptedVerdict {
  if (verdict.kind !== 'accepted') throw new Error(JSON.stringify(verdict));
  return verdict;
}

const said = (verdict: Verdict, about: string): string =>
  (accepted(verdict).restsOn.warnings ?? [])
    .filter(({ kind }) => kind === about)
    .map(({ message }) => message)
    .join(' ');

const UNGUARDED =
  '#[bypass_check(guard)] Fixpoint om (n : nat) {struct n} : nat := match n with 0 => 7 | S m => om (S (S m)) end.\n';

describe.skipIf(installedRelease < 820)('rewrite rules', () => {
  it('are the target’s, if the policy allows any', async () => {
    const rules = 'Symbol f : nat -> nat.\nRewrite Rule r := f 0 => 1.\n';
    const statement = 'Theorem t : f 0 = 1.\n';
    const proof = 'Proof. reflexivity. Qed.\n';
    const judged = async (submission: string, policy: GatePolicy): Promise<unknown> => {
      const verdict = await judge(`${rules}${statement}Admitted.\n`, submission, policy);
      if (verdict.kind === 'rejected') return verdict.findings.map(({ kind }) => kind);
      return verdict.kind === 'accepted' ? verdict.statements[0]?.assumptions : verdict.message;
    };
    const honest = `Check nat.\n${rules}${statement}${proof}`;
    expect(await judged(honest, {})).toEqual(['checks-disabled']);
    expect(await judged(honest, { flags })).toEqual([expect.stringMatching(/^Rewrite rules are allowed/)]);
    const own = (added: string) =>
      judged(`${rules}${added}${statement}${proof}`, { flags, commands: ['Symbol', 'Rewrite'] });
    expect(await own('Rewrite Rule q := f 1 => 1.\n')).toEqual(['checks-disabled']);
    expect(await own('Symbol g : nat.\n')).toEqual(['new-axiom']);
  });

  it('a symbol has no value to choose, and no proof', async () => {
    const symbol = 'Symbol f : 1 = 1.\n';
    const judged = (policy: GatePolicy) =>
      judge(`${symbol}Theorem t : 1 = 1. Admitted.\n`, `${symbol}Theorem t : 1 = 1. Proof. exact f. Qed.\n`, {
        flags,
        ...policy,
      });
    expect(await judged({})).toMatchObject({ kind: 'accepted' });
    const refused = { kind: 'unknown', reason: 'invalid-input' };
    expect(await judged({ definitionsMayChange: ['f'] })).toMatchObject(refused);
    expect(await judged({ theorems: ['f'] })).toMatchObject(refused);
  });

  it('speak of a value that the submission chose, and so does an axiom about their symbol', async () => {
    const around = (n: string, rule: string) =>
      `Symbol f : nat -> nat.\nDefinition n : nat${n}\nRewrite Rule r := f 0 => ${rule}.\nAxiom ax : f 0 = 1.\nTheorem t : False.\n`;
    const proof = 'Proof. pose proof ax as H. discriminate H. Qed.\n';
    const chosen = /\bax \(of n\)/u;
    const policy: GatePolicy = { flags, definitionsMayChange: ['n'] };
    const changed = await judge(`${around(' := 1.', 'n')}Admitted.\n`, around(' := 0.', 'n') + proof, policy);
    expect(said(changed, 'values-chosen')).toMatch(chosen);
    const filled = await judge(
      `${around('. Proof. Admitted.', 'n')}Admitted.\n`,
      around('. Proof. exact 0. Defined.', 'n') + proof,
    );
    expect(said(filled, 'values-chosen')).toMatch(chosen);
    const other = await judge(`${around(' := 1.', '0')}Admitted.\n`, around(' := 0.', '0') + proof, policy);
    expect(said(other, 'values-chosen')).toBe('');
  });

  it('bring what was not checked to what mentions their symbol', async () => {
    const target = `Symbol f : nat -> nat.\n${UNGUARDED}Rewrite Rule r := f ?k => om 0.\nTheorem t : f 3 = 7.\n`;
    const submission = `${target}Proof. reflexivity. Qed.\n`;
    const verdict = await judge(`${target}Admitted.\n`, submission);
    expect(accepted(verdict).statements[0]?.assumptions).toContain('T.om is assumed to be guarded.');
    const refused = await judge(`${target}Admitted.\n`, submission, { flags, axioms: ['f'] });
    expect(refused).toMatchObject({ kind: 'rejected', findings: [{ kind: 'checks-disabled' }] });
  });

  it('bring what is open to what mentions their symbol', async () => {
    const target =
      'Symbol f : nat -> nat.\nLemma h : 0 = 1. Admitted.\nDefinition k : nat := match h in _ = y return nat with eq_refl => 7 end.\n' +
      'Rewrite Rule r := f ?x => k.\n';
    const statements = (proof: string) =>
      `${target}Theorem t : f 3 = f 4. ${proof}\nTheorem u : 1 = 1. ${proof}\n`;
    const policy = { flags, theorems: ['t', 'u'] };
    const verdict = await judge(statements('Admitted.'), statements('Proof. reflexivity. Qed.'), policy);
    expect(accepted(verdict).statements.map(({ name, openStatements }) => [name, openStatements])).toEqual([
      ['t', ['h']],
      ['u', []],
    ]);
  });

  it('of a library bring these to whoever mentions its symbols, also through another symbol', async () => {
    const project = withLibrary(
      `Symbol f : nat -> nat.\nSymbol g : nat -> nat.\n${UNGUARDED}Lemma h : 0 = 1. Admitted.\n` +
        'Rewrite Rule r := f 0 => g 1 | g ?n => match h in _ = y return nat with eq_refl => om 0 end.\n',
    );
    const target = 'From P Require Import Lib.\nTheorem t : f 0 = g 1.\n';
    const submission = `${target}Proof. reflexivity. Qed.\n`;
    const judged = (policy: GatePolicy) => judge(`${target}Admitted.\n`, submission, policy, project);
    const [statement] = accepted(await judged({})).statements;
    expect(statement?.assumptions).toContain('P.Lib.om is assumed to be guarded.');
    expect(statement?.openStatements).toEqual(['P.Lib.h']);
    expect(await judged({ flags, axioms: ['P.Lib.f', 'P.Lib.g'] })).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'checks-disabled' }],
    });
    expect(await judged({ axioms: ['P.Lib.f', 'P.Lib.g'], flags: ['unchecked-guard'] })).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'checks-disabled' }],
    });
  });

  it('of the target for a symbol of a library are the library’s symbol’s', async () => {
    const library = withLibrary('Symbol f : nat -> nat.\nDefinition k := f 0.\n');
    const project: RocqProject = { ...library, arguments: [OPTION] };
    const target = (n: string) =>
      `From P Require Import Lib.\nDefinition n : nat := ${n}.\nLemma h : nat. Admitted.\nRewrite Rule r := f 0 => n | f 1 => h.\n` +
      'Axiom ax : k = 1.\nTheorem t : False.\n';
    const verdict = await judge(
      `${target('1')}Admitted.\n`,
      `${target('0')}Proof. pose proof ax as H. discriminate H. Qed.\n`,
      { flags, theorems: ['t'], definitionsMayChange: ['n'] },
      project,
    );
    expect(said(verdict, 'values-chosen')).toMatch(/\bax \(of n\)/u);
    const { statements } = accepted(verdict);
    expect(statements.find(({ name }) => name === 't')?.openStatements).toEqual(['h']);
  });
});
