/**
 * The libraries that `npm run bench:retrieval` measures rankers on, whole. No training file of a shipped model may
 * come from one of them, nor from a library that bench/search reports on; the card of a model repeats what it was
 * kept from.
 */
import { librariesOf } from '../search/libraries.ts';

export interface HeldOutLibrary {
  readonly name: string;
  /** What sets it apart from the others. */
  readonly style: string;
  /** Relative to what `coqc -where` prints. */
  readonly folders: readonly string[];
}

export const HELD_OUT: readonly HeldOutLibrary[] = [
  { name: 'coquelicot', style: 'real analysis, plain Ltac', folders: ['user-contrib/Coquelicot'] },
  { name: 'ext-lib', style: 'functional programming, type classes', folders: ['user-contrib/ExtLib'] },
  { name: 'coqprime', style: 'number theory, long proofs in plain Ltac', folders: ['user-contrib/Coqprime'] },
  { name: 'reglang', style: 'formal languages, SSReflect', folders: ['user-contrib/RegLang'] },
  {
    name: 'mathcomp',
    style: 'algebra, SSReflect',
    folders: ['user-contrib/mathcomp/ssreflect', 'user-contrib/mathcomp/algebra'],
  },
];

/** Every folder that training must stay out of. */
export const NOT_FOR_TRAINING: readonly string[] = [
  ...new Set([
    ...HELD_OUT.flatMap(({ folders }) => folders),
    ...librariesOf('report').flatMap(({ folders }) => folders),
  ]),
];
