/**
 * Five of Debian's libraries, with the modules whose statements are taken, and the header under which they are
 * stated.
 */

export interface Library {
  readonly name: string;
  /** Debian's package. */
  readonly debian: string;
  readonly header: string;
  /** Modules by their full names. Their sources are installed with them. */
  readonly modules: readonly string[];
}

export const LIBRARIES: readonly Library[] = [
  {
    name: 'stdlib',
    debian: 'libcoq-stdlib',
    header: 'Require Import List Arith Bool Lia ZArith Sorted Permutation ListSet. Import ListNotations.',
    modules: ['Coq.Lists.List', 'Coq.Sorting.Permutation', 'Coq.Bool.Bool', 'Coq.Lists.ListSet'],
  },
  {
    name: 'ext-lib',
    debian: 'libcoq-ext-lib',
    header:
      'Require Import List Arith Bool Lia ExtLib.Data.List ExtLib.Data.ListNth ExtLib.Data.ListFirstnSkipn ExtLib.Data.Nat ExtLib.Data.Option ExtLib.Data.Prop ExtLib.Data.Fin ExtLib.Data.String. Import ListNotations.',
    modules: [
      'ExtLib.Data.List',
      'ExtLib.Data.ListNth',
      'ExtLib.Data.ListFirstnSkipn',
      'ExtLib.Data.Nat',
      'ExtLib.Data.Option',
      'ExtLib.Data.Prop',
      'ExtLib.Data.Fin',
      'ExtLib.Data.String',
    ],
  },
  {
    name: 'stdpp',
    debian: 'libcoq-stdpp',
    header: 'From stdpp Require Import numbers list option.',
    modules: ['stdpp.list', 'stdpp.numbers', 'stdpp.option'],
  },
  {
    name: 'mathcomp',
    debian: 'libcoq-mathcomp-ssreflect',
    header: 'From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq div.',
    modules: ['mathcomp.ssreflect.ssrnat', 'mathcomp.ssreflect.seq', 'mathcomp.ssreflect.div'],
  },
  {
    name: 'coqprime',
    debian: 'libcoq-coqprime',
    header:
      'Require Import List Arith Bool Lia ZArith Coqprime.List.ListAux Coqprime.List.Permutation Coqprime.List.UList Coqprime.N.NatAux Coqprime.Z.ZCAux Coqprime.List.ZProgression. Import ListNotations.',
    modules: [
      'Coqprime.List.ListAux',
      'Coqprime.List.Permutation',
      'Coqprime.List.UList',
      'Coqprime.N.NatAux',
      'Coqprime.Z.ZCAux',
      'Coqprime.List.ZProgression',
    ],
  },
];
