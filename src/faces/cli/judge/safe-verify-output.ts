/**
 * What SafeVerify prints and saves, from a judgement of Quod: the same lines on the same streams and the same JSON,
 * so that scripts that call SafeVerify go on working.
 */
import { QuodError } from '../../../core/errors.ts';
import type {
  ReportedConstant,
  ReportedJudgement,
  ReportedOutcome,
} from '../../../gate/lean/judge/judge-in-thread.ts';
import type { JudgeEvent } from '../../../gate/lean/judge/judge.ts';
import type { ConstantKind } from '../../../gate/lean/declaration.ts';
import { type Failure, KIND_WORDS, comparisonFailureText } from '../../../gate/lean/judge/outcome.ts';

export interface OutputLine {
  readonly stream: 'output' | 'error';
  readonly text: string;
}

const RULE = '------------------';

export function progressLines(event: JudgeEvent, target: string, submission: string): string[] {
  switch (event.kind) {
    case 'began':
      return [
        `Currently running on Lean v${event.leanVersion ?? 'unknown'}`,
        `Running SafeVerify on target file: ${target} and submission file: ${submission}.`,
      ];
    case 'replaying':
      return [RULE, `Replaying ${event.path}`];
    case 'environment-ready':
      return ['Finished setting up the environment.'];
    case 'replayed':
      return [`Finished replay. Found ${event.declarations} declarations.`];
  }
}

/** What comes after the replay. */
export function resultLines(
  judgement: ReportedJudgement,
  submission: string,
  verbose: boolean,
): OutputLine[] {
  const error = (text: string): OutputLine => ({ stream: 'error', text });
  if (judgement.stopped !== undefined) return [error(`uncaught exception: ${judgement.stopped}`)];
  const problem = (subject: string, text: string): OutputLine =>
    error(`Found a problem in ${submission} with declaration ${subject}: ${text}`);
  const failures = judgement.outcomes.flatMap((outcome) =>
    outcome.failure === undefined
      ? []
      : [
          problem(outcome.name, comparisonFailureText(outcome.failure)),
          ...(verbose ? detailLines(outcome, outcome.failure).map((text) => error(`  ${text}`)) : []),
        ],
  );
  const told = new Set(judgement.outcomes.filter(({ failure }) => failure).map(({ name }) => name));
  // What Quod checks beyond SafeVerify is told in the same form.
  const further =
    judgement.verdict.kind === 'rejected'
      ? judgement.verdict.findings.flatMap(({ kind, subject, message }) =>
          subject === undefined || told.has(subject) || AXIOM_FINDINGS.has(kind)
            ? []
            : [problem(subject, message)],
        )
      : [];
  return [
    { stream: 'output', text: RULE },
    ...judgement.disallowedAxioms.map(({ name, axioms }) =>
      error(`${name} used disallowed axioms. ${nameArray(axioms)}`),
    ),
    ...failures,
    ...further,
    judgement.verdict.kind === 'accepted'
      ? { stream: 'output', text: 'Finished.' }
      : error(
          `uncaught exception: SafeVerify check failed for ${submission}${verbose ? '' : '. For more diagnostic information about failures, run safe_verify with the -v (or --verbose) flag.'}`,
        ),
  ];
}

/** Findings of these kinds were told for each declaration as its use of axioms. */
const AXIOM_FINDINGS: ReadonlySet<string> = new Set(['admitted', 'native-code']);

function detailLines(outcome: ReportedOutcome, failure: Failure<string>): string[] {
  const { target: expected, submission: got } = outcome;
  if (failure.kind === 'axioms') return [`Disallowed axioms used: ${nameArray(failure.disallowed)}`];
  if (got === undefined) return [];
  const [expectedType, gotType] = [typeOf(expected), typeOf(got)];
  const parameters = [
    `Expected: ${nameList(expected.levelParameters)}`,
    `Got:      ${nameList(got.levelParameters)}`,
  ];
  const sameParameters = nameList(expected.levelParameters) === nameList(got.levelParameters);
  if (failure.kind === 'theorem') {
    return [
      `Expected type: ${expectedType}`,
      `Got type:      ${gotType}`,
      ...(sameParameters
        ? []
        : [
            `Expected level params: ${nameList(expected.levelParameters)}`,
            `Got level params:      ${nameList(got.levelParameters)}`,
          ]),
    ];
  }
  return [
    ...(outcome.hasSameType
      ? []
      : ['Type mismatch:', indented(`Expected: ${expectedType}`), indented(`Got:      ${gotType}`)]),
    ...(sameParameters ? [] : ['Level params mismatch:', ...parameters.map(indented)]),
    ...safetyLines(expected, got),
    ...(outcome.hasSameValue ? [] : ['Value mismatch (values differ)']),
  ];
}

function typeOf({ name, type }: ReportedConstant): string {
  if (type === undefined) throw new QuodError('internal', `The type of ${name} was not told.`);
  return type;
}

function safetyLines(expected: ReportedConstant, got: ReportedConstant): string[] {
  if (expected.kind !== got.kind || expected.safety === got.safety) return [];
  if (expected.kind === 'definition')
    return [`Safety mismatch: expected ${expected.safety}, got ${got.safety}`];
  if (expected.kind !== 'opaque') return [];
  const [isExpected, isGot] = [expected.safety === 'unsafe', got.safety === 'unsafe'];
  return [`Safety mismatch: expected isUnsafe=${isExpected}, got isUnsafe=${isGot}`];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** As Lean writes an array and a list of names. */
function nameArray(names: readonly string[]): string {
  return `#[${names.join(', ')}]`;
}

function nameList(names: readonly string[]): string {
  return `[${names.join(', ')}]`;
}

/** What `--save` writes. The name of the declaration is Quod's addition: SafeVerify's documentation shows the rest. */
export function outcomesAsJson(outcomes: readonly ReportedOutcome[]): unknown {
  return outcomes.map(({ name, target, submission, failure }) => ({
    targetInfo: infoAsJson(target),
    solutionInfo: submission === undefined ? null : infoAsJson(submission),
    failureMode: failure === undefined ? null : failureAsJson(failure),
    name,
  }));
}

function infoAsJson({ kind, axioms }: ReportedConstant): unknown {
  return { constInfo: { kind: JSON_KINDS[kind] }, axioms };
}

const JSON_KINDS: Record<ConstantKind, string> = {
  ...KIND_WORDS,
  definition: 'definition',
  quotient: 'quotient',
};

function failureAsJson(failure: Failure<string>): unknown {
  switch (failure.kind) {
    case 'other-kind':
      return { kind: { kind1: KIND_WORDS[failure.expected], kind2: KIND_WORDS[failure.got] } };
    case 'not-found':
      return 'notFound';
    case 'theorem':
      return 'thmType';
    case 'definition':
      return 'defnCheck';
    case 'opaque':
      return 'opaqueCheck';
    case 'inductive':
      return 'inductCheck';
    case 'constructor':
      return 'ctorCheck';
    case 'axiom':
    case 'quotient':
    case 'recursor':
      return `${KIND_WORDS[failure.kind]}Check`;
    case 'axioms':
      return 'axioms';
  }
}
