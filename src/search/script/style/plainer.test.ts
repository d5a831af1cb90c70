/** What the text of a proof suggests to try. Whether it holds is the prover's to say (restyle.test.ts). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { scriptSentences, type ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import { fileStyleOf, type WantedStyle } from './file-style.ts';
import { flattened, isPlainer, plainerScripts } from './plainer.ts';

const FILE = `Lemma own_lemma : True.\nProof. now split. Qed.\nLemma b : True.\nProof. now constructor. Qed.\n`;
const TERSE: WantedStyle = { style: 'terse', file: fileStyleOf(outlineOf(FILE)) };

function tree(...parts: readonly (string | readonly ScriptTree[])[]): ScriptTree {
  const sentences = parts.filter((part) => typeof part === 'string');
  const [children = []] = parts.filter((part) => typeof part !== 'string');
  return { sentences, children };
}

function suggested(script: ScriptTree): string[] {
  return [...plainerScripts(script, TERSE)].map((one) => scriptSentences(one).join(' '));
}

describe('a proof suggests', () => {
  it.each<[string, ScriptTree, string]>([
    ['one chain for rewrites in turn', tree('rewrite a', 'rewrite <- b'), 'rewrite a, <- b.'],
    ['a chain without steps that undo each other', tree('rewrite a, <- a, b'), 'rewrite b.'],
    [
      'a proof without rewrites of which one takes the other back',
      tree('rewrite <- a', 'simpl', 'rewrite a', 'destruct b', 'easy'),
      'simpl. destruct b. easy.',
    ],
    [
      'a proof without steps that need each other',
      tree('apply a', 'destruct b', 'inversion c', 'easy'),
      'apply a. easy.',
    ],
    ['a chain without a step', tree('rewrite a, b, c'), 'rewrite a, c.'],
    ['a repeated step said once', tree('rewrite a, a, b'), 'rewrite !a, b.'],
    ['a step that is made, not tried', tree('rewrite ?a, b'), 'rewrite a, b.'],
    ['a chain in its place', tree('rewrite (f 1, 2), a in H'), 'rewrite a in H.'],
    [
      'a chain whose premises are closed alike',
      tree('rewrite a by lia', 'rewrite b'),
      'rewrite a, b by lia.',
    ],
    [
      'premises closed where they arise',
      tree('rewrite a', [tree('rewrite b', 'easy'), tree('lia')]),
      'rewrite a by lia. rewrite b. easy.',
    ],
    [
      'cases in cases as those of both',
      tree('destruct a', [tree('destruct b; auto'), tree('easy')]),
      'destruct a, b; easy.',
    ],
    ['no equation that may be idle', tree('intros; destruct x eqn:E; auto'), 'intros; destruct x; auto.'],
    [
      'no brackets that say nothing, wherever they stand',
      tree('destruct (c)', [tree('constructor; solve [auto]'), tree('solve [easy]')]),
      'destruct c. { constructor; auto. } { easy. }',
    ],
    ['cases for an induction', tree('induction n as [|n IHn]; auto'), 'destruct n; auto.'],
    ['a constructor for a search', tree('eauto 7 using step'), 'constructor.'],
    ['a search that leaves nothing open', tree('simpl; eauto with arith'), 'simpl; auto with arith.'],
    [
      'a conjunction taken apart as one',
      tree('constructor', [tree('auto'), tree('easy')]),
      'split. { auto. } { easy. }',
    ],
    ['an equation that is used up at once', tree('intros x H', 'subst'), 'intros x ->.'],
    ['an equation inside a pattern', tree('intros [x H]', 'now subst'), 'now intros [x ->].'],
    ['cases where they are brought in', tree('intros x H', 'destruct H'), 'intros x [].'],
    ['a lemma where it is used', tree('pose proof (@l _ x)', 'now destruct H0'), 'now destruct (@l _ x).'],
    ['one of the alternatives', tree('a; first [solve [auto] | by case/p]'), 'a; by case/p.'],
    ['a chain without cases', tree('destruct t; rewrite a b; done'), 'rewrite a b; done.'],
    ['a chain that only brings in', tree('destruct n; rewrite a; done'), 'intros n; rewrite a; done.'],
    ['a finished chain without cases', tree('by destruct t; rewrite a b'), 'by rewrite a b.'],
    ['a chain of steps without one', tree('simpl; subst; lia'), 'simpl; lia.'],
    [
      'what one branch does, without the cases',
      tree('destruct t; simpl', [tree('rewrite a', 'lia'), tree('now rewrite b')]),
      'simpl. rewrite a. lia.',
    ],
    ['a lemma that ends a goal as that step', tree('pose proof (l x)', 'auto'), 'apply l.'],
    ['a lemma whose premises are there', tree('pose proof (@l _ x); easy'), 'apply l; easy.'],
    ['a lemma without what Rocq finds', tree('destruct (@l _ x)'), 'destruct (l x).'],
    [
      'a tactic in front of the cases',
      tree('destruct b', [tree('simpl', 'auto'), tree('simpl', 'lia')]),
      'simpl. destruct b. { auto. } { lia. }',
    ],
    [
      'what is left of a strategy',
      tree('do 6 try (first [solve [auto] | cbn in *]; subst)'),
      'cbn in *; subst; auto.',
    ],
    ['rewrites that a strategy made', tree('do 12 try first [rewrite a | rewrite b]'), 'rewrite !b, !a.'],
  ])('%s', (_, script, expected) => {
    expect(suggested(script)).toContain(expected);
  });

  it('a plain tactic for lemmas of libraries, not for those of its own file or for hypotheses', () => {
    expect(suggested(tree('apply Nat.le_succ_diag_r'))).toContain('lia.');
    expect(suggested(tree('rewrite app_nil_r', 'easy'))).toContain('congruence.');
    expect(suggested(tree('apply own_lemma'))).not.toContain('lia.');
    expect(suggested(tree('rewrite IHn', 'easy'))).not.toContain('congruence.');
  });
});

const SENTENCES = fc.constantFrom(
  'auto',
  'intros x [y H]',
  'rewrite (f x, y), <- a in *',
  'rewrite ?a by lia',
  'destruct (f x) eqn:E; [|easy]',
  'induction n as [|n IHn]',
  'solve [auto | (easy; lia)]',
  'match goal with |- context [match ?x with _ => _ end] => destruct x end; auto',
  'do 6 try (first [solve [auto | cbn] | progress simpl in *]; subst)',
  'pose proof (@lemma _ x)',
  'eauto 7 using a, b',
  'now subst',
  'econstructor',
  'firstorder (subst; eauto)',
);

const SCRIPTS = fc.letrec<{ script: ScriptTree }>((tie) => ({
  script: fc.record({
    sentences: fc.array(SENTENCES, { minLength: 1, maxLength: 3 }),
    children: fc.oneof(
      { maxDepth: 2 },
      fc.constant([]),
      fc.array(tie('script'), { minLength: 1, maxLength: 3 }),
    ),
  }),
})).script;

/** Whether brackets close in the order in which they were opened. */
function isNested(text: string): boolean {
  const open: string[] = [];
  for (const character of text) {
    const opened = '([{'.indexOf(character);
    if (opened >= 0) open.push(')]}'.charAt(opened));
    else if (')]}'.includes(character) && open.pop() !== character) return false;
  }
  return open.length === 0;
}

it('an induction as SSReflect writes it, where the hypothesis is rewritten with first', () => {
  const ssreflect: WantedStyle = { style: 'terse', file: { ...TERSE.file, ssreflect: true } };
  const branches = (...step: string[]): ScriptTree =>
    tree('induction n', [tree('simpl', 'done'), tree('simpl', ...step)]);
  const said = (script: ScriptTree, style: WantedStyle): string[] =>
    [...plainerScripts(script, style)].map((one) => scriptSentences(one).join(' '));
  expect(said(branches('rewrite IHn addn1', 'done'), ssreflect)).toContain(
    'by elim: n => //= n ->; rewrite addn1.',
  );
  expect(said(branches('by rewrite IHn'), ssreflect)).toContain('by elim: n => //= x n ->.');
  expect(said(branches('rewrite addn1 IHn', 'done'), ssreflect).join()).not.toContain('elim');
  expect(said(branches('rewrite IHn', 'done'), TERSE).join()).not.toContain('elim');
});

describe('whatever the proof', () => {
  it('every suggestion has sentences, and brackets that nest', () => {
    fc.assert(
      fc.property(SCRIPTS, (script) => {
        for (const one of plainerScripts(script, TERSE)) {
          const text = scriptSentences(one).join('\n');
          expect(isNested(text), text).toBe(true);
          expect(text).not.toMatch(/undefined|^\.$|;\s*\.$|^\s*;|;\s*;/mu);
        }
      }),
    );
  });

  it('written flat it runs the same sentences', () => {
    fc.assert(
      fc.property(SCRIPTS, (script) => {
        expect(scriptSentences(flattened(script))).toEqual(scriptSentences(script));
      }),
    );
  });

  it('there is an end to becoming plainer: nothing is plainer than what is plainer than it', () => {
    fc.assert(
      fc.property(SCRIPTS, SCRIPTS, SCRIPTS, (one, other, third) => {
        expect(isPlainer(one, one)).toBe(false);
        expect(isPlainer(one, other) && isPlainer(other, one)).toBe(false);
        if (isPlainer(one, other) && isPlainer(other, third)) expect(isPlainer(one, third)).toBe(true);
      }),
    );
  });
});
