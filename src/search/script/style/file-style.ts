/**
 * How the proofs of a file are written, as far as a proof that is put among them should follow: read from its text
 * alone.
 */
import { countOf } from '../../../core/entry.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { speaksSsreflect } from '../../libraries/dialect.ts';

/** `terse`: as short as people write it. `readable`: what is brought into a proof is named where it is brought in. */
export const PROOF_STYLES = ['terse', 'readable'] as const;

export type ProofStyle = (typeof PROOF_STYLES)[number];

export interface FileStyle {
  /** `rewrite a b` rather than `rewrite a, b`. */
  readonly ssreflect: boolean;
  /** What its authors write in front of a tactic that ends a goal. */
  readonly finisher: 'now' | 'by' | undefined;
  /** The bullets of each depth, outermost first; empty when its proofs do not show any. */
  readonly bullets: readonly string[];
  /** Names of the statements of the file. */
  readonly ownLemmas: ReadonlySet<string>;
}

export interface WantedStyle {
  readonly style: ProofStyle;
  readonly file: FileStyle;
}

/** Once may be an accident. */
const HABIT = 2;

export function fileStyleOf(outline: FileOutline): FileStyle {
  const count = (pattern: RegExp): number =>
    outline.sentences.filter(({ text, role }) => role === 'command' && pattern.test(text)).length;
  const now = count(/^now\s/u);
  const by = count(/^by\s|;\s*by\s/u);
  return {
    ssreflect: speaksSsreflect(outline.text),
    finisher: Math.max(now, by) < HABIT ? undefined : now >= by ? 'now' : 'by',
    bullets: bulletsOf(outline),
    ownLemmas: new Set(
      outline.statements.flatMap(({ name, otherNames }) => (name === undefined ? [] : [name, ...otherNames])),
    ),
  };
}

/** The bullet that most proofs have at each depth. A bullet is deeper than those that are open when it first comes. */
function bulletsOf(outline: FileOutline): string[] {
  const counts: Map<string, number>[] = [];
  for (const { body } of outline.statements) {
    const open: string[] = [];
    let braces = 0;
    for (const { text, role } of outline.sentences.slice(body.first, body.end)) {
      if (role === 'open-brace') braces += 1;
      if (role === 'close-brace') braces -= 1;
      // Inside braces the bullets begin anew.
      if (role !== 'bullet' || braces > 0) continue;
      const known = open.indexOf(text);
      if (known >= 0) open.length = known + 1;
      else open.push(text);
      const depth = (counts[open.length - 1] ??= new Map<string, number>());
      depth.set(text, countOf(depth, text) + 1);
    }
  }
  const bullets: string[] = [];
  for (const depth of counts) {
    const [most] = [...depth]
      .filter(([text]) => !bullets.includes(text))
      .sort((one, other) => other[1] - one[1]);
    if (most === undefined) break;
    bullets.push(most[0]);
  }
  return bullets;
}
