/**
 * Random damage to compiled modules that the judge accepts. The judge may refuse a damaged file, or accept it when its
 * constants still say the same; anything else is a defect.
 */
import { QuodError } from '../../../../core/errors.ts';
import type { ConstantDeclaration } from '../../declaration.ts';
import { constantsInDependencyOrder } from '../../dependency-order.ts';
import { Environment } from '../../environment.ts';
import { Kernel } from '../../kernel/kernel.ts';
import { FileBytes } from '../../olean/file-bytes.ts';
import { CompiledModule } from '../../olean/module.ts';
import { moduleBytes } from '../../olean/testing/module-files.ts';
import { TermStore } from '../../term-store.ts';
import { compareConstantWithTarget } from '../outcome.ts';
import { difference } from '../same-constant.ts';
import { smallLibrary } from './small-library.ts';

export type MutationResult =
  /** The reader, or the kernel, says what is wrong. */
  | 'unreadable'
  | 'rejected'
  | 'declined'
  /** Accepted by the kernel, but the comparison with the target tells that something is missing or different. */
  | 'told apart'
  /** Accepted, and every constant is what it was: only caches, names of binders or other unused bytes changed. */
  | 'same constants'
  /** Accepted, with other proofs or more constants than before, but all that was there is there and means the same. */
  | 'same meaning';

export interface MutationSubject {
  readonly name: string;
  readonly files: readonly Uint8Array[];
  /** What it imports, as the files of each module. */
  readonly imports: readonly (readonly Uint8Array[])[];
}

export function mutationSubjects(): MutationSubject[] {
  const one = (name: string): Uint8Array[] => [moduleBytes(`${name}.olean`)];
  return [
    { name: 'Base', files: one('Base'), imports: [] },
    { name: 'Top', files: one('Top'), imports: [one('Base')] },
    {
      name: 'Extra',
      files: ['', '.server', '.private'].map((part) => moduleBytes(`Extra.olean${part}`)),
      imports: [],
    },
    { name: 'AxeyumProbe', files: one('AxeyumProbe'), imports: [] },
    { name: 'small library', files: [smallLibrary().bytes()], imports: [] },
  ];
}

/** A generator of numbers below a bound, the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39) >>> 0;
    return Math.floor((((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32) * below);
  };
}

/** Flips a bit, sets a byte, changes a word a little, exchanges two words, or copies one over another. */
export function mutate(files: readonly Uint8Array[], random: (below: number) => number): Uint8Array[] {
  const copies = files.map((file) => Uint8Array.from(file));
  const file = copies[random(copies.length)];
  if (file === undefined) return copies;
  const view = new DataView(file.buffer);
  const word = (): number => 8 * random(Math.floor(file.length / 8));
  const [at, other] = [word(), word()];
  switch (random(6)) {
    case 0:
      view.setUint8(at + random(8), view.getUint8(at) ^ (1 << random(8)));
      break;
    case 1:
      view.setUint8(at + random(8), random(256));
      break;
    case 2:
      view.setBigInt64(at, view.getBigInt64(at) + BigInt(random(5) - 2), true);
      break;
    case 3:
      view.setBigInt64(at, view.getBigInt64(at, true) + BigInt(8 * (random(33) - 16)), true);
      break;
    case 4: {
      const saved = view.getBigInt64(at);
      view.setBigInt64(at, view.getBigInt64(other));
      view.setBigInt64(other, saved);
      break;
    }
    default:
      view.setBigInt64(at, view.getBigInt64(other));
  }
  return copies;
}

/** Judges damaged files of a subject against the undamaged ones. Throws nothing but defects. */
export class MutationJudge {
  readonly #store = new TermStore();
  readonly #subject: MutationSubject;
  readonly #imports: readonly CompiledModule[];
  readonly #original: readonly ConstantDeclaration[];

  constructor(subject: MutationSubject) {
    this.#subject = subject;
    this.#imports = subject.imports.map((files) => this.#open(files));
    this.#original = [...this.#open(subject.files).constants()];
  }

  judge(files: readonly Uint8Array[]): MutationResult {
    let constants: ConstantDeclaration[];
    try {
      const module = this.#open(files);
      constants = [...module.constants()];
      if (module.imports.length !== this.#subject.imports.length) return 'told apart';
    } catch (error) {
      if (error instanceof QuodError && error.reason === 'file-unreadable') return 'unreadable';
      throw error;
    }
    const answer = this.#check(constants);
    if (answer !== 'accepted') return answer;
    const found = new Map(constants.map((constant) => [constant.name, constant]));
    const pairs = this.#original.map((original) => ({ original, now: found.get(original.name) }));
    if (
      pairs.some(
        ({ original, now }) =>
          now === undefined || compareConstantWithTarget(original, now, false) !== undefined,
      )
    )
      return 'told apart';
    const isSame =
      constants.length === this.#original.length &&
      pairs.every(({ original, now }) => now !== undefined && difference(original, now) === undefined);
    return isSame ? 'same constants' : 'same meaning';
  }

  #check(constants: readonly ConstantDeclaration[]): 'accepted' | 'rejected' | 'declined' {
    const ordered = constantsInDependencyOrder(constants);
    if (ordered.kind === 'impossible') return 'rejected';
    const environment = new Environment((name) =>
      this.#imports.map((module) => module.find(name)).find(Boolean),
    );
    const kernel = new Kernel(this.#store, environment, { steps: 200_000 });
    for (const declaration of ordered.declarations) {
      const answer = kernel.add(declaration);
      if (answer.kind !== 'accepted') return answer.kind;
    }
    return 'accepted';
  }

  #open(files: readonly Uint8Array[]): CompiledModule {
    return new CompiledModule(
      files.map((file, part) => FileBytes.of(file, `${this.#subject.name}, part ${part}`)),
      this.#store,
    );
  }
}
