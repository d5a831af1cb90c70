/** Tactic steps as ML code for the functions that Quod teaches HOL: see prelude.ts. */
import { QuodError } from '../../../core/errors.ts';
import { type Attribute, parseAttributes } from '../syntax/script-parts.ts';
import type { TacticStep } from '../syntax/tactic.ts';

/**
 * The ML list of the steps.
 * @param code The text that the spans of the steps point into.
 * @param proofAttributes What stands in brackets behind `Proof`: it changes the simplifier for each tactic.
 */
export function stepList(code: string, steps: readonly TacticStep[], proofAttributes = ''): string {
  const wrap = tacticWrapper(parseAttributes(proofAttributes));
  return `[${steps.map((step) => stepCode(code, step, wrap)).join(',\n')}]`;
}

function stepCode(code: string, step: TacticStep, wrap: (tactic: string) => string): string {
  switch (step.kind) {
    case 'tactic':
    case 'list-tactic': {
      const { before, span, after } = step.source;
      const source = `${before}${code.slice(span.start, span.end)}${after}`;
      return step.kind === 'tactic'
        ? `Quod_Port.Frag (goalFrag.expand (fn g => (${wrap(source)}\n) g))`
        : `Quod_Port.Frag (goalFrag.expand_list (fn gs => (${source}\n) gs))`;
    }
    case 'open':
      switch (step.focus) {
        case 'each':
          return 'Quod_Port.Open goalFrag.open_paren';
        case 'first':
          return 'Quod_Port.Open goalFrag.open_then1';
        case 'list':
          return 'Quod_Port.Open goalFrag.open_tacs_to_lt';
        case 'if-any':
          return 'Quod_Port.Open goalFrag.open_null_ok';
      }
    case 'next':
      return 'Quod_Port.Frag goalFrag.next_tacs_to_lt';
    case 'close':
      return 'Quod_Port.Frag goalFrag.close_paren';
  }
}

/** What HOL itself makes of `Proof[exclude_simps = …]`. */
function tacticWrapper(attributes: readonly Attribute[]): (tactic: string) => string {
  const updates = attributes.flatMap(({ name, values }) => {
    const list = `[${values.map((value) => mlString(value)).join(', ')}]`;
    if (name === 'exclude_simps') return [`simpLib.remove_simps ${list}`];
    if (name === 'exclude_frags') return [`simpLib.exclude_ssfrags ${list}`];
    return [];
  });
  if (updates.length === 0) return (tactic) => tactic;
  return (tactic) => `BasicProvers.with_simpset_updates (${updates.join(' o ')}) (${tactic}\n)`;
}

/** A statement as a quotation, between marks that do not occur in it. @throws QuodError `unsupported`. */
export function quotation(statement: string): string {
  for (const [open, close] of [
    ['‘', '’'],
    ['`', '`'],
  ] as const) {
    if (!statement.includes(close)) return `${open}${statement}${close}`;
  }
  throw new QuodError('unsupported', 'The statement has quotation marks of both kinds in it.', {
    remedy: 'Write the quotation marks inside of the statement in one way only.',
  });
}

/** Saves a heap. It holds only what came after the heap before it, and stands on that one: none is dropped alone. */
export function saveHeap(file: string): string {
  return `PolyML.SaveState.saveChild (${mlString(file)}, length (PolyML.SaveState.showHierarchy ()))`;
}

export function mlString(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) =>
    byte < 32 || byte > 126 || byte === 34 || byte === 92
      ? `\\${String(byte).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${escaped.join('')}"`;
}
