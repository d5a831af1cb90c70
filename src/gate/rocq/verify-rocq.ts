/**
 * The verdict on a whole Rocq file. The order is the argument:
 * 1. the texts are compared. When only proofs differ, the statements are the target's by construction (text-pin.ts);
 *    otherwise commands that no submission may add end it before anything of the submission has run;
 * 2. the submission is compiled by a process of its own;
 * 3. unless the text pinned it, the target is compiled without proofs, and all that it declares is compared with the
 *    submission in the kernel's terms (unit-comparison.ts). Where compiled files cannot be read (a version whose layout
 *    is not known, a backend without files) such a submission is not judged at all;
 * 4. a process that never read the submission says what its theorems rest on.
 */
import { readFile } from 'node:fs/promises';
import type { Finding, Pin, SourceText, Verdict } from '../verdict.ts';
import { readCompiledFile, type CompiledFile } from './compiled-file.ts';
import { compileFinding } from './compile-finding.ts';
import type { CompiledUnit, CompileResult } from './judge-backend.ts';
import {
  judgeAssumptions,
  judgedBy,
  limitsOf,
  moduleNameOf,
  sha256,
  strangeOption,
  unknown,
  type JudgeSettings,
} from './judgement.ts';
import { layoutKnown } from './kernel-layout.ts';
import { MalformedValue } from './ocaml-values.ts';
import { Script, withoutProofs, type Statement } from './script.ts';
import { textFindings } from './text-findings.ts';
import { pinText } from './text-pin.ts';
import { compareUnits, dependencies, type Difference } from './unit-comparison.ts';

export async function verifyRocq(
  targetSource: SourceText,
  submissionSource: SourceText,
  settings: JudgeSettings,
): Promise<Verdict> {
  const started = performance.now();
  const target = new Script(targetSource);
  const submission = new Script(submissionSource);
  const selection = selectStatements(target, settings.policy?.theorems);
  if ('kind' in selection) return selection;
  const { provable, open } = selection;
  const pinnedBy: Pin[] = [];
  let compiledSha256: string | undefined;
  const restsOn = async () => ({
    ...(await judgedBy(settings, targetSource, submissionSource.text)),
    pinnedBy,
    ...(compiledSha256 !== undefined && { compiledSha256 }),
    elapsedMs: Math.round(performance.now() - started),
  });
  const rejected = async (findings: readonly Finding[]): Promise<Verdict> => ({
    kind: 'rejected',
    findings,
    restsOn: await restsOn(),
  });

  const option = strangeOption(settings.project.arguments);
  if (option === '-type-in-type') {
    return rejected([
      {
        kind: 'checks-disabled',
        file: targetSource.path,
        message: 'The project switches universe checking off with -type-in-type.',
        remedy: 'Remove the option from the project file.',
      },
    ]);
  }
  if (option !== undefined)
    return unknown('unsupported', `The gate does not know the project's option ${option}.`);

  const textPin = pinText(target, submission, selection.toProve);
  if (textPin.pinned) pinnedBy.push('text');
  else {
    const findings = textFindings(target, submission, open);
    if (findings.length > 0) return rejected(findings);
  }

  const request = {
    path: targetSource.path,
    moduleName: moduleNameOf(targetSource.path),
    project: settings.project,
    limits: limitsOf(settings),
  };
  const compiled = await settings.backend.compile({ ...request, text: submissionSource.text });
  if (compiled.status === 'unknown')
    return { kind: 'unknown', reason: compiled.reason, message: compiled.message };
  if (compiled.status === 'failed') return rejected([compileFinding(submission, compiled.error)]);
  const { unit } = compiled;
  try {
    const file = textPin.pinned || unit.bytes === undefined ? undefined : knownLayout(unit.bytes);
    if (unit.bytes !== undefined) compiledSha256 = sha256(unit.bytes);
    let libraries: readonly string[] | undefined;
    let addsLibraries = false;
    if (file !== undefined) {
      const stripped = await compileTarget(target, selection.toProve, settings, request);
      if (stripped.status !== 'compiled') return targetProblem(stripped, targetSource.path);
      const bytes = stripped.unit.bytes;
      await stripped.unit.dispose();
      if (bytes === undefined) return unknown('internal', 'The compiled target is gone.');
      const targetFile = readCompiledFile(bytes);
      const compared = compareUnits({
        target: targetFile,
        submission: file,
        provable: (name) => provable.has(name) || (selection.closed.has(name) && !open.has(name)),
        open: (name) => open.has(name),
        inSection: (name) => selection.inSection.has(name),
      });
      const known = dependencies(targetFile);
      libraries = known.map(({ name }) => name);
      const news = await newDependencies(known, file, unit);
      addsLibraries = news.added;
      const findings = [
        ...news.foreign.map((name) => foreignLibrary(submission, name)),
        ...compared.map((difference) => differenceFinding(submission, difference)),
      ];
      if (findings.length > 0) return await rejected(findings);
      pinnedBy.push('compiled-objects');
    } else if (!textPin.pinned) {
      return unknown(
        'unsupported',
        `The compiled files of this prover cannot be read, and sentence ${place(submission, textPin.at)} of the ` +
          `submission is not one of the target (${textPin.message}) Submit the target with nothing changed but proofs.`,
      );
    }

    const answer = await unit.assumptions([...provable], request.limits);
    if (answer.status === 'unknown')
      return { kind: 'unknown', reason: answer.reason, message: answer.message };
    const findings: Finding[] = [];
    const statements = [...provable].map((name) => {
      const judged = judgeAssumptions(name, answer.of.get(name), {
        policy: settings.policy ?? {},
        inTargetText: (axiom) => target.mentions(axiom),
        ofTarget: (axiom) =>
          libraries === undefined || libraries.some((library) => axiom.startsWith(`${library}.`)),
        isStatement: (axiom) => selection.all.has(axiom),
        mayBeOpen: (axiom) => open.has(axiom),
        checksAreTargets: !addsLibraries,
      });
      findings.push(...judged.objections.map((objection) => withPlace(submission, name, objection)));
      return judged.statement;
    });
    return findings.length > 0
      ? await rejected(findings)
      : { kind: 'accepted', statements, restsOn: await restsOn() };
  } catch (error) {
    if (error instanceof MalformedValue)
      return unknown('unsupported', `A compiled file cannot be read: ${error.message}`);
    if (error instanceof RangeError) return unknown('too-large', 'A term is too deep to be compared.');
    throw error;
  } finally {
    await unit.dispose();
  }
}

interface Selection {
  readonly toProve: (statement: Statement) => boolean;
  /** Names that must be proved. */
  readonly provable: ReadonlySet<string>;
  /** Holes that need not. */
  readonly open: ReadonlySet<string>;
  /** Statements that the target proves itself. */
  readonly closed: ReadonlySet<string>;
  readonly inSection: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

function selectStatements(target: Script, asked: readonly string[] | undefined): Selection | Verdict {
  const counts = new Map<string, number>();
  for (const { names } of target.statements)
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  // An aborted statement that is stated again later was only an attempt.
  const real = target.statements.filter(
    ({ item, name }) => item.hole !== 'aborted' || (counts.get(name) ?? 0) === 1,
  );
  const wanted =
    asked === undefined
      ? real.filter(({ item }) => item.hole !== undefined)
      : real.filter(({ names }) => names.some((name) => asked.includes(name)));
  const names = (statements: readonly Statement[]) =>
    new Set(statements.flatMap((statement) => statement.names));
  const provable = names(wanted);
  const absent = asked?.find((name) => !provable.has(name));
  if (absent !== undefined) return unknown('not-found', `The target has no statement ${absent}.`);
  const anonymous = target.outline.statements.find(
    (item) =>
      item.hole !== undefined &&
      item.hole !== 'aborted' &&
      !target.statements.some((statement) => statement.item === item),
  );
  if (anonymous !== undefined && asked === undefined) {
    return unknown(
      'invalid-input',
      `The target has a hole at ${place(target, anonymous.sentence)} that has no name of its own; give it one.`,
    );
  }
  if (provable.size === 0) return unknown('invalid-input', 'The target has no statement to prove.');
  const others = real.filter((statement) => !wanted.includes(statement));
  return {
    toProve: (statement) => wanted.includes(statement),
    provable,
    open: names(others.filter(({ item }) => item.hole !== undefined)),
    closed: names(others.filter(({ item }) => item.hole === undefined)),
    inSection: names(real.filter(({ inSection }) => inSection)),
    all: names(real),
  };
}

function knownLayout(bytes: Uint8Array): CompiledFile | undefined {
  const file = readCompiledFile(bytes);
  return layoutKnown(file.version) ? file : undefined;
}

/**
 * Compiles the target without proofs, in the first of three ways that compiles: statements in sections generalised over
 * everything in the section, where the target leaves that to the proof; as the prover would do it; with the proofs that
 * the target has. The last two matter for files whose later sentences depend on what a proof uses.
 */
async function compileTarget(
  target: Script,
  toProve: (statement: Statement) => boolean,
  settings: JudgeSettings,
  request: { readonly path: string; readonly moduleName: string },
): Promise<CompileResult> {
  const common = { ...request, project: settings.project, limits: limitsOf(settings) };
  const generalised = !/Default\s+Proof\s+Using/.test(target.source.text);
  const texts = new Set([
    withoutProofs(target, generalised, toProve),
    withoutProofs(target, false, toProve),
    withoutProofs(target, false, toProve, 'other-proofs'),
  ]);
  let first: CompileResult | undefined;
  for (const text of texts) {
    const result = await settings.backend.compile({ ...common, text });
    if (result.status !== 'failed') return result;
    first ??= result;
  }
  return first ?? { status: 'unknown', reason: 'internal', message: 'There was nothing to compile.' };
}

function targetProblem(result: Exclude<CompileResult, { status: 'compiled' }>, path: string): Verdict {
  return result.status === 'failed'
    ? unknown('does-not-compile', `The target ${path} does not compile: ${result.error.message}`)
    : { kind: 'unknown', reason: result.reason, message: result.message };
}

/** Libraries that the submission needs and the target does not; `foreign` are those not installed with the prover. */
async function newDependencies(
  ofTarget: readonly { readonly name: string; readonly digest: string }[],
  submission: CompiledFile,
  unit: CompiledUnit,
): Promise<{ readonly added: boolean; readonly foreign: readonly string[] }> {
  const known = new Map(ofTarget.map(({ name, digest }) => [name, digest]));
  const added = dependencies(submission).filter(({ name, digest }) => known.get(name) !== digest);
  const foreign: string[] = [];
  for (const { name, digest } of added) {
    const path = unit.installedLibrary?.(name);
    if (known.has(name) || path === undefined || (await libraryDigest(path)) !== digest) foreign.push(name);
  }
  return { added: added.length > 0, foreign };
}

async function libraryDigest(path: string): Promise<string | undefined> {
  try {
    return readCompiledFile(await readFile(path)).digest('library');
  } catch {
    return undefined;
  }
}

function place(script: Script, sentence: number): string {
  const { line, column } = script.positionOf(sentence);
  return `${line}:${column}`;
}

function withPlace(
  submission: Script,
  subject: string,
  finding: Pick<Finding, 'kind' | 'message' | 'remedy'>,
): Finding {
  const statement = submission.statements.find(({ names }) => names.includes(subject));
  return {
    ...finding,
    file: submission.source.path,
    subject,
    ...(statement && { position: statement.position }),
  };
}

function foreignLibrary(submission: Script, name: string): Finding {
  const last = name.split('.').at(-1) ?? name;
  const required = submission.outline.requires.find(({ modules }) =>
    modules.some((module) => module.split('.').at(-1) === last),
  );
  return {
    kind: 'new-dependency',
    file: submission.source.path,
    ...(required && { position: submission.positionAt(required.span.start) }),
    subject: name,
    message: `The library ${name} is neither used by the target nor installed with the prover.`,
    remedy: 'Put what you need into the submission itself.',
  };
}

function differenceFinding(submission: Script, { kind, subject, message }: Difference): Finding {
  if (kind === 'undefined') {
    const isStatement = submission.statements.some(({ names }) => names.includes(subject));
    return withPlace(submission, subject, {
      kind: isStatement ? 'admitted' : 'new-axiom',
      message: `${subject}: ${message}`,
      remedy: 'Give it a proof.',
    });
  }
  return withPlace(submission, subject, {
    kind,
    message: `${subject === '' ? 'The file' : subject}: ${message}`,
    remedy: DIFFERENCE_REMEDIES[kind],
  });
}

const DIFFERENCE_REMEDIES: Readonly<Record<Exclude<Difference['kind'], 'undefined'>, string>> = {
  'statement-changed':
    'Keep the statement, and do not add before it what changes how it is read (notations, scopes, imports, coercions, implicit arguments, instances).',
  'definition-changed': 'Keep the definitions of the target, and what they are read with, as they are.',
  missing: 'Keep every declaration of the target under its name.',
  'checks-disabled': 'Leave the guard, positivity and universe checks on.',
};
