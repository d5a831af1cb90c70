/** The names of the files that say what a project is. Only names: the page of the workbench imports them, too. */

export const PROJECT_FILES: readonly string[] = ['_RocqProject', '_CoqProject'];

/** What dune reads in a folder, the first where the project takes that name, too. */
export const DUNE_FILES: readonly string[] = ['dune-file', 'dune'];

/** Where make looks by itself. */
export const MAKEFILES: readonly string[] = ['GNUmakefile', 'makefile', 'Makefile'];

/** The usual names of the makefiles that coq_makefile makes. */
export const MADE_MAKEFILES: readonly string[] = [
  ...['Makefile.coq', 'Makefile.rocq', 'CoqMakefile', 'RocqMakefile', 'Makefile'],
];

/** What coq_makefile writes beside such a makefile, and what a person adds to it. */
const BESIDE = ['.conf', '.local', '.local-late'];

/** All that can say in a folder which project the files below are of, and who builds it. */
export const PROJECT_SAYINGS: readonly string[] = [
  ...PROJECT_FILES,
  ...DUNE_FILES,
  ...['dune-project', 'dune-workspace'],
  ...MAKEFILES,
  ...MADE_MAKEFILES.flatMap((name) => BESIDE.map((ending) => name + ending)),
];

/** Whether a file may say such things by its name alone: a makefile can have any, and so can what it or a dune file includes. */
export function isProjectSaying(name: string): boolean {
  return (
    PROJECT_SAYINGS.includes(name) ||
    /\.(?:conf|local|local-late|mk|inc|sexp)$|^Makefile\.(?:common|config)$/u.test(name)
  );
}
