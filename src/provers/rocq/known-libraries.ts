/**
 * Which package brings a library that is missing: from the first parts of its logical name to the Debian package
 * and the opam package. Logical roots as the libraries' own `_CoqProject` files bind them.
 */

export interface LibraryPackage {
  /** Debian's package; absent when Debian has none. */
  readonly debian?: string;
  readonly opam: string;
}

/** Longer prefixes win: `mathcomp.analysis` is looked up before `mathcomp`. */
const PACKAGES: Readonly<Record<string, LibraryPackage>> = {
  AAC_tactics: { debian: 'libcoq-aac-tactics', opam: 'coq-aac-tactics' },
  Abel: { debian: 'libcoq-mathcomp-abel', opam: 'coq-mathcomp-abel' },
  Autosubst: { opam: 'coq-autosubst' },
  Bignums: { debian: 'libcoq-bignums', opam: 'coq-bignums' },
  Ceres: { opam: 'coq-ceres' },
  CoLoR: { opam: 'coq-color' },
  CoRN: { debian: 'libcoq-corn', opam: 'coq-corn' },
  Coq: { debian: 'libcoq-stdlib', opam: 'coq-stdlib' },
  CoqEAL: { debian: 'libcoq-coqeal', opam: 'coq-coqeal' },
  Coqprime: { debian: 'libcoq-coqprime', opam: 'coq-coqprime' },
  Coquelicot: { debian: 'libcoq-coquelicot', opam: 'coq-coquelicot' },
  Equations: { debian: 'libcoq-equations', opam: 'coq-equations' },
  ExtLib: { debian: 'libcoq-ext-lib', opam: 'coq-ext-lib' },
  Flocq: { debian: 'libcoq-flocq', opam: 'coq-flocq' },
  Gappa: { debian: 'libcoq-gappa', opam: 'coq-gappa' },
  HB: { debian: 'libcoq-hierarchy-builder', opam: 'coq-hierarchy-builder' },
  Hammer: { debian: 'libcoq-hammer', opam: 'coq-hammer' },
  'Hammer.Tactics': { debian: 'libcoq-hammer', opam: 'coq-hammer-tactics' },
  HoTT: { debian: 'libcoq-hott', opam: 'coq-hott' },
  ITree: { opam: 'coq-itree' },
  Interval: { debian: 'libcoq-interval', opam: 'coq-interval' },
  LibHyps: { debian: 'libcoq-libhyps', opam: 'coq-libhyps' },
  Ltac2: { debian: 'libcoq-stdlib', opam: 'coq-core' },
  MathClasses: { debian: 'libcoq-math-classes', opam: 'coq-math-classes' },
  MenhirLib: { debian: 'libcoq-menhirlib', opam: 'coq-menhirlib' },
  MetaCoq: { opam: 'coq-metacoq' },
  Metalib: { opam: 'coq-metalib' },
  Mtac2: { debian: 'libcoq-mtac2', opam: 'coq-mtac2' },
  Ott: { debian: 'libcoq-ott', opam: 'coq-ott' },
  Param: { debian: 'libcoq-paramcoq', opam: 'coq-paramcoq' },
  QuickChick: { debian: 'libcoq-quickchick', opam: 'coq-quickchick' },
  RecordUpdate: { debian: 'libcoq-record-update', opam: 'coq-record-update' },
  ReductionEffect: { debian: 'libcoq-reduction-effects', opam: 'coq-reduction-effects' },
  RegLang: { debian: 'libcoq-reglang', opam: 'coq-reglang' },
  RelationAlgebra: { debian: 'libcoq-relation-algebra', opam: 'coq-relation-algebra' },
  SimpleIO: { debian: 'libcoq-simple-io', opam: 'coq-simple-io' },
  SsrMultinomials: { debian: 'libcoq-mathcomp-multinomials', opam: 'coq-mathcomp-multinomials' },
  Stdlib: { debian: 'libcoq-stdlib', opam: 'rocq-stdlib' },
  TLC: { opam: 'coq-tlc' },
  Tactician: { opam: 'coq-tactician' },
  UniMath: { debian: 'libcoq-unimath', opam: 'coq-unimath' },
  Unicoq: { debian: 'libcoq-unicoq', opam: 'coq-unicoq' },
  VST: { opam: 'coq-vst' },
  compcert: { opam: 'coq-compcert' },
  deriving: { debian: 'libcoq-deriving', opam: 'coq-deriving' },
  dpdgraph: { debian: 'libcoq-dpdgraph', opam: 'coq-dpdgraph' },
  elpi: { debian: 'libcoq-elpi', opam: 'coq-elpi' },
  extructures: { debian: 'libcoq-extructures', opam: 'coq-extructures' },
  iris: { debian: 'libcoq-iris', opam: 'coq-iris' },
  mathcomp: { debian: 'libcoq-mathcomp', opam: 'coq-mathcomp-ssreflect' },
  'mathcomp.algebra': { debian: 'libcoq-mathcomp-algebra', opam: 'coq-mathcomp-algebra' },
  'mathcomp.algebra_tactics': {
    debian: 'libcoq-mathcomp-algebra-tactics',
    opam: 'coq-mathcomp-algebra-tactics',
  },
  'mathcomp.analysis': { debian: 'libcoq-mathcomp-analysis', opam: 'coq-mathcomp-analysis' },
  'mathcomp.bigenough': { debian: 'libcoq-mathcomp-bigenough', opam: 'coq-mathcomp-bigenough' },
  'mathcomp.character': { debian: 'libcoq-mathcomp-character', opam: 'coq-mathcomp-character' },
  'mathcomp.classical': { debian: 'libcoq-mathcomp-analysis', opam: 'coq-mathcomp-classical' },
  'mathcomp.field': { debian: 'libcoq-mathcomp-field', opam: 'coq-mathcomp-field' },
  'mathcomp.fingroup': { debian: 'libcoq-mathcomp-fingroup', opam: 'coq-mathcomp-fingroup' },
  'mathcomp.finmap': { debian: 'libcoq-mathcomp-finmap', opam: 'coq-mathcomp-finmap' },
  'mathcomp.multinomials': { debian: 'libcoq-mathcomp-multinomials', opam: 'coq-mathcomp-multinomials' },
  'mathcomp.real_closed': { debian: 'libcoq-mathcomp-real-closed', opam: 'coq-mathcomp-real-closed' },
  'mathcomp.solvable': { debian: 'libcoq-mathcomp-solvable', opam: 'coq-mathcomp-solvable' },
  'mathcomp.ssreflect': { debian: 'libcoq-mathcomp-ssreflect', opam: 'coq-mathcomp-ssreflect' },
  'mathcomp.zify': { debian: 'libcoq-mathcomp-zify', opam: 'coq-mathcomp-zify' },
  stdpp: { debian: 'libcoq-stdpp', opam: 'coq-stdpp' },
};

/** The package of a library's full logical name (`mathcomp.algebra.ssralg`), or undefined when Quod knows none. */
export function packageOf(logicalName: string): LibraryPackage | undefined {
  const parts = logicalName.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const found = PACKAGES[parts.slice(0, length).join('.')];
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The logical name of the library that Rocq could not find, from its error message; undefined for other messages.
 * The sentence is that of Rocq 8.16 to 9.x: "Cannot find a physical path bound to logical path X [with prefix P]."
 */
export function missingLibrary(message: string): string | undefined {
  const found =
    /Cannot find a physical path bound to logical path\s+([^\s]+?)(?:\s+with\s+prefix\s+([^\s]+?))?\.?\s*$/m.exec(
      message.trim(),
    );
  if (found === null) return undefined;
  const [, name = '', prefix] = found;
  return prefix === undefined ? name : `${prefix}.${name}`;
}

/** What to do about a missing library, in one sentence. */
export function missingLibraryRemedy(logicalName: string, backend: string): string {
  const known = packageOf(logicalName);
  if (known === undefined) {
    const path = logicalName.replaceAll('.', '/');
    return `If it is a part of your project, compile it with \`proof_build\` (which makes \`${path}.vo\`), with its directory bound by -Q or -R in _CoqProject; otherwise install the package that has it.`;
  }
  const sources = [
    ...(known.debian === undefined ? [] : [`\`apt install ${known.debian}\``]),
    `\`opam install ${known.opam}\``,
  ].join(' or ');
  const also =
    backend === 'embedded' ? ' and `coq` itself: the embedded Rocq loads only the libraries it ships' : '';
  return `Install it with ${sources}${also}.`;
}
