/**
 * Reads the answer of `Print Assumptions`. Anything that is not one of the known forms makes the answer unreadable: the
 * judge then says `unknown`, never `accepted`.
 */
import { onOneLine } from '../../../core/sentence.ts';

export interface PrintedAssumptions {
  readonly axioms: readonly PrintedAxiom[];
  /** What was declared without a kernel check, one phrase each. */
  readonly disabledChecks: readonly string[];
}

export interface PrintedAxiom {
  /** As printed: the shortest name that leads to the axiom where it was asked. */
  readonly name: string;
  /** On one line; empty where a signature hides what it says. */
  readonly type: string;
}

/** The whole answer when there are none. */
const CLOSED = 'Closed under the global context';
const NAME = String.raw`[\p{L}\p{N}_'.]+`;
const AXIOM = new RegExp(String.raw`^(${NAME})\s+:(?:\s|$)`, 'u');
const USE = new RegExp(String.raw`^\s*used in ${NAME} to prove`, 'u');
const LONE_NAME = new RegExp(String.raw`^(${NAME})$`, 'u');
const UNCHECKED = new RegExp(
  String.raw`^${NAME} (?:is assumed to be (?:positive|guarded)|relies on (?:an unsafe hierarchy|definitional UIP)).*$`,
  'u',
);

export function parseAssumptions(answer: string): PrintedAssumptions | undefined {
  const text = answer.trim();
  if (text === CLOSED) return { axioms: [], disabledChecks: [] };
  const axioms: { readonly name: string; type: string }[] = [];
  const disabledChecks: string[] = [];
  let heading: 'axioms' | 'theory' | undefined;
  let awaitsColon = false;
  let isInType = false;
  for (const line of text.split('\n')) {
    if (line === 'Axioms:') heading = 'axioms';
    else if (line === 'Theory:') heading = 'theory';
    else if (line.trim() === '') continue;
    // Of an axiom without inhabitants Rocq says what it was used for.
    else if (heading === 'axioms' && axioms.length > 0 && !awaitsColon && USE.test(line)) isInType = false;
    else if (/^\s/.test(line)) {
      // The rest of an entry that did not fit in its line.
      if (heading !== 'axioms' || axioms.length + disabledChecks.length === 0) return undefined;
      if (awaitsColon && !/^\s+:/.test(line)) return undefined;
      const axiom = axioms.at(-1);
      if (isInType && axiom !== undefined)
        axiom.type = onOneLine(`${axiom.type} ${awaitsColon ? line.replace(':', '') : line}`);
      awaitsColon = false;
    } else if (heading === 'theory') disabledChecks.push(line);
    else if (heading === 'axioms') {
      const lone = LONE_NAME.exec(line)?.[1];
      const named = AXIOM.exec(line);
      const axiom = named?.[1] ?? lone;
      awaitsColon = lone !== undefined;
      isInType = axiom !== undefined;
      if (axiom !== undefined)
        axioms.push({ name: axiom, type: named === null ? '' : onOneLine(line.slice(named[0].length)) });
      else if (UNCHECKED.test(line)) disabledChecks.push(line);
      else return undefined;
    } else return undefined;
  }
  return heading === undefined ? undefined : { axioms, disabledChecks };
}

/** By what names the constants in the answer of `Locate Term` are printed, and their full names. */
export function parseLocated(answer: string): (readonly [printed: string, full: string])[] {
  const entry = new RegExp(
    String.raw`^Constant\s+(${NAME})(?!\S)(?:\s+\(shorter name to refer to it in current context is\s+(${NAME})\))?`,
    'gmu',
  );
  return [...answer.matchAll(entry)].map(([, full = '', shorter = full]) => [shorter, full]);
}
