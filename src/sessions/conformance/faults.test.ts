import { fileURLToPath } from 'node:url';
import type { HolStep } from '../../provers/hol4/session/driver.ts';
import { createCoqidetop, findCoqidetop } from '../../provers/rocq/coqidetop/adapter.ts';
import { createPetanque, findPetanque } from '../../provers/rocq/petanque/adapter.ts';
import { splitSentences, written } from '../../provers/rocq/syntax/sentences.ts';
import { openHolSession } from '../hol4/hol-session.ts';
import { replayedProver } from '../replayed-prover.ts';
import { createToy, TOY_PROGRAM } from '../testing/toy/adapter.ts';
import { splitToy } from '../testing/toy/syntax.ts';
import { describeFaults } from './faults.ts';

const FIND_ROCQ = JSON.stringify(new URL('../find-rocq.ts', import.meta.url));
const TOY = JSON.stringify(new URL('../testing/toy/adapter.ts', import.meta.url));
const REPLAYED = JSON.stringify(new URL('../replayed-prover.ts', import.meta.url));

const rocq = {
  file: '/nowhere/faults.v',
  before: splitSentences('Definition kept := 7.\nGoal kept = 7.').sentences,
  conclusions: ['kept = 7'],
  finishing: splitSentences('reflexivity. Qed.').sentences,
  short: written('idtac.'),
  endless: written('do 1000000000 idtac.'),
  hanging: [
    'repeat (pose proof I).',
    'assert (Nat.pow 2 40 = 0) by (vm_compute; fail).',
    'try (do 2000000000 idtac).',
    'assert (H : forall n, n < n) by (intros n; repeat rewrite <- (plus_O_n n)).',
  ].map(written),
  greedy: written('assert (Nat.pow 2 28 = 0) by (vm_compute; fail).'),
  memoryLimit: 400e6,
};

describeFaults({
  ...rocq,
  name: 'coqidetop',
  executable: findCoqidetop(),
  open: async (executable) => replayedProver(await createCoqidetop({ executable })),
  opening: `(await import(${FIND_ROCQ})).findRocq('coqidetop')`,
  garbage: [
    'Segmentation fault',
    '<value val="good"></wrong>',
    '\\377\\376',
    '<value val="maybe"/>',
    '</value>',
  ],
});

describeFaults({
  ...rocq,
  name: 'petanque',
  executable: findPetanque(),
  open: async (executable) => replayedProver(await createPetanque({ executable })),
  opening: `(await import(${FIND_ROCQ})).findRocq('petanque')`,
  garbage: [
    'Segmentation fault',
    'Content-Length: x\\r\\n\\r\\n',
    'Content-Length: 2\\r\\n\\r\\n{}',
    'Content-Length: 2\\r\\n\\r\\n\\377\\376',
    'Content-Length: 22\\r\\n\\r\\n{"id":99,"result":null}',
  ],
});

const sentence = (text: string) => ({ text });

/** HOL4 itself is rarely there; a program that speaks as it does comes to the same harm. */
const OBEDIENT_HOL = fileURLToPath(new URL('../../provers/hol4/testing/obedient-hol.ts', import.meta.url));
const HOL_SESSION = JSON.stringify(new URL('../hol4/hol-session.ts', import.meta.url));

describeFaults<HolStep>({
  name: 'HOL4, as a program that speaks as it does',
  executable: process.execPath,
  open: (executable) =>
    Promise.resolve({
      openSession: ({ memoryLimit }) =>
        openHolSession({
          executable,
          extraArguments: [OBEDIENT_HOL],
          ...(memoryLimit !== undefined && { memoryLimit }),
        }),
    }),
  opening: `{ openSession: async () => (await import(${HOL_SESSION})).openHolSession({
    executable: process.execPath, extraArguments: [${JSON.stringify(OBEDIENT_HOL)}] }) }`,
  file: '/nowhere/faultsScript.sml',
  before: ['val kept = 7', 'Theorem kept: p\nProof', 'ALL_TAC'].map(sentence),
  conclusions: ['p'],
  finishing: ['>> ALL_TAC', 'QED'].map(sentence),
  short: sentence('>> ALL_TAC'),
  endless: sentence('>> sleep 1000'),
  hanging: [sentence('>> sulk')],
  greedy: sentence('>> eat'),
  memoryLimit: 400e6,
  // What HOL prints has no form that could be wrong: an answer ends with its own mark.
  garbage: [],
});

describeFaults({
  name: 'the toy prover',
  executable: TOY_PROGRAM,
  open: (executable) => Promise.resolve(replayedProver(createToy({ executable }))),
  opening: `(await import(${REPLAYED})).replayedProver((await import(${TOY})).createToy())`,
  file: '/nowhere/faults.toy',
  before: splitToy('let kept = 7; claim kept = 7;'),
  conclusions: ['kept = 7'],
  finishing: splitToy('check; done;'),
  short: sentence('check;'),
  endless: sentence('spin;'),
  hanging: [sentence('sulk;')],
  greedy: sentence('eat;'),
  memoryLimit: 400e6,
  garbage: ['Segmentation fault\\n', '{}\\n', '{"id":99,"status":"done"}\\n', '\\377\\376\\n'],
});
