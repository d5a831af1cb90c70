/** Names in the text of tactics and goals: finding them, and making new ones that are not taken. */

/** A name without dots. */
export const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_']*$/u;

export interface TacticWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /"(?:[^"]|"")*"|\(\*.*?\*\)|@?[\p{L}_][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)*/gsu;

/** The identifiers of a tactic, qualified names whole, with their places. */
export function tacticWords(tactic: string): TacticWord[] {
  const words: TacticWord[] = [];
  for (const match of tactic.matchAll(WORD)) {
    const text = match[0];
    if (text.startsWith('"') || text.startsWith('(*')) continue;
    words.push({ text, start: match.index, end: match.index + text.length });
  }
  return words;
}

/** The base, or what is like it with a number behind it, that is not taken. */
export function freshName(base: string, taken: ReadonlySet<string>): string {
  const stem = base.replace(/\d+$/u, '');
  for (let index = 0; ; index += 1) {
    const name = `${stem}${index}`;
    if (!taken.has(name)) return name;
  }
}

/** `H`, or what is like it and not taken. */
export function freshHypothesis(taken: ReadonlySet<string>, from: number): string {
  if (from === 0 && !taken.has('H')) return 'H';
  return freshName('H', taken);
}
