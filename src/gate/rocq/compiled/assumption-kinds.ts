/**
 * As what a compiled file declares its constants without a body. The kernel has an axiom and an admitted proof in the same
 * form. Beside what the kernel reads, a compiled file has the objects that the prover replays when the file is required:
 * among them one for each constant that a command has declared, with the kind of the command (`vernac/declare.ml`, the
 * object `CONSTANT`; `library/decls.mli`, `library/libobject.mli`). What is admitted, obligations included, is there as
 * `Conjecture` declares it. A copy that `Include` or a functor makes has no object of its own.
 */
import { lastPart, qualified, qualifierOf } from '../../../core/qualified-name.ts';
import { hasTag, listElements, nameText } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';

export type AssumptionKind = 'axiom' | 'admitted' | 'copy' | 'unsaid';

/**
 * A module is written out, without or with a signature that hides it, or only declared (`Declare Module`), or another
 * module makes it: a functor that is applied, an alias. What stands in it is so, too.
 */
export type Made = 'here' | 'behind-signature' | 'declared' | 'by-another';

/** By what name the prover finds out the type of an object: OCaml's hash of the word `CONSTANT`. */
const CONSTANT = 839537039;

/** `Decls.IsAssumption`, and of its kinds the one for what is conjectured. */
const ASSUMPTION = 0;
const CONJECTURAL = 2;

/** Of `Libobject.t`, the same in all releases known. What is atomic has another tag in each. */
const OBJECT = { module: 0, moduleType: 1, include: 2 } as const;

export class AssumptionKinds {
  readonly #said = new Map<string, 'axiom' | 'admitted'>();
  /** Modules, by their paths, into which something is included. */
  readonly including = new Set<string>();
  /** The last parts of the names of what is admitted in module types. */
  readonly #admittedInTypes = new Set<string>();

  /** @param objects those that are replayed when the file is required. */
  constructor(objects: OcamlValue) {
    if (objects instanceof Block) this.#read(objects.fields[0], '');
  }

  /**
   * Of what a copy is one is not said, and behind a signature what it calls a parameter can be an admitted proof: the
   * objects are those of the signature there.
   */
  of(name: string, made: Made): AssumptionKind {
    switch (made) {
      case 'here':
        return this.#said.get(name) ?? (this.#mayBeIncluded(name) ? 'copy' : 'unsaid');
      case 'declared':
        // What is admitted in the type of a module is open in the module, too.
        return this.#admittedInTypes.has(lastPart(name)) ? 'copy' : 'axiom';
      case 'by-another':
        return 'copy';
      case 'behind-signature':
        return 'unsaid';
    }
  }

  #mayBeIncluded(name: string): boolean {
    let module = name;
    do {
      module = qualifierOf(module);
      if (this.including.has(module)) return true;
    } while (module !== '');
    return false;
  }

  #read(objects: OcamlValue | undefined, path: string, inType = false): void {
    if (!(objects instanceof Block)) return;
    for (const object of listElements(objects)) {
      if (!(object instanceof Block)) continue;
      if (object.tag === OBJECT.include) this.including.add(path);
      const [label, content] = object.fields;
      if ((object.tag === OBJECT.module || object.tag === OBJECT.moduleType) && typeof label === 'string') {
        const written = content instanceof Block ? content.fields[1] : undefined;
        // Anything else is the name of another module, of which this is a copy.
        if (written !== undefined && hasTag(written, 0))
          this.#read(
            written.fields[0],
            qualified(path, nameText(label)),
            inType || object.tag === OBJECT.moduleType,
          );
      } else if (label instanceof Block && label.fields[0] === CONSTANT)
        this.#note(label.fields[1], path, inType);
    }
  }

  #note(constant: OcamlValue | undefined, path: string, inType: boolean): void {
    if (!(constant instanceof Block)) return;
    const [label, declared] = constant.fields;
    const kind = declared instanceof Block ? declared.fields[0] : undefined;
    if (typeof label !== 'string') return;
    const name = qualified(path, nameText(label));
    // A kind without parts: what the kernel knows by itself (`Primitive array := #array_type`), or a symbol.
    if (typeof kind === 'number') this.#said.set(name, 'axiom');
    if (!(kind instanceof Block) || kind.tag !== ASSUMPTION) return;
    const isAdmitted = kind.fields[0] === CONJECTURAL;
    this.#said.set(name, isAdmitted ? 'admitted' : 'axiom');
    if (isAdmitted && inType) this.#admittedInTypes.add(nameText(label));
  }
}
