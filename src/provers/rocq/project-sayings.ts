/** The names of the files that say what a project is. Only names: the page of the workbench imports them, too. */

export const PROJECT_FILES: readonly string[] = ['_RocqProject', '_CoqProject'];

/** Where make looks by itself. */
export const MAKEFILES: readonly string[] = ['GNUmakefile', 'makefile', 'Makefile'];

/** What coq_makefile writes beside the makefile that it makes, under the names that makefiles have. */
export const MAKEFILE_CONFS: readonly string[] = [
  'Makefile.coq',
  'Makefile.rocq',
  'CoqMakefile',
  'RocqMakefile',
  'Makefile',
].map((name) => `${name}.conf`);

/** What a person adds to that makefile. */
export const MAKEFILE_LOCALS: readonly string[] = MAKEFILE_CONFS.map((name) =>
  name.replace(/conf$/u, 'local'),
);

/** All that can say in a folder which project the files below are of, and who builds it. */
export const PROJECT_SAYINGS: readonly string[] = [
  ...PROJECT_FILES,
  ...['dune', 'dune-project', 'dune-workspace'],
  ...MAKEFILES,
  ...MAKEFILE_CONFS,
  ...MAKEFILE_LOCALS,
];
