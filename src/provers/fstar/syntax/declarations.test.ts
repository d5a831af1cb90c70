import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputOf, queriesOf } from '../testing/recordings.ts';
import { fstarLikeText } from '../testing/random-text.ts';
import { MessageReader } from '../protocol/messages.ts';
import { readSegments } from '../protocol/answers.ts';
import { LineIndex } from '../../../core/position.ts';
import { parseDeclarations } from './declarations.ts';
import { modulesMentioned, pragmaOptions, signatureOf } from './declaration-parts.ts';

const declarationText = fc.oneof(
  fstarLikeText,
  fc
    .array(
      fc.constantFrom(
        'module A\n',
        'open B.C\n',
        'let f x = let y = x in y\n',
        'val f : int -> int\n',
        '(* c *)',
        '// d\n',
        'type t = | A | B\n',
        'type t =\n',
        '[@@ inline_let]\n',
        'private ',
        'assume ',
        'let rec g = 1 and h = 2\n',
        '#push-options "--lax"\n',
        'match x with\n',
        'in ',
        '(',
        ')',
        'begin ',
        'end ',
        '= ',
        'x ',
      ),
      { maxLength: 20 },
    )
    .map((pieces) => pieces.join('')),
);

it('cuts every text into fragments that are the text again', () => {
  fc.assert(
    fc.property(declarationText, (text) => {
      const declarations = parseDeclarations(text);
      const fragments = declarations.map(({ fragmentStart, fragmentEnd }) =>
        text.slice(fragmentStart, fragmentEnd),
      );
      expect(fragments.join('')).toBe(declarations.length === 0 ? '' : text);
      for (const { start, end, keyword, fragmentStart, fragmentEnd } of declarations) {
        expect(fragmentStart <= start && start <= keyword && keyword <= end && end <= fragmentEnd).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

it('finds the declarations that a real F* found', () => {
  const { code } = queriesOf('basic.jsonl').get('2')?.args as { code: string };
  const [segments] = new MessageReader().push(outputOf('basic.jsonl')).flatMap((message) => {
    return message.kind === 'response' && message.queryId === '2' ? [readSegments(message.response)] : [];
  });
  const lines = new LineIndex(code);
  expect(parseDeclarations(code).map(({ keyword }) => lines.printedAt(keyword))).toEqual(
    segments?.map(({ start }) => start),
  );
});

function shapes(text: string): readonly string[] {
  return parseDeclarations(text).map(({ kind, names, qualifiers }) =>
    [kind, ...qualifiers, ...names].join(' '),
  );
}

describe('tells top-level declarations from local ones', () => {
  it.each([
    ['let a = let b = 1 in b let c = 2', ['let a', 'let c']],
    ['let f x = match x with | A -> 1 | B -> 2\nlet g = 1', ['let f', 'let g']],
    ['let f x = match x with\nlet g = 1', ['let f', 'let g']],
    ['type empty =\nlet g = 1', ['type empty', 'let g']],
    ['let is = Cons?\nlet g = 1', ['let is', 'let g']],
    ['let f = [@inline_let] let x = 1 in x\nlet g = 1', ['let f', 'let g']],
    ['let p = forall x. {:pattern (f x)} let y = x in q y\nlet g = 1', ['let p', 'let g']],
    ['let f = begin\nlet x = 1 in x end let g = 1', ['let f', 'let g']],
    ['let f () = let! x = g () in x\nlet h = 1', ['let f', 'let h']],
    ['let valueOf x = x\nlet g = 1', ['let valueOf', 'let g']],
    ['val f : a:Type u#0 -> a\nlet f a = a', ['val f', 'let f']],
    ['let f x : Tot int = if x then let y = 1 in y else 2 let g = 1', ['let f', 'let g']],
    ['let open_ = 1 let f = let open B in c let g = 2', ['let open_', 'let f', 'let g']],
  ])('%j', (text, expected) => {
    expect(shapes(text)).toEqual(expected);
  });
});

describe('knows what is declared', () => {
  it.each([
    ['module A.B', 'module A.B'],
    ['module C = A.B', 'module-abbreviation C'],
    ['open FStar.Mul', 'open FStar.Mul'],
    ['friend A.B', 'friend A.B'],
    ['let rec even x = let rec a = 1 and b = 2 in a and odd y = 1', 'let rec even odd'],
    ['let (a, b) : int * int = p', 'let a b'],
    ['let ( + ) x y = x', 'let +'],
    ['let _ = assert True', 'let'],
    ['type a = | A and b = | B', 'type a b'],
    ['noeq type r = { f : int }', 'type noeq r'],
    ['[@@ "a"; b] private unfold let x = 1', 'let private unfold x'],
    ['assume val x : int', 'val assume x'],
    ['assume Ax : 1 == 2', 'assume assume Ax'],
    ['assume new type t : Type0', 'type assume new t'],
    ['exception E of string', 'exception E'],
    ['class c a = { f : a }', 'class c'],
    ['instance i : c int = { f = 1 }', 'instance i'],
    ['%splice[a; b] (t ())', 'splice a b'],
    ['#push-options "--z3rlimit 10"', 'pragma'],
    ['new_effect { ST : a:Type -> Effect with repr = x }', 'effect ST'],
    ['sub_effect A ~> B = l', 'effect A'],
    ['#lang-pulse\nfn f () { admit () }', 'blob'],
  ])('%j', (text, expected) => {
    expect(shapes(text)).toEqual([expected]);
  });

  it('with decorations, comments around it and its signature', () => {
    const text = '(* c *)\n[@@ a] // b\nlet f (x:int) : Tot int = x (* d *)\n(* e *)\nval g : int';
    const [first, second] = parseDeclarations(text);
    if (first === undefined || second === undefined) throw new Error('two declarations');
    expect(text.slice(first.start, first.end)).toBe('[@@ a] // b\nlet f (x:int) : Tot int = x');
    expect(text.slice(first.fragmentStart, first.fragmentEnd)).toBe(text.slice(0, text.indexOf('(* e')));
    expect(text.slice(second.fragmentStart, second.fragmentEnd)).toBe('(* e *)\nval g : int');
    expect(first.attributes).toEqual(['[@@ a]']);
    expect(signatureOf(first)).toBe('[@@ a] let f (x:int) : Tot int');
  });

  it('and which options a pragma sets', () => {
    const options = parseDeclarations('#set-options "--a \\"b\\""\n#reset-options\n#pop-options').map(
      pragmaOptions,
    );
    expect(options).toEqual(['--a "b"', undefined, undefined]);
  });
});

it('names the modules that F* must load', () => {
  const text =
    'module A\nopen B.C\nmodule D = E.F\nlet x = G.H.y + D.z // I.j\nlet s = "K.l"\nlet c = Some 1';
  expect([...modulesMentioned(parseDeclarations(text))].sort()).toEqual(['B.C', 'D', 'E.F', 'G.H']);
});
