/**
 * A tactic as a value. The search builds steps, strategies and scripts of these and asks them what it needs to
 * know; how they are written in Ltac is decided here alone, by {@link tacticText}, and nothing reads that text
 * back. What an author wrote stays the author's text (`written`; authored-tactic.ts takes it apart where that is
 * needed).
 */

export type Tactic =
  /** One tactic that nothing looks into: `destruct n eqn:E` is `destruct` of `n eqn:E`. */
  | { readonly kind: 'atom'; readonly head: string; readonly argument: string }
  /** A tactic of a file or of its libraries, to the letter. */
  | { readonly kind: 'written'; readonly text: string }
  /** `a; b; c`; no part is a sequence itself. */
  | { readonly kind: 'sequence'; readonly parts: readonly Tactic[] }
  | { readonly kind: 'solve'; readonly alternatives: readonly Tactic[] }
  | { readonly kind: 'first'; readonly alternatives: readonly Tactic[] }
  | { readonly kind: 'try'; readonly tactic: Tactic }
  /** The first of the steps that applies, so many times; `tidies`: with what that shows to be equal or absurd. */
  | {
      readonly kind: 'rounds';
      readonly times: number;
      readonly steps: readonly Tactic[];
      readonly tidies: boolean;
    }
  /** As often as possible, what needs no choice. */
  | { readonly kind: 'saturate'; readonly what: Saturation }
  /** One of the hypotheses, the newest first, and then what solves the goal. */
  | { readonly kind: 'some-hypothesis'; readonly use: HypothesisUse; readonly finish: Tactic }
  /** `eauto 7 using a, b`. */
  | { readonly kind: 'using'; readonly tactic: string; readonly lemmas: readonly string[] }
  /** `pose proof (@lemma _ x)`, or without `@` and the arguments that Rocq finds by itself. */
  | {
      readonly kind: 'pose';
      readonly lemma: string;
      readonly everyArgument: boolean;
      readonly arguments: readonly string[];
    }
  /** Takes a derivation of one of the predicates apart, or notes what is `known` of each of them. */
  | {
      readonly kind: 'derivations';
      readonly use: 'destruct' | 'note';
      readonly predicates: readonly string[];
      /** How many arguments each predicate has. */
      readonly places: number;
      readonly known: string;
    }
  /** `firstorder` with a tactic for what it leaves. */
  | { readonly kind: 'firstorder'; readonly leaf: Tactic };

export type Saturation = 'break-hypotheses' | 'merge-equals' | 'take-apart';

/** `give` and `give-next`: the object itself, or the number behind it, is what is said to exist. */
export type HypothesisUse = 'invert' | 'refute' | 'give' | 'give-next';

export function atom(head: string, argument = ''): Tactic {
  return { kind: 'atom', head, argument };
}

export function written(text: string): Tactic {
  return { kind: 'written', text };
}

/** One after the other, each on all goals that the one before left. */
export function sequence(...tactics: readonly Tactic[]): Tactic {
  const parts = tactics.flatMap((tactic) => (tactic.kind === 'sequence' ? tactic.parts : [tactic]));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts };
}

export function solve(...alternatives: readonly Tactic[]): Tactic {
  return { kind: 'solve', alternatives };
}

export function first(...alternatives: readonly Tactic[]): Tactic {
  return { kind: 'first', alternatives };
}

export function using(tactic: string, lemmas: readonly string[]): Tactic {
  return { kind: 'using', tactic, lemmas };
}

const SATURATIONS: Readonly<Record<Saturation, string>> = {
  'break-hypotheses':
    'repeat match goal with H : _ /\\ _ |- _ => destruct H | H : exists _, _ |- _ => destruct H | H : _ \\/ _ |- _ => destruct H | H : {_} + {_} |- _ => destruct H end',
  // Two objects that a rule shows to be equal become one.
  'merge-equals':
    'repeat match goal with a : ?T, b : ?T |- _ => lazymatch type of T with Prop => fail | _ => assert_fails (constr_eq a b) end; assert (a = b) by eauto 3; subst end',
  // Everything that logic can take apart without a choice.
  'take-apart': `repeat first [progress intros | progress subst | ${[
    'H : _ /\\ _ |- _ => destruct H',
    'H : exists _, _ |- _ => destruct H',
    'H : _ \\/ _ |- _ => destruct H',
    '|- _ /\\ _ => split',
    '|- _ <-> _ => split',
    '|- ~ _ => intro',
  ]
    .map((branch) => `match goal with ${branch} end`)
    .join(' | ')}]`,
};

const GOAL_OF_USE: Readonly<Record<HypothesisUse, string>> = {
  ...{ invert: '_', refute: 'False' },
  ...{ give: '_', 'give-next': '_' },
};

/** What is done with the hypothesis itself. */
export function hypothesisStep(use: HypothesisUse, name: string): Tactic {
  switch (use) {
    case 'invert':
      return sequence(atom('inversion', name), atom('subst'));
    case 'refute':
      return atom('eapply', name);
    case 'give':
      return atom('exists', name);
    case 'give-next':
      return atom('exists', `(S ${name})`);
  }
}

/** The tactic in Ltac, without a final dot. */
export function tacticText(tactic: Tactic): string {
  switch (tactic.kind) {
    case 'atom':
      return tactic.argument === '' ? tactic.head : `${tactic.head} ${tactic.argument}`;
    case 'written':
      return tactic.text;
    case 'sequence':
      return tactic.parts.map(tacticText).join('; ');
    case 'solve':
      return `solve [${alternativesText(tactic.alternatives)}]`;
    case 'first':
      return `first [${alternativesText(tactic.alternatives)}]`;
    case 'try':
      return tactic.tactic.kind === 'sequence'
        ? `try (${tacticText(tactic.tactic)})`
        : `try ${tacticText(tactic.tactic)}`;
    case 'rounds': {
      const round = `first [${alternativesText(tactic.steps)}]`;
      return `do ${tactic.times} try ${tactic.tidies ? `(${round}; subst; try discriminate)` : round}`;
    }
    case 'saturate':
      return SATURATIONS[tactic.what];
    case 'some-hypothesis': {
      const inside = sequence(hypothesisStep(tactic.use, 'H'), tactic.finish);
      return `match goal with H : _ |- ${GOAL_OF_USE[tactic.use]} => solve [${tacticText(inside)}] end`;
    }
    case 'using':
      return tactic.lemmas.length === 0
        ? tactic.tactic
        : `${tactic.tactic} using ${tactic.lemmas.join(', ')}`;
    case 'pose':
      return `pose proof (${[`${tactic.everyArgument ? '@' : ''}${tactic.lemma}`, ...tactic.arguments].join(' ')})`;
    case 'derivations':
      return derivationsText(tactic);
    case 'firstorder':
      return `firstorder (${tacticText(tactic.leaf)})`;
  }
}

function derivationsText({
  use,
  predicates,
  places,
  known,
}: Extract<Tactic, { readonly kind: 'derivations' }>): string {
  const given = ' _'.repeat(places);
  const done =
    use === 'destruct'
      ? 'destruct K'
      : `let H := fresh "${known}" in pose proof (${known}${given} K) as H; revert K`;
  const branches = predicates.map((predicate) => `K : ${predicate}${given} |- _ => ${done}`);
  return `${use === 'note' ? 'repeat ' : ''}match goal with ${branches.join(' | ')} end`;
}

function alternativesText(alternatives: readonly Tactic[]): string {
  return alternatives.map(tacticText).join(' | ');
}

/** The tactics that this one is made of, as the text has them in order. */
export function partsOf(tactic: Tactic): readonly Tactic[] {
  switch (tactic.kind) {
    case 'atom':
    case 'written':
    case 'saturate':
    case 'using':
    case 'pose':
    case 'derivations':
      return [];
    case 'sequence':
      return tactic.parts;
    case 'solve':
    case 'first':
      return tactic.alternatives;
    case 'rounds':
      return tactic.steps;
    case 'try':
      return [tactic.tactic];
    case 'some-hypothesis':
      return [tactic.finish];
    case 'firstorder':
      return [tactic.leaf];
  }
}

/** The same tactic of other parts, as many as {@link partsOf} gives. */
export function withParts(tactic: Tactic, change: (part: Tactic, index: number) => Tactic): Tactic {
  switch (tactic.kind) {
    case 'atom':
    case 'written':
    case 'saturate':
    case 'using':
    case 'pose':
    case 'derivations':
      return tactic;
    case 'sequence':
      return { ...tactic, parts: tactic.parts.map(change) };
    case 'solve':
    case 'first':
      return { ...tactic, alternatives: tactic.alternatives.map(change) };
    case 'rounds':
      return { ...tactic, steps: tactic.steps.map(change) };
    case 'try':
      return { ...tactic, tactic: change(tactic.tactic, 0) };
    case 'some-hypothesis':
      return { ...tactic, finish: change(tactic.finish, 0) };
    case 'firstorder':
      return { ...tactic, leaf: change(tactic.leaf, 0) };
  }
}

/** What a sequence begins with, or the tactic itself. */
export function beginningOf(tactic: Tactic): Tactic {
  const [begin] = tactic.kind === 'sequence' ? tactic.parts : [];
  return begin === undefined ? tactic : beginningOf(begin);
}
