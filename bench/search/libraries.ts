/**
 * The Debian libraries that the search is measured on. What is tuned on and what is reported must stay apart: a change
 * may be judged by the tuning libraries alone, and the reporting libraries say afterwards what it was worth.
 */
export type TaskSet = 'tune' | 'report';

export interface Library {
  readonly name: string;
  readonly set: TaskSet;
  /** Debian's package with the sources. */
  readonly debianPackage: string;
  /** Where the sources are, relative to what `coqc -where` prints. */
  readonly folders: readonly string[];
  /** Sources that are not drawn from. */
  readonly excluded?: RegExp;
  /** The load path under which the library was compiled; its folder is relative to `coqc -where`. */
  readonly root?: { readonly folder: string; readonly logicalName: string };
}

function userContribution(
  name: string,
  set: TaskSet,
  logicalName: string,
  {
    debianPackage = `libcoq-${name}`,
    folders = [`user-contrib/${logicalName}`],
  }: { readonly debianPackage?: string; readonly folders?: readonly string[] } = {},
): Library {
  const root = { folder: `user-contrib/${logicalName}`, logicalName };
  return { name, set, debianPackage, folders, root };
}

export const LIBRARIES: readonly Library[] = [
  userContribution('stdpp', 'tune', 'stdpp'),
  userContribution('relation-algebra', 'tune', 'RelationAlgebra'),
  userContribution('flocq', 'tune', 'Flocq'),
  {
    name: 'stdlib',
    set: 'report',
    debianPackage: 'libcoq-stdlib',
    folders: ['theories'],
    // Compiled with other flags than everything else, or with no proofs worth the name.
    excluded: /^theories\/(Init|Compat|Floats|Numbers\/Cyclic|extraction|funind|omega|micromega)\//,
  },
  userContribution('mathcomp', 'report', 'mathcomp', {
    debianPackage: 'libcoq-mathcomp-algebra',
    folders: ['user-contrib/mathcomp/ssreflect', 'user-contrib/mathcomp/algebra'],
  }),
  userContribution('coquelicot', 'report', 'Coquelicot'),
  userContribution('ext-lib', 'report', 'ExtLib'),
  userContribution('coqprime', 'report', 'Coqprime'),
];

export function librariesOf(set: TaskSet): readonly Library[] {
  return LIBRARIES.filter((library) => library.set === set);
}

/** `Coq.Lists.List` for `theories/Lists/List.v`, `stdpp.list` for `user-contrib/stdpp/list.v`. */
export function logicalNameOf(source: string): string {
  return source
    .replace(/\.v$/, '')
    .replace(/^theories\//, 'Coq/')
    .replace(/^user-contrib\//, '')
    .replaceAll('/', '.');
}

/** The inverse of {@link logicalNameOf}; the file need not exist. */
export function sourceOf(logicalName: string): string {
  const path = logicalName.replaceAll('.', '/');
  return path.startsWith('Coq/') ? `theories/${path.slice(4)}.v` : `user-contrib/${path}.v`;
}
