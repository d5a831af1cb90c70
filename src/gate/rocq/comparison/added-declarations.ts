/**
 * What only the submission declares: it has definitions and proofs down to the last constant, and was declared with all
 * checks on and under no kernel flag that nothing in the target has.
 */
import { lazyConstant } from '../../../core/lazy-constant.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { BODY, FLAG } from '../compiled/declaration-layout.ts';
import { constantsAndTypes, declaredIn, type InSignature } from '../compiled/declarations.ts';
import { CONTENTS, type KernelLayout } from '../compiled/kernel-layout.ts';
import { field, hasTag, misfit, nameText } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { type ComparisonRequest, NO_FLAGS, type Report, type UncheckedFlag } from './comparison-request.ts';

export class AddedDeclarations {
  readonly #request: ComparisonRequest;
  readonly #layout: KernelLayout;
  readonly #report: Report;
  readonly #flagsOfTarget = lazyConstant(() => new Set(flagsIn(this.#request.target)));

  constructor(request: ComparisonRequest, layout: KernelLayout, report: Report) {
    this.#request = request;
    this.#layout = layout;
    this.#report = report;
  }

  /** What only the submission has. */
  check(name: string, { kind, value }: InSignature): void {
    const layout = this.#layout;
    if (this.#request.mayAdd?.(name) === false) {
      this.#report('added', name, 'It is not in the target.');
      return;
    }
    switch (kind) {
      case 'constant':
      case 'inductive': {
        const body = kind === 'constant' ? layout.constant.of(value, 'body') : undefined;
        if (body !== undefined && !hasTag(body, BODY.opaque) && !hasTag(body, BODY.transparent))
          this.#report('undefined', name, 'It is declared without a definition or proof.');
        this.#checked(name, layout[kind].of(value, 'flags'));
        return;
      }
      case 'rewrite rules':
        // Nobody proves a rule, and it changes what is equal to what everywhere.
        this.#report('checks-disabled', name, 'It extends conversion by rewrite rules.');
        return;
      case 'module':
        this.#addedModule(name, value);
        return;
      case 'module type':
    }
  }

  /**
   * What a module contains, where it contains it itself: what an expression makes (`F X`) comes from modules that were
   * looked at. A declared module has no contents, so it is an axiom. What is inside a functor counts as well.
   */
  #addedModule(name: string, value: OcamlValue): void {
    const layout = this.#layout;
    const contents = layout.contentsOf(value);
    if (contents === CONTENTS.abstract) {
      this.#report('undefined', name, 'The module is declared without contents.');
      return;
    }
    if (hasTag(contents, CONTENTS.expression)) return;
    const signature =
      contents === CONTENTS.signature
        ? layout.module.of(value, 'signature')
        : layout.structureOf(contents).signature;
    for (const inner of declaredIn(layout, signature)) this.check(`${name}.${nameText(inner.label)}`, inner);
  }

  #checked(name: string, flags: OcamlValue): void {
    const { unchecked = NO_FLAGS } = this.#request;
    const missing = CHECKS.filter(({ index, flag }) => field(flags, index) !== 1 && !unchecked.has(flag));
    for (const { what } of missing)
      this.#report('checks-disabled', name, `It was declared without the ${what} check.`);
    if (missing.length === 0 && !this.#flagsOfTarget().has(otherFlags(flags)))
      this.#report(
        'checks-disabled',
        name,
        'It was declared under kernel flags that nothing in the target has.',
      );
  }
}

/** True when the flags differ only in checks that the submission may do without. */
export function uncheckedAsAllowed(
  unchecked: ReadonlySet<UncheckedFlag>,
  target: OcamlValue,
  submission: OcamlValue,
): boolean {
  if (!(target instanceof Block)) return false;
  return target.fields.every(
    (value, index) =>
      value === field(submission, index) ||
      CHECKS.some((check) => check.index === index && unchecked.has(check.flag)),
  );
}

/** All flags but those of the checks that a policy can speak of, and how terms are unfolded. */
function otherFlags(flags: OcamlValue): string {
  if (!(flags instanceof Block)) throw misfit('flags');
  return flags.fields
    .slice(FLAG.oracle + 1)
    .map(String)
    .join();
}

function* flagsIn(file: CompiledFile): Generator<string> {
  const { layout } = compiledLibrary(file);
  for (const { kind, value } of constantsAndTypes(file)) yield otherFlags(layout[kind].of(value, 'flags'));
}

const CHECKS: readonly { readonly what: string; readonly index: number; readonly flag: UncheckedFlag }[] = [
  { what: 'guard', index: FLAG.guarded, flag: 'unchecked-guard' },
  { what: 'positivity', index: FLAG.positive, flag: 'unchecked-positivity' },
  { what: 'universe', index: FLAG.universes, flag: 'unchecked-universes' },
];
