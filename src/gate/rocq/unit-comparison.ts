/**
 * Compares the compiled target with the compiled submission, declaration by declaration, as the kernel holds them.
 *
 * Promise: when there is no finding, every declaration of the target is in the submission with the same meaning (type,
 * body where it is transparent, inductive types, modules, kernel flags), every statement of `provable` has a proof
 * there, and what the submission adds contains no axiom and was checked with all kernel checks on.
 * Nothing of Rocq runs here, so there is nothing that the submission could have redefined.
 *
 * Not compared: constraints between universe levels (a proof may add some), binder names, opaque proofs.
 */
import { withoutOuterBinder } from './binder-dropping.ts';
import type { CompiledFile } from './compiled-file.ts';
import { field, KernelEquality, listElements, misfit } from './kernel-equality.ts';
import {
  BODY,
  boundModule,
  CONSTANT,
  constantFields,
  CONTENTS,
  FIELD,
  FLAG,
  inductive,
  INDUCTIVE_FLAGS,
  LIBRARY,
  MODULE,
  moduleFields,
  moduleType,
  moduleTypeFields,
  SIGNATURE,
  term,
  TERM,
  type Shape,
} from './kernel-layout.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';

export interface Difference {
  readonly kind: 'statement-changed' | 'definition-changed' | 'missing' | 'undefined' | 'checks-disabled';
  /** Qualified by the modules inside the file. */
  readonly subject: string;
  readonly message: string;
}

export interface ComparisonRequest {
  readonly target: CompiledFile;
  readonly submission: CompiledFile;
  /** Statements of the target without a proof in `target`, which must have one in the submission. */
  readonly provable: (name: string) => boolean;
  /** Statements that stay open: in the submission they may have a proof or none. */
  readonly open: (name: string) => boolean;
  /** Provable statements whose proof chooses which variables of its section it uses. */
  readonly inSection: (name: string) => boolean;
}

export interface Dependency {
  /** `Coq.Lists.List` */
  readonly name: string;
  /** What identifies the compiled file. */
  readonly digest: string;
}

/** All libraries that a compiled file was made with. */
export function dependencies(file: CompiledFile): Dependency[] {
  const array = field(compiledLibrary(file), LIBRARY.dependencies);
  if (!(array instanceof Block)) return [];
  return array.fields.map((dependency) => ({
    name: [...listElements(field(dependency, 0))].map(text).reverse().join('.'),
    digest: text(field(field(dependency, 1), 0)),
  }));
}

/** @throws MalformedValue when a file does not have the known layout. */
export function compareUnits(request: ComparisonRequest): Difference[] {
  const [target, submission] = [compiledLibrary(request.target), compiledLibrary(request.submission)];
  const name = field(target, LIBRARY.name);
  const comparison = new Comparison(request, new KernelEquality(name));
  if (!new KernelEquality(0).same({ kind: 'anything' }, name, field(submission, LIBRARY.name))) {
    return [
      {
        kind: 'definition-changed',
        subject: '',
        message: 'The two files were compiled under different names.',
      },
    ];
  }
  comparison.module('', field(target, LIBRARY.module), field(submission, LIBRARY.module));
  return comparison.differences;
}

class Comparison {
  readonly differences: Difference[] = [];
  readonly #request: ComparisonRequest;
  readonly #equality: KernelEquality;

  constructor(request: ComparisonRequest, equality: KernelEquality) {
    this.#request = request;
    this.#equality = equality;
  }

  #report(kind: Difference['kind'], subject: string, message: string): void {
    this.differences.push({ kind, subject, message });
  }

  module(path: string, target: OcamlValue, submission: OcamlValue): void {
    const [here, there] = [field(target, MODULE.contents), field(submission, MODULE.contents)];
    const sealed = here instanceof Block && here.tag === CONTENTS.structure;
    const derived = here instanceof Block && here.tag === CONTENTS.expression;
    if (!sameConstructor(here, there)) {
      this.#report('definition-changed', path, 'The module is not made as in the target.');
      return;
    }
    for (const [index, shape] of moduleFields.entries()) {
      if (index === MODULE.signature && !sealed) continue;
      if (index === MODULE.contents && !derived) continue;
      if (!this.#equality.same(shape, field(target, index), field(submission, index))) {
        this.#report(
          'definition-changed',
          path,
          `The module's ${MODULE_PARTS[index] ?? 'form'} differ from the target.`,
        );
      }
    }
    if (sealed) this.#signature(path, field(here, 0), field(there, 0), derived);
    else this.#signature(path, field(target, MODULE.signature), field(submission, MODULE.signature), derived);
  }

  #moduleType(name: string, target: OcamlValue, submission: OcamlValue, derived: boolean): void {
    for (const [index, shape] of moduleTypeFields.entries()) {
      if (index === MODULE.signature) continue;
      if (!this.#equality.same(shape, field(target, index), field(submission, index))) {
        this.#report('definition-changed', name, 'The module type is not made as in the target.');
      }
    }
    this.#signature(name, field(target, MODULE.signature), field(submission, MODULE.signature), derived);
  }

  #signature(path: string, target: OcamlValue, submission: OcamlValue, derived: boolean): void {
    let [here, there] = [target, submission];
    while (hasTag(here, SIGNATURE.functor) && hasTag(there, SIGNATURE.functor)) {
      const parameter = [boundModule, moduleType].every((shape, index) =>
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
    const inside = (label: string) => (path === '' ? utf8(label) : `${path}.${utf8(label)}`);
    const theirs = new Map(declarations(field(there, 0)));
    const known = new Set<string>();
    for (const [label, declaration] of declarations(field(here, 0))) {
      known.add(label);
      const counterpart = theirs.get(label);
      if (counterpart !== undefined) this.#declaration(inside(label), declaration, counterpart, derived);
      else this.#report('missing', inside(label), 'The declaration of the target is missing.');
    }
    for (const [label, declaration] of theirs) {
      if (!known.has(label) && !derived) this.#added(inside(label), declaration);
    }
  }

  /** `derived`: in a module made from others, which were compared themselves; proofs may be there or not. */
  #declaration(name: string, target: Block, submission: Block, derived: boolean): void {
    const [left, right] = [field(target, 0), field(submission, 0)];
    if (target.tag !== submission.tag) {
      this.#report('definition-changed', name, 'The declaration is of another kind than in the target.');
    } else if (target.tag === FIELD.constant) this.#constant(name, left, right, derived);
    else if (target.tag === FIELD.module) this.module(name, left, right);
    else if (target.tag === FIELD.moduleType) this.#moduleType(name, left, right, derived);
    else if (!this.#equality.same(inductive, left, right)) {
      this.#report('definition-changed', name, 'The inductive type is not the one of the target.');
    }
  }

  #constant(name: string, target: OcamlValue, submission: OcamlValue, derived: boolean): void {
    const provable = this.#request.provable(name) || this.#request.open(name);
    const changed = provable ? 'statement-changed' : 'definition-changed';
    if (!this.#sameType(name, provable, target, submission)) {
      this.#report(changed, name, 'Its type is not the one of the target.');
      return;
    }
    for (const [index, shape] of constantFields.entries()) {
      if (index === CONSTANT.type || index === CONSTANT.body) continue;
      if (this.#equality.same(shape, field(target, index), field(submission, index))) continue;
      if (index === CONSTANT.flags) {
        this.#report('checks-disabled', name, 'It was checked under other kernel flags than in the target.');
      } else this.#report(changed, name, 'Its universes or its kind differ from the target.');
    }
    const [here, there] = [field(target, CONSTANT.body), field(submission, CONSTANT.body)];
    const proved = hasTag(there, BODY.opaque) || hasTag(there, BODY.transparent);
    if (hasTag(here, BODY.undefined) && (provable || derived)) {
      const mayBeOpen = derived || this.#request.open(name);
      if (!proved && !(mayBeOpen && hasTag(there, BODY.undefined))) {
        this.#report('undefined', name, 'It has no proof.');
      }
    } else if (hasTag(here, BODY.opaque)) {
      if (!proved)
        this.#report('undefined', name, 'It has a proof in the target and none in the submission.');
    } else if (!this.#equality.same(bodyShape, here, there)) {
      this.#report('definition-changed', name, 'Its body is not the one of the target.');
    }
  }

  #sameType(name: string, provable: boolean, target: OcamlValue, submission: OcamlValue): boolean {
    const [ours, theirs] = [field(target, CONSTANT.type), field(submission, CONSTANT.type)];
    if (!provable || !this.#request.inSection(name)) return this.#equality.same(term, ours, theirs);
    return sameButUnusedPremises(this.#equality, ours, theirs);
  }

  /** What only the submission has. */
  #added(name: string, declaration: Block): void {
    const value = field(declaration, 0);
    switch (declaration.tag) {
      case FIELD.constant: {
        const body = field(value, CONSTANT.body);
        if (!hasTag(body, BODY.opaque) && !hasTag(body, BODY.transparent)) {
          this.#report('undefined', name, 'It is declared without a definition or proof.');
        }
        this.#checked(name, field(value, CONSTANT.flags));
        return;
      }
      case FIELD.inductive:
        this.#checked(name, field(value, INDUCTIVE_FLAGS));
        return;
      case FIELD.module: {
        const signature = field(value, MODULE.signature);
        if (field(value, MODULE.contents) !== CONTENTS.signature || !hasTag(signature, SIGNATURE.plain)) {
          this.#report('definition-changed', name, 'The submission adds a module that is not a plain one.');
          return;
        }
        for (const [label, inner] of declarations(field(signature, 0)))
          this.#added(`${name}.${utf8(label)}`, inner);
        return;
      }
      case FIELD.moduleType:
        return;
      default:
        throw misfit('a declaration');
    }
  }

  #checked(name: string, flags: OcamlValue): void {
    for (const [what, index] of [
      ['guard', FLAG.guarded],
      ['positivity', FLAG.positive],
      ['universe', FLAG.universes],
    ] as const) {
      if (field(flags, index) !== 1)
        this.#report('checks-disabled', name, `It was declared without the ${what} check.`);
    }
  }
}

const bodyShape: Shape = constantFields[CONSTANT.body] ?? { kind: 'anything' };
const MODULE_PARTS: Readonly<Record<number, string>> = {
  0: 'path',
  [MODULE.contents]: 'contents',
  [MODULE.signature]: 'signature',
  3: 'defining expression',
  4: 'aliases',
  5: 'registered constants',
};
/** Above this many ways to leave out unused premises the statements count as different. */
const MOST_ATTEMPTS = 2_000;

/** True when `theirs` is `ours` or `ours` without some premises at its head that nothing depends on. */
function sameButUnusedPremises(equality: KernelEquality, ours: OcamlValue, theirs: OcamlValue): boolean {
  let attempts = 0;
  const from = (here: OcamlValue, there: OcamlValue, surplus: number): boolean => {
    attempts += 1;
    if (attempts > MOST_ATTEMPTS) return false;
    if (surplus <= 0) return equality.attempt(() => equality.same(term, here, there));
    if (sameHeads(equality, here, there) && from(lastField(here), lastField(there), surplus)) return true;
    const shorter = withoutOuterBinder(here);
    return shorter !== undefined && from(shorter, there, surplus - 1);
  };
  return from(ours, theirs, premises(ours) - premises(theirs));
}

function sameHeads(equality: KernelEquality, here: OcamlValue, there: OcamlValue): boolean {
  if (!hasTag(here, TERM.prod) && !hasTag(here, TERM.letIn)) return false;
  return equality.attempt(() => equality.same(term, headOnly(here), headOnly(there)));
}

function headOnly(value: OcamlValue): OcamlValue {
  return value instanceof Block ? new Block(value.tag, [...value.fields.slice(0, -1), PLACEHOLDER]) : value;
}

function lastField(value: OcamlValue): OcamlValue {
  return field(value, value instanceof Block ? value.fields.length - 1 : 0);
}

/** A sort, in the place of the rest of a term whose head alone is compared. */
const PLACEHOLDER = new Block(TERM.sort, [0]);

function premises(type: OcamlValue): number {
  let count = 0;
  for (let rest = type; rest instanceof Block; count += 1) {
    if (rest.tag === TERM.prod) rest = field(rest, 2);
    else if (rest.tag === TERM.letIn) rest = field(rest, 3);
    else break;
  }
  return count;
}

function compiledLibrary(file: CompiledFile): OcamlValue {
  return field(file.segment('library'), 0);
}

function* declarations(structure: OcamlValue): Generator<readonly [string, Block]> {
  for (const entry of listElements(structure)) {
    const declaration = field(entry, 1);
    if (!(declaration instanceof Block)) throw misfit('a declaration');
    yield [text(field(entry, 0)), declaration];
  }
}

function sameConstructor(left: OcamlValue, right: OcamlValue): boolean {
  return left instanceof Block ? hasTag(right, left.tag) : left === right;
}

function hasTag(value: OcamlValue, tag: number): boolean {
  return value instanceof Block && value.tag === tag;
}

function text(value: OcamlValue): string {
  if (typeof value !== 'string') throw misfit('a string');
  return value;
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
