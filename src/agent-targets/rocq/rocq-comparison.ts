/** Files that somebody else worked on, compared with what they were: which targets are proved now. */
import type { Comparison } from '../../agent/target.ts';
import { notTogetherText } from '../../agent/workflow/ask-together.ts';
import { entryAt, orZero, present } from '../../core/entry.ts';
import { replaced } from '../../core/replacement.ts';
import { appendAll } from '../../core/lists/many.ts';
import { asLines, type Finding, type Verdict } from '../../gate/verdict.ts';
import { judgeProof, verify } from '../../gate/verify.ts';
import { encode, type SourceFile } from '../../operations/files/source-file.ts';
import { openStatementsOf } from '../../operations/rocq/proof/open-statements.ts';
import { splice } from '../../operations/rocq/proof/splice.ts';
import { asRead } from '../../provers/rocq/syntax/judged-text.ts';
import { tokenise } from '../../provers/rocq/syntax/lexer.ts';
import {
  nameInModules,
  sameStatementIn,
  statementNamed,
} from '../../provers/rocq/syntax/named-statements.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { isLemma } from '../../provers/rocq/syntax/statement-head.ts';
import { endOfProof, proofSpanOf } from '../../provers/rocq/syntax/theorem-text.ts';
import { isSameOutside, markNotIn } from '../outside-of-proofs.ts';
import { findingsOf, groundsOf } from './rocq-judgement.ts';

/**
 * All of the file is judged against what it was. Where that is not accepted (it has holes, or more of it
 * is wrong), the gate is asked about the proofs of the targets alone: first all of them in the file as it is, then each in
 * the file without the others.
 */
export async function compareRocq(
  source: SourceFile,
  asked: { readonly original: string; readonly wanted: readonly string[] },
  signal: AbortSignal,
): Promise<Comparison> {
  const compared = await compareTexts({ ...asked, source }, signal);
  return { ...compared, elsewhere: isChangedElsewhere({ ...asked, text: source.text }) };
}

interface Compared {
  readonly source: SourceFile;
  readonly original: string;
  readonly wanted: readonly string[];
}

async function compareTexts(
  { source, original, wanted }: Compared,
  signal: AbortSignal,
): Promise<Comparison> {
  const { path, text } = source;
  const bytes = encode(source, text);
  const target = { path, text: original };
  const whole = await verify(target, { path, text }, { signal });
  const findings = namedFindings(whole);
  const before = outlineOf(original);
  const proofs = finishedProofs(outlineOf(text), before, wanted);
  // What the gate was not asked about it has not accepted, whatever the file has in its place.
  const isOf = (verdict: Verdict, { item }: FinishedProof): boolean =>
    verdict.kind === 'accepted' &&
    verdict.statements.some(({ name }) => name === nameInModules(before, item));
  if (whole.kind === 'accepted' && proofs.every((proof) => isOf(whole, proof))) {
    const grounds = groundsOf(
      whole,
      proofs.map(({ item }) => item),
    );
    const accepted = proofs.map(({ theorem, proof }, index) => ({
      ...{ theorem, proof, restsOnOpen: [] },
      grounds: grounds[index],
    }));
    return { clean: true, accepted, unjudged: [], findings, bytes };
  }
  const changed = proofs.filter(({ alone }) => alone !== original);
  const statements = changed.map(({ item }) => item.sentence);
  const together =
    changed.length === 0 ? undefined : await judgeProof({ target, text, statements }, { signal });
  if (together?.kind === 'accepted') {
    return { clean: true, accepted: acceptedTogether(together, changed), unjudged: [], findings, bytes };
  }
  const bare = outlineOf(withProofsOf(before, text, wanted));
  const added = addedStatements(bare, before);
  const clean = asRead(withoutStatements(bare, added, original)) === asRead(original);
  // In a file that was changed elsewhere no proof is one of the task's.
  if (!clean) return { clean, accepted: [], unjudged: [], findings: [...findings, CHANGED_ELSEWHERE], bytes };
  const lemmas = added.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const accepted: Comparison['accepted'][number][] = [];
  const unjudged: Comparison['unjudged'][number][] = [];
  const refused: string[] = [];
  for (const { theorem, proof, item, alone } of changed) {
    const others = wanted.filter((name) => name !== theorem);
    const own = lemmas.length === 0 ? alone : withProofsOf(before, text, others);
    const judged = await judgeProof({ target, text: own, statements: [item.sentence], lemmas }, { signal });
    if (judged.kind === 'accepted')
      accepted.push({
        ...{ theorem, proof, grounds: groundsOf(judged, [item])[0] },
        restsOnOpen: openStatementsOf(judged.statements, [item]).flat(),
      });
    else appendAll(refused, namedFindings(judged, theorem));
    if (judged.kind === 'unknown') unjudged.push({ theorem, proof, message: judged.message });
  }
  const admitted = whole.kind === 'rejected' ? whole.findings.filter(({ kind }) => kind === 'admitted') : [];
  const told = new Set([...refused, ...admitted.map((finding) => namedFinding(finding))]);
  const rest = { clean, unjudged, findings: told.size === 0 ? findings : [...told], bytes };
  if (accepted.length < 2) return { ...rest, accepted };
  const found = changed.filter(({ theorem }) => accepted.some((one) => one.theorem === theorem));
  const others = wanted.filter((name) => !found.some(({ theorem }) => theorem === name));
  const own = withProofsOf(before, text, others);
  const asked = found.map(({ item }) => item.sentence);
  // They were judged so already where there is nothing beside them.
  const isAsked = lemmas.length === 0 && found.length === changed.length;
  const joint =
    (isAsked ? together : undefined) ??
    (await judgeProof({ target, text: own, statements: asked, lemmas }, { signal }));
  if (joint.kind === 'accepted') return { ...rest, accepted: acceptedTogether(joint, found) };
  const finding = notTogetherText({ verdict: joint.kind, findings: findingsOf(joint) });
  return {
    ...rest,
    accepted,
    findings: [...rest.findings, finding],
    apart: { theorems: found.map(({ theorem }) => theorem), finding },
  };
}

/** What each of some proofs rests on, now that the others are proved, too. */
function acceptedTogether(
  verdict: Extract<Verdict, { kind: 'accepted' }>,
  proofs: readonly FinishedProof[],
): Comparison['accepted'] {
  const items = proofs.map(({ item }) => item);
  const open = openStatementsOf(verdict.statements, items);
  const grounds = groundsOf(verdict, items);
  return proofs.map(({ theorem, proof }, index) => ({
    ...{ theorem, proof },
    restsOnOpen: present(open[index], 'statement'),
    grounds: grounds[index],
  }));
}

/** @param theorem That was asked about: what is wrong may be of another declaration, which is named then. */
function namedFindings(verdict: Verdict, theorem?: string): string[] {
  return verdict.kind === 'rejected'
    ? verdict.findings.map((finding) => namedFinding(finding, theorem))
    : findingsOf(verdict).map((line) => named(line, theorem));
}

function namedFinding(finding: Finding, theorem?: string): string {
  return named(asLines([finding]).join(''), finding.subject ?? theorem);
}

function named(line: string, name: string | undefined): string {
  return name === undefined ? line : `${name}: ${line}`;
}

const CHANGED_ELSEWHERE =
  'More is changed in the file than the proofs of the targets and lemmas beside them: none counts until all of the file is accepted.';

/**
 * Comments count, too: whoever reads the file has lost those that are gone. So do blanks that stand elsewhere than around
 * proofs and lemmas, and line ends.
 */
export function isChangedElsewhere({
  text,
  original,
  wanted,
}: Omit<Compared, 'source'> & { readonly text: string }): boolean {
  const mark = markNotIn([text, original]);
  const before = outlineOf(original);
  const bare = outlineOf(withProofsOf(before, text, wanted, mark));
  const lemmas = addedStatements(bare, before).filter(isLemma);
  const now = withoutStatements(bare, lemmas, original, mark);
  return !isSameOutside(now, withProofsOf(before, original, wanted, mark), mark);
}

export function addedStatements(now: FileOutline, before: FileOutline): readonly TheoremItem[] {
  const known = new Set(before.statements.map(({ name }) => name));
  return now.statements.filter(({ name }) => name !== undefined && !known.has(name));
}

/**
 * With them goes what stands in front of each that is no code and is not in the original.
 * @param mark What stands where something was taken out.
 */
export function withoutStatements(
  outline: FileOutline,
  items: readonly TheoremItem[],
  original: string,
  mark = '',
): string {
  const { text, sentences } = outline;
  const removed = items.flatMap((item) => {
    const at = sentences[item.sentence]?.span.start;
    const end = sentences[endOfProof(item) - 1]?.span.end;
    if (at === undefined || end === undefined) return [];
    const start = orZero(sentences[item.sentence - 1]?.span.end);
    const kept = tokenise(text.slice(start, at)).filter((comment) => original.includes(comment.text));
    const words = kept.map((comment) => comment.text).join(` ${mark} `);
    return [{ span: { start, end }, text: ` ${mark} ${words} ${mark} ` }];
  });
  return replaced(text, removed);
}

/**
 * A text in which the proofs of these theorems are what they were.
 * @param mark What stands around each of them and its statement.
 */
export function withProofsOf(
  before: FileOutline,
  text: string,
  theorems: readonly string[],
  mark = '',
): string {
  const now = outlineOf(text);
  const changes = theorems.flatMap((theorem) => {
    const old = statementNamed(before, theorem);
    const place = old && sameStatementIn(now, old);
    const span = place && proofSpanOf(now, place);
    const was = old && proofSpanOf(before, old);
    if (place === undefined || span === undefined) return [];
    const { start } = entryAt(now.sentences, place.sentence, 'sentence').span;
    // A bare statement has nothing behind it.
    const proof = was === undefined ? '' : before.text.slice(was.start, was.end);
    return [
      { span: { start, end: start }, text: mark },
      // A dot with a comment right behind it ends nothing.
      { span, text: `${mark}${proof}${mark && ` ${mark}`}` },
    ];
  });
  return replaced(text, changes);
}

interface FinishedProof {
  readonly theorem: string;
  readonly proof: string;
  readonly item: TheoremItem;
  /** The original with this proof and nothing else changed. */
  readonly alone: string;
}

function finishedProofs(
  now: FileOutline,
  original: FileOutline,
  wanted: readonly string[],
): readonly FinishedProof[] {
  return wanted.flatMap((theorem) => {
    const item = statementNamed(original, theorem);
    const place = item && sameStatementIn(now, item);
    const span = place && proofSpanOf(now, place);
    if (span === undefined || item === undefined || place?.hole === 'aborted') return [];
    const proof = now.text.slice(span.start, span.end);
    return [{ theorem, proof, item, alone: replaced(original.text, [splice(original, item, proof)]) }];
  });
}
