/** Commands of Rocq itself that write, leave or read files. */
import { type Attack, attacksOn, HONEST, PROOF, STATEMENT } from './attack.ts';

export const FILE_SYSTEM_ATTACKS: readonly Attack[] = attacksOn('file system', [
  ...(
    [
      ['Redirect', 'Redirect "stolen" Print nat.', 'Print nat.'],
      ['Redirect behind Time', 'Time Redirect "stolen" Print nat.', 'Time Print nat.'],
      ['Extraction to a file', 'Require Extraction. Extraction "stolen.ml" nat.', 'Compute 1 + 1.'],
      ['Separate Extraction', 'Require Extraction. Separate Extraction nat.', 'Search nat.'],
      ['Cd', 'Cd "/".', 'Check nat.'],
      ['Drop', 'Drop.', 'About nat.'],
      ['a file written by Print', 'Print Universes "stolen".', 'Print Universes.'],
      ['a state written', 'Write State "stolen".', 'Locate nat.'],
      [
        'an option that is not known',
        'Set NativeCompute Profile Filename "stolen".',
        'Set Asymmetric Patterns.',
      ],
    ] as const
  ).map(
    ([name, cheat, innocent]) =>
      [
        name,
        'forbidden-command',
        { cheat: `${cheat}\n${HONEST}`, innocent: `${innocent}\n${HONEST}` },
      ] as const,
  ),
  [
    'a command in the middle of a proof',
    'forbidden-command',
    {
      cheat: `${STATEMENT}\nProof. Redirect "stolen" Show. induction n; simpl; congruence. Qed.\n`,
      innocent: `${STATEMENT}\nProof. Show. induction n; simpl; congruence. Qed.\n`,
    },
  ],
  [
    'an axiom between statement and proof',
    'new-axiom',
    {
      cheat: `${STATEMENT}\nAxiom ax : forall n, n + 0 = n.\nProof. exact ax. Qed.\n`,
      innocent: `${STATEMENT}\nShow.\n${PROOF}\n`,
    },
  ],
  [
    'a command around the closing word',
    'forbidden-command',
    {
      cheat: HONEST.replace('Qed.', 'Redirect "stolen" Qed.'),
      innocent: HONEST.replace('Qed.', 'Time Qed.'),
    },
  ],
  [
    'an axiom in the middle of a proof',
    'new-axiom',
    {
      cheat: `${STATEMENT}\nProof. Axiom ax : forall n, n + 0 = n. exact ax. Qed.\n`,
      innocent: `${STATEMENT}\nProof. Definition ax := 0. induction n; simpl; congruence. Qed.\n`,
    },
  ],
]);

export const OTHER_FILE_ATTACKS: readonly Attack[] = attacksOn('other files', [
  ...(
    [
      ['another file run', 'Load "other".', 'Search nat.'],
      ['a secret read as a file of Rocq', 'Load "/home/judge/.ssh/id_ed25519".', 'Locate "+".'],
      ['a folder added to the load path', 'Add LoadPath "/tmp" as Mine.', 'Print LoadPath.'],
      ['a folder of plugins added', 'Add ML Path "/tmp".', 'Print ML Path.'],
      ['a plugin', 'Declare ML Module "extraction_plugin".', 'Declare Scope mine_scope.'],
    ] as const
  ).map(
    ([name, cheat, innocent]) =>
      [
        name,
        'forbidden-command',
        { cheat: `${cheat}\n${HONEST}`, innocent: `${innocent}\n${HONEST}` },
      ] as const,
  ),
  [
    'a plugin other than the one that is allowed',
    'forbidden-command',
    {
      policy: { plugins: ['coq-core.plugins.extraction'] },
      cheat: `Declare ML Module "coq-core.plugins.nsatz".\n${HONEST}`,
      innocent: `Declare ML Module "coq-core.plugins.extraction".\n${HONEST}`,
    },
  ],
  [
    'a library that is not there',
    'does-not-compile',
    {
      cheat: `Require Import Submission.Helpers.\n${HONEST}`,
      innocent: `Require Import Bool.Bool.\n${HONEST}`,
    },
  ],
]);
