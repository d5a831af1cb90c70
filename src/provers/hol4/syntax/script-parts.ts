/** What a script consists of, as the parser answers it. */
import type { Span } from '../../../core/position.ts';
import type { Cheat } from './cheats.ts';
import type { ItemKind } from './script-words.ts';

/** The smallest piece that HOL executes by itself. */
export interface ScriptItem {
  readonly kind: ItemKind;
  readonly span: Span;
  /** What it declares, when that is one name. */
  readonly name?: string;
}

export interface Attribute {
  readonly name: string;
  readonly values: readonly string[];
}

export type TheoremForm =
  | 'Theorem'
  | 'Triviality'
  /** `Theorem x = value`: no tactic proof. */
  | 'Theorem ='
  | 'Resume'
  | 'store_thm'
  | 'prove'
  | 'save_thm'
  /** The termination proof of a definition. */
  | 'Termination';

export interface ScriptTheorem {
  readonly form: TheoremForm;
  readonly name: string;
  /** The whole declaration. */
  readonly span: Span;
  readonly attributes: readonly Attribute[];
  /** The statement without its quotation marks, where it stands in one quotation. */
  readonly statement?: Span;
  /** The tactic, with the blanks around it; absent where there is none. */
  readonly proof?: Span;
  /** Uses of `cheat` and its like in the proof, in code, not in comments or terms. */
  readonly cheats: readonly Cheat[];
  /** True when the name is visible to theories built on this one. */
  readonly exported: boolean;
  /** Stands inside `local … in … end` or a structure. */
  readonly nested: boolean;
}

export interface ScriptProblem {
  readonly message: string;
  readonly span: Span;
}

export interface TheoryHeader {
  readonly name: string;
  readonly ancestors: readonly string[];
  readonly libraries: readonly string[];
}

export interface Script {
  readonly text: string;
  readonly items: readonly ScriptItem[];
  readonly theorems: readonly ScriptTheorem[];
  /** Uses of `cheat`, `mk_thm`, `new_axiom` and their like in the whole file. */
  readonly cheats: readonly Cheat[];
  readonly problems: readonly ScriptProblem[];
  readonly header: TheoryHeader | undefined;
}

/** The attributes of `[simp, local, ind = name]`. */
export function parseAttributes(text: string): readonly Attribute[] {
  const inside = text
    .replace(/\(\*[\s\S]*?\*\)/g, ' ')
    .trim()
    .replace(/^\[|\]$/g, '');
  return inside
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', values] = part.split('=').map((side) => side.trim());
      return {
        name,
        values: values === undefined ? [] : values.split(/\s+/).filter((value) => value !== ''),
      };
    });
}
