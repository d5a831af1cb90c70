import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FstarStep } from '../../provers/fstar/session/driver.ts';
import type { HolStep } from '../../provers/hol4/session/driver.ts';
import { createCoqidetop, findCoqidetop } from '../../provers/rocq/coqidetop/adapter.ts';
import { createPetanque, findPetanque } from '../../provers/rocq/petanque/adapter.ts';
import { splitSentences, asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { FstarSource, openFstarReplay } from '../fstar/fstar-replay.ts';
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
  short: asSentence('idtac.'),
  endless: asSentence('do 1000000000 idtac.'),
  hanging: [
    'repeat (pose proof I).',
    'assert (Nat.pow 2 40 = 0) by (vm_compute; fail).',
    'try (do 2000000000 idtac).',
    'assert (H : forall n, n < n) by (intros n; repeat rewrite <- (plus_O_n n)).',
  ].map(asSentence),
  greedy: asSentence('assert (Nat.pow 2 28 = 0) by (vm_compute; fail).'),
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

/** Nor is F*. The place of a declaration does not matter to a program that checks nothing. */
const OBEDIENT_FSTAR = fileURLToPath(
  new URL('../../provers/fstar/testing/obedient-fstar.ts', import.meta.url),
);
const FSTAR_REPLAY = JSON.stringify(new URL('../fstar/fstar-replay.ts', import.meta.url));

function declaration(text: string): FstarStep {
  return { text, place: { line: 1, column: 0 }, kind: 'full', whole: () => ({ text, modules: new Set() }) };
}

describeFaults<FstarStep>({
  name: 'F*, as a program that speaks as it does',
  executable: process.execPath,
  open: (executable) =>
    Promise.resolve({
      openSession: ({ memoryLimit }) => {
        const launch = {
          executable,
          arguments: [OBEDIENT_FSTAR],
          folder: tmpdir(),
          ...(memoryLimit !== undefined && { memoryLimit }),
        };
        return openFstarReplay(new FstarSource(launch), launch);
      },
    }),
  opening: `(async () => {
    const { FstarSource, openFstarReplay } = await import(${FSTAR_REPLAY});
    const launch = { executable: process.execPath, arguments: [${JSON.stringify(OBEDIENT_FSTAR)}], folder: '/' };
    const session = await openFstarReplay(new FstarSource(launch), launch);
    const run = session.run.bind(session);
    session.run = (from, step) => run(from, { ...step, whole: () => ({ text: '', modules: new Set() }) });
    return { openSession: () => session };
  })()`,
  file: '/nowhere/Faults.fst',
  before: ['module Faults', 'let kept = 7'].map(declaration),
  conclusions: undefined,
  finishing: [declaration('let after = kept')],
  short: declaration('let short = 1'),
  endless: declaration('let endless = spin'),
  hanging: [declaration('let hanging = sulk')],
  greedy: declaration('let greedy = eat'),
  memoryLimit: 400e6,
  // What F* does not mean for Quod it may write at any time: it is passed over.
  garbage: [],
});
