/**
 * Attacks on the machine. The policy allows a plugin that runs programs (Elpi), so that nothing but the sandbox is in
 * the way; and proofs that take more time or memory than there is.
 */
import { type Attack, type AttackTexts, attacksOn, HONEST, PROOF, STATEMENT } from './attack.ts';

/** A proof during which a shell runs this. */
function running(script: string): Pick<AttackTexts, 'cheat' | 'innocent' | 'policy' | 'needs'> {
  const text = (action: string): string =>
    `From elpi Require Import elpi.\nElpi Tactic act.\nElpi Accumulate lp:{{ solve _ _ :- ${action}. }}.\n` +
    `Elpi Typecheck.\n${STATEMENT}\nProof. try elpi act. ${PROOF.replace('Proof. ', '')}\n`;
  return {
    needs: ['elpi', 'sandbox'],
    policy: { commands: ['Elpi'] },
    cheat: text(`system ${JSON.stringify(script)} _`),
    innocent: text('coq.say "nothing"'),
  };
}

export const MACHINE_ATTACKS: readonly Attack[] = [
  ...attacksOn('file system', [
    [
      'a program where no command allows one',
      'forbidden-command',
      { ...running('true'), policy: {}, innocent: HONEST },
    ],
    ['writing outside', 'sandbox-violation', running('touch /tmp/quod-stolen /home/quod-stolen')],
    [
      'filling the disk',
      'limit-exceeded',
      { ...running('cat /dev/zero >big'), limits: { disk: 20_000_000 } },
    ],
    [
      'filling the disk with many files',
      'limit-exceeded',
      {
        ...running('for n in 1 2 3 4 5 6 7 8 9; do head -c 5000000 /dev/zero >f$n; done'),
        limits: { disk: 20_000_000 },
      },
    ],
  ]),
  ...attacksOn('other files', [
    [
      'connecting',
      'sandbox-violation',
      running('perl -MIO::Socket::INET -e "IO::Socket::INET->new(q(127.0.0.1:22))"'),
    ],
    [
      'reading a secret and using it as a proof',
      'does-not-compile',
      {
        ...running('true'),
        cheat: running('cat /home/*/secret.v >secret.v || echo "No secret" >secret.v').cheat.replace(
          'Proof. try elpi act.',
          'Proof. try elpi act. Load "secret".',
        ),
        policy: { commands: ['Elpi', 'Load'] },
      },
    ],
  ]),
  ...attacksOn('time', [
    ['forking without end', 'limit-exceeded', running('while :; do sleep 60 & done')],
    ['a process left behind', 'sandbox-violation', running('setsid sleep 600 >/dev/null 2>&1 &')],
    [
      'a tactic without end',
      'timeout',
      {
        limits: { time: 4000 },
        cheat: `Ltac forever := do 2000000000 idtac.\n${STATEMENT}\nProof. forever. Qed.\n`,
        innocent: `Ltac thrice := do 3 idtac.\n${STATEMENT}\nProof. thrice. induction n; simpl; congruence. Qed.\n`,
      },
    ],
    ['a sleeping program', 'timeout', { ...running('sleep 600'), limits: { time: 8000 } }],
    [
      'a pipe in the place of a result, that nobody reads',
      'timeout',
      { ...running('mkfifo t.vo t.vos; cat t.vo'), limits: { idle: 3000 } },
    ],
    [
      'all processes stopped',
      'timeout',
      { ...running('kill -STOP 1; kill -STOP -1'), limits: { idle: 3000 } },
    ],
    [
      'memory without end',
      'memory-exceeded',
      {
        limits: { memory: 400 * 1024 ** 2 },
        cheat: `Fixpoint grow (n : nat) (l : list nat) := match n with 0 => l | S k => grow k (l ++ l) end.\nDefinition big := Eval vm_compute in length (grow 40 (cons 0 nil)).\n${HONEST}`,
        innocent: `Fixpoint grow (n : nat) (l : list nat) := match n with 0 => l | S k => grow k (l ++ l) end.\nDefinition big := Eval vm_compute in length (grow 4 (cons 0 nil)).\n${HONEST}`,
      },
    ],
  ]),
];
