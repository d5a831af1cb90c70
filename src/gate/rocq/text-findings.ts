/** What can be said against a submission from its text alone, before anything of it is run. */
import { allowsFlag, type GatePolicy } from '../policy.ts';
import type { Finding } from '../verdict.ts';
import { classify, type CommandClass } from './commands.ts';
import type { Script } from './script.ts';
import { tacticWords } from './text-pin.ts';

/** `open`: names of statements that may stay without a proof. */
export function textFindings(
  target: Script,
  submission: Script,
  open: ReadonlySet<string>,
  policy: GatePolicy,
): Finding[] {
  const findings: Finding[] = [];
  const trusted = new Set<string>();
  for (let index = 0; index < target.length; index += 1) trusted.add(target.key(index));
  const tactics = tacticWords(target);
  const inProof = new Set<number>();
  for (const { body } of submission.outline.statements) {
    for (let index = body.first; index < body.end; index += 1) inProof.add(index);
  }
  const mayAdmit = new Set<number>();
  for (const { names, item } of submission.statements) {
    if (item.closing !== undefined && names.every((name) => open.has(name))) mayAdmit.add(item.closing);
  }
  for (const [index, { role }] of submission.outline.sentences.entries()) {
    if (role !== 'command') continue;
    const known = trusted.has(submission.key(index));
    const verdict = classify(
      submission.tokens(index),
      { inProof: inProof.has(index), inSection: inSection(submission, index) },
      tactics,
    );
    // What the target says itself is trusted, except that an `Admitted` says nothing about which proof it ends.
    if (verdict.kind === 'admitted' ? mayAdmit.has(index) : known) continue;
    if (verdict.kind === 'forbidden' && allowsCommand(policy, verdict.word)) continue;
    if (verdict.kind === 'checks-disabled' && CHECK_FLAGS.some((flag) => allowsFlag(policy, flag))) continue;
    const against = AGAINST[verdict.kind];
    if (against === undefined) continue;
    const subject = submission.enclosing(index)?.name;
    findings.push({
      kind: against.kind,
      file: submission.source.path,
      position: submission.positionOf(index),
      ...(subject !== undefined && { subject }),
      message: verdict.kind === 'forbidden' ? `It uses ${verdict.what}.` : against.message,
      remedy: against.remedy,
    });
  }
  const { unterminated } = submission.outline;
  if (unterminated !== undefined) {
    findings.push({
      kind: 'does-not-compile',
      file: submission.source.path,
      position: submission.positionAt(unterminated.span.start),
      message: `The ${unterminated.inside} that begins here has no end.`,
      remedy: 'Close it.',
    });
  }
  return findings;
}

/** Which of them it is shows in the compiled file. */
const CHECK_FLAGS = ['unchecked-guard', 'unchecked-positivity', 'unchecked-universes'] as const;

function allowsCommand({ commands = [], plugins = [] }: GatePolicy, word: string): boolean {
  return commands.includes(word) || plugins.includes(word);
}

const AGAINST: Readonly<
  Record<
    CommandClass['kind'],
    { readonly kind: Finding['kind']; readonly message: string; readonly remedy: string } | undefined
  >
> = {
  tactic: undefined,
  command: undefined,
  'plain-declaration': undefined,
  axiom: {
    kind: 'new-axiom',
    message: 'It declares something without a proof.',
    remedy: 'Prove it, or state it as a premise of a lemma of your own.',
  },
  admitted: {
    kind: 'admitted',
    message: 'The proof is left with Admitted.',
    remedy: 'Prove it to the end.',
  },
  'checks-disabled': {
    kind: 'checks-disabled',
    message: 'It switches a kernel check off.',
    remedy: 'Leave the guard, positivity and universe checks on.',
  },
  forbidden: {
    kind: 'forbidden-command',
    message: '',
    remedy: 'Do without it; docs/gate.md lists what a submission may add.',
  },
};

function inSection(script: Script, sentence: number): boolean {
  return script.outline.scopes.some(
    ({ kind, opened, closed }) =>
      kind === 'section' && opened < sentence && (closed === undefined || closed > sentence),
  );
}
