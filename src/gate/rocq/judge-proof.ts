/**
 * The same judgement on proofs that were put into a file, at little more than the cost of compiling the file up to
 * them: the rest of the file is the target's own text, so the text pin is all that is needed, and must hold.
 */
import { incidentFindings } from '../foreign-run.ts';
import type { Finding, SourceText, Verdict } from '../verdict.ts';
import { compileFinding } from './compile-finding.ts';
import {
  judgeAssumptions,
  judgedBy,
  limitsOf,
  moduleNameOf,
  strangeOptions,
  unknown,
  type JudgeSettings,
} from './judgement.ts';
import { cutAfter, Script, type Statement } from './script.ts';
import { pinText } from './text-pin.ts';

export interface ProofToJudge {
  readonly target: SourceText;
  /** The target's text with the proofs of `theorems` replaced and nothing else. */
  readonly text: string;
  /** Names as in the kernel: qualified by the modules of the file. */
  readonly theorems: readonly string[];
}

/** Other statements of the file may still be open; those that a proof uses are named in the verdict. */
export async function judgeRocqProof(proof: ProofToJudge, settings: JudgeSettings): Promise<Verdict> {
  const started = performance.now();
  const whole = new Script(proof.target);
  const proved = new Script({ path: proof.target.path, text: proof.text });
  const wanted = new Set(proof.theorems);
  const isWanted = ({ names }: Statement) => names.some((name) => wanted.has(name));
  const [inTarget, inProved] = [whole.statements.filter(isWanted), proved.statements.filter(isWanted)];
  const [last, lastProved] = [inTarget.at(-1), inProved.at(-1)];
  const absent = proof.theorems.find((name) => !inTarget.some(({ names }) => names.includes(name)));
  if (absent !== undefined || last === undefined || lastProved === undefined) {
    return unknown('not-found', `There is no statement ${absent ?? proof.theorems.join(', ')}.`);
  }
  const [option] = strangeOptions(settings.project.arguments);
  if (option !== undefined)
    return unknown('unsupported', `The gate does not accept the project's option ${option}.`);

  const target = new Script(cutAfter(whole, last));
  const submission = new Script(cutAfter(proved, lastProved));
  const limits = limitsOf(settings);
  const restsOn = async () => ({
    ...(await judgedBy(settings, proof.target, proof.text)),
    pinnedBy: ['text' as const],
    elapsedMs: Math.round(performance.now() - started),
  });
  const rejected = async (findings: readonly Finding[]): Promise<Verdict> => ({
    kind: 'rejected',
    findings,
    restsOn: await restsOn(),
  });

  const pin = pinText(target, submission, isWanted);
  if (!pin.pinned) {
    return rejected([
      {
        kind: 'forbidden-command',
        file: proof.target.path,
        position: submission.positionOf(pin.at),
        message: `More than a proof was changed. ${pin.message}`,
        remedy: 'Replace the proof by tactics that end with Qed, and leave the rest of the file as it is.',
      },
    ]);
  }
  const compiled = await settings.backend.compile({
    path: proof.target.path,
    text: submission.source.text,
    moduleName: moduleNameOf(proof.target.path),
    project: settings.project,
    limits,
  });
  if (compiled.status === 'unknown')
    return { kind: 'unknown', reason: compiled.reason, message: compiled.message };
  if (compiled.status === 'stopped') return rejected(incidentFindings(proof.target.path, compiled.incidents));
  if (compiled.status === 'failed') return rejected([compileFinding(submission, compiled.error)]);
  try {
    const answer = await compiled.unit.assumptions(proof.theorems, limits);
    if (answer.status === 'unknown')
      return { kind: 'unknown', reason: answer.reason, message: answer.message };
    const all = new Set(target.statements.flatMap(({ names }) => names));
    const findings: Finding[] = [];
    const statements = proof.theorems.map((name) => {
      const { statement, objections } = judgeAssumptions(name, answer.of.get(name), {
        policy: settings.policy ?? {},
        inTargetText: (axiom) => target.mentions(axiom),
        ofTarget: () => true,
        isStatement: (axiom) => all.has(axiom),
        mayBeOpen: (axiom) => !wanted.has(axiom),
        checksAreTargets: true,
      });
      const position = inProved.find(({ names }) => names.includes(name))?.position;
      findings.push(
        ...objections.map((objection) => ({
          ...objection,
          file: proof.target.path,
          subject: name,
          ...(position && { position }),
        })),
      );
      return statement;
    });
    return findings.length > 0
      ? await rejected(findings)
      : { kind: 'accepted', statements, restsOn: await restsOn() };
  } finally {
    await compiled.unit.dispose();
  }
}
