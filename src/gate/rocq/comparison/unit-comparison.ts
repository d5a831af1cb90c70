/**
 * Compares the compiled target with the compiled submission, declaration by declaration, as the kernel holds them.
 *
 * Promise: when there is no difference, every declaration of the target is in the submission with the same meaning (type,
 * body, inductive types, modules, kernel flags), every statement of `provable` has a proof there, and what the submission
 * adds contains no axiom and was checked with all kernel checks on. Opaque bodies that are not the target's are listed
 * (`otherBodies`), and axioms that have become lemmas: they may be so only where the type is a proposition, which whoever
 * asks has to find out.
 * Nothing of Rocq runs here, so there is nothing that the submission could have redefined.
 *
 * Not compared: what a proof demands of universe levels beyond the target (`lostOrders` tells what it does not demand);
 * the order in a polymorphic statement that names no levels; binder names.
 */
import { Turn } from '../../../core/concurrency/turn.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declaredIn, declaredNames, type InSignature } from '../compiled/declarations.ts';
import { KernelEquality } from './kernel-equality.ts';
import { AddedDeclarations, uncheckedAsAllowed } from './added-declarations.ts';
import { type ComparisonRequest, type Difference, NO_FLAGS } from './comparison-request.ts';
import { copiedBodies, type IsCopied } from './copied-bodies.ts';
import { demandsTheSame, isSettledWithProof } from './polymorphic-levels.ts';
import { CONTENTS, type KernelLayout, SIGNATURE } from '../compiled/kernel-layout.ts';
import { field, hasTag, misfit, type Shape, nameText } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { isObligation, premisesKept, takingAll, withoutBinders } from './left-out-premises.ts';
import { hasAliasesOf } from './module-aliases.ts';
import { OpaqueBodies } from './opaque-bodies.ts';
import { type Terms, withoutUnusedLets } from './substitution.ts';
import { levelOrders, lostOrders, type LevelOrder } from './universe-constraints.ts';
import { boundModule } from '../compiled/term-layout.ts';

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Constants of the target, opaque or without a body there, whose body in the submission is another. */
  readonly otherBodies: readonly string[];
  /**
   * What the target demands of universe levels and the submission does not.
   * @param libraries what they demand holds for the submission, too.
   */
  lostOrders(libraries: readonly CompiledFile[]): readonly LevelOrder[];
}

/** @throws MalformedValue when a file does not have the known layout, TooMuchWork. */
export async function compareUnits(request: ComparisonRequest): Promise<Comparison> {
  const target = compiledLibrary(request.target);
  const submission = compiledLibrary(request.submission);
  const { layout } = target;
  if (submission.layout !== layout) throw misfit('a file of the same release');
  const { name } = target;
  if (!new KernelEquality(0, request.work).same({ kind: 'anything' }, name, submission.name)) {
    const message = 'The two files were compiled under different names.';
    const difference = { kind: 'definition-changed' as const, subject: '', message };
    return { differences: [difference], otherBodies: [], lostOrders: () => [] };
  }
  const comparison = new UnitComparison(request, layout, new KernelEquality(name, request.work, layout));
  await comparison.library(target.library, submission.library);
  return comparison;
}

/** What a declaration stands in. */
interface Around {
  /**
   * By itself, in the signature behind which a module is hidden, or in a module made from others. What stays open elsewhere may
   * have no proof in a signature; in what is derived proofs may be there or not, for the others were compared.
   */
  readonly place: 'own' | 'signature' | 'derived';
  /** A module type, or a module without contents: what fulfils it has to have all that stands there. */
  readonly closed: boolean;
}

class UnitComparison implements Comparison {
  readonly differences: Difference[] = [];
  readonly otherBodies: string[] = [];
  readonly #request: ComparisonRequest;
  readonly #layout: KernelLayout;
  readonly #terms: Terms;
  readonly #equality: KernelEquality;
  readonly #additions: AddedDeclarations;
  /** Of declarations between which others have their turn. */
  readonly #turn = new Turn();
  readonly #declared = lazyConstant(() => declaredNames(this.#request.target));
  readonly #isCopied: IsCopied;
  readonly #bodies: Readonly<Record<'target' | 'submission', OpaqueBodies>>;

  constructor(request: ComparisonRequest, layout: KernelLayout, equality: KernelEquality) {
    const { target, submission } = request;
    this.#request = request;
    this.#bodies = { target: new OpaqueBodies(target), submission: new OpaqueBodies(submission) };
    this.#layout = layout;
    this.#terms = { layout, work: request.work };
    this.#equality = equality;
    this.#isCopied = copiedBodies(request);
    this.#additions = new AddedDeclarations(request, layout, (...reported) => this.#report(...reported));
  }

  lostOrders(libraries: readonly CompiledFile[]): readonly LevelOrder[] {
    const { target, submission } = this.#request;
    const counterpart = (level: string) => this.#equality.counterpartOf(level);
    return lostOrders(levelOrders(target), [submission, ...libraries].flatMap(levelOrders), counterpart);
  }

  #report(kind: Difference['kind'], subject: string, message: string): void {
    this.differences.push({ kind, subject, message });
  }

  async library(target: OcamlValue, submission: OcamlValue): Promise<void> {
    const layout = this.#layout;
    const of = layout.library;
    await this.#module('', of.of(target, 'module'), of.of(submission, 'module'));
    const [here, there] = [layout.declaredSorts(target), layout.declaredSorts(submission)];
    if (
      here !== undefined &&
      there !== undefined &&
      !this.#equality.same(here.shape, here.value, there.value)
    )
      this.#report(
        'definition-changed',
        '',
        'It declares other sorts than the target, or eliminates others.',
      );
    const rules = layout.allowsRewriteRules(submission) && !layout.allowsRewriteRules(target);
    if (rules && this.#request.unchecked?.has('rewrite-rules') !== true)
      this.#report('checks-disabled', '', 'It allows rewrite rules, by a library that it requires.');
  }

  async #module(
    path: string,
    target: OcamlValue,
    submission: OcamlValue,
    around: Around = { place: 'own', closed: false },
  ): Promise<void> {
    const layout = this.#layout;
    const [here, there] = [layout.contentsOf(target), layout.contentsOf(submission)];
    const isExpression = hasTag(here, CONTENTS.expression);
    const within: Around = {
      place: isExpression ? 'derived' : around.place,
      closed: around.closed || here === CONTENTS.abstract,
    };
    if (here instanceof Block ? !hasTag(there, here.tag) : here !== there) {
      this.#report('definition-changed', path, 'The module is not made as in the target.');
      return;
    }
    const of = layout.module;
    for (const [part, shape] of of.entries) {
      const [ours, theirs] = [of.of(target, part), of.of(submission, part)];
      if (part === 'signature' || (part === 'contents' && !isExpression)) continue;
      if (part === 'aliases') this.#aliases(path, ours, theirs);
      else if (!this.#equality.same(shape, ours, theirs))
        this.#report('definition-changed', path, `The module is not made as in the target (${part}).`);
    }
    const sealed = hasTag(here, CONTENTS.structure);
    if (sealed) {
      const [ours, theirs] = [layout.structureOf(here), layout.structureOf(there)];
      // A module without aliases has no such field, or an empty map, which OCaml writes as 0.
      const { aliases = 0 } = ours;
      const { aliases: others = 0 } = theirs;
      if (aliases !== 0) this.#aliases(path, aliases, others);
      await this.#signature(path, ours.signature, theirs.signature, within);
    }
    const [ours, theirs] = [of.of(target, 'signature'), of.of(submission, 'signature')];
    await this.#signature(path, ours, theirs, sealed ? { ...within, place: 'signature' } : within);
  }

  #aliases(path: string, target: OcamlValue, submission: OcamlValue): void {
    const declares = (name: string) => this.#declared().has(name);
    if (!hasAliasesOf(this.#layout, this.#equality, { target, submission, declares }))
      this.#report('definition-changed', path, "The module's aliases differ from the target.");
  }

  async #moduleType(
    name: string,
    target: OcamlValue,
    submission: OcamlValue,
    { place }: Around,
  ): Promise<void> {
    const of = this.#layout.moduleType;
    for (const [part, shape] of of.entries) {
      if (part === 'signature') continue;
      if (!this.#equality.same(shape, of.of(target, part), of.of(submission, part)))
        this.#report('definition-changed', name, 'The module type is not made as in the target.');
    }
    const within: Around = { place, closed: true };
    await this.#signature(name, of.of(target, 'signature'), of.of(submission, 'signature'), within);
  }

  async #signature(path: string, target: OcamlValue, submission: OcamlValue, around: Around): Promise<void> {
    let [here, there] = [target, submission];
    while (hasTag(here, SIGNATURE.functor) && hasTag(there, SIGNATURE.functor)) {
      const parameter = [boundModule, this.#layout.moduleType.shape].every((shape, index) =>
        this.#equality.same(shape, field(here, index), field(there, index)),
      );
      if (!parameter)
        this.#report('definition-changed', path, 'The parameters of the functor differ from the target.');
      [here, there] = [field(here, 2), field(there, 2)];
    }
    if (!hasTag(here, SIGNATURE.plain) || !hasTag(there, SIGNATURE.plain)) {
      this.#report('definition-changed', path, 'The functor has other parameters than in the target.');
      return;
    }
    const inside = (label: string) => (path === '' ? nameText(label) : `${path}.${nameText(label)}`);
    const theirs = new Map([...declaredIn(this.#layout, there)].map((one) => [one.key, one]));
    const known = new Set<string>();
    for (const declaration of declaredIn(this.#layout, here)) {
      const { key, label } = declaration;
      known.add(key);
      if (this.#turn.isOver) await this.#turn.pass();
      const counterpart = theirs.get(key);
      if (counterpart !== undefined) await this.#declaration(inside(label), declaration, counterpart, around);
      else this.#report('missing', inside(label), 'The declaration of the target is missing.');
    }
    for (const declaration of theirs.values()) {
      const { key, label } = declaration;
      if (known.has(key)) continue;
      if (around.closed)
        this.#report(
          'definition-changed',
          inside(label),
          'Nothing may be added to a module type, nor to what is declared to have one.',
        );
      else if (around.place !== 'derived') this.#additions.check(inside(label), declaration);
    }
  }

  async #declaration(
    name: string,
    { kind, value: left }: InSignature,
    { kind: theirs, value: right }: InSignature,
    around: Around,
  ): Promise<void> {
    const layout = this.#layout;
    if (kind !== theirs) {
      this.#report('definition-changed', name, 'The declaration is of another kind than in the target.');
      return;
    }
    switch (kind) {
      case 'constant':
        this.#constant(name, left, right, around.place);
        return;
      case 'module':
        await this.#module(name, left, right, around);
        return;
      case 'module type':
        await this.#moduleType(name, left, right, around);
        return;
      case 'inductive':
        if (!this.#equality.same(layout.inductive.shape, left, right))
          this.#report('definition-changed', name, 'The inductive type is not the one of the target.');
        return;
      case 'rewrite rules':
        if (!this.#equality.same(layout.rewriteRules, left, right))
          this.#report('definition-changed', name, 'The rewrite rules are not those of the target.');
    }
  }

  #constant(name: string, target: OcamlValue, submission: OcamlValue, place: Around['place']): void {
    const of = this.#layout.constant;
    const provable = this.#request.provable(name) || this.#request.open(name);
    const changed = provable ? 'statement-changed' : 'definition-changed';
    const [here, there] = [of.of(target, 'body'), of.of(submission, 'body')];
    // What no proof settles stands as it was assumed: whatever rests on it takes all that it says for granted.
    const mayBeSettled = provable && !hasTag(there, BODY.undefined);
    const settled =
      mayBeSettled &&
      !this.#request.demandsAll(name) &&
      isSettledWithProof(this.#layout, of.of(target, 'universes'), of.of(submission, 'universes'));
    const compareTypes = () =>
      this.#equality.same(this.#layout.term, of.of(target, 'type'), of.of(submission, 'type'));
    let isKept: readonly boolean[] = [];
    const hasType = (): boolean => {
      if (this.#request.mayTakeFewer !== undefined) {
        if (!this.#request.mayTakeFewer(name)) return this.#equality.asNamed(compareTypes);
        if (this.#equality.attempt(compareTypes)) return true;
        const kept = this.#premisesKept(name, target, submission);
        if (kept !== undefined) isKept = kept;
        return kept !== undefined;
      }
      if (settled) return this.#equality.specialising(compareTypes);
      if (!mayBeSettled || !hasTag(here, BODY.undefined)) return compareTypes();
      const isStated = this.#request.stated?.(name) === true;
      if (isObligation(name) && !isStated) return this.#hasPremises(name, target, submission);
      return this.#equality.attempt(compareTypes) || this.#equality.merging(compareTypes);
    };
    if (!hasType()) {
      this.#report(changed, name, 'Its type is not the one of the target.');
      return;
    }
    let bodyShape: Shape = { kind: 'anything' };
    for (const [part, shape] of of.entries) {
      if (part === 'body') bodyShape = shape;
      if (part === 'type' || part === 'body') continue;
      if (part === 'universes' && settled) continue;
      const [ours, theirs] = [of.of(target, part), of.of(submission, part)];
      if (this.#equality.same(shape, ours, theirs)) continue;
      const universes = { target: ours, submission: theirs, saysAll: this.#request.demandsAll(name) };
      const mayDemand = part === 'universes' && mayBeSettled;
      if (mayDemand && demandsTheSame(this.#layout, this.#equality, universes)) continue;
      if (part === 'flags') {
        if (uncheckedAsAllowed(this.#request.unchecked ?? NO_FLAGS, ours, theirs)) continue;
        this.#report('checks-disabled', name, 'It was checked under other kernel flags than in the target.');
      } else this.#report(changed, name, 'Its universes or its kind differ from the target.');
    }
    const proved = hasTag(there, BODY.opaque) || hasTag(there, BODY.transparent);
    if (hasTag(here, BODY.undefined) && (provable || place === 'derived')) {
      const mayBeOpen = place !== 'own' || this.#request.open(name);
      if (!proved && !(mayBeOpen && hasTag(there, BODY.undefined))) {
        this.#report('undefined', name, 'It has no proof.');
      }
      // What nobody asked for may be proved; a value for it would be the submission's choice, where it has none.
      const isGiven = proved && place !== 'derived' && !this.#request.provable(name);
      if (isGiven && this.#request.mayChange?.(name) !== true) this.otherBodies.push(name);
    } else if (hasTag(here, BODY.undefined) && hasTag(there, BODY.opaque)) {
      // Copies of a hole are such: what `Include` makes of a functor in which the hole is.
      this.otherBodies.push(name);
    } else if (hasTag(here, BODY.opaque)) {
      if (!proved)
        this.#report('undefined', name, 'It has a proof in the target and none in the submission.');
      else if (this.#request.mayChange?.(name) !== true && !this.#sameOpaqueBody(here, there)) {
        // Where nobody can look into a proof, it does not matter which one it is.
        if (hasTag(there, BODY.opaque)) this.otherBodies.push(name);
        else
          this.#report('definition-changed', name, 'Its proof can be unfolded, and in the target it cannot.');
      }
    } else if (hasTag(here, BODY.transparent) && this.#request.mayChange?.(name) === true) {
      if (!proved)
        this.#report('undefined', name, 'It has a value in the target and none in the submission.');
    } else if (
      !this.#equality.attempt(() => this.#equality.same(bodyShape, here, there)) &&
      !this.#equality.attempt(() =>
        this.#equality.same(bodyShape, this.#shortened(here), this.#shortened(there)),
      ) &&
      !this.#isCopied(name, bodyShape, there) &&
      !this.#takesFewer(isKept, here, there)
    ) {
      this.#report('definition-changed', name, 'Its body is not the one of the target.');
    }
  }

  /**
   * Whether a hole of `Program` has its type, or is proved without premises that the proof does not use. `Program` writes its uses
   * otherwise then: for the hole stands, in what follows, a function of all premises that is made of the proof.
   */
  #hasPremises(name: string, target: OcamlValue, submission: OcamlValue): boolean {
    const isKept = this.#premisesKept(name, target, submission);
    // Which proof it is does not matter where it is one of a proposition.
    if (isKept?.includes(false) === true) this.otherBodies.push(name);
    return isKept !== undefined;
  }

  /** From now on the target's constant stands for the submission's, taking what that one does not take. */
  #premisesKept(name: string, target: OcamlValue, submission: OcamlValue): readonly boolean[] | undefined {
    const typeOf = (of: OcamlValue) => withoutUnusedLets(this.#terms, this.#layout.constant.of(of, 'type'));
    // Of local definitions in the proof it writes into the type, too.
    const [all, some] = [typeOf(target), typeOf(submission)];
    const kept = (byName: boolean) =>
      premisesKept(this.#terms, this.#equality, { ours: all, theirs: some, byName });
    const isKept = (this.#request.mayTakeFewer !== undefined ? kept(true) : undefined) ?? kept(false);
    if (isKept === undefined) return undefined;
    this.#equality.replace(name, (proof, count) => takingAll(all, isKept, proof, count));
    return isKept;
  }

  #takesFewer(isKept: readonly boolean[], here: OcamlValue, there: OcamlValue): boolean {
    if (!isKept.includes(false) || !hasTag(here, BODY.transparent) || !hasTag(there, BODY.transparent))
      return false;
    const [all, some] = [here, there].map((body) => withoutUnusedLets(this.#terms, field(body, 0)));
    if (all === undefined || some === undefined) return false;
    const ours = withoutBinders(this.#terms, all, isKept);
    return this.#equality.attempt(() => this.#equality.same(this.#layout.term, ours, some));
  }

  /** A body without local definitions that it does not use. */
  #shortened(body: OcamlValue): OcamlValue {
    if (!hasTag(body, BODY.transparent) || !(body instanceof Block)) return body;
    return new Block(BODY.transparent, [withoutUnusedLets(this.#terms, field(body, 0))]);
  }

  /** `here` is opaque, `there` has a body of either kind. */
  #sameOpaqueBody(here: Block, there: OcamlValue): boolean {
    const ours = this.#bodies.target.bodyOf(here);
    const theirs = hasTag(there, BODY.opaque) ? this.#bodies.submission.bodyOf(there) : undefined;
    if (ours?.kind === 'of-library' && theirs?.kind === 'of-library')
      return this.#equality.attempt(() => this.#equality.sameButGenerated(ours.reference, theirs.reference));
    if (ours?.kind !== 'own' || theirs?.kind !== 'own') return false;
    return this.#equality.asWritten(
      () =>
        this.#equality.sameButGenerated(ours.origin, theirs.origin) &&
        this.#equality.same(this.#layout.term, ours.term, theirs.term) &&
        this.#equality.sameButGenerated(ours.universes, theirs.universes),
    );
  }
}
