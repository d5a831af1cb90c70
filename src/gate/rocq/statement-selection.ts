/**
 * Which statements of a target are to be proved, and which may stay open. What is asked for is read from the target's
 * text, which is trusted; what it is called, and what is an axiom of the target, the compiled reference says.
 */
import { orNothing } from '../../core/entry.ts';
import { lazyConstant } from '../../core/lazy-constant.ts';
import type { Span } from '../../core/position.ts';
import { lastPart, qualifierOf } from '../../core/qualified-name.ts';
import { scopesAround, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { notInTarget } from '../policy-names.ts';
import type { Verdict } from '../verdict.ts';
import { isObligation } from './comparison/left-out-premises.ts';
import { originals } from './comparison/name-pairs.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import type { DeclaredConstant } from './compiled/declarations.ts';
import { PARAMETER } from './compiled/module-paths.ts';
import { unknown } from './judgement.ts';
import type { OpenStatement } from './libraries/open-elsewhere.ts';
import { conjectures } from './text/conjectures.ts';
import { isLeftOpen, isLeftWithout } from './finished-proofs.ts';
import type { Script, Statement } from './text/script.ts';
import type { MayStayOpen } from './text/text-findings.ts';

/** What is to be proved: every hole, statements by their names in the kernel, or by the sentences that state them. */
export type Asked =
  | { readonly kind: 'all-holes' }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'sentences'; readonly sentences: readonly number[] };

/** What the submission is, beside proofs of what is asked. */
export interface Extent {
  /** Whether it may require libraries that the target does not require. */
  readonly libraries: boolean;
  /** What it may declare that the target does not, as far as the policy lets it. */
  readonly additions: 'any' | 'by-tactics' | 'none';
  /** Where only tactics may add: lemmas that it may declare besides, by their names in the kernel. */
  readonly lemmas?: ReadonlySet<string>;
  /** Where its proofs are, when they are all that it changes: they are made of tactics then. */
  readonly proofs?: readonly Span[];
}

/** What the reference declares, by what the judge makes of it. All names are those of the kernel. */
export interface Selection {
  readonly provable: ReadonlySet<string>;
  /** Holes that need not be proved; copies, and what else the compiled file does not tell from axioms, are `perhaps`. */
  readonly open: ReadonlyMap<string, OpenStatement>;
  /** What the target declares without a proof, for good. */
  readonly axioms: ReadonlySet<string>;
  /** Of what is to be proved, and is a copy: of what, as in `originals`. */
  readonly copied: ReadonlyMap<string, string>;
}

export class StatementsAsked {
  readonly #target: Script;
  readonly #asked: Asked;
  readonly #wanted: ReadonlySet<TheoremItem>;
  /** Those that show as holes and are none. */
  readonly #finished: ReadonlySet<TheoremItem>;
  readonly #conjectures: () => ReadonlySet<string>;

  private constructor(
    target: Script,
    asked: Asked,
    { wanted, finished }: Record<'wanted' | 'finished', ReadonlySet<TheoremItem>>,
  ) {
    this.#target = target;
    this.#asked = asked;
    this.#wanted = wanted;
    this.#finished = finished;
    this.#conjectures = lazyConstant(() => conjectures(target));
  }

  /**
   * A verdict when it cannot be said what is to be proved.
   * @param finished those that show as holes and are none.
   */
  static in(
    target: Script,
    asked: Asked,
    finished: ReadonlySet<TheoremItem> = new Set(),
  ): StatementsAsked | Verdict {
    const attempts = new Map(
      target.statements.flatMap((statement, index) => {
        const again = statedAgain(target, statement, target.statements.slice(index + 1));
        return again === undefined ? [] : [[statement, again] as const];
      }),
    );
    for (const [{ name, names, item }, { inTheSameWords }] of attempts) {
      const matters =
        asked.kind === 'all-holes' ||
        (asked.kind === 'names' && asked.names.some((wanted) => names.includes(wanted)));
      if (matters && !inTheSameWords)
        return unknown(
          'invalid-input',
          `The target gives up ${name} at ${placeOf(target, item.sentence)} and states another ${name} later: it does not say ` +
            'which is to be proved. Give one of them another name.',
        );
    }
    const untold = asked.kind === 'all-holes' ? givenUpUntold(target) : undefined;
    if (untold !== undefined)
      return unknown(
        'unsupported',
        `The target gives up ${orNothing(untold.name)} at ${placeOf(target, untold.sentence)}, and what ${untold.keyword} declares ` +
          'cannot be told from its text: it cannot be asked for. Leave it out, or state it as a Lemma; or name the statements that are asked for.',
      );
    const real = target.statements.filter((statement) => !attempts.has(statement));
    const names = new Set<string>();
    for (const { name } of real) {
      if (names.has(name)) return unknown('invalid-input', `The target states ${name} twice.`);
      names.add(name);
    }
    const wanted = new Set(itemsAsked(target, real, asked, (item) => isLeftWithout(item, finished)));
    if (asked.kind === 'sentences') {
      const lost = asked.sentences.find(
        (sentence) => ![...wanted].some((item) => item.sentence === sentence),
      );
      if (lost !== undefined) return unknown('not-found', 'There is no statement at the place asked for.');
    }
    const local = [...wanted].find(({ keyword }) => keyword.startsWith('Let'));
    if (local !== undefined)
      return unknown(
        'unsupported',
        `What \`Let\` declares at ${placeOf(target, local.sentence)} becomes part of what follows, so it cannot be ` +
          'judged by itself. State it as a Lemma.',
      );
    if (wanted.size === 0 && asked.kind === 'sentences') return NOTHING_TO_PROVE;
    return new StatementsAsked(target, asked, { wanted, finished });
  }

  /** Whether no sentence states what is to be proved: the compiled target may have holes all the same. */
  get statesNothing(): boolean {
    return this.#wanted.size === 0 && this.#asked.kind === 'all-holes';
  }

  /** Whether the statement is a hole, which the reference has without a proof. */
  isHole = (item: TheoremItem): boolean =>
    isLeftWithout(item, this.#finished) && (item.hole !== 'aborted' || this.#wanted.has(item));

  /** Whether it is one that declares something without a proof. */
  isLeftOpen = (item: TheoremItem): boolean => isLeftOpen(item, this.#finished);

  /** Whether it is one, or to be proved anew: a proof that does not compile is no proof. */
  isAdmitted = (item: TheoremItem): boolean => this.#wanted.has(item) || this.isHole(item);

  /** Statements that the target gives up, and that are to be proved: what it says behind them is read without them. */
  get aborted(): readonly TheoremItem[] {
    return [...this.#wanted].filter(({ hole }) => hole === 'aborted');
  }

  get mayStayOpen(): MayStayOpen {
    const { outline, statements } = this.#target;
    const open = new Set(
      outline.statements.filter((item) => this.isAdmitted(item) && !this.#wanted.has(item)),
    );
    const named = new Set(statements.filter(({ item }) => open.delete(item)).flatMap(({ names }) => names));
    return { named: (name) => named.has(name), nameless: open.size > 0 };
  }

  /** @param constants what the reference declares, in order. @param file the reference. */
  in(constants: readonly DeclaredConstant[], file: CompiledFile): Selection | Verdict {
    const known = new Set(constants.map(({ name }) => name));
    const statementOf = new Map(this.#target.statements.map((statement) => [statement.item, statement]));
    const provable = new Set<string>();
    const open = new Map<string, OpenStatement>();
    const copied = new Map<string, string>();
    const nameless: TheoremItem[] = [];
    for (const item of this.#target.outline.statements) {
      if (!this.isAdmitted(item)) continue;
      const statement = statementOf.get(item);
      if (statement === undefined) nameless.push(item);
      else
        for (const name of statement.names)
          if (this.#wanted.has(item)) provable.add(name);
          else open.set(name, 'admitted');
    }
    const absent = [...provable].find((name) => !known.has(name));
    if (absent !== undefined) return unknown('unsupported', `The compiled target does not have ${absent}.`);
    const undefinedOnes = constants.filter(
      ({ name, assumed, inModuleType }) =>
        assumed !== undefined &&
        assumed !== 'axiom' &&
        !inModuleType &&
        !provable.has(name) &&
        !open.has(name),
    );
    // What no sentence states, and is no copy of what is declared elsewhere.
    const holes = undefinedOnes.filter(
      ({ name, assumed }) =>
        assumed !== 'copy' && !this.#conjectures().has(name) && !MADE_BY_TACTICS.test(lastPart(name)),
    );
    // Admitted all at once, they are holes that no sentence states.
    const obligations =
      this.#asked.kind === 'all-holes' && admitsObligations(this.#target)
        ? holes.map(({ name }) => name).filter(isObligation)
        : [];
    for (const name of obligations) provable.add(name);
    const others = holes.filter(({ name }) => !provable.has(name));
    const unknownYet =
      obligations.length === 0 ? nameless : nameless.filter(({ keyword }) => !/Obligation/.test(keyword));
    if (unknownYet.length > 0) {
      const problem = this.#addNameless(unknownYet, others, provable, open);
      if (problem !== undefined) return problem;
    }
    if (this.#asked.kind === 'all-holes')
      for (const { name } of others) if (!open.has(name)) provable.add(name);
    // What is left has no proof, and need not get one.
    const left = undefinedOnes.filter(({ name }) => !provable.has(name) && !open.has(name));
    for (const { name, assumed } of left) open.set(name, assumed === 'admitted' ? 'admitted' : 'perhaps');
    if (provable.size === 0 && this.#asked.kind === 'all-holes') return NOTHING_TO_PROVE;
    if (this.#asked.kind === 'names') {
      const missing = notInTarget('statement', this.#asked.names, known);
      if (missing !== undefined) return unknown('not-found', missing);
      const copies = this.#asked.names.length === 0 ? new Map<string, string>() : originals(file);
      for (const name of this.#asked.names) {
        const original = copies.get(name);
        if (original?.startsWith(PARAMETER) === true)
          return unknown(
            'invalid-input',
            `${name} is a parameter of a functor, by another name: it is given, not proved.`,
          );
        if (original !== undefined) copied.set(name, original);
        for (const one of original !== undefined && known.has(original) ? [name, original] : [name]) {
          provable.add(one);
          open.delete(one);
        }
      }
    }
    const axioms = constants.flatMap(({ name, body }) =>
      (body === 'undefined' || body === 'other') && !provable.has(name) && !open.has(name) ? [name] : [],
    );
    return { provable, open, axioms: new Set(axioms), copied };
  }

  /**
   * Statements to which the prover gives the name (`Goal`, obligations): in the order of the text they are what the
   * reference declares in their module without a proof and not as axioms. Both have to be as
   * many.
   */
  #addNameless(
    nameless: readonly TheoremItem[],
    candidates: readonly DeclaredConstant[],
    provable: Set<string>,
    open: Map<string, OpenStatement>,
  ): Verdict | undefined {
    const moduleOf = (item: TheoremItem): string => this.#target.placeOf(item).modules.join('.');
    for (const module of new Set(nameless.map(moduleOf))) {
      const items = nameless.filter((item) => moduleOf(item) === module);
      const found = candidates.filter(({ name }) => qualifierOf(name) === module);
      const wanted = items.find((item) => this.#wanted.has(item));
      if (found.length !== items.length && wanted !== undefined)
        return unknown(
          'unsupported',
          `The statement at ${placeOf(this.#target, wanted.sentence)} has no name of its own, and the compiled target ` +
            'does not show which it is. Give it a name.',
        );
      for (const [index, { name }] of found.entries()) {
        const item = items[index];
        if (item !== undefined && this.#wanted.has(item)) provable.add(name);
        else open.set(name, 'admitted');
      }
    }
    return undefined;
  }
}

/** What `abstract` leaves without a proof in Rocq 8.16, where it is used in a definition. */
const MADE_BY_TACTICS = /^ltac_gen_/u;

const NOTHING_TO_PROVE = unknown('invalid-input', 'The target has no statement to prove: leave one open.');

function admitsObligations({ outline }: Script): boolean {
  return outline.heads.some(({ kind }) => kind === 'admit-obligations');
}

/**
 * Whether a statement that is given up was only an attempt: what is stated later under its name, in the same place, is
 * the statement. In other words it is another one.
 */
function statedAgain(
  target: Script,
  { item, names }: Statement,
  later: readonly Statement[],
): { readonly inTheSameWords: boolean } | undefined {
  if (item.hole !== 'aborted') return undefined;
  const others = later.filter((other) => other.names.some((name) => names.includes(name)));
  if (others.length === 0) return undefined;
  const said = (one: TheoremItem): string => {
    const tokens = target.tokens(one.sentence);
    return tokens.slice(tokens.indexOf(orNothing(one.name))).join(' ');
  };
  const around = (one: TheoremItem): string =>
    scopesAround(target.outline, one.sentence)
      .map(({ opened }) => opened)
      .join(' ');
  return {
    inTheSameWords: others.every(
      (other) => said(other.item) === said(item) && around(other.item) === around(item),
    ),
  };
}

/** A statement with a name that is given up, for good, and that the kernel calls nobody can tell how. */
function givenUpUntold({ statements, outline }: Script): TheoremItem | undefined {
  const told = new Set(statements.map(({ item }) => item));
  return outline.statements.find(
    (item, index) =>
      item.hole === 'aborted' &&
      item.name !== undefined &&
      !told.has(item) &&
      !outline.statements.slice(index + 1).some(({ name }) => name === item.name),
  );
}

function itemsAsked(
  target: Script,
  real: readonly Statement[],
  asked: Asked,
  isOpen: (item: TheoremItem) => boolean,
): readonly TheoremItem[] {
  switch (asked.kind) {
    case 'all-holes': {
      const named = new Set(target.statements.map(({ item }) => item));
      const nameless = target.outline.statements.filter(
        (item) => !named.has(item) && isOpen(item) && item.hole !== 'aborted',
      );
      return [...real.map(({ item }) => item).filter(isOpen), ...nameless];
    }
    case 'names':
      return real
        .filter(({ names }) => names.some((name) => asked.names.includes(name)))
        .map(({ item }) => item);
    case 'sentences':
      return target.outline.statements.filter(({ sentence }) => asked.sentences.includes(sentence));
  }
}

/** `line:column` */
function placeOf(script: Script, sentence: number): string {
  const { line, column } = script.positionOf(sentence);
  return `${line}:${column}`;
}
