/**
 * Judges proofs that were put into a file: the whole new file against the whole old one. Where the old file does not
 * compile behind the last of them, both are judged up to there, and the verdict says so: people work on such files.
 */
import { QuodError } from '../../core/errors.ts';
import type { Span } from '../../core/position.ts';
import { sha256 } from '../sha256.ts';
import type { SourceText, Verdict } from '../verdict.ts';
import type { JudgeSettings } from './judgement.ts';
import { proofSpan } from './text/reference-text.ts';
import { canOnlyBeTactics } from './text/restricted-text.ts';
import { RocqTarget } from './rocq-judge.ts';
import { Script } from './text/script.ts';

/** A Rocq file in which proofs were put in the place of others, or of holes. */
export interface ChangedProofs {
  /** The file as it was. */
  readonly target: SourceText;
  /** The file as it will be written, to the byte. */
  readonly text: string;
  /** The statements whose proofs were changed, by the sentences of `target` that state them. */
  readonly statements: readonly number[];
}

/** @throws QuodError `not-found` when there is no statement at one of the places. */
export async function judgeChangedProofs(
  { target, text, statements }: ChangedProofs,
  settings: JudgeSettings,
): Promise<Verdict> {
  const script = new Script(target);
  const asked = { kind: 'sentences', sentences: statements } as const;
  const proofAlone = { libraries: false, additions: true };
  const whole = await new RocqTarget(target, settings, asked, proofAlone).judge({ path: target.path, text });
  if (whole.kind !== 'unknown' || whole.reason !== 'does-not-compile') return whole;
  const end = Math.max(...spansOf(script, statements).map((span) => span.end));
  const rest = target.text.slice(end);
  if (rest.trim() === '' || !text.endsWith(rest)) return whole;
  const closing = closingWhatIsOpen(script, end);
  const beginning = await new RocqTarget(
    { path: target.path, text: target.text.slice(0, end) + closing },
    settings,
    asked,
    { libraries: false, additions: false },
  ).judge({ path: target.path, text: text.slice(0, text.length - rest.length) + closing });
  if (beginning.kind === 'unknown') return beginning.reason === 'does-not-compile' ? whole : beginning;
  // What a command in a proof does to the rest could not be seen.
  if (beginning.kind === 'accepted' && !changesTacticsOnly(script, text, statements))
    return {
      ...whole,
      message: `${whole.message} Behind proofs that are made of tactics alone it would not matter.`,
    };
  const { restsOn } = beginning;
  const { line } = script.positionAt(end);
  const message = `The file does not compile behind line ${line}; what stands there was not judged.`;
  const warnings = [...(restsOn.warnings ?? []), { kind: 'only-the-beginning' as const, message }];
  // What is written is the whole file.
  const written = { targetSha256: sha256(target.text), submissionSha256: sha256(text) };
  return { ...beginning, restsOn: { ...restsOn, ...written, warnings } };
}

/** The proofs, each from the end of its statement on. */
function spansOf(script: Script, statements: readonly number[]): Span[] {
  const { outline } = script;
  return statements
    .map((sentence) => {
      const item = outline.statements.find((one) => one.sentence === sentence);
      if (item === undefined)
        throw new QuodError('not-found', 'There is no statement at the place asked for.', {
          place: { file: script.source.path },
        });
      return proofSpan(outline, item);
    })
    .sort((one, other) => one.start - other.start);
}

/** Whether the text is the target's with other proofs, in which no sentence can be a command. */
function changesTacticsOnly(target: Script, text: string, statements: readonly number[]): boolean {
  const old = target.source.text;
  let at = 0;
  let atOld = 0;
  for (const [index, { start, end }] of spansOf(target, statements).entries()) {
    const before = old.slice(atOld, start);
    if (!text.startsWith(before, at)) return false;
    at += before.length;
    const next = spansOf(target, statements)[index + 1]?.start;
    const behind = old.slice(end, next);
    const until = next === undefined ? text.length - behind.length : text.indexOf(behind, at);
    if (until < at || !canOnlyBeTactics(text.slice(at, until))) return false;
    at = until;
    atOld = end;
  }
  return text.slice(at) === old.slice(atOld);
}

/** Ends the sections and modules that are open at an offset. */
function closingWhatIsOpen({ outline }: Script, offset: number): string {
  const startOf = (sentence: number | undefined): number =>
    outline.sentences[sentence ?? outline.sentences.length]?.span.start ?? Number.POSITIVE_INFINITY;
  return outline.scopes
    .filter(({ opened, closed }) => startOf(opened) < offset && startOf(closed) >= offset)
    .reverse()
    .map(({ name }) => `\nEnd ${name}.`)
    .concat('\n')
    .join('');
}
