/**
 * What a model is shown of a file and its project: pieces, the most valuable first, as many as fit into a number of
 * tokens. What does not fit is cut to its shorter form or left out, and the text says what is missing and how to
 * read it.
 */
import { counted } from '../../core/counted.ts';
import { estimateTokens } from '../models/prices.ts';

export interface ContextPiece {
  /** The heading under which it stands. Sections and pieces keep the order in which they were collected. */
  readonly section: string;
  /** What it is called when it is left out. */
  readonly name: string;
  readonly text: string;
  /** What still says something: a signature, the first lines. */
  readonly shorter: string | null;
  /** From 0 to 100. */
  readonly value: number;
}

export interface PackedContext {
  readonly text: string;
  readonly tokens: number;
  readonly leftOut: readonly { readonly section: string; readonly name: string }[];
}

/** The part of the room that one piece may take unless it is all that matters. */
const LARGEST_SHARE = 0.5;
const MUST = 90;
const NAMES_LISTED = 12;

export function packContext(pieces: readonly ContextPiece[], room: number): PackedContext {
  const note = noteRoom(pieces, room);
  const chosen = new Map<ContextPiece, string>();
  const headings = new Set<string>();
  let left = room - note;
  const take = (piece: ContextPiece, text: string): boolean => {
    const heading = headings.has(piece.section) ? 0 : estimateTokens(`## ${piece.section}\n\n`);
    const cost = estimateTokens(`${text}\n\n`) + heading;
    if (cost > left) return false;
    left -= cost;
    headings.add(piece.section);
    chosen.set(piece, text);
    return true;
  };
  const byValue = pieces.toSorted((one, other) => other.value - one.value);
  for (const piece of byValue) {
    const { text, shorter, value } = piece;
    const isLarge = value < MUST && estimateTokens(text) > room * LARGEST_SHARE;
    if (!isLarge && take(piece, text)) continue;
    if (shorter !== null && take(piece, shorter)) continue;
    // Of what must be there, at least the beginning.
    if (value >= MUST && left > 60)
      take(piece, cutTo(shorter ?? text, Math.min(left - 30, room * LARGEST_SHARE)));
  }
  const leftOut = pieces
    .filter((piece) => !chosen.has(piece))
    .map(({ section, name }) => ({ section, name }));
  const sections = [...new Set(pieces.map(({ section }) => section))].flatMap((section) => {
    const texts = pieces.flatMap((piece) => (piece.section === section ? (chosen.get(piece) ?? []) : []));
    return texts.length === 0 ? [] : [`## ${section}`, ...texts];
  });
  const text = [...sections, ...(leftOut.length === 0 ? [] : [leftOutText(leftOut)])].join('\n\n');
  return { text, tokens: estimateTokens(text), leftOut };
}

function noteRoom(pieces: readonly ContextPiece[], room: number): number {
  const all = pieces.map(({ section, name }) => ({ section, name }));
  return Math.min(estimateTokens(leftOutText(all)) + 2, Math.floor(room / 6));
}

function leftOutText(leftOut: PackedContext['leftOut']): string {
  const bySection = Map.groupBy(leftOut, ({ section }) => section);
  const lines = [...bySection].map(([section, pieces]) => {
    const names = [...new Set(pieces.map(({ name }) => name))];
    const rest = names.length - NAMES_LISTED;
    const listed = names.slice(0, NAMES_LISTED).join(', ');
    return `- ${section}: ${counted(pieces.length, 'piece')} (${listed}${rest > 0 ? `, and ${rest} more` : ''})`;
  });
  return ['Left out, for want of room; the reading tools show it:', ...lines].join('\n');
}

function cutTo(text: string, tokens: number): string {
  const most = Math.max(0, Math.floor(tokens * 4) - 20);
  return text.length <= most ? text : `${text.slice(0, most)}\n… (cut)`;
}
