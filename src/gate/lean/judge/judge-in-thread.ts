/**
 * A judgement as data, so that it can be made in a thread with a deep stack and printed in another: names and terms are texts
 * here.
 */
import type { Verdict } from '../../verdict.ts';
import type { ConstantDeclaration, ConstantKind, DefinitionSafety } from '../declaration.ts';
import { type DeepStackLimits, withDeepStack } from '../../deep-stack.ts';
import { printTerm } from '../print-term.ts';
import type { DeclarationOutcome, DeclarationWithAxioms, Failure } from './outcome.ts';
import { type JudgeEvent, type LeanJudgement, type PairToJudge, judgePair } from './judge.ts';
import type { LeanPolicy } from './lean-policy.ts';

export interface JudgeRequest {
  readonly pair: PairToJudge;
  readonly policy: LeanPolicy;
}

/** A constant of an outcome. */
export interface ReportedConstant {
  readonly name: string;
  readonly kind: ConstantKind;
  readonly axioms: readonly string[];
  readonly levelParameters: readonly string[];
  readonly safety: DefinitionSafety;
  /** Its type; undefined where nothing is wrong with it. */
  readonly type: string | undefined;
}

export interface ReportedOutcome {
  readonly name: string;
  readonly target: ReportedConstant;
  readonly submission: ReportedConstant | undefined;
  readonly failure: Failure<string> | undefined;
  readonly hasSameType: boolean;
  readonly hasSameValue: boolean;
}

export interface ReportedJudgement {
  readonly verdict: Verdict;
  readonly events: readonly JudgeEvent[];
  readonly outcomes: readonly ReportedOutcome[];
  readonly disallowedAxioms: readonly { readonly name: string; readonly axioms: readonly string[] }[];
  /** See LeanJudgement. */
  readonly stopped: string | undefined;
  readonly remarks: readonly string[];
}

/** In a thread with a deep stack. @throws QuodError `interrupted`, `memory-exceeded`. */
export async function judgeInThread(
  request: JudgeRequest,
  limits: DeepStackLimits,
): Promise<ReportedJudgement> {
  return (await withDeepStack(new URL(import.meta.url), 'judgeHere', request, limits)) as ReportedJudgement;
}

/** @public The thread calls it by its name. */
export function judgeHere({ pair, policy }: JudgeRequest): ReportedJudgement {
  const events: JudgeEvent[] = [];
  return told(
    judgePair(pair, policy, (event) => events.push(event)),
    events,
  );
}

function told(judgement: LeanJudgement, events: readonly JudgeEvent[]): ReportedJudgement {
  const { verdict, outcomes, disallowedAxioms, stopped, remarks } = judgement;
  return {
    verdict,
    events,
    outcomes: outcomes.map(toldOutcome),
    disallowedAxioms: disallowedAxioms.map(({ name, axioms }) => ({
      name: name.toString(),
      axioms: axioms.map((axiom) => axiom.toString()),
    })),
    stopped,
    remarks,
  };
}

function toldOutcome({ name, target, submission, failure }: DeclarationOutcome): ReportedOutcome {
  const hasFailed = failure !== undefined;
  const [expected, got] = [target.constant, submission?.constant];
  return {
    name: name.toString(),
    target: toldConstant(target, hasFailed),
    submission: submission && toldConstant(submission, hasFailed),
    failure: failure && toldFailure(failure),
    hasSameType: got !== undefined && got.type.plain === expected.type.plain,
    hasSameValue: got !== undefined && valueOf(got) === valueOf(expected),
  };
}

function toldConstant({ constant, axioms }: DeclarationWithAxioms, withType: boolean): ReportedConstant {
  return {
    name: constant.name.toString(),
    kind: constant.kind,
    axioms: axioms.map((axiom) => axiom.toString()),
    levelParameters: constant.levelParameters.map((parameter) => parameter.toString()),
    safety: safetyOf(constant),
    type: withType ? printTerm(constant.type) : undefined,
  };
}

function toldFailure(failure: Failure): Failure<string> {
  return failure.kind === 'axioms'
    ? { kind: 'axioms', disallowed: failure.disallowed.map((axiom) => axiom.toString()) }
    : failure;
}

function safetyOf(constant: ConstantDeclaration): DefinitionSafety {
  if (constant.kind === 'definition') return constant.safety;
  return 'isUnsafe' in constant && constant.isUnsafe ? 'unsafe' : 'safe';
}

function valueOf(constant: ConstantDeclaration) {
  return 'value' in constant ? constant.value.plain : undefined;
}
