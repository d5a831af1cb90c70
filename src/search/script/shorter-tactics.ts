/**
 * What may stand for a tactic in a shorter proof: one alternative of those it ends with, fewer lemmas, one piece less.
 * Each is strictly smaller, and most are wrong: the prover is asked about all of them.
 */
import { piecesOf, shapeOf, splitTopLevel } from '../candidates/authored-tactic.ts';
import { partsOf, sequence, withParts, written, type Tactic } from '../candidates/tactic.ts';

/** The ones that save most first. */
export function* shorterTactics(tactic: Tactic): Generator<Tactic> {
  if (tactic.kind === 'written') {
    for (const text of shorterTexts(tactic.text)) yield written(text);
    return;
  }
  const pieces = piecesOf(tactic);
  const before = pieces.slice(0, -1);
  const end = pieces.at(-1);
  const last = end && shapeOf(end);
  // Several goals may reach the end of a strategy that chooses before, and want different alternatives.
  if ((last?.kind === 'solve' || last?.kind === 'first') && !before.some(chooses))
    for (const alternative of last.alternatives) {
      const shape = shapeOf(alternative);
      const inner = shape.kind === 'solve' ? shape.alternatives : [alternative];
      if (inner.length === 1) yield sequence(...before, ...inner);
    }
  yield* withFewerLemmas(tactic);
  if (pieces.length > 1) for (const index of pieces.keys()) yield sequence(...pieces.toSpliced(index, 1));
  for (const [index, piece] of pieces.entries())
    for (const plain of plainPieces(piece)) yield sequence(...pieces.with(index, plain));
}

function chooses(tactic: Tactic): boolean {
  switch (tactic.kind) {
    case 'solve':
    case 'first':
    case 'rounds':
    case 'some-hypothesis':
      return true;
    case 'saturate':
      return tactic.what === 'take-apart';
    case 'written':
      return /(?:first|solve) \[/u.test(tactic.text);
    default:
      return partsOf(tactic).some(chooses);
  }
}

/** Without the first list of lemmas, then without single lemmas of the last. */
function* withFewerLemmas(tactic: Tactic): Generator<Tactic> {
  const lists = [...lemmaLists(tactic)];
  const [first] = lists;
  if (first === undefined) return;
  yield replaced(tactic, first, first.kind === 'using' ? { ...first, lemmas: [] } : withoutUsing(first));
  const last = lists.at(-1);
  if (last?.kind !== 'using' || last.lemmas.length < 2) return;
  for (const index of last.lemmas.keys())
    yield replaced(tactic, last, { ...last, lemmas: last.lemmas.toSpliced(index, 1) });
}

type LemmaList = Extract<Tactic, { readonly kind: 'using' | 'written' }>;

function* lemmaLists(tactic: Tactic): Generator<LemmaList> {
  if (tactic.kind === 'using') {
    if (tactic.lemmas.length > 0) yield tactic;
  } else if (tactic.kind === 'written') {
    if (USING.test(tactic.text)) yield tactic;
  } else for (const part of partsOf(tactic)) yield* lemmaLists(part);
}

function replaced(tactic: Tactic, part: Tactic, instead: Tactic): Tactic {
  return tactic === part ? instead : withParts(tactic, (inner) => replaced(inner, part, instead));
}

const USING = / using [^;|)\]]+/u;

function withoutUsing({ text }: Extract<Tactic, { readonly kind: 'written' }>): Tactic {
  return written(text.replace(USING, ''));
}

/** `t` for `try t`, and `(lemma x)` for `(@lemma _ x)`. */
function* plainPieces(piece: Tactic): Generator<Tactic> {
  if (piece.kind === 'written') for (const text of plainTexts(piece.text)) yield written(text);
  if (piece.kind === 'try') {
    if (piece.tactic.kind !== 'pose') return;
    yield piece.tactic;
    for (const plain of plainPieces(piece.tactic)) yield { ...piece, tactic: plain };
  }
  if (piece.kind !== 'pose' || !piece.everyArgument) return;
  const given = piece.arguments.findIndex((argument) => argument !== '_');
  yield { ...piece, everyArgument: false, arguments: given < 0 ? [] : piece.arguments.slice(given) };
}

/** The same for what an author wrote, by its text. */
function* shorterTexts(text: string): Generator<string> {
  const { before, inside } = /^(?<before>.*?)(?:first|solve) \[(?<inside>.*)\]$/su.exec(text)?.groups ?? {};
  if (before !== undefined && inside !== undefined)
    for (const alternative of splitTopLevel(inside, '|')) {
      const bare = alternative.replace(/^solve \[(.*)\]$/su, '$1').trim();
      if (bare !== '') yield before + bare;
    }
  if (USING.test(text)) yield text.replace(USING, '');
  const { head, list } = /^(?<head>.*\busing )(?<list>[^;]+)$/su.exec(text)?.groups ?? {};
  if (head !== undefined && list !== undefined) {
    const names = list.split(',').map((name) => name.trim());
    if (names.length > 1) for (const index of names.keys()) yield head + names.toSpliced(index, 1).join(', ');
  }
  const pieces = splitTopLevel(text, ';');
  if (pieces.length > 1) for (const index of pieces.keys()) yield pieces.toSpliced(index, 1).join('; ');
  for (const [index, piece] of pieces.entries())
    for (const plain of plainTexts(piece)) yield pieces.with(index, plain).join('; ');
}

function* plainTexts(text: string): Generator<string> {
  if (text.startsWith('try pose proof')) yield text.slice('try '.length);
  const posed = /^(?<before>(?:try )?pose proof \()@(?<name>\S+)(?: _)*(?<rest>.*)$/su.exec(text)?.groups;
  const { before, name, rest } = posed ?? {};
  if (before !== undefined && name !== undefined && rest !== undefined) yield before + name + rest;
}
