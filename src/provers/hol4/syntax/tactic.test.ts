import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryHeap, arbitraryTactic } from '../testing/random-script.ts';
import { tacticSteps } from './tactic.ts';

function shown(text: string): readonly string[] {
  return tacticSteps(text).map((step) => {
    switch (step.kind) {
      case 'tactic':
      case 'list-tactic': {
        const { before, span, after } = step.source;
        return `${step.kind === 'tactic' ? '' : 'list: '}${before}${text.slice(span.start, span.end)}${after}`;
      }
      case 'open':
        return `open ${step.focus}`;
      case 'next':
      case 'close':
        return step.kind;
    }
  });
}

describe('tactics are taken apart', () => {
  it.each([
    ['simp[]', ['simp[]']],
    ['rw[] >> simp[] \\\\ metis_tac[]', ['rw[]', 'simp[]', 'metis_tac[]']],
    [
      'Cases >- simp[] >- (rw[] >> fs[])',
      ['Cases', 'open first', 'simp[]', 'close', 'open first', 'rw[]', 'fs[]', 'close'],
    ],
    ['a >> (b >- c)', ['a', 'open each', 'b', 'open first', 'c', 'close', 'close']],
    ['a >| [b, c >> d]', ['a', 'open if-any', 'open list', 'b', 'next', 'c', 'd', 'close', 'close']],
    ['a >| bs', ['a', 'list: NULL_OK_LT (TACS_TO_LT (bs))']],
    [
      '‘x = y’ by (rw[] >> fs[]) >> simp[]',
      ['sg (‘x = y’)', 'open first', 'rw[]', 'fs[]', 'close', 'simp[]'],
    ],
    ['`q` suffices_by rw[]', ['sg (`q`)', 'list: REVERSE_LT', 'open first', 'rw[]', 'close']],
    ['reverse (Cases_on ‘x’) >- a', ['Cases_on ‘x’', 'list: REVERSE_LT', 'open first', 'a', 'close']],
    ['a ORELSE b >> c', ['a ORELSE b', 'c']],
    ['a >> TRY (b >> c)', ['a', 'TRY (b >> c)']],
    ['a >> disch_then (fn th => b th >> c)', ['a', 'disch_then (fn th => b th >> c)']],
    ['fn g => a g handle _ => b g', ['fn g => a g handle _ => b g']],
    ['a >~ [‘x’]', ['a', 'list: Q.SELECT_GOAL_LT ([‘x’])']],
    ['(a >> b) >> c', ['a', 'b', 'c']],
    ['Induct_on ‘x’ using foo >> qspec_tac $ bar', ['Induct_on ‘x’ using foo', 'qspec_tac $ bar']],
    ['let val t = a in t >> t end >> b', ['let val t = a in t >> t end', 'b']],
    ['', []],
  ])('%s', (text, steps) => {
    expect(shown(text)).toEqual(steps);
  });

  it('with every parenthesis that is opened closed, and steps that do not end before earlier ones', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryTactic, arbitraryHeap), (text) => {
        let depth = 0;
        let end = 0;
        for (const step of tacticSteps(text)) {
          if (step.kind === 'open') depth += 1;
          if (step.kind === 'close') depth -= 1;
          expect(depth).toBeGreaterThanOrEqual(0);
          expect(step.span.end).toBeGreaterThanOrEqual(end);
          end = step.span.end;
        }
        expect(depth).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });
});
