import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bracketsAround, counterexampleText, readReport, withoutBrackets } from './candidates.ts';

const said = (...lines: string[]) => lines.map((message) => ({ message }));

describe('the report of a pass', () => {
  it('has the way to what is false, with values on one line', () => {
    const report = readReport(
      said(
        'quod: empty x : R',
        'quod: candidate perhaps',
        'quod: value f := (fun n : nat => match n with\n   | 0 => 1\n   | S _ => 0\n end)',
        'quod: premise',
        'quod: left',
        'quod: value l := [0; 1]',
        'quod: end',
        'quod: tried 12',
      ),
    );
    expect(report.candidates).toEqual([
      {
        certain: false,
        steps: [
          { kind: 'value', name: 'f', value: '(fun n : nat => match n with | 0 => 1 | S _ => 0 end)' },
          { kind: 'premise' },
          { kind: 'left' },
          { kind: 'value', name: 'l', value: '[0; 1]' },
        ],
      },
    ]);
    expect(report.tried).toBe(12);
    expect(report.closed).toBe(false);
    expect(report.withoutValues).toEqual(['x : R']);
  });

  it('says of what has no variables that it was looked at', () => {
    expect(readReport(said('quod: closed', 'quod: tried 0'))).toMatchObject({ closed: true, tried: 0 });
  });

  it('has no candidate that was not printed to its end, and none that lacks a value', () => {
    expect(readReport(said('quod: candidate certain', 'quod: value n := 0')).candidates).toEqual([]);
    expect(readReport(said('quod: candidate certain', 'quod: missing', 'quod: end')).candidates).toEqual([]);
  });

  it('is not disturbed by what else Rocq says', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (noise) => {
        const lines = ['quod: candidate certain', 'quod: value n := 0', 'quod: end'];
        const other = noise.filter((line) => !line.trim().startsWith('quod:'));
        const mixed = lines.flatMap((line) => [...other, line]);
        expect(readReport(said(...mixed)).candidates).toEqual(readReport(said(...lines)).candidates);
      }),
    );
  });
});

describe('brackets', () => {
  it.each([
    ['(fun x : nat => x)', 'superfluous'],
    ['(1, 2)', 'pair'],
    ['((1, 2))', 'superfluous'],
    ['(f x) (g y)', 'none'],
    ['S (S O)', 'none'],
  ])('of %s are %s', (value, kind) => {
    expect(bracketsAround(value)).toBe(kind);
  });

  it('that are taken off are the outermost', () => {
    expect(withoutBrackets('(fun x => (x))')).toBe('fun x => (x)');
    expect(withoutBrackets('(1, 2)')).toBe('(1, 2)');
  });
});

it('a counterexample reads as people write it', () => {
  const steps = [
    { kind: 'value', name: 'n', value: '0' },
    { kind: 'premise' },
    { kind: 'value', name: 'f', value: '(fun _ : nat => 0)' },
  ] as const;
  expect(counterexampleText({ steps })).toBe('n = 0, f = fun _ : nat => 0');
});
