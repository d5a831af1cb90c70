import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rocqText } from './testing/random-text.ts';
import { parseTactic } from './tactics.ts';
import { atomsOf, printTactic, type TacticExpression } from './tactic-tree.ts';

/** The tree in one line: atoms as they are, branches by what they are. */
function sketch(tactic: TacticExpression): string {
  if (tactic.kind === 'atom') return tactic.text;
  if (tactic.kind === 'nothing') return '∅';
  const children = tactic.children.map(sketch).join(' | ');
  switch (tactic.kind) {
    case 'sentence':
      return children;
    case 'alternative':
    case 'dispatch':
    case 'choice':
    case 'terminator':
    case 'binder':
      return `${tactic.word}<${children}>`;
    case 'prefix':
    case 'positional':
      return `${tactic.word}${tactic.count}<${children}>`;
    case 'selector':
      return `${tactic.selector}:<${children}>`;
    case 'introduction':
      return `=><${children}>${tactic.patterns.map(({ text }) => text).join(' ')}`;
    case 'sequence':
    case 'parenthesis':
    case 'closed-by':
    case 'conditional':
      return `${tactic.kind}<${children}>`;
  }
}

describe('the tree of', () => {
  it.each([
    ['auto.', 'auto'],
    ['intros x y; auto.', 'sequence<intros x y | auto>'],
    ['try a || b; c.', 'sequence<try<||<a | b>> | c>'],
    ['a + b || c.', '+<a | ||<b | c>>'],
    ['split; [a | b; c | ..].', 'sequence<split | [<a | sequence<b | c> | ∅>>'],
    ['split; [||a|].', 'sequence<split | [<∅ | ∅ | a | ∅>>'],
    ['a; [> b .. | ].', 'sequence<a | [><b | ∅>>'],
    ['first [now a | solve [b] | fail].', 'first<now<a> | solve<b> | fail>'],
    ['2-3, 5: a; b.', 'sequence<2-3, 5:<a> | b>'],
    ['[x]: a.', '[x]:<a>'],
    ['only 1: try a.', 'only 1:<try<a>>'],
    ['do 2 a. ', 'do2<a>'],
    ['do n rewrite b.', 'don<rewrite b>'],
    ['timeout 3 a; time "x" b.', 'sequence<timeout3<a> | time"x"<b>>'],
    ['(a; b) || (c).', '||<parenthesis<sequence<a | b>> | parenthesis<c>>'],
    ['destruct x as [|n [y|z]] eqn:E; auto.', 'sequence<destruct x as [|n [y|z]] eqn:E | auto>'],
    ['exists (fun x => x); refine (a || b).', 'sequence<exists (fun x => x) | refine (a || b)>'],
    ['tryif a then b; c else d; e.', 'sequence<conditional<a | sequence<b | c> | d> | e>'],
    ['assert (a = b) by c; d.', 'sequence<closed-by<assert (a = b) | c> | d>'],
    ['rewrite H in * by a || b.', 'closed-by<rewrite H in * | ||<a | b>>'],
    ['let x := eval red in y in pose x; a.', 'let<sequence<pose x | a>>'],
    [
      'match goal with |- ?x => a; b | _ => let y := x in c end; d.',
      'sequence<match goal with |- ?x => a; b | _ => let y := x in c end | d>',
    ],
    // `by` and `now` take all that follows: measured on coqc 8.16.
    ['by a; b.', 'by<sequence<a | b>>'],
    ['try now a; b.', 'try<now<sequence<a | b>>>'],
    ['a; first by b; c.', 'sequence<a | first<by<sequence<b | c>>>>'],
    ['by [].', 'by<[<∅>>'],
    ['a; last first; last 2 b.', 'sequence<a | last<first> | last2<b>>'],
    ['move=> x [y|z] /=; rewrite -a.', 'sequence<=><move>x [ y | z ] /= | rewrite -a>'],
    ['case: x => [|n] //= + y.', '=><case: x>[ | n ] //= + y'],
    ['=> x.', '=><∅>x'],
    ['do 2!split => //.', 'do2!<=><split>//>'],
    ['do [a|b] => //.', 'do<=><[<a | b>>//>'],
    ['have [x|y] : a + b || c by d; e.', 'closed-by<have [x|y] : a + b || c | sequence<d | e>>'],
    ['do [rewrite a] in b *; c.', 'sequence<do<[<rewrite a>> | c>'],
    ['abstract (a; b) using c; d.', 'sequence<abstract<parenthesis<sequence<a | b>>> | d>'],
    ['move: a; abstract: b.', 'sequence<move: a | abstract: b>'],
    ['set_solver+; set_solver +H; set_solver +.', 'sequence<set_solver+ | set_solver +H | set_solver +>'],
    ['rewrite /+%R a+b.', '+<rewrite /+%R a | b>'],
    ['pose f := if a then b else c; d.', 'sequence<pose f := if a then b else c | d>'],
    ['exact: a || b.', '||<exact: a | b>'],
    ['exact fun x => y => z.', '=><exact fun x => y>z'],
  ])('%s', (text, expected) => {
    const tactic = parseTactic(text);
    expect(sketch(tactic)).toBe(expected);
    expect(printTactic(tactic)).toBe(text);
  });

  it('a sentence knows its ending', () => {
    expect(['a.', 'a...', 'a'].map(parseTactic)).toMatchObject([
      { kind: 'sentence', ending: '.' },
      { kind: 'sentence', ending: '...' },
      { kind: 'sentence', ending: '' },
    ]);
  });

  it('an atom has its head, its arguments and the colon of SSReflect', () => {
    const [atom] = atomsOf(parseTactic('case/orP: (foo x) => //.'));
    expect(atom).toMatchObject({ head: 'case', colon: 2 });
    expect(atom?.arguments.map(({ text }) => text)).toEqual(['/', 'orP', ':', '(', 'foo', 'x', ')']);
  });
});

describe('for any text', () => {
  it('printing gives it back', () => {
    fc.assert(
      fc.property(rocqText, (text) => {
        expect(printTactic(parseTactic(text))).toBe(text);
      }),
    );
  });

  it('a tree has one piece of text more than it has children', () => {
    const check = (tactic: TacticExpression): void => {
      if (tactic.kind === 'atom' || tactic.kind === 'nothing') return;
      expect(tactic.glue).toHaveLength(tactic.children.length + 1);
      tactic.children.forEach(check);
    };
    fc.assert(
      fc.property(rocqText, (text) => {
        check(parseTactic(text));
      }),
    );
  });
});

it('prints a changed leaf in its place', () => {
  const replace = (tactic: TacticExpression): TacticExpression => {
    if (tactic.kind === 'nothing') return tactic;
    if (tactic.kind === 'atom') return tactic.head === 'auto' ? { ...tactic, text: 'eauto' } : tactic;
    return { ...tactic, children: tactic.children.map(replace) };
  };
  expect(printTactic(replace(parseTactic('split; [ (* c *) auto | try (auto) ].')))).toBe(
    'split; [ (* c *) eauto | try (eauto) ].',
  );
});
