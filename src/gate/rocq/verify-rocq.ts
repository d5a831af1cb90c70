/**
 * The verdict on a whole Rocq file. The order is the argument:
 * 1. the texts are compared. When only proofs differ, the statements are the target's by construction (text-pin.ts);
 *    otherwise commands that no submission may add end it before anything of the submission has run;
 * 2. the submission is compiled by a process of its own, in a sandbox;
 * 3. unless the text pinned it, the target is compiled without proofs, and all that it declares is compared with the
 *    submission in the kernel's terms (unit-comparison.ts). Where compiled files cannot be read (a version whose layout
 *    is not known, a backend without files) such a submission is not judged at all;
 * 4. a process that never read the submission says what its theorems rest on;
 * 5. the prover's separate checker checks the compiled submission again.
 */
import { incidentFindings } from '../foreign-run.ts';
import { sha256 } from '../sha256.ts';
import { allowsFlag } from '../policy.ts';
import type { Finding, Pin, RestsOn, SourceText, Verdict, Warning } from '../verdict.ts';
import { readCompiledFile, type CompiledFile } from './compiled-file.ts';
import { compileFinding } from './compile-finding.ts';
import { differenceFinding, foreignLibrary, withPlace } from './difference-findings.ts';
import type { CompiledUnit, CompileResult } from './judge-backend.ts';
import {
  judgeAssumptions,
  judgedBy,
  limitsOf,
  moduleNameOf,
  OPTIONS_BY_FLAG,
  strangeOptions,
  unknown,
  type JudgeSettings,
} from './judgement.ts';
import { layoutOf } from './kernel-layout.ts';
import { MalformedValue } from './ocaml-values.ts';
import { machinesUsed } from './proof-casts.ts';
import { Script } from './script.ts';
import { placeOf, selectStatements, type Selection } from './statement-selection.ts';
import { allDependencies, compileTarget, libraryFiles, newDependencies, unpinned } from './target-library.ts';
import { textFindings } from './text-findings.ts';
import { pinText, type TextPin } from './text-pin.ts';
import { compareUnits, type UncheckedFlag } from './unit-comparison.ts';

export function verifyRocq(
  target: SourceText,
  submission: SourceText,
  settings: JudgeSettings,
): Promise<Verdict> {
  return new RocqTarget(target, settings).judge(submission);
}

const UNCHECKED_FLAGS: readonly UncheckedFlag[] = [
  'unchecked-guard',
  'unchecked-positivity',
  'unchecked-universes',
  'rewrite-rules',
];

/** A target to which many submissions are compared: what does not depend on them is done once. */
export class RocqTarget {
  readonly #source: SourceText;
  readonly #settings: JudgeSettings;
  readonly #script: Script;
  readonly #selection: Selection | Verdict;
  #compiled: Promise<CompileResult> | undefined;

  constructor(source: SourceText, settings: JudgeSettings) {
    this.#source = source;
    this.#settings = settings;
    this.#script = new Script(source);
    this.#selection = selectStatements(this.#script, settings.policy?.theorems);
  }

  async judge(submission: SourceText): Promise<Verdict> {
    const selection = this.#selection;
    return 'kind' in selection ? selection : this.#judge(submission, selection);
  }

  async #judge(submissionSource: SourceText, selection: Selection): Promise<Verdict> {
    const started = performance.now();
    const settings = this.#settings;
    const { policy = {}, project, backend } = settings;
    const processorBefore = backend.processorMs;
    const target = this.#script;
    const submission = new Script(submissionSource);
    const { provable, open } = selection;
    const about: { -readonly [Key in 'compiledSha256' | 'recheckedBy' | 'libraries']?: RestsOn[Key] } = {};
    const pinnedBy: Pin[] = [];
    const warnings: Warning[] = [];
    const restsOn = async (): Promise<RestsOn> => {
      const judged = await judgedBy(settings, this.#source, submissionSource.text);
      const said = [...(judged.warnings ?? []), ...warnings];
      const elapsedMs = Math.round(performance.now() - started);
      const processorMs =
        processorBefore === undefined ? undefined : (backend.processorMs ?? 0) - processorBefore;
      return {
        ...judged,
        pinnedBy,
        ...about,
        ...(said.length > 0 && { warnings: said }),
        ...(processorMs !== undefined && { processorMs }),
        elapsedMs,
      };
    };
    const rejected = async (findings: readonly Finding[]): Promise<Verdict> => ({
      kind: 'rejected',
      findings,
      restsOn: await restsOn(),
    });

    for (const option of strangeOptions(project.arguments)) {
      const known = OPTIONS_BY_FLAG.get(option);
      if (known === undefined)
        return unknown('unsupported', `The gate does not know the project's option ${option}.`);
      if (!allowsFlag(policy, known.flag))
        return rejected([optionFinding(this.#source.path, option, known.what)]);
    }

    const textPin = pinText(target, submission, selection.toProve);
    if (textPin.pinned) {
      pinnedBy.push('text');
      if (policy.helperLemmas === false && textPin.additions.length > 0)
        return rejected(textPin.additions.map((sentence) => helperFinding(submission, sentence)));
    } else {
      const findings = textFindings(target, submission, open, policy);
      if (findings.length > 0) return rejected(findings);
    }

    const limits = limitsOf(settings);
    const request = { path: this.#source.path, moduleName: moduleNameOf(this.#source.path), project, limits };
    const compiled = await backend.compile({ ...request, text: submissionSource.text });
    if (compiled.status === 'unknown')
      return { kind: 'unknown', reason: compiled.reason, message: compiled.message };
    if (compiled.status === 'stopped')
      return rejected(incidentFindings(submissionSource.path, compiled.incidents));
    if (compiled.status === 'failed') return rejected([compileFinding(submission, compiled.error)]);
    const { unit } = compiled;
    try {
      const file = unit.bytes === undefined ? undefined : knownLayout(unit.bytes);
      if (unit.bytes !== undefined) about.compiledSha256 = sha256(unit.bytes);
      let libraries: readonly string[] | undefined;
      let addsLibraries = false;
      if (!textPin.pinned && file === undefined) return cannotCompare(submission, textPin);
      if (!textPin.pinned && file !== undefined) {
        const stripped = await this.#compiledTarget(selection, request);
        if (stripped.status !== 'compiled') return targetProblem(stripped, this.#source.path);
        const bytes = stripped.unit.bytes;
        if (bytes === undefined) return unknown('internal', 'The compiled target is gone.');
        const targetFile = readCompiledFile(bytes);
        const mayChange = new Set(policy.definitionsMayChange ?? []);
        const compared = compareUnits({
          target: targetFile,
          submission: file,
          provable: (name) => provable.has(name) || (selection.closed.has(name) && !open.has(name)),
          open: (name) => open.has(name),
          sectionVariables: (name) => selection.sectionVariables.get(name),
          mayChange: (name) => mayChange.has(name),
          additions: policy.helperLemmas ?? true,
          unchecked: new Set(UNCHECKED_FLAGS.filter((flag) => allowsFlag(policy, flag))),
        });
        const known = await allDependencies(targetFile, unit);
        libraries = known.map(({ name }) => name);
        const news = await newDependencies(known, file, unit);
        addsLibraries = news.added;
        const findings = [
          ...news.foreign.map((name) => foreignLibrary(submission, name)),
          ...compared.map((difference) => differenceFinding(submission, difference)),
        ];
        if (findings.length > 0) return await rejected(findings);
        pinnedBy.push('compiled-objects');
      }
      if (policy.dependencies !== undefined) {
        if (file === undefined)
          return unknown(
            'unsupported',
            'The policy pins libraries, and this prover does not say which it used.',
          );
        const objection = await unpinned(await allDependencies(file, unit), unit, policy.dependencies);
        if (objection !== undefined) return unknown('file-changed', objection);
      }
      const machines = machineFindings(target, submission, file, policy);
      if (machines.length > 0) return await rejected(machines);

      const answer = await unit.assumptions([...provable], limits, { printed: settings.inDetail ?? false });
      if (answer.status === 'unknown')
        return { kind: 'unknown', reason: answer.reason, message: answer.message };
      const findings: Finding[] = [];
      const statements = [...provable].map((name) => {
        const judged = judgeAssumptions(name, answer.of.get(name), {
          policy,
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
      if (findings.length > 0) return await rejected(findings);

      const rechecked = await recheck(unit, settings);
      if (rechecked.status === 'unknown')
        return unknown(rechecked.reason, `The separate checker did not finish: ${rechecked.message}`);
      if (rechecked.status === 'refused')
        return await rejected([kernelFinding(submission, rechecked.message)]);
      if (rechecked.status === 'accepted') about.recheckedBy = rechecked.by;
      else {
        if (policy.recheck === 'always')
          return unknown('prover-missing', 'There is no coqchk, and the policy requires a second check.');
        warnings.push({ kind: 'not-rechecked', message: rechecked.message });
      }
      if (settings.inDetail === true && file !== undefined) {
        const files = await libraryFiles(await allDependencies(file, unit), unit);
        about.libraries = files.filter((found) => found !== undefined);
      }
      return { kind: 'accepted', statements, restsOn: await restsOn() };
    } catch (error) {
      if (error instanceof MalformedValue)
        return unknown('unsupported', `A compiled file cannot be read: ${error.message}`);
      if (error instanceof RangeError) return unknown('too-large', 'A term is too deep to be compared.');
      throw error;
    } finally {
      await unit.dispose();
    }
  }

  /** Compiled when the first submission needs it; a judgement that was broken off leaves nothing behind. */
  #compiledTarget(
    selection: Selection,
    request: { readonly path: string; readonly moduleName: string },
  ): Promise<CompileResult> {
    this.#compiled ??= compileTarget(this.#script, selection.toProve, this.#settings, request).then(
      async (result) => {
        if (result.status === 'compiled') await result.unit.dispose();
        if (result.status === 'unknown') this.#compiled = undefined;
        return result;
      },
    );
    return this.#compiled;
  }
}

async function recheck(
  unit: CompiledUnit,
  settings: JudgeSettings,
): Promise<
  | { readonly status: 'accepted'; readonly by: string }
  | { readonly status: 'refused' | 'missing'; readonly message: string }
  | { readonly status: 'unknown'; readonly reason: Parameters<typeof unknown>[0]; readonly message: string }
> {
  const missing = (message: string) => ({ status: 'missing' as const, message });
  if (settings.policy?.recheck === 'never') return missing('The policy asks for no second check.');
  if (unit.recheck === undefined)
    return missing('This prover makes no compiled file that could be checked again.');
  if (settings.project.arguments.includes('-type-in-type'))
    return missing('The separate checker knows no -type-in-type.');
  const answer = await unit.recheck(limitsOf(settings));
  return answer.status === 'missing' ? missing('There is no coqchk here.') : answer;
}

/** What the target's own text uses is allowed, like the target's axioms. */
function machineFindings(
  target: Script,
  submission: Script,
  file: CompiledFile | undefined,
  policy: NonNullable<JudgeSettings['policy']>,
): Finding[] {
  const ofTarget = machinesNamed(target);
  const native = allowsFlag(policy, 'native-compute') || ofTarget.has('native');
  const vm = allowsFlag(policy, 'vm-compute') || ofTarget.has('vm');
  if (native && vm) return [];
  // Without a readable file, the text alone can tell; what a tactic of a library does is not seen then.
  const used = file === undefined ? machinesNamed(submission) : machinesUsed(file);
  return [...used]
    .filter((machine) => !(machine === 'native' ? native : vm))
    .map((machine) => ({
      kind: 'native-code' as const,
      file: submission.source.path,
      ...machinePlace(submission, machine),
      message: `A proof was checked by ${MACHINES[machine].what}, and the policy does not allow it.`,
      remedy: `Do without ${MACHINES[machine].tactic}, or have the policy allow it (flags).`,
    }));
}

const MACHINES = {
  vm: { what: 'the virtual machine', tactic: 'vm_compute', word: /^vm_/ },
  native: { what: 'compiled native code', tactic: 'native_compute', word: /^native_/ },
} as const;

function machinesNamed(submission: Script): Set<'vm' | 'native'> {
  return new Set(
    (['vm', 'native'] as const).filter((machine) => 'position' in machinePlace(submission, machine)),
  );
}

function machinePlace(submission: Script, machine: 'vm' | 'native'): Pick<Finding, 'position' | 'subject'> {
  for (let sentence = 0; sentence < submission.length; sentence += 1) {
    if (!submission.tokens(sentence).some((token) => MACHINES[machine].word.test(token))) continue;
    const subject = submission.enclosing(sentence)?.name;
    return { position: submission.positionOf(sentence), ...(subject !== undefined && { subject }) };
  }
  return {};
}

function knownLayout(bytes: Uint8Array): CompiledFile | undefined {
  const file = readCompiledFile(bytes);
  return layoutOf(file.version) === undefined ? undefined : file;
}

function cannotCompare(submission: Script, pin: TextPin & { readonly pinned: false }): Verdict {
  return unknown(
    'unsupported',
    `The compiled files of this prover cannot be read, and sentence ${placeOf(submission, pin.at)} of the ` +
      `submission is not one of the target (${pin.message}) Submit the target with nothing changed but proofs.`,
  );
}

function targetProblem(result: Exclude<CompileResult, { status: 'compiled' }>, path: string): Verdict {
  switch (result.status) {
    case 'failed':
      return unknown('does-not-compile', `The target ${path} does not compile: ${result.error.message}`);
    case 'stopped':
      return unknown(
        'invalid-input',
        `The target ${path} does what no proof needs: ${result.incidents.map(({ detail }) => detail).join('; ')}`,
      );
    case 'unknown':
      return { kind: 'unknown', reason: result.reason, message: result.message };
  }
}

function optionFinding(file: string, option: string, what: string): Finding {
  return {
    kind: 'checks-disabled',
    file,
    message: `The project ${what} with ${option}.`,
    remedy: 'Remove the option from the project file, or have the policy allow it (flags).',
  };
}

function helperFinding(submission: Script, sentence: number): Finding {
  const subject = submission.tokens(sentence)[1];
  return {
    kind: 'helper-not-allowed',
    file: submission.source.path,
    position: submission.positionOf(sentence),
    ...(subject !== undefined && { subject }),
    message: 'The submission declares something that the target does not, and the policy allows no helpers.',
    remedy: 'Put it into the proof (assert, pose proof).',
  };
}

function kernelFinding(submission: Script, message: string): Finding {
  return {
    kind: 'kernel-rejected',
    file: submission.source.path,
    message: `The separate checker refuses the compiled submission: ${message}`,
    remedy: 'Report it with the file: the prover accepted what its own checker refuses.',
  };
}
